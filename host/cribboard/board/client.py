"""A board as an object: commands that count exactly once, and a copy of its match that is always the board's."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Collection
from pathlib import Path
from types import TracebackType

from cribboard.board.change import Change
from cribboard.board.commands import ANYBODY, PEND_S, Commands
from cribboard.board.exactly_once import CommandSender
from cribboard.board.follow import BoardChange, Follow
from cribboard.board.ledger import GUESTS, HOLDER, Answer, Ledger, Left, Names
from cribboard.board.link import Clock, Connection, Message
from cribboard.board.messages import (
    BRIGHTNESSES,
    MOST_COMMIT_S,
    SILENT,
    UPDATE,
    Chosen,
    Event,
    Hello,
    Standing,
    Waiting,
)
from cribboard.board.queries import Queries
from cribboard.board.transport import Transport
from cribboard.errors import ArgumentError, CommandError, CribboardError, Notice, TransportError, WrongBoard
from cribboard.json_types import Json
from cribboard.names import people
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
        on_event: Callable[[BoardChange], None] = lambda change: None,
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
        self._connection = Connection(
            reach,
            clock=clock,
            pause=pause,
            on_push=self._pushed,
            on_open=self._greet,
            on_away=self._away,
            borrow=borrow,
        )
        self._queries = Queries(self._connection, self._chance.randrange(255))
        self._joined: tuple[CommandSender, Follow] | None = None

    def open(self) -> Board:
        """Open the link, learn who is there, and settle what an earlier run of this program has left unsettled."""
        try:
            self._connection.open()
            self._settle()
        except BaseException:
            self.close()
            raise
        return self

    def close(self) -> None:
        """Note how the match stands, and let others have the board."""
        self._connection.close()
        if self._joined is not None:
            try:
                self._note()
            except CribboardError as error:  # what the board has done counts all the same
                if self.done:
                    self._notice(Notice(f"{error.message}; the command counts, but is not noted here"))
            finally:
                self._sender.ledger.close()
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
        return self._sender.hello

    @property
    def port(self) -> str:
        """Where it is; empty while it is unplugged."""
        return self._connection.name

    @property
    def losses(self) -> int:
        """How often the board was found to have lost events since it was opened: known numbers mean others then."""
        return self._sender.losses

    @property
    def unwritten(self) -> CribboardError | None:
        """Why this program's notes are in its memory alone; None when they are on the disk."""
        return self._sender.ledger.unwritten

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
        self._queries.pend(side, points, owner, seconds)

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
        if sound and not self._queries.choose(-1, sound, -1).sound:  # before the rest, so that all changes or nothing
            raise CommandError("piezo", "this board has no piezo, so it makes no sound")
        return self._queries.choose(*[-1 if wanted is None else wanted for wanted in (brightness, sound, commit_s)])

    def silence(self) -> None:
        """Make no sound until one is chosen, at the board or from a host, or the power goes; the choice stays kept.

        Raises WrongBoard when the firmware is too old for it.
        """
        self.need("choose", "changes while it runs")
        self._queries.choose(-1, SILENT, -1)

    def command(self, op: str, *args: Json, names: Names | None = None, key: str = "", act: Json = None) -> BoardChange:
        """Have the board do something, once; gives what it did, raises CommandError when it refuses.

        `names` are those of a new game. A `key` that was answered before is not done again, in no later run either:
        what it did then is the answer. The `act` that it belongs to is noted with it, until `end_act`. Of a refused one
        nothing is kept.
        """
        sender, follow = self._sender, self._follow
        self.settle()
        if key in sender.ledger.answers:
            return self._answered(*sender.ledger.answers[key])
        if op == "new" and names is None:
            names = people(self.names)
        answer: Message = []
        for _ in range(TRIES):
            sender.commit(op, list(args), follow.known, names, key, act)
            follow.changed = True
            began = self._clock()
            answer = sender.send()
            self.ack_ms.append((self._clock() - began) * 1000)
            del self.ack_ms[:-KEPT]
            # Another program may have drawn the same session, or begun a later one. Then this is no answer to ours: it
            # is looked for in the journal, and sent again, in a new session, only if it is not there.
            if self._is_mine(answer[3]) if answer[0] == "ok" else answer[3] not in ("session", "stale"):
                break
            rev = sender.search()
            if rev is not None:
                gone = "the board keeps too little of what came meanwhile, so nobody knows whether this counted"
                answer = ["ok", 0, 0, rev] if rev else ["no", 0, 0, "unknown", gone]
                break
            sender.new_session()
        if key and answer[3] == "unknown":
            sender.ledger.answer(key, 0)  # asked again, it must not count a second time
        sender.done(answer[3] if answer[0] == "ok" else 0)
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
        ledger = self._sender.ledger
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
                self._connection.listen()
                if not self._connection.away:
                    follow.catch_up()
                if self._connection.quiet or follow.doubted:
                    follow.sync(reopen=False)
            except TransportError as error:
                self._connection.lost(error)
            if follow.changes > begin or self._clock() >= ends:
                break
        self._note()
        new = follow.changes - begin
        return [change.event.fields() for change in list(follow.recent)[-new:] if change.event] if new else []

    def notice_silence(self) -> None:
        """Be `away` if the last query had no answer, so that the next one does not wait in vain."""
        self._connection.notice_silence()

    def wake(self) -> None:
        """Have a `poll` in another thread return soon."""
        self._connection.wake()

    def through(self, wrap: Callable[[Transport], Transport]) -> None:
        """Use the port through what `wrap` makes of it, now and whenever it is opened again."""
        self._connection.through(wrap)

    def sync(self) -> Standing:
        """Ask the board for its state, bring the copy to it, and return it."""
        return self._follow.sync()

    def check(self) -> bool:
        """Whether the copy equals the board's match, to the last peg and number."""
        theirs = self._queries.standing()
        self._follow.catch_up()
        return self.standing == theirs

    def events(self, after: int = -1) -> list[Event]:
        """All events after a rev that the board still keeps, with those that only this program remembers."""
        losses, there = -1, list[Event]()
        while losses != self.losses:  # what was read before the board lost events is of no use after
            losses, there = self.losses, self._queries.events(after)[1]
        events = {event.rev: event for event in (*self._follow.known.events, *there) if event.rev > after}
        return [events[rev] for rev in sorted(events)]

    def at_hand(self) -> tuple[Event | None, Event | None]:
        """The event that undo would take back and the one that redo would bring back, None for nothing."""
        return self._follow.at_hand()

    def settle(self) -> None:
        """Find out what became of a command without an answer, if there is one, and say so."""
        if self._sender.ledger.pending is not None:
            self._sender.hello = self._queries.hello()
            self._settle()

    def answer(self, key: str) -> Answer | None:
        """What a keyed command came to, if it was done: its rev (0: not known any more), and what was said of it."""
        return self._sender.ledger.answers.get(key)

    def said(self, key: str, text: str) -> None:
        """Keep what was said of a keyed command."""
        ledger = self._sender.ledger
        if key in ledger.answers:
            ledger.answers[key] = (ledger.answers[key][0], text)
            self._follow.changed = True

    @property
    def act(self) -> Json:
        """The act that was noted with a command, by this run or the one before; None when none is unfinished."""
        return self._sender.ledger.act

    def end_act(self) -> None:
        """Forget the act: all of it is noted elsewhere, or none of it counts."""
        if self._sender.ledger.act is not None:
            self._sender.ledger.act = None
            self._follow.changed = True

    def has_made(self, event: Event, op: str, key: str) -> bool:
        """Whether an event is what this program's command of this key has made."""
        return self._sender.has_made(event, op, key)

    @property
    def tag(self) -> tuple[int, int]:
        """The session and id of this program's newest command."""
        return self._sender.ledger.session, self._sender.ledger.last_id

    def call(self, names: Names) -> None:
        """Give those who play this game their names, by place."""
        self._sender.ledger.name(self.match.game, names)
        self._follow.changed = True
        self._note()

    def rename(self, before: Collection[str], after: str) -> None:
        """Call who has one of these names otherwise in all games that are noted, or no longer."""
        if self._sender.ledger.rename(before, after):
            self._follow.changed = True
            self._note()

    @property
    def names(self) -> Names:
        """The names on this host of those who play this game."""
        return dict(self._sender.ledger.names(self.match.game))

    @property
    def games_won(self) -> dict[int, int]:
        """The games won, by side: by the people who sit there now, or as the board counts when nobody has a name."""
        standing = self.standing
        return dict(zip(standing.sides, self._sender.ledger.games_won(standing), strict=True))

    @property
    def folder(self) -> Path:
        """Where this host keeps what it knows of this board."""
        return self._sender.ledger.path.parent

    @property
    def _sender(self) -> CommandSender:
        return self._parts()[0]

    @property
    def _follow(self) -> Follow:
        return self._parts()[1]

    def _parts(self) -> tuple[CommandSender, Follow]:
        if self._joined is None:
            raise TransportError("the board is not open", "open it first")
        return self._joined

    def _is_mine(self, rev: int) -> bool:
        """Whether an event is the command's on its way: another program may have drawn the same session."""
        event = self._follow.event(rev)
        return event is None or self._sender.is_own(event)

    def _answered(self, rev: int, text: str) -> BoardChange:
        if not rev:
            raise CommandError("unknown", "the board has lost its memory, so nobody knows whether this counted")
        return self._follow.what_made(rev) if rev <= self.standing.rev else Change(None, self.standing, self.standing)

    def _greet(self) -> None:
        """After each opening: who is there, and whether its journal is the one known."""
        hello = self._queries.hello(reopen=False)
        if self._joined is None:
            ledger = Ledger(self._folder, hello.uid, GUESTS if self.guest else HOLDER, must_keep=self._must_keep)
            sender = CommandSender(
                self._queries, ledger, hello, self._chance, self._notice, self._settled, self._look_again
            )
            try:
                known = sender.meet(self._queries.standing(reopen=False), sender.ledger.known)
            except BaseException:
                sender.ledger.close()
                raise
            ledger.look(known)
            self.away = None
            self._joined = sender, Follow(self._queries, known, self._happened, self._look_again)
            return
        sender, _ = self._joined
        if hello.uid != sender.hello.uid:
            raise WrongBoard(
                f"another board has come back: {hello.uid} instead of {sender.hello.uid}", "plug the first one in again"
            )
        self._meet(hello)
        self.away = None
        self._notice(Notice(f"the board is back on {self._connection.name}", "the board is back"))

    def _meet(self, hello: Hello, *, doubted: bool = False) -> None:
        """Compare how the board stands with what is known of it."""
        sender, follow = self._sender, self._follow
        sender.hello = hello
        standing = self._queries.standing(reopen=False)
        known, losses = sender.before_pending(follow.known), sender.losses
        reconciled = sender.meet(standing, known, doubted=doubted)
        sender.doubt()
        if sender.losses > losses or standing.rev < follow.standing.rev:
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
            self._meet(self._queries.hello(reopen=False), doubted=True)
        except TransportError as error:
            if not reopen:
                raise
            self._connection.lost(error)
            self._queries.hello()  # coming back compares them too

    def _settle(self) -> None:
        if self._sender.ledger.pending is not None:
            self._settled(self._sender.settle(self.standing))
            self._follow.sync()
            self._follow.changed = True
            self._note()

    def _notice(self, text: str) -> None:
        self.notes.append(text)
        del self.notes[:-KEPT]
        self.on_notice(text)

    def _settled(self, text: str) -> None:
        self.on_settled(text)

    def _happened(self, change: BoardChange) -> None:
        event = change.event
        if event is not None and event.kind == NEW and (event.session, event.id) != self.tag:
            self._sender.ledger.adopt(event.rev, event, change.before.game)
        self._sender.ledger.begin(change.before, change.after)
        self.on_event(change)

    def _away(self, error: TransportError) -> None:
        self.away = error
        self.waiting.clear()
        public = "the board does not answer; the kiosk waits for it to come back"
        self._notice(Notice(f"{error.message}; waiting for it to come back", public))

    def _pushed(self, message: Message) -> None:
        if message[0] == "ev" and self._joined is not None:
            event = Event.read(message[1:])
            self._sender.heard(event)
            self._follow.heard(event)
        elif message[0] == "pend" and len(message) >= 5 and message[1] == -1 and message[2] in range(PLACES):
            self.waiting[message[2]] = Waiting(*message[3:5])
        elif message[0] == "say" and len(message) == 2:
            self._notice(f"the board says: {message[1]}")

    def _note(self) -> None:
        """Write down how the match stands, if that is news."""
        sender, follow = self._joined or (None, None)
        if sender is None or follow is None:
            return
        due = sender.ledger.unwritten is not None and self._clock() >= self._again_s
        if follow.changed or due:
            if sender.ledger.pending is None:
                # Else the notes keep how the board stood before the command: its fate is found out from that.
                sender.ledger.stand(follow.known)
            sender.ledger.save()
            follow.changed = False
            self._again_s = self._clock() + AGAIN_S
