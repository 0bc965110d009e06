"""Which board a command talks to: the one named, an attached one, a running virtual one, or one started for it.

Its port may be held by a kiosk; then the command goes through the kiosk's door.
"""

from __future__ import annotations

import math
import os
import re
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from pathlib import Path

from cribboard.board.client import Board
from cribboard.board.find import Found, attached, probe
from cribboard.board.ledger import unsettled
from cribboard.board.link import BUSY_AGAIN_S, BUSY_S, Nobody
from cribboard.board.share import Borrowed, Endpoint, Guest, doors, is_served
from cribboard.board.transport import SerialTransport, Transport
from cribboard.errors import Busy, CribboardError, OtherBoard, TransportError, WrongBoard
from cribboard.files import STARTING, home, locked, take_lock
from cribboard.sim.board import VirtualBoard
from cribboard.sim.registry import FlashTaken, SimError, require_terminals, running_boards

PORT_VARIABLE = "CRIBBOARD_PORT"
TAKEN = "another command is using the virtual board"
SAY_BUSY_S = 0.5
KIOSK = "in use by a kiosk"
DAY_S = 24 * 60 * 60
VIRTUAL = "sim"  # as a port: the virtual board, whatever is attached
PSEUDO = re.compile(r"/dev/(pts/\d+|ttys\d+)")  # a terminal whose name goes to whoever opens the next one


def list_boards() -> list[Found]:
    """The boards that are there: attached ones, the virtual ones that run, then others that a kiosk holds."""
    boards = _there()
    signs = [sign for sign in doors(home() / "boards") if is_served(sign)]
    held = {(sign.port, uid): sign.uid for sign in signs for uid in ("", sign.uid)}
    known = [replace(board, uid=held.get((board.port, board.uid), board.uid)) for board in boards]
    known = [replace(board, sure=True) if (board.port, board.uid) in held else board for board in known]
    taken = {name for board in known for name in (board.uid, board.port)}  # a board may stand where another one stood
    others = [sign for sign in signs if not taken & {sign.uid, sign.port}]
    return known + [Found(sign.port, sign.uid, VIRTUAL if sign.virtual else "attached", KIOSK) for sign in others]


def _there() -> list[Found]:
    """The boards that the system and the virtual boards report."""
    try:
        running = running_boards()
    except SimError:  # a system without pseudo-terminals has no virtual boards
        running = []
    return attached() + [Found(board.port, board.uid, VIRTUAL, f"virtual board {board.name!r}") for board in running]


@contextmanager
def open_board(
    port: str | None = None,
    uid: str | None = None,
    say: Callable[[str], None] = lambda text: None,
    on_settled: Callable[[str], None] | None = None,
) -> Iterator[Board]:
    """The board to talk to, open, through a kiosk when one holds it; otherwise as `hold_board` does."""
    with ExitStack() as stack:
        name, guest = _through_a_door(stack, port, uid, say)
        if name in (None, VIRTUAL) and _await_kiosk(say):
            name, guest = _through_a_door(stack, port, uid, say)
        try:
            board = guest or stack.enter_context(hold_board(name, uid, say, on_settled))
        except Busy:
            _, guest = _through_a_door(stack, port, uid, say)  # a kiosk may have been about to open it
            if guest is None:
                raise
            board = guest
        yield board


@contextmanager
def hold_board(
    port: str | None = None,
    uid: str | None = None,
    say: Callable[[str], None] = lambda text: None,
    on_settled: Callable[[str], None] | None = None,
    *,
    must_keep: bool = True,
    only_here: bool = False,
) -> Iterator[Board]:
    """The board to use, with its port held by this program; `say` gets what the user should know about it.

    The port `sim` is the virtual board, the running one or one started for this, whatever is attached. `on_settled` and
    `must_keep` are as for a Board. Where the port is `only_here` for this board, another one there raises OtherBoard,
    also later.
    """
    port = port or os.environ.get(PORT_VARIABLE) or None
    busy = _Wait(say)
    with ExitStack() as stack:
        name = port
        if name is None or name == VIRTUAL:
            name = _found(_there(), name is None, uid)
        started = not name
        if not name:
            require_terminals()
            name = _started(stack, uid, busy)
            if port is None and _first_today(home() / "said-virtual"):
                say("no board is attached: using the virtual board")
        reach = _Reach(name, only_here=only_here, busy=busy)
        folder = home() / "boards"
        board = Board(reach, folder, on_notice=say, on_settled=on_settled, must_keep=must_keep)
        with ExitStack() as on:
            try:
                on.enter_context(board)
            except Busy:
                raise
            except TransportError:
                _refuse_settings(VIRTUAL if started else _virtual(name))
                raise
            reach.know(board.hello.uid)
            if uid and not _is_meant(board.hello.uid, uid):
                if only_here:
                    raise OtherBoard(name, board.hello.uid, uid)
                raise WrongBoard(
                    f"the board on {name} is {board.hello.uid}, not {uid}", "`cribboard boards` lists them"
                )
            for _ in unsettled(folder, board.hello.uid):  # by guests that were killed
                board.close()
                with Board(reach, folder, on_notice=say, guest=True, must_keep=must_keep):
                    pass
                board.open()
            yield board


def _first_today(path: Path) -> bool:
    """Whether a file was last touched more than a day ago, or never; touches it."""
    try:
        if path.exists() and abs(time.time() - path.stat().st_mtime) < DAY_S:
            return False
        path.touch()
    except OSError:  # then it is said too often
        pass
    return True


def _virtual(port: str) -> str:
    """The name of the virtual board that runs at a port, or nothing."""
    with suppress(SimError):
        return next((running.name for running in running_boards() if running.port == port), "")
    return ""


def _refuse_settings(name: str) -> None:
    """Raise SimError if the firmware of this virtual board refuses its settings: then it shows red, and is silent."""
    from cribboard.sim.described import mistakes

    wrong = mistakes(name) if name else ""
    if wrong:
        raise SimError(
            f"the virtual board {name} does not run with the settings in {wrong}",
            "correct the file, or remove it: then the next start makes another",
        )


def _await_kiosk(say: Callable[[str], None]) -> bool:
    """Wait for the boards of a kiosk that is starting: one started beside them would be another board.

    Returns whether one has ever started here, so that its boards may be there by now.
    """
    path = home() / STARTING
    if not path.exists():
        return False
    with suppress(OSError, CribboardError):
        try:
            take_lock(path, "a kiosk is starting").release()
        except Busy:
            say("a kiosk is starting: waiting for its boards")
            with locked(path):
                pass
    return True


def _through_a_door(
    stack: ExitStack, port: str | None, uid: str | None, say: Callable[[str], None]
) -> tuple[str | None, Board | None]:
    """Where the board is that is meant, if it was found, and the board when a kiosk has it."""
    name = port or os.environ.get(PORT_VARIABLE) or None
    if name is None or name == VIRTUAL:
        there = _choose([board for board in list_boards() if name is None or board.kind == VIRTUAL], uid)
    else:
        there = next((board for board in _there() if _same(board.port, name)), None)
    if there is not None:
        name, uid = there.port, there.uid or uid
    for sign in doors(home() / "boards"):
        if _same(sign.port, name) and _is_meant(sign.uid, uid or ""):
            with suppress(Nobody):  # there is nobody any more
                return name, stack.enter_context(_guest(sign, say))
    return name, None


def _guest(sign: Endpoint, say: Callable[[str], None]) -> Board:
    """The board behind a door. When nobody is there any more, it borrows the port for what it asks."""
    folder = home() / "boards"
    reach = _Reach(sign.port, Borrowed)
    reach.know(sign.uid)

    def visit() -> Transport:
        return Guest(next((door for door in doors(folder) if door.uid == sign.uid), sign))

    def borrow() -> Transport:
        if not sign.virtual:
            return reach()
        with ExitStack() as stack:
            port = _found(_there(), False, sign.uid) or _started(stack, sign.uid)
            if probe(port).uid != sign.uid:
                raise TransportError(f"the board {sign.uid} is not there", "start it again")
            return Borrowed(port, stack.pop_all().close)

    return Board(visit, folder, on_notice=say, guest=True, borrow=borrow)


class _Reach:
    """Opens the board's port, and finds the board again when it comes back on another one.

    What has the port's old name meanwhile may be somebody else's: a board that was listed is tried only where it is
    listed, and a pseudo-terminal that has ended not at all.
    """

    def __init__(
        self,
        port: str,
        opened: Callable[[str], Transport] = SerialTransport,
        *,
        only_here: bool = False,
        busy: Callable[[str], None] = lambda what: None,
    ) -> None:
        self.port = port
        self._only_here = only_here
        self._opened = opened
        self._busy = busy
        self.uid = ""
        self._listed = False

    def __call__(self) -> Transport:
        if self.uid:
            self._look()
        try:
            return self._opened(self.port)
        except Busy as error:
            self._busy(error.message)
            raise

    def know(self, uid: str) -> None:
        """This is the board that is meant."""
        self.uid = uid
        self._listed = self.port in self._ports()

    def _ports(self) -> list[str]:
        return [board.port for board in _there() if board.uid == self.uid]

    def _look(self) -> None:
        ports = self._ports()
        if self._only_here and not ports:
            other = next((board.uid for board in _there() if board.port == self.port and board.uid), "")
            if other:
                raise OtherBoard(self.port, other, self.uid)
        if not ports and (self._listed or PSEUDO.fullmatch(self.port)):
            raise TransportError(f"the board {self.uid} is not there", "plug it in, or start the virtual board again")
        if ports and self.port not in ports:
            self.port = ports[0]


def _found(boards: list[Found], any_kind: bool, uid: str | None) -> str:
    """The port of the board to take among these; empty when there is none."""
    chosen = _choose([board for board in boards if any_kind or board.kind == VIRTUAL], uid)
    return chosen.port if chosen else ""


class _Wait:
    """Says once that another program has the board, when it has it for longer than a command takes."""

    def __init__(self, say: Callable[[str], None]) -> None:
        self._say = say
        self._since = 0.0

    def __call__(self, what: str) -> None:
        now = time.monotonic()
        self._since = self._since or now
        if now - self._since >= SAY_BUSY_S:
            self._since = math.inf
            self._say(f"{what}: waiting for it")


def _started(stack: ExitStack, uid: str | None, busy: Callable[[str], None] = lambda what: None) -> str:
    """The port of a virtual board that runs as long as the stack; waits a little while another command runs it."""
    ends = time.monotonic() + BUSY_S
    while True:
        try:
            return stack.enter_context(VirtualBoard()).port
        except FlashTaken:
            busy(TAKEN)
            if time.monotonic() >= ends:
                raise Busy(
                    TAKEN,
                    "try again; `cribboard sim` in a terminal of its own serves one command after the other",
                ) from None
        time.sleep(BUSY_AGAIN_S)
        port = _found(_there(), False, uid)
        if port:
            return port


def _choose(boards: list[Found], uid: str | None) -> Found | None:
    """The only one of these, attached before virtual, or the one with this uid; None when there is none at all."""
    answering = _answering(boards)
    if uid:
        meant = [board for board in answering if _is_meant(board.uid, uid)]
        if not answering:
            return None  # it may be the virtual board that does not run yet
        if len(meant) != 1:
            raise TransportError(f"there {'are several boards' if meant else 'is no board'} {uid}", _listing(answering))
        return meant[0]
    first = [board for board in answering if board.kind == "attached"] or answering
    if len(first) > 1:
        raise TransportError(f"there are {len(first)} boards; name one with --port or --board", _listing(first))
    return first[0] if first else None


def _answering(boards: list[Found]) -> list[Found]:
    """The boards without the ports where nobody says hello. A port that is surely a board's stays, silent or not."""
    answering = []
    for board in boards:
        if board.sure and board.uid:
            answering.append(board)
            continue
        try:
            answering.append(replace(board, uid=probe(board.port).uid))
        except CribboardError:
            if board.sure:
                answering.append(board)
    return answering


def _same(port: str, name: str | None) -> bool:
    """Whether a name is that of a port, or of a link to it (/dev/serial/by-id/... on Linux)."""
    return name is not None and Path(name).resolve() == Path(port).resolve()


def _is_meant(uid: str, wanted: str) -> bool:
    return uid.endswith(wanted.lower())


def _listing(boards: list[Found]) -> str:
    lines = [f"{board.port}  {board.uid or 'uid unknown'}  {board.note}" for board in boards]
    return "\n".join(lines) or "plug the board in; `cribboard boards` lists what is there"
