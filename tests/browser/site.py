"""The static pages, written into a folder and served as the command serves them."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from cribboard.site.folder import write_site
from cribboard.site.runtime import runtime
from cribboard.site.serve import HOST, server

RUNTIME = Path(__file__).parents[1] / "vm" / "node_modules" / "@micropython" / "micropython-webassembly-pyscript"


class Site:
    """The folder at an address; `pull` takes the network away."""

    def __init__(self, folder: Path) -> None:
        write_site(folder, runtime(RUNTIME))
        self.folder = folder
        self._server = server(folder, 0)
        self.address = f"http://{HOST}:{self._server.server_port}/"
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()

    def pull(self) -> None:
        """Answer nothing from now on."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


@contextmanager
def site(folder: Path) -> Iterator[Site]:
    """The pages, served until the block ends."""
    one = Site(folder)
    try:
        yield one
    finally:
        one.pull()
