"""New games, the deal, undo and redo, typed at the real firmware."""

from __future__ import annotations

import pytest
from rigs.typed import Typed


@pytest.fixture
def typed(tmp_path, monkeypatch):
    return Typed(tmp_path, monkeypatch)


def test_two_names_are_a_game_of_two(typed):
    assert typed.says("new", "Ann", "Bob") == "New game to 121: Ann, Bob. Ann deals.\n"


def test_the_number_of_names_is_the_number_of_players(typed):
    typed("new", "Ann", "Bob", "Cleo")
    assert typed.firmware.match.sides == (0, 1, 2)


def test_a_new_game_is_one_line_of_json(typed):
    entry = typed.entry("new", "Ann", "Bob", "Cleo", "Dev", "--teams", "2", "--target", "61", "--dealer", "Cleo")
    assert (entry["kind"], entry["side"], entry["name"]) == ("new", 3, "Cleo")
    assert (entry["target"], entry["players"], entry["teams"]) == (61, 4, 2)
    assert [score["name"] for score in entry["scores"]] == ["Ann and Cleo", "Bob and Dev"]


def test_what_is_left_out_is_as_before(typed):
    typed("new", "Ann", "Bob", "Cleo", "Dev", "--teams", "2", "--target", "61")
    assert typed.says("new") == "New game to 61: Ann and Cleo, Bob and Dev. Ann deals.\n"


def test_teams_are_dissolved_by_0(typed):
    typed("new", "--players", "4", "--teams", "2")
    typed("new", "--teams", "0")
    assert typed.firmware.match.sides == (0, 1, 2, 3)


def test_teams_do_not_outlive_their_players(typed):
    typed("new", "--players", "6", "--teams", "3")
    typed("new", "--players", "4")
    assert typed.firmware.match.sides == (0, 1, 2, 3)


def test_teams_may_have_names_of_their_own(typed):
    assert typed.says("new", "Us", "Them", "--players", "4", "--teams", "2").startswith("New game to 121: Us, Them.")
    assert typed.says("peg", "green", "2") == "Us pegs 2, now at 2.\n"


def test_partners_peg_together(typed):
    typed("new", "Ann", "Bob", "Cleo", "Dev", "--teams", "2")
    assert typed.says("peg", "Cleo", "2") == "Ann and Cleo peg 2, now at 2.\n"
    assert typed.says("penalty", "Cleo", "3", "--back") == "Ann and Cleo go back 3, now at 0.\n"
    assert typed.says("penalty", "Cleo", "3") == "Bob and Dev peg 3 for an error by Ann and Cleo. Bob and Dev 3.\n"


def test_players_sit_where_they_sat_before(typed):
    typed.firmware.keeper.do((1, 0, 91, 0b101 | 2 << 6 | 2 << 9, 61))
    typed("new", "Ann", "Bob")
    assert typed.firmware.match.seats == (0, 2)
    typed("peg", "Bob", "4")
    assert typed.firmware.match.front(2) == 4


def test_the_dealer_may_be_named_by_number(typed):
    typed("new", "--dealer", "2")
    assert typed.firmware.match.dealer == 1


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("Ann", "ann"), "two sides cannot both be called 'ann'"),
        (("Ann",), "cribbage is for 2 to 6 players, not 1"),
        (tuple("abcdefg"), "cribbage is for 2 to 6 players, not 7"),
        (("Ann", "Bob", "--players", "3"), "there are 3 players, but 2 names"),
        (("Ann", "Bob", "--teams", "2"), "2 players cannot make 2 teams"),
        (("--players", "7"), "--players is a whole number from 2 to 6, not '7'"),
        (("--target", "100"), "'100' is not one of '61', '91', '121', '241'"),
        (("--dealer", "3"), "nobody plays at 3 green"),
    ],
)
def test_a_game_that_cannot_be_is_said(typed, words, why):
    assert why in typed.error("new", *words, exit_code=2)
    assert typed.firmware.match.rev == 0


def test_a_handicap_is_a_start_of_the_front_peg(typed):
    assert typed.says("new", "Ann", "Bob", "--start", "Bob=10", "--start", "orange=0") == (
        "New game to 121: Ann, Bob. Ann deals.\nBob is set to 10, back peg at 0.\n"
    )
    match = typed.firmware.match
    assert (typed.firmware.scores, match.back(1), match.rev) == ([0, 10], 0, 2)


def test_undo_takes_one_handicap_back_at_a_time_and_then_the_new_game(typed):
    typed("set-score", "1", "121")
    typed("new", "Ann", "Bob", "--start", "Ann=5", "--start", "Bob=10")
    typed("undo")
    assert typed.firmware.scores == [5, 0]
    typed("undo")
    typed("undo")
    assert typed.firmware.scores == [121, 0]


@pytest.mark.parametrize(
    ("starts", "why"),
    [
        (("Ann",), "--start Ann is not a handicap"),
        (("Ann=",), "--start Ann= is not a handicap"),
        (("Ann=-1",), "is not a handicap"),
        (("Ann=00000000",), "is not a handicap"),
        (("Ann=61",), "with 0 to 60 points"),
        (("Cleo=1",), "there is no side 'Cleo'"),
        (("Ann=1", "1=2"), "--start 1=2 comes second for Ann"),
    ],
)
def test_a_handicap_that_cannot_be_begins_no_game(typed, starts, why):
    words = [word for start in starts for word in ("--start", start)]
    assert why in typed.error("new", "Ann", "Bob", "--target", "61", *words, exit_code=2)
    assert typed.firmware.match.rev == 0


def test_names_are_remembered_by_the_board(typed):
    typed("new", "Ann", "Bob")
    typed("new")
    assert typed.says("peg", "2", "3") == "Bob pegs 3, now at 3.\n"


def test_the_deal_passes(typed):
    typed("new", "Ann", "Bob")
    assert typed.says("next-deal") == "The deal passes to Bob.\n"
    entry = typed.entry("next-deal", "--dealer", "Bob")
    assert (entry["kind"], entry["side"], entry["name"]) == ("deal", 2, "Bob")


def test_undo_says_what_was_taken_back(typed):
    typed("new", "Ann", "Bob")
    typed("peg", "Ann", "7")
    typed("peg", "Ann", "5")
    assert typed.says("undo") == "Undid: Ann pegs 5. Ann 7.\n"
    assert typed.says("redo") == "Redid: Ann pegs 5. Ann 12.\n"


def test_undo_of_a_penalty_says_the_scores_of_those_who_pegged(typed):
    typed("penalty", "2", "2")
    assert typed.says("undo") == "Undid: Orange pegs 2 for an error by blue. Orange 0.\n"


def test_undo_of_a_deal_says_who_deals(typed):
    typed("next-deal")
    assert typed.says("undo") == "Undid: The deal passes to blue. Orange deals.\n"


def test_undo_of_a_new_game_brings_the_old_one_back(typed):
    typed("peg", "1", "7")
    typed("new")
    assert typed.says("undo") == "Undid: New game to 121. Orange 7, Blue 0.\n"


def test_undo_is_one_line_of_json(typed):
    typed("hand", "1", "2C4D6HJD", "--starter", "QD", "--crib")
    entry = typed.entry("undo")
    assert (entry["kind"], entry["side"], entry["name"]) == ("undo", None, None)
    assert entry["of"] == {"rev": 1, "kind": "hand", "side": 1, "name": None, "points": 1, "crib": True}


@pytest.mark.parametrize("op", ["undo", "redo"])
def test_nothing_to_take_or_bring_back_is_said(typed, op):
    assert typed.error(op, exit_code=1) == f"Error: there is nothing to {op}\n"


def test_names_go_and_come_with_their_game(typed):
    typed("new", "Ann", "Bob")
    typed("peg", "Ann", "7")
    typed("new", "Cleo", "Dev")
    assert typed.says("undo") == "Undid: New game to 121. Ann 7, Bob 0.\n"
    assert typed.says("redo") == "Redid: New game to 121. Cleo 0, Dev 0.\n"
    typed("undo")
    assert typed.says("new") == "New game to 121: Ann, Bob. Bob deals.\n"


def test_a_new_game_by_buttons_keeps_the_names(typed):
    typed("new", "Ann", "Bob")
    typed("peg", "Ann", "7")
    typed("new", "Cleo", "Dev")
    typed("undo")
    typed.firmware.keeper.do(typed.firmware.keeper.new([121, 3, 2, -1, -1, -1]))
    assert typed.says("peg", "2", "3") == "Bob pegs 3, now at 3.\n"


def test_a_game_that_was_not_over_is_named_with_the_way_back_to_it(typed):
    typed("new", "Ann", "Bob")
    assert typed("new", "Ann", "Bob").stderr == ""
    typed("peg", "Ann", "5")
    said = typed("new", "Cleo", "Dev").stderr
    assert said == (
        "The game before was not over (Ann 5, Bob 0); until somebody scores, `cribboard undo` brings it back.\n"
    )
    assert typed.says("undo").endswith("Ann 5, Bob 0.\n")
    typed("set-score", "Ann", "121")
    assert typed("new").stderr == ""


def test_undo_does_not_take_a_refereed_game_away_with_its_cards(typed, tmp_path, monkeypatch):
    monkeypatch.setenv("CRIBBOARD_HOME", str(tmp_path))
    typed("new", "Ann", "Bob")
    typed("play", "Ann", "Bob", given="Ann\n9S\n4C\n")
    assert typed.error("undo", exit_code=1) == (
        "Error: this would take back the whole game that is refereed here, with its cards: "
        "Ann 0, Bob 0; the game is to 121.\n"
        "  type undo in `cribboard play`, which takes back one thing after the other\n"
    )
    typed("peg", "Ann", "2")
    assert typed.says("undo") == "Undid: Ann pegs 2. Ann 0.\n"
    typed("new", "Cleo", "Dev")
    assert typed.says("undo").startswith("Undid: New game to 121.")  # of a game without a referee
