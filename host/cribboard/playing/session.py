"""A referee and a board kept in step: what the referee pegs is sent once, what buttons do is taken in.

Both number their events alike, so an event that the board has is known by its number. An act is in the log before the
board hears of it; after a restart whatever the board lacks is sent, and whatever it has beyond that came by its
buttons.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from cribboard.board.client import Board
from cribboard.board.follow import BoardChange
from cribboard.board.messages import Event, Standing
from cribboard.errors import CommandError, CribboardError, TransportError
from cribboard.playing import log as logs
from cribboard.playing.log import Log
from cribboard.referee.outcomes import Act, Outcome
from cribboard.referee.pegs import MINE, PENDING, Pegged, pack_match
from cribboard.referee.referee import Referee
from cribboard.referee.setup import Setup, same_new
from cribboard_core.events import RESTORE
from cribboard_core.match import Match
from cribboard_core.variants import COLOURS

AWAY = "plug it in, or type quit"
_GIVE = "mine to put this game's score on the board"


class Session:
    """A game at an open board. `mismatch` says in words how board and referee differ, and is empty while they agree.

    `heard` are the board's own events that were taken in and not told yet. A `patient` game waits for a board that goes
    away; otherwise that raises TransportError.
    """

    def __init__(self, board: Board, log: Log, referee: Referee) -> None:
        self.board = board
        self.referee = referee
        self.mismatch = ""
        self.heard: list[Event] = []
        self.notes: list[str] = []
        self._log = log
        self.patient = False
        self._behind = False  # the link broke before board and game were in step
        self._news: list[BoardChange] = []
        self._others = board.on_event
        board.on_event = self._heard

    @classmethod
    def begin(cls, board: Board, setup: Setup, folder: Path, *, must_keep: bool = True) -> Session:
        """A new game, which begins on the board with its first deal; `must_keep` is as for its log."""
        board.sync()
        base = pack_match(board.match, board.hello.epoch)
        log = logs.begin(folder, setup, base, must_keep=must_keep)
        return cls(board, log, Referee(setup, base))

    @classmethod
    def resume(cls, board: Board, folder: Path, *, must_keep: bool = True) -> Session | None:
        """The game that the log has, brought into step with the board; None without a log.

        When the board has gone back to the game before, that one is brought back.
        """
        session = cls._compared(board, folder, must_keep)
        if session is None:
            return None
        if session._is_void() and _was_before(board, folder):
            session.close()
            logs.bring_back(folder)
            session = cls._compared(board, folder, must_keep)
            assert session is not None  # noqa: S101 (it was looked at)
            session.notes.append("The board has gone back to the previous game, and so does the referee.")
        return session

    @classmethod
    def _compared(cls, board: Board, folder: Path, must_keep: bool) -> Session | None:
        log_and_referee = logs.read(folder, must_keep=must_keep)
        if log_and_referee is None:
            return None
        session = cls(board, *log_and_referee)
        try:
            session._compare()
        except BaseException:
            session.close()
            raise
        return session

    @property
    def unwritten(self) -> CribboardError | None:
        """Why the newest acts are not in the log, None when they are."""
        return self._log.unwritten

    @property
    def ways_out(self) -> str:
        """What can be typed while board and referee are apart: the board's score only for these players and target."""
        keeps = "board to keep the board's score, or " if self._same_players() else ""
        return f"type {keeps}{_GIVE}{'' if keeps else ', or quit'}"

    @property
    def log_path(self) -> Path:
        """Where the game is kept."""
        return self._log.path

    def keep_again(self) -> None:
        """Write the acts that the disk has refused."""
        if self.unwritten is not None:
            self._log.keep_again()

    def close(self) -> None:
        """End it; it can be resumed."""
        self._log.close()
        self.board.on_event = self._others

    @property
    def waiting(self) -> list[Pegged]:
        """What is pegged here, and will be on the board as soon as it can be heard again."""
        return [] if self.mismatch else [pegged for _, pegged in self.referee.pegs.pending(self.board.match.rev)]

    def act(self, act: Act) -> list[Outcome]:
        """Have the referee do an act and the board peg it; raises ValueError when the rules do not allow it.

        While the board is away one act waits for it, and no other is done.
        """
        self.hear()
        if self.mismatch:
            raise CribboardError(self.mismatch, self.ways_out)
        if self.patient and self.waiting:
            raise CribboardError("the board is away, and what happened last waits for it", AWAY)
        outcomes = self.referee.act(act)
        self._note(act)
        self._while_there(self._send)
        return outcomes

    def hear(self, seconds: float = 0.0) -> None:
        """Take in what has happened on the board, and peg what has waited for it."""
        there = self.board.away is None
        self._while_there(lambda: self.board.poll(seconds))
        if self.patient and there and self.board.away is not None:  # a link that has just broken is mostly back at once
            self._while_there(self.board.poll)
        if not self.patient or self.board.away is None:
            self._while_there(self._catch_up if self._behind else self._take_news)

    def _while_there(self, work: Callable[[], object]) -> None:
        """Do something with the board; when the link breaks, compare both once it is back."""
        try:
            work()
        except TransportError:
            self._behind = True
            if not self.patient:
                raise

    def _catch_up(self) -> None:
        """What became of the last command shows in what the board has done; what it lacks is sent again."""
        try:
            self.board.settle()
        except TransportError:
            raise
        except CribboardError:  # it is known to have been lost
            pass
        self._compare()
        self._behind = False

    def take_board(self) -> None:
        """From now on the score is the board's."""
        self._do(["base", *pack_match(self.board.match, self.board.hello.epoch)])
        self.mismatch = ""

    def give_board(self) -> None:
        """Give the board the score that this game has."""
        try:
            self._give()
        except TransportError as error:
            self._behind = True
            raise CribboardError("the board is away", "plug it in, and type that again") from error

    def _give(self) -> None:
        mine = Standing.of(self.referee.match)
        if not mine.same(self.board.standing):
            self.board.restore(mine)
        self._news.clear()
        self.take_board()

    def _heard(self, change: BoardChange) -> None:
        self._others(change)
        self._news.append(change)

    def _do(self, act: Act) -> None:
        self.referee.act(act)
        self._note(act)

    def _note(self, act: Act) -> None:
        try:
            self._log.append(act)
        except CribboardError:
            # The referee has done the act already: it begins again from what the file has, so that both say the same.
            log_and_referee = logs.read(self._log.path.parent)
            assert log_and_referee is not None  # noqa: S101 (it was there a moment ago)
            self.close()
            self._log, self.referee = log_and_referee
            raise

    def _send(self) -> None:
        """Peg what the board lacks, one after the other."""
        while not self.mismatch and (lacking := self.referee.pegs.pending(self.board.match.rev)):
            if not lacking[0][1].command:  # a press that came with the board's journal, before it was heard
                self.board.sync()
                return
            op, *args = lacking[0][1].command
            names = None
            if op == "new":
                args.insert(0, self.board.match.rev)
                setup = self.referee.setup
                called = zip(setup.places, setup.names, strict=True)
                names = {place: name for place, name in called if name.casefold() not in COLOURS}
            if self.patient and self.board.away is not None:
                self._behind = True
                return
            try:
                self.board.command(str(op), *args, names=names)
            except CommandError as error:
                self._take_news()
                if not self.mismatch and self.referee.pegs.pending(self.board.match.rev)[:1] == lacking[:1]:
                    self._part(f"the board refuses what is pegged here: {error.message}")
            else:
                self._take_news()

    def _take_news(self) -> None:
        if self.board.hello.epoch != self.referee.pegs.base[3]:
            self._compare()
        events: list[Event] = []
        while self._news:
            event = self._news.pop(0).event
            if event is None or event.kind == RESTORE:
                self._news.clear()
                self._compare()
                return
            events.append(event)
        if events and not self.mismatch:
            self._match_up(events)
            self._send()

    def _compare(self) -> None:
        """Bring both into step from what the board still keeps, and make sure that they agree."""
        self.board.sync()
        self._news.clear()
        same_journal = self.board.hello.epoch == self.referee.pegs.base[3]
        if same_journal:
            self._match_up(self.board.events(self.referee.pegs.base_rev))
        theirs, mine = self.board.standing, Standing.of(self.referee.match)
        then = self.referee.pegs.match_at(theirs.rev)
        if same_journal and then is not None and Standing.of(then) == theirs:
            self.mismatch = ""
            self._send()
        elif self.referee.begun and (_as_much(mine, theirs) or (not same_journal and self._lags(theirs))):
            self._give()
            self.notes.append("The board's score is restored; earlier scores can no longer be taken back.")
        else:
            self._part("the board's score is not this game's")

    def _lags(self, theirs: Standing) -> bool:
        """Whether a board whose journal is new stands where this game stood before some event of the newest act."""
        pegs = self.referee.pegs
        newest = pegs.events[-1].act if pegs.events else -1
        revs = [pegs.base_rev + at for at, pegged in enumerate(pegs.events) if pegged.act == newest]
        stood = [match for rev in [*revs, pegs.match.rev] if (match := pegs.match_at(rev))]
        return any(Standing.of(match).same(theirs) for match in stood)

    def _is_void(self) -> bool:
        """Whether nothing is left of this game, and the board is not where it was when it was set up."""
        game = self.board.match.game
        return self.referee.phase == "left" or (self.referee.phase == "cut" and game != self.referee.pegs.base[1])

    def _match_up(self, heard: Sequence[Event]) -> None:
        events = self.referee.pegs.events
        for number, event in enumerate(heard):
            at = event.rev - self.referee.pegs.base_rev - 1
            if at < 0 or (at < len(events) and _is(events[at], event)):
                continue
            try:
                if at < len(events):
                    order = _order(events[at:], heard[number:])
                    self._do(order)
                    if not all(whose for whose, *_ in order[2]):
                        self.notes.append("Somebody used the board at the same time; look at the scores.")
                    return
                if at > len(events):
                    raise ValueError
                self._do(["board", *event.as_folded])
            except ValueError:
                self._part("the board and this game disagree")
                return
            self.heard.append(event)
            events = self.referee.pegs.events

    def _part(self, why: str) -> None:
        here = (
            f"this game has {self._scores(self.referee.match)}" if self.referee.begun else "this game has not started"
        )
        setup, theirs = self.referee.setup, self.board.match
        there = self._scores(theirs)
        if (theirs.play.mask, len(theirs.sides)) != (setup.mask, setup.count):
            there = "other players"
        elif theirs.target != setup.target:
            there = f"{there} in a game to {theirs.target}"
        self.mismatch = f"{why}: the board has {there}, {here}"

    def _same_players(self) -> bool:
        setup, match = self.referee.setup, self.board.match
        return (match.target, match.play.mask, len(match.sides)) == (setup.target, setup.mask, setup.count)

    def _scores(self, match: Match) -> str:
        setup = self.referee.setup
        shared = [side for side in match.sides if side in setup.sides]
        return ", ".join(f"{setup.side_name(side)} {match.front(side)}" for side in shared)


def _as_much(mine: Standing, theirs: Standing) -> bool:
    """Whether both are games of the same players with the same score; who deals, the cards know."""
    mine, theirs = [replace(one, dealer=0, skunk=0, double=0, backs=(), won=()) for one in (mine, theirs)]
    return mine.same(theirs)


def _was_before(board: Board, folder: Path) -> bool:
    """Whether the game that was put aside last is the one that the board has now."""
    before = logs.look(folder, logs.BEFORE)
    return before is not None and (before.pegs.base[3], before.pegs.game) == (board.hello.epoch, board.match.game)


def _is(pegged: Pegged, event: Event) -> bool:
    """Whether an event is this one of the board's; what a button did is never what a command did."""
    return pegged.event == event.as_folded and bool(pegged.command) <= bool(event.session)


def _order(lacking: list[Pegged], events: Sequence[Event]) -> Act:
    """The act that says how these events and the board's own have come one after the other."""
    waiting = list(lacking)
    order = []
    for event in events:
        mine = bool(waiting and event.session) and (
            waiting[0].event == event.as_folded or same_new(waiting[0].event, event.as_folded)
        )
        order.append([MINE if mine else 0, *event.as_folded])
        if mine:
            waiting.pop(0)
    return ["order", len(lacking), order + [[PENDING, *pegged.event] for pegged in waiting]]
