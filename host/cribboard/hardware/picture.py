"""A picture in the making: shapes, words that lie on no line, and wires that find their way around both.

Each colour of wire has a pattern as well, so that nobody has to see colours.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from html import escape
from itertools import pairwise

Point = tuple[float, float]
Box = tuple[float, float, float, float]  # left, top, right, bottom

LETTER = 0.58  # how wide a letter is, in heights
LINE = "#333"
# By the colours of the wiring: how a wire is drawn, its dashes, and what the pattern is called.
WIRES = {
    "RD": ("#d02020", "", "red, whole"),
    "BK": ("#202020", "3.2 1.6", "black, dashes"),
    "GN": ("#208030", "0.1 1.9", "green, dots"),
    "YE": ("#b08000", "4 1.6 0.1 1.6", "yellow, dash and dot"),
    "BU": ("#2050d0", "4 1.6 0.1 1.6 0.1 1.6", "blue, dash and two dots"),
    "WH": ("#ffffff", "", "white, double line"),
}
WIRE_WIDE, TURN, CROSS, OVER = 0.9, 4.0, 6.0, 200.0  # costs of a wire's way, in steps


@dataclass
class Picture:
    """An SVG in the making, y down; lines and texts are kept, so that a test sees whether one lies on the other."""

    width: float
    height: float
    title: str
    description: str  # of what it shows
    parts: list[str] = field(default_factory=list)
    lines: list[tuple[Point, Point]] = field(default_factory=list)
    texts: list[tuple[str, float, float, float, float]] = field(default_factory=list)

    def shape(self, points: Sequence[Point], fill: str, stroke: str = LINE) -> None:
        """A closed area."""
        around = " ".join(f"{x:.2f},{y:.2f}" for x, y in points)
        self.parts.append(f'<polygon points="{around}" fill="{fill}" stroke="{stroke}" stroke-width="0.3"/>')
        self.lines += zip(points, [*points[1:], points[0]], strict=True)

    def box(self, x: float, y: float, width: float, height: float, fill: str) -> None:
        """A rectangle by its upper left corner."""
        self.shape([(x, y), (x + width, y), (x + width, y + height), (x, y + height)], fill)

    def disc(self, x: float, y: float, radius: float, fill: str, stroke: str = LINE) -> None:
        """A circle."""
        at = f'cx="{x:.2f}" cy="{y:.2f}" r="{radius:.2f}"'
        self.parts.append(f'<circle {at} fill="{fill}" stroke="{stroke}" stroke-width="0.3"/>')
        around = [
            (x + radius * math.cos(math.pi * turn / 4), y + radius * math.sin(math.pi * turn / 4)) for turn in range(8)
        ]
        self.lines += zip(around, [*around[1:], around[0]], strict=True)

    def line(self, start: Point, end: Point, stroke: str = LINE, wide: float = 0.3) -> None:
        """A straight stroke."""
        where = f'x1="{start[0]:.2f}" y1="{start[1]:.2f}" x2="{end[0]:.2f}" y2="{end[1]:.2f}"'
        self.parts.append(f'<line {where} stroke="{stroke}" stroke-width="{wide}" stroke-linecap="round"/>')
        self.lines.append((start, end))

    def wire(self, points: Sequence[Point], colour: str, wide: float = WIRE_WIDE) -> None:
        """A wire along points, in its colour and pattern."""
        stroke, dashes, _ = WIRES[colour]
        along = " ".join(f"{x:.2f},{y:.2f}" for x, y in points)
        style = 'fill="none" stroke-linecap="round" stroke-linejoin="round"'
        if colour == "WH":
            self.parts.append(f'<polyline points="{along}" {style} stroke="#555" stroke-width="{1.6 * wide:g}"/>')
            style = 'fill="none" stroke-linejoin="round"'
        pattern = f' stroke-dasharray="{dashes}"' if dashes else ""
        self.parts.append(f'<polyline points="{along}" {style} stroke="{stroke}" stroke-width="{wide:g}"{pattern}/>')
        self.lines += pairwise(points)

    def write(self, x: float, y: float, words: str, high: float, anchor: str = "start") -> None:
        """Write a text; y is the middle of its height."""
        self.texts.append((words, *_around(x, y, words, high, anchor)))
        at = f'x="{x:.2f}" y="{y + high * 0.36:.2f}" font-size="{high:g}" text-anchor="{anchor}"'
        self.parts.append(f'<text {at} font-family="sans-serif">{escape(words)}</text>')

    def label(self, words: str, places: Sequence[Point], high: float) -> bool:
        """Write at the first of these middles where the text covers nothing; False if all are taken."""
        for x, y in places:
            left, top, right, bottom = _around(x, y, words, high, "middle")
            if self.free((left - high * CAPITALS, top, right + high * CAPITALS, bottom)):
                self.write(x, y, words, high, "middle")
                return True
        return False

    def free(self, area: Box) -> bool:
        """Whether there is no line, no text and no edge of the picture in it."""
        left, top, right, bottom = area
        if left < 0 or top < 0 or right > self.width or bottom > self.height:
            return False
        if any(left < text[3] and text[1] < right and top < text[4] and text[2] < bottom for text in self.texts):
            return False
        return not any(_through(line, area) for line in self.lines)

    def key(self, x: float, y: float, colours: dict[str, str], high: float = 3.6) -> float:
        """What each colour and pattern of a wire is, a line each; gives the y below it."""
        for colour, use in colours.items():
            self.wire([(x, y), (x + 20, y)], colour)
            self.write(x + 23, y, f"{WIRES[colour][2]}: {use}", high)
            y += high * 1.6
        return y

    def tick(self, x: float, y: float, words: str, high: float = 3.4) -> None:
        """A box to tick, and what it is for."""
        self.box(x, y - high / 2, high, high, "#fff")
        self.write(x + 1.6 * high, y, words, high)

    def svg(self) -> str:
        """The file's text."""
        size = f'viewBox="0 0 {self.width:g} {self.height:g}" width="{self.width:g}mm" height="{self.height:g}mm"'
        named = 'role="img" aria-labelledby="title told"'
        head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} {named} style="background:#fff">'
        words = [
            f'<title id="title">{escape(self.title)}</title>',
            f'<desc id="told">{escape(self.description)}</desc>',
        ]
        return "\n".join([head, *words, *self.parts, "</svg>", ""])


CAPITALS = 0.15  # a label is short and all of it may be wider than most letters


def _around(x: float, y: float, words: str, high: float, anchor: str) -> Box:
    wide = len(words) * high * LETTER
    left = {"start": x, "middle": x - wide / 2, "end": x - wide}[anchor]
    return left, y - high / 2, left + wide, y + high / 2


def _through(line: tuple[Point, Point], area: Box) -> bool:
    """Whether a straight line has a point in a rectangle."""
    (x, y), (to_x, to_y) = line
    # Liang and Barsky: what is left of the line between each pair of the rectangle's sides.
    first, last = 0.0, 1.0
    for start, along, low, high in ((x, to_x - x, area[0], area[2]), (y, to_y - y, area[1], area[3])):
        if not along:
            if not low <= start <= high:
                return False
            continue
        near, far = sorted(((low - start) / along, (high - start) / along))
        first, last = max(first, near), min(last, far)
    return first <= last


Node = tuple[int, int]
SIDES = ((1, 0), (0, 1), (-1, 0), (0, -1))


class Router:
    """The grid of a picture, on which wires find their way: around words and pads, and never along another wire.

    A place of the grid is one number, column times `stride` plus row: millions of them are looked at.
    """

    def __init__(self, picture: Picture, step: float, pads: Collection[Point] = (), solid: Sequence[Box] = ()) -> None:
        """Words and bodies that are there already stand in the way, and so do pads, but for those of a wire itself."""
        self.picture, self.step = picture, step
        self.columns, self.rows = int(picture.width / step), int(picture.height / step)
        self.stride = self.rows + 2
        inner = {column * self.stride + row for column in range(1, self.columns) for row in range(1, self.rows)}
        self._shut = bytearray(number not in inner for number in range((self.columns + 2) * self.stride))
        for pad in pads:
            self._shut[self._at(self.node(pad))] = True
        for _, left, top, right, bottom in picture.texts:
            self._stop((left - step / 3, top - step / 3, right + step / 3, bottom + step / 3))
        for area in solid:
            self._stop(area)
        self._runs: dict[int, str] = {}  # by twice the lesser end of a step, and one more when it goes down
        self._passed: dict[int, str] = {}

    def node(self, point: Point) -> Node:
        """The nearest place of the grid."""
        return round(point[0] / self.step), round(point[1] / self.step)

    def route(self, start: Point, end: Point, colour: str, of: str) -> list[Point]:
        """Draw a wire by its cheapest way; those of one name may share a part of it."""
        places = self._search(self._at(self.node(start)), self._at(self.node(end)), of)
        for one, other in pairwise(places):
            self._runs[2 * min(one, other) + (abs(one - other) == 1)] = of
        for place in places:
            self._passed.setdefault(place, of)
        path = [divmod(place, self.stride) for place in places]
        inner = [
            (column * self.step, row * self.step)
            for number, (column, row) in enumerate(path)
            if 0 < number < len(path) - 1 and _turns(path[number - 1], path[number], path[number + 1])
        ]
        points = [start, *inner, end]
        self.picture.wire(points, colour)
        return points

    def _at(self, node: Node) -> int:
        return node[0] * self.stride + node[1]

    def _stop(self, area: Box) -> None:
        left, top, right, bottom = (edge / self.step for edge in area)
        for column in range(max(1, math.ceil(left)), min(self.columns - 1, math.floor(right)) + 1):
            for row in range(max(1, math.ceil(top)), min(self.rows - 1, math.floor(bottom)) + 1):
                self._shut[column * self.stride + row] = True

    def _search(self, start: int, goal: int, of: str) -> list[int]:
        # A* over (place, side it was entered from): the side is part of the state since a turn costs extra.
        # A state is five times the place, and from 0 to 4 for no side and the four.
        stride, (goal_column, goal_row) = self.stride, divmod(goal, self.stride)
        first = 5 * start
        cost, before = {first: 0.0}, dict[int, int]()
        queue = [(0.0, first)]
        while queue:
            guess, state = heapq.heappop(queue)
            place = state // 5
            if place == goal:
                path = [place]
                while state in before:
                    state = before[state]
                    path.append(state // 5)
                return path[::-1]
            so_far = cost[state]
            apart = abs(place // stride - goal_column) + abs(place % stride - goal_row)
            if guess > so_far + apart + 1e-9:
                continue
            for after, step in self._steps(state, goal, of):
                spent = so_far + step
                if spent < cost.get(after, math.inf):
                    cost[after], before[after] = spent, state
                    to = after // 5
                    away = abs(to // stride - goal_column) + abs(to % stride - goal_row)
                    heapq.heappush(queue, (spent + away, after))
        return [start, goal]  # shut in by words: straight over them

    def _steps(self, state: int, goal: int, of: str) -> Iterator[tuple[int, float]]:
        place, side = state // 5, state % 5 - 1
        runs, passed, shut = self._runs, self._passed, self._shut
        crossing = side >= 0 and passed.get(place, of) != of
        for number, by in enumerate((self.stride, 1, -self.stride, -1)):
            to = place + by
            if (shut[to] and to != goal) or (side >= 0 and (number - side) % 4 == 2):
                continue
            turn = TURN if side >= 0 and number != side else 0.0
            along = OVER if runs.get(2 * min(place, to) + number % 2, of) != of else 0.0
            over = CROSS if passed.get(to, of) != of else 0.0
            yield 5 * to + number + 1, 1 + turn + along + over + (OVER if crossing and turn else 0.0)


def _turns(before: Node, node: Node, after: Node) -> bool:
    return (node[0] - before[0], node[1] - before[1]) != (after[0] - node[0], after[1] - node[1])
