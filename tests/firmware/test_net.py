"""The board's server: its page, its phones, and everything that a network sends to a small board."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from firmware.sockets import HOST, TOKEN, UPGRADE, Board, Phone, Socket, head, masked

from cribboard.wifi.answers import answers
from cribboard_core.wire import encode
from cribboard_fw.net import HEAD_MS, HOT_MS, MOST_HEAD, MOST_PEERS, POLL_MS, SILENT_MS
from cribboard_fw.phones import BINARY, CLOSE, PING, TEXT, same

ANSWERS = answers()
PAGE = ANSWERS[200].partition(b"\r\n\r\n")[2]


@pytest.fixture
def board(tmp_path: Path) -> Iterator[Board]:
    for code, answer in ANSWERS.items():
        (tmp_path / f"{code}.http").write_bytes(answer)
    board = Board(tmp_path)
    yield board
    board.server.close()


def status(socket: Socket) -> int:
    return int(socket.outbox.split()[1]) if socket.outbox else 0


# The page


def test_the_page_comes_whole_and_in_pieces(board: Board) -> None:
    socket = board.get("/", ms=2000)
    fields, _, body = socket.outbox.partition(b"\r\n\r\n")
    assert fields.startswith(b"HTTP/1.1 200 OK\r\n") and b"\r\nContent-Encoding: gzip\r\n" in fields
    assert f"Content-Length: {len(PAGE)}".encode() in fields
    assert body == PAGE and not socket.open


def test_a_network_that_takes_little_gets_the_page_too(board: Board) -> None:
    socket = board.get("/", ms=5)
    socket.room = 0
    board.run(1000)
    for _ in range(len(PAGE)):
        socket.most, socket.room = 97, 97
        board.run(10)
        if not socket.open:
            break
    assert socket.outbox.endswith(PAGE[-40:]) and not socket.open


def test_who_takes_the_page_drop_by_drop_keeps_nobody_out_for_long(board: Board) -> None:
    socket = board.get("/", ms=5)
    for _ in range(SILENT_MS // 1000 + 2):
        socket.room = 10
        board.run(1000)
    assert not socket.open and 100 < len(socket.outbox) < 400


def test_what_is_not_there_is_said(board: Board, tmp_path: Path) -> None:
    assert status(board.get("/favicon.ico")) == 404
    (tmp_path / "200.http").unlink()
    socket = board.get("/")
    assert status(socket) == 500 and b"Run cribboard install" in socket.outbox


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (head("/", Host="evil.example"), 403),
        (head("/", Host=""), 403),
        (head("/", Host=f"{HOST}.evil.example"), 403),
        (head("/", Origin="http://evil.example"), 403),
        (head("/", Origin="null"), 403),
        (head("/", Origin=f"https://{HOST}"), 403),
        (head("/", "POST"), 405),
        (head("/", "HEAD"), 405),
        (b"GET /\r\n\r\n", 405),
        (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\n", 405),  # who speaks TLS
        (b"GET / HTTP/1.1\r\nHost: cribboard.local\r\nHost: evil.example\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\nHost:\r\nHost: cribboard.local\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\nno field\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\nX: " + b"x" * 2000, 431),
        (b"GET / HTTP/1.1\r\n" + b"X: y\r\n" * (MOST_HEAD // 6 + 9), 431),
    ],
)
def test_what_is_no_short_get_for_this_board_is_refused(board: Board, data: bytes, code: int) -> None:
    socket = board.connect(data, ms=1000)
    assert status(socket) == code and not socket.open
    assert PAGE[:20] not in socket.outbox


@pytest.mark.parametrize("host", [HOST, f"{HOST}:80", HOST.upper(), "192.168.1.5"])
def test_the_board_has_a_name_and_an_address(board: Board, host: str) -> None:
    assert status(board.get("/", Host=host)) == 200


def test_a_head_has_three_seconds(board: Board) -> None:
    socket = board.connect(b"GET / HTTP/1.1\r\n")
    for _ in range(HEAD_MS // 500 + 1):
        socket.inbox += b"X: y\r\n"
        board.run(500)
    assert not socket.open and not socket.outbox


# Phones


def test_a_phone_joins_while_the_set_up_is_open(board: Board) -> None:
    assert board.phone("one").texts == ["join"]
    board.rig.open_setup()
    phone = board.phone("one")
    assert phone.texts == [f"key {TOKEN} {HOST} 192.168.1.5"]
    phone.greet()
    assert phone.peg(5)[0] == "ok"
    assert board.rig.scores() == [5, 0]


def test_the_answer_to_a_handshake_is_the_one_of_the_standard(board: Board) -> None:
    phone = board.phone(f"one&{TOKEN}", Sec_WebSocket_Key="dGhlIHNhbXBsZSBub25jZQ==")
    assert b"Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=" in phone.head


def test_with_the_token_a_phone_comes_back_at_any_time_and_with_another_it_does_not(board: Board) -> None:
    phone = board.phone(f"one&{TOKEN}")
    phone.greet()
    assert phone.peg()[0] == "ok"
    for wrong in ("", TOKEN[:-1], TOKEN + "0", "0" * 20, "x" * 300):
        other = board.phone(f"two&{wrong}")
        assert other.texts == ["join"] and other.closed and not other.socket.open, wrong


def test_secrets_are_the_same_only_when_all_of_them_is() -> None:
    assert same(b"abc", b"abc")
    for other in (b"", b"ab", b"abd", b"abcd", b"xbc"):
        assert not same(other, b"abc")


@pytest.mark.parametrize(
    "fields",
    [
        {"Origin": "http://evil.example"},
        {"Origin": ""},
        {"Host": "evil.example", "Origin": "http://evil.example"},
        {"Upgrade": "h2c"},
        {"Sec_WebSocket_Key": ""},
        {"Sec_WebSocket_Version": "8"},
    ],
)
def test_a_page_of_another_address_gets_no_wire(board: Board, fields: dict[str, str]) -> None:
    socket = board.get(f"/wire?one&{TOKEN}", **{**UPGRADE, **fields})
    assert status(socket) in (403, 426) and not socket.open


def two_phones(board: Board) -> list[Phone]:
    phones = [board.phone(f"{name}&{TOKEN}") for name in ("one", "two")]
    for at, phone in enumerate(phones):
        phone.greet(10 * (at + 1))
    return phones


def test_a_third_phone_takes_a_place_only_while_the_set_up_is_open(board: Board) -> None:
    one, two = two_phones(board)
    assert one.peg()[0] == two.peg()[0] == "ok"
    assert board.phone(f"three&{TOKEN}").texts == board.phone(f"three&{TOKEN}&take").texts == ["full"]
    one.peg()
    board.rig.open_setup()
    assert board.phone(f"three&{TOKEN}").texts == ["full"]
    third = board.phone(f"three&{TOKEN}&take")
    two.hear()
    assert two.texts[-1] == "elsewhere" and not two.socket.open, "who scored least lately gives way"
    third.greet(30)
    assert third.peg()[0] == one.peg()[0] == "ok"


def test_of_phones_that_have_said_nothing_yet_the_first_gives_way(board: Board) -> None:
    board.rig.open_setup()
    one, two = (board.phone(name) for name in ("one", "two"))
    assert board.phone(f"three&{TOKEN}&take").texts[0].startswith("key")
    one.hear()
    assert one.texts[-1] == "elsewhere" and two.socket.open


def test_a_phone_that_comes_again_gets_its_place_although_the_old_connection_seems_alive(board: Board) -> None:
    one, two = two_phones(board)
    one.socket.inbox += masked(BINARY, b'\n["state",9]*00000000\n["sta')  # cut in the middle
    again = board.phone(f"one&{TOKEN}")
    one.hear()
    assert one.texts[-1] == "elsewhere" and not one.socket.open
    again.greet(30)
    assert again.peg()[0] == two.peg()[0] == "ok"


def test_nobody_gets_anothers_answers(board: Board, monkeypatch: pytest.MonkeyPatch) -> None:
    one, _ = two_phones(board)
    one.socket.room = 0
    one.socket.inbox += b"".join(masked(BINARY, encode(["state", 9])) for _ in range(3))
    board.run(100)
    taken = board.phones._place_for

    def and_something_happens(*args: object) -> object:
        place = taken(*args)  # type: ignore[arg-type]
        board.rig.app.link.say("before the link of the phone that is gone has its turn")
        return place

    monkeypatch.setattr(board.phones, "_place_for", and_something_happens)
    again = board.phone(f"one&{TOKEN}")
    board.run(100)
    again.hear()
    assert [heard[0] for heard in again.heard if heard[0] != "say"] == []


def test_all_hear_what_happens_at_the_board_and_at_usb(board: Board) -> None:
    one, two = two_phones(board)
    board.rig.peg(1, 3)
    board.run(200)
    for phone in (one, two):
        phone.hear()
        assert [heard[2:6] for heard in phone.heard if heard[0] == "ev"] == [["peg", 1, 3, 0]]
    assert [heard[0] for heard in board.rig.heard()].count("ev") == 1


def test_the_board_counts_a_hand_for_a_phone_and_says_that_it_can(board: Board) -> None:
    phone = board.phone(f"one&{TOKEN}")
    assert str(phone.ask("hello", 1, 2)[-1]).split()[-1] == "count"
    assert phone.ask("count", 2, "5H5C5SJD", "5D", 0) == ["count", 2, 29, 16, 12, 0, 0, 1]
    assert phone.ask("count", 3, "2C4C6C8C", "TC", 1) == ["count", 3, 5, 0, 0, 0, 5, 0]
    for args in (
        ["5H5C5SJD"],
        ["5H5C5SJD", "5H", 0],
        ["5H", "5D", 0],
        ["5H5C5SJD", "5D6D", 0],
        ["5H5C5SJD", "5D", 2],
        [5, 5, 5],
    ):
        assert phone.ask("count", 4, *args)[:4] == ["no", 0, 4, "args"]
    assert phone.ask("count", 0)[:2] == ["no", 0]


def test_who_is_silent_for_twenty_seconds_is_gone_and_an_empty_text_is_enough(board: Board) -> None:
    one, two = two_phones(board)
    for _ in range(SILENT_MS // 5000 + 1):
        board.run(5000)
        two.send(TEXT)
    assert not one.socket.open and two.socket.open
    assert two.texts.count("") == SILENT_MS // 5000 + 1
    assert two.peg()[0] == "ok"


def test_pings_and_the_end_are_answered(board: Board) -> None:
    phone = board.phone(f"one&{TOKEN}")
    phone.socket.outbox = b""
    phone.socket.inbox += masked(PING, b"still there?")
    board.run(50)
    assert phone.socket.outbox == b"\x8a\x0cstill there?"
    phone.send(CLOSE)
    assert phone.closed and not phone.socket.open


@pytest.mark.parametrize(
    "data",
    [
        b"\x82\x02hi",  # unmasked
        b"\x02" + masked(BINARY, b"hi")[1:],  # fragmented
        b"\x80" + masked(BINARY, b"hi")[1:],  # the rest of a fragment
        b"\xc2" + masked(BINARY, b"hi")[1:],  # compressed
        b"\x83" + masked(BINARY, b"hi")[1:],  # reserved
        b"\x82\xfe\x01\x00" + bytes(260),  # of 256 bytes
        b"\x82\xff" + b"\xff" * 8,
        masked(TEXT, b"hello"),
    ],
)
def test_what_no_browser_sends_ends_the_connection_and_harms_nobody(board: Board, data: bytes) -> None:
    one, two = two_phones(board)
    one.socket.inbox += data
    board.run(200)
    assert not one.socket.open
    assert two.peg()[0] == "ok"


def test_frames_that_are_none_are_passed_over(board: Board) -> None:
    phone = board.phone(f"one&{TOKEN}")
    for data in (b"", b"\x00" * 125, b"[" * 100, b"\n\n\n", b'["peg"]*00000000\n'):
        phone.send(BINARY, data)
    phone.greet()
    assert phone.peg()[0] == "ok"


@pytest.mark.parametrize("how", ["gone", "broken"])
def test_a_connection_that_breaks_leaves_its_place(board: Board, how: str) -> None:
    one, _ = two_phones(board)
    setattr(one.socket, how, True)
    board.rig.peg(0, 1)
    board.run(200)
    assert not one.socket.open
    third = board.phone(f"three&{TOKEN}")
    third.greet()
    assert third.peg()[0] == "ok"


def test_a_phone_that_does_not_read_is_waited_for_and_then_gone(board: Board) -> None:
    one, two = two_phones(board)
    one.socket.room = 0
    for _ in range(30):
        board.rig.peg(1, 1)
        two.send(TEXT)
    board.run(100)
    assert one.socket.open and two.peg()[0] == "ok"
    for _ in range(SILENT_MS // 4000 + 1):
        board.run(4000)
        two.send(TEXT)
    assert not one.socket.open and two.socket.open


# Many


def test_a_hundred_silent_connections_keep_nobody_out(board: Board) -> None:
    phone = board.phone(f"one&{TOKEN}")
    phone.greet()
    silent = [Socket() for _ in range(100)]
    board.listener.waiting += silent
    board.run(500)
    assert phone.peg()[0] == "ok"
    page = board.get("/", ms=8000)
    assert page.outbox.endswith(PAGE[-40:])
    assert phone.socket.open


def test_of_silent_connections_the_oldest_ends_for_a_new_one(board: Board) -> None:
    silent = [board.connect() for _ in range(MOST_PEERS)]
    late = board.connect(ms=60)
    board.connect()
    assert [socket.open for socket in (*silent, late)] == [False, False, True, True, True]
    late.inbox = head("/")
    board.run(2000)
    assert late.outbox.endswith(PAGE[-40:])


def test_there_are_never_more_than_four_connections(board: Board) -> None:
    sockets = [board.connect(b"GET / HTTP/1.1\r\n") for _ in range(MOST_PEERS)]
    late = board.get("/")
    assert all(socket.open for socket in sockets) and not late.outbox
    board.run(HEAD_MS)
    assert not any(socket.open for socket in sockets)
    board.run(1000)
    assert late.outbox.endswith(PAGE[-40:])


def test_idle_connections_are_looked_at_forty_times_a_second_at_most(board: Board) -> None:
    one, two = two_phones(board)
    board.run(500)
    before = [one.socket.in_vain, two.socket.in_vain]
    board.run(1000)
    assert all(10 <= phone.socket.in_vain - was <= 40 for phone, was in zip((one, two), before, strict=True))


def test_a_round_in_vain_is_not_made_again_at_once(board: Board, monkeypatch: pytest.MonkeyPatch) -> None:
    one, _ = two_phones(board)
    board.run(500)
    rounds: list[int] = []
    accept = board.server._accept

    def looked(now: int) -> bool:
        rounds.append(now)
        return accept(now)

    monkeypatch.setattr(board.server, "_accept", looked)
    began = board.rig.now
    for ms in range(100):
        assert not board.server.step(began + ms)
    assert len(rounds) == 100 // HOT_MS
    one.socket.inbox += masked(PING, b"")
    assert any(board.server.step(began + 100 + ms) for ms in range(POLL_MS + HOT_MS))


def test_a_phone_that_rests_hears_what_happens_at_once(board: Board) -> None:
    one, _ = two_phones(board)
    board.run(500)
    looks = one.socket.in_vain
    while one.socket.in_vain == looks:
        board.run(5)
    board.places[0].write(b"news")
    board.server.step(board.rig.now + HOT_MS)
    assert one.socket.outbox.endswith(b"\x82\x04news")


def test_a_phone_that_is_gone_before_its_link_has_looked_leaves_its_place(board: Board) -> None:
    board.run(50)
    for _ in range(3):
        socket = Socket()
        socket.inbox = head(f"/wire?gone&{TOKEN}", **UPGRADE)
        board.listener.waiting.append(socket)
        for ms in range(0, 1000, 5):
            socket.gone = board.places[0].connected
            board.server.step(board.rig.now + ms)
        assert socket.outbox and not socket.open
        board.rig.now += 1000
        board.run(50)
    assert [phone.peg()[0] for phone in two_phones(board)] == ["ok", "ok"]


def test_what_a_phone_asks_at_once_is_answered_whichever_link_has_the_turn(board: Board) -> None:
    for turn in range(6):
        asked = head(f"/wire?one&{TOKEN}", **UPGRADE) + masked(BINARY, encode(["state", 1]))
        assert b'["state",1' in board.connect(asked, ms=300 + 5 * turn).outbox


def test_when_the_network_goes_all_connections_end(board: Board) -> None:
    one, _ = two_phones(board)
    board.server.close()
    assert not one.socket.open and not board.listener.open
    board.run(100)
    assert not any(place.connected for place in board.places)
