"""The commands for the history: list and show its games; export, import, backup and restore."""

from __future__ import annotations

import sys
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click
from rich.text import Text

from cribboard.amounts import amount
from cribboard.cli.options import JSON, Group, IntRange, read_text
from cribboard.cli.output import answer, emit, new_grid, note, print_grid, say
from cribboard.errors import ArgumentError
from cribboard.files import ensure_folder, home, owners_if_possible, take_lock, write_file
from cribboard.service.recorder import history as opened
from cribboard_core.variants import COLOURS

if TYPE_CHECKING:
    from cribboard.store.read import Game

MANY, MOST_GAMES = 20, 500
SKUNKS = ("", "", " by a skunk", " by a double skunk")
SQLITE = b"SQLite format 3\0"
FILE = click.Path(dir_okay=False, path_type=Path)
DATABASE = click.option("--database", metavar="URL", help="Where the history is (default: a file in your data folder).")


@click.group(cls=Group)
def history() -> None:
    """List, show, export, import, back up or restore your games.

    A kiosk may keep running, except during restore.
    """


@history.command("list")
@click.option(
    "--number", "-n", metavar="N", type=IntRange(1, MOST_GAMES), default=MANY, help=f"How many games ({MANY})."
)
@click.option("--before", metavar="GAME", type=IntRange(1), help="The games before this one.")
@DATABASE
@JSON
def list_games(number: int, before: int | None, database: str | None, as_json: bool) -> None:
    """List the games, the newest first, each with its number for show.

    With --json: id, board, state (won, open, abandoned or withdrawn), target, skunk and double (the first safe scores),
    began, heard and ended (times), winner (a side or null), whole (whether all its events are there), seats, sides and,
    unless people played it among themselves, among.
    """
    with opened(note, database) as store:
        games = store.games(limit=number, before=before)
    if as_json:
        for game in games:
            emit(game.entry())
        return
    if not games:
        say(_nothing(before))
        return
    grid = new_grid()
    grid.add_column("Game", justify="right")
    for title in ("When", "Score", ""):
        grid.add_column(title)
    for game in games:
        grid.add_row(*map(Text, (str(game.id), _when(game.ended or game.heard), _score(game), _state(game))))
    print_grid(grid)
    if len(games) == number:
        say(f"Older games: cribboard history list --before {games[-1].id}")


@history.command("show")
@click.argument("game", metavar="N", type=IntRange(1))
@DATABASE
@JSON
def show_game(game: int, database: str | None, as_json: bool) -> None:
    """Show game N event by event, with the scores.

    A line in brackets was taken back later. With --json: one object with the keys of list, then events (kind, rev, at,
    side, points, text, fronts, backs, dealer, winner, and gone, missing, cards, starter and by where they apply) and
    corrections.
    """
    with opened(note, database) as store:
        replay = store.game(game)
    if replay is None:
        raise ArgumentError(f"there is no game {game}", "`cribboard history list` lists the games with their numbers")
    if as_json:
        emit(replay.entry())
        return
    shown = replay.game
    say(f"Game {shown.id}, {_when(shown.began)}, to {shown.target}: {_score(shown)}; {_state(shown)}.")
    for event in replay.events:
        text = event.text if event.fronts is None else f"{event.text} [{' '.join(map(str, event.fronts))}]"
        say(f"{_when(event.at):16}  {f'({text})' if event.gone else text}")
    for correction in replay.corrections:
        say(f"{_when(correction.at):16}  Corrected by {correction.who}: {correction.what}.")


def _nothing(before: int | None) -> str:
    """Why the list is empty."""
    if before is not None:
        return f"No game is older than game {before}."
    return "There are no games in the history yet: commands record a game when it is won, a kiosk as it is played."


def _when(at: datetime | None) -> str:
    """In the time of this place, to the minute."""
    return at.astimezone().strftime("%Y-%m-%d %H:%M") if at else ""


def _score(game: Game) -> str:
    return ", ".join(f"{side.name or COLOURS[side.side]} {side.front}" for side in game.sides)


def _state(game: Game) -> str:
    if game.state != "won" or game.winner is None:
        return game.state
    name = next(side.name or COLOURS[side.side] for side in game.sides if side.side == game.winner)
    return f"{name} won" + SKUNKS[max(side.lost for side in game.sides)]


@history.command("export")
@click.argument("file", type=FILE, required=False)
@click.option("--csv", "as_csv", is_flag=True, help="Write a table of results for a spreadsheet, one line per seat.")
@DATABASE
@JSON
def export_history(file: Path | None, as_csv: bool, database: str | None, as_json: bool) -> None:
    """Write the whole history to FILE as JSON, for import. Only you may read FILE.

    Without FILE it goes to standard output.

    With --json and FILE: file.
    """
    if as_csv and as_json and file is None:
        raise click.UsageError("Choose one of --csv and --json, or name a FILE.")
    if file is not None and _is_database(file):
        raise ArgumentError(f"{file} is a database, which is never overwritten", "name another file")
    with opened(note, database) as store:
        text = store.export_csv() if as_csv else store.export_json()
    if file is None:
        sys.stdout.write(text)
        return
    try:
        write_file(file, text.encode(), owners_if_possible)
    except OSError as error:
        raise ArgumentError(f"{file} cannot be written: {error.strerror}") from error
    answer({"file": str(file)}, f"The history is in {file}.", as_json)


@history.command("import")
@click.argument("file", type=FILE)
@DATABASE
@JSON
def import_history(file: Path, database: str | None, as_json: bool) -> None:
    """Add an exported history; existing games stay as they are.

    With --json: games, events and nights, the numbers that were added.
    """
    text = read_text(file)
    with opened(note, database) as store:
        brought = store.import_json(text)
    nights = f", and {amount(brought.nights, 'league night')}" if brought.nights else ""
    text = f"Added {amount(brought.games, 'game')} with {amount(brought.events, 'event')}{nights}."
    if not (brought.games or brought.events or brought.corrections or brought.nights):
        text = "Nothing was added: everything in the file is already in the history."
    answer({"games": brought.games, "events": brought.events, "nights": brought.nights}, text, as_json)


@history.command("backup")
@click.argument("file", type=FILE)
@DATABASE
@JSON
def backup_history(file: Path, database: str | None, as_json: bool) -> None:
    """Copy the history to FILE; for PostgreSQL use pg_dump.

    With --json: file.
    """
    with opened(note, database) as store:
        store.backup(file)
    answer({"file": str(file)}, f"{file} is a copy of the history.", as_json)


@history.command("restore")
@click.argument("file", type=FILE)
@DATABASE
@JSON
def restore_history(file: Path, database: str | None, as_json: bool) -> None:
    """Replace the history by a backup; the old one stays.

    Stop the kiosk first. When it starts again, it adds what the boards still know of later games. For a JSON backup
    use import.

    With --json: file and before (the old history).
    """
    from cribboard.store import restore_backup

    held = take_lock(ensure_folder(home()) / "kiosk.lock", "a kiosk is running")
    try:
        renamed = restore_backup(file, database)
    finally:
        held.release()
    text = f"The history is restored from {file}; the old one is {renamed}."
    answer({"file": str(file), "before": str(renamed)}, text, as_json)


def _is_database(file: Path) -> bool:
    with suppress(OSError):
        if file.is_file():  # a pipe would have us wait
            with file.open("rb") as opened:
                return opened.read(len(SQLITE)) == SQLITE
    return False
