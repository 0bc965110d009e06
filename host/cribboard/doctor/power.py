"""Whether the lights of a match are dimmed to keep the current limit, by running the firmware's own lights here."""

from __future__ import annotations

from cribboard_core.match import Match
from cribboard_fw.entry import Entry
from cribboard_fw.lights import Lights
from cribboard_fw.power import drawn_ma
from cribboard_fw.settings import Settings

NO_LIMIT_MA = 20_000
SETTLED_MS = 10_000  # shows at the start are over
LOOKED_MS = 2_000  # pegs blink with this period
TICK_MS = 25


def wanted_ma(match: Match, settings: Settings) -> int:
    """What the picture of a match would draw at its brightest moment, without the limit."""
    tracks = len(settings.strip_pins)
    lights = Lights(tracks, settings.leds, settings.brightness, NO_LIMIT_MA)
    lights.update(match, Entry(match, None))
    now = most = 0
    frames = [0] * tracks
    while now < SETTLED_MS + LOOKED_MS:
        track = lights.step(now)
        if track >= 0:
            frames[track] = sum(sum(colour.to_bytes(3, "big")) for colour in lights.frame(track))
        else:
            now += TICK_MS
        if now >= SETTLED_MS:
            most = max(most, sum(frames))
    return drawn_ma(most, tracks * settings.leds)
