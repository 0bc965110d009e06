"""Reviews of games that are over, worked out one at a time in a process that can be stopped, and kept for a while."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Literal, TypedDict

from cribboard.errors import CribboardError
from cribboard.playing.review import Game, ReviewEntry, entry, review_game
from cribboard.service.orders import OrderError

WORST = 3  # choices that are shown first, as the command shows them
KEPT = 100  # reviews
MOST, WHILE_S = 60, 3600.0  # that are begun in a while
LONGEST_S = 180.0  # a desktop needs two seconds, a small computer perhaps half a minute
BUSY = OrderError("busy", "another game is being worked out", "try again in a moment", 503)
TIRED = OrderError("reviews", f"{MOST} games were worked out in the last hour", "look again later", 429)

Command = Callable[[Game], Sequence[str]]


class ReviewStateEntry(TypedDict):
    """Whether a game's review is there, being worked out, waiting to be asked for, or impossible; `text` says it."""

    state: Literal["ready", "working", "asked", "none"]
    text: str
    done: int
    of: int
    review: ReviewEntry | None


def none(text: str) -> ReviewStateEntry:
    """There is no review, for this reason."""
    return {"state": "none", "text": text, "done": 0, "of": 0, "review": None}


def command(game: Game) -> list[str]:
    """The command of the process that works it out."""
    arguments = [str(game.path), game.epoch, game.number, list(game.names)]
    return [sys.executable, "-P", "-m", "cribboard.service.reviews", json.dumps(arguments)]


class Reviews:
    """The reviews of a kiosk; may be used by several threads."""

    def __init__(
        self, begin: Command = command, longest_s: float = LONGEST_S, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._command = begin
        self._longest_s = longest_s
        self._clock = clock
        self._lock = threading.Lock()
        self._kept: OrderedDict[Game, ReviewStateEntry] = OrderedDict()
        self._begun: deque[float] = deque(maxlen=MOST)
        self._now: tuple[Game, ReviewStateEntry] | None = None
        self._process: subprocess.Popen[str] | None = None
        self._thread: threading.Thread | None = None
        self._closed = False

    def look(self, game: Game) -> ReviewStateEntry:
        """How far the review of a game is."""
        with self._lock:
            if self._now is not None and self._now[0] == game:
                return self._now[1]
            return self._kept.get(game) or _asked("It takes a moment to work out.")

    def begin(self, game: Game) -> ReviewStateEntry:
        """Work it out, unless that is done; raises OrderError while another game's is, or after too many."""
        with self._lock:
            known = self._kept.get(game)
            if known is not None and known["state"] == "ready":
                return known
            if self._now is not None:
                if self._now[0] == game:
                    return self._now[1]
                raise BUSY
            if self._closed or (len(self._begun) == MOST and self._clock() - self._begun[0] < WHILE_S):
                raise TIRED
            self._begun.append(self._clock())
            state = _working(0, 0)
            self._now = game, state
            self._thread = threading.Thread(target=self._work, args=(game,), name="review", daemon=True)
            self._thread.start()
            return state

    def close(self) -> None:
        """Stop what is being worked out."""
        with self._lock:
            self._closed = True
            process, thread = self._process, self._thread
        if process is not None:
            process.kill()
        if thread is not None:
            thread.join()

    def _work(self, game: Game) -> None:
        state = _asked("This could not be worked out; try again.")
        with suppress(OSError, ValueError):
            state = self._run(game, state)
        with self._lock:
            self._now = self._process = None
            self._kept[game] = state
            while len(self._kept) > KEPT:
                self._kept.popitem(last=False)

    def _run(self, game: Game, state: ReviewStateEntry) -> ReviewStateEntry:
        arguments = self._command(game)
        with subprocess.Popen(arguments, stdout=subprocess.PIPE, encoding="utf-8") as process:  # noqa: S603 (ourselves)
            with self._lock:
                self._process = process
                if self._closed:
                    process.kill()
            ends = threading.Timer(self._longest_s, process.kill)
            ends.start()
            assert process.stdout is not None  # noqa: S101 (it is a pipe)
            for line in process.stdout:
                message = json.loads(line)
                if "done" in message:
                    with self._lock:
                        self._now = game, _working(message["done"], message["of"])
                elif "error" in message:
                    state = none(message["error"])
                else:
                    state = {"state": "ready", "text": "", "done": 0, "of": 0, "review": message}
            ends.cancel()
        return state


def _asked(text: str) -> ReviewStateEntry:
    return {"state": "asked", "text": text, "done": 0, "of": 0, "review": None}


def _working(done: int, of: int) -> ReviewStateEntry:
    return {"state": "working", "text": "Working it out.", "done": done, "of": of, "review": None}


def main(arguments: str, put: Callable[[object], None]) -> None:
    """Work out one review, slowly beside the kiosk itself; `put` takes how far it is, then what it came to."""
    path, epoch, number, names = json.loads(arguments)
    if hasattr(os, "nice"):
        os.nice(10)
    try:
        game = Game(Path(path), epoch, number, tuple(names))
        put(entry(review_game(game, lambda done, of: put({"done": done, "of": of})), WORST))
    except CribboardError as error:
        put({"error": f"{error.message[:1].upper()}{error.message[1:]}."})


def _print(message: object) -> None:
    print(json.dumps(message), flush=True)


if __name__ == "__main__":
    main(sys.argv[1], _print)
