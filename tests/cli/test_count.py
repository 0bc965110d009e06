"""Counting without a board: a hand, and batches of hands and plays."""

from __future__ import annotations

import io
import json
import sys

import pytest
from click.testing import CliRunner
from rigs.printed import printed

from cribboard.cli.count import MOST_BYTES
from cribboard.cli.main import cli

BEST = '{"hand":["5H","5C","5S","JD"],"starter":"5D","crib":false}'
BEST_COUNT = '{"points":29,"fifteens":16,"pairs":12,"runs":0,"flush":0,"nobs":1}'


def run(*words, given=None):
    return CliRunner().invoke(cli, words, input=given, prog_name="cribboard", catch_exceptions=False)


def batch(*lines, command="count"):
    """The answers to lines of text or bytes, and the exit status."""
    given = b"".join(line.encode() + b"\n" if isinstance(line, str) else line + b"\n" for line in lines)
    result = run(command, "--batch", given=given)
    return result.stdout.splitlines(), result.exit_code


def mistake(line, command="count"):
    """The error that one line is answered with."""
    (answer,), status = batch(line, command=command)
    assert status == 1
    return json.loads(answer)["error"]["message"]


@pytest.mark.parametrize("words", [("4H5H6H6C",), ("4h", "5h", "6h", "6c"), ("h4, 5♥ 6H,c6",)])
def test_a_hand_is_counted_with_its_parts_and_aloud(words):
    assert run("count", *words, "--starter", "5D").stdout.splitlines() == [
        "4H 5H 6H 6C with 5D",
        "   2  fifteen            4H 5H 6H",
        "   2  fifteen            4H 5D 6H",
        "   2  fifteen            4H 5H 6C",
        "   2  fifteen            4H 5D 6C",
        "  16  double double run  4H 5D 5H 6C 6H",
        "Fifteen two, fifteen four, fifteen six, fifteen eight, and a double double run for twenty-four.",
        "24 points.",
    ]


def test_a_hand_of_nothing_is_counted():
    assert run("count", "2C 4D 6H 8S", "--starter", "QD").stdout.splitlines()[1:] == ["Nothing.", "0 points."]


def test_one_point_is_one_point():
    assert run("count", "2C 4D 6H JD", "--starter", "QD").stdout.splitlines()[-1] == "1 point."


def test_the_crib_is_counted_by_its_own_rule():
    words = ("count", "2H 4H 6H 8H", "--starter", "QD")
    assert run(*words).stdout.endswith("\n4 points.\n")
    assert run(*words, "--crib").stdout.splitlines() == ["2H 4H 6H 8H with QD, the crib", "Nothing.", "0 points."]


def test_a_count_is_one_line_of_json():
    result = run("count", "2H4H6HJD8S", "--starter", "QD", "--json")
    assert printed(result.stdout) == {
        "points": 1,
        "fifteens": 0,
        "pairs": 0,
        "runs": 0,
        "flush": 0,
        "nobs": 1,
        "hand": ["2H", "4H", "6H", "JD", "8S"],
        "starter": "QD",
        "crib": False,
        "parts": [{"kind": "nobs", "points": 1, "cards": ["JD"]}],
        "aloud": "nobs for one",
    }
    assert result.stdout.count("\n") == 1


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("5H 5H 5S JD", "--starter", "5D"), "the hand has 5H twice; a hand is four different cards"),
        (("5H 5C 5S", "--starter", "5D"), "the hand has only 5H 5C 5S"),
        (("5H 5C 5S XX", "--starter", "5D"), "'XX' is not a card"),
        (("5H 5C 5S JD", "--starter", "JD"), "JD is the starter and in the hand as well"),
        (("5H 5C 5S JD", "--starter", "5D 6D"), "'5D 6D' is 2 cards"),
        (("5H 5C 5S JD",), "No starter"),
        ((), "No hand"),
        (("5H", "--batch"), "--batch reads hands from standard input"),
    ],
)
def test_what_is_no_hand_is_said(words, why):
    result = run("count", *words)
    assert (result.exit_code, result.stdout) == (2, "")
    assert f"Error: {why}" in result.stderr


def test_a_batch_answers_in_exactly_this_form():
    assert batch(BEST) == ([BEST_COUNT], 0)


def test_a_batch_of_nothing_is_good():
    assert batch() == ([], 0)


def test_a_batch_counts_hands_of_five_and_cribs():
    answers, status = batch(
        '{"hand":["4H","4C","5S","5D","6H"],"starter":"6D"}', '{"hand":"2H4H6H8H","starter":"QD","crib":true}'
    )
    assert ([json.loads(answer)["points"] for answer in answers], status) == ([46, 0], 0)


def test_a_batch_goes_on_after_a_bad_line():
    answers, status = batch(BEST, "what?", BEST)
    assert (answers[0], answers[2], status) == (BEST_COUNT, BEST_COUNT, 1)
    why = "the line is not JSON: Expecting value at column 1"
    assert json.loads(answers[1]) == {"error": {"code": "argument", "message": why, "hint": ""}}


@pytest.mark.parametrize("line", ["\ufeff" + BEST, BEST + "\r", BEST.replace(",", " ,\t")])
def test_a_batch_takes_json_from_any_system(line):
    assert batch(line) == ([BEST_COUNT], 0)


def test_the_last_line_needs_no_end():
    assert run("count", "--batch", given=BEST).stdout == BEST_COUNT + "\n"


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("", "the line is not JSON: Expecting value at column 1"),
        ('{"hand":7', "the line is not JSON: Expecting ',' delimiter at column 10"),
        ("[1]", "the line is an object in braces, not [1]"),
        ("{}", "the line lacks 'hand'; it needs hand and starter, and crib if it is the crib"),
        ('{"hand":"5H5C5SJD"}', "the line lacks 'starter'; it needs hand and starter, and crib if it is the crib"),
        ('{"hand":7,"starter":"5D"}', "7 is not text"),
        ('{"hand":[["5H"]],"starter":"5D"}', "['5H'] is not text"),
        ('{"hand":"5H5C5SJD","starter":null}', "None is not text"),
        ('{"hand":"5H5C5SJD","starter":"5D","crib":1}', "crib is true or false, not 1"),
        ('{"hand":["5H","5C"],"starter":"5D"}', "the hand has only 5H 5C"),
        ('{"hand":["5H","5H","5S","JD"],"starter":"5D"}', "the hand has 5H twice"),
        (b"\xff\xfe", "the line is not UTF-8 from byte 1 on"),
        ("[" * 20000, "the line is nested too deeply"),
        ("9" * 5000, "the line has a number of too many digits"),
        ("9" * (3 * MOST_BYTES), f"the line is longer than {MOST_BYTES} bytes"),
    ],
    ids=range(15),
)
def test_a_bad_line_is_answered_by_why(line, why):
    assert mistake(line).startswith(why)


def test_a_line_too_long_is_one_bad_line():
    answers, _ = batch("x" * (2 * MOST_BYTES + 1), BEST)
    assert answers[1:] == [BEST_COUNT]


class Hearing(io.RawIOBase):
    """A standard input that is asked for a second line only after the first was answered."""

    def __init__(self, heard):
        self.heard = heard
        self.lines = [BEST.encode() + b"\n", BEST.encode() + b"\n"]
        self.heard_before = []

    def readline(self, size=-1):
        self.heard_before.append(self.heard.getvalue())
        return self.lines.pop(0) if self.lines else b""


def test_each_line_is_answered_before_the_next_is_read(monkeypatch):
    out = io.StringIO()
    hearing = Hearing(out)
    monkeypatch.setattr(sys, "stdin", type("Stdin", (), {"buffer": hearing}))
    monkeypatch.setattr(sys, "stdout", out)
    with pytest.raises(SystemExit) as ending:
        cli(["count", "--batch"])
    assert ending.value.code == 0
    assert hearing.heard_before == ["", BEST_COUNT + "\n", 2 * (BEST_COUNT + "\n")]


@pytest.mark.parametrize("command", ["count", "count-play", "discard", "choose"])
def test_a_closed_standard_input_is_said_with_the_command_that_runs(monkeypatch, capsys, command):
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(SystemExit) as ending:
        cli([command, "--batch"])
    assert ending.value.code == 2
    error = capsys.readouterr().err
    assert error.startswith("Error: standard input is closed\n")
    assert error.endswith(f"cribboard {command} --batch < lines\n")


HANDS = '"players":2,"dealer":0,"hands":[["5C","6C","7C","8C"],["3C","TC","JC","KC"]]'


def test_a_play_is_answered_in_exactly_this_form():
    line = "{" + HANDS + ',"plays":[[1,"TC"],[0,"5C"]]}'
    assert batch(line, command="count-play") == (['{"plays":[[1,"TC",10,0,0,0],[0,"5C",15,2,0,0]],"pegged":[2,0]}'], 0)


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("{" + HANDS + ',"plays":[[0,"TC"]]}', "play 1: seat 0 does not hold TC"),
        ("{" + HANDS + ',"plays":[[0,"5C"]]}', "play 1: it is seat 1's turn, not seat 0's"),
        ('{"players":2}', "the play lacks 'dealer'"),
        ("[]", "the line is an object in braces, not []"),
    ],
)
def test_an_illegal_play_is_answered_by_why(line, why):
    assert mistake(line, command="count-play").startswith(why)


def test_count_play_has_to_be_told_that_it_is_a_batch():
    result = run("count-play")
    assert result.exit_code == 2
    assert "add --batch" in result.stderr


def test_a_hand_of_nothing_is_said_nineteen_where_the_house_likes_it():
    nothing = ("count", "2H 4D 6S QC", "--starter", "KC")
    assert "Nothing.\n0 points." in run(*nothing).stdout
    assert "Nineteen.\n0 points." in run(*nothing, "--nineteen").stdout
    result = json.loads(run(*nothing, "--nineteen", "--json").stdout)
    assert (result["points"], result["aloud"]) == (0, "nineteen")
    assert "Fifteen two" in run("count", "5H JD 2C 9S", "--starter", "8H", "--nineteen").stdout


def test_a_hand_of_three_is_counted_only_when_it_is_meant():
    def of(hand, *more):
        return run("count", hand, "--starter", "5D", *more).output.splitlines()[-1]

    assert "only 5H 5C 5S; a hand is four or five different cards" in of("5H5C5S")
    assert of("5H5C5S", "--five-card") == "20 points."
    assert "JD is one too many; a hand is three different cards" in of("5H5C5SJD", "--five-card")
    assert of("5H5C5SJD", "--five-card", "--crib") == "29 points."
