"""What a board's answers say: hello, the standing of the match, an event. Whatever does not fit is a WrongBoard."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import NamedTuple, Self, TypeGuard

from cribboard.errors import InBringUp, WrongBoard
from cribboard.json_types import Json
from cribboard_core.events import KINDS, Refused, check_setup, seats_of
from cribboard_core.game import NOBODY
from cribboard_core.match import Match
from cribboard_core.wire import PROTOCOL

SAME_VERSION = "install the firmware and the program in the same version"
OLDER_BOARD = "run `cribboard install` to give it this program's firmware"
UPDATE = "update it with `cribboard update`, then cut the board's power and switch it on again"
NEWER_BOARD = "install a newer cribboard on this computer"


@dataclass(frozen=True)
class Hello:
    """Who the board is."""

    version: str
    uid: str
    epoch: int
    session: int
    last_id: int
    tracks: int
    leds: int
    buttons: int
    flags: int
    missing: int  # events of the journal that cannot be read any more
    can: str  # words for what was added to the protocol since it began

    @property
    def promise(self) -> bool:
        """Whether a power cut on this chip loses nothing."""
        return bool(self.flags & 1)

    @property
    def brown_out(self) -> bool:
        """Whether the board's last start came after a dip of its supply, on chips that can tell."""
        return bool(self.flags & 2)

    @property
    def bitten(self) -> bool:
        """Whether the board's last start was its watchdog's doing."""
        return bool(self.flags & 4)

    @property
    def torn(self) -> bool:
        """Whether the board's last start met an event that a power cut had torn."""
        return bool(self.flags & 8)

    def after(self, session: int, number: int) -> Hello:
        """As it would say hello after the command of this tag."""
        return replace(self, session=session, last_id=number)

    @classmethod
    def read(cls, answer: list[Json]) -> Hello:
        """From the answer to hello; items at its end and words that are not known yet are passed over."""
        refused = answer[0] == "no"
        if refused and answer[3] == "op":
            raise InBringUp
        named = re.search(r"protocol (\d+)$", str(answer[-1])) if refused else None
        theirs = int(named[1]) if named else None if refused or len(answer) < 3 else answer[2]
        if type(theirs) is int and theirs < PROTOCOL:
            raise WrongBoard(
                f"the board's firmware is older than this program: protocol {theirs}, not {PROTOCOL}", OLDER_BOARD
            )
        if theirs != PROTOCOL:
            raise WrongBoard(f"the board's firmware is newer than this program: {answer[-1]}", NEWER_BOARD)
        values, (missing, can) = answer[3:12], (*answer[12:], None, None)[:2]
        texts, numbers, missed = values[:2], values[2:], [missing]
        if len(values) != 9 or not all(isinstance(text, str) for text in texts) or not _numbers(numbers):
            raise senseless(answer)
        version, uid = map(str, texts)
        if not 1 <= len(uid) <= 32 or not set(uid) <= set("0123456789abcdefABCDEF"):
            raise senseless(answer)
        if not _numbers(missed) or not isinstance(can, str):
            raise senseless(answer)
        epoch, session, last_id, tracks, leds, buttons, flags = numbers
        return cls(version, uid.lower(), epoch, session, last_id, tracks, leds, buttons, flags, missed[0], can)


@dataclass(frozen=True)
class Corrected:
    """A line whose points were corrected: its event's `rev`, what it `was`, its `points` now, and `by` whom."""

    rev: int
    was: int
    points: int
    by: str


@dataclass(frozen=True)
class Event:
    """One event, its number, and the tag of the command that made it (0 and 0: the buttons).

    Of one that was not heard itself, only how the board stood after it, the `kind` is 0. What a host knows of an event,
    and the board does not keep, makes no other event of it. `line` is what it has corrected.
    """

    rev: int
    kind: int = 0
    side: int = 0
    a: int = 0
    b: int = 0
    c: int = 0
    session: int = 0
    id: int = 0
    game: int = 0  # the rev that began the game that is on after it
    cards: str = field(default="", compare=False, kw_only=True)
    starter: str = field(default="", compare=False, kw_only=True)
    by: str = field(default="", compare=False, kw_only=True)
    text: str = field(default="", compare=False, kw_only=True)
    at: datetime | None = field(default=None, compare=False, kw_only=True)
    line: Corrected | None = field(default=None, compare=False, kw_only=True)

    @property
    def as_folded(self) -> tuple[int, ...]:
        """As the match folds it."""
        return (self.kind, self.side, self.a, self.b, self.c)

    def knowing(self, other: Event) -> Self:
        """The event with what is known of it where it was heard, too."""
        ats = [event.at for event in (self, other) if event.at is not None]
        return replace(
            self,
            cards=self.cards or other.cards,
            starter=self.starter or other.starter,
            by=self.by or other.by,
            text=self.text or other.text,
            at=min(ats, default=None),
            line=self.line or other.line,
        )

    def fields(self) -> list[int | str]:
        """[rev, "kind", side, a, b, c, session, id, game], as on the wire."""
        return [self.rev, KINDS[self.kind], *self.as_folded[1:], self.session, self.id, self.game]

    @classmethod
    def read(cls, fields: list[Json]) -> Event:
        """From [rev, "kind", side, a, b, c, session, id, game], which may have more items that are not known yet."""
        enough = isinstance(fields, list) and len(fields) >= 9
        kind, numbers = (fields[1], fields[:1] + fields[2:9]) if enough else (None, fields)
        if not isinstance(kind, str) or kind not in KINDS[1:] or not _numbers(numbers):
            raise senseless(fields)
        return cls(numbers[0], KINDS.index(kind), *numbers[1:])


BRIGHTNESSES = (10, 30, 60, 100)  # per cent
SOUNDS = ("off", "quiet", "on")
MOST_COMMIT_S = 10
SILENT = 3  # in place of a sound: none until one is chosen or the power goes


class Chosen(NamedTuple):
    """What outlasts the power beside the score, as it counts now."""

    brightness: int  # per cent
    sound: int  # of SOUNDS
    commit_s: int  # after which points from buttons are pegged without OK; 0 waits for OK
    kept: bool = True  # else it is forgotten if the power goes before the next game's first score

    @classmethod
    def read(cls, answer: list[Json]) -> Chosen:
        """From the answer to choose, which had no `kept` at first."""
        values = answer[2:6]
        if len(values) < 3 or not _numbers(values) or values[1] not in range(len(SOUNDS)):
            raise senseless(answer)
        brightness, sound, commit_s = values[:3]
        return cls(brightness, sound, commit_s, values[3:] != [0])


class Waiting(NamedTuple):
    """Points that wait in front of a side's peg, and whose they are: 0 is the buttons, else somebody at a host."""

    points: int
    owner: int


@dataclass(frozen=True)
class Standing:
    """The match at one rev, as a board reports it. Fronts, backs and games won are in the order of `sides`."""

    rev: int
    game: int
    target: int
    mask: int
    count: int
    dealer: int
    skunk: int
    double: int
    winner: int
    fronts: tuple[int, ...]
    backs: tuple[int, ...]
    won: tuple[int, ...]

    @property
    def seats(self) -> tuple[int, ...]:
        """The places that play."""
        return seats_of(self.mask)

    @property
    def sides(self) -> tuple[int, ...]:
        """The places that name the sides."""
        return self.seats[: self.count]

    def front(self, side: int) -> int:
        """A side's score."""
        return self.fronts[self.sides.index(side)]

    def same(self, other: Standing) -> bool:
        """Whether pegs, games and all else but the numbering of events agree."""
        return replace(self, rev=0, game=0) == replace(other, rev=0, game=0)

    def setup(self) -> tuple[int, ...]:
        """Target, seat mask, number of sides, dealer and skunk lines, as `restore` sends them."""
        return (self.target, self.mask, self.count, self.dealer, self.skunk, self.double)

    def pegs(self) -> str:
        """Front and back of each side in hex, as `restore` sends them."""
        return bytes(hole for pair in zip(self.fronts, self.backs, strict=True) for hole in pair).hex()

    def match(self) -> Match:
        """A match with this state and no past events."""
        match = Match(self.target, self.mask, self.count, self.dealer, (self.skunk, self.double))
        play = match.play
        play.now[:-2] = bytes.fromhex(self.pegs())
        play.now[-1] = self.sides.index(self.winner) if self.winner >= 0 else NOBODY
        play.won = [games - (side == self.winner) for side, games in zip(self.sides, self.won, strict=True)]
        play.rev = self.game
        match.rev = self.rev
        return match

    def fields(self) -> list[Json]:
        """As in the answer to state, without its first two items."""
        return [self.rev, self.game, *self.setup()[:4], self.skunk, self.double, self.winner, self.pegs(), [*self.won]]

    @classmethod
    def read(cls, fields: list[Json]) -> Standing:
        """From the answer to state, without its first two items."""
        if not isinstance(fields, list) or len(fields) != 11:
            raise senseless(fields)
        numbers, (winner, pegs, won) = fields[:8], fields[8:]
        if not _numbers(numbers) or not isinstance(winner, int) or not isinstance(pegs, str):
            raise senseless(fields)
        if not isinstance(won, list) or not _numbers(won):
            raise senseless(fields)
        rev, game, target, mask, count, dealer, skunk, double = numbers
        try:
            holes = bytes.fromhex(pegs)
            check_setup(target, mask, count, dealer, skunk, double)
        except (ValueError, Refused) as error:
            raise senseless(fields) from error
        fits = len(won) == count and len(holes) == 2 * count
        if not fits or (winner != -1 and winner not in seats_of(mask)[:count]):
            raise senseless(fields)
        fronts, backs = tuple(holes[0::2]), tuple(holes[1::2])
        if any(back > front or front > target for front, back in zip(fronts, backs, strict=True)):
            raise senseless(fields)
        setup = (target, mask, count, dealer, skunk, double)
        return cls(rev, game, *setup, winner, fronts, backs, tuple(won))

    @classmethod
    def of(cls, match: Match) -> Standing:
        """How a match stands."""
        sides = match.sides
        return cls(
            rev=match.rev,
            game=match.game,
            target=match.target,
            mask=match.play.mask,
            count=len(sides),
            dealer=match.dealer,
            skunk=match.skunk,
            double=match.double,
            winner=match.winner,
            fronts=tuple(match.front(side) for side in sides),
            backs=tuple(match.back(side) for side in sides),
            won=tuple(match.won(side) for side in sides),
        )


@dataclass(frozen=True)
class Known:
    """How a board stood when it was heard last, and its newest events as far as they were heard, the oldest first."""

    standing: Standing
    events: tuple[Event, ...] = ()

    def event(self, rev: int) -> Event | None:
        """The event of this number, None when it was not heard or is not among the newest."""
        return next((event for event in self.events if event.rev == rev), None)


def _numbers(values: list[Json]) -> TypeGuard[list[int]]:
    return all(type(value) is int and value >= 0 for value in values)


def is_plain(item: object) -> bool:
    """Whether this is all that a board says: lists of printable ASCII and of numbers of 32 bits, negative ones too."""
    if isinstance(item, list):
        return all(map(is_plain, item))
    if isinstance(item, str):
        return item.isascii() and item.isprintable()
    return type(item) is int and abs(item) <= 0xFFFFFFFF


def senseless(answer: object) -> WrongBoard:
    """The error for an answer that cannot be."""
    return WrongBoard(f"the board's answer {answer!r} makes no sense", SAME_VERSION)
