"""What goes wrong with frames on their way: one direction of a link that loses, damages and delays, by chance."""

from __future__ import annotations

import random
from dataclasses import dataclass, fields
from heapq import heappop, heappush

TRANSIT_MS = 1
BUFFER = 256  # bytes that wait on the RP2's USB serial
LATE_MS = 150  # a delayed frame comes at most so late, and others overtake it
PIECE_MS = 12  # the second half of a split frame, or its double, at most so late
JUNK = (
    b"AT\r\n",
    b"AT+CGMI\r",
    b"Traceback (most recent call last):\r\n  File ",
    b">>> ",
    b"\n",
    b"\x00\xff\x9c",
    b"[*]",
)


@dataclass(frozen=True)
class Rates:
    """How often each fault strikes, from 0 to 1: those of the line at every frame, the others at every command."""

    drop: float = 0.0
    flip: float = 0.0
    double: float = 0.0
    delay: float = 0.0
    truncate: float = 0.0
    split: float = 0.0
    junk: float = 0.0
    overflow: float = 0.0
    unplug: float = 0.0
    restart: float = 0.0  # of the board
    kill: float = 0.0  # of the host's program

    @classmethod
    def each(cls, rate: float) -> Rates:
        """The same rate for every fault."""
        return cls(**{field.name: rate for field in fields(cls)})


LINE_FAULTS = ("drop", "flip", "double", "delay", "truncate", "split", "junk", "overflow")


class Pipe:
    """One direction: frames on their way, and the bytes that have arrived. What finds no room is lost."""

    def __init__(self, rates: Rates, chance: random.Random, room: int) -> None:
        self.rates = rates
        self.struck = dict.fromkeys(LINE_FAULTS, 0)
        self.lost = 0  # bytes that found no room
        self.resent = 0  # frames that were the same as the one before
        self._chance = chance
        self._room = room
        self._coming: list[tuple[int, int, bytes]] = []
        self._sent = 0
        self._arrived = b""
        self._last = b""

    def clear(self) -> None:
        """Lose everything that is on its way or has not been read."""
        self._coming, self._arrived = [], b""

    def due_ms(self) -> int | None:
        """When the next bytes arrive."""
        return self._coming[0][0] if self._coming else None

    def waiting(self, now_ms: int) -> int:
        """How many bytes have arrived and not been read."""
        while self._coming and self._coming[0][0] <= now_ms:
            data = heappop(self._coming)[2]
            fits = self._room - len(self._arrived)
            self.lost += max(0, len(data) - fits)
            self._arrived += data[:fits]
        return len(self._arrived)

    def take(self, size: int) -> bytes:
        """Read that many of the bytes that have arrived."""
        data, self._arrived = self._arrived[:size], self._arrived[size:]
        return data

    def put(self, data: bytes, due_ms: int) -> None:
        """Have these bytes arrive then."""
        self._sent += 1
        heappush(self._coming, (due_ms, self._sent, data))

    def send(self, frame: bytes, now_ms: int) -> None:
        """Send a frame, through all the faults that strike it."""
        chance, rates = self._chance, self.rates
        self.resent += frame == self._last
        self._last = frame
        faults = [fault for fault in LINE_FAULTS if chance.random() < getattr(rates, fault)]
        due = now_ms + TRANSIT_MS
        if not faults:
            self.put(frame, due)
            return
        for fault in faults:
            self.struck[fault] += 1
        if "drop" in faults:
            return
        if "delay" in faults:
            due += chance.randint(1, LATE_MS)
        at = chance.randrange(len(frame))
        if "flip" in faults:
            frame = frame[:at] + bytes([frame[at] ^ 1 << chance.randrange(8)]) + frame[at + 1 :]
        if "truncate" in faults:
            frame = frame[: chance.randrange(len(frame))]
        if "junk" in faults:
            place = chance.choice((0, len(frame), chance.randrange(len(frame) + 1)))
            frame = frame[:place] + chance.choice(JUNK) + frame[place:]
        if "overflow" in faults:
            self.put(chance.randbytes(chance.randint(self._room - len(frame), self._room)), due)
        if "split" in faults:
            place = chance.randrange(len(frame) + 1)
            self.put(frame[:place], due)
            self.put(frame[place:], due + chance.randint(0, PIECE_MS))
        else:
            self.put(frame, due)
        if "double" in faults:
            self.put(frame, due + chance.randint(0, PIECE_MS))
