"""The journal: append-only records in a flash sector, each of which a power cut can lose but never change.

The sector is divided into slots of 12 bytes, none across a page of 256; the last four bytes of a page are for others.
Writing onto bytes that are all 0xFF programs them, anything else erases the sector. So a record is put behind the last
slot in use, read back, and repeated in the next when wrong. Later snapshots than the first are states a host restored.

Programming rewrites its page: those that a journal began with are not written again, nor one that a cut has struck. A
missing rev, or two unreadable slots in the last page, mean that more was lost than the record in hand: what was before
begins a new journal of another epoch.
"""

from __future__ import annotations

from array import array

from cribboard_core.events import DEAL, NEW, REDO, RESTORE, SET, UNDO, Refused
from cribboard_core.game import unpack
from cribboard_core.match import Match
from cribboard_core.records import (
    BODY,
    HEADER,
    PART,
    PART_BYTES,
    SLOT,
    SNAPSHOT_SLOTS,
    TRIMMED,
    event_record,
    is_whole,
    snapshot_records,
    u16,
    u32,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

PAGE = 256
PAGE_SLOTS = PAGE // SLOT
BLANK = b"\xff" * SLOT
BEFORE_FIRST_SCORE = 24  # slots for what may happen before a new game's first score
LONG_GAME = 112  # events; two players' games take about 65
TRIES = 4  # slots for one record before the flash counts as worn out


class JournalError(Refused):
    """The flash does not take a record any more."""

    def __init__(self, text: str) -> None:
        super().__init__("journal", text)


class Journal:
    """The records in `nvm`, anything that is sliced and assigned like microcontroller.nvm."""

    def __init__(self, nvm: bytearray) -> None:
        self._nvm = nvm
        self.slots = min(len(nvm), 4096) // PAGE * PAGE_SLOTS
        self._next = 0
        self._kept = array("H")  # the slots of valid events, in order
        self._newest = 0  # the highest rev, from which 16-bit ones are completed
        self.epoch = 0
        self.session = 0
        self.last_id = 0
        self.last_rev = 0  # the rev that the newest tagged command made

    @property
    def free(self) -> int:
        """Slots that can still be written."""
        return self.slots - self._next

    def mount(self, match: Match, epoch: int) -> bool:
        """Fold what the sector holds into `match`; unless it is a whole journal, begin one with this epoch.

        Returns whether it was. The match keeps what it was handed when there is none.
        """
        data = bytes(self._nvm[0 : self._at(self.slots)])
        group = b""
        found = lost = False
        first = torn = 0  # the snapshot's rev; unreadable slots of a page since the last record
        for slot in range(self.slots):
            at = self._at(slot)
            record = data[at : at + SLOT]
            if record == BLANK:
                continue
            if slot - slot % PAGE_SLOTS >= self._next:
                torn = 0
            self._next = slot + 1
            ahead = found and self._rev(record) > self._newest + 1
            if not is_whole(record) or (ahead and record[0] == PART):
                torn += 1
                lost = lost or torn > 1
                continue
            lost = ahead
            if lost:
                break
            torn = 0
            if record[0] == PART:
                if record[3] * PART_BYTES <= len(group):  # of two copies the second one is right
                    group = group[: record[3] * PART_BYTES] + record[4:10]
            elif record[0] >> 3 == RESTORE:
                if record[3] * PART_BYTES == len(group) and self._open(match, slot, record, group, found):
                    first = first if found else self._newest
                    found = True
                group = b""
            elif found:
                self._replay(match, slot, record)
        if found:
            match.rev = self._newest
        if lost or not found:
            self.epoch = epoch
            self._begin(match, [])
            return False
        if torn:
            self._next += -self._next % PAGE_SLOTS
        elif self._newest == first:
            self._leave_page()
        return True

    def append(self, rev: int, event: tuple[int, ...], session: int = 0, last_id: int = 0) -> None:
        """Write an event with the tag of its command; raises JournalError if the flash does not take it."""
        self._kept.append(self._write(event_record(rev, event, session, last_id)))
        self._tagged(rev, session, last_id)

    def append_restore(self, rev: int, packed: bytes, session: int, last_id: int) -> Iterator[None]:
        """Write a state that a host has given, some records at a time; it counts once the last one is there."""
        records = snapshot_records((self.epoch, rev, rev, RESTORE), packed, (rev, session, last_id))
        for number in range(len(records)):
            if number % 4 == 0:
                yield
            slot = self._write(records[number])
        self._kept.append(slot)
        self._tagged(rev, session, last_id)

    def must_roll(self, match: Match, kind: int) -> bool:
        """Whether the sector must be erased before an event of this kind: when it is full, or might be in mid-game.

        The latter is asked at a new game's first score, since until then undo can go back to the game before.
        """
        if self.free < {RESTORE: SNAPSHOT_SLOTS + TRIES, NEW: BEFORE_FIRST_SCORE}.get(kind, TRIES):
            return True
        if kind in (NEW, RESTORE, UNDO, REDO, DEAL, SET) or match.earlier is None:
            return False
        return self.free < max(LONG_GAME, match.earlier.depth * 3 // 2)

    def roll(self, match: Match) -> None:
        """Erase the sector and begin it again with a snapshot and what undo can take back, half a sector at most."""
        game = match.play
        game.trim(min(game.depth, self.slots // 2, self.slots - 2 * SNAPSHOT_SLOTS))
        records: list[bytes] = []
        for slot in self._kept:
            record = self._get(slot)
            if len(records) < game.depth and u16(record, 1) == game.entry(len(records))[1] & 0xFFFF:
                records.append(record)
        if len(records) < game.depth:
            records = []  # one has gone: the state counts, not the way there
        self._begin(match, records)

    def records(self, after_rev: int) -> Iterator[tuple[int, tuple[int, ...], int, int]]:
        """The (rev, event, session, id) kept after a rev, oldest first."""
        count = len(self._kept)
        for index in range(max(0, count - max(0, self._newest - after_rev)), count):
            record = self._read(self._kept[index])
            if record[0] > after_rev:
                yield record

    def oldest(self) -> int:
        """The rev of the oldest event kept, else of the next one."""
        for record in self.records(-1):
            return record[0]
        return self._newest + 1

    def _leave_page(self) -> None:
        after = self._next + -self._next % PAGE_SLOTS
        if after < self.slots:  # the smallest memories have one page only
            self._next = after

    def _at(self, slot: int) -> int:
        return slot // PAGE_SLOTS * PAGE + slot % PAGE_SLOTS * SLOT

    def _get(self, slot: int) -> bytes:
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
            return False  # it cannot be erased, and writing here would erase all
        body = SLOT if record[0] == PART else BODY  # a part may be torn, since it counts with its group
        self._nvm[at : at + body] = record[:body]
        if body < SLOT and self._get(slot)[:BODY] == record[:BODY]:
            self._nvm[at + BODY : at + SLOT] = record[BODY:]
        return self._get(slot) == record

    def _begin(self, match: Match, records: list[bytes]) -> None:
        game = match.play
        match.undone = match.earlier = None
        if not records:
            game.trim(0)
        header = (self.epoch, match.rev, game.rev, game.kind | (TRIMMED if game.trimmed else 0))
        tag = (self.last_rev, self.session, self.last_id)
        snapshot = snapshot_records(header, game.pack(0 if records else -1), tag)
        for start in range(TRIES):
            if self._fill(start, snapshot, records):
                self._newest = match.rev
                self._leave_page()
                return
        self._next = self.slots  # nothing has begun, so the next event tries again
        raise JournalError("the flash did not take the beginning of a journal")

    def _fill(self, start: int, snapshot: list[bytes], records: list[bytes]) -> bool:
        """Erase and write; with the snapshot's last record, which is written last, all of it counts at once."""
        size = self._at(self.slots)
        self._nvm[0:size] = b"\xff" * size
        self._kept = array("H")
        self._next = start
        try:
            for part in snapshot[:-1]:
                self._write(part)
            last = self._next
            self._next += 1
            for record in records:
                self._kept.append(self._write(record))
        except JournalError:
            return False
        return self._put(last, snapshot[-1])

    def _open(self, match: Match, slot: int, record: bytes, group: bytes, found: bool) -> bool:
        if len(group) <= HEADER + 2:
            return False
        rev = u32(group, 4)
        packed = group[HEADER : HEADER + 7 + 4 * group[HEADER + 2]]
        try:
            game = unpack(packed)
        except Refused:
            return False
        if found:
            match.restore(rev, game)
            self._kept.append(slot)
        else:
            self.epoch = u32(group, 0)
            game.rev = u32(group, 8)
            game.kind = group[12] & ~TRIMMED
            game.trimmed = group[12] >= TRIMMED
            match.play = game
        self._newest = max(self._newest, rev)
        self._tagged(rev - ((rev - u16(record, 4)) & 0xFFFF), u16(record, 7), record[9])
        return True

    def _replay(self, match: Match, slot: int, record: bytes) -> None:
        rev, event, session, last_id = self._event(record)
        if len(self._kept) and rev <= self._read(self._kept[-1])[0]:
            return  # repeated, since its first copy read back wrong
        try:
            match.check(event)
        except Refused:
            return
        match.apply(rev, event)
        self._kept.append(slot)
        self._tagged(rev, session, last_id)

    def _tagged(self, rev: int, session: int, last_id: int) -> None:
        self._newest = max(self._newest, rev)
        if session and rev >= self.last_rev:  # else it stands before what the snapshot remembers
            self.session, self.last_id, self.last_rev = session, last_id, rev

    def _rev(self, record: bytes) -> int:
        delta = (u16(record, 1) - self._newest) & 0xFFFF
        return self._newest + (delta if delta < 0x8000 else delta - 0x10000)

    def _event(self, record: bytes) -> tuple[int, tuple[int, ...], int, int]:
        rev = self._rev(record)
        event = (record[0] >> 3, record[0] & 7, record[3], u16(record, 4), record[6])
        if event[0] == RESTORE:
            event = (RESTORE, 0, 0, 0, 0)
        return rev, event, u16(record, 7), record[9]

    def _read(self, slot: int) -> tuple[int, tuple[int, ...], int, int]:
        return self._event(self._get(slot))
