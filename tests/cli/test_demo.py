"""The demo plays whole games on the real firmware over a real serial port, whatever happens to the board's power."""

from __future__ import annotations

import json
import os
import pty
import select
import subprocess
import sys
import termios
from contextlib import closing

import pytest
from cli.test_json import only_named
from click.testing import CliRunner
from rigs.printed import printed

from cribboard import demo as demo_module
from cribboard.board.client import Board
from cribboard.board.transport import SerialTransport
from cribboard.cli.main import cli
from cribboard.demo import Demo, Game, run_demo
from cribboard.sim.board import VirtualBoard
from cribboard.store import open_store


@pytest.fixture(autouse=True)
def _home(tmp_path, monkeypatch):
    monkeypatch.setenv("CRIBBOARD_HOME", str(tmp_path))


def nothing(said: object) -> None:
    pass


@pytest.mark.parametrize(
    ("players", "teams", "target", "seed", "ends"),
    [
        (2, 0, 121, 1, "Bob won, 121. Ann 94."),
        (3, 0, 121, 5, "Cleo won, 121. Ann 119. Bob 112."),
        (4, 2, 121, 1, "Ann and Cleo won, 121. Bob and Dev 120."),
        (6, 3, 61, 1, "Bob and Eli won, 61. Ann and Dev 53. Cleo and Fay 44."),
    ],
)
def test_a_demo_ends_with_the_winner_and_an_equal_board(capsys, players, teams, target, seed, ends):
    assert run_demo(players=players, teams=teams, target=target, seed=seed, plain=True) == 0
    output = capsys.readouterr().out.splitlines()
    assert output[0].endswith(f"seed {seed}.")
    assert output[-3] == ends
    assert "commands sent; acknowledged after" in output[-2]
    assert output[-1] == "The board's state equals the host's own."


def test_a_demo_on_the_tables_own_board_is_no_result_of_the_table(monkeypatch):
    with VirtualBoard() as virtual:
        monkeypatch.setenv("CRIBBOARD_PORT", virtual.port)
        assert run_demo(seed=3, target=61, plain=True, port=virtual.port) == 0
        assert "wins with 61" in CliRunner().invoke(cli, ["state"], catch_exceptions=False).stdout
    with closing(open_store()) as store:
        assert [game.state for game in store.games()] == ["withdrawn"]
        assert store.results() == []


def test_a_game_that_ends_in_the_play_stops_there(capsys):
    run_demo(seed=4, plain=True)
    output = capsys.readouterr().out.splitlines()
    assert output[-4:-2] == [
        "Ann plays the four of diamonds: fifteen for two. [121 86]",
        "Ann won, 121. Bob 86, skunked.",
    ]


def test_the_same_seed_deals_the_same_game(capsys):
    run_demo(seed=3, target=61, plain=True)
    first = capsys.readouterr().out.splitlines()[1:-2]
    run_demo(seed=3, target=61, plain=True)
    assert capsys.readouterr().out.splitlines()[1:-2] == first


def test_as_json_every_step_is_an_object_and_the_report_is_the_last(capsys):
    assert run_demo(seed=3, target=61, as_json=True) == 0
    output = capsys.readouterr().out.splitlines()
    only_named("demo", map(json.loads, output))
    *steps, report = [printed(line) for line in output]
    assert all(set(step) == {"text", "command"} for step in steps)
    assert report["equal"]
    assert report["commands"] == sum(1 for step in steps if step["command"])
    assert 0 < report["ack_median_ms"] <= report["ack_p99_ms"]


def test_a_board_that_differs_at_the_end_is_told_and_the_status_is_1(capsys, monkeypatch):
    monkeypatch.setattr(demo_module.Demo, "_equal", lambda self: False)
    assert run_demo(seed=3, target=61, plain=True) == 1
    assert "DIFFERS" in capsys.readouterr().out


def test_a_score_that_somebody_else_changed_is_a_difference(tmp_path):
    with VirtualBoard(name="demo") as virtual, Board(lambda: SerialTransport(virtual.port), tmp_path) as board:
        demo = Demo(board, Game(2, 0, 61, 3), nothing, nothing)
        demo.play()
        assert demo.report().equal
        loser = 1 - board.match.winner
        board.send("set", loser, 7, 3)
        assert not demo.report().equal


@pytest.mark.parametrize("every", [1, 7, 20])
def test_the_power_can_be_cut_in_the_middle_and_nothing_is_lost_or_doubled(tmp_path, every):
    virtual = VirtualBoard(name="demo")
    steps = []

    def cut(text: str) -> None:
        steps.append(text)
        if len(steps) % every == 0 and len(steps) // every <= 4:
            virtual.kill()
            virtual.start()

    with virtual, Board(lambda: SerialTransport(virtual.port), tmp_path, pause=lambda seconds: None) as board:
        demo = Demo(board, Game(2, 0, 121, 1), nothing, cut)
        demo.play()
        report = demo.report()
        assert report.equal
        assert report.result == "Bob won, 121. Ann 94."
        assert demo.commands == 63


def test_the_power_can_be_cut_while_a_command_is_on_its_way(tmp_path):
    virtual = VirtualBoard(name="demo")
    sent = [0]

    class Cutting(SerialTransport):
        def write(self, data: bytes) -> None:
            super().write(data)
            if b'"peg"' in data:
                sent[0] += 1
                if sent[0] in (2, 5):
                    virtual.kill()
                    virtual.start()

    with virtual, Board(lambda: Cutting(virtual.port), tmp_path, pause=lambda seconds: None) as board:
        demo = Demo(board, Game(2, 0, 61, 1), nothing, nothing)
        demo.play()
        assert demo.report().equal
        assert sent[0] > 5


def drawn(*options: str, until: str = "", keys: bytes = b"") -> tuple[int, str]:
    """The exit status and all that a demo draws on a terminal of 100 by 40; `keys` are typed once `until` is there."""
    ours, theirs = pty.openpty()
    termios.tcsetwinsize(theirs, (40, 100))
    command = [sys.executable, "-m", "cribboard", "demo", *options]
    environment = {**os.environ, "TERM": "xterm-256color", "COLORTERM": "truecolor"}
    with subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, env=environment, close_fds=True) as demo:
        os.close(theirs)
        text = b""
        while select.select([ours], [], [], 20)[0]:
            try:
                text += os.read(ours, 65536)
            except OSError:  # the other end is closed
                break
            if keys and until.encode() in text:
                os.write(ours, keys)
                keys = b""
        os.close(ours)
        return demo.wait(10), text.decode()


def test_on_a_terminal_the_tracks_are_drawn_with_the_players_and_what_they_say():
    status, text = drawn("--seed", "3", "--target", "61", "--speed", "200")
    assert status == 0
    assert "\x1b[?1049h" in text
    assert "orange Ann" in text
    assert text.rstrip().endswith("The board's state equals the host's own.")


def test_the_end_key_ends_a_drawn_demo_early_and_says_so():
    status, text = drawn("--seed", "3", "--speed", "1", until="Deal 1", keys=b"\x04")
    assert status == 1
    assert "The game was stopped early." in text


def test_keys_play_no_buttons_in_a_demo():
    status, text = drawn("--seed", "3", "--target", "61", "--speed", "100", until="Deal 1", keys=b"wwe" * 5)
    assert status == 0
    assert "equals" in text


def test_teams_that_so_many_players_cannot_make_are_refused():
    status, text = drawn("--players", "3", "--teams", "2")
    assert status == 2
    assert "Traceback" not in text
