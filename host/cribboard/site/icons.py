"""Icons and the preview of a link as PNG, painted from the project's own drawings of round lights; and the manifest."""

from __future__ import annotations

import json
import math
import re
import struct
import zlib
from collections.abc import Iterable
from dataclasses import dataclass, replace

CIRCLE = re.compile(r'<circle cx="([\d.]+)" cy="([\d.]+)" r="([\d.]+)"(?: fill="(#[0-9a-f]{6})")?/>')
GROUP = re.compile(r'<g fill="(#[0-9a-f]{6})">(.*?)</g>', re.DOTALL)
BOX = re.compile(r'viewBox="0 0 ([\d.]+) ([\d.]+)"')
GROUND = re.compile(r'<rect [^>]*fill="(#[0-9a-f]{6})"')
ICONS = {"icon-192.png": 192, "icon-512.png": 512}
MASKED = 0.8  # of an icon's width is inside of every shape that a phone cuts it to
DESCRIPTION = "A cribbage board of light: play on it in your browser."
PREVIEW = (1200, 630)
THEME = {"dark": "#0b0e12", "light": "#f6f0e4"}  # the grounds of base.css and light.css


@dataclass(frozen=True)
class Light:
    """A round light of a drawing."""

    x: float
    y: float
    radius: float
    colour: str


@dataclass(frozen=True)
class Drawing:
    """The lights of an SVG on their ground."""

    width: float
    height: float
    ground: str
    lights: tuple[Light, ...]

    @classmethod
    def read(cls, svg: str) -> Drawing:
        """From the file, as far as it is a ground and circles."""
        [(width, height)], [ground, *_] = BOX.findall(svg), GROUND.findall(svg)
        grouped = [(fill, circle) for fill, inside in GROUP.findall(svg) for circle in CIRCLE.findall(inside)]
        single = [(circle[3], circle) for circle in CIRCLE.findall(GROUP.sub("", svg))]
        lights = [Light(float(x), float(y), float(r), fill) for fill, (x, y, r, _) in (*grouped, *single)]
        return cls(float(width), float(height), ground, tuple(lights))

    def fitted(self, width: int, height: int, share: float = 1.0) -> Drawing:
        """The drawing in the middle of a picture of this size, on as much of it as `share` says."""
        scale = share * min(width / self.width, height / self.height)
        left, top = (width - self.width * scale) / 2, (height - self.height * scale) / 2
        lights = [
            replace(light, x=left + light.x * scale, y=top + light.y * scale, radius=light.radius * scale)
            for light in self.lights
        ]
        return Drawing(width, height, self.ground, tuple(lights))

    def png(self) -> bytes:
        """The picture, its edges softened over one pixel."""
        width, height = int(self.width), int(self.height)
        rows = [bytearray(_rgb(self.ground) * width) for _ in range(height)]
        for light in self.lights:
            reach = light.radius + 1
            colour = _rgb(light.colour)
            for y in range(max(0, int(light.y - reach)), min(height, math.ceil(light.y + reach))):
                for x in range(max(0, int(light.x - reach)), min(width, math.ceil(light.x + reach))):
                    covered = light.radius + 0.5 - math.dist((x + 0.5, y + 0.5), (light.x, light.y))
                    if covered > 0:
                        _mix(rows[y], 3 * x, colour, min(1.0, covered))
        return _png(width, height, rows)


def icons(icon: str, board: str) -> dict[str, bytes]:
    """By their names the icons, from the drawing of one, and the preview, from that of a board."""
    drawn = Drawing.read(icon)
    files = {name: drawn.fitted(size, size).png() for name, size in ICONS.items()}
    files["icon-masked.png"] = drawn.fitted(512, 512, MASKED).png()
    files["preview.png"] = Drawing.read(board).fitted(*PREVIEW, 0.94).png()
    return files


def manifest() -> bytes:
    """What a phone needs to put the pages beside its programs."""
    png = {"type": "image/png"}
    content = {
        "name": "cribboard",
        "short_name": "cribboard",
        "description": DESCRIPTION,
        "start_url": "./",
        "display": "standalone",
        "theme_color": THEME["dark"],
        "background_color": THEME["dark"],
        "icons": [
            {"src": "static/icon.svg", "sizes": "any", "type": "image/svg+xml"},
            *({"src": name, "sizes": f"{size}x{size}", **png} for name, size in ICONS.items()),
            {"src": "icon-masked.png", "sizes": "512x512", "purpose": "maskable", **png},
        ],
    }
    return json.dumps(content, indent=1).encode()


def head(title: str, published: str) -> str:
    """What a page says to phones and, where it is published, to whom its link is sent."""
    lines = [
        '<link rel="manifest" href="manifest.webmanifest">',
        '<link rel="apple-touch-icon" href="icon-192.png">',
        *(
            f'<meta name="theme-color" content="{colour}" media="(prefers-color-scheme: {scheme})">'
            for scheme, colour in THEME.items()
        ),
        f'<meta property="og:title" content="{title}">',
        f'<meta property="og:description" content="{DESCRIPTION}">',
    ]
    if published:
        lines.append(f'<meta property="og:image" content="{published}preview.png">')
    return "".join(f"  {line}\n" for line in lines)


def _rgb(colour: str) -> bytes:
    return bytes.fromhex(colour[1:])


def _mix(row: bytearray, at: int, colour: Iterable[int], share: float) -> None:
    for channel, value in enumerate(colour, at):
        row[channel] += round((value - row[channel]) * share)


def _png(width: int, height: int, rows: Iterable[bytearray]) -> bytes:
    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)  # eight bits of red, green and blue
    pixels = zlib.compress(b"".join(b"\0" + row for row in rows), 9)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", pixels) + chunk(b"IEND", b"")
