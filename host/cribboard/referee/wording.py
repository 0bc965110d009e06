"""Cards in words and in codes, in sentences and in what somebody types; seats by their names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from cribboard.referee.setup import Setup
from cribboard_core.cards import RANKS, CardError, card_name, parse_card, parse_cards, quote

RANK_WORDS = (
    *("ace", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("jack", "queen", "king"),
)
SUIT_WORDS = ("clubs", "diamonds", "hearts", "spades")


def with_names(text: str, setup: Setup) -> str:
    """A message of the rules, whose seats are called by their names."""
    return re.sub(r"\bseat ([0-5])\b", lambda matched: setup.names[int(matched[1])], text)


def spoken(card: int) -> str:
    """A card in words, like `five of hearts`."""
    return f"{RANK_WORDS[card >> 2]} of {SUIT_WORDS[card & 3]}"


def listed(cards: Sequence[int]) -> str:
    """Cards as they are said, one after the other."""
    return ", ".join(map(spoken, cards))


_CODE = r"(?:10|[2-9AJQKT])[CDHS]"
_SPOKEN = rf"(?P<rank>{'|'.join(RANK_WORDS)}) of (?P<suit>{'|'.join(SUIT_WORDS)})"
_TYPED = rf"(?P<rank>{'|'.join(RANK_WORDS)}|10|[2-9AJQKT])(?: of)? (?P<suit>(?:club|diamond|heart|spade)s?)"


def in_words(text: str, names: Iterable[str]) -> str:
    """The sentence with `the ten of diamonds` for TD, and with commas between several; names and quotes stay."""

    def say(matched: re.Match[str]) -> str:
        if not matched["cards"]:
            return matched[0]
        said = listed(parse_cards(matched["cards"]))
        return said if " " in matched["cards"] else f"the {said}"

    return re.sub(rf"{_kept(names)}|\b(?P<cards>{_CODE}(?: {_CODE})*)\b", say, text)


def in_codes(text: str, names: Iterable[str]) -> str:
    """The sentence with 5H for `five of hearts`, as it is typed; names and quotes stay."""
    return re.sub(rf"{_kept(names)}|\b(?:the )?{_SPOKEN}\b", _as_code, text)


def typed_in_codes(text: str, names: Iterable[str] = ()) -> str:
    """What somebody has typed, with 5H for `Five of hearts`, `5 hearts` or `the five of hearts`; names stay.

    An `and` between two cards is left out.
    """
    codes = re.sub(rf"{_kept(names)}|\b(?:the )?{_TYPED}\b", _as_code, text, flags=re.IGNORECASE)
    return re.sub(rf"\b({_CODE}),? and (?={_CODE}\b)", r"\1 ", codes, flags=re.IGNORECASE)


def rank_of_word(word: str) -> int:
    """0..12 for a rank without a suit, like Q, 10 or queen; -1 for any other word."""
    if word.lower() in RANK_WORDS:
        return RANK_WORDS.index(word.lower())
    return parse_card(f"{word}C") >> 2 if word.upper() in ("10", *RANKS) else -1


def ranks_as_codes(text: str, fitting: Sequence[int] | None) -> str:
    """The text with the only card that fits for each rank alone; raises CardError where none or several fit.

    Nothing is known of the cards where `fitting` is None: there a rank needs its suit. An `and` is left out.
    """
    words = [word for word in text.split() if word.lower() != "and"]
    for at, word in enumerate(words):
        rank = rank_of_word(word)
        if rank < 0:
            continue
        if fitting is None:
            raise CardError(f"{quote(word)} needs its suit, like {RANKS[rank]}H")
        cards = [card for card in fitting if card >> 2 == rank]
        if not cards:
            raise CardError(f"no {RANK_WORDS[rank]} fits here")
        if len(cards) > 1:
            raise CardError(f"{quote(word)} can be {' or '.join(map(card_name, cards))}")
        words[at] = card_name(cards[0])
    return " ".join(words)


def _as_code(matched: re.Match[str]) -> str:
    if not matched["rank"]:
        return matched[0]
    rank, suit = matched["rank"].lower(), matched["suit"].lower().removesuffix("s")
    place = RANK_WORDS.index(rank) if rank in RANK_WORDS else parse_card(f"{rank}C") >> 2
    return card_name(4 * place + SUIT_WORDS.index(f"{suit}s"))


def _kept(names: Iterable[str]) -> str:
    """What matches a name, what somebody has typed, or an example of what to type."""
    longest = sorted(names, key=len, reverse=True)
    return "|".join([r"'[^']*'", r"\blike [^;,.]*", *[rf"(?<!\w){re.escape(name)}(?!\w)" for name in longest]])
