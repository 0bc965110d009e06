"""The client over the real firmware's link: exactly once, and a copy that is always the board's."""

from __future__ import annotations

import json
import random
from binascii import crc32
from dataclasses import replace

import pytest
from host.wired import UID, Firmware, Table, Wire, lossy

from cribboard.board.answers import Standing
from cribboard.board.client import Board
from cribboard.errors import ArgumentError, CommandError, TransportError, WrongBoard
from cribboard_core.events import DEAL, PEG, UNDO
from cribboard_core.wire import Lines, encode

FIRST = random.Random(1).randrange(255) + 1  # the number of a board's first query, drawn by chance


@pytest.fixture
def table(tmp_path):
    return Table(tmp_path)


def silence(data: bytes) -> bytes:
    return b""


def pegs(firmware: Firmware) -> list[int]:
    """The points of every peg that the journal holds."""
    return [event[2] for _, event, _, _ in firmware.keeper.journal.records(-1) if event[0] == PEG]


def ledger(table: Table) -> dict:
    return json.loads((table.folder / UID / "ledger.json").read_text())


# what a board says and does


def test_hello_tells_who_the_board_is(table):
    with table.board() as board:
        assert (board.hello.uid, board.hello.tracks, board.hello.leds, board.hello.promise) == (UID, 2, 121, True)


def test_a_command_says_what_it_did(table):
    with table.board() as board:
        happened = board.peg(0, 5)
    assert (happened.row.kind, happened.before.fronts, happened.after.fronts) == (PEG, (0, 0), (5, 0))


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
    with table.board() as board, pytest.raises(CommandError) as refused:
        board.hand(0, "5H5C5SJD", "5D", False, 28)
    assert refused.value.code == "count"
    assert str(refused.value) == "the hand counts 29, not 28; nothing was pegged; look at the cards again"


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
        assert board.last() == [1, "peg", 0, 5, 0, 0]
        board.undo()
        assert board.check()
    assert seen[0].about == (PEG, 0, 5, 0, 0)
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
        board.pend(0, 7)
        assert table.firmware.entry.points(0) == 7
        board.poll()
        assert board.waiting == {0: 7}


def test_pending_points_that_cannot_be_are_refused(table):
    with table.board() as board, pytest.raises(CommandError):
        board.pend(0, 99)


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


def test_names_are_kept_for_the_next_time(table):
    with table.board() as board:
        board.set_names({0: "Ann", 1: "Bob"})
    with table.board() as board:
        assert board.names == {0: "Ann", 1: "Bob"}


# following


def test_presses_of_buttons_are_followed(table):
    with table.board() as board:
        table.firmware.keeper.do((PEG, 1, 4, 0, 0))
        assert board.poll() == [[1, "peg", 1, 4, 0, 0, 0, 0]]
        assert board.match.front(1) == 4


def test_poll_waits_no_longer_than_it_is_told(table):
    with table.board() as board:
        before = table.time.now
        assert board.poll(1.0) == []
        assert 1.0 <= table.time.now - before < 1.1


def test_a_lost_push_is_asked_for(table):
    with table.board() as board:
        table.firmware.unheard(PEG, 1, 4, 0, 0)
        table.firmware.keeper.do((PEG, 0, 2, 0, 0))
        assert [row[:3] for row in board.poll()] == [[1, "peg", 1], [2, "peg", 0]]
        assert board.check()


def test_sync_learns_what_was_not_heard(table):
    with table.board() as board:
        seen = []
        board.on_event = seen.append
        table.firmware.unheard(PEG, 1, 4, 0, 0)
        assert board.sync().fronts == (0, 4)
        assert [happened.row.rev for happened in seen] == [1]


def test_an_undo_below_what_is_known_is_asked_for(table):
    table.firmware.keeper.do((PEG, 0, 5, 0, 0))
    with table.board() as board:
        table.firmware.keeper.do((UNDO, 0, 0, 1, 0))
        board.poll()
        assert board.match.front(0) == 0
        assert board.check()


def test_a_redo_below_what_is_known_is_asked_for(table):
    table.firmware.keeper.do((PEG, 0, 5, 0, 0))
    table.firmware.keeper.do((UNDO, 0, 0, 1, 0))
    with table.board() as board:
        table.firmware.keeper.do(table.firmware.match.redo_event())
        board.poll()
        assert board.match.front(0) == 5
        assert board.check()


def test_an_event_that_does_not_fit_the_copy_is_asked_for(table):
    with table.board() as board:
        board.match.play.now[-1] = 1
        table.firmware.keeper.do((PEG, 0, 5, 0, 0))
        board.poll()
        assert board.check()


def test_games_won_are_right_after_a_game_that_nobody_scored_in(table):
    keeper = table.firmware.keeper
    for _ in range(3):
        keeper.do((PEG, 0, 46, 0, 0))
    keeper.do(keeper.new([121, 7, 3, -1, -1, -1]))
    with table.board() as board:
        board.new(121, 3, 2)
        assert board.match.won(0) == 1
        assert board.check()


def test_events_that_the_board_has_let_go_are_a_gap(table):
    seen = []
    table.firmware.keeper.do((PEG, 0, 5, 0, 0))
    with table.board() as board:
        board.on_event = seen.append
        for _ in range(3):
            table.firmware.unheard(*table.firmware.match.undo_event())
            table.firmware.unheard(PEG, 0, 1, 0, 0)
        table.firmware.keeper.journal.roll(table.firmware.match)
        board.sync()
        assert board.check()
    assert [happened.row for happened in seen] == [None]


def test_check_sees_a_copy_that_is_wrong(table):
    with table.board() as board:
        board.match.play.now[0] = 9
        assert not board.check()
        board.sync()
        assert board.check()


def test_events_gives_all_that_the_board_keeps(table):
    with table.board() as board:
        for points in range(1, 8):
            board.peg(0, points)
        assert [row.a for row in board.events()] == [1, 2, 3, 4, 5, 6, 7]


def test_a_log_line_of_the_board_is_passed_on(table):
    with table.board() as board:
        table.firmware.link.say("a key is stuck")
        board.poll()
    assert table.notes == ["the board says: a key is stuck"]


def test_random_play_by_host_and_buttons_stays_equal(tmp_path):
    rng = random.Random(7)
    table = Table(tmp_path, back=lossy(rng, 0.3))
    with table.board() as board:
        for _ in range(300):
            match, keeper = table.firmware.match, table.firmware.keeper
            choice = rng.random()
            try:
                if choice < 0.35:
                    board.peg(rng.choice(board.match.sides), rng.randrange(20))
                elif choice < 0.5:
                    board.undo()
                elif choice < 0.6:
                    board.redo()
                elif choice < 0.65:
                    board.new(rng.choice((61, 121)), rng.choice((3, 7, 15)), 2 if rng.random() < 0.3 else 3)
                elif choice < 0.8 and match.winner < 0:
                    keeper.do((PEG, rng.choice(match.sides), rng.randrange(20), 0, 0))
                elif choice < 0.9 and match.can_undo:
                    keeper.do(match.undo_event())
                elif match.winner < 0:
                    keeper.do((DEAL, match.next_seat(), 0, 0, 0))
            except CommandError:
                pass
            if rng.random() < 0.3:
                board.sync()
                assert board.check()
        board.sync()
        assert board.check()


# exactly once


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
    with table.board() as board:
        table.wire.toward = silence
        table.wire.sent.clear()
        began = table.time.now
        with pytest.raises(TransportError, match="the board on wire does not answer"):
            board.peg(0, 5)
    assert 25 <= len(table.wire.sent) <= 30
    assert 5.0 <= table.time.now - began < 5.1


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


def test_the_user_is_told_that_a_command_without_an_answer_is_noted(table):
    with table.board() as board:
        table.wire.toward = silence
        with pytest.raises(TransportError, match="`peg 1 5` is noted, and the next command settles"):
            board.peg(0, 5)
    assert ledger(table)["pending"]["op"] == "peg"


def test_a_command_whose_answer_was_lost_is_not_applied_again_by_the_next_run(table):
    with table.board() as board:
        table.wire.back = silence
        with pytest.raises(TransportError):
            board.peg(0, 5)
    with table.board() as board:
        assert board.standing.fronts == (5, 0)
        board.peg(0, 1)
    assert table.notes == ["the last command, `peg 1 5`, had been applied after all"]
    assert pegs(table.firmware) == [5, 1]


def test_a_command_that_never_arrived_is_applied_by_the_next_run(table):
    with table.board() as board:
        table.wire.toward = silence
        with pytest.raises(TransportError):
            board.peg(0, 5)
    with table.board() as board:
        assert board.standing.fronts == (5, 0)
    assert table.notes == ["the last command, `peg 1 5`, had not arrived; it has been applied now"]
    assert pegs(table.firmware) == [5]


def test_a_command_that_never_arrived_is_forgotten_when_the_board_has_gone_on(table):
    with table.board() as board:
        table.wire.toward = silence
        with pytest.raises(TransportError):
            board.peg(0, 5)
    table.firmware.keeper.do((PEG, 1, 2, 0, 0))
    with table.board() as board:
        assert board.standing.fronts == (0, 2)
    assert "was not applied, and the board has gone on since" in table.notes[0]


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


def test_the_next_command_of_the_same_run_settles_the_last_one(table):
    with table.board() as board:
        table.wire.back = silence
        with pytest.raises(TransportError):
            board.peg(0, 5)
        table.wire.back = bytes
        board.peg(1, 3)
    assert pegs(table.firmware) == [5, 3]
    assert table.notes == ["the last command, `peg 1 5`, had been applied after all"]


def test_a_refusal_that_was_not_heard_is_told_by_the_next_run(table):
    with table.board() as board:
        table.wire.back = silence
        with pytest.raises(TransportError):
            board.peg(0, 47)
    with table.board():
        pass
    assert table.notes[0].startswith("the last command, `peg 1 47`, was refused: 47 points")


def test_a_power_cut_between_journal_and_answer_counts_once(table):
    with table.board() as board:
        table.wire.back = silence
        with pytest.raises(TransportError):
            board.peg(0, 5)
        table.firmware.boot()
    with table.board():
        pass
    assert pegs(table.firmware) == [5]


def test_a_cable_pulled_in_mid_command_is_waited_for(table):
    with table.board() as board:
        table.wire.cut_in = 1
        board.peg(0, 5)
        assert board.check()
    assert pegs(table.firmware) == [5]
    assert table.notes == ["the board on wire is gone; waiting for it to come back"]


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
        board.poll()
        assert board.match.front(1) == 4
    assert [happened.row.rev for happened in seen] == [1]


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

        board._line._reach = nothing
        began = table.time.now
        with pytest.raises(TransportError, match="there is no port wire"):
            board.peg(0, 5)
        assert 10 <= table.time.now - began < 11
        with pytest.raises(TransportError, match="the link to the board is closed"):
            board.sync()


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


def take_over(table: Table) -> None:
    """Another host's command, in a session of its own."""
    keeper = table.firmware.keeper
    keeper.command(["peg", (keeper.session + 600) & 0xFFFF or 1, 0, 1, 9])


def test_a_session_that_another_program_has_ended_meanwhile_is_begun_anew(table):
    with table.board() as board:
        board.peg(0, 1)
        take_over(table)
        board.peg(0, 2)
        assert board.check()
    assert pegs(table.firmware) == [1, 9, 2]


def test_a_command_applied_before_another_program_took_over_is_not_applied_again(table):
    with table.board() as board:
        board.peg(0, 1)
        table.wire.back = silence
        table.wire.script = [lambda: None, lambda: take_over(table), lambda: setattr(table.wire, "back", bytes)]
        assert board.peg(0, 2).row.a == 2
        assert board.check()
    assert pegs(table.firmware) == [1, 2, 9]


def test_after_another_program_took_over_the_journal_tells_that_a_command_was_applied(table):
    with table.board() as board:
        table.wire.back = silence
        with pytest.raises(TransportError):
            board.peg(0, 5)
    take_over(table)
    with table.board():
        pass
    assert table.notes == ["the last command, `peg 1 5`, had been applied after all"]
    assert pegs(table.firmware) == [5, 9]


def test_when_the_journal_has_let_it_go_nobody_knows(table):
    table.firmware.keeper.do((PEG, 0, 1, 0, 0))
    with table.board() as board:
        table.wire.toward = silence
        with pytest.raises(TransportError):
            board.peg(0, 5)
    for _ in range(2):
        table.firmware.keeper.do(table.firmware.match.undo_event())
        table.firmware.keeper.do((PEG, 1, 2, 0, 0))
    table.firmware.keeper.journal.roll(table.firmware.match)
    with table.board():
        pass
    assert "may have been applied or not" in table.notes[0]


def test_notes_older_than_the_board_begin_a_new_session(table):
    with table.board() as board:
        board.peg(0, 1)
        board.peg(0, 2)
    old = (table.folder / UID / "ledger.json").read_text()
    with table.board() as board:
        board.peg(0, 3)
    (table.folder / UID / "ledger.json").write_text(old)
    with table.board() as board:
        board.peg(0, 4)
    assert pegs(table.firmware) == [1, 2, 3, 4]


def test_ids_go_round(table):
    with table.board() as board:
        for _ in range(300):
            board.peg(0, 0)
        assert board.standing.rev == 300


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
            board._once._chance = type("One", (), {"randint": staticmethod(lambda low, high: 1)})()
            board.peg(0, 1)
    assert table.firmware.scores == [3, 0]
    assert ledger(table)["session"] == 1


# a journal that was lost


def test_a_board_that_lost_its_journal_is_given_its_state_back(table):
    with table.board() as board:
        board.new(121, 7, 3)
        board.peg(0, 12)
        board.peg(1, 7)
        before = board.standing
    table.firmware.wipe()
    with table.board() as board:
        assert board.standing.same(before)
        assert board.check()
        board.peg(2, 1)
    assert table.notes == ["the board had lost its memory; it has been given back the score as it stood last"]
    assert table.firmware.scores == [12, 7, 1]


def test_a_journal_lost_in_mid_command_is_given_back_and_the_command_follows(table):
    with table.board() as board:
        board.peg(0, 12)
        table.wire.script = [table.firmware.wipe, lambda: setattr(table.wire, "cut_in", 0)]
        board.peg(1, 3)
        assert board.check()
    assert table.firmware.scores == [12, 3]


def test_a_command_left_over_follows_a_restored_state(table):
    with table.board() as board:
        board.peg(0, 12)
        table.wire.toward = silence
        with pytest.raises(TransportError):
            board.peg(1, 3)
    table.firmware.wipe()
    with table.board() as board:
        assert board.standing.fronts == (12, 3)
    assert table.firmware.scores == [12, 3]


def test_a_board_that_lost_its_journal_and_went_on_is_left_alone(table):
    with table.board() as board:
        board.peg(0, 12)
        table.wire.toward = silence
        with pytest.raises(TransportError):
            board.peg(1, 3)
    table.firmware.wipe()
    table.firmware.keeper.do((PEG, 0, 2, 0, 0))
    with table.board() as board:
        assert board.standing.fronts == (2, 0)
    assert table.notes[0].startswith("the board had lost its memory and has gone on since; before: side 1 12, side 2 0")
    assert table.notes[1].startswith("the last command, `peg 2 3`, was forgotten")


def test_a_lost_journal_is_told_once(table):
    with table.board() as board:
        board.peg(0, 12)
    table.firmware.wipe()
    for _ in range(3):
        with table.board():
            pass
    assert len(table.notes) == 1


def test_a_lost_journal_of_a_match_without_a_score_needs_nothing(table):
    with table.board():
        pass
    table.firmware.wipe()
    with table.board() as board:
        board.peg(0, 1)
    assert table.notes == []


def test_a_state_that_the_board_does_not_take_back_is_told(table, monkeypatch):
    with table.board() as board:
        board.peg(0, 12)
    table.firmware.wipe()
    command = table.firmware.keeper.command
    monkeypatch.setattr(
        table.firmware.keeper,
        "command",
        lambda message: ["no", *message[1:3], "journal", "worn out"] if message[0] == "restore" else command(message),
    )
    with table.board() as board:
        assert board.standing.fronts == (0, 0)
    assert table.notes == ["the board had lost its memory, and does not take it back: worn out"]


# answers that cannot be


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
    ["state", FIRST + 1, 0, 0, 121, 3, 2, 0, 91, 61, -1, "0005ff00", [0, 0]],
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
