"""One deal from the cards dealt to the crib counted, as a state machine that does only what the rules allow.

Nothing here shuffles or keeps score: the pack is handed in, and every act returns the scores that it makes as events
(seat, kind, points, detail), in the order in which they count. Who reaches the target with one of them has won and the
rest is void; that is for the referee, who holds the pegs.

Without a pack the cards are the table's own: the hands are unseen until they are played, the starter is named, and the
crib is entered when it is shown.

kind     points                 detail
nibs     2, to the dealer       the starter
play     of the card            (the card, its parts)
go       1                      the card played last; "last" instead of "go" when it was the last card of all
hand     of the hand, maybe 0   the Show
crib     of the crib, maybe 0   the Show
"""

from __future__ import annotations

from cribboard_core.cards import JACK, PACK_SIZE, card_name, cards_text, check_cards
from cribboard_core.pile import PlayError
from cribboard_core.play import NOBODY, UNSEEN, Play
from cribboard_core.show import HAND_SIZES, count
from cribboard_core.sizes import FIVE_CARD_SIZES, deal_sizes, side_count, side_of_seat

DISCARD, CUT, PLAY, SHOW, OVER = "discard", "cut", "play", "show", "over"

_NEXT = {
    DISCARD: "the discards come first",
    CUT: "the pack is cut for the starter next",
    PLAY: "the play is on",
    SHOW: "the hands are shown next",
    OVER: "the deal is over",
}


class DealError(ValueError):
    """An act that the rules do not allow now, or not at all; the message names the rule."""


def first_dealer(cuts: list[int]) -> int:
    """The seat that deals first, one card cut by each: the lowest rank deals, -1 says that a tie cuts again."""
    check_cards(cuts, "cut for deal", (deal_sizes(len(cuts)).players,))
    ranks = [card >> 2 for card in cuts]
    lowest = min(ranks)
    return NOBODY if ranks.count(lowest) > 1 else ranks.index(lowest)


class Deal:
    """The deal of a pack (None: unseen) to 2 to 6 players, seats 0 to players - 1 clockwise, `teams` 0 for singles.

    `five_card`: two keep three cards each, and unseen ones that were not played are named before their hand is shown.
    `phase` is one of discard, cut, play, show, over; `hands` the cards of each seat, after its discard those it keeps;
    `kept` the hands as they will be shown, once all have discarded; `crib` the cards laid away; `pack` those that are
    not dealt; `starter` the card turned up or -1; `game` the Play once it is on.
    """

    def __init__(
        self, players: int, dealer: int, pack: list[int] | None, teams: int = 0, five_card: bool = False
    ) -> None:
        self.sizes = deal_sizes(players, five_card)
        self._five_card = five_card
        self.sides = side_count(players, teams)
        self.unseen = pack is None
        if pack is not None:
            check_cards(pack, "pack", (PACK_SIZE,))
        if type(dealer) is not int or not 0 <= dealer < players:
            raise DealError(f"there is no dealer {dealer!r}; the seats are 0 to {players - 1}")
        self.players = players
        self.dealer = dealer
        self.phase = DISCARD
        self.starter = -1
        self.game: Play | None = None
        self.kept: list[list[int]] = []
        self._shown = 0
        self.pack = list(pack or [])
        self.crib: list[int] = []
        if self.unseen:
            # Nobody names what is laid away, so for the board such a deal begins with the cut.
            self.hands = [[UNSEEN] * self.sizes.hand for _ in range(players)]
            self.phase = CUT
        else:
            self.hands = self._deal()
            self.crib += [self.pack.pop(0) for _ in range(self.sizes.from_pack)]

    @property
    def next_dealer(self) -> int:
        """The deal passes clockwise."""
        return (self.dealer + 1) % self.players

    @property
    def turn(self) -> int:
        """The seat to play or to show, -1 while all discard, at the cut and at the end; the crib is the dealer's."""
        if self.phase == PLAY and self.game:
            return self.game.turn
        if self.phase == SHOW:
            # The dealer shows last, and then the crib, which is the dealer's too: so it has no seat of its own here.
            return self._clockwise()[min(self._shown, self.players - 1)]
        return NOBODY

    def side(self, seat: int) -> int:
        """The side, counted from 0, that scores for a seat."""
        return side_of_seat(seat, self.sides)

    def to_discard(self, seat: int) -> int:
        """How many cards a seat has still to lay away."""
        self._check_seat(seat)
        return len(self.hands[seat]) - self.sizes.hand

    def discard(self, seat: int, cards: list[int]) -> list[tuple[int, str, int, object]]:
        """Lay the cards of a seat away to the crib, in any order of seats; discarding scores nothing."""
        self._check_phase(DISCARD)
        due = self.to_discard(seat)
        if not due:
            raise DealError(f"seat {seat} has nothing to discard; {self._rule(seat)}")
        check_cards(cards, f"discard of seat {seat}", (due,))
        for card in cards:
            if card not in self.hands[seat]:
                raise DealError(
                    f"seat {seat} does not hold {card_name(card)}; the hand is {cards_text(self.hands[seat])}"
                )
        self.hands[seat] = [card for card in self.hands[seat] if card not in cards]
        self.crib += cards
        if len(self.crib) == self.sizes.crib:
            self.phase = CUT
        return []

    def cut(self, at: int = 0) -> list[tuple[int, str, int, object]]:
        """Turn up the card that lies under `at` cards of the pack; a jack gives the dealer nibs."""
        self._check_phase(CUT)
        if self.unseen:
            raise DealError("the pack is the table's own; turn a card up and name it")
        if type(at) is not int or not 0 <= at < len(self.pack):
            raise DealError(f"the pack cannot be cut at {at!r}; {len(self.pack)} cards are left, so 0 to one less")
        return self._start(self.pack[at])

    def turn_up(self, card: int) -> list[tuple[int, str, int, object]]:
        """Take this card, which the table has turned up, as the starter; a jack gives the dealer nibs."""
        self._check_phase(CUT)
        check_cards((card,), "starter")
        if not self.unseen and card not in self.pack:
            raise DealError(f"{card_name(card)} is not in the pack any more; it has been dealt")
        return self._start(card)

    def _start(self, starter: int) -> list[tuple[int, str, int, object]]:
        self.starter = starter
        # A copy of its own: unseen cards get their names here as they are played.
        self.kept = [list(hand) for hand in self.hands]
        self.game = Play(self.dealer, self.hands, (starter,), self._five_card)
        self.phase = PLAY
        return [(self.dealer, "nibs", 2, starter)] if starter >> 2 == JACK else []

    def play(self, seat: int, card: int) -> list[tuple[int, str, int, object]]:
        """Lay down a card."""
        self._check_phase(PLAY)
        assert self.game is not None  # noqa: S101 (the phase says so)
        try:
            _, points, bonus, reset = self.game.play(seat, card)
        except PlayError as error:
            raise DealError(str(error))
        self._name(seat, card)
        events: list[tuple[int, str, int, object]] = []
        if points:
            events.append((seat, "play", points, (card, self.game.parts)))
        if bonus:
            events.append((seat, "go" if reset else "last", bonus, card))
        if self.game.turn == NOBODY:
            self.phase = SHOW
        return events

    def go(self, seat: int) -> list[tuple[int, str, int, object]]:
        """Say go for a hand that is unseen; the others say it by themselves."""
        self._check_phase(PLAY)
        assert self.game is not None  # noqa: S101 (the phase says so)
        try:
            last = self.game.go(seat)
        except PlayError as error:
            raise DealError(str(error))
        if self.game.turn == NOBODY:
            self.phase = SHOW
        return [(last, "go", 1, self.game.rows[-1][1])] if last != NOBODY else []

    def leave_out(self, seat: int, card: int) -> list[tuple[int, str, int, object]]:
        """Take a card that nobody may play any more out of the play; it stays in the hand that is shown."""
        self._check_phase(PLAY)
        assert self.game is not None  # noqa: S101 (the phase says so)
        try:
            last = self.game.leave_out(seat, card)
        except PlayError as error:
            raise DealError(str(error))
        self._name(seat, card)
        if self.game.turn == NOBODY:
            self.phase = SHOW
        kind = "go" if self.game.turn != NOBODY else "last"
        return [(last, kind, 1, self.game.rows[-1][1])] if last != NOBODY else []

    def _name(self, seat: int, card: int) -> None:
        """Note a card of a hand that was unseen."""
        if UNSEEN in self.kept[seat]:
            self.kept[seat][self.kept[seat].index(UNSEEN)] = card

    def end_play(self) -> None:
        """End the play although cards are left: a hand is dead, and the others have laid theirs."""
        self._check_phase(PLAY)
        assert self.game is not None  # noqa: S101 (the phase says so)
        self.game.turn = NOBODY
        self.phase = SHOW

    def pass_over(self) -> None:
        """Count nothing for what is shown next: it is dead."""
        self._check_phase(SHOW)
        if self.shows_crib:
            self.phase = OVER
        self._shown += 1

    def has_shown(self, seat: int) -> bool:
        """Whether a hand has been shown."""
        return seat in self._clockwise()[: self._shown]

    def lay_open(self, cards: list[int]) -> None:
        """Name the cards of a crib that was unseen, before it is shown."""
        self._check_phase(SHOW)
        if self.crib:
            raise DealError(f"the crib is known: {cards_text(self.crib)}")
        check_cards(cards, "crib", (self.sizes.crib,))
        self._check_unseen(cards)
        self.crib = list(cards)

    @property
    def not_named(self) -> int:
        """How many cards of the next hand are unseen."""
        return self.kept[self.turn].count(UNSEEN) if self.phase == SHOW and not self.shows_crib else 0

    def name_rest(self, cards: list[int]) -> None:
        """Name the cards that `not_named` counts; the play's `reneges` get those that were held at a go."""
        self._check_phase(SHOW)
        assert self.game is not None  # noqa: S101 (the phase says so)
        number = self.not_named
        if not number:
            raise DealError("what is shown next is known")
        check_cards(cards, "rest", (number,))
        self._check_unseen(cards)
        seat = self.turn
        self.kept[seat] = [card for card in self.kept[seat] if card != UNSEEN] + list(cards)
        for card in cards:
            self.game.look_back(seat, card)

    def _check_unseen(self, cards: list[int]) -> None:
        for seat in range(self.players):
            for card in cards:
                if card in self.kept[seat] or card == self.starter:
                    where = "the starter" if card == self.starter else f"in the hand of seat {seat}"
                    raise DealError(f"{card_name(card)} is {where}; a pack has each card once")

    @property
    def shows_crib(self) -> bool:
        """Whether the crib is what is shown next."""
        return self.phase == SHOW and self._shown == self.players

    def show(self) -> list[tuple[int, str, int, object]]:
        """Count what is next: the hands from the player after the dealer round to the dealer, then the crib."""
        self._check_phase(SHOW)
        seat = self.turn
        crib = self.shows_crib
        if crib and not self.crib:
            raise DealError("the crib has not been turned over; name its cards first")
        if self.not_named:
            raise DealError(f"name the rest of seat {seat}'s hand first")
        sizes = FIVE_CARD_SIZES if self._five_card else HAND_SIZES
        shown = count(self.crib if crib else self.kept[seat], self.starter, crib, sizes)
        self._shown += 1
        if crib:
            self.phase = OVER
        return [(seat, "crib" if crib else "hand", shown.points, shown)]

    def _deal(self) -> list[list[int]]:
        """One card at a time clockwise from the dealer's left, until each has his number."""
        hands: list[list[int]] = [[] for _ in range(self.players)]
        for number in range(self.sizes.dealt):
            for seat in self._clockwise():
                if number < (self.sizes.dealer_dealt if seat == self.dealer else self.sizes.dealt):
                    hands[seat].append(self.pack.pop(0))
        return hands

    def _clockwise(self) -> list[int]:
        return [(self.dealer + 1 + step) % self.players for step in range(self.players)]

    def _rule(self, seat: int) -> str:
        number = self.sizes.dealer_to_crib if seat == self.dealer else self.sizes.to_crib
        return f"with {self.players} players it gives {number} to the crib"

    def _check_phase(self, phase: str) -> None:
        if self.phase != phase:
            raise DealError(f"this is not the time for the {phase}: {_NEXT[self.phase]}")

    def _check_seat(self, seat: int) -> None:
        if type(seat) is not int or not 0 <= seat < self.players:
            raise DealError(f"there is no seat {seat!r}; the seats are 0 to {self.players - 1}")
