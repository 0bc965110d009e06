"""How soon a listening host notices that a board is unplugged or hangs, and how soon it follows again.

    python -m faults.away --times 5

(in the folder tests). The host listens on a real serial port to the virtual board. The board's process is killed and
started again, and somebody else's terminal takes its port's name meanwhile; then it is stopped, and goes on.
"""

from __future__ import annotations

import argparse
import os
import re
import select
import signal
import tempfile
import time
import tty
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field
from statistics import median

import pytest

from cribboard.connect import open_board
from cribboard.sim.board import VirtualBoard
from cribboard.sim.registry import Registration, Running

PATIENCE_S = 60.0
QUIET_S = 1.5
TAKEN = 32  # terminals that are opened at most until the old name is taken


@dataclass
class Figures:
    """Seconds, one for each time, and the bytes that came to somebody else."""

    unplug_noticed: list[float] = field(default_factory=list)
    back: list[float] = field(default_factory=list)  # after the port was listed again
    hang_noticed: list[float] = field(default_factory=list)
    goes_on: list[float] = field(default_factory=list)
    taken: int = 0  # how often the port's old name went to a terminal that is watched
    strayed: bytes = b""

    def __str__(self) -> str:
        named = {
            "unplugged, noticed": self.unplug_noticed,
            "plugged in under another name, followed again": self.back,
            "hung, noticed": self.hang_noticed,
            "went on, followed again": self.goes_on,
        }
        lines = [f"{name}: {median(times):.2f} s, at most {max(times):.2f} s" for name, times in named.items()]
        return "\n".join([*lines, f"bytes to {self.taken} terminals that took the old name: {len(self.strayed)}"])


def measure(times: int = 1) -> Figures:
    """Do it so many times, and raise AssertionError when something is not noticed at all."""
    figures = Figures()
    with tempfile.TemporaryDirectory() as home, pytest.MonkeyPatch.context() as patch, ExitStack() as stack:
        patch.setenv("CRIBBOARD_HOME", home)
        virtual = stack.enter_context(VirtualBoard(name="away"))
        entry = _registered(virtual)
        notices: list[tuple[float, str]] = []
        board = stack.enter_context(open_board("sim", say=lambda text: notices.append((time.monotonic(), text))))

        def noticed(text: str) -> float:
            _until(lambda: bool(notices) and re.search(text, notices[-1][1]) is not None, lambda: board.poll(0.1))
            return notices[-1][0]

        for _ in range(times):
            board.poll(QUIET_S)
            old = virtual.port
            pulled = time.monotonic()
            virtual.kill()
            entry.close()
            figures.unplug_noticed.append(noticed("is gone") - pulled)
            with ExitStack() as taken:
                other = _take(old, taken)
                board.poll(QUIET_S)
                virtual.start()
                while virtual.port == old:  # another program was quicker, and has given the name back
                    virtual.kill()
                    other = _take(old, taken)
                    virtual.start()
                entry = _registered(virtual)
                listed = time.monotonic()
                figures.back.append(noticed(f"is back on {virtual.port}") - listed)
                if other >= 0:
                    figures.taken += 1
                    figures.strayed += _heard(other)
            board.poll(QUIET_S)
            os.kill(virtual.pid, signal.SIGSTOP)
            stopped = time.monotonic()
            figures.hang_noticed.append(noticed("does not answer") - stopped)
            os.kill(virtual.pid, signal.SIGCONT)
            goes_on = time.monotonic()
            figures.goes_on.append(noticed("is back on") - goes_on)
            assert board.check()
        entry.close()
    return figures


def _registered(virtual: VirtualBoard) -> Registration:
    return Registration(Running(virtual.port, virtual.uid, os.getpid(), virtual.name))


def _take(name: str, stack: ExitStack) -> int:
    """The far end of a terminal of this name, which has become free; -1 when another program was quicker."""
    for _ in range(TAKEN):
        master, slave = os.openpty()
        stack.callback(os.close, master)
        stack.callback(os.close, slave)
        if os.ttyname(slave) == name:
            tty.setraw(slave)
            return master
    return -1


def _heard(master: int) -> bytes:
    return os.read(master, 4096) if select.select([master], [], [], 0)[0] else b""


def _until(condition: Callable[[], bool], deal: Callable[[], object]) -> None:
    ends = time.monotonic() + PATIENCE_S
    while not condition():
        assert time.monotonic() < ends, "it was never noticed"
        deal()


def main() -> int:
    parser = argparse.ArgumentParser(description="How soon a board that went away is noticed and followed again.")
    parser.add_argument("--times", type=int, default=5)
    print(measure(parser.parse_args().times))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
