"""Bring-up: light, buttons and sound are tried one by one, before the first game is played on a new board.

By itself it walks ten lights in red, green, blue and white over every track, plays four tones, and lights a pixel of
its own for every button that is held. A host may ask for light and tones instead (firmware/wire/README.md).
"""

from __future__ import annotations

from cribboard_core.wire import Lines, encode
from cribboard_fw import power
from cribboard_fw.clock import elapsed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from cribboard_fw.settings import Settings
    from cribboard_fw.types import Parts

COLOURS = ((48, 0, 0), (0, 48, 0), (0, 0, 48), (48, 48, 48))
KEY_COLOUR = (96, 96, 96)
TONES = (262, 330, 392, 523)  # hertz, one with each colour
TONE_MS = 200
BLOCK = 10  # lights
STEP_MS = 30  # a block moves on by one light


class BringUp:
    """What `step` in a loop tries. `over` is set when the host lets the board go on to its game."""

    def __init__(self, parts: Parts, settings: Settings, now: int) -> None:
        self.over = False
        self._parts = parts
        self._settings = settings
        self._allowed = power.allowance(settings.pixels, settings.limit_ma)
        self._keys = parts.shared + 2
        self._down: list[int] = []
        self._lines = Lines()
        self._asked = False  # a host has the lights
        self._walked = 0  # steps
        self._moved = now

    def step(self, now: int) -> None:
        """Take a button's edge or a host's request, and walk on when it is time."""
        self._key()
        self._hear()
        if not self._asked and not self._down and elapsed(now, self._moved) >= STEP_MS:
            self._moved = now
            self._walk()

    def _key(self) -> None:
        edge = self._parts.key()
        if edge is None or edge[0] < 0:
            return
        number, pressed, _ = edge
        self._down = [key for key in self._down if key != number] + ([number] if pressed else [])
        self._say(["key", number, int(pressed)])
        if not self._asked:
            apart = max(1, self._settings.leds // self._keys)
            self._dark()
            if self._down:
                key = self._down[-1]
                self._light(0, key * apart, key * apart + 1, KEY_COLOUR)

    def _walk(self) -> None:
        tracks, leds = len(self._parts.strips), self._settings.leds
        steps = leds + BLOCK
        lap, at = divmod(self._walked, steps)
        colour, track = lap // tracks % len(COLOURS), lap % tracks
        if at == 0:
            self._dark()
        ms = at * STEP_MS
        if not track and ms <= TONE_MS:
            self._parts.tone(TONES[colour] if ms < TONE_MS - STEP_MS else 0, 2)
        self._light(track, at - BLOCK + 1, at + 1, COLOURS[colour])
        self._walked += 1

    def _light(self, track: int, first: int, stop: int, colour: tuple[int, ...]) -> int:
        """Light these pixels of a track and no others of it; returns by how many 256ths they were dimmed."""
        leds = self._settings.leds
        strip = self._parts.strips[track]
        first, stop = max(0, min(leds, first)), min(leds, stop)
        lit = max(0, stop - first)
        dimmed = power.scale(sum(colour) * lit, self._allowed)
        red, green, blue = [channel * dimmed // power.FULL for channel in colour]
        strip[self._settings.skip :] = [0] * first + [red << 16 | green << 8 | blue] * lit + [0] * (leds - first - lit)
        strip.show()
        return dimmed

    def _dark(self) -> None:
        for track in range(len(self._parts.strips)):
            self._light(track, 0, 0, (0, 0, 0))

    def _hear(self) -> None:
        port = self._parts.port
        if not port.connected:
            self._asked = False
            return
        if port.in_waiting:
            for message in self._lines.feed(port.read(min(port.in_waiting, 64))):
                numbers = [item for item in message[1:] if type(item) is int]
                if numbers and len(numbers) == len(message) - 1 and 0 < numbers[0] < 256:
                    self._answer(message[0], numbers[0], numbers[1:])

    def _answer(self, op: object, q: int, args: list[int]) -> None:
        parts, settings = self._parts, self._settings
        if op == "bring-up" and not args:
            about = [parts.uid, len(parts.strips), settings.leds, self._keys, settings.pixel_order, settings.limit_ma]
            self._say([op, q] + about)
        elif op == "light" and len(args) == 6 and 0 <= args[0] < len(parts.strips) and _are_bytes(args[3:]):
            for track in range(len(parts.strips)):
                if track != args[0]:
                    self._light(track, 0, 0, (0, 0, 0))
            self._say([op, q, self._light(args[0], args[1], args[2], tuple(args[3:]))])
        elif op == "tone" and len(args) == 1 and 0 <= args[0] <= 5000:
            parts.tone(args[0], 2)
            self._say([op, q])
        elif op == "end" and not args:
            self.over = True
            self._say([op, q])
        else:
            self._say(["no", 0, q, "op", "the board is in its bring-up, which does not know that"])
            return
        self._asked = True

    def _say(self, message: list[object]) -> None:
        if self._parts.port.connected:
            self._parts.port.write(encode(message))


def _are_bytes(data: list[int]) -> bool:
    return min(data) >= 0 and max(data) <= 255


def carry_out(parts: Parts, settings: Settings, ticks: Callable[[], int], feed: Callable[[], None]) -> None:
    """Run the bring-up until a host ends it, or the power does."""
    bring_up = BringUp(parts, settings, ticks())
    while not bring_up.over:
        bring_up.step(ticks())
        feed()
    parts.tone(0, 0)
