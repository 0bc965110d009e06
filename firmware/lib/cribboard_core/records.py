"""The journal's records, as bytes and in their sector. A record is 12 bytes, sealed by a CRC of 2.

    event     kind<<3 | side, rev (2), a, b (2), c, session (2), id, CRC (2)
    part      14<<3, rev (2), part number, 6 bytes of a snapshot, CRC (2); 15<<3 in the snapshot's copy

Numbers are little-endian. The CRC is the low half of a CRC-32 that starts from the version of this layout, never
0xFFFF; an event's is written last, so that no torn one has the right one by chance. The parts of a snapshot are a
header (epoch (4), rev (4), the game's rev (4), its kind, events missing), a packed game, hosts; they count once a
`restore` (copy: 15<<3 | 1) follows them, with their number in a, the low half of its tag's rev in b, and in c
1 + how many events lead on to that rev, or 0 (not known).

An event says how the match stood before it, so that the score is known again behind events that cannot be read. The
points leave two bits of a free and the kind one bit of the first byte: b's three bits go there, and the pegs of the
side, front then back, into b. In c there are five bits of the game's rev and the dealer's place. A new game needs c for
itself; its b has above eleven bits who has won the game before: 0, or 1 + the index of that side.
"""

from __future__ import annotations

from array import array
from binascii import crc32
from struct import pack

from cribboard_core.events import FALSE, NEW, PEG, RESTORE, Refused

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cribboard_core.match import Match

    Row = tuple[int, tuple[int, ...], int, int, int]

SLOT = 12
PAGE = 256
PAGE_SLOTS = PAGE // SLOT
BLANK = b"\xff" * SLOT
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


def place(slot: int) -> int:
    """Where a slot's bytes begin."""
    return slot // PAGE_SLOTS * PAGE + slot % PAGE_SLOTS * SLOT


def u16(data: bytes, at: int) -> int:
    """The 16-bit number there."""
    return data[at] | data[at + 1] << 8


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


def snapshot_records(
    header: tuple[int, ...], packed: bytes, tag: tuple[int, ...], copy: bool = False, way: int = 0
) -> list[bytes]:
    """The records of a packed game: header = epoch, rev, game's rev, kind, events missing; tag = rev, session, id."""
    data = pack("<IIIBB", *header) + packed
    data += bytes(-len(data) % PART_BYTES)
    rev = header[1] & 0xFFFF
    kind = COPY if copy else PART
    records: list[bytes] = []
    for at in range(0, len(data), PART_BYTES):
        records.append(_seal(pack("<BHB", kind, rev, len(records)) + data[at : at + PART_BYTES]))
    first = COPY_ENDS if copy else RESTORE << 3
    records.append(_seal(pack("<BHBHBHB", first, rev, len(records), tag[0] & 0xFFFF, way, *tag[1:])))
    return records


def crc(record: bytes) -> int:
    """The CRC that a record with this body has."""
    return (crc32(record[:BODY], VERSION) & 0xFFFF) % 0xFFFF


def _seal(body: bytes) -> bytes:
    return body + pack("<H", crc(body))


class JournalError(Refused):
    """The flash does not take a record any more."""

    def __init__(self, text: str) -> None:
        super().__init__("journal", text)


class Log:
    """The records in a sector, and what they say: a reading finds a log, and the journal goes on with it.

    The sector is divided into slots of 12 bytes, none across a page of 256; the last four bytes of a page are for
    others. Writing onto bytes that are all 0xFF programs them, anything else erases the sector.

    `torn`: the newest record was not written to its end, or reads so; `lost`: the match may not stand as it did;
    `missing`: so many events cannot be read, MANY for more.
    """

    def __init__(self, nvm: bytearray) -> None:
        self.nvm = nvm
        self.slots = min(len(nvm), 4096) // PAGE * PAGE_SLOTS
        self.next = 0  # the slot behind those in use
        self.mended: dict[int, bytes] = {}  # what stands in slots with a wrong bit
        self.kept = array("H")  # the slots of valid events, in order
        self.newest = 0  # the highest rev, which completes 16-bit ones
        self._games: list[tuple[int, int]] = []  # (from which rev on, the game)
        self.epoch = self.session = self.last_id = self.missing = 0
        self.last_rev = 0  # the rev that the newest tagged command made
        self.hosts, self.begun = b"", 0  # and the snapshot's rev
        self.torn = self.lost = False

    def get(self, slot: int) -> bytes:
        """What stands in a slot, mended."""
        if slot in self.mended:
            return self.mended[slot]
        at = place(slot)
        return bytes(self.nvm[at : at + SLOT])

    def put(self, slot: int, record: bytes) -> bool:
        """Write a record; returns whether it reads back."""
        at = place(slot)
        if self.get(slot) != BLANK:
            return False  # writing here would erase all
        body = SLOT if record[0] in (PART, COPY) else BODY  # a part may be torn, since it counts with its group
        self.nvm[at : at + body] = record[:body]
        if body < SLOT and self.get(slot)[:BODY] == record[:BODY]:
            self.nvm[at + BODY : at + SLOT] = record[BODY:]
        return self.get(slot) == record

    def append(self, record: bytes) -> int:
        """Write a record into the next slot that takes it; returns which, or raises JournalError."""
        for _ in range(TRIES):
            if self.next >= self.slots:
                break
            self.next += 1
            if self.put(self.next - 1, record):
                return self.next - 1
        raise JournalError("the flash did not take a record in slot %d" % self.next)

    def leave_page(self) -> None:
        """Go on with the next page, if there is one."""
        after = self.next + -self.next % PAGE_SLOTS
        if after < self.slots:  # the smallest have one page
            self.next = after

    def begin(self, rev: int, game: int, kept: array[int]) -> None:
        """There is a snapshot of this rev and game, and events in these slots."""
        self.newest = rev
        self._games = [(0, game)]
        self.kept = kept

    def tag(self, rev: int, session: int, last_id: int, game: int) -> None:
        """Note an event's rev, its command's tag, and the game after it."""
        self.newest = max(self.newest, rev)
        if self._games[-1][1] != game:
            self._games.append((rev, game))
        if session and rev >= self.last_rev:  # else the snapshot has a later one
            self.session, self.last_id, self.last_rev = session, last_id, rev

    def rev(self, record: bytes) -> int:
        """The rev of a record, which has 16 bits of it."""
        delta = (u16(record, 1) - self.newest) & 0xFFFF
        return self.newest + (delta if delta < 0x8000 else delta - 0x10000)

    def row(self, slot: int) -> Row:
        """The (rev, event, session, id, game) in a slot; the game is the rev that began it."""
        record = self.get(slot)
        rev = self.rev(record)
        game = [game for first, game in self._games if rev >= first][-1]
        return rev, event_of(record), u16(record, 7), record[9], game

    def snapshot(self, match: Match, way: int, trimmed: bool, copy: bool = False) -> list[bytes]:
        """The records of the game as it was so many events ago."""
        game = match.play
        header = self.epoch, match.rev, game.rev, game.kind | TRIMMED * trimmed, self.missing
        tag = self.last_rev, self.session, self.last_id
        packed = game.pack(game.depth - way if way else -1)
        return snapshot_records(header, packed + self.hosts, tag, copy, way + 1)
