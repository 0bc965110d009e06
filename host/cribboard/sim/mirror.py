"""What a board's strips show, made by the firmware's own lights from how its match stands, without asking the board."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping

from cribboard.board.messages import Standing
from cribboard_fw.clock import WRAP
from cribboard_fw.entry import Entry
from cribboard_fw.lights import Lights
from cribboard_fw.scene import GamePicture

BRIGHTNESS = 100
UNLIMITED_MA = 1_000_000  # a page draws no current
ANYBODY = 1
START_MS = 10_000  # the lights of the start are over by then


class Mirror:
    """The strips of a board with so many tracks; `show` what stands, then take its `frame` at each moment."""

    def __init__(self, tracks: int, leds: int) -> None:
        self._tracks = tracks
        self._lights = Lights(tracks, leds, BRIGHTNESS, UNLIMITED_MA)
        self._shown: object = None
        self._begun = False
        self._sent: list[bytes] = []

    def show(self, standing: Standing, waiting: Mapping[int, int]) -> None:
        """From now on this is how the match stands, and what waits in front of the pegs."""
        if (standing, dict(waiting)) == self._shown:
            return
        self._shown = standing, dict(waiting)
        match = standing.match()
        entry = Entry(match, lambda side, points, owner: None)
        for side, points in waiting.items():
            with contextlib.suppress(ValueError):  # it was heard before what made it impossible
                entry.put(side, points, ANYBODY, 1)
        self._lights.update(match, GamePicture(match, entry))
        if not self._begun:
            self._begun = True
            for now in range(0, START_MS, 100):
                self._step(now)

    def frame(self, now_ms: int) -> list[bytes] | None:
        """Red, green and blue of each light of each track at this time; None if nothing has changed."""
        if not self._begun:
            return None
        self._step(now_ms % WRAP)
        frame = [
            b"".join(colour.to_bytes(3, "big") for colour in self._lights.frame(track)) for track in range(self._tracks)
        ]
        if frame == self._sent:
            return None
        self._sent = frame
        return list(frame)

    def _step(self, now: int) -> None:
        """All tracks, as many turns of the board's loop would."""
        for _ in range(4 * self._tracks + 4):
            self._lights.step(now)
