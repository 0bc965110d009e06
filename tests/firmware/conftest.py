"""What several of these tests begin with."""

import pytest
from firmware.keeping import Board


@pytest.fixture
def board() -> Board:
    return Board()
