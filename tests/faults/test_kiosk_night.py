"""Some minutes of a kiosk's night; the whole night, in which memory has to be flat, is played by a command."""

from __future__ import annotations

import sys

import pytest
from faults import kiosk_night
from faults.kiosk_night import MOST_GROWTH, Night

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the virtual board needs pseudo-terminals")


@pytest.mark.long
def test_the_board_stands_as_all_were_told() -> None:
    night = kiosk_night.run(200, 1, warm=100)
    assert night.orders == 300
    assert night.right
    assert night.games > 2


@pytest.mark.parametrize(
    ("night", "status"),
    [
        (Night(right=True, grown=MOST_GROWTH), 0),
        (Night(right=True, grown=MOST_GROWTH + 1), 1),
        (Night(right=False), 1),
    ],
)
def test_the_exit_status_says_whether_all_was_well(night: Night, status: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kiosk_night, "run", lambda *asked, **options: night)
    monkeypatch.setattr(sys, "argv", ["kiosk_night"])
    assert kiosk_night.main() == status
