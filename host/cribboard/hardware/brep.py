"""The faces of a solid as CAD programs want them: flat ones and cylinders, found again in the solid's triangles.

Triangles that lie in one plane are a flat face. A run of rectangles of one width that turn by the same small angle was
an arc or a whole circle before it became facets: it is a cylinder again.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
from manifold3d import Manifold
from numpy.typing import NDArray

FLAT_MM = 1e-5  # that the corners of a flat face are out of its plane, at most
ROUND_MM = 2e-3  # that the corners of an arc are off its circle, at most
LEAST_TURN, MOST_TURN = math.radians(0.5), math.radians(31)  # from a facet of an arc to the next
LEAST_FACETS = 4
ALIKE = 0.01  # the share by which the facets of an arc differ, at most

Vector = NDArray[np.float64]


@dataclass(frozen=True)
class Edge:
    """From corner to corner: straight, or along `arc`, to the left around an axis through a middle.

    A whole circle ends at the corner where it starts. Both faces of an edge have the same `key`.
    """

    start: int
    end: int
    key: tuple[int, ...]
    middle: Vector | None = None
    axis: Vector | None = None


@dataclass(frozen=True)
class Face:
    """Edges around it, seen from outside to the left, the outermost loop first.

    A flat face has a point and, as `axis`, the direction out of the solid; a cylinder has a point of its axis, and is
    hollow when the solid lies around it.
    """

    loops: list[list[Edge]]
    point: Vector
    axis: Vector
    radius: float = 0.0
    hollow: bool = False


@dataclass(frozen=True)
class Brep:
    """One body: its corners, and its faces."""

    corners: Vector
    faces: list[Face]


def breps(solid: Manifold) -> list[Brep]:
    """Each body of a solid."""
    return [_brep(_Polygons(body)) for body in solid.decompose()]


def cross(one: Vector, other: Vector) -> tuple[float, float, float]:
    """The cross product; numpy's takes ten times as long for two vectors."""
    (a, b, c), (x, y, z) = one.tolist(), other.tolist()
    return b * z - c * y, c * x - a * z, a * y - b * x


@dataclass(frozen=True)
class _Side:
    """A straight side of a flat face, and the face beyond it."""

    start: int
    end: int
    beyond: int


_Loop = list[_Side]


class _Polygons:
    """The flat faces of a body, each named by one of its triangles; side h of a triangle is side h % 3 of h // 3."""

    def __init__(self, body: Manifold) -> None:
        mesh = body.to_mesh64()
        self.at: Vector = np.asarray(mesh.vert_properties, dtype=np.float64)[:, :3]
        triangles = np.asarray(mesh.tri_verts, dtype=np.int64)
        self._start = [int(corner) for corner in triangles.ravel()]
        sides = {(self._start[h], self._start[_next(h)]): h for h in range(len(self._start))}
        self._twin = [sides[end, start] for start, end in sides]
        first, second, third = (self.at[triangles[:, corner]] for corner in range(3))
        crosses = np.cross(second - first, third - first)
        self._twice = np.linalg.norm(crosses, axis=1)  # the area of each triangle, twice
        self._normals: Vector = crosses / np.maximum(self._twice, 1e-30)[:, np.newaxis]
        self._face = self._joined()

    def _joined(self) -> list[int]:
        """The face of each triangle."""
        parent = list(range(len(self._start) // 3))

        def root(one: int) -> int:
            while parent[one] != one:
                parent[one] = one = parent[parent[one]]
            return one

        start, twin = np.array(self._start), np.array(self._twin)
        sides = np.arange(len(start))
        tips = self.at[start[sides - 1 + 3 * (sides % 3 == 0)]]  # the third corner of each side's triangle
        one, other = self._normals[sides // 3], self._normals[twin // 3]
        far = np.abs((one * (tips[twin] - self.at[start])).sum(axis=1))
        flat = (far < FLAT_MM) & (far[twin] < FLAT_MM) & ((one * other).sum(axis=1) > 0)
        runs = np.linalg.norm(self.at[start] - self.at[start[sides + 1 - 3 * (sides % 3 == 2)]], axis=1).reshape(-1, 3)
        thin = self._twice < FLAT_MM * runs.max(axis=1)  # a line: it belongs to what is beyond its longest side
        flat[3 * np.flatnonzero(thin) + runs[thin].argmax(axis=1)] = True
        for h in np.flatnonzero(flat):
            parent[root(int(h) // 3)] = root(self._twin[h] // 3)
        return [root(one) for one in range(len(parent))]

    @cached_property
    def normals(self) -> dict[int, Vector]:
        """Out of the solid, by face: that of its largest triangle."""
        largest: dict[int, int] = {}
        for one, face in enumerate(self._face):
            if face not in largest or self._twice[one] > self._twice[largest[face]]:
                largest[face] = one
        return {face: self._normals[one] for face, one in largest.items()}

    @cached_property
    def loops(self) -> dict[int, list[_Loop]]:
        """The sides around each face, in turns to the left."""
        seen: set[int] = set()
        by_face: dict[int, list[_Loop]] = {}
        for h, face in ((h, self._face[h // 3]) for h in range(len(self._start))):
            if h not in seen and self._beyond(h) != face:
                around = [h]
                while (after := self._after(around[-1])) != h:
                    around.append(after)
                seen.update(around)
                firsts = [h for before, h in pairwise([around[-1], *around]) if not self._straight_on(before, h)]
                corners = [self._start[h] for h in firsts]
                ends = [*corners[1:], corners[0]]
                sides = zip(corners, ends, map(self._beyond, firsts), strict=True)
                by_face.setdefault(face, []).append([_Side(*side) for side in sides])
        return by_face

    def _beyond(self, h: int) -> int:
        return self._face[self._twin[h] // 3]

    def _after(self, h: int) -> int:
        """The side that follows around the face."""
        after = _next(h)
        while self._beyond(after) == self._face[h // 3]:
            after = _next(self._twin[after])
        return after

    def _straight_on(self, before: int, h: int) -> bool:
        """Whether no third face begins between these two sides."""
        if self._beyond(before) != self._beyond(h):
            return False
        here = self.at[self._start[h]]
        one, other = here - self.at[self._start[before]], self.at[self._start[_next(h)]] - here
        off = math.hypot(*cross(one, other)) / math.hypot(*other)
        return bool(one @ other > 0 and off < FLAT_MM)


def _next(h: int) -> int:
    return h + 1 if h % 3 < 2 else h - 2


def _brep(polygons: _Polygons) -> Brep:
    faces: list[Face] = []
    arcs: dict[tuple[int, int], Edge | None] = {}  # by facet and where its side starts, seen from the face beyond it
    facets: set[int] = set()
    for number, run in enumerate(_runs(polygons)):
        cylinder = _cylinder(polygons.at, run, polygons.normals[run[0].face], number)
        if cylinder:
            faces.append(cylinder)
            facets.update(facet.face for facet in run)
            low, _, high, _ = cylinder.loops[0]
            arcs |= {(facet.face, facet.sides[0].end): None for facet in run}
            arcs |= {(facet.face, facet.sides[2].end): None for facet in run}
            arcs[run[-1].face, low.end], arcs[run[0].face, high.end] = _back(low), _back(high)
    for face, loops in polygons.loops.items():
        if face not in facets:
            drawn = loops
            if len(loops) > 1:
                drawn = sorted(loops, key=lambda loop: -_area(polygons.at, loop, polygons.normals[face]))
            edges = [[*_edges(loop, arcs)] for loop in drawn]
            faces.append(Face(edges, polygons.at[loops[0][0].start], polygons.normals[face]))
    return Brep(polygons.at, faces)


def _edges(loop: _Loop, arcs: dict[tuple[int, int], Edge | None]) -> Iterator[Edge]:
    for side in loop:
        edge = arcs.get((side.beyond, side.start), _straight(side.start, side.end))
        if edge:
            yield edge


def _straight(start: int, end: int) -> Edge:
    return Edge(start, end, (min(start, end), max(start, end)))


def _back(edge: Edge) -> Edge:
    """The same the other way."""
    return Edge(edge.end, edge.start, edge.key, edge.middle, None if edge.axis is None else -edge.axis)


def _area(at: Vector, loop: _Loop, normal: Vector) -> float:
    points = at[[side.start for side in loop]] - at[loop[0].start]
    return float(np.cross(points, np.roll(points, -1, axis=0)).sum(axis=0) @ normal)


@dataclass(frozen=True)
class _Facet:
    """A rectangle; its sides 1 and 3 are along the axis of the arc that it may belong to."""

    face: int
    sides: _Loop

    def turned(self, by: int) -> _Facet:
        return _Facet(self.face, [*self.sides[by:], *self.sides[:by]])


def _runs(polygons: _Polygons) -> Iterator[list[_Facet]]:
    """Facets that make an arc, to the left seen along side 0."""
    facets = {face: _Facet(face, loops[0]) for face, loops in polygons.loops.items() if _rectangle(polygons.at, loops)}
    degree = Counter(side.start for loops in polygons.loops.values() for loop in loops for side in loop)
    used: set[int] = set()

    def bend(facet: _Facet) -> tuple[float, _Facet] | None:
        """The radius, negative in a hollow, towards the next facet, and that one."""
        side = facet.sides[1]
        beyond = facets.get(side.beyond)
        if not beyond or beyond.face in used or degree[side.start] != 3 or degree[side.end] != 3:
            return None
        [at] = [number for number, other in enumerate(beyond.sides) if other.start == side.end]
        if beyond.sides[at].end != side.start:
            return None
        beyond = beyond.turned((at + 1) % 4)
        wide, other = (polygons.at[each.sides[0].end] - polygons.at[each.sides[0].start] for each in (facet, beyond))
        one, two = math.hypot(*wide), math.hypot(*other)
        turn = math.acos(min(1.0, float(wide @ other) / one / two))
        if not LEAST_TURN < turn < MOST_TURN or abs(one - two) > ALIKE * one:
            return None
        return math.copysign(one / 2 / math.sin(turn / 2), float(polygons.normals[facet.face] @ -other)), beyond

    def walk(first: _Facet) -> list[_Facet]:
        run, radius = [first], 0.0
        while (following := bend(run[-1])) and following[1].face != first.face:
            if radius and abs(following[0] - radius) > ALIKE * abs(radius):
                break
            radius = following[0]
            run.append(following[1])
        return run

    for facet in facets.values():
        for turn in (0, 1):
            if facet.face not in used:
                backwards = walk(facet.turned(turn + 2))
                run = walk(backwards[-1].turned(2))
                if len(run) >= LEAST_FACETS:
                    used.update(each.face for each in run)
                    yield run


def _rectangle(at: Vector, loops: Sequence[_Loop]) -> bool:
    if len(loops) != 1 or len(loops[0]) != 4:
        return False
    a, b, c, d = (at[side.start] for side in loops[0])
    parallel = math.dist(b - a, c - d) < ROUND_MM
    return bool(parallel and abs((b - a) @ (d - a)) < ROUND_MM * math.dist(a, b))


def _cylinder(at: Vector, run: Sequence[_Facet], normal: Vector, number: int) -> Face | None:
    """Their cylinder; None when their corners are on no circle."""
    low = [facet.sides[0].start for facet in run]
    high = [facet.sides[2].end for facet in run]
    closed = run[-1].sides[0].end == low[0]
    last, last_high = run[-1].sides[0].end, run[-1].sides[2].start
    points = at[[*low, last]]
    # Three corners as far apart as can be: from near ones small errors would move the middle far.
    steps = (0, len(low) // 3, 2 * len(low) // 3) if closed else (0, len(low) // 2, len(low))
    middle = _middle(*(points[step] for step in steps))
    radius = float(np.linalg.norm(points[0] - middle))
    if np.abs(np.linalg.norm(points - middle, axis=1) - radius).max() > ROUND_MM:
        return None
    axis = np.cross(points[0] - middle, points[1] - middle)
    axis = axis / np.linalg.norm(axis)
    above = middle + at[high[0]] - at[low[0]]
    edges = [
        Edge(low[0], last, (-1, number, 0), middle, axis),
        _straight(last, last_high),
        Edge(last_high, high[0], (-1, number, 1), above, -axis),
        _straight(high[0], low[0]),
    ]
    return Face([edges], middle, axis, radius, bool(normal @ (points[0] - middle) < 0))


def _middle(a: Vector, b: Vector, c: Vector) -> Vector:
    """Of the circle through three points."""
    u, v = b - a, c - a
    across = np.cross(u, v)
    middle: Vector = a + np.cross((u @ u) * v - (v @ v) * u, across) / (2 * (across @ across))
    return middle
