"""The journal: what it brings back after a restart, a power cut at any byte, bad cells, garbage and a full sector."""

from __future__ import annotations

import random
from contextlib import suppress

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from cribboard.sim.flash import BLANK, SECTOR, Cut, Flash, PowerCut
from cribboard_core import journal as journal_module
from cribboard_core import records
from cribboard_core.events import (
    DEAL,
    GO,
    HAND,
    NEW,
    PEG,
    PENALTY,
    REDO,
    RESTORE,
    SET,
    UNDO,
    Refused,
    new_event,
)
from cribboard_core.game import Game
from cribboard_core.journal import BEFORE_FIRST_SCORE, PAGE, PAGE_SLOTS, TRIES, Journal, JournalError
from cribboard_core.match import Match
from cribboard_core.records import SLOT, SNAPSHOT_SLOTS, event_record, snapshot_records

Event = tuple[int, ...]
EPOCH = 0x1234ABCD
LOST = 0xBADBAD


class Board:
    """A match and its journal, and events applied as the firmware does."""

    def __init__(self, nvm: object, epoch: int = EPOCH, players: int = 2, rev: int = 0) -> None:
        self.match = Match(121, (1 << players) - 1, players)
        self.match.rev = rev
        self.journal = Journal(nvm)  # type: ignore[arg-type]
        self.found = self.journal.mount(self.match, epoch)

    def do(self, event: Event, session: int = 0, last_id: int = 0) -> int:
        self.match.check(event)
        if self.journal.must_roll(self.match, event[0]):
            self.journal.roll(self.match)
            self.match.check(event)
        rev = self.match.rev + 1
        self.journal.append(rev, event, session, last_id)
        self.match.apply(rev, event)
        return rev

    def restore(self, packed: bytes, session: int = 0, last_id: int = 0) -> None:
        if self.journal.must_roll(self.match, RESTORE):
            self.journal.roll(self.match)
        rev = self.match.rev + 1
        self.journal.append_restore(rev, packed, session, last_id)
        self.match.restore(rev, packed)

    def peg(self, side: int, points: int, session: int = 0, last_id: int = 0) -> int:
        return self.do((PEG, side, points, 0, 0), session, last_id)

    def undo(self) -> int:
        return self.do(self.match.undo_event())

    def redo(self) -> int:
        return self.do(self.match.redo_event())

    def new(self, players: int = 2) -> int:
        return self.do(new_event(121, (1 << players) - 1, players, 0, 91, 61))


def fill(board: Board) -> None:
    """Undo and redo until the next event finds the sector full."""
    while board.journal.free > TRIES:
        board.undo()
        board.redo()
    if board.journal.free == TRIES:
        board.peg(0, 0)


def inside(game: Game | None) -> object:
    if game is None:
        return None
    history = [(game.entry(i), game.before(i)) for i in range(game.depth)]
    beyond = [game.entry(i) for i in range(game.depth, game.top)]
    return (game.rev, game.kind, game.pack(), history, beyond, game.trimmed)


def state(board: Board) -> dict[str, object]:
    """All that a restart must bring back."""
    match, journal = board.match, board.journal
    return {
        "rev": match.rev,
        "play": inside(match.play),
        "earlier": inside(match.earlier),
        "undone": inside(match.undone),
        "tag": (journal.session, journal.last_id, journal.last_rev),
        "epoch": journal.epoch,
        "kept": list(journal.records(-1)),
        "oldest": journal.oldest(),
        "free": journal.free,
    }


def score(board: Board) -> tuple[object, ...]:
    return (board.match.rev, board.match.play.rev, board.match.play.pack(), board.journal.epoch)


def again(memory: bytes | bytearray) -> Board:
    """A restart with a copy of what the flash holds."""
    return Board(bytearray(memory), LOST)


def blank(size: int = SECTOR) -> bytearray:
    return bytearray(b"\xff" * size)


def a_step(board: Board, chance: random.Random, tag: tuple[int, int]) -> None:
    """Something that may happen in a game, by chance; refused now and then."""
    match = board.match
    roll = chance.random()
    if match.winner >= 0:
        if roll < 0.1:
            board.do(match.undo_event(), *tag)
        else:
            board.do(new_event(match.target, match.play.mask, len(match.sides), match.next_dealer(), 91, 61), *tag)
    elif roll < 0.6:
        board.do((chance.choice([PEG, HAND]), chance.choice(match.sides), chance.randrange(13), 0, 0), *tag)
    elif roll < 0.7:
        board.do((PENALTY, chance.choice(match.sides), 2, chance.randrange(2), 0), *tag)
    elif roll < 0.75:
        board.do((DEAL, chance.choice(match.seats), 0, 0, 0), *tag)
    elif roll < 0.78:
        board.do((SET, chance.choice(match.sides), chance.randrange(100), 0, 0), *tag)
    elif roll < 0.9:
        board.do(match.undo_event(), *tag)
    else:
        board.do(match.redo_event(), *tag)


def played(board: Board, events: int, seed: int) -> Board:
    """A board on which so many things happened."""
    chance = random.Random(seed)
    last_id = 0
    while events:
        tag = (9, last_id) if chance.random() < 0.5 else (0, 0)
        try:
            a_step(board, chance, tag)
        except Refused:
            continue
        last_id = (last_id + 1) & 255
        events -= 1
    return board


# Beginning and mounting


def test_an_empty_flash_begins_a_journal_of_the_epoch_it_is_given() -> None:
    flash = Flash()
    board = Board(flash)
    assert not board.found
    assert (board.journal.epoch, board.match.rev, board.journal.session) == (EPOCH, 0, 0)
    assert flash.erases == 0
    found = again(flash.memory)
    assert found.found
    assert state(found) == state(board)
    assert found.journal.epoch == EPOCH


def test_the_match_that_is_handed_in_is_what_a_new_journal_begins_with() -> None:
    flash = Flash()
    Board(flash, players=3)
    assert again(flash.memory).match.sides == (0, 1, 2)


@pytest.mark.parametrize("seed", range(3))
def test_every_prefix_of_what_happened_comes_back_whole(seed: int) -> None:
    nvm = blank()
    board = Board(nvm)
    for step in range(200):
        played(board, 1, 1000 * seed + step)
        assert state(again(nvm)) == state(board)


@pytest.mark.parametrize("players", range(2, 7))
def test_a_state_that_a_host_restored_comes_back(players: int) -> None:
    nvm = blank()
    board = Board(nvm)
    board.peg(0, 4)
    game = Game(0, 61, (1 << players) - 1, players, 1, 31, 0)
    game.now[0:2] = bytes([30, 20])
    game.won = [300 + side for side in range(players)]
    board.restore(game.pack(), 7, 8)
    assert board.match.won(1) == 301
    assert state(again(nvm)) == state(board)
    board.peg(1, 5)
    assert state(again(nvm)) == state(board)
    assert again(nvm).journal.last_rev == 2


def test_undo_into_the_game_before_and_redo_out_of_it_come_back() -> None:
    nvm = blank()
    board = Board(nvm)
    board.do((SET, 0, 121, 110, 0))
    board.new()
    for step in (board.undo, board.undo, board.redo, board.redo):
        step()
        assert state(again(nvm)) == state(board)


def test_a_restart_costs_no_write() -> None:
    flash = Flash()
    played(Board(flash), 30, 1)
    before = (flash.erases, flash.programs)
    Board(flash)
    assert (flash.erases, flash.programs) == before


def test_events_are_appended_without_an_erase() -> None:
    flash = Flash()
    played(Board(flash), 120, 2)
    assert flash.erases == 0


def test_no_record_lies_across_a_page_and_the_ends_of_pages_stay_free() -> None:
    flash = Flash()
    board = Board(flash)
    while board.journal.free >= TRIES:
        board.peg(0, 0)
    for page in range(0, SECTOR, PAGE):
        assert flash.memory[page + PAGE_SLOTS * SLOT : page + PAGE] == b"\xff" * (PAGE - PAGE_SLOTS * SLOT)


def test_what_others_write_at_the_ends_of_pages_is_passed_over() -> None:
    flash = Flash()
    board = Board(flash)
    for page in range(0, SECTOR, PAGE):
        flash[page + 252 : page + 256] = b"FFFW"
    board.peg(0, 4)
    assert state(again(flash.memory)) == state(board)
    assert flash.erases == 0


@pytest.mark.parametrize("size", [512, 1024, 4096, 8192])
def test_other_sizes_of_memory_are_used_up_to_one_sector(size: int) -> None:
    nvm = blank(size)
    board = played(Board(nvm, players=3), 150, 5)
    assert score(again(nvm)) == score(board)
    assert state(again(nvm)) == state(board)
    assert set(nvm[SECTOR:]) <= {255}


def test_the_smallest_memory_of_256_bytes_still_keeps_the_score() -> None:
    for players in (2, 6):
        nvm = blank(256)
        board = played(Board(nvm, players=players), 100, players)
        assert state(again(nvm)) == state(board)
        board.restore(Game(0, 61, 63, 6, 0, 31, 0).pack(), 4, 4)
        assert state(again(nvm)) == state(board)


# Power cuts


class Writes(bytearray):
    """A memory that notes what is written, with all that was there before."""

    def __init__(self, data: bytes) -> None:
        super().__init__(data)
        self.noted: list[tuple[bytes, int, bytes]] = []

    def __setitem__(self, index: object, value: object) -> None:
        assert isinstance(index, slice)
        assert isinstance(value, (bytes, bytearray))
        self.noted.append((bytes(self), index.start, bytes(value)))
        super().__setitem__(index, value)


def torn(before: bytes, start: int, data: bytes, chance: random.Random | None, stride: int = 1) -> list[bytearray]:
    """What the flash may hold when the power goes at each byte of a write."""
    left = []
    at = 0
    while True:
        flash = Flash(bytearray(before), cut=Cut(at, chance))
        try:
            flash.write(start, data)
        except PowerCut:
            left.append(flash.memory)
            at += stride
            continue
        return left


@pytest.mark.parametrize("seed", [None, 7])
def test_a_cut_at_any_byte_of_a_long_game_leaves_the_state_before_or_after(seed: int | None) -> None:
    chance = None if seed is None else random.Random(seed)
    nvm = Writes(bytes(blank()))
    board = Board(nvm)
    restored = Game(0, 121, 3, 2, 1, 91, 61)
    restored.now[0:4] = bytes([50, 40, 60, 59])
    for step in range(90):
        nvm.noted = []
        before = state(again(nvm))
        if step == 45:
            board.restore(restored.pack(), 9, 99)
        else:
            played(board, 1, step)
        after = state(board)
        for memory, start, data in nvm.noted:
            for left in torn(memory, start, data, chance):
                found = again(left)
                now = state(found)
                free = now["free"]
                assert {**now, "free": 0} in ({**before, "free": 0}, {**after, "free": 0})
                assert isinstance(free, int)
                found.do(found.match.undo_event() if found.match.winner >= 0 else (GO, 0, 1, 0, 0), 1, 1)
                assert found.journal.free >= free - 1  # one slot, behind what is torn
                assert state(again(bytes(found.journal._nvm))) == state(found)


@pytest.mark.parametrize("seed", [None, 11])
def test_a_cut_while_the_sector_is_erased_leaves_the_score_or_a_journal_of_a_new_epoch(seed: int | None) -> None:
    chance = None if seed is None else random.Random(seed)
    nvm = Writes(bytes(blank()))
    board = Board(nvm)
    while board.journal.free >= TRIES:
        board.peg(0, 0, 3, board.match.rev & 255)
    nvm.noted = []
    before, after = score(board), None
    board.peg(1, 9, 4, 1)
    after = score(board)
    lost = score(Board(blank(), LOST))
    kinds = set()
    for number, (memory, start, data) in enumerate(nvm.noted):
        for left in torn(memory, start, data, chance, 53 if number == 0 else 7 if number < len(nvm.noted) - 2 else 1):
            found = again(left)
            now = score(found)
            kinds.add(now)
            assert now in (before, after, lost)
            if now == before:
                assert (found.journal.session, found.journal.last_id) == (3, (before[0] - 1) & 255)  # type: ignore[operator]
    assert kinds == {before, lost}


# A full sector


def test_the_sector_is_erased_when_it_is_full_and_nothing_that_undo_can_reach_is_lost() -> None:
    flash = Flash()
    board = Board(flash)
    for _ in range(60):
        board.peg(0, 1)
    fill(board)
    assert flash.erases == 0
    board.peg(0, 1)
    assert flash.erases == 1
    assert board.match.play.depth >= 61
    assert state(again(flash.memory)) == state(board)
    while board.match.can_undo:
        board.undo()
    assert (board.match.front(0), board.match.play.trimmed) == (0, False)
    assert state(again(flash.memory)) == state(board)


def test_six_hundred_events_in_one_game_keep_the_score_and_at_least_the_newest_half_of_a_sector() -> None:
    flash = Flash()
    board = Board(flash)
    for number in range(600):
        board.peg(number & 1, 0 if number % 6 else 1, 5, number & 255)
        if number % 20 == 0 or board.journal.free > 300:
            assert state(again(flash.memory)) == state(board)
    assert board.match.front(0) == 100
    assert (flash.erases, board.match.play.trimmed) == (2, True)
    found = again(flash.memory)
    taken_back = 0
    while found.match.can_undo:
        found.undo()
        taken_back += 1
    assert taken_back >= found.journal.slots // 2
    with pytest.raises(Refused, match="what is older was let go when the memory was full"):
        found.do((UNDO, 0, 0, 0, 0))


def test_what_redo_could_bring_back_is_let_go_when_the_sector_is_full() -> None:
    board = Board(blank())
    board.peg(0, 5)
    board.undo()
    board.journal._next = board.journal.slots
    with pytest.raises(Refused, match="there is nothing to redo"):
        board.redo()
    assert board.match.front(0) == 0


def test_between_games_the_sector_is_erased_at_the_first_score_when_a_game_might_not_fit() -> None:
    flash = Flash()
    board = Board(flash)
    while board.journal.free > 100:
        board.peg(0, 0)
    board.do((SET, 0, 121, 0, 0))
    board.new()
    board.do((DEAL, 1, 0, 0, 0))
    assert flash.erases == 0
    board.undo()
    board.undo()
    assert board.match.winner == 0
    board.redo()
    board.peg(1, 3)
    assert flash.erases == 1
    assert (board.match.won(0), board.match.front(1)) == (1, 3)
    assert state(again(flash.memory)) == state(board)


def test_with_room_for_another_game_the_sector_is_not_erased() -> None:
    flash = Flash()
    board = Board(flash)
    for _ in range(40):
        board.peg(0, 0)
    board.new()
    board.peg(0, 1)
    assert flash.erases == 0


@pytest.mark.parametrize(("free", "erases"), [(128, 0), (127, 1)])
def test_room_for_128_events_is_enough_for_a_usual_game(free: int, erases: int) -> None:
    flash = Flash()
    board = Board(flash)
    for _ in range(40):
        board.peg(0, 0)
    board.new()
    while board.journal.free > free:
        board.do((DEAL, 0, 0, 0, 0))
    board.peg(0, 1)
    assert flash.erases == erases


def test_a_game_longer_than_usual_asks_for_room_for_one_and_a_half_of_it() -> None:
    flash = Flash()
    board = Board(flash)
    for _ in range(140):
        board.peg(0, 0)
    board.new()
    assert 128 < board.journal.free < 210
    board.peg(0, 1)
    assert flash.erases == 1


def test_a_new_game_keeps_room_for_changing_ones_mind_before_its_first_score() -> None:
    flash = Flash()
    board = Board(flash)
    while board.journal.free >= BEFORE_FIRST_SCORE:
        board.peg(0, 0)
    board.new()
    assert flash.erases == 1
    board.undo()
    assert board.match.game == 0


def test_a_restore_that_does_not_fit_erases_first() -> None:
    flash = Flash()
    board = Board(flash)
    while board.journal.free >= SNAPSHOT_SLOTS + TRIES:
        board.peg(0, 0)
    board.restore(Game(0, 61, 63, 6, 0, 31, 0).pack())
    assert flash.erases == 1
    assert state(again(flash.memory)) == state(board)


def test_an_event_that_has_gone_from_the_flash_makes_the_state_count_without_the_way_there() -> None:
    nvm = blank()
    board = Board(nvm)
    for points in (1, 2, 3):
        board.peg(0, points)
    nvm[board.journal._at(board.journal._kept[1])] ^= 1
    nvm[board.journal._at(board.journal._kept[1]) + 1] ^= 1
    board.journal.roll(board.match)
    assert (board.match.front(0), board.match.play.depth, board.match.play.trimmed) == (6, 0, True)
    assert score(again(nvm)) == score(board)


def test_a_tag_that_no_kept_event_carries_survives_the_erase() -> None:
    nvm = blank()
    board = Board(nvm)
    board.peg(0, 5, 9, 1)
    board.do(board.match.undo_event(), 9, 2)
    board.peg(0, 4)
    fill(board)
    board.peg(0, 1)
    assert [rev for rev, *_ in board.journal.records(-1)][:2] != [1, 2]
    assert state(again(nvm))["tag"] == (9, 2, 2)


# Tags and revs


def test_the_newest_tag_comes_back_with_the_rev_that_it_made() -> None:
    nvm = blank()
    board = Board(nvm)
    board.peg(0, 1, 65535, 255)
    board.peg(0, 2)
    assert state(again(nvm))["tag"] == (65535, 255, 1)


def test_the_16_bits_of_a_rev_are_completed_over_their_wrap() -> None:
    nvm = blank()
    board = Board(nvm, rev=65500)
    for number in range(150):
        played(board, 1, number)
        assert state(again(nvm)) == state(board)
    assert board.match.rev == 65650
    assert next(rev for rev, *_ in board.journal.records(65530)) == 65531


def test_records_are_given_from_any_rev_on() -> None:
    board = Board(blank())
    for points in (3, 4, 5):
        board.peg(1, points, 2, points)
    assert list(board.journal.records(1)) == [(2, (PEG, 1, 4, 0, 0), 2, 4), (3, (PEG, 1, 5, 0, 0), 2, 5)]
    assert [rev for rev, *_ in board.journal.records(-1)] == [1, 2, 3]
    assert list(board.journal.records(3)) == list(board.journal.records(10**12)) == []
    assert board.journal.oldest() == 1


def test_the_oldest_of_no_records_is_the_next_rev() -> None:
    assert Board(blank(), rev=40).journal.oldest() == 41


def test_after_an_erase_there_is_a_gap_where_undone_events_were() -> None:
    board = Board(blank())
    for points in (3, 4, 5):
        board.peg(1, points)
    board.undo()
    board.peg(0, 7)
    board.journal.roll(board.match)
    board.peg(0, 1)
    assert [rev for rev, *_ in board.journal.records(-1)] == [1, 2, 5, 6]
    assert [rev for rev, *_ in board.journal.records(2)] == [5, 6]
    assert [rev for rev, *_ in board.journal.records(3)] == [5, 6]


def test_a_restored_state_is_told_as_an_event_without_numbers() -> None:
    board = Board(blank())
    board.restore(Game(0, 61, 3, 2, 0, 31, 0).pack(), 3, 4)
    assert list(board.journal.records(-1)) == [(1, (RESTORE, 0, 0, 0, 0), 3, 4)]


# Bad cells


class Worn(bytearray):
    """A memory with cells that stay 0, or that cannot be programmed."""

    def __init__(self, zeros: set[int], dead: set[int]) -> None:
        super().__init__(blank())
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
    return {number // PAGE_SLOTS * PAGE + number % PAGE_SLOTS * SLOT for number in numbers}


def test_a_record_that_reads_back_wrong_is_repeated_in_the_next_slot() -> None:
    nvm = Worn(set(), slots(7, 8, 9, 12))
    board = Board(nvm)
    for points in (3, 4, 5, 6):
        board.peg(0, points)
    assert list(board.journal._kept) == [6, 10, 11, 13]
    assert state(again(nvm)) == state(board)
    assert list(again(nvm).journal._kept) == list(board.journal._kept)


@pytest.mark.parametrize("bad", range(6))
def test_a_bad_cell_where_a_journal_begins_costs_only_slots(bad: int) -> None:
    for nvm in (Worn(slots(bad), set()), Worn(set(), slots(bad))):
        board = Board(nvm)
        board.peg(0, 3)
        board.journal.roll(board.match)
        board.peg(0, 4)
        assert score(again(nvm)) == score(board)
        assert again(nvm).match.front(0) == 7


def test_a_cell_that_cannot_be_erased_is_passed_over_without_another_erase() -> None:
    nvm = Worn(slots(8), set())
    board = Board(nvm)
    begun = nvm.erases
    for points in (3, 4, 5):
        board.peg(0, points)
    assert nvm.erases == begun
    assert state(again(nvm)) == state(board)


def test_four_bad_slots_in_a_row_are_an_error_and_the_next_event_goes_on_behind_them() -> None:
    nvm = Worn(set(), slots(7, 8, 9, 10))
    board = Board(nvm)
    board.peg(0, 3)
    with pytest.raises(JournalError, match="did not take a record in slot 11"):
        board.peg(0, 4)
    assert board.match.front(0) == 3
    board.peg(0, 5)
    assert state(again(nvm)) == state(board)


def test_a_worn_out_flash_is_an_error_at_once() -> None:
    for bad in (set(range(0, SECTOR, SLOT // 2)), slots(*range(40))):
        with pytest.raises(JournalError, match="did not take the beginning of a journal"):
            Board(Worn(set(), bad))


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
    board.journal._next = board.journal.slots
    before = bytes(nvm)
    with pytest.raises(JournalError):
        board.journal.append(1, (PEG, 0, 1, 0, 0))
    assert nvm == before


# Garbage


@pytest.mark.parametrize("seed", range(5))
def test_a_sector_of_garbage_begins_anew(seed: int) -> None:
    flash = Flash(bytearray(random.Random(seed).randbytes(SECTOR)))
    board = Board(flash)
    assert not board.found
    assert flash.erases == 1
    assert state(again(flash.memory)) == state(board)


def test_a_journal_of_another_layout_begins_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    nvm = blank()
    with monkeypatch.context() as other:
        other.setattr(records, "VERSION", records.VERSION + 1)
        Board(nvm).peg(0, 4)
    board = again(nvm)
    assert (board.found, board.journal.epoch, board.match.front(0)) == (False, LOST, 0)


def write(nvm: bytearray, slot: int, record: bytes) -> None:
    at = slot // PAGE_SLOTS * PAGE + slot % PAGE_SLOTS * SLOT
    nvm[at : at + SLOT] = record


def packed() -> bytes:
    return Game(0, 61, 3, 2, 0, 31, 0).pack()


def test_events_without_a_snapshot_are_no_journal() -> None:
    nvm = blank()
    write(nvm, 0, event_record(1, (PEG, 0, 4, 0, 0), 1, 1))
    board = again(nvm)
    assert (board.found, board.match.front(0), board.journal.session) == (False, 0, 0)


@pytest.mark.parametrize("parts", range(6))
def test_the_end_of_a_snapshot_without_all_its_parts_is_no_journal(parts: int) -> None:
    nvm = blank()
    *body, close = snapshot_records((EPOCH, 5, 5, NEW), packed(), (0, 0, 0))
    for slot, record in enumerate([*body[:parts], close]):
        write(nvm, slot, record)
    assert len(body) == 5
    assert again(nvm).found == (parts == len(body))


@pytest.mark.parametrize("parts", [0, 1, 2])
def test_a_snapshot_too_short_for_a_game_is_no_journal(parts: int) -> None:
    nvm = blank()
    *body, _ = snapshot_records((EPOCH, 5, 5, NEW), packed(), (0, 0, 0))
    for slot in range(parts):
        write(nvm, slot, body[slot])
    write(nvm, parts, event_record(5, (RESTORE, 0, parts, 0, 0), 0, 0))
    assert not again(nvm).found


def test_a_snapshot_of_no_game_is_no_journal() -> None:
    nvm = blank()
    for slot, record in enumerate(snapshot_records((EPOCH, 5, 5, NEW), b"\x07" * 15, (0, 0, 0))):
        write(nvm, slot, record)
    assert not again(nvm).found


def test_a_later_snapshot_of_no_game_changes_nothing() -> None:
    nvm = blank()
    board = Board(nvm)
    board.peg(0, 4, 2, 2)
    for record in snapshot_records((EPOCH, 9, 9, RESTORE), b"\x07" * 15, (9, 3, 3)):
        board.journal._write(record)
    found = again(nvm)
    assert (found.found, found.match.front(0), found.match.rev, found.journal.session) == (True, 4, 1, 2)


def test_the_parts_of_a_restore_that_was_cut_off_do_not_count() -> None:
    nvm = blank()
    board = Board(nvm)
    orphans = snapshot_records((EPOCH, 1, 1, RESTORE), packed(), (1, 0, 0))[:-1]
    for record in orphans:
        board.journal._write(record)
    board.peg(0, 4)
    assert state(again(nvm)) == state(board)
    for record in orphans[:3]:
        board.journal._write(record)
    board.restore(packed(), 3, 3)
    assert state(again(nvm)) == state(board)


def test_a_repeated_record_counts_once() -> None:
    nvm = blank()
    board = Board(nvm)
    board.peg(0, 4)
    board.journal._write(event_record(1, (PEG, 0, 4, 0, 0), 0, 0))
    board.peg(0, 5)
    assert again(nvm).match.front(0) == 9


@pytest.mark.parametrize("event", [(PEG, 3, 4, 0, 0), (PEG, 0, 99, 0, 0), (0, 0, 0, 0, 0), (15, 7, 255, 65535, 255)])
def test_a_record_of_what_cannot_have_happened_is_passed_over(event: Event) -> None:
    nvm = blank()
    board = Board(nvm)
    board.peg(0, 4)
    board.journal._write(event_record(2, event, 8, 8))
    found = again(nvm)
    assert score(found) == score(board)
    assert found.journal.session == 0


# Everything in any order


class Life(RuleBasedStateMachine):
    """A board that plays, is switched off and on, and loses its power in the middle of writes."""

    @initialize(fill=st.sampled_from([0, 190, 300, 320]), rev=st.sampled_from([0, 65500]))
    def begin(self, fill: int, rev: int) -> None:
        self.flash = Flash()
        self.board = Board(self.flash, rev=rev)
        self.last_id = 0
        for _ in range(fill // 2):
            self.board.peg(0, 0, 9, 200)
            self.board.undo()

    def live(self) -> dict[str, object]:
        return state(self.board)

    def event(self, seed: int, tagged: bool) -> None:
        try:
            a_step(self.board, random.Random(seed), (9, self.last_id) if tagged else (0, 0))
        except Refused:
            return
        self.last_id = (self.last_id + 1) & 255

    @rule(seed=st.integers(0, 10**6), tagged=st.booleans())
    def something_happens(self, seed: int, tagged: bool) -> None:
        self.event(seed, tagged)

    @rule(players=st.integers(2, 6))
    def a_new_game(self, players: int) -> None:
        self.board.new(players)

    @rule(front=st.integers(0, 60), players=st.integers(2, 6))
    def a_host_restores(self, front: int, players: int) -> None:
        game = Game(0, 61, (1 << players) - 1, players, 0, 31, 0)
        game.now[0] = front
        self.board.restore(game.pack(), 9, self.last_id)
        self.last_id = (self.last_id + 1) & 255

    @rule()
    def off_and_on(self) -> None:
        self.board = Board(self.flash, LOST)
        assert self.board.found

    @rule(at=st.integers(0, 14), seed=st.integers(0, 10**6), wild=st.booleans())
    def the_power_goes_while_something_happens(self, at: int, seed: int, wild: bool) -> None:
        before = score(self.board)
        after = again(self.flash.memory)
        with suppress(Refused):
            a_step(after, random.Random(seed), (9, self.last_id))
        cut = Flash(self.flash.memory, cut=Cut(at, random.Random(seed) if wild else None))
        self.board.journal._nvm = cut  # type: ignore[assignment]
        with suppress(PowerCut):
            self.event(seed, True)
        self.flash = Flash(cut.memory)
        self.board = Board(self.flash, LOST)
        if not cut.erases:
            assert self.board.found
            assert score(self.board) in (before, score(after))

    @precondition(lambda self: self.board.match.can_undo)
    @rule()
    def undo(self) -> None:
        try:
            self.board.undo()
        except Refused as refused:
            assert refused.code == "nothing"  # let go by the erase that made room

    @invariant()
    def a_restart_would_bring_all_back(self) -> None:
        if hasattr(self, "board"):
            assert state(again(self.flash.memory)) == self.live()


Life.TestCase.settings = settings(
    max_examples=25, stateful_step_count=30, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
TestLife = Life.TestCase


def test_the_tail_of_the_flash_is_read_as_blank() -> None:
    assert BLANK[:SLOT] == journal_module.BLANK
    assert UNDO != REDO
