"""The board in its case as solids: a GLB file for any 3D viewer, and a page that turns it and takes it apart.

Millimetres as everywhere, x to the right, y away from the players, z up from the table; the GLB has metres and its own
axes.
"""

from __future__ import annotations

import base64
import html
import json
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib.resources import files

from manifold3d import CrossSection, Manifold, OpType
from trimesh import Scene, Trimesh
from trimesh.exchange.gltf import export_glb
from trimesh.visual import TextureVisuals
from trimesh.visual.material import PBRMaterial

from cribboard.hardware import drawer as measures
from cribboard.hardware.case import (
    BUTTON_DEEP_MM,
    CLIP_FLOOR_MM,
    CLIP_SLACK_MM,
    CLIP_WALL_MM,
    FOOT_WIDE_MM,
    FUSE_MM,
    JACK_MM,
    LEVER_MM,
    OVERHANG_MM,
    PCB_MM,
    PICO_MM,
    PICO_UP_MM,
    PICO_USB_MM,
    SPACER_MM,
    Case,
)
from cribboard.hardware.drawing import drawing
from cribboard.hardware.light_guide import FLANGE_MM, pieces
from cribboard.hardware.light_sheet import film, light_sheet, paper
from cribboard.hardware.printing import bar, clip, cut_area, drawer, guide, leg, rail, ring
from cribboard.hardware.shape import PIXEL_MM, Layout, Point
from cribboard.hardware.stack import (
    BAR_MM,
    CLAMP_HOLE_MM,
    DOME_MM,
    FLANGE_UP_MM,
    GUIDE_MM,
    HEADS,
    NUTS,
    PIXEL_UP_MM,
    SINK_SLACK_MM,
    STRIP_MM,
    WASHERS,
    sink_mm,
)

CAP_MM = 3.0  # of a button above the face
BUTTON_NUT = 20.5, 3.0  # of a push-button of 16 mm, across and thick
FACETS = 24
PIN_HEAD_MM = 0.9  # above the face
WOOD, INSIDE, BLACK, OPAL = (200, 160, 105, 255), (176, 138, 88, 255), (52, 52, 56, 255), (240, 240, 250, 150)
CAPS = ((230, 159, 0, 255), (86, 180, 233, 255), (0, 158, 115, 255), (204, 121, 167, 255))
GREEN, STEEL, BRASS, GLASS = (40, 96, 56, 255), (150, 152, 156, 255), (190, 160, 70, 255), (225, 235, 245, 60)
PRINT, LIGHT, ORANGE = (30, 30, 34, 255), (248, 248, 236, 255), (225, 120, 40, 255)
SHARED_CAP = (235, 235, 235, 255)
PAGE = "model.html"


@dataclass(frozen=True)
class Solid:
    """A part where it belongs; those of a higher level are lifted further when the board is taken apart."""

    name: str
    level: int
    colour: tuple[int, int, int, int]
    shape: Manifold


def solids(case: Case) -> list[Solid]:
    """Everything that is cut, printed or bought, from the feet to the buttons; wires and single parts are left out."""
    return [
        Solid(name, level, colour, Manifold.compose(every))
        for name, level, colour, every in parts(case)
        if every and any(not each.is_empty() for each in every)
    ] + _buttons(case)


Parts = tuple[str, int, tuple[int, int, int, int], list[Manifold]]


def parts(case: Case) -> Iterator[Parts]:
    """The same but the buttons, every body by itself, by kind: its name, level, colour and bodies."""
    layout, stack, thick = case.layout, case.stack, case.thick
    plates = {plate.name: cut_area(plate.pieces).extrude(thick) for plate in case.plates()}
    sheet = thick + case.depth  # the light sheet's lower side
    top = sheet + thick
    face = top + stack.between
    strip = bool(layout.description.shape.strip_mm)
    foot = Manifold.cylinder(case.foot, FOOT_WIDE_MM / 2, FOOT_WIDE_MM / 2, FACETS)
    yield "feet", 0, BLACK, [foot.translate((x, y, -case.stands)) for x, y in case.feet]
    sinks = _sunk(case.drawer_screws, "M3", CLAMP_HOLE_MM, thick)
    yield "back", 0, INSIDE, [Manifold.batch_boolean([plates["back"], *sinks], OpType.Subtract)]
    yield from drawer_parts(case)
    yield "clips", 1, BLACK, [clip().translate((left, low, thick)) for left, low, *_ in case.clips]
    yield "lever connectors", 1, ORANGE, [*_levers(case)]
    yield "fuse", 1, BLACK, [Manifold.cube(FUSE_MM).translate((left, low, thick)) for left, low, *_ in case.fuse_boxes]
    yield "controller", 1, GREEN, [Manifold.compose([*_controller(case)])]
    yield "jack", 1, BLACK, [*_jack(case)]
    yield "walls", 2, WOOD, [*_walls(case, plates)]
    yield "corners", 2, INSIDE, [*_corners(case, plates)]
    if strip:
        yield "bars", 3, BLACK, [*in_place(layout, bar, sheet - GUIDE_MM - BAR_MM)]
        yield "strips", 4, GREEN, [*_strips(layout, sheet - GUIDE_MM)]
    else:
        yield "pixels", 4, LIGHT, [*_pixels(layout, sheet)]
    yield "light guides", 4, BLACK, [*in_place(layout, guide, sheet - GUIDE_MM)]
    sunk = Manifold.batch_boolean([cut_area(light_sheet(layout)).extrude(thick), *_sinks(case)], OpType.Subtract)
    yield "light sheet", 5, INSIDE, [sunk.translate((0, 0, sheet))]
    yield "light guides' screws", 6, STEEL, [*_clamps(case, top)]
    yield "light guides' nuts", 2, STEEL, [*_clamp_nuts(case, sheet)]
    if strip:
        yield "paper", 6, OPAL, [cut_area(paper(layout)).extrude(stack.paper).translate((0, 0, top))]
    outside, inside = (cut_area([each]) for each in film(layout))
    yield "film", 6, GLASS, [(outside - inside).extrude(stack.between).translate((0, 0, top))]
    shape = layout.description.shape
    if stack.ring:
        behind = (face if shape.face_mm else top) - stack.ring  # a printed page goes up to the buttons
        rings = [ring(case).translate((button.x, button.y, behind)) for button in layout.buttons]
        yield "rings behind the buttons", 6, BLACK, rings
    outer = cut_area(drawing(layout))
    if shape.face_mm:
        yield "face", 7, WOOD, [outer.extrude(shape.face_mm).translate((0, 0, face))]
    if shape.cover_mm:
        clear = cut_area([piece for piece in drawing(layout) if piece.layer != "HOLES"])
        yield "cover", 8, GLASS, [clear.extrude(shape.cover_mm).translate((0, 0, face + shape.face_mm))]
    front = top + stack.front
    yield "pins", 9, BRASS, [*_pins(layout, sheet, front)]
    yield "corner screws", 6, STEEL, [*_screws(case, top)]
    yield "corner washers", 0, STEEL, [*_corner_washers(case)]
    yield "corner nuts", 0, STEEL, [*_corner_nuts(case)]


def drawer_parts(case: Case) -> Iterator[Parts]:
    """The drawer below the back, shut, with all that holds it; nothing when a board has none."""
    if not case.drawer_box:
        return
    left, high = case.drawer_box[0] + measures.RAIL_OUT_MM, measures.HIGH_MM
    one, right = rail().translate((0, measures.RAIL_FROM_MM, -high)), left + measures.BODY_MM
    yield "drawer", -1, OPAL, [drawer().translate((left, 0, -measures.TALL_MM))]
    yield "drawer's rails", -1, BLACK, [one.mirror((1, 0, 0)).translate((left, 0, 0)), one.translate((right, 0, 0))]
    yield "legs", -1, BLACK, [leg().rotate((180, 0, 0)).translate((x, y, 0)) for x, y in case.feet]
    screw, nut = _countersunk("M3", case.stack.clamp_long), _nut("M3").translate((0, 0, -high - NUTS["M3"].high))
    yield "drawer's screws", 0, STEEL, [screw.translate((x, y, case.thick)) for x, y in case.drawer_screws]
    yield "drawer's nuts", -1, STEEL, [nut.translate((x, y, 0)) for x, y in case.drawer_screws]


def _levers(case: Case) -> Iterator[Manifold]:
    inner = CLIP_WALL_MM + CLIP_SLACK_MM
    for left, low, *_ in case.clips:
        yield Manifold.cube(LEVER_MM).translate((left + inner, low + inner, case.thick + CLIP_FLOOR_MM))


def in_place(layout: Layout, made: Callable[[Layout, range], Manifold], low: float) -> Iterator[Manifold]:
    """Each piece of the light guide, or each bar, where it belongs, its lower side at this height."""
    for leds in pieces(layout):
        spot = layout.spot(leds.start)
        yield made(layout, leds).rotate((0, 0, math.degrees(spot.angle))).translate((spot.x, spot.y, low))


def _strips(layout: Layout, low: float) -> Iterator[Manifold]:
    """Each street's strip of each track on its bars, with its pixels."""
    shape = layout.description.shape
    for street in layout.streets:
        leds = range(street.start, street.stop + (street.stop == layout.last))
        for track in range(layout.description.tracks.count):
            spot = layout.spot((leds.start + leds.stop - 1) / 2)
            middle = spot.across(layout.offset(track))
            flat = Manifold.cube((len(leds) * shape.pitch_mm, shape.strip_mm, STRIP_MM), True)
            made = flat.rotate((0, 0, math.degrees(spot.angle))).translate((*middle, low + STRIP_MM / 2))
            pixel = Manifold.cube((PIXEL_MM, PIXEL_MM, PIXEL_UP_MM), True)
            up = low + STRIP_MM + PIXEL_UP_MM / 2 - 0.01
            made += Manifold.compose([pixel.translate((*layout.holes(track)[led], up)) for led in leds])
            yield made


def _pixels(layout: Layout, sheet: float) -> Iterator[Manifold]:
    """Single pixels, their flanges at the light sheet's lower side."""
    radius, step = PIXEL_MM / 2, 0.05  # a flat ring keeps the round top off the round side
    top = DOME_MM - radius + step
    dome = Manifold.sphere(radius - step, FACETS).translate((0, 0, top)).trim_by_plane((0, 0, 1), top - step)
    dome += Manifold.cylinder(top, radius, radius, FACETS)
    flange = Manifold.cylinder(FLANGE_UP_MM, FLANGE_MM / 2, FLANGE_MM / 2, FACETS)
    pixel = dome + flange.translate((0, 0, -FLANGE_UP_MM))
    for track in range(layout.description.tracks.count):
        for x, y in layout.holes(track):
            yield pixel.translate((x, y, sheet))


def _ear_points(case: Case) -> list[Point]:
    return [(ear.x, ear.y) for ears in case.ears for ear in ears]


def _sinks(case: Case) -> Iterator[Manifold]:
    """The countersinks, from the light sheet's lower side; a flat ring keeps them off the round holes below."""
    corner = case.layout.description.shape.screw_mm
    yield from _sunk(_ear_points(case), "M3", CLAMP_HOLE_MM, case.thick)
    yield from _sunk(case.layout.screws, case.screw, corner, case.thick)


def _sunk(points: Sequence[Point], screw: str, hole: float, top: float) -> Iterator[Manifold]:
    high = HEADS[screw].high
    sink = Manifold.cylinder(high, (hole + SINK_SLACK_MM) / 2, sink_mm(screw, hole) / 2, FACETS)
    return (sink.translate((x, y, top - high)) for x, y in points)


def _clamps(case: Case, top: float) -> Iterator[Manifold]:
    """The countersunk screws, flush with the top of the light sheet."""
    for x, y in _ear_points(case):
        yield _countersunk("M3", case.stack.clamp_long).translate((x, y, top))


def _countersunk(screw: str, long: float) -> Manifold:
    """A screw whose head ends at nought."""
    thread, head = _thread(screw), HEADS[screw]
    shaft = Manifold.cylinder(long, thread, thread, FACETS).translate((0, 0, -long))
    return shaft + Manifold.cylinder(head.high, thread, head.wide / 2, FACETS).translate((0, 0, -head.high))


def _nut(screw: str) -> Manifold:
    nut, thread = NUTS[screw], _thread(screw)
    outer = Manifold.cylinder(nut.high, nut.flats / math.sqrt(3), nut.flats / math.sqrt(3), 6).rotate((0, 0, 30))
    return outer - Manifold.cylinder(nut.high, thread, thread, FACETS)


def _clamp_nuts(case: Case, sheet: float) -> Iterator[Manifold]:
    low = sheet - GUIDE_MM - BAR_MM - NUTS["M3"].high
    for x, y in _ear_points(case):
        yield _nut("M3").translate((x, y, low))


def _pins(layout: Layout, low: float, high: float) -> Iterator[Manifold]:
    """From the light sheet's lower side to a head above the face."""
    wide = layout.description.shape.dots_mm
    pin = Manifold.cylinder(high - low, wide / 2, wide / 2, 12)
    head = Manifold.cylinder(PIN_HEAD_MM, wide, wide / 2, 12)
    for x, y in layout.dots:
        yield (pin + head.translate((0, 0, high - low))).translate((x, y, low))


def _thread(screw: str) -> float:
    """Half of how wide it is."""
    return float(screw.removeprefix("M")) / 2


def _screws(case: Case, top: float) -> Iterator[Manifold]:
    """The corners' screws, flush with the top of the light sheet."""
    for x, y in case.layout.screws:
        yield _countersunk(case.screw, case.screw_long).translate((x, y, top))


def _corner_washers(case: Case) -> Iterator[Manifold]:
    washer, thread = WASHERS[case.screw], _thread(case.screw)
    ring = CrossSection.circle(washer.wide / 2, FACETS) - CrossSection.circle(thread, FACETS)
    for x, y in case.layout.screws:
        yield ring.extrude(washer.high).translate((x, y, case.thick - washer.high))


def _corner_nuts(case: Case) -> Iterator[Manifold]:
    low = case.thick - WASHERS[case.screw].high - NUTS[case.screw].high
    for x, y in case.layout.screws:
        yield _nut(case.screw).translate((x, y, low))


def _controller(case: Case) -> Iterator[Manifold]:
    """Its board on spacers, a Pico in its sockets, and that one's USB socket."""
    left, bottom, right, top = case.board_box
    low = case.thick + SPACER_MM
    yield Manifold.cube((right - left, top - bottom, PCB_MM)).translate((left, bottom, low))
    (wide, deep), high = PICO_MM, case.thick + PICO_UP_MM
    yield Manifold.cube((wide, deep, high - low - PCB_MM)).translate(
        (case.board_x - wide / 2, top - deep, low + PCB_MM)
    )
    wide, deep, up = PICO_USB_MM
    yield Manifold.cube((wide, deep, up)).translate((case.board_x - wide / 2, top - deep, high - 1))


def _jack(case: Case) -> Iterator[Manifold]:
    """That of a supply, on the back up to the wall; how far it comes through differs from maker to maker."""
    if case.jack_box:
        left, bottom, right, top = case.jack_box
        yield Manifold.cube((right - left, top - case.thick - bottom, JACK_MM[1])).translate((left, bottom, case.thick))


def _walls(case: Case, plates: dict[str, Manifold]) -> Iterator[Manifold]:
    """Each on its tabs in the back."""
    width, depth = case.layout.size
    for name, y in (("wall-near", OVERHANG_MM), ("wall-far", depth - OVERHANG_MM - case.thick)):
        yield plates[name].rotate((90, 0, 0)).translate((case.corner, y + case.thick, 0))
    for x in (OVERHANG_MM, width - OVERHANG_MM - case.thick):
        yield plates["wall-side"].rotate((90, 0, 90)).translate((x, case.corner, 0))


def _corners(case: Case, plates: dict[str, Manifold]) -> Iterator[Manifold]:
    """Of each corner its plates, glued to one."""
    width, depth = case.layout.size
    levels = [plates["corner" if level % 2 else "corner-with-ears"] for level in range(case.levels)]
    one = sum((plate.translate((0, 0, level * case.thick)) for level, plate in enumerate(levels)), Manifold())
    for right in (False, True):
        for far in (False, True):
            turned = one.mirror((1, 0, 0)) if right else one
            turned = turned.mirror((0, 1, 0)) if far else turned
            at = (width - OVERHANG_MM if right else OVERHANG_MM, depth - OVERHANG_MM if far else OVERHANG_MM)
            yield turned.translate((*at, case.thick))


def button(case: Case) -> Manifold:
    """A push-button from the top of the face: its cap, its body and the nut that clamps the face."""
    wide, panel = case.layout.description.buttons.diameter_mm / 2, case.stack.panel
    made = Manifold.cylinder(CAP_MM, wide + 1, wide + 1, FACETS)
    made += Manifold.cylinder(BUTTON_DEEP_MM, wide - 0.2, wide - 0.2, FACETS).translate((0, 0, -BUTTON_DEEP_MM))
    across, high = BUTTON_NUT[0] / 16 * wide, BUTTON_NUT[1]
    return made + Manifold.cylinder(high, across, across, FACETS).translate((0, 0, -panel - high))


def _buttons(case: Case) -> list[Solid]:
    layout, top = case.layout, 2 * case.thick + case.depth + case.stack.front
    made = []
    one = button(case)
    for place in sorted({button.place for button in layout.buttons}, key=lambda place: -1 if place is None else place):
        every = [one.translate((each.x, each.y, top)) for each in layout.buttons if each.place == place]
        name = "buttons for all" if place is None else f"buttons of player {place + 1}"
        colour = SHARED_CAP if place is None else CAPS[place % len(CAPS)]
        made.append(Solid(name, 9, colour, Manifold.compose(every)))
    return made


def glb(bodies: list[Solid]) -> bytes:
    """The parts as binary glTF, each a node of its own name."""
    scene = Scene()
    for part in bodies:
        mesh = part.shape.to_mesh()
        material = PBRMaterial(  # type: ignore[no-untyped-call]
            name=part.name,
            baseColorFactor=part.colour,
            metallicFactor=0.0,
            roughnessFactor=0.8,
            alphaMode="OPAQUE" if part.colour[3] == 255 else "BLEND",
        )
        made = Trimesh(mesh.vert_properties / 1000, mesh.tri_verts, process=False)
        made.apply_transform([[1, 0, 0, 0], [0, 0, 1, 0], [0, -1, 0, 0], [0, 0, 0, 1]])
        made.visual = TextureVisuals(material=material)  # type: ignore[no-untyped-call]
        scene.add_geometry(made, node_name=part.name, geom_name=part.name)
    return bytes(export_glb(scene, include_normals=False))  # type: ignore[no-untyped-call]


def page(name: str, case: Case, bodies: list[Solid]) -> str:
    """One file that needs no other: it shows the GLB in it, and says the same in words."""
    width, depth = case.layout.size
    high = case.depth + 2 * case.thick + case.stack.front
    sentences = [f"The whole is {width:.0f} mm wide, {depth:.0f} mm deep and {high:.0f} mm high, without the buttons."]
    sentences += [f"{part.name.capitalize()}: {_measures(part.shape)}." for part in bodies]
    text = (files("cribboard.hardware") / PAGE).read_text("utf-8")
    put = {
        "NAME": html.escape(name),
        "TOLD": "\n".join(f"<li>{html.escape(line)}</li>" for line in sentences),
        "LEVELS": json.dumps({part.name: part.level for part in bodies}),
        "MODEL": base64.b64encode(glb(bodies)).decode(),
    }
    for key, value in put.items():
        text = text.replace("{{" + key + "}}", value)
    return text


def _measures(shape: Manifold) -> str:
    left, front, low, right, back, high = shape.bounding_box()
    return f"{right - left:.0f} by {back - front:.0f} mm, from {low:.0f} to {high:.0f} mm above the underside"
