"""The picture of the board as SVG."""

from __future__ import annotations

import os
import signal
import threading
import time
from pathlib import Path
from xml.etree import ElementTree

import pytest

from cribboard.connect import hold_board
from cribboard.sim import board as sim_board
from cribboard.sim.board import VirtualBoard
from cribboard.sim.picture import brightest, svg, take_picture
from cribboard.sim.registry import SimError

DARK, RED, DIM = (0, 0, 0), (76, 0, 0), (20, 0, 0)


def circles(text: str) -> list[dict[str, str]]:
    return [element.attrib for element in ElementTree.fromstring(text).iter("{http://www.w3.org/2000/svg}circle")]


def test_every_light_is_a_circle_and_a_lit_one_stands_out():
    track = [DARK] * 121
    track[4] = RED
    lights = circles(svg([track, track], 30, "two tracks"))
    assert len(lights) == 242
    lit = [circle for circle in lights if circle["r"] != "3"]
    assert [circle["fill"] for circle in lit if circle["r"] == "6"] == ["#fe0000", "#fe0000"]


def test_a_light_is_as_bright_as_it_gets():
    assert brightest([[DARK, RED], [DIM, DIM], [DARK, DARK]]) == [DIM, RED]


def test_the_title_says_the_scores_and_hurts_no_markup():
    text = svg([[DARK] * 61], 30, "<orange> & blue")
    assert ElementTree.fromstring(text)[0].text == "<orange> & blue"


def test_a_file_that_cannot_be_written_is_an_error_that_names_it(tmp_path, monkeypatch):
    monkeypatch.setenv("CRIBBOARD_HOME", str(tmp_path / "home"))
    with pytest.raises(SimError, match=r"nowhere/board\.svg cannot be written: No such file"):
        take_picture(tmp_path / "nowhere" / "board.svg", VirtualBoard(stepped=True))


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The flash of a board on which a game is on; gives where it is."""
    monkeypatch.setenv("CRIBBOARD_HOME", str(tmp_path))
    with VirtualBoard() as board, hold_board(board.port) as held:
        held.peg(0, 17)
        held.peg(1, 5)
    return tmp_path


def taken(path: Path) -> str:
    take_picture(path, VirtualBoard(stepped=True))
    return path.read_text(encoding="utf-8")


def test_a_busy_computer_takes_the_same_picture(game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    quiet = taken(game / "quiet.svg")
    assert len({circle["fill"] for circle in circles(quiet)}) > 4  # two fronts, two backs, landmarks, dark holes
    ended = threading.Event()
    start = VirtualBoard.start

    def stalled(board: VirtualBoard) -> VirtualBoard:
        """Let the board's process have half of the processor, and none for longer than its lights run at the start."""
        start(board)
        threading.Thread(target=stall, args=(board.pid,), daemon=True).start()
        return board

    def stall(pid: int) -> None:
        stopped_s = 1.5
        try:
            while not ended.is_set():
                os.kill(pid, signal.SIGSTOP)
                time.sleep(stopped_s)
                os.kill(pid, signal.SIGCONT)
                stopped_s = 0.1
                time.sleep(stopped_s)
        except ProcessLookupError:
            pass  # the picture is taken

    monkeypatch.setattr(VirtualBoard, "start", stalled)
    busy = taken(game / "busy.svg")
    ended.set()
    assert busy == quiet


def test_a_board_whose_program_has_ended_shows_what_it_showed_last(game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sim_board, "ENDED_S", 0.5)
    lit = "import board, neopixel\nneopixel.NeoPixel(board.GP2, 121)[4] = 0x4C0000\n"
    (game / "sim" / "sim" / "code.py").write_text(lit)
    assert [circle["fill"] for circle in circles(taken(game / "board.svg")) if circle["r"] == "6"] == ["#fe0000"]
