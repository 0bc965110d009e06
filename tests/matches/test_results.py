"""The record of finished games: each counts once, whatever happens to it and to the file."""

from __future__ import annotations

import os
from dataclasses import replace

import pytest
from rigs.typed import Typed

from cribboard.errors import ArgumentError, CribboardError
from cribboard.files import append_line
from cribboard.matches.results import of_line, record, recorded, results_file, withdraw


@pytest.fixture
def typed(tmp_path, monkeypatch):
    return Typed(tmp_path, monkeypatch)


def result(text="Ann 121 Bob 88", game=""):
    return replace(of_line(text), game=game)


def kept():
    return [(one.names, one.scores) for one in recorded()]


def test_what_is_recorded_is_there_with_its_time():
    record(result())
    record(result("Bob 121 Ann 3"))
    assert kept() == [(("Ann", "Bob"), (121, 88)), (("Bob", "Ann"), (121, 3))]
    assert recorded()[0].when.endswith("+00:00")


def test_a_game_without_a_number_counts_each_time_it_is_recorded():
    record(result())
    record(result())
    assert len(kept()) == 2


def test_a_game_of_one_number_counts_once_as_it_was_last_recorded():
    record(result("Ann 121 Bob 88", "g"))
    record(result("Ann 121 Bob 88", "g"))
    assert results_file().read_bytes().count(b"\n") == 1
    record(result("Ann 121 Bob 90", "g"))
    assert kept() == [(("Ann", "Bob"), (121, 90))]


def test_a_win_taken_back_does_not_count_until_it_is_won_again():
    record(result(game="g"))
    withdraw("g")
    withdraw("g")
    assert kept() == []
    assert results_file().read_bytes().count(b"\n") == 2
    record(result(game="g"), anew=False)
    assert kept() == []
    record(result(game="g"))
    assert len(kept()) == 1


def test_a_line_is_on_the_disk_before_anything_else_happens(monkeypatch):
    done = []
    fsync = os.fsync
    monkeypatch.setattr(os, "fsync", lambda descriptor: (done.append(results_file().read_bytes()), fsync(descriptor)))
    record(result())
    assert done == [results_file().read_bytes()]


def test_a_torn_line_costs_only_itself():
    record(result())
    with results_file().open("ab") as file:
        file.write(b'{"sides":[{"na')
    record(result("Bob 121 Ann 3"))
    assert len(kept()) == 2


def test_a_whole_line_that_is_no_result_is_named():
    record(result())
    append_line(results_file(), {"sides": 3})
    with pytest.raises(ArgumentError, match=r"results.jsonl, line 2: .* is not a result"):
        recorded()


def test_a_file_that_cannot_be_written_or_read_is_named(monkeypatch):
    results_file().mkdir()
    with pytest.raises(CribboardError, match="cannot be written"):
        record(result())
    with pytest.raises(CribboardError, match="cannot be read"):
        recorded()


def test_a_win_on_the_board_is_recorded_once(typed):
    typed("new", "Ann", "Bob")
    typed("set-score", "Bob", "88")
    assert kept() == []
    typed("set-score", "Ann", "121")
    typed("state")
    typed("new")
    assert kept() == [(("Ann", "Bob"), (121, 88))]


def test_a_win_undone_on_the_board_is_withdrawn_and_one_redone_is_back(typed):
    typed("new", "Ann", "Bob")
    typed("set-score", "Ann", "121")
    typed("undo")
    assert kept() == []
    typed("redo")
    assert kept() == [(("Ann", "Bob"), (121, 0))]


def test_a_false_claim_of_game_is_withdrawn(typed):
    typed("new", "Ann", "Bob")
    typed("set-score", "Ann", "121")
    typed("false-claim", "Ann", "110")
    assert kept() == []


def test_a_win_is_told_although_it_cannot_be_recorded(typed):
    typed("new", "Ann", "Bob")
    results_file().mkdir()
    for words in (("set-score", "Ann", "121"), ("state",)):
        result = typed(*words)
        assert "Ann wins with 121" in result.stdout
        assert "cannot be" in result.stderr
        assert "the game counts on the board" in result.stderr


def test_each_game_of_an_evening_counts(typed):
    for winner in ("Ann", "Bob", "Ann"):
        typed("new", "Ann", "Bob")
        typed("set-score", winner, "121")
    assert [names[scores.index(121)] for names, scores in kept()] == ["Ann", "Bob", "Ann"]


def test_a_game_that_buttons_have_won_is_recorded_at_the_next_command(typed):
    typed("new", "Ann", "Bob")
    typed.firmware.keeper.do((2, 0, 46, 0, 0))
    typed.firmware.keeper.do((2, 0, 46, 0, 0))
    typed.firmware.keeper.do((2, 0, 46, 0, 0))
    typed("state")
    assert kept() == [(("Ann", "Bob"), (121, 0))]


def test_a_won_game_that_was_given_back_to_a_board_counts_once(typed):
    typed("new", "Ann", "Bob")
    typed("set-score", "Ann", "121")
    typed.firmware.wipe()
    typed("state")
    assert typed.firmware.match.winner == 0
    assert len(kept()) == 1


def test_the_file_is_lines_that_sheet_reads_as_the_record_does(typed):
    typed("new", "Ann", "Bob")
    typed("set-score", "Bob", "121")
    typed("undo")
    typed("new", "Ann", "Bob")
    typed("set-score", "Ann", "121")
    assert typed.says("sheet", str(results_file())) == typed.says("sheet")
    assert typed.says("sheet").splitlines()[1].split() == ["1", "Ann", "1", "3", "1", "1", "+121"]
