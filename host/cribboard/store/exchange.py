"""The history as text, for another program and for another house: written, checked, and imported."""

from __future__ import annotations

import csv
import io
import json
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial
from itertools import groupby
from typing import Any, NoReturn

from sqlalchemy import Connection, Row, and_, exists, insert, select, true, tuple_, update

from cribboard.board.messages import Event, Standing
from cribboard.errors import ArgumentError
from cribboard.files import Entry
from cribboard.matches import cell
from cribboard.names import key
from cribboard.store.contest_exchange import ExportedContest, as_entries, bring, checked
from cribboard.store.fold import (
    POSITION,
    SCORE,
    Position,
    Setup,
    StoredEvent,
    kept_of,
    kept_where,
    read_event,
    setup_of,
)
from cribboard.store.games import NEXT, STAFF, UNPLAYED, Games, begin_game
from cribboard.store.losses import key_of
from cribboard.store.people import known, seated
from cribboard.store.read import Correction, corrected, moment, page
from cribboard.store.schema import (
    BEGIN,
    OF_SPAN,
    GameRow,
    as_moment,
    corrections,
    events,
    game_rows,
    games,
    lost,
    milliseconds,
    names,
    players,
    sat,
    scores,
    seats,
    spans,
)
from cribboard.store.write import MOST_TEXT, entry_of, flat
from cribboard.typed import (
    DAMAGE,
    LONGEST_NAME,
    Unfit,
    as_list,
    as_list_of,
    as_name,
    as_number,
    as_object,
    as_text,
    as_truth,
    as_whole,
    optional,
    placed,
)
from cribboard_core.cards import quote
from cribboard_core.events import PLACES, RESTORE, check_setup

# The history as text: all of it as JSON for an import, and a table of games for a spreadsheet.

FORMAT, VERSION = "cribboard history", 2
EVENT = tuple(column.name for column in events.c if column.name not in ("board", "stood", "since", "seen"))
HEAD = [
    "game",
    "board",
    "began",
    "ended",
    "state",
    "target",
    "place",
    "side",
    "name",
    "score",
    "won",
    "skunk",
    "points",
]
SKUNK = ("", "", "skunked", "double-skunked")
SETUP = ("target", "mask", "sides", "skunk", "double_skunk", "dealer")


def as_json(connection: Connection) -> str:
    """The whole history as JSON, one game a line."""
    known: dict[int, list[str]] = defaultdict(list)
    for row in connection.execute(select(names).order_by(names.c.key)):
        known[row.player].append(row.key)
    people = [
        {"name": row.name, "since": milliseconds(row.since), "keys": known[row.id]}
        for row in connection.execute(select(players).order_by(players.c.id))
    ]
    numbered = games.c.id.in_(select(spans.c.game))  # its board has lost others
    exported = game_rows(connection, numbered, order=(games.c.began, games.c.id))
    at = {game.id: index for index, game in enumerate(exported)}
    trace = [
        [milliseconds(row.at), row.who, row.what, at.get(row.game), entry_of(row.before), entry_of(row.after)]
        for row in connection.execute(select(corrections).order_by(corrections.c.id))
    ]
    nobodys = groupby(
        kept_where(connection, ~exists().where(OF_SPAN, spans.c.game.is_not(None))), lambda kept: kept.board
    )
    loose = [{"board": board, "events": [_event(kept) for kept in rows]} for board, rows in nobodys]
    lines = ",\n".join(_line(_game(connection, game)) for game in exported)
    head = f'{{"format":{_line(FORMAT)},"version":{VERSION},"columns":{_line(EVENT)},"players":{_line(people)},\n'
    held = ",\n".join(map(_line, as_entries(connection)))
    rest = f'"loose":{_line(loose)},\n"corrections":{_line(trace)},\n"contests":[\n{held}\n]}}\n'
    return f'{head}"games":[\n{lines}\n],\n{rest}'


def _game(connection: Connection, row: GameRow) -> dict[str, object]:
    named = select(seats.c.place, players.c.name, seats.c.corrected).outerjoin(players, players.c.id == seats.c.player)
    sat = connection.execute(named.where(seats.c.game == row.id).order_by(seats.c.place)).all()
    begun = select(spans).where(spans.c.game == row.id).order_by(spans.c.epoch, spans.c.number)
    return {
        "board": row.board,
        "spans": [_span(connection, span) for span in connection.execute(begun)],
        **{name: getattr(row, name) for name in SETUP},
        "began": milliseconds(row.began),
        "heard": milliseconds(row.heard),
        "ended": None if row.ended is None else milliseconds(row.ended),
        "aside": row.aside,
        "withdrawn": row.withdrawn,
        "seats": [list(seat) for seat in sat],
        "events": [_event(kept) for kept in kept_of(connection, spans.c.game == row.id)],
    }


def _span(connection: Connection, span: Row[Any]) -> list[object]:
    """A number of a game, the games won at its start, whether it was moved there, who was said to play."""
    here = [sat.c[name] == getattr(span, name) for name in ("board", "epoch", "number")]
    named = select(sat.c.place, players.c.name).outerjoin(players, players.c.id == sat.c.player).where(*here)
    who = [list(seat) for seat in connection.execute(named.order_by(sat.c.place))]
    return [span.epoch, span.number, span.won, span.moved, who]


def _event(kept: StoredEvent) -> list[object]:
    values = kept.columns() | {"at": milliseconds(kept.at or BEGIN)}
    return [values[name] for name in EVENT]


def _line(value: object) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def as_csv(connection: Connection) -> str:
    """The games as CSV, one line for each seat."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(HEAD)
    paid = {(row.game, row.side): row.points for row in connection.execute(select(scores))}
    before = None
    while batch := page(connection, games.c.id > 0, 500, before):
        for game in batch:
            sides = {side.side: side for side in game.sides}
            for seat in game.seats:
                side = sides[seat.side]
                when = (moment(game.began), moment(game.ended))
                who = (seat.place + 1, seat.side + 1, cell(seat.name or ""))
                won = int(game.winner == seat.side)
                came = (side.front, won, SKUNK[side.lost], paid.get((game.id, seat.side), ""))
                writer.writerow((game.id, game.board, *when, game.state, game.target, *who, *came))
        before = batch[-1].id
    return out.getvalue()


# Reads an export that may come from anybody, and refuses what a board and this program cannot have written.

MOST_BYTES = 64 << 20
MOST_ITEMS = 24_000_000  # counted before anything is read, since small things take much memory
MOST_EVENTS = 20_000  # of one game, which has about 70
WORD = 0xFFFFFFFF
HINT = "take a file that `export` of this program has written; nothing was changed"
NUMBERS = ("rev", "kind", "side", "a", "b", "c", "session", "command")
RANGES = dict(zip(NUMBERS, (WORD, RESTORE, PLACES - 1, 255, 0xFFFF, 255, 0xFFFF, 255), strict=True))


@dataclass(frozen=True)
class ExportedSpan:
    """A number of a game of the file, with what was said of it."""

    epoch: int
    number: int
    won: str | None
    moved: bool
    names: dict[int, str | None]


@dataclass(frozen=True)
class ExportedGame:
    """A game of the file: its numbers by journal, who sat where and whether staff said so, its events."""

    row: GameRow
    spans: list[ExportedSpan]
    seats: dict[int, tuple[str | None, bool]]
    events: list[StoredEvent]


@dataclass(frozen=True)
class Export:
    """The contents of the file. `loose` events belong to no game; a correction's game is an index."""

    players: list[tuple[str, datetime, list[str]]]
    games: list[ExportedGame]
    loose: list[StoredEvent]
    corrections: list[Correction]
    contests: list[ExportedContest] = field(default_factory=list)


def read(text: str) -> Export:
    """The contents of an export; raises ArgumentError for another file."""
    if len(text) > MOST_BYTES or text.count(",") + text.count("[") + text.count("{") > MOST_ITEMS:
        raise ArgumentError("the file is too large for a history", f"an import may have {MOST_BYTES >> 20} MB")
    try:
        return _export(json.loads(text, parse_constant=_no_number))
    except DAMAGE as error:
        raise ArgumentError(f"that file is not an exported history: {placed(error)}", HINT) from error


def _no_number(text: str) -> NoReturn:
    raise Unfit(f"{text} is not a number")


def _export(data: object) -> Export:
    data = as_object(data)
    if data["format"] != FORMAT or data["version"] != VERSION:
        raise Unfit(f"it claims to be {quote(data['format'])}, version {quote(data['version'])}")
    if data["columns"] != list(EVENT):
        raise Unfit("its events have other columns")
    checked_games = as_list_of("game", data["games"], _checked_game)
    loose = [event for events in as_list_of("loose", data["loose"], _checked_loose) for event in events]
    people = as_list_of("player", data["players"], _player)
    traced = as_list_of("correction", data["corrections"], partial(_correction, most=len(checked_games)))
    return Export(people, checked_games, loose, traced, as_list_of("contest", data.get("contests", []), checked))


def _checked_loose(data: object) -> list[StoredEvent]:
    data = as_object(data)
    return as_list_of("event", data["events"], partial(_checked_event, board=as_number(data["board"]), setup=None))


def _player(data: object) -> tuple[str, datetime, list[str]]:
    data = as_object(data)
    return as_name(data["name"]), as_moment(data["since"]), as_list_of("key", data["keys"], _key)


def _checked_game(data: object) -> ExportedGame:
    data = as_object(data)
    setup = Setup(*(as_whole(data[part], 255) for part in SETUP[:-1]))
    dealer = optional(data["dealer"], as_whole, PLACES - 1)
    lines = (setup.skunk, setup.double)
    check_setup(setup.target, setup.mask, setup.count, setup.seats[0] if dealer is None else dealer, *lines)
    aside = data["aside"]
    if aside is not None and aside not in (NEXT, STAFF, UNPLAYED):
        raise Unfit(f"{quote(aside)} is no state of a game")
    happened = as_list(data["events"])
    if len(happened) > MOST_EVENTS:
        raise Unfit(f"a game has {len(happened)} events")
    board = as_number(data["board"])
    row = replace(
        setup.game(board, dealer, as_moment(data["began"])),
        heard=as_moment(data["heard"]),
        ended=optional(data["ended"], as_moment),
        aside=optional(aside, str),
        withdrawn=as_truth(data["withdrawn"]),
    )
    numbers = as_list_of("span", data["spans"], partial(_checked_span, setup=setup))
    checked_events = as_list_of("event", happened, partial(_checked_event, board=board, setup=setup))
    return ExportedGame(row, numbers, _seats(data["seats"], setup), checked_events)


def _checked_span(data: object, setup: Setup) -> ExportedSpan:
    epoch, at, said, moved, who = as_list(data)
    won = optional(said, as_text, 66)
    if won is not None and won != " ".join(str(as_whole(int(games), WORD)) for games in won.split(" ")):
        raise Unfit(f"{quote(won)} is not games won")
    names = {_place(place, setup): optional(player, as_name) for place, player in map(as_list, as_list(who))}
    return ExportedSpan(as_whole(epoch, WORD), as_whole(at, WORD), won, as_truth(moved), names)


def _seats(data: object, setup: Setup) -> dict[int, tuple[str | None, bool]]:
    rows = [as_list(row) for row in as_list(data)]
    by_place = {
        _place(place, setup): (optional(player, as_name), as_truth(by_staff)) for place, player, by_staff in rows
    }
    taken = [key(player) for player, _ in by_place.values() if player is not None]
    if not len(by_place) == len(rows) == len(setup.seats) or len(set(taken)) < len(taken):
        raise Unfit("the seats of a game are not those of its players")
    return by_place


def _place(value: object, setup: Setup) -> int:
    if value not in setup.seats:
        raise Unfit(f"nobody can sit at place {quote(value)}")
    return as_whole(value, PLACES - 1)


def _checked_event(data: object, board: str, setup: Setup | None) -> StoredEvent:
    values = dict(zip(EVENT, as_list(data), strict=True))
    epoch, game = as_whole(values["epoch"], WORD), as_whole(values["number"], WORD)
    numbers = [*(as_whole(values[part], most) for part, most in RANGES.items()), game]
    cards, starter, by, said = [as_text(values[part], longest) for part, longest in MOST_TEXT.items()]
    at = as_moment(values["at"])
    row = Event(*numbers, cards=cards, starter=starter, by=by, text=said, at=at)
    event = StoredEvent.of(row, board, epoch, at)
    if not event.rev:
        raise Unfit("an event has no number")
    if event.kind and all(values[part] is None for part in POSITION):
        return event
    pegs = as_text(values["pegs"], 24)
    setup = setup or Setup(241, 63, len(pegs) // 4, 0, 0)
    dealer, winner = as_whole(values["dealer"], PLACES - 1), as_whole(values["winner"], PLACES - 1, -1)
    state = [setup.target, setup.mask, setup.count, dealer, setup.skunk, setup.double, winner]
    standing = Standing.read([event.rev, game, *state, pegs, [0] * setup.count])
    return replace(event, position=Position.of(standing), said=at)


def _correction(data: object, most: int) -> Correction:
    at, who, what, game, before, after = as_list(data)
    index = optional(game, as_whole, most - 1)
    return Correction(as_moment(at), as_text(who, 60), as_text(what, 20), index, _flat(before), _flat(after))


def _flat(value: object) -> Entry:
    if not isinstance(value, dict) or flat(value) != value or len(json.dumps(value)) > 1 << 20:
        raise Unfit("a correction is too long, or says more than texts and numbers")
    return value


def _key(value: object) -> str:
    known = as_text(value, LONGEST_NAME)
    if not 0 < len(key(known)) <= LONGEST_NAME:
        raise Unfit(f"{quote(value)} is no name")
    return known


# Imports an export, each event once. Existing entries stay as they are; gaps are filled.

NO_JOURNAL = -1  # nothing is reported now
GAMES_AT_A_TIME, EVENTS_AT_A_TIME = 20, 2000


@dataclass(frozen=True)
class ImportResult:
    """How much an import has added."""

    games: int
    events: int
    corrections: int

    def __add__(self, other: ImportResult) -> ImportResult:
        return ImportResult(self.games + other.games, self.events + other.events, self.corrections + other.corrections)


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
            Games(self.connection, board, NO_JOURNAL, self.now).add_up(changed)
        traced = self._trace(export.corrections, [game for game, _ in results])
        for board in sorted({*self._changed.values()}):
            self._settle(Games(self.connection, board, NO_JOURNAL, self.now))
        bring(self.connection, export.contests, self.now)
        return ImportResult(sum(new for _, new in results), written, traced)

    def _settle(self, here: Games) -> None:
        """Decide again which games those of a board are, with what was here."""
        for changed in sorted(here.settle()):
            here.add_up(changed)
        here.seat()

    def _game(self, game: ExportedGame) -> tuple[int | None, bool]:
        """The id of the same game here, known by its numbers, and whether it is new; None if its board has lost it."""
        board = game.row.board
        if not game.spans:
            return None, False
        numbered = tuple_(spans.c.epoch, spans.c.number).in_([(span.epoch, span.number) for span in game.spans])
        begun = self.connection.execute(select(spans).where(spans.c.board == board, numbered)).all()
        same = {(row.epoch, row.number): row.game for row in begun}
        here = next((known for known in same.values() if known is not None), None)
        new = here is None
        if here is None:
            here = begin_game(self.connection, game.row)
            self._changed[here] = board
            for place, (name, corrected) in game.seats.items():
                seat = {"game": here, "place": place, "side": setup_of(game.row).side_of(place), "corrected": corrected}
                player = seated(self.connection, name, self.now)
                self.connection.execute(insert(seats).values(**seat, player=player))
        for span in game.spans:
            number = {"board": board, "epoch": span.epoch, "number": span.number}
            if (span.epoch, span.number) not in same:
                said = {"won": span.won, "moved": span.moved, "game": here}
                self.connection.execute(insert(spans).values(**number, **said))
                for place, name in span.names.items():
                    player = seated(self.connection, name, self.now)
                    self.connection.execute(insert(sat).values(**number, place=place, player=player))
            elif same[span.epoch, span.number] is None:
                where = [spans.c[name] == value for name, value in number.items()]
                self.connection.execute(update(spans).where(*where).values(game=here))
        return here, new

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
            lost_here = {key_of(read_event(row)) for row in self.connection.execute(gone)}
            # What a board is known to have lost since does not come back with an older export.
            rows = {rev: kept for rev, kept in rows.items() if rev in had or key_of(kept) not in lost_here}
            if new := [kept.columns() for rev, kept in rows.items() if rev not in had]:
                self.connection.execute(insert(events), new)
            merged = {rev: _merged(had[rev], rows[rev]) for rev in rows.keys() & had.keys()}
            better = [kept for rev, kept in merged.items() if kept != had[rev]]
            for kept in better:
                self.connection.execute(update(events).where(here, events.c.rev == kept.rev).values(kept.columns()))
            changed += len(new) + len(better)
            numbers = {rows[rev].game for rev in rows if rev not in had} | {kept.game for kept in better}
            own = and_(spans.c.board == board, spans.c.epoch == epoch, spans.c.number.in_(numbers))
            for game in self.connection.execute(select(spans.c.game).where(own, spans.c.game.is_not(None))).scalars():
                self._changed[game] = board
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
                new.append(vars(row) | said | {"game": game})
        if new:
            self.connection.execute(insert(corrections), new)
        scored = games.c.id.in_([one["game"] for one in new if one["what"] == SCORE])
        for each in game_rows(self.connection, scored):
            Games(self.connection, each.board, 0, self.now).add_up(each.id)
        return len(new)


def _about(row: Correction) -> tuple[object, ...]:
    """What tells a correction from others."""
    return row.at, row.who, row.what, json.dumps(row.before), json.dumps(row.after)


def _merged(had: StoredEvent, given: StoredEvent) -> StoredEvent:
    """What two hosts know of an event; where both know something, what is here stays."""
    heard = given if given.kind and not had.kind else had
    position = given.position if had.position is None and had.game == given.game else had.position
    return replace(heard, game=had.game, position=position)
