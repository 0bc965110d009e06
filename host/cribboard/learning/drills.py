"""Questions with their answers: hands to count, cards of the play, claims to call, cards to discard."""

from __future__ import annotations

import random
from dataclasses import dataclass

from cribboard.computer.discarding import Choice, discards
from cribboard.computer.tables import DEALER, PONE
from cribboard.learning.lessons import BY_NAME, LESSONS, counted, hand_for, missed
from cribboard_core.cards import PACK_SIZE, PIPS, CardError, card_name, cards_text, parse_cards
from cribboard_core.pile import LIMIT, pile_points
from cribboard_core.show import Show, count

START = 121  # what both need in the discards that are asked: the start of a game
AS_GOOD = 0.003  # of the chance to win: a discard that costs no more is right
PLAIN = 0.3  # of the plays that are asked make nothing
COUNTING = tuple(lesson.name for lesson in LESSONS)
SKILLS = tuple(BY_NAME)


@dataclass(frozen=True)
class Graded:
    """Whether an answer was right, and what there is to say about it."""

    right: bool
    lines: list[str]
    points: int = 0  # that the right answer pegs


class AnswerError(ValueError):
    """What is typed is no answer to the question; the message says what would be."""


class Hand:
    """Count this hand."""

    def __init__(self, skill: str, show: Show) -> None:
        self.skill = skill
        self.show = show
        self.cards = (*show.hand, show.starter)
        what = "the crib" if show.crib else "the hand"
        self.text = f"Count {what} {cards_text(show.hand)} with the starter {card_name(show.starter)}."

    def graded(self, typed: str) -> Graded:
        """Compare a total."""
        told, right = _number(typed), self.show.points
        if told == right:
            return Graded(True, ["Right.", *counted(self.show)], right)
        return Graded(False, [missed(self.show, told), *counted(self.show)])


class Card:
    """What does the last card of this count make?"""

    skill = "play"

    def __init__(self, pile: list[int]) -> None:
        self.pile = pile
        self.cards = tuple(pile)
        laid = " ".join(card_name(card)[0] if card >> 2 != 9 else "10" for card in pile)
        self.text = f"In the play, one after the other: {laid}. What does the last card make?"

    def graded(self, typed: str) -> Graded:
        """Compare the points."""
        told = _number(typed)
        points, parts = pile_points(self.pile)
        total = sum(PIPS[card >> 2] for card in self.pile)
        said = [f"  {kind} for {made}: {cards_text(cards)}" for kind, made, cards in parts]
        first = f"It makes {points}; the count is {total}." if points else f"It makes nothing; the count is {total}."
        return Graded(told == points, ["Right." if told == points else first, *said], points)


class Claim:
    """Is this claim right? Call what was missed, or let it pass."""

    skill = "muggins"

    def __init__(self, show: Show, claimed: int) -> None:
        self.show = show
        self.cards = (*show.hand, show.starter)
        self.claimed = claimed
        self.text = (
            f"Bob shows {cards_text(show.hand)} with the starter {card_name(show.starter)}, and claims {claimed}. "
            "How many points do you call? 0 lets it pass."
        )

    def graded(self, typed: str) -> Graded:
        """Compare the call."""
        told, right = _number(typed), max(0, self.show.points - self.claimed)
        if self.claimed > self.show.points:
            first = f"Bob claims too much: it is {self.show.points}. There is nothing to call; he pegs the right count."
        elif right:
            first = f"It is {self.show.points}, so {right} can be called."
        else:
            first = "The claim is right; a call would gain you nothing."
        return Graded(told == right, ["Right. " + first if told == right else first, *counted(self.show)], right)


class Throw:
    """Which two cards go to the crib? Graded by the chance to win."""

    skill = "discard"

    def __init__(self, dealt: list[int], role: int) -> None:
        self.dealt = sorted(dealt)
        self.cards = tuple(self.dealt)
        self.role = role
        whose = "your own crib" if role == DEALER else "your opponent's crib"
        self.text = f"You hold {cards_text(self.dealt)}. Which two do you throw to {whose}?"

    def graded(self, typed: str) -> Graded:
        """What the discard costs against the best."""
        try:
            thrown = parse_cards(typed, "discard", (2,))
        except CardError as error:
            raise AnswerError(str(error)) from error
        if not set(thrown) <= set(self.dealt):
            raise AnswerError(f"{cards_text(thrown)} are not both among {cards_text(self.dealt)}; name two of these")
        found = discards(self.dealt, self.role, (START, START), every=True)
        best, own = found[0], next(choice for choice in found if set(choice.thrown) == set(thrown))
        cost = best.win - own.win
        if cost <= AS_GOOD:
            return Graded(True, ["Right." if own is best else "As good as any.", self._why(own)])
        first = f"That costs {100 * cost:.1f} % of the chance to win. Better: {cards_text(best.thrown)}."
        return Graded(False, [first, "Better  " + self._why(best), "Yours   " + self._why(own)])

    def _why(self, choice: Choice) -> str:
        sign = "+" if self.role == DEALER else "-"
        return (
            f"{cards_text(choice.thrown)}: the hand {cards_text(choice.kept)} averages {choice.hand:.2f}, "
            f"the crib {sign}{choice.crib:.2f}, the play {choice.pegs:+.2f}."
        )


Question = Hand | Card | Claim | Throw


def question(skill: str, chance: random.Random) -> Question:
    """A question of this skill."""
    if skill in COUNTING:
        return Hand(skill, hand_for(BY_NAME[skill], chance))
    if skill == "play":
        return Card(_pile(chance))
    if skill == "muggins":
        return _claim(chance)
    return Throw(chance.sample(range(PACK_SIZE), 6), chance.choice((PONE, DEALER)))


def _claim(chance: random.Random) -> Claim:
    """A hand that counts something: claimed right, or with a part left out, or with a part twice."""
    while True:
        *hand, starter = chance.sample(range(PACK_SIZE), 5)
        show = count(hand, starter)
        if len(show.parts) > 1:
            part = chance.choice(show.parts)[1]
            return Claim(show, show.points + chance.choice((0, -part, -part, part)))


def _pile(chance: random.Random) -> list[int]:
    plain = chance.random() < PLAIN
    while True:
        pile = chance.sample(range(PACK_SIZE), chance.randint(2, 6))
        if sum(PIPS[card >> 2] for card in pile) <= LIMIT and (pile_points(pile)[0] == 0) == plain:
            return pile


def _number(typed: str) -> int:
    if not typed.strip().isdecimal() or len(typed.strip()) > 3:
        raise AnswerError(f"{typed.strip()!r} is not a number of points; type a number, 0 for nothing")
    return int(typed)
