"""A board with its players' names: sends commands and prints what they did, in words or as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from cribboard.board.commands import ARGUMENTS, EVENTS
from cribboard.cli.options import BoardChoice
from cribboard.cli.output import emit, note, say
from cribboard.errors import Unsaid
from cribboard.names import Names
from cribboard.service.recorder import Recorder
from cribboard.words import Words
from cribboard_core.variants import COLOURS

if TYPE_CHECKING:
    from cribboard.board.client import Board

Event = Sequence[Any]  # rev, kind, side, a, b, c, and more that is not needed here
Entry = dict[str, object]
_SHOWN = ("points", "crib", "back", "from", "score", "front")  # of what an event says


class Table:
    """An open board, its names, and the way in which to answer."""

    def __init__(self, board: Board, as_json: bool = False) -> None:
        self.board = board
        self.as_json = as_json
        self._recorder = Recorder(board, note)

    @property
    def names(self) -> Names:
        """The names of those who play now."""
        return Names(self.board.match, self.board.names)

    @property
    def words(self) -> Words:
        """Sentences about the match as it is now."""
        return Words(self.board.match, self.names, self.board.games_won)

    def score(self, op: str, side: int, a: int, b: int = 0, more: Mapping[str, object] | None = None) -> None:
        """Send a command whose arguments are those of its event, and say what it did."""
        rev = self.board.send(op, *(side, a, b)[: len(ARGUMENTS[op])])
        self.tell([rev, op, side, a, b, 0], more=more)

    def tell(self, event: Event, *, more: Mapping[str, object] | None = None, last: bool = True) -> None:
        """Say what an event did; `last` is whether the match is still as it left it."""
        rev, kind, side, a, b, *_ = event
        words = self.words
        text = words.happened(kind, side, a, b) if last else f"{words.event(kind, side, a, b)}."
        self._out(self._entry(rev, kind, side, a, b), text, more, last)

    def tell_step(self, rev: int, op: str, event: Event | None, *, last: bool = True) -> None:
        """Say what undo took back or redo brought back; None is an event that is not known here."""
        entry: Entry = {"rev": rev, "kind": op, "side": None, "name": None, "of": None}
        text = f"{'Undid' if op == 'undo' else 'Redid'} a score. {self.words.scores(self.board.match.sides)}."
        if event is not None:
            of, kind, side, a, b, *_ = event
            entry["of"] = self._entry(of, kind, side, a, b)
            text = self.words.stepped(op, kind, side, a, b)
        self._out(entry, text, None, last)

    def _out(self, entry: Entry, text: str, more: Mapping[str, object] | None, last: bool) -> None:
        if last:
            self._recorder.look()
        said = [line for line in (text, self.words.win() if last else "") if line]
        if self.as_json:
            winner = self.board.match.winner
            scores = self.scores() if last else None
            ending = {"scores": scores, "winner": winner + 1 if last and winner >= 0 else None}
            emit({**entry, **(more or {}), **ending, "text": " ".join(said)})
            return
        for line in said:
            say(line)

    def scores(self) -> list[Entry]:
        """The pegs of each side for JSON."""
        match, names, won = self.board.match, self.names, self.board.games_won
        return [
            {
                "side": side + 1,
                "colour": COLOURS[side],
                "name": names.given(side) or None,
                "front": match.front(side),
                "back": match.back(side),
                "won": won[side],
            }
            for side in match.sides
        ]

    def _entry(self, rev: int, kind: str, side: int, a: int, b: int) -> Entry:
        match = self.board.match
        whose = None if kind == "restore" else side + 1
        name = None
        if kind in ("deal", "new") and side in match.seats:
            name = self.names.player(side)
        elif whose is not None and side in match.sides:
            name = self.names.given(side)
        entry: Entry = {"rev": rev, "kind": kind, "side": whose, "name": name or None}
        values: Entry = dict(zip(EVENTS[kind], (side, a, b), strict=False))
        if kind in ("hand", "penalty"):
            values[EVENTS[kind][-1]] = bool(b)
        elif kind == "muggins":
            values["from"] = b + 1
        return entry | {name: value for name, value in values.items() if name in _SHOWN}


@contextmanager
def at_table(where: BoardChoice, as_json: bool) -> Iterator[Table]:
    """The table at the board that is meant."""
    with where.open() as board:
        try:
            yield Table(board, as_json)
        except OSError as error:
            if not board.done:
                raise
            raise Unsaid(
                f"it counts, but the answer could not be written: {error.strerror or error}",
                "do not repeat it; `cribboard state` shows the score",
            ) from error
