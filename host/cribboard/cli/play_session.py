"""The refereed game at the terminal: what is typed, what it leads to, and what the board's buttons do meanwhile."""

from __future__ import annotations

import queue
import random
import time
from collections.abc import Callable

from cribboard.board.messages import Event
from cribboard.cli.lights import Drawing
from cribboard.cli.output import note
from cribboard.cli.play_printer import Printer, Typist
from cribboard.cli.progress import progress
from cribboard.cli.prompt import LOOK_S, Asked, News, set_plain
from cribboard.errors import CribboardError
from cribboard.matches import running
from cribboard.names import Names
from cribboard.players import GO_ON, Program, chances_in_words, reason, waits_for_call
from cribboard.playing.hint import hint
from cribboard.playing.session import Session
from cribboard.playing.typed import HELP, completions, help_lines, listed_names, question, read_line, standing
from cribboard.referee.answers import answer as answered
from cribboard.referee.outcomes import Act, Outcome
from cribboard.referee.referee import Referee
from cribboard.referee.wording import in_codes, with_names
from cribboard.service.recorder import Recorder
from cribboard.words import Words
from cribboard_core.events import KINDS, NEW, SET
from cribboard_core.match import Match

WORST = 3  # choices that a review of the game shows


class PlaySession:
    """One evening at a table. `clock` gives seconds."""

    def __init__(
        self,
        session: Session,
        teller: Printer,
        typist: Typist,
        chance: random.Random,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.session = session
        session.patient = True
        self._printer = teller
        self._typist = typist
        self._drawing: Drawing | None = None
        self._program = Program(chance, clock)
        self._recorder = Recorder(session.board, note)
        self._asked = False
        self._waited = False  # something was said to wait for the board
        self._astray = -1  # the seat that was told to be the board's dealer, and not the table's

    @property
    def referee(self) -> Referee:
        """The game's."""
        return self.session.referee

    def run(self) -> bool:
        """Referee until `quit`, the end of what is typed, Ctrl-C, or another game on the board.

        True says that before the first card the board has gone to a game where this one cannot follow.
        """
        kept = "The game is kept; `cribboard play` resumes it."
        board = self.session.board
        before, board.on_notice = board.on_notice, self._notice
        try:
            self._greet()
            while self._turn():
                pass
        except KeyboardInterrupt:
            self._tell(kept)
            raise
        finally:
            board.on_notice = before
        if self._is_lost():
            return True
        if self.referee.phase != "left":
            self._tell(kept)
        return False

    def _is_lost(self) -> bool:
        return bool(self.session.mismatch) and self.referee.phase == "cut"

    def _greet(self) -> None:
        referee = self.referee
        rules = referee.setup.options.changed()
        first = f"A game to {referee.setup.target} between {listed_names(referee.setup)}."
        lines = [first, f"Options: {rules}." if rules else "", "H shows help."]
        if referee.begun:
            self._tell("The game goes on.", *[f"Last line: {text}" for text in referee.said[-1:]])
            self._board_news()
            lines = [*lines[1:2], *(answered(referee, letter) for letter in "SBT")]
        self._tell(*filter(None, lines))

    def _tell(self, *lines: str) -> None:
        self._printer.tell([(line, -1) for line in lines], self.referee)

    def _notice(self, text: str) -> None:
        """Say at once what is to be known of the board."""
        self._tell(f"{text[:1].upper()}{text[1:]}.")
        self._asked = False

    def _turn(self) -> bool:
        """One look at the board, at what the program has to do, or else at what is typed; False at the end."""
        self._board_news()
        self._recorder.look()
        if self.referee.phase == "left":
            self._tell("The board has another game now, so this one is set aside.")
            return False
        if self._is_lost():
            return False
        self._say_what_waits()
        act = None if self.session.mismatch or self._waited else self._program.act(self.referee)
        if act is not None:
            self._act(act)
            return True
        try:
            line = self._line()
        except (queue.Empty, News):
            return True
        if line is None:
            return False
        self._asked = False
        try:
            return self._do(line)
        except CribboardError as error:
            self._complain(error)
        except ValueError as error:
            self._complain(CribboardError(with_names(str(error), self.referee.setup)))
        return True

    def _line(self) -> str | None:
        """What is typed; raises queue.Empty or News when the board is to be looked at first."""
        prompt, lines = self._typist.prompt, self._typist.lines
        if prompt is not None:
            return prompt.line(self._question(), self._look)
        assert lines is not None  # noqa: S101 (it is one or the other)
        if not self._asked:
            self._printer.ask(self._question().text)
            self._asked = True
        try:
            line = lines.get(LOOK_S)
        except queue.Empty:
            self.session.hear()
            raise
        if line is not None:
            self._printer.answered(None if lines.seen else line)
        return line

    def _look(self) -> bool:
        """Hear the board while somebody types; True when there is something to say or to do."""
        session, before = self.session, self.session.mismatch
        session.hear()
        news = bool(session.heard or session.notes or self.referee.phase == "left" or session.mismatch != before)
        return news or bool(session.waiting) != self._waited or self._program.late(self.referee)

    def _do(self, line: str) -> bool:
        if not line.strip() and (self._program.held or waits_for_call(self.referee)):
            self._answered(GO_ON)
            return True
        typed = read_line(line, self.referee, self._typist.letters)
        if typed.word == "quit":
            return False
        if typed.word in ("board", "mine"):
            self._settle(typed.word)
        elif typed.word:
            self._answer(typed.word)
        elif typed.letter:
            if typed.letter == "H":
                self._printer.help(help_lines(self.referee), self.referee)
            else:
                win = typed.letter == "W"
                said = chances_in_words(self.referee) if win else answered(self.referee, typed.letter)
                self._tell(*filter(None, [said, typed.also]))
        elif typed.act is not None:
            self._answered(GO_ON if typed.act[0] == self.referee.phase == "deal" else typed.act)
        return True

    def _answered(self, act: Act) -> None:
        """What somebody answers."""
        self._program.do(self.referee, act, self._act)

    def _answer(self, word: str) -> None:
        """One of the words that change nothing in the game."""
        if word == "help":
            self._printer.help(HELP.splitlines(), self.referee)
        elif word == "state":
            self._tell(standing(self.referee))
        elif word == "hint":
            self._tell(*hint(self.referee))
        elif word == "review":
            self._tell(*self._review())
        elif said := set_plain(word):
            self._tell(said)
            if word == "plain":
                self._typist.go_plain()

    def _review(self) -> list[str]:
        """What each choice of the newest game that was won cost."""
        from cribboard.playing.judge import in_words
        from cribboard.playing.review import review

        if not self.referee.winners:
            raise CribboardError("no game is over yet", "`review` shows afterwards what each choice cost")
        with progress("Looking at each choice") as report:
            result = review(self.session.log_path, report)
        return in_words(result, WORST)

    def _act(self, act: Act) -> None:
        scores = self.referee.pegs.scores
        lines: list[tuple[str, int]] = []
        why = reason(self.referee, act)
        for outcome in self.session.act(act):
            moved = self._moved(scores, outcome)
            whose = outcome.event[1] if moved else -1
            if outcome.text or not lines:
                lines.append((" ".join(filter(None, [outcome.text, moved])), whose))
            else:  # it belongs to what was said before
                lines[-1] = (f"{lines[-1][0]} {moved}", whose)
            scores = outcome.scores or scores
        if why:
            lines.insert(1, (why, -1))  # before the go that may follow
        self._asked = False
        if self.referee.phase == "won" and not self.session.waiting:
            lines += self._won()
        self._printer.tell([line for line in lines if line[0]], self.referee)

    def _moved(self, before: tuple[int, ...], outcome: Outcome) -> str:
        """The scores that an outcome has changed, like `Ann 7, Bob 12.`, where it does not name the score itself."""
        if (
            not outcome.event or outcome.event[0] in (NEW, SET) or not self.referee.begun
        ):  # other games have other sides
            return ""
        sides = zip(self.referee.match.sides, before, outcome.scores, strict=True)
        said = [f"{self.referee.setup.side_name(side)} {new}" for side, old, new in sides if new != old]
        return f"{', '.join(said)}." if said else ""

    def _won(self) -> list[tuple[str, int]]:
        """How the game has ended, and how the match stands."""
        setup, winner = self.referee.setup, self.referee.match.winner
        said = [(self._words().win(), winner)]
        if setup.best_of:
            names = tuple(map(setup.side_name, setup.sides))
            said.append((running(names, map(setup.sides.index, self.referee.winners), setup.best_of).summary(), winner))
        return said

    def _say_what_waits(self) -> None:
        """Say once what is not yet on the board, and once that it is."""
        waiting = self.session.waiting
        if waiting and not self._waited:
            words = self._words(self.referee.match)
            said = [words.event(KINDS[kind], side, a, b) for kind, side, a, b, _ in [one.event for one in waiting]]
            self._tell(f"The board is away. Not on the board yet: {'; '.join(said)}. The game goes on when it is back.")
            self._program.pause()
        elif self._waited and not waiting:
            self._tell("The board has caught up.", answered(self.referee, "S"))
            if self.referee.phase == "won":
                self._printer.tell(self._won(), self.referee)
        if bool(waiting) != self._waited:
            self._asked = False
        self._waited = bool(waiting)

    def _settle(self, word: str) -> None:
        """Bring board and referee together again, the way that was chosen."""
        if not self.session.mismatch:
            raise CribboardError("the board already has this game's score")
        self.session.take_board() if word == "board" else self.session.give_board()
        self._tell(answered(self.referee, "S"))

    def _board_news(self) -> None:
        news = [(text, -1) for text in self.session.notes]
        events = self.session.heard
        news += [(f"On the board: {self._happened(event)}", event.side) for event in events]
        news += [(text, -1) for text in self._crib_astray()]
        if events and self.referee.phase == "won":
            news += self._won()
        self.session.notes.clear()
        events.clear()
        if news:
            self._printer.tell(news, self.referee)
            self._asked = False

    def _crib_astray(self) -> list[str]:
        """What to say, once, when a button has passed the deal to a player who has not dealt."""
        seat = self.referee.board_dealer
        before, self._astray = self._astray, seat
        if seat in (before, -1):
            return []
        names = self.referee.setup.names
        shown, due = names[seat], names[self.referee.table.dealer]
        what = f"The board shows {shown}'s crib, but it is {due}'s"
        return [f"{what}. Press DEAL until it is right, or leave it until the next deal."]

    def _happened(self, event: Event) -> str:
        """A press, with the pegs where it left them."""
        match = self.referee.pegs.match_at(event.rev)
        words = self._words(match)
        if KINDS[event.kind] in ("undo", "redo"):
            return f"{KINDS[event.kind]}. {words.scores(match.sides if match else self.referee.match.sides)}."
        return words.happened(KINDS[event.kind], event.side, event.a, event.b).rstrip(".") + "."

    def _words(self, match: Match | None = None) -> Words:
        board = self.session.board
        won = board.games_won if match is None else None  # else only the score is said
        match = match or board.match
        return Words(match, Names(match, board.names), won)

    def _question(self) -> Asked:
        referee, names = self.referee, self.referee.setup.names
        asked = question(referee, self._program.held)
        asked = "The board is away: plug it in, or type quit." if self._waited else asked
        if mismatch := self.session.mismatch:
            asked = f"{mismatch[:1].upper()}{mismatch[1:]}; {self.session.ways_out}."
        prompt = self._typist.prompt
        cards = in_codes if prompt and prompt.bar else self._printer.cards  # above a bar as they are typed, in one line
        return Asked(
            cards(asked, names),
            bar=standing(referee),
            above=self._drawn() if self._typist.draws else "",
            completed=lambda line: completions(line, referee),
            letters="" if referee.phase == "cut" else self._typist.letters,  # there a name may begin with any letter
        )

    def _drawn(self) -> str:
        if self._drawing is None:
            self._drawing = Drawing(self.session.board)
        return self._drawing.text()

    def _complain(self, error: CribboardError) -> None:
        self._printer.complain(error, self.referee)
        self._asked = False
