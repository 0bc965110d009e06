"""Which board a command talks to, and a real virtual board at the end of it, pulled plugs included."""

from __future__ import annotations

import os
import threading
from contextlib import ExitStack

import pytest

from cribboard import connect
from cribboard.board.client import Board
from cribboard.board.find import Found
from cribboard.board.messages import Hello
from cribboard.board.transport import SerialTransport
from cribboard.connect import list_boards, open_board
from cribboard.errors import Busy, TransportError, WrongBoard
from cribboard.files import STARTING, take_lock
from cribboard.sim.board import VirtualBoard
from cribboard.sim.registry import Registration, Running, SimError
from cribboard_core.events import PEG


@pytest.fixture(autouse=True)
def alone(tmp_path, monkeypatch):
    """No board of this machine's own is seen, and no file of the user's is touched."""
    monkeypatch.setenv("CRIBBOARD_HOME", str(tmp_path))
    monkeypatch.delenv("CRIBBOARD_PORT", raising=False)
    monkeypatch.setattr(connect, "attached", list)


@pytest.fixture
def virtual(tmp_path):
    with VirtualBoard(name="test") as board:
        yield board


def registered(virtual: VirtualBoard) -> Registration:
    return Registration(Running(virtual.port, virtual.uid, os.getpid(), virtual.name))


def attach(monkeypatch, *boards: Found) -> None:
    monkeypatch.setattr(connect, "attached", lambda: list(boards))


def test_without_a_board_a_virtual_one_is_started_and_keeps_the_score():
    said: list[str] = []
    with open_board(say=said.append) as board:
        board.peg(0, 5)
    with open_board() as board:
        assert board.standing.fronts == (5, 0)
        assert board.check()
    assert said == ["no board is attached: using the virtual board"]


def test_the_port_sim_is_the_virtual_board_even_with_another_attached(virtual, monkeypatch):
    attach(monkeypatch, Found("/dev/never-opened", "", "attached"))
    with registered(virtual), open_board("sim") as board:
        assert board.port == virtual.port
    with open_board("sim") as board:
        assert board.port != "/dev/never-opened"


def test_the_named_port_is_used(virtual):
    with open_board(virtual.port) as board:
        assert (board.port, board.hello.uid) == (virtual.port, virtual.uid)


def test_the_port_of_the_environment_is_used(virtual, monkeypatch):
    monkeypatch.setenv("CRIBBOARD_PORT", virtual.port)
    with open_board() as board:
        assert board.port == virtual.port


def test_a_running_virtual_board_is_found(virtual):
    with registered(virtual), open_board() as board:
        assert board.port == virtual.port


def test_the_boards_of_a_kiosk_that_is_starting_are_waited_for(virtual, tmp_path):
    starting = take_lock(tmp_path / STARTING, "")
    said: list[str] = []
    with ExitStack() as stack:

        def started(text: str) -> None:
            said.append(text)
            stack.enter_context(registered(virtual))
            starting.release()

        for port in (None, "sim"):
            with open_board(port, say=started) as board:
                assert board.hello.uid == virtual.uid
    assert said == ["a kiosk is starting: waiting for its boards"]


def test_running_virtual_boards_are_listed(virtual):
    with registered(virtual):
        assert list_boards() == [Found(virtual.port, virtual.uid, "sim", "virtual board 'test'")]


def test_a_system_without_terminals_lists_attached_boards(monkeypatch):
    attach(monkeypatch, Found("COM3", "aa", "attached"))

    def none() -> list[Running]:
        raise SimError("no pseudo-terminals")

    monkeypatch.setattr(connect, "running_boards", none)
    assert [board.port for board in list_boards()] == ["COM3"]


def test_an_attached_board_goes_before_a_virtual_one(virtual, monkeypatch, tmp_path):
    with VirtualBoard(name="attached") as real, registered(virtual):
        attach(monkeypatch, Found(real.port, real.uid, "attached", "Pico"))
        with open_board() as board:
            assert board.port == real.port


def test_several_boards_are_listed_in_the_error(monkeypatch):
    attach(monkeypatch, Found("/dev/a", "aa01", "attached", "Pico"), Found("/dev/b", "bb02", "attached", "Pico 2"))
    with pytest.raises(TransportError) as several, open_board():
        pass
    assert str(several.value) == (
        "there are 2 boards; name one with --port or --board; /dev/a  aa01  Pico\n/dev/b  bb02  Pico 2"
    )


def test_a_board_is_chosen_by_the_end_of_its_uid(virtual, monkeypatch):
    attach(monkeypatch, Found("/dev/a", "aa01", "attached"), Found(virtual.port, virtual.uid, "attached"))
    with open_board(uid=virtual.uid[-6:].upper()) as board:
        assert board.hello.uid == virtual.uid


def test_a_uid_that_no_board_has_is_an_error(monkeypatch):
    attach(monkeypatch, Found("/dev/a", "aa01", "attached", "Pico"))
    with pytest.raises(TransportError, match="there is no board ff; /dev/a  aa01  Pico"), open_board(uid="ff"):
        pass


def test_a_uid_that_several_boards_have_is_an_error(monkeypatch):
    attach(monkeypatch, Found("/dev/a", "aa01", "attached"), Found("/dev/b", "bb01", "attached"))
    with pytest.raises(TransportError, match="there are several boards 01"), open_board(uid="01"):
        pass


def test_a_port_with_another_board_than_the_one_meant_is_an_error(virtual):
    with pytest.raises(WrongBoard, match=f"is {virtual.uid}, not zz"), open_board(virtual.port, "zz"):
        pass


def test_ports_that_may_be_boards_are_asked(virtual, monkeypatch):
    attach(
        monkeypatch,
        Found("/dev/ttyNONE", "", "attached", "Pico", sure=False),
        Found(virtual.port, "", "attached", "Pico", sure=False),
    )
    with open_board() as board:
        assert board.hello.uid == virtual.uid


def test_a_board_that_does_not_say_who_it_is_stays_in_the_list(monkeypatch):
    attach(monkeypatch, Found("/dev/ttyNONE", "", "attached", "Pico"))
    with pytest.raises(TransportError, match="there is no port /dev/ttyNONE"), open_board():
        pass


def test_a_taken_port_is_refused(virtual):
    with (
        open_board(virtual.port),
        pytest.raises(TransportError, match="is in use by another program"),
        open_board(virtual.port),
    ):
        pass


def test_the_virtual_board_of_another_command_is_waited_for(monkeypatch):
    said: list[str] = []
    with VirtualBoard() as held:
        ending = threading.Timer(0.3, held.stop)
        ending.start()
        with open_board("sim", say=said.append) as board:
            board.peg(0, 1)
        ending.join()
    assert said == []  # it was asked for


def test_a_virtual_board_that_is_listed_meanwhile_is_used(monkeypatch):
    with VirtualBoard() as held:
        times = [[], [Running(held.port, held.uid, os.getpid(), "sim")]]
        monkeypatch.setattr(connect, "running_boards", lambda: times.pop(0) if len(times) > 1 else times[0])
        with open_board("sim") as board:
            assert board.port == held.port


def test_a_virtual_board_that_another_command_keeps_is_refused(monkeypatch):
    monkeypatch.setattr(connect, "BUSY_S", 0.5)
    monkeypatch.setattr(connect, "SAY_BUSY_S", 0.0)
    said = []
    with VirtualBoard(), pytest.raises(Busy) as refused, open_board("sim", say=said.append):
        pass
    assert said == ["another command is using the virtual board: waiting for it"]
    assert str(refused.value) == (
        "another command is using the virtual board; "
        "try again; `cribboard sim` in a terminal of its own serves one command after the other"
    )


def test_a_terminal_that_has_ended_is_not_opened_again():
    reach = connect._Reach("/dev/pts/123456")
    reach.know("ab01")
    with pytest.raises(TransportError, match="the board ab01 is not there; plug it in"):
        reach()


def test_a_board_that_was_listed_is_not_looked_for_elsewhere(monkeypatch):
    attach(monkeypatch, Found("/dev/none-a", "ab01", "attached"))
    reach = connect._Reach("/dev/none-a")
    reach.know("ab01")
    attach(monkeypatch, Found("/dev/none-a", "cd02", "attached"))
    with pytest.raises(TransportError, match="the board ab01 is not there"):
        reach()
    attach(monkeypatch, Found("/dev/none-b", "ab01", "attached"))
    with pytest.raises(TransportError, match="there is no port /dev/none-b"):
        reach()


def test_a_port_that_no_list_has_is_tried_again_by_its_name():
    reach = connect._Reach("/dev/none-a")
    reach.know("ab01")
    with pytest.raises(TransportError, match="there is no port /dev/none-a"):
        reach()


def test_a_board_whose_power_is_cut_in_mid_game_goes_on_at_its_new_port(virtual):
    said: list[str] = []
    with registered(virtual) as first, open_board(say=said.append) as board:
        board.peg(0, 1)
        virtual.kill()
        first.close()
        again: list[Registration] = []

        def restart() -> None:
            virtual.start()
            again.append(registered(virtual))

        power = threading.Timer(0.2, restart)
        power.start()
        for _ in range(5):
            board.peg(0, 1)
        power.join()
        assert board.standing.fronts == (6, 0)
        assert board.check()
        again[0].close()
    assert len(said) == 2
    assert said[0].endswith("waiting for it to come back")
    assert said[1].startswith("the board is back on /dev/")


def test_a_reset_of_the_board_is_waited_for(virtual):
    with open_board(virtual.port) as board:
        board.peg(0, 2)
        virtual.reset()
        board.peg(0, 3)
        assert board.standing.fronts == (5, 0)
        assert board.check()


def test_a_power_cut_in_the_middle_of_a_flash_write_loses_and_doubles_nothing(virtual, tmp_path):
    power: list[threading.Thread] = []

    def reach() -> SerialTransport:
        for restart in power:
            restart.join()
        return SerialTransport(virtual.port)

    def restart() -> None:
        virtual.wait_for(lambda one: not one.alive)
        virtual.kill()
        virtual.start()

    with Board(reach, tmp_path / "boards") as board:
        board.peg(1, 1)
        for cut in range(4):
            virtual.cut_power_after(3 * cut + 1, seed=cut)
            power[:] = [threading.Thread(target=restart)]
            power[0].start()
            board.peg(0, 2)
            assert board.check()
        assert board.standing.fronts == (8, 1)
        assert [row.a for row in board.events() if row.kind == PEG] == [1, 2, 2, 2, 2]


def test_hello_is_asked_of_a_real_port(virtual):
    hello = connect.probe(virtual.port)
    assert isinstance(hello, Hello)
    assert hello.uid == virtual.uid


@pytest.mark.parametrize("running", [False, True])
def test_a_virtual_board_that_refuses_its_settings_names_the_file_and_the_key(tmp_path, monkeypatch, running):
    file = tmp_path / "sim" / "sim" / "settings.toml"
    file.parent.mkdir(parents=True)
    file.write_text('BRIGHTNESS = "bright"\nTARGET = 120\n', encoding="utf-8")
    with ExitStack() as stack:
        if running:
            board = stack.enter_context(VirtualBoard())
            stack.enter_context(registered(board))
        with pytest.raises(SimError) as error, open_board():
            pass
    assert f"{file}:\n" in error.value.message
    assert 'BRIGHTNESS = "bright"' in error.value.message and "TARGET = 120" in error.value.message
    assert "remove it" in error.value.hint
