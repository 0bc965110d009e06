"""Exactly once: a command and its tag are on the disk before it is sent, and its fate is found out whatever happens."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

from cribboard.board.answers import Hello, Standing
from cribboard.board.commands import can_have_made, said
from cribboard.board.follow import whole
from cribboard.board.ledger import Ledger, Names, Pending
from cribboard.board.line import Message, Unwanted, Wanted
from cribboard.board.talk import Talk
from cribboard.errors import ArgumentError, CribboardError, TransportError
from cribboard_core.wire import WireError, encode

SESSION_STEP = 500
APART = 100  # queries; a killed program sent fewer after it noted its last one
MOST_REFUSED = 100  # commands refused in a row, of which a board that was switched off knows nothing
GIVEN_BACK = "the board had lost its memory; it has been given back the score as it stood last"
GONE_ON = "the board had lost its memory and has gone on since"


class Once:
    """The tags of one host at one board, and the command that is on its way."""

    def __init__(
        self, talk: Talk, folder: Path, hello: Hello, chance: random.Random, on_notice: Callable[[str], None]
    ) -> None:
        self.ledger = Ledger(folder, hello.uid)
        self.hello = hello
        self._talk = talk
        self._chance = chance
        self._on_notice = on_notice
        self._restored = False  # the board stands as it did when the command on its way was meant for it
        if self.ledger.broken:
            on_notice(self.ledger.broken)
        if self.ledger.pending is not None:
            self._number_apart()

    def commit(self, op: str, args: list[object], standing: Standing, names: Names | None, key: str = "") -> None:
        """Put a command on the disk, from where it goes to the board once."""
        ledger = self.ledger
        session, number = self._next_tag()
        pending = Pending(op, args, session, number, standing.rev, names, key)
        try:
            encode([op, session, number, *args])
        except (WireError, TypeError, ValueError) as error:
            raise ArgumentError(f"`{said(op, args)}` cannot be sent: {error}") from error
        ledger.session, ledger.last_id, ledger.query, ledger.pending = session, number, self._talk.number, pending
        ledger.stand(standing)
        try:
            ledger.save()
        except BaseException as error:
            ledger.pending = None
            if isinstance(error, CribboardError):
                raise CribboardError(f"{error.message}, so nothing was sent", error.hint) from error
            raise

    def send(self) -> Message:
        """Send the command on its way until it is answered; raises TransportError, and keeps it, if it is not."""
        pending = self._pending()
        text = f"`{said(pending.op, pending.args)}`"
        kept = f"{text} is noted, and the next command settles whether it counted"
        wanted: Wanted = lambda: self.ledger.pending is pending  # noqa: E731
        try:
            answer = self._talk.command(pending.op, pending.session, pending.id, pending.args, wanted)
        except TransportError as error:
            raise TransportError(error.message, f"{error.hint}; {kept}") from error
        except Unwanted as error:
            raise CribboardError(
                f"the board had lost its memory and has gone on, so {text} was not sent again",
                "look at the score, and repeat it if it is still right",
            ) from error
        except KeyboardInterrupt:
            self._on_notice(kept)
            raise
        self.hello = self.hello.after(pending.session, pending.id)
        return answer

    def done(self, rev: int) -> None:
        """The command on its way made the event `rev`, or none when that is 0."""
        ledger, pending = self.ledger, self._pending()
        if rev and pending.names is not None:
            ledger.name(rev, pending.names)
        if rev and pending.key:
            ledger.answer(pending.key, rev)
        ledger.pending = None

    def search(self) -> int | None:
        """The rev that the command on its way made, None when it made none, 0 when the board does not keep it."""
        pending = self._pending()
        newest, rows = self._talk.events(pending.rev)
        for row in rows:
            same = (row.session, row.id) == (pending.session, pending.id)
            if same and can_have_made(pending.op, pending.args, row.event):
                return row.rev
        return None if whole(rows, pending.rev, newest) else 0

    def settle(self, standing: Standing) -> str:
        """Find out what became of a command that was left without its answer; gives what to tell the user."""
        pending, hello = self._pending(), self.hello
        text = f"the last command, `{said(pending.op, pending.args)}`,"
        seen = (hello.session, hello.last_id) == (pending.session, pending.id)
        fits = self._restored or standing.rev == pending.rev
        rev, answer = None, None
        if not seen and fits and self._is_newer(pending):
            answer = self.send()
            rev = answer[3]
            told = "had not arrived; it has been applied now"
        else:
            rev = self.search()
            told = "had been applied after all"
            if seen and not rev:
                answer = self.send()  # the answer that was not heard, perhaps, but not sent anew
        if answer is not None and answer[0] == "no":
            rev = 0
            told = f"was refused: {answer[4]}"
        elif rev is None:
            told = "was not applied, and the board has gone on since; repeat it if it is still right"
        elif not rev:
            if pending.key:
                self.ledger.answer(pending.key, 0)  # asked again, it must not count a second time
            told = "may have been applied or not, the board does not know any more; look at the score"
        self.done(rev or 0)
        self._restored = False
        return f"{text} {told}"

    def other_journal(self, standing: Standing, known: Standing | None) -> Standing:
        """The board's journal is not the one known. What it lost it is given back, when nothing has happened since."""
        ledger = self.ledger
        if known is not None and ledger.epoch >= 0 and not standing.same(known):
            if self._is_behind(standing, known):
                standing = self._give_back(known, standing.rev)
            else:
                scores = ", ".join(f"side {side + 1} {known.front(side)}" for side in known.sides)
                self._on_notice(f"{GONE_ON}; before: {scores}; `cribboard set-score` puts pegs right")
                if ledger.pending is not None:
                    lost = said(ledger.pending.op, ledger.pending.args)
                    self._on_notice(f"the last command, `{lost}`, was forgotten; repeat it if it is still right")
                    self.done(0)
        else:
            self._restored = True
        ledger.epoch = self.hello.epoch
        ledger.stand(standing, anew=True)
        ledger.save()
        return standing

    def new_session(self) -> None:
        """Another program has taken over meanwhile: the next command begins a session of its own."""
        self.ledger.session = 0

    def _pending(self) -> Pending:
        assert self.ledger.pending is not None  # noqa: S101 (the callers have made sure)
        return self.ledger.pending

    def _is_newer(self, pending: Pending) -> bool:
        """Whether the board would take the command as a new one."""
        ahead = (pending.session - self.hello.session) & 0xFFFF
        if ahead == 0:
            return 0 < (pending.id - self.hello.last_id) & 255 < 128
        return ahead < 0x8000 or self.hello.session == 0

    def _next_tag(self) -> tuple[int, int]:
        """The session and id of the next command: one more, or a new session if these notes are not the newest."""
        ledger, hello = self.ledger, self.hello
        ahead = (ledger.session - hello.session) & 0xFFFF
        newest = ahead < 0x8000 or hello.session == 0
        if ahead == 0 and (ledger.last_id - hello.last_id) & 255 > MOST_REFUSED:
            newest = False
        if ledger.session and newest:
            return ledger.session, (ledger.last_id + 1) & 255
        return (hello.session + self._chance.randint(1, SESSION_STEP)) & 0xFFFF or 1, 0

    def _number_apart(self) -> None:
        """Number queries far from those of a program that was killed, whose answers may still be on their way."""
        self._talk.number = self.ledger.query = (self.ledger.query + APART) % 255
        self.ledger.save()

    def _is_behind(self, standing: Standing, known: Standing) -> bool:
        """Whether the board has only lost events: it stands as it did before, and nothing has happened on it since."""
        pending, hello = self.ledger.pending, self.hello
        if pending is not None and (hello.session, hello.last_id) == (pending.session, (pending.id - 1) & 255):
            return False  # that tag, under which it would be given back, is taken
        return standing.rev == 0 or (standing.rev < known.rev and not self._talk.events(-1, anew=True)[1])

    def _give_back(self, known: Standing, rev: int) -> Standing:
        """Restore, under the tag before that of the command on its way if there is one, so that it can follow."""
        ledger = self.ledger
        if ledger.pending is None:
            session, number = self._next_tag()
            ledger.session, ledger.last_id = session, number
        else:
            session, number = ledger.pending.session, (ledger.pending.id - 1) & 255
        args = [rev, *known.setup(), known.pegs(), list(known.won)]
        answer = self._talk.command("restore", session, number, args)
        if answer[0] == "no":
            self._on_notice(f"{GONE_ON.partition(' and')[0]}, and does not take it back: {answer[4]}")
        else:
            self._on_notice(GIVEN_BACK)
            self._restored = True
        self.hello = self.hello.after(session, number)
        return self._talk.standing(anew=True)
