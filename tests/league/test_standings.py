"""Standings, as the worked examples have them; whatever the order in which games come."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as some
from league.examples import as_expected, files, played

from cribboard.errors import ArgumentError
from cribboard.league.rules import as_number, presets, read_rules
from cribboard.league.season import Stood, read_season, season
from cribboard.league.standings import Bye, Game, card_points, game, standings, withdraw

EXAMPLES = files("standings")
LEAVERS = files("withdrawal")
SEASONS = files("season")


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_standings_are_those_of_the_example(name):
    entry = EXAMPLES[name]
    rules, games = read_rules(entry["rules"]), played(entry)
    expected = entry["expect"]["standings"]
    assert as_expected(standings(rules, entry["entrants"], games), expected) == expected
    for seed in range(5):
        random.Random(seed).shuffle(games)
        assert as_expected(standings(rules, entry["entrants"], games), expected) == expected


@pytest.mark.parametrize("name", [name for name in EXAMPLES if "match_points" in EXAMPLES[name]["expect"]])
def test_a_match_of_teams_is_worth_what_the_example_says(name):
    entry = EXAMPLES[name]
    rules = read_rules(entry["rules"])
    points = [list(map(as_number, card_points(rules, card))) for card in played(entry)]
    assert points == entry["expect"]["match_points"]


def test_one_match_card_feeds_several_tables():
    ((_, entry),) = files("several").items()
    for each in entry["rules"]:
        expected = entry["expect"][each["name"]]
        assert as_expected(standings(read_rules(each), entry["entrants"], played(entry)), expected) == expected


@pytest.mark.parametrize("name", LEAVERS)
def test_a_team_that_withdraws_takes_its_matches_along_or_loses_what_is_left(name):
    entry = LEAVERS[name]
    gone, policy = entry["withdraw"]["name"], entry["withdraw"]["policy"]
    left = [tuple(pair) for pair in entry["fixtures_left"]]
    games, left = withdraw(gone, played(entry), left, default=policy == "default")
    stay = [team for team in entry["entrants"] if team != gone or policy == "default"]
    expected = entry["expect"]["standings"]
    assert as_expected(standings(read_rules(entry["rules"]), stay, games), expected) == expected
    assert [list(pair) for pair in left] == entry["expect"]["fixtures_left"]


def stood(points, night):
    """Where points alone decide."""
    better, equals = sum(each > points for each in night), sum(each == points for each in night)
    return Stood(1 + better, equals, points * 100)


@pytest.mark.parametrize("name", SEASONS)
def test_a_season_adds_up_its_nights(name):
    entry = SEASONS[name]
    nights = [{who: stood(points, night.values()) for who, points in night.items()} for night in entry["nights"]]
    expected = entry["expect"]["standings"]
    assert as_expected(season(read_season(entry["rules"]), nights), expected) == expected


PEOPLE = list("ABCDEF")
GAMES = some.lists(
    some.tuples(some.permutations(PEOPLE), some.integers(0, 120), some.booleans(), some.integers(1, 9)), max_size=12
)


def results(drawn):
    return [
        game([[one], [other]], (121, rest) if won else (rest, 121), number)
        for (one, other, *_), rest, won, number in drawn
    ]


@given(GAMES, some.sampled_from([each for each in presets() if each.night]), some.randoms(use_true_random=False))
def test_standings_do_not_depend_on_the_order_of_games(drawn, preset, chance):
    games = results(drawn)
    before = standings(preset.read, PEOPLE, games)
    chance.shuffle(games)
    assert standings(preset.read, PEOPLE, games) == before


@given(GAMES)
def test_spreads_sum_to_nothing_and_places_are_shared_by_equals(drawn):
    rows = standings(read_rules({"game": {"win": 2}}), PEOPLE, results(drawn))
    assert sum(row.spread for row in rows) == sum(row.plus - row.minus for row in rows) == 0
    for at, row in enumerate(rows):
        same = at and (row.points, row.won, row.spread) == (rows[at - 1].points, rows[at - 1].won, rows[at - 1].spread)
        assert row.place == (rows[at - 1].place if same else at + 1)


def test_who_beat_whom_is_asked_again_among_those_who_are_still_equal():
    """B and C beat A; of B and C, C has won."""
    rules = read_rules({"game": {}, "order": ["points", "head_to_head"]})
    games = [game([["B"], ["A"]], (121, 100)), game([["C"], ["A"]], (121, 100)), game([["C"], ["B"]], (121, 100))]
    assert [(row.place, row.who) for row in standings(rules, "ABC", games)] == [(1, "C"), (2, "B"), (3, "A")]


def test_a_match_of_best_of_three_is_worth_something_by_itself_once_it_is_decided():
    rules = read_rules({"best_of": 3, "game": {"win": 1}, "match": {"win": 2}})
    legs = [Game((("A",), ("B",)), scores, match=7) for scores in ((121, 100), (100, 121), (121, 80))]
    assert [as_number(row.points) for row in standings(rules, "AB", legs[:2])] == [1, 1]
    assert [as_number(row.points) for row in standings(rules, "AB", legs)] == [4, 1]


def test_somebody_unknown_is_said():
    with pytest.raises(ArgumentError, match="Z is no entrant"):
        standings(read_rules({}), "AB", [Bye("Z")])
