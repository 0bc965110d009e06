"""The copper between the carrier's pads, on two layers: found by a search on a grid, net by net.

A net that fails goes first next time.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from cribboard.hardware.carrier import HIGH, HOLE_MM, HOLES, PICO, WIDE, Carrier, Spot
from cribboard.hardware.description import DescriptionError
from cribboard.hardware.findings import Finding

STEP = 0.635
CLEAR_MM, EDGE_MM = 0.25, 0.6
MARGIN_MM = 0.06  # between two nodes a trace may come a little nearer to a round pad than at them
SIGNAL_MM, POWER_MM = 0.3, 1.0
POWER = ("GND", "5V", "VBUS", "VSYS")
VIA_MM, VIA_DRILL_MM = 1.0, 0.5
VIA_COST, SIDE_COST = 6.0, 1.3  # a via, and running across a layer's direction, in steps
TRIES = 12
OFFSET = (PICO[0] % STEP, PICO[1] % STEP)
COLUMNS, ROWS = int((WIDE - OFFSET[0]) / STEP) + 1, int((HIGH - OFFSET[1]) / STEP) + 1

Node = tuple[int, int, int]  # layer (0 is the top), column, row
Blocked = NDArray[np.bool_]


@dataclass(frozen=True)
class Track:
    """A straight run of copper."""

    net: str
    layer: int
    start: tuple[float, float]
    end: tuple[float, float]
    width: float


@dataclass
class Copper:
    """What a routed board has beside its pads; its ground is poured on what is left of both layers."""

    tracks: list[Track] = field(default_factory=list)
    vias: list[tuple[str, float, float]] = field(default_factory=list)


def route(carrier: Carrier) -> Copper:
    """Every net joined; raises DescriptionError when that cannot be done."""
    # Short nets have the fewest ways to choose from. Power comes last: it is wide, and would wall in the rest.
    order = sorted(carrier.nets, key=lambda net: (net in POWER, _span(carrier, net)))
    for _ in range(TRIES):
        made, failed = Copper(), ""
        for net in order:
            if not _net(carrier, net, made):
                failed = net
                break
        if not failed:
            return made
        # It found its way barred by others, which are more likely to find a way around it.
        order = [failed, *(net for net in order if net != failed)]
    raise DescriptionError(f"no way was found for the net {failed} of the carrier", "wire this board by hand")


def problems(carrier: Carrier) -> list[Finding]:
    """Why no copper joins this carrier's nets; nothing when it does."""
    try:
        route(carrier)
    except DescriptionError as error:
        return [Finding(True, "carrier", error.message, error.hint)]
    return []


def _span(carrier: Carrier, net: str) -> float:
    spots = [carrier.parts[ref].pads[pad] for ref, pad in carrier.nets[net]]
    xs, ys = [spot.x for spot in spots], [spot.y for spot in spots]
    return max(xs) - min(xs) + max(ys) - min(ys)


def _net(carrier: Carrier, net: str, made: Copper) -> bool:
    """Join one net's pads, nearest first."""
    spots = [carrier.parts[ref].pads[pad] for ref, pad in carrier.nets[net]]
    width = POWER_MM if net in POWER else SIGNAL_MM
    blocked = [_blocked(carrier, net, made, layer, width / 2) for layer in (0, 1)]
    no_via = _blocked(carrier, net, made, 0, VIA_MM / 2) | _blocked(carrier, net, made, 1, VIA_MM / 2)
    no_via |= _pads_near(spots)
    tree: set[Node] = {(layer, *_node(spots[0])) for layer in (0, 1)}
    met: set[Node] = set()  # where copper was laid
    left = spots[1:]
    while left:
        goals = {(layer, *_node(spot)): spot for spot in left for layer in (0, 1)}
        path = _search(tree, goals, blocked, no_via)
        if not path:
            return False
        _lay(net, path, width, made)
        tree.update(path)
        met.update(path)
        for spot in [spot for spot in left if _node(spot) == path[-1][1:]]:
            tree.update((layer, *_node(spot)) for layer in (0, 1))
            left.remove(spot)
    for spot in spots:
        for layer in (0, 1):
            # Pads may lie beside the grid: a last short run goes from the node to the pad's middle.
            at = _point(*_node(spot))
            if (layer, *_node(spot)) in met and math.dist(at, (spot.x, spot.y)) > 0.01:
                made.tracks.append(Track(net, layer, (spot.x, spot.y), at, min(width, spot.copper)))
    return True


def _search(tree: Iterable[Node], goals: dict[Node, Spot], blocked: Sequence[Blocked], no_via: Blocked) -> list[Node]:
    """The cheapest way from any node of the tree to any goal.

    Here a node is one number, since a million of them are looked at: by its layer, column and row, in a grid whose rim
    is blocked.
    """
    high = ROWS + 2
    wide = (COLUMNS + 2) * high
    free = [~np.pad(layer, 1, constant_values=True) for layer in blocked]
    enter = bytearray(np.concatenate(free).tobytes())
    via = bytearray((~np.pad(no_via, 1, constant_values=True)).tobytes())
    aims = {_number(node) for node in goals}
    for aim in aims:
        enter[aim] = True
    # Each layer has a direction of its own, so that a net crosses the others on the other side and does not cut its
    # layer in two.
    steps = [((high, 1.0), (-high, 1.0), (1, SIDE_COST), (-1, SIDE_COST))]
    steps.append(((high, SIDE_COST), (-high, SIDE_COST), (1, 1.0), (-1, 1.0)))
    cost, before = dict.fromkeys(map(_number, tree), 0.0), dict[int, int]()
    queue = [(0.0, node) for node in cost]
    heapq.heapify(queue)
    while queue:
        so_far, node = heapq.heappop(queue)
        if so_far > cost[node]:
            continue
        if node in aims:
            path = [node]
            while path[-1] in before:
                path.append(before[path[-1]])
            return [_of_number(each) for each in reversed(path)]
        layer, at = divmod(node, wide)
        after = [(node + by, so_far + step) for by, step in steps[layer] if enter[node + by]]
        if via[at]:
            after.append(((1 - layer) * wide + at, so_far + VIA_COST))
        for to, spent in after:
            if spent < cost.get(to, math.inf):
                cost[to], before[to] = spent, node
                heapq.heappush(queue, (spent, to))
    return []


def _number(node: Node) -> int:
    layer, column, row = node
    return (layer * (COLUMNS + 2) + column + 1) * (ROWS + 2) + row + 1


def _of_number(number: int) -> Node:
    rest, row = divmod(number, ROWS + 2)
    layer, column = divmod(rest, COLUMNS + 2)
    return layer, column - 1, row - 1


def _lay(net: str, path: Sequence[Node], width: float, made: Copper) -> None:
    """A way as tracks and vias; runs in one direction are one track."""
    start = path[0]
    for number in range(1, len(path)):
        here, to = path[number - 1], path[number]
        if here[0] != to[0]:
            made.vias.append((net, *_point(*here[1:])))
        turns = number + 1 == len(path) or _turn(here, to) != _turn(to, path[number + 1])
        if turns:
            if start[0] == to[0] and start != to:
                made.tracks.append(Track(net, to[0], _point(*start[1:]), _point(*to[1:]), width))
            start = to


def _turn(one: Node, other: Node) -> Node:
    return other[0] - one[0], other[1] - one[1], other[2] - one[2]


def _blocked(carrier: Carrier, net: str, made: Copper, layer: int, half: float) -> Blocked:
    """Where the middle of a track of this net may not be."""
    near = half + CLEAR_MM + MARGIN_MM
    own = set(carrier.nets[net])
    blocked = np.zeros((COLUMNS, ROWS), dtype=bool)
    for ref, part in carrier.parts.items():
        for name, spot in part.pads.items():
            if (ref, name) not in own:
                _forbid(blocked, (spot.x, spot.y), (spot.x, spot.y), spot.copper / 2 + near)
    for hole in HOLES:
        _forbid(blocked, hole, hole, HOLE_MM / 2 + near + EDGE_MM)
    for track in made.tracks:
        if track.net != net and track.layer == layer:
            _forbid(blocked, track.start, track.end, track.width / 2 + near)
    for other, x, y in made.vias:
        if other != net:
            _forbid(blocked, (x, y), (x, y), VIA_MM / 2 + near)
    edge = half + EDGE_MM
    return blocked | (edge > _X) | (WIDE - edge < _X) | (edge > _Y) | (HIGH - edge < _Y)


def _pads_near(spots: Sequence[Spot]) -> Blocked:
    """Where a via would break into a hole of the net's own pads."""
    blocked = np.zeros((COLUMNS, ROWS), dtype=bool)
    for spot in spots:
        _forbid(blocked, (spot.x, spot.y), (spot.x, spot.y), spot.copper / 2 + VIA_MM / 2)
    return blocked


_X = OFFSET[0] + STEP * np.arange(COLUMNS)[:, np.newaxis]
_Y = OFFSET[1] + STEP * np.arange(ROWS)[np.newaxis, :]


def _forbid(blocked: Blocked, start: tuple[float, float], end: tuple[float, float], distance: float) -> None:
    """Mark the nodes that are nearer to a straight run than this."""
    spans = []
    for axis, most in ((0, COLUMNS), (1, ROWS)):
        low, high = sorted((start[axis], end[axis]))
        first = math.floor((low - distance - OFFSET[axis]) / STEP)
        spans.append(slice(max(0, first), min(most, math.ceil((high + distance - OFFSET[axis]) / STEP) + 1)))
    xs, ys = _X[spans[0]], _Y[:, spans[1]]
    along_x, along_y = end[0] - start[0], end[1] - start[1]
    long = along_x**2 + along_y**2
    share = np.clip(((xs - start[0]) * along_x + (ys - start[1]) * along_y) / long, 0, 1) if long else np.zeros((1, 1))
    gap = np.hypot(xs - start[0] - share * along_x, ys - start[1] - share * along_y)
    blocked[spans[0], spans[1]] |= gap < distance


def _node(spot: Spot) -> tuple[int, int]:
    return round((spot.x - OFFSET[0]) / STEP), round((spot.y - OFFSET[1]) / STEP)


def _point(column: int, row: int) -> tuple[float, float]:
    return round(OFFSET[0] + column * STEP, 4), round(OFFSET[1] + row * STEP, 4)
