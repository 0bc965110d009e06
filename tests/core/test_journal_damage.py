"""The journal on bad cells, on garbage, and when records are missing."""

from __future__ import annotations

import random
from itertools import combinations
from struct import pack
from unittest.mock import ANY

import pytest
from core.journals import EPOCH, LOST, Board, Event, again, blank, score, sealed, state

from cribboard.sim.flash import SECTOR, Flash
from cribboard_core import records
from cribboard_core.events import DEAL, HAND, NEW, PEG, PENALTY, RESTORE, SET
from cribboard_core.game import Game
from cribboard_core.journal import PAGE, PAGE_SLOTS, JournalError
from cribboard_core.records import SLOT, event_record, place, snapshot_records, u16


class Worn(bytearray):
    """A memory with cells that stay 0, or that cannot be programmed."""

    def __init__(self, zeros: set[int], dead: set[int], size: int = SECTOR) -> None:
        super().__init__(blank(size))
        self.zeros, self.dead = zeros, dead
        self.erases = 0
        self._wear()

    def __setitem__(self, index: object, value: object) -> None:
        assert isinstance(index, slice)
        self.erases += set(self[index]) != {255}
        super().__setitem__(index, value)  # type: ignore[call-overload]
        self._wear()

    def _wear(self) -> None:
        for at in self.zeros:
            super().__setitem__(at, 0)
        for at in self.dead:
            super().__setitem__(at, 255)


def slots(*numbers: int) -> set[int]:
    return {place(number) for number in numbers}


def test_a_record_that_reads_back_wrong_is_repeated_in_the_next_slot() -> None:
    nvm = Worn(set(), slots(43, 44, 45, 48))
    board = Board(nvm)
    for points in (3, 4, 5, 6):
        board.peg(0, points)
    assert list(board.journal.log.kept) == [42, 46, 47, 49]
    assert state(again(nvm)) == state(board)
    assert list(again(nvm).journal.log.kept) == list(board.journal.log.kept)


@pytest.mark.parametrize("bad", range(3 * PAGE_SLOTS))
def test_a_bad_cell_where_a_journal_begins_costs_only_slots(bad: int) -> None:
    for nvm in (Worn(slots(bad), set()), Worn(set(), slots(bad))):
        board = Board(nvm)
        board.peg(0, 3)
        board.journal.roll(board.match)
        board.peg(0, 4)
        assert state(again(nvm)) == state(board)
        assert again(nvm).match.front(0) == 7


def test_a_cell_that_cannot_be_erased_is_passed_over_without_another_erase() -> None:
    nvm = Worn(slots(44), set())
    board = Board(nvm)
    board.peg(0, 2)  # the cell makes the flash look used, so this begins the journal
    begun = nvm.erases
    for points in (3, 4, 5):
        board.peg(0, points)
    assert nvm.erases == begun
    assert state(again(nvm)) == state(board)


def test_four_bad_slots_in_a_row_are_an_error_and_the_next_event_goes_on_behind_them() -> None:
    nvm = Worn(set(), slots(43, 44, 45, 46))
    board = Board(nvm)
    board.peg(0, 3)
    with pytest.raises(JournalError, match="did not take a record in slot 47"):
        board.peg(0, 4)
    assert board.match.front(0) == 3
    board.peg(0, 5)
    assert state(again(nvm)) == state(board)


def test_a_worn_out_flash_is_an_error_at_once() -> None:
    for bad in (set(range(0, SECTOR, SLOT // 2)), slots(*range(40))):
        with pytest.raises(JournalError, match="did not take the beginning of a journal"):
            Board(Worn(set(), bad))


def test_a_small_flash_without_enough_slots_that_work_is_an_error() -> None:
    with pytest.raises(JournalError, match="did not take the beginning of a journal"):
        Board(Worn(set(), slots(*range(3, PAGE_SLOTS)), PAGE), players=6)


def test_after_an_erase_that_failed_the_next_event_tries_again() -> None:
    nvm = Worn(set(), set())
    board = Board(nvm)
    board.peg(0, 3)
    nvm.dead = slots(*range(40))
    with pytest.raises(JournalError):
        board.journal.roll(board.match)
    assert (board.match.front(0), board.journal.free) == (3, 0)
    nvm.dead = set()
    board.peg(0, 4)
    assert score(again(nvm)) == score(board)


@pytest.mark.parametrize("size", [4096, 8192])
def test_a_sector_that_ends_is_an_error_not_an_overflow(size: int) -> None:
    nvm = blank(size)
    board = Board(nvm)
    board.journal.log.next = board.journal.log.slots
    before = bytes(nvm)
    with pytest.raises(JournalError):
        board.journal.append(board.match, (PEG, 0, 1, 0, 0))
    assert nvm == before


# Garbage


@pytest.mark.parametrize("seed", range(5))
def test_a_sector_of_garbage_begins_anew_with_the_first_event(seed: int) -> None:
    flash = Flash(bytearray(random.Random(seed).randbytes(SECTOR)))
    board = Board(flash)
    assert (board.mounted, board.journal.log.lost, board.journal.log.missing, board.journal.oldest()) == (
        False,
        True,
        255,
        1,
    )
    assert flash.erases == 0
    board.peg(0, 4)
    assert flash.erases == 1
    assert state(again(flash.memory)) == state(board)


def test_a_journal_of_another_layout_is_left_as_it_is_until_the_first_event(monkeypatch: pytest.MonkeyPatch) -> None:
    flash = Flash(blank())
    with monkeypatch.context() as other:
        other.setattr(records, "VERSION", records.VERSION + 1)
        written = Board(flash)
        written.peg(0, 4)
        before = flash.memory[:]
        for _ in range(3):
            with monkeypatch.context() as this:
                this.setattr(records, "VERSION", records.VERSION - 1)
                board = Board(flash, LOST)
                assert (board.mounted, board.journal.log.lost, board.journal.log.missing) == (False, True, 255)
                assert (board.journal.log.epoch, board.match.rev, board.match.front(0)) == (LOST, 0, 0)
                for _ in range(3):
                    board.journal.prepare(board.match)  # what an idle board does
        assert flash.memory == before
        assert state(Board(flash)) == state(written), "the firmware that wrote it goes on with it"
    board.restore(packed())
    assert flash.erases == 1
    assert state(again(flash.memory)) == state(board)


def write(nvm: bytearray, slot: int, record: bytes) -> None:
    at = place(slot)
    nvm[at : at + SLOT] = record


def packed() -> bytes:
    return Game(0, 61, 3, 2, 0, 31, 0).pack()


def test_events_without_a_snapshot_are_no_journal() -> None:
    nvm = blank()
    write(nvm, 0, event_record(1, (PEG, 0, 4, 0, 0), 1, 1))
    board = again(nvm)
    assert (board.mounted, board.match.front(0), board.journal.log.session) == (False, 0, 0)


@pytest.mark.parametrize("parts", range(6))
def test_the_end_of_a_snapshot_without_all_its_parts_is_no_journal(parts: int) -> None:
    nvm = blank()
    *body, close = snapshot_records((EPOCH, 5, 5, NEW, 0), packed(), (0, 0, 0))
    for slot, record in enumerate([*body[:parts], close]):
        write(nvm, slot, record)
    assert len(body) == 5
    assert again(nvm).mounted == (parts == len(body))


@pytest.mark.parametrize("parts", [0, 1, 2])
def test_a_snapshot_too_short_for_a_game_is_no_journal(parts: int) -> None:
    nvm = blank()
    *body, _ = snapshot_records((EPOCH, 5, 5, NEW, 0), packed(), (0, 0, 0))
    for slot in range(parts):
        write(nvm, slot, body[slot])
    write(nvm, parts, event_record(5, (RESTORE, 0, parts, 0, 0), 0, 0))
    assert not again(nvm).mounted


def test_a_snapshot_of_no_game_is_no_journal() -> None:
    nvm = blank()
    for slot, record in enumerate(snapshot_records((EPOCH, 5, 5, NEW, 0), b"\x07" * 15, (0, 0, 0))):
        write(nvm, slot, record)
    assert not again(nvm).mounted


def test_a_later_snapshot_of_no_game_changes_nothing() -> None:
    nvm = blank()
    board = Board(nvm)
    board.peg(0, 4, 2, 2)
    for record in snapshot_records((EPOCH, 2, 2, RESTORE, 0), b"\x07" * 15, (2, 3, 3)):
        board.journal.log.append(record)
    booted = again(nvm)
    assert (booted.mounted, booted.match.front(0), booted.match.rev, booted.journal.log.session) == (True, 4, 1, 2)


def test_the_parts_of_a_restore_that_was_cut_off_do_not_count() -> None:
    nvm = blank()
    board = Board(nvm)
    orphans = snapshot_records((EPOCH, 1, 1, RESTORE, 0), packed(), (1, 0, 0))[:-1]
    for record in orphans:
        board.journal.log.append(record)
    board.peg(0, 4)
    assert state(again(nvm)) == state(board)
    for record in orphans[:3]:
        board.journal.log.append(record)
    board.restore(packed(), 3, 3)
    assert state(again(nvm)) == state(board)


@pytest.mark.parametrize("wrong", [{"rev": 9}, {"data": b"\x7f" * 6}, {"number": 40}], ids=str)
@pytest.mark.parametrize("part", range(6))
def test_a_part_that_was_written_again_since_it_read_back_wrong_counts_as_it_should_be(
    part: int, wrong: dict[str, int | bytes]
) -> None:
    """Even if the wrong one has a right CRC, by chance."""
    nvm = blank()
    board = Board(nvm)
    board.peg(0, 4)
    write_record = board.journal.log.append

    def twice(record: bytes) -> int:
        if record[0] == records.PART and record[3] == part:
            rev, number, data = u16(record, 1), record[3], record[4:10]
            body = pack("<BHB", records.PART, wrong.get("rev", rev), wrong.get("number", number))
            write_record(sealed(body + bytes(wrong.get("data", data))))
        return write_record(record)

    board.journal.log.append = twice  # type: ignore[method-assign]
    board.restore(packed(), 3, 3)
    board.peg(0, 5)
    assert state(again(nvm)) == state(board)


def test_a_torn_part_that_has_a_right_crc_by_chance_costs_nothing() -> None:
    nvm = blank()
    board = Board(nvm)
    board.peg(0, 4)
    board.journal.log.append(sealed(pack("<BHB", records.PART, 0x7F02, 0) + bytes(6)))
    booted = again(nvm)
    assert (booted.mounted, score(booted), booted.match.can_undo) == (True, score(board), True)
    booted.peg(0, 5)
    assert state(again(booted.nvm)) == state(booted)


def test_a_torn_event_that_has_a_right_crc_by_chance_costs_nothing() -> None:
    board = Board(blank())
    board.peg(0, 4)
    board.journal.log.append(event_record(0x7F02, (PEG, 0, 9, 0, 0), 0, 0))
    booted = again(board.nvm)
    assert (booted.mounted, score(booted)) == (True, score(board))


def test_a_restore_whose_last_record_was_repeated_counts_once() -> None:
    board = Board(blank())
    board.peg(0, 4)
    records = snapshot_records((EPOCH, 2, 2, RESTORE, 0), packed(), (2, 5, 6))
    for record in [*records, *records]:
        board.journal.log.append(record)
    booted = again(board.nvm)
    assert [row[0] for row in booted.journal.records(-1)] == [1, 2]
    assert booted.match.target == 61


def test_a_repeated_record_counts_once() -> None:
    nvm = blank()
    board = Board(nvm)
    board.peg(0, 4)
    board.journal.log.append(event_record(1, (PEG, 0, 4, 0, 0), 0, 0))
    board.peg(0, 5)
    assert again(nvm).match.front(0) == 9


@pytest.mark.parametrize("event", [(PEG, 3, 4, 0, 0), (PEG, 0, 60, 0, 0), (0, 0, 0, 0, 0), (15, 7, 255, 65535, 255)])
def test_a_record_of_what_cannot_have_happened_is_passed_over_and_told_of(event: Event) -> None:
    nvm = blank()
    board = Board(nvm)
    board.peg(0, 4)
    board.journal.log.append(event_record(2, event, 8, 8))
    booted = again(nvm)
    assert score(booted) == score(board)
    assert booted.journal.log.session == 0
    assert booted.journal.log.torn


# Missing records


def ruin(nvm: bytearray, slot: int, count: int = 1) -> None:
    """Records that cannot be read any more."""
    for other in range(slot, slot + count):
        write(nvm, other, bytes(range(100 + other % 100, 112 + other % 100)))


def pegged(events: int, rev: int = 0) -> tuple[bytearray, Board]:
    """A board on which 1, 2, 3, … was pegged from slot 42 on."""
    nvm = blank()
    board = Board(nvm, rev=rev)
    for points in range(1, events + 1):
        board.peg(0, points, 5, points)
    return nvm, board


def test_a_hand_of_nothing_behind_an_event_that_is_missing_tells_both_pegs() -> None:
    nvm, board = pegged(3)
    board.do((HAND, 0, 0, 0, 0), 5, 4)
    board.peg(1, 2, 5, 5)
    ruin(nvm, 44)
    assert score(again(nvm)) == score(board)


@pytest.mark.parametrize("rev", [0, 65533])
def test_behind_an_event_that_is_missing_the_score_is_known_again_once_all_sides_have_pegged(rev: int) -> None:
    nvm, board = pegged(6, rev)
    ruin(nvm, 44)
    booted = again(nvm)
    assert (booted.mounted, booted.match.front(0), booted.match.rev, booted.journal.log.epoch) == (
        False,
        21,
        rev + 6,
        LOST,
    )
    assert (booted.journal.log.lost, booted.journal.log.missing) == (True, 1)
    assert not booted.match.can_undo
    board.peg(1, 4, 5, 7)
    booted = again(nvm)
    assert (booted.mounted, booted.match.front(1), booted.journal.log.epoch) == (True, 4, EPOCH)
    assert (booted.journal.log.lost, booted.journal.log.missing) == (False, 1)
    assert score(booted) == score(board)
    assert (booted.journal.log.session, booted.journal.log.last_id, booted.journal.log.last_rev) == (5, 7, rev + 7)
    assert booted.match.play.trimmed
    assert booted.peg(0, 4) == rev + 8
    assert state(again(booted.nvm)) == {**state(booted), "play": ANY}


def test_what_was_lost_begins_a_new_epoch_behind_the_records_which_stay() -> None:
    nvm, _ = pegged(6)
    ruin(nvm, 44, 2)
    before = bytes(nvm)
    booted = again(nvm)
    kept = bytes(booted.nvm)
    assert kept[: 3 * PAGE] == before[: 3 * PAGE]
    assert list(booted.journal.records(-1)) == []
    assert booted.journal.log.next == 5 * PAGE_SLOTS
    for _ in range(2):
        after = again(booted.nvm)
        assert (after.mounted, after.journal.log.lost, after.journal.log.missing) == (True, False, 2)
        assert state(after) == state(booted)
        after.journal.roll(after.match)
        booted = after
    booted.peg(0, 4)
    assert again(booted.nvm).journal.log.missing == 2


def test_behind_records_that_are_missing_a_flash_that_takes_nothing_more_is_erased() -> None:
    nvm, _ = pegged(6)
    ruin(nvm, 44)
    worn = Worn(set(), slots(*range(3 * PAGE_SLOTS, 4 * PAGE_SLOTS)))
    worn[0:SECTOR] = nvm
    booted = Board(worn, LOST)
    assert (booted.mounted, booted.match.front(0), booted.journal.log.next) == (False, 21, 2 * PAGE_SLOTS)


def test_undo_reaches_back_to_where_the_score_was_known_again() -> None:
    nvm, board = pegged(4)
    board.peg(1, 4)
    for points in (1, 2, 3):
        board.peg(0, points)
    ruin(nvm, 44)
    booted = again(nvm)
    assert (booted.journal.log.lost, booted.match.play.depth) == (False, 4)
    while booted.match.can_undo:
        booted.undo()
    assert (booted.match.front(0), booted.match.front(1)) == (10, 0)


def test_an_undo_of_what_is_missing_leaves_the_score_to_those_who_peg_next() -> None:
    nvm, board = pegged(3)
    board.undo()
    lost = bytearray(nvm)
    ruin(lost, 44)
    assert (again(lost).match.rev, again(lost).journal.log.lost) == (4, True)
    board.peg(0, 2)
    board.do((SET, 1, 30, 20, 0))
    ruin(nvm, 44)
    booted = again(nvm)
    assert score(booted) == score(board)
    assert not booted.journal.log.lost


def test_a_new_game_behind_what_is_missing_is_known_whole() -> None:
    nvm, board = pegged(3)
    board.do((SET, 1, 121, 100, 0))
    board.new(3)
    board.peg(2, 5)
    ruin(nvm, 44, 2)
    booted = again(nvm)
    assert (booted.mounted, score(booted)) == (True, score(board))
    assert booted.journal.log.missing == 2


def test_without_room_behind_the_records_the_sector_is_erased() -> None:
    nvm, board = pegged(6)
    while board.journal.free > 2 * PAGE_SLOTS - 1:
        board.peg(0, 0)
    ruin(nvm, 44)
    booted = again(nvm)
    assert (booted.mounted, booted.match.front(0), booted.journal.log.missing) == (False, 21, 1)
    assert state(again(booted.nvm)) == state(booted)
    assert booted.journal.log.next == 2 * PAGE_SLOTS


@pytest.mark.parametrize(("written", "came"), [(3, (False, 3, 121)), (5, (False, 3, 121)), (6, (True, 0, 61))])
def test_a_restore_after_a_missing_event_counts_if_it_is_whole(written: int, came: tuple[bool, int, int]) -> None:
    nvm, board = pegged(3)
    ruin(nvm, 44)
    for record in snapshot_records((EPOCH, 4, 4, RESTORE, 0), packed(), (4, 0, 0))[:written]:
        board.journal.log.append(record)
    booted = again(nvm)
    assert (booted.mounted, booted.match.front(0), booted.match.target) == came
    assert booted.journal.log.missing == 1 or not booted.mounted


@pytest.mark.parametrize("bridged", [True, False])
def test_undo_goes_behind_a_restore_only_if_the_state_before_it_was_known(bridged: bool) -> None:
    nvm, board = pegged(3)
    if bridged:
        board.peg(0, 1)
        board.peg(1, 2)
    before = score(board)
    board.restore(packed(), 4, 4)
    ruin(nvm, 44)
    booted = again(nvm)
    assert (booted.match.target, booted.journal.log.missing, booted.match.can_undo) == (61, 1, bridged)
    if bridged:
        booted.undo()
        assert score(booted)[1:] == before[1:]


@pytest.mark.parametrize(("lost", "kept"), [(1, True), (2, False), (3, False)])
def test_two_unreadable_records_at_the_end_mean_that_more_was_lost_than_the_one_in_hand(lost: int, kept: bool) -> None:
    nvm, _ = pegged(5)
    ruin(nvm, 47, lost)
    booted = again(nvm)
    assert (booted.mounted, booted.journal.log.epoch == EPOCH) == (kept, kept)
    assert (booted.match.front(0), booted.match.rev) == (15, 5)
    assert booted.match.can_undo == kept


def test_two_unreadable_records_where_a_journal_begins_may_have_been_events_after_it() -> None:
    _, board = pegged(5)
    board.journal.roll(board.match)
    ruin(board.nvm, board.journal.log.kept[-2], 2)
    booted = again(board.nvm)
    assert (booted.journal.log.lost, booted.match.front(0)) == (True, 15)


def test_one_unreadable_record_at_the_end_of_each_page_is_what_cuts_leave() -> None:
    nvm, board = pegged(5)
    for _ in range(3):
        ruin(nvm, board.journal.log.next)
        board = Board(nvm, LOST)
        assert board.mounted
        assert board.journal.log.next % PAGE_SLOTS == 0
    board.peg(0, 6)
    assert board.journal.log.kept[-1] == 5 * PAGE_SLOTS
    assert state(again(nvm)) == state(board)
    assert again(nvm).match.front(0) == 21


def test_a_whole_page_that_is_lost_costs_its_own_events() -> None:
    nvm, board = pegged(9)
    for number in range(52):
        board.peg(number & 1, number % 3)
    ruin(nvm, 3 * PAGE_SLOTS, PAGE_SLOTS)
    booted = again(nvm)
    assert (booted.mounted, booted.journal.log.lost, booted.journal.log.missing) == (True, False, PAGE_SLOTS)
    assert score(booted) == score(board)


def test_the_pages_that_a_journal_begins_with_are_not_written_again() -> None:
    nvm, board = pegged(0)
    for _ in range(30):
        board.peg(0, 0)
    assert list(board.journal.log.kept) == list(range(42, 72))
    board.journal.roll(board.match)
    first = -(-(board.journal.log.kept[-1] + 1) // PAGE_SLOTS) * PAGE_SLOTS
    assert board.journal.log.next == again(nvm).journal.log.next == first
    begun = bytes(nvm[: first // PAGE_SLOTS * PAGE])
    board = Board(nvm, LOST)
    board.peg(0, 1)
    assert board.journal.log.kept[-1] == first
    assert nvm[: len(begun)] == begun


def test_what_undo_could_reach_in_the_game_before_is_let_go_with_what_is_missing() -> None:
    nvm, board = pegged(3)
    board.new()
    board.do((DEAL, 1, 0, 0, 0))
    ruin(nvm, 47, 2)
    booted = again(nvm)
    assert (booted.mounted, booted.match.dealer, booted.match.rev, booted.match.can_undo) == (False, 1, 5, False)
    assert state(again(booted.nvm)) == state(booted)


def act(board: Board, what: str) -> None:
    """One sign: 0 and 1 peg, Win and Set by hand, Penalty, New game, Back-up restored, Undo, Redo, / erases."""
    if what in "01":
        board.peg(int(what), 3 + int(what))
    elif what == "B":
        game = Game(0, 121, 3, 2, 0, 91, 61)
        game.now[0], game.won = 10, [2, 0]
        board.restore(game.pack())
    else:
        events = {"W": (SET, 0, 121, 100, 0), "S": (SET, 1, 60, 50, 0), "P": (PENALTY, 1, 5, 1, 0)}
        acts = {"N": board.new, "U": board.undo, "R": board.redo, "/": lambda: board.journal.roll(board.match)}
        acts.get(what, lambda: board.do(events[what]))()


@pytest.mark.parametrize(
    ("acts", "sure"),
    [
        ("NU01", 1),
        ("BN1", 0),
        ("WN01", 1),
        ("WNN1", 1),
        ("BUN1", 0),
        ("BURN1", 0),
        ("0BUN1", 0),
        ("0NBU", 0),
        ("0NNU", 0),
        ("0NU01", 1),
        ("1SU0", 0),
        ("1N0NU", 1),
        ("01UWN1N", 10),
        ("11S0/UU", 0),
        ("0P/U", 0),
        ("P0/UU1", 0),
    ],
)
def test_whichever_one_or_two_events_are_missing_the_match_stands_as_it_did_or_says_that_it_may_not(
    acts: str, sure: int
) -> None:
    board = Board(blank())
    for what in acts:
        act(board, what)
    kept = list(board.journal.log.kept)[:-1]
    stands = 0
    for missing in [*combinations(kept, 1), *combinations(kept, 2)]:
        nvm = bytearray(board.nvm)
        for slot in missing:
            ruin(nvm, slot)
        booted = again(nvm)
        if not booted.journal.log.lost:
            stands += 1
            assert score(booted) == score(board), missing
    assert stands == sure
