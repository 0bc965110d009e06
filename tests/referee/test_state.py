"""How a game stands: the object for programs, and the sentences for those who ask."""

from __future__ import annotations

import pytest
from referee.tables import Table

from cribboard.referee.answers import answer
from cribboard.referee.options import read_options
from cribboard.referee.outcomes import RefereeError
from cribboard.referee.pegs import pack_match
from cribboard.referee.referee import Referee
from cribboard.referee.setup import Setup
from cribboard.referee.state import may, state, turn_of
from cribboard.referee.wording import in_codes, in_words, ranks_as_codes, typed_in_codes
from cribboard_core.cards import PACK_SIZE, CardError, cards_text, parse_cards
from cribboard_core.match import Match

PONE, DEALER = "4C 5C 6C JC", "4D 5D 6D QH"


def cut_table(players: int = 2) -> Referee:
    setup = Setup(("Ann", "Bob", "Cleo")[:players], tuple(range(players)))
    return Referee(setup, pack_match(Match(121, setup.mask, players)))


def test_the_state_tells_all_but_the_hands() -> None:
    table = Table("counting=manual muggins=on time_limit=30")
    shown = state(table.referee)
    assert shown["options"] == read_options(["counting=manual", "muggins=on", "time_limit=30"]).to_json()
    assert (shown["phase"], shown["dealer"], shown["turn"], shown["starter"]) == ("deal", 0, None, None)
    assert (shown["count"], turn_of(table.referee), state(cut_table())["deal"]) == (0, -1, 0)
    table.deal("JS")
    table.lay("5C", "TD 2")
    shown = state(table.referee)
    assert shown["said"] == table.said
    assert (shown["turn"], shown["count"], shown["table"], shown["starter"]) == (1, 15, ["5C", "TD"], "JS")
    assert (shown["played"], shown["held"], shown["scores"]) == ([["TD"], ["5C"]], [3, 3], [4, 0])
    assert (shown["open"], shown["undo"]) == (0, "Ann plays TD: fifteen, and claims two.")
    assert shown["may"] == ["play", "muggins", "dealer", "dead_card", "penalty", "false", "set", "undo"]
    assert shown["rev"] == 3
    assert "hand" not in shown


CARDS = "four of clubs, five of clubs, six of clubs, jack of clubs"
NINE = "The starter is the nine of diamonds."
FIFTEEN = "On the table: five of clubs, ten of diamonds; fifteen."


@pytest.mark.parametrize(
    ("letter", "before", "playing", "showing"),
    [
        ("C", "Nothing is being counted.", "The count is fifteen.", f"Bob's hand is counted: {CARDS}."),
        ("B", "The crib is Ann's.", "The crib is Ann's.", "The crib is Ann's."),
        ("F", "No starter has been turned up.", NINE, NINE),
        ("V", "No cards are on the table.", FIFTEEN, "No cards are on the table."),
        ("S", "Ann 0, Bob 0; the game is to 121.", "Ann 2, Bob 0; the game is to 121.", None),
        ("T", "The next deal is due.", "It is Bob's turn to play.", "It is Bob's turn to count."),
        ("L", "It is not time to play a card.", "Bob can play any card.", "It is not time to play a card."),
    ],
)
def test_each_letter_answers_in_one_sentence(letter: str, before: str, playing: str, showing: str | None) -> None:
    table = Table()
    assert answer(table.referee, letter) == before
    table.deal()
    table.lay("5C", "TD")
    assert answer(table.referee, letter.lower()) == playing
    table = Table()
    table.deal()
    table.play_out(PONE, DEALER)
    if showing:
        assert answer(table.referee, letter) == showing


def test_cards_are_said_in_words_or_in_codes_and_names_stay() -> None:
    said = "Ann plays the ten of diamonds: fifteen for two; king of spades stays with the five of hearts"
    assert in_codes(said, ["Ann"]) == "Ann plays TD: fifteen for two; KS stays with 5H"
    assert in_words("Ann plays TD", ["Ann"]) == "Ann plays the ten of diamonds"
    assert in_codes("the two of clubs", ["the two of clubs"]) == "the two of clubs"
    assert typed_in_codes("the 5 of hearts and Q spades") == "5H QS"


def test_a_rank_alone_is_the_only_card_of_it_that_fits() -> None:
    fitting = parse_cards("4C 5C KH KS AD")
    assert ranks_as_codes("ace and 5 four, Q5", fitting[:2] + fitting[4:]) == "AD 5C four, Q5"
    for text, known, said in (
        ("king", fitting, "'king' can be KH or KS"),
        ("10", fitting, "no ten fits here"),
        ("a", None, "'a' needs its suit, like AH"),
    ):
        with pytest.raises(CardError, match=said):
            ranks_as_codes(text, known)


@pytest.mark.parametrize("dealer", [0, 1, 2])
def test_discards_are_asked_for_clockwise_from_the_dealers_left(dealer: int) -> None:
    setup = Setup(("Ann", "Bob", "Cleo"), (0, 1, 2), dealt=True)
    referee = Referee(setup, pack_match(Match(121, setup.mask, 3)))
    referee.act(["new", dealer])
    referee.act(["deal", cards_text(list(range(PACK_SIZE)))])
    for step in (1, 2, 3):
        seat = (dealer + step) % 3
        assert turn_of(referee) == seat
        round_ = referee.table.round
        assert round_ is not None
        referee.act(["discard", seat, cards_text(round_.deal.hands[seat][:1])])


def test_the_letters_answer_at_every_other_time() -> None:
    referee = cut_table()
    assert answer(referee, "B") == "Nobody has the crib yet."
    assert answer(referee, "S") == "No game has started."
    assert answer(referee, "T") == "Everybody cuts a card for the deal."
    table = Table()
    table.deal()
    table.lay("KC", "KD", "AC", "TD")
    turned = "king of clubs, king of diamonds, ace of clubs, ten of diamonds; thirty-one"
    assert answer(table.referee, "V") == f"The count starts again; turned over: {turned}."
    table.lay("JC", "JD", "JS", "go")
    turned = "jack of clubs, jack of diamonds, jack of spades; thirty"
    assert answer(table.referee, "V") == f"The count starts again; turned over: {turned}."
    table = Table()
    table.act("deal", None)
    assert answer(table.referee, "T") == "Ann turns the starter up."
    table.act("starter", "9D")
    assert answer(table.referee, "C") == "The count is nought."
    table.lay("KC", "KD", "AC")
    assert answer(table.referee, "L") == "Ann can play any card."
    table.lay("4C")
    assert answer(table.referee, "L") == "Bob can play a card that counts six or less, or says go."
    assert "go" in may(table.referee)
    table.act("undo")
    assert "go" not in may(table.referee)
    table = Table()
    table.deal()
    table.play_out(PONE, DEALER)
    table.act("show")
    table.act("show")
    assert answer(table.referee, "C") == "Ann's crib is counted; its cards are not known yet."
    assert answer(table.referee, "T") == "It is Ann's turn to turn the crib over."
    table.act("set", 0, 121, 0)
    assert answer(table.referee, "T") == "The game is won."
    assert answer(table.referee, "S").startswith("Ann 121, Bob ")


def test_the_lowest_card_can_be_the_starter() -> None:
    table = Table()
    table.deal("AC")
    assert answer(table.referee, "F") == "The starter is the ace of clubs."
    assert (state(table.referee)["starter"], state(table.referee)["winner"]) == ("AC", None)


def test_a_deal_waits_for_the_cut_and_for_the_end_of_the_deal_before() -> None:
    referee = cut_table()
    with pytest.raises(RefereeError, match=r"^cut for the deal first$"):
        referee.table.act(["deal", None])
    table = Table()
    table.deal()
    assert table.refused("deal", None) == "this deal is not over"


@pytest.mark.parametrize("target", [0, 60, 122])
def test_a_game_is_to_61_or_121(target: int) -> None:
    with pytest.raises(ValueError, match=str(target)):
        Setup(("Ann", "Bob"), (0, 1), 0, target)
