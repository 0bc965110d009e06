"""Who somebody is: signed cookies for players of a board and for staff; the kiosk's own screen needs none."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass
from http.cookies import CookieError, SimpleCookie
from typing import Any, Literal

from itsdangerous import BadSignature, URLSafeTimedSerializer
from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import Scope

from cribboard.web.keys import Keys
from cribboard.web.limits import client_key, is_here
from cribboard.web.problem import Problem

Role = Literal["guest", "player", "staff", "screen"]
PLAYER, STAFF, DEVICE = "cribboard_player", "cribboard_staff", "cribboard_device"
PLAYER_S = 18 * 3600  # an evening, and the way to the next day's
STAFF_S = 12 * 3600
DEVICE_S = 365 * 24 * 3600
LONGEST = 512  # characters of a cookie that is looked at
FORWARDED = ("forwarded", "x-forwarded-for", "x-forwarded-host", "x-real-ip", "via")


@dataclass(frozen=True)
class Visitor:
    """Who asks: the role, the board of a player and the number of the phone; `client` is whom limits count."""

    role: Role
    board: int | None
    phone: int
    client: str
    here: bool  # at the kiosk's own computer
    device: str = ""  # of staff

    @property
    def by(self) -> str:
        """What the history calls whoever did something; no two devices are called alike."""
        if self.role == "screen":
            return "the screen"
        return f"staff {self.device[:4]}".rstrip() if self.role == "staff" else f"phone {self.phone}"

    def need_staff(self) -> None:
        """Refuse everybody else."""
        if self.role != "staff":
            raise Problem(403, "staff", "only staff may do this", "enter the staff PIN on the page /staff first")

    def need_player(self, board: int) -> None:
        """Refuse who neither plays at this board nor is staff."""
        if self.role == "staff" or (self.role == "player" and self.board == board):
            return
        if self.role == "player":
            raise Problem(
                403, "board", f"this phone has joined table {self.board}, not {board}", "scan the code of that table"
            )
        raise Problem(403, "join", "this phone has not joined the table", "scan the code on the table's screen")

    def need_inviter(self) -> None:
        """Refuse who may not see how phones join."""
        if self.role != "staff" and not self.here:
            raise Problem(
                403, "screen", "only the kiosk's own screen and staff see the code", "look at the screen, or ask staff"
            )


class Badges:
    """Makes the cookies and reads them."""

    def __init__(self, keys: Keys, uid: Callable[[int], str]) -> None:
        self._keys = keys
        self._uid = uid  # of the board at a table; a number that is free may be given to another

    def give_player(self, response: Response, board: int, phone: int) -> None:
        """Make the client a player of a board."""
        self._give(response, PLAYER, self._player().dumps([board, phone, self._uid(board)]), PLAYER_S)

    def give_staff(self, response: Response, device: str) -> None:
        """Make the client staff until the PIN changes; its device is known from then on, by its name or a new one."""
        self._give(response, STAFF, self._staff().dumps([]), STAFF_S)
        self._give(response, DEVICE, self._device().dumps(device or secrets.token_hex(8)), DEVICE_S)

    def take_staff(self, response: Response) -> None:
        """Make it somebody else again."""
        response.delete_cookie(STAFF, httponly=True, samesite="strict")

    def who(self, scope: Scope) -> Visitor:
        """Who sent a request."""
        headers = Headers(scope=scope)
        address = (scope.get("client") or ("", 0))[0]
        here = is_here(address) and not any(name in headers for name in FORWARDED)
        client = client_key(address)
        board, phone = self.player_of(headers)
        if self.is_staff(headers):
            return Visitor("staff", board, phone, client, here, self.device_of(headers))
        if board is not None:
            return Visitor("player", board, phone, client, here)
        return Visitor("screen" if here else "guest", None, 0, client, here)

    def is_staff(self, headers: Headers) -> bool:
        """Whether a request has the staff's cookie."""
        return bool(_read(self._staff(), _cookie(headers, STAFF), STAFF_S) == [])

    def device_of(self, headers: Headers) -> str:
        """The name of a device that was staff's once; empty for another."""
        found = _read(self._device(), _cookie(headers, DEVICE), DEVICE_S)
        return found if isinstance(found, str) else ""

    def player_of(self, headers: Headers) -> tuple[int | None, int]:
        """The board that the request's cookie is for, and the number of its phone."""
        found = _read(self._player(), _cookie(headers, PLAYER), PLAYER_S)
        if not isinstance(found, list) or [type(item) for item in found] != [int, int, str]:
            return None, 0
        board, phone, uid = found
        return (board, phone) if uid and uid == self._uid(board) else (None, 0)

    def _player(self) -> URLSafeTimedSerializer:
        return URLSafeTimedSerializer(self._keys.now.secret, f"player {self._keys.now.generation}")

    def _staff(self) -> URLSafeTimedSerializer:
        return URLSafeTimedSerializer(self._keys.now.secret, f"staff {self._keys.now.salt}")

    def _device(self) -> URLSafeTimedSerializer:
        return URLSafeTimedSerializer(self._keys.now.secret, "device")

    def _give(self, response: Response, name: str, value: str | bytes, age_s: int) -> None:
        text = value if isinstance(value, str) else value.decode("ascii")
        response.set_cookie(name, text, max_age=age_s, httponly=True, samesite="strict")


def _read(serializer: URLSafeTimedSerializer, text: str, age_s: int) -> Any:
    if not text or len(text) > LONGEST:
        return None
    try:
        return serializer.loads(text, max_age=age_s)
    except (BadSignature, ValueError):
        return None


def _cookie(headers: Headers, name: str) -> str:
    try:
        found = SimpleCookie(headers.get("cookie", ""))
    except CookieError:
        return ""
    return found[name].value if name in found else ""
