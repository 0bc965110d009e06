"""What is taken back, and what stays known although it was."""

from __future__ import annotations

import random

import pytest
from referee.tables import Table, fingerprint

from cribboard.players import dealers_act
from cribboard.referee.answers import answer
from cribboard.referee.outcomes import Act
from cribboard.referee.pegs import pack_match
from cribboard.referee.referee import Referee
from cribboard.referee.setup import Setup
from cribboard.referee.state import state
from cribboard_core.cards import cards_text
from cribboard_core.events import DEAL, NEW, PEG, UNDO
from cribboard_core.match import Match

PONE, DEALER = "4C 5C 6C JC", "4D 5D 6D QH"
PACK = cards_text(list(range(52)))
OTHER = cards_text(list(reversed(range(52))))


def dealt_table(*acts: Act) -> Referee:
    """A table whose cards the program deals, after these acts."""
    setup = Setup(("Ann", "Bob"), (0, 1), dealt=True)
    return Referee.replay(setup, pack_match(Match(121, 3, 2)), acts)


def test_undo_takes_an_act_back_with_all_that_it_pegged() -> None:
    table = Table(rev=70_000)
    table.deal("JS")
    table.lay("5C", "TD", "5H", "4C", "3D", "go", "go", "6D")
    for text in ("Ann plays 6D: six.", "Bob says go.", "Ann says go."):
        table.act("undo")
        assert table.said == [f"Taken back: {text}"]
    table.act("undo")
    assert (table.said, table.scores) == (["Taken back: Bob plays 3D: twenty-seven, a run of three for three."], [4, 0])
    table.act("undo")
    table.act("undo")
    assert answer(table.referee, "V") == "On the table: five of clubs, ten of diamonds; fifteen."
    rev = table.referee.match.rev
    table.act("undo")
    assert table.said == ["Taken back: Ann plays TD: fifteen for two."]
    assert table.referee.match.rev == rev + 1
    assert table.commands == [("undo", 70_003)]
    assert table.events == [(UNDO, 0, 0, 70_003 & 0xFFFF, 0)]
    table.act("undo")
    table.act("undo")
    assert (table.said, table.scores) == (["Taken back: The starter is JS."], [0, 0])
    table.act("undo")
    assert table.said == ["Taken back: Deal 1: Ann deals."]
    table.act("undo")
    assert (table.said, table.referee.phase) == (["Taken back: New game to 121: Ann deals first."], "cut")
    assert table.refused("undo") == "there is nothing to take back in this game"
    assert fingerprint(table.replayed()) == fingerprint(table.referee)


def test_undo_opens_a_won_game_again() -> None:
    table = Table(target=61)
    table.act("set", 0, 59, 50)
    table.deal("JS")
    assert table.referee.phase == "won"
    assert table.said == ["The starter is JS.", "A jack: nibs for Ann, two."]
    table.act("undo")
    assert (table.referee.phase, table.scores) == ("starter", [59, 0])
    table.act("starter", "QS")
    assert table.referee.phase == "play"


def test_cards_that_the_program_dealt_come_again_after_undo() -> None:
    discards: list[Act] = [["discard", 1, "AC AH"], ["discard", 0, "AD AS"]]
    referee = dealt_table(["new", 0], ["deal", PACK], *discards, ["starter", "KS"])
    for _ in range(4):
        referee.act(["undo"])
    with pytest.raises(ValueError, match="the deal was taken back, so the same cards come again"):
        referee.act(["deal", OTHER])
    referee = Referee.replay(referee.setup, referee.pegs.base, referee.acts)  # the log knows it as well
    chance = random.Random(1)
    assert dealers_act(referee, chance) == ["deal", PACK]
    referee.act(["deal", PACK])
    for act in (["discard", 1, "2C 2H"], ["discard", 0, "2D 2S"]):
        referee.act(act)
    with pytest.raises(ValueError, match="the starter was taken back, so the same cards come again"):
        referee.act(["starter", "KH"])
    assert dealers_act(referee, chance) == ["starter", "KS"]


def test_a_deal_that_was_never_dealt_is_new() -> None:
    referee = dealt_table(["new", 0], ["deal", PACK], ["set", 0, 121, 0], ["undo"], ["set", 1, 121, 0], ["new", 0])
    chance = random.Random(1)
    packs = [dealers_act(referee, chance), dealers_act(referee, chance)]
    assert packs[0] != packs[1]
    assert ["deal", PACK] not in packs
    with pytest.raises(ValueError, match="the program deals here and never misdeals"):
        dealt_table(["new", 0], ["deal", PACK], ["misdeal"])


def test_cards_of_a_game_that_cannot_come_back_are_not_dealt_again() -> None:
    acts: list[Act] = [["new", 0], ["deal", PACK], ["set", 1, 121, 0], ["new", 0], ["deal", OTHER]]
    referee = dealt_table(*acts, ["penalty", 0, 5, 0], *[["undo"]] * 3)
    assert (referee.phase, referee.winners) == ("cut", [1])
    referee.act(["new", 1])
    assert referee.again("deal") == ["deal", OTHER]


def test_a_table_that_deals_its_own_cards_may_correct_the_starter() -> None:
    table = Table()
    table.deal("JS")
    table.act("undo")
    table.act("starter", "QS")
    assert table.said == ["The starter is QS."]


@pytest.mark.parametrize("closing", [("4D",), ("4D", "5H")])
def test_what_was_told_as_missed_cannot_be_called_after_undo(closing: tuple[str, ...]) -> None:
    table = Table("counting=manual muggins=on")
    table.deal()
    table.lay("5C", "TD")
    assert state(table.referee)["open"] == 0
    assert table.lay(*closing)[0] == "Nobody called the two that Ann missed."
    for _ in closing:
        table.act("undo")
    assert state(table.referee)["open"] is None
    assert table.refused("muggins", 1, 2) == "there is nothing to call muggins on; it closes at the next card or count"
    assert fingerprint(table.replayed()) == fingerprint(table.referee)
    table.act("undo")
    table.lay("TD")  # another claim, which can be called
    table.act("muggins", 1, 2)
    assert table.scores == [0, 2]


def test_a_wrong_call_before_it_was_told_stays_when_the_next_card_is_taken_back() -> None:
    table = Table("counting=manual muggins=on")
    table.deal()
    table.lay("5C", "TD")
    table.act("muggins", 1, 3)
    table.lay("4D")
    table.act("undo")
    assert (table.scores, state(table.referee)["open"]) == ([3, 0], None)


def test_a_claim_of_which_nothing_was_told_is_open_again_after_undo() -> None:
    table = Table("counting=manual muggins=on")
    table.deal()
    table.lay("5C", "TD 2", "4D")
    table.act("undo")
    assert state(table.referee)["open"] == 0
    table.act("muggins", 1, 2)
    assert table.said == ["Bob calls two that Ann has not missed, and gives them away."]


def test_undo_names_the_act_and_not_what_it_closed() -> None:
    table = Table("counting=manual muggins=on")
    table.deal()
    table.lay("5C", "TD", "TS 2")
    assert table.referee.newest() == "Bob plays TS: twenty-five, and claims two."
    table.act("undo")
    assert table.said == ["Taken back: Bob plays TS: twenty-five, and claims two."]


def test_the_cut_is_taken_back_and_another_deals() -> None:
    table = Table(rev=10)
    table.act("undo")
    assert (table.referee.phase, table.referee.begun, table.commands) == ("cut", False, [("undo", 11)])
    table.act("cut", "9H 2C")
    table.deal("JS")
    assert table.scores == [0, 2]
    table.act("undo")
    table.act("undo")
    table.act("undo")  # the board has let the game before go, since somebody had scored
    assert (table.said, table.commands) == (["Taken back: Bob cuts the lowest card and deals first."], [])
    assert (table.referee.phase, table.referee.begun) == ("cut", True)
    table.act("new", 0)
    assert [event[:2] for event in table.events] == [(NEW, 0)]
    assert fingerprint(table.replayed()) == fingerprint(table.referee)


def test_a_new_game_is_taken_back_to_the_won_one_until_somebody_scores() -> None:
    table = Table(target=61)
    table.deal()
    table.lay("5C", "TD")
    table.act("set", 0, 61, 50)
    table.act("new", 1)
    table.act("undo")
    assert (table.referee.phase, table.scores, table.referee.match.won(0)) == ("won", [61, 0], 1)
    assert answer(table.referee, "S") == "Ann 61, Bob 0; the game is to 61."
    table.act("undo")
    assert (table.referee.phase, table.scores) == ("play", [2, 0])
    table.act("set", 0, 61, 50)
    table.act("new", 1)
    table.deal("JS")
    for _ in range(3):
        table.act("undo")
    assert (table.said, table.commands) == (["Taken back: New game to 61: Bob deals first."], [])
    assert table.refused("undo") == "there is nothing to take back in this game"
    assert (table.referee.phase, table.referee.winners, table.scores) == ("cut", [0], [0, 0])
    table.act("new", 0)
    assert fingerprint(table.replayed()) == fingerprint(table.referee)


def test_presses_before_the_first_card_are_taken_back_before_the_cut() -> None:
    table = Table(rev=10)
    table.act("board", PEG, 1, 3, 0, 0)
    table.act("undo")
    assert table.said == ["Taken back: what happened on the board."]
    table.act("undo")
    assert (table.said, table.commands) == (["Taken back: New game to 121: Ann deals first."], [])


def test_a_deal_passed_on_by_a_button_is_noticed_until_it_is_right() -> None:
    table = Table()
    table.deal()
    assert table.referee.board_dealer == -1
    table.act("board", DEAL, 1, 0, 0, 0)
    assert table.referee.board_dealer == 1
    assert answer(table.referee, "B") == "The crib is Ann's, although the board shows Bob's."
    table.act("undo")
    assert (table.referee.board_dealer, answer(table.referee, "B")) == (-1, "The crib is Ann's.")
    table.play_out(PONE, DEALER)
    for act in (["show"], ["show"], ["crib", "2S 3S KS 7H"], ["board", DEAL, 1, 0, 0, 0]):
        table.act(*act)
    assert table.referee.board_dealer == -1  # the next deal is Bob's
    table.act("deal", None)
    assert table.referee.board_dealer == -1
