"""`cribboard` alone, as somebody at a terminal and as a program type it."""

from __future__ import annotations

import os
import pty
import subprocess
import sys

import pytest

from cribboard.sim.board import VirtualBoard
from cribboard.sim.registry import Registration, Running

PATIENCE_S = 60
COMMAND = [sys.executable, "-m", "cribboard"]


@pytest.fixture
def run(tmp_path, monkeypatch):
    """Runs the command with a home of its own and gives what it prints: alone at a terminal, else in a pipe."""
    monkeypatch.setenv("CRIBBOARD_HOME", str(tmp_path))
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.delenv("CRIBBOARD_PORT", raising=False)

    def at_terminal(*words: str, typed: str = "") -> str:
        if words:
            return subprocess.run(
                [*COMMAND, *words], input=typed, capture_output=True, text=True, timeout=PATIENCE_S, check=True
            ).stdout
        ours, theirs = pty.openpty()
        try:
            done = subprocess.run(COMMAND, stdin=theirs, stdout=theirs, stderr=theirs, timeout=PATIENCE_S, check=True)
            assert done.returncode == 0
            return os.read(ours, 65536).decode().replace("\r\n", "\n")
        finally:
            os.close(theirs)
            os.close(ours)

    return at_terminal


def test_a_first_visitor_reads_three_things_to_do_each_of_which_works(run):
    said = run()
    assert "Board: none is plugged in; a virtual one takes its place.\n" in said
    assert "Score:" not in said and "Game:" not in said
    ways = [line.strip().partition("  ")[0].split()[1:] for line in said.splitlines() if line.startswith("  ")]
    assert [way[0] for way in ways] == ["play", "demo", "count"]
    assert "The game is kept" in run(*ways[0])
    assert "The board's state equals the host's own." in run(*ways[1], "--speed", "0", "--plain")
    assert "29" in run(*ways[2])


def test_who_comes_back_reads_the_score_and_how_to_go_on(run):
    run("new", "Ann", "Bob")
    run("peg", "Ann", "7")
    assert "Score: Ann 7, Bob 0, to 121.\n" in run()
    run("play", "Ann", "Bob", "--new", typed="Ann\n")
    said = run()
    assert "Game:  between Ann and Bob, not over yet.\n" in said
    assert "  cribboard play  " in said.replace(" " * 10, "  ")


def test_a_board_that_is_there_is_named(run, tmp_path):
    with VirtualBoard(name="test") as board, Registration(Running(board.port, board.uid, os.getpid(), board.name)):
        assert "Board: virtual board 'test', running.\n" in run()


def test_a_program_that_types_it_gets_the_help(run):
    done = subprocess.run(COMMAND, capture_output=True, text=True, timeout=PATIENCE_S, check=True)
    assert done.stdout.startswith("Usage: cribboard [OPTIONS] COMMAND [ARGS]...")
