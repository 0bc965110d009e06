"""Puts a new firmware beside the one that a drive has, and switches to it by one write.

The firmware of `install` lies in lib, that of each update in a folder of its own: firmware.001 and so on. code.py
starts the one with the highest number that has a file called ready; one that cannot be read, or has failed three times,
gives way to the one before. The empty file is made last, when all the others have been read back. Nothing is renamed:
a power cut within that can leave two names of one file, and removing the one would then break the other.
"""

from __future__ import annotations

from collections.abc import Mapping

from cribboard.drive import DriveFiles
from cribboard.install import fitting, installer, plans
from cribboard.install.circuitpy import InstallError
from cribboard.install.disk import AGAIN, Disk, drive_errors
from cribboard.install.installer import Step
from cribboard.install.plans import CODE, FOLDERS, INSTEAD, LIB, READY, SETTINGS, Plan, marked

INSTALL = "install it: cribboard install"
UNTIL = "Until then the board starts the firmware that it had."


def prepare(drive: str | None, files: DriveFiles | None = None, *, source: bool = False) -> Step:
    """What updating will do; raises InstallError for a drive without our firmware, or with settings that it refuses."""
    board, disk, contents, remarks, source = installer.opened(drive, files, source)
    with drive_errors(disk, "reading it"):
        code, own = disk.read(CODE) or disk.read(INSTEAD[CODE]) or b"", disk.read(SETTINGS)
        here = marked(code) and own is not None and all(disk.is_folder(folder) for folder in FOLDERS)
    if not here or plans.stands_in(code):
        raise InstallError(f"there is no whole cribboard firmware on {disk.name} to update", INSTALL)
    text = installer.settings_text(board.folder, own or b"")
    fitting.carried(text, board.board_id)
    mistakes = fitting.judged(text, board.board_id)[1]
    if mistakes:
        todo = f"nothing was changed; correct {SETTINGS} on the drive and run the command again"
        raise InstallError(f"the firmware would not run with this {SETTINGS}", "\n".join([*mistakes, todo]))
    del contents[SETTINGS]
    plan = planned(disk, contents)
    remarks += [f"{path} is not cribboard's; it is renamed {to}" for path, to in plan.renames]
    return Step(board, disk, plan, tuple(remarks), compiled=not source)


def planned(disk: Disk, wanted: Mapping[str, bytes]) -> Plan:
    """How to put these files into a folder of their own, and to remove all but one of the updates before."""
    with drive_errors(disk, "reading it"):
        wanted = plans.with_list(wanted)
        top = {path: data for path, data in wanted.items() if "/" not in path and _differs(disk, path, data)}
        renames = plans.in_the_way(disk, [path for name in top for path in (name, INSTEAD.get(name, name))])
        updates = plans.updates(disk)
        if plans.holds(disk, updates[-1] if updates else LIB, wanted):
            return Plan(top, tuple(top), (), tuple(dict(renames).items()))
        # A copy that was cut short goes on in the folder that it has begun.
        begun = [folder for folder in plans.folders(disk) if folder > max(updates, default="")]
        number = int(updates[-1].partition(".")[2]) + 1 if updates else 1
        folder = begun[0] if begun else f"firmware.{number:03}"
        modules = {folder + path.removeprefix(LIB): data for path, data in wanted.items() if "/" in path}
        modules[f"{folder}/{READY}"] = b""
        removes = [path for path in plans.files_in(disk, folder) if path not in modules]
        others = [other for other in plans.folders(disk) if other not in (folder, *updates[-1:])]
        removes += plans.all_of(disk, others)
        writes = [path for path, data in modules.items() if disk.read(path) != data]
        return Plan({**top, **modules}, (*top, *writes), tuple(removes), tuple(dict(renames).items()))


def carry_out(disk: Disk, plan: Plan) -> None:
    """Carry out the plan. Raises InstallError; the same command then goes on, and the board runs what it ran."""
    try:
        _carry_out(disk, plan)
    except InstallError as error:
        raise InstallError(error.message, error.hint.replace(AGAIN, UNTIL)) from error


def _carry_out(disk: Disk, plan: Plan) -> None:
    plans.rename(disk, plan.renames)
    for path in plan.removes:
        plans.remove(disk, path)
    modules = [path for path in plan.wanted if "/" in path and not path.endswith(f"/{READY}")]
    for path in modules:
        if path in plan.writes:
            plans.write(disk, path, plan.wanted[path])
    for path in modules:
        plans.check(disk, path, plan.wanted[path])
    top = [path for path in plan.wanted if "/" not in path]
    for path in sorted(top, key=lambda path: path in INSTEAD):  # what code.py needs first
        _replace(disk, path, plan.wanted[path])
    # READY is what is left, and comes last: with it the folder counts, and code.py starts from there.
    for path in set(plan.writes) - {*modules, *top}:
        plans.write(disk, path, b"")


def _differs(disk: Disk, path: str, data: bytes) -> bool:
    """Whether a file at the top, or what is there instead of it, is another one, or both are there."""
    there, instead = disk.read(path), disk.read(INSTEAD[path]) if path in INSTEAD else None
    if there is None:
        return instead != data
    return there != data or (instead is not None and plans.ours(INSTEAD[path], instead))


def _replace(disk: Disk, path: str, data: bytes) -> None:
    """Put what CircuitPython runs instead beside a file at the top, and remove that: at any moment one is whole."""
    instead = INSTEAD.get(path, path)
    with drive_errors(disk, "reading it"):
        there, taken = disk.read(path), disk.read(instead)
    if there == data:
        if instead != path and taken is not None:
            plans.remove(disk, instead)
        return
    if there is None and taken and instead != path:
        raise InstallError(
            f"a power cut while {instead} on {disk.name} is replaced would leave the board without one", INSTALL
        )
    plans.write(disk, instead, data)
    plans.check(disk, instead, data)
    if instead != path and there is not None:
        plans.remove(disk, path)
