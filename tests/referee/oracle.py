"""Whole deals by a slow referee of its own, written from the words of the rules, against the referee of the program.

    cd tests && python -m referee.oracle --deals 100000 --seed 1

deals so many for each number of players: random cards, random discards and plays, scores near enough to the target that
many games are won on the way, with known hands and with hands that nobody shows. It says how many deals differ.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from collections.abc import Iterator
from itertools import combinations

from cribboard.referee.pegs import pack_match
from cribboard.referee.referee import Referee
from cribboard.referee.setup import Setup
from cribboard_core.cards import card_name, cards_text
from cribboard_core.events import DEAL, GO, HAND, NIBS, PEG
from cribboard_core.match import Match

Point = tuple[str, int, int]  # what for, the side, how many
TABLES = [(2, 0), (3, 0), (4, 0), (4, 2), (5, 0), (6, 0), (6, 2), (6, 3)]
DEALT = {2: (6, 6), 3: (5, 5), 4: (5, 5), 5: (5, 4), 6: (6, 5)}  # to each, and to the dealer
KEPT = {2: 4, 3: 4, 4: 4, 5: 4, 6: 5}
TARGETS = (61, 91, 121, 241)


def value(card: int) -> int:
    return min(card // 4 + 1, 10)


def shown(hand: list[int], starter: int, crib: bool) -> int:
    """Every set of cards is looked at."""
    five = [*hand, starter]
    points = 0
    for size in range(2, len(five) + 1):
        for some in combinations(five, size):
            points += 2 * (sum(map(value, some)) == 15) + 2 * (size == 2 and some[0] // 4 == some[1] // 4)
    for size in range(len(five), 2, -1):
        runs = [some for some in combinations(five, size) if _is_run(some)]
        longer = [some for some in combinations(five, size + 1) if _is_run(some)]
        for some in runs:
            ranks = {card // 4 for card in some}
            points += size * (not any(ranks < {card // 4 for card in other} for other in longer))
    suits = Counter(card % 4 for card in hand)
    if len(suits) == 1:
        points += len(five) if starter % 4 in suits else 0 if crib else len(hand)
    return points + any(card // 4 == 10 and card % 4 == starter % 4 for card in hand)


def _is_run(cards: tuple[int, ...]) -> bool:
    ranks = sorted(card // 4 for card in cards)
    return ranks == list(range(ranks[0], ranks[0] + len(ranks)))


def laid(pile: list[int]) -> int:
    """What the last card of a count makes."""
    points = 2 * (sum(map(value, pile)) in (15, 31))
    alike = 1
    while alike < len(pile) and pile[-1 - alike] // 4 == pile[-1] // 4:
        alike += 1
    points += alike * (alike - 1)
    return points + max([size for size in range(3, len(pile) + 1) if _is_run(tuple(pile[-size:]))], default=0)


class Hands:
    """The cards of one deal, and what each player does with them."""

    def __init__(self, players: int, dealer: int, chance: random.Random) -> None:
        self.players, self.dealer, self.chance = players, dealer, chance
        self.pack = chance.sample(range(52), 52)
        self.order = [(dealer + 1 + step) % players for step in range(players)]
        rest = list(self.pack)
        self.dealt: list[list[int]] = [[] for _ in range(players)]
        for number in range(max(DEALT[players])):
            for seat in self.order:
                if number < DEALT[players][seat == dealer]:
                    self.dealt[seat].append(rest.pop(0))
        self.crib = [rest.pop(0)] if players == 3 else []
        self.away = [chance.sample(hand, len(hand) - KEPT[players]) for hand in self.dealt]
        self.kept = [
            [card for card in hand if card not in away] for hand, away in zip(self.dealt, self.away, strict=True)
        ]
        self.crib += [card for away in self.away for card in away]
        self.starter = chance.choice(rest)

    def play(self) -> Iterator[tuple[int, int | None, int, bool]]:
        """(seat, card or None for a go, points, whether the count ends) in order, any card that fits by chance."""
        held = [list(hand) for hand in self.kept]
        turn, pile, gone, last = self.order[0], list[int](), set[int](), -1
        while any(held):
            fits = [card for card in held[turn] if sum(map(value, pile)) + value(card) <= 31]
            card = self.chance.choice(fits) if fits else None
            if card is not None:
                held[turn].remove(card)
                pile.append(card)
                last = turn
            says = card is None and held[turn] and turn not in gone
            if says:
                gone.add(turn)
            over = sum(map(value, pile)) == 31 or all(not held[seat] or seat in gone for seat in range(self.players))
            if card is not None or says:
                yield turn, card, laid(pile) if card is not None else 0, over
            if over:
                turn, pile, gone = last, [], set()
            turn = (turn + 1) % self.players


def slow_points(hands: Hands, side: list[int], moves: list[tuple[int, int | None, int, bool]]) -> Iterator[Point]:
    """All points of a deal in order."""
    if hands.starter // 4 == 10:
        yield "nibs", side[hands.dealer], 2
    total, last = 0, -1
    for seat, card, points, ends in moves:
        if card is not None:
            total, last = total + value(card), seat
            if points:
                yield "peg", side[seat], points
        if ends and total < 31:
            yield "go", side[last], 1
        total = 0 if ends else total
    for seat in hands.order:
        yield "hand", side[seat], shown(hands.kept[seat], hands.starter, False)
    yield "hand", side[hands.dealer], shown(hands.crib, hands.starter, True)


def slow_score(points: Iterator[Point], scores: dict[int, int], target: int) -> list[Point]:
    """The points until somebody has won; `scores` are pegged."""
    pegged = []
    for point in points:
        pegged.append(point)
        scores[point[1]] = min(target, scores[point[1]] + point[2])
        if scores[point[1]] == target:
            break
    return pegged


def one_deal(players: int, teams: int, chance: random.Random) -> tuple[list[Point], list[Point], bool]:
    """The points of the slow referee and those of the program, and whether the game was won."""
    count = teams or players
    target = chance.choice(TARGETS)
    dealer = chance.randrange(players)
    dealt = chance.random() < 0.5
    setup = Setup(("A", "B", "C", "D", "E", "F")[:players], tuple(range(players)), teams, target, dealt=dealt)
    referee = Referee(setup, pack_match(Match(target, setup.mask, count)))
    referee.act(["new", dealer])
    side = [seat % count for seat in range(players)]
    scores = {place: target - chance.randrange(1, 61) for place in range(count)}
    for place, score in scores.items():
        referee.act(["set", place, score, max(0, score - 1)])
    hands = Hands(players, dealer, chance)
    moves = list(hands.play())
    wanted = slow_score(slow_points(hands, side, moves), scores, target)
    begun = len(referee.pegs.events)
    for act in _acts(hands, moves, dealt):
        referee.act(act)
        if referee.phase == "won":
            break
    kinds = {PEG: "peg", GO: "go", NIBS: "nibs", HAND: "hand"}
    events = [pegged.event for pegged in referee.pegs.events[begun:] if pegged.event[0] != DEAL]
    got = [(kinds[event[0]], event[1], event[2]) for event in events]
    assert list(referee.pegs.scores) == [scores[place] for place in range(count)] or got != wanted
    return wanted, got, referee.phase == "won"


def _acts(hands: Hands, moves: list[tuple[int, int | None, int, bool]], dealt: bool) -> Iterator[list[object]]:
    yield ["deal", cards_text(hands.pack) if dealt else None]
    if dealt:
        for seat in hands.chance.sample(range(hands.players), hands.players):
            if hands.away[seat]:
                yield ["discard", seat, cards_text(hands.away[seat])]
    yield ["starter", card_name(hands.starter)]
    for seat, card, _, _ in moves:
        if card is not None:
            yield ["play", seat, card_name(card)]
        elif not dealt:
            yield ["go", seat]
    for _ in range(hands.players):
        yield ["show"]
    yield ["show"] if dealt else ["crib", cards_text(hands.crib)]


def run(deals: int, seed: int, players: int) -> tuple[int, int]:
    """(deals that differ, games won) of so many deals to a number of players, singles and teams in turn."""
    chance = random.Random(seed)
    tables = [table for table in TABLES if table[0] == players]
    wrong = won = 0
    for number in range(deals):
        wanted, pegged, over = one_deal(*tables[number % len(tables)], chance)
        wrong += wanted != pegged
        won += over
    return wrong, won


def main() -> int:
    """The command; fails when a deal is counted otherwise."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--deals", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    different = 0
    for players in DEALT:
        wrong, won = run(given.deals, given.seed, players)
        print(f"{players} players: {given.deals} deals, {won} won on the way, {wrong} different", flush=True)
        different += wrong
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
