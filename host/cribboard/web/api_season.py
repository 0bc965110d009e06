"""The API of seasons and of the list of nights."""

from __future__ import annotations

import json
from typing import TypedDict

from starlette.requests import Request
from starlette.routing import Route

from cribboard.errors import ArgumentError
from cribboard.league.rules import in_words
from cribboard.league.season import SeasonRules, read_season
from cribboard.names import check_line
from cribboard.store.contests import SEASON, Contest
from cribboard.web.json_body import DoneEntry, route
from cribboard.web.kiosk import Kiosk
from cribboard.web.night_access import may_begin, need_begin
from cribboard.web.problem import Problem


class BegunEntry(TypedDict):
    """The number of a night or a season."""

    number: int


class ListedNightEntry(TypedDict):
    """A night of the list."""

    night: int
    name: str
    began: str
    closed: bool
    season: int | None


class ListedSeasonEntry(TypedDict):
    """A season of the list."""

    season: int
    name: str


class NightsEntry(TypedDict):
    """All nights and seasons."""

    nights: list[ListedNightEntry]
    seasons: list[ListedSeasonEntry]


class SeasonRowEntry(TypedDict):
    """A line of a season; points as people write them."""

    place: int
    name: str
    points: str
    nights: int
    nights_won: int


class SeasonEntry(TypedDict):
    """A season: what counts, whether this device `may` change that, its nights, and who stands how."""

    season: int
    name: str
    what: str
    best: int
    award: str
    may: bool
    nights: list[ListedNightEntry]
    rows: list[SeasonRowEntry]


class Seasons:
    """The endpoints of seasons, and of all nights."""

    def __init__(self, kiosk: Kiosk) -> None:
        self._kiosk = kiosk

    def routes(self) -> list[Route]:
        """The routes."""
        return [
            route("GET", "/api/nights", self.all),
            route("POST", "/api/seasons", self.begin_season),
            route("GET", "/api/seasons/{id:int}", self.season),
            route("POST", "/api/seasons/{id:int}", self.change_season),
            route("DELETE", "/api/seasons/{id:int}", self.dismiss_season),
        ]

    async def all(self, request: Request) -> NightsEntry:
        """All nights and seasons, the newest first."""
        both = await self._kiosk.history(lambda store: (store.contests(), store.contests(SEASON)))
        return {
            "nights": [_listed(each) for each in both[0]],
            "seasons": [{"season": each.id, "name": each.name} for each in both[1]],
        }

    async def begin_season(self, request: Request) -> BegunEntry:
        """Begin a season: its name, and how nights count."""
        name, rules = await self._wanted(request)
        contest = Contest(kind=SEASON, name=name, rules=rules)
        return {"number": await self._kiosk.history(lambda store: store.begin_contest(contest))}

    async def change_season(self, request: Request) -> BegunEntry:
        """Give a season another name, or let nights count in another way."""
        name, rules = await self._wanted(request)
        number: int = request.path_params["id"]
        await self._kiosk.history(lambda store: store.change_season(number, name, rules))
        return {"number": number}

    async def dismiss_season(self, request: Request) -> DoneEntry:
        """Remove a season for which no night counts."""
        need_begin(self._kiosk, self._kiosk.who(request))
        number: int = request.path_params["id"]
        await self._kiosk.history(lambda store: store.dismiss_season(number))
        return {"done": True}

    async def _wanted(self, request: Request) -> tuple[str, str]:
        """The name and the rules that a device which may give them wants."""
        need_begin(self._kiosk, self._kiosk.who(request))
        match await self._kiosk.entry(request):
            case {"name": str(name), "rules": rules, **rest} if not rest:
                pass
            case _:
                raise Problem(400, "season", "a season has a name and rules", "send name and rules")
        try:
            read_season(rules)
            tidy = check_line("the season's name", name)
        except ArgumentError as error:
            raise Problem(400, "season", error.message, error.hint) from error
        if not tidy:
            raise Problem(400, "season", "a season has a name", "give it a letter at least")
        return tidy, json.dumps(rules)

    async def season(self, request: Request) -> SeasonEntry:
        """A season."""
        entry = await season_entry(self._kiosk, request.path_params["id"])
        return {**entry, "may": may_begin(self._kiosk, self._kiosk.who(request))}


async def season_entry(kiosk: Kiosk, number: int) -> SeasonEntry:
    """A season with its nights and who stands how."""
    season = await kiosk.history(lambda store: store.season(number))
    listed = await kiosk.history(lambda store: store.contests())
    of_it = {night for night, _, _ in season.nights}
    return {
        "season": number,
        "name": season.contest.name,
        "what": _what(season.rules),
        "best": season.rules.best,
        "award": _award(season.rules),
        "may": False,
        "nights": [_listed(each) for each in listed if each.id in of_it],
        "rows": [
            {
                "place": row.place,
                "name": season.names[row.who],
                "points": in_words(row.points),
                "nights": row.nights,
                "nights_won": row.nights_won,
            }
            for row in season.rows
        ],
    }


def _what(rules: SeasonRules) -> str:
    """What counts, in a sentence."""
    many = f"the best {rules.best} nights" if rules.best > 1 else "the best night" if rules.best else "all nights"
    if not rules.award:
        return f"The points of {many}."
    return f"Points for places: {_award(rules)}; equals share them. Of {many}."


def _award(rules: SeasonRules) -> str:
    return ", ".join(map(in_words, rules.award))


def _listed(contest: Contest) -> ListedNightEntry:
    return {
        "night": contest.id,
        "name": contest.name,
        "began": contest.began.isoformat() if contest.began else "",
        "closed": contest.closed is not None,
        "season": contest.season,
    }
