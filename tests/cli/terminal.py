"""A command on a terminal of its own, which may be lost at any time."""

from __future__ import annotations

import codecs
import os
import pty
import re
import select
import subprocess
import sys
import termios
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from cribboard.sim.board import VirtualBoard
from cribboard.sim.registry import Registration, Running

PATIENCE_S = 30
BOARDS = 100  # terminals that virtual boards and others have at once, at most
WHERE, HERE = b"\x1b[6n", b"\x1b[5;1R"  # a terminal is asked in which row the cursor is


def unused() -> tuple[int, int]:
    """Both ends of a terminal whose name no virtual board had, for whose end another test may still be looking."""
    pairs = [pty.openpty()]
    while sys.platform == "linux" and int(os.ttyname(pairs[-1][1]).rpartition("/")[2]) < BOARDS:
        pairs.append(pty.openpty())
    for pair in pairs[:-1]:
        for end in pair:
            os.close(end)
    return pairs[-1]


class Terminal:
    """The command on a terminal of its own, with the virtual board."""

    def __init__(
        self,
        home: Path,
        *words: str,
        columns: int = 80,
        command: str = "play",
        program: Sequence[str] = (),
        **others: str,
    ) -> None:
        self.ours, theirs = unused()
        termios.tcsetwinsize(theirs, (24, columns))
        own = {"CRIBBOARD_HOME": str(home), "TERM": "xterm", "PYTHONUNBUFFERED": "1"}
        environment = {**os.environ, **own, **others}
        started = program or [sys.executable, "-m", "cribboard", command, *words]
        self.running = subprocess.Popen(
            started, stdin=theirs, stdout=theirs, stderr=theirs, env=environment, start_new_session=True
        )
        os.close(theirs)
        self.text = ""
        self._decoder = codecs.getincrementaldecoder("utf-8")()

    def until(self, words: str) -> str:
        """All that has been shown when these words are."""
        end = time.monotonic() + PATIENCE_S
        while words not in self.text and words not in self.seen:
            assert select.select([self.ours], [], [], max(0, end - time.monotonic()))[0], self.text
            try:
                news = os.read(self.ours, 65536)
            except OSError:
                break
            self.text += self._decoder.decode(news)
            for _ in range(news.count(WHERE)):
                os.write(self.ours, HERE)
        assert words in self.text or words in self.seen, self.text
        return self.text

    @property
    def seen(self) -> str:
        """What has been shown, without the sequences that move and colour it."""
        blanks = re.sub(r"\x1b\[(\d*)C", lambda match: " " * int(match[1] or 1), self.text)
        return re.sub(r"\r+\n", "\r\n", re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", blanks))

    def until_then(self, words: str, then: str) -> str:
        """What has been shown behind some words when others are there."""
        self.until(words)
        self.text = self.seen[self.seen.rindex(words) + len(words) :]
        return self.until(then)

    def type(self, line: str, then: str) -> str:
        self.text = ""
        os.write(self.ours, line.encode() + b"\n")
        return self.until(then)

    def press(self, key: str, then: str) -> str:
        self.text = ""
        os.write(self.ours, key.encode())
        return self.until(then)

    def end(self) -> int:
        os.close(self.ours)
        try:
            return self.running.wait(PATIENCE_S)
        finally:
            self.running.kill()


@contextmanager
def plugged(board: VirtualBoard) -> Iterator[None]:
    """The virtual board runs, where commands find it."""
    with board, Registration(Running(board.port, board.uid, os.getpid(), board.name)):
        yield
