"""A code.py for tests of the virtual board: it does whatever each line on the serial port says, and answers with it."""

from __future__ import annotations

import errno
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import serial

from cribboard.sim.board import VirtualBoard

PATIENCE_S = 20.0

BOOT = """
import usb_cdc
usb_cdc.enable(console=True, data=True)
"""

CODE = """
import board, keypad, microcontroller, neopixel, os, pwmio, supervisor, sys, usb_cdc, watchdog
from watchdog import WatchDogMode

port = usb_cdc.data
port.timeout = port.write_timeout = 0
keys = keypad.Keys((board.GP6, board.GP7), value_when_pressed=False, pull=True, interval=0.005, max_events=4)
strip = neopixel.NeoPixel(board.GP2, 4, brightness=1.0, auto_write=False, pixel_order="GRB")
dog = microcontroller.watchdog
microcontroller.disable_interrupts()  # whoever asks may look into the queue
event = keypad.Event()
events = []
came = b""
fall = None


def events_until(count):
    while len(events) < count:
        if keys.events.get_into(event):
            events.append((event.key_number, event.pressed))
    return events


def light(*colours):
    strip[:] = list(colours)
    strip.show()


def answer(line):
    global fall
    if line.startswith(b"fall "):
        fall = line
        return b""
    try:
        try:
            said = repr(eval(line, globals()))
        except SyntaxError:
            exec(line, globals())
            said = "done"
    except Exception as error:
        said = "%s: %s" % (type(error).__name__, error)
    return said.encode() + b"\\n"


while not fall:
    dog.feed()
    if port.in_waiting:
        came += port.read(256)
    while b"\\n" in came:
        line, came = came.split(b"\\n", 1)
        out = answer(line)
        while out:
            out = out[port.write(out):]
if fall != b"fall asleep":
    raise RuntimeError(fall.decode())
"""


def opened(port: str) -> serial.Serial:
    """A port, when nobody else has it: a host of another board that had its name may look whether that is back."""
    ends = time.monotonic() + PATIENCE_S
    while True:
        try:
            return serial.Serial(port, timeout=PATIENCE_S, write_timeout=PATIENCE_S, exclusive=True)
        except serial.SerialException as error:
            if error.errno != errno.EAGAIN or time.monotonic() > ends:
                raise
            time.sleep(0.05)


class Talk:
    """A host that says lines to the stand-in and hears its answers."""

    def __init__(self, board: VirtualBoard) -> None:
        self.board = board
        self.serial = opened(board.port)

    def say(self, line: str) -> None:
        """Say a line and do not wait."""
        self.serial.write(line.encode() + b"\n")

    def ask(self, line: str) -> str:
        """What a line comes to on the board."""
        self.say(line)
        heard = self.serial.read_until(b"\n")
        assert heard.endswith(b"\n"), f"no answer to {line!r}; console: {self.board.console()}"
        return heard.decode().strip()


def drive(folder: Path, code: str = CODE, boot: str = BOOT) -> Path:
    """A drive with this code, and settings that it does not need."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "code.py").write_text(code)
    (folder / "boot.py").write_text(boot)
    (folder / "settings.toml").write_text("")
    return folder


@contextmanager
def talking(board: VirtualBoard) -> Iterator[Talk]:
    """A running board with a host at its port."""
    with board:
        talk = Talk(board)
        try:
            yield talk
        finally:
            talk.serial.close()


def eventually(board: VirtualBoard, seconds: float = PATIENCE_S) -> bool:
    """Wait for the end of a board's process."""
    end = time.monotonic() + seconds
    return board.wait_for(lambda it: not it.alive or time.monotonic() > end, seconds) and not board.alive
