"""What happens on a night, one act after the other. A night is the fold of its acts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

KINDS = (
    "open",
    "enter",  # an entrant, by number
    "claim",  # a phone is an entrant's: the first has it, or whom the director gives it to
    "leave",
    "return",
    "plan",  # what was planned from a round on and has not begun is withdrawn; matches follow
    "match",
    "call",
    "report",  # what a side, or a board, says a game's result was
    "agree",  # a side agrees to the scores that it was shown
    "settle",  # the director says it; with a side and no scores, a walk-over
    "adjust",  # points beside those of games
    "move",  # a match to another table; an entrant to one where they always play, 0 for none
    "correct",  # strikes a match, or gives it other opponents
    "note",
    "close",
    "reopen",
)
PHONE, BOARD, STAFF = "phone", "board", "staff"  # where acts come from


@dataclass(frozen=True, kw_only=True)
class Act:
    """One act. Entrants and matches are numbers of the night; a match has the number of the act that made it.

    `who` is the device, `key` the device's own for the act, so that it counts once however often it is sent. `game` is
    the number of a game in the history, `leg` which game of the match it is, from 1. A side is 0 (home) or 1 (away);
    for a board's game it is the side of the match that plays the board's side 0. Points are hundredths.
    """

    number: int
    kind: str
    source: str = STAFF
    who: str = ""
    key: str = ""
    entrant: int | None = None
    match: int | None = None
    leg: int = 1
    game: int | None = None
    side: int | None = None
    score: int | None = None  # of side 0
    other_score: int | None = None  # of side 1
    round: int | None = None
    table: int | None = None
    home: int | None = None
    home_partner: int | None = None
    away: int | None = None  # none: a bye
    away_partner: int | None = None
    first: int | None = None  # the side that deals first
    points: int | None = None
    text: str = ""

    @property
    def scores(self) -> tuple[int, int] | None:
        """What both sides have by it, if it says so."""
        return None if self.score is None or self.other_score is None else (self.score, self.other_score)

    @property
    def sides(self) -> tuple[tuple[int, ...], ...]:
        """Who plays whom; one side is a bye."""
        both = ((self.home, self.home_partner), (self.away, self.away_partner))
        return tuple(present for side in both if (present := tuple(who for who in side if who is not None)))


@dataclass(frozen=True)
class BoardGame:
    """A game of the history as it stands: the scores by its sides, None while nobody has won it or it is withdrawn."""

    scores: tuple[int, int] | None
    lines: tuple[int, int] = (91, 61)


Games = Mapping[int, BoardGame]
