"""The CIRCUITPY image holds what it was given, and refuses what does not fit."""

from __future__ import annotations

import pytest
from pico import drive


def test_files_come_back_as_they_were_put_in() -> None:
    files = {
        "code.py": b"print(1)\n",
        "settings.toml": b"",
        "lib/cribboard_core/a_module_with_a_very_long_name.py": bytes(range(256)) * 20,
        "lib/cribboard_core/__init__.py": b"",
        "lib/thirteen_long": b"x" * drive.SECTOR,
    }
    assert drive.read_files(drive.from_files(files)) == files


def test_a_folder_with_more_entries_than_a_sector_holds_is_whole() -> None:
    files = {f"lib/many/module_number_{number}.py": b"%d" % number * 300 for number in range(60)}
    assert drive.read_files(drive.from_files(files)) == files


def test_files_that_are_too_big_are_refused() -> None:
    with pytest.raises(drive.DriveError, match="do not fit"):
        drive.from_files({"big": bytes(drive.SECTORS * drive.SECTOR)})


def test_a_file_cannot_be_a_folder_as_well() -> None:
    with pytest.raises(drive.DriveError, match="'lib' is a file and a folder"):
        drive.from_files({"lib": b"", "lib/one.py": b""})
