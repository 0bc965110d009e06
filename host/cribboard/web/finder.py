"""Finds the boards of the tables, at the kiosk's start and when they are plugged in later."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from cribboard.board.client import Board
from cribboard.board.find import attached, probe
from cribboard.connect import hold_board
from cribboard.errors import CommandError, CribboardError, TransportError
from cribboard.files import board_folder
from cribboard.service.service import Opener
from cribboard.sim.board import VirtualBoard
from cribboard.sim.registry import SimError, require_terminals, running_boards
from cribboard.web.tables import Say, TableServices, at_port

log = logging.getLogger(__name__)
TRIES = 3  # at a port where something else may be
VIRTUAL = "sim:"  # before a virtual board's name, where others have their uid


class Finder:
    """Adds each attached board to the tables; gives up on a port that does not answer after some tries.

    With a `port`, serves only the board there, however long it takes to appear.
    """

    def __init__(self, tables: TableServices, port: str = "") -> None:
        self._tables = tables
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
        self._tables.meet()
        for uid in self._tables.register.boards():
            if not uid.startswith(VIRTUAL):
                self._tables.add(uid, opener(uid))
        self.look()
        if not self._tables.services:
            try:
                add_virtual(self._tables, "sim")
            except SimError as error:
                log.warning("no board is attached yet: plug one in (%s)", error.message)

    def look(self) -> None:
        """Serve new boards; a board that was unplugged is new again."""
        if self._port:
            self._look_at_port()
            return
        there = attached()
        spots = {(device.port, device.uid) for device in there}
        self._tried = Counter({spot: times for spot, times in self._tried.items() if spot in spots})
        for device in there:
            spot = (device.port, device.uid)
            if self._tables.serves(device.uid) or self._tried[spot] >= TRIES:
                continue
            self._tried[spot] += 1
            try:
                uid = probe(device.port).uid
                self._tables.add(uid, opener(uid))
            except CribboardError as error:
                log.warning("%s is not served: %s", device.port, error)

    def _look_at_port(self) -> None:
        if self._served:
            return
        before, self._tables.missing = self._tables.missing, None
        try:
            add_at(self._tables, self._port)
            self._served = True
        except CribboardError as error:
            self._tables.missing = error
            if before is None or before.message != error.message:
                log.warning("no board is served yet: %s", error)


def add_virtual(tables: TableServices, name: str) -> None:
    """Serve a virtual board; raises SimError on a system without."""
    require_terminals()
    board_folder(name)  # refuses a name that cannot be one
    tables.add(VIRTUAL + name, virtual_opener(name), virtual=True)


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


def add_at(tables: TableServices, port: str) -> None:
    """Serve the board at a port; raises TransportError if no board is there."""
    uid = probe(port).uid
    try:
        tables.meet(port, uid)
    except CommandError as error:  # the game that was to move there stays
        log.warning("the game stays on its board: %s", error)
    tables.add(uid, at_port(tables, port, uid))


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
