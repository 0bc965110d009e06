"""The journal's records as bytes: 12 of them, sealed by a CRC of 2 bytes.

    event     kind<<3 | side, rev (2), a, b (2), c, session (2), id, CRC (2)
    part      14<<3, rev (2), part number, 6 bytes of a snapshot, CRC (2)

Numbers are little-endian. The CRC is the low half of a CRC-32 that starts from the version of this layout, never
0xFFFF; an event's is written last, so that no torn one has the right one by chance. The parts of a snapshot are a
header (epoch (4), rev (4), the game's rev (4), its kind) and a packed game; they count once an event of the kind
`restore`, with their number in a and the low half of the rev of its tag in b, follows them.
"""

from __future__ import annotations

from binascii import crc32
from struct import pack

from cribboard_core.events import RESTORE

SLOT = 12
PART = 14 << 3
BODY = 10  # bytes before the CRC
PART_BYTES = 6
HEADER = 13
TRIMMED = 128  # in the header's kind: undo ends at this snapshot, older events were let go
VERSION = 0x43420002
SNAPSHOT_SLOTS = 1 + (HEADER + 7 + 4 * 6 + PART_BYTES - 1) // PART_BYTES  # for six sides


def u16(data: bytes, at: int) -> int:
    """The 16-bit number there."""
    return data[at] | data[at + 1] << 8


def u32(data: bytes, at: int) -> int:
    """The 32-bit number there."""
    return u16(data, at) | u16(data, at + 2) << 16


def is_whole(record: bytes) -> bool:
    """Whether the record's CRC is right."""
    return _crc(record[:BODY]) == u16(record, BODY)


def event_record(rev: int, event: tuple[int, ...], session: int, last_id: int) -> bytes:
    """The record of an event with the tag of the command that made it."""
    kind, side, a, b, c = event
    return _seal(pack("<BHBHBHB", kind << 3 | side, rev & 0xFFFF, a, b, c, session, last_id))


def snapshot_records(header: tuple[int, ...], packed: bytes, tag: tuple[int, ...]) -> list[bytes]:
    """The records of a packed game: header = epoch, rev, the game's rev, its kind; tag = its rev, session and id."""
    epoch, rev, game_rev, kind = header
    tag_rev, session, last_id = tag
    data = pack("<IIIB", epoch, rev, game_rev, kind) + packed
    data += bytes(-len(data) % PART_BYTES)
    records: list[bytes] = []
    for at in range(0, len(data), PART_BYTES):
        records.append(_seal(pack("<BHB", PART, rev & 0xFFFF, len(records)) + data[at : at + PART_BYTES]))
    records.append(event_record(rev, (RESTORE, 0, len(records), tag_rev & 0xFFFF, 0), session, last_id))
    return records


def _seal(body: bytes) -> bytes:
    return body + pack("<H", _crc(body))


def _crc(body: bytes) -> int:
    return (crc32(body, VERSION) & 0xFFFF) % 0xFFFF
