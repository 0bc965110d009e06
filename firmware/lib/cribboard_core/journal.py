"""The journal: append-only records in a flash sector, each of which a power cut can lose but never change.

The sector is divided into slots of 12 bytes, none across a page of 256; the last four bytes of a page are for others.
Writing onto bytes that are all 0xFF programs them, anything else erases the sector. So a record is put behind the last
slot in use, read back, and repeated in the next when wrong. Later snapshots than the first are states a host restored.

Programming rewrites its page, so those that a journal began with are not written again: one with a snapshot before the
events that undo can take back, one with how the match stands behind them. `mount` reads it all at power-on.
"""

from __future__ import annotations

from array import array

from cribboard_core.events import DEAL, FALSE, NEW, PEG, REDO, RESTORE, SET, UNDO, Refused
from cribboard_core.records import (
    BLANK,
    BODY,
    COPY,
    KEPT,
    PAGE,
    PAGE_SLOTS,
    PART,
    SLOT,
    SNAPSHOT_SLOTS,
    TRIES,
    TRIMMED,
    Sector,
    event_of,
    event_record,
    snapshot_records,
    u16,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from cribboard_core.match import Match

    Row = tuple[int, tuple[int, ...], int, int, int]

BEFORE_FIRST_SCORE = 24  # slots for what may happen before a new game's first score
LONG_GAME = 112  # events; two players' games take about 65


class JournalError(Refused):
    """The flash does not take a record any more."""

    def __init__(self, text: str) -> None:
        super().__init__("journal", text)


class Journal:
    """The records in `nvm`, anything that is sliced and assigned like microcontroller.nvm.

    `mount` sets `torn`: the newest record was not written to its end, or reads so; `lost`: the match may not stand as
    it did; `missing`: so many events cannot be read, MANY for more.
    """

    def __init__(self, nvm: bytearray) -> None:
        self._nvm = nvm
        self.slots = min(len(nvm), 4096) // PAGE * PAGE_SLOTS
        self._next = 0
        self._kept = array("H")  # the slots of valid events, in order
        self._mended: dict[int, bytes] = {}  # what stands in slots with a wrong bit
        self._games: list[tuple[int, int]] = []  # (from which rev on, the game)
        self._newest = 0  # the highest rev, which completes 16-bit ones
        self.epoch = 0
        self.session = 0
        self.last_id = 0
        self.last_rev = 0  # the rev that the newest tagged command made
        self.hosts, self.begun = b"", 0  # and the snapshot's rev
        self.torn = self.lost = False
        self._sector: Sector | None = None  # made ready for the next erase
        self._prepared = -1  # at which rev that was last looked into, twice it, and whether it was crowded
        self.crowded = False  # what shares the sector waits for an erase
        self.missing = 0

    @property
    def free(self) -> int:
        """Slots that can still be written."""
        return self.slots - self._next

    def mount(self, match: Match, epoch: int) -> bool:
        """Fold what the sector holds into `match`, see `mount.mount`."""
        from cribboard_core.mount import mount  # needed at power-on only

        return mount(self, match, epoch)

    def append(self, match: Match, event: tuple[int, ...], session: int = 0, last_id: int = 0) -> int:
        """Write the event that is to happen next, with its command's tag; returns its rev, or raises JournalError."""
        rev, kind, play = match.rev + 1, event[0], match.play
        now, pegs = play.now, 0
        game = play.rev
        if kind == NEW:
            pegs = (now[-1] + 1) & 7  # NOBODY is 255
            game = rev
        elif PEG <= kind <= FALSE:
            i = 2 * play.sides.index(event[1])
            pegs = now[i] | now[i + 1] << 8
        elif kind == UNDO and not play.depth and match.earlier:
            game = match.earlier.rev
        elif kind == REDO and play.depth == play.top and match.undone:
            game = match.undone.rev
        self._kept.append(self._write(event_record(rev, event, session, last_id, pegs, play.rev << 3 | now[-2])))
        self._tagged(rev, session, last_id, game)
        return rev

    def append_restore(self, rev: int, packed: bytes, session: int, last_id: int) -> Iterator[None]:
        """Write a state that a host has given, some records at a time; it counts with the last one."""
        records = snapshot_records((self.epoch, rev, rev, RESTORE, 0), packed + self.hosts, (rev, session, last_id))
        for number in range(len(records)):
            if number % 4 == 0:
                yield
            slot = self._write(records[number])
        self._kept.append(slot)
        self._tagged(rev, session, last_id, rev)

    def must_roll(self, match: Match, kind: int) -> bool:
        """Whether the sector must be erased before an event of this kind: when it is full, or might be in mid-game.

        The latter is asked at a new game's first score, since until then undo can go back to the game before.
        """
        if self.free < {RESTORE: SNAPSHOT_SLOTS + TRIES, NEW: BEFORE_FIRST_SCORE}.get(kind, TRIES):
            return True
        if kind in (NEW, RESTORE, UNDO, REDO, DEAL, SET) or match.earlier is None:
            return False
        return self.crowded or self.free < max(LONG_GAME, match.earlier.depth * 3 // 2)

    def prepare(self, match: Match) -> None:
        """Get ready, in two calls while nothing happens, for the next score's erase."""
        looked = 2 * match.rev + self.crowded
        if self._prepared != looked:
            self._prepared = looked
            self._sector = Sector(self, match) if self.must_roll(match, PEG) else None
        elif self._sector and not self._sector.image:
            self._sector.lay_out([])

    def roll(self, match: Match, most: int = KEPT) -> None:
        """Erase the sector and begin it again with a snapshot and at most so many events that undo can take back."""
        sector, self._sector = self._sector, None
        if not sector or sector.rev != match.rev or most != KEPT:
            sector = Sector(self, match, most)
        wrong: list[int] = []  # slots that do not take what is written
        for _ in range(TRIES):
            if wrong or not sector.image:
                sector.lay_out(wrong)
            if sector.write(wrong):
                return
        self._next = self.slots  # so the next event tries again
        raise JournalError("the flash did not take the beginning of a journal")

    def records(self, after_rev: int) -> Iterator[Row]:
        """The (rev, event, session, id, game) kept after a rev, oldest first; the game is the rev that began it."""
        count = len(self._kept)
        for index in range(max(0, count - max(0, self._newest - after_rev)), count):
            row = self._read(self._kept[index])
            if row[0] > after_rev:
                yield row

    def oldest(self) -> int:
        """The rev of the oldest event kept, else of the next one."""
        for row in self.records(-1):
            return row[0]
        return self._newest + 1

    def _leave_page(self) -> None:
        after = self._next + -self._next % PAGE_SLOTS
        if after < self.slots:  # the smallest have one page
            self._next = after

    def _at(self, slot: int) -> int:
        return slot // PAGE_SLOTS * PAGE + slot % PAGE_SLOTS * SLOT

    def _get(self, slot: int) -> bytes:
        if slot in self._mended:
            return self._mended[slot]
        at = self._at(slot)
        return bytes(self._nvm[at : at + SLOT])

    def _write(self, record: bytes) -> int:
        for _ in range(TRIES):
            if self._next >= self.slots:
                break
            self._next += 1
            if self._put(self._next - 1, record):
                return self._next - 1
        raise JournalError("the flash did not take a record in slot %d" % self._next)

    def _put(self, slot: int, record: bytes) -> bool:
        at = self._at(slot)
        if self._get(slot) != BLANK:
            return False  # writing here would erase all
        body = SLOT if record[0] in (PART, COPY) else BODY  # a part may be torn, since it counts with its group
        self._nvm[at : at + body] = record[:body]
        if body < SLOT and self._get(slot)[:BODY] == record[:BODY]:
            self._nvm[at + BODY : at + SLOT] = record[BODY:]
        return self._get(slot) == record

    def _snapshot(self, match: Match, index: int, trimmed: bool, copy: bool = False) -> list[bytes]:
        """The records of the game as it was at this depth of its history, -1 for as it is."""
        game = match.play
        kind = game.kind | (TRIMMED if trimmed else 0)
        tag = (self.last_rev, self.session, self.last_id)
        packed = game.pack(index) + self.hosts
        return snapshot_records((self.epoch, match.rev, game.rev, kind, self.missing), packed, tag, copy)

    def _begun(self, rev: int, game: int, used: int, kept: array[int]) -> None:
        """The sector holds a snapshot of this rev and game, in so many slots, and events in these."""
        self._newest = rev
        self._games = [(0, game)]
        self._next = used
        self._leave_page()
        self._kept = kept

    def _tagged(self, rev: int, session: int, last_id: int, game: int) -> None:
        self._newest = max(self._newest, rev)
        if self._games[-1][1] != game:
            self._games.append((rev, game))
        if session and rev >= self.last_rev:  # else the snapshot has a later one
            self.session, self.last_id, self.last_rev = session, last_id, rev

    def _rev(self, record: bytes) -> int:
        delta = (u16(record, 1) - self._newest) & 0xFFFF
        return self._newest + (delta if delta < 0x8000 else delta - 0x10000)

    def _read(self, slot: int) -> Row:
        record = self._get(slot)
        rev = self._rev(record)
        game = 0
        for first, number in self._games:
            if rev >= first:
                game = number
        return rev, event_of(record), u16(record, 7), record[9], game
