"""Connections that would hold the kiosk for nothing: slow heads, slow bodies, endless bodies, too many of them."""

from __future__ import annotations

import socket
import sys
import time

import pytest
from starlette.responses import Response
from web.rig import HERE, PATIENCE_S, wait_until

from cribboard.web.connections import is_of_the_house
from cribboard.web.limits import Limits, client_key

MUCH = 16 * 1024 * 1024
QUICK = Limits(head_s=0.3, body_s=0.3, stalled_s=0.3)


def dial(served, address="127.0.0.1"):
    connection = socket.socket()
    connection.bind((address, 0))
    connection.connect((HERE, served.port))
    connection.settimeout(PATIENCE_S)
    return connection


def read_all(connection):
    said = b""
    try:
        while data := connection.recv(65536):
            said += data
    except ConnectionError:
        pass
    return said


def answered(connection, times):
    said = b""
    while said.count(b'"role":"screen"') < times:
        data = connection.recv(65536)
        assert data, said
        said += data


def head(served, line, *more):
    lines = [line, f"Host: {HERE}:{served.port}", f"Origin: {served.url}", *more]
    return "\r\n".join([*lines, "", ""]).encode()


@pytest.mark.parametrize("begun", [b"", b"GET / HTTP/1.1\r\nHost: ", b"GET"])
def test_a_head_that_does_not_come_is_not_waited_for(serve, begun):
    served = serve(QUICK)
    with dial(served) as connection:
        connection.sendall(begun)
        assert read_all(connection) == b""


def test_a_head_that_drips_is_not_waited_for(serve):
    served = serve(QUICK)
    with dial(served) as connection:
        with pytest.raises(OSError):
            for number in range(1000):
                connection.sendall(b"G" if not number else b"E")
                time.sleep(0.02)
        assert number < 500


def test_between_two_requests_nobody_drips_either(serve):
    served = serve(QUICK)
    with dial(served) as connection:
        connection.sendall(head(served, "GET /api/me HTTP/1.1"))
        answered(connection, 1)
        with pytest.raises(OSError):
            for _ in range(1000):
                connection.sendall(b"G")
                time.sleep(0.02)


def test_one_connection_serves_one_request_after_the_other(serve):
    served = serve(QUICK)
    with dial(served) as connection:
        for pause_s in (0, 0.15, 0.15):
            time.sleep(pause_s)
            connection.sendall(head(served, "GET /api/me HTTP/1.1"))
            answered(connection, 1)
        connection.sendall(2 * head(served, "GET /api/me HTTP/1.1"))
        answered(connection, 2)


@pytest.mark.parametrize("before", [0, 1])
def test_a_stream_is_longer_than_any_of_these(serve, before):
    served = serve(QUICK)
    with dial(served) as connection:
        asked = before * head(served, "GET /api/me HTTP/1.1") + head(served, "GET /api/boards/1/live HTTP/1.1")
        connection.sendall(asked)
        assert b"200 OK" in connection.recv(65536)
        time.sleep(0.6)
        service = served.kiosk.tables.services[1]
        service.rename("Table 1 again")
        said = b""
        while b"Table 1 again" not in said:
            data = connection.recv(65536)
            assert data, said
            said += data
        service.rename("Table 1")


@pytest.fixture
def much(monkeypatch):
    """An answer that is longer than the system's buffers."""

    async def me(self, request):
        return Response(b"x" * MUCH)

    monkeypatch.setattr("cribboard.web.api_phones.Here.me", me)
    monkeypatch.setattr("cribboard.web.connections._notice_the_dead", lambda connection, seconds: None)


def read_slowly(connection):
    began = time.monotonic()
    _, _, said = connection.recv(65536).partition(b"\r\n\r\n")
    size = len(said)
    while size < MUCH:
        part = connection.recv(MUCH // 40)
        assert part, size
        size += len(part)
        time.sleep(0.02)
    return time.monotonic() - began


def test_an_answer_that_is_read_slowly_comes_to_its_end(serve, much):
    served = serve(QUICK)
    with dial(served) as connection:
        connection.sendall(head(served, "GET /api/me HTTP/1.1"))
        assert read_slowly(connection) > 2 * QUICK.stalled_s


def test_an_answer_that_nobody_reads_is_not_waited_for(serve, much):
    served = serve(Limits(stalled_s=0.3, head_s=3600))
    connections = served.server.server_state.connections
    with dial(served) as connection:
        connection.sendall(head(served, "GET /api/me HTTP/1.1"))
        read_slowly(connection)
        time.sleep(3 * 0.3)
        assert connections  # what was read in the end is no reason
        connection.sendall(head(served, "GET /api/me HTTP/1.1"))
        wait_until(lambda: not connections)


@pytest.mark.skipif(sys.platform != "linux", reason="only there the system can be told")
def test_who_acknowledges_nothing_is_not_waited_for_either(serve):
    served = serve()
    with dial(served) as connection:
        connection.sendall(head(served, "GET /api/me HTTP/1.1"))
        answered(connection, 1)
        (held,) = served.server.server_state.connections
        option = held.transport.get_extra_info("socket").getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT)
    assert option == 1000 * served.kiosk.limits.stalled_s


def test_a_body_that_drips_is_not_waited_for(serve):
    served = serve(QUICK)
    with dial(served) as connection:
        kind = "Content-Type: application/json"
        connection.sendall(head(served, "POST /api/pair HTTP/1.1", kind, "Content-Length: 5000") + b"{")
        assert b"408" in read_all(connection)


def test_a_body_of_no_stated_length_is_bounded(serve):
    served = serve()
    part = b"4000\r\n" + b" " * 0x4000 + b"\r\n"
    kind = "Content-Type: application/json"
    with dial(served) as connection:
        connection.sendall(head(served, "POST /api/pair HTTP/1.1", kind, "Transfer-Encoding: chunked") + 2 * part)
        said = connection.recv(65536)
        assert said.startswith(b"HTTP/1.1 413")
        assert b"connection: close" in said.lower()
        assert b"body has more than" in said + read_all(connection)


def test_a_body_that_says_it_is_too_long_is_not_read(serve):
    served = serve()
    with dial(served) as connection:
        kind = "Content-Type: application/json"
        connection.sendall(head(served, "POST /api/pair HTTP/1.1", kind, "Content-Length: 99999999999"))
        assert read_all(connection).startswith(b"HTTP/1.1 413")


@pytest.mark.parametrize(("length", "answer"), [(100, b"HTTP/1.1 408"), (101, b"HTTP/1.1 413")])
def test_what_staff_bring_in_is_bounded_too(serve, length, answer):
    served = serve(Limits(import_body=100, import_s=0.3))
    with served.client() as staff:
        assert staff.post("/api/staff", json={"pin": served.kiosk.keys.new_pin()}).status_code == 200
        cookie = "; ".join(f"{name}={value}" for name, value in staff.cookies.items())
    with dial(served) as connection:
        more = ("Content-Type: application/json", f"Cookie: {cookie}", f"Content-Length: {length}")
        connection.sendall(head(served, "POST /api/import HTTP/1.1", *more) + b"{")
        assert read_all(connection).startswith(answer)


def test_a_head_that_does_not_end_is_refused_when_it_is_too_long(serve):
    served = serve()
    with dial(served) as connection:
        connection.sendall(b"GET / HTTP/1.1\r\nX-A: " + b"a" * 2 * served.kiosk.limits.head)
        assert read_all(connection).startswith(b"HTTP/1.1 400")


@pytest.mark.parametrize("sent", [b"\x16\x03\x01\x02\x00" * 9, b"G\0T / HTTP/9\r\n\r\n"])
def test_what_is_no_request_is_refused(serve, sent):
    with dial(serve()) as connection:
        connection.sendall(sent)
        said = read_all(connection)
        assert said.startswith(b"HTTP/1.1 400") or not said
        assert b"Traceback" not in said


def test_there_are_only_so_many_connections_in_all(serve):
    served = serve(Limits(connections=4, connections_each=3))
    held = [dial(served, f"127.0.5.{number}") for number in (1, 1, 2, 3)]
    wait_until(lambda: len(served.server.server_state.connections) == 4)
    with dial(served, "127.0.5.4") as refused:
        refused.sendall(head(served, "GET /api/me HTTP/1.1"))
        assert read_all(refused) == b""
    for connection in held:
        connection.close()


def test_the_screen_at_this_computer_comes_in_though_phones_have_taken_all(serve, monkeypatch):
    monkeypatch.setattr("cribboard.web.connections.is_here", lambda address: address == HERE)
    served = serve(Limits(connections=4, connections_here=2))
    held = [dial(served, f"127.0.5.{number}") for number in (1, 2)]
    wait_until(lambda: len(served.server.server_state.connections) == 2)
    for address, answer in (("127.0.5.3", b""), (HERE, b"HTTP/1.1 200")):
        with dial(served, address) as connection:
            connection.sendall(head(served, "GET /api/me HTTP/1.1", "Connection: close"))
            assert read_all(connection)[:12] == answer
    for connection in held:
        connection.close()


def test_few_who_hold_all_connections_keep_out_nobody(serve, monkeypatch):
    monkeypatch.setattr("cribboard.web.connections.is_here", lambda address: address == HERE)
    served = serve(Limits(connections=8, connections_each=3, connections_here=2))
    held = [dial(served, f"127.0.5.{number}") for number in (1, 1, 1, 2, 2, 2)]
    wait_until(lambda: len(served.server.server_state.connections) == 6)
    with dial(served, "127.0.5.3") as other:
        other.sendall(head(served, "GET /api/me HTTP/1.1"))
        assert b"200 OK" in other.recv(65536)
    with dial(served, "127.0.5.1") as refused:
        refused.sendall(head(served, "GET /api/me HTTP/1.1"))
        assert read_all(refused) == b""
    for connection in held:
        connection.close()


def test_one_client_cannot_take_all_connections(serve):
    served = serve(Limits(connections=8, connections_each=3))
    held = [dial(served, "127.0.5.1") for _ in range(3)]
    wait_until(lambda: len(served.server.server_state.connections) == 3)
    with dial(served, "127.0.5.1") as refused:
        refused.sendall(head(served, "GET /api/me HTTP/1.1"))
        assert read_all(refused) == b""
    with dial(served, "127.0.5.2") as other:
        other.sendall(head(served, "GET /api/me HTTP/1.1"))
        assert b"200 OK" in other.recv(65536)
    for connection in held:
        connection.close()
    wait_until(lambda: not served.server.server_state.connections)
    with dial(served, "127.0.5.1") as again:
        again.sendall(head(served, "GET /api/me HTTP/1.1"))
        assert b"200 OK" in again.recv(65536)


@pytest.mark.parametrize(
    ("address", "key"),
    [
        ("192.168.1.9", "192.168.1.9"),
        ("::ffff:192.168.1.9", "192.168.1.9"),
        ("fd00::1:2:3:4", "fd00::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("elsewhere", "elsewhere"),
    ],
)
def test_a_client_is_counted_by_what_it_cannot_choose(address, key):
    assert client_key(address) == key


@pytest.mark.parametrize(
    "address", ["127.0.0.1", "10.0.0.9", "172.16.3.4", "192.168.1.9", "169.254.1.1", "fd00::1", "fe80::1", "::1"]
)
def test_the_house_is_served(address):
    assert is_of_the_house(client_key(address))


@pytest.mark.parametrize("address", ["8.8.8.8", "93.184.216.34", "2606:2800:220:1::1", "", "elsewhere"])
def test_the_internet_is_not(address):
    assert not is_of_the_house(client_key(address))


def test_a_stranger_is_hung_up_on(serve, monkeypatch):
    served = serve()
    monkeypatch.setattr("cribboard.web.connections.is_of_the_house", lambda client: client != "127.0.6.1")
    with dial(served, "127.0.6.1") as connection:
        connection.sendall(head(served, "GET /api/me HTTP/1.1"))
        assert read_all(connection) == b""
    with dial(served, "127.0.6.2") as connection:
        connection.sendall(head(served, "GET /api/me HTTP/1.1"))
        assert b"200 OK" in connection.recv(65536)
