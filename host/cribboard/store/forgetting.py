"""Takes the names of somebody who is erased out of what was said."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator

from cribboard.names import MOST_CHARACTERS, key
from cribboard.store.people import GUEST


def forgetter(gone: Collection[str], stay: Collection[str]) -> Callable[[str], str]:
    """Puts a guest in the place of the names `gone`, however they are written, but not into names that `stay`.

    Both are in the form in which names are compared.
    """

    known = {*gone, *stay}

    def forget(text: str) -> str:
        plain = key(text)
        if not any(name in plain for name in gone):
            return text
        parts, at = [], 0
        while at < len(text):
            end = next((end for end in _ends(text, at) if key(text[at:end]) in known), 0)
            parts.append(GUEST if end and key(text[at:end]) in gone else text[at : end or at + 1])
            at = end or at + 1
        return "".join(parts)

    return forget


def _ends(text: str, begin: int) -> Iterator[int]:
    """Where words or names that begin here may end, the longest first."""
    if text[begin].isspace() or (begin and _is_word(text[begin - 1])):
        return
    for end in range(min(len(text), begin + MOST_CHARACTERS), begin, -1):
        if end == len(text) or not _is_word(text[end]):
            yield end


def _is_word(char: str) -> bool:
    return char.isalnum() or char == "_"
