"""The command that looks at a game afterwards."""

from __future__ import annotations

from pathlib import Path

import click

from cribboard.cli.options import JSON, Whole
from cribboard.cli.output import emit, say


@click.command()
@click.argument("log", required=False, type=click.Path(path_type=Path))
@click.option("--worst", metavar="N", type=Whole(0, 100), default=3, help="Show the N choices that cost most (3).")
@JSON
def review(log: Path | None, worst: int, as_json: bool) -> None:
    """Show what each choice of a game has cost, and which was better.

    It looks at the newest game of two that the program has dealt (`play --deal` or `--computer`), or at the LOG that
    you name. The cost is in chance to win, against the choice that the computer holds for best with what that player
    knew; luck is what the cards brought.

    With --json: over, target, players (name, cost, luck, averages) and choices (deal, name, dealer, scores, chose,
    best, cost, reason) in their order.
    """
    from cribboard.playing.review import in_words, newest, to_json
    from cribboard.playing.review import review as reviewed

    found = reviewed(log or newest())
    if as_json:
        emit(to_json(found))
        return
    for line in in_words(found, worst):
        say(line)
