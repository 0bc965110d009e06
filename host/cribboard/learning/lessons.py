"""Counting a hand, step by step: what each lesson says, and hands that need it and nothing that comes later.

The order is that of the count: sort, fifteens of two cards and of more, pairs, runs, runs with pairs, the flush and the
crib's trap, nobs, and a hand of nothing.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

from cribboard_core.aloud import NUMBERS, steps
from cribboard_core.cards import PACK_SIZE, cards_text, suit_of
from cribboard_core.show import Show, count

TRIES = 60_000  # hands that are dealt in search of one that fits a lesson; one in thirty is a flush


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
    found = set()
    for kind, _, cards in show.parts:
        if kind == "fifteen":
            found.add("fifteens" if len(cards) == 2 else "more")
        elif kind == "run":
            found.add("run")
        elif kind in ("flush", "nobs"):
            found.add(kind)
        else:
            found.add("pair")
    if [part[0] for part in show.parts].count("run") > 1:
        found.add("double")
    return found


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
            "Then the next card as the highest: 6, 5 and 4 are fifteen, and so are three fives.",
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
    """The count as a player says it, a line for each step with the cards that he points at."""
    ordered = cards_text(sorted([*show.hand, show.starter]))
    said = steps(show)
    if not show.parts:
        return [f"Sorted: {ordered}.", "Nothing in it: no fifteen, no pair, no run, no flush, no nobs."]
    width = max(len(words) for words, _, _ in said)
    lines = [f"  {words:<{width}}  {cards_text(cards)}" for words, _, cards in said]
    return [f"Sorted: {ordered}. Say it like this:", *lines]


def missed(show: Show, told: int) -> str:
    """What a wrong total leaves out or has too much, in a sentence."""
    off = show.points - told
    number = NUMBERS[abs(off)] if abs(off) < len(NUMBERS) else str(abs(off))
    if off < 0:
        return f"It is {show.points}, {number} less than you said."
    sorts = (("fifteens", show.fifteens), ("pairs", show.pairs), ("runs", show.runs), ("flush", show.flush))
    alone = [name for name, points in (*sorts, ("nobs", show.nobs)) if points == off]
    perhaps = f"; perhaps you left out the {' or the '.join(alone)}" if alone else ""
    return f"It is {show.points}, {number} more than you said{perhaps}."
