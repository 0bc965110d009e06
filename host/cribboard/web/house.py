"""The tables of this house: a board keeps its table's number and name for as long as this computer knows it."""

from __future__ import annotations

import json
import threading
from collections.abc import Sequence
from concurrent.futures import Future
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from cribboard.board import ledger
from cribboard.errors import ArgumentError, CribboardError
from cribboard.files import home, write_whole
from cribboard.names import check_name
from cribboard.service.service import Opener, Service
from cribboard.web.problem import Problem

if TYPE_CHECKING:
    from cribboard.store import Store

NAME = "kiosk-tables.json"
MOST_TABLES = 64


@dataclass(frozen=True)
class Place:
    """A table: its number, which never changes, and its name."""

    number: int
    name: str


class Tables:
    """The file of the tables, by the uid of their board."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / NAME
        self._places = self._read()

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
        self._write(places)

    def rename(self, number: int, name: str) -> Place:
        """Name a table; raises ArgumentError for an invalid name."""
        tidy = check_name(name)
        uid = self.uid(number)
        self._put(uid, Place(number, tidy))
        return self._places[uid]

    def _put(self, uid: str, place: Place) -> None:
        self._write({**self._places, uid: place})

    def _write(self, places: dict[str, Place]) -> None:
        text = json.dumps({uid: [place.number, place.name] for uid, place in places.items()}, indent=1)
        write_whole(self._path, text)
        self._places = places

    def _read(self) -> dict[str, Place]:
        try:
            entry = json.loads(self._path.read_bytes())
            places = {uid: Place(int(number), check_name(name)) for uid, (number, name) in entry.items()}
        except FileNotFoundError:
            return {}
        except OSError as error:
            raise CribboardError(
                f"{self._path} cannot be read ({error.strerror})", "give yourself permission to read it"
            ) from error
        except (ValueError, TypeError, AttributeError, RecursionError, ArgumentError):
            places = None
        if places is None or len({place.number for place in places.values()}) != len(places):
            raise CribboardError(f"{self._path} is damaged", "remove it; tables then get new numbers")
        return places


class House:
    """The services of the tables, and their history; `second` is a folder on another disk."""

    def __init__(self, tables: Tables, store: Store | None, second: Path | None = None) -> None:
        self.tables = tables
        self._second = second
        self.store = store
        self.services: dict[int, Service] = {}
        self.missing: CribboardError | None = None  # why there is no board where one was named
        self._uids: set[str] = set()

    def serves(self, uid: str) -> bool:
        """Whether this board is already served."""
        return uid in self._uids

    def add(self, uid: str, opener: Opener, *, virtual: bool = False) -> Service:
        """Start serving a board at its table."""
        place = self.tables.place(uid)
        service = Service(place.number, opener, self.store, place.name, virtual=virtual, second=self._second)
        self._uids.add(uid)
        self.services[place.number] = service
        service.start()
        return service

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
