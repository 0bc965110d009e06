"""The user's files: where they are, replaced whole, logs that only grow, and locks.

All are in one folder, that the environment variable CRIBBOARD_HOME can move.
"""

from __future__ import annotations

import errno
import json
import math
import os
import re
from codecs import BOM_UTF8 as BOM
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

import platformdirs

from cribboard.errors import Busy, CribboardError

if TYPE_CHECKING:
    from filelock import BaseFileLock

HOME_VARIABLE = "CRIBBOARD_HOME"
ROOM = f"make room or give yourself permission to write there, or set {HOME_VARIABLE} to another folder"
ELSEWHERE = "make room or give yourself permission to write there, or name another folder"

PART = ".part"  # behind the name of a file that is not whole yet

STARTING = "kiosk-starting.lock"  # held in this folder until a kiosk that starts has its boards

MOST_DIGITS = 20

Entry = dict[str, object]


def home() -> Path:
    """The folder of everything that belongs to this user; it may not be there yet."""
    named = os.environ.get(HOME_VARIABLE, "")
    try:
        given = Path(named).expanduser()
    except RuntimeError as error:
        raise CribboardError(
            f"{HOME_VARIABLE} is {named}, but there is no such user", "set it to a folder, or leave it out"
        ) from error
    folder = given if named else platformdirs.user_data_path("cribboard", appauthor=False)
    return folder.absolute()


def board_folder(name: str = "sim") -> Path:
    """The folder of one virtual board: its settings, its flash, its log."""
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9_-]{0,31}", name):
        raise CribboardError(
            f"{name!r} cannot name a virtual board",
            "use up to 32 letters, digits, '-' and '_', and begin with a letter or a digit",
        )
    return ensure_folder(home() / "sim" / name)


def running_folder() -> Path:
    """The folder in which running virtual boards say where they are; it may not be there yet."""
    return home() / "sim" / ".running"


@contextmanager
def write_errors(path: Path, advice: str = ROOM) -> Iterator[None]:
    """Raise what the system refuses while the block writes to `path` as a CribboardError that says what to do."""
    try:
        yield
    except OSError as error:
        raise CribboardError(f"{path} cannot be written ({error.strerror or error})", advice) from error


def only_owners(path: Path) -> None:
    """Make the file when it is not there; only its owner may look into it, whatever its folder lets others do."""
    os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
    path.chmod(0o600)


def owners_if_possible(path: Path) -> None:
    """Make the file for its owner only; on a disk without owners, like a stick, for whoever has the disk."""
    with suppress(PermissionError):
        only_owners(path)


@contextmanager
def atomic_write(path: Path, make: Callable[[Path], None] = only_owners) -> Iterator[Path]:
    """A fresh file to write in the place of `path`, or of what a link there leads to; at the end it is whole and on
    the disk.

    `make` makes it, and says by that who may read it. Raises OSError when anything fails; then the file is as it was.
    """
    if path.is_symlink():
        path = Path(os.path.realpath(path))
    if not path.name:
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    # In the same folder: a rename replaces a file at once only on the same disk.
    fresh = path.with_name(path.name + PART)
    try:
        fresh.unlink(missing_ok=True)
        make(fresh)
        yield fresh
        with fresh.open("rb+") as file:
            # Before the rename: else the new name may be on the disk first, and a power cut leaves an empty file.
            os.fsync(file.fileno())
        fresh.replace(path)
    except BaseException:
        with suppress(OSError):
            fresh.unlink()
        raise
    with suppress(OSError):  # Windows opens no folders
        sync(path.parent)


def write_file(path: Path, contents: bytes, make: Callable[[Path], None] = Path.touch) -> None:
    """Write a file that is for people: it is whole, or as it was. A pipe or a device takes the contents as they come.

    Raises OSError.
    """
    if path.exists() and not path.is_file():
        path.write_bytes(contents)
        return
    with atomic_write(path, make) as fresh:
        fresh.write_bytes(contents)


def write_whole(path: Path, text: str) -> None:
    """Put a text in the place of a file; when this returns, no power cut can lose it.

    Raises CribboardError when that fails; then the file is as it was.
    """
    with write_errors(path), atomic_write(path) as fresh:
        fresh.write_text(text, encoding="utf-8")


def ensure_folder(folder: Path) -> Path:
    """The folder, after making it and those above it; only their owner may look into new ones."""
    folder = folder.absolute()
    with write_errors(folder):
        for missing in [place for place in (*reversed(folder.parents), folder) if not place.exists()]:
            missing.mkdir(mode=0o700, exist_ok=True)
    return folder


def unused(path: Path) -> Path:
    """The path, or the first of those with a number behind it where nothing is yet."""
    number, free = 1, path
    while free.exists():
        number += 1
        free = path.with_name(f"{path.name}-{number}")
    return free


def sync(folder: Path) -> None:
    """Force a rename in a folder to the disk."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def sync_data(descriptor: int) -> None:
    """Force what was written into a file of unchanged size to the disk."""
    getattr(os, "fdatasync", os.fsync)(descriptor)


def append_line(path: Path, entry: Mapping[str, object]) -> None:
    """Add a line of JSON to a file; when this returns a power cut cannot lose it."""
    line = json.dumps(entry, separators=(",", ":")).encode("ascii") + b"\n"
    ensure_folder(path.parent)
    with write_errors(path):
        descriptor = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o600)
        try:
            # A line that was cut off stays alone, and is passed over; this one must not be lost with it.
            left = b"\n" + line if _torn(descriptor) else line
            while left:  # a full disk takes a part, and refuses the rest
                left = left[os.write(descriptor, left) :]
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


MOST_BYTES = 64 << 20  # of a file that is read whole


def opened(path: Path) -> BinaryIO:
    """The file, to read it; a pipe that nobody writes to is empty instead of having us wait. Raises OSError."""
    file = open(path, "rb", opener=_at_once)  # noqa: SIM115 (a path takes no opener; the caller closes it)
    if os.name == "posix":
        os.set_blocking(file.fileno(), True)
    return file


def _at_once(path: str, flags: int) -> int:
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def read_file(path: Path) -> bytes:
    """All of a file; raises OSError, also for one that does not end."""
    with opened(path) as file:
        return read_all(file)


def read_all(file: BinaryIO) -> bytes:
    """The rest of an open file; raises OSError, also for one that does not end."""
    data = file.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise OSError(errno.EFBIG, f"it has more than {MOST_BYTES >> 20} MB")
    return data


def from_json(text: str | bytes) -> Any:
    """The value of JSON that this program has written, and perhaps an editor: with a mark of its encoding before it.

    Raises ValueError, also for numbers that nothing here writes, and RecursionError.
    """
    text = text.removeprefix(BOM.decode()) if isinstance(text, str) else text
    return json.loads(text, parse_float=_finite, parse_int=_short, parse_constant=_finite)


def _finite(text: str) -> float:
    if not math.isfinite(float(text)):
        raise ValueError(text)
    return float(text)


def _short(text: str) -> int:
    if len(text) > MOST_DIGITS:
        raise ValueError(text)
    return int(text)


def read_lines(path: Path) -> list[tuple[int, Entry]]:
    """The objects of a file of JSON lines with their numbers; none without a file. A torn line is passed over."""
    try:
        lines = read_file(path).split(b"\n")
    except FileNotFoundError:
        return []
    except OSError as error:
        raise CribboardError(
            f"{path} cannot be read ({error.strerror})", "give yourself permission to read it"
        ) from error
    entries = [(number, parse_line(line)) for number, line in enumerate(lines, 1)]
    return [(number, entry) for number, entry in entries if entry is not None]


def _torn(descriptor: int) -> bool:
    """Whether the program before was cut off in the middle of a line."""
    end = os.lseek(descriptor, 0, os.SEEK_END)
    if not end:
        return False
    os.lseek(descriptor, end - 1, os.SEEK_SET)
    return os.read(descriptor, 1) != b"\n"


def parse_line(line: bytes) -> Entry | None:
    """The object of a line, None for anything else."""
    try:
        entry = from_json(line)
    except (ValueError, RecursionError):
        return None
    return entry if isinstance(entry, dict) else None


def take_lock(path: Path, busy: str) -> BaseFileLock:
    """A lock, held until its `release` or the end of the program; raises Busy when another program holds the file."""
    from filelock import Timeout

    with write_errors(path):
        lock = _lock(path)
        try:
            with _unless_read_only():
                lock.acquire(blocking=False)
        except Timeout as error:
            raise Busy(busy, "close it and try again") from error
    return lock


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Wait for the file's lock and hold it while the block runs; raises OSError if it cannot be opened."""
    lock = _lock(path)
    with _unless_read_only():
        lock.acquire()
    try:
        yield
    finally:
        lock.release()


@contextmanager
def _unless_read_only() -> Iterator[None]:
    """Pass over the refusal of a read-only disk, where nobody can write and so no lock is needed."""
    try:
        yield
    except OSError as error:
        if error.errno != errno.EROFS:
            raise


def _lock(path: Path) -> BaseFileLock:
    """For any thread to release, and only for this user to open; raises OSError when there is no folder for it."""
    from filelock import FileLock

    path.parent.stat()  # else FileLock makes the folder
    return FileLock(path, mode=0o600, thread_local=False)
