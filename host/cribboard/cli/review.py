"""The command that looks at a game afterwards."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from cribboard.cli.options import JSON, IntRange
from cribboard.cli.output import emit, say
from cribboard.cli.progress import Say, progress

if TYPE_CHECKING:
    from cribboard.playing.duplicate import Dealt, Played


@click.command()
@click.argument("log", required=False, type=click.Path(path_type=Path))
@click.option("--worst", metavar="N", type=IntRange(0, 100), default=3, help="Show the N most costly choices (3).")
@click.option("--all", "every", is_flag=True, help="Show each player's averages over all games instead.")
@click.option("--duplicate", is_flag=True, help="Compare with what the computer makes of the same deals.")
@click.option(
    "--beside",
    metavar="LOG",
    type=click.Path(path_type=Path),
    help="Compare with another game of the same deals.",
)
@JSON
def review(log: Path | None, worst: int, every: bool, duplicate: bool, beside: Path | None, as_json: bool) -> None:
    """Show what each choice in a game cost.

    It shows the better choices, too.

    It looks at the newest two-player game that the program dealt (`play --deal` or `--computer`), or at the LOG that
    you name: each board's folder in boards, where your data is, has play.jsonl and, for earlier evenings, games. A
    cost is the chance to win that was lost, compared with the choice that the computer thinks best for somebody who
    knows what that player knew. Wrong counts, muggins, penalties and corrections stand apart. Luck is what the cards
    brought.

    With --all it shows each player's average hand, crib and pegs in the play, dealing and not dealing, over all
    games that the program has dealt, beside those of experts. The computer's own are left out.

    With --duplicate the computer plays each deal again in both seats, from the same scores. With --beside it compares
    another game that was dealt with the same --seed. Both take the luck of the cards out.

    With --json: over, target, players (name, cost, counting, luck, averages) and choices (deal, name, dealer, scores,
    chose, best, cost, reason) in their order; or deals with here and there, the points by which the first player beat
    the second; or, with --all, players with name and averages, each with the points and of how many.
    """
    if every + duplicate + (beside is not None) > 1:
        raise click.UsageError("Choose one of --all, --duplicate and --beside.")
    if every and log:
        raise click.UsageError("--all looks at all games; leave out the LOG.")
    if every:
        _all(as_json)
        return
    if duplicate or beside:
        _compare(log, beside, as_json)
        return
    from cribboard.playing.judge import in_words
    from cribboard.playing.review import newest, to_json
    from cribboard.playing.review import review as reviewed

    path = log or newest()
    with progress("Looking at each choice") as report:
        result = reviewed(path, report)
    if as_json:
        emit(to_json(result))
        return
    for line in in_words(result, worst):
        say(line)


def _all(as_json: bool) -> None:
    from cribboard.playing.review import averages, averages_in_words

    with progress("Looking at all games") as report:
        people = averages(report)
    if as_json:
        each = [
            {"name": name, "averages": {what: [sum(made) / len(made), len(made)] for what, made in by_what.items()}}
            for name, by_what in sorted(people.items())
        ]
        emit({"players": each})
        return
    for line in averages_in_words(people):
        say(line)


def _compare(log: Path | None, beside: Path | None, as_json: bool) -> None:
    from cribboard.playing.duplicate import in_words, played
    from cribboard.playing.review import newest

    here = played(log or newest())
    with progress("Playing the deals again") as report:
        there = played(beside).deals if beside else _again(here, report)
    if as_json:
        elsewhere = {deal.cards: deal.net for deal in there}
        deals = [{"here": deal.net, "there": elsewhere.get(deal.cards)} for deal in here.deals]
        emit({"players": list(here.names), "deals": deals})
        return
    for line in in_words(here, there, "the other table" if beside else "the computer"):
        say(line)


def _again(here: Played, report: Say) -> tuple[Dealt, ...]:
    """The same deals with the computer in both seats."""
    from cribboard.playing.duplicate import by_computer

    replayed = []
    for deal in here.deals:
        replayed.append(by_computer(deal, here.target))
        report(len(replayed), len(here.deals))
    return tuple(replayed)
