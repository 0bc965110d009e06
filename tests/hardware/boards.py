"""The ready boards, and changed ones."""

from __future__ import annotations

from pathlib import Path

from cribboard.hardware.description import Description, load, read
from cribboard.hardware.shape import Layout

HARDWARE = Path(__file__).parents[2] / "hardware"
LARGE = "boards/large.toml"
READY = (
    "board.toml",
    LARGE,
    "boards/oval.toml",
    "boards/travel.toml",
    "boards/three-tracks.toml",
    "boards/twenty-nine.toml",
)


def ready(name: str = "board.toml") -> Description:
    return load(HARDWARE / name)


def changed(*changes: tuple[str, str], of: str = "board.toml") -> Description:
    """A ready board after each of these texts was replaced by its other."""
    text = (HARDWARE / of).read_text(encoding="utf-8")
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new)
    return read(text)


def every_board() -> list[Layout]:
    """The ready boards, and others that begin in other corners, run one way, and have other numbers of tracks."""
    four = [
        ("count = 2", "count = 4"),
        ('["GP2", "GP3"]', '["GP2", "GP3", "GP4", "GP5"]'),
        ("apart_mm = 45", "apart_mm = 75"),
    ]
    one_way = [("serpentine = true", "serpentine = false"), ("streets = 3", "streets = 4")]
    one_way += [("far_edge = [2]", "far_edge = []")]  # the board is too narrow for buttons beside the controller
    descriptions = [ready(name) for name in READY if name != LARGE]  # which is the first one, larger
    descriptions += [changed(("top left", corner)) for corner in ("top right", "bottom left", "bottom right")]
    descriptions += [changed(("top left", "bottom right"), of="boards/oval.toml")]
    descriptions += [changed(*one_way)]
    descriptions += [changed(*four, ("target = 121", "target = 241"))]
    return [Layout(description) for description in descriptions]
