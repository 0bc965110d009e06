"""Duplicate cribbage: what different players make of the same deals, so that the luck of the cards is out.

A game dealt by the program with `--seed` can be played at two tables with the same cards; or the computer takes both
seats of each deal once more, from the scores at which it was dealt.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from cribboard.computer import levels
from cribboard.computer.playing import Seen, as_played
from cribboard.computer.tables import DEALER, PONE
from cribboard.errors import CribboardError
from cribboard.players import fronts
from cribboard.playing import log as logs
from cribboard.playing.review import check_reviewed
from cribboard.referee.cards import CORRECTIONS
from cribboard.referee.referee import Referee
from cribboard_core.cards import parse_card, parse_cards
from cribboard_core.deal import OVER, PLAY, SHOW, Deal


@dataclass(frozen=True)
class Dealt:
    """A deal of two and what it brought: `scores` are those of the seats before it, `made` what they pegged."""

    pack: str
    starter: str
    dealer: int
    scores: tuple[int, int]
    made: tuple[int, int]

    @property
    def cards(self) -> tuple[str, str, int]:
        """What is the same at both tables."""
        return self.pack, self.starter, self.dealer

    @property
    def net(self) -> int:
        """What seat 0 made more than seat 1."""
        return self.made[0] - self.made[1]


@dataclass(frozen=True)
class Played:
    """A game at a table: who sat there, and its deals that were played to their end."""

    names: tuple[str, ...]
    target: int
    deals: tuple[Dealt, ...]


def played(path: Path) -> Played:
    """The deals of a log, without penalties and corrections; raises CribboardError if its cards are not known."""
    setup, base, acts = logs.acts(path)
    check_reviewed(setup)
    standing = set(Referee.replay(setup, base, acts).standing())
    referee, deals = Referee(setup, base), list[Dealt]()
    pack = starter = ""
    before = given = (0, 0)

    def end() -> None:
        if pack and starter:
            now = fronts(referee)
            made = now[0] - before[0] - given[0], now[1] - before[1] - given[1]
            deals.append(Dealt(pack, starter, referee.table.dealer, before, made))

    for number, act in enumerate(acts):
        if number in standing and act[0] in ("new", "cut"):
            deals.clear()
            pack = starter = ""
        if number in standing and act[0] == "deal":
            end()
            pack, starter, before, given = act[1], "", fronts(referee), (0, 0)
        was = fronts(referee)
        referee.act(act)
        if number in standing and act[0] in CORRECTIONS:
            now = fronts(referee)
            given = given[0] + now[0] - was[0], given[1] + now[1] - was[1]
        if number in standing and act[0] == "starter":
            starter = act[1]
    if referee.match.winner >= 0 or referee.phase == "deal":
        end()
    return Played(setup.names, setup.target, tuple(deals))


def by_computer(dealt: Dealt, target: int, level: str = levels.EXPERT) -> Dealt:
    """The same deal from the same scores, with the computer in both seats."""
    deal = Deal(2, dealt.dealer, parse_cards(dealt.pack))
    pegs = list(dealt.scores)
    thrown: list[tuple[int, ...]] = []
    for seat in (0, 1):
        needs = target - pegs[seat], target - pegs[1 - seat]
        role = DEALER if seat == dealt.dealer else PONE
        thrown.append(levels.discard(level, sorted(deal.hands[seat]), role, needs))
        deal.discard(seat, list(thrown[seat]))
    _add(pegs, deal.turn_up(parse_card(dealt.starter)), target)
    while deal.phase != OVER and max(pegs) < target:
        if deal.phase == PLAY:
            seat = deal.turn
            _add(pegs, deal.play(seat, _card(deal, seat, thrown[seat], pegs, target, level)), target)
        elif deal.phase == SHOW:
            _add(pegs, deal.show(), target)
    made = pegs[0] - dealt.scores[0], pegs[1] - dealt.scores[1]
    return Dealt(dealt.pack, dealt.starter, dealt.dealer, dealt.scores, made)


def in_words(mine: Played, other: Sequence[Dealt], who: str) -> list[str]:
    """Deal by deal, what the first player made more than the second here and there, and the difference of all."""
    first = mine.names[0]
    there = {deal.cards: deal for deal in other}
    both = [(number, deal, there[deal.cards]) for number, deal in enumerate(mine.deals, 1) if deal.cards in there]
    if not both:
        raise CribboardError("no deal is the same in both games", "play both with the same --seed")
    lines = [f"Points of {first} less those of {mine.names[1]}, with the same cards:"]
    for number, here, elsewhere in both:
        lines.append(
            f"  deal {number:2}, {mine.names[here.dealer]} deals: here {here.net:+3}, {who} {elsewhere.net:+3}"
        )
    total = sum([here.net - elsewhere.net for _, here, elsewhere in both])
    deals = f"{len(both)} deal{'' if len(both) == 1 else 's'}"
    better = "as many as" if not total else f"{abs(total)} {'more' if total > 0 else 'fewer'} than"
    return [*lines, f"In {deals} with the same cards, {first} made {better} {who}."]


def _card(deal: Deal, seat: int, thrown: tuple[int, ...], pegs: list[int], target: int, level: str) -> int:
    assert deal.game is not None  # noqa: S101 (the play is on)
    legal = deal.game.legal(seat)
    if len(legal) == 1:
        return legal[0]
    hand, scores = tuple(sorted(deal.game.hands[seat])), (pegs[seat], pegs[1 - seat])
    return levels.card(
        level, Seen(seat, deal.dealer, hand, thrown, as_played(deal.game.rows), deal.starter, scores, target)
    )


def _add(pegs: list[int], events: Sequence[tuple[int, str, int, object]], target: int) -> None:
    for seat, _, points, _ in events:
        if max(pegs) < target:
            pegs[seat] = min(target, pegs[seat] + points)
