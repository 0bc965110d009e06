"""The house's quiet hours, in which no board beeps, and a board on its way through them."""

from __future__ import annotations

import json
import logging
import re
import threading
import time
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import TypedDict

from cribboard.board.client import Board
from cribboard.board.messages import SOUNDS
from cribboard.errors import ArgumentError, CribboardError, WrongBoard
from cribboard.files import write_whole

log = logging.getLogger(__name__)

NAME = "kiosk-quiet.json"
TIME = re.compile("([01][0-9]|2[0-3]):[0-5][0-9]")
AGAIN_S = 20.0  # after a board did not take it


class QuietEntry(TypedDict):
    """When no board beeps, in this computer's time, as HH:MM; null without quiet hours."""

    begins: str | None
    ends: str | None


class QuietHours:
    """The hours, and how loud each board was before them, kept in a file of `folder`; for all threads.

    What cannot be read there counts as no hours.
    """

    def __init__(self, folder: Path, now: Callable[[], datetime] = datetime.now) -> None:
        self._path = folder / NAME
        self._now = now
        self._lock = threading.Lock()
        self._hours: tuple[str, str] | None = None
        self._before: dict[str, int] = {}  # by the board's uid
        self._read()

    @property
    def is_on(self) -> bool:
        """Whether it is quiet now."""
        if self._hours is None:
            return False
        begins, ends = self._hours
        time_of_day = f"{self._now():%H:%M}"
        return begins <= time_of_day < ends if begins < ends else not ends <= time_of_day < begins

    def entry(self) -> QuietEntry:
        """The hours."""
        begins, ends = self._hours or (None, None)
        return {"begins": begins, "ends": ends}

    def choose(self, begins: object, ends: object) -> None:
        """Let it be quiet between two times of day, over midnight if need be; None and None for never.

        Raises ArgumentError for what is no time, CribboardError when it cannot be kept.
        """
        if begins is None and ends is None:
            hours = None
        elif not all(isinstance(given, str) and TIME.fullmatch(given) for given in (begins, ends)):
            raise ArgumentError("the quiet hours are two times from 00:00 to 23:59", "send begins and ends, like 22:30")
        elif begins == ends:
            raise ArgumentError(f"the quiet hours begin and end at {begins}", "choose two times")
        else:
            hours = (str(begins), str(ends))
        with self._lock:
            self._write(hours, self._before)

    def before(self, uid: str) -> int | None:
        """How loud a board was when it became quiet; None if it was off, or is not quiet."""
        return self._before.get(uid)

    def note(self, uid: str, sound: int | None) -> None:
        """Keep how loud a board was before, None to forget it."""
        if self._before.get(uid) != sound:
            with self._lock:
                before = {**self._before, uid: sound}
                self._write(self._hours, {uid: loud for uid, loud in before.items() if loud is not None})

    def _write(self, hours: tuple[str, str] | None, before: dict[str, int]) -> None:
        write_whole(self._path, json.dumps({"hours": hours, "before": before}))
        self._hours, self._before = hours, before

    def _read(self) -> None:
        try:
            found = json.loads(self._path.read_bytes())
            hours, before = found["hours"], found["before"]
            if hours is not None:
                begins, ends = hours
                if TIME.fullmatch(begins) and TIME.fullmatch(ends) and begins != ends:
                    self._hours = (begins, ends)
            self._before = {uid: sound for uid, sound in before.items() if sound in range(1, len(SOUNDS))}
        except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
            return


class Hush:
    """Turns an open board's sound off when the quiet hours begin, and on again when they end.

    A sound that somebody turns on at the board in between stays.
    """

    def __init__(self, hours: QuietHours, board: Board, clock: Callable[[], float] = time.monotonic) -> None:
        self._hours = hours
        self._board = board
        self._clock = clock
        self._done: bool | None = None
        self._again = 0.0

    def tick(self) -> None:
        """Do what is due, in the thread that holds the board."""
        quiet = self._hours.is_on
        if quiet == self._done or self._board.away is not None or self._clock() < self._again:
            return
        try:
            self._turn(quiet)
            self._done = quiet
        except WrongBoard as error:
            self._done = quiet
            if quiet:
                log.warning("the board at %s keeps its sound in the quiet hours: %s", self._board.port, error)
        except CribboardError as error:
            self._again = self._clock() + AGAIN_S
            log.warning("the board at %s has not changed its sound: %s", self._board.port, error)

    def _turn(self, quiet: bool) -> None:
        board, uid = self._board, self._board.hello.uid
        before = self._hours.before(uid)
        if not quiet and before is None:
            return
        sound = board.choose().sound
        if quiet and sound:
            self._hours.note(uid, before or sound)  # first, or a kiosk that ends here would leave the board silent
            board.choose(sound=0)
        elif not quiet:
            if not sound:
                board.choose(sound=before)
            self._hours.note(uid, None)
