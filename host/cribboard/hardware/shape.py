"""Where everything on a board is, in millimetres from its lower left corner, x to the right and y up."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from cribboard.hardware.description import Description
from cribboard.hardware.way import STARTS, Spot, bowl_end, way
from cribboard_core.variants import COLOURS, skunk_lines

Point = tuple[float, float]
FIVE = 5
BUTTON_NAMES = ("+1", "+5", "OK")
GAME_HOLE = 1.3  # so much larger than the others
BUTTON_ROOM_MM = 10  # above and below the buttons, for what is written there
DOT_INSIDE_MM, DOT_AWAY_MM, DOTS_APART_MM = 2.0, 7.0, 3.5  # from the border, from a button, from dot to dot
PLATE_AWAY_MM = 10.0  # from a button to what is engraved between them: there may be pins
OPENING_MM = 8.0  # so much wider than a button is its opening in the light sheet: for the nut that clamps the face
LIGHT_MM = 1.0  # so much wider than a hole of the face is the one behind it
PIXEL_MM, PIXEL_HOLE_MM = 5.0, 5.1  # a single pixel, and the hole for its dome
WALL_MM = 1.5  # the least between two cuts; thinner plywood or acrylic breaks when it is cut
EDGE_MM = 6  # of material around a screw
BESIDE_MM = {"29": (18.0, 11.0)}  # on the left and on the right of the way, for what is written there


@dataclass(frozen=True)
class Button:
    """A cut-out for a button; a shared one has no place. Those on the far edge are read from there."""

    name: str
    place: int | None
    x: float
    y: float
    far: bool = False


@dataclass(frozen=True)
class Layout:
    """A described board, laid out."""

    description: Description

    @property
    def half_mm(self) -> float:
        """From the middle of the way to the border of its band."""
        return self.description.tracks.count * self.description.shape.track_mm / 2

    @property
    def last(self) -> int:
        """The LED of the game hole, which is the number of the other holes."""
        return self.description.tracks.leds - 1

    @cached_property
    def size(self) -> Point:
        """The width and the height of the board."""
        left, bottom, right, top = self._box
        margin = 2 * self.description.shape.margin_mm
        return right - left + margin, top - bottom + margin + self.panel_mm + self.far_panel_mm

    @property
    def panel_mm(self) -> float:
        """The height of the stretch below the tracks that holds the buttons."""
        return self.description.buttons.diameter_mm + 2 * BUTTON_ROOM_MM

    @property
    def far_panel_mm(self) -> float:
        """The height of the stretch above the tracks, if buttons stand there."""
        return self.panel_mm if self.description.buttons.far_edge else 0.0

    def spot(self, place: float) -> Spot:
        """Where a place of the way is: LED n at n, the start before 0."""
        left, bottom, _, _ = self._box
        margin = self.description.shape.margin_mm
        return self._way(place).moved(margin - left, margin - bottom + self.panel_mm)

    def offset(self, track: int) -> float:
        """How far a track (0 is the first) is from the middle of the way."""
        tracks = self.description.tracks.count
        return ((tracks - 1) / 2 - track) * self.description.shape.track_mm

    def holes(self, track: int) -> list[Point]:
        """The holes of a track in the order of its LEDs; the last is the game hole."""
        return list(self._holes[track])

    def start_holes(self, track: int) -> list[Point]:
        """Where the pegs of a track begin; no LED is under them."""
        return [self.spot(place).across(self.offset(track)) for place in STARTS]

    def band(self, first: float, last: float, middle: float = 0, half: float | None = None) -> list[Point]:
        """The border around a stretch of the way (or beside its middle), closed; finer where it bends."""
        half = self.half_mm if half is None else half
        if self.description.shape.kind == "streets":
            centre, reach = self.spot((first + last) / 2), (last - first) / 2 * self.description.shape.pitch_mm
            spots = [centre.along(-reach), centre.along(reach)]
        else:
            spots = [self.spot(first + step / 4) for step in range(round(4 * (last - first)) + 1)]
        there = [spot.across(middle + half) for spot in spots]
        back = [spot.across(middle - half) for spot in reversed(spots)]
        return [*there, *back, there[0]]

    def diameter(self, led: int) -> float:
        """Of an LED's hole in the face; single pixels, whose domes fill theirs, are all alike."""
        larger = led == self.last and self.description.shape.strip_mm
        return self.description.shape.hole_mm * (GAME_HOLE if larger else 1)

    def light_diameter(self, led: int) -> float:
        """Of the hole behind it, in the light sheet: wider, so that the light comes to the whole of the paper."""
        shape = self.description.shape
        if not shape.strip_mm:
            return PIXEL_HOLE_MM
        usual = shape.hole_mm + LIGHT_MM
        if led != self.last:
            return usual
        return max(usual, min(self.diameter(led) + LIGHT_MM, math.floor(20 * (shape.pitch_mm - WALL_MM)) / 10 - usual))

    @property
    def opening_mm(self) -> float:
        """How wide a button's opening in the light sheet is."""
        return self.description.buttons.diameter_mm + OPENING_MM

    @property
    def streets(self) -> list[range]:
        """The LEDs of each stretch of the way that is drawn in one, without the game hole."""
        holes = self.last // max(1, self.description.shape.streets)
        return [range(first, first + holes) for first in range(0, self.last, holes)]

    @property
    def skunk_lines(self) -> dict[int, Spot]:
        """The first scores that are safe, and the places half a hole before them."""
        lines = skunk_lines(self.description.game.target)
        return {line: self.spot((line - 1) % self.last - 0.5) for line in lines if line}

    @cached_property
    def buttons(self) -> list[Button]:
        """Below the tracks: some places' to the left, the shared ones in the middle, the others' to the right.

        Those of `far_edge` are above the tracks, as who sits there sees them: from the right to the left.
        """
        described = self.description.buttons
        near: list[list[tuple[str, int | None]]] = []
        far: list[list[tuple[str, int | None]]] = []
        for place, pins in enumerate(described.players):
            if pins:
                (far if place in described.far_edge else near).append([(name, place) for name in BUTTON_NAMES])
        near.insert((len(near) + 1) // 2, [("UNDO", None), ("DEAL", None)])
        width, height = self.size
        y = self.description.shape.margin_mm / 2 + self.panel_mm / 2
        placed = [Button(name, place, x, y) for x, name, place in self._row(near)]
        return placed + [Button(name, place, width - x, height - y, True) for x, name, place in self._row(far)]

    def _row(self, groups: list[list[tuple[str, int | None]]]) -> list[tuple[float, str, int | None]]:
        """Groups of buttons along an edge, as far from each other as there is room, from the left."""
        described = self.description.buttons
        width, margin = self.size[0], self.description.shape.margin_mm + described.diameter_mm / 2
        within = sum(len(group) - 1 for group in groups) * described.apart_mm
        between = (width - 2 * margin - within) / max(1, len(groups) - 1)
        x = margin if len(groups) > 1 else (width - within) / 2
        places = []
        for group in groups:
            for name, place in group:
                places.append((x, name, place))
                x += described.apart_mm
            x += between - described.apart_mm
        return places

    @property
    def plate(self) -> tuple[float, float, float]:
        """The middle of the widest stretch of the near edge without buttons, and how wide it is."""
        reach = self.description.buttons.diameter_mm / 2 + PLATE_AWAY_MM
        row = sorted(button.x for button in self.buttons if not button.far)
        left, right = self.description.shape.margin_mm, self.size[0] - self.description.shape.margin_mm
        ends = [left - reach, *row, right + reach]
        room, x = max((other - one - 2 * reach, (one + other) / 2) for one, other in pairwise(ends))
        return x, self.description.shape.margin_mm / 2 + self.panel_mm / 2, room

    @cached_property
    def screws(self) -> tuple[Point, ...]:
        """In the four corners of light sheet and case, with enough material to the rounding."""
        if not self.description.shape.screw_mm:
            return ()
        (width, height), corner = self.size, self.description.shape.corner_mm
        middle = EDGE_MM + self.description.shape.screw_mm / 2
        inset = max(middle, corner - (corner - middle) / math.sqrt(2))
        return tuple((x, y) for y in (inset, height - inset) for x in (inset, width - inset))

    @cached_property
    def dots(self) -> tuple[Point, ...]:
        """Holes for pins whose heads are felt: after every fifth hole at both borders, and beside the buttons.

        A player's +1, +5 and OK have one, two and three pins, UNDO and DEAL one and two.
        """
        if not self.description.shape.dots_mm:
            return ()
        inside = self.half_mm - DOT_INSIDE_MM
        ticks = [place - 0.5 for street in self.streets for place in street[FIVE::FIVE]]
        points = [self.spot(place).across(side * inside) for place in ticks for side in (-1, 1)]
        away = self.description.buttons.diameter_mm / 2 + DOT_AWAY_MM
        for button in self.buttons:
            names = ("UNDO", "DEAL") if button.place is None else BUTTON_NAMES
            count = names.index(button.name) + 1
            x = button.x + (away if button.far else -away)
            points += [(x, button.y + (number - (count - 1) / 2) * DOTS_APART_MM) for number in range(count)]
        return tuple(points)

    def label_side(self, place: float) -> int:
        """On which side of the way its numbers are: above the streets, within an oval, around a 29."""
        if self.description.shape.kind == "oval":
            return -1
        if self.description.shape.kind == "29":
            return 1 if place < bowl_end() else -1
        spot = self.spot(place)
        return 1 if spot.across(1)[1] > spot.y else -1

    @cached_property
    def _way(self) -> Callable[[float], Spot]:
        return way(self.description)

    @cached_property
    def _holes(self) -> list[list[Point]]:
        spots = [self.spot(led) for led in range(self.last + 1)]
        return [[spot.across(self.offset(track)) for spot in spots] for track in range(self.description.tracks.count)]

    @cached_property
    def _box(self) -> tuple[float, float, float, float]:
        """Around all streets, the start and what stands beside them, before the way has its place on the board."""
        half = self.description.shape.pitch_mm / 2
        spots = [self._way(place).along(on) for place in (*STARTS, *range(self.last + 1)) for on in (-half, half)]
        xs, ys = zip(*(spot.across(side * self.half_mm) for spot in spots for side in (-1, 1)), strict=True)
        left, right = BESIDE_MM.get(self.description.shape.kind, (0.0, 0.0))
        return min(xs) - left, min(ys), max(xs) + right, max(ys)


def place_name(place: int) -> str:
    """What a place is called on the board."""
    return COLOURS[place].upper()


def every_hole(layout: Layout) -> Iterable[tuple[str, Point, float]]:
    """Everything cut through the face: its name, centre and diameter."""
    for track in range(layout.description.tracks.count):
        for led, point in enumerate(layout.holes(track)):
            yield f"hole {led + 1} of track {track + 1}", point, layout.diameter(led)
    for button in layout.buttons:
        where = "" if button.place is None else f" of place {button.place + 1}"
        yield f"the button {button.name}{where}", (button.x, button.y), layout.description.buttons.diameter_mm
    for point in layout.dots:
        yield "a dot", point, layout.description.shape.dots_mm
