"""What a claim for a hand, a crib or a card comes to by the house's rules.

It may be right, too low, too high, too late, or called by an opponent.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from cribboard.referee.outcomes import Outcome, RefereeError, hand, outcome
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


def counted(setup: Setup, who: Claimant, show: Show) -> Outcome:
    """A hand or crib that is counted right."""
    cards, starter = cards_text(show.hand), card_name(show.starter)
    text = f"{who.name}'s {_kind(show)} {cards} with {starter}: {_aloud(setup, show)}."
    return hand(text, who.side, cards, starter, show.crib, show.points)


def meant(setup: Setup, show: Show, claim: int) -> int:
    """The points that a claim means: nineteen may be a word for nothing."""
    return 0 if setup.options.nineteen and not show.points and claim == NINETEEN else claim


def claims(who: Claimant, points: int) -> str:
    """A claim, without a full stop."""
    return f"{who.does('claim')} {number_word(points)}"


def made(total: int, parts: Iterable[tuple[str, int]] = (), points: int = 0) -> str:
    """What a card makes as its player says it: the count, each part with its number of cards, and the points."""
    named = [part_name(kind, cards) for kind, cards in parts if kind not in ("fifteen", "thirty-one")]
    return ", ".join([number_word(total), *named]) + (f" for {number_word(points)}" if points else "")


def plays(who: Claimant, card: int, made: str) -> str:
    """A card of the play, without a full stop."""
    return f"{who.does('play')} {card_name(card)}: {made}"


def of_hand(setup: Setup, who: Claimant, show: Show, claim: int, read_out: bool = False) -> list[Outcome]:
    """What the claim for a hand or crib comes to; the cards are read out when nobody else lays them on the table."""
    claim = meant(setup, show, claim)
    plain = f"{claims(who, claim)}."
    if read_out:
        cards = f"{cards_text(show.hand)} with {card_name(show.starter)}"
        plain = f"{who.name} shows the {_kind(show)} {cards}, and claims {number_word(claim)}."
    why = f": {_aloud(setup, show)}" if show.points or setup.options.nineteen else ""
    wrong = f"{plain[:-1]}; the {_kind(show)} counts {number_word(show.points)}{why}."
    return _settled(setup, who.side, claim, counted(setup, who, show), plain, wrong)


def of_card(setup: Setup, who: Claimant, said: str, made: Outcome, claim: int) -> list[Outcome]:
    """What the claim for a card comes to that was `said` to be played and has `made` this."""
    verb = "claim" if who.several else "claims"
    plain = f"{said}, and {verb} {number_word(claim)}." if claim else f"{said}."
    wrong = f"{said}. {claims(who, claim)}; the card makes {number_word(_points(made))}."
    return _settled(setup, who.side, claim, made, plain, wrong)


def too_late(setup: Setup, who: Claimant, show: Show) -> list[Outcome]:
    """What a hand comes to that nobody has claimed in time: half of it goes to the others."""
    side, points = who.side, show.points
    half = points // 2
    text = f"Time is up for {who.name}: the {_kind(show)} counts {number_word(points)}"
    if not half:
        return [Outcome(f"{text}."), counted(setup, who, show)]
    rest = points - half
    keeps = outcome(f"{text}; {who.does('keep')} {number_word(rest)} of them.", PEG, side, rest)
    goes = f"The other {number_word(half)} {_goes(half)} to {others(setup, side)}."
    return [keeps, outcome(goes, PENALTY, side, half)]


def check_call(setup: Setup, side: int, other: int, points: int) -> None:
    """Refuse muggins where it is not played, on one's own side, or for nothing."""
    if not setup.options.muggins:
        raise RefereeError("muggins is not played in this game; the next one has it with the option muggins=on")
    if side == other or not points:
        raise RefereeError(
            "you cannot call muggins on your own side" if points else "call muggins for at least one point"
        )


def called(who: Claimant, other: Claimant, points: int, missed: int) -> Outcome:
    """Muggins: a call of points that the other side has missed, or has not."""
    if points <= missed:
        text = f"Muggins: {who.does('take')} {number_word(points)} that {other.name} missed."
        return outcome(text, MUGGINS, who.side, points, other.side)
    given = "it" if points == 1 else "them"
    verb = "give" if who.several else "gives"
    has = "have" if other.several else "has"
    text = f"{who.does('call')} {number_word(points)} that {other.name} {has} not missed, and {verb} {given} away."
    return outcome(text, MUGGINS, other.side, points, who.side)


def uncalled(name: str, missed: int) -> Outcome:
    """What everybody hears once it is too late to call the missed points."""
    return Outcome(f"Nobody called the {number_word(missed)} that {name} missed.", notice=True)


def others(setup: Setup, side: int) -> str:
    """Who plays against a side, where points go to all of them."""
    other = [one for one in setup.sides if one != side]
    return setup.side_name(other[0]) if len(other) == 1 else "each other side"


def part_name(kind: str, cards: int) -> str:
    """What a part of a card's points is called, like `a run of three`; a number is called by itself."""
    if kind in ("fifteen", "thirty-one"):
        return kind
    return f"a run of {number_word(cards)}" if kind == "run" else f"a {kind}"


def _settled(setup: Setup, side: int, claim: int, full: Outcome, plain: str, wrong: str) -> list[Outcome]:
    """Too much is cut down, too little is pegged as it was said; overcount and playroom give it away.

    With muggins the `plain` text is told whether points were missed or not, so that nobody learns it from that; for the
    same reason a claim of nothing is no event of the board then, even if it is right.
    """
    options, points = setup.options, _points(full)
    short = claim < points
    why = "missed" if short else "overclaimed"
    given = [_given(setup, side, abs(claim - points), why)] if _gives(setup, claim, points) else []
    if claim > points:
        return [replace(full, text=wrong), *given]
    pegged = full if not short else outcome(wrong, PEG, side, claim) if claim else Outcome(wrong)
    if given:
        return [pegged, *given]
    if options.muggins:
        return [replace(pegged, text=plain) if claim else Outcome(plain)]
    return [pegged]


def _gives(setup: Setup, claim: int, points: int) -> bool:
    """Whether the points that are wrong in a claim go to the others."""
    return claim != points and (setup.options.playroom or (setup.options.overcount and claim > points))


def in_short(setup: Setup, side: int, claim: int, points: int, *, late: bool = False) -> str:
    """A claim for a screen, beside what was pegged: like `worth 16, 4 to Bob`; empty for a right one in time."""
    said = ["time is up"] if late else []
    if claim != points:
        said.append(f"claimed {claim}" if claim > points else f"worth {points}")
        said += [f"{abs(claim - points)} to {others(setup, side)}"] if late or _gives(setup, claim, points) else []
    return ", ".join(said)


def _given(setup: Setup, side: int, points: int, why: str) -> Outcome:
    """Points of a wrong claim, which every other side pegs."""
    who = others(setup, side)
    take = "take" if " and " in who else "takes"
    text = f"{who[:1].upper()}{who[1:]} {take} the {number_word(points)} {why}."
    return outcome(text, PENALTY, side, points)


def _points(made: Outcome) -> int:
    return made.event[2] if made.event else 0


def _kind(show: Show) -> str:
    return "crib" if show.crib else "hand"


def _aloud(setup: Setup, show: Show) -> str:
    return sentence(show, setup.options.nineteen)


def _goes(points: int) -> str:
    return "goes" if points == 1 else "go"
