"""The wire's commands in a user's words."""

from __future__ import annotations

from typing import Any

OPS = (
    *("peg", "hand", "nibs", "go", "penalty", "muggins", "false", "set"),
    *("deal", "undo", "redo", "new", "restore"),
)


def said(op: str, args: list[Any]) -> str:
    """A command of the wire as one would type it: sides count from 1."""
    words = [str(arg) for arg in args]
    if op in ("peg", "hand", "nibs", "go", "penalty", "muggins", "false", "set") and args and type(args[0]) is int:
        words[0] = str(args[0] + 1)
    if op == "hand" and len(words) == 5:
        return f"hand {words[0]} {words[1]} --starter {words[2]}{' --crib' if args[3] else ''}"
    if op == "penalty" and len(words) == 3:
        return f"penalty {words[0]} {words[1]}{' --back' if args[2] else ''}"
    if op == "muggins" and len(words) == 3 and type(args[2]) is int:
        return f"muggins {words[0]} {words[1]} --from {args[2] + 1}"
    if op == "set" and len(words) == 3:
        return f"set-score {words[0]} {words[1]} --back {words[2]}"
    if op == "false":
        return " ".join(["false-claim", *words])
    if op in ("undo", "redo", "new", "restore"):
        return op
    return "next-deal" if op == "deal" else " ".join([op, *words])
