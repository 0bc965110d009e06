"""The board as text: each light is drawn from the true bytes of its strip, fives apart, a street in a row if it fits.

An LED's byte is light, a screen's number is a signal with gamma; so bytes become what an eye sees that has grown used
to the board's brightness. The picture brings its own dark ground, for light terminals too. Without colours a letter
names the colour: a capital is bright (a front peg), a small one with + is half bright (pending points), a small one
alone is dim (a back peg, the crib), and : is faint.
"""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rich.color import Color
from rich.console import Console, ConsoleDimensions
from rich.style import Style
from rich.text import Text

from cribboard.board.messages import Standing
from cribboard_core.journal import Journal
from cribboard_core.match import Match
from cribboard_core.variants import COLOURS
from cribboard_fw.clock import WRAP
from cribboard_fw.entry import Entry
from cribboard_fw.lights import Lights
from cribboard_fw.paint import RGB, WHITE
from cribboard_fw.scene import GamePicture

Colour = tuple[int, int, int]
_rgb = Color.from_rgb
HUES = (*COLOURS, "white")
FIVE = 5
LABEL = 5
GROUND = "rgb(28,22,17)"
_GROUND = Color.parse(GROUND)
PLAIN = Style(color="rgb(198,188,172)", bgcolor=GROUND)
BOLD = Style(color="rgb(240,232,215)", bgcolor=GROUND, bold=True)
QUIET = Style(color="rgb(134,124,109)", bgcolor=GROUND)
HOLE = Style(color="rgb(84,72,58)", bgcolor=GROUND)
BRIGHT, HALF, FAINT = 50, 26, 5  # in 64ths, between the levels that the firmware paints with


@dataclass(frozen=True)
class Look:
    """How to draw: letters instead of colours, the board's brightness in percent, the columns, the rows for holes.

    `street` is the number of holes that the board itself has in a row.
    """

    letters: bool
    brightness: int
    width: int
    height: int
    street: int = 30

    def shape(self, tracks: int, leds: int) -> tuple[int, int]:
        """Holes in a row and columns a hole: as roomy as fits; a street a row if possible, else thirty."""
        choices = ((self.street, 2), (30, 2), (60, 2), (60, 1), (30, 1), (15, 2), (15, 1), (10, 1), (5, 1))
        fitting = [choice for choice in choices if row_width(*choice) <= self.width] or [choices[-1]]
        for holes, columns in fitting:
            if tracks * -((1 - leds) // holes) <= self.height:
                return holes, columns
        return max(fitting, key=lambda choice: choice[0])


def row_width(holes: int, columns: int) -> int:
    """The columns of a row with its label, its gaps and the game hole at the end."""
    return LABEL + holes * columns + holes // FIVE + 2


def track_lines(name: str, pixels: Sequence[Colour], look: Look, shape: tuple[int, int]) -> list[Text]:
    """A track: a ruler, then rows of holes, the game hole at the end of the last one."""
    holes, columns = shape
    lines = [_ruler(name, holes, columns)]
    last = len(pixels) - 1
    for first in range(0, last, holes):
        line = Text(f"{first + 1:>{LABEL - 1}} ", QUIET)
        for led in range(first, min(first + holes, last)):
            _light(line, pixels[led], columns, look)
            if (led + 1) % FIVE == 0:
                line.append(" ", PLAIN)
        if first + holes >= last:
            line.append("|", QUIET)
            _light(line, pixels[last], 1, look)
        lines.append(line)
    return lines


def _ruler(name: str, holes: int, columns: int) -> Text:
    """Every fifth hole's number above it, the track's name where the rows have their labels."""
    ruler = [" "] * row_width(holes, columns)
    for hole in range(FIVE, holes + 1, FIVE):
        at = LABEL + (hole - 1) * columns + (hole - 1) // FIVE
        for i, digit in enumerate(str(hole)):
            ruler[at - len(str(hole)) + 1 + i] = digit
    return Text(name.ljust(LABEL - 1)[: LABEL - 1], BOLD).append("".join(ruler[LABEL - 1 :]).rstrip(), QUIET)


def _light(line: Text, colour: Colour, columns: int, look: Look) -> None:
    if not any(colour):
        line.append("\u00b7".ljust(columns) if not look.letters else ".".ljust(columns), HOLE)
    elif look.letters:
        line.append(letter(colour, look.brightness).ljust(columns)[:columns], BOLD)
    else:
        red, green, blue = seen(colour, look.brightness)
        line.append("\u25cf".ljust(columns), Style.from_color(_rgb(red, green, blue), _GROUND))


def seen(colour: Colour, brightness: int) -> Colour:
    """The colour on a screen of light of these bytes, for an eye used to so many percent of brightness."""
    red, green, blue = (round(255 * min(1.0, byte / 255 * 100 / brightness) ** (1 / 2.2)) for byte in colour)
    return red, green, blue


def letter(colour: Colour, brightness: int) -> str:
    """Which of the board's colours it is, and how bright: 'O', 'o+', 'o' or ':'."""
    most = max(colour)
    who = min((WHITE, *range(WHITE)), key=lambda who: _distance(colour, who))
    level = (2 * most - 1) * 3200 // (max(RGB[who]) * brightness)  # bytes are rounded up
    name = HUES[who][0]
    if level >= BRIGHT:
        return name.upper()
    if level >= HALF:
        return name + "+"
    return name if level >= FAINT else ":"


def hue(place: int) -> Style:
    """A place's colour at full light, for text on the board's ground."""
    red, green, blue = seen(RGB[place], 100)
    return Style.from_color(_rgb(red, green, blue), _GROUND)


def _distance(colour: Colour, who: int) -> int:
    """How far from a colour of the board, as its bytes would be when as bright as this."""
    most, full = max(colour), max(RGB[who])
    return sum((byte + -channel * most // full) ** 2 for byte, channel in zip(colour, RGB[who], strict=True))


# Which key plays which button. A terminal never says that a key went up, so holding is a second kind of press.

# three neighbours for +1, +5 and OK of each place; the first two players sit at the two ends of a row
PLACE_KEYS = ("qwe", "uio", "asd", "jkl", "rty", "fgh")
UNDO_KEY, DEAL_KEY = "z", "x"
RUBOUT = "\x7f\x08"  # what backspace sends
NAMES = ("+1", "+5", "OK")


@dataclass(frozen=True)
class Button:
    """A button of the board: its pin, what to call it, and its key."""

    pin: str
    name: str
    key: str


class Layout:
    """The keys for a board with these buttons: three pins or None for each place, and the two that all share."""

    def __init__(self, places: Sequence[Sequence[str] | None], undo_pin: str, deal_pin: str) -> None:
        self.places: dict[int, list[Button]] = {}
        for place, (pins, keys) in enumerate(zip(places, PLACE_KEYS, strict=False)):
            if pins:
                names = [f"{COLOURS[place]} {name}" for name in NAMES]
                self.places[place] = [Button(*three) for three in zip(pins, names, keys, strict=True)]
        self.undo = Button(undo_pin, "UNDO", UNDO_KEY)
        self.deal = Button(deal_pin, "DEAL", DEAL_KEY)
        buttons = [button for three in self.places.values() for button in three] + [self.undo, self.deal]
        self._by_key = {button.key: button for button in buttons}

    def press(self, key: str) -> tuple[Button, bool] | None:
        """The button that a key plays and whether it is held down; None for a key that plays nothing."""
        if key in RUBOUT:
            return self.undo, False
        button = self._by_key.get(key.lower())
        return None if button is None else (button, key != key.lower())


# The score in numerals, from the board's own flash: the journal is read as the board reads it, and nobody is asked.

LOST = ("", "", ", skunked", ", double-skunked")


def read_match(flash: bytes) -> Match | None:
    """The match that a flash holds, or None when it holds no journal yet."""
    match = Match()
    return match if Journal(bytearray(flash)).mount(match, 0) else None


def score_lines(match: Match) -> list[str]:
    """One entry for each side, and one for the game: 'orange 12 (8)' is the front peg and the back peg."""
    lines = []
    for side in match.sides:
        lost = LOST[match.skunked(side)]
        won = f", won {match.won(side)}" if match.won(side) else ""
        lines.append(f"{COLOURS[side]} {match.front(side)} ({match.back(side)}){won}{lost}")
    if match.winner >= 0:
        lines.append(f"{COLOURS[match.winner]} has won the game to {match.target}")
    else:
        lines.append(f"{COLOURS[match.dealer]} deals, to {match.target}")
    return lines


# A screen that does not flicker: only lines that changed are sent, each whole, all of them in one write.

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


# What a board's strips show, made by the firmware's own lights from how its match stands, without asking the board.

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
