"""Reads what was played from JSON: a game of sides with scores, a match card of two teams, a walk-over or a bye."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from cribboard.errors import ArgumentError
from cribboard.league.rules import MOST_ROUNDS, as_list, as_object, as_pair, as_whole
from cribboard.league.standings import Bye, Card, Game, Played, game
from cribboard.names import key
from cribboard_core.cards import quote
from cribboard_core.variants import MAX_PLAYERS, TARGETS

TEAM = ("home", "away", "tables", "walkover", "note")
GAME = ("round", "sides", "scores", "walkover", "note")
BYE = ("round", "bye", "note")


def is_played(entry: Mapping[str, object]) -> bool:
    """Whether an object is written like those that `read_played` reads."""
    sides = entry.get("sides")
    listed = isinstance(sides, list) and bool(sides) and all(isinstance(side, list) for side in sides)
    return listed or "home" in entry or "bye" in entry


def read_played(entry: Mapping[str, object]) -> Played:
    """What an object says was played; raises ArgumentError."""
    if "bye" in entry:
        entry = as_object(entry, "a bye", BYE)
        return Bye(_name(entry["bye"]), _round(entry))
    if "home" in entry:
        return _card(as_object(entry, "a match", TEAM))
    entry = as_object(entry, "a game", GAME)
    sides = tuple(tuple(_name(who) for who in as_list(side, "a side")) for side in as_list(entry.get("sides"), "sides"))
    if not 2 <= len(sides) <= MAX_PLAYERS or not all(sides):
        many = f"{len(sides)} side{'s' * (len(sides) != 1)}"
        raise ArgumentError(f"a game of {many}", f"it has 2 to {MAX_PLAYERS}, each with its names")
    _check_apart([who for side in sides for who in side])
    if entry.get("walkover") is not None:
        return Game(sides, (), _round(entry), walkover=as_whole(entry["walkover"], "walkover", 0, len(sides) - 1))
    scores = [as_whole(score, "a score", 0, max(TARGETS)) for score in as_list(entry.get("scores"), "scores")]
    best = max(scores, default=0)
    if len(scores) != len(sides) or best not in TARGETS or scores.count(best) > 1:
        raise ArgumentError(f"the scores are {quote(scores)}", "each side has one, and one of them has won")
    return game(sides, scores, _round(entry))


def _card(entry: Mapping[str, object]) -> Card:
    sides = (_name(entry["home"]), _name(entry.get("away")))
    _check_apart(sides)
    if entry.get("walkover") is not None:
        return Card(sides, walkover=as_whole(entry["walkover"], "walkover", 0, 1))
    tables = [as_object(table, "a table", ("legs",)) for table in as_list(entry.get("tables"), "tables")]
    return Card(sides, tuple(as_pair(table.get("legs"), "legs") for table in tables))


def _check_apart(names: Sequence[str]) -> None:
    for at, name in enumerate(names):
        if any(key(name) == key(other) for other in names[:at]):
            raise ArgumentError(f"{quote(name)} appears twice", "give everybody a different name")


def _round(entry: Mapping[str, object]) -> int:
    return as_whole(entry.get("round", 0), "round", 0, MOST_ROUNDS)


def _name(value: object) -> str:
    if not isinstance(value, str) or not value.strip() or len(value) > 70:
        raise ArgumentError(f"{quote(value)} is not a name", "a name has 1 to 70 characters")
    return " ".join(value.split())
