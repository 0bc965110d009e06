"""Simple automatic players: they throw what is best on average, and play the card that scores most."""

from __future__ import annotations

import random
from collections.abc import Iterable
from itertools import combinations

from cribboard.analyst.discard import KEPT, best_first
from cribboard.analyst.odds import odds
from cribboard.referee.outcomes import Act
from cribboard.referee.referee import Referee
from cribboard.referee.state import legal_cards, turn_of
from cribboard_core.cards import PACK_SIZE, card_name, cards_text, pips
from cribboard_core.pile import pile_points
from cribboard_core.show import count

PACK = range(PACK_SIZE)


def discard(dealt: list[int], to_crib: int, own_crib: bool) -> list[int]:
    """The cards to discard: with four to keep the best of hand and crib, with five the best hand."""
    if not to_crib:
        return []
    if len(dealt) - to_crib == KEPT:
        return list(best_first(dealt, own_crib)[0].thrown)

    def average(thrown: Iterable[int]) -> float:
        away = list(thrown)
        return odds([card for card in dealt if card not in away], away).average

    return list(max(combinations(dealt, to_crib), key=average))


def choose(pile: list[int], legal: list[int]) -> int:
    """The card to play on a pile: most points, then none that offers a fifteen or 31, then the highest."""
    total = sum(pips(card) for card in pile)

    def worth(card: int) -> tuple[int, bool, int, int]:
        after = total + pips(card)
        return pile_points([*pile, card])[0], after not in (5, 21), pips(card), card

    return max(legal, key=worth)


def own_act(referee: Referee) -> Act:
    """The act of a computer whose turn it is: a discard, a card, or the right claim."""
    seat, round_ = turn_of(referee), referee.table.round
    assert round_ is not None  # noqa: S101 (somebody's turn is in a round)
    deal = round_.deal
    if referee.phase == "discard":
        own = deal.side(seat) == deal.side(deal.dealer)
        return ["discard", seat, cards_text(discard(deal.hands[seat], deal.to_discard(seat), own))]
    if referee.phase == "claim":
        _, kind, cards = round_.counted_next()
        return ["claim", seat, count(cards, deal.starter, kind == "crib").points]
    assert deal.game is not None  # noqa: S101 (the play is on)
    card = choose(deal.game.pile, legal_cards(referee))
    if not referee.setup.options.manual:
        return ["play", seat, card_name(card)]
    return ["play", seat, card_name(card), pile_points([*deal.game.pile, card])[0]]


def dealers_act(referee: Referee, chance: random.Random) -> Act | None:
    """What the program does as the one who deals and counts: the cut, the deal, the starter, the show; else None.

    What was taken back comes again.
    """
    phase, setup = referee.phase, referee.setup
    if setup.dealt and (again := referee.again(phase)):
        return again
    if phase == "cut" and setup.dealt:
        return ["cut", cards_text(chance.sample(PACK, setup.players))]
    if phase == "deal":
        pack = list(PACK)
        chance.shuffle(pack)
        return ["deal", cards_text(pack) if setup.dealt else None]
    round_ = referee.table.round
    if phase == "starter" and setup.dealt and round_ is not None:
        return ["starter", card_name(round_.deal.pack[chance.randrange(len(round_.deal.pack))])]
    return ["show"] if phase == "show" else None
