"""The house's quiet hours: no board beeps in them, and each is as loud as before when they end."""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import pytest
from service.at_board import served
from web.rig import wait_until

from cribboard.board.messages import UPDATE, Chosen
from cribboard.errors import ArgumentError, TransportError, WrongBoard
from cribboard.service.quiet import AGAIN_S, NAME, QuietHours, Silencer
from cribboard.sim.board import VirtualBoard

SETTINGS = (Path(__file__).parents[2] / "firmware" / "settings.toml").read_text("utf-8")
OFF, QUIET, ON = range(3)


class Clock:
    """A time of day that a test sets."""

    def __init__(self) -> None:
        self.time = "12:00"

    def __call__(self) -> datetime:
        return datetime.fromisoformat(f"2026-11-24T{self.time}")


class Beeping:
    """A board as the quiet hours see it: what it keeps, and how loud it is."""

    port = "here"
    away: object = None

    def __init__(self, sound: int = ON, error: Exception | None = None) -> None:
        self.kept = self.sound = sound
        self.error = error
        self.asked = 0

    def silence(self) -> None:
        self._asked()
        self.sound = OFF

    def choose(self, brightness: int | None = None, sound: int | None = None, commit_s: int | None = None) -> Chosen:
        self._asked()
        if sound is not None:
            self.kept = self.sound = sound
        return Chosen(30, self.kept, 0)

    def _asked(self) -> None:
        self.asked += 1
        if self.error is not None:
            raise self.error


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def hours(tmp_path: Path, clock: Clock) -> QuietHours:
    hours = QuietHours(tmp_path, clock)
    hours.choose("22:00", "09:00")
    return hours


@pytest.mark.parametrize(
    ("begins", "ends", "quiet", "loud"),
    [
        ("22:00", "09:00", ["22:00", "23:59", "00:00", "08:59"], ["09:00", "12:00", "21:59"]),
        ("13:00", "15:30", ["13:00", "15:29"], ["12:59", "15:30", "00:00"]),
        (None, None, [], ["00:00", "12:00"]),
    ],
)
def test_it_is_quiet_from_one_time_to_the_other(
    hours: QuietHours, clock: Clock, begins: str, ends: str, quiet: list[str], loud: list[str]
) -> None:
    hours.choose(begins, ends)
    for clock.time in quiet + loud:
        assert hours.is_on is (clock.time in quiet), clock.time


@pytest.mark.parametrize(
    ("begins", "ends"),
    [("24:00", "09:00"), ("9:00", "10:00"), ("22:00", None), (None, "22:00"), (22, 9), ("22:00\n", "09:00"), ("", "")],
)
def test_what_is_no_time_is_refused(hours: QuietHours, begins: object, ends: object) -> None:
    with pytest.raises(ArgumentError, match="two times from 00:00 to 23:59"):
        hours.choose(begins, ends)
    with pytest.raises(ArgumentError, match="begin and end at 22:00"):
        hours.choose("22:00", "22:00")
    assert hours.entry() == {"begins": "22:00", "ends": "09:00"}


def test_a_board_is_silent_in_them_and_as_loud_as_before_after_them(hours: QuietHours, clock: Clock) -> None:
    board = Beeping(QUIET)
    silencer = Silencer(hours, board)  # type: ignore[arg-type]
    for clock.time, sound in (("12:00", QUIET), ("22:00", OFF), ("08:59", OFF), ("09:00", QUIET)):
        silencer.tick()
        assert (board.sound, board.kept) == (sound, QUIET), clock.time


@pytest.mark.parametrize("chosen", [ON, QUIET, OFF])
def test_who_chooses_a_sound_meanwhile_has_the_last_word(hours: QuietHours, clock: Clock, chosen: int) -> None:
    board, clock.time = Beeping(QUIET), "22:00"
    silencer = Silencer(hours, board)  # type: ignore[arg-type]
    silencer.tick()
    assert board.sound == OFF
    board.kept = board.sound = chosen  # by somebody at the board
    for clock.time in ("23:00", "09:00"):
        silencer.tick()
        assert board.sound == chosen


@pytest.mark.parametrize(("at", "sound"), [("23:00", OFF), ("10:00", ON)])
def test_a_kiosk_that_was_off_meanwhile_makes_up_for_it(
    hours: QuietHours, clock: Clock, tmp_path: Path, at: str, sound: int
) -> None:
    board, clock.time = Beeping(), "22:00"
    Silencer(hours, board).tick()  # type: ignore[arg-type]
    assert board.sound == OFF
    clock.time = at
    Silencer(QuietHours(tmp_path, clock), board).tick()  # type: ignore[arg-type]
    assert board.sound == sound


def test_a_board_that_comes_back_from_a_power_cut_is_silenced_again(hours: QuietHours, clock: Clock) -> None:
    board, clock.time = Beeping(), "22:00"
    silencer = Silencer(hours, board)  # type: ignore[arg-type]
    for board.away in (None, TransportError("away", ""), None):
        board.sound = ON
        silencer.tick()
        assert board.sound == (ON if board.away else OFF)


def test_a_board_that_does_not_answer_is_asked_again_and_one_that_is_too_old_is_not(
    hours: QuietHours, clock: Clock, caplog: pytest.LogCaptureFixture
) -> None:
    clock.time = "22:00"
    seconds = 0.0
    lost, old = Beeping(error=TransportError("lost", "")), Beeping(error=WrongBoard("too old", UPDATE))
    silencers = [Silencer(hours, board, lambda: seconds) for board in (lost, old)]  # type: ignore[arg-type]
    for now, asked in ((0.0, (1, 1)), (1.0, (1, 1)), (AGAIN_S + 2, (2, 1))):
        seconds = now
        for silencer in silencers:
            silencer.tick()
        assert (lost.asked, old.asked) == asked
    assert caplog.text.count("the board at here keeps its sound in the quiet hours: too old") == 1
    assert caplog.text.count("the board at here has not changed its sound: lost") == 2


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", '["24:00","x"]', '["22:00",7]', "7", "null", "[" * 9999, '{"22:00":1,"09:00":2}', '["22:00"]'],
)
def test_a_file_that_cannot_be_read_means_no_hours(tmp_path: Path, clock: Clock, text: str) -> None:
    (tmp_path / NAME).write_text(text)
    hours = QuietHours(tmp_path, clock)
    assert not hours.is_on
    assert hours.entry() == {"begins": None, "ends": None}


@pytest.fixture
def loud(tmp_path: Path) -> Iterator[VirtualBoard]:
    with VirtualBoard(tmp_path / "board", settings=SETTINGS.replace('PIEZO_PIN = ""', 'PIEZO_PIN = "GP22"')) as board:
        yield board


def test_a_service_takes_its_board_through_them(loud: VirtualBoard, hours: QuietHours, clock: Clock) -> None:
    def beeps() -> bool:
        before = len(loud.tones())
        loud.tap("GP6")
        time.sleep(0.3)
        return any(tone.hz for tone in loud.tones()[before:])

    with served(loud, quiet=hours) as (service, _):
        assert service.choose(10, ON, 0).result(20) == Chosen(10, ON, 0)
        wait_until(beeps)
        clock.time = "22:30"
        wait_until(lambda: not beeps())
        assert service.choose(None, None, None).result(20) == Chosen(10, ON, 0), "what it keeps stays"
        hours.choose(None, None)
        wait_until(beeps)
