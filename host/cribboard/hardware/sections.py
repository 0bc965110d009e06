"""A section of a TOML file, read key by key; every mistake is kept, with its section, its key and its value."""

from __future__ import annotations

from typing import Any

MOST_MM = 3000
MOST_SAID = 60  # letters of a value in a message; no name is longer
LONGEST_PIN = 40


class Section:
    """Values by their keys; what is wrong goes to `mistakes`, which the sections of a file share."""

    def __init__(self, name: str, values: dict[str, Any], mistakes: list[str]) -> None:
        self.mistakes = mistakes
        self._name = name
        self._values = values
        self._read: set[str] = set()
        self._wrong: set[str] = set()

    def __contains__(self, key: str) -> bool:
        return key in self._values

    def say(self, mistake: str) -> None:
        """Keep a mistake."""
        self.mistakes.append(mistake)

    def wrong(self, key: str, advice: str) -> None:
        """Keep what is wrong with a key's value, unless something is already."""
        if key in self._wrong:
            return
        self._wrong.add(key)
        shown = key if len(key) <= MOST_SAID else key[:MOST_SAID] + " ..."
        where = f"[{self._name}] {shown}" if self._name else shown
        value = f" = {_said(self._values[key])}" if key in self._values else " is missing"
        self.say(f"{where}{value}: {advice}")

    def sound(self, key: str) -> bool:
        """Whether nothing was found wrong with a key's value."""
        return key not in self._wrong

    def end(self) -> None:
        """Complain of keys that nobody has read."""
        for key in self._values:
            if key not in self._read:
                self.wrong(key, f"there is no such key; there are {', '.join(sorted(self._read))}")

    def section(self, key: str) -> Section:
        """The section of this name."""
        found = self._take(key)
        if not isinstance(found, dict):
            self.wrong(key, f"start a section with [{key}]")
            found = {}
            return _Missing(key, found, self.mistakes)
        return Section(key, found, self.mistakes)

    def text(self, key: str) -> str:
        """Text that is not empty."""
        found = self._take(key)
        if not isinstance(found, str) or not found.strip():
            self.wrong(key, "write text in quotes")
            return ""
        if len(found) > MOST_SAID:
            self.wrong(key, f"use at most {MOST_SAID} letters")
        return found

    def choice(self, key: str, choices: tuple[str, ...]) -> str:
        """One of these."""
        found = self._take(key)
        if found not in choices:
            self.wrong(key, "choose one of " + ", ".join(f'"{choice}"' for choice in choices))
            return choices[0]
        return str(found)

    def flag(self, key: str) -> bool:
        """True or false."""
        found = self._take(key)
        if not isinstance(found, bool):
            self.wrong(key, "write true or false")
        return found is True

    def whole(self, key: str, least: int, most: int) -> int:
        """A whole number."""
        found = self._take(key)
        if not isinstance(found, int) or isinstance(found, bool) or not least <= found <= most:
            self.wrong(key, f"choose a whole number from {least} to {most}")
            return least
        return found

    def number(self, key: str, least: float, most: float) -> float:
        """A number."""
        found = self._take(key)
        if not isinstance(found, int | float) or isinstance(found, bool) or not least <= found <= most:
            self.wrong(key, f"choose a number from {least:g} to {most:g}")
            return least
        return float(found)

    def mm(self, key: str, least: float = 0) -> float:
        """A length."""
        return self.number(key, least, MOST_MM)

    def size(self, key: str) -> tuple[float, float]:
        """A width and a height."""
        found = self._take(key)
        if isinstance(found, list) and len(found) == 2 and all(_is_length(side) for side in found):
            return float(found[0]), float(found[1])
        self.wrong(key, "write width and height in millimetres, such as [600, 400]")
        return MOST_MM, MOST_MM

    def pin(self, key: str, may_be_none: bool = False) -> str:
        """A pin's name."""
        found = self._take(key)
        if found == "" and may_be_none:
            return ""
        if not _is_pin(found):
            self.wrong(key, 'name a pin, such as "GP12"')
            return ""
        return str(found)

    def pins(self, key: str) -> tuple[str, ...]:
        """Some pins' names."""
        found = self._take(key)
        if not isinstance(found, list) or not all(_is_pin(pin) for pin in found):
            self.wrong(key, 'name pins, such as ["GP2", "GP3"]')
            return ()
        return tuple(found)

    def pin_lists(self, key: str) -> tuple[tuple[str, ...], ...]:
        """Lists of pins' names."""
        found = self._take(key)
        if not isinstance(found, list) or not all(
            isinstance(pins, list) and all(_is_pin(pin) for pin in pins) for pins in found
        ):
            self.wrong(key, 'name pins in lists, such as [["GP6", "GP7", "GP8"], []]')
            return ()
        return tuple(tuple(pins) for pins in found)

    def _take(self, key: str) -> Any:
        self._read.add(key)
        return self._values.get(key)


class _Missing(Section):
    """A section that is not there; that was said once."""

    def wrong(self, key: str, advice: str) -> None:
        """Nothing to add."""


def _is_length(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 < value <= MOST_MM


def _is_pin(value: object) -> bool:
    return isinstance(value, str) and len(value) <= LONGEST_PIN and value.isascii() and value.isidentifier()


def _said(value: object) -> str:
    try:
        said = f'"{value}"' if isinstance(value, str) and value.isprintable() else repr(value)
    except ValueError:  # Python writes no more than some thousand digits
        return "(thousands of digits)"
    return said if len(said) <= MOST_SAID else said[: MOST_SAID - 4] + " ..."
