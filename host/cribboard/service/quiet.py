"""The house's quiet hours, in which no board beeps, and a board on its way through them."""

from __future__ import annotations

import json
import logging
import re
import time
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import TypedDict

from cribboard.board.client import Board
from cribboard.errors import ArgumentError, CribboardError, WrongBoard
from cribboard.files import from_json, read_file, write_whole

log = logging.getLogger(__name__)

NAME = "kiosk-quiet.json"
TIME = re.compile("([01][0-9]|2[0-3]):[0-5][0-9]")
AGAIN_S = 20.0  # after a board did not take it


class QuietEntry(TypedDict):
    """When no board beeps, in this computer's time, as HH:MM; null without quiet hours."""

    begins: str | None
    ends: str | None


class QuietHours:
    """The hours, kept in a file of `folder`; for all threads. What cannot be read there counts as no hours."""

    def __init__(self, folder: Path, now: Callable[[], datetime] = datetime.now) -> None:
        self._path = folder / NAME
        self._now = now
        self._hours = self._read()

    @property
    def is_on(self) -> bool:
        """Whether it is quiet now."""
        hours = self._hours
        if hours is None:
            return False
        begins, ends = hours
        # As texts such times sort as they follow each other.
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
        hours = None
        if (begins, ends) != (None, None):
            hours = _hours(begins, ends)
            if hours is None:
                raise ArgumentError(
                    "the quiet hours are two times from 00:00 to 23:59", "send begins and ends, like 22:30"
                )
            if begins == ends:
                raise ArgumentError(f"the quiet hours begin and end at {begins}", "choose two times")
        write_whole(self._path, json.dumps(hours))
        self._hours = hours

    def _read(self) -> tuple[str, str] | None:
        try:
            hours = from_json(read_file(self._path))
        except (OSError, ValueError, RecursionError):
            return None
        return _hours(*hours) if isinstance(hours, list) and len(hours) == 2 else None


def _hours(begins: object, ends: object) -> tuple[str, str] | None:
    """Two times of day as HH:MM; None for anything else."""
    if isinstance(begins, str) and isinstance(ends, str) and TIME.fullmatch(begins) and TIME.fullmatch(ends):
        return begins, ends
    return None


class Silencer:
    """Silences an open board when the quiet hours begin, and lets its own sound come back when they end.

    What the board keeps does not change. A sound that somebody chooses meanwhile is heard; one that was silenced
    before it was without power is silenced again.
    """

    def __init__(self, hours: QuietHours, board: Board, clock: Callable[[], float] = time.monotonic) -> None:
        self._hours = hours
        self._board = board
        self._clock = clock
        self._done: bool | None = None
        self._again = 0.0

    def tick(self) -> None:
        """Do what is due, in the thread that holds the board."""
        board = self._board
        if board.away is not None:
            self._done = None  # it may come back from a power cut
            return
        quiet = self._hours.is_on
        if quiet == self._done or self._clock() < self._again:
            return
        try:
            if quiet:
                board.silence()
            else:
                board.choose(sound=board.choose().sound)
            self._done = quiet
        except WrongBoard as error:
            self._done = quiet
            if quiet:
                log.warning("the board at %s keeps its sound in the quiet hours: %s", board.port, error)
        except CribboardError as error:
            self._again = self._clock() + AGAIN_S
            log.warning("the board at %s has not changed its sound: %s", board.port, error)
