"""What pages are told when a board or the network does not do as it should, and where phones are sent."""

from __future__ import annotations

import errno
import re
import socket
from concurrent.futures import Future
from dataclasses import replace

import pytest
from web.rig import PIN

from cribboard.errors import CommandError, CribboardError, TransportError
from cribboard.web import server
from cribboard.web.kiosk import Kiosk, lan_address
from cribboard.web.problem import Problem, of
from cribboard.web.secrets import Keys


@pytest.mark.parametrize(
    ("error", "status", "code"),
    [
        (CommandError("over", "the game is over"), 409, "over"),
        (TransportError("the board is not there"), 503, "away"),
        (CribboardError("/home/pub cannot be written"), 500, "failed"),
        (MemoryError(), 500, "failed"),
    ],
)
def test_every_failure_is_something_to_a_page(error, status, code):
    problem = of(error)
    assert (problem.status, problem.code) == (status, code)
    assert "/home" not in problem.message + problem.hint


def test_an_order_that_is_not_answered_in_time_may_be_asked_again(rig, monkeypatch):
    player = rig.player()
    service = rig.kiosk.tables.services[1]
    pending: Future[dict[str, object]] = Future()
    monkeypatch.setattr(service, "order", lambda order, by, address: pending)
    monkeypatch.setattr(rig.kiosk, "limits", replace(rig.kiosk.limits, order_s=0.05))
    answer = player.post("/api/boards/1/orders", {"key": "k" * 20, "do": "go", "side": 1})
    assert (answer.status_code, answer.json()["error"]["code"]) == (504, "late")
    assert "same key" in answer.json()["error"]["hint"]
    assert not pending.cancelled()  # it goes on, whoever waits


def test_what_did_it_is_told_by_the_phones_number(rig, monkeypatch):
    names = []
    service = rig.kiosk.tables.services[1]
    done: Future[dict[str, object]] = Future()
    done.set_result({"rev": 1})
    monkeypatch.setattr(service, "order", lambda order, by, address: names.append(by) or done)
    first, second, boss, barmaid = rig.player(), rig.player(), rig.staff(), rig.staff()
    for browser in (first, second, first, boss, barmaid, boss):
        assert browser.order(1, do="go", side=1).status_code == 200
    assert names[:3] == ["phone 1", "phone 2", "phone 1"]
    assert all(re.fullmatch("staff [0-9a-f]{4}", by) for by in names[3:])
    assert names[3] == names[5] != names[4]


@pytest.mark.parametrize(
    ("at", "address", "reached", "url"),
    [
        (("0.0.0.0", 8121), "", "192.168.7.2", "http://192.168.7.2:8121"),
        (("192.168.7.2", 80), "", "127.0.0.1", "http://192.168.7.2"),
        (("0.0.0.0", 8121), "cards.lan", "192.168.7.2", "http://cards.lan:8121"),
        (("127.0.0.1", 8121), "", "127.0.0.1", "http://127.0.0.1:8121"),
    ],
)
def test_phones_are_sent_to_where_they_find_it(tmp_path, house, at, address, reached, url):
    assert Kiosk(house, Keys(tmp_path), at, address=address).url(reached) == url


def test_a_computer_in_no_network_has_only_itself(monkeypatch):
    def unreachable(self, address):
        raise OSError(errno.ENETUNREACH, "no way")

    monkeypatch.setattr(socket.socket, "connect", unreachable)
    assert lan_address() == "127.0.0.1"


def test_a_computer_in_no_network_says_so_beside_the_code(rig, monkeypatch):
    assert rig.screen().get("/api/boards/1/poster").json()["unreachable"] is False
    monkeypatch.setattr("cribboard.web.kiosk.lan_address", lambda: "127.0.0.1")
    for path in ("/api/boards/1/invite", "/api/boards/1/poster"):
        assert rig.screen().get(path).json()["unreachable"] is True
    assert rig.browser().get("/api/boards/1/poster").json()["unreachable"] is False  # this phone has come, so it can


def test_a_printed_code_leads_to_the_table_and_admits_nobody(rig):
    code = rig.browser().get("/api/boards/2/poster").json()
    assert code["url"].endswith(":8121/score/2")
    assert "<svg" in code["svg"]


def test_phones_are_given_no_commands_of_a_terminal():
    refused = [CommandError(code, "no") for code in ("over", "rev", "journal")]
    for error in (*refused, TransportError("x", "`x`")):
        assert "`" not in of(error).hint


@pytest.mark.parametrize(
    ("number", "words"),
    [(errno.EACCES, "may not use port 80"), (errno.EADDRINUSE, "in use by"), (errno.EIO, "cannot be used")],
)
def test_a_port_that_cannot_be_had_is_said(monkeypatch, number, words):
    def refused(self, address):
        raise OSError(number, "no")

    monkeypatch.setattr(socket.socket, "bind", refused)
    with pytest.raises(CribboardError, match=words):
        server.open_socket("127.0.0.1", 80)


def test_a_wait_is_said_in_words():
    assert Problem.later(0.2, "often", "x").hint == "wait 1 second and try again"
    assert Problem.later(880, "tries", "x").hint == "wait 15 minutes and try again"


def test_the_pages_are_there(rig):
    for path in (
        "/",
        "/table/1",
        "/score/1",
        "/history",
        "/game/1",
        "/player/1",
        "/staff",
        "/print",
        "/learn",
        "/computer/1",
    ):
        answer = rig.browser().get(path)
        assert answer.headers["content-type"].startswith("text/html")
        assert PIN not in answer.text
    script = rig.browser().get("/static/api.js")
    assert "javascript" in script.headers["content-type"]
    assert script.headers["cache-control"] == "no-cache"
    again = rig.browser().get("/static/api.js", headers={"If-None-Match": script.headers["etag"]})
    assert again.status_code == 304


def test_on_windows_no_second_kiosk_can_share_the_port(monkeypatch):
    monkeypatch.setattr(server.socket, "SO_EXCLUSIVEADDRUSE", socket.SO_KEEPALIVE, raising=False)  # any that is seen
    with server.open_socket("127.0.0.1", 0) as listening:
        assert listening.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE)
        assert not listening.getsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR)


def test_whether_an_order_has_counted_is_told_to_those_who_play(rig):
    player = rig.player()
    done = player.order(1, do="peg", side=1, points=1, key="q" * 20).json()
    answer = player.get(f"/api/boards/1/orders/{'q' * 20}").json()
    assert (answer["rev"], answer["text"]) == (done["rev"], done["text"])
    assert player.get(f"/api/boards/1/orders/{'r' * 20}").json()["rev"] is None
    assert rig.browser().get(f"/api/boards/1/orders/{'q' * 20}").status_code == 403
