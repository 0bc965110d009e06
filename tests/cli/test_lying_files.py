"""Files that lie: without an end, a pipe that nobody writes to, marked by an editor, with numbers that are none."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from cribboard import files
from cribboard.board.ledger import Ledger, Pending
from cribboard.board.messages import Standing
from cribboard.board.share import doors
from cribboard.cli.main import cli
from cribboard.errors import CribboardError
from cribboard.learning import Progress
from cribboard.playing import log
from cribboard.referee.options import Options
from cribboard.service.quiet import QuietHours
from cribboard.service.rules import Rules
from cribboard.service.spill import Spill
from cribboard.slots import Slots, newest
from cribboard.store import StoreError, open_store
from cribboard.web.phones import Phones
from cribboard.web.pub import kept_odds, read_logo
from cribboard.web.secrets import Keys
from cribboard.web.tables import Tables
from cribboard_core.match import Match

UID = "e6614c311b4f2a2f"


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(files.HOME_VARIABLE, str(tmp_path / "home"))
    return files.ensure_folder(tmp_path / "home")


def typed(*words: str, given: bytes = b"") -> Result:
    return CliRunner().invoke(cli, words, input=given, prog_name="cribboard", catch_exceptions=False)


COMMANDS = [
    ["history", "import", "FILE"],
    ["review", "FILE"],
    ["sheet", "FILE"],
    ["hardware", "check", "--board", "FILE"],
    ["hardware", "settings", "FILE"],
]


@pytest.mark.parametrize("words", COMMANDS, ids=lambda words: " ".join(words[:2]))
def test_a_file_without_an_end_is_refused(words: list[str]) -> None:
    done = typed(*("/dev/zero" if word == "FILE" else word for word in words))
    assert done.exit_code in (1, 2)
    assert "/dev/zero" in done.stderr and "it has more than 64 MB" in done.stderr


def test_an_input_without_an_end_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "MOST_BYTES", 1 << 20)
    done = typed("sheet", "-", given=bytes(2 << 20))
    assert done.exit_code == 2
    assert "standard input cannot be read: it has more than 1 MB" in done.stderr


@pytest.mark.parametrize("words", COMMANDS, ids=lambda words: " ".join(words[:2]))
def test_a_pipe_that_nobody_writes_to_is_an_empty_file(words: list[str], tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    done = typed(*(str(pipe) if word == "FILE" else word for word in words))
    assert done.exit_code in (0, 1, 2)
    assert "should not have happened" not in done.output


def test_a_pipe_that_is_written_to_is_read_to_its_end(tmp_path: Path) -> None:
    read, write = os.pipe()
    os.write(write, b"Ann 121 Bob 88\n")
    os.close(write)
    try:
        done = typed("sheet", f"/dev/fd/{read}", "--csv")
    finally:
        os.close(read)
    assert "Ann" in done.stdout


def test_a_mark_before_a_text_is_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "all.json"
    assert typed("history", "export", str(path)).exit_code == 0
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes().replace(b"\n", b"\r\n"))
    assert (
        typed("history", "import", str(path)).stdout
        == "Nothing was added: everything in the file is already in the history.\n"
    )


STATE: dict[str, Callable[[Path], object]] = {
    "kiosk-tables.json": lambda home: Tables(home).boards(),
    "kiosk-keys.json": lambda home: Keys(home).now,
    "kiosk-phones.json": lambda home: Phones(home, lambda number: UID)._kept,
    "kiosk-odds.json": lambda home: kept_odds(home, True),
    "kiosk-quiet.json": lambda home: QuietHours(home).entry(),
    "rules.json": lambda home: Rules(home, 7).of(9),
    "ab/ledger.json": lambda home: _noted(home),
    "ab/door.json": lambda home: list(doors(home)),
    "learning.jsonl": lambda home: Progress.read(home / "learning.jsonl").streak,
    "play.jsonl": log.look,
    "unwritten/ab/1.jsonl": lambda home: Spill([home], "ab").read(home / "unwritten" / "ab" / "1.jsonl"),
    "logo.png": lambda home: read_logo(home / "logo.png"),
}
KEPT = {  # as text: that is all of a file, or in its newer slot
    "kiosk-tables.json": {"ab": [1, "Window"]},
    "kiosk-phones.json": {
        "phones": [{"number": 3, "table": 1, "name": "Ann", "uid": UID, "side": 0, "since": 5.5, "state": "seated"}],
        "locks": {"ab": {"since": 6, "seated": [3], "by": 2}},
    },
    "kiosk-quiet.json": ["22:00", "07:00"],
    "rules.json": {"epoch": 7, "games": [[5, Options(exact=True).to_json()]]},
}
WHOLE = ("kiosk-quiet.json",)  # without slots
NUMBER = re.compile(r"(?<![\w\"])\d+(?:\.\d+)?")


def _noted(home: Path) -> object:
    ledger = Ledger(home, "ab")
    try:
        return ledger.broken and str(ledger.broken), ledger.session, ledger.standing
    finally:
        ledger.close()


def put(path: Path, text: str) -> None:
    """Write a file as programs do."""
    if path.name in WHOLE:
        path.write_text(text, encoding="utf-8")
    else:
        Slots(path, 4096).write(text)


def looked(name: str, home: Path) -> str:
    """What the reader of a file says of it."""
    try:
        return str(STATE[name](home))
    except CribboardError as error:
        return f"Error: {error}"


@pytest.fixture
def kept(home: Path) -> dict[str, str]:
    """Sound files by their names."""
    ledger = Ledger(home, "ab")
    ledger.epoch, ledger.session, ledger.last_id = 7, 8, 9
    ledger.pending = Pending("hand", [0, "5H5C5SJD", "5D", 0, 29], 8, 9, 12, {0: "Bob"})
    ledger.standing = Standing.of(Match(241, 0b111111, 3))
    ledger.name(3, {0: "Ann"})
    ledger.answer("key", 4, "pegged")
    ledger.save()
    ledger.close()
    contents = {name: json.dumps(value) for name, value in KEPT.items()}
    contents["ab/ledger.json"] = newest((home / "ab" / "ledger.json").read_bytes())
    contents["kiosk-keys.json"] = json.dumps(asdict(Keys(home).now))
    return contents


@pytest.mark.parametrize("name", STATE)
def test_a_pipe_among_the_users_files_has_nobody_wait(home: Path, name: str) -> None:
    path = home / name
    path.parent.mkdir(parents=True, exist_ok=True)
    os.mkfifo(path, 0o600)
    looked(name, home)


def test_a_history_that_is_a_pipe_is_named(home: Path) -> None:
    os.mkfifo(home / "kiosk.db")
    with pytest.raises(StoreError, match=r"the history in .*/kiosk\.db is not a file; name another database"):
        open_store()


def test_numbers_that_are_none_are_damage_and_no_bug(home: Path, kept: dict[str, str]) -> None:
    for name, text in kept.items():
        for match in NUMBER.finditer(text):
            for wrong in ("1e400", "9" * 400):
                put(home / name, f"{text[: match.start()]}{wrong}{text[match.end() :]}")
                looked(name, home)
                (home / name).unlink(missing_ok=True)


def test_an_editors_mark_is_no_damage(home: Path, kept: dict[str, str]) -> None:
    for name, text in kept.items():
        path = home / name
        put(path, text)
        sound = looked(name, home)
        path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
        assert looked(name, home) == sound
        if name not in WHOLE:
            Slots(path, 4096).write(text)  # over what the mark has moved
            assert looked(name, home) == sound
        assert "Error" not in sound and "cannot be read" not in sound


FORMER = {  # as texts without slots, and what becomes of them
    "kiosk-tables.json": "of another kind); remove it; tables then get new numbers",
    "kiosk-keys.json": "kiosk-keys.json is damaged; remove it; the next start makes another, and all phones and",
    "kiosk-phones.json": "of another kind); remove it; all phones must then join again",
    "rules.json": "of another kind), so this game has the usual rules; others can be chosen with the next",
    "ab/ledger.json": "ledger.broken, and new ones are started",
}


@pytest.mark.parametrize("name", FORMER)
def test_a_file_without_slots_is_met_with_a_sentence(home: Path, kept: dict[str, str], name: str) -> None:
    (home / name).write_text(kept[name], encoding="utf-8")
    said = str(Rules(home, 7).broken) if name == "rules.json" else looked(name, home)
    assert FORMER[name] in said


def test_a_damaged_history_behind_a_link_is_set_aside_where_it_is(home: Path, tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    (disk / "games.db").write_bytes(b"SQLite format 3\0" + bytes(range(200)) * 40)
    (home / "kiosk.db").symlink_to(disk / "games.db")
    store = open_store()
    store.close()
    assert "is damaged" in store.notices[0]
    assert (home / "kiosk.db").is_symlink()
    assert [path.name for path in home.iterdir()] == ["kiosk.db"]
    assert (disk / "games.db").exists() and len([*disk.glob("games.db.broken-*")]) == 1


@pytest.mark.parametrize("words", [("backup", ""), ("export", ""), ("import", ""), ("restore", "")])
def test_a_file_without_a_name_is_refused(words: tuple[str, ...]) -> None:
    done = typed("history", *words)
    assert done.exit_code in (1, 2)
    assert done.stderr.startswith("Error: ")


def test_ctrl_c_while_the_command_is_loaded_ends_it_without_a_traceback(tmp_path: Path) -> None:
    late = tmp_path / "click"
    late.mkdir()
    (late / "__init__.py").write_text("import os, signal\nos.kill(os.getpid(), signal.SIGINT)\n", encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-c", "from cribboard.__main__ import main; main()", "boards"],
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


def test_the_command_is_loaded_inside_of_what_ends_it() -> None:
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text("utf-8"))["project"]
    assert project["scripts"] == {"cribboard": "cribboard.__main__:main"}
