"""A picture of the board as SVG, from the true bytes of its strips: each light as bright as it gets in one cycle."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Sequence
from html import escape
from pathlib import Path

from cribboard.sim.board import Strip, Tone, VirtualBoard
from cribboard.sim.draw import FIVE, Colour, seen
from cribboard.sim.errors import SimError
from cribboard.sim.scores import read_match, score_lines
from cribboard.sim.terminal import settings_of

HOLES = 30  # in a row, as on a board of three streets and a finishing one
PITCH, GAP, MARGIN, LABEL = 20, 8, 24, 34
SETTLED_S = 1.0  # when the lights of the start are over
CYCLE_S = 2.1  # what blinks does so within this time


def take_picture(path: Path, board: VirtualBoard) -> None:
    """Switch a virtual board on and write what it shows to a file; raises SimError when it cannot."""
    frames: dict[str, list[list[Colour]]] = {}

    def watch(news: Strip | Tone) -> None:
        if isinstance(news, Strip):
            frames.setdefault(news.pin, []).append(news.pixels)

    pause = threading.Event()
    with board:
        settings, _ = settings_of(board)
        pause.wait(SETTLED_S)
        for strip in board.strips().values():
            watch(strip)
        board.subscribe(watch)
        pause.wait(CYCLE_S)
        match = read_match(bytes.fromhex(board.flash()["hex"]))
    tracks = [brightest(frames[pin]) for pin in settings.strip_pins if pin in frames]
    title = "; ".join(score_lines(match)) if match else "a cribbage board"
    try:
        path.write_text(svg(tracks, settings.brightness, title), encoding="utf-8")
    except OSError as error:
        raise SimError(f"{path} cannot be written: {error.strerror}") from error


def brightest(frames: Iterable[Sequence[Colour]]) -> list[Colour]:
    """Each light at its brightest over all these frames of one strip."""
    return [max(lights, key=sum) for lights in zip(*frames, strict=True)]


def svg(tracks: Sequence[Sequence[Colour]], brightness: int, title: str) -> str:
    """The picture: tracks below each other, thirty holes a row, streets of five apart, the game hole at the end."""
    width = 2 * MARGIN + LABEL + HOLES * PITCH + (HOLES // FIVE) * GAP + PITCH
    parts = []
    top = MARGIN
    for number, pixels in enumerate(tracks, 1):
        last = len(pixels) - 1
        parts.append(_text(MARGIN, top + 14, f"Track {number}", "start"))
        top += PITCH + 4
        for first in range(0, last, HOLES):
            parts.append(_text(MARGIN + LABEL - 14, top + 4, str(first + 1), "end"))
            row = range(first, min(first + HOLES, last))
            parts += [_hole(_x(led - first), top, pixels[led], 6, brightness) for led in row]
            if first + HOLES >= last:
                parts.append(_hole(_x(HOLES), top, pixels[last], 8, brightness))
            top += PITCH
        top += GAP
    height = top + MARGIN - GAP
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img">'
    ground = f'<rect width="{width}" height="{height}" rx="14" fill="#1c1611"/>'
    said = f"<title>{escape(title)}</title>"
    body = "\n".join(parts)
    return f"{head}\n{said}\n{ground}\n{body}\n</svg>\n"


def _x(at: int) -> int:
    return MARGIN + LABEL + at * PITCH + at // FIVE * GAP


def _hole(x: int, y: int, colour: Colour, radius: int, brightness: int) -> str:
    if not any(colour):
        return f'<circle cx="{x}" cy="{y}" r="{radius - 3}" fill="#3a3027"/>'
    red, green, blue = seen(colour, brightness)
    return f'<circle cx="{x}" cy="{y}" r="{radius}" fill="#{red:02x}{green:02x}{blue:02x}"/>'


def _text(x: int, y: int, text: str, anchor: str) -> str:
    style = f'font-family="sans-serif" font-size="12" fill="#a59a88" text-anchor="{anchor}"'
    return f'<text x="{x}" y="{y}" {style}>{escape(text)}</text>'
