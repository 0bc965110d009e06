"""The averages and the chances of all discards are those of counting every starter and every crib one by one."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cribboard.analyst.discard import Cribs, advice, best_first, discards, likely, sure
from cribboard.analyst.points import KEYS, RANKS, odds, points
from cribboard_core.aloud import sentence
from cribboard_core.cards import PACK_SIZE, CardError, card_name, cards_text, parse_card, parse_cards
from cribboard_core.show import count

# Every pair of them sorted: four jacks; one suit with the jack; one suit without; three of a rank; nothing special.
SIXES = ("JC JD JH JS 5C 5D", "2H 4H 6H 8H TH JH", "AS 2S 3S 7S 9S KS", "5C 5D 5H TS QC KD", "2C 4D 7H 9S QC KD")


def unseen(dealt):
    return [card for card in range(PACK_SIZE) if card not in dealt]


def cribs_one_by_one(count_points, dealt, thrown):
    """Of 46 starters and 990 discards of an opponent, how many make each number of points."""
    ways = Counter()
    for starter in unseen(dealt):
        for others in combinations(unseen([*dealt, starter]), 4 - len(thrown)):
            ways[count_points([*thrown, *others], starter, True)] += 1
    return ways


def average(counts):
    return sum(number * ways for number, ways in counts.items()) / sum(counts.values())


def check_deal(dealt):
    cribs = Cribs(dealt)
    for each in discards(dealt):
        hands = Counter(points(each.kept, starter) for starter in unseen(dealt))
        fed = cribs_one_by_one(points, dealt, each.thrown)
        assert each.hand == pytest.approx(average(hands), abs=1e-12)
        assert each.crib == pytest.approx(average(fed), abs=1e-12)
        assert cribs.ways(each.thrown) == dict(sorted(fed.items()))


@pytest.mark.parametrize("six", SIXES)
def test_every_discard_of_six_is_as_counted_one_by_one(six):
    check_deal(parse_cards(six))


def test_a_discard_is_as_the_core_itself_counts_it_one_by_one():
    dealt = parse_cards("5H JH 6C 7D 8S KC")
    (thrown, _, hand, crib), *_ = discards(dealt)
    assert cards_text(thrown) == "5H JH"
    assert hand == sum(count(dealt[2:], starter).points for starter in unseen(dealt)) / 46
    fed = cribs_one_by_one(lambda *cards: count(*cards).points, dealt, thrown)
    assert fed.total() == 46 * 990
    assert crib == pytest.approx(average(fed), abs=1e-12)
    assert Cribs(dealt).ways(thrown) == dict(sorted(fed.items()))


def test_a_discard_of_five_is_as_counted_one_by_one():
    dealt = parse_cards("5H JH 6C 7D 8H")
    wanted = {thrown: cribs_one_by_one(points, dealt, [thrown]) for thrown in (dealt[0], dealt[1])}
    for each in discards(dealt)[:2]:
        assert each.crib == pytest.approx(average(wanted[each.thrown[0]]), abs=1e-12)
        assert Cribs(dealt).ways(each.thrown) == dict(sorted(wanted[each.thrown[0]].items()))


@settings(max_examples=20)
@given(st.lists(st.integers(0, 51), min_size=5, max_size=6, unique=True))
def test_the_ways_of_every_crib_have_the_average_that_is_told(dealt):
    cribs = Cribs(dealt)
    for each in discards(dealt):
        assert average(cribs.ways(each.thrown)) == pytest.approx(each.crib, abs=1e-12)
        assert odds(each.kept, each.thrown).average == pytest.approx(each.hand, abs=1e-12)


# what the other throws


THROWS = {KEYS[low] + KEYS[high]: 0.1 + (7 * low + 3 * high) % 11 for high in RANKS for low in range(high + 1)}


@pytest.mark.parametrize("six", SIXES)
def test_a_throw_counts_as_often_as_it_is_made(six):
    dealt = parse_cards(six)
    thrown, free = dealt[:2], unseen(dealt)
    counted = Counter()
    for starter in free:
        for others in combinations([card for card in free if card != starter], 2):
            key = sum(KEYS[card >> 2] for card in others)
            counted[points([*thrown, *others], starter, True)] += THROWS[key]
    ways = Cribs(dealt, THROWS).ways(thrown)
    assert sum(ways.values()) == pytest.approx(46 * 990)
    scale = 46 * 990 / counted.total()
    assert ways == pytest.approx({number: scale * counted[number] for number in sorted(counted)})
    assert list(ways) == sorted(ways)
    assert discards(dealt, THROWS)[0].crib == pytest.approx(average(counted))


@pytest.mark.parametrize("six", SIXES)
def test_throws_that_are_equally_often_are_those_at_random(six):
    dealt = parse_cards(six)
    for alike, each in zip(discards(dealt), discards(dealt, dict.fromkeys(THROWS, 2.5)), strict=True):
        assert (each.thrown, each.hand) == (alike.thrown, alike.hand)
        assert each.crib == pytest.approx(alike.crib)


def test_how_five_cards_are_thrown_is_not_known():
    with pytest.raises(CardError, match="the deal has only 5H 6C 7D 8S JH"):
        Cribs(parse_cards("5H 6C 7D 8S JH"), THROWS)


def test_six_cards_have_fifteen_discards_in_their_order():
    dealt = parse_cards("KC 5H 6C 7D 8S JH")
    choices = discards(dealt)
    assert [each.thrown for each in choices] == list(combinations(dealt, 2))
    assert all(sorted(each.thrown + each.kept) == sorted(dealt) for each in choices)


@pytest.mark.parametrize(
    ("dealt", "why"),
    [
        ([1, 2, 3, 4], "the deal has only AD AH AS 2C"),
        ([1, 2, 3, 4, 5, 6, 7], "the deal has 7 cards, 2S is one too many"),
        ([1, 2, 3, 4, 5, 5], "the deal has 2D twice"),
        ([1, 2, 3, 4, 5, 52], "the deal has 52, which is no card"),
    ],
)
def test_what_is_no_deal_is_refused(dealt, why):
    for function in (discards, Cribs):
        with pytest.raises(CardError, match=why):
            function(dealt)


def test_a_discard_of_other_cards_is_refused():
    with pytest.raises(CardError, match="the discard 5H KC is not among 5H 6C 7D 8S JH QC"):
        Cribs(parse_cards("5H 6C 7D 8S JH QC")).ways(parse_cards("5H KC"))
    with pytest.raises(CardError, match="the discard has only 5H"):
        Cribs(parse_cards("5H 6C 7D 8S JH QC")).ways(parse_cards("5H"))


def test_the_crib_counts_for_its_owner():
    dealt = parse_cards("5H 6C 7D 8S JH KC")
    own, theirs = best_first(dealt, True), best_first(dealt, False)
    assert cards_text(own[0].thrown) == "5H JH"
    assert cards_text(theirs[0].thrown) == "JH KC"
    assert [each.worth(True) for each in own] == sorted([each.hand + each.crib for each in own], reverse=True)
    assert [each.worth(False) for each in theirs] == sorted([each.hand - each.crib for each in theirs], reverse=True)


# odds


def test_odds_name_the_starters_of_each_number_of_points():
    chances = odds(parse_cards("5H5C5SJD"), parse_cards("KC QC"))
    assert (chances.unseen, min(chances.starters), max(chances.starters)) == (46, 14, 29)
    assert [card_name(card) for card in chances.starters[29]] == ["5D"]
    assert sorted(card for cards in chances.starters.values() for card in cards) == unseen(parse_cards("5H5C5SJDKCQC"))
    assert (chances.ways(0), chances.ways(29), chances.ways(30)) == (46, 1, 0)


def test_odds_of_a_crib_and_of_five_cards_go_by_their_rules():
    assert odds(parse_cards("2H4H6H8H")).starters.keys() >= {4}
    assert min(odds(parse_cards("2H4H6H8H"), crib=True).starters) == 0
    assert max(odds(parse_cards("4H4C5S5D6H")).starters) == 46


def test_odds_refuse_a_card_that_is_seen_in_two_places_or_leaves_no_starter():
    with pytest.raises(CardError, match="5H is in the hand and among the seen cards"):
        odds(parse_cards("5H5C5SJD"), parse_cards("5H"))
    with pytest.raises(CardError, match="the seen cards has 6H twice"):
        odds(parse_cards("5H5C5SJD"), [22, 22])
    with pytest.raises(CardError, match="no card is left to be the starter"):
        odds([0, 1, 2, 3], range(4, 52))


# advice


@given(st.lists(st.integers(0, 51), min_size=4, max_size=4, unique=True))
def test_what_the_kept_cards_are_sure_of_is_never_more_than_any_starter_makes(kept):
    show = sure(kept)
    assert show.points <= min(points(kept, starter) for starter in unseen(kept))
    assert {card for _, _, cards in show.parts for card in cards} <= set(kept)
    fifteens = sum(
        2
        for number in (2, 3, 4)
        for cards in combinations(kept, number)
        if sum(min((card >> 2) + 1, 10) for card in cards) == 15
    )
    assert show.fifteens == fifteens


@pytest.mark.parametrize(
    ("kept", "said"),
    [
        ("5H 6C 7D 8S", "fifteen two, and a run of four for six"),
        ("2H 4H 6H 8H", "a flush of four for four"),
        ("5C 5D 5H JS", "fifteen two, fifteen four, fifteen six, fifteen eight, and a pair royal for fourteen"),
        ("7C 7D 8H 9S", "fifteen two, fifteen four, and a double run of three for twelve"),
        ("AC 2D 7H QS", "nothing"),
    ],
)
def test_what_the_kept_cards_are_sure_of_is_said_aloud(kept, said):
    assert sentence(sure(parse_cards(kept))) == said


def test_the_advice_says_what_to_throw_and_why():
    hand = "it counts 9 or more in 52 %, 12 or more in 26 % and 14 in 13 %"
    crib = "it counts 4 or more in 51 %, 6 or more in 30 % and 9 or more in 12 %"
    assert advice(parse_cards("5H 6C 7D 8S JH KC"), False) == [
        "Throw JH KC to their crib.",
        "You keep 5H 6C 7D 8S, which count at least 6: fifteen two, and a run of four for six.",
        "With the starter the hand averages 9.65, from 8 to 14 (with 7C 7H 7S 8C 8D 8H).",
        f"The hand most often counts 8, in 48 % of all cases; {hand}.",
        "The crib gets 4.30 on average, against you, if every choice of its other cards is equally likely.",
        f"The crib most often counts 2, in 19 % of all cases; {crib}.",
        "Second best is to throw 8S KC, 0.64 worse: 1.58 less in the hand and 0.94 less in the crib.",
    ]


@pytest.mark.parametrize(
    ("ways", "said"),
    [
        ({7: 46}, "7, in 100 % of all cases"),
        ({0: 60, 2: 40}, "0, in 60 % of all cases; it counts 2 in 40 %"),
        ({0: 10, 2: 50, 4: 40}, "2, in 50 % of all cases; it counts 2 or more in 90 % and 4 in 40 %"),
        (
            {1: 50, 2: 25, 3: 15, 9: 10},
            "1, in 50 % of all cases; it counts 2 or more in 50 %, 3 or more in 25 % and 9 in 10 %",
        ),
        ({4: 94, 6: 6}, "4, in 94 % of all cases"),
    ],
)
def test_how_likely_each_score_of_a_crib_is_fits_one_sentence(ways, said):
    assert likely("crib", ways) == f"The crib most often counts {said}."


def test_the_advice_says_when_it_makes_no_difference_or_the_hand_has_nothing():
    lines = advice(parse_cards("5C 5S 7D TC JD QD"), True)
    assert (lines[0], lines[-1]) == ("Throw 5C 7D to your own crib.", "Throwing 5S 7D is just as good.")
    lines = advice(parse_cards("AC 2D QH KS 7C 9D"), False)
    assert lines[1] == "You keep AC 2D QH 7C, which count nothing by themselves."
    assert parse_card("KS") in best_first(parse_cards("AC 2D QH KS 7C 9D"), False)[0].thrown


def test_hand_and_crib_as_they_are_shown_add_up_to_the_total() -> None:
    shown = 0
    for own_crib in (True, False):
        for each in best_first(parse_cards("5H 6C 7D 8S JH KC"), own_crib):
            hand, crib, total = each.rounded(own_crib)
            assert f"{hand + crib:.2f}" == f"{total:.2f}" == f"{each.worth(own_crib):.2f}"
            assert max(abs(hand - each.hand), abs(abs(crib) - each.crib)) < 0.01
            shown += hand != round(each.hand, 2) or abs(crib) != round(each.crib, 2)
    assert shown  # plain rounding is a hundredth off for some
