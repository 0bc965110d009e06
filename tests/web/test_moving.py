"""A table's game that staff move to the board which is plugged in in the place of its own."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from web.rig import Browser, Rig, running, wait_until

from cribboard.board.exactly_once import CommandSender
from cribboard.board.find import Found
from cribboard.board.ledger import Ledger
from cribboard.connect import hold_board
from cribboard.errors import CribboardError, TransportError
from cribboard.service.cards_log import KeptDeal
from cribboard.service.rules import Rules
from cribboard.service.service import Service
from cribboard.sim.board import VirtualBoard
from cribboard.slots import Slots, newest
from cribboard.store import Store, StoreError, open_store
from cribboard.web import tables as finding
from cribboard.web.finder import Finder
from cribboard.web.tables import Tables, TableServices


class Pub:
    """A kiosk at one port, with two boards for it."""

    def __init__(self, folder: Path, stack: ExitStack, portal: Any) -> None:
        self.folder = folder
        self.stack = stack
        self._portal = portal
        self.port = folder / "port"
        self.boards = {name: stack.enter_context(VirtualBoard(name=name)) for name in ("usb-one", "usb-two")}
        self.uids = {name: board.uid for name, board in self.boards.items()}
        self.plugged = ""
        self.listed: list[Found] = []
        self.store: Store
        self.house: TableServices
        self.rig: Rig

    def plug(self, name: str) -> None:
        """Put this board at the port, in place of the other one."""
        if self.plugged:
            self.boards[self.plugged].stop()
        self.plugged = name
        if not self.boards[name].alive:
            self.boards[name].start()
        self.port.unlink(missing_ok=True)
        self.port.symlink_to(self.boards[name].port)
        self.listed = [Found(str(self.port), self.uids[name], "attached")]

    def open(self) -> None:
        """Start the kiosk."""
        self._running = ExitStack()
        self.store = open_store()
        self.house = TableServices(Tables(self.folder), self.store)
        self.finder = Finder(self.house, str(self.port))
        self.rig = self._running.enter_context(running(self.house, self.folder, self._portal))
        wait_until(lambda: self.finder.look() or (self.house.services and self.is_here))

    def close(self) -> None:
        """End it."""
        self._running.close()
        self.house.stop()
        self.store.close()

    @property
    def number(self) -> int:
        (number,) = self.house.services
        return number

    @property
    def is_here(self) -> bool:
        return self.state()["board"]["away"] is None

    def state(self) -> Any:
        return self.house.services[self.number].view.entry()

    def swap(self, name: str) -> None:
        """Plug in the other board, and wait until the kiosk has seen it."""
        self.plug(name)
        wait_until(lambda: (self.state()["board"]["away"] or {}).get("text") == "another board is plugged in here")

    def move(self, boss: Browser) -> Any:
        there = boss.get("/api/boards/1/move").json()
        answer = boss.post("/api/boards/1/move", {"uid": there["uid"], "rev": there["rev"]})
        assert answer.status_code == 200, answer.text
        wait_until(lambda: self.is_here)
        return there


@pytest.fixture
def pub(tmp_path: Path, portal: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[Pub]:
    monkeypatch.setenv("CRIBBOARD_HOME", str(tmp_path))
    with ExitStack() as stack:
        one = Pub(tmp_path, stack, portal)
        monkeypatch.setattr("cribboard.connect.attached", lambda: one.listed)
        one.plug("usb-one")
        one.open()
        yield one
        one.close()


def play(pub: Pub) -> Browser:
    """Ann has won a game against Bob; in the next one a go has ended a pile, and a card lies on the second."""
    phone = pub.rig.player()
    assert phone.order(1, do="new", names=["Ann", "Bob"], target=61, dealer=1).status_code == 200
    assert phone.order(1, do="peg", side=1, points=29).status_code == 200
    assert phone.order(1, do="peg", side=1, points=29).status_code == 200
    assert phone.order(1, do="peg", side=1, points=29).status_code == 200
    rules = {"counting": "auto", "nineteen": True}
    assert phone.order(1, do="new", names=["Bob", "Ann"], target=121, dealer=1, rules=rules).status_code == 200
    for order in (
        {"do": "starter", "card": "5D"},
        {"do": "play", "side": 2, "card": "KD"},
        {"do": "play", "side": 1, "card": "KH"},
        {"do": "play", "side": 2, "card": "9S"},
        {"do": "go", "side": 2},
        {"do": "play", "side": 1, "card": "4C"},
    ):
        answer = phone.order(1, **order)
        assert answer.status_code == 200, answer.text
    return phone


SAME = ("sides", "dealer", "crib", "table", "rules", "target", "winner", "deal", "chances")


def game_of(pub: Pub) -> dict[str, Any]:
    """What moves with a game; the numbers of the events that its cards came after are the board's own."""
    state = pub.state()
    for card in (*state["table"]["pile"], *state["table"]["played"]):
        del card["at"]
    return {name: state[name] for name in SAME}


def test_a_game_moves_with_all_that_is_its_own_and_goes_on_in_the_same_history(pub: Pub) -> None:
    phone = play(pub)
    assert phone.post("/api/boards/1/lock", {"locked": True}).status_code == 200
    before, code = game_of(pub), pub.rig.kiosk.invites.newest(1).code
    assert (before["sides"][1]["won"], len(before["table"]["played"]), before["table"]["running"]) == (1, 4, 4)
    pub.swap("usb-two")
    boss = pub.rig.staff()
    (away,) = boss.get("/api/house").json()["away"]
    assert (away["board"], away["other"]) == (1, True)
    there = pub.move(boss)
    assert there == {"uid": pub.uids["usb-two"], "rev": 0, "text": "No game has begun on it.", "left": []}
    assert game_of(pub) == before
    assert pub.state()["board"]["number"] == 1
    assert pub.state()["board"]["uid"] == pub.uids["usb-two"]
    assert pub.house.register.boards() == [pub.uids["usb-two"]]
    assert [one["by"] for one in boss.get("/api/boards/1/phones").json()["phones"]] == ["phone 1"]
    assert boss.get("/api/boards/1/phones").json()["locked"] == {"by": "Phone 1"}
    assert pub.rig.kiosk.invites.by_code(1, code, "somebody") == 1
    said = phone.order(1, do="play", side=2, card="4H").json()["text"]
    assert said == "Ann plays the four of hearts: eight, a pair for two. Ann pegs 2, now at 3."
    wait_until(lambda: [[side.front for side in one.sides] for one in pub.store.games()] == [[2, 3], [61, 0]])
    history = boss.get(f"/api/games/{pub.store.games()[0].id}").json()
    assert ([step["kind"] for step in history["events"]], history["whole"]) == (
        ["new", "peg", "go", "restore", "peg"],
        True,
    )
    everything = pub.store.export_json()
    assert pub.store.import_json(everything).games == 0
    assert pub.store.export_json() == everything


def test_what_is_on_the_other_board_is_shown_first_and_a_moved_game_moves_back(pub: Pub) -> None:
    play(pub)
    before, boss = game_of(pub), pub.rig.staff()
    pub.swap("usb-two")
    with hold_board(str(pub.port), pub.uids["usb-two"]) as board:
        board.new(121, 3, 2, names={0: "Cid", 1: "Dee"})
        board.peg(1, 7)
    there = boss.get("/api/boards/1/move").json()
    assert there["text"] == "Another game stands on it and would be replaced: Cid 0, Dee 7."
    with hold_board(str(pub.port), pub.uids["usb-two"]) as board:
        board.peg(1, 1)
    answer = boss.post("/api/boards/1/move", {"uid": there["uid"], "rev": there["rev"]})
    assert (answer.status_code, answer.json()["error"]["code"]) == (409, "rev")
    assert pub.house.register.moving is None
    with hold_board(str(pub.port), pub.uids["usb-two"]) as board:
        assert board.standing.fronts == (0, 8)
    assert pub.move(boss)["text"] == "Another game stands on it and would be replaced: Cid 0, Dee 8."
    assert game_of(pub) == before
    assert boss.order(1, do="peg", side=2, points=5).status_code == 200
    pub.swap("usb-one")
    there = pub.move(boss)
    assert there["text"] == "Another game stands on it and would be replaced: Bob 2, Ann 1."
    assert pub.state()["board"]["uid"] == pub.uids["usb-one"]
    assert [(side["name"], side["front"], side["won"]) for side in pub.state()["sides"]] == [
        ("Bob", 2, 0),
        ("Ann", 6, 1),
    ]
    assert boss.order(1, do="peg", side=1, points=3).status_code == 200
    fronts = [[61, 0], [0, 8], [5, 6]]
    wait_until(lambda: sorted([side.front for side in one.sides] for one in pub.store.games()) == sorted(fronts))


def test_undo_on_the_board_brings_back_what_was_on_it(pub: Pub) -> None:
    play(pub)
    pub.swap("usb-two")
    with hold_board(str(pub.port), pub.uids["usb-two"]) as board:
        board.new(121, 3, 2, names={0: "Cid", 1: "Dee"})
        board.peg(1, 7)
    pub.move(pub.rig.staff())
    board = pub.boards["usb-two"]
    board.tap("GP12")
    wait_until(lambda: [(side["name"], side["front"]) for side in pub.state()["sides"]] == [("Cid", 0), ("Dee", 7)])
    assert pub.state()["table"]["played"] == []


def test_an_order_that_has_counted_before_the_move_does_not_count_again_after_it(pub: Pub) -> None:
    play(pub)
    boss, order = pub.rig.staff(), {"do": "peg", "side": 2, "points": 5, "key": "key-of-five-points"}
    order["seen"] = pub.state()["rev"]
    assert boss.post("/api/boards/1/orders", order).status_code == 200
    pub.swap("usb-two")
    pub.move(boss)
    assert boss.post("/api/boards/1/orders", order).status_code == 200
    assert pub.state()["sides"][1]["front"] == 6


def test_only_staff_move_a_game_and_only_to_a_board_that_is_there(pub: Pub) -> None:
    phone, boss, wanted = play(pub), pub.rig.staff(), {"uid": pub.uids["usb-two"], "rev": 0}
    assert boss.get("/api/boards/1/move").json()["error"]["code"] == "move"
    assert boss.post("/api/boards/1/move", wanted).json()["error"]["code"] == "move"
    pub.swap("usb-two")
    for who in (phone, pub.rig.browser(), pub.rig.screen()):
        assert who.get("/api/boards/1/move").status_code == 403
        assert who.post("/api/boards/1/move", wanted).status_code == 403
    assert boss.post("/api/boards/1/move", {**wanted, "uid": "0" * 16}).status_code == 409
    for body in ({}, {**wanted, "rev": "0"}, {**wanted, "rev": True}, {**wanted, "more": 1}):
        assert boss.post("/api/boards/1/move", body).status_code == 400
    assert not pub.is_here


def test_of_a_game_against_the_computer_the_score_moves_and_staff_read_that(pub: Pub) -> None:
    phone, boss = pub.rig.player(), pub.rig.staff()
    assert phone.post("/api/boards/1/computer", {"begin": "club"}).status_code == 200
    wait_until(lambda: pub.state()["computer"])
    before = [(side["name"], side["front"]) for side in pub.state()["sides"]]
    pub.swap("usb-two")
    assert pub.move(boss)["left"] == ["The game against the computer ends; its score moves, its cards do not."]
    assert pub.state()["computer"] is None
    assert [(side["name"], side["front"]) for side in pub.state()["sides"]] == before
    assert phone.order(1, do="peg", side=1, points=2).status_code == 200


def test_the_score_of_which_nobody_knows_whether_it_counted_does_not_move(pub: Pub, monkeypatch: Any) -> None:
    phone, boss = play(pub), pub.rig.staff()
    before = game_of(pub)

    def gone(*_: object) -> None:
        raise TransportError("the board is gone", "plug it in")

    with monkeypatch.context() as patch:
        patch.setattr(CommandSender, "send", gone)
        assert phone.order(1, do="peg", side=1, points=9).status_code == 503
        pub.swap("usb-two")
    assert pub.move(boss)["left"] == ["Nobody knows whether the last score counted: the game moves without it."]
    assert game_of(pub) == before


def test_a_game_that_cannot_be_saved_does_not_move(pub: Pub, monkeypatch: pytest.MonkeyPatch) -> None:
    play(pub)
    pub.swap("usb-two")
    before, boss, where = game_of(pub), pub.rig.staff(), {"uid": pub.uids["usb-two"], "rev": 0}
    with monkeypatch.context() as patch:
        patch.setattr(Service, "unwritten", property(lambda one: TransportError("no room", "make some")))
        answer = boss.post("/api/boards/1/move", where)
        assert (answer.status_code, answer.json()["error"]["code"]) == (409, "unsaved")

    def full(*_: object, **__: object) -> None:
        raise CribboardError("kiosk.json cannot be written", "make room")

    with monkeypatch.context() as patch:
        patch.setattr(Slots, "write", full)
        answer = boss.post("/api/boards/1/move", where)
    assert answer.status_code == 409
    assert answer.json()["error"] == {"code": "move", "message": "kiosk.json cannot be written", "hint": "make room"}
    assert pub.house.register.moving is None
    pub.move(boss)
    assert game_of(pub) == before


def test_a_game_moves_though_the_history_cannot_be_written(
    pub: Pub, monkeypatch: pytest.MonkeyPatch, caplog: Any
) -> None:
    play(pub)
    before, boss = game_of(pub), pub.rig.staff()
    pub.swap("usb-two")

    def broken(*_: object, **__: object) -> None:
        raise StoreError("there is no room on the disk")

    monkeypatch.setattr(Store, "move", broken)
    rules = pub.folder / "boards" / pub.uids["usb-two"] / "rules.json"
    rules.mkdir(parents=True)
    failed = boss.post("/api/boards/1/move", {"uid": pub.uids["usb-two"], "rev": 0})
    # A move that would lose the rules is not over.
    assert failed.status_code == 409
    assert "rules.json cannot be written" in failed.json()["error"]["message"]
    assert "rules.json cannot be written" in caplog.text
    rules.rmdir()
    pub.move(boss)
    assert game_of(pub) == before
    assert "the history begins another game" in caplog.text


class Killed(Exception):
    """The kiosk ends here."""


def kill_before(monkeypatch: pytest.MonkeyPatch, owner: Any, name: str) -> None:
    def killed(*_: object, **__: object) -> None:
        for kind, write in ((Slots, "write"), (Slots, "keep"), (KeptDeal, "_put"), (CommandSender, "send")):
            monkeypatch.setattr(kind, write, nothing)  # whoever is dead writes nothing more
        raise Killed

    def nothing(*_: object, **__: object) -> None:
        pass

    monkeypatch.setattr(owner, name, killed)


STEPS = {
    "the board is opened": (finding, "hold_board"),
    "the board is told": (CommandSender, "send"),
    "its answer is noted": (CommandSender, "done"),
    "the rest is noted": (Ledger, "take_over"),
    "the rules are noted": (Rules, "note"),
    "the cards are noted": (KeptDeal, "heard"),
    "the table has the board": (Tables, "move"),
    "the history hears of it": (Store, "move"),
    "the move is over": (Tables, "end_move"),
}
MOVED = ("the history hears of it", "the move is over")  # the table has the other board by then


@pytest.mark.parametrize("back", ["usb-one", pytest.param("usb-two", marks=pytest.mark.long)])
@pytest.mark.parametrize("step", STEPS)
def test_a_kill_in_the_middle_leaves_the_table_one_board_or_the_other(
    pub: Pub, step: str, back: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    play(pub)
    before, boss = game_of(pub), pub.rig.staff()
    pub.swap("usb-two")
    there = boss.get("/api/boards/1/move").json()
    with monkeypatch.context() as patch:
        kill_before(patch, *STEPS[step])
        boss.post("/api/boards/1/move", {"uid": there["uid"], "rev": there["rev"]})
        assert newest((pub.folder / finding.NAME).read_bytes()).count(finding.MOVING)
        pub.close()
    pub.plug(back)
    pub.open()
    assert Tables(pub.folder).moving is None
    if step in MOVED and back == "usb-one":
        assert pub.number == 2  # the board that the game has left is another table's
        pub.close()
        pub.plug("usb-two")
        pub.open()
        back = "usb-two"
    assert pub.number == 1
    assert game_of(pub) == before
    assert pub.state()["board"]["uid"] == pub.uids[back]
    assert Tables(pub.folder).moving is None
    assert [one["by"] for one in pub.rig.staff().get("/api/boards/1/phones").json()["phones"]] == ["phone 1"]
    assert pub.rig.staff().order(1, do="peg", side=1, points=3).status_code == 200
    wait_until(lambda: [5, 1] in [[side.front for side in one.sides] for one in pub.store.games()])
    assert all(one.whole for one in pub.store.games())


@pytest.mark.parametrize("step", ["its answer is noted", "the rules are noted", "the cards are noted"])
def test_presses_before_the_kiosk_is_back_cost_a_moved_game_no_card(
    pub: Pub, step: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    play(pub)
    before, boss = game_of(pub), pub.rig.staff()
    pub.swap("usb-two")
    there = boss.get("/api/boards/1/move").json()
    with monkeypatch.context() as patch:
        kill_before(patch, *STEPS[step])
        boss.post("/api/boards/1/move", {"uid": there["uid"], "rev": there["rev"]})
        pub.close()
    with hold_board(pub.boards["usb-two"].port, pub.uids["usb-two"]) as board:
        assert board.standing.fronts == (2, 1)
        board.peg(1, 3)
    pub.open()
    assert [side["front"] for side in pub.state()["sides"]] == [2, 4]
    assert {**game_of(pub), "sides": 0, "chances": 0} == {**before, "sides": 0, "chances": 0}


def test_a_board_that_goes_in_the_middle_is_asked_again_and_counts_once(pub: Pub, monkeypatch: Any) -> None:
    play(pub)
    before, boss = game_of(pub), pub.rig.staff()
    pub.swap("usb-two")
    there = boss.get("/api/boards/1/move").json()
    with monkeypatch.context() as patch:

        def gone(*_: object) -> None:
            raise TransportError("the board is gone", "plug it in")

        patch.setattr(Ledger, "take_over", gone)
        assert boss.post("/api/boards/1/move", {"uid": there["uid"], "rev": there["rev"]}).status_code == 503
    wait_until(lambda: boss.get("/api/boards/1/move").status_code == 200)
    assert boss.post("/api/boards/1/move", {"uid": there["uid"], "rev": there["rev"]}).status_code == 200
    wait_until(lambda: pub.is_here)
    assert game_of(pub) == before
