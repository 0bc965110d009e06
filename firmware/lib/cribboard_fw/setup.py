"""The set-up dialogue: who plays, to what target, who deals, singles or teams; it counts once it is started.

Brightness and sound are chosen in it too, and count at once.
"""

from __future__ import annotations

from cribboard_core.match import Match
from cribboard_core.variants import TARGETS, team_choices

CLOSES_AFTER_MS = 60_000
LEVEL_SHOWN_MS = 2_000


class Setup:
    """The choice as it stands; it begins with what was played last and the dealer that the rules name."""

    def __init__(self, match: Match, now: int) -> None:
        self.joined = list(match.seats)
        self.sides = len(match.sides)
        self.target = match.target
        self.dealer = match.next_dealer()
        self.touched = now
        self.level = (0, 0)  # steps reached, and of how many, while brightness or sound is being chosen

    @property
    def ready(self) -> bool:
        """Whether enough have joined to start."""
        return len(self.joined) >= 2

    def join(self, place: int) -> None:
        """A place joins, or leaves."""
        if place in self.joined:
            self.joined.remove(place)
            if self.dealer == place:
                self.dealer = self.joined[0] if self.joined else -1
        else:
            self.joined.append(place)
            self.joined.sort()
            if self.dealer < 0:
                self.dealer = place
        self.sides = len(self.joined)

    @property
    def streets(self) -> int:
        """How many streets of thirty the target has."""
        return (self.target - 1) // 30

    def step_target(self) -> None:
        """The next target: 61, 91, 121, 241 and round again."""
        self.target = TARGETS[(TARGETS.index(self.target) + 1) % len(TARGETS)]

    def deals(self, place: int) -> None:
        """A place becomes the dealer, and joins when it had not."""
        if place not in self.joined:
            self.join(place)
        self.dealer = place

    def switch_teams(self) -> None:
        """Singles, then the teams that so many can make, and round again."""
        if not self.ready:
            return
        count = len(self.joined)
        choices = [teams or count for teams in team_choices(count)]
        self.sides = choices[(choices.index(self.sides) + 1) % len(choices)]

    def arguments(self) -> list[int]:
        """What the keeper makes a new game from: target, seat mask, sides, dealer, and the target's own skunk lines."""
        mask = sum([1 << place for place in self.joined])
        return [self.target, mask, self.sides, self.dealer, -1, -1]
