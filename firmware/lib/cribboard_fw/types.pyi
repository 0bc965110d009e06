"""What the firmware's modules take from each other, for type checkers only: the board has no types."""

from collections.abc import Callable
from typing import Protocol

from cribboard_fw.nvm import Choice

Event = tuple[int, ...]  # kind, side, a, b, c
About = tuple[str, str, int, int, int, int]  # firmware version, uid, tracks, LEDs a track, places with buttons, flags
Choose = Callable[[int, int, int], list[object]]  # percent, sound, seconds; -1 leaves what there is
Edge = tuple[int, bool, int]  # key number, pressed, ticks

class Strip(Protocol):
    """The pixels of a track: packed colours, sent by `show`."""

    def __setitem__(self, where: slice, colours: list[int], /) -> None: ...
    def show(self) -> None: ...
    def deinit(self) -> None: ...

class Port(Protocol):
    """The serial port of hosts, as usb_cdc.data is; without one it is never connected."""

    @property
    def connected(self) -> bool: ...
    @property
    def in_waiting(self) -> int: ...
    def read(self, n: int, /) -> bytes: ...
    def write(self, data: bytes, /) -> int | None: ...

class Parts(Protocol):
    """What hardware.py makes of the settings."""

    strips: list[Strip]
    choice: Choice
    port: Port
    uid: str
    flags: int
    shared: int  # the key number of UNDO
    down: list[int]  # keys that were down when the power came

    def key(self) -> Edge | None: ...
    def tone(self, frequency: int, level: int) -> None: ...

class Picture(Protocol):
    """What the lights show."""

    def fill(self, scene: bytearray, track: int, tracks: int) -> None: ...

class Mode(Protocol):
    """What buttons, time and events do in play or in the set-up; HOLDS in buttons.py names their other methods."""

    where: int

    @property
    def picture(self) -> Picture: ...
    def tick(self, now: int) -> None: ...
    def interrupt(self, session: int) -> None: ...
    def plus(self, place: int, points: int) -> None: ...
    def ok(self, place: int) -> None: ...
    def undo_down(self) -> None: ...
    def undo(self) -> None: ...
    def deal(self) -> None: ...
