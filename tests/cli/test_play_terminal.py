"""`cribboard play` on a real terminal, which may be lost at any time."""

from __future__ import annotations

import io
import os
import signal
import sys
from pathlib import Path

import pytest
from cli.terminal import PATIENCE_S, Terminal, plugged
from interrupt import interrupt

from cribboard.cli.prompt import Lines
from cribboard.connect import hold_board
from cribboard.playing.typed import HELP
from cribboard.sim.board import VirtualBoard


@pytest.mark.skipif(sys.platform == "win32", reason="the virtual board needs pseudo-terminals")
def test_a_terminal_that_is_lost_or_a_program_that_is_killed_loses_nothing(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path, "Ann", "Bob", "--plain")
    terminal.until("or who deals:\r\n> ")
    terminal.type("ann", "turn up the starter:\r\n> ")
    terminal.type("js", "Bob to play. Count 0.\r\n> ")
    terminal.type("5c", "Ann to play. Count 5.\r\n> ")
    assert "Ann plays the ten of hearts: fifteen for two. Ann 4." in terminal.type("th", "Bob to play. Count 15.\r\n> ")
    os.kill(terminal.running.pid, signal.SIGKILL)
    assert terminal.end() == -signal.SIGKILL

    terminal = Terminal(tmp_path, "--plain")
    assert "Ann 4, Bob 0; the game is to 121." in terminal.until("Bob to play. Count 15.\r\n> ")
    terminal.type("5d", "Ann to play. Count 20.\r\n> ")
    os.close(terminal.ours)  # the terminal is gone
    terminal.ours = os.open(os.devnull, os.O_RDONLY)
    assert terminal.running.wait(PATIENCE_S) in (0, 1, 130, -signal.SIGHUP)
    terminal.end()

    terminal = Terminal(tmp_path, "--plain")
    terminal.until("Ann to play. Count 20.\r\n> ")
    terminal.text = ""
    interrupt(terminal.running)
    assert "The game is kept" in terminal.until("resumes it.")
    assert terminal.end() == 130

    terminal = Terminal(tmp_path)
    terminal.until("Ann to play. Count 20.")
    assert "\x1b[38;2;230;159;0mAnn plays the five of spades: twenty-five, a pair for two. Ann 6." in terminal.type(
        "5s", "Bob to play. Count 25."
    )
    terminal.type("quit", "resumes it.")
    assert terminal.end() == 0


@pytest.mark.skipif(sys.platform == "win32", reason="the virtual board needs pseudo-terminals")
@pytest.mark.parametrize("columns", [40, 80, 100])
def test_words_are_whole_at_any_width(tmp_path: Path, columns: int) -> None:
    terminal = Terminal(tmp_path, "Ann", "Bob", "--plain", columns=columns)
    try:
        terminal.until("> ")
        output = terminal.type("help", "\r\n> ") + terminal.type("nobody", "\r\n> ")
    finally:
        terminal.end()
    lines = output.replace("\r", "").splitlines()
    words = " ".join(lines).split()
    assert max(map(len, lines)) < columns
    assert set(HELP.split()) <= set(words)
    assert "There is no side 'nobody'; the sides are 1 orange (Ann), 2 blue (Bob)." in " ".join(words)


class Console(io.RawIOBase):
    """A Windows console: its own reading gives UTF-8, and its descriptor would not."""

    def __init__(self) -> None:
        self._left = ["Jos\u00e9\r\n", "5\u2665\r\n", "quit"]

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        data = self._left.pop(0).encode() if self._left else b""
        buffer[: len(data)] = data
        return len(data)

    def fileno(self) -> int:
        raise AssertionError("nobody may ask for it")


def test_lines_of_a_windows_console_are_read_as_they_were_typed() -> None:
    lines = Lines(io.TextIOWrapper(io.BufferedReader(Console())))
    assert [lines.get(PATIENCE_S) for _ in range(4)] == ["Jos\u00e9", "5\u2665", "quit", None]


@pytest.mark.skipif(sys.platform == "win32", reason="it needs pseudo-terminals")
@pytest.mark.parametrize("key", ["\x03", "\x04"])
def test_what_a_lesson_came_to_begins_a_line_after_ctrl_c_and_ctrl_d(tmp_path: Path, key: str) -> None:
    terminal = Terminal(tmp_path, "fifteens", "--codes", "--seed", "5", command="learn")
    terminal.until("starter KH.\r\n> ")
    terminal.type("6", "\r\n> ")
    if key == "\x03":
        terminal.text = ""
        interrupt(terminal.running)
        terminal.until("right, ")
    else:
        terminal.press(key, "right, ")
    assert "\r\n1 of 1 right, " in terminal.text
    terminal.end()


@pytest.mark.skipif(sys.platform == "win32", reason="the virtual board needs pseudo-terminals")
def test_a_board_that_is_unplugged_and_plugged_in_again_has_all_that_was_typed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CRIBBOARD_HOME", str(tmp_path))
    board = VirtualBoard()
    with plugged(board):
        terminal = Terminal(tmp_path, "Ann", "Bob", "--plain", "--codes", "--port", board.port)
        terminal.until("or who deals:\r\n> ")
        terminal.type("ann", "turn up the starter:\r\n> ")
        terminal.type("9d", "Bob to play. Count 0.\r\n> ")
        terminal.type("5c", "Ann to play. Count 5.\r\n> ")
        terminal.text = ""
    try:
        assert "waiting for it to" in terminal.until("Ann to play. Count 5.\r\n> ")
        shown = terminal.type("td", "The board is away: plug it in, or type quit.\r\n> ")
        assert "Not on the board yet: Ann pegs 2." in " ".join(shown.split())
        assert "On the table: 5C, TD; fifteen." in terminal.type("V", "quit.\r\n> ")
        with plugged(board):
            shown = terminal.until("Bob to play. Count 15.\r\n> ")
            assert "The board has caught up.\r\nAnn 2, Bob 0; the game is to 121." in shown
            assert "`" not in shown  # no words of the wire
            terminal.type("quit", "resumes it.")
            assert terminal.running.wait(PATIENCE_S) == 0
            with hold_board(board.port) as there:
                assert there.standing.fronts == (2, 0)
    finally:
        terminal.running.kill()
        terminal.end()
