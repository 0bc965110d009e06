"""A computer's choice does not change with cards that it cannot know."""

from __future__ import annotations

import random

import pytest

from cribboard.computer.levels import LEVELS
from cribboard.players import dealers_act, own_act
from cribboard.referee.pegs import pack_match
from cribboard.referee.referee import Referee
from cribboard.referee.setup import Setup
from cribboard.referee.state import turn_of
from cribboard_core.match import Match


def table(level, seed):
    """A game in which a computer plays both seats, at its first discard."""
    setup = Setup(("Ann", "Bob"), (0, 1), 0, 121, dealt=True, computers=(0, 1), levels=(level, level))
    referee = Referee(setup, pack_match(Match(121, setup.mask, setup.count)))
    chance = random.Random(seed)
    while referee.phase in ("cut", "deal"):
        referee.act(dealers_act(referee, chance))
    return referee, chance


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("seed", range(3))
def test_other_hidden_cards_change_no_choice(level, seed):
    referee, chance = table(level, seed)
    while referee.phase in ("discard", "play", "starter"):
        act = dealers_act(referee, chance) or own_act(referee)
        if referee.phase != "starter":
            for change in range(3):
                with hidden_changed(referee, turn_of(referee), random.Random(change)):
                    assert own_act(referee) == act
        referee.act(act)


class hidden_changed:  # noqa: N801 (used like a function)
    """The other hand, the pack and what the other threw become other unseen cards, and then what they were."""

    def __init__(self, referee, seat, chance):
        self.deal = referee.table.round.deal
        self.other, self.chance = 1 - seat, chance
        own = next((act[2].split() for act in reversed(referee.acts) if act[:2] == ["discard", seat]), [])
        self.own = [card for card in self.deal.crib if str(card) and _name(card) in own]

    def __enter__(self):
        deal, game = self.deal, self.deal.game
        self.before = (
            list(deal.hands[self.other]),
            list(deal.crib),
            list(deal.pack),
            game and list(game.hands[self.other]),
        )
        held = game.hands[self.other] if game else deal.hands[self.other]
        theirs = [card for card in deal.crib if card not in self.own]
        unseen = [*held, *theirs, *[card for card in deal.pack if card != deal.starter]]
        self.chance.shuffle(unseen)
        held[:] = [unseen.pop() for _ in held]
        deal.crib[:] = [card if card in self.own else unseen.pop() for card in deal.crib]

    def __exit__(self, *_):
        deal = self.deal
        deal.hands[self.other][:], deal.crib[:], deal.pack[:] = self.before[:3]
        if deal.game:
            deal.game.hands[self.other][:] = self.before[3]


def _name(card):
    from cribboard_core.cards import card_name

    return card_name(card)
