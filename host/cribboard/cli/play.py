"""The command that referees a game: plain lines in, plain lines out, and the board moves with it."""

from __future__ import annotations

import os
import random
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from typing import TYPE_CHECKING

import click

from cribboard.cli.matches import TARGET, TEAMS
from cribboard.cli.options import Where, on_board
from cribboard.cli.output import note, say
from cribboard.errors import ArgumentError
from cribboard.lock import hold
from cribboard.names import Names, check_names, key
from cribboard.paths import home, made
from cribboard.referee.options import OptionError, read_options, table
from cribboard.referee.setup import Setup
from cribboard.referee.state import answer
from cribboard.seats import seated
from cribboard_core.cards import quote

if TYPE_CHECKING:
    from cribboard.board.open import OpenBoard
    from cribboard.playing.session import Session


def _list_options(context: click.Context, option: click.Parameter, value: bool) -> None:
    if not value:
        return
    for name, default, allowed, says in table():
        say(f"{name}={default}  ({allowed})  {says}.")
    context.exit()


@click.command()
@click.argument("names", nargs=-1)
@TEAMS
@TARGET
@click.option("--option", "-o", "words", metavar="NAME=VALUE", multiple=True, help="A house rule, like muggins=on.")
@click.option("--options", is_flag=True, is_eager=True, expose_value=False, callback=_list_options, help="List them.")
@click.option("--deal", "dealt", is_flag=True, help="The program deals the cards.")
@click.option("--computer", metavar="NAME", multiple=True, help="A player whom the program plays; it deals then.")
@click.option("--new", "anew", is_flag=True, help="Begin a game although another is not over.")
@click.option("--plain", is_flag=True, help="No colours.")
@click.option("--seed", metavar="N", type=int, help="Deal the cards of this number.")
@on_board
def play(
    names: Sequence[str],
    teams: int | None,
    target: int | None,
    words: Sequence[str],
    dealt: bool,
    computer: Sequence[str],
    anew: bool,
    plain: bool,
    seed: int | None,
    where: Where,
    as_json: bool,
) -> None:
    """Referee a game with real cards, or go on with the one left.

    NAMES are the players in the order in which they sit; without names the game that was left goes on. Cards and
    counts are typed as they fall (H is help, and lists the letters that ask), and the board pegs them. What was typed
    is kept at once: Ctrl-C, a lost terminal or a power cut lose nothing. Buttons may be used all the while.

    With --json a line is one object: said (a list of sentences), error or null, and state.
    """
    from cribboard.cli.desk import Desk
    from cribboard.cli.teller import Lines, Teller
    from cribboard.playing.session import Session

    fresh = bool(names or words or dealt or computer or anew or teams is not None or target)
    chance: random.Random = random.SystemRandom() if seed is None else random.Random(seed)  # noqa: S311 (a game)
    with where.open() as board, ExitStack() as stack:
        folder = made(home() / "boards" / board.hello.uid)
        stack.callback(os.close, hold(folder / "play.lock", "another `cribboard play` referees at this board"))
        session = Session.resume(board, folder)
        if session is not None and session.apart and session.referee.phase == "cut":
            session.close()
            session = Session.begin(board, session.referee.setup, folder)  # nothing has happened in it
        if session is None or fresh or session.referee.phase == "left":
            if session is not None:
                session.close()
                _check_over(session, anew)
                if session.referee.phase == "left" and not fresh:
                    note("The board has begun another game, so the one that was left is put aside.")
            setup = _setup(board, names, teams, target, words, dealt or bool(computer), computer)
            session = Session.begin(board, setup, folder)
        try:
            Desk(session, Teller(as_json, plain), Lines(sys.stdin), chance).run()
        finally:
            session.close()


def _setup(
    board: OpenBoard,
    names: Sequence[str],
    teams: int | None,
    target: int | None,
    words: Sequence[str],
    dealt: bool,
    computer: Sequence[str],
) -> Setup:
    """Who plays what; as on the board where nothing was said."""
    given = check_names(names)
    match = board.match
    seats, sides = seated(match, len(given), teams)
    known = Names(match, board.names)
    called = given or [known.player(seat, start=True) for seat in seats]
    try:
        options = read_options(words)
    except OptionError as error:
        raise ArgumentError(str(error), "`cribboard play --options` lists them") from error
    machines = tuple(sorted(_index(called, name) for name in computer))
    count = sides if sides < len(seats) else 0
    return Setup(tuple(called), tuple(seats), count, target or match.target, options, dealt, machines)


def _index(called: Sequence[str], name: str) -> int:
    keys = [key(player) for player in called]
    if key(name) not in keys:
        raise ArgumentError(f"there is no player {quote(name)}", f"the players are {', '.join(called)}")
    return keys.index(key(name))


def _check_over(session: Session, anew: bool) -> None:
    """A game that is on is not thrown away by a slip."""
    referee = session.referee
    if anew or session.apart or not referee.begun or referee.phase == "won":
        return
    raise ArgumentError(
        f"a game is on: {answer(referee, 'S')}", "`cribboard play` goes on with it; --new begins another in its place"
    )
