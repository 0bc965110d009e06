"""The real host plays a whole game on the real firmware on real CircuitPython; the virtual board ends up the same."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from pico.emulator import MakePico, Pico
from pico.firmware import Wire, firmware_files

from cribboard.board.client import Board
from cribboard.board.transport import SerialTransport
from cribboard.demo import Demo, Game
from cribboard.sim.board import Strip, Tone, VirtualBoard
from cribboard_core.journal import Journal
from cribboard_core.match import Match

if sys.platform == "win32":
    pytest.skip("there are no pseudo-terminals on Windows", allow_module_level=True)

TRACK_PINS = (2, 3)
SETTLED_MS = 80
SHOW_MS = 11_000  # comets for a skunk, and the picture that follows them
# The virtual board's firmware as it is, but 25 ms of its time pass in each turn of its loop: so it blinks through all
# its phases however slow the machine is, and quickly.
HASTY = """
import supervisor
now = 0
def ticks_ms():
    global now
    now += 25
    return now
supervisor.ticks_ms = ticks_ms
from cribboard_fw.hardware import main
main()
"""
ALL_PHASES = 45  # queries; each takes two turns or more, and 80 turns are the two seconds in which all rhythms repeat
Lights = list[dict[int, bytes]]  # what each track shows, step by step of the game
Phases = list[dict[int, set[bytes]]]


def play(port: str, folder: Path, look: Callable[[Board], None]) -> tuple[Demo, bytes]:
    """The game played, with a look at the lights after each step, and the board's state at its end."""
    with Board(lambda: SerialTransport(port), folder) as board:
        demo = Demo(board, Game(2, 0, 61, 3), lambda step: look(board) if step.command else None, lambda text: None)
        demo.play()
        assert demo.report().equal
        return demo, board.match.play.pack()


def journal(nvm: bytes) -> list[tuple[int, tuple[int, ...]]]:
    """The revs and events that a flash holds; tags and epoch are each board's own."""
    book = Journal(bytearray(nvm))
    assert book.mount(Match(), 0)
    return [(rev, event) for rev, event, *_ in book.records(-1)]


class Emulated:
    """What the strips' pins of an emulated board have been sent last, once it is settled."""

    def __init__(self, pico: Pico) -> None:
        self.pico = pico
        self.shown: dict[int, bytes] = {}
        self.looks: Lights = []

    def look(self, board: Board) -> None:
        self.wait(SHOW_MS if board.match.winner >= 0 else SETTLED_MS)
        for frame in self.pico.frames():
            self.shown[frame.pin] = frame.data
        self.looks.append(dict(self.shown))

    def wait(self, ms: float) -> None:
        until = self.pico.now_ms + ms
        while self.pico.now_ms < until:  # the bridge lets the time pass
            time.sleep(0.01)


class Virtual:
    """What a virtual board's strips show in all phases of their blinking."""

    def __init__(self, virtual: VirtualBoard) -> None:
        self.virtual = virtual
        self.seen: dict[int, set[bytes]] = {}
        self.looks: Phases = []

    def look(self, board: Board) -> None:
        ms = SHOW_MS if board.match.winner >= 0 else SETTLED_MS
        self.let_pass(board, ms // 50 + 8)
        self.seen = {int(pin[2:]): {strip.data} for pin, strip in self.virtual.strips().items()}
        leave = self.virtual.subscribe(self.hear)
        self.let_pass(board, ALL_PHASES)
        self.virtual.strips()  # whose answer comes after all that was pushed
        leave()
        self.looks.append(self.seen)

    def let_pass(self, board: Board, queries: int) -> None:
        for _ in range(queries):
            board.last()

    def hear(self, what: Strip | Tone) -> None:
        if isinstance(what, Strip):
            self.seen[int(what.pin[2:])].add(what.data)


def test_a_whole_demo_game_leaves_the_same_state_journal_and_lights_as_on_the_virtual_board(
    pico_with: MakePico, tmp_path: Path
) -> None:
    from pico.bridge import SerialBridge  # which Windows cannot import

    pico = pico_with(firmware_files())
    Wire(pico)
    emulated = Emulated(pico)
    with SerialBridge(pico) as bridge:
        demo, state = play(bridge.port, tmp_path, emulated.look)
    (tmp_path / "drive").mkdir()
    (tmp_path / "drive" / "code.py").write_text(HASTY)
    with VirtualBoard(tmp_path / "drive") as virtual:
        watched = Virtual(virtual)
        _, same = play(virtual.port, tmp_path, watched.look)
        virtual_flash = bytes.fromhex(virtual.flash()["hex"])
    assert state == same
    assert journal(pico.nvm()) == journal(virtual_flash)
    assert pico.counts["nvm_erases"] == 0
    assert len(emulated.looks) == len(watched.looks) == demo.commands
    assert all(
        shown[pin] in phases[pin]
        for shown, phases in zip(emulated.looks, watched.looks, strict=True)
        for pin in TRACK_PINS
    )
    changes = sum(one != other for one, other in zip(emulated.looks, emulated.looks[1:], strict=False))
    assert changes > demo.commands // 2  # it was not the same picture all the time
