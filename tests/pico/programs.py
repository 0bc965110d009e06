"""What test boards run: a program that executes the lines it is sent and answers with the value of `answer`."""

from __future__ import annotations

from pico.emulator import Pico

BOOT = b"import usb_cdc\nusb_cdc.enable(console=True, data=True)\n"
PROBE = b"""\
import usb_cdc
data = usb_cdc.data
data.timeout = None
names = {}
while True:
    line = data.readline()
    try:
        exec(line, names)
        answer = repr(names.pop("answer", None))
    except Exception as error:
        answer = repr(error)
    data.write(answer.encode() + b"\\n")
"""
PROBE_DRIVE = {"boot.py": BOOT, "code.py": PROBE}


def execute(pico: Pico, line: str, *, limit_ms: float = 5_000) -> str:
    """Runs one line on a board with PROBE, and returns the repr of what it left in `answer`."""
    pico.read()
    pico.write(line.encode() + b"\n")
    pico.run_until(lambda: pico.peek().endswith(b"\n"), f"answer to {line!r}", limit_ms=limit_ms, step_ms=1)
    return pico.read().decode().strip()
