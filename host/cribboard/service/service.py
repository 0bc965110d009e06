"""The service of one board: a thread that holds its port, carries out orders one by one, and reports news."""

from __future__ import annotations

import logging
import queue
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal, TypeVar

from cribboard.board.client import Board
from cribboard.board.messages import Chosen
from cribboard.board.share import SharedPort
from cribboard.errors import CribboardError, Notice, TransportError
from cribboard.files import home
from cribboard.service.computer import ComputerEntry
from cribboard.service.execute import OrderHandler
from cribboard.service.latest_view import LatestView
from cribboard.service.orders import Order, OrderError, read_order
from cribboard.service.quiet import QuietHours, Silencer
from cribboard.service.restraint import Alone
from cribboard.service.table import Table
from cribboard.service.view import AnswerEntry, LinesEntry, OutcomeEntry, View, away_words
from cribboard.service.writer import FORGETS, Record, Trouble
from cribboard.store import Store
from cribboard.store.jumps import uptime

log = logging.getLogger(__name__)

Kind = Literal["state", "happened", "notice", "forget"]


@dataclass(frozen=True)
class News:
    """One piece of news; ids go up by one."""

    id: int
    kind: Kind
    data: Mapping[str, object]


Listener = Callable[[News], None]


class Newsroom:
    """Calls listeners with each piece of news, in order, in the thread of `tell`."""

    def __init__(self) -> None:
        self._listeners: list[Listener] = []
        self._lock = threading.Lock()
        self._newest = 0

    def tell(self, kind: Kind, data: Mapping[str, object]) -> None:
        """Pass news to the listeners; "forget" says that none of what came before may be shown again."""
        with self._lock:
            self._newest += 1
            news = News(self._newest, kind, data)
            listeners = list(self._listeners)
        for listener in listeners:
            listener(news)

    def listen(self, listener: Listener) -> Callable[[], None]:
        """Call `listener` with all news from now on; returns a function that ends this."""
        with self._lock:
            self._listeners.append(listener)

        def leave() -> None:
            with self._lock:
                if listener in self._listeners:
                    self._listeners.remove(listener)

        return leave


GIVE_UP_S = 3.0  # a virtual board that somebody starts again is there by then
AGAIN_S = 1.0  # after a board could not be opened
KEEP_AGAIN_S = 5.0  # after the disk has refused something
MOST_WAITING = 200  # orders; phones send one at a time

Result = TypeVar("Result")
Opener = Callable[[Callable[[str], None]], AbstractContextManager[Board]]


class Service:
    """The only writer to a board. `start` it; `view` is the newest view; orders and listeners may come from any thread.

    `second` is a folder on another disk, for what neither the store nor the user's own folder can take. `called` gives
    what a phone is called in the history, `is_alone` whether nobody could answer it.
    """

    def __init__(
        self,
        number: int,
        open_board: Opener,
        store: Store | None,
        name: str = "",
        *,
        virtual: bool = False,
        second: Path | None = None,
        quiet: QuietHours | None = None,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
        clock: Callable[[], float] = uptime,
        called: Callable[[str], str] = lambda by: by,
        is_alone: Alone = lambda by, own: False,
    ) -> None:
        self.number = number
        self._called = called
        self._is_alone = is_alone
        self.virtual = virtual
        self._open_board = open_board
        self._now = now
        self._quiet = quiet
        self._shown = LatestView(number, name or f"Table {number}", virtual, now, clock)
        self._record = Record(store, self._notice, second)
        self._newsroom = Newsroom()
        self._jobs: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._table: Table | None = None  # while the board is open
        self._handler: OrderHandler | None = None
        self._door: SharedPort | None = None
        self._away: CribboardError | None = TransportError("looking for the board", "")
        self._gone_s = 0.0  # since when a virtual board is away
        self._failed: CribboardError | None = None  # what the disk has refused
        self._again_s = 0.0
        self.tried = threading.Event()  # the board has been opened, or could not be, for the first time
        self._turn: Callable[[], None] | None = None  # to another board, as soon as this one is closed
        self._ending = threading.Event()
        self._thread: threading.Thread | None = None
        self._refresh()

    def start(self) -> None:
        """Start the thread; it waits as long as needed for a board that is away."""
        self._record.start()
        self._thread = threading.Thread(target=self._run, name=f"board {self.number}", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Finish the current order, then release the board."""
        self._ending.set()
        self._wake()
        if self._thread is not None:
            self._thread.join()
        self._record.close()

    @property
    def view(self) -> View:
        """The newest view of board and game."""
        return self._shown.view

    def order(self, order: object, by: str, address: str = "") -> Future[OutcomeEntry]:
        """Carry out an order, once for each key. Raises OrderError for a malformed one; the Future has the rest.

        `address` is the sender's, empty where it does not tell devices apart.
        """
        read = read_order(order)
        return self.submit(lambda table: self._ordered(read, by, address))

    def answer(self, key: str) -> Future[AnswerEntry]:
        """The answer to the order with this key, as from `order`; `rev` is None when it has not counted."""

        def answered(table: Table) -> AnswerEntry:
            assert self._handler is not None  # noqa: S101 (the board is open)
            rev, text = self._handler.answer(key) or (None, "")
            return {"rev": rev, "text": text, "version": self.view.version}

        return self.submit(answered)

    def choose(self, brightness: int | None, sound: int | None, commit_s: int | None) -> Future[Chosen]:
        """Change how bright and loud the board is and when it commits, as `Board.choose` does; None stays."""
        return self.submit(lambda table: table.board.choose(brightness, sound, commit_s))

    def play(self, order: Mapping[str, object], by: str, name: str = "") -> Future[ComputerEntry]:
        """Begin a game against the computer for somebody called `name`, or do in it what its phone wants."""

        def played(table: Table) -> ComputerEntry:
            self._shown.touch()
            if "begin" in order:
                table.opponent.begin(order, by, name)
            else:
                table.opponent.do(order, by)
            self._publish()
            return table.opponent.entry(by)

        return self.submit(played)

    def played(self, by: str) -> Future[ComputerEntry]:
        """The game against the computer as a phone sees it."""
        return self.submit(lambda table: table.opponent.entry(by))

    def lines(self) -> Future[LinesEntry]:
        """The lines of the game that is on, each of which can be corrected."""
        return self.submit(Table.lines)

    def leave(self, by: str) -> None:
        """Remove the waiting points of somebody whose page has closed; may be called in any thread."""
        carrier = self._handler
        if carrier is not None:
            self.submit(lambda table: carrier.leave(by))

    def submit(self, work: Callable[[Table], Result]) -> Future[Result]:
        """Run `work` in the service's thread, with the table; the Future fails when the board is not open."""
        future: Future[Result] = Future()

        def job() -> None:
            if not future.set_running_or_notify_cancel():
                return
            try:
                result = work(self._opened())
                self._publish()
            except BaseException as error:
                future.set_exception(error)
            else:
                future.set_result(result)

        with self._lock:
            if self._table is None:
                future.set_exception(self._gone())
            elif self._jobs.qsize() >= MOST_WAITING:
                future.set_exception(OrderError("busy", "too many orders are waiting", "send it again", 503))
            else:
                self._jobs.put(job)
        self._wake()
        return future

    def turn(self, work: Callable[[bool | None], Opener]) -> Future[None]:
        """Close the board, do `work`, and go on with the board that its opener opens; if it fails, with this one.

        `work` gets whether the history has all of this board, None without a history.
        """
        future: Future[None] = Future()

        def turned() -> None:
            try:
                self._open_board = work(self._record.written())
            except BaseException as error:
                future.set_exception(error)
            else:
                future.set_result(None)

        with self._lock:
            if self._turn is not None or self._ending.is_set():
                future.set_exception(OrderError("busy", "this table is changing its board", "wait a moment", 503))
            else:
                self._turn = turned
        self._wake()
        return future

    def listen(self, on_news: Listener) -> Callable[[], None]:
        """Call `on_news` with all news, in order, in the service's thread; returns a function that ends this."""
        return self._newsroom.listen(on_news)

    @property
    def is_open(self) -> bool:
        """Whether the board is open; it may still be away."""
        return self._table is not None

    @property
    def away(self) -> CribboardError | None:
        """The error with which the board is away; None when it answers."""
        table = self._table
        return self._away if table is None else table.board.away

    @property
    def unwritten(self) -> CribboardError | None:
        """Why something of this table is in memory alone, and a restart forgets it; None when nothing is."""
        table = self._table
        return table.unwritten if table is not None else None

    @property
    def trouble(self) -> Trouble | None:
        """Why the history of this board cannot be written, None when it can."""
        return self._record.trouble

    def notice(self, text: str) -> None:
        """Tell all pages of this table."""
        self._notice(text)

    def rename(self, name: str) -> None:
        """Give the table another name."""
        self._shown.name = name
        self._wake()

    def rename_player(self, before: Sequence[str], after: str) -> Future[None] | None:
        """Rename a player, to guest if `after` is empty. While the board is closed: empty its view, return None."""
        if not self.is_open:
            self._shown.empty()
            return None

        def renamed(table: Table) -> None:
            table.rename(before, after)
            if self._handler is not None:
                self._handler.forget()
            self._newsroom.tell("forget", {})

        return self.submit(renamed)

    def _ordered(self, order: Order, by: str, address: str) -> OutcomeEntry:
        assert self._handler is not None  # noqa: S101 (the board is open)
        self._shown.touch()
        table = self._opened()
        rev, text = table.opponent.again() if table.opponent.check(order, by) else self._handler.do(order, by, address)
        kept = self._publish()
        return {"rev": rev, "text": text, "version": self.view.version, "kept": kept}

    def _run(self) -> None:
        while not self._ending.is_set():
            try:
                if self._turn is not None:
                    self._turn()
                    self._turn = None
                with self._open_board(self._notice) as board:
                    self._serve(board)
            except CribboardError as error:
                self._lost(error)
            except Exception as error:  # a mistake of the program must not end the evening
                self._lost(CribboardError(f"this should not have happened: {type(error).__name__}: {error}"))
            self.tried.set()
            if self._turn is None:
                self._ending.wait(AGAIN_S)

    def _serve(self, board: Board) -> None:
        table = Table(board, called=self._called, is_alone=self._is_alone)
        self._handler = OrderHandler(table)
        self._away = None
        with self._lock:
            self._table = table
        try:
            self._record.open(table)
            self._open_door(table)
            self.tried.set()
            silencer = Silencer(self._quiet, board) if self._quiet is not None else None
            self._handler.tick()
            table.opponent.tick()
            self._refresh()
            while not (self._ending.is_set() or self._turn):
                try:
                    job = self._jobs.get_nowait()
                except queue.Empty:
                    board.poll()
                    # Not `or`: both have to tick.
                    self._publish(refresh=self._handler.tick() | table.opponent.tick())
                else:
                    job()
                    board.notice_silence()
                    self._publish()
                if silencer is not None:
                    silencer.tick()
                self._look_at_disk(table)
                self._give_up(board)
        finally:
            table.opponent.close()
            if self._door is not None:
                self._door.close()
                self._door = None
            with self._lock:
                self._table = self._handler = None
                left = [self._jobs.get() for _ in range(self._jobs.qsize())]
            self._away = self._away or TransportError("the board is not open", "")
            # Run without a table they say that the board is gone; else somebody would wait for their answer for ever.
            for job in left:
                job()

    def _look_at_disk(self, table: Table) -> None:
        """Try again what could not be written, and say when that begins and ends."""
        failed = table.unwritten
        if failed is not None and time.monotonic() >= self._again_s:
            table.keep_again()
            self._again_s = time.monotonic() + KEEP_AGAIN_S
            failed = table.unwritten
        if (failed is None) != (self._failed is None):
            why = f"; {failed}" if failed is not None else ""
            said = FORGETS if failed is not None else "the kiosk saves again what happens"
            self._notice(Notice(f"{said}{why}", said))
        self._failed = failed

    def _give_up(self, board: Board) -> None:
        """Raise the error of a virtual board that is away too long: nobody plugs it in, so another one is opened."""
        if board.away is None or not self.virtual:
            self._gone_s = 0.0
            return
        now = time.monotonic()
        self._gone_s = self._gone_s or now
        if now - self._gone_s > GIVE_UP_S:
            self._gone_s = 0.0
            raise board.away

    def _open_door(self, table: Table) -> None:
        board = table.board
        try:
            door = SharedPort(home() / "boards", board.hello.uid, board.port, self.virtual, lambda: board.away)
            board.through(door.shared)
            door.open()
        except (CribboardError, OSError) as error:
            self._notice(Notice(f"other commands cannot reach this board: {error}"))
        else:
            self._door, table.guests = door, door.made

    def _publish(self, *, refresh: bool = True) -> bool | None:
        """Report what has happened and the new view; returns whether the history has it, None without one."""
        table = self._opened()
        lost = table.has_lost()
        fresh, table.fresh = table.fresh, []
        notices, table.notices = table.notices, []
        for _, news in fresh:
            self._shown.touch()
            self._newsroom.tell("happened", news)
        for news in notices:
            self._newsroom.tell("happened", news)
        if fresh or lost:
            self._record.add(table, fresh, lost, self._now())
        self._record.pass_on()
        if refresh or fresh or lost or self._shown.is_stale(table):
            self._refresh()
        return self._record.written()

    def _refresh(self) -> None:
        """Make the view again, and report it if it has changed."""
        state = self._shown.refresh(self._table, self._away)
        if state is not None:
            self._newsroom.tell("state", state)

    def _lost(self, error: CribboardError) -> None:
        self._away = error
        self._refresh()

    def _notice(self, text: str) -> None:
        """Tell everybody; of a Notice, what guests may read, and the rest to the kiosk's terminal."""
        if isinstance(text, Notice):
            log.warning("%s: %s", self._shown.name, text)
            text = text.public
        if text:
            self._newsroom.tell("notice", {"text": text[:1].upper() + text[1:] + "."})

    def _opened(self) -> Table:
        if self._table is None:
            raise self._gone()
        return self._table

    def _gone(self) -> OrderError:
        away = self._away or TransportError("the board is away")
        return OrderError("away", *away_words(away, self.virtual), status=503)

    def _wake(self) -> None:
        """Interrupt the thread's wait for the board."""
        table = self._table
        if table is not None:
            table.board.wake()
