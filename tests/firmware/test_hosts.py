"""Several hosts at one board, each at a port of its own: whose command counts, who is answered, whose points wait."""

from __future__ import annotations

import random
from contextlib import suppress

import pytest
from firmware.rig import Port, Rig

from cribboard.sim.flash import Cut, Flash, PowerCut
from cribboard_core.journal import TRIES, Journal
from cribboard_core.match import Match
from cribboard_core.wire import Lines, encode
from cribboard_fw.hosts import MOST_HOSTS, Hosts, Way
from cribboard_fw.keeper import Keeper
from cribboard_fw.link import Link

UNASKED = ("ev", "say")


class Guest:
    """A host at one of the ports of a rig, which numbers its commands as the wire's rules say."""

    def __init__(self, rig: Rig, port: int) -> None:
        self.rig = rig
        self.at = port
        self.lines = Lines()
        self.said: list[list[object]] = []
        self.session = self.id = 0

    @property
    def port(self) -> Port:
        return self.rig.ports[self.at]

    def hear(self) -> list[list[object]]:
        data, self.port.outbox = self.port.outbox, b""
        self.said += self.lines.feed(data)
        return self.said

    def ask(self, *message: object) -> list[object]:
        """The answer to a message; what is said unasked stays in `said`."""
        self.port.inbox += encode(list(message))
        for _ in range(60):
            self.rig.run(5)
            for heard in self.hear():
                if heard[0] not in UNASKED and heard[:2] != ["pend", -1]:
                    self.said.remove(heard)
                    return heard
        raise AssertionError(f"no answer to {message}")

    def greet(self, step: int = 1) -> None:
        session = self.ask("hello", 1, 2)[6]
        assert isinstance(session, int)
        self.session, self.id = (session + step) & 0xFFFF or 1, 0

    def peg(self, points: int = 1) -> list[object]:
        self.id += 1
        return self.ask("peg", self.session, self.id, self.at % 2, points)


def guests(ports: int = 2) -> list[Guest]:
    rig = Rig(ports=ports)
    made = [Guest(rig, port) for port in range(ports)]
    for at, guest in enumerate(made):
        guest.greet(10 * (at + 1))
    return made


# Whose command counts


@pytest.mark.parametrize("ports", [2, 3])
def test_hosts_that_peg_by_turns_are_never_refused(ports: int) -> None:
    hosts = guests(ports)
    for turn in range(24):
        assert hosts[(turn * turn + turn // 3) % ports].peg()[0] == "ok"
    assert hosts[0].rig.match.rev == 24


def test_a_session_ends_with_a_newer_one_by_the_same_port_only() -> None:
    usb, phone = guests()
    assert usb.peg()[0] == phone.peg()[0] == "ok"
    assert usb.ask("go", usb.session + 300, 1, 0)[0] == "ok"
    assert usb.peg()[3] == "session"
    assert phone.peg()[0] == "ok"
    assert phone.ask("peg", usb.session, 1, 0, 1)[3] == "session", "what has ended is over at every port"
    assert usb.ask("peg", phone.session, 3, 0, 1)[3] == "session", "older than the newest here"
    assert phone.peg()[0] == "ok"


def test_all_hosts_hear_what_happened_and_only_who_asked_its_answer() -> None:
    usb, phone = guests()
    usb.peg(7)
    usb.rig.run(20)
    event = ["ev", 1, "peg", 0, 7, 0, 0, usb.session, 1, 0]
    assert (usb.said, phone.hear()) == ([event], [event])


def test_a_host_whose_connection_was_cut_goes_on_at_another_port() -> None:
    cut, other, new = guests(3)
    first = cut.peg(5)
    other.peg()
    new.greet()
    new.session, new.id = cut.session, 0
    assert new.ask("peg", cut.session, 1, 0, 5) == first
    new.id = 1
    assert new.peg(2)[0] == "ok"
    assert cut.ask("peg", cut.session, 1, 0, 5)[3] == "stale", "a copy that was still on its way"
    assert new.rig.match.rev == 3
    new.greet()
    new.peg()
    assert cut.ask("peg", cut.session, 2, 0, 2)[3] == "session", "what has ended is over on its old port, too"


def test_what_was_on_its_way_when_another_restored_the_score_counts_not_even_by_a_late_copy() -> None:
    usb, phone = guests()
    args = [121, 3, 2, 0, 91, 61, "0c0a0705", [0, 0]]
    assert usb.ask("restore", usb.session, 1, 0, *args)[0] == "ok"
    left = ["peg", phone.session, 1, 1, 4]  # its event was lost, and may be in the score that came back
    assert phone.ask(*left)[3] == "session"
    phone.greet()
    assert phone.ask(*left)[3] == "session", "a copy that comes behind the hello"
    assert phone.peg()[0] == usb.ask("peg", usb.session, 2, 0, 1)[0] == "ok"
    assert usb.rig.scores() == [13, 8]


def test_a_host_that_says_hello_after_anothers_restore_goes_on_in_its_session() -> None:
    usb, phone = guests()
    first = phone.peg(3)
    args = [121, 3, 2, 0, 91, 61, "0c0a0705", [0, 0]]
    assert usb.ask("restore", usb.session, 1, 1, *args)[0] == "ok"
    assert phone.ask("peg", phone.session, 1, 1, 3) == first, "what was answered is answered again"
    phone.ask("hello", 1, 2)
    assert phone.peg(2)[0] == "ok"
    assert usb.rig.scores() == [12, 9]


def test_a_session_that_two_hosts_have_drawn_ends_at_both() -> None:
    usb, phone = guests()
    phone.session = usb.session
    assert usb.peg(5)[0] == "ok"
    for host in (phone, usb, phone):
        assert host.peg(5)[3] == "session"
    assert usb.rig.match.rev == 1
    for host in (usb, phone):
        host.greet()
        assert host.peg()[0] == "ok"


def test_a_session_drawn_before_others_were_used_is_taken() -> None:
    early, busy = guests()
    for _ in range(5):
        busy.peg()
        busy.greet(500)
    assert early.peg()[0] == busy.peg()[0] == "ok"


def test_a_port_that_was_silent_while_others_went_far_ahead_has_a_session_again() -> None:
    silent, busy = guests()
    silent.peg()
    for _ in range(80):
        busy.greet(500)
        assert busy.peg(0)[0] == "ok"
    assert silent.peg()[0] == "ok", "it is remembered"
    for _ in range(80):
        busy.greet(500)
        assert busy.peg(0)[0] == "ok"
    silent.greet()
    assert silent.peg()[0] == "ok"


def test_who_was_forgotten_is_refused_and_whose_port_is_gone_goes_first() -> None:
    hosts = guests(MOST_HOSTS + 1)
    *four, fifth = hosts
    for host in four:
        host.peg()
    four[2].port.connected = False
    four[2].rig.run(20)
    assert fifth.peg()[0] == "ok"
    four[2].port.connected = True
    assert [host.peg()[0] for host in (four[0], four[1], four[3])] == ["ok"] * 3
    assert four[2].ask("peg", four[2].session, 1, 0, 1)[3] == "session", "it must not count again"
    four[2].greet()
    assert four[2].peg()[0] == "ok", "it takes the place of who was silent longest"
    assert fifth.ask("peg", fifth.session, 1, 0, 1)[3] == "session"


def test_the_newest_session_is_told_also_when_it_is_not_remembered() -> None:
    hosts = guests(MOST_HOSTS + 1)
    for host in reversed(hosts):
        host.peg()
    assert hosts[0].ask("hello", 9, 2)[6:8] == [hosts[-1].session, 255]


# The power goes


def met() -> Way:
    """A port whose host has said hello to a new board."""
    way = Way()
    way.known = 0
    return way


class Powered:
    """A board with several ports, as it comes up with a flash."""

    def __init__(self, flash: Flash) -> None:
        self.match, self.journal = Match(), Journal(flash)  # type: ignore[arg-type]
        self.journal.mount(self.match, 1)
        self.keeper = Keeper(self.match, self.journal)
        self.hosts = Hosts(self.keeper)

    def done(self, message: list[object], way: Way) -> list[object]:
        """The answer to a command, when all its steps are done."""
        answer = self.hosts.command(message, way)
        while self.keeper.goes_on():
            assert answer is None
        return answer or self.done(message, way)


def cut_off(memory: bytearray, commands: list[list[object]], cut: Cut) -> tuple[Flash, bool]:
    """The flash after these commands of hosts at ports of their own, cut off; and whether it was."""
    flash = Flash(bytearray(memory), cut=cut)
    with suppress(PowerCut):
        board = Powered(flash)
        for command in commands:
            board.done(command, Way())
        return flash, False
    return flash, True


@pytest.mark.parametrize("full", [False, True])
def test_two_commands_cut_off_at_any_byte_and_sent_again_count_once_each(full: bool) -> None:
    flash = Flash()
    board = Powered(flash)
    ways = {session: met() for session in (500, 90, 300)}
    for number in range(1, 4):
        for session in ways:
            assert board.done(["peg", session, number, 0, 1], ways[session])[0] == "ok"
    while full and board.journal.free >= TRIES:  # so that the first of the two has it erased
        board.keeper.do(board.match.redo_event() if board.match.can_redo else board.match.undo_event())
    scores = [board.match.front(0) + 5, board.match.front(1) + 7]
    commands: list[list[object]] = [["peg", 90, 4, 0, 5], ["peg", 500, 4, 1, 7]]
    tried = at = 0
    while True:
        left, was_cut = cut_off(flash.memory, commands, Cut(at, random.Random(at)))
        if not was_cut:
            break
        again = Powered(Flash(left.memory))
        if full and not again.match.rev:
            at += 29  # within the erase: all is lost, and the hosts see it by the epoch
            continue
        tried += 1
        at += 1
        for session in ways:
            ways[session] = Way()
        for command in (*reversed(commands), *commands):
            answer = again.done(command, ways[command[1]])  # type: ignore[index]
            assert answer[0] == "ok", (at, command, answer)
        assert [again.match.front(side) for side in (0, 1)] == scores, at
    assert tried > 20


@pytest.mark.parametrize("erased", [0, 1])
def test_an_erased_journal_remembers_four_hosts_and_the_newest_session(erased: int) -> None:
    flash = Flash()
    board = Powered(flash)
    sessions = [900, 100, 400, 200, 300]  # the first is forgotten, and was the newest
    for number, session in enumerate(sessions):
        assert board.done(["peg", session, 7, 0, number], met())[0] == "ok"
    for _ in range(erased):
        board.journal.roll(board.match)
    board = Powered(Flash(flash.memory))
    assert (board.hosts.newest.session, board.hosts.newest.last_id) == (900, 255)
    assert board.done(["peg", 900, 7, 0, 0], Way())[3] == "session"
    for number, session in enumerate(sessions[1:], 2):
        assert board.done(["peg", session, 7, 0, number], Way()) == ["ok", session, 7, number]
    assert board.match.rev == 5
    assert board.done(["peg", 901, 1, 0, 1], Way()) == ["ok", 901, 1, 6]


def test_what_a_host_gives_back_remembers_the_others() -> None:
    flash = Flash()
    board = Powered(flash)
    board.done(["peg", 900, 7, 0, 5], Way())
    board.done(["restore", 100, 1, 1, 121, 3, 2, 0, 91, 61, "0a050000", [0, 0]], met())
    flash.memory[:512] = bytes(512)  # the journal's own beginning
    board = Powered(Flash(flash.memory))
    assert board.done(["peg", 900, 7, 0, 5], Way()) == ["ok", 900, 7, 1]
    assert (board.match.rev, board.hosts.newest.session) == (2, 900)


# In turn


def test_nothing_comes_between_the_steps_of_a_command() -> None:
    usb, phone = guests()
    rig = usb.rig
    assert phone.peg(47)[3] == "points"
    usb.port.inbox += encode(["restore", usb.session, 1, 0, 121, 3, 2, 0, 91, 61, "0c0a0705", [0, 0]])
    rig.run(5)
    phone.port.inbox += encode(["peg", phone.session, 2, 1, 4])
    rig.run(200)
    assert [said[:2] for said in phone.hear() if said[0] == "ev"] == [["ev", 1], ["ev", 2]]
    assert usb.hear()[1] == ["ok", usb.session, 1, 1]
    assert rig.scores() == [12, 11]


def test_a_host_that_floods_the_board_keeps_no_other_from_it() -> None:
    usb, phone = guests()
    usb.port.inbox += b"".join(encode(["state", 1 + number % 255]) for number in range(2_000))
    assert phone.peg()[0] == "ok"
    assert len(usb.port.inbox) > 30_000


def test_a_host_that_does_not_read_keeps_no_other_from_the_board() -> None:
    usb, phone = guests()
    usb.port.room = 0
    for _ in range(30):
        assert phone.peg()[0] == "ok"


def test_a_host_that_goes_while_its_command_goes_on_keeps_no_other_from_the_board() -> None:
    usb, phone = guests()
    assert phone.peg(47)[3] == "points"
    usb.port.inbox += encode(["restore", usb.session, 1, 0, 121, 3, 2, 0, 91, 61, "0c0a0705", [0, 0]])
    while not usb.rig.app.keeper.due:
        usb.rig.run(5)
    usb.port.connected = False
    assert phone.peg()[0] == "ok"
    assert usb.rig.scores() == [12, 8]


def test_a_step_looks_at_one_port_and_a_port_with_nothing_to_do_takes_no_time(monkeypatch: pytest.MonkeyPatch) -> None:
    one, two, three = guests(3)
    two.port.connected = False
    one.rig.run(100)
    steps: list[object] = []
    step = Link.step
    monkeypatch.setattr(Link, "step", lambda link: steps.append(link._port) or step(link))
    for _ in range(9):
        one.rig.app.link.step()
    assert not steps
    for host in (one, three):
        host.port.inbox += encode(["state", 1])
    for most in range(1, 10):
        one.rig.app.link.step()
        assert len(steps) <= most
    assert [steps.count(host.port) for host in (one, two, three)] == [2, 0, 2], "one to read, one to answer"


def test_an_event_is_framed_once_for_all(monkeypatch: pytest.MonkeyPatch) -> None:
    hosts = guests(3)
    framed: list[object] = []
    monkeypatch.setattr("cribboard_fw.links.encode", lambda message: framed.append(message) or encode(message))
    hosts[0].rig.peg(0, 3)
    hosts[0].rig.run(50)
    assert len(framed) == 1
    for host in hosts:
        assert [heard[2:6] for heard in host.hear() if heard[0] == "ev"] == [["peg", 0, 3, 0]]


def test_a_board_with_one_port_has_one_link() -> None:
    assert isinstance(Rig().app.link, Link)


# Whose points wait


def test_points_of_one_port_stay_when_another_is_pulled_out() -> None:
    usb, phone = guests()
    assert usb.ask("pend", 5, 0, 4, 1, 60) == ["pend", 5, 0, 4, 1]
    assert phone.ask("pend", 6, 1, 7, 1, 60) == ["pend", 6, 1, 7, 1]
    usb.port.connected = False
    usb.rig.run(1_000)
    assert [usb.rig.app.entry.points(side) for side in (0, 1)] == [0, 7]
    assert phone.hear()[-1][:4] == ["pend", -1, 0, 0]
    usb.rig.app.entry.add(0, 5)
    phone.port.connected = False
    usb.rig.run(10)
    assert [usb.rig.app.entry.points(side) for side in (0, 1)] == [5, 0]


def test_people_at_two_ports_with_one_number_are_two() -> None:
    usb, phone = guests()
    usb.ask("pend", 5, 0, 4, 1, 60)
    phone.said.clear()
    assert phone.ask("pend", 6, 0, 7, 1, 60) == ["no", 0, 6, "waiting", "4 points of owner 1 wait for side 1"]
    assert phone.ask("pend", 7, 0, 0, 1, 60) == ["pend", 7, 0, 0, 1], "nothing of its own goes"
    assert usb.rig.app.entry.points(0) == 4


def test_the_board_numbers_who_waits_at_another_port() -> None:
    usb, phone = guests()
    phone.ask("pend", 6, 1, 7, 255, 60)
    phone.said.clear()
    usb.ask("pend", 5, 0, 4, 255, 60)
    usb.rig.run(20)
    assert (usb.said[-1], phone.hear()) == (["pend", -1, 0, 4, 255], [["pend", -1, 0, 4, 254]])
    usb.rig.app.entry.take_back()
    usb.rig.run(20)
    assert phone.hear() == [["pend", -1, 0, 4, 254], ["pend", -1, 0, 0, 254]]


def test_points_go_with_a_host_that_goes_in_the_middle_of_its_command() -> None:
    usb, phone = guests()
    phone.ask("pend", 6, 1, 7, 1, 200)
    rig = phone.rig
    phone.port.inbox += encode(["hand", phone.session, 1, 0, "5H5C5SJD", "5D", 0, 29])
    for _ in range(60):
        rig.run(5)
        if rig.app.keeper.due:
            break
    assert rig.app.keeper.due
    phone.port.connected = False
    rig.run(2_000)
    assert rig.app.entry.points(1) == 0
    assert usb.ask("state", 9)[2] == rig.match.rev == 1
