"""The play with hands that nobody shows: go is said, and what is shown later tells whether that was right."""

from __future__ import annotations

from typing import Any

import pytest
from core.plays import lay, play_of
from hypothesis import given
from hypothesis import strategies as st

from cribboard_core.cards import CardError, parse_card, parse_cards
from cribboard_core.pile import PlayError
from cribboard_core.play import NOBODY, UNSEEN, Play
from cribboard_core.sizes import deal_sizes


def unseen(players: int = 2, dealer: int = 0, out: tuple[int, ...] = ()) -> Play:
    return Play(dealer, [[UNSEEN] * deal_sizes(players).hand for _ in range(players)], out)


def test_an_unseen_hand_may_play_any_card_and_says_go_itself() -> None:
    play = unseen()
    assert (play.turn, play.legal(1), play.may_play(1)) == (1, [], True)
    assert lay(play, "1 KC", "0 QC", "1 9D") == [(10, 0, 0, 0), (20, 0, 0, 0), (29, 0, 0, 0)]
    assert play.turn == 0
    assert play.go(0) == NOBODY
    assert (play.turn, play.count) == (1, 29)
    assert lay(play, "1 AC") == [(30, 0, 0, 0)]
    assert play.go(1) == 1
    assert (play.turn, play.count, play.pegged) == (0, 0, [0, 1])
    assert play.rows[-1] == (1, parse_card("AC"), 30, 0, 1, 1)
    assert play.hands == [[UNSEEN] * 3, [UNSEEN]]


def test_the_last_card_of_unseen_hands_pegs_without_a_go() -> None:
    play = unseen()
    rows = lay(play, "1 KC", "0 QC", "1 JC", "0 AC", "1 KD", "0 QD", "1 9D", "0 AD")
    assert (rows[3], rows[-1], play.turn) == ((31, 2, 0, 1), (30, 0, 1, 0), NOBODY)
    with pytest.raises(PlayError, match="seat 0 cannot say go: all cards are out and the play is over"):
        play.go(0)


def test_a_known_hand_says_go_by_itself_beside_an_unseen_one() -> None:
    play = Play(0, [parse_cards("KC QC JC 9C"), [UNSEEN] * 4])
    lay(play, "1 KD", "0 KC", "1 9D")
    assert (play.turn, play.passed) == (1, [0])
    assert play.go(1) == 1
    assert play.turn == 0


def test_who_is_passed_over_is_told_once() -> None:
    play = play_of("AC AD KH 7S", "QC 8D QH JS")
    lay(play, "1 QC", "0 KH", "1 8D", "0 AC")
    assert (play.passed, play.turn) == ([1], 0)
    lay(play, "0 AD")
    assert play.passed == []


@pytest.mark.parametrize(
    ("moves", "go", "why"),
    [
        ([], 1, "seat 1 cannot say go at 0; every card fits, and who can play must"),
        (["1 KC", "0 AD", "1 QC"], 0, "seat 0 cannot say go at 21; every card fits"),
        (["1 KC", "0 QC"], 0, "it is seat 1's turn, not seat 0's; turns go clockwise and it plays or says go"),
        ([], 2, "there is no seat 2; the seats are 0 to 1"),
    ],
)
def test_a_go_that_cannot_be_is_refused(moves: list[str], go: int, why: str) -> None:
    play = unseen()
    lay(play, *moves)
    with pytest.raises(PlayError, match=why):
        play.go(go)


def test_who_shows_a_card_that_fits_cannot_say_go() -> None:
    play = Play(0, [[UNSEEN] * 4, [UNSEEN, UNSEEN, UNSEEN, parse_card("2C")]])
    lay(play, "1 KC", "0 QC")
    with pytest.raises(PlayError, match="it is seat 1's turn, not seat 0's; turns go clockwise and who can play must"):
        play.play(0, parse_card("JD"))
    lay(play, "1 8D")
    play.go(0)
    with pytest.raises(PlayError, match="seat 1 cannot say go at 28; who can play must, here 2C"):
        play.go(1)


@pytest.mark.parametrize(
    ("card", "why"),
    [
        ("KC", "KC was played by seat 1; a pack has each card once"),
        ("5D", "5D is the starter or out of play; a pack has each card once"),
        ("7D", "7D is in the hand of seat 2; a pack has each card once"),
    ],
)
def test_an_unseen_card_cannot_be_one_that_is_elsewhere(card: str, why: str) -> None:
    hands = [[UNSEEN] * 4, [UNSEEN] * 4, parse_cards("7D 7H 7S 7C")]
    play = Play(0, hands, (parse_card("5D"),))
    lay(play, "1 KC", "2 7H")
    with pytest.raises(PlayError, match=why):
        play.play(0, parse_card(card))


def test_unseen_hands_have_their_size_and_known_cards_once() -> None:
    with pytest.raises(PlayError, match="the hand of seat 1 has 3 cards; with 2 players it has 4"):
        Play(0, [[UNSEEN] * 4, [UNSEEN] * 3])
    with pytest.raises(CardError, match="the hand of seat 0 has 5H twice"):
        Play(0, [[18, 18, UNSEEN, UNSEEN], [UNSEEN] * 4])


def test_a_card_that_fitted_at_a_go_is_found_when_it_is_shown() -> None:
    play = unseen()
    lay(play, "1 KC", "0 QC", "1 2D")
    play.go(0)
    play.go(1)
    lay(play, "0 5C", "1 KD", "0 4C")
    assert play.reneges == [(0, parse_card("5C"), 22), (0, parse_card("4C"), 22)]
    lay(play, "1 KH")
    play.go(0)
    assert play.reneges[2:] == []
    lay(play, "0 AC")
    assert play.reneges[2:] == [(0, parse_card("AC"), 29)]


@given(st.permutations(range(52)), st.sampled_from((2, 3, 4, 6)), st.randoms(use_true_random=False))
def test_an_unseen_play_pegs_what_the_same_play_with_known_hands_does(pack: list[int], players: int, rng: Any) -> None:
    size = deal_sizes(players).hand
    known = Play(0, [pack[seat * size : (seat + 1) * size] for seat in range(players)])
    blind = unseen(players)
    while known.turn != NOBODY:
        while blind.turn != known.turn or (blind.count and not known.count):
            blind.go(blind.turn)
        card = rng.choice(known.legal(known.turn))
        blind.play(known.turn, card)
        known.play(known.turn, card)
        while blind.turn != NOBODY and (blind.turn, blind.count) != (known.turn, known.count):
            blind.go(blind.turn)
    assert (blind.rows, blind.pegged, blind.reneges) == (known.rows, known.pegged, [])
