"""An evening of people at the kiosk: begun, drawn, called, reported, corrected and closed."""

from __future__ import annotations

import json
import secrets
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import partial
from random import Random

from cribboard.errors import ArgumentError
from cribboard.league.acts import BOARD, PHONE, STAFF, Act
from cribboard.league.entry import by_scores
from cribboard.league.partners import partners
from cribboard.league.plan import MOST_PLAYERS, Pairing, Past, check, makeup, plan
from cribboard.league.rules import OWN, Rules, own_rules, preset, read_rules
from cribboard.league.state import DISPUTED, Leg, Match, State
from cribboard.league.swiss import swiss
from cribboard.names import check_names
from cribboard.service.orders import KEY, OrderError
from cribboard.store import Store
from cribboard.store.contests import Contest, Night
from cribboard_core.cards import quote

MINUTES = 20  # for a game to 121, with looking for the table
MOST_WOODEN = 100
LEAST_ROUNDS, MOST_ROUNDS = 3, 12  # of an evening whose rules and director say none
ALL, SWISS, PAIRS, PARTNERS = "all", "swiss", "pairs", "partners"  # pairs: drawn once, then they stay
CHANCE: Callable[[], Random] = lambda: Random(secrets.randbits(64))  # noqa: E731, S311 (a draw is no secret)


@dataclass(frozen=True)
class Actor:
    """Who does something: a device as the history names it, and whether it directs the night."""

    by: str
    director: bool

    @property
    def source(self) -> str:
        """Where what it does comes from."""
        return STAFF if self.director else PHONE


@dataclass(frozen=True)
class Wish:
    """How a night is to be: who is in, by which rules, at which tables, for how long, and who plays whom."""

    names: tuple[str, ...]
    preset: str
    boards: tuple[int, ...]
    wooden: int
    rounds: int
    draw: str
    name: str = ""
    rules: Mapping[str, object] = field(default_factory=dict)  # those of the preset, with what was chosen otherwise

    @property
    def minutes(self) -> int:
        """How long a match takes; of best of several the mean of the fewest and the most games."""
        best_of = read_rules(self.rules).best_of
        return MINUTES * (best_of // 2 + 1 + best_of) // 2

    @property
    def tables(self) -> int:
        """How many tables there are."""
        return len(self.boards) + self.wooden


def read_wish(order: Mapping[str, object], boards: Sequence[int]) -> Wish:
    """A night as a page asks for it; raises ArgumentError that says what is wrong with which value."""
    known = {"names", "preset", "own", "best_of", "boards", "wooden", "rounds", "draw", "name", "key"}
    if more := set(order) - known:
        raise ArgumentError(f"a night has no {quote(min(more))}", f"it has {', '.join(sorted(known))}")
    names = order.get("names", [])
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names) or len(names) > MOST_PLAYERS:
        raise ArgumentError("the names are no list of names", f"send up to {MOST_PLAYERS}")
    named = str(order.get("preset", "club"))
    if named != OWN and not preset(named).night:
        raise ArgumentError(f"the rules {quote(named)} are for teams", "choose rules for an evening of players")
    worth = own_rules(order.get("own", {})) if named == OWN else preset(named).rules
    rules = {**worth, "best_of": order.get("best_of", worth.get("best_of", 1))}
    read = read_rules(rules)
    draw = order.get("draw") or (PARTNERS if read.partners else ALL)
    if draw not in (ALL, SWISS, PAIRS, PARTNERS) or (draw == PARTNERS) != read.partners:
        raise ArgumentError(
            f"who plays whom cannot be {quote(draw)}", "choose all, swiss or pairs; partners go by their rules"
        )
    chosen = order.get("boards", list(boards))
    if not isinstance(chosen, list) or any(type(each) is not int or each not in boards for each in chosen):
        raise ArgumentError(f"the tables with a board are not {quote(chosen)}", f"choose among {list(boards)}")
    wooden = _whole(order.get("wooden", 0), "wooden tables", 0, MOST_WOODEN)
    title = order.get("name", "")
    if not isinstance(title, str) or len(title) > 40 or not title.isprintable():
        raise ArgumentError(f"{quote(title)} is no name for a night", "use up to 40 letters, or none")
    tidy = tuple(check_names([name for name in names if name.strip()]))
    wish = Wish(tidy, named, tuple(dict.fromkeys(chosen)), wooden, 0, str(draw), " ".join(title.split()), rules)
    usual = read.rounds or MOST_ROUNDS
    if draw in (ALL, PAIRS):
        sides = len(tidy) // 2 if draw == PAIRS else len(tidy)
        usual = min(usual, max(LEAST_ROUNDS, _until_all_have_met(sides, wish.tables)))
    return replace(wish, rounds=_whole(order.get("rounds") or usual, "rounds", 1, 60))


def _until_all_have_met(players: int, tables: int) -> int:
    """The rounds until everybody has met everybody."""
    pairs, at_once = players * (players - 1) // 2, min(tables, players // 2)
    return -(-pairs // max(1, at_once))


def _whole(value: object, what: str, least: int, most: int) -> int:
    if type(value) is not int or not least <= value <= most:
        raise ArgumentError(f"{what}: {quote(value)}", f"use a whole number from {least} to {most}")
    return value


def preview(wish: Wish, now: datetime) -> str:
    """What comes of a wish, in a sentence with the time of the house; raises ArgumentError if nothing can."""
    count, rounds = len(wish.names), wish.rounds
    check(range(count), range(wish.tables), rounds)
    if wish.draw in (PAIRS, PARTNERS) and count < 4:
        raise ArgumentError(f"{count} players make no two pairs", "partners are drawn among four or more")
    if wish.draw == PAIRS and count % 2:
        raise ArgumentError(f"{count} players leave one without a partner", "add one, or choose who waits")
    seats = 4 if wish.draw in (PAIRS, PARTNERS) else 2
    games = min(wish.tables, count // seats) * rounds
    sides = count // 2 if wish.draw == PAIRS else count
    pairs = sides * (sides - 1) // 2
    if wish.draw == PARTNERS:
        meets = "a new partner each round" if rounds < count else "partners by turns"
    elif wish.draw == SWISS:
        meets = "those who stand about equal meet"
    elif games >= pairs:
        meets = "everybody meets" if games == pairs else "everybody meets, some again"
    else:
        each, rest = divmod(games * 2, sides)
        meets = f"{each} games each" if not rest else f"{each} or {each + 1} games each"
    idle = count - seats * min(wish.tables, count // seats)
    sits = f", {idle} sit{'s' * (idle == 1)} out by turns" if idle else ""
    minutes = rounds * wish.minutes
    until = now + timedelta(minutes=minutes)
    tables = f"{wish.tables} table{'s' * (wish.tables != 1)}"
    people = f"{count} players in {sides} drawn pairs" if wish.draw == PAIRS else f"{count} players"
    parts = f"{people}, {tables}, {rounds} round{'s' * (rounds != 1)}"
    return f"{parts}: {meets}{sits}, about {length(minutes)}, until {until:%H:%M}."


def length(minutes: int) -> str:
    """So many minutes as people say them, like `1 h 40`."""
    hours, rest = divmod(minutes, 60)
    return f"{hours} h {rest:02}" if hours and rest else f"{hours} h" if hours else f"{rest} minutes"


def begin(store: Store, wish: Wish, actor: Actor, now: datetime, director: str = "") -> Night:
    """Begin a night and draw it; raises ArgumentError if that cannot be, or if another night is on."""
    preview(wish, now)
    if (on := store.running_contest()) is not None:
        raise ArgumentError(f"another night is on, since {store.contest(on).contest.began:%H:%M}", "close it first")
    contest = Contest(
        name=wish.name,
        rules=json.dumps(dict(wish.rules)),
        preset=wish.preset,
        draw=wish.draw,
        rounds=wish.rounds,
        boards=wish.boards,
        wooden=wish.wooden,
        minutes=wish.minutes,
        director=director,
    )
    number = store.begin_contest(contest, wish.names)
    store.act(number, lambda night, state: planned(night, state, 1, actor))
    return tick(store, number, {})


# Plans.


def planned(night: Night, state: State, first: int, actor: Actor, rounds: int | None = None) -> list[Act]:
    """The acts that plan the rounds from one on: what was to come is withdrawn, what was played stays."""
    contest, last = night.contest, rounds or night.contest.rounds
    acts = [Act(number=0, kind="plan", source=actor.source, who=actor.by, round=first)]
    if last < first or len(state.here) < 2:
        return acts
    before = [match for match in state.live() if match.round < first and not match.is_bye]
    drawn: list[list[tuple[Sequence[Sequence[int]], int]]]
    if contest.draw == PARTNERS:
        past = _fours(before, first)
        drawn_fours = partners(state.here, len(contest.tables), last - first + 1, CHANCE(), past)
        drawn = [[(four, table) for four, table in zip(fours, contest.tables, strict=False)] for fours in drawn_fours]
    else:
        sides = _sides(night, state)
        if len(sides) < 2:
            return acts
        if contest.draw == SWISS:
            # Who plays next depends on this round's results: the following ones are drawn when it is over.
            last = first
            pairings = [_swiss(night, state, before)]
        else:
            pairings = _paired(night, state, sides, before, first, last)
        drawn = [[((sides[each.pair[0]], sides[each.pair[1]]), each.table) for each in row] for row in pairings]
    for number, row in enumerate(drawn, first):
        acts += [match_act(actor, number, sides, table) for sides, table in row]
        busy = {who for sides, _ in row for side in sides for who in side}
        acts += [match_act(actor, number, ((who,),), 0) for who in state.here if who not in busy]
    return acts


def match_act(actor: Actor, number: int, sides: Sequence[Sequence[int]], table: int) -> Act:
    """The act that makes a match of a round; with one side it is a bye."""
    home = (*sides[0], None)[:2]
    away = (*sides[1], None)[:2] if len(sides) > 1 else (None, None)
    act = Act(number=0, kind="match", source=actor.source, who=actor.by, round=number, table=table, first=0)
    return replace(act, home=home[0], home_partner=home[1], away=away[0], away_partner=away[1])


def _sides(night: Night, state: State) -> dict[int, tuple[int, ...]]:
    """Who can play, by the first of each side: the drawn pairs on a night of pairs, else everybody alone."""
    return _drawn_pairs(state) if night.contest.draw == PAIRS else {who: (who,) for who in state.here}


def _drawn_pairs(state: State) -> dict[int, tuple[int, ...]]:
    """The drawn pairs by the first of each: as they have been, and of those who have no partner here new ones."""
    before = {side for match in state.matches.values() for side in match.sides if len(side) == 2}
    pairs: dict[int, tuple[int, ...]] = {side[0]: side for side in sorted(before) if {*side} <= {*state.here}}
    alone = [who for who in state.here if not any(who in side for side in pairs.values())]
    CHANCE().shuffle(alone)
    return pairs | {one: (one, other) for one, other in zip(alone[::2], alone[1::2], strict=False)}


def _paired(
    night: Night, state: State, sides: Mapping[int, Sequence[int]], before: Sequence[Match], first: int, last: int
) -> list[list[Pairing]]:
    contest = night.contest
    rounds: dict[int, list[tuple[int, int]]] = {number: [] for number in range(1, first)}
    on_boards: Counter[int] = Counter()
    for match in before:
        one, other = match.sides[0][0], match.sides[1][0]
        rounds[match.round].append((one, other) if match.first == 0 else (other, one))
        if match.table in contest.boards:
            on_boards.update(match.players)
    past = Past(tuple(tuple(each) for each in rounds.values()), on_boards)
    pins = {name: state.pins[who] for name, side in sides.items() for who in side if who in state.pins}
    return plan(list(sides), contest.tables, last - first + 1, CHANCE(), boards=contest.boards, past=past, pins=pins)


def _swiss(night: Night, state: State, before: Sequence[Match]) -> list[Pairing]:
    met = {frozenset(match.players) for match in before}
    byes = Counter(match.players[0] for match in state.live() if match.is_bye)
    order = [int(row.who) for row in state.standings(night.rules) if row.who in state.here]
    if not before:
        CHANCE().shuffle(order)
    pairs, _ = swiss(order, met, byes)
    return [Pairing(pair, table) for pair, table in zip(pairs, night.contest.tables, strict=False)]


def _fours(before: Sequence[Match], first: int) -> list[list[tuple[tuple[int, int], tuple[int, int]]]]:
    rounds: list[list[tuple[tuple[int, int], tuple[int, int]]]] = [[] for _ in range(first - 1)]
    for match in before:
        if all(len(side) == 2 for side in match.sides):
            one, other = match.sides
            rounds[match.round - 1].append(((one[0], one[1]), (other[0], other[1])))
    return rounds


def first_to_plan(state: State) -> int:
    """The first round that can be planned again: the one after those of which a match has begun."""
    return max((match.round for match in state.live() if begun(match)), default=0) + 1


def begun(match: Match) -> bool:
    """Whether a match was called, or anybody has said anything of it."""
    return not match.is_bye and (match.called or any(leg.said for leg in match.legs.values()))


# What goes on by itself.


def tick(store: Store, number: int, uids: Mapping[int, str]) -> Night:
    """Take in the games that boards have won, and call what can begin; `uids` are the boards of the tables."""
    night = store.contest(number)
    for decide in (partial(_won, store, uids=uids), partial(_calls, store)):  # a win frees a table for the next call
        if night.contest.closed is None and decide(night, night.state):
            night = store.act(number, decide)
    return night


def _won(store: Store, night: Night, state: State, *, uids: Mapping[int, str]) -> list[Act]:
    """The games that were won at the boards of called matches, by those who play there."""
    taken = {leg.board[0] for match in state.matches.values() for leg in match.legs.values() if leg.board}
    reports = []
    for match in state.live():
        uid = uids.get(match.table, "")
        if not uid or not match.called or match.is_bye or match.over(night.rules):
            continue
        players = [[night.players.get(who) for who in side] for side in match.sides]
        leg = match.next_leg()
        for game, side in store.board_games(uid, _marked(night, match.number), night.rules.target, players):
            if game not in taken and leg <= night.rules.best_of:
                taken.add(game)
                number = match.number
                reports.append(Act(number=0, kind="report", source=BOARD, match=number, leg=leg, game=game, side=side))
                leg += 1
    return reports


def _marked(night: Night, match: int) -> int:
    """The newest game of the history when a match was called: the match's games come after it."""
    return next((act.game or 0 for act in reversed(night.acts) if act.kind == "call" and act.match == match), 0)


def _calls(store: Store, night: Night, state: State) -> list[Act]:
    """What can begin now; of a Swiss night that has played a round also the next one."""
    contest = night.contest
    rules = night.rules
    live = [match for match in state.live() if not match.is_bye]
    if contest.draw == SWISS and not state.closed and live and all(match.over(rules) for match in live):
        last = max(match.round for match in live)
        disputed = any(leg.state == DISPUTED for match in live for leg in match.legs.values())
        if last < contest.rounds and not disputed and len(state.here) > 1:
            return planned(night, state, last + 1, Actor("", True))
    # Games that these two played at that board before the call are theirs alone: the mark tells them from the match's.
    mark = store.last_game()
    due = state.due(rules, contest.tables)
    return [Act(number=0, kind="call", match=match, table=table, game=mark or None) for match, table in due]


# What people do.

PLAYERS = ("claim", "release", "report", "agree", "wrong")
DIRECTS = (
    "settle",
    "walkover",
    "strike",
    "swap",
    "enter",
    "leave",
    "return",
    "give",
    "move",
    "pin",
    "more",
    "again",
    "attach",
    "adjust",
    "note",
    "close",
    "reopen",
)


WHEN_CLOSED = ("note", "close", "reopen")


def do(store: Store, number: int, actor: Actor, order: Mapping[str, object]) -> Night:
    """Carry out what a page asks for; raises OrderError or ArgumentError, and then changes nothing."""
    what = order.get("do")
    if what not in PLAYERS + DIRECTS:
        raise OrderError("order", f"there is no {quote(what)} on a night", f"there are {', '.join(PLAYERS + DIRECTS)}")
    if what in DIRECTS and not actor.director:
        raise OrderError("staff", "only the director may do this", "ask whoever runs the night", 403)
    if not actor.by:
        raise OrderError("join", "this device has not joined the night", "scan its code on the screen", 403)
    key = order.get("key")
    if not isinstance(key, str) or not KEY.fullmatch(key):
        raise OrderError("order", f"the key {quote(key)} is not valid", "draw 16 to 40 new letters, digits, - and _")
    desk = NightOrder(actor, order, key)
    if what not in WHEN_CLOSED and store.contest(number).state.closed:
        raise OrderError("closed", "this night is closed", "the director can reopen it, with a word why", 409)
    if what == "attach":
        game = order.get("game")
        if type(game) is not int:
            raise ArgumentError(f"{quote(game)} is no number of a game", "the page History has it")
        sides = store.game_sides(game, store.contest(number).rules.target)
        return store.act(number, lambda night, state: desk.attach(night, state, game, sides))
    if what == "enter":
        entered = store.enter(number, desk.text("name", 400), desk.act("enter"))
        if entered.state.live():
            store.act(number, desk.planned_in)
        return entered
    return store.act(number, getattr(desk, str(what)))


class NightOrder:
    """One order, as the acts that it comes to."""

    def __init__(self, actor: Actor, order: Mapping[str, object], key: str) -> None:
        self._actor, self._order, self._key = actor, order, key

    def act(self, kind: str, *, keyed: bool = True, **more: object) -> Act:
        """An act by whoever gave the order."""
        key = self._key if keyed else ""
        return Act(number=0, kind=kind, source=self._actor.source, who=self._actor.by, key=key, **more)  # type: ignore[arg-type]

    def text(self, name: str, most: int = 200) -> str:
        """A text of the order, tidied."""
        text = self._order.get(name, "")
        if not isinstance(text, str) or len(text) > most or not text.isprintable():
            raise ArgumentError(f"{name} is {quote(text)}", f"write up to {most} visible characters")
        return " ".join(text.split())

    def _entrant(self, state: State, name: str = "entrant") -> int:
        number = self._order.get(name)
        if type(number) is not int or number not in state.entrants:
            raise ArgumentError(f"nobody on the list has the number {quote(number)}", "choose a name")
        return number

    def _match(self, state: State, name: str = "match") -> Match:
        number = self._order.get(name)
        match = state.matches.get(number) if type(number) is int else None
        if match is None or match.is_bye:
            raise ArgumentError(f"there is no match {quote(number)} on this night", "look at the list again")
        return match

    def _leg(self, match: Match, rules: Rules) -> int:
        """Which game of the match is meant: the one that is named, else one that is not agreed, else the next."""
        leg = self._order.get("leg")
        if leg is None:
            waits = (number for number, each in match.legs.items() if each.state in ("waits", DISPUTED))
            leg = next(waits, min(match.next_leg(), rules.best_of))
        if type(leg) is not int or not 1 <= leg <= rules.best_of:
            raise ArgumentError(f"a match here has no game {quote(leg)}", f"it has at most {rules.best_of}")
        return leg

    def _open(self, state: State) -> None:
        if state.closed:
            raise OrderError("closed", "this night is closed", "the director can reopen it", 409)

    def _side(self, state: State, match: Match) -> int:
        """The side of whoever gives the order; raises OrderError for a phone that plays for none."""
        mine = state.entrant_of(self._actor.by)
        side = match.side_of(mine) if mine is not None else None
        if side is None:
            hint = "the phone of one of the two can, or the director"
            raise OrderError("match", "this phone does not play in this match", hint, 403)
        return side

    # A player's phone.

    def claim(self, night: Night, state: State) -> list[Act]:
        """This phone is somebody's."""
        self._open(state)
        entrant = self._entrant(state)
        held, mine = state.entrants[entrant].phone, state.entrant_of(self._actor.by)
        if mine == entrant:
            return []
        if mine is not None:
            raise OrderError("claim", f"this phone is {night.names[mine]}'s", "the director can change that", 409)
        if held:
            taken = f"{night.names[entrant]} is taken, by {held}"
            raise OrderError("claim", taken, "the director can give the name to this phone", 409)
        return [replace(self.act("claim", entrant=entrant), source=PHONE)]

    def release(self, night: Night, state: State) -> list[Act]:
        """This phone is not whose it was: their name is free, as if the director had given it to none."""
        self._open(state)
        mine = state.entrant_of(self._actor.by)
        return [] if mine is None else [replace(self.act("claim", entrant=mine), source=STAFF)]

    def report(self, night: Night, state: State) -> list[Act]:
        """What this phone says the result is."""
        self._open(state)
        match = self._match(state)
        side = self._side(state, match)
        entry = by_scores(self._order.get("scores"), night.rules.target)
        self._plays(match)
        leg = self._leg(match, night.rules)
        self._undecided(match, leg)
        one, other = entry.scores
        said = self.act("report", match=match.number, leg=leg, side=side, score=one, other_score=other, text=entry.note)
        return [replace(said, source=PHONE)]

    def agree(self, night: Night, state: State) -> list[Act]:
        """This phone agrees to what it was shown."""
        self._open(state)
        match = self._match(state)
        side, leg = self._side(state, match), self._leg(match, night.rules)
        entry = by_scores(self._order.get("scores"), night.rules.target)
        one, other = entry.scores
        self._undecided(match, leg)
        said = self.act("agree", match=match.number, leg=leg, side=side, score=one, other_score=other)
        return [replace(said, source=PHONE)]

    def wrong(self, night: Night, state: State) -> list[Act]:
        """This phone says that what the other said is not right."""
        self._open(state)
        match = self._match(state)
        side, leg = self._side(state, match), self._leg(match, night.rules)
        if match.legs.get(leg, Leg()).state not in ("waits", DISPUTED):
            raise OrderError("match", "nothing waits for this phone here", "look at the match again", 409)
        return [replace(self.act("report", match=match.number, leg=leg, side=side), source=PHONE)]

    def _plays(self, match: Match) -> None:
        if match.void:
            raise OrderError("match", f"this match does not count: {match.void}", "ask the director", 409)

    def _undecided(self, match: Match, leg: int) -> None:
        result = match.legs.get(leg, Leg())
        if result.settled is not None:
            raise OrderError("settled", "the director has settled this result", "ask the director", 409)

    # The director.

    def settle(self, night: Night, state: State) -> list[Act]:
        """The result, whatever was said."""
        match = self._match(state)
        entry = by_scores(self._order.get("scores"), night.rules.target)
        one, other = entry.scores
        text = self.text("text") or entry.note
        leg = self._leg(match, night.rules)
        return [self.act("settle", match=match.number, leg=leg, score=one, other_score=other, text=text)]

    def walkover(self, night: Night, state: State) -> list[Act]:
        """One side has it without a game."""
        match, side = self._match(state), self._order.get("side")
        if type(side) is not int or side not in (0, 1):
            raise ArgumentError(f"{quote(side)} is no side", "say who has the points")
        leg, text = self._leg(match, night.rules), self.text("text") or "a walk-over"
        missing = max(1, night.rules.best_of // 2 + 1 - match.wins()[side])
        return [
            self.act("settle", keyed=not more, match=match.number, leg=leg + more, side=side, text=text)
            for more in range(missing)
        ]

    def strike(self, night: Night, state: State) -> list[Act]:
        """The match counts for nothing."""
        return [self.act("correct", match=self._match(state).number, text=self.text("text") or "struck")]

    def swap(self, night: Night, state: State) -> list[Act]:
        """Two matches that have not begun exchange their away sides."""
        one, other = self._match(state), self._match(state, "other")
        for match in (one, other):
            if begun(match) or match.void:
                raise ArgumentError(f"{_who(night, match)} has begun", "swap opponents before that, or strike it")
        if one is other or one.round != other.round:
            raise ArgumentError("opponents are swapped between two matches of a round", "choose another match")
        acts = []
        for match, away in ((one, other.sides[1]), (other, one.sides[1])):
            sides = (match.sides[0], away)
            swapped = match_act(self._actor, match.round, sides, match.table)
            acts.append(replace(swapped, kind="correct", match=match.number, key="", text="opponents swapped"))
        return acts

    def leave(self, night: Night, state: State) -> list[Act]:
        """Somebody goes: their games to come are taken out, and the rest is planned again."""
        self._open(state)
        entrant = self._entrant(state)
        if entrant not in state.here:
            return []
        left = replace_here(state, entrant, here=False)
        acts = [self.act("leave", entrant=entrant)]
        first = first_to_plan(state)
        for match in state.live():
            if match.round < first and entrant in match.players and not begun(match):
                why = f"{night.names[entrant]} has left"
                acts.append(self.act("correct", keyed=False, match=match.number, text=why))
                alone = [who for side in match.sides for who in side if who != entrant and not match.is_bye]
                acts += self._consoled(state, match, alone, why)
        return acts + (planned(night, left, first, self._actor) if state.live() else [])

    def _consoled(self, state: State, match: Match, alone: Sequence[int], why: str) -> list[Act]:
        """Those whose opponent has gone sit out; one alone plays whoever sits that round out, if they have not met."""
        met = {frozenset(each.players) for each in state.live() if not each.is_bye and each.round <= match.round}
        for bye in state.live():
            pair = {*alone, *bye.players}
            sits_out = bye.is_bye and bye.round == match.round and state.entrants[bye.players[0]].here
            if sits_out and len(pair) == 2 and pair not in met:
                bye.void = why
                sides = (tuple(alone), bye.players)
                state.matches[-match.number] = Match(0, match.round, match.table, sides)  # for the plan of the rest
                return [
                    self.act("correct", keyed=False, match=bye.number, text=why),
                    match_act(self._actor, match.round, sides, match.table),
                ]
        return [match_act(self._actor, match.round, ((who,),), 0) for who in alone]

    def return_(self, night: Night, state: State) -> list[Act]:
        """Somebody comes back."""
        self._open(state)
        entrant = self._entrant(state)
        if entrant in state.here:
            return []
        back = replace_here(state, entrant, here=True)
        acts = [self.act("return", entrant=entrant)]
        return acts + (planned(night, back, first_to_plan(state), self._actor) if state.live() else [])

    def planned_in(self, night: Night, state: State) -> list[Act]:
        """Whoever has just been entered takes the place of a bye if there is one, and the rest is planned again."""
        entrant, first = max(state.entrants), first_to_plan(state)
        acts: list[Act] = []
        current = state.round(night.rules)
        byes = [match for match in state.live() if match.is_bye and match.round == current < first]
        if byes and night.contest.draw == ALL:
            other = byes[0].players[0]
            acts.append(self.act("correct", keyed=False, match=byes[0].number, text="somebody came"))
            table = next(iter(night.contest.tables), 0)
            acts.append(match_act(self._actor, byes[0].round, ((other,), (entrant,)), table))
            mine = Match(0, byes[0].round, table, ((other,), (entrant,)), called=True)
            state.matches[-1] = mine
        return acts + planned(night, state, first, self._actor)

    def give(self, night: Night, state: State) -> list[Act]:
        """Give a name to another phone, or to none."""
        entrant = self._entrant(state)
        phone = self._order.get("phone", 0)
        if type(phone) is not int or phone < 0:
            raise ArgumentError(f"{quote(phone)} is no phone", "choose one of those that have joined")
        return [replace(self.act("claim", entrant=entrant, text=f"phone {phone}" if phone else ""), source=STAFF)]

    def move(self, night: Night, state: State) -> list[Act]:
        """A match at another table."""
        match, table = self._match(state), self._order.get("table")
        if table not in night.contest.tables:
            raise ArgumentError(f"there is no table {quote(table)} on this night", "choose one of its tables")
        busy = [each for each in state.live() if each.called and not each.over(night.rules) and each.table == table]
        if busy and busy[0] is not match:
            raise ArgumentError(f"{_who(night, busy[0])} play there", "wait, or choose another table")
        return [self.act("move", match=match.number, table=table)]

    def pin(self, night: Night, state: State) -> list[Act]:
        """Somebody always at one table, or at any again; what has not begun is planned again."""
        self._open(state)
        entrant, table = self._entrant(state), self._order.get("table")
        if table != 0 and table not in night.contest.tables:
            raise ArgumentError(f"there is no table {quote(table)} on this night", "choose one of its tables, or none")
        state.pins = {who: where for who, where in state.pins.items() if who != entrant}
        if table:
            state.pins[entrant] = _whole(table, "table", 1, 10_000)
        acts = [self.act("move", entrant=entrant, table=table)]
        return acts + (planned(night, state, first_to_plan(state), self._actor) if state.live() else [])

    def more(self, night: Night, state: State) -> list[Act]:
        """One more round for those who have sat out more often than others."""
        self._open(state)
        sides = _sides(night, state)
        games = dict.fromkeys(sides, 0)
        for match in state.live():
            for who in match.players if not match.is_bye else ():
                if who in games:
                    games[who] += 1
        if len(games) < 2:
            raise ArgumentError("there is nobody to play", "let somebody come back first")
        last = max((match.round for match in state.live()), default=0) + 1
        tables = night.contest.tables
        pairs = makeup(games, CHANCE())
        drawn: list[Sequence[Sequence[int]]] = [(sides[one], sides[other]) for one, other in pairs]
        if night.contest.draw == PARTNERS:  # one alone has no partner: the side of a match is drawn, too
            least = [who for pair in pairs for who in pair]
            before = [match for match in state.live() if not match.is_bye]
            drawn = [*partners(least, len(tables), 1, CHANCE(), _fours(before, last))[0]] if len(least) > 3 else []
        if not drawn:
            few = "too few have" if night.contest.draw == PARTNERS else "only one has"
            raise ArgumentError(f"{few} sat out more often than the others", "nobody is left to play them")
        rows = [(each, tables[at % len(tables)]) for at, each in enumerate(drawn)]
        return [match_act(self._actor, last, each, table) for each, table in rows]

    def attach(self, night: Night, state: State, game: int, sides: Sequence[set[int]]) -> list[Act]:
        """A game of the history that two have played beside the plan, or instead of what was typed."""
        if any(leg.board and leg.board[0] == game for match in state.matches.values() for leg in match.legs.values()):
            raise ArgumentError(f"game {game} is part of this night already", "look at all matches")
        entrants = {player: entrant for entrant, player in night.players.items() if player is not None}
        strangers = sum(player not in entrants for side in sides for player in side)
        if strangers or not all(sides):
            raise ArgumentError(f"game {game} was not played by people of this night", "add them first")
        both = [tuple(sorted(entrants[player] for player in side)) for side in sides]
        match = _between(night, state, both)
        if match is not None:
            side = [tuple(sorted(each)) for each in match.sides].index(both[0])
            leg = min(match.next_leg(), night.rules.best_of)  # the result that was typed, if the board had died
            said = self.act("report", match=match.number, leg=leg, game=game, side=side)
            return [replace(said, source=BOARD)]
        number = night.acts[-1].number + 1
        made = match_act(self._actor, max(1, state.round(night.rules)), both, 0)
        said = self.act("report", match=number, game=game, side=0)
        return [made, replace(said, source=BOARD)]

    def again(self, night: Night, state: State) -> list[Act]:
        """Plan again what has not begun."""
        self._open(state)
        return planned(night, state, first_to_plan(state), self._actor)

    def adjust(self, night: Night, state: State) -> list[Act]:
        """Points beside those of games, in hundredths, with a word why."""
        points, why = self._order.get("points"), self.text("text")
        if type(points) is not int or not -100_000 <= points <= 100_000 or not points:
            raise ArgumentError(f"{quote(points)} isn't a number of points", "use hundredths from -100000 to 100000")
        if not why:
            raise ArgumentError("points beside those of games need a word why", "write it")
        return [self.act("adjust", entrant=self._entrant(state), points=points, text=why)]

    def note(self, night: Night, state: State) -> list[Act]:
        """Words for the record."""
        return [self.act("note", text=self.text("text"))]

    def close(self, night: Night, state: State) -> list[Act]:
        """Close the night."""
        return [] if state.closed else [self.act("close")]

    def reopen(self, night: Night, state: State) -> list[Act]:
        """Open a closed night again, with a word why."""
        if not self.text("text"):
            raise ArgumentError("a closed night is reopened with a word why", "write it")
        return [self.act("reopen", text=self.text("text"))] if state.closed else []


def _between(night: Night, state: State, sides: Sequence[Sequence[int]]) -> Match | None:
    """The match of these two sides that a board's game is of: one that is not over, else one that has none.

    The latter was called to a board, and its result was typed, perhaps since the board had died.
    """
    wanted = sorted(tuple(sorted(side)) for side in sides)
    theirs = [match for match in state.live() if sorted(tuple(sorted(side)) for side in match.sides) == wanted]
    typed = [
        match
        for match in theirs
        if match.table in night.contest.boards and not any(leg.board for leg in match.legs.values())
    ]
    return next((match for match in [*theirs, *typed] if match in typed or not match.over(night.rules)), None)


setattr(NightOrder, "return", NightOrder.return_)


def replace_here(state: State, entrant: int, *, here: bool) -> State:
    """The state in which somebody has come back or left."""
    state.entrants[entrant].here = here
    return state


def _who(night: Night, match: Match) -> str:
    return " against ".join(" and ".join(night.names[who] for who in side) for side in match.sides)
