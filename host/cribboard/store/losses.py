"""Which events of a journal stand, though its board has lost some and given their numbers to others.

Of two events with one number, the one that the board was heard to have last stands. What was heard of this number and
of those behind it before that was there is lost. So the same events stand in whatever order they are reported, if each
report says when the board was heard. What is lost is stored: the board may be heard to have it again.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import NamedTuple

from cribboard.board.messages import Event
from cribboard.store.schema import BEGIN
from cribboard.store.stored import StoredEvent
from cribboard_core.events import NEW, RESTORE

TICK = timedelta(milliseconds=1)
BEGINS = (NEW, RESTORE)
Cut = tuple[datetime, int]  # what was heard before the moment, of this number and those behind it, is lost
Lost = tuple[StoredEvent, datetime]  # and the moment up to which it is lost


class Journal(NamedTuple):
    """What stands of a journal, by rev; what is lost; and up to when what was heard of each rev is."""

    events: dict[int, StoredEvent]
    lost: list[Lost]
    until: dict[int, datetime]

    def lost_until(self, number: int) -> datetime:
        """Up to when what was heard of a game with this number is lost."""
        return max((until for rev, until in self.until.items() if rev <= number), default=BEGIN)


def identity(event: Event) -> tuple[int, ...]:
    """The values that tell an event from another of the same rev."""
    return (*event.as_folded, event.session, event.id)


def ended(board: str, epoch: int, newest: int, at: datetime) -> StoredEvent:
    """What says that a journal ended with its event `newest` at a moment: nothing behind it, without a state."""
    return StoredEvent.of(Event(newest + 1, at=at), board, epoch, at)


def merged(had: StoredEvent, given: StoredEvent) -> StoredEvent:
    """The same event as it was heard twice."""
    earlier, later = (had, given) if given.seen >= had.seen else (given, had)
    said = [stored for stored in (had, given) if stored.said is not None and stored.position is not None]
    last = max(said, key=lambda stored: stored.said or BEGIN, default=None)
    return replace(
        later.knowing(earlier),
        since=min(had.since, given.since),
        position=last.position if last else None,
        said=last.said if last else None,
    )


def key_of(stored: StoredEvent) -> tuple[object, ...]:
    """What is the same for the same event, however often it was heard."""
    return stored.rev, identity(stored), bool(stored.kind) or stored.position is not None


def gathered(heard: Iterable[StoredEvent]) -> list[StoredEvent]:
    """Each event once, with all that was heard of it."""
    by_key: dict[tuple[object, ...], StoredEvent] = {}
    for stored in heard:
        key = key_of(stored)
        by_key[key] = merged(by_key[key], stored) if key in by_key else stored
    return list(by_key.values())


def stand(heard: Iterable[StoredEvent], cuts: Iterable[Cut] = ()) -> Journal:
    """What stands of all that was heard of a journal, and what is lost; `cuts` are those of what is not given here."""
    by_rev: dict[int, list[StoredEvent]] = defaultdict(list)
    numbers: dict[int, list[StoredEvent]] = defaultdict(list)
    for stored in gathered(heard):
        by_rev[stored.rev].append(stored)
        numbers[stored.game].append(stored)
    losses = [stored.seen for here in by_rev.values() for stored in here if not stored.kind and stored.position is None]
    due = sorted(cuts, key=lambda cut: cut[1], reverse=True)
    standing: dict[int, StoredEvent] = {}
    lost: list[Lost] = []
    untils: dict[int, datetime] = {}
    # In the order of numbers: what was lost takes everything behind it along, so `until` only grows.
    until = loss = BEGIN  # the loss: what a board itself has said
    for rev, here in sorted(by_rev.items()):
        while due and due[-1][1] <= rev:
            until = max(until, due.pop()[0])
        ends = [stored for stored in here if not stored.kind and stored.position is None]
        rivals = [stored for stored in here if stored.kind]
        unheard = [stored for stored in here if not stored.kind and stored.position is not None]
        loss = max([loss, *(stored.seen for stored in ends)])
        until = max(until, loss)
        # What is known to be lost since says nothing of when that came which has its number now.
        claims = [claim for claim in _claims(rivals, unheard, numbers.get(rev, [])) if claim.seen >= until]
        until = max(until, _cut(claims))
        untils[rev] = until
        event = claims[-1].event if claims else None
        # The newest of its number may itself be from before a loss at a lower one.
        event = event if event is not None and event.seen >= until else None
        last = max(
            (stored for stored in here if stored.said is not None),
            key=lambda stored: stored.said or BEGIN,
            default=None,
        )
        said = last if last is not None and last.said is not None and last.said >= until else None
        if said is not None and _is_doubtful(said.said or BEGIN, event, losses):
            said = None
        lost += [(stored, until) for stored in ends]
        lost += [(_silent(stored), until) for stored in rivals if stored is not event]
        if last is not None and said is None:
            lost.append((_unheard(last), until))
        if event is not None and said is not None:
            others = [stored for stored in unheard if stored is not last and stored.game != event.game]
            lost += [(_unheard(stored), until) for stored in others]
        if event is not None and not event.session and event.since < loss:
            # It is there again: buttons were pressed again, after the loss. A command is sent again as it was.
            event = replace(event, at=max(event.at or loss, loss))
        if event is not None:
            standing[rev] = _silent(event) if said is None else replace(event, position=said.position, said=said.said)
        elif said is not None:
            standing[rev] = _unheard(said, until)
    return Journal(standing, lost, untils)


class Claim(NamedTuple):
    """That a number is of this event, or of one that was not heard, and when that was heard last and first."""

    replaced: bool  # the board had lost it, and reads it again: its session has gone on since
    seen: datetime
    since: datetime
    identity: tuple[int, ...]
    event: StoredEvent | None


def _is_doubtful(said: datetime, event: StoredEvent | None, losses: Sequence[datetime]) -> bool:
    """Whether a state may be that after another event, which the board had lost before it was heard of this one."""
    return any(said < loss and (event is None or event.since >= loss) for loss in losses)


def _claims(rivals: Sequence[StoredEvent], unheard: Sequence[StoredEvent], begun: Sequence[StoredEvent]) -> list[Claim]:
    """What was heard of one number, the newest last; `begun` is of the game with this number.

    A game's number is that of the event that began it, so what is heard of the game is heard of that event, too. An
    event that was not heard, only how the board stood after it, is another one if it is of another game.
    """
    last: dict[int, int] = {}
    for stored in rivals:
        last[stored.session] = max(last.get(stored.session, 0), stored.id)
    claims = []
    for stored in rivals:
        # Ids of a session only go up: of two events with one number the lower id came first, whatever the clock said.
        replaced = stored.session > 0 and stored.id < last[stored.session]
        claims.append(Claim(replaced, stored.seen, stored.since, identity(stored), stored))
    theirs = {stored.game for stored in rivals} | ({begun[0].game} if begun else set())
    for stored in unheard:
        if theirs and stored.game not in theirs:
            claims.append(Claim(False, stored.seen, stored.seen, (), None))
    if begun and claims:
        heard = [stored.seen if stored.kind else stored.said or stored.seen for stored in begun]
        begins = [claim for claim in claims if claim.event is not None and began(claim.event)]
        if begins:
            first = max(begins, key=_rank)
            claims.remove(first)
            since = min(first.since, *heard) if len(begins) == 1 else first.since
            claims.append(first._replace(seen=max(first.seen, *heard), since=since))
        else:
            claims.append(Claim(False, max(heard), min(heard), (), None))
    return sorted(claims, key=_rank)


def _rank(claim: Claim) -> tuple[object, ...]:
    return not claim.replaced, *claim[1:4]


def _cut(claims: Sequence[Claim]) -> datetime:
    """Since when the newest event of a number is there, if there was another."""
    if len(claims) < 2:
        return BEGIN
    # The newest is there since it was first heard; if others were heard even after that, since the last of those.
    others = max([claim.seen for claim in claims[:-1] if not claim.replaced], default=BEGIN)
    return claims[-1].since if claims[-1].since > others else others + TICK


def began(stored: StoredEvent) -> bool:
    """Whether a game began with an event."""
    return stored.kind in BEGINS or stored.game == stored.rev


def _silent(stored: StoredEvent) -> StoredEvent:
    return replace(stored, position=None, said=None)


def _unheard(stored: StoredEvent, until: datetime = BEGIN) -> StoredEvent:
    """Only how the board stood after an event, which cannot have happened before what was lost `until` a moment."""
    heard = stored.said or stored.seen
    event = Event(stored.rev, game=stored.game, at=heard if stored.at is None or stored.at < until else stored.at)
    only = StoredEvent.of(event, stored.board, stored.epoch, heard)
    return replace(only, position=stored.position, said=stored.said)
