"""What `cribboard` alone says at a terminal: which board is there, which game is on, and what one can do."""

from __future__ import annotations

from collections.abc import Iterator

from cribboard import __version__, connect
from cribboard.board.find import Found
from cribboard.cli.options import BoardChoice
from cribboard.cli.output import say
from cribboard.cli.table import at_table
from cribboard.errors import CribboardError
from cribboard.files import home
from cribboard.playing.log import NAME, look


def greet() -> None:
    """Say it."""
    boards = connect.list_boards()
    game = _refereed()
    say(f"cribboard {__version__} keeps the score of a game of cribbage.\n")
    for line in (*_there(boards), *_score(boards), *([f"Game:  {game}"] if game else [])):
        say(line)
    say("")
    play = ("play Ann Bob", "play with real cards, refereed")
    if not boards:  # where only a virtual one would peg, few have cards at hand
        play = ("play Ann --computer Bob", "play against the computer")
    play = ("play", "go on with that game") if game else play
    ways = (play, ("demo", "watch a game; no board is needed"), ("count 5H5C5SJD --starter 5D", "count a hand"))
    for words, does in ways:
        say(f"  cribboard {words:27}  {does}")
    say("\n`cribboard --help` lists all commands.")


def _there(boards: list[Found]) -> Iterator[str]:
    if not boards:
        yield "Board: none is plugged in; a virtual one takes its place."
    for board in boards:
        yield f"Board: {board.note} at {board.port}." if board.kind == "attached" else f"Board: {board.note}, running."


def _score(boards: list[Found]) -> Iterator[str]:
    """How the match stands, where one board can be asked, be it the virtual one that does not run just now."""
    if len(boards) > 1 or not (boards or (home() / "sim").exists()):
        return
    try:
        with at_table(BoardChoice(boards[0].port if boards else connect.VIRTUAL), False) as table:
            match, words = table.board.match, table.words
            yield f"Score: {words.win() or words.scores(match.sides) + f', to {match.target}.'}"
    except CribboardError as error:
        yield f"It does not answer: {error.message}. `cribboard doctor` finds out why."


def _refereed() -> str:
    """The newest game that is refereed and not over, in words."""
    logs = sorted((home() / "boards").glob(f"*/{NAME}"), key=lambda path: path.stat().st_mtime)
    referee = look(logs[-1].parent) if logs else None
    if referee is None or not referee.begun or referee.phase in ("won", "left"):
        return ""
    return f"between {' and '.join(referee.setup.names)}, not over yet."
