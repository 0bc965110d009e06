"""The command that referees a game: plain lines in, plain lines out, and the board moves with it."""

from __future__ import annotations

import random
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from cribboard.cli.matches import TARGET, TEAMS, read_handicaps
from cribboard.cli.options import CODES, Where, Whole, on_board
from cribboard.cli.output import answer, note
from cribboard.errors import ArgumentError
from cribboard.files import hold, home, made
from cribboard.names import Names, check_names, key
from cribboard.referee.options import OptionError, read_options, table
from cribboard.referee.setup import Setup
from cribboard.referee.state import answer as answered
from cribboard.seats import seated
from cribboard.words import Words
from cribboard_core.cards import quote
from cribboard_core.match import Match

if TYPE_CHECKING:
    from cribboard.board.open import OpenBoard
    from cribboard.playing.session import Session


@click.command()
@click.argument("names", nargs=-1)
@TEAMS
@TARGET
@click.option("--start", "starts", metavar="SIDE=N", multiple=True, help="A handicap: SIDE starts each game at N.")
@click.option("--best-of", metavar="N", type=Whole(1), help="Play a match, best of N games.")
@click.option("--option", "-o", "words", metavar="NAME=VALUE", multiple=True, help="Set a house rule, like muggins=on.")
@click.option("--options", is_flag=True, help="List the house rules.")
@click.option("--deal", "dealt", is_flag=True, help="Let the program deal the cards.")
@click.option("--computer", metavar="NAME", multiple=True, help="Let the program play for this player, and deal.")
@click.option("--new", "anew", is_flag=True, help="Start a new game although another is not over.")
@click.option("--plain", is_flag=True, help="No colours.")
@CODES
@click.option("--keys", is_flag=True, help="Capital letters answer at once, without Enter.")
@click.option("--seed", metavar="N", type=int, help="Deal the cards that belong to this number.")
@on_board
def play(
    names: Sequence[str],
    teams: int | None,
    target: int | None,
    starts: Sequence[str],
    best_of: int | None,
    words: Sequence[str],
    options: bool,
    dealt: bool,
    computer: Sequence[str],
    anew: bool,
    plain: bool,
    codes: bool,
    keys: bool,
    seed: int | None,
    where: Where,
    as_json: bool,
) -> None:
    """Referee a game with real cards, or resume one.

    NAMES are the players in the order in which they sit; without names the last game is resumed. Type cards and counts
    as they are played (H shows help), and the board pegs them. Everything you type is saved at once: Ctrl-C, a closed
    terminal or a power cut lose nothing. You can use the board's buttons at any time.

    With --json each line is one object: said (a list of sentences), error (null, or what is wrong) and state; with
    --options name, default, may_be and text of each.
    """
    if options:
        _list_options(as_json)
        return
    from cribboard.cli.desk import Desk
    from cribboard.cli.teller import Lines, Teller

    wanted = Wanted(names, teams, target, starts, best_of, words, dealt or bool(computer), computer)
    chance: random.Random = random.SystemRandom() if seed is None else random.Random(seed)  # noqa: S311 (a game)
    with where.open() as board, ExitStack() as stack:
        folder = made(home() / "boards" / board.hello.uid)
        stack.callback(hold(folder / "play.lock", "another `cribboard play` referees at this board").release)
        teller, lines = Teller(as_json, plain, codes), Lines(sys.stdin, keys)
        stack.callback(lines.close)
        session = _session(board, wanted, anew)
        while True:
            try:
                lost = Desk(session, teller, lines, chance).run()
            finally:
                session.close()
            if not lost:
                break
            session = _session(board, Wanted(), False)


def _list_options(as_json: bool) -> None:
    for name, default, allowed, says in table():
        entry = {"name": name, "default": default, "may_be": allowed, "text": says}
        answer(entry, f"{name}={default}  ({allowed})  {says}.", as_json)


@dataclass(frozen=True)
class Wanted:
    """What was said about a new game."""

    names: Sequence[str] = ()
    teams: int | None = None
    target: int | None = None
    starts: Sequence[str] = ()
    best_of: int | None = None
    words: Sequence[str] = ()
    dealt: bool = False
    computer: Sequence[str] = ()

    def setup(self, board: OpenBoard) -> Setup:
        """Who plays what; as on the board where nothing was said."""
        given = check_names(self.names)
        seats, sides = seated(board.match, len(given), self.teams)
        target = self.target or board.match.target
        coming = Match(target, sum(1 << seat for seat in seats), sides, seats[0])
        known = Names(board.match, board.names)
        called = tuple(given or [known.player(seat, start=True) for seat in seats])
        handicaps = read_handicaps(coming, Names(coming, dict(zip(seats, called, strict=True))), self.starts)
        starts = tuple(handicaps.get(side, 0) for side in coming.sides) if handicaps else ()
        machines = tuple(sorted(_index(called, name) for name in self.computer))
        teams = sides if sides < len(seats) else 0
        try:
            options = read_options(self.words)
            return Setup(called, seats, teams, target, options, self.dealt, machines, starts, self.best_of or 0)
        except OptionError as error:
            raise ArgumentError(str(error), "`cribboard play --options` lists them") from error
        except ValueError as error:
            raise ArgumentError(str(error)) from error


def _session(board: OpenBoard, wanted: Wanted, anew: bool) -> Session:
    """The game that was left, or the one that is wanted."""
    from cribboard.playing.session import Session

    folder = home() / "boards" / board.hello.uid
    session = Session.resume(board, folder)
    fresh = anew or wanted != Wanted()
    if session is not None:
        if not fresh and session.apart and session.referee.phase == "cut":
            session.close()
            return Session.begin(board, session.referee.setup, folder)  # nothing has happened in it
        if not fresh and session.referee.phase != "left":
            return session
        session.close()
        _check_over(session, anew)
        if not fresh:
            note("The board has another game now, so the old one is set aside.")
    match = board.sync().match()
    if match.winner < 0 and any(match.front(side) for side in match.sides):
        scores = Words(match, Names(match, board.names)).scores(match.sides)
        note(f"The game on the board ends here: {scores}. `cribboard undo` brings it back.")
    return Session.begin(board, wanted.setup(board), folder)


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
        f"a game is on: {answered(referee, 'S')}", "`cribboard play` resumes it; --new starts another in its place"
    )
