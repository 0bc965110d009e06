"""The commands for the history that a kiosk keeps: out, in, and a copy of it while it is in use."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cribboard.cli.kiosk import require_extra
from cribboard.cli.options import JSON, Group, read_text
from cribboard.cli.output import answer, note
from cribboard.errors import ArgumentError
from cribboard.lock import hold
from cribboard.paths import home, made

if TYPE_CHECKING:
    from cribboard.store import Store

SQLITE = b"SQLite format 3\0"
FILE = click.Path(dir_okay=False, path_type=Path)
DATABASE = click.option("--database", metavar="URL", help="Where the history is (default: a file among your own data).")


@click.group(cls=Group)
def history() -> None:
    """Carry the kiosk's history elsewhere, or bring it back.

    A kiosk may run meanwhile, but for restore.
    """


@history.command("export")
@click.argument("file", type=FILE, required=False)
@click.option("--csv", "as_csv", is_flag=True, help="A table of results for a spreadsheet, a line for each seat.")
@DATABASE
@JSON
def export_history(file: Path | None, as_csv: bool, database: str | None, as_json: bool) -> None:
    """Write the whole history to FILE (default: standard output) as JSON, which import reads.

    With --json and FILE: file.
    """
    if as_csv and as_json and file is None:
        raise click.UsageError("Choose one of --csv and --json, or name a FILE.")
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
    answer({"file": str(file)}, f"{file} has the history.", as_json)


@history.command("import")
@click.argument("file", type=FILE)
@DATABASE
@JSON
def import_history(file: Path, database: str | None, as_json: bool) -> None:
    """Add an exported history; what is here already stays as it is.

    With --json: games and events, the numbers of those that were added.
    """
    text = read_text(file)
    with _opened(database) as store:
        brought = store.import_json(text)
    text = f"Added {brought.games} games with {brought.events} events."
    answer({"games": brought.games, "events": brought.events}, text, as_json)


@history.command("backup")
@click.argument("file", type=FILE)
@DATABASE
@JSON
def backup_history(file: Path, database: str | None, as_json: bool) -> None:
    """Copy the history to FILE, which may take its place later; PostgreSQL has pg_dump for that.

    With --json: file.
    """
    with _opened(database) as store:
        store.backup(file)
    answer({"file": str(file)}, f"{file} is a copy of the history.", as_json)


@history.command("restore")
@click.argument("file", type=FILE)
@DATABASE
@JSON
def restore_history(file: Path, database: str | None, as_json: bool) -> None:
    """Put a backup in the place of the history; what was there before is kept beside it.

    The kiosk has to be ended before. What the boards still know of the games since the backup is written when it
    starts. A backup that is JSON is brought in with import.

    With --json: file and before (what was there).
    """
    require_extra()
    from cribboard.store import restore_backup

    held = hold(made(home()) / "kiosk.lock", "a kiosk is running")
    try:
        aside = restore_backup(file, database)
    finally:
        held.release()
    text = f"The history is that of {file}; what was there before is {aside}."
    answer({"file": str(file), "before": str(aside)}, text, as_json)


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
