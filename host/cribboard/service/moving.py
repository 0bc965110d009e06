"""A game that goes on on another board: what this host has noted of it is read, and given to that board once.

Nothing here changes the board that it leaves, nor what is noted of that one: until the table has the other board, the
game can go on on either. Each step may be done again, so that a move which a kill has cut off is done to its end.
"""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from cribboard.board.client import Board
from cribboard.board.ledger import Ledger, Left
from cribboard.errors import CribboardError
from cribboard.referee.options import Options
from cribboard.referee.shown import other_cards
from cribboard.referee.watched import Cards
from cribboard.service.acts import Act, Step, shown_with
from cribboard.service.cards_log import KeptDeal
from cribboard.service.rules import Rules


@dataclass(frozen=True)
class Game:
    """The game on a board that has gone, with its cards and rules."""

    left: Left
    cards: Cards
    rules: Options


def game_of(folder: Path, uid: str) -> Game:
    """The game on the board `uid`, whose notes are under `folder`; raises CribboardError if nothing is noted of it."""
    with closing(Ledger(folder, uid)) as ledger:
        left = ledger.left
        if left is None:
            raise CribboardError(f"nothing is noted of a game on the board {uid}", "plug that board in")
        standing, beside, epoch = left.standing, ledger.path.parent, ledger.epoch
        cards = KeptDeal(beside, epoch, standing.rev, ledger.events, keep=False).now
        return Game(left, cards, Rules(beside, epoch).of(standing.game))


def give(board: Board, game: Game, rev: int, key: str) -> int:
    """Have an open board take over the game, once for a `key`; gives the game's number there.

    Raises CommandError when something has happened on that board since `rev`.
    """
    act = Act([Step(key, "restore", [], [other_cards(game.cards)])], "")
    number = board.take_over(game.left, rev, key, act.to_json())
    rules = Rules(board.folder, board.hello.epoch)
    rules.note(number, game.rules)
    shown = lambda event: shown_with(board, event)  # noqa: E731
    deal = KeptDeal(board.folder, board.hello.epoch, board.standing.rev, board.events(), shown=shown)
    # Not before cards and rules are noted for the new board: a kill in between finds the act, and does the rest.
    board.end_act()
    failed = rules.slots.unwritten or deal.unwritten
    if failed is not None:
        raise failed
    return number
