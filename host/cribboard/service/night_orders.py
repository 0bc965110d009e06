"""What players and the director do on a night, as the acts that it comes to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from cribboard.errors import ArgumentError
from cribboard.league.acts import BOARD, PHONE, STAFF, Act
from cribboard.league.entry import by_scores
from cribboard.league.partners import partners
from cribboard.league.plan import makeup
from cribboard.league.rules import Rules
from cribboard.league.state import DISPUTED, Leg, Match, State
from cribboard.service import night_plan
from cribboard.service.night_plan import Actor, begun, first_to_plan, match_act, past_fours, planned, sides_here
from cribboard.service.night_wish import ALL, PARTNERS, whole_number
from cribboard.service.orders import KEY, OrderError
from cribboard.store import Store
from cribboard.store.contests import Night
from cribboard_core.cards import quote

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
            state.pins[entrant] = whole_number(table, "table", 1, 10_000)
        acts = [self.act("move", entrant=entrant, table=table)]
        return acts + (planned(night, state, first_to_plan(state), self._actor) if state.live() else [])

    def more(self, night: Night, state: State) -> list[Act]:
        """One more round for those who have sat out more often than others."""
        self._open(state)
        sides = sides_here(night, state)
        games = dict.fromkeys(sides, 0)
        for match in state.live():
            for who in match.players if not match.is_bye else ():
                if who in games:
                    games[who] += 1
        if len(games) < 2:
            raise ArgumentError("there is nobody to play", "let somebody come back first")
        last = max((match.round for match in state.live()), default=0) + 1
        tables = night.contest.tables
        pairs = makeup(games, night_plan.CHANCE())
        drawn: list[Sequence[Sequence[int]]] = [(sides[one], sides[other]) for one, other in pairs]
        if night.contest.draw == PARTNERS:  # one alone has no partner: the side of a match is drawn, too
            least = [who for pair in pairs for who in pair]
            before = [match for match in state.live() if not match.is_bye]
            drawn = (
                [*partners(least, len(tables), 1, night_plan.CHANCE(), past_fours(before, last))[0]]
                if len(least) > 3
                else []
            )
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
