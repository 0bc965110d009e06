"""Pages to print: the drawing 1:1, the quick card for the table, a cheat sheet, a score card and counting exercises.

The pages of the drawing overlap and have marks to lay them over each other, and a bar to measure the print. Cheat
sheet, score card and exercises are set as texts and rules in millimetres, once for PDF and SVG.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from xml.sax.saxutils import escape

from fpdf import FPDF
from fpdf.enums import TableBordersLayout
from fpdf.fonts import FontFace

from cribboard.hardware.description import Description
from cribboard.hardware.drawing import Box, Circle, Piece, Polyline, drawing
from cribboard.hardware.light_sheet import paper as paper_of
from cribboard.hardware.shape import Layout, Point
from cribboard_core.aloud import sentence
from cribboard_core.cards import PACK_SIZE, card_name, cards_text
from cribboard_core.show import count
from cribboard_core.variants import COLOURS, skunk_lines

PAPERS = {"a4": (297.0, 210.0), "letter": (279.4, 215.9)}  # lying
MARGIN_MM = 12.0  # what printers leave white, and room for words
OVERLAP_MM = 10.0
BAR_MM = 100.0
CROSS_MM = 3.0
LINE_MM, PRINTED_MM = 0.15, 0.35  # of a line to cut along, and of one on a printed face
MADE = datetime(2000, 1, 1, tzinfo=UTC)  # so that the same board gives the same bytes

CARD_MARGIN_MM = 15.0
Rows = tuple[tuple[str, str], ...]

BUTTONS: Rows = (
    ("+1, +5", "points: the holes in front of your peg blink. +1 held repeats"),
    ("OK", "peg them"),
    ("UNDO", "takes the last press back, then whole scores. Held two seconds it brings one back"),
    ("DEAL", "passes the deal. Held three seconds it opens the set-up of a new game"),
    ("in the set-up", "OK: join or leave. +1: the next target. +5: you deal first. UNDO: close. DEAL: start"),
)
LIGHTS: Rows = (
    ("bright, and a dim one behind", "a side's front peg, which is its score, and its back peg"),
    ("how often it dips in two seconds", "whose peg it is: never for place 1, once for place 2, twice for place 3"),
    ("blinking in front of a peg", "points that wait for OK"),
    ("two colours in turn", "two pegs in one hole"),
    ("the game hole in a colour", "that side has the crib; otherwise it glows white"),
    ("fast blinking", "what UNDO is about to take back"),
    ("comets", "a game is won; twice as many for a skunk, three times for a double skunk"),
    ("one in ten, or pairs, red", "something is wrong: ask the board's owner"),
)
POINTS: Rows = (
    ("fifteen", "2 for each set of cards that makes 15; a king, queen or jack is 10, an ace 1"),
    ("pair, three, four alike", "2, 6, 12"),
    ("run of three or more", "1 a card, in each way that it can be made"),
    ("flush", "4 in hand, 5 with the starter; in the crib only 5"),
    ("his nobs", "1: the jack of the starter's suit"),
    ("his nibs", "2 to the dealer, when the starter is a jack"),
    ("in the play", "31: 2. Go or the last card: 1. Fifteen, pairs and runs as above"),
)
ORDER = "After the play: first the hand left of the dealer, then on round the table, then the dealer's, then the crib."

POINT_MM = 25.4 / 72
LEADING = 1.25  # lines, in heights of the letters
HEADED = 3  # the lines that the first row below a heading has at most
RULED = 2  # the lines' height that is left to write on
POCKET = "pocket"  # a page of A4 cut once and folded to a book of eight
# Where the pages of the pocket book lie on the sheet: column, row; those of the upper row stand on their heads.
FOLDED = ((3, 1), (3, 0), (2, 0), (1, 0), (0, 0), (0, 1), (1, 1), (2, 1))

COUNTING: Rows = (
    ("first", "sort the five cards low to high, the starter among them"),
    ("fifteens", "2 for each set of cards that makes 15. First two cards: 7 and 8, 6 and 9, 5 and a ten-card; then "
     "three, four, all five. King, queen and jack are 10, an ace is 1"),
    ("pairs", "2; three alike 6; four alike 12"),
    ("runs", "3 or more in a row, 1 a card. With the pairs in it: double run of three 8, double run of four 10, triple "
     "run 15, double double run 16"),
    ("flush", "4 in the hand, 5 with the starter; in the crib only all 5"),
    ("nobs", "1 for the jack of the starter's suit"),
    ("nothing", "19, 25, 26 and 27 cannot be, so a hand of nothing is nineteen. The best is 29"),
)  # fmt: skip
DEALING: Rows = (
    ("deal", "six cards each for two players, who throw two to the dealer's crib; five each for three or four, who "
     "throw one; with three, one more card of the pack goes to the crib"),
    ("starter", "cut after the discards; a jack is nibs, 2 for the dealer"),
    ("the play", "left of the dealer leads; say the count; nobody passes 31; if you can play, you must. After 31, "
     "or when nobody can play, it starts again"),
    ("the show", "after the play, first the hand left of the dealer, then on round the table, then the dealer's, then "
     "the crib"),
)  # fmt: skip
PLAYING: Rows = (
    ("15 or 31", "2"),
    ("go, last card", "1; a last card that makes 15 is 3, one that makes 31 is 2"),
    ("pair, three, four", "2, 6, 12, one after the other"),
    ("run", "1 a card, in any order, unbroken: 8 6 4 5 7, and the 7 makes a run of five"),
)
SKUNKS: Rows = (
    ("to 121", "90 or fewer is a skunk, 60 or fewer a double skunk"),
    ("to 61", "30 or fewer is a skunk"),
)
SHEET = (
    ("Count a hand", COUNTING),
    ("A deal", DEALING),
    ("Points in the play", PLAYING),
    ("Skunks", SKUNKS),
    ("The board's buttons", BUTTONS),
    ("The board's lights", LIGHTS),
)


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


def face(layout: Layout) -> bytes:
    """A face to print, as one page of its own size: black up to where it is cut, its lights, lines and words white."""
    width, height = layout.size
    pdf = new_pdf("a4")
    pdf.set_title(f"{layout.description.name}, face 1:1")
    pdf.add_page(format=(width, height), orientation="portrait")
    pdf.set_fill_color(0)
    [edge] = [piece for piece in paper_of(layout) if isinstance(piece, Box)]
    left, low, corner = edge.x, height - edge.y - edge.height, edge.corner
    pdf.rect(left, low, edge.width, edge.height, style="F", round_corners=corner > 0, corner_radius=corner)
    pdf.set_fill_color(255)
    pdf.set_draw_color(255)
    pdf.set_line_width(PRINTED_MM)
    for piece in drawing(layout):
        if isinstance(piece, Circle) and piece.layer in ("HOLES", "CUT_OUTS"):
            pdf.circle(piece.x, height - piece.y, piece.radius, style="F")
        elif isinstance(piece, Circle) and piece.layer == "START":
            pdf.circle(piece.x, height - piece.y, piece.radius)
        elif isinstance(piece, Polyline):
            pdf.polyline([(x, height - y) for x, y in piece.points])
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


def card(description: Description, paper: str) -> bytes:
    """The card as PDF, on one page."""
    pdf = new_pdf(paper, lying=False)
    pdf.set_title(f"{description.name}, quick card")
    pdf.add_page()
    pdf.set_margins(CARD_MARGIN_MM, CARD_MARGIN_MM)
    pdf.set_xy(CARD_MARGIN_MM, CARD_MARGIN_MM)
    pdf.set_font("Helvetica", "B", 18)
    pdf.cell(0, 9, description.name, new_x="LMARGIN", new_y="NEXT")
    _words(pdf, _sides(description))
    for title, rows in (("Buttons", BUTTONS), ("Lights", LIGHTS + _white(description)), ("Points", POINTS)):
        _table(pdf, title, rows)
    _table(pdf, "Order of counting", ())
    _words(pdf, ORDER)
    return bytes(pdf.output())


def _sides(description: Description) -> str:
    places = [number for number, pins in enumerate(description.buttons.players) if pins]
    seated = ", ".join(f"place {place + 1} is {COLOURS[place]}" for place in places)
    round_it = "" if description.tracks.leds == 121 else ", twice round"
    return f"A game is to {description.game.target}{round_it}. Buttons: {seated}."


def _white(description: Description) -> Rows:
    """What the faint white light is, if this game has it."""
    lines = [str(line) for line in skunk_lines(description.game.target) if line]
    if not lines:
        return ()
    return (("faint white on the way", f"the first hole that is safe from a skunk ({' and '.join(lines)})"),)


def _words(pdf: FPDF, text: str) -> None:
    pdf.set_font("Helvetica", size=11)
    pdf.multi_cell(0, 5.5, text, new_x="LMARGIN", new_y="NEXT")


def _table(pdf: FPDF, title: str, rows: Rows) -> None:
    pdf.ln(5)
    pdf.set_font("Helvetica", "B", 13)
    pdf.cell(0, 7, title, new_x="LMARGIN", new_y="NEXT")
    pdf.set_font("Helvetica", size=10.5)
    if not rows:
        return
    with pdf.table(
        col_widths=(2, 5),
        first_row_as_headings=False,
        borders_layout=TableBordersLayout.HORIZONTAL_LINES,
        line_height=5.2,
        padding=(0.6, 1),
        text_align="LEFT",
    ) as table:
        for name, meaning in rows:
            row = table.row()
            row.cell(name, style=FontFace(emphasis="BOLD"))
            row.cell(meaning)


@dataclass(frozen=True)
class Text:
    """Words; `y` is their base line."""

    x: float
    y: float
    points: float
    bold: bool
    words: str
    turned: bool = False  # upside down


@dataclass(frozen=True)
class Rule:
    """A straight line."""

    x: float
    y: float
    to_x: float
    to_y: float


@dataclass
class Page:
    """What stands on a page, in millimetres from its upper left corner."""

    width: float
    height: float
    items: list[Text | Rule] = field(default_factory=list)


class Setter:
    """Sets words in columns, one page after the other."""

    def __init__(self, size: tuple[float, float], points: float, columns: int, margin: float) -> None:
        self.pages: list[Page] = []
        self._size = size
        self._points = points
        self._columns = columns
        self._margin = margin
        self._gap = margin * 0.6
        self._wide = (size[0] - 2 * margin - (columns - 1) * self._gap) / columns
        self._column = columns
        self._y = 0.0
        self._measure = FPDF(unit="mm")

    def title(self, words: str, times: float = 1.35) -> None:
        """A heading, which stays with the line below it."""
        size = self._points * times
        self._need(size * 1.8 * POINT_MM + HEADED * self._high())
        self._y += size * 1.45 * POINT_MM
        for line in self._lines(words, size, True, self._wide):
            self._put(line, size, True, 0)
        self._y += 0.35 * size * POINT_MM

    def row(self, name: str, meaning: str, ruled: bool = False) -> None:
        """A bold name and what it means, side by side; `ruled` with a line to write on below."""
        beside = self._wide * 0.27
        left = self._lines(name, self._points, True, beside - 1)
        right = self._lines(meaning, self._points, False, self._wide - beside)
        self._need((max(len(left), len(right)) + (0.25 + RULED) * ruled) * self._high())
        top = self._y
        for lines, bold, x in ((left, True, 0.0), (right, False, beside)):
            self._y = top
            for line in lines:
                self._y += self._high()
                self._put(line, self._points, bold, x)
        self._y = top + (max(len(left), len(right)) + 0.25) * self._high()
        if ruled:
            self.line()

    def words(self, words: str) -> None:
        """A paragraph."""
        lines = self._lines(words, self._points, False, self._wide)
        self._need(len(lines) * self._high())
        for line in lines:
            self._y += self._high()
            self._put(line, self._points, False, 0)
        self._y += 0.35 * self._high()

    def line(self) -> None:
        """A line to write on."""
        self._need(RULED * self._high())
        self._y += RULED * self._high()
        left = self._left()
        self.pages[-1].items.append(Rule(left, self._y, left + self._wide, self._y))

    def next_page(self) -> None:
        """What follows stands on a new page."""
        self._column = self._columns

    def _high(self) -> float:
        return self._points * LEADING * POINT_MM

    def _left(self) -> float:
        return self._margin + self._column * (self._wide + self._gap)

    def _need(self, room: float) -> None:
        """Go to the next column or page when so much does not fit."""
        if self._column < self._columns and self._y + room <= self._size[1] - self._margin:
            return
        self._column += 1
        if self._column >= self._columns:
            self.pages.append(Page(*self._size))
            self._column = 0
        self._y = self._margin

    def _put(self, words: str, points: float, bold: bool, x: float) -> None:
        self.pages[-1].items.append(Text(self._left() + x, self._y, points, bold, words))

    def _lines(self, words: str, points: float, bold: bool, room: float) -> list[str]:
        self._measure.set_font("Helvetica", "B" if bold else "", points)
        lines: list[str] = []
        for word in words.split():
            longer = f"{lines[-1]} {word}" if lines else word
            if lines and self._measure.get_string_width(longer) <= room:
                lines[-1] = longer
            else:
                lines.append(word)
        return lines


def cheat_sheet(paper: str, large: bool = False) -> list[Page]:
    """The count, a deal, the play, skunks, buttons and lights; `pocket` gives the pages of a book before folding."""
    if paper == POCKET:
        setter = Setter((PAPERS["a4"][0] / 4, PAPERS["a4"][1] / 2), 7.8, 1, 5.0)
    else:
        setter = Setter(_upright(paper), 20.0 if large else 10.0, 1 if large else 2, 15.0)
    setter.title("Cribbage", 1.8)
    for title, rows in SHEET:
        if paper == POCKET and rows is not COUNTING:
            setter.next_page()
        setter.title(title)
        for name, meaning in rows:
            setter.row(name, meaning)
    return _folded(setter.pages) if paper == POCKET else setter.pages


def exercises(paper: str, seed: int, number: int, large: bool = False) -> list[Page]:
    """Hands to count, and on a page of its own what they count, said as a player says it."""
    chance = random.Random(seed)  # noqa: S311 (an exercise, not a secret)
    shows = []
    for _ in range(number):
        *hand, starter = chance.sample(range(PACK_SIZE), 5)
        shows.append(count(hand, starter))
    setter = Setter(_upright(paper), 20.0 if large else 11.0, 1 if large else 2, 15.0)
    setter.title(f"Count these hands (sheet {seed})", 1.5)
    for at, show in enumerate(shows, 1):
        setter.row(f"{at}.", f"{cards_text(show.hand)}   starter {card_name(show.starter)}", ruled=True)
    setter.next_page()
    setter.title(f"Answers (sheet {seed})", 1.5)
    for at, show in enumerate(shows, 1):
        setter.row(f"{at}.  {show.points}", f"{sentence(show)}.")
    return setter.pages


def score_card(paper: str, large: bool = False) -> list[Page]:
    """A card to write a night's games on: who won, by how much, skunks."""
    setter = Setter(_upright(paper), 20.0 if large else 12.0, 1, 15.0)
    setter.title("Cribbage score card", 1.5)
    setter.words("Players:")
    setter.line()
    setter.words("Game: won by, points, skunk (S) or double skunk (D)")
    for _ in range(9 if large else 16):
        setter.line()
    return setter.pages


def pdf(pages: Sequence[Page], title: str) -> bytes:
    """The pages as one PDF."""
    document = new_pdf("a4")
    document.set_title(title)
    for page in pages:
        document.add_page(format=(page.width, page.height), orientation="portrait")
        for item in page.items:
            if isinstance(item, Rule):
                document.line(item.x, item.y, item.to_x, item.to_y)
            else:
                document.set_font("Helvetica", "B" if item.bold else "", item.points)
                with document.rotation(180, item.x, item.y) if item.turned else nullcontext():
                    document.text(item.x, item.y, item.words)
    return bytes(document.output())


def svg(page: Page, title: str) -> str:
    """A page as SVG."""
    return "\n".join(_svg_lines(page, title)) + "\n"


def _svg_lines(page: Page, title: str) -> Iterator[str]:
    size = f'width="{page.width:.1f}mm" height="{page.height:.1f}mm" viewBox="0 0 {page.width:.1f} {page.height:.1f}"'
    yield f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="Helvetica, Arial, sans-serif">'
    yield f"<title>{escape(title)}</title>"
    yield f'<rect width="{page.width:.1f}" height="{page.height:.1f}" fill="white"/>'
    for item in page.items:
        if isinstance(item, Rule):
            ends = f'x1="{item.x:.2f}" y1="{item.y:.2f}" x2="{item.to_x:.2f}" y2="{item.to_y:.2f}"'
            yield f'<line {ends} stroke="black" stroke-width="0.15"/>'
        else:
            high, bold = f"{item.points * POINT_MM:.2f}", ' font-weight="bold"' if item.bold else ""
            at = f'x="{item.x:.2f}" y="{item.y:.2f}"'
            turned = f' transform="rotate(180 {item.x:.2f} {item.y:.2f})"' if item.turned else ""
            yield f'<text {at} font-size="{high}"{bold}{turned}>{escape(item.words)}</text>'
    yield "</svg>"


def _folded(pages: Sequence[Page]) -> list[Page]:
    """Eight small pages on one sheet, to fold to a book; the line in the middle is cut."""
    if len(pages) > len(FOLDED):
        raise ValueError(f"{len(pages)} pages do not fit a book of {len(FOLDED)}")
    width, height = pages[0].width, pages[0].height
    sheet = Page(4 * width, 2 * height, [Rule(width, height, 3 * width, height)])
    for page, (column, row) in zip(pages, FOLDED, strict=False):
        left, top = column * width, row * height
        for item in page.items:
            if isinstance(item, Text) and row:
                sheet.items.append(replace(item, x=left + item.x, y=top + item.y))
            elif isinstance(item, Text):
                sheet.items.append(replace(item, x=left + width - item.x, y=top + height - item.y, turned=True))
    return [sheet]


def _upright(paper: str) -> tuple[float, float]:
    width, height = PAPERS[paper]
    return height, width
