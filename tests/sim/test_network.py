"""The radio of a virtual board fails as CircuitPython's does."""

from __future__ import annotations

import errno
import socket
from typing import cast

import pytest
from rigs.proxy import HOST, free_port

from cribboard.sim.port import Idle
from cribboard.sim.shims.network import MOST_SENT, MOST_SOCKETS, Pool, Radio, Socket, modules


class Quiet:
    def busy(self) -> None:
        """Nothing rests here."""


@pytest.fixture
def pool() -> Pool:
    return Pool(free_port(), cast("Idle", Quiet()))


def listening(pool: Pool) -> Socket:
    listener = pool.socket()
    listener.bind(("0.0.0.0", 80))
    listener.listen(4)
    return listener


def test_nothing_waits_and_a_send_takes_little_and_now_and_then_nothing(pool: Pool) -> None:
    listener = listening(pool)
    with pytest.raises(OSError) as caught:
        listener.accept()
    assert caught.value.errno == errno.EAGAIN
    with socket.create_connection((HOST, pool.port)) as browser:
        end, _ = listener.accept()
        with pytest.raises(OSError) as caught:
            end.recv_into(bytearray(9))
        assert caught.value.errno == errno.EAGAIN
        assert [end.send(bytes(1000)) for _ in range(4)] == [MOST_SENT] * 4
        with pytest.raises(OSError):
            end.send(b"x")
        browser.sendall(b"hello")
        browser.shutdown(socket.SHUT_WR)
        buffer = bytearray(9)
        assert (end.recv_into(buffer), buffer[:5], end.recv_into(buffer)) == (5, b"hello", 0)
    end.close()
    listener.close()
    assert pool.open == 0


def test_there_are_eight_sockets(pool: Pool) -> None:
    made = [pool.socket() for _ in range(MOST_SOCKETS)]
    with pytest.raises(RuntimeError, match="Out of sockets"):
        pool.socket()
    for one in made:
        one.close()
        one.close()
    assert pool.open == 0


def test_a_socket_may_not_wait_and_a_network_takes_its_time() -> None:
    radio = Radio()
    assert not radio.connected and radio.ipv4_address is None
    with pytest.raises(ConnectionError):
        radio.connect("pub", "pass phrase", timeout=0)
    radio.connect("pub", timeout=9)
    assert radio.connected and radio.ipv4_address == HOST
    assert set(modules(1, cast("Idle", Quiet()))) == {"wifi", "socketpool", "mdns"}
    one = Pool(1, cast("Idle", Quiet())).socket()
    with pytest.raises(ValueError, match="use 0"):
        one.settimeout(5)
    one.close()
