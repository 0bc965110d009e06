"""The demo: a whole game on a board over its serial port, said aloud in text, and compared at the end."""

from __future__ import annotations

import random
import shutil
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from statistics import median, quantiles
from textwrap import wrap

from cribboard.board.client import Board
from cribboard.connect import open_board
from cribboard.errors import CribboardError
from cribboard.game import Game, Step
from cribboard.sim.board import VirtualBoard
from cribboard_core.match import Match

STEP_S = 0.6  # at speed 1, and so much longer for each word
WORD_S = 0.06
SHOWN = 4  # of the newest steps beside the drawn board
LAST_LOOK_S = 8.0  # so long the drawn win stays at speed 1


class Demo:
    """One game between automatic players on an open board; `say` gets each step's words."""

    def __init__(self, board: Board, game: Game, say: Callable[[str], None], pause: Callable[[str], None]) -> None:
        self.board = board
        self.game = game
        self.commands = 0
        self.said: list[str] = []
        self._say = say
        self._pause = pause
        self._won: list[int] = []

    def play(self) -> None:
        """Play to the win; raises CribboardError when the board refuses or is lost."""
        self.board.send(*self.game.opening(self.board.match.rev))
        self._won = [self.board.match.won(side) for side in self.board.match.sides]
        self.board.ack_ms.clear()
        for step in self.game.steps():
            self._take(step)

    def report(self) -> tuple[list[str], bool]:
        """The last lines, and whether the board's state is the host's own."""
        times = sorted(self.board.ack_ms)
        p99 = quantiles(times, n=100)[98] if len(times) > 1 else times[0]
        equal = self._equal()
        return [
            self.game.result(),
            f"{self.commands} commands sent; acknowledged after {median(times):.1f} ms (median), {p99:.1f} ms (p99).",
            "The board's state equals the host's own." if equal else "The board's state DIFFERS from the host's own.",
        ], equal

    def _take(self, step: Step) -> None:
        if step.command:
            op, *args = step.command
            self.board.send(str(op), *args)
            self.commands += 1
        self.said.append(step.text)
        self._say(step.text)
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
    port: str | None = None,
) -> int:
    """Play a demo game and return the exit status: 0, or 1 when board and host do not agree at the end."""
    seed = random.SystemRandom().randrange(1_000_000) if seed is None else seed
    game = Game(players, teams, target, seed)
    drawn = not plain and port is None and sys.stdout.isatty()
    speed = (1.0 if drawn else 0.0) if speed is None else speed
    over = threading.Event()

    def pause(text: str) -> None:
        if speed and over.wait((STEP_S + WORD_S * text.count(" ")) / speed):
            raise _Ended

    with _board(port) as (board, virtual):
        kind = "the virtual board" if virtual else "the board"
        print(f"A game to {target} on {kind} at {board.port}, seed {seed}.", flush=True)
        demo = Demo(board, game, (lambda text: None) if drawn else _print, pause)
        if drawn and virtual:
            _play_drawn(demo, virtual, speed, over)
        else:
            demo.play()
        if game.match.winner < 0:
            print("The game was ended before its end.")
            return 1
        lines, equal = demo.report()
        print("\n".join(lines), flush=True)
    return 0 if equal else 1


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
        told = [line for text in demo.said[-SHOWN:] for line in wrap(text, width, subsequent_indent="   ")]
        return [*scores, "", *told]

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
        with open_board(port, say=_print) as board:
            yield board, None
        return
    with VirtualBoard(name="demo") as virtual, open_board(virtual.port, say=_print) as board:
        yield board, virtual


def _shape(match: Match) -> tuple[int, int, tuple[int, ...], bytes]:
    return match.target, match.play.mask, match.sides, bytes(match.play.now)


def _print(text: str) -> None:
    print(text, flush=True)
