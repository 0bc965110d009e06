"""What is done by holding keys, all of it in one table: for the buttons in play, and for keys held at power-on."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    Hold = tuple[str, int, tuple[int, ...], int]

PLUS_1, PLUS_5, OK, UNDO, DEAL = range(5)
AT_POWER_ON, IN_PLAY, IN_SET_UP = range(3)
LONG_MS = 3000  # how far a hold is as long as this is shown

# name (in play and in the set-up, that of the mode's method), where, the keys together, and for how many ms
HOLDS = (
    ("repl", AT_POWER_ON, (UNDO, DEAL), LONG_MS),  # stops the program, for the console's REPL
    ("bring_up", AT_POWER_ON, (PLUS_1, UNDO), LONG_MS),  # tries light, buttons and sound
    ("set_up", IN_PLAY, (DEAL,), LONG_MS),  # opens the set-up
    ("redo", IN_PLAY, (UNDO,), 2000),  # brings back what UNDO took
    ("tell", IN_PLAY, (OK,), 1000),  # beeps that side's score and shows the games won
    ("teams", IN_SET_UP, (UNDO,), 2000),  # changes between singles and teams
    ("brighter", IN_SET_UP, (PLUS_1,), 700),  # changes the brightness, step by step while it is held
    ("louder", IN_SET_UP, (PLUS_5,), 700),  # changes the sound, step by step while it is held
)


def find(where: int, keys: tuple[int, ...]) -> Hold | None:
    """The hold of exactly these keys, in ascending order, or None."""
    for hold in HOLDS:
        if hold[1] == where and hold[2] == keys:
            return hold
    return None
