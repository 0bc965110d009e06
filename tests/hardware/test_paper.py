"""The PDFs: pages of the right size, drawn 1:1, a bar that measures what it says, marks that meet, a card."""

from __future__ import annotations

import io
import re
from collections import Counter
from collections.abc import Callable
from itertools import pairwise

import pytest
from pypdf import PageObject, PdfReader

from cribboard.hardware.drawing import Circle, Piece, drawing
from cribboard.hardware.light_sheet import light_sheet
from cribboard.hardware.paper import BAR_MM, MARGIN_MM, OVERLAP_MM, card, pages, template
from cribboard.hardware.shape import Layout
from hardware.boards import READY, changed, ready

POINT_MM = 25.4 / 72
SIZES = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}
STROKE = re.compile(r"([\d.]+) ([\d.]+) m ([\d.]+) ([\d.]+) l S")


def on_paper(board: Layout, paper: str, drawn: Callable[[Layout], list[Piece]] = drawing) -> PdfReader:
    return PdfReader(io.BytesIO(template(board, drawn(board), paper)))


def lines(page: PageObject) -> list[tuple[float, ...]]:
    """Straight strokes of a page in millimetres: from x, y to x, y."""
    contents = page["/Contents"].get_object().get_data().decode("latin-1")
    return [tuple(float(number) * POINT_MM for number in match) for match in STROKE.findall(contents)]


@pytest.mark.parametrize("paper", SIZES)
@pytest.mark.parametrize("of", READY)
def test_the_pages_have_the_papers_size_and_there_are_enough(of: str, paper: str) -> None:
    board = Layout(ready(of))
    printed = on_paper(board, paper)
    short, long = SIZES[paper]
    for page in printed.pages:
        assert float(page.mediabox.width) * POINT_MM == pytest.approx(long, abs=0.01)
        assert float(page.mediabox.height) * POINT_MM == pytest.approx(short, abs=0.01)
    columns, rows = pages(board.size, paper)
    assert len(printed.pages) == columns * rows
    covered = columns * (long - 2 * MARGIN_MM - OVERLAP_MM) + OVERLAP_MM
    assert covered >= board.size[0] + 2 * OVERLAP_MM
    assert covered - (long - 2 * MARGIN_MM - OVERLAP_MM) < board.size[0] + 2 * OVERLAP_MM


@pytest.mark.parametrize("paper", SIZES)
def test_the_bar_on_every_page_measures_what_it_says(paper: str) -> None:
    for page in on_paper(Layout(ready()), paper).pages:
        bars = [line for line in lines(page) if line[2] - line[0] == pytest.approx(BAR_MM, abs=0.01)]
        assert len(bars) == 1
        assert 2 < bars[0][1] < MARGIN_MM - 2, "it stands with its ends below all that is drawn"
        assert f"This bar is {BAR_MM:g} mm long" in page.extract_text()


def level(page: PageObject, long: float) -> list[tuple[float, ...]]:
    """The level strokes of this length."""
    return [line for line in lines(page) if line[2] - line[0] == pytest.approx(long, abs=0.01)]


def starts(page: PageObject, long: float) -> list[float]:
    """Where the level strokes of this length begin, from the left."""
    return sorted({round(line[0], 2) for line in level(page, long)})


def test_holes_are_drawn_in_their_true_distance() -> None:
    page = on_paper(Layout(ready()), "a4").pages[0]
    [level, _] = Counter(round(line[1], 2) for line in lines(page)).most_common(1)[0]
    holes = sorted(line[0] for line in lines(page) if line[1] == pytest.approx(level, abs=0.01))
    assert len(holes) == 41
    assert [b - a for a, b in pairwise(holes)] == pytest.approx([1000 / 144] * 40, abs=0.02)


@pytest.mark.parametrize("paper", SIZES)
@pytest.mark.parametrize("of", READY)
def test_the_first_page_shows_the_upper_left_corner_and_the_last_one_the_lower_right(of: str, paper: str) -> None:
    board = Layout(ready(of))
    drawn = light_sheet(board)  # which has holes in its corners
    circles = [piece for piece in drawn if isinstance(piece, Circle) and piece.layer in ("HOLES", "CUT_OUTS")]
    every = on_paper(board, paper, light_sheet).pages
    first, last = level(every[0], 2), level(every[-1], 2)  # through the middles of holes
    left = min(line[0] for line in first) + 1 - min(circle.x for circle in circles)
    top = max(line[1] for line in first) + board.size[1] - max(circle.y for circle in circles)
    right = max(line[2] for line in last) - 1 + board.size[0] - max(circle.x for circle in circles)
    bottom = min(line[1] for line in last) - min(circle.y for circle in circles)
    assert left >= MARGIN_MM and bottom >= MARGIN_MM
    assert right <= max(SIZES[paper]) - MARGIN_MM and top <= min(SIZES[paper]) - MARGIN_MM


def test_what_lies_under_a_mark_lies_under_its_fellow_on_the_next_page() -> None:
    first, second = on_paper(Layout(ready()), "a4").pages[:2]
    step = 297 - 2 * MARGIN_MM - OVERLAP_MM
    left, right = starts(first, 6)  # of the crosses, which are the same on all pages
    assert starts(second, 6) == [left, right]
    assert right - left == pytest.approx(step, abs=0.02)
    shared = [x for x in starts(first, 2) if MARGIN_MM + step < x < MARGIN_MM + step + OVERLAP_MM - 2]
    assert shared
    for x in shared:
        assert any(other == pytest.approx(x - step, abs=0.02) for other in starts(second, 2))


def test_what_lies_under_a_lower_mark_lies_under_an_upper_one_of_the_next_row() -> None:
    board = Layout(ready())
    columns, _ = pages(board.size, "a4")
    printed = on_paper(board, "a4").pages
    upper, lower = (sorted({round(line[1], 2) for line in level(printed[page], 6)}) for page in (0, columns))
    step = 210 - 2 * MARGIN_MM - OVERLAP_MM
    assert upper == lower == pytest.approx([17, 17 + step], abs=0.02)
    first, second = (sorted({line[1] for line in level(printed[page], 2)}) for page in (0, columns))
    assert first
    for y in first:  # PDF counts from below; what a page does not show is in it all the same
        assert any(other == pytest.approx(y + step, abs=0.02) for other in second)


@pytest.mark.parametrize("paper", SIZES)
@pytest.mark.parametrize("of", READY)
def test_the_card_is_one_page_of_the_paper(of: str, paper: str) -> None:
    [page] = PdfReader(io.BytesIO(card(ready(of), paper))).pages
    assert float(page.mediabox.width) * POINT_MM == pytest.approx(SIZES[paper][0], abs=0.01)
    assert float(page.mediabox.height) * POINT_MM == pytest.approx(SIZES[paper][1], abs=0.01)


def test_the_card_tells_of_this_board() -> None:
    def text(*changes: tuple[str, str], of: str = "board.toml") -> str:
        return PdfReader(io.BytesIO(card(changed(*changes, of=of), "a4"))).pages[0].extract_text()

    usual = text()
    for words in ("Three streets", "Buttons", "Lights", "Points", "Order of counting", "safe from a skunk (91 and 61)"):
        assert words in usual
    assert "place 1 is orange, place 2 is blue" in usual
    assert "twice round" in text(of="boards/travel.toml")
    assert "skunk (" not in text(("target = 121", "target = 91"))


def test_the_same_board_gives_the_same_bytes() -> None:
    board = Layout(ready("boards/travel.toml"))
    assert template(board, drawing(board), "a4") == template(board, drawing(board), "a4")
    assert card(ready(), "letter") == card(ready(), "letter")
