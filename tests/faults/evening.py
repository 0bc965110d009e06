"""Games as people play them, with slips and second thoughts, as the commands of a host."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from unittest import mock

from cribboard import players
from cribboard.analyst.discard import best_first
from cribboard.computer import levels
from cribboard.computer.tables import DEALER
from cribboard.demo import Game
from cribboard.referee.outcomes import Outcome
from cribboard.referee.referee import Referee
from cribboard.referee.state import legal_cards
from cribboard_core.cards import pips
from cribboard_core.deal import Deal
from cribboard_core.match import Match
from cribboard_core.pile import pile_points

Command = tuple[object, ...]


class SimpleGame(Game):
    """A game of simple players: what the trials go through stays the same, however well the computer plays."""

    def _act(self) -> list[Outcome]:
        with mock.patch.object(levels, "discard", _discard), mock.patch.object(players, "_card", _card):
            return super()._act()


def _discard(level: str, dealt: Sequence[int], role: int, needs: tuple[int, int]) -> tuple[int, ...]:
    """The best average of hand and crib."""
    return best_first(list(dealt), role == DEALER)[0].thrown


def _card(referee: Referee, deal: Deal, seat: int, level: str) -> int:
    """The card that scores most, then none that offers a fifteen or 31, then the highest."""
    assert deal.game is not None
    pile = list(deal.game.pile)
    total = sum(map(pips, pile))
    return max(
        legal_cards(referee),
        key=lambda card: (pile_points([*pile, card])[0], total + pips(card) not in (5, 21), pips(card), card),
    )


def games(match: Match, players: list[tuple[int, int]], seed: int, slips: float) -> Iterator[Command]:
    """Each next command for a match that has carried out the ones before; `players` has (players, teams) a game.

    In that share of the scores a wrong one is pegged first and taken back, or the right one is taken back and redone.
    """
    chance = random.Random(seed)
    for number, (count, teams) in enumerate(players):
        game = SimpleGame(count, teams, 121, 1000 * seed + number)
        yield game.opening(match.rev)
        for step in game.steps():
            if not step.command:
                continue
            slip = chance.random() < slips and step.command[0] != "deal"
            wrong = slip and chance.random() < 0.5
            if wrong and match.front(match.sides[0]) + 6 < match.target:
                yield ("peg", match.sides[0], 1 + chance.randrange(6))
                yield ("undo", match.rev)
            yield step.command
            if slip and not wrong:
                yield ("undo", match.rev)
                following = match.next()
                if following is not None:
                    yield ("redo", following[1])
                else:
                    yield step.command


def long_game(match: Match, events: int, seed: int) -> Iterator[Command]:
    """One game of so many events that no sector holds it."""
    chance = random.Random(seed)
    yield ("new", match.rev, 121, 3, 2, 0, -1, -1)
    for number in range(events):
        if number % 10 == 9:
            yield ("undo", match.rev)
        else:
            yield ("peg", number & 1, 1 if chance.random() < 0.3 and match.front(number & 1) < 119 else 0)
