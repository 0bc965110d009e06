"""Input and output of the referee: lines that are read in the background, and plain lines or JSON that are printed."""

from __future__ import annotations

import io
import os
import queue
import sys
import threading
from collections.abc import Sequence
from typing import IO, BinaryIO

import click

from cribboard.cli.keys import Editor, key_by_key
from cribboard.cli.looking import RGB
from cribboard.cli.output import emit, fitted
from cribboard.errors import CribboardError
from cribboard.referee.referee import Referee
from cribboard.referee.speech import in_codes, in_words
from cribboard.referee.state import state


class Lines:
    """The lines of a stream, read beside everything else; None at its end.

    With `keys` a terminal is read key by key, where it can be, and `letters` need no Enter.
    """

    def __init__(self, stream: IO[str] | None, keys: bool = False) -> None:
        self.seen = stream is not None and stream.isatty()  # a terminal shows what is typed
        self._editor = Editor(_show)
        self._put_back = key_by_key(stream) if stream is not None and self.seen and keys else None
        self._lines: queue.Queue[str | None] = queue.Queue()
        self._stream = stream
        threading.Thread(target=self._read, name="typing", daemon=True).start()

    def get(self, seconds: float) -> str | None:
        """The next line; raises queue.Empty when none comes so soon."""
        return self._lines.get(timeout=seconds)

    def answer_at_once(self, letters: str) -> None:
        """Say which letters need no Enter now."""
        self._editor.letters = letters

    def close(self) -> None:
        """Leave the terminal as it was."""
        if self._put_back is not None:
            self._put_back()

    def _read(self) -> None:
        """Without the stream's own buffer, whose lock a thread that never ends would hold for ever.

        What is below that buffer gives UTF-8 on a Windows console too, which the console's descriptor does not.
        """
        buffer = getattr(self._stream, "buffer", io.BytesIO())
        below = getattr(buffer, "raw", buffer)
        rest = b""
        while self._put_back is not None and (data := _data(below)):
            for line in self._editor.feed(data):
                self._lines.put(line)
        while data := _data(below):
            *whole, rest = (rest + data).split(b"\n")
            for typed in whole:
                self._lines.put(typed.decode("utf-8", "replace").rstrip("\r"))
        if rest:
            self._lines.put(rest.decode("utf-8", "replace"))
        self._lines.put(None)


def _data(below: BinaryIO) -> bytes:
    try:
        return below.read(4096) or b""
    except OSError:  # the terminal is gone
        return b""


def _show(text: str) -> None:
    click.echo(text, nl=False)


class Teller:
    """Prints sentences as plain lines, with colours on a terminal, or as JSON, one object at a time.

    Cards are said as words, or as codes when there are `codes`.
    """

    def __init__(self, as_json: bool = False, plain: bool = False, codes: bool = False) -> None:
        self._as_json = as_json
        self._cards = in_codes if codes else in_words
        self._colours = not plain and "NO_COLOR" not in os.environ
        self._asked = False

    def tell(self, lines: Sequence[tuple[str, int]], referee: Referee, error: CribboardError | None = None) -> None:
        """Lines, each in the colour of a side (-1: none)."""
        lines = [(self._cards(text, referee.setup.names), side) for text, side in lines]
        if self._as_json:
            refusal = error.entry() if error else {"error": None}
            emit({"said": [text for text, _ in lines], **refusal, "state": state(referee)})
            return
        self._show(lines)

    def help(self, lines: Sequence[str], referee: Referee) -> None:
        """What can be typed, which is codes in any case."""
        if self._as_json:
            emit({"said": [*lines], "error": None, "state": state(referee)})
        else:
            self._show([(line, -1) for line in lines])

    def _show(self, lines: Sequence[tuple[str, int]]) -> None:
        if self._asked:
            click.echo()  # something has come while a question stood there
            self._asked = False
        for text, side in lines:
            text = fitted(text, sys.stdout)
            if self._colours and side >= 0:
                red, green, blue = bytes.fromhex(RGB[side].lstrip("#"))
                text = click.style(text, fg=(red, green, blue))
            click.echo(text)

    def complain(self, error: CribboardError, referee: Referee) -> None:
        """What was wrong with what was typed."""
        message = self._cards(error.message, referee.setup.names)
        text = str(CribboardError(message, error.hint))
        if self._as_json:
            self.tell([], referee, error)
        else:
            self._show([(text[:1].upper() + text[1:] + ".", -1)])

    def ask(self, text: str, names: Sequence[str]) -> None:
        """A question, below which is typed."""
        if not self._as_json:
            text = self._cards(text, names)
            click.echo(f"{fitted(text, sys.stdout)}:\n> ", nl=False)
            self._asked = True

    def answered(self, unseen: str | None) -> None:
        """The line has been typed, and its end with it; what was not typed on a terminal is shown."""
        if unseen is not None and not self._as_json:
            click.echo(unseen)
        self._asked = False
