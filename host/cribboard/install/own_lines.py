"""settings.toml on the drive belongs to the maker: only the values that have to change are changed in it."""

from __future__ import annotations

import re
from dataclasses import dataclass

ADDED = "# Added by the installer:"
_SETTING = re.compile(r"\s*([A-Za-z0-9_]+)\s*=\s*(.*)")


@dataclass(frozen=True)
class Difference:
    """A key whose value on the drive is not the wanted one."""

    key: str
    own: str
    wanted: str


def differences(own: str, wanted: str) -> list[Difference]:
    """The keys that both have, with other values."""
    theirs = _values(own)
    return [
        Difference(key, theirs[key], value)
        for key, value in _values(wanted).items()
        if key in theirs and theirs[key] != value
    ]


def merged(own: str, wanted: str, *, replace: bool) -> str:
    """The maker's text with the keys that it lacks; with `replace` the values of all others become the wanted ones.

    Lines that need not change stay as they are, comments, order and line ends included.
    """
    values = _values(wanted)
    end = "\r\n" if "\r\n" in own else "\n"
    lines = own.splitlines()
    top = next((number for number, line in enumerate(lines) if line.lstrip().startswith("[")), len(lines))
    seen = set()
    for number in range(top):
        found = _SETTING.match(lines[number].removeprefix("\ufeff"))
        if found:
            seen.add(found[1])
            if replace and found[1] in values and _value(found[2]) != values[found[1]]:
                comment = found[2][len(_value(found[2])) :]
                lines[number] = f"{found[1]} = {values[found[1]]}{comment}"
    missing = [f"{key} = {value}" for key, value in values.items() if key not in seen]
    if missing:
        lines[top:top] = ["", ADDED, *missing]
    return end.join(lines) + end


def without(own: str, wanted: str) -> str:
    """What of the maker's text is not the project's: other keys, and comments that are not in the project's file."""
    shipped = {line.strip() for line in wanted.splitlines()} | {ADDED}
    keys = _values(wanted)
    kept: list[str] = []
    section = False
    for line in own.removeprefix("\ufeff").splitlines():
        section = section or line.lstrip().startswith("[")
        found = _SETTING.match(line)
        if section or not ((found and found[1] in keys) or line.strip() in shipped or not line.strip()):
            kept.append(line)
    return "\n".join(kept) + "\n" if kept else ""


def _values(text: str) -> dict[str, str]:
    """The text of each key's value, up to the first [section]."""
    found = {}
    for line in text.removeprefix("\ufeff").splitlines():
        if line.lstrip().startswith("["):
            break
        setting = _SETTING.match(line)
        if setting:
            found[setting[1]] = _value(setting[2])
    return found


def _value(rest: str) -> str:
    """A value without the comment behind it."""
    quoted = re.match(r'"[^"]*"', rest)
    return quoted[0] if quoted else rest.split("#")[0].strip()
