"""The tables of this house: a board keeps its table's number and name for as long as this computer knows it."""

from __future__ import annotations

import json
import logging
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from cribboard.board import ledger
from cribboard.board.client import Board
from cribboard.board.find import attached, probe
from cribboard.connect import hold_board
from cribboard.errors import ArgumentError, CribboardError, TransportError
from cribboard.files import board_folder, from_json, home
from cribboard.names import check_name
from cribboard.service.quiet import QuietHours
from cribboard.service.service import Opener, Service
from cribboard.sim.board import START_S, VirtualBoard
from cribboard.sim.registry import SimError, require_terminals, running_boards
from cribboard.slots import Slots
from cribboard.web.json_body import Problem

if TYPE_CHECKING:
    from cribboard.store import Store


NAME = "kiosk-tables.json"
MOST_TABLES = 64
ROOM = 16384  # bytes, for as many tables


@dataclass(frozen=True)
class Place:
    """A table: its number, which never changes, and its name."""

    number: int
    name: str


class Tables:
    """The file of the tables, by the uid of their board."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._path = folder / NAME
        self.slots = Slots(self._path, ROOM)
        found = self._read()
        self._places = found or {}
        if found is None:
            self.slots.keep(_text({}))
        self.slots.take_over()

    def place(self, uid: str) -> Place:
        """The table of a board; a new board gets the next free number."""
        if uid not in self._places:
            taken = {place.number for place in self._places.values()}
            number = next(number for number in range(1, len(taken) + 2) if number not in taken)
            if number > MOST_TABLES:
                raise CribboardError(
                    f"there are already {MOST_TABLES} tables", f"remove those that no longer exist from {self._path}"
                )
            self._put(uid, Place(number, f"Table {number}"))
        return self._places[uid]

    def boards(self) -> list[str]:
        """The uids of the boards that have a table, attached or not."""
        return list(self._places)

    def uid(self, number: int) -> str:
        """The uid of a table's board; empty if there is no such table."""
        return next((uid for uid, place in self._places.items() if place.number == number), "")

    def forget(self, number: int) -> None:
        """Free a table's number, for a board that is no longer used."""
        places = {uid: place for uid, place in self._places.items() if place.number != number}
        if len(places) == len(self._places):
            raise ArgumentError(f"there is no table {number}", "the first page of the kiosk lists them")
        self.slots.write(_text(places))
        self._places = places

    def rename(self, number: int, name: str) -> Place:
        """Name a table; raises ArgumentError for an invalid name."""
        tidy = check_name(name)
        uid = self.uid(number)
        self._put(uid, Place(number, tidy))
        return self._places[uid]

    def _put(self, uid: str, place: Place) -> None:
        self._places = {**self._places, uid: place}
        self.slots.keep(_text(self._places))

    def _read(self) -> dict[str, Place] | None:
        text = self.slots.read()
        if text is None:
            return None
        try:
            entry = from_json(text)
            places = {uid: Place(int(number), check_name(name)) for uid, (number, name) in entry.items()}
        except (ValueError, TypeError, AttributeError, RecursionError, ArgumentError):
            places = None
        if places is None or len({place.number for place in places.values()}) != len(places):
            raise CribboardError(f"{self._path} is damaged", "remove it; tables then get new numbers")
        return places


def _text(places: Mapping[str, Place]) -> str:
    return json.dumps({uid: [place.number, place.name] for uid, place in places.items()}, indent=1)


class House:
    """The services of the tables, and their history; `second` is a folder on another disk."""

    def __init__(self, tables: Tables, store: Store | None, second: Path | None = None) -> None:
        self.tables = tables
        self._second = second
        self.quiet = QuietHours(tables.folder)
        self.store = store
        self.services: dict[int, Service] = {}
        self.missing: CribboardError | None = None  # why there is no board where one was named
        self.called: Callable[[str], str] = lambda by: by  # what a phone is called in the history
        self._uids: set[str] = set()

    def serves(self, uid: str) -> bool:
        """Whether this board is already served."""
        return uid in self._uids

    def add(self, uid: str, opener: Opener, *, virtual: bool = False) -> Service:
        """Start serving a board at its table."""
        place = self.tables.place(uid)
        service = Service(
            place.number,
            opener,
            self.store,
            place.name,
            virtual=virtual,
            second=self._second,
            quiet=self.quiet,
            called=lambda by: self.called(by),
        )
        self._uids.add(uid)
        self.services[place.number] = service
        service.start()
        return service

    def wait_for_virtual(self) -> None:
        """Return when each virtual board of a table runs, or could not be started."""
        for service in self.services.values():
            if service.virtual:
                service.tried.wait(START_S)

    def rename(self, number: int, name: str) -> str:
        """Give a table another name."""
        service = self.service(number)
        try:
            place = self.tables.rename(number, name)
        except ArgumentError as error:
            raise Problem(400, "name", error.message, error.hint) from error
        service.rename(place.name)
        return place.name

    def rename_player(self, before: Sequence[str], after: str) -> list[Future[None]]:
        """Rename a player with these names at every table, attached or not; remove the name if `after` is empty.

        Raises CribboardError at the end if another program was using some of the boards; the others are done.
        """
        asked = {service.view.uid: service.rename_player(before, after) for service in self.services.values()}
        left = []
        for file in sorted((home() / "boards").glob(f"*/{ledger.NAME}")):
            uid = file.parent.name
            if asked.get(uid) is None:
                try:
                    with closing(ledger.Ledger(file.parent.parent, uid)) as noted:
                        if noted.rename(before, after):
                            noted.save()
                except CribboardError as error:
                    left.append(error)
        if left:
            raise left[0]
        return [done for done in asked.values() if done is not None]

    def service(self, number: int) -> Service:
        """The service of a table; raises Problem if no table has this number."""
        if number not in self.services:
            known = ", ".join(map(str, sorted(self.services)))
            hint = f"the tables are {known}" if known else "plug a board in; its table appears by itself"
            raise Problem(404, "table", f"there is no table {number}", hint)
        return self.services[number]

    def stop(self) -> None:
        """Stop all services at once, after they have written everything."""
        ending = [threading.Thread(target=service.stop) for service in self.services.values()]
        for thread in ending:
            thread.start()
        for thread in ending:
            thread.join()


# Finds the boards of the house, at the kiosk's start and when they are plugged in later.

log = logging.getLogger(__name__)
TRIES = 3  # at a port where something else may be
VIRTUAL = "sim:"  # before a virtual board's name, where others have their uid
Say = Callable[[str], None]


class Finder:
    """Adds each attached board to the house; gives up on a port that does not answer after some tries.

    With a `port`, serves only the board there, however long it takes to appear.
    """

    def __init__(self, house: House, port: str = "") -> None:
        self._house = house
        self._port = port
        self._served = False  # the board at that port
        self._tried: Counter[tuple[str, str]] = Counter()

    def begin(self) -> None:
        """Serve the boards that have a table, attached or not, and all attached ones; without any, the virtual board.

        On a system without virtual boards, wait for the first board that is plugged in.
        """
        if self._port:
            self.look()
            return
        for uid in self._house.tables.boards():
            if not uid.startswith(VIRTUAL):
                self._house.add(uid, opener(uid))
        self.look()
        if not self._house.services:
            try:
                add_virtual(self._house, "sim")
            except SimError as error:
                log.warning("no board is attached yet: plug one in (%s)", error.message)

    def look(self) -> None:
        """Serve new boards; a board that was unplugged is new again."""
        if self._port:
            self._look_at_port()
            return
        there = attached()
        spots = {(found.port, found.uid) for found in there}
        self._tried = Counter({spot: times for spot, times in self._tried.items() if spot in spots})
        for found in there:
            spot = (found.port, found.uid)
            if self._house.serves(found.uid) or self._tried[spot] >= TRIES:
                continue
            self._tried[spot] += 1
            try:
                uid = probe(found.port).uid
                self._house.add(uid, opener(uid))
            except CribboardError as error:
                log.warning("%s is not served: %s", found.port, error)

    def _look_at_port(self) -> None:
        if self._served:
            return
        before, self._house.missing = self._house.missing, None
        try:
            add_at(self._house, self._port)
            self._served = True
        except CribboardError as error:
            self._house.missing = error
            if before is None or before.message != error.message:
                log.warning("no board is served yet: %s", error)


def add_virtual(house: House, name: str) -> None:
    """Serve a virtual board; raises SimError on a system without."""
    require_terminals()
    board_folder(name)  # refuses a name that cannot be one
    house.add(VIRTUAL + name, virtual_opener(name), virtual=True)


def opener(uid: str) -> Opener:
    """A function that opens the board with this uid, at any port."""

    @contextmanager
    def opened(say: Say) -> Iterator[Board]:
        port = next((board.port for board in attached() if board.uid == uid), "")
        if not port:
            raise TransportError(f"the board {uid} is not there", "plug it in")
        with hold_board(port, uid, say, must_keep=False) as board:
            yield board

    return opened


def add_at(house: House, port: str) -> None:
    """Serve the board at a port; raises TransportError if no board is there."""
    uid = probe(port).uid
    house.add(uid, lambda say: hold_board(port, uid, say, must_keep=False, only_here=True))


def virtual_opener(name: str) -> Opener:
    """A function that opens a virtual board: the running one of this name, or a new one."""

    @contextmanager
    def opened(say: Say) -> Iterator[Board]:
        port = next((running.port for running in running_boards() if running.name == name), "")
        if port:
            with hold_board(port, None, say, must_keep=False) as board:
                yield board
            return
        with VirtualBoard(name=name) as started, hold_board(started.port, None, say, must_keep=False) as board:
            yield board

    return opened
