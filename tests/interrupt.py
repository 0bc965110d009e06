"""Ctrl-C for a program that waits for a line."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path


def interrupt(program: subprocess.Popen[bytes]) -> None:
    """Send Ctrl-C when the program sleeps in its read: one between the prompt and the read is seen only after it."""
    if sys.platform == "linux":
        while Path(f"/proc/{program.pid}/stat").read_text().rpartition(") ")[2][0] in "RD":
            time.sleep(0.01)
    else:
        time.sleep(0.5)
    program.send_signal(signal.SIGINT)
