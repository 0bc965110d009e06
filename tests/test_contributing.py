"""The map of the code names every room and every module, and only what is there."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
HOST = ROOT / "host" / "cribboard"
LIB = ROOT / "firmware" / "lib"
MAP = (ROOT / ".github" / "CONTRIBUTING.md").read_text(encoding="utf-8")
BEFORE, _, WITHIN = MAP.partition("\n## Where to look\n")
LISTS = re.split(r"^### `(\S+)`\n", WITHIN, flags=re.MULTILINE)[1:]  # a folder, then what its list says, and so on
BELOW = [ROOT, HOST, LIB, LIB / "cribboard_fw", LIB / "cribboard_core"]  # where a short path of the map may begin
WIDTH = 140


def test_every_room_is_on_the_map() -> None:
    rooms = set(re.findall(r"^\| `(\S+)` \|", BEFORE, re.MULTILINE))
    packages = {path.parent for root in (HOST, LIB) for path in root.glob("*/__init__.py")}
    assert {room for room in rooms if "/" in room and (ROOT / room).is_dir()} == {
        path.relative_to(ROOT).as_posix() for path in packages
    }


def test_every_path_on_the_map_is_there() -> None:
    paths = [path for path in re.findall(r"`([\w./]+)`", BEFORE) if "/" in path or path.endswith((".py", ".toml"))]
    assert len(paths) > 30
    missing = [path for path in paths if not any((root / path).exists() for root in BELOW)]
    assert missing == ["board.toml"]  # a name, of any board


def test_every_module_is_on_the_map() -> None:
    named = [
        f"{folder}/{module}"
        for folder, listed in zip(LISTS[::2], LISTS[1::2], strict=True)
        for module in re.findall(r"^- `([^`]+)`: ", listed, re.MULTILINE)
    ]
    modules = {
        path.relative_to(ROOT).as_posix()
        for root in (ROOT / "firmware", HOST)
        for pattern in ("**/*.py", "**/static/*.js")
        for path in root.glob(pattern)
        if path.name != "__init__.py" and path.parent.name != "versions"
    }
    assert sorted(modules - {*named}) == []
    assert sorted(named) == sorted(modules)


def test_no_line_of_the_map_is_wider_than_the_others() -> None:
    assert [line for line in MAP.splitlines() if len(line) > WIDTH and not line.startswith("|")] == []
