"""code.py and safemode.py: whatever is missing, broken or interrupted, the board shows it or comes back by itself."""

from __future__ import annotations

import builtins
import runpy
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from types import FrameType, ModuleType, SimpleNamespace
from typing import Any

import pytest
from firmware.chip import FIRMWARE, Chip, PowerOff, module
from firmware.rig import Port

from cribboard.sim.flash import Flash
from cribboard_core.journal import Journal
from cribboard_core.match import Match
from cribboard_core.wire import Lines, encode
from cribboard_fw.keeper import Keeper
from cribboard_fw.nvm import MOST_IN_A_ROW, Faults

MINUTE_MS = 60_000


@pytest.fixture
def chip(monkeypatch: pytest.MonkeyPatch) -> Chip:
    return Chip(monkeypatch, Flash())


def red(of_ten: int, at: int = 1) -> bytes:
    """So many red lights of ten, red being this one of a pixel's three bytes."""
    pixel = [0, 0, 0]
    pixel[at] = 16
    return (bytes(pixel * of_ten + [0] * (30 - 3 * of_ten)) * 13)[: 3 * 121]


def without(missing: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make importing one module fail, as on a drive from which it is gone."""
    real = builtins.__import__

    def find(name: str, *rest: Any) -> Any:
        if name == missing:
            raise ImportError(f"no module named '{name}'")
        return real(name, *rest)

    monkeypatch.setattr(builtins, "__import__", find)
    for name in [name for name in sys.modules if name.partition(".")[0] == "cribboard_fw"]:
        monkeypatch.delitem(sys.modules, name)  # all of it is imported again


@pytest.mark.parametrize(
    "missing", ["neopixel", "cribboard_fw.hardware", "cribboard_fw.lights", "cribboard_core.match"]
)
def test_a_missing_module_shows_three_red_lights_of_ten_and_says_what_to_do(
    missing: str, chip: Chip, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with monkeypatch.context() as patch:
        without(missing, patch)
        chip.life(MINUTE_MS)
    assert chip.red == {2: red(3), 3: red(3)}
    assert chip.watchdog.mode is None, "the console has to stay"
    assert capsys.readouterr().out.count("run `cribboard install` again") >= 5


@pytest.mark.parametrize("missing", ["cribboard_fw.app", "cribboard_fw.keeper"])
def test_a_module_that_is_missed_late_is_shown_too_and_stops_after_three_tries(
    missing: str, chip: Chip, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        without(missing, patch)
        for _ in range(MOST_IN_A_ROW):
            with pytest.raises(ImportError):
                chip.life(MINUTE_MS, "WATCHDOG")
            assert chip.red == {2: red(2), 3: red(2)}
        chip.life(MINUTE_MS, "WATCHDOG")
    assert chip.red == {2: red(2), 3: red(2)}
    assert chip.watchdog.mode is None


GIVES_UP = """
class TooManyFaults(Exception):
    of_ten = 2

def main():
    raise TooManyFaults
"""
NO_SETTINGS = GIVES_UP.replace("of_ten = 2", "of_ten = 1")
ARMED = """
def main():
    import microcontroller
    microcontroller.watchdog.mode = "RESET"
    raise KeyError("planted")
"""


@pytest.fixture
def drive(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Callable[[str, str], None]]:
    """Puts a firmware of one module into a folder of the drive on which the next life begins."""
    real = Chip._modules
    (tmp_path / "settings.toml").write_bytes((FIRMWARE / "settings.toml").read_bytes())
    kept = {name: module for name, module in sys.modules.items() if name.partition(".")[0].startswith("cribboard_")}

    def made(chip: Chip, reason: str) -> list[ModuleType]:
        for name in kept:
            sys.modules.pop(name, None)
        monkeypatch.chdir(tmp_path)
        monkeypatch.setattr(sys, "path", ["lib", *sys.path])
        monkeypatch.setattr(sys, "path_importer_cache", {})  # a finder keeps to the folder in which it was made
        return real(chip, reason)

    def put(folder: str, source: str) -> None:
        at = tmp_path / folder / "cribboard_fw"
        at.mkdir(parents=True)
        (at / "__init__.py").touch()
        (tmp_path / folder / "ready").touch()
        (at / "hardware.py").write_text(source)

    monkeypatch.setattr(Chip, "_modules", made)
    yield put
    for name in [name for name in sys.modules if name.partition(".")[0] == "cribboard_fw"]:
        del sys.modules[name]
    sys.modules.update(kept)


def ran(name: str) -> str:
    """A firmware that says that it ran, and then waits as the real one does."""
    return f"""
def main():
    import time
    from pathlib import Path
    Path("ran").write_text({name!r})
    time.sleep(1e6)
"""


@pytest.mark.parametrize(
    ("newer", "newest", "starts"),
    [
        (ran("newer"), ran("newest"), "newest"),
        (ran("newer"), "import gone\n", "newer"),
        (ran("newer"), "x = (\n", "newer"),
        (ran("newer"), "def other():\n    pass\n", "newer"),
        (ran("newer"), GIVES_UP, "newer"),
        (GIVES_UP, "import gone\n", "lib"),
    ],
    ids=["both run", "import fails", "no Python", "no main", "has given up", "both fail"],
)
def test_the_newest_firmware_that_runs_is_started(
    newer: str, newest: str, starts: str, chip: Chip, drive: Callable[[str, str], None], tmp_path: Path
) -> None:
    drive("lib", ran("lib"))
    drive("firmware.009", newer)
    drive("firmware.010", newest)
    drive("firmware.011", ran("what is not whole"))
    (tmp_path / "firmware.011" / "ready").unlink()
    (tmp_path / "firmware.new").mkdir()
    (tmp_path / "firmware.bin").touch()
    chip.life(MINUTE_MS)
    assert (tmp_path / "ran").read_text() == starts
    assert chip.red == {}


@pytest.mark.parametrize(("source", "of_ten"), [(NO_SETTINGS, 1), (ARMED, 2)], ids=["settings", "watchdog armed"])
def test_a_wrong_setting_and_a_fault_under_the_watchdog_are_shown_and_nothing_else_is_started(
    source: str, of_ten: int, chip: Chip, drive: Callable[[str, str], None], tmp_path: Path
) -> None:
    drive("lib", ran("lib"))
    drive("firmware.001", source)
    with suppress(KeyError):
        chip.life(MINUTE_MS)
    assert chip.red == {2: red(of_ten), 3: red(of_ten)}
    assert not (tmp_path / "ran").exists()


@pytest.mark.parametrize(
    ("text", "lit"),
    [
        ('STRIP_PINS = "GP4 GP5"\nPIXEL_ORDER = "RGB"\n', {4: red(3, 0), 5: red(3, 0)}),
        ('STRIP_PINS = "GP4 D99"\nPIXEL_ORDER = "BGR"\n', {4: red(3, 2)}),
        ("STRIP_PINS = GP4\n", {2: red(3), 3: red(3)}),
        ('PIXEL_ORDER = "XYZ"\n', {2: red(3, 0), 3: red(3, 0)}),
        (None, {2: red(3), 3: red(3)}),
    ],
    ids=["another wiring", "a pin that is not there", "not text", "no red", "no file"],
)
def test_red_is_shown_on_the_strips_that_settings_toml_names(
    text: str | None, lit: dict[int, bytes], chip: Chip, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    if text is not None:
        Path("settings.toml").write_text(text)
    with monkeypatch.context() as patch:
        without("cribboard_fw.hardware", patch)
        chip.life(MINUTE_MS)
    assert chip.red == lit


@pytest.mark.parametrize(
    "where", ["cribboard_fw.settings.load", "cribboard_fw.app.App.step", "cribboard_fw.lights.Lights.step"]
)
def test_ctrl_c_resets_the_board_wherever_it_comes(where: str, chip: Chip, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*args: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(where, interrupted)
        chip.life(400)
    assert chip.resets == 1
    assert Faults(chip.flash).in_a_row == 0, "nothing has failed"


def test_ctrl_c_at_the_red_lights_resets_the_board_too(chip: Chip, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(seconds: float) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        without("neopixel", patch)
        patch.setattr("time.sleep", interrupted)
        chip.life(MINUTE_MS)
    assert chip.resets == 1


class Interrupt:
    """Ctrl-C at the n-th call that the firmware makes between taking a command and answering it."""

    def __init__(self, number: int, port: Port) -> None:
        self.left = number
        self.port = port
        self.came = False
        self._taken = False

    def __call__(self, frame: FrameType, event: str, argument: object) -> None:
        if event != "call" or self.came or "cribboard_" not in frame.f_code.co_filename:
            return
        self._taken = self._taken or frame.f_code is Keeper.command.__code__
        if self._taken and not self.port.outbox:
            self.left -= 1
            if self.left < 0:
                self.came = True
                raise KeyboardInterrupt


def test_an_interrupted_command_counts_once_when_it_is_sent_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """A board that went on after Ctrl-C would answer some of these with an ok for what it has not applied."""
    frame = encode(["peg", 7, 1, 0, 9])
    number = 0
    came = True
    while came:
        chip = Chip(monkeypatch, Flash())
        chip.port.inbox = frame
        interrupt = Interrupt(number, chip.port)
        sys.setprofile(interrupt)
        try:
            chip.life(100)
        finally:
            sys.setprofile(None)
        came = interrupt.came
        assert chip.resets == came
        chip.port.inbox, chip.port.outbox = frame, b""
        chip.life(100, "SOFTWARE")
        assert ["ok", 7, 1, 1] in Lines().feed(chip.port.outbox), number
        match = Match()
        Journal(chip.flash).mount(match, 0)
        assert (match.rev, match.front(0)) == (1, 9), number
        number += 1
    assert number > 40


class Safe:
    """The microcontroller and supervisor that safemode.py sees."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, flash: Flash | None) -> None:
        reasons = SimpleNamespace(BROWNOUT="BROWNOUT", HARD_FAULT="HARD_FAULT")
        self.runtime = SimpleNamespace(safe_mode_reason="")
        self.resets = 0
        for made in (
            module("microcontroller", nvm=flash, reset=self.reset),
            module("supervisor", runtime=self.runtime, SafeModeReason=reasons),
        ):
            monkeypatch.setitem(sys.modules, made.__name__, made)

    def reset(self) -> None:
        self.resets += 1
        raise PowerOff

    def start(self, reason: str) -> bool:
        """Whether safemode.py leaves a safe mode that was entered for this reason."""
        self.runtime.safe_mode_reason = reason
        try:
            runpy.run_path(str(FIRMWARE / "safemode.py"))
        except PowerOff:
            return True
        return False


def test_a_dip_of_the_supply_never_keeps_the_board_in_safe_mode(monkeypatch: pytest.MonkeyPatch) -> None:
    safe = Safe(monkeypatch, Flash())
    assert all(safe.start("BROWNOUT") for _ in range(100))


def test_the_board_leaves_safe_mode_three_times_in_a_row_and_then_stays_for_somebody_to_look(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    flash = Flash()
    safe = Safe(monkeypatch, flash)
    assert [safe.start("HARD_FAULT") for _ in range(5)] == [True] * 3 + [False] * 2
    Faults(flash).well()
    assert safe.start("HARD_FAULT")
