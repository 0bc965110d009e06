"""What lies over what, from the face to the bars: a thin face, paper that shines, a light sheet, light guides.

The paper lies right under the face, so that it is seen from every chair; the thick sheet behind it keeps each light to
its own hole. Screws from the top of the light sheet, hidden by the face, hold guides and bars.
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
CLAMP_HOLE_MM, CLAMP_HEAD_MM, CLAMP_SINK_MM = 3.2, 5.5, 1.65  # ISO 7046: of the hole; the head's width and height
BEYOND_MM = 0.5  # a screw ends no nearer to its nut's end
DOME_MM, FLANGE_UP_MM = 7.6, 1.0  # a single pixel above its flange, and the flange (data sheets of 5 mm LEDs)
RING_MM, RINGED_MM = 2.0, 1.0  # the ring glued behind a face at a button, and the face that is too thin without it


@dataclass(frozen=True)
class Nut:
    """Across its flats, and its height (ISO 4032)."""

    flats: float
    high: float


NUTS = {
    "M2": Nut(4.0, 1.6),
    "M2.5": Nut(5.0, 2.0),
    "M3": Nut(5.5, 2.4),
    "M4": Nut(7.0, 3.2),
    "M5": Nut(8.0, 4.7),
    "M6": Nut(10.0, 5.2),
}


@dataclass(frozen=True)
class Stack:
    """The stack of a board, in millimetres."""

    shape: Shape

    @property
    def paper(self) -> float:
        """The diffuser; single pixels, whose domes come up to the face, have none."""
        return PAPER_MM if self.shape.strip_mm else 0.0

    @property
    def front(self) -> float:
        """All that lies on the light sheet."""
        return self.shape.cover_mm + self.shape.face_mm + self.paper

    @property
    def above(self) -> float:
        """What stands above that which shines, around a hole: the face, or what a dome lacks to its top."""
        if self.shape.strip_mm:
            return self.shape.face_mm
        return max(0.0, self.shape.face_mm + self.shape.thickness_mm - DOME_MM)

    @property
    def proud(self) -> float:
        """What a single pixel's dome sticks out of the face."""
        return 0.0 if self.shape.strip_mm else max(0.0, DOME_MM - self.shape.face_mm - self.shape.thickness_mm)

    @property
    def clamp_needed(self) -> float:
        """From the top of the light sheet to the end of a clamp's nut, and a little more."""
        return self.shape.thickness_mm + GUIDE_MM + BAR_MM + NUTS["M3"].high + BEYOND_MM

    @property
    def clamp_long(self) -> int:
        """The screws that hold guides and bars; 0 when none that is sold is long enough."""
        return next((long for long in CLAMPS_MM if long >= round(self.clamp_needed, 6)), 0)

    @property
    def ring(self) -> float:
        """How thick the ring behind each button is, which a thin face needs; 0 where it needs none."""
        return RING_MM if self.shape.face_mm + self.shape.cover_mm < RINGED_MM else 0.0

    @property
    def panel(self) -> float:
        """What a button clamps."""
        return self.shape.face_mm + self.shape.cover_mm + self.ring


def seen(above_mm: float, hole_mm: float, degrees: float) -> float:
    """The share of a hole's disc of light that is seen at an angle from the vertical, over its rim."""
    shift = above_mm * math.tan(math.radians(degrees)) / hole_mm
    if shift >= 1:
        return 0.0
    return 2 / math.pi * (math.acos(shift) - shift * math.sqrt(1 - shift * shift))
