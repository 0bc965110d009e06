"""What games, tables and matches are worth: points as data, checked when they are read, kept as whole hundredths."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cache
from importlib import resources

from cribboard.errors import ArgumentError
from cribboard_core.cards import quote
from cribboard_core.variants import TARGETS, skunk_lines

UNITS = ("player", "pair", "team")
BY = ("legs", "tables", "points")
ORDER = (
    "points",
    "won",
    "spread",
    "plus",
    "minus",
    "skunks",
    "scored",
    "legs_won",
    "legs_difference",
    "tables_won",
    "head_to_head",
    "play_off",
)
OWN = "own"  # points that a house has written itself, instead of a preset
MOST_POINTS = 1000  # for anything, either way
MOST_ROUNDS, MOST_BEST_OF = 60, 15
USUAL = {"player": ("points", "won", "spread"), "pair": ("points", "won", "spread")}
USUAL_TEAM = ("points", "legs_difference", "legs_won")
KEYS = (
    "unit",
    "name",
    "rounds",
    "best_of",
    "target",
    "draw",
    "tables",
    "game",
    "table",
    "match",
    "bye",
    "walkover",
    "short_table",
    "order",
)


@dataclass(frozen=True)
class GamePoints:
    """For a game or leg, in hundredths: what it is worth, or in round r the r-th of `by_round`; `score` for a peg."""

    win: int = 0
    skunk: int = 0
    double: int = 0
    loss: int = 0
    score: int = 0
    by_round: tuple[int, ...] = ()


@dataclass(frozen=True)
class LevelPoints:
    """For all legs at a table, or for a match, in hundredths; who has more `by` has won it."""

    win: int = 0
    draw: int = 0
    loss: int = 0
    by: str = "legs"


@dataclass(frozen=True)
class ByePoints:
    """For a round that somebody sits out: points in hundredths, the rest in whole numbers."""

    points: int = 0
    won: int = 0
    spread: int = 0
    scored: int = 0


@dataclass(frozen=True)
class Walkover:
    """For who is there when the others do not come: points in hundredths; of teams also tables and legs, both sides."""

    points: int = 0
    won: int = 1
    spread: int = 0
    tables: tuple[int, int] = (0, 0)
    legs: tuple[int, int] = (0, 0)


@dataclass(frozen=True)
class Rules:
    """How a contest is scored. `order` decides between equals; who is equal in all of it shares a place.

    `tables` are those of a match card that count, from 1; none: all. `partners`: drawn again for each round.
    """

    unit: str = "player"
    name: str = ""
    rounds: int = 0
    best_of: int = 1
    target: int = 121
    partners: bool = False
    tables: tuple[int, ...] = ()
    game: GamePoints = field(default_factory=GamePoints)
    table: LevelPoints = field(default_factory=LevelPoints)
    match: LevelPoints = field(default_factory=LevelPoints)
    bye: ByePoints = field(default_factory=ByePoints)
    walkover: Walkover = field(default_factory=Walkover)
    order: tuple[str, ...] = USUAL["player"]


@dataclass(frozen=True)
class Preset:
    """Rules that people play by. `unsure` is what we could not find out, empty if nothing; `source` is where we looked.

    `night`: whether one evening of people can be played by them; the others are for leagues of teams.
    """

    id: str
    what: str
    unsure: str
    source: str
    night: bool
    rules: Mapping[str, object]

    @property
    def read(self) -> Rules:
        """The rules, as they are kept."""
        return read_rules(self.rules)


@cache
def presets() -> tuple[Preset, ...]:
    """All presets, in the order in which they are offered."""
    text = resources.files(__package__).joinpath("presets.json").read_text("utf-8")
    return tuple(Preset(**entry) for entry in json.loads(text))


def preset(name: str) -> Preset:
    """A preset by its name; raises ArgumentError."""
    for candidate in presets():
        if candidate.id == name:
            return candidate
    raise ArgumentError(
        f"there are no rules called {quote(name)}", f"choose {', '.join(each.id for each in presets())}"
    )


def own_rules(points: object) -> dict[str, object]:
    """Rules of an evening by what a win, a skunk, a double skunk, a match and a bye are worth; raises ArgumentError."""
    worth = as_object(points, "own", ("win", "skunk", "double", "match", "bye"))
    game = {name: worth[name] for name in ("win", "skunk", "double") if name in worth}
    match, win = worth.get("match", 0), worth.get("win", 0)
    return {
        "unit": "player",
        "game": game,
        "match": {"win": match},
        "bye": {"points": worth.get("bye", 0)},
        "walkover": {"points": win},
        "order": ["points", "won", "spread", "head_to_head"],
    }


def named_lines(rules: Rules) -> tuple[int, int]:
    """The first scores safe from a skunk and from a double one, 0 for none: one that is worth the same is a skunk."""
    skunk, double = skunk_lines(rules.target)
    return skunk, double if rules.game.double != rules.game.skunk else 0


def points_in_words(rules: Rules) -> str:
    """What the games of an evening are worth by their margins, like `Win 2, skunk (by 31 or more) 3, loss 0`."""
    game, (skunk, double) = rules.game, named_lines(rules)
    parts = [
        f"Win {in_words(game.win)}",
        *(
            f"{name} (by {rules.target - line + 1} or more) {in_words(points)}"
            for line, name, points, less in (
                (skunk, "skunk", game.skunk, game.win),
                (double, "double skunk", game.double, game.skunk),
            )
            if line and points != less
        ),
        f"loss {in_words(game.loss)}",
        *([f"match won {in_words(rules.match.win)}"] if rules.match.win else []),
        *([f"round sat out {in_words(rules.bye.points)}"] if rules.bye.points else []),
    ]
    return ", ".join(parts)


def parse_rules(text: str) -> Rules:
    """The rules in a JSON text; raises ArgumentError."""
    try:
        entry = json.loads(text, parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as error:
        raise ArgumentError(
            f"the rules are not JSON: {error}", 'they begin like {"unit": "player", "game": ...'
        ) from error
    return read_rules(entry)


def _refuse_constant(text: str) -> float:
    raise ArgumentError(f"{text} is not a number of points", "use a number like 2 or 0.5")


def read_rules(entry: object) -> Rules:
    """The rules that a JSON object describes; raises ArgumentError, which says what is wrong with which value."""
    entry = as_object(entry, "the rules", KEYS)
    unit = _choice(entry, "unit", UNITS, "player")
    draw = entry.get("draw", "")
    if draw not in ("", "partners"):
        raise ArgumentError(f"draw cannot be {quote(draw)}", 'it is "partners", or is left out')
    best_of = as_whole(entry.get("best_of", 1), "best_of", 1, MOST_BEST_OF)
    if best_of % 2 == 0:
        raise ArgumentError(f"a best-of-{best_of} match may never be decided", "use an odd number")
    target = as_whole(entry.get("target", 121), "target", 1, max(TARGETS))
    if target not in TARGETS:
        raise ArgumentError(f"games are not to {target}", f"choose {', '.join(map(str, TARGETS))}")
    tables = tuple(as_whole(each, "tables", 1, 99) for each in as_list(entry.get("tables", []), "tables"))
    if len(set(tables)) < len(tables):
        raise ArgumentError(f"tables has {quote(tables)}, one of them twice", "name each table that counts once")
    return Rules(
        unit,
        str(entry.get("name", ""))[:70],
        as_whole(entry.get("rounds", 0), "rounds", 0, MOST_ROUNDS),
        best_of,
        target,
        draw == "partners",
        tables,
        _game(entry.get("game", {})),
        _level(entry.get("table", {}), "table", ("win", "draw", "loss")),
        _level(entry.get("match", {}), "match", ("by", "win", "draw", "loss")),
        _bye(entry.get("bye", {})),
        _walkover(entry.get("walkover", {})),
        _order(entry.get("order", USUAL.get(unit, USUAL_TEAM))),
    )


def _game(value: object) -> GamePoints:
    value = as_object(value, "game", ("win", "skunk", "double", "loss", "by_round", "score"))
    by_round = tuple(hundredths(each, "by_round") for each in as_list(value.get("by_round", []), "by_round"))
    if by_round and ("win" in value or "skunk" in value or "double" in value):
        raise ArgumentError("game has both by_round and a win's points", "leave one of them out")
    win = _points(value, "win")
    skunk = _points(value, "skunk", win)
    return GamePoints(
        win, skunk, _points(value, "double", skunk), _points(value, "loss"), _points(value, "score"), by_round
    )


def _level(value: object, what: str, keys: Sequence[str]) -> LevelPoints:
    value = as_object(value, what, keys)
    by = _choice(value, "by", BY, "legs")
    return LevelPoints(_points(value, "win"), _points(value, "draw"), _points(value, "loss"), by)


def _bye(value: object) -> ByePoints:
    value = as_object(value, "bye", ("points", "won", "spread", "scored"))
    whole = (as_whole(value.get(name, 0), name, -MOST_POINTS, MOST_POINTS) for name in ("won", "spread", "scored"))
    return ByePoints(_points(value, "points"), *whole)


def _walkover(value: object) -> Walkover:
    value = as_object(value, "walkover", ("points", "won", "spread", "tables", "legs"))
    won, spread = as_whole(value.get("won", 1), "won", 0, 1), value.get("spread", 0)
    tables, legs = (as_pair(value.get(name, (0, 0)), name) for name in ("tables", "legs"))
    return Walkover(_points(value, "points"), won, as_whole(spread, "spread", -MOST_POINTS, MOST_POINTS), tables, legs)


def as_pair(value: object, what: str) -> tuple[int, int]:
    """Two whole numbers, or ArgumentError."""
    both = [as_whole(each, what, 0, 999) for each in as_list(value, what)]
    if len(both) != 2:
        raise ArgumentError(f"{what} has {len(both)} numbers", "give two: of who came, and of who did not")
    return both[0], both[1]


def _order(value: object) -> tuple[str, ...]:
    order = tuple(str(each) for each in as_list(value, "order"))
    for name in order:
        if name not in ORDER:
            raise ArgumentError(f"nobody can be ordered by {quote(name)}", f"choose among {', '.join(ORDER)}")
        if order.count(name) > 1:
            raise ArgumentError(f"order has {quote(name)} twice", "leave one out")
    return order


def _points(value: Mapping[str, object], name: str, usual: int = 0) -> int:
    return hundredths(value[name], name) if name in value else usual


def hundredths(value: object, what: str) -> int:
    """Points in hundredths, of a number with at most two decimals; raises ArgumentError."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise ArgumentError(f"{what} is {quote(value)}, which is not a number of points", "use a number like 2 or 0.5")
    exact = Decimal(str(value)) if abs(value) <= MOST_POINTS else Decimal("NaN")
    if not exact.is_finite():
        raise ArgumentError(f"{what} is {value}", f"use a number from -{MOST_POINTS} to {MOST_POINTS}")
    if exact * 100 != int(exact * 100):
        raise ArgumentError(f"{what} is {value}", "points have at most two decimals")
    return int(exact * 100)


def in_words(points: int) -> str:
    """Points of so many hundredths as people write them, like `3.5`."""
    whole, rest = divmod(abs(points), 100)
    return f"{'-' if points < 0 else ''}{whole}" + (f".{rest:02}".rstrip("0") if rest else "")


def as_number(points: int) -> int | float:
    """Points of so many hundredths as a number for JSON: whole where they are."""
    return points / 100 if points % 100 else points // 100


def as_object(value: object, what: str, keys: Collection[str]) -> Mapping[str, object]:
    """An object with none but these keys, or ArgumentError."""
    if not isinstance(value, Mapping):
        raise ArgumentError(f"{what} is {quote(value)}", "it is an object in braces")
    for name in value:
        if name not in keys:
            raise ArgumentError(f"unknown key {quote(name)} in {what}", f"it may have {', '.join(keys)}")
    return value


def as_list(value: object, what: str) -> Sequence[object]:
    """A short list, or ArgumentError."""
    if not isinstance(value, (list, tuple)) or len(value) > 99:
        raise ArgumentError(f"{what} is {quote(value)}", "it is a list in brackets")
    return value


def _choice(entry: Mapping[str, object], name: str, choices: Sequence[str], usual: str) -> str:
    value = entry.get(name, usual)
    if value not in choices:
        raise ArgumentError(f"{name} cannot be {quote(value)}", f"choose {' or '.join(choices)}")
    return str(value)


def as_whole(value: object, what: str, least: int, most: int) -> int:
    """A whole number, or ArgumentError."""
    if type(value) is not int or not least <= value <= most:
        raise ArgumentError(f"{what} is {quote(value)}", f"use a whole number from {least} to {most}")
    return value
