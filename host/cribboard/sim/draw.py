"""The board as text: each light is drawn from the true bytes of its strip, fives apart, a street in a row if it fits.

An LED's byte is light, a screen's number is a signal with gamma; so bytes become what an eye sees that has grown used
to the board's brightness. The picture brings its own dark ground, for light terminals too. Without colours a letter
names the colour: a capital is bright (a front peg), a small one with + is half bright (pending points), a small one
alone is dim (a back peg, the crib), and : is faint.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rich.color import Color
from rich.style import Style
from rich.text import Text

from cribboard_core.variants import COLOURS
from cribboard_fw.paint import RGB, WHITE

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
class DrawOptions:
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


def track_lines(name: str, pixels: Sequence[Colour], look: DrawOptions, shape: tuple[int, int]) -> list[Text]:
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


def _light(line: Text, colour: Colour, columns: int, look: DrawOptions) -> None:
    if not any(colour):
        line.append("\u00b7".ljust(columns) if not look.letters else ".".ljust(columns), HOLE)
    elif look.letters:
        line.append(letter(colour, look.brightness).ljust(columns)[:columns], BOLD)
    else:
        red, green, blue = seen(colour, look.brightness)
        line.append("\u25cf".ljust(columns), Style.from_color(_rgb(red, green, blue), _GROUND))


def seen(colour: Colour, brightness: int) -> Colour:
    """The colour on a screen of light of these bytes, for an eye used to so many percent of brightness."""
    # 1 / 2.2: a strip's bytes are in proportion to its light, a screen's are not.
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
