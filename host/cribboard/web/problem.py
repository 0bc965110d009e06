"""Refusals: a page for a browser, one JSON object for a program."""

from __future__ import annotations

import html
import logging
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from string import Template

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.types import Scope

from cribboard.amounts import amount
from cribboard.errors import ArgumentError, CommandError, CribboardError, TransportError
from cribboard.service.orders import OrderError
from cribboard.service.view import away_words

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


@contextmanager
def for_staff(code: str) -> Iterator[None]:
    """Raise what fails in the block as a Problem with its own words, which may name files: only for what staff do."""
    try:
        yield
    except (Problem, CommandError, OrderError, TransportError):
        raise
    except ArgumentError as error:
        raise Problem(400, code, error.message, error.hint) from error
    except CribboardError as error:
        log.warning("%s", error)
        raise Problem(409, code, error.message, error.hint) from error


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
        return amount(seconds, "second")
    return f"{-(-seconds // 60)} minutes"
