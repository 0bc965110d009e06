"""A kiosk killed with signal 9 while phones and a terminal score: nothing is lost, nothing counts twice."""

from __future__ import annotations

import sys

import pytest
from faults import kiosk

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the virtual board needs pseudo-terminals")


@pytest.mark.long
def test_a_kiosk_killed_again_and_again_loses_and_doubles_nothing() -> None:
    orders = 15
    result = kiosk.run(kills=3, seed=1, orders=orders)
    assert result.scores == (orders, orders, orders)
    assert len(set(result.revs)) == 2 * orders
    assert sum(result.rows) == 3 * orders
    assert result.kills >= 2
