"""The demo: a whole game on a board over its serial port, said aloud in text, and compared at the end."""

from __future__ import annotations

import json
import random
import shutil
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median, quantiles
from textwrap import wrap

from cribboard.board.client import Board
from cribboard.board.messages import Standing
from cribboard.computer.levels import CLUB
from cribboard.connect import open_board
from cribboard.errors import CribboardError
from cribboard.files import ELSEWHERE, write_errors, write_file
from cribboard.json_types import versioned
from cribboard.players import dealers_act, own_act
from cribboard.referee.outcomes import Outcome
from cribboard.referee.pegs import pack_match
from cribboard.referee.referee import Referee
from cribboard.referee.setup import Setup
from cribboard.referee.wording import in_codes, in_words
from cribboard.service.recorder import discount
from cribboard.sim.board import VirtualBoard
from cribboard.sim.registry import FlashTaken
from cribboard_core.events import DEAL
from cribboard_core.match import Match

NAMES = ("Ann", "Bob", "Cleo", "Dev", "Eli", "Fay")


@dataclass(frozen=True)
class Step:
    """Something that happens at the table: what is said, and the command to the board that it makes, if any."""

    text: str
    command: tuple[str | int, ...] = ()


class Game:
    """One game from the cut for deal to the win; cards are said as words, or as codes."""

    def __init__(self, players: int, teams: int, target: int, seed: int, codes: bool = False) -> None:
        self._cards = in_codes if codes else in_words
        seats = tuple(range(players))
        levels = (CLUB,) * players  # an expert thinks too long for a demonstration of the board
        setup = Setup(NAMES[:players], seats, teams, target, dealt=True, computers=seats, levels=levels)
        self.target = target
        self.referee = Referee(setup, pack_match(Match(target, setup.mask, setup.count)))
        self._chance = random.Random(seed)  # noqa: S311 (a game, not a secret)
        while self.referee.phase == "cut":
            self._begun = self._act()

    @property
    def match(self) -> Match:
        """The referee's own match, folded from what it says itself."""
        return self.referee.match

    def opening(self, rev: int) -> tuple[str | int, ...]:
        """The command of the new game, for a board at `rev`."""
        op, *args = self._begun[0].command
        return (op, rev, *args)

    def steps(self) -> Iterator[Step]:
        """The game, step by step, until somebody has won."""
        yield Step(self._said(self._begun[0]))
        while self.referee.phase != "won":
            for outcome in self._act():
                yield Step(self._said(outcome) + _pegs(outcome), outcome.command)

    def _said(self, outcome: Outcome) -> str:
        return self._cards(outcome.text, self.referee.setup.names)

    def result(self) -> str:
        """Who has won, and how."""
        winner = self.match.winner
        lines = [f"{self.side_name(winner)} won, {self.match.front(winner)}."]
        for side in self.match.sides:
            if side != winner:
                how = ("", "", ", skunked", ", double-skunked")[self.match.skunked(side)]
                lines.append(f"{self.side_name(side)} {self.match.front(side)}{how}.")
        return " ".join(lines)

    def side_name(self, side: int) -> str:
        """Who plays for a side."""
        return self.referee.setup.side_name(side)

    def _act(self) -> list[Outcome]:
        return self.referee.act(dealers_act(self.referee, self._chance) or own_act(self.referee))


def _pegs(outcome: Outcome) -> str:
    """The scores behind what was pegged."""
    if not outcome.event or outcome.event[0] == DEAL:
        return ""
    return f" [{' '.join(map(str, outcome.scores))}]"


HOLES = 121
LONGEST = 120  # characters below a film
FILMED_AFTER_MS = 2_000  # the lights have settled by then


def write_film(path: Path, players: int, teams: int, target: int, seed: int) -> None:
    """Write the lights of a whole game as a picture that moves, painted by the firmware's own lights."""
    from cribboard.sim.mirror import BRIGHTNESS, START_MS, Mirror
    from cribboard.sim.picture import Shot, film

    game = Game(players, teams, target, seed, codes=True)
    frame: list[bytes] = []
    mirror, shots, now = Mirror(max(2, len(game.match.sides)), HOLES), [], START_MS
    for step in game.steps():
        if step.command:
            mirror.show(Standing.of(game.match), {})
            now += FILMED_AFTER_MS
            frame = mirror.frame(now) or frame
            shots.append(Shot([_pixels(track) for track in frame], _caption(step.text)))
    with write_errors(path, ELSEWHERE):
        write_file(path, film(shots, BRIGHTNESS, f"A game of cribbage on the board. {game.result()}").encode())


def _caption(text: str) -> str:
    """A step in one line of the picture: of a long count only what it comes to."""
    if len(text) <= LONGEST:
        return text
    whose, _, count = text.partition(": ")
    return f"{whose}, for{count.rpartition(' for')[2]}"


def _pixels(track: bytes) -> list[tuple[int, int, int]]:
    return [(track[at], track[at + 1], track[at + 2]) for at in range(0, len(track), 3)]


STEP_S = 0.6  # at speed 1, and so much longer for each word
WORD_S = 0.06
SHOWN = 4  # of the newest steps beside the drawn board
LAST_LOOK_S = 8.0  # so long the drawn win stays at speed 1


@dataclass(frozen=True)
class Report:
    """What came of a demo; times are from a command's first byte to its answer, in milliseconds."""

    result: str
    commands: int
    ack_median_ms: float
    ack_p99_ms: float
    equal: bool

    def __str__(self) -> str:
        times = f"{self.ack_median_ms:.1f} ms (median), {self.ack_p99_ms:.1f} ms (p99)"
        state = "equals" if self.equal else "DIFFERS from"
        return f"""{self.result}
{self.commands} commands sent; acknowledged after {times}.
The board's state {state} the host's own."""


class Demo:
    """One game between automatic players on an open board; `say` gets each step."""

    def __init__(
        self,
        board: Board,
        game: Game,
        say: Callable[[Step], None],
        pause: Callable[[str], None],
        begun: Callable[[], None] = lambda: None,
    ) -> None:
        self.board = board
        self.game = game
        self.commands = 0
        self.said: list[str] = []
        self._say = say
        self._pause = pause
        self._begun = begun
        self._won: list[int] = []

    def play(self) -> None:
        """Play to the win; raises CribboardError when the board refuses or is lost."""
        op, *args = self.game.opening(self.board.match.rev)
        self.board.send(str(op), *args)
        self._begun()
        self._won = [self.board.match.won(side) for side in self.board.match.sides]
        self.board.ack_ms.clear()
        for step in self.game.steps():
            self._take(step)

    def report(self) -> Report:
        """What came of it, and whether the board's state is the host's own."""
        times = self.board.ack_ms
        p99 = quantiles(times, n=100, method="inclusive")[98]
        return Report(self.game.result(), self.commands, median(times), p99, self._equal())

    def _take(self, step: Step) -> None:
        if step.command:
            op, *args = step.command
            self.board.send(str(op), *args)
            self.commands += 1
        self.said.append(step.text)
        self._say(step)
        self._pause(step.text)

    def _equal(self) -> bool:
        self.board.sync()
        board, own = self.board.match, self.game.match
        won = [games + (side == own.winner) for games, side in zip(self._won, own.sides, strict=True)]
        return _shape(board) == _shape(own) and [board.won(side) for side in board.sides] == won


def run_demo(
    *,
    players: int = 2,
    teams: int = 0,
    target: int = 121,
    seed: int | None = None,
    speed: float | None = None,
    plain: bool = False,
    codes: bool = False,
    as_json: bool = False,
    port: str | None = None,
) -> int:
    """Play a demo game and return the exit status: 0, or 1 when board and host do not agree at the end."""
    seed = random.SystemRandom().randrange(1_000_000) if seed is None else seed
    game = Game(players, teams, target, seed, codes)
    drawn = not plain and not as_json and port is None and sys.stdout.isatty()
    say = _print_json if as_json else _print_step
    speed = (1.0 if drawn else 0.0) if speed is None else speed
    over = threading.Event()

    def pause(text: str) -> None:
        if speed and over.wait((STEP_S + WORD_S * text.count(" ")) / speed):
            raise _Ended

    with _board(port) as (board, virtual):
        kind = "the virtual board" if virtual else "the board"
        say(Step(f"A game to {target} on {kind} at {board.port}, seed {seed}."))

        def begun() -> None:  # a game that nobody played is no result of the table's
            if virtual is None:
                discount(board, _note)

        demo = Demo(board, game, (lambda step: None) if drawn else say, pause, begun)
        if drawn and virtual:
            _play_drawn(demo, virtual, speed, over)
        else:
            demo.play()
        if game.match.winner < 0:
            say(Step("The game was stopped early."))
            return 1
        report = demo.report()
        print(json.dumps(versioned(asdict(report))) if as_json else report, flush=True)
    return 0 if report.equal else 1


class _Ended(Exception):
    """The user has closed the drawing."""


def _play_drawn(demo: Demo, virtual: VirtualBoard, speed: float, over: threading.Event) -> None:
    from cribboard.sim.scores import score_lines
    from cribboard.sim.terminal import Terminal

    failed: list[CribboardError] = []

    def lines(board: VirtualBoard) -> list[str]:
        width = shutil.get_terminal_size().columns - 2
        scores = score_lines(demo.game.match)
        for i, side in enumerate(demo.game.match.sides):
            colour, _, rest = scores[i].partition(" ")
            scores[i] = f"{colour} {demo.game.side_name(side)} {rest}"
        sentences = [line for text in demo.said[-SHOWN:] for line in wrap(text, width, subsequent_indent="   ")]
        return [*scores, "", *sentences]

    terminal = Terminal(virtual, lines, buttons=False)

    def play() -> None:
        try:
            demo.play()
            over.wait(LAST_LOOK_S / (speed or 1))
        except _Ended:
            pass
        except CribboardError as error:
            failed.append(error)
        over.set()
        terminal.wake()

    player = threading.Thread(target=play, name="players", daemon=True)
    player.start()
    try:
        terminal.run(over.is_set)
    finally:
        over.set()
        player.join()
        terminal.close()
    if failed:
        raise failed[0]


@contextmanager
def _board(port: str | None) -> Iterator[tuple[Board, VirtualBoard | None]]:
    """The named board, or a virtual one of the demo's own, so that nobody's game is disturbed."""
    if port is not None:
        with open_board(port, say=_note) as board:
            yield board, None
        return
    try:
        virtual = VirtualBoard(name="demo").start()
    except FlashTaken as taken:
        raise FlashTaken("another demo is running", "wait until it ends, or name a board with --port") from taken
    with virtual, open_board(virtual.port, say=_note) as board:
        yield board, virtual


def _shape(match: Match) -> tuple[int, int, tuple[int, ...], bytes]:
    return match.target, match.play.mask, match.sides, bytes(match.play.now)


def _note(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def _print_step(step: Step) -> None:
    print(step.text, flush=True)


def _print_json(step: Step) -> None:
    print(json.dumps(versioned({"text": step.text, "command": list(step.command)})), flush=True)
