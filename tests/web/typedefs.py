"""The types of the API's answers for the pages' scripts, made of those in Python: `python tests/web/typedefs.py`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import MISSING, fields, is_dataclass
from datetime import datetime
from pathlib import Path
from types import NoneType, UnionType
from typing import (
    Any,
    Literal,
    NotRequired,
    Required,
    TypeAlias,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)
from unittest.mock import Mock

from starlette.responses import Response
from starlette.routing import Route

import cribboard.web
from cribboard.service.night_view import LineEntry, NightEntry, RowEntry
from cribboard.service.view import NewsEntry, NoticeEntry
from cribboard.store.importer import ImportResult
from cribboard.store.read import Correction, Game, GameEvent, Seat, Side
from cribboard.store.statistics import Best, LeaderboardRow, Player, Rivals
from cribboard.web.api_director import Director
from cribboard.web.api_history import History
from cribboard.web.api_learn import Learn
from cribboard.web.api_night import Nights
from cribboard.web.api_phones import Here
from cribboard.web.api_screens import Screen
from cribboard.web.api_season import Seasons
from cribboard.web.api_staff import Staff
from cribboard.web.api_tables import Boards
from cribboard.web.json_body import TypedResponse
from cribboard.web.stream import FrameEntry

FILE = Path(cribboard.web.__file__).with_name("api.d.ts")
WIDE = 124
HEAD = """// What the kiosk answers and what its streams bring, made of the types in Python by tests/web/typedefs.py:
// change those, and run it.
"""
PLAIN = {int: "number", float: "number", str: "string", bool: "boolean", NoneType: "null", datetime: "string"}
STREAMED = (NewsEntry, NoticeEntry, FrameEntry)
NAMES = {
    Seat: "Sat",
    Side: "SideOfGame",
    NightEntry: "Evening",
    LineEntry: "LineOfMatch",
    RowEntry: "RowOfNight",
}  # beside others so called
# The history's results have their types in the dataclasses whose `entry` they are.
RESULTS: dict[tuple[str, str], str] = {
    ("GET", "/api/boards/{n:int}/game"): "Replay",
    ("GET", "/api/leaderboard"): "{ period: string; players: LeaderboardRow[] }",
    ("GET", "/api/players/{id:int}"): "Player",
    ("GET", "/api/players/{a:int}/against/{b:int}"): "Rivals",
    ("GET", "/api/games"): "{ games: Game[] }",
    ("GET", "/api/games/{id:int}"): "Replay",
    ("GET", "/api/corrections"): "{ corrections: Correction[] }",
    ("GET", "/api/tonight"): "Night",
    ("POST", "/api/import"): "ImportResult",
    ("GET", "/api/night"): "Evening",
    ("GET", "/api/nights/{id:int}"): "Evening",
}
DATA = (Game, GameEvent, Correction, LeaderboardRow, Best, Player, Rivals, ImportResult)
OPEN = {(Correction, "before"): "Before", (Correction, "after"): "Before"}  # what staff have changed
BY_HAND = """
// What a correction has changed: of a lost event its kind and points.
interface Before { kind?: string; a?: number; points?: number }
interface GameEvent { chances?: number[] }
interface Replay extends Game { events: GameEvent[]; corrections: Correction[] }
interface BestOfNight extends Best { by: string | null; side: number }
interface Night { players: LeaderboardRow[]; best_hand: BestOfNight | null; streaks: { name: string; won: number }[] }
"""
METHODS = {"GET": "Gets", "POST": "Posts", "DELETE": "Removes"}
Kind: TypeAlias = Any  # a type of Python, of which typing has no narrower name


class Types:
    """The interfaces that are needed, in the order in which they are found."""

    def __init__(self) -> None:
        self.made: dict[str, str] = {}

    def of(self, kind: Kind) -> str:
        """A type of Python as one of TypeScript."""
        if kind in PLAIN:
            return PLAIN[kind]
        if is_typeddict(kind) or is_dataclass(kind):
            return self._interface(kind)
        origin, args = get_origin(kind), get_args(kind)
        if origin is Literal:
            return " | ".join(str(one).lower() if isinstance(one, bool) else f'"{one}"' for one in args)
        if origin in (Union, UnionType):
            return " | ".join(self.of(one) for one in args)
        if origin is tuple and args[-1] is not ...:
            return f"[{', '.join(map(self.of, args))}]"
        if origin in (list, tuple, Sequence):
            inner = self.of(args[0])
            return f"({inner})[]" if "|" in inner else f"{inner}[]"
        if origin in (dict, Mapping):
            return f"Record<{self.of(args[0])}, {self.of(args[1])}>"
        raise TypeError(f"there is no type for pages of {kind}")

    def _interface(self, kind: Kind) -> str:
        name = NAMES.get(kind, kind.__name__.removesuffix("Entry"))
        if name not in self.made:
            self.made[name] = ""
            head, members = f"interface {name} {{", list(self.members(kind))
            whole = f"{head} {'; '.join(members)} }}"
            self.made[name] = whole if len(whole) <= WIDE else "\n".join([head, *wrapped(members), "}"])
        return name

    def members(self, kind: Kind) -> Iterator[str]:
        """The members of its interface, in order."""
        left_out = (
            {field.name for field in fields(kind) if field.default is not MISSING} if is_dataclass(kind) else set()
        )
        for name, hint in get_type_hints(kind, include_extras=True).items():
            named = OPEN.get((kind, name))
            if get_origin(hint) in (NotRequired, Required):
                left_out |= {name} if get_origin(hint) is NotRequired else set()
                (hint,) = get_args(hint)
            yield f"{name}{'?' if name in left_out else ''}: {named or self.of(hint)}"


def wrapped(members: list[str]) -> Iterator[str]:
    """Members in lines as wide as a page of code."""
    line = ""
    for member in members:
        if line and len(line) + len(member) + 2 > WIDE:
            yield line
            line = ""
        line = f"{line} {member};" if line else f"  {member};"
    yield line


def routes() -> list[Route]:
    """The routes of the API."""
    kiosk = Mock()
    rooms = (
        Boards(kiosk, Mock(), Mock()),
        Here(kiosk),
        History(kiosk),
        Staff(kiosk),
        Screen(kiosk),
        Learn(kiosk),
        Nights(kiosk, Mock(), Mock()),
        Director(kiosk, Mock(), Mock()),
        Seasons(kiosk),
    )
    return [route for room in rooms for route in room.routes()]


def answer(route: Route, method: str, types: Types) -> str | None:
    """The type of what an endpoint answers; None for what is no JSON."""
    if (method, route.path) in RESULTS:
        return RESULTS[method, route.path]
    kind = get_type_hints(route.endpoint)["return"]
    if get_origin(kind) is TypedResponse:
        (kind,) = get_args(kind)
    return None if kind is Response else types.of(kind)


def address(path: str) -> str:
    """A route's path as a key of an interface."""
    pattern = re.sub(r"{\w+(:int)?}", lambda part: "${number}" if part[1] else "${string}", path)
    return f"[path: `{pattern}`]" if "$" in pattern else f'"{pattern}"'


def generated() -> str:
    """The file."""
    types = Types()
    asked: dict[str, list[str]] = {name: [] for name in METHODS.values()}
    for route in routes():
        (method,) = {*(route.methods or ())} - {"HEAD"}
        answered = answer(route, method, types)
        if answered is not None:
            asked[METHODS[method]].append(f"  {address(route.path)}: {answered};")
    for kind in (*STREAMED, *DATA):
        types.of(kind)
    maps = [f"interface {name} {{\n{chr(10).join(lines)}\n}}" for name, lines in asked.items()]
    return "\n".join([HEAD, *types.made.values(), BY_HAND, *maps, ""])


if __name__ == "__main__":
    FILE.write_text(generated(), encoding="utf-8")
