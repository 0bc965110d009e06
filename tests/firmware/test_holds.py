"""The one table of what is done by holding keys, and the hold of keys that are down when the power comes."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from firmware.chip import Chip

from cribboard_fw.app import App
from cribboard_fw.at_power_on import STUCK_MS, AtPowerOn
from cribboard_fw.buttons import AT_POWER_ON, DEAL, HOLDS, IN_PLAY, LONG_MS, OK, PLUS_1, PLUS_5, UNDO, find
from cribboard_fw.clock import WRAP
from cribboard_fw.nvm import Choice
from cribboard_fw.setup import Setup

README = Path(__file__).parents[2] / "firmware" / "README.md"
KEYS = {PLUS_1: "+1", PLUS_5: "+5", OK: "OK", UNDO: "UNDO", DEAL: "DEAL"}
SHARED = 6  # UNDO's number with two places
BOTH = [SHARED, SHARED + 1]


def test_no_two_holds_are_of_the_same_keys_at_the_same_time() -> None:
    assert len({hold[1:3] for hold in HOLDS}) == len(HOLDS)
    assert len({hold[0] for hold in HOLDS}) == len(HOLDS)


def test_each_hold_can_be_found_and_other_keys_are_none() -> None:
    for hold in HOLDS:
        assert find(hold[1], hold[2]) is hold
        assert list(hold[2]) == sorted(hold[2])
    assert find(AT_POWER_ON, (UNDO,)) is None
    assert find(IN_PLAY, (UNDO, DEAL)) is None


@pytest.mark.parametrize("mode", [App, Setup])
def test_a_mode_carries_out_each_of_its_holds(mode: type[App | Setup]) -> None:
    named = [hold[0] for hold in HOLDS if hold[1] == mode.where]
    assert named and all(hasattr(mode, name) for name in named)


def test_the_readme_has_every_hold_and_its_time() -> None:
    text = README.read_text("utf-8")
    for _, where, keys, ms in HOLDS:
        names = " and ".join(KEYS[key] for key in keys)
        rows = [row for row in text.splitlines() if row.startswith("|") and re.search(rf"{re.escape(names)}\b", row)]
        rows = [row for row in rows if ("power-on" in row.split("|")[1]) == (where == AT_POWER_ON)]
        assert any(re.search(r"\bheld\b|\bhold\b", row) for row in rows), names
        said = {LONG_MS: "three seconds", 2000: "two seconds", 1000: "a second", 700: "while"}[ms]
        assert any(said in row for row in rows), (names, said)


def test_undo_and_deal_take_effect_when_they_are_let_go_after_three_seconds() -> None:
    hold = AtPowerOn(BOTH, SHARED, WRAP - 1000)
    assert [hold.step(None, (WRAP - 1000 + ms) % WRAP) for ms in (0, 1500, 2999, 3000, 9000)] == [0, 4, 7, 8, 8]
    assert hold.name == ""
    assert hold.step((SHARED, False, 0), 9000) == -1
    assert hold.name == "repl"
    assert hold.step(None, 9100) == -1


@pytest.mark.parametrize(
    "down", [[], [SHARED], [SHARED + 1], [0, 1], [0, *BOTH], [3 + OK, *BOTH], [*BOTH, SHARED], list(range(8))]
)
def test_any_other_keys_that_are_down_are_no_hold(down: list[int]) -> None:
    hold = AtPowerOn(down, SHARED, 0)
    assert hold.step(None, 0) == -1
    assert hold.step((SHARED, False, 5000), 5000) == -1
    assert hold.name == ""


@pytest.mark.parametrize("edge", [(SHARED, False, 0), (SHARED + 1, False, 0), (PLUS_1, True, 0)])
def test_a_key_let_go_too_early_or_another_one_ends_it(edge: tuple[int, bool, int]) -> None:
    hold = AtPowerOn(BOTH, SHARED, 0)
    assert hold.step(edge, 2999) == -1
    assert hold.step((SHARED, False, 0), 4000) == -1
    assert hold.name == ""


def test_another_key_ends_it_also_after_three_seconds() -> None:
    hold = AtPowerOn(BOTH, SHARED, 0)
    assert hold.step((PLUS_1, True, 0), 3500) == -1
    assert hold.name == ""


def test_stuck_keys_end_it_by_themselves() -> None:
    hold = AtPowerOn(BOTH, SHARED, 0)
    assert hold.step(None, STUCK_MS) == 8
    assert hold.step(None, STUCK_MS + 1) == -1
    assert hold.step((SHARED, False, 0), STUCK_MS + 2) == -1
    assert hold.name == ""


@pytest.fixture
def chip(monkeypatch: pytest.MonkeyPatch) -> Chip:
    chip = Chip(monkeypatch)
    chip.life(400)
    return chip


def test_held_at_power_on_undo_and_deal_show_how_far_they_are_and_end_the_program(chip: Chip) -> None:
    chip.down = BOTH
    start = chip.now
    chip.edges = [(number, False, start + 4_000) for number in BOTH]
    with pytest.raises(SystemExit):
        chip.life(60_000)
    assert 3_900 < chip.now - start < 4_300
    lit = [sum(map(bool, picture)) for picture in chip.strips[0].shown]
    assert lit == sorted(lit) and len(set(lit)) == 9
    assert chip.watchdog.fed > 300
    assert chip.watchdog.mode is None
    assert chip.resets == 0


def test_keys_that_are_held_at_power_on_are_known_to_a_board_that_is_slow_to_start(
    chip: Chip, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("firmware.chip.STEP_MS", 12)  # longer than it waits for them, as on a busy computer
    chip.down = BOTH
    chip.edges = [(number, False, chip.now + 4_000) for number in BOTH]
    with pytest.raises(SystemExit):
        chip.life(60_000)


def test_held_at_power_on_ok_and_undo_let_the_settings_count_again(chip: Chip) -> None:
    choice = Choice(chip.flash, 30, 0)  # type: ignore[arg-type]
    choice.choose(100, -1, 5)
    choice.keep()
    chip.down = [OK, SHARED]
    start = chip.now
    chip.edges = [(number, False, start + 4_000) for number in chip.down]
    chip.life(8_000)
    restarted = Choice(chip.flash, 30, 0)  # type: ignore[arg-type]
    assert (restarted.brightness, restarted.commit_s) == (30, 0)
    assert chip.watchdog.mode is not None, "the board plays"


@pytest.mark.parametrize("down", [[SHARED], [0], BOTH, [0, 1, 2]])
def test_stuck_keys_do_not_keep_the_board_from_starting(chip: Chip, down: list[int]) -> None:
    chip.down = down
    chip.life(STUCK_MS + 1_000)
    fed = chip.watchdog.fed
    assert fed > 500
    assert sum(map(bool, chip.strips[0].shown[-1])) < 10, "how far it is stays lit"
