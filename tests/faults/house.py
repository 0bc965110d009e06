"""The whole house in one process, on a clock that moves only when somebody waits: one seed is one run, always the same.

    python -m faults.house --events 20000 --seed 1

(in the folder tests). The whole firmware with its lights and buttons over a small flash; a cable with every fault; the
kiosk's real service with its screens and its history in a file; phones, other programs that come in by its door, a
terminal that takes over while the kiosk is down, hands at the buttons. Power, flash, disk, clock and all programs fail
at any moment. What was applied is noted beside the board. Each answer, each screen and the history are held against
that; the exit status is 1 if one is wrong.
"""

from __future__ import annotations

import argparse
import contextlib
import functools
import json
import os
import queue
import random
import sqlite3
import sys
import tempfile
import time
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from unittest import mock

from faults import at_rest, soak
from faults.cable import BoardPort, Cable, HostDied
from faults.ends import SCRATCH, UID
from faults.house_nights import Nights
from faults.pipes import Rates
from firmware.rig import PLUS_1, PLUS_5

from cribboard.board import exactly_once, share
from cribboard.board.client import Board
from cribboard.board.commands import can_have_made
from cribboard.board.ledger import Ledger, unsettled
from cribboard.board.link import Nobody
from cribboard.board.messages import Standing
from cribboard.board.share import Exchange, Program
from cribboard.board.transport import Transport
from cribboard.errors import CommandError, CribboardError, TransportError
from cribboard.service import night_plan, writer
from cribboard.service import service as service_module
from cribboard.service.execute import OrderHandler
from cribboard.service.orders import OrderError
from cribboard.service.service import Service
from cribboard.service.table import Table
from cribboard.service.writer import History
from cribboard.sim.flash import Cut, Flash, PowerCut
from cribboard.slots import newest
from cribboard.store import Store, open_store, write
from cribboard.store.errors import StoreError
from cribboard.store.losses import Cut as Lost
from cribboard.store.losses import Journal, stand
from cribboard.store.report import Report
from cribboard.store.stored import StoredEvent
from cribboard_core import gap, mount, records
from cribboard_core import journal as core_journal
from cribboard_core.events import DEAL, RESTORE
from cribboard_fw.keeper import Keeper

SIZES = ((3, 10, 12), (8, 40, 24), (16, 112, 24))  # pages of the journal, a long game's events, slots before its first
FEW_IDS = (5, 12, 127)  # the last of a session; guests have others behind it
NEAR = 6  # sessions lie so far apart at most
ONE_SNAPSHOT = ("one bit", "bits of the newest record")  # what costs nothing untold where there is no room for a copy
AT_REST = (*ONE_SNAPSHOT, "two bits of an old record", "a page")
COPIED = 6  # pages of a journal with two snapshots
LEFT = ("away", "busy", "unknown")  # refusals that do not say what became of an order
PHONES = 3
COMES = 0.01  # a guest, in a wait of the kiosk's
GUEST_DIES = 0.05  # as it sends a frame of a command
STILL_MS = 3_600_000
BASE = datetime(2026, 1, 1, tzinfo=UTC)


class Wrong(BaseException):
    """Somebody was given something that is not so. Not an Exception: no program in the house may catch it."""


class SmallFlash(Flash):
    """A flash of which the journal may use some pages."""

    def __init__(self, pages: int, memory: bytearray | None = None) -> None:
        super().__init__(memory)
        self.pages = pages

    def __len__(self) -> int:
        return 256 * self.pages


@dataclass
class Applied:
    """An event that the board made. `gone`: a fault of the flash has taken it; `made`: as it read before one."""

    rev: int
    event: tuple[int, ...]
    session: int
    id: int
    gone: bool = False
    made: Applied | None = field(default=None, compare=False)

    @property
    def row(self) -> tuple[int, ...]:
        """What the history has of it."""
        return (*self.event, self.session, self.id)


class HouseBoard(soak.Table):
    """The board, and what is noted beside it: all that it ever did, how it ever stood, and what its flash has lost."""

    def __init__(self, pages: int) -> None:
        super().__init__()
        self.flash = SmallFlash(pages)
        self.applied: list[Applied] = []
        self.line: list[Applied] = []  # those that still count, by rev
        self.stood: set[Standing] = set()
        self.now: Standing | None = None
        self.risk = ""  # what has just been done to the flash
        self.on_loss: Callable[[list[Applied]], None] = lambda gone: None
        self.misread: tuple[bytes, bytes, int, int] | None = None  # as it was, as it reads, in which erase and event
        self.damaged = -1  # when the flash was damaged last, in erases
        self.twice = False  # whether it was damaged again before that
        self.missing = 0
        self.losses = 0
        self.starts: Counter[str] = Counter()
        self.on_applied = self.note

    def note(self, change: tuple[int, tuple[int, ...], int, int]) -> None:
        rev, event, session, number = change
        if self.now is not None and rev != self.now.rev + 1:
            raise Wrong(f"event {rev} follows {self.now.rev}")
        self.events += 1
        applied = Applied(rev, event, session, number)
        self.applied.append(applied)
        self.line.append(applied)
        self.stand()

    def stand(self) -> None:
        self.now = Standing.of(self.match)
        self.stood.add(self.now)

    def boot(self, port: BoardPort) -> None:
        self.read_right()
        try:
            super().boot(port)
        except PowerCut:  # while it wrote again what it had mended
            self.risk = self.risk or "a power cut"
            self.power_is_back()
            super().boot(port)
        before, risk, self.risk = self.now, self.risk, ""
        after, missing, self.missing = Standing.of(self.match), self.missing, self.keeper.journal.log.missing
        if risk == "one bit" and self.missing > missing:
            raise Wrong(f"one wrong bit has cost {self.missing - missing} events")
        if before is None or after == before:
            self.starts[f"{risk or 'a restart'}: as it was"] += 1
            self.now = after
            self.same_newest()
            self.stood.add(after)
            self.still_wrong()
            return
        if risk.startswith("a power cut") and after.rev == before.rev + 1:
            rows = [row for row in self.keeper.journal.records(before.rev) if row[0] == after.rev]
            if rows:
                self.note(rows[0][:4])
                self.starts[f"{risk}: the event came through"] += 1
                self.still_wrong()
                return
        if risk == "a second fault" and replace(after, game=before.game) == before:
            self.starts[f"{risk}: the right score, in another game"] += 1  # what a ruined restore had replaced is back
            self.stand()
            return
        log = self.keeper.journal.log
        if not (log.torn or log.lost or log.missing or not after.rev):
            raise Wrong(f"after {risk or 'a restart'} the board stands otherwise, and says nothing: {before}, {after}")
        fewer = before.rev - after.rev
        if risk == "one bit" and log.torn and not fewer:
            risk = "one bit of the newest record"  # its CRC looks half written, one time in a hundred
        if risk in ("", "one bit", "a power cut") or (risk == "bits of the newest record" and fewer > 1):
            raise Wrong(f"after {risk or 'a restart'} the board has lost {fewer} events")
        self.losses += 1
        self.starts[f"{risk}: lost, and says so"] += 1
        same = [one for one in self.line if one.rev <= after.rev] if after in self.stood else []
        gone = self.line[len(same) :]
        for one in gone:
            one.gone = True
        self.line = same
        self.on_loss(gone)
        self.stand()

    def still_wrong(self) -> None:
        """What has no room to be written again stays wrong until the next erase: another fault is the second one."""
        log = self.keeper.journal.log
        if len(log.kept) and log.kept[-1] in log.mended:
            self.damaged = self.flash.erases

    def same_newest(self) -> None:
        """The newest event is the one that the board made; if it reads otherwise, the board says so."""
        journal, newest = self.keeper.journal, self.line[-1:]
        for rev, event, session, number, *_ in journal.records(self.match.rev - 1):
            read = Applied(rev, tuple(event), session, number)
            if newest and newest[0].rev == rev and read != newest[0]:
                if not (journal.log.torn or journal.log.lost or journal.log.missing):
                    raise Wrong(f"the board reads {read} instead of {newest[0]}, and says nothing")
                read.made = newest[0].made or newest[0]
                self.line[-1] = read

    def step(self) -> int:
        erases = self.flash.erases
        try:
            return super().step()
        except PowerCut:
            self.risk = "a power cut in an erase" if self.flash.erases > erases else "a power cut"
            self.power_is_back()
            self.on_power_cut()
            return 0

    def power_is_back(self) -> None:
        """The flash takes writes again; a fault from before the cut is still there."""
        erased = self.flash.erases
        self.flash = SmallFlash(self.flash.pages, self.flash.memory)
        self.flash.erases = erased

    def damage(self, what: str, chance: random.Random) -> None:
        """Let the flash fail at rest; the next start meets it."""
        memory = self.flash.memory
        part = bytearray(memory[: 256 * self.flash.pages])
        was = bytes(part)
        if at_rest.used(part)[1:]:
            at_rest.FAULTS[what](part, chance)
            memory[: len(part)] = part
            log = self.keeper.journal.log
            alone = log.slots < core_journal.LEAST_FOR_COPY and not log.kept  # no copy, and nothing behind it
            if alone and what in ("one bit", "bits of the newest record"):
                what = "bits of the only snapshot"
            self.risk = what if self.damaged != self.flash.erases else "a second fault"
            self.twice = self.twice or self.risk == "a second fault"
            self.damaged = self.flash.erases
            if what == "bits of the newest record" and chance.random() < 0.5:
                self.misread = was, bytes(part), self.flash.erases, self.events

    def read_right(self) -> None:
        """What one start misread, the next one after something was written may read as it was written."""
        if self.misread is None or self.misread[3] == self.events:
            return
        (was, wrong, erases, _), self.misread = self.misread, None
        places = [at for at in range(len(was)) if was[at] != wrong[at]]
        if erases == self.flash.erases and all(self.flash.memory[at] == wrong[at] for at in places):
            for at in places:
                self.flash.memory[at] = was[at]
            self.starts["what was misread reads right again"] += 1


class Writing(History):
    """The writer of the history without its thread: what that does when it is woken happens at once."""

    def __init__(self, clock: Callable[[], float], *args: Any) -> None:
        with mock.patch("threading.Thread.start"):
            super().__init__(*args)
        self._clock = clock
        self._again = 0.0

    def keep(self, report: Report) -> None:
        super().keep(report)
        self.work()

    def written(self, wait_s: float = 0.0) -> bool:
        self.work()
        return self._done

    def close(self) -> None:
        self._again = 0.0
        self.work()

    def work(self) -> None:
        """Write all that waits, or try again when it is time."""
        while self._waiting or (self._trouble and self._clock() >= self._again):
            report = self._waiting.popleft() if self._waiting else None
            if self._trouble and self._clock() < self._again:
                if report is not None and self._set_aside(report):
                    return
                continue
            try:
                self._succeed(self._write(report))
            except StoreError as error:
                self._again = self._clock() + self._again_s
                no_file = self._set_aside(report) if report is not None else ""
                self._tell(error.message, no_file)
                if no_file:
                    return


class FailingStore:
    """The history's store on a disk that is full now and then."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.full = False

    def keep(self, report: Report) -> None:
        if self.full:
            raise StoreError("the disk is full", "make room")
        self.store.keep(report)


class Ending:
    """The service's end, and its waits, on the simulated clock."""

    def __init__(self, cable: Cable, still: Callable[[], None]) -> None:
        self._cable = cable
        self._still = still
        self._set = False

    def is_set(self) -> bool:
        return self._set

    def set(self) -> None:
        self._set = True

    def wait(self, seconds: float) -> bool:
        if not self._set:
            self._cable.pause(seconds)
            self._still()
        return self._set


class Jobs:
    """The service's queue; looking into it is when the people around it act."""

    def __init__(self, act: Callable[[], None], ended: Callable[[], None]) -> None:
        self._act = act
        self._ended = ended
        self._jobs: deque[Callable[[], None]] = deque()

    def put(self, job: Callable[[], None]) -> None:
        def ends_with_the_program() -> None:
            job()
            self._ended()  # a job catches all that happens in it

        self._jobs.append(ends_with_the_program)

    def qsize(self) -> int:
        return len(self._jobs)

    def get(self) -> Callable[[], None]:
        return self._jobs.popleft()

    def get_nowait(self) -> Callable[[], None]:
        if not self._jobs:
            self._act()
        if not self._jobs:
            raise queue.Empty
        return self._jobs.popleft()


class Held:
    """The holder's port, through which guests send, too. They come while it waits; `board` hears none while it is away.

    It keeps what came for the holder while it listened for a guest.
    """

    def __init__(self, port: Transport, table: Table, house: House) -> None:
        self.name = port.name
        self.board = table.board
        self.exchange = Exchange(port, table.guests, self._end)
        self._house = house
        self._heard = b""
        house.held = self

    def pump(self) -> None:
        self._heard += self.exchange.read()

    def read(self) -> bytes:
        self._house.between()
        if not self._heard:
            self.pump()
        heard, self._heard = self._heard, b""
        return heard

    def write(self, data: bytes) -> None:
        self.exchange.write(data)

    def close(self) -> None:
        self.exchange.close()

    def wake(self) -> None:
        """Nobody waits."""

    def _end(self) -> None:
        if self._house.held is self:
            self._house.held = None


class GuestDied(BaseException):
    """Another program was killed, and not the kiosk."""


class GuestPort:
    """A guest's way in. It is in the kiosk's own thread, so that it has to listen for both. It may die as it sends."""

    name = "wire"

    def __init__(self, house: House) -> None:
        if house.held is None or house.held.board.away is not None:
            raise TransportError("the board is away", "plug it in")
        self._house, self._held = house, house.held
        self._unread: list[bytes] = []
        self._program = Program(self._unread.append)
        self._held.exchange.enter(self._program)

    def read(self) -> bytes:
        self._there().pump()
        heard = b"".join(self._unread)
        self._unread.clear()
        return heard

    def write(self, data: bytes) -> None:
        held = self._there()
        dies = self._house.current and self._house.chance.random() < GUEST_DIES
        if held.board.away is None and not (dies and self._house.chance.random() < 0.5):
            held.exchange.ask(data, self._program)
        if dies:
            raise GuestDied

    def close(self) -> None:
        with contextlib.suppress(ValueError):
            self._held.exchange.leave(self._program)

    def wake(self) -> None:
        """Nobody waits."""

    def _there(self) -> Held:
        if self._house.held is not self._held:
            raise Nobody("the program that had the board has ended", "try again")
        return self._held


@dataclass
class Tag:
    """A command that a program noted, and how many events the board had made by then."""

    session: int
    id: int
    op: str
    args: list[Any]
    since: int


@dataclass
class Asked:
    """What somebody has asked for, and what they were told."""

    order: dict[str, Any]
    by: str
    future: Future[dict[str, Any]] | None = None
    rev: int | None = None
    refused: str = ""
    tags: list[Tag] = field(default_factory=list)  # of the commands made of it
    before: int = 0  # tags, when it was asked last
    unknown: bool = False  # somebody was told that nobody knows


class House:
    """Everything, and who makes it go."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.chance = random.Random(seed)
        self.folder = folder
        self.pages, self.long_game, self.before = self.chance.choice(SIZES)
        self.last_id = self.chance.choice(FEW_IDS)
        self.board = HouseBoard(self.pages)
        self.cable = Cable(self.board, Rates(), seed)
        self.board.cable = self.cable
        self.board.on_power_cut = lambda: self.cable.strike("restart")
        self.cable.on_kill = self._killed
        self.board.on_loss = self.lost
        self.unsaid: list[int] = []  # events that the kiosk knew and the board has lost, before anybody was told
        self.asked: dict[str, Asked] = {}
        self.open: list[Asked] = []  # not answered yet
        self.jump = timedelta()
        self.screens = self.kills = self.losses_told = self.terminals = self.guests = self.guests_died = 0
        self.struck: Counter[str] = Counter()
        self.current = ""  # the terminal's command
        self._disk: dict[Path, bytes] = {}
        self.rate = self.chance.choice([0.0, 0.01, 0.03])
        self.client: Board | None = None
        self.guest: Board | None = None
        self.held: Held | None = None  # the kiosk's port, while it is open
        self.goal = 0
        self.progress = 0, self.cable.now_ms
        self.dying = False
        self.wrong: Wrong | None = None
        self.nights = Nights(seed)

    # the programs

    def live(self, events: int) -> None:
        """Let things happen until the board has made so many more events."""
        self.goal = self.board.events + events
        while self.board.events < self.goal:
            self.kiosk(self.act)
            if self.chance.random() < 0.5:
                self.terminal()
        self.quiet()

    def kiosk(self, act: Callable[[], None]) -> None:
        """One life of the kiosk, to its end or its kill."""
        store = FailingStore(open_store(f"sqlite:///{self.folder}/kiosk.db", clock=self.wall))
        service = Service(1, self.opener, store, now=self.wall)
        self.service, self.store = service, store
        service._ending = Ending(self.cable, self.still)  # type: ignore[assignment]
        service._jobs = Jobs(act, self.ended)  # type: ignore[assignment]
        service._open_door = self.door  # type: ignore[method-assign]
        service.listen(self.shown)
        service._record.start()
        try:
            service._run()
            service._record.close()
        except HostDied:
            self.kills += 1
            self._bury()
        finally:
            store.store.close()
            for asked in self.open:
                self.heard(asked)

    @contextlib.contextmanager
    def opener(self, say: Callable[[str], None]) -> Iterator[Board]:
        """The kiosk's board, as `hold_board` opens it."""
        folder = self.folder / "kiosk"
        with self.client_at(folder, say) as board:
            for _ in unsettled(folder, UID):
                board.close()
                with self.client_at(folder, say, guest=True):
                    pass
                self.client = board
                board.open()
            yield board

    def door(self, table: Table) -> None:
        """Other programs may come in, as by the service's own door."""
        table.board.through(lambda port: Held(port, table, self))

    def client_at(self, folder: Path, say: Callable[[str], None], guest: bool = False) -> Board:
        """A program's end of the wire."""
        self.client = Board(
            self.cable.reach,
            folder,
            guest=guest,
            clock=self.cable.clock,
            pause=self.cable.pause,
            chance=self.chance,
            on_notice=lambda text: (self.notice(text), say(text))[0],
        )
        return self.client

    def terminal(self) -> None:
        """Another program with notes of its own takes over for some commands."""
        self.terminals += 1
        for _ in range(200):
            client = self.client_at(self.folder / "terminal", lambda text: None)
            try:
                with client:
                    for _ in range(self.chance.randrange(4)):
                        self.terminal_command(client)
                return
            except HostDied:
                self.kills += 1
                self._bury()
            except CribboardError:
                self.cable.pause(0.5)

    def between(self) -> None:
        """The kiosk waits for the board: that is when another program may come."""
        if self.guest is None and not self.dying and self.chance.random() < COMES:
            self.visit()

    def visit(self) -> None:
        """Another program comes in by the kiosk's door for some commands; it may be killed, or find nobody."""
        self.guests += 1
        guest = Board(
            lambda: GuestPort(self),
            self.folder / "kiosk",
            guest=True,
            clock=self.cable.clock,
            pause=self.cable.pause,
            chance=self.chance,
            on_notice=lambda text: None,  # the kiosk has to say what it knew
        )
        self.guest = guest
        try:
            with guest:
                for _ in range(self.chance.randint(1, 3)):
                    self.terminal_command(guest, "guest")
        except GuestDied:
            self.guests_died += 1
            abandon(guest)
        except CribboardError:
            pass  # what it has noted is settled later
        self.guest = None

    def terminal_command(self, client: Board, by: str = "terminal") -> None:
        """A command that nobody else gives: it sets pegs at places that tell its number."""
        number = len(self.asked)
        self.cable.arm()
        asked = Asked({"do": "set"}, by)
        self.current = f"terminal-{number:016}"
        self.asked[self.current] = asked
        sides = client.match.sides
        front = 1 + number % 50
        try:
            happened = client.command("set", sides[number % len(sides)], front, number // 50 % front)
            asked.rev = happened.event.rev if happened.event else -1
        except CommandError as error:
            asked.refused = error.code
        finally:
            self.current = ""

    def _killed(self) -> None:
        """A program dies: what is on the disk now is what its next start finds."""
        self.dying = True
        self._disk = {path: path.read_bytes() for path in self.folder.rglob("*.json")}

    def ended(self) -> None:
        """Raise HostDied when the program has been killed, and Wrong when something is."""
        if self.wrong is not None:
            raise self.wrong
        if self.dying:
            self.cable.dead = False
            raise HostDied("the host's program was killed")

    def _bury(self) -> None:
        self.dying = False
        for program in (self.guest, self.client):
            if program is not None:
                abandon(program)
        self.guest = None
        for path, data in self._disk.items():
            path.write_bytes(data)

    # what people do

    def still(self) -> None:
        """Raise Wrong when nothing has happened for an hour although people try."""
        if self.board.events != self.progress[0]:
            self.progress = self.board.events, self.cable.now_ms
        elif self.cable.now_ms - self.progress[1] > STILL_MS:
            raise Wrong("nothing has happened for a simulated hour")

    def act(self) -> None:
        """Something happens, or nothing."""
        self.still()
        self.ended()
        for asked in list(self.open):
            self.heard(asked)
        if self.board.events >= self.goal or self.chance.random() < 0.004:
            self.service._ending.set()
            return
        wrong = self.nights.act(self.store.store, self.service.view.uid, self.store.full)
        if wrong:
            raise Wrong(wrong)
        draw = self.chance.random()
        if draw < 0.6:
            self.phone()
        elif draw < 0.7:
            self.hands()
        elif draw < 0.74:
            self.fault()

    def phone(self) -> None:
        """A phone orders something, or again what it has no answer to."""
        waiting = [asked for asked in self.open if asked.future is None]
        answered = [
            asked for asked in list(self.asked.values())[-20:] if asked.rev is not None and "key" in asked.order
        ]
        if answered and self.chance.random() < 0.1:
            asked = self.chance.choice(answered)
            if asked not in self.open:
                self.open.append(asked)  # its answer was lost on the way to the phone
        if waiting and self.chance.random() < 0.7:
            asked = self.chance.choice(waiting)
        elif len(self.open) < PHONES:
            asked = Asked({"key": f"phone-order-{len(self.asked):08}", **self.order()}, f"phone {len(self.open)}")
            self.asked[asked.order["key"]] = asked
            self.open.append(asked)
        else:
            return
        self.cable.arm()
        try:
            self.ask(asked)
        except OrderError as error:
            asked.refused = error.code
            self.open.remove(asked)

    def order(self) -> dict[str, Any]:
        """Any order, most of them such as people give."""
        chance, view = self.chance, self.service.view
        entry, side = view.entry(), chance.randint(1, 2)
        if entry.get("winner") is not None and chance.random() < 0.7:
            return {"do": "new", "target": 61, "names": ["Ann", "Bob"]}
        do = chance.choice(["peg"] * 8 + ["hand"] * 4 + ["play"] * 4 + OTHERS)
        if do in ("undo", "redo"):
            named = entry.get(do)
            return {"do": do, "rev": named["rev"] if named else chance.randrange(50)}
        if do in ("peg", "muggins", "penalty"):
            more: dict[str, Any] = {"from": 3 - side} if do == "muggins" else {"again": True}
            return {"do": do, "side": chance.choice([side, side, side, 6]), "points": chance.randint(1, 8), **more}
        if do == "hand":
            cards = chance.sample([rank + suit for rank in "A23456789TJQK" for suit in "CDHS"], 5)
            return {"do": do, "side": side, "cards": cards[:4], "starter": cards[4], "again": True}
        if do == "play":
            card = chance.choice("A23456789TJQK") + chance.choice("CDHS")
            return {"do": do, "side": side, "card": card, "again": True}
        if do == "false":
            return {"do": do, "side": side, "score": chance.randrange(60)}
        if do == "new":
            return {"do": do, "target": chance.choice([61, 121]), "names": ["Ann", "Bob"]}
        return {"do": do} if do == "deal" else {"do": do, "side": side, "again": True}

    def hands(self) -> None:
        """Somebody presses buttons."""
        side, points = self.chance.randrange(2), self.chance.randint(1, 9)
        keys = [PLUS_5] * (points // 5) + [PLUS_1] * (points % 5) + [2]
        if self.chance.random() < 0.2:
            self.board.press(soak.UNDO)
        elif len(self.board.edges) < 20:
            self.board.press(*[3 * side + key for key in keys])

    def fault(self) -> None:
        """Something fails that is no fault of the line."""
        what = self.chance.choice(["power", "restart", "flash", "flash", "kill", "unplug", "disk", "clock"])
        self.struck[what] += 1
        if what == "power":
            flash = self.board.flash
            flash.cut = Cut(flash.changed + self.chance.randrange(60), self.chance)
        elif what == "flash":
            self.board.damage(self.chance.choice(AT_REST if self.pages >= COPIED else ONE_SNAPSHOT), self.chance)
            self.cable.strike("restart")
        elif what == "disk":
            self.store.full = not self.store.full
        elif what == "clock":
            self.jump += timedelta(seconds=self.chance.choice([-86400, -3600, 3600, 86400]))
        else:
            self.cable.strike(what)

    def wall(self) -> datetime:
        """The computer's clock on the wall."""
        return BASE + timedelta(milliseconds=self.cable.now_ms) + self.jump

    # what people see

    def ask(self, asked: Asked) -> None:
        """A phone sends its order, perhaps again."""
        asked.before = len(asked.tags)
        asked.future = self.service.order(asked.order, asked.by)

    def heard(self, asked: Asked) -> None:
        """A phone hears the answer to its order, if there is one."""
        future, asked.future = asked.future, None
        if future is None:
            return
        if not future.done():
            asked.future = future if not self.service._ending.is_set() and self.service.is_open else None
            return
        error = future.exception()
        if isinstance(error, OrderError) and error.code in LEFT:
            asked.unknown = asked.unknown or error.code == "unknown"
        elif isinstance(error, OrderError):
            asked.refused = error.code
            self.open.remove(asked)
        elif isinstance(error, HostDied):
            return  # it has no answer
        elif error is not None and not isinstance(error, CribboardError):
            raise error if isinstance(error, Wrong) else Wrong(f"{asked.order} failed inside: {error!r}")
        elif error is None:
            asked.rev = future.result()["rev"]
            self.open.remove(asked)

    def notice(self, text: str) -> None:
        """A text for whoever is there."""
        if "lost" in text:
            self.losses_told += 1
            self.unsaid = []

    def lost(self, gone: list[Applied]) -> None:
        """The board has lost events: a kiosk that had noted them has to say so."""
        path = self.folder / "kiosk" / UID / "ledger.json"
        text = (self._disk.get(path) if self.dying else None) or (path.read_bytes() if path.exists() else b"{}")
        state = json.loads(newest(text)).get("state")
        self.unsaid += [one.rev for one in gone if state and one.rev <= state[0]]

    def shown(self, news: Any) -> None:
        """A screen shows something: the board has to have stood so."""
        standing = self.service.view.standing
        if standing is not None and self.service.is_open:
            self.screens += 1
            if standing not in self.board.stood:
                self.wrong = Wrong(f"a screen shows what never was: {standing}; the board stands {self.board.now}")
                raise self.wrong

    # the end

    def quiet(self) -> None:
        """All faults end, all phones ask again, and everybody has time to look."""
        self.cable.expect(Rates())
        self.board.flash.cut = None
        ends = self.cable.now_ms + 60_000
        asking = iter(range(10_000))

        def act() -> None:
            for asked in list(self.open):
                self.heard(asked)
            if self.service.is_open:
                for asked in self.open:
                    if asked.future is None and next(asking) < 1000:
                        self.ask(asked)
            if self.cable.now_ms > ends - 50_000 and (not self.open or self.cable.now_ms > ends):
                self.judge()
                self.service._ending.set()

        self.kiosk(act)
        self.judge_history()

    def judge(self) -> None:
        """Hold the screen and each answer against what the board did."""
        view = self.service.view
        if view.standing != self.board.now:
            raise Wrong(f"after a quiet minute the screen shows {view.standing}, and the board stands {self.board.now}")
        if self.unsaid:
            raise Wrong(f"the board lost events {self.unsaid}, which the kiosk knew, and nobody said so")
        made: dict[tuple[int, int], list[tuple[int, Applied]]] = {}
        for number, applied in enumerate(self.board.applied):
            made.setdefault((applied.session, applied.id), []).append((number, applied))
        used: dict[tuple[int, int], list[int]] = {}
        for asked in self.asked.values():
            for tag in asked.tags:
                used.setdefault((tag.session, tag.id), []).append(tag.since)
        for key, asked in self.asked.items():
            events: dict[int, Applied] = {}
            for tag in asked.tags:
                name = tag.session, tag.id
                until = min((since for since in used[name] if since > tag.since), default=1 << 60)
                for number, one in made.get(name, []):
                    if tag.since <= number < until and can_have_made(tag.op, tag.args, one.event):
                        events[number] = one
            self.judge_one(key, asked, list(events.values()))

    def judge_one(self, key: str, asked: Asked, events: list[Applied]) -> None:
        """Hold one answer against the events that it made. A play or a hand may have passed the deal before."""
        own = [one for one in events if one.event[0] != DEAL or asked.order["do"] == "deal"]
        what = f"{asked.by}'s {asked.order} ({key})"
        for each in (own, [one for one in events if one not in own]):
            count = sum(not one.gone for one in each)
            if count > 1:
                raise Wrong(f"{what} counts {count} times")
        # A card makes what it is worth when it is asked last: nothing, perhaps, where it once would have made a pair.
        since = asked.before if asked.order["do"] == "play" else 0
        made = [tag for tag in asked.tags[since:] if tag.op != "deal" or asked.order["do"] == "deal"]
        if asked.rev is not None and made and not own:
            raise Wrong(f"{what} was answered with event {asked.rev}, and never counted")
        if asked.refused and not asked.unknown and asked.rev is None and any(not one.gone for one in own):
            raise Wrong(f"{what} was refused as {asked.refused}, and made event {own[-1].rev}")

    def judge_history(self) -> None:
        """Hold the history against what the board did."""
        rows = sqlite3.connect(self.folder / "kiosk.db").execute(
            "SELECT rev, kind, side, a, b, c, session, command FROM events WHERE epoch = ? ORDER BY rev",
            (self.board.keeper.journal.log.epoch,),
        )
        have = {rev: tuple(rest) for rev, *rest in rows}
        for one in self.board.line:
            kept = have.pop(one.rev, None)
            may_be = [one.row, *([one.made.row] if one.made else [])]
            if one.event[0] == RESTORE and self.board.twice:  # what it had replaced is back, and reads as it was
                may_be += [lost.row for lost in self.board.applied if lost.rev == one.rev and lost.gone]
            if kept is not None and kept[0] and kept not in may_be:
                raise Wrong(f"the history has {kept} for event {one.rev}, which is {one}")
        store = open_store(f"sqlite:///{self.folder}/kiosk.db", clock=self.wall)
        with contextlib.closing(store):
            if wrong := self.nights.judge(store):
                raise Wrong(wrong)
        newest = self.board.now.rev if self.board.now else 0
        late = [rev for rev in have if rev > newest]
        if late:
            raise Wrong(f"the history has events {late}, and the board's newest is {newest}")


def abandon(program: Board) -> None:
    """Leave of a program what a killed one leaves: no lock."""
    if program._joined is not None:
        program._sender.ledger.close()
        program._joined = None
    program._connection.close()


OTHERS = ["nibs", "go", "penalty", "penalty", "false", "deal", "deal", "undo", "undo", "redo", "new"]


@contextlib.contextmanager
def around(house: House) -> Iterator[None]:
    """Small numbers and the simulated clock, wherever the programs take theirs."""
    commit, renumber = exactly_once.CommandSender.commit, exactly_once.CommandSender._renumber

    def noted(once: exactly_once.CommandSender, key: str) -> None:
        pending = once.ledger.pending
        asked = house.asked.get((key or house.current).removesuffix("+deal"))
        if pending is not None and asked is not None:
            tag = Tag(pending.session, pending.id, pending.op, list(pending.args), len(house.board.applied))
            asked.tags.append(tag)

    def committing(
        once: exactly_once.CommandSender, op: str, args: Any, known: Any, names: Any, key: str = "", act: Any = None
    ) -> None:
        commit(once, op, args, known, names, key, act)
        noted(once, key)

    def renumbering(once: exactly_once.CommandSender) -> None:
        renumber(once)
        noted(once, once.ledger.pending.key if once.ledger.pending else "")

    with contextlib.ExitStack() as stack:
        for where, name, value in (
            (share, "random", house.chance),
            (exactly_once, "LAST_ID", house.last_id),
            (exactly_once, "SESSION_STEP", NEAR),
            (exactly_once.CommandSender, "commit", committing),
            (exactly_once.CommandSender, "_renumber", renumbering),
            (core_journal, "LONG_GAME", house.long_game),
            (core_journal, "BEFORE_FIRST_SCORE", house.before),
            (core_journal, "LEAST_FOR_COPY", COPIED * records.PAGE_SLOTS),
            (writer, "History", functools.partial(Writing, house.cable.clock)),
            (night_plan, "CHANCE", house.nights.draw),
            (service_module, "OrderHandler", lambda table: OrderHandler(table, house.cable.clock)),
        ):
            stack.enter_context(mock.patch.object(where, name, value))
        stack.enter_context(mock.patch.dict(os.environ, CRIBBOARD_HOME=str(house.folder / "home")))
        yield


@contextlib.contextmanager
def ids_wrap() -> Iterator[None]:
    """The old protocol: ids start again in their session, are compared in a circle, and any ok is taken."""
    command = Keeper.command

    def in_a_circle(keeper: Keeper, message: list[Any]) -> list[Any] | None:
        session, number = message[1:3]
        if session == keeper.session and keeper.last_id - number > exactly_once.LAST_ID // 2:
            keeper.last_id = 0
        return command(keeper, message)

    def next_tag(once: exactly_once.CommandSender) -> tuple[int, int]:
        ledger = once.ledger
        first, last = exactly_once.FIRST_ID, exactly_once.LAST_ID
        if ledger.session and (once.hello.session - ledger.session) & 0xFFFF in (0, *range(0x8000, 0x10000)):
            return ledger.session, ledger.last_id + 1 if ledger.last_id < last else first
        return (once.hello.session + once._chance.randint(1, NEAR)) & 0xFFFF or 1, first

    def send(once: exactly_once.CommandSender) -> Any:
        pending = once._pending()
        return once._queries.command(pending.op, pending.session, pending.id, pending.args, lambda: True)

    with contextlib.ExitStack() as stack:
        stack.enter_context(mock.patch.object(Keeper, "command", in_a_circle))
        stack.enter_context(mock.patch.object(exactly_once.CommandSender, "_next_tag", next_tag))
        stack.enter_context(mock.patch.object(exactly_once.CommandSender, "send", send))
        stack.enter_context(mock.patch.object(exactly_once.CommandSender, "is_own", lambda once, row: True))
        stack.enter_context(mock.patch.object(Board, "_is_mine", lambda board, rev: True))
        yield


@contextlib.contextmanager
def any_ok() -> Iterator[None]:
    """A program takes any ok for its own."""
    with (
        mock.patch.object(exactly_once.CommandSender, "is_own", lambda once, row: True),
        mock.patch.object(Board, "_is_mine", lambda board, rev: True),
    ):
        yield


@contextlib.contextmanager
def keys_forgotten() -> Iterator[None]:
    """An order that comes again is a new one."""
    with (
        mock.patch.object(OrderHandler, "_known_answer", lambda *_: None),
        mock.patch.object(Ledger, "answer", lambda *_: None),
    ):
        yield


def first_heard(heard: Iterable[StoredEvent], cuts: Iterable[Lost] = ()) -> Journal:
    """A journal in which what was heard first under a number stays, whatever the board says later."""
    first: dict[int, StoredEvent] = {}
    for event in heard:
        if event.rev not in first or (event.kind and not first[event.rev].kind):
            first[event.rev] = event
    return stand(first.values(), cuts)


HOLES: dict[str, Callable[[], Any]] = {
    "ids wrap": ids_wrap,
    "any ok is taken": any_ok,
    "a lost newest event is not noticed": lambda: mock.patch.object(
        exactly_once.CommandSender, "_lacks", lambda once, standing, known: False
    ),
    "a wrong bit is not mended": lambda: mock.patch.object(gap, "mended", lambda record: b""),
    "an event that was misread once comes back": lambda: mock.patch.object(mount.Reading, "_compare", lambda *_: None),
    "a command counts as often as it comes": lambda: mock.patch.object(Keeper, "command", again),
    "keys are forgotten": keys_forgotten,
    "the history keeps what the board has lost": lambda: mock.patch.object(write, "stand", first_heard),
}


def again(keeper: Keeper, message: list[Any]) -> list[Any] | None:
    """A board that compares no ids: `keeper.command` without its memory."""
    if message[:2] == ["peg", keeper.session] and message[2] == keeper.last_id:
        keeper.last_id -= 1
    return COMMAND(keeper, message)


COMMAND = Keeper.command


@dataclass
class Figures:
    """What came of it."""

    runs: int = 0
    events: int = 0
    counts: Counter[str] = field(default_factory=Counter)
    starts: Counter[str] = field(default_factory=Counter)
    struck: Counter[str] = field(default_factory=Counter)
    hours: float = 0.0
    cpu_s: float = 0.0
    wrong: str = ""

    def __str__(self) -> str:
        def listed(counter: Counter[str]) -> str:
            return ", ".join(f"{what} {count}" for what, count in sorted(counter.items()))

        return (
            f"{self.events} events in {self.runs} houses and {self.hours:.2f} simulated hours, {self.cpu_s:.0f} s of "
            f"CPU, {self.events / self.cpu_s:.0f} events a second\n    {listed(self.counts)}\n    struck: "
            f"{listed(self.struck)}\n    starts: {listed(self.starts)}\n    {self.wrong or 'nothing wrong'}"
        )


def run_one(seed: int, events: int, figures: Figures) -> None:
    """One house from one seed; raises Wrong."""
    with tempfile.TemporaryDirectory(dir=SCRATCH) as place:
        folder = Path(place)
        for name in ("kiosk", "terminal", "home"):
            (folder / name).mkdir()
        house = House(folder, seed)
        began = house.cable.now_ms
        try:
            with around(house):
                house.cable.expect(Rates.each(house.rate))
                house.live(events)
        finally:
            board, cable = house.board, house.cable
            figures.runs += 1
            figures.events += board.events
            figures.hours += (cable.now_ms - began) / 3_600_000
            answered = sum(asked.rev is not None for asked in house.asked.values())
            refused = sum(bool(asked.refused) for asked in house.asked.values())
            figures.counts.update(asked=len(house.asked), answered=answered, refused=refused, screens=house.screens)
            figures.counts.update(kills=house.kills, terminals=house.terminals, guests=house.guests)
            figures.counts.update(guests_died=house.guests_died, losses=board.losses, losses_told=house.losses_told)
            figures.counts.update(erases=board.flash.erases)
            figures.counts.update({f"night: {what}": count for what, count in house.nights.counts.items()})
            figures.starts.update(board.starts)
            figures.struck.update(house.struck)
            for pipe in (cable.toward, cable.back):
                figures.struck.update(pipe.struck)


def run(events: int, seed: int, each: int = 400, say: bool = False, hole: str = "") -> Figures:
    """Houses with seeds from this one on, until so many events have come; the first wrong one ends it."""
    figures, began = Figures(), time.process_time()
    while figures.events < events and not figures.wrong:
        try:
            with HOLES[hole]() if hole else contextlib.nullcontext():
                run_one(seed + figures.runs, each, figures)
        except Wrong as wrong:
            figures.wrong = f"seed {seed + figures.runs - 1}: {wrong}"
        figures.cpu_s = time.process_time() - began
        if say:
            print(f"{figures.events} events, {figures.cpu_s:.0f} s", file=sys.stderr, flush=True)
    return figures


def main() -> int:
    parser = argparse.ArgumentParser(description="The whole house from one seed.")
    parser.add_argument("--events", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1, help="of the first house; 0 draws a new one and prints it")
    parser.add_argument("--each", type=int, default=400, help="events of a house")
    parser.add_argument("--holes", action="store_true", help="put each mistake back, and find it")
    asked = parser.parse_args()
    asked.seed = asked.seed or random.SystemRandom().randrange(1, 1 << 32)
    print(f"seeds from {asked.seed} on", flush=True)
    if not asked.holes:
        figures = run(asked.events, asked.seed, asked.each)
        print(figures)
        return 1 if figures.wrong else 0
    well = True
    for hole in HOLES:
        figures = run(asked.events, asked.seed, asked.each, hole=hole)
        said = figures.wrong or "NOT FOUND"
        print(f"{hole}: after {figures.events} events, {figures.cpu_s:.1f} s of CPU: {said}", flush=True)
        well = well and bool(figures.wrong)
    return 0 if well else 1


if __name__ == "__main__":
    sys.exit(main())
