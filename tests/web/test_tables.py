"""Tables keep their numbers and names; what only this kiosk knows is kept from others."""

from __future__ import annotations

import json
from dataclasses import asdict, replace

import pytest
from rigs import hostile

from cribboard.errors import ArgumentError, CribboardError
from cribboard.slots import Slots, newest
from cribboard.web import secrets
from cribboard.web import tables as where
from cribboard.web.kiosk import lan_address, url
from cribboard.web.limits import MOST_CLIENTS, Buckets, Tries
from cribboard.web.secrets import Keys
from cribboard.web.tables import Move, Place, Tables


def test_a_table_keeps_its_number_and_its_name(tmp_path):
    tables = Tables(tmp_path)
    assert [tables.place(uid).number for uid in ("e6", "f7", "e6")] == [1, 2, 1]
    tables.rename(2, "Snug")
    again = Tables(tmp_path)
    assert again.place("f7").name == "Snug"
    assert again.place("a1").number == 3
    assert again.boards() == ["e6", "f7", "a1"]


def test_a_forgotten_number_is_given_again(tmp_path):
    tables = Tables(tmp_path)
    for uid in ("e6", "f7"):
        tables.place(uid)
    tables.forget(1)
    assert Tables(tmp_path).place("a1").number == 1
    with pytest.raises(ArgumentError, match="there is no table 9"):
        tables.forget(9)


def test_a_table_keeps_number_name_and_key_on_another_board(tmp_path):
    tables = Tables(tmp_path)
    for uid in ("e6", "f7"):
        tables.place(uid)
    tables.rename(1, "Snug")
    move = Move("e6", "a1", 3, "move-1")
    tables.begin_move(move)
    assert Tables(tmp_path).moving == move
    tables.move(replace(move, epoch=5, number=4))
    tables.end_move()
    again = Tables(tmp_path)
    assert (again.moving, again.boards()) == (None, ["f7", "a1"])
    assert again.place("a1") == Place(1, "Snug", "e6")
    assert (again.key(1), again.uid(1), again.key(9)) == ("e6", "a1", "")
    assert again.place("e6") == Place(3, "Table 3", "e6+0")
    again.move(Move("a1", "f7", 3, "move-2"))
    assert (again.place("f7").number, again.place("a1").number) == (1, 2)


def test_a_move_that_no_disk_takes_changes_nothing(tmp_path, monkeypatch):
    tables = Tables(tmp_path)
    tables.place("e6")

    def full(*_: object, **__: object) -> None:
        raise CribboardError("there is no room", "make some")

    monkeypatch.setattr(Slots, "write", full)
    for act in (tables.begin_move, tables.move):
        with pytest.raises(CribboardError, match="no room"):
            act(Move("e6", "a1", 3, "move-1"))
    assert (tables.moving, tables.boards()) == (None, ["e6"])


def test_there_are_not_more_tables_than_a_house_has(tmp_path, monkeypatch):
    monkeypatch.setattr(where, "MOST_TABLES", 2)
    tables = Tables(tmp_path)
    for uid in ("e6", "f7"):
        tables.place(uid)
    with pytest.raises(CribboardError, match="there are already 2 tables"):
        tables.place("a1")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        '{"e6": [1, "orange"]}',
        '{"e6": [1, "A"], "f7": [1, "B"]}',
        '{"e6": [1, "A"], "f7": [2, "B", "e6"]}',
    ],
)
def test_a_damaged_file_is_said(tmp_path, text):
    (tmp_path / where.NAME).write_text(text, encoding="utf-8")
    with pytest.raises(CribboardError, match="is damaged"):
        Tables(tmp_path)


def test_whatever_is_changed_in_the_file_is_taken_or_said_where_it_stands(tmp_path):
    move = {"here": "e6", "there": "f7", "rev": 5, "key": "k", "epoch": 1, "number": 3}
    for path, data in hostile.changes({"e6": [1, "Ann"], "f7": [2, "Bob", "a5"], "moving": move}):
        Slots(tmp_path / where.NAME, 4096).write(json.dumps(data))
        try:
            moving = Tables(tmp_path).moving
        except CribboardError as error:
            assert "twice" in str(error) or len(path) == 1 or f"({path[0]}" in str(error), path
        else:
            assert moving is None or asdict(moving).items() <= data["moving"].items(), path


@pytest.mark.parametrize("broken", [{"secret": "x"}, {"pin": "x"}, {"phones": -1}, {"salt": 7}, {"more": 1}, None])
def test_damaged_keys_are_said_and_not_used(tmp_path, broken):
    Keys(tmp_path).new_pin()
    path = tmp_path / secrets.NAME
    keys = json.loads(newest(path.read_bytes()))
    Slots(path, 4096).write(json.dumps(broken and {**keys, **broken}))
    with pytest.raises(CribboardError, match="is damaged"):
        Keys(tmp_path)


def test_keys_that_are_damaged_while_the_kiosk_runs_stay_as_they_were(tmp_path):
    kept = Keys(tmp_path)
    pin = kept.new_pin()
    (tmp_path / secrets.NAME).write_text("{", encoding="utf-8")
    assert kept.is_pin(pin)
    (tmp_path / secrets.NAME).unlink()
    assert kept.is_pin(pin)


def test_nobody_is_staff_before_there_is_a_pin(tmp_path):
    assert not Keys(tmp_path).is_pin("")
    assert not Keys(tmp_path).is_pin("000000")


def test_a_folder_that_cannot_be_written_is_said(tmp_path):
    nowhere = tmp_path / "nowhere"
    with pytest.raises(CribboardError, match=r"kiosk-keys\.json cannot be written"):
        Keys(nowhere)
    tables = Tables(nowhere)
    assert tables.place("e6").number == tables.place("e6").number == 1  # until it can be written
    assert "kiosk-tables.json cannot be written" in str(tables.slots.unwritten)
    with pytest.raises(CribboardError, match=r"kiosk-tables\.json cannot be written"):
        tables.forget(1)
    for name, reader in ((secrets.NAME, Keys), (where.NAME, Tables)):
        (tmp_path / name).mkdir()
        with pytest.raises(CribboardError, match="cannot be read"):
            reader(tmp_path)


def test_nobody_else_may_read_what_is_kept_in_whatever_folder_it_is(tmp_path):
    tmp_path.chmod(0o755)
    (tmp_path / f"{where.NAME}.part").write_text("", encoding="utf-8")  # left by a kiosk that was killed
    Tables(tmp_path).place("e6")
    Keys(tmp_path)
    assert {path.name: path.stat().st_mode & 0o777 for path in tmp_path.iterdir()} == dict.fromkeys(
        (where.NAME, secrets.NAME, "kiosk-keys.lock"), 0o600
    )


def test_addresses():
    assert url("192.168.1.5", 8121) == "http://192.168.1.5:8121"
    assert url("fd00::5", 80) == "http://[fd00::5]"
    assert lan_address().count(".") == 3


def test_what_counts_clients_forgets_the_oldest():
    clock = [0.0]
    buckets, tries = Buckets(1, 1, lambda: clock[0]), Tries(1, 60, lambda: clock[0])
    for number in range(MOST_CLIENTS + 10):
        assert buckets.take(str(number)) == 0
        tries.begin(str(number))
    assert len(buckets._levels) == len(tries._begun) == MOST_CLIENTS
    assert buckets.take("4000") == 1
    clock[0] += 1
    assert buckets.take("4000") == 0
    assert tries.wait("4000") == 59
    assert tries.wait("0") == 0
