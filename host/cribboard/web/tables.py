"""The tables of this house: a board keeps its table's number and name for as long as this computer knows it."""

from __future__ import annotations

import json
import logging
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from secrets import token_hex
from typing import TYPE_CHECKING, TypedDict

from cribboard.board import ledger
from cribboard.board.client import Board
from cribboard.board.find import look
from cribboard.connect import hold_board
from cribboard.errors import ArgumentError, CommandError, CribboardError, OtherBoard
from cribboard.files import from_json, home
from cribboard.json_types import Json
from cribboard.names import Names, check_name
from cribboard.service.moving import game_of, give
from cribboard.service.quiet import QuietHours
from cribboard.service.restraint import Alone
from cribboard.service.service import Opener, Service
from cribboard.sim.board import START_S
from cribboard.slots import Slots
from cribboard.typed import DAMAGE, WORD, Unfit, as_field, as_list, as_name, as_object, as_string, as_whole, placed
from cribboard.web.problem import Problem
from cribboard.words import Words

if TYPE_CHECKING:
    from cribboard.store import Store

log = logging.getLogger(__name__)
Say = Callable[[str], None]
NAME = "kiosk-tables.json"
MOST_TABLES = 64
ROOM = 16384  # bytes, for as many tables


@dataclass(frozen=True)
class Place:
    """A table: its number, which never changes, its name, and the key by which its phones know it.

    The key is its board's uid, or that of the board that it had first.
    """

    number: int
    name: str
    key: str


@dataclass(frozen=True)
class Move:
    """A game on its way from one board to another, which has done nothing since its event `rev`.

    When it is there, as game `number` of the journal `epoch`, only the history has yet to hear of it.
    """

    here: str  # uids
    there: str
    rev: int
    key: str  # of the command that brings it
    epoch: int = 0
    number: int = 0


MOVING = "moving"  # in the place of a uid


class Tables:
    """The file of the tables, by the uid of their board, and the move that is on its way, if there is one."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._path = folder / NAME
        self.slots = Slots(self._path, ROOM)
        self.moving: Move | None = None
        stored = self._read()
        self._places = stored or {}
        if stored is None:
            self.slots.keep(self._text())

    def place(self, uid: str) -> Place:
        """The table of a board; a new board gets the next free number."""
        if uid not in self._places:
            taken = {place.number for place in self._places.values()}
            number = next(number for number in range(1, len(taken) + 2) if number not in taken)
            if number > MOST_TABLES:
                raise CribboardError(
                    f"there are already {MOST_TABLES} tables", f"remove those that no longer exist from {self._path}"
                )
            keys = {place.key for place in self._places.values()}
            key = next(key for key in (uid, *(f"{uid}+{number}" for number in range(len(keys)))) if key not in keys)
            self._put(uid, Place(number, f"Table {number}", key))
        return self._places[uid]

    def boards(self) -> list[str]:
        """The uids of the boards that have a table, attached or not."""
        return list(self._places)

    def uid(self, number: int) -> str:
        """The uid of a table's board; empty if there is no such table."""
        return next((uid for uid, place in self._places.items() if place.number == number), "")

    def key(self, number: int) -> str:
        """The key of a table, which it keeps when it gets another board; empty if there is no such table."""
        return next((place.key for place in self._places.values() if place.number == number), "")

    def begin_move(self, move: Move) -> None:
        """Note that a game is about to move; raises CribboardError if the disk does not take it."""
        self._write(self._places, move)

    def move(self, move: Move) -> None:
        """Give the table to the board on which its game is now, and that board's own, if it had one, to the other.

        Raises CribboardError if the disk does not take it; then the table has its own board still.
        """
        places = dict(self._places)
        place, other = places.pop(move.here), places.pop(move.there, None)
        self._write(places | {move.there: place} | ({move.here: other} if other else {}), move)

    def end_move(self) -> None:
        """Note that no game is on its way any more."""
        self.moving = None
        self.slots.keep(self._text())

    def forget(self, number: int) -> None:
        """Free a table's number, for a board that is no longer used."""
        places = {uid: place for uid, place in self._places.items() if place.number != number}
        if len(places) == len(self._places):
            raise ArgumentError(f"there is no table {number}", "the first page of the kiosk lists them")
        self._write(places, None)

    def rename(self, number: int, name: str) -> Place:
        """Name a table; raises ArgumentError for an invalid name."""
        tidy = check_name(name)
        uid = self.uid(number)
        self._put(uid, replace(self._places[uid], name=tidy))
        return self._places[uid]

    def _put(self, uid: str, place: Place) -> None:
        self._places = {**self._places, uid: place}
        self.slots.keep(self._text())

    def _write(self, places: dict[str, Place], moving: Move | None) -> None:
        before = self._places, self.moving
        self._places, self.moving = places, moving
        try:
            self.slots.write(self._text())
        except CribboardError:
            self._places, self.moving = before
            raise

    def _text(self) -> str:
        entry: dict[str, object] = {
            uid: [place.number, place.name, *([place.key] if place.key != uid else [])]
            for uid, place in self._places.items()
        }
        return json.dumps(entry | ({MOVING: asdict(self.moving)} if self.moving else {}), indent=1)

    def _read(self) -> dict[str, Place] | None:
        text = self.slots.read()
        if text is None:
            return None
        try:
            entry = as_object(from_json(text))
            self.moving = as_field(entry, MOVING, _move) if MOVING in entry else None
            read = {uid: as_field(entry, uid, _place, uid) for uid in entry if uid != MOVING}
            for each in ([place.number for place in read.values()], [place.key for place in read.values()]):
                if len(set(each)) < len(each):
                    raise Unfit("a number or a key is there twice")
        except DAMAGE as error:
            what = f"{self._path} is damaged ({placed(error)})"
            raise CribboardError(what, "remove it; tables then get new numbers") from error
        return read


def _place(value: Json, uid: str) -> Place:
    number, name, *key = as_list(value)
    return Place(as_whole(number, WORD), as_name(name), as_string(*key) if key else uid)


def _move(value: Json) -> Move:
    entry = as_object(value)
    here, there, key = (as_field(entry, name, as_string) for name in ("here", "there", "key"))
    rev, epoch, number = (as_field(entry, name, as_whole, WORD) for name in ("rev", "epoch", "number"))
    return Move(here, there, rev, key, epoch, number)


class OtherEntry(TypedDict):
    """A board in the place of a table's: what stands on it, after which event, and what does not move to it."""

    uid: str
    rev: int
    text: str
    left: list[str]


class TableServices:
    """The services of the tables, and their history; `second` is a folder on another disk."""

    def __init__(self, tables: Tables, store: Store | None, second: Path | None = None) -> None:
        self.register = tables
        self._second = second
        self.quiet = QuietHours(tables.folder)
        self.store = store
        self.services: dict[int, Service] = {}
        self.missing: CribboardError | None = None  # why there is no board where one was named
        self.called: Callable[[str], str] = lambda by: by  # what a phone is called in the history
        self.is_alone: Alone = lambda by, own: False  # whether nobody at its table could answer a phone
        self._uids: set[str] = set()

    def serves(self, uid: str) -> bool:
        """Whether this board is already served."""
        return uid in self._uids

    def add(self, uid: str, opener: Opener, *, virtual: bool = False) -> Service:
        """Start serving a board at its table."""
        place = self.register.place(uid)
        service = Service(
            place.number,
            opener,
            self.store,
            place.name,
            virtual=virtual,
            second=self._second,
            quiet=self.quiet,
            called=lambda by: self.called(by),
            is_alone=lambda by, own: self.is_alone(by, own),
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

    def other(self, number: int) -> OtherBoard:
        """The board that is in the place of a table's own; raises Problem when there is none."""
        away = self.service(number).away
        if not isinstance(away, OtherBoard):
            raise Problem(409, "move", "no other board is plugged in for this table", "look at it again")
        return away

    def look_at_other(self, number: int) -> OtherEntry:
        """What stands on the board in the place of a table's, and what does not move there."""
        other = self.other(number)
        hello, standing = look(other.port)
        match, names = standing.match(), ledger.noted_names(home() / "boards", hello.uid, hello.epoch, standing.game)
        text = "No game has begun on it." if not max(standing.fronts) else ""
        stands = Words(match, Names(match, names)).scores(match.sides)
        ended = "A game has ended on it" if match.winner >= 0 else "Another game stands on it and would be replaced"
        text = text or f"{ended}: {stands}."
        left = []
        if ledger.unsettled(home() / "boards", other.meant, ledger.HOLDER):
            left.append("Nobody knows whether the last score counted: the game moves without it.")
        if self.services[number].view.entry()["computer"] is not None:
            left.append("The game against the computer ends; its score moves, its cards do not.")
        return {"uid": hello.uid, "rev": standing.rev, "text": text, "left": left}

    def move(self, number: int, uid: str, rev: int) -> Future[None]:
        """Let a table's game go on on the board `uid` in the place of its own, if nothing has happened there since.

        Whatever breaks it off, the table has the one board or the other, with all that is the game's: a move that has
        begun is done to its end as soon as that board is seen again, or given up when the old one is.
        """
        other, register, service = self.other(number), self.register, self.service(number)
        if service.unwritten is not None:
            raise Problem(409, "unsaved", "the kiosk cannot save what happens", "make room on its disk first")
        begun = register.moving
        if begun is None or (begun.here, begun.there) != (other.meant, uid):
            begun = Move(other.meant, uid, rev, f"move-{token_hex(8)}")
        if other.there != uid:
            raise Problem(409, "move", "there is another board now", "look at it again")
        # On the disk before anything moves: after a kill the next start does the rest, or gives it up.
        register.begin_move(begun)

        def moved(written: bool | None) -> Opener:
            self.finish_move(other.port, written=bool(written))
            return at_port(self, other.port, uid)

        return service.turn(moved)

    def finish_move(self, port: str, *, written: bool = True) -> None:
        """Do the move that has begun to its end; raises CribboardError, and leaves the table its board, if it can't be.

        Unless all of the old board is `written`, the history begins another game.
        """
        move, folder = self.register.moving, home() / "boards"
        if move is None:
            return
        game = game_of(folder, move.here)
        try:
            with hold_board(port, move.there, only_here=True) as board:
                number, epoch = give(board, game, move.rev, move.key), board.hello.epoch
        except CommandError:  # it is as it was
            self.register.end_move()
            raise
        # The other board has the game now, so from here on a break goes forward: done again, each step changes nothing.
        self.register.move(replace(move, epoch=epoch, number=number))
        self._uids = self._uids - {move.here} | {move.there}
        self._tell_history(written=written)

    def _tell_history(self, *, written: bool = True) -> None:
        """The last step of a move."""
        move = self.register.moving
        try:
            if move is not None and self.store is not None and written:
                self.store.move(move.here, move.there, move.epoch, move.number)
        except CribboardError as error:
            log.warning("the history begins another game for the one that has moved: %s", error)
        self.register.end_move()

    def meet(self, port: str = "", uid: str = "") -> None:
        """Before a table is served: a move to the board at the port is done to its end, another is given up."""
        move = self.register.moving
        if move is not None and move.number:
            self._tell_history()
        elif move is not None and uid == move.there:
            self.finish_move(port)
        elif move is not None:
            self.register.end_move()

    def rename(self, number: int, name: str) -> str:
        """Give a table another name."""
        service = self.service(number)
        try:
            place = self.register.rename(number, name)
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
            hint = f"the tables are {known}" if known else "plug a board in; its table then appears"
            raise Problem(404, "table", f"there is no table {number}", hint)
        return self.services[number]

    def stop(self) -> None:
        """Stop all services at once, after they have written everything."""
        ending = [threading.Thread(target=service.stop) for service in self.services.values()]
        for thread in ending:
            thread.start()
        for thread in ending:
            thread.join()


def at_port(tables: TableServices, port: str, uid: str) -> Opener:
    """A function that opens the board with this uid at this port only; a move away from it is given up."""

    @contextmanager
    def opened(say: Say) -> Iterator[Board]:
        with hold_board(port, uid, say, must_keep=False, only_here=True) as board:
            move = tables.register.moving
            if move is not None and move.here == uid:
                tables.register.end_move()
            yield board

    return opened
