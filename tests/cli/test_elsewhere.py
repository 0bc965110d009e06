"""Windows and macOS: every command works there, or says in words what it lacks and what to do."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from install.circuitpy import plug_in

from cribboard.cli.main import cli
from cribboard.sim.board import VirtualBoard

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="a virtual board plays the real one")

TESTS = Path(__file__).parents[1]
COMMAND = [sys.executable, "-m", "cli.elsewhere"]
PATIENCE_S = 60
# What is typed, one paragraph after the other; BOARD is the port of a board, DRIVE its drive, FILE some file, RUNTIME a
# folder with what a page would run, and a | comes before what is typed then.
WORKS = """
new Ann Bob --port BOARD
peg Ann 3 --port BOARD
hand Bob 5C6D7S8H --starter 9C --port BOARD
nibs Ann --port BOARD
go Bob --port BOARD
undo --port BOARD
redo --port BOARD
next-deal --port BOARD
state --port BOARD
watch --events 1 --port BOARD
penalty Ann 2 --port BOARD
muggins Ann 2 --from Bob --port BOARD
false-claim Ann 3 --port BOARD
set-score Ann 9 --port BOARD

play Ann Bob --port BOARD | ann
play --port BOARD | js
play Ann Bob --computer Ann:learner --computer Bob:learner --target 61 --seed 3 --new --port BOARD | quit
review

count 5H5C5SJD --starter 5D
count-play --batch | {"players":2,"dealer":0,"hands":[["5C","6C","7C","8C"],["3C","TC","JC","KC"]],"plays":[]}
discard 5H 6C 7D 8S JH KC --crib theirs
odds 5H 6C 7D 8S
learn --read
choose --batch | {"hand":["5H","6C","7D","8S","JH","KC"],"dealer":true,"scores":[0,0]}
cheatsheet --into FILE.d
sheet FILE
tiles Ann Bob | H8 across 5L 5D JL
tiles --count 5L5DJL
hardware check
completion bash
site FILE.site --runtime RUNTIME

kiosk --new-pin
history list
history export FILE
history import FILE
history backup FILE.db

boards
setup DRIVE --brightness 20
install DRIVE
update DRIVE
doctor DRIVE --port BOARD
uninstall DRIVE
"""
NEEDS_THE_VIRTUAL_BOARD = """
new Ann Bob
peg 1 3 --port sim
play Ann Bob
sim
sim --plain
sim --picture FILE.svg
demo
kiosk --web-port 0 --virtual one
"""
NEEDS_A_NEW_BOARD = "bringup --port BOARD --wait 0"
LACKS = (
    "Error: the virtual board needs the pseudo-terminals of Linux or macOS, and this system has none\n"
    "  plug in a board, or on Windows use WSL\n"
)

Run = Callable[[str], dict[str, Any]]


@contextmanager
def started(home: Path, *words: str) -> Iterator[subprocess.Popen[str]]:
    environment = {**os.environ, "CRIBBOARD_HOME": str(home), "PYTHONUNBUFFERED": "1"}
    pipe = subprocess.PIPE
    with subprocess.Popen(
        [*COMMAND, *words], stdin=pipe, stdout=pipe, stderr=pipe, text=True, cwd=TESTS, env=environment
    ) as running:
        try:
            yield running
        finally:
            running.kill()


@pytest.fixture(scope="module")
def board(tmp_path_factory: pytest.TempPathFactory) -> Iterator[VirtualBoard]:
    """What is at a port is a board, whatever it is made of."""
    with VirtualBoard(tmp_path_factory.mktemp("board")) as board:
        yield board


@pytest.fixture(scope="module")
def run(board: VirtualBoard, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Run]:
    """Types a command elsewhere, one after the other in the same process."""
    folder = tmp_path_factory.mktemp("user")
    (folder / "some").write_text("Ann 121 Bob 90\n", encoding="utf-8")
    (folder / "micropython.mjs").write_text("loadMicroPython", encoding="utf-8")
    (folder / "micropython.wasm").write_bytes(b"\0asm")
    drive = str(plug_in(folder / "CIRCUITPY"))
    named = {"BOARD": board.port, "DRIVE": drive, "FILE": str(folder / "some"), "RUNTIME": str(folder)}
    with started(folder / "home") as running:
        assert running.stdin and running.stdout

        def run(line: str) -> dict[str, Any]:
            typed, _, given = line.partition(" | ")
            for name, value in named.items():
                typed = typed.replace(name, value)
            words = {"words": typed.split(), "input": given and given + "\n"}
            print(json.dumps(words), file=running.stdin, flush=True)
            said: dict[str, Any] = json.loads(running.stdout.readline())
            return said

        yield run


def lines(text: str) -> list[str]:
    return [line for line in text.splitlines() if line]


def press(board: VirtualBoard, ended: threading.Event) -> None:
    while not ended.wait(0.2):
        board.tap("GP6")
        board.tap("GP8")


def test_each_command_is_tried() -> None:
    assert {line.split()[0] for line in lines(WORKS + NEEDS_THE_VIRTUAL_BOARD + NEEDS_A_NEW_BOARD)} == set(cli.commands)


@pytest.mark.parametrize("paragraph", WORKS.strip().split("\n\n"), ids=lambda paragraph: paragraph.split()[0])
def test_what_needs_no_virtual_board_works(run: Run, board: VirtualBoard, paragraph: str) -> None:
    for line in lines(paragraph):
        ended = threading.Event()
        fingers = threading.Thread(target=press, args=(board, ended))
        if line.startswith("watch"):
            fingers.start()
        try:
            done = run(line)
        finally:
            ended.set()
            if fingers.ident:
                fingers.join()
        assert (done["status"], "Error" in done["err"]) == (0, False), f"{line}: {done}"
        assert done["out"], line


@pytest.mark.parametrize("line", lines(NEEDS_THE_VIRTUAL_BOARD))
def test_what_needs_the_virtual_board_says_so(run: Run, line: str) -> None:
    assert run(line) == {"status": 1, "out": "", "err": LACKS}


def test_a_bring_up_looks_for_its_board(run: Run) -> None:
    done = run(NEEDS_A_NEW_BOARD)
    assert (done["status"], done["err"].splitlines()[0]) == (1, "Error: no board is in its bring-up")


@pytest.mark.parametrize("there", [True, False], ids=["board", "no board"])
def test_a_kiosk_serves_the_board_or_waits_for_one(board: VirtualBoard, tmp_path: Path, there: bool) -> None:
    where = ["--port", board.port] if there else []
    with started(tmp_path, "kiosk", "--json", "--web-port", "0", "--host", "127.0.0.1", *where) as running:
        assert running.stdout and running.stderr
        local = json.loads(running.stdout.readline())["local"]
        with urllib.request.urlopen(f"{local}/api/boards", timeout=PATIENCE_S) as answer:
            boards = json.load(answer)["boards"]
        assert len(boards) == there
        running.send_signal(signal.SIGINT)
        assert running.wait(PATIENCE_S) == 0
        said = running.stderr.read()
    waits = "no board is attached yet: plug one in (the virtual board needs the pseudo-terminals of Linux or macOS"
    assert said.startswith(waits) is not there
