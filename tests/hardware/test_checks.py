"""A board that cannot be made is refused in plain words, with the measure and what to do."""

from __future__ import annotations

import pytest

from cribboard.hardware.checks import mistakes
from cribboard.hardware.shape import Layout
from hardware.boards import LARGE, changed, every_board


@pytest.mark.parametrize("board", every_board())
def test_the_boards_can_be_made(board: Layout) -> None:
    assert mistakes(board) == []


@pytest.mark.parametrize(
    ("of", "old", "new", "message"),
    [
        ("board.toml", "[400, 400]", "[40, 30]", "[shape] bed_mm = [40, 30]: the board is 334.1 mm by 224.0 mm"),
        ("board.toml", '"144/m"', '"30/m"', "the board is 1482.0 mm by 224.0 mm: it is cut in 4 parts"),
        ("board.toml", "track_mm = 15", "track_mm = 11", "track_mm = 11: a 144/m strip is 12 mm wide"),
        ("board.toml", "apart_mm = 45", "apart_mm = 42", "stand the numbers of both; make it 44"),
        (LARGE, "hole_mm = 6", "hole_mm = 14", "hole 121 of track 2 0.6 mm are left, and 1.5"),
        (LARGE, "corner_mm = 15", "corner_mm = 120", "corner_mm = 120: the board is only 236.0 mm high"),
        ("board.toml", "diameter_mm = 16", "diameter_mm = 29", "and a dot overlap by 6.8 mm, and 1.5 are needed"),
        (LARGE, "corner_mm = 15", "corner_mm = 110", "the button +1 of place 1 stands 8.7 mm over the edge"),
        ("board.toml", "[220, 220]", "[20, 20]", "printer_mm = [20, 20]: not even one cell of the light guide can"),
        ("boards/oval.toml", "[220, 220]", "[9, 9]", "bed; the bed of a small printer is 120 by 120"),
        ("boards/oval.toml", "hole_mm = 5.1", "hole_mm = 4", "hole_mm = 4: the dome of a single pixel is 5 mm wide"),
        ("boards/oval.toml", "pitch_mm = 10", "pitch_mm = 7", "of track 2"),
        ("boards/travel.toml", "hole_mm = 4", "hole_mm = 5", "1.2 mm are left"),
        ("board.toml", "hole_mm = 4", f'hole_mm = 4\nplate = "{"Anna" * 10}"', "between the buttons are 160"),
        ("board.toml", "hole_mm = 4", 'hole_mm = 4\nplate = "Anna & Ben"', "nothing engraves &; use A to Z"),
    ],
)  # fmt: skip
def test_what_cannot_be_made_is_refused(of: str, old: str, new: str, message: str) -> None:
    refusals = [f"{each.where}: {each.said}; {each.advice}" for each in mistakes(Layout(changed((old, new), of=of)))]
    assert any(message in mistake for mistake in refusals), refusals


def test_a_board_may_lie_across_the_bed() -> None:
    assert mistakes(Layout(changed(("[400, 400]", "[230, 340]")))) == []
