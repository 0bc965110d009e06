"""Cards, each a small int: rank * 4 + suit, rank 0..12 for A..K, suit 0..3 for clubs, diamonds, hearts, spades.

Here is what a board needs of them. `cards.py` has the rest, for hosts: above all, it reads what players write.
"""

from __future__ import annotations

RANKS = "A23456789TJQK"
SUITS = "CDHS"
PACK_SIZE = 52

JACK = 10
PIPS = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10)  # by rank

# Looked up rather than upper(): other alphabets have letters whose capital is a plain S or K.
RANK_SIGNS = RANKS + "a23456789tjqk"
SUIT_SIGNS = SUITS + "cdhs"
_NUMBERS = ("no", "one", "two", "three", "four", "five", "six")


class CardError(ValueError):
    """Text or numbers that are not the cards they should be; the message names the offending card."""


def card_name(card: int) -> str:
    """The canonical name, like 5H or TS."""
    return RANKS[card >> 2] + SUITS[card & 3]


def cards_text(cards: list[int] | tuple[int, ...]) -> str:
    """Canonical names with blanks between them."""
    return " ".join([card_name(card) for card in cards])


def named(text: str) -> list[int]:
    """The cards of names in a row as the wire has them, like 5H5C5SJD; 10 is T, blanks and commas are passed over."""
    signs = text.replace(" ", "").replace(",", "").replace("10", "T")
    cards = []
    for at in range(0, len(signs), 2):
        rank, suit = RANK_SIGNS.find(signs[at]), SUIT_SIGNS.find(signs[at + 1 : at + 2] or "?")
        if rank < 0 or suit < 0:
            raise CardError(f"{quote(text)} is not a row of cards like 5H5C5SJD")
        cards.append(rank % 13 * 4 + suit % 4)
    check_cards(cards)
    return cards


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
        held = f"only {cards_text(cards)}" if number else "no cards"
        if number > max(sizes):
            held = f"{number} cards, {card_name(cards[max(sizes)])} is one too many"
        raise CardError(f"the {what} has {held}; a {what.split()[0]} is {_wanted(number, sizes)}")


def _wanted(number: int, sizes: tuple[int, ...]) -> str:
    """`four different cards`: of the numbers allowed the one that is there, or else all of them."""
    if number in sizes:
        sizes = (number,)
    words = " or ".join([_NUMBERS[size] if size < len(_NUMBERS) else str(size) for size in sizes])
    return words + (" card" if sizes == (1,) else " different cards") if sizes else "made of different cards"


def quote(value: object) -> str:
    """The value for a message, cut short, since nonsense can be long."""
    text = repr(value)
    return text if len(text) <= 40 else text[:37] + "..."
