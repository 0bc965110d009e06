"""Imports an export: all or nothing, each event once. Existing entries stay as they are; gaps are filled."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, and_, insert, select, update

from cribboard.names import key
from cribboard.store.checked import TOLD, Export, ExportedGame
from cribboard.store.games import Games
from cribboard.store.people import known, seated
from cribboard.store.schema import BEGIN, corrections, events, games, names, seats, spans


@dataclass(frozen=True)
class Brought:
    """How much an import has added."""

    games: int
    events: int
    corrections: int


class Bringing:
    """One transaction's import."""

    def __init__(self, connection: Connection, now: datetime) -> None:
        self.connection = connection
        self.now = now
        self._events = 0
        self._changed: dict[int, str] = {}  # games that have got events, with their boards

    def bring(self, export: Export) -> Brought:
        """Add what is missing here."""
        for name, keys in export.players:
            player = seated(self.connection, name, self.now)
            for each in keys:
                if known(self.connection, each) is None:
                    self.connection.execute(insert(names).values(key=key(each), player=player))
        found = [self._game(game) for game in export.games]
        for board, loose in export.loose:
            self._write(board, None, loose)
        for changed, board in self._changed.items():
            Games(self.connection, board, 0, self.now).add_up(changed)
        traced = sum(self._trace(row, [game for game, _ in found]) for row in export.corrections)
        return Brought(sum(new for _, new in found), self._events, traced)

    def _game(self, game: ExportedGame) -> tuple[int, bool]:
        here = self._here(game)
        new = here is None
        if here is None:
            here = self._new(game)
        for epoch, number in game.spans:
            if self._span(game.board, epoch, number) is None:
                span = {"board": game.board, "epoch": epoch, "number": number}
                self.connection.execute(insert(spans).values(**span, game=here))
        if self._write(game.board, here, game.events) or new:
            self._changed[here] = game.board
        return here, new

    def _here(self, game: ExportedGame) -> int | None:
        """The id of the same game if it is here, found by its numbers; else None."""
        for epoch, number in game.spans:
            found = self._span(game.board, epoch, number)
            if found is not None:
                return found
        return None

    def _span(self, board: str, epoch: int, number: int) -> int | None:
        here = and_(spans.c.board == board, spans.c.epoch == epoch, spans.c.number == number)
        return self.connection.execute(select(spans.c.game).where(here)).scalar()

    def _new(self, game: ExportedGame) -> int:
        setup = game.setup
        values = {
            "board": game.board,
            "target": setup.target,
            "mask": setup.mask,
            "sides": setup.count,
            "skunk": setup.skunk,
            "double_skunk": setup.double,
            "dealer": game.dealer,
            **{name: _moment(at) for name, at in game.times.items()},
            "pegs": "00" * 2 * setup.count,
            "whole": True,
            "aside": game.aside,
            "withdrawn": game.withdrawn,
            "summed": 0,
        }
        made = self.connection.execute(insert(games).values(**values)).inserted_primary_key
        new = int(made[0]) if made else 0
        for place, (name, corrected) in game.seats.items():
            seat = {"game": new, "place": place, "side": setup.side_of(place), "corrected": corrected}
            player = seated(self.connection, name, self.now)
            self.connection.execute(insert(seats).values(**seat, player=player))
        return new

    def _write(self, board: str, game: int | None, given: Iterable[dict[str, Any]]) -> int:
        """Add missing events, and complete those that are here; returns how many were added or changed."""
        changed = 0
        by_epoch: dict[int, dict[int, dict[str, Any]]] = {}
        for event in given:
            by_epoch.setdefault(event["epoch"], {})[event["rev"]] = {**event, "at": _moment(event["at"])}
        for epoch, rows in by_epoch.items():
            here = and_(events.c.board == board, events.c.epoch == epoch)
            between = events.c.rev.between(min(rows), max(rows))
            had = {row.rev: row for row in self.connection.execute(select(events).where(here, between))}
            new = [{**row, "board": board, "game": game} for rev, row in rows.items() if rev not in had]
            if new:
                self.connection.execute(insert(events), new)
            changed += len(new)
            for rev in rows.keys() & had.keys():
                more = _more(had[rev], rows[rev], game)
                if more:
                    self.connection.execute(update(events).where(here, events.c.rev == rev).values(**more))
                    changed += 1
        self._events += changed
        return changed

    def _trace(self, row: dict[str, Any], found: list[int]) -> bool:
        values = {**row, "at": _moment(row["at"]), "game": None if row["game"] is None else found[row["game"]]}
        same = and_(*(corrections.c[name] == value for name, value in values.items() if value is not None))
        if self.connection.execute(select(corrections.c.id).where(same)).first():
            return False
        self.connection.execute(insert(corrections).values(**values))
        return True


def _more(had: Any, given: dict[str, Any], game: int | None) -> dict[str, Any]:
    """The columns that another host knows better for an event that is here."""
    more: dict[str, Any] = {}
    if not had.kind and given["kind"]:
        kept = {name: getattr(had, name) for name in TOLD} if had.number is not None else {}
        more = {**given, **kept}
    elif had.number is None and given["number"] is not None and (had.game is None or had.game == game):
        more = {name: given[name] for name in TOLD}
    if had.game is None and game is not None:
        more["game"] = game
    return more


def _moment(at: int | None) -> datetime | None:
    return None if at is None else BEGIN + timedelta(milliseconds=at)
