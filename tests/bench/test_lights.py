"""The lights of two tracks of 121: a frame takes the strip itself far longer than us."""

from __future__ import annotations

import pytest
from bench import plain
from bench.table import OURS
from firmware.rig import Rig

from cribboard_core.events import PEG

LEDS = 121
PIXEL_S = 24 * 1.25e-6  # WS2812B: 24 bits at 800 kHz
STRIP = {"the strip's 24 bits a pixel at 800 kHz": LEDS * PIXEL_S}
PEGS = 2000
BY_PIXEL = "a list made pixel by pixel"


@pytest.mark.parametrize("who", [BY_PIXEL, OURS])
def test_a_frame_after_a_peg(timed, who):
    """Ours is all of the app's work: one step tells the host, the next lays it out, the last sends it."""
    what = "show a peg on a track of 121"
    if who != OURS:
        lit = dict.fromkeys((3, 7, 30, 60, 90, LEDS - 1), (0, 55, 255))
        timed(what, who, lambda: plain.paint(LEDS, lit))
        return
    rig = Rig()
    rig.run(5000)
    shown = len(rig.strips[0].shown)

    def steps() -> None:
        for _ in range(3):
            rig.now += 5
            rig.app.step(rig.now)

    def peg() -> None:
        rig.app.keeper.do(rig.match.undo_event() if rig.match.can_undo else (PEG, 0, 1, 0, 0))

    timed(what, who, lambda _: steps(), fresh=peg, rounds=PEGS, limits=STRIP, least={f"limit: {next(iter(STRIP))}": 10})
    assert len(rig.strips[0].shown) > shown


def test_a_step_with_nothing_to_do(timed):
    rig = Rig()
    rig.run(5000)
    timed("a step of the app with nothing to do", OURS, lambda: rig.app.step(rig.now))
