"""The command that teaches: lessons and questions, one line for each answer."""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack
from datetime import UTC, datetime

import click

from cribboard.cli.options import CODES, BoardChoice, IntRange, on_board
from cribboard.cli.output import emit, note, refuse, say
from cribboard.cli.prompt import PLAIN, Asked, Prompt, among, line_by_line, set_plain, stays_plain
from cribboard.cli.table import at_table
from cribboard.errors import ArgumentError
from cribboard.files import home
from cribboard.learning import BY_NAME, COUNTING, SKILLS, AnswerError, Graded, Progress, Question, Throw, question
from cribboard.referee.wording import in_words
from cribboard_core.cards import card_name

ANSWERS = "learned.jsonl"
PLAY_ON = "In a game against the computer, type hint to see what an expert would do."
WORDS = ("?", "state", "plain", "quit")
MANY = 10  # questions, unless another number is asked for


@click.command()
@click.argument("skill", required=False, type=click.Choice([*SKILLS, "count", "all"]))
@click.option("--number", "-n", metavar="N", type=IntRange(1, 1000), default=MANY, help="How many questions (10).")
@click.option("--read", "reads", is_flag=True, help="Read the lessons, or the one that is named, without questions.")
@click.option("--peg", "side", metavar="SIDE", help="Peg what you count right for SIDE on the board.")
@click.option("--seed", metavar="N", type=int, help="Seed for the shuffle.")
@PLAIN
@CODES
@on_board
def learn(
    skill: str | None,
    number: int,
    reads: bool,
    side: str | None,
    seed: int | None,
    plain: bool | None,
    codes: bool,
    where: BoardChoice,
    as_json: bool,
) -> None:
    """Learn to count a hand, and practise what you miss.

    Without SKILL you get the next lesson in counting, or what is due again: each skill comes back when you are about to
    forget it, sooner when you missed it. A lesson is read before its first question; two right answers in a row lead on
    to the next.

    \b
      counting   fifteens, more (fifteens of three cards and more), pairs, runs, double
                 (runs with pairs), flush, trap (the crib's flush), nobs, nothing; count is all of these
      play       what does the last card make?
      muggins    call what an opponent misses
      discard    which two cards to throw, graded by the chance to win
      all        any of these

    Type the points, or two cards; ? reads the lesson again, quit or Ctrl-C ends. Your answers are kept. In a game
    against the computer (cribboard play Ann --computer Bob) type hint to see what an expert would do.

    With --json each line is one object: lesson and lines; question, text and lines; right, seconds, lines
    and streak; asked, correct, next and lines at the end; or error.
    """
    teller = Printer(as_json, codes)
    if reads:
        for name in {None: COUNTING, "count": COUNTING, "all": SKILLS}.get(skill, (str(skill),)):
            teller.read(name)
        return
    if sys.stdin is None:
        raise ArgumentError("standard input is closed", "send it the answers, one per line")
    chance: random.Random = random.SystemRandom() if seed is None else random.Random(seed)  # noqa: S311 (a lesson)
    with ExitStack() as stack:
        peg = None
        if side is not None:
            table = stack.enter_context(at_table(where, as_json))
            place = table.names.find_side(side)

            def peg(points: int) -> None:
                table.score("peg", place, points)

        skills = {None: COUNTING, "count": COUNTING, "all": SKILLS}.get(skill, (str(skill),))
        prompt = None if as_json or line_by_line(plain, codes) else Prompt()
        progress = Progress.read(home() / ANSWERS)
        if progress.damaged:
            note(_damage(progress))
        Session(progress, teller, chance, peg, prompt=prompt).run(skills, number)


def _damage(progress: Progress) -> str:
    """Which answers of the file do not count, and what to do."""
    first, *others = progress.damaged
    more = f" and {len(others)} more" if others else ""
    return f"{progress.path}, {first}{more}: such answers do not count; mend or delete their lines"


class Printer:
    """Says lines, or objects; cards as words where that is wanted."""

    def __init__(self, as_json: bool, codes: bool) -> None:
        self.as_json = as_json
        self._codes = codes

    def tell(self, lines: list[str], **entry: object) -> None:
        """Lines for people, or the object for programs."""
        if self.as_json:
            emit({**entry, "lines": [line.strip() for line in lines]})
            return
        for line in lines:
            say(line if self._codes else in_words(line, ()))

    def refuse(self, text: str) -> None:
        """What is typed is no answer."""
        said = text if self._codes or self.as_json else in_words(text, ())
        refuse(ArgumentError(said, "? reads the lesson again, quit ends"), self.as_json)

    def again(self, question: str) -> None:
        """The question that is still to be answered, which a program has not forgotten."""
        if not self.as_json:
            self.tell([question])

    def read(self, name: str) -> None:
        """A lesson."""
        lesson = BY_NAME[name]
        place = f"Lesson {COUNTING.index(name) + 1} of {len(COUNTING)}: " if name in COUNTING else ""
        self.tell([f"{place}{lesson.title}.", *(f"  {line}" for line in lesson.says)], lesson=name)


class Session:
    """Questions, one after the other."""

    def __init__(
        self,
        progress: Progress,
        teller: Printer,
        chance: random.Random,
        peg: Callable[[int], None] | None = None,
        clock: Callable[[], float] = time.monotonic,
        prompt: Prompt | None = None,
    ) -> None:
        self._progress = progress
        self._printer = teller
        self._chance = chance
        self._peg = peg
        self._clock = clock
        self._prompt = prompt
        self._right: list[bool] = []
        self._seconds = 0.0

    def run(self, skills: tuple[str, ...], number: int) -> None:
        """Ask so many, until `quit` or the end of what is typed; then say how it went."""
        try:
            for _ in range(number):
                skill = self._progress.next_of(skills, _now())
                if skill not in self._progress.due:
                    self._printer.read(skill)
                if not self._ask(question(skill, self._chance)):
                    break
        finally:
            self._sum_up(skills)

    def _ask(self, asked: Question) -> bool:
        self._printer.tell([asked.text], question=asked.skill, text=asked.text)
        begun = self._clock()
        while True:
            typed = self._typed(asked)
            leaving = ("quit", "end") if isinstance(asked, Throw) else ("quit", "end", "q")  # q may be a queen
            if typed is None or typed.strip().lower() in leaving:
                return False
            if said := self._word(typed):
                self._printer.tell([said])
                self._printer.again(asked.text)
                continue
            if typed.strip().lower() in ("?", "h", "help"):
                self._printer.read(asked.skill)
                self._printer.again(asked.text)
                continue
            try:
                graded = asked.graded(typed)
            except AnswerError as error:
                self._printer.refuse(str(error))
                self._printer.again(asked.text)
                continue
            self._grade(asked.skill, graded, self._clock() - begun)
            return True

    def _grade(self, skill: str, graded: Graded, seconds: float) -> None:
        self._progress.answered(skill, graded.right, seconds, _now())
        self._right.append(graded.right)
        self._seconds += seconds
        self._printer.tell(graded.lines, right=graded.right, seconds=round(seconds, 1), streak=self._progress.streak)
        if graded.right and graded.points and self._peg is not None:
            self._peg(graded.points)

    def _word(self, typed: str) -> str:
        """What to say to a word that answers no question; empty for any other."""
        if typed.strip().lower() == "state":
            return self._standing()
        said = "" if self._printer.as_json else set_plain(typed)
        if said and stays_plain() and self._prompt is not None:
            self._prompt.close()
            self._prompt = None
        return said or ""

    def _standing(self) -> str:
        """How it goes: what stands in the bar."""
        if not self._right:
            return "No answers yet."
        return f"{sum(self._right)} of {len(self._right)} right, {self._progress.streak} in a row."

    def _typed(self, asked: Question) -> str | None:
        if self._prompt is not None:
            cards = [card_name(card) for card in asked.cards] if isinstance(asked, Throw) else []
            return self._prompt.line(Asked(bar=self._standing(), completed=among([*cards, *WORDS])))
        if sys.stdin.isatty():
            click.echo("> ", nl=False, err=True)
        line = ""
        try:
            line = sys.stdin.readline()
        finally:
            if not line and sys.stdin.isatty():
                click.echo(err=True)  # after Ctrl-C and Ctrl-D what follows begins a line
        return line or None

    def _sum_up(self, skills: tuple[str, ...]) -> None:
        if not self._right:
            return
        asked, right = len(self._right), sum(self._right)
        streak, best = self._progress.streak, self._progress.best
        each = f"{self._seconds / asked:.0f} seconds each"
        lines = [f"{right} of {asked} right, {each}; {streak} in a row, {best} at best."]
        following = self._progress.next_of(skills, _now())
        title = BY_NAME[following].title
        lines += [f"Next: {title[0].lower()}{title[1:]}.", PLAY_ON]
        self._printer.tell(lines, asked=asked, correct=right, next=following)


def _now() -> datetime:
    return datetime.now(UTC)
