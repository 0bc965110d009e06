"""The board's data channel behind a serial port: host code opens it with pyserial and never knows."""

from __future__ import annotations

import sys

import pytest
import serial
from pico.emulator import MakePico
from pico.programs import PROBE_DRIVE

if sys.platform == "win32":
    pytest.skip("there are no pseudo-terminals on Windows", allow_module_level=True)


def test_pyserial_talks_to_the_data_channel(pico_with: MakePico) -> None:
    from pico.bridge import SerialBridge  # which Windows cannot import

    pico = pico_with(PROBE_DRIVE)
    pico.boot()
    with SerialBridge(pico) as bridge, serial.Serial(bridge.port, timeout=10) as port:
        port.write(b"answer = 15 + 2\n")
        assert port.readline() == b"17\n"
        port.write(b"answer = 'x' * 500\n")
        assert port.readline() == b"'" + b"x" * 500 + b"'\n"
