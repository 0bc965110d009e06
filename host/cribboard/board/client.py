"""A board as an object: commands that count exactly once, and a copy of its match that is always the board's."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Collection
from pathlib import Path
from types import TracebackType

from cribboard.board.commands import ANYBODY, PEND_S, Commands
from cribboard.board.exactly_once import Once
from cribboard.board.follow import Follow, Happened
from cribboard.board.ledger import GUESTS, HOLDER, Answer, Ledger, Left, Names
from cribboard.board.link import Clock, Line, Message, Talk
from cribboard.board.messages import BRIGHTNESSES, MOST_COMMIT_S, SILENT, UPDATE, Chosen, Hello, Row, Standing, Waiting
from cribboard.board.transport import Transport
from cribboard.errors import ArgumentError, CommandError, CribboardError, Notice, TransportError, WrongBoard
from cribboard.json_types import Json
from cribboard_core.events import NEW, PLACES
from cribboard_core.match import Match

TRIES = 100  # sessions begun for one command, when other programs begin theirs at the same time
AGAIN_S = 5.0  # until the disk is asked again
KEPT = 1000  # times and notices; a program may run for years


class Board(Commands):
    """The board that `reach` opens a link to. Notes are kept under `folder`; use it in a `with`.

    `on_event` is called with everything that happens on the board while it is heard, `on_notice` with what a user
    should be told, `on_settled` with what became of a command without an answer, which `on_notice` gets otherwise.
    `clock` gives seconds, `pause` waits some. A `guest` reaches a board whose port another program holds; it has notes
    of its own, and `borrow` opens the port for a question when nobody holds it any more. A command that cannot be noted
    is not sent, unless the program need not keep its notes (`must_keep`).
    """

    def __init__(
        self,
        reach: Callable[[], Transport],
        folder: Path,
        *,
        clock: Clock = time.monotonic,
        pause: Callable[[float], None] = time.sleep,
        chance: random.Random | None = None,
        on_event: Callable[[Happened], None] = lambda happened: None,
        on_notice: Callable[[str], None] = lambda text: None,
        on_settled: Callable[[str], None] | None = None,
        guest: bool = False,
        borrow: Callable[[], Transport] | None = None,
        must_keep: bool = True,
    ) -> None:
        self.on_event = on_event
        self.on_notice = on_notice
        self.on_settled = on_settled or self._notice
        self.guest = guest
        self.notes: list[str] = []  # what on_notice was told, the newest of it
        self.ack_ms: list[float] = []  # of the newest commands, from the first byte to the answer
        self.done = 0  # commands that counted
        self.waiting: dict[int, Waiting] = {}  # in front of a side's peg, as last heard
        self.away: TransportError | None = None  # why the board cannot be heard just now
        self._folder = folder
        self._must_keep = must_keep
        self._again_s = 0.0  # when notes that could not be written are tried again
        self._clock = clock
        self._chance = chance or random.SystemRandom()
        self._line = Line(
            reach,
            clock=clock,
            pause=pause,
            on_push=self._pushed,
            on_open=self._greet,
            on_away=self._away,
            borrow=borrow,
        )
        self._talk = Talk(self._line, self._chance.randrange(255))
        self._joined: tuple[Once, Follow] | None = None

    def open(self) -> Board:
        """Open the link, learn who is there, and settle what an earlier run of this program has left unsettled."""
        try:
            self._line.open()
            self._settle()
        except BaseException:
            self.close()
            raise
        return self

    def close(self) -> None:
        """Note how the match stands, and let others have the board."""
        self._line.close()
        if self._joined is not None:
            try:
                self._note()
            except CribboardError as error:  # what the board has done counts all the same
                if self.done:
                    self._notice(Notice(f"{error.message}; the command counts, but is not noted here"))
            finally:
                self._once.ledger.close()
                self._joined = None

    def __enter__(self) -> Board:
        return self.open()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def hello(self) -> Hello:
        """Who the board is."""
        return self._once.hello

    @property
    def port(self) -> str:
        """Where it is; empty while it is unplugged."""
        return self._line.name

    @property
    def losses(self) -> int:
        """How often the board was found to have lost events since it was opened: known numbers mean others then."""
        return self._once.losses

    @property
    def unwritten(self) -> CribboardError | None:
        """Why this program's notes are in its memory alone; None when they are on the disk."""
        return self._once.ledger.unwritten

    @property
    def match(self) -> Match:
        """The board's match. What happened before this program looked is not in its history; see `last`."""
        return self._follow.mirror.match

    @property
    def standing(self) -> Standing:
        """How the match stands."""
        return self._follow.standing

    def pend(self, side: int, points: int, owner: int = ANYBODY, seconds: int = PEND_S) -> None:
        """Show points in front of a side's peg for so many seconds; 0 takes away what this owner shows."""
        self._talk.pend(side, points, owner, seconds)

    def choose(self, brightness: int | None = None, sound: int | None = None, commit_s: int | None = None) -> Chosen:
        """Change brightness (10, 30, 60 or 100 per cent), sound (0 off, 1 quiet, 2 on) or time to commit at once.

        None stays. Returns what counts now. Raises WrongBoard when the firmware is too old for it, and ArgumentError or
        CommandError for what this board can't be.
        """
        if brightness not in (None, *BRIGHTNESSES):
            raise ArgumentError(f"a running board takes a brightness of 10, 30, 60 or 100 per cent, not {brightness}")
        if commit_s is not None and not 0 <= commit_s <= MOST_COMMIT_S:
            raise ArgumentError(f"a running board takes a time to commit of 0 to {MOST_COMMIT_S} s, not {commit_s}")
        self.need("choose", "changes while it runs")
        if sound and not self._talk.choose(-1, sound, -1).sound:  # before the rest, so that all changes or nothing
            raise CommandError("piezo", "this board has no piezo, so it makes no sound")
        return self._talk.choose(*[-1 if wanted is None else wanted for wanted in (brightness, sound, commit_s)])

    def silence(self) -> None:
        """Make no sound until one is chosen, at the board or from a host, or the power goes; the choice stays kept.

        Raises WrongBoard when the firmware is too old for it.
        """
        self.need("choose", "changes while it runs")
        self._talk.choose(-1, SILENT, -1)

    def command(self, op: str, *args: Json, names: Names | None = None, key: str = "", act: Json = None) -> Happened:
        """Have the board do something, once; gives what it did, raises CommandError when it refuses.

        `names` are those of a new game. A `key` that was answered before is not done again, in no later run either:
        what it did then is the answer. The `act` that it belongs to is noted with it, until `end_act`. Of a refused one
        nothing is kept.
        """
        once, follow = self._once, self._follow
        self.settle()
        if key in once.ledger.answers:
            return self._answered(*once.ledger.answers[key])
        answer: Message = []
        for _ in range(TRIES):
            once.commit(op, list(args), follow.known, names, key, act)
            follow.changed = True
            began = self._clock()
            answer = once.send()
            self.ack_ms.append((self._clock() - began) * 1000)
            del self.ack_ms[:-KEPT]
            if self._is_mine(answer[3]) if answer[0] == "ok" else answer[3] not in ("session", "stale"):
                break
            rev = once.search()
            if rev is not None:
                gone = "the board keeps too little of what came meanwhile, so nobody knows whether this counted"
                answer = ["ok", 0, 0, rev] if rev else ["no", 0, 0, "unknown", gone]
                break
            once.new_session()
        if key and answer[3] == "unknown":
            once.ledger.answer(key, 0)  # asked again, it must not count a second time
        once.done(answer[3] if answer[0] == "ok" else 0)
        if answer[0] == "no":
            self.end_act()
        follow.catch_up()
        if follow.doubted:
            follow.sync()
        if answer[0] == "no":
            raise CommandError(str(answer[3]), str(answer[4]))
        self.done += 1
        return follow.what_made(int(answer[3]))

    def take_over(self, left: Left, rev: int, key: str, act: Json = None) -> int:
        """Take over the game that another board has left, unless something has happened here since `rev`.

        It is done once for a `key`, with an `act` as in `command`; gives the game's number. Raises CommandError when
        the board refuses it.
        """
        stood = left.standing
        args: list[Json] = [rev, *stood.setup(), stood.pegs(), list(stood.won)]
        self.command("restore", *args, names=left.names, key=key, act=act)
        ledger = self._once.ledger
        game, _ = ledger.answers[key]
        ledger.take_over(game, left)
        self._follow.changed = True
        self._note()
        return game

    def poll(self, seconds: float = 0.0) -> list[list[int | str]]:
        """Hear for so long what happens on the board, but no longer than till something does.

        Returns its events as [rev, "kind", side, a, b, c, session, id, game]; `on_event` gets more about each. If the
        board is unplugged or hangs, this calls `on_notice`, waits until the board is back, and calls it again.
        """
        follow = self._follow
        begin = follow.changes
        ends = self._clock() + seconds
        while True:
            try:
                self._line.listen()
                if not self._line.away:
                    follow.catch_up()
                if self._line.quiet or follow.doubted:
                    follow.sync(reopen=False)
            except TransportError as error:
                self._line.lost(error)
            if follow.changes > begin or self._clock() >= ends:
                break
        self._note()
        new = follow.changes - begin
        return [happened.row.fields() for happened in list(follow.recent)[-new:] if happened.row] if new else []

    def wake(self) -> None:
        """Have a `poll` in another thread return soon."""
        self._line.wake()

    def through(self, wrap: Callable[[Transport], Transport]) -> None:
        """Use the port through what `wrap` makes of it, now and whenever it is opened again."""
        self._line.through(wrap)

    def sync(self) -> Standing:
        """Ask the board for its state, bring the copy to it, and return it."""
        return self._follow.sync()

    def check(self) -> bool:
        """Whether the copy equals the board's match, to the last peg and number."""
        theirs = self._talk.standing()
        self._follow.catch_up()
        return self.standing == theirs

    def events(self, after: int = -1) -> list[Row]:
        """All events after a rev that the board still keeps, with those that only this program remembers."""
        losses, there = -1, list[Row]()
        while losses != self.losses:  # what was read before the board lost events is of no use after
            losses, there = self.losses, self._talk.events(after)[1]
        rows = {row.rev: row for row in (*self._follow.known.rows, *there) if row.rev > after}
        return [rows[rev] for rev in sorted(rows)]

    def at_hand(self) -> tuple[Row | None, Row | None]:
        """The event that undo would take back and the one that redo would bring back, None for nothing."""
        return self._follow.at_hand()

    def settle(self) -> None:
        """Find out what became of a command without an answer, if there is one, and say so."""
        if self._once.ledger.pending is not None:
            self._once.hello = self._talk.hello()
            self._settle()

    def answer(self, key: str) -> Answer | None:
        """What a keyed command came to, if it was done: its rev (0: not known any more), and what was said of it."""
        return self._once.ledger.answers.get(key)

    def said(self, key: str, text: str) -> None:
        """Keep what was said of a keyed command."""
        ledger = self._once.ledger
        if key in ledger.answers:
            ledger.answers[key] = (ledger.answers[key][0], text)
            self._follow.changed = True

    @property
    def act(self) -> Json:
        """The act that was noted with a command, by this run or the one before; None when none is unfinished."""
        return self._once.ledger.act

    def end_act(self) -> None:
        """Forget the act: all of it is noted elsewhere, or none of it counts."""
        if self._once.ledger.act is not None:
            self._once.ledger.act = None
            self._follow.changed = True

    def has_made(self, row: Row, op: str, key: str) -> bool:
        """Whether an event is what this program's command of this key has made."""
        return self._once.has_made(row, op, key)

    @property
    def tag(self) -> tuple[int, int]:
        """The session and id of this program's newest command."""
        return self._once.ledger.session, self._once.ledger.last_id

    def call(self, names: Names) -> None:
        """Give those who play this game their names, by place."""
        self._once.ledger.name(self.match.game, names)
        self._follow.changed = True
        self._note()

    def rename(self, before: Collection[str], after: str) -> None:
        """Call who has one of these names otherwise in all games that are noted, or no longer."""
        if self._once.ledger.rename(before, after):
            self._follow.changed = True
            self._note()

    @property
    def names(self) -> Names:
        """The names on this host of those who play this game."""
        return dict(self._once.ledger.names(self.match.game))

    @property
    def games_won(self) -> dict[int, int]:
        """The games won, by side: by the people who sit there now, or as the board counts when nobody has a name."""
        standing = self.standing
        return dict(zip(standing.sides, self._once.ledger.games_won(standing), strict=True))

    @property
    def folder(self) -> Path:
        """Where this host keeps what it knows of this board."""
        return self._once.ledger.path.parent

    @property
    def _once(self) -> Once:
        return self._parts()[0]

    @property
    def _follow(self) -> Follow:
        return self._parts()[1]

    def _parts(self) -> tuple[Once, Follow]:
        if self._joined is None:
            raise TransportError("the board is not open", "open it first")
        return self._joined

    def _is_mine(self, rev: int) -> bool:
        """Whether an event is the command's on its way: another program may have drawn the same session."""
        row = self._follow.row(rev)
        return row is None or self._once.is_own(row)

    def _answered(self, rev: int, text: str) -> Happened:
        if not rev:
            raise CommandError("unknown", "the board has lost its memory, so nobody knows whether this counted")
        return self._follow.what_made(rev) if rev <= self.standing.rev else Happened(None, self.standing, self.standing)

    def _greet(self) -> None:
        """After each opening: who is there, and whether its journal is the one known."""
        hello = self._talk.hello(reopen=False)
        if self._joined is None:
            ledger = Ledger(self._folder, hello.uid, GUESTS if self.guest else HOLDER, must_keep=self._must_keep)
            once = Once(self._talk, ledger, hello, self._chance, self._notice, self._settled, self._look_again)
            try:
                known = once.meet(self._talk.standing(reopen=False), once.ledger.known)
            except BaseException:
                once.ledger.close()
                raise
            ledger.look(known)
            self.away = None
            self._joined = once, Follow(self._talk, known, self._happened, self._look_again)
            return
        once, _ = self._joined
        if hello.uid != once.hello.uid:
            raise WrongBoard(
                f"another board has come back: {hello.uid} instead of {once.hello.uid}", "plug the first one in again"
            )
        self._meet(hello)
        self.away = None
        self._notice(Notice(f"the board is back on {self._line.name}", "the board is back"))

    def _meet(self, hello: Hello, *, doubted: bool = False) -> None:
        """Compare how the board stands with what is known of it."""
        once, follow = self._once, self._follow
        once.hello = hello
        follow.changed = True
        standing = self._talk.standing(reopen=False)
        known, losses = once.before_pending(follow.known), once.losses
        reconciled = once.meet(standing, known, doubted=doubted)
        if once.losses > losses or standing.rev < follow.standing.rev:
            follow.start_over(reconciled)
        else:
            follow.moved_on(standing)

    def need(self, word: str, what: str) -> None:
        """Raise WrongBoard, with what to do, unless the board's `can` has this word."""
        if word not in self.hello.can.split():
            raise WrongBoard(f"this board's firmware doesn't know {what}", UPDATE)

    def _look_again(self, reopen: bool) -> None:
        """Find out whether the board has lost something although the link has not broken."""
        try:
            self._meet(self._talk.hello(reopen=False), doubted=True)
        except TransportError as error:
            if not reopen:
                raise
            self._line.lost(error)
            self._talk.hello()  # coming back compares them too

    def _settle(self) -> None:
        if self._once.ledger.pending is not None:
            self._settled(self._once.settle(self.standing))
            self._follow.sync()
            self._follow.changed = True
            self._note()

    def _notice(self, text: str) -> None:
        self.notes.append(text)
        del self.notes[:-KEPT]
        self.on_notice(text)

    def _settled(self, text: str) -> None:
        self.on_settled(text)

    def _happened(self, happened: Happened) -> None:
        row = happened.row
        if row is not None and row.kind == NEW and (row.session, row.id) != self.tag:
            self._once.ledger.adopt(row.rev, (row.session, row.id))
        self._once.ledger.begin(happened.before, happened.after)
        self.on_event(happened)

    def _away(self, error: TransportError) -> None:
        self.away = error
        self.waiting.clear()
        public = "the board does not answer; the kiosk waits for it to come back"
        self._notice(Notice(f"{error.message}; waiting for it to come back", public))

    def _pushed(self, message: Message) -> None:
        if message[0] == "ev" and self._joined is not None:
            row = Row.read(message[1:])
            self._once.heard(row)
            self._follow.heard(row)
        elif message[0] == "pend" and len(message) >= 5 and message[1] == -1 and message[2] in range(PLACES):
            self.waiting[message[2]] = Waiting(*message[3:5])
        elif message[0] == "say" and len(message) == 2:
            self._notice(f"the board says: {message[1]}")

    def _note(self) -> None:
        """Write down how the match stands, if that is news."""
        once, follow = self._joined or (None, None)
        if once is None or follow is None:
            return
        due = once.ledger.unwritten is not None and self._clock() >= self._again_s
        if follow.changed or due:
            if once.ledger.pending is None:
                once.ledger.stand(follow.known)
            once.ledger.save()
            follow.changed = False
            self._again_s = self._clock() + AGAIN_S
