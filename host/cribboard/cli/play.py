"""The command that referees a game: plain lines in, plain lines out, and the board moves with it."""

from __future__ import annotations

import os
import queue
import random
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from cribboard.board.messages import Event
from cribboard.cli.lights import Drawing
from cribboard.cli.options import CODES, BoardChoice, IntRange, on_board
from cribboard.cli.output import answer, emit, fitted, note
from cribboard.cli.peg import TARGET, TEAMS, read_handicaps
from cribboard.cli.progress import progress
from cribboard.cli.prompt import LOOK_S, PLAIN, Asked, Lines, News, Prompt, line_by_line, set_plain, stays_plain
from cribboard.cli.state import RGB
from cribboard.computer.levels import EXPERT, LevelError, check_level
from cribboard.errors import ArgumentError, CribboardError
from cribboard.files import ensure_folder, home, take_lock
from cribboard.matches import running
from cribboard.names import Names, check_names, key, seated
from cribboard.players import GO_ON, Program, chances_in_words, reason, waits_for_call
from cribboard.playing.hint import hint
from cribboard.playing.session import Session
from cribboard.playing.typed import HELP, completions, help_lines, listed_names, question, read_line, standing
from cribboard.referee.options import OptionError, Options, read_options, table
from cribboard.referee.outcomes import Act, Outcome
from cribboard.referee.referee import Referee
from cribboard.referee.setup import Setup
from cribboard.referee.state import LETTERS, in_codes, in_words, state, with_names
from cribboard.referee.state import answer as answered
from cribboard.service.recorder import Recorder
from cribboard.words import Words
from cribboard_core.cards import quote
from cribboard_core.events import KINDS, NEW, SET
from cribboard_core.match import Match

if TYPE_CHECKING:
    from cribboard.board.client import Board
    from cribboard.playing.session import Session


WORST = 3  # choices that a review of the game shows
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


# What is printed: plain lines, or JSON.


class Printer:
    """Prints sentences as plain lines, with colours on a terminal, or as JSON, one object at a time.

    Cards are said as words, or as codes when there are `codes`.
    """

    def __init__(self, as_json: bool = False, plain: bool | None = None, codes: bool = False) -> None:
        self._as_json = as_json
        self._cards = in_codes if codes else in_words
        plain = stays_plain() if plain is None else plain
        self._colours = not plain and "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb"
        self._asked = False

    def tell(self, lines: Sequence[tuple[str, int]], referee: Referee, error: CribboardError | None = None) -> None:
        """Lines, each in the colour of a side (-1: none)."""
        lines = [(self._cards(text, referee.setup.names), side) for text, side in lines]
        if self._as_json:
            refusal = error.entry() if error else {"error": None}
            emit({"said": [text for text, _ in lines], **refusal, "state": state(referee)})
            return
        self._show(lines)

    def help(self, lines: Sequence[str], referee: Referee) -> None:
        """What can be typed, which is codes in any case."""
        if self._as_json:
            emit({"said": [*lines], "error": None, "state": state(referee)})
        else:
            self._show([(line, -1) for line in lines])

    def _show(self, lines: Sequence[tuple[str, int]]) -> None:
        if self._asked:
            click.echo()  # something has come while a question stood there
            self._asked = False
        for text, side in lines:
            text = fitted(text, sys.stdout)
            if self._colours and side >= 0:
                red, green, blue = bytes.fromhex(RGB[side].lstrip("#"))
                text = click.style(text, fg=(red, green, blue))
            click.echo(text)

    def complain(self, error: CribboardError, referee: Referee) -> None:
        """What was wrong with what was typed."""
        message = self._cards(error.message, referee.setup.names)
        text = str(CribboardError(message, error.hint))
        if self._as_json:
            self.tell([], referee, error)
        else:
            self._show([(text[:1].upper() + text[1:] + ".", -1)])

    def cards(self, text: str, names: Sequence[str]) -> str:
        """The text with its cards as they are to be read."""
        return self._cards(text, names)

    def ask(self, text: str) -> None:
        """A question, below which is typed."""
        if not self._as_json:
            click.echo(f"{fitted(text, sys.stdout)}\n> ", nl=False)
            self._asked = True

    def answered(self, unseen: str | None) -> None:
        """The line has been typed, and its end with it; what was not typed on a terminal is shown."""
        if unseen is not None and not self._as_json:
            click.echo(unseen)
        self._asked = False


@dataclass
class Typist:
    """Where lines come from: `lines` of a stream, or a `prompt` at a terminal, with `letters` that need no Enter.

    With `draws` the board is drawn above the prompt.
    """

    lines: Lines | None = None
    prompt: Prompt | None = None
    letters: str = ""
    draws: bool = False

    @classmethod
    def at(cls, plain: bool | None, codes: bool, as_json: bool, keys: bool, draws: bool) -> Typist:
        """As the options and the terminal have it."""
        by_line = as_json or line_by_line(plain, codes)
        letters = f"{LETTERS}WH" if keys and not as_json and not line_by_line(False) else ""
        if by_line and not letters:
            return cls(Lines(sys.stdin))
        return cls(None, Prompt(bar=not by_line), letters, draws and not by_line)

    def go_plain(self) -> None:
        """From the next line on have no bar."""
        if self.prompt is not None:
            self.prompt.close()
            self.draws = False
            self.prompt, self.lines = (Prompt(bar=False), None) if self.letters else (None, Lines(sys.stdin))


# The referee's desk: what is typed, what it leads to in plain lines, and what the board's buttons do meanwhile.


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
