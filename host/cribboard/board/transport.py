"""A serial port as bytes in and out, whatever it is and however it fails."""

from __future__ import annotations

import contextlib
import errno
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

import serial

from cribboard.errors import Busy, TransportError

BAUD = 115200  # of no effect over USB; anything but 1200, which starts the boot loader
READ_WAIT_S = 0.02
WRITE_WAIT_S = 1.0
HUNG_UP = "device reports readiness"  # pyserial's words for it

try:
    import termios

    BROKEN: tuple[type[Exception], ...] = (OSError, termios.error)
    LINES = termios.ICANON  # somebody's typing arrives by lines
except ImportError:  # pragma: no cover (Windows)
    BROKEN = (OSError,)
    LINES = 0
OPENING: tuple[type[Exception], ...] = (*BROKEN, ValueError)  # a URL of a kind that pyserial does not know


class Transport(Protocol):
    """What the client needs of a port."""

    name: str

    def read(self) -> bytes:
        """What has arrived; waits a little for a first byte, and gives nothing when none comes."""

    def write(self, data: bytes) -> None:
        """Send all of these bytes."""

    def close(self) -> None:
        """Let go of the port; closing twice is fine."""

    def wake(self) -> None:
        """Have a read that waits, or the next one, return; from another thread."""


class SerialTransport:
    """A port of pyserial, held so that no second program can open it; opening it raises DTR, which boards wait for."""

    def __init__(self, name: str) -> None:
        self.name = name
        try:
            with _nobodys(name):
                self._serial = serial.serial_for_url(
                    name, baudrate=BAUD, timeout=READ_WAIT_S, write_timeout=WRITE_WAIT_S, exclusive=True
                )
        except OPENING as error:
            raise _opening(name, error) from error

    def read(self) -> bytes:
        """What has arrived, waiting READ_WAIT_S for a first byte; raises TransportError when the port is gone."""
        try:
            first = self._serial.read(1)
            return bytes(first + self._serial.read(self._serial.in_waiting)) if first else b""
        except BROKEN as error:
            raise self._gone(error) from error

    def write(self, data: bytes) -> None:
        """Send all of these bytes; raises TransportError when the port is gone or takes nothing for a second."""
        try:
            self._serial.write(data)
        except serial.SerialTimeoutException as error:
            raise TransportError(
                f"the board on {self.name} accepts no data", "unplug it and plug it in again"
            ) from error
        except BROKEN as error:
            raise self._gone(error) from error

    def close(self) -> None:
        """Let go of the port."""
        with contextlib.suppress(*BROKEN):
            self._serial.close()

    def wake(self) -> None:
        """Have a read that waits, or the next one, return; from another thread."""
        with contextlib.suppress(*BROKEN):
            if self._serial.is_open:  # which pyserial does not ask on Windows
                self._serial.cancel_read()

    def _gone(self, error: BaseException) -> TransportError:
        reason = _reason(error)
        why = "" if reason.startswith(HUNG_UP) else f" ({reason})"
        return TransportError(f"the board on {self.name} is gone{why}", "check its cable and try again")


@contextlib.contextmanager
def _nobodys(name: str) -> Iterator[None]:
    """Raises TransportError where a person types: the name of a virtual board that has ended goes to the next terminal.

    A virtual board has no lines from its beginning; macOS would forget that while nobody has its port open.
    """
    if not (LINES and name.startswith("/dev/pts/")):
        yield
        return
    port = os.open(name, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
    try:
        if termios.tcgetattr(port)[3] & LINES:
            raise TransportError(f"{name} is a terminal where somebody types, not a board", "start the board again")
        yield
    finally:
        os.close(port)


def _opening(name: str, error: BaseException) -> TransportError:
    """Why a port could not be opened."""
    number = getattr(error, "errno", None)
    windows = str(error) if sys.platform == "win32" else ""
    if number in (errno.EAGAIN, errno.EBUSY) or "PermissionError" in windows:
        return Busy(
            f"{name} is in use by another program",
            "close it and try again; while `cribboard watch` runs, use the board's buttons",
        )
    if number == errno.EACCES:
        group = _group(name)
        return TransportError(
            f"you have no permission to open {name}",
            f"join the group {group}: sudo usermod -aG {group} $USER, then log out and in again",
        )
    if number == errno.ENOENT or "FileNotFoundError" in windows:
        return TransportError(f"there is no port {name}", "plug the board in; `cribboard boards` lists what is there")
    return TransportError(f"{name} cannot be opened: {_reason(error)}", "`cribboard boards` lists what is there")


def _group(name: str) -> str:
    """The group that may open a port: dialout on Debian, uucp on some others."""
    try:
        group = Path(name).group()
    except (OSError, KeyError, NotImplementedError):
        return "dialout"
    return "dialout" if group == "root" else group


def _reason(error: BaseException) -> str:
    """An error in few words: what the system calls it, or its own text."""
    number = getattr(error, "errno", None)
    if number is None and error.args and isinstance(error.args[0], int):
        number = error.args[0]  # termios.error has no errno
    return str(error) if number is None else os.strerror(number)
