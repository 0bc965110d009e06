"""Which discard to make, and why, in sentences for the table."""

from __future__ import annotations

from collections.abc import Sequence

from cribboard.analyst.discard import Discard, best_first
from cribboard.analyst.odds import odds
from cribboard_core.aloud import sentence
from cribboard_core.cards import cards_text, suit_of
from cribboard_core.show import Show, by_rank, runs, sets

Part = tuple[str, int, tuple[int, ...]]

NO_STARTER = -1
FEW = 12  # starters that a sentence can name


def advice(dealt: Sequence[int], own_crib: bool) -> list[str]:
    """Sentences: what to throw, what the kept cards are sure of and may become, the crib, and the second best."""
    best, second, *_ = best_first(dealt, own_crib)
    return [
        f"Throw {cards_text(best.thrown)} to {'your own' if own_crib else 'their'} crib.",
        _kept(best),
        _starter(best),
        f"The crib gets {best.crib:.2f} on average, {'for' if own_crib else 'against'} you.",
        _second(best, second, own_crib),
    ]


def sure(kept: Sequence[int]) -> Show:
    """What the cards count whatever is turned up: a count without its starter."""
    cards = sorted(kept)
    groups = by_rank(cards)
    one_suit = len({suit_of(card) for card in cards}) == 1
    flush: list[Part] = [("flush", len(cards), tuple(cards))] if one_suit else []
    return Show(tuple(kept), NO_STARTER, False, cards, [sets(groups), runs(groups), flush, []])


def _kept(best: Discard) -> str:
    show = sure(best.kept)
    if not show.points:
        return f"You keep {cards_text(best.kept)}, which count nothing by themselves."
    return f"You keep {cards_text(best.kept)}, sure of {show.points}: {sentence(show)}."


def _starter(best: Discard) -> str:
    chances = odds(best.kept, best.thrown)
    least, most = min(chances.starters), max(chances.starters)
    starters = chances.starters[most]
    span = f"from {least} to {most}" if least < most else f"always {most}"
    best_cards = f" (with {cards_text(starters)})" if least < most and len(starters) <= FEW else ""
    return f"The hand comes to {best.hand:.2f} on average with the starter, {span}{best_cards}."


def _second(best: Discard, second: Discard, own_crib: bool) -> str:
    loss = best.worth(own_crib) - second.worth(own_crib)
    thrown = cards_text(second.thrown)
    if f"{loss:.2f}" == "0.00":
        return f"To throw {thrown} is as good."
    hand, crib = second.hand - best.hand, second.crib - best.crib
    return (
        f"Second best is to throw {thrown}, {loss:.2f} worse: "
        f"{_change(hand)} in the hand and {_change(crib)} in the crib."
    )


def _change(points: float) -> str:
    return f"{abs(points):.2f} {'more' if points > 0 else 'less'}"
