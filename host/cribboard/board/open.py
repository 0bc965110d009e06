"""What you can do with an open board, whichever program has its port."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from typing import Any

from cribboard.board.answers import Hello, Row, Standing
from cribboard.board.commands import Commands
from cribboard.board.follow import Happened
from cribboard.board.ledger import Names
from cribboard_core.match import Match

ANYBODY = 1  # the owner of points when a program does not tell people apart
PEND_S = 20  # seconds


class OpenBoard(Commands):
    """A board that answers: commands that count exactly once, and a copy of its match that follows it.

    `on_event` is called with everything that happens on the board while it is heard; `done` is how many commands of
    this program's have counted, `ack_ms` how long the newest took to their answer.
    """

    ack_ms: list[float]
    on_event: Callable[[Happened], None]
    done: int

    @property
    @abstractmethod
    def hello(self) -> Hello:
        """Who the board is."""

    @property
    @abstractmethod
    def port(self) -> str:
        """Where it is."""

    @property
    @abstractmethod
    def match(self) -> Match:
        """The board's match. What happened before this program looked is not in its history; see `last`."""

    @property
    @abstractmethod
    def names(self) -> Names:
        """The names on this host of those who play this game."""

    @property
    def standing(self) -> Standing:
        """How the match stands."""
        return Standing.of(self.match)

    @abstractmethod
    def poll(self, seconds: float = 0.0) -> list[list[Any]]:
        """Hear for so long what happens on the board, but no longer than till something does.

        Returns its events as [rev, "kind", side, a, b, c, session, id, game]; `on_event` gets more about each.
        """

    @abstractmethod
    def events(self, after: int = -1) -> list[Row]:
        """All events after a rev that the board still keeps."""

    @abstractmethod
    def check(self) -> bool:
        """Whether the copy equals the board's match, to the last peg and number."""

    @abstractmethod
    def pend(self, side: int, points: int, owner: int = ANYBODY, seconds: int = PEND_S) -> None:
        """Show points in front of a side's peg for so many seconds; 0 takes away what this owner shows.

        Raises CommandError, `waiting` when the buttons' points or another owner's wait there.
        """
