"""The API for who is here: names of phones, who is at a table, its lock, letting in and removing."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import NotRequired, TypedDict

from starlette.requests import Request
from starlette.routing import Route

from cribboard.errors import CribboardError
from cribboard.service.restraint import AskedEntry
from cribboard.web.identity import Role, RoleEntry, Visitor
from cribboard.web.json_body import DoneEntry, TypedResponse, route
from cribboard.web.kiosk import Kiosk
from cribboard.web.phones import NIGHT_TABLE, Phone, PhonesEntry, State
from cribboard.web.problem import Problem


class OwnPhoneEntry(TypedDict):
    """The phone that asks."""

    number: int
    name: str
    table: int


class MeEntry(TypedDict):
    """Who the client is; `by` is its name in the history."""

    role: Role
    board: int | None
    by: str | None
    state: NotRequired[State]
    phone: NotRequired[OwnPhoneEntry | None]


class SideNameEntry(TypedDict):
    """A side that a phone may keep score for."""

    side: int
    colour: str
    name: str | None


class MayEntry(TypedDict):
    """What the client may do at a table."""

    admit: bool
    open: bool
    remove: bool


class AtTableEntry(PhonesEntry):
    """Who is at a table, and what the client may do there."""

    name: str
    sides: list[SideNameEntry]
    asked: AskedEntry | None
    may: MayEntry


class AllPhonesEntry(TypedDict):
    """Who is at each table."""

    tables: list[AtTableEntry]


class Here:
    """The endpoints for who is here."""

    def __init__(self, kiosk: Kiosk) -> None:
        self._kiosk = kiosk
        self._phones = kiosk.phones

    def routes(self) -> list[Route]:
        """The routes."""
        return [
            route("GET", "/api/me", self.me),
            route("POST", "/api/me", self.introduce),
            route("POST", "/api/pair", self.pair),
            route("DELETE", "/api/pair", self.leave),
            route("GET", "/api/phones", self.all),
            route("GET", "/api/boards/{n:int}/phones", self.at_table),
            route("POST", "/api/boards/{n:int}/phones/{phone:int}", self.answer_knock),
            route("DELETE", "/api/boards/{n:int}/phones/{phone:int}", self.remove),
            route("POST", "/api/boards/{n:int}/lock", self.lock),
        ]

    async def me(self, request: Request) -> MeEntry:
        """Who the client is."""
        visitor = self._kiosk.who(request)
        by = visitor.by if visitor.role in ("player", "staff") else None
        me: MeEntry = {"role": visitor.role, "board": visitor.board, "by": by}
        if visitor.state is None:
            return me
        phone = self._phones.find(self._kiosk.cookies.phone_of(request.headers))
        own: OwnPhoneEntry | None = None
        if phone is not None:
            own = {"number": phone.number, "name": phone.name, "table": phone.table}
        return {**me, "state": visitor.state, "phone": own}

    async def introduce(self, request: Request) -> DoneEntry:
        """Set a phone's name, and the side for which it keeps score."""
        visitor = self._kiosk.who(request)
        said = await self._kiosk.entry(request)
        if visitor.state not in ("seated", "waiting"):
            raise Problem(403, "join", "this phone is at no table", "scan the code on a table's screen")
        number = self._kiosk.cookies.phone_of(request.headers)
        before = self._phones.find(number)
        await asyncio.to_thread(self._phones.introduce, number, said)
        phone = self._phones.find(number)
        if before is not None and phone is not None and not (before.name and before.side == phone.side):
            await self._seat(phone, visitor)
        return {"done": True}

    async def _seat(self, phone: Phone, visitor: Visitor) -> None:
        """Give the nameless seat that a phone takes the phone's name, unless somebody at the table has it already."""
        service = self._kiosk.tables.services.get(phone.table)
        if service is None or phone.state != "seated" or not phone.name:
            return
        shown = service.view.entry()
        seats = shown["deal"]["seats"] if shown["deal"] and not shown["winner"] else []
        seat = next((each for each in seats if each["side"] == phone.side and each["name"] is None), None)
        if seat is not None:
            names = [phone.name if each is seat else None for each in seats]
            with suppress(CribboardError):  # play goes on without it
                await self._kiosk.done(service.order({"do": "names", "names": names}, visitor.by))

    async def pair(self, request: Request) -> TypedResponse[RoleEntry]:
        """Join a table, or wait at a locked one."""
        kiosk, visitor = self._kiosk, self._kiosk.who(request)
        body = await kiosk.entry(request)
        token, code, board = body.get("token"), body.get("code"), body.get("board")
        if isinstance(token, str):
            board = kiosk.invites.by_token(token)
        elif isinstance(code, str) and type(board) is int:
            if board != NIGHT_TABLE:
                kiosk.tables.service(board)
            board = kiosk.invites.by_code(board, code, visitor.client)
        else:
            raise Problem(400, "pair", "an invitation is a token, or a code with its board", "scan the table's code")
        number = kiosk.cookies.phone_of(request.headers)
        if not self._phones.knows(number):
            number = await asyncio.to_thread(kiosk.keys.another_phone)
        staff = visitor.role == "staff"
        phone = await asyncio.to_thread(self._phones.join, number, board, visitor.client, staff=staff)
        seated, waits = RoleEntry(role="player", board=board), RoleEntry(role="guest", waits=board)
        response = TypedResponse(seated if phone.state == "seated" else waits)
        kiosk.cookies.give_player(response, number)
        return response

    async def leave(self, request: Request) -> TypedResponse[RoleEntry]:
        """Leave the table; the badge and all copies of it become invalid."""
        number, visitor = self._kiosk.cookies.phone_of(request.headers), self._kiosk.who(request)
        await asyncio.to_thread(self._phones.leave, number)
        if visitor.board:
            self._forget_points(visitor.board, visitor.phone)
        response: TypedResponse[RoleEntry] = TypedResponse({"role": "guest"})
        if not self._phones.knows(number):  # one that was removed keeps its badge, by which it is known
            self._kiosk.cookies.take_player(response)
        return response

    async def all(self, request: Request) -> AllPhonesEntry:
        """Who is at each table, for staff."""
        visitor = self._kiosk.who(request)
        visitor.need_staff()
        return {"tables": [self._entry(number, visitor) for number in sorted(self._kiosk.tables.services)]}

    async def at_table(self, request: Request) -> AtTableEntry:
        """Who is at a table, for those who are there."""
        visitor, number = self._kiosk.who(request), self._table(request)
        if not visitor.here:
            visitor.need_player(number)
        return self._entry(number, visitor)

    async def answer_knock(self, request: Request) -> AtTableEntry:
        """Let a newcomer in at a locked table, or turn it away."""
        visitor, number, phone = self._kiosk.who(request), self._table(request), request.path_params["phone"]
        visitor.need_player(number)
        if not self._hosts(visitor, number):
            raise Problem(
                403,
                "host",
                "only people who sat here before the lock can let newcomers in",
                "ask one of them, or the staff",
            )
        match await self._kiosk.entry(request):
            case {"admit": bool(admit), **rest} if not rest:
                await asyncio.to_thread(self._phones.admit if admit else self._phones.turn_away, phone, number)
            case _:
                raise Problem(400, "admit", "this is not an answer to a newcomer", "send admit, true or false")
        return self._entry(number, visitor)

    async def remove(self, request: Request) -> AtTableEntry:
        """Remove a phone for the evening."""
        visitor, number, phone = self._kiosk.who(request), self._table(request), request.path_params["phone"]
        visitor.need_staff()
        await asyncio.to_thread(self._phones.remove, phone, number)
        self._forget_points(number, phone)
        return self._entry(number, visitor)

    async def lock(self, request: Request) -> AtTableEntry:
        """Lock a table, or open it again."""
        visitor, number = self._kiosk.who(request), self._table(request)
        visitor.need_player(number)
        match await self._kiosk.entry(request):
            case {"locked": True, **rest} if not rest:
                by = 0 if visitor.role == "staff" else visitor.phone
                await asyncio.to_thread(self._phones.lock, number, by)
            case {"locked": False, **rest} if not rest:
                if not self._may_open(visitor, number):
                    raise Problem(
                        403, "lock", "this phone may not open the table", "ask the staff, or the person who locked it"
                    )
                await asyncio.to_thread(self._phones.unlock, number)
            case _:
                raise Problem(400, "lock", "this does not say whether to lock the table", "send locked, true or false")
        return self._entry(number, visitor)

    def _entry(self, number: int, visitor: Visitor) -> AtTableEntry:
        """Who is at a table, and what the visitor may do there."""
        hosts, staff = self._hosts(visitor, number), visitor.role == "staff"
        shown = self._kiosk.tables.service(number).view.entry()
        return {
            **self._phones.entry(number, visitor.phone),
            "name": shown["board"]["name"],
            "sides": [
                {"side": side["side"], "colour": side["colour"], "name": side["name"]} for side in shown["sides"]
            ],
            "asked": shown["asked"],
            "may": {"admit": hosts, "open": self._may_open(visitor, number), "remove": staff},
        }

    def _hosts(self, visitor: Visitor, number: int) -> bool:
        return visitor.role == "staff" or self._phones.hosts(visitor.phone, number)

    def _may_open(self, visitor: Visitor, number: int) -> bool:
        """Whether the visitor may open the lock: staff, or a host if a player has locked it."""
        lock = self._phones.lock_of(number)
        return visitor.role == "staff" or (lock is not None and lock.by > 0 and self._hosts(visitor, number))

    def _forget_points(self, number: int, phone: int) -> None:
        """Remove a phone's waiting points."""
        self._kiosk.tables.service(number).leave(Visitor("player", number, phone, "", False).by)

    def _table(self, request: Request) -> int:
        return self._kiosk.tables.service(request.path_params["n"]).number
