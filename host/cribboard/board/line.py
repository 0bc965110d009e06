"""One request at a time over a link that may lose, garble, delay or break: sent again until it is answered."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from cribboard.board.answers import is_plain
from cribboard.board.transport import Transport
from cribboard.errors import TransportError
from cribboard_core.wire import Lines, encode

Clock = Callable[[], float]
Message = list[Any]

RESEND_S = (0.02, 0.03, 0.05, 0.1, 0.2)  # after each of the first times, and every later one; answers take 5 to 20 ms
GIVE_UP_S = 5.0
AWAY_S = 10.0  # a Pico that was reset takes three seconds to come back
BREAKING_S = 30.0  # a board that comes back and breaks off again and again
REOPEN_S = (0.02, 0.02, 0.05, 0.1)  # before the first try, the second, the third and every later one


class NoAnswer(TransportError):
    """The port is there, but nothing answers."""


class Line:
    """Asks and listens. What arrives and is no answer goes to `on_push`; a link that broke is opened again by `reach`.
    What no board says is passed over like damage.

    After each opening `on_open` runs, which asks with `attempt`; `on_away` is told once when the link breaks.
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
    ) -> None:
        self._reach = reach
        self._clock = clock
        self._pause = pause
        self._on_push = on_push
        self._on_open = on_open
        self._on_away = on_away
        self._give_up_s = give_up_s
        self._port: Transport | None = None
        self._lines = Lines()

    @property
    def name(self) -> str:
        """Where the board is."""
        return self._port.name if self._port else ""

    def open(self) -> None:
        """Open the link and greet."""
        self._port = self._reach()
        self._lines = Lines()
        try:
            self._on_open()
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Give the link up."""
        port, self._port = self._port, None
        if port is not None:
            port.close()

    def ask(self, message: Message, is_answer: Callable[[Message], bool]) -> Message:
        """The answer to a request. Waits over a broken link; raises TransportError when none comes."""
        ends = self._clock() + BREAKING_S
        while True:
            try:
                return self.attempt(message, is_answer)
            except NoAnswer:
                raise
            except TransportError as error:
                if self._clock() >= ends:
                    raise
                self._open_again(error)

    def attempt(self, message: Message, is_answer: Callable[[Message], bool]) -> Message:
        """The answer to a request over the link as it is; raises NoAnswer after `give_up_s`."""
        frame = encode(message)
        port = self._opened()
        now = began = due = self._clock()
        sent = 0
        while now - began < self._give_up_s:
            if now >= due:
                port.write(frame)
                due = now + RESEND_S[min(sent, len(RESEND_S) - 1)]
                sent += 1
            answer = None
            for heard in self._heard(port):
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
        """Hear what the board says unasked, for a moment."""
        try:
            for heard in self._heard(self._opened()):
                self._on_push(heard)
        except TransportError as error:
            self._open_again(error)

    def _heard(self, port: Transport) -> list[Message]:
        return [heard for heard in self._lines.feed(port.read()) if heard and is_plain(heard)]

    def _opened(self) -> Transport:
        if self._port is None:
            raise TransportError("the link to the board is closed", "open it first")
        return self._port

    def _open_again(self, error: TransportError) -> None:
        if self._port is None:
            raise error
        self.close()
        self._on_away(error)
        deadline = self._clock() + AWAY_S
        tries = 0
        while True:
            self._pause(REOPEN_S[min(tries, len(REOPEN_S) - 1)])
            tries += 1
            try:
                self.open()
                return
            except TransportError as again:
                if self._clock() >= deadline:
                    raise again from error
