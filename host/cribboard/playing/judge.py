"""What each discard and card of a game cost in the chance to win, and which would have been better.

The chance at the end less that at the start is what the cards brought and what both players' choices cost; so the luck
is what the costs leave over.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from cribboard.computer import discarding, playing
from cribboard.computer.tables import DEALER, PONE, chance_to_win
from cribboard.players import chance_from, chance_of_first, fronts, seen_by
from cribboard.referee.cards import CORRECTIONS
from cribboard.referee.outcomes import Act
from cribboard.referee.pegs import Base
from cribboard.referee.referee import Referee
from cribboard.referee.setup import Setup
from cribboard_core.cards import cards_text, parse_card, parse_cards
from cribboard_core.events import GO, NIBS, PEG
from cribboard_core.show import count

HANDS = 160  # of the opponent, for each card: four times as many as in a game
TOLD = 0.0005  # less reads as 0.0 %
UNSURE = 0.004  # a card that costs less may be as good: the hands that are tried are a sample
PUBLISHED = {  # of experts, a deal: J. Chambers, cribbage.org, tip 6
    "pone's hand": 8.1,
    "dealer's hand": 8.0,
    "crib": 4.7,
    "pone's play": 2.0,
    "dealer's play": 3.5,
}
AVERAGED = {
    "dealer's hand": "hand as dealer",
    "pone's hand": "hand when not dealing",
    "crib": "crib",
    "dealer's play": "pegged in the play as dealer",
    "pone's play": "pegged when not dealing",
}


@dataclass(frozen=True)
class Choice:
    """A discard or a card: what it cost, and what would have been better, with the reason in words."""

    deal: int
    seat: int
    dealing: bool
    scores: tuple[int, int]
    chose: tuple[int, ...]
    best: tuple[int, ...]
    cost: float
    reason: str

    @property
    def discard(self) -> bool:
        """Whether it is one."""
        return len(self.chose) > 1


@dataclass
class Review:
    """A game of two: `choices` in their order, `first` the chance of seat 0 at the start, `last` at the end, `made` the
    points by seat and by what they were for, one each deal."""

    setup: Setup
    choices: list[Choice] = field(default_factory=list)
    first: float = 0.5
    last: float = 0.5
    counting: float = 0.0  # what seat 0 has got by wrong counts, calls, penalties and corrections
    over: bool = False
    made: dict[tuple[int, str], list[int]] = field(default_factory=dict)

    def cost(self, seat: int) -> float:
        """What the choices of a seat have cost it, in chance to win."""
        return sum([choice.cost for choice in self.choices if choice.seat == seat])

    def luck(self, seat: int) -> float:
        """What the cards have brought a seat."""
        gained = self.last - self.first - self.counting
        return (gained if seat == 0 else -gained) + self.cost(seat) - self.cost(1 - seat)

    def worst(self, number: int) -> list[Choice]:
        """The choices that cost most."""
        return sorted([each for each in self.choices if each.cost > 0], key=lambda each: -each.cost)[:number]


FEWER = ", fewer in all, but those that the scores ask for"


def judging(
    setup: Setup, base: Base, acts: list[Act], seats: tuple[int, ...] = (0, 1), hands: int = HANDS
) -> Iterator[Review]:
    """The review of the acts of a game of two as it grows, once for each act.

    Only the choices of these `seats` are judged; `hands` are tried for each card.
    """
    standing = set(Referee.replay(setup, base, acts).standing())
    review, referee = Review(setup), Referee(setup, base)
    for number, act in enumerate(acts):
        if number in standing:
            _look(review, referee, act, seats, hands)
        shown, before = _shown(referee, act), fronts(referee)
        referee.act(act)
        if number in standing:
            review.counting += _miscounted(referee, act, shown, before)
        if number + 1 == len(acts):
            _end(review, referee)
        yield review


def _look(review: Review, referee: Referee, act: Act, seats: tuple[int, ...], hands: int) -> None:
    """What an act shows, just before it is done."""
    if act[0] == "deal" and referee.table.deals == 0:
        _begin(review, referee)
    elif act[0] == "discard" and act[1] in seats:
        review.choices.append(_discard(referee, act[1], parse_cards(act[2])))
    elif act[0] == "play" and act[1] in seats:
        seen = seen_by(referee, act[1])
        if len({card >> 2 for card in seen.legal}) > 1:
            review.choices.append(_card(referee, seen, parse_card(act[2]), hands))
    note(review, referee, act)


def _begin(review: Review, referee: Referee) -> None:
    """A game begins, perhaps another one of an evening: what was before is not part of it."""
    scores = _scores(referee, 0)
    review.choices.clear()
    review.made.clear()
    review.counting = 0.0
    review.first = chance_to_win(*scores, referee.table.due == 0, referee.setup.target)


def _shown(referee: Referee, act: Act) -> int:
    """What the hand or crib is worth that is counted by this act; 0 for another act."""
    round_ = referee.table.round
    if act[0] not in ("claim", "timeout") or round_ is None:
        return 0
    _, what, cards = round_.counted_next()
    return count(cards, round_.deal.starter, what == "crib").points


def _miscounted(referee: Referee, act: Act, shown: int, before: tuple[int, int]) -> float:
    """What seat 0 has got by an act more than the cards were worth, in chance to win; `before` were the scores."""
    due = [0, 0]
    if act[0] in ("claim", "timeout"):
        due[act[1]] = shown
    elif act[0] == "play" and referee.setup.options.manual:
        round_ = referee.table.round
        assert round_ is not None and round_.deal.game is not None  # noqa: S101 (a card was played)
        seat, _, _, made, bonus, _ = round_.deal.game.rows[-1]
        due[seat] = made + bonus
    elif act[0] not in ("muggins", *CORRECTIONS):
        return 0.0
    right, now = (before[0] + due[0], before[1] + due[1]), fronts(referee)
    return chance_from(referee, now) - chance_from(referee, right) if right != now else 0.0


def _end(review: Review, referee: Referee) -> None:
    winner, setup = referee.match.winner, referee.setup
    review.over = referee.begun and winner >= 0
    if review.over:
        review.last = float(winner == setup.side(0))
    elif referee.table.dealer >= 0 and referee.begun:
        review.last = chance_of_first(referee)


def _discard(referee: Referee, seat: int, thrown: list[int]) -> Choice:
    round_ = referee.table.round
    assert round_ is not None  # noqa: S101 (a discard is in a round)
    dealing = seat == round_.deal.dealer
    role, scores = DEALER if dealing else PONE, _scores(referee, seat)
    mine, theirs = [referee.setup.target - score for score in scores]
    needs = (theirs, mine) if dealing else (mine, theirs)
    choices = discarding.discards(sorted(round_.deal.hands[seat]), role, needs, every=True)
    best, own = choices[0], next(choice for choice in choices if set(choice.thrown) == set(thrown))
    reason = _compared(
        (best.hand - own.hand, "in the hand"),
        (best.crib - own.crib, "in the crib" if dealing else "in the other's crib"),
        (best.pegs - own.pegs, "in the play"),
    )
    if best.worth(role) < own.worth(role):
        reason += FEWER
    deals, cost = referee.table.deals, best.win - own.win
    return Choice(deals, seat, dealing, scores, tuple(thrown), best.thrown, cost if cost >= TOLD else 0.0, reason)


def _compared(*parts: tuple[float, str]) -> str:
    """What the better choice brings, like `0.4 points more in the hand, 0.2 fewer in the other's crib on average`."""
    kinds = [(abs(points), "more" if points > 0 else "fewer", where) for points, where in parts if abs(points) >= 0.05]
    said = [f"{points:.1f} {'' if at else 'points '}{more} {where}" for at, (points, more, where) in enumerate(kinds)]
    return f"{', '.join(said)} on average" if said else "as many points on average"


def _card(referee: Referee, seen: playing.Seen, card: int, hands: int) -> Choice:
    outlooks = playing.outlooks(seen, hands)
    best, own = outlooks[0], next(each for each in outlooks if each.card >> 2 == card >> 2)
    cost = best.win - own.win
    mine, theirs = best.mine - own.mine, best.theirs - own.theirs
    reason = _compared((mine, "to peg"), (theirs, "for the other"))
    if mine < theirs:
        reason += FEWER
    deals, dealing = referee.table.deals, seen.seat == seen.dealer
    return Choice(deals, seen.seat, dealing, seen.scores, (card,), (best.card,), cost if cost > UNSURE else 0.0, reason)


def _signed(points: float) -> str:
    return f"{round(points, 1) + 0.0:+.1f}"  # no -0.0


def note(review: Review, referee: Referee, act: Act) -> None:
    """What a deal brought in the play, and what its hands count, once, when the first is shown."""
    round_ = referee.table.round
    if act[0] not in ("show", "claim") or round_ is None or any(round_.deal.has_shown(seat) for seat in (0, 1)):
        return
    deal = round_.deal
    for seat in (0, 1):
        role = "dealer's" if seat == deal.dealer else "pone's"
        review.made.setdefault((seat, f"{role} hand"), []).append(count(deal.kept[seat], deal.starter).points)
        pegged = round_.pegged(referee.setup.side(seat), PEG, GO, NIBS)
        review.made.setdefault((seat, f"{role} play"), []).append(pegged)
    review.made.setdefault((deal.dealer, "crib"), []).append(count(deal.crib, deal.starter, True).points)


def _scores(referee: Referee, seat: int) -> tuple[int, int]:
    if not referee.begun or referee.match.winner >= 0:
        return 0, 0
    first, second = fronts(referee)
    return (first, second) if seat == 0 else (second, first)


def in_words(review: Review, number: int) -> list[str]:
    """The review in lines, with so many of the worst choices."""
    worst = review.worst(number)
    lines = [*summary(review), "What cost most:" if worst else "No choice cost anything."]
    lines += [f"  {_choice_in_words(choice, review.setup.names)}" for choice in worst]
    return lines + averages_of(review)


def summary(review: Review) -> list[str]:
    names = review.setup.names
    lines = [f"{names[0]} against {names[1]}, to {review.setup.target}{'' if review.over else ', not over yet'}."]
    for seat, name in enumerate(names):
        parts = [f"mistakes cost {share(review.cost(seat))} of a win"]
        if abs(counting := review.counting * (1 if seat == 0 else -1)) >= TOLD:
            parts.append(f"wrong counts, calls and corrections {_signed(100 * counting)} %")
        lines.append(f"{name}: {'; '.join(parts)}; luck {_signed(100 * review.luck(seat))} %.")
    return lines


def _choice_in_words(choice: Choice, names: tuple[str, ...]) -> str:
    did, role = "threw" if choice.discard else "played", role_of(choice)
    better = cards_text(choice.best)
    return (
        f"Deal {choice.deal}, {names[choice.seat]} ({role}, {choice.scores[0]} to {choice.scores[1]}) {did} "
        f"{cards_text(choice.chose)}: {share(choice.cost)}. Better {better}: {choice.reason}."
    )


def role_of(choice: Choice) -> str:
    return "dealer" if choice.dealing else "not dealing"


def averages_of(review: Review) -> list[str]:
    each = [
        (name, {what: made for (one, what), made in review.made.items() if one == seat})
        for seat, name in enumerate(review.setup.names)
    ]
    return [average(name, made) for name, made in each if made]


def average(name: str, each: dict[str, list[int]]) -> str:
    parts = [
        f"{AVERAGED[what]} {sum(made) / len(made):.1f} over {len(made)} (experts {PUBLISHED[what]:.1f})"
        for what in AVERAGED
        if (made := each.get(what))
    ]
    return f"{name}'s averages: {', '.join(parts)}."


def share(cost: float) -> str:
    return f"{100 * cost:.1f} %"
