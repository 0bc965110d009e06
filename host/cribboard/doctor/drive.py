"""What a board's drive tells: which CircuitPython and which firmware are on it, and whether its settings can be."""

from __future__ import annotations

from dataclasses import dataclass

from cribboard.doctor.console import INSTALL
from cribboard.doctor.finding import Finding, known
from cribboard.drive import PACKAGES, drive_files
from cribboard.hardware.controllers import TAKE
from cribboard.install.circuitpy import Circuitpy
from cribboard.install.disk import Disk
from cribboard.install.failures import told
from cribboard.install.fitting import judged, unfit
from cribboard.install.installer import NOT_WHOLE
from cribboard.install.plan import CODE, SETTINGS
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
        todo = f"{INSTALL}; your own boot.py, if it is one, is in boot_out.txt's words"
        found.append(Finding("boot", f"boot.py failed: {board.said.strip().splitlines()[-1]}", todo))
    with told(disk, "looking at it"):
        code = disk.read(CODE)
        shipped = drive_files().contents()
        different = [path for path, data in shipped.items() if path != SETTINGS and disk.read(path) != data]
        text = disk.read(SETTINGS)
    if code == NOT_WHOLE:  # the settings may not have been written yet
        return Drive((*found, Finding("not-whole", "the firmware was not copied whole", INSTALL)))
    if not disk.is_folder(f"lib/{PACKAGES[1]}"):  # then whatever settings are there are none of ours
        return Drive((*found, Finding("no-firmware", "the firmware is not on the drive", INSTALL)))
    if different:
        some = ", ".join(different[:3]) + (", …" if len(different) > 3 else "")
        found.append(Finding("other-firmware", f"the drive's files are not this program's: {some}", INSTALL))
    settings, mistakes = _settings(text, board.board_id)
    return Drive((*found, *mistakes), settings)


def _settings(text: bytes | None, board_id: str) -> tuple[Settings | None, list[Finding]]:
    if text is None:
        return None, [Finding("settings", "there is no settings.toml on the drive", INSTALL)]
    todo = "correct settings.toml on the CIRCUITPY drive and save it"
    try:
        settings, found = judged(text.decode(), board_id)
    except UnicodeDecodeError:
        return None, [Finding("settings", "settings.toml is not text in UTF-8", todo)]
    return settings, [Finding("settings", f"a setting is wrong: {line}", todo) for line in found]
