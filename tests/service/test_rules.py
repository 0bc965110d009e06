"""House rules at a table of phones: chosen with a new game, kept, and honoured by what the referee makes of them."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from rigs import hostile, wired
from rigs.disk import limited
from service.room import CRIB, HAND, Room

from cribboard.errors import TransportError
from cribboard.referee.options import Options
from cribboard.service import rules
from cribboard.service.latest_view import LatestView
from cribboard.service.rules import NAME, UNSEEN, Rules, check_rules
from cribboard.slots import Slots, newest
from cribboard_core.cards import parse_card
from cribboard_core.events import NEW, PEG, new_event

MANUAL = {"counting": "manual"}
SIXTEEN: dict[str, Any] = {"cards": ["4C", "5D", "6H", "6S"], "starter": "9H"}
PLAY = [(1, "7H"), (2, "8S"), (1, "KD"), (2, "6D"), (1, "5C"), (2, "QS"), (1, "2H"), (2, "AS")]


@pytest.fixture
def room(tmp_path: Path) -> Room:
    return Room(tmp_path)


def begun(room: Room, **chosen: Any) -> Room:
    """Ann and Bob begin a game by these rules; Bob deals."""
    room.do("new", names=["Ann", "Bob"], dealer=2, rules=chosen)
    return room


# Chosen with a new game


def test_a_game_begins_by_the_rules_that_were_chosen_and_says_so(room: Room) -> None:
    said = room.do("new", names=["Ann", "Bob"], dealer=2, rules={**MANUAL, "muggins": True, "time_limit": 30})[1]
    assert said == ("New game to 121: Ann, Bob. Bob deals. House rules: players count, muggins, 30 seconds to count.")
    shown = room.entry()["rules"]
    assert shown["words"] == ["players count", "muggins", "30 seconds to count"]
    assert (shown["manual"], shown["options"]["muggins"], shown["options"]["overcount"]) == (True, True, False)


def test_rules_stay_for_the_games_that_follow_on_phones_and_buttons(room: Room) -> None:
    begun(room, **MANUAL).do("peg", side=1, points=2)
    room.do("new")
    assert room.entry()["rules"]["manual"]
    room.do("peg", side=1, points=2)
    again = next(row.as_folded for row in reversed(room.board.events()) if row.kind == NEW)
    room.firmware.keeper.do(again)
    room.board.poll(0.1)
    assert room.entry()["rules"]["manual"]
    room.do("new", rules={})
    assert room.entry()["rules"] == {"options": Options().to_json(), "words": [], "manual": False}


def test_a_game_that_is_taken_back_takes_its_rules_with_it(room: Room) -> None:
    begun(room, **MANUAL).do("peg", side=1, points=2)
    room.do("new", rules={"playroom": True})
    assert room.entry()["rules"]["words"] == ["playroom"]
    room.do("undo", rev=room.rev)
    assert room.entry()["rules"]["words"] == ["players count"]
    room.do("redo", rev=room.rev - 1)
    assert room.entry()["rules"]["words"] == ["playroom"]


def test_the_rules_of_a_game_that_was_taken_back_do_not_come_back_with_the_buttons(room: Room) -> None:
    begun(room, **MANUAL).do("peg", side=1, points=2)
    room.do("new", rules={"playroom": True})
    room.do("undo", rev=room.rev)
    room.firmware.keeper.do(new_event(121, 0b11, 2, 0, 90, 60))
    room.board.poll(0.1)
    assert room.entry()["rules"]["words"] == ["players count"]


@pytest.mark.parametrize("killed", [False, True])
def test_a_restart_knows_the_rules(room: Room, killed: bool) -> None:
    begun(room, playroom=True, nineteen=True)
    room.restart(killed=killed)
    assert room.entry()["rules"]["words"] == ["playroom", "nineteen for nothing"]


def test_a_kiosk_killed_before_it_noted_the_rules_knows_them_when_it_is_back(room: Room) -> None:
    order = {"names": ["Ann", "Bob"], "rules": {**MANUAL, "time_limit": 30}, "key": room.key()}
    room.do("new", **order)
    notes = room.notes.with_name(NAME)
    room.restart(killed=True, meanwhile=notes.unlink)
    assert room.entry()["rules"]["words"] == ["players count", "30 seconds to count"]
    room.do("new", **order)
    room.restart()
    assert room.entry()["rules"]["words"] == ["players count", "30 seconds to count"]


def test_a_board_that_begins_another_journal_keeps_the_newest_rules(tmp_path: Path) -> None:
    mine = Rules(tmp_path, 1)
    mine.note(5, Options())
    mine.note(9, Options(playroom=True))
    mine.note(9, Options(playroom=True))
    assert [mine.of(game).playroom for game in (4, 5, 8, 9, 40)] == [False, False, False, True, True]
    other = Rules(tmp_path, 2)
    assert other.of(0).playroom
    mine.begin(3)
    assert Rules(tmp_path, 3).of(0).playroom
    mine.note(6, Options())
    mine.begin(3)  # the same journal, of which the newest events were lost
    assert mine.of(7) == Rules(tmp_path, 3).of(2) == Options()
    Rules(tmp_path / "none", 1).begin(2)


def test_only_the_newest_games_are_kept(tmp_path: Path) -> None:
    mine = Rules(tmp_path, 1)
    for game in range(1, 40):
        mine.note(game, Options(playroom=bool(game % 2)))
    assert len(json.loads(newest((tmp_path / NAME).read_bytes()))["games"]) == rules.KEPT


@pytest.mark.parametrize("text", ["", "[]"])
def test_a_file_that_cannot_be_read_has_no_rules(tmp_path: Path, text: str) -> None:
    (tmp_path / NAME).write_text(text)
    assert Rules(tmp_path, 1).of(9) == Options()


def test_whatever_is_changed_in_the_file_is_taken_or_refused_where_it_stands(tmp_path: Path) -> None:
    mine = Rules(tmp_path, 1)
    mine.note(9, Options(playroom=True))
    for path, data in hostile.changes(json.loads(newest((tmp_path / NAME).read_bytes()))):
        (tmp_path / NAME).unlink()
        Slots(tmp_path / NAME, 4096).write(json.dumps(data))
        read = Rules(tmp_path, 1)
        if read.broken:
            assert path[0] == "games" or "(epoch: " in str(read.broken), path
            assert len(path) < 3 or "(game 1: " in str(read.broken), path
            assert read.of(9) == Options(), path
        else:
            assert isinstance(read.of(9), Options), path


def test_rules_that_cannot_be_written_hold_until_they_can(tmp_path: Path) -> None:
    mine = Rules(tmp_path, 1)
    with limited():
        mine.note(3, Options(playroom=True))
        assert mine.of(3).playroom
        assert "cannot be written" in str(mine.slots.unwritten)
    mine.slots.keep_again()
    assert Rules(tmp_path, 1).of(3).playroom


@pytest.mark.parametrize("name", UNSEEN)
def test_a_rule_that_phones_cannot_watch_is_refused_with_what_to_do_instead(room: Room, name: str) -> None:
    rules = {"misdeal": {"misdeal": 2}, "too_many": {"tournament": True, "too_many": 2004, **MANUAL}}
    refused = room.refused("new", names=["Ann", "Bob"], rules=rules.get(name, {name: True}))
    assert (refused.code, refused.message) == ("rules", f"phones cannot play by the rule {name}")
    assert refused.hint == UNSEEN[name]
    assert room.rev == 0


@pytest.mark.parametrize(
    ("chosen", "why"),
    [
        ({"mugins": True}, "there is no option 'mugins'"),
        ({"muggins": True}, "it also needs counting=manual"),
        ({"muggins": 1, **MANUAL}, "muggins cannot be 1; it is off or on"),
        ({"time_limit": 30.0, **MANUAL}, "time_limit cannot be 30.0"),
        ({"counting": []}, "counting cannot be []"),
        ({"playroom": True, "overcount": True}, "playroom already includes"),
        ({"tournament": True}, "in a tournament the kiosk counts for nobody"),
    ],
)
def test_rules_that_make_no_sense_are_refused_in_words(room: Room, chosen: dict[str, Any], why: str) -> None:
    refused = room.refused("new", names=["Ann", "Bob"], rules=chosen)
    assert (refused.code, refused.status) == ("rules", 400)
    assert why in refused.message


def test_partners_have_no_time_limit(room: Room) -> None:
    refused = room.refused("new", names=["A", "B", "C", "D"], teams=2, rules={**MANUAL, "time_limit": 30})
    assert refused.message == "the time limit is for single players"
    begun(room, **MANUAL, time_limit=30).do("new", names=["A", "B", "C", "D"], teams=2)
    assert room.entry()["rules"]["words"] == ["players count"]


def test_partners_who_begin_with_the_buttons_have_no_time_limit_either(room: Room) -> None:
    begun(room, **MANUAL, time_limit=30).do("peg", side=1, points=2)
    room.firmware.keeper.do(new_event(121, 0b1111, 2, 3, 90, 60))
    room.board.poll(0.1)
    assert room.entry()["rules"]["words"] == ["players count"]


def test_no_time_runs_for_partners_whose_rules_had_a_limit(room: Room) -> None:
    room.do("new", names=["A", "B", "C", "D"], teams=2, dealer=4, rules=MANUAL)
    room.table.rules.note(room.board.match.game, Options(counting="manual", time_limit=30))
    room.do("starter", card="9H")
    for rank in "A234":
        for side, suit in ((1, "C"), (2, "D"), (1, "H"), (2, "S")):
            room.do("play", side=side, card=rank + suit, again=True)
        if rank == "2":
            room.do("go", side=2)
    assert room.entry()["claims"] is None
    assert not waits(room, 31)


def test_what_is_no_object_is_no_rules(room: Room) -> None:
    assert room.refused("new", rules=["muggins"]).message == "rules: ['muggins'] is not an object"
    assert check_rules({}, 2, 2) == Options()


# Who counts


def test_where_the_kiosk_counts_nobody_says_points_and_where_players_count_everybody_does(room: Room) -> None:
    assert room.refused("hand", side=1, claim=29, **HAND).message == "the kiosk counts here"
    assert room.refused("play", side=1, card="5H", claim=2, again=True).message == "the kiosk counts here"
    begun(room, **MANUAL)
    assert room.refused("hand", side=1, **HAND).message == "the players count here"
    assert room.fronts == (0, 0)


@pytest.mark.parametrize(
    ("chosen", "claim", "fronts", "said"),
    [
        (MANUAL, 16, (16, 0), "Ann's hand four of clubs, five of diamonds, six of hearts, six of spades with"),
        (MANUAL, 12, (12, 0), "Ann claims twelve; the hand counts sixteen: fifteen two,"),
        (MANUAL, 18, (16, 0), "Ann claims eighteen; the hand counts sixteen: fifteen two,"),
        (MANUAL, 0, (0, 0), "Ann claims nothing; the hand counts sixteen: fifteen two,"),
        ({**MANUAL, "overcount": True}, 18, (16, 2), "Bob takes the two overclaimed."),
        ({**MANUAL, "overcount": True}, 12, (12, 0), "Ann claims twelve; the hand counts sixteen"),
        ({"playroom": True}, 12, (12, 4), "Bob takes the four missed."),
        ({"playroom": True}, 0, (0, 16), "Bob takes the sixteen missed."),
        ({"playroom": True}, 17, (16, 1), "Bob takes the one overclaimed."),
        ({**MANUAL, "muggins": True}, 12, (12, 0), "Ann claims twelve. Ann pegs 12, now at 12."),
        ({**MANUAL, "muggins": True}, 16, (16, 0), "Ann claims sixteen. Ann pegs 16, now at 16."),
        ({**MANUAL, "nineteen": True}, 12, (12, 0), "Ann claims twelve"),
    ],
)
def test_a_claimed_hand_pegs_what_the_referee_makes_of_it(
    room: Room, chosen: dict[str, Any], claim: int, fronts: tuple[int, int], said: str
) -> None:
    assert said in begun(room, **chosen).do("hand", side=1, claim=claim, **SIXTEEN)[1]
    assert room.fronts == fronts
    table = room.entry()["table"]
    assert (table["counted"], table["starter"]) == ([1], "9H")
    again = room.refused("hand", side=1, claim=claim, **SIXTEEN)
    assert again.code == ("stands" if "muggins" in chosen else "counted")


def test_nineteen_is_nothing_where_it_is_played(room: Room) -> None:
    nothing = {"cards": ["2C", "4D", "6H", "8S"], "starter": "KC"}
    begun(room, **MANUAL, nineteen=True).do("hand", side=1, claim=19, **nothing)
    assert (room.fronts, room.entry()["count"]["text"]) == ((0, 0), "nineteen")


def test_nineteen_is_said_in_the_news_where_it_is_played(room: Room) -> None:
    for chosen, said in (
        ({"nineteen": True}, "with the king of clubs: nineteen. Ann counts 0, now at 0."),
        ({}, "with the king of clubs: nothing. Ann counts 0, now at 0."),
    ):
        begun(room, **chosen).do("hand", side=1, cards=["2C", "4D", "6H", "8S"], starter="KC")
        assert room.table.fresh[-1].news["full"].endswith(said)


@pytest.mark.parametrize(
    ("chosen", "claim"),
    [(MANUAL, 16), ({**MANUAL, "overcount": True}, 18), ({"playroom": True}, 12), (MANUAL, 0), ({"playroom": True}, 0)],
)
def test_the_newest_event_of_a_count_is_that_of_its_claim_whatever_goes_to_others(
    room: Room, chosen: dict[str, Any], claim: int
) -> None:
    begun(room, **chosen).do("hand", side=1, claim=claim, **SIXTEEN)
    entry = room.entry()
    assert entry["count"]["newest"] == entry["last"]["rev"]
    room.do("peg", side=2, points=1)
    assert room.entry()["count"]["newest"] < room.rev


@pytest.mark.parametrize("again", [False, True])
def test_a_side_that_does_not_play_claims_nothing(room: Room, again: bool) -> None:
    begun(room, **MANUAL)
    assert room.refused("hand", side=6, claim=0, again=again, **SIXTEEN).code == "side"
    assert room.entry()["table"]["counted"] == []


def test_a_claim_after_the_game_is_won_is_refused_and_counts_once_that_is_undone(room: Room) -> None:
    begun(room, **MANUAL).do("set", side=2, front=121, back=100)
    assert room.refused("hand", side=1, claim=16, **SIXTEEN).code == "over"
    room.do("undo", rev=room.rev)
    room.do("hand", side=1, claim=16, **SIXTEEN)
    assert room.fronts == (16, 0)


def test_a_claim_for_a_hand_of_nothing_says_so_once(room: Room) -> None:
    said = begun(room, **MANUAL).do("hand", side=1, claim=2, cards=["2C", "4D", "6H", "8S"], starter="KC")[1]
    assert said == "Ann claims two; the hand counts nothing. Ann counts 0, now at 0."


def test_partners_claim_together(room: Room) -> None:
    room.do("new", names=["Ann", "Bob", "Cleo", "Dan"], teams=2, rules=MANUAL)
    assert "Ann and Cleo claim twelve; the hand counts sixteen" in room.do("hand", side=1, claim=12, **SIXTEEN)[1]


def test_a_claimed_crib_ends_the_deal_whatever_it_pegged(room: Room) -> None:
    begun(room, **MANUAL).do("starter", card="5D")
    room.do("hand", side=2, claim=3, **CRIB)
    assert (room.entry()["deal"]["asked"], room.fronts) == ("next", (0, 3))
    room.do("undo", rev=room.rev)
    assert (room.entry()["deal"]["asked"], room.fronts) == (None, (0, 0))


def test_a_card_pegs_what_is_said_with_it(room: Room) -> None:
    begun(room, **MANUAL).do("play", side=1, card="7H")
    assert room.do("play", side=2, card="8S", claim=2)[1] == (
        "Bob plays the eight of spades: fifteen for two. Bob pegs 2, now at 2."
    )
    assert room.do("play", side=1, card="8D")[1] == (
        "Ann plays the eight of diamonds: twenty-three. Ann claims nothing; the card makes two."
    )
    assert room.do("play", side=2, card="2C", claim=1)[1] == (
        "Bob plays the two of clubs: twenty-five. Bob claims one; the card makes nothing."
    )
    assert room.fronts == (0, 2)
    assert [laid["points"] for laid in room.entry()["table"]["pile"]] == [0, 2, 0, 0]


def test_a_card_that_is_overclaimed_goes_to_the_others_and_comes_back_with_undo(room: Room) -> None:
    begun(room, playroom=True).do("play", side=1, card="7H", claim=3)
    assert room.fronts == (0, 3)
    assert room.refused("unplay", card="7H").code == "pegged"
    room.do("undo", rev=room.rev)
    assert (room.fronts, room.entry()["table"]["pile"]) == ((0, 0), [])


def test_the_same_claim_counts_once_over_a_restart(room: Room) -> None:
    begun(room, playroom=True)
    order = {"side": 1, "claim": 0, "key": room.key(), **SIXTEEN}
    first = room.do("hand", **order)
    room.restart()
    assert room.do("hand", **order) == first
    room.restart(killed=True)
    assert room.do("hand", **order) == first
    assert room.fronts == (0, 16)
    assert room.entry()["count"]["claimed"] == 0


def test_a_claim_of_nothing_that_moved_no_peg_counts_once_over_a_restart(room: Room) -> None:
    begun(room, **MANUAL)
    order = {"side": 1, "claim": 0, "key": room.key(), **SIXTEEN}
    room.do("hand", **order)
    room.restart(killed=True)
    assert room.do("hand", **order) == (room.rev, "Ann claims nothing.")
    assert room.entry()["table"]["counted"] == [1]


@pytest.mark.parametrize("lines", [2, 3])
def test_a_kiosk_killed_between_a_claim_and_its_notes_knows_it_when_it_is_back(room: Room, lines: int) -> None:
    begun(room, playroom=True)
    order = {"side": 1, "claim": 12, "key": room.key(), **SIXTEEN}
    room.do("hand", **order)
    kept = room.notes.read_text().splitlines()[:lines]
    room.restart(killed=True, meanwhile=lambda: room.notes.write_text("".join(f"{line}\n" for line in kept)))
    for _ in range(2):
        assert (room.entry()["table"]["counted"], room.fronts) == ([1], (12, 4))
        room.do("hand", **order)


def test_a_button_between_a_claim_and_what_goes_to_the_others_takes_nothing_from_them(room: Room) -> None:
    begun(room, playroom=True)
    command = room.table.command

    def pressed(op: str, *args: Any, **more: Any) -> Any:
        happened = command(op, *args, **more)
        if op == "peg":
            room.firmware.keeper.do((PEG, 0, 1, 0, 0))
            room.board.poll(0.1)
        return happened

    room.table.command = pressed  # type: ignore[method-assign]
    room.do("hand", side=1, claim=12, **SIXTEEN)
    assert room.fronts == (13, 4)


@pytest.mark.parametrize(
    ("chosen", "claim", "pegged", "remark"),
    [
        (MANUAL, 16, 16, ""),
        (MANUAL, 12, 12, "worth 16"),
        (MANUAL, 18, 16, "claimed 18"),
        ({**MANUAL, "overcount": True}, 18, 16, "claimed 18, 2 to Bob"),
        ({**MANUAL, "overcount": True, "muggins": True}, 18, 16, "claimed 18, 2 to Bob"),
        ({**MANUAL, "muggins": True}, 12, 12, ""),  # nobody learns from it what was missed
        ({**MANUAL, "muggins": True}, 16, 16, ""),
        ({"playroom": True}, 12, 12, "worth 16, 4 to Bob"),
        ({"playroom": True}, 18, 16, "claimed 18, 2 to Bob"),
    ],
)
def test_the_number_shown_is_the_number_pegged_and_what_went_to_others_is_beside_it(
    room: Room, chosen: dict[str, Any], claim: int, pegged: int, remark: str
) -> None:
    begun(room, **chosen).do("hand", side=1, claim=claim, **SIXTEEN)
    shown = room.entry()["count"]
    assert (shown["pegged"], shown["remark"]) == (pegged, remark)
    assert room.fronts[0] == pegged


def test_what_a_count_gave_to_several_sides_went_to_each(room: Room) -> None:
    room.do("new", names=["Ann", "Bob", "Cleo"], rules={"playroom": True})
    room.do("hand", side=1, claim=12, **SIXTEEN)
    assert room.entry()["count"]["remark"] == "worth 16, 4 to each other side"


@pytest.mark.parametrize(
    ("chosen", "claim", "points", "remark"),
    [
        (MANUAL, 2, 2, ""),
        (MANUAL, 1, 1, "worth 2"),
        (MANUAL, 3, 2, "claimed 3"),
        ({**MANUAL, "overcount": True}, 3, 2, "claimed 3, 1 to Ann"),
        ({**MANUAL, "muggins": True}, 1, 1, ""),
        ({"playroom": True}, 0, 0, "worth 2, 2 to Ann"),
    ],
)
def test_so_it_is_with_a_card(room: Room, chosen: dict[str, Any], claim: int, points: int, remark: str) -> None:
    begun(room, **chosen).do("play", side=1, card="7H", claim=0)
    room.do("play", side=2, card="8S", claim=claim)
    shown = room.entry()["table"]["pile"][-1]
    assert (shown["points"], shown["remark"]) == (points, remark)
    assert room.fronts[1] == points
    room.restart(killed=True)
    assert room.entry()["table"]["pile"][-1] == shown


# Muggins


def muggins(room: Room, points: int, side: int = 2, other: int = 1) -> str:
    return room.do("muggins", side=side, points=points, **{"from": other})[1]


def test_muggins_is_called_only_where_it_is_played(room: Room) -> None:
    begun(room, **MANUAL).do("hand", side=1, claim=12, **SIXTEEN)
    refused = room.refused("muggins", side=2, points=4, **{"from": 1})
    assert (refused.code, refused.message) == ("rules", "muggins is not played here")


def test_points_that_were_missed_are_called_once(room: Room) -> None:
    begun(room, **MANUAL, muggins=True).do("hand", side=1, claim=12, **SIXTEEN)
    assert room.entry()["open"] == 1
    assert (
        muggins(room, 4)
        == "Muggins: Bob takes four that Ann missed. Bob pegs 4 by muggins for an error by Ann, now at 4."
    )
    assert (room.fronts, room.entry()["open"]) == ((12, 4), None)
    assert room.refused("muggins", side=2, points=4, again=True, **{"from": 1}).code == "closed"
    room.do("undo", rev=room.rev)
    assert (room.fronts, room.entry()["open"]) == ((12, 0), 1)


def test_points_that_were_not_missed_go_to_whom_they_were_called_on(room: Room) -> None:
    begun(room, **MANUAL, muggins=True).do("hand", side=1, claim=16, **SIXTEEN)
    said = "Bob calls three that Ann has not missed, and gives them away. Ann 19, Bob 0."
    assert muggins(room, 3) == said
    assert (room.fronts, room.entry()["open"]) == ((19, 0), 1)
    room.do("peg", "phone 2", side=2, points=3)  # nobody asks whether Bob has pegged them already
    assert room.fronts == (19, 3)


def test_a_wrong_call_is_not_told_as_points_that_were_missed(room: Room) -> None:
    begun(room, **MANUAL, muggins=True).do("hand", side=1, claim=16, **SIXTEEN)
    muggins(room, 3)
    assert room.entry()["last"]["text"] == "Ann pegs 3 by muggins for an error by Bob, now at 19."
    given = "Ann pegs 3 by muggins for an error by Bob, now at 19."
    full = f"Bob calls three that Ann has not missed, and gives them away. {given}"
    assert room.table.fresh[-1].news["full"] == full


def test_nothing_can_be_called_on_a_claim_of_too_much(room: Room) -> None:
    begun(room, **MANUAL, muggins=True, overcount=True).do("hand", side=1, claim=18, **SIXTEEN)
    assert room.entry()["open"] is None
    assert room.refused("muggins", side=2, points=1, **{"from": 1}).code == "closed"
    room.do("deal")
    room.do("play", side=2, card="7H", claim=1)
    assert room.entry()["open"] is None


def test_after_a_win_nothing_can_be_called_and_the_count_is_shown(room: Room) -> None:
    begun(room, **MANUAL, muggins=True).do("set", side=1, front=110, back=100)
    room.do("hand", side=1, claim=12, **SIXTEEN)
    entry = room.entry()
    assert (entry["winner"], entry["open"], entry["count"]["points"]) == (1, None, 16)
    assert room.refused("muggins", side=2, points=4, **{"from": 1}).code == "closed"


def test_nobody_calls_muggins_on_his_own_side(room: Room) -> None:
    begun(room, **MANUAL, muggins=True).do("hand", side=1, claim=12, **SIXTEEN)
    refused = room.refused("muggins", side=1, points=4, **{"from": 1})
    assert refused.message == "you cannot call muggins on your own side"


def test_until_it_can_no_longer_be_called_nothing_shows_what_was_missed(room: Room) -> None:
    begun(room, **MANUAL, muggins=True)
    shown = []
    for claim in (16, 12):
        room.do("hand", side=1, claim=claim, **SIXTEEN)
        entry = room.entry()
        news = room.table.fresh[-1].news
        shown.append(json.dumps([entry["count"], entry["last"], entry["undo"], entry["table"], news]))
        room.do("undo", rev=room.rev)
    assert "fifteen" not in shown[0]
    named = {"twelve": "sixteen", "12": "16"}
    for word, other in named.items():
        shown[1] = shown[1].replace(word, other)
    number = r'"(rev|newest)": \d+'
    assert re.sub(number, "", shown[0]) == re.sub(number, "", shown[1])


@pytest.mark.parametrize("cards", [["4C", "5D", "6H", "6S"], ["2C", "4D", "6H", "8S"]])
def test_with_muggins_a_claim_of_nothing_moves_no_peg_whether_it_is_right_or_not(room: Room, cards: list[str]) -> None:
    begun(room, **MANUAL, muggins=True).do("starter", card="KC")
    rev = room.rev
    assert room.do("hand", side=1, claim=0, cards=cards)[1] == "Ann claims nothing."
    assert (room.rev, room.entry()["open"], room.entry()["table"]["counted"]) == (rev, 1, [1])


@pytest.mark.parametrize("do", ["peg", "play", "quiet", "hand", "nothing"])
def test_the_next_card_or_count_closes_a_claim_and_all_hear_what_was_missed(room: Room, do: str) -> None:
    begun(room, **MANUAL, muggins=True).do("hand", side=1, claim=12, **SIXTEEN)
    order: dict[str, Any] = {
        "peg": {"do": "peg", "side": 2, "points": 3},
        "play": {"do": "play", "side": 2, "card": "KD", "claim": 0, "again": True},
        "quiet": {"do": "play", "side": 1, "card": "KD"},
        "hand": {"do": "hand", "side": 2, "cards": ["2C", "2D", "3H", "KS"], "claim": 6},
        "nothing": {"do": "hand", "side": 2, "cards": ["2C", "2D", "3H", "KS"], "claim": 0},
    }[do]
    assert room.do(**order)[1].endswith("Nobody called the four that Ann missed.")
    entry = room.entry()
    assert entry["open"] == (2 if do in ("hand", "play", "nothing") else 1 if do == "quiet" else None)
    if do != "quiet":  # there Ann's card can be called
        assert room.refused("muggins", side=2, points=4, **{"from": 1}).code == "closed"


def test_what_all_have_heard_cannot_be_called_after_undo_either(room: Room) -> None:
    begun(room, **MANUAL, muggins=True).do("hand", side=1, claim=12, **SIXTEEN)
    room.do("peg", side=2, points=3)
    room.do("undo", rev=room.rev)
    assert (room.entry()["open"], room.entry()["count"]["points"]) == (None, 16)
    room.restart()
    assert room.entry()["open"] is None


def test_a_restart_knows_an_open_claim(room: Room) -> None:
    begun(room, **MANUAL, muggins=True).do("play", side=1, card="7H")
    room.do("play", side=2, card="8S")
    room.restart(killed=True)
    assert room.entry()["open"] == 2
    assert room.entry()["table"]["pile"][-1]["text"] == ""
    muggins(room, 2, 1, 2)
    assert room.fronts == (2, 0)
    room.restart()
    assert room.entry()["table"]["pile"][-1]["text"] == "fifteen for two"


def test_where_phones_tell_only_points_muggins_is_counted_as_it_is_said(room: Room) -> None:
    begun(room, **MANUAL, muggins=True).do("peg", side=1, points=12)
    assert muggins(room, 4) == "Bob pegs 4 by muggins for an error by Ann, now at 4."


@pytest.mark.parametrize("restarts", [False, True])
def test_a_claim_of_nothing_came_with_its_card_whatever_was_pegged_before(room: Room, restarts: bool) -> None:
    begun(room, **MANUAL, muggins=True).do("peg", side=1, points=2)
    room.do("deal")
    for side, card in ((2, "7H"), (1, "8S"), (2, "KD")):
        room.do("play", side=side, card=card, claim=0, again=True)
    if restarts:
        room.restart(killed=True)
    assert room.refused("muggins", side=2, points=20, **{"from": 1}).code == "closed"
    room.do("clear")
    assert room.refused("muggins", side=2, points=20, **{"from": 1}).code == "closed"
    room.do("peg", side=1, points=3)
    muggins(room, 4)
    assert room.fronts == (5, 4)


@pytest.mark.parametrize("do", ["hand", "crib"])
def test_what_was_claimed_with_cards_cannot_be_called_in_the_next_deal(room: Room, do: str) -> None:
    begun(room, **MANUAL, muggins=True).do("starter", card="9H")
    room.do("hand", side=1, claim=0, **SIXTEEN)
    room.do("hand", side=2, claim=0, cards=["TS", "JH", "QC", "KD"], crib=True)
    room.do("deal")
    side, other = (2, 1) if do == "hand" else (1, 2)
    assert room.refused("muggins", side=side, points=20, **{"from": other}).code == "closed"


def test_passing_the_deal_closes_the_claim_of_its_crib_and_all_hear_what_was_missed(room: Room) -> None:
    begun(room, **MANUAL, muggins=True).do("starter", card="9H")
    room.do("hand", side=2, claim=3, cards=["5D", "5H", "JC", "TS"], crib=True)
    count = room.entry()["count"]["points"]
    assert "Nobody called the ten that Bob missed." in room.do("deal")[1]
    assert (count, room.entry()["count"]["points"]) == (3, 13)
    room.do("undo", rev=room.rev)
    assert room.entry()["open"] is None
    assert room.refused("muggins", side=1, points=7, **{"from": 2}).code == "closed"


@pytest.mark.parametrize("right", [False, True])
def test_with_muggins_a_slip_is_taken_back_whether_it_was_claimed_right_or_not(room: Room, right: bool) -> None:
    begun(room, **MANUAL, muggins=True).do("play", side=1, card="7H")
    card = "9S" if right else "8S"
    room.do("play", side=2, card=card, claim=0)
    assert room.entry()["open"] == 2
    room.do("unplay", card=card)
    assert room.entry()["open"] == 1  # as before it was played
    room.restart()
    assert room.entry()["open"] == 1
    room.do("play", side=2, card="8S", claim=2)
    assert room.fronts == (0, 2)


def test_what_everybody_was_told_cannot_be_called_when_a_card_is_taken_back(room: Room) -> None:
    begun(room, **MANUAL, muggins=True).do("play", side=1, card="7H")
    room.do("play", side=2, card="8S", claim=0)
    assert "Nobody called the two that Bob missed." in room.do("play", side=1, card="TS")[1]
    room.do("unplay", card="TS")
    assert room.entry()["open"] is None
    assert "Nobody called" not in room.do("play", side=1, card="2S")[1]  # all have heard it


def test_a_mistyped_claim_of_nothing_is_what_undo_takes_back(room: Room) -> None:
    begun(room, **MANUAL, muggins=True).do("starter", card="9H")
    cards = ["5D", "5H", "JC", "TS"]
    room.do("hand", side=1, claim=0, cards=cards)
    assert room.entry()["undo"] == {"rev": room.rev, "text": "Ann claims nothing", "nothing": 1}
    room.restart()
    rev = room.rev
    room.do("unclaim", side=1)
    assert (room.rev, room.entry()["open"], room.entry()["undo"]["text"]) == (rev, None, "New game to 121")
    assert room.refused("unclaim", side=1).code == "nothing"
    room.restart()
    room.do("hand", side=1, claim=14, cards=cards)
    assert room.fronts[0] == room.entry()["count"]["points"]


def test_a_claim_of_nothing_that_something_followed_is_not_taken_back(room: Room) -> None:
    begun(room, **MANUAL).do("starter", card="9H")
    room.do("hand", side=1, claim=0, cards=["5D", "5H", "JC", "TS"])
    room.do("peg", side=2, points=2)
    assert room.entry()["undo"]["text"] == "Bob pegs 2"
    assert room.refused("unclaim", side=1).code == "nothing"


def test_in_a_tournament_a_claim_of_nothing_that_is_too_low_stands(room: Room) -> None:
    begun(room, **MANUAL, tournament=True).do("starter", card="9H")
    room.do("hand", side=1, claim=0, cards=["5D", "5H", "JC", "TS"])
    assert room.refused("unclaim", side=1).code == "nothing"


# The time limit


def played(room: Room, starter: str = "4C", **chosen: Any) -> Room:
    """The play is over with all cards told; Ann counts first, 5C 7H KD 2H."""
    begun(room, **MANUAL, time_limit=30, **chosen).do("starter", card=starter)
    for side, card in PLAY:
        room.do("play", side=side, card=card, again=True)
        if card in ("6D",):
            room.do("go", side=2)
    return room


def waits(room: Room, seconds: float) -> bool:
    room.now += seconds
    return room.carrier.tick()


def test_a_hand_that_is_claimed_too_late_is_counted_and_half_goes_to_the_others(room: Room) -> None:
    played(room)
    before = room.fronts
    assert room.entry()["claims"] == {"side": 1, "left_s": 30}
    assert not waits(room, 29)
    assert room.entry()["claims"] == {"side": 1, "left_s": 1}
    assert waits(room, 1)
    gains = [now - then for now, then in zip(room.fronts, before, strict=True)]
    assert gains == [1, 1]  # fifteen for two: half goes
    shown = room.entry()["count"]  # nobody has claimed it
    assert (shown["claimed"], shown["pegged"], shown["remark"]) == (None, 1, "time is up, worth 2, 1 to Bob")
    assert room.entry()["claims"] == {"side": 2, "left_s": 30}
    said = room.table.fresh[-2].news["full"]
    assert said.startswith("Time is up for Ann: the hand counts two; Ann keeps one of them.")
    assert said.endswith("The other one goes to Bob. Bob pegs 1 for an error by Ann. Bob 2.")
    last = room.table.fresh[-1].news
    assert (last["full"], last["text"]) == ("", "Bob pegs 1 for an error by Ann. Bob 2."), "it is heard twice"


def test_a_claim_in_time_and_points_by_hand_stop_the_time(room: Room) -> None:
    played(room).do("hand", side=1, cards=["7H", "KD", "5C", "2H"], claim=2)
    assert room.entry()["claims"]["side"] == 2
    room.do("peg", side=2, points=4)
    assert room.entry()["claims"] == {"side": 2, "left_s": 30}  # the crib
    assert not waits(room, 100)


BOBS_CRIB: dict[str, Any] = {"side": 2, "cards": ["TS", "JH", "QC", "3D"], "crib": True}  # a run of three


def test_a_crib_that_comes_too_late_loses_half_of_it(room: Room) -> None:
    played(room).do("hand", side=1, cards=["7H", "KD", "5C", "2H"], claim=2)
    bob = [card for side, card in PLAY if side == 2]
    room.do("hand", side=2, cards=bob, claim=0)
    assert room.entry()["claims"] == {"side": 2, "left_s": 30}
    before = room.fronts
    assert not waits(room, 31)  # nobody knows its cards yet
    said = room.do("hand", **BOBS_CRIB, claim=3)[1]
    assert said.startswith("Time is up for Bob: the crib counts three; Bob keeps two of them.")
    assert [now - then for now, then in zip(room.fronts, before, strict=True)] == [1, 2]
    shown = room.entry()["count"]
    assert (shown["claimed"], shown["remark"]) == (None, "time is up, worth 3, 1 to Ann")


def test_a_crib_in_time_has_all_its_points(room: Room) -> None:
    played(room).do("hand", side=1, cards=["7H", "KD", "5C", "2H"], claim=2)
    room.do("hand", side=2, cards=[card for side, card in PLAY if side == 2], claim=0)
    before = room.fronts[1]
    assert not waits(room, 29)
    room.do("hand", **BOBS_CRIB, claim=3)
    assert room.fronts[1] == before + 3
    assert room.entry()["claims"] is None


def test_a_hand_or_crib_out_of_turn_is_asked_about_once(room: Room) -> None:
    played(room)
    bob = [card for side, card in PLAY if side == 2]
    error = room.refused("hand", side=2, cards=bob, claim=0)
    assert (error.code, error.message) == ("turn", "Ann's hand is counted next")
    assert room.refused("hand", **BOBS_CRIB, claim=3).code == "turn"
    room.do("hand", side=2, cards=bob, claim=0, again=True)
    assert room.table.deal.now.hands(1, False) == 1


def test_a_hand_without_a_card_that_was_laid_is_asked_about_once(room: Room) -> None:
    played(room)
    hand: dict[str, Any] = {"side": 1, "cards": ["7H", "KD", "5C", "3S"], "claim": 2}
    error = room.refused("hand", **hand)
    assert (error.code, error.message) == (
        "against",
        "Ann has played the two of hearts, which is not in this hand",
    )
    before = room.fronts[0]
    room.do("hand", **hand, again=True)
    assert room.fronts[0] == before + 2


def test_the_one_for_the_last_card_may_be_claimed_with_it_and_is_tapped(room: Room) -> None:
    begun(room, **MANUAL, overcount=True).do("starter", card="4C")
    for side, card in PLAY[:-1]:
        room.do("play", side=side, card=card, again=True)
        if card in ("6D",):
            room.do("go", side=2)
    side, card = PLAY[-1]
    made = room.table.deal.play(parse_card(card), side - 1).points
    before = room.fronts
    room.do("play", side=side, card=card, claim=made + 1, again=True)
    room.do("go", side=side)
    gains = [now - then for now, then in zip(room.fronts, before, strict=True)]
    assert gains == [made + 1 if one == side else 0 for one in (1, 2)]


def test_the_one_for_a_go_alone_is_taken_for_it_even_if_the_card_makes_a_pair(room: Room) -> None:
    begun(room, **MANUAL)
    for side, card in [(1, "TH"), (2, "9S"), (1, "QD"), (2, "5S"), (1, "9C"), (2, "8C")]:
        room.do("play", side=side, card=card)
        if card == "QD":
            room.do("go", side=1)
    before = room.fronts
    room.do("play", side=1, card="8D", claim=1)
    room.do("go", side=1)
    assert [now - then for now, then in zip(room.fronts, before, strict=True)] == [1, 0]


def test_the_one_for_a_go_may_be_claimed_with_a_partners_last_card_and_not_with_an_earlier_one(room: Room) -> None:
    room.do("new", names=["Ann", "Bob", "Cid", "Dee"], teams=2, dealer=2, rules={"playroom": True})
    for side, card in [(1, "2S"), (2, "3C"), (1, "TC")]:
        room.do("play", side=side, card=card, claim=2 if card == "TC" else 0)
    before = room.fronts
    room.do("play", side=2, card="JS", claim=1)  # one too many
    assert [now - then for now, then in zip(room.fronts, before, strict=True)] == [1, 0]
    for side, card in [(1, "6S"), (2, "TH"), (1, "5H"), (2, "3D"), (1, "5D"), (2, "5S")]:
        room.do("play", side=side, card=card, claim={"6S": 2, "5H": 2, "5S": 2}.get(card, 0))
    room.do("go", side=2)
    for side, card in [(1, "KC"), (2, "8H"), (1, "8D")]:
        room.do("play", side=side, card=card, claim=2 if card == "8D" else 0)
    before = room.fronts
    room.do("play", side=2, card="4H", claim=1)
    room.do("go", side=2)
    assert [now - then for now, then in zip(room.fronts, before, strict=True)] == [0, 1]


def test_a_wrong_call_that_two_phones_send_counts_once(room: Room) -> None:
    begun(room, **MANUAL, muggins=True).do("play", side=1, card="7H", claim=0)
    seen = room.rev
    room.do("muggins", side=2, points=1, seen=seen, **{"from": 1})
    fronts = room.fronts
    assert room.refused("muggins", by="phone 2", side=2, points=1, seen=seen, **{"from": 1}).code == "seen"
    assert room.fronts == fronts


def test_pages_that_ask_later_are_told_the_seconds_that_are_left_then_and_nobody_else_hears_of_it(room: Room) -> None:
    played(room)
    shown = LatestView(1, "Table 1", True, lambda: datetime.now(UTC), lambda: 0.0)
    state = shown.refresh(room.table, None)
    assert state is not None
    assert state["claims"] == {"side": 1, "left_s": 30}
    room.now += 12
    assert (shown.refresh(room.table, None), shown.is_stale(room.table)) == (None, False)
    assert shown.view.entry()["claims"] == {"side": 1, "left_s": 18}
    room.now += 40
    assert shown.view.entry()["claims"] == {"side": 1, "left_s": 0}
    room.do("undo", rev=room.rev)  # all the time again
    assert (shown.refresh(room.table, None) or {})["claims"] == {"side": 1, "left_s": 30}
    assert (shown.refresh(None, TransportError("gone", "")) or {"claims": ""})["claims"] is None


def test_no_time_runs_before_all_cards_are_told_nor_after_a_win(room: Room) -> None:
    begun(room, **MANUAL, time_limit=30).do("play", side=1, card="7H")
    assert room.entry()["claims"] is None
    played(room)
    room.do("set", side=1, front=121, back=100)
    assert room.entry()["claims"] is None


def test_after_undo_the_time_begins_again(room: Room) -> None:
    played(room).entry()
    waits(room, 29)
    room.do("peg", side=1, points=2)
    room.do("undo", rev=room.rev)
    assert room.entry()["claims"] == {"side": 1, "left_s": 30}


def test_an_undo_that_is_refused_gives_nobody_more_time(room: Room) -> None:
    played(room).entry()
    waits(room, 29)
    assert room.refused("undo", rev=room.rev - 1).code == "rev"
    assert room.entry()["claims"] == {"side": 1, "left_s": 1}


def test_a_hand_that_cannot_be_counted_then_has_all_its_time_again(room: Room) -> None:
    played(room).entry()
    said: list[str] = []
    room.board.on_notice = said.append
    room.wired.wire.back = wired.silence
    room.wired.options["back"] = wired.silence
    assert waits(room, 30)
    assert any("the time to count is over, but the hand was not counted" in text for text in said)


def halves(room: Room, half: int = 1) -> tuple[int, ...]:
    """What a hand that nobody claims has given to each when both halves are pegged."""
    return tuple(now + half for now in room.fronts)


def killed_in_between(room: Room, meanwhile: Callable[[], object] = lambda: None) -> None:
    """The kiosk is killed after it has pegged the first half of a hand that came too late."""
    command = room.table.command

    def killed(op: str, *args: Any, **more: Any) -> Any:
        if op == "penalty":
            raise KeyboardInterrupt
        return command(op, *args, **more)

    room.table.command = killed  # type: ignore[method-assign]
    with pytest.raises(KeyboardInterrupt):
        waits(room, 30)
    room.restart(killed=True, meanwhile=meanwhile)


@pytest.mark.parametrize(("starter", "half"), [("4C", 1), ("AC", 2)])
def test_a_kiosk_killed_between_the_halves_of_a_late_hand_gives_the_other_half_once(
    room: Room, starter: str, half: int
) -> None:
    wanted = halves(played(room, starter), half)
    room.entry()
    killed_in_between(room)
    assert (room.fronts != wanted, room.entry()["table"]["counted"]) == (True, [1])
    room.carrier.tick()
    assert (room.fronts, room.entry()["table"]["counted"]) == (wanted, [1])
    room.carrier.tick()
    room.restart(killed=True)
    room.carrier.tick()
    assert room.fronts == wanted


def test_a_late_hand_whose_answer_was_lost_counts_once(room: Room) -> None:
    wanted = halves(played(room))
    room.entry()
    room.wired.wire.back = wired.silence
    room.wired.options["back"] = wired.silence
    assert waits(room, 30)
    room.wired.options.pop("back")
    room.wired.wire.back = bytes
    room.board.poll(0.1)
    room.entry()
    assert waits(room, 1)
    assert room.fronts == wanted


@pytest.mark.parametrize("order", [{"do": "clear"}, {"do": "peg", "side": 2, "points": 3}])
def test_the_other_half_is_given_before_any_order(room: Room, order: dict[str, Any]) -> None:
    wanted = halves(played(room))
    room.entry()
    killed_in_between(room)
    room.do(**order)
    assert room.fronts == (wanted[0], wanted[1] + order.get("points", 0))
    room.carrier.tick()
    assert room.fronts == (wanted[0], wanted[1] + order.get("points", 0))


def test_the_other_half_is_given_though_somebody_has_pressed_since(room: Room) -> None:
    wanted = halves(played(room))
    room.entry()
    killed_in_between(room, lambda: room.firmware.keeper.do((PEG, 1, 1, 0, 0)))
    assert room.carrier.tick()
    assert room.fronts == (wanted[0], wanted[1] + 1)


def test_the_other_half_is_not_given_if_the_first_was_taken_back(room: Room) -> None:
    played(room).entry()
    killed_in_between(room, lambda: room.firmware.keeper.do(room.firmware.match.undo_event()))
    before = room.fronts
    said: list[str] = []
    room.board.on_notice = said.append
    room.carrier.tick()
    assert (room.fronts, said) == (
        before,
        ["an order was cut off in its middle, and the game went on: look at the score"],
    )


@pytest.mark.parametrize("rules", [{**MANUAL, "overcount": True}, {"playroom": True}])
def test_what_a_won_game_gives_to_nobody_is_not_said_to_be_given(room: Room, rules: dict[str, Any]) -> None:
    begun(room, **rules).do("set", side=1, front=120)
    reply = room.do("hand", side=1, claim=20, **SIXTEEN)[1]
    assert "the hand counts sixteen" in reply
    assert "go to Bob" not in reply
    assert room.fronts == (121, 0)


# A tournament


def test_in_a_tournament_a_claim_that_is_too_low_stands(room: Room) -> None:
    begun(room, **MANUAL, tournament=True).do("hand", side=1, claim=12, **SIXTEEN)
    assert room.refused("undo", rev=room.rev).message == "too little was claimed, and that stands"
    room.do("peg", side=2, points=3)
    room.do("undo", rev=room.rev)
    assert room.fronts == (12, 0)


def test_in_a_playroom_tournament_what_was_missed_is_not_taken_from_the_others_either(room: Room) -> None:
    begun(room, playroom=True, tournament=True).do("hand", side=1, claim=12, **SIXTEEN)
    assert room.fronts == (12, 4)
    assert room.refused("undo", rev=room.rev).code == "stands"
    room.do("penalty", side=2, points=1)  # another's
    room.do("undo", rev=room.rev)
    assert room.fronts == (12, 4)
    room.do("play", side=2, card="KD", claim=2, again=True)
    room.do("undo", rev=room.rev)  # too much may be mended
    assert room.fronts == (12, 4)


def test_cleared_cards_let_nobody_take_a_low_claim_back(room: Room) -> None:
    begun(room, **MANUAL, tournament=True).do("play", side=1, card="7H")
    room.do("play", side=2, card="8S", claim=1)
    room.do("clear")
    assert room.refused("undo", rev=room.rev).code == "stands"


@pytest.mark.parametrize("rule", ["tournament", "muggins"])
def test_a_claim_that_stands_is_not_mended_by_counting_again(room: Room, rule: str) -> None:
    begun(room, **MANUAL, **{rule: True}).do("hand", side=1, claim=12, **SIXTEEN)
    refused = room.refused("hand", side=1, claim=16, again=True, **SIXTEEN)
    assert (refused.code, refused.hint) == ("stands", "its claim stands")
    assert room.fronts == (12, 0)


def test_in_a_tournament_a_card_that_was_claimed_too_low_is_not_taken_back(room: Room) -> None:
    begun(room, **MANUAL, tournament=True).do("play", side=1, card="7H")
    room.do("play", side=2, card="8S", claim=0)
    assert room.refused("unplay", card="8S").message == "too little was claimed, and that stands"
    room.do("play", side=1, card="KD")
    room.do("unplay", card="KD")
    assert [laid["card"] for laid in room.entry()["table"]["pile"]] == ["7H", "8S"]


@pytest.mark.parametrize("rules", [MANUAL, {"playroom": True}])
def test_in_a_tournament_a_card_laid_without_a_number_is_a_slip_that_can_be_taken_back(
    room: Room, rules: dict[str, Any]
) -> None:
    begun(room, **rules, tournament=True).do("play", side=1, card="7H")
    room.do("play", side=2, card="8S")
    if "playroom" in rules:
        assert room.fronts == (2, 0)
        room.do("undo", rev=room.rev)
    else:
        room.do("unplay", card="8S")
    assert room.fronts == (0, 0)
    assert [laid["card"] for laid in room.entry()["table"]["pile"]] == ["7H"]


def test_in_a_tournament_nobody_sees_the_chance_to_win(room: Room) -> None:
    assert begun(room, **MANUAL).entry()["chances"] is not None
    assert begun(room, **MANUAL, tournament=True).entry()["chances"] is None
