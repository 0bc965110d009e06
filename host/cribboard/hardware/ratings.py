"""What wires, fuses, ports and parts are rated for: numbers of standards and data sheets, each with its source."""

from __future__ import annotations

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
SIGNAL_MM2 = 0.25  # carries milliamperes; chosen because it can be soldered to a strip and bent

# A fuse is to carry no more than three quarters of its rating for long: the fuse makers' rule for 25 °C
# (Littelfuse, "Fuseology"). The ratings are common ones of blade and glass fuses.
FUSE_LOAD = 0.75
FUSES_A = (0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 7.5, 10.0, 15.0)

# What of a source's rating may be used for long. A port keeps a tenth for what the estimate does not know; a cheap
# supply is not as good as its label.
PORT_LOAD, SUPPLY_LOAD = 0.9, 0.75

# USB 2.0, 7.2.1; USB 3.2, chapter 11; USB Type-C 2.0, 4.5.2.3; milliamperes.
PORTS = (
    ("USB 2.0 behind a hub without a supply", 100),
    ("USB 2.0", 500),
    ("USB 3", 900),
    ("USB Type-C, 1.5 A", 1500),
    ("USB Type-C, 3 A", 3000),
)
PLUG_MA = 1800  # what a Micro-USB plug's contacts carry: Micro-USB specification 1.01
USB_CAPACITOR_UF = 10  # what a device may hold across VBUS when it is plugged in: USB 2.0, 7.2.4.1

# WS2812B data sheet: a one is 0.7 of the supply or more. A pin of 3.3 V gives no more than 3.3 V.
STRIP_V, PIN_V = 5.0, 3.3
STRIP_HIGH_V = 0.7 * STRIP_V
# Gates that take 3.3 V for a one (2.0 V by their data sheets) and give 5 V; how many of them are in one package.
SHIFTERS = {"74AHCT125": 4, "74HCT125": 4, "74AHCT1G125": 1}
NO_SHIFTERS = {
    "74HC125": "fed with 5 V it wants 3.5 V for a one, as the strip does",
    "74LVC125": "it cannot be fed with 5 V",
    "BSS138": "with its resistors it is too slow for 800 kHz",
}
DATA_OHM = (100, 1000)  # damps the edge at the first pixel, and lets a strip without supply take little from the pin
CAPACITOR_UF = (100, 4700)  # takes the first rush of a strip that is switched on


def ampacity(mm2: float) -> float:
    """The amperes that a wire may carry for long; 0 when it is thinner than any in the table."""
    return max((amperes for size, amperes, _ in WIRES if size <= mm2), default=0.0)


def wire_for(amperes: float) -> float:
    """The thinnest wire in mm² that carries so much, or the thickest in the table."""
    return next((size for size, carries, _ in WIRES if carries >= amperes), WIRES[-1][0])


def fuse_for(amperes: float) -> float:
    """The smallest fuse that carries so much for long, or the biggest in the list."""
    return next((fuse for fuse in FUSES_A if fuse * FUSE_LOAD >= amperes), FUSES_A[-1])


def drop_mv(mm2: float, metres: float, milliamperes: int) -> int:
    """What is lost in a wire of this length, there and back."""
    ohms = max((size, ohms) for size, _, ohms in WIRES if size <= mm2)[1]
    return round(2 * metres * ohms / 1000 * milliamperes)


def awg(mm2: float) -> int:
    """The thinnest American wire gauge of those sold (the even ones) that is no thinner."""
    return max(gauge for gauge in range(0, 41, 2) if area_mm2(gauge) >= 0.98 * mm2)


def area_mm2(gauge: int) -> float:
    """The cross-section of an American wire gauge, by ASTM B258."""
    diameter = 0.127 * 92 ** ((36 - gauge) / 39)
    return float(diameter**2 * 3.141592653589793 / 4)
