"""What stands at the two ends of a faulty cable: the real firmware's link over its flash, and the real host's."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

from faults.cable import BoardPort, Cable, HostDied
from faults.pipes import Rates

from cribboard.board.client import Board
from cribboard.errors import CribboardError
from cribboard.sim.flash import Flash, PowerCut
from cribboard_core.journal import Journal
from cribboard_core.match import Match
from cribboard_fw.entry import Entry
from cribboard_fw.keeper import Keeper
from cribboard_fw.link import Link

UID = "e6614c311b4f2a2f"
ERASE_MS = 45  # a sector's typical time in the data sheet of the W25Q16JV, the Pico's flash
SCRATCH = Path("/dev/shm") if Path("/dev/shm").is_dir() else None  # forcing a file to a real disk takes too long here
Told = tuple[int, tuple[int, ...], int, int]


class Firmware:
    """Link, keeper and journal as the app joins them. `applied` is all that ever happened, whatever is lost."""

    rests = True
    keeper_type = Keeper
    journal_type = Journal

    def __init__(self, flash: Flash | None = None) -> None:
        self.flash = flash or Flash()
        self.applied: list[Told] = []
        self.on_applied: Callable[[Told], None] = self.applied.append
        self.boots = 0
        self.on_power_cut: Callable[[], None] = lambda: None

    def boot(self, port: BoardPort) -> None:
        self.boots += 1
        self.match = Match()
        journal = self.journal_type(self.flash)  # type: ignore[arg-type]
        journal.mount(self.match, 1000 + self.boots)
        self.keeper = self.keeper_type(self.match, journal)
        entry = Entry(self.match, lambda *change: self.link.pending(*change))
        self.link: Link = Link(port, self.keeper, entry, ("1.0.0", UID, 2, 121, 2, 1))
        self.keeper.on_event = self.happened

    def happened(self, rev: int, event: tuple[int, ...], session: int, command_id: int) -> None:
        self.on_applied((rev, event, session, command_id))
        self.link.event(rev, event, session, command_id)

    def unheard(self, event: tuple[int, ...]) -> None:
        """Something happens, and the word of it is lost."""
        on_event, self.keeper.on_event = self.keeper.on_event, None
        self.keeper.do(event)
        self.keeper.on_event = on_event

    def step(self) -> int:
        erases = self.flash.erases
        try:
            self.link.step()
        except PowerCut:
            self.flash = Flash(self.flash.memory)
            self.on_power_cut()
            return 0
        return ERASE_MS * (self.flash.erases - erases)


class Host:
    """A program at the board, started again when it was killed or gave up; `notes` is all that it told its user."""

    def __init__(self, cable: Cable, folder: Path, seed: int = 1) -> None:
        self.cable = cable
        self.folder = folder
        self.chance = random.Random(seed)
        self.notes: list[str] = []
        self.starts = 0
        self._disk: bytes | None = None
        cable.on_kill = self._killed
        self.board = self._new()
        self.open()

    def _new(self) -> Board:
        return Board(
            self.cable.reach,
            self.folder,
            clock=self.cable.clock,
            pause=self.cable.pause,
            chance=self.chance,
            on_notice=self.notes.append,
        )

    def open(self) -> None:
        """Start the program, over and over until it has reached the board and settled what it had left."""
        for _ in range(5000):
            self.starts += 1
            self.board = self._new()
            try:
                self.board.open()
                return
            except HostDied:
                self._bury()
            except CribboardError:
                self.cable.pause(0.02)
        raise AssertionError(f"the board cannot be reached; the last words were {self.notes[-3:]}")

    def restart(self) -> None:
        """End the program in good order and start it again."""
        self.board.close()
        self.open()

    def guard(self, deal: Callable[[], object]) -> None:
        """Have the program do something else, starting it again when it dies or gives up."""
        try:
            deal()
        except HostDied:
            self._bury()
            self.open()
        except CribboardError:
            self.board.close()
            self.open()

    def do(self, op: str, *args: object) -> float:
        """Have the board do something and give the simulated milliseconds until that was known.

        When the program dies or gives up it is started again, and settles the command by itself.
        """
        began = self.cable.now_ms
        self.cable.arm()
        starts = self.starts
        self.guard(lambda: self.board.command(op, *args))
        return self.board.ack_ms[-1] if starts == self.starts else self.cable.now_ms - began

    def _killed(self) -> None:
        path = self.folder / UID / "ledger.json"
        self._disk = path.read_bytes() if path.exists() else None

    def _bury(self) -> None:
        """Leave what a killed program leaves: the disk as it was at that moment, and no lock."""
        if self.board._joined is not None:
            self.board._sender.ledger.close()
        self.board._connection.close()
        path = self.folder / UID / "ledger.json"
        if self._disk is not None:
            path.write_bytes(self._disk)


def seated(rates: Rates, seed: int, folder: Path, firmware: Firmware | None = None) -> tuple[Cable, Firmware, Host]:
    """A cable, and the two that it joins."""
    firmware = firmware or Firmware()
    cable = Cable(firmware, rates, seed)
    firmware.on_power_cut = lambda: cable.strike("restart")
    return cable, firmware, Host(cable, folder, seed)
