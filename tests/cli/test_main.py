"""The group: options for every command, errors as words and exit statuses, and what runs for longer."""

from __future__ import annotations

import errno
import json
import os
import subprocess
import sys
from pathlib import Path

import click
import pytest
from rigs.typed import Typed

import cribboard
import cribboard.demo
import cribboard.sim.picture
import cribboard.sim.run
from cribboard import connect
from cribboard.cli import main as program
from cribboard.cli import output, state, table
from cribboard.cli.main import cli, main
from cribboard.errors import Busy, TransportError, WrongBoard
from cribboard.store.errors import StoreError


@pytest.fixture
def typed(tmp_path, monkeypatch):
    monkeypatch.setenv("CRIBBOARD_HOME", str(tmp_path))
    return Typed(tmp_path, monkeypatch)


def fail(monkeypatch, error):
    """Have every board fail like this."""

    def open_board(*args):
        raise error

    monkeypatch.setattr(connect, "open_board", open_board)


def test_the_version_is_told(typed):
    assert typed.says("--version") == f"cribboard {cribboard.__version__}\n"


def test_help_lists_first_things_first(typed):
    help_text = typed.says("--help")
    assert help_text.index("  new ") < help_text.index("  peg ") < help_text.index("  completion ")
    assert "Exit status:" in help_text


def test_help_has_a_section_for_each_kind_of_command(typed):
    lines = typed.says("--help").splitlines()
    titles = ["Play:", "Peg by hand:", "Count and advise:", "Results:", "Board and repair:", "Build:"]
    assert [line for line in lines if line in (*titles, "Commands:")] == titles
    listed = [line.split()[0] for line in lines[lines.index("Play:") :] if line.startswith("  ")]
    assert sorted(listed) == sorted(cli.commands)
    assert max(map(len, lines)) <= 80


@pytest.mark.parametrize("words", [(), ("history",), ("hardware",)])
def test_a_group_alone_prints_its_help(typed, words):
    result = typed(*words)
    assert result.stdout == typed.says(*words, "--help")
    assert result.stderr == ""


@pytest.mark.parametrize("name", list(cli.commands))
def test_every_command_has_help_that_fits_its_line(typed, name):
    command = cli.commands[name]
    assert typed.says(name, "-h").startswith(f"Usage: cribboard {name} ")
    assert command.help
    assert not command.get_short_help_str(66).endswith("...")


@pytest.mark.parametrize("group", [(), ("hardware",), ("history",)])
def test_no_line_of_the_list_of_commands_is_cut_off(typed, group):
    assert [line for line in typed.says(*group, "-h").splitlines()[1:] if line.endswith("...")] == []


def leaves(group):
    """Every command that does something, those in groups of their own too."""
    for command in group.commands.values():
        yield from leaves(command) if isinstance(command, click.Group) else [command]


@pytest.mark.parametrize("command", list(leaves(cli)), ids=lambda command: command.name)
def test_every_command_has_json(command):
    assert any("--json" in option.opts for option in command.params)


@pytest.mark.parametrize(
    ("words", "asked"),
    [
        (("state",), (None, None)),
        (("--port", "/dev/x", "state"), ("/dev/x", None)),
        (("state", "--port", "/dev/x"), ("/dev/x", None)),
        (("--board", "2a2f", "state"), (None, "2a2f")),
        (("--port", "/dev/x", "state", "--board", "2a2f"), (None, "2a2f")),
    ],
)
def test_the_board_is_named_before_or_after_the_command(typed, words, asked):
    typed(*words)
    assert typed.asked == [asked]


def test_json_may_stand_before_the_command(typed):
    assert json.loads(typed.says("--json", "state"))["rev"] == 0
    assert json.loads(typed.says("--json", "completion", "bash"))["shell"] == "bash"


@pytest.mark.parametrize("error", [errno.ENOSPC, errno.EPIPE])
def test_an_answer_that_cannot_be_written_says_that_the_points_count(typed, monkeypatch, error):
    def full(text: str) -> None:
        raise OSError(error, os.strerror(error))

    monkeypatch.setattr(table, "say", full)
    message = typed.error("peg", "1", "5", exit_code=4)
    assert message == (
        f"Error: it counts, but the answer could not be written: {os.strerror(error)}\n"
        "  do not repeat it; `cribboard state` shows the score\n"
    )
    assert typed.firmware.scores == [5, 0]


def test_a_look_that_cannot_be_written_counts_nothing(typed, monkeypatch):
    def full(text: str) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(state, "say", full)
    assert typed.error("state", exit_code=1) == "Error: No space left on device\n"


@pytest.mark.parametrize(
    ("words", "status", "code", "message"),
    [
        (("peg", "Zed", "2"), 2, "argument", "there is no side 'Zed'"),
        (("peg", "1", "47"), 2, "argument", "N is a whole number from 1 to 46, not '47'"),
        (("hand", "1", "5H5C5SJD", "--starter", "5D", "--claim", "3"), 1, "refused", "the hand counts 29, not 3"),
        (("undo",), 1, "nothing", "there is nothing to undo"),
        (("count", "5H", "--starter", "5D"), 2, "argument", "the hand has only 5H"),
        (("count",), 2, "argument", "No hand"),
        (("count", "5H", "--strater", "5D"), 2, "argument", "No such option"),
        (("peg",), 2, "argument", "Missing argument 'SIDE'"),
        (("pge",), 2, "argument", "No such command 'pge'"),
        (("--no",), 2, "argument", "No such option"),
        (("history", "export", "--no"), 2, "argument", "No such option"),
        (("hardware", "draw", "--board", "nowhere.toml"), 1, "refused", "nowhere.toml"),
    ],
)
def test_a_refusal_is_one_object_on_standard_output(typed, words, status, code, message):
    plain = typed(*words, exit_code=status)
    result = typed("--json", *words, exit_code=status)
    refusal = json.loads(result.stdout)["error"]
    assert (result.stderr, plain.stdout) == ("", "")
    assert set(refusal) == {"code", "message", "hint"}
    assert (refusal["code"], refusal["message"][: len(message)]) == (code, message)


def test_a_word_behind_two_dashes_asks_for_no_json(typed):
    assert typed.error("peg", "--", "--json", "2", exit_code=2).startswith("Error: ")


@pytest.mark.parametrize(
    ("error", "status", "code"),
    [
        (TransportError("the board is gone"), 3, "link"),
        (Busy("another program has it"), 3, "busy"),
        (WrongBoard("it has another uid"), 3, "board"),
        (StoreError("the history is damaged", code="SQLITE_CORRUPT"), 1, "SQLITE_CORRUPT"),
        (StoreError("the history is away"), 1, "refused"),
        (OSError("odd"), 1, "refused"),
    ],
)
def test_each_kind_of_refusal_has_its_code(typed, monkeypatch, error, status, code):
    fail(monkeypatch, error)
    assert json.loads(typed("state", "--json", exit_code=status).stdout)["error"]["code"] == code


def test_a_refusal_that_cannot_be_written_is_said_beside(typed, monkeypatch):
    def full(text: str) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(output, "put", full)
    assert typed.error("peg", "Zed", "2", "--json", exit_code=2).startswith("Error: there is no side 'Zed'")


def test_a_mistake_of_the_program_is_an_object_too(monkeypatch, capsys):
    fail(monkeypatch, ZeroDivisionError("oh"))
    monkeypatch.delenv(program.TRACEBACK, raising=False)
    monkeypatch.setattr(sys, "argv", ["cribboard", "state", "--json"])
    with pytest.raises(SystemExit) as ending:
        main()
    assert ending.value.code == 1
    assert json.loads(capsys.readouterr().out)["error"]["code"] == "bug"


def test_a_lost_link_is_said_with_what_to_do(typed, monkeypatch):
    fail(monkeypatch, TransportError("the board is gone", "plug it in\nor do not"))
    assert typed.error("state", exit_code=3) == "Error: the board is gone\n  plug it in\n  or do not\n"


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (OSError(errno.ENOSPC, "No space left on device"), "Error: No space left on device\n"),
        (PermissionError(errno.EACCES, "Permission denied", "/x"), "Error: /x: Permission denied\n"),
        (OSError("odd"), "Error: odd\n"),
        (
            FileNotFoundError(errno.ENOENT, "No such file or directory"),
            "Error: the current folder no longer exists\n  change to another one\n",
        ),
    ],
)
def test_what_the_system_refuses_is_said(typed, monkeypatch, error, message):
    fail(monkeypatch, error)
    assert typed.error("state", exit_code=1) == message


def test_a_reader_that_has_gone_is_no_news(typed, monkeypatch):
    fail(monkeypatch, BrokenPipeError(errno.EPIPE, "Broken pipe"))
    assert typed.error("state", exit_code=1) == ""


def test_ctrl_c_is_130_and_silent(typed, monkeypatch):
    fail(monkeypatch, KeyboardInterrupt())
    assert typed.error("state", exit_code=130) == ""


def test_an_unknown_command_is_said(typed):
    assert "No such command 'pge'" in typed.error("pge", exit_code=2)


def test_the_entry_point_answers_and_ends(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["cribboard", "--version"])
    with pytest.raises(SystemExit) as ending:
        main()
    assert ending.value.code == 0
    assert capsys.readouterr().out.startswith("cribboard ")


def test_a_mistake_of_the_program_is_no_traceback(monkeypatch, capsys):
    fail(monkeypatch, ZeroDivisionError("oh"))
    monkeypatch.delenv(program.TRACEBACK, raising=False)
    monkeypatch.setattr(sys, "argv", ["cribboard", "state"])
    with pytest.raises(SystemExit) as ending:
        main()
    assert ending.value.code == 1
    assert capsys.readouterr().err.startswith("Error: this should not have happened: ZeroDivisionError: oh\n  ")


def test_a_traceback_is_for_those_who_ask(monkeypatch):
    fail(monkeypatch, ZeroDivisionError("oh"))
    monkeypatch.setenv(program.TRACEBACK, "1")
    monkeypatch.setattr(sys, "argv", ["cribboard", "state"])
    with pytest.raises(ZeroDivisionError):
        main()


def test_a_closed_standard_output_is_borne(monkeypatch):
    monkeypatch.setattr(sys, "stdout", None)
    monkeypatch.setattr(sys, "argv", ["cribboard", "count", "5H5C5SJD", "--starter", "5D"])
    with pytest.raises(SystemExit) as ending:
        main()
    assert ending.value.code == 0


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no sh")
def test_no_file_gets_the_number_of_a_closed_stream_and_asks_what_it_is(tmp_path):
    words = 'exec "$0" -m cribboard demo --film film.svg --target 61 <&- >&- 2>&-; exit 9'
    assert subprocess.run(["/bin/sh", "-c", words, sys.executable], cwd=tmp_path).returncode == 0
    assert (tmp_path / "film.svg").read_text("utf-8").endswith("</svg>\n")
    assert subprocess.run(["/bin/sh", "-c", 'exec "$0" -m cribboard >&-', sys.executable]).returncode == 0


# completion


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_prints_the_shells_script(typed, shell):
    assert f"_CRIBBOARD_COMPLETE={shell}_complete" in typed.says("completion", shell)


def test_powershells_script_hands_over_the_words_and_leaves_no_trace(typed):
    script = typed.says("completion", "powershell")
    assert script.startswith("Register-ArgumentCompleter -Native -CommandName cribboard -ScriptBlock {")
    assert "$env:_CRIBBOARD_COMPLETE = 'powershell_complete'" in script
    assert "Remove-Item Env:_CRIBBOARD_COMPLETE, Env:COMP_WORDS, Env:COMP_WORD" in script
    assert script.count("{") == script.count("}") and script.count("(") == script.count(")")


def test_completion_is_for_known_shells(typed):
    assert "'tcsh' is not one of" in typed.error("completion", "tcsh", exit_code=2)


def test_a_side_is_completed_by_its_colour():
    side = cli.commands["peg"].params[0]
    items = side.shell_complete(click.Context(cli), "P")
    assert [item.value for item in items] == ["purple"]


# sim and demo


@pytest.fixture
def ran(monkeypatch):
    """What sim and demo were run with; they end with 7."""
    calls = []

    def run(**options):
        calls.append(options)
        return 7

    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(cribboard.sim.run, "run_sim", run)
    monkeypatch.setattr(cribboard.demo, "run_demo", run)
    return calls


def test_sim_runs_the_virtual_board(typed, ran, tmp_path):
    settings = tmp_path / "settings.toml"
    settings.write_text("PLAYERS = 3")
    flash = tmp_path / "flash"
    typed("sim", exit_code=7)
    typed("sim", "--plain", "--name", "x", "--nvm", str(flash), "--settings", str(settings), exit_code=7)
    typed("sim", "--json", exit_code=7)
    typed("sim", "--pins", exit_code=7)
    assert ran == [
        {"name": "sim", "nvm": None, "settings": None, "draw": None, "pins": False, "as_json": False},
        {"name": "x", "nvm": flash, "settings": "PLAYERS = 3", "draw": False, "pins": False, "as_json": False},
        {"name": "sim", "nvm": None, "settings": None, "draw": False, "pins": False, "as_json": True},
        {"name": "pi", "nvm": None, "settings": None, "draw": None, "pins": True, "as_json": False},
    ]


def test_sim_can_write_a_picture_instead(typed, ran, monkeypatch, tmp_path):
    taken = []
    monkeypatch.setattr(cribboard.sim.picture, "take_picture", lambda path, board: taken.append((path, board.name)))
    assert typed.says("sim", "--picture", "board.svg", "--name", "x") == "board.svg shows the board.\n"
    assert (taken, ran) == ([(Path("board.svg"), "x")], [])


def test_settings_that_are_not_there_are_said(typed, ran, tmp_path):
    error = typed.error("sim", "--settings", str(tmp_path / "no"), exit_code=2)
    assert error == f"Error: {tmp_path / 'no'} cannot be read: No such file or directory\n"


def test_settings_that_are_no_text_are_said(typed, ran, tmp_path):
    (tmp_path / "s").write_bytes(b"\xff")
    assert typed.error("sim", "--settings", str(tmp_path / "s"), exit_code=2).endswith("is not text in UTF-8\n")


def test_a_virtual_board_has_a_simple_name(typed):
    assert typed.error("sim", "--name", "../x", exit_code=1).startswith("Error: '../x' cannot name a virtual board\n")


def test_demo_plays_with_what_it_is_told(typed, ran):
    typed("demo", exit_code=7)
    setup = ("--players", "4", "--teams", "2", "--target", "61")
    typed("demo", *setup, "--seed", "5", "--speed", "2.5", "--plain", "--codes", "--port", "/dev/x", exit_code=7)
    assert ran == [
        {
            "players": 2,
            "teams": 0,
            "target": 121,
            "seed": None,
            "speed": None,
            "plain": False,
            "codes": False,
            "as_json": False,
            "port": None,
        },
        {
            "players": 4,
            "teams": 2,
            "target": 61,
            "seed": 5,
            "speed": 2.5,
            "plain": True,
            "codes": True,
            "as_json": False,
            "port": "/dev/x",
        },
    ]


@pytest.mark.parametrize(
    ("word", "variable", "drawn"), [([], "", None), (["--codes"], "", None), ([], "dumb", False), ([], "plain", False)]
)
def test_nothing_is_drawn_over_for_who_wants_plain_lines(typed, ran, tmp_path, monkeypatch, word, variable, drawn):
    if variable == "plain":
        (tmp_path / "plain").touch()
    elif variable:
        monkeypatch.setenv("TERM", variable)
    typed("demo", *word, exit_code=7)
    typed("sim", exit_code=7)
    assert ran[0]["plain"] is bool(word or variable) and ran[1]["draw"] is drawn


def test_demo_takes_the_port_that_stands_before_it(typed, ran):
    typed("--port", "/dev/x", "demo", exit_code=7)
    assert ran[0]["port"] == "/dev/x"


def test_a_pace_that_cannot_be_is_said(typed, ran):
    assert typed.error("demo", "--speed=-1", exit_code=2) == "Error: --speed is a number of 0 or more, not '-1'\n"


def test_a_demo_that_cannot_be_is_said(typed, ran):
    assert "5 players cannot make 2 teams" in typed.error("demo", "--players", "5", "--teams", "2", exit_code=2)
