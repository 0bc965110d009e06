"""rpi_ws281x as far as Blinka uses it: what is rendered is written to a file, a line of JSON each time."""

import json
import os
from pathlib import Path

WS2811_STRIP_RGB, SK6812_STRIP_RGBW, WS2811_SUCCESS = 0x100800, 0x18100800, 0
SENT = Path(os.environ["STAND_IN_PI"]) / "sent"


def new_ws2811_t():
    return [{}, {}]


def ws2811_channel_get(strips, number):
    return strips[number]


def _setter(key):
    return lambda channel, value: channel.__setitem__(key, value)


ws2811_channel_t_count_set = _setter("count")
ws2811_channel_t_gpionum_set = _setter("gpio")
ws2811_channel_t_invert_set = _setter("invert")
ws2811_channel_t_brightness_set = _setter("brightness")
ws2811_channel_t_strip_type_set = _setter("type")
ws2811_channel_t_gpionum_get = lambda channel: channel["gpio"]  # noqa: E731
ws2811_channel_t_strip_type_get = lambda channel: channel["type"]  # noqa: E731
ws2811_t_freq_set = ws2811_t_dmanum_set = lambda strips, number: None


def ws2811_init(strips):
    for channel in strips:
        channel["pixels"] = [0] * channel["count"]
    return WS2811_SUCCESS


def ws2811_led_set(channel, number, colour):
    channel["pixels"][number] = colour


def ws2811_render(strips):
    with SENT.open("a") as file:
        file.write(json.dumps([strips[0]["gpio"], strips[0]["pixels"]]) + "\n")
    return WS2811_SUCCESS


def ws2811_fini(strips):
    """Nothing to let go."""


delete_ws2811_t = ws2811_fini
