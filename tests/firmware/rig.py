"""A whole board on a fake clock: the real app over strips, keys, a port and a flash that are plain Python."""

from __future__ import annotations

from cribboard_core.journal import Journal
from cribboard_core.match import Match
from cribboard_core.wire import Lines, encode
from cribboard_fw.app import App
from cribboard_fw.clock import WRAP
from cribboard_fw.keeper import Keeper
from cribboard_fw.lights import Lights
from cribboard_fw.links import join
from cribboard_fw.nvm import Choice
from cribboard_fw.settings import load
from cribboard_fw.setup import Setup

PINS = ["GP6 GP7 GP8", "GP9 GP10 GP11", "GP14 GP15 GP16", "GP17 GP18 GP19", "GP20 GP21 GP22", "GP26 GP27 GP28"]
PLUS_1, PLUS_5, OK = range(3)


class Strip(list):
    """A strip that remembers what it was sent."""

    def __init__(self, leds: int) -> None:
        super().__init__([0] * leds)
        self.shown: list[list[int]] = []

    def show(self) -> None:
        self.shown.append(list(self))

    def deinit(self) -> None:
        """Give the pin back."""


class Port:
    """The board's end of a serial port: what the host wrote comes in, what the board writes is kept."""

    def __init__(self) -> None:
        self.connected = True
        self.inbox = b""
        self.outbox = b""
        self.room = 1 << 30

    @property
    def in_waiting(self) -> int:
        return len(self.inbox)

    def read(self, n: int) -> bytes:
        data, self.inbox = self.inbox[:n], self.inbox[n:]
        return data

    def write(self, data: bytes) -> int:
        sent = min(len(data), self.room)
        self.outbox += bytes(data[:sent])
        self.room -= sent
        return sent


class Rig:
    """The parts that the app is handed, and hands to press its buttons."""

    uid = "e6614c311b4f2a2f"
    flags = 1

    def __init__(
        self, places: int = 2, settings: str = "", nvm: bytearray | None = None, start: int = 0, ports: int = 1
    ) -> None:
        self._ports = ports
        lines = [f'BUTTONS_{place + 1} = "{PINS[place]}"' for place in range(places)]
        text = "\n".join(['STRIP_PINS = "GP2 GP3"', 'UNDO_PIN = "GP12"', 'DEAL_PIN = "GP13"', *lines, settings])
        self.settings = load(text)
        self.nvm = bytearray(b"\xff" * 4096) if nvm is None else nvm
        self.now = start
        self.places = places
        self.boot()

    def boot(self) -> None:
        """Power on: what is not in the flash is gone."""
        settings = self.settings
        self.strips = [Strip(settings.leds) for _ in settings.strip_pins]
        self.ports = [Port() for _ in range(self._ports)]
        self.port = self.ports[0]
        self.edges: list[tuple[int, bool, int]] = []
        self.tones: list[int] = []
        self._lines = Lines()
        lines = (settings.skunk, settings.double)
        sides = settings.teams or settings.players
        self.match = Match(settings.target, (1 << settings.players) - 1, sides, 0, lines)
        journal = Journal(self.nvm)
        journal.mount(self.match, 0xC0FFEE)
        self.choice = Choice(self.nvm, settings.brightness, settings.commit_s)
        bright, strong = self.choice.brightness, settings.strong_pegs
        lights = Lights(len(self.strips), settings.leds, bright, settings.limit_ma, 0, strong)
        self.app = App(settings, self, Keeper(self.match, journal), lights)
        if self._ports > 1:
            join(self.app, self.ports)

    @property
    def setup(self) -> Setup | None:
        """The set-up, while it is open."""
        return self.app.mode if isinstance(self.app.mode, Setup) else None

    def key(self) -> tuple[int, bool, int] | None:
        return self.edges.pop(0) if self.edges else None

    def tone(self, frequency: int, level: int) -> None:
        self.tones.append(frequency)
        self.level = level

    def run(self, ms: int, tick: int = 5) -> None:
        """Let time pass."""
        for _ in range(max(1, ms // tick)):
            self.now = (self.now + tick) % WRAP
            self.app.step(self.now)

    def edge(self, number: int, pressed: bool) -> None:
        self.edges.append((number, pressed, self.now))
        self.run(20)

    def tap(self, number: int, ms: int = 60) -> None:
        """Press a key and let go of it after some milliseconds."""
        self.edge(number, True)
        self.run(ms)
        self.edge(number, False)

    def peg(self, place: int, points: int) -> None:
        """Enter points with +5 and +1, and OK."""
        for _ in range(points // 5):
            self.tap(3 * place + PLUS_5)
        for _ in range(points % 5):
            self.tap(3 * place + PLUS_1)
        self.tap(3 * place + OK)

    def undo(self) -> None:
        self.tap(3 * self.places)
        self.run(700)

    def redo(self) -> None:
        self.tap(3 * self.places, 2100)

    def deal(self) -> None:
        self.tap(3 * self.places + 1)

    def open_setup(self) -> None:
        self.tap(3 * self.places + 1, 3100)

    def ask(self, *message: object) -> list[object]:
        """Send a message as a host and return the answer, passing over what is pushed."""
        self.port.inbox += encode(list(message))
        for _ in range(50):
            self.run(5)
            for reply in self.heard():
                if reply[0] not in ("ev", "say") and reply[1] != -1:
                    return reply
        raise AssertionError(f"no answer to {message}")

    def heard(self) -> list[list[object]]:
        """What the board has written since the last look."""
        data, self.port.outbox = self.port.outbox, b""
        return self._lines.feed(data)

    def scores(self) -> list[int]:
        return [self.match.front(side) for side in self.match.sides]
