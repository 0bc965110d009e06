"""The link to a board that may lose, garble, delay or break off: one request at a time, sent until it is answered.

The link is open, or it is away: it broke, or the board on it is silent. Whoever asks waits for it; who
listens does not.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from cribboard.board.messages import Chosen, Event, Hello, Known, Standing, is_plain, senseless
from cribboard.board.transport import Transport
from cribboard.errors import Busy, CommandError, CribboardError, Echo, TransportError
from cribboard_core.wire import PROTOCOL, Lines, encode

# One request at a time over a link that may lose, garble, delay or break: sent again until it is answered.

Clock = Callable[[], float]
Message = list[Any]
IsWanted = Callable[[], bool]

RESEND_S = (0.02, 0.03, 0.05, 0.1, 0.2)  # after each of the first times, and every later one; answers take 5 to 20 ms
QUIET_S = 1.0  # after so long without a word a listener asks whether the board is still there
GIVE_UP_S = 4.9  # of silence; a board that hangs is noticed within five seconds
AWAY_S = 10.0  # a Pico that was reset takes three seconds to come back
REOPEN_S = (0.02, 0.02, 0.05, 0.1, 0.2)  # before the first tries, and every later one
BREAKING_S = 30.0  # a board that comes back and breaks off again and again
BUSY_S = 2.0  # another command is over by then
BUSY_AGAIN_S = 0.05


class NoAnswer(TransportError):
    """The port is there, but nothing answers."""


class Nobody(TransportError):
    """No program lets this one in to the board."""


class Unwanted(CribboardError):
    """A request that has become pointless while the link was away."""


class Connection:
    """Asks and listens. What arrives and is no answer goes to `on_push`; a link that broke is opened again by `reach`.
    What no board says is passed over like damage.

    After each opening, and when a silent board speaks again, `on_open` runs, which asks with `attempt`; `on_away` is
    told once when the link breaks or the board falls silent. Where `reach` finds Nobody, whoever asks tries `borrow`.
    """

    def __init__(
        self,
        reach: Callable[[], Transport],
        *,
        clock: Clock,
        pause: Callable[[float], None],
        on_push: Callable[[Message], None],
        on_open: Callable[[], None],
        on_away: Callable[[TransportError], None],
        give_up_s: float = GIVE_UP_S,
        borrow: Callable[[], Transport] | None = None,
    ) -> None:
        self.away = False
        self._reach = reach
        self._borrow = borrow
        self._clock = clock
        self._pause = pause
        self._on_push = on_push
        self._on_open = on_open
        self._on_away = on_away
        self._give_up_s = give_up_s
        self._port: Transport | None = None
        self._lines = Lines()
        self._heard_s = 0.0  # when the last word came
        self._tries = 0  # to come back

    @property
    def name(self) -> str:
        """Where the board is."""
        return self._port.name if self._port else ""

    @property
    def quiet(self) -> bool:
        """Whether the board has said nothing for so long that one should ask."""
        return not self.away and self._clock() - self._heard_s >= QUIET_S

    def open(self) -> None:
        """Open the link and greet; waits a little for another program to be done."""
        ends = self._clock() + BUSY_S
        while True:
            try:
                self._come()
                return
            except Busy:
                if self._clock() >= ends:
                    raise
                self._pause(BUSY_AGAIN_S)
            finally:
                if self.away:
                    self.close()

    def close(self) -> None:
        """Give the link up."""
        self._drop()
        self.away = False

    def through(self, wrap: Callable[[Transport], Transport]) -> None:
        """Use the port through what `wrap` makes of it, now and whenever it is opened again."""
        reach = self._reach
        self._reach = lambda: wrap(reach())
        if self._port is not None:
            self._port = wrap(self._port)

    def wake(self) -> None:
        """Have whoever listens look up; from another thread."""
        port = self._port
        if port is not None:
            port.wake()

    def ask(self, message: Message, is_answer: Callable[[Message], bool], wanted: IsWanted = lambda: True) -> Message:
        """The answer to a request. Waits while the link is away; raises TransportError when none comes.

        Coming back may show that the request is no longer `wanted`: then it is not sent, and raises Unwanted.
        """
        ends = self._clock() + BREAKING_S
        while True:
            if self.away:
                self._wait()
            if not wanted():
                raise Unwanted("the board has changed meanwhile")
            try:
                return self.attempt(message, is_answer)
            except NoAnswer:
                raise
            except TransportError as error:
                if self._clock() >= ends:
                    raise
                self.lost(error)

    def attempt(self, message: Message, is_answer: Callable[[Message], bool]) -> Message:
        """The answer to a request over the link as it is; raises NoAnswer when the board is silent.

        A silence counts from the last word, but at most QUIET_S of it from before the question.
        """
        frame = encode(message)
        port = self._opened()
        now = due = self._clock()
        began = max(self._heard_s, now - QUIET_S)
        sent = 0
        while now - began < self._give_up_s:
            if now >= due:
                port.write(frame)
                due = now + RESEND_S[min(sent, len(RESEND_S) - 1)]
                sent += 1
            # All that came is gone through before the answer is returned: events behind it are sent only once.
            answer = None
            for heard in self._hear():
                if answer is None and is_answer(heard):
                    answer = heard
                else:
                    self._on_push(heard)
            if answer is not None:
                return answer
            now = self._clock()
        raise NoAnswer(
            f"the board on {port.name} does not answer",
            "is it a cribboard, and is its program running? Its strip is dark or red when it is not",
        )

    def listen(self) -> None:
        """Hear what the board says unasked, for a moment; while it is away, try to bring it back."""
        if self.away:
            self._try()
            return
        try:
            for heard in self._hear():
                self._on_push(heard)
        except TransportError as error:
            self.lost(error)

    def lost(self, error: TransportError) -> None:
        """The link broke, or the board on it is silent: a silent one keeps its port. What was closed stays closed."""
        if self._port is None and not self.away:
            raise error
        if not isinstance(error, NoAnswer):
            self._drop()
        if not self.away:
            self.away = True
            self._tries = 0
            self._on_away(error)

    def _hear(self) -> list[Message]:
        heard = [message for message in self._lines.feed(self._opened().read()) if message and is_plain(message)]
        if heard:
            self._heard_s = self._clock()
        return heard

    def _opened(self) -> Transport:
        if self._port is None:
            raise TransportError("the link to the board is closed", "open it first")
        return self._port

    def _come(self, *, asked: bool = False) -> None:
        """Be there: open the port unless a silent board has it, and greet."""
        self.away = True
        if self._port is None:
            self._port = self._opens(asked)
            self._lines = Lines()
        self._heard_s = self._clock()
        try:
            self._on_open()
        except NoAnswer:
            raise
        except BaseException:
            self._drop()
            raise
        self.away = False

    def _opens(self, asked: bool) -> Transport:
        try:
            return self._reach()
        except Nobody:
            if self._borrow is None or not asked:
                raise
            return self._borrow()

    def _try(self, *, asked: bool = False) -> TransportError | None:
        """Try once to come back; gives why it failed."""
        self._pause(REOPEN_S[min(self._tries, len(REOPEN_S) - 1)])
        self._tries += 1
        try:
            self._come(asked=asked)
        except TransportError as error:
            return error
        return None

    def _wait(self) -> None:
        deadline = self._clock() + AWAY_S
        while error := self._try(asked=True):
            if self._clock() >= deadline:
                raise error

    def _drop(self) -> None:
        port, self._port = self._port, None
        if port is not None:
            port.close()


# What can be asked of a board at any time, and its answers read.

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
