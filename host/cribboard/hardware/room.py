"""The board as an eye at the table sees it: its solids, lit by its own pixels and by a room, traced by Mitsuba.

Each pixel has the light of its data sheet at the bytes of its strip; it comes through the light sheet's holes and the
paper as the solids let it. So the pictures check the figures of `light.py` by another way. Millimetres and lux.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import mitsuba
import numpy
from manifold3d import CrossSection, FillRule, Manifold
from numpy.typing import NDArray
from shapely import LineString, Point, Polygon, unary_union
from shapely.geometry.base import BaseGeometry

from cribboard.hardware.case import Case
from cribboard.hardware.drawing import Circle, Polyline, drawing
from cribboard.hardware.light import AWAY_MM, CANDELA, EYE_MM
from cribboard.hardware.light_sheet import paper
from cribboard.hardware.model import Solid, solids
from cribboard.hardware.printing import cut_area
from cribboard.hardware.shape import Layout
from cribboard.hardware.stack import DOME_MM, GUIDE_MM, PIXEL_UP_MM, STRIP_MM

Colour = tuple[float, float, float]
Place = tuple[float, float, float]
Tracks = Sequence[Sequence[tuple[int, int, int]]]
Floats = NDArray[numpy.float64]

LENS_MM = 4.0  # across what shines of a pixel on a strip
PAPER_SHARE = 0.47  # of the light, that paper lets through; it throws back as much
ENGRAVED_MM = 0.35  # of an engraved line, which is burnt dark
ABOVE_MM = 0.02  # so far lie a line and the paper from what they lie on
INSIDE = {"clips", "lever connectors", "fuse", "controller", "jack", "paper", "film", "strips", "pixels"}
INSIDE |= {"light guides' nuts"}
# What each part throws back, in linear red, green and blue; the rest is black plastic.
WOOD, SHEET, BURNT, BLACK, INK = (0.62, 0.45, 0.28), (0.55, 0.42, 0.27), (0.07, 0.04, 0.02), (0.03,) * 3, (0.02,) * 3
VENEER, TABLE, WHITE, BRASS = (0.66, 0.53, 0.36), (0.14, 0.075, 0.042), (0.7,) * 3, (0.6, 0.42, 0.16)
# A pixel's red, green and blue, in CIE x and y (620, 522 and 467 nm).
PRIMARIES = ((0.691, 0.309), (0.170, 0.700), (0.135, 0.060))
TO_SRGB = numpy.array([[3.2406, -1.5372, -0.4986], [-0.9689, 1.8758, 0.0415], [0.0557, -0.2040, 1.0570]])
LUMA = numpy.array([0.2126, 0.7152, 0.0722])
LAMP_MM, LAMP_AT, LAMP_SHARE = 500.0, (-500.0, 500.0, 1100.0), 0.5  # a lamp over the table, beside the board
LAMP_COLOUR: Colour = (1.35, 0.95, 0.55)  # warm white, of luminance 1
HIGH_MM = 700.0  # of the eye that looks from above
HIGH, QUALITY = 0.69, 85  # of a picture, by its width; of its JPEG

mitsuba.set_variant("scalar_rgb")  # needs no compiler, as the others do


@dataclass(frozen=True)
class View:
    """Where an eye is, where it looks, and how wide, in degrees across the picture."""

    eye: Place
    target: Place
    degrees: float


def views(case: Case) -> dict[str, View]:
    """From a chair, the middle of the board at 45 degrees where it is not too large for that; and from above."""
    (wide, deep), top = case.layout.size, top_mm(case)
    eye = EYE_MM - top - case.stands
    away = max(eye, deep / 2 + AWAY_MM / 2)
    far = math.hypot(eye, away - deep / 2)
    sight = 2 * math.degrees(math.atan(0.56 * wide / far))
    half = 0.56 * max(wide, deep / HIGH)
    up = max(HIGH_MM, 2 * half)
    middle = wide / 2, deep / 2, top
    return {
        "chair": View((wide / 2, deep / 2 - away, top + eye), middle, sight),
        "above": View((wide / 2, deep / 2 - 1, top + up), middle, 2 * math.degrees(math.atan(half / up))),
    }


def top_mm(case: Case) -> float:
    """The top of the face above the underside of the back."""
    return 2 * case.thick + case.depth + case.stack.front


def radiance(pixel: tuple[int, int, int], area_mm2: float) -> Colour:
    """What a pixel of a flat shining area sends out, as linear sRGB in candela a square metre."""
    total = numpy.zeros(3)
    for level, candela, (x, y) in zip(pixel, CANDELA, PRIMARIES, strict=True):
        shown = level / 255 * candela / (area_mm2 * 1e-6)  # Lambert: a flat source's candela by its area
        total += shown / y * numpy.array([x, y, 1 - x - y])
    red, green, blue = numpy.maximum(TO_SRGB @ total, 0.0)
    return float(red), float(green), float(blue)


class Room:
    """A board in a room of so many lux, as a scene for Mitsuba; its meshes lie in a folder until it is drawn."""

    def __init__(self, case: Case, tracks: Tracks, lux: float, folder: Path) -> None:
        self._case, self._folder, self._count = case, folder, 0
        self._scene: dict[str, Any] = {"type": "scene", "integrator": {"type": "path", "max_depth": 14}}
        self._light(lux)
        for solid in solids(case):
            self._solid(solid)
        self._face()
        for track, pixels in enumerate(tracks):
            for (x, y), pixel in zip(case.layout.holes(track), pixels, strict=True):
                self._pixel(x, y, pixel)

    def draw(self, view: View, size: tuple[int, int], samples: int) -> Floats:
        """The picture in candela a square metre, rows from the top, in linear sRGB."""
        place = mitsuba.ScalarTransform4f().look_at(origin=view.eye, target=view.target, up=(0, 1, 0))
        film = {"type": "hdrfilm", "width": size[0], "height": size[1], "rfilter": {"type": "gaussian"}}
        sensor = {"type": "perspective", "fov": view.degrees, "to_world": place, "film": film}
        scene = mitsuba.load_dict(self._scene | {"sensor": sensor})
        return numpy.array(mitsuba.render(scene, spp=samples), dtype=numpy.float64)[..., :3]

    def _light(self, lux: float) -> None:
        """Half of the light from everywhere, half from a lamp over the table."""
        wide, deep = self._case.layout.size
        at = [middle + off for middle, off in zip((wide / 2, deep / 2, top_mm(self._case)), LAMP_AT, strict=True)]
        away = math.hypot(*LAMP_AT)
        share = LAMP_MM**2 * LAMP_AT[2] / away**3  # of a square that looks at the board, at an angle to the face
        shown = [LAMP_SHARE * lux / share * channel for channel in LAMP_COLOUR]
        target = wide / 2, deep / 2, top_mm(self._case)
        turned = mitsuba.ScalarTransform4f().look_at(origin=at, target=target, up=(0, 1, 0))
        self._scene["lamp"] = {
            "type": "rectangle",
            "to_world": turned @ mitsuba.ScalarTransform4f().scale(LAMP_MM / 2),
            "emitter": {"type": "area", "radiance": {"type": "rgb", "value": shown}},
        }
        everywhere = [(1 - LAMP_SHARE) * lux / math.pi * channel for channel in LAMP_COLOUR]
        self._scene["around"] = {"type": "constant", "radiance": {"type": "rgb", "value": everywhere}}
        floor = mitsuba.ScalarTransform4f().translate((wide / 2, deep / 2, -self._case.stands)).scale(2500)
        grain = {"type": "bitmap", "bitmap": mitsuba.Bitmap(wood(TABLE, 2)), "raw": True}
        grain["to_uv"] = mitsuba.ScalarTransform3f().scale((8, 8))
        self._scene["table"] = {
            "type": "rectangle",
            "to_world": floor,
            "bsdf": {"type": "principled", "base_color": grain, "roughness": 0.45, "specular": 0.4},
        }

    def _solid(self, solid: Solid) -> None:
        if solid.name in INSIDE:
            return
        look: dict[str, Any] = {"type": "twosided", "bsdf": _diffuse(BLACK)}
        if solid.name in ("face", "walls"):
            base = VENEER if 0 < self._case.layout.description.shape.face_mm < 1 else WOOD
            seed = 5 if solid.name == "face" else 6
            grain = {"type": "bitmap", "bitmap": mitsuba.Bitmap(wood(base, seed)), "raw": True}
            look["bsdf"] = {"type": "principled", "base_color": grain, "roughness": 0.55, "specular": 0.3}
        elif solid.name == "cover":
            look = {"type": "thindielectric", "int_ior": 1.58}
        elif solid.name in ("light sheet", "back", "corners"):
            look["bsdf"] = _diffuse(SHEET)
        elif solid.name == "pins":
            look["bsdf"] = {"type": "roughconductor", "alpha": 0.25, "specular_reflectance": _rgb(BRASS)}
        elif solid.name.startswith("buttons"):
            shown = [(channel / 255) ** 2.2 for channel in solid.colour[:3]]
            look["bsdf"] = {"type": "roughplastic", "diffuse_reflectance": _rgb(shown), "alpha": 0.15}
        shape = solid.shape
        if solid.name == "cover":  # one sheet, which bends no light
            self._add(_upper(shape), look)
            return
        mesh = shape.to_mesh()
        self._add((mesh.vert_properties[:, :3], mesh.tri_verts), look)

    def _face(self) -> None:
        """The paper, and what is engraved or printed."""
        case = self._case
        layout, top = case.layout, top_mm(case)
        shape = layout.description.shape
        below = 2 * case.thick + case.depth
        if shape.strip_mm:
            thin = {"type": "principledthin", "base_color": _rgb((2 * PAPER_SHARE,) * 3), "diff_trans": 1.0}
            sheet = cut_area(paper(layout)).extrude(1).translate((0, 0, below + case.stack.paper - 1 - ABOVE_MM))
            self._add(_upper(sheet), thin | {"roughness": 1.0, "spec_trans": 0.0})
        lines = unary_union([*_engraved(layout)])
        look: dict[str, Any] = {"type": "twosided", "bsdf": _diffuse(BURNT)}
        if not shape.face_mm:
            lines = _polygons(cut_area(drawing(layout)) ^ cut_area(paper(layout))).difference(lines)
            look["bsdf"] = _diffuse(INK)
            top = below + case.stack.paper - ABOVE_MM / 2
        self._add(_upper(_section(lines).extrude(1).translate((0, 0, top - 1 + ABOVE_MM / 4))), look)

    def _pixel(self, x: float, y: float, pixel: tuple[int, int, int]) -> None:
        """One that is dark is white, as its plastic is."""
        case = self._case
        strip = case.layout.description.shape.strip_mm
        sheet = case.thick + case.depth
        radius = (LENS_MM if strip else 5.0) / 2
        shown = radiance(pixel, math.pi * radius**2)
        made: dict[str, Any] = {"bsdf": _diffuse(WHITE)}
        if any(pixel):
            made["emitter"] = {"type": "area", "radiance": {"type": "rgb", "value": list(shown)}}
        put = mitsuba.ScalarTransform4f().translate
        if strip:
            high = sheet - GUIDE_MM + STRIP_MM + PIXEL_UP_MM
            made |= {"type": "disk", "to_world": put((x, y, high)).scale(radius)}
        else:
            made |= {"type": "sphere", "center": (x, y, sheet + DOME_MM - radius), "radius": radius}
        self._put(made)

    def _add(self, mesh: tuple[Any, Any], look: dict[str, Any]) -> None:
        """A mesh with the places of its points on the board as its texture's."""
        points, faces = mesh
        file = self._folder / f"{self._count}.ply"
        file.write_bytes(ply(numpy.asarray(points), numpy.asarray(faces), self._case.layout.size))
        self._put({"type": "ply", "filename": str(file), "face_normals": True, "bsdf": look})

    def _put(self, what: dict[str, Any]) -> None:
        self._scene[f"part{self._count}"] = what
        self._count += 1


def pictures(case: Case, tracks: Tracks, lux: float, samples: int, wide_px: int) -> dict[str, bytes]:
    """What an eye sees at a table with so much light, by the name of the file (JPEG); more samples have less noise."""
    size = wide_px, round(wide_px * HIGH)
    made = {}
    with TemporaryDirectory() as folder:
        room = Room(case, tracks, lux, Path(folder))
        for name, view in views(case).items():
            file = Path(folder) / f"room-{name}.jpg"
            shown = developed(room.draw(view, size, samples), lux)
            mitsuba.Bitmap(shown).write(str(file), quality=QUALITY)
            made[file.name] = file.read_bytes()
    return made


def developed(picture: Floats, lux: float) -> NDArray[numpy.uint8]:
    """As a camera that is set to the room: bright lights keep their hue; 8 bits, sRGB."""
    shown = picture * (math.pi / lux) * 0.9
    luma = (shown @ LUMA)[..., None]
    # Reinhard's curve with a white point of 5 (25 is its square): on the luminance alone, which keeps the hue.
    pressed = luma * (1 + luma / 25) / (1 + luma)
    mapped = shown * pressed / numpy.maximum(luma, 1e-9)
    over = numpy.maximum(mapped.max(axis=-1, keepdims=True) - 1, 0)
    mapped = numpy.clip(mapped + 0.08 * over, 0, 1)
    encoded = numpy.where(mapped <= 0.0031308, 12.92 * mapped, 1.055 * mapped ** (1 / 2.4) - 0.055)
    return numpy.asarray(255 * encoded + 0.5, dtype=numpy.uint8)


def wood(base: Colour, seed: int, size: int = 768) -> NDArray[numpy.float32]:
    """A board's grain along x, around a colour."""
    dice = numpy.random.default_rng(seed)
    across, along = numpy.mgrid[0 : 1 : size * 1j, 0 : 1 : size * 1j]
    waved = across + 0.012 * numpy.sin(along * 5 + dice.uniform(0, 6)) + 0.02 * numpy.sin(along * 1.7)
    rings = sum(numpy.sin(waved * many + dice.uniform(0, 6)) / (3 + i) for i, many in enumerate((40, 97, 231, 560)))
    fine = dice.normal(size=(size, size))
    fine = numpy.cumsum(fine, axis=1)
    fine = (fine[:, 24:] - fine[:, :-24]) / 5
    fine = numpy.pad(fine, ((0, 0), (0, 24)), mode="wrap")
    share = 1 + 0.10 * rings + 0.045 * fine
    return numpy.asarray(numpy.clip(share[..., None] * numpy.array(base), 0, 1), dtype=numpy.float32)


def ply(points: Floats, faces: Floats, size: tuple[float, float]) -> bytes:
    """A mesh as binary PLY; the wood's grain runs along x on the face, and around on the walls."""
    flat = numpy.zeros(len(points), dtype=[(name, "<f4") for name in ("x", "y", "z", "u", "v")])
    flat["x"], flat["y"], flat["z"] = points[:, 0], points[:, 1], points[:, 2]
    flat["u"] = (points[:, 0] + points[:, 1] * 0.0) / size[0]
    flat["v"] = (points[:, 1] + points[:, 2]) / size[0]
    each = numpy.zeros(len(faces), dtype=[("n", "u1"), ("of", "<i4", (3,))])
    each["n"], each["of"] = 3, faces
    names = "".join(f"property float {name}\n" for name in ("x", "y", "z", "u", "v"))
    head = f"ply\nformat binary_little_endian 1.0\nelement vertex {len(points)}\n{names}"
    head += f"element face {len(faces)}\nproperty list uchar int vertex_indices\nend_header\n"
    return head.encode() + flat.tobytes() + each.tobytes()


def _upper(solid: Manifold) -> tuple[Any, Any]:
    """The upper side of a flat solid."""
    mesh = solid.to_mesh()
    points, faces = numpy.asarray(mesh.vert_properties)[:, :3], numpy.asarray(mesh.tri_verts)
    high = points[:, 2].max()
    return points, faces[(points[faces][:, :, 2] > high - 1e-4).all(axis=1)]


def _engraved(layout: Layout) -> Iterator[BaseGeometry]:
    half = ENGRAVED_MM / 2
    for piece in drawing(layout):
        if isinstance(piece, Polyline) and piece.layer != "PAINT":
            yield LineString(piece.points).buffer(half, quad_segs=3)
        elif isinstance(piece, Circle) and piece.layer == "START":
            yield Point(piece.x, piece.y).buffer(piece.radius, quad_segs=12).boundary.buffer(half, quad_segs=2)
        elif isinstance(piece, Circle) and piece.layer == "HOLES" and not layout.description.shape.face_mm:
            yield Point(piece.x, piece.y).buffer(piece.radius, quad_segs=12)


def _polygons(area: CrossSection) -> BaseGeometry:
    made: BaseGeometry = Polygon()
    for ring in area.to_polygons():
        made = made.symmetric_difference(Polygon(ring))
    return made


def _section(area: BaseGeometry) -> CrossSection:
    rings = []
    for polygon in getattr(area, "geoms", [area]):
        rings += [list(ring.coords[:-1]) for ring in (polygon.exterior, *polygon.interiors)]
    return CrossSection(rings, FillRule.EvenOdd)


def _diffuse(colour: Sequence[float]) -> dict[str, Any]:
    return {"type": "diffuse", "reflectance": _rgb(colour)}


def _rgb(colour: Sequence[float]) -> dict[str, Any]:
    return {"type": "rgb", "value": list(colour)}
