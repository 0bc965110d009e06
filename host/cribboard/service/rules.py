"""The house rules of a table's games: chosen with a new game, kept in a file beside the board's ledger.

They stay for the games that follow, also for those begun with the board's buttons. A game that is taken back takes
its rules with it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from cribboard.errors import Notice
from cribboard.files import from_json
from cribboard.json_types import Json
from cribboard.referee.options import OptionError, Options, from_values
from cribboard.service.orders import OrderError
from cribboard.slots import Slots
from cribboard.typed import DAMAGE, WORD, Unfit, as_field, as_list, as_list_of, as_object, as_whole, placed

NAME = "rules.json"
KEPT = 20  # games
ROOM = 16384  # bytes; as many games take 6,200
UNSEEN = {  # rules that need what phones do not say, and what to do instead
    "exact": "buttons of the board peg past the target; play without it",
    "renege": "phones need not say who says go; use Penalty",
    "misdeal": "phones do not say who misdeals; use Penalty",
    "forfeit": "phones do not say who misdeals; tap who deals",
    "steal": "phones do not see who deals; tap who deals",
    "too_many": "phones do not say who holds too many cards; correct the scores",
    "alternate": "choose who deals first when you start the game",
    "cut_each_game": "choose who deals first when you start the game",
    "five_card": "`cribboard play` referees it",
}


def check_rules(values: Mapping[str, object], players: int, sides: int) -> Options:
    """The rules of a new game at a table of phones; raises OrderError for those that make no sense there."""
    try:
        options = from_values(values)
    except OptionError as error:
        raise OrderError("rules", str(error), "choose other house rules") from error
    for name, instead in UNSEEN.items():
        if getattr(options, name) != getattr(Options(), name):
            raise OrderError("rules", f"phones cannot play by the rule {name}", instead)
    if options.tournament and not options.manual:
        raise OrderError(
            "rules", "in a tournament the kiosk counts for nobody", "let the players count, or leave tournament off"
        )
    if options.time_limit and sides < players:
        raise OrderError(
            "rules", "the time limit is for single players", "phones do not say which partner played a card"
        )
    return options


def kept_rules(before: Options, players: int, sides: int) -> Options:
    """The rules of the game before, as the next one keeps them: the time limit is not for partners."""
    return replace(before, time_limit=0) if sides < players else before


def _game(value: Json) -> tuple[int, Options]:
    """The number of a game, and its rules."""
    game, values = as_list(value)
    return as_whole(game, WORD), as_options(values)


def as_options(value: Json) -> Options:
    """House rules by name, from JSON; an error says which of them cannot be."""
    try:
        return from_values(as_object(value))
    except OptionError as error:
        raise Unfit(str(error)) from error


class Rules:
    """The rules of the newest games by the rev that began them; `epoch` is that of the board's journal."""

    def __init__(self, folder: Path, epoch: int) -> None:
        self.slots = Slots(folder / NAME, ROOM)
        self.broken: Notice | None = None  # why the file was not read
        self._games: dict[int, Options] = {}
        self._epoch = epoch
        try:
            text = self.slots.read()
            if text is None:
                self._write()
                return
            data = as_object(from_json(text))
            noted = as_field(data, "epoch", as_whole, WORD, -1)
            self._games = dict(as_list_of("game", data["games"], _game))
            if noted != epoch:
                self._start_again()
        except DAMAGE as error:
            what = "so this game has the usual rules; others can be chosen with the next"
            self.broken = Notice(
                f"the house rules in {self.slots.path} cannot be read ({placed(error)}), {what}",
                f"the kiosk's note of this game's rules cannot be read, {what}",
            )

    def of(self, game: int) -> Options:
        """The rules of the game that began at this rev."""
        before = [began for began in self._games if began <= game]
        return self._games[max(before)] if before else Options()

    def note(self, game: int, options: Options) -> None:
        """The game that began at this rev is played by these rules."""
        if self._games.get(game) == options:
            return
        self._games = dict(sorted({**self._games, game: options}.items())[-KEPT:])
        self._write()

    def begin(self, epoch: int) -> None:
        """The board has started another journal, so that a rev means another game."""
        self._epoch = epoch
        self._start_again()
        self._write()

    def _start_again(self) -> None:
        self._games = {0: self._games[max(self._games)]} if self._games else {}

    def _write(self) -> None:
        games = [[game, options.to_json()] for game, options in self._games.items()]
        self.slots.keep(json.dumps({"epoch": self._epoch, "games": games}))
