"""The cards of a deal follow the match."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from cribboard.analyst.points import rank_points
from cribboard.computer import tables
from cribboard.referee.shown import Shown, a_card, a_card_back, a_hand, a_starter, no_cards
from cribboard.referee.watched import Counted, PlayedCard
from cribboard.referee.watching import KEPT
from cribboard.service.cards import Deal
from cribboard.service.orders import OrderError
from cribboard.service.view import chances_entry
from cribboard_core.cards import card_name, parse_card
from cribboard_core.events import DEAL, GO, HAND, KINDS, NEW, PEG, REDO, RESTORE, UNDO
from cribboard_core.match import NOBODY, Match


def heard(deal: Deal, rev: int, kind: int, side: int = 0, a: int = 0, b: int = 0, *shown: Shown) -> None:
    deal.happened(rev, (kind, side, a, b, 0), shown)


def turn_up(deal: Deal, name: str | None) -> None:
    card = parse_card(name) if name else -1
    deal.check_starter(card)
    deal.showed(a_starter(card))


def take_back(deal: Deal, name: str) -> None:
    deal.check_back(parse_card(name))
    deal.showed(a_card_back(parse_card(name), "k"))


def play(deal: Deal, name: str, side: int, rev: int = 0) -> PlayedCard:
    laid = deal.play(parse_card(name), side)
    if laid.points:
        heard(deal, rev, PEG, side, laid.points, 0, a_card(laid))
    else:
        deal.showed(a_card(laid))
    return laid


def pile(deal: Deal) -> list[str]:
    return [card_name(laid.card) for laid in deal.now.pile]


def test_the_running_count_finds_fifteen_pairs_runs_and_thirty_one() -> None:
    deal = Deal()
    said = [play(deal, name, at % 2, at + 1) for at, name in enumerate(["7C", "8D", "9H", "7S"])]
    assert [(laid.points, laid.text) for laid in said] == [
        (0, ""),
        (2, "fifteen for two"),
        (3, "a run of three for three"),
        (5, "thirty-one for two, a run of three for three"),
    ]
    assert deal.now.running == 31
    play(deal, "7D", 0)
    assert (pile(deal), deal.now.running) == (["7D"], 7)
    assert play(deal, "7H", 1, 9).text == "a pair for two"
    assert [card_name(card) for card in deal.now.seen] == ["7C", "8D", "9H", "7S", "7D", "7H"]


def test_a_card_that_cannot_be_played_is_refused() -> None:
    deal = Deal()
    turn_up(deal, "5D")
    for number, name in enumerate(["KC", "QC", "9H"]):
        play(deal, name, 0, number + 1)
    with pytest.raises(OrderError, match="three of clubs would take the count to 32") as caught:
        deal.play(parse_card("3C"), 0)
    assert (caught.value.code, caught.value.status) == ("limit", 409)
    for taken, words in (("KC", "king of clubs"), ("5D", "five of diamonds")):
        with pytest.raises(OrderError, match=f"the {words} has already turned up") as caught:
            deal.play(parse_card(taken), 0)
        assert (caught.value.code, caught.value.status) == ("cards", 409)
    with pytest.raises(OrderError, match="king of clubs has already turned up"):
        turn_up(deal, "KC")
    turn_up(deal, "5D")
    turn_up(deal, None)
    assert deal.now.starter == -1


def test_go_begins_the_count_anew_and_undo_brings_it_back() -> None:
    deal = Deal()
    play(deal, "KC", 0)
    play(deal, "QD", 1)
    heard(deal, 5, GO, 1, 1)
    assert deal.now.running == 0
    heard(deal, 6, UNDO, b=5)
    assert deal.now.running == 20
    heard(deal, 7, REDO, b=5)
    assert (deal.now.running, len(deal.now.played)) == (0, 2)


def test_undo_takes_a_card_back_with_its_points_and_redo_brings_it_again() -> None:
    deal = Deal()
    play(deal, "7C", 0)
    before = deal.now
    play(deal, "8D", 1, 3)
    heard(deal, 4, UNDO, b=3)
    assert (pile(deal), deal.now) == (["7C"], before)
    assert (card_name(deal.card_of(3)), deal.card_of(4)) == ("8D", -1)
    heard(deal, 5, REDO, b=3)
    assert pile(deal) == ["7C", "8D"]
    play(deal, "2C", 0)  # named since
    heard(deal, 6, UNDO, b=3)
    assert pile(deal) == [card_name(laid.card) for laid in deal.now.played] == ["7C", "2C"]


def test_only_a_card_that_pegged_nothing_is_taken_back_without_undo() -> None:
    deal = Deal()
    with pytest.raises(OrderError, match="two of clubs is not the last"):
        take_back(deal, "2C")
    play(deal, "7C", 0)
    play(deal, "8D", 1, 3)
    with pytest.raises(OrderError, match="eight of diamonds has pegged 2") as caught:
        take_back(deal, "8D")
    assert (caught.value.code, caught.value.status) == ("pegged", 409)
    play(deal, "2C", 0)
    with pytest.raises(OrderError, match="seven of clubs is not the last") as caught:
        take_back(deal, "7C")
    assert (caught.value.code, caught.value.status) == ("nothing", 409)
    take_back(deal, "2C")
    assert [card_name(card) for card in deal.now.seen] == ["7C", "8D"]


def test_hands_counted_are_remembered_until_the_deal_passes_and_follow_undo() -> None:
    deal = Deal()
    cards = tuple(map(parse_card, ["5H", "5C", "5S", "JD"]))
    heard(deal, 3, HAND, 1, 29)
    assert deal.now.counted == (Counted(3, 1, False),)
    deal = Deal()
    counted = Counted(3, 1, False, cards, parse_card("5D"))
    heard(deal, 3, HAND, 1, 29, 0, a_hand(counted))
    heard(deal, 4, HAND, 0, 2, 1)
    assert (deal.now.hands(1, False), deal.now.hands(0, True), deal.now.hands(0, False)) == (1, 1, 0)
    assert set(cards) <= set(deal.now.seen)
    heard(deal, 5, UNDO, b=4)
    assert deal.now.hands(0, True) == 0
    turn_up(deal, "KD")
    heard(deal, 6, UNDO, b=3)
    assert deal.now.counted == ()
    assert deal.now.starter >= 0
    heard(deal, 7, REDO, b=3)
    assert deal.now.counted == (counted,)
    heard(deal, 8, DEAL, 1)
    assert deal.now.seen == []
    assert deal.now.counted == ()
    heard(deal, 9, UNDO, b=8)
    assert deal.now.hands(1, False) == 1


@pytest.mark.parametrize("kind", [NEW, RESTORE])
def test_a_game_that_begins_has_no_cards(kind: int) -> None:
    deal = Deal()
    turn_up(deal, "5D")
    play(deal, "7C", 0)
    heard(deal, 3, HAND, 1, 2)
    heard(deal, 4, kind)
    assert replace(deal.now, begun=0) == Deal().now, KINDS[kind]


def test_taking_a_restored_game_back_takes_its_cards_and_brings_those_before_it() -> None:
    deal = Deal()
    play(deal, "7C", 0)
    heard(deal, 4, RESTORE)
    play(deal, "9H", 1)
    heard(deal, 5, UNDO, b=4)
    assert pile(deal) == ["7C"]
    heard(deal, 6, REDO, b=4)
    assert pile(deal) == ["9H"]


def test_clearing_forgets_the_cards_but_not_what_was_counted() -> None:
    deal = Deal()
    turn_up(deal, "5D")
    heard(deal, 3, HAND, 1, 2)
    deal.showed(no_cards("k"))
    assert deal.now.seen == []
    assert deal.now.hands(1, False) == 1


def test_what_was_not_heard_ends_the_count_that_was_on() -> None:
    deal = Deal()
    turn_up(deal, "5D")
    play(deal, "7C", 0)
    deal.missed()
    assert (deal.now.running, card_name(deal.now.starter)) == (0, "5D")


def test_lines_are_kept_for_several_deals_and_lead_from_what_was_known_ahead_of_them() -> None:
    deal = Deal()
    turn_up(deal, "5D")
    for rev in range(1, 2 * KEPT + 1):
        heard(deal, rev, PEG, rev % 2, 1)
    assert (len(deal.lines), deal.now.points, card_name(deal.now.starter)) == (KEPT, 2 * KEPT, "5D")
    heard(deal, 2 * KEPT + 1, UNDO, b=2 * KEPT)
    assert (deal.now.points, card_name(deal.now.starter)) == (2 * KEPT - 1, "5D")
    again = Deal()
    again.start(json.loads(json.dumps(deal.base)))
    for line in deal.lines:
        again.take(line)
    assert (again.now, again.rev) == (deal.now, deal.rev)


def test_of_an_event_ahead_of_the_lines_undo_takes_back_what_it_brought() -> None:
    deal = Deal()
    play(deal, "7C", 0)
    play(deal, "8D", 1, 3)
    again = Deal()
    again.now = again._before = deal.now
    heard(again, 4, UNDO, b=3)
    assert pile(again) == ["7C"]
    heard(again, 5, REDO, b=3)
    assert pile(again) == ["7C"]


def stands(fronts: tuple[int, int], dealer: int = 0, winner: int = NOBODY) -> Match:
    match = Match(121, 0b11, 2)
    match.play.now = (fronts[0], 0, fronts[1], 0, dealer, winner)
    return match


def test_the_chance_to_win_follows_the_scores_the_deal_and_what_was_counted() -> None:
    """An even game: the dealer has the edge, which a usual hand of pone's hardly changes; the crib passes the deal."""
    deal = Deal()
    first = chances_entry(stands((60, 60)), deal.now)
    assert first is not None
    assert 52 <= first[0] <= 58
    assert sum(first) == 100
    heard(deal, 1, HAND, 1, 8)
    counted = chances_entry(stands((60, 68)), deal.now)
    assert counted is not None
    assert 0 <= first[0] - counted[0] <= 4
    heard(deal, 2, HAND, 0, 8)
    heard(deal, 3, HAND, 0, 5, 1)
    assert chances_entry(stands((73, 68)), deal.now) == chances_entry(stands((73, 68), dealer=1), Deal().now)


def test_the_first_chances_of_a_kiosk_are_looked_up_not_worked_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """The thread that holds the port makes the view: to count all hands there would keep the board waiting."""
    monkeypatch.setattr(tables, "_in_use", [])
    rank_points.cache_clear()
    deal = Deal()
    heard(deal, 1, HAND, 1, 8)
    assert chances_entry(stands((60, 68)), deal.now) is not None
    assert tables._in_use, "the tables were not read again"
    assert not rank_points.cache_info().currsize


def test_nobody_guesses_among_three_nor_when_the_game_is_won() -> None:
    assert chances_entry(Match(121, 0b111, 3), Deal().now) is None
    assert chances_entry(stands((121, 3), winner=0), Deal().now) is None
    assert chances_entry(stands((121, 3)), Deal().now) is None, "a board that has lost events may say so"
