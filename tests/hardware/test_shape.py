"""Where the holes are: a pitch apart along the way, in the strips' order, all inside of the board."""

from __future__ import annotations

import math
from itertools import pairwise

import pytest

from cribboard.hardware.shape import Layout, every_hole
from hardware.boards import READY, changed, every_board, ready

BOARDS = every_board()
STREETS = [board for board in BOARDS if board.description.shape.kind == "streets"]
ROUND = [board for board in BOARDS if board.description.shape.kind != "streets"]


@pytest.mark.parametrize("board", STREETS)
def test_along_a_street_neighbours_are_a_pitch_apart(board: Layout) -> None:
    pitch = board.description.shape.pitch_mm
    for track in range(board.description.tracks.count):
        holes = board.holes(track)
        for street in board.streets:
            row = [holes[led] for led in street]
            assert all(math.dist(*pair) == pytest.approx(pitch) for pair in pairwise(row))
            assert len({round(y, 6) for _, y in row}) == 1
        assert math.dist(holes[-2], holes[-1]) == pytest.approx(pitch)


@pytest.mark.parametrize("board", ROUND)
def test_round_the_bends_the_way_goes_a_pitch_a_hole(board: Layout) -> None:
    pitch = board.description.shape.pitch_mm
    spots = [board.spot(led / 100) for led in range(100 * board.last + 1)]
    long = sum(math.dist((one.x, one.y), (other.x, other.y)) for one, other in pairwise(spots))
    assert long == pytest.approx(board.last * pitch, rel=1e-4)
    assert all(math.dist((a.x, a.y), (b.x, b.y)) < pitch / 90 for a, b in pairwise(spots))  # it never leaps


@pytest.mark.parametrize("board", BOARDS)
def test_the_tracks_run_side_by_side(board: Layout) -> None:
    tracks = [board.holes(track) for track in range(board.description.tracks.count)]
    for one, other in pairwise(tracks):
        assert all(
            math.dist(*pair) == pytest.approx(board.description.shape.track_mm) for pair in zip(one, other, strict=True)
        )


@pytest.mark.parametrize("board", BOARDS)
def test_every_strip_has_its_leds_and_its_start(board: Layout) -> None:
    for track in range(board.description.tracks.count):
        assert len(board.holes(track)) == board.description.tracks.leds
        assert len(board.start_holes(track)) == 2


@pytest.mark.parametrize("board", BOARDS)
def test_all_is_inside_and_nothing_overlaps(board: Layout) -> None:
    width, height = board.size
    holes = [(point, diameter / 2) for _, point, diameter in every_hole(board)]
    starts = [point for track in range(board.description.tracks.count) for point in board.start_holes(track)]
    holes += [(point, board.description.shape.hole_mm / 2) for point in starts]
    for (x, y), radius in holes:
        assert radius < x < width - radius
        assert radius < y < height - radius
    for number, (point, radius) in enumerate(holes):
        assert all(math.dist(point, other) > radius + more for other, more in holes[:number])


@pytest.mark.parametrize("corner", ["top left", "top right", "bottom left", "bottom right"])
@pytest.mark.parametrize("of", [name for name in READY if "nine" not in name])  # a 29 has but one beginning
def test_the_data_enters_where_it_is_said(corner: str, of: str) -> None:
    board = Layout(changed(("top left", corner), of=of))
    (width, height), spot = board.size, board.spot(0)
    assert (spot.x < width / 2) == corner.endswith("left")
    assert (spot.y > (height + board.panel_mm - board.far_panel_mm) / 2) == corner.startswith("top")
    ahead = board.spot(1)
    assert (ahead.x > spot.x) == corner.endswith("left")  # away from the corner, never off the board
    outer, *_, inner = [board.holes(track)[0][1] for track in range(board.description.tracks.count)]
    assert (outer > inner) == corner.startswith("top")


def test_a_serpentine_runs_back_and_its_tracks_keep_their_lanes() -> None:
    board = Layout(ready())
    assert [board.spot(led).angle for led in (0, 39, 40, 79, 80, 120)] == [0, 0, math.pi, math.pi, 0, 0]
    assert board.spot(40).x == pytest.approx(board.spot(39).x)
    first, second = board.holes(0), board.holes(1)
    assert first[0][1] > second[0][1]
    assert first[40][1] < second[40][1]  # the outer lane stays the outer one
    assert first[80][1] > second[80][1]


def test_streets_that_do_not_run_back_begin_below_each_other() -> None:
    board = Layout(changed(("serpentine = true", "serpentine = false")))
    assert board.spot(0).x == pytest.approx(board.spot(40).x) == pytest.approx(board.spot(80).x)


def test_a_skunk_line_is_half_a_hole_before_the_first_score_that_is_safe() -> None:
    board = Layout(ready())
    line, hole, before = board.skunk_lines[91], board.spot(90), board.spot(89)
    assert (line.x, line.y) == (pytest.approx((hole.x + before.x) / 2), hole.y)
    assert set(board.skunk_lines) == {91, 61}
    assert set(Layout(changed(("target = 121", "target = 61"))).skunk_lines) == {31}


def test_on_a_track_that_is_gone_round_twice_the_lines_are_where_the_second_round_has_them() -> None:
    board = Layout(ready("boards/travel.toml"))
    assert board.skunk_lines[61] == board.spot(-0.5)
    assert board.skunk_lines[91] == board.spot(29.5)


def test_the_buttons_of_a_place_are_side_by_side_and_the_shared_ones_in_the_middle() -> None:
    near = ("far_edge = [2]", "far_edge = []")
    board = Layout(changed(near))
    assert [(button.name, button.place) for button in board.buttons] == [
        *[(name, 0) for name in ("+1", "+5", "OK")],
        *[("UNDO", None), ("DEAL", None)],
        *[(name, 1) for name in ("+1", "+5", "OK")],
    ]
    undo, deal = board.buttons[3:5]
    assert (undo.x + deal.x) / 2 == pytest.approx(board.size[0] / 2)
    alone = Layout(changed(('[["GP6", "GP7", "GP8"], ["GP9", "GP10", "GP11"]]', "[]"), near)).buttons
    assert sum(button.x for button in alone) / 2 == pytest.approx(board.size[0] / 2)


def test_buttons_on_the_far_edge_are_read_from_there() -> None:
    near, far = Layout(changed(("far_edge = [2]", "far_edge = []"))), Layout(ready())
    assert far.size == (near.size[0], near.size[1] + far.panel_mm)
    assert far.spot(0) == near.spot(0)
    first, last = [button for button in far.buttons if button.place == 1][:: len(("+5", "OK"))]
    assert (first.name, last.name, first.far) == ("+1", "OK", True)
    assert first.x > last.x  # seen from the far edge +1 is on the left
    assert first.y == last.y == pytest.approx(far.size[1] - near.buttons[0].y)
    assert not any(button.far for button in far.buttons if button.place != 1)


def test_a_29_is_two_figures_of_one_height_and_its_strokes_keep_clear_of_each_other() -> None:
    board = Layout(ready("boards/twenty-nine.toml"))
    spots = [board.spot(led) for led in range(board.last + 1)]
    tops = [max(spot.y for spot in spots[:25]), max(spot.y for spot in spots[80:])]
    assert tops[0] == pytest.approx(tops[1], abs=1)
    assert all(spot.angle == pytest.approx(0) for spot in spots[46:62])
    for number, spot in enumerate(spots):
        for other in spots[: max(0, number - 12)]:
            assert math.dist((spot.x, spot.y), (other.x, other.y)) > 2 * board.half_mm + 5


def test_without_screws_there_are_no_holes_for_them() -> None:
    assert len(Layout(ready()).screws) == 4
    assert Layout(changed(("screw_mm = 3.2", "screw_mm = 0"))).screws == ()
