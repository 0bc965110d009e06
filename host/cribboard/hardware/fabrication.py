"""What a maker of boards wants for the carrier: copper as Gerbers, drill files, places and parts, and an archive."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict

from gerber_writer import Circle, DataLayer, Path, set_generation_software
from shapely import LineString, box, get_parts
from shapely import Point as Place
from shapely.ops import unary_union

from cribboard.hardware.archive import archive
from cribboard.hardware.carrier import HIGH, HOLE_MM, HOLES, WIDE, Carrier, Part, Spot
from cribboard.hardware.letters import strokes, width
from cribboard.hardware.pour import Outline
from cribboard.hardware.routing import VIA_DRILL_MM, VIA_MM, Copper

MASK_MM = 0.1  # that the openings of the mask are larger than the copper, all round
SILK_MM, TEXT_MM = 0.15, 1.3
SILK_AWAY_MM = MASK_MM + SILK_MM / 2 + 0.05  # of the middle of its lines from a pad's copper
SILK_EDGE_MM = 0.3  # and from the board's edge
SIDES = ("top", "bottom")
BILL = ("designators", "value", "footprint", "quantity", "number")
UNSEEN = ("1729131",)  # makers' numbers on the carrier that nobody has found in a public source yet
Point = tuple[float, float]
Corners = tuple[float, float, float, float]


def files(carrier: Carrier, copper: Copper, poured: Sequence[Sequence[Outline]], name: str) -> dict[str, bytes]:
    """Every file by its name, and `carrier.zip`, which holds those that the board's maker takes."""
    layers = {
        f"carrier-{side}-copper.gbr": _copper(carrier, copper, number, poured[number])
        for number, side in enumerate(SIDES)
    }
    layers |= {f"carrier-{side}-mask.gbr": _mask(carrier, side) for side in SIDES}
    layers |= {"carrier-top-silk.gbr": _silk(carrier, name), "carrier-edge.gbr": _edge()}
    made = {file: layer.encode() for file, layer in layers.items()}
    made["carrier-plated.drl"] = _drill(_plated(carrier, copper)).encode()
    made["carrier-unplated.drl"] = _drill([(x, y, HOLE_MM) for x, y in HOLES]).encode()
    taken = archive(made)
    lists = {"carrier-bom.csv": table(BILL, bill(carrier)), "carrier-places.csv": _places(carrier)}
    lists["carrier-nets.csv"] = _nets(carrier)
    return {**made, **{file: text.encode() for file, text in lists.items()}, "carrier.zip": taken}


def _copper(carrier: Carrier, copper: Copper, number: int, poured: Sequence[Outline]) -> str:
    layer = _layer(f"Copper,L{number + 1},{'Bot' if number else 'Top'}")
    for spot in _spots(carrier):
        layer.add_pad(Circle(spot.copper, "ComponentPad"), (spot.x, spot.y))
    for _, x, y in copper.vias:
        layer.add_pad(Circle(VIA_MM, "ViaPad"), (x, y))
    for track in copper.tracks:
        if track.layer == number:
            layer.add_trace_line(track.start, track.end, track.width, "Conductor")
    for outline in poured:
        region = Path()
        region.moveto(outline[0])
        for point in outline[1:]:
            region.lineto(point)
        layer.add_region(region, "Conductor")
    return _dumped(layer)


def _mask(carrier: Carrier, side: str) -> str:
    layer = _layer(f"Soldermask,{side.capitalize()[:3]}", negative=True)
    for spot in _spots(carrier):
        layer.add_pad(Circle(round(spot.copper + 2 * MASK_MM, 3), "Material"), (spot.x, spot.y))
    return _dumped(layer)


def silk(carrier: Carrier, name: str) -> list[list[Point]]:
    """The strokes of the print: bodies as far as no pad is there, texts, the board's name and its revision."""
    runs: list[list[Point]] = []
    texts: list[Corners] = []
    for part in carrier.parts.values():
        x, y, right, top = part.body
        runs.append([(x, y), (right, y), (right, top), (x, top), (x, y)])
        if part.ref == "U1":  # its notch
            middle = (x + right) / 2
            runs.append([(middle - 1, top), (middle - 1, top - 1), (middle + 1, top - 1), (middle + 1, top)])
        if "cathode" in part.pads:  # a diode's ring, from edge to edge of its body
            ring = part.pads["cathode"].x + (2.0 if part.pads["cathode"].x < part.pads["anode"].x else -2.0)
            runs += [[(at, y), (at, top)] for at in (ring - 0.2, ring, ring + 0.2)]
    bare = unary_union([Place(spot.x, spot.y).buffer(spot.copper / 2 + SILK_AWAY_MM) for spot in _spots(carrier)])
    seen = box(0, 0, WIDE, HIGH).buffer(-SILK_EDGE_MM).difference(bare)
    left = [part for run in runs for part in get_parts(LineString(run).intersection(seen)) if part.length]
    written = [_label(carrier, *label, texts) for part in carrier.parts.values() for label in _labels(part)]
    written.append(_label(carrier, f"REV {revision(carrier)}", _ANYWHERE, texts))
    written.append(_label(carrier, name[:24], [(WIDE / 2, at) for at in (2.0, HIGH - 2.0)], texts))
    return [[*part.coords] for part in left] + [run for text in written for run in text]


def revision(carrier: Carrier) -> str:
    """Four letters and digits that change whenever a part, a pad or a net does."""
    described = json.dumps([[asdict(part) for part in carrier.parts.values()], carrier.nets], sort_keys=True)
    return hashlib.sha256(described.encode()).hexdigest()[:4].upper()


# Where the revision may stand: along the lower edge first, then in rows further up.
_ANYWHERE = [(x + 0.5, y + 0.5) for y in range(1, int(HIGH)) for x in range(8, int(WIDE) - 8)]


def _silk(carrier: Carrier, name: str) -> str:
    layer = _layer("Legend,Top")
    for run in silk(carrier, name):
        _run(layer, run)
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


def _label(carrier: Carrier, words: str, places: Sequence[Point], texts: list[Corners]) -> list[list[Point]]:
    """Write at the first place that is free of pads, edges and other texts; else leave it out."""
    half, up = width(words, TEXT_MM) / 2 + 0.2, TEXT_MM / 2 + 0.2
    for x, y in places:
        corners = (x - half, y - up, x + half, y + up)
        if _free(corners, carrier, texts):
            texts.append(corners)
            return [[*run] for run in strokes(words, x, y, TEXT_MM)]
    return []


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


def bill(carrier: Carrier) -> list[tuple[str, str, str, int, str]]:
    """Parts that are alike in a line: where, what, its shape, how many, and the maker's number if it is known."""
    alike: dict[tuple[str, str, str, int], list[str]] = {}
    for part in carrier.parts.values():
        title = part.title.partition(", ")[0] if part.ref.startswith("J") else part.title
        title = "terminal 5.08 mm" if part.ref.startswith("J") else title
        title = f"socket strip of 20, for the {title}" if part.ref == "A1" else title
        number = "" if part.number in UNSEEN else part.number
        alike.setdefault((title, shape(part), number, part.pieces), []).append(part.ref)
    return [
        (" ".join(refs), title, shaped, len(refs) * pieces, number)
        for (title, shaped, number, pieces), refs in alike.items()
    ]


def shape(part: Part) -> str:
    """What its pads are made for, with the distance between them."""
    spots = [*part.pads.values()]
    apart = f"{math.dist((spots[0].x, spots[0].y), (spots[1].x, spots[1].y)):.2f} mm"
    kinds = {"A1": "socket 1 x 20", "U": "DIP-14", "RB": "upright resistor", "RZ": "upright resistor", "R": "resistor"}
    kinds |= {"F": "fuse holder 5 x 20 mm", "D": "DO-41", "J": f"terminal 1 x {len(spots)}", "C1": "disc capacitor"}
    kinds |= {
        "C": "radial capacitor, at most 10 mm wide",
        "S": f"JST XH 1 x {len(spots)}",
        "BZ": f"JST XH 1 x {len(spots)}",
    }
    letters = part.ref.rstrip("0123456789")
    return f"{kinds.get(part.ref, kinds.get(letters, letters))}, {apart}"


def middle(part: Part) -> Point:
    """Of its body."""
    x, y, right, top = part.body
    return (x + right) / 2, (y + top) / 2


def _places(carrier: Carrier) -> str:
    """The middle of every part, for who fits them by machine."""
    rows = []
    for part in carrier.parts.values():
        x, y = middle(part)
        rows.append((part.ref, part.title, f"{x:.2f}", f"{y:.2f}", part.angle, "top"))
    return table(("reference", "part", "x_mm", "y_mm", "rotation", "side"), rows)


def _nets(carrier: Carrier) -> str:
    rows = [(net, ref, pad) for net, pads in carrier.nets.items() for ref, pad in pads]
    return table(("net", "reference", "pad"), rows)


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Comma-separated values."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([head, *rows])
    return text.getvalue()


def _spots(carrier: Carrier) -> Iterator[Spot]:
    yield from (spot for part in carrier.parts.values() for spot in part.pads.values())
