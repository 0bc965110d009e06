"""The API of whoever runs an evening: begin a night, say whose phone is whose, add a list of results."""

from __future__ import annotations

import asyncio
import secrets
from datetime import datetime
from typing import TypedDict

from starlette.requests import Request
from starlette.routing import Route

from cribboard.errors import ArgumentError
from cribboard.json_types import JsonObject
from cribboard.service.night_plan import Actor
from cribboard.service.night_sheet import read_sheet, take_sheet
from cribboard.service.night_view import NightEntry, PresetEntry, preset_entries
from cribboard.service.night_wish import preview, read_wish
from cribboard.service.nights import begin
from cribboard.service.orders import KEY
from cribboard.web.api_tables import InviteEntry, qr_svg
from cribboard.web.json_body import DoneEntry, read_entry, route
from cribboard.web.kiosk import Kiosk
from cribboard.web.night_access import may_begin, need_begin, need_director, phone_of
from cribboard.web.night_course import NightCourse
from cribboard.web.night_reader import NightReader
from cribboard.web.phones import NIGHT_TABLE, Phone
from cribboard.web.problem import Problem

MOST_SHEET = 64 * 1024  # characters of a list of results


class BeginEntry(TypedDict):
    """What a night can be begun with: whose phones are here, known players, rules, boards; the night that is on.

    Where there is no PIN there is no `staff` that begins one.
    """

    may: bool
    staff: bool
    names: list[str]
    players: list[str]
    presets: list[PresetEntry]
    boards: list[tuple[int, str]]
    on: int | None


class PreviewEntry(TypedDict):
    """What comes of it, in a sentence."""

    text: str


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


class Director:
    """The endpoints of a night for its director."""

    def __init__(self, kiosk: Kiosk, reader: NightReader, course: NightCourse) -> None:
        self._kiosk, self._reader, self._course = kiosk, reader, course

    def routes(self) -> list[Route]:
        """The routes."""
        return [
            route("POST", "/api/night", self.begin),
            route("GET", "/api/night/begin", self.wishes),
            route("POST", "/api/night/preview", self.preview),
            route("GET", "/api/night/invite", self.invite),
            route("GET", "/api/night/phones", self.phones),
            route("DELETE", "/api/night/phones/{phone:int}", self.remove_phone),
            route("POST", "/api/nights/{id:int}/sheet", self.sheet),
            route("POST", "/api/nights/{id:int}/director", self.pass_on),
            route("DELETE", "/api/nights/{id:int}", self.dismiss),
            route("POST", "/api/nights/{id:int}/season", self.choose_season),
        ]

    async def wishes(self, request: Request) -> BeginEntry:
        """What a night can be begun with."""
        visitor = self._kiosk.who(request)
        known, on = await self._kiosk.history(lambda store: (store.players(), store.running_contest()))
        tables = [NIGHT_TABLE, *sorted(self._kiosk.tables.services)]
        phones = [phone.name for table in tables for phone in self._kiosk.phones.at(table) if phone.name]
        may = may_begin(self._kiosk, visitor)
        return {
            "may": may,
            "staff": bool(self._kiosk.keys.now.pin),
            "names": list(dict.fromkeys(phones)) if may else [],
            "players": [name for _, name in known] if may else [],
            "presets": preset_entries(),
            "boards": [(number, self._reader.place(number)) for number in sorted(self._kiosk.tables.services)],
            "on": on,
        }

    async def preview(self, request: Request) -> PreviewEntry:
        """What comes of a wish."""
        need_begin(self._kiosk, self._kiosk.who(request))
        body = await self._kiosk.entry(request)
        try:
            return {"text": preview(read_wish(body, sorted(self._kiosk.tables.services)), datetime.now().astimezone())}
        except ArgumentError as error:
            raise Problem(400, "night", error.message, error.hint) from error

    async def begin(self, request: Request) -> NightEntry:
        """Begin a night, draw it, and call the first games."""
        visitor = self._kiosk.who(request)
        need_begin(self._kiosk, visitor)
        body = await self._kiosk.entry(request)
        actor, director = (
            Actor(phone_of(visitor) or visitor.by, True),
            "" if visitor.role == "staff" else phone_of(visitor),
        )
        boards = sorted(self._kiosk.tables.services)
        when = datetime.now().astimezone()
        night = await self._kiosk.history(lambda store: begin(store, read_wish(body, boards), actor, when, director))
        self._reader.forget()  # a page may have looked at it before its first calls
        await self._course.follow(night)
        return self._reader.entry(request, night)

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
        night = await self._reader.read(on) if on is not None else None
        name = f"phone {number}"
        if night is not None and night.contest.director == name and not self._kiosk.keys.now.pin:
            raise Problem(409, "phone", "this phone directs the night", "pass the night on first")
        mine = night.state.entrant_of(name) if night is not None else None
        if on is not None and mine is not None:
            order: JsonObject = {"do": "give", "entrant": mine, "phone": 0, "key": secrets.token_urlsafe(16)}
            await self._course.do(on, Actor(visitor.by, True), order)
            await self._course.tick(on)
        await asyncio.to_thread(self._kiosk.phones.remove, number, phone.table)
        if phone.table != NIGHT_TABLE:
            self._kiosk.tables.service(phone.table).leave(name)
        return self._phones()

    def _phones(self) -> PhonesOfNightEntry:
        phones = self._seated()
        return {"phones": [{"phone": each.number, "name": each.label, "table": each.table} for each in phones]}

    def _seated(self) -> list[Phone]:
        tables = [NIGHT_TABLE, *sorted(self._kiosk.tables.services)]
        return [phone for table in tables for phone in self._kiosk.phones.at(table) if phone.state == "seated"]

    async def pass_on(self, request: Request) -> NightEntry:
        """Where there is no PIN: let another phone direct the night."""
        number = request.path_params["id"]
        await self._need_director(request, number)
        match await self._kiosk.entry(request):
            case {"phone": int(phone), **rest} if not rest and phone in [each.number for each in self._seated()]:
                await self._kiosk.history(lambda store: store.set_director(number, f"phone {phone}"))
            case _:
                raise Problem(400, "phone", "this is no phone that has joined", "choose one of the list")
        return self._reader.entry(request, await self._course.tick(number))

    async def sheet(self, request: Request) -> SheetEntry:
        """What a list of results comes to; with `take` they are added, all of them or none."""
        visitor, night = self._kiosk.who(request), await self._reader.read(request.path_params["id"])
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
            night = await self._course.tick(number)
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
        self._reader.forget()
        return {"done": True}

    async def choose_season(self, request: Request) -> DoneEntry:
        """Let a night count for a season, or for none."""
        await self._need_director(request, request.path_params["id"])
        night = request.path_params["id"]
        match await self._kiosk.entry(request):
            case {"season": int(number), **rest} if not rest and not isinstance(number, bool):
                await self._kiosk.history(lambda store: store.set_season(night, number or None))
                self._reader.forget()
            case _:
                raise Problem(400, "season", "this is no season", "send its number, or 0 for none")
        return {"done": True}

    async def _need_director(self, request: Request, number: int | None) -> None:
        contest = (await self._reader.read(number)).contest if number is not None else None
        need_director(self._kiosk, self._kiosk.who(request), contest)
