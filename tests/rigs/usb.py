"""A port as the operating system lists it, for tests of finding boards."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass
class Usb:
    """What pyserial tells of a port."""

    device: str
    vid: int | None = 0x239A
    interface: str | None = None
    serial_number: str | None = "E6614C311B4F2A2F"
    product: str | None = "Pico"
