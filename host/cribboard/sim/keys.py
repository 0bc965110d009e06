"""Which key plays which button. A terminal never says that a key went up, so holding is a second kind of press."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from cribboard_core.variants import COLOURS

# three neighbours for +1, +5 and OK of each place; the first two players sit at the two ends of a row
PLACE_KEYS = ("qwe", "uio", "asd", "jkl", "rty", "fgh")
UNDO_KEY, DEAL_KEY = "z", "x"
RUBOUT = "\x7f\x08"  # what backspace sends
NAMES = ("+1", "+5", "OK")


@dataclass(frozen=True)
class Button:
    """A button of the board: its pin, what to call it, and its key."""

    pin: str
    name: str
    key: str


class Layout:
    """The keys for a board with these buttons: three pins or None for each place, and the two that all share."""

    def __init__(self, places: Sequence[Sequence[str] | None], undo_pin: str, deal_pin: str) -> None:
        self.places: dict[int, list[Button]] = {}
        for place, (pins, keys) in enumerate(zip(places, PLACE_KEYS, strict=False)):
            if pins:
                names = [f"{COLOURS[place]} {name}" for name in NAMES]
                self.places[place] = [Button(*three) for three in zip(pins, names, keys, strict=True)]
        self.undo = Button(undo_pin, "UNDO", UNDO_KEY)
        self.deal = Button(deal_pin, "DEAL", DEAL_KEY)
        buttons = [button for three in self.places.values() for button in three] + [self.undo, self.deal]
        self._by_key = {button.key: button for button in buttons}

    def press(self, key: str) -> tuple[Button, bool] | None:
        """The button that a key plays and whether it is held down; None for a key that plays nothing."""
        if key in RUBOUT:
            return self.undo, False
        button = self._by_key.get(key.lower())
        return None if button is None else (button, key != key.lower())
