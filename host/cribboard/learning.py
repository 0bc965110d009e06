"""The trainer: lessons in counting a hand step by step, questions and how they are graded, and what is due again.

A lesson has hands that need it and nothing that comes later, in the order of the count: sort, fifteens of two cards and
of more, pairs, runs, runs with pairs, the flush and the crib's trap, nobs, and a hand of nothing. Each skill comes back
when it is about to be forgotten: the answers are kept, one line each, and the schedule (FSRS) follows from them.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import TypedDict

import fsrs
from fsrs import Rating, Scheduler

from cribboard.computer.discarding import Choice, discards
from cribboard.computer.tables import DEALER, PONE
from cribboard.files import append_line, read_lines
from cribboard.json_types import Json
from cribboard.referee.wording import ranks_as_codes, typed_in_codes
from cribboard.typed import DAMAGE, Unfit, as_field, as_object, as_string, as_text, as_whole, placed
from cribboard_core.aloud import NUMBERS, number_word, steps
from cribboard_core.cards import PACK_SIZE, PIPS, CardError, card_name, cards_text, parse_cards, quote, suit_of
from cribboard_core.pile import LIMIT, pile_points
from cribboard_core.show import Show, count

MOST = 29  # points of a hand
WORDS = {number_word(points): points for points in range(MOST + 1)} | {"zero": 0, "none": 0}
TRIES = 60_000  # hands that are dealt in search of one that fits a lesson; one in thirty is a flush

START = 121  # what both need in the discards that are asked: the start of a game
AS_GOOD = 0.003  # of the chance to win: a discard that costs no more is right
ENOUGH = 2  # right answers, one after the other, before a skill gives way to a new one
PLAIN = 0.3  # of the plays that are asked make nothing

LONGEST_SKILL = 40  # letters of its name
QUICK_S = 8.0  # an answer that needs no thought
SLOW_S = 30.0


@dataclass(frozen=True)
class Lesson:
    """`name` is typed, `says` is read before the first hand; `fits` chooses the hands, `crib` deals cribs."""

    name: str
    title: str
    says: tuple[str, ...]
    fits: Callable[[Show], bool]
    crib: bool = False


def kinds(show: Show) -> set[str]:
    """Which of the lessons' points a hand has."""
    lessons = set()
    for kind, _, cards in show.parts:
        if kind == "fifteen":
            lessons.add("fifteens" if len(cards) == 2 else "more")
        elif kind == "run":
            lessons.add("run")
        elif kind in ("flush", "nobs"):
            lessons.add(kind)
        else:
            lessons.add("pair")
    if [part[0] for part in show.parts].count("run") > 1:
        lessons.add("double")
    return lessons


def four_of_a_suit(show: Show) -> bool:
    """Whether the four cards, without the starter, are of one suit."""
    return len({suit_of(card) for card in show.hand}) == 1


LESSONS = (
    Lesson(
        "fifteens",
        "Fifteens of two cards",
        (
            "Your hand has four cards, and the starter is everybody's fifth: count all five.",
            "An ace is 1; a jack, a queen and a king are 10 each; every other card is its number.",
            "First sort the five cards from low to high.",
            "Then look for two cards that come to fifteen: 7 and 8, 6 and 9, or 5 and a ten-card (10, J, Q or K).",
            "Each such two are two points, and a card may be in several: a 5 with a jack and a king is two fifteens.",
            'Say the running total: "fifteen two, fifteen four".',
        ),
        lambda show: kinds(show) == {"fifteens"},
    ),
    Lesson(
        "more",
        "Fifteens of three cards and more",
        (
            "Three, four or all five cards can make fifteen, too; each time that is two points.",
            "Begin with the highest card and ask what it lacks, and which other cards make that:",
            "a ten-card lacks 5 (4 and A, 3 and 2); a 9 lacks 6 (5 and A, 4 and 2, 3 and 3);",
            "an 8 lacks 7 (6 and A, 5 and 2, 4 and 3); a 7 lacks 8 (7 and A, 6 and 2, 5 and 3, 4 and 4).",
            "Then the next card as the highest: a 6 lacks 9 (6 and 3, 5 and 4); three fives are fifteen, too.",
            "Then four cards, like 8 4 2 A. Last add up all five: they are fifteen together at most once.",
        ),
        lambda show: "more" in kinds(show) <= {"fifteens", "more"},
    ),
    Lesson(
        "pairs",
        "Pairs",
        (
            "Two cards of one rank are a pair: two points. A jack and a king both count 10, but they are not a pair.",
            "Three of a rank are a pair royal. They make three different pairs, so it is six.",
            "Four of a rank are a double pair royal: six pairs, twelve.",
            "Every pair doubles the fifteens that one of its cards is in: 8 7 7 is two fifteens and a pair.",
        ),
        lambda show: "pair" in kinds(show) <= {"fifteens", "more", "pair"},
    ),
    Lesson(
        "runs",
        "Runs",
        (
            "Three or more ranks in a row are a run, in any suits: a point for each card.",
            "The ace is always low: A 2 3 is a run, Q K A is not.",
            "Count only the longest: 5 6 7 8 is a run of four for four, and not also a run of three.",
        ),
        lambda show: "run" in kinds(show) <= {"fifteens", "more", "pair", "run"} and "pair" not in kinds(show),
    ),
    Lesson(
        "double",
        "Runs with pairs",
        (
            "A pair within a run doubles the run. Learn the four shapes with their pairs counted in, by heart:",
            "a double run of three, like 6 7 7 8, is 8: two runs of three and the pair;",
            "a double run of four, like 6 7 7 8 9, is 10: two runs of four and the pair;",
            "a triple run, like 6 7 7 7 8, is 15: three runs of three and the pair royal;",
            "a double double run, like 6 7 7 8 8, is 16: four runs of three and two pairs.",
            "The fifteens come on top, and are said first:",
            '6 7 7 8 is "fifteen two, fifteen four, and a double run of three for twelve".',
        ),
        lambda show: "double" in kinds(show) and not kinds(show) & {"flush", "nobs"},
    ),
    Lesson(
        "flush",
        "The flush",
        (
            "Four cards of one suit in your hand are a flush: four points. With a starter of that suit it is five.",
            "Three in the hand and the starter count nothing: the starter only adds to a flush of four.",
        ),
        lambda show: "flush" in kinds(show),
    ),
    Lesson(
        "trap",
        "The crib's trap",
        ("In the crib a flush needs all five cards, the starter too. Four of a suit in the crib count nothing.",),
        four_of_a_suit,
        crib=True,
    ),
    Lesson(
        "nobs",
        "Nobs",
        (
            "A jack in the hand, or in the crib, of the starter's suit is one point, called nobs. Say it last.",
            "A jack that is turned up as the starter is something else: nibs, two points for the dealer at once.",
        ),
        lambda show: "nobs" in kinds(show),
    ),
    Lesson(
        "nothing",
        "A hand of nothing",
        (
            "Some hands count nothing at all. Check them all the same: fifteens, pairs, runs, flush, nobs.",
            'Players then say "nineteen" as a joke: no hand can count 19, nor 25, 26 or 27. The best is 29.',
        ),
        lambda show: not show.parts,
    ),
)
DRILLS = (
    Lesson(
        "play",
        "Points in the play",
        (
            "Cards are laid one after the other and counted together, up to 31.",
            "A card that makes 15 or 31 is two points. The second card of a rank in a row is a pair, two "
            "points; the third makes six, the fourth twelve.",
            "When the last three cards or more make a sequence, in any order, they are a run: a point a card.",
            "The same rank twice breaks the run. 8 6 4 5 7: the 5 makes a run of three, the 7 a run of five.",
        ),
        lambda show: True,
    ),
    Lesson(
        "muggins",
        "Muggins",
        (
            "Count the opponent's hand yourself.",
            "When the claim is too low, call the points that are missing: they are yours.",
            "When it is right, let it pass: a wrong call gives its points away. A claim that is too high is corrected "
            "without a call.",
        ),
        lambda show: True,
    ),
    Lesson(
        "discard",
        "The discard",
        (
            "Keep the four cards that count most on average, and think of what the other two do in the crib.",
            "Your own crib likes fives, pairs, and cards that touch or make fifteen: 7 and 8, 2 and 3.",
            "Give your opponent's crib cards that are far apart, like a king and a 9, and never a five.",
            "Low cards help you in the play. A discard is right if it costs next to none of your chance to win.",
        ),
        lambda show: True,
    ),
)
BY_NAME = {lesson.name: lesson for lesson in (*LESSONS, *DRILLS)}
COUNTING = tuple(lesson.name for lesson in LESSONS)
SKILLS = tuple(BY_NAME)


def hand_for(lesson: Lesson, chance: random.Random) -> Show:
    """A hand, in the order in which it is dealt, that the lesson is about."""
    for _ in range(TRIES):
        if lesson.name in ("flush", "trap"):
            suit = chance.randrange(4)
            hand = [rank * 4 + suit for rank in chance.sample(range(13), 4)]
            starter = chance.choice([card for card in range(PACK_SIZE) if card not in hand])
        else:
            *hand, starter = chance.sample(range(PACK_SIZE), 5)
        show = count(hand, starter, lesson.crib)
        if lesson.fits(show):
            return show
    raise AssertionError(f"no hand in {TRIES} fits the lesson {lesson.name}")


def counted(show: Show) -> list[str]:
    """The count as a player says it, a line for each step with the cards that they point at."""
    ordered = cards_text(sorted([*show.hand, show.starter]))
    said = steps(show)
    if not show.parts:
        return [f"Sorted: {ordered}.", "Nothing in it: no fifteen, no pair, no run, no flush, no nobs."]
    width = max(len(words) for words, _, _ in said)
    lines = [f"  {words:<{width}}  {cards_text(cards)}" for words, _, cards in said]
    return [f"Sorted: {ordered}. Say it like this:", *lines]


def missed(show: Show, answer: int) -> str:
    """What a wrong total leaves out or has too much, in a sentence."""
    off = show.points - answer
    number = NUMBERS[abs(off)] if abs(off) < len(NUMBERS) else str(abs(off))
    if off < 0:
        trap = show.crib and four_of_a_suit(show) and not show.flush and off == -4
        why = ": in the crib a flush needs the starter's suit, too" if trap else ""
        return f"It is {show.points}, {number} less than you said{why}."
    sorts = (("fifteens", show.fifteens), ("pairs", show.pairs), ("runs", show.runs), ("flush", show.flush))
    left_out = [f"the {name}" for name, points in (*sorts, ("nobs", show.nobs)) if points == off]
    left_out += [f"one of the {name}" for name, points in sorts[:2] if points > off == 2]
    perhaps = f"; perhaps you left out {' or '.join(left_out)}" if left_out else ""
    return f"It is {show.points}, {number} more than you said{perhaps}."


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
        self.asks = f"How many points are in {what}?"
        self.text = f"Count {what} {cards_text(show.hand)} with the starter {card_name(show.starter)}."

    def graded(self, typed: str) -> Graded:
        """Compare a total."""
        answer, right = _number(typed), self.show.points
        if answer == right:
            return Graded(True, ["Right.", *counted(self.show)], right)
        return Graded(False, [missed(self.show, answer), *counted(self.show)])


class Card:
    """What does the last card of this count make?"""

    skill = "play"

    def __init__(self, pile: list[int]) -> None:
        self.pile = pile
        self.cards = tuple(pile)
        laid = " ".join(card_name(card)[0] if card >> 2 != 9 else "10" for card in pile)
        self.asks = "What does the last card make?"
        self.text = f"In the play, one after the other: {laid}. {self.asks}"

    def graded(self, typed: str) -> Graded:
        """Compare the points."""
        answer = _number(typed)
        points, parts = pile_points(self.pile)
        total = sum(PIPS[card >> 2] for card in self.pile)
        said = [f"  {kind} for {made}: {cards_text(cards)}" for kind, made, cards in parts]
        first = f"It makes {points}; the count is {total}." if points else f"It makes nothing; the count is {total}."
        return Graded(answer == points, ["Right." if answer == points else first, *said], points)


class Claim:
    """Is this claim right? Call what was missed, or let it pass."""

    skill = "muggins"

    def __init__(self, show: Show, claimed: int) -> None:
        self.show = show
        self.cards = (*show.hand, show.starter)
        self.claimed = claimed
        call = "How many points do you call? 0 lets it pass."
        self.asks = f"Bob claims {claimed}. {call}"
        shown = f"Bob shows {cards_text(show.hand)} with the starter {card_name(show.starter)}"
        self.text = f"{shown}, and claims {claimed}. {call}"

    def graded(self, typed: str) -> Graded:
        """Compare the call."""
        answer, right = _number(typed), max(0, self.show.points - self.claimed)
        if self.claimed > self.show.points:
            first = f"Bob claims too much: it is {self.show.points}. There is nothing to call; Bob pegs what is right."
        elif right:
            first = f"It is {self.show.points}, so {right} can be called."
        else:
            first = "The claim is right; a call would gain you nothing."
        return Graded(answer == right, ["Right. " + first if answer == right else first, *counted(self.show)], right)


class Throw:
    """Which two cards go to the crib? Graded by the chance to win."""

    skill = "discard"

    def __init__(self, dealt: list[int], role: int) -> None:
        self.dealt = sorted(dealt)
        self.cards = tuple(self.dealt)
        self.role = role
        whose = "your own crib" if role == DEALER else "your opponent's crib"
        self.asks = f"Which two do you throw to {whose}?"
        self.text = f"You hold {cards_text(self.dealt)}. {self.asks}"

    def graded(self, typed: str) -> Graded:
        """What the discard costs against the best."""
        try:
            thrown = parse_cards(ranks_as_codes(typed_in_codes(typed.replace(",", " ")), self.dealt), "discard", (2,))
        except CardError as error:
            raise AnswerError(str(error)) from error
        if not set(thrown) <= set(self.dealt):
            raise AnswerError(f"{cards_text(thrown)} are not both among {cards_text(self.dealt)}; name two of these")
        choices = discards(self.dealt, self.role, (START, START), every=True)
        best, own = choices[0], next(choice for choice in choices if set(choice.thrown) == set(thrown))
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
    """The points in `12`, `twelve`, `12 points`, `muggins 2` or `nothing`."""
    word = re.sub(r"^muggins\b|\bpoints?$", "", typed.strip(" .!\n").lower()).strip()
    if word in WORDS:
        return WORDS[word]
    if not word.isdecimal() or len(word) > 3:
        what = f"{typed.strip()!r} is not a number of points" if typed.strip() else "nothing was typed"
        raise AnswerError(f"{what}; type a number, 0 for nothing")
    if int(word) > MOST:
        raise AnswerError(f"no hand counts {int(word)}: the most is {MOST}")
    return int(word)


def _kept(value: object) -> tuple[str, Rating, datetime]:
    entry = as_object(value)
    rating = as_field(entry, "rating", as_whole, int(Rating.Easy), int(Rating.Again))
    return as_field(entry, "skill", as_text, LONGEST_SKILL), Rating(rating), as_field(entry, "at", _utc)


def _utc(value: Json) -> datetime:
    text = as_string(value)
    try:
        at = datetime.fromisoformat(text)
    except ValueError:
        at = None
    if at is None or at.utcoffset() != timedelta(0):
        raise Unfit(f"{quote(text)} is not a time in UTC like 2026-01-31T20:00:00+00:00")
    return at


class KeptEntry(TypedDict):
    """An answer as it is kept; the rating is FSRS's."""

    skill: str
    rating: int
    at: str


@dataclass
class Progress:
    """`due` has when each skill is to come again; `right` counts the right answers since the newest wrong one of that
    skill, `streak` those of all skills."""

    path: Path | None = None
    due: dict[str, datetime] = field(default_factory=dict)
    right: dict[str, int] = field(default_factory=dict)
    streak: int = 0
    best: int = 0
    damaged: list[Unfit] = field(default_factory=list)  # answers that do not count, and why
    _cards: dict[str, fsrs.Card] = field(default_factory=dict)
    _scheduler: Scheduler = field(default_factory=lambda: Scheduler(enable_fuzzing=False))

    @classmethod
    def read(cls, path: Path) -> Progress:
        """From the answers in a file."""
        progress = cls(path)
        for number, entry in read_lines(path):
            progress._take(entry, f"line {number}")
        return progress

    @classmethod
    def of(cls, answers: Iterable[Json]) -> Progress:
        """From answers as they were kept."""
        progress = cls()
        for number, answer in enumerate(answers, 1):
            progress._take(answer, f"answer {number}")
        return progress

    def _take(self, answer: object, where: str) -> None:
        """Take an answer that was kept; one that cannot be read does not count, and is among the `damaged`."""
        try:
            self._fold(*_kept(answer))
        except DAMAGE as error:
            self.damaged.append(placed(error, where))

    def answered(self, skill: str, right: bool, seconds: float, at: datetime) -> KeptEntry:
        """Take an answer, and return it as it is kept; raises CribboardError when it cannot be written."""
        rating = _rating(right, seconds)
        entry: KeptEntry = {"skill": skill, "rating": int(rating), "at": at.isoformat(timespec="seconds")}
        if self.path is not None:
            append_line(self.path, entry)
        self._fold(skill, rating, at)
        return entry

    def next_of(self, skills: tuple[str, ...], now: datetime) -> str:
        """What to ask: what is due, the longest first; else what is not sure yet; else what is new or due soonest."""
        known = sorted((skill for skill in skills if skill in self.due), key=lambda skill: self.due[skill])
        due = [skill for skill in known if self.due[skill] <= now]
        unsure = [skill for skill in skills if self.right.get(skill, ENOUGH) < ENOUGH]
        new = [skill for skill in skills if skill not in self.due]
        return [*due, *unsure, *new, *known][0]

    def _fold(self, skill: str, rating: Rating, at: datetime) -> None:
        card, _ = self._scheduler.review_card(self._cards.get(skill) or fsrs.Card(card_id=1, due=at), rating, at)
        self._cards[skill] = card
        self.due[skill] = card.due
        wrong = rating is Rating.Again
        self.right[skill] = 0 if wrong else self.right.get(skill, 0) + 1
        self.streak = 0 if wrong else self.streak + 1
        self.best = max(self.best, self.streak)


def _rating(right: bool, seconds: float) -> Rating:
    if not right:
        return Rating.Again
    if seconds > SLOW_S:
        return Rating.Hard
    return Rating.Easy if seconds <= QUICK_S else Rating.Good
