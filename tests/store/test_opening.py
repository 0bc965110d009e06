"""The history is opened where it is, set aside when it is none any more, and whatever is wrong is said in words."""

from __future__ import annotations

import errno
import os
import stat
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from rigs.disk import limited
from sqlalchemy import text
from store.house import Clock, Table
from store.postgres import Server, server

from cribboard.files import home
from cribboard.store import Store, StoreError, database, open_store, opening
from cribboard.store.database import Database, located
from cribboard.store.errors import in_words
from cribboard.store.report import Report


def test_by_default_it_is_a_file_among_the_users_data() -> None:
    store = open_store()
    Table(store).new()
    store.close()
    assert (home() / "kiosk.db").exists()


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("kiosk.db", "that is not a database URL; write one like postgresql://"),
        ("sqlite://", "neither a file of SQLite nor a PostgreSQL server"),
        ("sqlite:///:memory:", "neither a file of SQLite nor a PostgreSQL server"),
        ("mysql://ann:secret@pub/house", r"mysql://ann:\*\*\*@pub/house is neither"),
        ("sqlite:////no/such/folder/kiosk.db", "cannot be opened .*check that its folder exists"),
        ("postgresql://nobody@/x?host=/no/such/folder", "does not answer: .*check that it is running"),
    ],
)
def test_what_cannot_be_opened_is_said_in_words(url: str, words: str) -> None:
    with pytest.raises(StoreError, match=words):
        open_store(url)


def test_without_the_driver_of_postgresql_it_is_said_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(StoreError, match=r"not installed; .* pip install -e '\.\[postgresql\]'"):
        open_store("postgresql://ann@pub/house")


@contextmanager
def unwritable(folder: Path) -> Iterator[None]:
    folder.chmod(stat.S_IRUSR | stat.S_IXUSR)
    try:
        yield
    finally:
        folder.chmod(stat.S_IRWXU)


OPEN = """
import filelock, os, sys
from cribboard.store import StoreError, open_store
os.setuid(65534) if os.getuid() == 0 else None
try:
    open_store(sys.argv[1])
except StoreError as error:
    print(error)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="folders have no such rights there")
def test_a_folder_that_may_not_be_written_is_told() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        store = open_store(f"sqlite:///{folder}/kiosk.db")
        Table(store).new()
        store.close()
        before = (folder / "kiosk.db").read_bytes()
        with unwritable(folder):
            if os.getuid() == 0:
                folder.chmod(0o555)
                (folder / "kiosk.db").chmod(0o444)
            words = [sys.executable, "-c", OPEN, f"sqlite:///{folder}/kiosk.db"]
            bare = {name: value for name, value in os.environ.items() if not name.startswith("COV")}  # it cannot save
            done = subprocess.run(words, env=bare, capture_output=True, text=True, timeout=60, check=False)
        assert (
            "cannot be opened (Permission denied); check that its folder exists and that you may write there"
            in done.stdout
        )
        assert done.stderr == ""
        assert (folder / "kiosk.db").read_bytes() == before


@pytest.mark.skipif(sys.platform == "win32", reason="files have no such rights there")
@pytest.mark.parametrize("before", [None, b"", b"this is no database"])
def test_nobody_else_may_read_the_file_in_whatever_folder_it_is(folder: Path, before: bytes | None) -> None:
    folder.chmod(0o755)
    path = folder / "kiosk.db"
    if before is not None:
        path.write_bytes(before)
        path.chmod(0o644)
    store = open_store(f"sqlite:///{path}")
    Table(store).new()
    store.backup(folder / "copy.db")
    modes = {each.name: stat.S_IMODE(each.stat().st_mode) for each in folder.iterdir()}
    store.close()
    assert {"kiosk.db", "kiosk.db-wal", "kiosk.db-shm", "copy.db"} < set(modes)
    assert set(modes.values()) == {0o600}


def test_a_damaged_file_is_set_aside_and_never_written_over(folder: Path, clock: Clock) -> None:
    path = folder / "kiosk.db"
    for number in range(3):
        path.write_bytes(b"this is no database %d" % number * 100)
        store = open_store(f"sqlite:///{path}", clock=clock)
        (notice,) = store.notices
        assert f"the history in {path} is damaged; it is now {path}.broken-20260302-200000" in notice
        assert "a new one is started" in notice
        Table(store).new()
        assert len(store.games()) == 1
        store.close()
    kept = sorted(each.read_bytes()[:22] for each in folder.glob("kiosk.db.broken-*"))
    assert kept == [b"this is no database 0t", b"this is no database 1t", b"this is no database 2t"]
    store = open_store(f"sqlite:///{path}", clock=clock)
    assert store.notices == ()
    store.close()


def test_what_belongs_to_a_damaged_file_goes_with_it(folder: Path, clock: Clock) -> None:
    path = folder / "kiosk.db"
    path.write_bytes(b"this is no database")
    path.with_name("kiosk.db-wal").write_bytes(b"nor a log")
    open_store(f"sqlite:///{path}", clock=clock).close()
    assert path.with_name("kiosk.db.broken-20260302-200000-wal").read_bytes() == b"nor a log"


def test_a_damaged_file_that_cannot_be_set_aside_stays(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = folder / "kiosk.db"
    path.write_bytes(b"this is no database")

    def refused(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "rename", refused)
    with pytest.raises(StoreError, match="damaged and cannot be set aside"):
        open_store(f"sqlite:///{path}")
    assert path.read_bytes() == b"this is no database"


def test_on_a_read_only_disk_it_is_said_how_to_read_it(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    open_store(f"sqlite:///{folder / 'kiosk.db'}").close()

    def refused(path: Path) -> None:
        raise OSError(errno.EROFS, "Read-only file system")

    monkeypatch.setattr(opening, "only_owners", refused)
    with pytest.raises(StoreError, match=r"written \(Read-only file system\); make the disk writable, or copy"):
        open_store(f"sqlite:///{folder / 'kiosk.db'}")


def test_two_programs_that_open_a_damaged_file_set_it_aside_once(folder: Path) -> None:
    path = folder / "kiosk.db"
    path.write_bytes(b"this is no database" * 1000)
    opened: list[Store] = []
    threads = [threading.Thread(target=lambda: opened.append(open_store(f"sqlite:///{path}"))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(len(store.notices) for store in opened) == [0, 0, 0, 1]
    assert len(list(folder.glob("kiosk.db.broken-*"))) == 1
    for store in opened:
        store.close()


def test_two_programs_that_migrate_at_once_migrate_once(url: str) -> None:
    opened: list[Store] = []
    threads = [threading.Thread(target=lambda: opened.append(open_store(url))) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(opened) == 3
    for store in opened:
        store.close()


@pytest.mark.skipif(sys.platform == "win32", reason="Windows opens no folders")
def test_the_name_of_a_new_file_is_on_the_disk(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    synced: list[int] = []
    monkeypatch.setattr(os, "fsync", lambda descriptor: synced.append(os.fstat(descriptor).st_ino))
    open_store(f"sqlite:///{folder}/kiosk.db").close()
    assert folder.stat().st_ino in synced


def test_a_file_that_is_refused_is_let_go(folder: Path) -> None:
    open_store(f"sqlite:///{folder}/kiosk.db").close()
    with closing(Database(located(f"sqlite:///{folder}/kiosk.db"))) as database, database.writing() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(StoreError, match="newer"):
        open_store(f"sqlite:///{folder}/kiosk.db")
    assert not list(folder.glob("kiosk.db-*"))  # which are there as long as it is open


def test_games_are_added_up_again_when_the_way_of_it_is_new(url: str, clock: Clock) -> None:
    store = open_store(url, clock=clock)
    Table(store).win(0)
    store.close()
    database = Database(located(url))
    with database.writing() as connection:
        connection.execute(text("DELETE FROM scores"))
        connection.execute(text("UPDATE games SET summed = 0"))
    database.close()
    store = open_store(url, clock=clock)
    assert [line.points for line in store.leaderboard()] == [3, 0]
    store.close()


def test_another_program_that_does_not_let_go_is_told(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cribboard.store.database.PATIENCE_S", 0.05)
    store = open_store(f"sqlite:///{folder}/kiosk.db")
    holder = Database(located(f"sqlite:///{folder}/kiosk.db"))
    with holder.writing(), pytest.raises(StoreError, match="another program is using the history"):
        Table(store).new()
    Table(store).new()
    holder.close()
    store.close()


def test_a_database_without_the_tables_says_what_it_refuses(folder: Path) -> None:
    store = open_store(f"sqlite:///{folder}/kiosk.db")
    database = Database(located(f"sqlite:///{folder}/kiosk.db"))
    with database.writing() as connection:
        connection.execute(text("DROP TABLE corrections"))
    with pytest.raises(StoreError, match="refuses: no such table: corrections; nothing was changed"):
        store.corrections()
    store.close()
    database.close()


def test_text_that_is_none_is_told(folder: Path) -> None:
    store = open_store(f"sqlite:///{folder}/kiosk.db")
    Table(store).new()
    database = Database(located(f"sqlite:///{folder}/kiosk.db"))
    with database.writing() as connection:
        connection.execute(text("UPDATE players SET name = CAST(x'ff41' AS TEXT)"))
    with pytest.raises(StoreError, match=r"the history in .* refuses: Could not decode to UTF-8"):
        store.players()
    store.close()
    database.close()


def test_a_damaged_file_whose_damage_cannot_be_quoted_is_set_aside(folder: Path) -> None:
    path = folder / "kiosk.db"
    open_store(f"sqlite:///{path}").close()
    data = path.read_bytes()
    path.write_bytes(data.replace(b"CREATE TABLE", b"CREATE\xb0\xffABLE"))
    with closing(open_store(f"sqlite:///{path}")) as store:
        assert len(store.notices) == 1


def test_what_cannot_be_in_a_database_is_told_and_not_thrown(folder: Path) -> None:
    store = open_store(f"sqlite:///{folder}/kiosk.db")
    Table(store).new()
    database = Database(located(f"sqlite:///{folder}/kiosk.db"))
    with database.writing() as connection:
        connection.execute(text("UPDATE games SET pegs = 'what'"))
    with pytest.raises(StoreError, match="has impossible contents"):
        store.games()
    database.close()
    store.close()


def test_a_postgresql_that_goes_down_and_comes_back_is_told_and_gone_on_with() -> None:
    with server("") as running:
        store = open_store(running.database())
        table = Table(store)
        table.new()
        table.do("peg", 0, 5)
        running.stop("immediate")
        with pytest.raises(StoreError, match="does not answer"):
            table.do("peg", 1, 3)
        running.start()
        store.keep(Report(table.uid, table.epoch, table.journal(), table.standing, table.names))
        assert [side.front for side in store.games()[0].sides] == [5, 3]
        assert store.games()[0].whole
        store.close()


def test_a_postgresql_that_comes_later_has_what_is_kept_then(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database, "AGAIN_S", 0.0)
    with server() as running:
        url = running.database()
        running.stop()
        store = open_store(url, wait=True)
        try:
            assert len(store.notices) == 1
            assert "does not answer" in store.notices[0]
            assert store.notices[0].endswith("play goes on, and what happens is added to the history later")
            table = Table(store)
            for ask in (table.new, store.games):
                with pytest.raises(StoreError, match="does not answer"):
                    ask()
            running.start()
            Table(store).new()
            assert len(store.games()) == 1
        finally:
            store.close()


def test_a_file_that_cannot_be_opened_yet_is_made_ready_later(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database, "AGAIN_S", 0.0)
    url = f"sqlite:///{folder / 'kiosk.db'}"
    with closing(open_store(url)) as first:
        Table(first).new()
    with limited():
        store = open_store(url, wait=True)
        with pytest.raises(StoreError):
            store.games()
    assert len(store.games()) == 1
    store.close()
    with pytest.raises(StoreError, match="cannot be opened"):  # a name that was mistyped
        open_store(f"sqlite:///{folder / 'none' / 'kiosk.db'}", wait=True)


def test_a_full_postgresql_is_said_to_be_full() -> None:
    class Full(Exception):
        sqlstate = "53100"

    assert in_words(Full("could not extend file"), "house").message == (
        "the database house has no room: could not extend file"
    )


def test_the_tests_server_is_one_of_their_own(postgres: Server) -> None:
    assert postgres.folder.exists()
