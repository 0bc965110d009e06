"""Where everything on a board is: the way of the pegs, the layout, the light guide in pieces, the lengths of wires."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from cribboard.hardware import twenty_nine
from cribboard.hardware.description import GAP, START, Description, Shape, Tracks
from cribboard.hardware.wiring import Wire
from cribboard_core.variants import COLOURS, skunk_lines

# The way of the pegs, in the middle between the tracks: streets side by side, an oval, or a 29.

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
        return replace(self, x=self.x + x, y=self.y + y)

    def seen_from(self, corner: str) -> Spot:
        """The same on a board whose way begins in another corner."""
        spot = self
        if corner.endswith("right"):
            spot = replace(spot, x=-spot.x, angle=math.pi - spot.angle, hand=-spot.hand)
        if corner.startswith("bottom"):
            spot = replace(spot, y=-spot.y, angle=-spot.angle, hand=-spot.hand)
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


# Where everything on a board is, in millimetres from its lower left corner, x to the right and y up.

Point = tuple[float, float]
FIVE = 5
BUTTON_NAMES = ("+1", "+5", "OK")
GAME_HOLE = 1.3  # so much larger than the others
BUTTON_ROOM_MM = 10  # above and below the buttons, for what is written there
DOT_INSIDE_MM, DOT_AWAY_MM, DOTS_APART_MM = 2.0, 4.0, 3.5  # from the border, from a button, from dot to dot
EDGE_MM = 6  # of material around a screw
BESIDE_MM = {"29": (18.0, 11.0)}  # on the left and on the right of the way, for what is written there


@dataclass(frozen=True)
class Button:
    """A cut-out for a button; a shared one has no place. Those on the far edge are read from there."""

    name: str
    place: int | None
    x: float
    y: float
    far: bool = False


@dataclass(frozen=True)
class Layout:
    """A described board, laid out."""

    description: Description

    @property
    def half_mm(self) -> float:
        """From the middle of the way to the border of its band."""
        return self.description.tracks.count * self.description.shape.track_mm / 2

    @property
    def last(self) -> int:
        """The LED of the game hole, which is the number of the other holes."""
        return self.description.tracks.leds - 1

    @property
    def size(self) -> Point:
        """The width and the height of the board."""
        left, bottom, right, top = self._box
        margin = 2 * self.description.shape.margin_mm
        return right - left + margin, top - bottom + margin + self.panel_mm + self.far_panel_mm

    @property
    def panel_mm(self) -> float:
        """The height of the stretch below the tracks that holds the buttons."""
        return self.description.buttons.diameter_mm + 2 * BUTTON_ROOM_MM

    @property
    def far_panel_mm(self) -> float:
        """The height of the stretch above the tracks, if buttons stand there."""
        return self.panel_mm if self.description.buttons.far_edge else 0.0

    def spot(self, place: float) -> Spot:
        """Where a place of the way is: LED n at n, the start before 0."""
        left, bottom, _, _ = self._box
        margin = self.description.shape.margin_mm
        return self._way(place).moved(margin - left, margin - bottom + self.panel_mm)

    def offset(self, track: int) -> float:
        """How far a track (0 is the first) is from the middle of the way."""
        tracks = self.description.tracks.count
        return ((tracks - 1) / 2 - track) * self.description.shape.track_mm

    def holes(self, track: int) -> list[Point]:
        """The holes of a track in the order of its LEDs; the last is the game hole."""
        return [self.spot(led).across(self.offset(track)) for led in range(self.last + 1)]

    def start_holes(self, track: int) -> list[Point]:
        """Where the pegs of a track begin; no LED is under them."""
        return [self.spot(place).across(self.offset(track)) for place in STARTS]

    def band(self, first: float, last: float, middle: float = 0, half: float | None = None) -> list[Point]:
        """The border around a stretch of the way (or beside its middle), closed; finer where it bends."""
        half = self.half_mm if half is None else half
        if self.description.shape.kind == "streets":
            centre, reach = self.spot((first + last) / 2), (last - first) / 2 * self.description.shape.pitch_mm
            spots = [centre.along(-reach), centre.along(reach)]
        else:
            spots = [self.spot(first + step / 4) for step in range(round(4 * (last - first)) + 1)]
        there = [spot.across(middle + half) for spot in spots]
        back = [spot.across(middle - half) for spot in reversed(spots)]
        return [*there, *back, there[0]]

    def diameter(self, led: int) -> float:
        """Of an LED's hole."""
        return self.description.shape.hole_mm * (GAME_HOLE if led == self.last else 1)

    @property
    def streets(self) -> list[range]:
        """The LEDs of each stretch of the way that is drawn in one, without the game hole."""
        holes = self.last // max(1, self.description.shape.streets)
        return [range(first, first + holes) for first in range(0, self.last, holes)]

    @property
    def skunk_lines(self) -> dict[int, Spot]:
        """The first scores that are safe, and the places half a hole before them."""
        lines = skunk_lines(self.description.game.target)
        return {line: self.spot((line - 1) % self.last - 0.5) for line in lines if line}

    @cached_property
    def buttons(self) -> list[Button]:
        """Below the tracks: some places' to the left, the shared ones in the middle, the others' to the right.

        Those of `far_edge` are above the tracks, as who sits there sees them: from the right to the left.
        """
        described = self.description.buttons
        near: list[list[tuple[str, int | None]]] = []
        far: list[list[tuple[str, int | None]]] = []
        for place, pins in enumerate(described.players):
            if pins:
                (far if place in described.far_edge else near).append([(name, place) for name in BUTTON_NAMES])
        near.insert((len(near) + 1) // 2, [("UNDO", None), ("DEAL", None)])
        width, height = self.size
        y = self.description.shape.margin_mm / 2 + self.panel_mm / 2
        placed = [Button(name, place, x, y) for x, name, place in self._row(near)]
        return placed + [Button(name, place, width - x, height - y, True) for x, name, place in self._row(far)]

    def _row(self, groups: list[list[tuple[str, int | None]]]) -> list[tuple[float, str, int | None]]:
        """Groups of buttons along an edge, as far from each other as there is room, from the left."""
        described = self.description.buttons
        width, margin = self.size[0], self.description.shape.margin_mm + described.diameter_mm / 2
        within = sum(len(group) - 1 for group in groups) * described.apart_mm
        between = (width - 2 * margin - within) / max(1, len(groups) - 1)
        x = margin if len(groups) > 1 else (width - within) / 2
        places = []
        for group in groups:
            for name, place in group:
                places.append((x, name, place))
                x += described.apart_mm
            x += between - described.apart_mm
        return places

    @property
    def screws(self) -> list[Point]:
        """In the four corners, with enough material to the rounding."""
        if not self.description.shape.screw_mm:
            return []
        (width, height), corner = self.size, self.description.shape.corner_mm
        middle = EDGE_MM + self.description.shape.screw_mm / 2
        inset = max(middle, corner - (corner - middle) / math.sqrt(2))
        return [(x, y) for y in (inset, height - inset) for x in (inset, width - inset)]

    @property
    def dots(self) -> list[Point]:
        """Holes for pins whose heads are felt: after every fifth hole at both borders, and beside the buttons.

        A player's +1, +5 and OK have one, two and three pins, UNDO and DEAL one and two.
        """
        if not self.description.shape.dots_mm:
            return []
        inside = self.half_mm - DOT_INSIDE_MM
        ticks = [place - 0.5 for street in self.streets for place in street[FIVE::FIVE]]
        points = [self.spot(place).across(side * inside) for place in ticks for side in (-1, 1)]
        away = self.description.buttons.diameter_mm / 2 + DOT_AWAY_MM
        for button in self.buttons:
            names = ("UNDO", "DEAL") if button.place is None else BUTTON_NAMES
            count = names.index(button.name) + 1
            x = button.x + (away if button.far else -away)
            points += [(x, button.y + (number - (count - 1) / 2) * DOTS_APART_MM) for number in range(count)]
        return points

    def label_side(self, place: float) -> int:
        """On which side of the way its numbers are: above the streets, within an oval, around a 29."""
        if self.description.shape.kind == "oval":
            return -1
        if self.description.shape.kind == "29":
            return 1 if place < bowl_end() else -1
        spot = self.spot(place)
        return 1 if spot.across(1)[1] > spot.y else -1

    @cached_property
    def _way(self) -> Callable[[float], Spot]:
        return way(self.description)

    @cached_property
    def _box(self) -> tuple[float, float, float, float]:
        """Around all streets, the start and what stands beside them, before the way has its place on the board."""
        half = self.description.shape.pitch_mm / 2
        spots = [self._way(place).along(on) for place in (*STARTS, *range(self.last + 1)) for on in (-half, half)]
        xs, ys = zip(*(spot.across(side * self.half_mm) for spot in spots for side in (-1, 1)), strict=True)
        left, right = BESIDE_MM.get(self.description.shape.kind, (0.0, 0.0))
        return min(xs) - left, min(ys), max(xs) + right, max(ys)


def place_name(place: int) -> str:
    """What a place is called on the board."""
    return COLOURS[place].upper()


def every_hole(layout: Layout) -> Iterable[tuple[str, Point, float]]:
    """Everything cut through the board: its name, centre and diameter."""
    for track in range(layout.description.tracks.count):
        for led, point in enumerate(layout.holes(track)):
            yield f"hole {led + 1} of track {track + 1}", point, layout.diameter(led)
    for button in layout.buttons:
        where = "" if button.place is None else f" of place {button.place + 1}"
        yield f"the button {button.name}{where}", (button.x, button.y), layout.description.buttons.diameter_mm
    for point in layout.dots:
        yield "a dot", point, layout.description.shape.dots_mm
    for number, point in enumerate(layout.screws, 1):
        yield f"screw {number}", point, layout.description.shape.screw_mm


# Where the light guide is cut, so that each of its pieces goes on the printer's bed.

SLACK_MM = 0.4  # between two pieces, and around a strip or a pixel
CHANNEL_MM = 2.5  # deep: a strip and its pixels are about 2 mm
PIXEL_MM, FLANGE_MM = 5.0, 5.8  # a single pixel, and the flange that it stands on (data sheets of 5 mm LEDs)
WALL_MM = 1.2  # three lines of a printer's nozzle
TOO_SMALL = "not even one cell of the light guide can be printed on this bed"
LEAST = "the bed of a small printer is 120 by 120"


def pieces(layout: Layout) -> list[range]:
    """The LEDs of each piece, from the first to the last; none at all when one cell is too large for the bed."""
    *streets, last = layout.streets
    runs = [*streets, range(last.start, last.stop + 1)]  # the game hole is the last street's
    split = [_split(layout, run) for run in runs]
    return [piece for cuts in split for piece in cuts] if all(split) else []


def border(layout: Layout, leds: range) -> list[Point]:
    """Around the cells of a piece, up to half way to its neighbours, as seen from its first place."""
    cell = max(layout.description.shape.strip_mm, *(layout.diameter(led) for led in leds))
    half = layout.offset(0) + cell / 2 + SLACK_MM + WALL_MM
    return seen_from(layout.spot(leds.start), layout.band(leds.start - 0.5, leds.stop - 0.5, 0, half)[:-1])


def seen_from(origin: Spot, points: Sequence[Point]) -> list[Point]:
    """The points as seen from a spot that looks to the right, to the thousandth of a millimetre."""
    cos, sin = math.cos(origin.angle), math.sin(origin.angle)
    apart = [(x - origin.x, y - origin.y) for x, y in points]
    return [(round(x * cos + y * sin, 3) + 0.0, round(y * cos - x * sin, 3) + 0.0) for x, y in apart]


def _split(layout: Layout, run: range) -> list[range]:
    """As few pieces as fit, of about the same length."""
    bed = sorted(layout.description.shape.printer_mm)
    for count in range(1, len(run) + 1):
        longest = -(-len(run) // count)
        cuts = [run[first : first + longest] for first in range(0, len(run), longest)]
        if all(_fits(layout, cut, bed) for cut in cuts):
            return cuts
    return []


def _fits(layout: Layout, leds: range, bed: Sequence[float]) -> bool:
    xs, ys = zip(*border(layout, leds), strict=True)
    sides = sorted((max(xs) - min(xs) - SLACK_MM, max(ys) - min(ys) - SLACK_MM))
    return all(side <= most for side, most in zip(sides, bed, strict=True))


# How long each wire is: the electronics sit under the middle of the board, and wires run along its edges.

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
