"""How phones join a table: a token in the fragment of the QR's address, or a short code that somebody reads out.

Both are good for several phones. They are replaced every five minutes, and the former ones are good for five more.
"""

from __future__ import annotations

import hmac
import secrets
import time
from dataclasses import dataclass, field

from cribboard.web.limits import Clock, Tries
from cribboard.web.problem import Problem

FRESH_S = 300.0
CODE_DIGITS = 6
TRIES_EACH, TRIES_ALL = 5, 40  # wrong codes in the time that a code is fresh; 80 of a million may be guessed


@dataclass(frozen=True)
class Invite:
    """The token and the code with which a phone joins."""

    made: float
    token: str = field(default_factory=lambda: secrets.token_urlsafe(12), repr=False)  # short, so that its QR is coarse
    code: str = field(default_factory=lambda: f"{secrets.randbelow(10**CODE_DIGITS):0{CODE_DIGITS}}", repr=False)


class Invites:
    """The invitations to all tables."""

    def __init__(self, clock: Clock = time.monotonic) -> None:
        self._clock = clock
        self._good: dict[int, list[Invite]] = {}
        self._each = Tries(TRIES_EACH, FRESH_S, clock)
        self._all = Tries(TRIES_ALL, FRESH_S, clock)

    def newest(self, board: int) -> Invite:
        """The invitation to show now, made again every five minutes."""
        good = self._still_good(board)
        if not good or good[-1].made <= self._clock() - FRESH_S:
            good.append(Invite(self._clock()))
        return good[-1]

    def forget(self) -> None:
        """Make all earlier invitations invalid."""
        self._good.clear()

    def by_token(self, token: str) -> int:
        """The board of a token; raises Problem for an invalid one."""
        for board in self._good:
            if any(_same(invite.token, token) for invite in self._still_good(board)):
                return board
        raise Problem(403, "token", "this invitation is no longer valid", "scan the code on the table's screen again")

    def by_code(self, board: int, code: str, client: str) -> int:
        """The board, if the code is right; else raises Problem. After many wrong codes, clients have to wait."""
        where = str(board)
        wait = max(self._each.wait(client), self._all.wait(where))
        if wait:
            raise Problem.later(wait, "tries", "there were too many wrong codes")
        self._each.begin(client)
        self._all.begin(where)
        if not any(_same(invite.code, code) for invite in self._still_good(board)):
            raise Problem(403, "code", "this is not the code of that table", "ask for the code again; it changes")
        self._each.forgive(client)
        self._all.take_back(where)
        return board

    def _still_good(self, board: int) -> list[Invite]:
        oldest = self._clock() - 2 * FRESH_S
        self._good[board] = [invite for invite in self._good.get(board, []) if invite.made > oldest]
        return self._good[board]


def _same(one: str, other: str) -> bool:
    return hmac.compare_digest(one.encode(), other.encode("utf-8", "surrogatepass"))
