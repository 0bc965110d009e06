"""Results of finished games, how they are written, and matches of several.

The spread is the points that games were won by less the points that games were lost by. It has no cap: a winner's score
stops at the target anyway. What people play by is in `cribboard.league`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby

from cribboard.errors import ArgumentError
from cribboard.files import Entry
from cribboard.json_types import Json
from cribboard.names import compose, key
from cribboard.typed import DAMAGE, WORD, as_field, as_list_of, as_object, as_string, as_whole, placed
from cribboard_core.cards import quote
from cribboard_core.variants import MAX_PLAYERS, TARGETS, skunk_lines

LOST, SKUNKED, DOUBLE_SKUNKED = 1, 2, 3  # as the core's Match.skunked has it

LONGEST_NAME = 70  # three partners' names and what joins them
EXAMPLE = "write a result like: Ann 121 Bob 88"

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
    round: int = 0  # of an evening, if that is said

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


def of_scores(names: Sequence[str], scores: Sequence[int], teams: tuple[str, ...] = (), target: int = 0) -> Result:
    """The result when only the scores are known: without a target, the highest score is it; raises ArgumentError."""
    best = max(scores)
    if best != target if target else best not in TARGETS:
        known = f"this game is to {target}" if target else f"games are to {', '.join(map(str, TARGETS))}"
        raise ArgumentError(f"nobody has won: the highest score is {best}", known)
    return Result(tuple(map(tidy, names)), tuple(scores), best, *skunk_lines(best), teams)


def of_entry(entry: object) -> Result:
    """Read a result from a JSON object; raises ArgumentError."""
    try:
        return _result(as_object(entry))
    except ArgumentError:
        raise
    except DAMAGE as error:
        raise ArgumentError(
            f"{quote(entry)} is not a result ({placed(error)})",
            'it is like {"sides":[{"name":"Ann","score":121},{"name":"Bob","score":88}],"target":121}',
        ) from error


def _result(entry: Entry) -> Result:
    sides = as_field(entry, "sides", lambda value: as_list_of("side", value, _side))
    names, scores = [name for name, _ in sides], [score for _, score in sides]
    given = {"teams": [], "game": "", "when": "", "round": 0, **entry}
    teams = tuple(map(tidy, as_field(given, "teams", lambda value: as_list_of("team", value, as_string))))
    game, when = as_field(given, "game", as_string), as_field(given, "when", as_string)
    number = as_field(given, "round", as_whole, WORD)
    if "target" not in entry:
        return replace(of_scores(names, scores, teams), game=game, when=when, round=number)
    target = as_field(entry, "target", as_whole, max(TARGETS))
    lines = dict(zip(("skunk", "double"), skunk_lines(target), strict=True))
    skunk, double = (as_field({**lines, **entry}, line, as_whole, WORD) for line in lines)
    return Result(tuple(map(tidy, names)), tuple(scores), target, skunk, double, teams, game, when, number)


def _side(value: Json) -> tuple[str, int]:
    side = as_object(value)
    return as_field(side, "name", as_string), as_field(side, "score", as_whole, max(TARGETS))


def tidy(name: str) -> str:
    """The name with one blank between its words."""
    return " ".join(compose(name).split())


def _check_name(name: str) -> None:
    if not name or not name.isprintable() or len(name) > LONGEST_NAME:
        raise ArgumentError(f"{quote(name)} is not a name", f"a name has 1 to {LONGEST_NAME} visible characters")


def read_line(entry: object) -> tuple[str, Result | None]:
    """What an object says of which game: None that it does not count."""
    if isinstance(entry, dict) and entry.get("void") is True:
        return str(entry.get("game", "")), None
    result = of_entry(entry)
    return result.game, result


def counting(lines: Iterable[tuple[str, Result | None]]) -> list[Result]:
    """Of lines as `read_line` gives them the last about each game, in the order in which the games were first won."""
    newest = {game or number: result for number, (game, result) in enumerate(lines)}
    return [result for result in newest.values() if result is not None]


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

    def summary(self) -> str:
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


def series(results: Iterable[Result], best_of: int = 0) -> list[Series]:
    """The matches between every two sides, in the order in which they began; games after a decision begin a new one."""
    if best_of and best_of % 2 == 0:
        raise ArgumentError(f"a best-of-{best_of} match may never be decided", "use an odd number")
    matches: list[Series] = []
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
            matches.append(last)
        last.wins[list(map(key, last.sides)).index(key(result.names[result.winner]))] += 1
    return matches


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
    evenings = []
    for teams, legs in groupby(results, lambda result: result.teams):
        tables = series(legs)
        evenings += [Night(teams, tables)] if teams else [Night(table.sides, [table]) for table in tables]
    return evenings
