"""What a learner has answered, and what is due again: each skill comes back when it is about to be forgotten.

The answers are kept, one line each; the schedule (FSRS) follows from them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import TypedDict

from fsrs import Card, Rating, Scheduler

from cribboard.files import append_line, read_lines

QUICK_S = 8.0  # an answer that needs no thought
SLOW_S = 30.0


class KeptEntry(TypedDict):
    """An answer as it is kept; the rating is FSRS's."""

    skill: str
    rating: int
    at: str


@dataclass
class Progress:
    """`due` has when each skill is to come again; `missed` are those whose newest answer was wrong, `streak`
    counts right answers since the newest wrong one."""

    path: Path | None = None
    due: dict[str, datetime] = field(default_factory=dict)
    missed: set[str] = field(default_factory=set)
    streak: int = 0
    best: int = 0
    _cards: dict[str, Card] = field(default_factory=dict)
    _scheduler: Scheduler = field(default_factory=lambda: Scheduler(enable_fuzzing=False))

    @classmethod
    def read(cls, path: Path) -> Progress:
        """From the answers in a file."""
        return cls.of((entry for _, entry in read_lines(path)), path)

    @classmethod
    def of(cls, answers: Iterable[Mapping[str, object]], path: Path | None = None) -> Progress:
        """From the answers of a file; skips what is not an answer."""
        progress = cls(path)
        for entry in answers:
            try:
                skill, rating = str(entry["skill"]), Rating(int(str(entry["rating"])))
                progress._fold(skill, rating, datetime.fromisoformat(str(entry["at"])))
            except (KeyError, ValueError, TypeError, OverflowError):
                continue
        return progress

    def answered(self, skill: str, right: bool, seconds: float, at: datetime) -> KeptEntry:
        """Take an answer, and return it as it is kept; raises CribboardError when it cannot be written."""
        rating = _rating(right, seconds)
        entry: KeptEntry = {"skill": skill, "rating": int(rating), "at": at.isoformat(timespec="seconds")}
        if self.path is not None:
            append_line(self.path, entry)
        self._fold(skill, rating, at)
        return entry

    def next_of(self, skills: tuple[str, ...], now: datetime) -> str:
        """What to ask: what is due, the longest first; else what was missed last; else what is new or due soonest."""
        known = sorted((skill for skill in skills if skill in self.due), key=lambda skill: self.due[skill])
        due = [skill for skill in known if self.due[skill] <= now]
        missed = [skill for skill in skills if skill in self.missed]
        new = [skill for skill in skills if skill not in self.due]
        return [*due, *missed, *new, *known][0]

    def _fold(self, skill: str, rating: Rating, at: datetime) -> None:
        card, _ = self._scheduler.review_card(self._cards.get(skill) or Card(card_id=1, due=at), rating, at)
        self._cards[skill] = card
        self.due[skill] = card.due
        wrong = rating is Rating.Again
        self.missed = self.missed | {skill} if wrong else self.missed - {skill}
        self.streak = 0 if wrong else self.streak + 1
        self.best = max(self.best, self.streak)


def _rating(right: bool, seconds: float) -> Rating:
    if not right:
        return Rating.Again
    if seconds > SLOW_S:
        return Rating.Hard
    return Rating.Easy if seconds <= QUICK_S else Rating.Good
