"""The address by which other devices of the house reach this computer."""

from __future__ import annotations

import socket
from ipaddress import ip_address

ALONE = "127.0.0.1"  # a computer that is not on a network reaches only itself
ELSEWHERE = "192.0.2.1"  # a network that is only for documents (RFC 5737): asking the way there sends nothing


def lan_address() -> str:
    """This computer's address on its network; ALONE if it is on none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        try:
            asking.connect((ELSEWHERE, 9))
            found = str(asking.getsockname()[0])
        except OSError:
            return ALONE
    return ALONE if ip_address(found).is_unspecified else found


def url(host: str, port: int) -> str:
    """The URL of the kiosk's first page at a host."""
    name = f"[{host}]" if ":" in host else host
    return f"http://{name}" if port == 80 else f"http://{name}:{port}"
