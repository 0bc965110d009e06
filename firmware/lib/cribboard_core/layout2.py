"""The layout of journals before this one: no word in an event of how the match stood, a shorter header, no copy."""

from __future__ import annotations

from binascii import crc32

from cribboard_core.events import RESTORE
from cribboard_core.journal import MANY, Journal
from cribboard_core.match import Match
from cribboard_core.mount import Reading
from cribboard_core.records import BODY, PART, SLOT, crc, event_record, u16

VERSION = 0x43420002
HEADER = 13  # how many events are missing was not in it
NOT_SAID = 0xFFFF  # pegs that no record can have


def take_over(journal: Journal, match: Match, data: bytes) -> bool:
    """Fold an old journal, and begin it again in the present layout; returns whether all of it was there."""
    data = _translated(journal, data)
    old = Reading(journal, match, data, HEADER)
    if data and old.read() and not journal.lost:
        for slot in journal._kept:
            journal._mended[slot] = old.raw(slot)
        journal.roll(match)
        return True
    if not old.found:
        journal.missing = MANY
    return False


def _translated(journal: Journal, data: bytes) -> bytes:
    """The sector with its old records in the present layout; empty if it has no old ones."""
    found = bytearray(data)
    any_of_them = False
    for slot in range(journal.slots):
        at = journal._at(slot)
        record = data[at : at + SLOT]
        if (crc32(record[:BODY], VERSION) & 0xFFFF) % 0xFFFF != u16(record, BODY):
            continue
        any_of_them = True
        first = record[0]
        if first == PART or first >> 3 == RESTORE:
            found[at + BODY : at + SLOT] = crc(record).to_bytes(2, "little")
        else:
            event = (first >> 3, first & 7, record[3], u16(record, 4), record[6])
            rev, session = u16(record, 1), u16(record, 7)
            found[at : at + SLOT] = event_record(rev, event, session, record[9], NOT_SAID, NOT_SAID)
    return bytes(found) if any_of_them else b""
