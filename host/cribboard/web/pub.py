"""What screens show beside the tables: the pub's name and its checked logo, light, the chance to win, tonight."""

from __future__ import annotations

import json
import re
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypedDict
from xml.etree import ElementTree

from cribboard.errors import ArgumentError
from cribboard.files import from_json, opened, read_file, write_whole
from cribboard.names import check_line

ODDS = "kiosk-odds.json"
MOST_BYTES = 512 * 1024
MOST_PIXELS = 4096  # each way: a small file may hold a picture that fills the memory
PNG, JPEG = b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff"
SVG_TAGS = frozenset({"svg", "g", "defs", "symbol", "use", "title", "desc", "metadata", "style", "text", "tspan"})
SVG_TAGS |= {"path", "rect", "circle", "ellipse", "line", "polyline", "polygon", "pattern", "clipPath", "mask"}
SVG_TAGS |= {"linearGradient", "radialGradient", "stop"}
SVG_NAMESPACE = "{http://www.w3.org/2000/svg}"
NOTES = re.compile(  # of the program that it was drawn with; nothing shows them
    r"\{http://(www\.inkscape\.org|sodipodi\.sourceforge\.net|www\.w3\.org/1999/02/22-rdf|creativecommons\.org|purl\.org/dc)"
)
ELSEWHERE = re.compile(r"@import|\\|url\((?!\s*[\"']?#)|(javascript|data|https?|file):", re.IGNORECASE)
KINDS = "a logo is a PNG, a JPEG or an SVG without scripts"


@dataclass(frozen=True)
class Logo:
    """A picture that is safe to show, and its media type."""

    data: bytes
    kind: str


class WarningEntry(TypedDict):
    """What is wrong in the house, and what to do."""

    text: str
    hint: str


class PubEntry(TypedDict):
    """What screens show about the house; `logo` is the address of one."""

    name: str | None
    logo: str | None
    light: bool
    odds: bool
    notice: WarningEntry | None


@dataclass(frozen=True)
class Pub:
    """What the screens show about the house."""

    name: str = ""
    logo: Logo | None = None
    light: bool = False
    odds: bool = False

    def entry(self, notice: WarningEntry | None) -> PubEntry:
        return {
            "name": self.name or None,
            "logo": "/logo" if self.logo else None,
            "light": self.light,
            "odds": self.odds,
            "notice": notice,
        }


def kept_odds(folder: Path, otherwise: bool) -> bool:
    """Whether the screens show the chance to win: as staff have last chosen, before that as `otherwise` says."""
    try:
        chosen = from_json(read_file(folder / ODDS))
    except (OSError, ValueError, RecursionError):
        return otherwise
    return chosen if isinstance(chosen, bool) else otherwise


def keep_odds(folder: Path, shown: bool) -> None:
    """Keep what staff have chosen; raises CribboardError when it cannot be written."""
    write_whole(folder / ODDS, json.dumps(shown))


def pub_name(text: str) -> str:
    """The tidied name; raises ArgumentError for an invalid one."""
    return check_line("the pub's name", text)


def read_logo(path: Path) -> Logo:
    """Read a logo and check that it can do no harm; raises ArgumentError."""
    try:
        with opened(path) as file:
            data = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise ArgumentError(f"the logo {path} cannot be read ({error.strerror})", KINDS) from error
    if len(data) > MOST_BYTES:
        raise ArgumentError(f"the logo {path} has more than {MOST_BYTES // 1024} KB", "make it smaller")
    if data.startswith(PNG):
        size, kind = _png_size(data), "image/png"
    elif data.startswith(JPEG):
        size, kind = _jpeg_size(data), "image/jpeg"
    else:
        wrong = _wrong_in_svg(data)
        if wrong:
            raise ArgumentError(f"the logo {path} {wrong}", KINDS)
        return Logo(data, "image/svg+xml")
    if not 0 < min(size) <= max(size) <= MOST_PIXELS:
        raise ArgumentError(
            f"the logo {path} has {size[0]} x {size[1]} pixels", f"use one of 1 to {MOST_PIXELS} pixels each way"
        )
    return Logo(data, kind)


def _png_size(data: bytes) -> tuple[int, int]:
    return struct.unpack_from(">II", data, 16) if data[12:16] == b"IHDR" and len(data) > 24 else (0, 0)


def _jpeg_size(data: bytes) -> tuple[int, int]:
    """The size in the frame's header, which comes after other segments (ITU T.81, B.2.2)."""
    at = 2
    while at + 9 < len(data) and data[at] == 0xFF:
        marker, length = data[at + 1], int.from_bytes(data[at + 2 : at + 4], "big")
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            height, width = struct.unpack_from(">HH", data, at + 5)
            return width, height
        at += 2 + length
    return 0, 0


def _wrong_in_svg(data: bytes) -> str:
    """Why this is not an SVG that only draws; empty if it is one."""
    try:
        text = data.decode("utf-8")
        if "<!" in re.sub("<!--.*?-->", "", text, flags=re.DOTALL):  # entities grow without end
            return "has a document type or CDATA"
        root = ElementTree.fromstring(text)  # noqa: S314 (no entities are left)
    except (ValueError, ElementTree.ParseError):
        return "is neither a PNG, a JPEG nor an SVG in UTF-8"
    if root.tag != f"{SVG_NAMESPACE}svg":
        return f"is XML, but its root is {root.tag[:60]!r}"
    return next(_wrong_nodes(root), "")


def _wrong_nodes(root: ElementTree.Element) -> Iterator[str]:
    for node in root.iter():
        tag = str(node.tag)
        if NOTES.match(tag):
            continue
        if tag.removeprefix(SVG_NAMESPACE) not in SVG_TAGS:
            yield f"has the element {tag.rpartition('}')[2][:40]!r}"
        if ELSEWHERE.search(node.text or "") and tag.endswith("}style"):
            yield "has a style that loads something else"
        for name, value in node.attrib.items():
            plain = name.rpartition("}")[2].lower()
            if NOTES.match(name):
                continue
            if plain.startswith("on"):
                yield f"has the script {plain[:40]!r}"
            if plain == "href" and not value.strip().startswith("#"):
                yield f"refers to {value[:40]!r}"
            if ELSEWHERE.search(value):
                yield f"has {value[:40]!r}, which loads something else"
