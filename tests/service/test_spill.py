"""What the history cannot take is kept in a second file, over the end of the program, and is in the history once."""

from __future__ import annotations

import json
import re
import signal
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from faults.ends import SCRATCH
from store.house import UID, Clock, Table
from store.postgres import server

from cribboard.board.messages import Corrected
from cribboard.errors import CribboardError
from cribboard.files import append_line
from cribboard.service.spill import Spill
from cribboard.service.writer import History, write_left
from cribboard.store import Store, open_store
from cribboard.store.report import MOST_EVENTS, Report

PATIENCE_S = 120.0
TESTS = Path(__file__).parents[1]
AT = Clock().at


@pytest.fixture
def tmp_path() -> Iterator[Path]:
    """A folder in memory, where there is one: forcing each line to a real disk takes too long."""
    with tempfile.TemporaryDirectory(dir=SCRATCH) as name:
        yield Path(name)


def refuse(path: Path) -> None:
    """What a read-only disk does when a file is to be removed."""
    raise OSError(30, "Read-only file system")


class Heard(Table):
    """A table whose events go to a history's thread one by one."""

    def __init__(self, keep: Callable[[Report], None]) -> None:
        super().__init__()
        self.keep = keep

    def tell(self, **known: object) -> None:
        news, self.news = self.news, []
        rows = [replace(row, by="phone 2", text=f"The event {row.rev}.", at=AT) for row in news]
        self.keep(Report(self.uid, self.epoch, tuple(rows), self.standing, self.names))


def reports(games: int = 1) -> list[Report]:
    """An evening, an event a report."""
    collected: list[Report] = []
    Heard(collected.append).play([(2, 0)] * games)
    return collected


def shown(store: Store) -> list[object]:
    """All games event by event, and what staff would see as put right."""
    replays = [store.game(game.id) for game in store.games(500)]
    return [*(game.entry() for game in replays if game), store.corrections(), store.leaderboard()]


def expected(folder: Path, sent: list[Report]) -> list[object]:
    """What a history shows that never failed."""
    with closing(open_store(f"sqlite:///{folder}/expected.db", clock=Clock())) as store:
        for one in sent:
            store.keep(one)
        return shown(store)


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Store]:
    monkeypatch.setattr("cribboard.store.database.PATIENCE_S", 0.02)
    with closing(open_store(f"sqlite:///{tmp_path}/kiosk.db", clock=Clock())) as opened:
        yield opened


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Another program holds the history."""
    with closing(sqlite3.connect(path, isolation_level=None)) as holder:
        holder.execute("BEGIN IMMEDIATE")
        yield


def until(history: History, holds: Callable[[], object]) -> None:
    with history._news:
        assert history._news.wait_for(holds, PATIENCE_S)


def lines(folder: Path) -> list[int]:
    """How many events wait in each file."""
    data = [file.read_bytes() for file in sorted(folder.glob(f"unwritten/{UID}/*.jsonl"))]
    files = [one[: one.rfind(b"\n") + 1].splitlines() for one in data]
    return [sum(len(json.loads(line)["rows"]) for line in one) for one in files]


def test_a_night_without_the_history_is_kept_in_files_and_written_once_when_it_is_back(
    tmp_path: Path, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent, most = reports(3), 100
    assert MOST_EVENTS > most < len(sent)
    monkeypatch.setattr("cribboard.service.writer.MOST_EVENTS", most)
    history = History(store, [tmp_path], 0.01)
    with locked(tmp_path / "kiosk.db"):
        for number, one in enumerate(sent, 1):
            history.keep(one)
            assert not history.written(0)
            if number % 50 == 0 or one is sent[-1]:  # in a moment no more events come than are kept in memory
                until(history, lambda number=number: sum(lines(tmp_path)) == number)  # type: ignore[misc]
        assert len(lines(tmp_path)) == 3  # games
        assert history.trouble is not None
        assert history.trouble.no_file == ""
        assert history.notices.get(timeout=PATIENCE_S) == (
            f"the history cannot be written: another program is using the history in {tmp_path}/kiosk.db; "
            "a second file keeps what happens until it can"
        )
    until(history, lambda: history._done)
    history.close()
    assert history.trouble is None
    assert history.notices.get_nowait() == "the history is written again, with what was missed"
    assert history.notices.empty()
    assert lines(tmp_path) == []
    assert shown(store) == expected(tmp_path, sent)


def test_a_server_that_is_away_for_a_night_gets_all_of_it(tmp_path: Path) -> None:
    sent = reports()
    with server() as running, closing(open_store(running.database(), clock=Clock())) as store:
        running.stop()
        history = History(store, [tmp_path], 0.01)
        for one in sent:
            history.keep(one)
        until(history, lambda: sum(lines(tmp_path)) == len(sent))
        running.start()
        until(history, lambda: history._done)
        history.close()
        assert shown(store) == expected(tmp_path, sent)


PROGRAM = """
import sys
from pathlib import Path
from service.test_spill import *
import cribboard.store.database
cribboard.store.database.PATIENCE_S = 0.02
folder = Path(sys.argv[1])
store = open_store(f"sqlite:///{folder}/kiosk.db", clock=Clock())
history = History(store, [folder], 60.0)
with locked(folder / "kiosk.db"):
    sent = reports()
    for one in sent:
        history.keep(one)
    until(history, lambda: sum(lines(folder)) == len(sent))
    print("kept", flush=True)
    sys.stdin.read()
"""


def test_a_kiosk_that_is_killed_writes_it_at_its_next_start(tmp_path: Path, store: Store) -> None:
    words = [sys.executable, "-c", PROGRAM, str(tmp_path)]
    with subprocess.Popen(words, cwd=TESTS, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as killed:
        assert killed.stdout is not None
        assert killed.stdout.readline() == "kept\n"
        killed.send_signal(signal.SIGKILL)
    sent = reports()
    assert sum(lines(tmp_path)) == len(sent)
    with locked(tmp_path / "kiosk.db"):
        (said,) = write_left(store, [tmp_path])
    assert said.startswith(f"what was missed of the board {UID} still has to go into the history: another program is")
    assert write_left(store, [tmp_path]) == [f"the history has what was missed of the board {UID}"]
    assert shown(store) == expected(tmp_path, sent)
    assert write_left(store, [tmp_path]) == []


@pytest.mark.parametrize("torn", [b"", b'{"uid":"'])
def test_a_file_that_a_full_disk_left_without_an_event_is_not_said_to_be_in_the_history(
    tmp_path: Path, store: Store, torn: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "unwritten" / UID
    folder.mkdir(parents=True)
    (folder / "00000001.jsonl").write_bytes(torn)
    with monkeypatch.context() as patched:
        patched.setattr(Path, "unlink", refuse)
        assert write_left(store, [tmp_path]) == []
    assert write_left(store, [tmp_path]) == []
    assert list(folder.iterdir()) == []


def test_a_kiosk_that_is_killed_before_it_removes_the_file_writes_nothing_twice(tmp_path: Path, store: Store) -> None:
    sent = reports()
    spill = Spill([tmp_path], UID)
    for one in sent:
        spill.append(one)
    (file,) = spill.files()
    held, damaged = spill.read(file)
    assert held is not None
    assert not damaged
    store.keep(held)
    write_left(store, [tmp_path])
    assert shown(store) == expected(tmp_path, sent)
    assert store.corrections() == []


def test_the_next_events_come_after_those_that_waited_since_before_the_start(tmp_path: Path, store: Store) -> None:
    sent = reports()
    spill = Spill([tmp_path], UID)
    for one in sent[:30]:
        spill.append(one)
    history = History(store, [tmp_path])
    for one in sent[30:]:
        history.keep(one)
    until(history, lambda: history._done)
    history.close()
    assert shown(store) == expected(tmp_path, sent)


def test_events_of_another_journal_have_a_file_of_their_own(tmp_path: Path) -> None:
    spill = Spill([tmp_path], UID)
    one = reports()[0]
    for epoch in (7, 8, 7, 9):
        spill.append(replace(one, epoch=epoch))
    held = [report for file in spill.files() if (report := spill.read(file)[0]) is not None]
    assert [report.epoch for report in held] == [7, 8, 7, 9]
    heard = [report.heard for report in held if report.heard is not None]
    assert sorted({*heard}) == heard  # also of those that are written at one moment
    assert len(heard) == 4


def test_a_line_that_a_power_cut_tore_is_passed_over_and_the_rest_is_written(tmp_path: Path, store: Store) -> None:
    sent = reports()
    spill = Spill([tmp_path], UID)
    for one in sent[:10]:
        spill.append(one)
    (file,) = spill.files()
    with file.open("ab") as torn:
        torn.write(json.dumps(sent[10].to_json()).encode()[:100])
    after = Spill([tmp_path], UID)
    for one in sent[10:]:
        after.append(one)
    assert len([*after.files()]) == 2
    assert write_left(store, [tmp_path]) == [f"the history has what was missed of the board {UID}"]
    assert shown(store) == expected(tmp_path, sent)


HOSTILE = [
    b"\xff\x00",
    b"[" * 100_000,
    b"[]",
    b"{}",
    b'{"uid":"../..","epoch":1}',
    b"9" * 5000,
    b"?" * (17 << 20),
]
ROW = [2, "peg", 1, 2, 0, 0, 1, 2, 1]
WRONG = [
    (0, 0),
    (0, 1 << 32),
    (1, "drop"),
    (1, 2),
    (2, 6),
    (3, 256),
    (4, 1 << 16),
    (5, 256),
    (6, 1 << 16),
    (7, 256),
    (8, 1 << 32),
    (8, -1),
]
CHANGES: list[tuple[str, object]] = [
    ("uid", "e6"),
    ("uid", 7),
    ("epoch", -1),
    ("epoch", 1 << 32),
    ("epoch", "7"),
    ("rows", {}),
    ("rows", [ROW[:-1]]),
    *(("rows", [[*ROW[:at], value, *ROW[at + 1 :]]]) for at, value in WRONG),
    ("rows", [ROW] * (MOST_EVENTS + 1)),
    ("standing", []),
    ("standing", [1 << 70, 0, 121, 3, 2, 0, 91, 61, -1, "00000000", [0, 0]]),
    ("names", {"9": "Ann"}),
    ("names", {"0": "A\x1bnn"}),
    ("names", {"0": 7}),
    ("names", []),
    ("notes", {"1": ["", "", "", "", 1e300]}),
    ("notes", {"1": ["", "", "", "", 1 << 70]}),
    ("notes", {"1": ["", "", "", 7, 0]}),
    ("notes", {"1": ["", "", "", "", 0, [1, 10, 47, "staff"]]}),
    ("notes", {"1": ["", "", "", "", 0, [1, 10, 12, 7]]}),
    ("notes", {"1": ["", "", "", "", 0, [1, 10, 12]]}),
    ("notes", {"one": ["", "", "", "", 0]}),
    ("lost", 1),
    ("dropped", -1),
]


def test_an_event_is_read_as_it_was_written() -> None:
    report = reports()[1]
    assert report.to_json()["rows"] == [ROW]
    line = Corrected(1, 10, 12, "Ann and Bob")
    for each in (report, replace(report, events=tuple(replace(event, line=line) for event in report.events))):
        read = Report.from_json(json.loads(json.dumps(each.to_json())))
        assert read == each
        assert [*map(vars, read.events)] == [*map(vars, each.events)]  # with what the host knows


@pytest.mark.parametrize("at", range(len(HOSTILE) + len(CHANGES)))
def test_what_is_no_event_is_not_read_but_kept_under_another_name(tmp_path: Path, store: Store, at: int) -> None:
    sent = reports()[:3]
    spill = Spill([tmp_path], UID)
    spill.append(sent[0])
    (file,) = spill.files()
    if at < len(HOSTILE):
        hostile = HOSTILE[at]
    else:
        name, value = CHANGES[at - len(HOSTILE)]
        hostile = json.dumps({**sent[1].to_json(), name: value}).encode()
    with file.open("ab") as opened:
        opened.write(hostile + b"\n")
    Spill([tmp_path], UID).append(sent[2])
    said = write_left(store, [tmp_path])
    assert said[0] == f"{file.with_suffix('.damaged')} is damaged: what could be read of it is in the history"
    assert hostile in file.with_suffix(".damaged").read_bytes()
    replay = store.game(store.games()[0].id)
    assert replay is not None
    first = [] if len(hostile) > 16 << 20 else [1]
    assert [event.rev for event in replay.events if event.kind != "gap"] == [*first, 3]


def test_where_the_first_place_cannot_be_written_the_second_medium_is_taken(tmp_path: Path, store: Store) -> None:
    sent = reports()
    full, stick = tmp_path / "full", tmp_path / "stick"
    full.write_text("no folder", encoding="utf-8")
    spill = Spill([full, stick], UID)
    with pytest.raises(CribboardError, match="cannot be written"):
        spill.append(sent[0])
    assert not stick.exists()  # it was taken out, and nothing is written where it was
    stick.mkdir()
    for one in sent[:20]:
        spill.append(one)
    full.unlink()
    again = Spill([full, stick], UID)
    for one in sent[20:]:
        again.append(one)
    assert [file.relative_to(tmp_path).parts[0] for file in again.files()] == ["stick", "full"]
    write_left(store, [full, stick])
    assert shown(store) == expected(tmp_path, sent)


def test_a_second_medium_that_is_broken_keeps_nothing_from_the_history(
    tmp_path: Path, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent = reports()
    globbed = Path.glob

    def broken(path: Path, pattern: str) -> Iterator[Path]:
        if "stick" in path.parts:
            raise OSError(5, "Input/output error")
        return globbed(path, pattern)

    monkeypatch.setattr(Path, "glob", broken)
    history = History(store, [tmp_path, tmp_path / "stick"])
    for one in sent:
        history.keep(one)
    until(history, lambda: history._done)
    history.close()
    assert shown(store) == expected(tmp_path, sent)


def test_where_no_file_can_be_written_either_it_is_said_and_ends_when_one_can(tmp_path: Path, store: Store) -> None:
    sent = reports()
    full = tmp_path / "full"
    full.write_text("no folder", encoding="utf-8")
    history = History(store, [full], 0.01)
    with locked(tmp_path / "kiosk.db"):
        for one in sent[:20]:
            history.keep(one)
        said = history.notices.get(timeout=PATIENCE_S)
        assert "; nor can a second file: " in said
        assert said.endswith("; the board keeps the newest events")
        assert history.trouble is not None
        assert "cannot be written" in history.trouble.no_file
        since = history.trouble.since
        full.unlink()
        assert history.notices.get(timeout=PATIENCE_S).endswith("a second file keeps what happens until it can")
        assert (history.trouble.no_file, history.trouble.since) == ("", since)
        for one in sent[20:]:
            history.keep(one)
    until(history, lambda: history._done)
    history.close()
    assert shown(store) == expected(tmp_path, sent)


def test_events_that_found_no_room_anywhere_are_counted(
    tmp_path: Path, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cribboard.service.writer.MOST_EVENTS", 100)
    sent = reports(3)
    history = History(store, [], 0.01)
    with locked(tmp_path / "kiosk.db"):
        for one in sent:
            history.keep(one)
        history.notices.get(timeout=PATIENCE_S)
    until(history, lambda: history._done)
    history.close()
    said = history.notices.get_nowait()
    match = re.fullmatch(
        r"the history is written again, .*; (\d+) events found no room anywhere, and will be missing", said
    )
    assert match
    heard = sum(len(game["events"]) for game in json.loads(store.export_json())["games"])
    loose = sum(len(part["events"]) for part in json.loads(store.export_json())["loose"])
    assert int(match[1]) == len(sent) - heard - loose


def test_a_file_that_cannot_be_removed_is_told_and_not_written_again(
    tmp_path: Path, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    spill = Spill([tmp_path], UID)
    spill.append(reports()[0])
    (file,) = spill.files()
    monkeypatch.setattr(Path, "unlink", refuse)
    assert spill.remove(file) == f"{file} is in the history, but cannot be removed (Read-only file system): remove it"
    assert [*spill.files()] == []


def test_a_disk_that_takes_a_part_of_a_line_has_not_taken_it(tmp_path: Path) -> None:
    resource = pytest.importorskip("resource")
    file = tmp_path / "lines.jsonl"
    append_line(file, {"a": 1})
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (file.stat().st_size + 4, hard))
    try:
        with pytest.raises(CribboardError, match="cannot be written"):
            append_line(file, {"b": 2})
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    append_line(file, {"c": 3})
    assert file.read_bytes().splitlines()[-1] == b'{"c":3}'
