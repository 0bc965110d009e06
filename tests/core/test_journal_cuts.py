"""The journal when the power goes at any byte of a write, and in any order of that and all else."""

from __future__ import annotations

import random
from contextlib import suppress

import pytest
from core.journals import LOST, Board, a_step, again, blank, played, score, state
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from cribboard.sim.flash import Cut, Flash, PowerCut
from cribboard_core.events import GO, Refused
from cribboard_core.game import Game
from cribboard_core.journal import TRIES

pytestmark = pytest.mark.unmeasured


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
                booted = again(left)
                now = state(booted)
                free = now["free"]
                assert {**now, "free": 0} in ({**before, "free": 0}, {**after, "free": 0})
                assert isinstance(free, int)
                booted.do(booted.match.undo_event() if booted.match.winner >= 0 else (GO, 0, 1, 0, 0), 1, 1)
                assert booted.journal.free >= free - 1  # one slot, behind what is torn
                assert state(again(bytes(booted.nvm))) == state(booted)


def test_the_crc_is_written_when_the_rest_of_the_record_is_there() -> None:
    nvm = Writes(bytes(blank()))
    board = Board(nvm)
    nvm.noted = []
    board.peg(0, 4)
    (_, start, body), (before, rest, crc) = nvm.noted
    assert (len(body), len(crc), rest) == (10, 2, start + 10)
    assert before[start:rest] == body


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
            booted = again(left)
            now = score(booted)
            if booted.journal.log.lost and now[3] == LOST and now[:3] == before[:3]:
                now = before  # told, since what undo could take back was torn
            kinds.add(now)
            assert now in (before, after, lost)
            if now == before:
                assert (booted.journal.log.session, booted.journal.log.last_id) == (3, (before[0] - 1) & 255)  # type: ignore[operator]
    assert kinds == {before, after, lost}


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

    @property
    def unread(self) -> bool:
        """Whether a cut erase has left what no event has replaced yet."""
        return self.board.journal.log.lost and not self.board.journal.free

    @rule()
    def off_and_on(self) -> None:
        unread = self.unread
        self.board = Board(self.flash, LOST)
        assert self.board.mounted != unread

    @rule(at=st.integers(0, 14), seed=st.integers(0, 10**6), wild=st.booleans())
    def the_power_goes_while_something_happens(self, at: int, seed: int, wild: bool) -> None:
        before, unread = score(self.board), self.unread
        after = again(self.flash.memory)
        with suppress(Refused):
            a_step(after, random.Random(seed), (9, self.last_id))
        cut = Flash(self.flash.memory, cut=Cut(at, random.Random(seed) if wild else None))
        self.board.journal.log.nvm = cut  # type: ignore[assignment]
        with suppress(PowerCut):
            self.event(seed, True)
        self.flash = Flash(cut.memory)
        self.board = Board(self.flash, LOST)
        if not cut.erases:
            assert self.board.mounted != unread
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


Life.TestCase.settings = settings(max_examples=25, stateful_step_count=30, suppress_health_check=[HealthCheck.too_slow])
TestLife = Life.TestCase
