"""Running boards are found, dead ones are not."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from cribboard.files import running_folder
from cribboard.sim.registry import Registration, Running, running_boards


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("CRIBBOARD_HOME", str(tmp_path))
    return tmp_path


def entry(uid: str, name: str = "sim") -> Running:
    return Running("/dev/pts/7", uid, os.getpid(), name)


def test_a_board_is_found_while_it_is_registered() -> None:
    with Registration(entry("aa")) as registration:
        assert running_boards() == [entry("aa")]
        registration.close()
        assert running_boards() == []
    assert list(running_folder().iterdir()) == []


def test_several_boards_come_in_the_order_of_their_start() -> None:
    with Registration(entry("bb", "first")) as first, Registration(entry("aa", "second")):
        older = running_folder() / f"{os.getpid()}-bb.json"
        os.utime(older, ns=(1, 1))
        assert [running.name for running in running_boards()] == ["first", "second"]
        first.close()
        assert [running.name for running in running_boards()] == ["second"]


def test_what_a_killed_process_left_is_passed_over_and_removed() -> None:
    code = "import os\nfrom cribboard.sim.registry import *\n"
    code += "Registration(Running('/dev/pts/9', 'cc', os.getpid(), 'sim'))\nos.kill(os.getpid(), 9)"
    subprocess.run([sys.executable, "-c", code], check=False)
    assert len(list(running_folder().iterdir())) == 1
    assert running_boards() == []
    assert list(running_folder().iterdir()) == []


@pytest.mark.parametrize("text", ["", "{", "[]", '{"port": 1}', '{"a": 1}'])
def test_an_entry_that_is_just_being_written_is_passed_over(text: str) -> None:
    with Registration(entry("dd")):
        (running_folder() / f"{os.getpid()}-dd.json").write_text(text)
        assert running_boards() == []


def test_a_folder_in_its_place_is_passed_over() -> None:
    (running_folder() / "odd.json").mkdir(parents=True)
    assert running_boards() == []
