"""The light guide: solids without leaks, as large as the board says, in pieces that the printer takes."""

from __future__ import annotations

import io
import math
import re

import pytest
import trimesh

from cribboard.hardware.description import DescriptionError
from cribboard.hardware.light_guide import CHANNEL_MM, FLANGE_MM, PIXEL_MM, SLACK_MM, WALL_MM
from cribboard.hardware.printing import HIGH_MM, Part, files, parts
from cribboard.hardware.shape import Layout
from hardware.boards import READY, changed, every_board, ready

DEFAULT = Layout(ready())


def mesh(stl: bytes) -> trimesh.Trimesh:
    found = trimesh.load(io.BytesIO(stl), file_type="stl")
    assert isinstance(found, trimesh.Trimesh)
    return found


@pytest.mark.parametrize("board", every_board())
def test_every_piece_is_one_solid_without_leaks_that_fits_the_printer(board: Layout) -> None:
    for stl in files(board).values():
        solid = mesh(stl)
        assert solid.is_watertight
        assert solid.is_winding_consistent
        assert solid.bounds[0] == pytest.approx([0, 0, 0], abs=1e-4)
        assert solid.extents[2] == pytest.approx(HIGH_MM)
        assert all(side <= 220 for side in solid.extents)


@pytest.mark.parametrize("of", READY)
def test_the_pieces_cover_every_led_once(of: str) -> None:
    board = Layout(ready(of))
    pieces = parts(board)
    assert [led for part in pieces for led in part.leds] == list(range(board.last + 1))
    assert [len(part.solid.decompose()) for part in pieces] == [1] * len(pieces)
    told = [re.fullmatch(r"light-guide-\d+-of-(\d+)-holes-print-(\d+)\.stl", name) for name in files(board)]
    assert sum(int(name[1]) * int(name[2]) for name in told if name) == board.last + 1


def test_a_piece_is_as_long_as_its_holes_and_has_all_of_them() -> None:
    part = parts(DEFAULT)[0]
    pitch = DEFAULT.description.shape.pitch_mm
    assert part.size == pytest.approx(
        (len(part.leds) * pitch - SLACK_MM, 15 + 12 + SLACK_MM + 2 * WALL_MM, HIGH_MM), abs=0.01
    )
    assert 1 - part.solid.genus() == 1 - 2 * len(part.leds)  # a way through at every hole of both tracks


def cut(part: Part, high: float) -> float:
    return part.solid.slice(high).area()


def test_it_lies_with_the_channels_for_the_strips_up_and_the_cells_for_the_light_below() -> None:
    part = parts(DEFAULT)[0]
    long, wide, _ = part.size
    channels = 2 * (12 + SLACK_MM) * long
    assert cut(part, HIGH_MM - CHANNEL_MM / 2) == pytest.approx(long * wide - channels, rel=0.001)
    cells = 2 * len(part.leds) * math.pi * ((4 + SLACK_MM) / 2) ** 2
    assert cut(part, 0.1) == pytest.approx(long * wide - cells, rel=0.005)


def test_single_pixels_need_no_channel() -> None:
    part = parts(Layout(ready("boards/oval.toml")))[0]
    assert cut(part, 0.1) == pytest.approx(cut(part, HIGH_MM - 0.1))


@pytest.mark.parametrize("of", ["boards/oval.toml", "boards/twenty-nine.toml"])
def test_no_single_pixel_falls_through_its_cell(of: str) -> None:
    board = Layout(ready(of))
    for part in parts(board):
        floor = part.solid.slice(HIGH_MM - 0.1)
        for outline in floor.to_polygons()[1:]:
            xs, ys = zip(*outline, strict=True)
            widest = max(max(xs) - min(xs), max(ys) - min(ys))
            assert PIXEL_MM < widest < FLANGE_MM  # its body goes in, its flange does not


def test_a_smaller_printer_gets_more_pieces() -> None:
    small = parts(Layout(changed(("printer_mm = [220, 220]", "printer_mm = [120, 100]"))))
    assert len(small) > len(parts(DEFAULT))
    assert all(part.size[0] <= 120 for part in small)


def test_a_printer_for_not_even_one_cell_is_refused() -> None:
    with pytest.raises(DescriptionError, match=r"printer_mm = \[20, 10\]: not even one cell of the light guide"):
        parts(Layout(changed(("printer_mm = [220, 220]", "printer_mm = [20, 10]"))))


def test_the_same_board_gives_the_same_bytes() -> None:
    assert files(DEFAULT) == files(Layout(ready()))
