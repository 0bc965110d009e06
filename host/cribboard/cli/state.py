"""The commands that only look: how the match stands, and which boards there are."""

from __future__ import annotations

import click
from rich.text import Text

from cribboard.cli.options import JSON, BoardChoice, on_board
from cribboard.cli.output import emit, new_grid, print_grid, say
from cribboard.cli.table import Table, at_table
from cribboard.files import home
from cribboard.playing.log import look
from cribboard.referee.referee import Referee
from cribboard.referee.state import state as game_state
from cribboard_core.events import KINDS
from cribboard_core.match import Match
from cribboard_core.variants import COLOURS

LOST = (None, "lost", "skunked", "double-skunked")
# Okabe and Ito's colours for all kinds of colour vision, the blue the lighter one of the two.
RGB = ("#e69f00", "#56b4e9", "#009e73", "#f0e442", "#d55e00", "#cc79a7")


@click.command()
@on_board
def state(where: BoardChoice, as_json: bool) -> None:
    """Show how the match stands.

    The scores, both pegs, games won, the dealer, and what undo would take back.

    With --json: board (uid), port, rev, target, skunk_line and double_skunk_line (the first safe score, 0 for none),
    dealer and crib (the numbers of a place and of a side), winner (a side, or null), undo (words, or null) and sides,
    each with side, colour, name, front, back, won, players and lost (null, "lost", "skunked" or "double-skunked");
    referee is null, or the state of the game that `cribboard play` referees, with its options.
    """
    with at_table(where, as_json) as table:
        if as_json:
            emit(_entry(table))
        else:
            _show(table)


@click.command()
@JSON
def boards(as_json: bool) -> None:
    """List the boards that are attached or virtual and running.

    With --json: port, uid (empty if only the board itself knows it), kind ("attached" or "sim") and note of each.
    """
    from cribboard import connect

    known = connect.list_boards()
    if as_json:
        for board in known:
            emit({"port": board.port, "uid": board.uid, "kind": board.kind, "note": board.note})
        return
    if not known:
        say("No board is attached and no virtual board is running. Commands start a virtual board automatically.")
        return
    grid = new_grid()
    for title in ("Port", "UID", "Kind", "Note"):
        grid.add_column(title)
    for board in known:
        grid.add_row(*map(Text, (board.port, board.uid or "?", board.kind, board.note)))
    print_grid(grid)


def _show(table: Table) -> None:
    match, names, games_won = table.board.match, table.names, table.board.games_won
    say(_heading(match))
    grid = new_grid()
    grid.add_column("Side")
    grid.add_column("Colour")
    for title in ("Score", "Back peg", "Games won"):
        grid.add_column(title, justify="right")
    grid.add_column("")
    for side in match.sides:
        numbers = (match.front(side), match.back(side), games_won[side])
        whose = Text(f"{side + 1} {names.given(side)}".rstrip(), style=RGB[side])
        grid.add_row(whose, COLOURS[side], *map(str, numbers), _remark(table, side))
    print_grid(grid)
    won = table.words.win()
    if won:
        say(won)
    referee = _referee(table)
    if referee is not None:
        options = referee.setup.options.changed() or "the usual options"
        say(f"Refereed with {options}; `cribboard play` resumes the game.")
    last = _undo(table)
    say(f"Undo would take back: {last}." if last else "There is nothing to undo.")


def _heading(match: Match) -> str:
    lines = [f"{word} below {line}" for word, line in (("skunk", match.skunk), ("double skunk", match.double)) if line]
    return ", ".join([f"Game to {match.target}", *lines]) + "."


def _remark(table: Table, side: int) -> str:
    match = table.board.match
    if match.winner == side:
        return "wins"
    if match.winner >= 0:
        return LOST[match.skunked(side)] or ""
    if match.crib_side != side:
        return ""
    alone = len(table.names.members(side)) == 1
    return "deals" if alone else f"{table.names.player(match.dealer)} deals"


def _undo(table: Table) -> str:
    """What undo would take, in words; empty when there is nothing."""
    event = table.board.at_hand()[0]
    return table.words.event(KINDS[event.kind], event.side, event.a, event.b) if event else ""


def _referee(table: Table) -> Referee | None:
    """The referee of the game that is on, if it has one."""
    referee = look(home() / "boards" / table.board.hello.uid)
    return referee if referee and referee.begun and referee.match.game == table.board.match.game else None


def _entry(table: Table) -> dict[str, object]:
    board, match = table.board, table.board.match
    referee = _referee(table)
    sides = [
        {
            **scores,
            "players": [place + 1 for place in table.names.members(side)],
            "lost": LOST[match.skunked(side)],
        }
        for side, scores in zip(match.sides, table.scores(), strict=True)
    ]
    return {
        "board": board.hello.uid,
        "port": board.port,
        "rev": match.rev,
        "target": match.target,
        "skunk_line": match.skunk,
        "double_skunk_line": match.double,
        "dealer": match.dealer + 1,
        "crib": match.crib_side + 1,
        "winner": match.winner + 1 if match.winner >= 0 else None,
        "undo": _undo(table) or None,
        "sides": sides,
        "referee": None if referee is None else game_state(referee),
    }
