"""The lines of a settings.toml, which belongs to the maker: only the values that have to change are changed in it."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass

_VALUE = r'"""(?:[^\\]|\\.)*?"""|\'\'\'.*?\'\'\'|"(?:[^"\\\n]|\\.)*"|\'[^\'\n]*\'|[^#\n]*?'
_ENTRY = re.compile(
    rf"(?:(?P<before>\ufeff?[ \t]*(?P<key>[A-Za-z0-9_]+)[ \t]*=[ \t]*)(?P<value>{_VALUE})(?P<after>[ \t]*(?:#[^\n]*)?)"
    r"(?=\n)|[^\n]*)\n",
    re.DOTALL,
)

ADDED = "# Added by the installer:"
MOST_SAID = 80
HIDDEN = "WIFI_"  # keys whose values are shown to nobody


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
    entries: list[Entry] = []
    for match in _ENTRY.finditer(text):
        if match[0].lstrip().startswith("["):
            return entries, text[match.start() : -1].split("\n")
        parts = (match[part] or "" for part in ("key", "value", "before", "after"))
        entries.append(Entry(match[0][:-1], *parts))
    return entries, []


def values(text: str) -> dict[str, str]:
    """The value of each key, as it is written."""
    return {entry.key: entry.value for entry in settings(text)[0] if entry.key}


@dataclass(frozen=True)
class Difference:
    """A key whose value on the drive is not the wanted one."""

    key: str
    own: str
    wanted: str

    @property
    def had(self) -> str:
        """What the drive has, in one line of no great length."""
        line = "..." if self.key.startswith(HIDDEN) else " ".join(self.own.split("\n"))
        return f"{self.key} = {line if len(line) <= MOST_SAID else line[:MOST_SAID] + ' ...'}"


def differences(own: str, wanted: str) -> list[Difference]:
    """The keys that both have, with other values."""
    theirs = values(own)
    return [
        Difference(key, theirs[key], value)
        for key, value in values(wanted).items()
        if key in theirs and theirs[key] != value
    ]


def merged(own: str, wanted: str, overruled: Collection[str] = ()) -> str:
    """The maker's text with the keys that it lacks, and with the wanted values of the keys that are overruled.

    Lines that need not change stay as they are, comments, order and line ends included.
    """
    new = values(wanted)
    top, rest = settings(own)
    lines = [
        entry.given(new[entry.key])
        if entry.key in overruled and new.get(entry.key, entry.value) != entry.value
        else entry.text
        for entry in top
    ]
    missing = [f"{key} = {value}" for key, value in new.items() if key not in values(own)]
    if missing:
        lines += ["", ADDED, *missing]
    end = "\r\n" if "\r\n" in own else "\n"
    return "\n".join([*lines, *rest, ""]).replace("\n", end)


def without(own: str, wanted: str) -> str:
    """What of the maker's text is not the project's: other keys, and comments that are not in the project's file."""
    shipped = {"", ADDED, *(line.strip() for line in wanted.splitlines())}
    top, rest = settings(own.removeprefix(MARK))
    kept = [entry.text for entry in top if entry.key not in values(wanted) and entry.text.strip() not in shipped]
    return "\n".join([*kept, *rest, ""]) if kept or rest else ""
