"""How the light is seen: from every chair, in a lit room, and whether it keeps to its own hole.

Brightness is computed, not measured: from the pixels' data sheet, through the light sheet's holes, onto the paper.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from cribboard.hardware.budget import game_ma
from cribboard.hardware.drawer import lift_mm
from cribboard.hardware.findings import Finding
from cribboard.hardware.light_guide import FLANGE_MM, SLACK_MM, cell_mm
from cribboard.hardware.shape import PIXEL_HOLE_MM, PIXEL_MM, WALL_MM, Layout
from cribboard.hardware.stack import PAPER_MM, Stack, seen
from cribboard_fw.paint import BACK, FRONT, GLOW, WHITE, Palette

CHAIR_DEGREES = 45.0
LEAST_SEEN, LEAST_SEEN_FAR = 0.5, 0.2
EYE_MM, AWAY_MM, BOARD_HIGH_MM = 410.0, 350.0, 42.0  # an eye above the table, from it to a board, and how high that is
LEAST_HOLE_MM, HOLE_TIMES = 3.0, 2.5  # and a hole is so many times as wide as what is above its light is thick
MOST_PAPER_MM = 1.0  # a thicker diffuser carries light on to the next hole, below the face
MOST_PROUD_MM = 1.5

# Of a pixel at 255 a channel, in candela (WS2812B data sheet); of a Lambertian source lumens are pi times that.
CANDELA = (0.390, 0.660, 0.180)
# Candela a square metre at 45 degrees for a lumen: two ray models gave 953, 716, 553 and 429 behind a light sheet of 3,
# 4, 5 and 6 mm, for paper that lets 0.47 through; this is within 2 % of them.
K_MM2, K_AWAY_MM = 35_650.0, 3.12
UNLIT_CD_LUX = 15 / 300  # what a dark hole shows in a room, for each lux
ROOM_LUX = 300.0
FRONT_LEAST_CD, FRONT_RATIO, OTHER_RATIO, WELL_SEEN = 60.0, 4.0, 1.5, 2.0
STRONG_RATIO = 3.0  # of strong pegs, front and back: twice what a back peg needs to be seen at all


@dataclass(frozen=True)
class Seen:
    """What the least of the players' lights show at 45 degrees, in candela a square metre."""

    front: float
    back: float
    skunk: float

    def ratio(self, light: float, lux: float = ROOM_LUX) -> float:
        """How much brighter than a dark hole a light is in a room of so many lux."""
        return 1 + light / (UNLIT_CD_LUX * lux)

    @property
    def well_seen_lux(self) -> int:
        """The brightest room where a back peg is twice as bright as a dark hole."""
        return int(self.back / (WELL_SEEN - 1) / UNLIT_CD_LUX)


def brightness(layout: Layout) -> Seen:
    """What is seen of a front peg, a back peg and a skunk line, of the place whose colour is the faintest."""
    board = layout.description
    palette = Palette(board.supply.brightness, board.supply.strong_pegs)
    places = range(board.game.players)
    front, back = (min(_candela(layout, palette, kind << 3 | place) for place in places) for kind in (FRONT, BACK))
    return Seen(front, back, _candela(layout, palette, GLOW << 3 | WHITE))


def farthest_degrees(layout: Layout) -> float:
    """At which angle a seated player sees the farthest row."""
    high = BOARD_HIGH_MM + lift_mm(layout.description.shape)
    return math.degrees(math.atan((AWAY_MM + layout.size[1]) / (EYE_MM - high)))


def mistakes(layout: Layout) -> Iterator[Finding]:
    """What keeps the light from being seen, or from keeping to its hole; notes on a room that is too bright for it."""
    yield from _holes(layout)
    yield from _seen(layout)
    shown = brightness(layout)
    said = []
    if shown.front < FRONT_LEAST_CD or shown.ratio(shown.front) < FRONT_RATIO:
        said.append(f"a front peg is {shown.ratio(shown.front):.1f} times as bright as a dark hole")
    for name, light in (("back peg", shown.back), ("skunk line", shown.skunk)):
        if shown.ratio(light) < OTHER_RATIO:
            said.append(f"a {name} is {shown.ratio(light):.1f} times as bright as a dark hole")
    yield from _strong(layout, shown)
    if said:
        level = layout.description.supply.brightness
        words = f"in a room of {ROOM_LUX:g} lux {' and '.join(said)} (computed, not measured)"
        todo = "raise it, as far as the limit lets a game be shown, or play in a darker room"
        yield Finding(False, f"[supply] brightness = {level}", words, todo)


def _strong(layout: Layout, shown: Seen) -> Iterator[Finding]:
    """What keeps strong pegs from being strong: too little light, or a limit that dims them."""
    board = layout.description
    if not board.supply.strong_pegs:
        return
    where, least = "[supply] strong_pegs = true", min(shown.ratio(shown.front), shown.ratio(shown.back))
    if least < STRONG_RATIO:
        said = f"in a room of {ROOM_LUX:g} lux the pegs are only {least:.1f} times as bright as a dark hole"
        yield Finding(False, where, f"{said} (computed, not measured)", "raise brightness")
    drawn = game_ma(board)
    if drawn > board.supply.limit_ma:
        said = f"a game draws {drawn} mA, so that the limit of {board.supply.limit_ma} mA dims them"
        yield Finding(False, where, said, "lower brightness, or raise limit_ma as far as the supply carries it")


def _candela(layout: Layout, palette: Palette, ink: int) -> float:
    """Of the brightest moment of an ink, in candela a square metre at 45 degrees."""
    shape = layout.description.shape
    packed = max(palette.pattern(ink), key=lambda colour: sum(colour.to_bytes(3, "big")))
    lumens = math.pi * sum(level / 255 * each for level, each in zip(packed.to_bytes(3, "big"), CANDELA, strict=True))
    if not shape.strip_mm:  # the dome itself is seen, all of it
        return lumens * 1e6 / (math.pi * math.pi * (PIXEL_MM / 2) ** 2)
    return lumens * K_MM2 / (shape.thickness_mm + K_AWAY_MM) ** 2


def _seen(layout: Layout) -> Iterator[Finding]:
    shape, stack = layout.description.shape, Stack(layout.description.shape)
    far = farthest_degrees(layout)
    where = f"[shape] face_mm = {shape.face_mm:g}"
    for degrees, least in ((CHAIR_DEGREES, LEAST_SEEN), (far, LEAST_SEEN_FAR)):
        share = seen(stack.above, shape.hole_mm, degrees)
        if share < least:
            said = f"from a chair, at {degrees:.0f}°, {share:.0%} of the light is seen, and {least:.0%} are needed"
            most = _thickest(shape.hole_mm, far) + (shape.face_mm - stack.above)
            yield Finding(True, where, said, f"make it {most:.1f} or less, or hole_mm larger")
            break
    if stack.proud > MOST_PROUD_MM:
        said = f"the domes of the pixels stick out {stack.proud:.1f} mm"
        yield Finding(True, where, said, "make it thicker, or thickness_mm larger")
    if stack.paper > MOST_PAPER_MM:
        said = f"a diffuser of {stack.paper:g} mm carries light to the next hole"
        yield Finding(True, where, said, f"use paper or film of {PAPER_MM:g} to {MOST_PAPER_MM:g} mm")


def _thickest(hole_mm: float, far: float) -> float:
    """The thickest face, in tenths of a millimetre, that is seen well enough."""
    tenths = range(round(hole_mm * 10))
    well = [
        each
        for each in tenths
        if seen(each / 10, hole_mm, CHAIR_DEGREES) >= LEAST_SEEN and seen(each / 10, hole_mm, far) >= LEAST_SEEN_FAR
    ]
    return max(well, default=0) / 10


def _holes(layout: Layout) -> Iterator[Finding]:
    """Holes wide enough for the face, and cells with a wall between them."""
    shape = layout.description.shape
    where = f"[shape] hole_mm = {shape.hole_mm:g}"
    if not shape.strip_mm:
        if not PIXEL_HOLE_MM <= shape.hole_mm < FLANGE_MM:
            said = f"the dome of a single pixel is {PIXEL_MM:g} mm wide, and its flange {FLANGE_MM:g}"
            yield Finding(True, where, said, f"make it {PIXEL_HOLE_MM:g} or a little more")
    else:
        least = max(LEAST_HOLE_MM, HOLE_TIMES * (shape.face_mm + PAPER_MM))
        if shape.hole_mm < least - 1e-9:
            said = f"through a face of {shape.face_mm:g} mm so small a hole is seen from above only"
            yield Finding(True, where, said, f"make it {least:g} or more")
    cell = max(cell_mm(layout, led) for led in range(layout.last + 1)) + SLACK_MM
    nearest = min(
        math.dist(*pair) for track in range(layout.description.tracks.count) for pair in pairwise(layout.holes(track))
    )
    if cell > nearest - WALL_MM + 0.01:
        said = f"the cells of the light guide are {cell:.1f} mm wide, and the next one is {nearest:.1f} mm away"
        yield Finding(True, where, said, f"make it smaller: {WALL_MM:g} mm of wall are needed")
