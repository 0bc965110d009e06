"""What a track is to show, as a few bytes that can be compared, and the pictures made from them.

They are the game, the set-up, a won game, and comets that run before a picture appears. Hole n is LED (n - 1) mod
(LEDs - 1) of its side's track; the firmware's README says what the lights mean.
"""

from __future__ import annotations

from cribboard_core.game import NOBODY
from cribboard_core.variants import NEAR_HOME
from cribboard_fw.paint import (
    BACK,
    CRIB,
    DOT,
    FIFTH,
    FRONT,
    GLOW,
    PEG,
    PENDING,
    STREET,
    TAIL,
    UNDO,
    UNSEATED,
    WARN,
    WHITE,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cribboard_core.match import Match
    from cribboard_fw.entry import Entry
    from cribboard_fw.paint import Palette, Sheet

# Views: nothing, the game, the games won, the set-up, and the game of which something may have been lost, so that its
# front pegs blink.
DARK, GAME, WON, SET_UP, CHECK = range(5)
_HEAD, _ROW = 9, 6  # bytes of a scene before its sides, and for each side
SCENE_BYTES = _HEAD + 6 * _ROW
_EMPTY = bytes(SCENE_BYTES)
FRAME_MS = 25
RACE = 360  # how many LEDs the comets run before the picture follows
SKUNK_GAPS = (60, 60, 30, 20)  # LEDs from comet to comet: by how the worst loser has lost
_COMET = (2, 4, 6, 10, 16, 26, 40)  # levels from the tail to the head


def led_of(hole: int, target: int, leds: int) -> int:
    """The LED of a hole from 1 to the target; the last LED is the game hole when whole laps end there."""
    if hole == target and (target - 1) % (leds - 1) == 0:
        return leds - 1
    return (hole - 1) % (leds - 1)


class GamePicture:
    """How the game is to be shown."""

    def __init__(self, match: Match, entry: Entry) -> None:
        self._match = match
        self._entry = entry
        self.view = GAME
        self.undoing = False  # what UNDO would take back blinks
        self.eighths = 0  # how far a long hold is

    def fill(self, scene: bytearray, track: int, tracks: int) -> None:
        """Make the scene of a track; the side with index k in `match.sides` is on track k mod tracks."""
        scene[:] = _EMPTY
        if self.view == DARK:
            return
        match, game = self._match, self._match.play
        now, sides = game.now, game.sides
        # pegs, dealer and winner before the event that undo would take; empty when that is a whole game
        before = game.before(game.depth - 1) if self.undoing and game.depth else b""
        over = self.view == WON or now[-1] != NOBODY
        leader = max(now[:-2])
        near = leader >= game.target - NEAR_HOME
        crib_side = match.crib_side
        warned = crib = crib_goes = 0
        end = _HEAD
        for index in range(track, len(sides), tracks):
            side, front = sides[index], now[2 * index]
            if near and front < leader:
                warned |= (front < game.skunk) | (front < game.double) << 1
            if side == crib_side:
                crib = side + 1
                crib_goes = self.view == CHECK or (self.undoing and (not before or before[-2] != now[-2]))
            waits, won = (0, min(match.won(side), 255)) if over else (self._entry.points(side), 0)
            goes = self._goes(2 * index, before)
            scene[end : end + _ROW] = bytes((side, front, now[2 * index + 1], waits, goes, won))
            end += _ROW
        head = (GAME, game.target, game.skunk, game.double, warned, crib, int(crib_goes))
        if over:
            head = (WON, game.target, match.winner & 255, 0, 0, 0, 0)
        scene[:_HEAD] = bytes(head + (self.eighths, end))

    def _goes(self, at: int, before: bytes) -> int:
        """The first hole that undo would take, of a side whose pegs are here in the state."""
        front, back = self._match.play.now[at : at + 2]
        if self.undoing and not before:
            return min(back + 1, front)
        if self.view == CHECK:
            return front
        if self.undoing and before[at : at + 2] != bytes((front, back)):
            return min(before[at] + 1, front)
        return front + 1


def lay_out(sheet: Sheet, scene: bytearray, track: int, tracks: int, leds: int) -> None:
    """Put a scene on a track's sheet."""
    sheet.clear()
    if scene[0] == SET_UP:
        _, target, sides, dealer, mask, reached, steps = scene[:7]
        if steps:
            _level(sheet, leds, reached, steps)
        else:
            _set_up(sheet, track, tracks, leds, target, sides, dealer, mask)
        return
    eighths, end = scene[_HEAD - 2 : _HEAD]
    rows = [scene[at : at + _ROW] for at in range(_HEAD, end, _ROW)]
    if eighths:
        _progress(sheet, leds, eighths)
    if rows:
        (_game if scene[0] == GAME else _won)(sheet, scene, rows, leds)


def _game(sheet: Sheet, scene: bytearray, rows: list[bytearray], leds: int) -> None:
    _, target, skunk, double, warned, crib, crib_goes = scene[:7]
    holes = leds - 1
    home = led_of(target, target, leds)
    sheet.fill(home, home + 1, 1, GLOW << 3 | WHITE)
    for place, front, back, pending, goes, _ in rows:
        if back and back != front:
            sheet.put([(back - 1) % holes], BACK << 3 | place)
        if front and goes > front:
            sheet.put([(front - 1) % holes], FRONT << 3 | place)
        elif front:
            sheet.put([(hole - 1) % holes for hole in range(max(1, goes), front + 1)], UNDO << 3 | place)
        if pending:
            first = front % holes
            over = max(0, first + pending - holes)
            ahead = list(range(first, first + pending - over)) + list(range(over))
            if front + pending == target:
                ahead[-1] = home
            sheet.put([ahead.pop(n) for n in range(pending // 5 * 5 - 1, 0, -5)], FIFTH << 3 | place)
            sheet.put(ahead, PENDING << 3 | place)
    if crib:
        sheet.put([home], (UNDO if crib_goes else CRIB) << 3 | crib - 1)
    for row in rows:
        _tail(sheet, TAIL << 3 | row[0], row[1], holes)
    for bit, line in enumerate((skunk, double)):
        swells = warned >> bit & 1
        if line and (swells or _ahead(line, rows, target, holes)):
            led = led_of(line, target, leds)
            sheet.fill(led, led + 1, 1, GLOW << 3 | WHITE)
            if swells and sheet.free(led):
                sheet.put([led], WARN << 3 | WHITE)


def _tail(sheet: Sheet, ink: int, front: int, holes: int) -> None:
    laps = (front - 1) // holes if front else 0
    led = (front - 1) % holes
    for _ in range(holes):
        if not laps:
            return
        led = (led or holes) - 1
        if sheet.free(led):
            sheet.put([led], ink)
            laps -= 1


def _ahead(line: int, rows: list[bytearray], target: int, holes: int) -> bool:
    """Whether a line glows: always where the track is gone round once, else while it is ahead on somebody's lap."""
    if target <= holes + 1:
        return True
    return any(row[1] < line and row[1] // holes == (line - 1) // holes for row in rows)


def _set_up(sheet: Sheet, track: int, tracks: int, leds: int, target: int, sides: int, dealer: int, mask: int) -> None:
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


def _level(sheet: Sheet, leds: int, reached: int, steps: int) -> None:
    """The brightness or sound that is being chosen: a group of white lights for each step, dim from `reached` on."""
    room = (leds - 1) // steps
    for step in range(steps):
        sheet.fill(step * room, step * room + 5, 2, (STREET if step < reached else GLOW) << 3 | WHITE)


def _progress(sheet: Sheet, leds: int, eighths: int) -> None:
    """How far a long hold is, under whatever the track shows."""
    sheet.fill(4, (leds - 1) * eighths // 8, 5, STREET << 3 | WHITE)


def _won(sheet: Sheet, scene: bytearray, rows: list[bytearray], leds: int) -> None:
    """A won game on one track; before it is won (winner 255) the pegs stand as they do in play."""
    _, target, winner = scene[:3]
    room = (leds - 1) // len(rows)
    front_ink, back_ink = (PEG, PEG) if winner < 6 else (FRONT, BACK)
    for index in range(len(rows)):
        place, front, back, _, goes, games = rows[index]
        if place == winner:
            sheet.fill(0, leds - 1, 2, GLOW << 3 | place)
        first = index * room
        for five in range(first, first + room, 6):
            if games > 0:
                sheet.fill(five, min(five + min(games, 5), first + room - 1), 1, DOT << 3 | place)
            games -= 5
        if front:
            sheet.put([led_of(front, target, leds)], (UNDO if goes <= front else front_ink) << 3 | place)
        if back and back != front:
            sheet.put([led_of(back, target, leds)], back_ink << 3 | place)


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
    return sum([palette.light(who, level) for level in _COMET]) * (leds // gap)


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
