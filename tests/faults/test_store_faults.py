"""The history under kills, power cuts, bad disks and damaged files, for a short while; the long runs are commands."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from faults import store_disk, store_postgres, store_unsynced
from faults.forgetful import Disk
from store.postgres import skip_without

TESTS = Path(__file__).parents[1]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the processes that are killed are forked")
@pytest.mark.long
def test_a_kiosk_that_is_killed_loses_nothing_that_it_has_said_to_be_kept() -> None:
    words = [sys.executable, "-m", "faults.store_killed", "--kills", "4", "--seed", "3", "--stride", "9"]
    done = subprocess.run(words, cwd=TESTS, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "4 killed in an event" in done.stdout


@pytest.mark.long
def test_what_was_kept_survives_a_power_cut() -> None:
    trial = store_unsynced.run(events=8, seed=2, stride=5)
    assert trial.wrong == []
    assert sum(trial.figures.values()) > 40


@pytest.mark.parametrize(
    "settings", [("journal_mode = WAL", "synchronous = NORMAL"), ("journal_mode = MEMORY", "synchronous = FULL")]
)
def test_a_history_that_does_not_sync_is_found_out(settings: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cribboard.store.database.SETTINGS", settings)
    assert store_unsynced.run(events=4, seed=1, stride=4).wrong


def test_a_new_file_whose_name_is_not_synced_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Disk, "sync_folder", lambda disk: None)
    assert store_unsynced.run(events=2, seed=1, stride=100).wrong


@pytest.mark.long
def test_a_disk_that_is_full_or_fails_and_files_that_are_damaged_are_told_in_words() -> None:
    trial = store_disk.run(files=12, seed=5)
    assert trial.wrong == []
    assert trial.figures["FullError while an event is kept"] > 50
    assert trial.figures["damaged: set aside, and a new one begun"] > 2


@pytest.mark.long
def test_a_server_that_is_stopped_and_a_program_that_is_killed_at_it_lose_nothing() -> None:
    skip_without()
    trial = store_postgres.run(kills=1, stops=2, full=0, seed=1)
    assert trial.wrong == []
    assert trial.figures["killed in an event"] == trial.figures["server crashed in an event"] == 1
