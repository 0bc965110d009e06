"""Serves the folder on this computer alone, with the headers that a good host of pages would send."""

from __future__ import annotations

import functools
import http.server
import sys
from pathlib import Path
from socket import socket

from cribboard.errors import CribboardError

HOST = "127.0.0.1"
POLICY = (
    "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; base-uri 'none'; form-action 'self'; object-src 'none'"
)
HEADERS = {
    "Content-Security-Policy": f"{POLICY}; frame-ancestors 'none'",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "no-cache",
}


class Handler(http.server.SimpleHTTPRequestHandler):
    """Files with the headers."""

    protocol_version = "HTTP/1.1"
    extensions_map = {  # noqa: RUF012 (as its base has it)
        **http.server.SimpleHTTPRequestHandler.extensions_map,
        ".mjs": "text/javascript",
        ".wasm": "application/wasm",
    }

    def end_headers(self) -> None:
        """Add the headers to those of the file."""
        for name, value in HEADERS.items():
            self.send_header(name, value)
        super().end_headers()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 (as its base has it)
        """Nothing: nobody reads it."""


class Server(http.server.ThreadingHTTPServer):
    """One that bears a page which goes away in the middle of an answer."""

    def handle_error(self, request: socket | tuple[bytes, socket], client_address: object) -> None:
        """Say what went wrong, but not that a page went away."""
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)


def server(folder: Path, port: int) -> Server:
    """A server of the folder; port 0 takes any free one. Raises CribboardError when the port is taken."""
    handler = functools.partial(Handler, directory=str(folder))
    try:
        return Server((HOST, port), handler)
    except OSError as error:
        raise CribboardError(
            f"port {port} cannot be used ({error.strerror})", "name another one with --web-port"
        ) from error
