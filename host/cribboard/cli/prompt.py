"""What is typed at a command: line by line from anywhere, or at a terminal with arrows, history and a bar below."""

from __future__ import annotations

import atexit
import io
import os
import queue
import signal
import sys
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING, BinaryIO

import click

from cribboard.cli.output import fitted, is_terminal
from cribboard.files import ensure_folder, home, write_file

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor

    from prompt_toolkit.completion import Completer
    from prompt_toolkit.formatted_text import ANSI
    from prompt_toolkit.key_binding import KeyBindings

Completed = Callable[[str], tuple[int, Sequence[str]]]

LOOK_S = 0.1  # between two looks at what else happens while somebody types
TERMINATED = 128 + 15  # the exit status of what SIGTERM ends
KEPT = "plain"  # the file whose presence says that the bar is not wanted
PLAIN = click.option(
    "--plain/--bar",
    default=None,
    help="Line by line, without colours or a bar below (type plain to keep it so); --bar: with them.",
)


def line_by_line(plain: bool | None, codes: bool = False) -> bool:
    """Whether nothing is to be redrawn: in a pipe, with --plain, codes or TERM=dumb, or since `plain` was typed."""
    if not (is_terminal(sys.stdin) and is_terminal(sys.stdout)):
        return True
    return is_plain(plain, codes)


def is_plain(plain: bool | None, codes: bool = False) -> bool:
    """Whether somebody wants nothing redrawn: with --plain, codes or TERM=dumb, or since `plain` was typed."""
    return codes or os.environ.get("TERM") == "dumb" or (stays_plain() if plain is None else plain)


def stays_plain() -> bool:
    """Whether `plain` was typed once, and not `plain off` since."""
    return (home() / KEPT).exists()


def set_plain(line: str) -> str | None:
    """Remember what `plain` or `plain off` asks for, and return what to say; None if the line is neither."""
    words = line.lower().split()
    if words not in (["plain"], ["plain", "off"]):
        return None
    if words[1:]:
        (home() / KEPT).unlink(missing_ok=True)
        return "From the next start on there is a bar below what you type."
    write_file(ensure_folder(home()) / KEPT, b"")
    return "From now on everything is line by line. To have the bar back, type: plain off"


def among(words: Sequence[str]) -> Completed:
    """What completes the last word of a line by one of these."""

    def completed(line: str) -> tuple[int, Sequence[str]]:
        start = line.rfind(" ") + 1
        return start, [word for word in words if word.casefold().startswith(line[start:].casefold())]

    return completed


class Lines:
    """The lines of a stream, read beside everything else; None at its end."""

    def __init__(self, stream: IO[str] | None) -> None:
        self.seen = is_terminal(stream)  # a terminal shows what is typed
        self._lines: queue.Queue[str | None] = queue.Queue()
        self._stream = stream
        threading.Thread(target=self._read, name="typing", daemon=True).start()

    def get(self, seconds: float) -> str | None:
        """The next line; raises queue.Empty when none comes so soon."""
        return self._lines.get(timeout=seconds)

    def _read(self) -> None:
        """Without the stream's own buffer, whose lock a thread that never ends would hold for ever.

        What is below that buffer gives UTF-8 on a Windows console too, which the console's descriptor does not.
        """
        buffer = getattr(self._stream, "buffer", io.BytesIO())
        below = getattr(buffer, "raw", buffer)
        rest = b""
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


class News(Exception):
    """Something else is to be shown before a line is typed; what was typed so far stays."""


class Terminated(Exception):
    """Somebody has asked the program to end."""


@dataclass(frozen=True)
class Asked:
    """A question, what stands in the bar below it and above it, and what completes a line: where, and by what.

    The capitals among `letters` answer an empty line at once, without Enter.
    """

    text: str = ""
    bar: str = ""
    above: str = ""
    completed: Completed = lambda line: (0, ())
    letters: str = ""
    mark: str = "> "


def _hide_typing() -> Callable[[], None]:
    """Have a terminal not show what is typed; what is returned has it show again."""
    if sys.platform == "win32" or not is_terminal(sys.stdin):
        return lambda: None
    import termios

    typing = sys.stdin.fileno()
    before = termios.tcgetattr(typing)
    hidden = [*before[:3], before[3] & ~termios.ECHO, *before[4:]]
    termios.tcsetattr(typing, termios.TCSADRAIN, hidden)

    def show() -> None:
        with suppress(termios.error):  # the terminal is gone
            termios.tcsetattr(typing, termios.TCSADRAIN, before)

    return show


class Prompt:
    """Reads lines at a terminal, key by key. Without `bar` nothing stands below or above what is typed.

    What is typed between two questions, as while the computer thinks, belongs to the next one, which shows it: the
    terminal itself must not, or it stands there twice. `close`, and the end of the program, have it show again.
    """

    def __init__(self, bar: bool = True) -> None:
        from prompt_toolkit import PromptSession
        from prompt_toolkit.history import InMemoryHistory
        from prompt_toolkit.shortcuts import CompleteStyle

        self.bar = bar
        self._asked = Asked()
        self._left = ""
        self._at = 0
        self._reader: PromptSession[str] = PromptSession(
            self._message,
            bottom_toolbar=self._below if bar else None,
            history=InMemoryHistory(),
            enable_suspend=True,
            completer=self._completer(),
            complete_style=CompleteStyle.READLINE_LIKE,  # a menu would hold lines free for itself
            complete_while_typing=False,
            reserve_space_for_menu=0,
            key_bindings=self._keys(),
        )
        self._show = _hide_typing()
        atexit.register(self.close)

    def close(self) -> None:
        """Leave the terminal as it was."""
        self._show()

    def line(self, asked: Asked, look: Callable[[], bool] = lambda: False) -> str | None:
        """The next line, None at the end of all; raises News when `look` says so, which runs while somebody types.

        What is printed meanwhile stands above the question.
        """
        from concurrent.futures import ThreadPoolExecutor

        from prompt_toolkit.document import Document
        from prompt_toolkit.patch_stdout import patch_stdout

        self._asked = asked
        app = self._reader.app
        app.erase_when_done = False
        default, self._left = Document(self._left, self._at), ""
        with ThreadPoolExecutor(1) as beside, patch_stdout(raw=True):  # leaving it waits for the last look
            try:
                return self._reader.prompt(
                    default=default,
                    pre_run=lambda: self._begin(beside, look),
                    set_exception_handler=False,
                )
            except (EOFError, OSError):
                return None
            except Terminated:
                raise SystemExit(TERMINATED) from None

    def _begin(self, beside: ThreadPoolExecutor, look: Callable[[], bool]) -> None:
        import asyncio

        app = self._reader.app
        with suppress(NotImplementedError, ValueError, RuntimeError):  # Windows has no such signal
            asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, self._leave, Terminated())
        app.create_background_task(self._look(beside, look))

    async def _look(self, beside: ThreadPoolExecutor, look: Callable[[], bool]) -> None:
        import asyncio

        loop = asyncio.get_running_loop()
        while True:
            await asyncio.sleep(LOOK_S)
            try:
                if not sys.stdin.isatty():  # the terminal is gone
                    self._leave(EOFError())
                    return
                if await loop.run_in_executor(beside, look):
                    buffer = self._reader.default_buffer
                    self._left, self._at = buffer.text, buffer.cursor_position
                    self._reader.app.erase_when_done = True
                    self._leave(News())
                    return
            except Exception as error:
                self._leave(error)
                return

    def _leave(self, error: Exception) -> None:
        app = self._reader.app
        if app.is_running and not app.is_done:
            app.exit(exception=error)

    def _message(self) -> ANSI:
        from prompt_toolkit.formatted_text import ANSI

        live = self.bar and not self._reader.app.is_done
        above = f"{self._asked.above}\n" if live and self._asked.above else ""
        text = fitted(self._asked.text, sys.stdout) + "\n" if self._asked.text else ""
        return ANSI(f"{above}{text}{self._asked.mark}")

    def _below(self) -> str:
        return fitted(self._asked.bar, sys.stdout)

    def _completer(self) -> Completer:
        from prompt_toolkit.completion import CompleteEvent, Completer, Completion
        from prompt_toolkit.document import Document

        prompt = self

        class Words(Completer):
            def get_completions(self, document: Document, event: CompleteEvent) -> list[Completion]:
                line = document.text_before_cursor
                start, words = prompt._asked.completed(line)
                return [Completion(f"{word} ", start - len(line), word) for word in words]

        return Words()

    def _keys(self) -> KeyBindings:
        from prompt_toolkit.filters import Condition
        from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent

        keys = KeyBindings()

        def add(letter: str) -> None:
            @keys.add(letter, filter=Condition(lambda: letter in self._asked.letters and not self._typed()))
            def answer(event: KeyPressEvent) -> None:
                event.current_buffer.text = letter
                event.current_buffer.validate_and_handle()

        for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZ":
            add(letter)
        return keys

    def _typed(self) -> str:
        return self._reader.default_buffer.text
