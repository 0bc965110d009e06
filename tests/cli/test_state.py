"""State, watch and boards: the commands that change nothing."""

from __future__ import annotations

import json

import pytest
from cli.test_json import only_named
from rigs.printed import printed
from rigs.typed import Typed
from rigs.wired import UID

from cribboard import connect
from cribboard.board.client import Board
from cribboard.board.find import Found
from cribboard.cli import output, watch
from cribboard.cli.table import Table
from cribboard_core.events import DEAL, PEG, UNDO


@pytest.fixture
def typed(tmp_path, monkeypatch):
    return Typed(tmp_path, monkeypatch)


def test_state_is_plain_in_a_pipe(typed):
    typed("new", "Ann", "[b]Zoë")
    typed("peg", "Ann", "7")
    typed("peg", "Ann", "5")
    assert typed.says("state").splitlines() == [
        "Game to 121, skunk below 91, double skunk below 61.",
        "Side      Colour  Score  Back peg  Games won",
        "1 Ann     orange     12         7          0  deals",
        "2 [b]Zoë  blue        0         0          0",
        "Undo would take back: Ann pegs 5.",
    ]


def test_state_says_when_there_is_nothing_to_undo(typed):
    assert typed.says("state").endswith("\nThere is nothing to undo.\n")


def test_state_of_a_game_without_skunks_names_none(typed):
    typed("new", "--target", "91")
    assert typed.says("state").startswith("Game to 91.\n")


def test_state_of_a_won_game_says_how(typed):
    typed("set-score", "2", "70")
    typed("set-score", "1", "121")
    lines = typed.says("state").splitlines()
    assert lines[2:4] == [
        "1     orange    121         0          1  wins",
        "2     blue       70         0          0  skunked",
    ]
    assert lines[4] == "Orange wins with 121. Blue has 70, skunked. Games won: Orange 1, Blue 0."


def test_state_says_which_partner_deals(typed):
    typed("new", "Ann", "Bob", "Cleo", "Dev", "--teams", "2", "--dealer", "Dev")
    assert typed.says("state").splitlines()[3].endswith("  Dev deals")


def test_state_is_one_line_of_json(typed):
    typed("new", "Ann", "Bob", "--target", "61")
    typed("peg", "Bob", "4")
    assert typed.entry("state") == {
        "board": UID,
        "port": "wire",
        "rev": 2,
        "target": 61,
        "skunk_line": 31,
        "double_skunk_line": 0,
        "dealer": 1,
        "crib": 1,
        "winner": None,
        "undo": "Bob pegs 4",
        "referee": None,
        "sides": [
            {
                "side": 1,
                "colour": "orange",
                "name": "Ann",
                "front": 0,
                "back": 0,
                "won": 0,
                "players": [1],
                "lost": None,
            },
            {"side": 2, "colour": "blue", "name": "Bob", "front": 4, "back": 0, "won": 0, "players": [2], "lost": None},
        ],
    }


def test_state_of_a_won_game_is_in_json_too(typed):
    typed("set-score", "1", "121")
    entry = typed.entry("state")
    assert (entry["winner"], [side["lost"] for side in entry["sides"]]) == (1, [None, "double-skunked"])


@pytest.mark.parametrize(("variables", "coloured"), [({}, True), ({"NO_COLOR": "1"}, False)])
def test_a_terminal_gets_colours_unless_it_does_not_want_them(typed, monkeypatch, variables, coloured):
    for name, value in {"FORCE_COLOR": "1", "COLORTERM": "truecolor", "TERM": "xterm", **variables}.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(output, "put", lambda text: print(text))
    assert ("38;2;230;159;0" in typed.says("state")) is coloured


# watch


@pytest.fixture
def table(typed):
    """A table whose board was opened by this test."""
    typed("new", "Ann", "Bob")
    typed("peg", "Ann", "2")
    with typed.table.board() as board:
        yield Table(board)


def follow(table, firmware, capsys, *batches):
    """What watch prints when so many events at once have come."""
    waiting = list(batches)

    def poll(seconds):
        for event in waiting.pop(0):
            firmware.keeper.do(event)
        return table.board.poll(0.5)

    watch.follow(table, poll, sum(len(batch) for batch in batches))
    return capsys.readouterr().out.splitlines()


def test_watch_says_what_the_buttons_do(table, typed, capsys):
    assert follow(table, typed.firmware, capsys, [(PEG, 1, 5, 0, 0)], [], [(DEAL, 1, 0, 0, 0)]) == [
        "Bob pegs 5, now at 5.",
        "The deal passes to Bob.",
    ]


def test_watch_says_what_an_undo_took_back(table, typed, capsys):
    before, later = (UNDO, 0, 0, 2, 0), (UNDO, 0, 0, 3, 0)
    assert follow(table, typed.firmware, capsys, [(PEG, 0, 5, 0, 0)], [later], [before]) == [
        "Ann pegs 5, now at 7.",
        "Undid: Ann pegs 5. Ann 2.",
        "Undid: Ann pegs 2. Ann 0.",
    ]


def test_watch_does_not_guess_an_undo_that_it_did_not_see(typed, capsys):
    typed("peg", "1", "2")
    typed("peg", "1", "3")
    with typed.table.board() as board:
        table = Table(board)
        assert follow(table, typed.firmware, capsys, [(UNDO, 0, 0, 2, 0)], [(UNDO, 0, 0, 1, 0)]) == [
            "Undid: Orange pegs 3. Orange 2.",
            "Undid a score. Orange 0, Blue 0.",
        ]


def test_watch_gives_scores_only_where_they_are_known(table, typed, capsys):
    table.as_json = True
    lines = follow(table, typed.firmware, capsys, [(PEG, 0, 5, 0, 0), (PEG, 0, 4, 0, 0)])
    first, last = map(json.loads, lines)
    only_named("watch", [first, last])
    assert (first["text"], first["scores"], first["winner"]) == ("Ann pegs 5.", None, None)
    assert (last["text"], last["scores"][0]["front"]) == ("Ann pegs 4, now at 11.", 11)


def test_watch_tells_of_a_state_given_back(table, capsys):
    table.tell([9, "restore", 0, 0, 0, 0])
    table.as_json = True
    table.tell([9, "restore", 0, 0, 0, 0])
    text, entry = capsys.readouterr().out.splitlines()
    assert text == "The board's state was restored. Ann 2, Bob 0."
    assert (json.loads(entry)["side"], json.loads(entry)["name"]) == (None, None)


def test_watch_tells_of_a_side_that_no_longer_plays(table, capsys):
    table.tell([9, "peg", 4, 3, 0, 0], last=False)
    assert capsys.readouterr().out == "Red pegs 3.\n"


def test_watch_forgets_the_oldest_events(table):
    known = {}
    for rev in range(watch.REMEMBERED + 5):
        watch._remember(known, [rev, "peg", 0, 1, 0, 0])
    assert (len(known), min(known)) == (watch.REMEMBERED, 5)


def test_watch_ends_after_as_many_events_as_were_asked_for(typed, monkeypatch):
    monkeypatch.setattr(Board, "poll", lambda board, seconds: [[1, "peg", 0, 0, 0, 0, 0, 0]] * 3)
    result = typed("watch", "--events", "2")
    assert result.stdout.count("\n") == 2
    assert result.stderr == "Watching the board at wire; press Ctrl-C to stop.\n"


def test_watch_ends_with_ctrl_c(typed, monkeypatch):
    def interrupt(board, seconds):
        raise KeyboardInterrupt

    monkeypatch.setattr(Board, "poll", interrupt)
    assert typed("watch", exit_code=130).stdout == ""


# boards

FOUND = [Found("/dev/ttyACM1", "", "attached", "Pico"), Found("/dev/pts/3", UID, "sim", "virtual board 'sim'")]


def test_boards_are_listed(typed, monkeypatch):
    monkeypatch.setattr(connect, "list_boards", lambda: FOUND)
    assert typed.says("boards").splitlines() == [
        "Port          UID               Kind      Note",
        "/dev/ttyACM1  ?                 attached  Pico",
        "/dev/pts/3    e6614c311b4f2a2f  sim       virtual board 'sim'",
    ]


def test_boards_are_a_line_of_json_each(typed, monkeypatch):
    monkeypatch.setattr(connect, "list_boards", lambda: FOUND)
    assert [printed(line) for line in typed.says("boards", "--json").splitlines()] == [
        {"port": "/dev/ttyACM1", "uid": "", "kind": "attached", "note": "Pico"},
        {"port": "/dev/pts/3", "uid": UID, "kind": "sim", "note": "virtual board 'sim'"},
    ]


def test_no_boards_is_not_an_error(typed, monkeypatch):
    monkeypatch.setattr(connect, "list_boards", list)
    assert typed.says("boards", "--json") == ""
    assert typed.says("boards").startswith("No board is attached and no virtual board is running.")
