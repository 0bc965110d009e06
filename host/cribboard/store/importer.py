"""Imports an export, each event once. Existing entries stay as they are; gaps are filled."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import astuple, dataclass, replace
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, and_, func, insert, select, true, tuple_, update

from cribboard.names import key
from cribboard.store.contest_exchange import bring
from cribboard.store.export_reader import Export, ExportedGame, ExportedSpan
from cribboard.store.game_events import SCORE
from cribboard.store.games import Games, begin_game, number_of
from cribboard.store.losses import key_of
from cribboard.store.people import known, seated
from cribboard.store.read import Correction, corrected
from cribboard.store.schema import corrections, events, game_rows, games, lost, names, players, sat, seats, spans
from cribboard.store.stored import StoredEvent, kept_where, setup_of
from cribboard.store.write import last_known

NO_JOURNAL = -1  # nothing is reported now
NOWHERE = dict.fromkeys(("board", "epoch", "number"))
GAMES_AT_A_TIME, EVENTS_AT_A_TIME = 20, 2000


@dataclass(frozen=True)
class ImportResult:
    """How much an import has added."""

    games: int
    events: int
    corrections: int
    nights: int = 0  # that are new, or went on

    def __add__(self, other: ImportResult) -> ImportResult:
        both = zip(astuple(self), astuple(other), strict=True)
        return ImportResult(*(one + more for one, more in both))


def parts(export: Export) -> Iterator[Export]:
    """The export in pieces, each of which is imported without making others wait for long; a small one whole."""
    if len(export.games) <= GAMES_AT_A_TIME and len(export.loose) <= EVENTS_AT_A_TIME:
        yield export
        return
    for at in range(0, len(export.games), GAMES_AT_A_TIME):
        yield Export([] if at else export.players, export.games[at : at + GAMES_AT_A_TIME], [], [])
    for at in range(0, len(export.loose), EVENTS_AT_A_TIME):
        yield Export([], [], export.loose[at : at + EVENTS_AT_A_TIME], [])
    # Corrections last, when all games are here: they name theirs by its place in a part, so its head comes with them.
    named = sorted({row.game for row in export.corrections if row.game is not None})
    heads = [replace(export.games[game], events=[]) for game in named]
    at_head = {game: at for at, game in enumerate(named)}
    traced = [row if row.game is None else replace(row, game=at_head[row.game]) for row in export.corrections]
    yield Export([] if export.games else export.players, heads, [], traced, export.contests)


class Import:
    """One transaction's import."""

    def __init__(self, connection: Connection, now: datetime) -> None:
        self.connection = connection
        self.now = now
        self._changed: dict[int, str] = {}  # games that have got events, with their boards
        self._named: set[int] = set()  # games that were here, of which the file says who plays
        self._traced: Counter[tuple[object, ...]] = Counter()  # corrections of the file

    def bring(self, export: Export) -> ImportResult:
        """Add what is missing here."""
        for name, since, keys in export.players:
            player = seated(self.connection, name, since)
            earlier = and_(players.c.id == player, players.c.since > since)
            self.connection.execute(update(players).where(earlier).values(since=since))
            for each in keys:
                if known(self.connection, each) is None:
                    self.connection.execute(insert(names).values(key=key(each), player=player))
        results = [self._game(game) for game in export.games]
        written = sum(self._write(each.events) for each in export.games) + self._write(export.loose)
        for changed, board in self._changed.items():
            self._games(board).add_up(changed)
        traced = self._trace(export.corrections, [game for game, _ in results])
        for board in sorted({*self._changed.values()}):
            self._settle(board)
        for row in game_rows(self.connection, games.c.id.in_(self._named)):
            self._games(row.board).seat_again(row)
        for row in game_rows(self.connection, games.c.id.in_([game for game, new in results if new])):
            self._games(row.board).seat_after(row)
        nights = bring(self.connection, export.contests, self.now)
        return ImportResult(sum(new for _, new in results), written, traced, nights)

    def _games(self, board: str) -> Games:
        """The games of a board, with the one that is on there."""
        return Games(self.connection, board, NO_JOURNAL, self.now, last_known(self.connection, board).game)

    def _settle(self, board: str) -> None:
        """Decide again which games those of a board are, with what was here, and which of them is on."""
        here = self._games(board)
        changed = here.settle() | here.name_corrections()
        here.on = last_known(self.connection, board).game
        here.over(changed, begun=False)
        here.seat()

    def _game(self, game: ExportedGame) -> tuple[int | None, bool]:
        """The id of the same game here, known by its numbers, and whether it is new; None if its board has lost it."""
        board = game.row.board
        if not game.spans:
            return None, False
        numbered = tuple_(spans.c.epoch, spans.c.number).in_([(span.epoch, span.number) for span in game.spans])
        begun = self.connection.execute(select(spans).where(spans.c.board == board, numbered)).all()
        same = {(row.epoch, row.number): row for row in begun}
        here = next((row.game for row in begun if row.game is not None), None)
        new = here is None
        if here is None:
            here = begin_game(self.connection, game.row)
            self._changed[here] = board
            for place, (name, corrected) in game.seats.items():
                seat = {"game": here, "place": place, "side": setup_of(game.row).side_of(place), "corrected": corrected}
                player = seated(self.connection, name, self.now)
                self.connection.execute(insert(seats).values(**seat, player=player))
        for span in game.spans:
            self._span(span, board, same.get((span.epoch, span.number)), here)
        return here, new

    def _span(self, span: ExportedSpan, board: str, known_here: Row[Any] | None, game: int) -> None:
        """Add a number of a game, or what was not known of it here."""
        number = {"board": board, "epoch": span.epoch, "number": span.number}
        if known_here is None:
            self.connection.execute(insert(spans).values(**number, won=span.won, moved=span.moved, game=game))
        else:
            where = [spans.c[name] == value for name, value in number.items()]
            values = {"game": func.coalesce(spans.c.game, game), "won": func.coalesce(spans.c.won, span.won)}
            self.connection.execute(update(spans).where(*where).values(**values))
        said = [sat.c[name] == value for name, value in number.items()]
        if not span.names or self.connection.execute(select(sat.c.place).where(*said).limit(1)).first() is not None:
            return
        for place, name in span.names.items():
            player = seated(self.connection, name, self.now)
            self.connection.execute(insert(sat).values(**number, place=place, player=player))
        if known_here is not None:
            self._named.add(game)

    def _write(self, given: Sequence[StoredEvent]) -> int:
        """Add missing events, and complete those that are here; returns how many were added or changed."""
        changed = 0
        journals: dict[tuple[str, int], dict[int, StoredEvent]] = defaultdict(dict)
        for kept in given:
            journals[kept.board, kept.epoch][kept.rev] = kept
        for (board, epoch), rows in journals.items():
            here = and_(events.c.board == board, events.c.epoch == epoch)
            between = events.c.rev.between(min(rows), max(rows))
            had = {kept.rev: kept for kept in kept_where(self.connection, here, between)}
            gone = select(lost).where(lost.c.board == board, lost.c.epoch == epoch)
            lost_here = {key_of(StoredEvent.of_row(row)) for row in self.connection.execute(gone)}
            # What a board is known to have lost since does not come back with an older export.
            rows = {rev: kept for rev, kept in rows.items() if rev in had or key_of(kept) not in lost_here}
            if new := [kept.columns() for rev, kept in rows.items() if rev not in had]:
                self.connection.execute(insert(events), new)
            merged = {rev: _merged(had[rev], rows[rev]) for rev in rows.keys() & had.keys()}
            better = [kept for rev, kept in merged.items() if (kept, kept.position) != (had[rev], had[rev].position)]
            for kept in better:
                self.connection.execute(update(events).where(here, events.c.rev == kept.rev).values(kept.columns()))
            fresh = {*(rows.keys() - had.keys()), *(kept.rev for kept in better)}
            changed += len(fresh)
            if fresh:
                numbers = {rows[rev].game for rev in rows}
                known_here = select(spans.c.number).where(spans.c.board == board, spans.c.epoch == epoch)
                missing = numbers - set(self.connection.execute(known_here).scalars())
                if missing:  # of games whose beginning is in neither history
                    unknown = [{"board": board, "epoch": epoch, "number": number} for number in missing]
                    self.connection.execute(insert(spans), unknown)
                self._changed |= dict.fromkeys(self._games(board).around(epoch, fresh), board)
        return changed

    def _trace(self, given: Sequence[Correction], game_ids: list[int | None]) -> int:
        """Add the corrections that are not here as often as in the file; returns how many those are.

        One without a game, since its board has lost that, is any game's.
        """
        if not given:
            return 0
        here: Counter[object] = Counter()
        for row in corrected(self.connection, true(), None):
            here.update({(about := _about(row), row.game), (about, None)})
        seen: Counter[object] = Counter()
        new = []
        for row in given:
            about, game = _about(row), None if row.game is None else game_ids[row.game]
            seen.update({(about, game), (about, None)})
            if here[about, game] < seen[about, game]:
                here.update({(about, game), (about, None)})
                said = {"before": json.dumps(row.before), "after": json.dumps(row.after)}
                new.append(vars(row) | said | {"game": game} | NOWHERE | number_of(self.connection, game, row.at))
        if new:
            self.connection.execute(insert(corrections), new)
        scored = games.c.id.in_([one["game"] for one in new if one["what"] == SCORE])
        for each in game_rows(self.connection, scored):
            self._games(each.board).add_up(each.id)
        return len(new)


def _about(row: Correction) -> tuple[object, ...]:
    """What tells a correction from others."""
    return row.at, row.who, row.what, json.dumps(row.before), json.dumps(row.after)


def _merged(had: StoredEvent, given: StoredEvent) -> StoredEvent:
    """What two hosts know of an event; where both know something, what is here stays."""
    heard = given if given.kind and not had.kind else had
    position = given.position if had.position is None and had.game == given.game else had.position
    return replace(heard, game=had.game, position=position)
