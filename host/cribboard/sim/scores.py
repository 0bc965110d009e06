"""The score in numerals, from the board's own flash: the journal is read as the board reads it, and nobody is asked."""

from __future__ import annotations

from cribboard_core.journal import Journal
from cribboard_core.match import Match
from cribboard_core.variants import COLOURS

LOST = ("", "", ", skunked", ", double-skunked")


def read_match(flash: bytes) -> Match | None:
    """The match that a flash holds, or None when it holds no journal yet."""
    match = Match()
    return match if Journal(bytearray(flash)).mount(match, 0) else None


def score_lines(match: Match) -> list[str]:
    """One entry for each side, and one for the game: 'orange 12 (8)' is the front peg and the back peg."""
    lines = []
    for side in match.sides:
        lost = LOST[match.skunked(side)]
        won = f", won {match.won(side)}" if match.won(side) else ""
        lines.append(f"{COLOURS[side]} {match.front(side)} ({match.back(side)}){won}{lost}")
    if match.winner >= 0:
        lines.append(f"{COLOURS[match.winner]} has won the game to {match.target}")
    else:
        lines.append(f"{COLOURS[match.dealer]} deals, to {match.target}")
    return lines
