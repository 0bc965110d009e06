"""How long each wire is: the electronics sit under the middle of the board, and wires run along its edges."""

from __future__ import annotations

import math
from collections.abc import Callable

from cribboard.hardware.circuit import Wire
from cribboard.hardware.description import Description
from cribboard.hardware.layout import Layout, Point

NEAR_M = 0.15  # between two parts of the electronics
SPARE_M = 0.1  # to strip, to solder and to be wrong
SUPPLY_M = 1.0  # from a supply under the table
STEP_M = 0.05


def lengths(board: Description) -> Callable[[Wire], float]:
    """The metres of a wire of this board's circuit, rounded up."""
    layout = Layout(board)
    middle = (layout.size[0] / 2, layout.size[1] / 2)
    places = {f"S{n}": point for n, point in enumerate(_groups(layout), 1)}

    def place(ref: str, pin: str) -> Point:
        if ref.startswith(("LED", "R")):  # the resistors are at the strips
            holes = layout.holes(int(ref.lstrip("LEDR")) - 1)
            return holes[-1] if pin.endswith("at the end") else holes[0]
        return places.get(ref, middle)

    def length(wire: Wire) -> float:
        if ("PS1", "GND") in (wire.start, wire.end) or ("F0", "out") in (wire.start, wire.end):
            return SUPPLY_M
        if wire.start[0] == wire.end[0]:  # from a button to the next
            metres = board.buttons.apart_mm / 1000
            return _rounded(metres + SPARE_M)
        (x, y), (to_x, to_y) = place(*wire.start), place(*wire.end)
        metres = (abs(x - to_x) + abs(y - to_y)) / 1000
        return _rounded(metres + SPARE_M if metres else NEAR_M)

    return length


def _rounded(metres: float) -> float:
    return round(math.ceil(round(metres / STEP_M, 6)) * STEP_M, 2)


def _groups(layout: Layout) -> list[Point]:
    """The middle of each group of buttons: the players' first, then the shared ones, as the circuit has them."""
    found: dict[int | None, list[Point]] = {}
    for button in layout.buttons:
        found.setdefault(button.place, []).append((button.x, button.y))
    order = [*sorted(place for place in found if place is not None), None]
    return [_mean(found[place]) for place in order]


def _mean(points: list[Point]) -> Point:
    return sum(x for x, _ in points) / len(points), sum(y for _, y in points) / len(points)
