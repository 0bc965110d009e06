"""Undo and redo, scores of one game back and forth; and that undo, which never folds again, equals folding again."""

from __future__ import annotations

from core.moves import Event, deal, do, peg, pegs, put, redo, refused, state, undo, won_by_first
from hypothesis import given
from hypothesis import strategies as st

from cribboard_core.events import FALSE, NEW, PENALTY, REDO, UNDO, Refused, new_event
from cribboard_core.game import unpack
from cribboard_core.match import Match


def test_undo_sets_both_pegs_back_where_they_were() -> None:
    match = undo(do(Match(), peg(0, 4), peg(0, 8)))
    assert pegs(match)[0] == (4, 0)
    assert pegs(undo(match))[0] == (0, 0)
    assert not match.can_undo


def test_undo_names_the_rev_that_it_takes_back() -> None:
    match = do(Match(), peg(0, 4), peg(1, 8))
    assert refused(match, (UNDO, 0, 0, 1, 0)) == ("rev", "undo names event 1, but the one at hand is 2")
    assert match.last() == (peg(1, 8), 2)
    undo(match)
    assert refused(match, (UNDO, 0, 0, 2, 0))[0] == "rev"
    assert refused(match, (REDO, 0, 0, 1, 0)) == ("rev", "redo names event 1, but the one at hand is 2")
    assert match.next() == (peg(1, 8), 2)


def test_undo_names_the_low_16_bits_of_a_long_rev() -> None:
    match = Match()
    match.rev = 0x2FFFE
    do(match, peg(0, 1), peg(0, 2))
    assert match.rev == 0x30000
    assert match.undo_event() == (UNDO, 0, 0, 0, 0)
    undo(match)
    assert match.undo_event() == (UNDO, 0, 0, 0xFFFF, 0)


def test_undo_and_redo_count_as_events() -> None:
    assert redo(undo(do(Match(), peg(0, 4)))).rev == 3


def test_what_is_brought_back_keeps_its_own_rev() -> None:
    match = redo(undo(do(Match(), peg(0, 4))))
    assert match.last() == (peg(0, 4), 1)


def test_undo_goes_past_a_win_and_redo_wins_again() -> None:
    match = undo(won_by_first())
    assert (match.winner, pegs(match)[0], match.won(0)) == (-1, (110, 100), 0)
    redo(match)
    assert (match.winner, pegs(match)[0], match.won(0)) == (0, (121, 110), 1)


def test_redo_goes_as_deep_as_undo_went() -> None:
    match = do(Match(), peg(0, 4), deal(1), peg(1, 6), (PENALTY, 0, 2, 1, 0))
    before = state(match)
    undo(match, 4)
    assert (pegs(match), match.dealer) == ([(0, 0), (0, 0)], 0)
    redo(match, 4)
    assert state(match) == before
    assert not match.can_redo


def test_a_new_score_ends_what_redo_could_bring_back() -> None:
    match = do(undo(do(Match(), peg(0, 4), peg(0, 5)), 2), peg(1, 3))
    assert not match.can_redo
    assert pegs(undo(match)) == [(0, 0), (0, 0)]


def test_a_deal_ends_what_redo_could_bring_back() -> None:
    assert not do(undo(do(Match(), peg(0, 4))), deal(1)).can_redo


def test_a_redo_leaves_the_rest_of_what_it_could_bring_back() -> None:
    match = redo(undo(do(Match(), peg(0, 4), peg(0, 5), peg(0, 6)), 3))
    assert match.next() == (peg(0, 5), 2)


def test_taking_back_with_nothing_there_changes_nothing() -> None:
    match = Match()
    before = state(match)
    for kind in (UNDO, REDO):
        match.apply(match.rev + 1, (kind, 0, 0, 0, 0))
        assert state(match) == before


SCORES = st.one_of(
    st.builds(peg, st.integers(0, 2), st.integers(0, 46)),
    st.builds(put, st.integers(0, 2), st.integers(0, 61), st.integers(0, 20)),
    st.builds(deal, st.integers(0, 2)),
    st.builds(
        lambda side, points, way: (PENALTY, side, points, way, 0),
        st.integers(0, 2),
        st.integers(0, 9),
        st.integers(0, 1),
    ),
    st.builds(lambda side, score: (FALSE, side, score, 0, 0), st.integers(0, 2), st.integers(0, 61)),
    st.builds(lambda dealer: new_event(61, 7, 3, dealer, 31, 0), st.integers(0, 2)),
    st.sampled_from([(UNDO, 0, 0, 0, 0), (REDO, 0, 0, 0, 0)]),
)


@given(st.lists(SCORES, max_size=40))
def test_any_course_of_undo_and_redo_equals_folding_again_what_is_left(script: list[Event]) -> None:
    match = Match(61, 7, 3)
    done: list[Event] = []
    back: list[Event] = []
    for event in script:
        if event[0] in (UNDO, REDO):
            if not (match.can_undo if event[0] == UNDO else match.can_redo):
                continue
            do(match, match.undo_event() if event[0] == UNDO else match.redo_event())
            (back if event[0] == UNDO else done).append((done if event[0] == UNDO else back).pop())
        else:
            unscored = match.earlier is not None and not any(match.play.now[:-2])  # a handicap is none, but it stays
            passed_over = event[0] == NEW and unscored
            try:
                do(match, event)
            except Refused:
                continue
            while passed_over and done.pop()[0] != NEW:
                pass
            done.append(event)
            back = []
        again = do(Match(61, 7, 3), *done)
        assert state(match)[1:] == state(again)[1:]
        assert unpack(match.play.pack()).pack() == match.play.pack()
        assert match.can_redo == bool(back)
        for side in match.sides:
            assert match.back(side) <= match.front(side) <= match.target
