"""A match on its journal, as the firmware joins them, and what the tests of the journal look at."""

from __future__ import annotations

import random
from struct import pack

from cribboard.sim.flash import SECTOR
from cribboard_core import gap, mount  # noqa: F401 (else a test that is not measured may import them first)
from cribboard_core.events import DEAL, HAND, PEG, PENALTY, RESTORE, SET, Refused, new_event
from cribboard_core.game import Game, unpack
from cribboard_core.journal import TRIES, Journal
from cribboard_core.match import Match
from cribboard_core.records import crc

Event = tuple[int, ...]
EPOCH = 0x1234ABCD
LOST = 0xBADBAD


class Board:
    """A match and its journal, and events applied as the firmware does."""

    def __init__(self, nvm: object, epoch: int = EPOCH, players: int = 2, rev: int = 0) -> None:
        self.nvm: bytearray = nvm  # type: ignore[assignment]
        self.match = Match(121, (1 << players) - 1, players)
        self.match.rev = rev
        self.journal = Journal(self.nvm)
        self.mounted = self.journal.mount(self.match, epoch)

    def do(self, event: Event, session: int = 0, last_id: int = 0) -> int:
        self.match.check(event)
        if self.journal.must_roll(self.match, event[0]):
            self.journal.roll(self.match)
            self.match.check(event)
        rev = self.journal.append(self.match, event, session, last_id)
        self.match.apply(rev, event)
        return rev

    def restore(self, packed: bytes, session: int = 0, last_id: int = 0) -> None:
        if self.journal.must_roll(self.match, RESTORE):
            self.journal.roll(self.match)
        rev = self.match.rev + 1
        for _ in self.journal.append_restore(rev, packed, session, last_id):
            pass
        self.match.restore(rev, unpack(packed))

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
    match, journal, log = board.match, board.journal, board.journal.log
    return {
        "rev": match.rev,
        "play": inside(match.play),
        "earlier": inside(match.earlier),
        "undone": inside(match.undone),
        "tag": (log.session, log.last_id, log.last_rev),
        "epoch": log.epoch,
        "kept": list(journal.records(-1)),
        "oldest": journal.oldest(),
        "free": journal.free,
    }


def score(board: Board) -> tuple[object, ...]:
    return (board.match.rev, board.match.play.rev, board.match.play.pack(), board.journal.log.epoch)


def again(memory: bytes | bytearray) -> Board:
    """A restart with a copy of what the flash holds."""
    return Board(bytearray(memory), LOST)


def blank(size: int = SECTOR) -> bytearray:
    return bytearray(b"\xff" * size)


def sealed(body: bytes) -> bytes:
    """A record with this body and its CRC."""
    return body + pack("<H", crc(body))


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
