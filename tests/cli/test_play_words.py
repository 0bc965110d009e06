"""Words at the table that change nothing, like help, state, hint and review; and a rank in the place of a card."""

from __future__ import annotations

from pathlib import Path

import pytest
from cli.at_play import TWO, answers, lines
from rigs.typed import Typed

from cribboard.cli.output import folded
from cribboard.playing.typed import help_lines
from cribboard.referee.options import read_options
from cribboard.referee.pegs import pack_match
from cribboard.referee.referee import Referee
from cribboard.referee.setup import Setup
from cribboard_core.match import Match

ALONE = ("Ann", "--computer", "Bob", "--seed", "5")


@pytest.fixture
def typed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Typed:
    monkeypatch.setenv("CRIBBOARD_HOME", str(tmp_path))
    return Typed(tmp_path, monkeypatch)


def after(told: list[str], line: str) -> list[str]:
    """What is said behind the last line that was typed so."""
    at = len(told) - told[::-1].index(f"> {line}")
    return told[at:]


def test_a_rank_is_enough_where_one_card_of_the_hand_fits(typed: Typed) -> None:
    told = lines(typed, "3 Q", "5", "3S Q", "5", words=ALONE)
    assert "'3' can be 3D or 3S; type the cards to discard; H shows help." in told
    assert "Ann discards two cards." in told
    assert "Ann plays 5C: five." in told


def test_a_rank_that_no_card_has_is_refused(typed: Typed) -> None:
    told = lines(typed, "3S 9", words=ALONE)
    assert "No nine fits here; type the cards to discard; H shows help." in told


def test_with_real_cards_a_rank_is_enough_when_the_other_three_are_out(typed: Typed) -> None:
    told = lines(typed, "Ann", "5S", "5", "5C", "5D", "5", words=TWO)
    assert "'5' can be 5C or 5D or 5H; type a card, like 5H, or go; H shows help." in told
    assert any(line.startswith("Bob plays 5H: fifteen") for line in told)


def test_a_rank_takes_the_points_that_are_claimed_with_it(typed: Typed) -> None:
    told = lines(typed, "3S Q", "5 0", words=(*ALONE, "-o", "counting=manual"))
    assert any(line.startswith("Ann plays 5C: five.") for line in told)


def test_a_number_in_a_claim_stays_one(typed: Typed) -> None:
    cards = ("Ann", "JS", "5C", "TD", "5D", "6C", "4H", "go", "go", "7H", "8S", "9H")
    told = lines(typed, *cards, "6", words=(*TWO, "-o", "counting=manual"))
    assert any(line.startswith("Bob's hand 5C 5D 4H 8S with JS") and "for six" in line for line in told)


@pytest.mark.parametrize("dealt", [False, True])
@pytest.mark.parametrize("rules", [(), ("counting=manual", "muggins=on")])
def test_help_fits_on_eight_lines_in_each_phase(typed: Typed, dealt: bool, rules: tuple[str, ...]) -> None:
    setup = Setup(("Ann", "Bob"), (0, 1), 0, 121, read_options(rules), dealt, (1,) if dealt else ())
    referee = Referee(setup, pack_match(Match(), 1))
    phases = {referee.phase: help_lines(referee)}
    acts = [["new", 0], ["deal", None], ["starter", "5S"]]
    if dealt:
        from cribboard_core.cards import PACK_SIZE, cards_text

        acts = [["new", 0], ["deal", cards_text(list(range(PACK_SIZE)))]]
    for act in acts:
        referee.act(act)
        phases[referee.phase] = help_lines(referee)
    assert {"cut", "discard"} <= set(phases) if dealt else {"cut", "deal", "starter", "play"} <= set(phases)
    for said in phases.values():
        assert said[0].startswith("Now: type ")
        assert len([line for text in said for line in folded(text, 79).split("\n")]) <= 8
        assert "quit ends" in said[-1] and "help has the rest" in said[-1]


def test_help_in_all_phases_of_a_game_that_was_played(typed: Typed) -> None:
    cards = ("Ann", "JS", "5C", "TD", "5D", "6C", "4H", "go", "go", "7H", "8S", "9H")
    for keyed in ((), *(cards[:many] for many in (1, 2, 5, len(cards)))):
        told = after(lines(typed, *keyed, "H", words=(*TWO, "--new", "-o", "counting=manual")), "H")
        said = answers(told)[:-1]
        assert said[0].startswith("Now: type ") and len(said) <= 8


def test_the_state_is_what_stands_in_the_bar(typed: Typed) -> None:
    told = lines(typed, "Ann", "JS", "5C", "state", words=TWO)
    assert (
        after(told, "state")[0]
        == "Ann 2, Bob 0; the game is to 121. Ann deals. The count is 5. It is Ann's turn to play."
    )


def test_a_hint_is_what_an_expert_would_do(typed: Typed) -> None:
    told = lines(typed, "hint", "3S 3D", "hint", words=(*ALONE, "--new"))
    assert told[told.index("> hint") + 1] == "An expert discards 3D 3S. The hand 5C QD KD KH then averages 9.9 points."
    assert after(told, "hint")[0].startswith("An expert plays ")


def test_a_hint_of_a_count_is_the_count(typed: Typed) -> None:
    words = (*ALONE, "--new", "-o", "counting=manual")
    keyed: list[str] = ["3S 3D"]
    for _ in range(20):
        told = lines(typed, *keyed, "hint", words=words)
        said = after(told, "hint")[0]
        if said.startswith("It counts "):
            points = said.removeprefix("It counts ").rstrip(".")
            assert "Sorted: " in after(told, "hint")[1]
            told = lines(typed, *keyed, points, words=words)
            assert not any("too little" in line or "missed" in line for line in after(told, points))
            return
        keyed.append(said.removeprefix("An expert plays ").rstrip(".") if said.startswith("An expert") else "")
    raise AssertionError(keyed)


@pytest.mark.parametrize("words", [TWO, (*TWO, "--deal")])
def test_nobody_asks_for_a_hint_in_front_of_the_others(typed: Typed, words: tuple[str, ...]) -> None:
    told = lines(typed, "Ann", "JS", "hint", words=words)
    assert "There is no hint here; ask when it is your turn, alone against the computer." in told


def test_a_win_names_what_comes_next_and_the_review_is_there(typed: Typed) -> None:
    told = lines(typed, "review", "set Ann 55 50", words=(*ALONE, "--new", "--target", "61"))
    assert "The game is not over; `review` shows afterwards what each choice cost." in told
    for _ in range(30):
        said = next((line for line in lines(typed, "hint") if line.startswith("An expert ")), "")
        told = lines(typed, said.partition("s ")[2].split(".")[0] if said else "")
        if "Type new for the next game, review for what each choice cost, undo or quit:" in told:
            break
    told = after(lines(typed, "review"), "review")
    assert any(line.startswith("Ann: ") for line in told), told
