"""Numbers of things in words."""


def amount(count: int, thing: str, things: str = "") -> str:
    """So many of a thing, like `1 game` and `2 games`; `things` is a plural that takes more than an s."""
    return f"{count} {thing if count == 1 else things or f'{thing}s'}"
