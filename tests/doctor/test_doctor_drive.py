"""Each thing that the doctor can find on a drive."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from doctor.doctored import Bench, installed
from install.circuitpy import plug_in
from rigs.wired import Firmware

from cribboard.drive import drive_files
from cribboard.install.plans import stand_in
from cribboard_core.events import PEG

NOT_WHOLE = stand_in(drive_files().contents())


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)


@pytest.fixture
def drive(tmp_path: Path) -> Path:
    return installed(tmp_path / "CIRCUITPY")


def test_a_board_that_is_well(bench: Bench, drive: Path) -> None:
    bench.drives = [drive]
    assert [(finding.code, finding.wrong) for finding in bench.findings()] == [
        ("drive", False),
        ("board", False),
        ("current", False),
    ]


def test_a_drive_without_a_port(bench: Bench, drive: Path) -> None:
    bench.ports, bench.drives = [], [drive]
    assert bench.wrong() == ["no-port"]


def test_a_board_in_its_boot_loader(bench: Bench, tmp_path: Path) -> None:
    (tmp_path / "INFO_UF2.TXT").touch()
    bench.ports, bench.drives = [], [tmp_path]
    assert bench.wrong() == ["drive"]


def test_a_drive_that_was_named_and_is_none(bench: Bench, tmp_path: Path) -> None:
    assert bench.wrong(str(tmp_path)) == ["drive"]


def test_the_current_limit(bench: Bench, drive: Path) -> None:
    bench.drives = [drive]
    settings = drive / "settings.toml"
    settings.write_text(settings.read_text().replace("BRIGHTNESS = 30", "BRIGHTNESS = 100").replace("450", "392"))
    bench.firmware = Firmware(players=6)
    for side in range(6):
        for points in (3 + side, 7):
            bench.firmware.keeper.do((PEG, side, points, 0, 0))
    limits = [finding for finding in bench.findings() if finding.code == "current-limit"]
    assert "CURRENT_LIMIT_MA is 392" in limits[0].what


def test_pins_that_the_controller_has_not(bench: Bench, drive: Path) -> None:
    bench.drives = [drive]
    settings = drive / "settings.toml"
    settings.write_text(settings.read_text().replace('"GP12"', '"GP99"'))
    (problem,) = [finding for finding in bench.findings() if finding.code == "settings"]
    assert problem.what == "a setting is wrong: UNDO_PIN: the Raspberry Pi Pico has no GP99"
    boot_out = drive / "boot_out.txt"
    boot_out.write_text(boot_out.read_text().replace("raspberry_pi_pico", "no_such_board"))
    settings.write_text(settings.read_text().replace("= 450", "= 400").replace("MA = 1000", "MA = 500"))
    assert bench.wrong() == []


def test_a_controller_that_does_not_fit(bench: Bench, drive: Path) -> None:
    bench.drives = [drive]
    boot_out = drive / "boot_out.txt"
    boot_out.write_text(boot_out.read_text().replace("with rp2040", "with nRF52840"))
    (problem,) = [finding for finding in bench.findings() if finding.wrong]
    assert (problem.code, "worn out after 76 games" in problem.what) == ("controller", True)
    assert "use a board with an RP2040 or RP2350" in problem.todo


def test_a_dimmed_board_may_be_set_to_what_its_supply_and_fuse_carry(bench: Bench, drive: Path) -> None:
    bench.drives = [drive]
    settings = drive / "settings.toml"
    settings.write_text(settings.read_text().replace("BRIGHTNESS = 30", "BRIGHTNESS = 100").replace("450", "392"))
    bench.firmware = Firmware(players=6)
    for side in range(6):
        for points in (3 + side, 7):
            bench.firmware.keeper.do((PEG, side, points, 0, 0))
    (problem,) = [finding for finding in bench.findings() if finding.code == "current-limit"]
    assert problem.todo == "raise CURRENT_LIMIT_MA in settings.toml, to 450 at the most, or lower BRIGHTNESS"
    settings.write_text(settings.read_text().replace("USB_MA = 500", "USB_MA = 436"))
    (problem,) = [finding for finding in bench.findings() if finding.code == "current-limit"]
    assert problem.todo.startswith("lower BRIGHTNESS in settings.toml, or use a stronger supply and fuse")


def empty(drive: Path) -> Path:
    shutil.rmtree(drive)
    return drive


def test_of_a_copy_that_ended_half_way_only_that_is_told(bench: Bench, drive: Path) -> None:
    bench.drives = [drive]
    (drive / "code.py").write_bytes(NOT_WHOLE)
    (drive / "settings.toml").unlink()
    assert bench.wrong() == ["not-whole"]


def test_settings_that_are_not_there_are_put_there_by_the_installer(bench: Bench, drive: Path) -> None:
    bench.drives = [drive]
    (drive / "settings.toml").unlink()
    (problem,) = [finding for finding in bench.findings() if finding.code == "settings"]
    assert "cribboard install" in problem.todo


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (lambda drive: (drive / "code.py").write_bytes(NOT_WHOLE), "not-whole"),
        (lambda drive: (drive / "code.py").write_text("print(1)\n"), "other-firmware"),
        (lambda drive: (drive / "lib" / "cribboard_fw").rename(drive / "elsewhere"), "no-firmware"),
        (lambda drive: plug_in(empty(drive)), "no-firmware"),
        (lambda drive: (drive / "settings.toml").write_text("BRIGHTNESS = 999\n"), "settings"),
        (lambda drive: (drive / "settings.toml").write_bytes(b"\xff"), "settings"),
        (lambda drive: (drive / "settings.toml").unlink(), "settings"),
        (lambda drive: (drive / "boot_out.txt").write_text("CircuitPython 8.0.1"), "old-circuitpython"),
        (
            lambda drive: (drive / "boot_out.txt").write_text("CircuitPython 9.2.1\nTraceback:\nImportError: x\n"),
            "boot",
        ),
    ],
)
def test_what_is_wrong_on_the_drive(bench: Bench, drive: Path, change: Callable[[Path], object], code: str) -> None:
    change(drive)
    bench.drives = [drive]
    assert set(bench.wrong()) == {code}


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("code.txt", "CircuitPython runs code.txt instead of code.py"),
        ("CODE.TXT", "CircuitPython runs code.txt instead of code.py"),
        ("settings.toml.txt", "settings.toml.txt is on the drive, but the board only reads settings.toml"),
    ],
)
def test_a_file_whose_ending_was_hidden_is_recognised(bench: Bench, drive: Path, name: str, said: str) -> None:
    bench.drives = [drive]
    (drive / name).touch()
    assert [finding.what for finding in bench.findings() if finding.wrong] == [said]
