"""The set-up dialogue: who plays, to what target, who deals, singles or teams; it counts once it is started.

Brightness and sound are chosen in it too, and count at once.
"""

from __future__ import annotations

from cribboard_core.match import Match
from cribboard_core.variants import TARGETS, team_choices
from cribboard_fw.choice import STEPS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

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


class SetupKeys:
    """What buttons do while the app's set-up is open, in place of what they do in play."""

    def __init__(self, app: Any) -> None:
        self._app = app
        self._setup: Setup = app.setup
        self._sound = app.sound
        self._choice = app.choice

    def plus(self, place: int, points: int) -> None:
        """+1: the next target; +5: the place deals."""
        if points == 1:
            self._chosen().step_target()
            self._sound.beeps(place, (self._setup.target - 1) // 30)
        else:
            self._chosen().deals(place)
            self._sound.beeps(place, 0)

    def ok(self, place: int) -> None:
        """The place joins or leaves."""
        self._chosen().join(place)
        self._sound.moves(place, place in self._setup.joined)

    def undo_down(self) -> None:
        """Nothing happens until UNDO is let go or held."""

    def undo(self) -> None:
        """The set-up closes, and the old game goes on."""
        self._sound.moves(self._setup.dealer, False)
        self._app.close_setup()

    def deal(self) -> None:
        """The game starts, once enough have joined."""
        if self._setup.ready:
            self._app.close_setup()
            self._app.do(self._app.keeper.new(self._setup.arguments()))
        else:
            self._sound.refused()

    def teams(self) -> None:
        """UNDO held: singles or teams."""
        self._chosen().switch_teams()
        self._sound.beeps(self._setup.dealer, self._setup.sides)

    def brighter(self, place: int) -> None:
        """+1 held: the next step of brightness."""
        self._choice.brighter()
        self._app.lights.brighten(self._choice.brightness)
        self._chosen().level = (self._choice.step, len(STEPS))
        self._sound.ticks(place, self._choice.step)

    def louder(self, place: int) -> None:
        """+5 held: the next of off, quiet and on, if there is a piezo."""
        if self._app.settings.piezo_pin:
            self._choice.louder()
            self._sound.turn(self._choice.sound)
            self._chosen().level = (self._choice.sound, 2)
            self._sound.beeps(place, self._choice.sound)

    def _chosen(self) -> Setup:
        self._setup.touched = self._app.now
        self._setup.level = (0, 0)
        self._app.changed = True
        return self._setup
