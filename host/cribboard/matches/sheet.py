"""What results are worth: points by a scheme, the order of the standings, matches of several games, a team's sheet.

ACC: a win 2, a skunk 3, no double; the order is game points, games won, net spread. The spread is the points that games
were won by less the points that games were lost by. It has no cap: a winner's score stops at the target anyway.
House: a win 1, a skunk 2, a double skunk 4. Legs, as UK pub leagues play: who wins more legs of a night has 2 points,
both have 1 when they are equal, and the league is ordered by points, then by the aggregate of legs.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import TypeVar

from cribboard.cells import text_of
from cribboard.errors import ArgumentError
from cribboard.matches.results import SKUNKED, Result, is_number, of_scores
from cribboard.names import key
from cribboard_core.cards import quote

WORTH = {"acc": (2, 3, 3), "house": (1, 2, 4)}  # a win, a skunk, a double skunk
NIGHT_WON, NIGHT_DRAWN = 2, 1  # leagues differ; this is the commonest


@dataclass
class Standing:
    """What one side has from all of its games; those who are equal share a `place`."""

    name: str
    place: int = 0
    games: int = 0
    points: int = 0
    won: int = 0
    skunks: int = 0  # given, doubles among them
    spread: int = 0

    @property
    def rank(self) -> tuple[int, ...]:
        """The higher the better."""
        return self.points, self.won, self.spread


@dataclass
class TeamStanding:
    """What a team has from all of its nights."""

    name: str
    place: int = 0
    nights: int = 0
    won: int = 0
    drawn: int = 0
    lost: int = 0
    legs_won: int = 0
    legs_lost: int = 0
    points: int = 0

    @property
    def aggregate(self) -> int:
        """Legs won less legs lost."""
        return self.legs_won - self.legs_lost

    @property
    def rank(self) -> tuple[int, ...]:
        """The higher the better."""
        return self.points, self.aggregate, self.legs_won


@dataclass
class Series:
    """Games between the same two sides: a match of best of `best_of`, or with 0 the legs of one table."""

    sides: tuple[str, ...]
    best_of: int = 0
    wins: list[int] = field(default_factory=lambda: [0, 0])

    @property
    def needed(self) -> int:
        """Wins that decide it, 0 when nothing does."""
        return self.best_of // 2 + 1 if self.best_of else 0

    @property
    def winner(self) -> int:
        """The index of the side that has decided it, or -1."""
        return self.wins.index(self.needed) if self.needed and self.needed in self.wins else -1

    def told(self) -> str:
        """The state of the match in words, like `Ann leads Bob 1-0, best of 3; 2 wins decide.`"""
        first = int(self.wins[1] > self.wins[0])
        name, other = self.sides[first], self.sides[1 - first]
        score = f"{self.wins[first]}-{self.wins[1 - first]}"
        said = f"{name} {'beats' if self.winner >= 0 else 'leads'} {other} {score}"
        if self.wins[0] == self.wins[1]:
            said = f"{name} and {other} are level {score}"
        rest = "" if self.winner >= 0 else f"; {self.needed} wins decide"
        return f"{said}, best of {self.best_of}{rest}."


@dataclass
class Night:
    """A match of two teams, home and away: the legs of all its tables."""

    teams: tuple[str, ...]
    tables: list[Series]

    @property
    def legs(self) -> tuple[int, int]:
        """Legs won at home and away."""
        return sum(table.wins[0] for table in self.tables), sum(table.wins[1] for table in self.tables)

    @property
    def points(self) -> tuple[int, int]:
        """The points of the league."""
        home, away = self.legs
        if home == away:
            return NIGHT_DRAWN, NIGHT_DRAWN
        return (NIGHT_WON, 0) if home > away else (0, NIGHT_WON)


def standings(results: Iterable[Result], scheme: str) -> list[Standing]:
    """All sides, the best first. In a game of several the winner is paid by the loser that did best."""
    worth = WORTH[scheme]
    table: dict[str, Standing] = {}
    for result in results:
        for index, name in enumerate(result.names):
            row = table.setdefault(key(name), Standing(name))
            row.games += 1
            if index != result.winner:
                row.spread -= result.target - result.scores[index]
                continue
            row.won += 1
            row.points += worth[result.grade - 1]
            row.skunks += result.grade >= SKUNKED
            row.spread += sum(result.target - score for score in result.scores)
    return _placed(list(table.values()))


def series(results: Iterable[Result], best_of: int = 0) -> list[Series]:
    """The matches between every two sides, in the order in which they began; games after a decision begin a new one."""
    if best_of and best_of % 2 == 0:
        raise ArgumentError(f"a best-of-{best_of} match may never be decided", "use an odd number")
    found: list[Series] = []
    newest: dict[frozenset[str], Series] = {}
    for result in results:
        if len(result.names) != 2:
            raise ArgumentError(
                f"a match is between two sides, not {len(result.names)}: {', '.join(result.names)}",
                "leave out games with more sides",
            )
        pair = frozenset(map(key, result.names))
        last = newest.get(pair)
        if last is None or last.winner >= 0:
            newest[pair] = last = Series(result.names, best_of)
            found.append(last)
        last.wins[list(map(key, last.sides)).index(key(result.names[result.winner]))] += 1
    return found


def running(sides: tuple[str, ...], winners: Iterable[int], best_of: int) -> Series:
    """The match that is on between two sides, after games that these of them have won."""
    match = Series(sides, best_of)
    for winner in winners:
        if match.winner >= 0:
            match = Series(sides, best_of)
        match.wins[winner] += 1
    return match


def nights(results: Iterable[Result]) -> list[Night]:
    """The matches of teams: the legs under one heading; without one the legs of two sides, each its own team."""
    found = []
    for teams, legs in groupby(results, lambda result: result.teams):
        tables = series(legs)
        found += [Night(teams, tables)] if teams else [Night(table.sides, [table]) for table in tables]
    return found


def league(played: Iterable[Night]) -> list[TeamStanding]:
    """All teams, the best first."""
    table: dict[str, TeamStanding] = {}
    for night in played:
        for index, name in enumerate(night.teams):
            row = table.setdefault(key(name), TeamStanding(name))
            points = night.points[index]
            row.nights += 1
            row.points += points
            row.won += points == NIGHT_WON
            row.drawn += points == NIGHT_DRAWN
            row.lost += points == 0
            row.legs_won += night.legs[index]
            row.legs_lost += night.legs[1 - index]
    return _placed(list(table.values()))


Row = TypeVar("Row", Standing, TeamStanding)


def _placed(rows: list[Row]) -> list[Row]:
    rows.sort(key=lambda row: row.rank, reverse=True)
    for at, row in enumerate(rows):
        row.place = rows[at - 1].place if at and rows[at - 1].rank == row.rank else at + 1
    return rows


# Results in a table with a header: a name and a score for each side, or a line for each seat of a game.

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
