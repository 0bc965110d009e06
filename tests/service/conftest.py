"""A virtual board, and a service that holds it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from service.at_board import Ear, served

from cribboard.service.service import Service
from cribboard.sim.board import VirtualBoard


@pytest.fixture
def virtual() -> Iterator[VirtualBoard]:
    with VirtualBoard(name="held") as board:
        yield board


@pytest.fixture
def kiosk(virtual: VirtualBoard) -> Iterator[tuple[Service, Ear]]:
    with served(virtual) as (service, ear):
        yield service, ear
