"""The limiter: what any picture draws at any moment, by the model, stays under the limit."""

from itertools import pairwise

import pytest
from firmware.strips import Board, entry, game, matches, pendings, set_up
from hypothesis import given, settings
from hypothesis import strategies as st

from cribboard_core.events import PEG
from cribboard_fw.power import FULL, allowance, idle_ma, scale
from cribboard_fw.scene import DARK, GAME, WON
from cribboard_fw.settings import HEADROOM_MA, carried_ma, drawn_ma


def test_the_model_is_the_data_sheet():
    assert idle_ma(242) == 292
    assert drawn_ma(0, 242) == 292
    assert drawn_ma(242 * 3 * 255, 242) == 292 + 242 * 60
    assert drawn_ma(6 * 255, 121) - idle_ma(121) == 120  # six pixels with one channel at full


def test_what_is_drawn_is_rounded_up():
    assert [drawn_ma(light, 121) - idle_ma(121) for light in (1, 12, 13, 25, 26, 255)] == [1, 1, 2, 2, 3, 20]


def test_a_picture_is_dimmed_in_steps_that_do_not_flicker():
    """From the whole light to a hundredth of it, a peg at a time: few brightnesses, about 5 % apart."""
    scales = [scale(light, 1000) for light in range(1000, 100_001, 4)]
    steps = sorted(set(scales), reverse=True)
    assert scales == sorted(scales, reverse=True)
    assert all(above - below <= max(1, above // 16) for above, below in pairwise(steps))
    assert [above - below for above, below in pairwise(steps) if below >= 32] == [8] * 16 + [4] * 16 + [2] * 16
    assert len(steps) < 85


def test_nine_tenths_of_a_source_and_three_quarters_of_a_fuse_are_carried():
    assert carried_ma(500, 1000) == 450
    assert carried_ma(1500, 1000) == 800  # the controller's 50 do not go through the fuse
    assert carried_ma(0, 1000) == 0


@given(st.integers(0, 400_000), st.integers(1, 484), st.integers(0, 20_000))
def test_scaled_light_stays_under_the_limit(light, pixels, limit_ma):
    allowed = allowance(pixels, limit_ma)
    factor = scale(light, allowed)
    assert 0 <= factor <= FULL
    if limit_ma >= idle_ma(pixels):
        assert drawn_ma(allowed, pixels) <= limit_ma
        assert drawn_ma(light * factor // FULL, pixels) <= limit_ma
    if light <= allowed:
        assert factor == FULL
    elif 32 * allowed > light:
        assert factor * 18 * light > FULL * 16 * allowed * 9 // 10  # and not much darker than it must be


def test_idling_at_the_limit_leaves_nothing_to_light():
    assert allowance(242, 292) == 0 and allowance(242, 100) == 0
    assert scale(5, 0) == 0 and scale(0, 0) == FULL


@settings(max_examples=60)
@given(st.data())
def test_no_match_setup_show_or_change_between_them_draws_more_than_the_limit(data):
    tracks = data.draw(st.integers(1, 4))
    leds = data.draw(st.sampled_from([61, 121]))
    limit_ma = idle_ma(tracks * leds) + data.draw(st.sampled_from([HEADROOM_MA, 158, 400, 2000]))
    board = Board(tracks, leds, data.draw(st.sampled_from([1, 30, 100])), limit_ma, data.draw(st.integers(0, 1)))
    for _ in range(4):
        match = data.draw(matches())
        pending = data.draw(pendings(match))
        setup = None
        if data.draw(st.integers(0, 4)) == 0:
            joined = data.draw(st.lists(st.integers(0, 5), unique=True).map(sorted))
            sides = data.draw(st.sampled_from([len(joined), 2, 3]))
            setup = set_up(match, joined, sides, match.target, data.draw(st.integers(-1, 5)))
            setup.level = data.draw(st.sampled_from([(0, 0), (3, 4), (4, 4), (0, 2)]))
        if data.draw(st.booleans()):
            board.lights.brighten(data.draw(st.sampled_from([10, 30, 60, 100])))
        undoing, eighths = data.draw(st.booleans()), data.draw(st.integers(0, 8))
        view = data.draw(st.sampled_from([GAME, GAME, WON, DARK]))
        board.update(match, pending, setup, undoing, eighths, view)
        board.run(data.draw(st.sampled_from([50, 600, 2000])), 20)
    assert board.most_ma <= limit_ma


@pytest.mark.parametrize("loser", [95, 40])
@pytest.mark.parametrize("brightness", [1, 30, 100])
def test_the_whole_win_show_stays_under_the_limit_of_a_usb_port(brightness, loser):
    board = Board(2, 121, brightness, 450)
    match = game([(117, 110), (loser, 31)])
    match.play.won = [60, 60]
    board.show(match)
    match.apply(9, (PEG, 0, 4, 0, 0))
    board.update(match)
    board.run(7000)
    assert 292 < board.most_ma <= 450


def test_to_brighten_the_board_draws_no_more_than_the_limit_at_any_step():
    board = Board(2, 121, 10, 450)
    match = game([(43, 37), (58, 50)])
    board.show(match, entry(match, side0=46, side1=46))
    darkest = board.drawn_ma()
    for brightness in (30, 60, 100, 10, 100):
        board.lights.brighten(brightness)
        board.run(500)
    assert darkest < 420 < board.most_ma <= 450


def test_a_picture_that_fits_is_not_dimmed():
    free, tight = Board(), Board(limit_ma=450)
    match = game([(43, 37), (58, 50)])
    free.show(match, entry(match, side0=12))
    tight.show(match, entry(match, side0=12))
    assert free.strips == tight.strips


def test_when_a_picture_does_not_fit_all_tracks_are_dimmed_alike():
    board = Board(limit_ma=392)
    match = game([(43, 37), (58, 50)])
    board.show(match)
    front = board.strips[1][57]
    board.show(match, entry(match, side0=46))
    assert 0 < board.strips[1][57] & 255 < front & 255
    board.show(match)
    assert board.strips[1][57] == front
