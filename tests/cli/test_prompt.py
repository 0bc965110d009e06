"""Typing at a terminal: arrows, history, completion and a bar; and where everything stays line by line instead."""

from __future__ import annotations

import os
import pty
import shutil
import signal
import subprocess
import sys
import termios
from pathlib import Path

import pytest
from cli.terminal import PATIENCE_S, Terminal, plugged

from cribboard.cli.prompt import TERMINATED, Prompt
from cribboard.sim.board import VirtualBoard

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="it needs pseudo-terminals")

GAME = ("Ann", "--computer", "Bob", "--seed", "5", "--bar")
DISCARD = "Ann, discard two: "
BAR = "Ann 0, Bob 0; the game is to 121. Bob deals. It is Ann's turn to discard."
UP, LEFT, TAB = "\x1b[A", "\x1b[D", "\t"
PLUS_1, OK = "GP6", "GP8"


def test_commands_that_ask_nothing_do_not_load_what_asks() -> None:
    heavy = {"asyncio", "concurrent.futures", "prompt_toolkit", "cribboard.cli.hardware", "cribboard.cli.play"}
    look = f"import sys; from cribboard.cli.main import cli; cli.commands['count']; print({heavy!r} & {{*sys.modules}})"
    done = subprocess.run([sys.executable, "-c", look], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"


def modes(terminal: Terminal) -> int:
    """Whether the terminal echoes, and gives whole lines."""
    return termios.tcgetattr(terminal.ours)[3] & (termios.ECHO | termios.ICANON)


def test_the_bar_has_the_score_and_the_turn_and_a_line_can_be_edited_and_called_back(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path, *GAME, columns=100)
    before = modes(terminal)
    terminal.until_then("Ann, discard two: 3D 3S 5C QD KD KH\r\n", BAR)
    terminal.press(f"3d d{LEFT}q\r", "The starter is the jack of spades.")
    terminal.until("The count is 0. It is Ann's turn to play.")
    terminal.type("state", "Ann 0, Bob 2; the game is to 121. Bob deals. The count is 0. It is Ann's turn to play.\r\n")
    terminal.press(f"{UP}{UP}{UP}", "3d qd")  # the prompt itself may be there already, and is not drawn again
    terminal.press("\x15S\r", "Ann 0, Bob 2; the game is to 121.\r\n")
    terminal.until_then("the game is to 121.\r\n", "Ann's turn to play.")
    terminal.press("\x04", "resumes it.")
    assert terminal.running.wait(PATIENCE_S) == 0
    assert modes(terminal) == before
    terminal.end()


def test_what_is_typed_between_two_questions_is_not_shown_before_the_next_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ours, theirs = pty.openpty()
    with os.fdopen(theirs, encoding="utf-8") as typing:
        monkeypatch.setattr(sys, "stdin", typing)
        before = termios.tcgetattr(typing)
        prompt = Prompt()
        assert not termios.tcgetattr(typing)[3] & termios.ECHO
        prompt.close()
        assert termios.tcgetattr(typing) == before and before[3] & termios.ECHO
    os.close(ours)


def test_cards_that_can_be_played_and_names_are_completed(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path, *GAME)
    terminal.until(BAR)
    shown = terminal.press(TAB, "KH")
    assert all(card in shown for card in ("3D", "3S", "5C", "QD", "KD")) and "TD" not in shown
    terminal.press(f"3D q{TAB}\r", "The starter is the jack of spades.")
    terminal.press(f"penalty an{TAB}1\r", "Ann")
    terminal.until("Bob 3")
    terminal.press("5\r", "Ann plays the five of clubs: five.")
    assert terminal.end() != 0


def test_no_hand_of_two_at_one_terminal_is_completed(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path, "Ann", "Bob", "--deal", "--seed", "5")
    terminal.until("(L shows your cards):")
    terminal.press(f"{TAB}{TAB}zz\r", "'zz' is not a card")
    assert not any(card in terminal.seen for card in ("3D", "KH", "TD", "5C"))
    terminal.end()


def test_a_press_on_the_board_stands_above_what_is_being_typed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CRIBBOARD_HOME", str(tmp_path))
    board = VirtualBoard()
    with plugged(board):
        terminal = Terminal(tmp_path, *GAME, "--port", board.port, columns=100)
        terminal.until(BAR)
        terminal.press("3d", "3d")
        terminal.text = ""
        for pin in (PLUS_1, OK):
            board.tap(pin)
        shown = terminal.until("On the board: Ann pegs 1, now at 1.")
        terminal.until("Ann 1, Bob 0; the game is to 121. Bob deals.")
        shown = terminal.seen.replace("\r", "")
        assert shown.rindex("> 3d") > shown.index("On the board")
        terminal.press(" qd\r", "Ann discards two cards.")
        terminal.end()


@pytest.mark.parametrize("key", ["\x03", "\x04"])
def test_ctrl_c_and_ctrl_d_keep_the_game(tmp_path: Path, key: str) -> None:
    terminal = Terminal(tmp_path, *GAME)
    before = modes(terminal)
    terminal.until(BAR)
    terminal.press(key, "The game is kept")
    assert terminal.running.wait(PATIENCE_S) == (130 if key == "\x03" else 0)
    assert modes(terminal) == before
    terminal.end()


def test_a_program_that_is_asked_to_end_puts_the_terminal_back(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path, *GAME)
    before = modes(terminal)
    terminal.until(BAR)
    terminal.press("3D QD\r", "The count is 0.")
    os.kill(terminal.running.pid, signal.SIGTERM)
    assert terminal.running.wait(PATIENCE_S) == TERMINATED
    assert modes(terminal) == before
    terminal.end()
    terminal = Terminal(tmp_path)
    terminal.until("Ann 0, Bob 2; the game is to 121.")
    terminal.end()


def test_a_terminal_that_is_gone_ends_the_program(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path, *GAME)
    terminal.until(BAR)
    os.close(terminal.ours)
    terminal.ours = os.open(os.devnull, os.O_RDONLY)
    assert terminal.running.wait(PATIENCE_S) in (0, 1, 130, -signal.SIGHUP)
    terminal.end()


@pytest.mark.skipif(shutil.which("bash") is None, reason="only a shell stops and continues programs")
def test_ctrl_z_stops_it_and_fg_brings_it_back(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path, program=["bash", "--norc", "-i"])
    terminal.type(f"{sys.executable} -m cribboard play {' '.join(GAME)}", BAR)
    terminal.press("3d q", "3d q")
    terminal.press("\x1a", "Stopped")
    terminal.type("echo still $((40 + 2))", "still 42")
    terminal.type("fg", "> 3d q")
    terminal.press("d\r", "Ann discards two cards.")
    terminal.end()


def test_with_keys_the_letters_answer_without_enter_and_cards_are_typed_as_ever(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path, "Ann", "Bob", "--plain", "--keys")
    before = modes(terminal)
    terminal.until("or who deals:\r\n>")
    terminal.press("Bob\r", "turn up the starter:\r\n>")  # at the cut a capital begins a name
    terminal.press("S", "Ann 0, Bob 0; the game is to 121.\r\n")
    terminal.until("turn up the starter:\r\n>")
    terminal.press("jx\x7fs\r", "Ann to play. Count 0.\r\n>")
    assert "The starter is the jack of spades." in terminal.seen
    terminal.press("T", "It is Ann's turn to play.\r\n")
    terminal.until("Ann to play. Count 0.\r\n>")
    terminal.press("\x1b[Cth\r", "Bob to play. Count 10.\r\n>")
    assert "Ann plays the ten of hearts: ten." in terminal.seen
    terminal.press("\x04", "resumes it.")
    assert terminal.running.wait(PATIENCE_S) == 0
    assert modes(terminal) == before
    terminal.end()


@pytest.mark.parametrize(
    ("words", "others"),
    [
        (("--plain",), {}),
        (("--codes",), {}),
        ((), {"CRIBBOARD_CODES": "1"}),
        ((), {"TERM": "dumb"}),
        (("--json",), {}),
    ],
)
def test_elsewhere_it_stays_line_by_line(tmp_path: Path, words: tuple[str, ...], others: dict[str, str]) -> None:
    terminal = Terminal(tmp_path, "Ann", "--computer", "Bob", "--seed", "5", *words, **others)
    shown = terminal.until('"held"' if "--json" in words else "\r\n> ")
    shown += terminal.type("state", "Ann's turn to discard.")
    assert "\x1b" not in shown
    terminal.end()


def test_plain_is_remembered_until_it_is_taken_back(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path, *GAME[:-1])
    terminal.until(BAR)
    terminal.type("plain", "From now on everything is line by line.")
    terminal.type("S", "Ann 0, Bob 0; the game is to 121.\r\n")
    terminal.type("quit", "resumes it.")
    terminal.end()
    terminal = Terminal(tmp_path)
    assert "\x1b" not in terminal.until("king of hearts\r\n> ").replace("king of\r\nhearts", "king of hearts")
    terminal.type("plain off", "From the next start on there is a bar")
    terminal.end()
    terminal = Terminal(tmp_path)
    terminal.until(BAR)
    terminal.end()


def test_the_board_is_drawn_above(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path, *GAME, "--draw", columns=100, NO_COLOR="1")
    shown = terminal.until(BAR)
    assert "\x1b[38" not in shown
    rows = [line for line in terminal.seen.replace("\r", "").split("\n") if line.startswith("  61 ")]
    assert len(rows) == 2
    terminal.press("3d qd\r", "Bob 2")
    terminal.until("   1 . B")  # the front peg of two points for a jack
    terminal.end()


def test_a_lesson_and_the_tile_game_have_a_bar_too(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path, "fifteens", "--seed", "5", command="learn")
    terminal.until("No answers yet.")
    terminal.press("6\r", "of 1 right")
    terminal.type("state", "of 1 right")
    terminal.until_then("in a row.\r\nCount", "1 of 1 right")
    terminal.press("\x04", "Next: ")
    terminal.end()
    terminal = Terminal(tmp_path, "Ann", "Bob", command="tiles")
    terminal.until("Ann 0, Bob 0. Ann's turn.")
    terminal.press(f"G7 ac{TAB}5L 5D\r", "Bob> ")
    terminal.until("Bob's turn.")
    terminal.type("state", "Ann 12, Bob 0. Bob's turn.\r\nBob>")
    terminal.press("\x04", "")
    assert terminal.running.wait(PATIENCE_S) == 0
    terminal.end()


def test_a_board_that_is_unplugged_while_one_types_is_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CRIBBOARD_HOME", str(tmp_path))
    board = VirtualBoard()
    with plugged(board):
        terminal = Terminal(tmp_path, *GAME, "--port", board.port, columns=100)
        terminal.until(BAR)
        terminal.press("3d q", "3d q")
        terminal.text = ""
    terminal.until("waiting for it to")
    with plugged(board):
        terminal.until_then("waiting for it to", "> 3d q")
        terminal.press("d\r", "Ann discards two cards.")
        terminal.until_then("Ann discards two cards.", "It is Ann's turn to play.")
        terminal.press("\x03", "The game is kept")
        assert terminal.running.wait(PATIENCE_S) == 130
        terminal.end()
