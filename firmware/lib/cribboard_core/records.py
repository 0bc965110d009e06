"""The journal's records as bytes, and the sector that begins with them. A record is 12 bytes, sealed by a CRC of 2.

    event     kind<<3 | side, rev (2), a, b (2), c, session (2), id, CRC (2)
    part      14<<3, rev (2), part number, 6 bytes of a snapshot, CRC (2); 15<<3 in the snapshot's copy

Numbers are little-endian. The CRC is the low half of a CRC-32 that starts from the version of this layout, never
0xFFFF; an event's is written last, so that no torn one has the right one by chance. The parts of a snapshot are a
header (epoch (4), rev (4), the game's rev (4), its kind, events missing), a packed game, hosts; they count once a
`restore` (in the copy 15<<3 | 1) follows them, with their number in a and the low half of its tag's rev in b.

An event says how the match stood before it, so that the score is known again behind events that cannot be read. The
points leave two bits of a free and the kind one bit of the first byte: b's three bits go there, and the pegs of the
side, front then back, into b. In c there are five bits of the game's rev and the dealer's place. A new game needs c for
itself; its b has above eleven bits who has won the game before: 0, or 1 + the index of that side.
"""

from __future__ import annotations

from array import array
from binascii import crc32
from struct import pack

from cribboard_core.events import FALSE, NEW, PEG, RESTORE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cribboard_core.journal import Journal
    from cribboard_core.match import Match

SLOT = 12
PAGE = 256
PAGE_SLOTS = PAGE // SLOT
BLANK = b"\xff" * SLOT
LEAST_FOR_COPY = 8 * PAGE_SLOTS  # slots; a smaller memory keeps one snapshot
KEPT = 21  # events that undo can still take back when a game has filled the sector
PART = 14 << 3
COPY = 15 << 3
COPY_ENDS = COPY | 1
BODY = 10  # bytes before the CRC
PART_BYTES = 6
HEADER = 14
TRIMMED = 128  # in the header's kind: undo ends at this snapshot, older events were let go
VERSION = 0x43420003
SNAPSHOT_SLOTS = 1 + (HEADER + 7 + 4 * 6 + 27 + PART_BYTES - 1) // PART_BYTES  # for six sides, four hosts
SETUP_BITS = 11
MANY = 255  # events missing: more than can be told
TRIES = 4  # slots for one record, else the flash is worn out


def u16(data: bytes, at: int) -> int:
    """The 16-bit number there."""
    return data[at] | data[at + 1] << 8


def u32(data: bytes, at: int) -> int:
    """The 32-bit number there."""
    return u16(data, at) | u16(data, at + 2) << 16


def is_whole(record: bytes) -> bool:
    """Whether the record's CRC is right."""
    return crc(record) == u16(record, BODY)


def event_record(rev: int, event: tuple[int, ...], session: int, last_id: int, pegs: int = 0, game: int = 0) -> bytes:
    """The record of an event with the tag of the command that made it, and how the match stood before it.

    `pegs` is front | back << 8 of the event's side, before a new game 1 + the index of the side that has won, or 0;
    `game` is its rev << 3 | the dealer's place.
    """
    kind, side, a, b, c = event
    first = kind << 3 | side
    if kind == NEW:
        b |= pegs << SETUP_BITS
    elif kind != RESTORE:
        c = game & 255
        if kind < FALSE:
            first |= (b >> 2 & 1) << 7
            a |= (b & 3) << 6
        if kind <= FALSE:
            b = pegs
    return _seal(pack("<BHBHBHB", first, rev & 0xFFFF, a, b, c, session, last_id))


def event_of(record: bytes) -> tuple[int, ...]:
    """The event (kind, side, a, b, c) of a record."""
    first, a, b, c = record[0], record[3], u16(record, 4), 0
    kind = first >> 3 & 15
    if kind == RESTORE:
        return (RESTORE, 0, 0, 0, 0)
    if kind == NEW:
        b &= (1 << SETUP_BITS) - 1
        c = record[6]
    elif PEG <= kind < FALSE:
        b = a >> 6 | first >> 7 << 2
        a &= 63
    elif kind == FALSE:
        b = 0
    return (kind, first & 7, a, b, c)


def snapshot_records(header: tuple[int, ...], packed: bytes, tag: tuple[int, ...], copy: bool = False) -> list[bytes]:
    """The records of a packed game: header = epoch, rev, game's rev, kind, events missing; tag = rev, session, id."""
    tag_rev, session, last_id = tag
    data = pack("<IIIBB", *header) + packed
    data += bytes(-len(data) % PART_BYTES)
    rev = header[1] & 0xFFFF
    kind = COPY if copy else PART
    records: list[bytes] = []
    for at in range(0, len(data), PART_BYTES):
        records.append(_seal(pack("<BHB", kind, rev, len(records)) + data[at : at + PART_BYTES]))
    first = COPY_ENDS if copy else RESTORE << 3
    records.append(_seal(pack("<BHBHBHB", first, rev, len(records), tag_rev & 0xFFFF, 0, session, last_id)))
    return records


def crc(record: bytes) -> int:
    """The CRC that a record with this body has."""
    return (crc32(record[:BODY], VERSION) & 0xFFFF) % 0xFFFF


def _seal(body: bytes) -> bytes:
    right = (crc32(body, VERSION) & 0xFFFF) % 0xFFFF
    return body + bytes((right & 255, right >> 8))


class Sector:
    """What is written when the journal is erased: a snapshot and the newest of what undo can take back.

    One assignment writes all of it but the snapshot's last record, which follows alone: with that record it counts.
    The board finds the records in one step, lays them out in another, and writes in a third.
    """

    def __init__(self, journal: Journal, match: Match, most: int = KEPT) -> None:
        self.rev = match.rev
        self.image = bytearray()
        self._journal = journal
        self._match = match
        self._next = 0
        self._closing = 0
        self._end = b""
        self._kept = array("H")
        game = match.play
        records: list[bytes] = []
        depth = game.depth
        least = depth - min(depth, most, journal.slots - 2 * SNAPSHOT_SLOTS)
        at = len(journal._kept)
        while depth > least and at:
            at -= 1
            record = journal._get(journal._kept[at])
            if u16(record, 1) == game.entry(depth - 1)[1] & 0xFFFF:
                records.append(record)
                depth -= 1
        records.reverse()
        self._records = records if depth == least else []  # when one has gone the state counts, not the way there

    def lay_out(self, wrong: list[int]) -> None:
        """Make the image, without the slots that do not take what is written."""
        journal, game, depth = self._journal, self._match.play, len(self._records)
        trimmed = game.trimmed or depth < game.depth
        size = journal._at(journal.slots)
        self.image = image = bytearray(size)  # no other block of RAM is as large
        blank = b"\xff" * PAGE
        for at in range(0, size, PAGE):
            image[at : at + PAGE] = blank
        self._next = 0
        snapshot = journal._snapshot(self._match, game.depth - depth if depth else -1, trimmed)
        self._end = snapshot.pop()
        self._lay(snapshot, wrong)
        self._closing = self._lay([BLANK], wrong)[0]
        if journal.slots >= LEAST_FOR_COPY:
            self._next += -self._next % PAGE_SLOTS
            self._lay(journal._snapshot(self._match, -1, trimmed, True), wrong)
            self._next += -self._next % PAGE_SLOTS
        self._kept = self._lay(self._records, wrong)

    def write(self, wrong: list[int]) -> bool:
        """Erase and write; returns whether all of it is there, else adds to `wrong` the slots that did not take it."""
        journal, image = self._journal, self.image
        if self._next > journal.slots:
            return False
        journal._mended = {}
        journal._nvm[0 : len(image)] = image
        count = len(wrong)
        for page in range(0, self._next, PAGE_SLOTS):
            at = journal._at(page)
            if journal._nvm[at : at + PAGE] != image[at : at + PAGE]:
                for slot in range(page, min(page + PAGE_SLOTS, self._next)):
                    at = journal._at(slot)
                    record = image[at : at + SLOT]
                    if record != BLANK and journal._get(slot) != record:
                        wrong.append(slot)
        if len(wrong) == count and not journal._put(self._closing, self._end):
            wrong.append(self._closing)
        if len(wrong) > count:
            return False
        self._match.play.trim(len(self._records))
        self._match.undone = self._match.earlier = None
        journal._begun(self.rev, self._match.play.rev, self._next, self._kept)
        return True

    def _lay(self, records: list[bytes], wrong: list[int]) -> array[int]:
        slots = array("H")
        slot = self._next
        most = self._journal.slots
        for record in records:
            while slot in wrong:
                slot += 1
            if slot < most:
                at = self._journal._at(slot)
                self.image[at : at + SLOT] = record
            slots.append(slot)
            slot += 1
        self._next = slot
        return slots
