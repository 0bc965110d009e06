"""Mounting a journal: its sector is folded into the match; what cannot be read is mended, bridged (see `gap`) or told.

An event has the number after the one before it. Where a number is missing, a record that cannot be read is tried with
each of its bits flipped: one that is then whole and has that number is the event. In the newest slot a record without
a CRC is torn and has not happened; one whose CRC lacks nothing but bits that programming had not cleared yet has, if
it is the only wrong record of its page.
"""

from __future__ import annotations

from array import array
from struct import unpack_from

from cribboard_core.events import FALSE, PENALTY, REDO, RESTORE, SET, UNDO, Refused
from cribboard_core.game import unpack
from cribboard_core.records import (
    BLANK,
    BODY,
    COPY,
    COPY_ENDS,
    HEADER,
    MANY,
    PAGE_SLOTS,
    PART,
    TRIES,
    TRIMMED,
    Log,
    crc,
    event_of,
    u16,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cribboard_core.game import Game
    from cribboard_core.gap import Gap
    from cribboard_core.match import Match

TAKEN, NONE, LATER = range(3)  # what became of a record: it cannot be one, or what comes before it is to be mended


def mount(nvm: bytearray, match: Match, epoch: int) -> tuple[Log, bool, bool]:
    """The log that the sector holds, folded into `match`; whether it is whole; whether the sector is to be erased now.

    Unless it is whole, a new epoch begins. Where none can be read nothing is written before the next event.
    """
    reading = _read(nvm, match)
    log = reading.log
    if reading.valid and not log.lost:
        _settle(reading)
        return log, True, False
    log.epoch = epoch
    if reading.valid:
        from cribboard_core.gap import begin_behind

        return log, False, not begin_behind(log, match)
    if not log.next:
        return log, False, True
    log.lost, log.missing = True, MANY
    log.next = log.slots  # what stands there may be another firmware's journal: the next event erases it
    return log, False, False


def _read(nvm: bytearray, match: Match) -> Reading:
    without: list[int] = []
    while True:
        reading = Reading(nvm, match, without)
        reading.read()
        if reading.replaced < 0 or len(without) == TRIES:
            return reading
        without.append(reading.replaced)  # read all again: what came behind it was folded on it


def _settle(reading: Reading) -> None:
    """Write again what was mended last, leave a page not to be written."""
    log = reading.log
    newest = log.kept[-1] if log.kept else -1
    if log.torn or newest in log.mended:
        log.next += -log.next % PAGE_SLOTS  # to the end: the next event erases
    elif log.newest == reading.first:
        log.leave_page()
    if newest in log.mended:
        from cribboard_core.gap import write_again

        write_again(log)


def is_whole(record: bytes) -> bool:
    """Whether the record's CRC is right."""
    return crc(record) == u16(record, BODY)


class Reading:
    """One pass over the slots, `without` some; `valid`: there was a snapshot; `first`: its rev.

    `replaced` is the slot of an event that a start could not read and went on without: another has its number.
    """

    def __init__(self, nvm: bytearray, match: Match, without: list[int]) -> None:
        self.log = Log(nvm)
        self.match = match
        self.valid = False
        self.first = 0  # the snapshot's rev
        self.replaced = -1
        self.without = without
        self._begun: Game | None = None  # how the match stood when the journal began, by the snapshot's copy
        self._way = False  # the events up to there are read, which undo can take back
        self._events = -1  # how many, -1: not known
        self._parts: dict[bytes, bytes] = {}  # of a snapshot, by kind, rev, no.
        self.unread: list[int] = []  # slots since the last record that cannot be read
        self.wrong: list[int] = []  # the page of each record that cannot be read
        self._flipped: dict[int, bytes] = {}  # mended
        self._gap: Gap | None = None

    def read(self) -> None:
        """Fold all records, note what was missing."""
        log = self.log
        for slot in range(log.slots):
            record = log.get(slot)
            if record == BLANK or slot in self.without:
                continue
            log.next = slot + 1
            came = self._take(slot, record, False) if is_whole(record) else NONE
            if came == LATER:
                self._mend_before(log.rev(record))
                came = self._take(slot, record, True)
            if came == NONE:
                self.unread.append(slot)
                self.wrong.append(slot // PAGE_SLOTS)
        if self.valid:
            if self.unread:
                from cribboard_core.gap import read_end  # seldom

                read_end(self)
            self.have_begun()
            self.match.rev = log.newest
            log.lost = self._gap is not None and self._gap.open

    def _take(self, slot: int, record: bytes, mended: bool) -> int:
        """Fold a whole record; `mended`: what was not read before it has been tried."""
        log = self.log
        first, rev = record[0], log.rev(record)
        if first in (PART, COPY):
            self._parts[record[:4]] = record[4:BODY]
            return NONE if self.valid and rev > log.newest + 1 else TAKEN
        beginning = log.newest == self.first  # what undo can take back may be unread, or the snapshot's end
        if not mended and self.unread and (beginning or rev > log.newest + 1):
            return LATER
        if first == COPY_ENDS or first >> 3 == RESTORE:
            return TAKEN if self._close(slot, record, first == COPY_ENDS) else NONE
        if not self.valid or rev <= self._last():
            self._compare(record, rev)
            return TAKEN  # no snapshot; or repeated, as its first copy read back wrong
        if rev > log.newest + log.slots:
            return NONE  # its CRC is right by chance
        if beginning and self.unread not in ([], [slot]):
            self.missed()  # undo may name them
        self.unread = []
        if rev > self.first:
            self._reach(rev)
        elif not self._way:
            log.kept.append(slot)  # told, but no way to take it back
            return TAKEN
        return TAKEN if self._happen(slot, rev, record) else NONE

    def _close(self, slot: int, record: bytes, copy: bool) -> bool:
        """Take over the snapshot that a record closes, if all its parts are there."""
        log, match = self.log, self.match
        kind = COPY if copy else PART
        parts = [bytes([kind, record[1], record[2], number]) for number in range(record[3])]
        packed = b"".join(map(self._part, parts))
        if len(packed) != record[3] * (BODY - 4) or len(packed) < HEADER + 3:
            return False
        epoch, rev, began = unpack_from("<III", packed)
        try:
            ends = HEADER + 7 + 4 * packed[HEADER + 2]
            game = unpack(packed[HEADER:ends])
        except Refused:
            return False
        for part in parts:
            self._parts.pop(part, None)
        game.rev = began
        game.kind = packed[12] & ~TRIMMED
        game.trimmed = packed[12] >= TRIMMED
        if self.valid and epoch == log.epoch:
            if copy:
                self._begun = game
                return True
            if rev <= log.newest:
                self._compare(record, rev)
                return True  # repeated
            self._reach(rev)
            match.restore(rev, game)
            game.trimmed = False
            log.kept.append(slot)
        else:
            log.epoch = epoch
            log.missing, log.begun = packed[13], rev
            if any(packed[ends:]):
                log.hosts = packed[ends : ends + 22] + record[7:10] + record[4:6]
            log.begin(rev, game.rev, array("H"))
            self.valid = True
            self.first = rev
            self._way = not copy
            self._events = record[6] - 1
            self._begun = None
            match.play = game
            match.earlier = match.undone = None
        self.unread = []
        if self._gap:
            self._gap.close()
        log.newest = rev
        log.tag(rev - ((rev - u16(record, 4)) & 0xFFFF), u16(record, 7), record[9], game.rev)
        return True

    def _compare(self, record: bytes, rev: int) -> None:
        """Look whether a record with the newest number is another event."""
        kept = self.log.kept
        if kept and rev == self.log.newest == self._last() and record != self.log.get(kept[-1]):
            self.replaced = kept[-1]

    def _happen(self, slot: int, rev: int, record: bytes) -> bool:
        """Whether an event can have been."""
        log, match, gap = self.log, self.match, self._gap
        event = event_of(record)
        ends = gap.bridge(rev, event, record) if gap else False
        try:
            match.check(event)
            match.apply(rev, event)
            if gap and (
                ends or (rev <= self.first and event[0] in (SET, FALSE, PENALTY))
            ):  # which hide what is missing
                gap.end()
        except Refused:
            if not gap:
                return False
            gap.lose(event[0] in (UNDO, REDO))
        log.kept.append(slot)
        log.tag(rev, u16(record, 7), record[9], match.play.rev)
        return True

    def _last(self) -> int:
        kept = self.log.kept
        return self.log.row(kept[-1])[0] if kept else -1

    def _reach(self, rev: int) -> None:
        """The next event has this rev: what lies between is missing."""
        self.have_begun()
        missing = rev - self.log.newest - 1
        if missing > 0:
            restored = any(self.log.newest < self.log.rev(part) < rev for part in sorted(self._parts))
            self.missed().miss(missing, restored)

    def missed(self) -> Gap:
        if not self._gap:
            from cribboard_core.gap import Gap  # seldom

            self._gap = Gap(self.log, self.match)
        return self._gap

    def have_begun(self) -> int:
        """Compare with the snapshot's copy; returns how many events before it are missing."""
        begun, self._begun = self._begun, None
        short, self._events = max(self._events - len(self.log.kept), 0), 0
        if short or (begun and begun.pack() != self.match.play.pack()):
            self.missed().begin(short, begun)
        return short

    def _follows(self, record: bytes, rev: int) -> bool:
        """Whether a record is the next one and before this rev. What undo can take back may leave numbers out."""
        if not record:
            return False
        if not self.valid:
            return record[0] >> 3 == RESTORE
        other, newest = self.log.rev(record), self.log.newest
        if other > newest:
            return other == newest + 1 < rev
        return self._way and len(self.log.kept) != self._events and self._last() < other < rev and other <= self.first

    def mended(self, slot: int) -> bytes:
        """A slot's mended record, or empty; kept, since that takes a hundred CRCs."""
        if slot not in self._flipped:
            from cribboard_core.gap import mended

            self._flipped[slot] = mended(self.log.get(slot))
        return self._flipped[slot]

    def _mend_before(self, rev: int) -> None:
        """Mend what was not read, if it is events before this one."""
        for slot in self.unread[:]:
            self.mend(slot, self.mended(slot), rev)

    def mend(self, slot: int, record: bytes, rev: int) -> bool:
        """Whether a mended record is the next one, before this rev, and so is taken."""
        if self._follows(record, rev) and self._take(slot, record, True) == TAKEN:
            self.log.mended[slot] = record
            return True
        return False

    def _part(self, key: bytes) -> bytes:
        """The part of a snapshot with this kind, rev and number; empty if it is missing."""
        if key not in self._parts:
            for slot in self.unread:
                record = self.mended(slot)
                if record[:4] == key:
                    return record[4:BODY]
        return self._parts.get(key, b"")
