"""The doctor asks at the door of the kiosk that holds a board, and does not complain that it is held."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner
from doctor.doctored import CONSOLE, DATA, Bench
from service.at_board import Ear, served

from cribboard.board.share import NAME, doors, write
from cribboard.cli.main import cli
from cribboard.doctor.checks import Held, examine, held
from cribboard.errors import Busy, TransportError
from cribboard.files import home
from cribboard.service.service import Service
from cribboard.sim.board import VirtualBoard

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the virtual board needs pseudo-terminals")


def doctor(*words: str) -> tuple[int, str]:
    result = CliRunner().invoke(cli, ["doctor", *words], catch_exceptions=False)
    return result.exit_code, result.stdout


def test_a_board_that_a_kiosk_holds_is_well(kiosk: tuple[Service, Ear], virtual: VirtualBoard) -> None:
    for words in ((), ("--port", virtual.port), ("--port", "sim")):
        status, said = doctor(*words)
        assert (status, said.splitlines()[-1]) == (0, "All is well."), said
        assert f"ok    {virtual.port}: a kiosk uses board {virtual.uid} with firmware" in said
        assert "WRONG" not in said


def test_a_board_that_its_kiosk_cannot_hear_is_told_in_the_kiosks_words(virtual: VirtualBoard) -> None:
    with served(virtual) as (service, ear):
        service.virtual = False  # as one on a cable, which is waited for
        os.kill(virtual.pid, signal.SIGSTOP)
        try:
            ear.wait(lambda heard: service.view.away)
            away = service.away
            status, said = doctor("--port", virtual.port)
        finally:
            os.kill(virtual.pid, signal.SIGCONT)
    assert away is not None
    assert status == 1
    assert f"WRONG the kiosk cannot reach it: {away.message}\n" in said


def test_where_nobody_is_behind_the_door_another_program_has_the_port(virtual: VirtualBoard) -> None:
    with served(virtual):
        sign = next(doors(home() / "boards"))
        assert held("/dev/none", home() / "boards") is None
        assert held(virtual.port, home() / "boards") is not None
    write(home() / "boards" / sign.uid / NAME, sign)
    assert held(virtual.port, home() / "boards") is None


@pytest.mark.parametrize("console", [True, False])
def test_the_console_of_a_board_that_is_away_is_listened_to_where_there_is_one(
    kiosk: tuple[Service, Ear], virtual: VirtualBoard, tmp_path: Path, console: bool
) -> None:
    at_door = held(virtual.port, home() / "boards")
    assert at_door is not None and at_door.uid == virtual.uid
    bench = Bench(tmp_path)
    bench.fails = {DATA.device: Busy("another program has it")}
    bench.ports = [CONSOLE, DATA] if console else [DATA]
    bench.says = {CONSOLE.device: "three faults in a row"}
    away = Held(virtual.uid, TransportError("the board is silent", "wait"))
    findings = examine(bench.world(kiosk=lambda port: away), DATA.device)
    codes = [(finding.code, finding.wrong) for finding in findings if finding.code != "no-drive"]
    assert codes == [("kiosk", False), ("away", True), ("faults", True)][: 3 if console else 2]
    assert [finding.todo for finding in findings if finding.code == "away"] == ["wait"]
