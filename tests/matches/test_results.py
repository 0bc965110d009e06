"""Results as people keep them: the shapes of their files, and what is said of a line that cannot be read."""

from __future__ import annotations

import pytest

from cribboard.results import ResultFile, of_heading

LION, CROWN = "Red Lion", "Crown"


def read(text):
    file = ResultFile("f")
    for number, line in enumerate(text.splitlines(), 1):
        file.read(number, line.strip())
    file.end()
    return file


def games(text):
    file = read(text)
    assert not file.bad
    return [
        [part for side in zip(result.names, result.scores, strict=True) for part in side] for _, result in file.lines
    ]


ANN_BEATS_BOB = [["Ann", 121, "Bob", 88]]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Date,Ann,Bob\n2026-01-31,121,88\n2026-02-07,97,121\n", [*ANN_BEATS_BOB, ["Ann", 97, "Bob", 121]]),
        ("Week;Ann;Bob;Cid\n1;121;88;\n2;;121;110\n3;;;\n", [*ANN_BEATS_BOB, ["Bob", 121, "Cid", 110]]),
        ("Datum,Ann,Bob,Notes\n31.1.,121,88,rain\n", ANN_BEATS_BOB),
        ("Ann,Bob\n121,88\nTotal,2\n", ANN_BEATS_BOB),
        ("A\u200dnn,Bob\n121,88\n", ANN_BEATS_BOB),
        (",,\nAnn,Bob\n,\n121,88\n,\n", ANN_BEATS_BOB),
        (";;;\nAnn;121;Bob;88\n\t\t\n", ANN_BEATS_BOB),
        ("game,state,side,name,score\n,,,,\na,won,1,Ann,121\na,won,2,Bob,88\n", ANN_BEATS_BOB),
        ("winner,loser,winner_score,loser_score\nAnn,Bob,121,88\n", ANN_BEATS_BOB),
        ("loser_score,winner_score,winner,loser\n88,121,Ann,Bob\n", [["Bob", 88, "Ann", 121]]),
        ("Winner,Loser,Spread\nAnn,Bob,33\n", ANN_BEATS_BOB),
        ("# target: 61\nWinner,Loser,Won by\nAnn,Bob,33\n", [["Ann", 61, "Bob", 28]]),
        (
            '# target: 61,,\nWinner,Loser,Won by\n"# beside games: Cid -1, late",,\nAnn,Bob,33\n',
            [["Ann", 61, "Bob", 28]],
        ),
        (
            "winner,player1,player1_final_score,player2,player2_final_score\nBob,Ann,88,Bob,121\nplayer2,Ann,88,Bob,121\n",
            [["Ann", 88, "Bob", 121]] * 2,
        ),
        ("winner,player1,player1_final_score,player2,player2_final_score\n,Ann,121,Bob,88\n", ANN_BEATS_BOB),
        (
            "# player: Ann\nGame,Opponent,GP,+,-\n1,Bob,2,23,\n2,Cid,0,,5\n3,Dee,3,41,\nTotal,,5,64,5\n",
            [["Ann", 121, "Bob", 98], ["Ann", 116, "Cid", 121], ["Ann", 121, "Dee", 80]],
        ),
        ("# player: Ann\nOpponent\tPlus\tMinus\nBob\t+33\t0\nBob\t-\t-33\n", [*ANN_BEATS_BOB, ["Ann", 88, "Bob", 121]]),
    ],
)
def test_a_file_is_read_as_people_keep_it(text, expected):
    assert games(text) == expected


@pytest.mark.parametrize(
    ("text", "expected", "note"),
    [
        ("Ann,121,Bob,88\nAnn,124,Bob,90\n", 121, "f, line 2: Ann's 124 is read as 121"),
        ("Ann 149 Bob 90", 121, "f, line 1: Ann's 149 is read as 121"),
        ("Date,Ann,Bob\n1.1.,90,124\n", 121, "f, line 2: Bob's 124 is read as 121"),
        ("# target: 61\nAnn 66 Bob 60\n", 61, "f, line 2: Ann's 66 is read as 61"),
        ("# target: 61\nAnn 89 Bob 60\n", 61, "f, line 2: Ann's 89 is read as 61"),
    ],
)
def test_points_pegged_past_the_end_do_not_count_and_are_noted(text, expected, note):
    file = read(text)
    assert max(file.lines[-1][1].scores) == expected
    assert file.notes == [note]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("Ann,150,Bob,88\n", "line 1: nobody has won: the highest score is 150; games are to 61, 91, 121, 241"),
        ("Ann,115,Bob,88\n", "line 1: nobody has won: the highest score is 115; games are to 61, 91, 121, 241"),
        ("# target: 61\nAnn,121,Bob,88\n", "line 2: nobody has won: the highest score is 121; this game is to 61"),
        ("# target: 100\nAnn,121,Bob,88\n", "line 1: '100' is not a target; games are to 61, 91, 121, 241"),
        ("Ann,121,Bob,121\n", "line 1: Ann and Bob cannot both have 121"),
        ("Ann,124,Bob,122\n", "line 1: nobody has won: the highest score is 124"),
        (
            "# player: Ann\nGame,Opponent,GP,+,-\n1,Bob,2,41,\n",
            "line 3: a game won by 41, a skunk, is worth 3 game points",
        ),
        (
            "# player: Ann\nGame,Opponent,GP,+,-\n1,Bob,3,30,\n",
            "line 3: a game won by 30, no skunk, is worth 2 game points",
        ),
        (
            "# player: Ann\nGame,Opponent,GP,+,-\n1,Bob,2,,30\n",
            "line 3: a game lost by 30 is worth 0 game points, not 2",
        ),
        ("# player: Ann\nOpponent,+,-\nBob,3,30\n", "line 3: 'Bob,3,30' is neither won nor lost"),
        ("# player: Ann\nOpponent,+,-\nBob\n", "line 3: 'Bob' is neither won nor lost"),
        ("# player: Ann\nOpponent,+,-\n,3\n", "line 3: '' is not a name"),
        (
            "Game,Opponent,GP,+,-\n1,Bob,2,23,\n",
            "line 1: this is a player's card, but it does not say whose; put a line above it",
        ),
        ("name,score,name,score\nAnn,121,Bob,-5\n", "line 2: '-5' is not a score; use a whole number"),
        ("Winner,Loser,Spread\nAnn,Bob,0\n", "line 2: '0' is not what a game was won by; it is a number from 1 to 121"),
        ("Winner,Loser,Spread\nAnn,Bob,122\n", "line 2: '122' is not what a game was won by"),
        ("Winner,Loser,Spread\nAnn,Bob,NaN\n", "line 2: 'NaN' is not what a game was won by"),
        ("Winner,Loser\nAnn,Bob\n", "line 1: the header 'Winner,Loser' has neither scores nor a margin"),
        (
            "winner,winner score,loser,loser score\nAnn,88,Bob,121\n",
            "line 2: the winner is 'Ann', but 'Bob' has the highest",
        ),
        (
            "winner,player1,player1_score,player2,player2_score\nCid,Ann,88,Bob,121\n",
            "line 2: the winner is 'Cid', but 'Bob'",
        ),
        ("Date,Ann,Bob\n1.1.,121,88,3\n", "line 2: '1.1.,121,88,3' has 4 cells under 3 headings"),
        ("Date,Ann,Bob\n1.1.,121,=1+1\n", "line 2: '=1+1' under 'Bob' is not a score"),
        ("Date,Ann,Bob\n1.1.,121\n", "line 2: only 'Ann' has a score; fill in the other side's"),
    ],
)
def test_what_cannot_be_read_is_said_with_its_line(text, why):
    (bad,) = read(text).bad
    assert why in bad


def test_names_are_headings_only_on_the_first_line():
    assert "line 2: 'Cid,Dee' has no scores" in read("Ann 121 Bob 88\nCid,Dee\n").bad[0]


@pytest.mark.parametrize("line", ["Red Lion v Crown", "Red  Lion vs. Crown", "Red Lion V Crown"])
def test_a_heading_names_the_home_and_the_away_team(line):
    assert of_heading(line) == (LION, CROWN)


@pytest.mark.parametrize("line", ["Ann 121 v 88", "v Crown", "Lion v", "Lion Crown", ""])
def test_what_is_no_heading(line):
    assert of_heading(line) == ()
