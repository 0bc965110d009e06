"""The API of an evening of people: begin one, take part, direct it, and carry its results away."""

from __future__ import annotations

import asyncio
import csv
import hashlib
import html
import io
import json
import secrets
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from string import Template
from typing import Any, TypedDict, TypeVar

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from cribboard.errors import ArgumentError
from cribboard.json_types import JsonObject
from cribboard.league.rules import in_words
from cribboard.league.season import read_season
from cribboard.matches import cell
from cribboard.service import night_orders
from cribboard.service.night_orders import do
from cribboard.service.night_plan import Actor
from cribboard.service.night_sheet import read_sheet, take_sheet
from cribboard.service.night_view import (
    LineEntry,
    NightEntry,
    PresetEntry,
    entry,
    line_entries,
    preset_entries,
    sides_of,
)
from cribboard.service.night_wish import preview, read_wish
from cribboard.service.nights import begin, tick
from cribboard.service.orders import KEY, OrderError
from cribboard.store import Store
from cribboard.store.contests import SEASON, Contest, Night
from cribboard.web.api_tables import InviteEntry, qr_svg
from cribboard.web.identity import Visitor
from cribboard.web.json_body import DoneEntry, read_entry, route
from cribboard.web.kiosk import Kiosk
from cribboard.web.phones import NIGHT_TABLE
from cribboard.web.problem import Problem

TICK_S, AWAY_S, SEEN_S = 1.0, 10.0, 1.0
ORDER_S = 15.0
MOST_SHEET = 64 * 1024  # characters of a list of results
Answer = TypeVar("Answer")


class BeginEntry(TypedDict):
    """What a night can be begun with: whose phones are here, known players, rules, boards; the night that is on."""

    may: bool
    names: list[str]
    players: list[str]
    presets: list[PresetEntry]
    boards: list[tuple[int, str]]
    on: int | None


class PreviewEntry(TypedDict):
    """What comes of it, in a sentence."""

    text: str


class BegunEntry(TypedDict):
    """The number of a night or a season."""

    number: int


class MatchLinesEntry(TypedDict):
    """The lines of a match."""

    lines: list[LineEntry]


class ListedNightEntry(TypedDict):
    """A night of the list."""

    night: int
    name: str
    began: str
    closed: bool
    season: int | None


class ListedSeasonEntry(TypedDict):
    """A season of the list."""

    season: int
    name: str


class NightsEntry(TypedDict):
    """All nights and seasons."""

    nights: list[ListedNightEntry]
    seasons: list[ListedSeasonEntry]


class SeasonRowEntry(TypedDict):
    """A line of a season; points as people write them."""

    place: int
    name: str
    points: str
    nights: int
    nights_won: int


class SeasonEntry(TypedDict):
    """A season: its nights, and who stands how."""

    season: int
    name: str
    nights: list[ListedNightEntry]
    rows: list[SeasonRowEntry]


class SheetLineEntry(TypedDict):
    """A result of a list, and whether the night has it already."""

    line: int
    text: str
    known: bool


class SheetEntry(TypedDict):
    """What a list of results comes to; with anything `bad` nothing is added."""

    lines: list[SheetLineEntry]
    notes: list[str]
    bad: list[str]


class PhoneOfNightEntry(TypedDict):
    """A phone that has joined a table or the night."""

    phone: int
    name: str
    table: int


class PhonesOfNightEntry(TypedDict):
    """The phones that a name can be given to."""

    phones: list[PhoneOfNightEntry]


class Nights:
    """The endpoints of nights and seasons."""

    def __init__(self, kiosk: Kiosk) -> None:
        self._kiosk = kiosk
        self._seen: dict[int, tuple[float, Night]] = {}  # the night that was looked at last, and when
        self._digest: tuple[Night | None, str] = (None, "")  # of what is the same for all who look
        self._mark: object = None  # of what the watch has seen
        self._called: dict[int, int] = {}  # the newest call of each night that phones have followed

    def routes(self) -> list[Route]:
        """The routes."""
        return [
            route("GET", "/api/night", self.now),
            route("POST", "/api/night", self.begin),
            route("GET", "/api/night/begin", self.wishes),
            route("POST", "/api/night/preview", self.preview),
            route("GET", "/api/night/invite", self.invite),
            route("GET", "/api/night/phones", self.phones),
            route("DELETE", "/api/night/phones/{phone:int}", self.remove_phone),
            route("GET", "/api/nights", self.all),
            route("GET", "/api/nights/{id:int}", self.one),
            route("POST", "/api/nights/{id:int}/orders", self.order),
            route("POST", "/api/nights/{id:int}/start/{match:int}", self.start),
            route("GET", "/api/nights/{id:int}/matches/{match:int}", self.lines),
            route("POST", "/api/nights/{id:int}/sheet", self.sheet),
            route("POST", "/api/nights/{id:int}/director", self.pass_on),
            route("DELETE", "/api/nights/{id:int}", self.dismiss),
            route("POST", "/api/nights/{id:int}/season", self.choose_season),
            route("GET", "/api/nights/{id:int}/standings.csv", self.standings_csv),
            route("GET", "/api/nights/{id:int}/results.csv", self.results_csv),
            route("GET", "/api/nights/{id:int}/plan.csv", self.plan_csv),
            route("POST", "/api/seasons", self.begin_season),
            route("GET", "/api/seasons/{id:int}", self.season),
            route("GET", "/api/seasons/{id:int}/season.csv", self.season_csv),
            route("GET", "/api/seasons/{id:int}/season.html", self.season_html),
        ]

    async def watch(self) -> None:
        """While a night is on, take in what boards have won and call what can begin."""
        while True:
            await asyncio.sleep(TICK_S)
            try:
                on, mark = await self._kiosk.history(lambda store: store.night_mark())
                if on is not None and mark != self._mark:
                    await self._tick(on)
                    self._mark = mark
            except Problem:
                await asyncio.sleep(AWAY_S)  # phones keep what they have to say

    async def _tick(self, number: int) -> Night:
        uids = {table: service.view.uid for table, service in self._kiosk.house.services.items()}
        night = await self._kiosk.history(lambda store: tick(store, number, uids))
        self._seen.pop(number, None)
        await self._follow(night)
        return night

    async def _follow(self, night: Night) -> None:
        """Move each phone to the table to which its player is called, past its lock: once for a call or a claim."""
        done = self._called.get(night.contest.id, 0)
        fresh = [act for act in night.acts if act.kind in ("call", "move", "claim") and act.number > done]
        if not fresh:
            return
        self._called[night.contest.id] = fresh[-1].number
        state, services = night.state, self._kiosk.house.services
        named = {act.match for act in fresh}
        claimed = {act.entrant or 0 for act in fresh if act.kind == "claim"}  # a phone that has come after its call
        for match in state.live():
            if not match.called or match.over(night.rules) or match.table not in services:
                continue
            for who in match.players if match.number in named else claimed.intersection(match.players):
                number = _number(state.entrants[who].phone)
                phone = self._kiosk.phones.find(number)
                if phone is not None and phone.state == "seated" and phone.table != match.table:
                    side = match.side_of(who) or 0
                    call_to = self._kiosk.phones.call_to
                    await asyncio.to_thread(call_to, number, match.table, night.names[who], side + 1)

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
        night = await self._fresh(number)
        tag = self._tag(request, night)
        headers = {"ETag": tag, "Cache-Control": "no-cache"}
        if request.headers.get("if-none-match") == tag:
            return Response(status_code=304, headers=headers)
        return JSONResponse(self._entry(request, night), headers=headers)

    async def _fresh(self, number: int) -> Night:
        """A night, read at most once a second however many look at it."""
        at, night = self._seen.get(number, (0.0, None))
        if night is None or time.monotonic() - at > SEEN_S:
            night = await self._night(number)
            self._seen = {number: (time.monotonic(), night)}
        return night

    def _tag(self, request: Request, night: Night) -> str:
        """What a page sees of a night, in short: another one whenever something has changed."""
        visitor, contest = self._kiosk.who(request), night.contest
        playing = [match for match in night.state.live() if match.called and match.table in night.contest.boards]
        boards = [self._running(match.table, sides_of(night, match), night.rules.target) for match in playing]
        mine = (_by(visitor), visitor.role, self._directs(visitor, contest))
        if self._digest[0] is not night:
            said = (contest, len(night.acts), sorted(night.games.items()), sorted(night.names.items()))
            self._digest = night, _digest(said)
        return f'"{_digest((self._digest[1], boards, mine, f"{datetime.now():%H:%M}"))}"'

    async def _night(self, number: int) -> Night:
        try:
            return await self._kiosk.history(lambda store: store.contest(number))
        except Problem as problem:
            raise Problem(404, "night", problem.message, problem.hint) if problem.status == 400 else problem from None

    def _entry(self, request: Request, night: Night) -> NightEntry:
        visitor = self._kiosk.who(request)
        return entry(
            night,
            phone=_by(visitor),
            director=self._directs(visitor, night.contest),
            staff=visitor.role == "staff",
            joined=visitor.phone > 0,
            now=datetime.now().astimezone(),
            place=self._place,
            boards=self._kiosk.house.services,
            running=self._running,
        )

    def _place(self, table: int) -> str:
        service = self._kiosk.house.services.get(table)
        return service.view.entry()["board"]["name"] if service is not None else f"Table {table}"

    def _running(self, table: int, names: Sequence[str], target: int) -> tuple[int, int] | None:
        """The scores on a table's board by these sides, if the two play to this target there."""
        service = self._kiosk.house.services.get(table)
        shown = service.view.entry() if service is not None else None
        if shown is None or shown["winner"] or len(shown["sides"]) != 2:
            return None
        fronts = {side["name"]: side["front"] for side in shown["sides"]}
        if set(fronts) != set(names) or shown["target"] != target:
            return None
        return fronts[names[0]], fronts[names[1]]

    async def lines(self, request: Request) -> MatchLinesEntry:
        """All that happened to a match."""
        night = await self._night(request.path_params["id"])
        return {"lines": line_entries(night, request.path_params["match"], self._kiosk.phones.called)}

    async def all(self, request: Request) -> NightsEntry:
        """All nights and seasons, the newest first."""
        both = await self._kiosk.history(lambda store: (store.contests(), store.contests(SEASON)))
        return {
            "nights": [_listed(each) for each in both[0]],
            "seasons": [{"season": each.id, "name": each.name} for each in both[1]],
        }

    async def invite(self, request: Request) -> InviteEntry:
        """How phones join the night."""
        self._kiosk.who(request).need_inviter()
        invite = self._kiosk.invites.newest(NIGHT_TABLE)
        address = f"{self._kiosk.url(request.scope['server'][0])}/night#t={invite.token}"
        return {
            "url": address,
            "code": invite.code,
            "svg": qr_svg(address),
            "locked": False,
            "unreachable": self._kiosk.is_alone(address),
        }

    async def phones(self, request: Request) -> PhonesOfNightEntry:
        """The phones that a name can be given to."""
        await self._need_director(request, await self._kiosk.history(lambda store: store.running_contest()))
        return self._phones()

    async def remove_phone(self, request: Request) -> PhonesOfNightEntry:
        """Remove a phone for the evening; the name that it has is free, and what it alone has said waits again."""
        visitor, number = self._kiosk.who(request), request.path_params["phone"]
        on = await self._kiosk.history(lambda store: store.running_contest())
        await self._need_director(request, on)
        phone = self._kiosk.phones.find(number)
        if phone is None:
            raise Problem(404, "phone", f"there is no phone {number} any more", "look at the list again")
        mine = (await self._night(on)).state.entrant_of(f"phone {number}") if on is not None else None
        if on is not None and mine is not None:
            order: JsonObject = {"do": "give", "entrant": mine, "phone": 0, "key": secrets.token_urlsafe(16)}
            await self._do(on, Actor(visitor.by, True), order)
            await self._tick(on)
        await asyncio.to_thread(self._kiosk.phones.remove, number, phone.table)
        if phone.table != NIGHT_TABLE:
            self._kiosk.house.service(phone.table).leave(f"phone {number}")
        return self._phones()

    def _phones(self) -> PhonesOfNightEntry:
        tables = [NIGHT_TABLE, *sorted(self._kiosk.house.services)]
        seated = [phone for table in tables for phone in self._kiosk.phones.at(table) if phone.state == "seated"]
        return {"phones": [{"phone": each.number, "name": each.label, "table": each.table} for each in seated]}

    async def wishes(self, request: Request) -> BeginEntry:
        """What a night can be begun with."""
        visitor = self._kiosk.who(request)
        known, on = await self._kiosk.history(lambda store: (store.players(), store.running_contest()))
        tables = [NIGHT_TABLE, *sorted(self._kiosk.house.services)]
        phones = [phone.name for table in tables for phone in self._kiosk.phones.at(table) if phone.name]
        may = self._may_begin(visitor)
        return {
            "may": may,
            "names": list(dict.fromkeys(phones)) if may else [],
            "players": [name for _, name in known] if may else [],
            "presets": preset_entries(),
            "boards": [(number, self._place(number)) for number in sorted(self._kiosk.house.services)],
            "on": on,
        }

    def _may_begin(self, visitor: Visitor) -> bool:
        """Staff may; where there is no PIN, any phone that has joined."""
        return visitor.role == "staff" or (not self._kiosk.keys.now.pin and visitor.phone > 0)

    def _need_begin(self, visitor: Visitor) -> None:
        if not self._may_begin(visitor):
            visitor.need_staff()

    async def preview(self, request: Request) -> PreviewEntry:
        """What comes of a wish."""
        self._need_begin(self._kiosk.who(request))
        body = await self._kiosk.entry(request)
        try:
            return {"text": preview(read_wish(body, sorted(self._kiosk.house.services)), datetime.now().astimezone())}
        except ArgumentError as error:
            raise Problem(400, "night", error.message, error.hint) from error

    async def begin(self, request: Request) -> NightEntry:
        """Begin a night, draw it, and call the first games."""
        visitor = self._kiosk.who(request)
        self._need_begin(visitor)
        body = await self._kiosk.entry(request)
        actor, director = Actor(_by(visitor) or visitor.by, True), "" if visitor.role == "staff" else _by(visitor)
        boards = sorted(self._kiosk.house.services)
        when = datetime.now().astimezone()
        night = await self._kiosk.history(lambda store: begin(store, read_wish(body, boards), actor, when, director))
        self._seen.clear()  # a page may have looked at it before its first calls
        await self._follow(night)
        return self._entry(request, night)

    async def _need_director(self, request: Request, number: int | None) -> None:
        """Raise Problem for whoever does not direct a night; without one, for all but staff."""
        visitor = self._kiosk.who(request)
        if number is None or not self._directs(visitor, (await self._night(number)).contest):
            visitor.need_staff()

    async def pass_on(self, request: Request) -> NightEntry:
        """Where there is no PIN: let another phone direct the night."""
        number = request.path_params["id"]
        await self._need_director(request, number)
        match await self._kiosk.entry(request):
            case {"phone": int(phone), **rest} if not rest and self._kiosk.phones.find(phone) is not None:
                await self._kiosk.history(lambda store: store.set_director(number, f"phone {phone}"))
            case _:
                raise Problem(400, "phone", "this is no phone that has joined", "choose one of the list")
        return self._entry(request, await self._tick(number))

    def _directs(self, visitor: Visitor, contest: Contest) -> bool:
        """Whether somebody directs a night: staff, or where there is no PIN the phone that has begun it."""
        mine = bool(contest.director) and contest.director == _by(visitor) and not self._kiosk.keys.now.pin
        return visitor.role == "staff" or mine

    async def order(self, request: Request) -> NightEntry:
        """What a player or the director wants."""
        visitor, number = self._kiosk.who(request), request.path_params["id"]
        body = await self._kiosk.entry(request)
        contest = (await self._fresh(number)).contest
        director = self._directs(visitor, contest) and body.get("do") in night_orders.DIRECTS
        actor = Actor(visitor.by if director else _by(visitor), director)
        done = await self._do(number, actor, body)
        if body.get("do") == "claim" and (mine := done.state.entrant_of(actor.by)) is not None:
            with suppress(Problem):  # somebody at the table may have that name; the night's is the entrant's anyway
                await asyncio.to_thread(self._kiosk.phones.introduce, visitor.phone, {"name": done.names[mine]})
        return self._entry(request, await self._tick(number))

    async def _do(self, number: int, actor: Actor, body: JsonObject) -> Night:
        refused: list[OrderError] = []

        def done(store: Store) -> Night | None:
            try:
                return do(store, number, actor, body)
            except OrderError as error:
                refused.append(error)
                return None

        night = await self._kiosk.history(done)
        if night is None:
            raise refused[0]
        return night

    async def start(self, request: Request) -> DoneEntry:
        """Give the board of a match both names, target and rules; a game that is on there is not ended by it."""
        visitor, night = self._kiosk.who(request), await self._night(request.path_params["id"])
        state, number = night.state, request.path_params["match"]
        match = state.matches.get(number)
        if match is None or match.is_bye or not match.called or match.over(night.rules):
            raise Problem(409, "match", "this match is not called", "look at the night again")
        mine = state.entrant_of(_by(visitor))
        if not self._directs(visitor, night.contest) and (mine is None or match.side_of(mine) is None):
            raise Problem(403, "match", "this phone does not play in this match", "one of the two starts it")
        service = self._kiosk.house.service(match.table)
        shown, names = service.view.entry(), sides_of(night, match)
        if shown["game"] and not shown["winner"] and any(side["front"] for side in shown["sides"]):
            if {side["name"] for side in shown["sides"]} == set(names) and shown["target"] == night.rules.target:
                return {"done": True}  # it is on already
            place = self._place(match.table)
            raise Problem(409, "on", f"a game is on at {place}", "finish it first, or let the director move the match")
        people = [night.names[who] for side in match.sides for who in side]
        four = len(people) == 4  # partners sit across
        order: Mapping[str, Any] = {
            "do": "new",
            "key": secrets.token_urlsafe(16),
            "names": [people[0], people[2], people[1], people[3]] if four else people,
            "teams": 2 if four else 0,
            "target": night.rules.target,
            "dealer": (match.first + len([leg for leg in match.legs.values() if leg.state != "open"])) % 2 + 1,
            "again": True,
        }
        await self._kiosk.done(service.order(dict(order), visitor.by, ""), ORDER_S)
        return {"done": True}

    async def sheet(self, request: Request) -> SheetEntry:
        """What a list of results comes to; with `take` they are added, all of them or none."""
        visitor, night = self._kiosk.who(request), await self._night(request.path_params["id"])
        await self._need_director(request, night.contest.id)
        limits = self._kiosk.limits
        match await read_entry(request, limits.import_body, limits.import_s):
            case {"text": str(text), "take": bool(take), "key": str(key), **rest} if not rest and KEY.fullmatch(key):
                pass
            case _:
                raise Problem(400, "sheet", "this is no list of results", "send its text, take, and a key")
        if len(text) > MOST_SHEET:
            raise Problem(413, "long", f"the list has more than {MOST_SHEET} characters", "send a part of it")
        actor = Actor(visitor.by, True)
        if take:
            number = night.contest.id
            await self._kiosk.history(lambda store: take_sheet(store, number, text, actor, key))
            night = await self._tick(number)
        result = await asyncio.to_thread(read_sheet, night, text, actor, key)
        return {
            "lines": [{"line": line.line, "text": line.text, "known": line.known} for line in result.lines],
            "notes": list(result.notes),
            "bad": list(result.bad),
        }

    async def dismiss(self, request: Request) -> DoneEntry:
        """Remove a night without a game."""
        number = request.path_params["id"]
        await self._need_director(request, number)
        await self._kiosk.history(lambda store: store.dismiss_contest(number))
        self._seen.pop(number, None)
        return {"done": True}

    async def begin_season(self, request: Request) -> BegunEntry:
        """Begin a season: its name, and how nights count."""
        self._need_begin(self._kiosk.who(request))
        match await self._kiosk.entry(request):
            case {"name": str(name), "rules": rules, **rest} if not rest and name.strip() and len(name) <= 40:
                pass
            case _:
                raise Problem(400, "season", "a season has a name and rules", "send name and rules")
        try:
            read_season(rules)
        except ArgumentError as error:
            raise Problem(400, "season", error.message, error.hint) from error
        if not name.isprintable():
            raise Problem(400, "season", "the name has an invisible character", "use letters, digits and signs")
        contest = Contest(kind=SEASON, name=" ".join(name.split()), rules=json.dumps(rules))
        return {"number": await self._kiosk.history(lambda store: store.begin_contest(contest))}

    async def choose_season(self, request: Request) -> DoneEntry:
        """Let a night count for a season, or for none."""
        await self._need_director(request, request.path_params["id"])
        night = request.path_params["id"]
        match await self._kiosk.entry(request):
            case {"season": int(number), **rest} if not rest and not isinstance(number, bool):
                await self._kiosk.history(lambda store: store.set_season(night, number or None))
                self._seen.pop(night, None)
            case _:
                raise Problem(400, "season", "this is no season", "send its number, or 0 for none")
        return {"done": True}

    async def season(self, request: Request) -> SeasonEntry:
        """A season."""
        number = request.path_params["id"]
        season = await self._kiosk.history(lambda store: store.season(number))
        listed = await self._kiosk.history(lambda store: store.contests())
        of_it = {night for night, _, _ in season.nights}
        return {
            "season": number,
            "name": season.contest.name,
            "nights": [_listed(each) for each in listed if each.id in of_it],
            "rows": [
                {
                    "place": row.place,
                    "name": season.names[row.who],
                    "points": in_words(row.points),
                    "nights": row.nights,
                    "nights_won": row.nights_won,
                }
                for row in season.rows
            ],
        }

    async def season_csv(self, request: Request) -> Response:
        """A season's table for a spreadsheet."""
        season = await self.season(request)
        rows = [[row["place"], row["name"], row["points"], row["nights"], row["nights_won"]] for row in season["rows"]]
        return _csv("season.csv", ["place", "name", "points", "nights", "nights won"], rows)

    async def season_html(self, request: Request) -> Response:
        """A season's table as one file without scripts, for a club's own page; with `short` names like `Ann B.`."""
        season = await self.season(request)
        short = request.query_params.get("short") == "1"
        rows = [
            f"<tr><td>{row['place']}</td><td>{html.escape(short_name(row['name']) if short else row['name'])}</td>"
            f"<td>{row['points']}</td><td>{row['nights']}</td></tr>"
            for row in season["rows"]
        ]
        page = SEASON_PAGE.substitute(name=html.escape(season["name"]), rows="\n".join(rows))
        headers = {"Content-Disposition": 'attachment; filename="season.html"', "Cache-Control": "no-cache"}
        return Response(page, media_type="text/html; charset=utf-8", headers=headers)

    async def standings_csv(self, request: Request) -> Response:
        """The standings for a spreadsheet."""
        shown = self._entry(request, await self._night(request.path_params["id"]))
        columns = ("place", "name", "points", "games", "won", "skunks", "spread", "byes")
        return _csv("standings.csv", columns, [[dict(row)[name] for name in columns] for row in shown["standings"]])

    async def results_csv(self, request: Request) -> Response:
        """The results that count, for a spreadsheet; `cribboard sheet` reads it."""
        shown = self._entry(request, await self._night(request.path_params["id"]))
        rows = [
            [match["round"], match["place"], match["names"][0], leg["scores"][0], match["names"][1], leg["scores"][1]]
            for match in shown["matches"]
            for leg in match["legs"]
            if leg["scores"] is not None
        ]
        return _csv("results.csv", ["round", "table", "name", "score", "name", "score"], rows)

    async def plan_csv(self, request: Request) -> Response:
        """Who plays whom and where, for a spreadsheet."""
        shown = self._entry(request, await self._night(request.path_params["id"]))
        rows = [
            [match["round"], match["place"], match["names"][0], "sits out" if match["bye"] else match["names"][1]]
            for match in shown["matches"]
        ]
        return _csv("plan.csv", ["round", "table", "deals first", "against"], rows)


SEASON_PAGE = Template("""<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>$name</title>
<style>body{font:17px/1.5 sans-serif;margin:1em auto;max-width:40em;padding:0 1em}
table{border-collapse:collapse;width:100%}td,th{padding:.3em .6em;border-bottom:1px solid #999;text-align:left}
</style></head>
<body>
<h1>$name</h1>
<table>
<thead><tr><th scope="col">Place</th><th scope="col">Player</th><th scope="col">Points</th>
<th scope="col">Nights</th></tr></thead>
<tbody>
$rows
</tbody>
</table>
</body>
</html>
""")


def short_name(name: str) -> str:
    """A name of several words with the last one's first letter, like `Ann B.`"""
    *first, last = name.split()
    return f"{' '.join(first)} {last[0]}." if first else last


def _by(visitor: Visitor) -> str:
    """The visitor's phone as acts name it; empty for a device that has joined nothing."""
    return f"phone {visitor.phone}" if visitor.phone else ""


def _digest(said: object) -> str:
    return hashlib.sha256(repr(said).encode()).hexdigest()[:20]


def _number(phone: str) -> int:
    number = phone.removeprefix("phone ")
    return int(number) if number.isdecimal() else 0


def _listed(contest: Contest) -> ListedNightEntry:
    return {
        "night": contest.id,
        "name": contest.name,
        "began": contest.began.isoformat() if contest.began else "",
        "closed": contest.closed is not None,
        "season": contest.season,
    }


def _csv(name: str, columns: Sequence[str], rows: Sequence[Sequence[object]]) -> Response:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows([[cell(value) if isinstance(value, str) else value for value in row] for row in rows])
    headers = {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-cache"}
    return Response(out.getvalue(), media_type="text/csv; charset=utf-8", headers=headers)
