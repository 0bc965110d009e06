"""What can happen at the board: an event is the tuple (kind, side, a, b, c) of small integers.

A side is named by a place at the table, 0 to 5: that of its first seat. What a, b and c mean depends on the kind:

    new        side = the dealer's place, a = skunk line, b = setup (see `setup_word`), c = double skunk line
    peg        a = points pegged in the play
    hand       a = points of a counted hand, b = 1 for the crib
    nibs       a = 2, a jack turned up
    go         a = 1, a go or the last card
    penalty    side = the offender, a = points, b = 0 when every opposing side pegs them, 1 when the offender goes back
    muggins    side = who gets them, a = points, b = the side that missed them
    false      a false claim of game: side = the claimant, a = the true score; every opposing side pegs the overclaim
    undo redo  b = the low 16 bits of the rev of the event taken back or brought back
    set        a = front peg, b = back peg
    deal       side = the place of the new dealer
    restore    the whole state, which travels and is stored apart
"""

from __future__ import annotations

from cribboard_core.variants import TARGETS

NEW, PEG, HAND, NIBS, GO, PENALTY, MUGGINS, FALSE, UNDO, REDO, SET, DEAL, RESTORE = range(1, 14)
KINDS = tuple(" new peg hand nibs go penalty muggins false undo redo set deal restore".split(" "))  # noqa: SIM905
SCORES = (PEG, HAND, NIBS, GO, MUGGINS)  # by which a side pegs a points
PLACES = 6
MOST_POINTS = 46  # the best hand of five cards and a starter; nothing pegs more at once

# The commands of a host and the names of their arguments: those of a score or a deal become side, a and b of its event.
# Text are `cards`, `starter` and `pegs`, a list is `won`, all others are integers.
COMMANDS = {
    "peg": "side points",
    "hand": "side cards starter crib points",
    "nibs": "side",
    "go": "side",
    "penalty": "side points back",
    "muggins": "side points from",
    "false": "side score",
    "set": "side front back",
    "deal": "place",
    "undo": "rev",
    "redo": "rev",
    "new": "rev target seats sides dealer skunk double",
    "restore": "rev target seats sides dealer skunk double pegs won",
}


class Refused(ValueError):
    """A command that the rules or the state do not allow; `code` is for programs, `text` says what to do."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code = code
        self.text = text


def new_event(target: int, mask: int, sides: int, dealer: int, skunk: int, double: int) -> tuple[int, ...]:
    """The event of a new game; raises Refused for a target, seats, teams, dealer or line that cannot be."""
    check_setup(target, mask, sides, dealer, skunk, double)
    if double > skunk:
        raise Refused("args", "double skunk line %s is above the skunk line %s" % (double, skunk))
    return (NEW, dealer, skunk, mask | sides << 6 | TARGETS.index(target) << 9, double)


def setup_word(word: int) -> tuple[int, ...]:
    """The (target, seat mask, number of sides) that an event of a new game carries in b."""
    return (TARGETS[word >> 9 & 3], word & 63, word >> 6 & 7)


def seats_of(mask: int) -> tuple[int, ...]:
    """The places of a seat mask in the order of the table."""
    return tuple([place for place in range(PLACES) if mask >> place & 1])


def check_setup(target: int, mask: int, sides: int, dealer: int, skunk: int, double: int) -> None:
    """Raise Refused unless these make a game."""
    if target not in TARGETS:
        raise Refused("args", "a game is to 61, 91, 121 or 241, not %s" % (target,))
    if not isinstance(mask, int) or not 0 < mask < 64:
        raise Refused("seats", "seat mask %s; it has one bit for each of six places" % (mask,))
    seats = seats_of(mask)
    if not isinstance(sides, int) or sides < 2 or len(seats) % sides or (sides != len(seats) and len(seats) < 4):
        raise Refused("seats", "%d seats cannot be %s sides" % (len(seats), sides))
    if dealer not in seats:
        raise Refused("seats", "place %s has no seat, so it cannot deal" % (dealer,))
    for line in (skunk, double):
        if not isinstance(line, int) or not 0 <= line <= target:
            raise Refused("args", "skunk line %s; it lies from 0 (none) to the target" % (line,))
