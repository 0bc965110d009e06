"""Migrates a database to the newest schema in one transaction, so a power cut leaves the old one or the new.

Alembic is imported only for a database of an older program: it takes as long to import as SQLAlchemy itself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import Column, Connection, MetaData, PrimaryKeyConstraint, String, Table, inspect, select

from cribboard.store.errors import StoreError
from cribboard.store.schema import metadata

if TYPE_CHECKING:
    from alembic.config import Config

NEWEST = "0003"  # the last of the migrations
# as Alembic makes it
version = Table(
    "alembic_version",
    MetaData(),
    Column("version_num", String(32), nullable=False),
    PrimaryKeyConstraint("version_num", name="alembic_version_pkc"),
)


def config(connection: Connection | None = None) -> Config:
    """The configuration of the migrations, which work on `connection`."""
    from alembic.config import Config

    found = Config()
    found.set_main_option("script_location", "cribboard.store:migrations")
    found.set_main_option("path_separator", "os")
    found.attributes["connection"] = connection
    return found


def migrate(connection: Connection, name: str, to: str = NEWEST) -> bool:
    """Migrate to a revision; returns whether there was anything to do. Raises StoreError for a newer schema."""
    tables = set(inspect(connection).get_table_names())
    stands = connection.execute(select(version.c.version_num)).scalar() if version.name in tables else None
    if stands == to:
        return False
    if stands is None and (found := tables & set(metadata.tables)):
        raise StoreError(
            f"the history in {name} does not say which schema it has: there are tables ({', '.join(sorted(found))}) "
            "and no row in alembic_version",
            "put a backup in its place, or name another database; nothing was changed",
            "schema",
        )
    if stands is None and to == NEWEST:
        metadata.create_all(connection)
        version.create(connection, checkfirst=True)
        connection.execute(version.insert().values(version_num=NEWEST))
        return True
    return _upgrade(connection, name, stands, to)


def _upgrade(connection: Connection, name: str, stands: str | None, to: str) -> bool:
    from alembic import command
    from alembic.script import ScriptDirectory

    scripts = ScriptDirectory.from_config(config())
    if stands is not None and stands not in [script.revision for script in scripts.walk_revisions()]:
        raise StoreError(
            f"the history in {name} was written by a newer cribboard (its schema is {stands})",
            "install that version, or name another database; nothing was changed",
            "newer",
        )
    command.upgrade(config(connection), to)
    return True
