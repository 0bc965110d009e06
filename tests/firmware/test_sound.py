"""Ticks and the tune, note by note on a fake clock."""

import pytest
from firmware.strips import game

from cribboard_core.events import PEG, SET, UNDO
from cribboard_fw.clock import WRAP
from cribboard_fw.sound import FIFTH_HZ, GAP_MS, TICK_HZ, TICK_MS, TUNE, Sound


class Piezo:
    """What the piezo was set to, and when."""

    def __init__(self) -> None:
        self.now = 0
        self.notes: list[tuple[int, int]] = []
        self.sound = Sound(lambda hertz: self.notes.append((self.now, hertz)))

    def run(self, ms: int) -> None:
        for _ in range(ms):
            self.now = (self.now + 1) % WRAP
            self.sound.step(self.now)

    def heard(self) -> list[int]:
        return [hertz for _, hertz in self.notes if hertz]


def test_a_tick_for_each_hole_and_every_fifth_is_higher():
    piezo = Piezo()
    piezo.sound.tick(12, 0)
    piezo.run(2000)
    assert piezo.heard() == [TICK_HZ] * 4 + [FIFTH_HZ] + [TICK_HZ] * 4 + [FIFTH_HZ] + [TICK_HZ] * 2
    assert piezo.notes[:3] == [(0, TICK_HZ), (TICK_MS, 0), (TICK_MS + GAP_MS, TICK_HZ)]
    assert piezo.notes[-1][1] == 0


def test_ticks_that_come_while_others_sound_join_them():
    piezo = Piezo()
    piezo.sound.tick(2, 0)
    piezo.run(30)
    piezo.sound.tick(1, 30)
    piezo.run(1000)
    assert len(piezo.heard()) == 3


def test_the_tune_is_played_in_time_and_ends_in_silence():
    piezo = Piezo()
    piezo.sound.win(0)
    piezo.run(sum(TUNE[1::2]))
    assert [hertz for _, hertz in piezo.notes] == [*TUNE[0::2], 0]
    assert piezo.now == piezo.notes[-1][0]


def test_a_win_interrupts_ticks_and_ticks_do_not_interrupt_the_tune():
    piezo = Piezo()
    piezo.sound.tick(10, 0)
    piezo.run(100)
    piezo.sound.win(100)
    piezo.sound.tick(5, 100)
    piezo.run(4000)
    tune = [hertz for hertz in TUNE[0::2] if hertz]
    assert piezo.heard()[-len(tune) :] == tune
    piezo.sound.tick(1, piezo.now)
    assert piezo.heard()[-1] == TICK_HZ


def test_no_holes_no_tick():
    piezo = Piezo()
    piezo.sound.tick(0, 0)
    piezo.run(100)
    assert piezo.notes == []


def test_a_late_step_catches_up_and_the_rhythm_is_kept():
    piezo = Piezo()
    piezo.sound.win(0)
    piezo.sound.step(10_000)
    assert piezo.notes[-1][1] == 0
    piezo.sound.step(10_001)
    assert len(piezo.notes) == len(TUNE) // 2 + 1


def test_notes_end_over_the_wrap_of_the_clock():
    piezo = Piezo()
    piezo.now = WRAP - 10
    piezo.sound.tick(2, piezo.now)
    piezo.run(200)
    assert len(piezo.heard()) == 2 and piezo.notes[-1][1] == 0


@pytest.mark.parametrize("points", [1, 7])
def test_points_pegged_tick_and_a_set_score_is_silent(points):
    piezo = Piezo()
    match = game([(10, 5), (0, 0)])
    piezo.sound.happened(match, (SET, 0, 10, 5, 0), 0)
    assert piezo.notes == []
    piezo.sound.happened(match, (PEG, 0, points, 0, 0), 0)
    piezo.run(2000)
    assert len(piezo.heard()) == points


def test_a_win_plays_once_and_again_after_it_was_undone():
    piezo = Piezo()
    match = game([(118, 110), (5, 0)])
    match.apply(8, (PEG, 0, 3, 0, 0))
    piezo.sound.happened(match, (PEG, 0, 3, 0, 0), 0)
    piezo.sound.happened(match, (SET, 1, 6, 5, 0), 0)
    piezo.run(5000)
    tune = [hertz for hertz in TUNE[0::2] if hertz]
    assert piezo.heard() == tune
    match.apply(9, (UNDO, 0, 0, 8, 0))
    piezo.sound.happened(match, (UNDO, 0, 0, 8, 0), piezo.now)
    match.apply(10, (PEG, 0, 3, 0, 0))
    piezo.sound.happened(match, (PEG, 0, 3, 0, 0), piezo.now)
    piezo.run(5000)
    assert piezo.heard() == tune * 2
