"""The journal: append-only records in a flash sector, each of which a power cut can lose but never change.

Programming rewrites its page, so those that a journal began with are not written again: one with a snapshot before the
events that undo can take back, one with how the match stands behind them. Later snapshots are states a host restored.
`mount` reads it all at power-on.
"""

from __future__ import annotations

from array import array

from cribboard_core.events import DEAL, FALSE, NEW, PEG, REDO, RESTORE, SET, UNDO
from cribboard_core.records import (
    BLANK,
    PAGE,
    PAGE_SLOTS,
    SLOT,
    SNAPSHOT_SLOTS,
    TRIES,
    JournalError,
    Log,
    event_record,
    place,
    snapshot_records,
    u16,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from cribboard_core.match import Match
    from cribboard_core.records import Row

LEAST_FOR_COPY = 8 * PAGE_SLOTS  # slots; a smaller memory keeps one snapshot
KEPT = 21  # events that undo can still take back when a game has filled the sector
BEFORE_FIRST_SCORE = 24  # slots for what may happen before a new game's first score
LONG_GAME = 112  # events; two players' games take about 65


class Sector:
    """What is written when the journal is erased: a snapshot and the newest of what undo can take back.

    One assignment writes all of it but the snapshot's last record, which follows alone: with that record it counts.
    The board finds the records in one step, lays them out in another, and writes in a third.
    """

    def __init__(self, log: Log, match: Match, most: int = KEPT) -> None:
        self.rev = match.rev
        self.image = bytearray()
        self._log = log
        self._match = match
        self._wrong: list[int] = []  # slots that do not take what is written
        self._next = self._closing = 0
        self._end = b""
        self._kept = array("H")
        game = match.play
        records: list[bytes] = []
        depth = game.depth
        least = depth - min(depth, most, log.slots - 2 * SNAPSHOT_SLOTS)
        for slot in reversed(log.kept):
            if depth <= least:
                break
            record = log.get(slot)
            if u16(record, 1) == game.entry(depth - 1)[1] & 0xFFFF:
                records.append(record)
                depth -= 1
        records.reverse()
        self._records = records if depth == least else []  # when one has gone the state counts, not the way there

    def lay_out(self) -> None:
        """Make the image."""
        log, game, depth = self._log, self._match.play, len(self._records)
        trimmed = game.trimmed or depth < game.depth
        size = place(log.slots)
        self.image = image = bytearray(size)  # no other block of RAM is as large
        blank = b"\xff" * PAGE
        for at in range(0, size, PAGE):
            image[at : at + PAGE] = blank
        self._next = 0
        snapshot = log.snapshot(self._match, depth, trimmed)
        self._end = snapshot.pop()
        self._lay(snapshot)
        self._closing = self._lay([BLANK])[0]
        if log.slots >= LEAST_FOR_COPY:
            self._next += -self._next % PAGE_SLOTS
            self._lay(log.snapshot(self._match, 0, trimmed, True))
            self._next += -self._next % PAGE_SLOTS
        self._kept = self._lay(self._records)

    def write(self) -> bool:
        """Erase and write; returns whether all of it is there, else it is laid out around what did not take it."""
        log, image = self._log, self.image
        if self._next > log.slots:
            return False
        log.mended = {}
        log.nvm[0 : len(image)] = image
        wrong: list[int] = []
        for page in range(0, self._next, PAGE_SLOTS):
            at = place(page)
            if log.nvm[at : at + PAGE] != image[at : at + PAGE]:
                for slot in range(page, page + PAGE_SLOTS):
                    at = place(slot)
                    record = image[at : at + SLOT]
                    if record != BLANK and log.get(slot) != record:
                        wrong.append(slot)
        if not wrong and not log.put(self._closing, self._end):
            wrong.append(self._closing)
        if wrong:
            self._wrong += wrong
            self.lay_out()
            return False
        self._match.play.trim(len(self._records))
        self._match.undone = self._match.earlier = None
        log.next = self._next
        log.leave_page()
        log.begin(self.rev, self._match.play.rev, self._kept)
        return True

    def _lay(self, records: list[bytes]) -> array[int]:
        slots = array("H")
        for record in records:
            while self._next in self._wrong:
                self._next += 1
            if self._next < self._log.slots:
                at = place(self._next)
                self.image[at : at + SLOT] = record
            slots.append(self._next)
            self._next += 1
        return slots


class Journal:
    """What a match writes into `nvm`, anything that is sliced and assigned like microcontroller.nvm."""

    def __init__(self, nvm: bytearray) -> None:
        self.log = Log(nvm)
        self._sector: Sector | None = None  # made ready for the next erase
        self._prepared = -1  # twice the rev at which that was looked into, and whether it was crowded
        self.crowded = False  # what shares the sector waits for an erase

    @property
    def free(self) -> int:
        """Slots that can still be written."""
        return self.log.slots - self.log.next

    def mount(self, match: Match, epoch: int) -> bool:
        """Go on with what the sector holds, folded into `match`: see `mount.mount`. Returns whether it is whole."""
        from cribboard_core.mount import mount  # needed at power-on only

        self.log, whole, blank = mount(self.log.nvm, match, epoch)
        if blank:
            self.roll(match, 0)
        return whole

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
        record = event_record(rev, event, session, last_id, pegs, play.rev << 3 | now[-2])
        log = self.log
        log.kept.append(log.append(record))
        log.tag(rev, session, last_id, game)
        return rev

    def append_restore(self, rev: int, packed: bytes, session: int, last_id: int) -> Iterator[None]:
        """Write a state that a host has given, some records at a time; it counts with the last one."""
        log = self.log
        records = snapshot_records((log.epoch, rev, rev, RESTORE, 0), packed + log.hosts, (rev, session, last_id))
        for number in range(len(records)):
            if number % 4 == 0:
                yield
            slot = log.append(records[number])
        log.kept.append(slot)
        log.tag(rev, session, last_id, rev)

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
            self._sector = Sector(self.log, match) if self.must_roll(match, PEG) else None
        elif self._sector and not self._sector.image:
            self._sector.lay_out()

    def roll(self, match: Match, most: int = KEPT) -> None:
        """Erase the sector and begin it again with a snapshot and at most so many events that undo can take back."""
        sector, self._sector = self._sector, None
        if not sector or sector.rev != match.rev or most != KEPT:
            sector = Sector(self.log, match, most)
        if not sector.image:
            sector.lay_out()
        for _ in range(TRIES):
            if sector.write():
                return
        self.log.next = self.log.slots  # so the next event tries again
        raise JournalError("the flash did not take the beginning of a journal")

    def records(self, after_rev: int) -> Iterator[Row]:
        """What is kept after a rev, oldest first: see `Log.row`."""
        log, count = self.log, len(self.log.kept)
        for index in range(max(0, count - max(0, log.newest - after_rev)), count):
            row = log.row(log.kept[index])
            if row[0] > after_rev:
                yield row

    def oldest(self) -> int:
        """The rev of the oldest event kept, else of the next one."""
        for row in self.records(-1):
            return row[0]
        return self.log.newest + 1
