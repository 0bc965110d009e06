"""The picture of the board as SVG."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from cribboard.sim.board import VirtualBoard
from cribboard.sim.errors import SimError
from cribboard.sim.picture import brightest, svg, take_picture

DARK, RED, DIM = (0, 0, 0), (76, 0, 0), (20, 0, 0)


def circles(text: str) -> list[dict[str, str]]:
    return [element.attrib for element in ElementTree.fromstring(text).iter("{http://www.w3.org/2000/svg}circle")]


def test_every_light_is_a_circle_and_a_lit_one_stands_out():
    track = [DARK] * 121
    track[4] = RED
    found = circles(svg([track, track], 30, "two tracks"))
    assert len(found) == 242
    lit = [circle for circle in found if circle["r"] != "3"]
    assert [circle["fill"] for circle in lit if circle["r"] == "6"] == ["#fe0000", "#fe0000"]


def test_a_light_is_as_bright_as_it_gets():
    assert brightest([[DARK, RED], [DIM, DIM], [DARK, DARK]]) == [DIM, RED]


def test_the_title_says_the_scores_and_hurts_no_markup():
    text = svg([[DARK] * 61], 30, "<orange> & blue")
    assert ElementTree.fromstring(text)[0].text == "<orange> & blue"


def test_a_file_that_cannot_be_written_is_an_error_that_names_it(tmp_path, monkeypatch):
    monkeypatch.setenv("CRIBBOARD_HOME", str(tmp_path / "home"))
    with pytest.raises(SimError, match=r"nowhere/board\.svg cannot be written: No such file"):
        take_picture(tmp_path / "nowhere" / "board.svg", VirtualBoard())
