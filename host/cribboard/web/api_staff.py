"""The API for staff: the PIN, its change, and sending all phones away."""

from __future__ import annotations

import asyncio
import logging
import re
from datetime import timedelta
from typing import Literal, TypedDict

from starlette.requests import Request
from starlette.routing import Route

from cribboard.errors import OtherBoard
from cribboard.service.quiet import QuietEntry
from cribboard.store.read import moment
from cribboard.web.identity import RoleEntry, Visitor
from cribboard.web.json_body import TypedResponse, route
from cribboard.web.kiosk import Kiosk
from cribboard.web.limits import Tries
from cribboard.web.problem import Problem, for_staff

log = logging.getLogger(__name__)

PIN = re.compile("[0-9]{6,12}")
TRIES_EACH, TRIES_ALL, TRIES_S = 5, 10, 900.0


class TroubleEntry(TypedDict):
    """A board that is away, or what a restart would forget, by its table; empty for the kiosk's own."""

    table: str
    text: str
    hint: str


class AwayBoardEntry(TroubleEntry):
    """A board that is away; `board` is the number of its table, `other` whether another one is in its place."""

    board: int
    other: bool


class UnwrittenEntry(TypedDict):
    """A table whose history cannot be written, and why; `no_file` is empty while a second file can be."""

    table: str
    why: str
    since: str
    no_file: str


class BackupEntry(TypedDict):
    """The backups of the history; `hours` old is the newest by the kiosk's clock, for a device's may be wrong."""

    newest: str | None
    hours: int
    folder: str
    warnings: list[str]


class CaresEntry(TypedDict):
    """What staff should look at."""

    away: list[AwayBoardEntry]
    unwritten: list[UnwrittenEntry]
    unsaved: list[TroubleEntry]
    backup: BackupEntry | None


class SentAwayEntry(TypedDict):
    """All phones have left."""

    left: Literal[True]


class Staff:
    """The endpoints for staff.

    Ten wrong PINs in a quarter of an hour from all devices together shut the door to strangers for the rest of it: a
    million PINs take three years. The kiosk's own screen and devices that were staff before are counted each for
    itself, so that nobody can shut them out.
    """

    def __init__(self, kiosk: Kiosk) -> None:
        self._kiosk = kiosk
        self._each = Tries(TRIES_EACH, TRIES_S)
        self._all = Tries(TRIES_ALL, TRIES_S)
        self._one = asyncio.Lock()

    def routes(self) -> list[Route]:
        """The routes."""
        return [
            route("POST", "/api/staff", self.enter),
            route("DELETE", "/api/staff", self.leave),
            route("GET", "/api/house", self.house),
            route("POST", "/api/pin", self.change_pin),
            route("POST", "/api/leave", self.send_away),
            route("GET", "/api/quiet", self.quiet),
            route("POST", "/api/quiet", self.choose_quiet),
        ]

    async def enter(self, request: Request) -> TypedResponse[RoleEntry]:
        """Become staff, with the PIN."""
        await self._check_pin(self._kiosk.who(request), request, (await self._kiosk.entry(request)).get("pin"))
        response: TypedResponse[RoleEntry] = TypedResponse({"role": "staff"})
        self._kiosk.cookies.give_staff(response, self._kiosk.cookies.device_of(request.headers))
        return response

    async def leave(self, request: Request) -> TypedResponse[RoleEntry]:
        """End this staff session, also for copies of its cookie."""
        session = self._kiosk.cookies.session_of(request.headers)
        if session:
            await asyncio.to_thread(self._kiosk.keys.end, session)
        response: TypedResponse[RoleEntry] = TypedResponse({"role": "guest"})
        self._kiosk.cookies.take_staff(response)
        return response

    async def house(self, request: Request) -> CaresEntry:
        """What staff should look at: boards that are away, tables whose history cannot be written, the backups."""
        self._kiosk.who(request).need_staff()
        troubles = [(service, service.trouble) for _, service in sorted(self._kiosk.tables.services.items())]
        backups = self._kiosk.backups
        status = await asyncio.to_thread(backups.look) if backups is not None else None
        backup: BackupEntry | None = None
        if status is not None:
            backup = {
                "newest": moment(status.newest),
                "hours": max(0, round(status.age / timedelta(hours=1))),
                "folder": str(status.folder),
                "warnings": [*status.warnings],
            }
        away = [(service, service.away) for _, service in sorted(self._kiosk.tables.services.items())]
        return {
            "away": [
                {
                    "table": service.view.entry()["board"]["name"],
                    "text": error.message,
                    "hint": error.hint,
                    "board": service.number,
                    "other": isinstance(error, OtherBoard),
                }
                for service, error in away
                if error is not None
            ],
            "unwritten": [
                {
                    "table": service.view.entry()["board"]["name"],
                    "why": trouble.why,
                    "since": str(moment(trouble.since)),
                    "no_file": trouble.no_file,
                }
                for service, trouble in troubles
                if trouble is not None
            ],
            "unsaved": [
                {"table": table, "text": error.message, "hint": error.hint} for table, error in self._kiosk.unwritten()
            ],
            "backup": backup,
        }

    async def change_pin(self, request: Request) -> TypedResponse[RoleEntry]:
        """Change the PIN; all other devices must enter the new one."""
        visitor = self._kiosk.who(request)
        visitor.need_staff()
        body = await self._kiosk.entry(request)
        new = body.get("new")
        if not isinstance(new, str) or not PIN.fullmatch(new) or len(set(new)) < 3:
            raise Problem(400, "new", "this cannot be a PIN", "use 6 to 12 digits, at least three of them different")
        await self._check_pin(visitor, request, body.get("pin"))
        await asyncio.to_thread(self._kiosk.keys.new_pin, new)
        response: TypedResponse[RoleEntry] = TypedResponse({"role": "staff"})
        self._kiosk.cookies.give_staff(response, self._kiosk.cookies.device_of(request.headers))
        return response

    async def send_away(self, request: Request) -> SentAwayEntry:
        """Make all phones join again."""
        self._kiosk.who(request).need_staff()
        await asyncio.to_thread(self._kiosk.phones.send_away)
        self._kiosk.invites.forget()
        return {"left": True}

    async def quiet(self, request: Request) -> QuietEntry:
        """When no board beeps."""
        self._kiosk.who(request).need_staff()
        return self._kiosk.tables.quiet.entry()

    async def choose_quiet(self, request: Request) -> QuietEntry:
        """Choose when no board beeps."""
        self._kiosk.who(request).need_staff()
        body, quiet = await self._kiosk.entry(request), self._kiosk.tables.quiet
        with for_staff("quiet"):
            await asyncio.to_thread(quiet.choose, body.get("begins", ""), body.get("ends", ""))
        return quiet.entry()

    async def _check_pin(self, visitor: Visitor, request: Request, pin: object) -> None:
        if not isinstance(pin, str) or not PIN.fullmatch(pin):
            raise Problem(400, "pin", "the PIN is 6 to 12 digits", "guests need none; staff know it")
        device = self._kiosk.cookies.device_of(request.headers)
        stranger = not device and not visitor.here
        who = device or ("the kiosk's own screen" if visitor.here else visitor.client)
        wait = max(self._each.wait(who), self._all.wait("") if stranger else 0.0)
        if wait:
            raise Problem.later(wait, "tries", "there were too many wrong PINs")
        self._each.begin(who)
        if stranger:
            self._all.begin("")
        # One at a time: such a hash is made to be slow, and to need much memory.
        async with self._one:
            right = await asyncio.to_thread(self._kiosk.keys.is_pin, pin)
        if not right:
            if self._each.wait(who) or (stranger and self._all.wait("")):
                log.warning("too many wrong staff PINs, the newest from %s", visitor.client)
            raise Problem(403, "pin", "this is not the PIN", "guests need none; staff know it")
        self._each.forgive(who)
        if stranger:
            self._all.take_back("")
