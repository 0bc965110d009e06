"""Where the holes are: as hardware/ has them, with y down."""

from __future__ import annotations

import pytest

from cribboard.files import board_folder
from cribboard.hardware.description import folder, read
from cribboard.hardware.shape import Layout
from cribboard.hardware.svg import entry
from cribboard.sim.described import alike, keep
from cribboard.web.api_tables import layout_at
from cribboard.web.problem import Problem


def drawn(tracks, leds):
    return entry(layout_at("E6614C311B7F6F2E", (), tracks, leds))


@pytest.mark.parametrize(("tracks", "leds"), [(2, 121), (3, 121), (6, 121), (2, 61)])
def test_every_hole_is_where_the_board_has_it(tracks, leds):
    layout, drawing = Layout(alike(tracks, leds)), drawn(tracks, leds)
    height = layout.size[1]
    for track in range(tracks):
        for (x, y, _), (right, up) in zip(drawing["tracks"][track], layout.holes(track), strict=True):
            assert (x, height - y) == pytest.approx((right, up), abs=0.01)
        assert len(drawing["starts"][track]) == len(layout.start_holes(track))
    sizes = [radius for _, _, radius in drawing["tracks"][0]]
    assert sizes[-1] > sizes[0] == sizes[-2]


def test_all_that_is_drawn_is_on_the_board():
    drawing = drawn(2, 121)
    width, height = drawing["size"]
    points = [point[:2] for track in [*drawing["tracks"], *drawing["starts"], *drawing["bands"]] for point in track]
    points += [point for line in drawing["skunk"] for point in line["line"]] + [text["at"] for text in drawing["texts"]]
    assert all(0 < x < width and 0 < y < height for x, y in points)
    assert [line["score"] for line in drawing["skunk"]] == [91, 61]


def test_a_board_that_nobody_has_drawn_is_said():
    with pytest.raises(Problem, match="33 lights"):
        drawn(2, 33)


def test_a_page_gets_it(rig):
    answer = rig.browser().get("/api/boards/1/drawing")
    assert len(answer.json()["tracks"]) == 2
    assert rig.browser().get("/api/boards/9/drawing").status_code == 404


def test_a_virtual_boards_page_has_the_board_that_it_was_described_as(rig):
    oval = (folder() / "boards" / "oval.toml").read_text(encoding="utf-8")
    try:
        keep("web-two", oval)
        drawing = rig.browser().get("/api/boards/2/drawing").json()
    finally:
        (board_folder("web-two") / "board.toml").unlink()
    assert drawing["size"] == pytest.approx(Layout(read(oval)).size, abs=0.01)
    assert rig.browser().get("/api/boards/2/drawing").json()["size"] != drawing["size"]
