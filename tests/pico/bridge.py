"""A pseudo-terminal in front of the emulated board, so that host code opens its data channel like any serial port."""

from __future__ import annotations

import os
import pty
import select
import threading
import time
import tty

from pico.emulator import Pico

STEP_MS = 2.0
CHUNK = 4096


class SerialBridge:
    """Pumps one USB channel while the simulated time follows the real one, and lags behind where it must.

    While it is open, time passes by itself: other threads may press buttons and read frames, and leave `run` alone.
    """

    def __init__(self, pico: Pico, channel: str = "data") -> None:
        self.pico = pico
        self.channel = channel
        self._master, self._slave = pty.openpty()
        tty.setraw(self._slave)
        self.port = os.ttyname(self._slave)
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._pump, name="pico bridge", daemon=True)

    def __enter__(self) -> SerialBridge:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._closing.set()
        self._thread.join()
        os.close(self._slave)
        os.close(self._master)

    def _pump(self) -> None:
        real_start, start_ms = time.monotonic(), self.pico.now_ms
        while not self._closing.is_set() and self.pico.powered:
            ahead_ms = self.pico.now_ms - start_ms - (time.monotonic() - real_start) * 1000
            readable, _, _ = select.select([self._master], [], [], max(ahead_ms, 0) / 1000)
            if readable:
                self.pico.write(os.read(self._master, CHUNK), self.channel)
            self.pico.run(STEP_MS)
            answer = self.pico.read(self.channel)
            if answer:
                os.write(self._master, answer)
