"""The host's copy of the board's match: events are folded as the board folds them, and what cannot be is asked for."""

from __future__ import annotations

from cribboard.board.answers import Row, Standing
from cribboard_core.events import NEW, REDO, RESTORE, UNDO, Refused


class Mirror:
    """`match` equals the board's, but knows only the events heard since the last full state."""

    def __init__(self, standing: Standing) -> None:
        self.match = standing.match()

    def take(self, standing: Standing) -> None:
        """Take over what the board says."""
        self.match = standing.match()

    def standing(self) -> Standing:
        """How the copy stands."""
        return Standing.of(self.match)

    def fold(self, row: Row) -> bool:
        """Fold the next event; False (and nothing done) when the board must be asked how it stands after it."""
        match = self.match
        if row.rev != match.rev + 1 or row.kind in (NEW, RESTORE):
            return False  # games won go on from a game that may be unknown here
        if row.kind == UNDO and not match.play.depth:
            return False
        if row.kind == REDO and match.play.depth == match.play.top:
            return False
        try:
            match.check(row.event)
        except Refused:
            return False
        match.apply(row.rev, row.event)
        return True
