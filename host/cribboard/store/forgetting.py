"""Removes the names of an erased player from texts."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator

from cribboard.names import MOST_CHARACTERS, key
from cribboard.store.people import GUEST


def forgetter(gone: Collection[str], stay: Collection[str]) -> Callable[[str], str]:
    """Replaces the names `gone` by a guest, however they are written, but not inside names that `stay`.

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
    """The possible ends of words or names that start here, the longest first."""
    if text[begin].isspace() or (begin and _is_word(text[begin - 1])):
        return
    for end in range(min(len(text), begin + MOST_CHARACTERS), begin, -1):
        if end == len(text) or not _is_word(text[end]):
            yield end


def _is_word(char: str) -> bool:
    return char.isalnum() or char == "_"
