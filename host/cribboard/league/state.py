"""How a night stands: the fold of its acts. What counts does not depend on the order in which devices report."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from cribboard.league.acts import BOARD, PHONE, STAFF, Act, BoardGame, Games
from cribboard.league.rules import Rules
from cribboard.league.standings import Bye, Game, Played, Row, Who, standings
from cribboard_core.variants import skunk_lines

OPEN, WAITS, AGREED, DISPUTED, SETTLED = "open", "waits", "agreed", "disputed", "settled"
Scores = tuple[int, int]


@dataclass
class Entrant:
    """Somebody who is in, from `since`, the round that was on when they came; `phone` is the one that has the name."""

    number: int
    since: int = 1
    here: bool = True
    phone: str = ""


@dataclass(frozen=True)
class Report:
    """What a side said, from which phone; without scores it said "not right" to the other's."""

    act: int
    who: str
    scores: Scores | None


@dataclass
class Leg:
    """A game of a match: what is said of it. `won` is the side with a walk-over."""

    reports: tuple[list[Report], list[Report]] = field(default_factory=lambda: ([], []))
    board: tuple[int, int] | None = None  # a game of the history, and the side of the match that is its side 0
    settled: Act | None = None
    # from here: what comes of it
    state: str = OPEN
    scores: Scores | None = None
    lines: tuple[int, int] = (0, 0)
    won: int | None = None
    waits_for: tuple[int, ...] = ()

    @property
    def counts(self) -> bool:
        """Whether the standings use it."""
        return self.state in (WAITS, AGREED, SETTLED)

    @property
    def winner(self) -> int | None:
        """The side that has won, if it counts."""
        if not self.counts:
            return None
        return self.won if self.scores is None else int(self.scores[1] > self.scores[0])

    @property
    def said(self) -> bool:
        """Whether anybody has said anything of it."""
        return self.board is not None or self.settled is not None or any(self.reports)

    def earlier(self, side: int) -> list[Scores]:
        """What a side said before what it says now."""
        return [report.scores for report in self.reports[side][:-1] if report.scores]


@dataclass
class Match:
    """Two sides (one: a bye) in a round. `void` says why it counts for nothing, empty if it counts."""

    number: int
    round: int
    table: int
    sides: tuple[tuple[int, ...], ...]
    first: int = 0
    called: bool = False
    void: str = ""
    legs: dict[int, Leg] = field(default_factory=dict)

    @property
    def is_bye(self) -> bool:
        """Whether it is a round that somebody sits out."""
        return len(self.sides) < 2

    @property
    def players(self) -> tuple[int, ...]:
        """All who play in it."""
        return tuple(who for side in self.sides for who in side)

    def wins(self) -> Scores:
        """Games won by both sides."""
        won = [leg.winner for leg in self.legs.values()]
        return won.count(0), won.count(1)

    def over(self, rules: Rules) -> bool:
        """Whether nobody plays in it any more: it is decided, or a quarrel about its last game is the director's."""
        quarrels = sum(leg.state == DISPUTED for leg in self.legs.values())
        return self.is_bye or bool(self.void) or max(self.wins()) + quarrels > rules.best_of // 2

    def missing(self, side: int, best_of: int) -> list[int]:
        """The games that give a side the match: undecided ones, then the last of the other's; else its own last one."""
        winners = {leg: self.legs[leg].winner if leg in self.legs else None for leg in range(1, best_of + 1)}
        decided = [leg for leg in winners if winners[leg] is not None]
        lacks = best_of // 2 + 1 - self.wins()[side]
        free = [leg for leg in winners if leg not in decided]
        return (free + [leg for leg in reversed(decided) if winners[leg] != side])[:lacks] or decided[-1:]

    def next_leg(self) -> int:
        """The game of the match that is played now, or next."""
        return 1 + sum(leg.state != OPEN for leg in self.legs.values())

    @property
    def dealer(self) -> int:
        """The side that deals first in the game that is played now, or next: the two take turns."""
        return (self.first + self.next_leg() - 1) % 2

    def side_of(self, entrant: int) -> int | None:
        """The side that somebody plays for."""
        return next((at for at, side in enumerate(self.sides) if entrant in side), None)


@dataclass
class State:
    """A night: `entrants` and `matches` by number, both in the order in which they came."""

    entrants: dict[int, Entrant] = field(default_factory=dict)
    matches: dict[int, Match] = field(default_factory=dict)
    adjusted: dict[int, int] = field(default_factory=dict)
    pins: dict[int, int] = field(default_factory=dict)  # entrants and the tables at which they always play
    drawn: dict[tuple[int, int], tuple[tuple[int, ...], ...]] = field(default_factory=dict)  # first, by round and who
    closed: bool = False
    acts: int = 0
    keys: dict[tuple[str, str], int] = field(default_factory=dict)  # who and key: the act

    @property
    def here(self) -> list[int]:
        """Who is in and has not left."""
        return [each.number for each in self.entrants.values() if each.here]

    def entrant_of(self, phone: str) -> int | None:
        """Whose phone it is."""
        return next((each.number for each in self.entrants.values() if phone and each.phone == phone), None)

    def is_changed(self, match: Match, entrant: int) -> bool:
        """Whether somebody was to play others in this round, or to sit it out, when it was first drawn for them."""
        return {*map(frozenset, self.drawn.get((match.round, entrant), ()))} != {*map(frozenset, match.sides)}

    def standing(self, match: Match) -> bool:
        """Whether a match counts, or may yet."""
        return not match.void

    def live(self) -> list[Match]:
        """The matches that count or may yet, by round and table."""
        return sorted(
            (each for each in self.matches.values() if not each.void), key=lambda each: (each.round, each.table)
        )

    def round(self, rules: Rules) -> int:
        """The earliest round in which somebody still has to play; after the last one, that; 0 before a draw."""
        rounds = [each.round for each in self.live()]
        return min((each.round for each in self.live() if not each.over(rules)), default=max(rounds, default=0))

    def busy(self, rules: Rules) -> set[int]:
        """Who plays just now."""
        return {who for each in self.live() if each.called and not each.over(rules) for who in each.players}

    def due(self, rules: Rules, tables: Sequence[int]) -> list[tuple[int, int]]:
        """Matches that can begin now, each with its table: both sides are free, in the order of the rounds.

        Nobody waits for a round to end. A match is at its own table if that is free, else at another one.
        """
        if self.closed:
            return []
        waiting = [each for each in self.live() if not (each.called or each.over(rules))]
        taken = {each.table for each in self.live() if each.called and not each.over(rules)}
        gone = {each.number for each in self.entrants.values() if not each.here}
        busy, ready = self.busy(rules), []
        for match in waiting:
            if busy.isdisjoint(match.players) and gone.isdisjoint(match.players):
                pinned = any(self.pins.get(who) == match.table for who in match.players)
                # One beside the plan, of which a game was played, has no table yet.
                free = [table for table in (match.table, *(() if pinned else tables)) if table and table not in taken]
                theirs = {each.table for each in waiting if each.round == match.round and each is not match}
                if free:
                    # Rather one that no match of this round is meant for, whose players would find it taken.
                    table = free[0] if free[0] == match.table else min(free, key=lambda each: each in theirs)
                    ready.append((match.number, table))
                    taken.add(table)
            busy |= set(match.players)  # who waits here plays in no later round before it
        return ready

    def played(self) -> list[Played]:
        """What counts, for the standings: games, walk-overs, and byes of rounds that have begun."""
        begun = {each.round for each in self.live() if each.called or any(leg.said for leg in each.legs.values())}
        played: list[Played] = []
        for match in self.live():
            if match.is_bye:
                played += [Bye(who, match.round) for who in match.players if match.round in begun]
                continue
            for leg in match.legs.values():
                if leg.counts and leg.scores is not None:
                    played.append(Game(match.sides, leg.scores, match.round, leg.lines, match=match.number))
                elif leg.counts:
                    played.append(Game(match.sides, (), match.round, walkover=leg.won, match=match.number))
        return played

    def standings(self, rules: Rules) -> list[Row]:
        """Who stands how, of all who are in or have played."""
        played = self.played()
        there = {who for each in played if isinstance(each, Game) for side in each.sides for who in side}
        shown = [each.number for each in self.entrants.values() if each.here or each.number in there]
        rest = [each for each in played if not isinstance(each, Bye) or each.who in shown]
        adjusted: dict[Who, int] = {who: points for who, points in self.adjusted.items() if who in shown}
        return standings(rules, shown, rest, adjusted)


def fold(acts: Iterable[Act], games: Games) -> State:
    """The state after acts in the order of their numbers; `games` are those of the history that they name."""
    state = State()
    for act in acts:
        state.acts = act.number
        # A phone that hears no answer sends the same again.
        if act.key and (act.who, act.key) in state.keys:
            continue
        if act.key:
            state.keys[act.who, act.key] = act.number
        _STEPS.get(act.kind, _skip)(state, act)
    for match in state.matches.values():
        for leg in match.legs.values():
            _resolve(leg, _phones(state, match), games)
    return state


def _skip(state: State, act: Act) -> None:
    """An act that changes nothing but the record."""


def _enter(state: State, act: Act) -> None:
    if act.entrant is not None:
        state.entrants.setdefault(act.entrant, Entrant(act.entrant, act.round or 1))


def _claim(state: State, act: Act) -> None:
    """One phone a name, one name a phone: the first keeps it, unless the director gives it to another."""
    entrant = state.entrants.get(act.entrant or 0)
    if entrant is None:
        return
    if act.source == STAFF:
        for other in state.entrants.values():
            if act.text and other.phone == act.text:
                other.phone = ""
        entrant.phone = act.text  # the phone that has it now, or nobody's
    elif not entrant.phone and state.entrant_of(act.who) is None:
        entrant.phone = act.who


def _leave(state: State, act: Act) -> None:
    if act.entrant in state.entrants:
        state.entrants[act.entrant].here = act.kind == "return"


def _plan(state: State, act: Act) -> None:
    """Withdraw what has not begun; what was played never changes."""
    for match in state.matches.values():
        begun = match.called or any(leg.said for leg in match.legs.values())
        if not match.void and not begun and match.round >= (act.round or 0):
            match.void = "planned again"


def _match(state: State, act: Act) -> None:
    match = state.matches[act.number] = Match(act.number, act.round or 0, act.table or 0, act.sides, act.first or 0)
    for who in match.players:
        state.drawn.setdefault((match.round, who), match.sides)


def _call(state: State, act: Act) -> None:
    match = state.matches.get(act.match or 0)
    if match is not None:
        match.called = True
        match.table = act.table or match.table


def _move(state: State, act: Act) -> None:
    if act.entrant in state.entrants:
        state.pins[act.entrant] = act.table or 0
        if not act.table:
            del state.pins[act.entrant]
    match = state.matches.get(act.match or 0)
    if match is not None:
        match.table = act.table or match.table


def _leg(state: State, act: Act) -> Leg | None:
    match = state.matches.get(act.match or 0)
    return None if match is None or match.is_bye else match.legs.setdefault(act.leg, Leg())


def _report(state: State, act: Act) -> None:
    leg = _leg(state, act)
    if leg is None:
        return
    if act.source == BOARD and act.game is not None:
        leg.board = (act.game, act.side or 0)
    elif act.source == PHONE and act.side in (0, 1):
        leg.reports[act.side].append(Report(act.number, act.who, act.scores))


def _settle(state: State, act: Act) -> None:
    leg = _leg(state, act)
    if leg is not None:
        leg.settled = act
        state.matches[act.match or 0].void = ""


def _adjust(state: State, act: Act) -> None:
    if act.entrant in state.entrants:
        state.adjusted[act.entrant] = state.adjusted.get(act.entrant, 0) + (act.points or 0)


def _correct(state: State, act: Act) -> None:
    """Other opponents, or none: then it is struck."""
    match = state.matches.get(act.match or 0)
    if match is None:
        return
    if act.sides:
        match.sides = act.sides
    else:
        match.void = act.text or "struck"


def _close(state: State, act: Act) -> None:
    state.closed = act.kind == "close"


_STEPS = {
    "enter": _enter,
    "claim": _claim,
    "leave": _leave,
    "return": _leave,
    "plan": _plan,
    "match": _match,
    "call": _call,
    "move": _move,
    "report": _report,
    "agree": _report,
    "settle": _settle,
    "adjust": _adjust,
    "correct": _correct,
    "close": _close,
    "reopen": _close,
}


def _phones(state: State, match: Match) -> tuple[set[str], ...]:
    """The phones of each side."""
    return tuple({state.entrants[who].phone for who in side if who in state.entrants} for side in match.sides)


def _resolve(leg: Leg, phones: Sequence[set[str]], games: Games) -> None:
    """What comes of what was said of a game.

    A report from a phone that is no longer its player's counts for nothing where the other side says otherwise, and
    waits for both where nobody else has said anything.
    """
    if leg.settled is not None:
        leg.state, leg.scores, leg.won = SETTLED, leg.settled.scores, leg.settled.side
        leg.lines = skunk_lines(max(leg.scores)) if leg.scores else (0, 0)
        return
    said = [_newest(reports, phones[side]) for side, reports in enumerate(leg.reports)]
    mine, theirs = ((each and each.scores) for each in said)
    game = _of_board(leg, games)
    if game is not None:
        # The board has counted it: nobody has to agree. But a phone that says otherwise is a quarrel for the director.
        given = {each.scores for each in said if each}
        leg.scores, leg.lines = game.scores, game.lines
        leg.state = AGREED if given <= {game.scores} else DISPUTED
    elif mine and mine == theirs:
        leg.state, leg.scores = AGREED, mine
    else:
        holds = [bool(each and each.who in phones[side]) for side, each in enumerate(said)]
        if all(said) and any(holds):
            said = [each if hold else None for each, hold in zip(said, holds, strict=True)]
        claims = {side: each.scores for side, each in enumerate(said) if each}
        leg.state = OPEN if not any(claims.values()) else DISPUTED if len(claims) > 1 else WAITS
        if leg.state == WAITS:
            ((side, leg.scores),) = claims.items()
            leg.waits_for = (1 - side,) if holds[side] else (0, 1)
    if leg.state == DISPUTED:
        leg.scores = None
    elif leg.scores and game is None:
        leg.lines = skunk_lines(max(leg.scores))


def _newest(reports: Sequence[Report], phones: set[str]) -> Report | None:
    """What a side says: the newest from a phone that is still one of its players', else the newest."""
    own = [report for report in reports if report.who in phones]
    return (own or reports)[-1] if reports else None


def _of_board(leg: Leg, games: Games) -> BoardGame | None:
    """The board's game by the sides of the match, if somebody has won it."""
    game = games.get(leg.board[0]) if leg.board else None
    if game is None or game.scores is None or leg.board is None:
        return None
    return game if leg.board[1] == 0 else BoardGame((game.scores[1], game.scores[0]), game.lines)


@dataclass(frozen=True)
class Change:
    """A line of a match: an act, and how the game stood before and after it."""

    act: Act
    before: tuple[str, Scores | None]
    after: tuple[str, Scores | None]


def lines(acts: Sequence[Act], games: Games, match: int) -> list[Change]:
    """All that happened to a match: who, from where, before and after."""
    lines: list[Change] = []
    before: tuple[str, Scores | None] = (OPEN, None)
    # What a report counts for depends on whose phone it came from, so these belong to every match.
    people = ("enter", "claim")
    concerned = [act for act in acts if act.kind in people or act.match == match or act.number == match]
    for at, act in enumerate(concerned):
        after = before
        now = fold(concerned[: at + 1], games).matches.get(match)
        if now is not None:
            leg = now.legs.get(act.leg)
            after = (now.void, None) if now.void else (leg.state, leg.scores) if leg else (OPEN, None)
        if act.match == match or after != before:
            lines.append(Change(act, before, after))
        before = after
    return lines
