"""The board in its case as solids: a GLB file for any 3D viewer, and a page that turns it and takes it apart.

Millimetres as everywhere, x to the right, y away from the players, z up from the table; the GLB has metres and its own
axes.
"""

from __future__ import annotations

import base64
import html
import json
import math
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources import files

from manifold3d import Manifold
from trimesh import Scene, Trimesh
from trimesh.exchange.gltf import export_glb
from trimesh.visual import TextureVisuals
from trimesh.visual.material import PBRMaterial

from cribboard.hardware.case import (
    DIFFUSER_MM,
    OVERHANG_MM,
    PCB_MM,
    PICO_MM,
    PICO_UP_MM,
    PICO_USB_MM,
    PILLAR_MM,
    SPACER_MM,
    Case,
)
from cribboard.hardware.drawing import drawing
from cribboard.hardware.printing import corner, cut_area, guide, parts
from cribboard.hardware.shape import Layout

CAP_MM = 3.0  # of a button above the face
CAP_FACETS = 24
WOOD, INSIDE, BLACK, OPAL = (200, 160, 105, 255), (176, 138, 88, 255), (52, 52, 56, 255), (240, 240, 250, 150)
CAPS = ((230, 159, 0, 255), (86, 180, 233, 255), (0, 158, 115, 255), (204, 121, 167, 255))
GREEN = (40, 96, 56, 255)
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
    """Everything that is cut or printed, and the buttons, from the back to the face."""
    layout, thick = case.layout, case.thick
    plates = {plate.name: cut_area(plate.pieces).extrude(thick) for plate in case.plates()}
    width, depth = layout.size
    top = thick + case.depth
    inside = case.corner
    opal = Manifold.cube((width - 2 * inside, depth - 2 * inside, DIFFUSER_MM))
    pillar = Manifold.cube((*PILLAR_MM, case.pillar_plates * thick))
    pillars = [pillar.translate((x, y, thick)) for x, y in case.pillars]
    return [
        Solid("back", 0, INSIDE, plates["back"]),
        Solid("pillars", 1, WOOD, Manifold.compose(pillars)),
        Solid("controller", 1, GREEN, Manifold.compose([*_controller(case)])),
        Solid("walls", 2, WOOD, Manifold.compose([*_walls(case, plates)])),
        Solid("corners", 2, INSIDE, Manifold.compose([*_corners(case)])),
        Solid("light guides", 3, BLACK, Manifold.compose([*_guides(layout, top - DIFFUSER_MM)])),
        Solid("diffuser", 4, OPAL, opal.translate((inside, inside, top - DIFFUSER_MM))),
        Solid("face", 5, WOOD, cut_area(drawing(layout)).extrude(thick).translate((0, 0, top))),
        *_buttons(layout, top + thick),
    ]


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


def _walls(case: Case, plates: dict[str, Manifold]) -> Iterator[Manifold]:
    """Each on its tabs in the back."""
    width, depth = case.layout.size
    for name, y in (("wall-near", OVERHANG_MM), ("wall-far", depth - OVERHANG_MM - case.thick)):
        yield plates[name].rotate((90, 0, 0)).translate((case.corner, y + case.thick, 0))
    for x in (OVERHANG_MM, width - OVERHANG_MM - case.thick):
        yield plates["wall-side"].rotate((90, 0, 90)).translate((x, case.corner, 0))


def _corners(case: Case) -> Iterator[Manifold]:
    (width, depth), one = case.layout.size, corner(case)
    for right in (False, True):
        for far in (False, True):
            turned = one.mirror((1, 0, 0)) if right else one
            turned = turned.mirror((0, 1, 0)) if far else turned
            at = (width - OVERHANG_MM if right else OVERHANG_MM, depth - OVERHANG_MM if far else OVERHANG_MM)
            yield turned.translate((*at, case.thick))


def _guides(layout: Layout, top: float) -> Iterator[Manifold]:
    for part in parts(layout):
        spot = layout.spot(part.leds.start)
        high = part.size[2]
        yield guide(layout, part.leds).rotate((0, 0, math.degrees(spot.angle))).translate((spot.x, spot.y, top - high))


def _buttons(layout: Layout, top: float) -> Iterator[Solid]:
    radius = layout.description.buttons.diameter_mm / 2 + 1
    cap = Manifold.cylinder(CAP_MM, radius, radius, CAP_FACETS)
    for place in sorted({button.place for button in layout.buttons}, key=lambda place: -1 if place is None else place):
        caps = [cap.translate((button.x, button.y, top)) for button in layout.buttons if button.place == place]
        name = "buttons for all" if place is None else f"buttons of player {place + 1}"
        colour = SHARED_CAP if place is None else CAPS[place % len(CAPS)]
        yield Solid(name, 6, colour, Manifold.compose(caps))


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
    high = case.depth + 2 * case.thick
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
    return f"{right - left:.0f} by {back - front:.0f} mm, from {low:.0f} to {high:.0f} mm above the table"
