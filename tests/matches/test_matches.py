"""Results and what they are worth, from the rules and from score cards that were added up by hand."""

from __future__ import annotations

import json
from contextlib import suppress

import pytest
from rigs.hostile import changes

from cribboard.cli.sheet import by_scheme, players
from cribboard.errors import ArgumentError
from cribboard.matches import (
    DOUBLE_SKUNKED,
    LOST,
    SKUNKED,
    Result,
    nights,
    of_entry,
    of_scores,
    series,
)
from cribboard.results import pairs_of


def of_line(text, teams=()):
    return of_scores(*pairs_of(text), teams)


def lines(*texts):
    return [of_line(text) for text in texts]


def standings(results, scheme):
    return players(by_scheme(scheme), results)


def rows(results, scheme="acc"):
    return [(row.name, row.points // 100, row.won, row.skunks, row.spread) for row in standings(results, scheme)]


@pytest.mark.parametrize(
    ("line", "lost"),
    [
        ("Ann 121 Bob 120", LOST),
        ("Ann 121 Bob 91", LOST),
        ("Ann 121 Bob 90", SKUNKED),
        ("Ann 121 Bob 61", SKUNKED),
        ("Ann 121 Bob 60", DOUBLE_SKUNKED),
        ("Ann 61 Bob 31", LOST),
        ("Ann 61 Bob 30", SKUNKED),
        ("Ann 61 Bob 0", SKUNKED),
        ("Ann 91 Bob 0", LOST),
        ("Ann 241 Bob 0", LOST),
    ],
)
def test_the_skunk_lines_are_those_of_the_target(line, lost):
    result = of_line(line)
    assert (result.lost(0), result.lost(1), result.grade) == (0, lost, lost)


@pytest.mark.parametrize(("scheme", "paid"), [("acc", [2, 3, 3]), ("house", [1, 2, 4])])
def test_a_win_a_skunk_and_a_double_skunk_are_paid_by_the_scheme(scheme, paid):
    for loser, points in zip((100, 80, 20), paid, strict=True):
        assert rows(lines(f"Ann 121 Bob {loser}"), scheme)[0][1] == points


def test_a_score_card_is_added_up():
    """Won by 5, 40 and 17, lost by 31 and 2: five games, 2 + 3 + 2 points, a spread of 62 - 33."""
    card = lines("Ann 121 Bob 116", "Ann 121 Cleo 81", "Dev 121 Ann 90", "Ann 121 Eli 104", "Fay 121 Ann 119")
    assert rows(card)[0] == ("Ann", 7, 3, 1, 29)
    assert next(row for row in standings(card, "acc") if row.name == "Ann").games == 5


def test_the_order_is_points_then_games_won_then_spread():
    results = lines(
        # three wins by one, against two skunks: six points each, Ann has won more
        *["Ann 121 X 120"] * 3,
        *["Bob 121 X 30"] * 2,
        # as many points and games as Ann, but a better spread
        *["Cleo 121 X 119"] * 3,
    )
    assert [row[0] for row in rows(results)] == ["Cleo", "Ann", "Bob", "X"]
    assert [row.place for row in standings(results, "acc")] == [1, 2, 3, 4]


def test_equals_share_a_place():
    results = lines("Ann 121 X 100", "Bob 121 Y 100")
    assert [(row.place, row.name) for row in standings(results, "acc")] == [(1, "Ann"), (1, "Bob"), (3, "X"), (3, "Y")]


def test_spreads_add_up_to_nothing_whatever_was_played():
    results = lines("Ann 121 Bob 3", "Cleo 61 Bob 60", "Ann 100 Bob 121 Cleo 45")
    assert sum(row.spread for row in standings(results, "acc")) == 0


def test_of_several_losers_the_best_decides_and_each_is_judged_by_itself():
    result = of_line("Ann 121 Bob 45 Cleo 100")
    assert [result.lost(side) for side in range(3)] == [0, DOUBLE_SKUNKED, LOST]
    assert rows([result], "house")[0][1] == 1


def test_capitals_make_no_other_player():
    assert [row[:3] for row in rows(lines("Ann 121 Bob 100", "ANN 121 bob 100"))] == [("Ann", 4, 2), ("Bob", 0, 0)]


def test_a_match_is_decided_by_more_than_half_of_its_games():
    (match,) = series(lines("Ann 121 Bob 100", "Bob 121 Ann 99", "Bob 121 Ann 98"), 3)
    assert (match.sides, match.wins, match.winner) == (("Ann", "Bob"), [1, 2], 1)


def test_a_match_that_runs_names_what_decides_it():
    (match,) = series(lines("Ann 121 Bob 100", "Bob 121 Ann 99"), 5)
    assert (match.wins, match.winner, match.needed) == ([1, 1], -1, 3)


def test_a_game_after_the_decision_begins_the_next_match():
    matches = series(lines("Ann 121 Bob 100", "Bob 100 Ann 121", "Bob 121 Ann 3"), 3)
    assert [(match.sides, match.wins) for match in matches] == [(("Ann", "Bob"), [2, 0]), (("Bob", "Ann"), [1, 0])]


def test_matches_of_others_in_between_do_not_matter():
    matches = series(lines("Ann 121 Bob 100", "Cleo 121 Dev 1", "Ann 121 Bob 100"), 3)
    assert [match.wins for match in matches] == [[2, 0], [1, 0]]


@pytest.mark.parametrize(
    ("results", "best_of", "why"),
    [(["A 121 B 3 C 4"], 3, "between two sides, not 3: A, B, C"), (["A 121 B 3"], 4, "a best-of-4 match may never")],
)
def test_a_match_that_cannot_be_is_refused(results, best_of, why):
    with pytest.raises(ArgumentError, match=why):
        series(lines(*results), best_of)


LION, CROWN, SWAN = "Red Lion", "Crown", "Swan"


def legs(home, away, *texts):
    return [of_line(text, (home, away)) for text in texts]


def test_the_sheet_of_a_night_has_the_legs_of_each_table():
    (night,) = nights(legs(LION, CROWN, "A and B 121 D and E 90", "C 1 F 121", "A and B 121 D and E 9"))
    assert [(table.sides, table.wins) for table in night.tables] == [
        (("A and B", "D and E"), [2, 0]),
        (("C", "F"), [0, 1]),
    ]


def test_without_a_heading_each_side_is_its_own_team():
    (night,) = nights(lines("Ann 121 Bob 3", "Bob 121 Ann 3", "Bob 121 Ann 3"))
    assert (night.teams, night.legs) == (("Ann", "Bob"), (1, 2))


def test_a_line_is_names_and_scores():
    result = of_line("Ann and  Tom 97, Bob 121")
    assert (result.names, result.scores, result.winner) == (("Ann and Tom", "Bob"), (97, 121), 1)


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("Ann Bob", "has no scores"),
        ("Ann 121 Bob", "does not have a score for every name"),
        ("Ann 121 88", "does not have a score for every name"),
        ("Ann 121", "a game has 2 to 6 sides"),
        ("A 121 B 1 C 1 D 1 E 1 F 1 G 1", "a game has 2 to 6 sides"),
        ("Ann 120 Bob 88", "nobody has won: the highest score is 120; games are to 61, 91, 121, 241"),
        ("Ann 121 Bob 121", "Ann and Bob cannot both have 121"),
        ("Ann 121 ann 88", "'ann' appears twice"),
        ("Ann\u0007 121 Bob 88", "is not a name"),
        ("x" * 71 + " 121 Bob 88", "is not a name"),
        ("Ann 121 Bob -3", "does not have a score for every name"),
    ],
)
def test_what_is_no_result_is_refused_with_what_is_wrong(line, why):
    with pytest.raises(ArgumentError, match=why):
        of_line(line)


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ('{"sides":[]}', "is not a result"),
        (
            '{"sides":[{"name":"A","score":"121"},{"name":"B","score":1}]}',
            r"is not a result \(sides, side 1, score: .*121.* is not a number",
        ),
        ('{"sides":[{"name":7,"score":121},{"name":"B","score":1}]}', r"sides, side 1, name: 7 is not text"),
        ('{"sides":[{"name":"A","score":121},{"name":"B","score":1}],"target":100}', "is not a result"),
        ('{"sides":[{"name":"A","score":91},{"name":"B","score":1}],"target":121}', "nobody has exactly 121"),
        (
            '{"sides":[{"name":"A","score":121},{"name":"B","score":-1}],"target":121}',
            "side 2, score: -1 is not a number from 0",
        ),
        ('{"sides":[{"name":"A","score":61},{"name":"B","score":91}],"target":61}', "nobody has exactly 61"),
        ('{"sides":[{"name":"A","score":121},{"name":"B","score":1}],"target":121,"teams":["L"]}', "two sides"),
    ],
)
def test_an_object_that_is_no_result_is_refused_with_what_is_wrong(line, why):
    with pytest.raises(ArgumentError, match=why):
        of_entry(json.loads(line))


def test_a_result_with_any_value_changed_is_one_or_refused():
    sides = [{"name": "Ann", "score": 121}, {"name": "Bob", "score": 88}]
    whole = {"sides": sides, "target": 121, "skunk": 80, "double": 0, "teams": ["L", "C"], "game": "a", "round": 2}
    for place, changed in changes(whole):
        with suppress(ArgumentError):
            result = of_entry(changed)
            assert result.scores[result.winner] == result.target == max(result.scores), place


def test_a_result_comes_back_from_json_as_it_went():
    sides = [{"name": "Ann", "score": 121}, {"name": "Bob", "score": 88}]
    lines = {"target": 121, "skunk": 80, "double": 0}
    result = of_entry({"sides": sides, **lines, "teams": ["L", "C"], "game": "a:1:2", "when": "2026-01-01"})
    assert result == Result(("Ann", "Bob"), (121, 88), 121, 80, 0, ("L", "C"), "a:1:2")
    assert (result.when, result.lost(1)) == ("2026-01-01", LOST)


def test_json_needs_no_more_than_sides():
    assert of_entry({"sides": [{"name": "Ann", "score": 61}, {"name": "Bob", "score": 20}]}) == of_line("Ann 61 Bob 20")
