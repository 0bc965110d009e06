"""What a board's drive shows: which CircuitPython and firmware are on it, and whether its settings are valid."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from cribboard.doctor.console import INSTALL
from cribboard.doctor.finding import Finding, known
from cribboard.drive import PACKAGES, drive_files
from cribboard.hardware.controllers import TAKE
from cribboard.install.circuitpy import Circuitpy
from cribboard.install.compiled import CompilerError, compiled, is_module, other_form
from cribboard.install.disk import Disk
from cribboard.install.failures import told
from cribboard.install.fitting import judged, unfit
from cribboard.install.installer import stands_in
from cribboard.install.plan import CODE, FOLDERS, SETTINGS
from cribboard_fw.settings import Settings


@dataclass(frozen=True)
class Drive:
    """What was found on it; `settings` is None when they cannot be read."""

    findings: tuple[Finding, ...]
    settings: Settings | None = None


def look_at(board: Circuitpy, disk: Disk) -> Drive:
    """Judge a drive; raises InstallError when it fails."""
    found = [known("drive", f"{board.folder}: {board.board_id or 'a board'} with CircuitPython {board.release}")]
    if board.too_old:
        todo = "install CircuitPython 9.2 or 10 from circuitpython.org/downloads; your files stay"
        found.append(Finding("old-circuitpython", f"CircuitPython {board.release} is too old", todo))
    if unfit(board):
        found.append(Finding("controller", f"the {board.board_id or 'board'} does not fit: {unfit(board)}", TAKE))
    if "Traceback" in board.said:
        todo = f"{INSTALL}; if it is your own boot.py, boot_out.txt says what failed"
        found.append(Finding("boot", f"boot.py failed: {board.said.strip().splitlines()[-1]}", todo))
    with told(disk, "reading it"):
        code = disk.read(CODE)
        files = _files(disk)
        text = disk.read(SETTINGS)
    if code is not None and stands_in(code):  # the settings may not have been written yet
        return Drive((*found, Finding("not-whole", "the firmware was not copied completely", INSTALL)))
    if not disk.is_folder(f"lib/{PACKAGES[1]}"):  # then whatever settings are there are none of ours
        return Drive((*found, Finding("no-firmware", "the firmware is not on the drive", INSTALL)))
    settings, mistakes = _settings(text, board.board_id)
    return Drive((*found, *files, *mistakes), settings)


def _files(disk: Disk) -> list[Finding]:
    """Whether the drive's files are this program's, its modules in the one form or the other."""
    wanted = {path: data for path, data in drive_files().contents().items() if path != SETTINGS}
    there = {path for path in wanted if disk.read(path) is not None}
    twice = {path: wanted[path] for path in there if is_module(path) and disk.read(other_form(path)) is not None}
    found = []
    if twice:
        what = f"CircuitPython runs {_some(twice)} instead of the compiled module of the same name"
        found.append(Finding("two-forms", what, INSTALL))
    if any(path.startswith(FOLDERS) and disk.read(other_form(path)) is not None for path in wanted):
        try:
            wanted = compiled(wanted) | twice
        except CompilerError as error:
            what = f"cannot tell whether the compiled modules on the drive are this program's: {error.message}"
            return [*found, known("drive", what)]
    different = [path for path, data in wanted.items() if disk.read(path) != data]
    if different:
        what = f"the drive's files are not this program's: {_some(different)}"
        found.append(Finding("other-firmware", what, INSTALL))
    return found


def _some(paths: Iterable[str]) -> str:
    named = sorted(paths)
    return ", ".join(named[:3]) + (", …" if len(named) > 3 else "")


def _settings(text: bytes | None, board_id: str) -> tuple[Settings | None, list[Finding]]:
    if text is None:
        return None, [Finding("settings", "there is no settings.toml on the drive", INSTALL)]
    todo = "correct settings.toml on the CIRCUITPY drive and save it"
    try:
        settings, found = judged(text.decode(), board_id)
    except UnicodeDecodeError:
        return None, [Finding("settings", "settings.toml is not text in UTF-8", todo)]
    return settings, [Finding("settings", f"a setting is wrong: {line}", todo) for line in found]
