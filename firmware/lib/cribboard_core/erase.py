"""Erasing the journal: the sector begins again with a snapshot and the newest of what undo can take back.

One assignment writes all of it but the snapshot's last record, then this one follows alone: with it all counts.
"""

from __future__ import annotations

from array import array

from cribboard_core.records import BLANK, PAGE, PAGE_SLOTS, SLOT, SNAPSHOT_SLOTS, u16

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cribboard_core.journal import Journal
    from cribboard_core.match import Match

BLANK_PAGE = b"\xff" * PAGE
LEAST_FOR_COPY = 8 * PAGE_SLOTS  # slots; a smaller memory keeps one snapshot
KEPT = 21  # events that undo can still take back when a game has filled the sector


class Sector:
    """What is to be written. Its two parts, finding and laying out the records, can be done in steps of their own."""

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
        for at in range(0, size, PAGE):
            image[at : at + PAGE] = BLANK_PAGE
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
        found = len(wrong)
        for page in range(0, self._next, PAGE_SLOTS):
            at = journal._at(page)
            if journal._nvm[at : at + PAGE] != image[at : at + PAGE]:
                for slot in range(page, min(page + PAGE_SLOTS, self._next)):
                    at = journal._at(slot)
                    record = image[at : at + SLOT]
                    if record != BLANK and journal._get(slot) != record:
                        wrong.append(slot)
        if len(wrong) == found and not journal._put(self._closing, self._end):
            wrong.append(self._closing)
        if len(wrong) > found:
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
                at = slot // PAGE_SLOTS * PAGE + slot % PAGE_SLOTS * SLOT
                self.image[at : at + SLOT] = record
            slots.append(slot)
            slot += 1
        self._next = slot
        return slots
