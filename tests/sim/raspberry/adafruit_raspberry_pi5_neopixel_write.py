"""The Pi 5's library as Blinka uses it: what is sent is written to a file, a line of JSON each time."""

import json
import os
from pathlib import Path

MOST_BYTES = 65535  # as its own library has it
SENT = Path(os.environ["STAND_IN_PI"]) / "sent"


def neopixel_write(gpio, buf):
    """As its C++ does: the number of the pin behind `gpio`, and any buffer of bytes, filled up to words of 32 bits."""
    data = bytes(memoryview(buf).cast("B"))
    assert -(-len(data) // 4) * 4 <= MOST_BYTES, "Too much data"
    pixels = [int.from_bytes(data[place : place + 3], "big") for place in range(0, len(data), 3)]
    with SENT.open("a") as file:
        file.write(json.dumps([getattr(gpio, "_pin", gpio).id, pixels]) + "\n")
