"""The journal: what it brings back after a restart, and the numbers and tags of its events."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

import pytest
from core.journals import EPOCH, LOST, Board, again, blank, fill, played, score, state

from cribboard.sim.flash import BLANK, SECTOR, Flash
from cribboard_core import journal as journal_module
from cribboard_core.events import DEAL, GO, PEG, PENALTY, REDO, RESTORE, SET, UNDO
from cribboard_core.game import Game
from cribboard_core.journal import PAGE, PAGE_SLOTS, TRIES
from cribboard_core.records import SLOT, place

IN_FLASH = json.loads((Path(__file__).parent / "vectors" / "journal.json").read_text("utf-8"))  # by slot


def test_an_empty_flash_begins_a_journal_of_the_epoch_it_is_given() -> None:
    flash = Flash()
    board = Board(flash)
    assert not board.mounted
    assert (board.journal.log.epoch, board.match.rev, board.journal.log.session) == (EPOCH, 0, 0)
    assert flash.erases == 0
    booted = again(flash.memory)
    assert booted.mounted
    assert state(booted) == state(board)
    assert booted.journal.log.epoch == EPOCH


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
    assert again(nvm).journal.log.last_rev == 2


def test_a_restored_state_is_written_four_records_at_a_time_after_a_step_that_may_erase() -> None:
    board = Board(blank())
    game = Game(0, 61, 63, 6, 1, 31, 0)
    free = [board.journal.free]
    free += [board.journal.free for _ in board.journal.append_restore(1, game.pack(), 7, 8)]
    assert [before - after for before, after in pairwise(free)] == [0, 4, 4]
    assert 0 < free[-1] - board.journal.free <= 4


@pytest.mark.parametrize("first_page", [True, False])
def test_what_boards_have_in_flash_is_read_as_it_stood_even_by_its_copy_alone(first_page: bool) -> None:
    nvm = blank()
    for slot, record in IN_FLASH.items():
        at = place(int(slot))
        nvm[at : at + SLOT] = bytes.fromhex(record)
    board = again(nvm if first_page else bytes(PAGE) + nvm[PAGE:])
    match = board.match
    assert board.mounted
    assert (board.journal.log.lost, board.journal.log.epoch, match.rev, match.dealer) == (False, EPOCH, 8, 1)
    assert [(match.front(side), match.back(side)) for side in match.sides] == [(3, 0), (12, 0), (11, 8)]
    assert [row[1:4] for row in board.journal.records(5)] == [
        ((PENALTY, 0, 2, 1, 0), 700, 6),
        ((GO, 1, 1, 0, 0), 700, 7),
        ((UNDO, 0, 0, 7, 0), 0, 0),
    ]


def test_undo_into_the_game_before_and_redo_out_of_it_come_back() -> None:
    nvm = blank()
    board = Board(nvm)
    board.do((SET, 0, 121, 110, 0))
    board.new()
    for step in (board.undo, board.undo, board.redo, board.redo):
        step()
        assert state(again(nvm)) == state(board)


def test_a_journal_played_on_with_other_settings_goes_on_as_it_is() -> None:
    nvm = blank()
    board = Board(nvm, players=4)
    board.peg(3, 7)
    booted = Board(nvm, LOST, players=2)
    assert booted.mounted
    assert state(booted) == state(board)
    assert booted.match.front(3) == 7


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


# Tags and revs


def test_the_newest_tag_comes_back_with_the_rev_that_it_made() -> None:
    nvm = blank()
    board = Board(nvm)
    board.peg(0, 1, 65535, 255)
    board.peg(0, 2)
    assert state(again(nvm))["tag"] == (65535, 255, 1)


def test_a_snapshot_remembers_the_hosts_of_before_and_its_own_tag() -> None:
    nvm = blank()
    board = Board(nvm)
    hosts = bytes(range(1, 18))  # the newest session, and three commands of five bytes
    board.journal.log.hosts = hosts
    board.peg(0, 1, 65535, 255)
    fill(board)
    board.peg(0, 2)
    remembered = again(nvm).journal.log.hosts
    assert remembered.startswith(hosts)
    assert remembered.endswith(bytes((255, 255, 255, 1, 0)))


def test_the_16_bits_of_a_rev_are_completed_over_their_wrap() -> None:
    nvm = blank()
    board = Board(nvm, rev=65500)
    for number in range(150):
        played(board, 1, number)
        assert state(again(nvm)) == state(board)
    assert board.match.rev == 65650
    assert next(rev for rev, *_ in board.journal.records(65530)) == 65531


def test_what_no_host_asked_for_carries_no_tag() -> None:
    board = Board(blank())
    board.peg(0, 1, 7, 8)
    board.match.apply(board.journal.append(board.match, (PEG, 1, 2, 0, 0)), (PEG, 1, 2, 0, 0))
    assert [row[2:4] for row in board.journal.records(0)] == [(7, 8), (0, 0)]
    assert again(board.nvm).journal.log.last_rev == 1


def test_each_record_says_the_game_that_is_on_after_it() -> None:
    board = Board(blank())
    board.peg(0, 3)
    games = [(1, 0)]
    for act in (
        board.new,
        lambda: board.do((DEAL, 1, 0, 0, 0)),
        board.undo,
        board.undo,
        board.redo,
        lambda: board.peg(1, 4),
        board.new,
        lambda: board.restore(board.match.play.pack()),
        board.undo,
        board.redo,
        lambda: board.peg(0, 1),
    ):
        act()
        games.append((board.match.rev, board.match.game))
    assert [game for _, game in games] == [0, 2, 2, 2, 0, 2, 2, 8, 9, 2, 9, 9]
    for each in (board, again(board.nvm)):
        assert [(record[0], record[4]) for record in each.journal.records(-1)] == games
    board.journal.roll(board.match)
    for each in (board, again(board.nvm)):
        assert [(record[0], record[4]) for record in each.journal.records(-1)] == games[-1:]


def test_records_are_given_from_any_rev_on() -> None:
    board = Board(blank())
    for points in (3, 4, 5):
        board.peg(1, points, 2, points)
    assert list(board.journal.records(1)) == [(2, (PEG, 1, 4, 0, 0), 2, 4, 0), (3, (PEG, 1, 5, 0, 0), 2, 5, 0)]
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
    assert list(board.journal.records(-1)) == [(1, (RESTORE, 0, 0, 0, 0), 3, 4, 1)]


def test_the_tail_of_the_flash_is_read_as_blank() -> None:
    assert BLANK[:SLOT] == journal_module.BLANK
    assert UNDO != REDO
