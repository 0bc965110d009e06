"""A board's drawing for pages: places in millimetres from its upper left corner, y down."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import TypedDict

from cribboard.hardware.shape import FIVE, STARTS, Layout, Point

Spot = tuple[float, float]
Hole = tuple[float, float, float]  # with its radius


class SkunkEntry(TypedDict):
    """A skunk line."""

    score: int
    line: list[Spot]


class LabelEntry(TypedDict):
    """The number beside a hole."""

    at: Spot
    words: str


class DrawingEntry(TypedDict):
    """A board to draw; `streets` are the top and the bottom of each."""

    size: Spot
    tracks: list[list[Hole]]
    starts: list[list[Hole]]
    bands: list[list[Spot]]
    streets: list[Spot]
    skunk: list[SkunkEntry]
    texts: list[LabelEntry]


@lru_cache(maxsize=8)
def entry(layout: Layout) -> DrawingEntry:
    """Size, holes, start holes, the borders of streets, start and game hole, skunk lines, and every fifth number.

    `streets` has the top and the bottom of each street, so that a page may move them apart; an oval has none.
    """
    tracks, leds = layout.description.tracks.count, layout.description.tracks.leds
    width, height = layout.size
    start_mm = layout.description.shape.hole_mm / 2

    def down(points: Iterable[Point]) -> list[Spot]:
        return [(round(x, 2), round(height - y, 2)) for x, y in points]

    def holes(points: Iterable[Point], sizes: Iterable[float]) -> list[Hole]:
        return [(*point, round(size, 2)) for point, size in zip(down(points), sizes, strict=False)]

    diameters = [layout.diameter(led) / 2 for led in range(leds)]
    bands = [layout.band(street.start - 0.5, street.stop - 0.5) for street in layout.streets]
    bands += [layout.band(STARTS[0] - 0.5, STARTS[-1] + 0.5), layout.band(layout.last - 0.5, layout.last + 0.5)]
    return {
        "size": (round(width, 2), round(height, 2)),
        "tracks": [holes(layout.holes(track), diameters) for track in range(tracks)],
        "starts": [holes(layout.start_holes(track), [start_mm] * len(STARTS)) for track in range(tracks)],
        "bands": [down(band) for band in bands],
        "streets": [_heights(down(band)) for band in bands[:-2]] if layout.description.shape.kind == "streets" else [],
        "skunk": [
            {"score": score, "line": down([spot.across(layout.half_mm), spot.across(-layout.half_mm)])}
            for score, spot in layout.skunk_lines.items()
        ],
        "texts": [
            {"at": down([_label(layout, hole - 1)])[0], "words": str(hole)}
            for hole in range(FIVE, layout.last + 1, FIVE)
        ],
    }


def _label(layout: Layout, led: int) -> Point:
    return layout.spot(led).across(layout.label_side(led) * (layout.half_mm + 4))


def _heights(points: list[Spot]) -> Spot:
    heights = [y for _, y in points]
    return min(heights), max(heights)
