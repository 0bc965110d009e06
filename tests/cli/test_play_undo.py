"""`cribboard play` takes back what was typed, and what followed from it."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from cli.at_play import TWO, lines
from rigs.typed import Typed

from cribboard.cli import play_session
from cribboard.cli.play_printer import Printer, Typist
from cribboard.cli.play_session import PlaySession
from cribboard.playing.session import Session
from cribboard.referee.options import read_options
from cribboard.referee.setup import Setup


@pytest.fixture
def typed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Typed:
    monkeypatch.setenv("CRIBBOARD_HOME", str(tmp_path))
    return Typed(tmp_path, monkeypatch)


def test_undo_brings_the_game_before_back_and_a_new_one_has_the_same_cards(typed: Typed) -> None:
    words = (*TWO, "--computer", "Bob")
    output = lines(typed, "set Ann 121", "new", "undo", "s", "new", "undo", "undo", "l", words=words)
    assert output.count("Taken back: New game to 121: Bob deals first. Ann 121.") == 2
    assert output.count("Ann wins with 121. Bob has 0, double-skunked. Games won: Ann 1, Bob 0.") == 3
    asked = [line for line in output if line.startswith("Ann, discard two")]
    assert len(set(asked)) == 2  # one of each game
    assert asked[0] == asked[-1]


def test_undo_of_a_new_game_that_begins_with_a_cut_leaves_the_win_before(typed: Typed) -> None:
    words = (*TWO, "--computer", "Bob", "-o", "cut_each_game=on", "--seed", "1")  # whose cuts do not tie
    output = lines(typed, "set Ann 121", "new", "undo", "new", "undo", "undo", words=words)
    won = "Ann wins with 121. Bob has 0, double-skunked. Games won: Ann 1, Bob 0."
    taken_back = [line for line in output if line.startswith("Taken back: ") and line.endswith((" 121.", " 0."))]
    cut = next(line for line in output[output.index(won) :] if "cuts the lowest card" in line)
    assert taken_back == [*[f"Taken back: {cut} Ann 121."] * 2, "Taken back: Ann: set to 121. Ann 0."]
    assert output.count(won) == 3


def test_a_new_game_that_is_taken_back_whole_has_the_same_dealer_without_a_cut(typed: Typed) -> None:
    """Its first show is over, so that the game before cannot come back."""
    words = (*TWO, "--computer", "Bob", "--seed", "11", "--target", "61")
    first = ("JH 5D", "set Ann 60", "6H", "QC", "2C", "3C", "new")
    begun = lines(typed, *first, "2S 8D", "5C", "5D", "TH", "KD", words=words)
    assert "New game to 61: Bob deals first." in begun
    output = lines(typed, *["undo"] * 6)
    assert "Taken back: New game to 61: Bob deals first." in output
    again = output.index("New game to 61: Bob deals first.")
    assert output[again + 1 : again + 3] == ["Deal 1: Bob deals.", "Ann, discard two: 2S 5C 5D 8D TH KD"]
    assert not any("cuts the lowest card" in line for line in output)


def test_undo_of_the_dealer_names_nobody_of_the_game_that_others_had_on_the_board(typed: Typed) -> None:
    for words in ((*TWO, "Cleo"), ("Dev", "Eve", "--new")):
        typed("new", *TWO)
        typed("peg", "Ann", "2")
        output = lines(typed, "1", "undo", "S", words=words)
        first = words[0]
        assert f"Taken back: New game to 121: {first} deals first." in output
        assert "No game has started." in output


def test_in_a_tournament_a_card_that_was_mistyped_is_taken_back(typed: Typed) -> None:
    words = (*TWO, "-o", "tournament=on", "-o", "counting=manual")
    output = lines(typed, "Bob", "9S", "4C", "2H", "5C", "3H", "undo", "undo", "KH", "KC 0", "undo", words=words)
    assert "Taken back: Bob plays 3H: fourteen. Bob claims nothing; the card makes four." in output
    assert "Ann plays KH: sixteen." in output
    assert "Too little was claimed, and that stands: the option tournament is on." in output


class Slowly:
    """Lines that are typed at once, but the clock goes on by so many seconds before a `wait`."""

    seen = True

    def __init__(self, *keyed: str) -> None:
        self.keyed = list(keyed)
        self.now = 0.0

    def get(self, seconds: float) -> str | None:
        line = self.keyed.pop(0) if self.keyed else None
        if line is not None and line.startswith("wait "):
            self.now += float(line[5:])
            raise play_session.queue.Empty
        return line


def test_when_the_time_is_up_the_hand_is_counted(typed: Typed, capsys: pytest.CaptureFixture[str]) -> None:
    cards = ("5C", "TD", "5D", "6C", "4H", "go", "go", "7H", "8S", "9H")
    keyed = Slowly("Ann", "JS", *cards, "wait 29", "6", "wait 29", "wait 2", "2C 3C AC KC", "wait 29", "7")
    setup = Setup(("Ann", "Bob"), (0, 1), 0, 121, read_options(["counting=manual", "time_limit=30"]))
    with typed.table.board() as board:
        session = Session.begin(board, setup, typed.table.folder)
        PlaySession(session, Printer(plain=True, codes=True), Typist(keyed), random.Random(1), lambda: keyed.now).run()  # type: ignore[arg-type]
        session.close()
    output = capsys.readouterr().out
    assert "Bob's hand 5C 5D 4H 8S with JS: fifteen two, fifteen four, and a pair for six. Bob 7." in output
    assert "Time is up for Ann: the hand counts five; Ann keeps three of them. Ann 6." in output
    assert "The other two go to Bob. Bob 9." in output
    assert "and a run of three for seven. Ann 13." in output


def test_a_discard_taken_back_is_answered_by_the_same_starter(typed: Typed) -> None:
    words = (*TWO, "--computer", "Bob", "--seed", "1")
    first = lines(typed, "l", words=words)
    dealt = next(line for line in first if line.startswith("Ann, discard two: "))[18:].split()
    output = lines(typed, " ".join(dealt[:2]), "undo", " ".join(dealt[2:4]), "undo", "quit")
    starters = {line for line in output if line.startswith("The starter is ")}
    assert len(starters) == 1
    assert any(line in output for line in starters)
    again = lines(typed, " ".join(dealt[:2]))  # and after a new start, whose chance is another
    assert starters <= set(again)


def test_a_wrong_dealer_is_taken_back(typed: Typed) -> None:
    output = lines(typed, "bob", "undo", "9H 2C", "undo", "Ann", "b", words=TWO)
    assert "Taken back: New game to 121: Bob deals first." in output
    assert "Taken back: Bob cuts the lowest card and deals first." in output
    assert "The crib is Ann's." in output
    assert typed.firmware.match.dealer == 0


def test_undo_of_a_timeout_gives_the_time_again_and_leaves_what_players_did(
    typed: Typed, capsys: pytest.CaptureFixture[str]
) -> None:
    cards = ("5C", "TD", "5D", "6C", "4H", "go", "go", "7H", "8S", "9H")
    keyed = Slowly("Ann", "JS", *cards, "6", "wait 29", "wait 2", "undo", "wait 29", "5")
    setup = Setup(("Ann", "Bob"), (0, 1), 0, 121, read_options(["counting=manual", "time_limit=30"]))
    with typed.table.board() as board:
        session = Session.begin(board, setup, typed.table.folder)
        PlaySession(session, Printer(plain=True, codes=True), Typist(keyed), random.Random(1), lambda: keyed.now).run()  # type: ignore[arg-type]
        session.close()
    output = capsys.readouterr().out.splitlines()
    assert [line.removeprefix("> ") for line in output if "Taken back: " in line] == [
        "Taken back: Time is up for Ann: the hand counts five; Ann keeps three of them. Bob 7. Ann 3."
    ]
    assert any(line.endswith("for five. Ann 8.") for line in output)


def test_undo_of_what_the_program_alone_did_takes_the_newest_and_the_program_waits(typed: Typed) -> None:
    words = ("Ann", "Bob", "--target", "61", "--computer", "Ann", "--computer", "Bob", "--seed", "5")
    won = lines(typed, words=words)
    wins = next(line for line in won if "wins with 61" in line)
    output = lines(typed, "undo", "undo", "penalty Bob 1", "", "s")
    assert sum(line.startswith("Taken back: ") for line in output) == 2
    assert "Press Enter to let the program go on:" in output
    assert output.count(wins) + sum("wins with 61" in line for line in output) > 0
    assert any(line.startswith("Penalty for Bob: 1") for line in output)


def test_a_won_game_comes_back_although_the_next_one_has_handicaps(typed: Typed) -> None:
    for dealt in ((), ("--computer", "Bob")):
        words = (*TWO, "--new", "--start", "Bob=10", *dealt)
        output = lines(typed, *([] if dealt else ["Ann"]), "set Ann 121", "new", "undo", "s", words=words)
        assert any(line.startswith("Taken back: New game to 121: Bob deals first.") for line in output)
        assert output.count("Ann 121, Bob 10; the game is to 121.") == 1


MUGGINS = ("-o", "counting=manual", "-o", "muggins=on")
DEAL = ("Ann", "2S", "5C", "TD", "5D", "6C", "4H", "go", "go", "7H", "8S", "9H", "0", "0", "2C 3C AC KC")


@pytest.mark.parametrize("claim", ["7", "3"])
def test_undo_of_the_deal_that_enter_let_go_leaves_the_claim_before_it(typed: Typed, claim: str) -> None:
    output = lines(typed, *DEAL, claim, "", "undo", "t", "", "t", words=(*TWO, *MUGGINS))
    assert [line for line in output if line.startswith("Taken back: ")] == ["Taken back: Deal 2: Bob deals."]
    assert output.count("Deal 2: Bob deals.") == 2  # Enter deals again
    assert "The next deal is due." in output


def test_undo_of_a_computers_card_that_enter_let_go_leaves_the_card_before_it(typed: Typed) -> None:
    typed.play(3)
    words = ("Ann", "Bob", "Cleo", "--computer", "Cleo", "--seed", "4", "--target", "61", *MUGGINS)
    output = lines(typed, "4S", "AC", "TC", "TD", "", "undo", "undo", words=words)
    taken = [line.split(" plays ")[0] for line in output if line.startswith("Taken back: ")]
    called = "Taken back: Muggins: Cleo takes two that Bob missed. Cleo 0."
    assert taken == ["Taken back: Cleo", called, "Taken back: Bob"]  # Enter let both go
