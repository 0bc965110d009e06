"""Puts the firmware on a drive so that an interrupted copy is recognized and can be continued.

code.py comes last. Until all else is on the drive and has been read back, a code.py stands there that only shows red
and says that the firmware is not whole: modules of two versions, or of both forms, never run together. Giving the
command again writes what is still missing.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path

from cribboard import toml_lines
from cribboard.drive import DriveFiles, drive_files
from cribboard.hardware import description
from cribboard.hardware.description import Description
from cribboard.hardware.settings import settings_toml
from cribboard.hardware.settings import values as values_of
from cribboard.install import circuitpy, fitting
from cribboard.install.circuitpy import Circuitpy, InstallError
from cribboard.install.compiled import NoCompiler, compiled
from cribboard.install.disk import Disk, Folder, drive_errors
from cribboard.install.plans import SETTINGS, Plan, check_room, planned, removal
from cribboard_fw.app import VERSION


@dataclass(frozen=True)
class Step:
    """What is to be done to one drive, and what the maker ought to know before it."""

    board: Circuitpy
    disk: Disk
    plan: Plan
    remarks: tuple[str, ...] = ()
    mistakes: tuple[str, ...] = ()  # in the settings, which keep the board from playing
    firmware: str = VERSION
    compiled: bool | None = None  # whether the modules go as .mpy; None when none go

    def check(self) -> None:
        """Raise InstallError when it cannot be done; nothing has been changed then."""
        check_room(self.disk, self.plan)


def opened(
    drive: str | None, files: DriveFiles | None, source: bool
) -> tuple[Circuitpy, Disk, dict[str, bytes], list[str], bool]:
    """A board that can run the firmware, its drive, what goes there, remarks, and whether modules go as source."""
    board = circuitpy.find(drive)
    if board.too_old:
        raise InstallError(
            f"the board on {board.folder} has CircuitPython {board.release}, and the firmware needs 9.2.1 or newer",
            f"{circuitpy.GET}, hold BOOTSEL while plugging in, and copy it to the drive that appears; your files stay",
        )
    fitting.fit(board)
    disk = _disk(board)
    contents = (files or drive_files()).contents(radio=board.radio)
    remarks = []
    if not source:
        try:
            contents = compiled(contents)
        except NoCompiler as error:
            source = True
            remarks.append(f"{error.message}: the modules are copied as source, and the board starts two seconds later")
    if board.untried:
        remarks.append(
            f"the firmware has never been tested on CircuitPython {board.release}; 9.2 and 10 are known to work"
        )
    return board, disk, contents, remarks, source


def prepare(
    drive: str | None,
    wanted: Description | None,
    files: DriveFiles | None = None,
    *,
    source: bool = False,
    network: Mapping[str, str] | None = None,
) -> Step:
    """What installing will do. Only a description that was named overrules the values in the drive's settings.toml.

    So do the lines of a `network`. The modules go compiled, or with `source` as they are; as they are, too, where there
    is no compiler.
    """
    board, disk, contents, remarks, source = opened(drive, files, source)
    with drive_errors(disk, "reading it"):
        own = settings_text(board.folder, disk.read(SETTINGS) or b"")
    if not board.board_id:
        remarks.append(f"{circuitpy.BOOT_OUT} does not name the board; the pins were not checked against it")
    shipped = _settings(board, wanted, own, contents[SETTINGS].decode())
    contents[SETTINGS] = shipped.encode()
    if own.strip():
        contents[SETTINGS], lines = _with_own(own, shipped, values_of(wanted) if wanted else ())
        remarks += lines
    if network:
        wanted_lines = "\n".join(f"{key} = {value}" for key, value in network.items())
        contents[SETTINGS] = toml_lines.merged(contents[SETTINGS].decode(), wanted_lines, network).encode()
    text = contents[SETTINGS].decode()
    fitting.carried(text, board.board_id, strips=wanted is None)
    mistakes = fitting.judged(text, board.board_id)[1]
    if mistakes and wanted and fitting.plays(own, board.board_id):
        raise InstallError(
            f"lines of your own in {SETTINGS} do not go with this choice",
            "\n".join([*mistakes, "nothing was changed; correct these lines on the drive, or choose otherwise"]),
        )
    remarks += [f"{SETTINGS} has a mistake: {line}" for line in mistakes]
    plan = planned(disk, contents)
    remarks += [*(f"{path} is not cribboard's; it is renamed {to}" for path, to in plan.renames), *plan.remarks]
    return Step(board, disk, plan, tuple(remarks), tuple(mistakes), compiled=not source)


def prepare_removal(drive: str | None, files: DriveFiles | None = None) -> Step:
    """What uninstalling will do."""
    board = circuitpy.find(drive)
    disk = _disk(board)
    contents = (files or drive_files()).contents(radio=board.radio)
    plan = removal(disk, contents)
    shipped = contents[SETTINGS].decode()
    own = (disk.read(SETTINGS) or b"").decode("utf-8", "replace") if plan else ""
    remarks = [f"{SETTINGS} had {one.had}" for one in toml_lines.differences(own, shipped)]
    remarks += [*(f"{path} is renamed back to {to}" for path, to in plan.renames), *plan.remarks]
    if SETTINGS in plan.writes:
        remarks.append(f"{SETTINGS} keeps the lines that are not the cribbage board's")
    return Step(board, disk, plan, tuple(remarks))


def _disk(board: Circuitpy) -> Disk:
    try:
        return Folder(board.folder)
    except OSError as error:
        raise InstallError(f"the drive {board.folder} is gone", "plug the board in again") from error


def settings_text(folder: Path, own: bytes) -> str:
    """A settings.toml as text; raises InstallError."""
    try:
        return own.decode()
    except UnicodeDecodeError as error:
        raise InstallError(
            f"{folder / SETTINGS} is not text in UTF-8", "save it as UTF-8, or move it off the drive"
        ) from error


def _settings(board: Circuitpy, wanted: Description | None, own: str, shipped: str) -> str:
    """What the drive's settings.toml is to have; raises InstallError rather than name another controller's pins."""
    described = wanted or description.load()
    if not fitting.alike(board.board_id, described):
        if wanted is None and fitting.has_pins(own):
            return fitting.without_pins(shipped)
        raise fitting.other(board, described)
    if wanted is None:
        return shipped
    fitting.check(board, wanted)
    return settings_toml(wanted, shipped)


def _with_own(own: str, wanted: str, overruled: Collection[str]) -> tuple[bytes, list[str]]:
    lines = []
    for difference in toml_lines.differences(own, wanted):
        if difference.key in overruled:
            lines.append(f"{SETTINGS} had {difference.had}; it is now {difference.wanted}")
        else:
            lines.append(f"{SETTINGS} keeps your {difference.had}")
    # bytes that need not change stay, a missing last line end too
    merged = toml_lines.merged(own, wanted, overruled)
    return (own if merged.splitlines() == own.splitlines() else merged).encode(), lines
