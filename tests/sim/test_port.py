"""The board's end of the serial port: who is there, what fits, what stays."""

from __future__ import annotations

import os
import threading
import time
import tty
from collections.abc import Iterator

import pytest

from cribboard.sim.port import FIFO, HOST_BUFFER, Port


@pytest.fixture
def port() -> Iterator[Port]:
    port = Port.open()
    yield port
    port.close()


def opened(port: Port) -> int:
    slave = os.open(port.path, os.O_RDWR | os.O_NOCTTY)
    tty.setraw(slave)
    return slave


def arrive(port: Port, count: int) -> None:
    end = time.monotonic() + 5
    while port.arrived() < count and time.monotonic() < end:
        port.wait(10)


def filled(port: Port) -> int:
    """Write until no more is taken, even after the kernel has had its time."""
    total, count = 0, -1
    while count:
        port.drain(0.01)
        count = port.put(bytes(100))
        total += count
    return total


def test_a_host_is_there_while_it_has_the_port_open(port: Port) -> None:
    seen = [port.connected]
    for _ in range(2):
        slave = opened(port)
        seen.append(port.connected)
        os.close(slave)
        seen.append(port.connected)
    assert seen == [False, True, False, True, False]


def test_every_byte_passes_unchanged_both_ways(port: Port) -> None:
    every = bytes(range(256))
    slave = opened(port)
    os.write(slave, every)
    arrive(port, 256)
    assert port.take(300) == every
    assert port.put(every) == 256
    assert os.read(slave, 300) == every
    os.close(slave)


def test_no_more_arrives_at_once_than_a_pico_holds(port: Port) -> None:
    slave = opened(port)
    os.write(slave, bytes(1000))
    arrive(port, FIFO)
    assert port.arrived() == FIFO
    assert len(port.take(10)) == 10
    arrive(port, FIFO)
    assert port.arrived() == FIFO
    port.forget_arrived()
    assert port.arrived() == 0
    os.close(slave)


def test_what_a_host_wrote_before_it_left_still_arrives(port: Port) -> None:
    slave = opened(port)
    os.write(slave, b"bye")
    os.close(slave)
    arrive(port, 3)
    assert port.take(10) == b"bye"
    assert not port.connected


def test_a_host_that_does_not_read_makes_writes_partial(port: Port) -> None:
    slave = opened(port)
    total = filled(port)
    assert HOST_BUFFER + FIFO <= total <= HOST_BUFFER + FIFO + 1000
    assert port.waiting_to_leave == FIFO
    got = 0
    while got < total:
        got += len(os.read(slave, 2000))
        port.drain(1)
    assert port.waiting_to_leave == 0
    os.close(slave)


def test_a_host_can_be_given_less_room() -> None:
    port = Port.open(host_buffer=16)
    slave = opened(port)
    assert port.put(bytes(FIFO + 50)) == FIFO
    assert port.waiting_to_leave == FIFO - 16
    port.forget_leaving()
    assert port.waiting_to_leave == 0
    os.close(slave)
    port.close()


def test_without_a_host_writes_succeed_and_the_newest_bytes_stay(port: Port) -> None:
    for i in range(10):
        assert port.put(bytes([i]) * 100) == 100
    slave = opened(port)
    assert port.connected
    port.arrived()
    assert os.read(slave, 1000) == bytes([7]) * 56 + bytes([8]) * 100 + bytes([9]) * 100
    os.close(slave)


def test_a_byte_ends_a_wait_and_so_does_a_wake(port: Port) -> None:
    slave = opened(port)
    port.look()
    began = time.monotonic()
    threading.Timer(0.02, os.write, (slave, b"x")).start()
    port.wait(5000)
    port.take(1)
    threading.Timer(0.02, port.wake).start()
    port.wait(5000)
    assert time.monotonic() - began < 4
    os.close(slave)


def test_draining_ends_when_the_host_has_read_or_does_not(port: Port) -> None:
    slave = opened(port)
    assert port.put(b"all") == 3
    port.drain(5.0)
    assert os.read(slave, 10) == b"all"
    filled(port)
    assert port.waiting_to_leave == FIFO
    os.close(slave)


def test_the_next_life_has_the_same_port_without_what_was_on_its_way(port: Port) -> None:
    slave = opened(port)
    os.write(slave, b"lost")
    again = Port.inherit(os.dup(port.master), port.path)
    assert again.connected
    assert again.arrived() == 0
    again.close()
    os.close(slave)
