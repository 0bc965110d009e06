"""The power cut at every byte of every write of whole games: what the board comes up with, and whether it goes on.

    python -m faults.power_cuts --games 12 --seed 1

(in the folder tests). Games are played on the real keeper and journal over a model of the chip's flash. Every write
they make is made again with a cut at each of its bytes, and from what is left a board is started.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from faults import evening
from firmware.keeping import finished, tag

from cribboard.sim.flash import Cut, Flash, PowerCut
from cribboard_core.events import DEAL, REDO
from cribboard_core.game import Game
from cribboard_core.journal import KEPT, Journal
from cribboard_core.match import Match
from cribboard_fw.keeper import Keeper

EPOCH, LOST = 7, 0xBADBAD
SESSION = 9
TABLES = [(2, 0), (2, 0), (3, 0), (4, 2)]
WAYS = {"in order": False, "any bits": True}  # how the bytes of a cut write come out
RUINS = 2  # cuts a write that damage the whole page


@dataclass
class Write:
    """A write to the flash: all that was there before it, and whether it belongs to an erase of the sector."""

    memory: bytes
    start: int
    data: bytes
    erasing: bool
    pegged: bool = False  # the game that is running has a score


class Notes(Flash):
    """A flash that notes its writes."""

    def __init__(self, memory: bytearray | None = None) -> None:
        super().__init__(memory)
        self.noted: list[Write] = []
        self.erasing = False

    def write(self, start: int, data: bytes) -> None:
        self.noted.append(Write(bytes(self.memory), start, data, self.erasing))
        super().write(start, data)


class Rolling(Journal):
    """A journal that tells its flash when it erases it."""

    def roll(self, match: Match, most: int = KEPT) -> None:
        self.log.nvm.erasing = most > 0  # type: ignore[attr-defined]
        super().roll(match, most)
        self.log.nvm.erasing = False  # type: ignore[attr-defined]


class Board:
    """A board that is started with what a flash holds."""

    def __init__(self, flash: Flash, epoch: int = LOST) -> None:
        self.flash = flash
        self.match = Match()
        self.journal = Rolling(flash)  # type: ignore[arg-type]
        self.mounted = self.journal.mount(self.match, epoch)
        self.keeper = Keeper(self.match, self.journal)

    def state(self) -> tuple[object, ...]:
        """All that a restart must bring back."""
        match, log = self.match, self.journal.log
        tag = (log.session, log.last_id, log.last_rev)
        return (match.rev, log.epoch, tag, *map(_inside, (match.play, match.earlier, match.undone)))

    def score(self) -> bytes:
        """Who plays, the pegs, the dealer and the games won."""
        return self.match.play.pack()

    def goes_on(self) -> bool:
        """Whether the next event is written so that it is there after another restart."""
        match = self.match
        if match.can_undo:
            self.keeper.do(match.undo_event())
        elif match.winner < 0:
            self.keeper.do((DEAL, match.next_seat(), 0, 0, 0))
        else:
            self.keeper.do(self.keeper.new([121, 3, 2, -1, -1, -1]))
        after = started(self.flash.memory)
        return after.mounted and after.state() == self.state()


def _inside(game: Game | None) -> object:
    if game is None:
        return None
    size = game.top * (len(game.now) + 10)
    return (game.rev, game.kind, game.pack(), bytes(game.history[:size]), game.depth, game.top, game.trimmed)


def started(memory: bytes | bytearray) -> Board:
    """A board after a restart, on a copy of the flash."""
    return Board(Notes(bytearray(memory)))


@dataclass
class Figures:
    """What came of the cuts, by what was cut and by what the board came up with."""

    events: int = 0
    writes: int = 0
    erases: int = 0
    erases_in_a_game: int = 0
    cuts: dict[str, Counter[str]] = field(
        default_factory=lambda: {what: Counter() for what in ("a write", "an erase", "an erase in a game", "a page")}
    )
    wrong: list[str] = field(default_factory=list)
    lost_events: Counter[int] = field(default_factory=Counter)

    def count(self, what: str, came: str) -> None:
        self.cuts[what][came] += 1

    def fail(self, what: str, write: Write, text: str) -> None:
        self.wrong.append(f"cut in {what} at {write.start}: {text}")

    def __str__(self) -> str:
        said = f"{self.events} events, {self.writes} writes, {self.erases} erases ({self.erases_in_a_game} in a game)"
        for what, came in self.cuts.items():
            if came:
                counts = ", ".join(f"{kind} {count}" for kind, count in sorted(came.items()))
                said += f"\n    cut in {what}: {sum(came.values())} cuts: {counts}"
        if self.lost_events:
            most, mean = max(self.lost_events), self.lost_events.total()
            mean_lost = sum(lost * count for lost, count in self.lost_events.items()) / mean
            said += f"\n    events lost with a page that was told: {mean_lost:.1f} on average, {most} at most"
        return f"{said}\n    wrong: {len(self.wrong)}" + "".join(f"\n        {text}" for text in self.wrong[:10])


class Trial:
    """Plays on one flash, and tries every cut of what each command writes."""

    def __init__(self, seed: int, erase_stride: int, write_stride: int = 1, again_stride: int = 1) -> None:
        self.figures = Figures()
        self.write_stride = write_stride
        self.again_stride = again_stride  # in what is written again after an erase
        self.chance = random.Random(seed)
        self.erase_stride = erase_stride
        self.flash = Notes()
        self.board = Board(self.flash, EPOCH)
        self.past: dict[int, bytes] = {0: self.board.score()}
        self.number = 0

    def play(self, commands: Iterable[evening.Command], when: Callable[[], bool] = lambda: True) -> None:
        """Carry out these commands, and try the cuts of those before which `when` is so."""
        for op, *args in commands:
            message = [op, *tag(self.number, SESSION), *args]
            self.number += 1
            self.command(message, tried=when())

    def command(self, message: list[object], *, tried: bool) -> None:
        board, figures = self.board, self.figures
        before = board.state()
        self.flash.noted = []
        erases = self.flash.erases
        pegged = max(board.match.play.now[:-2]) > 0 and board.match.winner < 0
        answer = finished(board.keeper, message)
        if answer[0] != "ok":
            raise AssertionError(f"{message}: {answer}")
        after = board.state()
        self.past[board.match.rev] = board.score()
        figures.events += 1
        figures.writes += len(self.flash.noted)
        figures.erases += self.flash.erases - erases
        figures.erases_in_a_game += pegged and self.flash.erases > erases
        if not tried:
            return
        if started(self.flash.memory).state() != after:
            figures.wrong.append(f"{message} does not come back")
        for write in self.flash.noted:
            write.pegged = pegged
            if write.erasing:
                self.erase(write, before)
            else:
                self.write(write, after, message)
                self.ruin(write, after, message)

    def write(self, write: Write, after: tuple[object, ...], message: list[object]) -> None:
        ready = started(write.memory)
        before = ready.state()
        if ready.score() != self.past[ready.match.rev] or ready.match.rev != self.board.match.rev - 1:
            self.figures.fail("a write", write, "what it is written onto is not what was before")
        for memory in self.cut(write, self.write_stride):
            board = started(memory)
            state = board.state()
            self.figures.count("a write", "after" if state == after else "before" if state == before else "neither")
            if state not in (before, after):
                self.figures.fail("a write", write, "neither before nor after")
            self.comes_again(board, state == after, after, message, write)

    def comes_again(
        self, board: Board, counted: bool, after: tuple[object, ...], message: list[object], write: Write
    ) -> None:
        """The command is sent again, then something else happens."""
        rev = board.match.rev
        if message[0] == "redo" and not counted and board.journal.must_roll(board.match, REDO):
            self.redo_is_gone(board, message, write)
            return
        answer = finished(board.keeper, message)
        if answer != ["ok", message[1], message[2], after[0]] or board.match.rev != rev + (not counted):
            self.figures.fail("a write", write, f"{message} came again: {answer}")
        full = board.flash.erases > 0  # and then undo may reach less far
        if board.state()[: 3 if full else None] != after[: 3 if full else None] or board.score() != self.board.score():
            self.figures.fail("a write", write, "the state is another after the command came again")
        if not board.goes_on():
            self.figures.fail("a write", write, "what happened next was not written")

    def redo_is_gone(self, board: Board, message: list[object], write: Write) -> None:
        """The torn slot was among the last ones, and the erase that a redo needs now lets go what it names."""
        rev, score = board.match.rev, board.score()
        answer = finished(board.keeper, message)
        if answer[0] != "no" or answer[3] != "nothing" or (board.match.rev, board.score()) != (rev, score):
            self.figures.fail("a write", write, f"{message} came again to a full journal: {answer}")
        if not board.goes_on():
            self.figures.fail("a write", write, "what happened next was not written")

    def erase(self, write: Write, before: tuple[object, ...]) -> None:
        what = "an erase in a game" if write.pegged else "an erase"
        for memory in self.cut(write, self.erase_stride if len(write.data) > 256 else self.again_stride):
            board = started(memory)
            state = board.state()
            if state == before:
                came = "before"
            elif board.mounted and board.score() == self.past[board.match.rev] and state[:3] == before[:3]:
                came = "before, but for redo"
            elif not board.mounted and (board.match.rev, board.score()) == (0, Match().play.pack()):
                came = "a new journal"
            elif not board.mounted and board.score() == self.past.get(board.match.rev):
                came = "an older state, told"
            else:
                came = "neither"
                self.figures.fail(what, write, f"rev {board.match.rev}")
            self.figures.count(what, came)
            if not board.goes_on():
                self.figures.fail(what, write, "what happened next was not written")

    def ruin(self, write: Write, after: tuple[object, ...], message: list[object]) -> None:
        """Cuts that damage the whole page that is written."""
        before = started(write.memory).state()
        for _ in range(RUINS):
            flash = Notes(bytearray(write.memory))
            flash.cut = Cut(self.chance.randrange(len(write.data)), self.chance, ruins=True)
            try:
                flash.write(write.start, write.data)
            except PowerCut:
                pass
            else:
                continue
            board = started(flash.memory)
            state = board.state()
            rev = board.match.rev
            lost = int(str(before[0])) - rev
            if state in (before, after):
                came = "after" if state == after else "before"
            elif board.score() != self.past.get(rev):
                came = "what could be read, told"
                if board.mounted:
                    self.figures.fail("a page", write, f"rev {rev} with another score")
            elif board.mounted and not (board.journal.log.missing or board.journal.log.torn):
                came = "an older state, not told" if lost > 0 else "neither"
            else:
                came = "an older state, told" if lost > 0 else "before or after, undo lost"
                if lost > 0:
                    self.figures.lost_events[lost] += 1
            self.figures.count("a page", came)
            finished(board.keeper, message)
            if board.match.rev > rev + 1 or (rev == after[0] and board.match.rev > rev):
                self.figures.fail("a page", write, f"{message} counted twice")
            if not board.goes_on():
                self.figures.fail("a page", write, "what happened next was not written")

    def cut(self, write: Write, stride: int) -> Iterable[bytearray]:
        """What the flash may hold after a cut at each byte that a write changes, in either way, and after it."""
        for wild in WAYS.values():
            at = self.chance.randrange(stride)
            while True:
                flash = Flash(bytearray(write.memory), cut=Cut(at, self.chance if wild else None))
                try:
                    flash.write(write.start, write.data)
                except PowerCut:
                    yield flash.memory
                    at += stride
                    continue
                break
        yield flash.memory


def run(games: int, seed: int, strides: tuple[int, int], long: int = 0) -> Figures:
    """Try the cuts of so many games, and of one long game, at every so many bytes of an erase and of another write."""
    trial = Trial(seed, *strides)
    tables = [TABLES[number % len(TABLES)] for number in range(games)]
    trial.play(evening.games(trial.board.match, tables, seed, 0.1))
    if long:
        trial.play(evening.long_game(trial.board.match, long, seed))
    return trial.figures


def main() -> int:
    parser = argparse.ArgumentParser(description="Power cuts at every byte of every write.")
    parser.add_argument("--games", type=int, default=12)
    parser.add_argument("--long", type=int, default=0, help="a game of so many events after them")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--erase-stride", type=int, default=1, help="in an erase try every so many bytes only")
    parser.add_argument("--write-stride", type=int, default=1, help="and in another write")
    asked = parser.parse_args()
    began = time.process_time()
    figures = run(asked.games, asked.seed, (asked.erase_stride, asked.write_stride), asked.long)
    print(figures)
    print(f"    {time.process_time() - began:.0f} s of CPU")
    return 1 if figures.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
