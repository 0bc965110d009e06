"""The static pages, written into a folder and served as the command serves them."""

from __future__ import annotations

import contextlib
import os
import select
import socket
import threading
import tty
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from cribboard.sim.board import VirtualBoard
from cribboard.site.folder import HOST, Handler, Server, server, write_site
from cribboard.site.micropython import runtime

RUNTIME = Path(__file__).parents[1] / "vm" / "node_modules" / "@micropython" / "micropython-webassembly-pyscript"


class Site:
    """The folder at an address; `pull` takes the network away."""

    def __init__(self, folder: Path) -> None:
        write_site(folder, runtime(RUNTIME))
        self.folder = folder
        self._server = server(folder, 0)
        self._ends: list[socket.socket] = []
        accept = self._server.get_request

        def accepted() -> Any:
            self._ends.append(accept()[0])
            return self._ends[-1], self._ends[-1].getpeername()

        self._server.get_request = accepted  # type: ignore[method-assign]
        self.address = f"http://{HOST}:{self._server.server_port}/"
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()

    def pull(self) -> None:
        """Answer nothing from now on, on connections that are open neither."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()
        for end in self._ends:
            with contextlib.suppress(OSError):  # closed already
                end.shutdown(socket.SHUT_RDWR)


@contextmanager
def site(folder: Path) -> Iterator[Site]:
    """The pages, served until the block ends."""
    one = Site(folder)
    try:
        yield one
    finally:
        one.pull()


# In the place of navigator.serial: a port whose bytes go through the tests' server to a real serial port.
SERIAL = Path(__file__).with_name("serial.js").read_text("utf-8")
USB = Path(__file__).with_name("usb.js").read_text("utf-8")  # and of navigator.usb


class SerialHandler(Handler):
    """The pages, and at /serial the bytes of a port."""

    end: int | None = None  # of the port that is plugged in

    def do_POST(self) -> None:  # noqa: N802 (as its base has it)
        """Bytes for the port; at /serial/open, whether one is there."""
        data = self.rfile.read(int(self.headers.get("content-length", 0)))
        if SerialHandler.end is not None and data:
            os.write(SerialHandler.end, data)
        self._say(b"", there=SerialHandler.end is not None)

    def do_GET(self) -> None:  # noqa: N802
        """Bytes of the port, or a file."""
        if self.path != "/serial":
            super().do_GET()
            return
        end = SerialHandler.end
        data = b""
        try:
            if end is not None and select.select([end], [], [], 0.2)[0]:
                data = os.read(end, 4096)
        except OSError:  # pulled out meanwhile
            end = None
        self._say(data, there=end is not None)

    def _say(self, data: bytes, *, there: bool) -> None:
        self.send_response(200 if there else 410)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        with contextlib.suppress(BrokenPipeError):  # the page was closed
            self.wfile.write(data)


@contextmanager
def plugged(board: VirtualBoard) -> Iterator[None]:
    """The port of a virtual board behind /serial, until the block ends: then the cable is pulled."""
    end = os.open(board.port, os.O_RDWR | os.O_NOCTTY)
    tty.setraw(end)
    SerialHandler.end = end
    try:
        yield
    finally:
        SerialHandler.end = None
        os.close(end)


@contextmanager
def serial_site(folder: Path) -> Iterator[str]:
    """The pages with a port behind them; gives their address."""
    write_site(folder, runtime(RUNTIME))
    with Server((HOST, 0), partial(SerialHandler, directory=str(folder))) as serving:
        thread = threading.Thread(target=serving.serve_forever, daemon=True)
        thread.start()
        try:
            yield f"http://{HOST}:{serving.server_port}/"
        finally:
            serving.shutdown()
            thread.join()
