"""A whole game between automatic players, dealt from a seed and refereed: every step as words and commands."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

from cribboard.players import dealers_act, own_act
from cribboard.referee.falls import Fall
from cribboard.referee.referee import Referee
from cribboard.referee.setup import Setup
from cribboard.referee.speech import in_codes, in_words
from cribboard.referee.tally import pack_match
from cribboard_core.events import DEAL
from cribboard_core.match import Match

NAMES = ("Ann", "Bob", "Cleo", "Dev", "Eli", "Fay")


@dataclass(frozen=True)
class Step:
    """Something that happens at the table: what is said, and the command to the board that it makes, if any."""

    text: str
    command: tuple[str | int, ...] = ()


class Game:
    """One game from the cut for deal to the win; cards are said as words, or as codes."""

    def __init__(self, players: int, teams: int, target: int, seed: int, codes: bool = False) -> None:
        self._cards = in_codes if codes else in_words
        seats = tuple(range(players))
        setup = Setup(NAMES[:players], seats, teams, target, dealt=True, computers=seats)
        self.target = target
        self.referee = Referee(setup, pack_match(Match(target, setup.mask, setup.count)))
        self._chance = random.Random(seed)  # noqa: S311 (a game, not a secret)
        while self.referee.phase == "cut":
            self._begun = self._act()

    @property
    def match(self) -> Match:
        """The referee's own match, folded from what it says itself."""
        return self.referee.match

    def opening(self, rev: int) -> tuple[str | int, ...]:
        """The command of the new game, for a board at `rev`."""
        op, *args = self._begun[0].command
        return (op, rev, *args)

    def steps(self) -> Iterator[Step]:
        """The game, step by step, until somebody has won."""
        yield Step(self._said(self._begun[0]))
        while self.referee.phase != "won":
            for fall in self._act():
                yield Step(self._said(fall) + _pegs(fall), fall.command)

    def _said(self, fall: Fall) -> str:
        return self._cards(fall.text, self.referee.setup.names)

    def result(self) -> str:
        """Who has won, and how."""
        winner = self.match.winner
        lines = [f"{self.side_name(winner)} won, {self.match.front(winner)}."]
        for side in self.match.sides:
            if side != winner:
                how = ("", "", ", skunked", ", double-skunked")[self.match.skunked(side)]
                lines.append(f"{self.side_name(side)} {self.match.front(side)}{how}.")
        return " ".join(lines)

    def side_name(self, side: int) -> str:
        """Who plays for a side."""
        return self.referee.setup.side_name(side)

    def _act(self) -> list[Fall]:
        return self.referee.act(dealers_act(self.referee, self._chance) or own_act(self.referee))


def _pegs(fall: Fall) -> str:
    """The scores behind what was pegged."""
    if not fall.event or fall.event[0] == DEAL:
        return ""
    return f" [{' '.join(map(str, fall.scores))}]"
