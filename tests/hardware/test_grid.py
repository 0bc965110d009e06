"""The light guide: solids without leaks, as large as the board says, in pieces that the printer takes."""

from __future__ import annotations

import io
import math
import re
from collections.abc import Callable
from functools import cache
from itertools import pairwise

import pytest
import trimesh
from manifold3d import CrossSection

from cribboard.hardware.description import DescriptionError
from cribboard.hardware.light_guide import EAR_REACH_MM, END_MM, FLANGE_MM, POST_MM, SLACK_MM, WALL_MM
from cribboard.hardware.printing import Part, bars, files, parts, where
from cribboard.hardware.shape import PIXEL_MM, Layout
from cribboard.hardware.stack import BAR_MM, CHANNEL_MM, GUIDE_MM
from hardware.boards import READY, changed, every_board, ready

DEFAULT = Layout(ready())
Pieces = Callable[[str], list[Part]]


@pytest.fixture(scope="module")
def pieces() -> Pieces:
    """The pieces of a ready board, made once."""
    return cache(lambda of: parts(Layout(ready(of))))


def mesh(stl: bytes) -> trimesh.Trimesh:
    loaded = trimesh.load(io.BytesIO(stl), file_type="stl")
    assert isinstance(loaded, trimesh.Trimesh)
    return loaded


@pytest.mark.parametrize("board", every_board())
def test_every_piece_is_one_solid_without_leaks_that_fits_the_printer(board: Layout) -> None:
    high = GUIDE_MM if board.description.shape.strip_mm else GUIDE_MM + BAR_MM
    for name, stl in files(board).items():
        solid = mesh(stl)
        assert solid.is_watertight
        assert solid.is_winding_consistent
        assert solid.bounds[0] == pytest.approx([0, 0, 0], abs=1e-4)
        assert solid.extents[2] == pytest.approx(BAR_MM if name.startswith("bar") else high)
        assert all(side <= 220 for side in solid.extents)


@pytest.mark.parametrize("of", READY)
def test_the_pieces_cover_every_led_once(of: str, pieces: Pieces) -> None:
    board, made = Layout(ready(of)), pieces(of)
    assert [led for part in made for led in part.leds] == list(range(board.last + 1))
    behind = [re.fullmatch(r"holes (\d+) to (\d+): (light-guide-\d+)( and bar-\d+)?", line) for line in where(board)]
    assert [(int(line[1]), int(line[2])) for line in behind if line] == [(p.leds.start + 1, p.leds.stop) for p in made]
    for line, part in zip(behind, made, strict=True):
        [own] = [stl for name, stl in files(board).items() if line and name.startswith(f"{line[3]}-of-")]
        assert own == part.stl() and bool(line and line[4]) is bool(board.description.shape.strip_mm)
    assert [len(part.solid.decompose()) for part in made] == [1] * len(made)
    for kind, wanted in (("light-guide", made), ("bar", bars(board))):
        matches = [re.fullmatch(rf"{kind}-\d+-of-(\d+)-holes-print-(\d+)\.stl", name) for name in files(board)]
        assert sum(int(name[1]) * int(name[2]) for name in matches if name) == (board.last + 1 if wanted else 0)


def test_a_piece_is_as_long_as_its_holes_with_an_end_and_has_all_of_them_and_two_screws(pieces: Pieces) -> None:
    part = pieces("board.toml")[0]
    pitch = DEFAULT.description.shape.pitch_mm
    wide = 15 + 12 + SLACK_MM + 2 * WALL_MM
    long = len(part.leds) * pitch - SLACK_MM / 2 + END_MM
    assert part.size == pytest.approx((long, wide + 2 * EAR_REACH_MM, GUIDE_MM), abs=0.41)
    assert 1 - part.solid.genus() == 1 - 2 * len(part.leds) - 2  # a way through at every hole of both tracks


def cut(part: Part, high: float) -> float:
    return part.solid.slice(high).area()


def test_it_lies_with_the_channels_for_the_strips_up_and_the_cells_for_the_light_below(pieces: Pieces) -> None:
    part = pieces("board.toml")[1]
    low = cut(part, 0.1)
    cells = 2 * len(part.leds) * math.pi * ((5 + SLACK_MM) / 2) ** 2
    long = len(part.leds) * DEFAULT.description.shape.pitch_mm - SLACK_MM
    assert low - cut(part, GUIDE_MM - CHANNEL_MM / 2) == pytest.approx(2 * (12 + SLACK_MM) * long - cells, rel=0.005)


def test_a_bar_covers_the_channels_of_its_guide_but_not_where_the_wires_leave(pieces: Pieces) -> None:
    for part, bar in zip(pieces("board.toml"), bars(DEFAULT), strict=True):
        long = len(part.leds) * DEFAULT.description.shape.pitch_mm - SLACK_MM
        assert bar.leds == part.leds and bar.size[0] == pytest.approx(long, abs=0.01)
        assert bar.size[0] < part.size[0] or part.leds.start % 40


def test_the_end_of_a_channel_stops_a_strip_and_lets_its_three_wires_out(pieces: Pieces) -> None:
    part = pieces("board.toml")[0]  # its outer end is at the left
    end = CrossSection.square((END_MM - SLACK_MM, 60)).translate((0.1, 0)) ^ part.solid.slice(GUIDE_MM / 2)
    arms = sorted((shape.bounds()[1], shape.bounds()[3]) for shape in end.decompose())
    gaps = [above - below for (_, below), (above, _) in pairwise(arms)]
    assert gaps == pytest.approx([12 + SLACK_MM - 2 * POST_MM] * 2, abs=0.01)  # a strip is 12 mm wide


def test_single_pixels_need_no_channel(pieces: Pieces) -> None:
    part = pieces("boards/oval.toml")[0]
    assert cut(part, 1.5) == pytest.approx(cut(part, GUIDE_MM - 0.1))


def test_the_ears_of_single_pixels_are_as_high_as_a_bar_and_their_screws_go_through(pieces: Pieces) -> None:
    feet = pieces("boards/oval.toml")[0].solid.slice(GUIDE_MM + BAR_MM / 2)
    assert [len(foot.to_polygons()) for foot in feet.decompose()] == [2, 2], "a border and a hole"


@pytest.mark.parametrize("of", ["boards/oval.toml", "boards/twenty-nine.toml"])
def test_no_single_pixel_falls_through_its_cell(of: str, pieces: Pieces) -> None:
    for part in pieces(of):
        wide = {}
        for high in (0.5, GUIDE_MM - 0.1):
            rings = part.solid.slice(high).to_polygons()[1:]
            across = [max(x for x, _ in ring) - min(x for x, _ in ring) for ring in rings]
            wide[high] = [each for each in across if each > 4.5]  # without the screws' holes
            assert len(wide[high]) == 2 * len(part.leds)
        assert all(each > FLANGE_MM for each in wide[0.5])  # the flange lies in its pocket
        assert all(PIXEL_MM < each < FLANGE_MM for each in wide[GUIDE_MM - 0.1])  # and does not fall through


def test_a_smaller_printer_gets_more_pieces(pieces: Pieces) -> None:
    small = parts(Layout(changed(("printer_mm = [220, 220]", "printer_mm = [120, 100]"))))
    assert len(small) > len(pieces("board.toml"))
    assert all(part.size[0] <= 120 for part in small)


def test_a_printer_for_not_even_one_cell_is_refused() -> None:
    with pytest.raises(DescriptionError, match=r"printer_mm = \[20, 10\]: not even one cell of the light guide"):
        parts(Layout(changed(("printer_mm = [220, 220]", "printer_mm = [20, 10]"))))


def test_the_same_board_gives_the_same_bytes(pieces: Pieces) -> None:
    made_again = {part.stl() for part in [*pieces("board.toml"), *bars(Layout(ready()))]}
    assert made_again == {*files(DEFAULT).values()}
