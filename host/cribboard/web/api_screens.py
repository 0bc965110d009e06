"""The API of screens: the pub's name, logo and choices, and tonight's best."""

from __future__ import annotations

import asyncio
from dataclasses import replace

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from cribboard.files import Entry
from cribboard.web.json_body import route
from cribboard.web.kiosk import Kiosk
from cribboard.web.problem import Problem, for_staff
from cribboard.web.pub import PubEntry, keep_odds


class Screen:
    """The endpoints for screens."""

    def __init__(self, kiosk: Kiosk) -> None:
        self._kiosk = kiosk

    def routes(self) -> list[Route]:
        """The routes."""
        return [
            route("GET", "/api/pub", self.pub),
            route("POST", "/api/pub", self.change),
            route("GET", "/logo", self.logo),
            route("GET", "/api/tonight", self.tonight),
        ]

    async def pub(self, request: Request) -> PubEntry:
        """What the house has chosen for its screens."""
        return self._kiosk.pub.entry(self._kiosk.notice())

    async def change(self, request: Request) -> PubEntry:
        """Show each side's chance to win on the screens, or hide it."""
        self._kiosk.who(request).need_staff()
        match await self._kiosk.entry(request):
            case {"odds": bool(shown), **rest} if not rest:
                with for_staff("pub"):
                    await asyncio.to_thread(keep_odds, self._kiosk.keys.folder, shown)
                self._kiosk.pub = replace(self._kiosk.pub, odds=shown)
            case _:
                raise Problem(400, "pub", "this cannot be chosen for the screens", "send odds, true or false")
        return self._kiosk.pub.entry(self._kiosk.notice())

    async def logo(self, request: Request) -> Response:
        """The pub's logo."""
        logo = self._kiosk.pub.logo
        if logo is None:
            raise Problem(404, "logo", "this kiosk has no logo", "start it with --logo FILE")
        # an img shows it anyway; the address by itself gives a file, not a page
        headers = {"Content-Disposition": "attachment", "Cache-Control": "no-cache"}
        return Response(logo.data, media_type=logo.kind, headers=headers)

    async def tonight(self, request: Request) -> Entry:
        """The night's leaderboard, its best hand, and who has won several games in a row."""
        night = await self._kiosk.history(lambda store: store.tonight())
        return night.entry()
