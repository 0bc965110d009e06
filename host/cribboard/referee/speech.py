"""Cards in sentences: as words, for listening, or as codes, for reading with eyes or fingers."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from cribboard.referee.state import RANK_WORDS, SUIT_WORDS, listed
from cribboard_core.cards import card_name, parse_cards

Rendered = Callable[[str, Iterable[str]], str]

_CODE = r"(?:10|[2-9AJQKT])[CDHS]"
_SPOKEN = rf"(?P<rank>{'|'.join(RANK_WORDS)}) of (?P<suit>{'|'.join(SUIT_WORDS)})"


def in_words(text: str, names: Iterable[str]) -> str:
    """The sentence with `the ten of diamonds` for TD, and with commas between several; names and quotes stay."""

    def say(found: re.Match[str]) -> str:
        if not found["cards"]:
            return found[0]
        said = listed(parse_cards(found["cards"]))
        return said if " " in found["cards"] else f"the {said}"

    return re.sub(rf"{_kept(names)}|\b(?P<cards>{_CODE}(?: {_CODE})*)\b", say, text)


def in_codes(text: str, names: Iterable[str]) -> str:
    """The sentence with 5H for `five of hearts`, as it is typed; names and quotes stay."""

    def say(found: re.Match[str]) -> str:
        if not found["rank"]:
            return found[0]
        return card_name(4 * RANK_WORDS.index(found["rank"]) + SUIT_WORDS.index(found["suit"]))

    return re.sub(rf"{_kept(names)}|\b(?:the )?{_SPOKEN}\b", say, text)


def _kept(names: Iterable[str]) -> str:
    """What matches a name, what somebody has typed, or an example of what to type."""
    longest = sorted(names, key=len, reverse=True)
    return "|".join([r"'[^']*'", r"\blike [^;,.]*", *[rf"(?<!\w){re.escape(name)}(?!\w)" for name in longest]])
