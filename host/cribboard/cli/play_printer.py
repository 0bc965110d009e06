"""What a refereed game prints, in plain lines or JSON, and where its lines are typed."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass

import click

from cribboard.cli.output import emit, fitted
from cribboard.cli.prompt import Lines, Prompt, line_by_line, stays_plain
from cribboard.cli.state import RGB
from cribboard.errors import CribboardError
from cribboard.referee.answers import LETTERS
from cribboard.referee.referee import Referee
from cribboard.referee.state import state
from cribboard.referee.wording import in_codes, in_words


class Printer:
    """Prints sentences as plain lines, with colours on a terminal, or as JSON, one object at a time.

    Cards are said as words, or as codes when there are `codes`.
    """

    def __init__(self, as_json: bool = False, plain: bool | None = None, codes: bool = False) -> None:
        self._as_json = as_json
        self._cards = in_codes if codes else in_words
        plain = stays_plain() if plain is None else plain
        self._colours = not plain and "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb"
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

    def cards(self, text: str, names: Sequence[str]) -> str:
        """The text with its cards as they are to be read."""
        return self._cards(text, names)

    def ask(self, text: str) -> None:
        """A question, below which is typed."""
        if not self._as_json:
            click.echo(f"{fitted(text, sys.stdout)}\n> ", nl=False)
            self._asked = True

    def answered(self, unseen: str | None) -> None:
        """The line has been typed, and its end with it; what was not typed on a terminal is shown."""
        if unseen is not None and not self._as_json:
            click.echo(unseen)
        self._asked = False


@dataclass
class Typist:
    """Where lines come from: `lines` of a stream, or a `prompt` at a terminal, with `letters` that need no Enter.

    With `draws` the board is drawn above the prompt.
    """

    lines: Lines | None = None
    prompt: Prompt | None = None
    letters: str = ""
    draws: bool = False

    @classmethod
    def at(cls, plain: bool | None, codes: bool, as_json: bool, keys: bool, draws: bool) -> Typist:
        """As the options and the terminal have it."""
        by_line = as_json or line_by_line(plain, codes)
        letters = f"{LETTERS}WH" if keys and not as_json and not line_by_line(False) else ""
        if by_line and not letters:
            return cls(Lines(sys.stdin))
        return cls(None, Prompt(bar=not by_line), letters, draws and not by_line)

    def go_plain(self) -> None:
        """From the next line on have no bar."""
        if self.prompt is not None:
            self.prompt.close()
            self.draws = False
            self.prompt, self.lines = (Prompt(bar=False), None) if self.letters else (None, Lines(sys.stdin))
