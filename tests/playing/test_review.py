"""`cribboard review`: what choices cost, luck apart from skill, and games that cannot be reviewed."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path

import pytest
from rigs.printed import printed
from rigs.typed import Typed

from cribboard.computer.tables import chance_to_win, while_counting
from cribboard.errors import CribboardError
from cribboard.players import dealers_act
from cribboard.playing import log as logs
from cribboard.playing.judge import in_words
from cribboard.playing.review import Game, find, newest, review, review_game
from cribboard.referee.options import read_options
from cribboard.referee.pegs import pack_match
from cribboard.referee.referee import Referee
from cribboard.referee.setup import Setup
from cribboard.referee.state import legal_cards, turn_of
from cribboard_core.cards import card_name, cards_text
from cribboard_core.match import Match

GAME = ("play", "Ann", "Bob", "--computer", "Ann:learner", "--computer", "Bob", "--seed", "3", "--target", "61")


@pytest.fixture
def typed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Typed:
    monkeypatch.setenv("CRIBBOARD_HOME", str(tmp_path))
    typed = Typed(tmp_path, monkeypatch)
    typed.play(2)
    return typed


def test_a_learners_choices_cost_more_than_an_experts(typed: Typed) -> None:
    typed(*GAME)
    reviewed = review(newest())
    assert reviewed.over
    assert reviewed.cost(0) > 5 * reviewed.cost(1)
    assert reviewed.cost(1) < 0.05
    worst = reviewed.worst(3)
    assert [choice.seat for choice in worst] == [0, 0, 0]
    assert worst[0].cost >= worst[1].cost >= worst[2].cost > 0
    assert worst[0].chose != worst[0].best


def test_luck_is_what_the_choices_leave_over(typed: Typed) -> None:
    typed(*GAME)
    reviewed = review(newest())
    assert reviewed.luck(0) == pytest.approx(-reviewed.luck(1))
    assert reviewed.first + reviewed.luck(0) - reviewed.cost(0) + reviewed.cost(1) == pytest.approx(reviewed.last)


def test_every_discard_and_every_real_choice_of_a_card_is_looked_at(typed: Typed) -> None:
    typed(*GAME)
    reviewed = review(newest())
    deals = max(choice.deal for choice in reviewed.choices)
    assert sum(choice.discard for choice in reviewed.choices) == 2 * deals
    assert sum(not choice.discard for choice in reviewed.choices) > 3 * deals
    assert all(choice.cost >= 0 for choice in reviewed.choices)


def test_what_was_taken_back_costs_nothing(typed: Typed) -> None:
    words = ("play", "--codes", "Ann", "Bob", "--computer", "Bob", "--seed", "4", "--target", "61")
    typed(*words, given="5S 6D\nundo\n8S QD\n")
    threw = [choice for choice in review(newest()).choices if choice.discard and choice.seat == 0]
    assert len(threw) == 1
    assert len(set(threw[0].chose)) == 2


def test_the_command_says_it_in_words_and_as_an_object(typed: Typed) -> None:
    typed(*GAME)
    output = typed("review", "--worst", "1").stdout.splitlines()
    assert output[0] == "Ann against Bob, to 61."
    assert re.fullmatch(r"Ann: mistakes cost \d+\.\d % of a win; luck [+-]\d+\.\d %\.", output[1])
    assert output[3] == "What cost most:"
    assert " Better " in output[4]
    assert output[5].startswith("Ann's averages: hand as dealer ")
    assert "hand when not dealing" in output[5] and not any("pone" in line for line in output)
    entry = printed(typed("review", "--json").stdout)
    assert entry["over"] and [player["name"] for player in entry["players"]] == ["Ann", "Bob"]
    assert {"deal", "chose", "best", "cost", "reason"} <= set(entry["choices"][0])


def test_without_a_game_it_says_how_to_play_one(typed: Typed) -> None:
    assert "there is no game to review" in typed("review", exit_code=1).stderr


def test_cards_that_the_program_has_not_dealt_cannot_be_reviewed(typed: Typed) -> None:
    typed("play", "Ann", "Bob", "--target", "61", given="Ann\n")
    log = next(Path(typed.table.folder).glob("**/play.jsonl"))
    with pytest.raises(CribboardError, match="a game of cards that the program has not dealt cannot be reviewed"):
        review(log)


def five_card_deal(folder: Path) -> Path:
    """The log of a deal of five-card cribbage that the program has dealt to two people."""
    setup, chance = Setup(("Ann", "Bob"), (0, 1), 0, 61, read_options(["five_card=on"]), True), random.Random(1)
    base = pack_match(Match(61, 3, 2), 7)
    referee, log = Referee(setup, base), logs.begin(folder, setup, base)
    while sum(act[0] == "deal" for act in referee.acts) < 2:
        act, seat, round_ = dealers_act(referee, chance), turn_of(referee), referee.table.round
        if act is None and round_ is not None and referee.phase == "discard":
            act = ["discard", seat, cards_text(sorted(round_.deal.hands[seat])[:2])]
        elif act is None:
            card = next(iter(legal_cards(referee)), None)
            act = ["go", seat] if card is None else ["play", seat, card_name(card)]
        referee.act(act)
        log.append(act)
    log.close()
    return log.path


def test_five_card_cribbage_is_passed_over_and_played_again_by_nobody(typed: Typed) -> None:
    typed("play", "--codes", "Ann", "Bob", "--computer", "Bob", "--seed", "4", "--target", "61", given="5S 6D\n")
    averages = typed("review", "--all").stdout
    path = five_card_deal(newest().parent.with_name("other"))
    assert typed("review", "--all").stdout == averages
    for words in ((), ("--duplicate",), ("--beside", str(newest()))):
        assert (
            "a game of five-card cribbage cannot be reviewed" in typed("review", str(path), *words, exit_code=1).stderr
        )


def test_a_later_game_of_three_is_passed_over(typed: Typed) -> None:
    typed("play", "--codes", "Ann", "Bob", "--computer", "Bob", "--seed", "4", "--target", "61", given="5S 6D\n")
    game = newest().read_bytes()
    typed.play(3)
    typed("play", "Ann", "Bob", "Cleo", "--computer", "Bob", "--computer", "Cleo", "--target", "61", "--new")
    assert newest().read_bytes() == game


def test_what_is_no_log_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CribboardError, match="cannot be read"):
        review(tmp_path / "none")
    (tmp_path / "other").write_text("hello\n")
    with pytest.raises(CribboardError, match="is not the log of a game"):
        review(tmp_path / "other")
    for text in ("", '{"setup": {}}\n', "[1]\n"):
        (tmp_path / "other").write_text(text)
        with pytest.raises(CribboardError, match="it does not begin with the setup and the base of a game"):
            review(tmp_path / "other")


@pytest.mark.parametrize("words", [(), ("--duplicate",)])
@pytest.mark.parametrize("act", ['["play",0,"XX"]', '["claim",0,5]', '["set",0,9e99,1]', "[1]", "{}", "null", '"x"'])
def test_acts_that_cannot_have_happened_are_refused(
    typed: Typed, tmp_path: Path, act: str, words: tuple[str, ...]
) -> None:
    typed("play", "--codes", "Ann", "Bob", "--computer", "Bob", "--seed", "4", "--target", "61", given="5S 6D\n")
    broken = tmp_path / "broken.jsonl"
    broken.write_text(newest().read_text() + act + "\n")
    assert f"{broken} is not the log of a game (" in typed("review", str(broken), *words, exit_code=1).stderr


def test_a_game_that_is_not_over_is_reviewed_so_far(typed: Typed) -> None:
    typed("play", "Ann", "Bob", "--computer", "Bob", "--seed", "4", "--target", "61", given="5S 6D\n")
    reviewed = review(newest())
    assert not reviewed.over
    assert in_words(reviewed, 3)[0] == "Ann against Bob, to 61, not over yet."


def test_a_game_that_is_stopped_in_the_show_has_the_chance_of_what_is_still_to_be_counted(typed: Typed) -> None:
    """Ann deals; Bob counts 8. She stops before she counts, then when the deal is over and Bob is to deal."""
    words = ("play", "--codes", "Ann", "Bob", "--computer", "Bob", "--seed", "11", "--target", "61")
    keys = "JH 5D\n6H\nQC\n2C\n3C\n"
    typed(*words, "-o", "counting=manual", "-o", "muggins=on", given=keys)
    assert review(newest()).last == while_counting((61 - 10, 61 - 1), hand_too=True)
    typed("play", "--codes", given="6\n8\n")
    assert review(newest()).last == chance_to_win(15, 10, False, 61)


COUNTED = ("play", "--codes", "Ann", "Bob", "--computer", "Bob", "--seed", "11", "--target", "61", "--new")
PLAYED = "JH 5D\n6H\nQC\n2C\n3C\n"  # Ann deals, and then counts 6 in her hand and 16 in her crib


def test_wrong_counts_and_corrections_stand_apart_from_the_cards(typed: Typed) -> None:
    manual = (*COUNTED, "-o", "counting=manual", "-o", "muggins=on")
    typed(*manual, given=f"{PLAYED}6\n16\n")
    right = review(newest())
    assert right.counting == 0
    assert not any("wrong counts" in line for line in in_words(right, 0))
    typed(*manual, given=f"{PLAYED}0\n16\n")  # Bob calls it
    missed = review(newest())
    assert missed.counting < -0.1
    assert missed.luck(0) == pytest.approx(right.luck(0), abs=0.1)  # the crib is worth more or less there
    brought = missed.counting + missed.luck(0) - missed.cost(0) + missed.cost(1)
    assert missed.first + brought == pytest.approx(missed.last)
    lines = [line for line in in_words(missed, 0) if "; wrong counts, calls and corrections " in line]
    assert [line.split(":")[0] for line in lines] == ["Ann", "Bob"]
    typed(*manual, given=f"{PLAYED}set Ann 12\n6\n16\n")
    corrected = review(newest())
    assert corrected.counting > 0.15
    assert corrected.luck(0) == pytest.approx(right.luck(0), abs=0.1)  # the crib is worth more or less there


def test_corrections_of_the_game_before_are_not_those_of_the_next_one(typed: Typed) -> None:
    typed(*COUNTED, given="set Ann 121\nset Ann 30\nset Ann 61\nnew\n")
    typed("play", "--codes", given="2D 3S\n")
    assert review(newest()).counting == 0


def test_a_reason_says_whose_crib_it_is(typed: Typed) -> None:
    typed(*GAME)
    discards = [choice for choice in review(newest()).choices if choice.discard]
    assert {choice.dealing for choice in discards} == {True, False}
    for choice in discards:
        assert ("the other's crib" if choice.dealing else "in the crib") not in choice.reason
    reasons = " ".join(choice.reason for choice in discards)
    assert "points fewer in the hand" in reasons
    assert "fewer in the other's crib" in reasons


def test_points_of_the_play_that_were_not_claimed_stand_apart_too(typed: Typed) -> None:
    """Ann's 6H makes a run of four."""
    for claim, missed in ((" 4", False), ("", True)):
        typed(*COUNTED, "-o", "counting=manual", given=f"2C 3C\n5D\n6H{claim}\n")
        assert (review(newest()).counting < -0.05) == missed


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("--all", "--duplicate"), "Choose one of --all, --duplicate and --beside."),
        (("--duplicate", "--beside", "x"), "Choose one of --all, --duplicate and --beside."),
        (("x", "--all"), "--all looks at all games; leave out the LOG."),
    ],
)
def test_options_that_exclude_each_other_are_refused(typed: Typed, words: tuple[str, ...], why: str) -> None:
    result = typed("review", *words, exit_code=2)
    assert result.stdout == ""
    assert f"Error: {why}" in result.stderr


def test_a_discard_that_costs_next_to_nothing_is_no_mistake(typed: Typed) -> None:
    """The nine with the queen, or with the king: the chances to win differ by less than 0.05 %."""
    words = ("play", "--codes", "Ann", "Bob", "--computer", "Bob", "--seed", "68", "--target", "61")
    typed(*words, given="9D QD\n")
    reviewed = review(newest())
    assert set(reviewed.choices[0].chose) != set(reviewed.choices[0].best)
    assert "No choice cost anything." in in_words(reviewed, 3)


def test_averages_are_of_all_games_of_people(typed: Typed) -> None:
    """Three games one after the other; in each log Ann is then a person."""
    for seed in ("3", "4", "5"):
        typed("play", "Ann", "Bob", "--computer", "Ann:club", "--computer", "Bob", "--seed", seed, "--target", "61")
    kept = [path for path in Path(typed.table.folder).glob("**/*.jsonl*") if path.name[0] in "0p"]
    assert sorted(path.name for path in kept) == ["00001.jsonl", "play.jsonl", "play.jsonl.before"]
    assert "There are no averages yet" in typed("review", "--all").stdout
    for path in kept:
        head, _, rest = path.read_text().partition("\n")
        header = json.loads(head)
        header["setup"]["computers"] = [1]
        path.write_text(json.dumps(header) + "\n" + rest)
    (player,) = json.loads(typed("review", "--all", "--json").stdout)["players"]
    assert player["name"] == "Ann"
    one = review(newest()).made
    for what in ("pone's hand", "dealer's hand", "crib"):
        average, of = player["averages"][what]
        assert of > len(one[0, what])
        assert 2 < average < 14
    assert 0.5 < player["averages"]["pone's play"][0] < player["averages"]["dealer's play"][0] < 6
    assert typed("review", "--all").stdout.startswith("Ann's averages: hand as dealer ")


def test_penalties_and_corrected_scores_are_no_pegs_of_the_play(typed: Typed) -> None:
    words = ("play", "--codes", "Ann", "Bob", "--computer", "Bob", "--seed", "11", "--target", "121")
    keys = "JH 5D\n6H\npenalty Bob 6\nset Bob 30\nQC\n2C\n3C\n"
    typed(*words, given=keys)
    made = review(newest()).made
    assert made[0, "dealer's play"] == [1]
    assert made[1, "pone's play"] == [2]


def test_one_game_of_an_evening_is_found_by_its_number_and_reviewed(typed: Typed) -> None:
    typed(*GAME, given="new\n")
    path = newest()
    setup, base, acts = logs.acts(path)
    referee, games = Referee(setup, base), []
    for act in acts:
        referee.act(act)
        games += [referee.pegs.game] if referee.pegs.game not in [-1, *games] else []
    uid, epoch = path.parent.name, base[3]
    assert len(games) > 1
    assert [find(uid, epoch, number) for number in games] == [(path, setup)] * len(games)
    assert find(uid, epoch + 1, games[0]) is None
    assert find(uid, epoch, games[-1] + 1) is None
    assert find(uid, epoch, base[0]) is None
    first = review_game(Game(path, epoch, games[0], ("Cleo", "Dan")))
    assert first.over and in_words(first, 0)[0] == "Cleo against Dan, to 61."
    assert first.choices[0].deal == 1
    with pytest.raises(CribboardError, match="the log has another game"):
        review_game(Game(path, epoch, games[-1] + 1, ("Cleo", "Dan")))


def test_after_a_new_game_has_begun_the_one_that_was_won_is_reviewed(typed: Typed) -> None:
    typed(*GAME)
    before = review(newest())
    with newest().open("a", encoding="utf-8") as log:
        log.write('["new",0]\n' + json.dumps(["deal", cards_text(list(range(52)))]) + "\n")
        log.write(json.dumps(["discard", 0, "AD AS"]) + "\n")
    assert review(newest()) == before
    assert before.over
    typed("play", "Ann", "Bob", "--computer", "Bob", "--new", given="")
    assert review(newest()) == before, "not the game that is on, in which the computer has discarded"
