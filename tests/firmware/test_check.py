"""A board whose flash could not be read whole says so until somebody touches it: the front pegs blink."""

from __future__ import annotations

import itertools

import pytest
from firmware.rig import OK, PLUS_1, Rig

from cribboard_core.records import SLOT, place


def begun(settings: str = "") -> Rig:
    rig = Rig(settings=settings)
    rig.peg(0, 9)
    rig.peg(1, 6)
    rig.peg(0, 2)
    return rig


def weakened(rig: Rig, records: int) -> None:
    """So many of the newest records read wrong, and the board is switched off and on."""
    for slot in rig.app.keeper.journal.log.kept[-records:]:
        at = place(slot)
        rig.nvm[at : at + SLOT] = bytes(range(SLOT))
    rig.boot()


def blinking(rig: Rig) -> list[set[int]]:
    """The LEDs of each track that go on and off more often than a peg that tells its place."""
    seen: list[list[list[bool]]] = []
    for _ in range(80):
        rig.run(25)
        seen.append([[bool(pixel) for pixel in strip] for strip in rig.strips])
    leds: list[set[int]] = []
    for track, strip in enumerate(rig.strips):
        lit = [[frame[track][led] for frame in seen] for led in range(len(strip))]
        changes = [sum(one != other for one, other in itertools.pairwise(led)) for led in lit]
        leds.append({led for led, count in enumerate(changes) if count > 4})
    return leds


def test_a_board_that_has_read_all_of_its_flash_shows_the_game_at_once() -> None:
    rig = begun()
    rig.boot()
    assert blinking(rig) == [set(), set()]


@pytest.mark.parametrize(("records", "pegs"), [(1, [{8, 120}, {5}]), (2, [{8, 120}, set()])])
def test_a_board_that_may_have_lost_something_blinks_its_front_pegs_until_a_button_is_touched(
    records: int, pegs: list[set[int]]
) -> None:
    rig = begun()
    weakened(rig, records)
    assert blinking(rig) == pegs
    rig.tap(PLUS_1)
    rig.tap(OK)
    rig.run(3_000)
    assert blinking(rig) == [set(), set()]
    assert rig.match.front(0) == 10
    rig.boot()
    assert blinking(rig) == [set(), set()]


def test_it_is_heard_too() -> None:
    rig = begun('PIEZO_PIN = "GP15"')
    rig.boot()
    rig.run(1_000)
    assert not any(rig.tones)
    weakened(rig, 1)
    rig.run(1_000)
    assert any(rig.tones)


def test_an_event_of_a_host_that_has_given_back_what_was_lost_ends_it() -> None:
    rig = begun()
    weakened(rig, 1)
    assert blinking(rig) != [set(), set()]
    rig.peg(0, 2)
    rig.run(1_000)
    assert blinking(rig) == [set(), set()]
