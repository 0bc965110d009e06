"""The lessons in counting: their examples are right, and their hands need nothing that comes later."""

from __future__ import annotations

import random
import re

import pytest

from cribboard.learning import BY_NAME, LESSONS, AnswerError, Card, Hand, counted, hand_for, kinds, missed
from cribboard_core.cards import parse_card, parse_cards
from cribboard_core.show import count

HANDS = 40  # of each lesson
EXAMPLES = {  # what the text says, as a hand and its starter
    "6 7 7 8 is": ("6H 7C 7D 8S", "KH", 12),
    "a double run of three, like 6 7 7 8, is 8": ("6H 7C 7D 8S", "KH", 8 + 4),
    "a double run of four, like 6 7 7 8 9, is 10": ("6H 7C 7D 8S", "9H", 10 + 6),
    "a triple run, like 6 7 7 7 8, is 15": ("6H 7C 7D 8S", "7H", 15 + 6),
    "a double double run, like 6 7 7 8 8, is 16": ("6H 7C 7D 8S", "8H", 16 + 8),
    "8 7 7 is two fifteens and a pair": ("8H 7C 7D KS", "QH", 6),
    "5 6 7 8 is a run of four": ("5H 6C 7D 8S", "QH", 4 + 4),
    "8 4 2 A": ("8H 4C 2D AS", "KH", 2 + 2),
}


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.name)
def test_a_lesson_deals_hands_that_it_is_about(lesson):
    chance = random.Random(1)
    before = {"fifteens", "more", "pair", "run", "double", "flush", "nobs"}
    if lesson.name in ("fifteens", "more", "pairs", "runs", "double"):
        before -= {"flush", "nobs"}
    for _ in range(HANDS):
        show = hand_for(lesson, chance)
        assert kinds(show) <= before
        assert show.crib == (lesson.name == "trap")


def test_the_shapes_in_the_text_count_what_it_says():
    text = " ".join(sentence for lesson in LESSONS for sentence in lesson.says)
    for said, (hand, starter, points) in EXAMPLES.items():
        assert said in text
        assert count(parse_cards(hand), parse_card(starter)).points == points, said


def test_every_fifteen_of_two_or_three_cards_can_be_found_with_the_text():
    """The text names what a highest card lacks, and each way to make it."""
    two = set(re.findall(r"(\d+) and (\d+)", " ".join(BY_NAME["fifteens"].says)))
    assert {("7", "8"), ("6", "9")} <= two
    text = " ".join(BY_NAME["more"].says)
    for highest, lacks in ((10, 5), (9, 6), (8, 7), (7, 8), (6, 9)):
        part = re.search(rf"a (?:ten-card|{highest}) lacks {lacks} \(([^)]*)\)", text.replace("an 8", "a 8"))
        named = {tuple(pair.split(" and ")) for pair in part[1].split(", ")}
        ranks = {tuple("A23456789"[rank - 1] for rank in (lacks - low, low)) for low in range(1, lacks // 2 + 1)}
        ranks = {pair for pair in ranks if "A23456789".index(pair[0]) < highest}
        assert named == ranks, highest
    assert "three fives" in text


@pytest.mark.parametrize(
    ("hand", "starter", "answer", "said"),
    [
        ("5H 6C 7D 8S", "KH", 10, "It is 8, two less than you said."),
        ("5H 6C 7D 8S", "QH", 4, "It is 8, four more than you said; perhaps you left out the fifteens or the runs."),
        ("2H 2C 7D 8S", "QH", 2, "It is 4, two more than you said; perhaps you left out the fifteens or the pairs."),
        (
            "3H 6C 6D 7S",
            "8H",
            10,
            "It is 12, two more than you said; perhaps you left out the pairs or one of the fifteens.",
        ),
        ("2H 2C 9D KS", "QH", 0, "It is 2, two more than you said; perhaps you left out the pairs."),
        ("JH 2C 3D 8S", "QH", 4, "It is 5, one more than you said; perhaps you left out the nobs."),
        ("5H 5C 5D JS", "5S", 1, "It is 29, 28 more than you said."),
    ],
)
def test_what_is_missed_is_said(hand, starter, answer, said):
    assert missed(count(parse_cards(hand), parse_card(starter)), answer) == said


def test_whoever_falls_into_the_cribs_trap_is_told_why():
    show = count(parse_cards("2H 4H 9H KH"), parse_card("QS"), True)
    assert missed(show, show.points + 4).endswith(": in the crib a flush needs the starter's suit, too.")


@pytest.mark.parametrize(
    ("typed", "points"),
    [
        ("12", 12),
        ("twelve", 12),
        ("12 points", 12),
        ("one point", 1),
        ("muggins 2", 2),
        ("nothing", 0),
        ("Zero.", 0),
        ("Twelve points!", 12),
    ],
)
def test_an_answer_may_be_typed_as_it_is_said(typed, points):
    assert Card(parse_cards("5H")).graded(typed).right == (points == 0)
    assert question_of(points).graded(typed).right


def question_of(points):
    hands = {12: ("6C 7D 8S 8H", "KH"), 1: ("JH 2C 4D 8S", "QH"), 2: ("2H 2C 9D KS", "QH"), 0: ("2H 4C 8D TS", "QH")}
    hand, starter = hands[points]
    show = count(parse_cards(hand), parse_card(starter))
    assert show.points == points
    return Hand("fifteens", show)


def test_no_hand_counts_more_than_29():
    with pytest.raises(AnswerError, match="no hand counts 99: the most is 29"):
        question_of(0).graded("99")


def test_the_count_is_said_step_by_step_with_the_cards():
    assert counted(count(parse_cards("8S 7H 6C 7D"), parse_card("AC"))) == [
        "Sorted: AC 6C 7D 7H 8S. Say it like this:",
        "  fifteen two                            7H 8S",
        "  fifteen four                           7D 8S",
        "  fifteen six                            AC 6C 8S",
        "  fifteen eight                          AC 7D 7H",
        "  and a double run of three for sixteen  6C 7D 7H 8S",
    ]


def test_a_hand_of_nothing_says_what_was_looked_for():
    assert counted(count(parse_cards("2H 4D 6S QC"), parse_card("KC")))[1].startswith("Nothing in it: no fifteen")
