"""The board: squares like `G7`, tiles on them, and which rows a play makes. Every refusal names its rule."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from cribboard.errors import ArgumentError
from cribboard.tiles.row import Row
from cribboard.tiles.tile import HAND, Tile, tiles_text
from cribboard_core.cards import quote

Square = tuple[int, int]  # column and line, from 0
SIZE = 13
ACROSS, DOWN = (1, 0), (0, 1)
WAYS = {"across": ACROSS, "down": DOWN}


def square_name(square: Square) -> str:
    """`G7`: the column's letter, the line's number."""
    return f"{chr(ord('A') + square[0])}{square[1] + 1}"


class Board:
    """Tiles on a square board; what is laid stays."""

    def __init__(self, size: int = SIZE) -> None:
        self.size = size
        self.tiles: dict[Square, Tile] = {}

    def parse_square(self, text: str) -> Square:
        """Read a square like `G7`."""
        found = re.fullmatch(r"([A-Za-z])([1-9][0-9]?)", text)
        square = (ord(found[1].upper()) - ord("A"), int(found[2]) - 1) if found else (-1, -1)
        if not self._has(square):
            last = square_name((self.size - 1, self.size - 1))
            raise ArgumentError(f"{quote(text)} is not a square", f"squares are A1 to {last}, like G7")
        return square

    def squares(self, start: Square, way: Square, tiles: Sequence[Tile]) -> dict[Square, Tile]:
        """Where tiles come to lie, from the first square on in a straight line; squares that are taken are passed."""
        if not 1 <= len(tiles) <= HAND:
            raise ArgumentError(f"{len(tiles)} tiles are laid", "a play is one to five tiles")
        if start in self.tiles:
            raise ArgumentError(
                f"{square_name(start)} already has the {self.tiles[start]}", "name the first empty square of the play"
            )
        placed: dict[Square, Tile] = {}
        at = start
        for tile in tiles:
            while at in self.tiles:
                at = _step(at, way)
            if not self._has(at):
                raise ArgumentError(
                    f"{tiles_text(tiles)} at {square_name(start)} ends beyond the board", "start elsewhere"
                )
            placed[at] = tile
            at = _step(at, way)
        return placed

    def rows(self, placed: Mapping[Square, Tile]) -> list[tuple[Square, Row]]:
        """The rows that a play makes or extends, with the squares where they begin; raises for the first bad one."""
        if not self.tiles and len(placed) < 2:
            raise ArgumentError("one tile is laid", "the first play is a row of two to five tiles")
        after = {**self.tiles, **placed}
        found: dict[tuple[Square, str], Row] = {}
        for square in placed:
            for name, way in WAYS.items():
                line = _line(after, square, way)
                if len(line) > 1 and (line[0], name) not in found:
                    found[line[0], name] = _row([after[on] for on in line], f"{square_name(line[0])} {name}")
        if self.tiles and not any(self._beside(square) for square in placed):
            raise ArgumentError(
                f"{tiles_text(placed.values())} at {square_name(next(iter(placed)))} touches no tile on the board",
                "every play after the first must join tiles that lie there",
            )
        return [(start, row) for (start, _), row in found.items()]

    def all_rows(self) -> list[tuple[Square, Square, list[Tile]]]:
        """All rows on the board: where they begin, which way they go, their tiles; those across first."""
        found = []
        for way in (ACROSS, DOWN):
            for square in sorted(self.tiles, key=lambda square: square[::-1]):
                if _step(square, way, -1) not in self.tiles and _step(square, way) in self.tiles:
                    found.append((square, way, [self.tiles[on] for on in _line(self.tiles, square, way)]))
        return found

    def drawing(self) -> list[str]:
        """The part of the board that has tiles, with the columns' letters and the lines' numbers."""
        if not self.tiles:
            return ["The board is empty."]
        columns = range(min(x for x, _ in self.tiles), max(x for x, _ in self.tiles) + 1)
        lines = range(min(y for _, y in self.tiles), max(y for _, y in self.tiles) + 1)
        drawn = ["   " + "".join(f"  {square_name((x, 0))[0]}" for x in columns)]
        drawn += [f"{y + 1:>3}" + "".join(f" {self.tiles.get((x, y), ' .')!s:>2}" for x in columns) for y in lines]
        return drawn

    def _has(self, square: Square) -> bool:
        return all(0 <= at < self.size for at in square)

    def _beside(self, square: Square) -> bool:
        return any(_step(square, way, by) in self.tiles for way in (ACROSS, DOWN) for by in (1, -1))


def _step(square: Square, way: Square, by: int = 1) -> Square:
    return square[0] + way[0] * by, square[1] + way[1] * by


def _row(tiles: Sequence[Tile], where: str) -> Row:
    try:
        return Row(tiles)
    except ArgumentError as error:
        raise ArgumentError(f"{where}: {error.message}", error.hint) from error


def _line(tiles: Mapping[Square, Tile], square: Square, way: Square) -> list[Square]:
    """The squares of the unbroken row through one."""
    while _step(square, way, -1) in tiles:
        square = _step(square, way, -1)
    found = [square]
    while _step(found[-1], way) in tiles:
        found.append(_step(found[-1], way))
    return found
