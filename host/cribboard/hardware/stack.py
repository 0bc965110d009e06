"""What lies over what, from the face to the bars: a thin face, paper that shines, a light sheet, light guides.

The paper lies right under the face, so that it is seen from every chair; the thick sheet behind it keeps each light to
its own hole. The face is stuck to the light sheet with film around the paper. Screws from the top of the light sheet,
hidden by the face, hold guides, bars and the case.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from cribboard.hardware.description import Shape

PAPER_MM = 0.1
GUIDE_MM, CHANNEL_MM = 4.0, 2.5  # a guide, and the channel of a strip in it: a strip and its pixels are 2 mm
STRIP_MM, PIXEL_UP_MM, TAPE_MM = 0.4, 1.6, 0.15  # a strip, a pixel on it, and its own adhesive tape
BAR_MM = 2.4  # below the guide: what the strip lies on, and the nuts press
CLAMPS_MM = (10, 12, 16, 20)  # countersunk screws M3 are sold by these
FILM_MM, FILM_INSIDE_MM = 6.0, 0.5  # how wide the film is, which is as thin as the paper, and from it to the edge
CLAMP_HOLE_MM = 3.2
BEYOND_MM = 0.5  # a screw ends no nearer to its nut's end
DOME_MM, FLANGE_UP_MM = 7.6, 1.0  # a single pixel above its flange, and the flange (data sheets of 5 mm LEDs)
RING_MM, RINGED_MM = 2.0, 1.0  # the ring glued behind a face at a button, and the face that is too thin without it


@dataclass(frozen=True)
class Nut:
    """Across its flats, and its height (ISO 4032)."""

    flats: float
    high: float


@dataclass(frozen=True)
class Round:
    """A countersunk head (ISO 7046) or a washer (ISO 7089): how wide and high it is."""

    wide: float
    high: float


NUTS = {
    "M2": Nut(4.0, 1.6),
    "M2.5": Nut(5.0, 2.0),
    "M3": Nut(5.5, 2.4),
    "M4": Nut(7.0, 3.2),
    "M5": Nut(8.0, 4.7),
    "M6": Nut(10.0, 5.2),
}
HEADS = {
    "M2": Round(3.8, 1.2),
    "M2.5": Round(4.7, 1.5),
    "M3": Round(5.5, 1.65),
    "M4": Round(8.4, 2.7),
    "M5": Round(9.3, 2.7),
    "M6": Round(11.3, 3.3),
}
WASHERS = {
    "M2": Round(5.0, 0.3),
    "M2.5": Round(6.0, 0.5),
    "M3": Round(7.0, 0.5),
    "M4": Round(9.0, 0.8),
    "M5": Round(10.0, 1.0),
    "M6": Round(12.0, 1.6),
}
CLAMP_HEAD_MM, SINK_SLACK_MM = HEADS["M3"].wide, 0.5


@dataclass(frozen=True)
class Stack:
    """The stack of a board, in millimetres."""

    shape: Shape

    @property
    def paper(self) -> float:
        """The diffuser; single pixels, whose domes come up to the face, have none."""
        return PAPER_MM if self.shape.strip_mm else 0.0

    @property
    def between(self) -> float:
        """Between face and light sheet: the paper, and the film around it, which single pixels have too."""
        return max(self.paper, PAPER_MM)

    @property
    def front(self) -> float:
        """All that lies on the light sheet."""
        return self.shape.cover_mm + self.shape.face_mm + self.between

    @property
    def above(self) -> float:
        """What stands above that which shines, around a hole: the face, or what a dome lacks to its top."""
        if self.shape.strip_mm:
            return self.shape.face_mm
        return max(0.0, self.between + self.shape.face_mm + self.shape.thickness_mm - DOME_MM)

    @property
    def proud(self) -> float:
        """What a single pixel's dome sticks out of the face."""
        return (
            0.0
            if self.shape.strip_mm
            else max(0.0, DOME_MM - self.between - self.shape.face_mm - self.shape.thickness_mm)
        )

    @property
    def clamp_needed(self) -> float:
        """From the top of the light sheet to the end of a clamp's nut, and a little more."""
        return self.shape.thickness_mm + GUIDE_MM + BAR_MM + NUTS["M3"].high + BEYOND_MM

    @property
    def clamp_long(self) -> int:
        """The screws that hold guides and bars; 0 when none that is sold is long enough."""
        return next((long for long in CLAMPS_MM if long >= round(self.clamp_needed, 6)), 0)

    @property
    def pin_long(self) -> int:
        """The longest pin of a dot, below its head: behind the light sheet none reaches strips, guides or wires."""
        return math.floor(round(self.front + self.shape.thickness_mm, 6))

    @property
    def ring(self) -> float:
        """How thick the ring behind each button is, which a thin face needs; 0 where it needs none."""
        return RING_MM if self.shape.face_mm + self.shape.cover_mm < RINGED_MM else 0.0

    @property
    def panel(self) -> float:
        """What a button clamps."""
        page = 0.0 if self.shape.face_mm else self.paper
        return self.shape.face_mm + self.shape.cover_mm + page + self.ring


def sink_mm(screw: str, hole_mm: float) -> float:
    """Across the countersink of a screw in a hole, in the drawings and in the solids."""
    return max(HEADS[screw].wide, hole_mm) + SINK_SLACK_MM


def seen(above_mm: float, hole_mm: float, degrees: float) -> float:
    """The share of a hole's disc of light that is seen at an angle from the vertical, over its rim."""
    # The rim above hides what the disc is shifted by: two equal circles overlap by a lens, and its area is known.
    shift = above_mm * math.tan(math.radians(degrees)) / hole_mm
    if shift >= 1:
        return 0.0
    return 2 / math.pi * (math.acos(shift) - shift * math.sqrt(1 - shift * shift))
