"""Game after game: games won, the way back into the game before, and a state that a host restores."""

from __future__ import annotations

import pytest
from core.moves import Event, deal, do, new, peg, pegs, put, redo, refused, state, undo, won_by_first

from cribboard_core.events import NEW, PENALTY, REDO, RESTORE, UNDO, new_event
from cribboard_core.game import NOBODY, unpack
from cribboard_core.match import Match

# New games


def test_a_new_game_starts_over_and_counts_the_game_won() -> None:
    match = new(won_by_first(), 1)
    assert (match.game, match.rev, match.dealer, match.winner) == (4, 4, 1, -1)
    assert pegs(match) == [(0, 0), (0, 0)]
    assert [match.won(0), match.won(1)] == [1, 0]


def test_games_won_add_up_over_games() -> None:
    match = Match()
    for winner in (0, 1, 0, 0):
        new(do(match, put(winner, 121)))
    assert [match.won(0), match.won(1)] == [3, 1]
    assert do(match, put(1, 121)).won(1) == 2


def test_a_game_given_up_counts_for_nobody() -> None:
    match = new(do(Match(), put(0, 100)))
    assert [match.won(0), match.won(1)] == [0, 0]


def test_the_counter_of_games_won_stops_at_999() -> None:
    match = Match()
    match.play.won = [998, 999]
    new(new(do(match, put(0, 121))))
    assert match.won(0) == 999
    assert new(do(match, put(0, 121))).won(0) == 999


@pytest.mark.parametrize("setup", [(121, 7, 3), (121, 5, 2), (121, 15, 2)])
def test_other_seats_begin_their_own_count_of_games_won(setup: tuple[int, int, int]) -> None:
    match = do(won_by_first(), new_event(*setup, 0, 91, 61))
    assert [match.won(side) for side in match.sides] == [0] * setup[2]


def test_teams_of_the_same_seats_begin_their_own_count_of_games_won() -> None:
    match = do(Match(121, 15, 4), put(0, 121), new_event(121, 15, 2, 0, 91, 61))
    assert [match.won(0), match.won(1)] == [0, 0]


def test_another_target_goes_on_with_the_games_won() -> None:
    match = do(won_by_first(), new_event(61, 3, 2, 1, 31, 0))
    assert (match.target, match.skunk, match.double, match.won(0)) == (61, 31, 0, 1)


def test_undo_goes_back_into_the_game_before() -> None:
    match = won_by_first()
    before = state(match)
    new(match)
    assert match.last() == ((NEW, 0, 0, 0, 0), 4)
    undo(match)
    assert state(match) == before
    assert match.won(0) == 1
    undo(match)
    assert match.winner == -1


def test_redo_brings_a_new_game_back() -> None:
    match = new(won_by_first(), 1)
    after = state(match)
    undo(match)
    assert match.next() == ((NEW, 1, 0, 0, 0), 4)
    redo(match)
    assert state(match) == after
    assert not match.can_redo
    assert match.can_undo


def test_redo_brings_back_the_scores_before_the_new_game_that_followed_them() -> None:
    match = new(won_by_first())
    undo(match, 3)
    assert (match.winner, pegs(match)[0]) == (-1, (0, 0))
    assert match.next() == (put(0, 110, 100), 2)
    redo(match, 2)
    assert match.winner == 0
    redo(match)
    assert match.game == 4
    assert not match.can_redo


def test_a_new_game_ends_what_redo_could_bring_back_in_the_game_before() -> None:
    match = new(undo(do(Match(), peg(0, 4), peg(0, 5))))
    undo(match)
    assert match.next() == ((NEW, 0, 0, 0, 0), 4)
    redo(match)
    assert not match.can_redo


def test_a_score_in_the_game_before_ends_the_new_game_that_was_taken_back() -> None:
    match = undo(new(undo(won_by_first())))
    do(match, peg(1, 2))
    assert not match.can_redo


def test_a_deal_leaves_the_way_back_into_the_game_before() -> None:
    match = do(new(won_by_first()), deal(1))
    undo(match, 2)
    assert match.winner == 0
    redo(match, 2)
    assert (match.game, match.dealer) == (4, 1)


@pytest.mark.parametrize("event", [peg(0, 0), peg(1, 2), (PENALTY, 0, 2, 0, 0)])
def test_the_first_score_closes_the_game_before(event: Event) -> None:
    match = do(new(won_by_first()), event)
    undo(match)
    assert not match.can_undo
    assert match.earlier is None


def test_handicaps_leave_the_way_back_into_the_game_before() -> None:
    match = do(new(won_by_first()), put(0, 3), put(1, 10))
    undo(match, 3)
    assert match.winner == 0


def test_a_game_with_pegs_is_not_passed_over_by_the_next_one() -> None:
    match = new(do(new(won_by_first()), put(0, 57)))
    undo(match)
    assert pegs(match)[0] == (57, 0)
    undo(match)
    assert not match.can_undo


def test_a_game_without_a_score_is_passed_over_by_the_next_one() -> None:
    match = new(do(new(won_by_first()), deal(1)))
    assert match.won(0) == 1
    undo(match)
    assert match.winner == 0


def test_a_change_of_seats_that_came_to_nothing_keeps_the_games_won() -> None:
    match = do(won_by_first(), new_event(121, 7, 3, 0, 91, 61))
    assert match.won(0) == 0
    do(match, new_event(121, 3, 2, 0, 91, 61))
    assert match.won(0) == 1


def test_a_win_taken_back_does_not_count_in_the_next_game() -> None:
    assert new(undo(won_by_first())).won(0) == 0


# Restore


def restored(match: Match, **change: int) -> Match:
    data = bytearray(Match(61).play.pack())
    data[5:11] = bytes([40, 35, 20, 12, 1, NOBODY])
    data[11:] = bytes([7, 0, 1, 1])
    match.restore(match.rev + 1, unpack(bytes(data)))
    return match


def test_a_restored_state_is_taken_over_whole() -> None:
    match = restored(won_by_first())
    assert (match.rev, match.game, match.target, match.dealer) == (4, 4, 61, 1)
    assert pegs(match) == [(40, 35), (20, 12)]
    assert [match.won(0), match.won(1)] == [7, 257]


def test_a_restored_state_can_be_taken_back_and_brought_back() -> None:
    match = won_by_first()
    before = state(match)
    after = state(restored(match))
    assert match.last() == ((RESTORE, 1, 0, 0, 0), 4)
    assert state(undo(match)) == before
    assert match.next() == ((RESTORE, 1, 0, 0, 0), 4)
    assert state(redo(match)) == after


def test_a_restored_state_closes_at_its_first_score() -> None:
    match = undo(do(restored(won_by_first()), peg(0, 3)))
    assert pegs(match)[0] == (40, 35)
    assert not match.can_undo


def test_a_new_game_after_a_restored_one_is_taken_back_into_it() -> None:
    match = restored(won_by_first())
    before = state(match)
    assert state(undo(new(match))) == before
    assert new(match).won(0) == 7


def test_after_the_memory_was_full_the_refusal_says_so() -> None:
    match = do(Match(), peg(0, 4))
    match.play.trim(0)
    assert refused(match, (UNDO, 0, 0, 1, 0)) == (
        "nothing",
        "there is nothing to undo; older events were dropped when the memory filled",
    )
    assert refused(match, (REDO, 0, 0, 1, 0)) == ("nothing", "there is nothing to redo")
