"""The commands for the history: export, import, backup and restore."""

from __future__ import annotations

import sys
from contextlib import suppress
from pathlib import Path

import click

from cribboard.cli.options import JSON, Group, read_text
from cribboard.cli.output import answer, note
from cribboard.errors import ArgumentError
from cribboard.files import hold, home, made, owners_if_possible, write_file
from cribboard.service.recorder import history as opened

SQLITE = b"SQLite format 3\0"
FILE = click.Path(dir_okay=False, path_type=Path)
DATABASE = click.option("--database", metavar="URL", help="Where the history is (default: a file in your data folder).")


@click.group(cls=Group)
def history() -> None:
    """Export, import, back up or restore the history of your games.

    A kiosk may keep running, except during restore.
    """


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

    With --json: games and events, the numbers that were added.
    """
    text = read_text(file)
    with opened(note, database) as store:
        brought = store.import_json(text)
    text = f"Added {brought.games} games with {brought.events} events."
    answer({"games": brought.games, "events": brought.events}, text, as_json)


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

    held = hold(made(home()) / "kiosk.lock", "a kiosk is running")
    try:
        aside = restore_backup(file, database)
    finally:
        held.release()
    text = f"The history is restored from {file}; the old one is {aside}."
    answer({"file": str(file), "before": str(aside)}, text, as_json)


def _is_database(file: Path) -> bool:
    with suppress(OSError):
        if file.is_file():  # a pipe would have us wait
            with file.open("rb") as opened:
                return opened.read(len(SQLITE)) == SQLITE
    return False
