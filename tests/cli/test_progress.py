"""What takes longer than a second shows how far it is, on a terminal only."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from cli.terminal import PATIENCE_S, Terminal

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="it needs pseudo-terminals")

SHOW = """
from cribboard.cli.progress import progress
from cribboard.cli.output import say
import sys
with progress("Looking", 0) as report:
    report(3, 4)
    sys.stdin.readline()
say("Done.")
"""
QUICK = SHOW.replace(", 0)", ", 1000)")


def shown(home: Path, script: str, **others: str) -> str:
    """What a script shows on a terminal."""
    terminal = Terminal(home, program=[sys.executable, "-c", script], **others)
    if script is SHOW and not others:
        terminal.until("Looking")
    os.write(terminal.ours, b"\n")
    terminal.until("Done.")
    assert terminal.running.wait(PATIENCE_S) == 0
    terminal.end()
    return terminal.text


def test_a_long_wait_shows_a_bar_that_goes_away_before_the_answer(tmp_path: Path) -> None:
    text = shown(tmp_path, SHOW)
    assert "Looking" in text
    assert "\x1b[2K" in text[text.rindex("Looking") :]  # the line of the bar is erased
    assert text.replace("\x1b[?25h", "").endswith("Done.\r\n")


@pytest.mark.parametrize(
    ("script", "others"), [(QUICK, {}), (SHOW, {"TERM": "dumb"}), (SHOW, {"CRIBBOARD_CODES": "1"})]
)
def test_a_short_wait_and_a_plain_terminal_show_nothing(tmp_path: Path, script: str, others: dict[str, str]) -> None:
    assert shown(tmp_path, script, **others).replace("\r\n", "") == "Done."


def test_who_types_plain_has_no_bars(tmp_path: Path) -> None:
    (tmp_path / "plain").touch()
    assert shown(tmp_path, SHOW, NO_COLOR="1").replace("\r\n", "") == "Done."


def test_a_command_that_makes_files_says_them_below_no_bar(tmp_path: Path) -> None:
    words = ["hardware", "draw", "--into", str(tmp_path / "made")]
    terminal = Terminal(tmp_path, program=[sys.executable, "-m", "cribboard", *words], columns=200)
    shown = terminal.until("mm by ")
    assert f"{tmp_path / 'made' / 'face.dxf'}\r\n" in shown
    assert terminal.running.wait(PATIENCE_S) == 0
    terminal.end()
