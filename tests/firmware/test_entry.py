"""Pending points: press by press, never past the target nor 46."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cribboard_core.events import PEG, SET, Refused, new_event
from cribboard_core.match import Match
from cribboard_fw.clock import WRAP
from cribboard_fw.entry import Entry


class Told(list[tuple[int, int]]):
    """The changes that were told; `owners` has whose the points were."""

    def __init__(self) -> None:
        self.owners: list[int] = []

    def __call__(self, side: int, points: int, owner: int) -> None:
        self.append((side, points))
        self.owners.append(owner)


@pytest.fixture
def match() -> Match:
    return Match(121, 7, 3)


@pytest.fixture
def changes() -> Told:
    return Told()


@pytest.fixture
def entry(match: Match, changes: Told) -> Entry:
    return Entry(match, changes)


def at(entry: Entry, now: int) -> Entry:
    """The same one at another time."""
    entry.now = now
    return entry


def stand(match: Match, side: int, front: int) -> None:
    match.apply(match.rev + 1, (SET, side, front, 0, 0))


def test_presses_add_up_for_each_side_apart(entry: Entry, changes: Told) -> None:
    assert not entry.any
    assert [entry.add(0, 5), entry.add(2, 1), entry.add(0, 1)] == [5, 1, 1]
    assert [entry.points(side) for side in range(3)] == [6, 0, 1]
    assert changes == [(0, 5), (2, 1), (0, 6)]
    assert entry.any


def test_pending_points_stop_at_46(entry: Entry) -> None:
    for _ in range(9):
        entry.add(1, 5)
    assert (entry.add(1, 5), entry.points(1), entry.room(1)) == (1, 46, 0)
    assert entry.add(1, 1) == 0


def test_pending_points_stop_at_the_target(entry: Entry, match: Match, changes: Told) -> None:
    stand(match, 0, 118)
    assert entry.add(0, 5) == 3
    assert entry.add(0, 5) == 0
    assert (entry.points(0), changes) == (3, [(0, 3)])


def test_after_a_win_nothing_can_be_added(entry: Entry, match: Match, changes: Told) -> None:
    stand(match, 0, 121)
    assert [entry.room(side) for side in range(3)] == [0, 0, 0]
    assert entry.add(1, 5) == 0
    assert changes == []


def test_the_last_press_is_taken_back_first_whoevers_it_was(entry: Entry, changes: Told) -> None:
    entry.add(0, 5)
    entry.add(1, 1)
    entry.add(0, 1)
    changes.clear()
    for _ in range(4):
        entry.take_back()
    assert changes == [(0, 5), (1, 0), (0, 0)]


def test_taking_points_out_leaves_the_other_side(entry: Entry) -> None:
    entry.add(0, 5)
    entry.add(1, 1)
    assert (entry.take(0), entry.take(0), entry.points(1)) == (5, 0, 1)


def test_dropping_tells_each_side_once(entry: Entry, changes: Told) -> None:
    for side in (2, 0, 2):
        entry.add(side, 1)
    changes.clear()
    entry.drop()
    assert changes == [(2, 0), (0, 0)]
    assert not entry.any


def test_a_host_shows_points_of_an_owner_and_takes_them_away(entry: Entry, changes: Told) -> None:
    entry.add(1, 5)
    entry.put(0, 7, 9, 20)
    entry.put(0, 8, 9, 20)
    assert (entry.points(0), entry.points(1)) == (8, 5)
    entry.put(0, 0, 9, 20)
    assert (changes[1:], changes.owners) == ([(0, 7), (0, 0), (0, 8), (0, 0)], [0, 9, 9, 9, 9])


@pytest.mark.parametrize("points", [0, 1, 46])
def test_a_host_can_put_from_none_to_46(points: int, entry: Entry) -> None:
    entry.put(2, points, 255, 1)
    assert entry.points(2) == points


def test_a_side_that_does_not_play_is_refused(entry: Entry, changes: Told) -> None:
    with pytest.raises(Refused) as refused:
        entry.put(3, 1, 9, 20)
    assert (refused.value.code, changes, entry.any) == ("side", [], False)


def test_a_host_cannot_put_points_past_the_target(entry: Entry, match: Match) -> None:
    stand(match, 0, 119)
    entry.put(0, 2, 9, 20)
    with pytest.raises(Refused, match="3 points are too many for side 1") as refused:
        entry.put(0, 3, 9, 20)
    assert (refused.value.code, entry.points(0)) == ("points", 2)


def test_where_the_buttons_points_wait_a_host_is_refused_and_told_so(entry: Entry, changes: Told) -> None:
    entry.add(1, 5)
    with pytest.raises(Refused) as refused:
        entry.put(1, 9, 3, 20)
    assert (refused.value.code, refused.value.text) == ("waiting", "5 points of the buttons wait for side 2")
    assert (entry.points(1), changes) == (5, [(1, 5)])


def test_where_another_owners_points_wait_a_host_is_refused_and_told_whose_they_are(entry: Entry) -> None:
    entry.put(1, 5, 3, 20)
    with pytest.raises(Refused, match="5 points of owner 3 wait for side 2"):
        entry.put(1, 9, 4, 20)
    entry.put(0, 9, 4, 20)
    assert (entry.points(0), entry.points(1)) == (9, 5)


@pytest.mark.parametrize("owner", [0, 3])
def test_no_points_take_away_the_same_owners_only(owner: int, entry: Entry, changes: Told) -> None:
    if owner:
        entry.put(1, 5, owner, 20)
    else:
        entry.add(1, 5)
    entry.put(1, 0, 4, 20)
    assert (entry.points(1), len(changes)) == (5, 1)


def test_a_press_lets_a_hosts_points_go_and_adds_to_none_of_them(entry: Entry, changes: Told) -> None:
    entry.put(0, 9, 3, 20)
    entry.put(1, 4, 3, 20)
    assert entry.add(0, 1) == 1
    assert (changes[2:], changes.owners[2:]) == ([(0, 0), (0, 1)], [3, 0])
    assert entry.points(1) == 4


def test_a_press_without_room_beside_a_hosts_points_has_all_of_it_once_they_went(entry: Entry, match: Match) -> None:
    stand(match, 0, 119)
    entry.put(0, 2, 3, 20)
    assert (entry.add(0, 1), entry.points(0)) == (1, 1)


def test_an_entry_says_whose_points_wait(entry: Entry) -> None:
    entry.put(0, 9, 3, 20)
    entry.add(1, 5)
    assert (entry.owner[0], entry.owner[1]) == (3, 0)


def test_what_blinks_goes_back_the_last_touched_first_whoevers_it_is(entry: Entry, changes: Told) -> None:
    entry.add(0, 5)
    entry.put(1, 9, 3, 20)
    entry.add(2, 5)
    entry.put(1, 8, 3, 20)
    changes.clear()
    assert [entry.take_back() for _ in range(4)] == [1, 2, 0, -1]
    assert changes == [(1, 0), (2, 0), (0, 0)]


def test_a_hosts_points_are_let_go_for_a_side_or_for_all(entry: Entry) -> None:
    entry.put(0, 9, 3, 20)
    entry.put(1, 8, 4, 20)
    entry.add(2, 5)
    entry.trim(1)
    assert [entry.points(side) for side in range(3)] == [9, 0, 5]
    entry.trim()
    assert [entry.points(side) for side in range(3)] == [0, 0, 5]


def test_a_hosts_points_go_when_their_time_is_over(entry: Entry, changes: Told) -> None:
    at(entry, WRAP - 1000).put(1, 9, 3, 2)
    entry.add(0, 5)
    for now in (WRAP - 1000, 0, 1000):
        at(entry, now).expire()
    assert entry.points(1) == 9
    at(entry, 1001).expire()
    assert (entry.points(1), entry.points(0), changes[-1], changes.owners[-1]) == (0, 5, (1, 0), 3)


def test_the_time_begins_again_when_the_owner_shows_them_again(entry: Entry) -> None:
    entry.put(0, 9, 3, 255)
    at(entry, 254_999).expire()
    entry.put(0, 9, 3, 255)
    at(entry, 500_000).expire()
    assert entry.points(0) == 9
    at(entry, 510_000).expire()
    assert not entry.any


def test_points_of_buttons_never_expire(entry: Entry) -> None:
    entry.put(0, 9, 3, 1)
    entry.add(0, 5)
    at(entry, 10**8).expire()
    assert entry.points(0) == 5


def test_what_fits_no_more_is_dropped_when_the_match_has_changed(entry: Entry, match: Match, changes: Told) -> None:
    entry.add(0, 5)
    entry.add(0, 5)
    entry.add(1, 5)
    stand(match, 0, 112)
    changes.clear()
    entry.trim()
    assert (changes, entry.points(0), entry.points(1)) == ([(0, 0)], 0, 5)


def test_what_just_fits_stays(entry: Entry, match: Match, changes: Told) -> None:
    entry.add(0, 5)
    stand(match, 0, 116)
    changes.clear()
    entry.trim()
    assert (changes, entry.points(0)) == ([], 5)


def test_points_of_a_side_that_has_left_are_dropped_and_told_once(entry: Entry, match: Match, changes: Told) -> None:
    entry.add(2, 5)
    entry.add(2, 1)
    match.apply(1, new_event(121, 3, 2, 0, 91, 61))
    changes.clear()
    entry.trim()
    assert (changes, entry.any) == ([(2, 0)], False)


def test_a_win_drops_what_others_had_pending(entry: Entry, match: Match) -> None:
    entry.add(1, 5)
    stand(match, 0, 121)
    entry.trim()
    assert not entry.any


def test_points_that_nobody_touches_are_idle(entry: Entry) -> None:
    at(entry, 1000).add(0, 5)
    at(entry, 2000).add(1, 5)
    assert [at(entry, now).idle(3000) for now in (3999, 4000, 6000)] == [-1, 0, 0]
    at(entry, 4500).add(0, 1)
    assert at(entry, 5000).idle(3000) == 1
    entry.take(1)
    assert at(entry, 7499).idle(3000) == -1


def test_nothing_pending_is_never_idle(entry: Entry) -> None:
    assert at(entry, 10**6).idle(0) == -1


def test_what_a_host_puts_is_never_idle(entry: Entry) -> None:
    for side in (1, 0):
        entry.put(side, 4, 3, 20)
        assert [at(entry, now).idle(3000) for now in (4000, 400_000)] == [-1, -1]
    entry.take(1)
    at(entry, 500_000).add(0, 1)
    assert [at(entry, now).idle(3000) for now in (502_999, 503_000)] == [-1, 0]


def test_idle_is_right_across_the_wrap_of_the_clock(entry: Entry) -> None:
    at(entry, WRAP - 100).add(0, 5)
    assert [at(entry, now).idle(200) for now in (99, 100)] == [-1, 0]


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
            entry.add(side, points)
        for each in match.sides:
            assert 0 <= entry.points(each) <= 46
            assert match.front(each) + entry.points(each) <= 61
