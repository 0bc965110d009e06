"""An evening at the board alone: brightness and sound, the dark, games won, and playing by ear."""

from __future__ import annotations

import pytest
from firmware.rig import OK, PLUS_1, PLUS_5, Rig

from cribboard_fw.app import DARK_AFTER_MS, WON_SHOWN_MS
from cribboard_fw.nvm import OFF, ON, QUIET
from cribboard_fw.scene import DARK, GAME, WON
from cribboard_fw.sound import LOW_HZ, PITCHES

UNDO_KEY, DEAL_KEY = 6, 7
KEYS = [PLUS_1, PLUS_5, OK, 3 + PLUS_1, 3 + OK, UNDO_KEY, DEAL_KEY]
PIEZO = 'PIEZO_PIN = "GP0"'
STRONG = "CURRENT_LIMIT_MA = 1500\nSUPPLY_MA = 5000\nFUSE_MA = 2000"
SESSION = 7


def lit(rig: Rig) -> int:
    """How many lights are lit on all tracks."""
    return sum(bool(pixel) for strip in rig.strips for pixel in strip)


def picture(rig: Rig) -> set[tuple[int, int]]:
    """The (track, LED) that are lit at any moment of two seconds, in which all that blinks has been on."""
    leds = set()
    for _ in range(20):
        rig.run(100)
        leds |= {(track, led) for track, strip in enumerate(rig.strips) for led, pixel in enumerate(strip) if pixel}
    return leds


def brightest(rig: Rig) -> int:
    """The brightest channel of all lights."""
    return max(max(pixel >> 16, pixel >> 8 & 255, pixel & 255) for strip in rig.strips for pixel in strip)


def begun(settings: str = "") -> Rig:
    """A board in the middle of a game."""
    rig = Rig(settings=settings)
    rig.peg(0, 9)
    rig.peg(1, 6)
    rig.run(3_000)
    return rig


def asleep(settings: str = "") -> Rig:
    """A board that has gone dark in the middle of a game."""
    rig = begun(settings)
    rig.run(DARK_AFTER_MS, 1000)
    assert lit(rig) == 0
    rig.heard()
    return rig


def heard(rig: Rig) -> list[int]:
    """The notes since the last look, once it is silent."""
    rig.run(9_000)
    assert not rig.tones or rig.tones[-1] == 0
    tones = [hertz for hertz in rig.tones if hertz]
    rig.tones.clear()
    return tones


# --- Brightness and sound


def test_plus_one_held_in_the_set_up_brightens_the_board_at_once_and_no_target_changes() -> None:
    rig = begun(STRONG)
    pegs = brightest(rig)
    rig.open_setup()
    rig.edge(PLUS_1, True)
    rig.run(800)
    assert rig.choice.brightness == 60
    rig.edge(PLUS_1, False)
    rig.run(3_000)
    assert rig.setup.target == 121
    rig.undo()
    rig.run(300)
    assert brightest(rig) == pytest.approx(2 * pegs, abs=2)


def test_held_on_it_goes_through_all_four_steps_and_shows_how_far_it_is() -> None:
    rig = begun(STRONG)
    rig.open_setup()
    rig.run(500)
    setup_picture = picture(rig)
    rig.edge(3 + PLUS_1, True)
    rig.run(100)
    shown = []
    for _ in range(4):
        rig.run(700)
        colours = [pixel for pixel in rig.strips[0] if pixel]
        shown.append((rig.choice.brightness, colours.count(max(colours))))
    assert shown == [(60, 9), (100, 12), (10, 3), (30, 6)], "three lights a step"
    rig.edge(3 + PLUS_1, False)
    rig.run(2_500)
    assert picture(rig) == setup_picture


def test_plus_five_held_in_the_set_up_steps_through_off_quiet_and_on_and_is_heard_as_it_is() -> None:
    rig = begun(PIEZO)
    rig.open_setup()
    rig.run(1_000)
    rig.tones.clear()
    rig.edge(PLUS_5, True)
    heard_levels = []
    for _ in range(3):
        rig.run(700)
        heard_levels.append((rig.choice.sound, sum(map(bool, rig.tones)) > 0, rig.level))
        rig.tones.clear()
    assert heard_levels == [(OFF, False, OFF), (QUIET, True, QUIET), (ON, True, ON)]
    rig.edge(PLUS_5, False)
    assert rig.setup.dealer == rig.match.next_dealer()


def test_without_a_piezo_there_is_no_sound_to_choose() -> None:
    rig = begun()
    rig.open_setup()
    before = lit(rig)
    rig.tap(PLUS_5, 1_500)
    assert rig.app.sound.level == OFF
    assert rig.choice.sound == ON, "a piezo that is added later sounds"
    assert abs(lit(rig) - before) <= 2, "pegs blink"
    assert rig.setup.dealer == 1
    assert rig.tones == []


@pytest.mark.parametrize("closed_by", ["undo", "deal", "time", "host"])
def test_a_choice_outlasts_the_power_however_the_set_up_was_closed(closed_by: str) -> None:
    rig = begun(PIEZO)
    rig.open_setup()
    rig.tap(PLUS_1, 800)
    rig.tap(PLUS_5, 800)
    assert (rig.choice.brightness, rig.choice.sound) == (60, OFF)
    if closed_by == "time":
        rig.run(61_000, 50)
    elif closed_by == "host":
        rig.ask("peg", SESSION, 1, 0, 1)
    else:
        getattr(rig, closed_by)()
    assert rig.setup is None
    rig.boot()
    rig.tones.clear()
    rig.peg(0, 5)
    rig.run(1_000)
    assert (rig.choice.brightness, rig.choice.sound, rig.tones) == (60, OFF, [])
    bright = brightest(rig)
    rig.settings.brightness = 20
    rig.boot()
    rig.run(1_000)
    assert brightest(rig) < bright, "the settings were changed later"


def test_the_brightness_of_the_set_up_stays_under_the_limit() -> None:
    rig = begun("CURRENT_LIMIT_MA = 450")
    rig.open_setup()
    rig.edge(PLUS_1, True)
    for _ in range(600):
        rig.run(5)
        light = sum((p >> 16) + (p >> 8 & 255) + (p & 255) for strip in rig.strips for p in strip)
        assert 50 + 242 + light * 20 / 255 <= 450


# --- The dark


def test_after_twenty_minutes_without_a_touch_the_board_goes_dark_and_not_before() -> None:
    rig = begun()
    rig.run(DARK_AFTER_MS - 10_000, 1000)
    assert lit(rig)
    rig.run(10_000, 1000)
    assert lit(rig) == 0
    shown = [len(strip.shown) for strip in rig.strips]
    rig.run(60_000, 100)
    assert [len(strip.shown) for strip in rig.strips] == shown, "a dark board sends nothing"


@pytest.mark.parametrize("start", [0, 100_000])
def test_twenty_minutes_after_the_last_press_the_board_goes_dark(start: int) -> None:
    rig = Rig()
    rig.edges += [(OK, True, start), (OK, False, start)]
    views = []
    for now in (start, start + 20 * 60_000 - 1, start + 20 * 60_000):
        rig.app.step(now)
        views.append(rig.app.picture.view)
    assert views == [GAME, GAME, DARK]


@pytest.mark.parametrize("ms", [60, 5_000])
@pytest.mark.parametrize("key", KEYS)
def test_the_first_press_only_wakes_the_board_also_when_it_is_held(key: int, ms: int) -> None:
    rig = asleep()
    rig.edge(key, True)
    rig.run(20)
    assert lit(rig) > 3
    rig.run(ms)
    rig.edge(key, False)
    rig.run(1_000)
    assert rig.heard() == []
    assert (rig.scores(), rig.match.rev, rig.setup, rig.app.entry.any) == ([9, 6], 2, None, False)
    rig.peg(0, 2)
    assert rig.scores() == [11, 6]


@pytest.mark.parametrize("key", KEYS)
def test_a_press_that_wakes_may_bounce(key: int) -> None:
    rig = asleep()
    for _ in range(3):
        rig.edges += [(key, True, rig.now), (key, False, rig.now + 5)]
        rig.run(10)
    rig.run(1_000)
    assert rig.heard() == []
    assert (rig.scores(), rig.app.entry.any) == ([9, 6], False)


def test_two_presses_on_a_dark_board_wake_it_and_count_once() -> None:
    rig = asleep()
    rig.tap(PLUS_1)
    rig.tap(PLUS_1)
    assert rig.app.entry.points(0) == 1


def test_a_host_that_only_asks_neither_wakes_the_board_nor_keeps_it_awake() -> None:
    rig = begun()
    for number in range(1 + DARK_AFTER_MS // 60_000):
        rig.run(60_000, 1000)
        rig.ask("state", number % 255 + 1)
        rig.ask("last", number % 255 + 1)
    assert lit(rig) == 0
    assert rig.ask("peg", SESSION, 1, 0, 47)[0] == "no"
    assert lit(rig) == 0, "a command that was refused has changed nothing"


@pytest.mark.parametrize("message", [("peg", SESSION, 1, 0, 3), ("deal", SESSION, 1, -1), ("pend", 3, 0, 5, 1, 1)])
def test_what_a_host_does_wakes_the_board_and_is_shown(message: tuple[object, ...]) -> None:
    rig = asleep()
    assert rig.ask(*message)[0] in ("ok", "pend")
    rig.run(100)
    assert lit(rig) > 3
    rig.run(DARK_AFTER_MS - 10_000, 1000)
    assert lit(rig)
    rig.run(13_000, 1000)
    rig.run(100)
    assert lit(rig) == 0


def test_pending_points_wait_in_the_dark_too() -> None:
    rig = begun()
    rig.tap(PLUS_5)
    rig.run(DARK_AFTER_MS, 1000)
    rig.run(100)
    assert lit(rig) == 0
    rig.tap(OK)
    assert rig.scores() == [9, 6]
    rig.tap(OK)
    assert rig.scores() == [14, 6]


def test_a_won_game_goes_dark_and_comes_back_without_its_show() -> None:
    rig = begun()
    rig.ask("set", SESSION, 1, 0, 121, 100)
    rig.run(10_000)
    picture = [list(strip) for strip in rig.strips]
    rig.run(DARK_AFTER_MS, 1000)
    assert lit(rig) == 0
    rig.tap(OK)
    rig.run(50)
    assert sum(a != b for a, b in zip(picture[0], rig.strips[0], strict=True)) <= 2, "a peg blinks"


def test_the_dark_comes_over_the_wrap_of_the_clock_too() -> None:
    rig = Rig(start=(1 << 29) - 60_000)
    rig.peg(0, 9)
    rig.run(DARK_AFTER_MS - 10_000, 1000)
    assert lit(rig)
    rig.run(20_000, 1000)
    assert lit(rig) == 0


def test_a_press_that_wakes_is_heard_as_something_that_comes() -> None:
    rig = asleep(PIEZO)
    rig.tones.clear()
    rig.tap(PLUS_5)
    low, high = heard(rig)
    assert low < high


# --- Games won


def with_games_won(settings: str = "") -> Rig:
    rig = Rig(settings=settings)
    rig.ask("restore", SESSION, 1, 0, 121, 3, 2, 0, 91, 61, "0a051403", [2, 7])
    rig.run(3_000)
    rig.tones.clear()
    return rig


def test_ok_held_shows_the_games_won_in_the_middle_of_a_game() -> None:
    rig = with_games_won()
    before = picture(rig)
    rig.edge(3 + OK, True)
    rig.run(1_100)
    dots = [sum(bool(strip[led]) for led in range(30)) for strip in rig.strips]
    assert dots[0] in (2, 3, 4) and dots[1] in (7, 8, 9), "the games won, and pegs that blink"
    rig.edge(3 + OK, False)
    assert picture(rig) != before
    rig.run(WON_SHOWN_MS - 1_900)
    assert picture(rig) == before
    assert rig.match.rev == 1


def test_games_won_are_shown_for_four_seconds() -> None:
    rig = Rig()
    rig.app.tell(0)
    views = []
    for now in (0, 3_999, 4_000):
        rig.app.step(now)
        views.append(rig.app.picture.view)
    assert views == [WON, WON, GAME]


def test_a_press_or_what_a_host_does_ends_the_picture_of_games_won() -> None:
    for ends in (lambda rig: rig.tap(PLUS_1), lambda rig: rig.ask("peg", SESSION, 2, 0, 1)):
        rig = with_games_won()
        rig.tap(OK, 1_100)
        games = rig.strips[1].count(rig.strips[1][0])
        assert games >= 6
        ends(rig)
        rig.run(100)
        assert rig.strips[1].count(rig.strips[1][0]) != games


def test_ok_pegs_what_waits_and_held_on_tells_the_new_score() -> None:
    rig = with_games_won(PIEZO)
    for _ in range(4):
        rig.tap(PLUS_1)
    heard(rig)
    rig.tap(OK, 2_000)
    assert rig.scores() == [14, 20]
    pitch = PITCHES[0]
    assert heard(rig) == [pitch] * 4 + [pitch] + [pitch * 3 // 2] * 4 + [pitch], "ticks, one ten, four ones, the crib"


# --- By ear


def test_every_press_of_a_game_is_heard_as_what_it_did() -> None:
    rig = Rig(settings=PIEZO)
    one, two = PITCHES[:2]
    accent, low = two * 4 // 3, LOW_HZ
    course = [
        (lambda: rig.tap(3 + PLUS_5), [accent]),
        (lambda: rig.tap(3 + PLUS_1), [two]),
        (lambda: rig.tap(UNDO_KEY), [two * 2 // 3]),
        (lambda: rig.tap(3 + OK), [two] * 4 + [accent]),
        (lambda: rig.tap(3 + OK), [low]),
        (rig.undo, [two * 3 // 2, two]),
        (rig.undo, [low]),
        (rig.redo, [two, two * 3 // 2]),
        (rig.redo, [low]),
        (rig.deal, [two]),
        (lambda: rig.tap(3 + OK, 1_100), [low, two // 4, *[two * 3 // 2] * 4, two * 3 // 2 * 4 // 3, two]),
        (lambda: rig.tap(OK, 1_100), [low, one // 4, one * 3 // 2 // 4]),
    ]
    for number, (press, notes) in enumerate(course):
        press()
        assert heard(rig) == notes, number


def test_a_press_without_room_or_seat_and_a_deal_after_a_win_are_refused_by_ear() -> None:
    rig = Rig(3, PIEZO)
    rig.tap(6 + PLUS_5)
    rig.tap(6 + OK)
    assert heard(rig) == [LOW_HZ] * 2
    rig.ask("set", SESSION, 1, 0, 118, 100)
    rig.tap(PLUS_5)
    assert heard(rig) == [PITCHES[0]] * 3, "what there was room for"
    rig.tap(PLUS_5)
    assert heard(rig) == [LOW_HZ]
    rig.tap(OK)
    assert len(heard(rig)) > 8
    for key in (PLUS_1, OK, 10):
        rig.tap(key)
        assert heard(rig) == [LOW_HZ]


def test_the_set_up_can_be_followed_by_ear() -> None:
    rig = Rig(4, PIEZO)
    first, third = PITCHES[0], PITCHES[2]
    undo, deal = 12, 13
    course = [
        (rig.open_setup, [first, first * 3 // 2]),
        (lambda: rig.tap(6 + OK), [third, third * 3 // 2]),
        (lambda: rig.tap(6 + OK), [third * 3 // 2, third]),
        (lambda: rig.tap(6 + PLUS_5), [third]),
        (lambda: rig.tap(PLUS_1), [first] * 4 + [first * 4 // 3] + [first] * 3),
        (lambda: rig.tap(PLUS_1), [first] * 2),
        (lambda: rig.tap(9 + OK), [PITCHES[3], PITCHES[3] * 3 // 2]),
        (lambda: rig.tap(undo, 2_100), [third] * 2),
        (lambda: rig.tap(deal), [third, third * 3 // 2, third]),
        (rig.open_setup, [third, third * 3 // 2]),
        (lambda: rig.tap(undo), [third * 3 // 2, third]),
    ]
    for number, (press, notes) in enumerate(course):
        press()
        assert heard(rig) == notes, number
    assert (rig.match.target, rig.match.sides, rig.match.dealer) == (61, (0, 1), 2)
    rig.open_setup()
    for place in (0, 1, 2, 3):
        rig.tap(3 * place + OK)
    heard(rig)
    rig.tap(deal)
    assert heard(rig) == [LOW_HZ], "nobody plays"
