"""Who somebody is, by signed cookies: players of a board and staff; the kiosk's own screen needs none."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from http.cookies import CookieError, SimpleCookie
from typing import Literal, NotRequired, TypedDict

from itsdangerous import BadSignature, TimestampSigner, URLSafeTimedSerializer
from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import Scope

from cribboard.web.limits import Clock, client_key, is_here
from cribboard.web.phones import EVENING_S, Phones, State
from cribboard.web.problem import Problem
from cribboard.web.secrets import Keys

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
    """Makes the cookies and reads them; their age goes by `clock`, in seconds of Unix's time."""

    def __init__(self, keys: Keys, phones: Phones, clock: Clock) -> None:
        class Signer(TimestampSigner):
            def get_timestamp(self) -> int:
                return int(clock())

        self._keys = keys
        self._phones = phones
        self._clock = clock
        self._signer = Signer

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
        # Through a proxy on this computer everybody in the house would come from here, and be the kiosk's own screen.
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
        session = self._read(self._staff(), _cookie(headers, STAFF), STAFF_S)
        return session if isinstance(session, str) and session not in self._keys.now.ended else ""

    def device_of(self, headers: Headers) -> str:
        """The name of a device that staff have used; empty for another."""
        device = self._read(self._device(), _cookie(headers, DEVICE), DEVICE_S)
        return device if isinstance(device, str) else ""

    def phone_of(self, headers: Headers) -> int:
        """The number on the request's badge, valid or not; 0 without one."""
        number = self._read(self._player(), _cookie(headers, PLAYER), DEVICE_S)  # `Phones` knows how long it lasts
        return number if type(number) is int else 0

    def _player(self) -> URLSafeTimedSerializer:
        return self._timed("phone")

    def _staff(self) -> URLSafeTimedSerializer:
        # Each PIN has a new salt, so that a change of the PIN ends all of the staff's sessions.
        return self._timed(f"staff {self._keys.now.salt}")

    def _device(self) -> URLSafeTimedSerializer:
        return self._timed("device")

    def _timed(self, salt: str) -> URLSafeTimedSerializer:
        return URLSafeTimedSerializer(self._keys.now.secret, salt, signer=self._signer)

    def _read(self, serializer: URLSafeTimedSerializer, text: str, age_s: int) -> object:
        """What was signed; None when it is bent or too old. A clock may be behind that of before a restart."""
        if not text or len(text) > LONGEST:
            return None
        try:
            value, signed = serializer.loads(text, return_timestamp=True)
        except (BadSignature, ValueError):
            return None
        return value if abs(self._clock() - signed.timestamp()) <= age_s else None

    def _give(self, response: Response, name: str, value: str | bytes, age_s: int) -> None:
        text = value if isinstance(value, str) else value.decode("ascii")
        response.set_cookie(name, text, max_age=age_s, httponly=True, samesite="strict")


def _cookie(headers: Headers, name: str) -> str:
    try:
        cookies = SimpleCookie(headers.get("cookie", ""))
    except CookieError:
        return ""
    return cookies[name].value if name in cookies else ""
