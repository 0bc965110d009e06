"""Migrates a database to the newest schema in one transaction, so a power cut leaves the old one or the new."""

from __future__ import annotations

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, inspect

from cribboard.store.errors import StoreError
from cribboard.store.schema import metadata


def config(connection: Connection | None = None) -> Config:
    """The configuration of the migrations, which work on `connection`."""
    found = Config()
    found.set_main_option("script_location", "cribboard.store:migrations")
    found.set_main_option("path_separator", "os")
    found.attributes["connection"] = connection
    return found


def migrate(connection: Connection, name: str, to: str = "head") -> bool:
    """Migrate to a revision; returns whether there was anything to do. Raises StoreError for a newer schema."""
    scripts = ScriptDirectory.from_config(config())
    stands = MigrationContext.configure(connection).get_current_revision()
    if stands == (scripts.get_current_head() if to == "head" else to):
        return False
    if stands is not None and stands not in [script.revision for script in scripts.walk_revisions()]:
        raise StoreError(
            f"the history in {name} was written by a newer cribboard (its schema is {stands})",
            "install that version, or name another database; nothing was changed",
            "newer",
        )
    if stands is None and (found := set(metadata.tables) & set(inspect(connection).get_table_names())):
        raise StoreError(
            f"the history in {name} does not say which schema it has: there are tables ({', '.join(sorted(found))}) "
            "and no row in alembic_version",
            "put a backup in its place, or name another database; nothing was changed",
            "schema",
        )
    command.upgrade(config(connection), to)
    return True
