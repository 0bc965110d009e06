"""How long each wire is: the electronics sit under the middle of the board, and wires run along its edges."""

from __future__ import annotations

import math
import re
from collections.abc import Callable

from cribboard.hardware.circuit import Wire
from cribboard.hardware.description import Description
from cribboard.hardware.shape import Layout, Point

NEAR_M = 0.15  # between two parts of the electronics
SPARE_M = 0.1  # to strip, to solder and to be wrong
SUPPLY_M = 0.3  # from the jack to the terminals
STEP_M = 0.05
JOINT_M = 0.06  # both ends of a wire from street to street, to strip and to solder
NEXT_M = 0.02  # the same from a pixel to the next


def lengths(board: Description) -> Callable[[Wire], float]:
    """The metres of a wire of this board's circuit, rounded up."""
    layout = Layout(board)
    middle = (layout.size[0] / 2, layout.size[1] / 2)
    places = {f"S{n}": point for n, point in enumerate(_groups(layout), 1)}

    def place(ref: str, pin: str) -> Point:
        if re.fullmatch(r"(LED|R)\d+", ref):  # the resistors are at the strips
            return layout.holes(int(ref.lstrip("LEDR")) - 1)[_led(layout, pin)]
        return places.get(ref, middle)

    def length(wire: Wire) -> float:
        if "pixel" in wire.end[1]:
            return round(board.shape.pitch_mm / 1000 + NEXT_M, 2)
        if "PS1" in (wire.start[0], wire.end[0]):
            return SUPPLY_M
        if wire.within and wire.start[0].startswith("S"):  # from a button to the next
            return _rounded(board.buttons.apart_mm / 1000 + SPARE_M)
        if wire.within and wire.start[0].startswith("U"):
            return STEP_M
        (x, y), (to_x, to_y) = place(*wire.start), place(*wire.end)
        metres = (abs(x - to_x) + abs(y - to_y)) / 1000
        return _rounded(metres + (JOINT_M if wire.within else SPARE_M) if metres else NEAR_M)

    return length


def _led(layout: Layout, pin: str) -> int:
    """The LED of a track that a pin is at."""
    joint = re.search(r"(start|end) of street (\d+)", pin)
    if joint:
        street = layout.streets[int(joint[2]) - 1]
        return street.start if joint[1] == "start" else street.stop - 1
    return layout.last if pin.endswith("at the end") else 0


def _rounded(metres: float) -> float:
    return round(math.ceil(round(metres / STEP_M, 6)) * STEP_M, 2)


def _groups(layout: Layout) -> list[Point]:
    """The middle of each group of buttons: the players' first, then the shared ones, as the circuit has them."""
    groups: dict[int | None, list[Point]] = {}
    for button in layout.buttons:
        groups.setdefault(button.place, []).append((button.x, button.y))
    order = [*sorted(place for place in groups if place is not None), None]
    return [_mean(groups[place]) for place in order]


def _mean(points: list[Point]) -> Point:
    return sum(x for x, _ in points) / len(points), sum(y for _, y in points) / len(points)
