"""A refereed game at the real firmware's end of the wire: kept in step, whatever is pressed, killed or torn."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from host.wired import Table, Wire

from cribboard.board.answers import Row
from cribboard.board.client import Board
from cribboard.board.follow import Happened
from cribboard.errors import CribboardError
from cribboard.playing import log as logs
from cribboard.playing.session import Session
from cribboard.referee.options import read_options
from cribboard.referee.referee import Act, Referee
from cribboard.referee.setup import Setup
from cribboard.referee.tally import pack_match
from cribboard_core.events import NEW, PEG, SET, UNDO, setup_word
from cribboard_core.match import Match

BOARD_ACTS = ("board", "order", "base")
POINTS: list[tuple[Any, str]] = [(Wire, "write"), (Wire, "read"), (os, "fsync"), (Path, "replace")]
# Two falls at once and an undo of both, an undo of a card without points, and a win by a penalty.
GAME: list[Act] = [
    ["new", 0],
    ["deal", None],
    ["starter", "JS"],
    ["play", 1, "5C"],
    ["play", 0, "TD", 4],
    ["undo"],
    ["play", 0, "TH", 2],
    ["play", 1, "4H"],
    ["undo"],
    ["set", 1, 60, 58],
    ["penalty", 0, 1, 0],
]


class Died(BaseException):
    """The program ends here and now."""


class Evening:
    """One firmware, and one program after the other that referees at it."""

    def __init__(self, folder: Path) -> None:
        self.table = Table(folder)
        self.folder = folder
        self.board: Board | None = None
        self.session: Session | None = None

    def start(self, setup: Setup | None = None) -> Session:
        self.board = self.table.board(seed=len(self.table.wires) + 1).open()
        if setup is not None:
            self.session = Session.begin(self.board, setup, self.folder)
        else:
            self.session = Session.resume(self.board, self.folder)
        assert self.session is not None
        return self.session

    def bury(self) -> None:
        """What the system does with a dead program's files."""
        if self.session is not None:
            self.session._log.close()
        if self.board is not None and self.board._joined is not None:
            self.board._joined[0].ledger.close()
        self.board = self.session = None


def two(options: str = "", target: int = 61) -> Setup:
    return Setup(("Ann", "Bob"), (0, 1), 0, target, read_options(options.split()))


RULES = "counting=manual overcount=on"


def done(referee: Referee) -> int:
    """How many of the game's acts are in the log."""
    return sum(act[0] not in BOARD_ACTS for act in referee.acts)


@contextmanager
def killed_at(number: int, late: bool) -> Iterator[list[str]]:
    """The program dies at so many of its dealings with the port and the disk, before or just after."""
    dealt: list[str] = []
    with pytest.MonkeyPatch.context() as patch:
        for where, name in POINTS:
            original = getattr(where, name)

            def deal(*args: Any, real: Any = original, name: str = name) -> Any:
                dealt.append(name)
                if len(dealt) == number and not late:
                    raise Died
                result = real(*args)
                if len(dealt) == number:
                    raise Died
                return result

            patch.setattr(where, name, deal)
        yield dealt


@contextmanager
def at_work(folder: Path, setup: Setup | None = None) -> Iterator[tuple[Evening, Session]]:
    """An evening that is tidied up at its end."""
    evening = Evening(folder)
    try:
        yield evening, evening.start(setup)
    finally:
        evening.bury()


def events_of(evening: Evening) -> list[tuple[int, ...]]:
    return [pegged.event for pegged in evening.session.referee.tally.events]  # type: ignore[union-attr]


def in_step(evening: Evening) -> bool:
    """Whether board and referee have the same pegs, numbers and history."""
    mine, theirs = evening.session.referee.match, evening.table.firmware.match  # type: ignore[union-attr]
    return (mine.rev, mine.game, bytes(mine.play.now)) == (theirs.rev, theirs.game, bytes(theirs.play.now))


def test_a_game_is_pegged_on_the_board_event_for_event(tmp_path: Path) -> None:
    with at_work(tmp_path, two(RULES)) as (evening, session):
        for act in GAME:
            session.act(act)
        assert in_step(evening)
        assert evening.table.firmware.scores == [4, 61]
        assert evening.table.firmware.match.winner == 1
        assert session.board.names == {0: "Ann", 1: "Bob"}


@pytest.mark.parametrize("late", [False, True])
def test_a_program_killed_at_any_step_goes_on_with_nothing_lost_and_nothing_doubled(tmp_path: Path, late: bool) -> None:
    with at_work(tmp_path / "whole", two(RULES)) as (evening, session):
        for act in GAME:
            session.act(act)
        whole, scores = events_of(evening), evening.table.firmware.scores
    deaths = 0
    for number in range(1, 1000):
        evening = Evening(tmp_path / str(number))
        evening.folder.mkdir()
        evening.start(two(RULES))
        with killed_at(number, late):
            try:
                for act in GAME:
                    evening.session.act(act)  # type: ignore[union-attr]
                died = False
            except Died:
                died = True
        evening.bury()
        if not died:
            break
        deaths += 1
        session = evening.start()
        assert session.apart == ""
        assert in_step(evening)
        for act in GAME[done(session.referee) :]:
            session.act(act)
        assert in_step(evening)
        assert (events_of(evening), evening.table.firmware.scores) == (whole, scores)
        assert BOARD_ACTS[0] not in [act[0] for act in session.referee.acts]
        evening.bury()
    assert deaths > 80


def test_buttons_pressed_while_the_program_was_away_are_taken_over(tmp_path: Path) -> None:
    with at_work(tmp_path, two()) as (evening, session):
        for act in (["new", 0], ["deal", None], ["starter", "JS"]):
            session.act(act)
        evening.bury()
        evening.table.firmware.keeper.do((PEG, 1, 3, 0, 0))
        evening.table.firmware.keeper.do((PEG, 0, 4, 0, 0))
        session = evening.start()
        assert [row.event for row in session.heard] == [(PEG, 1, 3, 0, 0), (PEG, 0, 4, 0, 0)]
        assert (in_step(evening), session.referee.tally.scores) == (True, (6, 3))
        session.act(["undo"])
        assert evening.table.firmware.scores == [2, 3]


def test_buttons_pressed_meanwhile_come_in_before_the_next_act(tmp_path: Path) -> None:
    with at_work(tmp_path, two()) as (evening, session):
        session.act(["new", 0])
        evening.table.firmware.keeper.do((PEG, 1, 3, 0, 0))
        session.hear()
        assert [row.event[:3] for row in session.heard] == [(PEG, 1, 3)]
        evening.table.firmware.keeper.do((UNDO, 0, 0, evening.table.firmware.match.rev & 0xFFFF, 0))
        session.act(["deal", None])
        assert [act[0] for act in session.referee.acts] == ["new", "board", "board", "deal"]
        assert in_step(evening)


@contextmanager
def pressed_before(evening: Evening, word: bytes, *event: int) -> Iterator[None]:
    """A button is pressed just when a command with this word arrives at the board."""
    waiting = [event]
    with pytest.MonkeyPatch.context() as patch:

        def write(self: Wire, data: bytes, real: Any = Wire.write) -> None:
            if word in data and waiting:
                evening.table.firmware.keeper.do(waiting.pop())
            real(self, data)

        patch.setattr(Wire, "write", write)
        yield


@pytest.mark.parametrize(
    ("act", "word", "press", "scores"),
    [
        (["play", 0, "TD"], b'"peg"', (PEG, 1, 7, 0, 0), [4, 7]),
        (["play", 0, "TD"], b'"peg"', (PEG, 0, 2, 0, 0), [6, 0]),  # as if it had been the same
        (["penalty", 1, 5, 0], b'"penalty"', (SET, 1, 61, 50, 0), [2, 61]),  # the game is won before it
        (["undo"], b'"undo"', (PEG, 1, 3, 0, 0), [2, 3]),  # it meant something else
    ],
)
def test_a_press_at_the_very_moment_of_a_command_is_put_in_order(
    tmp_path: Path, act: Act, word: bytes, press: tuple[int, ...], scores: list[int]
) -> None:
    with at_work(tmp_path, two()) as (evening, session):
        for first in (["new", 0], ["deal", None], ["starter", "JS"]):
            session.act(first)
        if act[0] == "play":
            session.act(["play", 1, "5C"])
        with pressed_before(evening, word, *press):
            session.act(act)
        assert (in_step(evening), evening.table.firmware.scores, session.apart) == (True, scores, "")
        assert session.referee.acts[-1][0] == "order"
        assert session.notes == ["The board was touched at the same time; look at the scores."]
        events = events_of(evening)
        evening.bury()
        session = evening.start()
        assert (events_of(evening), in_step(evening)) == (events, True)


def test_a_press_before_a_game_begins_belongs_to_the_game_before(tmp_path: Path) -> None:
    with at_work(tmp_path, two()) as (evening, session):
        with pressed_before(evening, b'"new"', PEG, 1, 3, 0, 0):
            session.act(["new", 1])
        assert (session.apart, in_step(evening)) == ("", True)
        assert evening.table.firmware.scores == [0, 0]
        session.act(["deal", None])
        assert in_step(evening)
        assert evening.table.firmware.match.dealer == 1


def test_the_boards_own_skunk_lines_are_taken_over(tmp_path: Path) -> None:
    with at_work(tmp_path, two(target=121)) as (evening, session):
        evening.table.firmware.keeper.own_lines = (121, 80, 40)
        session.act(["new", 0])
        assert (session.referee.match.skunk, session.referee.match.double) == (80, 40)
        assert (in_step(evening), session.notes) == (True, [])
        session.act(["deal", None])
        evening.bury()
        assert evening.start().referee.match.skunk == 80


def test_another_game_on_the_board_puts_this_one_aside(tmp_path: Path) -> None:
    with at_work(tmp_path, two(target=121)) as (evening, session):
        session.act(["new", 0])
        word = 3 | 2 << 6 | 2 << 9
        assert setup_word(word) == (121, 3, 2)
        evening.table.firmware.keeper.do((PEG, 0, 1, 0, 0))
        evening.table.firmware.keeper.do((NEW, 0, 91, word, 61))
        session.hear()
        assert session.referee.phase == "left"
        evening.bury()
        assert evening.start().referee.phase == "left"


def test_a_board_that_lost_its_journal_is_given_back_the_score_and_the_game_goes_on(tmp_path: Path) -> None:
    with at_work(tmp_path, two()) as (evening, session):
        for act in (["new", 0], ["deal", None], ["starter", "JS"]):
            session.act(act)
        session.board.close()
        session.close()
        evening.table.firmware.wipe()
        session = evening.start()
        assert (session.apart, session.referee.tally.scores) == ("", (2, 0))
        assert "given its score back" in session.notes[0]
        session.act(["play", 1, "5C"])
        session.act(["play", 0, "TD"])
        assert (in_step(evening), evening.table.firmware.scores) == (True, [4, 0])
        session.act(["undo"])
        session.act(["undo"])
        with pytest.raises(ValueError, match="there is nothing to take back"):
            session.act(["undo"])


def test_a_board_that_loses_its_journal_in_mid_game_is_given_the_score_and_the_next_card_counts_once(
    tmp_path: Path,
) -> None:
    with at_work(tmp_path, two()) as (evening, session):
        for act in (["new", 0], ["deal", None], ["starter", "JS"], ["play", 1, "5C"]):
            session.act(act)
        evening.table.firmware.wipe()
        evening.table.wire.cut_in = 0
        session.act(["play", 0, "TD"])
        assert (session.apart, in_step(evening), evening.table.firmware.scores) == ("", True, [4, 0])
        evening.bury()
        assert evening.start().referee.tally.scores == (4, 0)


def test_what_was_not_heard_is_asked_for(tmp_path: Path) -> None:
    with at_work(tmp_path, two()) as (evening, session):
        session.act(["new", 0])
        evening.table.firmware.unheard(PEG, 1, 3, 0, 0)
        standing = session.board.standing
        session._news.append(Happened(None, standing, standing))
        session.hear()
        assert (session.apart, session.referee.tally.scores) == ("", (0, 3))


def test_a_press_between_two_questions_to_the_board_comes_in_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with at_work(tmp_path, two()) as (evening, session):
        session.act(["new", 0])
        real = session.board.events

        def events(after: int) -> list[Row]:
            evening.table.firmware.unheard(PEG, 1, 3, 0, 0)
            return real(after)

        monkeypatch.setattr(session.board, "events", events)
        session._compare()
        monkeypatch.setattr(session.board, "events", real)
        session.act(["penalty", 1, 2, 0])
        assert (session.apart, in_step(evening), evening.table.firmware.scores) == ("", True, [2, 3])
        assert [act[0] for act in session.referee.acts] == ["new", "board", "penalty"]


def test_events_that_leave_a_gap_part_board_and_game(tmp_path: Path) -> None:
    with at_work(tmp_path, two()) as (_, session):
        session.act(["new", 0])
        session._match_up([Row(session.referee.match.rev + 2, PEG, 1, 3, 0, 0)])
        assert session.apart.startswith("the board has gone another way than this game; the board has Ann 0, Bob 0")


def lost(evening: Evening) -> Session:
    """The board loses its memory in the middle of a game, and somebody pegs on it."""
    for act in (["new", 0], ["deal", None], ["starter", "JS"]):
        evening.session.act(act)  # type: ignore[union-attr]
    evening.board.close()  # type: ignore[union-attr]
    evening.session.close()  # type: ignore[union-attr]
    evening.table.firmware.wipe()
    evening.table.firmware.keeper.do((NEW, 0, 0, 3 | 2 << 6, 0))
    evening.table.firmware.keeper.do((PEG, 1, 5, 0, 0))
    return evening.start()


def test_a_board_that_went_another_way_is_told_and_its_score_can_be_taken(tmp_path: Path) -> None:
    with at_work(tmp_path, two()) as (evening, _):
        session = lost(evening)
        assert session.apart.endswith("; the board has Ann 0, Bob 5")
        with pytest.raises(CribboardError, match="`board` takes the board's score, `mine` gives it this one"):
            session.act(["play", 1, "5C"])
        session.take_board()
        session.act(["play", 1, "5C"])
        assert (session.referee.tally.scores, in_step(evening)) == ((0, 5), True)
        evening.bury()
        session = evening.start()
        assert (session.apart, session.referee.tally.scores) == ("", (0, 5))


def test_a_board_that_went_another_way_can_be_given_this_score(tmp_path: Path) -> None:
    with at_work(tmp_path, two()) as (evening, _):
        session = lost(evening)
        session.give_board()
        assert (session.apart, evening.table.firmware.scores) == ("", [2, 0])
        session.act(["play", 1, "5C"])
        session.act(["play", 0, "TD"])
        assert (evening.table.firmware.scores, in_step(evening)) == ([4, 0], True)


def test_a_command_that_the_board_refuses_without_a_reason_here_is_told(tmp_path: Path) -> None:
    with at_work(tmp_path, two()) as (evening, session):
        session.act(["new", 0])
        evening.table.firmware.keeper.journal.append = _broken  # type: ignore[method-assign]
        session.act(["penalty", 0, 2, 0])
        assert session.apart.startswith("the board refuses what is pegged here: ")
        evening.bury()
        evening.table.firmware.boot()
        session = evening.start()
        assert (session.apart, evening.table.firmware.scores) == ("", [0, 2])


def _broken(*args: object) -> None:
    from cribboard_core.journal import JournalError

    raise JournalError("worn out")


# The log


def begun(folder: Path) -> tuple[logs.Log, Setup]:
    setup = two(target=121)
    return logs.begin(folder, setup, pack_match(Match(121, 3, 2))), setup


def test_a_log_is_read_as_it_was_written(tmp_path: Path) -> None:
    log, setup = begun(tmp_path)
    for act in (["new", 0], ["deal", None], ["starter", "JS"]):
        log.append(act)
    log.close()
    again, referee = logs.read(tmp_path) or pytest.fail("no log")
    again.close()
    assert (referee.setup, referee.acts[-1], referee.tally.scores) == (setup, ["starter", "JS"], (2, 0))
    assert logs.read(tmp_path / "nothing") is None


def test_an_act_that_was_torn_off_is_no_act(tmp_path: Path) -> None:
    log, _ = begun(tmp_path)
    log.append(["new", 0])
    log.close()
    path = tmp_path / logs.NAME
    whole = path.read_bytes()
    path.write_bytes(whole + b'["deal",nu')
    again, referee = logs.read(tmp_path) or pytest.fail("no log")
    assert referee.acts == [["new", 0]]
    again.append(["deal", None])
    again.close()
    assert path.read_bytes() == whole + b'["deal",null]\n'


@pytest.mark.parametrize(
    "line", ["[1", '["play",0,"5H"]', '["order",1,2]', '["board","x",0,0,0,0]', "{}", '["base",1,2,"00",3]']
)
def test_a_log_that_makes_no_sense_is_set_aside_and_told(tmp_path: Path, line: str) -> None:
    log, _ = begun(tmp_path)
    log.close()
    path = tmp_path / logs.NAME
    path.write_bytes(path.read_bytes() + line.encode() + b"\n")
    with pytest.raises(CribboardError, match="the log of the game cannot be read"):
        logs.read(tmp_path)
    assert (path.exists(), (tmp_path / "play.broken").exists()) == (False, True)


def test_a_log_of_another_format_is_told(tmp_path: Path) -> None:
    log, _ = begun(tmp_path)
    log.close()
    path = tmp_path / logs.NAME
    head = json.loads(path.read_text())
    head["setup"]["format"] = 2
    path.write_text(json.dumps(head) + "\n")
    with pytest.raises(CribboardError, match="format 2; this program reads format 1"):
        logs.read(tmp_path)


def test_an_act_that_the_disk_does_not_take_is_not_done(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with at_work(tmp_path, two()) as (evening, session):
        session.act(["new", 0])
        write = logs._write

        def full(file: Any, entry: object) -> None:
            file.write(b'["penalty"')
            raise OSError(28, "No space left on device")

        monkeypatch.setattr(logs, "_write", full)
        with pytest.raises(CribboardError, match=r"play.jsonl cannot be written \(No space left on device\)"):
            session.act(["penalty", 0, 2, 0])
        monkeypatch.setattr(logs, "_write", write)
        assert (session.referee.tally.scores, evening.table.firmware.scores) == ((0, 0), [0, 0])
        session.act(["penalty", 0, 3, 0])
        assert (in_step(evening), evening.table.firmware.scores) == (True, [0, 3])


def test_a_game_cannot_begin_where_nothing_can_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Path, "replace", _read_only)
    with pytest.raises(CribboardError, match=r"play.jsonl cannot be written \(Read-only file system\)"):
        begun(tmp_path)


def _read_only(self: Path, target: Path) -> None:
    raise OSError(30, "Read-only file system")
