"""The set-up: who has joined, to what target, who deals, which teams."""

from __future__ import annotations

import pytest
from firmware.strips import open_setup

from cribboard_core.events import PEG, SET, new_event
from cribboard_core.match import Match
from cribboard_fw.setup import CLOSES_AFTER_MS, Setup


def of_players(players: int, sides: int = 0) -> Setup:
    return open_setup(Match(121, (1 << players) - 1, sides or players))


def test_it_begins_with_what_was_played_last() -> None:
    setup = open_setup(Match(61, 0b101101, 2, 3))
    assert (setup.joined, setup.sides, setup.target, setup.dealer) == ([0, 2, 3, 5], 2, 61, 3)
    assert setup.ready
    assert setup.arguments() == [61, 0b101101, 2, 3, -1, -1]


def test_after_a_game_the_loser_deals() -> None:
    match = Match()
    match.apply(1, (SET, 0, 121, 0, 0))
    assert open_setup(match).dealer == 1


def test_in_the_middle_of_a_game_the_next_seat_deals() -> None:
    match = Match(121, 7, 3, 1)
    match.apply(1, (PEG, 0, 4, 0, 0))
    assert open_setup(match).dealer == 2


def test_before_the_first_score_the_dealer_stays() -> None:
    assert open_setup(Match(121, 7, 3, 1)).dealer == 1


def test_a_place_joins_in_the_order_of_the_table() -> None:
    setup = of_players(2)
    for place in (5, 3):
        setup.ok(place)
    assert (setup.joined, setup.sides) == ([0, 1, 3, 5], 4)
    assert setup.arguments()[1] == 0b101011


@pytest.mark.parametrize("dealer", [0, 1])
def test_a_place_that_joins_leaves_the_deal_where_it_is(dealer: int) -> None:
    setup = open_setup(Match(121, 0b11, 2, dealer))
    setup.ok(4)
    assert setup.dealer == dealer


def test_a_place_that_joined_leaves() -> None:
    setup = of_players(3)
    setup.ok(1)
    assert (setup.joined, setup.sides, setup.dealer) == ([0, 2], 2, 0)


def test_only_who_joined_is_in_the_mask() -> None:
    setup = of_players(3)
    setup.ok(0)
    assert setup.arguments() == [121, 0b110, 2, 1, -1, -1]


def test_it_closes_after_a_minute() -> None:
    assert CLOSES_AFTER_MS == 60_000


def test_when_the_dealer_leaves_the_first_who_plays_deals() -> None:
    setup = of_players(3)
    setup.ok(0)
    assert setup.dealer == 1


def test_when_all_have_left_the_first_to_join_deals() -> None:
    setup = of_players(2)
    setup.ok(0)
    assert not setup.ready
    setup.ok(1)
    assert (setup.joined, setup.dealer, setup.ready) == ([], -1, False)
    setup.ok(4)
    assert (setup.dealer, setup.ready) == (4, False)
    setup.ok(2)
    assert (setup.joined, setup.dealer, setup.ready) == ([2, 4], 4, True)


def test_joining_and_leaving_end_teams() -> None:
    setup = of_players(4, 2)
    setup.ok(3)
    assert setup.sides == 3
    setup.ok(3)
    assert setup.sides == 4


def test_the_target_steps_through_all_and_round_again() -> None:
    setup = of_players(2)
    seen = []
    for _ in range(5):
        setup.plus(0, 1)
        seen.append(setup.target)
    assert seen == [241, 61, 91, 121, 241]


def test_who_deals_can_be_chosen() -> None:
    setup = of_players(3)
    setup.plus(2, 5)
    assert (setup.dealer, setup.joined) == (2, [0, 1, 2])


def test_a_place_that_deals_joins() -> None:
    setup = of_players(2)
    setup.plus(4, 5)
    assert (setup.dealer, setup.joined, setup.sides) == (4, [0, 1, 4], 3)


@pytest.mark.parametrize(
    ("players", "steps"), [(2, [2, 2]), (3, [3, 3]), (4, [2, 4, 2]), (5, [5, 5]), (6, [2, 3, 6, 2])]
)
def test_teams_step_through_all_that_so_many_can_make(players: int, steps: list[int]) -> None:
    setup = of_players(players)
    seen = []
    for _ in steps:
        setup.teams()
        seen.append(setup.sides)
    assert seen == steps


def test_too_few_make_no_teams() -> None:
    setup = of_players(2)
    setup.ok(0)
    setup.teams()
    assert setup.sides == 1


@pytest.mark.parametrize("players", range(2, 7))
def test_every_choice_makes_a_game(players: int) -> None:
    setup = of_players(players)
    for _ in range(4):
        setup.plus(0, 1)
        setup.teams()
        target, mask, sides, dealer, *_ = setup.arguments()
        assert new_event(target, mask, sides, dealer, 0, 0)
