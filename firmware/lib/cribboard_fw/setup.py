"""The set-up dialogue: who plays, to what target, who deals, singles or teams; it counts once it is started.

Brightness and sound are chosen in it too, and count at once.
"""

from __future__ import annotations

from cribboard_core.variants import TARGETS, team_choices
from cribboard_fw.buttons import IN_SET_UP
from cribboard_fw.clock import elapsed
from cribboard_fw.nvm import STEPS
from cribboard_fw.scene import SCENE_BYTES, SET_UP

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cribboard_fw.app import App

CLOSES_AFTER_MS = 60_000
LEVEL_SHOWN_MS = 2_000


class Setup:
    """The mode in which the set-up is open; it begins with what was played last and the dealer that the rules name."""

    where = IN_SET_UP

    def __init__(self, app: App) -> None:
        self.picture = self
        self._app = app
        self._sound = app.sound
        self._choice = app.choice
        match = app.match
        self.joined = list(match.seats)
        self.sides = len(match.sides)
        self.target = match.target
        self.dealer = match.next_dealer()
        self.level = (0, 0)  # steps reached, and of how many, while brightness or sound is being chosen
        self._touched = app.now
        self._sound.moves(self.dealer, True)

    @property
    def ready(self) -> bool:
        """Whether enough have joined to start."""
        return len(self.joined) >= 2

    def arguments(self) -> list[int]:
        """What the keeper makes a new game from: target, seat mask, sides, dealer, and the target's own skunk lines."""
        mask = sum([1 << place for place in self.joined])
        return [self.target, mask, self.sides, self.dealer, -1, -1]

    def fill(self, scene: bytearray, track: int, tracks: int) -> None:
        """Make the scene of a track, which is the same for all."""
        target, mask, sides, dealer = self.arguments()[:4]
        scene[:] = bytes(SCENE_BYTES)
        scene[:7] = bytes((SET_UP, target, sides, dealer & 255, mask) + self.level)

    def tick(self, now: int) -> None:
        """Close the set-up that nobody goes on with, or end the choice of brightness or sound."""
        idle_ms = elapsed(now, self._touched)
        if idle_ms >= CLOSES_AFTER_MS:
            self._close()
        elif idle_ms >= LEVEL_SHOWN_MS and self.level[1]:
            self.level = (0, 0)
            self._app.changed = True

    def interrupt(self, session: int = 0) -> None:
        """A host that goes on with the game closes the set-up."""
        if session:
            self._close()

    def plus(self, place: int, points: int) -> None:
        """+1: the next target, and round again; +5: the place deals, and joins when it had not."""
        self._touch()
        if points == 1:
            self.target = TARGETS[(TARGETS.index(self.target) + 1) % len(TARGETS)]
            self._sound.beeps(place, (self.target - 1) // 30)
        else:
            if place not in self.joined:
                self._join(place)
            self.dealer = place
            self._sound.beeps(place, 0)

    def ok(self, place: int) -> None:
        """The place joins or leaves."""
        self._touch()
        self._join(place)
        self._sound.moves(place, place in self.joined)

    def undo_down(self) -> None:
        """Nothing happens until UNDO is let go or held."""

    def undo(self) -> None:
        """The set-up closes, and the old game goes on."""
        self._sound.moves(self.dealer, False)
        self._close()

    def deal(self) -> None:
        """The game starts, once enough have joined."""
        if self.ready:
            self._close()
            self._app.do(self._app.keeper.new(self.arguments()))
        else:
            self._sound.refused()

    def teams(self) -> None:
        """UNDO held: singles, then the teams that so many can make, and round again."""
        self._touch()
        if self.ready:
            count = len(self.joined)
            choices = [teams or count for teams in team_choices(count)]
            self.sides = choices[(choices.index(self.sides) + 1) % len(choices)]
        self._sound.beeps(self.dealer, self.sides)

    def brighter(self, place: int) -> None:
        """+1 held: the next step of brightness."""
        self._choice.brighter()
        self._app.lights.brighten(self._choice.brightness)
        self._touch((self._choice.step, len(STEPS)))
        self._sound.ticks(place, self._choice.step)

    def louder(self, place: int) -> None:
        """+5 held: the next of off, quiet and on, if there is a piezo."""
        if self._app.settings.piezo_pin:
            self._choice.louder()
            self._sound.turn(self._choice.sound)
            self._touch((self._choice.sound, 2))
            self._sound.beeps(place, self._choice.sound)

    def _join(self, place: int) -> None:
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

    def _touch(self, level: tuple[int, int] = (0, 0)) -> None:
        self._touched = self._app.now
        self.level = level
        self._app.changed = True

    def _close(self) -> None:
        """What was chosen of brightness and sound stays."""
        self._app.enter(self._app)
        self._app.keep()
