"""Makes Blinka take this computer for a Raspberry Pi, whose pins are files: a file named 5 is a finger on GPIO 5.

Only the lowest layers are played, which need a Pi: the GPIO lines here, rpi_ws281x in _rpi_ws281x.py, and what a Pi 5
has in its place in adafruit_raspberry_pi5_neopixel_write.py.
"""

import os
import sys
from pathlib import Path
from types import ModuleType

FINGERS = Path(os.environ["STAND_IN_PI"])


class Pin:
    IN, OUT, LOW, HIGH, PULL_NONE, PULL_UP, PULL_DOWN = 0, 1, 0, 1, 0, 1, 2

    def __init__(self, bcm_number):
        self.id = bcm_number
        self.pull = None

    def __eq__(self, other):
        return self.id == other

    def init(self, mode=IN, pull=None):
        self.pull = pull

    def value(self, value=None):
        if value is not None:
            return None
        assert self.pull == self.PULL_UP, f"GPIO {self.id} floats"
        return 0 if (FINGERS / str(self.id)).exists() else 1


module = ModuleType("adafruit_blinka.microcontroller.generic_linux.raspberry_pi_pin")
module.Pin = Pin
sys.modules[module.__name__] = module

from adafruit_platformdetect.board import Board  # noqa: E402 (the name above must be taken first)

Board._pi_rev_code = lambda board: os.environ["STAND_IN_REVISION"]  # which /proc/cpuinfo would give
