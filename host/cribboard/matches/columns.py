"""Results in a table with a header: a name and a score for each side, or a line for each seat of a game."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from cribboard.cells import text_of
from cribboard.errors import ArgumentError
from cribboard.matches.result import Result, is_number, of_scores
from cribboard_core.cards import quote

NAMES = ("name", "player", "side", "team", "home", "away", "visitor", "winner", "loser", "opponent")
SCORES = ("score", "points", "pts")
SEAT = ("game", "state", "side", "name", "score")  # of the history's table
EXAMPLE = "name,score,name,score"


@dataclass(frozen=True)
class Seat:
    """A row of the history's table: who sat for a side in a game, and the side's score."""

    game: str
    state: str
    side: str
    name: str
    score: int


@dataclass(frozen=True)
class Columns:
    """Where a table has names and scores; `seat` are those of SEAT in a table with a line for each seat."""

    names: tuple[int, ...] = ()
    scores: tuple[int, ...] = ()
    seat: tuple[int, ...] = ()

    def result_of(self, cells: Sequence[str], teams: tuple[str, ...] = ()) -> Result:
        """The game that a row is; raises ArgumentError."""
        columns = zip(self.names, self.scores, strict=True)
        pairs = [(_cell(cells, name), _cell(cells, score)) for name, score in columns]
        given = [(name, score) for name, score in pairs if name or score]
        if len(given) < 2 or not all(name and is_number(score) for name, score in given):
            raise ArgumentError(
                f"{quote(','.join(cells))} does not have a score for every name", "fill in the empty cells"
            )
        return of_scores([name for name, _ in given], [int(score) for _, score in given], teams)

    def seat_of(self, cells: Sequence[str]) -> Seat:
        """The seat that a row is; raises ArgumentError."""
        game, state, side, name, score = (_cell(cells, column) for column in self.seat)
        if not is_number(score):
            raise ArgumentError(f"{quote(score)} is not a score", "it is a whole number")
        return Seat(game, state, side, name, int(score))


def of_header(cells: Sequence[str]) -> Columns | None:
    """The columns that a header line names; None if the line is no header. Raises ArgumentError if it names too few."""
    heads = [cell.casefold() for cell in cells]
    if len(heads) < 2 or any(map(is_number, heads)):
        return None
    if set(SEAT) <= set(heads):
        return Columns(seat=tuple(map(heads.index, SEAT)))
    scores = tuple(at for at, head in enumerate(heads) if any(word in head for word in SCORES))
    names = tuple(at for at, head in enumerate(heads) if at not in scores and head.startswith(NAMES))
    if not scores:
        return None
    if len(scores) < 2 or len(scores) != len(names):
        raise ArgumentError(
            f"the header {quote(','.join(cells))} does not have a name and a score for each side",
            f"write it like: {EXAMPLE}",
        )
    return Columns(names, scores)


def _cell(cells: Sequence[str], column: int) -> str:
    return text_of(cells[column]) if column < len(cells) else ""
