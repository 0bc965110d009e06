"""The command in the foreground: a line for programs, a picture and keys for people."""

from __future__ import annotations

import os
import pty
import re
import select
import signal
import subprocess
import sys
import termios
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from sim.standin import PATIENCE_S, drive

from cribboard.sim.registry import running_boards

RUN = "import sys\nfrom cribboard.sim.run import run_sim\nsys.exit(run_sim(name='test', **eval(sys.argv[1])))"
COMMAND = [sys.executable, "-c", RUN, "{}"]
EMPTY = b"\x1b[?25h\x1b[?1049l"


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("CRIBBOARD_HOME", str(tmp_path))
    return tmp_path


def started(process: subprocess.Popen[bytes]) -> None:
    assert process.stdout is not None
    word, path, _, uid = process.stdout.readline().decode().split()
    assert word == "port"
    [running] = running_boards()
    assert (running.port, running.uid, running.name, running.pid) == (path, uid, "test", process.pid)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_without_a_terminal_it_prints_its_port_and_serves_until_a_signal(number: int) -> None:
    with subprocess.Popen(COMMAND, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE) as process:
        started(process)
        process.send_signal(number)
        assert process.wait(PATIENCE_S) == 0
    assert running_boards() == []


def test_it_ends_when_a_pipe_on_standard_input_does() -> None:
    with subprocess.Popen(COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        started(process)
        assert process.stdin is not None
        process.stdin.write(b"not a word of this matters\n")
        process.stdin.close()
        assert process.wait(PATIENCE_S) == 0


def test_it_says_so_when_its_board_dies() -> None:
    with subprocess.Popen(COMMAND, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE) as process:
        started(process)
        children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
        os.kill(int(children[0]), signal.SIGKILL)
        assert process.wait(PATIENCE_S) == 1


class Watched:
    """A command on a terminal of its own, and what it has drawn there."""

    def __init__(self, options: str, **environment: str) -> None:
        self.master, slave = pty.openpty()
        termios.tcsetwinsize(slave, (24, 80))
        self.before = termios.tcgetattr(slave)
        self.slave = slave
        self.process = subprocess.Popen(
            [*COMMAND[:3], options],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            start_new_session=True,
            env={**os.environ, "TERM": "xterm-256color", "COLORTERM": "truecolor", **environment},
        )
        self.drawn = b""

    def until(self, pattern: bytes) -> re.Match[bytes]:
        """Read on until the pattern has been drawn."""
        end = time.monotonic() + PATIENCE_S
        while not (match := re.search(pattern, self.drawn, re.DOTALL)):
            ready, _, _ = select.select([self.master], [], [], max(0, end - time.monotonic()))
            assert ready, self.drawn[-3000:]
            self.drawn += os.read(self.master, 65536)
        return match

    def type(self, keys: bytes) -> None:
        """Press keys, and from now on look only at what is drawn after them."""
        self.drawn = b""
        os.write(self.master, keys)

    def close(self) -> None:
        """End it, whatever it does."""
        self.process.kill()
        self.process.wait()
        os.close(self.master)
        os.close(self.slave)


@pytest.fixture
def watched() -> Iterator[list[Watched]]:
    terminals: list[Watched] = []
    yield terminals
    for terminal in terminals:
        terminal.close()


def test_on_a_terminal_keys_play_the_buttons_and_the_score_is_told(watched: list[Watched]) -> None:
    terminal = Watched("{}")
    watched.append(terminal)
    terminal.until(rb"virtual board.* UNDO.* DEAL")
    terminal.until(rb"Held:.*OK.*games won.*UNDO.*redo.*DEAL.*set-up.*light.*sound")
    terminal.until(rb"orange 0 \(0\)")
    terminal.type(b"\x1b[Awwe?")
    terminal.until(rb"orange 10 \(0\)")
    terminal.type(b"uuo")
    terminal.until(rb"blue 2 \(0\)")
    terminal.type(b"\x7f")
    terminal.until(rb"blue 0 \(0\)")


def test_a_capital_holds_until_any_key(watched: list[Watched]) -> None:
    terminal = Watched("{}")
    watched.append(terminal)
    terminal.until(rb"orange deals")
    terminal.type(b"X")
    terminal.until(rb"holding DEAL, 0\.[1-9] s; any key lets go")
    terminal.type(b"x")
    terminal.until(rb" DEAL\x1b")
    assert terminal.process.poll() is None


@pytest.mark.parametrize("ending", [b"\x03", b"\x04"])
def test_the_terminal_is_left_as_it_was(watched: list[Watched], ending: bytes) -> None:
    terminal = Watched("{}")
    watched.append(terminal)
    terminal.until(rb"Ctrl-C.*ends")
    if ending == b"\x03":
        terminal.process.send_signal(signal.SIGINT)
    else:
        terminal.type(ending)
    terminal.until(re.escape(EMPTY))
    assert terminal.process.wait(PATIENCE_S) == 0
    assert termios.tcgetattr(terminal.slave)[3] == terminal.before[3]
    assert running_boards() == []


def test_true_colours_are_drawn_and_without_colour_letters(watched: list[Watched], home: Path) -> None:
    for environment in ({}, {"NO_COLOR": "1"}):
        terminal = Watched("{}", **environment)
        watched.append(terminal)
        terminal.until(rb"orange deals")
        terminal.until(rb"\|(\x1b\[[\d;]*m)*(\xe2\x97\x8f|[o:w])")  # the game hole is lit: the firmware runs
        terminal.type(b"w")
        if environment:
            terminal.until(rb"1 .*o\+")
            assert b"38;" not in terminal.drawn
        else:
            terminal.until(rb"38;2;\d+;\d+;\d+;48;2;28;22;17m\xe2\x97\x8f")
        terminal.type(b"\x04")
        terminal.until(re.escape(EMPTY))
        assert terminal.process.wait(PATIENCE_S) == 0


def test_a_mistake_in_the_settings_is_told_on_the_screen(watched: list[Watched], home: Path) -> None:
    drive(home / "sim" / "test")
    (home / "sim" / "test" / "settings.toml").write_text("BRIGHTNES = 3\n")
    terminal = Watched("{}")
    watched.append(terminal)
    terminal.until(rb"settings.toml:.*BRIGHTNES")


def test_the_caller_may_give_the_lines_beside_the_lights(watched: list[Watched]) -> None:
    terminal = Watched("{'lines': lambda board: ['blue leads', 'by ' + board.port]}")
    watched.append(terminal)
    terminal.until(rb"blue leads.*by /dev/")
