"""What the director of a night does, as the acts that it comes to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from cribboard.errors import ArgumentError
from cribboard.league.acts import BOARD, STAFF, Act
from cribboard.league.entry import by_margin, by_scores
from cribboard.league.state import AGREED, SETTLED, Match, State
from cribboard.service.night_fields import NightFields
from cribboard.service.night_plan import begun, first_to_plan, match_act, one_more, planned, sides_here
from cribboard.service.night_wish import ALL, PARTNERS, whole_number
from cribboard.service.orders import OrderError
from cribboard.store.contests import Night
from cribboard_core.cards import quote


class DirectorOrder(NightFields):
    """An order of the director: results, who is here and whose phone is whose, the plan, the night's end."""

    def settle(self, night: Night, state: State) -> list[Act]:
        """The result by both scores, or by who won and by how much, whatever was said."""
        match, target = self.match(state), night.rules.target
        won_by = "margin" in self.fields
        entry = (
            by_margin(self.fields.get("winner"), self.fields["margin"], target)
            if won_by
            else by_scores(self.fields.get("scores"), target)
        )
        one, other = entry.scores
        text = self.text("text") or entry.note
        leg = self.leg(match, night.rules)
        self._check_undecided(night, match, [leg])
        return [self.act("settle", match=match.number, leg=leg, score=one, other_score=other, text=text)]

    def walkover(self, night: Night, state: State) -> list[Act]:
        """One side has it without a game: as many of its games as it takes, and of those the other has won the last."""
        match, side = self.match(state), self.fields.get("side")
        if type(side) is not int or side not in (0, 1):
            raise ArgumentError(f"{quote(side)} is no side", "say who has the points")
        legs = match.missing(side, night.rules.best_of)
        self._check_undecided(night, match, legs)
        text = self.text("text") or "a walk-over"
        return [self.act("settle", match=match.number, leg=leg, side=side, text=text) for leg in legs]

    def _check_undecided(self, night: Night, match: Match, legs: Sequence[int]) -> None:
        """Raise OrderError where the page took games for undecided, and others have decided one meanwhile."""
        decided = any(leg in match.legs and match.legs[leg].state in (AGREED, SETTLED) for leg in legs)
        if self.fields.get("undecided") is True and decided:
            said = f"{_who(night, match)} has just been decided"
            raise OrderError("decided", said, "look at it; if it is wrong, press Change", 409)

    def strike(self, night: Night, state: State) -> list[Act]:
        """The match counts for nothing."""
        return [self.act("correct", match=self.match(state).number, text=self.text("text") or "struck")]

    def swap(self, night: Night, state: State) -> list[Act]:
        """Two matches that have not begun exchange their away sides."""
        one, other = self.match(state), self.match(state, "other")
        for match in (one, other):
            if begun(match) or match.void:
                raise ArgumentError(f"{_who(night, match)} has begun", "swap opponents before that, or strike it")
        if one is other or one.round != other.round:
            raise ArgumentError("opponents are swapped between two matches of a round", "choose another match")
        acts = []
        for match, away in ((one, other.sides[1]), (other, one.sides[1])):
            sides = (match.sides[0], away)
            swapped = match_act(self.actor, match.round, sides, match.table)
            acts.append(replace(swapped, kind="correct", match=match.number, key="", text="opponents swapped"))
        return acts

    def leave(self, night: Night, state: State) -> list[Act]:
        """Somebody goes: their games to come are taken out, and the rest is planned again."""
        entrant = self.entrant(state)
        if entrant not in state.here:
            return []
        left = replace_here(state, entrant, here=False)
        acts = [self.act("leave", entrant=entrant)]
        first = first_to_plan(state)
        for match in state.live():
            if match.round < first and entrant in match.players and not begun(match):
                why = match.void = f"{night.names[entrant]} has left"
                acts.append(self.act("correct", match=match.number, text=why))
                alone = [who for side in match.sides for who in side if who != entrant and not match.is_bye]
                acts += self._consoled(state, match, alone, why)
        return acts + planned(night, left, first, self.actor)

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
                    self.act("correct", match=bye.number, text=why),
                    match_act(self.actor, match.round, sides, match.table),
                ]
        state.matches |= {-who: Match(0, match.round, 0, ((who,),)) for who in alone}
        return [match_act(self.actor, match.round, ((who,),), 0) for who in alone]

    def return_(self, night: Night, state: State) -> list[Act]:
        """Somebody comes back."""
        entrant = self.entrant(state)
        if entrant in state.here:
            return []
        back = replace_here(state, entrant, here=True)
        acts = [self.act("return", entrant=entrant)]
        return acts + planned(night, back, first_to_plan(state), self.actor)

    def planned_in(self, night: Night, state: State) -> list[Act]:
        """Whoever has just been entered takes the place of a bye if there is one, and the rest is planned again."""
        entrant, first = max(state.entrants), first_to_plan(state)
        acts: list[Act] = []
        current = state.round(night.rules)
        byes = [match for match in state.live() if match.is_bye and match.round == current < first]
        if byes and night.contest.draw == ALL:
            other = byes[0].players[0]
            acts.append(self.act("correct", match=byes[0].number, text="somebody came"))
            table = next(iter(night.contest.tables), 0)
            acts.append(match_act(self.actor, byes[0].round, ((other,), (entrant,)), table))
            mine = Match(0, byes[0].round, table, ((other,), (entrant,)), called=True)
            state.matches[-1] = mine
        return acts + planned(night, state, first, self.actor)

    def give(self, night: Night, state: State) -> list[Act]:
        """Give a name to another phone, or to none."""
        entrant = self.entrant(state)
        phone = self.fields.get("phone", 0)
        if type(phone) is not int or phone < 0:
            raise ArgumentError(f"{quote(phone)} is no phone", "choose one of those that have joined")
        return [replace(self.act("claim", entrant=entrant, text=f"phone {phone}" if phone else ""), source=STAFF)]

    def move(self, night: Night, state: State) -> list[Act]:
        """A match at another table."""
        match, table = self.match(state), self.fields.get("table")
        if table not in night.contest.tables:
            raise ArgumentError(f"there is no table {quote(table)} on this night", "choose one of its tables")
        busy = [each for each in state.live() if each.called and not each.over(night.rules) and each.table == table]
        if busy and busy[0] is not match:
            raise ArgumentError(f"{_who(night, busy[0])} play there", "wait, or choose another table")
        return [self.act("move", match=match.number, table=table)]

    def pin(self, night: Night, state: State) -> list[Act]:
        """Somebody always at one table, or at any again; what has not begun is planned again."""
        entrant, table = self.entrant(state), self.fields.get("table")
        if table != 0 and table not in night.contest.tables:
            raise ArgumentError(f"there is no table {quote(table)} on this night", "choose one of its tables, or none")
        state.pins = {who: where for who, where in state.pins.items() if who != entrant}
        if table:
            state.pins[entrant] = whole_number(table, "table", 1, 10_000)
        acts = [self.act("move", entrant=entrant, table=table)]
        return acts + planned(night, state, first_to_plan(state), self.actor)

    def more(self, night: Night, state: State) -> list[Act]:
        """One more round for those who have sat out more often than others."""
        sides = sides_here(night, state)
        if len(sides) < 2:
            raise ArgumentError("there is nobody to play", "let somebody come back first")
        last = max([night.contest.rounds, *(match.round for match in state.live())]) + 1
        played = [match for match in state.live() if not match.is_bye]
        if extra := one_more(night, sides, played, last):
            return [match_act(self.actor, last, match.sides, match.table) for match in extra]
        few = "too few have" if night.contest.draw == PARTNERS else "only one has"
        raise ArgumentError(f"{few} sat out more often than the others", "nobody is left to play them")

    def attach(self, night: Night, state: State, game: int, sides: Sequence[set[int | None]]) -> list[Act]:
        """A game of the history that two have played beside the plan, or instead of what was typed."""
        if any(leg.board and leg.board[0] == game for match in state.matches.values() for leg in match.legs.values()):
            raise ArgumentError(f"game {game} is part of this night already", "look at all matches")
        entrants: dict[int | None, int] = {
            player: entrant for entrant, player in night.players.items() if player is not None
        }
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
        made = match_act(self.actor, max(1, state.round(night.rules)), both, 0)
        said = self.act("report", match=number, game=game, side=0)
        return [made, replace(said, source=BOARD)]

    def again(self, night: Night, state: State) -> list[Act]:
        """Plan again what has not begun."""
        return planned(night, state, first_to_plan(state), self.actor, keep=False)

    def adjust(self, night: Night, state: State) -> list[Act]:
        """Points beside those of games, in hundredths, with a word why."""
        points, why = self.fields.get("points"), self.text("text")
        if type(points) is not int or not -100_000 <= points <= 100_000 or not points:
            raise ArgumentError(f"{quote(points)} hundredths are no points to add", "add or take 0.01 to 1000 points")
        if not why:
            raise ArgumentError("points beside those of games need a word why", "write it")
        return [self.act("adjust", entrant=self.entrant(state), points=points, text=why)]

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


def replace_here(state: State, entrant: int, *, here: bool) -> State:
    """The state in which somebody has come back or left."""
    state.entrants[entrant].here = here
    return state


def _who(night: Night, match: Match) -> str:
    return " against ".join(" and ".join(night.names[who] for who in side) for side in match.sides)
