"""Cards: each a small int, and every way in which players write them.

A card is rank * 4 + suit: rank 0..12 for A..K, suit 0..3 for clubs, diamonds, hearts, spades. Text may put the rank or
the suit first, in either case: `5H 10S`, `H5,S0`, `5h5c5sjd` and `5♥10♠` are all read. Written out it is `5H`, `TS`.
"""

from __future__ import annotations

RANKS = "A23456789TJQK"
SUITS = "CDHS"
PACK_SIZE = 52
TEXT_LIMIT = 400  # a whole pack in the longest notation stays below it

JACK = 10
PIPS = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10)  # by rank

# Looked up rather than upper(): other alphabets have letters whose capital is a plain S or K.
_RANK_SIGNS = RANKS + "a23456789tjqk"
_SUIT_SIGNS = SUITS + "cdhs♣♦♥♠♧♢♡♤"
_NAMES = "".join([rank + suit for rank in RANKS for suit in SUITS])
_NUMBERS = ("no", "one", "two", "three", "four", "five", "six")


class CardError(ValueError):
    """Text or numbers that are not the cards they should be; the message names the offending card."""


def rank_of(card: int) -> int:
    """0..12 for A..K."""
    return card >> 2


def suit_of(card: int) -> int:
    """0..3 for clubs, diamonds, hearts, spades."""
    return card & 3


def pips(card: int) -> int:
    """What the card counts: 1 for an ace, 10 for a ten and the court cards."""
    return PIPS[card >> 2]


def card_name(card: int) -> str:
    """The canonical name, like 5H or TS."""
    return RANKS[card >> 2] + SUITS[card & 3]


def cards_text(cards: list[int] | tuple[int, ...]) -> str:
    """Canonical names with blanks between them."""
    return " ".join([card_name(card) for card in cards])


def parse_card(text: str) -> int:
    """Read exactly one card."""
    cards = parse_cards(text)
    if not cards:
        raise CardError(_not_a_card(text))
    if len(cards) > 1:
        raise CardError(f"{quote(text)} is {len(cards)} cards, {card_name(cards[1])} is one too many; write one card")
    return cards[0]


def parse_cards(text: str, what: str = "hand", sizes: tuple[int, ...] = ()) -> list[int]:
    """Read the cards of a `what` (for messages) in the order written; their number is one of `sizes`, if given."""
    if not isinstance(text, str):
        raise CardError(f"{quote(text)} is not text; write the cards of a {what} like 5H 5C 5S JD")
    if len(text) > TEXT_LIMIT:
        raise CardError(f"{len(text)} characters are too long for a {what}; write at most {TEXT_LIMIT}")
    cards: list[int] = []
    # Phones put a variation selector behind a suit sign to choose its picture, and blanks that do not break.
    for sign, plain in (("\ufe0f", ""), ("\ufe0e", ""), ("\u00a0", " "), (",", " ")):
        text = text.replace(sign, plain)
    for word in text.split():
        _read_word(word, cards)
    check_cards(cards, what, sizes)
    return cards


def _read_word(word: str, cards: list[int]) -> None:
    """Append the cards of a word: each is two signs, one of either sort, so that pairing them is never unclear."""
    rank = suit = -1
    start = at = 0
    while at < len(word):
        if start == at < len(word) - 1:  # as almost always: one canonical name after the other
            found = _NAMES.find(word[at : at + 2])
            if found >= 0 and not found & 1:
                cards.append(found >> 1)
                start = at = at + 2
                continue
        sign = word[at]
        width = 2 if sign == "1" and word[at + 1 : at + 2] == "0" else 1
        if width == 2 or sign == "0":
            sign = "T"
        found = _RANK_SIGNS.find(sign) if rank < 0 else -1
        if found >= 0:
            rank = found % 13
        else:
            found = _SUIT_SIGNS.find(sign) if suit < 0 else -1
            if found < 0:
                raise CardError(_not_a_card(word[start:]))
            suit = found % 4
        at += width
        if rank >= 0 and suit >= 0:
            cards.append(rank * 4 + suit)
            rank = suit = -1
            start = at
    if start < at:
        raise CardError(_not_a_card(word[start:]))


def check_cards(cards: list[int] | tuple[int, ...], what: str = "hand", sizes: tuple[int, ...] = ()) -> None:
    """Refuse anything but different cards in one of the numbers allowed, saying which card is wrong."""
    for card in cards:
        if type(card) is not int or not 0 <= card < PACK_SIZE:
            raise CardError(f"the {what} has {quote(card)}, which is no card; cards are numbered 0 to 51")
    number = len(cards)
    if len(set(cards)) < number:
        twice = next(card for at, card in enumerate(cards) if card in cards[:at])
        raise CardError(f"the {what} has {card_name(twice)} twice; a {what.split()[0]} is {_wanted(number, sizes)}")
    if sizes and number not in sizes:
        found = f"only {cards_text(cards)}" if number else "no cards"
        if number > max(sizes):
            found = f"{number} cards, {card_name(cards[max(sizes)])} is one too many"
        raise CardError(f"the {what} has {found}; a {what.split()[0]} is {_wanted(number, sizes)}")


def _wanted(number: int, sizes: tuple[int, ...]) -> str:
    """`four different cards`: of the numbers allowed the one that is there, or else all of them."""
    if number in sizes:
        sizes = (number,)
    words = " or ".join([_NUMBERS[size] if size < len(_NUMBERS) else str(size) for size in sizes])
    return words + (" card" if sizes == (1,) else " different cards") if sizes else "made of different cards"


def _not_a_card(text: str) -> str:
    return f"{quote(text)} is not a card; write a rank A 2-9 T J Q K and a suit C D H S, like 5H"


def quote(value: object) -> str:
    """The value for a message, cut short, since nonsense can be long."""
    text = repr(value)
    return text if len(text) <= 40 else text[:37] + "..."
