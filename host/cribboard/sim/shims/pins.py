"""Pins, each for one user at a time: a second one is refused, as a chip refuses it."""

from __future__ import annotations

from typing import Any

from cribboard.sim.bench import PINS


class Claims:
    """Which pins are in use."""

    def __init__(self) -> None:
        self._used: set[int] = set()

    def claim(self, pin: Any) -> None:
        """Take a pin, or raise what CircuitPython raises."""
        if pin.id in self._used:
            raise ValueError(f"GP{pin.id} in use")
        self._used.add(pin.id)

    def give_back(self, pin: Any) -> None:
        """Leave a pin to others; twice does no harm."""
        self._used.discard(pin.id)


def digital_in_out(blinkas: type[Any], claims: Claims) -> type:
    """Blinka's DigitalInOut, with claims."""

    class DigitalInOut(blinkas):  # type: ignore[misc]
        def __init__(self, pin: Any) -> None:
            claims.claim(pin)
            self._claimed = pin
            super().__init__(pin)

        def deinit(self) -> None:
            claims.give_back(self._claimed)
            super().deinit()

    return DigitalInOut


def put_on(board: Any, pin_class: type[Any]) -> None:
    """Give Blinka's board, which has one pin for a strip, the pins of a Pico."""
    for number, name in enumerate(PINS):
        setattr(board, name, pin_class(number))
    board.LED = board.GP25
    board.board_id = "raspberry_pi_pico"
    board.__dict__.pop("NEOPIXEL", None)
