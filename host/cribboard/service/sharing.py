"""A board that several programs of one user share: the one that holds the port lets the others in by a local door."""

from __future__ import annotations

import contextlib
import json
import os
import queue
import secrets
import socket
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import AbstractContextManager, ExitStack
from dataclasses import asdict, dataclass
from multiprocessing import AuthenticationError
from multiprocessing.connection import Client, Connection, Listener, answer_challenge, deliver_challenge
from pathlib import Path
from typing import Any, Protocol

from cribboard.board.client import Board
from cribboard.board.commands import ANYBODY, PEND_S, OpenBoard, said
from cribboard.board.follow import Happened, Mirror
from cribboard.board.ledger import KEY, Names
from cribboard.board.messages import Hello, Row, Standing
from cribboard.errors import ArgumentError, Busy, CommandError, CribboardError, TransportError, WrongBoard
from cribboard.files import write_whole
from cribboard.service.news import Listener as NewsListener
from cribboard.service.news import News
from cribboard.service.orders import OrderError
from cribboard.service.table import Table
from cribboard_core.cards import quote
from cribboard_core.events import COMMANDS, PLACES
from cribboard_core.match import Match

# The messages through the local door: one JSON object a frame; requests, answers, and what happens meanwhile.

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


# The files that say where doors are, with the secret that opens each; only this user can read them.

NAME = "door.json"


@dataclass(frozen=True)
class Sign:
    """The contents of a door's file: which board is behind it, and how to connect."""

    uid: str
    port: str
    virtual: bool
    address: str
    secret: str


def doors(folder: Path) -> Iterator[Sign]:
    """The doors that files name; some may no longer be served."""
    for path in sorted(folder.glob(f"*/{NAME}")):
        try:
            if os.name == "posix" and (path.stat().st_mode & 0o077 or path.stat().st_uid != os.getuid()):
                continue  # others could have written it
            told = json.loads(path.read_bytes())
            texts = [told[name] for name in ("uid", "port", "address", "secret")]
        except (OSError, ValueError, KeyError, TypeError, RecursionError):
            continue
        if all(isinstance(text, str) for text in texts) and texts[0] == path.parent.name:
            uid, port, address, secret = texts
            yield Sign(uid, port, told.get("virtual") is True, address, secret)


def lives(sign: Sign) -> bool:
    """Whether a program serves a door."""
    from multiprocessing.connection import Client

    try:
        Client(sign.address).close()
    except (OSError, ValueError):
        return False
    return True


def write(path: Path, sign: Sign) -> None:
    """Write a door's file, in place of an earlier one."""
    write_whole(path, json.dumps(vars(sign)))


# The local door: through it this user's other commands reach a board whose port a service holds.

MOST_GUESTS = 32
MOST_UNREAD = 1000  # messages that a guest leaves unread before it is shown out
SERVICE_ANSWERS_S = 60.0
ACCEPT_AGAIN_S = 0.1
BY = "the command line"


class Served(Protocol):
    """What a door serves: a `Service`."""

    def submit(self, work: Callable[[Table], Any]) -> Future[Any]:
        """Run `work` in the service's thread, with the table."""

    def follow(self, follower: Callable[[Happened], None]) -> Callable[[], None]:
        """Call `follower` with everything that happens; returns a function that ends this."""

    def listen(self, on_news: NewsListener) -> Callable[[], None]:
        """Call `on_news` with the news; returns a function that ends this."""


class Door:
    """A door that is open until it is closed; raises CribboardError or OSError when it cannot open."""

    def __init__(self, served: Served, folder: Path, uid: str, port: str, virtual: bool) -> None:
        self._served = served
        self._secret = secrets.token_bytes(32)
        self._path = folder / uid / NAME
        self._listener = Listener()  # of the system's own kind, in a folder of this user's own
        self._sign = Sign(uid, port, virtual, str(self._listener.address), self._secret.hex())
        self._guests: set[Connection[bytes, bytes]] = set()
        self._lock = threading.Lock()
        self._closed = False
        try:
            write(self._path, self._sign)
        except BaseException:
            self._listener.close()
            raise
        threading.Thread(target=self._wait, name="door", daemon=True).start()

    def at(self, port: str) -> None:
        """Note the port on which the board has come back."""
        if port and port != self._sign.port:
            self._sign = Sign(self._sign.uid, port, self._sign.virtual, self._sign.address, self._sign.secret)
            write(self._path, self._sign)

    def close(self) -> None:
        """Admit no more guests, and disconnect all."""
        self._closed = True
        with contextlib.suppress(OSError):
            self._path.unlink()
        with contextlib.suppress(OSError, EOFError):
            Client(self._sign.address).close()  # has the waiting thread look up
        self._listener.close()
        with self._lock:
            guests = list(self._guests)
        for guest in guests:
            _close(guest)

    def _wait(self) -> None:
        while not self._closed:
            try:
                guest = self._listener.accept()
            except OSError:
                time.sleep(ACCEPT_AGAIN_S)  # the system has no more files, say
                continue
            with self._lock:
                full = self._closed or len(self._guests) >= MOST_GUESTS
                if not full:
                    self._guests.add(guest)
            if full:
                _close(guest)
            else:
                threading.Thread(target=self._serve, args=(guest,), name="guest", daemon=True).start()

    def _serve(self, guest: Connection[bytes, bytes]) -> None:
        try:
            deliver_challenge(guest, self._secret)
            answer_challenge(guest, self._secret)
            Visit(self._served, guest).run()
        except (OSError, EOFError, AuthenticationError, ValueError, AssertionError, CribboardError):
            pass  # gone, or a stranger (the library asserts what others send), or the board has just gone
        finally:
            with self._lock:
                self._guests.discard(guest)
            _close(guest)


class Visit:
    """One guest: its requests are carried out one by one, and it receives everything that happens meanwhile."""

    def __init__(self, served: Served, guest: Connection[bytes, bytes]) -> None:
        self._served = served
        self._guest = guest
        self._unread: queue.Queue[Message | None] = queue.Queue(MOST_UNREAD)

    def run(self) -> None:
        """Serve the guest until it disconnects."""
        leave, welcome = self._result(self._served.submit(self._enter))
        deaf = self._served.listen(self._told)
        try:
            self._send(welcome)
            threading.Thread(target=self._write, name="to guest", daemon=True).start()
            while True:
                self._send(self._answer(decode(self._guest.recv_bytes(MOST_BYTES))))
        finally:
            leave()
            deaf()
            with contextlib.suppress(queue.Full):
                self._unread.put_nowait(None)

    def _enter(self, table: Table) -> tuple[Callable[[], None], Message]:
        def heard(happened: Happened) -> None:
            self._send({"happened": happened_told(happened), "names": table.board.names})

        return self._served.follow(heard), state_told(table.board)

    def _told(self, news: News) -> None:
        if news.kind == "notice":
            self._send({"notice": news.data["text"]})

    def _answer(self, asked: Message) -> Message:
        do, args, number = asked.get("do"), asked.get("args"), asked.get("id")
        if not isinstance(do, str) or not isinstance(args, list):
            raise ValueError("no request")

        def work(table: Table) -> tuple[Any, Message]:
            def command(op: str, *values: Any, **more: Any) -> Happened:
                return table.command(op, *values, by=BY, **more)

            return perform(table.board, command, do, args), state_told(table.board)

        try:
            answer, state = self._result(self._served.submit(work))
        except OrderError as error:
            return {"id": number, "error": error_told(TransportError(error.message, error.hint))}
        except CribboardError as error:
            return {"id": number, "error": error_told(error)}
        except (ValueError, TypeError, IndexError, AttributeError, KeyError):
            return {"id": number, "error": ["argument", "this cannot be asked", ""]}
        return {"id": number, "answer": answer, **state}

    def _result(self, future: Future[Any]) -> Any:
        return future.result(SERVICE_ANSWERS_S)

    def _send(self, message: Message) -> None:
        """Queue a message; a guest that does not read is disconnected, so that nobody waits for it."""
        try:
            self._unread.put_nowait(message)
        except queue.Full:
            _close(self._guest)

    def _write(self) -> None:
        with contextlib.suppress(OSError):
            while (message := self._unread.get()) is not None:
                self._guest.send_bytes(encode(message))


def _close(guest: Connection[bytes, bytes]) -> None:
    """Disconnect a guest, from any thread; this also ends a waiting read."""
    with contextlib.suppress(OSError), socket.socket(fileno=os.dup(guest.fileno())) as ended:
        ended.shutdown(socket.SHUT_RDWR)
    with contextlib.suppress(OSError):
        guest.close()


# A board whose port another program of this user holds, through that program's door.

KEPT = 1000
WELCOME_S = 10.0
DOOR_ANSWERS_S = 70.0  # the service gives up before
AWAY_S = 10.0  # a service that was killed is started again by then
DIAL_AGAIN_S = 0.2
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
            time.sleep(DIAL_AGAIN_S)

    def _asked(self, do: str, args: list[Any]) -> Any:
        assert self._door is not None  # noqa: S101 (the caller has knocked)
        self._number += 1
        self._door.send_bytes(encode({"id": self._number, "do": do, "args": args}))
        while True:
            if not self._door.poll(DOOR_ANSWERS_S):
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
        time.sleep(min(DIAL_AGAIN_S, seconds))
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
