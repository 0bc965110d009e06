"""Records games that are won on a board without a kiosk in this host's history."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from typing import TYPE_CHECKING

from cribboard.errors import CribboardError
from cribboard.files import read_file, write_whole

if TYPE_CHECKING:
    from cribboard.board.client import Board
    from cribboard.store import Store

NAME = "recorded"
Noted = tuple[int, ...]  # games won on the board; of a game that is won also its journal, number and newest event


@contextmanager
def history(on_notice: Callable[[str], None], database: str | None = None) -> Iterator[Store]:
    """The history at a database URL, by default this host's, open; `on_notice` gets what opening it has to say."""
    from cribboard.store import open_store  # here, since its library takes as long to import as all else

    with closing(open_store(database)) as store:
        for text in store.notices:
            on_notice(text)
        yield store


class Recorder:
    """Follows an open board; `on_notice` gets the reason if a game cannot be recorded.

    The history is opened only when the games won on the board have changed, be it with buttons while nobody looked. A
    file beside the board's ledger says what is recorded. What happens on a kiosk's board is recorded by the kiosk.
    """

    def __init__(self, board: Board, on_notice: Callable[[str], None]) -> None:
        self._board = None if board.guest else board
        self._on_notice = on_notice
        self._recorded = _read(board)
        self._tried = -1
        self.look()

    def look(self) -> None:
        """Record the match as it is, if it has been won or a recorded win is no longer one."""
        board = self._board
        if board is None:
            return
        match, epoch = board.match, board.hello.epoch
        won = (epoch, match.game, match.rev) if match.winner >= 0 else ()
        now: Noted = (sum(board.standing.won), *won)
        due = now[0] != self._recorded[0] or (won and now != self._recorded)
        if not due or match.rev == self._tried:
            return
        self._tried = match.rev
        try:
            with history(self._on_notice) as store:
                record(store, board)
        except CribboardError as error:
            self._on_notice(f"{error.message}; the game counts on the board, but is not in the history")
            return
        self._recorded = now
        with suppress(CribboardError):  # then it is recorded once more, which changes nothing
            write_whole(board.folder / NAME, " ".join(map(str, now)))


def record(store: Store, board: Board) -> None:
    """Give the history what a board keeps and the history does not have."""
    from cribboard.store.report import Report  # here, as for `history`

    uid, epoch, standing, lost = board.hello.uid, board.hello.epoch, board.standing, board.losses > 0
    known = store.heard(uid, epoch)
    if known < 0 and board.last() is None:
        return  # the game was given back to the board as it was won, under another number
    events = board.events(-1 if lost else known)
    events = [event for event in events if event.rev <= standing.rev]
    store.keep(Report(uid, epoch, events, standing, board.names, lost))


def discount(board: Board, on_notice: Callable[[str], None]) -> None:
    """Leave the current game out of the history."""
    with history(on_notice) as store:
        record(store, board)
        game = store.live(board.hello.uid)
        if game is not None:
            store.withdraw(game.id, by="the demo")


def _read(board: Board) -> Noted:
    try:
        return tuple(map(int, read_file(board.folder / NAME).decode("ascii").split())) or (0,)
    except (OSError, ValueError):
        return (0,)
