"""The referee: a game from the cut to the win, act by act, and back."""

from __future__ import annotations

import re
from typing import Any

import pytest
from referee.tables import Table

from cribboard.referee.answers import answer
from cribboard.referee.pegs import pack_match
from cribboard.referee.referee import Referee
from cribboard.referee.setup import Setup
from cribboard.referee.state import may, state
from cribboard.referee.wording import with_names
from cribboard_core.cards import cards_text
from cribboard_core.events import DEAL, GO, NEW, NIBS, PEG
from cribboard_core.match import Match

PONE, DEALER = "4C 5C 6C JC", "4D 5D 6D QH"


def cut_table(players: int = 2) -> Referee:
    setup = Setup(("Ann", "Bob", "Cleo")[:players], tuple(range(players)))
    return Referee(setup, pack_match(Match(121, setup.mask, players)))


def test_the_lowest_card_deals_and_a_tie_cuts_again() -> None:
    referee = cut_table()
    assert referee.phase == "cut"
    assert [outcome.text for outcome in referee.act(["cut", "5H 5C"])] == [
        "Ann 5H, Bob 5C: a tie for the lowest; cut again."
    ]
    outcomes = referee.act(["cut", "9H 2C"])
    assert outcomes[0].text == "Bob cuts the lowest card and deals first."
    assert outcomes[0].event[:2] == (NEW, 1)
    assert outcomes[0].command == ("new", 121, 3, 2, 1, -1, -1)
    assert (referee.phase, referee.table.dealer) == ("deal", 1)


@pytest.mark.parametrize(
    ("act", "why"),
    [
        (["cut", "5H"], "each player cuts a card: type two cards, like 9H 2C"),
        (["cut", "5H 5H"], "the cut for deal has 5H twice"),
        (["play", 0, "5H"], "cut for the deal first"),
        (["deal", None], "cut for the deal first"),
        (["new", 2], "there is no seat 2; the seats are 0 to 1"),
        (["undo"], "there is nothing to take back in this game"),
        (["dance"], r"there is no act \['dance'\]"),
        (["cut"], r"there is no act \['cut'\]"),
        (["penalty", 0, 2, 0], "cut for the deal first"),
        (["false", 0, 3], "cut for the deal first"),
        (["set", 0, 50, 0], "cut for the deal first"),
        (["penalty", 0, "2", 0], "'2' points cannot be; one score is 0 to 46"),
        (["penalty", 0, 2, 7], "7 is not 0"),
        (["starter", 5], "5 is not text; cards are written like 5H 6C"),
        ([], r"\[\] is not an act"),
        ("undo", "'undo' is not an act"),
    ],
)
def test_what_cannot_be_at_the_start_is_refused(act: list[object], why: str) -> None:
    referee = cut_table()
    with pytest.raises(ValueError, match=why):
        referee.act(act)
    assert referee.acts == []


def test_nobody_cuts_twice() -> None:
    assert Table().refused("cut", "5H 6C") == "the dealer is known; cards are cut for the deal only at the start"


def test_a_whole_deal_with_real_cards_pegs_each_point_as_it_falls() -> None:
    table = Table()
    table.act("deal", None)
    assert table.said == ["Deal 1: Ann deals."]
    table.act("starter", "JS")
    assert table.said == ["The starter is JS.", "A jack: nibs for Ann, two."]
    assert (table.events, table.commands) == ([(NIBS, 0, 2, 0, 0)], [("nibs", 0)])
    assert table.lay("5C", "TD", "5D", "6C", "4H") == [
        "Bob plays 5C: five.",
        "Ann plays TD: fifteen for two.",
        "Bob plays 5D: twenty.",
        "Ann plays 6C: twenty-six.",
        "Bob plays 4H: thirty, a run of three for three.",
    ]
    assert table.lay("go", "go") == ["Ann says go.", "Bob says go.", "Go: one for Bob."]
    assert table.events == [(GO, 1, 1, 0, 0)]
    assert table.lay("7H", "8S", "9H") == [
        "Ann plays 7H: seven.",
        "Bob plays 8S: fifteen for two.",
        "Ann plays 9H: twenty-four, a run of three for three.",
        "Last card: one for Ann.",
    ]
    assert table.commands == [("peg", 0, 3), ("go", 0)]
    assert (table.referee.phase, table.scores) == ("show", [8, 6])
    table.act("show")
    assert table.said == ["Bob's hand 5C 5D 4H 8S with JS: fifteen two, fifteen four, and a pair for six."]
    assert table.commands == [("hand", 1, "5C5D4H8S", "JS", 0, 6)]
    table.act("show")
    assert table.referee.phase == "crib"
    table.act("crib", "2C 3C AC KC")
    assert table.said == ["Ann's crib 2C 3C AC KC with JS: fifteen two, fifteen four, and a run of three for seven."]
    assert table.commands == [("hand", 0, "2C3CACKC", "JS", 1, 7)]
    table.act("deal", None)
    assert table.said == ["Deal 2: Bob deals."]
    assert (table.events, table.commands) == ([(DEAL, 1, 0, 0, 0)], [("deal", 1)])


def test_the_rest_is_void_at_the_first_point_that_reaches_the_target() -> None:
    table = Table(target=61)
    table.act("set", 1, 59, 50)
    table.deal("2S")
    table.lay("5C", "TD")
    table.act("set", 0, 60, 50)
    table.lay("5D", "9C")
    assert table.lay("go", "go")[-1] == "Go: one for Ann."
    assert (table.referee.phase, table.referee.match.winner, table.scores) == ("won", 0, [61, 59])
    assert state(table.referee)["winner"] == 0
    assert table.refused("play", 1, "4H") == "the game is won; undo, a new game, set or a false claim are left"
    assert may(table.referee) == ["new", "false", "set", "undo"]


def test_of_one_card_the_points_count_before_its_last_card() -> None:
    table = Table(target=61)
    table.deal("2S")
    table.lay("KC", "TD", "KD", "AC", "QC", "4H", "AD")
    table.act("set", 0, 59, 50)
    table.lay("AH")
    assert table.said == ["Ann plays AH: sixteen, a pair for two."]
    assert (table.referee.match.winner, table.events) == (0, [(PEG, 0, 2, 0, 0)])


def test_the_loser_deals_the_next_game_or_the_next_player_does() -> None:
    for options, dealer in (("", 1), ("alternate=on", 1)):
        table = Table(options, target=61)
        table.act("set", 0, 61, 50)
        assert table.referee.next_dealer() == dealer
    table = Table("alternate=on", target=61, dealer=1)
    table.deal()
    table.act("set", 0, 61, 50)
    assert table.referee.next_dealer() == 0
    table.act("new", 0)
    assert table.said == ["New game to 61: Ann deals first."]
    assert table.refused("new", 0) == "this game is not over"
    assert (table.referee.match.won(0), table.scores) == (1, [0, 0])
    table.act("deal", None)
    assert table.said == ["Deal 1: Ann deals."]
    table.act("starter", "9D")
    assert table.refused("undo", 1) == "there is no act ['undo', 1]"
    table.act("set", 1, 61, 0)
    assert table.referee.next_dealer() == 1


@pytest.mark.parametrize(("players", "size", "crib"), [(3, 4, 4), (4, 4, 4), (5, 4, 4), (6, 5, 5)])
def test_more_players_pass_the_deal_clockwise(players: int, size: int, crib: int) -> None:
    table = Table(players=players, dealer=players - 1, target=241)
    pack = [rank + suit for rank in "A23456789TJQK" for suit in "CDHS"]
    table.deal(pack.pop())
    assert table.referee.table.round.deal.game.turn == 0  # type: ignore[union-attr]
    while table.referee.phase == "play":
        game = table.referee.table.round.deal.game  # type: ignore[union-attr]
        rank = next((card for card in pack if game.count + min(10, "A23456789TJQK".index(card[0]) + 1) <= 31), None)  # type: ignore[union-attr]
        if rank and (len(game.rows) % 3 or game.count < 22):  # type: ignore[union-attr]
            pack.remove(rank)
            table.lay(rank)
        else:
            table.lay("go")
    for seat in range(players):
        assert state(table.referee)["counting"][:2] == [seat, "hand"]
        assert len(state(table.referee)["counting"][2]) == size
        table.act("show")
    table.act("crib", " ".join(pack[-crib:]))
    table.act("deal", None)
    assert table.referee.table.dealer == 0


def test_cards_that_the_program_deals_are_told_to_whoever_asks() -> None:
    setup = Setup(("Ann", "Bob"), (0, 1), dealt=True)
    referee = Referee(setup, pack_match(Match(121, setup.mask, 2)))
    referee.act(["new", 0])
    with pytest.raises(ValueError, match="the program deals here"):
        referee.act(["deal", None])
    referee.act(["deal", cards_text(list(range(52)))])
    with pytest.raises(ValueError, match="not now: discard first"):
        referee.act(["play", 1, "AC"])
    held = "ace of clubs, ace of hearts, two of clubs, two of hearts, three of clubs, three of hearts"
    assert answer(referee, "L") == f"Bob holds {held}."
    assert referee.act(["discard", 1, "AC AH"])[0].text == "Bob discards two cards."
    referee.act(["discard", 0, "AD AS"])
    with pytest.raises(ValueError, match="AC is not in the pack any more; it has been dealt"):
        referee.act(["starter", "AC"])
    referee.act(["starter", "KS"])
    assert answer(referee, "L") == "Bob can play two of clubs, two of hearts, three of clubs, three of hearts."
    with pytest.raises(ValueError, match="seat 1 cannot say go at 0"):
        referee.act(["go", 1])


def test_a_handicap_is_given_at_each_game_and_taken_back_with_it() -> None:
    setup = Setup(("Ann", "Bob"), (0, 1), target=61, starts=(0, 10), best_of=3)
    referee = Referee(setup, pack_match(Match(61, 3, 2)))
    outcomes = referee.act(["new", 0])
    assert [outcome.text for outcome in outcomes] == ["New game to 61: Ann deals first.", "Bob: starts at 10."]
    assert outcomes[1].command == ("set", 1, 10, 0)
    referee.act(["set", 0, 61, 0])
    referee.act(["new", 1])
    assert (referee.pegs.scores, referee.winners) == ((0, 10), [0])
    referee.act(["set", 1, 61, 0])
    assert (referee.winners, state(referee)["wins"]) == ([0, 1], [1, 1])
    for _ in range(2):
        referee = Referee.replay(Setup.from_json(setup.to_json()), referee.pegs.base, referee.acts)
        assert referee.winners == [0, 1]
    referee.act(["undo"])
    assert (referee.pegs.scores, referee.winners) == ((0, 10), [0])
    referee = Referee.replay(setup, referee.pegs.base, [["new", 0], ["undo"]])
    assert (referee.phase, referee.pegs.scores) == ("cut", (0, 0))


@pytest.mark.parametrize(
    ("more", "why"),
    [
        ({"starts": (1,)}, "the starts (1,) are not one for each side, from 0 to below 121"),
        ({"starts": (0, 121)}, "are not one for each side"),
        ({"starts": (-1, 0)}, "are not one for each side"),
        ({"best_of": 4}, "a best-of-4 match may never be decided; use an odd number"),
        ({"best_of": -1}, "a best-of--1 match may never be decided"),
    ],
)
def test_a_match_that_cannot_be_is_refused(more: dict[str, Any], why: str) -> None:
    with pytest.raises(ValueError, match=re.escape(why)):
        Setup(("Ann", "Bob"), (0, 1), **more)
    with pytest.raises(ValueError, match="a match is between two sides, not 3"):
        Setup(("Ann", "Bob", "Cleo"), (0, 1, 2), best_of=3)


def test_teams_peg_together() -> None:
    table = Table(players=4, teams=2)
    table.deal("9S")
    assert table.lay("5C", "TD", "5H", "5D")[-3:] == [
        "Cleo plays TD: fifteen for two.",
        "Dev plays 5H: twenty.",
        "Ann plays 5D: twenty-five, a pair for two.",
    ]
    assert table.scores == [4, 0]
    assert answer(table.referee, "S") == "Ann and Cleo 4, Bob and Dev 0; the game is to 121."


def test_places_of_the_board_need_not_be_the_first() -> None:
    setup = Setup(("Ann", "Bob"), (1, 4))
    referee = Referee(setup, pack_match(Match(121, setup.mask, 2, 1)))
    referee.act(["new", 1])
    referee.act(["deal", None])
    assert referee.act(["starter", "JS"])[1].command == ("nibs", 4)
    assert with_names("it is seat 1's turn", setup) == "it is Bob's turn"


def test_an_exact_peg_out_drops_what_would_pass_the_target() -> None:
    table = Table("exact=on", target=61)
    table.act("set", 0, 60, 50)
    table.deal("JS")
    assert table.said[1:] == ["A jack: nibs for Ann, two.", "That would pass 61: Ann pegs nothing."]
    assert table.commands == []
    table.lay("KD", "9C", "KH", "2D")
    assert (table.said, table.scores) == (
        ["Ann plays 2D: thirty-one for two.", "That would pass 61: Ann pegs nothing."],
        [60, 0],
    )
    table.lay("QD", "QC")
    assert table.scores == [60, 0]
    table.lay("9H", "go", "AC")
    assert (table.said, table.scores) == (["Ann plays AC: one.", "Last card: one for Ann."], [61, 1])


def test_an_exact_peg_out_gives_a_penalty_to_those_whom_it_fits() -> None:
    table = Table("exact=on", players=3, target=61)
    table.act("set", 1, 60, 50)
    table.act("penalty", 0, 2, 0)
    assert table.said == ["Penalty for Ann: 2 for every other side.", "That would pass 61: Bob pegs nothing.", ""]
    assert (table.scores, table.commands) == ([0, 60, 2], [("muggins", 2, 2, 0)])
    table.act("penalty", 2, 1, 0)
    assert (table.scores, table.commands) == ([1, 61, 2], [("penalty", 2, 1, 0)])
    table = Table("exact=on")
    table.act("penalty", 0, 2, 1)
    assert table.commands == [("penalty", 0, 2, 1)]


def test_a_false_claim_of_game_goes_back_and_the_game_goes_on() -> None:
    table = Table(target=61)
    table.deal()
    table.lay("5C")
    table.act("board", PEG, 0, 40, 0, 0)
    table.act("board", PEG, 0, 21, 0, 0)
    assert table.referee.phase == "won"
    table.act("false", 0, 55)
    assert table.said == ["A false claim of game: the true score of Ann is 55."]
    assert (table.referee.phase, table.scores) == ("play", [55, 6])
    table.lay("TD")
    assert table.scores == [57, 6]
