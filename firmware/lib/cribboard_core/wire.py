"""The wire: one JSON array and its CRC-32 a line, so that any damage costs one frame and a person can read it.

A frame is a newline, the array without blanks, `*`, eight hex digits of the array's CRC-32, and a newline. The newline
in front ends whatever was torn before, so a torn frame costs only itself.
"""

from __future__ import annotations

import json
from binascii import crc32

PROTOCOL = 2
MAX_FRAME = 120  # bytes with both newlines: below the 128-byte buffer of the smallest USB serial port


class WireError(ValueError):
    """A message that no frame can carry."""


def encode(message: list[object]) -> bytes:
    """The frame of a message; raises WireError when it is no array, not ASCII, or longer than MAX_FRAME."""
    if not isinstance(message, (list, tuple)):
        raise WireError("a message is a list, not %r" % (message,))
    body = json.dumps(message, separators=(",", ":")).encode()
    frame = b"\n%s*%08x\n" % (body, crc32(body))
    if len(frame) > MAX_FRAME:
        raise WireError("%d bytes; a frame has at most %d" % (len(frame), MAX_FRAME))
    return frame


def decode(line: bytes) -> list[object] | None:
    """The message of a line, or None when the line is anything but one whole, undamaged frame."""
    line = bytes(line).strip()
    if not 11 <= len(line) <= MAX_FRAME or line[:1] != b"[" or line[-9:-8] != b"*":
        return None
    if line[-8:] != b"%08x" % crc32(line[:-9]):
        return None
    try:
        message = json.loads(line[:-9].decode())
    except (ValueError, RuntimeError):  # RuntimeError: nested deeper than the board's stack
        return None
    return message if isinstance(message, list) else None


class Lines:
    """Puts bytes together into messages; keeps at most one frame's worth, whatever arrives."""

    def __init__(self) -> None:
        self._rest = b""
        self.passed_over = 0  # lines that were no frame: console text, probes, damage

    def feed(self, data: bytes) -> list[list[object]]:
        """The messages completed by these bytes, in order."""
        messages = []
        data = self._rest + data
        start = 0
        end = data.find(b"\n")
        while end >= 0:
            if end > start:
                message = decode(data[start:end])
                if message is None:
                    self.passed_over += 1
                else:
                    messages.append(message)
            start = end + 1
            end = data.find(b"\n", start)
        rest = data[start:]
        if len(rest) >= MAX_FRAME:
            self.passed_over += 1
            rest = b"?"  # too long for a frame: what follows up to the newline belongs to it and is dropped with it
        self._rest = rest
        return messages
