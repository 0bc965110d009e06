"""The levels: what a learner overlooks, what an expert does not, and how a level is named."""

from __future__ import annotations

import random

import pytest

from cribboard.computer import levels
from cribboard.computer.playing import Seen
from cribboard_core.cards import PACK_SIZE, parse_card, parse_cards
from cribboard_core.show import count


def deals(number):
    chance = random.Random(3)
    return [chance.sample(range(PACK_SIZE), 5) for _ in range(number)]


def test_an_expert_counts_all_and_a_learner_less_than_the_club():
    right, counted = [dict.fromkeys(levels.LEVELS, 0) for _ in range(2)]
    for *hand, starter in deals(600):
        for level in levels.LEVELS:
            right[level] += count(hand, starter).points
            counted[level] += levels.claim(level, hand, starter, False)
    shares = [counted[level] / right[level] for level in levels.LEVELS]
    assert shares[2] == 1
    assert 0.75 < shares[0] < 0.9 < shares[1] < 1


def test_what_is_overlooked_is_the_same_each_time():
    hand, starter = parse_cards("5H 5C 6D 7S"), parse_card("8H")
    assert len({levels.claim(levels.LEARNER, hand, starter, False) for _ in range(9)}) == 1


def test_a_learner_keeps_what_counts_whoever_has_the_crib():
    dealt = parse_cards("5H 5C 2D 7S 8C KD")
    assert levels.discard(levels.LEARNER, dealt, 0, (121, 121)) == levels.discard(levels.LEARNER, dealt, 1, (121, 121))


def test_a_learner_offers_a_fifteen_that_an_expert_does_not():
    hand = tuple(parse_cards("5H 4C 9D KS"))
    seen = Seen(0, 1, hand, tuple(parse_cards("2H QC")), (), parse_card("8S"), (0, 0))
    learner, expert = [levels.card(level, seen) >> 2 for level in (levels.LEARNER, levels.EXPERT)]
    assert learner == parse_card("KS") >> 2
    assert expert != parse_card("5H") >> 2


def test_points_that_are_there_are_taken_by_all():
    seen = Seen(
        0, 1, tuple(parse_cards("5H 4C 9D")), tuple(parse_cards("2H QC")),
        ((0, parse_card("KS")), (1, parse_card("JC"))), parse_card("8S"), (0, 0),
    )  # fmt: skip
    pair = Seen(**{**seen.__dict__, "hand": tuple(parse_cards("JH 4C 9D"))})
    assert all(levels.card(level, pair) == parse_card("JH") for level in levels.LEVELS)


def test_there_are_three_levels():
    assert levels.check_level("club") == "club"
    with pytest.raises(
        levels.LevelError, match="there is no level 'grandmaster'; the levels are learner, club, expert"
    ):
        levels.check_level("grandmaster")
