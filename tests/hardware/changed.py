"""Boards to try, made from the default one by changing lines of its description."""

from __future__ import annotations

import re

from cribboard.hardware.description import Description, folder, read

DEFAULT = (folder() / "board.toml").read_text(encoding="utf-8")
OWN_SUPPLY = {
    "kind_of_supply": '"5v"',
    "current_a": "4",
    "limit_ma": "1550",
    "fuse_a": "2",
    "wire_mm2": "0.75",
    "main_wire_mm2": "1.0",
}


def board(text: str = DEFAULT, **lines: object) -> Description:
    """The default board with other values; `count` also changes the pins of the tracks."""
    for key, value in lines.items():
        name, section = (key.split("_of_")[0], key.split("_of_")[1]) if "_of_" in key else (key, "")
        head, mark, rest = text.partition(f"[{section}]") if section else ("", "", text)
        changed, replaced = re.subn(rf"^{name} = [^#\n]*", f"{name} = {value} ", rest, count=1, flags=re.MULTILINE)
        assert replaced, key
        text = head + mark + changed
    return read(text)


def own_supply(**lines: object) -> Description:
    """A board with a supply of 4 A."""
    return board(**{**OWN_SUPPLY, **lines})
