"""Two ways in which leagues play: five-card cribbage, and a cut for the deal before every game."""

from __future__ import annotations

import pytest
from referee.tables import Table

from cribboard.referee.options import OptionError, read_options
from cribboard.referee.setup import Setup
from cribboard.referee.state import may, state
from cribboard_core.events import GO, HAND, NEW, PEG


def begun(options: str = "five_card=on", **more: int) -> Table:
    """Ann deals; Bob has the first three, and leads."""
    return Table(options, **{"target": 61, **more})


def at_the_show(options: str = "five_card=on") -> Table:
    table = begun(options)
    table.deal("5H")
    claim = " 0" if "manual" in options else ""
    table.lay(f"KH{claim}", f"JD{claim}", "QH 3" if claim else "QH", "go", "go")
    return table


def test_pone_begins_with_three_once_a_game() -> None:
    table = begun()
    assert table.said == [
        "New game to 61: Ann deals first.",
        "Three for last: Bob, who deals second, begins with three.",
    ]
    assert [event[0] for event in table.events] == [NEW, PEG]
    assert table.scores == [0, 3]
    table.act("deal", None)
    assert table.scores == [0, 3]
    table.act("undo")
    table.act("undo")
    assert (table.referee.phase, table.scores) == ("cut", [0, 0])


@pytest.mark.parametrize(("options", "gains"), [("five_card=on", [0, 0]), ("five_card=on renege=on", [0, 2])])
def test_a_card_held_back_at_the_go_that_ends_the_play_is_a_renege_once_it_is_named(
    options: str, gains: list[int]
) -> None:
    table = begun(options)
    table.deal("5D")
    table.lay("7S", "8H", "TC", "4D", "go", "go")
    table.act("hand", "KS")
    assert table.said == ["Bob's hand 7S TC KS with 5D: fifteen two, fifteen four."]
    before = table.scores
    table.act("hand", "AC")
    assert table.said[0].startswith("Ann held AC when saying go at twenty-nine: a renege")
    assert table.said[1] == "Ann's hand 8H 4D AC with 5D: nothing."
    assert [then - now for then, now in zip(table.scores, before, strict=True)] == gains
    table.act("undo")
    assert table.scores == before


def test_the_play_ends_with_the_go_and_the_rest_of_each_hand_is_named() -> None:
    table = at_the_show()
    assert table.said == ["Bob says go.", "Go: one for Bob."]
    assert (table.referee.phase, state(table.referee)["turn"], may(table.referee)[0]) == ("hand", 1, "hand")
    assert table.refused("show") == "name the rest of seat 1's hand first"
    table.act("hand", "9D")
    assert table.said == ["Bob's hand KH QH 9D with 5H: fifteen two, fifteen four."]
    assert table.commands == [("hand", 1, "KHQH9D", "5H", 0, 4)]
    assert table.refused("hand", "8D") == "Ann has two cards left, and 8D is 1"
    table.act("hand", "8D QS")
    assert [event[:3] for event in table.events] == [(HAND, 0, 4)]
    table.act("crib", "2C 2H 3D 4D")
    assert (table.scores, table.referee.phase) == ([14, 11], "deal")


def test_players_who_count_name_the_rest_and_claim() -> None:
    table = at_the_show("five_card=on counting=manual muggins=on")
    assert table.refused("claim", 1, 4) == "the hand is not known; type the cards that were not played first"
    table.act("hand", "9D")
    assert table.said == ["Bob's hand is KH QH 9D."]
    table.act("claim", 1, 2)
    table.act("hand", "8D QS")
    table.act("muggins", 0, 2)
    assert table.scores == [2, 9]


def test_thirty_one_ends_the_play_without_a_go() -> None:
    table = begun()
    table.deal("5H")
    table.lay("KH", "JD", "QH", "AS")
    assert GO not in [event[0] for event in table.events]
    assert table.referee.phase == "hand"


@pytest.mark.parametrize(
    ("players", "computers", "why"),
    [
        (3, (), "five-card cribbage is for 2 players, not 3"),
        (2, (1,), "the computer does not play five-card cribbage; leave out --computer"),
    ],
)
def test_it_is_for_two_people(players: int, computers: tuple[int, ...], why: str) -> None:
    options = read_options(["five_card=on"])
    with pytest.raises(ValueError, match=why):
        Setup(("Ann", "Bob", "Cleo")[:players], tuple(range(players)), 0, 61, options, bool(computers), computers)


# A cut before every game


def won(options: str, winner: int = 1) -> Table:
    table = Table(options, target=61)
    table.act("set", winner, 61, 50)
    return table


def test_the_players_cut_before_every_game() -> None:
    table = won("cut_each_game=on")
    assert may(table.referee)[:2] == ["cut", "new"]
    table.act("cut", "5H 5C")
    assert table.said == ["Ann 5H, Bob 5C: a tie for the lowest; cut again."]
    assert table.referee.phase == "won"
    table.act("cut", "5H 9C")
    assert table.said == ["Ann cuts the lowest card and deals first."]
    assert (table.referee.phase, table.referee.table.dealer, table.referee.winners) == ("deal", 0, [1])
    assert table.refused("cut", "5H 9C") == "cards are cut for the deal before a game"
    table.act("undo")
    assert (table.referee.phase, table.referee.winners) == ("won", [1])
    table = won("cut_each_game=on", winner=0)
    table.act("cut", "5H 5C")
    assert (table.referee.phase, table.referee.winners) == ("won", [0])


def test_otherwise_the_loser_deals_and_nobody_cuts() -> None:
    assert "a new game" in won("").refused("cut", "5H 9C")


def test_one_rule_says_who_deals_next() -> None:
    with pytest.raises(OptionError, match="alternate and cut_each_game each say who deals first"):
        read_options(["alternate=on", "cut_each_game=on"])
