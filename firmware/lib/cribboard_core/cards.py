"""Cards and every way in which players write them. The board itself reads none: what it needs is in `pack.py`.

Text may put the rank or the suit first, in either case: `5H 10S`, `H5,S0`, `5h5c5sjd` and `5♥10♠` are all read. Written
out it is `5H`, `TS`.
"""

from __future__ import annotations

from cribboard_core.pack import (
    JACK,
    PACK_SIZE,
    PIPS,
    RANK_SIGNS,
    RANKS,
    SUIT_SIGNS,
    SUITS,
    CardError,
    card_name,
    cards_text,
    check_cards,
    quote,
)

__all__ = (
    "JACK",
    "PACK_SIZE",
    "PIPS",
    "RANKS",
    "SUITS",
    "CardError",
    "card_name",
    "cards_text",
    "check_cards",
    "parse_card",
    "parse_cards",
    "pips",
    "quote",
    "rank_of",
    "suit_of",
)

TEXT_LIMIT = 400  # a whole pack in the longest notation stays below it

_SUIT_SIGNS = SUIT_SIGNS + "♣♦♥♠♧♢♡♤"
_NAMES = "".join([rank + suit for rank in RANKS for suit in SUITS])


def rank_of(card: int) -> int:
    """0..12 for A..K."""
    return card >> 2


def suit_of(card: int) -> int:
    """0..3 for clubs, diamonds, hearts, spades."""
    return card & 3


def pips(card: int) -> int:
    """What the card counts: 1 for an ace, 10 for a ten and the court cards."""
    return PIPS[card >> 2]


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
            index = _NAMES.find(word[at : at + 2])
            if index >= 0 and not index & 1:
                cards.append(index >> 1)
                start = at = at + 2
                continue
        sign = word[at]
        width = 2 if sign == "1" and word[at + 1 : at + 2] == "0" else 1
        if width == 2 or sign == "0":
            sign = "T"
        index = RANK_SIGNS.find(sign) if rank < 0 else -1
        if index >= 0:
            rank = index % 13
        else:
            index = _SUIT_SIGNS.find(sign) if suit < 0 else -1
            if index < 0:
                raise CardError(_not_a_card(word[start:]))
            suit = index % 4
        at += width
        if rank >= 0 and suit >= 0:
            cards.append(rank * 4 + suit)
            rank = suit = -1
            start = at
    if start < at:
        raise CardError(_not_a_card(word[start:]))


def _not_a_card(text: str) -> str:
    return f"{quote(text)} is not a card; write a rank A 2-9 T J Q K and a suit C D H S, like 5H"
