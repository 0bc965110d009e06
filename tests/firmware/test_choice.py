"""What people choose at the board or from a host, over power cuts, erases and changes of settings.toml."""

from __future__ import annotations

from random import Random

import pytest
from firmware.rig import Rig

from cribboard.sim.flash import Cut, Flash, PowerCut
from cribboard_core.journal import Journal, Sector
from cribboard_core.match import Match
from cribboard_fw.buttons import PLUS_1, PLUS_5
from cribboard_fw.nvm import MOST_COMMIT_S, OFF, ON, QUIET, SILENT, STEPS, Choice, Faults, used


@pytest.fixture
def nvm() -> bytearray:
    return bytearray(b"\xff" * 4096)


def again(nvm: bytearray, brightness: int = 30, commit_s: int = 0) -> Choice:
    """As after a start."""
    return Choice(nvm, brightness, commit_s)


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
    choice = Choice(flash, 30, 0)  # type: ignore[arg-type]
    for rev in (1, 2):
        journal.append(match, (2, 0, 1, 0, 0))
        Faults(flash).fault()  # type: ignore[arg-type]
        choice.brighter()
        choice.keep()
        assert Faults(flash).in_a_row == rev  # type: ignore[arg-type]
        assert what(Choice(flash, 30, 0)) == what(choice)  # type: ignore[arg-type]
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
    choice = Choice(flash, 30, 0)  # type: ignore[arg-type]
    choice.brighter()
    choice.keep()
    before = what(choice)
    choice.louder()
    flash.cut = Cut(flash.changed + after, None if seed is None else Random(seed))
    with pytest.raises(PowerCut):
        choice.keep()
    left = Flash(flash.memory)
    restarted = Choice(left, 30, 0)  # type: ignore[arg-type]
    assert what(restarted) in (before, what(choice))
    assert Faults(left).in_a_row == 0  # type: ignore[arg-type]
    restarted.brighter()
    restarted.keep()
    assert what(Choice(left, 30, 0)) == what(restarted)  # type: ignore[arg-type]


@pytest.mark.parametrize("settings", [0, 1, 10, 11, 59])
@pytest.mark.parametrize("commit_s", range(MOST_COMMIT_S + 1))
def test_a_time_to_commit_outlasts_the_power_until_the_settings_have_another(
    nvm: bytearray, commit_s: int, settings: int
) -> None:
    choice = again(nvm, commit_s=settings)
    choice.choose(-1, -1, commit_s)
    choice.keep()
    written = bytes(nvm)
    choice.keep()
    assert bytes(nvm) == written
    assert again(nvm, commit_s=settings).commit_s == commit_s
    assert what(again(nvm, commit_s=settings)) == (30, ON)
    changed = again(nvm, commit_s=settings + 1)
    assert changed.commit_s == settings + 1
    changed.keep()
    assert again(nvm, commit_s=settings).commit_s == settings, "the choice was not forgotten for good"


def test_no_two_times_to_commit_are_written_alike_and_that_of_the_settings_is_not_written(nvm: bytearray) -> None:
    written = set()
    for settings in range(61):
        for commit_s in range(MOST_COMMIT_S + 1):
            nvm[:] = b"\xff" * 4096
            choice = again(nvm, commit_s=settings)
            choice.choose(-1, -1, commit_s)
            choice.keep()
            assert (nvm[4092:] == b"\xff" * 4) == (commit_s == settings)
            written.add(bytes(nvm[4092:]))
    assert len(written) == 61 * 11 - 11 + 1


def test_brightness_sound_and_time_are_kept_beside_each_other_and_through_an_erase(nvm: bytearray) -> None:
    choice = again(nvm)
    choice.choose(100, -1, -1)
    choice.keep()
    choice.choose(-1, -1, 5)
    choice.keep()
    choice.louder()
    choice.keep()
    restarted = again(nvm)
    assert (*what(restarted), restarted.commit_s) == (100, OFF, 5)
    nvm[:] = b"\xff" * 4096
    restarted.keep()
    restarted = again(nvm)
    assert (*what(restarted), restarted.commit_s) == (100, OFF, 5)


@pytest.mark.parametrize("chosen", [(60, -1, -1), (-1, OFF, -1), (-1, -1, 5)])
def test_each_choice_takes_one_place_and_the_same_again_takes_none(
    nvm: bytearray, chosen: tuple[int, int, int]
) -> None:
    choice = again(nvm)
    choice.choose(10, QUIET, 3)
    choice.keep()
    before = used(nvm)
    for _ in range(2):
        choice.choose(*chosen)
        choice.keep()
        assert used(nvm) == before + 4


@pytest.mark.parametrize("sound", [OFF, QUIET, ON])
@pytest.mark.parametrize("brightness", STEPS)
def test_a_choice_of_firmware_1_0_is_read(nvm: bytearray, brightness: int, sound: int) -> None:
    """A step of brightness from 1 | sound << 3, the brightness of settings.toml, and the complement of each."""
    first = STEPS.index(brightness) + 1 | sound << 3
    nvm[4092:] = bytes([first, first ^ 255, 30, 30 ^ 255])
    restarted = again(nvm, commit_s=4)
    assert (*what(restarted), restarted.commit_s) == (brightness, sound, 4)
    written = bytes(nvm)
    restarted.keep()
    assert bytes(nvm) == written, "it is as this firmware writes it"


@pytest.mark.parametrize(
    ("settings", "commit_s"), [(0, 1), (0, 6), (0, 10), *((60, seconds) for seconds in range(MOST_COMMIT_S + 1))]
)
def test_firmware_1_0_takes_a_time_to_commit_for_a_choice_with_the_same_sound(
    nvm: bytearray, settings: int, commit_s: int
) -> None:
    """It knew a step up to 4 and a sound up to 2, and took the step only with the brightness of its settings."""
    choice = again(nvm, commit_s=settings)
    choice.choose(-1, QUIET, -1)
    choice.keep()
    choice.choose(-1, -1, commit_s)
    choice.keep()
    first, second, third, fourth = nvm[4092 - 256 : 4096 - 256]
    assert first ^ second == third ^ fourth == 0xFF
    assert first & 7 <= 4 and first >> 3 == QUIET and third > 100
    assert Faults(nvm).in_a_row == 0


def test_what_is_forgotten_stays_so(nvm: bytearray) -> None:
    choice = again(nvm, 45, commit_s=7)
    choice.choose(10, OFF, 3)
    choice.keep()
    choice.forget()
    choice.keep()
    for each in (choice, again(nvm, 45, commit_s=7)):
        assert (*what(each), each.commit_s) == (45, ON, 7)
    assert again(nvm, 45, commit_s=8).commit_s == 8


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


@pytest.mark.parametrize("torn", [(0, 255, 162, 255), (0, 0, 162, 93)])
def test_a_choice_of_which_a_half_is_torn_is_none(torn: tuple[int, ...], nvm: bytearray) -> None:
    nvm[4092:] = bytes(torn)
    assert (*what(again(nvm)), again(nvm).commit_s) == (30, ON, 0)


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


PIEZO = 'PIEZO_PIN = "GP22"'


def light(rig: Rig) -> int:
    """What all channels of a track sum up to."""
    return sum(sum(colour.to_bytes(3, "big")) for colour in rig.strips[0].shown[-1])


def test_a_host_changes_a_running_board_at_once_and_the_last_change_wins() -> None:
    rig = Rig(settings=PIEZO)
    rig.run(200)
    dim = light(rig)
    assert rig.ask("choose", 1, -1, -1, -1) == ["choose", 1, 30, ON, 0, 1]
    assert rig.nvm[4092:] == b"\xff" * 4, "to ask writes nothing"
    assert rig.ask("choose", 2, 100, QUIET, 3) == ["choose", 2, 100, QUIET, 3, 1]
    rig.run(200)
    assert light(rig) > 2 * dim
    assert rig.app.sound.level == QUIET
    rig.tap(PLUS_5)
    rig.run(3_200)
    assert rig.scores() == [5, 0]
    rig.boot()
    assert rig.ask("choose", 3, -1, -1, -1) == ["choose", 3, 100, QUIET, 3, 1]
    rig.open_setup()
    rig.tap(PLUS_1, 800)
    assert rig.choice.brightness == 10


def dimmed(rig: Rig, times: int) -> list[list[object]]:
    """What the board answers to a host that makes it darker and brighter by turns."""
    return [rig.ask("choose", 1 + number % 255, (10, 60)[number % 2], -1, -1) for number in range(times)]


def test_a_choice_that_finds_no_room_is_said_and_kept_from_the_next_games_first_score_on() -> None:
    rig = Rig(nvm=Flash())  # type: ignore[arg-type]
    rig.peg(0, 5)
    kept = [answer[5] for answer in dimmed(rig, 20)]
    assert kept == [1] * 15 + [0, 1, 0, 1, 0], "the fifteenth is kept, and is what every second one chooses again"
    assert rig.ask("choose", 1, -1, -1, -1) == ["choose", 1, 60, OFF, 0, 0]
    rig.peg(0, 5)
    rig.open_setup()
    rig.deal()
    assert rig.nvm.erases == 0, "no score is put at risk, and UNDO takes back the new game"  # type: ignore[attr-defined]
    rig.undo()
    assert rig.scores() == [10, 0]
    rig.redo()
    rig.peg(1, 3)
    assert rig.nvm.erases == 1  # type: ignore[attr-defined]
    assert rig.ask("choose", 1, -1, -1, -1) == ["choose", 1, 60, OFF, 0, 1]
    rig.boot()
    assert rig.choice.brightness == 60
    assert rig.scores() == [0, 3]


def test_what_is_forgotten_at_power_on_without_room_is_forgotten_for_good_with_the_next_games_first_score() -> None:
    rig = Rig(nvm=Flash())  # type: ignore[arg-type]
    dimmed(rig, 15)
    rig.choice.forget()
    rig.choice.keep()
    rig.app.__init__(rig.settings, rig, rig.app.keeper, rig.app.lights)  # type: ignore[misc]
    rig.peg(0, 5)
    rig.open_setup()
    rig.deal()
    rig.peg(0, 5)
    rig.boot()
    assert rig.choice.brightness == 30


def test_an_erase_that_a_choice_needs_is_prepared_in_idle_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    laid_out: list[Sector] = []
    lay_out = Sector.lay_out
    monkeypatch.setattr(Sector, "lay_out", lambda sector: laid_out.append(sector) or lay_out(sector))
    rig = Rig(nvm=Flash())  # type: ignore[arg-type]
    rig.peg(0, 5)
    rig.open_setup()
    rig.deal()
    rig.run(1_000)
    laid_out.clear()
    dimmed(rig, 16)
    rig.run(1_000)
    assert len(laid_out) == 1


def test_zero_seconds_wait_for_ok_whatever_the_settings_say() -> None:
    rig = Rig(settings="COMMIT_AFTER_S = 3")
    assert rig.ask("choose", 1, -1, -1, 0)[4] == 0
    rig.tap(PLUS_5)
    rig.run(20_000, 50)
    assert rig.scores() == [0, 0]


def test_a_host_silences_a_board_for_a_while_and_nothing_is_kept() -> None:
    rig = Rig(settings=PIEZO)
    assert rig.ask("choose", 1, -1, QUIET, -1)[3] == QUIET
    before = bytes(rig.nvm)
    assert rig.ask("choose", 2, -1, SILENT, -1)[3] == QUIET
    assert (rig.app.sound.level, rig.choice.sound, bytes(rig.nvm)) == (OFF, QUIET, before)
    rig.ask("choose", 3, -1, QUIET, -1)
    assert (rig.app.sound.level, bytes(rig.nvm)) == (QUIET, before)
    rig.ask("choose", 4, -1, SILENT, -1)
    rig.open_setup()
    rig.tap(PLUS_5, 800)
    assert rig.app.sound.level == rig.choice.sound == ON, "who chooses at the board is heard"
    rig.ask("choose", 5, -1, SILENT, -1)
    rig.boot()
    assert rig.app.sound.level == ON
    assert rig.ask("choose", 6, -1, SILENT + 1, -1)[0] == "no"


def test_a_sound_is_not_chosen_on_a_board_without_a_piezo() -> None:
    rig = Rig()
    assert rig.ask("choose", 1, -1, ON, -1) == ["choose", 1, 30, OFF, 0, 1]
    assert rig.app.sound.level == OFF and rig.nvm[4092:] == b"\xff" * 4


def test_a_link_without_an_app_knows_no_choices() -> None:
    """As firmware 1.0."""
    rig = Rig()
    rig.app.link._take = None
    assert "choose" not in str(rig.ask("hello", 1, 2)[-1])
    assert rig.ask("choose", 1, -1, -1, -1)[:4] == ["no", 0, 0, "op"]
