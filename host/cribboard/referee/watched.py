"""The known cards of a deal at a table that only watches, and its corrected scores."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from cribboard.referee.claims import made, part_name
from cribboard_core.aloud import number_word
from cribboard_core.cards import PIPS
from cribboard_core.pile import LIMIT, pile_points

AVERAGE = 13  # points of a player in a deal: for two, hands of 8.0 and 8.1, a crib of 4.7, and 5 in the play
LATE = "late+"  # begins the key of a hand that nobody has claimed in time


@dataclass(frozen=True)
class Claim:
    """Points that a player has said; those that were `missed`, and whether an opponent may call them."""

    points: int
    missed: int = 0
    callable: bool = False


@dataclass(frozen=True)
class PlayedCard:
    """A card of the play: its side, its points and their words, their event's rev (0: none), the count after it.

    `key` is that of the order; `at` is the rev of the newest event when it was laid or claimed. `made` is what its
    player says that it makes.
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
    made: str = ""


@dataclass(frozen=True)
class Counted:
    """A counted hand or crib; without cards if it was not counted through the service.

    `rev` is that of its event, 0 for a claim of nothing; `key` is that of the order, if there was a claim.
    `at` is the rev of the newest event when it was claimed. `right` are its points if they were corrected, else -1.
    """

    rev: int
    side: int
    crib: bool
    cards: tuple[int, ...] = ()
    starter: int = -1
    key: str = ""
    claim: Claim | None = None
    at: int = 0
    right: int = -1

    @property
    def late(self) -> bool:
        """Whether nobody has claimed it in time."""
        return self.key.startswith(LATE)


Item = PlayedCard | Counted


@dataclass(frozen=True)
class Correction:
    """Other points for a line: the event `rev`, with its kind, side and b, what it `was`, and who said so.

    Each of those is a phone with the side that it plays for, -1 for none.
    """

    rev: int
    kind: str
    side: int
    b: int
    was: int
    points: int
    who: tuple[tuple[str, int], ...]


@dataclass(frozen=True)
class Cards:
    """The known cards of one deal."""

    starter: int = -1
    pile: tuple[PlayedCard, ...] = ()  # of the count that is on
    played: tuple[PlayedCard, ...] = ()  # of the deal
    counted: tuple[Counted, ...] = ()
    nibs: int = 0  # the rev of their pegging
    begun: int = 0  # the rev since which they lie there
    last: Counted | None = None  # the newest of the game whose cards are known
    points: int = 0  # pegged since the deal passed or its crib was counted
    open: Item | None = None  # what was claimed last, while it can be called
    before: tuple[Item, ...] = ()  # what was claimed in the deal before, or until the cards were cleared
    pegged: tuple[int, ...] = ()  # the sides that have pegged points since the last card of the play

    @property
    def running(self) -> int:
        """The running count."""
        return sum(PIPS[laid.card >> 2] for laid in self.pile)

    @property
    def up(self) -> set[int]:
        """The starter and the cards played: none can lie there twice."""
        return {self.starter, *(laid.card for laid in self.played)}

    @property
    def seen(self) -> list[int]:
        """The known cards, each once: starter, cards played, hands counted."""
        known = [laid.card for laid in self.played] + [card for hand in self.counted for card in hand.cards]
        return list(dict.fromkeys(([self.starter] if self.starter >= 0 else []) + known))

    def moved(self, rev: int) -> Cards:
        """The same on a board to which the event `rev` has brought all that was pegged for them."""

        def played(one: PlayedCard) -> PlayedCard:
            return replace(one, rev=rev if one.rev else 0, at=rev if one.at else 0)

        def counted(one: Counted) -> Counted:  # of one without cards they can't be learned any more
            return replace(one, rev=rev if one.rev and one.cards else 0, at=rev if one.at else 0)

        def either(one: Item) -> Item:
            return played(one) if isinstance(one, PlayedCard) else counted(one)

        return replace(
            self,
            pile=tuple(map(played, self.pile)),
            played=tuple(map(played, self.played)),
            counted=tuple(map(counted, self.counted)),
            nibs=rev if self.nibs else 0,
            begun=rev,
            last=counted(self.last) if self.last else None,
            open=either(self.open) if self.open else None,
            before=tuple(map(either, self.before)),
        )

    @property
    def claimed(self) -> list[Item]:
        """What players have claimed in this deal."""
        known: list[Item] = [*self.played, *self.counted]
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

    def top(self) -> tuple[PlayedCard, ...]:
        """The pile on which the next card lies: none at the limit."""
        return () if self.running == LIMIT else self.pile

    def with_played(self, laid: PlayedCard) -> Cards:
        """With this card on the pile; nothing else can be called then."""
        opened = laid if laid.claim and laid.claim.callable else None
        return replace(self, pile=(*self.top(), laid), played=(*self.played, laid), open=opened, pegged=())

    def with_hand(self, hand: Counted) -> Cards:
        """With this hand, in the place of what was known of it."""
        counted = (*(one for one in self.counted if not hand.rev or one.rev != hand.rev), hand)
        opened = hand if hand.claim and hand.claim.callable else self.open
        after = replace(self, counted=counted, last=hand if hand.cards else self.last, open=opened)
        return replace(after, pile=(), points=0) if hand.crib else after

    def corrected(self, rev: int, points: int) -> Cards:
        """With these points for what the event `rev` pegged; nothing of it can be called any more."""

        def played(one: PlayedCard) -> PlayedCard:
            return replace(one, points=points, claim=one.claim and Claim(points)) if one.rev == rev else one

        def counted(one: Counted) -> Counted:
            return replace(one, right=points, claim=one.claim and Claim(points)) if one.rev == rev else one

        return replace(
            self,
            pile=tuple(map(played, self.pile)),
            played=tuple(map(played, self.played)),
            counted=tuple(map(counted, self.counted)),
            last=counted(self.last) if self.last else None,
            open=self.open if self.open and self.open.rev != rev else None,
            before=tuple(played(one) if isinstance(one, PlayedCard) else counted(one) for one in self.before),
        )

    def without(self, low: int) -> Cards:
        """Without what the event brought whose rev has this low half; what lay there before is not known any more."""

        def stays(one: Item) -> bool:
            return not one.rev or one.rev & 0xFFFF != low

        return replace(
            self,
            pile=tuple(filter(stays, self.pile)),
            played=tuple(filter(stays, self.played)),
            counted=tuple(filter(stays, self.counted)),
            nibs=self.nibs if self.nibs & 0xFFFF != low else 0,
            open=self.open if self.open and stays(self.open) else None,
            last=self.last if self.last and stays(self.last) else None,
        )


def made_by(pile: Sequence[int], card: int) -> tuple[int, str, int, str]:
    """The points of a card on such a pile, part by part in words, the count after it, and what its player says.

    None beyond the limit.
    """
    cards = [*pile, card]
    total = sum(PIPS[one >> 2] for one in cards)
    if total > LIMIT or card in pile:  # redo may bring a card back under others that were laid since
        return 0, "", total, made(total)
    points, parts = pile_points(cards)
    return (
        points,
        ", ".join(f"{part_name(kind, len(some))} for {number_word(each)}" for kind, each, some in parts),
        total,
        made(total, [(kind, len(some)) for kind, _, some in parts], points),
    )
