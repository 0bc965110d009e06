"""The case behind the face, cut from the same sheet: a back, four walls, and corners of stacked plates with fingers.

Every other plate of a corner has ears that go into notches of the two walls beside it. One long screw in each corner
goes through face, plates and back. The walls stand a little inside of the edge, so that drops fall off the face.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from cribboard.hardware.carrier import HOLES
from cribboard.hardware.drawing import Box, Circle, Line, Piece
from cribboard.hardware.findings import Finding
from cribboard.hardware.letters import strokes
from cribboard.hardware.light_guide import border, pieces
from cribboard.hardware.shape import Layout, Point

SPACER_MM, PCB_MM, PCB_NUT_MM = 4.0, 1.6, 2.0  # below the controller's board, itself, and above it
# A Pico on it: 8.5 mm of socket, 2.5 of pin strip, 1 of its own and 1 of what is soldered to it; and its USB socket
PICO_MM, PICO_UP_MM, PICO_USB_MM = (21.0, 51.0), SPACER_MM + PCB_MM + 13.0, (8.0, 6.0, 2.6)
GUIDE_MM, DIFFUSER_MM, FOAM_MM = 8.0, 0.6, 3.0
DEPTH_MM = PICO_UP_MM - 1 + PICO_USB_MM[2] + GUIDE_MM + DIFFUSER_MM  # between face and back; a push-button takes 27
OVERHANG_MM = 3.0  # of face and back over the walls: the drip edge
EAR_MM = 8.0  # how far a corner's ears reach along the walls
AROUND_SCREW_MM = 5.0
TAB_MM, TABS_APART_MM = 20.0, 100.0  # of the walls, in slots of the back
PILLAR_MM = (20.0, 12.0)
USB_MM, USB_UP_MM = (14.0, 12.0), 19.0  # the opening for a plug's moulding, and its middle above the back: the socket's
JACK_MM, JACK_UP_MM = (15.0, 13.0), 8.0  # the same for a jack with terminals
JACK_DEEP_MM = 45.0  # how far it goes in
JACK_ASIDE_MM = 52.0  # from the middle of the controller's board, beside which it lies
FEET_MM = 3.0  # holes of the controller's board in the back
BOARD_MM = (HOLES[3][0] - HOLES[0][0], HOLES[3][1] - HOLES[0][1])  # between those holes
BOARD_EDGE_MM = HOLES[0][0]  # around them
BOARD_HALF_MM = BOARD_MM[0] / 2 + BOARD_EDGE_MM
FROM_WALL_MM = 6.0  # of the carrier board's nearer holes
CLEAR_MM = 2.0  # around what pillars must not touch
SCREWS = {2.2: "M2", 2.7: "M2.5", 3.2: "M3", 4.3: "M4", 5.3: "M5", 6.4: "M6"}  # by the hole that each needs
BUTTON_NUT_MM = 1.5  # around a button, behind the face
NUT_MM = 5.0  # what a screw sticks out for its nut
LABEL_MM = 3.5
ROUND = 8  # strokes of a quarter circle
SCREWS_STEP_MM = 5  # screws are sold by this
WIDER = "use fewer streets, so that the board is wider"
NEARER = "let these players sit at the near edge, or make the board wider"


Rectangle = tuple[float, float, float, float]  # left, bottom, right, top


@dataclass(frozen=True)
class Plate:
    """A part of the case to cut, its lower left corner at 0, 0, and how many of it."""

    name: str
    count: int
    pieces: tuple[Piece, ...]
    size: Point
    tabs: tuple[float, ...] = ()  # the middles of those below
    low: float = 0.0  # how far they stick out


@dataclass(frozen=True)
class Case:
    """The case of a laid-out board."""

    layout: Layout

    @property
    def thick(self) -> float:
        """Of the sheet."""
        return self.layout.description.shape.thickness_mm

    @property
    def levels(self) -> int:
        """How many plates a corner has; odd, so that the first and the last one have ears."""
        least = math.ceil(round(DEPTH_MM / self.thick, 6))
        return least + (least + 1) % 2

    @property
    def depth(self) -> float:
        """Between face and back."""
        return self.levels * self.thick

    @property
    def corner(self) -> float:
        """From the edge of the face to the inner side of a corner's plates."""
        shape = self.layout.description.shape
        screw = self.layout.screws[0][0] if self.layout.screws else OVERHANG_MM
        around = screw + shape.screw_mm / 2 + AROUND_SCREW_MM
        return max(around, OVERHANG_MM + 2 * self.thick, shape.corner_mm)

    @property
    def screw(self) -> str:
        """The largest metric screw that goes through its holes; empty when none does."""
        hole = self.layout.description.shape.screw_mm
        return max([(size, name) for size, name in SCREWS.items() if size <= hole], default=(0.0, ""))[1]

    @property
    def screw_long(self) -> int:
        """The screws that hold all together, in millimetres."""
        return math.ceil((self.depth + 2 * self.thick + NUT_MM) / SCREWS_STEP_MM) * SCREWS_STEP_MM

    @property
    def board_screw_long(self) -> int:
        """The screws through the back, a spacer and the controller's board, in millimetres, with their nuts."""
        return math.ceil((self.thick + SPACER_MM + PCB_MM + PCB_NUT_MM) / 4) * 4

    @property
    def sheet_m2(self) -> float:
        """Of face and plates, a box around each."""
        sizes = [self.layout.size, *(plate.size for plate in self.plates() for _ in range(plate.count))]
        return sum(width * height for width, height in sizes) / 1e6

    @property
    def pillars(self) -> list[Point]:
        """The lower left corners of the pillars that press the light guide to the face, those at the far edge first.

        There are two for each piece of it, beside the controller's board; one for a piece that has no more room.
        """
        corners: list[Point] = []
        for leds in pieces(self.layout):
            places = [self._pillar_at(led) for led in leds]
            free = [place for place in places if not any(_overlap(_pillar(place), other) for other in self._taken())]
            for quarter in (1, 3):
                middle = places[quarter * len(places) // 4]
                free = [place for place in free if not any(_overlap(_pillar(place), _pillar(at)) for at in corners)]
                if free:
                    corners.append(min(free, key=lambda place: math.dist(place, middle)))
        return sorted(corners, key=lambda point: -point[1])

    @property
    def board_box(self) -> Rectangle:
        """Where the controller's board lies: left, bottom, right, top."""
        top = self.layout.size[1] - OVERHANG_MM - self.thick - FROM_WALL_MM + BOARD_EDGE_MM
        high = BOARD_MM[1] + 2 * BOARD_EDGE_MM
        return self.board_x - BOARD_HALF_MM, top - high, self.board_x + BOARD_HALF_MM, top

    @property
    def jack_x(self) -> float:
        """The middle of the jack of a supply of its own, beside the controller's board and not below a button."""
        width, least = self.layout.size[0], self.corner + JACK_MM[0] / 2
        places = (self.board_x + JACK_ASIDE_MM, self.board_x - JACK_ASIDE_MM)
        return min(places, key=lambda x: (self._over_jack(x) or not least <= x <= width - least, abs(x - width / 2)))

    @property
    def pillar_plates(self) -> int:
        """How many plates a pillar has; foam fills the rest."""
        return max(1, math.floor((self.depth - GUIDE_MM - FOAM_MM / 2) / self.thick))

    @property
    def board_x(self) -> float:
        """The middle of the carrier board, at the far wall: as near to the middle as the buttons there allow."""
        middle = self.layout.size[0] / 2
        return min(self._board_places(), key=lambda x: abs(x - middle), default=middle)

    def mistakes(self) -> Iterator[Finding]:
        """What keeps the case from being built around this board."""
        shape = self.layout.description.shape
        if not self.screw:
            said = "the case is held by screws in the corners"
            yield Finding(True, f"[shape] screw_mm = {shape.screw_mm:g}", said, "use screw_mm = 3.2, for M3")
            return
        width, height = self.layout.size
        wall = OVERHANG_MM + self.thick
        room = width - 2 * self.corner
        if room < 2 * BOARD_HALF_MM:
            said = f"between the corners {room:.0f} mm are left, and the controller's board takes {2 * BOARD_HALF_MM:g}"
            yield Finding(True, "[shape]", said, WIDER)
        elif not self._board_places():
            said = "wherever the controller's board lies, a button of the far edge stands over it"
            yield Finding(True, "[buttons] far_edge", said, NEARER)
        elif not self.layout.description.on_usb:
            over = self.corner + JACK_MM[0] / 2 - min(self.jack_x, width - self.jack_x)
            if over > 0:
                said = f"the supply's jack, beside the controller's board, reaches {over:.1f} mm into a corner"
                yield Finding(True, "[shape]", said, WIDER)
        for leds in pieces(self.layout):
            for x, y in self._around(leds):
                near = sorted((min(x, width - x), min(y, height - y)))
                if near[0] < wall or near[1] < self.corner:
                    said = f"the light guide comes within {near[0]:.1f} mm of the edge, and a wall takes {wall:g}"
                    yield Finding(True, "[shape] margin_mm", said, "make it larger, or use a thinner sheet")
                    return
        radius = self.layout.description.buttons.diameter_mm / 2 + BUTTON_NUT_MM
        for button in self.layout.buttons:
            across, up = min(button.x, width - button.x), min(button.y, height - button.y)
            room = math.hypot(max(0.0, across - self.corner), max(0.0, up - self.corner))
            if room < radius or min(across, up) - radius < wall:
                said = "a button stands on a corner or a wall of the case"
                advice = "make it smaller, or margin_mm larger"
                yield Finding(True, f"[shape] corner_mm = {shape.corner_mm:g}", said, advice)
                return
        if not self.layout.description.on_usb and self._over_jack(self.jack_x):
            said = "a button of the far edge stands over the supply's jack"
            yield Finding(True, "[buttons] far_edge", said, NEARER)

    def plates(self) -> list[Plate]:
        """Everything to cut for the case."""
        width, height = self.layout.size
        along, up = width - 2 * self.corner, height - 2 * self.corner
        ears = (self.levels + 1) // 2
        side, far = self._wall("wall-side", 2, up, ()), self._wall("wall-far", 1, along, tuple(self._openings()))
        return [
            self._back(),
            self._wall("wall-near", 1, along, ()),
            far,
            side,
            self._corner_plate("corner-with-ears", 4 * ears, EAR_MM),
            self._corner_plate("corner", 4 * (self.levels - ears), 0),
            _rectangle("pillar", len(self.pillars) * self.pillar_plates, *PILLAR_MM),
        ]

    def _board_places(self) -> list[float]:
        """Where the middle of the controller's board may be: in the middle, or as near to a button as may be."""
        width = self.layout.size[0]
        room = BOARD_MM[0] / 2 + self.layout.description.buttons.diameter_mm / 2 + AROUND_SCREW_MM
        far = [button.x for button in self.layout.buttons if button.far]
        least = self.corner + BOARD_HALF_MM
        places = [width / 2, *(x + side * room for x in far for side in (-1, 1))]
        return [x for x in places if least <= x <= width - least and all(abs(x - at) >= room - 0.01 for at in far)]

    def _over_jack(self, x: float) -> bool:
        """Whether a button of the far edge stands over a jack there."""
        room = (self.layout.description.buttons.diameter_mm + JACK_MM[0]) / 2 + BUTTON_NUT_MM
        return any(button.far and abs(button.x - x) < room for button in self.layout.buttons)

    def _pillar_at(self, led: int) -> Point:
        spot = self.layout.spot(led)
        return spot.x - PILLAR_MM[0] / 2, spot.y - PILLAR_MM[1] / 2

    def _taken(self) -> Iterator[Rectangle]:
        """Where no pillar may stand: the controller's board, the jack, the corners. No button is near the guide."""
        left, bottom, right, top = self.board_box
        yield left - CLEAR_MM, bottom - CLEAR_MM, right + CLEAR_MM, top + CLEAR_MM
        width, height = self.layout.size
        if not self.layout.description.on_usb:
            half = JACK_MM[0] / 2 + CLEAR_MM
            yield self.jack_x - half, height - OVERHANG_MM - JACK_DEEP_MM, self.jack_x + half, height
        for x in (0.0, width - self.corner):
            for y in (0.0, height - self.corner):
                yield x, y, x + self.corner, y + self.corner

    def _around(self, leds: range) -> list[Point]:
        """The border of a piece of the light guide, on the face."""
        origin = self.layout.spot(leds.start)
        cos, sin = math.cos(origin.angle), math.sin(origin.angle)
        around = border(self.layout, leds)
        return [(origin.x + x * cos - y * sin, origin.y + x * sin + y * cos) for x, y in around]

    def _back(self) -> Plate:
        width, height = self.layout.size
        shape = self.layout.description.shape
        outlines: list[Piece] = [Box("OUTLINE", width, height, shape.corner_mm)]
        outlines += [Circle("CUT_OUTS", x, y, shape.screw_mm / 2) for x, y in self.layout.screws]
        low = OVERHANG_MM
        for at in self._tabs(width - 2 * self.corner):
            for y in (low, height - low - self.thick):
                outlines.append(_slot(self.corner + at, y, TAB_MM, self.thick))
        for at in self._tabs(height - 2 * self.corner):
            for x in (low, width - low - self.thick):
                outlines.append(_slot(x, self.corner + at, self.thick, TAB_MM))
        top = height - OVERHANG_MM - self.thick - FROM_WALL_MM
        for x in (-BOARD_MM[0] / 2, BOARD_MM[0] / 2):
            outlines += [Circle("CUT_OUTS", self.board_x + x, top - y, FEET_MM / 2) for y in (0, BOARD_MM[1])]
        for place in self.pillars:
            outlines.append(_box("TEXT", *_pillar(place)))
        return Plate("back", 1, tuple(outlines), (width, height))

    def _tabs(self, along: float) -> list[float]:
        """Where the tabs of a wall begin."""
        count = max(2, int(along // TABS_APART_MM))
        return [along * (number + 0.5) / count - TAB_MM / 2 for number in range(count)]

    def _wall(self, name: str, count: int, along: float, openings: tuple[Piece, ...]) -> Plate:
        """A wall as it stands, its tabs below; the notches for the ears are at every other level."""
        thick = self.thick
        points: list[Point] = [(0.0, thick)]
        for at in self._tabs(along):
            points += [(at, thick), (at, 0.0), (at + TAB_MM, 0.0), (at + TAB_MM, thick)]
        right = [(along - EAR_MM * (level % 2 == 0), thick + level * thick) for level in range(self.levels)]
        for x, y in right:
            points += [(x, y), (x, y + thick)]
        for x, y in reversed(right):
            points += [(along - x, y + thick), (along - x, y)]
        outline = Line("OUTLINE", tuple(_without_repeats([*points[1:], points[1]])))
        tabs = tuple(at + TAB_MM / 2 for at in self._tabs(along))
        return Plate(name, count, (outline, *openings), (along, thick + self.depth), tabs, thick)

    def _openings(self) -> Iterator[Piece]:
        """For the plug of the controller, and the jack of a supply of its own."""
        (wide, high), middle = USB_MM, self.board_x - self.corner
        yield _slot(middle - wide / 2, self.thick + USB_UP_MM - high / 2, wide, high)
        if not self.layout.description.on_usb:
            (wide, high), middle = JACK_MM, self.jack_x - self.corner
            yield _slot(middle - wide / 2, self.thick + JACK_UP_MM - high / 2, wide, high)

    def _corner_plate(self, name: str, count: int, ear: float) -> Plate:
        """The lower left corner's, seen from above; its outer edge is as round as the face."""
        size, thick = self.corner - OVERHANG_MM, self.thick
        radius = max(0.0, self.layout.description.shape.corner_mm - OVERHANG_MM)
        turns = [math.pi + math.pi / 2 * step / ROUND for step in range(ROUND + 1)] if radius else [0.0]
        outer = [(radius + radius * math.cos(turn), radius + radius * math.sin(turn)) for turn in turns]
        points = [*outer, (size + ear, 0.0), (size + ear, thick), (size, thick), (size, size)]
        points += [(thick, size), (thick, size + ear), (0.0, size + ear)]
        screw = self.layout.screws[0][0] - OVERHANG_MM
        hole = Circle("CUT_OUTS", screw, screw, self.layout.description.shape.screw_mm / 2)
        outline = Line("OUTLINE", tuple(_without_repeats([*points, points[0]])))
        return Plate(name, count, (outline, hole), (size + ear, size + ear))


def comb(thickness_mm: float) -> Plate:
    """A test piece: slots in steps of a tenth, to find the one that a scrap of the sheet fits, and ten squares.

    Below each slot stands its width in tenths of a millimetre.
    """
    widths = [thickness_mm + step / 10 for step in range(-4, 4)]
    deep, tooth = 15.0, 6.0
    points, x = [(0.0, 0.0)], tooth
    tops: list[Point] = []
    for wide in widths:
        tops += [(x, 30.0), (x, 30.0 - deep), (x + wide, 30.0 - deep), (x + wide, 30.0)]
        x += wide + tooth
    points += [(x, 0.0), (x, 30.0), *reversed(tops), (0.0, 30.0), (0.0, 0.0)]
    squares = [_square(12.0 * number, 36.0) for number in range(10)]
    middles = [tooth + sum(widths[:number]) + number * tooth + wide / 2 for number, wide in enumerate(widths)]
    for middle, wide in zip(middles, widths, strict=True):
        squares += [Line("TEXT", tuple(run)) for run in strokes(f"{wide * 10:.0f}", middle, 8.0, LABEL_MM)]
    return Plate("comb", 1, (Line("OUTLINE", tuple(points)), *squares), (max(x, 118.0), 46.0))


def _square(x: float, y: float) -> Line:
    return Line("OUTLINE", ((x, y), (x + 10, y), (x + 10, y + 10), (x, y + 10), (x, y)))


def _slot(x: float, y: float, width: float, height: float) -> Line:
    return _box("CUT_OUTS", x, y, x + width, y + height)


def _box(layer: str, left: float, bottom: float, right: float, top: float) -> Line:
    return Line(layer, ((left, bottom), (right, bottom), (right, top), (left, top), (left, bottom)))


def _pillar(place: Point) -> Rectangle:
    return place[0], place[1], place[0] + PILLAR_MM[0], place[1] + PILLAR_MM[1]


def _overlap(one: Rectangle, other: Rectangle) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def _rectangle(name: str, count: int, width: float, height: float) -> Plate:
    return Plate(name, count, (Box("OUTLINE", width, height, 0),), (width, height))


def _without_repeats(points: list[Point]) -> list[Point]:
    """Corners, each once, to the millionth of a millimetre."""
    points = [(round(x, 6) + 0.0, round(y, 6) + 0.0) for x, y in points]
    return [point for number, point in enumerate(points) if not number or math.dist(point, points[number - 1]) > 1e-9]
