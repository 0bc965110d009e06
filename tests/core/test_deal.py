"""The deal: every phase for two to six players, and what each act scores."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cribboard_core.cards import CardError, parse_card, parse_cards
from cribboard_core.deal import Deal, DealError, first_dealer
from cribboard_core.show import Show
from cribboard_core.sizes import deal_sizes
from cribboard_core.variants import VariantError, team_choices

PACK = list(range(52))


def stacked(*hands: str, then: str, players: int = 2, dealer: int = 0) -> Deal:
    """A deal in which each seat gets these cards, and the next of the pack are those of `then`."""
    sizes = deal_sizes(players)
    piles = [parse_cards(hand) for hand in hands]
    top: list[int] = []
    for number in range(sizes.dealt):
        for step in range(players):
            pile = piles[(dealer + 1 + step) % players]
            top += pile[number : number + 1]
    top += parse_cards(then)
    return Deal(players, dealer, top + [card for card in PACK if card not in top])


def discard_all(deal: Deal) -> None:
    for seat in range(deal.players):
        if deal.to_discard(seat):
            deal.discard(seat, deal.hands[seat][-deal.to_discard(seat) :])


def finish_play(deal: Deal) -> list[tuple[int, str, int, object]]:
    events = []
    while deal.phase == "play":
        assert deal.game is not None
        events += deal.play(deal.turn, deal.game.legal(deal.turn)[0])
    return events


@pytest.mark.parametrize(("cuts", "seat"), [("5H KC", 0), ("KC AD", 1), ("KC QD 2H", 2), ("AC KD KH QS", 0)])
def test_the_lowest_card_cut_deals(cuts: str, seat: int) -> None:
    assert first_dealer(parse_cards(cuts)) == seat


def test_a_tie_for_the_lowest_cuts_again() -> None:
    assert first_dealer(parse_cards("5H 5C")) == -1
    assert first_dealer(parse_cards("2C KD 2H")) == -1


def test_a_cut_needs_a_different_card_from_each_player() -> None:
    with pytest.raises(CardError, match="the cut for deal has 5H twice"):
        first_dealer([18, 18])
    with pytest.raises(VariantError, match="cribbage is for 2 to 6 players, not 1"):
        first_dealer([18])


def test_cards_are_dealt_one_at_a_time_from_the_dealers_left() -> None:
    deal = Deal(2, 0, PACK)
    assert deal.hands == [[1, 3, 5, 7, 9, 11], [0, 2, 4, 6, 8, 10]]
    assert Deal(2, 1, PACK).hands == [[0, 2, 4, 6, 8, 10], [1, 3, 5, 7, 9, 11]]


def test_with_three_players_the_next_card_of_the_pack_completes_the_crib() -> None:
    deal = Deal(3, 2, PACK)
    assert deal.hands == [[0, 3, 6, 9, 12], [1, 4, 7, 10, 13], [2, 5, 8, 11, 14]]
    assert deal.crib == [15]


@pytest.mark.parametrize(("players", "dealt"), [(5, [5, 5, 4, 5, 5]), (6, [6, 6, 5, 6, 6, 6])])
def test_with_five_and_six_the_dealer_gets_one_less_and_lays_nothing_away(players: int, dealt: list[int]) -> None:
    deal = Deal(players, 2, PACK)
    assert [len(hand) for hand in deal.hands] == dealt
    assert [deal.to_discard(seat) for seat in range(players)] == [0 if seat == 2 else 1 for seat in range(players)]
    with pytest.raises(DealError, match=f"seat 2 has nothing to discard; with {players} players it gives 0"):
        deal.discard(2, [deal.hands[2][0]])


def test_the_discards_come_in_any_order_and_make_the_crib() -> None:
    deal = Deal(2, 0, PACK)
    assert deal.discard(0, [1, 3]) == []
    assert (deal.phase, deal.to_discard(0), deal.to_discard(1)) == ("discard", 0, 2)
    deal.discard(1, [10, 0])
    assert deal.phase == "cut"
    assert deal.crib == [1, 3, 10, 0]
    assert deal.hands == [[5, 7, 9, 11], [2, 4, 6, 8]]


@pytest.mark.parametrize(
    ("cards", "message"),
    [
        ([1], "the discard of seat 0 has only AD; a discard is two different cards"),
        ([1, 3, 5], "the discard of seat 0 has 3 cards, 2D is one too many; a discard is two different cards"),
        ([1, 1], "the discard of seat 0 has AD twice; a discard is two different cards"),
        ([1, 0], "seat 0 does not hold AC; the hand is AD AS 2D 2S 3D 3S"),
        ([1, 52], "the discard of seat 0 has 52, which is no card"),
    ],
)
def test_a_wrong_discard_is_refused_and_changes_nothing(cards: list[int], message: str) -> None:
    deal = Deal(2, 0, PACK)
    with pytest.raises(ValueError, match=message):
        deal.discard(0, cards)
    assert (deal.hands[0], deal.crib) == ([1, 3, 5, 7, 9, 11], [])


def test_nobody_discards_twice() -> None:
    deal = Deal(2, 0, PACK)
    deal.discard(0, [1, 3])
    with pytest.raises(DealError, match="seat 0 has nothing to discard; with 2 players it gives 2 to the crib"):
        deal.discard(0, [5, 7])


def test_a_jack_turned_up_gives_the_dealer_two() -> None:
    deal = stacked("AC AD AH AS 2C 2D", "3C 3D 3H 3S 4C 4D", then="KC JD")
    discard_all(deal)
    assert deal.cut(1) == [(0, "nibs", 2, parse_card("JD"))]
    assert deal.starter == parse_card("JD")


def test_any_other_starter_gives_nothing() -> None:
    deal = stacked("AC AD AH AS 2C 2D", "3C 3D 3H 3S 4C 4D", then="KC JD")
    discard_all(deal)
    assert deal.cut() == []
    assert deal.starter == parse_card("KC")


@pytest.mark.parametrize("at", [-1, 40, None, "0", True])
def test_the_pack_is_cut_where_there_are_cards(at: Any) -> None:
    deal = Deal(2, 0, PACK)
    discard_all(deal)
    with pytest.raises(DealError, match=r"the pack cannot be cut at .*; 40 cards are left"):
        deal.cut(at)


def test_the_play_yields_points_go_and_the_last_card() -> None:
    deal = stacked("KH QD QH 8S 2C 2D", "KC KD QC 7C 2H 2S", then="AC")
    discard_all(deal)
    deal.cut()
    assert deal.turn == 1
    plays = ["KC", "KH", "KD", "QD", "QC", "QH", "7C", "8S"]
    events = [deal.play(deal.turn, parse_card(name)) for name in plays]
    assert [[event[:3] for event in some] for some in events] == [
        [],
        [(0, "play", 2)],
        [(1, "play", 6), (1, "go", 1)],
        [],
        [(1, "play", 2)],
        [(0, "play", 6), (0, "go", 1)],
        [],
        [(0, "play", 2), (0, "last", 1)],
    ]
    assert events[1][0][3] == (parse_card("KH"), [("pair", 2, (48, 50))])
    assert events[2][1][3] == parse_card("KD")
    assert deal.phase == "show"


def test_a_card_that_the_play_forbids_is_refused() -> None:
    deal = Deal(2, 0, PACK)
    discard_all(deal)
    deal.cut()
    with pytest.raises(DealError, match="it is seat 1's turn, not seat 0's"):
        deal.play(0, deal.hands[0][0])


def test_the_play_is_not_ended_before_it_has_begun() -> None:
    deal = Deal(2, 0, PACK)
    with pytest.raises(DealError):
        deal.end_play()
    discard_all(deal)
    with pytest.raises(DealError):
        deal.end_play()


@pytest.mark.parametrize("dead", list(product([False, True], repeat=3)))
def test_the_show_goes_round_from_the_dealers_left_past_the_dead_and_ends_with_the_crib(dead: tuple[bool, ...]) -> None:
    deal = stacked("3C 3D AD 5S 6H KH", "7C 6D AH AS TD 8C", then="AC")
    discard_all(deal)
    deal.cut()
    if any(dead):
        deal.end_play()
    else:
        finish_play(deal)
    assert deal.game is not None
    assert deal.game.turn == -1
    scores = [(1, "hand", 12), (0, "hand", 4), (0, "crib", 2)]
    for at, passed in enumerate(dead):
        assert (deal.phase, deal.turn, deal.shows_crib) == ("show", scores[at][0], at == 2)
        assert [deal.has_shown(seat) for seat in (1, 0)] == [at > 0, at > 1]
        if passed:
            deal.pass_over()
            continue
        ((*shown, show),) = deal.show()
        assert tuple(shown) == scores[at]
        assert isinstance(show, Show)
        assert show.crib == (at == 2)
    assert (deal.phase, deal.turn) == ("over", -1)


def test_the_crib_needs_five_of_a_suit_for_its_flush() -> None:
    deal = stacked("3C 3D AD 5S 6H KH", "7C 6D AH AS TH 8H", then="9C")
    discard_all(deal)
    deal.cut()
    finish_play(deal)
    assert [deal.show()[0][1] for _ in range(2)] == ["hand", "hand"]
    (_, kind, _, show), *_ = deal.show()
    assert kind == "crib"
    assert isinstance(show, Show)
    assert show.flush == 0


def test_acts_out_of_their_time_are_refused_and_say_what_comes() -> None:
    deal = Deal(2, 0, PACK)
    for act in (deal.cut, deal.show, lambda: deal.play(1, 0)):
        with pytest.raises(DealError, match=r"this is not the time for the .*: the discards come first"):
            act()
    assert deal.turn == -1
    discard_all(deal)
    with pytest.raises(DealError, match="not the time for the discard: the pack is cut for the starter next"):
        deal.discard(0, [1, 3])
    deal.cut()
    with pytest.raises(DealError, match="not the time for the cut: the play is on"):
        deal.cut()
    finish_play(deal)
    with pytest.raises(DealError, match="not the time for the play: the hands are shown next"):
        deal.play(1, 0)
    for _ in range(3):
        deal.show()
    with pytest.raises(DealError, match="not the time for the show: the deal is over"):
        deal.show()


def test_the_deal_passes_clockwise() -> None:
    assert [Deal(3, dealer, PACK).next_dealer for dealer in range(3)] == [1, 2, 0]


def test_partners_score_for_one_side() -> None:
    assert [Deal(4, 0, PACK, teams=2).side(seat) for seat in range(4)] == [0, 1, 0, 1]
    assert [Deal(6, 0, PACK, teams=3).side(seat) for seat in range(6)] == [0, 1, 2, 0, 1, 2]
    assert [Deal(4, 0, PACK).side(seat) for seat in range(4)] == [0, 1, 2, 3]


def test_a_deal_needs_players_a_dealer_and_a_whole_pack() -> None:
    with pytest.raises(VariantError, match="cribbage is for 2 to 6 players, not 7"):
        Deal(7, 0, PACK)
    with pytest.raises(VariantError, match="5 players cannot make 2 teams"):
        Deal(5, 0, PACK, teams=2)
    for dealer in (-1, 2, None, True):
        with pytest.raises(DealError, match=r"there is no dealer .*; the seats are 0 to 1"):
            Deal(2, dealer, PACK)  # type: ignore[arg-type]
    with pytest.raises(CardError, match="the pack has only AC AD; a pack is 52 different cards"):
        Deal(2, 0, [0, 1])
    with pytest.raises(CardError, match="the pack has AC twice; a pack is 52 different cards"):
        Deal(2, 0, [0, 0, *PACK[2:]])
    with pytest.raises(DealError, match="there is no seat 2; the seats are 0 to 1"):
        Deal(2, 0, PACK).to_discard(2)


def test_the_pack_handed_in_and_the_hands_played_are_left_alone() -> None:
    pack = list(PACK)
    deal = Deal(3, 0, pack)
    discard_all(deal)
    deal.cut()
    hands = [list(hand) for hand in deal.hands]
    finish_play(deal)
    assert pack == PACK
    assert deal.hands == deal.kept == hands


@given(st.permutations(PACK), st.integers(2, 6), st.data())
def test_any_deal_runs_to_its_end_and_keeps_every_card(pack: list[int], players: int, data: st.DataObject) -> None:
    dealer = data.draw(st.integers(0, players - 1))
    deal = Deal(players, dealer, pack, data.draw(st.sampled_from(team_choices(players))))
    dealt = sorted(sum(deal.hands, deal.crib))
    assert dealt == sorted(pack[: len(dealt)])
    for seat in data.draw(st.permutations(range(players))):
        number = deal.to_discard(seat)
        if number:
            deal.discard(seat, data.draw(st.permutations(deal.hands[seat]))[:number])
    hands = [list(hand) for hand in deal.hands]
    assert sorted(sum(hands, deal.crib)) == dealt
    assert len(deal.crib) == deal.sizes.crib

    events = deal.cut(data.draw(st.integers(0, 51 - len(dealt))))
    assert deal.starter not in dealt
    assert bool(events) == (deal.starter // 4 == 10)
    events = finish_play(deal)
    assert len([event for event in events if event[1] == "last"]) <= 1
    assert deal.game is not None
    assert sum(deal.game.pegged) == sum(event[2] for event in events) >= 1

    shown = [deal.show()[0] for _ in range(players + 1)]
    order = [(dealer + 1 + step) % players for step in range(players)]
    assert [(seat, kind) for seat, kind, _, _ in shown] == [(seat, "hand") for seat in order] + [(dealer, "crib")]
    for seat, _, points, show in shown[:-1]:
        assert isinstance(show, Show)
        assert (sorted(show.hand), show.points) == (sorted(hands[seat]), points)
    assert deal.phase == "over"


# Cards of the table's own


def shown_deal() -> Deal:
    deal = Deal(2, 0, None)
    deal.turn_up(parse_card("JD"))
    for seat, card in ((1, "5C"), (0, "TC"), (1, "5H"), (0, "8H")):
        deal.play(seat, parse_card(card))
    return deal


def test_a_deal_that_nobody_shows_begins_with_the_starter() -> None:
    deal = Deal(5, 2, None)
    assert (deal.phase, deal.unseen, [len(hand) for hand in deal.hands], deal.crib) == ("cut", True, [4] * 5, [])
    assert Deal(2, 0, None).turn_up(parse_card("JD")) == [(0, "nibs", 2, parse_card("JD"))]
    assert Deal(2, 0, None).turn_up(parse_card("TD")) == []
    with pytest.raises(DealError, match="the pack is the table's own; turn a card up and name it"):
        Deal(2, 0, None).cut()


def test_a_starter_that_has_been_dealt_cannot_be_turned_up() -> None:
    deal = Deal(2, 0, PACK)
    discard_all(deal)
    with pytest.raises(DealError, match="AC is not in the pack any more; it has been dealt"):
        deal.turn_up(0)
    deal.turn_up(51)
    assert deal.starter == 51


def test_the_cards_played_are_the_hands_that_are_shown() -> None:
    deal = shown_deal()
    deal.go(1)
    deal.go(0)
    for seat, card in ((1, "TH"), (0, "2H"), (1, "5S"), (0, "3H")):
        deal.play(seat, parse_card(card))
    assert deal.phase == "show"
    assert deal.kept == [parse_cards("TC 8H 2H 3H"), parse_cards("5C 5H TH 5S")]
    assert [event[:3] for event in deal.show()] == [(1, "hand", 20)]
    assert [event[:3] for event in deal.show()] == [(0, "hand", 4)]
    assert deal.shows_crib
    with pytest.raises(DealError, match="the crib has not been turned over; name its cards first"):
        deal.show()
    for cards, why in (
        ("5D 6D 7D", "the crib has only 5D 6D 7D"),
        ("JD 6D 7D 9D", "JD is the starter"),
        ("6D 8H 7D 9D", "8H is in the hand of seat 0"),
    ):
        with pytest.raises(ValueError, match=why):
            deal.lay_open(parse_cards(cards))
    deal.lay_open(parse_cards("6D 7D 8D KS"))
    with pytest.raises(DealError, match="the crib is known: 6D 7D 8D KS"):
        deal.lay_open(parse_cards("6D 7D 8D KS"))
    assert [event[:3] for event in deal.show()] == [(0, "crib", 5)]
    assert not deal.shows_crib


def test_a_go_pegs_one_to_whoever_played_last_when_nobody_plays_on() -> None:
    deal = shown_deal()
    assert deal.go(1) == []
    assert deal.go(0) == [(0, "go", 1, parse_card("8H"))]
    with pytest.raises(DealError, match="seat 1 cannot say go at 0"):
        deal.go(1)


def test_a_card_that_is_left_out_counts_in_its_hand_and_ends_a_count_that_waits_for_it() -> None:
    for cards, events in (
        ("1KH 1QH 02D 03D", [[], [], [], [(0, "last", 1)]]),  # nobody has a card: the play is over
        ("0KH 0QH 1KD 1QD", [[], [], [], [(0, "last", 1)]]),
        ("1KH 0KD 0QD 1QH", [[], [], [], [(0, "last", 1)]]),
    ):
        deal = shown_deal()
        for at, words in enumerate(cards.split()):
            assert deal.phase == "play"
            assert [event[:3] for event in deal.leave_out(int(words[0]), parse_card(words[1:]))] == events[at]
        assert deal.phase == "show"
        for seat in (0, 1):
            left = [word[1:] for word in cards.split() if word[0] == str(seat)]
            assert deal.kept[seat][2:] == parse_cards(" ".join(left))
    deal = shown_deal()
    deal.leave_out(0, parse_card("KH"))
    assert deal.go(1) == []
    assert (deal.phase, deal.turn) == ("play", 0)
    assert [event[:3] for event in deal.leave_out(0, parse_card("QH"))] == [(0, "go", 1)]
    assert (deal.phase, deal.turn) == ("play", 1)
