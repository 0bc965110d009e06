"""What wires, fuses, ports and parts are rated for: numbers of standards and data sheets, each with its source."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from cribboard.hardware.description import Description
from cribboard.hardware.feed import FUSE_OPENS, FUSES_A, STRIP_A, fuse_within, usb
from cribboard_core.events import SET
from cribboard_core.match import Match
from cribboard_core.variants import skunk_lines
from cribboard_fw import power
from cribboard_fw.entry import Entry
from cribboard_fw.lights import Lights
from cribboard_fw.scene import GamePicture
from cribboard_fw.settings import FUSE_PERCENT, HEADROOM_MA, SOURCE_PERCENT, carried_ma, drawn_ma

# Copper wire: mm², amperes, ohms a kilometre at 20 °C.
# Amperes: IEC 60335-1, table 11, "Minimum cross-sectional area of conductors" (it allows 0.5 mm² for up to 2 m).
# Ohms: IEC 60228, flexible conductors of class 5.
WIRES = (
    (0.5, 3.0, 39.0),
    (0.75, 6.0, 26.0),
    (1.0, 10.0, 19.5),
    (1.5, 16.0, 13.3),
    (2.5, 25.0, 7.98),
    (4.0, 32.0, 4.95),
    (6.0, 40.0, 3.30),
)
# The wires to a controller and a shifter have to go into their holes, which are 1 mm wide and less: stranded wire of
# 0.5 mm² (16 strands of 0.2 mm) is 0.94 mm across. No standard above begins so low as the thinner one: a third of what
# the next one carries.
PIN_MM2 = 0.5
SIGNAL_MM2, SIGNAL_A = 0.25, 1.0
STRIP_MM2 = (
    1.0  # 1.3 mm across with its strands: what goes on a strip's pads of 2 mm; it carries more than any fuse here
)

# What is taken of a rating for long: the firmware keeps to the same. A tenth of a source is for what the estimate does
# not know; a quarter of a fuse is the makers' rule for 25 °C (Littelfuse, "Fuseology").
SOURCE_LOAD, FUSE_LOAD = SOURCE_PERCENT / 100, FUSE_PERCENT / 100
CONTROLLER_FUSE_A = 0.5  # before the Pico's diode of 1 A and the shifter: together they take about 0.1 A

USB_CAPACITOR_UF = 10  # what a device may hold across VBUS when it is plugged in: USB 2.0, 7.2.4.1

# A limited power source gives 8 A at the most, even into a short circuit: IEC 62368-1, annex Q ("LPS"), and NEC,
# chapter 9, table 11 ("Class 2"). At 5 V it is rated for 5 A at the most. A stronger supply stops at 1.5 times its
# rating (overload protection of closed supplies: 105 to 150 %).
SUPPLY_MOST_A = 8.0
LIMITED_A, LIMITED_RATING_A = 8.0, 5.0
OVERLOAD = 1.5

# The copper of a strip, as `feed` has it.
STRIP_OHM = 0.25  # a metre of one rail
STRIP_DROP_MV = 500  # that may be lost on the way to a pixel; more and white turns yellow
FED_BETWEEN = 4  # times as far as from one end is it to the next feed: half the way, half the current from each side

# WS2812B data sheet: a one is 0.7 of the supply or more. A pin of 3.3 V gives no more than 3.3 V.
STRIP_V, PIN_V = 5.0, 3.3
STRIP_HIGH_V = 0.7 * STRIP_V
# Gates that take 3.3 V for a one (2.0 V by their data sheets) and give 5 V; how many of them are in one package.
SHIFTERS = {"74AHCT125": 4, "74AHCT1G125": 1}
NO_SHIFTERS = {
    # data sheets of the family: I_IK for V_I > V_CC
    "74HCT125": "diodes lead from its inputs to its supply: behind a blown fuse the controller feeds the strips",
    "74HC125": "fed with 5 V it wants 3.5 V for a one, as the strip does",
    "74LVC125": "it cannot be fed with 5 V",
    "BSS138": "with its resistors it is too slow for 800 kHz",
}
DATA_OHM = (100, 1000)  # damps the edge at the first pixel, and lets a strip without supply take little from the pin
CAPACITOR_UF = (100, 4700)  # takes the first rush of a strip that is switched on
PIEZO_OHM = 330  # before a piezo: a coil of 16 Ω in its place takes 10 mA, and an RP2040's pin gives 12


def ampacity(mm2: float) -> float:
    """The amperes that a wire may carry for long; 0 when it is thinner than any in the table."""
    return max((amperes for size, amperes, _ in WIRES if size <= mm2), default=0.0)


def wire_for(amperes: float) -> float:
    """The thinnest wire in mm² that carries this current, or the thickest in the table."""
    return next((size for size, carries, _ in WIRES if carries >= amperes), WIRES[-1][0])


def fuse_for(amperes: float) -> float:
    """The smallest fuse that carries this current continuously, or the biggest in the list."""
    return next((fuse for fuse in FUSES_A if fuse * FUSE_LOAD >= amperes), FUSES_A[-1])


def in_a_fault(amperes: float) -> float:
    """The most that a supply of this rating gives when something is wrong, in amperes."""
    return max(LIMITED_A, OVERLOAD * amperes)


def marks(amperes: float) -> str:
    """The marks that a 5 V supply of this rating must have."""
    return "“LPS” or “Class 2”" if amperes <= LIMITED_RATING_A else "“SELV”, or “ES1” and “PS2”"


def drop_mv(mm2: float, metres: float, milliamperes: int) -> int:
    """What is lost in a wire of this length, there and back."""
    return round(2 * metres * wire_ohm(mm2) * milliamperes)


def wire_ohm(mm2: float) -> float:
    """Ohms of a metre of wire."""
    return max((size, ohms) for size, _, ohms in WIRES if size <= mm2)[1] / 1000


def awg(mm2: float) -> int:
    """The thinnest American wire gauge of those sold (the even ones) that is no thinner."""
    return max(gauge for gauge in range(0, 41, 2) if area_mm2(gauge) >= 0.98 * mm2)


def area_mm2(gauge: int) -> float:
    """The cross-section of an American wire gauge, by ASTM B258."""
    diameter = 0.127 * 92 ** ((36 - gauge) / 39)
    return float(diameter**2 * 3.141592653589793 / 4)


# What a board draws, by the firmware's own estimate and pictures; what its source gives; what limit to set.

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
        game_ma=_game_ma(board),
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


def _track_ohm(board: Description) -> float:
    """Ohms of a metre of one rail of a track: the strip's copper, or wires from pixel to pixel."""
    return STRIP_OHM if board.shape.strip_mm else wire_ohm(_wire_mm2(board))


def _wire_mm2(board: Description) -> float:
    return max(board.supply.wire_mm2, WIRES[0][0])


def _game_ma(board: Description) -> int:
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
    return Lights(board.tracks.count, board.tracks.leds, board.supply.brightness, UNLIMITED_MA)


def _middle(board: Description) -> Match:
    """A match whose sides are about half way."""
    game = board.game
    match = Match(game.target, (1 << game.players) - 1, game.teams or game.players, 0, skunk_lines(game.target))
    for rev, side in enumerate(match.sides, 1):
        front = game.target // 2 + 7 * side
        match.apply(rev, (SET, side, front, front - 6, 0))
    return match
