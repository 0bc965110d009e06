"""The notes of a board: whole or the old ones, one program at a time, and never an unreadable file in the way."""

from __future__ import annotations

import json
import os
import stat

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rigs import hostile

from cribboard.board.ledger import KEYS, Ledger, Pending
from cribboard.board.messages import Event, Standing
from cribboard.board.won import Won
from cribboard.errors import CribboardError, TransportError
from cribboard.slots import Slots, newest
from cribboard.typed import DAMAGE, Unfit, placed
from cribboard_core.events import PEG
from cribboard_core.match import Match


def test_what_is_saved_is_there_the_next_time(tmp_path):
    ledger = Ledger(tmp_path, "ab")
    ledger.epoch, ledger.session, ledger.last_id = 7, 65535, 255
    ledger.pending = Pending("hand", [0, "5H5C5SJD", "5D", 0, 29], 65535, 255, 12, {0: "Bob"})
    ledger.standing = Standing.of(Match(241, 0b111111, 3))
    ledger.query = 200
    ledger.name(3, {0: "Ann", 5: "Zoë"})
    ledger.save()
    ledger.close()
    again = Ledger(tmp_path, "ab")
    again.close()
    names = ("epoch", "session", "last_id", "pending", "standing", "query", "games")
    assert [getattr(again, name) for name in names] == [getattr(ledger, name) for name in names]


def test_nobody_else_may_read_it(tmp_path):
    (tmp_path / "ab").mkdir(mode=0o755)
    ledger = Ledger(tmp_path, "ab")
    ledger.save()
    ledger.close()
    assert stat.S_IMODE(ledger.path.stat().st_mode) == 0o600


def test_a_second_program_is_kept_out(tmp_path):
    ledger = Ledger(tmp_path, "ab")
    with pytest.raises(TransportError, match="another cribboard program is using this board; close it"):
        Ledger(tmp_path, "ab")
    ledger.close()
    Ledger(tmp_path, "ab").close()


def test_other_boards_have_other_notes(tmp_path):
    first, second = Ledger(tmp_path, "ab"), Ledger(tmp_path, "cd")
    first.close()
    first.close()
    second.close()


def test_somebody_is_called_otherwise_or_no_longer_in_all_that_is_noted(tmp_path):
    ledger = Ledger(tmp_path, "ab")
    ledger.name(3, {0: "Ann", 1: "Bob"})
    ledger.name(9, {0: "Bob", 1: "ANN"})
    ledger.pending = Pending("new", [9, 121, 3, 2, 0, -1, -1], 5, 5, 12, {0: "Ann", 1: "Zoë"})
    ledger.answer("key", 9, "Ann pegs 5, now at 5.")
    assert not ledger.rename(["Anna"], "Eve")
    assert ledger.rename(["ann"], "Eve")
    assert ledger.games == {3: {0: "Eve", 1: "Bob"}, 9: {0: "Bob", 1: "Eve"}}
    assert ledger.pending.names == {0: "Eve", 1: "Zoë"}
    assert ledger.rename(["Zoë"], "Cleo")  # whose game has not begun
    assert ledger.pending.names == {0: "Eve", 1: "Cleo"}
    assert ledger.rename(["Eve"], "")
    assert ledger.games == {3: {1: "Bob"}, 9: {0: "Bob"}}
    assert ledger.pending.names == {1: "Cleo"}
    ledger.save()
    ledger.close()
    assert ledger.answers == {"key": (9, "")}
    text = ledger.path.read_bytes()
    assert b"Eve" not in text
    assert b"ann" not in text.lower()
    again = Ledger(tmp_path, "ab")
    assert again.rename(["bob"], "Robert")
    again.close()
    assert b"Bob" not in ledger.path.read_bytes()


def test_a_command_without_names_on_its_way_is_no_hindrance_to_a_new_name(tmp_path):
    ledger = Ledger(tmp_path, "ab")
    ledger.name(3, {0: "Ann"})
    ledger.pending = pending = Pending("peg", [0, 5], 5, 5, 12)
    assert ledger.rename(["ann"], "Eve")
    assert (ledger.games, ledger.pending) == ({3: {0: "Eve"}}, pending)
    ledger.close()


def test_the_answers_to_the_newest_commands_are_kept(tmp_path):
    ledger = Ledger(tmp_path, "ab")
    for rev in range(KEYS + 5):
        ledger.answer(str(rev), rev)
    assert [*ledger.answers.values()] == [(rev, "") for rev in range(5, KEYS + 5)]
    ledger.close()


GARBAGE = st.sampled_from([b"{}", b"[]", b"null", b'{"format":3}', b'{"format":2,"uid":"x"}'])


@given(garbage=st.binary(max_size=40) | GARBAGE)
def test_notes_that_cannot_be_read_are_set_aside(tmp_path_factory, garbage):
    folder = tmp_path_factory.mktemp("notes")
    (folder / "ab").mkdir()
    (folder / "ab" / "ledger.json").write_bytes(garbage)
    ledger = Ledger(folder, "ab")
    ledger.close()
    assert "ledger.broken" in ledger.broken
    assert (folder / "ab" / "ledger.broken").read_bytes() == garbage
    assert ledger.session == 0


def test_whatever_is_changed_in_the_notes_is_taken_or_refused_where_it_stands(tmp_path):
    ledger = Ledger(tmp_path, "ab")
    ledger.close()
    standing = Standing.of(Match(121, 0b001001, 2))
    ledger.pending = Pending("new", [9, 121, 3, 2, 0, -1, -1], 5, 5, 12, {0: "Ann"}, "key")
    ledger.standing, ledger.events = standing, (Event(12, PEG, 0, 5, 0, 0, 5, 4, 9),)
    ledger.name(9, {0: "Ann", 3: "Bob"})
    ledger.won[9] = Won.at(standing, {(("ann",), ("bob",)): (2, 1)})
    ledger.answer("first", 12, "Ann pegs 5.")
    ledger.save()
    other = Ledger(tmp_path, "cd")
    other.close()
    fresh = vars(other).copy()
    for path, data in hostile.changes(json.loads(newest(ledger.path.read_bytes()))):
        again = object.__new__(Ledger)
        vars(again).update(fresh, uid="ab")
        try:
            again._read(data)
        except DAMAGE as error:
            assert path[0] in ("format", "uid") or vars(again) == {**fresh, "uid": "ab"}, path
            assert len(path) == 1 or str(placed(error)).startswith(path[0].removesuffix("s")), (path, error)
        else:
            assert path[0] not in ("format", "uid"), "another board's, or another version's"
            assert again.pending is None or again.pending.sound, path
            assert again.names(9).keys() <= {*range(6)}, path


def test_games_won_are_those_of_all_sides():
    for value in ([[1], [3, 2], []], [[1, 0], [3, 2], [[[["ann"], ["bob"]], [1]]]]):
        with pytest.raises(Unfit, match="1 of 2 sides have won games"):
            Won.read(value)


def test_a_folder_that_takes_no_notes_is_told(tmp_path):
    ledger = Ledger(tmp_path, "ab")
    (tmp_path / "ab" / "ledger.json.part").mkdir()
    with pytest.raises(CribboardError, match=r"cannot be written .*; make room"):
        ledger.save()
    ledger.close()


def test_notes_that_may_not_be_read_are_told(tmp_path):
    (tmp_path / "ab" / "ledger.json").mkdir(parents=True)
    with pytest.raises(CribboardError, match=r"cannot be read .*; give yourself permission"):
        Ledger(tmp_path, "ab")


@pytest.mark.parametrize(
    "pending",
    [
        {"op": "peg", "args": [0, 1], "session": 1, "id": 256, "rev": 1, "names": None},
        {"op": "peg", "args": [0] * 99, "session": 1, "id": 1, "rev": 1, "names": None},
        {"op": "dance", "args": [], "session": 1, "id": 1, "rev": 1, "names": None},
    ],
)
def test_a_damaged_command_is_set_aside_with_its_file(tmp_path, pending):
    ledger = Ledger(tmp_path, "ab")
    ledger.save()
    ledger.close()
    data = json.loads(newest(ledger.path.read_bytes()))
    Slots(ledger.path, 4096).write(json.dumps({**data, "pending": pending}))
    again = Ledger(tmp_path, "ab")
    again.close()
    assert again.broken
    assert again.pending is None


def test_a_file_nested_too_deep_is_set_aside(tmp_path):
    ledger = Ledger(tmp_path, "ab")
    ledger.close()
    ledger.path.write_text("[" * 100_000)
    again = Ledger(tmp_path, "ab")
    again.close()
    assert again.broken


def test_a_folder_that_cannot_be_forced_to_the_disk_is_no_error(tmp_path, monkeypatch):
    ledger = Ledger(tmp_path, "ab")
    real = os.fsync
    calls = []

    def second_fails(descriptor):
        calls.append(descriptor)
        if len(calls) == 2:
            raise OSError(28, "No space left on device")
        real(descriptor)

    monkeypatch.setattr(os, "fsync", second_fails)
    ledger.session = 9
    ledger.save()
    ledger.close()
    assert len(calls) == 2
    again = Ledger(tmp_path, "ab")
    again.close()
    assert again.session == 9
