"""Plays a game on the whole firmware but its hardware, by keys, and prints what it says and every frame that it shows.

Run by both interpreters, which must say the same.
"""

# ruff: noqa: UP031

from binascii import crc32

from cribboard_core.journal import Journal
from cribboard_core.match import Match
from cribboard_fw.app import App
from cribboard_fw.keeper import Keeper
from cribboard_fw.lights import Lights
from cribboard_fw.settings import load

SETTINGS = """
STRIP_PINS = "GP2 GP3 GP4"
LEDS_PER_TRACK = 121
CURRENT_LIMIT_MA = 2000
BUTTONS_1 = "GP6 GP7 GP8"
BUTTONS_2 = "GP9 GP10 GP11"
BUTTONS_3 = "GP14 GP15 GP16"
UNDO_PIN = "GP12"
DEAL_PIN = "GP13"
PIEZO_PIN = "GP22"
PLAYERS = 3
"""
KEYS = {"undo": 9, "deal": 10}


class Strip:
    def __init__(self, number, leds):
        self.number = number
        self.leds = leds
        self.frame = [0] * leds

    def __setitem__(self, key, value):
        assert len(value) == self.leds
        self.frame = list(value)

    def show(self):
        data = bytes([channel for pixel in self.frame for channel in (pixel >> 16, pixel >> 8 & 255, pixel & 255)])
        print("strip", self.number, "%08x" % crc32(data), len([pixel for pixel in self.frame if pixel]))


class Port:
    connected = True
    in_waiting = 0

    def read(self, n):
        return b""

    def write(self, data):
        print("says", data)
        return len(data)


class Parts:
    uid = "e661"
    promise = True

    def __init__(self, settings):
        self.strips = [Strip(number, settings.leds) for number in range(len(settings.strip_pins))]
        self.port = Port()
        self.edges = []

    def key(self):
        return self.edges.pop(0) if self.edges else None

    def tone(self, frequency):
        print("tone", frequency)


settings = load(SETTINGS)
match = Match(settings.target, (1 << settings.players) - 1, settings.players, 0, (settings.skunk, settings.double))
journal = Journal(bytearray(b"\xff" * 4096))
journal.mount(match, 0xC0FFEE)
parts = Parts(settings)
lights = Lights(len(parts.strips), settings.leds, settings.brightness, settings.limit_ma)
app = App(settings, parts, Keeper(match, journal), lights)
now = (1 << 29) - 3000  # the ticks wrap on the way


def run(ms):
    global now
    for _ in range(ms // 10):
        now = (now + 10) % (1 << 29)
        app.step(now)


def tap(key, ms=60):
    parts.edges.append((key, True, now))
    run(ms)
    parts.edges.append((key, False, now))
    run(60)


run(500)
turn = 0
while match.winner < 0:
    place = turn % 3
    for _ in range(turn % 4):
        tap(3 * place + 1)
    for _ in range(1 + turn % 3):
        tap(3 * place)
    tap(3 * place + 2)
    if turn % 5 == 4:
        tap(KEYS["undo"])
        run(700)
    if turn % 6 == 5:
        tap(KEYS["deal"])
    turn += 1
    print("turn", turn, "rev", match.rev, [match.front(side) for side in match.sides], match.dealer)
run(6000)
tap(KEYS["deal"], 3200)
tap(KEYS["deal"])
run(1000)
print("rev", match.rev, match.winner, match.dealer, [match.won(side) for side in match.sides])
