"""What wires, fuses, ports and parts are rated for: numbers of standards and data sheets, each with its source."""

from __future__ import annotations

from cribboard.hardware.feed import FUSES_A
from cribboard_fw.settings import FUSE_PERCENT, SOURCE_PERCENT

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
# Thinner than the table begins: AWG 24 is 0.205 mm². At the 2 A that blow a fuse of 1 A, 0.25 mm² warms by some 5 K.
THIN_MM2, THIN_A, THIN_OHM = 0.2, 1.0, 97.5
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
USUAL_UF, USB_USUAL_UF = 1000, 100  # at each strip: behind a supply of its own, and on USB
CAPACITOR_UF = (100, 4700)  # takes the first rush of a strip that is switched on
PIEZO_OHM = 330  # before a piezo: a coil of 16 Ω in its place takes 10 mA, and an RP2040's pin gives 12


def ampacity(mm2: float) -> float:
    """The amperes that a wire may carry for long; 0 when it is thinner than any in the table."""
    return max((amperes for size, amperes, _ in WIRES if size <= mm2), default=THIN_A if mm2 >= THIN_MM2 else 0.0)


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
    return max(((size, ohms) for size, _, ohms in WIRES if size <= mm2), default=(THIN_MM2, THIN_OHM))[1] / 1000


def awg(mm2: float) -> int:
    """The thinnest American wire gauge of those sold (the even ones) that is no thinner."""
    return max(gauge for gauge in range(0, 41, 2) if area_mm2(gauge) >= 0.98 * mm2)


def area_mm2(gauge: int) -> float:
    """The cross-section of an American wire gauge, by ASTM B258."""
    diameter = 0.127 * 92 ** ((36 - gauge) / 39)
    return float(diameter**2 * 3.141592653589793 / 4)
