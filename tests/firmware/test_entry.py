"""Pending points: press by press, never past the target nor 46."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cribboard_core.events import PEG, SET, new_event
from cribboard_core.match import Match
from cribboard_fw.clock import WRAP
from cribboard_fw.entry import Entry


class Told(list[tuple[int, int]]):
    """The changes that were told."""

    def __call__(self, side: int, points: int) -> None:
        self.append((side, points))


@pytest.fixture
def match() -> Match:
    return Match(121, 7, 3)


@pytest.fixture
def told() -> Told:
    return Told()


@pytest.fixture
def entry(match: Match, told: Told) -> Entry:
    return Entry(match, told)


def stand(match: Match, side: int, front: int) -> None:
    match.apply(match.rev + 1, (SET, side, front, 0, 0))


def test_presses_add_up_for_each_side_apart(entry: Entry, told: Told) -> None:
    assert not entry.any
    assert [entry.add(0, 5, 10), entry.add(2, 1, 20), entry.add(0, 1, 30)] == [5, 1, 1]
    assert [entry.points(side) for side in range(3)] == [6, 0, 1]
    assert told == [(0, 5), (2, 1), (0, 6)]
    assert entry.any


def test_pending_points_stop_at_46(entry: Entry) -> None:
    for _ in range(9):
        entry.add(1, 5, 0)
    assert (entry.add(1, 5, 0), entry.points(1), entry.room(1)) == (1, 46, 0)
    assert entry.add(1, 1, 0) == 0


def test_pending_points_stop_at_the_target(entry: Entry, match: Match, told: Told) -> None:
    stand(match, 0, 118)
    assert entry.add(0, 5, 0) == 3
    assert entry.add(0, 5, 0) == 0
    assert (entry.points(0), told) == (3, [(0, 3)])


def test_after_a_win_nothing_can_be_added(entry: Entry, match: Match, told: Told) -> None:
    stand(match, 0, 121)
    assert [entry.room(side) for side in range(3)] == [0, 0, 0]
    assert entry.add(1, 5, 0) == 0
    assert told == []


def test_the_last_press_is_taken_back_first_whoevers_it_was(entry: Entry, told: Told) -> None:
    entry.add(0, 5, 0)
    entry.add(1, 1, 0)
    entry.add(0, 1, 0)
    told.clear()
    for _ in range(4):
        entry.take_back()
    assert told == [(0, 5), (1, 0), (0, 0)]


def test_taking_points_out_leaves_the_other_side(entry: Entry) -> None:
    entry.add(0, 5, 0)
    entry.add(1, 1, 0)
    assert (entry.take(0), entry.take(0), entry.points(1)) == (5, 0, 1)


def test_dropping_tells_each_side_once(entry: Entry, told: Told) -> None:
    for side in (2, 0, 2):
        entry.add(side, 1, 0)
    told.clear()
    entry.drop()
    assert told == [(2, 0), (0, 0)]
    assert not entry.any


def test_a_host_puts_points_in_place_of_what_was_pressed(entry: Entry, told: Told) -> None:
    entry.add(0, 5, 0)
    entry.add(1, 5, 0)
    entry.put(0, 7)
    assert (entry.points(0), entry.points(1)) == (7, 5)
    entry.put(0, 0)
    assert (entry.points(0), told[-2:]) == (0, [(0, 7), (0, 0)])
    entry.take_back()
    assert not entry.any


@pytest.mark.parametrize("points", [0, 1, 46])
def test_a_host_can_put_from_none_to_46(points: int, entry: Entry) -> None:
    entry.put(2, points)
    assert entry.points(2) == points


@pytest.mark.parametrize("points", [-1, 47, 1.0, "5", None, True, [1], (1, 2)])
def test_points_that_cannot_be_pending_are_refused_and_quoted(points: object, entry: Entry, told: Told) -> None:
    with pytest.raises(ValueError, match="points cannot be pending") as error:
        entry.put(0, points)  # type: ignore[arg-type]
    assert str(points) in str(error.value)
    assert told == []


@pytest.mark.parametrize("side", [3, -1, 1.0, True, "0", None, [0]])
def test_a_side_that_does_not_play_is_refused(side: object, entry: Entry, told: Told) -> None:
    with pytest.raises(ValueError, match=r"no side|cannot be pending"):
        entry.put(side, 1)  # type: ignore[arg-type]
    assert (told, entry.any) == ([], False)


def test_a_host_cannot_put_points_past_the_target(entry: Entry, match: Match) -> None:
    stand(match, 0, 119)
    entry.put(0, 2)
    with pytest.raises(ValueError, match="3 points cannot be pending"):
        entry.put(0, 3)
    assert entry.points(0) == 2


def test_what_fits_no_more_is_dropped_when_the_match_has_changed(entry: Entry, match: Match, told: Told) -> None:
    entry.add(0, 5, 0)
    entry.add(0, 5, 0)
    entry.add(1, 5, 0)
    stand(match, 0, 112)
    told.clear()
    entry.trim()
    assert (told, entry.points(0), entry.points(1)) == ([(0, 0)], 0, 5)


def test_what_just_fits_stays(entry: Entry, match: Match, told: Told) -> None:
    entry.add(0, 5, 0)
    stand(match, 0, 116)
    told.clear()
    entry.trim()
    assert (told, entry.points(0)) == ([], 5)


def test_points_of_a_side_that_has_left_are_dropped_and_told_once(entry: Entry, match: Match, told: Told) -> None:
    entry.add(2, 5, 0)
    entry.add(2, 1, 0)
    match.apply(1, new_event(121, 3, 2, 0, 91, 61))
    told.clear()
    entry.trim()
    assert (told, entry.any) == ([(2, 0)], False)


def test_a_win_drops_what_others_had_pending(entry: Entry, match: Match) -> None:
    entry.add(1, 5, 0)
    stand(match, 0, 121)
    entry.trim()
    assert not entry.any


def test_points_that_nobody_touches_are_idle(entry: Entry) -> None:
    entry.add(0, 5, 1000)
    entry.add(1, 5, 2000)
    assert [entry.idle(now, 3000) for now in (3999, 4000, 6000)] == [-1, 0, 0]
    entry.add(0, 1, 4500)
    assert entry.idle(5000, 3000) == 1
    entry.take(1)
    assert entry.idle(7499, 3000) == -1


def test_nothing_pending_is_never_idle(entry: Entry) -> None:
    assert entry.idle(10**6, 0) == -1


def test_what_a_host_puts_is_never_idle_until_a_button_touches_it(entry: Entry) -> None:
    entry.add(0, 5, 1000)
    entry.put(0, 4)
    assert [entry.idle(now, 3000) for now in (4000, 400_000)] == [-1, -1]
    entry.add(0, 1, 500_000)
    assert [entry.idle(now, 3000) for now in (502_999, 503_000)] == [-1, 0]


def test_idle_is_right_across_the_wrap_of_the_clock(entry: Entry) -> None:
    entry.add(0, 5, WRAP - 100)
    assert [entry.idle(now, 200) for now in (99, 100)] == [-1, 0]


@given(st.lists(st.tuples(st.integers(0, 2), st.sampled_from([0, 1, 5, 46, -1])), max_size=60))
def test_pending_points_and_score_never_pass_the_target(presses: list[tuple[int, int]]) -> None:
    match = Match(61, 7, 3)
    entry = Entry(match, Told())
    for side, points in presses:
        if points < 0:
            entry.take_back()
        elif points == 0:
            taken = entry.take(side)
            if taken:
                match.check((PEG, side, taken, 0, 0))
                match.apply(match.rev + 1, (PEG, side, taken, 0, 0))
                entry.trim()
        else:
            entry.add(side, points, 0)
        for each in match.sides:
            assert 0 <= entry.points(each) <= 46
            assert match.front(each) + entry.points(each) <= 61
