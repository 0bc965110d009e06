"""The app: pages, API, and the guard in front of both."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp

from cribboard.web import problem
from cribboard.web.api_contest_files import ContestFiles
from cribboard.web.api_director import Director
from cribboard.web.api_history import History
from cribboard.web.api_learn import Learn
from cribboard.web.api_night import Nights
from cribboard.web.api_phones import Here
from cribboard.web.api_screens import Screen
from cribboard.web.api_season import Seasons
from cribboard.web.api_staff import Staff
from cribboard.web.api_tables import Boards
from cribboard.web.guard import AGAIN, Guard
from cribboard.web.kiosk import Kiosk
from cribboard.web.live import Live
from cribboard.web.night_course import NightCourse
from cribboard.web.night_reader import NightReader

STATIC = Path(__file__).parent / "static"
FRESH = {"Cache-Control": "no-cache"}  # kept, but asked about each time
PAGES = {
    "/": "index.html",
    "/screen": "screen.html",
    "/table/{n:int}": "table.html",
    "/score/{n:int}": "score.html",
    "/computer/{n:int}": "computer.html",
    "/history": "history.html",
    "/learn": "learn.html",
    "/game/{id:int}": "game.html",
    "/player/{id:int}": "player.html",
    "/staff": "staff.html",
    "/print": "print.html",
    "/night": "night.html",
    "/season/{id:int}": "season.html",
}


def build_app(kiosk: Kiosk, live: Live) -> ASGIApp:
    """The whole server as an ASGI app."""

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        kiosk.phones.on_change = live.nudge
        for number, service in kiosk.tables.services.items():
            live.join(number, service)
        watching = asyncio.create_task(course.watch())
        try:
            yield
        finally:
            watching.cancel()
            live.close()
            await asyncio.to_thread(kiosk.reviews.close)

    reader = NightReader(kiosk)
    course = NightCourse(kiosk, reader)
    routes = [
        *(Route(path, _page(name), methods=["GET"]) for path, name in PAGES.items()),
        *Boards(kiosk, live, reader).routes(),
        *Here(kiosk).routes(),
        *History(kiosk).routes(),
        *Staff(kiosk).routes(),
        *Screen(kiosk).routes(),
        *Learn(kiosk).routes(),
        *Nights(kiosk, reader, course).routes(),
        *Director(kiosk, reader, course).routes(),
        *Seasons(kiosk).routes(),
        *ContestFiles(kiosk, reader).routes(),
        Mount("/static", _Static(directory=STATIC)),
        *([Mount("/site", _Static(directory=kiosk.site, html=True))] if kiosk.site else []),
    ]
    handlers = {HTTPException: problem.answer, Exception: problem.answer}
    return Guard(Starlette(routes=routes, exception_handlers=handlers, lifespan=lifespan), kiosk.limits, kiosk.names)


class _Static(StaticFiles):
    def file_response(self, *arguments: object, **named: object) -> Response:
        response = super().file_response(*arguments, **named)  # type: ignore[arg-type]
        response.headers.update(FRESH)
        return response


def _page(name: str) -> Callable[[Request], Awaitable[Response]]:
    # Before the first part that may not come, and behind the charset.
    text = (STATIC / name).read_text("utf-8").replace("<link", f"<script>{AGAIN}</script>\n  <link", 1)

    async def page(request: Request) -> Response:
        return HTMLResponse(text, headers=FRESH)

    return page
