"""A history of every older program reaches the newest schema with nothing lost; one of a newer program is refused."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, MetaData, inspect, text
from store.house import Clock

from cribboard.store import StoreError, open_store
from cribboard.store.database import NEWEST, Database, config, located, migrate
from cribboard.store.schema import metadata

SCHEMAS = Path(__file__).with_name("schemas")
OLD = sorted(path.stem for path in SCHEMAS.glob("*.sql"))
REVISIONS = [script.revision for script in ScriptDirectory.from_config(config()).walk_revisions()]


def build(url: str, schema: str) -> None:
    """Make a database as an older program left it."""
    dump = (SCHEMAS / f"{schema}.sql").read_text(encoding="utf-8")
    where = located(url)
    if where.drivername == "sqlite":
        with closing(sqlite3.connect(where.database or "")) as made:
            made.executescript(dump)
        return
    rows = sqlite3.connect(":memory:")
    rows.executescript(dump)
    rows.row_factory = sqlite3.Row
    database = Database(where)
    with database.writing() as connection:
        assert migrate(connection, url, schema)
        old = MetaData()
        old.reflect(connection)
        for table in old.sorted_tables:
            found = [dict(row) for row in rows.execute(f'SELECT * FROM "{table.name}"')]
            booleans = [column.name for column in table.columns if str(column.type) == "BOOLEAN"]
            if found and table.name != "alembic_version":
                connection.execute(
                    table.insert(),
                    [{name: bool(v) if name in booleans else v for name, v in row.items()} for row in found],
                )
            if "id" in table.columns:
                counted = f"SELECT setval(pg_get_serial_sequence('{table.name}', 'id'), {len(found) or 1})"
                connection.execute(text(counted))
    database.close()
    rows.close()


def test_there_is_a_dump_of_every_older_schema() -> None:
    assert sorted(REVISIONS)[:-1] == OLD


def schema(connection: Connection) -> dict[str, object]:
    """All that the database says of its tables."""
    found = inspect(connection)
    return {
        name: (
            sorted(
                (column["name"], str(column["type"]), column["nullable"], str(column["default"]).strip("'"))
                for column in found.get_columns(name)
            ),
            found.get_pk_constraint(name),
            sorted(map(str, found.get_foreign_keys(name))),
            sorted(map(str, found.get_unique_constraints(name))),
            sorted(map(str, found.get_indexes(name))),
        )
        for name in found.get_table_names()
    }


def test_a_fresh_database_has_the_schema_that_the_migrations_make(url: str) -> None:
    database = Database(located(url))
    found = []
    for migrated in (True, False):
        with database.writing() as connection:
            if migrated:
                command.upgrade(config(connection), "head")
            else:
                assert migrate(connection, url)
            found.append(schema(connection))
            if migrated:
                metadata.drop_all(connection)
                connection.execute(text("DROP TABLE alembic_version"))
    database.close()
    assert found[0] == found[1]


def test_a_fresh_database_has_the_schema_that_the_program_works_with(url: str) -> None:
    open_store(url).close()
    database = Database(located(url))
    with database.reading() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, metadata) == []
        assert context.get_current_revision() == max(REVISIONS) == NEWEST
    database.close()


@pytest.mark.parametrize("schema", OLD)
def test_an_old_history_is_all_there_and_can_be_gone_on_with(url: str, schema: str, clock: Clock) -> None:
    build(url, schema)
    store = open_store(url, clock=clock)
    database = Database(located(url))
    with database.reading() as connection:
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []
        assert connection.execute(text("SELECT count(*) FROM events")).scalar() == 80
        assert connection.execute(text("SELECT count(*) FROM seats WHERE corrected")).scalar() == 0
        assert "scores" in inspect(connection).get_table_names()
    database.close()
    running, skunk, real = store.games()
    assert [game.state for game in (running, skunk, real)] == ["open", "won", "won"]
    assert [(line.name, line.points, line.skunks) for line in store.leaderboard()] == [("Bob", 3, 1), ("Ann", 2, 0)]
    ann = store.player(1)
    assert ann is not None
    assert ann.hand == 8.44
    assert {name: one.count for name, one in ann.deals.items()} == {"dealer": 4, "pone": 5, "crib": 4}
    store.withdraw(skunk.id)
    store.close()


def test_a_history_that_does_not_say_its_schema_is_refused_and_left_alone(url: str) -> None:
    open_store(url).close()
    database = Database(located(url))
    with database.writing() as connection:
        connection.execute(text("DELETE FROM alembic_version"))
    with pytest.raises(StoreError, match=r"which schema it has: there are tables \(boards, .*put a backup in"):
        open_store(url)
    with database.reading() as connection:
        assert connection.execute(text("SELECT count(*) FROM players")).scalar() == 0
    database.close()


def test_a_history_of_a_newer_program_is_refused_and_left_alone(url: str) -> None:
    open_store(url).close()
    database = Database(located(url))
    with database.writing() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(StoreError, match=r"newer cribboard \(its schema is 9999\); install that version"):
        open_store(url)
    with database.reading() as connection:
        assert connection.execute(text("SELECT version_num FROM alembic_version")).scalar() == "9999"
    database.close()
    if database.path is not None:
        assert not list(database.path.parent.glob("*broken*"))
