"""Writes what a board reports: events, standing, players. What is missing is a gap until it comes."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ColumnElement, Connection, and_, delete, func, insert, select, update

from cribboard.board.messages import Row, Standing
from cribboard.errors import WrongBoard
from cribboard.files import Entry
from cribboard.store.fold import SCORE, STOOD, Note, Position, StoredEvent, kept_where, line_entries
from cribboard.store.games import Games
from cribboard.store.schema import OF_SPAN, boards, corrections, events, sat, spans
from cribboard_core.events import KINDS, NEW, RESTORE

BOARD, LOST = "the board", "event lost"  # whose correction it is, and what
JOURNAL = 400  # events, more than one holds
EVENT = ("kind", "side", "a", "b", "c", "session", "command")  # what tells one from another of its number
MOST_SAID = 500  # of a text in a correction
MOST_TEXT = {"cards": 12, "starter": 2, "who": 60, "text": 500}
HEARD = (*EVENT, "at", *MOST_TEXT)  # what is known of an event as soon as it is heard


@dataclass(frozen=True)
class Before:
    """How a board stood when it was heard last; the `epoch` is -1 if it never was, `standing` None if it is damaged."""

    epoch: int = -1
    rev: int = 0
    game: int | None = None
    standing: Standing | None = None


class EventWriter:
    """One transaction with the reports of the board `uid` from its journal `epoch`, at `now`."""

    def __init__(self, connection: Connection, uid: str, epoch: int, now: datetime) -> None:
        self.connection = connection
        self.uid = uid
        self.epoch = epoch
        self.now = now
        self.known = _before(connection, uid)
        self.games = Games(connection, uid, epoch, now, self.known.game)
        self._hit: set[int] = set()  # games that have lost events
        self._here = and_(events.c.board == uid, events.c.epoch == epoch)

    def keep(
        self,
        newest: int,
        rows: Sequence[Row],
        standing: Standing,
        names: Mapping[int, str],
        notes: Mapping[int, Note],
        lost: bool,
    ) -> None:
        """Write everything that a board has reported."""
        known = self.known
        same = known.epoch == self.epoch
        live = lost or not same or newest >= known.rev
        at = (notes[newest].at if newest in notes else None) or self.now
        if lost:
            self._lose(self._here & (events.c.rev > newest), {})
        new, mended = self._take(newest, rows, standing, notes, lost)
        if new:
            self.connection.execute(insert(events), [event.columns() for event in new.values()])
        changed = new | mended
        # Nearly every report is the next event of the game that is on: then no earlier row can have changed, and one
        # update of that game is enough. Anything else (a gap, a loss, another game, an event heard late) may decide
        # anew which events belong to which game, so all games that it touches are folded again from their events.
        follows = live and same and not lost and not self._hit and not mended
        follows = follows and sorted(new) == [*range(known.rev + 1, newest + 1)]
        numbers = {event.number for event in changed.values() if event.number is not None} | {standing.game}
        on = known.standing.game if known.standing and known.game is not None else None
        if follows and numbers == {on} and known.game is not None and all(event.row.kind for event in new.values()):
            self.games.stands(known.game, standing, at, played=bool(new))
            self.games.says(standing, names, at, with_event=bool(new))
            self._note(newest, known.game, standing)
        else:
            follows = follows and self.games.is_newest(at)
            self._project(changed, standing, names, at, numbers, live=live, settled=follows)
            rev = max(standing.rev, *changed, known.rev if same and not lost else 0)
            if live and self.games.on is not None:
                self._note(rev, self.games.on, standing)
        self.games.seat()
        self._correct(notes)

    def _project(
        self,
        changed: Mapping[int, StoredEvent],
        standing: Standing,
        names: Mapping[int, str],
        at: datetime,
        numbers: Iterable[int],
        *,
        live: bool,
        settled: bool,
    ) -> None:
        """Work out again what the games are that these events are of, and write what each of them comes to."""
        for number in sorted(numbers):
            begin = changed.get(number) or next(
                iter(kept_where(self.connection, self._here, events.c.rev == number)), None
            )
            stands = standing if number == standing.game else None
            clear = self.games.know(number, stands, begin, heard=number in changed)
            settled = settled and clear
        touched = self._hit | (set() if settled else self.games.settle())
        if changed:
            touched |= self._around(min(changed), max(changed))  # a gap of theirs may have been filled
        touched |= {game for number in numbers if (game := self.games.of(number)) is not None}
        self.games.on = self.games.of(standing.game) if live else self._still_on()
        self.games.says(standing, names, at, with_event=False)
        self.games.over(touched)

    def _still_on(self) -> int | None:
        """The game that was on when the board was heard last, which may have turned out to be another."""
        known = self.known
        if known.game is None or known.standing is None:
            return known.game
        here = and_(spans.c.board == self.uid, spans.c.epoch == known.epoch, spans.c.number == known.standing.game)
        game = self.connection.execute(select(spans.c.game).where(here)).scalar()
        self.connection.execute(update(boards).where(boards.c.uid == self.uid).values(game=game))
        return game

    def _take(
        self, newest: int, rows: Iterable[Row], standing: Standing, notes: Mapping[int, Note], lost: bool
    ) -> tuple[dict[int, StoredEvent], dict[int, StoredEvent]]:
        """The new events, and those that are known better now, by rev."""
        given = {row.rev: row for row in rows}
        if newest:
            given.setdefault(newest, Row(newest, 0, 0, 0, 0, 0))
        if not given:
            return {}, {}
        had = self._had(given)
        given = {rev: row for rev, row in given.items() if not (rev in had and _is_replaced(row, had[rev].row))}
        if self._lose_unsaid(given, standing) | self._lose_line(given, had, lost):
            had = self._had(given)
        position = Position.of(standing)
        new, mended = {}, {}
        for rev, row in given.items():
            number = standing.game if rev == newest else row.game
            event = self._event(row, notes.get(rev, Note()), number, position if rev == newest else None)
            if rev not in had:
                new[rev] = event
                continue
            heard = bool(row.kind and not had[rev].row.kind)
            better = set(HEARD if heard else MOST_TEXT if rev in notes else ())
            if rev == newest:
                better |= {*STOOD}
            if heard or had[rev].number != number:
                better.add("number")
                mended[rev] = event
            known = {name: value for name, value in event.columns().items() if value != "" or name not in MOST_TEXT}
            if values := {name: value for name, value in known.items() if name in better}:
                self.connection.execute(update(events).where(self._here, events.c.rev == rev).values(**values))
        return new, mended

    def _event(self, row: Row, note: Note, number: int, position: Position | None) -> StoredEvent:
        said = zip(MOST_TEXT.values(), (note.cards, note.starter, note.by, note.text), strict=True)
        cards, starter, by, text = [visible(text)[:most] for most, text in said]
        return StoredEvent(
            self.uid, self.epoch, row, Note(cards, starter, by, text, note.at or self.now), position, number
        )

    def _had(self, given: Mapping[int, Row]) -> dict[int, StoredEvent]:
        """The stored events, by rev."""
        between = events.c.rev.between(min(given), max(given))
        return {kept.row.rev: kept for kept in kept_where(self.connection, self._here, between)}

    def _lose_line(self, given: Mapping[int, Row], had: Mapping[int, StoredEvent], lost: bool) -> bool:
        """Remove what followed an event that the board has lost, and the states; returns whether one was lost.

        The first stored event that differs from the given one was lost, and all after it that does not come again.
        """
        both = [(had[rev].row, row) for rev, row in sorted(given.items()) if row.kind and rev in had]
        first = next((row.rev for was, row in both if (was.kind or lost) and _of(was) != _of(row)), None)
        if first is None:
            return False
        same = {row.rev for was, row in both if _of(was) == _of(row)}
        for rev in self.connection.execute(select(events.c.rev).where(self._here, events.c.rev >= first)).scalars():
            if rev not in same:
                instead = _trace(given[rev]) if rev in given and given[rev].kind else {}
                self._lose(self._here & (events.c.rev == rev), instead)
        stale = update(events).where(self._here, events.c.rev >= first)
        self.connection.execute(stale.values(pegs=None, dealer=None, winner=None))
        return True

    def _lose_unsaid(self, given: Mapping[int, Row], standing: Standing) -> bool:
        """Remove events whose loss nobody could tell here; returns whether there were any.

        A game's number is that of the event that began it, so another event of this number, and what followed it
        outside of this game, was lost before the game was given back.
        """
        unsaid: list[int] = []
        known = self.known.standing.game if self.known.standing else 0
        for number in {*(row.game for row in given.values()), standing.game} - {known}:
            since = kept_where(self.connection, self._here, events.c.rev >= number)
            for due, kept in enumerate(since, start=number):
                if kept.row.rev != due or kept.row.kind in (NEW, RESTORE) or kept.number == number:
                    break
                unsaid.append(due)
        self._lose(self._here & events.c.rev.in_(unsaid), {})
        return bool(unsaid)

    def _lose(self, which: ColumnElement[bool], instead: dict[str, object]) -> None:
        """Remove events that the board no longer has, with a correction; `instead` is the event that replaces them."""
        for kept in kept_where(self.connection, which):
            game = None if kept.number is None else self.games.of(kept.number)
            if game is not None:
                self._hit.add(game)
            if kept.row.kind:
                said = {"before": json.dumps(_trace(kept.row)), "after": json.dumps(instead)}
                trace = insert(corrections).values(at=self.now, who=BOARD, what=LOST, game=game, **said)
                self.connection.execute(trace)
            for table in (spans, sat):
                begun = and_(table.c.board == self.uid, table.c.epoch == self.epoch, table.c.number == kept.row.rev)
                self.connection.execute(delete(table).where(begun))
        self.connection.execute(delete(events).where(which))

    def _around(self, first: int, last: int) -> set[int]:
        """The games of these events and of those next to them."""
        before = select(func.max(events.c.rev)).where(self._here, events.c.rev < first).scalar_subquery()
        behind = select(func.min(events.c.rev)).where(self._here, events.c.rev > last).scalar_subquery()
        span = events.c.rev.between(func.coalesce(before, first), func.coalesce(behind, last))
        query = select(spans.c.game).join(events, OF_SPAN).where(self._here, span, spans.c.game.is_not(None)).distinct()
        return set(self.connection.execute(query).scalars())

    def _correct(self, notes: Mapping[int, Note]) -> None:
        """Write the corrections of lines that came with events, each once, however often it is reported."""
        for rev, note in notes.items():
            if note.line is None:
                continue
            said = line_entries(self.epoch, note.line, rev)
            known = select(corrections.c.id).where(
                corrections.c.what == SCORE, *(corrections.c[name] == text for name, text in said.items())
            )
            if self.connection.execute(known).first() is None:
                own = select(spans.c.game).join(events, OF_SPAN).where(self._here, events.c.rev == rev)
                game = self.connection.execute(own).scalar()
                trace = {"at": note.at or self.now, "who": visible(note.line.by)[:60], "what": SCORE, "game": game}
                self.connection.execute(insert(corrections).values(**trace, **said))

    def _note(self, rev: int, game: int, standing: Standing) -> None:
        as_text = json.dumps(standing.fields())
        values = {"epoch": self.epoch, "rev": rev, "game": game, "standing": as_text, "heard": self.now}
        if self.known.epoch < 0:
            self.connection.execute(insert(boards).values(uid=self.uid, **values))
        else:
            self.connection.execute(update(boards).where(boards.c.uid == self.uid).values(**values))


def _before(connection: Connection, uid: str) -> Before:
    for row in connection.execute(select(boards).where(boards.c.uid == uid)):
        try:
            standing = Standing.read(json.loads(row.standing))
        except (ValueError, TypeError, WrongBoard):
            standing = None  # a disk may have changed it
        return Before(row.epoch, row.rev, row.game, standing)
    return Before()


def _trace(row: Row) -> dict[str, object]:
    """An event for a correction."""
    return {**dict(zip(EVENT, _of(row), strict=True)), "kind": KINDS[row.kind]}


def _of(row: Row) -> tuple[int, ...]:
    """The values that tell an event from another of the same rev."""
    return (*row.event, row.session, row.id)


def _is_replaced(row: Row, was: Row) -> bool:
    """Whether a stored event came after this one of its number: the board had lost this one, and reads it again."""
    return row.session > 0 and row.session == was.session and row.id < was.id


def visible(text: str) -> str:
    """The text without control and other invisible characters, which databases refuse and terminals obey."""
    return "".join([char for char in text if char.isprintable()])


def flat(said: Mapping[str, object]) -> Entry:
    """What a correction may say of before or after: texts, numbers and lists of them, all of which can be shown.

    Anything else is replaced by an ellipsis: nothing here writes it, and no export could be read again with it.
    """
    return {visible(name)[:MOST_SAID]: _flat(value) for name, value in said.items()}


def _flat(value: object) -> object:
    return [_scalar(each) for each in value] if isinstance(value, list) else _scalar(value)


def _scalar(value: object) -> object:
    if isinstance(value, str):
        return visible(value)[:MOST_SAID]
    return value if value is None or (isinstance(value, int) and abs(value) < 1 << 53) else "…"


def entry_of(text: str) -> Entry:
    """What the history has of a correction's before or after."""
    try:
        parsed = json.loads(text)
    except RecursionError:
        parsed = None
    return flat(parsed) if isinstance(parsed, dict) else {}


def heard(connection: Connection, uid: str, epoch: int) -> int:
    """The rev up to which nothing is missing of what a journal may still hold; -1 if no event is here."""
    here = and_(events.c.board == uid, events.c.epoch == epoch)
    newest = connection.execute(select(func.max(events.c.rev)).where(here)).scalar()
    if newest is None:
        return -1
    oldest = max(1, newest - JOURNAL)
    known = set(
        connection.execute(select(events.c.rev).where(here, events.c.rev >= oldest, events.c.kind > 0)).scalars()
    )
    return next((rev - 1 for rev in range(oldest, newest + 1) if rev not in known), int(newest))
