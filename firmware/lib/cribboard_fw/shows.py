"""Pictures beside the game: the set-up, a won game, and comets that run before a picture appears.

The firmware's README says what they mean.
"""

from __future__ import annotations

from cribboard_fw.paint import BACK, DOT, FRONT, GLOW, PEG, STREET, UNDO, UNSEATED, WHITE, Palette, Sheet

FRAME_MS = 25
RACE = 360  # how many LEDs the comets run before the picture follows
SKUNK_GAPS = (60, 60, 30, 20)  # LEDs from comet to comet: by how the worst loser has lost
_COMET = (2, 4, 6, 10, 16, 26, 40)  # levels from the tail to the head


def set_up(sheet: Sheet, track: int, tracks: int, leds: int, target: int, sides: int, dealer: int, mask: int) -> None:
    """The set-up on one track; the dealer is a place or 255 for none, the mask has the places that have joined."""
    joined = [place for place in range(6) if mask >> place & 1]
    dots = (target - 1) // 30
    room = (leds - 18) // ((5 + tracks) // tracks)
    apart = 2 if room > 12 else 1
    for place in range(track, 6, tracks):
        first = place // tracks * room
        end = first + room - 3
        if place not in joined:
            sheet.put([first], UNSEATED << 3 | place)
            continue
        sheet.put([first], FRONT << 3 | place)
        if sides == len(joined):
            sheet.fill(first + apart, end, apart, STREET << 3 | place)
        else:
            middle = first + (room - 3) // (2 * apart) * apart
            sheet.fill(first + apart, middle, apart, STREET << 3 | place)
            sheet.fill(middle + apart, end, apart, STREET << 3 | joined[joined.index(place) % sides])
        if place == dealer:
            sheet.put([end], FRONT << 3 | WHITE)
    sheet.fill(leds + 1 - 2 * dots, leds, 2, DOT << 3 | WHITE)


def level(sheet: Sheet, leds: int, reached: int, steps: int) -> None:
    """The brightness or sound that is being chosen: a group of white lights for each step, dim from `reached` on."""
    room = (leds - 1) // steps
    for step in range(steps):
        sheet.fill(step * room, step * room + 5, 2, (STREET if step < reached else GLOW) << 3 | WHITE)


def progress(sheet: Sheet, leds: int, eighths: int) -> None:
    """How far a long hold is, under whatever the track shows."""
    sheet.fill(4, (leds - 1) * eighths // 8, 5, STREET << 3 | WHITE)


def won(sheet: Sheet, leds: int, rows: list[tuple[int, ...]], winner: int) -> None:
    """A won game on one track; rows are (place, front LED, back LED, 1 while undo is shown, games won) of each side.

    In the middle of a game, which has no winner (255), the pegs stand as they do in play.
    """
    room = (leds - 1) // max(1, len(rows))
    front_ink, back_ink = (PEG, PEG) if winner < 6 else (FRONT, BACK)
    for index in range(len(rows)):
        place, front, back, goes, games = rows[index]
        if place == winner:
            sheet.fill(0, leds - 1, 2, GLOW << 3 | place)
        first = index * room
        for five in range(first, first + room, 6):
            stop = min(five + min(games, 5), first + room - 1)
            sheet.fill(five, stop, 1, DOT << 3 | place)
            games = max(0, games - 5)
        if front >= 0:
            sheet.put([front], (UNDO if goes else front_ink) << 3 | place)
        if back >= 0 and back != front:
            sheet.put([back], back_ink << 3 | place)


def comets(palette: Palette, leds: int, who: int, gap: int) -> list[int]:
    """A track of comets `gap` LEDs apart."""
    lights = [0] * leds
    colours = [palette.colour(who, level) for level in _COMET]
    size = len(colours)
    for first in range(gap - size, leds + 1 - size, gap):
        lights[first : first + size] = colours
    return lights


def comets_light(palette: Palette, leds: int, who: int, gap: int) -> int:
    """What the channels of `comets` sum up to, undimmed."""
    one = 0
    for level in _COMET:
        one += palette.light(who, level)
    return one * (leds // gap)


class Run:
    """Comets run round a track, then out at its end, and the picture follows them in.

    Every light of the comets and of the picture is there once at most, so together they bound the current.
    """

    def __init__(self, lights: list[int], picture: list[int], race: int, stride: int) -> None:
        self.lights = lights
        self._picture = picture
        self._race = race
        self._stride = stride  # LEDs a frame
        self._at = 0

    @property
    def done(self) -> bool:
        """Whether the picture is there."""
        return self._at >= self._race + len(self._picture)

    def advance(self, run_ms: int) -> bool:
        """Move to where the run is after so many ms, catching up step by step; returns whether it moved."""
        lights = self.lights
        aim = min(run_ms // FRAME_MS * self._stride, self._race + len(lights), self._at + 24)
        moved = self._at < aim
        while self._at < aim:
            last = lights.pop()
            hole = self._at - self._race
            if hole < 0:
                lights.insert(0, last)
            else:
                lights.insert(hole, self._picture[hole])
            self._at += 1
        return moved
