"""What a board draws, by the firmware's own estimate and pictures; what its source gives; what limit to set."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from cribboard.hardware.description import Description
from cribboard.hardware.feed import FUSE_OPENS, PHONE_MA, STRIP_A, fuse_within, usb
from cribboard.hardware.ratings import FED_BETWEEN, STRIP_DROP_MV, STRIP_OHM, SUPPLY_MOST_A, THIN_MM2, drop_mv, wire_ohm
from cribboard_core.events import SET
from cribboard_core.match import Match
from cribboard_core.variants import skunk_lines
from cribboard_fw import power
from cribboard_fw.entry import Entry
from cribboard_fw.lights import Lights
from cribboard_fw.scene import GamePicture
from cribboard_fw.settings import HEADROOM_MA, carried_ma, drawn_ma

UNLIMITED_MA = 100_000
STEP_MS = 40
CYCLE_MS = 4000  # all that blinks has done so
SHOW_MS = 12_000  # a win's show is over
ALL_WHITE = 3 * 255  # the channels of a pixel


@dataclass(frozen=True)
class Budget:
    """Milliamperes of the whole board; of the pictures, without the limit."""

    idle_ma: int
    game_ma: int  # in the middle of a game, on average
    show_ma: int  # the brightest moment of a win's show
    limit_ma: int  # that is set
    worst_ma: int  # the most that the firmware lets the board draw
    white_ma: int  # all pixels full white: what nothing but a fault can show
    least_limit_ma: int  # that the firmware takes
    best_limit_ma: int  # that fits source and fuse; 0 when none does
    branch_ma: int  # the most that one fuse may have to carry under the limit
    fuses: int  # of the strips
    drop_mv: int  # in the wires of a metre to a strip, at the most
    strip_drop_mv: int  # along a track to its worst place, at the most
    reach_m: float  # how long a track may be that is fed at its beginning alone

    def fits(self, port_ma: int) -> bool:
        """Whether a source of so much carries the limit that is set."""
        return self.worst_ma <= port_ma


def budget(board: Description) -> Budget:
    """The currents of a board."""
    pixels, worst = board.pixels, worst_ma(board)
    branch = branch_ma(worst)
    return Budget(
        idle_ma=power.idle_ma(pixels),
        game_ma=game_ma(board),
        show_ma=_show_ma(board),
        limit_ma=board.supply.limit_ma,
        worst_ma=worst,
        white_ma=drawn_ma(pixels * ALL_WHITE, pixels),
        least_limit_ma=least_limit_ma(board),
        best_limit_ma=best_limit_ma(board),
        branch_ma=branch,
        fuses=fuses(board),
        drop_mv=drop_mv(_wire_mm2(board), 1, branch),
        strip_drop_mv=strip_drop_mv(board, both_ends(board)),
        reach_m=round(STRIP_DROP_MV / (2 * _track_ohm(board) * max(1, branch)), 1),
    )


def fuses(board: Description) -> int:
    """One for all strips on USB, one for each on a supply of its own."""
    return 1 if board.on_usb else board.tracks.count


def worst_ma(board: Description) -> int:
    """The most that the firmware lets the board draw."""
    return min(board.supply.limit_ma, drawn_ma(board.pixels * ALL_WHITE, board.pixels))


def branch_ma(total_ma: int) -> int:
    """The most that goes through one fuse while the board draws this: all light may be on one track."""
    return max(0, total_ma - power.CONTROLLER_MA)


def both_ends(board: Description) -> bool:
    """Whether each track is fed at its end, too: with a supply of its own, or when it loses too much on the way."""
    return not board.on_usb or strip_drop_mv(board, False) > STRIP_DROP_MV


def strip_drop_mv(board: Description, both: bool) -> int:
    """What is lost along a track, there and back, when all the light is at the place that is farthest from a feed."""
    one_end = 2 * _track_ohm(board) * board.track_m * branch_ma(worst_ma(board))
    return round(one_end / FED_BETWEEN if both else one_end)


def best_limit_ma(board: Description) -> int:
    """The highest limit, in steps of 50 mA, that is safe with this source and fuse; 0 when the firmware needs more."""
    supply = board.supply
    source_a = min(supply.current_a, usb(board.controller).socket_a if board.on_usb else SUPPLY_MOST_A)
    carried = carried_ma(round(1000 * source_a), round(1000 * min(supply.fuse_a, most_fuse_a(board))))
    fed = FED_BETWEEN * STRIP_DROP_MV / (2 * _track_ohm(board) * board.track_m)
    limit = int(min(carried, fed + power.CONTROLLER_MA)) // 50 * 50
    return limit if limit >= least_limit_ma(board) else 0


def most_fuse_a(board: Description) -> float:
    """The biggest fuse that what feeds it blows and what is behind it bears, in amperes; 0 when there is none."""
    supply = board.supply
    source = usb(board.controller).pin_a if board.on_usb else supply.current_a / FUSE_OPENS
    return fuse_within(min(source, STRIP_A if board.shape.strip_mm else source))


def least_limit_ma(board: Description) -> int:
    """The lowest limit that the firmware takes."""
    return power.idle_ma(board.pixels) + HEADROOM_MA


def phone_limit_ma(board: Description) -> int:
    """The limit for a phone that feeds the board: the lowest that the firmware takes; 0 when a phone is too weak."""
    least = least_limit_ma(board)
    return least if least <= carried_ma(PHONE_MA, board.supply.fuse_ma) else 0


def _track_ohm(board: Description) -> float:
    """Ohms of a metre of one rail of a track: the strip's copper, or wires from pixel to pixel."""
    return STRIP_OHM if board.shape.strip_mm else wire_ohm(_wire_mm2(board))


def _wire_mm2(board: Description) -> float:
    return max(board.supply.wire_mm2, THIN_MM2)


def game_ma(board: Description) -> int:
    """What is drawn in the middle of a game, on average, without the limit."""
    drawn = list(_pictures(board, _middle(board), CYCLE_MS, after_ms=SHOW_MS))
    return round(sum(drawn) / len(drawn))


def _show_ma(board: Description) -> int:
    match = _middle(board)
    lights = _lights(board)
    lights.update(match, GamePicture(match, Entry(match, None)))
    match.apply(match.rev + 1, (SET, 0, board.game.target, match.front(0), 0))
    return max(_pictures(board, match, SHOW_MS, lights=lights))


def _pictures(
    board: Description, match: Match, for_ms: int, after_ms: int = 0, lights: Lights | None = None
) -> Iterator[int]:
    """What the board draws at each moment of a time that begins `after_ms`, as its firmware paints it."""
    lights = lights or _lights(board)
    lights.update(match, GamePicture(match, Entry(match, None)))
    light = [0] * board.tracks.count
    for now in range(0, after_ms + for_ms, STEP_MS):
        for _ in range(2 * board.tracks.count):  # a step is one track's work
            track = lights.step(now)
            if track >= 0:
                light[track] = sum(sum(pixel.to_bytes(3, "big")) for pixel in lights.frame(track))
        if now >= after_ms:
            yield drawn_ma(sum(light), board.pixels)


def _lights(board: Description) -> Lights:
    tracks, supply = board.tracks, board.supply
    return Lights(tracks.count, tracks.leds, supply.brightness, UNLIMITED_MA, 0, supply.strong_pegs)


def _middle(board: Description) -> Match:
    """A match whose sides are about half way."""
    game = board.game
    match = Match(game.target, (1 << game.players) - 1, game.teams or game.players, 0, skunk_lines(game.target))
    for rev, side in enumerate(match.sides, 1):
        front = game.target // 2 + 7 * side
        match.apply(rev, (SET, side, front, front - 6, 0))
    return match
