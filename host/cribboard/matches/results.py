"""The results of finished games: one game's result, how it is written, and the record of them on this host."""

from __future__ import annotations

import csv
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from cribboard.errors import ArgumentError
from cribboard.files import Entry, append_line, home, read_lines
from cribboard.names import Names, key
from cribboard_core.cards import quote
from cribboard_core.match import Match
from cribboard_core.variants import MAX_PLAYERS, TARGETS, skunk_lines

# The result of one finished game, and the ways in which it is written: `Ann 121 Bob 88`, or an object for JSON.

LOST, SKUNKED, DOUBLE_SKUNKED = 1, 2, 3  # as the core's Match.skunked has it

LONGEST_NAME = 70  # three partners' names and what joins them
EXAMPLE = "write a result like: Ann 121 Bob 88"


@dataclass(frozen=True)
class Result:
    """One finished game. `skunk` and `double` are the first scores safe from a skunk and a double one, 0 for none.

    `teams` are the home and the away team when the game was a leg of their match: the first side plays for the first.
    `game` names the game, so that it counts once however often it is recorded; `when` is the time of the record.
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

    def entry(self) -> dict[str, object]:
        """As an object for JSON."""
        sides = [{"name": name, "score": score} for name, score in zip(self.names, self.scores, strict=True)]
        more = {"teams": list(self.teams), "game": self.game, "when": self.when}
        lines = {"target": self.target, "skunk": self.skunk, "double": self.double}
        return {"sides": sides, **lines, **{name: value for name, value in more.items() if value}}


def of_match(match: Match, names: Names, game: str = "") -> Result:
    """The result of a match whose game is won."""
    sides = match.sides
    return Result(
        tuple(names.first(side) for side in sides),
        tuple(match.front(side) for side in sides),
        match.target,
        match.skunk,
        match.double,
        game=game,
    )


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


def of_entry(entry: Any) -> Result:
    """Read a result from a JSON object; raises ArgumentError."""
    try:
        names = [_text(side["name"]) for side in entry["sides"]]
        scores = [_whole(side["score"]) for side in entry["sides"]]
        teams = tuple(_tidy(_text(team)) for team in entry.get("teams", ()))
        if "target" not in entry:
            return of_scores(names, scores, teams)
        target = _whole(entry["target"])
        lines = skunk_lines(target)
        skunk, double = _whole(entry.get("skunk", lines[0])), _whole(entry.get("double", lines[1]))
        more = {name: _text(entry.get(name, "")) for name in ("game", "when")}
        return Result(tuple(map(_tidy, names)), tuple(scores), target, skunk, double, teams, **more)
    except (KeyError, TypeError, AttributeError, ValueError) as error:
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


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(value)
    return value


def _whole(value: Any) -> int:
    if type(value) is not int:
        raise TypeError(value)
    return value


# The record of finished games on this host: a file of JSON lines, of which the last about a game counts.


def results_file() -> Path:
    """Where they are."""
    return home() / "results.jsonl"


def game_id(uid: str, epoch: int, game: int) -> str:
    """What names one game of one board: the board, its journal, the event that began the game."""
    return f"{uid}:{epoch}:{game}"


def record(result: Result, *, anew: bool = True) -> None:
    """Write a finished game down; nothing is written when its last line says so already.

    Without `anew` any line about this game will do, also that it does not count.
    """
    said = _last(result.game)
    if said is None or (anew and (said.get("void") or of_entry(said) != result)):
        when = datetime.now(UTC).isoformat(timespec="seconds")
        append_line(results_file(), replace(result, when=when).entry())


def withdraw(game: str) -> None:
    """Write down that a game does not count: it was not won after all, or it was none of the table's own."""
    said = _last(game)
    if said is None or not said.get("void"):
        append_line(results_file(), {"game": game, "void": True})


def recorded() -> list[Result]:
    """The games that count."""
    lines = []
    for number, entry in read_lines(results_file()):
        try:
            lines.append(read_line(entry))
        except ArgumentError as error:
            raise ArgumentError(f"{results_file()}, line {number}: {error.message}", error.hint) from error
    return counting(lines)


def read_line(entry: Entry) -> tuple[str, Result | None]:
    """What a line of the record says of which game: None that it does not count."""
    if entry.get("void") is True:
        return str(entry.get("game", "")), None
    result = of_entry(entry)
    return result.game, result


def counting(lines: Iterable[tuple[str, Result | None]]) -> list[Result]:
    """Of lines as `read_line` gives them the last about each game, in the order in which the games were first won."""
    found = {game or number: result for number, (game, result) in enumerate(lines)}
    return [result for result in found.values() if result is not None]


def _last(game: str) -> Entry | None:
    lines = read_lines(results_file()) if game else []
    return next((entry for _, entry in reversed(lines) if entry.get("game") == game), None)


# Keeps the record of results in step with one board's match: a win is written down, a win taken back is withdrawn.


class Keeper:
    """Follows the match of the board `uid`, whose journal is `epoch`."""

    def __init__(self, uid: str, epoch: int) -> None:
        self._board = uid, epoch
        self._won = ""  # the game that was won when last looked at

    def found(self, match: Match, names: Names, last: Callable[[], Sequence[Any] | None]) -> None:
        """Take the match as it is met; `last` is the event that undo would take back.

        A game that the buttons have won since is written down. Where undo would take nothing back the game stands
        restored: it was won before, under the number that it had in the journal that was lost.
        """
        if match.winner >= 0:
            self._won = self._game(match)
            if last() is not None:
                record(of_match(match, names, self._won), anew=False)

    def now(self, match: Match, names: Names) -> None:
        """Take the match as it is after something happened."""
        game = self._game(match)
        if match.winner >= 0:
            record(of_match(match, names, game))
            self._won = game
        elif self._won == game:
            withdraw(game)
            self._won = ""

    def _game(self, match: Match) -> str:
        return game_id(*self._board, match.game)
