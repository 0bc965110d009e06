"""Two tables with real virtual boards for the tests of a module, and a kiosk of its own for each test."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from anyio.from_thread import BlockingPortal, start_blocking_portal
from web.rig import Rig, Served, running, wait_until

from cribboard.store import open_store
from cribboard.web import secrets
from cribboard.web.finder import add_virtual
from cribboard.web.limits import Limits
from cribboard.web.tables import Tables, TableServices

TABLES = ("web-one", "web-two")


@pytest.fixture(autouse=True)
def _cheap_pins(monkeypatch: pytest.MonkeyPatch) -> None:
    """A kiosk's PIN is made and looked at without the work that keeps it from being guessed."""
    monkeypatch.setitem(secrets.COST, "n", 2)


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TableServices]:
    folder = tmp_path_factory.mktemp("house")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CRIBBOARD_HOME", str(folder))
        store = open_store()
        house = TableServices(Tables(folder), store)
        try:
            for name in TABLES:
                add_virtual(house, name)
            wait_until(lambda: all(service.view.standing for service in house.services.values()))
            yield house
        finally:
            house.stop()
            store.close()


@pytest.fixture(scope="module")
def portal() -> Iterator[BlockingPortal]:
    with start_blocking_portal() as portal:
        yield portal


@pytest.fixture
def rig(house: TableServices, portal: BlockingPortal, tmp_path: Path) -> Iterator[Rig]:
    with running(house, tmp_path, portal) as rig:
        yield rig


@pytest.fixture
def rigs(house: TableServices, portal: BlockingPortal, tmp_path: Path) -> Iterator[Callable[..., Rig]]:
    """Makes kiosks with limits of their own, or one again after another from the same folder."""
    with ExitStack() as stack:
        yield lambda limits=None: stack.enter_context(running(house, tmp_path, portal, limits))


@pytest.fixture
def serve(house: TableServices, tmp_path: Path) -> Iterator[Callable[..., Served]]:
    """Starts servers."""
    with ExitStack() as stack:
        yield lambda limits=None: stack.enter_context(Served(house, tmp_path, limits or Limits()))
