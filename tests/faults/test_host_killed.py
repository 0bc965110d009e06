"""A host's program that is killed at any point of a command: the next one finds it neither lost nor doubled."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from faults.cable import HostDied, HostPort
from faults.ends import SCRATCH, UID, seated
from faults.pipes import Rates

from cribboard import slots
from cribboard.connect import open_board
from cribboard.sim.board import VirtualBoard
from cribboard.slots import newest

POINTS = [
    (HostPort, "write"),
    (HostPort, "read"),
    (slots, "_write"),
    (os, "fdatasync"),
    (os, "fsync"),
    (Path, "replace"),
]


@contextmanager
def killed_at(number: int, late: bool) -> Iterator[list[str]]:
    """The host dies at so many of its dealings with port and disk, before or just after; gives what it dealt."""
    dealt: list[str] = []
    with pytest.MonkeyPatch.context() as patch:
        for where, name in POINTS:

            def deal(*args: object, real: object = getattr(where, name), name: str = name) -> object:
                dealt.append(name)
                step = len(dealt)
                if step == number and not late:
                    raise HostDied
                if name == "_write":
                    file, at, data = args
                    real(file, at, data[: len(data) // 2])  # type: ignore[operator, index, arg-type]
                    dealt.append("half of it")
                    if len(dealt) == number:
                        raise HostDied
                result = real(*args)  # type: ignore[operator]
                if step == number:
                    raise HostDied
                return result

            patch.setattr(where, name, deal)
        yield dealt


@pytest.mark.parametrize("late", [False, True])
def test_a_program_killed_at_any_of_its_steps_leaves_a_command_that_counts_once_or_was_never_given(late: bool) -> None:
    seen = {0: 0, 1: 0}
    for number in range(1, 100):
        with tempfile.TemporaryDirectory(dir=SCRATCH) as folder:
            _, firmware, host = seated(Rates(), 1, Path(folder))
            path = Path(folder) / UID / "ledger.json"
            with killed_at(number, late) as dealt:
                try:
                    host.board.peg(0, 5)
                except HostDied:
                    died = True
                else:
                    died = False
            if not died:
                host.board.close()
                break
            noted = json.loads(newest(path.read_bytes()))["pending"] is not None
            host._killed()
            host._bury()
            host.open()
            assert firmware.match.rev == int(noted), dealt
            assert host.board.standing.fronts == (5 * noted, 0)
            seen[int(noted)] += 1
            host.board.peg(1, 3)
            assert [event[1][1:3] for event in firmware.applied] == [(0, 5), (1, 3)][not noted :]
            assert host.board.check()
            host.board.close()
    assert seen[0] >= 1
    assert seen[1] >= 3


PROGRAM = """
import os, signal, sys
from cribboard.board.transport import SerialTransport
from cribboard.connect import open_board

when, port = sys.argv[1:]
write, read = SerialTransport.write, SerialTransport.read
pegged = False

def die():
    os.kill(os.getpid(), signal.SIGKILL)

def written(self, data):
    global pegged
    pegged = b'"peg"' in data
    if pegged and when == "before it is sent":
        die()
    write(self, data)
    if pegged and when == "when it is sent":
        die()

def heard(self):
    data = read(self)
    if pegged and when == "when it is answered" and b'"ok"' in data:
        die()
    return data

SerialTransport.write, SerialTransport.read = written, heard
with open_board(port) as board:
    board.peg(0, 5)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="the virtual board needs pseudo-terminals")
@pytest.mark.parametrize("when", ["before it is sent", "when it is sent", "when it is answered"])
def test_a_command_of_a_program_killed_with_signal_9_counts_once(when: str) -> None:
    with VirtualBoard(name="killed") as virtual:
        died = subprocess.run([sys.executable, "-c", PROGRAM, when, virtual.port], timeout=60)
        assert died.returncode == -signal.SIGKILL
        notes: list[str] = []
        with open_board(virtual.port, say=notes.append) as board:
            assert board.standing.fronts == (5, 0)
            board.peg(1, 3)
            assert [row.as_folded[:3] for row in board.events()] == [(2, 0, 5), (2, 1, 3)]
            assert board.check()
    last = (
        "reached the board only now, and counts" if when == "before it is sent" else "had reached the board, and counts"
    )
    assert notes == [f"the last command, `peg 1 5`, {last}"]


INTERRUPTED = """
import os, signal, sys
from cribboard.board.transport import SerialTransport
from cribboard.cli.main import main

board = int(sys.argv.pop(1))
write, read = SerialTransport.write, SerialTransport.read

def written(self, data):
    if b'"peg"' in data:
        os.kill(board, signal.SIGSTOP)
        signal.raise_signal(signal.SIGINT)
    write(self, data)

SerialTransport.write = written
main()
"""


@pytest.mark.skipif(sys.platform == "win32", reason="the virtual board needs pseudo-terminals")
def test_ctrl_c_at_a_silent_board_says_that_the_command_is_noted_and_it_counts_once() -> None:
    with VirtualBoard(name="silent") as virtual:
        words = [sys.executable, "-c", INTERRUPTED, str(virtual.pid), "--port", virtual.port, "peg", "1", "5"]
        done = subprocess.run(words, capture_output=True, text=True, timeout=60)
        os.kill(virtual.pid, signal.SIGCONT)
        assert (done.returncode, done.stdout) == (130, "")
        assert done.stderr == "`peg 1 5` is noted; the next command finds out whether it counted\n"
        with open_board(virtual.port) as board:
            assert board.standing.fronts == (5, 0)
            assert board.check()
