"""All that a board's server answers over HTTP, as it goes out: a file on its drive for each status."""

from __future__ import annotations

from cribboard.wifi.page import page

SAFE = "X-Content-Type-Options: nosniff\nX-Frame-Options: DENY\nReferrer-Policy: no-referrer\nConnection: close"
PAGE_FIELDS = "Content-Type: text/html; charset=utf-8\nContent-Encoding: gzip\nCache-Control: no-cache"
# status: its name, its own header fields, and the text of the refusal
REFUSALS = {
    400: ("Bad Request", "", "A header field is repeated, empty or malformed."),
    403: ("Forbidden", "", "This is not an address of the board, or it comes from another page."),
    404: ("Not Found", "", "The board has one page: /"),
    405: ("Method Not Allowed", "Allow: GET", "This board answers GET."),
    426: ("Upgrade Required", "Upgrade: websocket\nSec-WebSocket-Version: 13", "This is the wire; the page is at /"),
    431: ("Request Header Fields Too Large", "", "This request is too long for a board."),
}


def answers() -> dict[int, bytes]:
    """Each answer by its status; 200 is the page."""
    made = {200: _answer("200 OK", PAGE_FIELDS, page())}
    for status, (name, fields, text) in REFUSALS.items():
        made[status] = _answer(f"{status} {name}", f"{fields}\nContent-Type: text/plain".strip(), f"{text}\n".encode())
    return made


def _answer(status: str, fields: str, body: bytes) -> bytes:
    head = f"HTTP/1.1 {status}\n{SAFE}\n{fields}\nContent-Length: {len(body)}\n\n"
    return head.replace("\n", "\r\n").encode() + body
