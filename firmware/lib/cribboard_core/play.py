"""The play: what each card laid down pegs, whose turn it is, and when the count starts again.

Everybody who can play must, so hands that are known decide alone who is next: a player without such a card says go and
is passed over. That also tells at once whether a card is the last of its count, so its point for go or last card is
paid with it. At a table where nobody shows the hands they are made of UNSEEN cards: such a seat may play any card that
has not been seen elsewhere, and has to say `go` itself. What it lays down later tells whether that was right.
"""

from __future__ import annotations

from cribboard_core.cards import PIPS, card_name, cards_text, check_cards, parse_card, parse_cards, quote
from cribboard_core.pile import LIMIT, PlayError, pile_points
from cribboard_core.sizes import deal_sizes

NOBODY = -1
UNSEEN = -1  # a card in a hand that only its player knows
HIGHEST = 10  # what a card counts at most


class Play:
    """The play of one deal, seats 0 to players - 1 clockwise; `out` are cards known to be in no hand.

    In five-card cribbage the play is over when nobody can play on, even if cards are left.

    `turn` is the seat to play, -1 when all cards are out; `count` and `pile` are the current count and its cards;
    `hands` what each seat still holds; `pegged` the points of each seat; `rows` a (seat, card, count, points, bonus,
    reset) for each card played, `parts` the parts of the last card's points; `passed` the seats that the last act made
    say go because none of their cards fits; `reneges` a (seat, card, count) for each card that was held at a go
    at this count, although it fitted.
    """

    def __init__(self, dealer: int, hands: list[list[int]], out: tuple[int, ...] = (), five_card: bool = False) -> None:
        self.players = len(hands)
        _check_hands(hands, deal_sizes(len(hands), five_card).hand)
        if type(dealer) is not int or not 0 <= dealer < self.players:
            raise PlayError(f"there is no dealer {dealer!r}; the seats are 0 to {self.players - 1}")
        self.dealer = dealer
        self.hands = [list(hand) for hand in hands]
        self.count = 0
        self.pile: list[int] = []
        self.parts: list[tuple[str, int, tuple[int, ...]]] = []
        self.rows: list[tuple[int, int, int, int, int, int]] = []
        self.pegged = [0] * self.players
        self.passed: list[int] = []
        self.reneges: list[tuple[int, int, int]] = []
        self.turn = (dealer + 1) % self.players
        self._gone = [False] * self.players
        self._gos: list[list[int]] = []  # [seat, count, room that its cards leave] of each go said with unseen cards
        self._out = out
        self._five_card = five_card

    def legal(self, seat: int) -> list[int]:
        """The known cards of a seat that the count has room for, whether it is its turn or not."""
        return [card for card in self.hands[seat] if card != UNSEEN and self.count + PIPS[card >> 2] <= LIMIT]

    def may_play(self, seat: int) -> bool:
        """Whether a seat has a card that fits, or may have one that nobody has seen."""
        unknown = UNSEEN in self.hands[seat] and not self._gone[seat] and self.count < LIMIT
        return unknown or len(self.legal(seat)) > 0

    def play(self, seat: int, card: int) -> tuple[int, int, int, int]:
        """Lay down a card and return (count with it, its points, 1 for go or last card, 1 when the count restarts)."""
        self._check(seat, card)
        self.hands[seat].remove(card if card in self.hands[seat] else UNSEEN)
        self.look_back(seat, card)
        self.pile.append(card)
        count = self.count = self.count + PIPS[card >> 2]
        points, self.parts = pile_points(self.pile)
        bonus, reset = self._move_on(seat)
        # 31 has paid its two in `pile_points`: it takes the place of the one for go or the last card.
        if count == LIMIT:
            bonus = 0
        self.pegged[seat] += points + bonus
        self.rows.append((seat, card, count, points, bonus, reset))
        return count, points, bonus, reset

    def go(self, seat: int) -> int:
        """Say go for unseen cards; returns the seat that pegs one for it, -1 while somebody may still play."""
        self._check_turn(seat, "say go")
        # At 21 and below any card fits, so here even an unseen hand is known to break the rule.
        if self.count + HIGHEST <= LIMIT:
            raise PlayError(f"seat {seat} cannot say go at {self.count}; every card fits, and who can play must")
        must = self.legal(seat)
        if must:
            raise PlayError(f"seat {seat} cannot say go at {self.count}; who can play must, here {cards_text(must)}")
        self._gone[seat] = True
        # What was held cannot be seen yet: the room that was left is kept, for when its cards are named.
        self._gos.append([seat, self.count, LIMIT - self.count])
        return self._end_turn(seat)

    def leave_out(self, seat: int, card: int) -> int:
        """Take a card that is not played out of a hand; returns the seat that pegs one for it, as `go`."""
        self._check_seat(seat)
        self._check_held(seat, card, "leave out")
        self.hands[seat].remove(card if card in self.hands[seat] else UNSEEN)
        self._out += (card,)
        self.passed = []
        if seat != self.turn or self.may_play(seat):
            return NOBODY
        if self.pile:
            return self._end_turn(seat)
        self._move_on(seat)
        return NOBODY

    def _end_turn(self, seat: int) -> int:
        """Pass the turn on from a seat that plays nothing; returns the seat that pegs one, or -1."""
        last, card, count, points, _, _ = self.rows[-1]
        bonus, reset = self._move_on(seat, last)
        if not bonus:
            return NOBODY
        self.pegged[last] += 1
        self.rows[-1] = (last, card, count, points, bonus, reset)
        return last

    def _move_on(self, seat: int, last: int = NOBODY) -> tuple[int, int]:
        """Pass the turn on from a seat, and start the count again when nobody can play (after `last`, or else it)."""
        self.passed = []
        self.turn = self._next_with_a_card(seat)
        if self.turn != NOBODY:
            return 0, 0
        self.count = 0
        self.pile = []
        self._gone = [False] * self.players
        if self._five_card:
            return 1, 1 if any(self.hands) else 0
        self.turn = self._next_with_a_card(seat if last == NOBODY else last)
        return 1, 1 if self.turn != NOBODY else 0

    def _next_with_a_card(self, after: int) -> int:
        """The next seat clockwise that can play to the count; the one that just played comes last."""
        for step in range(1, self.players + 1):
            seat = (after + step) % self.players
            if self.may_play(seat):
                return seat
            if self.hands[seat] and not self._gone[seat] and self.count < LIMIT and step < self.players:
                self._gone[seat] = True
                self.passed.append(seat)
        return NOBODY

    def look_back(self, seat: int, card: int) -> None:
        """A card that fitted when its seat said go should have been played then."""
        for go in self._gos:
            if go[0] == seat and PIPS[card >> 2] <= go[2]:
                go[2] -= PIPS[card >> 2]
                self.reneges.append((seat, card, go[1]))
                return

    def _check(self, seat: int, card: int) -> None:
        self._check_seat(seat)
        name = self._check_held(seat, card, "play")
        if self.count + PIPS[card >> 2] > LIMIT:
            total = self.count + PIPS[card >> 2]
            raise PlayError(f"{name} would take the count from {self.count} to {total}; it may not pass {LIMIT}")
        self._check_turn(seat, "play " + name)

    def _check_held(self, seat: int, card: int, what: str) -> str:
        check_cards((card,), "play")
        name = card_name(card)
        if self.turn == NOBODY:
            raise PlayError(f"seat {seat} cannot {what} {name}: all cards are out and the play is over")
        if card not in self.hands[seat]:
            if UNSEEN not in self.hands[seat]:
                held = cards_text(self.hands[seat]) or "empty"
                raise PlayError(f"seat {seat} does not hold {name}; the hand is {held}")
            self._check_unseen(card, name)
        return name

    def _check_unseen(self, card: int, name: str) -> None:
        for row in self.rows:
            if row[1] == card:
                raise PlayError(f"{name} was played by seat {row[0]}; a pack has each card once")
        for seat in range(self.players):
            if card in self.hands[seat]:
                raise PlayError(f"{name} is in the hand of seat {seat}; a pack has each card once")
        if card in self._out:
            raise PlayError(f"{name} is the starter or out of play; a pack has each card once")

    def _check_turn(self, seat: int, what: str) -> None:
        self._check_seat(seat)
        if self.turn == NOBODY:
            raise PlayError(f"seat {seat} cannot {what}: all cards are out and the play is over")
        if seat != self.turn:
            must = cards_text(self.legal(self.turn))
            rule = f"who can play must, here one of {must}" if must else "it plays or says go"
            raise PlayError(f"it is seat {self.turn}'s turn, not seat {seat}'s; turns go clockwise and {rule}")

    def _check_seat(self, seat: int) -> None:
        if type(seat) is not int or not 0 <= seat < self.players:
            raise PlayError(f"there is no seat {seat!r}; the seats are 0 to {self.players - 1}")


def _check_hands(hands: list[list[int]], size: int) -> None:
    """Refuse hands of a wrong size, and a card that two hands share."""
    holders: dict[int, int] = {}
    for seat, hand in enumerate(hands):
        known = [card for card in hand if card != UNSEEN]
        if len(hand) == len(known) or len(hand) == size:
            check_cards(known, f"hand of seat {seat}", (size,) if len(hand) == len(known) else ())
        else:
            raise PlayError(f"the hand of seat {seat} has {len(hand)} cards; with {len(hands)} players it has {size}")
        for card in known:
            if card in holders:
                raise PlayError(
                    f"seats {holders[card]} and {seat} both hold {card_name(card)}; a pack has each card once"
                )
            holders[card] = seat


def replay(record: dict[str, object]) -> dict[str, list[list[int | str]] | list[int]]:
    """Count a recorded play: {"players": 2, "dealer": 0, "hands": [["5C", ...], ...], "plays": [[1, "5C"], ...]}.

    Seats count from 0; the plays may stop early. Returns {"plays": [[seat, card, count, points, bonus, reset], ...],
    "pegged": [points of each seat]}. Raises PlayError, CardError or VariantError, all of them ValueError.
    """
    if not isinstance(record, dict):
        raise PlayError("a play is an object with players, dealer, hands and plays")
    for key in ("players", "dealer", "hands", "plays"):
        if key not in record:
            raise PlayError(f"the play lacks {key!r}; it needs players, dealer, hands and plays")
    players, dealer, hands, moves = record["players"], record["dealer"], record["hands"], record["plays"]
    if not isinstance(hands, list) or not isinstance(moves, list):
        raise PlayError("hands is a list of hands like ['5C', ...], plays a list of moves like [1, '5C']")
    if players != len(hands):
        raise PlayError(f"there are {len(hands)} hands for {players!r} players; each player has one")
    play = Play(_number(dealer, "dealer"), [_read_hand(hand) for hand in hands])
    for at, move in enumerate(moves):
        if not isinstance(move, (list, tuple)) or len(move) != 2:
            raise PlayError(f"play {at + 1} is not a seat and a card, like [1, '5C']")
        try:
            play.play(_number(move[0], "seat"), parse_card(move[1]))
        except ValueError as error:
            wrong = f"play {at + 1}: {error}"
        else:
            continue
        raise PlayError(wrong)
    return {"plays": [_named(row) for row in play.rows], "pegged": list(play.pegged)}


def _number(value: object, what: str) -> int:
    if type(value) is not int:
        raise PlayError(f"a {what} is a number from 0, not {quote(value)}")
    return value


def _read_hand(value: object) -> list[int]:
    """A hand as one text or as a list of names."""
    if isinstance(value, str):
        return parse_cards(value)
    if not isinstance(value, (list, tuple)):
        raise PlayError(f"a hand is a list of cards like ['5C', '5D'], not {quote(value)}")
    return [parse_card(name) for name in value]


def _named(row: tuple[int, int, int, int, int, int]) -> list[int | str]:
    seat, card, count, points, bonus, reset = row
    return [seat, card_name(card), count, points, bonus, reset]
