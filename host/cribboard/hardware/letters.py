"""Letters as single strokes, for engraving: machines know no fonts, and every program draws these alike."""

from __future__ import annotations

from cribboard.hardware.shape import Point

WIDE, HIGH, GAP = 4, 6, 2

_STROKES = {
    "0": "10 01 05 16 36 45 41 30 10",
    "1": "14 26 20|10 30",
    "2": "05 16 36 45 44 00 40",
    "3": "05 16 36 45 44 33 13|33 42 41 30 10 01",
    "4": "30 36 02 42",
    "5": "46 06 03 33 42 41 30 10 01",
    "6": "45 36 16 05 01 10 30 41 42 33 03",
    "7": "06 46 10",
    "8": "13 04 05 16 36 45 44 33 13 02 01 10 30 41 42 33",
    "9": "01 10 30 41 45 36 16 05 04 13 43",
    "+": "03 43|25 21",
    "-": "03 43",
    "/": "00 46",
    "A": "00 26 40|12 32",
    "B": "00 06 36 45 44 33 03|33 42 41 30 00",
    "C": "45 36 16 05 01 10 30 41",
    "D": "00 06 26 44 42 20 00",
    "E": "40 00 06 46|03 33",
    "F": "00 06 46|03 33",
    "G": "45 36 16 05 01 10 30 41 43 23",
    "H": "00 06|40 46|03 43",
    "I": "10 30|16 36|20 26",
    "J": "01 10 20 31 36",
    "K": "00 06|46 03 40",
    "L": "06 00 40",
    "M": "00 06 23 46 40",
    "N": "00 06 40 46",
    "O": "10 01 05 16 36 45 41 30 10",
    "P": "00 06 36 45 44 33 03",
    "Q": "10 01 05 16 36 45 41 30 10|22 40",
    "R": "00 06 36 45 44 33 03|23 40",
    "S": "45 36 16 05 04 13 33 42 41 30 10 01",
    "T": "20 26|06 46",
    "U": "06 01 10 30 41 46",
    "V": "06 20 46",
    "W": "06 10 23 30 46",
    "X": "00 46|06 40",
    "Y": "06 23 46|23 20",
    "Z": "06 46 00 40",
}

Hole = tuple[float, float, float]  # with its radius


def unknown(text: str) -> str:
    """The letters of a text that machines have no strokes for, each once."""
    return "".join(dict.fromkeys(letter for letter in text if letter != " " and letter.upper() not in _STROKES))


def width(text: str, high: float) -> float:
    """How wide a text of this height is."""
    return (len(text) * (WIDE + GAP) - GAP) * high / HIGH if text else 0.0


def strokes(text: str, x: float, y: float, high: float) -> list[list[Point]]:
    """The strokes of a text whose middle is at x, y; a letter that machines have not is left out as a blank is."""
    scale = high / HIGH
    left, bottom = x - width(text, high) / 2, y - high / 2
    drawn = []
    for letter in text.upper():
        for stroke in _STROKES.get(letter, "").split("|"):
            points = [(left + int(point[0]) * scale, bottom + int(point[1]) * scale) for point in stroke.split()]
            if points:
                drawn.append(points)
        left += (WIDE + GAP) * scale
    return drawn
