"""A data folder that takes nothing: every command names the path and says what to do."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from contextlib import AbstractContextManager
from itertools import product
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from install.circuitpy import not_measured

from cribboard import connect, files
from cribboard.cli import history
from cribboard.cli.main import cli
from cribboard.errors import CribboardError
from cribboard.sim.board import VirtualBoard

TRAVEL = Path(__file__).parents[2] / "hardware" / "boards" / "travel.toml"  # the smallest
resource = pytest.importorskip("resource", reason="Windows has no limits on what a process writes")

# what each command is typed with; those that begin with - keep nothing among the user's data
TYPED = """
new Ann Bob
peg 1 3
hand 1 5H 5C 5S JD --starter 5D
nibs 1
go 1
undo
redo
next-deal
state
watch --events 1
play Ann Bob
penalty 1 2
muggins 1 2 --from 2
false-claim 1 3
set-score 1 3
tiles Ann Bob
kiosk
history export
sim
demo
- cheatsheet
- count 5H 5C 5S JD --starter 5D
- count-play --batch
- discard 5H 6C 7D 8S JH KC
- choose --batch
- learn --read
- review
- odds 5H 6C 7D 8S
- sheet
- boards
- doctor
- setup
- install
- bringup
- update
- uninstall
- hardware
- completion
- site
"""
COMMANDS = [line.split() for line in TYPED.strip().splitlines() if not line.startswith("-")]
Room = tuple[Path, AbstractContextManager[None], str]


@contextlib.contextmanager
def _full(home: Path) -> Iterator[None]:
    """Let this process and those that it starts write not one byte into files, as on a disk without room."""
    home.mkdir(exist_ok=True)
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, limits[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)


@contextlib.contextmanager
def _forbidden(home: Path) -> Iterator[None]:
    """Have the folder where no folder can be, for root too."""
    home.parent.rmdir()
    home.parent.write_text("a file, and no folder", encoding="utf-8")
    yield


ROOMS = {"full": (_full, "File too large"), "forbidden": (_forbidden, "Not a directory")}


@pytest.fixture(params=ROOMS)
def no_room(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Room:
    """The data folder, what makes it useless, and what the system says of it then."""
    home = tmp_path / "disk" / "home"
    home.parent.mkdir()
    monkeypatch.setenv(files.HOME_VARIABLE, str(home))
    monkeypatch.setattr(connect, "attached", list)
    spoil, said = ROOMS[request.param]
    return home, spoil(home), said


def typed(*words: str) -> Result:
    return CliRunner().invoke(cli, words, input="", prog_name="cribboard", catch_exceptions=False)


def test_each_command_is_tried_or_keeps_nothing() -> None:
    assert sorted(line.lstrip("- ").split()[0] for line in TYPED.strip().splitlines()) == sorted(cli.commands)


@pytest.mark.parametrize("words", COMMANDS, ids=lambda words: words[0])
def test_what_cannot_be_written_is_named_with_what_to_do(no_room: Room, words: list[str]) -> None:
    home, spoilt, _ = no_room
    with spoilt:
        done = typed(*words)
    assert done.exit_code == 1, done.output
    error, hint, *_ = done.stderr[done.stderr.index("Error: ") :].splitlines()
    assert str(home) in error
    assert "Errno" not in error
    assert hint.startswith(("  make room", "  check that its folder", "  check the disk"))


def test_the_doctor_says_it_as_a_finding_and_looks_on(no_room: Room) -> None:
    home, spoilt, why = no_room
    with spoilt:
        done = typed("doctor", "--port", "sim")
    said = done.stdout.splitlines()
    assert done.exit_code == 1
    assert said[:2] == [f"WRONG {home} cannot be written ({why})", f"      {files.ROOM}"]
    assert any("no board is attached, and no virtual board is running" in line for line in said[2:])


def test_what_only_looks_needs_no_room(no_room: Room) -> None:
    _, spoilt, _ = no_room
    with spoilt:
        assert typed("boards").stdout.startswith("No board is attached and no virtual board is running.")
        sheet = typed("sheet").stderr
    assert sheet.startswith("Error: there are no results\n")


@pytest.mark.parametrize(
    ("name", "no_room"),  # where nothing at all can be written, Graphviz cannot draw either
    [*product(("draw", "template", "grid", "case", "pictures"), ROOMS), ("wiring", "forbidden")],
    indirect=["no_room"],
)
def test_a_makers_file_that_cannot_be_written_is_named(no_room: Room, name: str) -> None:
    home, spoilt, why = no_room
    with spoilt:
        done = typed("hardware", name, "--board", str(TRAVEL), "--into", str(home / "made"))
    assert done.exit_code == 1
    assert done.stderr.startswith(f"Error: {home}/made/") and f" cannot be written ({why})\n  make room" in done.stderr


@pytest.mark.parametrize("words", [["export"], ["export", "--csv"]], ids=" ".join)
def test_an_export_without_room_leaves_the_one_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: list[str]
) -> None:
    def without_room(*given: object) -> None:
        with _full(tmp_path):
            files.write_file(*given)

    monkeypatch.setenv(files.HOME_VARIABLE, str(tmp_path / "home"))
    path = tmp_path / "all.json"
    path.write_text("the one before", encoding="utf-8")
    with monkeypatch.context() as full:
        full.setattr(history, "write_file", without_room)
        done = typed("history", *words, str(path))
    assert (done.exit_code, done.stderr) == (2, f"Error: {path} cannot be written: File too large\n")
    assert path.read_text("utf-8") == "the one before"
    assert typed("history", *words, str(path)).exit_code == 0
    assert path.stat().st_mode & 0o777 == 0o600
    assert sorted(left.name for left in tmp_path.iterdir()) == ["all.json", "home"]


@pytest.mark.parametrize("words", [["peg", "1", "3"], ["play"], ["sim"]], ids=lambda words: words[0])
def test_a_disk_that_is_full_in_the_middle_of_an_evening_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: list[str]
) -> None:
    not_measured(monkeypatch)
    monkeypatch.setenv(files.HOME_VARIABLE, str(tmp_path))
    monkeypatch.setattr(connect, "attached", list)
    assert typed("peg", "1", "2").exit_code == 0
    with _full(tmp_path):
        done = typed(*words)
    assert done.exit_code == 1
    assert f"Error: {tmp_path}" in done.stderr
    assert "cannot be written (File too large)" in done.stderr
    assert "counts" not in done.stderr  # nothing has been done
    assert "Undo would take back: Orange pegs 2." in typed("state").stdout


def test_a_board_that_was_begun_without_room_starts_well_later(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    not_measured(monkeypatch)
    monkeypatch.setenv(files.HOME_VARIABLE, str(tmp_path))
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    for room in (100, 3000, 4000):  # the settings are torn, then the flash
        resource.setrlimit(resource.RLIMIT_FSIZE, (room, limits[1]))
        try:
            with pytest.raises(CribboardError, match="cannot be written"), VirtualBoard():
                pass
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    with VirtualBoard() as board:
        assert board.flash()["hex"]
