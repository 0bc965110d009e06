"""The map of the code names every room, and only what is there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
HOST = ROOT / "host" / "cribboard"
LIB = ROOT / "firmware" / "lib"
MAP = (ROOT / ".github" / "CONTRIBUTING.md").read_text(encoding="utf-8")
ROWS = re.findall(r"^\| `(\w+)` \| (.+) \|$", MAP, re.MULTILINE)  # where to look within a room
ROOMS = re.findall(
    r"^### `(\S+)`\n((?:(?!^##).*\n?)*)", MAP, re.MULTILINE
)  # a folder, and what its list says of each module
BELOW = [ROOT, HOST, LIB, LIB / "cribboard_fw", LIB / "cribboard_core"]  # where a short path of the map may begin


def test_every_room_is_on_the_map() -> None:
    rooms = set(re.findall(r"^\| `(\S+)` \|", MAP, re.MULTILINE))
    packages = {path.parent for root in (HOST, LIB) for path in root.glob("*/__init__.py")}
    assert {room for room in rooms if "/" in room and (ROOT / room).is_dir()} == {
        path.relative_to(ROOT).as_posix() for path in packages
    }


def test_every_path_on_the_map_is_there() -> None:
    text = "\n".join(
        line for line in MAP.partition("\n## Where to look\n")[0].splitlines() if not re.match(r"\| `\w+` \|", line)
    )
    paths = [path for path in re.findall(r"`([\w./]+)`", text) if "/" in path or path.endswith((".py", ".toml"))]
    assert len(paths) > 30
    missing = [path for path in paths if not any((root / path).exists() for root in BELOW)]
    assert missing == ["board.toml"]  # a name, of any board


def test_every_module_that_the_map_names_is_in_its_room() -> None:
    named = {(room, module) for room, row in ROWS for module in re.findall(r"`(\w+\.py)`", row)}
    assert len(named) > 60
    assert [name for name in sorted(named) if not any((root.joinpath(*name)).exists() for root in (HOST, LIB))] == []
    assert {room for room, _ in ROWS} | {Path(folder).name for folder, _ in ROOMS} - {
        "firmware",
        "wire",
        "static",
        "migrations",
    } == {path.parent.name for root in (HOST, LIB) for path in root.glob("*/__init__.py")} - {
        "analyst"
    }  # small enough to be read whole


@pytest.mark.parametrize(("folder", "listed"), ROOMS, ids=[folder for folder, _ in ROOMS])
def test_every_module_is_on_the_map(folder: str, listed: str) -> None:
    entries = re.findall(r"^- (`[^:]+`):", listed, re.MULTILINE)
    named = [name for entry in entries for name in re.findall(r"`([^`]+)`", entry)]
    modules = {path.name for path in (ROOT / folder).iterdir() if path.suffix in (".py", ".js")} - {"__init__.py"}
    assert sorted(named) == sorted(modules)
