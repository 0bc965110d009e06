"""The real firmware on the real CircuitPython: it starts, keeps the score, shows it in time, and outlives the power."""

from __future__ import annotations

import itertools
import re

import pytest
from faults.seeds import DEEP, deep
from faults.targets import sealed
from pico.emulator import MakePico, Pico
from pico.firmware import Wire, firmware_files

from cribboard.drive import drive_files
from cribboard_core.events import PEG
from cribboard_core.records import SLOT, event_record
from cribboard_core.wire import MAX_FRAME

PLUS_1, PLUS_5, OK, UNDO = 6, 7, 8, 12
TRACK_PIN, OTHER_TRACK_PIN = 2, 3
SESSIONS = itertools.count(900)  # each newer than those of the tests that ran before
MEMORY = b"""
import gc, time
import cribboard_fw.hardware as hardware
from cribboard_fw.settings import read_settings
settings = read_settings()
del read_settings
parts = hardware.Parts(settings)
app = hardware.start(settings, parts)
gc.collect()
free = gc.mem_free()
while True:
    print("free", free)
    time.sleep(0.1)
"""


@pytest.fixture(scope="module")
def wire(pico_with: MakePico) -> Wire:
    """A board that has started, and whose show at the start is over."""
    wire = Wire(pico_with(firmware_files()))
    wire.pico.run(3_000)
    return wire


def tap(pico: Pico, pin: int) -> None:
    pico.press(pin)
    pico.run(60)
    pico.release(pin)
    pico.run(40)


def new_game(wire: Wire) -> None:
    """No pegs and nothing pending; what blinks on either track comes with the second side's pegs."""
    session = next(SESSIONS)
    rev = wire.ask("state", 2)[2]
    assert wire.ask("new", session, 1, rev, 121, 3, 2, 0, -1, -1)[0] == "ok"
    wire.pico.run(300)
    wire.pico.frames()


def score(wire: Wire) -> tuple[int, int]:
    """The front pegs of two sides."""
    pegs = bytes.fromhex(str(wire.ask("state", 2)[11]))
    return pegs[0], pegs[2]


def test_it_introduces_itself_with_the_chips_number_and_its_promise(wire: Wire) -> None:
    assert wire.hello[:3] == ["hello", 1, 2]
    assert wire.hello[4] == "e660583883123456"
    assert wire.hello[11:] == [1, 0, "choose 3"]


def test_a_counted_hand_is_one_appended_record_and_its_crc_and_no_erase(wire: Wire) -> None:
    before, session = dict(wire.pico.counts), next(SESSIONS)
    rev = wire.ask("state", 1)[2]
    assert isinstance(rev, int)
    assert wire.ask("hand", session, 1, 1, "5H5C5SJD", "5D", 0, 29) == ["ok", session, 1, rev + 1]
    assert ["ev", rev + 1, "hand", 1, 29, 0, 0, session, 1, wire.ask("state", 2)[3]] in wire.pushed
    assert wire.pico.counts["nvm_programs"] == before["nvm_programs"] + 2
    assert wire.pico.counts["nvm_erases"] == before["nvm_erases"]


def test_a_button_is_on_the_strip_within_30_ms(wire: Wire) -> None:
    new_game(wire)
    pico = wire.pico
    pico.run(300)
    assert pico.frames() == [], "nothing blinks"
    pressed_ms = pico.now_ms + 20
    pico.press(PLUS_1, at_ms=pressed_ms)
    pico.run(120)
    pico.release(PLUS_1)
    lit = pico.frames()[0]
    assert lit.pin == TRACK_PIN
    assert 0 < lit.end_ms - pressed_ms < 30
    assert len(lit.pixels()) == 121
    pico.run(100)


def test_points_entered_with_buttons_are_pegged(wire: Wire) -> None:
    tap(wire.pico, UNDO)  # what the test before has left
    before = score(wire)
    for pin in (PLUS_5, PLUS_1, PLUS_1, OK):
        tap(wire.pico, pin)
    assert score(wire) == (before[0] + 7, before[1])


def test_a_hand_is_answered_within_60_ms(wire: Wire) -> None:
    asked_ms = wire.pico.now_ms
    wire.ask("hand", next(SESSIONS), 1, 1, "4H4C5S6D", "6H", 0, 24)
    assert wire.pico.now_ms - asked_ms < 60


def test_frames_nested_as_deep_as_a_frame_can_hold_do_not_overflow_its_stack(wire: Wire) -> None:
    before = score(wire)
    for text in (
        deep(DEEP),
        "[" * 109,
        f'["pend",1,0,{deep(48)}]',
        f'["pend",1,{deep(48)},0]',
        f'["hello",1,{deep(48)}]',
        f'["events",1,{deep(48)}]',
        f'["set",{next(SESSIONS)},1,{deep(22)},{deep(22)},1]',
    ):
        frame = sealed(text.encode())
        assert len(frame) <= MAX_FRAME, text
        wire.pico.write(frame)
        wire.pico.run(40)
        wire.pico.read()
        assert score(wire) == before
    assert b"Traceback" not in wire.pico.log


def test_a_peg_redraws_its_own_track_once_and_no_other(wire: Wire) -> None:
    new_game(wire)
    session = next(SESSIONS)
    for id_, (side, pin) in enumerate([(0, TRACK_PIN), (0, TRACK_PIN), (1, OTHER_TRACK_PIN)], 1):
        wire.pico.run(300)
        assert wire.pico.frames() == [], "nothing blinks"
        assert wire.ask("peg", session, id_, side, 4)[0] == "ok"
        wire.pico.run(60)
        assert [frame.pin for frame in wire.pico.frames()] == [pin]


def test_taps_among_commands_and_queries_all_count(wire: Wire) -> None:
    """+1 of the first side ten times a second, while the host pegs for the other side as fast as it is answered."""
    new_game(wire)
    session, taps = next(SESSIONS), 20
    start = wire.pico.now_ms
    for number in range(taps):
        wire.pico.press(PLUS_1, at_ms=start + 20 + number * 100)
        wire.pico.release(PLUS_1, at_ms=start + 60 + number * 100)
    wire.pushed.clear()
    pegs = 1
    while wire.pico.now_ms < start + 20 + taps * 100:
        assert wire.ask("peg", session, pegs, 1, 1)[0] == "ok"
        assert wire.ask("last", 1)[:2] == ["last", 1]
        pegs += 1
    assert [message for message in wire.pushed if message[0] == "pend"] == [
        ["pend", -1, 0, number + 1, 0] for number in range(taps)
    ]
    assert 50 < pegs <= 121
    tap(wire.pico, OK)
    assert score(wire) == (taps, pegs - 1)


def test_more_than_70_kb_of_the_ram_are_free_when_it_runs(pico_with: MakePico) -> None:
    pico = pico_with(firmware_files({"code.py": MEMORY}))
    pico.boot()
    pico.run_until(lambda: b"free " in pico.log, "report of the free memory", limit_ms=8_000, step_ms=50)
    pico.run(200)
    match = re.search(r"free (\d+)", pico.console_text())
    assert match and int(match[1]) > 70_000


@pytest.mark.parametrize(("cut_after", "counted"), [(0, False), (7, False), (SLOT, True)])
def test_a_power_cut_in_the_record_leaves_the_score_before_or_after(wire: Wire, cut_after: int, counted: bool) -> None:
    """A command that is sent again after the cut counts once in any case."""
    before, session = score(wire), next(SESSIONS)
    rev = wire.ask("state", 2)[2]
    assert isinstance(rev, int)
    record = event_record(rev + 1, (PEG, 1, 4, 0, 0), session, 1)
    changed = sum(byte != 0xFF for byte in record[:cut_after])  # a byte that stays as it was erased is no change
    erases = wire.pico.counts["nvm_erases"]
    command = ("peg", session, 1, 1, 4)
    wire.pico.cut_power_at(changed)
    wire.send(*command)
    wire.pico.run(100)
    assert not wire.pico.powered
    wire.boot()
    assert score(wire) == (before[0], before[1] + (4 if counted else 0))
    assert wire.ask(*command)[:1] == ["ok"]
    assert score(wire) == (before[0], before[1] + 4)
    assert wire.pico.counts["nvm_erases"] == erases


def test_skipped_pixels_stay_dark_before_the_first_hole(pico_with: MakePico) -> None:
    settings = drive_files().contents()["settings.toml"].replace(b"SKIP_PIXELS = 0", b"SKIP_PIXELS = 2")
    wire = Wire(pico_with(firmware_files({"settings.toml": settings})))
    wire.pico.run(3_000)
    new_game(wire)
    tap(wire.pico, PLUS_1)
    shown = [frame.pixels() for frame in wire.pico.frames() if frame.pin == TRACK_PIN]
    assert {(len(pixels), *pixels[:2]) for pixels in shown} == {(123, (0, 0, 0), (0, 0, 0))}
    assert any(any(pixels[2]) for pixels in shown), "the pending point blinks"
