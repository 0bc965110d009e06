"""What a board says on its console, the first serial port, when its program does not answer on the second."""

from __future__ import annotations

import re
import time
from collections.abc import Callable

from cribboard.board.transport import SerialTransport, Transport
from cribboard.doctor.finding import Finding
from cribboard.errors import TransportError

LISTEN_S = 11.0  # a board that has stopped says why every ten seconds
ENOUGH = re.compile(r"(settings\.toml: |not whole|three faults|safe mode because|no second serial|REPL|\w+Error: ).*\n")
RESET = "pull the USB cable and plug it in again"
INSTALL = "run `cribboard install`, then pull the USB cable and plug it in again"
POWER = (
    "use a shorter, thicker USB cable and another port, not a hub without a supply of its own; lower BRIGHTNESS and\n"
    "CURRENT_LIMIT_MA in settings.toml; feed the strips from a supply of their own (hardware/README.md)"
)


def listen(
    port: str, reach: Callable[[str], Transport] = SerialTransport, clock: Callable[[], float] = time.monotonic
) -> str:
    """What the console prints within some seconds, or until that is enough. Types nothing: a key could stop a game."""
    try:
        console = reach(port)
    except TransportError:
        return ""
    heard = b""
    ends = clock() + LISTEN_S
    try:
        data = b"?"
        while clock() < ends and (data or not ENOUGH.search(_text(heard))):
            data = console.read()
            heard += data
    except TransportError:
        pass  # it went away: what was said until then counts
    finally:
        console.close()
    return _text(heard)


def judge(said: str) -> Finding:
    """The findings from a console's words."""
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    if "not whole" in said:
        return Finding("not-whole", "the firmware was not copied completely", INSTALL)
    if "Power dipped" in said:
        return Finding("brown-out", "the board's supply dipped, and CircuitPython stopped in safe mode", POWER)
    if "safe mode because" in said:
        why = lines[next(n for n, line in enumerate(lines) if "safe mode because" in line) + 1 :]
        return Finding("safe-mode", f"CircuitPython is in safe mode: {' '.join(why[:1])}", RESET)
    for number, line in enumerate(lines):
        if line.startswith("settings.toml: "):
            more = [rest for rest in lines[number + 1 :] if rest not in lines[: number + 1]]
            mistakes = "\n".join([line.removeprefix("settings.toml: "), *more])
            todo = "correct settings.toml on the CIRCUITPY drive and save it; the board starts again by itself"
            return Finding("settings", f"a setting is wrong: {mistakes}", todo)
    if "three faults" in said:
        return Finding(
            "faults", "the program failed three times in a row, and the board has stopped", f"{RESET}; {INSTALL}"
        )
    errors = [line for line in lines if re.match(r"\w+(Error|Exception)\b", line)]
    if errors:
        return Finding("program", f"the program failed: {errors[-1]}", INSTALL)
    if "REPL" in said or lines[-1:] == [">>>"]:
        return Finding(
            "not-running", "the board is not running a program; somebody may have typed on its console", RESET
        )
    return Finding("hangs", "the board is connected but silent: its processor hangs or has not started", RESET)


def _text(heard: bytes) -> str:
    return re.sub(r"\x1b[\]\[][^\x07\\A-Za-z]*(\x07|\x1b\\|[A-Za-z])?", "", heard.decode("utf-8", "replace"))
