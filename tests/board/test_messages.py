"""Answers that cannot be are errors in plain words."""

from __future__ import annotations

import random
from binascii import crc32
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from rigs.wired import UID, Table

from cribboard.board.client import Board
from cribboard.board.messages import Corrected, Event, Hello, Standing
from cribboard.errors import WrongBoard
from cribboard_core.events import PEG
from cribboard_core.match import Match
from cribboard_core.wire import Lines, encode

FIRST = random.Random(1).randrange(255) + 1  # the number of a board's first query, drawn by chance


@pytest.fixture
def table(tmp_path):
    return Table(tmp_path)


def answering(table: Table, wrong: list) -> Board:
    """A board whose answers to one op are replaced."""

    def back(data: bytes) -> bytes:
        return encode(wrong) if b'"' + wrong[0].encode() + b'"' in data else data

    table.options = {"back": back}
    return table.board()


def test_another_protocol_is_a_clear_error(table):
    message = (
        "the board's firmware is newer than this program: this board speaks protocol 3; "
        "install a newer cribboard on this computer"
    )
    table.firmware.link._hello = lambda q, args: ["no", 0, q, "version", "this board speaks protocol 3"]
    with pytest.raises(WrongBoard, match=message):
        table.board().open()


@pytest.mark.parametrize(
    "answer", [["no", 0, FIRST, "version", "this board speaks protocol 1"], ["hello", FIRST, 1, "1.0.0", UID]]
)
def test_a_board_of_an_older_protocol_is_to_be_given_the_new_firmware(table, answer):
    message = (
        "the board's firmware is older than this program: protocol 1, not 2; "
        "run `cribboard install` to give it this program's firmware"
    )
    table.firmware.link._hello = lambda q, args: [answer[0], answer[1], *answer[2:]]
    with pytest.raises(WrongBoard, match=message):
        table.board().open()


def test_what_a_later_board_adds_to_its_answers_is_passed_over(table):
    firmware = table.firmware
    hello, last = firmware.link._hello, firmware.link._last
    firmware.link._hello = lambda q, args: [*hello(q, args)[:-1], "settings sings", "more", [1]]
    firmware.link._last = lambda q, args: [*last(q, args)[:2], *[row and [*row, 9] for row in last(q, args)[2:]], 5]
    with table.board() as board:
        board.peg(0, 5)
        assert (board.hello.can, board.last()) == ("settings sings", [1, "peg", 0, 5, 0, 0])
        table.wire.back = lambda data: data + encode(["pend", -1, 0, 7, 5, "more"])
        board.sync()
        assert board.waiting == {0: (7, 5)}


def test_hello_says_what_the_journal_has_met(table):
    log = table.firmware.keeper.journal.log
    log.torn, log.missing = True, 21
    with table.board() as board:
        assert (board.hello.torn, board.hello.missing, board.hello.promise) == (True, 21, True)


@pytest.mark.parametrize(("flag", "name"), [(1, "promise"), (2, "brown_out"), (4, "bitten"), (8, "torn")])
def test_each_flag_of_hello_says_one_thing(flag, name):
    hello = Hello("1.0.0", UID, 1, 0, 0, 2, 121, 2, flag, 0, "")
    assert [one for one in ("promise", "brown_out", "bitten", "torn") if getattr(hello, one)] == [name]


def test_the_greatest_number_of_32_bits_is_heard(table):
    table.firmware.epoch = 0xFFFFFFFE
    table.firmware.wipe()
    with table.board() as board:
        assert board.hello.epoch == 0xFFFFFFFF


@pytest.mark.parametrize("winner", [-1, 0, 1])
def test_a_match_made_of_a_standing_stands_the_same(winner):
    match = Match(61, 3, 2, 1, (31, 15))
    for side in (0, 1):
        match.apply(match.rev + 1, (PEG, side, 61 if side == winner else 20, 0, 0))
    standing = Standing.of(match)
    assert standing.winner == winner
    assert Standing.of(standing.match()) == standing


SENSELESS = [
    ["hello", FIRST, 2, "1.0.0", "not hex", 1, 0, 0, 2, 121, 2, 1, 0, ""],
    ["hello", FIRST, 2, "1.0.0", UID, -1, 0, 0, 2, 121, 2, 1, 0, ""],
    ["hello", FIRST, 2, "1.0.0", UID, 1, 0, 0, 2, 121, 2, 1],
    ["hello", FIRST, 2, "1.0.0", UID, 1, 0, 0, 2, 121, 2, 1, "0", ""],
    ["hello", FIRST, 2, "1.0.0", UID, 1, 0, 0, 2, 121, 2, 1, 0, 0],
    ["hello", FIRST, 2, 5, UID, 1, 0, 0, 2, 121, 2, 1, 0, ""],
    ["state", FIRST + 1, 0],
    ["state", FIRST + 1, 0, 0, 121, 3, 2, 5, 91, 61, -1, "00000000", [0, 0]],
    ["state", FIRST + 1, 0, 0, 121, 3, 2, 0, 91, 61, -1, "zz", [0, 0]],
    ["state", FIRST + 1, 0, 0, 121, 3, 2, 0, 91, 61, -1, "0000", [0, 0]],
    ["state", FIRST + 1, 0, 0, 121, 3, 2, 0, 91, 61, 4, "00000000", [0, 0]],
    ["state", FIRST + 1, 0, 0, 121, 3, 2, 0, 91, 61, -1, "00050000", [0, 0]],
    ["state", FIRST + 1, 0, 0, 121, 3, 2, 0, 91, 61, -1, "0500ff00", [0, 0]],
    ["state", FIRST + 1, 0, 0, 121, 3, 2, 0, 91, 61, -1, "00000005", [0, 0]],
    ["state", FIRST + 1, 0, 0, 121, 3, 2, 0, 91, 61, -1, 7, [0, 0]],
    ["state", FIRST + 1, 0, 0, 121, 3, 2, 0, 91, 61, -1, "00000000", 7],
    ["state", FIRST + 1, 0, 0, 121, 3, 2, 0, 91, 61, -1, "00000000", [0, -1]],
]


@pytest.mark.parametrize("wrong", SENSELESS, ids=str)
def test_an_answer_that_makes_no_sense_is_an_error(table, wrong):
    with pytest.raises(WrongBoard, match="makes no sense"):
        answering(table, wrong).open()


@pytest.mark.parametrize("events", [["a", "b"], [0, 1, 5], [0, 1, "a peg of five"], [0, 1, [1, "peg", 0]]])
def test_a_senseless_list_of_events_is_an_error(table, events):
    with table.board() as board:
        table.wire.back = lambda data: encode(["events", FIRST + 2, *events])
        with pytest.raises(WrongBoard, match="makes no sense"):
            board.events()


def test_a_senseless_last_event_is_an_error(table):
    with table.board() as board:
        table.wire.back = lambda data: encode(["last", FIRST + 2, 1, 2])
        with pytest.raises(WrongBoard, match="makes no sense"):
            board.last()


def test_a_senseless_event_is_an_error(table):
    with table.board() as board:
        table.wire.back = lambda data: encode(["ev", 1, "dance", 0, 0, 0, 0, 0, 0])
        table.firmware.keeper.do((PEG, 1, 4, 0, 0))
        with pytest.raises(WrongBoard, match="makes no sense"):
            board.poll()


def test_what_a_host_knows_of_an_event_makes_no_other_event_of_it():
    line = Corrected(5, 2, 4, "Bob")
    more = Event(7, cards="5H", starter="5D", by="Ann", text="five", at=datetime(2026, 3, 2, tzinfo=UTC), line=line)
    unheard = Event(7, *[0] * 8)
    assert unheard.knowing(more) == unheard == Event(7)
    assert vars(unheard.knowing(more)) == vars(more)


def test_standings_agree_whatever_the_numbering(table):
    with table.board() as board:
        standing = board.standing
    assert standing.same(replace(standing, rev=9, game=4))
    assert not standing.same(replace(standing, dealer=1))


def test_events_without_an_end_are_an_error(table):
    def page(data: bytes) -> bytes:
        asked = Lines().feed(table.wire.sent[-1])[0]
        return encode(["events", asked[1], 1, 9000, [asked[2] + 1, "go", 0, 1, 0, 0, 0, 0]]) if data else b""

    with table.board() as board:
        table.wire.back = page
        with pytest.raises(WrongBoard, match="makes no sense"):
            board.events(0)


@pytest.mark.parametrize("kept", [True, False])
def test_a_board_whose_every_answer_brings_another_event_is_given_up(table, kept):
    newest = iter(range(1, 100_000))

    def back(data: bytes) -> bytes:
        if not kept:
            return data + encode(["ev", 10 * next(newest), "restore", 0, 0, 0, 0, 0, 0, 0])
        for _ in range(2):  # of which the last one is heard
            table.firmware.unheard(PEG, 0, 0, 0, 0)
        return data + encode(["ev", table.firmware.match.rev, "peg", 0, 0, 0, 0, 0, 0, 0])

    with table.board() as board:
        table.wire.back = back
        table.firmware.keeper.do((PEG, 1, 4, 0, 0))
        with pytest.raises(WrongBoard, match="sends events without end"):
            board.poll()
        table.wire.back = bytes
        assert board.sync().fronts == (0, 4)


@pytest.mark.parametrize(
    "nonsense",
    [
        *(b'["say","\\u001b[2J"]', b'["say",1e999]', b'["say",4294967296]'),
        *(b'["pend",-1,7,5]', b'["pend",-1,[],5]', b"{}"),
    ],
)
def test_what_no_board_says_is_passed_over(table, nonsense):
    with table.board() as board:
        table.wire.back = lambda data: b"\n%s*%08x\n" % (nonsense, crc32(nonsense)) + data
        assert board.peg(0, 5).after.fronts == (5, 0)
        assert board.poll() == []
    assert (table.notes, board.waiting) == ([], {})
