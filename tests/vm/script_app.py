"""Plays a game on the whole firmware but its hardware and prints what it says and every frame that it shows.

Keys and a host take turns, and the lights are so bright that the limiter dims them. Run by both interpreters, which
must say the same; its argument is how many players there are, each with a track.
Garbage is collected after each cell (they begin with `# %%`) and after each step of the `course`; the board does it
whenever it has to. The first cell is the test's own, the others are the firmware's, in the order in which it starts.
"""

# ruff: noqa: E402, I001, UP031

import sys
from binascii import crc32

PLAYERS = int(sys.argv[1])
SETTINGS = """
STRIP_PINS = "GP2 GP3"
LEDS_PER_TRACK = 121
BRIGHTNESS = 100
CURRENT_LIMIT_MA = 450
BUTTONS_1 = "GP6 GP7 GP8"
BUTTONS_2 = "GP9 GP10 GP11"
UNDO_PIN = "GP12"
DEAL_PIN = "GP13"
PIEZO_PIN = "GP22"
"""
THIRD = """
USB_MA = 900
BUTTONS_3 = "GP14 GP15 GP16"
PLAYERS = 3
"""
if PLAYERS == 3:
    SETTINGS = SETTINGS.replace("GP3", "GP3 GP4").replace("450", "600") + THIRD
NVM = bytearray(b"\xff" * 4096)
UNDO, DEAL = 3 * PLAYERS, 3 * PLAYERS + 1


class Data:
    """What the settings say, without what has read them, as in hardware.py."""

    def __init__(self, read):
        for name in read.__dict__:
            if name[0] != "_":
                setattr(self, name, read.__dict__[name])


class Strip:
    """Keeps three bytes a pixel, as NeoPixel does."""

    def __init__(self, number, leds):
        self.number = number
        self.data = bytearray(3 * leds)

    def __setitem__(self, key, value):
        assert 3 * len(value) == len(self.data)
        at = 0
        for pixel in value:
            self.data[at] = pixel >> 16
            self.data[at + 1] = pixel >> 8 & 255
            self.data[at + 2] = pixel & 255
            at += 3

    def show(self):
        lit = 0
        for at in range(0, len(self.data), 3):
            lit += bool(self.data[at] or self.data[at + 1] or self.data[at + 2])
        print("strip", self.number, "%08x" % crc32(self.data), lit)


class Port:
    connected = True
    inbox = b""

    @property
    def in_waiting(self):
        return len(self.inbox)

    def read(self, n):
        data = self.inbox[:n]
        self.inbox = self.inbox[n:]
        return data

    def write(self, data):
        print("says", data)
        return len(data)


class Parts:
    uid = "e661"
    flags = 1

    def __init__(self, settings):
        self.strips = [Strip(number, settings.leds) for number in range(len(settings.strip_pins))]
        self.port = Port()
        self.edges = []
        self.choice = Choice(NVM, settings.brightness, 0)

    def key(self):
        return self.edges.pop(0) if self.edges else None

    def tone(self, frequency, level):
        print("tone", frequency, level)


now = (1 << 29) - 3000  # the ticks wrap on the way


def run(ms):
    global now
    for _ in range(ms // 10):
        now = (now + 10) % (1 << 29)
        app.step(now)
        yield now


def tap(key, ms=60):
    parts.edges.append((key, True, now))
    yield from run(ms)
    parts.edges.append((key, False, now))
    yield from run(60)


def tell(message):
    parts.port.inbox += encode(message)
    yield from run(80)


def play():
    yield from run(500)
    yield from tell(["hello", 1, 2])
    turn = 0
    while match.winner < 0:
        place = turn % PLAYERS
        for _ in range(turn % 4):
            yield from tap(3 * place + 1)
        for _ in range(1 + turn % 3):
            yield from tap(3 * place)
        yield from tap(3 * place + 2)
        if turn % 5 == 4:
            yield from tap(UNDO)
            yield from run(700)
        if turn % 6 == 5:
            yield from tap(DEAL)
        if turn % 4 == 3:
            yield from tell(["hand", 9, turn + 1, place, "5H5C5SJD", "5D", 0, 29])
        if turn % 7 == 6:
            parts.port.inbox += b"noise" + encode(["state", turn + 1])
            yield from tell(["pend", turn + 1, place, 9, 1, 20])
        turn += 1
        print("scale", lights._palette.scale)
        print("turn", turn, "rev", match.rev, [match.front(side) for side in match.sides], match.dealer)
    yield from run(6000)
    yield from tap(2, 1200)
    yield from tap(DEAL, 3200)
    for key in (0, 1):
        yield from tap(key, 1500)
        yield from run(2500)
    print("chosen", parts.choice.brightness, parts.choice.sound)
    yield from tap(DEAL)
    yield from run(1000)
    print("rev", match.rev, match.winner, match.dealer, [match.won(side) for side in match.sides])


# %%
from cribboard_core.journal import Journal
from cribboard_core.match import Match

# %%
import cribboard_fw.entry

# %%
from cribboard_fw.lights import Lights

# %%
from cribboard_fw.settings import load

# %%
settings = Data(load(SETTINGS))
del load, cribboard_fw.settings, sys.modules["cribboard_fw.settings"]

# %%
match = Match(settings.target, (1 << settings.players) - 1, settings.players, 0, (settings.skunk, settings.double))
journal = Journal(NVM)
journal.mount(match, 0xC0FFEE)
import cribboard_core

del cribboard_core.mount, sys.modules["cribboard_core.mount"]

# %%
from cribboard_fw.nvm import Choice

# %%
parts = Parts(settings)
lights = Lights(len(parts.strips), settings.leds, settings.brightness, settings.limit_ma)

# %%
path = cribboard_fw.entry.__file__.replace("entry", "app")
with open(path) as file:  # noqa: PTH123
    code = compile(file.read(), path, "exec")  # an import compiles a module before it runs what that imports

# %%
import cribboard_fw.buttons

# %%
from cribboard_fw.keeper import Keeper

# %%
import cribboard_fw.link
from cribboard_core.wire import encode

# %%
import cribboard_fw.setup

# %%
import cribboard_fw.piezo

# %%
import cribboard_fw.sound

# %%
names = {"__name__": "cribboard_fw.app"}
exec(code, names)
App = names["App"]
code = names = None

# %%
app = App(settings, parts, Keeper(match, journal), lights)
course = play()
