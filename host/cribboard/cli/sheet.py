"""The command that adds up results: standings by points or rules, matches of several games, leagues of teams."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import click

from cribboard.cli.options import JSON, STDIN, IntRange, read_text
from cribboard.cli.output import emit, note, put, say
from cribboard.errors import ArgumentError
from cribboard.league.rules import USUAL, Rules, as_number, in_words, parse_rules, preset, presets
from cribboard.league.standings import Bye, Card, Game, Played, Row, Who, card_points, standings
from cribboard.matches import (
    Night,
    Result,
    Series,
    cell,
    counting,
    nights,
    series,
)
from cribboard.names import key
from cribboard.results import ResultFile
from cribboard.service.recorder import history

PLAYERS = ("place", "name", "games", "points", "won", "skunks", "spread")
TEAMS = ("place", "name", "nights", "won", "drawn", "lost", "legs_won", "legs_lost", "aggregate", "points")
SIGNED = ("spread", "aggregate")
SCHEMES = {"acc": "club", "house": "house", "legs": "two-a-match"}  # the rules that --points stands for


@click.command()
@click.argument("files", nargs=-1, type=click.Path(allow_dash=True, path_type=Path))
@click.option(
    "--points",
    type=click.Choice([*SCHEMES]),
    help="acc: a win 2, a skunk 3. house: 1, 2, a double skunk 4. legs: a league of teams.  [default: acc]",
)
@click.option(
    "--rules",
    metavar="FILE",
    help=f"A file of rules, or one of {', '.join(each.id for each in presets())}.",
)
@click.option("--best-of", metavar="N", type=IntRange(1), help="Also show the best-of-N matches.")
@click.option("--csv", "as_csv", is_flag=True, help="Print the standings as comma-separated values.")
@JSON
def sheet(
    files: Sequence[Path], points: str | None, rules: str | None, best_of: int | None, as_csv: bool, as_json: bool
) -> None:
    """Add up results: everybody's points, games won and spread.

    FILES (- is standard input) have one result per line, like `Ann 121 Bob 88`, or `"Lee, Ann",121,Bob,88` as
    spreadsheets write it, or a JSON object. Below a header the columns may be a name and a score for each side, winner,
    loser and margin, a player's own card, or a column for each player; the table of `history export --csv` works, too.
    Lines that begin with # are skipped. Without FILES the command adds up the games won on your boards.

    \b
      printf 'Ann 121 Bob 88\\nBob 121 Ann 97\\n' | cribboard sheet - --points house
      cribboard sheet league.txt --rules two-and-half

    With --points legs, or rules for teams, a line like `Red Lion v Crown` starts a match of two teams; in each leg
    below it, the first side plays for the first team.

    With --json each line is an object: kind "standing" with the columns of the table (place, name, games, points, won,
    skunks and spread, or in a league place, name, nights, won, drawn, lost, legs_won, legs_lost, aggregate and points);
    kind "match" with sides, won, best_of, winner and text; or kind "night" with teams, tables, legs, points and text.
    """
    if rules and points:
        raise click.UsageError("Choose one of --points and --rules.")
    if as_csv and as_json:
        raise click.UsageError("Choose one of --csv and --json.")
    scored = _rules(rules) if rules else by_scheme(points or "acc")
    if best_of and scored.unit == "team":
        raise click.UsageError("With a league of teams all legs count; leave out --best-of.")
    results, played = _read(files) if files else (_won(), [])
    if not results and not played:
        raise ArgumentError("there are no results", "name a file of them, or win a game on a board first")
    if played and not rules and points != "legs":
        raise ArgumentError("match cards, walk-overs and byes are added up by rules", "name them with --rules")
    if scored.unit == "team":
        evenings = _evenings(results, played)
        _show(
            _teams(scored, evenings),
            _team_columns(scored),
            as_csv,
            as_json,
            [_night(scored, each) for each in evenings],
        )
    else:
        matches = [_match(match) for match in series(results, best_of)] if best_of else []
        _show(players(scored, results, played), _columns(scored), as_csv, as_json, matches)


def _rules(name: str) -> Rules:
    """The rules in a file, or those with this name."""
    path = Path(name)
    if path.suffix or path.exists():
        return parse_rules(read_text(path))
    return preset(name).read


def by_scheme(name: str) -> Rules:
    """What --points stands for; equals in points, games won and spread share a place."""
    rules = preset(SCHEMES[name]).read
    return rules if rules.unit == "team" else replace(rules, order=USUAL["player"])


@dataclass(frozen=True)
class StandingsRow:
    """A line of the standings by rules; points are as people write them, or numbers for JSON."""

    row: Row

    def __getattr__(self, name: str) -> object:
        return getattr(self.row, {"name": "who", "nights": "games", "aggregate": "legs_difference"}.get(name, name))


def _columns(rules: Rules) -> list[str]:
    """The usual columns, with what the rules also order by, and byes where they are worth something."""
    more = [name for name in ("plus", "minus", "scored") if name in rules.order]
    return [*PLAYERS, *more, *(["byes"] if rules.bye.points else [])]


def _team_columns(rules: Rules) -> list[str]:
    return [*TEAMS[:-1], *(["tables_won"] if "tables_won" in rules.order else []), "points"]


class _People:
    """Everybody by how they were first written, whatever capitals come later."""

    def __init__(self) -> None:
        self._known: dict[str, str] = {}

    def __call__(self, name: Who) -> Who:
        return self._known.setdefault(key(str(name)), str(name))

    def all(self) -> list[Who]:
        return [*self._known.values()]


def players(rules: Rules, results: Sequence[Result], played: Sequence[Played] = ()) -> list[StandingsRow]:
    """The standings of players, the best first; raises ArgumentError for what is only for teams."""
    known = _People()
    games: list[Played] = []
    for result in results:
        named = [name.split(" and ") if rules.partners else [name] for name in result.names]
        sides = tuple(tuple(map(known, side)) for side in named)
        games.append(Game(sides, result.scores, result.round, (result.skunk, result.double)))
    for each in played:
        if isinstance(each, Card):
            raise ArgumentError(f"{each.sides[0]} v {each.sides[1]} is a match of teams", "use rules for teams")
        if isinstance(each, Bye):
            games.append(replace(each, who=known(each.who)))
        else:
            games.append(replace(each, sides=tuple(tuple(map(known, side)) for side in each.sides)))
    return [StandingsRow(row) for row in standings(rules, known.all(), games)]


Evening = tuple[Card, Night | None]


def _evenings(results: Sequence[Result], played: Sequence[Played]) -> list[Evening]:
    """The matches of teams, each with the names at its tables if they are known."""
    known = _People()
    evenings: list[Evening] = []
    for night in nights(results):
        home, away = map(known, night.teams)
        evenings.append((Card((home, away), tuple((each.wins[0], each.wins[1]) for each in night.tables)), night))
    for card in played:
        if not isinstance(card, Card):
            raise ArgumentError("a game of players is among the matches of teams", "use rules for players")
        evenings.append((replace(card, sides=(known(card.sides[0]), known(card.sides[1]))), None))
    return evenings


def _teams(rules: Rules, evenings: Sequence[Evening]) -> list[StandingsRow]:
    teams = dict.fromkeys(who for card, _ in evenings for who in card.sides)
    return [StandingsRow(row) for row in standings(rules, teams, [card for card, _ in evenings])]


def _won() -> list[Result]:
    """The games of this host's history, in the order in which they ended."""
    from cribboard.store.opening import is_begun

    if not is_begun():  # nothing is made only to look
        return []
    with history(note) as store:
        return store.results()


def _read(files: Sequence[Path]) -> tuple[list[Result], list[Played]]:
    """All results, and what only rules can add up; raises ArgumentError that lists every bad line."""
    read = []
    for file in files:
        page = ResultFile("standard input" if file == STDIN else str(file))
        for number, line in enumerate(io.StringIO(read_text(file, dash=True)), 1):
            page.read(number, line.strip())
        page.end()
        read.append(page)
    bad = [text for page in read for text in page.bad]
    if bad:
        raise ArgumentError(f"{len(bad)} line{'' if len(bad) == 1 else 's'} cannot be read", "\n".join(bad))
    for text in (text for page in read for text in page.notes):
        note(text)
    results = counting(line for page in read for line in page.lines)
    return results, [each for page in read for each in page.played]


Report = tuple[dict[str, object], list[str]]


def _show(rows: Sequence[object], columns: Sequence[str], as_csv: bool, as_json: bool, more: list[Report]) -> None:
    if as_json:
        for entry, _ in more:
            emit(entry)
        for row in rows:
            emit({"kind": "standing", **{column: _value(row, column) for column in columns}})
        return
    if as_csv:
        out = io.StringIO()
        values = ([_value(row, column) for column in columns] for row in rows)
        table = [[cell(value) if isinstance(value, str) else value for value in row] for row in values]
        csv.writer(out, lineterminator="\n").writerows([columns, *table])
        put(out.getvalue().rstrip("\n"))
        return
    for _, lines in more:
        for line in lines:
            say(line)
    if more:
        say("")
    for line in _table(rows, columns):
        say(line)


def _table(rows: Iterable[object], columns: Sequence[str]) -> list[str]:
    """Aligned columns, names to the left and numbers to the right."""
    from rich.cells import cell_len

    cells = [[column.capitalize().replace("_", " ") for column in columns]]
    cells += [[_cell(name, _value(row, name)) for name in columns] for row in rows]
    widths = [max(cell_len(line[at]) for line in cells) for at in range(len(columns))]
    lines = []
    for line in cells:
        gaps = [" " * (width - cell_len(cell)) for cell, width in zip(line, widths, strict=True)]
        parts = [
            cell + gap if column == "name" else gap + cell
            for cell, gap, column in zip(line, gaps, columns, strict=True)
        ]
        lines.append("  ".join(parts).rstrip())
    return lines


def _value(row: object, column: str) -> object:
    value = getattr(row, column)
    return as_number(value) if isinstance(row, StandingsRow) and column == "points" else value


def _cell(column: str, value: object) -> str:
    return f"{value:+d}" if column in SIGNED and value else str(value)


def _match(match: Series) -> Report:
    """A match of best of n, for JSON and in words."""
    won = match.winner
    entry = {"kind": "match", "sides": list(match.sides), "won": match.wins, "best_of": match.best_of}
    text = match.summary()
    return {**entry, "winner": match.sides[won] if won >= 0 else None, "text": text}, [text]


def _night(rules: Rules, evening: Evening) -> Report:
    """A match of two teams, for JSON and as its sheet."""
    card, night = evening
    home, away = card.sides
    points = card_points(rules, card)
    legs = list(night.legs) if night else [sum(each[at] for each in card.tables) for at in (0, 1)]
    played = night.tables if night else []
    tables = [{"sides": list(table.sides), "won": table.wins} for table in played]
    tables = tables or [{"sides": [home, away], "won": list(each)} for each in card.tables]
    score = f"{in_words(points[0])}-{in_words(points[1])}"
    text = f"{home} v {away}: {legs[0]}-{legs[1]} in legs, {score} in points."
    if card.walkover is not None:
        text = f"{home} v {away}: a walk-over for {card.sides[card.walkover]}, {score} in points."
    entry = {"kind": "night", "teams": [home, away], "tables": tables, "legs": legs}
    lines = [
        f"  {table.sides[0]} v {table.sides[1]}: {table.wins[0]}-{table.wins[1]}"
        for table in played
        if night is not None and table.sides != night.teams
    ]
    return {**entry, "points": [as_number(each) for each in points], "text": text}, [text, *lines]
