"""Histories to test with: a file of SQLite, and a database of a PostgreSQL server that runs for these tests alone."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC
from pathlib import Path

import pytest
from faults.ends import SCRATCH
from store.house import Clock, Table
from store.postgres import Server, server

from cribboard.store import Store, open_store


@pytest.fixture(scope="session")
def postgres() -> Iterator[Server]:
    with server() as running:
        yield running


@pytest.fixture
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder in memory, where there is one."""
    import tempfile

    with tempfile.TemporaryDirectory(dir=SCRATCH) as name:
        yield Path(name)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, folder: Path) -> str:
    if request.param == "sqlite":
        return f"sqlite:///{folder}/kiosk.db"
    running: Server = request.getfixturevalue("postgres")
    return running.database()


@pytest.fixture
def store(url: str, clock: Clock) -> Iterator[Store]:
    opened = open_store(url, clock=clock, zone=UTC)
    yield opened
    opened.close()


@pytest.fixture
def table(store: Store) -> Table:
    return Table(store)
