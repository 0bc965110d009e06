"""Buttons: taps, repeats and holds from the edges of keys, at times that a test makes up."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cribboard_fw.buttons import BOUNCE_MS, HOLDS, IN_PLAY, IN_SET_UP, MOST_REPEATS, REPEAT_AFTER_MS, Buttons
from cribboard_fw.clock import WRAP

PLACES = [0, 2, 5]
UNDO, DEAL = 9, 10
TELL_MS, UNDO_HOLD_MS, DEAL_HOLD_MS = (
    next(hold[3] for hold in HOLDS if hold[0] == name) for name in ("tell", "redo", "set_up")
)
STEP_MS = next(hold[3] for hold in HOLDS if hold[0] == "brighter")


class Mode:
    """Notes what the buttons mean."""

    def __init__(self) -> None:
        self.where = IN_PLAY
        self.calls: list[tuple[object, ...]] = []

    def __getattr__(self, name: str) -> object:
        return lambda *args: self.calls.append((name, *args))

    def take(self) -> list[tuple[object, ...]]:
        calls, self.calls = self.calls, []
        return calls


@pytest.fixture
def mode() -> Mode:
    return Mode()


@pytest.fixture
def buttons(mode: Mode) -> Buttons:
    return Buttons(PLACES, mode)


def held(buttons: Buttons, start: int, ms: int, step: int = 5) -> None:
    """Let time pass with the keys as they are."""
    for now in range(start, start + ms + 1, step):
        buttons.step(now % WRAP)


@pytest.mark.parametrize(
    ("key", "call"),
    [
        (0, ("plus", 0, 1)),
        (1, ("plus", 0, 5)),
        (2, ("ok", 0)),
        (3, ("plus", 2, 1)),
        (7, ("plus", 5, 5)),
        (8, ("ok", 5)),
    ],
)
def test_the_keys_of_a_place_take_effect_when_pressed(
    key: int, call: tuple[object, ...], buttons: Buttons, mode: Mode
) -> None:
    buttons.key(key, True, 100)
    assert mode.take() == [call]
    buttons.key(key, False, 160)
    assert mode.take() == []


@pytest.mark.parametrize(("key", "call"), [(UNDO, "undo"), (DEAL, "deal")])
def test_the_shared_keys_take_effect_when_let_go(key: int, call: str, buttons: Buttons, mode: Mode) -> None:
    buttons.key(key, True, 100)
    assert mode.take() == ([("undo_down",)] if key == UNDO else [])
    held(buttons, 100, 60)
    assert mode.take() == []
    buttons.key(key, False, 160)
    held(buttons, 160, BOUNCE_MS - 1, 1)
    assert mode.take() == []
    buttons.step(160 + BOUNCE_MS)
    assert mode.take() == [(call,)]


def test_plus_one_repeats_while_held_and_then_faster(buttons: Buttons, mode: Mode) -> None:
    buttons.key(3, True, 1000)
    times = []
    for now in range(1000, 3000):
        buttons.step(now)
        times += [now - 1000] * mode.take().count(("plus", 2, 1))
    assert times[:9] == [0, 500, 720, 940, 1160, 1280, 1400, 1520, 1640]
    buttons.key(3, False, 3000)
    held(buttons, 3000, 1000)
    assert mode.take() == []


def test_the_first_repeat_waits_half_a_second(buttons: Buttons, mode: Mode) -> None:
    buttons.key(0, True, 0)
    mode.take()
    buttons.step(REPEAT_AFTER_MS - 1)
    assert mode.take() == []
    buttons.step(REPEAT_AFTER_MS)
    assert mode.take() == [("plus", 0, 1)]


def test_a_late_step_repeats_once_a_step(buttons: Buttons, mode: Mode) -> None:
    buttons.key(0, True, 0)
    mode.take()
    buttons.step(800)
    assert mode.take() == [("plus", 0, 1)]
    buttons.step(801)
    assert mode.take() == [("plus", 0, 1)]
    buttons.step(802)
    assert mode.take() == []


def test_plus_five_does_not_repeat(buttons: Buttons, mode: Mode) -> None:
    buttons.key(1, True, 0)
    mode.take()
    held(buttons, 0, 5000)
    assert mode.take() == []


def test_ok_acts_at_once_and_tells_the_score_once_when_it_is_held(buttons: Buttons, mode: Mode) -> None:
    buttons.key(5, True, 0)
    assert mode.take() == [("ok", 2)]
    buttons.step(TELL_MS - 1)
    assert mode.take() == []
    held(buttons, TELL_MS, 5000)
    buttons.key(5, False, 9000)
    held(buttons, 9000, 100)
    assert mode.take() == [("tell", 2)]


@pytest.mark.parametrize(("key", "tap", "hold"), [(3, ("plus", 2, 1), "brighter"), (4, ("plus", 2, 5), "louder")])
def test_in_the_set_up_plus_keys_act_when_let_go_since_holding_them_steps(
    key: int, tap: tuple[object, ...], hold: str, buttons: Buttons, mode: Mode
) -> None:
    mode.where = IN_SET_UP
    buttons.enter(mode)
    buttons.key(key, True, 0)
    held(buttons, 0, 200)
    assert mode.take() == []
    buttons.key(key, False, 200)
    held(buttons, 200, 100)
    assert mode.take() == [tap]
    buttons.key(key, True, 1000)
    held(buttons, 1000, 3 * STEP_MS)
    buttons.key(key, False, 1000 + 3 * STEP_MS)
    held(buttons, 1000 + 3 * STEP_MS, 100)
    assert mode.take() == [(hold, 2)] * 3


@pytest.mark.parametrize(("key", "hold"), [(UNDO, "teams"), (DEAL, None)])
def test_what_the_shared_keys_do_held_in_the_set_up(key: int, hold: str | None, buttons: Buttons, mode: Mode) -> None:
    mode.where = IN_SET_UP
    buttons.enter(mode)
    buttons.key(key, True, 0)
    held(buttons, 0, 5000)
    buttons.key(key, False, 5000)
    held(buttons, 5000, 100)
    assert [call for call in mode.take() if call != ("undo_down",)] == [(hold or "deal",)]


@pytest.mark.parametrize("key", range(11))
def test_a_key_that_is_held_from_play_into_the_set_up_or_back_means_nothing_there(
    key: int, buttons: Buttons, mode: Mode
) -> None:
    for where in (IN_SET_UP, IN_PLAY):
        buttons.key(key, True, 0)
        mode.where = where
        buttons.enter(mode)
        mode.take()
        held(buttons, 0, 9000, 50)
        buttons.key(key, False, 9000)
        held(buttons, 9000, 100)
        assert mode.take() == []


@pytest.mark.parametrize("key", range(11))
def test_a_dead_press_means_nothing_until_it_is_let_go_however_it_bounces(
    key: int, buttons: Buttons, mode: Mode
) -> None:
    buttons.key(key, True, 0, dead=True)
    held(buttons, 0, 9000, 50)
    assert buttons.progress(2000) == 0
    for bounce in (9000, 9010, 9020):
        buttons.key(key, False, bounce)
        buttons.key(key, True, bounce + 5)
    buttons.key(key, False, 9030)
    held(buttons, 9030, 100)
    assert mode.take() == []
    buttons.key(key, True, 9500)
    buttons.key(key, False, 9600)
    held(buttons, 9600, 100)
    assert mode.take() != []


@pytest.mark.parametrize("key", range(11))
def test_a_key_that_was_down_before_anybody_looked_bounces_for_nothing_when_it_is_let_go(
    key: int, buttons: Buttons, mode: Mode
) -> None:
    for bounce in (100, 110):
        buttons.key(key, False, bounce)
        buttons.key(key, True, bounce + 5)
    buttons.key(key, False, 120)
    held(buttons, 120, 100)
    assert mode.take() == []


@pytest.mark.parametrize(("key", "call", "ms"), [(UNDO, "redo", UNDO_HOLD_MS), (DEAL, "set_up", DEAL_HOLD_MS)])
def test_a_hold_takes_effect_once_and_letting_go_does_nothing_more(
    key: int, call: str, ms: int, buttons: Buttons, mode: Mode
) -> None:
    buttons.key(key, True, 50)
    mode.take()
    buttons.step(50 + ms - 1)
    assert mode.take() == []
    buttons.step(50 + ms)
    assert mode.take() == [(call,)]
    held(buttons, 50 + ms, 9000)
    buttons.key(key, False, 9999)
    assert mode.take() == []


@pytest.mark.parametrize(("key", "call", "ms"), [(UNDO, "redo", UNDO_HOLD_MS), (DEAL, "set_up", DEAL_HOLD_MS)])
def test_a_hold_that_no_step_saw_takes_effect_when_let_go(
    key: int, call: str, ms: int, buttons: Buttons, mode: Mode
) -> None:
    buttons.key(key, True, 0)
    mode.take()
    buttons.key(key, False, ms)
    buttons.step(ms + BOUNCE_MS)
    assert mode.take() == [(call,)]


def test_a_press_just_after_the_step_began_is_no_hold(buttons: Buttons, mode: Mode) -> None:
    for key in (0, UNDO, DEAL):
        buttons.key(key, True, 1003)
    mode.take()
    buttons.step(1000)
    assert mode.take() == []
    assert buttons.progress(1000) == 0


def test_a_press_after_a_lost_release_counts_as_a_press(buttons: Buttons, mode: Mode) -> None:
    buttons.key(0, True, 0)
    buttons.key(0, True, 300)
    assert mode.take() == [("plus", 0, 1)] * 2
    buttons.step(300 + REPEAT_AFTER_MS - 1)
    assert mode.take() == []
    buttons.key(0, False, 900)
    buttons.key(UNDO, True, 1000)
    buttons.key(UNDO, True, 4000)
    mode.take()
    buttons.key(UNDO, False, 4100)
    buttons.step(4200)
    assert mode.take() == [("undo",)]


@pytest.mark.parametrize(
    ("key", "calls"), [(0, ["plus"]), (2, ["ok"]), (UNDO, ["undo_down", "undo"]), (DEAL, ["deal"])]
)
def test_a_contact_that_bounces_is_one_press(key: int, calls: list[str], buttons: Buttons, mode: Mode) -> None:
    for bounce in range(0, 30, 10):
        buttons.key(key, True, 100 + bounce)
        buttons.key(key, False, 105 + bounce)
        buttons.step(105 + bounce)
    for bounce in range(0, 30, 10):
        buttons.key(key, True, 130 + bounce)
        buttons.step(132 + bounce)
        buttons.key(key, False, 135 + bounce)
    held(buttons, 160, 100)
    assert [call[0] for call in mode.take()] == calls


def test_a_hold_whose_contact_bounced_is_a_hold(buttons: Buttons, mode: Mode) -> None:
    buttons.key(UNDO, True, 100)
    buttons.key(UNDO, False, 105)
    buttons.key(UNDO, True, 112)
    held(buttons, 112, UNDO_HOLD_MS)
    buttons.key(UNDO, False, 3000)
    held(buttons, 3000, 100)
    assert mode.take() == [("undo_down",), ("redo",)]


def test_presses_with_a_pause_between_them_are_two(buttons: Buttons, mode: Mode) -> None:
    for start in (100, 100 + 30 + BOUNCE_MS):
        buttons.key(0, True, start)
        buttons.key(0, False, start + 30)
    assert mode.take() == [("plus", 0, 1)] * 2


def test_what_came_up_before_another_press_takes_effect_before_it(buttons: Buttons, mode: Mode) -> None:
    buttons.key(UNDO, True, 100)
    buttons.key(UNDO, False, 160)
    buttons.key(0, True, 163)
    held(buttons, 163, 100)
    assert mode.take() == [("undo_down",), ("undo",), ("plus", 0, 1)]


def test_a_stuck_plus_one_ends_by_itself_until_it_is_let_go(buttons: Buttons, mode: Mode) -> None:
    buttons.key(0, True, 0)
    held(buttons, 0, 3_600_000, 50)
    assert mode.take() == [("plus", 0, 1)] * (1 + MOST_REPEATS)
    buttons.key(0, False, 3_600_100)
    buttons.key(0, True, 3_600_200)
    assert mode.take() == [("plus", 0, 1)]


def test_a_release_without_a_press_means_nothing(buttons: Buttons, mode: Mode) -> None:
    for key in range(11):
        buttons.key(key, False, 5)
    assert mode.take() == []


def test_after_an_overflow_nothing_is_held(buttons: Buttons, mode: Mode) -> None:
    for key in (0, UNDO, DEAL):
        buttons.key(key, True, 0)
    mode.take()
    buttons.lost(0)
    held(buttons, 0, 5000)
    assert buttons.progress(5000) == 0
    for key in (0, UNDO, DEAL):
        buttons.key(key, False, 5000)
    assert mode.take() == []


def test_two_places_repeat_at_once(buttons: Buttons, mode: Mode) -> None:
    buttons.key(0, True, 0)
    buttons.key(6, True, 100)
    mode.take()
    buttons.step(500)
    buttons.step(600)
    assert mode.take() == [("plus", 0, 1), ("plus", 5, 1)]
    buttons.key(0, False, 610)
    buttons.step(820)
    assert mode.take() == [("plus", 5, 1)]


def test_holds_are_right_across_the_wrap_of_the_clock(buttons: Buttons, mode: Mode) -> None:
    buttons.key(UNDO, True, WRAP - 1000)
    mode.take()
    buttons.step(999)
    assert mode.take() == []
    buttons.step(1000)
    assert mode.take() == [("redo",)]


def test_the_progress_of_deal_is_told_until_it_takes_effect(buttons: Buttons) -> None:
    assert buttons.progress(0) == 0
    buttons.key(DEAL, True, 100)
    assert [buttons.progress(now) for now in (100, 1600, 9000)] == [0, 4, 8]
    buttons.step(100 + DEAL_HOLD_MS)
    assert buttons.progress(4000) == 0


@pytest.mark.parametrize("key", [0, 1, 2, UNDO])
def test_the_other_holds_show_no_progress(key: int, buttons: Buttons) -> None:
    buttons.key(key, True, 100)
    assert buttons.progress(1000) == 0


@pytest.mark.parametrize(("key", "meaning"), [(0, (0, 0)), (4, (2, 1)), (8, (5, 2)), (9, (-1, 3)), (10, (-1, 4))])
def test_keys_are_numbered_by_place_and_then_the_shared_ones(
    key: int, meaning: tuple[int, int], buttons: Buttons
) -> None:
    assert buttons.meaning(key) == meaning


@given(st.lists(st.tuples(st.integers(0, 10), st.booleans(), st.integers(0, 4000))))
def test_no_course_of_edges_holds_a_key_twice_or_acts_twice_on_one_press(edges: list[tuple[int, bool, int]]) -> None:
    mode = Mode()
    buttons = Buttons(PLACES, mode)
    now = presses = 0
    for key, pressed, later in edges:
        now = (now + later) % WRAP
        buttons.step(now)
        buttons.key(key, pressed, now)
        presses += pressed and key in (UNDO, DEAL)
        down = [held.number for held in buttons._held]
        assert len(down) == len(set(down))
    acted = [call for call in mode.calls if call[0] in ("undo", "redo", "deal", "set_up")]
    assert len(acted) <= presses
