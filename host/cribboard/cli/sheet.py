"""The command that adds up results: standings by points, matches of several games, a league's legs."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from pathlib import Path

import click

from cribboard.cli.options import JSON, STDIN, Whole, read_text
from cribboard.cli.output import emit, note, put, say
from cribboard.errors import ArgumentError
from cribboard.matches import (
    WORTH,
    Night,
    Result,
    Series,
    Standing,
    TeamStanding,
    cell,
    counting,
    league,
    nights,
    series,
    standings,
)
from cribboard.results import ResultFile
from cribboard.service.recorder import history

PLAYERS = ("place", "name", "games", "points", "won", "skunks", "spread")
TEAMS = ("place", "name", "nights", "won", "drawn", "lost", "legs_won", "legs_lost", "aggregate", "points")
SIGNED = ("spread", "aggregate")


@click.command()
@click.argument("files", nargs=-1, type=click.Path(allow_dash=True, path_type=Path))
@click.option(
    "--points",
    type=click.Choice([*WORTH, "legs"]),
    default="acc",
    show_default=True,
    help="acc: a win 2, a skunk 3. house: 1, 2, a double skunk 4. legs: a league of teams.",
)
@click.option("--best-of", metavar="N", type=Whole(1), help="Also show the best-of-N matches.")
@click.option("--csv", "as_csv", is_flag=True, help="Print the standings as comma-separated values.")
@JSON
def sheet(files: Sequence[Path], points: str, best_of: int | None, as_csv: bool, as_json: bool) -> None:
    """Add up results: everybody's points, games won and spread.

    FILES (- is standard input) have one result per line, like `Ann 121 Bob 88`, or `"Lee, Ann",121,Bob,88` as
    spreadsheets write it, or a JSON object. Below a header the columns may be a name and a score for each side, winner,
    loser and margin, a player's own card, or a column for each player; the table of `history export --csv` works, too.
    Lines that begin with # are skipped. Without FILES the command adds up the games won on your boards.

    \b
      printf 'Ann 121 Bob 88\\nBob 121 Ann 97\\n' | cribboard sheet - --points house

    With --points legs a line like `Red Lion v Crown` starts a match of two teams; in each leg below it, the first side
    plays for the first team.

    With --json each line is an object with the columns of the table, and kind "standing", "match" or "night".
    """
    if best_of and points == "legs":
        raise click.UsageError("With --points legs all legs count; leave out --best-of.")
    if as_csv and as_json:
        raise click.UsageError("Choose one of --csv and --json.")
    results = _read(files) if files else _won()
    if not results:
        raise ArgumentError("there are no results", "name a file of them, or win a game on a board first")
    if points == "legs":
        played = nights(results)
        _show(league(played), TEAMS, as_csv, as_json, [_night(night) for night in played])
    else:
        matches = series(results, best_of) if best_of else []
        _show(standings(results, points), PLAYERS, as_csv, as_json, [_match(match) for match in matches])


def _won() -> list[Result]:
    """The games of this host's history, in the order in which they ended."""
    from cribboard.store.opening import is_begun

    if not is_begun():  # nothing is made only to look
        return []
    with history(note) as store:
        return store.results()


def _read(files: Sequence[Path]) -> list[Result]:
    """All results; raises ArgumentError that lists every bad line."""
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
    return counting(line for page in read for line in page.lines)


Told = tuple[dict[str, object], list[str]]


def _show(
    rows: Sequence[Standing | TeamStanding], columns: Sequence[str], as_csv: bool, as_json: bool, more: list[Told]
) -> None:
    if as_json:
        for entry, _ in more:
            emit(entry)
        for row in rows:
            emit({"kind": "standing", **{column: getattr(row, column) for column in columns}})
        return
    if as_csv:
        out = io.StringIO()
        found = ([getattr(row, column) for column in columns] for row in rows)
        table = [[cell(value) if isinstance(value, str) else value for value in row] for row in found]
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
    cells += [[_cell(name, getattr(row, name)) for name in columns] for row in rows]
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


def _cell(column: str, value: object) -> str:
    return f"{value:+d}" if column in SIGNED and value else str(value)


def _match(match: Series) -> Told:
    """A match of best of n, for JSON and in words."""
    won = match.winner
    entry = {"kind": "match", "sides": list(match.sides), "won": match.wins, "best_of": match.best_of}
    text = match.summary()
    return {**entry, "winner": match.sides[won] if won >= 0 else None, "text": text}, [text]


def _night(night: Night) -> Told:
    """A match of two teams, for JSON and as its sheet."""
    home, away = night.teams
    tables = [{"sides": list(table.sides), "won": table.wins} for table in night.tables]
    score = f"{night.legs[0]}-{night.legs[1]}"
    text = f"{home} v {away}: {score} in legs, {night.points[0]}-{night.points[1]} in points."
    entry = {"kind": "night", "teams": [home, away], "tables": tables, "legs": list(night.legs)}
    lines = [
        f"  {table.sides[0]} v {table.sides[1]}: {table.wins[0]}-{table.wins[1]}"
        for table in night.tables
        if table.sides != night.teams
    ]
    return {**entry, "points": list(night.points), "text": text}, [text, *lines]
