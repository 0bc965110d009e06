"""Brightness and sound that people choose at the board, over power cuts, erases and changes of settings.toml."""

from __future__ import annotations

from random import Random

import pytest
from firmware.rig import Rig

from cribboard.sim.flash import Cut, Flash, PowerCut
from cribboard_core.journal import Journal
from cribboard_core.match import Match
from cribboard_fw.nvm import OFF, ON, QUIET, STEPS, Choice, Faults


@pytest.fixture
def nvm() -> bytearray:
    return bytearray(b"\xff" * 4096)


def again(nvm: bytearray, brightness: int = 30, sound: int = ON) -> Choice:
    """As after a start."""
    return Choice(nvm, brightness, sound)


def what(choice: Choice) -> tuple[int, int]:
    return choice.brightness, choice.sound


def test_without_a_choice_the_settings_count_and_nothing_is_written(nvm: bytearray) -> None:
    choice = again(nvm, 45)
    assert what(choice) == (45, ON)
    choice.keep()
    assert nvm == b"\xff" * 4096


@pytest.mark.parametrize(
    ("settings", "steps"),
    [(30, [60, 100, 10, 30]), (45, [60, 100, 10, 30]), (5, [10, 30, 60, 100]), (100, [10, 30, 60, 100])],
)
def test_brightness_goes_on_from_the_settings_in_four_steps_and_round_again(
    nvm: bytearray, settings: int, steps: list[int]
) -> None:
    choice = again(nvm, settings)
    seen = []
    for _ in range(4):
        choice.brighter()
        seen.append(choice.brightness)
        assert STEPS[choice.step - 1] == choice.brightness
    assert seen == steps


def test_sound_goes_round_off_quiet_and_on(nvm: bytearray) -> None:
    choice = again(nvm)
    seen = []
    for _ in range(4):
        choice.louder()
        seen.append(choice.sound)
    assert seen == [OFF, QUIET, ON, OFF]


@pytest.mark.parametrize("sound", [OFF, QUIET, ON])
@pytest.mark.parametrize("brightness", STEPS)
def test_every_choice_outlasts_the_power_and_is_written_once(nvm: bytearray, brightness: int, sound: int) -> None:
    choice = again(nvm)
    while choice.brightness != brightness:
        choice.brighter()
    while choice.sound != sound:
        choice.louder()
    choice.keep()
    written = bytes(nvm)
    choice.keep()
    assert bytes(nvm) == written
    assert what(again(nvm)) == (brightness, sound)


def test_to_choose_the_sound_leaves_the_brightness_to_the_settings(nvm: bytearray) -> None:
    choice = again(nvm, 45)
    choice.louder()
    choice.keep()
    assert what(again(nvm, 45)) == (45, OFF)
    assert what(again(nvm, 50)) == (50, OFF)


def test_another_brightness_in_the_settings_wins_over_the_older_choice_for_good(nvm: bytearray) -> None:
    choice = again(nvm)
    choice.brighter()
    choice.louder()
    choice.keep()
    changed = again(nvm, 20)
    assert what(changed) == (20, OFF)
    changed.keep()
    assert what(again(nvm, 30)) == (30, OFF)


def test_the_journals_erase_takes_the_choice_and_keeping_it_brings_it_back(nvm: bytearray) -> None:
    choice = again(nvm)
    choice.brighter()
    choice.keep()
    nvm[:] = b"\xff" * 4096
    choice.keep()
    assert what(again(nvm)) == (60, ON)


def test_when_all_marks_are_used_a_choice_counts_until_the_power_goes_and_after_the_next_erase(nvm: bytearray) -> None:
    choice = again(nvm)
    for _ in range(20):
        choice.brighter()
        choice.keep()
    assert nvm[252:256] == b"\xff" * 4, "the page that a journal begins with is not written again"
    assert choice.brightness == 30
    assert again(nvm).brightness != 30
    Faults(nvm).fault()
    assert Faults(nvm).in_a_row == 1, "there is room for faults"
    nvm[:] = b"\xff" * 4096
    choice.keep()
    assert what(again(nvm)) == (30, ON)


def test_choices_and_faults_do_not_disturb_each_other_nor_the_journal() -> None:
    flash = Flash(bytearray(b"\xff" * 4096))
    match = Match()
    journal = Journal(flash)
    journal.mount(match, 1)
    choice = Choice(flash, 30, ON)  # type: ignore[arg-type]
    for rev in (1, 2):
        journal.append(match, (2, 0, 1, 0, 0))
        Faults(flash).fault()  # type: ignore[arg-type]
        choice.brighter()
        choice.keep()
        assert Faults(flash).in_a_row == rev  # type: ignore[arg-type]
        assert what(Choice(flash, 30, ON)) == what(choice)  # type: ignore[arg-type]
    Faults(flash).well()  # type: ignore[arg-type]
    choice.louder()
    choice.keep()
    assert Faults(flash).in_a_row == 0  # type: ignore[arg-type]
    assert Journal(flash).mount(Match(), 2)
    assert flash.erases == 0


@pytest.mark.parametrize("seed", [None, *range(20)])
@pytest.mark.parametrize("after", range(4))
def test_a_cut_leaves_the_choice_before_or_after_and_the_next_one_can_be_made(after: int, seed: int | None) -> None:
    flash = Flash(bytearray(b"\xff" * 4096))
    choice = Choice(flash, 30, ON)  # type: ignore[arg-type]
    choice.brighter()
    choice.keep()
    before = what(choice)
    choice.louder()
    flash.cut = Cut(flash.changed + after, None if seed is None else Random(seed))
    with pytest.raises(PowerCut):
        choice.keep()
    left = Flash(flash.memory)
    found = Choice(left, 30, ON)  # type: ignore[arg-type]
    assert what(found) in (before, what(choice))
    assert Faults(left).in_a_row == 0  # type: ignore[arg-type]
    found.brighter()
    found.keep()
    assert what(Choice(left, 30, ON)) == what(found)  # type: ignore[arg-type]


def test_no_four_faults_look_like_a_choice(nvm: bytearray) -> None:
    faults = Faults(nvm)
    for number in range(40):
        if number % 3:
            faults.fault()
        else:
            faults.well()
        assert what(again(nvm)) == (30, ON)


@pytest.mark.parametrize("first", [5, 7, 3 << 3, 0x46])
def test_what_another_firmware_may_have_chosen_is_passed_over(first: int, nvm: bytearray) -> None:
    nvm[4092:4096] = bytes([first, first ^ 255, 30, 30 ^ 255])
    assert what(again(nvm)) == (30, ON)


def test_a_choice_is_there_again_after_the_journals_own_erase() -> None:
    """Made in the set-up, and erased by a game that fills the journal."""
    rig = Rig(nvm=Flash())  # type: ignore[arg-type]
    rig.open_setup()
    rig.tap(0, 800)
    rig.undo()
    assert rig.choice.brightness == 60
    for number in range(400):
        rig.ask("set", 7 + number // 255, number % 255 + 1, 0, number % 100, 0)
    assert rig.nvm.erases > 0  # type: ignore[attr-defined]
    rig.boot()
    assert rig.choice.brightness == 60
