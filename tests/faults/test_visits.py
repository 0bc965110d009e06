"""Some of the night that `visits` can make longer."""

from __future__ import annotations

import pytest
from faults.visits import MOST_GROWN, visits


@pytest.mark.long
def test_pages_that_come_and_go_leave_nothing_behind(tmp_path, monkeypatch):
    monkeypatch.setenv("CRIBBOARD_HOME", str(tmp_path))
    grown, left = visits(tmp_path, 400, 1)
    assert not left
    assert grown < MOST_GROWN
