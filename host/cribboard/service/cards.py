"""The known cards of the current deal: starter, pile with its running count, hands counted.

It follows the match: undo takes a card back with the points that it made, and a deal that passes ends it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from cribboard.board.messages import Row
from cribboard.names import teams_of
from cribboard.referee.outcomes import part_name
from cribboard.referee.state import may_say_go, spoken
from cribboard.service.orders import OrderError
from cribboard_core import deal as core
from cribboard_core.aloud import number_word
from cribboard_core.cards import PACK_SIZE, PIPS
from cribboard_core.events import DEAL, GO, HAND, MUGGINS, NEW, NIBS, PEG, REDO, RESTORE, SCORES, UNDO
from cribboard_core.match import Match
from cribboard_core.pile import LIMIT, pile_points
from cribboard_core.play import HIGHEST

KEPT = 400  # changes, for undo; more than a journal keeps
LATE = "late+"  # begins the key of a hand that nobody has claimed in time
AVERAGE = 13  # points of a player in a deal: for two, hands of 8.0 and 8.1, a crib of 4.7, and 5 in the play


@dataclass(frozen=True)
class Claim:
    """Points that a player has said; those that were `missed`, and whether an opponent may call them."""

    points: int
    missed: int = 0
    callable: bool = False


@dataclass(frozen=True)
class Laid:
    """A card of the play: its side, its points and their words, their event's rev (0: none), the count after it.

    `key` is that of the order; `at` is the rev of the newest event when it was claimed.
    """

    card: int
    side: int
    points: int = 0
    text: str = ""
    rev: int = 0
    total: int = 0
    key: str = ""
    claim: Claim | None = None
    at: int = 0


@dataclass(frozen=True)
class Counted:
    """A counted hand or crib; without cards if it was not counted through the service.

    `rev` is that of its event, 0 for a claim of nothing; `key` is that of the order, if there was a claim.
    `at` is the rev of the newest event when it was claimed.
    """

    rev: int
    side: int
    crib: bool
    cards: tuple[int, ...] = ()
    starter: int = -1
    key: str = ""
    claim: Claim | None = None
    at: int = 0

    @property
    def late(self) -> bool:
        """Whether nobody has claimed it in time."""
        return self.key.startswith(LATE)


@dataclass(frozen=True)
class Cards:
    """The known cards of one deal."""

    starter: int = -1
    pile: tuple[Laid, ...] = ()  # of the count that is on
    played: tuple[Laid, ...] = ()  # of the deal
    counted: tuple[Counted, ...] = ()
    nibs: int = 0  # the rev of their pegging
    begun: int = 0  # the rev since which they lie there
    last: Counted | None = None  # the newest of the game whose cards are known
    points: int = 0  # pegged since the deal passed or its crib was counted
    open: Laid | Counted | None = None  # what was claimed last, while it can be called
    before: tuple[Laid | Counted, ...] = ()  # what was claimed in the deal before, or until the cards were cleared
    pegged: tuple[int, ...] = ()  # the sides that have pegged points since the last card of the play

    @property
    def running(self) -> int:
        """The running count."""
        return sum(PIPS[laid.card >> 2] for laid in self.pile)

    @property
    def seen(self) -> list[int]:
        """The known cards, each once: starter, cards played, hands counted."""
        known = [laid.card for laid in self.played] + [card for hand in self.counted for card in hand.cards]
        return list(dict.fromkeys(([self.starter] if self.starter >= 0 else []) + known))

    def moved(self, rev: int) -> Cards:
        """The same on a board to which the event `rev` has brought all that was pegged for them."""

        def laid(one: Laid) -> Laid:
            return replace(one, rev=rev if one.rev else 0, at=rev if one.at else 0)

        def counted(one: Counted) -> Counted:  # of one without cards they can't be learned any more
            return replace(one, rev=rev if one.rev and one.cards else 0, at=rev if one.at else 0)

        def either(one: Laid | Counted) -> Laid | Counted:
            return laid(one) if isinstance(one, Laid) else counted(one)

        return replace(
            self,
            pile=tuple(map(laid, self.pile)),
            played=tuple(map(laid, self.played)),
            counted=tuple(map(counted, self.counted)),
            nibs=rev if self.nibs else 0,
            begun=rev,
            last=counted(self.last) if self.last else None,
            open=either(self.open) if self.open else None,
            before=tuple(map(either, self.before)),
        )

    @property
    def claimed(self) -> list[Laid | Counted]:
        """What players have claimed in this deal."""
        known: list[Laid | Counted] = [*self.played, *self.counted]
        return [one for one in known if one.claim]

    @property
    def over(self) -> bool:
        """Whether the crib was counted, which ends the deal."""
        return any(hand.crib for hand in self.counted)

    def doubtful(self, players: int) -> bool:
        """Whether two deals' worth of points was pegged, so that the deal has probably passed unnoticed."""
        return self.points >= 2 * AVERAGE * players

    def elsewhere(self, side: int, crib: bool, again: bool) -> Iterator[tuple[int, int, str]]:
        """The cards that cannot be in this hand, each with its side and where it is: played, or in another hand.

        A hand that is counted `again` is not another.
        """
        for laid in self.played:
            if crib or laid.side != side:
                yield laid.card, laid.side, "play"
        for hand in self.counted:
            if not again or (hand.side, hand.crib) != (side, crib):
                yield from ((card, hand.side, "crib" if hand.crib else "hand") for card in hand.cards)

    def hands(self, side: int, crib: bool) -> int:
        """How many hands or cribs of a side were counted."""
        return sum((hand.side, hand.crib) == (side, crib) for hand in self.counted)


class Deal:
    """The cards now, and before each event that changed them."""

    def __init__(self) -> None:
        self.now = Cards()
        self._changes: dict[int, tuple[Cards, Cards]] = {}  # by the low half of the rev
        self._keys: dict[str, int] = {}  # cards by the orders that laid them, the oldest first
        self.uncalled: list[Laid | Counted] = []  # claims that can no longer be called, until it was said
        self._rev = 0  # of the newest event that was heard
        self._told: set[tuple[int, str]] = set()  # those of which all have heard what was missed

    def laid_by(self, key: str) -> int:
        """The card that the order with this key has laid, even if it was taken back; -1 for none."""
        return self._keys.get(key, -1)

    def heard(self, row: Row | None) -> None:
        """Follow an event of the board; None when it is not known what happened."""
        self._rev = row.rev if row is not None else self._rev
        if row is None:
            self.now = Cards(starter=self.now.starter, last=self.now.last)
        elif row.kind == RESTORE:
            self._change(row.rev, Cards(begun=row.rev))
        elif row.kind in (UNDO, REDO):
            self._step(row.b, back=row.kind == UNDO)
        elif row.kind in (DEAL, NEW):
            fresh = Cards(begun=row.rev)
            if row.kind == DEAL:
                self._closed(self.now)
                fresh = replace(fresh, last=self.now.last, before=tuple(self.now.claimed))
            self._change(row.rev, fresh)
        elif row.kind in SCORES:
            self._change(row.rev, self._scored(row))

    def turn_up(self, card: int) -> None:
        """Name the starter, -1 for none; raises OrderError for a card of this deal."""
        if card >= 0 and card in self.now.seen and card != self.now.starter:
            raise _taken(card)
        self.now = replace(self.now, starter=card)

    def lay(self, card: int, side: int) -> Laid:
        """What a card of the play would make; raises OrderError when it cannot be played."""
        if card in self.now.seen:
            raise _taken(card)
        pile = [laid.card for laid in self._pile()]
        total = sum(PIPS[one >> 2] for one in [*pile, card])
        if total > LIMIT:
            raise OrderError(
                "limit", f"the {spoken(card)} would take the count to {total}; it stops at {LIMIT}", "say go first", 409
            )
        points, parts = pile_points([*pile, card])
        made = [f"{part_name(kind, len(cards))} for {number_word(some)}" for kind, some, cards in parts]
        return Laid(card, side, points, ", ".join(made), total=total)

    def laid(self, laid: Laid) -> None:
        """Put a card on the pile, after its points were pegged."""
        laid = replace(laid, at=self._rev if laid.claim else 0)
        opened = laid if laid.claim and laid.claim.callable else None
        closed = self._closed(self.now)
        after = replace(closed, pile=(*self._pile(), laid), played=(*self.now.played, laid), open=opened, pegged=())
        if laid.rev:
            before, _ = self._changes.get(laid.rev & 0xFFFF, (self.now, self.now))
            self._change(laid.rev, after, before)
        self.now = after
        self._keys[laid.key] = laid.card
        if len(self._keys) > KEPT:
            del self._keys[next(iter(self._keys))]

    def unlay(self, card: int) -> None:
        """Take back the last card; raises OrderError if it is another one or has pegged."""
        last = self.now.pile[-1] if self.now.pile else None
        if last is None or last.card != card:
            raise OrderError("nothing", f"the {spoken(card)} is not the last card on the pile", "", 409)
        if last.rev:
            raise OrderError("pegged", f"the {spoken(last.card)} has pegged {last.points}", "undo takes it back", 409)
        self.now = replace(self.now, pile=self.now.pile[:-1], played=self.now.played[:-1])

    def lacks(self, rev: int) -> bool:
        """Whether the hand of this event still lacks its cards."""
        return any(hand.rev == rev and not hand.cards for hand in self.now.counted)

    def counted_by(self, key: str) -> Counted | None:
        """The hand of the claim with this key, None for none or one that was taken back."""
        return next((hand for hand in self.now.counted if key and hand.key == key), None)

    def count(self, hand: Counted) -> None:
        """Add the cards of a hand whose event was received, or that was claimed to be worth nothing."""
        hand = replace(hand, at=self._rev if hand.claim else 0)
        if not hand.rev:
            self.now = _with(self._closed(self.now), hand)
            return
        before, after = self._changes.get(hand.rev & 0xFFFF, (self.now, self.now))
        self._changes[hand.rev & 0xFFFF] = (before, _with(after, hand))
        self.now = _with(self.now, hand)

    def clear(self) -> None:
        """Forget the cards, but not which hands were counted."""
        counted = tuple(replace(hand, cards=()) for hand in self.now.counted)
        claimed = (*self.now.before, *self.now.claimed)
        self.now = replace(self.now, starter=-1, pile=(), played=(), counted=counted, open=None, before=claimed)

    def take_over(self, rev: int, cards: Cards) -> None:
        """Take over the cards of a game that came here from another board, with the event `rev`."""
        self._change(rev, cards.moved(rev), self._changes.get(rev & 0xFFFF, (self.now, self.now))[0])
        self._keys.update({laid.key: laid.card for laid in cards.played if laid.key})

    def begin(self, epoch: int) -> None:
        """Forget what was noted by rev: the board has started another journal."""
        self._changes.clear()
        self.now = Cards(starter=self.now.starter)

    def _pile(self) -> tuple[Laid, ...]:
        return () if self.now.running == LIMIT else self.now.pile

    def _closed(self, now: Cards) -> Cards:
        """Without the claim that could be called until now."""
        claim = now.open.claim if now.open else None
        if now.open and claim and claim.missed:
            self.uncalled.append(now.open)
            self._told.add(_mark(now.open))
        return replace(now, open=None)

    def _scored(self, row: Row) -> Cards:
        now = replace(self.now, points=self.now.points + row.a)
        if row.kind in (PEG, HAND):
            now = replace(self._closed(now), pegged=(*now.pegged, row.side))
        if row.kind == MUGGINS and now.open and now.open.side == row.b:
            return replace(now, open=None)
        if row.kind == GO:
            return replace(now, pile=())
        if row.kind == NIBS:
            return replace(now, nibs=row.rev)
        if row.kind == HAND:
            return _with(now, Counted(row.rev, row.side, bool(row.b)))
        return now

    def _change(self, rev: int, after: Cards, before: Cards | None = None) -> None:
        self._changes.pop(rev & 0xFFFF, None)
        self._changes[rev & 0xFFFF] = (before or self.now, after)
        if len(self._changes) > KEPT:
            del self._changes[next(iter(self._changes))]
        self.now = after

    def _step(self, low: int, *, back: bool) -> None:
        """Undo or redo the event `low`; nobody can call what everybody was told."""
        self._walk(low, back=back)
        if self.now.open and _mark(self.now.open) in self._told:
            self.now = replace(self.now, open=None)

    def _walk(self, low: int, *, back: bool) -> None:
        """If cards were named since, only what that event brought goes, or comes back."""
        before, after = self._changes.get(low, (self.now, self.now))
        if back and after.begun != before.begun:  # a deal goes with the cards that were named in it
            self._changes[low] = before, self.now
            self.now = before
            return
        if not back:
            before, after = after, before
        points = max(0, self.now.points - after.points + before.points)
        if self.now == after:
            self.now = before
        elif back:
            self.now = replace(
                self.now,
                pile=tuple(laid for laid in self.now.pile if not laid.rev or laid.rev & 0xFFFF != low),
                played=tuple(laid for laid in self.now.played if not laid.rev or laid.rev & 0xFFFF != low),
                counted=tuple(hand for hand in self.now.counted if hand.rev & 0xFFFF != low),
                nibs=self.now.nibs if self.now.nibs & 0xFFFF != low else 0,
                open=self.now.open if self.now.open and self.now.open.rev & 0xFFFF != low else None,
                last=before.last if self.now.last and self.now.last.rev & 0xFFFF == low else self.now.last,
                points=points,
            )
        else:
            brought = [hand for hand in before.counted if hand.rev & 0xFFFF == low]
            self.now = replace(_with(self.now, brought[0]) if brought else self.now, points=points)
            if before.nibs and before.nibs & 0xFFFF == low:
                self.now = replace(self.now, nibs=before.nibs)


def _with(cards: Cards, hand: Counted) -> Cards:
    counted = (*(one for one in cards.counted if not hand.rev or one.rev != hand.rev), hand)
    opened = hand if hand.claim and hand.claim.callable else cards.open
    after = replace(cards, counted=counted, last=hand if hand.cards else cards.last, open=opened)
    return replace(after, pile=(), points=0) if hand.crib else after


def _mark(claimed: Laid | Counted) -> tuple[int, str]:
    return claimed.rev, claimed.key


def _taken(card: int) -> OrderError:
    return OrderError(
        "cards",
        f"the {spoken(card)} has already turned up in this deal",
        "a pack has each card once; look again",
        409,
    )


class Course:
    """A deal as the referee has it after the cards that phones have named: whose turn it is to play or to count.

    Hands are unseen, and phones do not say who says go: whoever must have said it has. A card out of turn is that of
    its side's next player, and when a count starts again too soon, cards were played that nobody named.
    """

    def __init__(self, match: Match, cards: Cards) -> None:
        self._sides = match.sides
        self._deal = core.Deal(len(match.seats), match.seats.index(match.dealer), None, teams_of(match))
        unseen = (card for card in range(PACK_SIZE) if card not in cards.seen)
        self._deal.turn_up(cards.starter if cards.starter >= 0 else next(unseen))
        assert self._deal.game is not None  # noqa: S101 (the starter is up)
        self._game = self._deal.game
        self._sure = True  # which of two partners has played
        for laid in cards.played:
            pips = PIPS[laid.card >> 2]
            if laid.total == pips or self._game.count + pips > LIMIT:
                self._start_again()
            self._lay(laid)
        if not cards.pile:
            self._start_again()

    @property
    def turn(self) -> int:
        """The side to play, -1 when all cards were played."""
        return self._side(self._game.turn) if self._game.turn >= 0 else -1

    def left(self, side: int) -> int:
        """How many cards a side has not played yet."""
        return sum(len(self._game.hands[seat]) for seat in self._seats(side))

    def is_out_of_turn(self, side: int) -> bool:
        """Whether another side is certainly to play, since it cannot say go."""
        if self.turn in (-1, side) or may_say_go(self._game):
            return False
        seats = {one: len(self._seats(one)) for one in self._sides}
        return self._sure or all(self.left(one) > self._deal.sizes.hand * (many - 1) for one, many in seats.items())

    def counts_next(self, done: Iterable[int]) -> tuple[int, bool] | None:
        """The side that counts next, and whether that is the crib; None before all cards were played.

        `done` has the side of each hand that was counted.
        """
        deal, left = self._deal, list(done)
        while deal.phase == core.SHOW and not deal.shows_crib and self._side(deal.turn) in left:
            left.remove(self._side(deal.turn))
            deal.pass_over()
        return (self._side(deal.turn), deal.shows_crib) if deal.phase == core.SHOW else None

    def _lay(self, laid: Laid) -> None:
        game, seats = self._game, [seat for seat in self._seats(laid.side) if self._game.hands[seat]]
        if not seats:
            return
        self._sure &= len(seats) == 1 or (game.turn in seats and game.count + HIGHEST <= LIMIT)
        if any(map(game.may_play, seats)):
            while game.turn not in seats and may_say_go(game):
                self._deal.go(game.turn)
        if game.turn not in seats:
            game.turn = min(seats, key=lambda seat: (seat - game.turn) % game.players)
        self._deal.play(game.turn, laid.card)

    def _start_again(self) -> None:
        """Start the count again; at the limit nobody can play."""
        if self._game.count and self._game.turn >= 0:
            self._game.count = LIMIT
            self._deal.go(self._game.turn)

    def _seats(self, side: int) -> list[int]:
        return [seat for seat in range(self._game.players) if self._side(seat) == side]

    def _side(self, seat: int) -> int:
        return int(self._sides[self._deal.side(seat)])
