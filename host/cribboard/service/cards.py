"""The known cards of the current deal as phones name them, checked with words for a page; and whose turn it is."""

from __future__ import annotations

from collections.abc import Iterable

from cribboard.names import teams_of
from cribboard.referee.state import may_say_go
from cribboard.referee.watched import Cards, PlayedCard, made_by
from cribboard.referee.watching import Watching
from cribboard.referee.wording import spoken
from cribboard.service.orders import OrderError
from cribboard_core import deal as core
from cribboard_core.cards import PACK_SIZE, PIPS
from cribboard_core.match import Match
from cribboard_core.pile import LIMIT
from cribboard_core.play import HIGHEST


class Deal(Watching):
    """The cards now; it says what of them phones may name."""

    def play(self, card: int, side: int, key: str = "") -> PlayedCard:
        """What a card of the play would make; raises OrderError when it cannot be played."""
        if card in self.now.seen:
            raise _taken(card)
        points, text, total, says = made_by([laid.card for laid in self.now.top()], card)
        if total > LIMIT:
            raise OrderError(
                "limit", f"the {spoken(card)} would take the count to {total}; it stops at {LIMIT}", "say go first", 409
            )
        return PlayedCard(card, side, points, text, total=total, key=key, made=says)

    def check_starter(self, card: int) -> None:
        """Raise OrderError for a starter that is a card of this deal; -1 is none."""
        if card >= 0 and card in self.now.seen and card != self.now.starter:
            raise _taken(card)

    def check_back(self, card: int) -> None:
        """Raise OrderError for a card that is not the last one, or has pegged."""
        last = self.now.pile[-1] if self.now.pile else None
        if last is None or last.card != card:
            raise OrderError("nothing", f"the {spoken(card)} is not the last card on the pile", "", 409)
        if last.rev:
            raise OrderError("pegged", f"the {spoken(last.card)} has pegged {last.points}", "undo takes it back", 409)


def _taken(card: int) -> OrderError:
    return OrderError(
        "cards",
        f"the {spoken(card)} has already turned up in this deal",
        "a pack has each card once; look again",
        409,
    )


class Turns:
    """A deal as the referee has it after the cards that phones have named: whose turn it is to play or to count.

    Hands are unseen, and phones need not say who says go: whoever must have said it has. A card out of turn is that of
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

    @property
    def after_go(self) -> list[int]:
        """The sides whose turn it is, one after the other, when the one to play says go; empty where it cannot."""
        game = self._game
        if game.turn < 0 or not may_say_go(game):
            return []
        seats = ((game.turn + step) % game.players for step in range(1, game.players))
        return [self._side(seat) for seat in seats if game.may_play(seat)]

    def left(self, side: int) -> int:
        """How many cards a side has not played yet."""
        return sum(len(self._game.hands[seat]) for seat in self._seats(side))

    def is_out_of_turn(self, side: int) -> bool:
        """Whether another side is certainly to play, since it cannot say go."""
        if self.turn in (-1, side) or may_say_go(self._game):
            return False
        return self._sure or all(self.left(one) > self._most_of_partners(one) for one in self._sides)

    def may_be_last(self, side: int) -> bool:
        """Whether the next card of a side may be its player's last one."""
        if self._sure:
            return any(len(self._game.hands[seat]) == 1 for seat in self._seats(side))
        return 0 < self.left(side) <= self._most_of_partners(side) + 1

    def counts_next(self, done: Iterable[int]) -> tuple[int, bool] | None:
        """The side that counts next, and whether that is the crib; None before all cards were played.

        `done` has the side of each hand that was counted.
        """
        deal, left = self._deal, list(done)
        while deal.phase == core.SHOW and not deal.shows_crib and self._side(deal.turn) in left:
            left.remove(self._side(deal.turn))
            deal.pass_over()
        return (self._side(deal.turn), deal.shows_crib) if deal.phase == core.SHOW else None

    def _lay(self, laid: PlayedCard) -> None:
        game, seats = self._game, [seat for seat in self._seats(laid.side) if self._game.hands[seat]]
        if not seats:
            return
        # Phones name a side, and two partners share one: whose card it was is sure only if one of them has cards left,
        # or if it was this side's turn at a count at which nobody can have said go.
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

    def _most_of_partners(self, side: int) -> int:
        """How many cards all players of a side but one hold at most."""
        return self._deal.sizes.hand * (len(self._seats(side)) - 1)

    def _seats(self, side: int) -> list[int]:
        return [seat for seat in range(self._game.players) if self._side(seat) == side]

    def _side(self, seat: int) -> int:
        return int(self._sides[self._deal.side(seat)])
