"""The record of results, kept in step with a board; what the board has done counts all the same when that fails."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from cribboard.errors import CribboardError, TransportError
from cribboard.matches.results import Keeper
from cribboard.names import Names

if TYPE_CHECKING:
    from cribboard.board.client import Board


class Results:
    """Follows an open board; `on_notice` gets the reason if a game cannot be recorded."""

    def __init__(self, board: Board, on_notice: Callable[[str], None]) -> None:
        self.epoch = board.hello.epoch
        self._board = board
        self._on_notice = on_notice
        self._keeper = Keeper(board.hello.uid, self.epoch)
        self._seen = board.match.rev
        with self._noting():
            self._keeper.found(board.match, Names(board.match, board.names), board.last)

    def look(self) -> None:
        """Take the match as it is, if something has happened."""
        match = self._board.match
        if match.rev != self._seen:
            self._seen = match.rev
            with self._noting():
                self._keeper.now(match, Names(match, self._board.names))

    @contextmanager
    def _noting(self) -> Iterator[None]:
        try:
            yield
        except TransportError:
            raise
        except CribboardError as error:
            self._on_notice(f"{error.message}; the game counts on the board, but is not in the record of results")
