"""One phone cannot close a table: others' orders succeed beside it, and it needs a Yes to take back more of theirs."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from service.room import Room

from cribboard.service.orders import OrderError, read_order
from cribboard.service.restraint import ASKED_S, FAST, FAST_S, KEPT, MOST, WHILE_S
from cribboard.web.limits import Limits

JOKER, OTHER, STAFF = "phone 8", "phone 1", "staff ab12"


@pytest.fixture
def room(tmp_path: Path) -> Room:
    room = Room(tmp_path)
    room.do("new", target=121)
    return room


def undo(room: Room, by: str, address: str = "", own: int | None = None) -> None:
    order = {"do": "undo", "key": room.key(), "rev": room.entry()["undo"]["rev"], "own": own}
    room.carrier.do(read_order(order), by, address)


def undo_others(room: Room, times: int, by: str = JOKER, address: str = "") -> None:
    for _ in range(times):
        room.do("peg", OTHER, side=1, points=2)
        undo(room, by, address)


def fast_as_allowed(room: Room, side: Callable[[], int]) -> Iterator[None]:
    """Somebody who pegs and undoes, an order at each step of the time in which a phone may send one."""
    while True:
        with suppress(OrderError):
            room.do("peg", JOKER, side=side(), points=1)
        room.now += 1 / Limits().writes
        yield
        with suppress(OrderError):
            undo(room, JOKER)
        room.now += 1 / Limits().writes
        yield


@pytest.mark.parametrize("steps", [1, 4, 12, 13], ids="looked {} orders before".format)
def test_beside_somebody_who_pegs_and_undoes_as_fast_as_allowed_orders_of_others_succeed(
    room: Room, steps: int
) -> None:
    wanted, done = deque(1 + order % 2 for order in range(15)), []
    joker = fast_as_allowed(room, lambda: wanted[0])
    while wanted:
        for _ in range(5):
            next(joker)
        seen = room.rev
        for _ in range(steps):
            next(joker)
        with suppress(OrderError):
            done.append(room.do("peg", OTHER, side=wanted[0], points=5, seen=seen))
        for _ in range(4):
            next(joker)
        wanted.popleft()
    assert len(done) >= 14
    undone = [mark for mark in room.table.marks if mark.by == JOKER and mark.undone and "pegs 5" in mark.text]
    assert len(undone) <= MOST


def test_a_phone_that_has_undone_three_scores_of_others_needs_a_yes_for_the_next(room: Room) -> None:
    undo_others(room, MOST)
    room.do("peg", OTHER, side=1, points=2)
    with pytest.raises(OrderError, match="taken back 3 scores of others in five minutes") as caught:
        undo(room, JOKER)
    assert (caught.value.code, caught.value.status, room.fronts) == ("asked", 409, (2, 0))
    asked = {"phone": JOKER, "name": JOKER, "side": None, "rev": room.rev, "text": "Orange pegs 2"}
    assert room.entry()["asked"] == {**asked, "points": None}
    answer = room.do("allow", "phone 2", rev=room.rev, yes=True)
    assert (room.fronts, answer[1]) == ((0, 0), "Undid: Orange pegs 2. Orange 0.")
    assert room.table.fresh[-1].event.by == JOKER, "it is that phone's undo"
    assert room.entry()["asked"] is None


def test_who_says_no_keeps_the_score_and_is_not_asked_again(room: Room) -> None:
    undo_others(room, MOST)
    room.do("peg", OTHER, side=1, points=2)
    with pytest.raises(OrderError):
        undo(room, JOKER)
    answer = room.do("allow", OTHER, rev=room.rev, yes=False)
    assert answer == (room.rev, "No: the score stays, which phone 8 wanted to take back.")
    assert room.table.notices[-1]["full"] == answer[1]
    with pytest.raises(OrderError, match="want to keep that score") as caught:
        undo(room, JOKER)
    assert (caught.value.code, room.entry()["asked"], room.fronts) == ("no", None, (2, 0))


def test_an_answer_counts_once_under_its_key(room: Room) -> None:
    undo_others(room, MOST)
    room.do("peg", OTHER, side=1, points=2)
    room.do("peg", OTHER, side=1, points=3)
    with pytest.raises(OrderError):
        undo(room, JOKER)
    yes = read_order({"do": "allow", "key": room.key(), "rev": room.rev, "yes": True})
    assert room.carrier.do(yes, OTHER) == room.carrier.do(yes, OTHER)
    assert room.fronts == (2, 0)


def test_neither_the_same_phone_nor_its_address_nor_its_own_side_says_yes(room: Room) -> None:
    undo_others(room, MOST, address="192.168.1.8")
    room.do("peg", OTHER, side=1, points=2)
    with pytest.raises(OrderError):
        undo(room, JOKER, "192.168.1.8", own=2)

    def answer(by: str, address: str, own: int | None) -> None:
        order = {"do": "allow", "key": room.key(), "rev": room.rev, "yes": True, "own": own}
        room.carrier.do(read_order(order), by, address)

    for by, address, own in ((JOKER, "192.168.1.8", 1), ("phone 9", "192.168.1.8", 1), ("phone 9", "192.168.1.9", 2)):
        with pytest.raises(OrderError) as caught:
            answer(by, address, own)
        assert (caught.value.code, room.fronts) == ("own", (2, 0))
    answer("phone 9", "192.168.1.9", None)  # it keeps score for the whole table
    assert room.fronts == (0, 0)


def test_staff_say_yes_whatever_their_address_and_need_none_themselves(room: Room) -> None:
    undo_others(room, MOST, address="192.168.1.8")
    room.do("peg", OTHER, side=1, points=2)
    with pytest.raises(OrderError):
        undo(room, JOKER, "192.168.1.8")
    order = {"do": "allow", "key": room.key(), "rev": room.rev, "yes": True}
    room.carrier.do(read_order(order), STAFF, "192.168.1.8")
    undo_others(room, 2 * MOST, STAFF)
    assert room.fronts == (0, 0)


def test_own_scores_never_count(room: Room) -> None:
    for _ in range(3 * MOST):
        room.do("peg", JOKER, side=1, points=2)
        undo(room, JOKER)
    undo_others(room, MOST)


def test_after_five_minutes_three_more_are_free(room: Room) -> None:
    undo_others(room, MOST)
    room.now += WHILE_S
    undo_others(room, MOST)
    with pytest.raises(OrderError, match="taken back 3"):
        undo_others(room, 1)


def test_a_phone_in_a_private_window_is_counted_by_its_address(room: Room) -> None:
    for phone in range(MOST):
        undo_others(room, 1, f"phone {20 + phone}", "192.168.1.8")
    undo_others(room, 1, "phone 30", "192.168.1.9")
    with pytest.raises(OrderError, match="taken back 3"):
        undo_others(room, 1, "phone 31", "192.168.1.8")


def test_phones_whose_address_tells_nothing_are_counted_each(room: Room) -> None:
    for phone in range(2 * MOST):
        undo_others(room, 1, f"phone {20 + phone}")


def test_a_question_ends_with_its_time_and_with_the_next_score(room: Room) -> None:
    undo_others(room, MOST)
    room.do("peg", OTHER, side=1, points=2)
    with pytest.raises(OrderError):
        undo(room, JOKER)
    room.now += ASKED_S
    assert room.entry()["asked"] is None
    assert room.refused("allow", OTHER, rev=room.rev, yes=True).code == "late"
    with pytest.raises(OrderError):
        undo(room, JOKER)
    rev = room.rev
    room.do("peg", OTHER, side=2, points=1)
    assert room.entry()["asked"] is None
    assert room.refused("allow", OTHER, rev=rev, yes=True).code == "rev"
    assert room.fronts == (2, 1)


def test_a_score_that_was_not_seen_is_told_as_long_as_its_phone_scores_like_a_player(room: Room) -> None:
    for points in range(1, FAST):
        seen = room.rev
        room.do("peg", JOKER, side=1, points=points)
    assert room.refused("peg", OTHER, side=1, points=20, seen=seen).code == "seen"
    seen = room.rev
    room.do("peg", JOKER, side=1, points=1)
    room.do("peg", OTHER, side=1, points=20, seen=seen)
    room.now += FAST_S
    seen = room.rev
    room.do("peg", JOKER, side=1, points=2)
    assert room.refused("peg", OTHER, side=1, points=20, seen=seen).code == "seen"


def test_another_game_and_another_deal_are_told_whoever_began_them(room: Room) -> None:
    for _ in range(FAST):
        room.do("peg", JOKER, side=1, points=1)
    seen = room.rev
    room.do("deal", JOKER, seen=seen)
    assert room.refused("hand", OTHER, side=1, cards=["5H", "5C", "5S", "JD"], starter="5D", seen=seen).code == "seen"
    seen = room.rev
    room.do("new", JOKER, seen=seen)
    assert room.refused("peg", OTHER, side=1, points=2, seen=seen).code == "seen"


def test_only_so_many_phones_are_remembered(room: Room) -> None:
    for phone in range(KEPT + 10):
        room.table.restraint.meet(f"phone {phone}", "192.168.1.8")
        room.table.restraint.undone(f"phone {phone}", OTHER)
    assert len(room.table.restraint._addresses) == KEPT
    assert len(room.table.restraint._undos._times) == KEPT


@pytest.mark.parametrize("by", [JOKER, OTHER])
def test_an_undo_of_an_older_score_says_what_came_after_it(room: Room, by: str) -> None:
    room.do("peg", OTHER, side=1, points=6)
    rev = room.rev
    room.do("peg", JOKER, side=2, points=3)
    error = room.refused("undo", by, rev=rev)
    assert (error.code, error.message) == ("rev", "since then: Blue pegs 3, now at 3")
    assert error.hint == "only the newest score can be undone: undo that one first"


def test_an_undo_that_somebody_else_did_first_says_so(room: Room) -> None:
    room.do("peg", OTHER, side=1, points=6)
    rev = room.rev
    room.do("undo", JOKER, rev=rev)
    error = room.refused("undo", OTHER, rev=rev)
    assert (error.code, error.message) == ("rev", "since then: Undid: Orange pegs 6. Orange 0")
    assert error.hint == "look at the score, and do it again if it is still right"


def test_a_redo_that_somebody_else_did_first_says_so(room: Room) -> None:
    room.do("peg", OTHER, side=1, points=6)
    rev = room.rev
    room.do("undo", rev=rev)
    room.do("redo", JOKER, rev=rev)
    assert room.refused("redo", OTHER, rev=rev).message == "since then: Redid: Orange pegs 6. Orange 6"
