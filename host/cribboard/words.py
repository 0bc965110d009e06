"""What happened, in short plain sentences: who pegs what, and where the pegs are now."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from cribboard.names import Names
from cribboard_core.match import Match

LOST = ("", "", ", skunked", ", double-skunked")


def reached(what: str, front: int) -> str:
    """What a side has pegged with its score after it, like `Ann pegs 5, now at 12`, without a full stop."""
    return f"{what}, now at {front}"


class Words:
    """Sentences about a match as it stands now; `won` are the games won by side, by default as the board counts."""

    def __init__(self, match: Match, names: Names, won: Mapping[int, int] | None = None) -> None:
        self._match = match
        self._names = names
        self._won = {side: match.won(side) for side in match.sides} if won is None else won

    def happened(self, kind: str, side: int, a: int, b: int) -> str:
        """An event with what it led to, like `Ann pegs 5, now at 12.`"""
        what = self.event(kind, side, a, b)
        touched = self.touched(kind, side, b)
        if kind == "new":
            return f"{what}: {self._players()}. {self._deals()}."
        if kind == "set":
            return f"{what}."
        if touched == [side]:
            return f"{reached(what, self._match.front(side))}."
        return f"{what}. {self.scores(touched)}." if touched else f"{what}."

    def stepped(self, op: str, kind: str, side: int, a: int, b: int) -> str:
        """An event taken back or brought back, like `Undid: Ann pegs 5. Ann 7.`"""
        touched = self.touched(kind, side, b)
        after = self.scores(touched) if touched else self._deals()
        return f"{'Undid' if op == 'undo' else 'Redid'}: {self.event(kind, side, a, b)}. {after}."

    def event(self, kind: str, side: int, a: int, b: int) -> str:
        """An event alone, like `Ann pegs 5`, without a full stop."""
        if kind == "new":
            return f"New game to {self._match.target}"
        if kind == "restore":
            return "The board's state was restored"
        if kind == "deal":
            return f"The deal passes to {self._names.player(side)}"
        if kind == "penalty" and not b:
            others = self._opponents(side)
            who = self._pegs(others[0], "pegs", start=True) if len(others) == 1 else "The others peg"
            return f"{who} {a} for an error by {self._names.name(side)}"  # a penalty, or a claim that was wrong or late
        if kind == "false":
            return f"False claim of game by {self._names.name(side)}, whose true score is {a}"
        return self._one_side(kind, side, a, b)

    def corrected(self, event: tuple[str, int, int, int], points: int, by: str) -> str:
        """An event whose points were corrected, like `Ann counts 12, corrected from 10 by Bob`, without a full stop."""
        kind, side, was, b = event
        return f"{self.event(kind, side, points, b)}, corrected from {was} by {by}"

    def touched(self, kind: str, side: int, b: int) -> list[int]:
        """The sides whose pegs an event moves."""
        if kind == "deal" or (kind not in ("new", "restore") and side not in self._match.sides):
            return []
        if kind in ("new", "restore", "false"):
            return list(self._match.sides)
        return self._opponents(side) if kind == "penalty" and not b else [side]

    def scores(self, sides: Iterable[int]) -> str:
        """Like `Ann 12, Bob 7`."""
        return ", ".join([f"{self._names.first(side)} {self._match.front(side)}" for side in sides])

    def win(self) -> str:
        """How a won game ended and how many games each has; empty while it runs."""
        match, names = self._match, self._names
        if match.winner < 0:
            return ""
        said = [f"{self._pegs(match.winner, 'wins', start=True)} with {match.front(match.winner)}."]
        for side in match.sides:
            if side != match.winner:
                has = self._pegs(side, "has", start=True)
                said.append(f"{has} {match.front(side)}{LOST[match.skunked(side)]}.")
        games = ", ".join([f"{names.first(side)} {self._won[side]}" for side in match.sides])
        return f"{' '.join(said)} Games won: {games}."

    def _one_side(self, kind: str, side: int, a: int, b: int) -> str:
        if kind == "set":
            return f"{self._pegs(side, 'is', start=True)} set to {a}, back peg at {b}"
        if kind == "penalty":
            return f"{self._pegs(side, 'goes', start=True)} back {a}"
        verb = "counts" if kind == "hand" else "pegs"
        said = f"{self._pegs(side, verb, start=True)} {a}"
        if kind == "hand":
            return said + (" in the crib" if b else "")
        if kind == "muggins":
            return f"{said} by muggins for an error by {self._names.name(b)}"  # who missed them, or called them wrongly
        return said + {"nibs": " for nibs", "go": " for a go or the last card"}.get(kind, "")

    def _opponents(self, side: int) -> list[int]:
        return [other for other in self._match.sides if other != side]

    def _players(self) -> str:
        return ", ".join([self._names.name(side) for side in self._match.sides])

    def _deals(self) -> str:
        return f"{self._names.player(self._match.dealer, start=True)} deals"

    def _pegs(self, side: int, verb: str, *, start: bool = False) -> str:
        """A side and its verb, which follows the number of names."""
        plural = {"is": "are", "has": "have", "goes": "go"}.get(verb, verb.removesuffix("s"))
        name = self._names.first(side) if start else self._names.name(side)
        return f"{name} {plural if self._names.several(side) else verb}"
