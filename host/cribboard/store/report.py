"""What a board has reported, on its way to the history, as a dataclass and as JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from cribboard.board.messages import Corrected, Event, Standing
from cribboard.files import Entry
from cribboard.store.schema import as_moment, milliseconds
from cribboard.typed import WORD, as_list, as_list_of, as_name, as_number, as_object, as_truth, as_whole, optional
from cribboard_core.events import MOST_POINTS, PLACES

MOST_EVENTS = 1000
MOST_TEXT = 4000
RANGES = (WORD, WORD, PLACES - 1, 255, 0xFFFF, 255, 0xFFFF, 255, WORD)  # of an event as it is told; its kind is a word


@dataclass(frozen=True)
class Report:
    """Events of one journal, and the match's standing after the newest, be that one among them or not.

    They may repeat events, leave some out (a gap), and bring those that were left out before, each with what the host
    knows of it. `names` are of the game that is on then, by place. `lost`: the board has lost events, so it no longer
    has what is known behind the newest. `dropped` counts the events for which there was no room. `heard` is when the
    host heard the board, if the report had to wait: what another host has written since is newer.
    """

    uid: str
    epoch: int
    events: Sequence[Event]
    standing: Standing
    names: Mapping[int, str]
    lost: bool = False
    dropped: int = 0
    heard: datetime | None = None

    @property
    def game(self) -> tuple[str, int, int]:
        """The game that is on then. Only reports of one game can be joined: each game has its names."""
        return self.uid, self.epoch, self.standing.game

    def then(self, later: Report) -> Report:
        """This report joined with a later one; at most MOST_EVENTS events, the newest."""
        # The board has lost events since, so of these only what lies before the later ones still stands.
        ends = min((event.rev for event in later.events), default=later.standing.rev + 1) if later.lost else None
        mine = [event for event in self.events if ends is None or event.rev < ends]
        known = {event: event for event in self.events}
        events = (*mine, *(event.knowing(known.get(event, event)) for event in later.events))[-MOST_EVENTS:]
        dropped = self.dropped + later.dropped + len(mine) + len(later.events) - len(events)
        lost = self.lost or later.lost
        return Report(self.uid, self.epoch, events, later.standing, later.names, lost, dropped, later.heard)

    def to_json(self) -> dict[str, object]:
        """The report as JSON, for `from_json`."""
        return {
            "uid": self.uid,
            "epoch": self.epoch,
            "rows": [event.fields() for event in self.events],
            "standing": self.standing.fields(),
            "names": {str(place): name for place, name in self.names.items()},
            "notes": {str(event.rev): _note(event) for event in self.events},
            "lost": self.lost,
            "dropped": self.dropped,
            "heard": optional(self.heard, milliseconds),
        }

    @classmethod
    def from_json(cls, data: Entry) -> Report:
        """The report that `to_json` wrote; else raises one of DAMAGE."""
        uid, lost, events = as_number(data["uid"]), as_truth(data["lost"]), as_list_of("event", data["rows"], _event)
        as_whole(len(events), MOST_EVENTS)
        standing = Standing.read(as_list(data["standing"]))
        for number in (standing.rev, standing.game, *standing.won):
            as_whole(number, WORD)
        names = {as_whole(int(at), PLACES - 1): as_name(name) for at, name in as_object(data["names"]).items()}
        notes = {int(rev): _read_note(note) for rev, note in as_object(data["notes"]).items()}
        events = [replace(event, **notes.get(event.rev, {})) for event in events]
        epoch, dropped = as_whole(data["epoch"], WORD), as_whole(data["dropped"], WORD)
        return cls(uid, epoch, tuple(events), standing, names, lost, dropped, optional(data.get("heard"), as_moment))


def _event(fields: object) -> Event:
    event = Event.read(as_list(fields))
    for number, most in zip(event.fields(), RANGES, strict=True):
        if not isinstance(number, str):
            as_whole(number, most)
    as_whole(event.rev - 1, WORD)
    return event


def _note(event: Event) -> list[object]:
    """What the host knows of an event."""
    line = [event.line.rev, event.line.was, event.line.points, event.line.by] if event.line else None
    return [event.cards, event.starter, event.by, event.text, optional(event.at, milliseconds), line]


def _read_note(fields: object) -> dict[str, Any]:
    cards, starter, by, text, at, *line = as_list(fields)  # a line came later
    cards, starter, by, text = map(_text, (cards, starter, by, text))
    corrected = optional(line[0] if line else None, _line)
    known = {"cards": cards, "starter": starter, "by": by, "text": text}
    return {**known, "at": optional(at, as_moment), "line": corrected}


def _line(fields: object) -> Corrected:
    rev, was, points, by = as_list(fields)
    return Corrected(as_whole(rev, WORD), as_whole(was, MOST_POINTS), as_whole(points, MOST_POINTS), _text(by))


def _text(value: object) -> str:
    if not (isinstance(value, str) and len(value) <= MOST_TEXT):  # what cannot be shown is taken out by the history
        raise ValueError(value)
    return value
