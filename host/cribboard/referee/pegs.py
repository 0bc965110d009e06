"""The pegs of a game as the board has them: its events, each with the act that made it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from cribboard.referee.outcomes import Command, Outcome, RefereeError
from cribboard_core.events import NEW, UNDO, Refused
from cribboard_core.game import unpack
from cribboard_core.match import Match

Base = tuple[int, int, str, int]  # rev, rev of its game, the match packed, number of the board's journal
MINE, PENDING = 1, 2  # whose a row of the board is; 0 is the board's own


@dataclass(frozen=True)
class Pegged:
    """An event that was folded: with its command, if it was the referee's, and the number of the act that made it."""

    event: tuple[int, ...]
    command: Command
    act: int


class Pegs:
    """The match from a base on, folded event for event as the board folds it; the referee adds whose each event is.

    `game` is the rev of the event that began the refereed game, -1 before it.
    """

    def __init__(self, base: Base) -> None:
        self.base = base
        self.game = -1
        self.match = unpack_match(base)
        self.events: list[Pegged] = []
        self._owner: dict[int, int] = {}  # rev: act
        self._games: set[int] = set()  # those that the referee has begun

    @property
    def base_rev(self) -> int:
        """The rev from which the events count."""
        return self.base[0]

    @property
    def begun(self) -> bool:
        """Whether the refereed game has begun and is the board's."""
        return self.game >= 0 and self.match.game == self.game

    @property
    def scores(self) -> tuple[int, ...]:
        """The front pegs in the order of the sides."""
        return tuple(self.match.front(side) for side in self.match.sides)

    @property
    def newest(self) -> int:
        """The act that made the event which undo would take back, -1 when there is none in this game."""
        last = self.match.last() if self.begun else None
        return self._owner.get(last[1], -1) if last else -1

    def fold(self, pegged: Pegged) -> None:
        """Add an event; raises Refused, and changes nothing, when it cannot be."""
        self.match.check(pegged.event)
        self.match.apply(self.match.rev + 1, pegged.event)
        self.events.append(pegged)
        self._owner[self.match.rev] = pegged.act
        if pegged.event[0] == NEW and pegged.command:
            self.game = self.match.rev
            self._games.add(self.game)
        elif pegged.event[0] == UNDO and pegged.command and not self.begun:  # it took back how this game began
            self.game = self.match.game if self.match.game in self._games else -1

    def refold(self, events: list[Pegged]) -> None:
        """Begin again with these events."""
        self.match = unpack_match(self.base)
        self.events = []
        self._owner = {}
        for pegged in events:
            self.fold(pegged)

    def rebase(self, base: Base) -> None:
        """Go on from other pegs of the same game; what was before is forgotten."""
        self.base = base
        self.game = base[1]
        self._games = {self.game}
        self.refold([])

    def step_back(self, act: int, text: str) -> Outcome:
        """Take the newest event back, by this act."""
        event = self.match.undo_event()
        last = self.match.last()
        assert last is not None  # noqa: S101 (undo_event has found it)
        outcome = Outcome(text, event, ("undo", last[1]))
        self.fold(Pegged(event, outcome.command, act))
        return replace(outcome, scores=self.scores)

    def reorder(self, act: int, last: int, rows: list[list[int]]) -> None:
        """Put the board's own rows [0, kind, …] among the last events, which are all of one act."""
        kept, cut = self.events[: len(self.events) - last], self.events[len(self.events) - last :]
        if not 0 < last <= len(self.events) or len({pegged.act for pegged in cut}) != 1:
            raise RefereeError(f"the last {last} events are not those of one act")
        if sum(1 for row in rows if row[0]) > last:
            raise RefereeError(f"more rows than the last {last} events are said to be theirs")
        mine = cut[0].act
        commands = [pegged.command for pegged in cut]
        try:
            self.refold(kept)
            for whose, *event in rows:
                pegged = Pegged(tuple(event), commands.pop(0) if whose else (), mine if whose else act)
                if whose != PENDING or self._stands(pegged.event):
                    self.fold(pegged)
        except ValueError:
            self.refold(kept + cut)
            raise

    def pending(self, rev: int) -> list[tuple[int, Pegged]]:
        """The events above a rev, each with its own rev: what a board that stands there still lacks."""
        first = max(0, rev - self.base_rev)
        return [(self.base_rev + 1 + at, pegged) for at, pegged in enumerate(self.events) if at >= first]

    def match_at(self, rev: int) -> Match | None:
        """The match as it stood at a rev, if that is one of this game's."""
        if not self.base_rev <= rev <= self.match.rev:
            return None
        match = unpack_match(self.base)
        for pegged in self.events[: rev - self.base_rev]:
            match.apply(match.rev + 1, pegged.event)
        return match

    def _stands(self, event: tuple[int, ...]) -> bool:
        """Whether an event that was to be pegged still can be, after what came before it."""
        try:
            self.match.check(event)
        except Refused:
            return False
        return True


def pack_match(match: Match, journal: int = 0) -> Base:
    """A match without its history, for `Referee` and the log."""
    return match.rev, match.game, match.play.pack().hex(), journal


def unpack_match(base: Base) -> Match:
    """The match that `pack_match` has packed."""
    rev, game, packed, _ = base
    play = unpack(bytes.fromhex(packed))
    match = Match(play.target, play.mask, len(play.sides), play.seats[0], (play.skunk, play.double))
    match.play = play
    match.rev = rev
    play.rev = game
    return match
