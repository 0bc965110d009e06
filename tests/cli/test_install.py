"""`cribboard install` and `uninstall`, on a folder that plays the drive."""

from __future__ import annotations

import errno
import json
import os
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from install.circuitpy import files, not_measured, plug_in
from rigs.printed import printed

from cribboard.board.find import probe
from cribboard.cli.main import cli
from cribboard.drive import drive_files
from cribboard.install import installer
from cribboard.install.compiled import compiled
from cribboard.install.disk import Folder
from cribboard.install.plans import LIST, stand_in, with_list
from cribboard.sim.board import VirtualBoard

ROOT = Path(__file__).parents[2]
SOURCE = with_list(drive_files().contents())
WANTED = with_list(compiled(drive_files().contents()))
STANDS_IN = stand_in(WANTED)


@pytest.fixture
def drive(tmp_path):
    return plug_in(tmp_path / "CIRCUITPY")


def type_in(*words: object, exit_code: int = 0) -> Result:
    result = CliRunner().invoke(cli, [str(word) for word in words], catch_exceptions=False)
    assert result.exit_code == exit_code, result.output
    return result


def test_the_drive_gets_the_firmware_and_the_maker_is_asked_for_a_hard_reset(drive):
    said = type_in("install", drive).stdout
    assert said.startswith(f"{drive}: raspberry_pi_pico with CircuitPython 9.2.1\nwriting {len(WANTED)} files")
    assert "pull the USB cable and plug it in again (a supply of its own, too)" in said
    assert files(drive) == {"boot_out.txt": (drive / "boot_out.txt").read_bytes(), **WANTED}


def test_an_installed_drive_runs(drive, monkeypatch):
    not_measured(monkeypatch)
    type_in("install", "--source", drive)
    with VirtualBoard(drive) as board:
        assert probe(board.port).version == installer.VERSION


def test_a_drive_that_was_not_finished_shows_red_and_says_so_on_its_console(drive):
    (drive / "code.py").write_bytes(STANDS_IN)
    with VirtualBoard(drive) as board:
        assert board.wait_for(lambda board: "is not whole; run `cribboard install` again" in board.console())
        assert {pin: strip.pixels[:10] for pin, strip in board.strips().items()} == {
            pin: [(16, 0, 0)] * 3 + [(0, 0, 0)] * 7 for pin in ("GP2", "GP3")
        }


def test_a_second_time_nothing_is_written(drive):
    type_in("install", drive)
    times = {path: path.stat().st_mtime_ns for path in drive.rglob("*")}
    assert type_in("install", drive).stdout.endswith("nothing had to be written.\n")
    assert {path: path.stat().st_mtime_ns for path in drive.rglob("*")} == times


def test_a_dry_run_changes_nothing(drive):
    before = files(drive)
    said = type_in("install", "--dry-run", drive).stdout
    assert "would write lib/cribboard_fw/app.mpy (" in said
    assert said.splitlines()[-1].startswith("would write code.py")
    entry = printed(type_in("install", "--dry-run", "--json", drive).stdout)
    assert (entry["done"], entry["write"][-1], entry["board"]) == (False, "code.py", "raspberry_pi_pico")
    assert set(entry["write"][:2]) == {"settings.toml", LIST}, "a copy that is cut short shows red on these pins"
    assert files(drive) == before


def test_an_empty_name_is_not_every_drive(drive):
    result = type_in("install", "", exit_code=1)
    assert "the drive's name is empty" in result.stderr


def test_old_modules_of_ours_go_and_those_of_others_stay(drive):
    type_in("install", drive)
    (drive / "lib" / "cribboard_fw" / "was_there_once.mpy").touch()
    with (drive / LIST).open("a") as listed:
        listed.write("lib/cribboard_fw/was_there_once.mpy\n")
    (drive / "lib" / "maker").mkdir()
    (drive / "lib" / "maker" / "pi.py").write_text("PI = 3\n")
    entry = printed(type_in("install", "--json", drive).stdout)
    assert entry["remove"] == ["lib/cribboard_fw/was_there_once.mpy"]
    assert (entry["write"], entry["done"]) == ([LIST], True)
    assert (drive / "lib" / "maker" / "pi.py").exists()


def test_what_would_run_instead_of_ours_is_put_aside_and_comes_back(drive):
    (drive / "code.txt").write_text("print(1)\n")
    (drive / "code.py").write_text("import board\nprint('a cribbage board of my own')\n")
    (drive / "code.py.before").write_text("print(3)\n")
    (drive / "lib" / "neopixel.py").write_text("print(4)\n")
    (drive / "cribboard_fw").mkdir()
    before = files(drive)
    result = type_in("install", drive)
    assert "code.py is not cribboard's; it is renamed code.py.before2\n" in result.stderr
    for name in ("code.txt.before", "lib/neopixel.py.before", "cribboard_fw.before"):
        assert (drive / name).exists(), name
    result = type_in("uninstall", drive)
    assert "code.txt.before is renamed back to code.txt" in result.stderr
    left = files(drive)
    before.pop("settings.toml")
    assert left == before
    assert (drive / "cribboard_fw").is_dir()


def test_own_settings_stay_unless_a_description_is_named(drive):
    (drive / "settings.toml").write_text('BRIGHTNESS = 12\nMINE = "x"\n')
    result = type_in("install", drive, exit_code=1)
    assert "settings.toml keeps your BRIGHTNESS = 12" in result.stderr
    assert "settings.toml has a mistake: line 2" in result.stderr  # MINE is no setting
    result = type_in("install", drive, "--board", ROOT / "hardware" / "boards" / "travel.toml", exit_code=1)
    assert "settings.toml had BRIGHTNESS = 12; it is now 20\n" in result.stderr
    assert "\nwriting 1 file, " in result.stdout
    text = (drive / "settings.toml").read_text()
    assert 'MINE = "x"' in text
    assert "LEDS_PER_TRACK = 61" in text
    result = type_in("uninstall", drive)
    assert "settings.toml keeps the lines that are not the cribbage board's" in result.stderr
    assert "settings.toml had LEDS_PER_TRACK = 61" in result.stderr
    assert (drive / "settings.toml").read_text() == 'MINE = "x"\n'


UNKNOWN = '"MY_WIFI": there is no such setting; the settings.toml of the project has them all'


def test_what_keeps_the_board_from_playing_is_the_last_that_is_said(drive):
    (drive / "settings.toml").write_text('# mine\nMY_WIFI = "home"\n')
    before = files(drive)
    last = f"The board will not play until you correct or remove this line of settings.toml:\n  line 2, {UNKNOWN}\n"
    said = type_in("install", "--dry-run", drive, exit_code=1).stdout
    assert said.endswith(last)
    assert files(drive) == before
    said = type_in("install", drive, exit_code=1).stdout
    assert "The firmware" in said and said.endswith(last)
    assert type_in("install", drive, exit_code=1).stdout.endswith(f"nothing had to be written.\n{last}")
    assert (drive / "settings.toml").read_text().startswith('# mine\nMY_WIFI = "home"\n')
    entry = printed(type_in("install", "--json", drive, exit_code=1).stdout)
    assert (entry["done"], entry["mistakes"]) == (True, [f"line 2, {UNKNOWN}"])
    doctor = type_in("doctor", "--port", "/dev/none", drive, exit_code=1).stdout
    assert f"WRONG a setting is wrong: line 2, {UNKNOWN}\n" in doctor
    (drive / "settings.toml").write_text("BRIGHTNESS = 0\nTARGET = 7\n")
    said = type_in("install", drive, exit_code=1).stdout.splitlines()
    assert said[-3] == "The board will not play until you correct or remove these lines of settings.toml:"
    (drive / "settings.toml").write_text('CIRCUITPY_BLE_NAME = "home"\n')
    assert json.loads(type_in("install", "--json", drive).stdout)["mistakes"] == []


def test_a_very_long_value_is_told_in_a_line(drive):
    (drive / "settings.toml").write_text('STRIP_PINS = """' + "GP2\n" * 2000 + '"""\n')
    result = type_in("install", drive, "--board", ROOT / "hardware" / "board.toml")
    assert 'settings.toml had STRIP_PINS = """GP2 GP2 GP2' in result.stderr
    assert max(map(len, result.stderr.splitlines())) < 200
    assert (drive / "settings.toml").read_text().startswith('STRIP_PINS = "GP2 GP3"\n')


def test_a_circuitpython_that_was_never_tried_is_remarked(drive):
    (drive / "boot_out.txt").write_text("Adafruit CircuitPython 11.0.0 on 2027; Raspberry Pi Pico 2")
    result = type_in("install", "--dry-run", drive, "--board", ROOT / "hardware" / "board.toml")
    assert "never been tested on CircuitPython 11.0.0" in result.stderr
    assert "boot_out.txt does not name the board; the pins were not checked against it" in result.stderr


def test_uninstalling_brings_an_installed_drive_back(drive):
    before = {path: data for path, data in files(drive).items() if path == "boot_out.txt"}
    type_in("install", drive)
    assert "would remove settings.toml\n" in type_in("uninstall", "--dry-run", drive).stdout
    result = type_in("uninstall", drive)
    assert result.stdout.endswith("Eject the drive before you unplug the board.\n")
    assert files(drive) == {**before, "lib/neopixel.mpy": WANTED["lib/neopixel.mpy"]}
    assert json.loads(type_in("uninstall", drive, "--json").stdout)["remove"] == []


def test_what_is_not_ours_in_our_folders_stays_and_is_told(drive):
    mine = drive / "lib" / "cribboard_fw" / "notes.txt"
    mine.parent.mkdir()
    mine.write_text("the strip came from Ann\n")
    for command in ("install", "install", "uninstall"):
        assert "lib/cribboard_fw/notes.txt is not cribboard's; it stays\n" in type_in(command, drive).stderr, command
        assert mine.read_text() == "the strip came from Ann\n"
    assert files(drive).keys() == {"boot_out.txt", "lib/cribboard_fw/notes.txt", "lib/neopixel.mpy"}


def test_a_folder_within_ours_does_not_keep_the_makers_program_from_coming_back(drive):
    (drive / "code.py").write_text("print('mine')\n")
    type_in("install", drive)
    (drive / "lib" / "cribboard_core" / "__pycache__").mkdir()
    result = type_in("uninstall", drive)
    assert (drive / "code.py").read_text() == "print('mine')\n"
    assert "lib/cribboard_core/__pycache__ is not cribboard's; it stays\n" in result.stderr
    assert not (drive / "lib" / "cribboard_fw").exists()


def test_the_makers_program_comes_back_before_anything_can_go_wrong(drive, monkeypatch):
    (drive / "code.py").write_text("print('mine')\n")
    type_in("install", drive)
    remove = Folder.remove

    def fails(disk, path):
        if path.startswith("lib/"):
            raise OSError(errno.EIO, "out")
        remove(disk, path)

    with monkeypatch.context() as patch:
        patch.setattr(Folder, "remove", fails)
        assert "is gone (removing lib/" in type_in("uninstall", drive, exit_code=1).stderr
    assert (drive / "code.py").read_text() == "print('mine')\n"
    assert type_in("uninstall", drive).stdout.startswith(f"{drive}: ")
    assert files(drive).keys() == {"boot_out.txt", "code.py", "lib/neopixel.mpy"}


def test_a_removal_that_was_cut_short_before_a_renaming_is_gone_on_with(drive):
    (drive / "lib" / "neopixel.py").write_text("print('mine')\n")
    type_in("install", drive)
    (drive / "code.py").unlink()
    (drive / "lib" / "neopixel.mpy").unlink()
    type_in("uninstall", drive)
    assert (drive / "lib" / "neopixel.py").read_text() == "print('mine')\n"


def test_uninstalling_what_is_not_there_says_so_and_leaves_the_settings(drive):
    (drive / "settings.toml").write_text("BRIGHTNESS = 3\n")
    result = type_in("uninstall", drive)
    assert result.stdout.splitlines()[-1] == f"There is no cribboard firmware on {drive}."
    assert result.stderr == ""
    assert (drive / "settings.toml").read_text() == "BRIGHTNESS = 3\n"


def test_folders_and_files_that_are_in_the_way_are_put_aside_and_come_back(drive):
    (drive / "code.py").unlink()
    (drive / "code.py").mkdir()
    (drive / "settings.toml").unlink()
    (drive / "settings.toml").mkdir()
    (drive / "lib" / "cribboard_core").write_text("no folder\n")
    (drive / "lib" / "cribboard_fw" / "app").mkdir(parents=True)  # CircuitPython would take it before app.py
    before = {path.relative_to(drive) for path in drive.rglob("*")}
    said = type_in("install", drive).stderr
    for path in ("code.py", "settings.toml", "lib/cribboard_core", "lib/cribboard_fw/app"):
        assert f"{path} is not cribboard's; it is renamed {path}.before\n" in said
    assert {path: data for path, data in files(drive).items() if path in WANTED} == WANTED
    type_in("uninstall", drive)
    assert {path.relative_to(drive) for path in drive.rglob("*")} == before | {Path("lib/neopixel.mpy")}


def test_a_file_named_lib_is_put_aside(drive):
    (drive / "lib").rmdir()
    (drive / "lib").write_text("not a folder\n")
    assert "lib is not cribboard's; it is renamed lib.before\n" in type_in("install", drive).stderr
    assert {path: data for path, data in files(drive).items() if path in WANTED} == WANTED
    assert (drive / "lib.before").read_text() == "not a folder\n"


@pytest.mark.parametrize("name", ["settings.toml", "code.py", "lib", "lib/cribboard_fw", "boot.py"])
@pytest.mark.parametrize("command", ["install", "uninstall"])
def test_links_are_not_followed_off_the_drive(drive, tmp_path, name, command):
    type_in("install", drive)
    elsewhere = tmp_path / "elsewhere"
    (drive / name).rename(elsewhere)
    (drive / name).symlink_to(elsewhere)
    before = files(elsewhere) if elsewhere.is_dir() else elsewhere.read_bytes()
    said = type_in(command, drive, exit_code=1).stderr
    assert f"{drive / name} is a link, which may lead off the drive" in said and "remove it" in said
    assert before == (files(elsewhere) if elsewhere.is_dir() else elsewhere.read_bytes())


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no such thing here")
def test_a_pipe_is_not_waited_for(drive):
    (drive / "settings.toml").unlink()
    os.mkfifo(drive / "settings.toml")
    assert "settings.toml is neither a file nor a folder" in type_in("install", drive, exit_code=1).stderr
    (drive / "boot_out.txt").unlink()
    os.mkfifo(drive / "boot_out.txt")
    assert "it has no boot_out.txt" in type_in("install", drive, exit_code=1).stderr


def test_a_full_drive_with_a_link_on_it_is_only_full(drive, tmp_path, monkeypatch):
    (drive / "elsewhere").symlink_to(tmp_path)
    monkeypatch.setattr(Folder, "free", lambda disk: 0)
    assert "has 0 KB free" in type_in("install", drive, exit_code=1).stderr


def test_an_old_circuitpython_is_refused(drive):
    (drive / "boot_out.txt").write_text("Adafruit CircuitPython 8.2.0 on 2023")
    said = type_in("install", drive, exit_code=1).stderr
    assert "has CircuitPython 8.2.0, and the firmware needs 9.2.1 or newer" in said


def test_settings_that_are_no_text_are_refused(drive):
    (drive / "settings.toml").write_bytes(b"\xff\xfe")
    assert "is not text in UTF-8" in type_in("install", drive, exit_code=1).stderr
    assert (drive / "code.py").read_bytes().startswith(b"print")


def test_a_file_that_does_not_read_back_keeps_the_board_from_running(drive, monkeypatch):
    honest = Folder.read
    monkeypatch.setattr(Folder, "read", lambda disk, path: (honest(disk, path) or b"")[:-1] or None)
    said = type_in("install", drive, exit_code=1).stderr
    assert "does not read back as it was written" in said
    assert (drive / "code.py").read_bytes() == STANDS_IN


@pytest.mark.parametrize(
    ("number", "said", "hint"),
    [
        (errno.ENOSPC, "is full (writing lib/cribboard_fw/lights.mpy)", "remove something from it"),
        (errno.EROFS, "cannot be written (writing lib/cribboard_fw/lights.mpy: Read-only file system)", "eject it"),
        (errno.EIO, "is gone (writing lib/cribboard_fw/lights.mpy: Input/output error)", "plug the board in again"),
        (errno.EISDIR, "refuses (writing lib/cribboard_fw/lights.mpy: Is a directory)", "look at what has this name"),
        (None, "refuses (writing lib/cribboard_fw/lights.mpy: odd)", "look at what has this name"),
    ],
)
def test_a_drive_that_fails_is_told_and_the_next_try_goes_on(drive, monkeypatch, number, said, hint):
    write = Folder.write

    def fails(disk, path, data):
        if path.endswith("lights.mpy"):
            raise OSError(number, os.strerror(number)) if number else OSError("odd")
        write(disk, path, data)

    with monkeypatch.context() as patch:
        patch.setattr(Folder, "write", fails)
        error = type_in("install", drive, exit_code=1).stderr
    assert said in error
    assert hint in error
    assert (drive / "code.py").read_bytes() == STANDS_IN
    already = (drive / "lib/cribboard_core/cards.mpy").stat().st_mtime_ns
    type_in("install", drive)
    assert files(drive)["code.py"] == WANTED["code.py"]
    assert (drive / "lib/cribboard_core/cards.mpy").stat().st_mtime_ns == already


def test_a_drive_that_is_pulled_out_is_not_written_into_the_folder_that_is_left(drive, monkeypatch):
    disk = Folder(drive)
    monkeypatch.setattr(disk, "_device", -1)
    for act in (
        lambda: disk.write("code.py", b""),
        lambda: disk.remove("code.py"),
        lambda: disk.rename("code.py", "a"),
        lambda: disk.names(""),
        lambda: disk.read("is_not_there"),
    ):
        with pytest.raises(OSError, match="No such device") as caught:
            act()
        assert caught.value.errno == errno.ENODEV
    assert (drive / "code.py").exists()


def test_a_drive_that_goes_between_two_looks_is_told(drive, monkeypatch):
    def gone(path):
        raise FileNotFoundError(errno.ENOENT, "gone")

    monkeypatch.setattr(installer, "Folder", gone)
    assert f"the drive {drive} is gone" in type_in("install", drive, exit_code=1).stderr


def test_a_system_that_tells_no_clusters_is_taken_to_have_large_ones(drive, monkeypatch):
    monkeypatch.delattr(os, "statvfs")
    monkeypatch.delattr(os, "posix_fadvise")
    disk = Folder(drive)
    assert disk.cluster == 4096
    assert disk.read("settings.toml") == b""
