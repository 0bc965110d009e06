"""The command `cribboard sim`: one virtual board in the foreground, drawn when there is a terminal to draw on."""

from __future__ import annotations

import json
import os
import select
import signal
import stat
import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType

from cribboard.json_types import versioned
from cribboard.sim.board import LOG, VirtualBoard
from cribboard.sim.registry import Registration, Running, require_terminals

ENDINGS = ("SIGINT", "SIGTERM", "SIGHUP")
LOOK_S = 1.0


def run_sim(
    *,
    name: str = "sim",
    nvm: Path | None = None,
    settings: str | None = None,
    lines: Callable[[VirtualBoard], list[str]] | None = None,
    draw: bool | None = None,
    pins: bool = False,
    as_json: bool = False,
) -> int:
    """Run the virtual board `name` until it is stopped; returns the exit code, raises SimError if it cannot start.

    On a terminal (or when `draw` says so) the board is drawn, with `lines` as its score lines instead of its own, and
    keys play its buttons. Elsewhere one line `port PATH uid HEX` is printed, or the object of `--json`. It ends at
    SIGINT, SIGTERM, SIGHUP, when the board's process ends, or when standard input is a pipe and comes to its end.
    """
    require_terminals()
    drawing = sys.stdout.isatty() if draw is None else draw
    with VirtualBoard(name=name, nvm=nvm, settings=settings, pins=pins) as board:
        with Registration(Running(board.port, board.uid, os.getpid(), name)), _Ending() as ending:
            if not drawing:
                from cribboard.sim.described import settings_of

                for mistake in settings_of(board)[1]:
                    print(mistake, file=sys.stderr)
            if drawing:
                _draw(board, lines, ending)
            else:
                words = f"port {board.port} uid {board.uid}"
                entry = versioned({"port": board.port, "uid": board.uid})
                print(json.dumps(entry) if as_json else words, flush=True)
                _serve(board, ending)
        stopped = ending.asked
        died = not stopped and not board.alive
    if died:
        print(f"the virtual board has stopped; its log is {board.folder / LOG}", file=sys.stderr)
    return 1 if died else 0


class _Ending:
    """Knows when a signal has asked for the end; puts the handlers back as they were."""

    def __init__(self) -> None:
        self.asked = False
        self.awake, self._waker = os.pipe()
        self.also: Callable[[], None] = lambda: None
        self._before: dict[int, object] = {}

    def __enter__(self) -> _Ending:
        for ending in ENDINGS:
            number = getattr(signal, ending)
            self._before[number] = signal.signal(number, self._tell)
        return self

    def __exit__(self, *exc: object) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)  # type: ignore[arg-type]
        os.close(self.awake)
        os.close(self._waker)

    def _tell(self, number: int, frame: FrameType | None) -> None:
        self.asked = True
        os.write(self._waker, b"!")
        self.also()


def _draw(board: VirtualBoard, lines: Callable[[VirtualBoard], list[str]] | None, ending: _Ending) -> None:
    from cribboard.sim.terminal import Terminal, own_scores

    terminal = Terminal(board, own_scores if lines is None else lines)
    ending.also = terminal.wake
    try:
        terminal.run(lambda: ending.asked)
    finally:
        ending.also = lambda: None
        terminal.close()


def _serve(board: VirtualBoard, ending: _Ending) -> None:
    watched = [ending.awake]
    if _is_pipe(sys.stdin):
        watched.append(sys.stdin.fileno())
    while not ending.asked and board.alive:
        ready, _, _ = select.select(watched, [], [], LOOK_S)
        if len(watched) > 1 and watched[1] in ready and not os.read(watched[1], 4096):
            return


def _is_pipe(stream: object) -> bool:
    """Whether it exits when its parent exits; /dev/null is at its end from the start."""
    try:
        mode = os.fstat(stream.fileno()).st_mode  # type: ignore[attr-defined]
    except (AttributeError, OSError, ValueError):
        return False
    return stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode)
