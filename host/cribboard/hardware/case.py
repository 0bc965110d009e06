"""The case behind the face, cut from the same sheet: a back, four walls, and corners of stacked plates with fingers.

Every other plate of a corner has ears that go into notches of the two walls beside it. One long countersunk screw in
each corner goes from the top of the light sheet, where the face hides its head, through the plates to a nut, which is
turned from below through a hole of the back. The walls stand a little inside of the edge, so that drops fall off the
face.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

from cribboard.hardware import drawer
from cribboard.hardware.budget import fuses
from cribboard.hardware.carrier import HOLES
from cribboard.hardware.controllers import is_pico
from cribboard.hardware.drawing import Box, Circle, Piece, Polyline
from cribboard.hardware.findings import Finding
from cribboard.hardware.letters import strokes
from cribboard.hardware.light_guide import EAR_AT_MM, EAR_REACH_MM, Ear, border, clear, half_mm, pieces, stops
from cribboard.hardware.shape import Layout, Point
from cribboard.hardware.stack import (
    BAR_MM,
    BEYOND_MM,
    CLAMP_HEAD_MM,
    CLAMP_HOLE_MM,
    GUIDE_MM,
    HEADS,
    NUTS,
    WASHERS,
    Stack,
    sink_mm,
)

SPACER_MM, PCB_MM, PCB_NUT_MM = 4.0, 1.6, 2.0  # below the controller's board, itself, and above it
# A Pico on it: 8.5 mm of socket, 2.5 of pin strip, 1 of its own and 1 of what is soldered to it; and its USB socket
PICO_MM, PICO_UP_MM, PICO_USB_MM = (21.0, 51.0), SPACER_MM + PCB_MM + 13.0, (8.0, 6.0, 2.6)
AIR_MM = 1.0  # between the controller and a bar
DEPTH_MM = PICO_UP_MM - 1 + PICO_USB_MM[2] + GUIDE_MM + BAR_MM + AIR_MM  # between light sheet and back, at least
BUTTON_DEEP_MM = 27.0  # of a push-button, behind the face
OVERHANG_MM = 3.0  # of face and back over the walls: the drip edge
EAR_MM = 8.0  # how far a corner's ears reach along the walls
AROUND_SCREW_MM = 5.0
TAB_MM, TABS_APART_MM = 20.0, 100.0  # of the walls, in slots of the back
USB_MM, USB_UP_MM = (14.0, 12.0), 19.0  # the opening for a plug's moulding, and its middle above the back: the socket's
JACK_MM, JACK_UP_MM = (15.0, 13.0), 8.0  # the same for a jack with terminals
JACK_DEEP_MM = 45.0  # how far it goes in
JACK_ASIDE_MM = 52.0  # from the middle of the controller's board, beside which it lies
BOARD_HOLE_MM = 3.0  # of the controller's board in the back
BOARD_MM = (HOLES[3][0] - HOLES[0][0], HOLES[3][1] - HOLES[0][1])  # between those holes
BOARD_EDGE_MM = HOLES[0][0]  # around them
BOARD_HALF_MM = BOARD_MM[0] / 2 + BOARD_EDGE_MM
FROM_WALL_MM = 6.0  # of the carrier board's nearer holes
CLEAR_MM = 2.0  # around what lies on the back
SCREW_ROOM_MM = 8.0  # across, for a driver over a screw that a drawer hangs on
SCREWS = {2.2: "M2", 2.7: "M2.5", 3.2: "M3", 4.3: "M4", 5.3: "M5", 6.4: "M6"}  # by the hole that each needs
BUTTON_NUT_MM = 1.5  # around a button, behind the face
LABEL_MM = 3.5
ROUND = 8  # strokes of a quarter circle
SCREWS_STEP_MM = 5  # screws are sold by this
DRIVER_MM = 3.0  # so much wider than a nut is the hole around it in the back: a nut driver of 5.5 is 8 mm wide
LONGEST_MM = {"M2": 20, "M2.5": 25, "M3": 50}  # longer countersunk ones are hard to buy
LEFT_MM = 0.5  # of the light sheet, below a countersunk head
FEET_MM = (5, 8, 10, 12)  # self-adhesive feet are sold by these heights
FOOT_OVER_MM = 2.0  # that a foot is higher than what sticks out
FOOT_WIDE_MM = 12.0
TIE_MM, TIES_APART_MM = (2.0, 5.0), 4.0  # the slots for a cable tie, and from a slot to what it holds
# A lever connector for five wires (WAGO 221-415, as its maker's page has it: 29.9 by 18.7 by 8.4), in a clip that is
# printed; an in-line holder of a blade fuse differs from maker to maker: measure yours.
LEVER_MM, CLIP_WALL_MM, CLIP_FLOOR_MM, CLIP_SLACK_MM = (29.9, 18.7, 8.4), 1.6, 1.2, 0.3
FUSE_MM = (46.0, 22.0, 14.0)
TIES_STEP_MM, TIE_GRIP_MM = 50, 30  # cable ties are sold by this; what a tie's head takes and one pulls at
LEVERS, LEVERS_OWN = 4, 7  # that have room on a board fed by USB, and on one with a supply of its own
GRID_MM = 4.0  # in steps of this a place for them is looked for
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

    @cached_property
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
    def stack(self) -> Stack:
        """What lies over the case."""
        return Stack(self.layout.description.shape)

    @property
    def seat(self) -> float:
        """From the top of the light sheet to the nuts of the corner screws, below their washers."""
        return self.thick + self.depth + WASHERS[self.screw or "M3"].high

    @property
    def screw_long(self) -> int:
        """The screws that hold all together, in millimetres."""
        least = self.seat + NUTS[self.screw or "M3"].high + BEYOND_MM
        return math.ceil(round(least / SCREWS_STEP_MM, 6)) * SCREWS_STEP_MM

    @property
    def out(self) -> float:
        """What a corner screw or its nut sticks out of the back; negative is what it ends within."""
        lowest = max(self.screw_long, self.seat + NUTS[self.screw or "M3"].high)
        return lowest - self.depth - 2 * self.thick

    @property
    def foot(self) -> int:
        """How high the feet are; 0 when none that is sold is high enough."""
        least = max(self.out, 0.0) + FOOT_OVER_MM
        return next((high for high in FEET_MM if high >= round(least, 6)), 0)

    @property
    def feet(self) -> list[Point]:
        """The middles of the feet, below, beside the corners' screws."""
        width, height = self.layout.size
        inset = max(self.corner, OVERHANG_MM) + FOOT_WIDE_MM / 2
        return [(x, y) for y in (inset, height - inset) for x in (inset, width - inset)]

    @property
    def stands(self) -> float:
        """How high the back stands over the table: on feet, or on legs with feet below."""
        return self.foot + drawer.lift_mm(self.layout.description.shape)

    @cached_property
    def drawer_box(self) -> Rectangle | None:
        """Where drawer and rails hang below the back, as near to the middle as may be; none where no room is."""
        (width, _), (wide, deep) = self.layout.size, drawer.WHOLE_MM
        low, most = self.feet[0][0] + drawer.LEG_WIDE_MM / 2 + CLEAR_MM, self.feet[-1][1] - drawer.LEG_WIDE_MM
        middle = (width - wide) / 2
        if not self.layout.description.shape.drawer or middle < low or deep > most:
            return None
        steps = [side * step * GRID_MM for step in range(int((middle - low) // GRID_MM) + 1) for side in (1, -1)]
        places = [(middle + step, 0.0, middle + step + wide, deep) for step in steps]
        fixed = [*self._fixed()]
        if any(_overlap(_box_around(leg, SCREW_ROOM_MM / 2), other) for leg in self.feet for other in fixed):
            return None
        free = (place for place in places if not any(_overlap(place, other) for other in fixed))
        return next(free, None)  # its screws end below

    @property
    def drawer_screws(self) -> list[Point]:
        """The countersunk screws through the back that hold a drawer's rails, then those of the legs."""
        return [*drawer.rail_screws(self.drawer_box[0]), *self.feet] if self.drawer_box else []

    @property
    def board_screw_long(self) -> int:
        """The screws through the back, a spacer and the controller's board, in millimetres, with their nuts."""
        return math.ceil((self.thick + SPACER_MM + PCB_MM + PCB_NUT_MM) / 4) * 4

    @property
    def sheet_m2(self) -> float:
        """Of light sheet and plates, a box around each."""
        sizes = [self.layout.size, *(plate.size for plate in self.plates() for _ in range(plate.count))]
        return sum(width * height for width, height in sizes) / 1e6

    @property
    def ears(self) -> list[list[Ear]]:
        """The screws of each piece of the light guide, two of them where there is room, as far apart as may be."""
        return _ears(self.layout)

    @property
    def fuses(self) -> int:
        """How many in-line fuses there are: those of the strips, and with a supply of its own the controller's."""
        board = self.layout.description
        return fuses(board) + (not board.on_usb)

    @property
    def clips(self) -> list[Rectangle]:
        """Where the clips of the lever connectors lie on the back."""
        return self._placed[self.fuses :]

    @property
    def fuse_boxes(self) -> list[Rectangle]:
        """Where the in-line fuses lie on the back."""
        placed = self._placed[: self.fuses]
        return [(left, bottom + TIE_MM[0], right, top - TIE_MM[0]) for left, bottom, right, top in placed]

    @property
    def tie_long(self) -> int:
        """The cable ties, which go through the back and around a fuse."""
        around = 2 * (FUSE_MM[1] + TIE_MM[0] + FUSE_MM[2] + self.thick)
        return math.ceil((around + TIE_GRIP_MM) / TIES_STEP_MM) * TIES_STEP_MM

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
    def jack_box(self) -> Rectangle | None:
        """Where that jack lies on the back, with the part in its wall; a board that is fed by USB has none."""
        if self.layout.description.on_usb:
            return None
        half, far = JACK_MM[0] / 2, self.layout.size[1] - OVERHANG_MM
        return self.jack_x - half, far - JACK_DEEP_MM, self.jack_x + half, far

    @cached_property
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
            for at in stops(self.layout, leds):
                if min(at[0], width - at[0], at[1], height - at[1]) < wall:
                    said = "the end of a light guide, which stops its strip, reaches into a wall"
                    yield Finding(True, "[shape] margin_mm", said, "make it larger, or use a thinner sheet")
                    return
        yield from self._held()
        radius = self.layout.description.buttons.diameter_mm / 2 + BUTTON_NUT_MM
        for button in self.layout.buttons:
            across, up = min(button.x, width - button.x), min(button.y, height - button.y)
            room = math.hypot(max(0.0, across - self.corner), max(0.0, up - self.corner))
            if room < radius or min(across, up) - radius < wall:
                said = "a button stands on a corner or a wall of the case"
                advice = "make it smaller, or margin_mm larger"
                yield Finding(True, f"[shape] corner_mm = {shape.corner_mm:g}", said, advice)
                return
        controller = self.layout.description.controller
        if not is_pico(controller):
            said = (
                f"the opening for USB and the holes of the controller's board are a Pico's; of a {controller} they are"
            )
            advice = "measure where its socket stands, and file the opening and drill the holes to it"
            yield Finding(False, f'[controller] board = "{controller}"', f"{said} not known", advice)
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

    def _held(self) -> Iterator[Finding]:
        """What keeps the face, the light guides and the feet from being fastened."""
        shape, stack = self.layout.description.shape, self.stack
        if any(len(ears) < 2 for ears in self.ears):
            said = "a piece of the light guide has no room beside it for its two screws"
            yield Finding(True, "[shape] apart_mm", said, "make it larger, or margin_mm, or use a smaller printer_mm")
        if not stack.clamp_long:
            said = f"no screw that is sold reaches through the {stack.clamp_needed:g} mm to the light guide's nuts"
            yield Finding(True, f"[shape] thickness_mm = {shape.thickness_mm:g}", said, "use a thinner sheet")
        head = HEADS[self.screw]
        if shape.thickness_mm < head.high + LEFT_MM:
            said = f"the head of a countersunk {self.screw} is {head.high:g} mm high, and the light sheet must hide it"
            yield Finding(True, f"[shape] thickness_mm = {shape.thickness_mm:g}", said, "use screw_mm = 3.2, for M3")
        if self.screw_long > LONGEST_MM.get(self.screw, self.screw_long):
            said = f"the corners take countersunk screws {self.screw} x {self.screw_long}, which are hard to buy"
            advice = "use screw_mm = 4.3, for M4, or cut threaded rod and glue a nut into the light sheet"
            yield Finding(False, f"[shape] screw_mm = {shape.screw_mm:g}", said, advice)
        if not self.foot:
            said = f"the corner screws stick out {self.out:.1f} mm, and no foot that is sold is so high"
            yield Finding(True, f"[shape] thickness_mm = {shape.thickness_mm:g}", said, "use another sheet")
        if shape.drawer:
            yield from self._drawer()
        if len(self._placed) < self.fuses + self._levers():
            said = "the case has no room for the lever connectors and the fuses"
            yield Finding(True, "[shape]", said, "use a larger margin_mm")

    def _drawer(self) -> Iterator[Finding]:
        """What keeps the drawer from hanging below the back, or from being printed."""
        (wide, deep), bed = drawer.WHOLE_MM, sorted(self.layout.description.shape.printer_mm)
        if not self.drawer_box:
            said = (
                f"drawer and rails take {wide:.0f} by {deep:.0f} mm below the back, clear of legs, controller and jack"
            )
            yield Finding(True, "[shape] drawer = true", said, "make the board larger, or leave the drawer out")
        if bed[0] < drawer.DEEP_MM or wide > bed[1]:
            said = f"the drawer is {wide:.0f} by {drawer.DEEP_MM:.0f} mm, and does not lie on the printer's bed"
            yield Finding(True, "[shape] drawer = true", said, "leave it out, or have it printed on a larger one")

    def _levers(self) -> int:
        return LEVERS if self.layout.description.on_usb else LEVERS_OWN

    def ears_beside(self, leds: range) -> Iterator[Ear]:
        """Every place for a screw beside a piece: between two holes, on both sides."""
        half = half_mm(self.layout, leds)
        for led in leds[:-1]:
            spot = self.layout.spot(led + 0.5)
            for side in (1, -1):
                yield Ear(*spot.across(side * (half + EAR_AT_MM)), spot.angle, led + 0.5, side, leds)

    def free(self, ear: Ear) -> bool:
        """Whether an ear is clear of walls, corners, buttons, dots and the controller."""
        (width, height), room = self.layout.size, EAR_REACH_MM - EAR_AT_MM + AIR_MM / 4
        across, up = min(ear.x, width - ear.x), min(ear.y, height - ear.y)
        wall = OVERHANG_MM + self.thick + room
        if min(across, up) < wall or max(across, up) < self.corner + room:
            return False
        if any(math.dist((ear.x, ear.y), at) < self.layout.opening_mm / 2 + room + BUTTON_NUT_MM for at in self._open):
            return False
        head = CLAMP_HEAD_MM / 2 + self.layout.description.shape.dots_mm / 2 + BUTTON_NUT_MM
        if any(math.dist((ear.x, ear.y), dot) < head for dot in self.layout.dots):
            return False
        (wide, deep), top = PICO_MM, self.board_box[3]
        pico = self.board_x - wide / 2, top - deep, self.board_x + wide / 2, top
        around = (ear.x - room - CLEAR_MM, ear.y - room - CLEAR_MM, ear.x + room + CLEAR_MM, ear.y + room + CLEAR_MM)
        return not _overlap(pico, around)

    @property
    def _open(self) -> list[Point]:
        return [(button.x, button.y) for button in self.layout.buttons]

    @cached_property
    def _placed(self) -> list[Rectangle]:
        """The places of the fuses and of the clips, as near to the controller as they go; fewer where room ends."""
        (wide, deep, _), wall = LEVER_MM, 2 * (CLIP_WALL_MM + CLIP_SLACK_MM)
        fuse = FUSE_MM[0], FUSE_MM[1] + 2 * TIE_MM[0]  # with the slots of its cable tie
        sizes = [*[fuse] * self.fuses, *[(wide + wall, deep + wall)] * self._levers()]
        taken = [*self._taken()]
        placed: list[Rectangle] = []
        for size in sizes:
            own = (
                [self.drawer_box] if self.drawer_box and len(placed) < self.fuses else []
            )  # a fuse's cable tie goes below the back
            place = self._place(size, [*taken, *placed, *own])
            if not place:
                break
            placed.append(place)
        return placed

    def _place(self, size: Point, taken: list[Rectangle]) -> Rectangle | None:
        (width, height), low = self.layout.size, OVERHANG_MM + self.thick + CLEAR_MM
        left, bottom, right, top = self.board_box
        middle = (left + right) / 2 - size[0] / 2, (bottom + top) / 2 - size[1] / 2
        columns = int((width - 2 * low - size[0]) // GRID_MM) + 1
        rows = int((height - 2 * low - size[1]) // GRID_MM) + 1
        for x, y in _nearest_first(low, columns, rows, middle):
            room = (x - CLEAR_MM, y - CLEAR_MM, x + size[0] + CLEAR_MM, y + size[1] + CLEAR_MM)
            if not any(_overlap(room, other) for other in taken):
                return x, y, x + size[0], y + size[1]
        return None

    def _taken(self) -> Iterator[Rectangle]:
        """Where nothing else lies on the back: controller, jack, corners, a drawer's screws, and below the buttons."""
        yield from self._fixed()
        width, height = self.layout.size
        for x in (0.0, width - self.corner):
            for y in (0.0, height - self.corner):
                yield x, y, x + self.corner, y + self.corner
        button = self.layout.description.buttons.diameter_mm / 2 + BUTTON_NUT_MM
        yield from (_box_around(at, button) for at in self._open)
        yield from (_box_around(at, SCREW_ROOM_MM / 2) for at in self.drawer_screws)

    def _fixed(self) -> Iterator[Rectangle]:
        """The controller's board, and the jack of a supply of its own."""
        yield self.board_box
        if self.jack_box:
            yield self.jack_box

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
        driver = NUTS[self.screw or "M3"].flats + DRIVER_MM
        outlines += [Circle("CUT_OUTS", *at, driver / 2) for at in self.layout.screws]
        low = OVERHANG_MM
        for at in self._tabs(width - 2 * self.corner):
            for y in (low, height - low - self.thick):
                outlines.append(_slot(self.corner + at, y, TAB_MM, self.thick))
        for at in self._tabs(height - 2 * self.corner):
            for x in (low, width - low - self.thick):
                outlines.append(_slot(x, self.corner + at, self.thick, TAB_MM))
        top = height - OVERHANG_MM - self.thick - FROM_WALL_MM
        for x in (-BOARD_MM[0] / 2, BOARD_MM[0] / 2):
            outlines += [Circle("CUT_OUTS", self.board_x + x, top - y, BOARD_HOLE_MM / 2) for y in (0, BOARD_MM[1])]
        for x, y in self.drawer_screws:
            outlines += [
                Circle("CUT_OUTS", x, y, CLAMP_HOLE_MM / 2),
                Circle("TEXT", x, y, sink_mm("M3", CLAMP_HOLE_MM) / 2),
            ]
        outlines += [_box("TEXT", *place) for place in self.clips]
        for left, bottom, right, top in self.fuse_boxes:
            outlines.append(_box("TEXT", left, bottom, right, top))
            for y in (bottom - TIE_MM[0], top):
                outlines.append(_slot((left + right - TIE_MM[1]) / 2, y, TIE_MM[1], TIE_MM[0]))
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
        outline = Polyline("OUTLINE", tuple(_without_repeats([*points[1:], points[1]])))
        tabs = tuple(at + TAB_MM / 2 for at in self._tabs(along))
        return Plate(name, count, (outline, *openings), (along, thick + self.depth), tabs, thick)

    def _openings(self) -> Iterator[Piece]:
        """For the plug of the controller with a cable tie around it, and the jack of a supply of its own."""
        (wide, high), middle = USB_MM, self.board_x - self.corner
        yield _slot(middle - wide / 2, self.thick + USB_UP_MM - high / 2, wide, high)
        for x in (middle - wide / 2 - TIES_APART_MM - TIE_MM[0], middle + wide / 2 + TIES_APART_MM):
            yield _slot(x, self.thick + USB_UP_MM - TIE_MM[1] / 2, *TIE_MM)
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
        outline = Polyline("OUTLINE", tuple(_without_repeats([*points, points[0]])))
        return Plate(name, count, (outline, hole), (size + ear, size + ear))


@lru_cache(maxsize=16)
def _nearest_first(low: float, columns: int, rows: int, middle: Point) -> tuple[Point, ...]:
    """The places of a grid whose lower left one is at `low`, `low`, the nearest to a point first."""
    places = [(low + column * GRID_MM, low + row * GRID_MM) for column in range(columns) for row in range(rows)]
    return tuple(sorted(places, key=lambda place: (round(math.dist(place, middle), 3), *place)))


@lru_cache(maxsize=32)
def _ears(layout: Layout) -> list[list[Ear]]:
    case, chosen = Case(layout), list[list[Ear]]()
    for leds in pieces(layout):
        free = clear(layout, [ear for ear in case.ears_beside(leds) if case.free(ear)])
        own: list[Ear] = []
        for quarter, side in ((0.25, 1), (0.75, -1)):
            wanted = leds.start - 0.5 + quarter * len(leds)
            free = [ear for ear in free if all(ear.clear_of(other) for some in (*chosen, own) for other in some)]
            near = [ear for ear in free if not own or abs(ear.place - own[0].place) >= len(leds) / 5]
            if near:
                ranked = [(abs(ear.place - wanted) + 3 * (ear.side != side), ear.place, -ear.side, ear) for ear in near]
                own.append(min(ranked, key=lambda rank: rank[:3])[3])
        chosen.append([own[0], *(replace(ear, slot=True) for ear in own[1:])] if own else [])
    return chosen


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
        squares += [Polyline("TEXT", tuple(run)) for run in strokes(f"{wide * 10:.0f}", middle, 8.0, LABEL_MM)]
    return Plate("comb", 1, (Polyline("OUTLINE", tuple(points)), *squares), (max(x, 118.0), 46.0))


def _square(x: float, y: float) -> Polyline:
    return Polyline("OUTLINE", ((x, y), (x + 10, y), (x + 10, y + 10), (x, y + 10), (x, y)))


def _slot(x: float, y: float, width: float, height: float) -> Polyline:
    return _box("CUT_OUTS", x, y, x + width, y + height)


def _box(layer: str, left: float, bottom: float, right: float, top: float) -> Polyline:
    return Polyline(layer, ((left, bottom), (right, bottom), (right, top), (left, top), (left, bottom)))


def _overlap(one: Rectangle, other: Rectangle) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def _box_around(at: Point, reach: float) -> Rectangle:
    return at[0] - reach, at[1] - reach, at[0] + reach, at[1] + reach


def _without_repeats(points: list[Point]) -> list[Point]:
    """Corners, each once, to the millionth of a millimetre."""
    points = [(round(x, 6) + 0.0, round(y, 6) + 0.0) for x, y in points]
    return [point for number, point in enumerate(points) if not number or math.dist(point, points[number - 1]) > 1e-9]
