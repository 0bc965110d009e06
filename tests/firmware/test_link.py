"""The link: a host's whole conversation over a port in memory, and hosts that do not read, vanish or send nonsense."""

from __future__ import annotations

import json
import random

import pytest
from firmware.rig import Port
from hypothesis import given
from hypothesis import strategies as st

from cribboard_core.events import COMMANDS, DEAL, KINDS, MUGGINS, NEW, PEG, SET
from cribboard_core.game import Game, unpack
from cribboard_core.journal import TRIES, Journal
from cribboard_core.match import Match
from cribboard_core.wire import MAX_FRAME, PROTOCOL, Lines, encode
from cribboard_fw.entry import Entry
from cribboard_fw.keeper import Keeper
from cribboard_fw.link import CAN, MOST_WAITING, READ_AT_ONCE, Link

ABOUT = ["1.0.0", "e6614c311b4f2a2f", 2, 121, 6, 1]


class Board:
    """A link and what stands behind it, with a host at the port's other end."""

    def __init__(self, players: int = 2, rev: int = 0, epoch: int = 99) -> None:
        self.match = Match(121, (1 << players) - 1, players)
        self.match.rev = rev
        journal = Journal(bytearray(b"\xff" * 4096))
        journal.mount(self.match, epoch)
        self.keeper = Keeper(self.match, journal)
        self.entry = Entry(self.match, lambda *change: self.link.pending(*change))
        self.port = Port()
        self.link: Link = Link(self.port, self.keeper, self.entry, ABOUT)
        self.keeper.on_event = self.link.event
        self.lines = Lines()

    def send(self, *message: object) -> None:
        self.port.inbox += encode(list(message))

    def heard(self) -> list[list[object]]:
        data, self.port.outbox = self.port.outbox, b""
        return self.lines.feed(data)

    def run(self, steps: int = 20) -> list[list[object]]:
        for _ in range(steps):
            self.link.step()
        return self.heard()

    def ask(self, *message: object) -> list[object]:
        """The answer to a message, whatever else is said before it."""
        self.send(*message)
        return self.run()[-1]


@pytest.fixture
def board() -> Board:
    return Board()


# A conversation


def test_hello_tells_the_board_and_its_journal(board: Board) -> None:
    assert board.ask("hello", 5, PROTOCOL) == [
        *("hello", 5, 2, "1.0.0", "e6614c311b4f2a2f"),
        *(99, 0, 0, 2, 121, 6, 1, 0, "3"),
    ]
    board.ask("go", 300, 7, 0)
    assert board.ask("hello", 6, PROTOCOL)[5:8] == [99, 300, 7]


@pytest.mark.parametrize("newest", [2, 3, 10**12])
def test_a_host_that_speaks_newer_protocols_too_is_answered_in_the_boards(newest: int, board: Board) -> None:
    assert board.ask("hello", 5, newest)[:3] == ["hello", 5, 2]


@pytest.mark.parametrize("args", [(), (1,), (0,), (-2,), ("2",), (2.0,), (2, 2), ([2],), (None,), (True,)])
def test_hello_of_an_older_protocol_is_refused(args: tuple[object, ...], board: Board) -> None:
    assert board.ask("hello", 5, *args) == ["no", 0, 5, "version", "this board speaks protocol 2"]


def test_hello_says_what_the_journal_has_met(board: Board) -> None:
    log = board.keeper.journal.log
    log.torn, log.missing = True, 21
    assert board.ask("hello", 5, 2)[11:] == [9, 21, "3"]


def test_state_tells_the_whole_game() -> None:
    board = Board(3)
    board.keeper.do((PEG, 0, 10, 0, 0))
    board.keeper.do((PEG, 0, 6, 0, 0))
    board.keeper.do((DEAL, 2, 0, 0, 0))
    assert board.ask("state", 9) == ["state", 9, 3, 0, 121, 7, 3, 2, 91, 61, -1, "100a00000000", [0, 0, 0]]
    board.keeper.do((SET, 1, 121, 9, 0))
    assert board.ask("state", 9)[10:] == [1, "100a79090000", [0, 1, 0]]


def test_a_state_can_be_given_back_as_a_restore() -> None:
    board = Board(6)
    for side in range(6):
        board.keeper.do((PEG, side, 30 + side, 0, 0))
    _, _, rev, _, target, mask, sides, dealer, skunk, double, _, pegs, won = before = board.ask("state", 1)
    board.keeper.do((PEG, 0, 5, 0, 0))
    answer = board.ask("restore", 7, 1, rev + 1, target, mask, sides, dealer, skunk, double, pegs, won)  # type: ignore[operator]
    assert answer == ["ok", 7, 1, 8]
    assert board.ask("state", 1)[4:] == before[4:]


def test_a_commands_event_is_told_before_its_answer(board: Board) -> None:
    board.send("peg", 7, 1, 0, 12)
    assert board.run() == [["ev", 1, "peg", 0, 12, 0, 0, 7, 1, 0], ["ok", 7, 1, 1]]
    board.send("peg", 7, 1, 0, 12)
    assert board.run() == [["ok", 7, 1, 1]]


def test_what_the_buttons_do_is_told_without_a_tag(board: Board) -> None:
    board.keeper.do((PEG, 1, 4, 0, 0))
    board.entry.add(0, 5)
    board.link.say("all well")
    assert board.run() == [["ev", 1, "peg", 1, 4, 0, 0, 0, 0, 0], ["pend", -1, 0, 5, 0], ["say", "all well"]]


def test_last_names_what_undo_and_redo_would_take(board: Board) -> None:
    assert board.ask("last", 3) == ["last", 3, [], []]
    board.ask("peg", 7, 1, 0, 12)
    board.ask("muggins", 7, 2, 1, 2, 0)
    assert board.ask("last", 4) == ["last", 4, [2, "muggins", 1, 2, 0, 0], []]
    board.ask("undo", 7, 3, 2)
    assert board.ask("last", 5) == ["last", 5, [1, "peg", 0, 12, 0, 0], [2, "muggins", 1, 2, 0, 0]]


def test_last_offers_no_redo_that_would_be_refused(board: Board) -> None:
    board.ask("peg", 7, 1, 0, 12)
    board.keeper.do((NEW, 0, 91, 3 | 2 << 6 | 2 << 9, 61))
    board.keeper.do(board.match.undo_event())
    while board.keeper.journal.free >= TRIES:
        board.keeper.do(board.match.redo_event() if board.match.can_redo else board.match.undo_event())
    (undo, redo), offered = (board.match.last(), board.match.next()), board.ask("last", 5)[2:]
    assert [undo and undo[1], redo and redo[1]] in ([2, None], [1, 2])
    if redo:
        assert offered == [[1, "peg", 0, 12, 0, 0], []]
        assert board.ask("redo", 8, 1, 2)[3] == "nothing"
    else:
        assert offered == [[], []]
        assert board.ask("undo", 8, 1, 2)[3] == "nothing"


def test_a_redo_that_last_offers_counts_even_when_the_flash_is_almost_full(board: Board) -> None:
    for number in range(1, 200):
        board.keeper.do((PEG, 0, 0, 0, 0))
        board.keeper.do(board.match.undo_event())
        row = board.ask("last", 5)[3]
        if row:
            assert board.ask("redo", 100 + number, 1, row[0])[0] == "ok"  # type: ignore[index]


def test_pending_points_are_set_told_and_answered(board: Board) -> None:
    board.send("pend", 8, 1, 7, 3, 20)
    assert board.run() == [["pend", -1, 1, 7, 3], ["pend", 8, 1, 7, 3]]
    assert board.entry.points(1) == 7
    assert board.ask("pend", 9, 1, 0, 3, 20) == ["pend", 9, 1, 0, 3]
    assert not board.entry.any


@pytest.mark.parametrize("at", range(4))
@pytest.mark.parametrize("wrong", [None, "♥" * 9, [], True, 1.0, "5", '"\\', -1, 256, 10**40])
def test_pending_points_that_cannot_be_are_refused(at: int, wrong: object, board: Board) -> None:
    args: list[object] = [1, 7, 3, 20]
    args[at] = wrong
    assert board.ask("pend", 8, *args)[:4] == ["no", 0, 8, "args"]
    for few in ([], args[:at], [1, 7, 3, 20, 1]):
        assert board.ask("pend", 8, *few)[:4] == ["no", 0, 8, "args"]
    assert not board.entry.any


@pytest.mark.parametrize(
    ("args", "code"),
    [((1, 7, 0, 20), "args"), ((1, 7, 3, 0), "args"), ((2, 5, 3, 20), "side"), ((0, 47, 3, 20), "points")],
)
def test_who_owns_them_for_how_long_and_whose_they_would_be(args: tuple[object, ...], code: str, board: Board) -> None:
    assert board.ask("pend", 8, *args)[:4] == ["no", 0, 8, code]


def test_points_that_wait_for_somebody_else_refuse_a_hosts(board: Board) -> None:
    board.entry.add(0, 5)
    assert board.ask("pend", 8, 0, 7, 3, 20) == ["no", 0, 8, "waiting", "5 points of the buttons wait for side 1"]
    assert board.ask("pend", 9, 0, 0, 3, 20) == ["pend", 9, 0, 0, 3]
    assert board.entry.points(0) == 5


def test_a_hosts_points_go_with_the_host_and_those_of_the_buttons_stay(board: Board) -> None:
    board.ask("pend", 8, 0, 7, 3, 255)
    board.entry.add(1, 5)
    board.port.connected = False
    board.link.step()
    assert (board.entry.points(0), board.entry.points(1)) == (0, 5)


# Catching up


def caught_up(board: Board, after: int) -> list[object]:
    """Every event after a rev, asked for page by page."""
    events: list[object] = []
    while True:
        _, _, _, newest, *page = board.ask("events", 1, after)
        if not page:
            return events
        events += page
        assert isinstance(page[-1], list)
        after = page[-1][0]
        assert isinstance(newest, int)
        assert after <= newest


def test_events_come_in_pages_from_any_rev_on(board: Board) -> None:
    for number in range(1, 30):
        board.keeper.command(["peg", 60000, number, number & 1, 4])
    events = caught_up(board, -1)
    assert events == [[number, "peg", number & 1, 4, 0, 0, 60000, number, 0] for number in range(1, 30)]
    assert caught_up(board, 20) == events[20:]
    assert board.ask("events", 2, 29) == ["events", 2, 1, 29]
    assert board.ask("events", 2, 10**9) == ["events", 2, 1, 29]


def test_a_board_without_events_names_the_next_as_its_oldest(board: Board) -> None:
    assert board.ask("events", 2, 0) == ["events", 2, 1, 0]


def test_a_page_holds_several_events(board: Board) -> None:
    for _ in range(9):
        board.keeper.do((PEG, 0, 1, 0, 0))
    assert len(board.ask("events", 255, 0)) >= 4 + 3


@pytest.mark.parametrize("args", [(), (1, 2), ("1",), (1.0,), (True,), (None,), (-2,), ([],)])
def test_events_after_what_is_no_rev_are_refused(args: tuple[object, ...], board: Board) -> None:
    assert board.ask("events", 2, *args) == ["no", 0, 2, "args", "events takes the rev after which to begin"]


def test_after_an_erase_the_gap_shows(board: Board) -> None:
    for _ in range(3):
        board.keeper.do((PEG, 0, 1, 0, 0))
    board.keeper.do(board.match.undo_event())
    board.keeper.journal.roll(board.match)
    assert board.ask("events", 1, 2) == ["events", 1, 1, 4]
    board.keeper.do((PEG, 0, 1, 0, 0))
    assert [event[0] for event in caught_up(board, 0)] == [1, 2, 5]  # type: ignore[index]


# What is no request


@pytest.mark.parametrize(
    "message",
    [
        [],
        ["hello"],
        ["state"],
        ["peg"],
        ["peg", 7],
        ["dance", 1, 2],
        [5, 1],
        [None, 1, 1],
        [["peg"], 7, 1],
        [[]],
        ["ok", 7, 1, 1],
        ["ev", 1],
        ["", 0],
    ],
)
def test_what_the_protocol_does_not_know_is_refused_as_op(message: list[object], board: Board) -> None:
    assert board.ask(*message) == ["no", 0, 0, "op", "not a request that protocol 2 knows"]


@pytest.mark.parametrize("op", ["hello", "state", "last", "events", "pend"])
@pytest.mark.parametrize("q", [-1, 0, 256, True, 1.0, "1", None, [], 10**50])
def test_a_querys_number_lies_from_1_to_255(op: str, q: object, board: Board) -> None:
    assert board.ask(op, q, 1) == ["no", 0, 0, "args", "a query's second item is a number from 1 to 255"]


def test_garbage_and_damage_get_no_answer_and_do_no_harm(board: Board) -> None:
    board.port.inbox += b"AT\r\nATE1 V1\r\n>>> \xff\xfe\x00" + encode(["peg", 7, 1, 0, 12])[:-4] + b"\n"
    assert board.run() == []
    assert board.ask("peg", 7, 1, 0, 12) == ["ok", 7, 1, 1]


# The port


def test_a_step_reads_or_answers_one_message(board: Board) -> None:
    for q in (1, 2, 3):
        board.send("last", q)
    heard = [len(board.run(1)) for _ in range(6)]
    assert heard == [0, 1, 1, 1, 0, 0]


def test_no_more_than_64_bytes_are_read_a_step(board: Board) -> None:
    board.port.inbox = b"x" * 200
    board.link.step()
    assert len(board.port.inbox) == 200 - READ_AT_ONCE


@pytest.mark.parametrize("room", [1, 2, 7, 63])
def test_frames_that_go_out_in_pieces_arrive_whole_and_in_order(room: int, board: Board) -> None:
    board.send("peg", 7, 1, 0, 12)
    board.send("state", 1)
    heard = []
    for _ in range(400):
        board.port.room = room
        assert board.link.step() or board.port.room == room, "a step says that it wrote"
        heard += board.heard()
    assert [message[0] for message in heard] == ["ev", "ok", "state"]


def test_a_port_that_returns_none_from_write_is_tried_again(board: Board, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as full:
        full.setattr(board.port, "write", lambda data: None)
        board.send("last", 1)
        assert board.run(5) == []
    assert board.run(1) == [["last", 1, [], []]]


def test_a_host_that_does_not_read_costs_a_bounded_queue_and_is_not_read(board: Board) -> None:
    board.port.room = 0
    for number in range(200):
        board.keeper.do((PEG, 0, 0, 0, 0))
        board.send("last", number + 1)
        board.link.step()
        assert len(board.link._waiting) <= MOST_WAITING + READ_AT_ONCE // 12
        assert len(board.link._asked) <= READ_AT_ONCE // 12 + 1
    unread = len(board.port.inbox)
    assert unread > 1000
    board.port.room = 10**9
    heard = board.run(1000)
    assert board.port.inbox == b""
    assert [message[1] for message in heard if message[0] == "last"] == list(range(1, 201))
    revs = [message[1] for message in heard if message[0] == "ev"]
    assert revs == list(range(1, len(revs) + 1))
    assert len(revs) < 100, "none was dropped"
    assert board.match.rev == 200
    assert board.ask("events", 1, revs[-1])[3] == 200


def test_without_a_host_nothing_is_queued(board: Board) -> None:
    board.port.connected = False
    for _ in range(50):
        board.keeper.do((PEG, 0, 0, 0, 0))
        board.link.step()
    assert (board.link._waiting, board.link._rest, board.port.outbox) == ([], b"", b"")


def test_a_host_that_goes_away_takes_its_queue_with_it(board: Board) -> None:
    for q in (1, 2, 3, 4):
        board.send("last", q)
    board.port.room = 5
    board.run(2)
    board.keeper.do((PEG, 0, 1, 0, 0))
    assert board.link._rest
    assert board.link._waiting
    assert board.link._asked
    board.port.connected = False
    board.port.inbox = board.port.outbox = b""
    board.link.step()
    assert (board.link._waiting, board.link._rest, board.link._asked) == ([], b"", [])
    board.port.connected, board.port.room = True, 10**9
    assert board.run() == []
    assert board.ask("last", 9)[:2] == ["last", 9]


def test_while_a_host_does_not_read_a_step_has_nothing_to_do(board: Board) -> None:
    board.port.room = 5
    for q in (1, 2):
        board.send("last", q)
    assert [board.link.step() for _ in range(5)] == [True, True, True, False, False]
    board.port.room = 10**9
    assert [board.link.step() for _ in range(2)] == [True, False]


def test_half_a_frame_of_a_host_that_went_away_does_not_spoil_the_next_ones_first(board: Board) -> None:
    board.port.inbox = encode(["peg", 7, 1, 0, 12])[:9]
    board.link.step()
    board.port.connected = False
    board.link.step()
    board.port.connected = True
    assert board.ask("last", 9) == ["last", 9, [], []]
    assert board.match.rev == 0


def test_a_line_of_the_log_is_cut_to_a_frame(board: Board) -> None:
    board.link.say('"♥\\' * 100)
    (said,) = board.run()
    assert said == ["say", "???" * 30]


def test_a_message_that_fits_no_frame_is_said_to_be_too_long(board: Board) -> None:
    link = Link(board.port, board.keeper, board.entry, ["1" * 200, *ABOUT[1:]])
    board.port.inbox += encode(["hello", 1, PROTOCOL])
    link.step()
    link.step()
    assert board.heard()[0][0] == "say"


# Every frame fits


BIG_REV = 999_999_999  # at a thousand events an evening, a million evenings


@pytest.mark.parametrize("players", range(2, 7))
def test_a_state_at_its_longest_fits_a_frame(players: int) -> None:
    board = Board(players)
    game = Game(0, 241, 63 & -(1 << 6 - players), players, 5, 241, 241)
    game.rev = BIG_REV
    game.now[:-2] = bytes([240]) * (2 * players)
    game.won = [65535] * players
    board.match.play = game
    board.match.rev = BIG_REV
    assert board.ask("state", 255)[0] == "state"


def test_a_restore_at_its_longest_fits_a_frame() -> None:
    message = ["restore", 65535, 255, BIG_REV, 241, 63, 6, 5, 241, 241, "f0" * 12, [999] * 6]
    assert len(encode(message)) <= MAX_FRAME


@pytest.mark.parametrize(("digits", "words"), [(16, 24), (32, 8)])
def test_hello_at_its_longest_fits_a_frame(digits: int, words: int, board: Board) -> None:
    about = ["10.10.10", "f" * digits, 4, 121, 6, 7]
    board.keeper.session, board.keeper.last_id = 65535, 255
    log = board.keeper.journal.log
    log.epoch, log.torn, log.missing = 0xFFFFFFFF, True, 255
    board.link = Link(board.port, board.keeper, board.entry, about)
    answer = board.ask("hello", 255, 0xFFFFFFFF)
    assert answer[0] == "hello"
    assert len(encode([*answer[:-1], "w" * words])) <= MAX_FRAME
    assert len(CAN) <= words


@given(
    st.integers(0, 0xFFFFFFFF),
    st.sampled_from(KINDS[1:]),
    st.tuples(st.integers(0, 5), st.integers(0, 255), st.integers(0, 65535), st.integers(0, 255)),
    st.integers(0, 65535),
    st.integers(0, 255),
)
def test_any_event_fits_a_frame(
    rev: int, kind: str, event: tuple[int, int, int, int], session: int, command_id: int
) -> None:
    board = Board()
    board.match.play.rev = rev
    board.link.event(rev, (KINDS.index(kind), *event), session, command_id)
    assert board.run() == [["ev", rev, kind, *event, session, command_id, rev]]


def test_the_longest_events_still_come_at_least_one_a_page() -> None:
    board = Board(6, rev=BIG_REV - 10)
    board.match.play.rev = BIG_REV - 10
    board.keeper.journal.roll(board.match)
    for number in range(4):
        board.keeper.command(["muggins", 65535, 250 + number, 4 - number % 2, 46, 5])
    page = board.ask("events", 255, BIG_REV - 10)
    assert page[0] == "events"
    assert page[4] == [BIG_REV - 9, "muggins", 4, 46, 5, 0, 65535, 250, BIG_REV - 10]
    assert len(caught_up(board, 0)) == 4
    assert board.match.last() == ((MUGGINS, 3, 46, 5, 0), BIG_REV - 6)
    assert len(json.dumps(board.ask("last", 255), separators=(",", ":"))) <= MAX_FRAME - 11


# Nonsense


ITEMS = st.one_of(
    st.sampled_from([*sorted(COMMANDS), "hello", "state", "last", "events", "pend", "", "ok"]),
    st.integers(-2, 260),
    st.integers(-(2**64), 2**64),
    st.floats(),
    st.booleans(),
    st.none(),
    st.text(max_size=8),
    st.lists(st.integers(0, 5), max_size=3),
    st.dictionaries(st.text(max_size=2), st.none(), max_size=1),
)
MESSAGES = st.one_of(
    st.lists(ITEMS, max_size=9),
    st.tuples(st.sampled_from(sorted(COMMANDS)), st.integers(1, 3), st.integers(0, 255), ITEMS, ITEMS).map(list),
)


def framed(message: list[object]) -> bytes:
    try:
        return encode(message)
    except ValueError:
        return b"\n[too long]\n"


@given(st.lists(st.one_of(MESSAGES.map(framed), st.binary(max_size=200)), max_size=12), st.integers(0, 10**6))
def test_nothing_that_arrives_makes_the_link_fail_or_grow(stream: list[bytes], seed: int) -> None:
    board = Board()
    chance = random.Random(seed)
    board.port.inbox = b"".join(stream)
    for _ in range(400):
        board.port.room = chance.choice([0, 1, 50, 1000])
        board.port.connected = chance.random() > 0.02
        board.link.step()
        assert len(board.link._waiting) + len(board.link._asked) <= MOST_WAITING + READ_AT_ONCE // 11 + 2
        assert len(board.link._lines._rest) < MAX_FRAME
    board.port.connected, board.port.room, board.port.inbox = True, 10**9, b""
    board.run(50)
    board.send("hello", 1, PROTOCOL)
    assert board.run(50)[-1][0] == "hello"
    assert unpack(board.match.play.pack()).pack() == board.match.play.pack()


@given(st.lists(MESSAGES.map(framed), max_size=20))
def test_every_whole_frame_gets_one_answer(frames: list[bytes]) -> None:
    board = Board()
    asked = len(Lines().feed(b"".join(frames)))
    board.port.inbox = b"".join(frames)
    heard = board.run(200)
    assert len([message for message in heard if message[0] not in ("ev", "say") and message[1] != -1]) == asked
