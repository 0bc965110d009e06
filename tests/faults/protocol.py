"""The protocol explored to its end: every state that some hosts, a board and bad lines can reach, with small numbers.

    python -m faults.protocol --states 1000000

(in the folder tests). A model of tags, refusals, restarts, losses, and frames that are lost, late or doubled, as
firmware/wire/README.md has them, is searched breadth first. A state in which somebody was given a wrong answer ends the
search, with the shortest way there; so does one from which not all commands can ever be answered. The exit status is 1
then. Hosts use one port by turns, or each has its own. With --hole the old protocol's mistakes, and some others, are
put back, and have to be found.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import NamedTuple

CIRCLE = 32  # of sessions; half of it lies ahead of any
PICKS = (1, 2)  # how far ahead of the board's a host's session may be: two that pick the same collide
Label = tuple[int, int]  # which host's which command; the buttons' are (-1, n)
BUTTONS = -1
UNREAD = -1  # in place of a session: the record cannot be read, but later ones say that its points count
NAMES = "ABC"  # of hosts


class Row(NamedTuple):
    """An event of the journal: the tag, and the command that made it, or all that counts after a restore."""

    session: int
    id: int
    made: Label | frozenset[Label]


class Command(NamedTuple):
    """A command on its way: its tag, what it is, and how many events its host knew when it noted it."""

    session: int
    id: int
    made: Label | frozenset[Label]
    refused: bool = False  # the rules don't allow it
    rev: int = 0
    names: int = -1  # the rev that has to be the newest, for a restore


class Answer(NamedTuple):
    """`ok` with a rev, or `no` with a code in its place."""

    session: int
    id: int
    rev: int
    code: str = ""


class Remembered(NamedTuple):
    """A session: its last command and the answer to it, and by which port that came; -1 since a restart."""

    session: int
    id: int
    answer: tuple[int, str]
    port: int = -1


class Way(NamedTuple):
    """A port: the session that came by it last, and the newest that it was told of; -1 before a hello."""

    session: int = 0
    latest: int = -1
    behind: bool = False  # without a command yet, but with a hello, another port's host has restored the score


class Board(NamedTuple):
    """The journal, which survives, and what a restart forgets of sessions; who spoke last is at the end."""

    journal: tuple[Row, ...] = ()
    newest: int = 0
    hosts: tuple[Remembered, ...] = ()
    ways: tuple[Way, ...] = (Way(),)


class Host(NamedTuple):
    """A program; all but `open` and `broken` is in its notes on the disk."""

    session: int = 0
    id: int = 0
    known: tuple[Row, ...] = ()  # events
    left: Command | None = None
    then: Command | None = None  # what is sent when the board has its state back
    fates: str = ""  # of its commands: o, n and u for ok, no and unknown
    open: bool = False  # it has the port
    broken: bool = False  # the link, since `left` was noted
    warned: bool = False  # that the board has lost events
    seen: int = 0  # the newest session, in hello


class State(NamedTuple):
    """All there is. A frame that is in one of the sets may arrive, now or later, once, twice or never."""

    board: Board
    hosts: tuple[Host, ...]
    toward: frozenset[tuple[int, Command]]  # by its port
    back: frozenset[tuple[int, Answer]]
    pressed: int = 0
    lost: int = 0
    ruined: int = 0


@dataclass(frozen=True)
class Rules:
    """How much happens, and which of the protocol's rules hold."""

    ids: int = 2  # of a session
    commands: tuple[int, ...] = (2, 1)
    presses: int = 1  # of buttons
    losses: int = 0  # of the newest event
    ruins: int = 0  # of the record of an older one
    late: bool = False  # frames outlive their host's connection, and arrive when another host has said hello
    wrap: bool = False  # ids start again in their session, and are compared in a circle
    newer_rev: bool = True  # an ok has to be for a newer event than was known
    compare: str = "after a break"  # when a host compares the event with its command: never, after a break, always
    tags_kept: bool = True  # the journal has the tags
    compare_sessions: bool = True
    compare_ids: bool = True
    notice_losses: bool = True
    heed_gaps: bool = True  # what may be in the score, though its record cannot be read, is not sent again
    heed_restores: bool = True  # a host whose command was left does not send it behind another's restore
    old_frames: bool = True  # those of commands that were answered may still arrive
    ports: tuple[int, ...] = (0, 0, 0)  # of each host
    remembered: int = 4  # sessions
    newer_than_latest: bool = True  # a session that is not remembered has to be
    parts: bool = True  # a session that two hosts have drawn ends at both
    hello_again: bool = True  # a port has to say hello after another's restore

    @property
    def half(self) -> int:
        """How far ahead an id counts as newer when ids are compared in a circle."""
        return max(1, self.ids // 2)


@dataclass
class Found:
    """What a search came to."""

    states: int = 0
    steps: int = 0
    endings: dict[str, int] = field(default_factory=dict)  # fates of all commands, and in how many states
    wrong: str = ""
    way: list[str] = field(default_factory=list)
    seconds: float = 0.0


def counted(journal: tuple[Row, ...]) -> list[Label]:
    """All that counts, as often as it does."""
    made: list[Label] = []
    for row in journal:
        if isinstance(row.made, frozenset):
            made = sorted(row.made)
        else:
            made.append(row.made)
    return made


def is_ahead(session: int, other: int) -> bool:
    """Whether a session is newer than another."""
    return 0 < (session - other) % CIRCLE < CIRCLE // 2


def is_over(board: Board, way: Way, session: int, rules: Rules) -> bool:
    """Whether a session cannot come by a port any more."""
    unknown = all(host.session != session for host in board.hosts)
    if not (unknown and way.latest >= 0) and way.session not in (0, session) and not is_ahead(session, way.session):
        return True
    least = board.newest if way.latest < 0 else way.latest
    return bool(unknown and rules.newer_than_latest and least and not is_ahead(session, least))


def receive(board: Board, port: int, command: Command, rules: Rules) -> tuple[Board, Answer]:
    """What a board does with a command that comes by a port, and answers."""
    session, number = command.session, command.id
    board = drawn_twice(board, port, session) if rules.parts else board
    if rules.compare_sessions and is_over(board, board.ways[port], session, rules):
        return board, Answer(session, number, 0, "session")
    host = next((host for host in board.hosts if host.session == session), None)
    if host and rules.compare_ids:
        if number == host.id:
            return board, Answer(session, number, *host.answer)
        if (number - host.id) % rules.ids > rules.half if rules.wrap else number < host.id:
            return board, Answer(session, number, 0, "stale")
    journal, said = board.journal, (0, "refused")
    behind = board.ways[port].behind and rules.hello_again
    if behind:
        said = (0, "session")
    elif not command.refused and command.names in (-1, len(journal)):
        journal = (*journal, Row(session, number, command.made))
        said = (len(journal), "")
    board = came(board, port, Remembered(session, number, said, port), rules)
    if isinstance(command.made, frozenset) and not said[1]:
        board = board._replace(ways=tuple(way._replace(behind=not way.session) for way in board.ways))
    return board._replace(journal=journal), Answer(session, number, *said)


def drawn_twice(board: Board, port: int, session: int) -> Board:
    """A board on which a session has ended if two hosts have drawn it: by this port it has to be an older one."""
    latest = board.ways[port].latest
    for host in board.hosts:
        if host.session == session and host.port != port and latest >= 0 and (not latest or is_ahead(session, latest)):
            board = board._replace(hosts=tuple(each for each in board.hosts if each is not host))
            if host.port >= 0 and board.ways[host.port].latest >= 0:
                board = with_way(board, host.port, board.newest)
            return with_way(board, port, board.newest)
    return board


def came(board: Board, port: int, host: Remembered, rules: Rules) -> Board:
    """A board that has a new command of a session by a port, where the earlier session has ended."""
    ways, hosts, newest = list(board.ways), list(board.hosts), board.newest
    before = next((each for each in hosts if each.session == host.session), None)
    gone = [each for each in hosts if each.session == ways[port].session != host.session and each.port == port]
    latest = ways[port].latest
    if before is None:
        if len(hosts) - len(gone) == rules.remembered:
            away = [each for each in hosts if each.port < 0 or ways[each.port].latest < 0]
            gone.append((away or hosts)[0])
        latest = host.session
        newest = host.session if not newest or is_ahead(host.session, newest) else newest
    for each in [*gone, *([before] if before and before.port != port else [])]:
        if each.port >= 0 and ways[each.port].latest >= 0:
            ways[each.port] = ways[each.port]._replace(latest=newest)
    latest = latest if before is None else ways[port].latest
    latest = latest if latest < 0 or is_ahead(latest, host.session) else host.session
    ways[port] = ways[port]._replace(session=host.session, latest=latest)
    kept = [each for each in hosts if each is not before and each not in gone]
    return Board(board.journal, newest, (*kept, host), tuple(ways))


def restarted(journal: tuple[Row, ...], rules: Rules) -> Board:
    """A board that comes up with this journal."""
    hosts: dict[int, Remembered] = {}
    newest = 0
    for rev, row in enumerate(journal, 1):
        if row.session > 0 and rules.tags_kept:
            hosts.pop(row.session, None)
            hosts[row.session] = Remembered(row.session, row.id, (rev, ""))
            newest = row.session if not newest or is_ahead(row.session, newest) else newest
    return Board(journal, newest, tuple(hosts.values())[-rules.remembered :], (Way(),) * (max(rules.ports) + 1))


def with_way(board: Board, port: int, latest: int) -> Board:
    """A board that has told a port's host of the newest session, or whose host is gone (-1)."""
    before = board.ways[port].session
    latest = before if latest >= 0 and before and not is_ahead(latest, before) else latest
    way = board.ways[port]._replace(latest=latest, behind=board.ways[port].behind and latest < 0)
    ways = (*board.ways[:port], way, *board.ways[port + 1 :])
    return board._replace(ways=ways)


def next_tags(host: Host, rules: Rules) -> Iterator[tuple[int, int]]:
    """The tags that a host may give its next command."""
    if host.session and (host.id < rules.ids or rules.wrap):
        yield host.session, host.id % rules.ids + 1
        return
    for step in PICKS:
        yield ((host.session or host.seen) + step) % CIRCLE or 1, 1


def heard(host: Host, answer: Answer, board: Board, rules: Rules) -> Host:
    """A host that hears the answer to its command, and asks for events if that leaves a doubt."""
    left = host.left
    assert left is not None
    if answer.code == "refused":
        return fated(host, "n", board)
    doubt = bool(answer.code) or (rules.newer_rev and answer.rev <= left.rev)
    if not doubt and (rules.compare == "never" or (rules.compare == "after a break" and not host.broken)):
        return fated(host, "o", board)
    rows = board.journal[left.rev :]
    if any(row[:3] == left[:3] for row in rows) or (not doubt and rules.compare == "never"):
        return fated(host, "o", board)
    certain = bool(rows) and not (rules.heed_restores and restored_by_another(left, board.journal))
    return fated(host._replace(session=0, id=0), "n" if certain else "u", board)


def fated(host: Host, fate: str, board: Board) -> Host:
    """A host that knows what became of its command, and how the board stands."""
    fates = host.fates if isinstance(host.left and host.left.made, frozenset) else host.fates + fate
    return host._replace(
        left=None, known=board.journal, fates=fates, warned=host.warned or (fates == host.fates and fate != "o")
    )


def meets(host: Host, board: Board, rules: Rules) -> Host:
    """A host that has said hello and asked for the state, and sees whether the board has lost something."""
    if host.left is not None and not host.left.session:
        host = host._replace(left=host.then, then=None)  # it was never sent, so it is not in the notes
    host = host._replace(open=True, broken=host.left is not None, seen=0 if host.session else board.newest)
    known, journal, left = host.known, board.journal, host.left
    if left is not None and any(row[:3] == left[:3] for row in journal[left.rev :]):
        return host
    if left is not None and rules.heed_gaps and any(row.session == UNREAD for row in journal[left.rev :]):
        return fated(host._replace(session=0, id=0), "u", board)
    if begins_with(journal, known) or not rules.notice_losses:
        if left and rules.heed_restores and restored_by_another(left, journal):
            return fated(host._replace(session=0, id=0), "u", board)
        return host if left else host._replace(known=journal)
    then = left if left and not isinstance(left.made, frozenset) else host.then
    if begins_with(known, journal):  # nothing has happened since
        same = left is not None and left.names == len(journal)
        return host if same else host._replace(then=then, left=restore(known, len(journal)))
    fates = host.fates + ("n" if then else "")
    return host._replace(known=journal, left=None, then=None, fates=fates, warned=True)


def begins_with(rows: tuple[Row, ...], others: tuple[Row, ...]) -> bool:
    """Whether the first rows are these others, as far as the records can be read."""
    pairs = zip(rows, others, strict=False)
    same = all(one == other or (UNREAD in (one[0], other[0]) and one.made == other.made) for one, other in pairs)
    return same and len(rows) >= len(others)


def restore(known: tuple[Row, ...], rev: int) -> Command:
    """What gives a board back all that is known."""
    return Command(0, 0, frozenset(counted(known)), rev=rev, names=rev)


def restored_by_another(left: Command, journal: tuple[Row, ...]) -> bool:
    """Whether a command may count by another host's restore: that host may have seen it before its event was lost."""
    rows = journal[left.rev :]
    return any(isinstance(row.made, frozenset) for row in rows) and not any(row[:3] == left[:3] for row in rows)


def steps(state: State, rules: Rules) -> Iterator[tuple[str, State]]:
    """All that can happen next."""
    board = state.board
    for port, command in state.toward:
        after, answer = receive(board, port, command, rules)
        if after != board or (port, answer) not in state.back:
            where = f" at port {port}" if max(rules.ports) else ""
            back = state.back | {(port, answer)}
            yield f"{command} arrives{where}: {answer}", state._replace(board=after, back=back)
    for number, host in enumerate(state.hosts):
        yield from host_steps(state, number, host, rules)
    if state.pressed < rules.presses:
        journal = (*board.journal, Row(0, 0, (BUTTONS, state.pressed)))
        yield "a button", state._replace(board=board._replace(journal=journal), pressed=state.pressed + 1)
    shut = tuple(host._replace(open=False) for host in state.hosts)
    gone = state._replace(hosts=shut, toward=frozenset(), back=frozenset())
    if restarted(board.journal, rules) != board or gone != state:
        yield "the board restarts", gone._replace(board=restarted(board.journal, rules))
    if state.lost < rules.losses and board.journal:
        less = restarted(board.journal[:-1], rules)
        yield "the board restarts without its newest event", gone._replace(board=less, lost=state.lost + 1)
    if state.ruined < rules.ruins:
        for rev, row in enumerate(board.journal[:-1], 1):
            journal = (*board.journal[: rev - 1], Row(UNREAD, 0, row.made), *board.journal[rev:])
            ruined = gone._replace(board=restarted(journal, rules), ruined=state.ruined + 1)
            yield f"the board restarts and cannot read the record of event {rev}", ruined


def host_steps(state: State, number: int, host: Host, rules: Rules) -> Iterator[tuple[str, State]]:
    """All that a host can do next."""
    name, port = NAMES[number], rules.ports[number]

    def becomes(host: Host, sent: Command | None = None) -> State:
        hosts = (*state.hosts[:number], host, *state.hosts[number + 1 :])
        toward = state.toward | {(port, sent._replace(rev=0))} if sent else state.toward
        return state._replace(hosts=hosts, toward=toward)

    if not host.open:
        if not any(other.open and rules.ports[at] == port for at, other in enumerate(state.hosts)):
            after = becomes(meets(host, state.board, rules), host.left if host.left and host.left.session else None)
            if after.hosts[number].left != host.left:
                after = after._replace(toward=state.toward)
            if not rules.late:
                kept = after.toward - state.toward if host.left else frozenset()
                again = host.left is not None and after.hosts[number].left == host.left and host.left.session
                others = frozenset(one for one in state.toward if one[0] != port)
                after = after._replace(
                    toward=others | (frozenset({(port, host.left._replace(rev=0))}) if again else kept),
                    back=frozenset(one for one in state.back if one[0] != port),
                )
            board = with_way(after.board, port, after.board.newest)
            yield f"{name} opens the port", after._replace(board=board)
        return
    shut = becomes(host._replace(open=False))
    yield f"{name} closes the port, or is killed", shut._replace(board=with_way(state.board, port, -1))
    if host.left is None or not host.left.session:
        command = host.left or host.then
        busy = len(host.fates) < rules.commands[number]
        known = len(host.known)
        made: list[Command] = []
        if command:
            made = [command if isinstance(command.made, frozenset) else command._replace(rev=known)]
        if not made and busy:
            made = [Command(0, 0, (number, len(host.fates)), refused, known) for refused in (False, True)]
        for session, new in next_tags(host, rules):
            for one in made:
                noted = one._replace(session=session, id=new)
                after = host._replace(session=session, id=new, left=noted, broken=False, seen=0)
                after = after._replace(then=None if command is host.then else host.then)
                sent = becomes(after, noted)
                yield f"{name} sends {noted}", sent if rules.old_frames else only_newest(sent, port, noted)
        return
    if (port, host.left._replace(rev=0)) not in state.toward:
        yield f"{name} sends {host.left} again", becomes(host, host.left)
    for by, answer in state.back:
        if by == port and answer[:2] == host.left[:2]:
            after = becomes(heard(host, answer, state.board, rules))
            if not after.hosts[number].session:  # it says hello again
                again = after.hosts[number]._replace(seen=state.board.newest)
                after = becomes(again)._replace(board=with_way(state.board, port, state.board.newest))
            yield f"{name} hears {answer}", after


def only_newest(state: State, port: int, command: Command) -> State:
    """The state without frames and answers but that of a command."""
    return state._replace(toward=frozenset({(port, command._replace(rev=0))}), back=frozenset())


def wrong(state: State, rules: Rules) -> str:
    """What is wrong with a state, nothing if it is right: who was given which answer that does not hold.

    Where each has a port, a host that was told no may see its command come back with another's restore, as all do.
    """
    made = counted(state.board.journal)
    back = [label for row in state.board.journal if isinstance(row.made, frozenset) for label in row.made]
    if len(made) != len(set(made)):
        return "a command counts twice"
    for number, host in enumerate(state.hosts):
        for command, fate in enumerate(host.fates):
            counts = (number, command) in made
            if fate == "n" and counts and not (max(rules.ports) and (number, command) in back):
                return f"host {NAMES[number]} was told that command {command} did not count, and it does"
            if fate == "o" and not counts and not state.lost:
                return f"host {NAMES[number]} was told that command {command} counted, and it never did"
            if fate == "o" and not counts and host.open and host.left is None and host.then is None and not host.warned:
                return f"host {NAMES[number]} shows command {command}, which the board has lost, and says nothing"
    return ""


def explore(rules: Rules, most: int = 10**9) -> Found:
    """Search all states; more than so many are wrong, too."""
    began, result = time.process_time(), Found()
    first = State(restarted((), rules), (Host(),) * len(rules.commands), frozenset(), frozenset())
    came: dict[State, tuple[State, str] | None] = {first: None}
    before: dict[State, list[State]] = {}
    ends: list[State] = []
    row = [first]
    while row and not result.wrong and len(came) <= most:
        following: list[State] = []
        for state in row:
            result.wrong = wrong(state, rules)
            if result.wrong:
                result.way = way(came, state)
                break
            if is_end(state, rules):
                ends.append(state)
                fates = "+".join(host.fates for host in state.hosts)
                result.endings[fates] = result.endings.get(fates, 0) + 1
            for what, after in steps(state, rules):
                result.steps += 1
                before.setdefault(after, []).append(state)
                if after not in came:
                    came[after] = (state, what)
                    following.append(after)
        row = following
    result.states = len(came)
    if row and not result.wrong:
        result.wrong = f"more than {most} states"
    if not result.wrong:
        stuck = set(came) - reaching(ends, before)
        if stuck:
            result.wrong = f"from {len(stuck)} states not all commands can be answered"
            result.way = way(came, min(stuck, key=lambda state: len(way(came, state))))
    result.seconds = time.process_time() - began
    return result


def is_end(state: State, rules: Rules) -> bool:
    """Whether all commands have been answered."""
    return all(len(host.fates) == most for host, most in zip(state.hosts, rules.commands, strict=True))


def reaching(ends: list[State], before: dict[State, list[State]]) -> set[State]:
    """All states from which one of these can be reached."""
    reached, left = set(ends), list(ends)
    while left:
        for state in before.get(left.pop(), []):
            if state not in reached:
                reached.add(state)
                left.append(state)
    return reached


def way(came: dict[State, tuple[State, str] | None], state: State) -> list[str]:
    """What has happened up to a state."""
    path: list[str] = []
    step = came[state]
    while step is not None:
        state, what = step
        path.insert(0, what)
        step = came[state]
    return path


RIGHT = {
    "two hosts, a button": Rules(),
    "one host, five commands, three ids": Rules(ids=3, commands=(5, 0), presses=0),
    "two hosts, a lost event": Rules(commands=(1, 1), presses=0, losses=1),
    "two hosts, a button, a record that cannot be read": Rules(commands=(1, 1), ruins=1),
    "frames that outlive a connection, events always compared": Rules(commands=(1, 1), late=True, compare="always"),
    "two hosts, a port each": Rules(commands=(1, 1), presses=0, ports=(0, 1)),
    "two hosts, a port each, one session remembered": Rules(commands=(1, 1), presses=0, ports=(0, 1), remembered=1),
}
LONG = {
    "two hosts, a port each, a lost event": Rules(commands=(1, 1), presses=0, losses=1, ports=(0, 1)),
    "two hosts, two commands each": Rules(commands=(2, 2), presses=1),
    "two hosts, a lost event and a record that cannot be read": Rules(commands=(1, 1), presses=0, losses=1, ruins=1),
    "a port each, a record that cannot be read": Rules(commands=(1, 1), ruins=1, ports=(0, 1)),
    "two hosts, a button, a lost event": Rules(commands=(1, 1), losses=1),
    "three hosts, a port each, two remembered": Rules(commands=(1, 1, 1), presses=0, ports=(0, 1, 2), remembered=2),
    "two hosts at one port, one at another": Rules(commands=(1, 1, 1), presses=0, ports=(0, 0, 1)),
}
APART = Rules(commands=(1, 1), presses=0, ports=(0, 1))
FEW = Rules(commands=(1, 1), presses=0)
HOLES = {
    "ids wrap": Rules(3, (4, 0), 0, wrap=True, old_frames=False, newer_rev=False, compare="never"),
    "an ok for an old event is taken": replace(FEW, newer_rev=False, compare="never"),
    "events are not compared": replace(FEW, compare="never"),
    "no tags in the journal": replace(FEW, tags_kept=False),
    "sessions are not compared": replace(FEW, compare_sessions=False),
    "ids are not compared": replace(FEW, compare_ids=False),
    "another host's restore is not heeded": replace(FEW, losses=1, heed_restores=False),
    "a lost event is not noticed": replace(FEW, losses=1, notice_losses=False),
    "a record that cannot be read is not heeded": replace(FEW, presses=1, ruins=1, heed_gaps=False),
    "frames that outlive a connection": replace(FEW, late=True),
    "what is not remembered is taken": replace(APART, remembered=1, newer_than_latest=False),
    "a port goes on after another's restore": replace(APART, losses=1, hello_again=False),
    "two hosts go on in one session that both have drawn": replace(APART, parts=False),
}


def main() -> int:
    parser = argparse.ArgumentParser(description="Search all states of the protocol.")
    parser.add_argument("--states", type=int, default=10**9, help="a search that has more is not to its end, and fails")
    parser.add_argument("--long", action="store_true", help="with more commands, for minutes")
    parser.add_argument("--hole", action="store_true", help="put the mistakes back, and find each")
    asked = parser.parse_args()
    well = True
    for name, rules in (HOLES if asked.hole else RIGHT | (LONG if asked.long else {})).items():
        result = explore(rules, asked.states)
        size = f"{result.states} states, {result.steps} steps, {result.seconds:.1f} s of CPU"
        print(f"{name}: {size}; {result.wrong or 'all right'}")
        unknown = sum(count for fates, count in result.endings.items() if "u" in fates)
        print(
            f"    {sum(result.endings.values())} states with all answered, {unknown} of them with an `unknown`",
            flush=True,
        )
        for what in result.way:
            print(f"        {what}")
        well = well and bool(result.wrong) == asked.hole
    return 0 if well else 1


if __name__ == "__main__":
    sys.exit(main())
