"""Solids as STEP (ISO 10303-21, AP214), for CAD programs: bodies with flat and round faces, in millimetres.

Each part is a product of its name and colour; several make an assembly.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from cribboard.hardware.brep import Brep, Edge, Face, Vector, breps, cross
from cribboard.hardware.case import Case
from cribboard.hardware.model import INSIDE, Solid, solids
from cribboard.hardware.printing import cut_area

HEAD = """ISO-10303-21;
HEADER;
FILE_DESCRIPTION(('{0}'),'2;1');
FILE_NAME('{0}','2000-01-01T00:00:00',(''),(''),'cribboard','cribboard','');
FILE_SCHEMA(('AUTOMOTIVE_DESIGN {{ 1 0 10303 214 1 1 1 1 }}'));
ENDSEC;
DATA;
"""
FOOT = "ENDSEC;\nEND-ISO-10303-21;\n"
AXES = np.eye(3)
FINE_MM = 1e-6  # how exact the file says that it is


def files(name: str, case: Case) -> dict[str, bytes]:
    """The whole board, and each plate of its case as its drawing has it, by their files' names."""
    made = {"board.step": step(name, solids(case))}
    for plate in case.plates():
        solid = Solid(plate.name, 0, INSIDE, cut_area(plate.pieces).extrude(case.thick))
        made[f"case-{plate.name}-cut-{plate.count}.step"] = step(plate.name, [solid])
    return made


def step(name: str, parts: Sequence[Solid]) -> bytes:
    """The text of a file with these parts."""
    made = _Text()
    made.shared()
    products = [(part.name, *made.part(part)) for part in parts]
    if len(products) > 1:
        made.assembly(name, products)
    return (HEAD.format(_plain(name)) + "\n".join(made.lines) + "\n" + FOOT).encode("ascii")


def _plain(text: str) -> str:
    """A text of the file: other signs than ASCII's are left out, quotes are doubled."""
    return text.encode("ascii", "ignore").decode().replace("\\", "").replace("'", "''")


class _Text:
    """The lines of a file; what is the same stands once."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.numbers: dict[str, str] = {}

    def new(self, line: str) -> str:
        """Its number, with which other lines name it."""
        self.lines.append(f"#{len(self.lines) + 1}={line};")
        return f"#{len(self.lines)}"

    def once(self, line: str) -> str:
        if line not in self.numbers:
            self.numbers[line] = self.new(line)
        return self.numbers[line]

    def shared(self) -> None:
        """What every part refers to: the field of use, and the units."""
        self.field = self.new("APPLICATION_CONTEXT('automotive design')")
        self.new(f"APPLICATION_PROTOCOL_DEFINITION('international standard','automotive_design',2000,{self.field})")
        mm = self.new("(LENGTH_UNIT()NAMED_UNIT(*)SI_UNIT(.MILLI.,.METRE.))")
        radian = self.new("(NAMED_UNIT(*)PLANE_ANGLE_UNIT()SI_UNIT($,.RADIAN.))")
        steradian = self.new("(NAMED_UNIT(*)SI_UNIT($,.STERADIAN.)SOLID_ANGLE_UNIT())")
        exact = self.new(f"UNCERTAINTY_MEASURE_WITH_UNIT(LENGTH_MEASURE({_real(FINE_MM)}),{mm},'accuracy','')")
        self.units = self.new(
            "(GEOMETRIC_REPRESENTATION_CONTEXT(3)"
            f"GLOBAL_UNCERTAINTY_ASSIGNED_CONTEXT(({exact}))"
            f"GLOBAL_UNIT_ASSIGNED_CONTEXT(({mm},{radian},{steradian}))REPRESENTATION_CONTEXT('',''))"
        )
        self.home = self.place(np.zeros(3), np.array([0.0, 0, 1]), np.array([1.0, 0, 0]))

    def part(self, part: Solid) -> tuple[str, str]:
        """A product with its bodies: its definition and its shape."""
        bodies = [self.body(part.name, body) for body in breps(part.shape)]
        shape = self.new(f"ADVANCED_BREP_SHAPE_REPRESENTATION('',({','.join([self.home, *bodies])}),{self.units})")
        red, green, blue, _ = (_real(each / 255) for each in part.colour)
        style = self.once(f"COLOUR_RGB('',{red},{green},{blue})")
        for around in (
            "FILL_AREA_STYLE_COLOUR('',{})",
            "FILL_AREA_STYLE('',({}))",
            "SURFACE_STYLE_FILL_AREA({})",
            "SURFACE_SIDE_STYLE('',({}))",
            "SURFACE_STYLE_USAGE(.BOTH.,{})",
            "PRESENTATION_STYLE_ASSIGNMENT(({}))",
        ):
            style = self.once(around.format(style))
        styled = ",".join(self.new(f"STYLED_ITEM('',({style}),{body})") for body in bodies)
        self.new(f"MECHANICAL_DESIGN_GEOMETRIC_PRESENTATION_REPRESENTATION('',({styled}),{self.units})")
        return self.product(part.name, shape), shape

    def product(self, name: str, shape: str) -> str:
        """The definition of a product with this shape."""
        field = self.once(f"PRODUCT_CONTEXT('',{self.field},'mechanical')")
        product = self.new(f"PRODUCT('{_plain(name)}','{_plain(name)}','',({field}))")
        self.new(f"PRODUCT_RELATED_PRODUCT_CATEGORY('part',$,({product}))")
        formation = self.new(f"PRODUCT_DEFINITION_FORMATION('','',{product})")
        context = self.once(f"PRODUCT_DEFINITION_CONTEXT('part definition',{self.field},'design')")
        definition = self.new(f"PRODUCT_DEFINITION('design','',{formation},{context})")
        property_of = self.new(f"PRODUCT_DEFINITION_SHAPE('','',{definition})")
        self.new(f"SHAPE_DEFINITION_REPRESENTATION({property_of},{shape})")
        return definition

    def assembly(self, name: str, products: Sequence[tuple[str, str, str]]) -> None:
        """A product that has all others where they were drawn."""
        whole_shape = self.new(f"SHAPE_REPRESENTATION('',({self.home}),{self.units})")
        whole = self.product(name, whole_shape)
        stay = self.new(f"ITEM_DEFINED_TRANSFORMATION('','',{self.home},{self.home})")
        for number, (part, definition, shape) in enumerate(products, 1):
            usage = f"NEXT_ASSEMBLY_USAGE_OCCURRENCE('{number}','{_plain(part)}','',{whole},{definition},$)"
            used = self.new(f"PRODUCT_DEFINITION_SHAPE('','',{self.new(usage)})")
            related = self.new(
                f"(REPRESENTATION_RELATIONSHIP('','',{shape},{whole_shape})"
                f"REPRESENTATION_RELATIONSHIP_WITH_TRANSFORMATION({stay})SHAPE_REPRESENTATION_RELATIONSHIP())"
            )
            self.new(f"CONTEXT_DEPENDENT_SHAPE_REPRESENTATION({related},{used})")

    def body(self, name: str, body: Brep) -> str:
        vertices: dict[int, str] = {}
        edges: dict[tuple[int, ...], tuple[str, Edge]] = {}

        def vertex(corner: int) -> str:
            if corner not in vertices:
                vertices[corner] = self.new(f"VERTEX_POINT('',{self.point(body.corners[corner])})")
            return vertices[corner]

        def oriented(edge: Edge) -> str:
            if edge.key not in edges:
                curve = self.curve(body.corners, edge)
                line = f"EDGE_CURVE('',{vertex(edge.start)},{vertex(edge.end)},{curve},.T.)"
                edges[edge.key] = self.new(line), edge
            number, first = edges[edge.key]
            turned = edge.axis is not None and first.axis is not None and edge.axis @ first.axis < 0
            same = edge.start == first.start and edge.end == first.end and not turned
            return self.new(f"ORIENTED_EDGE('',*,*,{number},.{'T' if same else 'F'}.)")

        faces = []
        for face in body.faces:
            loops = [self.new(f"EDGE_LOOP('',({','.join(map(oriented, loop))}))") for loop in face.loops]
            bounds = [self.new(f"FACE_{'' if at else 'OUTER_'}BOUND('',{loop},.T.)") for at, loop in enumerate(loops)]
            surface, same = self.surface(body.corners, face), "F" if face.hollow else "T"
            faces.append(self.new(f"ADVANCED_FACE('',({','.join(bounds)}),{surface},.{same}.)"))
        shell = self.new(f"CLOSED_SHELL('',({','.join(faces)}))")
        return self.new(f"MANIFOLD_SOLID_BREP('{_plain(name)}',{shell})")

    def curve(self, corners: Vector, edge: Edge) -> str:
        start, end = corners[edge.start], corners[edge.end]
        if edge.middle is None or edge.axis is None:
            long = math.dist(start, end)
            along = self.once(f"VECTOR('',{self.direction((end - start) / long)},1.)")
            return self.new(f"LINE('',{self.point(start)},{along})")
        radius = float(np.linalg.norm(start - edge.middle))
        place = self.place(edge.middle, edge.axis, (start - edge.middle) / radius)
        return self.new(f"CIRCLE('',{place},{_real(radius)})")

    def surface(self, corners: Vector, face: Face) -> str:
        if not face.radius:
            across = np.array(cross(face.axis, AXES[np.abs(face.axis).argmin()]))
            return self.new(f"PLANE('',{self.place(face.point, face.axis, across / math.hypot(*across))})")
        begin = corners[face.loops[0][0].start] - face.point
        place = self.place(face.point, face.axis, begin / np.linalg.norm(begin))
        return self.new(f"CYLINDRICAL_SURFACE('',{place},{_real(face.radius)})")

    def place(self, point: Vector, axis: Vector, towards: Vector) -> str:
        parts = f"{self.point(point)},{self.direction(axis)},{self.direction(towards)}"
        return self.once(f"AXIS2_PLACEMENT_3D('',{parts})")

    def point(self, at: Vector) -> str:
        return self.once(f"CARTESIAN_POINT('',({','.join(map(_real, at.tolist()))}))")

    def direction(self, along: Vector) -> str:
        return self.once(f"DIRECTION('',({','.join(map(_real, along.tolist()))}))")


def _real(number: float) -> str:
    """To a millionth, with the point that the format asks for."""
    text = f"{round(number, 7) + 0.0:.7f}".rstrip("0")
    return text if not text.startswith("-0.0000000") else "0."
