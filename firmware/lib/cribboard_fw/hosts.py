"""The hosts at several ports: which sessions the board remembers, and which commands are new.

Each port has its own session, which ends when a newer one comes by the same port. The board remembers the last command
of four sessions, so that a host may go on by another port. One that it does not remember must be newer than the newest
that this port's last hello was told, since older commands can come again. If it is as new and has come by another port,
two hosts have drawn it; it ends at both. After a restore a port without a command must say hello: what it sends again
may be in the score.
"""

from __future__ import annotations

from struct import pack

from cribboard_core.records import u16
from cribboard_fw.keeper import is_int

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cribboard_fw.keeper import Keeper

MOST_HOSTS = 4


def is_ahead(session: int, other: int) -> bool:
    """Whether a session is newer than another, in a circle of 16 bits."""
    return 0 < (session - other) & 0xFFFF < 0x8000


class Way:
    """A port: the session that came by it last, and the newest that it was told of; -1 before a hello."""

    session = 0
    known = -1
    behind = False  # another host has restored the score


class Host:
    """A session: its last command, the answer to that, and its way."""

    def __init__(self, session: int, last_id: int, rev: int, way: Way) -> None:
        self.session = session
        self.last_id = last_id
        self.answer: list[object] = ["ok", session, last_id, rev]
        self.applied = self.answer  # the last one that was not a refusal
        self.way = way


class Hosts:
    """The sessions remembered, the latest speaker last; `newest` has the newest session of all times.

    The keeper knows one host, to which it is turned before each command.
    """

    def __init__(self, keeper: Keeper) -> None:
        self._keeper = keeper
        self._journal = keeper.journal
        self._all: list[Host] = []
        self.newest = self._now = Host(0, 0, 0, Way())
        saved = self._journal.log.hosts
        if saved:
            self._note(Host(u16(saved, 0), 255, 0, Way()))
        for at in list(range(2, len(saved) - 9, 5)) + [len(saved) - 5]:  # the last is the snapshot's own
            if at > 0:
                self._remember(u16(saved, at), saved[at + 2], u16(saved, at + 3))
        for rev, _, session, last_id, _ in self._journal.records(-1):
            if rev > self._journal.log.begun:
                self._remember(session, last_id, rev)
        self._remember(keeper.session, keeper.last_id, self._journal.log.last_rev)
        self._turn(self.newest)

    def _remember(self, session: int, last_id: int, rev: int) -> None:
        """One that has spoken; its rev may be the low half only."""
        if not session:
            return
        before = self.find(session)
        if before:
            self._all.remove(before)
        elif len(self._all) == MOST_HOSTS:
            self._all.pop(0).last_id = 255
        newest = self._journal.log.last_rev
        host = Host(session, last_id, newest - ((newest - rev) & 0xFFFF), Way())
        self._all.append(host)
        self._note(host)

    def _note(self, host: Host) -> None:
        session = self.newest.session
        if session in (0, host.session) or is_ahead(host.session, session):
            self.newest = host

    def find(self, session: int) -> Host | None:
        """What is remembered of a session."""
        for host in self._all:
            if host.session == session:
                return host
        return None

    def command(self, message: list[object], way: Way) -> list[object] | None:
        """The answer to a command that comes by a way, as the keeper gives it."""
        session, number = message[1], message[2]
        if not is_int(session, 1, 65535) or not is_int(number, 1, 255):
            return self._keeper.command(message)
        if self._keeper.due:
            return None
        over = self.over(session, way)
        if over:
            return ["no", session, number, "session", "session %d is over; this is %d" % (session, over)]
        host = self.find(session)
        if not host or number > host.last_id:
            host = self._come(session, way)
        self._turn(host)
        if way.behind and number > host.last_id:  # for good: a copy may come later
            self._keeper.last_id = number
            self._keeper._answer = ["no", session, number, "session", "the score was restored"]
        return self._keeper.command(message)

    def hello(self, way: Way) -> None:
        """A host here says hello, and is told of the newest session."""
        self._turn(self.newest)
        way.known, way.behind = self.newest.session, False

    def over(self, session: int, way: Way) -> int:
        """The session after which this one cannot come by a way; 0 if it can."""
        host = self.find(session)
        if host and host.way is not way and way.known >= 0 and (not way.known or is_ahead(session, way.known)):
            self._forget(host)
            host, way.known = None, self.newest.session
        if (host or way.known < 0) and way.session not in (0, session) and not is_ahead(session, way.session):
            return way.session  # newer than known is newer than this, though other ports may be far ahead
        least = self.newest.session if way.known < 0 else way.known
        return least if least and not host and not is_ahead(session, least) else 0

    def _come(self, session: int, way: Way) -> Host:
        """The host of a new command that comes by a way; the earlier session there has ended."""
        self._turn(self._now)
        host = self.find(session)
        ended = self.find(way.session)
        if ended and ended.way is way and ended is not host:
            self._forget(ended)
        way.session = session
        if host:
            self._all.remove(host)
            if host.way is not way:
                self._leaves(host.way)
                host.way = way
        else:
            if len(self._all) == MOST_HOSTS:
                away = [each for each in self._all if each.way.known < 0]
                self._forget((away or self._all)[0])
            host = Host(session, 0, 0, way)
            way.known = session
            self._note(host)
        self._all.append(host)
        self._journal.log.hosts = self._packed()
        return host

    def _packed(self) -> bytes:
        """What a snapshot remembers: all that was applied but this command, which its own tag says."""
        packed = pack("<H", self.newest.session)
        for host in self._all:
            if host.answer[0] == "ok":
                host.applied = host.answer
            _, session, last_id, rev = host.applied
            packed += pack("<HBH", session, last_id, rev & 0xFFFF)  # type: ignore[operator]
        return packed

    def _turn(self, host: Host) -> None:
        """Turn the keeper to a host; what it knows of the one before is noted."""
        keeper, now = self._keeper, self._now
        if keeper.session == now.session:
            now.last_id, now.answer = max(now.last_id, keeper.last_id), keeper._answer
        self._now = host
        keeper.session, keeper.last_id, keeper._answer = host.session, host.last_id, host.answer

    def _forget(self, host: Host) -> None:
        if host is self.newest:
            self.newest = Host(host.session, 255, 0, host.way)
        self._all.remove(host)
        self._leaves(host.way)

    def _leaves(self, way: Way) -> None:
        """What came by this way may be forgotten: a late copy of it must not seem new."""
        if way.known >= 0:
            way.known = self.newest.session
