"""The commands that move pegs, typed at the real firmware."""

from __future__ import annotations

import pytest
from rigs.typed import Typed


@pytest.fixture
def typed(tmp_path, monkeypatch):
    typed = Typed(tmp_path, monkeypatch)
    typed("new", "Ann", "Bob")
    return typed


def test_points_are_pegged_and_said(typed):
    assert typed.says("peg", "Ann", "5") == "Ann pegs 5, now at 5.\n"
    assert typed.says("peg", "ann", "7") == "Ann pegs 7, now at 12.\n"
    assert typed.firmware.scores == [12, 0]


@pytest.mark.parametrize("side", ["2", "blue", "BOB"])
def test_a_side_is_a_number_a_colour_or_a_name(typed, side):
    typed("peg", side, "3")
    assert typed.firmware.scores == [0, 3]


def test_a_side_without_a_name_is_its_colour(tmp_path, monkeypatch):
    assert Typed(tmp_path, monkeypatch).says("peg", "1", "2") == "Orange pegs 2, now at 2.\n"


def test_a_peg_is_one_line_of_json(typed):
    assert typed.entry("peg", "Ann", "5") == {
        "rev": 2,
        "kind": "peg",
        "side": 1,
        "name": "Ann",
        "points": 5,
        "scores": [
            {"side": 1, "colour": "orange", "name": "Ann", "front": 5, "back": 0, "won": 0},
            {"side": 2, "colour": "blue", "name": "Bob", "front": 0, "back": 0, "won": 0},
        ],
        "winner": None,
        "text": "Ann pegs 5, now at 5.",
    }


def test_a_hand_is_counted_and_pegged(typed):
    assert typed.says("hand", "Bob", "2C", "4D", "6H", "JD", "--starter", "QD").splitlines() == [
        "2C 4D 6H JD with QD",
        "   1  nobs  JD",
        "Nobs for one.",
        "1 point.",
        "Bob counts 1, now at 1.",
    ]
    assert typed.firmware.scores == [0, 1]


def test_a_crib_is_counted_by_its_own_rule_on_both_sides(typed):
    entry = typed.entry("hand", "Bob", "2H4H6H8H", "--starter", "QH", "--crib")
    assert (entry["points"], entry["crib"], entry["text"]) == (5, True, "Bob counts 5 in the crib, now at 5.")
    assert (entry["count"]["flush"], entry["count"]["starter"]) == (5, "QH")


def test_a_right_claim_is_pegged(typed):
    assert typed.says("hand", "Ann", "5H5C5SJD", "--starter", "5D", "--claim", "29").endswith(
        "Ann counts 29, now at 29.\n"
    )


def test_a_wrong_claim_is_told_the_count_and_pegs_nothing(typed):
    error = typed.error("hand", "Ann", "5H5C5SJD", "--starter", "5D", "--claim", "28", exit_code=1)
    assert error.startswith("Error: the hand counts 29, not 28; nothing is pegged\n")
    assert typed.firmware.scores == [0, 0]


def test_a_wrong_claim_for_a_crib_says_so(typed):
    error = typed.error("hand", "Ann", "2H4H6H8H", "--starter", "QD", "--crib", "--claim", "4", exit_code=1)
    assert error.startswith("Error: the crib counts 0, not 4")


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("hand", "Ann", "5H5C5SJD"), "No starter"),
        (("hand", "Ann", "--starter", "5D"), "Missing argument 'CARDS...'"),
        (("hand", "Ann", "5H5C5SXX", "--starter", "5D"), "'XX' is not a card"),
        (("peg", "Ann", "47"), "N is a whole number from 1 to 46, not '47'"),
        (("peg", "Ann", "0"), "N is a whole number from 1 to 46, not '0'"),
        (("peg", "Ann", "five"), "N is a whole number from 1 to 46, not 'five'"),
        (("peg", "Ann", "-3"), "N is a whole number from 1 to 46, not '-3'"),
        (("penalty", "Ann", "-3", "--back"), "N is a whole number from 1 to 46, not '-3'"),
        (("muggins", "Ann", "-3", "--from", "Bob"), "N is a whole number from 1 to 46, not '-3'"),
        (("false-claim", "Ann", "-3"), "TRUE_SCORE is a whole number from 0 to 240, not '-3'"),
        (("set-score", "Ann", "-1.5"), "FRONT is a whole number from 0 to 241, not '-1.5'"),
        (("set-score", "Ann", "3", "--back", "-1"), "--back is a whole number from 0 to 241, not '-1'"),
        (("hand", "Ann", "2H4H6H8H", "--starter", "QD", "--claim", "-3"), "--claim is a whole number of 0 or more"),
        (("hand", "Ann", "-5H", "2H4H6H", "--starter", "QD"), "'-5H' is not a card"),
        (("new", "Ann", "Bob", "--start", "Bob=-3"), "--start Bob=-3 is not a handicap"),
        (("new", "Ann", "-3"), "the name '-3' begins like an option"),
        (("peg", "-1", "3"), "there is no side '-1'"),
        (("peg", "Ann", "3", "-x"), "No such option '-x'"),
        (("peg", "Zed", "5"), "there is no side 'Zed'\n  the sides are 1 orange (Ann), 2 blue (Bob)"),
        (("peg", "3", "5"), "nobody plays at 3 green"),
        (("muggins", "Ann", "2"), "Missing option '--from'"),
        (("muggins", "Ann", "2", "--from", "Zed"), "there is no side 'Zed'"),
    ],
)
def test_what_is_wrongly_typed_is_said_and_changes_nothing(typed, words, why):
    assert f"{why}" in typed.error(*words, exit_code=2)
    assert typed.firmware.match.rev == 1


def test_nibs_are_two(typed):
    assert typed.says("nibs", "Bob") == "Bob pegs 2 for nibs, now at 2.\n"


def test_a_go_is_one(typed):
    assert typed.says("go", "Bob") == "Bob pegs 1 for a go or the last card, now at 1.\n"


def test_a_penalty_is_pegged_by_the_other_side(typed):
    assert typed.says("penalty", "Ann", "2") == "Bob pegs 2 for an error by Ann. Bob 2.\n"
    assert typed.firmware.scores == [0, 2]


def test_a_penalty_is_pegged_by_all_other_sides(tmp_path, monkeypatch):
    typed = Typed(tmp_path, monkeypatch)
    typed.play(3)
    assert typed.says("penalty", "2", "2") == "The others peg 2 for an error by blue. Orange 2, Green 2.\n"


def test_a_penalty_may_be_holes_back(typed):
    typed("peg", "Ann", "9")
    entry = typed.entry("penalty", "Ann", "2", "--back")
    assert (entry["points"], entry["back"], entry["text"]) == (2, True, "Ann goes back 2, now at 7.")


def test_muggins_says_who_missed_them(typed):
    entry = typed.entry("muggins", "Bob", "2", "--from", "Ann")
    assert (entry["side"], entry["from"], entry["text"]) == (
        2,
        1,
        "Bob pegs 2 by muggins for an error by Ann, now at 2.",
    )


def test_a_false_claim_is_put_right(typed):
    typed("set-score", "Ann", "110")
    entry = typed.entry("false-claim", "Ann", "107")
    assert entry["text"] == "False claim of game by Ann, whose true score is 107. Ann 107, Bob 3."
    assert entry["score"] == 107


def test_a_score_is_set_and_the_back_peg_stays(typed):
    typed("peg", "Ann", "9")
    typed("peg", "Ann", "4")
    assert typed.says("set-score", "Ann", "12") == "Ann is set to 12, back peg at 9.\n"


@pytest.mark.parametrize(("front", "back"), [("9", 8), ("3", 2), ("0", 0)])
def test_a_back_peg_that_would_be_in_front_goes_behind(typed, front, back):
    typed("peg", "Ann", "9")
    typed("peg", "Ann", "4")
    entry = typed.entry("set-score", "Ann", front)
    assert (entry["front"], entry["back"]) == (int(front), back)


def test_both_pegs_can_be_set(typed):
    assert typed.says("set-score", "Ann", "50", "--back", "40") == "Ann is set to 50, back peg at 40.\n"


def test_what_the_board_refuses_is_said_with_what_to_do(typed):
    error = typed.error("set-score", "Ann", "122", exit_code=1)
    assert error.startswith("Error: pegs at 122 and 0; they lie from 0 to 121, the back one behind\n")
    typed("set-score", "Ann", "121")
    error = typed.error("peg", "Bob", "1", exit_code=1)
    assert error.startswith("Error: the game is won; undo, a new game, set score or a false claim are left\n  ")


def test_a_win_is_announced_with_the_games_won(typed):
    typed("set-score", "Bob", "91")
    typed("set-score", "Ann", "119")
    assert typed.says("peg", "Ann", "3").splitlines() == [
        "Ann pegs 3, now at 121.",
        "Ann wins with 121. Bob has 91. Games won: Ann 1, Bob 0.",
    ]


@pytest.mark.parametrize(("score", "how"), [(90, "skunked"), (60, "double-skunked")])
def test_a_skunk_is_announced(typed, score, how):
    typed("set-score", "Bob", str(score))
    typed("set-score", "Ann", "119")
    entry = typed.entry("peg", "Ann", "3")
    assert entry["winner"] == 1
    assert (
        entry["text"] == f"Ann pegs 3, now at 121. Ann wins with 121. Bob has {score}, {how}. Games won: Ann 1, Bob 0."
    )


@pytest.mark.parametrize(
    ("words", "rule"),
    [(("nibs", "Bob"), "nibs are"), (("hand", "Bob", "2C4D6HJD", "--starter", "QD", "--crib"), "the crib is")],
)
def test_what_only_the_dealer_gets_is_pegged_for_another_with_a_remark(typed, words, rule):
    done = typed(*words)
    assert done.stdout.splitlines()[-1].startswith("Bob ")
    assert done.stderr == (
        f"{rule} the dealer's, and on the board Ann deals; "
        "`cribboard undo` or `cribboard next-deal --dealer` corrects it\n"
    )
    assert typed("nibs", "Ann").stderr == ""


@pytest.mark.parametrize("back", ["20", "21"])
def test_two_pegs_of_a_side_do_not_stand_in_one_hole(typed, back):
    error = typed.error("set-score", "Ann", "20", "--back", back, exit_code=2)
    assert error == f"Error: the back peg cannot be at {back} with the front peg at 20\n  put it behind\n"
    typed("set-score", "Ann", "0", "--back", "0")


def test_the_board_counts_a_hand_of_three(typed):
    typed("hand", "Bob", "5H5C5S", "--starter", "5D", "--five-card")
    assert typed.firmware.scores == [0, 20]


@pytest.mark.parametrize(
    "words", [("hand", "Bob", "5H5C5S", "--starter", "5D", "--five-card"), ("play", "Ann", "Bob", "-o", "five_card=on")]
)
def test_a_board_too_old_for_hands_of_three_is_refused_with_what_to_do(typed, words):
    hello = typed.firmware.link._hello
    typed.firmware.link._hello = lambda q, args: [*hello(q, args)[:-1], "choose"]
    assert "this board's firmware doesn't know hands of three cards" in typed.error(*words, exit_code=3)
    assert typed.firmware.scores == [0, 0]


FULL = ("5H5C5SJD", "--starter", "5D")


def test_a_hand_that_was_counted_in_this_deal_is_asked_about_and_pegged_when_it_is_meant(typed):
    typed("hand", "Ann", *FULL)
    error = typed.error("hand", "Ann", *FULL, exit_code=1)
    assert error.startswith("Error: 5H 5C 5S JD were already counted in this deal, by Ann; nothing is pegged\n")
    assert "`cribboard next-deal`" in error
    assert "--again" in error
    assert typed.firmware.scores == [29, 0]
    assert typed.entry("hand", "Ann", *FULL, "--again")["points"] == 29
    assert typed.firmware.scores == [58, 0]


@pytest.mark.parametrize(
    ("words", "card"),
    [
        (("Bob", "5H6C7D8S", "--starter", "5D"), "5H was already counted in this deal, by Ann"),
        (("Ann", "5H6C7D8S", "--starter", "5D", "--crib"), "5H was already counted in this deal, by Ann"),
        (("Bob", "5C6C5SJD", "--starter", "5D"), "5C 5S JD were already counted in this deal, by Ann"),
    ],
)
def test_a_card_of_another_hand_of_this_deal_is_asked_about(typed, words, card):
    typed("hand", "Ann", *FULL)
    assert f"Error: {card};" in typed.error("hand", *words, exit_code=1)
    typed("hand", "Bob", "6H6C7D8S", "--starter", "5D")


def test_after_undo_or_the_next_deal_nobody_is_asked(typed):
    typed("hand", "Ann", *FULL)
    typed("undo")
    typed("hand", "Ann", *FULL)
    typed("redo", exit_code=1)
    typed("next-deal")
    typed("hand", "Ann", *FULL)
    typed("undo")
    typed("undo")  # the deal
    assert "by Ann" in typed.error("hand", "Ann", *FULL, exit_code=1)
    typed("new")
    typed("hand", "Ann", *FULL)
    assert typed.firmware.scores == [29, 0]


def test_where_nobody_passes_the_deal_the_crib_ends_it(typed):
    typed("hand", "Bob", "2C4D6HJS", "--starter", "QD")
    typed("hand", "Ann", "5H5C5SJD", "--starter", "QD")
    typed("hand", "Ann", "2H4H6C8C", "--starter", "QD", "--crib")
    assert "by Ann in the crib" in typed.error("hand", "Ann", "2H4H6C8C", "--starter", "QD", "--crib", exit_code=1)
    assert "by Bob" in typed.error("hand", "Bob", "JS6H4D2C", "--starter", "QD", exit_code=1)
    typed("hand", "Bob", "5H4D6HJS", "--starter", "KD")  # of the next deal
    assert "by Bob" in typed.error("hand", "Bob", "5H4D6HJS", "--starter", "KD", exit_code=1)


def test_a_hand_whose_cards_nobody_knows_may_be_the_same_one(typed):
    with typed.table.board() as board:
        board.hand(0, "5H5C5SJD", "5D", False, 29)
    error = typed.error("hand", "Ann", "2C4D6HJS", "--starter", "QD", exit_code=1)
    assert error.startswith("Error: a hand of Ann was already counted in this deal; nothing is pegged\n")
    typed("hand", "Bob", "2C4D6HJS", "--starter", "QD")
    typed("hand", "Ann", "3C7D9HTS", "--starter", "QD", "--crib")
    typed("hand", "Ann", "2D4C6SJC", "--starter", "8D")


@pytest.mark.parametrize("words", [("nibs", "Bob"), ("hand", "Bob", "2C4D6HJD", "--starter", "QD", "--crib")])
def test_what_undo_would_correct_is_not_said_of_what_was_refused(typed, words):
    typed("set-score", "Ann", "121")
    error = typed.error(*words, exit_code=1)
    assert "Error: " in error
    assert "corrects it" not in error
