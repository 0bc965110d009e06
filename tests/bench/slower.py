"""Has processes run a part of the time only, as on a slower processor: python -m bench.slower TIMES PID... (in tests).

Chromium's own brake slows a page's thread, but not its workers, in which the program of the static pages runs. Every
three milliseconds the processes are stopped for as long as a processor that is so many times slower takes more. It ends
with its standard input.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

RUN_S = 0.003


@contextmanager
def slower(times: float, name: str) -> Iterator[None]:
    """The processes below this one whose program has a name with this in it, until the block ends."""
    pids = [pid for pid in below(os.getpid()) if name in program(pid)]
    words = [sys.executable, "-m", "bench.slower", str(times), *map(str, pids)]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as brake:
        assert brake.stdin and brake.stdout
        brake.stdout.readline()
        try:
            yield
        finally:
            brake.stdin.close()


def below(pid: int) -> list[int]:
    """All processes that this one has started, and that these have."""
    children = []
    for task in Path(f"/proc/{pid}/task").iterdir():
        for child in map(int, (task / "children").read_text("ascii").split()):
            children += [child, *below(child)]
    return children


def program(pid: int) -> str:
    """The path of the program that a process runs; empty when it has ended."""
    try:
        return str(Path(f"/proc/{pid}/exe").readlink())
    except OSError:
        return ""


def main(times: float, pids: list[int]) -> None:
    """Stop and go until the standard input ends."""
    with contextlib.suppress(OSError):  # where it may not, the pauses are less even
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))
    print("on", flush=True)
    while not select.select([sys.stdin], [], [], 0)[0]:
        try:
            send(pids, signal.SIGSTOP)
            time.sleep(RUN_S * (times - 1))
        finally:  # also after Ctrl-C
            send(pids, signal.SIGCONT)
        time.sleep(RUN_S)


def send(pids: list[int], what: int) -> None:
    """A signal to those that are still there."""
    for pid in pids:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, what)


if __name__ == "__main__":
    main(float(sys.argv[1]), [int(pid) for pid in sys.argv[2:]])
