"""The user's folder is one, and can be moved."""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Callable
from pathlib import Path

import platformdirs
import pytest

import cribboard
from cribboard import files
from cribboard.errors import CribboardError


def test_the_environment_moves_the_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CRIBBOARD_HOME", str(tmp_path / "here"))
    assert files.home() == tmp_path / "here"
    assert not files.home().exists()
    assert files.ensure_folder(files.home() / "boards").stat().st_mode & 0o777 == 0o700
    assert files.home().stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize("value", [None, ""])
def test_without_it_the_home_is_where_the_system_keeps_such_things(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, value: str | None
) -> None:
    monkeypatch.delenv("CRIBBOARD_HOME", raising=False)
    if value is not None:
        monkeypatch.setenv("CRIBBOARD_HOME", value)
    monkeypatch.setattr(platformdirs, "user_data_path", lambda name, appauthor: tmp_path / name)
    assert files.home() == tmp_path / "cribboard"


def test_boards_have_folders_of_their_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CRIBBOARD_HOME", str(tmp_path))
    assert files.board_folder() == tmp_path / "sim" / "sim"
    assert files.board_folder("pub-2").is_dir()
    assert files.running_folder() not in (files.board_folder(), files.board_folder("pub-2"))


@pytest.mark.parametrize("name", ["", "..", "a/b", ".running", "-x", "a" * 33, "häuschen"])
def test_a_name_that_could_lead_elsewhere_is_refused(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CRIBBOARD_HOME", str(tmp_path))
    with pytest.raises(CribboardError, match="cannot name a virtual board"):
        files.board_folder(name)


def test_a_home_of_nobody_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CRIBBOARD_HOME", "~nobody-such/x")
    with pytest.raises(CribboardError, match="CRIBBOARD_HOME is ~nobody-such/x, but there is no such user; set it"):
        files.home()


@pytest.mark.parametrize("name", ["kept.json", "kept.part", "kept.new", "kept"])
def test_a_file_is_replaced_whole_or_stays_as_it_was(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    files.write_whole(path, "old")
    with pytest.raises(ZeroDivisionError), files.atomic_write(path) as fresh:
        fresh.write_text("half", encoding="utf-8")
        raise ZeroDivisionError
    assert {left.name: left.read_text("utf-8") for left in tmp_path.iterdir()} == {name: "old"}
    files.write_whole(path, "new")
    assert {left.name: left.read_text("utf-8") for left in tmp_path.iterdir()} == {name: "new"}


def test_what_must_be_private_is_not_written_where_all_may_read_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_owners(path: Path, mode: int) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(Path, "chmod", no_owners)
    with pytest.raises(CribboardError, match=r"keys\.json cannot be written"):
        files.write_whole(tmp_path / "keys.json", "secret")
    assert not list(tmp_path.iterdir())
    with files.atomic_write(tmp_path / "backup.db", files.owners_if_possible) as fresh:
        fresh.write_text("rows", encoding="utf-8")
    assert (tmp_path / "backup.db").read_text("utf-8") == "rows"


def test_a_file_for_people_is_replaced_whole_or_stays_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "all.json"
    path.write_text("old", encoding="utf-8")
    with monkeypatch.context() as broken:
        broken.setattr(os, "fsync", _no_room)
        with pytest.raises(OSError, match="No space left"):
            files.write_file(path, b"new")
    assert {left.name: left.read_text("utf-8") for left in tmp_path.iterdir()} == {"all.json": "old"}
    files.write_file(path, b"new")
    assert {left.name: left.read_text("utf-8") for left in tmp_path.iterdir()} == {"all.json": "new"}


def test_who_may_read_a_file_for_people_is_said_by_the_system_and_of_a_private_one_by_us(tmp_path: Path) -> None:
    umask = os.umask(0o027)
    try:
        files.write_file(tmp_path / "board.svg", b"lights")
        files.write_file(tmp_path / "all.json", b"names", files.owners_if_possible)
    finally:
        os.umask(umask)
    modes = {path.name: path.stat().st_mode & 0o777 for path in tmp_path.iterdir()}
    assert modes == {"board.svg": 0o640, "all.json": 0o600}


@pytest.mark.parametrize("write", [files.write_whole, lambda path, text: files.write_file(path, text.encode())])
def test_a_link_stays_and_what_it_leads_to_is_replaced(tmp_path: Path, write: Callable[[Path, str], None]) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    link = tmp_path / "here"
    link.symlink_to(disk / "there")
    for text in ("first", "second"):
        write(link, text)
        assert [path.name for path in disk.iterdir()] == ["there"]
        assert link.is_symlink() and (disk / "there").read_text("utf-8") == text


def test_a_pipe_takes_what_is_written_and_stays(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        files.write_file(pipe, b"all of it")
        assert os.read(reader, 100) == b"all of it"
    finally:
        os.close(reader)
    assert pipe.is_fifo()


IN_PLACE = re.compile(r"""\.write_(?:text|bytes)\(|open\((?:"[xw]|[^)\n]*, "[xw])""")
ASIDE = {  # what is renamed when it is whole, is in a folder that goes, may be torn, or is a stream
    "cli/main.py": {
        'sys.stdout = sys.stdout or os.fdopen(STDOUT, "w", closefd=False)',
        'sys.stderr = sys.stderr or os.fdopen(STDERR, "w", closefd=False)',
    },
    "files.py": {
        "path.write_bytes(contents)",
        "fresh.write_bytes(contents)",
        'fresh.write_text(text, encoding="utf-8")',
    },
    "hardware/room.py": {"file.write_bytes(ply(numpy.asarray(points), numpy.asarray(faces), self._case.layout.size))"},
    "hardware/wiring.py": {
        '(Path(work) / f"{name}.yml").write_text(json.dumps(sheet), encoding="utf-8")  # JSON is YAML, too'
    },
    "install/disk.py": {'with target.open("wb") as file:'},
    "install/compiled.py": {"read.write_bytes(source)"},
    "playing/log.py": {'with fresh.open("wb") as file:'},
    "slots.py": {"fresh.write_bytes(_framed(slot).ljust(2 * size, FILLER))"},
    "sim/board.py": {'with write_errors(path), path.open("wb") as log:', "path.write_bytes(data)"},
    "store/backup.py": {'part.write_text(text, encoding="utf-8")'},
}


def test_no_other_file_is_written_in_place() -> None:
    top = Path(cribboard.__file__).parent
    written_in_place: dict[str, set[str]] = {}
    for path in sorted(top.rglob("*.py")):
        for line in path.read_text("utf-8").splitlines():
            if IN_PLACE.search(line):
                written_in_place.setdefault(path.relative_to(top).as_posix(), set()).add(line.strip())
    assert written_in_place == ASIDE


def _no_room(descriptor: int) -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
