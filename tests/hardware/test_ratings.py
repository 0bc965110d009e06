"""What a board draws is what its firmware estimates, and the limit that is told fits source, fuse and firmware."""

from __future__ import annotations

import pytest
from firmware.strips import Board, entry
from hardware.changed import board, own_supply
from hypothesis import given
from hypothesis import strategies as st

from cribboard.hardware import ratings
from cribboard.hardware.budget import SHOW_MS, _middle, both_ends, branch_ma, budget, strip_drop_mv
from cribboard.hardware.description import folder
from cribboard.hardware.description import load as described
from cribboard_core.events import SET
from cribboard_fw.settings import load as settings
from hardware.boards import READY, ready


def test_the_figures_are_the_firmwares_own():
    figures = budget(board())
    assert (figures.idle_ma, figures.white_ma, figures.least_limit_ma) == (292, 14812, 392)
    assert figures.worst_ma == figures.limit_ma == 450
    assert figures.fits(500) and not figures.fits(100)


@pytest.mark.parametrize("name", READY)
def test_a_game_and_a_win_draw_what_the_firmwares_strips_are_sent(name):
    description = ready(name)
    figures, match = budget(description), _middle(description)
    assert len(match.sides) == (description.game.teams or description.game.players)
    strips = Board(description.tracks.count, description.tracks.leds, description.supply.brightness)
    strips.show(match, entry(match))
    assert abs(figures.game_ma - strips.drawn_ma()) <= 15  # on average over what blinks
    strips.most_ma = 0
    match.apply(match.rev + 1, (SET, 0, match.target, match.front(0), 0))
    strips.update(match)
    strips.run(SHOW_MS)
    assert match.winner == 0 and abs(figures.show_ma - strips.most_ma) <= 2
    assert figures.idle_ma < figures.game_ma < figures.show_ma


def test_more_brightness_and_more_pixels_draw_more():
    dim, bright = budget(board()), budget(board(brightness="100"))
    assert dim.game_ma < bright.game_ma and dim.show_ma < bright.show_ma
    assert budget(board(count="1", pins='["GP2"]')).idle_ma == 171


def test_the_least_limit_is_the_one_that_the_firmware_takes():
    text = 'STRIP_PINS = "GP2 GP3"\nUNDO_PIN = "GP12"\nDEAL_PIN = "GP13"\nCURRENT_LIMIT_MA = '
    least = budget(board()).least_limit_ma
    assert settings(f"{text}{least}").limit_ma == least
    with pytest.raises(ValueError, match=f"allow {least}"):
        settings(f"{text}{least - 1}")


def test_one_fuse_on_usb_and_one_a_strip_with_a_supply():
    assert budget(board()).fuses == 1
    assert budget(own_supply()).fuses == 2
    assert budget(board()).branch_ma == 400  # the controller takes its 50 before the fuse
    assert budget(own_supply()).branch_ma == 1500  # and it has a fuse of its own
    assert branch_ma(14812) == 14762


def test_a_track_is_fed_at_both_ends_when_it_would_lose_too_much():
    near, far = board(), board(strip='"30/m"', limit_ma="800", current_a="1.5")
    assert not both_ends(near) and both_ends(far) and both_ends(own_supply())
    assert strip_drop_mv(near, False) == round(400 * 2 * 0.25 * near.track_m) <= ratings.STRIP_DROP_MV
    assert strip_drop_mv(far, True) == pytest.approx(strip_drop_mv(far, False) / 4, abs=1)
    assert budget(near).reach_m == 2.5
    single = described(folder() / "boards" / "oval.toml")  # pixels with wires between them, which lose little
    assert strip_drop_mv(single, False) == round(1500 * 2 * 0.039 * 1.21)


def test_a_source_that_is_too_weak_has_no_limit_to_set():
    assert budget(board(current_a="0.4")).best_limit_ma == 0
    assert budget(own_supply(fuse_a="0.5", wire_mm2="0.5")).best_limit_ma == 400


@pytest.mark.unmeasured
@given(st.floats(0.1, 20), st.sampled_from(ratings.FUSES_A), st.booleans())
def test_the_limit_that_is_told_is_carried_for_long(current, fuse, usb):
    description = (board if usb else own_supply)(current_a=f"{current:.2f}", fuse_a=fuse)
    best = budget(description).best_limit_ma
    if best:
        assert 392 <= best <= float(f"{current:.2f}") * 1000 * 0.9
        assert branch_ma(best) <= fuse * 750
