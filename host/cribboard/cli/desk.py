"""The referee's desk: what is typed, what it leads to in plain lines, and what the board's buttons do meanwhile."""

from __future__ import annotations

import queue
import random
import time
from collections.abc import Callable

from cribboard.board.answers import Row
from cribboard.cli.output import note
from cribboard.cli.teller import Lines, Teller
from cribboard.errors import CribboardError, TransportError
from cribboard.names import Names
from cribboard.players import dealers_act
from cribboard.playing.asked import automatic, by_program, listed_names, question
from cribboard.playing.session import Session
from cribboard.playing.typed import HELP, read_line
from cribboard.referee.falls import Fall
from cribboard.referee.referee import Act, Referee
from cribboard.referee.state import answer, turn_of, with_names
from cribboard.results import Results
from cribboard.words import Words
from cribboard_core.events import KINDS, NEW

LOOK_S = 0.1  # between two looks at the board while nobody types


class Desk:
    """One evening at a table. `clock` gives seconds."""

    def __init__(
        self,
        session: Session,
        teller: Teller,
        lines: Lines,
        chance: random.Random,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.session = session
        self._teller = teller
        self._lines = lines
        self._chance = chance
        self._clock = clock
        self._results = Results(session.board, note)
        self._asked = False
        self._count = (-1, -1)  # the count that the clock runs for: its deal and hand
        self._ends = 0.0

    @property
    def referee(self) -> Referee:
        """The game's."""
        return self.session.referee

    def run(self) -> None:
        """Referee until `quit`, the end of what is typed, Ctrl-C, or another game on the board."""
        kept = "The game is kept; `cribboard play` goes on with it."
        self._greet()
        try:
            while self._turn():
                pass
        except KeyboardInterrupt:
            self._teller.tell([(kept, -1)], self.referee)
            raise
        if self.referee.phase != "left":
            self._teller.tell([(kept, -1)], self.referee)

    def _greet(self) -> None:
        referee = self.referee
        rules = referee.setup.options.changed()
        first = f"A game to {referee.setup.target} between {listed_names(referee.setup)}."
        lines = [first, f"Options: {rules}." if rules else "", "H is help."]
        if referee.begun:
            lines = ["The game goes on.", *[answer(referee, letter) for letter in "SBT"], *referee.said[-1:]]
        self._teller.tell([(line, -1) for line in lines if line], referee)

    def _turn(self) -> bool:
        """One look at the board, at what the program has to do, or else at what is typed; False at the end."""
        self._board_news()
        self._results.look()
        if self.referee.phase == "left":
            self._teller.tell([("The board has begun another game, so this one is put aside.", -1)], self.referee)
            return False
        act = self._due()
        if act is not None:
            self._act(act)
            return True
        self._ask()
        try:
            line = self._lines.get(LOOK_S)
        except queue.Empty:
            self.session.hear()
            return True
        if line is None:
            return False
        self._teller.answered(None if self._lines.seen else line)
        self._asked = False
        try:
            return self._do(line)
        except TransportError:
            raise
        except CribboardError as error:
            self._complain(error.message, error.hint)
        except ValueError as error:
            self._complain(with_names(str(error), self.referee.setup))
        return True

    def _due(self) -> Act | None:
        """What the program does by itself now, if anything."""
        referee = self.referee
        if self.session.apart:
            return None
        if referee.phase == "claim" and referee.setup.options.time_limit and self._is_late():
            return ["timeout", turn_of(referee)]
        return automatic(referee, self._chance)

    def _is_late(self) -> bool:
        round_ = self.referee.table.round
        count = (self.referee.table.deals, turn_of(self.referee) + 10 * bool(round_ and round_.deal.shows_crib))
        if count != self._count:
            self._count = count
            self._ends = self._clock() + self.referee.setup.options.time_limit
        return self._clock() >= self._ends

    def _do(self, line: str) -> bool:
        typed = read_line(line, self.referee)
        if typed.word == "quit":
            return False
        if typed.word:
            self._settle(typed.word)
        elif typed.letter:
            told = HELP.splitlines() if typed.letter == "H" else [answer(self.referee, typed.letter)]
            self._teller.tell([(text, -1) for text in told], self.referee)
        elif typed.act == ["undo"]:
            self._undo()
        elif typed.act is not None:
            due = dealers_act(self.referee, self._chance) if typed.act[0] == self.referee.phase == "deal" else None
            self._act(due or typed.act)
        return True

    def _act(self, act: Act) -> None:
        scores = self.referee.tally.scores
        told: list[tuple[str, int]] = []
        for fall in self.session.act(act):
            moved = self._moved(scores, fall)
            whose = fall.event[1] if moved else -1
            if fall.text or not told:
                told.append((" ".join(filter(None, [fall.text, moved])), whose))
            else:  # it belongs to what was said before
                told[-1] = (f"{told[-1][0]} {moved}", whose)
            scores = fall.scores or scores
        self._asked = False
        if self.referee.phase == "won":
            told.append((self._words().win(), self.referee.match.winner))
        self._teller.tell([line for line in told if line[0]], self.referee)

    def _moved(self, before: tuple[int, ...], fall: Fall) -> str:
        """The scores that a fall has changed, like `Ann 7, Bob 12.`"""
        if not fall.event or fall.event[0] == NEW:
            return ""
        sides = zip(self.referee.match.sides, before, fall.scores, strict=True)
        said = [f"{self.referee.setup.side_name(side)} {new}" for side, old, new in sides if new != old]
        return f"{', '.join(said)}." if said else ""

    def _undo(self) -> None:
        """Take back to what a player did last, past what the program does by itself."""
        mine, undoable = self.referee.setup, self.referee.undoable()
        if undoable and not any(on_board or not by_program(act, mine) for on_board, act in undoable):
            raise CribboardError("there is nothing to take back in this game")
        self._count = (-1, -1)  # a clock that ran out runs anew
        for on_board, act in undoable or [(True, ["undo"])]:  # when there is nothing, the referee says why
            self._act(["undo"])
            if on_board or not by_program(act, mine):
                return

    def _settle(self, word: str) -> None:
        """Bring board and referee together again, the way that was chosen."""
        if not self.session.apart:
            raise CribboardError("the board has this game's score already")
        self.session.take_board() if word == "board" else self.session.give_board()
        self._teller.tell([(answer(self.referee, "S"), -1)], self.referee)

    def _board_news(self) -> None:
        told = [(text, -1) for text in self.session.notes]
        rows = self.session.heard
        told += [(f"On the board: {self._happened(row, row is rows[-1])}", row.side) for row in rows]
        if rows and self.referee.phase == "won":
            told.append((self._words().win(), self.referee.match.winner))
        self.session.notes.clear()
        rows.clear()
        if told:
            self._teller.tell(told, self.referee)
            self._asked = False

    def _happened(self, row: Row, last: bool) -> str:
        """A press; only after the last of them the pegs are where it left them."""
        words = self._words()
        if KINDS[row.kind] in ("undo", "redo"):
            return f"{KINDS[row.kind]}. {words.scores(self.session.board.match.sides)}."
        said = words.happened if last else words.event
        return said(KINDS[row.kind], row.side, row.a, row.b).rstrip(".") + "."

    def _words(self) -> Words:
        match = self.session.board.match
        return Words(match, Names(match, self.session.board.names))

    def _ask(self) -> None:
        if not self._asked:
            self._teller.ask(
                self.session.apart + "; type board or mine" if self.session.apart else question(self.referee)
            )
            self._asked = True

    def _complain(self, message: str, hint: str = "") -> None:
        self._teller.complain(f"{message}; {hint}" if hint else message, self.referee)
        self._asked = False
