"""The way of a board in the shape of the figures 29, in one stroke: the base of the 2 runs on into the tail of the 9.

All lengths are in pitches, from the middle of the bowl of the 2, x to the right and y up.
"""

from __future__ import annotations

import math
from collections.abc import Callable

BOWL, CORNER, TAIL = 6.8, 3.7, 4.6  # radii: of the bowl of the 2 and the ring of the 9, of the 2's corner, the 9's tail
SPREAD = 19.4  # from the middle of the bowl to the middle of the ring
LEAN = math.pi / 6  # of the 2's slanting stroke, from upright
RING_TURN = math.radians(285)  # the ring stays open, so that its end is clear of the stem
BOWL_TURN, CORNER_TURN, TAIL_TURN = math.pi + LEAN, math.pi / 2 + LEAN, math.pi / 2
BOWL_LONG, RING_LONG = BOWL * BOWL_TURN, BOWL * RING_TURN

Stroke = tuple[float, float]  # how long it is, and how far it turns; positive is to the left


def stroke(long: float) -> Callable[[float], tuple[float, float, float]]:
    """The function from a distance along the stroke to x, y and direction; the whole is `long`."""
    strokes = _strokes(long)

    def at(distance: float) -> tuple[float, float, float]:
        x, y, angle = -BOWL, 0.0, math.pi / 2
        for number, (length, turn) in enumerate(strokes):
            here = distance if number == len(strokes) - 1 else min(distance, length)
            x, y, angle = _on(x, y, angle, here, turn / length)
            distance -= here
            if distance <= 0:
                break
        return x, y, angle

    return at


def least() -> float:
    """How long the whole must be to have the right shape."""
    return sum(length for length, _ in _with_stem(0))


def _strokes(long: float) -> list[Stroke]:
    """The stem of the 9 takes what is left, and the slanting stroke and the base grow with it."""
    return _with_stem((long - least()) / (1 + 1 / math.cos(LEAN) + math.tan(LEAN)))


def _with_stem(stem: float) -> list[Stroke]:
    high = TAIL + stem  # from the base to the middle of the bowl
    slant = (high - BOWL * math.sin(LEAN) - CORNER * (1 + math.sin(LEAN))) / math.cos(LEAN)
    corner_ends = (BOWL + CORNER) * math.cos(LEAN) - slant * math.sin(LEAN)
    return [
        (BOWL_LONG, -BOWL_TURN),
        (slant, 0.0),
        (CORNER * CORNER_TURN, CORNER_TURN),
        (SPREAD + BOWL - TAIL - corner_ends, 0.0),
        (TAIL * TAIL_TURN, TAIL_TURN),
        (stem, 0.0),
        (RING_LONG, RING_TURN),
    ]


def _on(x: float, y: float, angle: float, length: float, bend: float) -> tuple[float, float, float]:
    """Further on by this length, on a line that bends so much a pitch."""
    if not bend:
        return x + math.cos(angle) * length, y + math.sin(angle) * length, angle
    after = angle + bend * length
    return x + (math.sin(after) - math.sin(angle)) / bend, y + (math.cos(angle) - math.cos(after)) / bend, after
