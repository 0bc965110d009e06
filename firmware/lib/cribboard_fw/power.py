"""Colours to milliamperes: an estimate of what the strips draw, and how far to dim a picture to stay under a limit.

The model is the WS2812B's nominal data sheet: 20 mA for a channel at 255, in proportion below; 1 mA for a dark pixel;
50 mA for the controller. Real strips differ, and it replaces no fuse.
"""

from __future__ import annotations

CHANNEL_MA = 20  # one channel of one pixel at 255
PIXEL_MA = 1  # one pixel, dark
CONTROLLER_MA = 50
FULL = 256  # the scale of a picture that need not be dimmed


def idle_ma(pixels: int) -> int:
    """What the board draws with every pixel dark."""
    return CONTROLLER_MA + PIXEL_MA * pixels


def allowance(pixels: int, limit_ma: int) -> int:
    """The most that the channels of all pixels may sum up to; 0 when idling alone takes the limit."""
    return max(0, limit_ma - idle_ma(pixels)) * 255 // CHANNEL_MA


def scale(light: int, allowed: int) -> int:
    """What to multiply every channel with (in 256ths, then rounded down) so that `light` becomes at most `allowed`.

    It comes in steps of about 5 %, so that a peg more or less seldom changes the brightness of the rest.
    """
    if light <= allowed:
        return FULL
    exact = allowed * FULL // light
    step = 1
    while exact >= 32 * step:
        step *= 2
    return exact - exact % step
