"""The real firmware's end of the wire in this process, behind a link as bad as a test wants; time is fake."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

from firmware.rig import Port

from cribboard.board.client import Board
from cribboard.errors import TransportError
from cribboard.slots import newest
from cribboard_core.events import PEG
from cribboard_core.journal import Journal
from cribboard_core.match import Match
from cribboard_core.records import place
from cribboard_fw.entry import Entry
from cribboard_fw.keeper import Keeper
from cribboard_fw.link import Link
from cribboard_fw.nvm import SILENT, Choice

UID = "e6614c311b4f2a2f"
TICK_S = 0.005


class Time:
    """A clock that only moves when somebody waits."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now

    def pause(self, seconds: float) -> None:
        self.now += seconds


class Firmware:
    """A board that can be switched off and on, and whose flash can be wiped."""

    def __init__(self, uid: str = UID, players: int = 2) -> None:
        self.uid = uid
        self.players = players
        self.epoch = 1000
        self.wipe()

    def boot(self) -> None:
        """Power on."""
        self.match = Match(121, (1 << self.players) - 1, self.players)
        journal = Journal(self.nvm)
        journal.mount(self.match, self.epoch)
        self.keeper = Keeper(self.match, journal)
        self.entry = Entry(self.match, lambda *change: self.link.pending(*change))
        self.port = Port()
        self.choice = Choice(self.nvm, 30, 0)
        self.link: Link = Link(self.port, self.keeper, self.entry, ("1.0.0", self.uid, 2, 121, 2, 1), self.choose)
        self.keeper.on_event = self.happened

    def choose(self, brightness: int, sound: int, commit_s: int) -> list[object]:
        """As the app has it, without lights and sounds."""
        self.choice.choose(brightness, sound if sound < SILENT else -1, commit_s)
        self.choice.keep()
        return [self.choice.brightness, self.choice.sound, self.choice.commit_s, int(self.choice.kept)]

    def happened(self, rev: int, event: tuple[int, ...], session: int, number: int) -> None:
        """As the app has it."""
        self.entry.after(event[0], event[1])
        self.link.event(rev, event, session, number)

    def wipe(self) -> None:
        """Lose the journal and start again."""
        self.nvm = bytearray(b"\xff" * 4096)
        self.epoch += 1
        self.boot()

    def lose(self) -> None:
        """Switch off and on, and the newest record reads wrong, since bits of it have become weak."""
        at = place(self.keeper.journal.log.kept[-1])
        self.nvm[at : at + 4] = bytes(4)
        self.epoch += 1
        self.boot()

    def unheard(self, *event: int) -> None:
        """Something happens, and the word of it is lost."""
        self.keeper.on_event = None
        self.keeper.do(event)
        self.keeper.on_event = self.happened

    @property
    def scores(self) -> list[int]:
        return [self.match.front(side) for side in self.match.sides]


class Wire:
    """A transport to a firmware. `toward` and `back` change bytes on their way; a read runs the next of `script`."""

    def __init__(
        self,
        firmware: Firmware,
        time: Time,
        *,
        toward: Callable[[bytes], bytes] = bytes,
        back: Callable[[bytes], bytes] = bytes,
        at_once: int = 4096,
        delay: int = 0,
    ) -> None:
        self.name = "wire"
        self.firmware = firmware
        self.time = time
        self.toward = toward
        self.back = back
        self.at_once = at_once
        self.sent: list[bytes] = []
        self.closed = False
        self.cut_in = -1  # writes until the link breaks
        self.script: list[Callable[[], None]] = []
        self._delayed = [b""] * delay
        self._arrived = b""
        firmware.port.inbox = firmware.port.outbox = b""

    def write(self, data: bytes) -> None:
        self._alive()
        self.sent.append(data)
        self.firmware.port.inbox += self.toward(data)
        if self.cut_in >= 0:
            self.cut_in -= 1

    def read(self) -> bytes:
        self._alive()
        if self.script:
            self.script.pop(0)()
        for _ in range(4):
            self.firmware.link.step()
        sent, self.firmware.port.outbox = self.firmware.port.outbox, b""
        self._delayed.append(self.back(sent) if sent else b"")
        self._arrived += self._delayed.pop(0)
        if self.cut_in == 0:
            raise TransportError("the board on wire is gone", "plug it in")
        if not self._arrived:
            self.time.now += TICK_S
        data, self._arrived = self._arrived[: self.at_once], self._arrived[self.at_once :]
        return data

    def close(self) -> None:
        self.closed = True

    def wake(self) -> None:
        pass

    def _alive(self) -> None:
        if self.closed or self.cut_in == 0:
            raise TransportError("the board on wire is gone", "plug it in")


class Table:
    """A firmware, a folder of notes, and boards opened on them one after the other."""

    def __init__(self, folder: Path, **options: object) -> None:
        self.time = Time()
        self.folder = folder
        self.firmware = Firmware()
        self.options = options
        self.wires: list[Wire] = []
        self.notes: list[str] = []
        self.plugged = True

    def unplug(self) -> None:
        """Pull the cable; `plugged` puts it back."""
        self.plugged = False
        self.wire.cut_in = 0

    def reach(self) -> Wire:
        if not self.plugged:
            raise TransportError("the board on wire is not there", "plug it in")
        wire = Wire(self.firmware, self.time, **self.options)  # type: ignore[arg-type]
        self.wires.append(wire)
        return wire

    def board(
        self,
        reach: Callable[[], Wire] | None = None,
        seed: int = 1,
        on_settled: Callable[[str], None] | None = None,
        *,
        must_keep: bool = True,
    ) -> Board:
        """A client, not opened yet."""
        return Board(
            reach or self.reach,
            self.folder,
            clock=self.time,
            pause=self.time.pause,
            chance=random.Random(seed),
            on_notice=self.notes.append,
            on_settled=on_settled,
            must_keep=must_keep,
        )

    @property
    def wire(self) -> Wire:
        return self.wires[-1]


def lossy(rng: random.Random, share: float = 0.2) -> Callable[[bytes], bytes]:
    """Loses some frames whole and damages some."""

    def pass_on(data: bytes) -> bytes:
        if rng.random() >= share:
            return data
        if rng.random() < 0.5:
            return b""
        place = rng.randrange(len(data))
        return data[:place] + bytes([data[place] ^ 1 << rng.randrange(7)]) + data[place + 1 :]

    return pass_on


def silence(data: bytes) -> bytes:
    """Loses everything."""
    return b""


def pegs(firmware: Firmware) -> list[int]:
    """The points of every peg that the journal holds."""
    return [event[2] for _, event, *_ in firmware.keeper.journal.records(-1) if event[0] == PEG]


def ledger(table: Table) -> dict[str, Any]:
    """What is noted of the board."""
    noted: dict[str, Any] = json.loads(newest((table.folder / UID / "ledger.json").read_bytes()))
    return noted


def take_over(table: Table) -> None:
    """Another host's command, in a session of its own."""
    keeper = table.firmware.keeper
    keeper.command(["peg", (keeper.session + 600) & 0xFFFF or 1, 1, 1, 9])
