"""The carrier as a KiCad project: board, schematic, and the rules that the board keeps, in the formats of KiCad 6.

The board has the same pads, drills, tracks, ground and print as the Gerbers; the schematic joins pins by net labels.
Newer versions of KiCad read these formats too.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from cribboard.hardware.carrier import HIGH, HOLE_MM, HOLES, WIDE, Carrier, Part
from cribboard.hardware.fabrication import MASK_MM, SILK_MM, Corners, Point, revision, silk
from cribboard.hardware.pour import LEAST_MM, NET, POUR_CLEAR_MM, SPOKE_MM, THERMAL_MM, Outline
from cribboard.hardware.routing import (
    CLEAR_MM,
    EDGE_MM,
    POWER,
    POWER_MM,
    SIGNAL_MM,
    VIA_DRILL_MM,
    VIA_MM,
    Copper,
)

NAME = "carrier"
BOARD_FORMAT, SCHEMATIC_FORMAT = 20211014, 20211123  # of KiCad 6
LAYERS = (
    (0, "F.Cu", "signal"),
    (31, "B.Cu", "signal"),
    (36, "B.SilkS", "user"),
    (37, "F.SilkS", "user"),
    (38, "B.Mask", "user"),
    (39, "F.Mask", "user"),
    (44, "Edge.Cuts", "user"),
    (46, "B.CrtYd", "user"),
    (47, "F.CrtYd", "user"),
    (49, "F.Fab", "user"),
)
SIDES = ("F.Cu", "B.Cu")
CORNER = (100.0, 60.0)  # of the board, on the page
OUTLINE_MM, COURTYARD_MM, FAB_MM = 0.1, 0.05, 0.1
SOCKET_MM = 1.4  # half of a socket strip's width: between the Pico's two there is room for other parts
HOLE_TO_HOLE_MM, RING_MM = 0.4, 0.25
TEXT_MM = 1.0
# The schematic: its grid, a symbol's half width without its pins, and the columns and rows of the page
GRID_MM, HALF_MM, PIN_MM = 2.54, 12.7, 2.54
COLUMN_MM, ROW_MM, TOP_MM, PAGE_MM = 91.44, 10.16, 20.32, (420.0, 297.0)
OURS = uuid.UUID("7d6c7a4e-3f0b-4a50-9d0e-000000000000")


def files(carrier: Carrier, copper: Copper, poured: Sequence[Sequence[Outline]], name: str) -> dict[str, bytes]:
    """The files of the project, which lie in one folder."""
    made = {
        f"{NAME}.kicad_pro": json.dumps(_project(carrier), indent=2) + "\n",
        f"{NAME}.kicad_pcb": _board(carrier, copper, poured, name) + "\n",
        f"{NAME}.kicad_sch": _schematic(carrier, name) + "\n",
    }
    return {file: text.encode() for file, text in made.items()}


def _list(head: str, *items: object) -> str:
    return f"({' '.join([head, *map(str, items)])})"


def _tree(head: str, lines: Iterable[str]) -> str:
    return "\n".join([f"({head}", *lines, ")"])


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _mm(*lengths: float) -> str:
    return " ".join(f"{round(length, 4) + 0.0:.4f}".rstrip("0").rstrip(".") for length in lengths)


def _id(*words: object) -> str:
    """The same for the same thing, each time."""
    return str(uuid.uuid5(OURS, " ".join(map(str, words))))


def _at(point: Point) -> Point:
    """On KiCad's page, where y goes down."""
    return CORNER[0] + point[0], CORNER[1] + HIGH - point[1]


def _numbered(part: Part) -> dict[str, str]:
    """The number of each pad by its name."""
    return {pad: str(number) for number, pad in enumerate(part.pads, 1)}


def _title(carrier: Carrier, name: str) -> str:
    said = _list("title", _quoted(f"Carrier for {name}")), _list("rev", _quoted(revision(carrier)))
    return _list("title_block", *said)


def _effects(size: float, *more: str) -> str:
    return _list("effects", _list("font", f"(size {_mm(size, size)})", f"(thickness {_mm(size * 0.15)})"), *more)


def _board(carrier: Carrier, copper: Copper, poured: Sequence[Sequence[Outline]], name: str) -> str:
    numbers = {net: number for number, net in enumerate(["", *carrier.nets])}
    lines = [
        _list("general", "(thickness 1.6)"),
        '(paper "A4")',
        _title(carrier, name),
        _tree("layers", [_list(str(number), _quoted(layer), kind) for number, layer, kind in LAYERS]),
        _list("setup", f"(pad_to_mask_clearance {_mm(MASK_MM)})"),
        *(_list("net", number, _quoted(net)) for net, number in numbers.items()),
        *(_footprint(carrier, part, numbers) for part in carrier.parts.values()),
        *(_screw_hole(number, hole) for number, hole in enumerate(HOLES, 1)),
        *_lines("Edge.Cuts", OUTLINE_MM, [[(0, 0), (WIDE, 0), (WIDE, HIGH), (0, HIGH), (0, 0)]]),
        *_lines("F.SilkS", SILK_MM, silk(carrier, name)),
    ]
    for number, track in enumerate(copper.tracks):
        ends = f"(start {_mm(*_at(track.start))}) (end {_mm(*_at(track.end))}) (width {_mm(track.width)})"
        layer, net = _quoted(SIDES[track.layer]), numbers[track.net]
        lines.append(f"(segment {ends} (layer {layer}) (net {net}) (tstamp {_id('track', number)}))")
    for number, (of, x, y) in enumerate(copper.vias):
        size = f"(size {_mm(VIA_MM)}) (drill {_mm(VIA_DRILL_MM)}) (layers {' '.join(map(_quoted, SIDES))})"
        lines.append(f"(via (at {_mm(*_at((x, y)))}) {size} (net {numbers[of]}) (tstamp {_id('via', number)}))")
    lines += [_zone(layer, numbers[NET], outlines) for layer, outlines in enumerate(poured)]
    return _tree(f"kicad_pcb (version {BOARD_FORMAT}) (generator cribboard)", lines)


def _lines(layer: str, width: float, runs: Iterable[Sequence[Point]]) -> Iterator[str]:
    for number, run in enumerate(runs):
        for step, (start, end) in enumerate(pairwise(run)):
            ends = f"(start {_mm(*_at(start))}) (end {_mm(*_at(end))})"
            mark = _id(layer, number, step)
            yield f"(gr_line {ends} (layer {_quoted(layer)}) (width {_mm(width)}) (tstamp {mark}))"


def _footprint(carrier: Carrier, part: Part, numbers: dict[str, int]) -> str:
    """A part around its first pad."""
    nets = {pad: net for net, pads in carrier.nets.items() for ref, pad in pads if ref == part.ref}
    home = next(iter(part.pads.values()))

    def own(x: float, y: float) -> str:
        return _mm(x - home.x, home.y - y)

    def rectangle(corners: Corners, layer: str, width: float) -> str:
        left, low, right, top = corners
        ends = f"(start {own(left, top)}) (end {own(right, low)})"
        mark = _id(part.ref, layer, corners)
        return f"(fp_rect {ends} (layer {_quoted(layer)}) (width {_mm(width)}) (fill none) (tstamp {mark}))"

    middle = (part.body[0] + part.body[2]) / 2, (part.body[1] + part.body[3]) / 2
    lines = [
        f"(at {_mm(*_at((home.x, home.y)))})",
        f"(descr {_quoted(part.title)})",
        f"(path {_quoted('/' + _id('symbol', part.ref))})",
        "(attr through_hole)",
    ]
    for kind, text in (("reference", part.ref), ("value", part.title)):
        hidden = "" if kind == "reference" else " hide"
        mark = f"(effects (font (size {_mm(TEXT_MM, TEXT_MM)}) (thickness 0.15))) (tstamp {_id(part.ref, kind)})"
        lines.append(f'(fp_text {kind} {_quoted(text)} (at {own(*middle)}) (layer "F.Fab"){hidden} {mark})')
    lines.append(rectangle(part.body, "F.Fab", FAB_MM))
    lines += [rectangle(corners, "F.CrtYd", COURTYARD_MM) for corners in courtyards(part)]
    for pad, number in _numbered(part).items():
        spot = part.pads[pad]
        size = f"(at {own(spot.x, spot.y)}) (size {_mm(spot.copper, spot.copper)}) (drill {_mm(spot.drill)})"
        net = f" (net {numbers[nets[pad]]} {_quoted(nets[pad])})" if pad in nets else ""
        known = f'(pinfunction {_quoted(pad)}) (pintype "passive") (tstamp {_id(part.ref, pad)})'
        lines.append(f"(pad {_quoted(number)} thru_hole circle {size} (layers *.Cu *.Mask){net} {known})")
    return _tree(f'footprint {_quoted("cribboard:" + part.ref)} (layer "F.Cu") (tedit 0)', lines)


def courtyards(part: Part) -> list[Corners]:
    """Where no other part may stand: a part's body and pads; of a Pico in sockets only these."""
    if part.ref != "A1":
        around = [(spot.x, spot.y, spot.copper / 2) for spot in part.pads.values()]
        left, low, right, top = part.body
        return [
            (
                min(left, *(x - half for x, _, half in around)),
                min(low, *(y - half for _, y, half in around)),
                max(right, *(x + half for x, _, half in around)),
                max(top, *(y + half for _, y, half in around)),
            )
        ]
    rows = sorted({spot.x for spot in part.pads.values()})
    heights = [spot.y for spot in part.pads.values()]
    return [(x - SOCKET_MM, min(heights) - SOCKET_MM, x + SOCKET_MM, max(heights) + SOCKET_MM) for x in rows]


def _screw_hole(number: int, hole: Point) -> str:
    size = f"(size {_mm(HOLE_MM, HOLE_MM)}) (drill {_mm(HOLE_MM)})"
    text = "(effects (font (size 1 1) (thickness 0.15)))"
    lines = [
        f"(at {_mm(*_at(hole))})",
        "(attr exclude_from_pos_files exclude_from_bom)",
        f'(fp_text reference "H{number}" (at 0 0) (layer "F.Fab") {text} (tstamp {_id("H", number, "reference")}))',
        f'(fp_text value "screw" (at 0 0) (layer "F.Fab") hide {text} (tstamp {_id("H", number, "value")}))',
        f'(fp_circle (center 0 0) (end {_mm(HOLE_MM, 0)}) (layer "F.CrtYd") (width {_mm(COURTYARD_MM)}) (fill none)'
        f" (tstamp {_id('H', number, 'courtyard')}))",
        f'(pad "" np_thru_hole circle (at 0 0) {size} (layers *.Cu *.Mask) (tstamp {_id("H", number)}))',
    ]
    return _tree('footprint "cribboard:screw" (layer "F.Cu") (tedit 0)', lines)


def _zone(layer: int, number: int, poured: Sequence[Outline]) -> str:
    """The ground of a layer, poured as in its Gerber."""

    def points(outline: Iterable[Point]) -> str:
        return _list("pts", *(f"(xy {_mm(*_at(point))})" for point in outline))

    side = _quoted(SIDES[layer])
    edge = [(EDGE_MM, EDGE_MM), (WIDE - EDGE_MM, EDGE_MM), (WIDE - EDGE_MM, HIGH - EDGE_MM), (EDGE_MM, HIGH - EDGE_MM)]
    lines = [
        f"(connect_pads (clearance {_mm(POUR_CLEAR_MM)}))",
        f"(min_thickness {_mm(LEAST_MM)})",
        f"(fill yes (thermal_gap {_mm(THERMAL_MM)}) (thermal_bridge_width {_mm(SPOKE_MM)}))",
        f"(polygon {points(edge)})",
        *(f"(filled_polygon (layer {side}) {points(outline[:-1])})" for outline in poured),
    ]
    head = (
        f"zone (net {number}) (net_name {_quoted(NET)}) (layer {side}) (tstamp {_id('zone', layer)}) (hatch edge 0.5)"
    )
    return _tree(head, lines)


def _project(carrier: Carrier) -> dict[str, object]:
    def of_class(name: str, width: float, nets: list[str]) -> dict[str, object]:
        size = {"track_width": width, "via_diameter": VIA_MM, "via_drill": VIA_DRILL_MM, "clearance": CLEAR_MM}
        return {"name": name, **size, "nets": nets}

    thick = [net for net in carrier.nets if net in POWER]
    rules = {
        "min_clearance": CLEAR_MM,
        "min_copper_edge_clearance": EDGE_MM - OUTLINE_MM / 2,
        "min_hole_clearance": CLEAR_MM,
        "min_hole_to_hole": HOLE_TO_HOLE_MM,
        "min_through_hole_diameter": VIA_DRILL_MM,
        "min_track_width": SIGNAL_MM,
        "min_via_annular_width": RING_MM,
        "min_via_diameter": VIA_MM,
    }
    ours = {  # the footprints are in the board only
        "lib_footprint_issues": "ignore",
        "lib_footprint_mismatch": "ignore",
    }
    return {
        "board": {"design_settings": {"rules": rules, "rule_severities": ours}},
        "meta": {"filename": f"{NAME}.kicad_pro", "version": 1},
        "net_settings": {
            "classes": [of_class("Default", SIGNAL_MM, []), of_class("Power", POWER_MM, thick)],
            "meta": {"version": 2},
        },
        "sheets": [[_id("sheet"), ""]],
    }


def _schematic(carrier: Carrier, name: str) -> str:
    nets = {pad: net for net, pads in carrier.nets.items() for pad in pads}
    places = _places(carrier)
    lines = [f"(uuid {_id('sheet')})", '(paper "A3")', _title(carrier, name)]
    lines.append(_tree("lib_symbols", [_symbol(part) for part in carrier.parts.values()]))
    for ref, part in carrier.parts.items():
        x, y = places[ref]
        for pad, (pin_x, pin_y) in _pins(part).items():
            end = _mm(x + pin_x, y - pin_y)
            mark = f"(uuid {_id('label', ref, pad)})"
            if (ref, pad) not in nets:
                lines.append(f"(no_connect (at {end}) {mark})")
                continue
            turn, side = (180, "right") if pin_x < 0 else (0, "left")
            net = _quoted(nets[ref, pad])
            text = _effects(1.27, f"(justify {side})")
            lines.append(f"(global_label {net} (shape passive) (at {end} {turn}) {text} {mark})")
        lines.append(_instance(part, (x, y)))
    lines.append('(sheet_instances (path "/" (page "1")))')
    lines.append(
        _tree(
            "symbol_instances",
            [
                f"(path {_quoted('/' + _id('symbol', ref))} (reference {_quoted(ref)}) (unit 1)"
                f" (value {_quoted(part.title)}) (footprint {_quoted('cribboard:' + ref)}))"
                for ref, part in carrier.parts.items()
            ],
        )
    )
    return _tree(f"kicad_sch (version {SCHEMATIC_FORMAT}) (generator cribboard)", lines)


def _pins(part: Part) -> dict[str, Point]:
    """Where the pins of a symbol end, from its middle, y up: half down its left side, then up its right side."""
    pads = [*part.pads]
    left = -(-len(pads) // 2)
    reach = HALF_MM + PIN_MM
    top = (left - 1) // 2 * GRID_MM
    rows = [*range(left), *reversed(range(left - len(pads) % 2))]
    return {pad: (-reach if number < left else reach, top - rows[number] * GRID_MM) for number, pad in enumerate(pads)}


def _places(carrier: Carrier) -> dict[str, Point]:
    """The middle of each symbol, in columns from the left."""
    x, y, places = COLUMN_MM / 2 + 2 * GRID_MM, TOP_MM, {}
    for ref, part in carrier.parts.items():
        rows = -(-len(part.pads) // 2)
        if y + rows * GRID_MM > PAGE_MM[1] - 6 * ROW_MM:
            x, y = x + COLUMN_MM, TOP_MM
        above = (rows - 1) // 2 * GRID_MM + ROW_MM
        places[ref] = round(x / GRID_MM) * GRID_MM, round((y + above) / GRID_MM) * GRID_MM
        y = places[ref][1] + rows // 2 * GRID_MM + GRID_MM
    return places


def _symbol(part: Part) -> str:
    heights = [y for _, y in _pins(part).values()]
    low, top = min(heights) - GRID_MM, max(heights) + GRID_MM
    letters = part.ref.rstrip("0123456789")
    corners = f"(start {_mm(-HALF_MM, top)}) (end {_mm(HALF_MM, low)})"
    drawn = "(stroke (width 0.254) (type default) (color 0 0 0 0)) (fill (type background))"
    pins = []
    for pad, number in _numbered(part).items():
        x, y = _pins(part)[pad]
        where = f"(at {_mm(x, y)} {0 if x < 0 else 180}) (length {_mm(PIN_MM)})"
        texts = f"(name {_quoted(pad)} {_effects(1.27)}) (number {_quoted(number)} {_effects(1.27)})"
        pins.append(f"(pin passive line {where} {texts})")
    return _tree(
        f"symbol {_quoted('cribboard:' + part.ref)} (pin_names (offset 1.016)) (in_bom yes) (on_board yes)",
        [
            *_properties((letters, part.title, f"cribboard:{part.ref}"), (0, 0), top),
            _tree(f"symbol {_quoted(part.ref + '_0_1')}", [f"(rectangle {corners} {drawn})"]),
            _tree(f"symbol {_quoted(part.ref + '_1_1')}", pins),
        ],
    )


def _properties(values: tuple[str, str, str], at: Point, above: float) -> Iterator[str]:
    """Reference and value over the symbol; the footprint is not shown."""
    for number, (name, value) in enumerate(
        zip(("Reference", "Value", "Footprint", "Datasheet"), (*values, ""), strict=True)
    ):
        y = at[1] + (above + GRID_MM * (2 - number) if number < 2 else 0)
        text = _effects(1.27, *(["hide"] if number > 1 else []))
        yield f"(property {_quoted(name)} {_quoted(value)} (id {number}) (at {_mm(at[0], y)} 0) {text})"


def _instance(part: Part, at: Point) -> str:
    top = max(y for _, y in _pins(part).values()) + GRID_MM
    pins = [f"(pin {_quoted(number)} (uuid {_id('pin', part.ref, number)}))" for number in _numbered(part).values()]
    upright = [*_properties((part.ref, part.title, f"cribboard:{part.ref}"), at, -top - 3 * GRID_MM)]
    head = f"symbol (lib_id {_quoted('cribboard:' + part.ref)}) (at {_mm(*at)} 0) (unit 1) (in_bom yes) (on_board yes)"
    return _tree(f"{head} (uuid {_id('symbol', part.ref)})", [*upright, *pins])
