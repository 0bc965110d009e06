"""The API of the history: games, players and leaderboards for all; corrections, import and export for staff."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import asdict
from typing import TypedDict, TypeGuard

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from cribboard.errors import CribboardError
from cribboard.files import Entry
from cribboard.json_types import Json
from cribboard.playing.review import Game as Reviewed
from cribboard.playing.review import find
from cribboard.service.reviews import ReviewStateEntry, none
from cribboard.store import Store
from cribboard.store.read import PEOPLE
from cribboard.store.statistics import NOT_ON_NIGHTS, Player, Rivals
from cribboard.web.help import replay
from cribboard.web.json_body import DoneEntry, read, route
from cribboard.web.kiosk import Kiosk
from cribboard.web.problem import Problem
from cribboard_core.events import PLACES
from cribboard_core.variants import COLOURS

GAMES, MOST_GAMES = 50, 200  # of one list, unless asked for more
MOST_CHANGED = 200  # players at once
MOST_LINES = 20
MOST_ID = 2**53
CALLED_S = 5.0


class OnNightsEntry(TypedDict):
    """What somebody has played on closed league nights, at wooden boards, too."""

    nights: int
    games: int
    won: int


class KnownEntry(TypedDict):
    """A player with a name; `new` is whether the name came tonight."""

    id: int
    name: str
    games: int
    won: int
    on_nights: OnNightsEntry
    new: bool


class PlayersEntry(TypedDict):
    """All players with a name."""

    players: list[KnownEntry]


class History:
    """The endpoints for the history."""

    def __init__(self, kiosk: Kiosk) -> None:
        self._kiosk = kiosk

    def routes(self) -> list[Route]:
        """The routes."""
        return [
            route("GET", "/api/leaderboard", self.leaderboard),
            route("GET", "/api/players", self.players),
            route("POST", "/api/players", self.change_players),
            route("GET", "/api/players/{id:int}", self.player),
            route("GET", "/api/players/{a:int}/against/{b:int}", self.against),
            route("POST", "/api/players/{id:int}", self.change_player),
            route("DELETE", "/api/players/{id:int}", self.erase),
            route("GET", "/api/games", self.games),
            route("GET", "/api/games/{id:int}", self.game),
            route("POST", "/api/games/{id:int}", self.correct),
            route("GET", "/api/games/{id:int}/review", self.review),
            route("POST", "/api/games/{id:int}/review", self.begin_review),
            route("GET", "/api/corrections", self.corrections),
            route("GET", "/api/export.csv", self.export_csv),
            route("GET", "/api/export.json", self.export_json),
            route("POST", "/api/import", self.take_in),
        ]

    async def leaderboard(self, request: Request) -> Entry:
        """The leaderboard of a night, a week, a season, or of all time: among people, or of the games apart from it."""
        period = request.query_params.get("period", "night")
        among = request.query_params.get("among", PEOPLE)
        rows = await self._kiosk.history(lambda store: store.leaderboard(period, among=among))
        return {"period": period, "among": among, "players": [row.entry() for row in rows]}

    async def players(self, request: Request) -> PlayersEntry:
        """All players with a name, their games and their wins."""
        return {"players": await self._kiosk.history(_players)}

    async def player(self, request: Request) -> Entry:
        """One player's record."""
        who = _id(request, "id")
        return _there(await self._kiosk.history(lambda store: store.player(who)), f"player {who}")

    async def against(self, request: Request) -> Entry:
        """Two players, head to head."""
        a, b = _id(request, "a"), _id(request, "b")
        return _there(await self._kiosk.history(lambda store: store.head_to_head(a, b)), f"such pair as {a} and {b}")

    async def games(self, request: Request) -> Entry:
        """The newest games, or those before one; with lines=1 fewer, each with its line of scores."""
        lines = request.query_params.get("lines") == "1"
        limit = _number(request, "limit", MOST_LINES if lines else GAMES, MOST_LINES if lines else MOST_GAMES)
        before = _number(request, "before", 0, MOST_ID) or None
        rows = await self._kiosk.history(lambda store: store.games(limit=limit, before=before, lines=lines))
        return {"games": [row.entry() for row in rows]}

    async def game(self, request: Request) -> Entry:
        """One game, event by event."""
        game = _id(request, "id")
        return _known(await replay(self._kiosk, self._kiosk.who(request), lambda store: game), f"game {game}")

    async def review(self, request: Request) -> ReviewStateEntry:
        """What each choice of a game that is over cost, as far as that is worked out."""
        reviewed = await self._reviewed(request)
        return reviewed if isinstance(reviewed, dict) else self._kiosk.reviews.look(reviewed)

    async def begin_review(self, request: Request) -> ReviewStateEntry:
        """Work out what each choice of a game cost, one game at a time."""
        reviewed = await self._reviewed(request)
        return reviewed if isinstance(reviewed, dict) else self._kiosk.reviews.begin(reviewed)

    async def _reviewed(self, request: Request) -> Reviewed | ReviewStateEntry:
        """The game to look at, or why it can't be; a game that is on would show cards and give advice."""
        game = _id(request, "id")
        reviewed = await self._kiosk.history(lambda store: _log_of(store, game))
        if reviewed is None:
            raise Problem(404, "unknown", f"there is no game {game}", "look at the history")
        return reviewed

    async def change_player(self, request: Request) -> DoneEntry:
        """Rename a player, or merge the player with another."""
        self._kiosk.who(request).need_staff()
        who = _id(request, "id")
        match await self._kiosk.entry(request):
            case {"name": str(name), **rest} if not rest:
                before = await self._kiosk.history(lambda store: store.called(who))
                await self._kiosk.history(lambda store: store.rename(who, name))
                await self._call(before, name.strip())
            case {"is": int(other), **rest} if not rest and type(other) is int and 0 < other <= MOST_ID:
                await self._kiosk.history(lambda store: store.merge(other, who))
            case _:
                raise Problem(400, "correction", "this is not a correction of a player", "send a name, or who it is")
        return {"done": True}

    async def erase(self, request: Request) -> DoneEntry:
        """Erase a player; the games stay, as a guest's."""
        self._kiosk.who(request).need_staff()
        await self._erase([_id(request, "id")])
        return {"done": True}

    async def change_players(self, request: Request) -> DoneEntry:
        """Rename or erase several players at once."""
        self._kiosk.who(request).need_staff()
        match await self._kiosk.entry(request):
            case {"rename": list(pairs), **rest} if not rest and _are_names(pairs):
                renamed = dict(pairs)
                called = await self._kiosk.history(lambda store: [store.called(who) for who in renamed])
                await self._kiosk.history(lambda store: store.rename_all(renamed))
                for before, after in zip(called, renamed.values(), strict=True):
                    await self._call(before, after.strip())
            case {"erase": list(gone), **rest} if not rest and _are_ids(gone):
                await self._erase(gone)
            case _:
                raise Problem(
                    400,
                    "correction",
                    "this is not a correction of players",
                    f"send rename with pairs of a number and a name, or erase with numbers, {MOST_CHANGED} at most",
                )
        return {"done": True}

    async def _erase(self, gone: list[int]) -> None:
        before = await self._kiosk.history(lambda store: store.called(*gone))
        await self._call(before, "")  # first, so that nothing new is written with the names
        await self._kiosk.history(lambda store: store.erase(*gone))

    async def _call(self, before: list[str], after: str) -> None:
        """Change a player's names at all tables, also those whose board is away, and on phones with such a name."""
        await asyncio.to_thread(self._kiosk.phones.call, before, after)
        try:
            for pending in await asyncio.to_thread(self._kiosk.tables.rename_player, before, after):
                await self._kiosk.done(pending, CALLED_S)
        except CribboardError as error:
            raise Problem(
                503, "away", f"a table still has the old name: {error.message}", "do it again when that is over"
            ) from error

    async def correct(self, request: Request) -> DoneEntry:
        """Abandon or withdraw a game, give its places to other players, or correct a score."""
        self._kiosk.who(request).need_staff()
        game = _id(request, "id")
        body = await self._kiosk.entry(request)
        match body:
            case {"abandon": True, **rest} if not rest:
                await self._kiosk.history(lambda store: store.abandon(game))
            case {"withdraw": bool(withdrawn), **rest} if not rest:
                await self._kiosk.history(lambda store: store.withdraw(game, withdrawn=withdrawn))
            case {"score": [int(rev), int(was), int(points)], **rest} if not rest and _are_numbers(rev, was, points):
                await self._kiosk.history(lambda store: store.correct(game, rev, was, points))
            case {"seats": dict(sitting), **rest} if not rest and _are_seats(sitting):
                names = {int(place) - 1: name or None for place, name in sitting.items()}
                await self._kiosk.history(lambda store: store.seat(game, names))
            case _:
                raise Problem(
                    400,
                    "correction",
                    "this is not a correction of a game",
                    "send abandon, withdraw, seats with names by place, or score with an event and its points",
                )
        return {"done": True}

    async def corrections(self, request: Request) -> Entry:
        """The corrections: who, when, and what was there before."""
        self._kiosk.who(request).need_staff()
        return {"corrections": [row.entry() for row in await self._kiosk.history(lambda store: store.corrections())]}

    async def export_csv(self, request: Request) -> Response:
        """The results as CSV."""
        self._kiosk.who(request).need_staff()
        text = await self._kiosk.history(lambda store: store.export_csv())
        marked = "\ufeff" + text  # by which a spreadsheet knows the letters
        return _file(marked, "text/csv; charset=utf-8", "cribboard.csv")

    async def export_json(self, request: Request) -> Response:
        """The whole history as JSON, for `take_in`."""
        self._kiosk.who(request).need_staff()
        text = await self._kiosk.history(lambda store: store.export_json())
        return _file(text, "application/json", "cribboard.json")

    async def take_in(self, request: Request) -> Entry:
        """Import what another kiosk has exported."""
        self._kiosk.who(request).need_staff()
        limits = self._kiosk.limits
        data = await read(request, limits.import_body, limits.import_s)
        try:
            text = data.decode()
        except UnicodeDecodeError:
            raise Problem(400, "json", "the file is not text in UTF-8", "choose one that was exported here") from None
        return asdict(await self._kiosk.history(lambda store: store.import_json(text)))


def _log_of(store: Store, number: int) -> Reviewed | ReviewStateEntry | None:
    """A game of the history with its log, or why it has none; None for an unknown game."""
    replay = store.game(number)
    if replay is None:
        return None
    game = replay.game
    if game.winner is None:
        return none("What each choice cost is shown when the game is won.")
    for board, epoch, began in reversed(store.numbers(number)):
        log = find(board, epoch, began)
        if log is not None:
            path, setup = log
            names = {seat.place: seat.name for seat in game.seats}
            called = tuple(names.get(place) or COLOURS[place].capitalize() for place in setup.places)
            return Reviewed(path, epoch, began, called, str(game.ended))
    return none("The cards of this game are not known; a game that the program deals to two players can be reviewed.")


def _players(store: Store) -> list[KnownEntry]:
    lines, new = {line.player: line for line in store.leaderboard("ever")}, store.newcomers()
    nights = store.on_nights()
    entries: list[KnownEntry] = []
    for player, name in store.players():
        line = lines.get(player)
        games, won = (line.games, line.won) if line else (0, 0)
        on = nights.get(player, NOT_ON_NIGHTS)
        played: OnNightsEntry = {"nights": on.nights, "games": on.games, "won": on.won}
        entries.append(
            {"id": player, "name": name, "games": games, "won": won, "on_nights": played, "new": player in new}
        )
    return entries


def _are_seats(sitting: Mapping[str, object]) -> TypeGuard[Mapping[str, str]]:
    known = {str(place) for place in range(1, PLACES + 1)}
    return bool(sitting) and sitting.keys() <= known and all(isinstance(name, str) for name in sitting.values())


def _are_numbers(*given: int) -> bool:
    return all(type(number) is int and 0 <= number <= MOST_ID for number in given)


def _are_ids(given: list[Json]) -> TypeGuard[list[int]]:
    known = [one for one in given if isinstance(one, int) and one is not True and 0 < one <= MOST_ID]
    return 0 < len(given) <= MOST_CHANGED and len({*known}) == len(given)


def _are_names(pairs: list[Json]) -> TypeGuard[list[tuple[int, str]]]:
    paired = [pair for pair in pairs if isinstance(pair, list) and len(pair) == 2 and isinstance(pair[1], str)]
    return len(paired) == len(pairs) and _are_ids([who for who, _ in paired])


def _there(figures: Player | Rivals | None, what: str) -> Entry:
    return _known(figures.entry() if figures is not None else None, what)


def _known(entry: Entry | None, what: str) -> Entry:
    if entry is None:
        raise Problem(404, "unknown", f"there is no {what}", "look at the history")
    return entry


def _id(request: Request, name: str) -> int:
    number: int = request.path_params[name]
    if number > MOST_ID:
        raise Problem(404, "unknown", f"there is no number above {MOST_ID}", "start at the first page")
    return number


def _number(request: Request, name: str, otherwise: int, most: int) -> int:
    text = request.query_params.get(name, "")
    if not text:
        return otherwise
    if not (text.isascii() and text.isdecimal() and len(text) < 17 and 1 <= int(text) <= most):
        raise Problem(400, name, f"{name} is a whole number from 1 to {most}, not {text[:20]!a}", "leave it out")
    return int(text)


def _file(text: str, kind: str, name: str) -> Response:
    return Response(text, media_type=kind, headers={"Content-Disposition": f'attachment; filename="{name}"'})
