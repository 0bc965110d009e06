"""The journal when its sector is full: when it is erased, and what is kept."""

from __future__ import annotations

import pytest
from core.journals import Board, again, blank, fill, score, state

from cribboard.sim.flash import Flash
from cribboard_core.events import DEAL, PEG, SET, UNDO, Refused
from cribboard_core.game import Game
from cribboard_core.journal import BEFORE_FIRST_SCORE, KEPT, LONG_GAME, TRIES, Sector
from cribboard_core.records import SNAPSHOT_SLOTS, place


def test_the_sector_is_erased_when_it_is_full_and_the_newest_events_can_still_be_taken_back() -> None:
    flash = Flash()
    board = Board(flash)
    for _ in range(60):
        board.peg(0, 1)
    fill(board)
    assert flash.erases == 0
    front = board.match.front(0)
    board.peg(0, 1)
    assert flash.erases == 1
    assert board.match.play.depth == KEPT + 1
    assert state(again(flash.memory)) == state(board)
    while board.match.can_undo:
        board.undo()
    assert board.match.play.trimmed
    assert front - KEPT <= board.match.front(0) < front
    assert state(again(flash.memory)) == state(board)


def test_six_hundred_events_in_one_game_keep_the_score_and_at_least_the_newest_page_of_events() -> None:
    flash = Flash()
    board = Board(flash)
    for number in range(600):
        board.peg(number & 1, 0 if number % 6 else 1, 5, number & 255)
        if number % 20 == 0 or board.journal.free > 260:
            assert state(again(flash.memory)) == state(board)
    assert board.match.front(0) == 100
    assert (flash.erases, board.match.play.trimmed) == (2, True)
    booted = again(flash.memory)
    taken_back = 0
    while booted.match.can_undo:
        booted.undo()
        taken_back += 1
    assert taken_back >= KEPT
    with pytest.raises(Refused, match="older events were dropped when the memory filled"):
        booted.do((UNDO, 0, 0, 0, 0))


def test_an_erase_that_was_prepared_writes_what_one_without_would() -> None:
    flashes = []
    for prepared in (False, True):
        flash = Flash()
        board = Board(flash)
        for number in range(60):
            board.peg(number & 1, number & 1, 5, 7)
        fill(board)
        if prepared:
            board.journal.prepare(board.match)
            board.journal.prepare(board.match)
        before = state(board)
        assert (flash.erases, state(again(flash.memory))) == (0, before)
        board.journal.roll(board.match)
        flashes.append(bytes(flash.memory))
    assert flashes[0] == flashes[1]


def test_an_erase_that_was_prepared_has_nothing_left_to_lay_out(monkeypatch: pytest.MonkeyPatch) -> None:
    laid_out: list[Sector] = []
    lay_out = Sector.lay_out
    monkeypatch.setattr(Sector, "lay_out", lambda sector: laid_out.append(sector) or lay_out(sector))
    board = Board(Flash())
    board.peg(1, 3)
    fill(board)
    laid_out.clear()
    board.journal.prepare(board.match)
    board.journal.prepare(board.match)
    assert len(laid_out) == 1
    board.journal.roll(board.match)
    assert len(laid_out) == 1


@pytest.mark.parametrize("times", [1, 2])
def test_what_was_prepared_before_another_event_is_not_written(times: int) -> None:
    flash = Flash()
    board = Board(flash)
    board.peg(1, 3)
    fill(board)
    for _ in range(times):
        board.journal.prepare(board.match)
    rev = board.journal.append(board.match, (PEG, 0, 7, 0, 0))
    board.match.apply(rev, (PEG, 0, 7, 0, 0))
    board.journal.roll(board.match)
    assert board.match.front(0) == 7
    assert state(again(flash.memory)) == state(board)


def test_what_redo_could_bring_back_is_let_go_when_the_sector_is_full() -> None:
    board = Board(blank())
    board.peg(0, 5)
    board.undo()
    board.journal.log.next = board.journal.log.slots
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
    board.do((SET, 1, 10, 0, 0))  # a handicap is no score
    assert flash.erases == 0
    for _ in range(3):
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


@pytest.mark.parametrize(("free", "erases"), [(LONG_GAME, 0), (LONG_GAME - 1, 1)])
def test_room_for_112_events_is_enough_for_a_usual_game(free: int, erases: int) -> None:
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
    for _ in range(120):
        board.peg(0, 0)
    board.new()
    assert board.journal.free > LONG_GAME
    while board.journal.free > 179:
        board.do((DEAL, 0, 0, 0, 0))
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
    nvm[place(board.journal.log.kept[1])] ^= 1
    nvm[place(board.journal.log.kept[1]) + 1] ^= 1
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


def test_an_erase_lets_go_of_the_game_before_and_of_a_new_game_that_was_taken_back() -> None:
    board = Board(Flash())
    board.peg(0, 5)
    board.new()
    board.journal.roll(board.match)
    with pytest.raises(Refused):
        board.undo()
    board.peg(1, 3)
    board.new()
    board.undo()
    board.journal.roll(board.match)
    with pytest.raises(Refused):
        board.redo()
    assert board.match.front(1) == 3
