"""An update on the real CircuitPython: the game goes on, and a new firmware that fails gives way to the old one."""

from __future__ import annotations

from pathlib import Path

from install.fat import ImageDisk
from pico.emulator import MakePico
from pico.firmware import Wire, firmware_files

from cribboard.drive import drive_files
from cribboard.install import update
from cribboard.install.compiled import compiled
from cribboard_core.wire import PROTOCOL

EARLY_CODE = (Path(__file__).parents[1] / "install" / "data" / "code-early.txt").read_bytes()
NEW_VERSION, OLD_VERSION = b"9.9.9", b"1.0.0"
GIVES_WAY = b"firmware.001 does not run: three faults in a row"
FAILS_MS = 40_000  # three starts, and the watchdog after each


def updated(image: bytes, changed: dict[str, tuple[bytes, bytes]]) -> bytes:
    """The drive after an update to a firmware that says it is another version, and is changed like this."""
    files = {path: data for path, data in drive_files().contents().items() if path != "settings.toml"}
    for path, (old, new) in {"lib/cribboard_fw/app.py": (OLD_VERSION, NEW_VERSION), **changed}.items():
        assert old in files[path]
        files[path] = files[path].replace(old, new)
    disk = ImageDisk(image)
    update.carry_out(disk, update.planned(disk, compiled(files)))
    disk.close()
    return disk.image


def test_a_board_of_version_1_0_is_updated_and_its_game_goes_on(pico_with: MakePico) -> None:
    files = {path: data for path, data in firmware_files().items() if path != "trouble.py"}
    wire = Wire(pico_with({**files, "code.py": EARLY_CODE}))
    assert wire.ask("peg", 900, 1, 0, 5)[0] == "ok"
    before, state = wire.ask("hello", 1, PROTOCOL), wire.ask("state", 1)
    wire.pico.set_drive(updated(wire.pico.drive(), {}))
    wire.boot()
    assert wire.hello[3].encode() == NEW_VERSION
    assert wire.hello[:3] + wire.hello[4:] == before[:3] + before[4:]
    assert wire.ask("state", 1) == state
    assert "firmware.001" not in wire.pico.console_text()


def test_a_firmware_that_cannot_be_read_gives_way_at_once(pico_with: MakePico) -> None:
    wire = Wire(pico_with(firmware_files()))
    broken = {"lib/cribboard_core/match.py": (b"class Match", b"import gone\n\nclass Match")}
    wire.pico.set_drive(updated(wire.pico.drive(), broken))
    assert wire.boot() < 4_000
    assert wire.hello[3].encode() == OLD_VERSION


def test_a_firmware_that_fails_three_times_gives_way_until_the_power_is_cut(pico_with: MakePico) -> None:
    wire = Wire(pico_with(firmware_files()))
    assert wire.ask("peg", 900, 1, 0, 5)[0] == "ok"
    state = wire.ask("state", 1)
    fails = {"lib/cribboard_fw/hardware.py": (b"    step = app.step\n", b"    raise KeyError\n")}
    wire.pico.set_drive(updated(wire.pico.drive(), fails))
    wire.pico.power_on()
    wire.pico.run_until(lambda: GIVES_WAY in wire.pico.log, "the end of it", limit_ms=FAILS_MS)
    wire.pico.run(3_000)
    assert wire.ask("hello", 1, PROTOCOL)[3].encode() == OLD_VERSION
    assert wire.ask("state", 1) == state
