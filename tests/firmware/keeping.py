"""A keeper with its flash, for the tests of it."""

from __future__ import annotations

from cribboard_core.journal import Journal
from cribboard_core.match import Match
from cribboard_fw.keeper import Keeper

Event = tuple[int, ...]

RESTORED = (61, 7, 3, 2, 31, 0, "28200a053d3c", [3, 999, 1])


class Board:
    """A keeper over a flash, and a host that counts its ids."""

    def __init__(self, nvm: object = None, players: int = 2, session: int = 7) -> None:
        self.nvm = bytearray(b"\xff" * 4096) if nvm is None else nvm
        self.match = Match(121, (1 << players) - 1, players)
        journal = Journal(self.nvm)  # type: ignore[arg-type]
        self.mounted = journal.mount(self.match, 1)
        self.events: list[tuple[object, ...]] = []
        self.keeper = Keeper(self.match, journal, lambda *what: self.events.append(what))
        self.session = session
        self.id = 0

    def send(self, op: str, *args: object) -> list[object]:
        self.id += 1
        return self.resend(op, *args)

    def resend(self, op: str, *args: object) -> list[object]:
        return finished(self.keeper, [op, self.session, self.id, *args])

    def state(self) -> tuple[object, ...]:
        return (self.match.rev, self.match.play.rev, self.match.play.pack(), self.match.play.depth)

    def restarted(self) -> Board:
        board = Board(bytearray(self.nvm), session=self.session)  # type: ignore[call-overload]
        board.id = self.id
        return board


def tag(number: int, session: int = 1) -> tuple[int, int]:
    """The session and id of a client's command of this number, from 0 on."""
    return session + number // 255, 1 + number % 255


def no(answer: list[object]) -> tuple[object, object]:
    """The code and text of a refusal."""
    assert answer[0] == "no"
    return answer[3], answer[4]


def finished(keeper: Keeper, message: list[object]) -> list[object]:
    """The answer to a command, when all its steps are done."""
    answer = keeper.command(message)
    while keeper.due:
        assert answer is None
        assert keeper.goes_on()
    assert not keeper.goes_on()
    return answer or finished(keeper, message)
