"""A whole game between automatic players, dealt from a seed: every card, go, hand and crib as words and commands."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import cast

from cribboard.players import choose, discard
from cribboard_core.aloud import number_word, sentence
from cribboard_core.cards import card_name, cards_text
from cribboard_core.deal import CUT, OVER, PLAY, Deal, first_dealer
from cribboard_core.events import DEAL, GO, HAND, NIBS, PEG
from cribboard_core.match import Match
from cribboard_core.show import Show
from cribboard_core.variants import side_count, skunk_lines

NAMES = ("Ann", "Bob", "Cleo", "Dev", "Eli", "Fay")


@dataclass(frozen=True)
class Step:
    """Something that happens at the table: what is said, and the command to the board that it makes, if any."""

    text: str
    command: tuple[str | int, ...] = ()


class Game:
    """One game from the cut for deal to the win. `match` is the host's own, folded from what it says itself."""

    def __init__(self, players: int, teams: int, target: int, seed: int) -> None:
        self.players = players
        self.teams = teams
        self.sides = side_count(players, teams)
        self.target = target
        self.deals = 0
        self._rng = random.Random(seed)  # noqa: S311 (a game, not a secret)
        self.dealer = self._cut_for_deal()
        self.match = Match(target, self.seats, self.sides, self.dealer, skunk_lines(target))

    @property
    def seats(self) -> int:
        """The seat mask: the first places of the table."""
        return (1 << self.players) - 1

    def opening(self, rev: int) -> tuple[str | int, ...]:
        """The command of the new game, for a board at `rev`."""
        return ("new", rev, self.target, self.seats, self.sides, self.dealer, -1, -1)

    def steps(self) -> Iterator[Step]:
        """The game, step by step, until somebody has won."""
        yield Step(f"{NAMES[self.dealer]} cuts the lowest card and deals first.")
        while True:
            for step in self._deal():
                yield step
                if self.match.winner >= 0:
                    return
            self.dealer = self.match.next_seat()
            self._apply((DEAL, self.dealer, 0, 0, 0))
            yield Step(f"The deal passes to {NAMES[self.dealer]}.", ("deal", self.dealer))

    def result(self) -> str:
        """Who has won, and how."""
        winner = self.match.winner
        lines = [f"{self.side_name(winner)} won, {self.match.front(winner)}."]
        for side in self.match.sides:
            if side != winner:
                how = ("", "", ", skunked", ", double-skunked")[self.match.skunked(side)]
                lines.append(f"{self.side_name(side)} {self.match.front(side)}{how}.")
        return " ".join(lines)

    def _cut_for_deal(self) -> int:
        while True:
            dealer = first_dealer(self._rng.sample(range(52), self.players))
            if dealer >= 0:
                return dealer

    def _deal(self) -> Iterator[Step]:
        self.deals += 1
        pack = list(range(52))
        self._rng.shuffle(pack)
        deal = Deal(self.players, self.dealer, pack, self.teams)
        for seat in range(self.players):
            if deal.to_discard(seat):
                own = deal.side(seat) == deal.side(self.dealer)
                deal.discard(seat, discard(deal.hands[seat], deal.to_discard(seat), own))
        assert deal.phase == CUT  # noqa: S101
        left = len(pack) - sum(map(len, deal.hands)) - len(deal.crib)
        events = deal.cut(self._rng.randrange(left))
        yield Step(f"Deal {self.deals}: {NAMES[self.dealer]} deals, the starter is {card_name(deal.starter)}.")
        yield from self._score(deal, events)
        while deal.phase == PLAY and deal.game:
            seat = deal.turn
            card = choose(deal.game.pile, deal.game.legal(seat))
            count = deal.game.count + min(10, (card >> 2) + 1)
            events = deal.play(seat, card)
            if not any(kind == "play" for _, kind, _, _ in events):
                yield Step(f"{NAMES[seat]} plays {card_name(card)}: {number_word(count)}.")
            yield from self._score(deal, events, count)
        while deal.phase != OVER:
            yield from self._score(deal, deal.show())

    def _score(self, deal: Deal, events: list[tuple[int, str, int, object]], count: int = 0) -> Iterator[Step]:
        for seat, kind, points, detail in events:
            side = deal.side(seat)
            name = NAMES[seat]
            if kind == "nibs":
                yield self._pegged(f"A jack: nibs for {name}, two.", (NIBS, side, 2, 0, 0), ("nibs", side))
            elif kind == "play":
                card, parts = cast("tuple[int, list[tuple[str, int, tuple[int, ...]]]]", detail)
                named = [_part(part[0], len(part[2])) for part in parts if part[0] not in ("fifteen", "thirty-one")]
                words = ", ".join([number_word(count), *named])
                text = f"{name} plays {card_name(card)}: {words} for {number_word(points)}."
                yield self._pegged(text, (PEG, side, points, 0, 0), ("peg", side, points))
            elif kind in ("go", "last"):
                what = "Go" if kind == "go" else "Last card"
                yield self._pegged(f"{what}: one for {name}.", (GO, side, 1, 0, 0), ("go", side))
            elif isinstance(detail, Show):
                yield self._shown(deal, seat, kind, detail)

    def _shown(self, deal: Deal, seat: int, kind: str, show: Show) -> Step:
        side = deal.side(seat)
        crib = int(kind == "crib")
        cards = deal.crib if crib else deal.kept[seat]
        text = f"{NAMES[seat]}'s {kind} {cards_text(cards)} with {card_name(deal.starter)}: {sentence(show)}."
        names = cards_text(cards).replace(" ", "")
        command = ("hand", side, names, card_name(deal.starter), crib, show.points)
        return self._pegged(text, (HAND, side, show.points, crib, 0), command)

    def _pegged(self, text: str, event: tuple[int, ...], command: tuple[str | int, ...]) -> Step:
        self._apply(event)
        scores = " ".join(str(self.match.front(side)) for side in self.match.sides)
        return Step(f"{text} [{scores}]", command)

    def _apply(self, event: tuple[int, ...]) -> None:
        self.match.check(event)
        self.match.apply(self.match.rev + 1, event)

    def side_name(self, side: int) -> str:
        """Who plays for a side."""
        members = [NAMES[place] for place in self.match.seats if self.match.side_of(place) == side]
        return " and ".join(members)


def _part(kind: str, cards: int) -> str:
    return f"a run of {number_word(cards)}" if kind == "run" else f"a {kind}"
