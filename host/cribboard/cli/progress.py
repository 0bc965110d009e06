"""How far something is that takes longer than a second; on a terminal only, and gone when it is done."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Lock, Timer

from cribboard.cli.prompt import is_plain

AFTER_S = 1.0

Say = Callable[[int, int], None]


@contextmanager
def progress(text: str, after_s: float = AFTER_S) -> Iterator[Say]:
    """Show a text with a bar on standard error while the block runs, and print nothing else in it.

    Gives what is to be called with how much is done, and of how much; until then the bar only moves. Where lines are
    not to be redrawn it shows nothing.
    """
    if not _redraws():
        yield lambda done, of: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    bar = Progress(*columns, console=Console(stderr=True), transient=True, redirect_stdout=False, redirect_stderr=False)
    task = bar.add_task(text, total=None)
    lock, over = Lock(), False

    def begin() -> None:
        with lock:
            if not over:
                bar.start()

    timer = Timer(after_s, begin)
    timer.daemon = True
    timer.start()
    try:
        yield lambda done, of: bar.update(task, completed=done, total=of)
    finally:
        timer.cancel()
        with lock:
            over = True
            if bar.live.is_started:
                bar.stop()


def _redraws() -> bool:
    seen = sys.stderr is not None and sys.stderr.isatty()
    return seen and not is_plain(None, bool(os.environ.get("CRIBBOARD_CODES")))
