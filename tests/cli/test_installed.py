"""The installed command at the real virtual board, as a stranger meets it."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

from cribboard.sim.board import VirtualBoard
from cribboard.sim.registry import Registration, Running

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the virtual board needs pseudo-terminals; use WSL")

COMMAND = Path(sysconfig.get_path("scripts")) / "cribboard"
PATIENCE_S = 30


class Shell:
    """Runs the command with a home of its own."""

    def __init__(self, home):
        assert COMMAND.exists(), f"{COMMAND} is missing; install the checkout first: pip install -e ."
        without = ("CRIBBOARD_PORT", "CRIBBOARD_TRACEBACK", "FORCE_COLOR")
        kept = {name: value for name, value in os.environ.items() if name not in without}
        self.environment = {**kept, "CRIBBOARD_HOME": str(home), "PYTHONUNBUFFERED": "1"}

    def __call__(self, *words, exit_code=0, **options):
        done = subprocess.run(
            [COMMAND, *words], capture_output=True, text=True, env=self.environment, timeout=PATIENCE_S, **options
        )
        assert done.returncode == exit_code, done.stderr
        assert "Traceback" not in done.stderr
        return done

    def start(self, *words):
        """The running command, its input and output as pipes."""
        pipe = subprocess.PIPE
        return subprocess.Popen(
            [COMMAND, *words], stdin=pipe, stdout=pipe, stderr=pipe, text=True, env=self.environment
        )


@pytest.fixture
def shell(tmp_path):
    return Shell(tmp_path)


@pytest.fixture
def sim(shell):
    """A virtual board that runs, and ends when its standard input does."""
    with shell.start("sim") as running:
        try:
            yield running.stdout.readline().split()
            running.stdin.close()
            assert running.wait(PATIENCE_S) == 0
        finally:
            running.kill()


def test_commands_one_after_the_other_keep_a_game(shell):
    first = shell("new", "Ann", "Bob")
    assert first.stdout == "New game to 121: Ann, Bob. Ann deals.\n"
    assert "virtual board" in first.stderr
    shell("peg", "ann", "7")
    assert shell("hand", "2", "5H", "5C", "5S", "JD", "--starter", "5D").stdout.endswith("Bob counts 29, now at 29.\n")
    assert shell("undo").stdout == "Undid: Bob counts 29. Bob 0.\n"
    assert [side["front"] for side in json.loads(shell("state", "--json").stdout)["sides"]] == [7, 0]


def test_a_running_virtual_board_is_found_and_watched(shell, sim):
    assert sim[0::2] == ["port", "uid"]
    assert json.loads(shell("boards", "--json").stdout)["port"] == sim[1]
    done = shell("peg", "2", "3", "--board", sim[3][-6:])
    assert (done.stdout, done.stderr) == ("Blue pegs 3, now at 3.\n", "")
    with shell.start("watch") as watching:
        assert watching.stderr.readline() == f"Watching the board at {sim[1]}; press Ctrl-C to stop.\n"
        watching.send_signal(signal.SIGINT)
        assert watching.wait(PATIENCE_S) == 130
        assert (watching.stdout.read(), watching.stderr.read()) == ("", "")


@pytest.fixture
def virtual(tmp_path, monkeypatch):
    """A virtual board of this process's, where the command finds it."""
    monkeypatch.setenv("CRIBBOARD_HOME", str(tmp_path))
    with VirtualBoard(name="watched") as board:
        yield board
        os.kill(board.pid, signal.SIGCONT)


def listed(virtual):
    return Registration(Running(virtual.port, virtual.uid, os.getpid(), virtual.name))


def test_watch_says_that_the_board_is_gone_or_hangs_and_goes_on_when_it_is_back(shell, virtual):
    with listed(virtual) as first, shell.start("watch") as watching:
        try:
            assert watching.stderr.readline() == f"Watching the board at {virtual.port}; press Ctrl-C to stop.\n"
            virtual.kill()
            first.close()
            assert re.fullmatch(r"the board on \S+ is gone.*; waiting .*\n", watching.stderr.readline())
            virtual.start()
            with listed(virtual):
                assert watching.stderr.readline() == f"the board is back on {virtual.port}\n"
                for pin in ("GP6", "GP8"):
                    virtual.tap(pin)
                assert watching.stdout.readline() == "Orange pegs 1, now at 1.\n"
                os.kill(virtual.pid, signal.SIGSTOP)
                assert watching.stderr.readline().endswith("does not answer; waiting for it to come back\n")
                os.kill(virtual.pid, signal.SIGCONT)
                assert watching.stderr.readline() == f"the board is back on {virtual.port}\n"
                watching.send_signal(signal.SIGINT)
                assert watching.wait(PATIENCE_S) == 130
        finally:
            watching.kill()


def test_a_command_beside_watch_is_refused_with_what_to_do(shell, sim):
    with shell.start("watch") as watching:
        watching.stderr.readline()
        try:
            done = shell("peg", "1", "2", exit_code=3)
        finally:
            watching.kill()
    assert done.stderr == (
        f"{sim[1]} is in use by another program: waiting for it\n"
        f"Error: {sim[1]} is in use by another program\n"
        "  close it and try again; while `cribboard watch` runs, use the board's buttons\n"
    )
    assert json.loads(shell("state", "--json").stdout)["rev"] == 0


def test_a_second_virtual_board_is_refused_with_advice_that_works(shell, sim, tmp_path):
    picture = str(tmp_path / "board.svg")
    for words in (["sim", "--plain"], ["sim", "--picture", picture]):
        error = shell(*words, exit_code=1).stderr
        assert error.startswith("Error: another virtual board is running on the flash file ")
        assert error.endswith("  stop that one and try again, or use another board, like: --name second\n")
    assert shell("sim", "--picture", picture, "--name", "second").stdout == f"{picture} shows the board.\n"


def test_a_second_demo_is_refused_with_advice_that_works(shell, sim):
    with VirtualBoard(tmp_demo(shell)):
        error = shell("demo", "--speed", "0", exit_code=1).stderr
    assert error == "Error: another demo is running\n  wait until it ends, or name a board with --port\n"
    assert "The board's state equals the host's own." in shell("demo", "--speed", "0", "--port", sim[1]).stdout


def tmp_demo(shell):
    """The folder of the demo's own virtual board."""
    return Path(shell.environment["CRIBBOARD_HOME"]) / "sim" / "demo"


def test_a_folder_that_has_been_removed_is_no_hindrance(shell, tmp_path):
    gone = tmp_path / "gone"
    gone.mkdir()
    words = ["sh", "-c", f"cd {gone}; rmdir {gone}; exec {COMMAND} peg 1 3"]
    done = subprocess.run(words, capture_output=True, text=True, env=shell.environment, timeout=PATIENCE_S)
    assert (done.returncode, done.stdout) == (0, "Orange pegs 3, now at 3.\n")


def test_points_count_although_nobody_reads_that_they_do(shell):
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [COMMAND, "peg", "1", "5"], stdout=full, stderr=subprocess.PIPE, env=shell.environment, timeout=PATIENCE_S
        )
    assert done.returncode == 4
    assert b"it counts, but the answer could not be written: No space left on device" in done.stderr
    with shell.start("peg", "1", "2") as closed:
        closed.stdout.close()
        assert closed.wait(PATIENCE_S) == 4
        assert "it counts, but the answer could not be written: Broken pipe" in closed.stderr.read()
    assert shell("undo").stdout == "Undid: Orange pegs 2. Orange 5.\n"


def test_a_port_that_is_not_there_is_said(shell):
    done = shell("--port", "/dev/none-such", "state", exit_code=3)
    assert done.stderr.startswith("Error: ")
    assert "/dev/none-such" in done.stderr


def test_a_reader_that_goes_away_ends_a_batch_quietly(shell):
    with shell.start("count", "--batch") as batch:
        batch.stdout.close()
        batch.stdin.write('{"hand":"5H5C5SJD","starter":"5D"}\n')
        batch.stdin.flush()
        assert batch.wait(PATIENCE_S) == 1
        assert batch.stderr.read() == ""


def test_a_disk_that_is_full_is_said(shell):
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [COMMAND, "count", "5H5C5SJD", "--starter", "5D"],
            stdout=full,
            stderr=subprocess.PIPE,
            env=shell.environment,
            timeout=PATIENCE_S,
        )
    assert (done.returncode, done.stderr) == (1, b"Error: No space left on device\n")


def test_completion_runs_in_bash(shell):
    done = shell("completion", "bash")
    words = {**shell.environment, "COMP_WORDS": "cribboard und", "COMP_CWORD": "1"}
    completed = subprocess.run(
        [COMMAND],
        env={**words, "_CRIBBOARD_COMPLETE": "bash_complete"},
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
    )
    assert "complete " in done.stdout
    assert completed.stdout == "plain,undo\n"


@pytest.mark.parametrize(
    ("before", "word", "output"),
    [
        ("", "und", "undo\tTake back the last score or deal.\n"),
        ("peg", "or", "orange\t\n"),
        ("history", "li", "list\tList the games, the newest first, each...\n"),
        ("sim --nvm", "", "\n"),  # PowerShell goes on with files by itself
    ],
)
def test_completion_answers_powershell(shell, before, word, output):
    words = "\n".join(["cribboard", *before.split()])
    given = {**shell.environment, "COMP_WORDS": words, "COMP_WORD": word}
    done = subprocess.run(
        [COMMAND],
        env={**given, "_CRIBBOARD_COMPLETE": "powershell_complete"},
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
    )
    assert done.stdout == output
