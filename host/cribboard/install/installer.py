"""Puts the firmware on a drive so that an interrupted copy is recognized and can be continued.

code.py comes last. Until all else is on the drive and has been read back, a code.py stands there that only shows red
and says that the firmware is not whole: modules of two versions, or of both forms, never run together. Giving the
command again writes what is still missing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress

from cribboard.install.circuitpy import InstallError
from cribboard.install.disk import Disk
from cribboard.install.failures import AGAIN, told
from cribboard.install.plan import CODE, Plan

FOLDER_CLUSTERS = 12  # what new folders may take
STANDS_IN = b'"""Stands in for code.py of the cribbage board until all of its firmware is on the drive."""'
STARTS = b"from cribboard_fw.hardware import main"
NOT_WHOLE = b'raise ImportError("the firmware on this drive is not whole; run `cribboard install` again")'


def stand_in(code: bytes) -> bytes:
    """What stands in for this code.py: it shows red and says why, as code.py does when a module is missing."""
    return STANDS_IN + b"\n" + code.partition(b"\n")[2].replace(STARTS, NOT_WHOLE)


def stands_in(code: bytes) -> bool:
    """Whether the code.py of a drive stands in for ours, this version's or another's."""
    return code.startswith(STANDS_IN)


def check_room(disk: Disk, plan: Plan) -> None:
    """Raise InstallError when the drive cannot hold what is to be written; nothing has been changed then."""
    with told(disk, "reading it"):
        gone = sum(_clusters(disk, len(disk.read(path) or b"")) for path in plan.removes)
        aside = {path for path, _ in plan.asides}
        taken = most = FOLDER_CLUSTERS - gone
        for path in plan.writes:
            old = b"" if path in aside else disk.read(path) or b""
            taken += _clusters(disk, len(plan.wanted[path])) - _clusters(disk, len(old))
            most = max(most, taken)
        free = disk.free()
        if most * disk.cluster > free:
            need = -(-most * disk.cluster // 1024)
            raise InstallError(
                f"the drive {disk.name} has {free // 1024} KB free, and the firmware needs {need} KB more",
                f"nothing was changed; remove something from it first{_largest(disk, plan.wanted)}",
            )


def carry_out(disk: Disk, plan: Plan) -> None:
    """Carry out the plan and read everything back. Raises InstallError; the same command then continues."""
    if not plan:
        return
    _rename(disk, [(path, to) for path, to in plan.asides if path == CODE])
    _write(disk, CODE, stand_in(plan.wanted[CODE]))
    _rename(disk, [(path, to) for path, to in plan.asides if path != CODE])
    for path in plan.removes:
        _remove(disk, path)
    for path in plan.writes:
        if path != CODE:
            _write(disk, path, plan.wanted[path])
    for path in plan.wanted:
        if path != CODE:
            _check(disk, path, plan.wanted[path])
    _write(disk, CODE, plan.wanted[CODE])
    _check(disk, CODE, plan.wanted[CODE])


def take_off(disk: Disk, plan: Plan) -> None:
    """Do it: ours that stand where something of the maker's was, and that again, at first; then all the rest."""
    places = (f"{CODE}/", *(f"{to}/" for _, to in plan.asides))
    first = [path for path in plan.removes if f"{path}/".startswith(places)]
    for path in first:
        _remove(disk, path)
    _rename(disk, plan.asides)
    for path in plan.writes:
        _write(disk, path, plan.wanted[path])
    for path in (path for path in plan.removes if path not in first):
        _remove(disk, path)


def _rename(disk: Disk, names: Iterable[tuple[str, str]]) -> None:
    for path, to in names:
        with told(disk, f"renaming {path}"):
            disk.rename(path, to)


def _remove(disk: Disk, path: str) -> None:
    with told(disk, f"removing {path}"):
        disk.remove(path)


def _write(disk: Disk, path: str, data: bytes) -> None:
    with told(disk, f"writing {path}"):
        disk.write(path, data)


def _check(disk: Disk, path: str, data: bytes) -> None:
    with told(disk, f"reading {path} back"):
        found = disk.read(path)
    if found != data:
        raise InstallError(
            f"{path} on {disk.name} does not read back as it was written",
            f"eject the drive, plug the board in again, and run the same command again. {AGAIN}\n"
            "If it happens again, the drive's file system is damaged. To format it, which erases it, type in its\n"
            "console: import storage; storage.erase_filesystem()",
        )


def _clusters(disk: Disk, size: int) -> int:
    return -(-size // disk.cluster)


def _largest(disk: Disk, wanted: Mapping[str, bytes]) -> str:
    """The largest files that are not ours, to be named."""
    found = []
    for folder in ("", "lib/"):
        for name in disk.names(folder.rstrip("/")):
            path = folder + name
            with suppress(InstallError):  # a link, which is none of ours
                found.append((len(disk.read(path) or b"") if path not in wanted else 0, path))
    large = [f"{path} ({size // 1024} KB)" for size, path in sorted(found, reverse=True)[:3] if size >= 1024]
    return f", such as {', '.join(large)}" if large else ""
