"""The play with hands that are known: go and the last card, whose turn it is, what is refused."""

from __future__ import annotations

import pytest
from core.plays import lay, play_of

from cribboard_core.cards import CardError, parse_card
from cribboard_core.pile import PlayError
from cribboard_core.play import NOBODY, Play


def test_the_player_after_the_dealer_leads() -> None:
    assert play_of("KC KD KH KS", "QC QD QH QS").turn == 1
    assert play_of("KC KD KH KS", "QC QD QH QS", dealer=1).turn == 0


def test_31_pegs_two_and_no_go_and_the_count_restarts() -> None:
    play = play_of("KC 9D 2H 3S", "QC 2D 7H 8S")
    assert lay(play, "1 QC", "0 KC", "1 2D", "0 9D")[-1] == (31, 2, 0, 1)
    assert (play.count, play.pile, play.turn) == (0, [], 1)
    assert play.pegged == [2, 0]


def test_a_go_pegs_one_to_whoever_played_last_and_is_known_at_once() -> None:
    play = play_of("KC KD KH KS", "QC QD QH QS")
    assert lay(play, "1 QC", "0 KC", "1 QD") == [(10, 0, 0, 0), (20, 0, 0, 0), (30, 0, 1, 1)]
    assert play.turn == 0
    assert play.pegged == [0, 1]


def test_who_cannot_play_is_passed_over_while_another_can() -> None:
    play = play_of("AC AD KH KS", "QC QD QH JS")
    lay(play, "1 QC", "0 KH", "1 QD")
    assert play.turn == 0
    assert lay(play, "0 AC") == [(31, 2, 0, 1)]
    assert play.turn == 1


def test_the_same_player_plays_on_after_a_go_as_long_as_the_cards_fit() -> None:
    play = play_of("AC AD KH 7S", "QC 8D QH JS")
    lay(play, "1 QC", "0 KH", "1 8D")
    assert lay(play, "0 AC", "0 AD") == [(29, 0, 0, 0), (30, 2, 1, 1)]
    assert play.turn == 1


def test_the_same_player_leads_again_when_only_he_has_cards() -> None:
    play = play_of("KC KD KH KS", "QC 9D AH 5S")
    lay(play, "1 QC", "0 KC", "1 9D", "1 AH", "0 KD", "1 5S")
    assert lay(play, "0 KH") == [(25, 0, 1, 1)]
    assert play.turn == 0
    assert lay(play, "0 KS") == [(10, 0, 1, 0)]


def test_the_restarted_count_goes_to_the_next_player_clockwise_with_cards() -> None:
    play = play_of("KC KD KH KS", "QC QD QH QS", "JC JD JH JS")
    lay(play, "1 QC", "2 JC", "0 KC")
    assert (play.turn, play.count) == (1, 0)


def test_pairs_and_runs_look_only_within_the_count() -> None:
    play = play_of("KC KH QH QS", "QC KD JD JS")
    assert lay(play, "1 QC", "0 KC", "1 KD", "0 KH")[-2:] == [(30, 2, 1, 1), (10, 0, 0, 0)]
    play = play_of("JD KS KC KD", "TC QH QC QD")
    assert lay(play, "1 TC", "0 JD", "1 QH", "0 KS")[-2:] == [(30, 3, 1, 1), (10, 0, 0, 0)]


@pytest.mark.parametrize(
    ("dealers", "others", "moves", "last"),
    [
        ("KH QD QH 9S", "KC KD QC 7C", "1 KC,0 KH,1 KD,0 QD,1 QC,0 QH,1 7C,0 9S", (16, 0, 1, 0)),
        ("KH QD QH 8S", "KC KD QC 7C", "1 KC,0 KH,1 KD,0 QD,1 QC,0 QH,1 7C,0 8S", (15, 2, 1, 0)),
        ("KC QD 9C 3S", "KH TD 9S AS", "1 KH,0 KC,1 TD,1 AS,0 QD,1 9S,0 9C,0 3S", (31, 2, 0, 0)),
    ],
    ids=["below 31 pegs one", "at 15 pegs three", "at 31 pegs two"],
)
def test_the_last_card_of_the_deal(dealers: str, others: str, moves: str, last: tuple[int, int, int, int]) -> None:
    play = play_of(dealers, others)
    assert lay(play, *moves.split(","))[-1] == last
    assert play.turn == NOBODY


def test_only_the_holder_of_the_turn_plays_and_the_message_says_who() -> None:
    play = play_of("KC KD KH KS", "QC QD QH QS")
    with pytest.raises(PlayError) as refused:
        lay(play, "0 KC")
    assert str(refused.value) == (
        "it is seat 1's turn, not seat 0's; turns go clockwise and who can play must, here one of QC QD QH QS"
    )


def test_a_card_not_held_is_refused() -> None:
    play = play_of("KC KD KH KS", "QC 2D 3H 4S")
    with pytest.raises(PlayError, match="seat 1 does not hold KC; the hand is QC 2D 3H 4S"):
        lay(play, "1 KC")
    lay(play, "1 QC")
    with pytest.raises(PlayError, match="seat 1 does not hold QC; the hand is 2D 3H 4S"):
        lay(play, "1 QC")


def test_a_card_past_31_is_refused() -> None:
    play = play_of("KC KD AH KS", "QC QD QH QS")
    lay(play, "1 QC", "0 KC", "1 QD")
    with pytest.raises(PlayError, match="KD would take the count from 30 to 40; it may not pass 31"):
        lay(play, "0 KD")
    with pytest.raises(PlayError, match="QH would take the count from 30 to 40; it may not pass 31"):
        lay(play, "1 QH")


def test_the_lowest_card_past_31_is_refused() -> None:
    play = play_of("KC 2H AH KS", "QC QD QH QS")
    lay(play, "1 QC", "0 KC", "1 QD")
    with pytest.raises(PlayError, match="2H would take the count from 30 to 32; it may not pass 31"):
        lay(play, "0 2H")


def test_who_can_play_must_play() -> None:
    """Nobody passes for seat 0, who holds an ace at 30: the turn does not move on."""
    play = play_of("KC KD AH KS", "QC 9D AS QS")
    lay(play, "1 QC", "0 KC", "1 9D")
    with pytest.raises(PlayError, match=r"it is seat 0's turn, not seat 1's; .* who can play must, here one of AH"):
        lay(play, "1 AS")


def test_seats_and_cards_that_do_not_exist_are_refused() -> None:
    play = play_of("KC KD KH KS", "QC QD QH QS")
    for seat in (-1, 2, True, "1", None):
        with pytest.raises(PlayError, match=r"there is no seat .*; the seats are 0 to 1"):
            play.play(seat, 0)  # type: ignore[arg-type]
    with pytest.raises(CardError, match="the play has 52, which is no card"):
        play.play(1, 52)
    for dealer in (-1, 2, True, None):
        with pytest.raises(PlayError, match=r"there is no dealer .*; the seats are 0 to 1"):
            Play(dealer, [[0, 1, 2, 3], [4, 5, 6, 7]])  # type: ignore[arg-type]


def test_a_refused_card_changes_nothing() -> None:
    play = play_of("KC KD KH KS", "QC QD QH QS")
    with pytest.raises(PlayError):
        lay(play, "0 KC")
    assert (play.turn, play.count, play.pile, play.rows, play.pegged) == (1, 0, [], [], [0, 0])
    assert [len(hand) for hand in play.hands] == [4, 4]


def test_after_the_last_card_nothing_is_played() -> None:
    play = play_of("KH QD QH 9S", "KC KD QC 7C")
    lay(play, "1 KC", "0 KH", "1 KD", "0 QD", "1 QC", "0 QH", "1 7C", "0 9S")
    with pytest.raises(PlayError, match="seat 0 cannot play 9S: all cards are out and the play is over"):
        lay(play, "0 9S")


def test_who_has_played_out_holds_no_more_cards() -> None:
    play = play_of("KC KD KH KS", "QC 9D AH 5S")
    lay(play, "1 QC", "0 KC", "1 9D", "1 AH", "0 KD", "1 5S")
    with pytest.raises(PlayError, match="seat 1 does not hold 5S; the hand is empty"):
        lay(play, "1 5S")


def test_the_hands_handed_in_are_left_alone_and_the_parts_told() -> None:
    hands = [[51, 50, 49, 48], [36, 37, 38, 39]]
    play = Play(0, hands)
    play.play(1, 36)
    play.play(0, 51)
    assert [len(hand) for hand in hands] == [4, 4]
    assert play.parts == []
    again = play_of("5C 5D KH KS", "5H QD QH QS")
    lay(again, "1 5H", "0 5C")
    assert again.parts == [("pair", 2, (18, 16))]


@pytest.mark.parametrize(
    ("hands", "message"),
    [
        (("5C 5D 5H", "KC KD KH KS"), "the hand of seat 0 has only 5C 5D 5H; a hand is four different cards"),
        (("5C 5D 5H 5S", "KC KD KH KS 2C"), "the hand of seat 1 has 5 cards, 2C is one too many; a hand is four"),
        (("5C 5D 5H 5S", "KC 5H KD KS"), "seats 0 and 1 both hold 5H; a pack has each card once"),
    ],
)
def test_hands_of_a_wrong_size_and_shared_cards_are_refused(hands: tuple[str, ...], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        play_of(*hands)


def test_a_last_card_that_is_left_out_before_a_count_passes_the_turn_on() -> None:
    play = play_of("KC KD KH 5S", "QC QD QH 6S", dealer=1)
    lay(play, "0 KC", "1 QC", "0 KD", "1 QD", "0 KH", "1 QH")
    assert (play.turn, play.pile) == (0, [])
    assert play.leave_out(0, parse_card("5S")) == NOBODY
    assert (play.turn, play.hands) == (1, [[], [parse_card("6S")]])
