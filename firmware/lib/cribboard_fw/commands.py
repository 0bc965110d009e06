"""What hosts command: the arguments of each command, whether they fit, and the game that a restore brings."""

from __future__ import annotations

from binascii import unhexlify

from cribboard_core.events import Refused, new_event
from cribboard_core.game import MOST_WON, NOBODY, Game, unpack

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

# op: its arguments by name; those in _TEXTS are strings, `won` is a list, all others integers
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
_TEXTS = ("cards", "starter", "pegs")


def is_int(value: Any, low: int, high: int) -> bool:
    """Whether it is a whole number in this range."""
    return type(value) is int and low <= value <= high


def short(text: str, most: int = 76) -> str:
    """As much of a text as fits an answer's frame whatever the text quotes."""
    return "".join([char if " " <= char <= "~" and char not in '"\\' else "?" for char in text[:most]])


def check(op: Any, args: list[Any]) -> None:
    """Raise Refused unless these arguments are as many as the command takes, and of their types."""
    names = COMMANDS[op].split()
    if len(args) != len(names) or not all(_fits(names[i], args[i]) for i in range(len(names))):
        raise Refused("args", "%s takes %s" % (op, COMMANDS[op]))


def _fits(name: str, value: Any) -> bool:
    if name in _TEXTS:
        return isinstance(value, str)
    if name == "won":
        return isinstance(value, list)
    return is_int(value, -1, 0xFFFFFFFF)


def restored(args: list[Any]) -> Game:
    """The game that a restore gives; raises Refused when there can be none."""
    target, mask, sides, dealer, skunk, double, pegs, won = args
    new_event(target, mask, sides, dealer, skunk, double)
    try:
        holes = unhexlify(pegs)
    except ValueError:
        raise Refused("args", "the pegs are pairs of hex digits, not %s" % pegs)
    if len(holes) != 2 * sides or len(won) != sides or not all(is_int(games, 0, MOST_WON) for games in won):
        raise Refused("args", "restore needs two pegs and the games won (0 to %d) of each side" % MOST_WON)
    winner = [i for i in range(sides) if holes[2 * i] == target]
    packed = bytes([target, mask, sides, skunk, double]) + holes + bytes([dealer, winner[0] if winner else NOBODY])
    for i in range(sides):
        games = won[i] - (winner == [i])
        if games < 0:
            raise Refused("args", "a side at %d has won this game, so it has won at least one" % target)
        packed += games.to_bytes(2, "little")
    return unpack(packed)
