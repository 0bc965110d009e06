"""Reads games: a page of them, one game event by event, and the game that is on."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from sqlalchemy import ColumnElement, Connection, Select, and_, case, exists, false, func, or_, select, tuple_

from cribboard.board.messages import Corrected
from cribboard.computer.levels import LEVELS, player_name
from cribboard.computer.tables import NEED, chance_to_win, percent
from cribboard.files import Entry
from cribboard.matches import Result
from cribboard.names import Names, key
from cribboard.store.fold import Fold, GameChange
from cribboard.store.game_events import changes, missing
from cribboard.store.games import UNPLAYED
from cribboard.store.schema import (
    IS_ON,
    OF_SPAN,
    GameRow,
    boards,
    corrections,
    events,
    game_rows,
    games,
    players,
    scores,
    seats,
    spans,
)
from cribboard.store.schema import names as known_names
from cribboard.store.stored import Position, Setup, setup_of
from cribboard.store.write import entry_of
from cribboard.words import Words, reached
from cribboard_core.events import DEAL, HAND, KINDS, NEW, PEG, REDO, SET, UNDO
from cribboard_core.match import Match
from cribboard_core.variants import COLOURS

# Games that are ranked apart: among people, against the computer, and those in which a score was corrected.
PEOPLE, COMPUTER, CORRECTED = "people", "computer", "corrected"
RANKED = (PEOPLE, COMPUTER, CORRECTED)

COUNTED = ("place", "side", "dealer", "winner")  # from 0, and in JSON from 1


def moment(at: datetime | None) -> str | None:
    """A moment as ISO text, in UTC."""
    return None if at is None else at.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


class PageEntry:
    """What pages get: its fields are those of an object for JSON, without those that have their defaults."""

    def entry(self) -> Entry:
        """As an object for JSON; sides and places count from 1."""
        shown = [(name, value) for name, value in vars(self).items() if value != getattr(type(self), name, ...)]
        return {name: _one(value) if name in COUNTED else _plain(value) for name, value in shown}


def _plain(value: object) -> object:
    if isinstance(value, PageEntry):
        return value.entry()
    if isinstance(value, datetime):
        return moment(value)
    if isinstance(value, Mapping):
        return {name: _plain(each) for name, each in value.items()}
    return [_plain(each) for each in value] if isinstance(value, (tuple, list)) else value


def _one(place: int | None) -> int | None:
    return None if place is None or place < 0 else place + 1


@dataclass(frozen=True)
class Seat(PageEntry):
    """Who sat at a place; a guest if there is no player."""

    place: int
    side: int
    player: int | None
    name: str | None


@dataclass(frozen=True)
class Side(PageEntry):
    """A side at the end of a game; `lost` is 0 not, 1 lost, 2 skunked, 3 double-skunked."""

    side: int
    name: str | None
    front: int
    back: int
    lost: int


@dataclass(frozen=True)
class Game(PageEntry):
    """A game; `state` is won, open, abandoned or withdrawn. Without `whole` some of its events are missing."""

    id: int
    board: str
    state: str
    target: int
    skunk: int
    double: int
    began: datetime
    heard: datetime
    ended: datetime | None
    winner: int | None
    whole: bool
    seats: tuple[Seat, ...]
    sides: tuple[Side, ...]
    line: tuple[tuple[int, ...], ...] = ()  # the fronts after each event that counts, where they were asked for
    among: str = PEOPLE  # or computer or corrected: where it is ranked


@dataclass(frozen=True)
class GameEvent(PageEntry):
    """An event of a game and the pegs after it, by side; None where they are unknown.

    The `kind` gap stands for `missing` events. `gone` says that the event was taken back later.
    """

    kind: str
    rev: int
    at: datetime | None
    side: int | None
    points: int | None
    text: str
    fronts: tuple[int, ...] | None
    backs: tuple[int, ...] | None
    dealer: int | None
    winner: int | None
    gone: bool = False
    missing: int = 0
    cards: str = ""
    starter: str = ""
    by: str = ""


@dataclass(frozen=True)
class Correction(PageEntry):
    """A correction: when, who, what, and what was there before and after."""

    at: datetime
    who: str
    what: str
    game: int | None
    before: object
    after: object


@dataclass(frozen=True)
class Replay:
    """A game event by event, with its corrections."""

    game: Game
    events: Sequence[GameEvent]
    corrections: Sequence[Correction]

    def entry(self, *, odds: bool = True) -> Entry:
        """As an object for JSON, with the chances to win unless there are to be no `odds`."""
        return {
            **self.game.entry(),
            "events": [{**event.entry(), **(self._chances(event) if odds else {})} for event in self.events],
            "corrections": [correction.entry() for correction in self.corrections],
        }

    def _chances(self, event: GameEvent) -> Entry:
        """Before each deal of two players, each side's chance to win in percent, by the scores and the deal."""
        game, fronts = self.game, event.fronts
        sides = {seat.place: seat.side for seat in game.seats}
        dealer = sides.get(event.dealer if event.dealer is not None else -1)
        running = fronts is not None and len(fronts) == 2 and max(fronts) < game.target <= NEED
        if event.kind not in ("new", "deal") or len(sides) != 2 or dealer is None or not running:
            return {}
        assert fronts is not None  # noqa: S101 (it is running)
        first = percent(chance_to_win(fronts[0], fronts[1], game.sides[0].side == dealer, game.target))
        return {"chances": [first, 100 - first]}


def results(connection: Connection) -> list[Result]:
    """The results of the games that count, in the order in which they ended."""
    summed = games.c.id.in_(select(scores.c.game))  # else it is nobody's win
    sat = seated_in(connection, select(games.c.id).where(COUNTS))
    counting = game_rows(connection, COUNTS, summed, order=(games.c.ended, games.c.id))
    return [_result(_game(row, sat[row.id])) for row in counting]


def _result(game: Game) -> Result:
    names = tuple(side.name or COLOURS[side.side].capitalize() for side in game.sides)
    return Result(names, tuple(side.front for side in game.sides), game.target, game.skunk, game.double)


BLANK = and_(  # a board that nobody has touched since it was built
    func.replace(games.c.pegs, "0", "") == "",
    ~exists().where(spans.c.game == games.c.id, OF_SPAN, events.c.kind != 0),
    ~exists().where(seats.c.game == games.c.id, seats.c.player.is_not(None)),
)
SHOWN = and_(or_(games.c.aside.is_(None), games.c.aside != UNPLAYED), ~BLANK)
MACHINES = select(known_names.c.player).where(known_names.c.key.in_([key(player_name(level)) for level in LEVELS]))
AMONG = case(
    (games.c.id.in_(select(scores.c.game).where(scores.c.corrected)), CORRECTED),
    (games.c.id.in_(select(seats.c.game).where(seats.c.player.in_(MACHINES))), COMPUTER),
    else_=PEOPLE,
)

COUNTS = games.c.winner.is_not(None) & (games.c.withdrawn == false())  # in the statistics


def page(
    connection: Connection,
    where: ColumnElement[bool],
    limit: int,
    before: int | None = None,
    *,
    lines: bool = False,
) -> list[Game]:
    """Games, newest first; `before` is the last id of the previous page. With `lines` each has its line of scores."""
    if before is not None:
        last = select(games.c.heard, games.c.id).where(games.c.id == before).subquery()
        # From the place of the last game on, and not by a number of games, which changes while somebody reads.
        where &= tuple_(games.c.heard, games.c.id) < select(last.c.heard, last.c.id).scalar_subquery()
    rows = game_rows(connection, SHOWN, where, order=(games.c.heard.desc(), games.c.id.desc()), most=limit)
    sat = seated_in(connection, [row.id for row in rows])
    among = _among(connection, [row.id for row in rows])
    shown = [replace(_game(row, sat[row.id]), among=among[row.id]) for row in rows]
    return (
        [replace(game, line=_line(connection, row)) for game, row in zip(shown, rows, strict=True)] if lines else shown
    )


def _among(connection: Connection, wanted: Sequence[int]) -> dict[int, str]:
    """Where games are ranked."""
    ranked = connection.execute(select(games.c.id, AMONG).where(games.c.id.in_(wanted)))
    return {row[0]: row[1] for row in ranked}


def _line(connection: Connection, row: GameRow) -> tuple[tuple[int, ...], ...]:
    """The fronts from the start and after each event that still counts, without repeats."""
    fold, game_changes, _ = changes(connection, row)
    left = {(kept.epoch, kept.rev) for kept in fold.survivors}
    line: list[tuple[int, ...]] = []
    for change in game_changes:
        counts = change.event.kind == NEW or (change.event.epoch, change.event.rev) in left
        if change.after is not None and counts and line[-1:] != [change.after.fronts]:
            line.append(change.after.fronts)
    return tuple(line)


def seated_in(connection: Connection, wanted: Sequence[int] | Select[int]) -> dict[int, list[Seat]]:
    """The seats of games, by game."""
    by_game: dict[int, list[Seat]] = defaultdict(list)
    columns = (seats.c.game, seats.c.place, seats.c.side, seats.c.player, players.c.name)
    joined = select(*columns).outerjoin(players, players.c.id == seats.c.player).where(seats.c.game.in_(wanted))
    for row in connection.execute(joined.order_by(seats.c.game, seats.c.place)):
        by_game[row.game].append(Seat(row.place, row.side, row.player, row.name))
    return by_game


def _game(row: GameRow, sat: list[Seat]) -> Game:
    setup = setup_of(row)
    winner = -1 if row.winner is None else row.winner
    match = _match(setup, Position(row.pegs, setup.seats[0], winner))
    names = Names(match, {seat.place: seat.name for seat in sat if seat.name})
    return Game(
        id=row.id,
        board=row.board,
        state=state(row),
        target=row.target,
        skunk=row.skunk,
        double=row.double_skunk,
        began=row.began,
        heard=row.heard,
        ended=row.ended,
        winner=row.winner,
        whole=row.whole,
        seats=tuple(sat),
        sides=tuple(
            Side(side, names.given(side) or None, match.front(side), match.back(side), match.skunked(side))
            for side in setup.sides
        ),
    )


def state(row: GameRow) -> str:
    """A game's state: withdrawn, won, abandoned or open."""
    if row.withdrawn:
        return "withdrawn"
    if row.winner is not None:
        return "won"
    return "abandoned" if row.aside else "open"


def _match(setup: Setup, position: Position) -> Match:
    return position.standing(setup).match()


def replay(connection: Connection, game: int, *, plain: bool = False) -> Replay | None:
    """A game event by event, None if there is no such game; a `plain` one tells of hands as of other points."""
    row = next(iter(game_rows(connection, games.c.id == game)), None)
    if row is None:
        return None
    sat = seated_in(connection, [game])[game]
    kinds = [KINDS[PEG if plain and kind == HAND else kind] for kind in range(len(KINDS))]
    teller = _Narrator(setup_of(row), sat, kinds)
    fold, game_changes, after = changes(connection, row)
    for change in game_changes:
        teller.tell(change)
    teller.correct(fold, game_changes)
    lost, _ = missing(connection, row.board, game, [change.event for change in game_changes])
    left = {(kept.epoch, kept.rev) for kept in fold.survivors}
    game_events: list[GameEvent] = []
    for change, text in zip(game_changes, teller.said, strict=True):
        key = change.event.epoch, change.event.rev
        game_events += _happenings(change, text, left, lost.get(key, 0), fold.lines.get(key))
    if plain:
        game_events = [
            replace(one, kind="peg", cards="", starter="") if one.kind == "hand" else one for one in game_events
        ]
    if after:
        game_events.append(_gap(after))
    shown = replace(_game(row, sat), among=_among(connection, [game])[game])
    return Replay(shown, game_events, corrected(connection, corrections.c.game == game))


def _happenings(
    change: GameChange, text: str, left: set[tuple[int, int]], lost: int, line: Corrected | None
) -> list[GameEvent]:
    event, position = change.event, change.after
    lost += not event.kind
    game_events = [_gap(lost)] if lost else []
    if event.kind:
        scored = event.kind not in (UNDO, REDO, DEAL, SET) and event.side >= 0
        points = line.points if line else event.a
        undoable = event.kind not in (UNDO, REDO) and KINDS[event.kind] not in ("new", "restore")
        game_events.append(
            GameEvent(
                kind=KINDS[event.kind],
                rev=event.rev,
                at=event.at,
                side=None if KINDS[event.kind] in ("undo", "redo", "restore") else event.side,
                points=points if scored and KINDS[event.kind] not in ("new", "restore") else None,
                text=text,
                fronts=position.fronts if position else None,
                backs=position.backs if position else None,
                dealer=position.dealer if position else None,
                winner=position.winner if position else None,
                gone=undoable and (event.epoch, event.rev) not in left,
                cards=event.cards,
                starter=event.starter,
                by=event.by,
            )
        )
    return game_events


def _gap(lost: int) -> GameEvent:
    what = "an event is" if lost == 1 else f"{lost} events are"
    return GameEvent("gap", 0, None, None, None, f"{what} missing.", None, None, None, None, missing=lost)


class _Narrator:
    """Makes the sentences for the events of a game."""

    def __init__(self, setup: Setup, sat: list[Seat], kinds: Sequence[str]) -> None:
        self.said: list[str] = []
        self._kinds = kinds
        self._setup = setup
        self._names = {seat.place: seat.name for seat in sat if seat.name}

    def tell(self, change: GameChange) -> None:
        """Add the sentence for an event."""
        event, match = change.event, _match(self._setup, change.after) if change.after else None
        words = self._words(match or self._blank())
        if not event.kind:
            self.said.append("")
        elif event.kind in (UNDO, REDO):
            self.said.append(self._stepped(change, words))
        elif match is None:
            self.said.append(f"{words.event(self._kinds[event.kind], event.side, event.a, event.b)}.")
        else:
            self.said.append(words.happened(self._kinds[event.kind], event.side, event.a, event.b))
            if match.winner >= 0:
                self.said[-1] += f" {words.win().partition(' Games won')[0]}"

    def correct(self, fold: Fold, game_changes: Sequence[GameChange]) -> None:
        """Say of corrected lines, and of the scores that were set for them, from what they were corrected, by whom."""
        events = {(change.event.epoch, change.event.rev): change.event for change in game_changes}
        words = self._words(self._blank())
        for at, change in enumerate(game_changes):
            key = change.event.epoch, change.event.rev
            done = (key[0], change.about.rev) if change.about else key  # which an undo took back
            line = fold.lines.get(key) or fold.sets.get(done)
            event = events.get((key[0], line.rev)) if line else None
            if line and event:
                was = (self._kinds[event.kind], event.side, line.was if done in fold.sets else event.a, event.b)
                said = words.corrected(was, line.points, line.by)
                op = {UNDO: "Undid: ", REDO: "Redid: "}.get(change.event.kind, "")
                position = change.after if done in fold.sets else None
                said = reached(said, position.fronts[self._setup.sides.index(event.side)]) if position else said
                self.said[at] = f"{op}{said}."

    def _stepped(self, change: GameChange, words: Words) -> str:
        op = KINDS[change.event.kind]
        if change.about is None:
            return "The newest event was taken back." if op == "undo" else "What was last taken back was brought back."
        about = change.about
        if change.after is None:
            what = words.event(self._kinds[about.kind], about.side, about.a, about.b)
            return f"{'Undid' if op == 'undo' else 'Redid'}: {what}."
        return words.stepped(op, self._kinds[about.kind], about.side, about.a, about.b)

    def _words(self, match: Match) -> Words:
        return Words(match, Names(match, self._names))

    def _blank(self) -> Match:
        setup = self._setup
        return Match(setup.target, setup.mask, setup.count, setup.seats[0], (setup.skunk, setup.double))


def corrected(connection: Connection, where: ColumnElement[bool], limit: int | None = 1000) -> list[Correction]:
    """The corrections, newest first."""
    query = select(corrections).where(where).order_by(corrections.c.id.desc()).limit(limit)
    return [
        Correction(row.at, row.who, row.what, row.game, entry_of(row.before), entry_of(row.after))
        for row in connection.execute(query)
    ]


def on(connection: Connection, board: str) -> Game | None:
    """The game that is on at a board, or was when the board last reported."""
    here = games.c.id.in_(select(spans.c.game).join(boards, IS_ON).where(boards.c.uid == board))
    row = next(iter(game_rows(connection, here)), None)
    return None if row is None else _game(row, seated_in(connection, [row.id])[row.id])
