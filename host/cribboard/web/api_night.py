"""The API of an evening of people: what everybody sees of it, and what players do."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, TypedDict

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from cribboard.league.rules import named_lines
from cribboard.service import night_orders
from cribboard.service.night_plan import Actor
from cribboard.service.night_view import LineEntry, NightEntry, line_entries
from cribboard.web.json_body import DoneEntry, route
from cribboard.web.kiosk import Kiosk
from cribboard.web.night_access import directs, phone_of
from cribboard.web.night_course import NightCourse
from cribboard.web.night_reader import NightReader
from cribboard.web.problem import Problem


class MatchLinesEntry(TypedDict):
    """The lines of a match."""

    lines: list[LineEntry]


class Nights:
    """The endpoints of a night for everybody in the room."""

    def __init__(self, kiosk: Kiosk, reader: NightReader, course: NightCourse) -> None:
        self._kiosk, self._reader, self._course = kiosk, reader, course

    def routes(self) -> list[Route]:
        """The routes."""
        return [
            route("GET", "/api/night", self.now),
            route("GET", "/api/nights/{id:int}", self.one),
            route("POST", "/api/nights/{id:int}/orders", self.order),
            route("POST", "/api/nights/{id:int}/start/{match:int}", self.start),
            route("GET", "/api/nights/{id:int}/matches/{match:int}", self.lines),
        ]

    async def now(self, request: Request) -> Response:
        """The night that is on, else the newest one."""
        number = await self._kiosk.history(lambda store: store.running_contest() or store.newest_contest())
        if number is None:
            raise Problem(404, "night", "there has been no night yet", "staff begin one on the page /night")
        return await self._shown(request, number)

    async def one(self, request: Request) -> Response:
        """A night."""
        return await self._shown(request, request.path_params["id"])

    async def _shown(self, request: Request, number: int) -> Response:
        """A night as many phones look at it, often: what has not changed is neither made nor sent again."""
        night = await self._reader.recent(number)
        tag = self._reader.tag(request, night)
        headers = {"ETag": tag, "Cache-Control": "no-cache"}
        if request.headers.get("if-none-match") == tag:
            return Response(status_code=304, headers=headers)
        return JSONResponse(self._reader.entry(request, night), headers=headers)

    async def lines(self, request: Request) -> MatchLinesEntry:
        """All that happened to a match."""
        night = await self._reader.read(request.path_params["id"])
        return {"lines": line_entries(night, request.path_params["match"], self._kiosk.phones.called)}

    async def order(self, request: Request) -> NightEntry:
        """What a player or the director wants."""
        visitor, number = self._kiosk.who(request), request.path_params["id"]
        body = await self._kiosk.entry(request)
        contest = (await self._reader.recent(number)).contest
        director = directs(self._kiosk, visitor, contest) and body.get("do") in night_orders.DIRECTS
        actor = Actor(visitor.by if director else phone_of(visitor), director)
        done = await self._course.do(number, actor, body)
        if body.get("do") == "claim" and (mine := done.state.entrant_of(actor.by)) is not None:
            with suppress(Problem):  # somebody at the table may have that name; the night's is the entrant's anyway
                await asyncio.to_thread(self._kiosk.phones.introduce, visitor.phone, {"name": done.names[mine]})
        return self._reader.entry(request, await self._course.tick(number))

    async def start(self, request: Request) -> DoneEntry:
        """Give the board of a match both names, target and rules; a game that is on there is not ended by it."""
        visitor, night = self._kiosk.who(request), await self._reader.read(request.path_params["id"])
        state, number = night.state, request.path_params["match"]
        match = state.matches.get(number)
        if match is None or match.is_bye or not match.called or match.over(night.rules):
            raise Problem(409, "match", "this match is not called", "look at the night again")
        mine = state.entrant_of(phone_of(visitor))
        if not directs(self._kiosk, visitor, night.contest) and (mine is None or match.side_of(mine) is None):
            raise Problem(403, "match", "this phone does not play in this match", "one of the two starts it")
        service = self._kiosk.tables.service(match.table)
        if mine is not None and match.side_of(mine) is not None:
            await self._course.bring(night, match, mine)  # it taps before it follows, or was elsewhere
        shown = service.view.entry()
        if shown["game"] and not shown["winner"] and any(side["front"] for side in shown["sides"]):
            if self._reader.is_played(night, match):
                return {"done": True}  # it is on already
            place = self._reader.place(match.table)
            raise Problem(409, "on", f"a game is on at {place}", "finish it first, or let the director move the match")
        people = [night.names[who] for side in match.sides for who in side]
        four = len(people) == 4  # partners sit across
        order: Mapping[str, Any] = {
            "do": "new",
            "key": secrets.token_urlsafe(16),
            "names": [people[0], people[2], people[1], people[3]] if four else people,
            "teams": 2 if four else 0,
            "target": night.rules.target,
            "double": named_lines(night.rules)[1],
            "dealer": match.dealer + 1,
            "again": True,
        }
        await self._kiosk.done(service.order(dict(order), visitor.by, ""))
        return {"done": True}
