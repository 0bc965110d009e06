"""Faults of the flash at rest: wrong bits and ruined pages in journals, and what the board makes of them.

    python -m faults.at_rest --faults 1500 --seed 1

(in the folder tests). Games are played on the real keeper and journal; at many points the flash is copied and damaged,
and a board is started from it. What it shows must be right, or it must say that it may not be.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from faults import evening
from faults.power_cuts import TABLES, Board, Notes, started
from firmware.keeping import finished, tag

from cribboard_core.journal import BLANK, PAGE, PAGE_SLOTS
from cribboard_core.match import Match
from cribboard_core.records import SLOT

EPOCH = 7
SESSION = 9
GAMES = 7  # on each flash
EVERY = 37  # events between two copies of the flash
RESTORES = 23  # events between two states that a host gives back


@dataclass
class Figures:
    """What came of each kind of fault."""

    came: dict[str, Counter[str]] = field(default_factory=dict)
    wrong: list[str] = field(default_factory=list)
    missing: dict[str, Counter[int]] = field(default_factory=dict)

    def __str__(self) -> str:
        lines = []
        for fault, came in self.came.items():
            counts = ", ".join(f"{what} {count}" for what, count in sorted(came.items()))
            missing = self.missing[fault]
            most = f"; at most {max(missing)} events missing" if missing else ""
            lines.append(f"{fault}: {came.total()} trials: {counts}{most}")
        return "\n".join([*lines, f"wrong: {len(self.wrong)}", *self.wrong[:10]])


def boards(seed: int) -> Iterator[Board]:
    """Boards in the course of some games."""
    flash = Notes()
    board = Board(flash, EPOCH)
    chance = random.Random(seed)
    tables = [chance.choice(TABLES) for _ in range(GAMES)]
    for number, (op, *args) in enumerate(evening.games(board.match, tables, seed, 0.1)):
        finished(board.keeper, [op, *tag(2 * number, SESSION), *args])
        if number % RESTORES == RESTORES - 1:
            finished(board.keeper, [*restore(board.match, tag(2 * number + 1, SESSION))])
        if number % EVERY == EVERY - 1:
            yield board


def restore(match: Match, tag: tuple[int, int]) -> list[object]:
    """A host gives the match back as it stands; whatever could be undone no longer can."""
    game = match.play
    pegs = "".join(f"{match.front(side):02x}{match.back(side):02x}" for side in game.sides)
    won = [match.won(side) for side in game.sides]
    lines = (game.skunk, game.double)
    return ["restore", *tag, match.rev, game.target, game.mask, len(game.sides), match.dealer, *lines, pegs, won]


def used(memory: bytes) -> list[int]:
    """Where the slots in use begin."""
    places = [page + SLOT * slot for page in range(0, len(memory), PAGE) for slot in range(PAGE_SLOTS)]
    return [at for at in places if memory[at : at + SLOT] != BLANK]


def one_bit(memory: bytearray, chance: random.Random) -> int:
    at = chance.choice(used(memory)) + chance.randrange(SLOT)
    memory[at] ^= 1 << chance.randrange(8)
    return 0


def two_bits(memory: bytearray, chance: random.Random) -> int:
    at = chance.choice(used(memory)[:-1])
    for bit in chance.sample(range(8 * SLOT), 2):
        memory[at + bit // 8] ^= 1 << bit % 8
    return 1


def newest(memory: bytearray, chance: random.Random) -> int:
    """The newest record was written when the power fell, and reads otherwise later: bits that read 1 again."""
    at = used(memory)[-1] + chance.choice([0, 10])
    for _ in range(chance.randrange(1, 5)):
        memory[at + chance.randrange(2 if at % PAGE % SLOT == 10 else SLOT)] |= 1 << chance.randrange(8)
    return 1


def page(memory: bytearray, chance: random.Random) -> int:
    """A page of zeros, of anything, or with some bits cleared."""
    first = chance.choice(used(memory)) // PAGE * PAGE
    keeps = chance.choice([0, 0, 0x55, 0xF7])
    filled = chance.choice([0, None])
    for at in range(first, first + PAGE - 4):
        memory[at] = memory[at] & keeps if filled == 0 else chance.getrandbits(8)
    return PAGE_SLOTS + 1  # what undo could take back counts as one


FAULTS: dict[str, Callable[[bytearray, random.Random], int]] = {
    "one bit": one_bit,
    "two bits of an old record": two_bits,
    "bits of the newest record": newest,
    "a page": page,
}


def try_one(figures: Figures, fault: str, board: Board, chance: random.Random) -> None:
    """Damage a copy of a board's flash, start from it, and judge what it shows."""
    whole = started(board.flash.memory)
    memory = bytearray(board.flash.memory)
    most = FAULTS[fault](memory, chance)
    booted = started(bytes(memory))
    log, right = booted.journal.log, whole.score() == booted.score() and whole.match.rev == booted.match.rev
    if booted.state() == whole.state():
        came = "nothing lost"
    elif right and not log.lost and not log.torn:
        reported = log.missing or list(booted.journal.records(-1)) == list(whole.journal.records(-1))
        came = "the score right, undo lost" + ("" if reported else ", not told")
    elif log.lost:
        came = "told, the score right" if right else "told"
    elif log.torn:
        came = "one event older, told as torn" if booted.match.rev < whole.match.rev else "another event, told as torn"
    else:
        came = "not told"
    figures.came.setdefault(fault, Counter())[came] += 1
    missing = figures.missing.setdefault(fault, Counter())
    if came != "nothing lost":
        missing[log.missing] += 1
    # of a newest record with a wrong bit one in a hundred could as well have been written without all of its CRC
    costs = came not in ("nothing lost", "another event, told as torn")
    bad = "not told" in came or (most == 0 and costs) or log.missing > most
    if bad:
        figures.wrong.append(f"{fault}: {came}, {log.missing} missing, rev {booted.match.rev} of {whole.match.rev}")
    if not booted.goes_on():
        figures.wrong.append(f"{fault}: what happened next was not written")


def run(faults: int, seed: int) -> Figures:
    """Try so many faults of each kind."""
    figures = Figures()
    chance = random.Random(seed)
    number = 0
    while True:
        for board in boards(seed * 1000 + number):
            for fault in FAULTS:
                try_one(figures, fault, board, chance)
            if figures.came["a page"].total() >= faults:
                return figures
        number += 1


def main() -> int:
    parser = argparse.ArgumentParser(description="Faults of the flash at rest.")
    parser.add_argument("--faults", type=int, default=1500, help="of each kind")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    figures = run(asked.faults, asked.seed)
    print(figures)
    return 1 if figures.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
