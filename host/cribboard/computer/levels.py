"""How well the computer plays: learner, club or expert. Each decides from what a player at its seat knows.

learner  keeps the four cards that already count most, no matter whose crib it is; plays the card that scores most,
         without a thought for the reply; says why; overlooks one part in seven of what it counts, more of the harder
club     weighs hand, crib and play in points; keeps an eye on the reply; overlooks one part in sixty
expert   plays for the chance to win, and overlooks nothing
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from itertools import combinations

from cribboard.analyst.discard import best_first as by_average
from cribboard.analyst.discard import sure
from cribboard.computer import discarding, many, playing
from cribboard.computer.many import Many
from cribboard.computer.playing import KEPT, Seen, card_points, card_worth, pile_of
from cribboard.computer.tables import DEALER
from cribboard_core.cards import PIPS, cards_text, quote
from cribboard_core.pile import LIMIT
from cribboard_core.show import Show, count

LEARNER, CLUB, EXPERT = LEVELS = ("learner", "club", "expert")
SLIPS = {LEARNER: 1 / 7, CLUB: 1 / 60, EXPERT: 0.0}  # of the parts of a count
HARD = 2.0  # times as often: a fifteen of three cards or more


class LevelError(ValueError):
    """No level."""


def check_level(level: object) -> str:
    """A level by its name; raises LevelError for another."""
    if level not in LEVELS:
        raise LevelError(f"there is no level {quote(level)}; the levels are {', '.join(LEVELS)}")
    return str(level)


def player_name(level: str) -> str:
    """What the computer is called where it plays for somebody alone with a phone."""
    return f"Computer ({level})"


def discard(level: str, dealt: Sequence[int], role: int, needs: tuple[int, int]) -> tuple[int, ...]:
    """The two of six cards to throw, by what both players need."""
    if level == LEARNER:
        return _as_it_lies(dealt, 2)
    by_role = (needs[1], needs[0]) if role == DEALER else needs
    if level == CLUB:
        return max(discarding.by_points(dealt, role), key=lambda choice: choice.worth(role)).thrown
    return discarding.discards(dealt, role, by_role)[0].thrown


def discard_one(level: str, dealt: Sequence[int], own_crib: bool) -> tuple[int, ...]:
    """The one of five cards to throw, as three to five players do."""
    return _as_it_lies(dealt, 1) if level == LEARNER else by_average(dealt, own_crib)[0].thrown


def card(level: str, seen: Seen) -> int:
    """The card to play; one must fit."""
    if level == EXPERT:
        return playing.choose(seen)
    held = 0 if level == LEARNER else KEPT - len(seen.shown)

    def worth(each: int) -> tuple[float, int]:
        return card_worth(seen.course.pile << 4 | (each >> 2) + 1, held), PIPS[each >> 2]

    return max(seen.legal, key=worth)


def why_card(seen: Seen, card: int) -> str:
    """Why a learner plays this card."""
    made, legal = card_points(seen.course.pile << 4 | (card >> 2) + 1), seen.legal
    if len(legal) == 1:
        return "it is all that fits"
    if made:
        return f"it scores {made}, and nothing else I hold scores more"
    if not seen.course.pile:
        return "a lead scores nothing, so I get rid of one of my highest"
    return "nothing I hold scores here, so I get rid of one of my highest"


def why_kept(kept: Sequence[int], counted: bool) -> str:
    """Why a learner has kept these four cards; without a number while it counts by itself and may miss some."""
    worth = f"were worth {sure(kept).points or 'nothing'}" if counted else "were worth most"
    return f"I kept these because they {worth} before the starter, and didn't think of the crib"


def card_among_many(level: str, seen: Many) -> int:
    """The card to play with three players or more: an expert looks at the whole play behind it.

    The others take most points, then the highest card, if possible none that a ten-card makes 15 or 31. A learner does
    not look at what a ten-card would make.
    """
    if level == EXPERT:
        return many.choose(seen)
    laid, total = pile_of([each >> 2 for each in seen.pile]) << 4, sum([PIPS[each >> 2] for each in seen.pile])

    def worth(each: int) -> tuple[int, bool, int, int]:
        pips = PIPS[each >> 2]
        safe = level == LEARNER or total + pips not in (LIMIT - 10, 15 - 10)
        return card_points(laid + (each >> 2) + 1), safe, pips, each

    return max(seen.legal, key=worth)


def claim(level: str, cards: Sequence[int], starter: int, crib: bool) -> int:
    """What the level counts in a hand: some parts are overlooked, and always the same ones in the same hand."""
    show = count(list(cards), starter, crib)
    return show.points - sum([made for _, made, _ in overlooked(level, show)])


def overlooked(level: str, show: Show) -> list[tuple[str, int, tuple[int, ...]]]:
    """The parts of a count that the level does not see."""
    slips = SLIPS[level]
    cards = f"{cards_text(sorted(show.hand))} {show.starter} {show.crib}"
    return [
        part
        for number, part in enumerate(show.parts)
        if _chance(f"{cards} {number}") < slips * (HARD if part[0] == "fifteen" and len(part[2]) > 2 else 1)
    ]


def claim_card(level: str, pile: Sequence[int]) -> int:
    """What the level sees that the last card of a count makes."""
    made = card_points(pile_of([each >> 2 for each in pile]))
    slips = _chance(f"play {cards_text(list(pile))}") < SLIPS[level] / 2
    return 0 if slips else made


def sees_missed(level: str, what: str) -> bool:
    """Whether the level notices points that an opponent has missed; `what` says where."""
    return _chance(f"missed {what}") >= 3 * SLIPS[level]


def _chance(where: str) -> float:
    """A number from 0 to below 1 that is always the same at the same place, also in a web page's MicroPython."""
    return int.from_bytes(sha256(where.encode()).digest()[:4], "big") / 2**32


def _as_it_lies(dealt: Sequence[int], number: int) -> tuple[int, ...]:
    """Keep what counts most by itself, and of equals the highest cards."""

    def kept_counts(thrown: tuple[int, ...]) -> tuple[int, int]:
        return sure([each for each in dealt if each not in thrown]).points, -sum(thrown)

    return max(combinations(dealt, number), key=kept_counts)
