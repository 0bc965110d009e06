"""The server's socket, its start, and an end within two seconds even with open streams."""

from __future__ import annotations

import errno
import socket

import uvicorn

from cribboard.errors import CribboardError
from cribboard.web.connections import ConnectionLimit
from cribboard.web.limits import Limits
from cribboard.web.live import Live

PATIENCE_S = 1  # at the end, for answers that are on their way


def open_socket(host: str, port: int) -> socket.socket:
    """A socket that listens on the port; raises CribboardError if it cannot."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    own = getattr(socket, "SO_EXCLUSIVEADDRUSE", socket.SO_REUSEADDR)  # on Windows the other would share the port
    try:
        listening.setsockopt(socket.SOL_SOCKET, own, 1)
        listening.bind((host, port))
    except (OSError, OverflowError) as error:
        listening.close()
        raise CribboardError(*_refusal(error, host, port)) from error
    return listening


class Server(uvicorn.Server):
    """uvicorn's, that ends the streams first."""

    def __init__(self, app: object, limits: Limits, live: Live) -> None:
        config = uvicorn.Config(
            app,  # type: ignore[arg-type]
            http=ConnectionLimit(limits).protocol(),
            ws="none",
            lifespan="on",
            log_config=None,
            log_level="error",  # what strangers send is not worth a line each
            access_log=False,  # it would tell who looks at what
            proxy_headers=False,
            server_header=False,
            h11_max_incomplete_event_size=limits.head,
            timeout_keep_alive=max(1, int(limits.head_s)),
            timeout_graceful_shutdown=PATIENCE_S,
        )
        super().__init__(config)
        self._live = live

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End the streams, then the server; pages try again until the kiosk is back."""
        self._live.close()
        await super().shutdown(sockets)


def _refusal(error: Exception, host: str, port: int) -> tuple[str, str]:
    number = getattr(error, "errno", None)
    if number == errno.EADDRINUSE:
        return f"port {port} is in use by another program", "close it, or choose another port with --web-port"
    if number == errno.EACCES:
        return f"this user may not use port {port}", "choose one from 1024 up with --web-port"
    if number == errno.EADDRNOTAVAIL or isinstance(error, socket.gaierror):
        return f"{host} is not an address of this computer", "leave --host out, or give one of its addresses"
    return f"port {port} at {host} cannot be used: {error}", "try another --web-port"
