"""The virtual board on a terminal: its lights live, the score in numerals, and keys for its buttons."""

from __future__ import annotations

import contextlib
import os
import re
import select
import shutil
import socket
import sys
import termios
import time
import tty
from collections.abc import Callable, Sequence
from textwrap import wrap

from rich.console import Console
from rich.style import Style
from rich.text import Text

from cribboard.amounts import amount
from cribboard.sim.board import VirtualBoard
from cribboard.sim.described import layout_of, settings_of
from cribboard.sim.draw import BOLD, PLAIN, QUIET, DrawOptions, hue, row_width, track_lines
from cribboard.sim.keys import Button, Layout
from cribboard.sim.registry import SimError
from cribboard.sim.scores import read_match, score_lines
from cribboard.sim.screen import ENTER, LEAVE, Screen
from cribboard_core.variants import COLOURS

FRAME_S = 0.04
SCORES_S = 0.25
PANEL = 76
MOST_BEHIND_S = 0.4
HOLD_S = 3.6  # longer than the longest hold that means something, and no whole round of the steps of brightness
SEQUENCE = re.compile(r"\x1b(?:\[[0-9;?]*[ -/]*[@-~]|O.|.)?")  # arrows and the like
END_KEYS = "\x03\x04"

Lines = Callable[[VirtualBoard], Sequence[str]]


def own_scores(board: VirtualBoard) -> Sequence[str]:
    """The score lines as the board's own journal has them."""
    match = read_match(bytes.fromhex(board.flash()["hex"]))
    return ["no game yet"] if match is None else score_lines(match)


class Terminal:
    """Draws a running board and plays its buttons until told to end; `lines` gives what stands beside the lights.

    Without `buttons` keys play none, and only the end key means something.
    """

    def __init__(
        self, board: VirtualBoard, lines: Lines = own_scores, console: Console | None = None, *, buttons: bool = True
    ) -> None:
        self._board = board
        self._lines = lines
        self._buttons = buttons
        self._typing = sys.stdin is not None and sys.stdin.isatty()
        self._console = Console(highlight=False) if console is None else console
        self._screen = Screen(self._console)
        self._settings, self._mistake = settings_of(board)
        self._street = len(layout_of(board, self._settings).streets[0])
        self._layout = Layout(self._settings.buttons, self._settings.undo_pin, self._settings.deal_pin)
        self._letters = self._console.no_color or self._console.color_system in (None, "standard")
        self._scores: list[str] = []
        self._scores_at = -SCORES_S
        self._held: Button | None = None
        self._hold_ends = 0.0
        self._taps_end = 0.0
        self._last_key = ""
        self._woken, self._waker = socket.socketpair()  # unlike a pipe, safe to use after it was closed
        self._waker.setblocking(False)

    def wake(self) -> None:
        """Have it look again at once; from any thread or a signal's handler."""
        with contextlib.suppress(OSError):  # awake already, or over
            self._waker.send(b"!")

    def close(self) -> None:
        """Give back what `wake` uses."""
        self._woken.close()
        self._waker.close()

    def run(self, ended: Callable[[], bool]) -> None:
        """Draw and play until `ended`, the end key, or the end of the board."""
        keys = sys.stdin.fileno() if self._typing else None
        before = None if keys is None else termios.tcgetattr(keys)
        unsubscribe = self._board.subscribe(lambda _: self.wake())
        self._write(ENTER)
        try:
            if keys is not None:
                quiet_keys(keys)
            while not ended() and self._board.alive and self._turn(keys):
                pass
        finally:
            unsubscribe()
            if keys is not None and before is not None:
                termios.tcsetattr(keys, termios.TCSADRAIN, before)
            self._write(LEAVE)

    def picture(self, width: int, height: int) -> list[Text]:
        """All lines of the screen now."""
        panel = min(width, PANEL)
        below = [*self._score_lines(panel), *self._help_lines(panel)]
        strips = self._board.last_strips()
        pins = self._settings.strip_pins
        leds = self._settings.leds
        head = self._head(width)
        rows = height - len(below) - 2 - 2 * len(pins)
        look = DrawOptions(self._letters, self._settings.brightness, width, rows, self._street)
        shape = look.shape(len(pins), leds)
        lines = [head]
        for number, pin in enumerate(pins):
            strip = strips.get(pin)
            pixels = (strip.pixels if strip else [])[:leds]
            pixels += [(0, 0, 0)] * (leds - len(pixels))
            lines += [Text("", PLAIN), *track_lines(f" {number + 1}", pixels, look, shape)]
        lines += [Text("", PLAIN), *below]
        missing = len(lines) - height
        if missing > 0:  # the scores and the keys stay, the lights give way
            taller = f"make the window {amount(missing, 'line')} taller to see all lights"
            hint = [Text(f" {line}", BOLD) for line in wrap(taller, width - 1)]
            lines[max(0, height - len(below) - len(hint)) : len(lines) - len(below)] = hint
        panel = min(width, max(panel, row_width(*shape) + 1))
        return [padded(line, panel) for line in lines]

    def _turn(self, keys: int | None) -> bool:
        size = shutil.get_terminal_size()
        self._read_scores()
        self._write(self._screen.update(self.picture(*size), (size.columns, size.lines)))
        began = time.monotonic()
        if not self._wait(keys, self._pause()):
            return False
        rest = FRAME_S - (time.monotonic() - began)
        if rest > 0 and self._held is None:
            select.select([descriptor for descriptor in (keys,) if descriptor is not None], [], [], rest)
        return True

    def _pause(self) -> float:
        return 0.1 if self._held else 0.5

    def _wait(self, keys: int | None, seconds: float) -> bool:
        """Until something happens; False when the user has had enough."""
        watched = [self._woken.fileno()] if keys is None else [self._woken.fileno(), keys]
        ready, _, _ = select.select(watched, [], [], seconds)
        if watched[0] in ready:
            self._woken.recv(4096)
        if self._held and time.monotonic() >= self._hold_ends:
            self._let_go()
        if keys in ready and keys is not None:
            text = os.read(keys, 1024).decode("utf-8", "replace")
            return bool(text) and all(self._key(key) for key in SEQUENCE.sub("", text))
        return True

    def _key(self, key: str) -> bool:
        if key in END_KEYS:
            return False
        if self._held:
            self._let_go()
            return True
        pressed = self._layout.press(key) if self._buttons else None
        if pressed is None:
            return True
        button, held = pressed
        self._last_key = button.name
        if held:
            self._board.press(button.pin)
            self._held, self._hold_ends = button, time.monotonic() + HOLD_S
        elif time.monotonic() < self._taps_end - MOST_BEHIND_S:
            return True  # a key repeats faster than a finger taps
        else:
            self._taps_end = time.monotonic() + self._board.tap(button.pin) / 1000
        return True

    def _let_go(self) -> None:
        if self._held:
            self._board.release(self._held.pin)
            self._held = None

    def _read_scores(self) -> None:
        if time.monotonic() - self._scores_at < SCORES_S:
            return
        self._scores_at = time.monotonic()
        try:
            self._scores = list(self._lines(self._board))
        except SimError:
            self._scores = []  # it is just stopping

    def _head(self, width: int) -> Text:
        head = Text(" cribboard ", BOLD).append("virtual board  ", PLAIN).append(self._board.port, BOLD)
        uid = Text(f"  {self._board.uid}", QUIET)
        return head.append_text(uid) if head.cell_len + uid.cell_len <= width else head

    def _score_lines(self, width: int) -> list[Text]:
        pieces = []
        for line in self._scores:
            first = line.split(" ")[0]
            style = hue(COLOURS.index(first)) if first in COLOURS else PLAIN
            pieces.append(Text(line, style + Style(bold=True)))
        lines = flowed(pieces, width, "   ")
        for mistake in self._mistake:
            lines += [Text(f" {line}", BOLD) for line in wrap(mistake, width - 2)]
        return [*lines, Text("", PLAIN)]

    def _help_lines(self, width: int) -> list[Text]:
        if not self._typing:
            return []
        if not self._buttons:
            return [Text(" Ctrl-C", BOLD).append(" ends", PLAIN)]
        layout = self._layout
        pieces = []
        for place, three in layout.places.items():
            piece = Text(f"{COLOURS[place]}: ", hue(place))
            for button, name in zip(three, ("+1", "+5", "OK"), strict=True):
                piece.append(button.key, BOLD).append(f" = {name}{', ' * (name != 'OK')}", PLAIN)
            pieces.append(piece)
        pieces.append(Text("all: ", PLAIN).append("z", BOLD).append(" = UNDO, ", PLAIN).append("x", BOLD))
        pieces[-1].append(" = DEAL", PLAIN)
        lines = flowed(pieces, width, "    ")
        lines += flowed([Text("Type a letter as a capital to hold its button; any key lets go.", PLAIN)], width, "")
        held = [
            Text("Held: ", PLAIN).append("OK", BOLD).append(" = games won", PLAIN),
            Text("UNDO", BOLD).append(" = redo", PLAIN),
            Text("DEAL", BOLD).append(" = set-up, where +1 held = light, +5 held = sound", PLAIN),
        ]
        lines += flowed(held, width, "; ")
        lines += flowed([Text("Ctrl-C", BOLD).append(" ends.", PLAIN)], width, "")
        if self._held:
            left = max(0.0, self._hold_ends - time.monotonic())
            lines.append(Text(f" holding {self._held.name}, {HOLD_S - left:.1f} s; any key lets go", BOLD))
        else:
            lines.append(Text(f" {self._last_key}" if self._last_key else "", QUIET))
        return lines

    def _write(self, text: str) -> None:
        if text:
            sys.stdout.write(text)
            sys.stdout.flush()


def quiet_keys(descriptor: int) -> None:
    """Keys come one by one, unseen, and Ctrl-Z is a key like any other."""
    tty.setcbreak(descriptor)
    attributes = termios.tcgetattr(descriptor)
    attributes[6][termios.VSUSP] = b"\0"
    termios.tcsetattr(descriptor, termios.TCSADRAIN, attributes)


def flowed(pieces: Sequence[Text], width: int, between: str) -> list[Text]:
    """The pieces side by side, in as many lines as the width asks for, each indented by one."""
    lines: list[Text] = []
    for piece in pieces:
        if lines and lines[-1].cell_len + len(between) + piece.cell_len <= width:
            lines[-1].append(between, PLAIN).append_text(piece)
        else:
            lines.append(Text(" ", PLAIN).append_text(piece))
    return lines


def padded(line: Text, width: int) -> Text:
    """The line with the board's ground to the edge of the panel."""
    line.append(" " * max(0, width - line.cell_len), PLAIN)
    return line
