"""What is typed at `cribboard play`, right and wrong."""

from __future__ import annotations

from pathlib import Path

import pytest
from cli.at_play import KEPT, TWO, answers, lines
from rigs.typed import Typed


@pytest.fixture
def typed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Typed:
    monkeypatch.setenv("CRIBBOARD_HOME", str(tmp_path))
    return Typed(tmp_path, monkeypatch)


@pytest.mark.parametrize(
    ("keyed", "why"),
    [
        (["5H 6H 7H"], "Each player cuts a card: type two cards, like 9H 2C."),
        (["Cleo"], "There is no side 'Cleo'; the sides are 1 orange (Ann), 2 blue (Bob)."),
        ([""], "Nothing was typed; type the two cards cut for the deal, or the name of who deals first; H shows help."),
        (["new"], "'new' is not possible now; type the two cards cut"),
        (["go"], "'go' is not possible now"),
        (["undo"], "There is nothing to take back in this game."),
        (["Ann", "5H 6H"], "That is two cards; type one."),
        (["Ann", "1H"], "'1H' is not a card; type the starter, like 5H; H shows help."),
        (["Ann", "JS", ""], "Nothing was typed; type a card, like 5H, or go; H shows help."),
        (["Ann", "JS", "JS"], "JS is the starter or out of play; a pack has each card once."),
        (["Ann", "JS", "5H 2"], "The program counts; play a card without points"),
        (["Ann", "JS", "go"], "Bob cannot say go at 0; every card fits, and who can play must."),
        (["Ann", "JS", "go now"], "Type go alone, without more words."),
        (["Ann", "JS", "penalty Bob"], "Say whose penalty it is and how many: penalty Bob 2, or penalty Bob 2 back."),
        (["Ann", "JS", "penalty Bob two"], "'two' is not a number of points; type it in digits, like 12."),
        (["Ann", "JS", "penalty Bob 2 forward"], "'forward' is not back; type penalty Bob 2 back."),
        (
            ["Ann", "JS", "muggins 2"],
            "Muggins is not played in this game; the next one has it with the option muggins=on.",
        ),
        (["Ann", "JS", "board"], "The board already has this game's score."),
        (["Ann", "JS", "deal"], "This deal is not over."),
        (["Ann", "JS", "set Bob 130"], "130 is not a hole here; the track goes from 0 to 121."),
        (["Ann", "JS", "5H\x00"], "is not a card"),
        (["Ann", "JS", "300"], "'300' is not a card; type a card, like 5H, or go; H shows help."),
        (["Ann", "12"], "'12' is not a card; type the starter, like 5H; H shows help."),
        (["Ann", "JS", "set Ann 999"], "999 is not a hole here; the track goes from 0 to 121."),
        (["Ann", "JS", "penalty Ann 99"], "99 points cannot be; one score is 0 to 46."),
        (["Ann", "JS", "set"], "Say whose peg and where it belongs: set Bob 57, or set Bob 57 50 with the back peg."),
        (["5H 5H"], "The cut has 5H twice;"),
        (["Ann", "5H 5H"], "The starter has 5H twice; a starter is made of different cards; type the starter"),
    ],
)
def test_what_is_wrong_is_told_with_what_can_be_typed(typed: Typed, keyed: list[str], why: str) -> None:
    replies = answers(lines(typed, *keyed, words=TWO))
    assert why in replies[-2]
    assert replies[-1] == KEPT


def test_what_went_wrong_at_the_table_can_be_typed(typed: Typed) -> None:
    keyed = ("misdeal", "JS", "penalty Bob 2", "penalty ann 1 back", "set bob 57", "set bob 50 40", "quit", "never")
    replies = answers(lines(typed, "Ann", *keyed, words=TWO))
    assert replies[-7:] == [
        "The starter is JS.",
        "A jack: nibs for Ann, two. Ann 2.",
        "Penalty for Bob: 2 for every other side. Ann 4.",
        "Penalty: Ann back 1. Ann 3.",
        "Bob: set to 57.",
        "Bob: set to 50.",
        KEPT,
    ]
    assert typed.firmware.match.back(1) == 40


def test_a_game_that_is_won_can_be_reopened_disputed_and_followed_by_another(typed: Typed) -> None:
    keyed = ("Ann", "steal Bob", "5C", "set Ann 61", "undo", "set Bob 61", "false Bob 40", "set Bob 61", "new", "JS")
    replies = answers(lines(typed, *keyed, words=(*TWO, "--target", "61", "-o", "steal=on")))
    for said in (
        "Bob has stolen the deal; the crib is Bob's.",
        "Ann: set to 61.",
        "Ann wins with 61. Bob has 0, skunked. Games won: Ann 1, Bob 0.",
        "Taken back: Ann: set to 61. Ann 0.",
        "A false claim of game: the true score of Bob is 40. Ann 21, Bob 40.",
        "New game to 61: Ann deals first.",
        "A jack: nibs for Ann, two. Ann 2.",
    ):
        assert said in replies


def test_a_card_may_be_typed_with_a_blank_in_it(typed: Typed) -> None:
    output = lines(typed, "Ann", "j s", "10 d", "5  ♥ 2", words=(*TWO, "-o", "counting=manual"))
    assert "The starter is JS." in output
    assert "Bob plays TD: ten." in output
    assert "Ann plays 5H: fifteen for two. Ann 4." in output


def test_names_may_have_blanks_and_commas(typed: Typed) -> None:
    typed.play(3)
    keyed = ("ann  lee", "9S", "penalty Ann Lee 2", "penalty Lee, Ann 1 back", "set ann 50 40", "false Ann Lee 1")
    output = lines(typed, *keyed, "penalty Lee 2", words=("Ann Lee", "Lee, Ann", "Ann"))
    for said in (
        "New game to 121: Ann Lee deals first.",
        "Penalty for Ann Lee: 2 for every other side. Lee, Ann 2, Ann 2.",
        "Penalty: Lee, Ann back 1. Lee, Ann 1.",
        "Ann: set to 50.",
        "The true score 1 is not below 0, so nothing was claimed.",
    ):
        assert said in output
    assert any(line.startswith("There is no side 'Lee'; the sides are 1 orange (Ann Lee)") for line in output)


@pytest.mark.parametrize("name", ["C", "H", "JD", "A", "undo", "go", "quit", "new"])
def test_at_the_cut_a_name_is_the_player_whatever_else_it_means(typed: Typed, name: str) -> None:
    output = lines(typed, name, "JS", f"penalty {name} 2", f"set {name} 30", words=("Ann", name))
    assert f"New game to 121: {name} deals first." in output
    assert f"Penalty for {name}: 2 for every other side. Ann 2." in output
    assert f"{name}: set to 30." in output
    assert output[-1] == KEPT


def test_a_handicap_and_a_match_of_several_games(typed: Typed) -> None:
    words = (*TWO, "--start", "bob=10", "--best-of", "3", "--target", "61")
    output = lines(typed, "Ann", "set Ann 61", "undo", "set Ann 61", "new", words=words)
    assert output.count("Bob: starts at 10.") == 2
    assert output.count("Ann leads Bob 1-0, best of 3; 2 wins decide.") == 2
    output = lines(typed, "set Bob 61", "new", "set Bob 61", "new", "set Ann 61")
    assert "Ann and Bob are level 1-1, best of 3; 2 wins decide." in output
    assert "Bob beats Ann 2-1, best of 3." in output
    assert output[-4] == "Ann leads Bob 1-0, best of 3; 2 wins decide."  # the next match


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("--start", "Cleo=10"), "there is no side 'Cleo'"),
        (("--start", "Ann=121"), "--start Ann=121 is not a handicap"),
        (("--best-of", "2"), "a best-of-2 match may never be decided; use an odd number"),
        (("--best-of", "x"), "--best-of is a whole number of 1 or more, not 'x'"),
        (("Cleo", "--best-of", "3"), "a match is between two sides, not 3"),
    ],
)
def test_a_match_that_cannot_be_is_refused(typed: Typed, words: tuple[str, ...], why: str) -> None:
    assert why in typed.error("play", *TWO, *words, exit_code=2)


def test_a_deal_that_went_wrong_can_be_typed(typed: Typed) -> None:
    keyed = ("Ann", "JS", "dealer Bob", "", "9D", "5C", "TD", "dead Bob 10 s", "dead Ann", "3D", "dead crib")
    replies = answers(lines(typed, *keyed, words=(*TWO, "-o", "tournament=on")))
    for said in (
        "Ann has dealt out of turn: the deal is void, and Bob deals.",
        "Ann goes back two. Ann 0.",
        "Deal 1: Bob deals.",
        "Bob's TS is dead, and is not played.",
        "Ann holds too many cards: both hands and the crib are dead, and Bob deals again.",
        "Bob goes back two. Bob 0.",
    ):
        assert said in replies
    assert replies.count("Deal 1: Bob deals.") == 2
    assert replies[-3:-1] == ["The starter is 3D.", "Not now: the play is on."]


@pytest.mark.parametrize(
    ("typed_words", "why"),
    [
        ("dead", "Say what is dead, like dead Bob or dead crib or dead Bob KH."),
        ("dead Bob xx", "'xx' is not a card"),
        ("dead Bob 5H 6H", "That is two cards; play one."),
    ],
)
def test_a_dead_hand_or_card_is_typed_with_its_player(typed: Typed, typed_words: str, why: str) -> None:
    output = lines(typed, "Bob", "9D", typed_words, words=(*TWO, "-o", "tournament=on"))
    assert any(why in line for line in output)
