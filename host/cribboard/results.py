"""Reads results as people keep them: a line of text, a spreadsheet in one of its usual shapes, or lines of JSON."""

from __future__ import annotations

import csv
import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple, TypeVarTuple

from cribboard.errors import ArgumentError, CribboardError
from cribboard.league.entry import MOST_PAST
from cribboard.league.reading import is_played, read_played
from cribboard.league.rules import MOST_ROUNDS
from cribboard.league.standings import Played
from cribboard.matches import EXAMPLE, SKUNKED, Result, of_scores, read_line, text_of, tidy
from cribboard.names import key
from cribboard_core.cards import quote
from cribboard_core.variants import TARGETS

USUAL_TARGET = 121

NAMES = ("name", "player", "side", "team", "home", "away", "visitor", "winner", "loser", "opponent")
SCORES = ("score", "points", "pts")
MARGINS = ("spread", "margin", "difference", "won by")
PLUS, MINUS, GAME_POINTS = ("+", "plus"), ("-", "\N{MINUS SIGN}", "minus"), ("gp", "game points")
BESIDE = (  # columns that hold neither names nor scores
    "date", "day", "week", "month", "year", "time", "when", "round", "no", "no.", "nr", "nr.", "number", "#",
    "game", "games", "table", "venue", "place", "season", "note", "notes", "comment", "comments",
)  # fmt: skip
TOTALS = ("total", "totals", "sum")
SEAT = ("game", "state", "side", "name", "score")  # of the history's table
WON = "won"  # a game's state in that table
SHAPE = "write it like: name,score,name,score"
NOBODY = ("", "-", "0")  # what a player's card has in the column of the other result


@dataclass
class ResultFile:
    """A file of results that is read line by line.

    `lines` are the results, each with its game's number if it has one (None for a game that does not count), `notes`
    say what was read otherwise than it is written, and `bad` what cannot be read; both begin with file and line. A line
    `# player: Ann` says whose card the file is, `# target: 61` what was played for, and `# round: 2` when. `played` are
    match cards, walk-overs and byes, which only rules can add up.
    """

    where: str
    lines: list[tuple[str, Result | None]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    bad: list[str] = field(default_factory=list)
    played: list[Played] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._player = ""
        self._target = 0
        self._round = 0
        self._teams: tuple[str, ...] = ()
        self._table: Table | None = None
        self._begun = False
        self._skips = False  # the rows below a header that cannot be used
        self._seats: dict[str, list[Seat]] = defaultdict(list)  # of each game
        self._first: dict[str, int] = {}  # the line on which a game begins

    def read(self, number: int, text: str) -> None:
        """Take in the line with this number, from 1."""
        if text.startswith(("#", '"# ')):  # a spreadsheet quotes one with a comma, and fills up the row
            self._try(number, self._set, read_cells(text)[0][1:] if text.startswith('"') else text[1:].rstrip(",;\t "))
        elif text:
            self._try(number, self._take, number, text)

    def end(self) -> None:
        """Put together what has a line for each seat."""
        for game, seats in self._seats.items():
            self._try(self._first[game], self._put_together, self._first[game], seats)

    def _set(self, text: str) -> None:
        """A comment may say what the whole file is about."""
        word, _, value = (part.strip() for part in text.partition(":"))
        if word.casefold() == "player" and value:
            self._player = tidy(value)
        elif word.casefold() == "target" and value:
            if not (is_number(value) and int(value) in TARGETS):
                raise ArgumentError(f"{quote(value)} is not a target", f"games are to {', '.join(map(str, TARGETS))}")
            self._target = int(value)
        elif word.casefold() == "round" and value:
            if not (is_number(value) and 1 <= int(value) <= MOST_ROUNDS):
                raise ArgumentError(f"{quote(value)} is not a round", f"rounds are 1 to {MOST_ROUNDS}")
            self._round = int(value)

    def _take(self, number: int, text: str) -> None:
        if text.startswith("{"):
            self._take_json(text)
            return
        if not (cells := read_cells(text)):
            return  # a spreadsheet's empty row
        first, self._begun = not self._begun, True
        if teams := of_heading(cells[0] if len(cells) == 1 else text):
            self._teams = teams
        elif table := self._new_table(cells, first):
            self._table = table
        elif self._skips:
            return
        elif self._table is None:
            self._add(number, *pairs_of(text))
        elif isinstance(self._table, SeatTable):
            seat = self._table.seat(cells)
            if seat.state == WON:
                self._seats[seat.game].append(seat)
                self._first.setdefault(seat.game, number)
        elif cells[0].casefold() not in TOTALS and (pairs := self._table.pairs(cells)):
            self._add(number, *pairs)

    def _take_json(self, text: str) -> None:
        try:
            entry = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise ArgumentError(f"{quote(text)} is not JSON", "or write the result like: Ann 121 Bob 88") from error
        if isinstance(entry, dict) and is_played(entry):
            self.played.append(read_played(entry))
        else:
            self.lines.append(read_line(entry))

    def _new_table(self, cells: Sequence[str], first: bool) -> Table | None:
        """As `_header`; the rows below one that cannot be used would only repeat what is said of it."""
        self._skips, skipped = True, self._skips
        table = self._header(cells, first)
        self._skips = skipped and table is None
        return table

    def _header(self, cells: Sequence[str], first: bool) -> Table | None:
        """The table that a header begins, None if the line is no header; raises ArgumentError for an unusable one."""
        if len(cells) < 2 or any(map(is_number, cells)):
            return None
        heads = [" ".join(text_of(cell).replace("_", " ").split()).casefold() for cell in cells]
        if set(SEAT) <= set(heads):
            return SeatTable(tuple(map(heads.index, SEAT)))
        plus, minus = _column(heads, PLUS), _column(heads, MINUS)
        if "opponent" in heads and plus >= 0 and minus >= 0:
            if not self._player:
                raise ArgumentError(
                    "this is a player's card, but it does not say whose", "put a line above it, like: # player: Ann"
                )
            columns = (heads.index("opponent"), _column(heads, GAME_POINTS), plus, minus)
            return CardTable(self._player, self._target or USUAL_TARGET, *columns)
        if any(word in head for head in heads for word in SCORES):
            return _score_table(cells, heads)
        if {"winner", "loser"} <= set(heads):
            margin = _column(heads, MARGINS)
            if margin < 0:
                raise ArgumentError(
                    f"the header {quote(','.join(cells))} has neither scores nor a margin", "add the column: margin"
                )
            target = self._target or USUAL_TARGET
            return MarginTable(target, heads.index("winner"), heads.index("loser"), margin)
        named = tuple(at for at, head in enumerate(heads) if head and head not in BESIDE)
        if first and len(named) > 1 and not set(heads) & set(NAMES):
            return NameTable(tuple(cells), named)
        return None

    def _add(self, number: int, names: Sequence[str], scores: Sequence[int]) -> None:
        """A result; points past the target are not counted, and noted."""
        best = max(scores, default=0)
        target = self._target or (best if best in TARGETS else USUAL_TARGET)
        past = best - target
        if 0 < past <= MOST_PAST and sum(score >= target for score in scores) == 1:
            winner = names[list(scores).index(best)]
            self.notes.append(f"{self.where}, line {number}: {winner}'s {best} is read as {target}")
            scores = [min(score, target) for score in scores]
        result = of_scores(names, scores, self._teams, self._target)
        self.lines.append(("", replace(result, round=self._round) if self._round else result))

    def _put_together(self, number: int, seats: Sequence[Seat]) -> None:
        names: dict[str, list[str]] = defaultdict(list)
        for seat in seats:
            names[seat.side].append(seat.name)
        scores = {seat.side: seat.score for seat in seats}
        sides = [" and ".join(names[side]) for side in scores]
        self.lines.append(("", of_scores(sides, list(scores.values()))))

    def _try(self, number: int, step: Callable[[*Args], None], *args: *Args) -> None:
        try:
            step(*args)
        except CribboardError as error:
            self.bad.append(f"{self.where}, line {number}: {error}")


Args = TypeVarTuple("Args")


Pairs = tuple[list[str], list[int]]  # names and their scores


def pairs_of(line: str) -> Pairs:
    """Names and scores of a line without a header, as words or as a spreadsheet's cells; raises ArgumentError."""
    cells = read_cells(line)
    if any(map(is_number, cells)):
        names, numbers = cells[::2], cells[1::2]
        if len(names) != len(numbers) or any(map(is_number, names)) or not all(map(is_number, numbers)):
            raise ArgumentError(
                f"{quote(line)} does not have a score for every name",
                'write it like: "Lee, Ann",121,Bob,88 (a name with a comma is in quotes)',
            )
        return names, list(map(int, numbers))
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
    return names, scores


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


def of_heading(line: str) -> tuple[str, ...]:
    """The home and the away team of a line like `Red Lion v Crown`; empty if the line is something else."""
    words = line.split()
    if line.startswith("{") or any(map(is_number, words)):
        return ()
    at = next((at for at, word in enumerate(words[1:-1], 1) if word.casefold() in ("v", "v.", "vs", "vs.")), 0)
    return (tidy(" ".join(words[:at])), tidy(" ".join(words[at + 1 :]))) if at else ()


def is_number(word: str) -> bool:
    """Whether a word can be a score."""
    return word.isascii() and word.isdecimal() and len(word) < 6


@dataclass(frozen=True)
class ScoreTable:
    """A name and a score for each side, and perhaps the winner's name once more."""

    heads: tuple[str, ...]
    names: tuple[int, ...]
    scores: tuple[int, ...]
    winner: int = -1

    def pairs(self, cells: Sequence[str]) -> Pairs:
        """Names and scores of a row; raises ArgumentError."""
        columns = zip(self.names, self.scores, strict=True)
        sides = [(_cell(cells, name), _cell(cells, score)) for name, score in columns]
        given = [(name, score) for name, score in sides if name or score]
        if odd := next((score for _, score in given if score and not is_number(score)), ""):
            raise ArgumentError(f"{quote(odd)} is not a score", "use a whole number")
        if len(given) < 2 or not all(name and score for name, score in given):
            raise ArgumentError(
                f"{quote(','.join(cells))} does not have a score for every name", "fill in the empty cells"
            )
        names, scores = [name for name, _ in given], [int(score) for _, score in given]
        self._check_winner(cells, sides, names[scores.index(max(scores))])
        return names, scores

    def _check_winner(self, cells: Sequence[str], sides: list[tuple[str, str]], best: str) -> None:
        """Raises ArgumentError if the column of the winner names another side than the scores."""
        said = _cell(cells, self.winner) if self.winner >= 0 else ""
        columns = {key(self.heads[at]): name for at, (name, _) in zip(self.names, sides, strict=True)}
        if said and key(columns.get(key(said), said)) != key(best):
            raise ArgumentError(f"the winner is {quote(said)}, but {quote(best)} has the highest score", "correct one")


@dataclass(frozen=True)
class MarginTable:
    """Winner, loser, and the points between them."""

    target: int
    winner: int
    loser: int
    margin: int

    def pairs(self, cells: Sequence[str]) -> Pairs:
        """Names and scores of a row; raises ArgumentError."""
        names = [_cell(cells, self.winner), _cell(cells, self.loser)]
        return names, [self.target, self.target - _margin(_cell(cells, self.margin), self.target)]


@dataclass(frozen=True)
class NameTable:
    """The names are the headings; whoever did not play has an empty cell."""

    heads: tuple[str, ...]
    names: tuple[int, ...]

    def pairs(self, cells: Sequence[str]) -> Pairs | None:
        """Names and scores of a row, None if nobody played; raises ArgumentError."""
        if len(cells) > len(self.heads):
            raise ArgumentError(
                f"{quote(','.join(cells))} has {len(cells)} cells under {len(self.heads)} headings",
                "give each column a heading",
            )
        names, scores = [], []
        for at in self.names:
            text = _cell(cells, at)
            if not text or (at == 0 and not is_number(text)):  # the first column may be a date under any heading
                continue
            if not is_number(text):
                raise ArgumentError(f"{quote(text)} under {quote(self.heads[at])} is not a score", "use a whole number")
            names.append(self.heads[at])
            scores.append(int(text))
        if len(names) == 1:
            raise ArgumentError(f"only {quote(names[0])} has a score", "fill in the other side's")
        return (names, scores) if names else None


@dataclass(frozen=True)
class CardTable:
    """A player's own card, as in tournaments of the American Cribbage Congress.

    A row is a game: the opponent, the game points (2 for a win, 3 for a skunk), and what the game was won (+) or
    lost (-) by.
    """

    player: str
    target: int
    opponent: int
    game_points: int
    plus: int
    minus: int

    def pairs(self, cells: Sequence[str]) -> Pairs:
        """Names and scores of a row; raises ArgumentError."""
        plus, minus = (_cell(cells, at).lstrip("+-\N{MINUS SIGN}") or "0" for at in (self.plus, self.minus))
        if (plus == "0") == (minus == "0"):
            raise ArgumentError(f"{quote(','.join(cells))} is neither won nor lost", "fill in one of + and -")
        won = minus == "0"
        rest = self.target - _margin(plus if won else minus, self.target)
        scores = [self.target, rest] if won else [rest, self.target]
        names = [self.player, _cell(cells, self.opponent)]
        self._check_points(_cell(cells, self.game_points) if self.game_points >= 0 else "", won, names, scores)
        return names, scores

    def _check_points(self, given: str, won: bool, names: list[str], scores: list[int]) -> None:
        """Raises ArgumentError if the game points contradict the margin."""
        if not given:
            return
        skunk = of_scores(names, scores, (), self.target).grade >= SKUNKED
        right = (3 if skunk else 2) if won else 0
        if given != str(right):
            what = f"{'won' if won else 'lost'} by {abs(scores[0] - scores[1])}"
            what += ", a skunk," if won and skunk else ", no skunk," if won else ""
            raise ArgumentError(f"a game {what} is worth {right} game points, not {given}", "correct one of them")


class Seat(NamedTuple):
    """A row of the history's table: who sat for a side in a game, and the side's score."""

    game: str
    state: str
    side: str
    name: str
    score: int


@dataclass(frozen=True)
class SeatTable:
    """The table of `cribboard history export --csv`: a row for each seat of a game."""

    columns: tuple[int, ...]  # as SEAT has them

    def seat(self, cells: Sequence[str]) -> Seat:
        """The seat that a row is; raises ArgumentError."""
        game, state, side, name, score = (_cell(cells, column) for column in self.columns)
        if not is_number(score):
            raise ArgumentError(f"{quote(score)} is not a score", "it is a whole number")
        return Seat(game, state, side, name, int(score))


Table = ScoreTable | MarginTable | NameTable | CardTable | SeatTable


def _score_table(cells: Sequence[str], heads: Sequence[str]) -> ScoreTable:
    """The name of each score: the one whose heading the score's begins with, else the names in their order."""
    scores = tuple(at for at, head in enumerate(heads) if any(word in head for word in SCORES))
    names = tuple(at for at, head in enumerate(heads) if at not in scores and head.startswith(NAMES))
    by_heading = tuple(
        max((at for at in names if heads[score].startswith(heads[at])), key=lambda at: len(heads[at]), default=-1)
        for score in scores
    )
    if -1 not in by_heading and len(set(by_heading)) == len(scores):
        names = by_heading
    if len(scores) < 2 or len(scores) != len(names):
        raise ArgumentError(
            f"the header {quote(','.join(cells))} does not have a name and a score for each side", SHAPE
        )
    return ScoreTable(tuple(heads), names, scores, heads.index("winner") if "winner" in heads else -1)


def _column(heads: Sequence[str], known: Iterable[str]) -> int:
    return next((heads.index(word) for word in known if word in heads), -1)


def _cell(cells: Sequence[str], column: int) -> str:
    return text_of(cells[column]) if column < len(cells) else ""


def _margin(text: str, target: int) -> int:
    text = text.removeprefix("+")
    if not is_number(text) or not 0 < int(text) <= target:
        raise ArgumentError(f"{quote(text)} is not what a game was won by", f"it is a number from 1 to {target}")
    return int(text)
