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
from cribboard.matches.points import running
from cribboard.names import Names
from cribboard.playing.asked import automatic, by_program, computers_turn, due, listed_names, question, waits_for_call
from cribboard.playing.session import WAYS_OUT, Session
from cribboard.playing.typed import HELP, read_line
from cribboard.referee.falls import Act, Fall
from cribboard.referee.referee import Referee
from cribboard.referee.state import LETTERS, answer, turn_of, with_names
from cribboard.results import Results
from cribboard.words import Words
from cribboard_core.events import KINDS, NEW
from cribboard_core.match import Match

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
        self._held = False  # the program waits, since what was taken back was its own
        self._astray = -1  # the seat that was told to be the board's dealer, and not the table's
        self._count = (-1, -1)  # the count that the clock runs for: its deal and hand
        self._ends = 0.0

    @property
    def referee(self) -> Referee:
        """The game's."""
        return self.session.referee

    def run(self) -> bool:
        """Referee until `quit`, the end of what is typed, Ctrl-C, or another game on the board.

        True says that before the first card the board has gone to a game where this one cannot follow.
        """
        kept = "The game is kept; `cribboard play` resumes it."
        self._greet()
        try:
            while self._turn():
                pass
        except KeyboardInterrupt:
            self._tell(kept)
            raise
        if self._is_lost():
            return True
        if self.referee.phase != "left":
            self._tell(kept)
        return False

    def _is_lost(self) -> bool:
        return bool(self.session.apart) and self.referee.phase == "cut"

    def _greet(self) -> None:
        referee = self.referee
        rules = referee.setup.options.changed()
        first = f"A game to {referee.setup.target} between {listed_names(referee.setup)}."
        lines = [first, f"Options: {rules}." if rules else "", "H shows help."]
        if referee.begun:
            self._tell("The game goes on.", *[f"Last line: {text}" for text in referee.said[-1:]])
            self._board_news()
            lines = [answer(referee, letter) for letter in "SBT"]
        self._tell(*filter(None, lines))

    def _tell(self, *lines: str) -> None:
        self._teller.tell([(line, -1) for line in lines], self.referee)

    def _turn(self) -> bool:
        """One look at the board, at what the program has to do, or else at what is typed; False at the end."""
        self._board_news()
        self._results.look()
        if self.referee.phase == "left":
            self._tell("The board has another game now, so this one is set aside.")
            return False
        if self._is_lost():
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
            self._complain(error)
        except ValueError as error:
            self._complain(CribboardError(with_names(str(error), self.referee.setup)))
        return True

    def _due(self) -> Act | None:
        """What the program does by itself now, if anything."""
        referee = self.referee
        if self.session.apart or self._held:
            return None
        timed = referee.phase == "claim" and referee.setup.options.time_limit and not computers_turn(referee)
        if timed and self._is_late():
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
        if self._held and not line.strip():
            self._held = False
            return True
        if waits_for_call(self.referee) and not line.strip():
            self._go_on()
            return True
        typed = read_line(line, self.referee)
        if typed.word == "quit":
            return False
        if typed.word:
            self._settle(typed.word)
        elif typed.letter:
            if typed.letter == "H":
                self._teller.help(HELP.splitlines(), self.referee)
            else:
                self._tell(answer(self.referee, typed.letter))
        elif typed.act == ["undo"]:
            self._undo()
        elif typed.act is not None:
            if typed.act[0] == self.referee.phase == "deal":
                self._go_on()
            else:
                self._act(typed.act)
        return True

    def _go_on(self) -> None:
        """Nobody calls muggins."""
        act = due(self.referee, self._chance)
        assert act is not None  # noqa: S101 (the program was waiting to do it)
        self._act(act)

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
            told += self._won()
        self._teller.tell([line for line in told if line[0]], self.referee)

    def _moved(self, before: tuple[int, ...], fall: Fall) -> str:
        """The scores that a fall has changed, like `Ann 7, Bob 12.`"""
        if not fall.event or fall.event[0] == NEW or not self.referee.begun:  # other games have other sides
            return ""
        sides = zip(self.referee.match.sides, before, fall.scores, strict=True)
        said = [f"{self.referee.setup.side_name(side)} {new}" for side, old, new in sides if new != old]
        return f"{', '.join(said)}." if said else ""

    def _won(self) -> list[tuple[str, int]]:
        """How the game has ended, and how the match stands."""
        setup, winner = self.referee.setup, self.referee.match.winner
        said = [(self._words().win(), winner)]
        if setup.best_of:
            names = tuple(map(setup.side_name, setup.sides))
            said.append((running(names, map(setup.sides.index, self.referee.winners), setup.best_of).told(), winner))
        return said

    def _undo(self) -> None:
        """Take back to what a player did last, past what the program does by itself; Enter is a player's doing.

        When the game was won by the program's own acts alone, the newest of them is taken back, and the program waits.
        """
        mine, undoable = self.referee.setup, self.referee.undoable()
        own = [not on_board and by_program(act, mine, open_for) for on_board, act, open_for in undoable]
        if own and all(own) and self.referee.phase != "won" and not self._held:
            raise CribboardError("there is nothing to take back in this game")
        self._count = (-1, -1)  # a clock that ran out runs anew
        self._held = bool(own) and all(own)
        last = own.index(False) if False in own else 0
        let_go = bool(own) and undoable[last][2] >= 0 and undoable[last][1][0] in ("deal", "play", "claim")
        for _ in range(last + 1):  # when there is nothing, the referee says why
            self._act(["undo"])
        if let_go and not waits_for_call(self.referee):  # nobody can call any more what was told
            self._held = self.referee.phase == "deal" or computers_turn(self.referee)

    def _settle(self, word: str) -> None:
        """Bring board and referee together again, the way that was chosen."""
        if not self.session.apart:
            raise CribboardError("the board already has this game's score")
        self.session.take_board() if word == "board" else self.session.give_board()
        self._tell(answer(self.referee, "S"))

    def _board_news(self) -> None:
        told = [(text, -1) for text in self.session.notes]
        rows = self.session.heard
        told += [(f"On the board: {self._happened(row)}", row.side) for row in rows]
        told += [(text, -1) for text in self._crib_astray()]
        if rows and self.referee.phase == "won":
            told += self._won()
        self.session.notes.clear()
        rows.clear()
        if told:
            self._teller.tell(told, self.referee)
            self._asked = False

    def _crib_astray(self) -> list[str]:
        """What to say, once, when a button has passed the deal to a player who has not dealt."""
        seat = self.referee.board_dealer
        before, self._astray = self._astray, seat
        if seat in (before, -1):
            return []
        names = self.referee.setup.names
        shown, due = names[seat], names[self.referee.table.dealer]
        what = f"The board shows {shown}'s crib, but {due} has dealt these cards"
        return [f"{what}: press DEAL on the board until it is right, or leave it; the next deal corrects it."]

    def _happened(self, row: Row) -> str:
        """A press, with the pegs where it left them."""
        match = self.referee.tally.match_at(row.rev)
        words = self._words(match)
        if KINDS[row.kind] in ("undo", "redo"):
            return f"{KINDS[row.kind]}. {words.scores(match.sides if match else self.referee.match.sides)}."
        return words.happened(KINDS[row.kind], row.side, row.a, row.b).rstrip(".") + "."

    def _words(self, match: Match | None = None) -> Words:
        match = match or self.session.board.match
        return Words(match, Names(match, self.session.board.names))

    def _ask(self) -> None:
        if not self._asked:
            asked = "Enter to let the program go on" if self._held else question(self.referee)
            asked = f"{self.session.apart}; {WAYS_OUT}" if self.session.apart else asked
            self._teller.ask(asked, self.referee.setup.names)
            at_cut = self.referee.phase == "cut"  # where a name may begin with any letter
            self._lines.answer_at_once("" if at_cut else f"{LETTERS}H")
            self._asked = True

    def _complain(self, error: CribboardError) -> None:
        self._teller.complain(error, self.referee)
        self._asked = False
