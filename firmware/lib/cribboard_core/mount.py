"""Mounting a journal: what its sector holds is folded into the match; what cannot be read is mended, bridged or told.

An event has the number after the one before it. Where a number is missing, a record that cannot be read is tried with
each of its bits flipped: one that is then whole and has that number is the event. In the newest slots a record without
a CRC is torn and has not happened, and one whose CRC lacks nothing but bits that programming had not cleared yet has.

Behind events that stay missing the records say how the match stood, see `records`. Until they have said it of all sides
the score may be another: then the match begins a new epoch as it is known, behind the records, which stay.
"""

from __future__ import annotations

from array import array
from binascii import crc32

from cribboard_core.events import FALSE, NEW, PEG, REDO, RESTORE, SET, UNDO, Refused, new_event
from cribboard_core.game import NOBODY, Game, unpack
from cribboard_core.journal import BLANK, PAGE_SLOTS, TRIES, Journal, JournalError
from cribboard_core.match import Match
from cribboard_core.records import (
    BODY,
    COPY,
    COPY_ENDS,
    HEADER,
    PART,
    SETUP_BITS,
    SLOT,
    TRIMMED,
    crc,
    event_of,
    event_record,
    is_whole,
    u16,
    u32,
)

MANY = 255  # events missing: more than can be told
EVERYBODY = 63  # places
MOST_BACK = 20  # holes that a side may go back in what is missing; else it was another game's beginning
NOT_SAID = 0xFFFF  # pegs that no record can have
OLD_VERSION = 0x43420002  # of the layout before: no pegs in the records, no copy


def mount(journal: Journal, match: Match, epoch: int) -> bool:
    """Fold what the sector holds into `match`; unless it is a whole journal, begin one with this epoch.

    Returns whether it was. The match keeps what it was handed when there is none.
    """
    data = bytes(journal._nvm[0 : journal._at(journal.slots)])
    reading = Reading(journal, match, data, HEADER)
    found = reading.read()
    if found and not journal.lost:
        reading.settle()
        return True
    if not found:
        translated = _translated(journal, data)
        if translated:
            found = Reading(journal, match, translated, HEADER - 1).read()
            if found and not journal.lost:
                for slot in journal._kept:
                    journal._mended[slot] = translated[journal._at(slot) : journal._at(slot) + SLOT]
                journal.roll(match)
                return True
        elif data != b"\xff" * len(data):
            journal.lost = True
            journal.missing = MANY
    journal.epoch = epoch
    if not found or not reading.found or not reading.begin_behind():
        journal._begin(match, [])
    return False


class Reading:
    """One pass over the slots."""

    def __init__(self, journal: Journal, match: Match, data: bytes, header: int) -> None:
        self.journal = journal
        self.match = match
        self.data = data
        self.found = False
        self._header = header  # bytes before a snapshot's game
        self._first = 0  # the snapshot's rev
        self._begun: Game | None = None  # how the match stood when the journal began, by the snapshot's copy
        self._way = False  # the events up to there are read, which undo can take back
        self._parts: dict[int, bytes] = {}  # of a snapshot, by rev << 8 | number
        self._unread: list[int] = []  # slots since the last record that cannot be read
        self._gap = -1  # the rev before the newest gap
        self._unknown = 0  # sides whose pegs are not known since, a bit for each place
        self._unsure = False  # a new game is among what is missing

    def read(self) -> bool:
        """Fold all records, and say in the journal what was missing; returns whether there is a snapshot."""
        journal = self.journal
        for slot in range(journal.slots):
            record = self._raw(slot)
            if record == BLANK:
                continue
            journal._next = slot + 1
            if not is_whole(record) or not self._take(slot, record):
                self._unread.append(slot)
        if self.found:
            self._read_end()
            self._have_begun()
            self.match.rev = journal._newest
            sides = 0
            for side in self.match.sides:
                sides |= 1 << side
            journal.lost = self._unsure or self._unknown & sides > 0
        return self.found

    def _read_end(self) -> None:
        """Take what can be taken of the slots behind the last whole record; of one page, a cut leaves one unread."""
        journal = self.journal
        unread = self._unread
        self._unread = []
        for slot in unread:
            record = self._raw(slot)
            stored, right = u16(record, BODY), crc(record)
            written = record[:BODY] + bytes([right & 255, right >> 8])  # had its CRC been written to the end
            mended = self._mended(slot)
            record = written if stored & right == right else mended
            if stored != 0xFFFF and self._follows(record, journal._newest + 2) and self._take(slot, record):
                journal._mended[slot] = record
                journal.torn = record != mended  # else one bit explains all
            else:
                self._unread.append(slot)
        pages = [slot // PAGE_SLOTS for slot in self._unread]
        journal.torn = journal.torn or (journal._next - 1) // PAGE_SLOTS in pages
        several = [page for page in pages if pages.count(page) > 1]
        if several:
            self._miss(len(several))
            self._unsure = True

    def settle(self) -> None:
        """After a journal that is whole: write again what was mended last, leave a page that must not be written."""
        journal = self.journal
        newest = journal._kept[-1] if len(journal._kept) else -1
        if journal.torn or newest in journal._mended:
            journal._next += -journal._next % PAGE_SLOTS  # up to the end: then the next event erases
        elif journal._newest == self._first:
            journal._leave_page()
        if newest in journal._mended and journal.free > TRIES:
            try:
                journal._kept[-1] = journal._write(journal._mended[newest])
            except JournalError:
                pass  # it is still read as it is

    def begin_behind(self) -> bool:
        """Begin a new epoch behind the records, where there is room; they stay as evidence."""
        journal, match = self.journal, self.match
        self._let_go()
        try:
            for copy in (False, True):
                journal._leave_page()
                if journal._next % PAGE_SLOTS or journal.free < PAGE_SLOTS:
                    return False
                for record in journal._snapshot(match, -1, copy):
                    journal._write(record)
        except JournalError:
            return False
        journal._leave_page()
        journal._kept = array("H")
        journal._games = [(0, match.play.rev)]
        return True

    def _raw(self, slot: int) -> bytes:
        at = self.journal._at(slot)
        return self.data[at : at + SLOT]

    def _take(self, slot: int, record: bytes) -> bool:
        """Fold a whole record; returns whether it can be one."""
        journal = self.journal
        first, rev = record[0], journal._rev(record)
        if first in (PART, COPY):
            if self.found and rev > journal._newest + 1:
                return False
            self._parts[u16(record, 1) << 8 | record[3]] = record[4:BODY]
            return True
        if first == COPY_ENDS or first >> 3 == RESTORE:
            return self._close(slot, record, first == COPY_ENDS)
        if not self.found and not self._mend_closing():
            return True
        if rev <= self._last():
            return True  # repeated, since its first copy read back wrong
        if rev > journal._newest + journal.slots:
            return False  # a torn one whose CRC is right by chance
        if rev <= self._first:
            if not self._way:
                journal._kept.append(slot)  # to be told, but no way to take it back
                return True
            self._mend_up_to(rev)
        else:
            self._reach(rev)
        self._unread = []
        self._happen(slot, rev, record)
        return True

    def _reach(self, rev: int) -> None:
        """Mend what lies before a rev, and bridge what cannot be."""
        self._mend_up_to(rev)
        self._have_begun()
        missing = rev - self.journal._newest - 1
        if missing > 0:
            self._miss(missing)

    def _close(self, slot: int, record: bytes, copy: bool) -> bool:
        """Take over the snapshot that a record closes, if all its parts are there."""
        journal, match = self.journal, self.match
        packed = b""
        for number in range(record[3]):
            key = u16(record, 1) << 8 | number
            if key not in self._parts and not self._mend_part(key, COPY if copy else PART):
                return False
            packed += self._parts[key]
        if copy and not self.found:
            self._mend_closing()
        self._parts = {}
        if len(packed) < self._header + 3:
            return False
        epoch, rev = u32(packed, 0), u32(packed, 4)
        again = self.found and epoch == journal.epoch
        try:
            game = unpack(packed[self._header : self._header + 7 + 4 * packed[self._header + 2]])
        except Refused:
            return False
        if not again or copy:
            game.rev = u32(packed, 8)
            game.kind = packed[12] & ~TRIMMED
            game.trimmed = packed[12] >= TRIMMED
        if again and copy:
            self._begun = game
            return True
        if again and rev <= journal._newest:
            return True  # repeated
        if again:
            self._reach(rev)
        self._unread = []
        if again:
            match.restore(rev, game)
            journal._kept.append(slot)
        else:
            journal.epoch = epoch
            self._way = not copy
            self._begun = None
            match.play = game
            match.earlier = match.undone = None
            journal._kept = array("H")
            journal._games = [(0, game.rev)]
            journal._newest = self._first = rev
            journal.missing = packed[13] if self._header == HEADER else 0
            self.found = True
        self._unknown = 0
        self._unsure = False
        journal._tagged(rev - ((rev - u16(record, 4)) & 0xFFFF), u16(record, 7), record[9], game.rev)
        journal._newest = rev
        return True

    def _happen(self, slot: int, rev: int, record: bytes) -> None:
        journal, match = self.journal, self.match
        event = event_of(record)
        if self._unknown:
            self._bridge(rev, event, record)
        try:
            match.check(event)
            match.apply(rev, event)
        except Refused:
            if self._gap < 0:
                return
            self._unknown = EVERYBODY  # it names an event that is missing, or is of a game whose beginning is
            self._unsure = self._unsure or event[0] not in (UNDO, REDO)
            match.rev = rev
        journal._kept.append(slot)
        journal._tagged(rev, u16(record, 7), record[9], match.play.rev)

    def _last(self) -> int:
        kept = self.journal._kept
        return self.journal._read(kept[-1])[0] if len(kept) else -1

    # What is missing

    def _have_begun(self) -> None:
        """All events up to the snapshot's rev are read: the match must stand as its copy says."""
        begun, self._begun = self._begun, None
        if begun and begun.pack() != self.match.play.pack():
            self._miss(1)
            self._unknown = 0
            self.match.play = begun
            self._let_go()
            self.journal._kept = array("H")

    def _miss(self, events: int) -> None:
        journal, match = self.journal, self.match
        journal.missing = min(journal.missing + events, MANY)
        self._gap = journal._newest
        self._unknown = EVERYBODY
        self._let_go()
        match.play.top = match.play.depth

    def _let_go(self) -> None:
        """Undo ends here: what was before is not known."""
        match = self.match
        match.earlier = match.undone = None
        match.play.trim(0)
        match.play.trimmed = True

    def _bridge(self, rev: int, event: tuple[int, ...], record: bytes) -> None:
        """Put the match as it stood before an event, as far as its record says."""
        match = self.match
        kind, side = event[0], event[1]
        if kind == NEW:
            won = u16(record, 4) >> SETUP_BITS
            match.play.now[-1] = won - 1 if 0 < won <= len(match.sides) else NOBODY
            self._unknown = 0
            return
        number, dealer = record[6] >> 3, record[6] & 7
        begun = rev - 1 - ((rev - 1 - number) & 31)
        if match.play.rev & 31 != number and begun > self._gap:
            play = match.play
            sides = len(play.sides)
            match.apply(begun, new_event(play.target, play.mask, sides, play.seats[0], play.skunk, play.double))
            self._unsure = True
            self._unknown = EVERYBODY
        now = match.play.now
        if dealer in match.seats:
            now[-2] = dealer
        front, back = record[4], record[5]
        if side not in match.sides or not (kind == SET or (PEG <= kind <= FALSE and back <= front <= match.target)):
            return
        if kind != SET:
            i = match.index(side)
            self._unsure = self._unsure or front + MOST_BACK < now[2 * i]
            now[2 * i] = front
            now[2 * i + 1] = back
            now[-1] = i if front == match.target else NOBODY
        self._unknown &= ~(1 << side)
        self._let_go()

    # What can be mended

    def _follows(self, record: bytes, rev: int) -> bool:
        """Whether a record is the next one and before this rev. What undo can take back may leave numbers out."""
        if not record:
            return False
        found, newest = self.journal._rev(record), self.journal._newest
        if found > newest:
            return found == newest + 1 < rev
        return self._way and self._last() < found < rev and found <= self._first

    def _mend_up_to(self, rev: int) -> None:
        """Mend the records that were not read, as far as they are events before this one."""
        unread, self._unread = self._unread, []
        for slot in unread:
            record = self._mended(slot)
            if self._follows(record, rev):
                self.journal._mended[slot] = record
                self._take(slot, record)

    def _mend_part(self, key: int, kind: int) -> bool:
        for slot in self._unread:
            record = self._mended(slot)
            if record and record[0] == kind and u16(record, 1) << 8 | record[3] == key:
                self._parts[key] = record[4:BODY]
                return True
        return False

    def _mend_closing(self) -> bool:
        """Mend the record that closes the first snapshot, before its copy counts or an event comes."""
        for slot in self._unread:
            record = self._mended(slot)
            if record and record[0] >> 3 == RESTORE:
                return self._close(slot, record, False)
        return False

    def _mended(self, slot: int) -> bytes:
        """The record with the one bit flipped that makes it whole; empty if there is none. No two bits do."""
        for bit in range(8 * SLOT):
            flipped = bytearray(self._raw(slot))
            flipped[bit >> 3] ^= 1 << (bit & 7)
            if is_whole(bytes(flipped)):
                return bytes(flipped)
        return b""


def _translated(journal: Journal, data: bytes) -> bytes:
    """The records of the layout before in this one, without how the match stood; empty if there are none."""
    found = bytearray(data)
    any_of_them = False
    for slot in range(journal.slots):
        at = journal._at(slot)
        record = data[at : at + SLOT]
        if (crc32(record[:BODY], OLD_VERSION) & 0xFFFF) % 0xFFFF == u16(record, BODY):
            any_of_them = True
            first = record[0]
            if first == PART or first >> 3 == RESTORE:
                found[at + BODY : at + SLOT] = crc(record).to_bytes(2, "little")
            else:
                event = (first >> 3, first & 7, record[3], u16(record, 4), record[6])
                found[at : at + SLOT] = event_record(
                    u16(record, 1), event, u16(record, 7), record[9], NOT_SAID, NOT_SAID
                )
    return bytes(found) if any_of_them else b""
