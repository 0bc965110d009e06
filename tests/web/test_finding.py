"""Boards that are there at the start, that come later, and that are something else."""

from __future__ import annotations

from contextlib import ExitStack

import pytest
from web.rig import wait_until

from cribboard.board.find import Found
from cribboard.errors import Busy, InBringUp, WrongBoard
from cribboard.service.orders import OrderError
from cribboard.service.view import away_words
from cribboard.sim.board import VirtualBoard
from cribboard.web import finder as finding
from cribboard.web.finder import Finder
from cribboard.web.run import _look
from cribboard.web.tables import Tables, TableServices


@pytest.fixture
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("CRIBBOARD_HOME", str(tmp_path))
    return tmp_path


@pytest.fixture
def own(home):
    house = TableServices(Tables(home), None)
    yield house
    house.stop()


def plug(monkeypatch, *boards):
    """Virtual boards as if they were attached by USB."""
    attached = [Found(board.port, board.uid, "attached") for board in boards]
    monkeypatch.setattr(finding, "attached", lambda: attached)
    monkeypatch.setattr("cribboard.connect.attached", lambda: attached)


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
    own.register.place("e6614c311b4f2a2f")
    finder = Finder(own)
    finder.begin()
    wait_until(lambda: "is not there" in own.services[1].away.message)
    away = own.services[1].view.entry()["board"]["away"]
    assert away["text"] == "the board does not answer"
    assert away["hint"].startswith("plug it in")
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
        finder = Finder(own, one.port)
        finder.begin()
        wait_until(lambda: finder.look() or (own.services and here(own, 1)))
        assert own.register.boards() == [one.uid]
        own.stop()


@pytest.mark.parametrize("listed", [True, False])
def test_another_board_at_a_named_port_is_named_and_the_game_waits_for_its_own(own, tmp_path, monkeypatch, listed):
    port = tmp_path / "port"

    def at_port(board):
        port.unlink(missing_ok=True)
        port.symlink_to(board.port)
        attached = [Found(str(port), board.uid, "attached")] if listed else []
        monkeypatch.setattr("cribboard.connect.attached", lambda: attached)

    with ExitStack() as stack:
        one, two = (stack.enter_context(VirtualBoard(name=name)) for name in ("usb-one", "usb-two"))
        at_port(one)
        Finder(own, str(port)).begin()
        wait_until(lambda: here(own, 1))
        service = own.services[1]
        service.order({"do": "peg", "side": 1, "points": 7, "key": "key-of-seven-points"}, "phone 1").result(20)
        one.stop()
        at_port(two)
        wait_until(lambda: service.view.entry()["board"]["away"] == {
            "text": "another board is plugged in here",
            "hint": "plug in the board that has the game (its score is kept), or ask the staff to move the game here",
        })  # fmt: skip
        assert service.away.message == f"another board is on {port}: {two.uid} instead of {one.uid}"
        assert [side["front"] for side in service.view.entry()["sides"]] == [7, 0]
        with pytest.raises(OrderError, match="another board is plugged in here"):
            service.order({"do": "peg", "side": 1, "points": 7, "key": "key-of-other-points"}, "phone 1").result(20)
        at_port(stack.enter_context(VirtualBoard(name="usb-one")))
        wait_until(lambda: here(own, 1))
        assert [side["front"] for side in service.view.entry()["sides"]] == [7, 0]
        assert sorted(own.services) == [1]


def test_a_named_port_without_a_board_is_waited_for_and_said_once(own, tmp_path, caplog):
    port = tmp_path / "port"
    finder = Finder(own, str(port))
    finder.begin()
    finder.look()
    assert not own.services
    assert str(port) in own.missing.message
    assert caplog.text.count("no board is served yet") == 1
    with VirtualBoard(name="usb-one") as one:
        port.symlink_to(one.port)
        wait_until(lambda: finder.look() or own.services)  # a busy machine answers late
        served = own.services[1]
        finder.look()
        assert own.missing is None
        assert own.services == {1: served}
        wait_until(lambda: here(own, 1))
        own.stop()


def test_only_who_can_act_on_it_is_told_which_port_has_no_board(rig, house, monkeypatch):
    monkeypatch.setattr(house, "missing", finding.TransportError("there is no port /dev/nothing", "plug it in"))
    for who in (rig.screen(), rig.staff()):
        assert who.get("/api/boards").json()["missing"]["text"] == "there is no port /dev/nothing"
    assert "missing" not in rig.browser().get("/api/boards").json()


@pytest.mark.parametrize(
    ("error", "virtual", "words"),
    [
        (finding.TransportError("nobody answers at /dev/pts/6; is its program running?"), False, "plug it in"),
        (Busy("another program has /dev/pts/6", "end it"), False, "another program is using the board"),
        (InBringUp(), False, "cut its power and switch it on again"),
        (WrongBoard("the board's firmware is older", "run `cribboard install`"), False, "do not understand"),
        (finding.TransportError("nobody answers at /dev/pts/6"), True, "restarts automatically"),
    ],
)
def test_guests_read_what_they_can_do_about_a_board_that_is_away(error, virtual, words):
    text = " ".join(away_words(error, virtual))
    assert words in text
    assert "/dev" not in text
    assert "`" not in text


def test_a_board_that_comes_later_gets_its_channel(rig, monkeypatch):
    import asyncio

    number = 1
    channel = rig.live.channels.pop(number)
    monkeypatch.setattr("cribboard.web.run.LOOK_S", 0.01)

    async def story():
        looking = asyncio.create_task(_look(rig.kiosk, rig.live, Finder(rig.kiosk.tables)))
        while number not in rig.live.channels:
            await asyncio.sleep(0.01)
        looking.cancel()

    monkeypatch.setattr(finding, "attached", list)
    rig._portal.call(story)
    assert rig.live.channels[number] is not channel
