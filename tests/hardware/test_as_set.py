"""The settings.toml on a drive is checked like the description that it may have been made from."""

from __future__ import annotations

import pytest
from hardware.changed import board

from cribboard.drive import drive_files
from cribboard.hardware.controllers import load
from cribboard.hardware.description import DescriptionError
from cribboard.hardware.electricity import check, jobs
from cribboard.hardware.settings import as_set

SETTINGS = drive_files().settings.read_text(encoding="utf-8")


def wrong(text: str, tmp_path) -> list[str]:
    (tmp_path / "settings.toml").write_text(text, encoding="utf-8")
    findings = check(as_set(board(), tmp_path / "settings.toml"), load("raspberry_pi_pico"))
    return [f"{each.where}: {each.said}" for each in findings if each.wrong]


def test_the_projects_settings_are_the_default_board(tmp_path):
    assert wrong(SETTINGS, tmp_path) == []
    again = as_set(board(), drive_files().settings)
    assert list(jobs(again)) == list(jobs(board()))
    assert again.supply == board().supply


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('"GP2 GP3"', '"GP2 GP25"', "[tracks] pins: GP25: it is the board's own LED"),
        ('DEAL_PIN = "GP13"', 'DEAL_PIN = "GP31"', "pins: the Raspberry Pi Pico has no GP31"),
        ('PIEZO_PIN = ""', 'PIEZO_PIN = "A3"', "[piezo] pin: A3: it is the board's own VOLTAGE_MONITOR"),
        ('BUTTONS_3 = ""', 'BUTTONS_3 = "GP16 GP17 LED"', "[buttons] players: LED: it is the board's own LED"),
        ("USB_MA = 500", "USB_MA = 2000", "[supply] current_a = 2: the Micro-USB socket of the raspberry_pi_pico"),
        ("FUSE_MA = 1000", "FUSE_MA = 1500", "[supply] fuse_a = 1.5: the VBUS pin of the raspberry_pi_pico"),
        ("SUPPLY_MA = 0", "SUPPLY_MA = 1500", "[supply] fuse_a = 1: it opens at 2 A, and the supply gives 1.5"),
    ],
)
def test_what_is_wrong_with_them_is_found(old, new, said, tmp_path):
    assert old in SETTINGS
    assert any(line.startswith(said) for line in wrong(SETTINGS.replace(old, new), tmp_path))


def test_settings_that_no_board_can_have_are_told(tmp_path):
    with pytest.raises(DescriptionError, match="BRIGHTNESS = 300: choose from 1 to 100"):
        wrong(SETTINGS.replace("BRIGHTNESS = 30", "BRIGHTNESS = 300"), tmp_path)
    with pytest.raises(DescriptionError, match="USB_MA = 500 and FUSE_MA = 1000 carry 450"):
        wrong(SETTINGS.replace("CURRENT_LIMIT_MA = 450", "CURRENT_LIMIT_MA = 3000"), tmp_path)
    with pytest.raises(DescriptionError, match="cannot be read: No such file"):
        as_set(board(), tmp_path / "nowhere.toml")
    (tmp_path / "bad.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(DescriptionError, match=r"bad\.toml: "):
        as_set(board(), tmp_path / "bad.toml")
