"""Keeps the record of results in step with one board's match: a win is written down, a win taken back is withdrawn."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from cribboard.matches.record import game_id, record, withdraw
from cribboard.matches.result import of_match
from cribboard.names import Names
from cribboard_core.match import Match


class Keeper:
    """Follows the match of the board `uid`, whose journal is `epoch`."""

    def __init__(self, uid: str, epoch: int) -> None:
        self._board = uid, epoch
        self._won = ""  # the game that was won when last looked at

    def found(self, match: Match, names: Names, last: Callable[[], Sequence[Any] | None]) -> None:
        """Take the match as it is met; `last` is the event that undo would take back.

        A game that the buttons have won since is written down. Where undo would take nothing back the game stands
        restored: it was won before, under the number that it had in the journal that was lost.
        """
        if match.winner >= 0:
            self._won = self._game(match)
            if last() is not None:
                record(of_match(match, names, self._won), anew=False)

    def now(self, match: Match, names: Names) -> None:
        """Take the match as it is after something happened."""
        game = self._game(match)
        if match.winner >= 0:
            record(of_match(match, names, game))
            self._won = game
        elif self._won == game:
            withdraw(game)
            self._won = ""

    def _game(self, match: Match) -> str:
        return game_id(*self._board, match.game)
