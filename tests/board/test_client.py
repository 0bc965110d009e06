"""A board as an object: every command reaches the real firmware, and what it did is told."""

from __future__ import annotations

from contextlib import suppress

import pytest
from rigs.disk import limited
from rigs.wired import UID, Table, ledger, pegs, silence

from cribboard import slots
from cribboard.board.client import Board
from cribboard.board.ledger import Ledger
from cribboard.board.link import BUSY_S
from cribboard.board.messages import BRIGHTNESSES, Event, Standing
from cribboard.errors import ArgumentError, Busy, CommandError, CribboardError, TransportError, WrongBoard
from cribboard_core.events import PEG
from cribboard_core.wire import decode


@pytest.fixture
def table(tmp_path):
    return Table(tmp_path)


def test_hello_tells_who_the_board_is(table):
    with table.board() as board:
        assert (board.hello.uid, board.hello.tracks, board.hello.leds, board.hello.promise) == (UID, 2, 121, True)


def test_a_command_says_what_it_did(table):
    with table.board() as board:
        happened = board.peg(0, 5)
    assert (happened.event.kind, happened.before.fronts, happened.after.fronts) == (PEG, (0, 0), (5, 0))


def test_send_gives_the_rev(table):
    with table.board() as board:
        assert [board.send("peg", 0, 5), board.send("peg", 1, 2)] == [1, 2]


def test_every_command_reaches_the_board(table):
    with table.board() as board:
        board.new(121, 3, 2, dealer=0)
        board.nibs(0)
        board.go(1)
        board.peg(1, 7)
        board.hand(1, "5H5C5SJD", "5D", False, 29)
        board.penalty(0, 2)
        board.penalty(1, 1, back=True)
        board.muggins(0, 3, 1)
        board.set_score(0, 40, 30)
        board.next_deal()
        board.false_claim(0, 35)
        assert table.firmware.scores == [35, 43]
        assert board.match.dealer == 1
        assert board.check()


def test_a_refusal_is_an_error_with_the_boards_reason(table):
    with table.board() as board:
        board.poll()
        with pytest.raises(CommandError) as refused:
            board.hand(0, "5H5C5SJD", "5D", False, 28)
    assert refused.value.code == "count"
    assert str(refused.value) == "the hand counts 29, not 28; nothing was pegged; look at the cards again"
    assert ledger(table)["pending"] is None


def refused(board: Board) -> None:
    with suppress(CommandError):
        board.peg(0, 47)


@pytest.mark.parametrize(
    ("ask", "op"),
    [(lambda board: board.peg(0, 5), "peg"), (refused, "peg"), (Board.events, "events"), (Board.sync, "state")],
)
def test_a_board_that_answers_is_asked_once(table, ask, op):
    with table.board() as board:
        board.peg(0, 1)
        table.wire.sent.clear()
        ask(board)
        assert [decode(frame)[0] for frame in table.wire.sent] == [op]


def test_the_time_to_the_answer_is_in_milliseconds(tmp_path):
    table = Table(tmp_path, delay=40)  # reads of 5 ms
    with table.board() as board:
        board.peg(0, 1)
        assert board.ack_ms == [pytest.approx(200, abs=20)]


def test_the_board_goes_on_after_a_refusal(table):
    with table.board() as board:
        with pytest.raises(CommandError):
            board.peg(0, 47)
        board.peg(0, 3)
        assert table.firmware.scores == [3, 0]


def test_undo_and_redo_give_the_event(table):
    with table.board() as board:
        board.peg(0, 5)
        assert board.undo() == [1, "peg", 0, 5, 0, 0]
        assert table.firmware.scores == [0, 0]
        assert board.redo() == [1, "peg", 0, 5, 0, 0]
        assert board.standing.fronts == (5, 0)


def test_undo_of_what_another_program_did_is_known(table):
    with table.board() as board:
        board.peg(0, 5)
    seen = []
    with table.board() as board:
        board.on_event = seen.append
        assert board.at_hand() == (Event(1, PEG, 0, 5), None)
        assert board.last() == [1, "peg", 0, 5, 0, 0]
        board.undo()
        assert board.check()
    assert seen[0].about.as_folded == (PEG, 0, 5, 0, 0)
    assert seen[0].after.fronts == (0, 0)


@pytest.mark.parametrize("walk", ["undo", "redo"])
def test_nothing_to_undo_or_redo_is_said(table, walk):
    with table.board() as board, pytest.raises(CommandError, match=f"there is nothing to {walk}"):
        getattr(board, walk)()


def test_last_is_nothing_at_the_start(table):
    with table.board() as board:
        assert board.last() is None


def test_restore_gives_the_board_a_whole_state(table):
    with table.board() as board:
        wanted = Standing(0, 0, 61, 7, 3, 2, 31, 0, -1, (10, 20, 30), (5, 6, 7), (1, 2, 3))
        board.restore(wanted)
        assert board.standing.same(wanted)
        assert board.check()


def test_a_new_game_with_other_players_is_followed(table):
    with table.board() as board:
        board.new(241, 0b101101, 2)
        assert board.match.sides == (0, 2)
        assert board.check()


def test_pending_points_are_set_and_heard(table):
    with table.board() as board:
        board.pend(0, 7, 3)
        assert table.firmware.entry.points(0) == 7
        board.poll()
        assert board.waiting == {0: (7, 3)}
        with pytest.raises(CommandError) as refused:
            board.pend(0, 8, 4)
        assert refused.value.code == "waiting"
        board.peg(0, 7)
        assert board.waiting == {0: (0, 3)}


def test_pending_points_that_cannot_be_are_refused(table):
    with table.board() as board, pytest.raises(CommandError):
        board.pend(0, 99)


@pytest.mark.parametrize("brightness", BRIGHTNESSES)
def test_a_board_takes_each_brightness_that_can_be_chosen(table, brightness):
    with table.board() as board:
        assert board.choose(brightness).brightness == brightness


def test_what_is_chosen_counts_and_the_rest_stays(table):
    with table.board() as board:
        assert board.choose(60, 1, 4) == (60, 1, 4, True)
        assert board.choose(sound=0) == (60, 0, 4, True)
        board.silence()
        assert board.choose(commit_s=0) == (60, 0, 0, True)
        for wrong in ({"brightness": 11}, {"commit_s": 11}):
            with pytest.raises(ArgumentError):
                board.choose(**wrong)


def test_a_choice_that_the_board_refuses_is_an_error_with_its_reason(table):
    table.firmware.link._choose = lambda q, args: ["no", 0, q, "args", "not here"]
    with table.board() as board, pytest.raises(CommandError, match="not here") as refused:
        board.choose(60)
    assert refused.value.code == "args"


@pytest.mark.parametrize("ask", [Board.choose, Board.silence])
def test_a_firmware_that_knows_no_choice_is_to_be_updated(table, ask):
    table.firmware.link._take = None
    with table.board() as board, pytest.raises(WrongBoard, match="doesn't know changes while it runs; update it"):
        ask(board)


def test_arguments_that_no_frame_can_carry_are_refused_before_anything_is_sent(table):
    with table.board() as board:
        board.peg(0, 1)
        with pytest.raises(ArgumentError, match="cannot be sent"):
            board.command("hand", 0, "5H" * 60, "5D", 0, 0)
        board.peg(0, 1)
        assert table.firmware.scores == [2, 0]


def test_a_closed_board_says_so(table):
    board = table.board()
    with pytest.raises(TransportError, match="the board is not open"):
        board.peg(0, 1)


@pytest.mark.parametrize("ask", [lambda board: board.pend(0, 1), Board.events, Board.check, Board.poll, Board.sync])
def test_a_board_that_was_closed_is_not_opened_again(table, ask):
    with table.board() as board:
        pass
    with pytest.raises(TransportError, match="open it first"):
        ask(board)
    assert len(table.wires) == 1


def test_a_command_that_cannot_be_noted_is_not_sent(table):
    with table.board() as board:
        with limited(), pytest.raises(CribboardError, match=r"cannot be written .*, so nothing was sent; make room"):
            board.peg(0, 1)
        board.peg(0, 2)
    assert pegs(table.firmware) == [2]


@pytest.mark.parametrize("step", ["_write", "sync_data"])
def test_a_command_that_ctrl_c_keeps_from_being_noted_never_counts(table, monkeypatch, step):
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    with table.board() as board:
        board.poll()
        with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
            patch.setattr(slots, step, interrupted)
            board.peg(0, 1)
    with table.board() as board:
        board.peg(0, 2)
    assert pegs(table.firmware) == [2]
    assert table.notes == []


def test_what_was_done_counts_although_it_cannot_be_noted_at_the_end(table):
    with table.board() as board:
        board.peg(0, 1)
        with limited():
            board.close()
    assert table.notes[0].endswith("the command counts, but is not noted here")


def test_without_news_nothing_is_written(table):
    with table.board() as board:
        board.peg(0, 1)
        board.poll()
        (table.folder / UID / "ledger.json").unlink()
        board.poll(5.0)
        assert not (table.folder / UID / "ledger.json").exists()


def test_a_disk_that_took_no_notes_is_asked_again_after_five_seconds(table, monkeypatch):
    tries = []
    with table.board(must_keep=False) as board:
        with limited():
            board.peg(0, 1)
            slots_of = board._sender.ledger._slots
            keep = slots_of.keep
            monkeypatch.setattr(slots_of, "keep", lambda *text, **how: tries.append(text) or keep(*text, **how))
            for seconds, times in ((0, 1), (4.0, 1), (2.0, 2)):
                board.poll(seconds)
                assert len(tries) == times
        board.poll(6.0)
        assert board.unwritten is None


def test_notes_that_cannot_be_read_are_told(table):
    with table.board():
        pass
    (table.folder / UID / "ledger.json").write_text("?")
    with table.board():
        pass
    assert "cannot be read (it is damaged or of another kind); they are now" in table.notes[0]


def test_a_port_that_another_program_has_for_a_moment_is_waited_for(table):
    def reach():
        if table.time.now < until:
            raise Busy("another program has wire", "end it")
        return table.reach()

    until = table.time.now + BUSY_S - 0.1
    with table.board(reach) as board:
        board.peg(0, 1)
    assert pegs(table.firmware) == [1]
    until = table.time.now + 60
    began = table.time.now
    with pytest.raises(Busy):
        table.board(reach).open()
    assert BUSY_S <= table.time.now - began <= BUSY_S + 0.1


def test_notes_that_another_program_has_for_a_moment_are_waited_for(table):
    held = Ledger(table.folder, UID)
    board = table.board()
    board._connection._pause = lambda seconds: held.close() or table.time.pause(seconds)
    with board:
        assert all(wire.closed for wire in table.wires[:-1])
        board.peg(0, 1)


def test_a_board_is_away_until_it_is_back(table):
    with table.board() as board:
        table.wire.cut_in = 0
        board.poll()
        assert "gone" in str(board.away)
        board.poll(1.0)
        assert board.away is None


def test_a_board_that_is_silent_keeps_its_port_and_one_that_is_gone_does_not(table):
    with table.board() as board:
        table.wire.back = silence
        with pytest.raises(TransportError):
            board.check()
        began = table.time.now
        board.poll()
        assert "does not answer" in str(board.away)
        assert table.time.now - began < 0.1, "it waits no second time"
        board.poll(7.0)
        table.wire.back = bytes
        board.poll(1.0)
        assert (len(table.wires), board.away) == (1, None)
        table.wire.cut_in = 0
        board.poll()
        assert table.wire.closed


def test_a_command_of_a_key_that_was_answered_is_not_done_again(table):
    with table.board() as board:
        done = board.command("peg", 0, 5, key="five")
        board.peg(1, 2)
        assert board.command("peg", 0, 5, key="five") == done
        board.poll()
        board.said("five", "Ann pegs 5.")
    with table.board() as board:
        assert board.command("peg", 0, 5, key="five").after == board.standing
        assert board.answer("five") == (1, "Ann pegs 5.")
        made = {row.a: row for row in board.events()}
        assert board.has_made(made[5], "peg", "five")
        assert not any(board.has_made(*other) for other in [(made[2], "peg", "five"), (made[5], "go", "five")])
    assert pegs(table.firmware) == [5, 2]


def test_an_act_is_noted_with_its_command_until_it_ends_or_is_refused(table):
    with table.board() as board:
        with pytest.raises(CommandError):
            board.command("peg", 0, 47, act={"deal": 1})
        assert board.act is None
        board.command("peg", 0, 5, act={"deal": 2})
    with table.board() as board:
        assert board.act == {"deal": 2}
        board.end_act()
    with table.board() as board:
        assert board.act is None


def test_names_that_are_given_are_noted_at_once(table):
    with table.board() as board:
        board.call({0: "Ann"})
        assert ledger(table)["names"] == {"0": {"0": "Ann"}}


def test_names_are_kept_for_the_next_time(table):
    with table.board() as board:
        board.new(121, 3, 2, names={0: "Ann", 1: "Bob"})
    with table.board() as board:
        assert board.names == {0: "Ann", 1: "Bob"}


def test_people_who_go_on_with_the_buttons_keep_their_names_and_the_computer_does_not(table):
    with table.board() as board:
        board.new(121, 3, 2, names={0: "Ann", 1: "computer (club)"})
        keeper = table.firmware.keeper
        keeper.do(keeper.new([121, 3, 2, -1, -1, -1]))
        board.poll()
        assert board.names == {0: "Ann"}


def test_names_of_the_last_eight_games_are_kept(table):
    with table.board() as board:
        for number in range(12):
            board.new(121, 3, 2, names={0: str(number)})
        assert board.names == {0: "11"}
    assert [names["0"] for names in ledger(table)["names"].values()] == [str(number) for number in range(4, 12)]


def test_the_names_of_a_new_game_whose_answer_was_lost_are_settled_with_it(table):
    with table.board() as board:
        board.new(121, 3, 2, names={0: "Ann", 1: "Bob"})
        board.peg(0, 3)
        table.wire.back = silence
        with pytest.raises(TransportError):
            board.command("new", 2, 121, 3, 2, -1, -1, -1, names={0: "Cleo", 1: "Dev"})
    with table.board() as board:
        assert board.names == {0: "Cleo", 1: "Dev"}
        board.undo()
        assert board.names == {0: "Ann", 1: "Bob"}
    with table.board() as board:
        assert board.names == {0: "Ann", 1: "Bob"}


def test_the_names_of_a_new_game_that_was_refused_are_not_taken(table):
    with table.board() as board:
        board.new(121, 3, 2, names={0: "Ann", 1: "Bob"})
        with pytest.raises(CommandError):
            board.new(121, 3, 5, names={0: "Cleo", 1: "Dev"})
        assert board.names == {0: "Ann", 1: "Bob"}
