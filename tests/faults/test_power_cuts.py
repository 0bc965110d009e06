"""Power cuts at some bytes of some events' writes and of two erases; at all of them by the command `power_cuts`."""

from __future__ import annotations

from itertools import islice

import pytest
from faults import evening
from faults.power_cuts import TABLES, Figures, Trial, run

from cribboard_core import gap, journal, mount, records
from cribboard_core.events import PEG


@pytest.mark.long
def test_after_a_cut_the_state_is_the_one_before_or_after_and_the_game_goes_on() -> None:
    trial = Trial(1, erase_stride=97, write_stride=7, again_stride=29)
    board = trial.board

    def tried() -> bool:
        return trial.number < 60 or board.journal.must_roll(board.match, PEG)

    trial.play(evening.games(board.match, [*TABLES, TABLES[0]], 1, 0.1), tried)
    trial.play(evening.long_game(board.match, 330, 1), tried)
    figures = trial.figures
    assert figures.wrong == []
    assert (figures.erases, figures.erases_in_a_game) == (3, 1)
    for what, came in figures.cuts.items():
        assert came.total() > 40, what
        assert not came["neither"], what


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
    monkeypatch.setattr(mount, "is_whole", lambda record: record != journal.BLANK)
    assert any("neither before nor after" in text for text in a_few_events().wrong)


def test_a_journal_without_tags_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        journal,
        "event_record",
        lambda rev, event, session, last_id, *stood: records.event_record(rev, event, 0, 0, *stood),
    )
    assert a_few_events().wrong


def test_a_journal_that_folds_on_where_an_event_is_missing_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    assert not a_few_events().wrong
    monkeypatch.setattr(gap.Gap, "miss", lambda self, events, restored: None)
    monkeypatch.setattr(gap, "read_end", lambda reading: None)
    assert any("with another score" in text for text in a_few_events().wrong)
