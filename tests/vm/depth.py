"""Runs a script on CPython and says last how deep the firmware's calls went: `depth.py SCRIPT [ARGUMENT...]`."""

from __future__ import annotations

import runpy
import sys
from types import FrameType


class Depth:
    """The longest chain of the firmware's functions that were in one another at any moment, the innermost first."""

    def __init__(self) -> None:
        self.chain: list[str] = []

    def watch(self, frame: FrameType | None, event: str, argument: object) -> None:
        if event != "call" or frame is None or "cribboard_" not in frame.f_code.co_filename:
            return
        if frame.f_code.co_name == "<module>":
            return  # an import, before the loop
        chain = []
        while frame is not None:
            if "cribboard_" in frame.f_code.co_filename:
                chain.append(frame.f_code.co_name)
            frame = frame.f_back
        if "<module>" not in chain and len(chain) > len(self.chain):
            self.chain = chain


if __name__ == "__main__":
    depth = Depth()
    del sys.argv[0]
    sys.setprofile(depth.watch)
    for _ in runpy.run_path(sys.argv[0]).get("course", ()):
        pass
    sys.setprofile(None)
    print("deepest", *depth.chain)
