"""Tiles: a rank and a shade, written like `5L` or `TD`; and how many of each there are."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from cribboard.errors import ArgumentError
from cribboard_core.cards import PIPS, RANKS, quote

SHADES = {"L": "light", "D": "dark"}
COPIES = 4  # of each rank and shade: two packs, 104 tiles
HAND = 5
SIX, NINE = 5, 8  # one tile, turned

_TILE = re.compile(r"(10|[A2-9TJQK])([LD]?)", re.IGNORECASE)


@dataclass(frozen=True)
class Tile:
    """`rank` is 0 to 12 for A to K, `shade` L or D, or nothing where it is not known."""

    rank: int
    shade: str = ""

    def __str__(self) -> str:
        return RANKS[self.rank] + self.shade

    @property
    def pips(self) -> int:
        """What it counts in a fifteen, and against its holder at the end."""
        return PIPS[self.rank]

    @property
    def sort(self) -> str:
        """What it is in the bag, where a nine is a six."""
        return f"{'6/9' if self.rank in (SIX, NINE) else RANKS[self.rank]} {SHADES.get(self.shade, '')}".rstrip()


def parse_tiles(text: str, shades: bool = True) -> list[Tile]:
    """Read tiles, with blanks or commas between them or nothing; with `shades` each must have one."""
    tiles: list[Tile] = []
    for word in text.replace(",", " ").split():
        at = 0
        while at < len(word):
            found = _TILE.match(word, at)
            if not found:
                raise ArgumentError(
                    f"{quote(word[at:])} is not a tile", "write a rank A 2-9 T J Q K and L or D, like 5L"
                )
            rank = found[1].upper().replace("10", "T")
            if shades and not found[2]:
                raise ArgumentError(
                    f"the {rank} has no shade", f"write {rank}L for a light one, {rank}D for a dark one"
                )
            tiles.append(Tile(RANKS.index(rank), found[2].upper()))
            at = found.end()
    return tiles


def tiles_text(tiles: Iterable[Tile]) -> str:
    """Their names with blanks between them."""
    return " ".join(map(str, tiles))


def check_supply(tiles: Iterable[Tile], copies: int) -> None:
    """Refuse more tiles of a sort than there are."""
    for sort, number in Counter(tile.sort for tile in tiles).items():
        most = copies * 2 if sort.startswith("6/9") else copies
        if number > most:
            raise ArgumentError(f"that makes {number} of {sort}", f"there are only {most}; look at the tiles again")
