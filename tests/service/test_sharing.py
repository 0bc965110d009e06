"""The local door: every command comes through it to a board that a service holds, and nobody else does."""

from __future__ import annotations

import os
import signal
import socket
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from multiprocessing.connection import Client, Connection, Listener, answer_challenge
from pathlib import Path

import pytest
from click.testing import CliRunner
from service.at_board import PATIENCE_S, Ear, do, key, present, served

from cribboard import connect
from cribboard.board import link
from cribboard.board.client import Board
from cribboard.board.find import Found
from cribboard.board.follow import BoardChange
from cribboard.board.link import Nobody
from cribboard.board.share import MOST_GUESTS, NAME, Endpoint, Guest, doors, is_served, write
from cribboard.cli.main import cli
from cribboard.connect import hold_board, list_boards, open_board
from cribboard.errors import Busy, CommandError, CribboardError, TransportError, WrongBoard
from cribboard.files import home, take_lock
from cribboard.service.orders import OrderError
from cribboard.service.recorder import Recorder
from cribboard.service.service import Service
from cribboard.service.table import Table
from cribboard.sim.board import VirtualBoard
from cribboard.sim.registry import Registration, Running
from cribboard_core.events import PEG
from cribboard_core.wire import encode

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the virtual board needs pseudo-terminals")


@contextmanager
def visit() -> Iterator[Board]:
    with open_board() as board:
        assert board.guest
        yield board


def registered(virtual: VirtualBoard) -> Registration:
    return Registration(Running(virtual.port, virtual.uid, 1, virtual.name))


def sign() -> Endpoint:
    return next(doors(home() / "boards"))


def test_what_a_guest_wins_is_left_to_the_kiosk(kiosk: tuple[Service, Ear]) -> None:
    with visit() as board:
        board.new(121, 3, 2, names={0: "Ann", 1: "Bob"})
        board.set_score(0, 121, 0)
        Recorder(board, pytest.fail)
        assert not (board.folder / "recorded").exists()
    assert not (home() / "kiosk.db").exists()


def test_a_program_that_takes_nobody_in_holds_up_nobody(tmp_path: Path) -> None:
    with Listener() as stopped:
        door = Endpoint("0" * 16, "/dev/ttyACM9", False, str(stopped.address), "00")
        for _ in range(4):
            is_served(door)
        assert not is_served(door)


def test_a_program_that_takes_somebody_in_and_says_nothing_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cribboard.board.share.WELCOME_S", 0.05)
    with Listener() as stopped, pytest.raises(Nobody):
        Guest(Endpoint("0" * 16, "/dev/ttyACM9", False, str(stopped.address), "00"))


def test_a_door_of_windows_leads_nowhere_here() -> None:
    door = Endpoint("0" * 16, "COM3", False, r"\\.\pipe\cribboard", "00")
    assert not is_served(door)
    with pytest.raises(Nobody):
        Guest(door)


def test_a_board_in_the_place_of_one_that_is_away_is_not_taken_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    there = Found("/dev/ttyACM1", "b" * 16, "attached", "", True)
    monkeypatch.setattr(connect, "_there", lambda: [there])
    monkeypatch.delenv(connect.PORT_VARIABLE)
    with Listener(backlog=8) as one, Listener(backlog=8) as other:
        for uid, listener in (("a" * 16, one), ("c" * 16, other)):
            path = home() / "boards" / uid / NAME
            path.parent.mkdir(parents=True)
            write(path, Endpoint(uid, there.port, False, str(listener.address), "00"))
        assert list_boards() == [there]
        with ExitStack() as stack:
            assert connect._through_a_door(stack, None, None, print) == (there.port, None)
            assert connect._through_a_door(stack, there.port, None, print) == (there.port, None)


def test_a_guest_does_all_that_a_board_does(kiosk: tuple[Service, Ear], virtual: VirtualBoard) -> None:
    service, ear = kiosk
    with visit() as board:
        assert (board.hello.uid, board.port, board.done) == (virtual.uid, virtual.port, 0)
        happened = board.new(121, 3, 2, names={0: "Ann", 1: "Bob"})
        assert (happened.after.rev, board.names, board.match.rev) == (1, {0: "Ann", 1: "Bob"}, 1)
        board.hand(1, "5H5C5SJD", "5D", False, 29)
        board.set_score(0, 5, 2)
        assert board.standing.fronts == (5, 29)
        assert board.undo()[1] == "set"
        assert board.redo()[1] == "set"
        assert board.last() == [3, "set", 0, 5, 2, 0]
        assert [row.rev for row in board.events(1)] == [2, 3, 4, 5]
        assert board.sync() == board.standing
        assert board.check()
        board.pend(1, 3)
        board.restore(board.standing)
        assert board.done == len(board.ack_ms) == 6
        with pytest.raises(CommandError, match="no side 5") as caught:
            board.peg(4, 1)
        assert caught.value.code == "side"
        with pytest.raises(CribboardError, match="is not a command"):
            board.command("explode")
        with pytest.raises(CribboardError):
            board.command("peg", {"a": 1})
    ear.wait(lambda heard: service.view.entry()["sides"][1]["name"] == "Bob")
    ear.wait(lambda heard: service.view.entry()["count"] is None)  # restored


def test_a_hand_that_a_phone_has_counted_is_asked_about_at_the_command_too(kiosk: tuple[Service, Ear]) -> None:
    service, ear = kiosk
    with visit() as board:
        board.new(121, 3, 2, names={0: "Ann", 1: "Bob"})
    hand = ["hand", "Ann", "5H5C5SJD", "--starter", "5D"]
    do(service, "hand", side=1, cards=["5H", "5C", "5S", "JD"], starter="5D")
    refused = CliRunner().invoke(cli, hand)
    assert "5H 5C 5S JD were already counted in this deal, by Ann" in refused.stderr
    done = CliRunner().invoke(cli, [*hand, "--again"])
    assert (done.exit_code, service.view.entry()["sides"][0]["front"]) == (0, 58)
    other = ["hand", "Bob", "6H6C7D8S", "--starter", "5D"]
    assert [CliRunner().invoke(cli, other).exit_code for _ in range(2)] == [0, 1]
    ear.wait(lambda heard: service.view.entry()["sides"][1]["front"] > 0)
    with pytest.raises(OrderError, match="already counted in this deal"):
        do(service, "hand", side=2, cards=["6H", "6C", "7D", "8S"], starter="5D")


def test_a_guest_hears_what_others_do_and_others_hear_the_guest(kiosk: tuple[Service, Ear]) -> None:
    service, ear = kiosk
    heard: list[BoardChange] = []
    with visit() as board, visit() as other:
        board.on_event = heard.append
        events: list[list[object]] = []
        for act in (
            lambda: do(service, "new", names=["Ann", "Bob"]),
            lambda: do(service, "peg", side=1, points=5),
            lambda: other.peg(1, 2),
        ):
            act()
            events += board.poll(PATIENCE_S)
        assert [row[:4] for row in events] == [[1, "new", 0, 91], [2, "peg", 0, 5], [3, "peg", 1, 2]]
        assert [happened.after.rev for happened in heard] == [1, 2, 3]
        assert (board.standing.fronts, board.names) == ((5, 2), {0: "Ann", 1: "Bob"})
        assert board.poll() == []
        began = time.monotonic()
        assert board.poll(0.05) == []
        assert time.monotonic() - began >= 0.05
    assert ear.texts("happened")[-1] == "Bob pegs 2, now at 2."


def test_the_commands_of_the_terminal_go_through_the_door(kiosk: tuple[Service, Ear]) -> None:
    def said(*words: str) -> str:
        done = subprocess.run([sys.executable, "-m", "cribboard", *words], capture_output=True, text=True, timeout=60)
        assert done.returncode == 0, done.stderr
        return done.stdout

    said("new", "Ann", "Bob")
    assert said("peg", "Ann", "5") == "Ann pegs 5, now at 5.\n"
    assert said("undo") == "Undid: Ann pegs 5. Ann 0.\n"
    assert "Game to 121" in said("state")
    assert "in use by a kiosk" in said("boards")
    watching = subprocess.Popen(
        [sys.executable, "-m", "cribboard", "watch", "--events", "1"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert watching.stderr is not None
    assert "Watching" in watching.stderr.readline()
    said("go", "Bob")
    assert watching.communicate(timeout=60)[0] == "Bob pegs 1 for a go or the last card, now at 1.\n"
    played = subprocess.run(
        [
            sys.executable,
            "-m",
            "cribboard",
            "play",
            "Ann",
            "Bob",
            "--deal",
            "--computer",
            "Ann",
            "--new",
            "--seed",
            "1",
        ],
        input="quit\n",
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert played.returncode == 0, played.stderr
    assert "A game to 121 between Ann and Bob." in played.stdout


def test_only_one_referee_at_a_time_comes_through_the_door(kiosk: tuple[Service, Ear], virtual: VirtualBoard) -> None:
    other = take_lock(home() / "boards" / virtual.uid / "play.lock", "")
    words = [sys.executable, "-m", "cribboard", "play", "Ann", "Bob"]
    refused = subprocess.run(words, input="", capture_output=True, text=True, timeout=60)
    other.release()
    assert refused.returncode == 3
    assert refused.stderr.startswith("Error: another `cribboard play` referees at this board\n")
    assert subprocess.run(words, input="quit\n", capture_output=True, text=True, timeout=60).returncode == 0


def test_the_board_is_found_by_port_and_by_uid_and_as_the_virtual_one(
    kiosk: tuple[Service, Ear], virtual: VirtualBoard, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    assert [(board.port, board.uid, board.kind) for board in list_boards()] == [(virtual.port, virtual.uid, "sim")]
    link = tmp_path / "by-id"
    link.symlink_to(virtual.port)
    for port, uid in ((virtual.port, None), (str(link), None), ("sim", None), ("sim", virtual.uid[-5:])):
        with open_board(port, uid) as board:
            assert board.guest
    monkeypatch.delenv("CRIBBOARD_PORT")
    monkeypatch.setattr("cribboard.connect.attached", list)
    with open_board() as board:
        assert board.guest
    with pytest.raises(Busy), hold_board(virtual.port):
        pass


def test_the_sign_is_for_this_user_alone_and_goes_with_the_service(virtual: VirtualBoard) -> None:
    with served(virtual):
        path = home() / "boards" / virtual.uid / NAME
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        assert stat.S_IMODE(Path(sign().address).parent.stat().st_mode) == 0o700
        path.chmod(0o644)
        assert list(doors(home() / "boards")) == []
        path.chmod(0o600)
        old = sign()
    assert not path.exists()
    assert not is_served(old)
    with open_board(virtual.port) as board:
        assert not board.guest


@pytest.mark.parametrize(
    "text",
    [
        *("", "[]", "{}", '{"uid": 5}', "[" * 10000, '{"uid": "x", "port": "p", "address": "a"}'),
        '{"uid": "x", "port": 7, "address": "a", "secret": "00"}',
        '{"uid": "another", "port": "p", "address": "a", "secret": "00"}',
    ],
)
def test_a_sign_that_is_damaged_is_passed_over(text: str) -> None:
    path = home() / "boards" / "x" / NAME
    path.parent.mkdir(parents=True)
    path.write_text(text)
    path.chmod(0o600)
    assert list(doors(home() / "boards")) == []


def test_the_door_of_a_dead_kiosk_is_passed_over(virtual: VirtualBoard, tmp_path: Path) -> None:
    path = home() / "boards" / virtual.uid / NAME
    path.parent.mkdir(parents=True)
    write(path, Endpoint(virtual.uid, virtual.port, True, str(tmp_path / "gone"), "00"))
    assert not is_served(sign())
    with open_board(virtual.port) as board:
        assert not board.guest
        board.peg(0, 5)


def test_who_does_not_know_the_secret_gets_nothing(kiosk: tuple[Service, Ear]) -> None:
    endpoint = sign()
    with pytest.raises(Nobody):
        Guest(Endpoint(endpoint.uid, endpoint.port, True, endpoint.address, "00" * 32))
    with pytest.raises(Nobody):
        Guest(Endpoint(endpoint.uid, endpoint.port, True, endpoint.address, "no secret"))
    with Client(endpoint.address) as stranger:
        stranger.send_bytes(encode(["peg", 1, 1, 0, 5]))
        heard = stranger.recv_bytes()
        assert b"CHALLENGE" in heard
        assert stranger.recv_bytes() == b"#FAILURE#"
        with pytest.raises((EOFError, OSError)):
            stranger.recv_bytes()
    with Client(endpoint.address) as stranger:
        answer_challenge(stranger, bytes.fromhex(endpoint.secret))
        stranger.send_bytes(b"no challenge")
        with pytest.raises((EOFError, OSError)):
            stranger.recv_bytes()
    with visit() as board:
        assert board.match.rev == 0


def test_a_guest_notices_that_another_board_is_behind_the_door(
    kiosk: tuple[Service, Ear], monkeypatch: pytest.MonkeyPatch
) -> None:
    with visit() as board:
        path = home() / "boards" / "ab"
        path.mkdir()
        write(path / NAME, replace(sign(), uid="ab"))
        board._sender.hello = replace(board.hello, uid="ab")
        board._connection.lost(TransportError("the link is gone", ""))
        with pytest.raises(WrongBoard, match="another board has come back"):
            board.sync()


@pytest.mark.parametrize(
    "frame",
    [
        b"",
        b"\xff\xfe",
        b"x" * (1 << 21),
        encode([]),
        encode([5, 5]),
        encode([[], 5]),
        encode(["peg"]),
        encode(["peg", 1]),
        encode(["peg", 1, "x", 0, 5]),
        encode(["peg", [], 1, 0, 5]),
        encode(["dance", 1]),
        encode(["peg", 1, 1, 0, 5])[:-3],
    ],
    ids=lambda frame: str(frame[:12]),
)
def test_garbage_ends_the_visit_and_harms_nobody(kiosk: tuple[Service, Ear], frame: bytes) -> None:
    door = Guest(sign())
    with pytest.raises(Nobody):
        door.write(frame)
        while True:
            door.read()
    with visit() as board:
        board.peg(0, 1)
        assert board.standing.fronts == (1, 0)


def test_a_frame_cut_off_and_guests_that_stay_silent_harm_nobody(kiosk: tuple[Service, Ear]) -> None:
    silent = [Client(sign().address) for _ in range(MOST_GUESTS - 2)]
    with visit() as board:
        board.peg(0, 1)
    for guest in silent:
        os.write(guest.fileno(), b"\x00\x00\x10\x00half")
        guest.close()
    door = Guest(sign())
    os.write(door._door.fileno(), b"\x00\x00\x00\x28" + encode(["peg", 1, 1, 0, 5])[:20])
    with visit() as board:
        board.peg(0, 1)  # while the other one is in the middle of a frame
        door.close()
        board.peg(0, 1)
        assert board.standing.fronts == (3, 0)
    do(kiosk[0], "peg", side=1, points=1)


def test_one_guest_more_than_there_is_room_for_is_shown_out(kiosk: tuple[Service, Ear]) -> None:
    silent = [Client(sign().address) for _ in range(MOST_GUESTS)]
    assert all(guest.recv_bytes() for guest in silent), "each is let in and asked for the secret"
    threads = threading.active_count()
    for _ in range(5):
        with Client(sign().address) as late, pytest.raises((EOFError, OSError)):
            late.recv_bytes()
    assert threading.active_count() == threads
    for guest in silent:
        guest.close()
    gone_by = time.monotonic() + PATIENCE_S
    while any(thread.name == "guest" for thread in threading.enumerate()) and time.monotonic() < gone_by:
        time.sleep(0.01)
    with visit() as board:
        board.peg(0, 1)
        assert board.standing.fronts == (1, 0)


def test_a_guest_for_whom_there_is_no_thread_is_shown_out_and_takes_no_room(
    kiosk: tuple[Service, Ear], monkeypatch: pytest.MonkeyPatch
) -> None:
    start = threading.Thread.start

    def full(thread: threading.Thread) -> None:
        if thread.name == "guest":
            raise RuntimeError("can't start new thread")
        start(thread)

    monkeypatch.setattr("cribboard.board.share.MOST_GUESTS", 1)
    with monkeypatch.context() as patch:
        patch.setattr(threading.Thread, "start", full)
        with Client(sign().address) as late:
            assert late.poll(PATIENCE_S)
            with pytest.raises((EOFError, OSError)):
                late.recv_bytes()
    Guest(sign()).close()


def test_a_system_without_another_file_is_not_asked_for_one_all_the_time(
    kiosk: tuple[Service, Ear], monkeypatch: pytest.MonkeyPatch
) -> None:
    import resource

    asked: list[int] = []
    accept = Listener.accept

    def counted(listener: Listener) -> object:
        asked.append(1)
        return accept(listener)

    monkeypatch.setattr(Listener, "accept", counted)
    Client(sign().address).close()  # has the door look up and ask anew
    asks_by = time.monotonic() + PATIENCE_S
    while not asked and time.monotonic() < asks_by:
        time.sleep(0.01)
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    with socket.socket(socket.AF_UNIX) as guest:
        address = sign().address
        taken = max(int(entry.name) for entry in Path("/dev/fd").iterdir()) + 1
        spare = [os.dup(guest.fileno()) for _ in range(taken)]  # fills the gaps
        resource.setrlimit(resource.RLIMIT_NOFILE, (max(spare) + 1, before[1]))
        try:
            guest.connect(address)
            time.sleep(0.5)
        finally:
            resource.setrlimit(resource.RLIMIT_NOFILE, before)
            for descriptor in spare:
                os.close(descriptor)
    assert 1 <= len(asked) < 20


def test_a_guest_that_does_not_read_is_disconnected_and_keeps_nobody_waiting(
    kiosk: tuple[Service, Ear], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cribboard.board.share.MOST_UNREAD", 5)
    service, _ = kiosk
    deaf = Guest(sign())
    door = service._door
    assert door is not None
    pushed = encode(["say", "x" * 80]) * 20
    exchange = door._exchange
    assert exchange is not None
    while door._doors:
        exchange.hand_out(pushed)  # more than the system takes
    do(service, "peg", side=1, points=1)
    with pytest.raises(Nobody):
        while True:
            deaf.read()


def test_a_guest_follows_a_service_that_is_started_again(virtual: VirtualBoard) -> None:
    notes: list[str] = []
    with served(virtual) as (service, _), open_board(virtual.port, say=notes.append) as board:
        assert board.guest
        service.stop()
        assert board.poll(0.3) == []
        with hold_board(virtual.port) as direct:
            direct.peg(0, 5)
        service._ending.clear()
        service.start()
        events: list[list[object]] = []
        ends = time.monotonic() + PATIENCE_S
        while not events and time.monotonic() < ends:
            events += board.poll(0.5)
        assert [row[:4] for row in events] == [[1, "peg", 0, 5]]
        assert board.standing.fronts == (5, 0)
        board.peg(1, 2)
        assert board.check()
    assert notes == [
        "the program that uses the board has ended; waiting for it to come back",
        f"the board is back on {virtual.port}",
    ]


def test_a_command_when_the_service_has_ended_is_done_by_the_guest_itself(virtual: VirtualBoard) -> None:
    with served(virtual) as (service, _), registered(virtual), open_board(virtual.port) as board:
        service.stop()
        heard: list[BoardChange] = []
        board.on_event = heard.append
        assert board.peg(0, 5).after.fronts == (5, 0)
        assert board.standing.fronts == (5, 0)
        assert [happened.after.fronts for happened in heard] == [(5, 0)]


def test_so_it_is_with_a_board_on_a_cable(virtual: VirtualBoard) -> None:
    service = Service(1, lambda say: hold_board(virtual.port, say=say), None)
    ear = Ear(service)
    service.start()
    try:
        present(ear, service)
        with registered(virtual), open_board(virtual.port) as board:
            service.stop()
            assert board.peg(0, 5).after.fronts == (5, 0)
    finally:
        service.stop()


def test_a_guest_that_has_borrowed_the_port_lets_the_next_holder_have_it(virtual: VirtualBoard) -> None:
    with served(virtual) as (service, ear), registered(virtual), open_board(virtual.port) as board:
        service.stop()
        board.peg(0, 5)
        service._ending.clear()
        service.start()
        ear.wait(lambda heard: service.is_open and not service.view.away)
        do(service, "peg", side=2, points=3)
        assert board.peg(0, 1).after.fronts == (6, 3)
        assert isinstance(board._connection._port, Guest)


def test_a_guest_that_only_listens_does_not_take_the_port(
    virtual: VirtualBoard, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cribboard.connect.Borrowed", pytest.fail)
    with served(virtual) as (service, _), registered(virtual), open_board(virtual.port) as board:
        service.stop()
        assert board.poll(0.3) == []
        with hold_board(virtual.port) as direct:
            direct.peg(0, 5)


def test_a_guest_that_can_reach_nobody_says_that_its_command_is_noted(
    virtual: VirtualBoard, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(link, "AWAY_S", 0.3)
    with served(virtual) as (service, _), registered(virtual), open_board(virtual.port) as board:
        service.stop()
        virtual.kill()
        with pytest.raises(TransportError, match="`peg 1 5` is noted; the next command finds out whether it counted"):
            board.peg(0, 5)


def test_while_somebody_else_has_the_board_a_guest_waits_and_then_says_so(
    virtual: VirtualBoard, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(link, "AWAY_S", 0.3)
    with served(virtual) as (service, _), registered(virtual), open_board(virtual.port) as board:
        service.stop()
        with hold_board(virtual.port), pytest.raises(Busy, match="another"):
            board.sync()


def test_a_board_that_is_away_is_told_to_the_guest(
    kiosk: tuple[Service, Ear], virtual: VirtualBoard, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(link, "AWAY_S", 0.3)
    service, ear = kiosk
    with visit() as board:
        virtual.kill()
        ear.wait(lambda heard: service.view.away)
        with pytest.raises(TransportError, match=r"is gone|not there|no port"):
            board.peg(0, 5)
    with pytest.raises(TransportError, match=r"is gone|not there|no port"), visit():
        pass


def test_guests_are_not_heard_before_the_holder_hears_the_board_itself(
    kiosk: tuple[Service, Ear], monkeypatch: pytest.MonkeyPatch
) -> None:
    service, _ = kiosk
    door = service._door
    assert door is not None
    silent = TransportError("the board is silent", "wait")
    with visit() as board:
        with monkeypatch.context() as patch:
            patch.setattr(door, "_away", lambda: silent)
            patch.setattr(board._connection, "_give_up_s", 0.3)
            with pytest.raises(TransportError, match="does not answer"):
                board.peg(0, 1)
            with pytest.raises(TransportError, match="the board is silent"):
                Guest(sign())
        assert service.view.standing is not None
        assert service.view.standing.rev == 0
        board.peg(0, 2)
        assert board.notes[-1] == "the last command, `peg 1 1`, reached the board only now, and counts"
        assert board.standing.fronts == (3, 0)


def test_a_door_that_cannot_be_opened_is_told_and_the_game_goes_on(
    virtual: VirtualBoard, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def full(path: Path, sign: Endpoint) -> None:
        raise CribboardError(f"{path} cannot be written (No space left on device)", "make room")

    monkeypatch.setattr("cribboard.board.share.write", full)
    with served(virtual) as (service, ear):
        assert do(service, "peg", side=1, points=5)["rev"] == 1
        assert not any(NAME in text for text in ear.texts("notice"))  # guests need not know
    assert "other commands cannot reach" in caplog.text


def test_the_sign_follows_the_board_to_another_port(virtual: VirtualBoard) -> None:
    with served(virtual) as (service, ear):
        virtual.kill()
        ear.wait(lambda heard: service.view.away)
        taken = [os.openpty() for _ in range(2)]
        virtual.start()
        with registered(virtual):
            present(ear, service)
            with open_board(virtual.port) as board:
                assert board.guest
                board.peg(0, 1)
        for pair in taken:
            for end in pair:
                os.close(end)


def test_many_guests_and_the_kiosk_at_once_lose_nothing_and_double_nothing(kiosk: tuple[Service, Ear]) -> None:
    service, _ = kiosk
    failed: list[BaseException] = []

    def guest(side: int) -> None:
        try:
            with visit() as board:
                for _ in range(10):
                    board.peg(side, 1)
        except BaseException as error:
            failed.append(error)

    def phone(side: int) -> None:
        try:
            for _ in range(10):
                order = {"do": "peg", "key": key(), "side": side + 1, "points": 1}
                revs = {service.order(order, f"phone {side}").result(PATIENCE_S)["rev"] for _ in range(2)}
                assert len(revs) == 1, "asked twice, done once"
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=guest, args=(at % 2,)) for at in range(5)]
    threads += [threading.Thread(target=phone, args=(side,)) for side in (0, 1)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []
    with visit() as board:
        assert board.standing.fronts == (40, 30)
        rows = board.events()
    assert [row.a for row in rows] == [1] * 70
    assert len({(row.session, row.id) for row in rows}) == 70


def test_everybody_knows_the_names_of_a_game_whoever_gave_them(kiosk: tuple[Service, Ear]) -> None:
    service, ear = kiosk
    with visit() as board, visit() as other:
        do(service, "new", names=["Ann", "Bob"])
        assert (board.sync().rev, board.names) == (1, {0: "Ann", 1: "Bob"})
        board.new(121, 3, 2, names={0: "Cleo", 1: "Dev"})
        board.peg(0, 5)
        ear.wait(lambda heard: "Cleo pegs 5, now at 5." in ear.texts("happened"))
        assert ear.texts("happened")[-2].startswith("New game"), "known before the first word of it"
        assert "Cleo" in ear.texts("happened")[-2]
        assert other.sync() == board.standing
        assert other.names == service.view.names == {0: "Cleo", 1: "Dev"}
        service.rename_player(["Dev"], "Eve").result(PATIENCE_S)  # type: ignore[union-attr]
        assert board.names == other.names == {0: "Cleo", 1: "Eve"}
    noted = [path.read_text() for path in (home() / "boards").rglob("ledger.json")]
    assert len(noted) == 3
    assert not any("Dev" in text for text in noted)


def test_the_kiosk_learns_the_names_that_a_guest_gave_while_it_was_away(virtual: VirtualBoard) -> None:
    with served(virtual) as (service, ear), registered(virtual), open_board(virtual.port) as board:
        service.stop()
        board.new(121, 3, 2, names={0: "Cleo", 1: "Dev"})
        board.poll()
        service._ending.clear()
        service.start()
        ear.wait(lambda heard: service.is_open and not service.view.away)
        assert service.view.names == {0: "Cleo", 1: "Dev"}


def test_the_kiosk_says_that_the_command_line_did_it_and_has_its_cards(kiosk: tuple[Service, Ear]) -> None:
    service, ear = kiosk
    with visit() as board:
        board.hand(1, "5H5C5SJD", "5D", False, 29)
        ear.wait(lambda heard: len(ear.texts("happened")) == 1)
        table = service.submit(lambda table: table).result(PATIENCE_S)
        assert [mark.by for mark in table.marks] == ["the command line"]
        counted = service.view.entry()["count"]
        assert (counted["rev"], counted["side"], counted["points"]) == (1, 2, 29)
        do(service, "pend", side=2, points=3)
        board.pend(0, 4)
        ear.wait(lambda heard: service.view.entry()["sides"][0]["waiting"])
        assert service.view.entry()["sides"][0]["waiting_by"] == "another program"


def test_a_holder_that_ends_in_the_middle_of_a_frame_costs_a_guest_nothing(virtual: VirtualBoard) -> None:
    with served(virtual) as (service, _), registered(virtual), open_board(virtual.port) as board:
        door = service._door
        assert door is not None
        halves: list[bytes] = []
        send = Connection.send_bytes

        def half(self: Connection[bytes, bytes], frame: bytes) -> None:
            if self not in door._doors or (b'"ok"' not in frame and not halves):
                send(self, frame)
            if self not in door._doors or b'"ok"' not in frame or halves:
                return  # there is no more of it
            halves.append(frame)
            os.write(self.fileno(), len(frame).to_bytes(4, "big") + frame[:9])
            threading.Thread(target=service.stop).start()

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(Connection, "send_bytes", half)
            assert board.peg(0, 5).after.fronts == (5, 0)
        assert len(halves) == 1
        assert [row.as_folded[:3] for row in board.events()] == [(PEG, 0, 5)]


KILLED = """
import os, signal, sys
from cribboard.board.share import Guest
from cribboard.connect import open_board

write = Guest.write

def written(self, data):
    if b'"peg"' in data:
        os.write(self._door.fileno(), len(data).to_bytes(4, "big") + data[:-9])
        os.kill(os.getpid(), signal.SIGKILL)
    write(self, data)

Guest.write = written
with open_board(sys.argv[1]) as board:
    board.peg(0, 5)
"""


def test_a_guest_killed_in_the_middle_of_a_frame_costs_nobody_and_its_command_is_settled(virtual: VirtualBoard) -> None:
    notes: list[str] = []
    with served(virtual) as (service, _):
        died = subprocess.run([sys.executable, "-c", KILLED, virtual.port], timeout=60)
        assert died.returncode == -signal.SIGKILL
        do(service, "peg", side=2, points=1)
        with open_board(virtual.port, say=notes.append) as board:
            assert board.standing.fronts == (0, 1)
        died = subprocess.run([sys.executable, "-c", KILLED, virtual.port], timeout=60)
    with registered(virtual), hold_board(virtual.port, say=notes.append) as board:
        assert board.standing.fronts == (5, 1)
    assert notes == [
        "the last command, `peg 1 5`, did not count, and the game has gone on; repeat it if it is still right",
        "the last command, `peg 1 5`, reached the board only now, and counts",
    ]


def test_a_command_that_comes_while_the_kiosk_starts_goes_through_its_door(
    virtual: VirtualBoard, monkeypatch: pytest.MonkeyPatch
) -> None:
    opens = Service._open_door

    def late(service: Service, table: Table) -> None:
        time.sleep(1)
        opens(service, table)

    monkeypatch.setattr(Service, "_open_door", late)
    service = Service(1, lambda say: hold_board(virtual.port, say=say), None)
    ear = Ear(service)
    service.start()
    try:
        while not service.is_open:
            time.sleep(0.01)
        with open_board(virtual.port) as board:
            board.peg(0, 7)
        ear.wait(lambda heard: service.view.standing is not None and service.view.standing.fronts == (7, 0))
    finally:
        service.stop()
