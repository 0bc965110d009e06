"""Writes what a board reports: events, standing, players. What is missing is a gap until it comes."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, and_, bindparam, delete, func, insert, select, true, update

from cribboard.board.messages import Event, Standing
from cribboard.files import Entry
from cribboard.store.game_events import SCORE, line_entries
from cribboard.store.games import Games
from cribboard.store.losses import BEGINS, TICK, Cut, Journal, began, ended, identity, key_of, stand
from cribboard.store.report import Report
from cribboard.store.schema import BEGIN, IS_ON, OF_SPAN, boards, corrections, events, lost, spans
from cribboard.store.stored import Position, StoredEvent, kept_where
from cribboard_core.events import KINDS, NEW

BOARD, LOST = "the board", "event lost"  # whose correction it is, and what
JOURNAL = 400  # events, more than one holds
EVENT = ("kind", "side", "a", "b", "c", "session", "command")  # what tells one from another of its number
MOST_SAID = 500  # of a text in a correction
MOST_TEXT = {"cards": 12, "starter": 2, "who": 60, "text": 500}


COLUMNS = (boards.c.epoch, boards.c.rev, boards.c.number, boards.c.heard, spans.c.game)
LAST = select(*COLUMNS).outerjoin(spans, IS_ON).where(boards.c.uid == bindparam("uid"))


@dataclass(frozen=True)
class Before:
    """Where a board stood when it was heard last, with the game of its `number`; the `epoch` is -1 if it never was."""

    epoch: int = -1
    rev: int = 0
    number: int = 0
    heard: datetime = BEGIN
    game: int | None = None


class EventWriter:
    """One transaction with a report of a board, at `now`; one that had to wait may be older than what is here."""

    def __init__(self, connection: Connection, report: Report, now: datetime) -> None:
        self.connection = connection
        self.report = report
        self.uid = uid = report.uid
        self.epoch = epoch = report.epoch
        self.now = now
        self.known = last_known(connection, uid)
        # Whatever the clock says, news come after what is here.
        self.heard = report.heard or max(now, self.known.heard + TICK)
        self.at = report.heard or now  # of what has no time of its own
        self.games = Games(connection, uid, epoch, now, self.known.game)
        self._waited = report.heard is not None
        self._lost = False
        self._affected: set[int] = set()  # games that have lost events, or have them again
        self._here = and_(events.c.board == uid, events.c.epoch == epoch)
        self._lost_here = and_(lost.c.board == uid, lost.c.epoch == epoch)

    def keep(self) -> None:
        """Write everything that the board has reported."""
        known, standing, names, has_lost = self.known, self.report.standing, self.report.names, self.report.lost
        newest = standing.rev
        same = known.epoch == self.epoch
        # A report that waited in a file may be older than what is here: then it fills in events, and leaves alone how
        # the board stands. One that did not wait counts as heard last, whatever the clock says: its newest rev tells.
        live = self.heard >= known.heard and (self._waited or has_lost or not same or newest >= known.rev)
        given = self._given()
        at = (given[newest].at if newest else None) or self.at
        fresh, plain, journal = self._put(given)
        stands = self._stands(given.get(newest), journal)
        begun = stands or self.heard >= journal.lost_until(standing.game)
        numbers = {event.game for event in fresh.values()}
        follows = live and same and plain and known.rev > 0 and sorted(fresh) == [*range(known.rev + 1, newest + 1)]
        heard = all(event.kind for event in fresh.values())
        # The plain case, which nearly every report is: the next events of the game that is on, none missing. It touches
        # one row of `games`; to fold the game again at every event would cost more than twice as much.
        if follows and heard and numbers | {standing.game} == {known.number} and known.game is not None:
            self.games.stands(known.game, standing, at, played=bool(fresh))
            self.games.says(standing, names, self.heard, with_event=bool(fresh))
            self._note(newest, standing.game)
        else:
            live = live and stands
            if not begun:
                self.games.note_lost_game(standing, names, self.heard)
            follows = follows and self.games.is_newest(self.heard)
            self._project(fresh, numbers, standing if begun else None, names, live=live, settled=follows)
            rev = max(standing.rev, *fresh, known.rev if same and not has_lost else 0)
            if live and self.games.on is not None:
                self._note(rev, standing.game)
        self.games.seat()
        self._correct()

    def _project(
        self,
        fresh: Mapping[int, StoredEvent],
        numbers: set[int],
        standing: Standing | None,
        names: Mapping[int, str],
        *,
        live: bool,
        settled: bool,
    ) -> None:
        """Work out again what the games are that these events are of, and write what each of them comes to.

        There is no `standing` if the board has lost its game since.
        """
        said = {standing.game} if standing else set()
        for number in sorted(numbers | said):
            own = kept_where(self.connection, self._here, events.c.rev == number) if number not in fresh else []
            begin = fresh.get(number) or next(iter(own), None)
            clear = self.games.know(
                number, standing if number in said else None, begin, self.heard, heard=number in fresh
            )
            settled = settled and clear
        changed = self._affected | (set() if settled else self.games.settle())
        if changed or self._lost:
            changed |= self.games.name_corrections()
        touched = {game for number in numbers | said if (game := self.games.of(number)) is not None}
        if fresh and not settled:
            touched |= self.games.around(self.epoch, fresh)
        now_on = last_known(self.connection, self.uid).game
        self.games.on = self.games.of(standing.game) if live and standing else now_on
        if standing:
            self.games.says(standing, names, self.heard, with_event=settled and bool(fresh))
        self.games.over(changed | touched, begun=settled and len(fresh) == 1)

    def _given(self) -> dict[int, StoredEvent]:
        """What is reported, by rev: the newest with the board's state after it, even if that event was not heard."""
        standing = self.report.standing
        newest = standing.rev
        given = {event.rev: event for event in self.report.events}
        if newest:
            given.setdefault(newest, Event(newest))
        heard = {rev: self._event(event) for rev, event in given.items()}
        if newest:
            position = Position.of(standing)
            heard[newest] = replace(heard[newest], position=position, said=self.heard, game=standing.game)
        return heard

    def _event(self, event: Event) -> StoredEvent:
        said = zip(MOST_TEXT.values(), (event.cards, event.starter, event.by, event.text), strict=True)
        cards, starter, by, text = [visible(text)[:most] for most, text in said]
        event = replace(event, cards=cards, starter=starter, by=by, text=text, at=event.at or self.at)
        return StoredEvent.of(event, self.uid, self.epoch, self.heard)

    def _put(self, given: Mapping[int, StoredEvent]) -> tuple[dict[int, StoredEvent], bool, Journal]:
        """Write what stands of what is reported and of what was here, and what is lost: losses.py says which is which.

        Returns what is new or known better now, by rev; whether all of it is new, and nothing is lost; and the journal.
        """
        ends = [ended(self.uid, self.epoch, self.report.standing.rev, self.heard)] if self.report.lost else []
        had, gone, cuts = self._concerned(given, ends)
        journal = stand([*had, *map(StoredEvent.of_row, gone), *given.values(), *ends], cuts)
        self._lost = bool(gone or journal.lost)
        if not self._lost:
            fresh = self._write(had, journal.events)
            return fresh, not fresh.keys() & {stored.rev for stored in had}, journal
        self._affect(had)
        fresh = self._write(had, journal.events)
        self._remember(had, journal)
        self._lose(had, gone, journal)
        self.games.unseat(min(journal.until))
        self._affect(fresh.values())
        return fresh, False, journal

    def _concerned(
        self, given: Mapping[int, StoredEvent], ends: Sequence[StoredEvent]
    ) -> tuple[list[StoredEvent], Sequence[Row[Any]], list[Cut]]:
        """What is here from the lowest number on that this can change, and what is lost; of losses below it their cuts.

        A board that goes on changes nothing of what is here.
        """
        known = self.known
        first = min((stored.rev for stored in (*given.values(), *ends)), default=self.report.standing.rev + 1)
        goes_on = known.epoch == self.epoch and self.heard >= known.heard and first > known.rev
        where = lost.c.rev >= first if goes_on else true()
        gone = self.connection.execute(select(lost).where(self._lost_here, where)).all()
        first = min([first, *(row.rev for row in gone if row.until > self.heard)])
        if ends:  # it may have lost the events after which it stood as it said, though they were not heard
            unheard = select(func.min(events.c.rev)).where(self._here, events.c.kind == 0)
            first = min(first, self.connection.execute(unheard).scalar() or first)
        numbers = {event.game for event in given.values()} | {row.number for row in gone if row.rev >= first}
        first = min(first, self._contradicted(numbers - ({known.number} if goes_on else set())) or first)
        had = kept_where(self.connection, self._here, events.c.rev >= first)
        here = [row for row in gone if row.rev >= first or (not row.kind and row.pegs is None)]
        return had, here, [(row.until, row.rev) for row in gone if row.rev < first]

    def _contradicted(self, numbers: Collection[int | None]) -> int | None:
        """The lowest of these numbers of games under which there is an event that began none, None if there is none."""
        wanted = [number for number in numbers if number]
        if not wanted:
            return None
        other = and_(events.c.kind.not_in(BEGINS), events.c.number != events.c.rev)
        lowest = select(func.min(events.c.rev)).where(self._here, events.c.rev.in_(wanted), other)
        return self.connection.execute(lowest).scalar()

    def _lose(self, had: Iterable[StoredEvent], gone: Iterable[Row[Any]], journal: Journal) -> None:
        """Write what is lost, in the place of what was known to be; each event that is taken out is a correction."""
        before = {stored.rev: key_of(stored) for stored in had}
        known = {key_of(StoredEvent.of_row(row)): row for row in gone}
        for stored, until in journal.lost:
            row = known.pop(key_of(stored), None)
            values = stored.columns() | {"until": until}
            if row is not None:
                if any(row._mapping[name] != value for name, value in values.items()):
                    self.connection.execute(update(lost).where(lost.c.id == row.id).values(**values))
                continue
            after = journal.events.get(stored.rev)
            trace = self._trace_loss(stored, after) if stored.kind else None
            self.connection.execute(insert(lost).values(**values, correction=trace))
            # It stood until now; one that was lost before has been forgotten already.
            if before.get(stored.rev) == key_of(stored) and began(stored):
                self._begin_again(stored, after)
        for row in known.values():  # the board has it again
            self.connection.execute(delete(lost).where(lost.c.id == row.id))
            self.connection.execute(delete(corrections).where(corrections.c.id == row.correction))

    def _affect(self, stored: Iterable[StoredEvent]) -> None:
        """Have the games of events folded again, some of which are lost, or are there again."""
        numbers = {event.game for event in stored if event.game is not None}
        self._affected |= {game for number in numbers if (game := self.games.of(number)) is not None}

    def _stands(self, said: StoredEvent | None, journal: Journal) -> bool:
        """Whether the board still stands as reported, after its newest event."""
        if said is None:
            return True
        event = journal.events.get(said.rev)
        heard = self.heard >= journal.until.get(said.rev, BEGIN)
        return heard and (not said.kind or (event is not None and key_of(event) == key_of(said)))

    def _remember(self, had: Iterable[StoredEvent], journal: Journal) -> None:
        """Know when it was said who plays, though the board has lost the event after which it was."""
        for stored in had:
            after = journal.events.get(stored.rev)
            if stored.said is not None and (after is None or after.said != stored.said):
                self.games.said_at(stored.game, stored.said)

    def _write(self, had: Sequence[StoredEvent], after: Mapping[int, StoredEvent]) -> dict[int, StoredEvent]:
        """Write the events that stand in the place of those that were here; returns what is new or known better."""
        before = {stored.rev: stored for stored in had}
        if gone := before.keys() - after.keys():
            self.connection.execute(delete(events).where(self._here, events.c.rev.in_(gone)))
        fresh = {rev: stored for rev, stored in after.items() if rev not in before}
        if fresh:
            self.connection.execute(insert(events), [stored.columns() for stored in fresh.values()])
        again = []
        for rev, was in before.items():
            stored = after.get(rev, was)
            if stored.columns() == was.columns():
                continue
            # Heard once more and otherwise the same: one statement for all of those.
            if replace(stored, seen=was.seen).columns() == was.columns():
                again.append(rev)
                continue
            self.connection.execute(update(events).where(self._here, events.c.rev == rev).values(**stored.columns()))
            if (stored.fields(), stored.at) != (was.fields(), was.at):
                fresh[rev] = stored
        if again:
            self.connection.execute(update(events).where(self._here, events.c.rev.in_(again)).values(seen=self.heard))
        return fresh

    def _trace_loss(self, event: StoredEvent, instead: Event | None) -> int:
        said = {
            "before": json.dumps(_trace(event)),
            "after": json.dumps(_trace(instead) if instead and instead.kind else {}),
        }
        number = {"board": self.uid, "epoch": self.epoch, "number": event.game}
        trace = {"at": self.now, "who": BOARD, "what": LOST}
        made = self.connection.execute(insert(corrections).values(**trace, **number, **said))
        key = made.inserted_primary_key
        return int(key[0]) if key else 0

    def _begin_again(self, begin: Event, instead: StoredEvent | None) -> None:
        """Forget which game has a number if the board has lost the beginning of that.

        One of which only the state was heard is the one that `instead` began, if it can be.
        """
        other = instead if instead is not None and began(instead) else None
        if other is not None and not begin.kind and self.games.can_begin_with(other):
            return
        if other is None or other.kind == NEW:
            self.games.forget(begin.rev)
        if other is not None and not begin.kind:  # with another setup
            self.games.leave_corrections(begin.rev)

    def _correct(self) -> None:
        """Write the corrections of lines that came with events, each once, however often it is reported."""
        for event in self.report.events:
            if event.line is None:
                continue
            said = line_entries(self.epoch, event.line, event.rev)
            known = select(corrections.c.id).where(
                corrections.c.what == SCORE, *(corrections.c[name] == text for name, text in said.items())
            )
            if self.connection.execute(known).first() is None:
                columns = (spans.c.board, spans.c.epoch, spans.c.number, spans.c.game)
                own = select(*columns).join(events, OF_SPAN).where(self._here, events.c.rev == event.rev)
                row = self.connection.execute(own).one_or_none()
                trace = {"at": event.at or self.now, "who": visible(event.line.by)[:60], "what": SCORE}
                trace |= row._asdict() if row else {}
                self.connection.execute(insert(corrections).values(**trace, **said))

    def _note(self, rev: int, number: int) -> None:
        values = {"epoch": self.epoch, "rev": rev, "number": number, "heard": self.heard}
        if self.known.epoch < 0:
            self.connection.execute(insert(boards).values(uid=self.uid, **values))
        else:
            self.connection.execute(update(boards).where(boards.c.uid == self.uid).values(**values))


def last_known(connection: Connection, uid: str) -> Before:
    """Where a board stood when it was heard last."""
    row = connection.execute(LAST, {"uid": uid}).one_or_none()
    return Before(*row) if row else Before()


def _trace(event: Event) -> dict[str, object]:
    """An event for a correction."""
    return {**dict(zip(EVENT, identity(event), strict=True)), "kind": KINDS[event.kind]}


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
