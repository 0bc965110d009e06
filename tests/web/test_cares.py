"""What staff have to see to: a history that cannot be written, and its backups."""

from __future__ import annotations

from datetime import timedelta

import pytest
from store.house import Clock
from web.rig import wait_until

from cribboard.errors import TransportError
from cribboard.service.writer import History
from cribboard.store import Backups, StoreError
from cribboard.store.read import moment


def test_staff_see_in_full_why_a_board_does_not_answer(rig, house, monkeypatch: pytest.MonkeyPatch):
    boss = rig.staff()
    assert boss.get("/api/house").json()["away"] == []
    why = TransportError("you may not open /dev/ttyACM0", "join the group dialout")
    monkeypatch.setattr(type(house.services[2]), "away", property(lambda one: why if one.number == 2 else None))
    name = house.services[2].view.entry()["board"]["name"]
    assert boss.get("/api/house").json()["away"] == [
        {"table": name, "text": why.message, "hint": why.hint, "board": 2, "other": False}
    ]


def test_staff_see_a_history_that_cannot_be_written_until_it_can(rig, house, monkeypatch: pytest.MonkeyPatch):
    boss, service = rig.staff(), house.services[1]
    waiting = house.store.file.parent / "unwritten"
    history = service._record._history
    assert isinstance(history, History)
    monkeypatch.setattr(history, "_again_s", 0.05)
    assert boss.get("/api/house").json()["unwritten"] == []

    def broken(*_: object, **__: object) -> None:
        raise StoreError("there is no room on the disk")

    with monkeypatch.context() as full:
        full.setattr(house.store, "keep", broken)
        assert rig.player().order(1, do="peg", side=1, points=2).json()["kept"] is False
        wait_until(lambda: [*waiting.glob("*/*.jsonl")])
        (unwritten,) = boss.get("/api/house").json()["unwritten"]
        assert unwritten == {
            "table": service.view.entry()["board"]["name"],
            "why": "there is no room on the disk",
            "since": moment(history.trouble.since),
            "no_file": "",
        }
    wait_until(lambda: service.trouble is None)
    assert boss.get("/api/house").json()["unwritten"] == []
    assert [*waiting.glob("*/*.jsonl")] == []


def test_staff_see_the_age_of_the_newest_backup(rig, house, tmp_path):
    boss, clock = rig.staff(), Clock()
    assert boss.get("/api/house").json()["backup"] is None
    rig.kiosk.backups = Backups(house.store, tmp_path / "backups", named=False, clock=clock)
    assert "There is no backup yet." in boss.get("/api/house").json()["backup"]["warnings"]
    assert rig.kiosk.backups.run() == ""
    backup = boss.get("/api/house").json()["backup"]
    made = (moment(clock.at), 0, str(tmp_path / "backups"))
    assert (backup["newest"], backup["hours"], backup["folder"]) == made
    clock.at += timedelta(days=3, minutes=1)
    backup = boss.get("/api/house").json()["backup"]
    assert backup["hours"] == 72
    assert "The newest backup is 3 days old." in backup["warnings"]
