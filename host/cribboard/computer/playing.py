"""Which card to play: every card is tried against hands that the opponent may hold, each as likely as it is.

How likely a hand is follows from what players keep, from the cards that are out, from a go, and from points that they
would have taken with it. The show behind the play decides what a peg is worth. The play goes on by ranks: a pile is a
number, a digit for each card of the current count, so `pile << 4 | rank + 1` lays another card on it. What is known of
a pile is kept in dictionaries, so that most cards of a play cost one look.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from itertools import accumulate, combinations_with_replacement
from math import comb
from typing import NamedTuple

from cribboard.analyst.points import KEYS, RANKS, SUITS, points, rank_points
from cribboard.computer.discarding import crib_chances, crib_of, thrown_beside, unseen
from cribboard.computer.tables import DEALER, PONE, Chances, after_pone, tables
from cribboard_core.cards import JACK, PACK_SIZE, PIPS
from cribboard_core.pile import LIMIT

MOST_PILES = 400_000  # kept; then they are forgotten, to bound the memory
REPLY = 0.85  # of the points that replies would make: nobody can make them all

# How likely one of two players' four cards include each rank, among hands that are kept.
HELD = (0.31, 0.31, 0.33, 0.34, 0.40, 0.33, 0.33, 0.33, 0.30, 0.30, 0.31, 0.28, 0.26)

_points: dict[int, int] = {}
_reply_worth: tuple[dict[int, float], ...] = ({}, {}, {}, {}, {})  # by the number of cards that the opponent holds

HANDS = 40  # that are tried; more is stronger and slower
MISSED = 0.25  # how likely they let points pass that they could have made
KEPT = 4
FLUSH = 4  # points
SUITED = 2  # cards of one suit that they have shown; before, a flush is as rare as one in fifteen
UNBROKEN = 11.0  # how much more often four cards of one suit are kept than at random, whatever their ranks
GO = -1  # instead of a card

Weighed = list[tuple[tuple[int, ...], float]]  # ranks, and how likely
Shows = list[tuple[int, float]]  # points of a hand, and how likely


def card_points(pile: int) -> int:
    """What the last card of a pile makes, go and the last card apart."""
    made = _points.get(pile)
    if made is None:
        made = _points[pile] = _count(pile)
    return made


def card_worth(pile: int, held: int) -> float:
    """The same less what the reply is worth, when the opponent has so many cards, any that are usual."""
    known = _reply_worth[held]
    worth = known.get(pile)
    if worth is None:
        if len(known) > MOST_PILES:
            forget()
        worth = known[pile] = card_points(pile) - (_danger(pile) * held / 4 if held else 0.0)
    return worth


def forget() -> None:
    """Empty the dictionaries."""
    _points.clear()
    for known in _reply_worth:
        known.clear()


def pile_of(ranks: Sequence[int]) -> int:
    """The pile of ranks laid one after the other."""
    pile = 0
    for rank in ranks:
        pile = pile << 4 | rank + 1
    return pile


def play_on(
    hands: tuple[list[int], list[int]], pile: int, total: int, turn: int, last: int, needs: tuple[int, int]
) -> tuple[int, int]:
    """Play the hands to their end, which empties them; returns what each seat pegs, up to the first that needs no more.

    Both play the card that makes most less what a reply may make. `total` is the count, `last` laid the last card.
    """
    pegs = [0, 0]
    passed = False
    while True:
        hand = hands[turn]
        other = 1 - turn
        room = LIMIT - total
        known = _reply_worth[len(hands[other])]
        best, chosen, laid = -100.0, -1, pile << 4
        for rank in hand:
            if PIPS[rank] <= room:
                # The dictionary is read here: this loop is the innermost of all, where even a call is dear.
                worth = known.get(laid + rank + 1)
                if worth is None:
                    worth = card_worth(laid + rank + 1, len(hands[other]))
                if worth > best:
                    best, chosen = worth, rank
        if chosen >= 0:
            hand.remove(chosen)
            pile = laid + chosen + 1
            total += PIPS[chosen]
            made = card_points(pile)
            over = not hand and not hands[other]
            if over and total < LIMIT:
                made += 1
            if made:
                pegs[turn] += made
                if pegs[turn] >= needs[turn]:
                    return pegs[0], pegs[1]
            if over:
                return pegs[0], pegs[1]
            last, passed, turn = turn, False, other
            if total == LIMIT:
                pile = total = 0
        elif passed and total:
            pegs[last] += 1
            if pegs[last] >= needs[last]:
                return pegs[0], pegs[1]
            pile = total = 0
            passed, turn = False, 1 - last
        else:
            passed, turn = True, other


def _danger(pile: int) -> float:
    """What the replies to a pile would make, each by its chance."""
    total = _total(pile)
    if total == LIMIT:
        return 0.0
    room = LIMIT - total
    made = sum([HELD[rank] * card_points(pile << 4 | rank + 1) for rank in RANKS if PIPS[rank] <= room])
    return made * REPLY


def _total(pile: int) -> int:
    total = 0
    while pile:
        total += PIPS[(pile & 15) - 1]
        pile >>= 4
    return total


def _count(pile: int) -> int:
    """The core's count of a pile, by ranks: fifteen and thirty-one, what is alike at the end, the longest run."""
    total, alike, made = 0, 0, 0
    number = longest = seen = 0
    first = low = high = pile & 15
    unbroken = distinct = True
    while pile:
        rank = pile & 15
        pile >>= 4
        total += PIPS[rank - 1]
        unbroken = unbroken and rank == first
        alike += unbroken
        distinct = distinct and not seen >> rank & 1
        if distinct:
            seen |= 1 << rank
            number += 1
            low, high = min(low, rank), max(high, rank)
            if number >= 3 and high - low == number - 1:
                longest = number
    made = alike * (alike - 1) + longest
    return made + 2 if total in (15, LIMIT) else made


@dataclass(frozen=True)
class Seen:
    """What a player at a table of two knows in the play: `hand` are their cards that are left, `thrown` the discard,
    `played` all cards since the deal as (seat, card or GO), `scores` theirs and the other's, with all pegged."""

    seat: int
    dealer: int
    hand: tuple[int, ...]
    thrown: tuple[int, ...]
    played: tuple[tuple[int, int], ...]
    starter: int
    scores: tuple[int, int]
    target: int = 121

    @property
    def role(self) -> int:
        """Pone or dealer."""
        return DEALER if self.seat == self.dealer else PONE

    @property
    def kept(self) -> tuple[int, ...]:
        """The four cards of the player's hand."""
        return self.hand + tuple(card for seat, card in self.played if seat == self.seat and card != GO)

    @property
    def shown(self) -> tuple[int, ...]:
        """The other's cards that are played."""
        return tuple([card for seat, card in self.played if seat != self.seat and card != GO])

    @property
    def out(self) -> list[int]:
        """All cards that the player has seen."""
        return [*self.kept, *self.thrown, self.starter, *self.shown]

    @property
    def needs(self) -> tuple[int, int]:
        """What the player and the other need to win."""
        return self.target - self.scores[0], self.target - self.scores[1]

    @cached_property
    def course(self) -> PlayState:
        """How the play stands."""
        return _follow(self)

    @property
    def legal(self) -> list[int]:
        """His cards that fit, in their order."""
        return sorted(card for card in self.hand if self.course.total + PIPS[card >> 2] <= LIMIT)


@dataclass(frozen=True)
class PlayState:
    """How the play stands: the pile of this count by rank, its total and who laid last; and what the opponent's acts
    tell: the room at each of their goes, and (pile, total, rank) of each choice."""

    pile: int
    total: int
    last: int
    goes: tuple[int, ...]
    chose: tuple[tuple[int, int, int], ...]


def as_played(rows: Iterable[tuple[int, int, int, int, int, int]]) -> tuple[tuple[int, int], ...]:
    """The cards of a refereed play and the goes that ended a count."""
    course: list[tuple[int, int]] = []
    for seat, card, count, _, _, reset in rows:
        course.append((seat, card))
        if reset and count < LIMIT:
            course += [(1 - seat, GO), (seat, GO)]
    return tuple(course)


def choose(seen: Seen, hands: int = HANDS) -> int:
    """The card to play; one must fit."""
    legal = seen.legal
    if legal[0] >> 2 == legal[-1] >> 2:
        return legal[0]
    return best_first(seen, hands)[0][0]


class Outlook(NamedTuple):
    """What a card leads to: the chance to win, and what both peg from here on."""

    card: int
    win: float
    mine: float
    theirs: float


def best_first(seen: Seen, hands: int = HANDS) -> list[tuple[int, float]]:
    """A card of each rank that fits, with the chance to win that it leaves, the best first."""
    return [(each.card, each.win) for each in outlooks(seen, hands)]


def outlooks(seen: Seen, hands: int = HANDS) -> list[Outlook]:
    """What a card of each rank that fits leads to, the best first."""
    worth = _Worth(seen)
    of_rank = {card >> 2: card for card in reversed(seen.legal)}
    guesses = _guesses(seen, hands) if of_rank else []
    outcomes = []
    for rank, card in of_rank.items():
        win = mine = theirs = 0.0
        for guess in guesses:
            own, his = _tried(seen, rank, guess.ranks)
            win += guess.share * worth(own, his, guess)
            mine += guess.share * own
            theirs += guess.share * his
        outcomes.append(Outlook(card, win, mine, theirs))
    return sorted(outcomes, key=lambda each: (each.win, each.card), reverse=True)


def after_go(seen: Seen, hands: int = HANDS) -> float:
    """The chance to win of a player who has no card that fits."""
    course, worth, needs = seen.course, _Worth(seen), seen.needs
    win = 0.0
    for guess in _guesses(seen, hands):
        own = [card >> 2 for card in seen.hand]
        last = int(course.last != seen.seat)
        pegs = play_on((own, list(guess.ranks)), course.pile, course.total, 1, last, needs)
        win += guess.share * worth(*pegs, guess)
    return win


def restarted(seen: Seen) -> Seen:
    """What is seen when nobody can play and the count starts again."""
    return replace(seen, played=(*seen.played, (1 - seen.seat, GO), (seen.seat, GO)))


def held_by_other(seen: Seen) -> Weighed:
    """The ranks that the opponent may still hold, and how likely each of these hands is."""
    free = unseen(seen.out)
    return _weighed(free, _likely(seen.course), seen) or _weighed(free, [1.0] * len(RANKS), seen)


def _likely(course: PlayState) -> list[float]:
    """By rank, how likely the opponent would have played as they did with such a card in hand."""
    trust = [1.0] * len(RANKS)
    for pile, total, rank in course.chose:
        made = card_points(pile << 4 | rank + 1)
        for other in RANKS:
            if total + PIPS[other] <= LIMIT and card_points(pile << 4 | other + 1) >= made + 2:
                trust[other] *= MISSED
    room = max(course.goes, default=0)
    return [0.0 if PIPS[rank] <= room else trust[rank] for rank in RANKS]


def sampled(weighed: Weighed, number: int) -> Weighed:
    """So many of them at even steps through all, or all when they are fewer; their shares add up to 1."""
    total = sum([weight for _, weight in weighed])
    if len(weighed) <= number:
        return [(ranks, weight / total) for ranks, weight in weighed]
    # Systematic sampling: at even steps of the weight likely hands come more often, and no chance is needed.
    ends = list(accumulate([weight for _, weight in weighed]))
    drawn: dict[int, int] = {}
    for step in range(number):
        at = min(bisect_right(ends, total * (step + 0.5) / number), len(ends) - 1)
        drawn[at] = drawn.get(at, 0) + 1
    return [(weighed[at][0], times / number) for at, times in sorted(drawn.items())]


def _tried(seen: Seen, rank: int, other: tuple[int, ...]) -> tuple[int, int]:
    """What both peg when this rank is played and the opponent holds these."""
    course = seen.course
    own = [card >> 2 for card in seen.hand]
    own.remove(rank)
    needs = seen.needs
    pile, total = course.pile << 4 | rank + 1, course.total + PIPS[rank]
    made = card_points(pile)
    over = not own and not other
    if over and total < LIMIT:
        made += 1
    if over or made >= needs[0]:
        return made, 0
    if total == LIMIT:
        pile = total = 0
    mine, his = play_on((own, list(other)), pile, total, 1, 0, (needs[0] - made, needs[1]))
    return made + mine, his


class _Crib:
    """The dealer's chance to win when both hands are counted and a crib is still to come that counts so much."""

    def __init__(self, chances: Chances) -> None:
        self._chances = chances
        self._known: dict[tuple[int, int], float] = {}

    def dealers(self, needs: tuple[int, int]) -> float:
        """By what pone and dealer still need."""
        chance = self._known.get(needs)
        if chance is None:
            chance = self._known[needs] = after_pone(needs, self._chances)
        return chance


class _Guess(NamedTuple):
    """What the opponent may hold: ranks, how likely that is, what the whole hand would count, and the crib then."""

    ranks: tuple[int, ...]
    share: float
    shows: Shows
    crib: _Crib


def _guesses(seen: Seen, number: int) -> list[_Guess]:
    """So many hands that the opponent may hold; all of them when only one card is unknown, each with its throws."""
    certain = _by_throws(seen) if len(seen.shown) >= KEPT - 1 else []
    if certain:
        return certain
    shows, crib = _Shows(seen, seen.out), _Crib(crib_chances(seen.thrown, seen.role, seen.out, seen.starter))
    return [_Guess(ranks, share, shows(ranks), crib) for ranks, share in sampled(held_by_other(seen), number)]


def _by_throws(seen: Seen) -> list[_Guess]:
    """Each last card that they may hold, as likely as they would keep it, whatever they have thrown beside it."""
    likely, shown, guesses = _likely(seen.course), [card >> 2 for card in seen.shown], []
    for last, number, out, flush, shows in _last_cards(seen):
        free = unseen(out)
        for rank in last:
            number *= likely[rank]
            free[rank] -= 1
        pairs = thrown_beside([*shown, *last], 1 - seen.role, free, flush) if number else []
        weight = number * sum([ways for _, _, ways in pairs])
        if weight:
            guesses.append(_Guess(last, weight, shows, _Crib(crib_of(seen.thrown, pairs, seen.starter))))
    total = sum([guess.share for guess in guesses])
    return [guess._replace(share=guess.share / total) for guess in guesses]


def _last_cards(seen: Seen) -> Iterator[tuple[tuple[int, ...], float, list[int], int, Shows]]:
    """Their last card by rank, or none: how many of it, what was not thrown, points of a flush, what the hand counts.

    When the others are of one suit, a last card of that suit is another case: few break a flush. Beside a last card of
    another suit they have thrown none of it, or they would have kept the flush.
    """
    suits = {card & 3 for card in seen.shown}
    if len(seen.shown) == KEPT:
        yield (), 1.0, seen.out, FLUSH if len(suits) == 1 else 0, _Shows(seen, seen.out)(())
        return
    alike = [card for card in range(PACK_SIZE) if suits == {card & 3} and card not in seen.out]
    for card in alike:
        yield (card >> 2,), 1.0, seen.out, FLUSH, [(points((*seen.shown, card), seen.starter), 1.0)]
    others = [*seen.out, *alike]
    free, shows = unseen(others), _Shows(seen, others)
    for rank in RANKS:
        yield (rank,), free[rank], others, 0, shows((rank,))


class _Worth:
    """The chance to win when so much more is pegged and the opponent holds what is guessed: the show comes next."""

    def __init__(self, seen: Seen) -> None:
        self._needs = seen.needs
        self._role = seen.role
        self._hand = points(seen.kept, seen.starter)

    def __call__(self, mine: int, his: int, guess: _Guess) -> float:
        own, other = self._needs[0] - mine, self._needs[1] - his
        if own <= 0 or other <= 0:
            return 1.0 if own <= 0 else 0.0
        own -= self._hand
        return sum([share * self._counted(own, other - made, guess.crib) for made, share in guess.shows])

    def _counted(self, own: int, other: int, crib: _Crib) -> float:
        """When both hands are counted, pone's first, and so much is needed; the crib is still to come."""
        pone, dealer = (other, own) if self._role == DEALER else (own, other)
        if pone <= 0 or dealer <= 0:
            return float((pone <= 0) == (self._role == PONE))
        dealers = crib.dealers((pone, dealer))
        return dealers if self._role == DEALER else 1.0 - dealers


class _Shows:
    """What the opponent's hand counts, of which they have played some cards and the others are a guess by rank."""

    def __init__(self, seen: Seen, out: list[int]) -> None:
        """`out` are the cards that they cannot hold."""
        starter, shown = seen.starter, seen.shown
        self._out = out
        self._free = unseen(self._out)
        self._shown = sum([KEYS[card >> 2] for card in shown])
        self._starter = KEYS[starter >> 2]
        self._keeping = tables().keeping[1 - seen.role]
        nobs = JACK << 2 | starter & 3
        self._sure = int(nobs in shown)
        self._nobs = 0.0 if nobs in self._out else 1 / self._free[JACK]  # how likely a jack of theirs is the right one
        alike = [suit for suit in SUITS if all(card & 3 == suit for card in shown)]
        if len(shown) < SUITED:
            alike.clear()
        self._flushes = [(suit, FLUSH + (suit == starter & 3)) for suit in alike]

    def __call__(self, other: tuple[int, ...]) -> Shows:
        """How many points with these ranks, and how likely each."""
        key = self._shown + sum([KEYS[rank] for rank in other])
        made = rank_points()[key + self._starter] + self._sure
        chances = [(made, 1.0)]
        if self._nobs and JACK in other:
            right = self._nobs * other.count(JACK)
            chances = [(made, 1.0 - right), (made + 1, right)]
        for suit, more in self._flushes:
            flush = self._alike(other, suit)
            if flush:
                # By Bayes: how much more often such a flush is kept than these ranks in other suits.
                flush *= UNBROKEN / (flush * UNBROKEN + (1.0 - flush) * self._keeping[key])
                chances = [
                    *[(made, share * (1.0 - flush)) for made, share in chances],
                    *[(made + more, share * flush) for made, share in chances],
                ]
        return chances

    def _alike(self, other: tuple[int, ...], suit: int) -> float:
        """How likely these ranks are all of one suit, kept or not."""
        share, before = 1.0, -1
        for rank in other:
            if rank == before or rank << 2 | suit in self._out:
                return 0.0
            share /= self._free[rank]
            before = rank
        return share


@cache
def _multisets(number: int) -> list[tuple[tuple[int, ...], int, tuple[int, ...]]]:
    """All ranks that so many cards may have: the ranks, the sum of their keys, and 5 · rank + how many of it."""
    return [
        (ranks, sum([KEYS[rank] for rank in ranks]), tuple(5 * rank + ranks.count(rank) for rank in sorted(set(ranks))))
        for ranks in combinations_with_replacement(RANKS, number)
    ]


def _weighed(free: Sequence[int], trust: Sequence[float], seen: Seen) -> Weighed:
    each = [comb(free[rank], number) * (trust[rank] if number else 1.0) for rank in RANKS for number in range(5)]
    keeping = tables().keeping[1 - seen.role]
    shown = sum([KEYS[card >> 2] for card in seen.shown])
    hands = []
    for ranks, key, terms in _multisets(KEPT - len(seen.shown)):
        weight = 1.0
        for term in terms:
            weight *= each[term]
        if weight:
            hands.append((ranks, weight * keeping[shown + key]))
    return hands


def _follow(seen: Seen) -> PlayState:
    record = _Record(1 - seen.seat)
    for seat, card in seen.played:
        record.go(seat) if card == GO else record.play(seat, card >> 2)
    record.turn(seen.seat)
    return PlayState(
        pile_of(record.pile),
        record.total,
        record.last,
        tuple(record.goes),
        tuple(record.chose),
    )


class _Record:
    """Follows a play whose goes need not be written down: whoever could have played has said go."""

    def __init__(self, other: int) -> None:
        self.pile: list[int] = []
        self.total = 0
        self.last = -1
        self.goes: list[int] = []
        self.chose: list[tuple[int, int, int]] = []
        self._other = other
        self._left = [KEPT, KEPT]
        self._gone: set[int] = set()

    def go(self, seat: int) -> None:
        self._pass(seat)
        if self._gone >= {at for at in (0, 1) if self._left[at]}:
            self._restart()

    def play(self, seat: int, rank: int) -> None:
        if self.total + PIPS[rank] > LIMIT:
            self._pass(0)
            self._pass(1)
            self._restart()
        self.turn(seat)
        if seat == self._other:
            self.chose.append((pile_of(self.pile), self.total, rank))
        self.pile.append(rank)
        self.total += PIPS[rank]
        self._left[seat] -= 1
        self.last = seat
        if self.total == LIMIT:
            self._restart()

    def turn(self, seat: int) -> None:
        """A seat is to play; when it played last, the other has passed."""
        if self.total and seat == self.last:
            self._pass(1 - seat)

    def _pass(self, seat: int) -> None:
        if seat == self._other and self._left[seat] and seat not in self._gone:
            self.goes.append(LIMIT - self.total)
        self._gone.add(seat)

    def _restart(self) -> None:
        self.pile, self.total = [], 0
        self._gone.clear()
