"""A board that lost its memory or went another way, and a game that is brought together with it again."""

from __future__ import annotations

from itertools import count as count_from
from pathlib import Path

import pytest
from playing.evenings import BOARD_ACTS, Died, Evening, at_work, broken_at, events_of, in_step, killed_at, two

from cribboard.board.messages import Event
from cribboard.errors import CribboardError
from cribboard.playing.session import Session
from cribboard.referee.outcomes import Act
from cribboard_core.events import NEW, PEG
from cribboard_core.variants import TARGETS


def test_a_board_that_lost_its_journal_is_given_back_the_score_and_the_game_goes_on(tmp_path: Path) -> None:
    with at_work(tmp_path, two()) as (evening, session):
        for act in (["new", 0], ["deal", None], ["starter", "JS"]):
            session.act(act)
        session.board.close()
        session.close()
        evening.table.firmware.wipe()
        session = evening.start()
        assert (session.mismatch, session.referee.pegs.scores) == ("", (2, 0))
        assert "score is restored" in session.notes[0]
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
        assert (session.mismatch, in_step(evening), evening.table.firmware.scores) == ("", True, [4, 0])
        evening.bury()
        assert evening.start().referee.pegs.scores == (4, 0)


def opened(evening: Evening, session: Session) -> None:
    session.patient = True
    for act in (["new", 0], ["deal", None], ["starter", "JS"], ["play", 1, "5C"]):
        session.act(act)


def back(evening: Evening, session: Session) -> None:
    """The cable is put back, and the program looks at the board for a while."""
    evening.table.plugged = True
    for _ in range(20):
        session.hear(0.5)


@pytest.mark.parametrize("late", [False, True])
def test_a_link_that_breaks_anywhere_in_an_act_has_it_wait_and_count_once(tmp_path: Path, late: bool) -> None:
    rules = "counting=manual overcount=on"
    act = ["play", 0, "TD", 4]  # two events: fifteen, and two too many for Bob
    with at_work(tmp_path / "whole", two(rules)) as (evening, session):
        opened(evening, session)
        session.act(act)
        wanted = events_of(evening)
    for number in count_from(1):
        with at_work(tmp_path / str(number), two(rules)) as (evening, session):
            opened(evening, session)
            with broken_at(evening, number, late) as dealt:
                outcomes = session.act(act)
            whole = len(dealt) < number
            assert ([outcome.text for outcome in outcomes][-1], session.mismatch) == (
                "Bob takes the two overclaimed.",
                "",
            )
            if session.waiting:
                with pytest.raises(CribboardError, match="the board is away, and what happened last waits for it"):
                    session.act(["play", 1, "TC"])
            back(evening, session)
            assert (session.waiting, session.mismatch, in_step(evening)) == ([], "", True), number
            assert (events_of(evening), evening.table.firmware.scores) == (wanted, [4, 2])
            session.act(["play", 1, "TC", 2])
            assert (in_step(evening), evening.table.firmware.scores) == (True, [4, 4])
        if whole:
            break
    assert number > 4


def test_what_was_pressed_while_an_act_waited_comes_before_it(tmp_path: Path) -> None:
    with at_work(tmp_path, two()) as (evening, session):
        opened(evening, session)
        evening.table.unplug()
        session.hear(1.0)
        session.act(["play", 0, "TD"])
        assert [pegged.event for pegged in session.waiting] == [(PEG, 0, 2, 0, 0)]
        evening.table.firmware.keeper.do((PEG, 1, 3, 0, 0))
        back(evening, session)
        assert (session.mismatch, in_step(evening), evening.table.firmware.scores) == ("", True, [4, 3])
        assert session.notes == ["Somebody used the board at the same time; look at the scores."]


def test_an_act_that_waits_for_a_board_that_loses_its_journal_counts_once(tmp_path: Path) -> None:
    with at_work(tmp_path, two()) as (evening, session):
        opened(evening, session)
        evening.table.unplug()
        session.hear(1.0)
        session.act(["play", 0, "TD"])
        evening.table.firmware.wipe()
        back(evening, session)
        assert (session.mismatch, in_step(evening), evening.table.firmware.scores) == ("", True, [4, 0])


def test_a_score_that_is_given_to_a_board_that_goes_away_can_be_given_again(tmp_path: Path) -> None:
    with at_work(tmp_path, two()) as (evening, session):
        opened(evening, session)
        evening.table.firmware.wipe()
        evening.table.firmware.keeper.do((PEG, 1, 30, 0, 0))
        evening.table.wire.cut_in = 0
        back(evening, session)
        assert session.mismatch
        evening.table.unplug()
        with pytest.raises(CribboardError, match="the board is away; plug it in, and type that again"):
            session.give_board()
        back(evening, session)
        if session.mismatch:
            session.give_board()
        assert (session.mismatch, in_step(evening), evening.table.firmware.scores) == ("", True, [2, 0])


@pytest.mark.parametrize("closed", [True, False])
def test_a_board_that_lost_its_newest_event_is_given_the_score_and_the_next_card_counts_once(
    tmp_path: Path, closed: bool
) -> None:
    with at_work(tmp_path, two()) as (evening, session):
        for act in (["new", 0], ["deal", None], ["starter", "JS"], ["play", 1, "5C"], ["play", 0, "TD"]):
            session.act(act)
        assert evening.table.firmware.scores == [4, 0]
        if closed:
            session.board.close()
            session.close()
        evening.table.firmware.lose()
        assert evening.table.firmware.scores == [2, 0]
        if closed:
            session = evening.start()
        else:
            evening.table.wire.cut_in = 0
        session.act(["play", 1, "TC"])
        assert (session.mismatch, in_step(evening), evening.table.firmware.scores) == ("", True, [4, 2])


def test_events_that_leave_a_gap_part_board_and_game(tmp_path: Path) -> None:
    with at_work(tmp_path, two()) as (_, session):
        session.act(["new", 0])
        session._match_up([Event(session.referee.match.rev + 2, PEG, 1, 3, 0, 0)])
        assert session.mismatch.startswith("the board and this game disagree: the board has Ann 0, Bob 0")


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
        assert session.mismatch.endswith(": the board has Ann 0, Bob 5, this game has Ann 2, Bob 0")
        with pytest.raises(
            CribboardError, match="type board to keep the board's score, or mine to put this game's score on the board"
        ):
            session.act(["play", 1, "5C"])
        session.take_board()
        session.act(["play", 1, "5C"])
        assert (session.referee.pegs.scores, in_step(evening)) == ((0, 5), True)
        evening.bury()
        session = evening.start()
        assert (session.mismatch, session.referee.pegs.scores) == ("", (0, 5))


def test_a_board_that_went_another_way_can_be_given_this_score(tmp_path: Path) -> None:
    with at_work(tmp_path, two()) as (evening, _):
        session = lost(evening)
        session.give_board()
        assert (session.mismatch, evening.table.firmware.scores) == ("", [2, 0])
        session.act(["play", 1, "5C"])
        session.act(["play", 0, "TD"])
        assert (evening.table.firmware.scores, in_step(evening)) == ([4, 0], True)


def test_a_command_that_the_board_refuses_without_a_reason_here_is_told(tmp_path: Path) -> None:
    with at_work(tmp_path, two()) as (evening, session):
        session.act(["new", 0])
        evening.table.firmware.keeper.journal.append = _broken  # type: ignore[method-assign]
        session.act(["penalty", 0, 2, 0])
        assert session.mismatch.startswith("the board refuses what is pegged here: ")
        evening.bury()
        evening.table.firmware.boot()
        session = evening.start()
        assert (session.mismatch, evening.table.firmware.scores) == ("", [0, 2])


def _broken(*args: object) -> None:
    from cribboard_core.journal import JournalError

    raise JournalError("worn out")


@pytest.mark.parametrize("act", [["play", 0, "7H"], ["undo"]])
@pytest.mark.parametrize("number", range(1, 40))
def test_an_act_on_its_way_to_a_board_that_loses_its_journal_counts_once_and_nobody_is_asked(
    tmp_path: Path, number: int, act: Act
) -> None:
    """The last card is a fifteen: two outcomes, and an undo of both."""
    first: list[Act] = [["new", 0], ["deal", None], ["starter", "2S"]]
    first += [["play", turn % 2, card] for turn, card in enumerate(("KC", "QC", "9C", "2C", "4D", "3S", "AH"), 1)]
    scores = [5, 0] if act[0] == "play" else [2, 0]
    with at_work(tmp_path, two("")) as (evening, session):
        for before in [*first, *([["play", 0, "7H"]] if act == ["undo"] else [])]:
            session.act(before)
        logged = len(session.referee.acts)
        with killed_at(number, late=False):
            try:
                session.act(act)
                done_ = True
            except Died:
                done_ = False
        evening.bury()
        evening.table.firmware.wipe()
        session = evening.start()
        assert session.mismatch == ""
        if done_ or len([a for a in session.referee.acts if a[0] not in BOARD_ACTS]) > logged:
            assert evening.table.firmware.scores == scores
        else:
            assert evening.table.firmware.scores == ([2, 0] if act[0] == "play" else [5, 0])
        assert in_step(evening)


def test_a_board_that_lost_its_journal_and_stands_at_no_step_of_the_act_is_asked_about(tmp_path: Path) -> None:
    with at_work(tmp_path, two()) as (evening, session):
        for act in (["new", 0], ["deal", None], ["starter", "JS"], ["play", 1, "5C"], ["play", 0, "TD"]):
            session.act(act)
        evening.bury()
        evening.table.firmware.wipe()
        evening.table.firmware.keeper.do((NEW, 0, 0, 3 | 2 << 6, 0))
        evening.table.firmware.keeper.do((PEG, 0, 3, 0, 0))
        session = evening.start()
        assert session.mismatch.endswith(": the board has Ann 3, Bob 0, this game has Ann 4, Bob 0")


def test_nobody_is_asked_to_choose_between_two_games_that_stand_alike(tmp_path: Path) -> None:
    """A board that lost its newest record and was set up again shows another dealer, whom the cards know."""
    with at_work(tmp_path, two()) as (evening, session):
        session.act(["new", 1])
        evening.bury()
        evening.table.firmware.lose()
        evening.table.firmware.keeper.do((NEW, 0, 0, 3 | 2 << 6, 0))
        session = evening.start()
        assert (session.mismatch, in_step(evening)) == ("", True)
        assert evening.table.firmware.match.dealer == 1


@pytest.mark.parametrize(
    ("firmware_has", "said"),
    [
        ((NEW, 0, 0, 3 | 2 << 6 | TARGETS.index(121) << 9, 0), "the board has Ann 0, Bob 0 in a game to 121"),
        ((NEW, 0, 0, 7 | 3 << 6, 0), "the board has other players"),
    ],
)
def test_a_board_with_another_game_says_so_and_its_score_is_not_offered(
    tmp_path: Path, firmware_has: tuple[int, int, int, int, int], said: str
) -> None:
    with at_work(tmp_path, two()) as (evening, session):
        session.act(["new", 0])
        session.act(["penalty", 0, 2, 0])
        evening.bury()
        evening.table.firmware.wipe()
        evening.table.firmware.keeper.do(firmware_has)
        session = evening.start()
        assert session.mismatch.endswith(f"{said}, this game has Ann 0, Bob 2")
        assert session.ways_out == "type mine to put this game's score on the board, or quit"
