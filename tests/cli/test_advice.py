"""The analyst's commands: what is thrown and why, what a hand may come to, and batches of deals."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner
from rigs.printed import printed

from cribboard.cli.main import cli
from cribboard.computer.tables import chance_to_win
from cribboard_core.cards import card_name

SIX = ("5H", "6C", "7D", "8S", "JH", "KC")
ANY = ("--throws", "any")


def run(*words, given=None):
    return CliRunner().invoke(cli, words, input=given, prog_name="cribboard", catch_exceptions=False)


def batch(*lines):
    result = run("discard", "--batch", given="".join(line + "\n" for line in lines))
    return [json.loads(line) for line in result.stdout.splitlines()], result.exit_code


def test_a_discard_is_advised_and_all_fifteen_follow_the_best_first():
    advice, lines = run("discard", *SIX, "--crib", "theirs", *ANY).stdout.split("\n\n")
    assert advice.splitlines()[0] == "Throw JH KC to their crib."
    assert [line[:26] for line in advice.splitlines() if "of all cases" in line] == [
        "The hand most often counts",
        "The crib most often counts",
    ]
    rows = lines.splitlines()
    assert rows[:2] == [
        "JH KC  keep 5H 6C 7D 8S  hand  9.65,   8 to 14  crib  -4.30  total   5.35",
        "8S KC  keep 5H 6C 7D JH  hand  8.07,   5 to 12  crib  -3.36  total   4.71",
    ]
    assert len(rows) == 15
    assert len({len(row) for row in rows}) == 1
    totals = [float(row.split()[-1]) for row in rows]
    assert totals == sorted(totals, reverse=True)


def test_the_own_crib_is_added():
    best = run("discard", "".join(SIX), "--crib", "mine", *ANY).stdout.split("\n\n")[1].splitlines()[0]
    assert best.endswith("crib  +7.45  total  14.63")


TWO_THREE = ("2C", "3D", "5H", "6S", "JC", "QD")


def test_the_advice_supposes_what_good_players_throw_and_says_so():
    """Published tables of millions of hands throw the two and the three; a crib of any cards would say five and six."""
    output = run("discard", *TWO_THREE, "--crib", "mine").stdout
    assert output.startswith("Throw 2C 3D to your own crib.")
    assert "on average, for you, if your opponent throws as good players do.\n" in output
    assert "expert" not in output
    output = run("discard", *TWO_THREE, "--crib", "mine", "--throws", "any").stdout
    assert output.startswith("Throw 5H 6S to your own crib.")
    assert "The crib gets 7.33 on average, for you, if every choice of its other cards is equally likely.\n" in output
    assert "At the start of a game the computer's expert, who weighs the play too, would throw 2C 3D.\n" in output


def test_a_crib_is_worth_less_than_one_of_any_cards():
    for six in (SIX, TWO_THREE, ("4C", "6D", "JH", "9S", "2C", "KH")):
        cribs = [
            {tuple(each["throw"]): each["crib"] for each in json.loads(run(*words, "--json").stdout)["discards"]}
            for words in (("discard", *six, "--crib", "mine", *more) for more in ((), ("--throws", "any")))
        ]
        off = [cribs[1][thrown] - usual for thrown, usual in cribs[0].items()]
        assert 0.2 < sum(off) / len(off) < 0.9


def test_five_cards_have_five_discards():
    output = run("discard", *SIX[:5], "--crib", "mine").stdout
    assert output.startswith("Throw ")
    assert len(output.split("\n\n")[1].splitlines()) == 5


@pytest.fixture
def terminal(monkeypatch):
    """Have the answer shown as on a terminal without colours."""
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "dumb")
    monkeypatch.setenv("COLUMNS", "100")


def test_a_terminal_gets_a_table(terminal):
    lines = run("discard", *SIX, "--crib", "theirs", *ANY).stdout.splitlines()
    head = next(at for at, line in enumerate(lines) if "Throw" in line and "Total" in line)
    assert lines[head].split() == ["Throw", "Keep", "Hand", "From", "to", "Crib", "Total"]
    assert lines[head + 2].split() == ["JH", "KC", *SIX[:4], "9.65", "8", "to", "14", "-4.30", "5.35"]
    lines = run("odds", *SIX[:4]).stdout.splitlines()
    assert any(line.split() == ["Points", "Starters", "Chance", "At", "least", "With"] for line in lines)
    assert any(line.split() == ["14", "6", "12.5", "%", "12.5", "%", "7", "8"] for line in lines)


def test_a_terminal_gets_plain_lines_when_asked(terminal):
    for words in (("discard", *SIX, "--crib", "mine", *ANY), ("odds", *SIX[:4])):
        output = run(*words, "--plain").stdout
        assert "─" not in output
        assert "crib  +7.45" in output or "14 points   6 starters" in output


def test_a_discard_is_one_object_of_json():
    result = run("discard", *SIX, "--crib", "theirs", "--json")
    entry = json.loads(result.stdout)
    assert result.stdout.count("\n") == 1
    assert (entry["deal"], entry["crib"]) == (list(SIX), "theirs")
    assert entry["advice"][0] == "Throw JH KC to their crib."
    assert (entry["throws"], entry["expert"]) == ("usual", ["JH", "KC"])
    best = entry["discards"][0]
    assert (best["throw"], best["keep"]) == (["JH", "KC"], list(SIX[:4]))
    assert best["total"] == best["hand"] - best["crib"]
    assert best["hand_points"] == [[8, 22], [9, 8], [10, 4], [12, 6], [14, 6]]
    assert sum(ways for _, ways in best["crib_points"]) == pytest.approx(46 * 990)
    average = sum(points * ways for points, ways in best["crib_points"]) / (46 * 990)
    assert average == pytest.approx(best["crib"])


def test_of_any_cards_the_ways_to_each_score_are_whole():
    entry = json.loads(run("discard", *SIX, "--crib", "theirs", "--json", "--throws", "any").stdout)
    assert entry["throws"] == "any"
    best = entry["discards"][0]
    assert sum(ways for _, ways in best["crib_points"]) == 46 * 990
    assert sum(points * ways for points, ways in best["crib_points"]) / (46 * 990) == best["crib"]
    five = json.loads(run("discard", *SIX[:5], "--crib", "theirs", "--json").stdout)
    assert (five["throws"], five["expert"]) == ("any", None)


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ((*SIX[:5], "5H", "--crib", "mine"), "the deal has 5H twice; a deal is six different cards"),
        ((*SIX[:4], "--crib", "mine"), "the deal has only 5H 6C 7D 8S; a deal is six or five different cards"),
        ((*SIX, "XX", "--crib", "mine"), "'XX' is not a card"),
        (SIX, "Whose crib is it? Add --crib mine or --crib theirs"),
        (("--crib", "mine"), "No cards"),
        ((*SIX, "--batch"), "--batch reads cards from standard input"),
        (("--batch", "--crib", "mine"), "--batch reads cards from standard input"),
    ],
)
def test_what_is_no_deal_is_said(words, why):
    result = run("discard", *words)
    assert (result.exit_code, result.stdout) == (2, "")
    assert f"Error: {why}" in result.stderr


def test_a_batch_answers_in_exactly_this_form():
    answers, status = batch(json.dumps({"six": SIX}), '{"six":"5H6C7D8SJHKC"}', '{"five":"5H 6C 7D 8S JH"}')
    assert status == 0
    assert answers[0] == answers[1]
    assert list(answers[0]) == ["discards"]
    assert len(answers[0]["discards"]) == 15
    assert answers[0]["discards"][0] == [["5H", "6C"], 4.0, 7.120245937637242]
    assert answers[0]["discards"][-1] == [["JH", "KC"], 9.652173913043478, 4.303513394817743]
    assert [thrown for thrown, _, _ in answers[2]["discards"]] == [[card] for card in SIX[:5]]


def test_a_line_that_says_whose_crib_it_is_gets_what_good_players_throw():
    lines = [json.dumps({"six": SIX, "crib": whose}) for whose in ("mine", "theirs")]
    for answer, whose in zip(batch(*lines)[0], ("mine", "theirs"), strict=True):
        entry = json.loads(run("discard", *SIX, "--crib", whose, "--json").stdout)
        cribs = {tuple(each["throw"]): each["crib"] for each in entry["discards"]}
        assert {tuple(thrown): crib for thrown, _, crib in answer["discards"]} == cribs
    any_cards = run("discard", "--batch", "--throws", "any", given=lines[0] + "\n").stdout
    assert json.loads(any_cards) == batch(json.dumps({"six": SIX}))[0][0]


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ('{"six":"5H6C7D8SJHKC","crib":"ours"}', 'crib is "mine" or "theirs", not \'ours\''),
        ("{}", "the line needs 'six', the cards dealt to one of two players, or 'five', to one of three to five"),
        ('{"six":"5H6C7D8SJHKC","five":"5H6C7D8SJH"}', "the line needs 'six'"),
        ('{"six":7}', "six is a list of cards like ['5H', '6C'], not 7"),
        ('{"six":[7]}', "7 is not text"),
        ('{"six":"5H6C7D8SJH"}', "the deal has only 5H 6C 7D 8S JH; a deal is six different cards"),
        ('{"five":"5H6C7D8SJHKC"}', "the deal has 6 cards, KC is one too many; a deal is five different cards"),
        ('{"six":["5H","5H","7D","8S","JH","KC"]}', "the deal has 5H twice; a deal is six different cards"),
        ("nonsense", "the line is not JSON"),
    ],
)
def test_a_bad_line_is_answered_by_why_and_the_run_goes_on(line, why):
    answers, status = batch(line, json.dumps({"six": SIX}))
    assert status == 1
    assert answers[0]["error"]["message"].startswith(why)
    assert len(answers[1]["discards"]) == 15


def test_odds_tell_the_chances_and_the_starters():
    assert run("odds", *SIX[:4], "--seen", "JH KC").stdout.splitlines() == [
        "5H 6C 7D 8S: 9.65 on average of 46 starters.",
        "At most 14, with 7 8; at least 8.",
        "",
        " 8 points  22 starters  chance  47.8 %  at least that 100.0 %  with A 3 T J Q K",
        " 9 points   8 starters  chance  17.4 %  at least that  52.2 %  with 4 9",
        "10 points   4 starters  chance   8.7 %  at least that  34.8 %  with 2",
        "12 points   6 starters  chance  13.0 %  at least that  26.1 %  with 5 6",
        "14 points   6 starters  chance  13.0 %  at least that  13.0 %  with 7 8",
    ]


def test_one_starter_is_one():
    known = (0, 17, 22, 27, 51)  # AC 5H 6S 7S KS
    rest = " ".join(card_name(card) for card in range(52) if card not in known)
    output = run("odds", *[card_name(card) for card in known[:4]], "--seen", rest).stdout
    assert " on average of 1 starter.\n" in output


def test_odds_of_a_crib_name_the_cards_where_the_suit_matters():
    output = run("odds", "2H 4H 6H 8H", "--crib").stdout.splitlines()
    assert output[0] == "2H 4H 6H 8H, the crib: 3.85 on average of 48 starters."
    assert output[-1] == "12 points   3 starters  chance   6.2 %  at least that   6.2 %  with 3H 5H 7H"


def test_odds_are_one_object_of_json():
    entry = json.loads(run("odds", "5H5C5SJD", "--seen", "KC", "--json").stdout)
    assert {name: entry[name] for name in ("hand", "crib", "seen", "unseen")} == {
        "hand": ["5H", "5C", "5S", "JD"],
        "crib": False,
        "seen": ["KC"],
        "unseen": 47,
    }
    assert entry["points"][-1] == {"points": 29, "starters": ["5D"], "chance": 1 / 47, "at_least": 1 / 47}
    assert entry["points"][0]["at_least"] == 1
    assert entry["average"] == pytest.approx(sum(row["points"] * row["chance"] for row in entry["points"]))


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ((), "No hand"),
        (SIX[:3], "the hand has only 5H 6C 7D"),
        ((*SIX[:4], "--seen", "5H"), "5H is in the hand and among the seen cards"),
        ((*SIX[:4], "--crib", "--seen", "6C"), "6C is in the crib and among the seen cards"),
        ((*SIX[:4], "--seen", "9"), "'9' is not a card"),
        ((*SIX[:4], "--target", "61"), "--target goes with --score."),
        (("--score", "9-9", "--crib"), "--score goes without a hand; leave out the cards, --crib and --seen."),
    ],
)
def test_what_has_no_odds_is_said(words, why):
    result = run("odds", *words)
    assert (result.exit_code, result.stdout) == (2, "")
    assert f"Error: {why}" in result.stderr


@pytest.mark.parametrize(("words", "target"), [((), 121), (("--target", "61"), 61)])
def test_odds_by_the_score_are_the_chances_to_win(words, target):
    mine, theirs = [chance_to_win(40, 31, dealing, target) for dealing in (True, False)]
    entry = printed(run("odds", "--score", "40-31", *words, "--json").stdout)
    win = {"mine_deals": pytest.approx(mine, abs=0.0001), "theirs_deals": pytest.approx(theirs, abs=0.0001)}
    assert entry == {"scores": [40, 31], "target": target, "win": win}
    assert run("odds", "--score", " 40 - 31 ", *words).stdout.splitlines() == [
        f"With 40 to 31 in a game to {target}, you win {100 * mine:.1f} % when you deal next,",
        f"and {100 * theirs:.1f} % when they deal.",
    ]


@pytest.mark.parametrize(
    ("score", "why"),
    [
        ("5", "'5' is not two scores; write mine and theirs like: --score 98-104"),
        ("121-0", "a score of 121 is not one of a running game to 121; it is 0 to 120"),
    ],
)
def test_scores_that_cannot_be_have_no_odds(score, why):
    result = run("odds", "--score", score)
    assert (result.exit_code, result.stdout) == (2, "")
    assert f"Error: {why}" in result.stderr.replace("\n  ", "; ")
