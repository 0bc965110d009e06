"""Endings of which every course is known, and what the advice says there: how far it is off, and whether it blames.

    python -m computer.endings --number 150 --seed 1

(in the folder tests). In each the opponent holds one card, both need at most thirty, and cards of two ranks fit. It is
solved with every card that the opponent may hold and every two that he may have thrown, if a player who goes by points
would have thrown just these; each is played to its end in the best way, and counted by the core. It fails when the
chances are more than a hundredth off on average, or when more than one in a hundred best cards is blamed.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from itertools import combinations
from statistics import mean
from typing import NamedTuple

from computer.duel import Tally, play_game
from computer.opponents import OPPONENTS, Opponent

from cribboard.analyst.points import points
from cribboard.computer.discarding import is_usual
from cribboard.computer.playing import GO, KEPT, MISSED, Seen, choose, outlooks
from cribboard.computer.tables import DEALER, PONE, tables
from cribboard.playing.judge import HANDS, TOLD, UNSURE
from cribboard_core.cards import PACK_SIZE, PIPS, card_name, cards_text
from cribboard_core.pile import LIMIT, pile_points

NEAR = 30
OFF = 0.01  # on average
BLAMED = 0.01  # of the endings

Throw = tuple[int, int]
Cards = tuple[int, ...]
Beliefs = dict[int, float]  # by the card that the opponent holds, how likely it is


class Table(NamedTuple):
    """How the play stands: my cards, whether the opponent's is played, the cards of the count, who laid last and who
    has said go, and what both have pegged from here on."""

    mine: Cards
    played: bool
    pile: Cards
    last: int
    gone: bool
    pegs: tuple[int, int]

    @property
    def count(self) -> int:
        return sum([PIPS[card >> 2] for card in self.pile])

    def fits(self, card: int) -> bool:
        return self.count + PIPS[card >> 2] <= LIMIT

    def laid(self, seat: int, card: int) -> Table:
        pile = (*self.pile, card)
        made = pile_points(list(pile))[0]
        mine = tuple([each for each in self.mine if each != card])
        after = Table(mine, self.played or seat == 1, pile, seat, False, _pegged(self.pegs, seat, made))
        return after._replace(pile=()) if after.count == LIMIT else after

    def restarted(self) -> Table:
        """The point for the go or the last card is paid, if there is a count."""
        return self._replace(pile=(), gone=False, pegs=_pegged(self.pegs, self.last, int(self.count > 0)))


def _pegged(pegs: tuple[int, int], seat: int, made: int) -> tuple[int, int]:
    return (pegs[0] + made, pegs[1]) if seat == 0 else (pegs[0], pegs[1] + made)


class Solved:
    """An ending: my seat is 0, and the chance to win is mine."""

    def __init__(self, seen: Seen) -> None:
        self.seen = seen
        self.hand = points(seen.kept, seen.starter)
        counted: dict[int, dict[tuple[int, int], float]] = defaultdict(lambda: defaultdict(float))
        for card, thrown in hidden(seen):
            his = points((*seen.shown, card), seen.starter), points((*seen.thrown, *thrown), seen.starter, True)
            counted[card][his] += passed_over(seen, card)
        self.counted = counted
        self.beliefs: Beliefs = {card: sum(ways.values()) for card, ways in counted.items()}
        self.shown = cache(self._shown)

    def cards(self) -> dict[int, float]:
        """By rank, the chance with each card that fits."""
        seen, total = self.seen, sum(self.beliefs.values())
        table = Table(seen.hand, False, pile_of(seen), seen.course.last, False, (0, 0))
        of_rank = {card >> 2: card for card in seen.legal}
        return {rank: self.after(table.laid(0, card), 1, self.beliefs) / total for rank, card in of_rank.items()}

    def after(self, table: Table, turn: int, beliefs: Beliefs) -> float:
        """How likely I win and these beliefs are true, when it is this seat's turn."""
        mine, his = table.pegs
        if mine >= self.seen.needs[0] or his >= self.seen.needs[1]:
            return sum(beliefs.values()) if mine >= self.seen.needs[0] else 0.0
        if not table.mine and table.played:
            if table.pile:
                return self.after(table.restarted(), turn, beliefs)
            return sum([weight * self.shown(card, mine, his) for card, weight in beliefs.items()])
        if turn == 0:
            legal = [card for card in table.mine if table.fits(card)]
            if legal:
                return max([self.after(table.laid(0, card), 1, beliefs) for card in legal])
            return self.go(table, 0, beliefs)
        chance, stuck = 0.0, {}
        for card, weight in beliefs.items():
            if not table.played and table.fits(card):
                chance += self.after(table.laid(1, card), 0, {card: weight})
            else:
                stuck[card] = weight
        return chance + (self.go(table, 1, stuck) if stuck else 0.0)

    def go(self, table: Table, seat: int, beliefs: Beliefs) -> float:
        if table.gone:
            return self.after(table.restarted(), 1 - table.last, beliefs)
        return self.after(table._replace(gone=True), 1 - seat, beliefs)

    def _shown(self, card: int, mine: int, his: int) -> float:
        """The chance before the show, when the opponent held this card."""
        ways = self.counted[card]
        return sum([way * self.counting(mine, his, *made) for made, way in ways.items()]) / sum(ways.values())

    def counting(self, mine: int, his: int, hand: int, crib: int) -> float:
        needs, role = [self.seen.needs[0] - mine, self.seen.needs[1] - his], self.seen.role
        shows = [(0, self.hand), (1, hand)] if role == PONE else [(1, hand), (0, self.hand)]
        for seat, made in [*shows, (0 if role == DEALER else 1, crib)]:
            needs[seat] -= made
            if needs[seat] <= 0:
                return float(seat == 0)
        chances = tables().chances
        return chances[needs[0]][needs[1]] if role == PONE else 1 - chances[needs[1]][needs[0]]


def hidden(seen: Seen) -> Iterator[tuple[int, Throw]]:
    """Each card that the opponent may hold with each two that he may have thrown beside it."""
    free = [card for card in range(PACK_SIZE) if card not in seen.out]
    for card in free:
        if PIPS[card >> 2] <= max(seen.course.goes, default=0):
            continue
        for thrown in combinations([each for each in free if each != card], 2):
            if is_usual(sorted((*seen.shown, card, *thrown)), thrown, 1 - seen.role):
                yield card, thrown


def passed_over(seen: Seen, held: int) -> float:
    """How likely he plays as he did while he holds this card: it may have made two points more, which few pass over."""
    likely, pile = 1.0, []
    for seat, card in seen.played:
        if card == GO or sum([PIPS[each >> 2] for each in (*pile, card)]) > LIMIT:
            pile = []
        if card == GO:
            continue
        if seat != seen.seat and sum([PIPS[each >> 2] for each in (*pile, held)]) <= LIMIT:
            made, other = [pile_points([*pile, each])[0] for each in (card, held)]
            likely *= MISSED if other >= made + 2 else 1
        pile.append(card)
        if sum([PIPS[each >> 2] for each in pile]) == LIMIT:
            pile = []
    return likely


def pile_of(seen: Seen) -> Cards:
    """The cards of this count."""
    laid, pile, total = [card for _, card in seen.played if card != GO], [], 0
    while total < seen.course.total:
        pile.insert(0, laid.pop())
        total += PIPS[pile[0] >> 2]
    return tuple(pile)


def endings(seed: int) -> Iterator[Seen]:
    """The first of each game from late scores that has one."""
    for game in range(sys.maxsize):
        chance = random.Random(f"ending {seed} {game}")
        noted: list[Seen] = []
        player = Opponent(OPPONENTS["expert"].discard, lambda seen, pile, into=noted: _noted(seen, into))
        play_game((player, player), chance, (0, 1), Tally(), (chance.randint(91, 120), chance.randint(91, 120)))
        yield from noted[:1]


def _noted(seen: Seen, into: list[Seen]) -> int:
    if len(seen.shown) == KEPT - 1 and len({card >> 2 for card in seen.legal}) > 1 and max(seen.needs) <= NEAR:
        into.append(seen)
    return choose(seen)


class Judged(NamedTuple):
    """What the advice says of an ending, by rank, and what is true; whether a card that costs nothing is blamed."""

    seen: Seen
    said: dict[int, float]
    true: dict[int, float]

    @property
    def off(self) -> float:
        return mean([abs(self.said[rank] - win) for rank, win in self.true.items()])

    @property
    def blames(self) -> bool:
        said, true = max(self.said.values()), max(self.true.values())
        return any(true - win < TOLD and said - self.said[rank] > UNSURE for rank, win in self.true.items())

    def __str__(self) -> str:
        cards = {card >> 2: card_name(card) for card in self.seen.hand}
        wins = [
            f"{cards[rank]} said {100 * self.said[rank]:.1f} % true {100 * self.true[rank]:.1f} %" for rank in self.true
        ]
        role = "dealer" if self.seen.role == DEALER else "pone"
        shown, scores = cards_text(self.seen.shown), "-".join(map(str, self.seen.scores))
        return f"{role} at {scores}, {card_name(self.seen.starter)} turned, {shown} shown: {', '.join(wins)}"


def judged(seen: Seen) -> Judged:
    """The review's figures beside the solution."""
    return Judged(seen, {each.card >> 2: each.win for each in outlooks(seen, HANDS)}, Solved(seen).cards())


def main() -> None:
    """Solve, and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--number", type=int, default=150)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    all_judged: list[Judged] = []
    try:
        for seen, _ in zip(endings(asked.seed), range(asked.number), strict=False):
            all_judged.append(judged(seen))
            if all_judged[-1].off > 5 * OFF or all_judged[-1].blames:
                print(all_judged[-1], "(blamed)" if all_judged[-1].blames else "", flush=True)
    except KeyboardInterrupt:
        print("stopped", file=sys.stderr)
    off, blamed = mean([each.off for each in all_judged]), sum([each.blames for each in all_judged])
    worst = max([each.off for each in all_judged])
    print(f"{len(all_judged)} endings: {100 * off:.2f} % off on average, {100 * worst:.1f} % at worst, {blamed} blamed")
    sys.exit(int(off > OFF or blamed > BLAMED * len(all_judged)))


if __name__ == "__main__":
    main()
