"""The doctor as it is typed, at real ports."""

from __future__ import annotations

import json
import os
import re
import signal
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest
from cli.test_json import only_named
from doctor.doctored import installed
from install.circuitpy import not_measured

from cribboard.cli import doctor as command
from cribboard.cli.main import cli
from cribboard.sim.board import VirtualBoard


@pytest.fixture
def drive(tmp_path: Path) -> Path:
    return installed(tmp_path / "CIRCUITPY")


@pytest.fixture
def typed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[..., tuple[int, str]]:
    from click.testing import CliRunner

    def type_in(*words: str) -> tuple[int, str]:
        result = CliRunner().invoke(cli, ["doctor", *words], catch_exceptions=False)
        return result.exit_code, result.stdout

    return type_in


def test_a_virtual_board_that_is_well(typed: Callable[..., tuple[int, str]], tmp_path: Path) -> None:
    with VirtualBoard(tmp_path / "board") as board:
        status, said = typed("--port", board.port)
    assert (status, said.splitlines()[-1]) == (0, "All is well.")
    assert f"ok    {board.port}: board {board.uid} with firmware" in said


def test_a_virtual_board_that_hangs(typed: Callable[..., tuple[int, str]], tmp_path: Path) -> None:
    with VirtualBoard(tmp_path / "board") as board:
        assert typed("--port", board.port)[0] == 0
        os.kill(board.pid, signal.SIGSTOP)
        try:
            status, said = typed("--port", board.port)
        finally:
            os.kill(board.pid, signal.SIGCONT)
    assert status == 1
    assert "WRONG the board is connected but silent: its processor hangs" in said
    assert "      pull the USB cable and plug it in again (a supply of its own, too)" in said


HANGS_ONCE = """
import microcontroller
if microcontroller.cpu.reset_reason is not microcontroller.ResetReason.WATCHDOG:
    from watchdog import WatchDogMode
    microcontroller.watchdog.timeout = 0.5
    microcontroller.watchdog.mode = WatchDogMode.RESET
    while True:
        pass
from cribboard_fw.hardware import main
main()
"""


def test_a_virtual_board_whose_program_hung(typed: Callable[..., tuple[int, str]], tmp_path: Path) -> None:
    (tmp_path / "board").mkdir()
    (tmp_path / "board" / "code.py").write_text(HANGS_ONCE)
    with VirtualBoard(tmp_path / "board") as board:
        assert board.wait_for(lambda board: board.resets == 1 and bool(board.last_strips()))
        status, said = typed("--port", board.port, "--json")
    assert status == 1
    assert '"code":"watchdog"' in said
    only_named("doctor", map(json.loads, said.splitlines()))


def test_the_running_virtual_board_is_found_and_its_drive_can_be_named(
    typed: Callable[..., tuple[int, str]], monkeypatch: pytest.MonkeyPatch, drive: Path
) -> None:
    from cribboard import connect
    from cribboard.board.find import Found

    def boards() -> Iterable[Found]:
        return [Found(board.port, board.uid, "sim")]

    not_measured(monkeypatch)
    monkeypatch.setattr(connect, "list_boards", boards)
    with VirtualBoard(drive) as board:
        status, said = typed(str(drive))
    assert (status, said.count("ok   ")) == (0, 3)
    assert command.WRONG == 1


def test_no_virtual_board(typed: Callable[..., tuple[int, str]]) -> None:
    status, said = typed()
    assert status == 1
    assert "WRONG no board is attached" in said


def test_every_finding_is_in_the_page_about_it() -> None:
    root = Path(__file__).parents[2]
    sources = [path.read_text(encoding="utf-8") for path in (root / "host" / "cribboard" / "doctor").glob("*.py")]
    codes = {code for text in sources for code in re.findall(r'Finding(?:\.of)?\(\s*"([a-z-]+)"', text)}
    page = (root / "hardware" / "install.md").read_text(encoding="utf-8")
    assert len(codes) > 15
    assert {code for code in codes if f"`{code}`" not in page} == set()
