"""Serial ports that work, are taken, are missing, or vanish, on pseudo-terminals."""

from __future__ import annotations

import errno
import os
import queue
import sys
import termios
import threading
import tty
from types import SimpleNamespace

import pytest
import serial

from cribboard.board import share, transport
from cribboard.board.link import Nobody
from cribboard.board.share import LENT_S, Borrowed
from cribboard.board.transport import SerialTransport
from cribboard.errors import TransportError


@pytest.fixture
def pty():
    """A port's name, and the descriptor of its other end."""
    master, slave = os.openpty()
    tty.setraw(slave)
    ends = [master, slave]
    yield SimpleNamespace(name=os.ttyname(slave), far=master, hang_up=lambda: [os.close(ends.pop()) for _ in range(2)])
    for end in ends:
        os.close(end)


@pytest.fixture
def port(pty):
    opened = SerialTransport(pty.name)
    yield opened
    opened.close()
    opened.close()


def failing(port: SerialTransport, monkeypatch, method: str, error: Exception) -> None:
    def fail(*arguments: object) -> None:
        raise error

    monkeypatch.setattr(port._serial, method, fail)


def test_bytes_go_both_ways(port, pty):
    port.write(b"hello")
    assert os.read(pty.far, 99) == b"hello"
    os.write(pty.far, b"who is there")
    assert port.read() == b"who is there"


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="terminals have other names")
def test_a_terminal_where_somebody_types_is_left_alone():
    ours, theirs = os.openpty()
    before = termios.tcgetattr(theirs)
    with pytest.raises(TransportError, match="a terminal where somebody types"):
        SerialTransport(os.ttyname(theirs))
    assert termios.tcgetattr(theirs) == before
    os.close(theirs)
    os.close(ours)


def test_reading_gives_nothing_when_nothing_comes(port):
    assert port.read() == b""


def test_the_speed_is_not_the_one_that_starts_the_boot_loader(port):
    assert port._serial.baudrate != 1200
    assert port._serial.dtr


def test_a_port_that_another_program_has_is_refused(port, pty):
    with pytest.raises(TransportError) as refused:
        SerialTransport(pty.name)
    assert str(refused.value) == (
        f"{pty.name} is in use by another program; close it and try again; "
        "while `cribboard watch` runs, use the board's buttons"
    )
    assert refused.value.exit_code == 3


def test_a_port_that_is_not_there_is_told():
    with pytest.raises(TransportError, match="there is no port /dev/ttyNONE; plug the board in"):
        SerialTransport("/dev/ttyNONE")


def test_a_file_that_is_no_port_is_told(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(TransportError, match="file cannot be opened: "):
        SerialTransport(str(tmp_path / "file"))


def test_an_address_of_an_unknown_kind_is_told():
    with pytest.raises(TransportError, match="ftp://x cannot be opened: "):
        SerialTransport("ftp://x")


@pytest.mark.parametrize(("owner", "group"), [("uucp", "uucp"), ("dialout", "dialout"), ("root", "dialout")])
def test_a_port_that_one_may_not_open_names_the_group(monkeypatch, owner, group):
    monkeypatch.setattr("pathlib.Path.group", lambda path: owner)

    def refuse(*arguments: object, **options: object) -> None:
        raise serial.SerialException(errno.EACCES, "could not open port")

    monkeypatch.setattr(serial, "serial_for_url", refuse)
    with pytest.raises(
        TransportError, match=f"you have no permission to open /dev/ttyACM0; join the group {group}: sudo usermod"
    ):
        SerialTransport("/dev/ttyACM0")


def test_a_port_whose_group_has_no_name_is_dialouts(tmp_path):
    assert transport._group(str(tmp_path / "gone")) == "dialout"


def test_windows_says_it_in_words(monkeypatch):
    monkeypatch.setattr(transport, "sys", SimpleNamespace(platform="win32"))
    taken = transport._opening("COM3", serial.SerialException("PermissionError(13, 'Access is denied.')"))
    gone = transport._opening("COM3", serial.SerialException("FileNotFoundError(2, 'no such file')"))
    assert (taken.message, gone.message) == ("COM3 is in use by another program", "there is no port COM3")


def test_an_unplugged_board_is_gone_for_reading(port, pty):
    pty.hang_up()
    with pytest.raises(TransportError, match=f"the board on {pty.name} is gone; check its cable"):
        port.read()


def test_an_unplugged_board_is_gone_for_writing(port, pty):
    pty.hang_up()
    with pytest.raises(TransportError, match=r"is gone .*Input/output error.*; check its cable"):
        port.write(b"x")


USES = [("read", lambda port: port.read()), ("write", lambda port: port.write(b"x"))]
ERRORS = [serial.SerialException("device reports readiness"), OSError(errno.EIO, "x"), termios.error(errno.EIO, "x")]


@pytest.mark.parametrize("error", ERRORS, ids=repr)
@pytest.mark.parametrize(
    ("method", "use"), [("read", lambda port: port.read()), ("write", lambda port: port.write(b"x"))]
)
def test_however_the_system_puts_it_the_board_is_gone(port, monkeypatch, error, method, use):
    failing(port, monkeypatch, method, error)
    with pytest.raises(TransportError, match="is gone"):
        use(port)


@pytest.mark.parametrize("error", ERRORS[1:], ids=repr)
def test_an_error_of_the_system_is_told_in_its_own_words(port, monkeypatch, error):
    failing(port, monkeypatch, "read", error)
    with pytest.raises(TransportError, match=r"is gone \(Input/output error\); check its cable"):
        port.read()


def test_a_board_that_takes_no_bytes_is_told(port, monkeypatch):
    failing(port, monkeypatch, "write", serial.SerialTimeoutException("Write timeout"))
    with pytest.raises(TransportError, match="accepts no data; unplug it and plug it in again"):
        port.write(b"x")


def test_closing_a_port_that_is_gone_is_fine(port, monkeypatch):
    with monkeypatch.context() as patch:
        failing(port, patch, "close", OSError(errno.EIO, "x"))
        port.close()


def test_a_port_that_was_closed_is_not_woken(port, monkeypatch):
    def cancel_read(self):
        raise TypeError("byref() argument must be a ctypes instance, not 'NoneType'")  # as on Windows

    monkeypatch.setattr(type(port._serial), "cancel_read", cancel_read)
    port.close()
    port.wake()


def test_a_borrowed_port_is_let_go_a_little_after_the_last_question(pty, monkeypatch):
    now, waits, over, closed = 0.0, queue.SimpleQueue(), queue.SimpleQueue(), threading.Event()

    class Ended(threading.Event):
        def wait(self, timeout=None):
            waits.put(timeout)
            return over.get()

    part = SimpleNamespace(Event=Ended, Lock=threading.Lock, Thread=threading.Thread)
    monkeypatch.setattr(share, "threading", part)
    monkeypatch.setattr(share, "time", SimpleNamespace(monotonic=lambda: now))
    port = Borrowed(pty.name, closed.set)
    assert waits.get(timeout=20) == LENT_S
    now = 0.9 * LENT_S
    port.write(b"?")
    now = LENT_S
    over.put(False)
    assert waits.get(timeout=20) == pytest.approx(0.9 * LENT_S)
    assert port.read() == b""
    now = 2 * LENT_S
    over.put(False)
    assert closed.wait(20)
    with pytest.raises(Nobody):
        port.read()
