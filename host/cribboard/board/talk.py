"""What can be asked of a board at any time, and its answers read."""

from __future__ import annotations

from typing import Any

from cribboard.board.answers import Hello, Known, Row, Standing, senseless
from cribboard.board.line import Line, Message, Wanted
from cribboard.errors import CommandError, Echo
from cribboard_core.wire import PROTOCOL

MOST_KEPT = 1000  # events; a journal holds no more than 336


class Talk:
    """Queries over a line. With `anew` they are for a link that was opened just now, and do not open it again.

    They are numbered from `first` on, which is drawn by chance: an answer that an earlier program did not wait for may
    still come, and must not be taken for one to this program's.
    """

    def __init__(self, line: Line, first: int = 0) -> None:
        self.line = line
        self.number = first  # of the newest query

    def hello(self, *, anew: bool = False) -> Hello:
        """Who is there."""
        answer = self._ask("hello", PROTOCOL, anew=anew)
        if answer[2:] == [PROTOCOL]:
            raise Echo(
                f"the device at {self.line.name} only echoes what it receives; it is not a cribboard",
                "`cribboard boards` lists the ports of boards; name one with --port",
            )
        return Hello.read(answer)

    def standing(self, *, anew: bool = False) -> Standing:
        """How the match stands."""
        return Standing.read(self._ask("state", anew=anew)[2:])

    def last(self) -> tuple[Row | None, Row | None]:
        """The event that undo would take back and the one that redo would bring back."""
        answer = self._ask("last")
        if len(answer) < 4 or not all(isinstance(named, list) for named in answer[2:4]):
            raise senseless(answer)
        undo, redo = (Row.read([*named[:6], 0, 0, 0]) if named else None for named in answer[2:4])
        return undo, redo

    def events(self, after: int, *, anew: bool = False) -> tuple[int, list[Row]]:
        """The rev of the newest event, and all events after a rev that the board keeps."""
        rows: list[Row] = []
        while True:
            newest, page = self._page(rows[-1].rev if rows else after, anew=anew)
            rows += page
            if len(rows) > MOST_KEPT:
                raise senseless(rows[-1].told())
            if not page or page[-1].rev >= newest:
                return newest, rows

    def row(self, rev: int) -> Row | None:
        """The event of this number over a link that was opened just now; None when the board does not keep it."""
        return next((row for row in self._page(rev - 1, anew=True)[1] if row.rev == rev), None)

    def known(self, standing: Standing) -> Known:
        """How the board stands and the event that led there, over a link that was opened just now."""
        row = self.row(standing.rev) if standing.rev else None
        return Known(standing, (row,) if row else ())

    def pend(self, side: int, points: int, owner: int, seconds: int) -> None:
        """Show points that somebody wants to peg; raises CommandError when they can't wait there."""
        answer = self._ask("pend", side, points, owner, seconds)
        if answer[0] == "no":
            raise CommandError(str(answer[3]), str(answer[4]))

    def command(self, op: str, session: int, number: int, args: list[Any], wanted: Wanted | None = None) -> Message:
        """The answer to a command, which whoever asks has put on the disk. Without `wanted` the link was opened now."""
        message = [op, session, number, *args]
        if wanted is None:
            return self.line.attempt(message, lambda heard: _is_answer(heard, session, number))
        return self.line.ask(message, lambda heard: _is_answer(heard, session, number), wanted)

    def _page(self, after: int, *, anew: bool) -> tuple[int, list[Row]]:
        """The rev of the newest event, and as many events after a rev as one answer holds."""
        answer = self._ask("events", after, anew=anew)
        if len(answer) < 4 or not all(type(number) is int for number in answer[2:4]):
            raise senseless(answer)
        return answer[3], [row for row in map(Row.read, answer[4:]) if row.rev > after]

    def _ask(self, op: str, *args: int, anew: bool = False) -> Message:
        number = self.number = self.number % 255 + 1  # never 0, which is in errors that answer nothing in particular
        ask = self.line.attempt if anew else self.line.ask
        return ask([op, number, *args], lambda message: _answers(message, op, number))


def _answers(message: Message, op: str, number: int) -> bool:
    """Whether a message answers a query, be it by an error."""
    if message[0] == "no":
        return len(message) == 5 and message[1] == 0 and message[2] == number
    return bool(message[0] == op) and len(message) > 1 and bool(message[1] == number)


def _is_answer(message: Message, session: int, number: int) -> bool:
    """Whether a message answers the command of this tag."""
    told = [type(item) for item in message[3:]] == {"ok": [int], "no": [str, str]}.get(str(message[0]))
    return told and bool(message[1] == session) and bool(message[2] == number)
