"""The games of a board: their numbers, setups, seats, players, times and results."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime, timedelta
from threading import Lock

from sqlalchemy import BigInteger, Connection, delete, insert, select, type_coerce, update

from cribboard.board.messages import Row, Standing
from cribboard.errors import ArgumentError
from cribboard.names import check_name, key
from cribboard.store.fold import SUMS, Kept, Setup, steps, sums
from cribboard.store.schema import (
    GameRow,
    Moment,
    boards,
    events,
    game_rows,
    games,
    names,
    players,
    scores,
    seats,
    spans,
)
from cribboard_core.events import NEW, RESTORE, Refused, check_setup, setup_word

# The players: each has a name, and earlier names still mean the same player.

GUEST = "a guest"


def known(connection: Connection, name: str) -> int | None:
    """The id of the player with this name, or None."""
    return connection.execute(select(names.c.player).where(names.c.key == key(name))).scalar()


def players_of(connection: Connection, wanted: Iterable[str]) -> dict[str, int]:
    """The ids of players by name, without names that nobody has."""
    keys = {name: key(name) for name in wanted}
    found = select(names.c.key, names.c.player).where(names.c.key.in_(keys.values()))
    who = {row.key: row.player for row in connection.execute(found)} if keys else {}
    return {name: who[known] for name, known in keys.items() if known in who}


def seated(connection: Connection, name: str | None, now: datetime) -> int | None:
    """The id of the player with a name, made if need be; None (a guest) for an invalid name."""
    try:
        tidy = check_name(name or "")
    except ArgumentError:
        return None
    found = known(connection, tidy)
    if found is None:
        made = connection.execute(insert(players).values(name=tidy, since=now)).inserted_primary_key
        found = int(made[0]) if made else 0
        connection.execute(insert(names).values(key=key(tidy), player=found))
    return found


def begin_game(connection: Connection, row: GameRow) -> int:
    """Write a new game; returns its id."""
    made = connection.execute(insert(games).values(**row.columns())).inserted_primary_key
    return int(made[0]) if made else 0


# The games of a board: their numbers, setups, seats and results.

NEXT, STAFF, UNPLAYED = "next", "staff", "unplayed"  # why a game is not played on


class Games:
    """The games of one board, in one transaction. `was` is the game that was on, with the board's standing."""

    def __init__(self, connection: Connection, board: str, epoch: int, now: datetime) -> None:
        self.connection = connection
        self.board = board
        self.epoch = epoch
        self.now = now
        self.was: tuple[int | None, Standing] | None = None
        self.begun: set[int] = set()  # the numbers of games that are known since
        self._found: dict[int, int | None] = {}

    def of(self, number: int, standing: Standing, begin: Kept | None = None) -> int | None:
        """The id of the game with a number, made if need be; None if its setup is unknown. `begin`: its first event."""
        if self._found.get(number) is None:
            here = (spans.c.board == self.board) & (spans.c.epoch == self.epoch) & (spans.c.number == number)
            found = self.connection.execute(select(spans.c.game).where(here)).scalar()
            self._found[number] = self._begin(number, standing, begin) if found is None else found
        return self._found[number]

    def _begin(self, number: int, standing: Standing, begin: Kept | None) -> int | None:
        kind = 0 if begin is None else begin.row.kind
        new = begin if kind == NEW else None
        told = standing if standing.game == number else None
        game = None if new else self._continued(told, kind)
        if game is None:
            setup = _setup(new.row) if new else None
            if setup is None and told is not None:
                setup = Setup(told.target, told.mask, told.count, told.skunk, told.double)
            if setup is None:
                return None
            game = self._new(
                setup, new.row.side if new else None, begin.note.at if begin and begin.note.at else self.now
            )
        span = {"board": self.board, "epoch": self.epoch, "number": number}
        self.connection.execute(insert(spans).values(**span, game=game))
        self.begun.add(number)
        return game

    def began(self, game: int, begin: Kept) -> None:
        """Say of a game that was known by a later event what its first one says: who dealt, and when."""
        first = {"dealer": begin.row.side, "began": begin.note.at or self.now}
        late = (games.c.id == game) & games.c.dealer.is_(None)
        self.connection.execute(update(games).where(late).values(**first))

    def _continued(self, told: Standing | None, kind: int) -> int | None:
        """The previous game, if this number continues it after a restore or in another journal; else None."""
        if self.was is None or self.was[0] is None:
            return None
        game, before = self.was
        if kind != RESTORE and self._spans(game):
            return None
        if told is None:
            return game
        return game if _began_alike(told) == _began_alike(before) else None

    def _spans(self, game: int | None) -> bool:
        here = (spans.c.game == game) & (spans.c.board == self.board) & (spans.c.epoch == self.epoch)
        return self.connection.execute(select(spans.c.number).where(here)).first() is not None

    def _new(self, setup: Setup, dealer: int | None, began: datetime) -> int:
        game = begin_game(self.connection, setup.game(self.board, dealer, began))
        sat = self._sat(setup)
        for place in setup.seats:
            seat = {"game": game, "place": place, "side": setup.side_of(place), "corrected": False}
            self.connection.execute(insert(seats).values(**seat, player=sat.get(place)))
        return game

    def _sat(self, setup: Setup) -> dict[int, int | None]:
        """The players of the last game at these places, since a board played without a host reports no names."""
        last = select(games.c.id).where(games.c.board == self.board, games.c.mask == setup.mask)
        game = self.connection.execute(last.order_by(games.c.id.desc()).limit(2)).scalars().all()[1:]
        found = select(seats.c.place, seats.c.player).where(seats.c.game.in_(game))
        return {row.place: row.player for row in self.connection.execute(found)}

    def stands(self, game: int, standing: Standing, names: Mapping[int, str], *, played: bool) -> None:
        """Write the standing of the game that is on, and who plays it."""
        (row,) = game_rows(self.connection, games.c.id == game)
        values: dict[str, object] = {"pegs": standing.pegs(), "aside": None if played or row.aside != STAFF else STAFF}
        if played:
            values["heard"] = self.now
        if standing.winner < 0:
            values |= {"winner": None, "ended": None}
        elif row.winner != standing.winner:
            values |= {"winner": standing.winner, "ended": self.now}
        self.connection.execute(update(games).where(games.c.id == game).values(**values))
        self.seat(game, names)
        if standing.winner >= 0 or row.winner is not None:
            self.add_up(game)

    def seat(self, game: int, names: Mapping[int, str]) -> None:
        """Write who plays a game, but for the seats that staff have corrected."""
        known = players_of(self.connection, names.values())
        found = self.connection.execute(select(seats).where(seats.c.game == game).order_by(seats.c.place)).all()
        taken = {seat.player for seat in found if seat.corrected}
        for seat in found:
            if not seat.corrected:
                name = names.get(seat.place)
                player = known.get(name or "") or seated(self.connection, name, self.now)
                player = None if player in taken else player  # two names may mean one player, who sits once
                taken.add(player)
                if player != seat.player:
                    here = (seats.c.game == game) & (seats.c.place == seat.place)
                    self.connection.execute(update(seats).where(here).values(player=player))

    def over(self, changed: Iterable[int], playing: int | None) -> None:
        """Add up the games that changed or were still open here, except the one that is on."""
        open_here = (games.c.board == self.board) & games.c.winner.is_(None) & games.c.aside.is_(None)
        still = self.connection.execute(select(games.c.id).where(open_here)).scalars()
        for game in sorted({*changed, *still} - {playing}):
            self.add_up(game, over=True)

    def add_up(self, game: int, *, over: bool = False) -> None:
        """Fold a game again and write its result; `over`: another game is played now."""
        (row,) = game_rows(self.connection, games.c.id == game)
        fold, found, after = steps(self.connection, row)
        stood = next((step.stood for step in reversed(found) if step.stood), None)
        stood = (fold.ended() if fold.late else None) or stood
        whole = fold.whole and not after
        values: dict[str, object] = {"whole": whole, "summed": SUMS}
        if stood is not None:
            values |= {"pegs": stood.pegs, "winner": None if stood.winner < 0 else stood.winner}
            values["ended"] = None if stood.winner < 0 else row.ended or found[-1].kept.note.at
        self.connection.execute(delete(scores).where(scores.c.game == game))
        if stood is not None and stood.winner >= 0:
            values["aside"] = None
            dealers = {
                (step.kept.epoch, step.kept.row.rev): fold.setup.side_of(step.stood.dealer)
                for step in found
                if step.stood is not None and step.stood.dealer in fold.setup.seats
            }
            side_sums = sums(fold.setup, stood, fold.counted(), whole, dealers)
            if side_sums:
                self.connection.execute(insert(scores), [{"game": game, **each} for each in side_sums])
        elif over and row.aside != STAFF:
            values["aside"] = NEXT if stood is not None and max(stood.fronts) else UNPLAYED
        self.connection.execute(update(games).where(games.c.id == game).values(**values))


def move(connection: Connection, board: str, to: str, epoch: int, number: int) -> None:
    """Let the game that is on at one board go on at another, as `number` of its journal, as after a lost journal."""
    there = {"board": to, "epoch": epoch, "number": number}
    known = [spans.c[name] == value for name, value in there.items()]
    game = connection.execute(select(boards.c.game).where(boards.c.uid == board)).scalar()
    if game is None or connection.execute(select(spans.c.game).where(*known)).first() is not None:
        return
    connection.execute(update(games).where(games.c.id == game).values(board=to))
    for table in (events, spans):
        connection.execute(update(table).where(table.c.game == game).values(board=to))
    connection.execute(insert(spans).values(**there, game=game))
    connection.execute(update(boards).where(boards.c.uid == board).values(game=None))


def _setup(begin: Row) -> Setup | None:
    target, mask, count = setup_word(begin.b)
    try:
        check_setup(target, mask, count, begin.side, begin.a, begin.c)
    except Refused:
        return None
    return Setup(target, mask, count, begin.a, begin.c)


def _began_alike(standing: Standing) -> tuple[object, ...]:
    """What does not change during a game."""
    won = [games - (side == standing.winner) for side, games in zip(standing.sides, standing.won, strict=True)]
    return (standing.target, standing.mask, standing.count, won)


# Corrects times when the clock is set during games, so that no game seems to last a year.

LEAST = timedelta(minutes=2)  # clocks drift less, and are put right by less, all the time
Steady = Callable[[], float]


def uptime() -> float:
    """Seconds of a clock that nobody can set; it runs on during sleep where the system has such a clock."""
    return time.clock_gettime(time.CLOCK_BOOTTIME) if hasattr(time, "CLOCK_BOOTTIME") else time.monotonic()


class Jumps:
    """Compares the clock with a steady one at each write, and corrects the times written since the start."""

    def __init__(self, steady: Steady, at: datetime) -> None:
        self._steady = steady
        self._since = self._last = at
        self._stood = steady()
        self._boards: set[str] = set()  # those of this program; others have clocks of their own
        self._lock = Lock()

    def look(self, connection: Connection, board: str, at: datetime) -> None:
        """Look at the clock, which says `at`, before something of a board is written."""
        with self._lock:
            stood = self._steady()
            jump = at - self._last - timedelta(seconds=stood - self._stood)
            since, until = self._since, self._last
            self._last, self._stood = at, stood
            self._boards.add(board)
            if abs(jump) < LEAST:
                return
            self._since += jump
            ours = sorted(self._boards)
        for table, whose in ((games, games.c.board), (events, events.c.board), (boards, boards.c.uid)):
            for column in (column for column in table.c if isinstance(column.type, Moment)):
                moved = type_coerce(column, BigInteger) + jump // timedelta(milliseconds=1)
                written = whose.in_(ours) & column.between(since, until)
                connection.execute(update(table).where(written).values({column: type_coerce(moved, Moment)}))
