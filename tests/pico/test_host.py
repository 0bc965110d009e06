"""The real host plays a whole game on the real firmware on real CircuitPython; the virtual board ends up the same."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from pico.emulator import MakePico
from pico.firmware import Wire, firmware_files

from cribboard.board.client import Board
from cribboard.board.transport import SerialTransport
from cribboard.demo import Demo
from cribboard.game import Game
from cribboard.sim.board import VirtualBoard
from cribboard_core.journal import Journal
from cribboard_core.match import Match

if sys.platform == "win32":
    pytest.skip("there are no pseudo-terminals on Windows", allow_module_level=True)


def play(port: str, folder: Path) -> tuple[Demo, bytes, list[float]]:
    """The game played, the board's state at its end, and how long each command took in ms of real time."""
    with Board(lambda: SerialTransport(port), folder) as board:
        demo = Demo(board, Game(2, 0, 61, 3), lambda step: None, lambda text: None)
        demo.play()
        assert demo.report().equal
        return demo, board.match.play.pack(), sorted(board.ack_ms)


def journal(nvm: bytes) -> list[tuple[int, tuple[int, ...]]]:
    """The revs and events that a flash holds; tags and epoch are each board's own."""
    book = Journal(bytearray(nvm))
    assert book.mount(Match(), 0)
    return [(rev, event) for rev, event, _, _ in book.records(-1)]


def test_a_whole_demo_game_leaves_the_same_state_and_journal_as_on_the_virtual_board(
    pico_with: MakePico, tmp_path: Path
) -> None:
    from pico.bridge import SerialBridge  # which Windows cannot import

    pico = pico_with(firmware_files())
    Wire(pico)
    with SerialBridge(pico) as bridge:
        demo, state, times = play(bridge.port, tmp_path)
    with VirtualBoard(name="same") as virtual:
        _, same, _ = play(virtual.port, tmp_path)
        virtual_flash = bytes.fromhex(virtual.flash()["hex"])
    print(f"{demo.commands} commands, answered after {times[len(times) // 2]:.0f} ms of real time (median)")
    assert state == same
    assert journal(pico.nvm()) == journal(virtual_flash)
    assert pico.counts["nvm_erases"] == 0
