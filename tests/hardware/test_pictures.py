"""The pictures of the steps: no words on a line, wires that only cross, and the board's own parts and measures."""

from __future__ import annotations

import math
from functools import cache
from xml.etree import ElementTree

import pytest
from shapely import LineString, Point, Polygon, STRtree, box

from cribboard.hardware import placement
from cribboard.hardware.carrier import HIGH, HOLES, WIDE, carrier
from cribboard.hardware.circuit import Circuit, circuit
from cribboard.hardware.controllers import load
from cribboard.hardware.description import Description
from cribboard.hardware.guide import COPPER, pictures, strips
from cribboard.hardware.light_guide import pieces
from cribboard.hardware.picture import WIRES, Picture, Router
from cribboard.hardware.printing import where
from cribboard.hardware.section import guides, section
from cribboard.hardware.shape import Layout
from hardware.boards import READY, changed, ready

DRAWN = [
    pytest.param(
        name, marks=() if name in ("board.toml", "boards/oval.toml", "boards/twenty-nine.toml") else pytest.mark.long
    )
    for name in READY
]
GUIDED = ("board.toml", "boards/oval.toml")  # their light guides for strips and for single pixels take a second


def of(board: Description) -> Circuit:
    return circuit(board, load(board.controller))


def drawn(board: Description) -> dict[str, Picture]:
    return pictures(Layout(board), of(board))


@cache
def drawn_ready(name: str = "board.toml") -> dict[str, Picture]:
    """Those of a ready board, which take seconds."""
    layout = Layout(ready(name))
    guided = {"step-5-guides.svg": guides(layout)} if name in GUIDED else {}
    return drawn(ready(name)) | guided | {"step-5-section.svg": section(layout)}


def wires(picture: Picture) -> list[tuple[str, LineString]]:
    """The wires of a picture, each with its colour."""
    lines = []
    for part in picture.parts:
        if part.startswith("<polyline") and 'stroke="#555"' not in part:
            each = ElementTree.fromstring(part)
            points = [tuple(map(float, point.split(","))) for point in each.attrib["points"].split()]
            lines.append((each.attrib["stroke"], LineString(points)))
    return lines


def corners(polygon: str) -> list[tuple[float, float]]:
    points = (point.split(",") for point in ElementTree.fromstring(polygon).attrib["points"].split())
    return [(float(x), float(y)) for x, y in points]


def crossed(picture: Picture) -> list[str]:
    """The texts that a line or another text crosses, or that leave the picture."""
    areas = [box(*corners) for _, *corners in picture.texts]
    lines = [LineString(line) for line in picture.lines if line[0] != line[1]]
    on_a_line = {*STRtree(lines).query(areas, "intersects")[0]}
    one, other = STRtree(areas).query(areas, "intersects")
    on_another = {*one[one > other]}
    inside = box(0, 0, picture.width, picture.height)
    return [
        words
        for number, (words, *_) in enumerate(picture.texts)
        if number in on_a_line or number in on_another or not inside.contains(areas[number])
    ]


@pytest.mark.parametrize("board", DRAWN)
def test_no_words_lie_over_a_border_or_over_others(board: str) -> None:
    for name, picture in drawn_ready(board).items():
        assert picture.texts, name
        assert crossed(picture) == [], name
        root = ElementTree.fromstring(picture.svg())
        assert len([each for each in root if each.tag.endswith("text")]) == len(picture.texts)
        [description] = [each.text or "" for each in root if each.tag.endswith("desc")]
        assert len(description) > 40 and description.endswith(".") and root.attrib["aria-labelledby"] == "title told", (
            name
        )


def test_words_that_lie_on_a_line_are_noticed() -> None:
    made = Picture(100, 100, "x", "")
    made.write(10, 10, "words", 5)
    assert crossed(made) == []
    made.line((0, 11), (50, 11))
    assert crossed(made) == ["words"]


def test_they_have_the_boards_own_measures() -> None:
    def texts(pictures: dict[str, Picture]) -> list[str]:
        return [words for picture in pictures.values() for words, *_ in picture.texts]

    assert "light sheet, 6 mm" in texts(drawn_ready()) and "screw M3 x 16" in texts(drawn_ready())
    thin = section(Layout(changed(("thickness_mm = 6", "thickness_mm = 4.5"))))
    assert "light sheet, 4.5 mm" in texts({"": thin}) and "face, 1.5 mm" in texts({"": thin})
    assert "street 3: 41 pixels, holes 81 to 121" in texts(drawn_ready())
    assert "E  [shape] apart_mm = 45: 3 streets" in texts(drawn_ready())
    assert "light guides with pixels" in texts(drawn_ready("boards/oval.toml"))
    assert "step-6-strips.svg" not in drawn_ready("boards/twenty-nine.toml")


def test_wires_from_street_to_street_do_not_cross_where_the_way_runs_back() -> None:
    picture = drawn_ready()["step-6-strips.svg"]
    levels = [
        LineString(line) for line in picture.lines if line[0][0] == line[1][0] and abs(line[0][1] - line[1][1]) > 20
    ]
    assert len(levels) == 2 * 3
    for wire in levels:
        assert not [other for other in levels if other is not wire and other.distance(wire) < 2]


@pytest.mark.parametrize("back", [True, False])
def test_each_wire_from_street_to_street_ends_on_the_pads_of_its_own_rail(back: bool) -> None:
    streets = 3
    picture = strips(Layout(changed(("serpentine = true", f"serpentine = {str(back).lower()}"))))
    pads: dict[tuple[int, float], list[Polygon]] = {}  # by their street and x
    for part in picture.parts:
        if part.startswith("<polygon") and f'fill="{COPPER}"' in part:
            around = ElementTree.fromstring(part).attrib["points"].split()
            pad = Polygon([tuple(map(float, point.split(","))) for point in around])
            pads.setdefault((int(pad.bounds[1] - 26) // 42, pad.bounds[0]), []).append(pad)
    assert [len(three) for three in pads.values()] == [3] * 2 * streets
    ends = {}
    for colour, wire in wires(picture):
        at = [
            (street, x, which)
            for end in (wire.coords[0], wire.coords[-1])
            for (street, x), three in pads.items()
            for which, pad in enumerate(sorted(three, key=lambda pad: pad.bounds[1]))
            if pad.distance(Point(end)) < 0.01
        ]
        if len(at) == 2:
            ends[at[0][0], colour] = at
    for street in range(streets - 1):
        leave, enter = ((206, 206) if street % 2 == 0 else (40, 40)) if back else (206, 40)
        for which, colour in enumerate(("#d02020", "#208030", "#202020")):
            over, under = (2 - which if back and at % 2 else which for at in (street, street + 1))
            assert ends[street, colour] == [(street, leave, over), (street + 1, enter, under)]


@pytest.mark.parametrize("board", DRAWN)
def test_every_wire_of_steps_3_and_7_is_drawn_and_none_lies_along_another(board: str) -> None:
    images, every = drawn_ready(board), of(ready(board))
    described = " ".join(images[f"step-{step}.svg"].description for step in ("3-wires", "7-buttons"))
    of_step_3 = images["step-3-wires.svg"].description
    later = [wire for wire in every.wires if wire.within and wire.start[0].startswith("LED")]
    later += [wire for wire in every.wires if wire.end[1].endswith(" at the end")]
    assert "LED1 5V," in of_step_3 and "at the end" not in of_step_3, "with one pixel it would be a loose live end"
    tracks = {f"{kind}{n}" for kind in ("R", "LED") for n in range(2, 9)}
    for wire in every.wires:
        if wire not in later and not {wire.start[0], wire.end[0]} & tracks:
            ends = [every.parts[ref].number(pin) if ref.startswith("U") else pin for ref, pin in (wire.start, wire.end)]
            assert f"{ends[0]} to {wire.end[0]}" in described and str(ends[1]) in described, wire
    for name in ("step-3-wires.svg", "step-3-below.svg", "step-7-buttons.svg"):
        lying = wires(images[name])
        for number, (colour, one) in enumerate(lying):
            for other_colour, other in lying[:number]:
                assert colour == other_colour or one.intersection(other).length < 0.1, name


@pytest.mark.parametrize("board", DRAWN)
def test_the_perfboard_from_below_is_mirrored_and_its_wires_end_at_the_legs_that_they_join(board: str) -> None:
    every, picture = of(ready(board)), drawn_ready(board)["step-3-below.svg"]
    (left, top), *_, (_, bottom) = corners(next(part for part in picture.parts if part.startswith("<polygon")))
    legs = {
        (part.ref, pin): Point(left + placement.SCALE * (WIDE - x), bottom - placement.SCALE * y)
        for part in placement.perfboard(every)
        for pin, (x, y) in part.pads.items()
    }
    wired = [wire for wire in every.wires if wire.start in legs and wire.end in legs]
    lying = wires(picture)[: -len({colour for colour, _ in wires(picture)})]  # the others are the key
    assert len(lying) == len(wired) + 2 * sum(ref.startswith("U") for ref in every.parts) and top < bottom
    for wire in wired:
        ends = {legs[wire.start], legs[wire.end]}
        assert any(all(end.distance(line.boundary) < 0.01 for end in ends) for _, line in lying), wire
    words = [words for words, *_ in picture.texts]
    for wire in every.wires:
        on, off = sorted((wire.start, wire.end), key=lambda end: end not in legs)
        if on in legs and off not in legs:
            assert f"to {off[0]}" in words, wire


@pytest.mark.parametrize("board", GUIDED)
def test_each_light_guide_is_drawn_at_its_holes_from_behind(board: str) -> None:
    layout, picture = Layout(ready(board)), drawn_ready(board)["step-5-guides.svg"]
    (right, low), (left, _), *_ = corners(next(part for part in picture.parts if part.startswith("<polygon")))
    scale = (right - left) / layout.size[0]
    tracks = range(layout.description.tracks.count)
    every = {(right - x * scale, low - y * scale): led for n in tracks for led, (x, y) in enumerate(layout.holes(n))}
    own = dict(zip("ABCDEFGHIJKLMNOPQRSTUVWXYZ", pieces(layout), strict=False))
    for words, x, y, to_x, to_y in picture.texts:
        near = every[min(every, key=lambda at: math.dist(at, ((x + to_x) / 2, (y + to_y) / 2)))]
        assert not words.isdecimal() or near == int(words) - 1, words
        assert words not in own or near in own[words], words
    written = [words for words, *_ in picture.texts]
    numbers = sorted(led + 1 for leds in own.values() for led in {leds.start, leds.stop - 1})
    assert sorted(int(words) for words in written if words.isdecimal()) == numbers
    assert [words for words in written if words in own] == [*own]
    assert [words[3:] for words in written if words[1:3] == "  "] == where(layout)


def test_wires_are_told_apart_without_their_colours() -> None:
    patterns = [dashes for _, dashes, _ in WIRES.values()]
    assert len({*patterns}) == len(patterns) - 1  # white is whole, too, but a double line
    picture = Picture(50, 50, "x", "")
    for number, colour in enumerate(WIRES):
        picture.wire([(1, number), (9, number)], colour)
    assert len(picture.parts) == len(WIRES) + 1


def test_a_wire_goes_around_words_and_pads_and_when_it_is_shut_in_over_them() -> None:
    picture = Picture(60, 60, "x", "")
    picture.write(20, 30, "words", 6)
    router = Router(picture, 2, [(30, 20), (10, 30), (50, 30)])
    points = router.route((10, 30), (50, 30), "RD", "a")
    assert len(points) > 2 and crossed(picture) == []
    shut = Router(picture, 2, solid=[(2, 2, 18, 58)])
    assert shut.route((10, 30), (50, 30), "RD", "a") == [(10, 30), (50, 30)]


def test_a_label_takes_the_first_free_place() -> None:
    picture = Picture(60, 60, "x", "")
    picture.line((0, 10), (60, 10))
    assert picture.label("A", [(10, 10), (-5, 20), (10, 20)], 4) and picture.texts[0][2] == 18
    assert not picture.label("B", [(10, 20), (10, 10)], 4)


@pytest.mark.parametrize("board", DRAWN)
def test_the_placement_page_has_every_part_once_to_tick_and_no_leg_on_another(board: str) -> None:
    every, picture = of(ready(board)), drawn_ready(board)["step-3-placement.svg"]
    ticks = [words.split()[0] for words, *_ in picture.texts if words.split()[0] in every.parts and " " in words]
    wanted = [ref for ref in every.parts if not ref.startswith(("S", "BZ", "LED"))]
    assert sorted(ticks) == sorted(wanted)
    said = " ".join(words for words, *_ in picture.texts)
    assert "perfboard  drill four holes of 3 mm, 4 mm from its edges" in said and "from below it is mirrored" in said
    assert "nF at each of 121 pixels, minus" not in said and ("keep its plug" in said) is ("PS1" in every.parts)
    fuses = sum(ref.startswith("F") for ref in every.parts) if "PS1" in every.parts else 0
    assert said.count("then a lever connector for its 2 wires") == fuses
    assert "connectors joined by wires" in said
    to_buttons = [wire for wire in every.wires if wire.start[0] == "X2" and wire.end[0].startswith("S")]
    assert len(to_buttons) >= 2, "free levers of X2, before step 7, for the two wires that start the bring-up"
    parts = placement.perfboard(every)
    legs = [leg for part in parts for leg in part.pads.values()]
    assert len(set(legs)) == len(legs)
    assert all(
        min((x - a) ** 2 + (y - b) ** 2 for a, b in HOLES) > 9 and 0 < x < WIDE and 0 < y < HIGH for x, y in legs
    )
    assert all(any(words == part.ref for words, *_ in picture.texts) for part in parts)


@pytest.mark.parametrize("board", ["board.toml", "boards/three-tracks.toml"])
def test_the_carriers_page_has_every_part_to_tick(board: str) -> None:
    made = carrier(of(ready(board)))
    picture = placement.on_carrier("x", made)
    assert crossed(picture) == []
    for ref in made.parts:
        assert [words for words, *_ in picture.texts if words.startswith(f"{ref}  ")], ref
        assert [words for words, *_ in picture.texts if words == ref], ref
    plus = {words.split()[0] for words, *_ in picture.texts if words.endswith("100 µF: plus on the left")}
    assert plus == {ref for ref, part in made.parts.items() if "µF" in part.title} != set()
    assert all(made.parts[ref].pads["+"].x < made.parts[ref].pads["-"].x for ref in plus)


def test_other_controllers_shifters_and_four_tracks_have_their_pictures() -> None:
    four = [("count = 2", "count = 4"), ('["GP2", "GP3"]', '["GP2", "GP3", "GP4", "GP5"]')]
    four += [("apart_mm = 45", "apart_mm = 75"), ('"74AHCT125"', '"74AHCT1G125"')]
    pins = {
        "GP2": "D24",
        "GP3": "D25",
        "GP6": "D5",
        "GP7": "D6",
        "GP8": "D9",
        "GP9": "D10",
        "GP10": "D11",
        "GP11": "D12",
    }
    feather = [("raspberry_pi_pico", "adafruit_feather_rp2040"), ('"GP12"', '"D13"'), ('"GP13"', '"A0"')]
    feather += [(f'"{old}"', f'"{new}"') for old, new in pins.items()]
    nobody = [('[["GP6", "GP7", "GP8"], ["GP9", "GP10", "GP11"]]', "[[], []]"), ("far_edge = [2]", "far_edge = []")]
    for changes in (four, feather, nobody):
        for name, picture in drawn(changed(*changes)).items():
            assert crossed(picture) == [], (name, changes[0])
    assert any("meter" in words for words, *_ in drawn_ready("boards/oval.toml")["step-8-meter.svg"].texts)
