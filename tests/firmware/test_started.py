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
    assert flags_of(Chip(monkeypatch, Flash()), reason) == flags


def flags_of(chip: Chip, reason: str = "POWER_ON") -> object:
    chip.port.inbox = encode(["hello", 7, 2])
    chip.life(400, reason)
    (hello,) = [said for said in Lines().feed(chip.port.outbox) if said[0] == "hello"]
    return hello[11]


class Rewritten(Flash):
    """The nvm of CircuitPython's Zephyr port: as large as that for RP2 chips, and each write rewrites all of it."""

    def __setitem__(self, where: slice, value: bytes | bytearray) -> None:
        whole = bytearray(self.memory)
        whole[where] = value
        self.memory[:] = b"\xff" * len(whole)
        super().__setitem__(slice(0, len(whole)), whole)
        self.erases += 1


@pytest.mark.parametrize(
    ("sysname", "board_id", "promised"),
    [
        ("RP2040", "raspberry_pi_pico", 1),
        ("rp2350", "raspberry_pi_pico2", 1),
        ("RP2040", "somebodys_own", 1),
        ("RP2040", "rpi_pico_zephyr", 0),
        ("rp2350", "raspberrypi_rpi_pico2_zephyr", 0),
        ("Zephyr", "raspberry_pi_pico", 0),
        ("samd51", "feather_m4_express", 0),
        ("RP2040", "", 0),
    ],
)
def test_the_journals_promise_is_made_only_where_it_is_known_to_hold(
    monkeypatch: pytest.MonkeyPatch, sysname: str, board_id: str, promised: int
) -> None:
    chip = Chip(monkeypatch, Flash() if promised else Rewritten())
    assert len(chip.flash) == 4096
    chip.sysname, chip.board_id = sysname, board_id
    assert flags_of(chip) == promised


def test_a_board_that_promises_nothing_plays_and_keeps_its_score(monkeypatch: pytest.MonkeyPatch) -> None:
    chip = Chip(monkeypatch, Rewritten())
    chip.sysname = "Zephyr"
    chip.port.inbox = encode(["peg", 7, 1, 0, 5])
    chip.life(400)
    assert chip.flash.erases
    chip.port.inbox = encode(["state", 7])
    chip.life(400)
    (state,) = [said for said in Lines().feed(chip.port.outbox) if said[0] == "state"]
    assert state[2] == 1 and state[11] == "05000000"
