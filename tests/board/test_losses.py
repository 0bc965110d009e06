"""A board that has lost its newest events, and says so by nothing but their numbers: they come back, or it is told."""

from __future__ import annotations

import random

import pytest
from rigs.wired import Table, lossy, pegs, silence

from cribboard.board.client import Board
from cribboard.errors import CommandError, CribboardError, TransportError
from cribboard_core.events import HAND, PEG, RESTORE, SET

GIVEN_BACK = "the board had lost its newest events; its last score has been restored"
GONE_ON = "the board had lost its newest events and has continued since; before: side 1 {}, side 2 {}; "


@pytest.fixture
def table(tmp_path):
    return Table(tmp_path)


def notices(table: Table) -> list[str]:
    """The notices but those of the link."""
    return [note for note in table.notes if not note.endswith(("waiting for it to come back", "is back on wire"))]


def test_events_that_were_lost_between_two_programs_are_given_back(table):
    with table.board() as board:
        board.peg(0, 12)
        board.peg(1, 7)
    table.firmware.lose()
    assert table.firmware.scores == [12, 0]
    for losses in (1, 0):
        with table.board() as board:
            assert board.standing.fronts == (12, 7)
            assert board.check()
            assert board.losses == losses
    table.firmware.keeper.do((PEG, 1, 2, 0, 0))
    with table.board() as board:
        assert board.standing.fronts == (12, 9)
    assert table.notes == [GIVEN_BACK], "what was given back is known"


def test_presses_of_buttons_that_were_lost_are_given_back(table):
    with table.board() as board:
        table.firmware.keeper.do((PEG, 0, 12, 0, 0))
        table.firmware.keeper.do((PEG, 1, 7, 0, 0))
        board.poll()
    table.firmware.lose()
    with table.board() as board:
        assert board.check()
        board.peg(0, 1)
    assert table.firmware.scores == [13, 7]
    assert table.notes == [GIVEN_BACK]


def test_events_that_are_lost_while_the_link_breaks_are_given_back(table):
    with table.board() as board:
        for points in (1, 2, 3, 4):
            board.peg(0, points)
        table.firmware.lose()
        table.wire.cut_in = 0
        board.poll(1.0)
        assert board.standing.fronts == (10, 0)
        assert board.check()
        board.peg(1, 2)
    assert table.firmware.scores == [10, 2]
    assert notices(table) == [GIVEN_BACK]


def test_a_loss_that_the_link_does_not_show_is_seen_within_two_seconds(table):
    with table.board() as board:
        board.peg(0, 12)
        board.peg(1, 7)
        table.firmware.lose()
        board.poll(2.0)
        assert board.standing.fronts == (12, 7)
        assert board.check()
    assert table.firmware.scores == [12, 7]
    assert table.notes == [GIVEN_BACK]


@pytest.mark.parametrize("more", [[], [2], [2, 3]])
def test_a_board_that_has_gone_on_since_is_left_alone_and_its_user_told(table, more):
    with table.board() as board:
        board.peg(0, 12)
        board.peg(1, 7)
    table.firmware.lose()
    for points in (6, *more):
        table.firmware.keeper.do((PEG, 1, points, 0, 0))
    for _ in range(2):
        with table.board() as board:
            assert board.standing.fronts == (12, 6 + sum(more))
            assert board.check()
    assert len(table.notes) == 1
    assert table.notes[0].startswith(GONE_ON.format(12, 7))


@pytest.mark.parametrize("heard", [True, False])
@pytest.mark.parametrize("more", [[], [2]])
def test_another_event_under_a_known_number_is_a_loss_that_is_told(table, heard, more):
    with table.board() as board:
        board.peg(0, 12)
        board.peg(1, 7)
        table.firmware.lose()
        for points in (6, *more):
            if heard:
                table.firmware.keeper.do((PEG, 1, points, 0, 0))
            else:
                table.firmware.unheard(PEG, 1, points, 0, 0)
        for _ in range(3):
            board.poll(1.1)
        assert board.standing.fronts == (12, 6 + sum(more))
        assert board.check()
    assert len(table.notes) == 1
    assert table.notes[0].startswith(GONE_ON.format(12, 7))


def test_a_loss_that_is_seen_when_the_link_comes_back_is_looked_into_once(table):
    with table.board() as board:
        board.peg(0, 12)
        board.peg(1, 7)
        table.firmware.lose()
        table.wire.cut_in = 0
        board.poll(1.0)
        assert sum(b'"hello"' in frame for frame in table.wire.sent) == 1
    assert notices(table) == [GIVEN_BACK]


@pytest.mark.parametrize("writes", range(1, 6))
def test_wherever_the_link_breaks_while_a_loss_is_looked_into_it_is_told(table, writes):
    with table.board() as board:
        board.peg(0, 12)
        board.peg(1, 7)
        table.firmware.lose()
        for points in (6, 2):
            table.firmware.unheard(PEG, 1, points, 0, 0)
        table.wire.cut_in = writes
        assert board.sync().fronts == (12, 8)
        assert board.check()
    assert [note for note in notices(table) if note.startswith(GONE_ON.format(12, 7))] == notices(table) != []


def test_a_refusal_after_a_loss_leaves_the_copy_right(table):
    with table.board() as board:
        board.peg(0, 12)
        board.peg(1, 7)
        table.firmware.lose()
        table.firmware.keeper.do((PEG, 1, 6, 0, 0))
        with pytest.raises(CommandError):
            board.peg(0, 47)
        assert board.standing.fronts == (12, 6)


def test_the_same_press_again_under_the_number_of_a_lost_one_is_no_loss(table):
    table.firmware.keeper.do((PEG, 0, 12, 0, 0))
    with table.board() as board:
        assert board.check()
    table.firmware.lose()
    table.firmware.keeper.do((PEG, 0, 12, 0, 0))
    with table.board() as board:
        assert board.standing.fronts == (12, 0)
    assert table.notes == []


@pytest.mark.parametrize(("points", "writes"), [(7, -1), (6, -1), (6, 2), (6, 3), (6, 4)])
def test_a_command_after_a_loss_that_was_not_seen_counts_once(table, points, writes):
    with table.board() as board:
        board.peg(0, 12)
        board.peg(1, 7)
        table.firmware.lose()
        table.wire.cut_in = writes
        board.peg(1, points)
        assert board.standing.fronts == (12, points)
        assert board.check()
    assert pegs(table.firmware) == [12, points]
    assert len(notices(table)) == 1
    assert notices(table)[0].startswith("the board had lost its newest events")


@pytest.mark.parametrize("cut", [True, False])
def test_a_command_whose_event_is_lost_with_its_answer_counts_once(table, cut):
    """It is journalled, the board starts again without it, and the command comes again."""
    with table.board() as board:
        board.peg(0, 12)

        def lose() -> None:
            table.firmware.lose()
            table.wire.back = bytes
            table.wire.cut_in = 0 if cut else -1

        table.wire.back = silence
        table.wire.script = [lambda: None, lambda: None, lose]
        board.peg(1, 7)
        assert board.standing.fronts == (12, 7)
        assert board.check()
    assert pegs(table.firmware) == [12, 7]


@pytest.mark.parametrize("heard", [True, False])
def test_a_command_that_was_left_follows_what_was_given_back(table, heard):
    with table.board() as board:
        board.peg(0, 12)
        board.peg(1, 7)
        if heard:
            table.wire.back = silence
        else:
            table.wire.toward = silence
        with pytest.raises(TransportError):
            board.peg(0, 3)
    table.firmware.lose()
    with table.board() as board:
        assert board.standing.fronts == (15, 7)
        assert board.check()
    note = "the last command, `peg 1 3`, reached the board only now, and counts"
    assert table.notes == ([note] if heard else [GIVEN_BACK, note])  # what was lost is the command's own event, or not
    assert table.firmware.scores == [15, 7]


def test_a_command_that_was_left_is_found_at_a_board_that_lost_events_before_it_arrived(table):
    with table.board() as board:
        board.peg(0, 12)
        board.peg(1, 7)
        table.firmware.lose()
        table.wire.back = silence
        with pytest.raises(TransportError):
            board.peg(0, 3)
    with table.board() as board:
        assert board.standing.fronts == (15, 0)
        assert board.check()
    assert [note.partition(";")[0] for note in table.notes] == [
        "the board had lost its newest events and has continued since",
        "the last command, `peg 1 3`, had reached the board, and counts",
    ]


def test_a_command_is_not_sent_again_to_a_board_that_lost_events_and_has_gone_on(table):
    def forget() -> None:
        table.firmware.lose()
        table.firmware.keeper.do((PEG, 0, 2, 0, 0))

    with table.board() as board:
        board.peg(0, 12)
        board.peg(1, 7)
        table.wire.script = [forget, lambda: setattr(table.wire, "cut_in", 0)]
        with pytest.raises(CribboardError, match="had lost events, so `peg 2 3` was not sent again; look at the score"):
            board.peg(1, 3)
        assert notices(table)[1] == "the last command, `peg 2 3`, was forgotten; repeat it if it is still right"
        assert board.check()
    assert pegs(table.firmware) == [12, 2]


def test_a_press_that_was_heard_after_a_command_was_sent_and_is_lost_is_told(table):
    """The command comes before it, so that giving back what is known would have it count twice."""
    with table.board() as board:
        board.peg(0, 12)
        table.wire.back = lambda data: data if b'"ok"' not in data else data[: data.index(b'\n["ok"')]
        with pytest.raises(TransportError):
            board.peg(1, 3)
        table.firmware.keeper.do((PEG, 0, 4, 0, 0))
        board.poll()
        table.firmware.lose()
        table.wire.back = bytes
        table.wire.cut_in = 0
        board.poll(1.0)
        assert board.check()
    assert notices(table)[0].startswith(GONE_ON.format(16, 3))
    assert table.firmware.scores == [12, 3]


def test_a_lost_press_after_a_command_that_never_arrived_is_told(table):
    with table.board() as board:
        board.peg(0, 12)
        table.wire.toward = silence
        with pytest.raises(TransportError):
            board.peg(1, 3)
        table.firmware.keeper.do((PEG, 0, 4, 0, 0))
        board.poll()
        table.firmware.lose()
        table.wire.cut_in = 0
        board.poll(1.0)
        assert board.check()
    assert notices(table)[0].startswith(GONE_ON.format(16, 0))


def test_a_loss_that_a_board_does_not_take_back_is_told(table, monkeypatch):
    with table.board() as board:
        board.peg(0, 12)
        board.peg(1, 7)
    table.firmware.lose()
    command = table.firmware.keeper.command
    monkeypatch.setattr(
        table.firmware.keeper,
        "command",
        lambda message: ["no", *message[1:3], "journal", "worn out"] if message[0] == "restore" else command(message),
    )
    with table.board() as board:
        assert board.standing.fronts == (12, 0)
        assert board.check()
    assert table.notes == ["the board had lost its newest events and refuses the last score: worn out"]


def test_what_was_given_back_is_told_though_the_board_has_erased_it_since(table, monkeypatch):
    with table.board() as board:
        board.peg(0, 12)
        board.peg(1, 7)
        lost = board.events()[-1]
    table.firmware.lose()
    keeper, command = table.firmware.keeper, table.firmware.keeper.command

    def then_erased(message):
        answer = command(message)
        if message[0] == "restore":
            keeper.do((PEG, 0, 1, 0, 0))
            keeper.journal.roll(keeper.match, 0)
        return answer

    monkeypatch.setattr(keeper, "command", then_erased)
    for _ in range(2):
        with table.board() as board:
            assert board.check()
            restored = next(row for row in board.events() if row.rev == lost.rev)
            assert (restored.kind, restored.game) == (RESTORE, lost.rev)
            assert (restored.session, restored.id) == (lost.session, lost.id + 1)
    assert table.firmware.scores == [13, 7]


def test_an_event_that_moved_no_peg_is_told_when_it_is_lost(table):
    with table.board() as board:
        board.peg(0, 12)
        table.firmware.keeper.do((HAND, 1, 0, 0, 0))
        board.poll()
    table.firmware.lose()
    for _ in range(2):
        with table.board() as board:
            assert board.standing.rev == 1
    assert table.notes == ["the board had lost its newest events; the pegs stand where they stood"]


def test_an_event_between_others_that_the_board_cannot_tell_any_more_is_still_told(table, monkeypatch):
    with table.board() as board:
        for points in (1, 2, 3):
            board.peg(0, points)
        rows = board.events()
        journal, records = table.firmware.keeper.journal, table.firmware.keeper.journal.records
        monkeypatch.setattr(journal, "records", lambda after: [one for one in records(after) if one[0] != 2])
        assert board.events() == rows


def test_those_who_follow_hear_of_a_loss(table):
    seen = []
    with table.board() as board:
        board.on_event = seen.append
        board.peg(0, 12)
        board.peg(1, 7)
        table.firmware.lose()
        table.firmware.keeper.do((PEG, 1, 6, 0, 0))
        board.poll()
    assert [(happened.event and happened.event.a, happened.after.fronts) for happened in seen] == [
        (12, (12, 0)),
        (7, (12, 7)),
        (None, (12, 6)),
    ]


def left_over(table: Table, board: Board, points: int, *, heard: bool) -> None:
    """A command that the board has heard or not, and whose answer nobody has."""
    faults = table.wire.toward, table.wire.back
    if heard:
        table.wire.back = silence
    else:
        table.wire.toward = silence
    with pytest.raises(TransportError):
        board.peg(0, points)
    table.wire.toward, table.wire.back = faults


@pytest.mark.unmeasured
@pytest.mark.parametrize("seed", range(12))
def test_whatever_is_lost_in_random_play_is_given_back_or_told(tmp_path, seed):
    """The score is what it was known to be and what has happened since, or else the user has heard that it is not."""
    rng = random.Random(seed)
    faults = {"back": lossy(rng, 0.2), "toward": lossy(rng, 0.2)} if seed % 2 else {}
    table = Table(tmp_path, **faults)
    keeper = lambda: table.firmware.keeper  # noqa: E731
    score = losses = 0
    board = table.board().open()
    for _ in range(150):
        heard = len(table.notes)
        choice, points = rng.random(), rng.randrange(1, 4)
        if sum(table.firmware.scores) > 100:
            keeper().do((SET, 0, 0, 0, 0))
            board.sync()
            score = 0
        if choice < 0.4:
            try:
                board.peg(0, points)
                score += points
            except CommandError as error:
                raise AssertionError("it is not refused") from error
            except CribboardError as error:
                assert "was not sent again" in error.message
        elif choice < 0.6:
            keeper().do((PEG, 0, points, 0, 0))
            board.sync()
            score += points
        elif choice < 0.75 and len(keeper().journal.log.kept):
            table.firmware.lose()
            losses += 1
            if rng.random() < 0.5:
                if rng.random() < 0.5:
                    table.firmware.unheard(PEG, 0, 7, 0, 0)
                else:
                    keeper().do((PEG, 0, 7, 0, 0))
        elif choice < 0.8:
            table.wire.cut_in = rng.randrange(3)
        elif choice < 0.88:
            left_over(table, board, points, heard=rng.random() < 0.5)
            if rng.random() < 0.5 and len(keeper().journal.log.kept):
                table.firmware.lose()
                losses += 1
            if rng.random() < 0.5:
                board.close()
                board = table.board(seed=rng.randrange(99)).open()
            board.settle()
            if any(note.endswith(", and counts") for note in table.notes[heard:]):
                score += points
        elif choice < 0.95:
            board.close()
            board = table.board(seed=rng.randrange(99)).open()
        else:
            board.poll(1.2)
        board.poll(1.2)
        board.sync()
        assert board.check()
        if board.standing.front(0) != score:
            assert any("had lost" in note for note in table.notes[heard:]), table.notes[heard:]
            score = board.standing.front(0)
    board.close()
    assert losses > 5


@pytest.mark.parametrize("more", [[], [2]])
def test_what_another_program_gave_back_is_never_said_not_to_have_counted(tmp_path, more):
    ann, bob = Table(tmp_path / "ann"), Table(tmp_path / "bob")
    bob.firmware, bob.time = ann.firmware, ann.time
    with ann.board() as board:
        board.peg(0, 3)
        board.peg(1, 3)
    with bob.board():
        pass
    with ann.board() as board:
        ann.wire.back = lambda data: b""
        with pytest.raises(TransportError):
            board.command("peg", 1, 5, key="five")
    with bob.board() as board:
        board.poll()
    for _ in range(2):
        ann.firmware.lose()
    with bob.board() as board:
        for points in more:
            board.peg(0, points)
    with ann.board() as board:
        with pytest.raises(CommandError, match="nobody knows whether this counted"):
            board.command("peg", 1, 5, key="five")
        assert board.answer("five") == (0, "")
    assert ann.firmware.scores == [3 + sum(more), 8]
    assert "may have counted, for another program has restored the score" in ann.notes[-1]
