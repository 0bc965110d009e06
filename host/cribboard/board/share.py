"""A board that several programs of one user share: the one that holds the port passes the frames of the others on.

It opens a local door. Each program that comes in is a `Board` with notes and sessions of its own. What the board
answers goes to whoever asked, what it says unasked to everybody.
"""

from __future__ import annotations

import contextlib
import json
import os
import queue
import random
import secrets
import socket
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from multiprocessing import AuthenticationError
from multiprocessing.connection import Client, Connection, Listener, answer_challenge, deliver_challenge
from pathlib import Path

from cribboard.board.link import Message, Nobody
from cribboard.board.messages import is_plain
from cribboard.board.transport import READ_WAIT_S, SerialTransport, Transport
from cribboard.errors import CribboardError, TransportError
from cribboard.files import from_json, read_file, write_whole
from cribboard.typed import DAMAGE
from cribboard_core.events import COMMANDS
from cribboard_core.wire import MAX_FRAME, Lines, decode, encode

NAME = "door.json"
QUERIES = ("hello", "state", "last", "events", "pend", "choose")
NUMBERS = range(100, 256)  # of queries on the wire: no shorter than a program's own, so that no answer gets too long
MOST_GUESTS = 32
MOST_UNREAD = 1000  # frames that a guest leaves unread before it is disconnected
MOST_MADE = 64  # newest commands of guests
ACCEPT_AGAIN_S = 0.1
WELCOME_S = 10.0
CONNECT_S = 1.0  # a program that was stopped takes no one in
LENT_S = 0.3
MOST_SAID = 1000  # bytes of the welcome
Tag = tuple[int, int]
GONE = (OSError, EOFError, AuthenticationError, ValueError, AssertionError)


@dataclass(frozen=True)
class Endpoint:
    """The contents of a door's file, which only this user can read: what is behind it, and the secret that opens it."""

    uid: str
    port: str
    virtual: bool
    address: str
    secret: str


def doors(folder: Path) -> Iterator[Endpoint]:
    """The doors that files name; some may no longer be served."""
    for path in sorted(folder.glob(f"*/{NAME}")):
        try:
            if os.name == "posix" and (path.stat().st_mode & 0o077 or path.stat().st_uid != os.getuid()):
                continue  # others could have written it
            entry = from_json(read_file(path))
            texts = [entry[name] for name in ("uid", "port", "address", "secret")]
        except (OSError, *DAMAGE):
            continue
        if all(isinstance(text, str) for text in texts) and texts[0] == path.parent.name:
            uid, port, address, secret = texts
            yield Endpoint(uid, port, entry.get("virtual") is True, address, secret)


def is_served(sign: Endpoint) -> bool:
    """Whether a program serves a door."""
    try:
        _connect(sign.address).close()
    except (OSError, ValueError):
        return False
    return True


def write(path: Path, sign: Endpoint) -> None:
    """Write a door's file, in place of an earlier one."""
    write_whole(path, json.dumps(vars(sign)))


@dataclass(eq=False)
class Program:
    """One that uses the board: `tell` takes frames for it. What it waits for, as (op, number) or as a command's tag."""

    tell: Callable[[bytes], None]
    asks: tuple[object, object] = ("", 0)
    number: int = 0  # of its query on the wire


class Exchange:
    """A port for the program that holds it, which others share; `ask`, `enter` and `leave` are for any thread.

    `made` keeps the newest commands of guests by their tags. `on_end` is called when the port is gone.
    """

    def __init__(self, port: Transport, made: dict[Tag, Message], on_end: Callable[[], None] = lambda: None) -> None:
        self.name = port.name
        self._port = port
        self._made = made
        self._on_end = on_end
        self._own: list[bytes] = []
        self._holder = Program(self._own.append)
        self._programs = [self._holder]
        self._lines = Lines()
        self._number = random.choice(NUMBERS)  # noqa: S311 (not the number of an earlier program's query)
        self._lock = threading.Lock()

    def read(self) -> bytes:
        """What has arrived for the holder; guests are given theirs."""
        try:
            data = self._port.read()
        except TransportError:
            self._on_end()
            raise
        return self.hand_out(data) if data else data

    def write(self, data: bytes) -> None:
        """Send a frame of the holder's."""
        self.ask(data, self._holder)

    def close(self) -> None:
        """Let go of the port."""
        self._on_end()
        self._port.close()

    def wake(self) -> None:
        """Have a read that waits, or the next one, return; from another thread."""
        self._port.wake()

    def enter(self, guest: Program) -> None:
        """Let a guest hear."""
        with self._lock:
            self._programs.append(guest)

    def leave(self, guest: Program) -> None:
        """Let it hear no more."""
        with self._lock:
            self._programs.remove(guest)

    def ask(self, frame: bytes, program: Program) -> None:
        """Send a program's frame to the board, a query under a number that no other one waits for.

        Raises ValueError for what is no request, TransportError when the port is gone.
        """
        message: Message | None = decode(frame)
        if message is None or [type(item) for item in message[:2]] != [str, int]:
            raise ValueError("no request")
        op, number = message[:2]
        with self._lock:
            if op in QUERIES:
                # A query that is sent again keeps its number, so that a late answer to the first sending still counts.
                if program.asks != (op, number):
                    program.asks, program.number = (op, number), self._next()
                frame = encode([op, program.number, *message[2:]])
            elif op in COMMANDS and [type(item) for item in message[2:3]] == [int]:
                program.asks, program.number = (number, message[2]), 0
                if program is not self._holder:
                    self._made[number, message[2]] = message
                    if len(self._made) > MOST_MADE:
                        del self._made[next(iter(self._made))]
            else:
                raise ValueError("no request")
            self._port.write(frame)

    def hand_out(self, data: bytes) -> bytes:
        """Give everybody what the board says to them; returns the holder's part."""
        with self._lock:
            for message in self._lines.feed(data):
                if message and is_plain(message):
                    self._pass_on(message)
            own = b"".join(self._own)
            self._own.clear()
        return own

    def _pass_on(self, message: Message) -> None:
        """To whoever waits for an answer, or else nobody; what is no answer goes to all."""
        programs, op, rest = self._programs, message[0], message[1:]
        # With a session it answers a command; a `no` to a query has 0 in its place.
        if op in ("ok", "no") and rest[:1] != [0]:
            programs = [one for one in programs if [*one.asks] == rest[:2] and not one.number]
        elif op == "no" or (op in QUERIES and rest[:1] != [-1]):
            at = 1 if op == "no" else 0
            programs = [one for one in programs if one.number and rest[at : at + 1] == [one.number]]
            for one in programs:
                rest[at], one.asks, one.number = one.asks[1], ("", 0), 0
        frame = encode([op, *rest])
        for one in programs:
            one.tell(frame)

    def _next(self) -> int:
        taken = {one.number for one in self._programs}
        later = (NUMBERS[(self._number - NUMBERS.start + step) % len(NUMBERS)] for step in range(1, len(NUMBERS)))
        self._number = next(number for number in later if number not in taken)
        return self._number


class SharedPort:
    """Lets guests in from `open` to `close`; the holder's port has to be `shared` before.

    When the port is gone everybody is disconnected, to come again. While `away` gives a reason why the board cannot be
    heard, those who come are told that, and the others are not heard: after each break the holder itself comes first.
    """

    def __init__(
        self, folder: Path, uid: str, port: str, virtual: bool, away: Callable[[], CribboardError | None]
    ) -> None:
        self.made: dict[Tag, Message] = {}  # the newest commands of guests
        self._exchange: Exchange | None = None
        self._away = away
        self._secret = secrets.token_bytes(32)
        self._path = folder / uid / NAME
        self._listener = Listener(backlog=2 * MOST_GUESTS)  # of the system's own kind, in a folder of this user's own
        self._sign = Endpoint(uid, port, virtual, str(self._listener.address), self._secret.hex())
        self._doors: set[Connection[bytes, bytes]] = set()
        self._lock = threading.Lock()
        self._closed = False

    def open(self) -> None:
        """Put up the sign and wait for guests; raises CribboardError when that cannot be written."""
        try:
            write(self._path, self._sign)
        except BaseException:
            self._listener.close()
            raise
        threading.Thread(target=self._wait, name="door", daemon=True).start()

    def shared(self, port: Transport) -> Transport:
        """The port, for the program that holds it."""
        if port.name != self._sign.port:
            self._sign = replace(self._sign, port=port.name)
            with contextlib.suppress(CribboardError):
                write(self._path, self._sign)
        self._exchange = Exchange(port, self.made, self._part)
        return self._exchange

    def close(self) -> None:
        """Admit no more guests, and disconnect all."""
        self._closed = True
        with contextlib.suppress(OSError):
            self._path.unlink()
        with contextlib.suppress(OSError, EOFError):
            _connect(self._sign.address).close()  # has the waiting thread look up
        self._listener.close()
        self._part()

    def _part(self) -> None:
        with self._lock:
            doors = list(self._doors)
        for door in doors:
            _close(door)

    def _wait(self) -> None:
        while not self._closed:
            try:
                door = self._listener.accept()
            except OSError:
                time.sleep(ACCEPT_AGAIN_S)  # the system has no more files, say
                continue
            with self._lock:
                full = self._closed or len(self._doors) >= MOST_GUESTS
                if not full:
                    self._doors.add(door)
            try:
                if not full:
                    threading.Thread(target=self._serve, args=(door,), name="guest", daemon=True).start()
            except RuntimeError:  # the system has no more threads
                full = True
            if full:
                with self._lock:
                    self._doors.discard(door)
                _close(door)

    def _serve(self, door: Connection[bytes, bytes]) -> None:
        unread: queue.Queue[bytes | None] = queue.Queue(MOST_UNREAD)

        def tell(frame: bytes) -> None:
            try:
                unread.put_nowait(frame)
            except queue.Full:  # it does not read, and nobody waits for it
                _close(door)

        def write() -> None:
            with contextlib.suppress(OSError):
                while (frame := unread.get()) is not None:
                    door.send_bytes(frame)

        guest = Program(tell)
        try:
            deliver_challenge(door, self._secret)
            answer_challenge(door, self._secret)
            away, exchange = self._away(), self._exchange
            door.send_bytes(json.dumps([away.message, away.hint] if away else []).encode())
            if away is None and exchange is not None:
                exchange.enter(guest)
                threading.Thread(target=write, name="to guest", daemon=True).start()
                try:
                    while frame := door.recv_bytes(MAX_FRAME):
                        if self._away() is None:
                            exchange.ask(frame, guest)
                finally:
                    exchange.leave(guest)
        except (*GONE, CribboardError):
            pass  # gone, or a stranger (the library asserts what others send), or the board has just gone
        finally:
            with self._lock:
                self._doors.discard(door)
            _close(door)
            with contextlib.suppress(queue.Full):
                unread.put_nowait(None)


class Guest:
    """A guest's way to the board behind a door. Entering raises Nobody, or the reason why the board cannot be heard."""

    def __init__(self, sign: Endpoint) -> None:
        self.name = sign.port
        try:
            self._door = _connect(sign.address)
        except (OSError, ValueError) as error:
            raise _ended() from error
        try:
            secret = bytes.fromhex(sign.secret)
            self._wait()
            # In the opposite order of the door's, or both would wait. The library's challenges wait for ever: `_wait`
            # gives up on a program that was stopped.
            answer_challenge(self._door, secret)
            deliver_challenge(self._door, secret)
            self._wait()
            away = json.loads(self._door.recv_bytes(MOST_SAID))
        except GONE as error:
            self._door.close()
            raise _ended() from error
        if away:
            self._door.close()
            raise TransportError(*map(str, away))

    def read(self) -> bytes:
        """What has arrived; waits a little for a first frame. Raises Nobody when the holder has ended."""
        try:
            data = b""
            while self._door.poll(0.0 if data else READ_WAIT_S):
                data += self._door.recv_bytes(MAX_FRAME)
        except GONE as error:
            if not data:
                raise _ended() from error
        return data

    def write(self, data: bytes) -> None:
        """Send a frame."""
        try:
            self._door.send_bytes(data)
        except GONE as error:
            raise _ended() from error

    def close(self) -> None:
        """Leave."""
        self._door.close()

    def wake(self) -> None:
        """Nothing: no read waits for long."""

    def _wait(self) -> None:
        if not self._door.poll(WELCOME_S):
            raise EOFError


class Borrowed(SerialTransport):
    """A port that nobody holds, for a guest's questions: closed soon after the last one, for the next holder."""

    def __init__(self, name: str, on_close: Callable[[], None] = lambda: None) -> None:
        super().__init__(name)
        self._on_close = on_close
        self._until = time.monotonic() + LENT_S
        self._ended = threading.Event()
        self._lock = threading.Lock()
        threading.Thread(target=self._expire, name="borrowed", daemon=True).start()

    def read(self) -> bytes:
        """What has arrived, waiting a little for a first byte; raises Nobody when the port is closed."""
        with self._lock:
            self._check()
            return super().read()

    def write(self, data: bytes) -> None:
        """Send all of these bytes, and keep the port a little longer."""
        with self._lock:
            self._check()
            self._until = time.monotonic() + LENT_S
            super().write(data)

    def close(self) -> None:
        """Let go of the port."""
        with self._lock:
            self._ended.set()
            super().close()
        self._on_close()

    def _check(self) -> None:
        if self._ended.is_set():
            raise _ended()

    def _expire(self) -> None:
        while (left := self._until - time.monotonic()) > 0 and not self._ended.wait(left):
            pass
        self.close()


def _connect(address: str) -> Connection[bytes, bytes]:
    """A connection to a door; raises OSError or ValueError when no program serves it, or takes nobody in."""
    if address.startswith("\\\\"):  # a pipe of Windows
        return Client(address)
    with socket.socket(socket.AF_UNIX) as way:
        way.settimeout(CONNECT_S)
        way.connect(address)
        way.settimeout(None)
        return Connection(way.detach())


def _ended() -> Nobody:
    return Nobody("the program that uses the board has ended", "try again")


def _close(door: Connection[bytes, bytes]) -> None:
    """Disconnect a guest, from any thread; this also ends a waiting read."""
    # Shut down first: closing alone leaves another thread's read waiting.
    with contextlib.suppress(OSError), socket.socket(fileno=os.dup(door.fileno())) as ended:
        ended.shutdown(socket.SHUT_RDWR)
    with contextlib.suppress(OSError):
        door.close()
