"""The nightly backup: whole, checked, fourteen of them, in its folder; and the way back from one."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from types import SimpleNamespace

import pytest
from store.house import Clock, Table

from cribboard.store import Backups, Store, StoreError, open_store, restore_backup
from cribboard.store import copying as module

MORNING = datetime(2026, 3, 3, 5, 1, tzinfo=UTC)


@pytest.fixture
def backups(store: Store, folder: Path, clock: Clock) -> Backups:
    return Backups(store, folder / "backups", named=False, clock=clock, zone=UTC)


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in (folder / "backups").iterdir())


def content(path: Path, other: Path) -> str:
    """What a backup holds, as an export."""
    url = f"sqlite:///{other}"
    if path.suffix == ".db":
        open_store(url).close()
        restore_backup(path, url)
    with closing(open_store(url, clock=Clock())) as back:
        if path.suffix == ".json":
            back.import_json(path.read_text(encoding="utf-8"))
        return back.export_json()


def test_the_history_is_backed_up_after_five_when_nobody_has_played_for_an_hour(
    backups: Backups, table: Table, clock: Clock, folder: Path, url: str
) -> None:
    ending = "db" if url.startswith("sqlite") else "json"
    table.new()
    assert backups.run() == ""  # the first one at once
    assert names(folder) == [f"history-20260302T200000Z.{ending}"]
    clock.go(hours=8, minutes=30)
    assert backups.run() == ""
    table.press(0, 5)
    clock.at = MORNING
    assert backups.run() == ""
    assert len(names(folder)) == 1  # they have played half an hour ago
    clock.go(minutes=30)
    assert backups.run() == ""
    assert names(folder)[1:] == [f"history-20260303T053100Z.{ending}"]
    clock.go(hours=23)
    assert backups.run() == ""
    assert len(names(folder)) == 2


def test_a_house_that_never_rests_is_backed_up_all_the_same(
    backups: Backups, table: Table, clock: Clock, folder: Path
) -> None:
    table.new()
    backups.run()
    for _ in range(80):
        clock.go(minutes=30)
        table.press(0, 1)
        backups.run()
    assert len(names(folder)) == 2


def test_a_kiosk_that_is_off_at_night_is_backed_up_when_it_starts(
    backups: Backups, table: Table, clock: Clock, folder: Path
) -> None:
    table.new()
    backups.run()
    clock.go(days=1)
    backups.run()
    assert len(names(folder)) == 2


def test_fourteen_are_kept_and_the_newest_is_whole(
    backups: Backups, table: Table, store: Store, clock: Clock, folder: Path
) -> None:
    (folder / "backups").mkdir()
    for day in range(3, 17):
        (folder / "backups" / f"history-202603{day:02}T000000Z.db").touch()
    table.play([(2, 0)])
    clock.go(days=14)
    for _ in range(3):
        table.play([(2, 0)])
        clock.go(days=1)
        assert backups.run() == ""
    kept = names(folder)
    assert len(kept) == 14
    assert kept[0][:16] == "history-20260306"
    assert content(folder / "backups" / kept[-1], folder / "other.db") == store.export_json()


def test_backups_from_a_clock_that_was_wrong_keep_out_none_that_come(
    backups: Backups, clock: Clock, folder: Path, table: Table
) -> None:
    table.new()
    (folder / "backups").mkdir()
    for day in range(14):
        (folder / "backups" / f"history-209901{day + 1:02}T000000Z.db").touch()
    (folder / "backups" / "holiday.jpg").touch()
    for _ in range(3):
        clock.go(days=1)
        assert backups.run() == ""
    assert sum(name.startswith("history-2026") for name in names(folder)) == 3
    assert "holiday.jpg" in names(folder)
    assert any("from the future" in said for said in backups.look().warnings)


def test_staff_are_told_of_an_old_one_of_none_and_of_one_beside_the_history(
    backups: Backups, clock: Clock, folder: Path, url: str
) -> None:
    beside = ["The backups are on the same disk as the history"] if url.startswith("sqlite") else []
    (folder / "backups").mkdir()

    def warnings() -> list[str]:
        return [said.split(":")[0] for said in backups.look().warnings]

    assert warnings() == ["There is no backup yet.", *beside]
    assert backups.run() == ""
    assert (backups.look().newest, warnings()) == (clock.at, beside)
    clock.go(hours=48)
    assert warnings() == beside
    clock.go(minutes=1)
    assert warnings() == ["The newest backup is 2 days old.", *beside]


@pytest.mark.skipif(not Path("/dev/shm").is_dir(), reason="needs a second medium")
def test_a_folder_on_another_medium_is_not_beside(tmp_path: Path, clock: Clock) -> None:
    with closing(open_store(f"sqlite:////dev/shm/{tmp_path.name}.db")) as store:
        try:
            if tmp_path.stat().st_dev == Path("/dev/shm").stat().st_dev:
                pytest.skip("all is on one medium here")
            backups = Backups(store, tmp_path, named=True, clock=clock)
            assert backups.run() == ""
            assert backups.look().warnings == ()
        finally:
            for left in Path("/dev/shm").glob(f"{tmp_path.name}.db*"):
                left.unlink()


def test_a_medium_that_was_taken_out_is_told_and_tried_again_after_an_hour(
    store: Store, clock: Clock, folder: Path
) -> None:
    backups = Backups(store, folder / "stick", named=True, clock=clock, zone=UTC)
    said = backups.run()
    assert said == f"the folder {folder}/stick is not there; plug in its disk, or name another folder with --backup-to"
    assert backups.look().warnings[0] == f"The last try failed: {said}."
    (folder / "stick").mkdir()
    clock.go(minutes=59)
    assert backups.run() == ""
    assert backups.look().newest is None
    clock.go(minutes=1)
    assert backups.run() == ""
    assert backups.look().newest == clock.at
    assert not any("failed" in warning for warning in backups.look().warnings)


def test_no_backup_takes_the_room_that_the_history_needs(
    backups: Backups, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda path: SimpleNamespace(free=100))
    assert "has 0 MB left, and a backup needs 1 MB; make room" in backups.run()
    assert names(folder) == []


def test_a_backup_is_made_where_there_is_room_for_two(
    lite: Store, folder: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    with closing(sqlite3.connect(folder / "kiosk.db")) as grown:
        grown.execute("CREATE TABLE larger AS SELECT zeroblob(5 << 20)")
        grown.commit()
        grown.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    size = (folder / "kiosk.db").stat().st_size
    backups = Backups(lite, folder / "backups", named=False, clock=clock)
    monkeypatch.setattr(shutil, "disk_usage", lambda path: SimpleNamespace(free=2 * size - 1))
    assert backups.run().startswith(f"{folder}/backups has 10 MB left, and a backup needs 11 MB; make room")
    monkeypatch.setattr(shutil, "disk_usage", lambda path: SimpleNamespace(free=2 * size))
    clock.go(hours=1)
    assert backups.run() == ""
    assert len(names(folder)) == 1


def test_what_a_killed_kiosk_has_left_half_written_goes(backups: Backups, folder: Path) -> None:
    (folder / "backups").mkdir()
    (folder / "backups" / "history-20260301T050000Z.db.part").write_bytes(b"half")
    assert backups.look().newest is None
    assert backups.run() == ""
    assert [name for name in names(folder) if name.endswith(".part")] == []
    assert len(names(folder)) == 1


def test_a_copy_that_is_not_what_was_copied_is_none(
    backups: Backups, folder: Path, monkeypatch: pytest.MonkeyPatch, url: str
) -> None:
    if not url.startswith("sqlite"):
        monkeypatch.setattr(Store, "export_json", lambda store: '{"format":"half')
    counted = module._counts
    seen: list[int] = []

    def lossy(connection: sqlite3.Connection) -> dict[str, int]:
        seen.append(1)
        return {**counted(connection), "events": len(seen)}

    monkeypatch.setattr(module, "_counts", lossy)
    assert "differs from the original" in (said := backups.run()) or "not an exported history" in said
    assert names(folder) == []


def test_a_stick_that_knows_no_owners_is_written(
    store: Store, folder: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(path: Path, mode: int) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(Path, "chmod", refuse)
    (folder / "backups").mkdir()
    assert Backups(store, folder / "backups", named=True, clock=clock).run() == ""
    assert len(names(folder)) == 1


@pytest.fixture
def lite(folder: Path, clock: Clock) -> Iterator[Store]:
    with closing(open_store(f"sqlite:///{folder}/kiosk.db", clock=clock, zone=UTC)) as opened:
        yield opened


def test_a_copy_is_of_one_moment_though_events_are_kept_meanwhile(
    lite: Store, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = Table(lite)
    table.play([(2, 0)])
    then = lite.export_json()
    counted = module._counts

    def meanwhile(connection: sqlite3.Connection) -> dict[str, int]:
        counts = counted(connection)
        table.new()
        return counts

    monkeypatch.setattr(module, "_counts", meanwhile)
    lite.backup(folder / "copy.db")
    assert lite.export_json() != then
    with closing(open_store(f"sqlite:///{folder}/copy.db")) as copy:
        assert copy.export_json() == then


def test_a_backup_takes_the_place_of_the_history_and_what_was_there_is_kept(
    lite: Store, folder: Path, clock: Clock
) -> None:
    url = f"sqlite:///{folder}/kiosk.db"
    table = Table(lite)
    table.play([(2, 0)])
    lite.backup(folder / "backup.db")
    then = lite.export_json()
    table.play([(2, 0)], seed=2)
    now = lite.export_json()
    aside = restore_backup(folder / "backup.db", url, clock=clock)
    assert lite.export_json() == then  # also for whoever has it open
    assert aside == folder / "kiosk.db.before-20260302-200000"
    with closing(open_store(f"sqlite:///{aside}")) as before:
        assert before.export_json() == now
    assert not (folder / "kiosk.db.restoring").exists()
    table.tell()
    assert lite.games()[0].state == "won"


def test_a_damaged_history_can_be_brought_back(lite: Store, folder: Path, clock: Clock) -> None:
    url = f"sqlite:///{folder}/kiosk.db"
    Table(lite).play([(2, 0)])
    lite.backup(folder / "backup.db")
    then = lite.export_json()
    lite.close()
    (folder / "kiosk.db").write_bytes(os.urandom(8192))
    restore_backup(folder / "backup.db", url, clock=clock)
    with closing(open_store(url)) as back:
        assert back.export_json() == then
    assert [*folder.glob("kiosk.db.broken-*")]


def damaged(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[4096:12288] = os.urandom(8192)
    path.write_bytes(data)


def newer(path: Path) -> None:
    with closing(sqlite3.connect(path)) as changed, changed:
        changed.execute("UPDATE alembic_version SET version_num = 'v9999'")


def text(path: Path) -> None:
    path.write_text(json.dumps({"format": "cribboard history"}), encoding="utf-8")


@pytest.mark.parametrize("spoil", [damaged, newer, text, Path.unlink])
def test_what_is_no_good_backup_changes_nothing(lite: Store, folder: Path, clock: Clock, spoil: object) -> None:
    Table(lite).play([(2, 0)])
    before = lite.export_json()
    lite.backup(folder / "backup.db")
    spoil(folder / "backup.db")  # type: ignore[operator]
    with pytest.raises(StoreError):
        restore_backup(folder / "backup.db", f"sqlite:///{folder}/kiosk.db", clock=clock)
    assert lite.export_json() == before
    assert sorted(path.name for path in folder.glob("kiosk.db.*")) == ["kiosk.db.lock"]


def test_a_server_is_not_restored_from_a_file(postgres, folder: Path) -> None:
    with pytest.raises(StoreError, match="cribboard history import"):
        restore_backup(folder / "backup.db", postgres.database())


def test_a_day_is_a_local_one(lite: Store, folder: Path, clock: Clock) -> None:
    backups = Backups(lite, folder / "backups", named=False, clock=clock, zone=timezone(timedelta(hours=-6)))
    clock.at = datetime(2026, 3, 3, 10, 0, tzinfo=UTC)  # four in the morning there
    assert backups.run() == ""
    clock.go(minutes=59)
    assert backups.run() == ""
    assert len(names(folder)) == 1
    clock.go(minutes=1)
    assert backups.run() == ""
    assert len(names(folder)) == 2
