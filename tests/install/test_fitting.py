"""No board gets the pins of another one: what is installed fits the controller, or nothing is changed."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from install.circuitpy import files, plug_in

from cribboard.cli.main import cli
from cribboard.drive import ANSWER
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
WEAK_PIN = (("limit_ma = 450", "limit_ma = 400"), ("fuse_a = 1.0", "fuse_a = 0.5"))  # of a board that is not known
WEAK_LINES = "CURRENT_LIMIT_MA = 400\nFUSE_MA = 500\n"


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


@pytest.mark.parametrize("board", [QT_PY, "adafruit_feather_rp2040", "no_such_board"])
@pytest.mark.parametrize("named", [False, True])
def test_the_picos_pins_are_not_put_on_another_controller(tmp_path: Path, board: str, named: bool) -> None:
    drive = drive_of(tmp_path, board)
    before = files(drive)
    result = type_in("install", drive, *(["--board", HARDWARE / "board.toml"] if named else []))
    assert result.exit_code == 1
    assert f"{drive} belongs to a {board}, but the pins are described for a raspberry_pi_pico" in result.stderr
    assert f'board = "{board}" under [controller]' in result.stderr
    assert str(HARDWARE) in result.stderr
    assert files(drive) == before


@pytest.mark.parametrize("board", ["raspberry_pi_pico_w", "raspberry_pi_pico2", "raspberry_pi_pico2_w"])
def test_every_pico_takes_the_picos_pins(tmp_path: Path, board: str, no_definitions: None) -> None:
    result = type_in("install", drive_of(tmp_path, board))
    assert (result.exit_code, result.stderr) == (0, "")
    assert (tmp_path / "CIRCUITPY" / ANSWER.format(200)).exists() == (board == "raspberry_pi_pico2_w")


def test_a_board_whose_pins_of_these_names_are_the_same_takes_them_where_the_definitions_tell(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    drive = drive_of(tmp_path, "waveshare_rp2040_plus_4mb")
    (drive / "settings.toml").write_text(WEAK_LINES)
    with monkeypatch.context() as patch:
        patch.setattr(controllers, "definitions", lambda: tmp_path)
        assert type_in("install", drive).exit_code == 1
    assert type_in("install", drive).exit_code == 0


@pytest.mark.parametrize("board", ["adafruit_itsybitsy_rp2040", "adafruit_feather_rp2040"])
def test_where_the_same_names_are_other_pins_nothing_is_installed(tmp_path: Path, described: Path, board: str) -> None:
    names = {
        pin: load(board).pins.get(pin) for pin in ("A0", "A1", "A2", "A3", "TX", "RX", "SCK", "MISO", "MOSI", "SDA")
    }
    assert None not in names.values()
    result = type_in("install", drive_of(tmp_path, board), "--board", write(described, *ON_QT_PY))
    assert (result.exit_code, f"but the pins are described for a {QT_PY}" in result.stderr) == (1, True)


def test_the_same_names_of_pins_on_another_chip_are_other_pins(monkeypatch: pytest.MonkeyPatch) -> None:
    chips = {"mine": load("raspberry_pi_pico"), QT_PY: replace(load("raspberry_pi_pico"), port="espressif")}
    monkeypatch.setattr(controllers, "load", chips.__getitem__)
    assert not alike(QT_PY, replace(ready(), controller="mine"))
    assert alike("mine", replace(ready(), controller="mine"))


def test_a_board_that_nobody_knows_takes_its_own_description_and_no_other(tmp_path: Path, described: Path) -> None:
    drive = drive_of(tmp_path, "board_of_mine")
    other = write(described, ("raspberry_pi_pico", "board_of_yours"), *WEAK_PIN)
    assert type_in("install", drive, "--board", other).exit_code == 1
    assert type_in("install", plug_in(tmp_path / "QT_PY", board=QT_PY), "--board", other).exit_code == 1
    mine = write(described, ("raspberry_pi_pico", "board_of_mine"), *WEAK_PIN)
    assert type_in("install", drive, "--board", mine).exit_code == 0
    assert (
        type_in("install", drive, "--board", write(described)).exit_code == 1
    )  # its pins would take the others' place


def test_a_description_for_the_controller_fits_and_stays_when_no_description_is_named(
    tmp_path: Path, described: Path
) -> None:
    drive = drive_of(tmp_path, QT_PY)
    result = type_in("install", drive, "--board", write(described, *ON_QT_PY, *WEAK_PIN))
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
    pins += WEAK_LINES
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
    assert "cannot run on a raspberry_pi_pico\n  pins: the Raspberry Pi Pico has no GP99" in result.stderr


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


UNFIT = [
    ("feather_nrf52840_express", "nRF52840", "it is worn out after 76 games"),
    ("adafruit_feather_esp32s3_4mbflash_2mbpsram", "ESP32S3", "its USB has 5 IN endpoints and boot.py needs 6"),
]


@pytest.mark.parametrize(("board", "chip", "why"), UNFIT)
def test_nothing_is_put_on_a_controller_that_does_not_fit(
    tmp_path: Path, board: str, chip: str, why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    drive = drive_of(tmp_path, board)
    boot_out = (drive / "boot_out.txt").read_text()
    (drive / "boot_out.txt").write_text(boot_out.replace("Raspberry Pi Pico with rp2040", f"A Board with {chip}"))
    (drive / "settings.toml").write_text('STRIP_PINS = "D5"\nUNDO_PIN = "D6"\nDEAL_PIN = "D9"\n')
    before = files(drive)
    result = type_in("install", drive)
    assert result.exit_code == 1
    assert f"{drive} belongs to a {board} that does not fit: " in result.stderr and why in result.stderr
    assert "use a board with an RP2040 or RP2350, such as raspberry_pi_pico" in result.stderr
    monkeypatch.setattr(controllers, "known", lambda name: None)  # then the chip's name in boot_out.txt is enough
    assert why in type_in("install", drive).stderr
    assert files(drive) == before
    assert type_in("uninstall", drive).exit_code == 0


LIMIT = "CURRENT_LIMIT_MA = {}: USB_MA = 500 and FUSE_MA = 1000 carry 450"


def test_a_described_limit_that_its_source_does_not_carry_is_not_written(tmp_path: Path, described: Path) -> None:
    drive = drive_of(tmp_path, "raspberry_pi_pico")
    before = files(drive)
    strong = write(described, ("limit_ma = 450", "limit_ma = 5000"))
    for words in (("install", drive, "--board", strong), ("hardware", "settings", "--board", strong)):
        result = type_in(*words)
        assert (result.exit_code, result.stdout) == (1, "")
        assert "[supply] limit_ma = 5000: more than 90% of the 0.5 A that the supply gives" in result.stderr
    assert files(drive) == before


@pytest.mark.parametrize("limit", [451, 3000, 7999])
def test_a_limit_typed_into_the_drives_settings_is_refused_by_install_and_doctor(tmp_path: Path, limit: int) -> None:
    drive = drive_of(tmp_path, "raspberry_pi_pico")
    assert type_in("install", drive).exit_code == 0
    settings = drive / "settings.toml"
    settings.write_text(settings.read_text().replace("CURRENT_LIMIT_MA = 450", f"CURRENT_LIMIT_MA = {limit}"))
    (drive / "boot.py").write_text("# cribbage board, of an older version\n")
    before = files(drive)
    result = type_in("install", drive)
    assert result.exit_code == 1
    assert "settings.toml allows more current than is safe" in result.stderr
    assert LIMIT.format(limit) in result.stderr and "nothing was changed" in result.stderr
    assert files(drive) == before
    doctor = type_in("doctor", "--port", "/dev/none", drive)
    assert doctor.exit_code == 1 and f"a setting is wrong: {LIMIT.format(limit)}" in doctor.stdout


def test_an_old_board_with_a_supply_of_its_own_is_told_what_to_add_and_then_installed(tmp_path: Path) -> None:
    drive = drive_of(tmp_path, "raspberry_pi_pico")
    old = "CURRENT_LIMIT_MA = 1500\n"  # it says nothing of the supply
    (drive / "settings.toml").write_text(old)
    result = type_in("install", drive)
    assert result.exit_code == 1 and "set SUPPLY_MA and FUSE_MA to yours" in result.stderr
    assert (drive / "settings.toml").read_text() == old
    (drive / "settings.toml").write_text(old + "SUPPLY_MA = 4000\nFUSE_MA = 2000\n")
    assert type_in("install", drive).exit_code == 0


@pytest.mark.parametrize(
    ("supply", "fuse", "said"),
    [
        (4000, 4000, "it opens at 8 A, and the supply gives 4: it would never blow; use a fuse of 2 A and a limit"),
        (900, 1000, "it opens at 2 A, and the supply gives 0.9: it would never blow; use a stronger supply"),
    ],
)  # fmt: skip
def test_a_fuse_that_its_supply_never_blows_is_refused(tmp_path: Path, supply: int, fuse: int, said: str) -> None:
    drive = drive_of(tmp_path, "raspberry_pi_pico")
    assert type_in("install", drive).exit_code == 0
    text = (drive / "settings.toml").read_text()
    text = text.replace("SUPPLY_MA = 0", f"SUPPLY_MA = {supply}").replace("FUSE_MA = 1000", f"FUSE_MA = {fuse}")
    (drive / "settings.toml").write_text(text)
    before = files(drive)
    result = type_in("install", drive)
    assert result.exit_code == 1 and f"FUSE_MA = {fuse}: {said}" in result.stderr
    assert files(drive) == before
    doctor = type_in("doctor", "--port", "/dev/none", drive)
    assert doctor.exit_code == 1 and f"a setting is wrong: FUSE_MA = {fuse}: {said}" in doctor.stdout


def test_an_old_board_on_usb_is_installed_as_it_was(tmp_path: Path) -> None:
    drive = drive_of(tmp_path, "raspberry_pi_pico")
    (drive / "settings.toml").write_text("CURRENT_LIMIT_MA = 420\n")
    assert type_in("install", drive).exit_code == 0
    text = (drive / "settings.toml").read_text()
    assert "CURRENT_LIMIT_MA = 420\n" in text and "USB_MA = 500\n" in text and "FUSE_MA = 1000\n" in text


@pytest.mark.parametrize(
    ("board", "lines", "said"),
    [
        ("raspberry_pi_pico", "USB_MA = 2500", "USB_MA = 2500: the Micro-USB socket of the raspberry_pi_pico is"),
        ("raspberry_pi_pico", "FUSE_MA = 2000", "FUSE_MA = 2000: the VBUS pin of the raspberry_pi_pico is assumed"),
        ("adafruit_qtpy_rp2040", "FUSE_MA = 1000", "FUSE_MA = 1000: the 5V pin of the adafruit_qtpy_rp2040 is assumed"),
        ("board_of_mine", "USB_MA = 900", "USB_MA = 900: the unknown USB socket of the board_of_mine is assumed"),
    ],
)  # fmt: skip
def test_what_a_controllers_socket_or_pin_does_not_carry_is_refused(
    tmp_path: Path, board: str, lines: str, said: str
) -> None:
    drive = drive_of(tmp_path, board)
    pins = 'STRIP_PINS = "A0"\nUNDO_PIN = "A1"\nDEAL_PIN = "A2"\n'
    (drive / "settings.toml").write_text(f"{pins}{lines}\n")
    before = files(drive)
    result = type_in("install", drive)
    assert result.exit_code == 1 and said in result.stderr
    assert files(drive) == before
    (drive / "settings.toml").write_text(f"{pins}{lines}\nSUPPLY_MA = 4000\n")  # then the strips are not fed by USB
    assert "assumed to carry" not in type_in("install", drive).stderr


def test_a_fuse_that_a_strip_does_not_bear_is_refused_unless_the_pixels_are_described(tmp_path: Path) -> None:
    drive = drive_of(tmp_path, "raspberry_pi_pico")
    assert type_in("install", drive).exit_code == 0
    text = (drive / "settings.toml").read_text()
    text = text.replace("SUPPLY_MA = 0", "SUPPLY_MA = 8000").replace("FUSE_MA = 1000", "FUSE_MA = 3000")
    (drive / "settings.toml").write_text(text)
    before = files(drive)
    result = type_in("install", drive)
    assert result.exit_code == 1 and "FUSE_MA = 3000: the copper of a strip is taken to carry 2 A" in result.stderr
    assert files(drive) == before
    (drive / "settings.toml").write_text(text.replace("FUSE_MA = 3000", "FUSE_MA = 2000"))
    assert type_in("install", drive).exit_code == 0


def test_a_drive_that_does_not_name_its_board_is_held_to_what_every_port_gives(tmp_path: Path) -> None:
    drive = drive_of(tmp_path, "raspberry_pi_pico")
    (drive / "boot_out.txt").write_text("Adafruit CircuitPython 9.2.1 on 2024-11-20; Raspberry Pi Pico with rp2040\n")
    (drive / "settings.toml").write_text("USB_MA = 900\n")
    result = type_in("install", drive)
    assert result.exit_code == 1 and "USB_MA = 900: the unknown USB socket of the board without a name" in result.stderr
    (drive / "settings.toml").write_text("USB_MA = 500\n")
    assert type_in("install", drive).exit_code == 0
