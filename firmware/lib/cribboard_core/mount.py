"""Mounting a journal: what its sector holds is folded into the match; what cannot be read is mended, bridged or told.

An event has the number after the one before it. Where a number is missing, a record that cannot be read is tried with
each of its bits flipped: one that is then whole and has that number is the event. In the newest slot a record without
a CRC is torn and has not happened, and one whose CRC lacks nothing but bits that programming had not cleared yet has.

Behind events that stay missing the records say how the match stood, see `gap`. Until they have said it of all sides
the score may be another: then the match begins a new epoch as it is known, behind the records, which stay.
"""

from __future__ import annotations

from array import array

from cribboard_core.gap import MANY, let_go
from cribboard_core.journal import PAGE_SLOTS, TRIES, Journal, JournalError
from cribboard_core.match import Match
from cribboard_core.reading import Reading
from cribboard_core.records import HEADER


def mount(journal: Journal, match: Match, epoch: int) -> bool:
    """Fold what the sector holds into `match`; unless it is a whole journal, begin one with this epoch.

    Returns whether it was. The match keeps what it was handed when there is none.
    """
    data = bytes(journal._nvm[0 : journal._at(journal.slots)])
    reading = Reading(journal, match, data, HEADER)
    found = reading.read()
    if found and not journal.lost:
        _settle(journal, reading)
        return True
    if not found and data != b"\xff" * len(data):
        from cribboard_core import layout2

        data = layout2.translated(journal, data)
        old = Reading(journal, match, data, layout2.HEADER)
        if data and old.read() and not journal.lost:
            for slot in journal._kept:
                journal._mended[slot] = old.raw(slot)
            journal.roll(match)
            return True
        if not old.found:
            journal.missing = MANY
        journal.lost = True
    journal.epoch = epoch
    if not found or not _begin_behind(journal, match):
        journal._begin(match, [])
    return False


def _settle(journal: Journal, reading: Reading) -> None:
    """After a journal that is whole: write again what was mended last, leave a page that must not be written."""
    newest = journal._kept[-1] if len(journal._kept) else -1
    if journal.torn or newest in journal._mended:
        journal._next += -journal._next % PAGE_SLOTS  # up to the end: then the next event erases
    elif journal._newest == reading.first:
        journal._leave_page()
    if newest in journal._mended and journal.free > TRIES:
        try:
            journal._kept[-1] = journal._write(journal._mended[newest])
        except JournalError:
            pass  # it is still read as it is


def _begin_behind(journal: Journal, match: Match) -> bool:
    """Begin a new epoch behind the records, where there is room; they stay as evidence."""
    let_go(match)
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
