"""A screen that does not flicker: only lines that changed are sent, each whole, all of them in one write."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console, ConsoleDimensions
from rich.text import Text

ENTER = "\x1b[?1049h\x1b[?25l\x1b[2J"
LEAVE = "\x1b[?25h\x1b[?1049l"
BEGIN, END = "\x1b[?2026h", "\x1b[?2026l"  # terminals that know it show all in between at once, others pass over it


class Screen:
    """The lines of a terminal, remembered, so that `update` can send the difference."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._shown: list[Text | None] = []
        self._size = (0, 0)

    def update(self, lines: Sequence[Text], size: tuple[int, int]) -> str:
        """What to write so that the terminal of this width and height shows these lines."""
        width, height = size
        out = []
        if size != self._size:
            self._size = size
            self._console.size = ConsoleDimensions(
                width, height
            )  # rich takes every dumb terminal for one of 80 columns
            self._shown = []
            out.append("\x1b[0m\x1b[2J")
        visible: list[Text | None] = [*lines[:height]]
        for row, line in enumerate(visible):
            if line is not None and (row >= len(self._shown) or self._shown[row] != line):
                out.append(f"\x1b[{row + 1};1H{self._rendered(line, width)}\x1b[0m\x1b[K")
        if len(visible) < len(self._shown):
            out.append(f"\x1b[{len(visible) + 1};1H\x1b[J")
        self._shown = visible
        return BEGIN + "".join(out) + END if out else ""

    def _rendered(self, line: Text, width: int) -> str:
        with self._console.capture() as capture:
            self._console.print(line, end="", no_wrap=True, overflow="crop", crop=True, width=width, highlight=False)
        return capture.get()
