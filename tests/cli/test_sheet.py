"""The command that adds up results, as it is typed and as it prints."""

from __future__ import annotations

import json

import pytest
from league.examples import cases, files
from rigs.printed import printed
from rigs.typed import Typed

from cribboard.results import ResultFile

THREE = "Ann 121 Bob 88\n# rain\n\nBob 121 Ann 97\nAnn 121 Bob 50\n"
LEAGUE = """Red Lion v Crown
Ann and Tom 121 Bob and Joe 88
Ann and Tom 97 Bob and Joe 121
Cleo 121 Dev 100
Crown v Swan
Bob 121 Fay 120
Bob 90 Fay 121
"""


@pytest.fixture
def typed(tmp_path, monkeypatch):
    return Typed(tmp_path, monkeypatch)


def test_standings_are_a_table(typed):
    assert typed("sheet", "-", given=THREE).stdout.splitlines() == [
        "Place  Name  Games  Points  Won  Skunks  Spread",
        "    1  Ann       3       6    2       2     +80",
        "    2  Bob       3       2    1       0     -80",
    ]


def test_the_house_pays_a_double_skunk(typed):
    rows = typed("sheet", "-", "--points", "house", given=THREE).stdout.splitlines()
    assert rows[1].split() == ["1", "Ann", "3", "6", "2", "2", "+80"]
    assert rows[2].split() == ["2", "Bob", "3", "1", "1", "0", "-80"]


@pytest.mark.parametrize(
    ("number", "says"),
    [
        (1, ["Ann beats Bob 1-0, best of 1.", "Bob beats Ann 1-0, best of 1.", "Ann beats Bob 1-0, best of 1."]),
        (3, ["Ann beats Bob 2-1, best of 3."]),
        (5, ["Ann leads Bob 2-1, best of 5; 3 wins decide."]),
    ],
)
def test_matches_stand_above_the_table(typed, number, says):
    given = typed("sheet", "-", "--best-of", str(number), given=THREE).stdout.splitlines()
    assert given[: len(says) + 1] == [*says, ""]
    assert len(given) == len(says) + 4


def test_a_level_match_is_said(typed):
    given = "Ann 121 Bob 1\nBob 121 Ann 1\n"
    assert (
        "Ann and Bob are level 1-1, best of 3; 2 wins decide."
        in typed("sheet", "-", "--best-of", "3", given=given).stdout
    )


def test_a_league_has_its_nights_and_its_table(typed):
    assert typed("sheet", "-", "--points", "legs", given=LEAGUE).stdout.splitlines() == [
        "Red Lion v Crown: 2-1 in legs, 2-0 in points.",
        "  Ann and Tom v Bob and Joe: 1-1",
        "  Cleo v Dev: 1-0",
        "Crown v Swan: 1-1 in legs, 1-1 in points.",
        "  Bob v Fay: 1-1",
        "",
        "Place  Name      Nights  Won  Drawn  Lost  Legs won  Legs lost  Aggregate  Points",
        "    1  Red Lion       1    1      0     0         2          1         +1       2",
        "    2  Swan           1    0      1     0         1          1          0       1",
        "    3  Crown          2    0      1     1         2          3         -1       1",
    ]


def test_headings_do_not_disturb_the_players_points(typed):
    names = [line.split()[1] for line in typed("sheet", "-", given=LEAGUE).stdout.splitlines()[1:]]
    assert "Cleo" in names
    assert "Crown" not in names


def test_names_of_wide_letters_keep_the_columns(typed):
    lines = typed("sheet", "-", given="安 121 Bob 88\n").stdout.splitlines()
    assert lines[1:] == [
        "    1  安        1       3    1       1     +33",
        "    2  Bob       1       0    0       0     -33",
    ]


def test_standings_are_comma_separated(typed):
    assert typed("sheet", "-", "--csv", given='Ann 121 Bo"b 88\n').stdout.splitlines() == [
        "place,name,games,points,won,skunks,spread",
        "1,Ann,1,3,1,1,33",
        '2,"Bo""b",1,0,0,0,-33',
    ]


def test_a_spreadsheet_takes_no_name_for_a_formula(typed):
    lines = typed("sheet", "-", "--csv", given="=A1 121 -2+3 88\n").stdout.splitlines()
    assert lines[1:] == ["1,'=A1,1,3,1,1,33", "2,'-2+3,1,0,0,0,-33"]


def test_standings_and_matches_are_lines_of_json(typed):
    entries = [
        printed(line) for line in typed("sheet", "-", "--best-of", "3", "--json", given=THREE).stdout.splitlines()
    ]
    assert entries[0] == {
        "kind": "match",
        "sides": ["Ann", "Bob"],
        "won": [2, 1],
        "best_of": 3,
        "winner": "Ann",
        "text": "Ann beats Bob 2-1, best of 3.",
    }
    standing = {"kind": "standing", "place": 1, "name": "Ann", "games": 3, "points": 6, "won": 2, "skunks": 2}
    assert entries[1] == {**standing, "spread": 80}
    assert len(entries) == 3


def test_nights_are_lines_of_json(typed):
    entry = json.loads(typed("sheet", "-", "--points", "legs", "--json", given=LEAGUE).stdout.splitlines()[0])
    assert (entry["kind"], entry["teams"], entry["legs"], entry["points"]) == (
        "night",
        ["Red Lion", "Crown"],
        [2, 1],
        [2, 0],
    )
    assert entry["tables"][0] == {"sides": ["Ann and Tom", "Bob and Joe"], "won": [1, 1]}


def test_files_are_added_up_together(typed, tmp_path):
    for name in ("one", "two"):
        (tmp_path / name).write_text("\ufeffAnn 121 Bob 100\n", encoding="utf-8")
    assert typed("sheet", str(tmp_path / "one"), str(tmp_path / "two")).stdout.splitlines()[1].split()[2] == "2"


def test_json_lines_may_stand_between_lines_of_text(typed):
    given = 'Ann 121 Bob 3\n{"sides":[{"name":"Bob","score":61},{"name":"Ann","score":60}],"target":61}\n'
    assert typed("sheet", "-", given=given).stdout.splitlines()[1].split() == ["1", "Ann", "2", "3", "1", "1", "+117"]


def test_every_bad_line_is_told_with_its_number_and_nothing_is_printed(typed):
    given = "Ann 121 Bob 3\nAnn 120 Bob 3\n\nhello\n{\n[" + "]\n"
    error = typed.error("sheet", "-", given=given, exit_code=2)
    assert error.splitlines() == [
        "Error: 4 lines cannot be read",
        "  standard input, line 2: nobody has won: the highest score is 120; games are to 61, 91, 121, 241",
        "  standard input, line 4: 'hello' has no scores; write a result like: Ann 121 Bob 88",
        "  standard input, line 5: '{' is not JSON; or write the result like: Ann 121 Bob 88",
        "  standard input, line 6: '[]' has no scores; write a result like: Ann 121 Bob 88",
    ]


@pytest.mark.parametrize(
    ("words", "given", "why"),
    [
        (("-",), b"\xff 121", "standard input is not text in UTF-8"),
        (("-",), "", "there are no results"),
        ((), None, "win a game on a board first"),
        (("nowhere",), None, "No such file"),
        (("-", "--points", "legs", "--best-of", "3"), THREE, "all legs count"),
        (("-", "--best-of", "2"), THREE, "use an odd number"),
        (("-", "--points", "acc", "--best-of", "3"), "A 121 B 1 C 1\n", "a match is between two sides, not 3"),
    ],
)
def test_what_cannot_be_added_up_is_said(typed, words, given, why):
    assert why in typed.error("sheet", *words, given=given, exit_code=2)


def test_one_form_is_chosen(typed):
    result = typed("sheet", "-", "--csv", "--json", given=THREE, exit_code=2)
    assert json.loads(result.stdout)["error"]["message"] == "Choose one of --csv and --json."


COMMA = '"Smith, Ann",121,Bob,88\n'
HISTORY = """game,board,began,ended,state,target,place,side,name,score,won,skunk,points
1,e6,,,won,121,1,1,"Smith, Ann",121,1,,3
1,e6,,,won,121,2,2,'-Bob,80,0,skunked,0
1,e6,,,won,121,3,1,Cleo,121,1,,3
1,e6,,,won,121,4,2,Dev,80,0,skunked,0
2,e6,,,open,121,1,1,Eve,5,0,,
2,e6,,,open,121,2,2,Fay,9,0,,
"""


def names(result):
    return [entry["name"] for entry in map(json.loads, result.stdout.splitlines())]


@pytest.mark.parametrize(
    "given",
    [
        COMMA,
        COMMA.replace(",12", ", 12"),
        "Bob;88;Smith, Ann;121;\n",
        "Bob\t88\tSmith, Ann\t121\n",
        '"Smith, Ann" 121 Bob 88\n',
        f"name,score,name,score\n{COMMA}",
        'Date,Home,Away,Home score,Away score,Notes\n2026-01-31,Bob,"Smith, Ann",88,121,"rain, again"\n',
        'Winner;Loser;Winner points;Loser points\n"Smith, Ann";Bob;121;88\n',
        'Player 1,Score 1,Player 2,Score 2,Player 3,Score 3\n"Smith, Ann",121,Bob,88,,\n',
    ],
)
def test_a_spreadsheet_may_have_written_the_results(typed, given):
    assert names(typed("sheet", "-", "--json", given=given)) == ["Smith, Ann", "Bob"]


def test_a_league_may_come_from_a_spreadsheet(typed):
    given = "home,home score,away,away score\nRed Lion v Crown,,,\nAnn,121,Bob,88\n"
    assert "Red Lion v Crown: 1-0 in legs" in typed("sheet", "-", "--points", "legs", given=given).stdout


def test_the_table_of_the_history_is_added_up(typed):
    assert names(typed("sheet", "-", "--json", given=HISTORY)) == ["Smith, Ann and Cleo", "-Bob and Dev"]


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ("Smith, Ann,121,Bob,88\n", "does not have a score for every name; write it like"),
        ("A" * 140000 + " 121 Bob 3\n", "cannot be read (field larger than field limit"),
        ("Ann,121,Bob\n", "does not have a score for every name"),
        ("name,score\nAnn,121\n", "line 1: the header 'name,score' does not have a name and a score for each side"),
        ("name,score,name,score\nAnn,121,Bob,\n", "line 2: 'Ann,121,Bob' does not have a score for every name"),
        (HISTORY.replace("80", "x"), "line 3: 'x' is not a score"),
        (HISTORY.replace("121,1,,3", "120,1,,3"), "line 2: nobody has won"),
    ],
)
def test_a_table_that_cannot_be_read_is_said(typed, given, why):
    assert why in typed.error("sheet", "-", given=given, exit_code=2)


def test_the_standings_have_a_header_and_their_names_quotes(typed):
    table = typed("sheet", "-", "--csv", given=COMMA).stdout.splitlines()
    assert table == [
        "place,name,games,points,won,skunks,spread",
        '1,"Smith, Ann",1,3,1,1,33',
        "2,Bob,1,0,0,0,-33",
    ]


@pytest.mark.parametrize("name", files("standings"))
def test_the_examples_of_leagues_are_added_up_by_their_rules(typed, tmp_path, name):
    entry = files("standings")[name]
    (tmp_path / "rules.json").write_text(json.dumps(entry["rules"]), encoding="utf-8")
    given = "".join(json.dumps(result) + "\n" for result in entry["results"])
    printed = typed("sheet", "-", "--rules", str(tmp_path / "rules.json"), "--json", given=given).stdout.splitlines()
    rows = [row for row in map(json.loads, printed) if row["kind"] == "standing"]
    for row, expected in zip(rows, entry["expect"]["standings"], strict=True):
        row |= {"played": row.get("nights")}
        assert row == row | {key: value for key, value in expected.items() if key in row}


def test_rules_have_a_name_or_a_file(typed):
    assert typed("sheet", "-", "--rules", "wins", given=THREE).stdout.splitlines()[1].split()[3] == "2"
    assert "choose club" in typed("sheet", "-", "--rules", "golf", given=THREE, exit_code=2).stderr
    given = '{"home":"A","away":"B","walkover":0}\n'
    assert "added up by rules" in typed("sheet", "-", given=given, exit_code=2).stderr
    assert "use rules for teams" in typed("sheet", "-", "--rules", "club", given=given, exit_code=2).stderr
    printed = typed("sheet", "-", "--rules", "five-tables", given=given).stdout
    assert "A v B: a walk-over for A, 2-0 in points." in printed


def test_partners_each_get_what_the_pair_gets(typed):
    given = "# round: 1\nAmy and Bo 121 Cy and Di 100\n# round: 2\nAmy and Cy 85 Di and Bo 121\n"
    printed = typed("sheet", "-", "--rules", "partners-drawn", "--csv", given=given).stdout.splitlines()
    assert printed[1] == "1,Bo,2,2,2,1,57"


@pytest.mark.parametrize("case", cases("csv"), ids=lambda case: case["shape"])
def test_spreadsheets_are_read_as_people_have_them(case):
    page = ResultFile("it")
    text = f"# target: {case['target']}\n{case['text']}" if "target" in case else case["text"]
    before = 1 if "target" in case else 0
    for number, line in enumerate(text.splitlines(), 1 - before):
        page.read(number, line)
    page.end()
    expected = case["expect"]
    results = [[part for pair in zip(each.names, each.scores, strict=True) for part in pair] for _, each in page.lines]
    if "error" in expected:
        assert (
            page.bad[0].startswith(f"it, line {expected['error']['line']}: ")
            and expected["error"]["says"] in page.bad[0]
        )
    else:
        assert (results, page.bad) == (expected["results"], [])
        notes = [(f"it, line {each['line']}: ", each["says"]) for each in expected.get("notes", [])]
        assert len(page.notes) == len(notes)
        assert all(
            text.startswith(where) and says in text for text, (where, says) in zip(page.notes, notes, strict=True)
        )
