"""The installed command at the real virtual board, as a stranger meets it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

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
    assert shell("hand", "2", "5H", "5C", "5S", "JD", "--starter", "5D").stdout.endswith("Bob counts 29: 29.\n")
    assert shell("undo").stdout == "Undid: Bob counts 29. Bob 0.\n"
    assert [side["front"] for side in json.loads(shell("state", "--json").stdout)["sides"]] == [7, 0]


def test_a_running_virtual_board_is_found_and_watched(shell, sim):
    assert sim[0::2] == ["port", "uid"]
    assert json.loads(shell("boards", "--json").stdout)["port"] == sim[1]
    done = shell("peg", "2", "3", "--board", sim[3][-6:])
    assert (done.stdout, done.stderr) == ("Blue pegs 3: 3.\n", "")
    with shell.start("watch") as watching:
        assert watching.stderr.readline() == f"Watching the board at {sim[1]}; Ctrl-C ends.\n"
        watching.send_signal(signal.SIGINT)
        assert watching.wait(PATIENCE_S) == 130
        assert (watching.stdout.read(), watching.stderr.read()) == ("", "")


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
    told = subprocess.run(
        [COMMAND],
        env={**words, "_CRIBBOARD_COMPLETE": "bash_complete"},
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
    )
    assert "complete " in done.stdout
    assert told.stdout == "plain,undo\n"
