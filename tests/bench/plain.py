"""The same things done plainly, with nothing that a board's firmware has to care for: what the tables stand beside."""

from __future__ import annotations

import json
import os
from binascii import crc32
from itertools import combinations
from typing import BinaryIO

RANKS = "A23456789TJQK"
RECORD = bytes(12)  # as long as one of the journal


def show(cards: list[int]) -> int:
    """The points of four cards and the starter by looking at all 31 subsets; no parts, no checks."""
    points = 0
    longest = runs = 0
    for size in range(1, 6):
        for subset in combinations(cards, size):
            ranks = sorted([card >> 2 for card in subset])
            points += 2 * (sum([min(rank + 1, 10) for rank in ranks]) == 15)
            points += 2 * (size == 2 and ranks[0] == ranks[1])
            if size >= 3 and ranks == list(range(ranks[0], ranks[0] + size)):
                runs = size if size > longest else runs + size
                longest = size
    points += runs
    suits = [card & 3 for card in cards]
    if len(set(suits[:4])) == 1:
        points += 4 + (suits[4] == suits[0])
    return points + sum([card >> 2 == 10 and card & 3 == suits[4] for card in cards[:4]])


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
    found: list[object] = json.loads(body)
    return found


def keep(file: BinaryIO) -> None:
    """Put a record on the disk, so that a power cut cannot take it any more."""
    file.write(RECORD)
    file.flush()
    os.fsync(file.fileno())
