"""Exactly once: a command and its tag are on the disk before it is sent, and its fate is found out whatever happens."""

from __future__ import annotations

import random
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace

from cribboard.board.commands import can_have_made, said
from cribboard.board.follow import NEWEST, complete
from cribboard.board.ledger import Ledger, Names, Pending
from cribboard.board.link import IsWanted, Message, Unwanted
from cribboard.board.messages import Event, Hello, Known, Standing
from cribboard.board.queries import Queries
from cribboard.errors import ArgumentError, CommandError, CribboardError, Notice, TransportError
from cribboard.json_types import Json
from cribboard_core.events import COMMANDS, KINDS, RESTORE
from cribboard_core.wire import WireError, encode

SESSION_STEP = 500
FIRST_ID, LAST_ID = 2, 127  # of a session; the id before the first one is for what is given back
GUEST_IDS = 4  # of a session, for each place of a guest, behind those
APART = 100  # queries; a killed program sent fewer after it noted its last one
MEMORY, EVENTS = "its memory", "its newest events"  # what a board can lose


class CommandSender:
    """The tags of one host at one board, and the command that is on its way."""

    def __init__(
        self,
        talk: Queries,
        ledger: Ledger,
        hello: Hello,
        chance: random.Random,
        on_notice: Callable[[str], None],
        on_settled: Callable[[str], None],
        on_doubt: Callable[[bool], None],
    ) -> None:
        self.ledger = ledger
        self.hello = hello
        self._queries = talk
        self._chance = chance
        self._on_notice = on_notice
        self._on_settled = on_settled
        self._on_doubt = on_doubt
        self.losses = 0  # how often the board was found to have lost something
        self._in_doubt = False  # sent again, the command on its way might count twice
        if self.ledger.broken:
            on_notice(self.ledger.broken)
        if self.ledger.pending is not None:
            self._number_apart()

    def commit(
        self, op: str, args: list[object], known: Known, names: Names | None, key: str = "", act: Json = None
    ) -> None:
        """Put a command on the disk, from where it goes to the board once, with the act that it belongs to."""
        if op not in COMMANDS:
            raise ArgumentError(f"{op!r} is not a command")
        ledger = self.ledger
        session, number = self._next_tag()
        pending = Pending(op, args, session, number, known.standing.rev, names, key)
        try:
            # Only to see that it fits a frame: once on the disk it would be sent, and fail, at every start.
            encode([op, session, number, *args])
        except (WireError, TypeError, ValueError) as error:
            raise ArgumentError(f"`{said(op, args)}` cannot be sent: {error}") from error
        ledger.session, ledger.last_id, ledger.query, ledger.pending = session, number, self._queries.number, pending
        before, ledger.act = ledger.act, act or ledger.act
        ledger.stand(known)
        try:
            ledger.save()
        except BaseException as error:
            ledger.pending, ledger.act = None, before
            if isinstance(error, CribboardError):
                raise CribboardError(f"{error.message}, so nothing was sent", error.hint) from error
            if isinstance(error, KeyboardInterrupt):  # it may be in the file already, and nobody sends it now
                with suppress(CribboardError):
                    ledger.save()
            raise

    def send(self) -> Message:
        """Send the command on its way until it is answered; raises TransportError, and keeps it, if it is not.

        An `ok` for what was known before the command was sent is no answer to it: its tag means another command to the
        board, so it is as stale as one that the board refuses.
        """
        pending = self._pending()
        text = f"`{said(pending.op, pending.args)}`"
        kept = f"{text} is noted; the next command finds out whether it counted"
        self._in_doubt = False
        wanted: IsWanted = lambda: self.ledger.pending is not None and not self._in_doubt  # noqa: E731
        try:
            answer = self._queries.command(pending.op, pending.session, pending.id, pending.args, wanted)
        except TransportError as error:
            raise TransportError(error.message, f"{error.hint}; {kept}") from error
        except Unwanted as error:
            if self.ledger.pending is None:
                raise self._unsent(text) from error
            self._outdate()
            return _stale(pending, "the board has lost events that came meanwhile")
        except KeyboardInterrupt:
            self._on_settled(kept)
            raise
        if answer[3] != "session":
            self.hello = self.hello.after(pending.session, pending.id)
        if answer[0] == "ok" and answer[3] <= self._pending().rev:
            self._on_doubt(True)
            if self.ledger.pending is None:
                raise self._unsent(text)
            if answer[3] <= self._pending().rev:
                return _stale(pending, "its tag belongs to an earlier command")
        return answer

    def done(self, rev: int) -> None:
        """The command on its way made the event `rev`, or none when that is 0."""
        ledger, pending = self.ledger, self._pending()
        if rev and pending.names is not None:
            ledger.name(rev, pending.names)
        if rev and pending.key:
            ledger.answer(pending.key, rev)
        ledger.pending = None

    def search(self, *, reopen: bool = True) -> int | None:
        """The rev that the command on its way made, None when it made none, 0 when nobody can tell.

        The board may not keep it any more; or another program, which saw it, has given it back in a `restore`.
        """
        pending = self._pending()
        newest, events = self._queries.events(pending.rev, reopen=reopen)
        for event in events:
            if self.is_own(event):
                return event.rev
        return None if complete(events, pending.rev, newest) and not _given_back(events) else 0

    def settle(self, standing: Standing) -> str:
        """Find out what became of a command without an answer; return what to say to the user."""
        pending = self._pending()
        text = f"the last command, `{said(pending.op, pending.args)}`,"
        seen = self._has_met(pending)
        fits = standing.rev == pending.rev
        rev, answer = None, None
        # The board has neither met this tag nor moved on. Sent now it counts once, even if a copy is still on its way:
        # whichever comes second gets the first one's answer.
        if not seen and fits and self._is_newer(pending):
            answer = self.send()
            rev = answer[3]
            outcome = "reached the board only now, and counts"
            if answer[0] == "no" and answer[3] in ("stale", "session"):  # which do not say what became of it
                answer, rev = None, self.search()
        else:
            rev = self.search()
            outcome = "had reached the board, and counts"
            # Not in the journal, but a copy may have come since that was read, or may come yet: with its tag used up it
            # counts no more, and one look at the journal is final.
            if not rev and self._outdate():
                rev = self.search()
            # The board has met the tag, but no event of it is found: it may have been refused, and that answer lost. To
            # its newest tag a board only repeats its answer, so asking again cannot make it count.
            if seen and not rev:
                answer = self.send()  # the answer that was not heard, perhaps, but not sent again
                if answer[0] == "no" and answer[3] == "stale":
                    answer, rev = None, self.search()
                    if fits and rev is None:
                        self._renumber()
                        answer = self.send()
                        rev = answer[3]
                        outcome = "reached the board only now, and counts"
        if answer is not None and answer[0] == "no":
            rev = 0
            outcome = f"was refused: {answer[4]}"
        elif rev is None:
            outcome = "did not count, and the game has gone on; repeat it if it is still right"
        elif not rev:
            if pending.key:
                self.ledger.answer(pending.key, 0)  # asked again, it must not count a second time
            outcome = "may or may not have counted, and the board no longer knows; look at the score"
        self.done(rev or 0)
        return _said_of(text, outcome, counts=bool(rev))

    def meet(self, standing: Standing, known: Known | None, *, doubted: bool = False) -> Known:
        """Reconcile what the board reports with what we knew.

        What it has lost it is given back when nothing has happened on it since; otherwise the user is told. Unless that
        is `doubted`, a board that stands exactly as it was known to stand has lost nothing.
        """
        ledger = self.ledger
        same_journal = self.hello.epoch == ledger.epoch
        if same_journal and known is not None and standing == known.standing and not doubted:
            return known
        if same_journal and known is not None and not self._lacks(standing, known):
            return known if known.standing.rev == standing.rev else self._queries.known(standing)
        # From here on the board lacks something. It gets that back only if nothing has happened on it since: what
        # people pegged on the poorer score outweighs what was lost. `made` is where the command on its way has come
        # true after the loss: it is counted there, and not sent again.
        made = self._made(max(-1, standing.rev - NEWEST) if same_journal else -1)
        gone_on, restored = False, None
        if known is not None:
            self.losses += 1
            lost = EVENTS if same_journal else MEMORY
            if made or not standing.same(known.standing):
                standing, restored = self._make_good(standing, known, lost)
                gone_on = restored is None
            elif known.standing.rev:
                self._on_notice(f"the board had lost {lost}; the pegs stand where they stood")
        # The command on its way was meant for a score that is gone. It follows what stands now, unless that would make
        # it mean something else: an undo would take the restore back.
        if ledger.pending is not None:
            undone = restored is not None and ledger.pending.op in ("undo", "redo")  # would act on the restore
            unfit = gone_on or undone
            self._carry_over(made - 1 if made else standing.rev, forgotten=unfit and not made, gone_on=gone_on)
        # The ledger is written last: after a kill before that the next program meets the same loss again.
        ledger.epoch = self.hello.epoch
        reconciled = self._queries.known(standing)
        if restored is not None and restored not in reconciled.events:  # the board may already keep later events only
            reconciled = Known(standing, (restored, *reconciled.events))
        ledger.stand(reconciled, new_journal=not same_journal)
        ledger.save()
        return reconciled

    def doubt(self) -> None:
        """Look, after the board has come back, whether the command on its way may be in its score without a trace.

        Records behind one that cannot be read say how the match stood, but not whose command that was: the board would
        take it for a new one.
        """
        if self.ledger.pending is not None and self.hello.missing and not self._has_met(self.ledger.pending):
            self._in_doubt = self.search(reopen=False) == 0

    def before_pending(self, known: Known) -> Known:
        """What was known before the command on its way, if that has made the newest event: it will be sent again."""
        newest = known.event(known.standing.rev)
        before = self.ledger.known
        if self.ledger.pending is None or before is None or newest is None:
            return known
        return before if self.is_own(newest) and newest.rev == before.standing.rev + 1 else known

    def heard(self, event: Event) -> None:
        """Note the newest tag that the board has met, be it another program's."""
        if event.session and self._is_newer(event):
            self.hello = self.hello.after(event.session, event.id)

    def new_session(self) -> None:
        """Another program has taken over meanwhile: the next command begins a session of its own, after that one's."""
        if self._is_newer(self._pending()):  # that program was not heard
            self.hello = self._queries.hello()
        self.ledger.session = 0

    def _pending(self) -> Pending:
        assert self.ledger.pending is not None  # noqa: S101 (the callers have made sure)
        return self.ledger.pending

    def is_own(self, event: Event) -> bool:
        """Whether an event is what the command on its way has made."""
        pending = self._pending()
        same = (event.session, event.id) == (pending.session, pending.id)
        return same and can_have_made(pending.op, pending.args, event.as_folded)

    def has_made(self, event: Event, op: str, key: str) -> bool:
        """Whether an event is what the command `op` of this key has made, on its way or answered."""
        pending = self.ledger.pending
        if pending is not None and pending.key == key:
            return self.is_own(event)
        return self.ledger.answers.get(key, (0,))[0] == event.rev and KINDS[event.kind] == op

    def _unsent(self, text: str) -> CommandError:
        if self._in_doubt:
            return CommandError("unknown", f"the board had lost events, so nobody knows whether {text} counted")
        return CommandError("lost", f"the board had lost events, so {text} was not sent again")

    def _has_met(self, pending: Pending) -> bool:
        """Whether the board says that this command's tag is the newest that it has met."""
        return (self.hello.session, self.hello.last_id) == (pending.session, pending.id)

    def _is_newer(self, pending: Pending | Event) -> bool:
        """Whether the board would take a command of this tag as a new one."""
        ahead = (pending.session - self.hello.session) & 0xFFFF
        if ahead == 0:
            return pending.id > self.hello.last_id
        return ahead < 0x8000 or self.hello.session == 0

    def _next_tag(self) -> tuple[int, int]:
        """The session and id of the next command: one more, or a new session if the ids are used up.

        So it is, too, if these notes are not the newest. Each place has ids of its own, since two programs that begin a
        session at the same time may draw the same one.
        """
        ledger, hello = self.ledger, self.hello
        first, last = FIRST_ID, LAST_ID
        if ledger.place:
            last += ledger.place * GUEST_IDS
            first = last - GUEST_IDS + 2
        ahead = (ledger.session - hello.session) & 0xFFFF
        newest = ledger.session > 0 and (ahead < 0x8000 or hello.session == 0)
        fits = ahead != 0 or ledger.last_id >= hello.last_id
        if newest and fits and first <= ledger.last_id + 1 <= last:
            return ledger.session, ledger.last_id + 1
        session = ledger.session if newest else hello.session
        # By a random step: two programs that both begin a session would else draw the same one. 0 is the board itself.
        return (session + self._chance.randint(1, SESSION_STEP)) & 0xFFFF or 1, first

    def _renumber(self) -> None:
        """Give the command on its way a tag in a new session, since its own means another command to the board."""
        self.new_session()
        ledger = self.ledger
        ledger.session, ledger.last_id = self._next_tag()
        ledger.pending = replace(self._pending(), session=ledger.session, id=ledger.last_id)
        ledger.save()

    def _outdate(self) -> bool:
        """Use up the tag of the command on its way, so that a copy of it that comes late counts no more.

        Returns whether a copy came before.
        """
        pending = self._pending()
        if not self._is_newer(pending):
            return False
        answer = self._queries.command(pending.op, pending.session, pending.id, [])  # refused: it lacks its arguments
        self.hello = self.hello.after(pending.session, pending.id)
        return bool(answer[0] == "ok")

    def _number_apart(self) -> None:
        """Number queries far from those of a program that was killed, whose answers may still be on their way."""
        self._queries.number = self.ledger.query = (self.ledger.query + APART) % 255
        self.ledger.save()

    def _lacks(self, standing: Standing, known: Known) -> bool:
        """Whether the board has not what is known any more: fewer events, or another one in the place of the newest."""
        rev = known.standing.rev
        if standing.rev < rev or (standing.rev == rev and standing != known.standing):
            return True
        # As many events or more prove nothing: a board that lost some and went on has others under their numbers.
        event = known.event(rev)
        return event is not None and self._queries.event(rev) not in (None, event)

    def _make_good(self, standing: Standing, known: Known, lost: str) -> tuple[Standing, Event | None]:
        """Give the board back what it lost, or say how it stood; gives how it stands, and the event that restored it.

        It is None when the board has gone on.
        """
        if self._is_behind(standing, known):
            restored = None
            try:
                restored = self._give_back(known.standing, standing.rev)
                self._on_notice(f"the board had lost {lost}; its last score has been restored")
            except CommandError as refused:
                self._on_notice(f"the board had lost {lost} and refuses the last score: {refused.message}")
            return self._queries.standing(reopen=False), restored
        before = ", ".join(f"side {side + 1} {known.standing.front(side)}" for side in known.standing.sides)
        self._on_notice(
            f"the board had lost {lost} and has continued since; before: {before}; set the score if a peg is wrong"
        )
        return standing, None

    def _made(self, after: int) -> int:
        """The rev that the command on its way made after one at a board that has lost something; 0 for none."""
        if self.ledger.pending is None:
            return 0
        events = self._queries.events(after, reopen=False)[1]
        return next((event.rev for event in events if self.is_own(event) and event not in self.ledger.events), 0)

    def _carry_over(self, rev: int, *, forgotten: bool, gone_on: bool) -> None:
        """The command on its way counts from another rev on now, or not at all."""
        pending = self._pending()
        if not forgotten:
            self.ledger.pending = replace(pending, rev=rev)
            return
        text = f"the last command, `{said(pending.op, pending.args)}`,"
        # Its tag is used up first: a copy that comes late would count on a score that it was not meant for.
        self._outdate()
        made = self.search(reopen=False)
        if made:  # sent again it gets its answer
            self.ledger.pending = replace(pending, rev=made - 1)
            return
        given_back = gone_on and _given_back(self._queries.events(-1, reopen=False)[1])
        if given_back or made is not None:
            self._in_doubt = True
            if pending.key:
                self.ledger.answer(pending.key, 0)
            unread = "the board can't read what came meanwhile; look at the score first"
            restored = "another program has restored the score; look at it first"
            outcome = f"may have counted, for {restored if given_back else unread}"
        else:
            outcome = "was forgotten; repeat it if it is still right"
        self._on_settled(_said_of(text, outcome))
        self.done(0)

    def _is_behind(self, standing: Standing, known: Known) -> bool:
        """Whether the board has only lost events: it stands as it did before, and nothing has happened on it since."""
        pending, hello = self.ledger.pending, self.hello
        if pending is not None:
            if known.standing.rev != pending.rev:
                return False  # more is known to have happened since it was sent
            if pending.id < FIRST_ID or (hello.session, hello.last_id) == (pending.session, pending.id - 1):
                return False  # that tag, under which it would be given back, is taken
        if standing.rev == 0:
            return True
        if standing.rev >= known.standing.rev:
            return False
        # A new journal begins without events, so any that it has was made since the loss.
        if hello.epoch != self.ledger.epoch:
            return not self._queries.events(-1, reopen=False)[1]
        return self._queries.event(standing.rev) in (None, known.event(standing.rev))

    def _give_back(self, known: Standing, rev: int) -> Event:
        """Restore, under the tag before that of the command on its way if there is one, so that it can follow.

        Raises CommandError when the board does not take it.
        """
        ledger = self.ledger
        if ledger.pending is None:
            session, number = self._next_tag()
            ledger.session, ledger.last_id = session, number
        else:
            session, number = ledger.pending.session, ledger.pending.id - 1
        args = [rev, *known.setup(), known.pegs(), list(known.won)]
        answer = self._queries.command("restore", session, number, args)
        self.hello = self.hello.after(session, number)
        if answer[0] != "ok":
            raise CommandError(str(answer[3]), str(answer[4]))
        return Event(answer[3], RESTORE, 0, 0, 0, 0, session, number, answer[3])


def _stale(pending: Pending, why: str) -> Message:
    """The answer when another has to be looked for in the journal."""
    return ["no", pending.session, pending.id, "stale", why]


def _said_of(command: str, outcome: str, *, counts: bool = False) -> Notice:
    """What became of a command. Guests hear the score itself, so they are told only of a command that may not count."""
    return Notice(f"{command} {outcome}", "" if counts else f"the last entry {outcome}")


def _given_back(events: list[Event]) -> bool:
    """Whether a program has given the board a score back among these events, which may have all that it saw in it."""
    return any(event.kind == RESTORE for event in events)
