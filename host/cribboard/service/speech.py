"""The messages through the local door: one JSON object a frame; requests, answers, and what happens meanwhile."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict
from typing import Any

from cribboard.board.answers import Hello, Row, Standing
from cribboard.board.client import Board
from cribboard.board.follow import Happened
from cribboard.board.ledger import KEY
from cribboard.errors import ArgumentError, CommandError, CribboardError, TransportError, WrongBoard
from cribboard_core.cards import quote
from cribboard_core.events import COMMANDS, PLACES

MOST_BYTES = 1 << 20  # the longest is a journal's events
Message = dict[str, Any]
Command = Callable[..., Happened]


def encode(message: Message) -> bytes:
    """A message as a frame."""
    return json.dumps(message, separators=(",", ":")).encode("ascii")


def decode(frame: bytes) -> Message:
    """The message of a frame; raises ValueError for anything else."""
    try:
        message = json.loads(frame)
    except RecursionError as error:
        raise ValueError("too deep") from error
    if not isinstance(message, dict):
        raise ValueError("no object")
    return message


def perform(board: Board, command: Command, do: str, args: list[Any]) -> Any:
    """Carry out a guest's request; returns the answer for JSON."""
    if do == "command":
        op, values, names, key = args
        if (
            op not in COMMANDS
            or not isinstance(values, list)
            or not (isinstance(key, str) and (not key or KEY.fullmatch(key)))
        ):
            raise ArgumentError(f"{quote(args)} is not a command")
        called = None if names is None else places_of(names)
        return happened_told(command(op, *values, names=called, key=key))
    if do == "events":
        return [row.told() for row in board.events(_number(args[0], -1))]
    if do == "pend":
        board.pend(*(_number(arg, 0) for arg in args[:4]))
        return None
    if do == "at_hand":
        return [row and row.told() for row in board.at_hand()]
    if do == "sync":
        return board.sync().told()
    if do == "check":
        return board.check()
    raise ArgumentError(f"unknown request {quote(do)}")


def state_told(board: Board) -> Message:
    """The board's state, sent with every answer."""
    return {
        "hello": asdict(board.hello),
        "standing": board.standing.told(),
        "names": board.names,
        "port": board.port,
        "away": board.away and error_told(board.away),
    }


def hello_read(told: dict[str, Any]) -> Hello:
    """The board's `Hello` from JSON."""
    return Hello(**told)


def places_of(told: dict[str, Any]) -> dict[int, str]:
    """Names by place, from JSON; raises ArgumentError for others."""
    names = {int(place): str(name) for place, name in told.items()}
    if not all(0 <= place < PLACES and name.isprintable() for place, name in names.items()):
        raise ArgumentError(f"{quote(told)} are not names")
    return names


def happened_told(happened: Happened) -> list[Any]:
    """What happened, for JSON."""
    row = happened.row.told() if happened.row else None
    about = list(happened.about) if happened.about else None
    return [row, happened.before.told(), happened.after.told(), about]


def happened_read(told: list[Any]) -> Happened:
    """And back."""
    row, before, after, about = told
    return Happened(
        None if row is None else Row.read(row), Standing.read(before), Standing.read(after), about and tuple(about)
    )


def error_told(error: CribboardError) -> list[str]:
    """An error, for JSON."""
    if isinstance(error, CommandError):
        return ["command", error.code, error.message]
    kind = next((kind for kind, found in _ERRORS.items() if isinstance(error, found)), "")
    return [kind, error.message, error.hint]


def error_read(told: list[str]) -> CribboardError:
    """And back."""
    kind, *words = told
    return CommandError(*words) if kind == "command" else _ERRORS.get(kind, CribboardError)(*words)


def _number(value: Any, least: int) -> int:
    if type(value) is not int or value < least:
        raise ArgumentError(f"{quote(value)} is not a whole number from {least}")
    return value


_ERRORS: dict[str, type[CribboardError]] = {
    "transport": TransportError,
    "board": WrongBoard,
    "argument": ArgumentError,
}
