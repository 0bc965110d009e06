"""Every deal of four cards and a starter at once, 12,994,800 of them, with numpy (the extra `analyst`)."""

from __future__ import annotations

from itertools import chain, combinations

import numpy as np
from numpy.typing import NDArray

from cribboard.analyst.points import HIGHEST_KEY, KEYS, RANKS, SUITS, rank_points
from cribboard_core.cards import JACK, PACK_SIZE

HANDS = 270_725
NO_DEAL = 255  # where the starter is in the hand


def hands() -> NDArray[np.uint8]:
    """All hands of four cards, a column each, their cards ascending."""
    cards = chain.from_iterable(combinations(range(PACK_SIZE), 4))
    return np.ascontiguousarray(np.fromiter(cards, np.uint8, 4 * HANDS).reshape(HANDS, 4).T)


def points_of_all(crib: bool = False) -> NDArray[np.uint8]:
    """The points of every deal, by starter and hand, the hands as in `hands`; NO_DEAL where they share a card."""
    held = hands()
    # Fifteens, pairs and runs need ranks alone, flush and nobs suits alone: 13 rows and 4 are added for 52 starters.
    by_rank = _rank_points(held >> 2)
    suits = held & 3
    one_suit = (suits == suits[0]).all(axis=0)
    every = np.empty((PACK_SIZE, HANDS), np.uint8)
    for suit in SUITS:
        nobs = (held == JACK * 4 + suit).any(axis=0)
        # In the crib only five of one suit count.
        flush = np.where(suits[0] == suit, 5, 0 if crib else 4) * one_suit
        by_suit = (nobs + flush).astype(np.uint8)
        for rank in RANKS:
            np.add(by_rank[rank], by_suit, out=every[rank * 4 + suit])
    for row in held:
        every[row, np.arange(HANDS)] = NO_DEAL
    return every


def distribution(crib: bool = False) -> dict[int, int]:
    """How many of all deals count so many points."""
    total = np.stack([np.bincount(row, minlength=NO_DEAL + 1) for row in points_of_all(crib)]).sum(axis=0)
    return {number: int(total[number]) for number in range(NO_DEAL) if total[number]}


def _rank_points(ranks: NDArray[np.integer]) -> NDArray[np.uint8]:
    """What the ranks count, by the rank of the starter and then by the hand."""
    table = np.zeros(HIGHEST_KEY + 1, np.uint8)
    known = rank_points()
    table[list(known)] = list(known.values())
    keys = np.array(KEYS)
    sums = keys[ranks].sum(axis=0)
    return np.stack([table[sums + keys[rank]] for rank in RANKS])
