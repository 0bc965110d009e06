"""What a maker of boards wants for the carrier: its copper as Gerbers, drill files, places and parts, and an archive.

The copper between the pads of two layers is found by a search on a grid, net by net; one that fails goes first next
time.
"""

from __future__ import annotations

import csv
import heapq
import io
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
from gerber_writer import Circle, DataLayer, Path, set_generation_software
from numpy.typing import NDArray

from cribboard.hardware.archive import archive
from cribboard.hardware.carrier import HIGH, HOLE_MM, HOLES, PICO, WIDE, Carrier, Part, Spot
from cribboard.hardware.description import DescriptionError
from cribboard.hardware.letters import strokes, width

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

MASK_MM = 0.1  # that the openings of the mask are larger than the copper, all round
SILK_MM, TEXT_MM = 0.15, 1.3
SIDES = ("top", "bottom")
Point = tuple[float, float]
Corners = tuple[float, float, float, float]


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
    """What a routed board has beside its pads."""

    tracks: list[Track] = field(default_factory=list)
    vias: list[tuple[str, float, float]] = field(default_factory=list)


def route(carrier: Carrier) -> Copper:
    """Every net joined; raises DescriptionError when that cannot be done."""
    order = sorted(carrier.nets, key=lambda net: (net in POWER, _span(carrier, net)))
    for _ in range(TRIES):
        made, failed = Copper(), ""
        for net in order:
            if not _net(carrier, net, made):
                failed = net
                break
        if not failed:
            return made
        order = [failed, *(net for net in order if net != failed)]
    raise DescriptionError(f"no way was found for the net {failed} of the carrier", "wire this board by hand")


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
    left = spots[1:]
    while left:
        goals = {(layer, *_node(spot)): spot for spot in left for layer in (0, 1)}
        path = _search(tree, goals, blocked, no_via)
        if not path:
            return False
        _lay(net, path, width, made)
        tree.update(path)
        for spot in [spot for spot in left if _node(spot) == path[-1][1:]]:
            tree.update((layer, *_node(spot)) for layer in (0, 1))
            left.remove(spot)
    for spot in spots:
        for layer in (0, 1):
            at = _point(*_node(spot))
            if math.dist(at, (spot.x, spot.y)) > 0.01:
                made.tracks.append(Track(net, layer, (spot.x, spot.y), at, min(width, spot.copper)))
    return True


def _search(tree: Iterable[Node], goals: dict[Node, Spot], blocked: Sequence[Blocked], no_via: Blocked) -> list[Node]:
    """The cheapest way from any node of the tree to any goal."""
    queue = [(0.0, node) for node in tree]
    heapq.heapify(queue)
    cost, before = dict.fromkeys(tree, 0.0), dict[Node, Node]()
    while queue:
        so_far, node = heapq.heappop(queue)
        if so_far > cost[node]:
            continue
        if node in goals:
            path = [node]
            while path[-1] in before:
                path.append(before[path[-1]])
            return path[::-1]
        for step, after in _steps(node, blocked, no_via, goals):
            if so_far + step < cost.get(after, math.inf):
                cost[after], before[after] = so_far + step, node
                heapq.heappush(queue, (so_far + step, after))
    return []


def _steps(
    node: Node, blocked: Sequence[Blocked], no_via: Blocked, goals: dict[Node, Spot]
) -> Iterable[tuple[float, Node]]:
    layer, column, row = node
    for across, up in ((1, 0), (-1, 0), (0, 1), (0, -1)):
        to = (layer, column + across, row + up)
        inside = 0 <= to[1] < COLUMNS and 0 <= to[2] < ROWS
        if inside and (not blocked[layer][to[1], to[2]] or to in goals):
            yield (1.0 if (across != 0) == (layer == 0) else SIDE_COST), to
    if not no_via[column, row]:
        yield VIA_COST, (1 - layer, column, row)


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


def files(carrier: Carrier, copper: Copper, name: str) -> dict[str, bytes]:
    """Every file by its name, and `carrier.zip`, which holds those that the board's maker takes."""
    layers = {f"carrier-{side}-copper.gbr": _copper(carrier, copper, number) for number, side in enumerate(SIDES)}
    layers |= {f"carrier-{side}-mask.gbr": _mask(carrier, side) for side in SIDES}
    layers |= {"carrier-top-silk.gbr": _silk(carrier, name), "carrier-edge.gbr": _edge()}
    made = {file: layer.encode() for file, layer in layers.items()}
    made["carrier-plated.drl"] = _drill(_plated(carrier, copper)).encode()
    made["carrier-unplated.drl"] = _drill([(x, y, HOLE_MM) for x, y in HOLES]).encode()
    taken = archive(made)
    lists = {"carrier-bom.csv": _bom(carrier), "carrier-places.csv": _places(carrier)}
    lists["carrier-nets.csv"] = _nets(carrier)
    return {**made, **{file: text.encode() for file, text in lists.items()}, "carrier.zip": taken}


def _copper(carrier: Carrier, copper: Copper, number: int) -> str:
    layer = _layer(f"Copper,L{number + 1},{'Bot' if number else 'Top'}")
    for spot in _spots(carrier):
        layer.add_pad(Circle(spot.copper, "ComponentPad"), (spot.x, spot.y))
    for _, x, y in copper.vias:
        layer.add_pad(Circle(VIA_MM, "ViaPad"), (x, y))
    for track in copper.tracks:
        if track.layer == number:
            layer.add_trace_line(track.start, track.end, track.width, "Conductor")
    return _dumped(layer)


def _mask(carrier: Carrier, side: str) -> str:
    layer = _layer(f"Soldermask,{side.capitalize()[:3]}", negative=True)
    for spot in _spots(carrier):
        layer.add_pad(Circle(round(spot.copper + 2 * MASK_MM, 3), "Material"), (spot.x, spot.y))
    return _dumped(layer)


def _silk(carrier: Carrier, name: str) -> str:
    layer = _layer("Legend,Top")
    texts: list[Corners] = []
    for part in carrier.parts.values():
        x, y, right, top = part.body
        _run(layer, [(x, y), (right, y), (right, top), (x, top), (x, y)])
        if part.ref == "U1":  # its notch
            middle = (x + right) / 2
            _run(layer, [(middle - 1, top), (middle - 1, top - 1), (middle + 1, top - 1), (middle + 1, top)])
        if "cathode" in part.pads:  # a diode's ring, from edge to edge of its body
            ring = part.pads["cathode"].x + (2.0 if part.pads["cathode"].x < part.pads["anode"].x else -2.0)
            for at in (ring - 0.2, ring, ring + 0.2):
                _run(layer, [(at, y), (at, top)])
        for words, places in _labels(part):
            _label(layer, carrier, words, places, texts)
    _label(layer, carrier, name[:24], [(WIDE / 2, at) for at in (2.0, HIGH - 2.0)], texts)
    return _dumped(layer)


def _labels(part: Part) -> Iterator[tuple[str, list[Point]]]:
    """What is written at a part, each with the places where it may stand, the best first.

    The name of a pad stands nearer to it than to any other pad of the part.
    """
    x, y, right, top = part.body
    middle_x, middle_y = (x + right) / 2, (y + top) / 2
    away = width(part.ref, TEXT_MM) / 2 + 0.6
    around = [(middle_x, middle_y), (middle_x, top + 1.2), (middle_x, y - 1.2)]
    yield part.ref, [*around, (right + away, middle_y), (x - away, middle_y)]
    if part.ref.startswith(("C", "J", "S", "BZ")):  # which way round, or which wire
        for pad, spot in part.pads.items():
            if pad != "-":
                reach = spot.copper / 2 + width(pad, TEXT_MM) / 2 + 0.5
                up = spot.copper / 2 + 1.2
                half = width(pad, TEXT_MM) / 2 + 0.4
                places = [(spot.x + side * reach, spot.y) for side in (1, -1)]
                places += [(right + half, spot.y), (x - half, spot.y), (spot.x, spot.y + up), (spot.x, spot.y - up)]
                yield pad, [at for at in places if _nearest(part, at) == pad]
    if part.ref == "A1":
        yield "USB", [(middle_x, top - 2.0)]


def _nearest(part: Part, at: Point) -> str:
    """The pad of a part that is nearest to a point."""
    return min(part.pads, key=lambda pad: math.dist(at, (part.pads[pad].x, part.pads[pad].y)))


def _label(layer: DataLayer, carrier: Carrier, words: str, places: Sequence[Point], texts: list[Corners]) -> None:
    """Write at the first place that is free of pads, edges and other texts; else leave it out."""
    half, up = width(words, TEXT_MM) / 2 + 0.2, TEXT_MM / 2 + 0.2
    for x, y in places:
        corners = (x - half, y - up, x + half, y + up)
        if _free(corners, carrier, texts):
            texts.append(corners)
            for run in strokes(words, x, y, TEXT_MM):
                _run(layer, run)
            return


def _free(corners: Corners, carrier: Carrier, texts: Iterable[Corners]) -> bool:
    left, low, right, high = corners
    if left < 0.5 or low < 0.5 or right > WIDE - 0.5 or high > HIGH - 0.5:
        return False
    round_ones = [*((spot.x, spot.y, spot.copper / 2 + 0.2) for spot in _spots(carrier))]
    round_ones += [(x, y, HOLE_MM / 2 + 0.5) for x, y in HOLES]
    for x, y, radius in round_ones:
        if math.hypot(max(left - x, 0, x - right), max(low - y, 0, y - high)) < radius:
            return False
    bodies = [edge for part in carrier.parts.values() for edge in _edges(part.body)]
    return not any(_over(corners, other) for other in [*texts, *bodies])


def _edges(body: Corners) -> list[Corners]:
    """The four lines of a body, as thin rectangles."""
    x, y, right, top = body
    return [(x, y, right, y), (x, top, right, top), (x, y, x, top), (right, y, right, top)]


def _over(one: Corners, other: Corners) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def _edge() -> str:
    layer = _layer("Profile,NP")
    _run(layer, [(0, 0), (WIDE, 0), (WIDE, HIGH), (0, HIGH), (0, 0)], "Profile", 0.1)
    return _dumped(layer)


def _layer(function: str, negative: bool = False) -> DataLayer:
    set_generation_software("cribboard", "carrier", "1")
    return DataLayer(function, negative=negative)


def _run(layer: DataLayer, points: Sequence[Point], function: str = "Legend", wide: float = SILK_MM) -> None:
    path = Path()
    path.moveto((round(points[0][0], 4), round(points[0][1], 4)))
    for x, y in points[1:]:
        path.lineto((round(x, 4), round(y, 4)))
    layer.add_traces_path(path, wide, function)


def _dumped(layer: DataLayer) -> str:
    """Its text, without the moment at which it was made."""
    return "\n".join(line for line in str(layer.dumps_gerber()).splitlines() if "CreationDate" not in line) + "\n"


def _plated(carrier: Carrier, copper: Copper) -> list[tuple[float, float, float]]:
    holes = [(spot.x, spot.y, spot.drill) for spot in _spots(carrier)]
    return holes + [(x, y, VIA_DRILL_MM) for _, x, y in copper.vias]


def _drill(holes: Sequence[tuple[float, float, float]]) -> str:
    """An Excellon file in millimetres, tool by tool."""
    tools = sorted({wide for _, _, wide in holes})
    lines = ["M48", "METRIC,TZ", *(f"T{number}C{wide:.3f}" for number, wide in enumerate(tools, 1)), "%"]
    for number, wide in enumerate(tools, 1):
        lines += [f"T{number}", *(f"X{x:.3f}Y{y:.3f}" for x, y, drill in holes if drill == wide)]
    return "\n".join([*lines, "M30", ""])


def _bom(carrier: Carrier) -> str:
    """Parts that are alike in a line: how many, what, the maker's number, where."""
    alike: dict[tuple[str, str, int], list[str]] = {}
    for part in carrier.parts.values():
        title = part.title.partition(", ")[0] if part.ref.startswith("J") else part.title
        title = "terminal 5.08 mm" if part.ref.startswith("J") else title
        title = f"socket strip of 20, for the {title}" if part.ref == "A1" else title
        alike.setdefault((part.number, title, part.pieces), []).append(part.ref)
    rows = [(len(refs) * pieces, title, number, " ".join(refs)) for (number, title, pieces), refs in alike.items()]
    return _csv(("quantity", "part", "number", "references"), rows)


def _places(carrier: Carrier) -> str:
    """The middle of every part, for who fits them by machine."""
    rows = []
    for part in carrier.parts.values():
        x, y, right, top = part.body
        rows.append((part.ref, part.title, f"{(x + right) / 2:.2f}", f"{(y + top) / 2:.2f}", part.angle, "top"))
    return _csv(("reference", "part", "x_mm", "y_mm", "rotation", "side"), rows)


def _nets(carrier: Carrier) -> str:
    rows = [(net, ref, pad) for net, pads in carrier.nets.items() for ref, pad in pads]
    return _csv(("net", "reference", "pad"), rows)


def _csv(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([head, *rows])
    return text.getvalue()


def _spots(carrier: Carrier) -> Iterator[Spot]:
    yield from (spot for part in carrier.parts.values() for spot in part.pads.values())
