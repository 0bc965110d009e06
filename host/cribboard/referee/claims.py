"""What a claim comes to by the house's rules: right, too low, too high, too late, or called by an opponent."""

from __future__ import annotations

from dataclasses import dataclass, replace

from cribboard.referee.outcomes import Fall, RefereeError, fall, hand
from cribboard.referee.setup import Setup
from cribboard_core.aloud import number_word, sentence
from cribboard_core.cards import card_name, cards_text
from cribboard_core.events import MUGGINS, PEG, PENALTY
from cribboard_core.show import Show

NINETEEN = 19  # no hand counts it, so it is what some call a hand of nothing


@dataclass(frozen=True)
class Claimant:
    """Who claims: what they are called, the side that scores, and whether they are `several`, for the verb."""

    name: str
    side: int
    several: bool = False

    def does(self, verb: str) -> str:
        """Like `Ann claims` or `Ann and Cleo claim`."""
        return f"{self.name} {verb}" if self.several else f"{self.name} {verb}s"


def counted(setup: Setup, who: Claimant, show: Show) -> Fall:
    """A hand or crib that is counted right."""
    cards, starter = cards_text(show.hand), card_name(show.starter)
    text = f"{who.name}'s {_kind(show)} {cards} with {starter}: {_aloud(setup, show)}."
    return hand(text, who.side, cards, starter, show.crib, show.points)


def meant(setup: Setup, show: Show, claim: int) -> int:
    """The points that a claim means: nineteen may be a word for nothing."""
    return 0 if setup.options.nineteen and not show.points and claim == NINETEEN else claim


def of_hand(setup: Setup, who: Claimant, show: Show, claim: int) -> list[Fall]:
    """What the claim for a hand or crib comes to."""
    claim = meant(setup, show, claim)
    plain = f"{who.does('claim')} {number_word(claim)}."
    why = f": {_aloud(setup, show)}" if show.points or setup.options.nineteen else ""
    wrong = f"{plain[:-1]}; the {_kind(show)} counts {number_word(show.points)}{why}."
    return _settled(setup, claim, counted(setup, who, show), plain, wrong)


def of_card(setup: Setup, who: Claimant, said: str, made: Fall, claim: int) -> list[Fall]:
    """What the claim for a card comes to that was `said` to be played and has `made` this."""
    verb = "claim" if who.several else "claims"
    plain = f"{said}, and {verb} {number_word(claim)}." if claim else f"{said}."
    wrong = f"{said}. {who.does('claim')} {number_word(claim)}; the card makes {number_word(_points(made))}."
    return _settled(setup, claim, made, plain, wrong, who.side)


def too_late(setup: Setup, who: Claimant, show: Show) -> list[Fall]:
    """What a hand comes to that nobody has claimed in time: half of it goes to the others."""
    side, points = who.side, show.points
    half = points // 2
    text = f"Time is up for {who.name}: the {_kind(show)} counts {number_word(points)}"
    if not half:
        return [Fall(f"{text}."), counted(setup, who, show)]
    rest = points - half
    stay = "stays" if rest == 1 else "stay"
    keeps = fall(f"{text}, and {number_word(rest)} {stay}.", PEG, side, rest)
    goes = f"The other {number_word(half)} {_goes(half)} to {others(setup, side)}."
    return [keeps, fall(goes, PENALTY, side, half)]


def check_call(setup: Setup, side: int, other: int, points: int) -> None:
    """Refuse muggins where it is not played, on one's own side, or for nothing."""
    if not setup.options.muggins:
        raise RefereeError("muggins is not played here; it is the option muggins")
    if side == other or not points:
        raise RefereeError(
            "you cannot call muggins on your own side" if points else "call muggins for at least one point"
        )


def called(who: Claimant, other: Claimant, points: int, missed: int) -> Fall:
    """Muggins: a call of points that the other side has missed, or has not."""
    if points <= missed:
        text = f"Muggins: {who.does('take')} {number_word(points)} that {other.name} missed."
        return fall(text, MUGGINS, who.side, points, other.side)
    given = "it" if points == 1 else "them"
    verb = "give" if who.several else "gives"
    has = "have" if other.several else "has"
    text = f"{who.does('call')} {number_word(points)} that {other.name} {has} not missed, and {verb} {given} away."
    return fall(text, MUGGINS, other.side, points, who.side)


def uncalled(name: str, missed: int) -> Fall:
    """What everybody is told once nobody can call the missed points any more."""
    return Fall(f"Nobody called the {number_word(missed)} that {name} missed.", aside=True)


def others(setup: Setup, side: int) -> str:
    """Who plays against a side, where points go to all of them."""
    other = [one for one in setup.sides if one != side]
    return setup.side_name(other[0]) if len(other) == 1 else "each other side"


def part_name(kind: str, cards: int) -> str:
    """What a part of a card's points is called, like `a run of three`; a number is called by itself."""
    if kind in ("fifteen", "thirty-one"):
        return kind
    return f"a run of {number_word(cards)}" if kind == "run" else f"a {kind}"


def _settled(setup: Setup, claim: int, full: Fall, plain: str, wrong: str, side: int = -1) -> list[Fall]:
    """Too much is cut down, too little is pegged as it was said; overcount and playroom give it away.

    With muggins the `plain` text is told whether points were missed or not, so that nobody learns it from that; for the
    same reason a claim of nothing is no event of the board then, even if it is right.
    """
    options, points = setup.options, _points(full)
    side = full.event[1] if full.event else side
    if claim > points:
        goes = options.overcount or options.playroom
        given = [_given(setup, side, claim - points, "too many")] if goes else []
        return [replace(full, text=wrong), *given]
    short = claim < points
    pegged = full if not short else fall(wrong, PEG, side, claim) if claim else Fall(wrong)
    if options.playroom and short:
        return [pegged, _given(setup, side, points - claim, "missed")]
    if options.muggins:
        return [replace(pegged, text=plain) if claim else Fall(plain)]
    return [pegged]


def _given(setup: Setup, side: int, points: int, why: str) -> Fall:
    """Points of a wrong claim, which every other side pegs."""
    text = f"The {number_word(points)} {why} {_goes(points)} to {others(setup, side)}."
    return fall(text, PENALTY, side, points)


def _points(made: Fall) -> int:
    return made.event[2] if made.event else 0


def _kind(show: Show) -> str:
    return "crib" if show.crib else "hand"


def _aloud(setup: Setup, show: Show) -> str:
    return sentence(show, setup.options.nineteen)


def _goes(points: int) -> str:
    return "goes" if points == 1 else "go"
