"""A file of JSON lines that only grows: an appended line is on the disk, and a torn one is passed over."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path

from cribboard.errors import CribboardError
from cribboard.paths import made, writing

Entry = dict[str, object]


def append(path: Path, entry: Mapping[str, object]) -> None:
    """Add a line; when this returns a power cut cannot lose it."""
    line = json.dumps(entry, separators=(",", ":")).encode("ascii") + b"\n"
    made(path.parent)
    with writing(path):
        descriptor = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o600)
        try:
            left = b"\n" + line if _torn(descriptor) else line
            while left:  # a full disk takes a part, and refuses the rest
                left = left[os.write(descriptor, left) :]
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def read(path: Path) -> list[tuple[int, Entry]]:
    """The objects with the numbers of their lines; none when there is no file."""
    try:
        lines = path.read_bytes().split(b"\n")
    except FileNotFoundError:
        return []
    except OSError as error:
        raise CribboardError(
            f"{path} cannot be read ({error.strerror})", "give yourself permission to read it"
        ) from error
    entries = [(number, parse(line)) for number, line in enumerate(lines, 1)]
    return [(number, entry) for number, entry in entries if entry is not None]


def _torn(descriptor: int) -> bool:
    """Whether the program before was cut off in the middle of a line."""
    end = os.lseek(descriptor, 0, os.SEEK_END)
    if not end:
        return False
    os.lseek(descriptor, end - 1, os.SEEK_SET)
    return os.read(descriptor, 1) != b"\n"


def parse(line: bytes) -> Entry | None:
    """The object of a line, None for anything else."""
    try:
        entry = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return entry if isinstance(entry, dict) else None
