"""What the keeper refuses, with its reason and nothing changed, whatever it is sent."""

from __future__ import annotations

import pytest
from firmware.keeping import RESTORED, Board, no
from hypothesis import given
from hypothesis import strategies as st

from cribboard_core.events import COMMANDS
from cribboard_core.wire import decode, encode
from cribboard_fw.keeper import short


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
        ("hand", (0, "4H 4C", "6C", 0, 2), "args", "a hand of 2 cards, but 2 play with 4"),
        ("hand", (0, "4H 4C 5H", "6C", 1, 12), "args", "a hand of 3 cards, but 2 play with 4"),
        ("hand", (0, "5H5C5SJD", "5D", 2, 29), "args", "crib is 0 or 1"),
        ("hand", (0, "5H5C5SJD", "5H", 0, 29), "args", "5H"),
        ("hand", (0, "5H5H5SJD", "5D", 0, 29), "args", "5H"),
        ("hand", (0, "5H5C5S", "5D", 0, 14), "count", "the hand counts 20, not 14"),
        ("hand", (0, "5H5C5SJDXX", "5D", 0, 14), "args", "X"),
        ("hand", (0, "♥" * 20, "5D", 0, 14), "args", "?"),
        ("hand", (0, "", "5D", 0, 14), "args", ""),
        ("hand", (0, 5, "5D", 0, 14), "args", "hand takes side cards starter crib points"),
        ("hand", (2, "5H5C5SJD", "5D", 0, 29), "side", "no side 3"),
        ("penalty", (0, 3, 2), "args", "penalty way 2"),
        ("penalty", (0, 3, -1), "args", "penalty of -1"),
        ("penalty", (0, 47, 0), "points", "47 points for penalty"),
        ("muggins", (0, 3, 0), "side", "a side cannot call muggins on itself"),
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
    assert len(board.events) == 1
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
