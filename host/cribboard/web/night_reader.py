"""A night as pages read it: from the history at most once a second, and a tag that changes with what they see."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Sequence
from datetime import datetime

from starlette.requests import Request

from cribboard.league.state import Match
from cribboard.service import night_view
from cribboard.service.night_view import NightEntry
from cribboard.store.contests import Night
from cribboard.web.kiosk import Kiosk
from cribboard.web.night_access import directs, phone_of
from cribboard.web.problem import Problem

RECENT_S = 1.0


class NightReader:
    """Reads nights, and makes of them what pages show."""

    def __init__(self, kiosk: Kiosk) -> None:
        self._kiosk = kiosk
        self._recent: dict[int, tuple[float, Night]] = {}  # the night that was looked at last, and when
        self._digest: tuple[Night | None, str] = (None, "")  # of what is the same for all who look

    async def read(self, number: int) -> Night:
        """A night as it is now; raises Problem if there is none."""
        try:
            return await self._kiosk.history(lambda store: store.contest(number))
        except Problem as problem:
            raise Problem(404, "night", problem.message, problem.hint) if problem.status == 400 else problem from None

    async def recent(self, number: int) -> Night:
        """A night, read at most once a second however many look at it."""
        at, night = self._recent.get(number, (0.0, None))
        if night is None or time.monotonic() - at > RECENT_S:
            night = await self.read(number)
            self._recent = {number: (time.monotonic(), night)}
        return night

    def forget(self) -> None:
        """Read the night again the next time, since it has changed."""
        self._recent.clear()

    async def has_match(self, table: int) -> bool:
        """Whether a match of a night is played at a table; not while the history, and the night with it, is away."""
        try:
            on = await self._kiosk.history(lambda store: store.running_contest())
            night = await self.read(on) if on is not None else None
        except Problem:
            return False
        return night is not None and any(
            match.table == table and self.is_played(night, match) for match in night.state.live()
        )

    def tag(self, request: Request, night: Night) -> str:
        """What a page sees of a night, in short: another one whenever something has changed."""
        visitor, contest = self._kiosk.who(request), night.contest
        playing = [match for match in night.state.live() if match.called and match.table in night.contest.boards]
        boards = [
            self._running(match.table, night_view.sides_of(night, match), night.rules.target) for match in playing
        ]
        mine = (phone_of(visitor), visitor.role, directs(self._kiosk, visitor, contest))
        if self._digest[0] is not night:
            said = (contest, len(night.acts), sorted(night.games.items()), sorted(night.names.items()))
            self._digest = night, _digest(said)
        return f'"{_digest((self._digest[1], boards, mine, f"{datetime.now():%H:%M}"))}"'

    def entry(self, request: Request, night: Night) -> NightEntry:
        """A night as this visitor sees it."""
        visitor = self._kiosk.who(request)
        return night_view.entry(
            night,
            phone=phone_of(visitor),
            director=directs(self._kiosk, visitor, night.contest),
            staff=visitor.role == "staff",
            joined=visitor.phone > 0,
            now=datetime.now().astimezone(),
            place=self.place,
            boards=self._kiosk.tables.services,
            running=self._running,
        )

    def place(self, table: int) -> str:
        """What a table is called."""
        service = self._kiosk.tables.services.get(table)
        return service.view.entry()["board"]["name"] if service is not None else f"Table {table}"

    def is_played(self, night: Night, match: Match) -> bool:
        """Whether the game at a match's table is that of the match, which wants its result."""
        wanted = match.called and not match.over(night.rules)
        return wanted and self._fronts(match.table, night_view.sides_of(night, match), night.rules.target) is not None

    def _running(self, table: int, names: Sequence[str], target: int) -> tuple[int, int] | None:
        """The scores on a table's board by these sides, if the two play to this target there."""
        fronts = self._fronts(table, names, target)
        return fronts if fronts is not None and max(fronts) < target else None

    def _fronts(self, table: int, names: Sequence[str], target: int) -> tuple[int, int] | None:
        """The same, also when one of the sides has won."""
        service = self._kiosk.tables.services.get(table)
        shown = service.view.entry() if service is not None else None
        if shown is None or len(shown["sides"]) != 2:
            return None
        fronts = {side["name"]: side["front"] for side in shown["sides"]}
        if set(fronts) != set(names) or shown["target"] != target:
            return None
        return fronts[names[0]], fronts[names[1]]


def _digest(said: object) -> str:
    return hashlib.sha256(repr(said).encode()).hexdigest()[:20]
