"""What is heard, note by note on a fake clock."""

from __future__ import annotations

from itertools import groupby, pairwise
from math import log2

import pytest
from firmware.strips import game

from cribboard_core.events import DEAL, PEG, REDO, RESTORE, SET, UNDO, new_event
from cribboard_core.match import Match
from cribboard_fw.clock import WRAP
from cribboard_fw.piezo import MOST_ROWS
from cribboard_fw.sound import GAP_MS, LOW_HZ, NOTES, PITCHES, TICK_MS, Sound

TUNE_HEARD = [hertz for hertz in NOTES[0::2] if hertz]


class Piezo:
    """What the piezo was set to, and when."""

    def __init__(self, level: int = 2) -> None:
        self.now = 0
        self.notes: list[tuple[int, int]] = []
        self.levels: set[int] = set()
        self.sound = Sound(self.tone, level)

    def tone(self, hertz: int, level: int) -> None:
        self.notes.append((self.now, hertz))
        self.levels.add(level)

    def run(self, ms: int) -> None:
        for _ in range(ms):
            self.now = (self.now + 1) % WRAP
            self.sound.step(self.now)

    def heard(self) -> list[int]:
        """The notes since the last look, when all have been played."""
        self.run(12_000)
        heard = [hertz for _, hertz in self.notes if hertz]
        assert not self.notes or self.notes[-1][1] == 0
        self.notes = []
        return heard


@pytest.fixture
def piezo() -> Piezo:
    return Piezo()


def win(piezo: Piezo) -> None:
    """A game is won."""
    match = game([(118, 110), (5, 0)])
    match.apply(8, (PEG, 0, 3, 0, 0))
    piezo.sound.happened(match, (PEG, 0, 3, 0, 0))


def counted(heard: list[int]) -> list[tuple[int, int]]:
    """How often a note and its every fifth, which is higher, are heard in a row: (hertz, times)."""
    tones: list[tuple[int, int]] = []
    for hertz in heard:
        if tones and (hertz == tones[-1][0] or (tones[-1][1] % 5 == 4 and hertz == tones[-1][0] * 4 // 3)):
            tones[-1] = (tones[-1][0], tones[-1][1] + 1)
        else:
            tones.append((hertz, 1))
    return tones


def test_each_place_has_a_pitch_of_its_own() -> None:
    assert len(set(PITCHES)) == 6
    heights = sorted(PITCHES)
    assert all(high / low > 1.1 for low, high in pairwise(heights))
    assert PITCHES[1] / PITCHES[0] >= 1.4, "two players are told apart at once"


@pytest.mark.parametrize("hertz", sorted({*PITCHES, LOW_HZ, *NOTES[0::2]} - {0}))
def test_what_is_heard_is_in_tune_with_an_a_of_440_hertz(hertz: int) -> None:
    assert 20 < hertz < 20_000
    assert round(440 * 2 ** (round(12 * log2(hertz / 440)) / 12)) == hertz


def test_every_note_of_the_tune_lasts_whole_beats() -> None:
    lasting = [ms for hertz, ms in zip(NOTES[0::2], NOTES[1::2], strict=True) if hertz]
    assert {ms % min(lasting) for ms in lasting} == {0}


def test_a_tick_for_each_hole_and_every_fifth_is_higher(piezo: Piezo) -> None:
    piezo.sound.ticks(2, 12)
    piezo.run(2000)
    own, fifth = PITCHES[2], PITCHES[2] * 4 // 3
    assert piezo.notes[:3] == [(0, own), (TICK_MS, 0), (TICK_MS + GAP_MS, own)]
    assert piezo.heard() == [own] * 4 + [fifth] + [own] * 4 + [fifth] + [own] * 2


def test_what_comes_while_something_sounds_is_heard_after_it(piezo: Piezo) -> None:
    piezo.sound.ticks(0, 2)
    piezo.run(30)
    piezo.sound.ticks(1, 1)
    assert piezo.heard() == [PITCHES[0]] * 2 + [PITCHES[1]]


def test_a_button_that_is_hammered_on_is_not_heard_for_ever(piezo: Piezo) -> None:
    for _ in range(200):
        piezo.sound.refused()
    assert piezo.heard() == [LOW_HZ] * MOST_ROWS


def test_the_tune_is_played_in_time_and_ends_in_silence(piezo: Piezo) -> None:
    win(piezo)
    piezo.run(sum(NOTES[1::2]))
    assert [hertz for _, hertz in piezo.notes] == [*NOTES[0::2], 0]
    times = [0, *(at for at, _ in piezo.notes[1:])]
    assert [end - begin for begin, end in pairwise(times)] == list(NOTES[1::2])
    assert piezo.now == piezo.notes[-1][0]


def test_a_win_interrupts_ticks_and_ticks_do_not_interrupt_the_tune(piezo: Piezo) -> None:
    piezo.sound.ticks(0, 10)
    piezo.run(100)
    win(piezo)
    piezo.sound.ticks(0, 5)
    assert piezo.heard()[-len(TUNE_HEARD) :] == TUNE_HEARD
    piezo.sound.ticks(0, 1)
    assert piezo.heard() == [PITCHES[0]]


def test_no_holes_no_tick(piezo: Piezo) -> None:
    piezo.sound.ticks(0, 0)
    assert piezo.heard() == []


def test_a_late_step_catches_up_and_the_rhythm_is_kept(piezo: Piezo) -> None:
    win(piezo)
    piezo.sound.step(10_000)
    assert piezo.notes[-1][1] == 0
    piezo.sound.step(10_001)
    assert len(piezo.notes) == len(NOTES) // 2 + 1


def test_notes_end_over_the_wrap_of_the_clock(piezo: Piezo) -> None:
    piezo.now = WRAP - 10
    piezo.sound.step(piezo.now)
    piezo.sound.ticks(0, 2)
    assert len(piezo.heard()) == 2


def test_off_is_silent_and_quiet_is_told_to_the_piezo() -> None:
    for level in (0, 1, 2):
        piezo = Piezo(level)
        piezo.sound.ticks(0, 3)
        win(piezo)
        assert bool(piezo.heard()) == (level > 0)
        assert piezo.levels == ({level} if level else set())


@pytest.mark.parametrize("points", [1, 4, 7])
def test_points_pegged_tick_and_a_set_score_is_silent(points: int, piezo: Piezo) -> None:
    match = game([(10, 5), (0, 0)])
    piezo.sound.happened(match, (SET, 0, 10, 5, 0))
    piezo.sound.happened(match, (RESTORE, 0, 0, 0, 0))
    assert piezo.heard() == []
    piezo.sound.happened(match, (PEG, 1, points, 0, 0))
    assert counted(piezo.heard()) == [(PITCHES[1], points)]


def test_a_press_sounds_as_what_it_adds(piezo: Piezo) -> None:
    heard = []
    for points in (1, 5, 3, 0):
        piezo.sound.pressed(1, points)
        heard.append(piezo.heard())
    assert heard == [[PITCHES[1]], [PITCHES[1] * 4 // 3], [PITCHES[1]] * 3, [LOW_HZ]]


@pytest.mark.parametrize("side", range(6))
def test_a_press_taken_back_is_lower_and_one_that_was_not_there_is_refused(side: int, piezo: Piezo) -> None:
    piezo.sound.taken(side)
    (taken,) = piezo.heard()
    assert LOW_HZ < taken < PITCHES[side]
    piezo.sound.taken(-1)
    assert piezo.heard() == [LOW_HZ]


def test_undo_falls_and_redo_rises_in_the_pitch_of_the_side_that_it_is_about(piezo: Piezo) -> None:
    match = game([(0, 0), (0, 0)])
    match.apply(1, (PEG, 1, 3, 0, 0))
    undo = match.undo_event()
    match.apply(2, undo)
    piezo.sound.happened(match, undo)
    high, low = piezo.heard()
    assert (high > low, low) == (True, PITCHES[1])
    redo = match.redo_event()
    match.apply(3, redo)
    piezo.sound.happened(match, redo)
    assert piezo.heard() == [low, high]
    assert (undo[0], redo[0]) == (UNDO, REDO)


def test_the_deal_is_a_long_note_of_the_new_dealer_also_in_a_new_game(piezo: Piezo) -> None:
    piezo.sound.happened(game([(0, 0)] * 3), (DEAL, 2, 0, 0, 0))
    piezo.run(1)
    assert piezo.heard() == [PITCHES[2]]
    match = Match()
    event = new_event(121, 3, 2, 1, 91, 61)
    match.apply(1, event)
    piezo.sound.happened(match, event)
    low, high, dealer = piezo.heard()
    assert low < high and dealer == PITCHES[1]


@pytest.mark.parametrize(("score", "tens", "ones"), [(0, 0, 0), (7, 0, 7), (30, 3, 0), (45, 4, 5), (119, 11, 9)])
def test_a_score_is_beeped_in_tens_and_ones_and_a_zero_is_one_low_note(
    score: int, tens: int, ones: int, piezo: Piezo
) -> None:
    piezo.sound.score(game([(0, 0), (score, 0)]), 1)
    pitch = PITCHES[1]
    want = [(pitch, tens) if tens else (pitch // 4, 1), (pitch * 3 // 2, ones) if ones else (pitch * 3 // 2 // 4, 1)]
    piezo.run(9_000)
    starts = [at for at, hertz in piezo.notes if hertz]
    assert 500 < max(after - before for before, after in pairwise(starts)) < 900, "a pause parts tens and ones"
    assert counted(piezo.heard()) == want


def test_a_score_ends_with_the_dealers_long_note_for_the_side_that_has_the_crib(piezo: Piezo) -> None:
    match = game([(1, 0), (2, 0)])
    piezo.sound.score(match, match.crib_side)
    lasted = [b - a for (a, hertz), (b, _) in zip(piezo.notes, piezo.notes[1:], strict=False) if hertz]
    piezo.run(5000)
    lasted = [b - a for (a, hertz), (b, _) in zip(piezo.notes, piezo.notes[1:], strict=False) if hertz]
    assert lasted[-1] >= 3 * min(lasted)
    assert [hertz for _, hertz in piezo.notes if hertz][-1] == PITCHES[match.crib_side]


def test_a_score_that_is_beeped_is_cut_by_what_happens_and_waits_for_what_has_happened(piezo: Piezo) -> None:
    match = game([(99, 0), (0, 0)])
    piezo.sound.score(match, 0)
    piezo.run(1000)
    piezo.notes = []
    piezo.sound.pressed(1, 1)
    assert piezo.heard() == [PITCHES[1]]
    piezo.sound.ticks(1, 4)
    piezo.sound.score(game([(99, 0), (10, 0)]), 1)
    assert counted(piezo.heard())[0] == (PITCHES[1], 4 + 1)


def test_numbers_of_all_sizes_have_gaps_between_their_beeps(piezo: Piezo) -> None:
    piezo.sound.beeps(0, 8)
    piezo.run(5000)
    on_off = [bool(hertz) for hertz, _ in groupby(hertz for _, hertz in piezo.notes)]
    assert on_off[:16] == [True, False] * 8


def test_a_win_plays_once_and_again_after_it_was_undone(piezo: Piezo) -> None:
    match = game([(118, 110), (5, 0)])
    match.apply(8, (PEG, 0, 3, 0, 0))
    piezo.sound.happened(match, (PEG, 0, 3, 0, 0))
    assert piezo.heard() == TUNE_HEARD
    piezo.sound.happened(match, (SET, 1, 6, 5, 0))
    assert piezo.heard() == []
    match.apply(9, (UNDO, 0, 0, 8, 0))
    piezo.sound.happened(match, (UNDO, 0, 0, 8, 0))
    assert len(piezo.heard()) == 2
    match.apply(10, (PEG, 0, 3, 0, 0))
    piezo.sound.happened(match, (PEG, 0, 3, 0, 0))
    assert piezo.heard() == TUNE_HEARD


def test_a_win_that_is_undone_ends_its_tune(piezo: Piezo) -> None:
    match = game([(118, 110), (5, 0)])
    match.apply(8, (PEG, 0, 3, 0, 0))
    piezo.sound.happened(match, (PEG, 0, 3, 0, 0))
    piezo.run(300)
    piezo.notes = []
    match.apply(9, (UNDO, 0, 0, 8, 0))
    piezo.sound.happened(match, (UNDO, 0, 0, 8, 0))
    assert piezo.heard() == [PITCHES[0] * 3 // 2, PITCHES[0]]
