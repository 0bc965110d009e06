"""The commands about a game as a whole: a new one, whose deal it is, and going back and forth in what happened."""

from __future__ import annotations

import re
from collections.abc import Sequence

import click

from cribboard.cli.options import BoardChoice, IntRange, colours, on_board
from cribboard.cli.output import note
from cribboard.cli.table import Table, at_table
from cribboard.errors import ArgumentError, CribboardError
from cribboard.files import home
from cribboard.names import Names, called, check_names, seated, teams_of
from cribboard.playing import log as logs
from cribboard.referee.answers import answer
from cribboard_core.match import Match
from cribboard_core.variants import TARGETS

PLAYERS = click.option("--players", metavar="N", type=IntRange(2, 6), help="How many play, 2 to 6.")
TEAMS = click.option("--teams", metavar="N", type=IntRange(0, 3), help="Teams: 2 for 4 players, 2 or 3 for 6; 0: none.")

TARGET = click.option(
    "--target",
    type=click.Choice([str(target) for target in TARGETS]),
    callback=lambda context, option, value: value and int(value),
    help="The score that wins.",
)


@click.command()
@click.argument("names", nargs=-1)
@PLAYERS
@TEAMS
@TARGET
@click.option(
    "--dealer", metavar="SIDE", shell_complete=colours, help="Who deals first (default: the loser of the last game)."
)
@click.option("--start", "starts", metavar="SIDE=N", multiple=True, help="A handicap: SIDE starts at N points.")
@on_board
def new(
    names: Sequence[str],
    players: int | None,
    teams: int | None,
    target: int | None,
    dealer: str | None,
    starts: Sequence[str],
    where: BoardChoice,
    as_json: bool,
) -> None:
    """Start a new game for the players called NAMES.

    Players, teams, target and names stay as in the last game unless you give new ones. With teams, name each player,
    partners alternately; or add --players and name each team. Until the first peg of the new game, `cribboard undo`
    brings the old one back.

    With --start a side's front peg starts at N, its back peg at the start. Repeat it for several sides. `undo` takes
    back one handicap at a time, and then the new game.
    """
    given = check_names(names)
    with at_table(where, as_json) as table:
        seats, sides = seated(table.board.match, players or len(given), teams)
        names_by_place = called(given, seats, sides) if given else table.board.names
        match = table.board.match
        coming = Match(target or match.target, sum(1 << seat for seat in seats), sides, seats[0])
        first = -1 if dealer is None else Names(coming, names_by_place).find_place(dealer)
        handicaps = read_handicaps(coming, Names(coming, names_by_place), starts)
        mask = sum(1 << seat for seat in seats)
        running = match.winner < 0 and any(match.front(side) for side in match.sides)
        scores = table.words.scores(match.sides) if running else ""
        happened = table.board.new(target or match.target, mask, sides, first, names=names_by_place if given else None)
        match = table.board.match
        more = {"target": match.target, "players": len(match.seats), "teams": teams_of(match)}
        table.tell([happened.after.rev, "new", match.dealer, 0, 0, 0], more=more)
        for side, points in handicaps.items():
            table.score("set", side, points, 0)
        if running:
            note(f"The game before was not over ({scores}); until somebody scores, `cribboard undo` brings it back.")


def read_handicaps(coming: Match, names: Names, starts: Sequence[str]) -> dict[int, int]:
    """The points at which sides begin, all but the noughts."""
    handicaps: dict[int, int] = {}
    for start in starts:
        who, equals, points = start.rpartition("=")
        if not equals or not re.fullmatch("[0-9]{1,3}", points) or int(points) >= coming.target:
            raise ArgumentError(
                f"--start {start} is not a handicap", f"write it like Ann=10, with 0 to {coming.target - 1} points"
            )
        side = names.find_side(who)
        if side in handicaps:
            raise ArgumentError(f"--start {start} comes second for {names.name(side)}", "give each side one")
        handicaps[side] = int(points)
    return {side: points for side, points in handicaps.items() if points}


@click.command("next-deal")
@click.option(
    "--dealer", metavar="SIDE", shell_complete=colours, help="Who deals (default: the next player clockwise)."
)
@on_board
def next_deal(dealer: str | None, where: BoardChoice, as_json: bool) -> None:
    """Pass the deal and the crib to the next player."""
    with at_table(where, as_json) as table:
        rev = table.board.send("deal", -1 if dealer is None else table.names.find_place(dealer))
        table.tell([rev, "deal", table.board.match.dealer, 0, 0, 0])


@click.command()
@on_board
def undo(where: BoardChoice, as_json: bool) -> None:
    """Take back the last score or deal.

    Both pegs return to where they were. Repeat it to take back more, to the start of the game and past a win. The start
    of a game that `cribboard play` referees is only taken back there: its cards would go with it.
    """
    with at_table(where, as_json) as table:
        _check_whole(table)
        _step(table, "undo")


@click.command()
@on_board
def redo(where: BoardChoice, as_json: bool) -> None:
    """Bring back what the last undo took back."""
    with at_table(where, as_json) as table:
        _step(table, "redo")


def _check_whole(table: Table) -> None:
    """Refuse to take back the start of a refereed game, and all its cards with it."""
    board = table.board
    last = board.last()
    if last is None or last[1] != "new":
        return
    referee = logs.look(home() / "boards" / board.hello.uid)
    if referee is not None and (referee.pegs.base[3], referee.pegs.game) == (board.hello.epoch, board.match.game):
        raise CribboardError(
            f"this would take back the whole game that is refereed here, with its cards: {answer(referee, 'S')}",
            "type undo in `cribboard play`, which takes back one thing after the other",
        )


def _step(table: Table, op: str) -> None:
    event = table.board.undo() if op == "undo" else table.board.redo()
    table.tell_step(table.board.match.rev, op, event)
