"""The board's time: milliseconds that wrap at 2**29, as supervisor.ticks_ms counts them."""

WRAP = 1 << 29


def elapsed(now: int, then: int) -> int:
    """Milliseconds from `then` to `now`, right across a wrap as long as less than three days lie between.

    A time ahead of `now` gives 0: a key may be pressed between the start of a step and the look at the keys.
    """
    ms = (now - then) & (WRAP - 1)
    return ms if ms < WRAP // 2 else 0
