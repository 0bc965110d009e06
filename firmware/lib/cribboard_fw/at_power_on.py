"""The hold of keys that are down when the power comes.

Such keys may be stuck. So they mean nothing until they are let go, unless they are one of the table's holds for
power-on, and exactly that; and it takes effect when they are let go after its time, which a stuck key never is.
"""

from __future__ import annotations

from cribboard_fw.buttons import AT_POWER_ON, UNDO, find
from cribboard_fw.clock import elapsed
from cribboard_fw.entry import Entry
from cribboard_fw.scene import GamePicture

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from cribboard_core.match import Match
    from cribboard_fw.lights import Lights
    from cribboard_fw.settings import Settings
    from cribboard_fw.types import Edge, Parts

STUCK_MS = 15_000  # nobody holds keys for longer


class AtPowerOn:
    """The hold of these keys, if they are one; `name` is set when it takes effect.

    Keys are numbered as for `buttons`; `shared` is the number of UNDO.
    """

    def __init__(self, keys: list[int], shared: int, now: int) -> None:
        held = [UNDO + key - shared if key >= shared else key % 3 for key in keys]
        self._hold = find(AT_POWER_ON, tuple(sorted(held)))
        self._since = now
        self.name = ""

    def step(self, edge: Edge | None, now: int) -> int:
        """Take the next edge of a key, if any; returns how far the hold is in eighths, or -1 once it is over."""
        ms = elapsed(now, self._since)
        hold = self._hold
        if hold is None or edge or ms > STUCK_MS:
            if hold and edge and not edge[1] and ms >= hold[3]:
                self.name = hold[0]
            self._hold = None
            return -1
        return min(8, ms * 8 // hold[3])


def carry_out(
    match: Match, lights: Lights, parts: Parts, settings: Settings, ticks: Callable[[], int], feed: Callable[[], None]
) -> None:
    """See the hold through, and show how far it is over the game's picture; raises SystemExit for the REPL."""
    hold = AtPowerOn(parts.down, parts.shared, ticks())
    picture = GamePicture(match, Entry(match, None))
    while picture.eighths >= 0:
        lights.update(match, picture)
        lights.show(parts.strips, ticks())
        feed()
        picture.eighths = hold.step(parts.key(), ticks())
    if hold.name == "repl":
        raise SystemExit
    if hold.name == "forget":
        parts.choice.forget()
        parts.choice.keep()
        lights.brighten(parts.choice.brightness)
    if hold.name == "bring_up":
        from cribboard_fw import bring_up

        bring_up.carry_out(parts, settings, ticks, feed)
