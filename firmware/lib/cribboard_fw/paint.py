"""Paint: inks that change over sixteen steps of 125 ms, and a track's sheet to put them on.

An ink is one byte, kind << 3 | who, where who is a place (0 to 5) or WHITE. The rhythm of place p has p short dips in
two seconds, for those who cannot tell the colours. Nothing larger than a peg flashes more than three times a second.
"""

from __future__ import annotations

from array import array

STEP_MS = 125
WHITE = 6
MOST_MIXED = 4  # inks in a step

# Okabe and Ito's palette as light: gamma taken out, then tuned for WS2812 so that the six stay apart in simulated
# protanopia, deuteranopia and tritanopia; and white
RGB = ((255, 105, 0), (0, 55, 255), (0, 140, 60), (255, 225, 70), (190, 18, 0), (205, 90, 185), (150, 150, 150))

FRONT, BACK, CRIB, PENDING, FIFTH, UNDO, TAIL, STREET, DOT, GLOW, WARN, PEG, UNSEATED = range(1, 14)
_DIPS_FROM = (0, 13, 9, 1, 8, 0)  # the step where a rhythm begins: the dips of all should not fall together
_SLOW, _FAST = b"1111000011110000", b"1010100010101000"

# kind: levels in 64ths of the brightness, and which of them each step shows (None: the place's rhythm)
_KINDS = (
    ((0,), b"0"),
    ((0, 64), None),  # FRONT: a front peg
    ((0, 10), None),  # BACK: a back peg
    ((0, 24), None),  # CRIB: who has the crib
    ((0, 28), b"1100110011001100"),  # PENDING: holes not yet pegged
    ((28,), b"0"),  # FIFTH: every fifth of them
    ((0, 36), _FAST),  # UNDO: what would go
    ((0, 7), _SLOW),  # TAIL: laps done
    ((14,), b"0"),  # STREET: a place in the set-up
    ((32,), b"0"),  # DOT: something to count
    ((4,), b"0"),  # GLOW: a landmark
    ((4, 8, 20, 44), b"0001122333322110"),  # WARN: a line in danger
    ((0, 64), _SLOW),  # PEG: a peg of a game that is over
    ((0, 5), None),  # UNSEATED: a place that has not joined
)
_STRONG = _KINDS[:1] + (((0, 128), None), ((0, 40), None)) + _KINDS[3:]


class Palette:
    """Inks mixed to packed colours (0xRRGGBB) at a brightness in percent, dimmed by the limiter's scale in 256ths."""

    def __init__(self, brightness: int, strong: int = 0) -> None:
        self._kinds = _STRONG if strong else _KINDS
        self.scale = 256
        self.mixture = 0  # another: what is mixed is to be mixed again
        self.brighten(brightness)

    def rescale(self, scale: int) -> None:
        """Dim by another scale; what was painted must be painted again."""
        self.scale = scale
        self.mixture += 1

    def brighten(self, brightness: int) -> None:
        """Mix at another brightness in percent; what was laid out must be laid out again."""
        self._brightness = brightness
        self._costs = array("H", bytes(2 * len(_KINDS) << 3))  # by ink; 0: not known
        self.mixture += 1

    def colour(self, who: int, level: int) -> int:
        """One colour at a level in 64ths."""
        packed = 0
        for channel in RGB[who]:
            packed = packed << 8 | self._channel(channel, level) * self.scale >> 8
        return packed

    def cost(self, ink: int) -> int:
        """The sum of an ink's channels, or of the dearest of several, at its brightest and undimmed."""
        most, costs = 0, self._costs
        for one in _singles(ink):
            if not costs[one]:
                costs[one] = self.light(one & 7, max(self._kinds[one >> 3][0]))
            most = max(most, costs[one])
        return most

    def light(self, who: int, level: int) -> int:
        """The sum of the channels of one colour, undimmed."""
        return sum([self._channel(value, level) for value in RGB[who]])

    def pattern(self, ink: int) -> list[int]:
        """The colours of an ink step by step; several on one light take turns of 500 ms."""
        if ink < 256:
            return self._mix(ink)
        steps: list[int] = []
        for one in _singles(ink):
            steps += self._turn(one)
        return steps

    def _mix(self, ink: int) -> list[int]:
        levels, steps = self._kinds[ink >> 3]
        who = ink & 7
        colours = [self.colour(who, level) for level in levels]
        if steps is None:
            dips = who % WHITE
            steps = b"1" * _DIPS_FROM[dips] + b"01" * dips
            steps += b"1" * (16 - len(steps))
        return [colours[step - 48] for step in steps]

    def _turn(self, ink: int) -> list[int]:
        levels, steps = self._kinds[ink >> 3]
        if steps is None:  # half a second is too short for a rhythm
            return [self.colour(ink & 7, levels[-1])] * 4
        return (self._mix(ink) * 4)[:4]

    def _channel(self, value: int, level: int) -> int:
        # rounded up: what is lit is never dark; a colour that is full stays itself
        return -(-value * min(6400, level * self._brightness) // 6400)


def _singles(ink: int) -> list[int]:
    inks: list[int] = []
    while ink:
        inks.insert(0, ink & 255)
        ink >>= 8
    return inks


class Sheet:
    """One track's picture: steady fills, and above them lights, several of which can share an LED."""

    def __init__(self, dark: list[int], inks: list[int], lit: bytearray) -> None:
        self._dark = dark  # a zero for each LED
        self.frame = list(dark)  # packed colours, to be sent as they are
        self._inks = inks  # until it is finished, the lights: an ink, or several, a byte each
        self._lit = lit  # and the LEDs that have one
        self._groups: list[tuple[int, list[int]]] = []  # the same by ink
        self._patterns: dict[int, tuple[int, ...] | list[int]] = {}  # of its inks, () until they are mixed
        self._mixture = -1
        self._shown: list[int] = []  # the colours that the groups have now
        self._step = -1
        self.clear()

    def clear(self) -> None:
        """Begin a new picture; the frame stays until it is painted."""
        self._fills: list[tuple[int, int, int, int]] = []
        self._inks[:] = self._dark
        self._count = 0

    def fill(self, first: int, stop: int, stride: int, ink: int) -> None:
        """A steady ink on every `stride`-th LED of first to stop - 1."""
        self._fills.append((first, stop, stride, ink))

    def put(self, leds: list[int], ink: int) -> None:
        """An ink on some LEDs, where it takes turns with what is there."""
        inks, lit, count = self._inks, self._lit, self._count
        for led in leds:
            if inks[led]:
                inks[led] = inks[led] << 8 | ink
            else:
                inks[led] = ink
                lit[count] = led
                count += 1
        self._count = count

    def free(self, led: int) -> bool:
        """Whether no light is put on an LED."""
        return not self._inks[led]

    def finish(self, palette: Palette) -> int:
        """The most that this picture's channels sum up to at any moment, undimmed; what is covered counts."""
        groups: dict[int, list[int]] = {}
        group: list[int] = []
        last = 0
        inks, had = self._inks, self._patterns
        for led in self._lit[: self._count]:
            if inks[led] != last:
                last = inks[led]
                group = groups[last] = groups.get(last, [])
            group.append(led)
        self._groups = list(groups.items())  # in any order
        self._patterns = {}
        total = 0
        counts = [(ink, len(leds)) for ink, leds in self._groups]
        counts += [(ink, len(range(first, stop, stride))) for first, stop, stride, ink in self._fills]
        for ink, count in counts:
            self._patterns[ink] = had.get(ink, ())
            total += palette.cost(ink) * count
        return total

    def mix(self, palette: Palette) -> int:
        """Mix inks of the finished picture that are not yet, MOST_MIXED at most; returns how many it were."""
        if self._mixture != palette.mixture:
            self._mixture = palette.mixture
            self._patterns = dict.fromkeys(self._patterns, ())
        mixed = 0
        for ink, pattern in self._patterns.items():  # in any order
            if not pattern and mixed < MOST_MIXED:
                self._patterns[ink] = palette.pattern(ink)
                mixed += 1
        return mixed

    def paint(self, now: int) -> None:
        """Make the frame of the picture, which is mixed, as it is at this time."""
        frame = self.frame
        frame[:] = self._dark
        for first, stop, stride, ink in self._fills:
            colour = self._patterns[ink][0]
            for led in range(first, stop, stride):
                frame[led] = colour
        self._shown = [-1] * len(self._groups)
        self._step = -1
        self.blink(now)

    def blink(self, now: int) -> bool:
        """Let the frame change with time; returns whether it did."""
        step = now // STEP_MS
        if step == self._step:
            return False
        self._step = step
        changed = False
        frame, shown = self.frame, self._shown
        for at in range(len(self._groups)):
            ink, leds = self._groups[at]
            pattern = self._patterns[ink]
            colour = pattern[step % len(pattern)]
            if colour != shown[at]:
                shown[at] = colour
                changed = True
                for led in leds:
                    frame[led] = colour
        return changed
