"""The firmware on a Raspberry Pi: Blinka's own board, digitalio and neopixel over a Pi 4 and a Pi 5 that files play."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest

from cribboard.board.find import look
from cribboard.sim.board import VirtualBoard
from cribboard.sim.flash import SECTOR
from cribboard.sim.flash_file import FlashFile
from cribboard.sim.registry import SimError
from cribboard.sim.shims import gpio

STAND_IN = Path(__file__).parent / "raspberry"
PATIENCE_S = 20


class Pi:
    """A Raspberry Pi that files play."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir()

    def sent(self) -> list[tuple[int, list[int]]]:
        """What was rendered: the GPIO, and its pixels in the order of their wires."""
        path = self.folder / "sent"
        return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []

    def tap(self, gpio: int) -> None:
        (self.folder / str(gpio)).touch()
        time.sleep(0.1)  # a finger takes its time
        (self.folder / str(gpio)).unlink()
        time.sleep(0.1)


MODELS = {"RASPBERRY_PI_4B": "c03112", "RASPBERRY_PI_5": "c04170"}  # with revisions


@pytest.fixture(params=MODELS)
def pi(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Pi:
    monkeypatch.setenv("STAND_IN_PI", str(tmp_path / "pi"))
    monkeypatch.setenv("STAND_IN_REVISION", MODELS[request.param])
    monkeypatch.setenv("PYTHONPATH", str(STAND_IN))
    monkeypatch.setenv("BLINKA_FORCECHIP", "BCM2XXX")
    monkeypatch.setenv("BLINKA_FORCEBOARD", request.param)
    return Pi(tmp_path / "pi")


def wait_until(done: Callable[[], bool]) -> bool:
    ends = time.monotonic() + PATIENCE_S
    while not done() and time.monotonic() < ends:
        time.sleep(0.02)
    return done()


def test_both_tracks_hang_on_one_pin_and_buttons_peg(pi: Pi, tmp_path: Path) -> None:
    with VirtualBoard(tmp_path / "board", pins=True) as board:
        assert wait_until(lambda: bool(pi.sent())), board.console()
        assert {(gpio, len(pixels)) for gpio, pixels in pi.sent()} == {(18, 242)}
        hello, standing = look(board.port)
        assert (hello.tracks, hello.promise) == (2, False)
        assert standing.fronts == (0, 0)
        for gpio in (6, 5, 13, 20, 21):  # +5, +1 and OK of place 1, +5 and OK of place 2
            pi.tap(gpio)
        assert wait_until(lambda: look(board.port)[1].fronts == (6, 5))
        assert wait_until(lambda: bool(pi.sent()[-1][1][5]) and bool(pi.sent()[-1][1][121 + 4]))
        strips = board.strips()
        data = b"".join(strips[name].data for name in ("GP18", "GP18B"))
        assert wait_until(
            lambda: any(b"".join(pixel.to_bytes(3, "big") for pixel in pixels) == data for _, pixels in pi.sent())
        )


def test_the_game_is_there_again_after_a_restart(pi: Pi, tmp_path: Path) -> None:
    with VirtualBoard(tmp_path / "board", pins=True) as board:
        assert wait_until(lambda: bool(pi.sent())), board.console()
        for gpio in (5, 13):
            pi.tap(gpio)
        assert wait_until(lambda: look(board.port)[1].fronts == (1, 0))
    with VirtualBoard(tmp_path / "board", pins=True) as board:
        assert wait_until(lambda: bool(board.last_strips())), board.console()
        assert look(board.port)[1].fronts == (1, 0)


def test_a_computer_without_such_pins_says_so(tmp_path: Path) -> None:
    board = VirtualBoard(tmp_path / "board", pins=True)
    with pytest.raises(SimError, match="finds no pins") as caught:
        board.start()
    assert "hardware/raspberry-pi.md" in caught.value.hint


def test_another_board_of_blinkas_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BLINKA_OS_AGNOSTIC", "1")
    with pytest.raises(SimError, match="not those of a Raspberry Pi"):
        VirtualBoard(tmp_path / "board", pins=True).start()


def test_every_write_waits_for_the_card_and_no_promise_is_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    synced: list[int] = []
    monkeypatch.setattr("os.fsync", synced.append)
    file = FlashFile(tmp_path / "nvm.bin")
    try:
        flash = file.flash(on_card=True)
        flash[0:3] = b"abc"
        assert (len(flash), synced) == (2 * SECTOR, [file.descriptor])
        assert (tmp_path / "nvm.bin").read_bytes()[:3] == b"abc"
    finally:
        file.close()


@pytest.mark.parametrize(
    ("module", "said"), [(None, "finds no pins"), (ModuleType("board"), "not those of a Raspberry Pi")]
)
def test_pins_are_required(monkeypatch: pytest.MonkeyPatch, module: ModuleType | None, said: str) -> None:
    def imported(name: str) -> ModuleType:
        if module is None:
            raise NotImplementedError("Board not supported")
        return module

    monkeypatch.setattr(gpio, "importlib", SimpleNamespace(import_module=imported))
    with pytest.raises(SimError, match=said):
        gpio.require()
