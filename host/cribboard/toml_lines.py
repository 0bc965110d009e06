"""The lines of a settings.toml, taken apart so that a value can be changed and everything else stays as it is."""

from __future__ import annotations

import re
from dataclasses import dataclass

_VALUE = r'"""(?:[^\\]|\\.)*?"""|\'\'\'.*?\'\'\'|"(?:[^"\\\n]|\\.)*"|\'[^\'\n]*\'|[^#\n]*?'
_ENTRY = re.compile(
    rf"(?:(?P<before>\ufeff?[ \t]*(?P<key>[A-Za-z0-9_]+)[ \t]*=[ \t]*)(?P<value>{_VALUE})(?P<after>[ \t]*(?:#[^\n]*)?)"
    r"(?=\n)|[^\n]*)\n",
    re.DOTALL,
)


@dataclass(frozen=True)
class Entry:
    """A line, or the lines of a string that goes over several; `key` is empty when it sets nothing."""

    text: str
    key: str
    value: str
    before: str
    after: str

    def given(self, value: str) -> str:
        """Its text with another value."""
        return f"{self.before.removeprefix(MARK)}{value}{self.after}"


MARK = "\ufeff"  # some editors begin a file with it


def settings(text: str) -> tuple[list[Entry], list[str]]:
    """What stands above the first [section], and the lines from there on; line ends are "\\n"."""
    text = text.replace("\r\n", "\n")
    text += "\n" if text and not text.endswith("\n") else ""
    found: list[Entry] = []
    for match in _ENTRY.finditer(text):
        if match[0].lstrip().startswith("["):
            return found, text[match.start() : -1].split("\n")
        parts = (match[part] or "" for part in ("key", "value", "before", "after"))
        found.append(Entry(match[0][:-1], *parts))
    return found, []


def values(text: str) -> dict[str, str]:
    """The value of each key, as it is written."""
    return {entry.key: entry.value for entry in settings(text)[0] if entry.key}
