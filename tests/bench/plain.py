"""The same things done plainly, with nothing that a board's firmware has to care for: what the tables stand beside."""

from __future__ import annotations

import json
import os
from binascii import crc32
from itertools import combinations
from typing import BinaryIO

RANKS = "A23456789TJQK"
LOOP = "all 31 subsets, points only"
SUBSETS = [subset for size in range(1, 6) for subset in combinations(range(5), size)]
PIPS = [min(rank + 1, 10) for rank in range(13)]
RUNS = {tuple(range(low, high)) for low in range(13) for high in range(low + 3, 14)}
RECORD = bytes(12)  # as long as one of the journal


def show(cards: list[int]) -> int:
    """The points of four cards and the starter by looking at all 31 subsets; no parts, no checks."""
    points = runs = 0
    longest = 3
    for subset in SUBSETS:
        ranks = sorted([cards[at] >> 2 for at in subset])
        if sum([PIPS[rank] for rank in ranks]) == 15:
            points += 2
        if len(ranks) == 2 and ranks[0] == ranks[1]:
            points += 2
        if len(ranks) >= longest and tuple(ranks) in RUNS:
            runs = runs * (len(ranks) == longest) + len(ranks)
            longest = len(ranks)
    suits = [card & 3 for card in cards[:4]]
    if len(set(suits)) == 1:
        points += 4 + (cards[4] & 3 == suits[0])
    return points + runs + (40 + (cards[4] & 3) in cards[:4])


def play(cards: list[int]) -> int:
    """The points of the last card of a count; no parts, no checks."""
    ranks = [card >> 2 for card in cards]
    points = 2 * (sum([min(rank + 1, 10) for rank in ranks]) in (15, 31))
    for size in (4, 3, 2):
        if len(ranks) >= size and len(set(ranks[-size:])) == 1:
            points += size * (size - 1)
            break
    for size in range(len(ranks), 2, -1):
        tail = sorted(ranks[-size:])
        if tail == list(range(tail[0], tail[0] + size)):
            return points + size
    return points


def fold(events: list[tuple[int, ...]], target: int) -> list[int]:
    """Scores with a list of all the states before, to be taken back; no checks, nothing but points."""
    scores = [0, 0]
    before = []
    for _, side, points, _, _ in events:
        before.append(list(scores))
        scores[side] = min(scores[side] + points, target)
    return scores


def paint(leds: int, lit: dict[int, tuple[int, int, int]]) -> list[tuple[int, int, int]]:
    """A frame pixel by pixel, as a program for a single picture would."""
    frame = []
    for led in range(leds):
        frame.append(lit.get(led, (0, 0, 0)))
    return frame


def encode(message: list[object]) -> bytes:
    """JSON and CRC, with no look at what is sent."""
    body = json.dumps(message).encode()
    return b"%s*%08x\n" % (body, crc32(body))


def decode(line: bytes) -> list[object]:
    """JSON and CRC, trusting that it is a frame."""
    body, _, check = line.rpartition(b"*")
    assert crc32(body) == int(check, 16)
    message: list[object] = json.loads(body)
    return message


def keep(file: BinaryIO) -> None:
    """Put a record on the disk, so that a power cut cannot take it any more."""
    file.write(RECORD)
    file.flush()
    os.fsync(file.fileno())
