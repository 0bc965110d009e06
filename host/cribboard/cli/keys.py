"""A terminal whose letters answer at once, without Enter: it is read key by key, and the line is edited here."""

from __future__ import annotations

import codecs
from collections.abc import Callable
from contextlib import suppress
from typing import IO

ENTER, RUBOUT, ERASE, END, ESCAPE = "\r\n", "\x7f\b", "\x15", "\x04", "\x1b"


class Editor:
    """Makes lines of keys. `show` echoes; `letters` answer at once when the line is empty."""

    def __init__(self, show: Callable[[str], None]) -> None:
        self.letters = ""
        self._show = show
        self._line = ""
        self._escaped = ""  # a key like an arrow sends several characters
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")

    def feed(self, data: bytes) -> list[str | None]:
        """The lines that these bytes end, None for the end of all."""
        return [line for key in self._decoder.decode(data) for line in self._press(key)]

    def _press(self, key: str) -> list[str | None]:
        if self._escaped:
            self._escaped += key
            second = len(self._escaped) == 2
            if key not in "[O" if second else key.isalpha() or key == "~":
                self._escaped = ""
        elif key == ESCAPE:
            self._escaped = key
        elif key in ENTER or (not self._line and key in self.letters):
            self._line += key.strip()
            self._show(f"{key.strip()}\n")
            line, self._line = self._line, ""
            return [line]
        elif key in RUBOUT or key == ERASE:
            gone = self._line if key == ERASE else self._line[-1:]
            self._line = self._line[: len(self._line) - len(gone)]
            self._show("\b \b" * len(gone))
        elif key == END and not self._line:
            return [None]
        elif key.isprintable():
            self._line += key
            self._show(key)
        return []


def key_by_key(stream: IO[str]) -> Callable[[], None] | None:
    """Have a terminal give each key at once; gives what puts it back, or None where that cannot be."""
    try:
        import termios
        import tty

        before = termios.tcgetattr(stream)
        tty.setcbreak(stream)
    except (ImportError, OSError, termios.error):
        return None

    def put_back() -> None:
        with suppress(OSError, termios.error):  # the terminal is gone
            termios.tcsetattr(stream, termios.TCSADRAIN, before)

    return put_back
