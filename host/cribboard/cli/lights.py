"""The board drawn in a terminal as its lights are now, from how the match stands."""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING

from cribboard.board.messages import Standing

if TYPE_CHECKING:
    from cribboard.board.client import Board

BESIDES = 8  # lines that the question, what is typed and the bar need


class Drawing:
    """A board's lights as text for a terminal, painted by the firmware's own lights."""

    def __init__(self, board: Board) -> None:
        from cribboard.sim.mirror import START_MS, Mirror

        self._board = board
        self._mirror = Mirror(board.hello.tracks, board.hello.leds)
        self._now = START_MS
        self._shown: Standing | None = None
        self._frame: list[bytes] = []

    def text(self) -> str:
        """The tracks, one below the other, with colours if the terminal wants them; empty where there is no room."""
        from rich.console import Console

        from cribboard.sim.draw import DrawOptions, track_lines
        from cribboard.sim.mirror import BRIGHTNESS

        if self._shown != self._board.standing:
            self._shown = self._board.standing
            self._mirror.show(self._shown, {})
            self._now += SETTLED_MS
            self._frame = self._mirror.frame(self._now) or self._frame
        size = shutil.get_terminal_size()
        screen = Console(highlight=False, force_terminal=True, width=size.columns)
        letters = "NO_COLOR" in os.environ or screen.color_system in (None, "standard")
        look = DrawOptions(letters, BRIGHTNESS, size.columns - 1, size.lines - BESIDES - 2 * len(self._frame))
        shape = look.shape(len(self._frame), self._board.hello.leds)
        lines = [
            line
            for number, track in enumerate(self._frame, 1)
            for line in track_lines(f" {number}", _pixels(track), look, shape)
        ]
        if len(lines) > size.lines - BESIDES:
            return ""
        with screen.capture() as drawn:
            for line in lines:
                screen.print(line, no_wrap=True, crop=True)
        return drawn.get().rstrip("\n")


SETTLED_MS = 2_000  # the lights have settled by then


def _pixels(track: bytes) -> list[tuple[int, int, int]]:
    return [(track[at], track[at + 1], track[at + 2]) for at in range(0, len(track), 3)]
