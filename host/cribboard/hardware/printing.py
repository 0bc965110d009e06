"""What a 3D printer makes: light guides, bars and small parts as STL, and what time and filament each part takes.

The light guide keeps each LED's light to its own hole, in pieces that can be printed. On a strip a piece has channels
below that the strips lie in, and a bar below these; single pixels stand with their flanges in the cells themselves.
Every part is printed as it lies in its file, without support.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from manifold3d import CrossSection, FillRule, JoinType, Manifold
from trimesh import Trimesh
from trimesh.exchange.stl import export_stl

from cribboard.amounts import amount
from cribboard.hardware import drawer as measures
from cribboard.hardware.case import CLIP_FLOOR_MM, CLIP_SLACK_MM, CLIP_WALL_MM, LEVER_MM, Case
from cribboard.hardware.description import DescriptionError
from cribboard.hardware.drawing import Circle, Piece, Polyline
from cribboard.hardware.laser import CUT, areas
from cribboard.hardware.light_guide import (
    EAR_ALONG_MM,
    EAR_AT_MM,
    EAR_REACH_MM,
    END_MM,
    FLANGE_MM,
    LEAST,
    POST_MM,
    SLACK_MM,
    TOO_SMALL,
    WALL_MM,
    Ear,
    border,
    cell_mm,
    ends,
    half_mm,
    pieces,
    seen_from,
)
from cribboard.hardware.shape import Layout, Point
from cribboard.hardware.stack import BAR_MM, CHANNEL_MM, CLAMP_HOLE_MM, FLANGE_UP_MM, GUIDE_MM, NUTS
from cribboard.hardware.way import Spot

SLOT_MM = 1.0  # that a long hole is longer than wide
FLANGE_SLACK_MM = 0.1  # above a pixel's flange
CLIP_HIGH_MM, CLIP_LOW_MM = 5.0, 2.0  # of the walls around a lever connector, and of that below its wires
FACETS = 32
FINE_MM = 0.01  # corners nearer than this are one: the file's numbers are too short to tell them apart

# Millimetres cubed a second. PrusaSlicer 2.5 takes with PROFILE, each part by itself, 14.2 hours for the default
# board's 133 cm³, 13.2 for the 117 of the 29, 19.4 for three tracks' 188 and 31.2 for the large board's 347; with the
# profile of a Creality Ender-3 it takes 16.3 for the first.
FLOW_MM3_S = 2.6
PROFILE = "0.20mm QUALITY of an Original Prusa i3 MK3S"
PLA_G_CM3 = 1.24
CASE_FACETS = 48


@dataclass(frozen=True)
class Part:
    """A light guide or a bar: the LEDs that it covers, and its solid with its lower left corner at 0, 0, 0."""

    leds: range
    solid: Manifold

    @property
    def size(self) -> tuple[float, float, float]:
        """How long, wide and high it is."""
        left, front, low, right, back, high = self.solid.bounding_box()
        return right - left, back - front, high - low

    def stl(self) -> bytes:
        """The piece as binary STL, in millimetres."""
        return stl(self.solid)


def stl(solid: Manifold) -> bytes:
    """A solid as binary STL, in millimetres."""
    mesh = solid.to_mesh()
    return export_stl(Trimesh(mesh.vert_properties, mesh.tri_verts, process=False))


def parts(layout: Layout) -> list[Part]:
    """The pieces from the first LED to the last, none larger than the printer's bed."""
    runs = pieces(layout)
    if not runs:
        width, depth = layout.description.shape.printer_mm
        raise DescriptionError(f"printer_mm = [{width:g}, {depth:g}]: {TOO_SMALL}", LEAST)
    return [_part(layout, leds) for leds in runs]


def bars(layout: Layout) -> list[Part]:
    """The bar below each piece; single pixels have none."""
    runs = pieces(layout) if layout.description.shape.strip_mm else []
    return [Part(leds, _laid(bar(layout, leds))) for leds in runs]


def files(layout: Layout) -> dict[str, bytes]:
    """The STL of each different piece by its file's name, which says what it covers and how often it is wanted."""
    return {
        f"{name}-of-{len(behind[0])}-holes-print-{len(behind)}.stl": made
        for name, (made, behind) in _different(layout).items()
    }


def where(layout: Layout) -> list[str]:
    """Which piece of the light guide and which bar go behind which holes, from hole 1 on."""
    names: dict[range, list[str]] = {leds: [] for leds in pieces(layout)}
    for name, (_, behind) in _different(layout).items():
        for leds in behind:
            names[leds].append(name)
    return [f"holes {leds.start + 1} to {leds.stop}: {' and '.join(own)}" for leds, own in names.items()]


@lru_cache(maxsize=16)
def _different(layout: Layout) -> dict[str, tuple[bytes, list[range]]]:
    """The STL of each different piece, and the LEDs of those that are the same to the last bit, by its name."""
    named: dict[str, tuple[bytes, list[range]]] = {}
    for kind, every in (("light-guide", parts(layout)), ("bar", bars(layout))):
        alike: dict[bytes, list[range]] = {}
        for part in every:
            alike.setdefault(part.stl(), []).append(part.leds)
        named |= {f"{kind}-{number}": same for number, same in enumerate(alike.items(), 1)}
    return named


def guide(layout: Layout, leds: range) -> Manifold:
    """A piece of the light guide as it lies in the board, from its first hole and with the way to the right."""
    strip, origin = layout.description.shape.strip_mm, layout.spot(leds.start)
    screws, inside = _screws(layout, leds), CrossSection()
    area = _footprint(layout, leds) + _arms(layout, leds) - screws
    for track in range(layout.description.tracks.count):
        places = seen_from(origin, [layout.spot(led).across(layout.offset(track)) for led in leds])
        area -= _discs([(cell_mm(layout, led) + SLACK_MM) / 2 for led in leds], places)
        if strip:
            channel = layout.band(leds.start - 1, leds.stop, layout.offset(track), (strip + SLACK_MM) / 2)
            inside += _area(seen_from(origin, channel[:-1])) ^ _area(border(layout, leds))
        else:
            inside += _discs([(FLANGE_MM + SLACK_MM) / 2] * len(places), places)
    # Flat areas are cut in a hundredth of the time of solids, so only what is not as high as the piece is a solid.
    if strip:
        return (area.extrude(GUIDE_MM) - inside.extrude(CHANNEL_MM)).simplify(FINE_MM)
    deep = FLANGE_UP_MM + FLANGE_SLACK_MM
    solid = area.extrude(GUIDE_MM) - inside.extrude(deep).translate((0, 0, GUIDE_MM - deep))
    # No bar could lie over the wires of single pixels: the ears are as high as one.
    feet = (_ears(layout, leds) - _area(border(layout, leds)) - screws).extrude(BAR_MM)
    return (solid + feet.translate((0, 0, -BAR_MM))).simplify(FINE_MM)


def bar(layout: Layout, leds: range) -> Manifold:
    """The bar below a piece of the light guide, which the strips are stuck to, in the same place."""
    return (_footprint(layout, leds) - _screws(layout, leds)).extrude(BAR_MM).simplify(FINE_MM)


def _footprint(layout: Layout, leds: range) -> CrossSection:
    """A piece from above, with its ears and without the holes of its screws."""
    return _area(border(layout, leds)).offset(-SLACK_MM / 2, JoinType.Miter) + _ears(layout, leds)


def _own_ears(layout: Layout, leds: range) -> list[Ear]:
    return Case(layout).ears[pieces(layout).index(leds)]


def _ears(layout: Layout, leds: range) -> CrossSection:
    """The ears: from well within the border to a round end around the screw."""
    around, radius = CrossSection(), EAR_REACH_MM - EAR_AT_MM
    half = half_mm(layout, leds)
    for ear in _own_ears(layout, leds):
        spot = layout.spot(ear.place)
        root = [spot.along(side * EAR_ALONG_MM / 2).across(ear.side * (half - WALL_MM)) for side in (-1, 1)]
        [one, other] = seen_from(layout.spot(leds.start), root)
        away = EAR_ALONG_MM / 2 - radius
        middles = [spot.along(side * away).across(ear.side * (half + EAR_AT_MM)) for side in (-1, 1)]
        rounds = [
            CrossSection.circle(radius, FACETS).translate(at) for at in seen_from(layout.spot(leds.start), middles)
        ]
        base = CrossSection.hull_points([one, other, *seen_from(layout.spot(leds.start), middles)])
        around += CrossSection.batch_hull([base, *rounds])
    return around


def _screws(layout: Layout, leds: range) -> CrossSection:
    """The holes of the screws: the first is round, the others are long, along the way."""
    origin, holes = layout.spot(leds.start), CrossSection()
    for ear in _own_ears(layout, leds):
        reach = SLOT_MM / 2 if ear.slot else 0.0
        spot = layout.spot(ear.place)
        off = ear.side * (half_mm(layout, leds) + EAR_AT_MM)
        middles = seen_from(origin, [spot.along(side * reach).across(off) for side in (-1, 1)])
        holes += CrossSection.batch_hull(
            [CrossSection.circle(CLAMP_HOLE_MM / 2, FACETS).translate(middle) for middle in middles]
        )
    return holes


def _arms(layout: Layout, leds: range) -> CrossSection:
    """What sticks out where a strip begins or ends: posts that stop it, with room for pads and wires between them."""
    strip, origin, all_arms = layout.description.shape.strip_mm, layout.spot(leds.start), CrossSection()
    for at, out in ends(layout, leds):
        spot = layout.spot(round(at - out / 2))
        near, far = (spot.along(out * (layout.description.shape.pitch_mm / 2 + d)) for d in (-SLACK_MM, END_MM))
        half = half_mm(layout, leds) - SLACK_MM / 2

        def box(low: float, high: float, near: Spot = near, far: Spot = far) -> CrossSection:
            corners = [near.across(low), far.across(low), far.across(high), near.across(high)]
            return CrossSection.hull_points(seen_from(origin, corners))

        arms = box(-half, half)
        for track in range(layout.description.tracks.count):
            inner = (strip + SLACK_MM) / 2 - POST_MM
            arms -= box(layout.offset(track) - inner, layout.offset(track) + inner)
        all_arms += arms
    return all_arms


def _discs(radii: Sequence[float], places: Sequence[Point]) -> CrossSection:
    return CrossSection.compose(
        [CrossSection.circle(radius, FACETS).translate(place) for radius, place in zip(radii, places, strict=True)]
    )


def _part(layout: Layout, leds: range) -> Part:
    """Drawn from its own first place, so that pieces that are alike are the same to the last bit."""
    return Part(leds, _laid(guide(layout, leds).rotate((180, 0, 0))))  # as it is printed, with the channels up


def _laid(solid: Manifold) -> Manifold:
    """A solid with its lower left corner at 0, 0, 0."""
    left, front, low, *_ = solid.bounding_box()
    return solid.translate((-left, -front, -low))


def _area(around: Sequence[Point]) -> CrossSection:
    return CrossSection([around], FillRule.NonZero)


@dataclass(frozen=True)
class Printed:
    """A part to print, how many of it, and the volume of one in cm³."""

    name: str
    count: int
    cm3: float

    @property
    def hours(self) -> float:
        """For all of them."""
        return self.count * self.cm3 * 1000 / FLOW_MM3_S / 3600

    @property
    def grams(self) -> float:
        """Of PLA, for all of them."""
        return self.count * self.cm3 * PLA_G_CM3


def clip() -> Manifold:
    """What holds a lever connector on the back: a floor with walls around it, open to the wires."""
    wide, deep, _ = (side + 2 * CLIP_SLACK_MM for side in LEVER_MM)
    outer = CrossSection.square((wide + 2 * CLIP_WALL_MM, deep + 2 * CLIP_WALL_MM)).extrude(
        CLIP_FLOOR_MM + CLIP_HIGH_MM
    )
    inner = (
        CrossSection.square((wide, deep)).extrude(CLIP_HIGH_MM).translate((CLIP_WALL_MM, CLIP_WALL_MM, CLIP_FLOOR_MM))
    )
    low = CLIP_HIGH_MM - CLIP_LOW_MM
    window = (
        CrossSection.square((wide, CLIP_WALL_MM)).extrude(low).translate((CLIP_WALL_MM, 0, CLIP_FLOOR_MM + CLIP_LOW_MM))
    )
    return outer - inner - window


def ring(case: Case) -> Manifold:
    """What is glued behind a face that is too thin for a button's nut, within the light sheet's opening."""
    outer = (case.layout.opening_mm - SLACK_MM) / 2
    inner = case.layout.description.buttons.diameter_mm / 2 + SLACK_MM / 4
    return (CrossSection.circle(outer, CASE_FACETS) - CrossSection.circle(inner, CASE_FACETS)).extrude(case.stack.ring)


def drawer() -> Manifold:
    """The drawer as it is printed, on its floor: its front at y = 0, its left side, without the flange, at x = 0."""
    (wide, _, _), side, floor = measures.DECK_MM, measures.SIDE_MM, measures.FLOOR_MM
    body, deep, high = measures.BODY_MM, measures.DEEP_MM, measures.TALL_MM - measures.PLAY_MM
    made = Manifold.cube((body, deep, high))
    rooms = [(side, wide), (2 * side + wide, measures.PEGS_MM)]
    backs = [(measures.FRONT_MM, measures.DIVIDER_MM), (measures.DIVIDER_MM + side, deep - side)]
    for (x, across), (y, end) in [(room, backs[0]) for room in rooms] + [((side, body - 2 * side), backs[1])]:
        made -= Manifold.cube((across, end - y, high)).translate((x, y, floor))
    for reach, y, long in (
        (measures.FLANGE_MM, 0.0, deep),
        (measures.EAR_MM, measures.EAR_FROM_MM, measures.EAR_LONG_MM),
    ):
        one = _run(measures.flange(reach), long, measures.TALL_MM).translate((body, y, 0))
        made += one + one.mirror((1, 0, 0)).translate((body, 0, 0))
    whole, (notch, down) = measures.WHOLE_MM[0], measures.GRIP_MM
    made += Manifold.cube((whole, measures.FRONT_MM, high)).translate((-measures.RAIL_OUT_MM, 0, 0))
    grip = Manifold.cube((notch, 3 * measures.FRONT_MM, high)).translate(
        ((body - notch) / 2, -measures.FRONT_MM, high - down)
    )
    return made - (grip ^ Manifold.cube((body, measures.FRONT_MM, high)))


def rail() -> Manifold:
    """A rail of the drawer as it is printed, its lip below; both are alike, one turned round."""
    land, high = measures.LAND_MM, measures.HIGH_MM
    made = _run(measures.rail(measures.CHANNEL_MM), measures.RAIL_LONG_MM, high)
    for y in (0.0, measures.RAIL_LONG_MM - land):
        made += _run(measures.rail(measures.NARROW_MM), land, high).translate((0, y, 0))
    hole = Manifold.cylinder(high, CLAMP_HOLE_MM / 2, circular_segments=FACETS)
    for y in (measures.SCREW_IN_MM, measures.RAIL_LONG_MM - measures.SCREW_IN_MM):
        made -= hole.translate((measures.SCREW_U_MM, y, 0))
    return made


def leg() -> Manifold:
    """A leg as it is printed, with the pocket for its nut above; a foot is stuck over that."""
    long, flats = measures.LEG_MM, NUTS["M3"].flats + measures.LEG_SLACK_MM
    made = Manifold.cylinder(long, measures.LEG_WIDE_MM / 2, circular_segments=CASE_FACETS)
    made -= Manifold.cylinder(long, CLAMP_HOLE_MM / 2, circular_segments=FACETS)
    pocket = Manifold.cylinder(long, flats / math.sqrt(3), circular_segments=6).rotate((0, 0, 30))
    return made - pocket.translate((0, 0, measures.HIGH_MM))


def _run(section: Sequence[Point], long: float, high: float) -> Manifold:
    """A section of u and z, z down from this height, run along y."""
    return _area([(u, high - z) for u, z in section]).extrude(long).rotate((90, 0, 0)).translate((0, long, 0))


def case_files(case: Case) -> dict[str, tuple[bytes, Printed]]:
    """The STL of each part that may be printed, by its file's name, and what it takes."""
    made: dict[str, tuple[bytes, Printed]] = {}

    def add(file: str, name: str, count: int, solid: Manifold) -> None:
        made[f"{file}-print-{count}.stl"] = stl(solid), Printed(name, count, solid.volume() / 1000)

    for plate in case.plates():
        if plate.name.startswith("corner"):
            solid = cut_area(plate.pieces).extrude(case.thick)
            add(f"case-{plate.name}", f"plate of the case's corners ({plate.name})", plate.count, solid)
    add("case-clip", "clip for a lever connector", len(case.clips), clip())
    if case.stack.ring:
        add("case-button-ring", "ring behind a button", len(case.layout.buttons), ring(case))
    if case.drawer_box:
        add("case-drawer", "drawer", 1, drawer())
        add("case-drawer-rail", "rail of the drawer", 2, rail())
        add("case-drawer-leg", "leg beside the drawer", len(case.feet), leg())
    return made


def guides(layout: Layout) -> list[Printed]:
    """The pieces of the light guide and their bars."""
    every = [("light guide", part) for part in parts(layout)] + [("bar", part) for part in bars(layout)]
    return [Printed(f"{name}, {amount(len(part.leds), 'hole')}", 1, part.solid.volume() / 1000) for name, part in every]


def table(printed: Iterable[Printed]) -> list[str]:
    """A line for each kind of part, then one for all."""
    kinds: dict[str, Printed] = {}
    for part in printed:
        before = kinds.get(part.name)
        kinds[part.name] = Printed(part.name, part.count + (before.count if before else 0), part.cm3)
    lines = [f"{each.count} x {each.name}: {_amount([each])}" for each in kinds.values()]
    said = f"solid, in PLA, at the {FLOW_MM3_S:g} mm³ a second that PrusaSlicer takes with {PROFILE}"
    return [*lines, f"All printed parts: {_amount(list(kinds.values()))} ({said})."]


def _amount(printed: Sequence[Printed]) -> str:
    hours, grams = sum(each.hours for each in printed), sum(each.grams for each in printed)
    return f"{hours:.1f} h, {grams:.0f} g"


def cut_area(pieces: Sequence[Piece]) -> CrossSection:
    """What a laser leaves of a sheet: the outline without what is cut out of it."""
    [outline] = areas(pieces, [])
    area = _area(list(outline.exterior.coords[:-1]))
    holes = [piece for piece in pieces if piece.layer in CUT and piece.layer != "OUTLINE"]
    round_ones = [piece for piece in holes if isinstance(piece, Circle)]
    area -= CrossSection.compose(
        [CrossSection.circle(hole.radius, CASE_FACETS).translate((hole.x, hole.y)) for hole in round_ones]
    )
    for piece in holes:
        if isinstance(piece, Polyline):
            area -= _area(piece.points[:-1])
    return area
