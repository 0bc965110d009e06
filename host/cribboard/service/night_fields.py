"""The fields of an order on a night, each checked against how the night stands."""

from __future__ import annotations

from collections.abc import Mapping

from cribboard.errors import ArgumentError
from cribboard.league.acts import Act
from cribboard.league.rules import Rules
from cribboard.league.state import DISPUTED, Match, State
from cribboard.names import check_line
from cribboard.service.night_plan import Actor
from cribboard_core.cards import quote


class NightFields:
    """One order: its fields, and acts by whoever gave it. Raises ArgumentError for a field that cannot be."""

    def __init__(self, actor: Actor, fields: Mapping[str, object]) -> None:
        self.actor, self.fields = actor, fields

    def act(self, kind: str, **more: object) -> Act:
        """An act by whoever gave the order."""
        return Act(number=0, kind=kind, source=self.actor.source, who=self.actor.by, **more)  # type: ignore[arg-type]

    def text(self, name: str, most: int = 200) -> str:
        """A text of the order, tidied."""
        text = self.fields.get(name, "")
        if not isinstance(text, str):
            raise ArgumentError(f"the {name} {quote(text)} is no text", f"write up to {most} letters")
        return check_line(f"the {name}", text, most)

    def entrant(self, state: State, name: str = "entrant") -> int:
        """Somebody on the list, by number."""
        number = self.fields.get(name)
        if type(number) is not int or number not in state.entrants:
            raise ArgumentError(f"nobody on the list has the number {quote(number)}", "choose a name")
        return number

    def match(self, state: State, name: str = "match") -> Match:
        """A match of this night that is no bye, by number."""
        number = self.fields.get(name)
        match = state.matches.get(number) if type(number) is int else None
        if match is None or match.is_bye:
            raise ArgumentError(f"there is no match {quote(number)} on this night", "look at the list again")
        return match

    def leg(self, match: Match, rules: Rules) -> int:
        """Which game of the match is meant: the one that is named, else one that is not agreed, else the next."""
        leg = self.fields.get("leg")
        if leg is None:
            waits = (number for number, each in match.legs.items() if each.state in ("waits", DISPUTED))
            leg = next(waits, min(match.next_leg(), rules.best_of))
        if type(leg) is not int or not 1 <= leg <= rules.best_of:
            raise ArgumentError(f"a match here has no game {quote(leg)}", f"it has at most {rules.best_of}")
        return leg
