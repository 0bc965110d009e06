"""The acts of the cards that stand, and what stays as it was although its act was taken back.

Cards that the program has dealt come again when their deal is taken back, and nobody can call what he was told.
"""

from __future__ import annotations

from dataclasses import dataclass

from cribboard.referee.outcomes import Act

CHANCE = ("cut", "deal", "starter")  # what the program draws from its pack


@dataclass(frozen=True)
class Live:
    """An act of the cards that has not been taken back."""

    number: int
    act: Act
    text: str
    short: bool  # it claimed too little
    won: int  # the side that had won the game before, when the act has begun another, else -1
    open_for: int  # the seat on which muggins could be called before the act, else -1


class History:
    """`live` are the acts that stand, the newest last; `dealt` says that the program deals."""

    def __init__(self, dealt: bool) -> None:
        self.live: list[Live] = []
        self._told: set[int] = set()  # claims of which all have heard what was missed
        self._dealt = dealt
        self._drawn: dict[tuple[str, int], Act] = {}
        self._won: list[int] = []  # of games that cannot come back
        self._deals = 0  # of those games

    def add(self, live: Live, told: bool) -> None:
        """An act is done; `told` says that it closed the newest claim, and that what was missed was told."""
        if told:
            self._told.add(self._claim())
        if self._dealt and live.act[0] in CHANCE:
            self._drawn[self._place(live.act[0])] = live.act
        self.live.append(live)

    def again(self, name: str) -> Act | None:
        """The cut, deal or starter that the program drew at this place of the game before it was taken back."""
        return self._drawn.get(self._place(name))

    def is_told(self) -> bool:
        """Whether all have heard what the newest claim missed, although that was taken back."""
        return self._claim() in self._told

    def winners(self) -> list[int]:
        """The sides that won the games before this one."""
        return self._won + [live.won for live in self.live if live.won >= 0]

    def forget(self, won: int) -> None:
        """The games before cannot come back, the last of which this side won; only who won them is kept."""
        self._won = [*self.winners(), won]
        self._deals += sum(live.act[0] == "deal" for live in self.live)
        self.live.clear()

    def _claim(self) -> int:
        return next((live.number for live in reversed(self.live) if live.act[0] in ("play", "claim")), -1)

    def _place(self, name: str) -> tuple[str, int]:
        before = "cut" if name == "cut" else "deal"
        return name, self._deals + sum(live.act[0] == before for live in self.live)
