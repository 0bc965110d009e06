"""The way of the pegs, in the middle between the tracks: streets side by side, an oval, or a 29."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from cribboard.hardware import twenty_nine
from cribboard.hardware.description import GAP, START, Description, Shape, Tracks

STARTS = tuple(-0.5 - n for n in range(START, 0, -1))  # half a place is free before hole 1
BEFORE = START + 1  # places of the way before hole 1


@dataclass(frozen=True)
class Spot:
    """A place of the way: where it is, where it goes, and on which hand of it (1 left, -1 right) track 1 is."""

    x: float
    y: float
    angle: float
    hand: int = 1

    def across(self, distance: float) -> tuple[float, float]:
        """The point so far from the middle; positive is the side of track 1."""
        distance *= self.hand
        return self.x - math.sin(self.angle) * distance, self.y + math.cos(self.angle) * distance

    def along(self, distance: float) -> Spot:
        """The spot so much further on, straight ahead."""
        return self.moved(math.cos(self.angle) * distance, math.sin(self.angle) * distance)

    def moved(self, x: float, y: float) -> Spot:
        """The same, elsewhere."""
        return Spot(self.x + x, self.y + y, self.angle, self.hand)

    def seen_from(self, corner: str) -> Spot:
        """The same on a board whose way begins in another corner."""
        spot = self
        if corner.endswith("right"):
            spot = Spot(-spot.x, spot.y, math.pi - spot.angle, -spot.hand)
        if corner.startswith("bottom"):
            spot = Spot(spot.x, -spot.y, -spot.angle, -spot.hand)
        return spot


def way(description: Description) -> Callable[[float], Spot]:
    """The function from a place to its spot."""
    shape, tracks = description.shape, description.tracks
    if shape.kind == "streets":
        plain = _streets(shape, tracks)
    else:
        plain = _oval(shape) if shape.kind == "oval" else _figures(shape, tracks)
    return lambda place: plain(place).seen_from(tracks.data_enters)


def bowl_end() -> float:
    """The place of a 29 where the bowl of its 2 ends."""
    return twenty_nine.BOWL_LONG - BEFORE


def _streets(shape: Shape, tracks: Tracks) -> Callable[[float], Spot]:
    holes = (tracks.leds - 1) // shape.streets

    def spot(place: float) -> Spot:
        street = min(max(0, math.floor(place + 0.5) // holes), shape.streets - 1)
        back = tracks.serpentine and street % 2 == 1
        along = place - street * holes
        x = (holes - 1 - along if back else along) * shape.pitch_mm
        return Spot(x, -street * shape.apart_mm, math.pi if back else 0.0)

    return spot


def _oval(shape: Shape) -> Callable[[float], Spot]:
    side, bend = shape.straight * shape.pitch_mm, shape.bend * shape.pitch_mm
    radius = bend / math.pi

    def spot(place: float) -> Spot:
        along = (place + START + GAP + 0.5) * shape.pitch_mm % (2 * (side + bend))
        half, rest = divmod(along, side + bend)
        if rest <= side:
            x, y, angle = rest - side / 2, radius, 0.0
        else:
            angle = -(rest - side) / radius
            x, y = side / 2 - math.sin(angle) * radius, math.cos(angle) * radius
        return Spot(-x, -y, angle - math.pi) if half else Spot(x, y, angle)  # the second half is the first one, turned

    return spot


def _figures(shape: Shape, tracks: Tracks) -> Callable[[float], Spot]:
    at = twenty_nine.stroke(BEFORE + tracks.leds)

    def spot(place: float) -> Spot:
        x, y, angle = at(place + BEFORE)
        return Spot(x * shape.pitch_mm, y * shape.pitch_mm, angle)

    return spot
