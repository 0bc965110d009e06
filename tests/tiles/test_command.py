"""The dialogue of the tile game, as whole games that can be read, and as what outlives the program."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner
from interrupt import interrupt
from rigs.printed import printed

from cribboard.cli.main import cli
from cribboard.tiles import Log, games_file

GAMES = sorted((Path(__file__).parent / "tile_games").glob("*.txt"))


def run(*words, given="", exit_code=0):
    result = CliRunner().invoke(cli, ["tiles", *words], input=given, prog_name="cribboard", catch_exceptions=False)
    assert result.exit_code == exit_code, result.output
    return result


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_a_game_goes_as_it_is_written(path):
    lines = [line for line in path.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    command = shlex.split(lines[0].removeprefix("$ tiles "))
    typed = [line.removeprefix("> ") for line in lines if line.startswith("> ")]
    said = [line for line in lines[1:] if not line.startswith("> ")]
    refused = any(line.startswith("Error") for line in said)
    assert run(*command, given="\n".join(typed), exit_code=int(refused)).output.splitlines() == said


def test_a_game_goes_on_where_it_was_line_by_line():
    lines = (GAMES[-1]).read_text(encoding="utf-8").splitlines()
    run("Ann", "Bob", "--copies", "1", "--servant")
    for line in lines:
        if line.startswith("> "):
            last = run(given=line.removeprefix("> "))
    assert last.stdout.splitlines()[-1] == "Ann 51, Bob 24. The game is over."


def test_two_programs_do_not_keep_score_at_once():
    with Log() as log:
        log.begin(players=["Ann", "Bob"])
        refused = run("Cleo", "Dev", exit_code=3)
        assert refused.stderr == "Error: another `cribboard tiles` keeps score\n  close it and try again\n"
        assert run("--count", "5 5 5 J").exit_code == 0
    assert run().stdout == "Ann 0, Bob 0. Ann's turn.\n"


def test_what_is_undone_stays_undone():
    run("Ann", "Bob", given="G7 5L5D\nH6 TL\nundo\n")
    assert run(given="rows").stdout.splitlines() == ["Ann 12, Bob 0. Bob's turn.", "G7 across: 5L 5D"]


def test_undo_of_a_new_game_brings_the_old_one_back():
    run("Ann", "Bob", given="G7 5L5D")
    run("Cleo", "Dev")
    assert run(given="undo\n").stdout.splitlines()[-1] == "Undid: new Cleo Dev. Ann 12, Bob 0. Bob's turn."


def test_a_play_is_on_the_disk_before_it_is_told(monkeypatch):
    said = []
    fsync = os.fsync

    def noted(descriptor):
        said.append(games_file().read_text())
        fsync(descriptor)

    monkeypatch.setattr(os, "fsync", noted)
    run("Ann", "Bob", given="G7 5L5D")
    assert [text.count("\n") for text in said] == [1, 2]


def test_what_is_not_on_the_disk_has_not_happened(monkeypatch):
    run("Ann", "Bob")
    with Log() as log:
        games_file().unlink()
        games_file().mkdir()
        from cribboard.errors import CribboardError

        with pytest.raises(CribboardError, match="cannot be written"):
            log.do({"act": "play", "at": "G7", "way": "across", "tiles": "5L 5D"})
        assert log.game.scores == [0, 0]


@pytest.mark.parametrize(
    "line", ['{"act":"play"}', '{"act":"flip"}', '{"act":"pass","number":-3}', '{"act":"play","at":"G7","tiles":"5L"}']
)
def test_a_file_that_cannot_be_played_again_is_named(line):
    run("Ann", "Bob")
    with games_file().open("a") as file:
        file.write(line + "\n")
    assert "tiles.jsonl cannot be replayed" in run(exit_code=1).stderr


def test_acts_without_a_game_are_passed_over():
    games_file().write_text('{"act":"undo"}\n{"act":"pass"}\ntorn', encoding="utf-8")
    assert "start one like: cribboard tiles Ann Bob" in run(exit_code=2).stderr


def test_a_row_is_counted_alone():
    assert run("--count", "5 5 5 J").stdout.splitlines() == [
        "   2  fifteen     5 J",
        "   2  fifteen     5 J",
        "   2  fifteen     5 J",
        "   2  fifteen     5 5 5",
        "   6  pair royal  5 5 5",
        "Fifteen two, fifteen four, fifteen six, fifteen eight, and a pair royal for fourteen.",
        "14 points.",
    ]
    assert not games_file().exists()


def test_a_row_of_one_shade_is_counted_with_its_bonus():
    assert run("--count", "7D8D7D6D8D").stdout.splitlines()[-2:] == ["Bonus for five of one shade: 10.", "34 points."]


def test_a_row_is_counted_as_json_and_in_the_dialogue():
    entry = printed(run("--count", "8L 8D 7L", "--json").stdout)
    assert entry == {
        "tiles": ["8L", "8D", "7L"],
        "points": 6,
        "bonus": 0,
        "parts": [
            {"kind": "fifteen", "points": 2, "tiles": ["7L", "8D"]},
            {"kind": "fifteen", "points": 2, "tiles": ["7L", "8L"]},
            {"kind": "pair", "points": 2, "tiles": ["8L", "8D"]},
        ],
        "aloud": "fifteen two, fifteen four, and a pair for six",
    }
    assert run("Ann", "Bob", given="count 8 8\n").stdout.splitlines()[-1] == "2 points."


def test_a_row_that_is_none_is_refused():
    assert "every tile of a row must score" in run("--count", "Q K A", exit_code=2).stderr


def test_every_line_is_answered_by_an_object():
    given = "G7 across 5L 5D JL\nhello\nscores\nundo\nundo\n"
    new, play, error, scores, undo, first = [
        printed(line) for line in run("Ann", "Bob", "--json", given=given, exit_code=1).stdout.splitlines()
    ]
    assert new == {"act": "new", "bag": 94, "text": "New tile game: Ann, Bob. Ann plays first."}
    assert (play["act"], play["player"], play["points"], play["bag"]) == ("play", "Ann", 16, 91)
    assert (play["scores"], play["turn"], play["over"], play["ended"]) == ({"Ann": 16, "Bob": 0}, "Bob", False, False)
    assert play["bonuses"] == [{"kind": "the first play", "points": 10}]
    assert play["rows"][0]["aloud"] == "fifteen two, fifteen four, and a pair for six"
    assert play["text"].endswith("Ann scores 16, now at 16. Bob's turn. 91 tiles in the bag.")
    why = {"message": "'hello' is not understood", "hint": "type help to see what you can type"}
    assert error == {"error": {"code": "argument", **why}}
    assert scores["text"] == "Ann 16, Bob 0. Bob's turn."
    assert undo["scores"] == {"Ann": 0, "Bob": 0}
    assert first == {
        "error": {"code": "argument", "message": "there is nothing to undo", "hint": "nothing has been played"}
    }
    assert run(given="scores").stdout.splitlines()[-1] == "Ann 0, Bob 0. Ann's turn.", "the game can still be played"


@pytest.mark.parametrize("asked", ["help", "H", "?"])
def test_help_tells_every_way_to_say_something(asked):
    error = run("Ann", "Bob", given=f"{asked}\n\nend\nG7 5L\n").stderr
    for word in ("across", "down", "for 12", "exchange", "pass", "joker", "left", "count", "board", "undo", "end"):
        assert word in error


@pytest.mark.parametrize("line", ["exchange -1", "exchange", "pass 2", "joker", "left Bob"])
def test_a_word_with_too_much_or_too_little_behind_it_is_taken_for_no_play(line):
    assert f"Error: {line!r} is not understood" in run("Ann", "Bob", given=line, exit_code=1).stderr


def test_a_claim_may_be_written_in_capitals():
    assert "Ann scores 16, now at 16." in run("Ann", "Bob", given="g7 ACROSS 5l 5d jl FOR 16").stdout


def test_bytes_that_are_no_text_are_refused_like_other_nonsense():
    assert "is not understood" in run("Ann", "Bob", given=b"\xff\xfe\n", exit_code=1).stderr


def test_a_closed_standard_input_is_said(monkeypatch):
    from cribboard.cli.tiles import Keeper
    from cribboard.errors import ArgumentError

    monkeypatch.setattr(sys, "stdin", None)
    with Log() as log, pytest.raises(ArgumentError, match="standard input is closed"):
        Keeper(log, False).run()


def test_ctrl_c_at_a_terminal_loses_nothing():
    pty = pytest.importorskip("pty", reason="Windows has no pseudo-terminals")
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "cribboard", "tiles", "Ann", "Bob", "--plain"]
    with subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, start_new_session=True) as game:
        os.close(theirs)
        os.write(ours, b"G7 5L5D\n")
        text = b""
        try:
            while b"Bob> " not in text:
                text += os.read(ours, 1000)
            interrupt(game)
            assert game.wait(20) == 130
        finally:
            game.kill()  # or a game that has not heard it would be waited for without end
    os.close(ours)
    assert b"Ann> " in text
    assert run().stdout == "Ann 12, Bob 0. Bob's turn.\n"


def test_the_lowest_tile_drawn_plays_first():
    output = run("Ann", "Bob", "Cleo", "--draw", "9L 4D KL").stdout
    assert output.startswith("New tile game: Bob, Cleo, Ann. Bob plays first.")
    tie = run("Ann", "Bob", "--draw", "AL AD", exit_code=2).stderr
    assert "AL AD is a tie for the lowest tile\n  draw again" in tie
    assert "--draw has 1 tile for 2 players" in run("Ann", "Bob", "--draw", "AL", exit_code=2).stderr
    assert "--draw has 1 tile for 0 players" in run("--draw", "AL", exit_code=2).stderr
