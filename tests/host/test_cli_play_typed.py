"""What is typed at `cribboard play`, right and wrong."""

from __future__ import annotations

from pathlib import Path

import pytest
from host.at_play import KEPT, TWO, answers, lines
from host.typed import Typed


@pytest.fixture
def typed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Typed:
    monkeypatch.setenv("CRIBBOARD_HOME", str(tmp_path))
    return Typed(tmp_path, monkeypatch)


@pytest.mark.parametrize(
    ("keyed", "why"),
    [
        (["5H 6H 7H"], "5H 6H 7H is not a card for each of Ann, Bob; each cuts one."),
        (["Cleo"], "There is no side 'Cleo'; the sides are 1 orange (Ann), 2 blue (Bob)."),
        ([""], "Nothing was typed; type the 2 cards cut for the deal, or the name of who deals first; H is help."),
        (["new"], "'new' is nothing that can be done now; type the 2 cards cut"),
        (["go"], "'go' is nothing that can be done now"),
        (["undo"], "There is nothing to take back in this game."),
        (["Ann", "5H 6H"], "'5H 6H' is 2 cards; type the starter, like 5H; H is help."),
        (["Ann", "1H"], "'1H' is not a card; write a rank"),
        (["Ann", "JS", ""], "Nothing was typed; type a card, like 5H, or go; H is help."),
        (["Ann", "JS", "JS"], "JS is the starter or out of play; a pack has each card once."),
        (["Ann", "JS", "5H 2"], "The program counts; play a card without points"),
        (["Ann", "JS", "go"], "Bob cannot say go at 0; every card fits, and who can play must."),
        (["Ann", "JS", "go now"], "That is not all, or too much; type it like: go."),
        (["Ann", "JS", "penalty Bob"], "That is not all, or too much; type it like: penalty Bob 2"),
        (["Ann", "JS", "penalty Bob two"], "'two' is not a number of points; type it in digits, like 12."),
        (["Ann", "JS", "penalty Bob 2 forward"], "'forward' is not back; type it like: penalty Bob 2 back."),
        (["Ann", "JS", "muggins 2"], "Muggins is not played here; it is the option muggins."),
        (["Ann", "JS", "board"], "The board has this game's score already."),
        (["Ann", "JS", "deal"], "This deal is not over."),
        (["Ann", "JS", "set Bob 130"], "130 is no hole here; the track goes from 0 to 121."),
        (["Ann", "JS", "5H\x00"], "is not a card"),
    ],
)
def test_what_is_wrong_is_told_with_what_can_be_typed(typed: Typed, keyed: list[str], why: str) -> None:
    told = answers(lines(typed, *keyed, words=TWO))
    assert why in told[-2]
    assert told[-1] == KEPT


def test_what_went_wrong_at_the_table_can_be_typed(typed: Typed) -> None:
    keyed = ("misdeal", "JS", "penalty Bob 2", "penalty ann 1 back", "set bob 57", "set bob 50 40", "quit", "never")
    told = answers(lines(typed, "Ann", *keyed, words=TWO))
    assert told[-7:] == [
        "The starter is JS.",
        "A jack: nibs for Ann, two. Ann 2.",
        "Penalty for Bob: 2 for every other side. Ann 4.",
        "Penalty: Ann back 1. Ann 3.",
        "Bob: set to 57. Bob 57.",
        "Bob: set to 50. Bob 50.",
        KEPT,
    ]
    assert typed.firmware.match.back(1) == 40


def test_a_game_that_is_won_can_be_reopened_disputed_and_followed_by_another(typed: Typed) -> None:
    keyed = ("Ann", "steal Bob", "5C", "set Ann 61", "undo", "set Bob 61", "false Bob 40", "set Bob 61", "new", "JS")
    told = answers(lines(typed, *keyed, words=(*TWO, "--target", "61", "-o", "steal=on")))
    for said in (
        "Bob has stolen the deal; the crib is Bob's.",
        "Ann: set to 61. Ann 61.",
        "Ann wins with 61. Bob has 0, skunked. Games won: Ann 1, Bob 0.",
        "Taken back: Ann: set to 61. Ann 0.",
        "A false claim of game: the true score of Bob is 40. Ann 21, Bob 40.",
        "New game to 61: Ann deals first.",
        "A jack: nibs for Ann, two. Ann 2.",
    ):
        assert said in told
