"""A virtual board with a radio, in a network that can be cut."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from rigs.proxy import HOST, Proxy, free_port

from cribboard.drive import drive_files
from cribboard.sim.board import VirtualBoard

KEY = "00112233445566778899aabbccddeeff"
DEAL, UNDO = "GP13", "GP12"


class Wifi:
    """The board, and the way to its page."""

    def __init__(self, board: VirtualBoard, proxy: Proxy) -> None:
        self.board = board
        self.proxy = proxy
        self.address = f"http://{HOST}:{proxy.port}/"

    def open_setup(self) -> None:
        """Hold DEAL, until phones may join."""
        self.board.tap(DEAL, 3200)

    def close_setup(self) -> None:
        """The old game goes on."""
        self.board.tap(UNDO)


@contextmanager
def wifi(folder: Path) -> Iterator[Wifi]:
    """A board that has joined its network, until the block ends."""
    settings = drive_files().settings.read_text(encoding="utf-8")
    settings += f'WIFI_NETWORK = "pub"\nWIFI_PASSWORD = "pass phrase"\nWIFI_KEY = "{KEY}"\n'
    port = free_port()
    with VirtualBoard(folder, settings=settings, web=port) as board:
        assert board.wait_for(lambda one: "Wi-Fi: http" in one.console()), board.console()
        proxy = Proxy(port)
        try:
            yield Wifi(board, proxy)
        finally:
            proxy.close()
