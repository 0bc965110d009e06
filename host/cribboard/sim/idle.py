"""Rest for a loop that never rests: the firmware polls without end, which costs a Pico nothing and a computer a core.

A loop has gone round in vain when it polls the same thing a second time while nothing has happened in between. That
poll then waits for the port or a finger, 3 ms at most, so each idle turn of the loop waits exactly once.
"""

from __future__ import annotations

from cribboard.sim.port import Port

REST_MS = 3
MANY_READS = 50


class Idle:
    """Counts polls that found nothing; `busy` after anything that did happen."""

    def __init__(self, port: Port, rest_ms: int = REST_MS) -> None:
        self._port = port
        self._rest_ms = rest_ms
        self._polled: set[str] = set()
        self._clock_reads = 0

    def busy(self) -> None:
        """Something happened: the loop deserves a whole turn without a rest."""
        self._polled.clear()
        self._clock_reads = 0

    def clock_read(self) -> None:
        """The time was asked for. A loop that does nothing else for long is waiting for it, and may rest."""
        self._clock_reads += 1
        if self._clock_reads > MANY_READS:
            self._clock_reads = 0
            self._port.wait(self._rest_ms)

    def in_vain(self, source: str) -> bool:
        """`source` was polled and had nothing. True when that led to a rest: it may have something now."""
        self._clock_reads = 0
        if source not in self._polled:
            self._polled.add(source)
            return False
        self._polled.clear()
        self._polled.add(source)
        self._port.wait(self._rest_ms)
        return True
