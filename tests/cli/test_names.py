"""Names of sides: what may be one, and who is meant."""

from __future__ import annotations

import pytest

from cribboard.computer.levels import LEVELS, player_name
from cribboard.errors import ArgumentError
from cribboard.names import Names, check_name, check_names
from cribboard_core.match import Match

PAIR = Names(Match(), {0: "Ann", 1: "Zoë"})
TEAMS = Names(Match(mask=0b1111, sides=2), {0: "Ann", 1: "Bob", 2: "Cleo", 3: "Dev"})


@pytest.mark.parametrize(
    "name", ["Ann", "7 of 9", "Zoë", "李雷", "[red]", "o'Neil", "a" * 20, "🦊", "Ann ❤\ufe0f", "1\ufe0f\u20e3"]
)
def test_visible_text_is_a_name(name):
    assert check_name(name) == name


def test_a_name_is_tidied():
    assert check_name("  Zoe\u0308 ") == "Zoë"


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("🏳\ufe0f\u200d🌈", "🏳\ufe0f🌈"),
        ("👨\u200d👩\u200d👧\u200d👦" * 5, "👨👩👧👦" * 5),
        ("گل\u200cرخ", "گلرخ"),
        ("श्री\u200dमती", "श्रीमती"),
        ("An\u200dn", "Ann"),
    ],
)
def test_what_only_joins_letters_or_signs_is_dropped(typed, kept):
    assert check_name(typed) == kept
    assert Names(Match(), {0: kept}).find_side(typed) == 0


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("", "a name is empty"),
        (" \t\n", "a name is empty"),
        ("a" * 21, "the name 'aaaaaaaaaaaaaaaaaaaaa' has 21 characters"),
        ("a\nb", "the name 'ab' has an invisible character"),
        ("a\x1b[2Jb", "has an invisible character"),
        ("a\u202eb", "the name 'ab' has an invisible character"),
        ("a\u200bb", "has an invisible character"),
        ("a\ufe0f", "has an invisible character"),
        ("\u3164", "has an invisible character"),
        ("a\udcffb", "has an invisible character"),
        ("\u0301a", "the name '\u0301a' begins with a mark that belongs on a letter"),
        ("-rf", "the name '-rf' begins like an option"),
        ("7", "the name '7' is a number"),
        ("+12.5", "is a number"),
        ("\uff11", "is a number"),
        ("Red", "the name 'Red' is a colour"),
        ("\uff42\uff4c\uff55\uff45", "is a colour"),
    ],
)
def test_what_cannot_be_a_name_is_refused(name, why):
    with pytest.raises(ArgumentError) as error:
        check_name(name)
    assert why in error.value.message
    assert error.value.hint


@pytest.mark.parametrize("level", LEVELS)
def test_nobody_is_called_as_the_computer(level):
    assert check_name(player_name(level)) == player_name(level)
    with pytest.raises(ArgumentError, match="is the computer's"):
        check_names(["Ann", player_name(level).upper()])


@pytest.mark.parametrize("twin", ["ANN", "\uff21nn", "ann ", "A\u200dnn", "Ann\u200c"])
def test_names_are_different_without_case(twin):
    with pytest.raises(ArgumentError, match="two sides cannot both be called"):
        check_names(["Ann", "Bob", twin])


def test_a_heart_is_one_with_and_without_its_colour():
    with pytest.raises(ArgumentError, match="two sides cannot both be called"):
        check_names(["Ann ❤", "Ann ❤\ufe0f"])


@pytest.mark.parametrize("text", ["2", "blue", "BLUE", "Zoë", "zoe\u0308", "ZOË", " zoë "])
def test_a_side_is_its_number_its_colour_or_its_name(text):
    assert PAIR.find_side(text) == 1


@pytest.mark.parametrize("text", ["Bob", "", "0", "7", "12", "cyan"])
def test_who_is_unknown_is_told_who_plays(text):
    with pytest.raises(ArgumentError) as error:
        PAIR.find_side(text)
    assert error.value.message == f"there is no side {text!r}"
    assert error.value.hint == "the sides are 1 orange (Ann), 2 blue (Zoë)"


def test_a_place_where_nobody_plays_is_told():
    with pytest.raises(ArgumentError, match="nobody plays at 3 green"):
        PAIR.find_side("green")


def test_a_name_of_an_earlier_game_means_nobody():
    with pytest.raises(ArgumentError, match="nobody plays at 6 purple"):
        Names(Match(), {5: "Fay"}).find_side("fay")


@pytest.mark.parametrize("text", ["3", "green", "cleo", "ann", "ann and cleo"])
def test_partners_mean_their_side(text):
    assert TEAMS.find_side(text) == 0


def test_partners_are_different_places():
    assert TEAMS.find_place("cleo") == 2


def test_partners_are_named_together():
    assert (TEAMS.first(1), TEAMS.label(1), TEAMS.several(1)) == ("Bob and Dev", "2 blue (Bob and Dev)", True)


def test_a_side_without_a_name_goes_by_its_colour():
    nobody = Names(Match(), {})
    assert (nobody.name(0), nobody.first(0), nobody.label(0), nobody.given(0)) == ("orange", "Orange", "1 orange", "")
    assert (nobody.player(1), nobody.player(1, start=True)) == ("blue", "Blue")


def test_a_name_keeps_its_own_letters():
    assert Names(Match(), {0: "eve"}).first(0) == "eve"
