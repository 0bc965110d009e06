"""The service of a real virtual board: orders, news, a board that goes away, a history that fails."""

from __future__ import annotations

import itertools
import json
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace

import pytest
from rigs import wired
from service.at_board import PATIENCE_S, Ear, do, key, present, served
from service.room import Room

from cribboard.board.client import Board
from cribboard.board.link import Connection, NoAnswer
from cribboard.connect import hold_board
from cribboard.errors import CribboardError, TransportError
from cribboard.service import writer
from cribboard.service.cards_log import NAME
from cribboard.service.latest_view import LatestView
from cribboard.service.orders import OrderError
from cribboard.service.service import KEEP_AGAIN_S, Service
from cribboard.service.table import Table
from cribboard.service.writer import History
from cribboard.sim.board import VirtualBoard
from cribboard.sim.registry import Registration, Running
from cribboard.store import open_store
from cribboard.store.report import Report
from cribboard_core.journal import BLANK, PAGE
from cribboard_core.records import SLOT

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the virtual board needs pseudo-terminals")


@pytest.fixture
def virtual() -> Iterator[VirtualBoard]:
    with VirtualBoard(name="served") as board:
        yield board


def test_an_order_is_done_told_and_seen_by_all(virtual: VirtualBoard) -> None:
    with served(virtual) as (service, ear):
        assert service.tried.is_set()
        before = len(ear.heard)
        done = do(service, "peg", side=1, points=5)
        assert done == {"rev": 1, "text": "Orange pegs 5, now at 5.", "version": service.view.version, "kept": None}
        news = ear.heard[before:]
        assert [one.kind for one in news] == ["happened", "state"]
        said = {"text": "Orange pegs 5, now at 5.", "full": "Orange pegs 5, now at 5.", "win": ""}
        assert news[0].data == {"rev": 1, "kind": "peg", "side": 1, "points": 5, **said}
        entry = service.view.entry()
        assert news[1].data == entry
        assert entry["board"] == {
            "number": 1,
            "name": "Table 1",
            "uid": virtual.uid,
            "virtual": True,
            "away": None,
        }
        assert (entry["sides"][0]["front"], entry["version"]) == (5, done["version"])
        versions = [one.data["version"] for one in ear.heard if one.kind == "state"]
        assert versions == sorted(set(versions))
        assert (service.view.tracks, service.view.leds) == (2, 121)
        ids = [one.id for one in ear.heard]
        assert ids == list(range(ids[0], ids[-1] + 1))


def test_nobody_waits_for_a_board_that_has_just_left_somebody_without_an_answer(
    virtual: VirtualBoard, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[object] = []

    def silent(line: Connection, message: list[object], is_answer: object) -> None:
        asked.append(message[0])
        raise NoAnswer("the board does not answer")

    with served(virtual) as (service, _), monkeypatch.context() as hung:
        hung.setattr(Connection, "attempt", silent)
        both_wait = threading.Event()
        service.submit(lambda table: both_wait.wait(PATIENCE_S))
        given = [service.order({"do": do, "side": 1, "points": 4, "key": key()}, "phone 1") for do in ("pend", "peg")]
        both_wait.set()
        for one in given:
            with pytest.raises(OrderError, match="does not answer"):
                one.result(PATIENCE_S)
        assert service.away
        assert "peg" not in asked


def test_listeners_hear_of_cards_that_move_no_peg_of_counts_and_of_the_win(virtual: VirtualBoard) -> None:
    with served(virtual) as (service, ear):
        do(service, "new", names=["Ann", "Bob"], dealer=2)
        before = len(ear.heard)
        do(service, "starter", card="5D")
        do(service, "play", side=1, card="7C")
        do(service, "play", side=2, card="8D")
        do(service, "starter", card="5D")
        do(service, "play", side=1, card="JH")
        do(service, "unplay", card="JH")
        do(service, "hand", side=2, cards=["5H", "5C", "5S", "JD"], again=True)
        do(service, "set", side=1, front=119)
        do(service, "peg", side=1, points=2)
        heard = [news.data for news in ear.heard[before:] if news.kind == "happened"]
        assert [(one["kind"], one["side"], one["points"], one["full"]) for one in heard[:5]] == [
            ("starter", None, None, "The starter is the five of diamonds."),
            ("play", 1, None, "Ann plays the seven of clubs: seven."),
            ("peg", 2, 2, "Bob plays the eight of diamonds: fifteen for two. Bob pegs 2, now at 2."),
            ("play", 1, None, "Ann plays the jack of hearts: twenty-five."),
            ("unplay", None, None, "The jack of hearts is taken back."),
        ]
        assert heard[2]["text"] == "Bob pegs 2, now at 2."
        assert heard[5]["full"].startswith(
            "Bob's hand five of hearts, five of clubs, five of spades, jack of diamonds with the five of diamonds: "
        )
        assert heard[5]["full"].endswith("and nobs for twenty-nine. Bob counts 29, now at 31.")
        assert [one["win"] for one in heard[:-1]] == [""] * 7
        assert heard[-1]["win"].startswith("Ann wins with 121. Bob has 31, double-skunked.")


def test_whether_an_order_has_counted_can_be_asked(virtual: VirtualBoard) -> None:
    with served(virtual) as (service, _):
        done = [
            do(service, "peg", side=1, points=5, key="k" * 20),
            do(service, "play", side=2, card="7C", again=True, key="l" * 20),
        ]
        for one, name in zip(done, "kl", strict=True):
            answer = service.answer(name * 20).result(PATIENCE_S)
            assert (answer["rev"], answer["text"]) == (one["rev"], one["text"])
        assert service.answer("m" * 20).result(PATIENCE_S)["rev"] is None


def test_buttons_and_waiting_points_are_told_as_they_come(virtual: VirtualBoard) -> None:
    with served(virtual) as (service, ear):
        virtual.tap("GP6")
        ear.wait(lambda heard: service.view.entry()["sides"][0]["waiting"] == 1)
        assert service.view.waiting == {0: (1, 0)}
        virtual.tap("GP8")
        ear.wait(lambda heard: "Orange pegs 1, now at 1." in ear.texts("happened"))
        ear.wait(lambda heard: service.view.entry()["sides"][0]["waiting"] == 0)


def test_the_waiting_points_of_a_page_that_has_closed_go_with_it(virtual: VirtualBoard) -> None:
    with served(virtual) as (service, _):
        do(service, "pend", side=1, points=7)
        do(service, "pend", "phone 2", side=2, points=4)
        service.leave("phone 1")
        service.played("phone 2").result(PATIENCE_S)  # which is done after that
        assert [side["waiting"] for side in service.view.entry()["sides"]] == [0, 4]


def test_what_is_no_order_is_refused_at_once(virtual: VirtualBoard) -> None:
    with served(virtual) as (service, _):
        with pytest.raises(OrderError):
            service.order({"do": "peg"}, "phone 1")
        with pytest.raises(OrderError, match="no side 3"):
            do(service, "peg", side=3, points=1)


def test_a_service_without_its_board_says_so_and_refuses_orders() -> None:
    def nowhere(say: object) -> object:
        raise TransportError("the board is not there", "plug it in")

    service = Service(7, nowhere, None, "Snug")  # type: ignore[arg-type]
    assert service.view.entry()["board"]["away"] is not None
    ear = Ear(service)
    service.start()
    try:
        ear.wait(lambda heard: str(service.away).startswith("the board is not there"))
        entry = service.view.entry()
        assert entry["board"]["away"]["text"] == "the board does not answer"
        assert service.tried.wait(PATIENCE_S)
        assert (entry["board"]["name"], entry["sides"], entry["rev"], entry["table"]["pile"]) == ("Snug", [], None, [])
        with pytest.raises(OrderError, match="the board does not answer; plug it in") as caught:
            do(service, "peg", side=1, points=5)
        assert caught.value.status == 503
    finally:
        service.stop()


def test_a_mistake_of_the_program_does_not_end_the_evening(virtual: VirtualBoard) -> None:
    with served(virtual) as (service, ear):
        failed = service.submit(lambda table: 1 // 0)
        with pytest.raises(ZeroDivisionError):
            failed.result(PATIENCE_S)
        assert do(service, "peg", side=1, points=5)["rev"] == 1
        assert service._table is not None
        service._table.board.poll = None  # type: ignore[method-assign,assignment]
        ear.wait(lambda heard: service.view.away)
        assert "TypeError" in str(service.away)
        present(ear, service)
        assert do(service, "peg", side=1, points=5)["rev"] == 2


def test_a_board_that_is_unplugged_is_shown_and_comes_back_by_itself(virtual: VirtualBoard) -> None:
    with served(virtual) as (service, ear):
        do(service, "peg", side=1, points=5)
        asked = key()
        virtual.kill()
        ear.wait(lambda heard: service.view.away)
        assert "is gone" in str(service.away)
        assert service.view.entry()["sides"][0]["front"] == 5
        with pytest.raises(OrderError):
            service.order({"do": "peg", "key": asked, "side": 1, "points": 3}, "phone 1").result(PATIENCE_S)
        virtual.start()
        with Registration(Running(virtual.port, virtual.uid, 1, virtual.name)):
            present(ear, service)
            done = service.order({"do": "peg", "key": asked, "side": 1, "points": 3}, "phone 1").result(PATIENCE_S)
            assert done["text"] == "Orange pegs 3, now at 8."


def weaken(flash: Path) -> None:
    """Clear bits of the newest record, more than can be mended."""
    memory = bytearray(flash.read_bytes())
    slots = [page + slot * SLOT for page in range(0, len(memory), PAGE) for slot in range(PAGE // SLOT)]
    newest = [at for at in slots if memory[at : at + SLOT] != BLANK][-1]
    memory[newest : newest + 4] = bytes(4)
    flash.write_bytes(memory)


@pytest.mark.parametrize(("open_then", "went_on"), [(True, False), (False, False), (False, True)])
def test_the_history_has_what_the_board_has_although_the_board_has_lost_an_event(
    virtual: VirtualBoard, open_then: bool, went_on: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = open_store()

    def lose() -> None:
        virtual.kill()
        weaken(virtual.nvm)
        virtual.start()
        if went_on:
            with monkeypatch.context() as elsewhere:
                elsewhere.setenv("CRIBBOARD_HOME", str(tmp_path))
                with hold_board(virtual.port) as board:
                    board.peg(0, 1)

    with served(virtual, store) as (service, ear):
        do(service, "peg", side=1, points=5)
        do(service, "peg", side=2, points=3)
        if open_then:
            lose()
            with Registration(Running(virtual.port, virtual.uid, 1, virtual.name)):
                ear.wait(lambda heard: any("had lost its newest events" in text for text in ear.texts("notice")))
            done = do(service, "peg", side=1, points=1)
    if not open_then:
        lose()
        with served(virtual, store) as (service, _):
            done = do(service, "peg", side=1, points=1)
    replay = store.game(store.games()[0].id)
    assert done["kept"] is True
    assert replay is not None
    assert [side.front for side in replay.game.sides] == ([7, 0] if went_on else [6, 3])
    kinds = [event.kind for event in replay.events]
    assert kinds == (["peg", "peg", "peg"] if went_on else ["peg", "restore", "peg"])
    assert [row.what for row in store.corrections()] == ["event lost"]
    store.close()


def test_the_history_is_kept_with_notes_and_what_buttons_did_before(
    virtual: VirtualBoard, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writer, "WAIT_S", PATIENCE_S)  # however slow the disk is just now
    with hold_board(virtual.port) as board:
        board.peg(0, 4)
    store = open_store()
    with served(virtual, store) as (service, _):
        done = do(service, "hand", side=2, cards=["5H", "5C", "5S", "JD"], starter="5D")
        assert done["kept"] is True
        do(service, "undo", by="phone 2", rev=done["rev"])
    replay = store.game(store.games()[0].id)
    assert replay is not None
    pegged, hand, undone = replay.events
    assert (pegged.kind, pegged.cards, pegged.starter, pegged.by) == ("peg", "", "", "")
    assert (hand.kind, hand.points, hand.cards, hand.starter) == ("hand", 29, "5H5C5SJD", "5D")
    assert [hand.by, undone.by] == ["phone 1", "phone 2"]
    exported = json.loads(store.export_json())
    rows = [dict(zip(exported["columns"], row, strict=True)) for row in exported["games"][0]["events"]]
    assert [row["text"] for row in rows] == ["", done["text"], "Undid: Blue counts 29. Blue 0."]
    store.close()


def test_a_game_against_the_computer_is_begun_seen_and_stopped(virtual: VirtualBoard) -> None:
    with served(virtual) as (service, _):
        begun = service.play({"begin": "club"}, "phone 1", "Ann").result(PATIENCE_S)
        assert (begun["on"], begun["mine"], begun["level"]) == (True, True, "club")
        assert (service.view.entry()["computer"] or {})["level"] == "club"
        other = service.played("phone 2").result(PATIENCE_S)
        assert (other["on"], other["mine"], other["level"]) == (True, False, "club")
        assert not service.play({"stop": True}, "phone 1").result(PATIENCE_S)["on"]


def test_a_kiosk_that_starts_again_shows_the_game_against_the_computer_as_soon_as_it_shows_the_board(
    virtual: VirtualBoard,
) -> None:
    with served(virtual) as (service, _):
        service.play({"begin": "club"}, "phone 1", "Ann").result(PATIENCE_S)
    with served(virtual) as (service, ear):
        shown = [news.data for news in ear.heard if news.kind == "state"]
        first = next(entry for entry in shown if entry["board"]["away"] is None)
        assert first["computer"] is not None


def test_a_disk_that_refuses_the_cards_is_tried_again_after_a_while(
    virtual: VirtualBoard, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    now = [100.0]
    monkeypatch.setattr("cribboard.service.service.time", SimpleNamespace(monotonic=lambda: now[0]))
    with served(virtual) as (service, ear):
        assert service._table is not None
        cards = service._table.board.folder / NAME
        cards.unlink()
        cards.mkdir()
        do(service, "play", side=1, card="7C", again=True)
        ear.wait(lambda heard: any(text.startswith("The kiosk cannot save") for text in ear.texts("notice")))
        cards.rmdir()
        for _ in range(2):
            service.played("phone 1").result(PATIENCE_S)  # after each the disk is looked at
        assert not cards.exists()
        now[0] += KEEP_AGAIN_S
        ear.wait(lambda heard: "The kiosk saves again what happens." in ear.texts("notice"))
        assert '"7C"' in cards.read_text()
        refused, saves = [record.getMessage() for record in caplog.records if "kiosk" in record.getMessage()]
        assert str(cards) in refused and saves.endswith("the kiosk saves again what happens")


def test_a_name_that_was_removed_while_the_board_was_away_takes_the_game_from_the_view_once(tmp_path: Path) -> None:
    room, away = Room(tmp_path), TransportError("unplugged", "")
    room.do("new", names=["Ann", "Bob"])
    view = LatestView(1, "Table 1", False, lambda: datetime(2026, 1, 1, tzinfo=UTC), lambda: 0.0)
    shown = []
    for table in (room.table, None, room.table, None):
        if view.view.state and not shown[1:]:
            view.empty()
        view.refresh(table, None if table else away)
        shown.append([side["name"] for side in view.view.entry()["sides"]])
    assert shown == [["Ann", "Bob"], [], ["Ann", "Bob"], ["Ann", "Bob"]]


class Full:
    """A store on a full disk, until there is room."""

    def __init__(self) -> None:
        self.full = True
        self.kept: list[int] = []

    def keep(self, report: Report) -> None:
        if self.full:
            raise CribboardError("the disk is full", "make room")
        self.kept += [event.rev for event in report.events]


def test_a_store_that_fails_stops_no_game_and_gets_what_it_missed(
    virtual: VirtualBoard, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(History.__init__, "__defaults__", ((), 0.05))
    store = Full()
    with served(virtual, store) as (service, ear):
        assert do(service, "peg", side=1, points=5)["kept"] is False
        ear.wait(lambda heard: any("what happens is added to it later" in one for one in ear.texts("notice")))
        assert do(service, "peg", side=2, points=5)["kept"] is False
        store.full = False
        ear.wait(lambda heard: any("written again" in one for one in ear.texts("notice")))
        assert do(service, "peg", side=1, points=1)["kept"] is True
    assert store.kept == [1, 2, 3]


def test_what_a_slow_store_has_not_taken_yet_is_written_before_the_service_ends(
    virtual: VirtualBoard, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(History.written, "__defaults__", (0.0,))
    store, free = Full(), threading.Event()
    store.full = False
    keep = store.keep
    monkeypatch.setattr(store, "keep", lambda report: free.wait(PATIENCE_S) and keep(report))
    with served(virtual, store) as (service, _):
        assert do(service, "peg", side=1, points=5)["kept"] is False
        threading.Timer(0.1, free.set).start()
    assert store.kept == [1]


def test_games_won_at_the_kiosk_are_results_of_the_same_history_as_those_at_home(virtual: VirtualBoard) -> None:
    with closing(open_store()) as store, served(virtual, store) as (service, _):
        do(service, "new", names=["Ann", "Bob"])
        do(service, "set", side=1, front=120)
        do(service, "peg", side=1, points=1)
        assert [result.names for result in store.results()] == [("Ann", "Bob")]
        do(service, "undo", rev=service.view.entry()["undo"]["rev"])
        assert store.results() == []


def test_a_table_nobody_touches_dims_after_twenty_minutes(virtual: VirtualBoard) -> None:
    clock = [datetime(2026, 1, 1, 20, 15, tzinfo=UTC)]
    was_set = timedelta()
    with served(virtual, now=lambda: clock[0] + was_set, clock=lambda: clock[0].timestamp()) as (service, ear):
        assert service.view.entry()["idle"] == {"since": "2026-01-01T20:15:00Z", "dim": False}
        was_set = timedelta(days=1)
        assert not service._shown._is_dim(), "the clock was set"
        was_set = timedelta()
        clock[0] += timedelta(minutes=20)
        ear.wait(lambda heard: bool(service.view.entry()["idle"]["dim"]))
        do(service, "peg", side=1, points=1)
        assert service.view.entry()["idle"] == {"since": "2026-01-01T20:35:00Z", "dim": False}
        clock[0] += timedelta(minutes=30)
        service.play({"begin": "club"}, "phone 1").result(PATIENCE_S)
        assert service.view.entry()["idle"] == {"since": "2026-01-01T21:05:00Z", "dim": False}


def test_a_virtual_board_that_has_ended_is_begun_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cribboard.service.service.GIVE_UP_S", 0.3)
    begun: list[VirtualBoard] = []

    @contextmanager
    def opener(say: Callable[[str], None]) -> Iterator[Board]:
        with VirtualBoard(name="again") as virtual, hold_board(virtual.port, None, say) as board:
            begun.append(virtual)
            yield board

    service = Service(1, opener, None, virtual=True)
    ear = Ear(service)
    service.start()
    try:
        present(ear, service)
        assert do(service, "peg", side=1, points=3)["rev"] == 1
        begun[0].kill()
        ear.wait(lambda heard: service.view.away)
        ear.wait(lambda heard: len(begun) == 2 and not service.view.away)
        assert do(service, "peg", side=1, points=4)["text"] == "Orange pegs 4, now at 7."
    finally:
        service.stop()


def test_a_real_board_is_waited_for_however_long_it_is_away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seconds = itertools.count()  # one goes by at each look
    monkeypatch.setattr("cribboard.service.service.time", SimpleNamespace(monotonic=seconds.__next__))
    table = wired.Table(tmp_path)
    opened: list[Board] = []
    misses = 0

    def reach() -> wired.Wire:
        nonlocal misses
        if not table.wires or misses == 100:
            return table.reach()
        misses += 1
        raise TransportError("there is no port wire", "plug it in")

    @contextmanager
    def opener(say: Callable[[str], None]) -> Iterator[Board]:
        with table.board(reach) as board:
            opened.append(board)
            yield board

    service = Service(1, opener, None)
    ear = Ear(service)
    service.start()
    try:
        present(ear, service)
        table.wire.cut_in = 0
        ear.wait(lambda heard: misses == 100 and not service.view.away)
        assert len(opened) == 1
        assert do(service, "peg", side=1, points=4)["rev"] == 1
    finally:
        service.stop()


def test_a_virtual_board_that_is_back_soon_is_waited_for_each_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [100.0]
    monkeypatch.setattr("cribboard.service.service.time", SimpleNamespace(monotonic=lambda: now[0]))
    table = wired.Table(tmp_path)
    opened: list[Board] = []
    missed: list[float] = []

    def reach() -> wired.Wire:
        if table.wires and missed.count(now[0]) < 5:
            missed.append(now[0])
            raise TransportError("there is no port wire", "plug it in")
        return table.reach()

    @contextmanager
    def opener(say: Callable[[str], None]) -> Iterator[Board]:
        with table.board(reach) as board:
            opened.append(board)
            yield board

    service = Service(1, opener, None, virtual=True)
    ear = Ear(service)
    service.start()
    try:
        present(ear, service)
        for now[0] in (200.0, 300.0):
            table.wire.cut_in = 0
            ear.wait(lambda heard: missed.count(now[0]) == 5 and not service.view.away)
        assert len(opened) == 1
    finally:
        service.stop()


def test_a_table_that_is_renamed_is_told(virtual: VirtualBoard) -> None:
    with served(virtual) as (service, ear):
        service.rename("The snug")
        ear.wait(lambda heard: service.view.entry()["board"]["name"] == "The snug")
        service.notice("the game goes on on another board")
        ear.wait(lambda _: ear.texts("notice") == ["The game goes on on another board."])


def test_a_player_who_is_renamed_has_the_new_name_in_the_view_before_anybody_is_told(virtual: VirtualBoard) -> None:
    with served(virtual) as (service, _):
        do(service, "new", names=["Ann", "Bob"])
        hold = threading.Event()
        service.submit(lambda table: hold.wait(PATIENCE_S))
        renamed = service.rename_player(["Ann"], "Eve")
        assert renamed is not None
        seen: list[str | None] = []
        renamed.add_done_callback(lambda _: seen.append(service.view.entry()["sides"][0]["name"]))
        hold.set()
        renamed.result(PATIENCE_S)
        service.played("phone 1").result(PATIENCE_S)  # which is done after all that
        assert seen == ["Eve"]


def test_too_many_orders_at_once_are_refused_and_none_is_forgotten(virtual: VirtualBoard) -> None:
    with served(virtual) as (service, _):
        hold, begun = threading.Event(), threading.Event()

        def held(_: Table) -> bool:
            begun.set()
            return hold.wait(PATIENCE_S)

        first = service.submit(held)
        assert begun.wait(PATIENCE_S)
        orders = [service.order({"do": "pend", "side": 1, "points": 0}, "x") for _ in range(250)]
        hold.set()
        assert first.result(PATIENCE_S)
        refused = [order.exception(PATIENCE_S) for order in orders]
        assert sum(error is not None for error in refused) == 50
        assert {error.code for error in refused if isinstance(error, OrderError)} == {"busy"}


def test_orders_left_when_the_service_ends_are_told_so(virtual: VirtualBoard) -> None:
    with served(virtual) as (service, _):
        hold = threading.Event()
        service.submit(lambda table: hold.wait(PATIENCE_S))
        left = service.order({"do": "pend", "side": 1, "points": 0}, "x")
        ending = threading.Thread(target=service.stop)
        ending.start()
        while not service._ending.is_set():
            pass
        hold.set()
        ending.join()
        error = left.exception(PATIENCE_S)
        assert error is None or isinstance(error, OrderError)
        assert isinstance(service.order({"do": "pend", "side": 1, "points": 0}, "x").exception(PATIENCE_S), OrderError)


def test_two_phones_at_once_lose_and_double_nothing(virtual: VirtualBoard) -> None:
    with served(virtual) as (service, _):
        do(service, "new", target=241)
        counted: list[int] = []

        def phone(side: int) -> None:
            for _ in range(20):
                order = {"do": "peg", "key": key(), "side": side, "points": 2}
                for _ in range(2):  # each is sent twice, as after a lost answer
                    counted.append(service.order(order, f"phone {side}").result(PATIENCE_S)["rev"])

        phones = [threading.Thread(target=phone, args=(side,)) for side in (1, 2)]
        for one in phones:
            one.start()
        for one in phones:
            one.join()
        assert sorted(counted) == sorted([*range(2, 42)] * 2)
        assert [side["front"] for side in service.view.entry()["sides"]] == [40, 40]
    with hold_board(virtual.port) as board:
        assert board.standing.fronts == (40, 40)
