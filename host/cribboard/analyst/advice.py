"""Which discard to make, and why, in sentences for the table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from cribboard.analyst.crib import Cribs
from cribboard.analyst.discard import Discard, best_first
from cribboard.analyst.odds import odds
from cribboard_core.aloud import sentence
from cribboard_core.cards import cards_text, suit_of
from cribboard_core.show import Show, by_rank, runs, sets

Part = tuple[str, int, tuple[int, ...]]

NO_STARTER = -1
FEW = 12  # starters that a sentence can name
SHARES = (0.5, 0.25, 0.1)  # of the cases: the most points that so many of them reach are told


def advice(dealt: Sequence[int], own_crib: bool) -> list[str]:
    """Sentences: what to throw, what the kept cards count at least and may become, the crib, and the second best.

    For the hand and the crib they give the average, and how likely each score is.
    """
    best, second, *_ = best_first(dealt, own_crib)
    starters = odds(best.kept, best.thrown).starters
    return [
        f"Throw {cards_text(best.thrown)} to {'your own' if own_crib else 'their'} crib.",
        _kept(best),
        _starter(best),
        likely("hand", {points: len(cards) for points, cards in starters.items()}),
        f"The crib gets {best.crib:.2f} on average, {'for' if own_crib else 'against'} you.",
        likely("crib", Cribs(dealt).ways(best.thrown)),
        _second(best, second, own_crib),
    ]


def sure(kept: Sequence[int]) -> Show:
    """What the cards count whatever is turned up: a count without its starter."""
    cards = sorted(kept)
    groups = by_rank(cards)
    one_suit = len({suit_of(card) for card in cards}) == 1
    flush: list[Part] = [("flush", len(cards), tuple(cards))] if one_suit else []
    return Show(tuple(kept), NO_STARTER, False, cards, [sets(groups), runs(groups), flush, []])


def likely(what: str, ways: Mapping[int, int]) -> str:
    """How often it counts how many points; `ways` has the number of cases by points, fewest points first."""
    total, most = sum(ways.values()), max(ways)
    at_least = {points: sum([number for more, number in ways.items() if more >= points]) / total for points in ways}
    told = [max([points for points in ways if at_least[points] >= share]) for share in SHARES]
    parts = [
        f"{points}{'' if points == most else ' or more'} in {_percent(at_least[points])}"
        for points in dict.fromkeys(told)
        if at_least[points] < 1
    ]
    often = max(ways, key=ways.__getitem__)
    first = f"The {what} most often counts {often}, in {_percent(ways[often] / total)} of all cases"
    return f"{first}; it counts {listed(parts)}." if parts else f"{first}."


def listed(parts: Sequence[str]) -> str:
    """Parts of a sentence, like `one, two and three`."""
    return " and ".join([", ".join(parts[:-1]), parts[-1]] if parts[1:] else parts)


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"


def _kept(best: Discard) -> str:
    show = sure(best.kept)
    if not show.points:
        return f"You keep {cards_text(best.kept)}, which count nothing by themselves."
    return f"You keep {cards_text(best.kept)}, which count at least {show.points}: {sentence(show)}."


def _starter(best: Discard) -> str:
    chances = odds(best.kept, best.thrown)
    least, most = min(chances.starters), max(chances.starters)
    starters = chances.starters[most]
    span = f"from {least} to {most}" if least < most else f"always {most}"
    best_cards = f" (with {cards_text(starters)})" if least < most and len(starters) <= FEW else ""
    return f"With the starter the hand averages {best.hand:.2f}, {span}{best_cards}."


def _second(best: Discard, second: Discard, own_crib: bool) -> str:
    loss = best.worth(own_crib) - second.worth(own_crib)
    thrown = cards_text(second.thrown)
    if f"{loss:.2f}" == "0.00":
        return f"Throwing {thrown} is just as good."
    hand, crib = second.hand - best.hand, second.crib - best.crib
    return (
        f"Second best is to throw {thrown}, {loss:.2f} worse: "
        f"{_change(hand)} in the hand and {_change(crib)} in the crib."
    )


def _change(points: float) -> str:
    return f"{abs(points):.2f} {'more' if points > 0 else 'less'}"
