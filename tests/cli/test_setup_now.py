"""`cribboard setup --now` changes a running board, at once and for good; what it can't change it refuses in words."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest
from rigs.typed import Typed
from rigs.wired import Firmware

from cribboard.board.messages import BRIGHTNESSES, MOST_COMMIT_S, SILENT, SOUNDS
from cribboard.sim.board import VirtualBoard
from cribboard_fw import nvm

FIRMWARE = Path(__file__).parents[2] / "firmware"


@pytest.fixture
def typed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Typed:
    return Typed(tmp_path, monkeypatch)


def counts(firmware: Firmware) -> tuple[int, int, int]:
    choice = firmware.choice
    return choice.brightness, choice.sound, choice.commit_s


def test_the_host_knows_what_a_board_takes() -> None:
    assert (BRIGHTNESSES, MOST_COMMIT_S, SILENT) == (nvm.STEPS, nvm.MOST_COMMIT_S, nvm.SILENT)
    assert [SOUNDS.index(name) for name in ("off", "quiet", "on")] == [nvm.OFF, nvm.QUIET, nvm.ON]


def test_what_is_named_changes_and_outlasts_the_power(typed: Typed) -> None:
    said = typed.says("setup", "--now", "--brightness", "10", "--sound", "quiet", "--commit", "5")
    assert said == "brightness 10 %, sound quiet; points from buttons are pegged after 5 seconds without OK\n"
    assert typed.says("setup", "--now", "--commit", "0").endswith("wait for OK\n")
    typed.firmware.boot()
    assert counts(typed.firmware) == (10, nvm.QUIET, 0)


def test_json_has_what_counts_and_a_script_that_names_nothing_only_asks(typed: Typed) -> None:
    before = bytes(typed.firmware.nvm)
    assert typed.entry("setup", "--now") == {"brightness": 30, "sound": "on", "commit_s": 0, "kept": True}
    assert typed.says("setup", "--now").startswith("brightness 30 %, sound on;")
    assert typed.firmware.nvm == before
    assert typed.entry("setup", "--now", "--sound", "off")["sound"] == "off"


def test_a_change_that_the_board_cannot_keep_yet_is_said(typed: Typed) -> None:
    for number in range(15):
        assert "forgets" not in typed.says("setup", "--now", "--brightness", ("10", "60")[number % 2])
    said = typed.says("setup", "--now", "--brightness", "60")
    assert said.endswith("\nif the power goes before the first score of the next game, the board forgets this change\n")
    typed.firmware.boot()
    assert counts(typed.firmware)[0] == 10


def test_the_board_is_named_as_everywhere(typed: Typed) -> None:
    typed("setup", "--now", "--port", "sim", "--board", "4f2a")
    typed("--port", "/dev/x", "setup", "--now")
    assert typed.asked == [("sim", "4f2a"), ("/dev/x", None)]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--now", "--brightness", "20"], "10, 30, 60 or 100 per cent, not 20"),
        (["--now", "--commit", "11"], "0 to 10 s, not 11"),
        (["--now", "--players", "3"], "--now takes --brightness, --sound and --commit alone"),
        (["--now", "/drive"], "--now takes --brightness, --sound and --commit alone"),
        (["--now", "--source"], "--now takes --brightness, --sound and --commit alone"),
        (["--now", "--dry-run"], "--now takes --brightness, --sound and --commit alone"),
        (["--sound", "off"], "--sound is for a running board"),
        (["--brightness", "10", "--port", "sim"], "without --now a board is set up through its drive"),
    ],
)
def test_what_can_not_be_is_refused_and_changes_nothing(words: list[str], said: str, typed: Typed) -> None:
    before = bytes(typed.firmware.nvm)
    assert said in typed.error("setup", *words, exit_code=2).replace("\n", " ")
    assert typed.firmware.nvm == before


def test_an_older_firmware_is_named_with_what_to_do(typed: Typed) -> None:
    typed.firmware.link._take = None
    said = typed.error("setup", "--now", "--brightness", "10", exit_code=3)
    assert "this board's firmware doesn't know changes while it runs" in said
    assert "`cribboard update`" in said


def test_a_board_without_a_piezo_says_so_and_changes_nothing(typed: Typed) -> None:
    choose = typed.firmware.choose
    typed.firmware.link._take = lambda *wanted: [choose(wanted[0], -1, wanted[2])[0], 0, 0]
    words = ["--brightness", "10", "--sound", "on", "--commit", "3"]
    assert "this board has no piezo" in typed.error("setup", "--now", *words, exit_code=1)
    assert (typed.firmware.choice.brightness, typed.firmware.choice.commit_s) == (30, 0), "all of it or nothing"


def test_in_a_terminal_it_asks_and_enter_leaves_what_there_is(tmp_path: Path) -> None:
    settings = (FIRMWARE / "settings.toml").read_text("utf-8").replace("BRIGHTNESS = 30", "BRIGHTNESS = 45")
    assert "BRIGHTNESS = 45" in settings
    with VirtualBoard(tmp_path / "board", settings=settings) as board:
        ours, theirs = pty.openpty()
        words = [sys.executable, "-m", "cribboard", "setup", "--now", "--port", board.port]
        with subprocess.Popen(words, stdin=theirs, stdout=subprocess.PIPE, text=True) as running:
            os.write(ours, b"\n\n4\n")
            said, _ = running.communicate(timeout=120)
        os.close(ours)
        os.close(theirs)
    assert running.returncode == 0, said
    assert "brightness 45 %, sound off; points from buttons are pegged after 4 seconds without OK" in said
