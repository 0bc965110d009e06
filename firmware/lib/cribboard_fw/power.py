"""Colours to milliamperes: an estimate of what the strips draw, and how far to dim a picture to stay under a limit.

The model is the WS2812B's nominal data sheet: 20 mA for a channel at 255, in proportion below; 1 mA for a dark pixel;
50 mA for the controller. Real strips differ, and it replaces no fuse.
"""

from __future__ import annotations

CHANNEL_MA = 20  # one channel of one pixel at 255
PIXEL_MA = 1  # one pixel, dark
CONTROLLER_MA = 50
HEADROOM_MA = 100  # the least above idle that shows a game in its true colours
SOURCE_PERCENT, FUSE_PERCENT = 90, 75  # of their ratings, to be taken for long
FULL = 256  # the scale of a picture that need not be dimmed


def idle_ma(pixels: int) -> int:
    """What the board draws with every pixel dark."""
    return CONTROLLER_MA + PIXEL_MA * pixels


def carried_ma(source_ma: int, fuse_ma: int) -> int:
    """The highest limit for a source and a fuse; all light may be behind it, the controller is not."""
    return min(source_ma * SOURCE_PERCENT // 100, fuse_ma * FUSE_PERCENT // 100 + CONTROLLER_MA)


def drawn_ma(light: int, pixels: int) -> int:
    """What the board draws, rounded up, when the channels of all pixels sum up to `light`."""
    return idle_ma(pixels) - -light * CHANNEL_MA // 255


def allowance(pixels: int, limit_ma: int) -> int:
    """The most that the channels of all pixels may sum up to; 0 when idling alone takes the limit."""
    return max(0, limit_ma - idle_ma(pixels)) * 255 // CHANNEL_MA


def scale(light: int, allowed: int) -> int:
    """What to multiply every channel with (in 256ths, then rounded down) so that `light` becomes at most `allowed`.

    It comes in steps of about 5 %, so that a peg more or less seldom changes the brightness of the rest.
    """
    if light <= allowed:
        return FULL
    found = allowed * FULL // light
    step = 1
    while found >= 32 * step:
        step *= 2
    return found - found % step
