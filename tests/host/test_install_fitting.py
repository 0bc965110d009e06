"""No board gets the pins of another one: what is installed fits the controller, or nothing is changed."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from host.circuitpy import files, plug_in

from cribboard.cli.main import cli
from cribboard.hardware import controllers
from cribboard.hardware.controllers import ControllerError, load
from cribboard.install.fitting import alike
from hardware.boards import HARDWARE, ready

TEXT = (HARDWARE / "board.toml").read_text(encoding="utf-8")
QT_PY = "adafruit_qtpy_rp2040"
ON_QT_PY = (
    ("raspberry_pi_pico", QT_PY),
    ('["GP2", "GP3"]', '["A0", "A1"]'),
    ('[["GP6", "GP7", "GP8"], ["GP9", "GP10", "GP11"]]', '[["A2", "A3", "TX"], ["RX", "SCK", "MISO"]]'),
    ('"GP12"', '"MOSI"'),
    ('"GP13"', '"SDA"'),
)


@pytest.fixture
def described(tmp_path: Path) -> Path:
    return tmp_path / "mine.toml"


def write(file: Path, *changes: tuple[str, str]) -> Path:
    """The default description after each of these texts was replaced by its other."""
    text = TEXT
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new)
    file.write_text(text, encoding="utf-8")
    return file


def drive_of(folder: Path, board: str) -> Path:
    return plug_in(folder / "CIRCUITPY", board=board)


def type_in(*words: object) -> Result:
    return CliRunner().invoke(cli, [str(word) for word in words], catch_exceptions=False)


@pytest.fixture
def no_definitions(monkeypatch: pytest.MonkeyPatch) -> None:
    def lacking() -> Path:
        raise ControllerError("not installed")

    monkeypatch.setattr(controllers, "definitions", lacking)


@pytest.mark.parametrize("board", [QT_PY, "feather_nrf52840_express", "no_such_board"])
@pytest.mark.parametrize("named", [False, True])
def test_the_picos_pins_are_not_put_on_another_controller(tmp_path: Path, board: str, named: bool) -> None:
    drive = drive_of(tmp_path, board)
    before = files(drive)
    result = type_in("install", drive, *(["--board", HARDWARE / "board.toml"] if named else []))
    assert result.exit_code == 1
    assert f"{drive} is of a {board}, and the pins are described for a raspberry_pi_pico" in result.stderr
    assert f'board = "{board}" under [controller]' in result.stderr
    assert str(HARDWARE) in result.stderr
    assert files(drive) == before


@pytest.mark.parametrize("board", ["raspberry_pi_pico_w", "raspberry_pi_pico2", "raspberry_pi_pico2_w"])
def test_every_pico_takes_the_picos_pins(tmp_path: Path, board: str, no_definitions: None) -> None:
    result = type_in("install", drive_of(tmp_path, board))
    assert (result.exit_code, result.stderr) == (0, "")


def test_a_board_whose_pins_of_these_names_are_the_same_takes_them_where_the_definitions_tell(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    drive = drive_of(tmp_path, "waveshare_rp2040_plus_4mb")
    with monkeypatch.context() as patch:
        patch.setattr(controllers, "definitions", lambda: tmp_path)
        assert type_in("install", drive).exit_code == 1
    assert type_in("install", drive).exit_code == 0


@pytest.mark.parametrize("board", ["feather_nrf52840_express", "adafruit_feather_rp2040"])
def test_where_the_same_names_are_other_pins_nothing_is_installed(tmp_path: Path, described: Path, board: str) -> None:
    names = {
        pin: load(board).pins.get(pin) for pin in ("A0", "A1", "A2", "A3", "TX", "RX", "SCK", "MISO", "MOSI", "SDA")
    }
    assert None not in names.values()
    result = type_in("install", drive_of(tmp_path, board), "--board", write(described, *ON_QT_PY))
    assert (result.exit_code, f"and the pins are described for a {QT_PY}" in result.stderr) == (1, True)


def test_the_same_names_of_pins_on_another_chip_are_other_pins(monkeypatch: pytest.MonkeyPatch) -> None:
    chips = {"mine": load("raspberry_pi_pico"), QT_PY: replace(load("raspberry_pi_pico"), port="espressif")}
    monkeypatch.setattr(controllers, "load", chips.__getitem__)
    assert not alike(QT_PY, replace(ready(), controller="mine"))
    assert alike("mine", replace(ready(), controller="mine"))


def test_a_board_that_nobody_knows_takes_its_own_description_and_no_other(tmp_path: Path, described: Path) -> None:
    drive = drive_of(tmp_path, "board_of_mine")
    other = write(described, ("raspberry_pi_pico", "board_of_yours"))
    assert type_in("install", drive, "--board", other).exit_code == 1
    assert type_in("install", plug_in(tmp_path / "QT_PY", board=QT_PY), "--board", other).exit_code == 1
    mine = write(described, ("raspberry_pi_pico", "board_of_mine"))
    assert type_in("install", drive, "--board", mine).exit_code == 0
    assert (
        type_in("install", drive, "--board", write(described)).exit_code == 1
    )  # its pins would take the others' place


def test_a_description_for_the_controller_fits_and_stays_when_no_description_is_named(
    tmp_path: Path, described: Path
) -> None:
    drive = drive_of(tmp_path, QT_PY)
    result = type_in("install", drive, "--board", write(described, *ON_QT_PY))
    assert (result.exit_code, result.stderr) == (0, "")
    before = files(drive)
    assert b'STRIP_PINS = "A0 A1"' in before["settings.toml"]
    result = type_in("install", drive)
    assert result.exit_code == 0
    assert "nothing had to be written" in result.stdout
    assert files(drive) == before


def test_settings_that_name_other_pins_get_no_pins_added(tmp_path: Path, no_definitions: None) -> None:
    drive = drive_of(tmp_path, "board_of_mine")
    pins = 'STRIP_PINS = "X1"\nUNDO_PIN = "X2"\nDEAL_PIN = "X3"\n'
    (drive / "settings.toml").write_text(pins)
    assert type_in("install", drive).exit_code == 0
    text = (drive / "settings.toml").read_text()
    assert text.startswith(pins)
    assert "BRIGHTNESS = 30" in text
    assert "BUTTONS" not in text


def test_settings_without_pins_do_not_get_another_controllers(tmp_path: Path) -> None:
    drive = drive_of(tmp_path, QT_PY)
    (drive / "settings.toml").write_text('BRIGHTNESS = 10\nSTRIP_PINS = "A0 A1"\n')
    assert type_in("install", drive).exit_code == 1
    assert (drive / "settings.toml").read_text() == 'BRIGHTNESS = 10\nSTRIP_PINS = "A0 A1"\n'


def test_a_pin_that_is_not_there_is_refused_as_the_check_says_it(tmp_path: Path, described: Path) -> None:
    drive = drive_of(tmp_path, "raspberry_pi_pico")
    before = files(drive)
    for pin, said in (
        ("GP99", "pins: the Raspberry Pi Pico has no GP99"),
        ("LED", "[buttons] deal: LED: it is the board's own LED"),
    ):
        result = type_in("install", drive, "--board", write(described, ('"GP13"', f'"{pin}"')))
        assert result.exit_code == 1
        assert said in result.stderr
        assert said in type_in("hardware", "check", "--board", described).stdout
        assert "these would do" not in result.stderr
    assert files(drive) == before


def test_a_described_pin_is_looked_for_on_the_described_controller_when_the_drive_names_none(
    tmp_path: Path, described: Path
) -> None:
    drive = drive_of(tmp_path, "raspberry_pi_pico")
    (drive / "boot_out.txt").write_text("Adafruit CircuitPython 9.2.1")
    result = type_in("install", drive, "--board", write(described, ("GP13", "GP99")))
    assert "cannot be played on a raspberry_pi_pico\n  pins: the Raspberry Pi Pico has no GP99" in result.stderr


def test_without_the_definitions_pins_are_taken_as_they_are(
    tmp_path: Path, described: Path, no_definitions: None
) -> None:
    drive = drive_of(tmp_path, "raspberry_pi_pico")
    assert type_in("install", drive, "--board", write(described, ("GP13", "GP99"))).exit_code == 0


def test_the_makers_own_pins_stay_and_are_told_when_they_are_not_there(tmp_path: Path) -> None:
    drive = drive_of(tmp_path, "raspberry_pi_pico")
    (drive / "settings.toml").write_text('STRIP_PINS = "GP98 GP99"\n')
    result = type_in("install", drive)
    assert result.exit_code == 1
    assert "settings.toml has a mistake: STRIP_PINS: the Raspberry Pi Pico has no GP98 GP99\n" in result.stderr
    assert (drive / "settings.toml").read_text().startswith('STRIP_PINS = "GP98 GP99"\n')
