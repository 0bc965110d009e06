"""A row of tiles as a crib hand: its count, the count in words, and whether every tile takes part."""

from __future__ import annotations

from collections.abc import Sequence

from cribboard.errors import ArgumentError
from cribboard.tiles.tile import HAND, SHADES, Tile, tiles_text
from cribboard_core.aloud import number_word, sentence, shapes
from cribboard_core.show import Show, by_rank, runs, sets

ALIKE = "five alike"
ALIKE_POINTS = 20  # ten pairs; five cards of a rank are in no pack, so the core has no name for them
BONUS = 10


class Row:
    """A counted row. Raises ArgumentError with the rule that it breaks."""

    def __init__(self, tiles: Sequence[Tile]) -> None:
        self.tiles = tuple(tiles)
        text = tiles_text(tiles)
        if len(tiles) < 2:
            raise ArgumentError(f"{text or 'nothing'} is not a row", "a row has two to five tiles")
        if len(tiles) > HAND:
            raise ArgumentError(f"{text} is a row of {len(tiles)} tiles", "no row may have more than five")
        self._show = self._counted()
        scoring = {card >> 2 for _, _, cards in self._show.parts for card in cards}
        idle = [tile for tile in tiles if tile.rank not in scoring]
        if idle:
            which = "no tile takes" if len(idle) == len(tiles) else f"the {idle[0]} does not take"
            raise ArgumentError(
                f"in the row {text} {which} part in any fifteen, pair or run", "every tile of a row must score"
            )

    @property
    def points(self) -> int:
        """What it counts, without a bonus."""
        return self._show.points

    @property
    def bonus(self) -> int:
        """Ten for five tiles of one shade."""
        shades = {tile.shade for tile in self.tiles}
        return BONUS if len(self.tiles) == HAND and len(shades) == 1 and shades <= set(SHADES) else 0

    @property
    def aloud(self) -> str:
        """The count in words, like `fifteen two, and a pair for four`."""
        if self._show.parts[-1][0] != ALIKE:
            return sentence(self._show)
        said = [f"fifteen {number_word(2 * number)}" for number in range(1, len(self._show.parts))]
        return ", ".join([*said, f"{'and ' if said else ''}{ALIKE} for {number_word(self.points)}"])

    @property
    def parts(self) -> list[tuple[str, int, str]]:
        """What it is made of: name, points, tiles."""
        if self._show.parts[-1][0] == ALIKE:
            return [(name, points, self._text(cards)) for name, points, cards in self._show.parts]
        return [(name, points, self._text(cards)) for name, points, cards in shapes(self._show)]

    def entry(self) -> dict[str, object]:
        """As an object for JSON."""
        parts = [{"kind": name, "points": points, "tiles": text.split()} for name, points, text in self.parts]
        own = {"tiles": [str(tile) for tile in self.tiles], "points": self.points, "bonus": self.bonus}
        return {**own, "parts": parts, "aloud": self.aloud}

    def _counted(self) -> Show:
        """Counted by the core, for which tiles are cards whose suit is how many of the rank came before."""
        self._cards: dict[int, Tile] = {}
        cards: list[int] = []
        for tile in sorted(self.tiles, key=lambda tile: tile.rank):
            before = sum(card >> 2 == tile.rank for card in cards)
            cards.append(tile.rank * 4 + min(before, 3))
            self._cards[cards[-1]] = tile
        groups = by_rank(cards)
        alike = len(groups[0]) == HAND
        same = [(ALIKE, ALIKE_POINTS, tuple(cards))] if alike else sets(groups)
        return Show(tuple(cards), -1, False, cards, [same, runs(groups), [], []])

    def _text(self, cards: Sequence[int]) -> str:
        return tiles_text(self._cards[card] for card in cards)
