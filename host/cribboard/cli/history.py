"""The commands for the history that a kiosk keeps: out, in, and a copy of it while it is in use."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cribboard.cli.kiosk import require_extra
from cribboard.cli.options import read_text
from cribboard.cli.output import note, say
from cribboard.errors import ArgumentError
from cribboard.lock import hold
from cribboard.paths import home, made

if TYPE_CHECKING:
    from cribboard.store import Store

SQLITE = b"SQLite format 3\0"
FILE = click.Path(dir_okay=False, path_type=Path)
DATABASE = click.option("--database", metavar="URL", help="Where the history is (default: a file among your own data).")


@click.group()
def history() -> None:
    """Carry the kiosk's history elsewhere, or bring it back.

    A kiosk may run meanwhile, but for restore.
    """


@history.command("export")
@click.argument("file", type=FILE, required=False)
@click.option("--csv", "as_csv", is_flag=True, help="A table of results for a spreadsheet, a line for each seat.")
@DATABASE
def export_history(file: Path | None, as_csv: bool, database: str | None) -> None:
    """Write the whole history to FILE (default: standard output) as JSON, which import reads."""
    if file is not None and _is_database(file):
        raise ArgumentError(f"{file} is a database, which is never written over", "name another file")
    with _opened(database) as store:
        text = store.export_csv() if as_csv else store.export_json()
    if file is None:
        sys.stdout.write(text)
        return
    try:
        file.write_text(text, encoding="utf-8")
    except OSError as error:
        raise ArgumentError(f"{file} cannot be written: {error.strerror}") from error
    say(f"{file} has the history.")


@history.command("import")
@click.argument("file", type=FILE)
@DATABASE
def import_history(file: Path, database: str | None) -> None:
    """Add an exported history; what is here already stays as it is."""
    text = read_text(file)
    with _opened(database) as store:
        brought = store.import_json(text)
    say(f"Added {brought.games} games with {brought.events} events.")


@history.command("backup")
@click.argument("file", type=FILE)
@DATABASE
def backup_history(file: Path, database: str | None) -> None:
    """Copy the history to FILE, which may take its place later; PostgreSQL has pg_dump for that."""
    with _opened(database) as store:
        store.backup(file)
    say(f"{file} is a copy of the history.")


@history.command("restore")
@click.argument("file", type=FILE)
@DATABASE
def restore_history(file: Path, database: str | None) -> None:
    """Put a backup in the place of the history; what was there before is kept beside it.

    The kiosk has to be ended before. What the boards still know of the games since the backup is written when it
    starts. A backup that is JSON is brought in with import.
    """
    require_extra()
    from cribboard.store import restore_backup

    held = hold(made(home()) / "kiosk.lock", "a kiosk is running")
    try:
        aside = restore_backup(file, database)
    finally:
        held.release()
    say(f"The history is that of {file}; what was there before is {aside}.")


def _is_database(file: Path) -> bool:
    try:
        with file.open("rb") as opened:
            return opened.read(len(SQLITE)) == SQLITE
    except OSError:
        return False


@contextmanager
def _opened(database: str | None) -> Iterator[Store]:
    require_extra()
    from cribboard.store import open_store

    store = open_store(database)
    try:
        for text in store.notices:
            note(text)
        yield store
    finally:
        store.close()
