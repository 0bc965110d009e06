"""Who somebody is, by signed cookies, and how many games one phone may start; the kiosk's own screen needs neither."""

from __future__ import annotations

import secrets
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from http.cookies import CookieError, SimpleCookie
from typing import Literal, NotRequired, TypedDict

from itsdangerous import BadSignature, URLSafeTimedSerializer
from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import Scope

from cribboard.service.orders import OrderError
from cribboard.web.guard import MOST_CLIENTS, Clock, Tries, client_key, is_here
from cribboard.web.json_body import Problem
from cribboard.web.phones import EVENING_S, Phones, State
from cribboard.web.secrets import Keys

# Who somebody is: signed cookies for players of a board and for staff; the kiosk's own screen needs none.

Role = Literal["guest", "player", "staff", "screen"]
PLAYER, STAFF, DEVICE = "cribboard_player", "cribboard_staff", "cribboard_device"
PLAYER_S = EVENING_S
STAFF_S = 12 * 3600
DEVICE_S = 365 * 24 * 3600
LONGEST = 512  # characters of a cookie that is looked at
FORWARDED = ("forwarded", "x-forwarded-for", "x-forwarded-host", "x-real-ip", "via")


class RoleEntry(TypedDict):
    """Who somebody has become; `waits` is the locked table of a guest who wants to join."""

    role: Role
    board: NotRequired[int]
    waits: NotRequired[int]


@dataclass(frozen=True)
class Visitor:
    """Who sent a request: role, a player's board, the phone's number; `client` is the key for limits.

    `state` is the phone's, also if it waits at a locked table or was removed and so is not a player.
    """

    role: Role
    board: int | None
    phone: int
    client: str
    here: bool  # at the kiosk's own computer
    device: str = ""  # of staff
    state: State | None = None

    @property
    def by(self) -> str:
        """The visitor's name in the history, different for each device."""
        if self.role == "screen":
            return "the screen"
        return f"staff {self.device[:4]}".rstrip() if self.role == "staff" else f"phone {self.phone}"

    def need_staff(self) -> None:
        """Raise Problem unless the visitor is staff."""
        if self.role != "staff":
            raise Problem(403, "staff", "only staff may do this", "enter the staff PIN on the staff page first")

    def need_player(self, board: int) -> None:
        """Raise Problem unless the visitor plays at this board or is staff."""
        if self.role == "staff" or (self.role == "player" and self.board == board):
            return
        if self.role == "player":
            raise Problem(
                403, "board", f"this phone has joined table {self.board}, not {board}", "scan the code of that table"
            )
        if self.state == "waiting":
            raise Problem(403, "waits", "this phone is waiting to be let in", "ask somebody at the table to let you in")
        if self.state == "removed":
            raise Problem(403, "removed", "this phone was removed for this evening", "ask the staff")
        raise Problem(403, "join", "this phone has not joined the table", "scan the code on the table's screen")

    def need_inviter(self) -> None:
        """Raise Problem unless the visitor may see the codes to join."""
        if self.role != "staff" and not self.here:
            raise Problem(
                403,
                "screen",
                "only the kiosk's own screen and staff see the code",
                "look at the screen, or ask the staff",
            )


class Cookies:
    """Makes the cookies and reads them."""

    def __init__(self, keys: Keys, phones: Phones) -> None:
        self._keys = keys
        self._phones = phones

    def give_player(self, response: Response, phone: int) -> None:
        """Set the cookie of the phone with this number; `Phones` knows its table."""
        self._give(response, PLAYER, self._player().dumps(phone), PLAYER_S)

    def take_player(self, response: Response) -> None:
        """Delete the phone's cookie."""
        response.delete_cookie(PLAYER, httponly=True, samesite="strict")

    def give_staff(self, response: Response, device: str) -> None:
        """Set the cookies of staff, valid until the PIN changes, and of their device, by its name or a new one."""
        self._give(response, STAFF, self._staff().dumps(secrets.token_hex(8)), STAFF_S)
        self._give(response, DEVICE, self._device().dumps(device or secrets.token_hex(8)), DEVICE_S)

    def take_staff(self, response: Response) -> None:
        """Delete the staff's cookie."""
        response.delete_cookie(STAFF, httponly=True, samesite="strict")

    def who(self, scope: Scope) -> Visitor:
        """Who sent a request."""
        headers = Headers(scope=scope)
        address = (scope.get("client") or ("", 0))[0]
        here = is_here(address) and not any(name in headers for name in FORWARDED)
        client = client_key(address)
        phone = self._phones.find(self.phone_of(headers))
        state = phone.state if phone is not None else None
        board, number = (phone.table, phone.number) if phone is not None and state == "seated" else (None, 0)
        if self.session_of(headers):
            return Visitor("staff", board, number, client, here, self.device_of(headers), state)
        role: Role = "player" if board is not None else "screen" if here else "guest"
        return Visitor(role, board, number, client, here, "", state)

    def session_of(self, headers: Headers) -> str:
        """The request's staff session, unless it was left; empty for others."""
        session = _read(self._staff(), _cookie(headers, STAFF), STAFF_S)
        return session if isinstance(session, str) and session not in self._keys.now.ended else ""

    def device_of(self, headers: Headers) -> str:
        """The name of a device that staff have used; empty for another."""
        device = _read(self._device(), _cookie(headers, DEVICE), DEVICE_S)
        return device if isinstance(device, str) else ""

    def phone_of(self, headers: Headers) -> int:
        """The number on the request's badge, valid or not; 0 without one."""
        number = _read(self._player(), _cookie(headers, PLAYER), PLAYER_S)
        return number if type(number) is int else 0

    def _player(self) -> URLSafeTimedSerializer:
        return URLSafeTimedSerializer(self._keys.now.secret, "phone")

    def _staff(self) -> URLSafeTimedSerializer:
        return URLSafeTimedSerializer(self._keys.now.secret, f"staff {self._keys.now.salt}")

    def _device(self) -> URLSafeTimedSerializer:
        return URLSafeTimedSerializer(self._keys.now.secret, "device")

    def _give(self, response: Response, name: str, value: str | bytes, age_s: int) -> None:
        text = value if isinstance(value, str) else value.decode("ascii")
        response.set_cookie(name, text, max_age=age_s, httponly=True, samesite="strict")


def _read(serializer: URLSafeTimedSerializer, text: str, age_s: int) -> object:
    if not text or len(text) > LONGEST:
        return None
    try:
        return serializer.loads(text, max_age=age_s)
    except (BadSignature, ValueError):
        return None


def _cookie(headers: Headers, name: str) -> str:
    try:
        cookies = SimpleCookie(headers.get("cookie", ""))
    except CookieError:
        return ""
    return cookies[name].value if name in cookies else ""


# How many games one phone may start, so that a joker cannot fill the history with games and invented names.

# Two players need ten minutes for the shortest game, to 61, so three games in half an hour; as many again may be begun
# by mistake. Names are given once a game, so as many times.
MOST, WHILE_S = 6, 1800.0
SAME_S = 20.0  # an order sent again after a lost answer; a board's ledger knows its key for longer
WORDS = {"new": "started {} games", "names": "changed the names {} times"}


class Allowance:
    """Counts new games and changes of names, for each phone, and for each address at a table.

    A phone in a private window looks new, but its address is the same. Staff and the kiosk's computer have no limit.
    """

    def __init__(self, clock: Clock = time.monotonic) -> None:
        self._clock = clock
        self._tries = {do: Tries(MOST, WHILE_S, clock) for do in WORDS}
        self._newest: dict[int, tuple[object, float]] = {}  # the newest game's order of each phone, and when it came

    @contextmanager
    def taken(self, order: Mapping[str, object], visitor: Visitor) -> Iterator[None]:
        """Count the order that the block carries out, unless it is refused there; raises Problem above the limit."""
        do, key = str(order.get("do")), order.get("key")
        free = do not in self._tries or visitor.role != "player" or visitor.here
        if free or (do == "new" and self._is_same(key, visitor)):
            yield
            return
        tries, counted = self._tries[do], (f"phone {visitor.phone}", f"{visitor.client} at {visitor.board}")
        wait = max(tries.wait(one) for one in counted)
        if wait:
            minutes = -(-int(wait + 1) // 60)
            raise Problem(
                409,
                "games",
                f"this phone has {WORDS[do].format(MOST)} in half an hour",
                f"wait {minutes} minute{'s' * (minutes != 1)}, or ask the staff, who may start more",
            )
        for one in counted:
            tries.begin(one)
        if do == "new":
            self._note(key, visitor)
        try:
            yield
        except OrderError:
            self._newest.pop(visitor.phone, None)
            for one in counted:
                tries.take_back(one)
            raise

    def _is_same(self, key: object, visitor: Visitor) -> bool:
        before, at = self._newest.get(visitor.phone, ("", 0.0))
        return before == key and self._clock() - at < SAME_S

    def _note(self, key: object, visitor: Visitor) -> None:
        self._newest.pop(visitor.phone, None)
        self._newest[visitor.phone] = key, self._clock()
        if len(self._newest) > MOST_CLIENTS:
            del self._newest[next(iter(self._newest))]
