"""Boards that are there at the start, that come later, and that are something else."""

from __future__ import annotations

from contextlib import ExitStack

import pytest
from web.rig import wait_until

from cribboard.board.find import Found
from cribboard.sim.board import VirtualBoard
from cribboard.web import finding
from cribboard.web.finding import Finder, add_at
from cribboard.web.house import House, Tables
from cribboard.web.run import _look


@pytest.fixture
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("CRIBBOARD_HOME", str(tmp_path))
    return tmp_path


@pytest.fixture
def own(home):
    house = House(Tables(home), None)
    yield house
    house.stop()


def plug(monkeypatch, *boards):
    """Virtual boards as if they were attached by USB."""
    found = [Found(board.port, board.uid, "attached") for board in boards]
    monkeypatch.setattr(finding, "attached", lambda: found)
    monkeypatch.setattr("cribboard.connect.attached", lambda: found)


def here(house, number):
    return house.services[number].view.entry()["board"]["away"] is None


def test_a_board_that_is_unplugged_shows_it_and_comes_back_at_its_table(own, monkeypatch):
    with ExitStack() as stack:
        one, two = (stack.enter_context(VirtualBoard(name=name)) for name in ("usb-one", "usb-two"))
        plug(monkeypatch, one, two)
        Finder(own).begin()
        assert sorted(own.services) == [1, 2]
        wait_until(lambda: here(own, 1) and here(own, 2))
        plug(monkeypatch, two)
        one.stop()
        wait_until(lambda: not here(own, 1))
        assert here(own, 2)
        again = stack.enter_context(VirtualBoard(name="usb-one"))
        plug(monkeypatch, two, again)
        wait_until(lambda: here(own, 1))


def test_a_board_that_is_known_has_its_table_though_it_is_not_there(own, monkeypatch):
    plug(monkeypatch)
    own.tables.place("e6614c311b4f2a2f")
    finder = Finder(own)
    finder.begin()
    wait_until(lambda: "is not there" in own.services[1].view.entry()["board"]["away"]["text"])
    assert sorted(own.services) == [1]
    with VirtualBoard(name="usb-one") as one:
        plug(monkeypatch, one)
        finder.look()
        finder.look()
        assert sorted(own.services) == [1, 2]
        wait_until(lambda: here(own, 2))
        own.stop()


def test_without_any_board_there_is_the_virtual_one(own, monkeypatch):
    plug(monkeypatch)
    Finder(own).begin()
    wait_until(lambda: here(own, 1))
    assert own.services[1].view.entry()["board"]["virtual"]


def test_what_is_no_board_is_left_in_peace(own, monkeypatch):
    asked = []

    def probe(port):
        asked.append(port)
        raise finding.TransportError("silent")

    monkeypatch.setattr(finding, "attached", lambda: [Found("/dev/printer", "", "attached", sure=False)])
    monkeypatch.setattr(finding, "probe", probe)
    finder = Finder(own)
    for _ in range(10):
        finder.look()
    assert len(asked) == finding.TRIES
    assert not own.services


def test_a_board_at_a_named_port(own):
    with VirtualBoard(name="usb-one") as one:
        add_at(own, one.port)
        wait_until(lambda: here(own, 1))
        assert own.tables.boards() == [one.uid]
        own.stop()


def test_a_board_that_comes_later_gets_its_channel(rig, monkeypatch):
    import asyncio

    number = 1
    channel = rig.live.channels.pop(number)
    monkeypatch.setattr("cribboard.web.run.LOOK_S", 0.01)

    async def story():
        looking = asyncio.create_task(_look(rig.kiosk, rig.live, Finder(rig.kiosk.house)))
        while number not in rig.live.channels:
            await asyncio.sleep(0.01)
        looking.cancel()

    monkeypatch.setattr(finding, "attached", list)
    rig._portal.call(story)
    assert rig.live.channels[number] is not channel
