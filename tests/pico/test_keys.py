"""The buttons on the real CircuitPython: what it takes for a press, and what it passes over."""

from __future__ import annotations

import itertools

import pytest
from pico.emulator import MakePico
from pico.firmware import Wire, firmware_files

PLUS_1, PLUS_5, OK, UNDO, DEAL = 6, 7, 8, 12, 13
TRACK_PIN = 2
PHASES = 24  # of a spike to the scans, which come every 3 or 4 ms
SESSIONS = itertools.count(910)


@pytest.fixture(scope="module")
def wire(pico_with: MakePico) -> Wire:
    """A board with a score of 5, on which nothing blinks."""
    wire = Wire(pico_with(firmware_files()))
    assert wire.ask("peg", next(SESSIONS), 1, 0, 5)[0] == "ok"
    wire.pico.run(3_000)
    return wire


def state(wire: Wire) -> list[object]:
    return wire.ask("state", 2)


@pytest.mark.parametrize("spike_ms", [0.2, 1, 3.1, 3.5])
@pytest.mark.parametrize("pin", [UNDO, DEAL])
def test_a_spike_on_a_shared_button_is_no_press_and_shows_nothing(wire: Wire, pin: int, spike_ms: float) -> None:
    before, pico = state(wire), wire.pico
    pico.frames()
    shown = []
    for phase in range(PHASES):
        pico.run(40)
        at = pico.now_ms + 5 + phase * 4 / PHASES
        pico.press(pin, at_ms=at)
        pico.release(pin, at_ms=at + spike_ms)
        pico.run(60)
        shown.append(len(pico.frames()))
    pico.run(700)  # what UNDO takes blinks before it goes
    assert (state(wire), shown) == (before, [0] * PHASES)
