"""The API under /api/boards: a table's state, news, orders, invitation and drawing."""

from __future__ import annotations

import asyncio
import io
import logging
import secrets
from collections.abc import Iterable, Mapping
from typing import Any, Literal, NotRequired, TypedDict, cast

import segno
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from cribboard.board.messages import BRIGHTNESSES, MOST_COMMIT_S, SOUNDS
from cribboard.errors import WrongBoard
from cribboard.files import Entry, board_folder
from cribboard.hardware.description import Description
from cribboard.hardware.shape import Layout
from cribboard.hardware.svg import DrawingEntry, entry
from cribboard.referee.wording import in_words
from cribboard.service.computer import ComputerEntry
from cribboard.service.orders import read_order
from cribboard.service.service import Service
from cribboard.service.view import AnswerEntry, AwayEntry, CountEntry, LinesEntry, OutcomeEntry, StateEntry, count_entry
from cribboard.sim.described import READY, fitting, kept
from cribboard.store import Store
from cribboard.web.finder import VIRTUAL
from cribboard.web.help import need_no_counting, need_no_tournament, replay, rules_of
from cribboard.web.json_body import TypedResponse, route
from cribboard.web.kiosk import Kiosk
from cribboard.web.live import Live
from cribboard.web.night_access import need_no_match
from cribboard.web.night_reader import NightReader
from cribboard.web.problem import Problem, for_staff
from cribboard.web.stream import Stream
from cribboard.web.tables import OtherEntry
from cribboard_core.cards import CardError
from cribboard_core.show import count


def layout_at(uid: str, given: Iterable[Description], tracks: int, leds: int) -> Layout:
    """The layout of a table's board: a virtual board's own description, or the fitting one of `given`."""
    if leds not in READY:
        raise Problem(404, "drawing", f"there is no drawing of a board with {leds} lights a track", "see its scores")
    own = kept(board_folder(uid.removeprefix(VIRTUAL))) if uid.startswith(VIRTUAL) else []
    return fitting([*own, *given], tracks, leds)


log = logging.getLogger(__name__)
MOVE_S = 30.0
CHOICES = {"brightness": BRIGHTNESSES, "sound": SOUNDS, "commit_s": range(MOST_COMMIT_S + 1)}


class TablesEntry(TypedDict):
    """All tables; whether the pages of `cribboard site` are there; why a board that was named is missing."""

    boards: list[StateEntry]
    site: bool
    missing: NotRequired[AwayEntry]


class InviteEntry(TypedDict):
    """How phones join a table: an address with its QR code, and a code to type."""

    url: str
    code: str
    svg: str
    locked: bool
    unreachable: bool


class PosterEntry(TypedDict):
    """An address of a table that stays, with its QR code."""

    url: str
    svg: str
    unreachable: bool


class RenamedEntry(TypedDict):
    """The tidied name."""

    name: str


class ChosenEntry(TypedDict):
    """How bright (per cent) and loud a board is, and after how many seconds points count without OK (0: never).

    What is not kept is forgotten if the power goes before the next game's first score.
    """

    brightness: int
    sound: Literal["off", "quiet", "on"]
    commit_s: int
    kept: bool


class Boards:
    """The endpoints for the tables."""

    def __init__(self, kiosk: Kiosk, live: Live, nights: NightReader) -> None:
        self._kiosk = kiosk
        self._live = live
        self._nights = nights

    def routes(self) -> list[Route]:
        """The routes."""
        return [
            route("GET", "/api/boards", self.all),
            route("GET", "/api/boards/{n:int}", self.state),
            route("GET", "/api/boards/{n:int}/live", self.news),
            route("GET", "/api/boards/{n:int}/drawing", self.drawing),
            route("GET", "/api/boards/{n:int}/game", self.game),
            route("GET", "/api/boards/{n:int}/lines", self.lines),
            route("GET", "/api/boards/{n:int}/invite", self.invite),
            route("GET", "/api/boards/{n:int}/poster", self.poster),
            route("POST", "/api/boards/{n:int}/orders", self.order),
            route("GET", "/api/boards/{n:int}/orders/{key}", self.answer),
            route("GET", "/api/boards/{n:int}/computer", self.against),
            route("POST", "/api/boards/{n:int}/computer", self.play),
            route("GET", "/api/boards/{n:int}/choice", self.chosen),
            route("POST", "/api/boards/{n:int}/choice", self.choose),
            route("POST", "/api/boards/{n:int}", self.rename),
            route("GET", "/api/boards/{n:int}/move", self.other),
            route("POST", "/api/boards/{n:int}/move", self.move),
            route("POST", "/api/count", self.count),
        ]

    async def all(self, request: Request) -> TablesEntry:
        """The state of all tables; whether the pages of `cribboard site` are there; why the named board is missing."""
        tables, visitor = self._kiosk.tables, self._kiosk.who(request)
        boards = [tables.services[number].view.entry() for number in sorted(tables.services)]
        entry: TablesEntry = {"boards": boards, "site": self._kiosk.site is not None}
        if tables.missing is not None and (visitor.here or visitor.role == "staff"):
            entry["missing"] = {"text": tables.missing.message, "hint": tables.missing.hint}
        return entry

    async def state(self, request: Request) -> StateEntry:
        """The state of a table."""
        return self._service(request).view.entry()

    async def news(self, request: Request) -> Response:
        """A table's news as a stream."""
        number = self._service(request).number
        channel = self._live.channels.get(number)
        if channel is None:
            raise Problem(503, "away", "this table is just starting", "ask again in a moment")
        last_id = request.headers.get("last-event-id") or request.query_params.get("last", "")
        frames = request.query_params.get("frames") == "1"
        visitor, service, opened = self._kiosk.who(request), self._service(request), self._kiosk.phones.open

        def left(by: str) -> None:
            opened[visitor.phone] -= 1
            if not opened[visitor.phone]:
                del opened[visitor.phone]
            service.leave(by)

        stream = Stream(channel, self._kiosk.streams, visitor, last_id, frames, left)
        # Not before the stream has its place: one that is refused never leaves.
        opened[visitor.phone] += 1
        if visitor.phone and opened[visitor.phone] == 1:
            self._live.nudge([number])  # the others ask whether its side enters its own cards
        return stream

    async def drawing(self, request: Request) -> TypedResponse[DrawingEntry]:
        """The drawing of a table's board."""
        service = self._service(request)
        uid, view = self._kiosk.tables.register.uid(service.number), service.view

        def draw() -> DrawingEntry:
            return entry(layout_at(uid, self._kiosk.described, view.tracks, view.leds))

        return TypedResponse(await asyncio.to_thread(draw), {"Cache-Control": "no-cache"})

    async def game(self, request: Request) -> Entry:
        """The current or last game of a table, event by event, from the history."""
        uid = self._service(request).view.uid

        def last(store: Store) -> int | None:
            live = store.live(uid)
            return live.id if live else None

        game = await replay(self._kiosk, self._kiosk.who(request), last)
        if game is None:
            raise Problem(404, "unknown", "the history has no game of this table", "play one")
        return game

    async def lines(self, request: Request) -> LinesEntry:
        """The lines of the table's game, for somebody who corrects one."""
        service = self._service(request)
        self._kiosk.who(request).need_player(service.number)
        return await self._kiosk.done(service.lines())

    async def invite(self, request: Request) -> InviteEntry:
        """How phones join, for the table's screen and for staff."""
        self._kiosk.who(request).need_inviter()
        number = self._service(request).number
        url, code = self._kiosk.invitation(number, request.scope["server"][0])
        locked = self._kiosk.phones.lock_of(number) is not None
        return {
            "url": url,
            "code": code,
            "svg": qr_svg(url),
            "locked": locked,
            "unreachable": self._kiosk.is_alone(url),
        }

    async def poster(self, request: Request) -> PosterEntry:
        """A permanent address of the table, to print; a phone that uses it needs the short code."""
        number = self._service(request).number
        base = self._kiosk.url(request.scope["server"][0])
        url = f"{base}/score/{number}"
        return {"url": url, "svg": qr_svg(url), "unreachable": self._kiosk.is_alone(base)}

    async def order(self, request: Request) -> OutcomeEntry:
        """Carry out an order."""
        service, visitor = self._service(request), self._kiosk.who(request)
        body = await self._kiosk.entry(request)
        if not (visitor.here and _is_rematch(body) and service.view.entry()["winner"]):
            visitor.need_player(service.number)
        if body.get("do") == "names":
            need_no_match(await self._nights.has_match(service.number))
        with self._kiosk.allowance.taken(body, visitor):
            return await self._kiosk.done(service.order(body, visitor.by, "" if visitor.here else visitor.client))

    async def answer(self, request: Request) -> AnswerEntry:
        """The answer to an earlier order whose answer was lost."""
        service = self._service(request)
        self._kiosk.who(request).need_player(service.number)
        return await self._kiosk.done(service.answer(request.path_params["key"]))

    async def against(self, request: Request) -> ComputerEntry:
        """The game against the computer, as this phone sees it."""
        service, visitor = self._service(request), self._kiosk.who(request)
        visitor.need_player(service.number)
        return await self._kiosk.done(service.played(visitor.by))

    async def play(self, request: Request) -> ComputerEntry:
        """Begin a game against the computer, or do in it what this phone wants."""
        service, visitor = self._service(request), self._kiosk.who(request)
        visitor.need_player(service.number)
        body = await self._kiosk.entry(request)
        if "begin" not in body and "again" not in body:
            return await self._kiosk.done(service.play(body, visitor.by))
        need_no_tournament(self._kiosk, visitor)
        phone = self._kiosk.phones.find(visitor.phone)
        name = phone.name if phone is not None else ""
        with self._kiosk.allowance.taken({"do": "new", "key": secrets.token_urlsafe(16)}, visitor):
            return await self._kiosk.done(service.play(body, visitor.by, name or ""))

    async def chosen(self, request: Request) -> ChosenEntry:
        """How bright and loud the table's board is, and when it commits, for staff."""
        self._kiosk.who(request).need_staff()
        return await self._choose(request, {})

    async def choose(self, request: Request) -> ChosenEntry:
        """Change that; what is not named stays."""
        self._kiosk.who(request).need_staff()
        body = await self._kiosk.entry(request)
        if not body or body.keys() - CHOICES.keys():
            raise Problem(400, "choice", "this cannot be chosen for a board", f"send {', '.join(CHOICES)}")
        for name, choices in CHOICES.items():
            if name in body and (type(body[name]) not in (int, str) or body[name] not in choices):
                known = ", ".join(map(str, choices))
                raise Problem(400, name, f"a board cannot have this {name}", f"it is one of {known}")
        return await self._choose(request, body)

    async def _choose(self, request: Request, body: Mapping[str, Any]) -> ChosenEntry:
        sound = SOUNDS.index(body["sound"]) if "sound" in body else None
        try:
            asked = self._service(request).choose(body.get("brightness"), sound, body.get("commit_s"))
            chosen = await self._kiosk.done(asked)
        except WrongBoard as error:
            raise Problem(409, "firmware", error.message, error.hint) from error
        sound_now = cast(Literal["off", "quiet", "on"], SOUNDS[chosen.sound])
        return {"brightness": chosen.brightness, "sound": sound_now, "commit_s": chosen.commit_s, "kept": chosen.kept}

    async def rename(self, request: Request) -> RenamedEntry:
        """Give the table another name."""
        self._kiosk.who(request).need_staff()
        number = self._service(request).number
        name = (await self._kiosk.entry(request)).get("name")
        if not isinstance(name, str):
            raise Problem(400, "name", "a table's name is text", "send a name")
        return {"name": await asyncio.to_thread(self._kiosk.tables.rename, number, name)}

    async def other(self, request: Request) -> OtherEntry:
        """What stands on the board that is plugged in in the place of the table's."""
        self._kiosk.who(request).need_staff()
        with for_staff("move"):
            return await asyncio.to_thread(self._kiosk.tables.look_at_other, self._service(request).number)

    async def move(self, request: Request) -> StateEntry:
        """Move the game to that board, as staff have seen it."""
        self._kiosk.who(request).need_staff()
        service = self._service(request)
        match await self._kiosk.entry(request):
            case {"uid": str(uid), "rev": int(rev), **rest} if not rest and not isinstance(rev, bool):
                pass
            case _:
                raise Problem(400, "move", "this is no board to move to", "send the uid and the rev of the other board")
        with for_staff("move"):
            moved = await asyncio.to_thread(self._kiosk.tables.move, service.number, uid, rev)
            await self._kiosk.done(moved, MOVE_S)
        log.warning("%s: the game goes on on the board %s", service.view.entry()["board"]["name"], uid)
        service.notice("the game goes on on another board")
        return service.view.entry()

    async def count(self, request: Request) -> CountEntry:
        """The count of a hand, part by part; pegs nothing. Where the players count, their phones get none."""
        visitor = self._kiosk.who(request)
        need_no_counting(self._kiosk, visitor)
        rules = rules_of(self._kiosk, visitor)
        hand_order = {name: value for name, value in (await self._kiosk.entry(request)).items() if name != "do"}
        hand = read_order({"side": 1, "key": "-" * 16, **hand_order, "do": "hand"}).values
        if "starter" not in hand:
            raise Problem(400, "starter", "a count needs the starter", "send the card that was turned up")
        try:
            show = count(hand["cards"], hand["starter"], hand.get("crib", False))
        except CardError as error:
            raise Problem(400, "cards", in_words(str(error), ())) from error
        return count_entry(show, rules is not None and rules["options"]["nineteen"])

    def _service(self, request: Request) -> Service:
        return self._kiosk.tables.service(request.path_params["n"])


def _is_rematch(order: Mapping[str, object]) -> bool:
    """Whether an order is a rematch, the only order that the table's screen may give without joining."""
    return order.get("do") == "new" and order.keys() <= {"do", "key", "seen"}


def qr_svg(text: str) -> str:
    """A QR code for a page as SVG, dark on light with a light border, whatever the page's colours.

    A screen has no stains, so it is as coarse as can be: a camera reads it from farther away.
    """
    out = io.BytesIO()
    segno.make(text, error="l", micro=False).save(
        out, kind="svg", xmldecl=False, svgns=True, border=4, dark="#000", light="#fff", omitsize=True, svgclass="qr"
    )
    return out.getvalue().decode().strip()
