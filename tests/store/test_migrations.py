"""A new history has the schema that the migrations make; one of another program is refused and left alone."""

from __future__ import annotations

from contextlib import closing

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, inspect, text

from cribboard.store import StoreError, open_store
from cribboard.store.database import Database, located
from cribboard.store.migrate import NEWEST, config, migrate
from cribboard.store.schema import metadata

REVISIONS = [script.revision for script in ScriptDirectory.from_config(config()).walk_revisions()]


def schema(connection: Connection) -> dict[str, object]:
    """All that the database says of its tables."""
    inspector = inspect(connection)
    return {
        name: (
            sorted(
                (column["name"], str(column["type"]), column["nullable"], str(column["default"]).strip("'"))
                for column in inspector.get_columns(name)
            ),
            inspector.get_pk_constraint(name),
            sorted(map(str, inspector.get_foreign_keys(name))),
            sorted(map(str, inspector.get_unique_constraints(name))),
            sorted(map(str, inspector.get_indexes(name))),
        )
        for name in inspector.get_table_names()
    }


def test_a_fresh_database_has_the_schema_that_the_migrations_make(url: str) -> None:
    database = Database(located(url))
    schemas = []
    for migrated in (True, False):
        with database.writing() as connection:
            if migrated:
                command.upgrade(config(connection), "head")
            else:
                assert migrate(connection, url)
            schemas.append(schema(connection))
            if migrated:
                metadata.drop_all(connection)
                connection.execute(text("DROP TABLE alembic_version"))
    database.close()
    assert schemas[0] == schemas[1]


def test_a_fresh_database_has_the_schema_that_the_program_works_with(url: str) -> None:
    open_store(url).close()
    database = Database(located(url))
    with database.reading() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, metadata) == []
        assert context.get_current_revision() == max(REVISIONS) == NEWEST
    database.close()


def test_the_game_that_was_on_at_a_board_is_on_after_a_migration(url: str) -> None:
    database = Database(located(url))
    with database.writing() as connection:
        command.upgrade(config(connection), "0010")
        game = "(4, 'aa', 121, 3, 2, 0, 0, 0, 5, 5, NULL, NULL, '05000000', true, NULL, false, 0)"
        connection.execute(text(f"INSERT INTO games VALUES {game}"))
        span = "(board, epoch, number, game, moved) VALUES ('aa', 7, 3, 4, false)"
        connection.execute(text(f"INSERT INTO spans {span}"))
        stood = {"aa": '[9, 3, 121, 3, 2, 0, 0, 0, -1, "05000000", [0, 0]]', "bb": "{", "cc": "[]", "dd": "7"}
        for uid, standing in stood.items():
            values = {"uid": uid, "standing": standing, "game": 4 if uid == "aa" else None}
            connection.execute(text("INSERT INTO boards VALUES (:uid, 7, 9, :game, :standing, 5)"), values)
    database.close()
    with closing(open_store(url)) as store:
        live = store.live("aa")
        assert live is not None
        assert (live.id, live.sides[0].front, store.live("bb")) == (4, 5, None)


def test_a_history_that_does_not_say_its_schema_is_refused_and_left_alone(url: str) -> None:
    open_store(url).close()
    database = Database(located(url))
    with database.writing() as connection:
        connection.execute(text("DELETE FROM alembic_version"))
    with pytest.raises(StoreError, match=r"which schema it has: there are tables \(acts, .*put a backup in"):
        open_store(url)
    with database.reading() as connection:
        assert connection.execute(text("SELECT count(*) FROM players")).scalar() == 0
    database.close()


@pytest.mark.parametrize(
    ("schema", "said"),
    [
        ("9999", r"newer cribboard \(its schema is 9999\); install that version"),
        ("0006", r"unreleased cribboard \(its schema is 0006\); export it with that version"),
    ],
)
def test_a_history_of_another_program_is_refused_and_left_alone(url: str, schema: str, said: str) -> None:
    open_store(url).close()
    database = Database(located(url))
    with database.writing() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = :schema"), {"schema": schema})
    with pytest.raises(StoreError, match=said):
        open_store(url)
    with database.reading() as connection:
        assert connection.execute(text("SELECT version_num FROM alembic_version")).scalar() == schema
    database.close()
    if database.path is not None:
        assert not list(database.path.parent.glob("*broken*"))
