"""What a player's phone says on a night, as the acts that it comes to."""

from __future__ import annotations

from dataclasses import replace

from cribboard.league.acts import PHONE, STAFF, Act
from cribboard.league.entry import by_scores
from cribboard.league.state import DISPUTED, Leg, Match, State
from cribboard.service.night_fields import NightFields
from cribboard.service.orders import OrderError
from cribboard.store.contests import Night


class PlayerOrder(NightFields):
    """An order of a player: whose this phone is, what a result is, whether the other's is right."""

    def claim(self, night: Night, state: State) -> list[Act]:
        """This phone is somebody's."""
        entrant = self.entrant(state)
        held, mine = state.entrants[entrant].phone, state.entrant_of(self.actor.by)
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
        mine = state.entrant_of(self.actor.by)
        return [] if mine is None else [replace(self.act("claim", entrant=mine), source=STAFF)]

    def report(self, night: Night, state: State) -> list[Act]:
        """What this phone says the result is."""
        match = self.match(state)
        side = self._side(state, match)
        entry = by_scores(self.fields.get("scores"), night.rules.target)
        leg = self.leg(match, night.rules)
        self._undecided(match, leg)
        one, other = entry.scores
        said = self.act("report", match=match.number, leg=leg, side=side, score=one, other_score=other, text=entry.note)
        return [replace(said, source=PHONE)]

    def agree(self, night: Night, state: State) -> list[Act]:
        """This phone agrees to what it was shown."""
        match = self.match(state)
        side, leg = self._side(state, match), self.leg(match, night.rules)
        entry = by_scores(self.fields.get("scores"), night.rules.target)
        one, other = entry.scores
        self._undecided(match, leg)
        said = self.act("agree", match=match.number, leg=leg, side=side, score=one, other_score=other)
        return [replace(said, source=PHONE)]

    def wrong(self, night: Night, state: State) -> list[Act]:
        """This phone says that what the other said is not right."""
        match = self.match(state)
        side, leg = self._side(state, match), self.leg(match, night.rules)
        if match.legs.get(leg, Leg()).state not in ("waits", DISPUTED):
            raise OrderError("match", "nothing waits for this phone here", "look at the match again", 409)
        return [replace(self.act("report", match=match.number, leg=leg, side=side), source=PHONE)]

    def _side(self, state: State, match: Match) -> int:
        """The side of the phone that orders; raises OrderError for one of neither side, and where nothing counts."""
        mine = state.entrant_of(self.actor.by)
        side = match.side_of(mine) if mine is not None else None
        if side is None:
            hint = "the phone of one of the two can, or the director"
            raise OrderError("match", "this phone does not play in this match", hint, 403)
        if match.void:
            raise OrderError("match", f"this match does not count: {match.void}", "ask the director", 409)
        return side

    def _undecided(self, match: Match, leg: int) -> None:
        result = match.legs.get(leg, Leg())
        if result.settled is not None:
            raise OrderError("settled", "the director has settled this result", "ask the director", 409)
