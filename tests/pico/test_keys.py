"""The buttons on the real CircuitPython: what it takes for a press, and keys that are down when the power comes."""

from __future__ import annotations

import itertools

import pytest
from pico.emulator import MakePico, Pico
from pico.firmware import Wire, firmware_files

PLUS_1, PLUS_5, OK, UNDO, DEAL = 6, 7, 8, 12, 13
OTHER_PLUS_1 = 9
PHASES = 16  # of a spike to the scans, which come every ms
SESSIONS = itertools.count(910)


@pytest.fixture(scope="module")
def pico(pico_with: MakePico) -> Pico:
    """A board that is off."""
    return pico_with(firmware_files())


@pytest.fixture(scope="module")
def wire(pico: Pico) -> Wire:
    """The board switched on, with a score of 5, and nothing blinks on it."""
    wire = Wire(pico)
    assert wire.ask("peg", next(SESSIONS), 1, 0, 5)[0] == "ok"
    pico.run(300)
    pico.frames()
    return wire


def state(wire: Wire) -> list[object]:
    return wire.ask("state", 2)


def test_a_spike_on_a_shared_button_is_no_press_and_shows_nothing(wire: Wire) -> None:
    pico, before = wire.pico, state(wire)
    for spike_ms in (0.2, 1, 3.1, 3.5):
        for phase in range(PHASES):
            at = pico.now_ms + 5 + phase * 1.1
            for pin, after in ((UNDO, 0), (DEAL, 15.3)):
                pico.press(pin, at_ms=at + after)
                pico.release(pin, at_ms=at + after + spike_ms)
            pico.run(40)
        assert pico.frames() == [], f"a spike of {spike_ms} ms blinks"
    pico.run(700)  # what UNDO takes blinks before it goes
    assert state(wire) == before


def test_a_spike_on_ok_pegs_nothing_of_what_waits_and_a_tap_pegs_it(wire: Wire) -> None:
    pico, before = wire.pico, state(wire)
    pico.press(PLUS_1)
    pico.run(40)
    pico.release(PLUS_1)
    pico.run(40)
    for spike_ms in (0.2, 1, 3.1, 3.5):
        for phase in range(PHASES):
            at = pico.now_ms + 5 + phase * 1.1
            pico.press(OK, at_ms=at)
            pico.release(OK, at_ms=at + spike_ms)
            pico.run(40)
    assert state(wire) == before
    pico.press(OK)
    pico.run(9)
    pico.release(OK)
    pico.run(80)
    assert state(wire)[11] == "06050000"


def test_a_tap_of_a_shared_button_is_a_press_at_any_phase(wire: Wire) -> None:
    pico = wire.pico
    for phase in range(8):
        dealer = state(wire)[7]
        at = pico.now_ms + 5 + phase / 2
        pico.press(DEAL, at_ms=at)
        pico.release(DEAL, at_ms=at + 9)
        pico.run(80)
        assert state(wire)[7] != dealer


def test_contacts_of_two_players_that_bounce_at_the_same_moment_are_one_press_of_each(wire: Wire) -> None:
    pico = wire.pico
    wire.ask("last", 4)
    wire.pushed.clear()
    for phase in range(8):
        at = pico.now_ms + 5 + phase / 2
        for bounce in (0, 8, 66, 74):  # as they close, and as they open
            for pin, after in ((PLUS_1, 0), (OTHER_PLUS_1, 5.3)):
                pico.press(pin, at_ms=at + after + bounce)
                pico.release(pin, at_ms=at + after + bounce + (4 if bounce != 8 else 58))
        pico.run(140)
    wire.ask("last", 5)
    assert wire.pushed[-2:] == [["pend", -1, 0, 8, 0], ["pend", -1, 1, 8, 0]]
    assert len(wire.pushed) == 16
    for _ in range(16):
        pico.press(UNDO)
        pico.run(40)
        pico.release(UNDO)
        pico.run(40)
    wire.ask("last", 6)
    wire.pushed.clear()


def test_keys_that_are_down_when_the_power_comes_do_nothing_until_they_are_let_go_and_pressed(wire: Wire) -> None:
    before, pico = state(wire), wire.pico
    for pin in (PLUS_1, PLUS_5, OK, UNDO, DEAL):
        pico.press(pin)
    wire.boot()
    pico.run(3_500)
    for pin in (PLUS_1, PLUS_5, OK, UNDO, DEAL):
        now = pico.now_ms
        for bounce in range(0, 20, 10):
            pico.release(pin, at_ms=now + bounce)
            pico.press(pin, at_ms=now + bounce + 6)
        pico.release(pin, at_ms=now + 20)
        pico.run(100)
    pico.run(700)
    assert state(wire) == before
    assert wire.pushed == []
    pico.press(PLUS_1)
    pico.run(60)
    pico.release(PLUS_1)
    pico.run(60)
    wire.ask("last", 3)
    assert wire.pushed == [["pend", -1, 0, 1, 0]]


def test_undo_and_deal_held_from_power_on_and_let_go_after_three_seconds_open_the_console(pico: Pico) -> None:
    for pin in (UNDO, DEAL):
        pico.press(pin)
    pico.boot()
    pico.run(1_500)
    pico.frames()
    pico.run(3_500)
    assert len(pico.frames()) > 8, "how far it is"
    assert b"Code done running" not in pico.log
    for pin in (UNDO, DEAL):
        pico.release(pin)
    pico.run(300)
    assert b"Code done running" in pico.log
    pico.write(b"\r", "console")
    pico.run_until(lambda: b">>> " in pico.log, "a prompt")
    pico.write(b"print(6 * 7)\r", "console")
    pico.run(8_000)
    assert "42" in pico.console_text(), pico.console_text()[-300:]
    assert pico.counts["resets"] == 0


def test_plus_one_and_undo_held_from_power_on_start_the_bring_up_and_a_host_ends_it(pico_with: MakePico) -> None:
    pico = pico_with(firmware_files())
    wire = Wire(pico)
    for pin in (PLUS_1, UNDO):
        pico.press(pin)
    pico.boot()
    pico.run(5_500)
    for pin in (PLUS_1, UNDO):
        pico.release(pin)
    pico.run(700)
    pico.frames()
    pico.run(2_000)
    walked = [
        sum(1 for n in range(0, len(frame.data), 3) if frame.data[n : n + 3] == b"\0\x30\0") for frame in pico.frames()
    ]
    assert max(walked) == 10 and len(walked) > 40, "ten red lights walk"
    assert wire.ask("bring-up", 1) == ["bring-up", 1, wire.hello[4], 2, 121, 8, "GRB", 450]
    assert wire.ask("light", 3, 1, 30, 60, 0, 60, 0) == ["light", 3, 256]
    pico.run(50)
    assert pico.frames()[-1].data[90:180] == b"\x3c\0\0" * 30
    pico.press(PLUS_5)
    pico.run(60)
    pico.release(PLUS_5)
    assert wire.ask("tone", 4, 440) == ["tone", 4]
    assert ["key", 1, 1] in wire.pushed
    wire.send("end", 5)
    pico.run(2_000)
    wire.lines.feed(pico.read())
    assert wire.ask("state", 6)[:2] == ["state", 6]
    assert pico.counts["resets"] == 0
