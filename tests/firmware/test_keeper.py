"""The keeper: every command once, whatever is sent again or cut off, and refused with its reason or not at all."""

from __future__ import annotations

import random
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cribboard.sim.flash import Cut, Flash, PowerCut
from cribboard_core.events import (
    DEAL,
    FALSE,
    GO,
    HAND,
    MUGGINS,
    NEW,
    NIBS,
    PEG,
    PENALTY,
    REDO,
    RESTORE,
    SET,
    UNDO,
    Refused,
)
from cribboard_core.journal import Journal, JournalError
from cribboard_core.match import Match
from cribboard_core.wire import decode, encode
from cribboard_fw.keeper import COMMANDS, Keeper, short

Event = tuple[int, ...]


class Board:
    """A keeper over a flash, and a host that counts its ids."""

    def __init__(self, nvm: object = None, players: int = 2, session: int = 7) -> None:
        self.nvm = bytearray(b"\xff" * 4096) if nvm is None else nvm
        self.match = Match(121, (1 << players) - 1, players)
        journal = Journal(self.nvm)  # type: ignore[arg-type]
        self.found = journal.mount(self.match, 1)
        self.told: list[tuple[object, ...]] = []
        self.keeper = Keeper(self.match, journal, lambda *what: self.told.append(what))
        self.session = session
        self.id = 0

    def send(self, op: str, *args: object) -> list[object]:
        self.id = (self.id + 1) & 255
        return self.keeper.command([op, self.session, self.id, *args])

    def resend(self, op: str, *args: object) -> list[object]:
        return self.keeper.command([op, self.session, self.id, *args])

    def state(self) -> tuple[object, ...]:
        return (self.match.rev, self.match.play.rev, self.match.play.pack(), self.match.play.depth)

    def restarted(self) -> Board:
        board = Board(bytearray(self.nvm), session=self.session)  # type: ignore[call-overload]
        board.id = self.id
        return board


def no(answer: list[object]) -> tuple[object, object]:
    """The code and text of a refusal."""
    assert answer[0] == "no"
    return answer[3], answer[4]


@pytest.fixture
def board() -> Board:
    return Board()


# Tags


def test_a_command_is_applied_told_and_answered_with_its_rev(board: Board) -> None:
    assert board.send("peg", 0, 5) == ["ok", 7, 1, 1]
    assert board.told == [(1, (PEG, 0, 5, 0, 0), 7, 1)]
    assert board.match.front(0) == 5


def test_a_command_that_comes_again_is_answered_again_and_applied_once(board: Board) -> None:
    board.send("peg", 0, 5)
    for _ in range(3):
        assert board.resend("peg", 0, 5) == ["ok", 7, 1, 1]
    assert (board.match.front(0), len(board.told)) == (5, 1)


def test_the_tag_alone_says_that_a_command_comes_again(board: Board) -> None:
    board.send("peg", 0, 5)
    assert board.resend("undo", 1) == ["ok", 7, 1, 1]
    assert board.match.front(0) == 5


@pytest.mark.parametrize(("ahead", "applied"), [(1, True), (2, True), (127, True), (128, False), (255, False)])
def test_an_id_less_than_128_ahead_is_new(ahead: int, applied: bool, board: Board) -> None:
    board.send("peg", 0, 5)
    answer = board.keeper.command(["peg", 7, 1 + ahead, 0, 5] if ahead < 255 else ["peg", 7, 0, 0, 5])
    assert answer[0] == ("ok" if applied else "no")
    assert board.match.front(0) == (10 if applied else 5)


def test_an_older_id_is_refused_as_stale_and_does_not_become_the_last(board: Board) -> None:
    board.send("peg", 0, 5)
    board.send("peg", 0, 6)
    assert board.keeper.command(["peg", 7, 1, 0, 5]) == ["no", 7, 1, "stale", "command 1 is older than 2"]
    assert board.resend("peg", 0, 6) == ["ok", 7, 2, 2]


def test_ids_go_on_from_255_to_0(board: Board) -> None:
    board.id = 253
    assert [board.send("go", 0)[2] for _ in range(4)] == [254, 255, 0, 1]
    assert board.match.front(0) == 4
    assert board.keeper.command(["go", 7, 255, 0])[3] == "stale"


@pytest.mark.parametrize("ahead", [1, 500, 0x7FFF])
def test_a_newer_session_takes_over_with_any_id(ahead: int, board: Board) -> None:
    board.send("peg", 0, 5)
    assert board.keeper.command(["peg", 7 + ahead, 1, 0, 5]) == ["ok", 7 + ahead, 1, 2]
    assert no(board.send("peg", 0, 5)) == ("session", f"session 7 is over; this is {7 + ahead}")
    assert board.match.front(0) == 10


@pytest.mark.parametrize("ahead", [0x8000, 0x8001])
def test_a_session_too_far_ahead_is_an_older_one(ahead: int, board: Board) -> None:
    board.send("peg", 0, 5)
    assert board.keeper.command(["peg", 7 + ahead, 1, 0, 5])[3] == "session"
    assert board.match.front(0) == 5


def test_sessions_go_on_from_65535_to_1(board: Board) -> None:
    board.session = 65535
    board.send("peg", 0, 5)
    assert board.keeper.command(["peg", 1, 9, 0, 5])[:3] == ["ok", 1, 9]
    assert board.keeper.command(["peg", 65535, 2, 0, 5])[3] == "session"


@pytest.mark.parametrize("session", [1, 0x7FFF, 0x8000, 65535])
@pytest.mark.parametrize("command_id", [0, 255])
def test_a_new_board_takes_any_session(session: int, command_id: int, board: Board) -> None:
    assert board.keeper.command(["go", session, command_id, 0]) == ["ok", session, command_id, 1]


def test_a_refused_command_uses_up_its_id(board: Board) -> None:
    refused = board.send("peg", 0, 47)
    assert no(refused)[0] == "points"
    assert board.resend("peg", 0, 4) == refused
    assert board.match.front(0) == 0
    assert board.send("peg", 0, 4)[0] == "ok"


def test_a_refused_command_takes_a_session_over(board: Board) -> None:
    board.send("peg", 0, 5)
    board.keeper.command(["peg", 8, 1, 0, 99])
    assert no(board.send("peg", 0, 5))[0] == "session"


@pytest.mark.parametrize("tag", [(0, 1), (65536, 1), (-1, 1), (True, 1), ("7", 1), (7.0, 1), (None, 1), ([7], 1)])
def test_a_session_that_is_none_is_refused(tag: tuple[object, object], board: Board) -> None:
    assert board.keeper.command(["go", *tag, 0])[:4] == ["no", 0, 0, "args"]


@pytest.mark.parametrize("command_id", [-1, 256, True, "1", 1.0, None, [1], {}])
def test_an_id_that_is_none_is_refused(command_id: object, board: Board) -> None:
    assert board.keeper.command(["go", 7, command_id, 0])[:4] == ["no", 0, 0, "args"]
    assert board.match.rev == 0


def test_after_a_restart_the_last_command_is_answered_as_before(board: Board) -> None:
    board.send("peg", 0, 5)
    answer = board.send("peg", 1, 6)
    board.keeper.do((PEG, 0, 1, 0, 0))
    again = board.restarted()
    assert again.resend("peg", 1, 6) == answer == ["ok", 7, 2, 2]
    assert again.match.front(1) == 6
    assert again.keeper.command(["peg", 7, 1, 0, 5])[3] == "stale"
    assert again.keeper.command(["peg", 6, 9, 0, 5])[3] == "session"


def test_what_the_buttons_do_leaves_the_hosts_tag(board: Board) -> None:
    board.send("peg", 0, 5)
    assert board.keeper.do((PEG, 1, 4, 0, 0)) == 2
    assert board.told[-1] == (2, (PEG, 1, 4, 0, 0), 0, 0)
    assert board.resend("peg", 0, 5) == ["ok", 7, 1, 1]


def test_a_command_whose_event_was_taken_back_is_not_applied_again_after_an_erase_and_a_restart(board: Board) -> None:
    board.send("peg", 0, 5)
    board.send("peg", 0, 6)
    board.keeper.do((UNDO, 0, 0, 2, 0))
    board.keeper.do((PEG, 0, 1, 0, 0))
    board.keeper.journal.roll(board.match)
    again = board.restarted()
    assert again.resend("peg", 0, 6) == ["ok", 7, 2, 2]
    assert again.match.front(0) == 6


def test_a_keeper_needs_nobody_to_tell() -> None:
    board = Board()
    keeper = Keeper(board.match, board.keeper.journal)
    assert keeper.do((PEG, 0, 3, 0, 0)) == 1


# What the commands do


@pytest.mark.parametrize(
    ("op", "args", "event"),
    [
        ("peg", (1, 46), (PEG, 1, 46, 0, 0)),
        ("peg", (0, 0), (PEG, 0, 0, 0, 0)),
        ("hand", (0, "5H5C5SJD", "5D", 0, 29), (HAND, 0, 29, 0, 0)),
        ("hand", (1, "2h,3h 4h 5h", "KS", 1, 8), (HAND, 1, 8, 1, 0)),
        ("hand", (1, "2h,3h 4h 5h", "KS", 0, 12), (HAND, 1, 12, 0, 0)),
        ("nibs", (0,), (NIBS, 0, 2, 0, 0)),
        ("go", (1,), (GO, 1, 1, 0, 0)),
        ("penalty", (0, 3, 0), (PENALTY, 0, 3, 0, 0)),
        ("penalty", (0, 3, 1), (PENALTY, 0, 3, 1, 0)),
        ("muggins", (1, 4, 0), (MUGGINS, 1, 4, 0, 0)),
        ("false", (0, 3), (FALSE, 0, 3, 0, 0)),
        ("set", (0, 60, 50), (SET, 0, 60, 50, 0)),
        ("deal", (1,), (DEAL, 1, 0, 0, 0)),
        ("deal", (-1,), (DEAL, 1, 0, 0, 0)),
        ("undo", (1,), (UNDO, 0, 0, 1, 0)),
        ("new", (1, 61, 7, 3, 2, 31, 0), (NEW, 2, 31, 7 | 3 << 6, 0)),
        ("new", (1, 121, 3, 2, -1, -1, -1), (NEW, 1, 91, 3 | 2 << 6 | 2 << 9, 61)),
        ("new", (1, 121, 3, 2, 0, 0, 0), (NEW, 0, 0, 3 | 2 << 6 | 2 << 9, 0)),
        ("new", (1, 91, 3, 2, 0, 40, 20), (NEW, 0, 40, 3 | 2 << 6 | 1 << 9, 20)),
        ("new", (1, 121, 3, 2, 0, 0, -1), (NEW, 0, 0, 3 | 2 << 6 | 2 << 9, 0)),
    ],
)
def test_each_command_makes_its_event(op: str, args: tuple[object, ...], event: Event, board: Board) -> None:
    board.send("peg", 0, 8)
    assert board.send(op, *args) == ["ok", 7, 2, 2]
    assert board.told[-1] == (2, event, 7, 2)
    assert board.restarted().state() == board.state()


def test_redo_names_the_rev_that_was_taken_back(board: Board) -> None:
    board.send("peg", 0, 8)
    board.send("undo", 1)
    assert no(board.send("redo", 2))[0] == "rev"
    assert board.send("redo", 1) == ["ok", 7, 4, 3]
    assert board.told[-1][1] == (REDO, 0, 0, 1, 0)


def test_two_who_undo_one_mistake_undo_it_once(board: Board) -> None:
    board.send("peg", 0, 8)
    board.send("peg", 1, 9)
    assert board.send("undo", 2)[0] == "ok"
    assert no(board.send("undo", 2)) == ("rev", "undo names event 2, but the one at hand is 1")
    assert board.match.front(0) == 8


def test_a_dealer_that_the_rules_name_and_who_plays_no_more_gives_way_to_the_first_seat(board: Board) -> None:
    board.send("peg", 0, 8)
    assert board.send("new", 1, 121, 0b101100, 3, -1, -1, -1)[0] == "ok"
    assert board.match.dealer == 2


def test_the_settings_skunk_lines_stand_for_their_target(board: Board) -> None:
    board.keeper.own_lines = (61, 40, 20)
    board.send("new", 0, 61, 3, 2, 0, -1, -1)
    assert (board.match.skunk, board.match.double) == (40, 20)
    board.send("new", 1, 121, 3, 2, 0, -1, -1)
    assert (board.match.skunk, board.match.double) == (91, 61)
    board.send("new", 2, 61, 3, 2, 0, 31, -1)
    assert (board.match.skunk, board.match.double) == (31, 20)


RESTORED = (61, 7, 3, 2, 31, 0, "28200a053d3c", [3, 999, 1])


def test_a_restored_state_is_taken_over_whole(board: Board) -> None:
    board.send("peg", 0, 8)
    assert board.send("restore", 1, *RESTORED) == ["ok", 7, 2, 2]
    match = board.match
    assert (match.target, match.sides, match.dealer, match.skunk, match.double) == (61, (0, 1, 2), 2, 31, 0)
    assert [(match.front(side), match.back(side), match.won(side)) for side in match.sides] == [
        (40, 32, 3),
        (10, 5, 999),
        (61, 60, 1),
    ]
    assert match.winner == 2
    assert board.told[-1] == (2, (RESTORE, 0, 0, 0, 0), 7, 2)
    assert board.resend("restore", 1, *RESTORED) == ["ok", 7, 2, 2]
    assert board.restarted().state() == board.state()
    assert board.send("undo", 2)[0] == "ok"
    assert match.front(0) == 8


def test_a_state_goes_over_and_comes_back_the_same(board: Board) -> None:
    assert board.send("restore", 0, 121, 3, 2, 0, 91, 61, "00000000", [0, 0])[0] == "ok"
    assert board.match.play.pack() == Match().play.pack()


# What is refused


@pytest.mark.parametrize(
    ("op", "args", "code", "said"),
    [
        ("peg", (0,), "args", "peg takes side points"),
        ("peg", (0, 1, 2), "args", "peg takes side points"),
        ("peg", (0, "5"), "args", "peg takes side points"),
        ("peg", (0, 5.0), "args", "peg takes side points"),
        ("peg", (0, True), "args", "peg takes side points"),
        ("peg", (0, None), "args", "peg takes side points"),
        ("peg", ([0], 1), "args", "peg takes side points"),
        ("peg", (0, -2), "args", "peg takes side points"),
        ("peg", (0, 2**32), "args", "peg takes side points"),
        ("peg", (0, float("inf")), "args", "peg takes side points"),
        ("peg", (0, float("nan")), "args", "peg takes side points"),
        ("peg", (0, 10**90), "args", "peg takes side points"),
        ("peg", (0, -1), "args", "peg of -1; it lies from 0 to 255"),
        ("peg", (0, 256), "args", "peg of 256"),
        ("peg", (0, 47), "points", "47 points for peg cannot be"),
        ("peg", (2, 1), "side", "no side 3 here; the sides are 1, 2"),
        ("peg", (-1, 1), "side", "no side 0 here"),
        ("nibs", (5,), "side", "no side 6"),
        ("go", (5,), "side", "no side 6"),
        ("go", (), "args", "go takes side"),
        ("hand", (0, "5H5C5SJD", "5D", 0, 28), "count", "the hand counts 29, not 28"),
        ("hand", (0, "5H5C5SJD", "5D", 1, 30), "count", "the hand counts 29, not 30"),
        ("hand", (0, "5H5C5SJD", "5D", 0, -1), "count", "not -1"),
        ("hand", (0, "5H5C5SJD", "5D6D", 0, 29), "args", "one starter, and crib is 0 or 1"),
        ("hand", (0, "5H5C5SJD", "", 0, 29), "args", "one starter"),
        ("hand", (0, "4H 4C 5H 5C 6H", "6C", 0, 46), "args", "a hand of 5 cards, but 2 play with 4"),
        ("hand", (0, "5H5C5SJD", "5D", 2, 29), "args", "crib is 0 or 1"),
        ("hand", (0, "5H5C5SJD", "5H", 0, 29), "args", "5H"),
        ("hand", (0, "5H5H5SJD", "5D", 0, 29), "args", "5H"),
        ("hand", (0, "5H5C5S", "5D", 0, 14), "args", "cards"),
        ("hand", (0, "5H5C5SJDXX", "5D", 0, 14), "args", "X"),
        ("hand", (0, "♥" * 20, "5D", 0, 14), "args", "?"),
        ("hand", (0, "", "5D", 0, 14), "args", ""),
        ("hand", (0, 5, "5D", 0, 14), "args", "hand takes side cards starter crib points"),
        ("hand", (2, "5H5C5SJD", "5D", 0, 29), "side", "no side 3"),
        ("penalty", (0, 3, 2), "args", "penalty way 2"),
        ("penalty", (0, 3, -1), "args", "penalty of -1"),
        ("penalty", (0, 47, 0), "points", "47 points for penalty"),
        ("muggins", (0, 3, 0), "side", "nobody calls muggins on his own side"),
        ("muggins", (0, 3, 4), "side", "no side 5"),
        ("false", (0, 8), "points", "the true score 8 is not below 8"),
        ("false", (0, -1), "args", "false of -1"),
        ("set", (0, 122, 0), "args", "pegs at 122 and 0"),
        ("set", (0, 5, 6), "args", "pegs at 5 and 6"),
        ("set", (0, 5, 256), "args", "set of 256"),
        ("deal", (2,), "seats", "3 has no seat"),
        ("deal", (4294967295,), "seats", "has no seat"),
        ("undo", (0,), "rev", "undo names event 0, but the one at hand is 1"),
        ("undo", (-1,), "rev", "undo names event 65535"),
        ("redo", (1,), "nothing", "there is nothing to redo"),
        ("new", (0, 121, 3, 2, 0, -1, -1), "rev", "new names rev 0, but the board is at 1"),
        ("new", (1, 120, 3, 2, 0, -1, -1), "args", "not 120"),
        ("new", (1, 121, 1, 1, 0, -1, -1), "seats", "1 seats cannot be 1 sides"),
        ("new", (1, 121, 0, 2, -1, -1, -1), "seats", "seat mask 0"),
        ("new", (1, 121, 64, 2, -1, -1, -1), "seats", "seat mask 64"),
        ("new", (1, 121, -1, 2, -1, -1, -1), "seats", "seat mask -1"),
        ("new", (1, 121, 3, 2, 4, -1, -1), "seats", "place 4 has no seat"),
        ("new", (1, 121, 3, 2, 0, 122, -1), "args", "skunk line 122"),
        ("restore", (0, *RESTORED), "rev", "restore names rev 0"),
        ("restore", (1, 120, *RESTORED[1:]), "args", "not 120"),
        ("restore", (1, *RESTORED[:3], 5, *RESTORED[4:]), "seats", "place 5"),
        ("restore", (1, *RESTORED[:4], -1, *RESTORED[5:]), "args", "skunk line -1"),
        ("restore", (1, *RESTORED[:6], "28200a053d3", [3, 9, 1]), "args", "pairs of hex digits, not 28200a053d3"),
        ("restore", (1, *RESTORED[:6], "28200a053d3x", [3, 9, 1]), "args", "pairs of hex digits"),
        ("restore", (1, *RESTORED[:6], "♥♥", [3, 9, 1]), "args", "pairs of hex digits, not ??"),
        ("restore", (1, *RESTORED[:6], "28200a05", [3, 9, 1]), "args", "two pegs and the games won (0 to 999)"),
        ("restore", (1, *RESTORED[:7], [3, 9]), "args", "two pegs"),
        ("restore", (1, *RESTORED[:7], [3, 9, 1000]), "args", "two pegs"),
        ("restore", (1, *RESTORED[:7], [3, 9, -1]), "args", "two pegs"),
        ("restore", (1, *RESTORED[:7], [3, 9, True]), "args", "two pegs"),
        ("restore", (1, *RESTORED[:7], [3, 9, "1"]), "args", "two pegs"),
        ("restore", (1, *RESTORED[:7], "399"), "args", "restore takes rev target"),
        ("restore", (1, *RESTORED[:7], [3, 9, 0]), "args", "a side at 61 has won this game"),
        ("restore", (1, *RESTORED[:6], "28290a053d3c", [3, 9, 1]), "args", "pegs at 40 and 41 do not fit"),
        ("restore", (1, *RESTORED[:6], "3e200a050000", [3, 9, 1]), "args", "pegs at 62 and 32"),
        ("restore", (1, *RESTORED[:6], "3d203d053d3c", [3, 9, 1]), "args", "pegs at 61 and 5"),
    ],
)
def test_what_cannot_be_is_refused_and_changes_nothing(
    op: str, args: tuple[object, ...], code: str, said: str, board: Board
) -> None:
    board.send("peg", 0, 8)
    before = (board.state(), board.keeper.journal.free)
    answer = board.send(op, *args)
    assert answer[:4] == ["no", 7, 2, code]
    assert said in str(answer[4])
    assert (board.state(), board.keeper.journal.free) == before
    assert len(board.told) == 1
    assert decode(encode(answer)) == answer


def test_after_a_win_the_code_is_over(board: Board) -> None:
    board.send("set", 0, 121, 110)
    for op, args in (("peg", (1, 4)), ("hand", (1, "5H5C5SJD", "5D", 0, 29)), ("deal", (-1,)), ("go", (0,))):
        assert no(board.send(op, *args))[0] == "over"
    assert board.send("false", 0, 111)[0] == "ok"


def test_a_long_text_is_cut_and_its_quotes_and_foreign_letters_are_masked() -> None:
    assert short('say "h\\i" ♥\n') == "say ?h?i? ??"
    assert (len(short("x" * 200)), len(short("x" * 200, 90))) == (76, 90)


VALUES = st.one_of(
    st.integers(-2, 300),
    st.integers(-(2**70), 2**70),
    st.text(max_size=30),
    st.floats(),
    st.none(),
    st.booleans(),
    st.lists(st.one_of(st.integers(-1, 1000), st.none()), max_size=7),
    st.sampled_from(["5H5C5SJD", "5D", "00000000", [0, 0]]),
)


@settings(deadline=None)
@given(st.lists(st.tuples(st.sampled_from(sorted(COMMANDS)), st.lists(VALUES, max_size=10)), max_size=25))
def test_no_arguments_make_a_keeper_fail(commands: list[tuple[str, list[object]]]) -> None:
    board = Board(players=3)
    for op, args in commands:
        before = board.state()
        answer = board.send(op, *args)
        assert len(encode(answer)) <= 120
        if answer[0] == "no":
            assert board.state() == before
    assert board.restarted().state() == board.state()


# Journal and power


class Broken(Journal):
    """A journal whose flash takes nothing."""

    broken = False

    def _write(self, record: bytes) -> int:
        if self.broken:
            raise JournalError("the flash did not take a record")
        return super()._write(record)


def test_what_the_flash_does_not_take_is_refused_and_changes_nothing(board: Board) -> None:
    journal = Broken(bytearray(b"\xff" * 4096))
    journal.mount(board.match, 1)
    keeper = Keeper(board.match, journal, lambda *what: board.told.append(what))
    keeper.command(["peg", 7, 1, 0, 5])
    before = board.state()
    journal.broken = True
    answer = keeper.command(["peg", 7, 2, 0, 5])
    assert answer == ["no", 7, 2, "journal", "the flash did not take a record"]
    assert keeper.command(["peg", 7, 2, 0, 5]) == answer
    assert keeper.command(["restore", 7, 3, 1, *RESTORED])[3] == "journal"
    with pytest.raises(Refused) as refused:
        keeper.do((PEG, 0, 1, 0, 0))
    assert refused.value.code == "journal"
    assert (board.state(), len(board.told)) == (before, 1)
    journal.broken = False
    assert keeper.command(["peg", 7, 4, 0, 5])[0] == "ok"


def test_a_flash_that_fails_while_it_is_erased_refuses_and_keeps_the_score(board: Board) -> None:
    journal = Broken(bytearray(b"\xff" * 4096))
    journal.mount(board.match, 1)
    keeper = Keeper(board.match, journal)
    keeper.command(["peg", 7, 1, 0, 5])
    journal._next = journal.slots
    journal.broken = True
    assert keeper.command(["peg", 7, 2, 0, 5])[3] == "journal"
    assert keeper.command(["restore", 7, 3, 1, *RESTORED])[3] == "journal"
    assert board.match.front(0) == 5
    journal.broken = False
    assert keeper.command(["peg", 7, 4, 0, 5])[0] == "ok"
    assert board.match.front(0) == 10


def test_a_full_sector_is_erased_for_a_command_and_for_a_restore() -> None:
    flash = Flash()
    board = Board(flash)
    board.send("peg", 0, 5)
    board.keeper.journal._next = board.keeper.journal.slots
    assert board.send("peg", 0, 6)[0] == "ok"
    board.keeper.journal._next = board.keeper.journal.slots
    assert board.send("restore", 2, *RESTORED)[0] == "ok"
    assert flash.erases == 2
    assert board.match.won(1) == 999


def test_a_redo_that_the_erase_let_go_is_refused(board: Board) -> None:
    board.send("peg", 0, 5)
    board.send("undo", 1)
    board.keeper.journal._next = board.keeper.journal.slots
    assert no(board.send("redo", 1)) == ("nothing", "there is nothing to redo")
    assert board.match.rev == 2


def script(seed: int) -> list[tuple[str, tuple[object, ...]]]:
    """Commands of a game in which each acts on what the one before left."""
    rng = random.Random(seed)
    commands: list[tuple[str, tuple[object, ...]]] = []
    for rev in range(40):
        choice = rng.random()
        if rev == 20:
            commands.append(("restore", (rev, 121, 3, 2, 1, 91, 61, "28200a05", [3, 4])))
        elif rev == 30:
            commands.append(("new", (rev, 121, 3, 2, -1, -1, -1)))
        elif choice < 0.2 and commands and commands[-1][0] in ("peg", "hand", "penalty", "restore", "new"):
            commands.append(("undo", (rev,)))
        elif choice < 0.3:
            commands.append(("hand", (rev % 2, "5H5C5SJD", "KD", rev % 2, 21)))
        elif choice < 0.4:
            commands.append(("penalty", (rev % 2, 2, 1)))
        elif choice < 0.5:
            commands.append(("set", (rev % 2, rev, rev // 2)))
        else:
            commands.append(("peg", (rev % 2, rng.randrange(3))))
    return commands


@pytest.mark.parametrize("seed", [None, 5])
def test_a_command_cut_off_at_any_byte_and_sent_again_is_applied_once(seed: int | None) -> None:
    board = Board(Flash())
    applied = 0
    for op, args in script(3):
        assert isinstance(board.nvm, Flash)
        before = bytes(board.nvm.memory)
        answer = board.send(op, *args)
        assert answer[0] == "ok", (op, args, answer)
        at = 0
        while True:
            flash = Flash(bytearray(before), cut=Cut(at, None if seed is None else random.Random(seed + at)))
            cut = Board(flash)
            cut.id = board.id
            with suppress(PowerCut):
                cut.resend(op, *args)
                break
            again = Board(Flash(flash.memory))
            again.id = board.id
            assert again.found
            assert again.match.rev in (board.match.rev - 1, board.match.rev)
            for _ in range(2):
                assert again.resend(op, *args) == answer
                assert again.state() == board.state()
            assert Board(Flash(flash.memory)).state() == board.state()
            at += 1
        applied += 1
        assert at > 5
    assert applied == board.match.rev == 40


def test_six_players_count_hands_of_five_and_none_of_four(board: Board) -> None:
    assert board.send("new", 0, 121, 63, 6, 0, -1, -1)[0] == "ok"
    assert board.send("hand", 0, "4H4C5H5C6H", "6C", 0, 46)[0] == "ok"
    assert board.send("hand", 0, "5H5C5SJD", "5D", 0, 29)[3:] == ["args", "a hand of 4 cards, but 6 play with 5"]
