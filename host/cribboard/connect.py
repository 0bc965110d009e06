"""Which board a command talks to: the one named, an attached one, a running virtual one, or one started for it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from cribboard.board.client import Board
from cribboard.board.find import Found, attached
from cribboard.board.transport import SerialTransport
from cribboard.errors import CribboardError, TransportError
from cribboard.sim.board import VirtualBoard
from cribboard.sim.errors import SimError
from cribboard.sim.registry import running_boards

PORT_VARIABLE = "CRIBBOARD_PORT"


def list_boards() -> list[Found]:
    """The boards that are there: attached ones, then the virtual ones that run."""
    try:
        running = running_boards()
    except SimError:  # a system without pseudo-terminals has no virtual boards
        running = []
    return attached() + [Found(board.port, board.uid, "sim", f"virtual board {board.name!r}") for board in running]


@contextmanager
def open_board(
    port: str | None = None, uid: str | None = None, say: Callable[[str], None] = lambda text: None
) -> Iterator[Board]:
    """The board to talk to, open; `say` is told what the user ought to know about the choice and the last command."""
    port = port or os.environ.get(PORT_VARIABLE) or None
    virtual: VirtualBoard | None = None
    if port is None:
        found = _choose(uid)
        if found is None:
            say("no board attached: using the virtual board")
            virtual = VirtualBoard()
    try:
        try:
            if virtual is not None:
                virtual.start()
        except SimError as error:
            raise TransportError(str(error)) from error
        name = virtual.port if virtual is not None else port or found.port  # type: ignore[union-attr]
        board = Board(SerialTransport(name), reopen=_again(port, name))
        try:
            if uid and not board.hello.uid.endswith(uid.lower()):
                raise CribboardError(f"the board on {name} is {board.hello.uid}, not {uid}", "`cribboard boards` lists")
            for note in board.notes:
                say(note)
            yield board
        finally:
            board.close()
    finally:
        if virtual is not None:
            virtual.stop()


def _choose(uid: str | None) -> Found | None:
    """The only board there is, attached before virtual, or the one with this uid; None when there is none at all."""
    boards = list_boards()
    if uid:
        matching = [board for board in boards if board.uid.endswith(uid.lower())]
        if len(matching) == 1:
            return matching[0]
        unnamed = [board for board in boards if not board.uid]
        if not matching and len(unnamed) == 1:
            return unnamed[0]
        raise TransportError(f"there is no board {uid}", _listing(boards))
    first = [board for board in boards if board.kind == "attached"] or boards
    if len(first) > 1:
        raise TransportError(f"there are {len(first)} boards; name one with --port or --board", _listing(first))
    return first[0] if first else None


def _again(port: str | None, name: str) -> Callable[[], SerialTransport]:
    """Opens the port again after it was lost; a board that was found by itself may come back on another one."""

    def reopen() -> SerialTransport:
        names = [name] if port else [name, *(board.port for board in list_boards() if board.port != name)]
        error: TransportError | None = None
        for candidate in names:
            try:
                return SerialTransport(candidate)
            except TransportError as failed:
                error = error or failed
        raise error or TransportError(f"there is no port {name}")

    return reopen


def _listing(boards: list[Found]) -> str:
    lines = [f"{board.port}  {board.uid or 'uid not known'}  {board.note}" for board in boards]
    return "\n".join(lines) or "plug the board in; `cribboard boards` lists what is there"
