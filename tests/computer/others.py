"""Other people's players, run beside ours from a copy of their programs; nothing of them is here.

    git clone https://github.com/markafitzgerald1/simulate-cribbage-games and https://github.com/teejaydub/cribbage
    CRIBBAGE_PLAYERS=FOLDER python -m computer.duel expert simulate-cribbage-games

FOLDER has both, each under its repository's name; the second with its scores in C, as its Makefile makes them.
"""

from __future__ import annotations

import functools
import importlib
import os
import sys
import types
from pathlib import Path
from typing import Any

from computer.opponents import Opponent, Playing

from cribboard_core.cards import PIPS
from cribboard_core.pile import LIMIT

FOLDER = "CRIBBAGE_PLAYERS"


def simulate_cribbage_games() -> Opponent:
    """Its default players of either role."""
    _stand_in("runstats", Statistics=object)
    _stand_in("diskcache", Cache=_Cache)
    theirs: Any = _imported("simulate-cribbage-games", "simulate_cribbage_games")
    keep = theirs.DEFAULT_SELECT_PONE_KEPT_CARDS, theirs.DEFAULT_SELECT_DEALER_KEPT_CARDS

    def cards(ours: Any) -> list[Any]:
        return [theirs.Card(card >> 2, card & 3) for card in ours]

    def discard(dealt: list[int], role: int, needs: tuple[int, int]) -> tuple[int, ...]:
        kept = {card.index * 4 + card.suit for card in keep[role](cards(dealt))}
        return tuple([card for card in dealt if card not in kept])

    def play(seen: Any, pile: list[int]) -> int:
        total = sum([PIPS[card >> 2] for card in pile])
        legal = seen.legal
        return int(legal[theirs.DEFAULT_SELECT_PLAY(cards(legal), total, cards(pile))])

    return Opponent(discard, play)


def teejaydub() -> Opponent:
    """Its player of tables and of one reply looked ahead, which it calls maxer."""
    import numpy as np

    np.product = getattr(np, "product", np.prod)  # type: ignore[attr-defined]  # an old name that it uses
    _imported("cribbage", "cribbage._cribbage_score")  # its scores in C; those in Python fail for this player
    theirs: Any = importlib.import_module("cribbage.maxerplayer")
    player = theirs.MaxerCribbagePlayer()

    def there(card: int) -> int:
        return (card >> 2) + (card & 3) * 13

    def discard(dealt: list[int], role: int, needs: tuple[int, int]) -> tuple[int, ...]:
        places = player.discard(role == 1, [there(card) for card in dealt], 121 - needs[0], 121 - needs[1])
        return tuple([dealt[at] for at in places])

    def play(seen: Any, pile: list[int]) -> int:
        hand, total = list(seen.hand), sum([PIPS[card >> 2] for card in pile])
        legal = [at for at, card in enumerate(hand) if total + PIPS[card >> 2] <= LIMIT]
        out = {there(card) for _, card in seen.played if card >= 0} | {there(seen.starter)}
        mine, theirs_score = seen.scores
        dealing = seen.seat == seen.dealer
        piled = [there(card) for card in pile]
        at = player.play_card(dealing, [there(card) for card in hand], out, False, piled, mine, theirs_score, legal)
        return hand[at]

    return Opponent(discard, functools.partial(_legal, play))


def _legal(play: Playing, seen: Any, pile: list[int]) -> int:
    card = play(seen, pile)
    assert card in seen.legal
    return card


def _imported(folder: str, module: str) -> types.ModuleType:
    where = os.environ.get(FOLDER)
    if not where:
        raise SystemExit(f"set {FOLDER} to the folder that has {folder}")
    sys.path.insert(0, str(Path(where) / folder))
    return importlib.import_module(module)


def _stand_in(name: str, **parts: object) -> None:
    """A library that its players do not need, or need only to remember."""
    module = types.ModuleType(name)
    for part, value in parts.items():
        setattr(module, part, value)
    sys.modules.setdefault(name, module)


class _Cache:
    """Remembers for as long as the program runs."""

    def __init__(self, *args: object, **named: object) -> None:
        pass

    def memoize(self) -> Any:
        """What a function has answered."""
        return functools.cache


OTHERS = {"simulate-cribbage-games": simulate_cribbage_games, "teejaydub": teejaydub}
