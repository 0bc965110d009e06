"""The link to a board that may lose, garble, delay or break off: one request at a time, sent until it is answered.

The link is open, or it is away: it broke, or the board on it is silent. Whoever asks waits for it; who
listens does not.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from cribboard.board.messages import is_plain
from cribboard.board.transport import Transport
from cribboard.errors import Busy, CribboardError, TransportError
from cribboard_core.wire import Lines, encode

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
        self._unanswered: NoAnswer | None = None  # the last query's failure, until something is heard again

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
            except NoAnswer as error:
                self._unanswered = error
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
        self.notice_silence()

    def notice_silence(self) -> None:
        """Be away if the last query had no answer, so that the next one does not wait in vain."""
        if self._unanswered is not None:
            self.lost(self._unanswered)

    def lost(self, error: TransportError) -> None:
        """The link broke, or the board on it is silent: a silent one keeps its port. What was closed stays closed."""
        self._unanswered = None
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
            self._unanswered = None
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
