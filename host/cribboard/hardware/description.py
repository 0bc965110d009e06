"""What one board is: its game, tracks, shape in millimetres, pins and amperes. board_toml.py reads it from a file.

The first LED of each strip is hole 1, as the firmware has it: `data_enters` says in which corner that is.
"""

from __future__ import annotations

from dataclasses import dataclass

from cribboard.errors import CribboardError

STRIP_MM = {"30/m": 10.0, "60/m": 10.0, "144/m": 12.0, "5mm": 0.0}  # how wide it is
START = 2  # holes of a track before its first one, where both pegs begin
GAP = 1  # a place left free after them


class DescriptionError(CribboardError):
    """A description that is missing or that no board can be built from."""


@dataclass(frozen=True)
class Game:
    """What the board plays when it is new; `commit_after_s` is None where settings.toml alone says it."""

    players: int
    teams: int
    target: int
    commit_after_s: int | None = None


@dataclass(frozen=True)
class Tracks:
    """The strips, in the order of their LEDs."""

    count: int
    leds: int
    pixel_order: str
    pins: tuple[str, ...]
    data_enters: str
    serpentine: bool


@dataclass(frozen=True)
class Shape:
    """Where the tracks run. `streets` and `apart_mm` are 0 but on streets, `straight` and `bend` but on an oval."""

    kind: str
    strip: str
    pitch_mm: float
    streets: int
    apart_mm: float
    straight: int
    bend: int
    track_mm: float
    hole_mm: float
    margin_mm: float
    corner_mm: float
    thickness_mm: float
    kerf_mm: float
    dots_mm: float
    screw_mm: float
    bed_mm: tuple[float, float]
    printer_mm: tuple[float, float]

    @property
    def strip_mm(self) -> float:
        """How wide the strip is; 0 for single pixels."""
        return STRIP_MM[self.strip]


@dataclass(frozen=True)
class Buttons:
    """The pins of +1, +5 and OK of each place (none: an empty tuple), of UNDO and of DEAL, and their cut-outs."""

    players: tuple[tuple[str, ...], ...]
    undo: str
    deal: str
    diameter_mm: float
    apart_mm: float
    far_edge: tuple[int, ...]  # the places whose buttons stand on the upper edge; the first is 0


@dataclass(frozen=True)
class Interface:
    """What stands between the controller's pins and the strips; `shifter` may be "none", the others 0."""

    shifter: str
    data_ohm: int
    capacitor_uf: int


@dataclass(frozen=True)
class Supply:
    """Where the current comes from, what the firmware may take, and what guards it."""

    kind: str
    current_a: float
    brightness: int
    limit_ma: int
    fuse_a: float
    wire_mm2: float
    main_wire_mm2: float  # from a supply of its own to the fuses; 0 on USB

    @property
    def current_ma(self) -> int:
        """What it can give, in milliamperes."""
        return round(self.current_a * 1000)

    @property
    def fuse_ma(self) -> int:
        """The fuse of the strips, in milliamperes."""
        return round(self.fuse_a * 1000)


@dataclass(frozen=True)
class Description:
    """One board."""

    name: str
    game: Game
    controller: str
    tracks: Tracks
    shape: Shape
    buttons: Buttons
    piezo: str
    interface: Interface
    supply: Supply

    @property
    def pixels(self) -> int:
        """On all tracks together."""
        return self.tracks.count * self.tracks.leds

    @property
    def track_m(self) -> float:
        """How long one track's strip is, in metres."""
        return self.tracks.leds * self.shape.pitch_mm / 1000

    @property
    def on_usb(self) -> bool:
        """Whether the strips are fed by the USB port."""
        return self.supply.kind == "usb"
