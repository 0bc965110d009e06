"""What a client is told when something cannot be: one JSON object in words, and never where in the program."""

from __future__ import annotations

import logging
from collections.abc import Mapping

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from cribboard.errors import CommandError, CribboardError, TransportError

log = logging.getLogger(__name__)

HTTP = {
    404: ("unknown", "there is nothing at this address", "begin at the first page"),
    405: ("method", "this address does not take that method", "use the pages of the kiosk"),
}


class Problem(CribboardError):
    """What is wrong with a request, as a status, a word for programs, and sentences for people."""

    def __init__(
        self, status: int, code: str, message: str, hint: str = "", headers: Mapping[str, str] | None = None
    ) -> None:
        super().__init__(message, hint)
        self.status = status
        self.code = code
        self.headers = dict(headers or {})

    @classmethod
    def later(cls, wait_s: float, code: str, message: str) -> Problem:
        """Too many of something; in so many seconds it may be tried again."""
        seconds = max(1, round(wait_s + 0.5))
        return cls(429, code, message, f"wait {_words(seconds)} and try again", {"Retry-After": str(seconds)})

    def response(self) -> Response:
        """As an answer."""
        error = {"code": self.code, "message": self.message, "hint": self.hint}
        return JSONResponse({"error": error}, self.status, self.headers)


def of(error: Exception) -> Problem:
    """The problem that an exception is to a client; what it must not know goes to the kiosk's own log."""
    if isinstance(error, Problem):
        return error
    if isinstance(error, HTTPException):
        code, message, hint = HTTP.get(error.status_code, ("refused", "this was refused", "use the pages of the kiosk"))
        return Problem(error.status_code, code, message, hint, error.headers)
    if isinstance(error, CommandError):
        return Problem(409, error.code, error.message, error.hint)
    if isinstance(error, TransportError):
        return Problem(503, "away", error.message, error.hint)
    log.error("a request has failed", exc_info=error)
    return Problem(
        500, "failed", "something in the kiosk has failed", "try again; if it happens again, tell the kiosk's owner"
    )


async def answer(request: Request, error: Exception) -> Response:
    """For starlette's table of exception handlers."""
    return of(error).response()


def _words(seconds: int) -> str:
    if seconds < 100:
        return f"{seconds} second{'s' * (seconds != 1)}"
    return f"{-(-seconds // 60)} minutes"
