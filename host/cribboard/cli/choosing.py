"""The command that asks the computer what it would discard or play, for programs: JSON lines."""

from __future__ import annotations

import sys

import click

from cribboard.cli.count import run_batch
from cribboard.cli.options import JSON


@click.command()
@click.option("--batch", is_flag=True, help="Read JSON lines from standard input, answer each with a line.")
@click.option(
    "--level", type=click.Choice(["learner", "club", "expert"]), default="expert", help="How well it plays (expert)."
)
@JSON
def choose(batch: bool, level: str, as_json: bool) -> None:
    """Choose discards and cards as the computer does, one JSON object a line.

    A line that asks for a discard is an object like {"hand":["5H","6C","7D","8S","JH","KC"],"dealer":true,
    "scores":[57,63],"target":121}: the scores are mine and the other's, the target is 121 unless it is said. It is
    answered by {"discard":["JH","KC"],"win":0.53}, the cards to throw and the chance to win then. Five cards are
    one hand of three to five players: one card is thrown, and win is null.

    A line that asks for a card has {"hand":[cards left],"played":[[seat,card],...] since the deal,"seat":0,"dealer":1,
    "starter":"5D","thrown":[mine],"scores":[mine,the other's],"target":121}. It is answered by {"card":"5H",
    "win":0.51}, or by {"card":null,...} when no card fits: then the player says go, and restart, where it is, is the
    card to lead when the other cannot play either. Goes need not be among the cards played, unless the other's go
    ended a count at which no card of mine fitted: then write [seat,null].

    A line that cannot be is answered by {"error":{...}}; then the exit status is 1. With --json nothing changes.
    """
    if not batch:
        raise click.UsageError("choose reads deals and plays from standard input; add --batch.")
    from cribboard.computer.asked import chosen

    sys.exit(run_batch(lambda record: chosen(record, level)))
