"""What is done by holding keys, all of it in one table: for the buttons in play, and for keys held at power-on.

A key that is down when the power comes may be stuck: it means nothing until it is let go, unless it is part of a hold
for power-on. Such a hold takes effect when its keys are let go after their time, which a stuck key never is.
"""

from __future__ import annotations

from cribboard_fw.clock import elapsed

TYPE_CHECKING = False
if TYPE_CHECKING:
    Hold = tuple[str, int, tuple[int, ...], int, str]
    Edge = tuple[int, bool, int]

PLUS_1, PLUS_5, OK, UNDO, DEAL = range(5)
AT_POWER_ON, IN_PLAY, IN_SET_UP = range(3)
LONG_MS = 3000  # the progress of holds as long as this is shown
STUCK_MS = 15_000  # nobody holds keys at power-on for longer

# name (in play, what the app's method is called), where, the keys together, for how long in ms, what it does
HOLDS = (
    ("repl", AT_POWER_ON, (UNDO, DEAL), LONG_MS, "stops the program, so that the console can be used"),
    ("set_up", IN_PLAY, (DEAL,), LONG_MS, "opens the set-up"),
    ("redo", IN_PLAY, (UNDO,), 2000, "brings back what UNDO took"),
    ("tell", IN_PLAY, (OK,), 1000, "beeps that side's score and shows the games won"),
    ("teams", IN_SET_UP, (UNDO,), 2000, "changes between singles and teams"),
    ("brighter", IN_SET_UP, (PLUS_1,), 700, "changes the brightness, step by step while it is held"),
    ("louder", IN_SET_UP, (PLUS_5,), 700, "changes the sound, step by step while it is held"),
)


def find(where: int, keys: tuple[int, ...]) -> Hold | None:
    """The hold of exactly these keys, in ascending order, or None."""
    for hold in HOLDS:
        if hold[1] == where and hold[2] == keys:
            return hold
    return None


class AtPowerOn:
    """The hold of the keys that were down when the power came, if they are one; `name` is set when it takes effect.

    Keys are numbered as for `buttons`; `shared` is the number of UNDO.
    """

    def __init__(self, keys: list[int], shared: int, now: int) -> None:
        found = [UNDO + key - shared if key >= shared else key % 3 for key in keys]
        self._hold = find(AT_POWER_ON, tuple(sorted(found)))
        self._since = now
        self.name = ""

    def step(self, edge: Edge | None, now: int) -> int:
        """Take the next edge of a key, if any; returns how far the hold is in eighths, or -1 once it is over."""
        ms = elapsed(now, self._since)
        hold = self._hold
        if hold is None or ms > STUCK_MS or (edge and (edge[1] or ms < hold[3])):
            self._hold = None
            return -1
        if edge:
            self.name = hold[0]
            self._hold = None
            return -1
        return min(8, ms * 8 // hold[3])
