"""The newest view of a table, made again when something has changed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime

from cribboard.errors import CribboardError
from cribboard.referee.watched import Cards
from cribboard.service.table import Table
from cribboard.service.view import StateEntry, TableEntry, View, board_entry, idle_entry, no_game, table_entry

DIM_S = 20 * 60.0


class LatestView:
    """Holds the newest `view`; while the board is closed, the last one. `clock` gives seconds, and is never set."""

    def __init__(
        self, number: int, name: str, virtual: bool, now: Callable[[], datetime], clock: Callable[[], float]
    ) -> None:
        self.number = number
        self.name = name
        self.virtual = virtual
        self.view = View(int(now().timestamp() * 1000))  # pages know the versions of an earlier run
        self._now = now
        self._clock = clock
        self.touch()
        self._emptied = False
        self._signs: object = None

    def touch(self) -> None:
        """Note that somebody has just done something."""
        self._touched, self._touched_s = self._now(), self._clock()

    def empty(self) -> None:
        """Remove the game from a closed board's view at the next refresh, since a name in it is no longer in use."""
        self._emptied = True

    def is_stale(self, table: Table) -> bool:
        """Whether something has changed that comes neither from an event nor from an order."""
        return self._signs_of(table) != self._signs

    def refresh(self, table: Table | None, away: CribboardError | None) -> StateEntry | None:
        """Make the view again; returns its entry if it has changed, else None."""
        before = self.view
        game: TableEntry
        if table is not None:
            board, hello = table.board, table.board.hello
            self._signs = self._signs_of(table)
            view = replace(before, standing=board.standing, waiting=dict(board.waiting), names=board.names)
            view = replace(view, tracks=hello.tracks, leds=hello.leds, uid=hello.uid)
            away, game, due = board.away, table.entry(), table.due()
            view = replace(view, ends_s=due[1] if due else 0.0, clock=table.clock)
        else:
            view = before
            if self._emptied or before.state is None:
                view, game = replace(view, names={}), no_game(table_entry(Cards()))
            else:
                game = before.state
        self._emptied = False
        state: StateEntry = {
            **game,
            "board": board_entry(self.number, self.name, view.uid, self.virtual, away),
            "version": before.version,
            "idle": idle_entry(self._touched, self._is_dim()),
            "claims": game["claims"] if table is not None else None,
        }
        view = replace(view, away=away is not None, state=state)
        if before.state is not None and (view.ends_s, view.entry()) == (before.ends_s, before.entry()):
            return None
        state["version"] += 1
        self.view = replace(view, version=state["version"])
        return self.view.entry()

    def _is_dim(self) -> bool:
        return self._clock() - self._touched_s >= DIM_S

    def _signs_of(self, table: Table) -> object:
        board = table.board
        waiting = tuple(sorted(board.waiting.items()))
        return board.away, waiting, self._is_dim(), self.name, table.restraint.wish
