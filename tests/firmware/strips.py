"""Strips to look at: lights are stepped on a fake clock, and a track is printed as a letter for each LED.

O B G Y R P and W are the places' colours and white; small letters are dim, a dot is dark.
"""

from __future__ import annotations

from types import SimpleNamespace

from hypothesis import strategies as st

from cribboard_core.events import SET
from cribboard_core.match import Match
from cribboard_core.variants import TARGETS, skunk_lines
from cribboard_fw.entry import Entry
from cribboard_fw.lights import Lights
from cribboard_fw.nvm import OFF
from cribboard_fw.paint import RGB
from cribboard_fw.scene import GAME, GamePicture
from cribboard_fw.settings import drawn_ma
from cribboard_fw.setup import Setup
from cribboard_fw.sound import Sound

BIG_MA = 20_000
CYCLE_MS = 6000  # two seconds of rhythm and up to six turns of half a second both fit


def game(
    pegs: list[tuple[int, int]], target: int = 121, sides: int = 0, dealer: int = 0, lines: tuple[int, ...] = ()
) -> Match:
    """A match with these (front, back) pegs; with more seats than pegs the sides are teams."""
    seats = sides or len(pegs)
    match = Match(target, (1 << seats) - 1, len(pegs), dealer, lines or skunk_lines(target))
    rev = 0
    for side, (front, back) in zip(match.sides, pegs, strict=True):
        if front:
            rev += 1
            match.apply(rev, (SET, side, front, back, 0))
    return match


def entry(match: Match, **pending: int) -> Entry:
    """Pending points, such as side0=5."""
    result = Entry(match, lambda side, points, owner: None)
    for side, points in pending.items():
        result.add(int(side[4:]), points)
    return result


def open_setup(match: Match, now: int = 0) -> Setup:
    """The set-up as it opens, of a board without a piezo."""
    sound = Sound(lambda hertz, level: None, OFF)
    return Setup(SimpleNamespace(match=match, now=now, sound=sound, choice=None, changed=False))  # type: ignore[arg-type]


def set_up(match: Match, joined: list[int], sides: int, target: int, dealer: int) -> Setup:
    """A set-up with this choice."""
    setup = open_setup(match)
    setup.joined, setup.sides, setup.target, setup.dealer = joined, sides, target, dealer
    return setup


class Board:
    """Lights and what their strips were sent last."""

    def __init__(
        self, tracks: int = 2, leds: int = 121, brightness: int = 30, limit_ma: int = BIG_MA, strong: int = 0
    ) -> None:
        self.lights = Lights(tracks, leds, brightness, limit_ma, 0, strong)
        self.strips = [[0] * leds for _ in range(tracks)]
        self.sent = [0] * tracks
        self.most_ma = 0
        self.now = 0

    def step(self) -> int:
        """One turn of the loop."""
        track = self.lights.step(self.now)
        if track >= 0:
            self.strips[track] = list(self.lights.frame(track))
            self.sent[track] += 1
            self.most_ma = max(self.most_ma, self.drawn_ma())
        return track

    def drawn_ma(self) -> int:
        """What the strips draw with what they were sent last."""
        light = 0
        for strip in self.strips:
            for packed in strip:
                light += (packed >> 16) + (packed >> 8 & 255) + (packed & 255)
        return drawn_ma(light, sum(len(strip) for strip in self.strips))

    def run(self, ms: int, step_ms: int = 5) -> None:
        """Let time pass."""
        for _ in range(ms // step_ms):
            self.now += step_ms
            self.step()

    def at(self, ms: int = 0) -> None:
        """Go to this time in the next cycle of all rhythms, and let every track catch up."""
        self.now = (self.now // CYCLE_MS + 1) * CYCLE_MS + ms
        for _ in range(6 * len(self.strips)):
            self.step()

    def update(
        self,
        match: Match,
        pending: Entry | None = None,
        setup: Setup | None = None,
        undoing: bool = False,
        eighths: int = 0,
        view: int = GAME,
    ) -> None:
        """Take in a game as it is to be shown, or a set-up in its place."""
        picture = GamePicture(match, pending or entry(match))
        picture.undoing, picture.eighths, picture.view = undoing, eighths, view
        self.lights.update(match, setup or picture)

    def show(self, match: Match, pending: Entry | None = None, ms: int = 0, **more: object) -> None:
        """Update, let shows end, and look at this time of the cycle."""
        self.update(match, pending, **more)  # type: ignore[arg-type]
        self.run(700)
        if match.winner >= 0:
            self.run(6500)
        self.at(ms)

    def text(self, track: int = 0) -> str:
        """A track as text."""
        return "".join(letter(packed) for packed in self.strips[track])

    def over_time(self, led: int, track: int = 0, steps: int = 16, every_ms: int = 125) -> str:
        """One LED step by step."""
        seen = ""
        start = (self.now // CYCLE_MS + 1) * CYCLE_MS
        for step in range(steps):
            self.now = start + step * every_ms
            for _ in range(2 * len(self.strips)):
                self.step()
            seen += letter(self.strips[track][led])
        return seen


def letter(packed: int) -> str:
    """The letter of a colour: the nearest of the places' in proportion, small below a third of the default's peak."""
    if not packed:
        return "."
    seen = (packed >> 16, packed >> 8 & 255, packed & 255)

    def distance(who: int) -> float:
        return sum((a / max(seen) - b / max(RGB[who])) ** 2 for a, b in zip(seen, RGB[who], strict=True))

    name = "OBGYRPW"[min(range(7), key=distance)]
    return name if max(seen) > 25 else name.lower()


@st.composite
def matches(draw: st.DrawFn) -> Match:
    """Any match: any players and teams, targets, lines and pegs, won or not."""
    target = draw(st.sampled_from(TARGETS))
    seats = draw(st.integers(2, 6))
    count = draw(st.sampled_from({4: [4, 2], 6: [6, 2, 3]}.get(seats, [seats])))
    lines = draw(st.sampled_from([skunk_lines(target), (target, 1), (0, 0)]))
    pegs = []
    for _ in range(count):
        front = draw(st.integers(0, target - 1))
        pegs.append((front, draw(st.integers(0, front))))
    match = game(pegs, target, seats, draw(st.integers(0, seats - 1)), lines)
    if draw(st.booleans()):
        side = draw(st.sampled_from(match.sides))
        match.apply(match.rev + 1, (SET, side, target, draw(st.integers(0, target - 1)), 0))
    match.play.won = [draw(st.integers(0, 300)) for _ in range(count)]
    return match


@st.composite
def pendings(draw: st.DrawFn, match: Match) -> Entry:
    """Any pending points that a match allows."""
    drawn = entry(match)
    for side in match.sides:
        drawn.add(side, draw(st.integers(0, drawn.room(side))))
    return drawn
