"""Games as people play them, with slips and second thoughts, as the commands of a host."""

from __future__ import annotations

import random
from collections.abc import Iterator

from cribboard.demo import Game
from cribboard_core.match import Match

Command = tuple[object, ...]


def games(match: Match, players: list[tuple[int, int]], seed: int, slips: float) -> Iterator[Command]:
    """Each next command for a match that has carried out the ones before; `players` has (players, teams) a game.

    In that share of the scores a wrong one is pegged first and taken back, or the right one is taken back and redone.
    """
    chance = random.Random(seed)
    for number, (count, teams) in enumerate(players):
        game = Game(count, teams, 121, 1000 * seed + number)
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
