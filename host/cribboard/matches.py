"""Results of finished games, how they are written, and what they are worth: points by a scheme, standings, team nights.

ACC: a win 2, a skunk 3, no double; the order is game points, games won, net spread. The spread is the points that games
were won by less the points that games were lost by. It has no cap: a winner's score stops at the target anyway.
House: a win 1, a skunk 2, a double skunk 4. Legs, as UK pub leagues play: who wins more legs of a night has 2 points,
both have 1 when they are equal, and the league is ordered by points, then by the aggregate of legs.
"""

from __future__ import annotations

import csv
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import TypeVar

from cribboard.errors import ArgumentError
from cribboard.files import Entry
from cribboard.names import key
from cribboard_core.cards import quote
from cribboard_core.variants import MAX_PLAYERS, TARGETS, skunk_lines

LOST, SKUNKED, DOUBLE_SKUNKED = 1, 2, 3  # as the core's Match.skunked has it

LONGEST_NAME = 70  # three partners' names and what joins them
EXAMPLE = "write a result like: Ann 121 Bob 88"

WORTH = {"acc": (2, 3, 3), "house": (1, 2, 4)}  # a win, a skunk, a double skunk
NIGHT_WON, NIGHT_DRAWN = 2, 1  # leagues differ; this is the commonest

FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")  # the last are wide ones


@dataclass(frozen=True)
class Result:
    """One finished game. `skunk` and `double` are the first scores safe from a skunk and a double one, 0 for none.

    `teams` are the home and the away team when the game was a leg of their match: the first side plays for the first.
    `game` names the game, so that it counts once however often it is written; `when` is the time of that.
    """

    names: tuple[str, ...]
    scores: tuple[int, ...]
    target: int
    skunk: int
    double: int
    teams: tuple[str, ...] = ()
    game: str = ""
    when: str = field(default="", compare=False)

    def __post_init__(self) -> None:
        if not 2 <= len(self.names) <= MAX_PLAYERS or len(self.names) != len(self.scores):
            raise ArgumentError("a game has 2 to 6 sides, each with its score", EXAMPLE)
        for name in (*self.names, *self.teams):
            _check_name(name)
        for names in (self.names, self.teams):
            if len(set(map(key, names))) < len(names):
                raise ArgumentError(f"{quote(names[-1])} appears twice", "give everybody a different name")
        won = [name for name, score in zip(self.names, self.scores, strict=True) if score == self.target]
        if min(self.scores) < 0 or max(self.scores) > self.target or not won:
            raise ArgumentError(
                f"nobody has exactly {self.target}, the points that win this game", "the winner's score stops there"
            )
        if len(won) > 1:
            raise ArgumentError(f"{won[0]} and {won[1]} cannot both have {self.target}", "only one side wins")
        if self.teams and (len(self.names), len(self.teams)) != (2, 2):
            raise ArgumentError("a leg is between two sides", "home and away")

    @property
    def winner(self) -> int:
        """The index of the side that has won."""
        return self.scores.index(self.target)

    def lost(self, index: int) -> int:
        """How a side has lost: 0 it has not, else LOST, SKUNKED or DOUBLE_SKUNKED; each by itself."""
        if index == self.winner:
            return 0
        score = self.scores[index]
        return DOUBLE_SKUNKED if score < self.double else SKUNKED if score < self.skunk else LOST

    @property
    def grade(self) -> int:
        """What the win is: of several losers the one that did best decides."""
        return min(self.lost(index) for index in range(len(self.names)) if index != self.winner)


def cell(text: str) -> str:
    """The text so that no spreadsheet takes it for a formula."""
    return f"'{text}" if text.startswith(FORMULA) else text


def text_of(cell: str) -> str:
    """The text that `cell` made a cell of."""
    return cell[1:] if cell.startswith("'") and cell[1:].startswith(FORMULA) else cell


def of_line(line: str, teams: tuple[str, ...] = ()) -> Result:
    """Read names with their scores, as words or as comma-separated values; raises ArgumentError."""
    cells = read_cells(line)
    if any(map(is_number, cells)):
        names, numbers = cells[::2], cells[1::2]
        if len(names) != len(numbers) or any(map(is_number, names)) or not all(map(is_number, numbers)):
            raise ArgumentError(
                f"{quote(line)} does not have a score for every name",
                'write it like: "Lee, Ann",121,Bob,88 (a name with a comma is in quotes)',
            )
        return of_scores(names, list(map(int, numbers)), teams)
    names, scores, words = [], [], []
    for word in " ".join(cells).split():
        if not is_number(word):
            words.append(word)
            continue
        names.append(" ".join(words))
        scores.append(int(word))
        words = []
    if not scores:
        raise ArgumentError(f"{quote(line)} has no scores", EXAMPLE)
    if words or not all(names):
        raise ArgumentError(f"{quote(line)} does not have a score for every name", EXAMPLE)
    return of_scores(names, scores, teams)


def read_cells(line: str) -> list[str]:
    """The cells of a line that a spreadsheet has written, or pasted; one cell when there is no comma in it."""
    delimiter = next((mark for mark in "\t;" if mark in line), ",")
    try:
        cells = [cell.strip() for cell in next(csv.reader([line], delimiter=delimiter, skipinitialspace=True))]
    except csv.Error as error:
        raise ArgumentError(f"{quote(line)} cannot be read ({error})", EXAMPLE) from error
    while cells and not cells[-1]:
        cells.pop()
    return cells


def of_scores(names: list[str], scores: list[int], teams: tuple[str, ...] = ()) -> Result:
    """The result when only the scores are known: the highest one says what was played for."""
    target = max(scores)
    if target not in TARGETS:
        known = ", ".join(map(str, TARGETS))
        raise ArgumentError(f"nobody has won: the highest score is {target}", f"games are to {known}")
    return Result(tuple(map(_tidy, names)), tuple(scores), target, *skunk_lines(target), teams)


def of_entry(entry: Entry) -> Result:
    """Read a result from a JSON object; raises ArgumentError."""
    try:
        sides = [_side(side) for side in _list(entry["sides"])]
        names, scores = [name for name, _ in sides], [score for _, score in sides]
        teams = tuple(_tidy(_text(team)) for team in _list(entry.get("teams", [])))
        game, when = (_text(entry.get(name, "")) for name in ("game", "when"))
        if "target" not in entry:
            return replace(of_scores(names, scores, teams), game=game, when=when)
        target = _whole(entry["target"])
        lines = skunk_lines(target)
        skunk, double = _whole(entry.get("skunk", lines[0])), _whole(entry.get("double", lines[1]))
        return Result(tuple(map(_tidy, names)), tuple(scores), target, skunk, double, teams, game, when)
    except (KeyError, TypeError, ValueError) as error:
        raise ArgumentError(
            f"{quote(entry)} is not a result",
            'it is like {"sides":[{"name":"Ann","score":121},{"name":"Bob","score":88}],"target":121}',
        ) from error


def of_heading(line: str) -> tuple[str, ...]:
    """The home and the away team of a line like `Red Lion v Crown`; empty if the line is something else."""
    words = line.split()
    if line.startswith("{") or any(map(is_number, words)):
        return ()
    at = next((at for at, word in enumerate(words[1:-1], 1) if word.casefold() in ("v", "v.", "vs", "vs.")), 0)
    return (_tidy(" ".join(words[:at])), _tidy(" ".join(words[at + 1 :]))) if at else ()


def is_number(word: str) -> bool:
    """Whether a word can be a score."""
    return word.isascii() and word.isdecimal() and len(word) < 6


def _tidy(name: str) -> str:
    return " ".join(unicodedata.normalize("NFC", name).split())


def _check_name(name: str) -> None:
    if not name or not name.isprintable() or len(name) > LONGEST_NAME:
        raise ArgumentError(f"{quote(name)} is not a name", f"a name has 1 to {LONGEST_NAME} visible characters")


def _side(value: object) -> tuple[str, int]:
    if not isinstance(value, dict):
        raise TypeError(value)
    return _text(value["name"]), _whole(value["score"])


def _list(value: object) -> list[object]:
    if not isinstance(value, list):
        raise TypeError(value)
    return value


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(value)
    return value


def _whole(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError(value)
    return value


def read_line(entry: Entry) -> tuple[str, Result | None]:
    """What an object says of which game: None that it does not count."""
    if entry.get("void") is True:
        return str(entry.get("game", "")), None
    result = of_entry(entry)
    return result.game, result


def counting(lines: Iterable[tuple[str, Result | None]]) -> list[Result]:
    """Of lines as `read_line` gives them the last about each game, in the order in which the games were first won."""
    found = {game or number: result for number, (game, result) in enumerate(lines)}
    return [result for result in found.values() if result is not None]


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
LINE = "name,score,name,score"


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
            f"write it like: {LINE}",
        )
    return Columns(names, scores)


def _cell(cells: Sequence[str], column: int) -> str:
    return text_of(cells[column]) if column < len(cells) else ""
