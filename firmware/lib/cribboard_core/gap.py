"""What is done where records of a journal cannot be read: one bit is mended, what is missing is bridged, or told.

Behind events that are missing the records say how the match stood. Until they have said it of all sides the score may
be another: then the match begins a new epoch as it is known, behind the records, which stay.
"""

from __future__ import annotations

from array import array

from cribboard_core.events import FALSE, NEW, PEG, SET, Refused, new_event
from cribboard_core.game import NOBODY
from cribboard_core.records import BODY, MANY, PAGE_SLOTS, SETUP_BITS, SLOT, TRIES, crc, u16

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cribboard_core.game import Game
    from cribboard_core.match import Match
    from cribboard_core.mount import Reading
    from cribboard_core.records import Log

MOST_BACK = 20  # holes that a side may go back in what is missing; else it was another game's beginning


def let_go(match: Match) -> None:
    """Undo ends here: what was before is not known."""
    match.earlier = match.undone = None
    match.play.trim(0)
    match.play.trimmed = True


def _bits(sides: tuple[int, ...]) -> int:
    return sum([1 << side for side in sides])


class Gap:
    """What is not known of a match since events are missing."""

    def __init__(self, log: Log, match: Match) -> None:
        self._log = log
        self._match = match
        self.after = -1  # the rev before the newest gap, -1 for none
        self.unknown = 0  # sides whose pegs are not known, a bit for each place
        self.unsure = False  # who plays, or the games won, are not known either
        self._hidden = 0  # events missing since a record has said which game is on
        self._leads = -1  # the game from which undo or redo may lead to another one that is not known

    @property
    def open(self) -> bool:
        """Whether the match may not stand as it did."""
        return self.unsure or self.unknown > 0

    def miss(self, events: int, restored: bool = False) -> None:
        """So many events are missing here; `restored`: one of them is a host's state."""
        self.unsure = self.unsure or restored
        self._log.missing = min(self._log.missing + events, MANY)
        self.after = self._log.newest
        self.unknown = _bits(self._match.sides)
        self._hidden += events
        if self._match.earlier or self._match.undone:
            self._leads = self._match.play.rev
        let_go(self._match)

    def begin(self, events: int, begun: Game | None) -> None:
        """So many events that undo could take back are missing; `begun`: how the match stood behind them, if known."""
        if begun:
            self._match.play = begun
            self._log.kept = array("H")
        self.miss(events or 1)
        self._hidden = 0  # they were of the game that the snapshot says
        if begun:
            self.unknown = 0

    def close(self) -> None:
        """A snapshot says all of the match; undo cannot go behind it."""
        if self.open or self._passed_over(self._match.earlier):
            let_go(self._match)
            self._leads = self._match.play.rev
        self.unknown = 0
        self.unsure = False

    def _passed_over(self, game: Game | None) -> bool:
        """Whether undo of the next game leads to the one before this, which is not known."""
        return game is not None and game.rev == self._leads and not max(game.now[:-2])

    def end(self) -> None:
        """End undo here."""
        let_go(self._match)

    def lose(self, by_number: bool) -> None:
        """An event cannot be, since it names one that is missing, or is of a game whose beginning is."""
        self.unknown = _bits(self._match.sides)
        self.unsure = self.unsure or not by_number

    def bridge(self, rev: int, event: tuple[int, ...], record: bytes) -> bool:
        """Put the match as it stood before an event, as far as its record says; returns whether undo ends behind it."""
        match = self._match
        kind, side = event[0], event[1]
        if kind == NEW and (self.unknown or self._passed_over(match.play)):
            if self.unknown:
                self._end(u16(record, 4) >> SETUP_BITS)
            self._leads = rev
            return True
        if not self.unknown:
            return False
        number, dealer = record[6] >> 3, record[6] & 7
        # A record has five bits of the rev that began its game: the newest rev with these bits is meant. If that lies
        # in the gap, another game than the one that is known has begun there, else one from before it is on again.
        begun = rev - 1 - ((rev - 1 - number) & 31)
        if match.play.rev & 31 != number:
            self.unsure = True
            if begun > self.after:
                play = match.play
                sides = len(play.sides)
                match.apply(begun, new_event(play.target, play.mask, sides, play.seats[0], play.skunk, play.double))
        self._hidden = 0
        now = match.play.now
        if dealer in match.seats:
            now[-2] = dealer
        front, back = record[4], record[5]
        if side not in match.sides or not (kind == SET or (PEG <= kind <= FALSE and back <= front <= match.target)):
            return False
        if kind != SET:
            i = match.index(side)
            self.unsure = self.unsure or front + MOST_BACK < now[2 * i]
            now[2 * i] = front
            now[2 * i + 1] = back
            now[-1] = i if front == match.target else NOBODY
            for other in range(0, 2 * len(match.sides), 2):
                if other != 2 * i and now[other] == match.target:  # taken back, and that is missing: the game goes on
                    now[other] = now[other + 1] = min(now[other + 1], match.target - 1)
        self.unknown &= ~(1 << side)
        let_go(self._match)
        return kind == SET  # how the side stood before it is not known

    def _end(self, won: int) -> None:
        """End a game whose pegs are not known: a new game's record says who has won, 1 + the index, 0 for nobody."""
        now = self._match.play.now
        winner = won - 1 if 0 < won <= len(self._match.sides) else NOBODY
        # Where a win and a new game are missing, or undo of one, that is another game's winner.
        most = 1 if winner == now[-1] else 2 if now[-1] == NOBODY else 0
        self.unsure = self.unsure or self._hidden > most or self._match.play.rev == self._leads
        now[-1] = winner
        self.unknown = 0


def begin_behind(log: Log, match: Match) -> bool:
    """Begin a new epoch behind the records, where there is room; they stay as evidence."""
    let_go(match)
    try:
        # Each on pages of its own: programming rewrites a page, so a cut could ruin the evidence that shares it.
        for copy in (False, True):
            log.leave_page()
            if log.next % PAGE_SLOTS or log.slots - log.next < PAGE_SLOTS:
                return False
            for record in log.snapshot(match, 0, True, copy):
                log.append(record)
    except Refused:
        return False
    log.leave_page()
    log.begin(match.rev, match.play.rev, array("H"))
    return True


def mended(record: bytes) -> bytes:
    """The record with its wrong bit put right; empty if no single bit makes the CRC right. At most one does."""
    # Not two bits: one of the 4,560 pairs makes a CRC of 16 bits right by chance in 7 records of 100.
    for bit in range(8 * SLOT):
        flipped = bytearray(record)
        flipped[bit >> 3] ^= 1 << (bit & 7)
        whole = bytes(flipped)
        if crc(whole) == u16(whole, BODY):
            return whole
    return b""


def write_again(log: Log) -> None:
    """Write the newest event, which was mended, once more."""
    kept = log.kept
    if log.slots - log.next > TRIES:
        try:
            kept[-1] = log.append(log.mended[kept[-1]])
        except Refused:
            pass  # it is still read as it is


def read_end(reading: Reading) -> None:
    """Take what can be taken of the slots behind the last whole record; a cut leaves one of a page."""
    log, unread, wrong = reading.log, reading.unread, reading.wrong
    pages = [slot // PAGE_SLOTS for slot in unread]
    left: list[int] = []
    for slot in unread:
        record, page = log.get(slot), slot // PAGE_SLOTS
        stored, right = u16(record, BODY), crc(record)
        flipped = reading.mended(slot)
        if stored & right == right and wrong.count(page) == 1:  # else the page's fault may be in the body, too
            record = record[:BODY] + bytes([right & 255, right >> 8])  # had its CRC been written to the end
        else:
            record = flipped
        alone = stored != 0xFFFF and pages.count(page) == 1  # neither torn nor of a ruined page
        if alone and reading.mend(slot, record, log.newest + 2):
            log.torn = record != flipped  # else one bit explains all
        else:
            left.append(page)
    log.torn = log.torn or (log.next - 1) // PAGE_SLOTS in left
    several = [page for page in left if left.count(page) > 1]
    if several:
        gap = reading.missed()
        gap.miss(max(len(several) - reading.have_begun(), 0))
        gap.unsure = True  # they may have been events after the snapshot's rev
