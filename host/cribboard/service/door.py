"""The local door: through it this user's other commands reach a board whose port a service holds.

Its address and its secret are in a file that only this user can read, beside what is noted of the board.
"""

from __future__ import annotations

import contextlib
import os
import queue
import secrets
import socket
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from multiprocessing import AuthenticationError
from multiprocessing.connection import Client, Connection, Listener, answer_challenge, deliver_challenge
from pathlib import Path
from typing import Any, Protocol

from cribboard.board.follow import Happened
from cribboard.errors import CribboardError, TransportError
from cribboard.service.news import Listener as NewsListener
from cribboard.service.news import News
from cribboard.service.orders import OrderError
from cribboard.service.sign import NAME, Sign, write
from cribboard.service.speech import (
    MOST_BYTES,
    Message,
    decode,
    encode,
    error_told,
    happened_told,
    perform,
    state_told,
)
from cribboard.service.table import Table

MOST_GUESTS = 32
MOST_UNREAD = 1000  # messages that a guest leaves unread before it is shown out
ANSWER_S = 60.0
AGAIN_S = 0.1
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
                time.sleep(AGAIN_S)  # the system has no more files, say
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
            pass  # gone, or none of ours (the library asserts what others send), or the board has just gone
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
        return future.result(ANSWER_S)

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
