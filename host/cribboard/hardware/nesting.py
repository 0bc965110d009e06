"""Light sheet and case, each plate as often as it is needed, laid onto sheets as they are sold.

Each lies in a free rectangle that it fills best; what is left of that is cut into two by a line right across. Small
plates keep two bridges, so that they neither tip nor fall: break them off.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from fpdf import FPDF

from cribboard.hardware.case import Case, Plate
from cribboard.hardware.description import DescriptionError
from cribboard.hardware.drawing import LAYERS, Box, Circle, Piece, Polyline
from cribboard.hardware.laser import areas, beam, cut, layers, parts, size_of
from cribboard.hardware.paper import MADE
from cribboard.hardware.shape import Layout, Point

SHEETS = {"400x300": (400.0, 300.0), "600x300": (600.0, 300.0), "600x400": (600.0, 400.0), "a3": (420.0, 297.0)}
MARGIN_MM, GAP_MM = 5.0, 3.0  # from a sheet's edge, where it is clamped or bent; between two plates
SMALL_MM, BRIDGE_MM = 60.0, 0.6  # plates that are no longer keep two bridges, each so wide
LINE_MM, FINE_MM = 0.15, 1e-6

Room = tuple[float, float, float, float]  # left, bottom, width, height


@dataclass(frozen=True)
class PlacedPlate:
    """A plate on a sheet, where its lower left corner is, and whether it was turned by a quarter."""

    plate: Plate
    at: Point
    turned: bool

    @property
    def size(self) -> Point:
        """On the sheet."""
        width, height = self.plate.size
        return (height, width) if self.turned else (width, height)

    def pieces(self) -> Iterator[Piece]:
        """Its drawing on the sheet, with bridges if it is small."""
        small = max(self.plate.size) <= SMALL_MM
        for piece in self.plate.pieces:
            for part in _bridged(piece) if small and piece.layer == "OUTLINE" else [piece]:
                yield _moved(_turned(part, self.plate.size[1]) if self.turned else part, self.at)


@dataclass
class Sheet:
    """A sheet with what lies on it, and its free rectangles."""

    size: Point
    laid: list[PlacedPlate] = field(default_factory=list)
    free: list[Room] = field(default_factory=list)
    comb: bool = False  # whether its lower left corner is free for the comb, which is cut first

    def take(self, plate: Plate) -> bool:
        """Lay a plate down if there is room."""
        choices = []
        for room in self.free:
            for turned in (False, True):
                width, height = plate.size[::-1] if turned else plate.size
                # Best short side fit: the room where the narrower rest is the narrowest wastes least.
                left = room[2] - width - GAP_MM, room[3] - height - GAP_MM
                if min(left) > -FINE_MM:
                    choices.append((min(left), room, turned))
        if not choices:
            return False
        _, room, turned = min(choices)
        laid = PlacedPlate(plate, room[:2], turned)
        self.laid.append(laid)
        self.free.remove(room)
        self.free += _rest(room, laid.size)
        return True

    def pieces(self) -> list[Piece]:
        """The drawing of the whole sheet."""
        return [piece for laid in self.laid for piece in laid.pieces()]


def sheets(layout: Layout, name: str) -> list[Sheet]:
    """As few sheets of this size as this finds; plates that are larger come in parts with dovetails.

    The first has room for the comb, unless that takes one sheet more.
    """
    size = SHEETS[name]
    room = [side - 2 * MARGIN_MM for side in sorted(size)]
    bed = [min(pair) for pair in zip(room, sorted(layout.description.shape.bed_mm), strict=True)]
    shape = replace(layout.description.shape, bed_mm=(bed[0], bed[1]))
    fitting = Layout(replace(layout.description, shape=shape))
    said = f"light sheet or case do not go onto sheets of {name}, not even in parts"
    refused = DescriptionError(said, "choose a larger sheet, or a machine with a bigger bed")
    try:
        comb, *plates = cut(Case(fitting))
    except DescriptionError as error:
        raise refused from error
    every = [plate for plate in (*_light_sheet(fitting), *plates) for _ in range(plate.count)]
    # The large ones first: small ones find room in what those leave.
    every.sort(key=lambda plate: (-max(plate.size), -min(plate.size), plate.name))
    whole = (MARGIN_MM, MARGIN_MM, size[0] - 2 * MARGIN_MM + GAP_MM, size[1] - 2 * MARGIN_MM + GAP_MM)
    starts = Sheet(size, free=_rest(whole, comb.size), comb=True), Sheet(size, free=[whole])
    if not all(Sheet(size, free=[whole]).take(plate) for plate in every):
        raise refused
    return min((_laid(every, whole, start) for start in starts), key=len)


def _laid(every: Sequence[Plate], whole: Room, start: Sheet) -> list[Sheet]:
    """Each plate on the first sheet where it fits, or on another, which is empty."""
    made = [start]
    for plate in every:
        if not any(sheet.take(plate) for sheet in made):
            made.append(Sheet(start.size, free=[whole]))
            made[-1].take(plate)
    return made


def _light_sheet(layout: Layout) -> Iterator[Plate]:
    """The sheet behind the face, which is as thick as the case, or its parts."""
    pieces, joints, kerf = layers(layout)["light-sheet"]
    drawn = parts(pieces, joints) if joints else [[*pieces]]
    for number, part in enumerate(drawn, 1):
        name = f"light-sheet-part-{number}-of-{len(drawn)}" if joints else "light-sheet"
        yield Plate(name, 1, tuple(beam(part, kerf)), size_of(part))


def used(made: Sequence[Sheet]) -> float:
    """The share of the sheets that the plates take, a box around each."""
    return sum(math.prod(laid.size) for sheet in made for laid in sheet.laid) / sum(math.prod(s.size) for s in made)


def pdf(made: Sequence[Sheet], title: str) -> bytes:
    """A page of the sheet's size for each, to print at 100 %."""
    paper = FPDF(unit="mm", format=made[0].size)
    paper.set_creation_date(MADE)
    paper.set_title(title)
    paper.set_line_width(LINE_MM)
    paper.set_auto_page_break(False)
    for sheet in made:
        paper.add_page()
        for piece in sheet.pieces():
            red, green, blue = bytes.fromhex(LAYERS[piece.layer][1][1:])
            paper.set_draw_color(red, green, blue)
            _draw(paper, piece, sheet.size[1])
    return bytes(paper.output())


def _draw(paper: FPDF, piece: Piece, high: float) -> None:
    if isinstance(piece, Circle):
        paper.circle(piece.x, high - piece.y, piece.radius)
    elif isinstance(piece, Box):
        top = high - piece.y - piece.height
        rounded = piece.corner > 0
        paper.rect(piece.x, top, piece.width, piece.height, round_corners=rounded, corner_radius=piece.corner)
    else:
        paper.polyline([(x, high - y) for x, y in piece.points])


def _rest(room: Room, size: Point) -> list[Room]:
    """What is left of a rectangle above and beside a plate in its corner; the longer cut leaves the larger piece."""
    left, bottom, width, height = room
    wide, high = size[0] + GAP_MM, size[1] + GAP_MM
    over = width - wide > height - high
    beside = (left + wide, bottom, width - wide, height if over else high)
    above = (left, bottom + high, wide if over else width, height - high)
    return [each for each in (beside, above) if min(each[2:]) > GAP_MM]


def _turned(piece: Piece, high: float) -> Piece:
    """By a quarter to the left, back into the corner."""
    if isinstance(piece, Circle):
        return replace(piece, x=high - piece.y, y=piece.x)
    if isinstance(piece, Box):
        corner = high - piece.y - piece.height, piece.x
        return Box(piece.layer, piece.height, piece.width, piece.corner, *corner)
    return Polyline(piece.layer, tuple((high - y, x) for x, y in piece.points))


def _moved(piece: Piece, by: Point) -> Piece:
    if isinstance(piece, Polyline):
        return Polyline(piece.layer, tuple((x + by[0], y + by[1]) for x, y in piece.points))
    return replace(piece, x=piece.x + by[0], y=piece.y + by[1])


def _bridged(outline: Piece) -> list[Polyline]:
    """An outline with a gap in the middle of each of its two longest sides."""
    [area] = areas([outline], [])
    ring = [*area.exterior.coords]
    longest = sorted(range(len(ring) - 1), key=lambda at: -math.dist(ring[at], ring[at + 1]))[:2]
    one, other = sorted(longest)
    gaps = [_gap(*side) for at, side in enumerate(pairwise(ring)) if at in (one, other)]
    there = [gaps[0][1], *ring[one + 1 : other + 1], gaps[1][0]]
    back = [gaps[1][1], *ring[other + 1 : -1], *ring[: one + 1], gaps[0][0]]
    return [Polyline(outline.layer, tuple(there)), Polyline(outline.layer, tuple(back))]


def _gap(start: Point, end: Point) -> tuple[Point, Point]:
    """Where the cut stops in the middle of a side, and where it goes on."""
    half = BRIDGE_MM / 2 / math.dist(start, end)
    stops = [
        (start[0] + (end[0] - start[0]) * at, start[1] + (end[1] - start[1]) * at) for at in (0.5 - half, 0.5 + half)
    ]
    return stops[0], stops[1]
