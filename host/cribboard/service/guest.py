"""A board whose port another program of this user holds, through that program's door.

When that program ends in the middle of a command, the command's key shows whether it counted: the next program that
holds the board is asked under the same key; if there is none, the board is opened here until that is known.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack
from multiprocessing import AuthenticationError
from multiprocessing.connection import Client, Connection, answer_challenge, deliver_challenge
from pathlib import Path
from typing import Any

from cribboard.board.answers import Hello, Row, Standing
from cribboard.board.client import Board
from cribboard.board.commands import said
from cribboard.board.follow import Happened
from cribboard.board.ledger import Names
from cribboard.board.mirror import Mirror
from cribboard.board.open import ANYBODY, PEND_S, OpenBoard
from cribboard.errors import Busy, TransportError, WrongBoard
from cribboard.service.sign import Sign, doors
from cribboard.service.speech import (
    MOST_BYTES,
    Message,
    decode,
    encode,
    error_read,
    happened_read,
    hello_read,
    perform,
    places_of,
    state_told,
)
from cribboard_core.match import Match

KEPT = 1000
WELCOME_S = 10.0
ANSWER_S = 70.0  # the service gives up before
AWAY_S = 10.0  # a service that was killed is started again by then
AGAIN_S = 0.2
GONE = (OSError, EOFError, AuthenticationError, ValueError, AssertionError)

Holder = Callable[[], AbstractContextManager[Board]]


class Nobody(TransportError):
    """No program holds the board, and it cannot be opened here."""


class Guest(OpenBoard):
    """The board `uid` behind the door that a file under `folder` names; `hold` opens the board itself.

    Use it in a `with`; entering raises TransportError when nobody is behind the door.
    """

    def __init__(
        self,
        folder: Path,
        uid: str,
        hold: Holder,
        *,
        on_notice: Callable[[str], None] = lambda text: None,
    ) -> None:
        self.on_event: Callable[[Happened], None] = lambda happened: None
        self.done = 0
        self.ack_ms: list[float] = []
        self._folder = folder
        self._uid = uid
        self._hold = hold
        self._on_notice = on_notice
        self._door: Connection[bytes, bytes] | None = None
        self._number = 0
        self._told: list[Happened] = []  # since the last poll
        self._hello: Hello | None = None
        self._match = Match()
        self._names: Names = {}
        self._port = ""

    def __enter__(self) -> Guest:
        try:
            self._knock()
        except GONE as error:
            raise TransportError("nobody is behind the door", "try again") from error
        return self

    def __exit__(self, *exc: object) -> None:
        self._leave()

    @property
    def hello(self) -> Hello:
        """The board's `Hello`."""
        assert self._hello is not None  # noqa: S101 (the door has said so)
        return self._hello

    @property
    def port(self) -> str:
        """The board's port."""
        return self._port

    @property
    def match(self) -> Match:
        """The board's match."""
        return self._match

    @property
    def names(self) -> Names:
        """The players' names by place."""
        return dict(self._names)

    def command(self, op: str, *args: Any, names: Names | None = None, key: str = "") -> Happened:
        """Carry out a command once; returns what happened."""
        key = key or secrets.token_urlsafe(16)
        began = time.monotonic()
        try:
            answer = self._ask("command", op, list(args), names, key)
        except Nobody as error:
            fate = f"nobody knows whether `{said(op, list(args))}` counted; `cribboard state` shows the score"
            raise TransportError(error.message, f"{error.hint}; {fate}" if error.hint else fate) from error
        self.ack_ms.append((time.monotonic() - began) * 1000)
        del self.ack_ms[:-KEPT]
        self.done += 1
        return happened_read(answer)

    def sync(self) -> Standing:
        """The match's standing, asked from the board."""
        return Standing.read(self._ask("sync"))

    def at_hand(self) -> tuple[Row | None, Row | None]:
        """The event that undo would take back and the one that redo would bring back, None for nothing."""
        undo, redo = (told and Row.read(told) for told in self._ask("at_hand"))
        return undo, redo

    def events(self, after: int = -1) -> list[Row]:
        """The events after a rev, as far as the board still keeps them."""
        return [Row.read(told) for told in self._ask("events", after)]

    def check(self) -> bool:
        """Whether the copy of the match equals the board's."""
        return bool(self._ask("check")) and self.sync() == self.standing

    def pend(self, side: int, points: int, owner: int = ANYBODY, seconds: int = PEND_S) -> None:
        """Show points in front of a side's peg for some seconds; 0 points remove those of this owner."""
        self._ask("pend", side, points, owner, seconds)

    def poll(self, seconds: float = 0.0) -> list[list[Any]]:
        """The events that have happened, as rows; waits for one at most `seconds`."""
        ends = time.monotonic() + seconds
        while True:
            left = max(0.0, ends - time.monotonic())
            try:
                if self._door is None:
                    self._look(left)
                while self._door is not None and self._door.poll(0.0 if self._told else left):
                    self._hear()
            except GONE as error:
                self._lost(error)
            if self._told or time.monotonic() >= ends:
                break
        told, self._told = self._told, []
        return [happened.row.told() for happened in told if happened.row]

    def _ask(self, do: str, *args: Any) -> Any:
        """The answer to a request, from the program that holds the board or, without one, from the board itself."""
        ends = time.monotonic() + AWAY_S
        while True:
            try:
                if self._door is None:
                    self._knock()
                return self._asked(do, list(args))
            except GONE as error:
                self._lost(error)
            try:
                return self._directly(do, list(args))
            except Busy as error:
                if time.monotonic() >= ends:  # else somebody has come back
                    raise Nobody(error.message, error.hint) from error
            time.sleep(AGAIN_S)

    def _asked(self, do: str, args: list[Any]) -> Any:
        assert self._door is not None  # noqa: S101 (the caller has knocked)
        self._number += 1
        self._door.send_bytes(encode({"id": self._number, "do": do, "args": args}))
        while True:
            if not self._door.poll(ANSWER_S):
                raise EOFError
            answer = self._hear()
            if answer is not None and answer.get("id") == self._number:
                if "error" in answer:
                    raise error_read(answer["error"])
                return answer["answer"]

    def _directly(self, do: str, args: list[Any]) -> Any:
        with ExitStack() as stack:
            try:
                board = stack.enter_context(self._hold())
            except Busy:
                raise
            except (TransportError, WrongBoard) as error:
                raise Nobody(error.message, error.hint) from error
            self._catch_up(board.standing, board.hello, board.events)
            board.on_event = self._tell
            try:
                return perform(board, board.command, do, args)
            finally:
                self._stand(state_told(board))

    def _hear(self) -> Message | None:
        """Receive one message; returns it if it is an answer."""
        assert self._door is not None  # noqa: S101 (the caller has knocked)
        message = decode(self._door.recv_bytes(MOST_BYTES))
        if "happened" in message:
            self._names = places_of(message["names"])
            self._tell(happened_read(message["happened"]))
        elif "notice" in message:
            self._on_notice(str(message["notice"]))
        else:
            if "standing" in message:
                self._stand(message)
            return message
        return None

    def _tell(self, happened: Happened) -> None:
        self._match = happened.after.match()
        self._told.append(happened)
        del self._told[:-KEPT]
        self.on_event(happened)

    def _stand(self, told: Message) -> None:
        standing = Standing.read(told["standing"])
        self._hello = hello_read(told["hello"])
        self._names = {int(place): name for place, name in told["names"].items()}
        self._port = told["port"]
        if standing != self.standing:
            self._match = standing.match()

    def _knock(self) -> None:
        """Connect, and report what has happened since the last connection."""
        sign = next((sign for sign in doors(self._folder) if sign.uid == self._uid), None)
        if sign is None:
            raise EOFError
        known = self._hello is not None
        self._door, welcome = enter(sign)
        if known:
            standing, hello = Standing.read(welcome["standing"]), hello_read(welcome["hello"])
            rows = lambda after: [Row.read(told) for told in self._asked("events", [after])]  # noqa: E731
            self._catch_up(standing, hello, rows)
            self._on_notice("the program that uses the board is back")
        self._stand(welcome)

    def _catch_up(self, standing: Standing, hello: Hello, events: Callable[[int], list[Row]]) -> None:
        """Report what has happened while there was no connection."""
        before = self.standing
        if standing == before:
            return
        if hello.epoch == self.hello.epoch:
            mirror = Mirror(before)
            for row in events(before.rev):
                if not mirror.fold(row):
                    break
                self._tell(Happened(row, before, mirror.standing()))
                before = mirror.standing()
        if before != standing:
            self._tell(Happened(None, before, standing))

    def _look(self, seconds: float) -> None:
        """Wait a moment, then try to connect again."""
        time.sleep(min(AGAIN_S, seconds))
        try:
            self._knock()
        except GONE:
            self._leave()

    def _lost(self, error: BaseException) -> None:
        if self._door is not None:
            self._leave()
            self._on_notice("the program that uses the board has ended; waiting for it to come back")

    def _leave(self) -> None:
        door, self._door = self._door, None
        if door is not None:
            door.close()


def enter(sign: Sign) -> tuple[Connection[bytes, bytes], Message]:
    """Connect to a door; returns connection and welcome. Raises one of GONE when nobody answers with the secret."""
    door = Client(sign.address)
    try:
        secret = bytes.fromhex(sign.secret)
        if not door.poll(WELCOME_S):
            raise EOFError
        answer_challenge(door, secret)
        deliver_challenge(door, secret)
        if not door.poll(WELCOME_S):
            raise EOFError
        welcome = decode(door.recv_bytes(MOST_BYTES))
        if welcome["hello"]["uid"] != sign.uid:
            raise EOFError
    except KeyError as error:
        door.close()
        raise EOFError from error
    except BaseException:
        door.close()
        raise
    return door, welcome
