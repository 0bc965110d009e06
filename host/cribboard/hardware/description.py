"""What one board is: its game, tracks, shape in millimetres, pins and amperes, read from a board.toml and checked.

The first LED of each strip is hole 1, as the firmware has it: `data_enters` says in which corner that is. Every mistake
in a file is said with its section, its key, its value and what to do.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path

from cribboard.errors import CribboardError
from cribboard.files import read_file
from cribboard.hardware.twenty_nine import least
from cribboard_core.variants import TARGETS, team_choices
from cribboard_fw.settings import LED_COUNTS, ORDER_ADVICE, PIXEL_ORDERS

STRIP_MM = {"30/m": 10.0, "60/m": 10.0, "144/m": 12.0, "5mm": 0.0}  # how wide it is
START = 2  # holes of a track before its first one, where both pegs begin
GAP = 1  # a place left free after them

MOST_MM = 3000
SHEET_MM = (2.5, 8.0)  # the case and its screws come out for these
FACE_MM, PANEL_MM = 1.5, 3.2  # unless a description says otherwise; usual push-buttons of 16 mm take 0.5 to 3.2 mm
MOST_SAID = 60  # letters of a value in a message; no name is longer
LONGEST_PIN = 40


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
    face_mm: float  # what has the holes; 0 is a printed page
    cover_mm: float  # clear, over the face; 0 is none
    thickness_mm: float  # of the sheet behind the face, and of the case
    face_kerf_mm: float
    kerf_mm: float
    dots_mm: float
    screw_mm: float
    plate: str  # engraved between the buttons; empty is nothing
    paint: bool  # wells along the tracks, for their colours
    drawer: bool  # for cards and pegs, below the back
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
    panel_mm: float  # the thickest panel that a button takes
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
    strong_pegs: bool  # brighter front and back pegs, for those who see badly

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


class Section:
    """Values by their keys; what is wrong goes to `mistakes`, which the sections of a file share."""

    def __init__(self, name: str, values: dict[str, object], mistakes: list[str]) -> None:
        self.mistakes = mistakes
        self._name = name
        self._values = values
        self._read: set[str] = set()
        self._wrong: set[str] = set()

    def __contains__(self, key: str) -> bool:
        return key in self._values

    def say(self, mistake: str) -> None:
        """Keep a mistake."""
        self.mistakes.append(mistake)

    def wrong(self, key: str, advice: str) -> None:
        """Keep what is wrong with a key's value, unless something is already."""
        if key in self._wrong:
            return
        self._wrong.add(key)
        shown = key if len(key) <= MOST_SAID else key[:MOST_SAID] + " ..."
        where = f"[{self._name}] {shown}" if self._name else shown
        value = f" = {_said(self._values[key])}" if key in self._values else " is missing"
        self.say(f"{where}{value}: {advice}")

    def sound(self, key: str) -> bool:
        """Whether nothing was found wrong with a key's value."""
        return key not in self._wrong

    def end(self) -> None:
        """Complain of keys that nobody has read."""
        for key in self._values:
            if key not in self._read:
                self.wrong(key, f"there is no such key; there are {', '.join(sorted(self._read))}")

    def section(self, key: str) -> Section:
        """The section of this name."""
        value = self._take(key)
        if not isinstance(value, dict):
            self.wrong(key, f"start a section with [{key}]")
            value = {}
            return _Missing(key, value, self.mistakes)
        return Section(key, value, self.mistakes)

    def text(self, key: str) -> str:
        """Text that is not empty."""
        value = self._take(key)
        if not isinstance(value, str) or not value.strip():
            self.wrong(key, "write text in quotes")
            return ""
        if len(value) > MOST_SAID:
            self.wrong(key, f"use at most {MOST_SAID} letters")
        return value

    def choice(self, key: str, choices: tuple[str, ...], advice: str = "") -> str:
        """One of these."""
        value = self._take(key)
        if value not in choices:
            known = "choose one of " + ", ".join(f'"{choice}"' for choice in choices)
            self.wrong(key, f"{known}; {advice}" if advice else known)
            return choices[0]
        return str(value)

    def flag(self, key: str) -> bool:
        """True or false."""
        value = self._take(key)
        if not isinstance(value, bool):
            self.wrong(key, "write true or false")
        return value is True

    def integer(self, key: str, least: int, most: int) -> int:
        """A whole number."""
        value = self._take(key)
        if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
            self.wrong(key, f"choose a whole number from {least} to {most}")
            return least
        return value

    def number(self, key: str, least: float, most: float) -> float:
        """A number."""
        value = self._take(key)
        if not isinstance(value, int | float) or isinstance(value, bool) or not least <= value <= most:
            self.wrong(key, f"choose a number from {least:g} to {most:g}")
            return least
        return float(value)

    def mm(self, key: str, least: float = 0) -> float:
        """A length."""
        return self.number(key, least, MOST_MM)

    def size(self, key: str) -> tuple[float, float]:
        """A width and a height."""
        value = self._take(key)
        if isinstance(value, list) and len(value) == 2 and all(_is_length(side) for side in value):
            return float(value[0]), float(value[1])
        self.wrong(key, "write width and height in millimetres, such as [600, 400]")
        return MOST_MM, MOST_MM

    def places(self, key: str) -> tuple[int, ...]:
        """Numbers of places at the table, each once."""
        value = self._take(key)
        if not isinstance(value, list) or any(type(each) is not int or not 1 <= each <= 6 for each in value):
            self.wrong(key, "number places from 1 to 6, such as [2]")
            return ()
        return tuple(dict.fromkeys(value))

    def pin(self, key: str, may_be_none: bool = False) -> str:
        """A pin's name."""
        value = self._take(key)
        if value == "" and may_be_none:
            return ""
        if not _is_pin(value):
            self.wrong(key, 'name a pin, such as "GP12"')
            return ""
        return str(value)

    def pins(self, key: str) -> tuple[str, ...]:
        """Some pins' names."""
        value = self._take(key)
        if not isinstance(value, list) or not all(_is_pin(pin) for pin in value):
            self.wrong(key, 'name pins, such as ["GP2", "GP3"]')
            return ()
        return tuple(value)

    def pin_lists(self, key: str) -> tuple[tuple[str, ...], ...]:
        """Lists of pins' names."""
        value = self._take(key)
        if not isinstance(value, list) or not all(
            isinstance(pins, list) and all(_is_pin(pin) for pin in pins) for pins in value
        ):
            self.wrong(key, 'name pins in lists, such as [["GP6", "GP7", "GP8"], []]')
            return ()
        return tuple(tuple(pins) for pins in value)

    def _take(self, key: str) -> object:
        self._read.add(key)
        return self._values.get(key)


class _Missing(Section):
    """A section that is not there; that was said once."""

    def wrong(self, key: str, advice: str) -> None:
        """Nothing to add."""


def _is_length(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 < value <= MOST_MM


def _is_pin(value: object) -> bool:
    return isinstance(value, str) and len(value) <= LONGEST_PIN and value.isascii() and value.isidentifier()


def _said(value: object) -> str:
    try:
        said = f'"{value}"' if isinstance(value, str) and value.isprintable() else repr(value)
    except ValueError:  # Python writes no more than some thousand digits
        return "(thousands of digits)"
    return said if len(said) <= MOST_SAID else said[: MOST_SAID - 4] + " ..."


HERE = Path(__file__).resolve().parents[1]
STRIPS = {"30/m": 1000 / 30, "60/m": 1000 / 60, "144/m": 1000 / 144, "5mm": 0.0}  # pitch; single pixels have any
PITCH_ERROR_MM = 0.01  # over a street of forty it stays below half a millimetre
CORNERS = ("top left", "top right", "bottom left", "bottom right")
KINDS = ("streets", "oval", "29")
LEAST_MARGIN_MM = 14  # what is written at the end of a street has room
SUPPLIES = ("usb", "5v")
LONGEST_NAME = 40
OLD_KEY = "main_fuse_a"  # of a fuse before the strips' fuses


def folder(package: Path = HERE) -> Path:
    """Where the ready descriptions are: hardware/ of a checkout, or else cribboard/_hardware/ of a wheel."""
    checkout = package.parents[1] / "hardware"
    return checkout if (checkout / "board.toml").is_file() else package / "_hardware"


def load(path: Path | None = None) -> Description:
    """The description in a file, or the default board; raises DescriptionError with every mistake in it."""
    path = folder() / "board.toml" if path is None else path
    try:
        return read(read_file(path).decode("utf-8-sig"), str(path))
    except OSError as error:
        raise DescriptionError(
            f"{path} cannot be read: {error.strerror}", f"ready descriptions are in {folder()}"
        ) from error
    except UnicodeDecodeError as error:
        raise DescriptionError(f"{path} is not text", "save it as UTF-8") from error


def read(text: str, name: str = "board.toml") -> Description:
    """The description in the text of a board.toml."""
    try:
        values = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise DescriptionError(f"{name} is not TOML: {error}", "correct that line") from error
    except RecursionError as error:
        raise DescriptionError(f"{name} has too many nested brackets", "no key takes more than two") from error
    except ValueError as error:
        raise DescriptionError(f"{name} has a number of thousands of digits", "write a shorter one") from error
    top = Section("", values, [])
    description = Description(
        name=_name(top),
        game=_game(top.section("game")),
        controller=_controller(top.section("controller")),
        tracks=_tracks(top.section("tracks")),
        shape=_shape(top.section("shape")),
        buttons=_buttons(top.section("buttons")),
        piezo=_piezo(top.section("piezo")),
        interface=_interface(top.section("interface")),
        supply=_supply(top.section("supply")),
    )
    top.end()
    if not top.mistakes:
        _together(top, description)
    if top.mistakes:
        raise DescriptionError(f"{name}: " + "\n".join(top.mistakes))
    return description


def _name(section: Section) -> str:
    name = section.text("name")
    if len(name) > LONGEST_NAME:
        section.wrong("name", f"use a name of at most {LONGEST_NAME} letters; it stands on the card and on every page")
    if not name.isprintable() or name.encode("latin-1", "replace") != name.encode("latin-1", "ignore"):
        section.wrong("name", "take letters of Latin-1; the fonts that every PDF reader has know no others")
    return name


def _game(section: Section) -> Game:
    players = section.integer("players", 2, 6)
    teams = section.integer("teams", 0, 3)
    if teams not in team_choices(players):
        choices = " or ".join(map(str, team_choices(players)))
        section.wrong("teams", f"{players} players can have {choices} (0: no teams)")
    target = section.integer("target", 61, 241)
    if target not in TARGETS:
        section.wrong("target", "a game is to 61, 91, 121 or 241")
    section.end()
    return Game(players, teams, target)


def _controller(section: Section) -> str:
    board = section.text("board")
    section.end()
    return board


def _tracks(section: Section) -> Tracks:
    tracks = Tracks(
        count=section.integer("count", 1, 4),
        leds=section.integer("leds", 61, 121),
        pixel_order=section.choice("pixel_order", PIXEL_ORDERS, ORDER_ADVICE),
        pins=section.pins("pins"),
        data_enters=section.choice("data_enters", CORNERS),
        serpentine=section.flag("serpentine"),
    )
    if tracks.leds not in LED_COUNTS:
        section.wrong("leds", "a track has 61 or 121: 60 or 120 holes and the game hole")
    if section.sound("count") and len(tracks.pins) != tracks.count:
        section.wrong("pins", f"name one pin for each of the {tracks.count} tracks")
    section.end()
    return tracks


def _shape(section: Section) -> Shape:
    kind = section.choice("kind", KINDS)
    strip = section.choice("strip", tuple(STRIPS))
    pitch = STRIPS.get(strip, 0.0)
    if "pitch_mm" in section or not pitch:
        given = section.mm("pitch_mm", 1)
        if pitch and abs(given - pitch) > PITCH_ERROR_MM:
            section.wrong("pitch_mm", f"the pixels of a {strip} strip are {pitch:.3f} apart; leave this line out")
        pitch = pitch or given
    rows, oval = kind == "streets", kind == "oval"
    kerf_mm = section.number("kerf_mm", 0, 1) if "kerf_mm" in section else 0.0
    shape = Shape(
        kind=kind,
        strip=strip,
        pitch_mm=pitch,
        streets=section.integer("streets", 1, 12) if rows else 0,
        apart_mm=section.mm("apart_mm") if rows else 0.0,
        straight=section.integer("straight", 1, 120) if oval else 0,
        bend=section.integer("bend", 1, 120) if oval else 0,
        track_mm=section.mm("track_mm"),
        hole_mm=section.mm("hole_mm", 1),
        margin_mm=section.mm("margin_mm", LEAST_MARGIN_MM),
        corner_mm=section.mm("corner_mm"),
        face_mm=section.number("face_mm", 0, 8) if "face_mm" in section else FACE_MM,
        cover_mm=section.number("cover_mm", 0, 3) if "cover_mm" in section else 0.0,
        thickness_mm=section.number("thickness_mm", *SHEET_MM),
        dots_mm=section.number("dots_mm", 0, 5) if "dots_mm" in section else 0.0,
        face_kerf_mm=section.number("face_kerf_mm", 0, 1) if "face_kerf_mm" in section else kerf_mm,
        kerf_mm=kerf_mm,
        screw_mm=section.mm("screw_mm"),
        plate=section.text("plate") if "plate" in section else "",
        paint=section.flag("paint") if "paint" in section else False,
        drawer=section.flag("drawer") if "drawer" in section else False,
        bed_mm=section.size("bed_mm"),
        printer_mm=section.size("printer_mm"),
    )
    if not rows and STRIP_MM.get(strip):
        section.wrong("strip", 'no strip goes round bends; use single pixels, "5mm"')
    section.end()
    return shape


def _buttons(section: Section) -> Buttons:
    buttons = Buttons(
        players=section.pin_lists("players"),
        undo=section.pin("undo"),
        deal=section.pin("deal"),
        diameter_mm=section.mm("diameter_mm", 3),
        apart_mm=section.mm("apart_mm", 3),
        panel_mm=section.number("panel_mm", 0.5, 40) if "panel_mm" in section else PANEL_MM,
        far_edge=tuple(place - 1 for place in section.places("far_edge")) if "far_edge" in section else (),
    )
    if len(buttons.players) > 6 or any(len(pins) not in (0, 3) for pins in buttons.players):
        section.wrong("players", "name three pins, for +1, +5 and OK, or none, for each of at most six places")
    if any(place >= len(buttons.players) or not buttons.players[place] for place in buttons.far_edge):
        section.wrong("far_edge", "name only places that have buttons; the first is 1")
    section.end()
    return buttons


def _piezo(section: Section) -> str:
    pin = section.pin("pin", may_be_none=True)
    section.end()
    return pin


def _interface(section: Section) -> Interface:
    interface = Interface(
        shifter=section.text("shifter"),
        data_ohm=section.integer("data_ohm", 0, 100_000),
        capacitor_uf=section.integer("capacitor_uf", 0, 100_000),
    )
    section.end()
    return interface


def _supply(section: Section) -> Supply:
    supply = Supply(
        kind=section.choice("kind", SUPPLIES),
        current_a=section.number("current_a", 0.1, 100),
        brightness=section.integer("brightness", 1, 100),
        limit_ma=section.integer("limit_ma", 0, 20000),
        fuse_a=section.number("fuse_a", 0.1, 100),
        wire_mm2=section.number("wire_mm2", 0.05, 25),
        main_wire_mm2=section.number("main_wire_mm2", 0, 10),
        strong_pegs=section.flag("strong_pegs") if "strong_pegs" in section else False,
    )
    if supply.kind == "usb" and supply.main_wire_mm2:
        section.wrong("main_wire_mm2", 'write 0; only kind = "5v" has it')
    if OLD_KEY in section and section.number(OLD_KEY, 0, 100):
        section.wrong(OLD_KEY, "remove this line and that fuse: up to the strips' fuses the supply protects itself")
    section.end()
    return supply


def _together(top: Section, board: Description) -> None:
    """What no section can say alone."""
    shape, tracks = board.shape, board.tracks
    if shape.kind == "streets" and (tracks.leds - 1) % shape.streets:
        top.say(f"[shape] streets = {shape.streets}: {tracks.leds - 1} holes cannot be shared out evenly")
    room, needed = 2 * (shape.straight + shape.bend), START + GAP + tracks.leds + GAP
    if shape.kind == "oval" and room < needed:
        top.say(f"[shape] straight and bend give {room} places; {tracks.leds} LEDs and the start want {needed} or more")
    if shape.kind == "29":
        _figures(top, board)
    seen: dict[str, str] = {}
    every = [("[tracks] pins", pin) for pin in tracks.pins]
    every += [("[buttons] players", pin) for pins in board.buttons.players for pin in pins]
    every += [("[buttons] undo", board.buttons.undo), ("[buttons] deal", board.buttons.deal)]
    every += [("[piezo] pin", board.piezo)] if board.piezo else []
    for where, pin in every:
        if pin.upper() in seen:
            top.say(f"{where}: {pin} is in {seen[pin.upper()]} too; everything needs a pin of its own")
        seen[pin.upper()] = where


def _figures(top: Section, board: Description) -> None:
    """What only the shape of 29 asks for."""
    if board.tracks.leds + START < least():
        top.say(f'[tracks] leds = {board.tracks.leds}: too few for kind = "29"; it takes 121')
    if board.tracks.data_enters != "top left":
        top.say(f'[tracks] data_enters = "{board.tracks.data_enters}": a 29 begins at the "top left"')
