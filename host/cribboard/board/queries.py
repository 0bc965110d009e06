"""What can be asked of a board at any time, and its answers read."""

from __future__ import annotations

from typing import Any

from cribboard.board.link import Connection, IsWanted, Message
from cribboard.board.messages import Chosen, Event, Hello, Known, Standing, senseless
from cribboard.errors import CommandError, Echo
from cribboard_core.wire import PROTOCOL

MOST_KEPT = 1000  # events; a journal holds no more than 336


class Queries:
    """Queries over a line. Without `reopen` they do not open it again, for a link that was opened just now.

    They are numbered from `first` on, which is drawn by chance: an answer that an earlier program did not wait for may
    still come, and must not be taken for one to this program's.
    """

    def __init__(self, line: Connection, first: int = 0) -> None:
        self.line = line
        self.number = first  # of the newest query

    def hello(self, *, reopen: bool = True) -> Hello:
        """Who is there."""
        answer = self._ask("hello", PROTOCOL, reopen=reopen)
        if answer[2:] == [PROTOCOL]:
            raise Echo(
                f"the device at {self.line.name} only echoes what it receives; it is not a cribboard",
                "`cribboard boards` lists the ports of boards; name one with --port",
            )
        return Hello.read(answer)

    def standing(self, *, reopen: bool = True) -> Standing:
        """How the match stands."""
        return Standing.read(self._ask("state", reopen=reopen)[2:])

    def last(self) -> tuple[Event | None, Event | None]:
        """The event that undo would take back and the one that redo would bring back."""
        answer = self._ask("last")
        if len(answer) < 4 or not all(isinstance(named, list) for named in answer[2:4]):
            raise senseless(answer)
        undo, redo = (Event.read([*named[:6], 0, 0, 0]) if named else None for named in answer[2:4])
        return undo, redo

    def events(self, after: int, *, reopen: bool = True) -> tuple[int, list[Event]]:
        """The rev of the newest event, and all events after a rev that the board keeps."""
        events: list[Event] = []
        while True:
            newest, page = self._page(events[-1].rev if events else after, reopen=reopen)
            events += page
            if len(events) > MOST_KEPT:
                raise senseless(events[-1].fields())
            if not page or page[-1].rev >= newest:
                return newest, events

    def event(self, rev: int) -> Event | None:
        """The event of this number over a link that was opened just now; None when the board does not keep it."""
        return next((event for event in self._page(rev - 1, reopen=False)[1] if event.rev == rev), None)

    def known(self, standing: Standing) -> Known:
        """How the board stands and the event that led there, over a link that was opened just now."""
        event = self.event(standing.rev) if standing.rev else None
        return Known(standing, (event,) if event else ())

    def pend(self, side: int, points: int, owner: int, seconds: int) -> None:
        """Show points that somebody wants to peg; raises CommandError when they can't wait there."""
        answer = self._ask("pend", side, points, owner, seconds)
        if answer[0] == "no":
            raise CommandError(str(answer[3]), str(answer[4]))

    def choose(self, brightness: int, sound: int, commit_s: int) -> Chosen:
        """Change what outlasts the power, -1 for what there is; raises CommandError for what can't be chosen."""
        answer = self._ask("choose", brightness, sound, commit_s)
        if answer[0] == "no":
            raise CommandError(str(answer[3]), str(answer[4]))
        return Chosen.read(answer)

    def command(self, op: str, session: int, number: int, args: list[Any], wanted: IsWanted | None = None) -> Message:
        """The answer to a command, which whoever asks has put on the disk. Without `wanted` the link was opened now."""
        message = [op, session, number, *args]
        if wanted is None:
            return self.line.attempt(message, lambda heard: _is_answer(heard, session, number))
        return self.line.ask(message, lambda heard: _is_answer(heard, session, number), wanted)

    def _page(self, after: int, *, reopen: bool) -> tuple[int, list[Event]]:
        """The rev of the newest event, and as many events after a rev as one answer holds."""
        answer = self._ask("events", after, reopen=reopen)
        if len(answer) < 4 or not all(type(number) is int for number in answer[2:4]):
            raise senseless(answer)
        return answer[3], [event for event in map(Event.read, answer[4:]) if event.rev > after]

    def _ask(self, op: str, *args: int, reopen: bool = True) -> Message:
        number = self.number = self.number % 255 + 1  # never 0, which is in errors that answer nothing in particular
        ask = self.line.ask if reopen else self.line.attempt
        return ask([op, number, *args], lambda message: _answers(message, op, number))


def _answers(message: Message, op: str, number: int) -> bool:
    """Whether a message answers a query, be it by an error."""
    if message[0] == "no":
        return len(message) == 5 and message[1] == 0 and message[2] == number
    return bool(message[0] == op) and len(message) > 1 and bool(message[1] == number)


def _is_answer(message: Message, session: int, number: int) -> bool:
    """Whether a message answers the command of this tag."""
    shaped = [type(item) for item in message[3:]] == {"ok": [int], "no": [str, str]}.get(str(message[0]))
    return shaped and bool(message[1] == session) and bool(message[2] == number)
