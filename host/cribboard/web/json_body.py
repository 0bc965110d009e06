"""The body of a request, read within limits of size and depth; what an endpoint returns, as JSON."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping
from functools import wraps
from typing import Generic, Literal, NoReturn, TypedDict, TypeVar

from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from cribboard.json_types import Json, JsonObject
from cribboard.web.problem import Problem, of

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
