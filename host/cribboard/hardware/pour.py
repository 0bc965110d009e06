"""The ground that is poured on what tracks and pads leave free, as outlines that have copper only inside."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray
from shapely import LineString, Point, Polygon, box, get_parts
from shapely.geometry.polygon import orient
from shapely.ops import unary_union

from cribboard.hardware.carrier import HIGH, HOLE_MM, HOLES, WIDE, Carrier
from cribboard.hardware.routing import EDGE_MM, VIA_MM, Copper

NET = "GND"
POUR_CLEAR_MM, LEAST_MM = 0.3, 0.3  # from other copper; no strip of it is thinner
THERMAL_MM, SPOKE_MM = 0.4, 0.6  # the ring that is left free around a pad so that it can be soldered; what crosses it
FINE_MM = 0.005
QUARTER, STROKES_MM = 8, 0.02  # strokes of a quarter circle, and by how much they cut it short, at most
Outline = list[tuple[float, float]]


def ground(carrier: Carrier, copper: Copper) -> list[list[Outline]]:
    """What is poured on each layer, the top's first."""
    return [pour(carrier, copper, layer) for layer in range(2)]


def pour(carrier: Carrier, copper: Copper, layer: int) -> list[Outline]:
    """The closed outlines of a layer's ground (0 is the top); where one goes around other copper, it comes back on
    the line on which it went there.
    """
    around = [Point(hole).buffer(HOLE_MM / 2 + EDGE_MM, QUARTER) for hole in HOLES]
    touched: list[Polygon] = []
    for net, laid in _laid(carrier, copper, layer):
        (touched if net == NET else around).append(
            laid if net == NET else laid.buffer(POUR_CLEAR_MM + STROKES_MM, QUARTER)
        )
    free = box(0, 0, WIDE, HIGH).buffer(-EDGE_MM, QUARTER).difference(unary_union(around))
    # Shrunk and grown again by half of the least width: what is thinner has gone then.
    wide = free.difference(unary_union([*_rings(carrier)])).buffer(-LEAST_MM / 2, QUARTER).buffer(LEAST_MM / 2, QUARTER)
    own = unary_union(touched)
    poured = unary_union([part for part in get_parts(wide) if part.intersects(own)])
    closed = (
        unary_union([poured, own]).buffer(LEAST_MM / 2, QUARTER).buffer(-LEAST_MM / 2, QUARTER)
    )  # no slits beside the own tracks
    islands = get_parts(closed.intersection(free).simplify(FINE_MM))
    return [_one_line(orient(island)) for island in islands if island.intersection(poured).area > FINE_MM]


def _laid(carrier: Carrier, copper: Copper, layer: int) -> Iterator[tuple[str, Polygon]]:
    """The copper of a layer, each piece with its net; a pad that no net has has an empty one."""
    nets = {pad: net for net, pads in carrier.nets.items() for pad in pads}
    for ref, part in carrier.parts.items():
        for name, spot in part.pads.items():
            yield nets.get((ref, name), ""), Point(spot.x, spot.y).buffer(spot.copper / 2, QUARTER)
    for net, x, y in copper.vias:
        yield net, Point(x, y).buffer(VIA_MM / 2, QUARTER)
    for track in copper.tracks:
        if track.layer == layer:
            yield track.net, LineString([track.start, track.end]).buffer(track.width / 2, QUARTER)


def _rings(carrier: Carrier) -> Iterator[Polygon]:
    """Around each pad of the ground, without the four spokes."""
    for ref, name in carrier.nets[NET]:
        spot = carrier.parts[ref].pads[name]
        reach = spot.copper / 2 + THERMAL_MM
        cross = [
            LineString([(spot.x - across, spot.y - up), (spot.x + across, spot.y + up)]).buffer(SPOKE_MM / 2, QUARTER)
            for across, up in ((reach, 0), (0, reach))
        ]
        yield Point(spot.x, spot.y).buffer(reach, QUARTER).difference(unary_union(cross))


def _one_line(island: Polygon) -> Outline:
    """An island's border and those of its holes as one outline, each hole joined to what lies to its left."""
    # A region of a Gerber file has no holes, so its outline runs to each of them, around it and back: a cut-in.
    # From the left to the right, so that what a hole is joined to is in the outline already.
    line = np.array(island.exterior.coords)
    for hole in sorted((ring.coords for ring in island.interiors), key=min):
        points = [*hole][:-1]
        first = points.index(min(points))
        points = [*points[first:], *points[: first + 1]]
        at, x = _met(line, points[0])
        met = (x, points[0][1])
        line = np.concatenate([line[: at + 1], [met, *points, met], line[at + 1 :]])
    return [(round(x, 4), round(y, 4)) for x, y in line.tolist()]


def _met(line: NDArray[np.float64], point: tuple[float, float]) -> tuple[int, float]:
    """Which stretch of the line the way from a point to the left meets first, and at which x; of several the last."""
    (x, y), (to_x, to_y) = line[:-1].T, line[1:].T
    level = (y != to_y) & (np.minimum(y, to_y) <= point[1]) & (point[1] <= np.maximum(y, to_y))
    stretches = np.flatnonzero(level)
    x, y, to_x, to_y = x[level], y[level], to_x[level], to_y[level]
    met = x + (point[1] - y) / (to_y - y) * (to_x - x)
    met[met >= point[0]] = -np.inf
    last = np.flatnonzero(met == met.max())[-1]
    return int(stretches[last]), float(met[last])
