"""How deep the firmware's calls go: CircuitPython's stack for them is small, and a call too many ends the program."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType

from firmware.keeping import tag
from firmware.rig import Rig

# The usual stack holds 10 to 34 calls, by their locals; settings.toml asks for about three times that. Below the app
# there are three more: code.py, main and run.
MOST = 16


def deepest(work: Callable[[], object]) -> list[str]:
    """The longest chain of the firmware's functions that were in one another at any moment, the innermost first."""
    longest: list[str] = []

    def watch(frame: FrameType | None, event: str, argument: object) -> None:
        nonlocal longest
        if event != "call" or frame is None or "cribboard_" not in frame.f_code.co_filename:
            return
        chain = []
        while frame is not None:
            if "cribboard_" in frame.f_code.co_filename:
                chain.append(frame.f_code.co_name)
            frame = frame.f_back
        if len(chain) > len(longest):
            longest = chain

    before = sys.getprofile()
    sys.setprofile(watch)
    try:
        work()
    finally:
        sys.setprofile(before)
    return longest


def an_evening(rig: Rig) -> None:
    """Buttons, a host, undo, a restore, a win, the set-up, and scores until the journal has been erased."""
    rig.run(2000)
    rig.ask("hello", 1, 2)
    rig.peg(0, 7)
    rig.undo()
    rig.redo()
    rig.deal()
    rig.ask("hand", 1, 1, 0, "5H5C5SJD", "5D", 0, 29)
    rig.ask("events", 2, 0)
    rig.ask("restore", 1, 2, rig.match.rev, 121, 3, 2, 0, 91, 61, "2d2a1e14", [1, 2])
    rig.ask("set", 1, 3, 1, 120, 100)
    rig.peg(1, 1)
    rig.run(2000)
    rig.open_setup()
    rig.tap(0)
    rig.deal()
    for number in range(4, 340):
        rig.ask("set", *tag(number), 0, number % 100, 0)
    rig.boot()
    rig.run(100)


def test_the_calls_fit_the_boards_stack() -> None:
    chain = deepest(lambda: an_evening(Rig()))
    assert 10 < len(chain) <= MOST, chain
