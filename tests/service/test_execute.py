"""Orders carried out on the real firmware: each key once, and nobody overruns somebody else."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from rigs import wired
from service.room import CRIB, HAND, Room

from cribboard.service.orders import OrderError
from cribboard_core.events import PEG, SET, new_event


@pytest.fixture
def room(tmp_path: Path) -> Room:
    return Room(tmp_path)


def test_every_order_of_the_table_moves_the_pegs(room: Room) -> None:
    assert room.do("new", names=["Ann", "Bob"], dealer=2, start=[10, 0]) == (
        1,
        "New game to 121: Ann, Bob. Bob deals.",
    )
    assert room.do("peg", side=1, points=5) == (3, "Ann pegs 5, now at 15.")
    assert room.do("hand", side=2, **HAND) == (4, "Bob counts 29, now at 29.")
    assert room.do("hand", side=2, **CRIB)[1] == "Bob counts 12 in the crib, now at 41. Next deal: Ann deals."
    assert room.do("nibs", side=2)[1] == "Bob pegs 2 for nibs, now at 43."
    assert room.do("go", side=1)[1] == "Ann pegs 1 for a go or the last card, now at 16."
    assert room.do("penalty", side=1, points=2)[1] == "Bob pegs 2 for an error by Ann. Bob 45."
    assert room.do("penalty", side=1, points=3, back=True)[1] == "Ann goes back 3, now at 13."
    assert room.do("set", side=1, front=121)[1] == "Ann is set to 121, back peg at 12."
    assert room.do("false", side=1, score=110)[1].startswith("False claim of game by Ann")
    assert room.do("set", side=1, front=5, back=2)[1] == "Ann is set to 5, back peg at 2."
    assert room.do("deal")[1] == "The deal passes to Ann."
    assert room.do("deal", place=1)[1] == "The deal passes to Ann."
    assert room.do("undo", rev=room.rev)[1] == "Undid: The deal passes to Ann. Ann deals."
    assert room.do("redo", rev=room.rev - 1)[1] == "Redid: The deal passes to Ann. Ann deals."
    assert room.board.check()


def test_what_cannot_be_is_an_error_with_a_code_and_a_status(room: Room) -> None:
    def said(error: OrderError) -> tuple[str, int]:
        return error.code, error.status

    assert said(room.refused("peg", side=3, points=5)) == ("side", 409)
    assert said(room.refused("play", side=3, card="5H")) == ("side", 409)
    assert said(room.refused("hand", side=1, cards=HAND["cards"])) == ("order", 400)
    assert said(room.refused("hand", side=1, cards=HAND["cards"], starter="5H")) == ("order", 400)
    assert said(room.refused("set", side=1, front=5, back=5)) == ("order", 400)
    assert said(room.refused("new", names=["Ann"])) == ("order", 400)
    assert said(room.refused("new", teams=3)) == ("order", 400)
    assert said(room.refused("new", start=[1])) == ("order", 400)
    assert said(room.refused("new", target=61, start=[61, 0])) == ("order", 400)
    assert said(room.refused("undo", rev=1)) == ("nothing", 409)
    room.do("set", side=1, front=121)
    assert said(room.refused("peg", side=1, points=5)) == ("over", 409)
    assert said(room.refused("play", side=1, card="5H", again=True)) == ("over", 409)
    assert room.refused("peg", side=1, points=5).hint == "undo the last score, or start a new game"
    assert said(room.refused("undo", rev=5)) == ("rev", 409)
    assert room.rev == 1


def test_the_same_key_counts_once_and_gets_the_same_answer(room: Room) -> None:
    key = room.key()
    first = room.do("peg", side=1, points=5, key=key)
    room.do("peg", side=1, points=3)
    assert room.do("peg", side=1, points=5, key=key) == first == (1, "Orange pegs 5, now at 5.")
    room.restart()
    assert room.do("peg", side=1, points=5, key=key) == first
    assert room.do("peg", side=2, points=1, key=key, seen=0) == first  # whatever else it says
    assert room.fronts == (8, 0)


def test_the_key_of_a_command_that_was_killed_on_its_way_counts_once(room: Room) -> None:
    key = room.key()
    room.wired.wire.back = wired.silence
    room.wired.options["back"] = wired.silence
    assert room.refused("peg", side=1, points=5, key=key).code == "away"
    room.wired.options.pop("back")
    room.restart(killed=True)
    rev, text = room.do("peg", side=1, points=5, key=key)
    assert (rev, text) == (1, "Orange pegs 5, now at 5.")
    room.restart(killed=True)
    assert room.do("peg", side=1, points=5, key=key)[0] == 1
    assert wired.pegs(room.wired.firmware) == [5]


def test_a_key_whose_fate_is_not_known_never_counts_a_second_time(room: Room) -> None:
    key = room.key()
    room.board._sender.ledger.answer(key, 0)
    error = room.refused("peg", side=1, points=5, key=key)
    assert (error.code, error.status) == ("unknown", 409)
    with pytest.raises(Exception, match="nobody knows whether this counted"):
        room.board.command("peg", 0, 5, key=key)
    assert room.fronts == (0, 0)


def test_a_refused_key_may_be_sent_again_when_the_reason_is_gone(room: Room) -> None:
    key = room.key()
    room.do("set", side=2, front=121)
    assert room.refused("peg", side=1, points=5, key=key).code == "over"
    room.do("undo", rev=room.rev)
    room.do("peg", side=1, points=5, key=key)
    assert room.fronts == (5, 0)


def test_the_newest_keys_are_kept_and_the_oldest_go(room: Room) -> None:
    ledger = room.board._sender.ledger
    for number in range(300):
        ledger.answer(f"key{number}", number + 1)
    assert (len(ledger.answers), room.board.answer("key43"), room.board.answer("key44")) == (256, None, (45, ""))
    for number in range(300):
        room.do("play", side=1, card="5H", again=True)
        room.do("unplay", card="5H")
        assert len(room.carrier._answers) <= 256, number


def test_somebody_elses_score_for_the_same_side_is_told_before_it_is_doubled(room: Room) -> None:
    seen = room.rev
    room.do("peg", "phone 1", side=1, points=5, seen=seen)
    room.do("peg", "phone 1", side=1, points=2, seen=seen)  # one's own are known
    error = room.refused("peg", "phone 2", side=1, points=5, seen=seen)
    assert (error.code, error.status, error.message) == ("doubled", 409, "Another phone pegged 5 for orange just now")
    error = room.refused("peg", "phone 2", side=1, points=4, seen=seen)
    assert (error.code, error.status, error.message) == ("seen", 409, "meanwhile: Orange pegs 5, now at 5")
    room.now += 5
    room.do("peg", "phone 2", side=2, points=4, seen=seen)  # another side's harms nobody
    room.do("deal", "phone 2", seen=seen)  # nor does it harm a deal
    room.do("peg", "phone 2", side=1, points=5, seen=room.rev)
    assert room.fronts == (12, 4)
    assert room.refused("penalty", "phone 1", side=2, points=2, seen=seen).code == "seen"
    room.do("penalty", "phone 3", side=1, points=2, back=True)
    assert room.refused("set", "phone 1", side=1, front=3, seen=room.rev - 1).code == "seen"


def test_a_penalty_collides_with_what_was_pegged_for_those_who_get_its_points(room: Room) -> None:
    seen = room.rev
    room.do("peg", "phone 2", side=1, points=5)
    assert room.refused("penalty", "phone 1", side=2, points=2, seen=seen).code == "seen"
    room.do("penalty", "phone 1", side=1, points=2, seen=seen)
    assert room.refused("penalty", "phone 1", side=1, points=2, back=True, seen=seen).code == "seen"
    assert room.fronts == (5, 2)


def test_what_buttons_did_meanwhile_is_somebody_elses_too(room: Room) -> None:
    seen = room.rev
    room.wired.firmware.keeper.do((PEG, 0, 5, 0, 0))
    room.board.poll(0.1)
    assert room.refused("peg", side=1, points=5, seen=seen).code == "seen"
    assert room.table.fresh[-1].event.by == "the board's buttons"
    wired.take_over(room.wired)
    room.board.poll(0.1)
    assert room.table.fresh[-1].event.by == "another program"


def test_two_phones_that_pass_the_deal_or_begin_a_game_do_it_once(room: Room) -> None:
    seen = room.rev
    done = room.do("deal", "phone 1", seen=seen)
    assert room.do("deal", "phone 2", seen=seen) == done
    assert room.rev == done[0]
    assert room.refused("deal", "phone 2", seen=seen, place=1).code == "seen"
    room.do("peg", "phone 2", side=1, points=1, seen=seen)
    seen = room.rev
    room.do("new", "phone 1", seen=seen)
    assert room.refused("new", "phone 2", seen=seen).code == "seen"
    assert room.refused("peg", "phone 2", side=1, points=1, seen=seen).code == "seen"
    assert room.refused("peg", "phone 2", side=1, points=1, seen=99).code == "seen"


def test_an_undo_of_ones_score_meanwhile_is_told_as_well(room: Room) -> None:
    room.do("peg", "phone 1", side=1, points=5)
    seen = room.rev
    room.do("undo", "phone 2", rev=seen)
    error = room.refused("peg", "phone 1", side=1, points=3, seen=seen)
    assert error.message == "meanwhile: Undid: Orange pegs 5. Orange 0"


def test_after_a_restart_the_journal_tells_what_happened_since_it_was_seen(room: Room) -> None:
    room.do("peg", "phone 1", side=1, points=5)
    room.do("hand", side=2, **HAND)
    room.do("undo", rev=room.rev)
    room.do("redo", rev=room.rev - 1)
    room.restart()
    assert room.refused("peg", "phone 1", side=1, points=3, seen=0).code == "seen"
    assert room.refused("hand", "phone 1", side=2, **HAND).code == "counted"
    assert room.entry()["table"]["counted"] == [2]
    assert room.entry()["last"]["text"] == "Redid: Blue counts 29. Blue 29."


def test_a_hand_or_crib_is_counted_once_in_a_deal_unless_one_insists(room: Room) -> None:
    room.do("starter", card="5D")
    room.do("hand", side=1, cards=HAND["cards"])
    error = room.refused("hand", side=1, **HAND)
    assert (error.code, error.status, error.message) == (
        "counted",
        409,
        "Orange's hand was already counted in this deal",
    )
    room.do("hand", side=1, **CRIB)
    assert room.refused("hand", side=1, **CRIB).message == "Orange's crib was already counted in this deal"
    room.do("hand", side=1, again=True, **HAND)
    assert room.entry()["count"]["points"] == 29
    room.do("undo", rev=room.rev)
    room.do("deal")
    room.do("hand", side=1, **HAND)
    assert room.fronts == (70, 0)


def test_partners_have_a_hand_each(room: Room) -> None:
    room.do("new", names=["Ann", "Bob", "Cleo", "Dev"], teams=2)
    room.do("hand", side=1, **HAND)
    room.do("hand", side=1, cards=["4H", "4C", "6S", "JH"])
    assert room.refused("hand", side=1, **HAND).message == "Ann and Cleo's hand was already counted in this deal"


def test_a_card_of_the_play_pegs_what_it_makes_by_itself(room: Room) -> None:
    assert room.do("play", side=1, card="7C", again=True) == (0, "Orange plays the seven of clubs: seven.")
    key = room.key()
    first = room.do("play", side=2, card="8D", key=key, again=True)
    assert first == (1, "Blue plays the eight of diamonds: fifteen for two. Blue pegs 2, now at 2.")
    assert room.do("play", side=2, card="8D", key=key, again=True) == first
    table = room.entry()["table"]
    assert table["pile"] == [
        {"card": "7C", "side": 1, "points": 0, "text": "", "remark": "", "at": 0},
        {"card": "8D", "side": 2, "points": 2, "text": "fifteen for two", "remark": "", "at": 1},
    ]
    assert (table["running"], table["seen"]) == (15, ["7C", "8D"])
    assert not any(side["warned"] for side in room.entry()["sides"])  # though one is behind
    undo = room.entry()["undo"]
    assert undo and (undo["text"], undo.get("card")) == ("Blue pegs 2", "8D")
    room.do("go", side=2)
    assert room.entry()["table"]["running"] == 0
    assert room.do("clear")[1] == "The cards are cleared."
    assert room.entry()["table"]["seen"] == []


def test_with_its_points_a_card_is_said_to_go_and_to_come_again(room: Room) -> None:
    for side, card in enumerate(("7C", "8H"), 1):
        room.do("play", side=side, card=card, again=True)
    assert room.do("undo", rev=room.rev)[1] == "Undid: Blue pegs 2. Blue 0. The eight of hearts is taken back."
    assert room.do("redo", rev=room.rev - 1)[1] == "Redid: Blue pegs 2. Blue 2. The eight of hearts is laid again."


def test_no_more_wait_than_the_game_has_holes_left(room: Room) -> None:
    room.do("set", side=2, front=118)
    assert room.do("pend", side=2, points=12)[1] == "3 wait."
    assert room.board.waiting[1].points == 3
    room.do("set", side=1, front=121)
    for side in (1, 2):
        assert room.refused("pend", side=side, points=1).message == "the game is won"
        assert room.do("pend", side=side, points=0)[1] == "0 wait."


def test_asides_move_no_peg(room: Room) -> None:
    assert room.do("starter", card="5D")[1] == "The starter is the five of diamonds."
    assert room.do("starter", card=None)[1] == "There is no starter."
    room.do("play", side=1, card="7C", again=True)
    assert room.refused("starter", card="7C").code == "cards"
    assert room.do("unplay", card="7C")[1] == "The seven of clubs is taken back."
    assert room.do("names", names=["Ann", None])[1] == "The names are noted."
    assert room.do("pend", side=1, points=7)[1] == "7 wait."
    assert room.refused("pend", side=3, points=7).code == "side"
    entry = room.entry()
    assert [side["name"] for side in entry["sides"]] == ["Ann", None]
    assert [side["waiting"] for side in entry["sides"]] == [7, 0]
    assert room.rev == 0
    room.restart()
    assert room.board.names == {0: "Ann"}
    assert room.do("hand", side=2, cards=["2H", "3H", "8H", "KC"], starter="AC")[0] == 1


def test_whoever_wants_points_to_wait_has_a_number_that_a_board_takes(room: Room) -> None:
    assert {room.table.owner(f"phone {number}") for number in range(600)} == {*range(2, 252)}


def test_who_says_nothing_of_a_name_leaves_it(room: Room) -> None:
    room.do("names", names=["Ann", None])
    room.do("names", names=[None, "Bob"])
    assert room.board.names == {0: "Ann", 1: "Bob"}
    assert "both" in room.refused("names", names=[None, "ANN"]).message
    room.do("names", names=["", None])
    assert room.board.names == {1: "Bob"}


def test_the_entry_tells_the_whole_table(room: Room) -> None:
    room.do("new", names=["Ann", "Bob"])
    room.do("set", side=1, front=100)
    room.do("hand", side=2, **HAND)
    entry = room.entry()
    ann, bob = entry["sides"]
    assert ann == {
        "side": 1,
        "colour": "orange",
        "name": "Ann",
        "front": 100,
        "back": 0,
        "won": 0,
        "waiting": 0,
        "waiting_by": None,
        "lead": 71,
        "skunked": 0,
        "warned": False,
        "places": [1],
    }
    assert (bob["lead"], bob["warned"]) == (-71, True)
    assert entry["undo"] == {"rev": 3, "text": "Bob counts 29"}
    assert entry["redo"] is None
    assert entry["last"] == {"rev": 3, "kind": "hand", "side": 2, "points": 29, "text": "Bob counts 29, now at 29."}
    assert entry["dealer"] == {"place": 1, "side": 1, "colour": "orange", "name": "Ann"}
    assert (entry["crib"], entry["win"], entry["winner"]) == (1, None, None)
    shown = entry["count"]
    assert (shown["rev"], shown["side"], shown["crib"], shown["points"]) == (3, 2, False, 29)
    assert sum(part["points"] for part in shown["parts"]) == 29
    assert [part["text"] for part in shown["parts"]][-1] == "and nobs for twenty-nine"
    assert [part["name"] for part in shown["parts"]][-2:] == ["double pair royal", "nobs"]
    room.do("undo", rev=3)
    entry = room.entry()
    assert (entry["count"], entry["redo"]) == (None, {"rev": 3, "text": "Bob counts 29"})
    room.do("redo", rev=3)
    assert room.entry()["count"] == shown
    room.do("deal")
    assert room.entry()["count"] == shown
    room.do("peg", side=1, points=21)
    entry = room.entry()
    assert (entry["winner"], entry["win"]["side"]) == (1, 1)
    assert entry["win"]["text"].startswith("Ann wins with 121. Bob has 29, double-skunked.")
    assert entry["sides"][1]["skunked"] == 3
    room.do("new")
    assert room.entry()["count"] is None


@pytest.mark.parametrize("hands", [["2C", "4D", "6H", "8S"], ["AC", "AD", "2H", "3S"], ["3C", "3D", "4H", "5S"]])
def test_the_parts_of_a_count_add_up_step_by_step(room: Room, hands: list[str]) -> None:
    room.do("hand", side=1, cards=hands, starter="TC")
    shown = room.entry()["count"]
    assert shown is None or sum(part["points"] for part in shown["parts"]) == shown["points"]


def test_a_board_that_lost_its_memory_begins_the_marks_anew(room: Room) -> None:
    room.do("peg", side=1, points=5)
    room.do("hand", side=2, **HAND)
    room.wired.firmware.wipe()
    room.wired.wire.cut_in = 0
    room.board.poll(1.0)
    room.board.poll(1.0)
    assert room.fronts == (5, 29)
    assert room.table.has_lost()
    assert not room.table.has_lost()
    assert room.entry()["count"] is None
    room.do("peg", side=1, points=1, seen=room.rev)
    assert room.fronts == (6, 29)


def test_a_board_that_lost_its_newest_event_begins_the_marks_anew(room: Room) -> None:
    room.do("peg", side=1, points=5)
    room.do("hand", side=2, **HAND)
    room.wired.firmware.lose()
    room.wired.firmware.keeper.do((PEG, 1, 3, 0, 0))
    room.board.poll(1.0)
    assert room.fronts == (5, 3)
    assert room.table.has_lost()
    assert not room.table.has_lost()
    assert (room.entry()["count"], room.table.text(1)) == (None, "Orange 5, Blue 3.")


def test_of_an_order_whose_first_command_comes_too_late_nothing_is_done(room: Room) -> None:
    room.wired.wire.toward = room.wired.options["toward"] = wired.silence
    assert room.refused("new", names=["Ann", "Bob"], start=[5, 7]).code == "away"
    del room.wired.options["toward"]
    room.restart(killed=True, meanwhile=lambda: room.firmware.keeper.do((PEG, 1, 1, 0, 0)))
    room.carrier.tick()
    assert (room.rev, room.fronts, room.board.act) == (1, (0, 1), None)


def test_handicaps_that_a_kill_left_out_are_set_when_the_order_comes_again(room: Room) -> None:
    key = room.key()
    command: Callable[..., Any] = room.board.command

    def dies(op: str, *args: Any, **more: Any) -> Any:
        if op == "set":
            raise KeyboardInterrupt
        return command(op, *args, **more)

    room.board.command = dies
    with pytest.raises(KeyboardInterrupt):
        room.do("new", names=["Ann", "Bob"], start=[5, 7], key=key)
    room.restart(killed=True)
    assert room.fronts == (0, 0)
    for _ in range(2):
        assert room.do("new", names=["Ann", "Bob"], start=[5, 7], key=key)[0] == 1
        assert room.fronts == (5, 7)
    room.do("undo", rev=room.rev)
    room.do("peg", side=2, points=1)
    room.do("new", names=["Ann", "Bob"], start=[5, 7], key=key)
    assert room.fronts == (5, 1)


@pytest.mark.parametrize("meanwhile", ["peg", "undo", "new", "won"])
def test_handicaps_that_a_kill_left_out_are_set_when_the_kiosk_is_back_if_the_game_is_still_on(
    room: Room, meanwhile: str
) -> None:
    key = room.key()
    command: Callable[..., Any] = room.board.command

    def dies(op: str, *args: Any, **more: Any) -> Any:
        if op == "set" and args[0] == 1:
            raise KeyboardInterrupt
        return command(op, *args, **more)

    room.board.command = dies
    with pytest.raises(KeyboardInterrupt):
        room.do("new", names=["Ann", "Bob"], start=[5, 7], key=key)
    keeper, match = room.firmware.keeper, room.firmware.match
    done = {
        "peg": lambda: keeper.do((PEG, 1, 1, 0, 0)),
        "undo": lambda: (keeper.do(match.undo_event()), keeper.do(match.undo_event())),
        "new": lambda: keeper.do(new_event(121, 3, 2, 0, 91, 61)),
        "won": lambda: keeper.do((SET, 0, 121, 100, 0)),
    }
    room.restart(killed=True, meanwhile=done[meanwhile])
    room.carrier.tick()
    assert room.fronts == {"peg": (5, 8), "won": (121, 0)}.get(meanwhile, (0, 0))
    assert room.board.act is None
    before = room.rev, room.fronts
    assert room.do("new", names=["Ann", "Bob"], start=[5, 7], key=key)[0] == 1
    assert (room.rev, room.fronts) == before


def test_while_the_board_is_away_only_known_answers_are_given(room: Room) -> None:
    key = room.key()
    first = room.do("peg", side=1, points=5, key=key)
    room.restart()
    room.wired.wire.cut_in = 0
    room.wired.firmware.link.step = lambda: None
    room.board.poll(0.0)
    assert room.board.away is not None
    assert room.do("peg", side=1, points=5, key=key) == first == room.carrier.answer(key)
    with pytest.raises(OrderError) as asked:
        room.carrier.answer(room.key())  # it may have counted all the same
    for error in (asked.value, room.refused("peg", side=1, points=5)):
        assert (error.code, error.status) == ("away", 503)


@pytest.mark.parametrize(
    ("do", "fields"),
    [("peg", {"points": 3}), ("hand", HAND), ("go", {}), ("nibs", {})],
)
def test_what_waited_before_a_peg_is_gone_when_it_has_moved(room: Room, do: str, fields: dict[str, Any]) -> None:
    room.do("new", names=["Ann", "Bob"])
    room.do("pend", side=1, points=3)
    room.do("pend", side=2, points=7)
    room.do(do, side=1, **fields)
    assert [side["waiting"] for side in room.entry()["sides"]] == [0, 7]


def test_a_card_that_pegs_takes_away_what_waited(room: Room) -> None:
    room.do("new", names=["Ann", "Bob"])
    room.do("play", side=1, card="7H", again=True)
    room.do("pend", side=2, points=2)
    room.do("play", side=2, card="8S", again=True)
    assert [side["waiting"] for side in room.entry()["sides"]] == [0, 0]


def test_what_is_shown_too_late_is_not_shown(room: Room) -> None:
    room.do("new", names=["Ann", "Bob"])
    seen = room.rev
    room.do("peg", side=1, points=3)
    room.do("pend", side=1, points=3, seen=seen)
    room.do("pend", side=2, points=4, seen=seen)
    assert [side["waiting"] for side in room.entry()["sides"]] == [0, 4]


def test_points_that_wait_are_shown_as_those_of_whoever_entered_them(room: Room) -> None:
    room.do("new", names=["Ann", "Bob"])
    room.do("pend", "phone 2", side=1, points=9)
    room.firmware.entry.add(1, 5)
    room.board.sync()
    sides = room.entry()["sides"]
    assert [(side["waiting"], side["waiting_by"]) for side in sides] == [(9, "phone 2"), (5, "the board's buttons")]


def test_the_points_of_a_third_phone_are_that_phones(room: Room) -> None:
    for phone in ("phone 1", "phone 2", "phone 3"):
        room.do("pend", phone, side=1, points=4)
        assert room.entry()["sides"][0]["waiting_by"] == phone
        room.carrier.leave(phone)
        assert room.entry()["sides"][0]["waiting_by"] is None


def test_where_somebody_elses_points_wait_a_phone_is_told_whose(room: Room) -> None:
    room.do("new", names=["Ann", "Bob"])
    room.do("pend", "phone 2", side=1, points=9)
    error = room.refused("pend", "phone 1", side=1, points=4)
    assert (error.code, error.status) == ("waiting", 409)
    assert error.message == "9 already wait for Ann, entered by phone 2"
    room.firmware.entry.add(1, 5)
    error = room.refused("pend", "phone 1", side=2, points=4)
    assert error.message == "5 already wait for Bob, entered by the board's buttons"


def test_a_phone_that_clears_its_number_leaves_anothers_there(room: Room) -> None:
    room.do("new", names=["Ann", "Bob"])
    room.do("pend", "phone 2", side=1, points=9)
    room.do("pend", "phone 1", side=1, points=0)
    assert room.entry()["sides"][0]["waiting"] == 9
    room.carrier.leave("phone 1")
    assert room.entry()["sides"][0]["waiting"] == 9
    room.carrier.leave("phone 2")
    assert (room.entry()["sides"][0]["waiting"], room.firmware.entry.any) == (0, False)


def test_the_boards_points_stay_when_a_phone_pegs_for_the_same_side(room: Room) -> None:
    room.do("new", names=["Ann", "Bob"])
    room.firmware.entry.add(0, 5)
    room.do("peg", side=1, points=3)
    room.board.sync()
    assert room.entry()["sides"][0]["waiting"] == 5


@pytest.mark.parametrize(
    ("do", "fields"), [("new", {}), ("set", {"side": 2, "front": 9}), ("deal", {}), ("undo", {"rev": 2})]
)
def test_a_phones_points_go_with_what_changes_the_table(room: Room, do: str, fields: dict[str, Any]) -> None:
    room.do("new", names=["Ann", "Bob"])
    room.do("peg", side=2, points=3)
    room.do("pend", side=1, points=9)
    room.do(do, **fields)
    assert room.entry()["sides"][0]["waiting"] == 0


def test_the_starter_of_a_counted_hand_is_the_tables(room: Room) -> None:
    room.do("new", names=["Ann", "Bob"])
    room.do("hand", side=1, **HAND)
    assert room.entry()["table"]["starter"] == "5D"
    room.do("hand", side=2, cards=["6H", "7C", "8S", "9D"])
    crib = {"side": 2, "crib": True, "cards": ["AH", "AC", "AS", "KD"], "starter": "KH"}
    refused = room.refused("hand", **crib)
    assert (refused.code, refused.message) == ("starter", "the starter is the five of diamonds, not the king of hearts")
    room.do("hand", **crib, again=True)
    assert room.entry()["table"]["starter"] == "5D"


def test_nibs_are_known_until_they_are_undone_or_the_deal_passes(room: Room) -> None:
    room.do("new", names=["Ann", "Bob"], dealer=1)
    nibs = room.do("nibs", side=1)[0]
    assert room.entry()["table"]["nibs"]
    room.do("undo", rev=nibs)
    assert not room.entry()["table"]["nibs"]
    room.do("starter", card="JD")
    room.do("redo", rev=nibs)
    assert room.entry()["table"]["nibs"]
    room.do("clear")
    assert room.entry()["table"]["nibs"]
    room.do("undo", rev=nibs)
    assert not room.entry()["table"]["nibs"]
    room.do("deal")
    assert not room.entry()["table"]["nibs"]


def test_cards_of_the_deal_before_are_not_this_deals(room: Room) -> None:
    room.do("starter", card="KS")
    seen = room.rev
    room.do("deal", by="phone 2")
    assert room.refused("play", side=1, card="5H", seen=seen).code == "seen"
    assert room.refused("hand", side=1, seen=seen, **HAND).code == "seen"
    room.do("peg", side=1, points=2, seen=seen)
    assert room.table.deal.now.starter == -1


def test_nobody_plays_more_cards_than_he_has(room: Room) -> None:
    for card in ("AH", "2H", "3H", "4H"):
        room.do("play", side=1, card=card, again=True)
    assert "Orange has played all cards" in str(room.refused("play", side=1, card="5H"))
    room.do("play", side=2, card="5H", again=True)
    room.do("deal")
    room.do("play", side=1, card="5H", again=True)
