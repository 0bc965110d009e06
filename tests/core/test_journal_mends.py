"""What the journal makes of wrong bits."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from core.journals import LOST, Board, again, blank, played, score, sealed, state

from cribboard.sim.flash import SECTOR
from cribboard_core import gap
from cribboard_core.events import DEAL, SET, UNDO, new_event
from cribboard_core.game import Game, unpack
from cribboard_core.journal import BLANK, PAGE, PAGE_SLOTS
from cribboard_core.records import BODY, SLOT, event_record, place, u16


def used(nvm: bytearray) -> list[int]:
    places = [place(slot) for slot in range(len(nvm) // PAGE * PAGE_SLOTS)]
    return [at for at in places if nvm[at : at + SLOT] != BLANK]


@pytest.mark.parametrize("erased", [True, False])
def test_a_wrong_bit_in_any_record_costs_nothing(erased: bool) -> None:
    board = played(Board(blank(), players=3), 40, 3)
    board.restore(Game(0, 121, 7, 3, 2, 91, 61).pack(), 9, 99)
    if erased:
        played(board, 8, 4)
        board.journal.roll(board.match)
    else:
        board.restore(Game(0, 61, 7, 3, 1, 31, 0).pack(), 9, 100)
    played(board, 12, 5)
    nvm = board.nvm
    right = state(board)
    for at in used(nvm):
        for bit in random.Random(at).sample(range(8 * SLOT), 12):
            wrong = bytearray(nvm)
            wrong[at + bit // 8] ^= 1 << bit % 8
            booted = again(wrong)
            assert {**state(booted), "free": 0} == {**right, "free": 0}, (at, bit)
            assert (booted.journal.log.lost, booted.journal.log.missing, booted.journal.log.torn) == (False, 0, False)


def test_a_wrong_bit_in_the_newest_event_before_an_erase_costs_nothing() -> None:
    board = Board(blank())
    for points in (3, 4, 5):
        board.peg(1, points)
    board.journal.roll(board.match)
    newest = place(board.journal.log.kept[-1])
    board.peg(0, 6)
    right = state(board)
    board.nvm[newest + 3] ^= 2
    booted = again(board.nvm)
    assert (state(booted), booted.journal.log.missing) == (right, 0)


def test_a_record_that_was_mended_is_told_to_hosts_as_it_was() -> None:
    board = Board(blank())
    board.peg(0, 4, 5, 1)
    board.peg(1, 6, 5, 2)
    records = list(board.journal.records(-1))
    board.nvm[place(2 * PAGE_SLOTS) + 3] ^= 2
    assert list(again(board.nvm).journal.records(-1)) == records


@pytest.mark.parametrize(("left", "front"), [((0xFF, 0xFF), 4), (None, 10)])
def test_the_newest_record_without_a_crc_has_not_happened_and_one_whose_crc_lacks_bits_has(
    left: tuple[int, int] | None, front: int
) -> None:
    board = Board(blank())
    board.peg(0, 4, 5, 1)
    board.peg(0, 6, 5, 2)
    nvm = board.nvm
    at = place(2 * PAGE_SLOTS + 1) + BODY
    nvm[at : at + 2] = bytes(left) if left else bytes([nvm[at] | 0x5A, nvm[at + 1] | 0xA5])
    booted = again(nvm)
    assert (booted.mounted, booted.match.front(0), booted.journal.log.torn) == (True, front, True)
    booted.peg(1, 3)
    after = again(booted.nvm)
    assert (after.match.front(0), after.match.front(1), after.journal.log.torn) == (front, 3, False)
    assert state(after) == state(booted)


@pytest.mark.parametrize("events", [2, 5, 20, 21, 22, 40])
@pytest.mark.parametrize("times", [1, 3])
@pytest.mark.parametrize("restored", [False, True])
def test_an_event_that_one_start_could_not_read_does_not_come_back_over_what_followed(
    events: int, times: int, restored: bool
) -> None:
    board = Board(blank())
    for number in range(events):
        board.peg(number & 1, 1, 5, number + 1)
    for time in range(times):
        nvm = board.nvm
        at = place(board.journal.log.kept[-1])
        right = bytes(nvm[at : at + SLOT])
        nvm[at : at + SLOT] = bytes(byte ^ 0x11 for byte in right)
        board = again(nvm)
        assert (board.mounted, board.journal.log.torn) == (True, True)
        if restored:
            board.restore(Game(0, 121, 3, 2, 1, 91, 61).pack(), 9, 100 + time)
        else:
            board.peg(0, 7, 9, 100 + time)
        nvm = board.nvm
        nvm[at : at + SLOT] = right  # the cell reads as it was written again
        booted = again(nvm)
        assert state(booted) == state(board)
        assert booted.mounted
        assert (booted.journal.log.torn, booted.journal.log.lost, booted.journal.log.missing) == (False, False, 0)
        board = booted
        board.peg(1, 3)
        board.peg(1, 1)
        assert state(again(board.nvm)) == state(board)


def test_a_crc_that_lacks_bits_proves_nothing_in_a_page_with_another_wrong_record() -> None:
    board = Board(blank())
    board.peg(0, 4, 5, 1)
    board.peg(0, 6, 5, 2)
    board.peg(0, 3, 5, 3)
    nvm = board.nvm
    first = place(2 * PAGE_SLOTS)
    nvm[first + 3] ^= 2
    newest = first + 2 * SLOT
    nvm[newest + BODY : newest + SLOT] = bytes([nvm[newest + BODY] | 0x5A, nvm[newest + BODY + 1] | 0xA5])
    booted = again(nvm)
    assert (booted.mounted, booted.match.front(0), booted.journal.log.torn) == (True, 10, True)
    assert (booted.journal.log.session, booted.journal.log.last_id) == (5, 2)


@pytest.mark.parametrize("room", [0, 9])
def test_a_mended_newest_record_that_cannot_be_written_again_is_still_read(room: int) -> None:
    class Worn(bytearray):
        """A flash of which the pages from the fourth on take nothing."""

        def __setitem__(self, index: object, value: object) -> None:
            assert isinstance(index, slice)
            if index.start < 3 * PAGE:
                super().__setitem__(index, value)  # type: ignore[call-overload]

    board = Board(blank())
    while room == 0 and board.journal.free > 4:
        board.peg(0, 0)
    board.peg(1, 6)
    nvm = board.nvm
    nvm[place(board.journal.log.kept[-1]) + 3] ^= 4
    for _ in range(2):
        booted = Board(Worn(nvm), LOST)
        assert (booted.mounted, booted.match.front(1), booted.journal.log.lost) == (True, 6, False)


def test_a_ruined_snapshot_is_replaced_by_its_copy() -> None:
    board = played(Board(blank()), 30, 8)
    board.journal.roll(board.match)
    played(board, 9, 9)
    nvm = bytearray(board.nvm)
    nvm[0 : PAGE - 4] = bytes(PAGE - 4)
    booted = again(nvm)
    assert (booted.mounted, score(booted), booted.journal.log.lost) == (True, score(board), False)
    assert list(booted.journal.records(-1)) == list(board.journal.records(-1))
    assert (booted.journal.log.session, booted.journal.log.last_id) == (
        board.journal.log.session,
        board.journal.log.last_id,
    )


def test_ruined_events_that_undo_could_take_back_do_not_change_the_score() -> None:
    board = Board(blank())
    for points in range(1, 12):
        board.peg(points & 1, points)
    board.journal.roll(board.match)
    board.peg(0, 2)
    nvm = board.nvm
    at = place(board.journal.log.kept[3])
    nvm[at : at + SLOT] = bytes(range(SLOT))
    booted = again(nvm)
    assert (booted.mounted, score(booted), booted.journal.log.missing) == (True, score(board), 1)
    booted.undo()
    assert not booted.match.can_undo
    assert booted.match.play.trimmed


@pytest.mark.parametrize("size", [SECTOR, 3 * PAGE])  # the smaller one has no copy
@pytest.mark.parametrize("left", [0, 2])
def test_where_a_win_before_an_erase_is_unreadable_and_the_copy_too_the_next_record_says_who_won(
    size: int, left: int
) -> None:
    board = Board(blank(size))
    for points in (46, 46, 29):
        board.peg(0, points)
    board.journal.roll(board.match)
    board.new()
    nvm = bytearray(board.nvm)
    ruin_copy(nvm)
    for slot in board.journal.log.kept[left:3]:
        nvm[place(slot) : place(slot) + SLOT] = bytes(range(SLOT))
    booted = again(nvm)
    assert (booted.mounted, score(booted), booted.journal.log.missing) == (True, score(board), 3 - left)
    assert not booted.match.can_undo


@pytest.mark.parametrize("size", [SECTOR, 3 * PAGE])
def test_events_before_an_erase_that_no_later_record_makes_good_are_told(size: int) -> None:
    board = Board(blank(size))
    board.peg(0, 4)
    board.peg(1, 5)
    board.journal.roll(board.match)
    board.peg(1, 3)
    nvm = board.nvm
    ruin_copy(nvm)
    at = place(board.journal.log.kept[0])
    nvm[at : at + SLOT] = bytes(range(SLOT))
    booted = again(nvm)
    assert (booted.mounted, booted.journal.log.lost, booted.journal.log.missing) == (False, True, 1)


def test_what_reads_like_an_earlier_event_where_there_was_none_before_an_erase_is_not_taken_for_one() -> None:
    board = Board(blank())
    board.peg(0, 4)
    board.restore(Game(0, 121, 3, 2, 1, 91, 61).pack())
    board.journal.roll(board.match)
    board.peg(0, 2)
    board.peg(1, 3)
    nvm = board.nvm
    ruin_copy(nvm)
    undo = event_record(1, (UNDO, 0, 0, 7, 0), 0, 0)
    nvm[PAGE : PAGE + SLOT] = bytes([undo[0] ^ 1]) + undo[1:]  # one bit from an event, by chance
    assert state(again(nvm)) == state(board)


def ruin_copy(nvm: bytearray) -> None:
    """Nothing of the snapshot's copy can be read, where there is one."""
    if len(nvm) == SECTOR:
        nvm[PAGE : 2 * PAGE - 4] = bytes(PAGE - 4)


def test_where_the_beginning_of_a_game_is_missing_its_score_is_known_and_told_as_unsure() -> None:
    board = Board(blank())
    for points in (46, 46, 29):
        board.peg(0, points)
    board.new()
    for points in range(PAGE_SLOTS):
        board.peg(points & 1, 1)
    nvm = board.nvm
    at = place(2 * PAGE_SLOTS + 3)
    nvm[at : at + SLOT] = bytes(range(SLOT))
    booted = again(nvm)
    assert (booted.match.front(0), booted.match.front(1), booted.match.won(0)) == (11, 10, 1)
    assert (booted.journal.log.lost, booted.journal.log.missing) == (True, 1)


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("back", [121, 120, 86])
def test_behind_a_set_win_whose_undo_is_missing_both_pegs_stand_before_the_game_hole(players: int, back: int) -> None:
    board = Board(blank(), players=players)
    board.peg(0, 5)
    board.do((SET, 1, 121, back, 0))
    board.undo()
    board.peg(0, 3)
    nvm = board.nvm
    at = place(2 * PAGE_SLOTS + 2)
    nvm[at : at + SLOT] = bytes(range(SLOT))
    match = again(nvm).match
    held = min(back, 120)
    assert [(match.front(side), match.back(side)) for side in (0, 1)] == [(8, 5), (held, held)]
    assert (match.winner, match.dealer) == (-1, 0)
    assert unpack(match.play.pack()).now == match.play.now, "a game that there can be"


def test_behind_a_win_whose_undo_is_missing_the_game_goes_on() -> None:
    board = Board(blank())
    for points in (46, 40, 35):
        board.peg(1, points)
    assert board.match.winner == 1
    board.undo()
    board.peg(0, 3)
    board.peg(0, 4)
    nvm = board.nvm
    at = place(2 * PAGE_SLOTS + 3)
    nvm[at : at + SLOT] = bytes(range(SLOT))
    booted = again(nvm)
    assert (booted.match.winner, booted.match.front(0), booted.match.front(1)) == (-1, 7, 86)
    assert (booted.journal.log.lost, booted.journal.log.missing) == (True, 1)
    assert unpack(booted.match.play.pack()).now == booted.match.play.now, "a game that there can be"
    booted.peg(1, 1)
    assert booted.match.front(1) == 87


def flash_of(records: list[bytes]) -> bytearray:
    nvm = blank()
    for slot, record in enumerate(records):
        nvm[place(slot) : place(slot) + SLOT] = record
    return nvm


def test_a_record_that_cannot_be_read_is_not_mended_for_each_that_follows(monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[bytes] = []
    monkeypatch.setattr(gap, "mended", lambda record: tried.append(record) or b"")
    bodies = [(bytes(range(256)) * 17)[at : at + BODY] for at in range(0, 256 * 13, 13)]
    again(flash_of([sealed(body) if at % 2 else body + b"\0\0" for at, body in enumerate(bodies)]))
    assert max(Counter(tried).values()) == 1


def test_a_flash_that_is_not_blank_and_no_journal_is_told_as_lost() -> None:
    nvm = blank()
    nvm[700] = 0
    board = Board(nvm)
    assert (board.mounted, board.journal.log.lost, board.journal.log.missing) == (False, True, 255)
    marked = blank()
    marked[-1] = 0  # beside the journal (nvm.py)
    for flash in (blank(), marked):
        fresh = Board(flash)
        assert (fresh.mounted, fresh.journal.log.lost, fresh.journal.log.missing) == (False, False, 0)


def test_a_new_games_record_says_who_won_the_one_before() -> None:
    board = Board(blank(), players=3)
    for points in (46, 46, 29):
        board.peg(1, points)
    assert board.match.winner == 1
    board.do(new_event(121, 7, 3, 0, 91, 61))
    record = board.journal.log.get(board.journal.log.kept[-1])
    assert u16(record, 4) >> 11 == 2
    assert len(board.nvm) == SECTOR


def test_a_dealer_without_a_seat_as_far_as_the_match_is_known_is_passed_over() -> None:
    board = Board(blank())
    board.peg(0, 3)
    board.new(3)
    board.do((DEAL, 2, 0, 0, 0))
    board.peg(1, 5)
    nvm = board.nvm
    at = place(board.journal.log.kept[1])
    nvm[at : at + SLOT] = bytes(range(SLOT))  # the new game cannot be read
    booted = again(nvm)
    assert (booted.match.seats, booted.match.dealer, booted.journal.log.lost) == ((0, 1), 0, True)
    assert unpack(booted.match.play.pack()).now == booted.match.play.now, "a game that there can be"
