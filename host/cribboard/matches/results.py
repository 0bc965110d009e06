"""The result of one finished game, and the ways in which it is written: `Ann 121 Bob 88`, or an object for JSON."""

from __future__ import annotations

import csv
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from cribboard.errors import ArgumentError
from cribboard.files import Entry
from cribboard.names import key
from cribboard_core.cards import quote
from cribboard_core.variants import MAX_PLAYERS, TARGETS, skunk_lines

LOST, SKUNKED, DOUBLE_SKUNKED = 1, 2, 3  # as the core's Match.skunked has it

LONGEST_NAME = 70  # three partners' names and what joins them
EXAMPLE = "write a result like: Ann 121 Bob 88"


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
    """The home and the away team of a line like `Red Lion v Crown`; empty when it is none."""
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
