"""What a track is to show, as a few bytes that can be compared, and the game's picture made from them.

Hole n is LED (n - 1) mod (LEDs - 1) of its side's track; the firmware's README says what its lights mean.
"""

from __future__ import annotations

from cribboard_core.game import NOBODY
from cribboard_core.variants import NEAR_HOME
from cribboard_fw import shows
from cribboard_fw.paint import BACK, CRIB, FIFTH, FRONT, GLOW, PENDING, TAIL, UNDO, WARN, WHITE, Sheet

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cribboard_core.match import Match
    from cribboard_fw.entry import Entry

DARK, GAME, WON = range(3)  # views: nothing, the game, the games won
CHECK = 4  # the game, of which something may have been lost: its front pegs blink
SET_UP = 3
_HEAD, _ROW = 9, 6  # bytes of a scene before its sides, and for each side
SCENE_BYTES = _HEAD + 6 * _ROW
_EMPTY = bytes(SCENE_BYTES)


def led_of(hole: int, target: int, leds: int) -> int:
    """The LED of a hole from 1 to the target; the last LED is the game hole when whole laps end there."""
    if hole == target and (target - 1) % (leds - 1) == 0:
        return leds - 1
    return (hole - 1) % (leds - 1)


class GamePicture:
    """How the game is to be shown, and what waits in front of its pegs."""

    def __init__(self, match: Match, entry: Entry | None = None) -> None:
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
        blinks = self.undoing or self.view == CHECK
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
                crib_goes = 1 if blinks and (self.view == CHECK or not before or before[-2] != now[-2]) else 0
            waits = self._entry.points(side) if self._entry and not over else 0
            won = min(match.won(side), 255) if over else 0
            goes = self._goes(2 * index, before) if blinks else front + 1
            scene[end : end + _ROW] = bytes((side, front, now[2 * index + 1], waits, goes, won))
            end += _ROW
        head = (GAME, game.target, game.skunk, game.double, warned, crib, crib_goes)
        if over:
            head = (WON, game.target, match.winner & 255, 0, 0, 0, 0)
        scene[:_HEAD] = bytes(head + (self.eighths, end))

    def _goes(self, at: int, before: bytes) -> int:
        """The first hole that blinks, of a side whose pegs are here in the state."""
        front, back = self._match.play.now[at : at + 2]
        if self.undoing and not before:
            return min(back + 1, front)
        if self.view == CHECK:
            return front
        if before[at : at + 2] != bytes((front, back)):
            return min(before[at] + 1, front)
        return front + 1


def lay_out(sheet: Sheet, scene: bytearray, track: int, tracks: int, leds: int) -> None:
    """Put a scene on a track's sheet."""
    sheet.clear()
    if scene[0] == SET_UP:
        _, target, sides, dealer, mask, reached, steps = scene[:7]
        if steps:
            shows.level(sheet, leds, reached, steps)
        else:
            shows.set_up(sheet, track, tracks, leds, target, sides, dealer, mask)
        return
    kind, target, winner, _, _, _, _, eighths, end = scene[:_HEAD]
    rows = [scene[at : at + _ROW] for at in range(_HEAD, end, _ROW)]
    if eighths:
        shows.progress(sheet, leds, eighths)
    if kind == GAME and rows:
        _game(sheet, scene, rows, leds)
    elif rows:
        found: list[tuple[int, ...]] = []
        for place, front, back, _, goes, games in rows:
            at = led_of(front, target, leds) if front else -1
            behind = led_of(back, target, leds) if back else -1
            found.append((place, at, behind, 1 if goes <= front else 0, games))
        shows.won(sheet, leds, found, winner)


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
