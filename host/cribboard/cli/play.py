"""The command that referees a game: plain lines in, plain lines out, and the board moves with it."""

from __future__ import annotations

import random
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from cribboard.cli.game import TARGET, TEAMS, read_handicaps
from cribboard.cli.options import CODES, BoardChoice, IntRange, on_board
from cribboard.cli.output import answer, note
from cribboard.cli.play_printer import Printer, Typist
from cribboard.cli.play_session import PlaySession
from cribboard.cli.prompt import PLAIN
from cribboard.computer.levels import EXPERT, LevelError, check_level
from cribboard.errors import ArgumentError
from cribboard.files import ensure_folder, home, take_lock
from cribboard.names import Names, check_names, key, seated
from cribboard.playing.session import Session
from cribboard.referee.answers import answer as answered
from cribboard.referee.options import OptionError, Options, read_options, table
from cribboard.referee.setup import Setup
from cribboard.words import Words
from cribboard_core.cards import quote
from cribboard_core.match import Match

if TYPE_CHECKING:
    from cribboard.board.client import Board
    from cribboard.playing.session import Session

COMPUTER = "Computer"  # whose name is not said
FIVE_CARD_TARGET = 61  # what the five-card game is usually played to


@click.command()
@click.argument("names", nargs=-1)
@TEAMS
@TARGET
@click.option("--start", "starts", metavar="SIDE=N", multiple=True, help="A handicap: SIDE starts each game at N.")
@click.option("--best-of", metavar="N", type=IntRange(1), help="Play a match, best of N games.")
@click.option("--option", "-o", "words", metavar="NAME=VALUE", multiple=True, help="Set a house rule, like muggins=on.")
@click.option("--options", is_flag=True, help="List the house rules.")
@click.option("--deal", "dealt", is_flag=True, help="Let the program deal the cards.")
@click.option(
    "--computer",
    metavar="NAME[:LEVEL]",
    multiple=True,
    is_flag=False,
    flag_value=COMPUTER,
    help="Let the program play for this player, and deal: as learner, club or expert (expert).",
)
@click.option("--new", "new_game", is_flag=True, help="Replace an unfinished game.")
@PLAIN
@click.option("--draw", is_flag=True, help="Draw the board's lights above what you type.")
@CODES
@click.option("--keys", is_flag=True, help="Capital letters answer at once, without Enter.")
@click.option("--seed", metavar="N", type=int, help="Seed for the shuffle.")
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
    new_game: bool,
    plain: bool | None,
    draw: bool,
    codes: bool,
    keys: bool,
    seed: int | None,
    where: BoardChoice,
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

    wanted = NewGame(names, teams, target, starts, best_of, words, dealt or bool(computer), computer)
    chance: random.Random = random.SystemRandom() if seed is None else random.Random(seed)  # noqa: S311 (a game)
    with where.open(on_settled=lambda text: None) as board, ExitStack() as stack:  # the game says it in its own words
        folder = ensure_folder(home() / "boards" / board.hello.uid)
        stack.callback(take_lock(folder / "play.lock", "another `cribboard play` referees at this board").release)
        teller, typist = Printer(as_json, plain, codes), Typist.at(plain, codes, as_json, keys, draw)
        session = _session(board, wanted, new_game)
        while True:
            try:
                lost = PlaySession(session, teller, typist, chance).run()
            finally:
                session.close()
            if not lost:
                break
            session = _session(board, NewGame(), False)


def _list_options(as_json: bool) -> None:
    for name, default, allowed, says in table():
        entry = {"name": name, "default": default, "may_be": allowed, "text": says}
        answer(entry, f"{name}={default}  ({allowed})  {says}.", as_json)


@dataclass(frozen=True)
class NewGame:
    """What was said about a new game."""

    names: Sequence[str] = ()
    teams: int | None = None
    target: int | None = None
    starts: Sequence[str] = ()
    best_of: int | None = None
    words: Sequence[str] = ()
    dealt: bool = False
    computer: Sequence[str] = ()

    def setup(self, board: Board) -> Setup:
        """Who plays what; as on the board where nothing was said."""
        given = check_names(self._players())
        seats, sides = seated(board.match, len(given), self.teams)
        options = self._options()
        target = self.target or (FIVE_CARD_TARGET if options.five_card else board.match.target)
        if options.five_card:
            board.need("3", "hands of three cards, as five-card cribbage has")
        coming = Match(target, sum(1 << seat for seat in seats), sides, seats[0])
        known = Names(board.match, board.names)
        called = tuple(given or [known.player(seat, start=True) for seat in seats])
        handicaps = read_handicaps(coming, Names(coming, dict(zip(seats, called, strict=True))), self.starts)
        starts = tuple(handicaps.get(side, 0) for side in coming.sides) if handicaps else ()
        machines = dict(sorted(_computer(called, name) for name in self.computer))
        teams = sides if sides < len(seats) else 0
        try:
            levels = tuple(machines.values())
            best_of = self.best_of or 0
            return Setup(called, seats, teams, target, options, self.dealt, tuple(machines), starts, best_of, levels)
        except ValueError as error:
            raise ArgumentError(str(error)) from error

    def _options(self) -> Options:
        try:
            return read_options(self.words)
        except OptionError as error:
            raise ArgumentError(str(error), "`cribboard play --options` lists them") from error

    def _players(self) -> Sequence[str]:
        """The names that were typed; a single one plays against the computers of --computer."""
        if len(self.names) == 1 and not self.computer:
            raise ArgumentError(
                f"{self.names[0]} needs somebody to play with",
                f"name the others, like `cribboard play {self.names[0]} Bob`, or add --computer",
            )
        if len(self.names) != 1:
            return self.names
        others = [_levelled(self.names, typed)[0] for typed in self.computer]
        return [*self.names, *(name for name in others if key(name) != key(self.names[0]))]


def _session(board: Board, wanted: NewGame, new_game: bool) -> Session:
    """The game that was left, or the one that is wanted."""
    from cribboard.playing.session import Session

    folder = home() / "boards" / board.hello.uid
    session = Session.resume(board, folder)
    fresh = new_game or wanted != NewGame()
    if session is not None:
        if not fresh and session.mismatch and session.referee.phase == "cut":
            session.close()
            return Session.begin(board, session.referee.setup, folder)  # nothing has happened in it
        if not fresh and session.referee.phase != "left":
            return session
        session.close()
        _check_over(session, new_game)
    begun = Session.begin(board, wanted.setup(board), folder)
    if session is not None and not fresh:
        note("The board has another game now, so the old one is set aside.")
    match = board.match
    if match.winner < 0 and any(match.front(side) for side in match.sides):
        scores = Words(match, Names(match, board.names)).scores(match.sides)
        note(f"The board still has a game: {scores}. It goes on if you quit now, and ends when somebody deals here.")
    return begun


def _computer(called: Sequence[str], typed: str) -> tuple[int, str]:
    """The seat and level of `Bob` or `Bob:club`."""
    name, level = _levelled(called, typed)
    seat = _index(called, name)
    try:
        return seat, check_level(level)
    except LevelError as error:
        raise ArgumentError(str(error), "name it like --computer Bob:club") from error


def _levelled(called: Sequence[str], typed: str) -> tuple[str, str]:
    """The name and level of `Bob` or `Bob:club`; a name may have a colon itself."""
    name, colon, level = typed.rpartition(":")
    return (typed, EXPERT) if not colon or key(typed) in map(key, called) else (name, level.strip().lower())


def _index(called: Sequence[str], name: str) -> int:
    keys = [key(player) for player in called]
    if key(name) not in keys:
        here = f"the players are {', '.join(called)}; others are named, like `cribboard play Ann --computer Bob`"
        raise ArgumentError(f"there is no player {quote(name)}", here)
    return keys.index(key(name))


def _check_over(session: Session, new_game: bool) -> None:
    """A game that is on is not thrown away by a slip."""
    referee = session.referee
    if new_game or session.mismatch or not referee.begun or referee.phase == "won":
        return
    raise ArgumentError(
        f"a game is on: {answered(referee, 'S')}", "`cribboard play` resumes it; --new starts another in its place"
    )
