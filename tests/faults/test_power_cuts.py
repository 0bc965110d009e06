"""Power cuts at every byte of some games' writes, in the suite; more games by the command that the README names."""

from __future__ import annotations

import os
import subprocess
import sys
from itertools import islice
from pathlib import Path

import pytest
from faults import evening
from faults.power_cuts import Figures, Trial, run

from cribboard_core import journal, records
from cribboard_core.journal import Journal

TESTS = Path(__file__).parents[1]


def test_after_a_cut_at_any_byte_the_state_is_the_one_before_or_after_and_the_game_goes_on() -> None:
    # a process of its own, without coverage, which would make it three times as long
    apart = {name: value for name, value in os.environ.items() if not name.startswith(("COV", "COVERAGE"))}
    command = [sys.executable, "-m", "faults.power_cuts", "--games", "5", "--long", "330", "--erase-stride", "199"]
    command += ["--write-stride", "7"]
    told = subprocess.run(command, cwd=TESTS, env=apart, capture_output=True, text=True, timeout=600)
    assert told.returncode == 0, told.stdout + told.stderr
    assert "wrong: 0" in told.stdout
    assert "neither" not in told.stdout
    assert "2 erases (1 in a game)" in told.stdout
    for what in ("a write", "an erase", "an erase in a game", "a page"):
        assert f"cut in {what}: " in told.stdout


def test_the_same_seed_makes_the_same_cuts_again() -> None:
    first, second = (run(0, 3, (101, 1), long=20) for _ in range(2))
    assert first.cuts == second.cuts
    assert first.cuts["a write"].total() > 300


# Planted bugs


def a_few_events() -> Figures:
    trial = Trial(1, 101)
    trial.play(islice(evening.games(trial.board.match, [(2, 0)], 1, 0.1), 12))
    return trial.figures


def test_a_journal_without_a_crc_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(journal, "is_whole", lambda record: record != journal.BLANK)
    assert any("neither before nor after" in text for text in a_few_events().wrong)


def test_a_journal_without_tags_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(journal, "event_record", lambda rev, event, *tag: records.event_record(rev, event, 0, 0))
    assert a_few_events().wrong


def test_a_journal_that_folds_on_where_an_event_is_missing_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    assert not a_few_events().wrong
    rev = Journal._rev
    # the same numbers, but never one that shows a gap
    monkeypatch.setattr(Journal, "_rev", lambda self, record: min(rev(self, record), self._newest + 1))
    assert any("with another score" in text for text in a_few_events().wrong)
