"""The quick card: a page for the table with the buttons, what the lights mean, the points and the order of counting."""

from __future__ import annotations

from fpdf import FPDF
from fpdf.enums import TableBordersLayout
from fpdf.fonts import FontFace

from cribboard.hardware.description import Description
from cribboard.hardware.template import new_pdf
from cribboard_core.variants import COLOURS, skunk_lines

MARGIN_MM = 15.0
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
    ("two colours in turns", "two pegs in one hole"),
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


def card(description: Description, paper: str) -> bytes:
    """The card as PDF, on one page."""
    pdf = new_pdf(paper, lying=False)
    pdf.set_title(f"{description.name}, quick card")
    pdf.add_page()
    pdf.set_margins(MARGIN_MM, MARGIN_MM)
    pdf.set_xy(MARGIN_MM, MARGIN_MM)
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
