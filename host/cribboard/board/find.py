"""Finding boards by what USB says about their ports; only the handshake shows what is really there."""

from __future__ import annotations

import importlib
import sys
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, TypeVar

from serial.tools.list_ports import comports

from cribboard.board.link import GIVE_UP_S, Clock, Connection
from cribboard.board.messages import Hello, Standing
from cribboard.board.queries import Queries
from cribboard.board.transport import SerialTransport, Transport

Answer = TypeVar("Answer")

VENDORS = {0x239A: "Adafruit", 0x2E8A: "Raspberry Pi"}
DATA_INTERFACE = "CDC2"  # CircuitPython names its second serial port "CircuitPython CDC2 control"
BY_ID = Path("/dev/serial/by-id")
DATA_LINK = "-if02"
PROBE_S = 1.0  # a board that runs answers in some milliseconds


@dataclass(frozen=True)
class Found:
    """A port where a board may be: its name, the chip's uid when it is known, how it is there, and what USB says.

    `sure` is set when the system tells that it is the data port of a CircuitPython board.
    """

    port: str
    uid: str
    kind: str
    note: str = ""
    sure: bool = True


class Port(Protocol):
    """A serial port as pyserial lists it."""

    device: str
    vid: int | None
    serial_number: str | None
    product: str | None
    interface: str | None


def attached(ports: Callable[[], Iterable[Port]] = comports, by_id: Path = BY_ID) -> list[Found]:
    """Ports of attached boards: only their data ports, if the system can distinguish them from consoles."""
    candidates = _candidates(ports)
    named = sys.platform == "linux"  # Windows gives pyserial no names, and macOS the console's for both ports
    data = _data_links(by_id) | _toolkit_ports()
    boards = []
    for port in candidates:
        interface = (port.interface or "") if named else ""
        sure = DATA_INTERFACE in interface or port.device in data
        other = interface or any(_same_board(port, one) and one.device in data for one in candidates)
        if sure or not other:
            note = port.product or VENDORS[port.vid or 0]
            boards.append(Found(port.device, (port.serial_number or "").lower(), "attached", note, sure))
    return boards


def consoles(ports: Callable[[], Iterable[Port]] = comports, by_id: Path = BY_ID) -> dict[str, str]:
    """The ports of attached boards that are no data ports, each with its board's uid: their consoles."""
    data = {board.port for board in attached(ports, by_id)}
    rest = [port for port in _candidates(ports) if port.device not in data]
    return {str(port.device): (port.serial_number or "").lower() for port in rest}


def probe(port: str, reach: Callable[[str], Transport] = SerialTransport, clock: Clock = time.monotonic) -> Hello:
    """Who answers at a port; raises TransportError when nobody does, and WrongBoard when it is of another version."""
    return _asked(port, reach, clock, PROBE_S, lambda talk: talk.hello(reopen=False))


def look(
    port: str, reach: Callable[[str], Transport] = SerialTransport, clock: Clock = time.monotonic
) -> tuple[Hello, Standing]:
    """Who answers at a port, and how its match stands, with all the patience of a game; raises as `probe` does."""
    return _asked(port, reach, clock, GIVE_UP_S, lambda talk: (talk.hello(reopen=False), talk.standing(reopen=False)))


def _candidates(ports: Callable[[], Iterable[Port]]) -> list[Port]:
    return sorted((port for port in ports() if port.vid in VENDORS), key=lambda port: str(port.device))


def _asked(
    port: str, reach: Callable[[str], Transport], clock: Clock, give_up_s: float, ask: Callable[[Queries], Answer]
) -> Answer:
    nothing: Callable[..., None] = lambda *ignored: None  # noqa: E731
    line = Connection(
        lambda: reach(port),
        clock=clock,
        pause=time.sleep,
        on_push=nothing,
        on_open=nothing,
        on_away=nothing,
        give_up_s=give_up_s,
    )
    line.open()
    try:
        return ask(Queries(line))
    finally:
        line.close()


def _same_board(port: Port, other: Port) -> bool:
    return bool(port.serial_number) and port.serial_number == other.serial_number


def _data_links(by_id: Path) -> set[str]:
    """The devices that Linux links as the third USB interface of something: after the console's two come the data's."""
    if not by_id.is_dir():
        return set()
    return {str(link.resolve()) for link in by_id.iterdir() if link.name.endswith(DATA_LINK)}


def _toolkit_ports() -> set[str]:
    """The data ports that adafruit-board-toolkit finds on Windows and macOS, where it is installed."""
    if sys.platform == "linux":
        return set()
    try:
        toolkit = importlib.import_module("adafruit_board_toolkit.circuitpython_serial")
    except ImportError:
        return set()
    return {str(port.device) for port in toolkit.data_comports()}
