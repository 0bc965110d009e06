"""The drawing on paper, 1:1: pages that overlap, marks to lay them over each other, and a bar to measure the print."""

from __future__ import annotations

import math
from collections.abc import Sequence
from datetime import UTC, datetime

from fpdf import FPDF

from cribboard.hardware.drawing import Box, Circle, Piece
from cribboard.hardware.shape import Layout, Point

PAPERS = {"a4": (297.0, 210.0), "letter": (279.4, 215.9)}  # lying
MARGIN_MM = 12.0  # what printers leave white, and room for words
OVERLAP_MM = 10.0
BAR_MM = 100.0
CROSS_MM = 3.0
LINE_MM = 0.15
MADE = datetime(2000, 1, 1, tzinfo=UTC)  # so that the same board gives the same bytes


def new_pdf(paper: str, lying: bool = True) -> FPDF:
    """A PDF without pages, in millimetres."""
    width, height = PAPERS[paper]
    pdf = FPDF(unit="mm", format=(height, width), orientation="landscape" if lying else "portrait")
    pdf.set_auto_page_break(False)
    pdf.set_creation_date(MADE)
    pdf.set_font("Helvetica", size=8)
    pdf.set_line_width(LINE_MM)
    return pdf


def template(layout: Layout, pieces: Sequence[Piece], paper: str) -> bytes:
    """The pages as PDF; the upper left one comes first, then to the right, then down."""
    pdf = new_pdf(paper)
    pdf.set_title(f"{layout.description.name}, template 1:1")
    columns, rows = pages(layout.size, paper)
    across, down = _steps(paper)
    for row in range(rows):
        for column in range(columns):
            pdf.add_page()
            corner = MARGIN_MM + OVERLAP_MM - column * across, MARGIN_MM + OVERLAP_MM - row * down
            with pdf.rect_clip(MARGIN_MM, MARGIN_MM, across + OVERLAP_MM, down + OVERLAP_MM):
                for piece in pieces:
                    _draw(pdf, piece, corner[0], corner[1] + layout.size[1])
            for x in (0, across):
                for y in (0, down):
                    _cross(pdf, MARGIN_MM + OVERLAP_MM / 2 + x, MARGIN_MM + OVERLAP_MM / 2 + y)
            where = f"{layout.description.name}: row {row + 1} of {rows}, page {column + 1} of {columns} in it"
            _foot(pdf, where, PAPERS[paper][1] - MARGIN_MM / 2)
    return bytes(pdf.output())


def pages(size: Point, paper: str) -> tuple[int, int]:
    """How many pages lie side by side, and how many rows of them there are."""
    across, down = _steps(paper)
    return math.ceil((size[0] + OVERLAP_MM) / across), math.ceil((size[1] + OVERLAP_MM) / down)


def _steps(paper: str) -> Point:
    """From a page to the next one, to the right and down."""
    width, height = PAPERS[paper]
    return width - 2 * MARGIN_MM - OVERLAP_MM, height - 2 * MARGIN_MM - OVERLAP_MM


def _draw(pdf: FPDF, piece: Piece, left: float, bottom: float) -> None:
    """A piece, with the board's lower left corner at this place of the page."""
    if isinstance(piece, Circle):
        x, y = left + piece.x, bottom - piece.y
        pdf.circle(x, y, piece.radius)
        if piece.layer in ("HOLES", "CUT_OUTS"):  # where the punch goes
            pdf.line(x - 1, y, x + 1, y)
            pdf.line(x, y - 1, x, y + 1)
    elif isinstance(piece, Box):
        top = bottom - piece.y - piece.height
        rounded = piece.corner > 0
        pdf.rect(left + piece.x, top, piece.width, piece.height, round_corners=rounded, corner_radius=piece.corner)
    else:
        pdf.polyline([(left + x, bottom - y) for x, y in piece.points])


def _cross(pdf: FPDF, x: float, y: float) -> None:
    pdf.line(x - CROSS_MM, y, x + CROSS_MM, y)
    pdf.line(x, y - CROSS_MM, x, y + CROSS_MM)
    pdf.circle(x, y, CROSS_MM / 2)


def _foot(pdf: FPDF, where: str, y: float) -> None:
    """Which page it is, and the bar."""
    pdf.line(MARGIN_MM, y, MARGIN_MM + BAR_MM, y)
    for x in (MARGIN_MM, MARGIN_MM + BAR_MM):
        pdf.line(x, y - 2, x, y + 2)
    said = f"This bar is {BAR_MM:g} mm long: print at 100 %, not fitted to the page. {where}."
    pdf.text(MARGIN_MM + BAR_MM + 5, y + 1, said)
