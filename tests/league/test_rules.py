"""Points as data: what is wrong is said with the value and what to do."""

from __future__ import annotations

import pytest

from cribboard.errors import ArgumentError
from cribboard.league.rules import in_words, named_lines, parse_rules, points_in_words, preset, presets, read_rules
from cribboard.league.season import read_season


@pytest.mark.parametrize(
    ("entry", "says"),
    [
        ([], "the rules is"),
        ({"games": {}}, "unknown key"),
        ({"unit": "horse"}, "choose player or pair or team"),
        ({"game": {"win": "2"}}, "not a number of points"),
        ({"game": {"win": True}}, "not a number of points"),
        ({"game": {"win": 0.125}}, "at most two decimals"),
        ({"game": {"win": 1e9}}, "use a number from -1000 to 1000"),
        ({"game": {"win": float("nan")}}, "win is nan"),
        ({"game": {"win": 1, "by_round": [1]}}, "both by_round"),
        ({"game": {"win": 1, "wins": 2}}, "unknown key"),
        ({"order": ["luck"]}, "nobody can be ordered by"),
        ({"order": ["won", "won"]}, "twice"),
        ({"best_of": 2}, "may never be decided"),
        ({"rounds": 99}, "use a whole number from 0 to 60"),
        ({"target": 100}, "games are not to 100"),
        ({"draw": "lots"}, "draw cannot be"),
        ({"match": {"by": "luck"}}, "by cannot be"),
        ({"walkover": {"legs": [1]}}, "give two"),
        ({"tables": [1, 1]}, "one of them twice"),
    ],
)
def test_rules_that_cannot_be_are_refused(entry, says):
    with pytest.raises(ArgumentError, match=says):
        read_rules(entry)


@pytest.mark.parametrize("text", ["", "{", '{"game":{"win":NaN}}', "[" * 100000])
def test_a_text_that_is_no_rules_is_refused(text):
    with pytest.raises(ArgumentError):
        parse_rules(text)


@pytest.mark.parametrize(
    ("entry", "says"),
    [({"order": ["luck"]}, "ordered by"), ({"share": "x"}, "share"), ({"best": -1}, "best"), ({"worst": 1}, "unknown")],
)
def test_a_season_that_cannot_be_is_refused(entry, says):
    with pytest.raises(ArgumentError, match=says):
        read_season(entry)


def test_points_are_whole_hundredths_and_are_said_as_people_write_them():
    rules = read_rules({"game": {"win": 0.5, "skunk": 3}})
    assert (rules.game.win, rules.game.skunk, rules.game.double) == (50, 300, 300)
    assert [in_words(each) for each in (0, 50, -125, 300, 1000)] == ["0", "0.5", "-1.25", "3", "10"]


def test_every_preset_can_be_read_and_says_where_it_is_from():
    for each in presets():
        assert each.read.unit in ("player", "team") and each.source and each.what
        assert each.night == (each.read.unit == "player")
        assert preset(each.id) is each
    with pytest.raises(ArgumentError, match="choose club"):
        preset("golf")


@pytest.mark.parametrize(
    ("target", "game", "words", "lines"),
    [
        (121, {"win": 2, "skunk": 3, "double": 3}, "Win 2, skunk (by 31 or more) 3, loss 0", (91, 0)),
        (
            121,
            {"win": 1, "skunk": 2, "double": 4},
            "Win 1, skunk (by 31 or more) 2, double skunk (by 61 or more) 4, loss 0",
            (91, 61),
        ),
        (61, {"win": 1, "skunk": 1.5, "double": 4}, "Win 1, skunk (by 31 or more) 1.5, loss 0", (31, 0)),
        (91, {"win": 1, "skunk": 2}, "Win 1, loss 0", (0, 0)),
        (121, {"win": 1}, "Win 1, loss 0", (91, 0)),
    ],
)
def test_what_a_game_is_worth_is_said_by_its_margin(
    target: int, game: dict[str, float], words: str, lines: tuple[int, int]
) -> None:
    rules = read_rules({"unit": "player", "target": target, "game": game})
    assert points_in_words(rules) == words
    assert named_lines(rules) == lines
