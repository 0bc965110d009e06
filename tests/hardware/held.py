"""What the solids of a board say: whether everything is held, seen, screwed together and printable.

`python -m hardware.held` in `tests` asks it of all ready boards, every body in every direction, in some minutes;
`python -m hardware.held board` of the one of that name, as CI does of the two that differ most. The tests ask it of
some bodies of a kind.
"""

from __future__ import annotations

import io
import math
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

import numpy as np
import shapely
import trimesh
from manifold3d import CrossSection, Manifold
from shapely import Polygon

from cribboard.hardware import printing
from cribboard.hardware.case import Case
from cribboard.hardware.description import load
from cribboard.hardware.model import Solid, parts, solids
from cribboard.hardware.shape import Layout
from cribboard.hardware.stack import GUIDE_MM, seen

MOVED_MM, TURNED_DEGREES = 0.8, 12.0
OVERLAP_MM3 = 0.02
TOUCH_MM3 = 1.0  # what rounding makes of faces that touch
LEDGE_MM = 0.5  # prints over air: around the pocket of a pixel's flange
DIRECTIONS = {"+x": (1, 0, 0), "-x": (-1, 0, 0), "+y": (0, 1, 0), "-y": (0, -1, 0), "+z": (0, 0, 1), "-z": (0, 0, -1)}
ASIDE, ALL, TURN = "+x -x +y -y", "+x -x +y -y +z -z turn", "turn"
# What no solid holds, with the reason.
ELSE = {
    "feet": (ALL.replace("+z ", ""), "stuck to the back"),
    "back": ("-z", "glued to the tabs of the walls"),
    "clips": ("+x -x +y -y +z turn", "glued to the back"),
    "lever connectors": ("+z", "the clip's fit, and their wires"),
    "fuse": ("+x -x +y -y +z turn", "a cable tie"),
    "controller": (ALL, "its own four screws and spacers, which are not drawn"),
    "jack": ("+x -x -y +z turn", "glued to back and wall"),
    "paper": (f"{ASIDE} {TURN}", "clamped between face and light sheet; the pins go through it where there are any"),
    "rings behind the buttons": (f"{ASIDE} -z turn", "glued behind the face"),
    "pins": ("+z turn", "pressed in; round"),
    "film": (ALL, "it sticks; badly_stuck asks what it touches, since 0.8 mm is more than a cover"),
    "corner screws": (TURN, "round"),
    "corner washers": (TURN, "round"),
    "corner nuts": ("-z turn", "their thread, tightened"),
    "light guides' screws": (TURN, "round"),
    "light guides' nuts": ("-z turn", "their thread, tightened"),
    "pixels": (TURN, "round; soldered to each other"),
    "drawer": ("-y", "it slides out, up to its stop"),
    "legs": (TURN, "round"),
    "drawer's screws": ("+z turn", "their nuts; round"),
    "drawer's nuts": ("-z turn", "their thread, tightened"),
}
FRONT = ("face", "cover", "rings behind the buttons", "buttons")
# What is lifted off at once when the four nuts are undone: the corners' screws alone must hold it.
LID = (*FRONT, "film", "paper", "pins", "light sheet", "light guides", "light guides' screws", "light guides' nuts")
LID += ("bars", "strips", "pixels")
CM2_A_KG = 60.0  # of film, that holds for good what hangs from it (makers of such tapes say so)
WOOD_KG, PLASTIC_KG = 0.7e-6, 1.2e-6  # of a cubic millimetre; what weighs more is no part of the front


@dataclass(frozen=True)
class Body:
    """One body of a kind."""

    name: str
    shape: Manifold

    @property
    def box(self) -> tuple[float, ...]:
        """Its corners: the least, then the largest x, y and z."""
        return tuple(self.shape.bounding_box())


def bodies(case: Case) -> list[Body]:
    """Every body by itself."""
    result = [Body(name, each) for name, _, _, every in parts(case) for each in every]
    buttons = solids_of_buttons(case)
    return [*result, *(Body("buttons", each) for solid in buttons for each in solid.decompose())]


def solids_of_buttons(case: Case) -> list[Manifold]:
    """The buttons, as the model has them."""
    return [part.shape for part in solids(case) if part.name.startswith("buttons")]


def loose(every: list[Body], most: int | None = None) -> list[str]:
    """The bodies that can move or turn, each with the direction; of a kind at most so many are tried."""
    problems, tried = [], dict[str, int]()
    boxes = np.array([body.box for body in every])
    for number, body in enumerate(every):
        tried[body.name] = tried.get(body.name, 0) + 1
        if most is not None and tried[body.name] > most:
            continue
        free = ELSE.get(body.name, ("turn" if body.name == "buttons" else "", ""))[0].split()
        middle = [(low + high) / 2 for low, high in zip(body.box[:3], body.box[3:], strict=True)]
        moves = {name: body.shape.translate([MOVED_MM * each for each in to]) for name, to in DIRECTIONS.items()}
        to_middle = body.shape.translate([-each for each in middle])
        degrees = TURNED_DEGREES if body.box[3] - body.box[0] < 60 else 3.0
        moves["turn"] = to_middle.rotate((0, 0, degrees)).translate(middle)
        for name, moved in moves.items():
            if name not in free and not _hits(moved, number, every, boxes):
                problems.append(f"{body.name}: {name}")
    return problems


def lid_loose(every: list[Body]) -> list[str]:
    """The directions in which the lid, all of it at once, can move."""
    others = [body for body in every if body.name not in LID]
    boxes, problems = np.array([body.box for body in others]), []
    lid = sorted((body for body in every if body.name in LID), key=lambda body: body.name != "light sheet")
    for name, to in DIRECTIONS.items():
        moved = (body.shape.translate([MOVED_MM * each for each in to]) for body in lid)
        if not any(_hits(each, -1, others, boxes) for each in moved):
            problems.append(f"lid: {name}")
    return problems


def badly_stuck(every: list[Body]) -> Iterator[str]:
    """Whether the film touches what it holds together, over as much as the front's weight wants."""
    film = Manifold.compose([body.shape for body in every if body.name == "film"])
    front = [body for body in every if body.name in FRONT]
    kg = sum(body.shape.volume() * (WOOD_KG if body.name == "face" else PLASTIC_KG) for body in front)
    for name, up in (("the front", 0.05), ("the light sheet", -0.05)):
        against = front if up > 0 else [body for body in every if body.name == "light sheet"]
        moved = film.translate((0, 0, up))
        cm2 = sum((moved ^ body.shape).volume() for body in against) / abs(up) / 100
        if cm2 < CM2_A_KG * kg:
            yield f"film touches {name} over {cm2:.0f} cm², and {kg:.2f} kg hang from it"


def _hits(moved: Manifold, number: int, every: list[Body], boxes: np.ndarray) -> bool:
    low, high = np.array(moved.bounding_box()[:3]), np.array(moved.bounding_box()[3:])
    near = np.nonzero(((boxes[:, :3] < high) & (boxes[:, 3:] > low)).all(axis=1))[0]
    near = sorted(near, key=lambda at: float(np.prod(boxes[at, 3:] - boxes[at, :3])))
    return any(at != number and (moved ^ every[at].shape).volume() > OVERLAP_MM3 for at in near)


def through(shapes: list[Solid]) -> list[tuple[str, str]]:
    """The parts that would be in each other's way."""
    boxes = {part.name: part.shape.bounding_box() for part in shapes}
    return [
        (one.name, other.name)
        for one, other in combinations(shapes, 2)
        if _meet(boxes[one.name], boxes[other.name]) and (one.shape ^ other.shape).volume() > TOUCH_MM3
    ]


def _meet(one: tuple[float, ...], other: tuple[float, ...]) -> bool:
    return all(one[axis] < other[axis + 3] and other[axis] < one[axis + 3] for axis in range(3))


def badly_screwed(case: Case, every: list[Body]) -> Iterator[str]:
    """What of the chain of screws is not as it should be."""
    by_name: dict[str, list[Body]] = {}
    for body in every:
        by_name.setdefault(body.name, []).append(body)
    sheet = by_name["light sheet"][0].box[2]
    for guide in by_name["light guides"]:
        if abs(guide.box[5] - sheet) > 0.01:
            yield f"a light guide ends {guide.box[5] - sheet:+.2f} mm from the light sheet"
    for screws, nuts, most in (
        ("light guides' screws", "light guides' nuts", 4.5),
        ("corner screws", "corner nuts", 5.5),
    ):
        for screw, nut in zip(by_name.get(screws, []), by_name[nuts], strict=True):
            beyond = nut.box[2] - screw.box[2]
            if not 0.49 < beyond < most + 0.01:
                yield f"{screws}: {beyond:.2f} mm beyond the nut"
    foot = by_name["feet"][0].box[2]
    lowest = min(body.box[2] for body in every if body.name in ("corner screws", "corner nuts"))
    if lowest - foot < 2 - 0.01:
        yield f"a screw ends {lowest - foot:.2f} mm above the table"
    for strip in by_name.get("strips", []):
        play = sheet - (GUIDE_MM - 2.5) - strip.box[5]
        if not 0.1 <= play <= 0.6:
            yield f"a strip has {play:.2f} mm of play"


def badly_seen(case: Case, every: list[Body], degrees: float = 45.0) -> Iterator[str]:
    """Every hole whose light is seen less from a chair than the formula says, from eight sides."""
    layout, shape = case.layout, case.layout.description.shape
    front = 2 * case.thick + case.depth + case.stack.front
    if not shape.strip_mm:
        for body in every:
            if body.name == "pixels" and not -0.01 <= body.box[5] - front <= 1.5:
                yield f"a dome ends {body.box[5] - front:+.2f} mm from the face"
        return
    faces = [body.shape for body in every if body.name == "face"]
    holes = [Hole(*hole) for face in faces for hole in _rings(face, front, case.stack.above)]
    wanted = [point for track in range(layout.description.tracks.count) for point in layout.holes(track)]
    for number, (x, y) in enumerate(wanted):
        led = number % layout.description.tracks.leds
        formula = seen(case.stack.above, layout.diameter(led), degrees)
        if not faces:
            continue  # a print has no height
        hole = min(holes, key=lambda each: math.hypot(each.x - x, each.y - y))
        for turn in range(8):
            away = case.stack.above * math.tan(math.radians(degrees))
            moved = hole.above.translate((away * math.cos(turn * math.pi / 4), away * math.sin(turn * math.pi / 4)))
            share = (hole.below ^ moved).area() / hole.below.area()
            if abs(share - formula) > 0.004 or share < 0.5:
                yield f"hole {led + 1}: {share:.3f} is seen, and the formula says {formula:.3f}"


@dataclass(frozen=True)
class Hole:
    """A hole of the face: its middle, and what is cut at its lower and its upper end."""

    x: float
    y: float
    below: CrossSection
    above: CrossSection


def _rings(face: Manifold, front: float, thick: float) -> Iterator[tuple[float, float, CrossSection, CrossSection]]:
    ends = [face.slice(front - thick + 0.01).to_polygons(), face.slice(front - 0.01).to_polygons()]
    for low, high in zip(*ends, strict=True):
        x, y = np.mean(low, axis=0)
        yield float(x), float(y), CrossSection([low[::-1]]), CrossSection([high[::-1]])


def overhangs(stl: bytes) -> bool:
    """Whether anything of a print looks down at less than 45 degrees and is no ledge of half a millimetre."""
    mesh = trimesh.load(io.BytesIO(stl), file_type="stl")
    down = mesh.face_normals[:, 2] < -math.cos(math.radians(44))  # a degree for rounding
    over = mesh.triangles[down & (mesh.triangles[:, :, 2].max(axis=1) > 0.05)]
    flat = shapely.union_all([Polygon(triangle[:, :2]) for triangle in over])
    return not flat.buffer(-LEDGE_MM / 2).is_empty


def prints(case: Case) -> dict[str, bytes]:
    """Every file for a printer."""
    return printing.files(case.layout) | {name: stl for name, (stl, _) in printing.case_files(case).items()}


def wrong(case: Case, most: int | None = None) -> list[str]:
    """All of it that is wrong with a board."""
    every = bodies(case)
    problems = [*loose(every, most), *lid_loose(every), *badly_stuck(every)]
    problems += [*badly_screwed(case, every), *badly_seen(case, every)]
    return problems + [f"{name} has overhangs" for name, stl in prints(case).items() if overhangs(stl)]


if __name__ == "__main__":
    boards = Path(__file__).parents[2] / "hardware"
    failed = False
    paths = {path.stem: path for path in (boards / "board.toml", *sorted((boards / "boards").glob("*.toml")))}
    for path in [paths[name] for name in sys.argv[1:]] or paths.values():
        case = Case(Layout(load(path)))
        failures = wrong(case) + [f"{one} and {other} overlap" for one, other in through(solids(case))]
        failed |= bool(failures)
        print(f"{path.stem}: {'; '.join(failures[:20]) or 'held, seen, screwed and printable'}", flush=True)
    sys.exit(failed)
