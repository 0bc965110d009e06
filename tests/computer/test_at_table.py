"""The computer at a refereed table: its level, its calls, the chance to win, and a name with a level."""

from __future__ import annotations

from pathlib import Path

import pytest
from cli.at_play import lines
from rigs.typed import Typed

from cribboard.computer.levels import LEVELS
from cribboard.computer.tables import percent, while_counting

MUGGINS = ("--seed", "4", "--target", "61", "-o", "counting=manual", "-o", "muggins=on")


@pytest.fixture
def typed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Typed:
    monkeypatch.setenv("CRIBBOARD_HOME", str(tmp_path))
    typed = Typed(tmp_path, monkeypatch)
    typed.play(2)
    return typed


@pytest.mark.parametrize("level", [*LEVELS, "Club"])
def test_every_level_plays_a_game_to_its_end(typed: Typed, level: str) -> None:
    computers = ("--computer", f"Ann:{level}", "--computer", f"Bob:{level}")
    output = lines(typed, words=("Ann", "Bob", *computers, "--seed", "4", "--target", "61"))
    assert any(" with 61." in line for line in output)


def test_a_learner_says_why_at_each_card_and_when_its_hand_is_shown(typed: Typed) -> None:
    output = lines(typed, words=("Ann", "Bob", "--computer", "Ann:learner", "--computer", "Bob", "--seed", "4"))
    assert not [line for line in output if line.startswith("Bob: \u201c")]
    for at, line in enumerate(output):
        if line.startswith(("Ann plays", "Ann's hand")) and "wins" not in output[at + 1]:
            why = next(each for each in output[at + 1 :] if not each.startswith(("Go:", "Last card:", "Bob says")))
            said = "I kept these because they were worth " if "hand" in line else ""
            assert why.startswith(f"Ann: \u201c{said}"), why
    assert any("\u201cIt scores 2, and nothing else I hold scores more.\u201d" in line for line in output)


def test_a_level_that_is_none_is_refused_in_words(typed: Typed) -> None:
    refused = typed("play", "Ann", "Bob", "--computer", "Bob:master", exit_code=2)
    assert "there is no level 'master'; the levels are learner, club, expert" in refused.stderr


def test_a_player_that_is_none_is_refused_with_a_level_too(typed: Typed) -> None:
    assert "there is no player 'Cleo'" in typed("play", "Ann", "Bob", "--computer", "Cleo:club", exit_code=2).stderr


def test_an_expert_calls_what_is_missed(typed: Typed) -> None:
    """A claim of nothing for a card that makes a pair, a fifteen or a run."""
    output = _a_deal(typed, 1)
    missed = [at for at, line in enumerate(output) if line.startswith("Muggins: Bob takes")]
    assert missed
    assert not [line for line in output if "that Ann missed" in line and not line.startswith("Muggins: Bob takes")]


def _a_deal(typed: Typed, number: int) -> list[str]:
    """A deal in which Ann throws her first two cards, plays her first that fits, and claims nothing."""
    words = ("Ann", "Bob", "--computer", "Bob", *MUGGINS, "--seed", str(number), "--new")
    output: list[str] = []
    keys: list[str] = []
    for _ in range(12):
        output = lines(typed, *keys, words=words)
        asked = next((line for line in reversed(output) if line.startswith(("Ann, ", "Ann to play"))), "")
        if asked.startswith("Ann, count "):
            keys.append("0")
        elif asked:
            cards = asked.rpartition(": ")[2].split()
            keys.append(" ".join(cards[: 1 if "You can play" in asked else 2]))
        else:
            break
    return output


def test_w_shows_the_chance_to_win_and_the_same_whatever_the_cards(typed: Typed) -> None:
    said = set()
    for seed in ("4", "30"):
        output = lines(typed, "W", words=("Ann", "Bob", "--computer", "Bob", "--seed", seed, "--new"))
        dealer = next(line for line in output if "deals first" in line)[:3]
        said.add((dealer, output[output.index("> W") + 1]))
    shares = {"Ann": "Ann 56 %, Bob 44 %", "Bob": "Ann 44 %, Bob 56 %"}
    for dealer, sentence in said:
        assert sentence == f"Chance to win from here, cards aside: {shares[dealer]}."


def test_w_knows_in_the_show_what_is_still_to_be_counted(typed: Typed) -> None:
    """Bob needs three and has counted; Ann needs six with her hand and the crib to come, then four with the crib."""
    words = ("Ann", "Bob", "--computer", "Bob", "--seed", "11", "--target", "61", "-o", "counting=manual")
    keys = ("3C JH", "5D", "6H", "2C", "QC", "set Ann 55", "set Bob 58", "W", "2", "W")
    output = lines(typed, *keys, words=words)
    shares = [percent(while_counting((3, needs), hand_too)) for needs, hand_too in ((6, True), (4, False))]
    assert shares[0] > 90 > shares[1] > 50
    for share in shares:
        assert f"Chance to win from here, cards aside: Ann {share} %, Bob {100 - share} %." in output


def test_w_calls_nothing_certain_in_a_game_that_is_on(typed: Typed) -> None:
    words = ("Ann", "Bob", "--computer", "Bob", "--seed", "11", "--target", "61")
    output = lines(typed, "set Ann 60", "W", words=words)
    assert "Chance to win from here, cards aside: Ann 99 %, Bob 1 %." in output


def test_w_says_that_it_knows_only_two(typed: Typed) -> None:
    typed.play(3)
    output = lines(typed, "W", words=("Ann", "Bob", "Cleo", "--computer", "Bob", "--seed", "4"))
    assert output[output.index("> W") + 1] == "The chance to win is known for games of two."
