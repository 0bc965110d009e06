"""What happens to a board: Ctrl-C on its console, a module that is missing, CircuitPython's safe mode."""

from __future__ import annotations

from itertools import count

import pytest
from pico.emulator import MakePico, Pico
from pico.firmware import Wire, firmware_files

CTRL_C = b"\x03"
BACK_MS = 3_000
TRACK_PINS = (2, 3)
RED = (16, 0, 0)
SESSIONS = count(911)


@pytest.fixture(scope="module")
def wire(pico_with: MakePico) -> Wire:
    """A board on which the first side has ten points."""
    wire = Wire(pico_with(firmware_files()))
    assert wire.ask("set", 910, 1, 0, 10, 4)[0] == "ok"
    return wire


def red_lights(pico: Pico) -> dict[int, list[tuple[int, int, int]]]:
    """The first ten pixels of the last frame on each pin, where it has a red light."""
    last = {frame.pin: frame.pixels()[:10] for frame in pico.frames()}
    return {pin: pixels for pin, pixels in last.items() if RED in pixels}


def interrupted(wire: Wire, typed: tuple[bytes, ...] = (CTRL_C,), gap_ms: float = 0) -> float:
    """Types on the console, which resets the board; returns the ms until it answers again, its score as it was."""
    pico = wire.pico
    start_ms, resets = pico.now_ms, pico.counts["resets"]
    for data in typed:
        pico.write(data, "console")
        pico.run(gap_ms)
    pico.run_until(lambda: pico.counts["resets"] > resets, "reset", limit_ms=1_000, step_ms=1)
    pico.run_until(lambda: pico.usb_ready, "USB after a reset", limit_ms=BACK_MS, step_ms=10)
    assert str(wire.ask("state", 1, limit_ms=BACK_MS)[11]).startswith("0a04")
    assert pico.counts["resets"] == resets + 1
    return pico.now_ms - start_ms


@pytest.mark.parametrize("after_ms", [0, 7, 40, 90, 140, 190, 240, 400])
def test_ctrl_c_while_the_firmware_starts_resets_the_board_which_is_back_in_three_seconds(
    after_ms: int, wire: Wire
) -> None:
    """From the moment on in which a computer has found the console; the imports take the first 350 ms of these."""
    pico = wire.pico
    pico.boot()
    pico.run(after_ms)
    assert interrupted(wire) < BACK_MS


@pytest.mark.parametrize("gap_ms", [0, 0.05])
def test_a_burst_of_ctrl_c_as_editors_send_it_finds_no_prompt(gap_ms: float, wire: Wire) -> None:
    """An editor stops a program with several, then asks for the raw prompt with Ctrl-A; it gets none."""
    wire.boot()
    assert interrupted(wire, (CTRL_C, CTRL_C, CTRL_C * 2, b"\x01"), gap_ms) < BACK_MS
    assert b">>>" not in wire.pico.log and b"raw REPL" not in wire.pico.log


@pytest.mark.parametrize("after_ms", [0.5, 1.5, 2.5, 3.5, 4.5, 5.5])
def test_a_command_that_ctrl_c_interrupts_counts_once_when_it_is_sent_again(after_ms: float, wire: Wire) -> None:
    session = next(SESSIONS)
    wire.boot()
    assert wire.ask("set", session, 1, 1, 0, 0)[0] == "ok"
    wire.pico.run(40)
    command = ("peg", session, 2, 1, 1)
    wire.send(*command)
    wire.pico.run(after_ms)
    interrupted(wire)
    assert wire.ask(*command)[0] == "ok"
    assert wire.ask("state", 1)[11] == "0a040100"


@pytest.mark.parametrize("missing", ["lib/neopixel.mpy", "lib/cribboard_fw/lights.mpy"])
def test_a_missing_module_shows_red_lights(missing: str, pico_with: MakePico) -> None:
    pico = pico_with({path: data for path, data in firmware_files().items() if path != missing})
    pico.boot()
    pico.run(1_500)
    three = [RED] * 3 + [(0, 0, 0)] * 7
    assert red_lights(pico) == dict.fromkeys(TRACK_PINS, three)
    pico.run(10_500)
    assert pico.console_text().count("ImportError: no module named") >= 1
    assert "run `cribboard install` again" in pico.console_text()


def test_a_damaged_module_shows_red_lights(pico_with: MakePico) -> None:
    files = firmware_files()
    damaged = files["lib/cribboard_core/match.mpy"]
    pico = pico_with({**files, "lib/cribboard_core/match.mpy": b"M" + damaged[1:]})
    pico.boot()
    pico.run(1_500)
    assert set(red_lights(pico)) == set(TRACK_PINS)


def test_the_board_leaves_safe_mode_by_itself(pico_with: MakePico) -> None:
    """Three times in a row, then it stays; cutting the power lets it try again."""
    enter = b"""
import microcontroller
microcontroller.on_next_reset(microcontroller.RunMode.SAFE_MODE)
microcontroller.reset()
"""
    pico = pico_with({**firmware_files(), "code.py": enter})
    pico.power_on()
    pico.run(20_000)
    # each time: out of safe mode by safemode.py, and in again by this code.py
    assert pico.counts["resets"] == 7
    assert "safe mode" in pico.console_text()
