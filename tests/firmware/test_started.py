"""A board says in hello what its last start was."""

from __future__ import annotations

import pytest
from firmware.chip import Chip

from cribboard.sim.flash import Flash
from cribboard_core.wire import Lines, encode


@pytest.mark.parametrize(("reason", "flags"), [("POWER_ON", 1), ("RESET_PIN", 1), ("BROWNOUT", 3), ("WATCHDOG", 5)])
def test_hello_tells_a_dip_of_the_supply_and_the_watchdog(
    monkeypatch: pytest.MonkeyPatch, reason: str, flags: int
) -> None:
    chip = Chip(monkeypatch, Flash())
    chip.port.inbox = encode(["hello", 7, 2])
    chip.life(200, reason)
    (hello,) = [said for said in Lines().feed(chip.port.outbox) if said[0] == "hello"]
    assert hello[11] == flags
