"""The games of a board: their numbers, setups, seats, players, times and results."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import astuple, replace
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    Row,
    and_,
    bindparam,
    case,
    delete,
    exists,
    func,
    insert,
    or_,
    select,
    tuple_,
    type_coerce,
    update,
)

from cribboard.board.messages import Event, Standing
from cribboard.names import key
from cribboard.store import contests
from cribboard.store.contest_tables import acts
from cribboard.store.fold import GameChange
from cribboard.store.game_events import changes
from cribboard.store.people import seated
from cribboard.store.schema import (
    BEGIN,
    IS_ON,
    OF_SPAN,
    GameRow,
    Moment,
    boards,
    corrections,
    events,
    game_rows,
    games,
    lost,
    sat,
    scores,
    seats,
    spans,
)
from cribboard.store.schema import names as people
from cribboard.store.stored import Setup, StoredEvent, setup_of
from cribboard.store.sums import SUMS, sums
from cribboard.typed import DAMAGE, as_field, as_name, as_object, as_truth, as_whole, optional
from cribboard_core.events import NEW, PLACES, RESTORE, Refused, check_setup, setup_word

NEXT, STAFF, UNPLAYED = "next", "staff", "unplayed"  # why a game is not played on
ABANDON, SEAT, WITHDRAW = "abandon", "seat", "withdraw"  # the corrections by which staff change one
FIRST = select(func.min(spans.c.number)).where(spans.c.game == games.c.id).scalar_subquery()
IN_ORDER = (games.c.began, func.coalesce(FIRST, 0))  # of a board's games; several may have begun at one moment
Journals = dict[int, tuple[datetime, int]]  # what sorts a board's journals
SPAN = ("board", "epoch", "number")
OTHER = spans.alias()
SHARED = exists().where(OTHER.c.game == spans.c.game, or_(*(OTHER.c[name] != spans.c[name] for name in SPAN)))
# Who was said to play in a span, and whether its game has others: it is seated by what was said last in any of them.
SITTING = (
    select(sat.c.place, sat.c.player, people.c.key, SHARED.label("shared"))
    .outerjoin(people, people.c.player == sat.c.player)
    .outerjoin(spans, and_(*(spans.c[name] == sat.c[name] for name in SPAN)))
    .where(*(sat.c[name] == bindparam(name) for name in SPAN))
)


def number_of(connection: Connection, game: int | None, at: datetime) -> dict[str, object]:
    """The number of a game that was heard last at a moment, or else first after it, by which others find it."""
    if game is None:
        return {}
    since = func.coalesce(events.c.since, 0)
    order = since > at, case((since > at, since)), since.desc(), events.c.rev.desc()
    own = select(spans.c.board, spans.c.epoch, spans.c.number).outerjoin(events, OF_SPAN).where(spans.c.game == game)
    row = connection.execute(own.order_by(*order).limit(1)).one_or_none()
    return row._asdict() if row else {}


def begin_game(connection: Connection, row: GameRow) -> int:
    """Write a new game; returns its id."""
    made = connection.execute(insert(games).values(**row.columns())).inserted_primary_key
    return int(made[0]) if made else 0


class Games:
    """The games of one board, in one transaction, for reports from its journal `epoch`; `on` is the one that is on.

    A span is a number of a journal with what is known of it; which game it is of follows from all spans and events, in
    whatever order they came. Only the games' ids follow from nothing.
    """

    def __init__(self, connection: Connection, board: str, epoch: int, now: datetime, on: int | None = None) -> None:
        self.connection = connection
        self.board = board
        self.epoch = epoch
        self.now = now
        self.on = on
        self._here = (spans.c.board == board) & (spans.c.epoch == epoch)
        self._begun: int | None = None  # the game that has begun now, with an event of which nothing is missing
        self._numbers: dict[int, int | None] = {}  # the games of numbers of this journal, as far as they were asked
        self._setups: dict[int, Setup] = {}  # of the numbers of this journal, as far as they were said now
        self._unseated: set[int] = set()  # games for which it has changed who plays

    def of(self, number: int) -> int | None:
        """The id of the game with a number, None if nobody knows which that is."""
        if number not in self._numbers:
            own = select(spans.c.game).where(self._here, spans.c.number == number)
            self._numbers[number] = self.connection.execute(own).scalar()
        return self._numbers[number]

    def can_begin_with(self, begin: StoredEvent) -> bool:
        """Whether the game with the number of an event may have begun with it."""
        game, setup = self.of(begin.rev), _setup(begin) if begin.kind == NEW else None
        return game is None or setup in (None, setup_of(self._row(game)))

    def forget(self, number: int) -> None:
        """Forget which game has a number, but not what was said of it: its beginning may be heard again."""
        if (game := self.of(number)) is not None:
            self._unseated.add(game)  # others may have said who plays it
        self._numbers.clear()
        self.connection.execute(update(spans).where(self._here, spans.c.number == number).values(game=None))

    def know(
        self, number: int, standing: Standing | None, begin: StoredEvent | None, at: datetime, *, heard: bool
    ) -> bool:
        """Note what was said of a span at a moment: its standing, and its first event, which may be `heard` only now.

        Returns whether it is clear which game it is.
        """
        begun = _setup(begin) if begin is not None and begin.kind == NEW else None
        setup = begun or (_setup_of(standing) if standing else None)
        if setup is not None:
            self._setups[number] = setup
        row = self.connection.execute(select(spans).where(self._here, spans.c.number == number)).one_or_none()
        # A span keeps the game that it has; only what was not known of it, or was said later, is written.
        game = row.game if row else None
        if game is None and begun and begin:
            game = self._begun = self._new(begun, begin.at or self.now, begin.side)
        self._numbers[number] = game
        if row is not None:
            if game != row.game:
                self.connection.execute(update(spans).where(self._here, spans.c.number == number).values(game=game))
            begins = standing is not None and self._begins(row, standing, at)
            return not begins and row.game is not None and not heard
        span = {"board": self.board, "epoch": self.epoch, "number": number}
        named = at if standing and begin is None else None
        self.connection.execute(insert(spans).values(**span, game=game, named=named, **_start(standing)))
        return game is not None

    def note_lost_game(self, standing: Standing, names: Mapping[int, str], at: datetime) -> None:
        """Note what was said of a game that the board seems to have lost since; it may turn out that it has not."""
        row = self.connection.execute(select(spans).where(self._here, spans.c.number == standing.game)).one_or_none()
        if row is not None:
            self._begins(row, standing, at)
        else:
            span = {"board": self.board, "epoch": self.epoch, "number": standing.game}
            self.connection.execute(insert(spans).values(**span, **_start(standing)))
        self.says(standing, names, at, with_event=False)

    def _begins(self, span: Row[Any], standing: Standing, at: datetime) -> bool:
        """Note how a span began, unless that was said later; returns whether that is new."""
        start = _start(standing)
        if start.items() <= span._mapping.items():
            return False
        if span.won is not None and at < self.said_in(self.epoch, span.number):
            return False
        self.connection.execute(update(spans).where(self._here, spans.c.number == span.number).values(**start))
        return True

    def _won(self, span: Row[Any]) -> str | None:
        """The games won at the start of a span, as far as that was said of the game that has its number now."""
        return span.won if span.won is not None and self._holds(span.epoch, span.number) else None

    def _holds(self, epoch: int, number: int) -> bool:
        """Whether what was said of a span is of the game that has its number now: its board may have lost another."""
        gone = (lost.c.board == self.board) & (lost.c.epoch == epoch) & (lost.c.rev <= number)
        until = self.connection.execute(select(func.max(lost.c.until)).where(gone)).scalar()
        return until is None or self.said_in(epoch, number) >= until

    def settle(self) -> set[int]:
        """Decide again which spans go on with another's game; returns the games that have changed.

        A span does that whose game the board was given, or which begins another journal, if the game before it can be
        the same. What is heard later may show that it is another game, or that the game before was another.
        """
        self._numbers.clear()
        order = self._journals()
        begin = events.alias()
        here = and_(begin.c.board == spans.c.board, begin.c.epoch == spans.c.epoch, begin.c.rev == spans.c.number)
        # A game that a new game's event has begun, alone, is settled for good; all others depend on what was before.
        due = or_(begin.c.kind.is_(None), begin.c.kind != NEW, spans.c.game.is_(None), SHARED)
        began = (begin.c[name] for name in ("kind", "side", "a", "b", "c", "at"))
        due_spans = select(spans, *began).outerjoin(begin, here).where(spans.c.board == self.board, due)
        changed: set[int] = set()
        for span in sorted(self.connection.execute(due_spans).all(), key=lambda row: (order[row.epoch], row.number)):
            game = span.game if span.moved else self._game_of(span, order)
            if game != span.game:
                theirs = {each for each in (span.game, game) if each is not None}
                changed |= theirs
                for each in theirs:  # their places among the others may change with their numbers
                    self._unseated |= {following.id for following in self._following(self._row(each))}
                if span.game is not None and game is not None:
                    self._move_acts(span, game)
                where = [spans.c[name] == getattr(span, name) for name in SPAN]
                self.connection.execute(update(spans).where(*where).values(game=game))
        self._unseated |= changed
        return changed

    def _game_of(self, span: Row[Any], order: Journals) -> int | None:
        """The game of a span: the one before, or its own; None if nobody knows its setup."""
        said = self._setups.get(span.number) if span.epoch == self.epoch else None
        said = _setup(span) if span.kind == NEW else said
        won = self._won(span)
        own = setup_of(self._row(span.game)) if span.game is not None else _setup_in(span.setup) if won else None
        if span.game is None and said is None and self._is_lost(span):
            return None
        setup = said or (own if won is not None or span.kind == NEW else None)
        before = None if span.kind == NEW else self._before(span, order)
        if before is not None and before.game is not None and (span.kind == RESTORE or before.epoch != span.epoch):
            # A board that has lost its journal, or was given its score back, goes on with the game before if setup and
            # games won are the same: nothing else tells.
            alike = setup is None or setup == setup_of(self._row(before.game))
            if alike and (None in (won, other := self._won(before)) or won == other):
                return int(before.game)
        if span.game is not None and not self._is_of_others(span, order):
            return int(span.game)
        return self._new(setup, span.at or self.now) if setup else None

    def _is_lost(self, span: Row[Any]) -> bool:
        """Whether nothing is here of what happened in a span, though an event began it."""
        own = and_(events.c.board == self.board, events.c.epoch == span.epoch, events.c.number == span.number)
        return span.number > 0 and self.connection.execute(select(events.c.rev).where(own).limit(1)).first() is None

    def _is_of_others(self, span: Row[Any], order: Journals) -> bool:
        """Whether the game of a span began before it, with another."""
        same = select(spans.c.epoch, spans.c.number).where(spans.c.game == span.game)
        here = (order[span.epoch], span.number)
        return any((order[row.epoch], row.number) < here for row in self.connection.execute(same))

    def _journals(self) -> Journals:
        """What sorts the journals of the board: when their first events were heard, whatever the clock said then.

        Of a journal without events, when it was said who plays.
        """
        first_heard: Journals = {}
        named = select(spans.c.epoch, func.min(spans.c.named)).where(spans.c.board == self.board)
        for epoch, said in self.connection.execute(named.group_by(spans.c.epoch)).all():
            here = (events.c.board == self.board) & (events.c.epoch == epoch)
            first = select(events.c.since).where(here).order_by(events.c.rev).limit(1)
            heard = self.connection.execute(first).scalar() or said
            first_heard[epoch] = (heard or datetime.max.replace(tzinfo=UTC), epoch)
        return first_heard

    def is_newest(self, heard: datetime) -> bool:
        """Whether nothing was heard of another journal after a moment."""
        theirs = select(spans.c.epoch).where(spans.c.board == self.board, spans.c.epoch != self.epoch).distinct()
        others = self.connection.execute(theirs).scalars().all()
        last = select(events.c.since).where(events.c.board == self.board).order_by(events.c.rev.desc()).limit(1)
        lasts = (self.connection.execute(last.where(events.c.epoch == epoch)).scalar() for epoch in others)
        return all(since is None or since < heard for since in lasts)

    def _before(self, span: Row[Any], order: Journals) -> Row[Any] | None:
        """The span that was on before this one."""
        last = (
            select(events.c.epoch, events.c.number, events.c.since)
            .where(events.c.board == self.board)
            .order_by(events.c.rev.desc())
            .limit(1)
        )
        # In the same journal, else the end of an earlier one, of what was heard before this one began.
        here = last.where(events.c.epoch == span.epoch, events.c.rev < span.number)
        previous = self.connection.execute(here).one_or_none()
        if previous is None:
            first, _ = order[span.epoch]
            earlier = [epoch for epoch, key in order.items() if key < order[span.epoch]]
            lasts = [last.where(events.c.epoch == epoch, events.c.since <= first) for epoch in earlier]
            rows = [row for one in lasts for row in self.connection.execute(one)]
            previous = max(rows, key=lambda row: (row.since, order[row.epoch]), default=None)
        if previous is None:
            return None
        where = (spans.c.board == self.board, spans.c.epoch == previous.epoch, spans.c.number == previous.number)
        return self.connection.execute(select(spans).where(*where)).one_or_none()

    def _move_acts(self, span: Row[Any], game: int) -> None:
        """Let what a league night knows of a game go along with the number of it that was heard last by then."""
        of_game = select(acts.c.contest, acts.c.number, acts.c.at).where(acts.c.game == span.game)
        for act in self.connection.execute(of_game).all():
            number = number_of(self.connection, span.game, act.at)
            if number.items() <= span._mapping.items():
                where = (acts.c.contest == act.contest) & (acts.c.number == act.number)
                self.connection.execute(update(acts).where(where).values(game=game))

    def name_corrections(self) -> set[int]:
        """Let corrections be of the games that have their numbers, or of none if it is lost; returns changed games."""
        gone = lost.alias()
        behind = and_(gone.c.board == corrections.c.board, gone.c.epoch == corrections.c.epoch)
        until = select(func.max(gone.c.until)).where(behind, gone.c.rev <= corrections.c.number).scalar_subquery()
        # What is corrected was heard by then, and a lost event when it was heard last.
        holds = func.coalesce(lost.c.seen, corrections.c.at) >= func.coalesce(until, 0)
        same = [spans.c[name] == corrections.c[name] for name in SPAN]
        query = select(corrections.c.id, corrections.c.game, spans.c.game.label("found"))
        query = query.outerjoin(lost, lost.c.correction == corrections.c.id).outerjoin(spans, and_(holds, *same))
        changed: set[int] = set()
        for row in self.connection.execute(query.where(corrections.c.board == self.board)).all():
            if row.game != row.found:
                changed |= {game for game in (row.game, row.found) if game is not None}
                self.connection.execute(update(corrections).where(corrections.c.id == row.id).values(game=row.found))
        for game in changed:
            self._correct(game)
        return changed

    def leave_corrections(self, number: int) -> None:
        """Let what was corrected in the game that had a number be of no other game with that."""
        here = and_(corrections.c.board == self.board, corrections.c.epoch == self.epoch)
        self.connection.execute(update(corrections).where(here, corrections.c.number == number).values(number=None))

    def _correct(self, game: int) -> None:
        """Set what staff have corrected in a game, and nothing else."""
        row = self._row(game)
        values: dict[str, object] = {"withdrawn": False, "aside": None if row.aside == STAFF else row.aside}
        self.connection.execute(update(seats).where(seats.c.game == game).values(corrected=False))
        self._seat(row)  # one that is new has no seats yet
        theirs = select(corrections).where(corrections.c.game == game).order_by(corrections.c.at, corrections.c.id)
        for correction in self.connection.execute(theirs).all():
            with suppress(*DAMAGE):  # one of an import may say anything
                after = as_object(json.loads(correction.after))
                if correction.what == ABANDON:
                    values["aside"] = STAFF
                elif correction.what == WITHDRAW:
                    values["withdrawn"] = as_field(after, "withdrawn", as_truth)
                elif correction.what == SEAT:
                    place = as_field(after, "place", as_whole, PLACES) - 1
                    here = and_(seats.c.game == game, seats.c.place == place)
                    player = seated(self.connection, optional(after["name"], as_name), self.now)
                    self.connection.execute(update(seats).where(here).values(player=player, corrected=True))
        self.connection.execute(update(games).where(games.c.id == game).values(**values))
        self._unseated.add(game)

    def _new(self, setup: Setup, began: datetime, dealer: int | None = None) -> int:
        game = begin_game(self.connection, replace(setup.game(self.board, dealer, began), summed=SUMS))
        self._unseated.add(game)
        return game

    def stands(self, game: int, standing: Standing, at: datetime, *, played: bool) -> None:
        """Write how the game that is on stands after its next event, which happened at a moment."""
        row = self._row(game)
        values: dict[str, object] = {"pegs": standing.pegs()}
        if played:
            again = row.aside != STAFF or (self._given_up(game) or at) <= at
            values |= {"heard": max(at, row.heard), "aside": None if again else STAFF}
        if standing.winner < 0:
            values |= {"winner": None, "ended": None}
        elif row.winner != standing.winner:
            values |= {"winner": standing.winner, "ended": at}
        self.connection.execute(update(games).where(games.c.id == game).values(**values))
        if standing.winner >= 0 or row.winner is not None:
            self._fold(game)

    def says(self, standing: Standing, names: Mapping[int, str], at: datetime, *, with_event: bool) -> None:
        """Note who is said to play the game that is on, unless something was said of it later."""
        number = standing.game
        here = {"board": self.board, "epoch": self.epoch, "number": number}
        rows = self.connection.execute(SITTING, here).all()
        before = {row.place: row.player for row in rows}
        known = {row.key: row.player for row in rows}
        if not with_event:
            later = select(events.c.rev).join(spans, OF_SPAN).where(self._here, spans.c.number == number)
            later = later.where(events.c.pegs.is_not(None), events.c.rev > standing.rev).limit(1)
            if self.said_in(self.epoch, number) > at or self.connection.execute(later).first() is not None:
                return
            self.said_at(number, at)
        now = {
            place: known.get(key(names.get(place, ""))) or seated(self.connection, names.get(place), self.now)
            for place in standing.seats
        }
        if now != before:
            if before:
                self.connection.execute(delete(sat).where(*(sat.c[name] == value for name, value in here.items())))
            said = [{**here, "place": place, "player": who} for place, who in now.items()]
            self.connection.execute(insert(sat), said)
        elif not rows[0].shared:
            return
        if (game := self.of(number)) is not None:
            self._unseated.add(game)

    def said_at(self, number: int, at: datetime) -> None:
        """Note when it was said who plays in a span, unless that is known of a later moment."""
        earlier = or_(spans.c.named.is_(None), spans.c.named < at)
        self.connection.execute(update(spans).where(self._here, spans.c.number == number, earlier).values(named=at))

    def said_in(self, epoch: int, number: int) -> datetime:
        """When it was said last how the board stands, and so who plays, in a span."""
        here = (spans.c.board == self.board) & (spans.c.epoch == epoch) & (spans.c.number == number)
        last = select(func.max(events.c.stood)).join(spans, OF_SPAN).where(here)
        named = select(spans.c.named).where(here)
        return max(self.connection.execute(each).scalar() or BEGIN for each in (last, named))

    def unseat(self, number: int) -> None:
        """Seat the games from a number on again: what was said of them may hold now, or no more."""
        theirs = select(spans.c.game).where(self._here, spans.c.number >= number, spans.c.game.is_not(None))
        self._unseated |= set(self.connection.execute(theirs).scalars())

    def seat(self) -> None:
        """Seat those who play the games for which that has changed, and after them those of which nobody said it."""
        unseated, self._unseated = self._unseated, set()
        for row in game_rows(self.connection, games.c.id.in_(unseated), order=IN_ORDER) if unseated else ():
            self.seat_again(row)

    def seat_again(self, row: GameRow) -> None:
        """Seat those who play a game, and the games after it of which nobody said it."""
        self._seat(row)
        self.seat_after(row)

    def seat_after(self, row: GameRow) -> None:
        """Seat those who play the games after this one of which nobody said it."""
        for following in self._following(row):
            if self._said_of(following.id) is None and self._seat(following):
                self.seat_after(following)

    def _following(self, row: GameRow) -> list[GameRow]:
        later = tuple_(*IN_ORDER) > self._place(row)
        return game_rows(self.connection, *self._like(row), later, order=IN_ORDER, most=1)

    def _place(self, row: GameRow) -> ColumnElement[Any]:
        """Where a game is among those of its board."""
        first = select(func.min(spans.c.number)).where(spans.c.game == row.id)
        return tuple_(type_coerce(row.began, Moment), func.coalesce(first.scalar_subquery(), 0))

    def _like(self, row: GameRow) -> tuple[ColumnElement[bool], ...]:
        """The games of this board with the same places."""
        numbered = exists().where(spans.c.game == games.c.id)
        return games.c.board == self.board, games.c.mask == row.mask, numbered

    def _said_of(self, game: int) -> dict[int, int | None] | None:
        """Who was said to play a game, by place; None if nobody has said."""
        own = and_(sat.c.board == spans.c.board, sat.c.epoch == spans.c.epoch, sat.c.number == spans.c.number)
        rows = self.connection.execute(select(sat).join(spans, own).where(spans.c.game == game)).all()
        by_span: dict[tuple[int, int], dict[int, int | None]] = defaultdict(dict)
        for row in rows:
            if (row.epoch, row.number) in by_span or self._holds(row.epoch, row.number):
                by_span[row.epoch, row.number][row.place] = row.player
        if len(by_span) < 2:
            return next(iter(by_span.values()), None)
        return by_span[max(by_span, key=lambda span: (self.said_in(*span), span))]

    def _seat(self, row: GameRow) -> bool:
        """Seat who plays a game, but for the seats that staff have corrected; returns whether that changed any."""
        who = self._said_of(row.id)
        if who is None:
            earlier = tuple_(*IN_ORDER) < self._place(row)
            order = tuple(column.desc() for column in IN_ORDER)
            (before,) = game_rows(self.connection, *self._like(row), earlier, order=order, most=1) or (None,)
            sitting = select(seats).where(seats.c.game == (before.id if before else 0))
            who = {seat.place: seat.player for seat in self.connection.execute(sitting)}
        current = self.connection.execute(select(seats).where(seats.c.game == row.id).order_by(seats.c.place)).all()
        if not current:
            self.connection.execute(insert(seats), self._filled(row, who))
            return True
        taken = {seat.player for seat in current if seat.corrected}
        changed = False
        for seat in current:
            if not seat.corrected:
                player = who.get(seat.place)
                player = None if player in taken else player  # two names may mean one player, who sits once
                taken.add(player)
                if player != seat.player:
                    here = (seats.c.game == row.id) & (seats.c.place == seat.place)
                    self.connection.execute(update(seats).where(here).values(player=player))
                    changed = True
        return changed

    def _filled(self, row: GameRow, who: Mapping[int, int | None]) -> list[dict[str, object]]:
        """The seats of a new game; two names may mean one player, who sits once."""
        setup = setup_of(row)
        players = [who.get(place) for place in setup.seats]
        once = [None if player in players[:at] else player for at, player in enumerate(players)]
        places = zip(setup.seats, once, strict=True)
        return [{"game": row.id, "place": at, "side": setup.side_of(at), "player": player} for at, player in places]

    def around(self, epoch: int, revs: Collection[int]) -> set[int]:
        """The games that may have lacked one of these events: those begun by the last of them that went on behind."""
        here = (events.c.board == self.board) & (events.c.epoch == epoch)
        before = select(func.max(events.c.rev)).where(here, events.c.rev < min(revs)).scalar_subquery()
        behind = (events.c.rev >= func.coalesce(before, min(revs))) & (events.c.number <= max(revs))
        query = select(spans.c.game).join(events, OF_SPAN).where(here, behind, spans.c.game.is_not(None))
        return set(self.connection.execute(query.distinct()).scalars())

    def over(self, changed: Iterable[int], *, begun: bool) -> None:
        """Add up the games that changed or were still open here, but for one that has only `begun`."""
        open_here = (games.c.board == self.board) & games.c.winner.is_(None) & games.c.aside.is_(None)
        still = self.connection.execute(select(games.c.id).where(open_here)).scalars()
        for game in sorted({*changed, *still} - ({self._begun} if begun else set())):
            self._fold(game)

    def add_up(self, game: int) -> None:
        """Fold a game again, write what its events come to, and seat those whose games have other places now."""
        self._fold(game)
        self.seat()

    def _fold(self, game: int) -> None:
        """Fold a game again and write what its events come to."""
        row = self._row(game)
        fold, game_changes, after = changes(self.connection, row)
        end = next((change.after for change in reversed(game_changes) if change.after), None)
        end = (fold.ended() if fold.late else None) or end
        whole = fold.whole and not after
        won = end is not None and end.winner >= 0
        values: dict[str, object] = {"whole": whole, "summed": SUMS, "winner": end.winner if end and won else None}
        values["pegs"] = end.pegs if end else "0000" * row.sides
        values["dealer"] = next((change.event.side for change in game_changes[:1] if change.event.kind == NEW), None)
        if game_changes:
            times = [change.event.at or self.now for change in game_changes]
            values |= {"began": min(times), "heard": max(times)}
        elif last := self.connection.execute(select(func.max(spans.c.named)).where(spans.c.game == game)).scalar():
            values |= {"began": last, "heard": last}  # nothing has happened in it, or the board has lost it all
        values["ended"] = _ended(game_changes, row.ended or self.now) if won else None
        values["aside"] = None if won else self._aside(row, values.get("heard"), bool(end and max(end.fronts)))
        self.connection.execute(delete(scores).where(scores.c.game == game))
        if end is not None and won:
            dealers = {
                (change.event.epoch, change.event.rev): fold.setup.side_of(change.after.dealer)
                for change in game_changes
                if change.after is not None and change.after.dealer in fold.setup.seats
            }
            side_sums = sums(fold.setup, end, fold.counted(), whole, dealers)
            if side_sums:
                self.connection.execute(insert(scores), [{"game": game, **each} for each in side_sums])
        self.connection.execute(update(games).where(games.c.id == game).values(**values))
        contests.settle_game(self.connection, game)
        if values.get("began", row.began) != row.began:
            self._unseated |= {game, *(following.id for following in self._following(row))}

    def _aside(self, row: GameRow, heard: object, scored: bool) -> str | None:
        """Why an open game is not played on; None if it is on."""
        last = self._given_up(row.id)
        again = (
            isinstance(heard, datetime)
            and last is not None
            and (heard > last or (heard == last and row.aside != STAFF))
        )
        if (last is not None or row.aside == STAFF) and not again:
            return STAFF
        if self.on is None:
            return row.aside
        return None if row.id == self.on else NEXT if scored else UNPLAYED

    def _given_up(self, game: int) -> datetime | None:
        """When staff abandoned a game last."""
        theirs = (corrections.c.game == game) & (corrections.c.what == ABANDON)
        return self.connection.execute(select(func.max(corrections.c.at)).where(theirs)).scalar()

    def _row(self, game: int) -> GameRow:
        (row,) = game_rows(self.connection, games.c.id == game)
        return row


def _ended(game_changes: Sequence[GameChange], otherwise: datetime) -> datetime:
    """When a game was won: at the first of the last events after which it was."""
    ended = otherwise
    for change in reversed(game_changes):
        if change.after is not None and change.after.winner < 0:
            break
        if change.after is not None and change.event.at is not None:
            ended = change.event.at
    return ended


def move(connection: Connection, board: str, to: str, epoch: int, number: int) -> None:
    """Let the game that is on at one board go on at another, as `number` of its journal, as after a lost journal."""
    there = {"board": to, "epoch": epoch, "number": number}
    known = [spans.c[name] == value for name, value in there.items()]
    game = connection.execute(select(spans.c.game).join(boards, IS_ON).where(boards.c.uid == board)).scalar()
    if game is None or connection.execute(select(spans.c.game).where(*known)).first() is not None:
        return
    own = connection.execute(select(spans).where(spans.c.game == game)).all()
    connection.execute(update(games).where(games.c.id == game).values(board=to))
    for span in own:
        for table in (events, lost, sat, spans, corrections):
            where = [table.c[name] == getattr(span, name) for name in SPAN]
            connection.execute(update(table).where(*where).values(board=to))
    connection.execute(insert(spans).values(**there, game=game, moved=True))


def _setup(begin: Event | Row[Any]) -> Setup | None:
    target, mask, count = setup_word(begin.b)
    try:
        check_setup(target, mask, count, begin.side, begin.a, begin.c)
    except Refused:
        return None
    return Setup(target, mask, count, begin.a, begin.c)


def _setup_of(standing: Standing) -> Setup:
    return Setup(standing.target, standing.mask, standing.count, standing.skunk, standing.double)


def _setup_in(said: str | None) -> Setup | None:
    with suppress(ValueError, TypeError):  # a disk may have changed it
        return Setup(*map(int, (said or "").split()))
    return None


def _start(standing: Standing | None) -> dict[str, str]:
    """The columns of how the game began: its setup, and the games won, which do not change during it."""
    if standing is None:
        return {}
    sides = zip(standing.sides, standing.won, strict=True)
    won = " ".join(str(games - (side == standing.winner)) for side, games in sides)
    return {"won": won, "setup": " ".join(map(str, astuple(_setup_of(standing))))}
