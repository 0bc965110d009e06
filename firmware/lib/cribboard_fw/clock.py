"""The board's time: milliseconds that wrap at 2**29, as supervisor.ticks_ms counts them."""

WRAP = 1 << 29


def elapsed(now: int, then: int) -> int:
    """Milliseconds from `then` to `now`, right across a wrap as long as less than six days lie between."""
    return (now - then) & (WRAP - 1)
