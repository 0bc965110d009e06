"""Answers that cannot be are errors in plain words."""

from __future__ import annotations

import random
from binascii import crc32
from dataclasses import replace

import pytest
from host.wired import UID, Table

from cribboard.board.client import Board
from cribboard.errors import WrongBoard
from cribboard_core.events import PEG
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
        "the board speaks protocol 2, this program protocol 1; install the firmware and the program of one version"
    )
    with pytest.raises(WrongBoard, match=message):
        answering(table, ["hello", FIRST, 2, "2.0.0", UID]).open()


def test_a_board_that_refuses_the_protocol_is_a_clear_error(table, monkeypatch):
    monkeypatch.setattr("cribboard.board.talk.PROTOCOL", 9)
    with pytest.raises(WrongBoard, match="the board refuses this program's protocol: this board speaks protocol 1"):
        table.board().open()


SENSELESS = [
    ["hello", FIRST, 1, "1.0.0", "not hex", 1, 0, 0, 2, 121, 2, 1],
    ["hello", FIRST, 1, "1.0.0", UID, -1, 0, 0, 2, 121, 2, 1],
    ["hello", FIRST, 1, 5, UID, 1, 0, 0, 2, 121, 2, 1],
    ["state", FIRST + 1, 0],
    ["state", FIRST + 1, 0, 0, 121, 3, 2, 5, 91, 61, -1, "00000000", [0, 0]],
    ["state", FIRST + 1, 0, 0, 121, 3, 2, 0, 91, 61, -1, "zz", [0, 0]],
    ["state", FIRST + 1, 0, 0, 121, 3, 2, 0, 91, 61, -1, "0000", [0, 0]],
    ["state", FIRST + 1, 0, 0, 121, 3, 2, 0, 91, 61, 4, "00000000", [0, 0]],
    ["state", FIRST + 1, 0, 0, 121, 3, 2, 0, 91, 61, -1, "00050000", [0, 0]],
    ["state", FIRST + 1, 0, 0, 121, 3, 2, 0, 91, 61, -1, "0500ff00", [0, 0]],
    ["state", FIRST + 1, 0, 0, 121, 3, 2, 0, 91, 61, -1, "00000005", [0, 0]],
    ["state", FIRST + 1, 0, 0, 121, 3, 2, 0, 91, 61, -1, 7, [0, 0]],
]


@pytest.mark.parametrize("wrong", SENSELESS, ids=str)
def test_an_answer_that_makes_no_sense_is_an_error(table, wrong):
    with pytest.raises(WrongBoard, match="makes no sense"):
        answering(table, wrong).open()


def test_a_senseless_list_of_events_is_an_error(table):
    with table.board() as board:
        table.wire.back = lambda data: encode(["events", FIRST + 2, "a", "b"])
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


def test_a_board_whose_every_answer_brings_another_event_is_given_up(table):
    newest = iter(range(1, 100_000))

    def back(data: bytes) -> bytes:
        return data + encode(["ev", 10 * next(newest), "restore", 0, 0, 0, 0, 0, 0])

    with table.board() as board:
        table.wire.back = back
        table.firmware.keeper.do((PEG, 1, 4, 0, 0))
        with pytest.raises(WrongBoard, match="do not come to an end"):
            board.poll()
        table.wire.back = bytes
        assert board.sync().fronts == (0, 4)


@pytest.mark.parametrize(
    "nonsense", [b'["say","\\u001b[2J"]', b'["say",1e999]', b'["pend",-1,7,5]', b'["pend",-1,[],5]', b"{}"]
)
def test_what_no_board_says_is_passed_over(table, nonsense):
    with table.board() as board:
        table.wire.back = lambda data: b"\n%s*%08x\n" % (nonsense, crc32(nonsense)) + data
        assert board.peg(0, 5).after.fronts == (5, 0)
        assert board.poll() == []
    assert (table.notes, board.waiting) == ([], {})
