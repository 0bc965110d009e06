"""pwmio for a piezo: what it would sound."""

from __future__ import annotations

from typing import Any

from cribboard.sim.bench import Bench
from cribboard.sim.shims.pins import Claims


def pwm_out(bench: Bench, claims: Claims) -> type:
    """The class PWMOut of the board on this bench."""

    class PWMOut:
        """A pin with pulses; half of the time on is a tone."""

        def __init__(
            self, pin: Any, *, duty_cycle: int = 0, frequency: int = 500, variable_frequency: bool = False
        ) -> None:
            claims.claim(pin)
            self._claimed = pin
            self._pin = f"GP{pin.id}"
            self._variable = variable_frequency
            self._frequency = _checked_frequency(frequency)
            self._duty = 0
            self._set_duty(duty_cycle)

        @property
        def duty_cycle(self) -> int:
            """0 to 65535."""
            return self._duty

        @duty_cycle.setter
        def duty_cycle(self, duty: int) -> None:
            self._set_duty(duty)

        @property
        def frequency(self) -> int:
            """In hertz."""
            return self._frequency

        @frequency.setter
        def frequency(self, hz: int) -> None:
            if not self._variable:
                raise AttributeError("PWM frequency not writable when variable_frequency is False on construction.")
            self._frequency = _checked_frequency(hz)
            self._sound()

        def deinit(self) -> None:
            """Silence."""
            self._set_duty(0)
            claims.give_back(self._claimed)

        def __enter__(self) -> PWMOut:
            return self

        def __exit__(self, *exc: object) -> None:
            self.deinit()

        def _set_duty(self, duty: int) -> None:
            if not 0 <= duty <= 65535:
                raise ValueError("duty_cycle must be 0-65535")
            self._duty = duty
            self._sound()

        def _sound(self) -> None:
            bench.tone(self._pin, self._frequency if self._duty else 0)

    return PWMOut


def _checked_frequency(hz: int) -> int:
    if not 8 <= hz <= 62_500_000:
        raise ValueError("Invalid PWM frequency")
    return hz
