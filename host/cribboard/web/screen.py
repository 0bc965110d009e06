"""The API for what screens show beside the tables: the pub's name and logo, and tonight's results."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from cribboard.web.json_body import Problem
from cribboard.web.kiosk import Kiosk, route


class Screen:
    """The endpoints for screens."""

    def __init__(self, kiosk: Kiosk) -> None:
        self._kiosk = kiosk

    def routes(self) -> list[Route]:
        """The routes."""
        return [
            route("GET", "/api/pub", self.pub),
            route("GET", "/logo", self.logo),
            route("GET", "/api/tonight", self.tonight),
        ]

    async def pub(self, request: Request) -> dict[str, Any]:
        """What the house has chosen for its screens."""
        return self._kiosk.pub.entry()

    async def logo(self, request: Request) -> Response:
        """The pub's logo."""
        logo = self._kiosk.pub.logo
        if logo is None:
            raise Problem(404, "logo", "this kiosk has no logo", "start it with --logo FILE")
        # an img shows it anyway; the address by itself gives a file, not a page
        headers = {"Content-Disposition": "attachment", "Cache-Control": "no-cache"}
        return Response(logo.data, media_type=logo.kind, headers=headers)

    async def tonight(self, request: Request) -> dict[str, Any]:
        """The night's leaderboard, its best hand, and who has won several games in a row."""
        night = await self._kiosk.history(lambda store: store.tonight())
        return night.entry()
