"""News as they come: resumed by id, never held up by a slow page, ended when the kiosk ends. Over a real server."""

from __future__ import annotations

import base64
import json
import socket
import threading
from collections.abc import Iterator

import pytest
from web.rig import PATIENCE_S, new_key, wait_until

from cribboard.service.service import News
from cribboard.web import stream
from cribboard.web.limits import Limits
from cribboard.web.stream import Channel


class Listener:
    """A page's EventSource, read in a thread."""

    def __init__(self, served, address="127.0.0.1", last_id="", frames=False, board=1, joins=False):
        self.events: list[tuple[str, str, dict]] = []
        self.ended = threading.Event()
        self.client = served.client(address)
        if joins:
            token = served.kiosk.invites.newest(board).token
            assert self.client.post("/api/pair", json={"token": token}).status_code == 200
        headers = {"Last-Event-ID": last_id} if last_id else {}
        path = f"/api/boards/{board}/live" + ("?frames=1" if frames else "")
        self._context = self.client.stream("GET", path, headers=headers)
        self.response = self._context.__enter__()
        self._thread = threading.Thread(target=self._read)
        if self.response.status_code == 200:
            self._thread.start()

    def _read(self):
        kind, name, data = "", "", ""
        try:
            for line in self.response.iter_lines():
                field, _, value = line.partition(": ")
                if field == "event":
                    kind = value
                elif field == "id":
                    name = value
                elif field == "data":
                    data = value
                elif not line and kind:
                    self.events.append((kind, name, json.loads(data)))
                    kind = name = ""
        except Exception:
            pass
        finally:
            self.ended.set()

    def of(self, kind):
        return [data for event, _, data in self.events if event == kind]

    def close(self):
        if self.response.status_code == 200 and not self.ended.is_set():
            with socket_of(self.response) as connection:
                connection.shutdown(socket.SHUT_RDWR)
        if self.response.status_code == 200:
            self._thread.join(PATIENCE_S)
        self.response.close()
        self.client.close()


def socket_of(response):
    return response.extensions["network_stream"].get_extra_info("socket").dup()


@pytest.fixture
def listen(serve) -> Iterator:
    opened = []

    def listen(served, *arguments, **named):
        opened.append(Listener(served, *arguments, **named))
        return opened[-1]

    yield listen
    for one in opened:
        one.close()


def peg(served, board=1, side=1):
    service = served.kiosk.tables.services[board]
    return service.order({"key": new_key(), "do": "peg", "side": side, "points": 1}, "a test").result(PATIENCE_S)


def test_a_page_is_told_how_it_stands_and_then_what_happens(serve, listen):
    served = serve()
    page = listen(served)
    assert page.response.headers["content-type"].startswith("text/event-stream")
    wait_until(lambda: page.of("state"))
    before = page.of("state")[0]["sides"][0]["front"]
    done = peg(served)
    wait_until(lambda: page.of("happened") and len(page.of("state")) > 1)
    happened = page.of("happened")[0]
    assert (happened["rev"], happened["kind"], happened["points"]) == (done["rev"], "peg", 1)
    assert page.of("state")[-1]["sides"][0]["front"] == before + 1
    names = [name for _, name, _ in page.events]
    assert all(name.startswith(f"{served.kiosk.boot}-") for name in names)
    numbers = [int(name.rpartition("-")[2]) for name in names]
    assert numbers == sorted(numbers)


def test_a_page_that_slept_catches_up(serve, listen):
    served = serve()
    page = listen(served)
    peg(served)
    wait_until(lambda: page.of("happened") and len(page.of("state")) > 1)
    last = [name for _, name, _ in page.events][-1]
    page.close()
    done = [peg(served)["rev"] for _ in range(3)]
    again = listen(served, last_id=last)
    wait_until(lambda: len(again.of("happened")) == 3)
    assert again.events[0][0] == "state"
    assert again.events[0][2]["rev"] == done[-1]
    assert [event["rev"] for event in again.of("happened")] == done
    late = listen(served, last_id=[name for _, name, _ in again.events][-1])
    wait_until(lambda: late.of("state"))
    assert not late.of("happened")


@pytest.mark.parametrize("last", ["deadbeef-3", "nonsense", "-", "999", "deadbeef-99999999999999999999", "x" * 2000])
def test_a_page_of_another_time_is_told_how_it_stands(serve, listen, last):
    served = serve()
    page = listen(served, last_id=last)
    wait_until(lambda: page.of("state"))
    peg(served)
    wait_until(lambda: len(page.of("happened")) == 1)


def test_a_table_hears_its_own_board_only(serve, listen):
    served = serve()
    one, two = listen(served), listen(served, board=2)
    wait_until(lambda: one.of("state") and two.of("state"))
    peg(served, board=2)
    wait_until(lambda: two.of("happened"))
    peg(served, board=1)
    wait_until(lambda: one.of("happened"))
    assert {state["board"]["number"] for state in two.of("state")} == {2}
    assert len(two.of("happened")) == 1


def test_silence_is_broken_so_that_a_dead_link_is_noticed(serve, listen, monkeypatch):
    monkeypatch.setattr(stream, "HEARTBEAT_S", 0.05)
    page = listen(serve())
    wait_until(lambda: len(page.of("beat")) >= 3)


def test_a_page_that_opens_its_stream_anew_names_the_newest_news_it_has(serve, listen):
    served = serve()
    page = listen(served)
    wait_until(lambda: page.of("state"))
    peg(served)
    wait_until(lambda: page.of("happened"))
    last = page.events[-1][1]
    page.close()
    peg(served)
    with served.client().stream("GET", f"/api/boards/1/live?frames=0&last={last}") as answer:
        lines = (line for line in answer.iter_lines() if line.startswith(("event: happened", "id: ")))
        assert "event: happened" in (next(lines), next(lines), next(lines))


def test_who_asks_for_the_head_of_a_stream_gets_no_more(serve):
    served = serve()
    with served.client() as client:
        answer = client.head("/api/boards/1/live?frames=1")
    assert (answer.status_code, answer.headers["content-type"]) == (200, "text/event-stream; charset=utf-8")
    assert not served.kiosk.streams.open
    assert served.live.channels[1].watching == 0


def test_pages_that_go_are_forgotten(serve, listen):
    served = serve()
    pages = [listen(served, f"127.0.2.{number}", frames=True) for number in range(1, 6)]
    streams, channel = served.kiosk.streams, served.live.channels[1]
    assert streams.open.total() == channel.watching == 5
    for page in pages:
        page.close()
    wait_until(lambda: not streams.open and not channel.watching)


def test_the_number_of_streams_is_bounded_for_each_client_and_in_all(serve, listen):
    served = serve(Limits(streams=5, streams_each=3))
    statuses = [listen(served, "127.0.3.1").response.status_code for _ in range(4)]
    assert statuses == [200, 200, 200, 503]
    statuses = [listen(served, f"127.0.3.{number}").response.status_code for number in (2, 3, 4)]
    assert statuses == [200, 200, 503]


def test_the_screen_at_this_computer_has_a_place_though_phones_have_taken_all(serve, listen, monkeypatch):
    monkeypatch.setattr("cribboard.web.identity.is_here", lambda address: address == "127.0.0.1")
    served = serve(Limits(streams=5, streams_each=3, streams_here=2))
    statuses = [listen(served, f"127.0.3.{number}").response.status_code for number in range(1, 5)]
    assert statuses == [200, 200, 200, 503]
    statuses = [listen(served).response.status_code for _ in range(3)]
    assert statuses == [200, 200, 503]
    assert Limits().streams_here == 16


def test_few_who_have_taken_all_places_keep_out_neither_a_phone_that_has_joined_nor_a_screen(
    serve, listen, monkeypatch
):
    monkeypatch.setattr("cribboard.web.identity.is_here", lambda address: address == "127.0.0.1")
    served = serve(Limits(streams=14, streams_each=4, streams_here=2))
    flood = [listen(served, f"127.0.5.{number}") for number in (1, 2, 3) for _ in range(4)]
    assert [page.response.status_code for page in flood] == [200] * 12
    phone = listen(served, "127.0.6.1", joins=True)
    screen = listen(served, "127.0.6.2", frames=True)
    for page in (phone, screen):
        assert page.response.status_code == 200
        wait_until(lambda page=page: page.of("state"))
    wait_until(lambda: sum(page.ended.is_set() for page in flood) == 2)
    assert served.kiosk.streams.open.total() == 12
    assert listen(served, "127.0.5.1").response.status_code == 503
    for page in flood:
        page.close()
    wait_until(lambda: served.kiosk.streams.open == {"127.0.6.1": 1, "127.0.6.2": 1})


def test_a_phone_that_has_joined_has_a_page_though_another_behind_the_same_router_opens_all(serve, listen, monkeypatch):
    monkeypatch.setattr("cribboard.web.identity.is_here", lambda address: address == "127.0.0.1")
    served = serve(Limits(streams_each=3))
    assert [listen(served, "127.0.5.1").response.status_code for _ in range(4)] == [200, 200, 200, 503]
    assert listen(served, "127.0.5.1", joins=True).response.status_code == 200


def test_a_page_that_never_reads_holds_up_nobody_and_is_let_go(serve, listen):
    served = serve(Limits(stalled_s=1))
    deaf = socket.socket()
    deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
    deaf.bind(("127.0.4.1", 0))
    deaf.connect(("127.0.0.1", served.port))
    deaf.sendall(f"GET /api/boards/1/live?frames=1 HTTP/1.1\r\nHost: 127.0.0.1:{served.port}\r\n\r\n".encode())
    page = listen(served)
    channel = served.live.channels[1]
    wait_until(lambda: channel.watching == 1)
    loop = channel._loop
    big = {"tracks": ["x" * 65536]}
    sent = kept = 0
    while channel.watching:  # it is sent what fits in the system's buffers, and then no more is kept for it
        loop.call_soon_threadsafe(channel.show, big)
        sent += 1
        kept = max(kept, *(each.transport.get_write_buffer_size() for each in served.server.server_state.connections))
        threading.Event().wait(0.01)
        assert sent < 2000
    deaf.close()
    assert kept < 4 * 65536
    peg(served)
    wait_until(lambda: page.of("happened"))


def test_the_strips_are_shown_only_to_who_asks_and_only_while_they_change(serve, listen):
    served = serve()
    plain, watching = listen(served), listen(served, frames=True)
    wait_until(lambda: watching.of("frame"))
    frame = watching.of("frame")[0]
    tracks = [base64.b64decode(track) for track in frame["tracks"]]
    assert frame["leds"] == 121
    assert [len(track) for track in tracks] == [363, 363]
    assert any(any(track) for track in tracks)
    before = watching.of("frame")[-1]["tracks"]
    peg(served)
    wait_until(lambda: watching.of("frame")[-1]["tracks"] != before)
    assert not plain.of("frame")
    watching.close()
    channel = served.live.channels[1]
    wait_until(lambda: not channel._frame)
    painted = channel.frames
    threading.Event().wait(0.3)
    assert channel.frames == painted


def test_streams_end_with_the_kiosk_which_does_not_wait_for_them(serve, listen, monkeypatch):
    monkeypatch.setattr("cribboard.web.server.PATIENCE_S", 3600)
    served = serve()
    pages = [listen(served, frames=number == 0) for number in range(3)]
    served.server.should_exit = True
    try:
        for page in pages:
            assert page.ended.wait(PATIENCE_S)
        served._thread.join(PATIENCE_S)
        assert not served._thread.is_alive()
    finally:
        served.server.force_exit = True  # if it still waits


def test_of_the_states_only_the_newest_is_kept_and_the_rest_is_bounded():
    import asyncio

    async def story():
        channel = Channel("boot", lambda: {"rev": 7}, asyncio.get_running_loop())
        for number in range(1, 4001):
            channel.tell(News(number, "state" if number % 2 else "happened", {"n": number}))
        await asyncio.sleep(0)
        assert len(channel._news) == stream.KEPT
        data, place = channel.first("boot-1")  # too old: what was missed is more than is kept
        assert place == 4000
        assert data.count(b"event:") == 1
        data, place = channel.first("boot-3990")
        assert place == 3990
        assert b"\nid:" not in data  # a break now has to miss nothing
        caught_up = channel.after(place)
        assert caught_up.count(b"event: happened") == 5
        assert caught_up.count(b"event: state") == 1

    asyncio.run(story())


def test_what_is_forgotten_is_shown_to_nobody_who_comes_back():
    import asyncio

    async def story():
        channel = Channel("boot", lambda: {"rev": 7}, asyncio.get_running_loop())
        channel.tell(News(1, "happened", {"text": "Ann pegs 2."}))
        channel.tell(News(2, "happened", {"text": "Ann pegs 3."}))
        await asyncio.sleep(0)
        assert b"Ann pegs 3." in channel.after(channel.first("boot-1")[1])
        channel.tell(News(3, "forget", {}))
        channel.tell(News(4, "happened", {"text": "Bob pegs 1."}))
        await asyncio.sleep(0)
        for last in ("boot-0", "boot-1", "boot-3"):
            assert b"Ann" not in channel.after(channel.first(last)[1])

    asyncio.run(story())
