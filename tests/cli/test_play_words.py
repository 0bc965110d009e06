"""Words at the table that change nothing, like help, state, hint and review; and a rank in the place of a card."""

from __future__ import annotations

from pathlib import Path

import pytest
from cli.at_play import KEPT, TWO, answers, lines
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


def after(output: list[str], line: str) -> list[str]:
    """What is said behind the last line that was typed so."""
    at = len(output) - output[::-1].index(f"> {line}")
    return output[at:]


def test_a_rank_is_enough_where_one_card_of_the_hand_fits(typed: Typed) -> None:
    output = lines(typed, "3 Q", "5", "3S Q", "5", words=ALONE)
    assert "'3' can be 3D or 3S; type the cards to discard; H shows help." in output
    assert "Ann discards two cards." in output
    assert "Ann plays 5C: five." in output


def test_a_rank_that_no_card_has_is_refused(typed: Typed) -> None:
    output = lines(typed, "3S 9", words=ALONE)
    assert "No nine fits here; type the cards to discard; H shows help." in output


def test_with_real_cards_a_rank_is_enough_when_the_other_three_are_out(typed: Typed) -> None:
    output = lines(typed, "Ann", "5S", "5", "5C", "5D", "5", words=TWO)
    assert "'5' can be 5C or 5D or 5H; type a card, like 5H, or go; H shows help." in output
    assert any(line.startswith("Bob plays 5H: fifteen") for line in output)


def test_a_rank_takes_the_points_that_are_claimed_with_it(typed: Typed) -> None:
    output = lines(typed, "3S Q", "5 0", words=(*ALONE, "-o", "counting=manual"))
    assert any(line.startswith("Ann plays 5C: five.") for line in output)


def test_a_number_in_a_claim_stays_one(typed: Typed) -> None:
    cards = ("Ann", "JS", "5C", "TD", "5D", "6C", "4H", "go", "go", "7H", "8S", "9H")
    output = lines(typed, *cards, "6", words=(*TWO, "-o", "counting=manual"))
    assert any(line.startswith("Bob's hand 5C 5D 4H 8S with JS") and "for six" in line for line in output)


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
        output = after(lines(typed, *keyed, "H", words=(*TWO, "--new", "-o", "counting=manual")), "H")
        said = answers(output)[:-1]
        assert said[0].startswith("Now: type ") and len(said) <= 8


def test_the_state_is_what_stands_in_the_bar(typed: Typed) -> None:
    output = lines(typed, "Ann", "JS", "5C", "state", words=TWO)
    assert (
        after(output, "state")[0]
        == "Ann 2, Bob 0; the game is to 121. Ann deals. The count is 5. It is Ann's turn to play."
    )


def test_a_hint_is_what_an_expert_would_do(typed: Typed) -> None:
    output = lines(typed, "hint", "3S 3D", "hint", words=(*ALONE, "--new"))
    assert output[output.index("> hint") + 1] == "An expert discards 3D and 3S. The four that stay average 9.9 points."
    assert after(output, "hint")[0].startswith("An expert plays ")


def test_a_hint_of_a_count_is_the_count(typed: Typed) -> None:
    words = (*ALONE, "--new", "-o", "counting=manual")
    keyed: list[str] = ["3S 3D"]
    for _ in range(20):
        output = lines(typed, *keyed, "hint", words=words)
        said = after(output, "hint")[0]
        if said.startswith("It counts "):
            points = said.removeprefix("It counts ").rstrip(".")
            assert "Sorted: " in after(output, "hint")[1]
            output = lines(typed, *keyed, points, words=words)
            assert not any("too little" in line or "missed" in line for line in after(output, points))
            return
        keyed.append(said.removeprefix("An expert plays ").rstrip(".") if said.startswith("An expert") else "")
    raise AssertionError(keyed)


@pytest.mark.parametrize("words", [TWO, (*TWO, "--deal")])
def test_nobody_asks_for_a_hint_in_front_of_the_others(typed: Typed, words: tuple[str, ...]) -> None:
    output = lines(typed, "Ann", "JS", "hint", words=words)
    assert "There is no hint here; ask when it is your turn, alone against the computer." in output


def test_a_win_names_what_comes_next_and_the_review_is_there(typed: Typed) -> None:
    output = lines(typed, "review", "set Ann 55 50", words=(*ALONE, "--new", "--target", "61"))
    assert "No game is over yet; `review` shows afterwards what each choice cost." in output
    for _ in range(30):
        said = next((line for line in lines(typed, "hint") if line.startswith("An expert ")), "")
        output = lines(typed, said.partition("s ")[2].split(".")[0] if said else "")
        if "Type new for the next game, review for what each choice cost, undo or quit:" in output:
            break
    output = after(lines(typed, "review"), "review")
    assert any(line.startswith("Ann: ") for line in output), output
    output = after(lines(typed, "new", "review"), "review")
    assert output[0].endswith(", to 61."), "not the game that has just begun"


TEN_AND_QUEEN = ("Ann", "--computer", "Bob", "--seed", "42")  # 3S 5C 5S 8C TS QC
TWO_QUEENS = ("Ann", "--computer", "Bob", "--seed", "7")  # AC 3H 4H 9D QD QS


@pytest.mark.parametrize(("ten", "queen"), [("t", "q"), ("T", "Q"), ("ten", "queen"), ("10", "Queen")])
def test_a_ten_and_a_queen_are_cards_like_any_other(typed: Typed, ten: str, queen: str) -> None:
    output = lines(typed, "three and 8", ten, queen, words=TEN_AND_QUEEN)
    assert "Ann plays TS: ten." in output
    assert any(line.startswith("Ann plays QC: ") for line in output)


def test_q_leaves_no_game_in_which_a_card_is_asked_for(typed: Typed) -> None:
    output = lines(typed, "q", "q s", "A 3", "q", "9", "QD", "QS", "q", "quit", "never", words=TWO_QUEENS)
    assert after(output, "q s")[0] == "That is one card; discard two."
    assert output.count("'q' can be QD or QS; type one of these; to leave, type quit.") == 2
    assert after(output, "q")[0] == "No queen fits here; to leave, type quit."
    assert output[-1] == KEPT


def test_q_at_the_cut_or_for_a_starter_asks_for_its_suit(typed: Typed) -> None:
    output = lines(typed, "q", "Ann", "q", "t", words=TWO)
    assert output.count("'q' is a queen here; type it with its suit, like QH; to leave, type quit.") == 2
    assert after(output, "t")[0] == "Ann turns the starter up."


@pytest.mark.parametrize(
    ("typed_so", "answer"),
    [
        ("queen", "'queen' needs its suit, like QH"),
        ("Ten", "'Ten' needs its suit, like TH"),
        ("10", "'10' needs its suit, like TH"),
        ("9 2", "'9' needs its suit, like 9H"),
        ("9H queen", "'queen' needs its suit, like QH"),
        ("5", "'5' needs its suit, like 5H"),
        ("9x 2C", "'9x' is not a card"),
    ],
)
def test_a_rank_at_the_cut_asks_for_its_suit_and_is_no_player(typed: Typed, typed_so: str, answer: str) -> None:
    output = lines(typed, typed_so, words=TWO)
    assert after(output, typed_so)[0].startswith(answer)
    assert "type the two cards cut for the deal, or the name of who deals first" in after(output, typed_so)[0]


@pytest.mark.parametrize("typed_so", ["2", "blue", "bob"])
def test_a_player_at_the_cut_deals(typed: Typed, typed_so: str) -> None:
    assert "Deal 1: Bob deals." in lines(typed, typed_so, words=TWO)


def test_a_rank_for_a_starter_or_a_crib_asks_for_its_suit(typed: Typed) -> None:
    output = lines(typed, "9H and 2C", "queen", "QH", words=TWO)
    assert after(output, "queen")[0] == "'queen' needs its suit, like QH; type the starter, like 5H; H shows help."
    assert "The starter is QH." in output


def test_t_asks_whose_turn_it_is_where_no_ten_or_several_fit(typed: Typed) -> None:
    output = lines(typed, "Ann", "JS", "t", words=TWO)
    assert after(output, "t")[:2] == ["It is Bob's turn to play.", "For a ten type its suit, like TC."]
    assert after(lines(typed, "A 3", "t", words=(*TWO_QUEENS, "--new")), "t")[0] == "It is Ann's turn to play."


def test_q_leaves_where_no_card_is_asked_for(typed: Typed) -> None:
    assert lines(typed, "Ann", "set Ann 121", "q", "never", words=TWO)[-1] == KEPT


def test_what_the_letters_show_has_words_too(typed: Typed) -> None:
    output = lines(typed, "Ann", "JS", "score", "turn", "count", "crib", "starter", "table", words=TWO)
    assert after(output, "score")[0] == "Ann 2, Bob 0; the game is to 121."
    assert after(output, "turn")[0] == "It is Bob's turn to play."
    assert after(output, "crib")[0] == "The crib is Ann's."
    assert after(output, "starter")[0] == "The starter is JS."
