"""Several ports at one board: a link for each, which take turns. A board with one port does not import this."""

from __future__ import annotations

from cribboard_core.events import COMMANDS, RESTORE
from cribboard_core.wire import encode
from cribboard_fw.hosts import Hosts, Way
from cribboard_fw.link import MOST_WAITING, Link, event_row

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cribboard_fw.app import App
    from cribboard_fw.entry import Entry
    from cribboard_fw.types import Port


class Points:
    """The entry for one port, which has owners of its own: the port's number stands above theirs."""

    def __init__(self, entry: Entry, port: int) -> None:
        self._entry = entry
        self._port = port << 8

    def put(self, side: int, points: int, owner: int, seconds: int) -> None:
        """Set what an owner here has pending; raises Refused."""
        self._entry.put(side, points, self._port | owner, seconds)

    def trim(self) -> None:
        """Drop the points of a host that is gone."""
        for side in range(len(self._entry.owner)):
            owner = self._entry.owner[side]
            if owner and owner & ~255 == self._port:
                self._entry.take(side)

    def alias(self, owner: int) -> int:
        """The number of an owner for the hosts here; one of another port gets a number that none of them uses."""
        if owner and owner & ~255 != self._port:
            owner = 255
            while self._port | owner in self._entry.owner:
                owner -= 1
        return owner & 255


class PortLink(Link):
    """A link beside others."""

    def __init__(self, app: App, port: Port, number: int, hosts: Hosts) -> None:
        points = Points(app.entry, number)
        super().__init__(port, app.keeper, points, app.link._about, app.choose)  # type: ignore[arg-type, has-type]
        self._points = points
        self._way = Way()
        self._hosts = hosts
        self.closed = False  # nobody was there at the last step, and no command went on

    def step(self) -> bool:
        """As one alone; a port without a host owes nothing."""
        connected = self._port.connected
        if not connected:
            self._way.known = -1
            self.fresh = False
        busy = super().step()
        self.closed = not (connected or busy)
        return busy

    def pending(self, side: int, points: int, owner: int) -> None:
        """Tell the host of pending points, at whichever port."""
        super().pending(side, points, self._points.alias(owner))

    def _answer(self, message: list[object]) -> list[object] | None:
        if len(message) > 2 and isinstance(message[0], str) and message[0] in COMMANDS:
            return self._hosts.command(message, self._way)
        return super()._answer(message)

    def _hello(self, q: int, args: list[object]) -> list[object]:
        self._hosts.hello(self._way)
        return super()._hello(q, args)


class Links:
    """The links of all ports, to be used like one."""

    def __init__(self, app: App, ports: list[Port], others: type[PortLink]) -> None:
        self._keeper = app.keeper
        self.hosts = Hosts(app.keeper)
        app.entry.owner = [0] * len(app.entry.owner)  # type: ignore[assignment]  # bytes are too small
        made = [(others if number else PortLink)(app, port, number, self.hosts) for number, port in enumerate(ports)]
        self._links = made
        self._turn = 0

    @property
    def fresh(self) -> bool:
        """Whether the next step answers."""
        return self._links[self._turn].fresh

    def step(self) -> bool:
        """A step of the link in turn; whether it has done anything.

        A link that owes an answer or whose command goes on stays in turn: nothing comes between. One that has nothing
        to do takes no time.
        """
        link = self._links[self._turn]
        port, keeper = link._port, self._keeper
        here = port.connected
        busy = False
        owes = link._asked or link._waiting or link._rest or keeper.due
        if owes or here == link.closed or (here and port.in_waiting):
            busy = link.step()
            if link.fresh or keeper.due:
                return busy
        self._turn = (self._turn + 1) % len(self._links)
        return busy

    def event(self, rev: int, event: tuple[int, ...], session: int, command_id: int) -> None:
        """Tell all hosts of an event, in one frame for all."""
        frame = None
        for link in self._links:
            if event[0] == RESTORE and not link._way.session:
                link._way.behind = True
            if link._port.connected and len(link._waiting) < MOST_WAITING:
                # Once for all, since it takes 0.4 ms on a Pico.
                frame = frame or encode(["ev"] + event_row(rev, event, session, command_id, self._keeper.match.game))
                link._waiting.append(frame)

    def pending(self, side: int, points: int, owner: int) -> None:
        """Tell all hosts of pending points."""
        for link in self._links:
            link.pending(side, points, owner)

    def say(self, text: str) -> None:
        """Tell all hosts a line of the log."""
        for link in self._links:
            link.say(text)


def join(app: App, ports: list[Port], others: type[PortLink] = PortLink) -> None:
    """Let hosts come by all of these ports; `others` are the links of all but the first."""
    app.link = Links(app, ports, others)  # type: ignore[assignment]
