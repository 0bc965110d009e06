"""Command to acknowledgement over a real serial port to the virtual board."""

from __future__ import annotations

from statistics import median, quantiles

from cribboard.connect import open_board
from cribboard.sim.board import VirtualBoard

COMMANDS = 300


def test_a_command_is_acknowledged(benchmark, tmp_path, monkeypatch):
    monkeypatch.setenv("CRIBBOARD_HOME", str(tmp_path))
    with VirtualBoard(name="bench") as virtual, open_board(virtual.port) as board:
        board.send("new", board.match.rev, 241, 3, 2, 0, -1, -1)

        def command() -> None:
            board.send("peg", 0, 0)

        benchmark.pedantic(command, rounds=COMMANDS, iterations=1)
        times = board.ack_ms[-COMMANDS:] if len(board.ack_ms) >= 100 else board.ack_ms * 100
        p99 = quantiles(times, n=100)[98]
        benchmark.extra_info.update(ack_median_ms=median(times), ack_p99_ms=p99)
        print(f"\nacknowledged after {median(times):.2f} ms (median), {p99:.2f} ms (p99)")
        assert median(times) < 10
        assert p99 < 30
