"""The settings of the Wi-Fi, and whether there is a radio for them; a board without them does not import it."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from cribboard_fw.app import App

WIFI_KEYS = ("WIFI_NETWORK", "WIFI_PASSWORD", "WIFI_NAME", "WIFI_KEY")
NAME = "cribboard"
HEX = "0123456789abcdef"
SIGNS = HEX + "ghijklmnopqrstuvwxyz-"
NEW_KEY = "`cribboard setup --new-key` writes one"


class Wifi:
    """What settings.toml says of the Wi-Fi; `wrong(key, advice)` is told of mistakes."""

    def __init__(self, values: Mapping[str, str | int], wrong: Callable[[str, str], None]) -> None:
        for key in sorted(values):
            if key[:5] == "WIFI_" and key not in WIFI_KEYS:
                wrong(key, "there is no such setting, but " + " ".join(WIFI_KEYS))
        self.network, self.password, name, self.key = [str(values.get(key, "")) for key in WIFI_KEYS]
        self.name = name or NAME
        if len(self.network.encode()) > 32:
            wrong("WIFI_NETWORK", "a network's name has at most 32 bytes")
        if self.password and not 8 <= len(self.password.encode()) <= 63:
            wrong("WIFI_PASSWORD", "it has 8 to 63 characters; leave it out for a network without one")
        if name.strip(SIGNS) or len(name) > 32:
            wrong("WIFI_NAME", "use up to 32 small letters, digits and hyphens")
        if self.key and (len(self.key) != 32 or self.key.strip(HEX)):
            wrong("WIFI_KEY", "it has 32 hex digits; " + NEW_KEY)

    def lacks(self) -> str:
        """What is missing to join a network; empty if nothing."""
        if not self.network:
            return "WIFI_NETWORK is missing"
        return "" if self.key else "WIFI_KEY is missing; " + NEW_KEY

    def radio(self) -> Callable[[App], object] | None:
        """What makes an app serve phones, all imported; None, with the reason on the console, if nothing can."""
        why = self.lacks()
        chip = os.uname()
        if not why and chip.sysname == "rp2040":
            why = "a Pico W has too little memory for it; use a Pico 2 W"
        if not why and int(chip.release.split(".")[0]) < 10:
            why = "CircuitPython %s breaks down under traffic; use 10 or newer" % chip.release
        if not why:
            try:
                from cribboard_fw.radio import Radio

                return lambda app: Radio(app, self)
            except ImportError as error:
                why = "this controller has no radio for it: %s" % error
        print("no Wi-Fi:", why)
        return None
