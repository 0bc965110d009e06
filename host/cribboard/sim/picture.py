"""A picture of the board as SVG, from the true bytes of its strips: each light as bright as it gets in one cycle.

The holes are where the description of the board has them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import TypeVar

from cribboard.files import write_file
from cribboard.hardware.drawing import Polyline, drawing
from cribboard.hardware.shape import Layout
from cribboard.sim.board import Strip, Tone, VirtualBoard
from cribboard.sim.described import alike, layout_of, settings_of
from cribboard.sim.draw import Colour, seen
from cribboard.sim.mirror import START_MS
from cribboard.sim.registry import SimError
from cribboard.sim.scores import read_match, score_lines
from cribboard_core.match import Match
from cribboard_fw.settings import Settings

PITCH = 20  # from a hole to the next
GROUND, ENGRAVED = "#1c1611", "#6b604f"
CYCLE_MS = 4_000  # what blinks does so within this time
SHOT_S = 0.9  # of a film
LAST_SHOTS = 6  # so much longer is the last one
WORDS = 30  # the room for them

Value = TypeVar("Value")


def take_picture(path: Path, board: VirtualBoard) -> None:
    """Switch a stepped virtual board on and write what it shows to a file; raises SimError when it cannot."""
    tracks, settings, match = shown(board)
    layout = layout_of(board, settings)
    title = "; ".join(score_lines(match)) if match else "a cribbage board"
    try:
        write_file(path, svg(tracks, settings.brightness, title, layout).encode())
    except OSError as error:
        raise SimError(f"{path} cannot be written: {error.strerror}") from error


def shown(board: VirtualBoard) -> tuple[list[list[Colour]], Settings, Match | None]:
    """Switch a stepped virtual board on: each track's lights at their brightest, its settings and its match."""
    frames: dict[str, list[list[Colour]]] = {}

    def watch(news: Strip | Tone) -> None:
        if isinstance(news, Strip):
            frames.setdefault(news.pin, []).append(news.pixels)

    with board:
        settings, _ = settings_of(board)
        board.pass_time(START_MS)
        board.subscribe(watch)
        board.pass_time(CYCLE_MS)
        for strip in board.strips().values():  # is answered when all frames until now have been heard
            watch(strip)
        match = read_match(bytes.fromhex(board.flash()["hex"]))
    return [brightest(frames[pin]) for pin in settings.strip_pins if pin in frames], settings, match


def brightest(frames: Iterable[Sequence[Colour]]) -> list[Colour]:
    """Each light at its brightest over all these frames of one strip."""
    return [max(lights, key=sum) for lights in zip(*frames, strict=True)]


def svg(tracks: Sequence[Sequence[Colour]], brightness: int, title: str, layout: Layout | None = None) -> str:
    """The picture: each light where the board has its hole, the streets, the skunk lines and the numbers."""
    ground = _Ground(layout or Layout(alike(len(tracks), len(tracks[0]))))
    lights = [
        _hole(where, radius, seen(pixel, brightness) if any(pixel) else None)
        for where, radius, pixel in zip(
            *ground.holes(len(tracks)), (pixel for track in tracks for pixel in track), strict=True
        )
    ]
    return "\n".join([*ground.head(title), *lights, "</svg>", ""])


@dataclass(frozen=True)
class Shot:
    """What a film shows for a moment: the lights of each track, and the words below them."""

    tracks: Sequence[Sequence[Colour]]
    words: str


def film(shots: Sequence[Shot], brightness: int, title: str) -> str:
    """The picture that moves, without a script: each light takes its colours by turns of SHOT_S; the last shot stays.

    Who has asked for less motion sees the last shot alone.
    """
    ground = _Ground(Layout(alike(len(shots[0].tracks), len(shots[0].tracks[0]))), words=True)
    turns = len(shots) + LAST_SHOTS
    kinds: dict[str, str] = {}
    lights = []
    pixels = zip(*([pixel for track in shot.tracks for pixel in track] for shot in shots), strict=True)
    for where, radius, colours in zip(*ground.holes(len(shots[0].tracks)), pixels, strict=True):
        last = seen(colours[-1], brightness) if any(colours[-1]) else None
        if len(set(colours)) == 1:
            lights.append(_hole(where, radius, last))
            continue
        lights.append(_hole(where, radius, None))
        keys = [(at, _fill(seen(colour, brightness)) if any(colour) else "#0000") for at, colour in _changes(colours)]
        kind = kinds.setdefault(_keyframes(keys, "fill", turns), f"l{len(kinds)}")
        lights.append(f'<circle class="{kind}" {where} r="{radius}" fill="{_fill(last) if last else "#0000"}"/>')
    said = []
    for at, words in _changes([shot.words for shot in shots]):
        until = next((later for later, _ in _changes([shot.words for shot in shots]) if later > at), turns)
        keys = [(0, "0"), (at, "1"), (until, "0")] if at else [(0, "1"), (until, "0")]
        kind = kinds.setdefault(_keyframes([key for key in keys if key[0] < turns], "opacity", turns), f"l{len(kinds)}")
        said.append(f'<text class="{kind}" {ground.below} opacity="{int(until == turns)}">{escape(words)}</text>')
    rules = [f"@keyframes {kind}{{{keys}}}.{kind}{{animation-name:{kind}}}" for keys, kind in kinds.items()]
    style = [
        "<style>",
        f"circle,text{{animation:{turns * SHOT_S:g}s step-end infinite}}",
        "text{font:16px sans-serif;fill:#e8dcc4;text-anchor:middle}",
        *rules,
        "@media(prefers-reduced-motion:reduce){circle,text{animation:none}}",
        "</style>",
    ]
    return "\n".join([*ground.head(title), *style, *lights, *said, "</svg>", ""])


def _changes(values: Sequence[Value]) -> list[tuple[int, Value]]:
    """When there is another value, and which."""
    return [(at, value) for at, value in enumerate(values) if not at or value != values[at - 1]]


def _keyframes(keys: Iterable[tuple[int, str]], what: str, turns: int) -> str:
    return "".join(f"{at / turns:.2%}{{{what}:{value}}}" for at, value in keys)


def _fill(colour: Colour) -> str:
    red, green, blue = colour
    return f"#{red:02x}{green:02x}{blue:02x}"


def _hole(where: str, radius: int, colour: Colour | None) -> str:
    if colour is None:
        return f'<circle {where} r="{radius - 3}" fill="#3a3027"/>'
    return f'<circle {where} r="{radius}" fill="{_fill(colour)}"/>'


class _Ground:
    """All of a picture but its light."""

    def __init__(self, layout: Layout, *, words: bool = False) -> None:
        margin = layout.description.shape.margin_mm / 2  # the buttons are below, and may be above
        self._layout = layout
        self._scale = PITCH / layout.description.shape.pitch_mm
        self._floor = layout.panel_mm + margin
        self._high = layout.size[1] - (layout.far_panel_mm + margin if layout.far_panel_mm else 0)
        self._width, self._height = self._at(layout.size[0], self._floor)
        self.below = f'x="{self._width / 2:g}" y="{self._height + 16:g}"'  # the words
        self._height += WORDS * words

    def head(self, title: str) -> list[str]:
        """The lines with which the picture begins, and what is engraved."""
        parts = []
        for piece in drawing(self._layout):
            if isinstance(piece, Polyline) and all(self._floor < y < self._high for _, y in piece.points):
                points = " ".join(f"{x:g},{y:g}" for x, y in (self._at(*point) for point in piece.points))
                parts.append(f'<polyline points="{points}"/>')
        size = f"{self._width:g} {self._height:g}".split()
        return [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {" ".join(size)}" role="img">',
            f"<title>{escape(title)}</title>",
            f'<rect width="{size[0]}" height="{size[1]}" rx="14" fill="{GROUND}"/>',
            f'<g fill="none" stroke="{ENGRAVED}">',
            *parts,
            "</g>",
        ]

    def holes(self, tracks: int) -> tuple[list[str], list[int]]:
        """Where each light of these tracks is, and the radius of its light."""
        layout = self._layout
        places = [self._at(*place) for track in range(tracks) for place in layout.holes(track)]
        radii = [8 if led % (layout.last + 1) == layout.last else 6 for led in range(len(places))]
        return [f'cx="{x:g}" cy="{y:g}"' for x, y in places], radii

    def _at(self, x: float, y: float) -> tuple[float, float]:
        return round(x * self._scale, 1), round((self._high - y) * self._scale, 1)
