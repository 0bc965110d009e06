"""settings.toml, read and checked once: every mistake is named with its key, its value and what to do.

The file is CircuitPython's subset of TOML: KEY = "text" or KEY = integer, # before a comment, up to the first
[section]. Keys with CIRCUITPY_ in front are CircuitPython's.
"""

from __future__ import annotations

from cribboard_core.variants import TARGETS, skunk_lines, team_choices
from cribboard_fw.power import CHANNEL_MA, CONTROLLER_MA, idle_ma

WIFI = "WIFI_"
LED_COUNTS = (61, 121)
MOST_MISTAKES = 8  # listed at once
ORDER_ADVICE = "most strips are GRB; four colours (RGBW) cannot work: the picture ends at three quarters of the strip"
PIXEL_ORDERS = ("RGB", "RBG", "GRB", "GBR", "BRG", "BGR")
BUTTON_KEYS = ("BUTTONS_1", "BUTTONS_2", "BUTTONS_3", "BUTTONS_4", "BUTTONS_5", "BUTTONS_6")
PIN_KEYS = ("STRIP_PINS",) + BUTTON_KEYS + ("UNDO_PIN", "DEAL_PIN", "PIEZO_PIN")

# key: what it is when it is left out, the least and the most
NUMBERS = {
    "LEDS_PER_TRACK": (121, 0, 999),
    "SKIP_PIXELS": (0, 0, 8),
    "BRIGHTNESS": (30, 1, 100),
    "STRONG_PEGS": (0, 0, 1),
    "CURRENT_LIMIT_MA": (450, 0, 8000),
    "USB_MA": (500, 0, 3000),
    "SUPPLY_MA": (0, 0, 8000),
    "FUSE_MA": (1000, 0, 4000),
    "PLAYERS": (2, 2, 6),
    "TEAMS": (0, 0, 6),
    "TARGET": (121, 0, 999),
    "SKUNK_LINE": (-1, 0, 241),
    "DOUBLE_SKUNK_LINE": (-1, 0, 241),
    "COMMIT_AFTER_S": (0, 0, 60),
}


HEADROOM_MA = 100  # the least above idle that shows a game in its true colours
SOURCE_PERCENT, FUSE_PERCENT = 90, 75  # of their ratings, to be taken for long


class SettingsError(ValueError):
    """Settings that the board cannot run with, a line for each mistake; code.py shows so many red lights of ten."""

    of_ten = 1


def load(text: str) -> Settings:
    """The settings in the text of a settings.toml; raises SettingsError."""
    return Settings(text)


class Settings:
    """What settings.toml says; what is left out is as in the project's own."""

    def __init__(self, text: str) -> None:
        self._mistakes: list[str] = []
        self._unread: list[str] = []  # keys whose value is no value at all
        self._values: dict[str, str | int] = {}
        self._read(text)
        self._wiring()
        self._light()
        self._game()
        self.wifi: Wifi | None = None
        if [key for key in self._values if key[:5] == WIFI]:  # in any order
            from cribboard_fw.network import Wifi

            self.wifi = Wifi(self._values, self._wrong)
        if self._mistakes:
            raise SettingsError("\n".join(self._mistakes))

    def _wiring(self) -> None:
        self.strip_pins = self._pins("STRIP_PINS")
        if not 1 <= len(self.strip_pins) <= 4:
            self._wrong("STRIP_PINS", 'name a pin for each track, one to four of them, such as "GP2 GP3"')
        self.buttons: list[list[str] | None] = []  # +1, +5 and OK of each place
        for key in BUTTON_KEYS:
            pins = self._pins(key)
            if len(pins) not in (0, 3):
                self._wrong(key, 'name three pins, for +1, +5 and OK, such as "GP6 GP7 GP8", or none')
            self.buttons.append(pins or None)
        self.undo_pin = self._pin("UNDO_PIN")
        self.deal_pin = self._pin("DEAL_PIN")
        self.piezo_pin = self._pin("PIEZO_PIN") or None
        used: dict[str, str] = {}
        for key in PIN_KEYS:
            for pin in self._pins(key):
                other = used.get(pin.upper())
                if other:
                    where = "named twice" if other == key else "in %s too" % other
                    self._wrong(key, "%s is %s; everything needs a pin of its own" % (_cut(pin), where))
                used[pin.upper()] = key

    def _light(self) -> None:
        self.leds = self._number("LEDS_PER_TRACK")
        if self.leds not in LED_COUNTS:
            self._wrong("LEDS_PER_TRACK", "a track has 61 or 121: 60 or 120 holes and the game hole")
        self.skip = self._number("SKIP_PIXELS")
        self.pixel_order = str(self._values.get("PIXEL_ORDER", "GRB"))
        if self.pixel_order not in PIXEL_ORDERS:
            self._wrong("PIXEL_ORDER", "choose one of %s; %s" % (" ".join(PIXEL_ORDERS), ORDER_ADVICE))
        self.brightness = self._number("BRIGHTNESS")
        self.strong_pegs = self._number("STRONG_PEGS")
        self.limit_ma = self._number("CURRENT_LIMIT_MA")
        self.usb_ma = self._number("USB_MA")
        self.supply_ma = self._number("SUPPLY_MA")  # 0: the USB port feeds the strips
        self.fuse_ma = self._number("FUSE_MA")
        self.pixels = len(self.strip_pins) * (self.skip + self.leds)
        idle = idle_ma(self.pixels)
        if self.limit_ma < idle + HEADROOM_MA:
            said = "%d dark pixels and the controller take %d mA and a game %d more; allow %d if the supply can give it"
            self._wrong("CURRENT_LIMIT_MA", said % (self.pixels, idle, HEADROOM_MA, idle + HEADROOM_MA))
        source = self.supply_ma or self.usb_ma
        carried = carried_ma(source, self.fuse_ma)
        if self.limit_ma > carried and not self._mistakes:
            said = "%s = %d and FUSE_MA = %d carry %d; allow that, or set SUPPLY_MA and FUSE_MA to yours"
            name = "SUPPLY_MA" if self.supply_ma else "USB_MA"
            self._wrong("CURRENT_LIMIT_MA", said % (name, source, self.fuse_ma, carried))

    def _game(self) -> None:
        self.players = self._number("PLAYERS")
        self.teams = self._number("TEAMS")
        choices = team_choices(self.players)
        if self.teams not in choices:
            said = " or ".join([str(choice) for choice in choices])
            self._wrong("TEAMS", "%d players can have %s (0: no teams)" % (self.players, said))
        self.sides = self.teams or self.players
        self.target = self._number("TARGET")
        if self.target not in TARGETS:
            self._wrong("TARGET", "a game is to 61, 91, 121 or 241")
            return
        lines = skunk_lines(self.target)
        self.skunk = self._number("SKUNK_LINE", lines[0])
        self.double = self._number("DOUBLE_SKUNK_LINE", min(lines[1], self.skunk))
        if self.skunk > self.target:
            self._wrong("SKUNK_LINE", "it is the first score that is safe, at most %d; 0 is none" % self.target)
        if self.double > self.skunk:
            self._wrong("DOUBLE_SKUNK_LINE", "it is at most the skunk line, %d; 0 is none" % self.skunk)
        self.commit_s = self._number("COMMIT_AFTER_S")

    def _number(self, key: str, usual: int = -1) -> int:
        default, least, most = NUMBERS[key]
        value = self._values.get(key)
        if isinstance(value, int):
            if least <= value <= most:
                return value
            self._wrong(key, "choose from %d to %d" % (least, most))
        return default if default >= 0 else usual

    def _pins(self, key: str) -> list[str]:
        return str(self._values.get(key, "")).split()

    def _pin(self, key: str) -> str:
        pins = self._pins(key)
        if len(pins) > 1:
            self._wrong(key, "name one pin")
        elif not pins and key != "PIEZO_PIN":
            self._wrong(key, 'the game needs this button; name its pin, such as "GP12"')
        return pins[0] if pins else ""

    def _wrong(self, key: str, advice: str) -> None:
        value = self._values.get(key)
        if key not in self._unread:
            self._say("%s %s: %s" % (key, "is missing" if value is None else "= " + _hidden(key, _said(value)), advice))

    def _say(self, mistake: str) -> None:
        if mistake not in self._mistakes and len(self._mistakes) < MOST_MISTAKES:
            self._mistakes.append(mistake)

    def _read(self, text: str) -> None:
        lines = text.replace("\ufeff", "").split("\n")  # some editors begin a file with this mark
        for number in range(len(lines)):
            line = lines[number].strip()
            if line[:1] == "[":
                return
            if line and line[0] != "#" and not line.startswith("CIRCUITPY_"):
                mistake = self._take(line)
                if mistake:
                    self._say("line %d, %s" % (number + 1, mistake))
            elif line[:11] == "CIRCUITPY_W":  # of Wi-Fi and its web pages
                key = line.split("=")[0].strip()
                self._say("%s: with it the board starts dark, or gives away its drive; use WIFI_NETWORK" % key)

    def _take(self, line: str) -> str:
        key, equals, rest = line.partition("=")
        key = key.strip()
        if not equals:
            return "%s: write KEY = value, or # before a comment" % _hidden(line, _said(line))
        if key not in NUMBERS and key not in PIN_KEYS and key != "PIXEL_ORDER" and key[:5] != WIFI:
            return "%s: there is no such setting%s" % (_said(key), _nearest(key))
        if key in self._values or key in self._unread:
            return "%s: it appears twice; remove one of them" % key
        value = _value(rest.strip())
        if value is None or isinstance(value, str) == (key in NUMBERS):
            self._unread.append(key)
            form = "a whole number without quotes" if key in NUMBERS else 'text in double quotes, such as "GP2"'
            return "%s = %s: write %s" % (key, _hidden(key, _cut(rest.strip())), form)
        self._values[key] = value
        if key in PIN_KEYS:
            for pin in self._pins(key):
                if not _is_name(pin):
                    return "%s: %s is not the name of a pin" % (key, _said(pin))
        return ""


def drawn_ma(light: int, pixels: int) -> int:
    """What the board draws, rounded up, when the channels of all pixels sum up to `light`."""
    return idle_ma(pixels) - -light * CHANNEL_MA // 255


def carried_ma(source_ma: int, fuse_ma: int) -> int:
    """The highest limit for a source and a fuse; all light may be behind it, the controller is not."""
    return min(source_ma * SOURCE_PERCENT // 100, fuse_ma * FUSE_PERCENT // 100 + CONTROLLER_MA)


class Data:
    """What settings.toml says, without what has read it."""


def read_settings() -> Settings:
    """The settings; raises SettingsError or OSError."""
    with open("settings.toml") as file:
        read = load(file.read()).__dict__
    data = Data()
    for name in read:
        if name[0] != "_":
            setattr(data, name, read[name])
    return data  # type: ignore[return-value]


def _value(text: str) -> str | int | None:
    """The text or integer before a comment; None for anything else."""
    if text[:1] == '"':
        value, quote, rest = text[1:].partition('"')
        rest = rest.strip()
        return None if not quote or "\\" in value or (rest and rest[0] != "#") else value
    text = text.split("#")[0].strip()
    digits = text[1:] if text[:1] in ("-", "+") else text
    if not 0 < len(digits) <= 9 or digits.strip("0123456789"):
        return None
    return int(text)


def _is_name(pin: str) -> bool:
    return "A" <= pin[0].upper() <= "Z" and not pin.upper().strip("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")


def _said(value: str | int) -> str:
    return '"%s"' % _cut(value) if isinstance(value, str) else str(value)


def _hidden(key: str, said: str) -> str:
    return "..." if key[:5] == WIFI else said


def _cut(text: str) -> str:
    said = "".join([letter if " " <= letter <= "~" else "?" for letter in text[:41]])
    return said if len(said) <= 40 else said[:36] + " ..."


def _nearest(key: str) -> str:
    """The known key that fewest letters tell from this one, when it is near enough to be meant."""
    best, fewest = "", len(key) // 2 + 1
    for known in sorted(NUMBERS) + list(PIN_KEYS) + ["PIXEL_ORDER"] if len(key) <= 24 else []:
        steps = _edits(key.upper(), known)
        if steps < fewest:
            best, fewest = known, steps
    return "; do you mean %s?" % best if best else "; the settings.toml of the project has them all"


def _edits(one: str, other: str) -> int:
    row = list(range(len(other) + 1))
    for i in range(len(one)):
        diagonal, row[0] = row[0], i + 1
        for j in range(len(other)):
            change = diagonal + (one[i] != other[j])
            diagonal = row[j + 1]
            row[j + 1] = min(change, row[j + 1] + 1, row[j] + 1)
    return row[-1]
