"""A refereed game at the real firmware's end of the wire: kept in step, whatever is pressed, killed or torn."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playing.evenings import BOARD_ACTS, GAME, RULES, Died, Evening, at_work, done, events_of, in_step, killed_at, two
from rigs.wired import Wire

from cribboard.board.change import Change
from cribboard.board.messages import Event
from cribboard.referee.outcomes import Act
from cribboard_core.events import NEW, PEG, SET, UNDO, setup_word


def test_a_game_is_pegged_on_the_board_event_for_event(tmp_path: Path) -> None:
    with at_work(tmp_path, two(RULES)) as (evening, session):
        for act in GAME:
            session.act(act)
        assert in_step(evening)
        assert evening.table.firmware.scores == [4, 61]
        assert evening.table.firmware.match.winner == 1
        assert session.board.names == {0: "Ann", 1: "Bob"}


@pytest.mark.unmeasured
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
        assert session.mismatch == ""
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
        assert [row.as_folded for row in session.heard] == [(PEG, 1, 3, 0, 0), (PEG, 0, 4, 0, 0)]
        assert (in_step(evening), session.referee.pegs.scores) == (True, (6, 3))
        session.act(["undo"])
        assert evening.table.firmware.scores == [2, 3]


def test_buttons_pressed_meanwhile_come_in_before_the_next_act(tmp_path: Path) -> None:
    with at_work(tmp_path, two()) as (evening, session):
        session.act(["new", 0])
        evening.table.firmware.keeper.do((PEG, 1, 3, 0, 0))
        session.hear()
        assert [row.as_folded[:3] for row in session.heard] == [(PEG, 1, 3)]
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
        assert (in_step(evening), evening.table.firmware.scores, session.mismatch) == (True, scores, "")
        assert session.referee.acts[-1][0] == "order"
        assert session.notes == ["Somebody used the board at the same time; look at the scores."]
        events = events_of(evening)
        evening.bury()
        session = evening.start()
        assert (events_of(evening), in_step(evening)) == (events, True)


def test_a_press_before_a_game_begins_belongs_to_the_game_before(tmp_path: Path) -> None:
    with at_work(tmp_path, two()) as (evening, session):
        with pressed_before(evening, b'"new"', PEG, 1, 3, 0, 0):
            session.act(["new", 1])
        assert (session.mismatch, in_step(evening)) == ("", True)
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


def test_what_was_not_heard_is_asked_for(tmp_path: Path) -> None:
    with at_work(tmp_path, two()) as (evening, session):
        session.act(["new", 0])
        evening.table.firmware.unheard(PEG, 1, 3, 0, 0)
        standing = session.board.standing
        session._news.append(Change(None, standing, standing))
        session.hear()
        assert (session.mismatch, session.referee.pegs.scores) == ("", (0, 3))


def test_a_press_between_two_questions_to_the_board_comes_in_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with at_work(tmp_path, two()) as (evening, session):
        session.act(["new", 0])
        real = session.board.events

        def events(after: int) -> list[Event]:
            evening.table.firmware.unheard(PEG, 1, 3, 0, 0)
            return real(after)

        monkeypatch.setattr(session.board, "events", events)
        session._compare()
        monkeypatch.setattr(session.board, "events", real)
        session.act(["penalty", 1, 2, 0])
        assert (session.mismatch, in_step(evening), evening.table.firmware.scores) == ("", True, [2, 3])
        assert [act[0] for act in session.referee.acts] == ["new", "board", "penalty"]


# The log
