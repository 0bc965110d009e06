"""Who is at each table: the phones that have joined, that wait at a locked table, that were sent away."""

from __future__ import annotations

import json
import re
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal, TypedDict, cast, get_args

from cribboard.errors import ArgumentError, CribboardError
from cribboard.files import from_json
from cribboard.json_types import Json
from cribboard.names import check_name, check_person, key
from cribboard.slots import Slots
from cribboard.store.read import moment
from cribboard.typed import (
    DAMAGE,
    WORD,
    Unfit,
    as_field,
    as_list_of,
    as_named,
    as_object,
    as_real,
    as_string,
    as_whole,
    optional,
    placed,
)
from cribboard.web.limits import Clock, Tries
from cribboard.web.problem import Problem
from cribboard_core.cards import quote
from cribboard_core.events import PLACES

NAME = "kiosk-phones.json"
ROOM = 65536  # bytes, for 400 phones
EVENING_S = 18 * 3600  # an evening, and the way to the next day's
KNOCK_S = 600.0  # so long a newcomer waits at a locked table
MOST_PHONES, MOST_WAITING, MOST_REMOVED = 250, 8, 1000  # at a table, at a table, in the house
KNOCKS, KNOCKS_S = 5, 300.0  # of one address
NAMINGS, NAMINGS_S = 20, 300.0  # of one phone, its side included
RESERVED = re.compile(r"(phone|staff)(?![^\W\d_])")  # what phones without a name, and staff, are called
LATEST = 32503680000  # the year 3000, in seconds of Unix's time

NIGHT_TABLE = 0  # of phones that have joined an evening of people and no table

State = Literal["seated", "waiting", "removed"]


class PhoneEntry(TypedDict):
    """A phone at a table; `side` is 0 for the whole table, `by` is its name in the history."""

    phone: int
    name: str
    by: str
    side: int | None
    since: str
    waits: bool
    open: bool
    own: bool


class LockedEntry(TypedDict):
    """Who has locked a table."""

    by: str


class PhonesEntry(TypedDict):
    """The phones at a table, and its lock."""

    board: int
    locked: LockedEntry | None
    phones: list[PhoneEntry]


@dataclass(frozen=True)
class Phone:
    """A phone with a badge. `side` is the one that it keeps score for, 0 for the whole table; times are Unix times."""

    number: int
    table: int
    uid: str  # of the table's board; a number that is free may be given to another
    since: float
    state: State = "seated"
    name: str = ""
    side: int | None = None

    @property
    def label(self) -> str:
        """The phone's name, or its number in words."""
        return self.name or f"Phone {self.number}"

    @property
    def by(self) -> str:
        """Who it was in the history: the name, and the number, so that nobody passes for another."""
        return f"{self.name} (phone {self.number})" if self.name else f"phone {self.number}"


@dataclass(frozen=True)
class Lock:
    """A table's lock. `seated` are the phones that had joined before it, `by` who locked it, 0 for staff."""

    since: float
    seated: tuple[int, ...]
    by: int


@dataclass(frozen=True)
class Register:
    """The file's content: phones by number, locks by the board's uid."""

    phones: Mapping[int, Phone] = field(default_factory=dict)
    locks: Mapping[str, Lock] = field(default_factory=dict)

    def at(self, uid: str, state: State = "seated") -> list[Phone]:
        """The phones of a table with this state, in the order in which they came."""
        return [phone for phone in self.phones.values() if phone.uid == uid and phone.state == state]

    def put(self, phone: Phone) -> Register:
        """The content with this phone added or replaced."""
        return replace(self, phones={**self.phones, phone.number: phone})

    def without(self, number: int) -> Register:
        """The content without this phone, also in the locks."""
        phones = {one: phone for one, phone in self.phones.items() if one != number}
        locks = {uid: replace(lock, seated=_others(lock.seated, number)) for uid, lock in self.locks.items()}
        return Register(phones, locks)


class Phones:
    """The register of phones and its file. It decides what a badge may do: no cookie outlives its entry.

    `uid` gives the board of a table. `on_change` is called with the tables whose phones or lock have changed, in any
    thread; `open` counts the pages that each phone has open. Ages go by `clock`, which nobody sets; what is shown and
    kept goes by that on the `wall`, by default the same.
    """

    def __init__(
        self, folder: Path, uid: Callable[[int], str], clock: Clock = time.time, wall: Clock | None = None
    ) -> None:
        self._path = folder / NAME
        self.slots = Slots(self._path, ROOM)
        self._uid = uid
        self._clock = clock
        self._wall = wall or clock
        self._lock = threading.Lock()
        self._knocks = Tries(KNOCKS, KNOCKS_S)
        self._namings = Tries(NAMINGS, NAMINGS_S)
        stored = self._read()
        self._kept = self._tidy(stored or Register())
        if stored is None:
            self.slots.keep(json.dumps(_as_json(self._kept, 0.0)))
        self.on_change: Callable[[set[int]], None] = lambda tables: None
        self.open: Counter[int] = Counter()

    def knows(self, number: int) -> bool:
        """Whether a phone with this number has joined, waits, or was removed."""
        return number in self._kept.phones

    def find(self, number: int) -> Phone | None:
        """The phone with a number, while its evening lasts and its table has the same board; else None."""
        phone = self._kept.phones.get(number)
        if phone is None or not self._lasts(phone) or phone.uid != self._uid(phone.table):
            return None
        return phone

    def called(self, by: str) -> str:
        """Who it was in the history, for a `Visitor.by`: a phone that has given its name has it beside its number."""
        return next((phone.by for phone in self._kept.phones.values() if f"phone {phone.number}" == by), by)

    def is_alone(self, by: str, own: int) -> bool:
        """Whether at the table of a phone, by its `Visitor.by`, no other page is open than those of the side `own`."""
        phones = self._kept.phones.values()
        table = next((phone.table for phone in phones if f"phone {phone.number}" == by), None)
        others = [] if table is None else [phone for phone in self.at(table) if f"phone {phone.number}" != by]
        return not any(
            phone.state == "seated" and self.open[phone.number] and (own < 0 or phone.side != own + 1)
            for phone in others
        )

    def at(self, table: int) -> list[Phone]:
        """The phones that have joined a table, then those that wait there."""
        kept, uid = self._kept, self._uid(table)
        return [phone for phone in [*kept.at(uid), *kept.at(uid, "waiting")] if self._lasts(phone)]

    def lock_of(self, table: int) -> Lock | None:
        """A table's lock; None if it is open."""
        return self._kept.locks.get(self._uid(table))

    def hosts(self, number: int, table: int) -> bool:
        """Whether a phone may let newcomers in: it was seated before the lock, and still is."""
        lock, phone = self.lock_of(table), self.find(number)
        here = phone is not None and phone.state == "seated" and phone.table == table
        return here and lock is not None and number in lock.seated

    def join(self, number: int, table: int, client: str, *, staff: bool = False) -> Phone:
        """Seat a phone; at a locked table it waits, unless it was seated before or is staff's."""
        return self._change(self._joined(number, table, client, staff=staff)).phones[number]

    def call_to(self, number: int, table: int, name: str, side: int) -> None:
        """Seat a phone at another table, past its lock, for the side and by the name of the player that it is of."""
        joined = self._joined(number, table, "", staff=True)

        def called(kept: Register) -> Register:
            kept = joined(kept)
            phone = kept.phones[number]
            with suppress(Problem):  # somebody at the table may have that name; the night's is the entrant's anyway
                phone = replace(phone, name=self._checked(kept, phone, name))
            return kept.put(replace(phone, side=side))

        self._change(called)

    def _joined(self, number: int, table: int, client: str, *, staff: bool) -> Callable[[Register], Register]:
        """What joining a table makes of the file's content."""
        uid = self._uid(table)

        def joined(kept: Register) -> Register:
            before, lock = kept.phones.get(number), kept.locks.get(uid)
            if before is not None and before.state == "removed":
                raise Problem(403, "removed", "this phone was removed for this evening", "ask the staff")
            here = before if before is not None and before.uid == uid else None
            if here is not None and here.state == "seated":
                return kept
            if lock is not None and not staff and number not in lock.seated:
                if here is not None:
                    return kept
                self._check_knock(kept, uid, client)
                return kept.put(Phone(number, table, uid, self._clock(), "waiting"))
            kept = self._with_room(kept, uid)
            return kept.put(replace(here or Phone(number, table, uid, 0), since=self._clock(), state="seated"))

        return joined

    def admit(self, number: int, table: int) -> None:
        """Seat a phone that waits."""

        def admitted(kept: Register) -> Register:
            waits = self._there(kept, number, table, "waiting")
            return self._with_room(kept, waits.uid).put(replace(waits, since=self._clock(), state="seated"))

        self._change(admitted)

    def turn_away(self, number: int, table: int) -> None:
        """Turn away a waiting phone; it may come again."""

        def turned_away(kept: Register) -> Register:
            self._there(kept, number, table, "waiting")
            return kept.without(number)

        self._change(turned_away)

    def remove(self, number: int, table: int) -> None:
        """Remove a phone for the evening: with this badge it joins no table of the house."""

        def removed(kept: Register) -> Register:
            phone = self._there(kept, number, table, "seated", "waiting")
            return kept.without(number).put(replace(phone, state="removed", since=self._clock(), name=""))

        self._change(removed)

    def leave(self, number: int) -> None:
        """Remove a phone that leaves by itself; one that staff removed stays removed."""
        self._change(lambda kept: kept.without(number) if self._is_here(kept, number) else kept)

    def send_away(self) -> None:
        """Make every phone join again; removed ones stay removed, and staff's locks stay."""
        self._change(
            lambda kept: Register(
                {number: phone for number, phone in kept.phones.items() if phone.state == "removed"},
                {uid: replace(lock, seated=()) for uid, lock in kept.locks.items()},
            )
        )

    def introduce(self, number: int, said: Mapping[str, object]) -> None:
        """Set a phone's name and side; raises Problem for invalid ones."""
        if not said or set(said) - {"name", "side"}:
            raise Problem(400, "phone", "there is nothing to change", "send its name, its side, or both")
        side = said.get("side")
        if side is not None and (type(side) is not int or not 0 <= side <= PLACES):
            raise Problem(400, "side", f"a side is a number from 0 to {PLACES}", "0 is the whole table")
        wait = self._namings.wait(str(number))
        if wait:
            raise Problem.later(wait, "often", "this phone has changed its name or side too often")
        self._namings.begin(str(number))

        def named(kept: Register) -> Register:
            phone = kept.phones[number]
            name = self._checked(kept, phone, said["name"]) if "name" in said else phone.name
            return kept.put(replace(phone, name=name, side=side if "side" in said else phone.side))

        self._change(lambda kept: named(kept) if self._is_here(kept, number) else kept)

    def call(self, before: list[str], after: str) -> None:
        """Rename the phones that have one of a player's names; remove the name if `after` is empty."""
        gone = {key(name) for name in before}
        self._change(
            lambda kept: replace(
                kept,
                phones={
                    number: replace(phone, name=after) if key(phone.name) in gone else phone
                    for number, phone in kept.phones.items()
                },
            ),
            wipe=True,
        )

    def lock(self, table: int, by: int) -> None:
        """Lock a table for newcomers; staff's lock (`by` 0) replaces a player's."""
        uid = self._uid(table)

        def locked(kept: Register) -> Register:
            lock = kept.locks.get(uid)
            if lock is None:
                lock = Lock(self._clock(), tuple(phone.number for phone in kept.at(uid)), by)
            return replace(kept, locks={**kept.locks, uid: lock if by else replace(lock, by=0)})

        self._change(locked, table)

    def unlock(self, table: int) -> None:
        """Open a table: newcomers join with the code again, and waiting phones are let in."""
        self._change(lambda kept: self._open(kept, self._uid(table)), table)

    def entry(self, table: int, own: int = 0) -> PhonesEntry:
        """Who is at a table, for JSON; `own` is the phone that asks."""
        lock = self.lock_of(table)
        locked: LockedEntry | None = None
        if lock is not None:
            by = self._kept.phones.get(lock.by)
            locked = {"by": by.label if by else f"Phone {lock.by}" if lock.by else "staff"}
        return {
            "board": table,
            "locked": locked,
            "phones": [self._entry(phone, own) for phone in self.at(table)],
        }

    def _entry(self, phone: Phone, own: int) -> PhoneEntry:
        return {
            "phone": phone.number,
            "name": phone.label,
            "by": phone.by,
            "side": phone.side,
            "since": str(moment(datetime.fromtimestamp(phone.since + self._set_by(), UTC))),
            "waits": phone.state == "waiting",
            "open": self.open[phone.number] > 0,
            "own": phone.number == own,
        }

    def _there(self, kept: Register, number: int, table: int, *states: State) -> Phone:
        phone = kept.phones.get(number)
        if phone is None or phone.uid != self._uid(table) or phone.state not in states or not self._lasts(phone):
            raise Problem(404, "phone", f"there is no phone {number} any more", "look at the list again")
        return phone

    def _is_here(self, kept: Register, number: int) -> bool:
        return number in kept.phones and kept.phones[number].state != "removed"

    def _lasts(self, phone: Phone) -> bool:
        lasts_s = KNOCK_S if phone.state == "waiting" else EVENING_S
        return phone.since > self._clock() - lasts_s

    def _set_by(self) -> float:
        """Seconds by which the clock on the wall was set since the start."""
        return self._wall() - self._clock() if self._wall is not self._clock else 0.0

    def _check_knock(self, kept: Register, uid: str, client: str) -> None:
        wait = self._knocks.wait(client)
        if wait:
            raise Problem.later(wait, "tries", "this device has asked too often to be let in")
        if len(kept.at(uid, "waiting")) >= MOST_WAITING:
            raise Problem.later(KNOCK_S, "crowded", f"{MOST_WAITING} phones are already waiting at this locked table")
        self._knocks.begin(client)

    def _with_room(self, kept: Register, uid: str) -> Register:
        """At a full table remove the newest phone without an open page, so a flood of badges removes only its own."""
        seated = kept.at(uid)
        if len(seated) < MOST_PHONES:
            return kept
        for phone in reversed(seated):
            if not self.open[phone.number]:
                return kept.without(phone.number)
        raise Problem(503, "crowded", f"{MOST_PHONES} phones have joined this table", "staff can remove some")

    def _checked(self, kept: Register, phone: Phone, name: object) -> str:
        """A checked name, unique at the table; empty for none."""
        if not isinstance(name, str):
            raise Problem(400, "name", "a name is text", "send the name as text")
        if not name.strip():
            return ""
        try:
            tidy = check_person(name)
        except ArgumentError as error:
            raise Problem(400, "name", error.message, error.hint) from error
        if RESERVED.match(key(tidy)):
            raise Problem(400, "name", f"the name {quote(tidy)} could be taken for another's", "choose another name")
        others = [*kept.at(phone.uid), *kept.at(phone.uid, "waiting")]
        if any(key(other.name) == key(tidy) for other in others if other.number != phone.number):
            raise Problem(409, "name", f"another phone at this table is called {quote(tidy)}", "add a letter")
        return tidy

    def _tidy(self, kept: Register) -> Register:
        """The content without expired phones, and without players' locks if all seated before have gone."""
        phones = {number: phone for number, phone in kept.phones.items() if self._lasts(phone)}
        removed = [phone.number for phone in phones.values() if phone.state == "removed"]
        for number in removed[:-MOST_REMOVED]:
            del phones[number]
        left = replace(kept, phones=phones)
        for uid, lock in kept.locks.items():
            if lock.by and not {phone.number for phone in left.at(uid)} & {*lock.seated}:
                left = self._open(left, uid)
        return left

    def _open(self, kept: Register, uid: str) -> Register:
        """The content without a table's lock; waiting phones are let in."""
        now = self._clock()
        seated = {phone.number: replace(phone, since=now, state="seated") for phone in kept.at(uid, "waiting")}
        locks = {one: lock for one, lock in kept.locks.items() if one != uid}
        return Register({**kept.phones, **seated}, locks)

    def _change(self, change: Callable[[Register], Register], table: int = 0, *, wipe: bool = False) -> Register:
        """Change the content; when this returns it is on the disk, if that takes it."""
        with self._lock:
            before = self._kept
            after = self._tidy(change(before))
            if after != before:
                self.slots.keep(json.dumps(_as_json(after, self._set_by())), wipe=wipe)
                self._kept = after
        if after != before:
            # Outside the lock, which a listener that changes the register would wait for.
            tables = {phone.table for phone in {*before.phones.values()} ^ {*after.phones.values()}}
            self.on_change(tables | {table} - {0})
        return after

    def _read(self) -> Register | None:
        text = self.slots.read()
        try:
            return None if text is None else _read(from_json(text))
        except DAMAGE as error:
            what = f"{self._path} is damaged ({placed(error)})"
            raise CribboardError(what, "remove it; all phones must then join again") from error


def _as_json(kept: Register, set_by: float) -> dict[str, object]:
    locks = {uid: asdict(replace(lock, since=lock.since + set_by)) for uid, lock in kept.locks.items()}
    phones = [asdict(replace(phone, since=phone.since + set_by)) for phone in kept.phones.values()]
    return {"phones": phones, "locks": locks}


def _read(value: Json) -> Register:
    entry = as_object(value)
    phones = as_list_of("phone", entry["phones"], _phone)
    return Register({phone.number: phone for phone in phones}, as_field(entry, "locks", as_named, _lock))


def _phone(value: Json) -> Phone:
    entry = as_object(value)
    return Phone(
        number=as_field(entry, "number", as_whole, WORD),
        table=as_field(entry, "table", as_whole, WORD),
        uid=as_field(entry, "uid", as_string),
        since=as_field(entry, "since", as_real, LATEST),
        state=as_field(entry, "state", _state),
        name=as_field(entry, "name", _called),
        side=as_field(entry, "side", optional, as_whole, PLACES),
    )


def _state(value: Json) -> State:
    if value not in get_args(State):
        raise Unfit(f"{quote(value)} is not a state of a phone")
    return cast("State", value)


def _called(value: Json) -> str:
    name = as_string(value)
    if name and check_name(name) != name:
        raise Unfit(f"{quote(name)} is not a name")
    return name


def _lock(value: Json) -> Lock:
    entry = as_object(value)
    seated = as_list_of("seated", entry["seated"], lambda number: as_whole(number, WORD))
    return Lock(as_field(entry, "since", as_real, LATEST), tuple(seated), as_field(entry, "by", as_whole, WORD))


def _others(numbers: tuple[int, ...], number: int) -> tuple[int, ...]:
    return tuple(one for one in numbers if one != number)
