"""JSON that is asked and answered: bodies within limits of size and depth, routes, refusals as a page or an object."""

from __future__ import annotations

import asyncio
import html
import json
import logging
from collections.abc import Awaitable, Callable, Mapping
from functools import wraps
from pathlib import Path
from string import Template
from typing import Generic, Literal, NoReturn, TypedDict, TypeVar

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route
from starlette.types import Scope

from cribboard.errors import CommandError, CribboardError, TransportError
from cribboard.json_types import Json, JsonObject
from cribboard.service.orders import OrderError
from cribboard.service.view import away_words

# Refusals: a page for a browser, one JSON object for a program.

log = logging.getLogger(__name__)
PAGE = Template(Path(__file__).with_name("problem.html").read_text(encoding="utf-8"))

HTTP = {
    404: ("unknown", "there is nothing at this address", "check it, or see all tables"),
    405: ("method", "this address does not take that method", "use the pages of the kiosk"),
}
HINTS = {  # of a board's refusals, for those who have a page and no terminal
    "over": "take the last score back with Undo, or start a new game",
    "rev": "somebody else was quicker; look at the score and decide again",
}


class Problem(CribboardError):
    """What is wrong with a request: an HTTP status, a code for programs, and sentences for people."""

    def __init__(
        self, status: int, code: str, message: str, hint: str = "", headers: Mapping[str, str] | None = None
    ) -> None:
        super().__init__(message, hint)
        self.status = status
        self.code = code
        self.headers = dict(headers or {})

    @classmethod
    def later(cls, wait_s: float, code: str, message: str) -> Problem:
        """A problem with status 429: too many of something; try again in `wait_s` seconds."""
        seconds = max(1, round(wait_s + 0.5))
        return cls(429, code, message, f"wait {_words(seconds)} and try again", {"Retry-After": str(seconds)})

    def response(self, scope: Scope) -> Response:
        """The answer to a request: a page for a browser, else JSON."""
        if "text/html" in Headers(scope=scope).get("accept", ""):
            words = {"message": _sentence(self.message), "hint": _sentence(self.hint)}
            page = PAGE.substitute({name: html.escape(text) for name, text in words.items()})
            return HTMLResponse(page, self.status, self.headers)
        error = {"code": self.code, "message": self.message, "hint": self.hint}
        return JSONResponse({"error": error}, self.status, self.headers)


def of(error: Exception) -> Problem:
    """The problem for an exception; what a client must not know goes to the kiosk's own log."""
    if isinstance(error, Problem):
        return error
    if isinstance(error, HTTPException):
        code, message, hint = HTTP.get(error.status_code, ("refused", "this was refused", "use the pages of the kiosk"))
        return Problem(error.status_code, code, message, hint, error.headers)
    if isinstance(error, CommandError):
        return Problem(409, error.code, error.message, HINTS.get(error.code, error.hint))
    if isinstance(error, OrderError):
        return Problem(error.status, error.code, error.message, error.hint)
    if isinstance(error, TransportError):
        return Problem(503, "away", *away_words(error, virtual=False))
    log.error("a request has failed", exc_info=error)
    return Problem(
        500, "failed", "something in the kiosk has failed", "try again; if it happens again, tell the kiosk's owner"
    )


async def answer(request: Request, error: Exception) -> Response:
    """The answer to an exception, for starlette's table of handlers."""
    return of(error).response(request.scope)


def _sentence(words: str) -> str:
    return f"{words[:1].upper()}{words[1:]}{'' if words.endswith(('.', '!', '?')) or not words else '.'}"


def _words(seconds: int) -> str:
    if seconds < 100:
        return f"{seconds} second{'s' * (seconds != 1)}"
    return f"{-(-seconds // 60)} minutes"


# Reads the body of a request: JSON of the right type, within limits of size and depth.

DEEPEST = 8  # arrays and objects in one another
CLOSE = {"Connection": "close"}  # what still comes of a refused body is not waited for


async def read(request: Request, most: int, seconds: float) -> bytes:
    """The whole body; raises Problem above `most` bytes, after `seconds`, or for another content type."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise Problem(415, "type", f"the body is {kind[:40]!a}", "send it as application/json", CLOSE)
    length = request.headers.get("content-length", "0")
    if length.isdecimal() and int(length[:20]) > most:
        raise _too_long(most)
    parts, size = [], 0
    try:
        async with asyncio.timeout(seconds):
            async for part in request.stream():
                size += len(part)
                if size > most:
                    raise _too_long(most)
                parts.append(part)
    except TimeoutError:
        raise Problem(408, "slow", f"the body took more than {seconds:g} seconds", "send it again", CLOSE) from None
    except ClientDisconnect:
        raise Problem(400, "gone", "the client has gone", "send it again", CLOSE) from None
    return b"".join(parts)


async def read_entry(request: Request, most: int, seconds: float) -> JsonObject:
    """The JSON object in a body."""
    return parse_entry(await read(request, most, seconds))


def parse_entry(data: bytes) -> JsonObject:
    """Parse one JSON object; raises Problem for a double key, deep nesting, an invalid number or invalid Unicode."""
    try:
        text = data.decode()
        value = json.loads(text, parse_constant=_no_constant, object_pairs_hook=_once)
        _check_depth(value)
        json.dumps(value, ensure_ascii=False).encode()
    except RecursionError:
        raise _not_json("it is too deep") from None
    except UnicodeError:
        raise _not_json("it is not text in UTF-8") from None
    except json.JSONDecodeError as error:
        raise _not_json(f"{error.msg.lower()} at character {error.pos}") from None
    except ValueError as error:
        raise _not_json(str(error) if isinstance(error, _Twice) else "a number in it is too long") from None
    if not isinstance(value, dict):
        raise _not_json("it is not an object")
    return value


class _Twice(ValueError):
    """A key that is there twice, or a constant that JSON does not have."""


def _once(pairs: list[tuple[str, Json]]) -> JsonObject:
    entry = dict(pairs)
    if len(entry) != len(pairs):
        raise _Twice("a key stands twice in an object")
    return entry


def _no_constant(name: str) -> NoReturn:
    raise _Twice(f"{name} is not a number")


def _check_depth(value: Json) -> None:
    level = [value]
    for _ in range(DEEPEST + 1):
        level = [
            item
            for one in level
            if isinstance(one, (list, dict))
            for item in (one.values() if isinstance(one, dict) else one)
        ]
        if not level:
            return
    raise _not_json("it is too deep")


def _not_json(why: str) -> Problem:
    return Problem(400, "json", f"the body is not what is asked for: {why}", "send one object of JSON")


def _too_long(most: int) -> Problem:
    return Problem(413, "long", f"the body has more than {most} bytes", "send less", CLOSE)


Answer = TypeVar("Answer")


class TypedResponse(JSONResponse, Generic[Answer]):
    """An answer with headers or cookies; its type is that of the JSON in it."""

    def __init__(self, content: Answer, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(content, headers=headers)


class DoneEntry(TypedDict):
    """The answer to what has nothing else to answer."""

    done: Literal[True]


def route(method: str, path: str, endpoint: Callable[[Request], Awaitable[object]]) -> Route:
    """A route to an endpoint that returns a response, or a value for JSON."""

    @wraps(endpoint)
    async def answering(request: Request) -> Response:
        try:
            answer = await endpoint(request)
        except Exception as error:
            return of(error).response(request.scope)
        return answer if isinstance(answer, Response) else JSONResponse(answer)

    return Route(path, answering, methods=[method])
