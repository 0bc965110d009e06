"""What feeds the strips: what USB, a controller, a fuse and a strip's copper carry, and settings that want more.

The web page that installs the firmware runs this module, too.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from cribboard_fw.settings import Settings, carried_ma

FUSES_A = (0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 4.0)  # common blade and glass fuses
# A fuse opens at twice its rating within two minutes, at 1.35 times within an hour (UL 248-14), at less never: what
# feeds it must give twice.
FUSE_OPENS = 2
# USB 2.0, 7.2.1; USB 3.2, chapter 11; USB Type-C 2.0, 4.5.2.3; milliamperes.
PORTS = (
    ("USB 2.0 behind a hub without a supply", 100),
    ("USB 2.0", 500),
    ("USB 3", 900),
    ("USB Type-C, 1.5 A", 1500),
    ("USB Type-C, 3 A", 3000),
)
USB_MOST_A = PORTS[-1][1] / 1000  # that any port or charger gives at 5 V: what a fuse on USB is for
PHONE_MA = 500  # a phone's port is taken for USB 2.0; it may give less, and warn or switch off

# The copper of a strip, which no maker rates. Two rails of 2 mm, 35 µm thick, are 0.25 Ω a metre each and carry 4 A
# (IPC-2221, 10 K); half of it, because a strip lies in wood and cheap ones have thinner copper.
STRIP_A = 2.0


@dataclass(frozen=True)
class Usb:
    """How a board takes USB's 5 V: the pin that carries it, the socket, and the amperes that both bear for long."""

    pin: str
    socket: str
    socket_a: float
    pin_a: float


# By how the board's name begins. Sockets: Micro-USB specification 1.01, 6.6.2 (1.8 A); USB Type-C 2.0, 4.5.2.3 (no
# source gives more than 3 A at 5 V to who does not ask). Pins:
# - A Pico's VBUS is joined to the socket (its data sheet, 2.1). Its maker does not say what the trace carries; any that
#   is 0.3 mm wide carries 1 A (IPC-2221, 35 µm, 10 K).
# - A Feather's USB is joined to the socket by a trace of 0.305 mm: 1 A (Adafruit-Feather-RP2040-PCB).
# - A QT Py's 5V lies behind a diode NSR0320 (Adafruit-QT-Py-RP2040-PCB), which may turn 0.2 W into heat: 0.5 A.
USB_5V = {
    "raspberry_pi_pico": Usb("VBUS", "Micro-USB", 1.8, 1.0),
    "adafruit_feather_rp2": Usb("USB", "USB-C", 3.0, 1.0),
    "adafruit_qtpy_rp2040": Usb("5V", "USB-C", 3.0, 0.5),
}
UNKNOWN_USB = Usb("", "unknown USB", 0.5, 0.5)  # what USB 2.0 lets every device take


def usb(name: str) -> Usb:
    """How the board that CircuitPython calls so takes USB's 5 V; the least that any does when it is not known."""
    return next((row for start, row in USB_5V.items() if name.startswith(start)), UNKNOWN_USB)


def fuse_within(amperes: float) -> float:
    """The biggest fuse of no more than this; 0 when all are bigger."""
    return max((fuse for fuse in FUSES_A if fuse <= amperes), default=0.0)


def overloaded(name: str, usb_a: float, fuse_a: float) -> Iterator[tuple[bool, str, str]]:
    """What a USB source and the fuse behind it are too much for, on the controller of this name.

    Gives for each whether it is the fuse, what is wrong, and what to do.
    """
    row, own = usb(name), "give the strips a supply of their own"
    if usb_a > USB_MOST_A:
        yield False, f"USB gives {USB_MOST_A:g} A at 5 V at the most", own
    elif usb_a > row.socket_a:
        said = f"the {row.socket} socket of the {name} is assumed to carry {row.socket_a:g} A"
        yield False, said, f"allow {row.socket_a:g} A, or {own}"
    if fuse_a > row.pin_a:
        said = f"the {row.pin or '5 V'} pin of the {name} is assumed to carry {row.pin_a:g} A"
        limit = carried_ma(round(min(usb_a, row.socket_a) * 1000), round(row.pin_a * 1000)) // 50 * 50
        yield True, said, f"use a fuse of {row.pin_a:g} A and a limit of {limit} mA, or {own}"


def unblown(supply_a: float, fuse_a: float) -> str:
    """Why a supply of its own is too weak to blow a fuse; empty when it is not."""
    opens = fuse_a * FUSE_OPENS
    if opens <= supply_a:
        return ""
    return f"it opens at {opens:g} A, and the supply gives {supply_a:g}: it would never blow"


def overfed(settings: Settings, board_id: str) -> Iterator[str]:
    """What feeds the strips through a controller that does not carry it, or cannot blow its fuse; a line for each."""
    if settings.supply_ma:
        said = unblown(settings.supply_ma / 1000, settings.fuse_ma / 1000)
        if said:
            fuse_ma = round(1000 * fuse_within(settings.supply_ma / 1000 / FUSE_OPENS))
            limit = carried_ma(settings.supply_ma, fuse_ma) // 50 * 50
            todo = (
                f"use a fuse of {fuse_ma / 1000:g} A and a limit of {limit} mA" if fuse_ma else "use a stronger supply"
            )
            yield f"FUSE_MA = {settings.fuse_ma}: {said}; {todo}"
    if not settings.supply_ma:
        name = board_id or "board without a name"
        for is_fuse, said, todo in overloaded(name, settings.usb_ma / 1000, settings.fuse_ma / 1000):
            if is_fuse and not board_id:
                continue  # the pin of nearly every board carries the usual fuse, that of an unknown one is unknown
            setting = f"FUSE_MA = {settings.fuse_ma}" if is_fuse else f"USB_MA = {settings.usb_ma}"
            yield f"{setting}: {said}; {todo}"


def strip_fuse(settings: Settings) -> list[str]:
    """What is wrong with a fuse that strips do not bear, in a line; nothing when they do."""
    if settings.fuse_ma <= 1000 * STRIP_A:
        return []
    said = f"the copper of a strip is taken to carry {STRIP_A:g} A"
    return [f"FUSE_MA = {settings.fuse_ma}: {said}; use such a fuse, or describe your pixels: --board FILE"]
