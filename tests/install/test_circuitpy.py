"""Finding a board's drive, and reading what board it is."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest
from install.circuitpy import plug_in

from cribboard.install import circuitpy
from cribboard.install.circuitpy import InstallError, find, mounted, read


def test_a_drive_says_what_its_board_is(tmp_path):
    board = read(plug_in(tmp_path / "CIRCUITPY", "10.0.0-beta.2"))
    assert (board.version, board.release) == ((10, 0, 0), "10.0.0-beta.2")
    assert (board.board_id, board.uid) == ("raspberry_pi_pico", "e6614c311b4f2a2f")


@pytest.mark.parametrize(
    ("version", "too_old", "untried"),
    [
        ("8.2.10", True, False),
        ("9.1.4", True, False),
        ("9.2.0", True, False),
        ("9.2.0-12-gdeadbee", True, False),
        ("9.2.1", False, False),
        ("9.2.10", False, False),
        ("9.10.0", False, False),
        ("10.1.0", False, False),
        ("11.0.0", False, True),
    ],
)
def test_versions_are_judged(tmp_path, version, too_old, untried):
    board = read(plug_in(tmp_path / "drive", version))
    assert (board.too_old, board.untried) == (too_old, untried)


def test_the_only_drive_is_found(tmp_path):
    drive = plug_in(tmp_path / "My Board")
    (tmp_path / "camera").mkdir()
    assert find(None, lambda: [tmp_path / "camera", drive, tmp_path / "gone"]).folder == drive


def test_of_several_drives_one_must_be_named(tmp_path):
    drives = [plug_in(tmp_path / name) for name in ("CIRCUITPY", "CIRCUITPY1")]
    with pytest.raises(InstallError, match="there are 2 drives") as caught:
        find(None, lambda: drives)
    assert f"cribboard install {drives[1]}" in caught.value.hint
    assert find(str(drives[1]), lambda: drives).folder == drives[1]


def test_a_board_in_its_boot_loader_is_told(tmp_path):
    (tmp_path / "INFO_UF2.TXT").touch()
    with pytest.raises(InstallError, match="in its boot loader, waiting") as caught:
        find(None, lambda: [tmp_path])
    assert "circuitpython.org/downloads" in caught.value.hint


def test_no_drive_at_all_says_how_to_get_one():
    with pytest.raises(InstallError, match="there is no CIRCUITPY drive") as caught:
        find(None, list)
    assert "hold BOOTSEL" in caught.value.hint


def test_a_drive_that_is_not_mounted_is_told(tmp_path):
    (tmp_path / "CIRCUITPY").touch()
    assert f"udisksctl mount -b {tmp_path}/CIRCUITPY" in circuitpy._why_none(tmp_path)


@pytest.mark.parametrize(
    ("text", "said"),
    [(None, "it has no boot_out.txt"), ("MicroPython v1.23", "names no version of CircuitPython")],
)
def test_another_drive_is_refused(tmp_path, text, said):
    if text is not None:
        (tmp_path / "boot_out.txt").write_text(text)
    with pytest.raises(InstallError, match=said):
        read(tmp_path)


def test_a_folder_that_is_not_there_is_told(tmp_path):
    with pytest.raises(InstallError, match="there is no drive"):
        find(str(tmp_path / "CIRCUITPY"))


def test_a_windows_drive_may_be_named_by_its_letter():
    with pytest.raises(InstallError, match=r"there is no drive E:\\"):
        find("E:")


def test_linux_lists_drives_with_fat_under_any_name(tmp_path):
    mounts = tmp_path / "mounts"
    mounts.write_text(
        "/dev/sda1 / ext4 rw 0 0\n"
        "/dev/sdb1 /media/ann/MY\\040BOARD vfat rw 0 0\n"
        "/dev/sdc1 /run/media/x msdos rw 0 0\nodd\n"
    )
    assert [str(path) for path in mounted("linux", mounts)] == ["/media/ann/MY BOARD", "/run/media/x"]
    assert mounted("linux", tmp_path / "nowhere") == []


def test_a_mac_lists_its_volumes(tmp_path):
    (tmp_path / "CIRCUITPY").mkdir()
    assert mounted("darwin", volumes=tmp_path) == [tmp_path / "CIRCUITPY"]
    assert mounted("darwin", volumes=tmp_path / "nowhere") == []


def test_windows_lists_its_removable_letters(tmp_path, monkeypatch):
    monkeypatch.setattr(circuitpy, "_letters", lambda: [tmp_path])
    assert mounted("win32") == [tmp_path]


def test_a_drive_that_cannot_be_looked_at_is_passed_over(tmp_path, monkeypatch):
    def gone(path):
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(circuitpy.Path, "is_file", gone)
    with pytest.raises(InstallError, match="there is no CIRCUITPY drive"):
        find(None, lambda: [tmp_path])


def test_a_boot_out_that_cannot_be_read_is_told(tmp_path, monkeypatch):
    plug_in(tmp_path / "drive")

    def fails(path, *words, **options):
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    monkeypatch.setattr(Path, "read_text", fails)
    with pytest.raises(InstallError, match=r"boot_out\.txt cannot be read: Input/output error"):
        read(tmp_path / "drive")
