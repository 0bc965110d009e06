"""Nights and seasons as files to carry away: tables for spreadsheets, and a season's page for a club."""

from __future__ import annotations

import csv
import html
import io
import re
from codecs import BOM_UTF8 as BOM  # by which a spreadsheet knows the letters
from collections.abc import Sequence
from datetime import datetime
from string import Template

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from cribboard.matches import cell
from cribboard.service.night_view import NightEntry
from cribboard.web.api_season import season_entry
from cribboard.web.json_body import route
from cribboard.web.kiosk import Kiosk
from cribboard.web.night_reader import NightReader

NUMBER = re.compile(r"-?\d+(\.\d+)?")


class ContestFiles:
    """The endpoints of these files."""

    def __init__(self, kiosk: Kiosk, reader: NightReader) -> None:
        self._kiosk, self._reader = kiosk, reader

    def routes(self) -> list[Route]:
        """The routes."""
        return [
            route("GET", "/api/nights/{id:int}/standings.csv", self.standings_csv),
            route("GET", "/api/nights/{id:int}/results.csv", self.results_csv),
            route("GET", "/api/nights/{id:int}/plan.csv", self.plan_csv),
            route("GET", "/api/seasons/{id:int}/season.csv", self.season_csv),
            route("GET", "/api/seasons/{id:int}/season.html", self.season_html),
        ]

    async def standings_csv(self, request: Request) -> Response:
        """The standings for a spreadsheet."""
        shown = self._reader.entry(request, await self._reader.read(request.path_params["id"]))
        columns = ("place", "name", "points", "games", "won", "skunks", "spread", "byes")
        return _csv(
            f"standings-{_day(shown)}.csv",
            columns,
            [[dict(row)[name] for name in columns] for row in shown["standings"]],
        )

    async def results_csv(self, request: Request) -> Response:
        """The results that count, for a spreadsheet; `cribboard sheet` reads it, and skips what is no game."""
        shown = self._reader.entry(request, await self._reader.read(request.path_params["id"]))
        rows = [
            [match["round"], match["place"], match["names"][0], leg["scores"][0], match["names"][1], leg["scores"][1]]
            for match in shown["matches"]
            for leg in match["legs"]
            if leg["scores"] is not None
        ]
        without = [
            [
                f"# round {match['round']}, {match['place']}, {' against '.join(match['names'])}: "
                f"{leg['said']}, {leg['points'][0]} \u2013 {leg['points'][1]} points"
            ]
            for match in shown["matches"]
            for leg in match["legs"]
            if leg["scores"] is None and leg["points"]
        ]
        beside = [[f"# beside games: {each['name']} {added}"] for each in shown["entrants"] for added in each["added"]]
        head = ["round", "table", "name", "score", "name", "score"]
        return _csv(f"results-{_day(shown)}.csv", head, [*rows, *without, *beside])

    async def plan_csv(self, request: Request) -> Response:
        """Who plays whom and where, for a spreadsheet."""
        shown = self._reader.entry(request, await self._reader.read(request.path_params["id"]))
        rows = [
            [match["round"], match["place"], match["names"][0], "sits out" if match["bye"] else match["names"][1]]
            for match in shown["matches"]
        ]
        return _csv(f"plan-{_day(shown)}.csv", ["round", "table", "deals first", "against"], rows)

    async def season_csv(self, request: Request) -> Response:
        """A season's table for a spreadsheet."""
        season = await season_entry(self._kiosk, request.path_params["id"])
        rows = [[row["place"], row["name"], row["points"], row["nights"], row["nights_won"]] for row in season["rows"]]
        return _csv("season.csv", ["place", "name", "points", "nights", "nights won"], rows)

    async def season_html(self, request: Request) -> Response:
        """A season's table as one file without scripts, for a club's own page; with `short` names like `Ann B.`."""
        season = await season_entry(self._kiosk, request.path_params["id"])
        short = request.query_params.get("short") == "1"
        rows = [
            f"<tr><td>{row['place']}</td><td>{html.escape(short_name(row['name']) if short else row['name'])}</td>"
            f"<td>{row['points']}</td><td>{row['nights']}</td></tr>"
            for row in season["rows"]
        ]
        page = SEASON_PAGE.substitute(name=html.escape(season["name"]), what=season["what"], rows="\n".join(rows))
        headers = {"Content-Disposition": 'attachment; filename="season.html"', "Cache-Control": "no-cache"}
        return Response(page, media_type="text/html; charset=utf-8", headers=headers)


SEASON_PAGE = Template("""<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>$name</title>
<style>body{font:17px/1.5 sans-serif;margin:1em auto;max-width:40em;padding:0 1em}
table{border-collapse:collapse;width:100%}td,th{padding:.3em .6em;border-bottom:1px solid #999;text-align:left}
</style></head>
<body>
<h1>$name</h1>
<p>$what</p>
<table>
<thead><tr><th scope="col">Place</th><th scope="col">Player</th><th scope="col">Points</th>
<th scope="col">Nights</th></tr></thead>
<tbody>
$rows
</tbody>
</table>
</body>
</html>
""")


def short_name(name: str) -> str:
    """A name of several words with the last one's first letter, like `Ann B.`"""
    *first, last = name.split()
    return f"{' '.join(first)} {last[0]}." if first else last


def _day(shown: NightEntry) -> str:
    """When the night began, where the kiosk is."""
    return datetime.fromisoformat(shown["began"]).astimezone().date().isoformat()


def _csv(name: str, columns: Sequence[str], rows: Sequence[Sequence[object]]) -> Response:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows([[_cell(value) if isinstance(value, str) else value for value in row] for row in rows])
    headers = {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-cache"}
    return Response(BOM + out.getvalue().encode(), media_type="text/csv; charset=utf-8", headers=headers)


def _cell(value: str) -> str:
    """Text that no spreadsheet takes for a formula; points below zero stay a number."""
    return value if NUMBER.fullmatch(value) else cell(value)
