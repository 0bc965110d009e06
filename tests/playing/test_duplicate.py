"""Duplicate cribbage: the same deals at two tables, or by the computer."""

from __future__ import annotations

import json
import shutil
from itertools import pairwise
from pathlib import Path

import pytest
from rigs.typed import Typed

from cribboard.computer.levels import LEARNER
from cribboard.errors import CribboardError
from cribboard.playing.duplicate import by_computer, in_words, played
from cribboard.playing.review import newest


@pytest.fixture
def typed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Typed:
    monkeypatch.setenv("CRIBBOARD_HOME", str(tmp_path))
    typed = Typed(tmp_path, monkeypatch)
    typed.play(2)
    return typed


def game(typed: Typed, level: str, seed: int = 3) -> Path:
    """A game of the computer against itself; a copy of its log."""
    computers = ("--computer", f"Ann:{level}", "--computer", "Bob:learner")
    typed("play", "Ann", "Bob", *computers, "--seed", str(seed), "--target", "61", "--new")
    copy = newest().with_name(f"{level}-{seed}")
    shutil.copy(newest(), copy)
    return copy


def test_the_points_of_all_deals_are_the_scores(typed: Typed) -> None:
    table = played(game(typed, "learner"))
    assert len(table.deals) > 2
    for before, after in pairwise(table.deals):
        assert after.scores == (before.scores[0] + before.made[0], before.scores[1] + before.made[1])
    last = table.deals[-1]
    assert max(last.scores[seat] + last.made[seat] for seat in (0, 1)) == 61


def test_the_computer_at_the_same_level_makes_the_same_of_the_same_cards(typed: Typed) -> None:
    table = played(game(typed, "learner"))
    assert [by_computer(deal, 61, LEARNER) for deal in table.deals] == list(table.deals)


def test_two_tables_with_one_seed_are_compared_deal_by_deal(typed: Typed) -> None:
    here, there = played(game(typed, "learner")), played(game(typed, "expert"))
    lines = in_words(here, there.deals, "the other table")
    assert len(lines) == 2 + min(len(here.deals), len(there.deals))
    total = sum(one.net - other.net for one, other in zip(here.deals, there.deals, strict=False))
    assert total
    assert f"{abs(total)} {'more' if total > 0 else 'fewer'}" in lines[-1]


def test_penalties_and_corrections_are_no_points_of_the_deal(typed: Typed) -> None:
    words = ("play", "--codes", "Ann", "Bob", "--computer", "Bob", "--seed", "11", "--target", "61", "--new")
    typed(*words, given="JH 5D\n6H\nQC\n2C\n3C\n")
    right = played(newest()).deals
    typed(*words, given="JH 5D\n6H\npenalty Bob 6\nset Ann 20\nQC\n2C\n3C\n")
    assert len(right) == 1
    assert played(newest()).deals == right


def test_other_cards_cannot_be_compared(typed: Typed) -> None:
    here, there = played(game(typed, "learner")), played(game(typed, "learner", 4))
    with pytest.raises(CribboardError, match="no deal is the same in both games"):
        in_words(here, there.deals, "the other table")


def test_the_command_compares_with_the_computer_and_with_a_log(typed: Typed) -> None:
    log = game(typed, "learner")
    output = typed("review", "--duplicate").stdout.splitlines()
    assert output[0] == "Points of Ann less those of Bob, with the same cards:"
    assert output[-1].endswith(" the computer.")
    assert typed("review", "--beside", str(log)).stdout.splitlines()[-1].endswith("made as many as the other table.")
    deals = json.loads(typed("review", "--duplicate", "--json").stdout)["deals"]
    assert all(set(deal) == {"here", "there"} for deal in deals)
