"""The computer among three or more: what its tries come to, what it may know, and that it beats the greedy player."""

from __future__ import annotations

import random

import pytest
from computer.many import TEAMS, discard, duel, expert, most_points, seen_by

from cribboard.computer.many import Many, choose, play_on
from cribboard.players import dealers_act, own_act
from cribboard.referee.pegs import pack_match
from cribboard.referee.referee import Referee
from cribboard.referee.setup import Setup
from cribboard.referee.state import turn_of
from cribboard_core.cards import PACK_SIZE, parse_card, parse_cards
from cribboard_core.deal import Deal
from cribboard_core.match import Match


def in_play(players, seed):
    """A deal in its play, and what each seat has thrown."""
    pack = list(range(PACK_SIZE))
    random.Random(seed).shuffle(pack)
    deal = Deal(players, 0, pack, TEAMS[players])
    thrown = [discard(deal, seat) for seat in range(players)]
    deal.cut()
    return deal, thrown


@pytest.mark.parametrize("players", TEAMS)
@pytest.mark.parametrize("seed", range(20))
def test_a_play_that_is_tried_pegs_what_the_core_pegs(players, seed):
    deal, thrown = in_play(players, seed)
    seat = deal.turn
    first = most_points(seen_by(deal, seat, thrown[seat]))
    tried = play_on([[card >> 2 for card in hand] for hand in deal.game.hands], 0, 0, seat, first >> 2)
    while deal.phase == "play":
        deal.play(deal.turn, most_points(seen_by(deal, deal.turn, thrown[deal.turn])))
    assert tried == deal.game.pegged


@pytest.mark.parametrize("players", TEAMS)
def test_hidden_cards_change_no_choice(players):
    names = tuple("ABCDEF"[:players])
    setup = Setup(names, tuple(range(players)), TEAMS[players], dealt=True, computers=tuple(range(players)))
    referee, chance = Referee(setup, pack_match(Match(121, setup.mask, setup.count))), random.Random(players)
    chosen = 0
    while referee.phase != "show":
        act = dealers_act(referee, chance) or own_act(referee)
        if referee.phase == "play":
            for change in range(3):
                assert own_act_with_others_shuffled(referee, random.Random(change)) == act
                chosen += 1
        referee.act(act)
    assert chosen > 30


def own_act_with_others_shuffled(referee, chance):
    """The act of the seat whose turn it is, had the others and the pack each other's cards."""
    deal, turn = referee.table.round.deal, turn_of(referee)
    piles = [hand for seat, hand in enumerate(deal.game.hands) if seat != turn] + [deal.pack]
    before = [list(pile) for pile in piles]
    cards = [card for pile in before for card in pile if card != deal.starter]
    chance.shuffle(cards)
    for pile in piles:
        pile[:] = [card if card == deal.starter else cards.pop() for card in pile]
    act = own_act(referee)
    for pile, kept in zip(piles, before, strict=True):
        pile[:] = kept
    return act


def test_the_next_opponent_is_not_given_a_fifteen_but_points_are_taken():
    hand, starter = tuple(parse_cards("5H 3C 3D KS")), parse_card("8S")
    seen = Many(0, hand, (starter,), (4, 4, 4), (), 3)
    assert choose(seen) >> 2 != parse_card("5H") >> 2
    after = Many(0, hand, (starter, parse_card("TC")), (4, 4, 3), (parse_card("TC"),), 3)
    assert choose(after) == parse_card("5H")


def test_the_same_is_chosen_again_from_the_same():
    deal, thrown = in_play(4, 3)
    seen = seen_by(deal, deal.turn, thrown[deal.turn])
    assert len({expert(seen) for _ in range(9)}) == 1


@pytest.mark.unmeasured
def test_partners_win_more_points_than_partners_of_version_one():
    assert sum(duel(4, 12, 1, lambda _: None).points) > 0
