"""The referee's desk: what is typed, what it leads to in plain lines, and what the board's buttons do meanwhile."""

from __future__ import annotations

import os
import queue
import random
import threading
import time
from collections.abc import Callable, Sequence
from io import UnsupportedOperation
from typing import IO

import click

from cribboard.board.answers import Row
from cribboard.cli.looking import RGB
from cribboard.cli.output import emit
from cribboard.cli.words import Words
from cribboard.errors import CribboardError, TransportError
from cribboard.names import Names
from cribboard.players import dealers_act, own_act
from cribboard.playing.session import Session
from cribboard.playing.typed import HELP, read_line
from cribboard.referee.falls import Fall
from cribboard.referee.referee import Act, Referee
from cribboard.referee.setup import Setup
from cribboard.referee.state import answer, legal_cards, state, turn_of, with_names
from cribboard_core.aloud import number_word
from cribboard_core.cards import cards_text
from cribboard_core.events import KINDS, NEW

LOOK_S = 0.1  # between two looks at the board while nobody types


class Lines:
    """The lines of a stream, read beside everything else; None at its end."""

    def __init__(self, stream: IO[str] | None) -> None:
        self.seen = stream is not None and stream.isatty()  # a terminal shows what is typed
        self._lines: queue.Queue[str | None] = queue.Queue()
        self._stream = stream
        threading.Thread(target=self._read, name="typing", daemon=True).start()

    def get(self, seconds: float) -> str | None:
        """The next line; raises queue.Empty when none comes so soon."""
        return self._lines.get(timeout=seconds)

    def _read(self) -> None:
        """Without the stream's own buffer, whose lock a thread that never ends would hold for ever."""
        try:
            number = self._stream.fileno() if self._stream else -1
        except UnsupportedOperation:
            for line in self._stream or ():
                self._lines.put(line.rstrip("\n"))
            self._lines.put(None)
            return
        rest = b""
        while data := _data(number):
            *whole, rest = (rest + data).split(b"\n")
            for typed in whole:
                self._lines.put(typed.decode("utf-8", "replace"))
        if rest:
            self._lines.put(rest.decode("utf-8", "replace"))
        self._lines.put(None)


def _data(number: int) -> bytes:
    try:
        return os.read(number, 4096)
    except OSError:  # the terminal is gone
        return b""


class Teller:
    """Says sentences as plain lines, with colours where they are seen, or as JSON, an object for each thing told."""

    def __init__(self, as_json: bool = False, plain: bool = False) -> None:
        self._as_json = as_json
        self._colours = not plain and "NO_COLOR" not in os.environ
        self._asked = False

    def tell(self, lines: Sequence[tuple[str, int]], referee: Referee, error: str | None = None) -> None:
        """Lines, each in the colour of a side (-1: none)."""
        if self._as_json:
            emit({"said": [text for text, _ in lines], "error": error, "state": state(referee)})
            return
        if self._asked:
            click.echo()  # something has come while a question stood there
            self._asked = False
        for text, side in lines:
            red, green, blue = bytes.fromhex(RGB[side].lstrip("#"))
            click.secho(text, fg=(red, green, blue) if self._colours and side >= 0 else None)

    def complain(self, text: str, referee: Referee) -> None:
        """What was wrong with what was typed."""
        self.tell([] if self._as_json else [(text[:1].upper() + text[1:] + ".", -1)], referee, text)

    def ask(self, text: str) -> None:
        """A question, below which is typed."""
        if not self._as_json:
            click.echo(f"{text}:\n> ", nl=False)
            self._asked = True

    def answered(self, unseen: str | None) -> None:
        """The line has been typed, and its end with it; what was not typed on a terminal is shown."""
        if unseen is not None and not self._as_json:
            click.echo(unseen)
        self._asked = False


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
        if self.referee.phase == "left":
            self._teller.tell([("The board has begun another game, so this one is put aside.", -1)], self.referee)
            return False
        try:
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
        scores = self.referee.scores
        told = []
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
        mine = self.referee.setup
        if not any(on_board or not by_program(act, mine) for on_board, act in self.referee.undoable()):
            raise CribboardError("there is nothing to take back in this game")
        for on_board, act in self.referee.undoable():
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
        told += [(f"On the board: {self._happened(row)}", row.side) for row in self.session.heard]
        self.session.notes.clear()
        self.session.heard.clear()
        if told:
            self._teller.tell(told, self.referee)
            self._asked = False

    def _happened(self, row: Row) -> str:
        words = self._words()
        if KINDS[row.kind] in ("undo", "redo"):
            return f"{KINDS[row.kind]}. {words.scores(self.session.board.match.sides)}."
        return words.happened(KINDS[row.kind], row.side, row.a, row.b)

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


def automatic(referee: Referee, chance: random.Random) -> Act | None:
    """What the program does now without being asked: deal, turn up, count, and play for the computers."""
    round_ = referee.table.round
    if referee.phase == "deal" and round_ is not None and round_.open_for >= 0:
        return None  # somebody may still call muggins
    act = dealers_act(referee, chance)
    if act is None and referee.phase in ("discard", "play", "claim") and turn_of(referee) in referee.setup.computers:
        act = own_act(referee)
    return act


def by_program(act: Act, setup: Setup) -> bool:
    """Whether an act was the program's own doing."""
    if act[0] in ("deal", "show", "timeout") or (setup.dealt and act[0] in ("cut", "starter")):
        return True
    return act[0] in ("discard", "play", "claim") and act[1] in setup.computers


def question(referee: Referee) -> str:
    """What is asked for now."""
    setup, phase, seat = referee.setup, referee.phase, turn_of(referee)
    dealer = setup.names[referee.table.dealer]
    round_ = referee.table.round
    name = setup.names[seat]
    if phase == "cut":
        return f"The cards cut by {listed_names(setup)}, or who deals"
    if phase == "starter":
        return f"{dealer} deals, and turns up the starter"
    if phase == "crib":
        return f"The cards of {dealer}'s crib"
    if phase == "won":
        return "new, undo or quit"
    if round_ is None or phase == "deal":
        return "Enter for the next deal"
    own = len(setup.computers) == setup.players - 1
    if phase == "discard":
        due = round_.deal.to_discard(seat)
        of = f" of {cards_text(sorted(round_.deal.hands[seat]))}" if own else " (L shows them)"
        return f"{name} lays {number_word(due)} away{of}"
    if phase == "claim":
        _, kind, cards = round_.counted_next()
        return f"{name} counts the {kind} {cards_text(cards)} with {cards_text([round_.deal.starter])}"
    assert round_.deal.game is not None  # noqa: S101 (the play is on)
    cards = legal_cards(referee) if own else []
    return f"{name} plays at {round_.deal.game.count}" + (f", one of {cards_text(cards)}" if cards else "")


def listed_names(setup: Setup) -> str:
    """All players, like `Ann, Bob and Cleo`."""
    return f"{', '.join(setup.names[:-1])} and {setup.names[-1]}"
