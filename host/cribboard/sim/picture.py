"""A picture of the board as SVG, from the true bytes of its strips: each light as bright as it gets in one cycle.

The holes are where the description of the board has them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from pathlib import Path

from cribboard.files import write_file
from cribboard.hardware.drawing import Line, drawing
from cribboard.hardware.shape import Layout
from cribboard.sim.board import Strip, Tone, VirtualBoard
from cribboard.sim.described import alike, layout_of, settings_of
from cribboard.sim.draw import START_MS, Colour, read_match, score_lines, seen
from cribboard.sim.registry import SimError

PITCH = 20  # from a hole to the next
GROUND, ENGRAVED = "#1c1611", "#6b604f"
CYCLE_MS = 4_000  # what blinks does so within this time


def take_picture(path: Path, board: VirtualBoard) -> None:
    """Switch a stepped virtual board on and write what it shows to a file; raises SimError when it cannot."""
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
    tracks = [brightest(frames[pin]) for pin in settings.strip_pins if pin in frames]
    layout = layout_of(board, settings)
    title = "; ".join(score_lines(match)) if match else "a cribbage board"
    try:
        write_file(path, svg(tracks, settings.brightness, title, layout).encode())
    except OSError as error:
        raise SimError(f"{path} cannot be written: {error.strerror}") from error


def brightest(frames: Iterable[Sequence[Colour]]) -> list[Colour]:
    """Each light at its brightest over all these frames of one strip."""
    return [max(lights, key=sum) for lights in zip(*frames, strict=True)]


def svg(tracks: Sequence[Sequence[Colour]], brightness: int, title: str, layout: Layout | None = None) -> str:
    """The picture: each light where the board has its hole, the streets, the skunk lines and the numbers."""
    layout = Layout(alike(len(tracks), len(tracks[0]))) if layout is None else layout
    scale = PITCH / layout.description.shape.pitch_mm
    wide, high = layout.size

    floor = layout.panel_mm + layout.description.shape.margin_mm / 2  # the buttons are below, and may be above
    if layout.far_panel_mm:
        high -= layout.far_panel_mm + layout.description.shape.margin_mm / 2

    def at(x: float, y: float) -> tuple[float, float]:
        return round(x * scale, 1), round((high - y) * scale, 1)

    width, height = at(wide, floor)
    parts = []
    for piece in drawing(layout):
        if isinstance(piece, Line) and all(floor < y < high for _, y in piece.points):
            points = " ".join(f"{x:g},{y:g}" for x, y in (at(*point) for point in piece.points))
            parts.append(f'<polyline points="{points}"/>')
    engraved = [f'<g fill="none" stroke="{ENGRAVED}">', *parts, "</g>"]
    lights = [
        _hole(at(*place), pixel, 8 if led == layout.last else 6, brightness)
        for track, pixels in enumerate(tracks)
        for led, (place, pixel) in enumerate(zip(layout.holes(track), pixels, strict=True))
    ]
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" role="img">'
    ground = f'<rect width="{width:g}" height="{height:g}" rx="14" fill="{GROUND}"/>'
    said = f"<title>{escape(title)}</title>"
    return "\n".join([head, said, ground, *engraved, *lights, "</svg>", ""])


def _hole(at: tuple[float, float], colour: Colour, radius: int, brightness: int) -> str:
    where = f'cx="{at[0]:g}" cy="{at[1]:g}"'
    if not any(colour):
        return f'<circle {where} r="{radius - 3}" fill="#3a3027"/>'
    red, green, blue = seen(colour, brightness)
    return f'<circle {where} r="{radius}" fill="#{red:02x}{green:02x}{blue:02x}"/>'
