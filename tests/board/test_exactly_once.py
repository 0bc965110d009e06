"""Exactly once: whatever the link does, and whoever else sends commands, each command counts once."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest
from rigs.wired import UID, Firmware, Table, Wire, ledger, lossy, pegs, silence, take_over

from cribboard.board.client import Board
from cribboard.board.link import RESEND_S
from cribboard.errors import CommandError, TransportError, WrongBoard
from cribboard_core.events import PEG
from cribboard_core.wire import decode, encode


@pytest.fixture
def table(tmp_path):
    return Table(tmp_path)


def sent(table: Table, op: str) -> int:
    """How many messages of this kind the program has sent."""
    return sum(decode(frame)[0] == op for frame in table.wire.sent)


LINKS = {
    "clean": lambda rng: {},
    "a byte at a time": lambda rng: {"at_once": 1},
    "one in five lost": lambda rng: {"toward": lossy(rng), "back": lossy(rng)},
    "delayed": lambda rng: {"delay": 40},
    "doubled": lambda rng: {"toward": lambda data: data * 2, "back": lambda data: data * 2},
    "with console text": lambda rng: {"back": lambda data: b"Traceback:\n>>> AT\r\n" + data},
}


@pytest.mark.parametrize("link", LINKS)
def test_every_command_counts_once_over_a_link_that_is(link, tmp_path):
    table = Table(tmp_path, **LINKS[link](random.Random(3)))
    points = [random.Random(4).randrange(1, 4) for _ in range(50)]
    with table.board() as board:
        for number in points:
            board.peg(0, number)
        assert board.check()
    assert pegs(table.firmware) == points


def test_a_command_is_sent_again_soon_and_then_every_fifth_of_a_second(table):
    sent = []
    with table.board() as board:
        table.wire.toward = lambda data: sent.append(table.time.now - began) or b""
        began = table.time.now
        with pytest.raises(TransportError, match="the board on wire does not answer"):
            board.peg(0, 5)
    assert [after - before for before, after in pairwise(sent[:7])] == pytest.approx([*RESEND_S, 0.2], abs=0.006)
    assert 25 <= len(sent) <= 30
    assert 4.8 <= table.time.now - began < 5.0


def test_a_late_answer_to_an_older_command_is_passed_over(table):
    with table.board() as board:
        board.peg(0, 5)
        pending = table.firmware.keeper
        late = encode(["no", pending.session, pending.last_id, "points", "late"])
        table.wire.back = lambda data: late + data
        assert board.send("peg", 0, 5) == 2


def test_the_command_is_on_the_disk_before_it_is_sent(table):
    noted = []

    def look(data: bytes) -> bytes:
        if b'"peg"' in data:
            noted.append(ledger(table)["pending"])
        return data

    with table.board() as board:
        table.wire.toward = look
        board.peg(1, 5)
    assert [(pending["op"], pending["args"]) for pending in noted] == [("peg", [1, 5])]


def test_a_forgotten_command_that_arrives_late_is_refused(table):
    with table.board() as board:
        board.peg(0, 1)
        table.wire.toward = silence
        with pytest.raises(TransportError):
            board.peg(0, 5)
        late = table.wire.sent[-1]
    table.firmware.keeper.do((PEG, 1, 2, 0, 0))
    with table.board() as board:
        board.peg(0, 1)
        table.wire.write(late)
        board.poll()
    assert pegs(table.firmware) == [1, 2, 1]


def test_late_answers_to_an_earlier_program_are_passed_over(table):
    late = []
    table.options["back"] = lambda data: late.append(data) or data
    with table.board(seed=1):
        pass
    table.firmware.keeper.do((PEG, 0, 5, 0, 0))
    table.options["back"] = lambda data: b"".join(late) + data
    with table.board(seed=2) as board:
        assert board.standing.fronts == (5, 0)


def test_a_cable_pulled_in_mid_command_is_waited_for(table):
    with table.board() as board:
        table.wire.cut_in = 1
        board.peg(0, 5)
        assert board.check()
    assert pegs(table.firmware) == [5]
    assert table.notes == ["the board on wire is gone; waiting for it to come back", "the board is back on wire"]


def test_a_board_that_restarts_in_mid_command_goes_on(table):
    with table.board() as board:
        board.peg(0, 1)
        table.wire.script = [table.firmware.boot, lambda: setattr(table.wire, "cut_in", 0)]
        board.peg(0, 5)
        assert board.check()
    assert pegs(table.firmware) == [1, 5]


def test_what_happened_while_the_cable_was_out_is_learned(table):
    seen = []
    with table.board() as board:
        board.on_event = seen.append
        table.wire.cut_in = 0
        table.firmware.keeper.do((PEG, 1, 4, 0, 0))
        board.poll(1.0)
        assert board.match.front(1) == 4
    assert [happened.event.rev for happened in seen] == [1]


def test_a_board_that_breaks_off_at_every_command_is_given_up(table):
    def reach() -> Wire:
        wire = table.reach()
        wire.cut_in = 3  # it says hello and how the match stands
        return wire

    with table.board(reach) as board:
        began = table.time.now
        with pytest.raises(TransportError, match="is gone"):
            board.peg(0, 5)
        assert 30 <= table.time.now - began < 45


def test_a_board_that_does_not_come_back_is_given_up(table):
    with table.board() as board:
        table.wire.cut_in = 0

        def nothing() -> Wire:
            raise TransportError("there is no port wire", "plug it in")

        reach, board._connection._reach = board._connection._reach, nothing
        began = table.time.now
        with pytest.raises(TransportError, match="there is no port wire; plug it in; `peg 1 5` is noted"):
            board.peg(0, 5)
        assert 10 <= table.time.now - began < 11
        board._connection._reach = reach
        board.peg(1, 3)
        assert board.check()
    assert pegs(table.firmware) == [5, 3]
    assert table.notes[1:] == [
        "the board is back on wire",
        "the last command, `peg 1 5`, reached the board only now, and counts",
    ]


def test_another_board_on_the_port_is_refused(table):
    with table.board() as board:
        table.wire.cut_in = 0
        table.firmware = Firmware("ffff")
        with pytest.raises(WrongBoard, match=f"another board has come back: ffff instead of {UID}"):
            board.peg(0, 5)
    assert table.firmware.scores == [0, 0]


def test_two_hosts_take_turns(tmp_path):
    table = Table(tmp_path / "one")
    other = Table(tmp_path / "two")
    other.firmware = table.firmware
    for points in range(1, 6):
        with table.board(seed=points) as board:
            board.peg(0, points)
        with other.board(seed=points) as board:
            board.peg(1, points)
    assert table.firmware.scores == [15, 15]
    assert table.notes == other.notes == []


def test_a_session_that_another_program_has_ended_meanwhile_is_begun_anew(table):
    with table.board() as board:
        board.peg(0, 1)
        take_over(table)
        board.peg(0, 2)
        assert board.check()
    assert pegs(table.firmware) == [1, 9, 2]


@pytest.mark.parametrize("session", [1, 0x7F00, 0xFE00])
def test_a_command_after_another_program_was_heard_is_sent_once(table, session):
    table.firmware.keeper.session = session
    with table.board() as board:
        board.peg(0, 1)
        take_over(table)
        board.poll()
        table.wire.sent.clear()
        board.peg(0, 2)
        assert sent(table, "peg") == 1


def test_presses_of_buttons_leave_the_session_of_another_program_the_newest(table):
    table.firmware.keeper.command(["peg", 0x8005, 1, 1, 9])
    with table.board() as board:
        table.firmware.keeper.do((PEG, 1, 2, 0, 0))
        board.poll()
        board.peg(0, 1)
        assert sent(table, "peg") == 1


def test_a_command_applied_before_another_program_took_over_is_not_applied_again(table):
    with table.board() as board:
        board.peg(0, 1)
        table.wire.back = silence
        table.wire.script = [lambda: None, lambda: take_over(table), lambda: setattr(table.wire, "back", bytes)]
        assert board.peg(0, 2).event.a == 2
        assert board.check()
    assert pegs(table.firmware) == [1, 2, 9]


def test_a_command_of_which_nobody_can_tell_is_not_said_to_have_counted(table):
    firmware = table.firmware

    def much_happens() -> None:
        take_over(table)
        firmware.keeper.do(firmware.match.undo_event())
        take_over(table)
        firmware.keeper.journal.roll(firmware.match)
        table.wire.toward = bytes

    with table.board() as board:
        board.peg(0, 1)
        table.wire.toward = silence
        table.wire.script = [lambda: None, much_happens]
        with pytest.raises(CommandError, match="nobody knows whether this counted"):
            board.command("peg", 0, 5, key="five")
        assert board.answer("five") == (0, "")
        with pytest.raises(CommandError, match="nobody knows whether this counted"):
            board.command("peg", 0, 5, key="five")
        assert board.check()
    assert firmware.scores == [1, 9]


def test_notes_older_than_the_board_begin_a_new_session(table):
    with table.board() as board:
        board.peg(0, 1)
        board.peg(0, 2)
    old = (table.folder / UID / "ledger.json").read_bytes()
    with table.board() as board:
        board.peg(0, 3)
    (table.folder / UID / "ledger.json").write_bytes(old)
    with table.board() as board:
        board.peg(0, 4)
        assert sent(table, "peg") == 1
    assert pegs(table.firmware) == [1, 2, 3, 4]


def test_ids_never_go_round(table):
    tags = []
    with table.board() as board:
        for _ in range(300):
            board.peg(0, 0)
            tags.append(board.tag)
        assert board.standing.rev == 300
    assert len(set(tags)) == 300
    within = [after[1] for before, after in pairwise(tags) if before[0] == after[0]]
    assert within == [*range(3, 128), *range(3, 128), *range(3, 50)]


def test_an_ok_to_another_programs_command_under_the_same_tag_is_none_to_this_one(table):
    with table.board() as board:
        board.peg(0, 1)
        session, number = board.tag
        table.wire.toward = silence
        table.wire.script = [
            lambda: table.firmware.keeper.command(["peg", session, number + 1, 1, 9]),
            lambda: setattr(table.wire, "cut_in", 0),
        ]
        assert board.peg(0, 5).after.fronts == (6, 9)
        assert board.check()
    assert pegs(table.firmware) == [1, 9, 5]


def test_so_it_is_when_nobody_has_heard_of_the_other_command(table):
    def another() -> None:
        keeper, keeper.on_event = table.firmware.keeper, None
        keeper.command(["peg", session, number + 1, 1, 9])
        keeper.on_event = table.firmware.happened

    with table.board() as board:
        board.peg(0, 1)
        session, number = board.tag
        table.wire.script = [another]
        assert board.peg(0, 5).after.fronts == (6, 9)
    assert pegs(table.firmware) == [1, 9, 5]


@pytest.mark.unmeasured
@pytest.mark.parametrize("cut", [True, False])
@pytest.mark.parametrize("refused", [10, 200, 253, 254, 255, 256])
def test_a_command_counts_once_although_the_board_forgets_those_that_it_refused_before(table, refused, cut):
    with table.board() as board:
        board.peg(0, 1)
        for _ in range(refused):
            with pytest.raises(CommandError, match="47 points"):
                board.peg(0, 47)
        table.wire.script = [table.firmware.boot, *[lambda: setattr(table.wire, "cut_in", 0)] * cut]
        assert board.peg(0, 5).after.fronts == (6, 0)
        assert board.check()
    assert pegs(table.firmware) == [1, 5]


def with_the_tag_of_the_newest(board: Board) -> None:
    """What notes of earlier programs, whose ids went round, can lead to: the next tag is one that the board knows."""
    board._sender.ledger.last_id -= 1
    board._sender.hello = board.hello.after(*board.tag)


def test_an_answer_to_an_earlier_command_is_no_acknowledgement(table):
    with table.board() as board:
        board.peg(0, 5)
        with_the_tag_of_the_newest(board)
        board.peg(0, 5)
        assert board.check()
    assert pegs(table.firmware) == [5, 5]
    assert table.notes == []


def test_an_answer_to_an_earlier_command_does_not_settle_one_that_was_left(table):
    with table.board() as board:
        board.peg(0, 5)
        with_the_tag_of_the_newest(board)
        table.wire.toward = silence
        with pytest.raises(TransportError):
            board.peg(0, 5)
        session, _ = board.tag
    with table.board() as board:
        assert board.standing.fronts == (10, 0)
        assert board.tag[0] != session, "the other command's may go on"
        assert board.check()
    assert table.notes == ["the last command, `peg 1 5`, reached the board only now, and counts"]


def test_a_copy_of_a_command_that_was_given_up_counts_no_more_when_it_comes_late(table):
    with table.board() as board:
        board.peg(0, 5)
        table.wire.toward = silence
        with pytest.raises(TransportError):
            board.peg(0, 7)
        tag = board.tag
    table.firmware.keeper.do((PEG, 1, 2, 0, 0))
    with table.board() as board:
        assert board.standing.fronts == (5, 2)
        table.firmware.keeper.command(["peg", *tag, 0, 7])
        board.peg(0, 1)
    assert table.firmware.scores == [6, 2]
    assert [note.partition(",")[2] for note in table.notes] == [
        " `peg 1 7`, did not count, and the game has gone on; repeat it if it is still right"
    ]


def test_a_command_that_was_left_is_not_sent_under_another_tag_when_the_board_has_gone_on(table):
    with table.board() as board:
        board.peg(0, 5)
        with_the_tag_of_the_newest(board)
        table.wire.toward = silence
        with pytest.raises(TransportError):
            board.peg(0, 5)
    table.firmware.keeper.do((PEG, 1, 2, 0, 0))
    with table.board():
        pass
    assert table.notes == [
        "the last command, `peg 1 5`, did not count, and the game has gone on; repeat it if it is still right"
    ]
    assert pegs(table.firmware) == [5, 2]


def test_a_program_that_runs_for_years_keeps_only_what_is_new(table, monkeypatch):
    monkeypatch.setattr("cribboard.board.client.KEPT", 5)
    monkeypatch.setattr("cribboard.board.follow.KNOWN", 7)
    with table.board() as board:
        for number in range(20):
            table.firmware.link.say(str(number))
            board.peg(number % 2, 1)
        assert (len(board.ack_ms), len(board._follow._revs)) == (5, 7)
        assert board.notes == [f"the board says: {number}" for number in range(15, 20)]
        board.undo()
        assert board.check()


def test_a_session_passes_over_nought(table):
    table.firmware.keeper.session = 0xFFFF
    table.firmware.keeper.last_id = 5
    for seed in range(3):
        with table.board(seed=seed) as board:
            board._sender._chance = type("One", (), {"randint": staticmethod(lambda low, high: 1)})()
            board.peg(0, 1)
    assert table.firmware.scores == [3, 0]
    assert ledger(table)["session"] == 1
