"""Migrates a database to the newest schema in one transaction, so a power cut leaves the old one or the new."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import Column, Connection, MetaData, PrimaryKeyConstraint, String, Table, inspect, select

from cribboard.store import contest_tables  # noqa: F401 (its tables belong to the schema, too)
from cribboard.store.errors import StoreError
from cribboard.store.schema import metadata

if TYPE_CHECKING:
    from alembic.config import Config

NEWEST = "0011"  # the last of the migrations
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

    settings = Config()
    settings.set_main_option("script_location", "cribboard.store:migrations")
    settings.attributes["connection"] = connection
    return settings


def migrate(connection: Connection, name: str, to: str = NEWEST) -> bool:
    """Migrate to a revision; returns whether there was anything to do. Raises StoreError for an unknown schema."""
    tables = set(inspect(connection).get_table_names())
    stands = connection.execute(select(version.c.version_num)).scalar() if version.name in tables else None
    if stands == to:
        return False
    if stands is None and (present := tables & set(metadata.tables)):
        raise StoreError(
            f"the history in {name} does not say which schema it has: there are tables ({', '.join(sorted(present))}) "
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
        who, then = "an unreleased", "export it with that version, move it away and import the export"
        if stands > NEWEST:
            who, then = "a newer", "install that version"
        raise StoreError(
            f"the history in {name} was written by {who} cribboard (its schema is {stands})",
            f"{then}, or name another database; nothing was changed",
            "newer",
        )
    command.upgrade(config(connection), to)
    return True
