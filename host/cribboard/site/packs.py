"""What a page's MicroPython imports, each part as one file: compiled, so that a phone need not do it."""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping
from pathlib import Path

from cribboard.drive import drive_files
from cribboard.install.compiled import MICROPYTHONS, CompilerError, compiled
from cribboard.site.micropython import FEED, TABLES, modules

STATIC = Path(__file__).parent / "static"


@functools.cache
def packs() -> dict[str, bytes]:
    """By name: the firmware on its chip, the referee with the computer, and the checks of the page that installs."""
    drive = drive_files().contents()
    return {
        "board.pack": packed(
            {**drive, **page_modules("chip.py", "rules.py"), "lib/__future__.py": b"annotations = None\n"}
        ),
        "referee.pack": packed(
            {**encoded(modules()), **page_modules("standard.py", "refereed.py"), "tables.bin": TABLES.read_bytes()}
        ),
        "feed.pack": packed({**encoded(modules(FEED)), **page_modules("standard.py")}),
    }


def page_modules(*names: str) -> dict[str, bytes]:
    """The pages' modules in Python of these names, where MicroPython finds them."""
    return {f"lib/{name}": (STATIC / name).read_bytes() for name in names}


def encoded(texts: Mapping[str, str]) -> dict[str, bytes]:
    """Modules as bytes."""
    return {path: text.encode() for path, text in texts.items()}


def packed(contents: Mapping[str, bytes]) -> bytes:
    """These files in one: a line of JSON with the size of each by its path, then their bytes in that order.

    The modules are source where no compiler runs: then a phone takes two seconds longer.
    """
    try:
        files = compiled(contents, MICROPYTHONS)
    except CompilerError:
        files = dict(contents)
    sizes = json.dumps({path: len(data) for path, data in files.items()}, separators=(",", ":"))
    return b"\n".join([sizes.encode(), b"".join(files.values())])
