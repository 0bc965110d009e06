"""The play: what each card pegs, go and the last card, whose turn it is."""

from __future__ import annotations

import itertools
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cribboard_core.cards import CardError, card_name, cards_text, parse_card, parse_cards, pips
from cribboard_core.play import NOBODY, UNSEEN, Play, PlayError, pile_points, replay
from cribboard_core.sizes import deal_sizes
from cribboard_core.variants import VariantError

VECTORS = Path(__file__).parent / "vectors"
PILES = json.loads((VECTORS / "piles.json").read_text("utf-8"))
PLAYS = json.loads((VECTORS / "plays.json").read_text("utf-8"))


def points_of(text: str) -> int:
    return pile_points(parse_cards(text))[0]


def play_of(*hands: str, dealer: int = 0) -> Play:
    return Play(dealer, [parse_cards(hand) for hand in hands])


def lay(play: Play, *moves: str) -> list[tuple[int, int, int, int]]:
    """Play moves like `1 5C` and return their rows."""
    return [play.play(int(move[0]), parse_card(move[2:])) for move in moves]


# The points of one card


@pytest.mark.parametrize("case", PILES, ids=lambda case: f"{case['why']}: {case['in']}")
def test_the_last_card_of_a_count_pegs_as_the_vectors_say(case: dict[str, Any]) -> None:
    points, parts = pile_points(parse_cards(case["in"]))
    assert points == case["out"]["points"]
    assert [[kind, some, cards_text(cards)] for kind, some, cards in parts] == case["out"]["parts"]


def slow_points(cards: list[int]) -> int:
    """The same from the words of the rules."""
    ranks = [card // 4 for card in cards]
    alike = len(list(itertools.takewhile(lambda rank: rank == ranks[-1], reversed(ranks))))
    tails = [sorted(ranks[-length:]) for length in range(len(ranks), 2, -1)]
    run = next((len(tail) for tail in tails if tail == list(range(tail[0], tail[0] + len(tail)))), 0)
    total = sum(min(rank + 1, 10) for rank in ranks)
    return {15: 2, 31: 2}.get(total, 0) + {1: 0, 2: 2, 3: 6, 4: 12}[alike] + run


@given(st.permutations(range(52)), st.integers(0, 9))
def test_any_count_pegs_as_the_slow_count_does(pack: list[int], first_rank: int) -> None:
    """Ranks near each other make runs and sets likely."""
    pile: list[int] = []
    for card in [card for card in pack if first_rank <= card // 4 < first_rank + 4]:
        if sum(pips(other) for other in pile) + pips(card) <= 31:
            pile.append(card)
            points, parts = pile_points(pile)
            assert points == slow_points(pile) == sum(part[1] for part in parts)


def test_a_repeated_rank_breaks_a_run() -> None:
    assert points_of("5H 4C 6S") == 5
    assert points_of("5H 4C 6S 6D") == 2


def test_a_later_card_can_make_a_shorter_run() -> None:
    assert [points_of(text) for text in ("2C 3D 5H 4S", "2C 3D 5H 4S 3C")] == [4, 3]


def test_the_longest_run_only_counts() -> None:
    assert [points_of(text) for text in ("8C 6D 4H 5S", "8C 6D 4H 5S 7C")] == [3, 5]


def test_a_run_of_seven_is_possible() -> None:
    assert points_of("AC 2D 3H 4S 5C 6D 7H") == 7
    assert points_of("7C AD 6H 2S 5C 3D 4H") == 7


def test_a_count_past_31_and_an_empty_one_are_refused() -> None:
    with pytest.raises(PlayError, match="KC QD JH 2S come to 32; the count stops at 31"):
        points_of("KC QD JH 2S")
    with pytest.raises(PlayError, match="no card has been played"):
        points_of("")
    with pytest.raises(CardError, match="the count has 5H twice"):
        pile_points([18, 18])


# The state of the play


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
    with pytest.raises(PlayError, match="seat 1 does not hold KC; it holds QC 2D 3H 4S"):
        lay(play, "1 KC")
    lay(play, "1 QC")
    with pytest.raises(PlayError, match="seat 1 does not hold QC; it holds 2D 3H 4S"):
        lay(play, "1 QC")


def test_a_card_past_31_is_refused() -> None:
    play = play_of("KC KD AH KS", "QC QD QH QS")
    lay(play, "1 QC", "0 KC", "1 QD")
    with pytest.raises(PlayError, match="KD would take the count from 30 to 40; it may not pass 31"):
        lay(play, "0 KD")
    with pytest.raises(PlayError, match="QH would take the count from 30 to 40; it may not pass 31"):
        lay(play, "1 QH")


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
    with pytest.raises(PlayError, match="seat 1 does not hold 5S; it holds no more cards"):
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


# Whole plays


@pytest.mark.parametrize("case", PLAYS, ids=lambda case: case["why"])
def test_recorded_plays_count_as_the_vectors_say(case: dict[str, Any]) -> None:
    if "error" in case:
        with pytest.raises(ValueError) as refused:
            replay(case["in"])
        assert str(refused.value) == case["error"]
    else:
        assert replay(case["in"]) == case["out"]


def told(hands: list[list[int]], dealer: int, choose: Any) -> list[list[int]]:
    """The play as people do it: each in turn plays or says go; when all have said go, the last to play pegs one."""
    held = [list(hand) for hand in hands]
    rows: list[list[int]] = []
    pile: list[int] = []
    seat, said_go = (dealer + 1) % len(hands), 0
    while any(held):
        fits = [card for card in held[seat] if sum(map(pips, pile)) + pips(card) <= 31]
        if fits:
            card = choose(fits)
            held[seat].remove(card)
            pile.append(card)
            rows.append([seat, card, sum(map(pips, pile)), slow_points(pile), 0, 0])
            said_go = 0
        else:
            said_go += 1
        if rows and (rows[-1][2] == 31 or said_go == len(hands)) and pile:
            rows[-1][4] = int(rows[-1][2] < 31)
            rows[-1][5] = int(any(held))
            pile, said_go, seat = [], 0, rows[-1][0]
        seat = (seat + 1) % len(hands)
    if rows[-1][2] < 31:
        rows[-1][4] = 1
    return rows


@given(st.permutations(range(52)), st.integers(2, 6), st.data())
def test_any_play_goes_as_the_people_at_the_table_say(pack: list[int], players: int, data: st.DataObject) -> None:
    size = deal_sizes(players).hand
    hands = [pack[seat * size : seat * size + size] for seat in range(players)]
    dealer = data.draw(st.integers(0, players - 1))
    rows = told(hands, dealer, lambda fits: data.draw(st.sampled_from(fits)))
    record = {
        "players": players,
        "dealer": dealer,
        "hands": [[card_name(card) for card in hand] for hand in hands],
        "plays": [[row[0], card_name(row[1])] for row in rows],
    }
    counted = replay(record)
    assert counted["plays"] == [[row[0], card_name(row[1]), *row[2:]] for row in rows]
    pegged = [sum(row[3] + row[4] for row in rows if row[0] == seat) for seat in range(players)]
    assert counted["pegged"] == pegged
    assert sum(pegged) >= 1


def test_plays_may_stop_before_the_cards_are_out() -> None:
    hands = ["KC KD KH KS", ["QC", "QD", "QH", "QS"]]
    record = {"players": 2, "dealer": 0, "hands": hands, "plays": [(1, "QC")]}
    assert replay(record) == {"plays": [[1, "QC", 10, 0, 0, 0]], "pegged": [0, 0]}
    assert replay({**record, "plays": []}) == {"plays": [], "pegged": [0, 0]}


GOOD = {"players": 2, "dealer": 0, "hands": ["KC KD KH KS", "QC QD QH QS"], "plays": [[1, "QC"]]}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"hands": 5}, "hands is a list of hands"),
        ({"plays": "1 5C"}, "plays a list of moves"),
        ({"players": 3}, "there are 2 hands for 3 players; each player has one"),
        ({"dealer": "0"}, "a dealer is a number from 0, not '0'"),
        ({"dealer": 2}, "there is no dealer 2; the seats are 0 to 1"),
        ({"hands": [5, 6]}, r"a hand is a list of cards like \['5C', '5D'\], not 5"),
        ({"hands": [[5], [6]]}, "5 is not text"),
        ({"plays": [[1]]}, "play 1 is not a seat and a card"),
        ({"plays": [7]}, "play 1 is not a seat and a card"),
        ({"plays": [[1, "QC"], ["0", "KC"]]}, "play 2: a seat is a number from 0, not '0'"),
        ({"plays": [[1, "1X"]]}, "play 1: '1X' is not a card"),
        ({"plays": [[1, None]]}, "play 1: None is not text"),
    ],
)
def test_a_malformed_record_is_refused(change: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        replay({**GOOD, **change})


def test_a_record_lacks_nothing() -> None:
    with pytest.raises(PlayError, match="a play is an object with players, dealer, hands and plays"):
        replay([])  # type: ignore[arg-type]
    for key in GOOD:
        with pytest.raises(PlayError, match=f"the play lacks '{key}'"):
            replay({name: value for name, value in GOOD.items() if name != key})


def test_one_player_has_no_play() -> None:
    with pytest.raises(VariantError, match="cribbage is for 2 to 6 players, not 1"):
        Play(0, [[0, 1, 2, 3]])


# Hands that nobody shows


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
