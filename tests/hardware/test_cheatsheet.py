"""Pages to print: all of it is there and on the page, in both kinds of file, and the answers are right."""

from __future__ import annotations

import io
import re
from xml.etree import ElementTree

import pypdf
import pytest
from click.testing import CliRunner
from fpdf import FPDF
from shapely import STRtree, box

from cribboard.cli.main import cli
from cribboard.hardware.paper import FOLDED, POINT_MM, SHEET, Rule, Text, cheat_sheet, exercises, pdf, score_card, svg
from cribboard_core.cards import parse_card, parse_cards
from cribboard_core.show import count

PAGES = {
    "a4": lambda: cheat_sheet("a4"),
    "letter": lambda: cheat_sheet("letter"),
    "large": lambda: cheat_sheet("a4", large=True),
    "pocket": lambda: cheat_sheet("pocket"),
    "score": lambda: score_card("a4"),
    "exercises": lambda: exercises("a4", 7, 16),
}


def words_of(pages, bold=(False, True)):
    texts = [item for page in pages for item in page.items if isinstance(item, Text)]
    return " ".join(item.words for item in texts if item.bold in bold)


@pytest.mark.parametrize("name", PAGES)
def test_everything_lies_on_its_page(name):
    for page in PAGES[name]():
        for item in page.items:
            assert 0 < item.x < page.width
            assert 0 < item.y < page.height


@pytest.mark.parametrize("name", PAGES)
def test_no_words_are_printed_over_others_or_run_off_the_page(name):
    measure = FPDF(unit="mm")
    for page in PAGES[name]():
        boxes = []
        for item in (item for item in page.items if isinstance(item, Text)):
            measure.set_font("Helvetica", "B" if item.bold else "", item.points)
            wide, high = measure.get_string_width(item.words), item.points * POINT_MM * 0.7  # of a capital letter
            right, top = (item.x - wide, item.y + high) if item.turned else (item.x + wide, item.y - high)
            boxes.append(box(item.x, item.y, right, top))
        tree, whole = STRtree(boxes), box(0, 0, page.width, page.height)
        assert all(whole.contains(each) for each in boxes)
        assert not [(one, other) for one, other in tree.query(boxes, predicate="intersects").T if one != other]


@pytest.mark.parametrize("name", ["a4", "letter", "large", "pocket"])
def test_every_row_of_the_rules_is_there_its_name_bold_and_its_meaning_not(name):
    bold, thin = (words_of(PAGES[name](), [each]) for each in (True, False))
    for title, rows in SHEET:
        assert title in bold
        for what, meaning in rows:
            assert what in bold and all(word in thin.split() for word in meaning.split())


def test_large_print_is_large_and_a_page_is_one_sheet():
    assert min(item.points for page in cheat_sheet("a4", large=True) for item in page.items) >= 18
    assert len(cheat_sheet("a4")) == len(cheat_sheet("letter")) == len(cheat_sheet("pocket")) == 1


@pytest.mark.parametrize(("paper", "large"), [("a4", False), ("letter", False), ("a4", True), ("letter", True)])
def test_a_heading_stays_with_what_is_below_it(paper, large):
    headings = {title for title, _ in SHEET}
    for page in cheat_sheet(paper, large):
        texts = [item for item in page.items if isinstance(item, Text)]
        for heading in (item for item in texts if item.words in headings):
            assert any(item.x == heading.x and item.y > heading.y for item in texts), heading.words


@pytest.mark.parametrize(("paper", "large", "number"), [("a4", False, 200), ("a4", True, 16), ("letter", True, 17)])
def test_the_line_to_write_on_is_below_its_hand(paper, large, number):
    for page in exercises(paper, 3, number, large):
        for rule in (item for item in page.items if isinstance(item, Rule)):
            above = [item for item in page.items if isinstance(item, Text) and item.x == rule.x and item.y < rule.y]
            hand = max(above, key=lambda item: item.y, default=None)
            assert hand and rule.y - hand.y < 3 * hand.points * POINT_MM * 1.25


def test_the_pages_of_the_pocket_book_come_in_order_when_it_is_folded():
    """The first is at the lower right, the second above it on its head, then on to the left."""
    assert FOLDED[:2] == ((3, 1), (3, 0))
    assert sorted(FOLDED) == [(column, row) for column in range(4) for row in range(2)]
    sheet = cheat_sheet("pocket")[0]
    for item in sheet.items:
        if isinstance(item, Text):
            assert item.turned == (item.y < sheet.height / 2)
    titles = {item.words: item for item in sheet.items if isinstance(item, Text)}
    assert titles["Cribbage"].x > sheet.width * 3 / 4 and titles["Cribbage"].y > sheet.height / 2


@pytest.mark.parametrize("name", PAGES)
def test_pdf_and_svg_say_the_same(name):
    pages = PAGES[name]()
    read = pypdf.PdfReader(io.BytesIO(pdf(pages, "Cribbage")))
    assert len(read.pages) == len(pages)
    for page, printed in zip(pages, read.pages, strict=True):
        assert float(printed.mediabox.width) == pytest.approx(page.width * 72 / 25.4, abs=1)
        assert float(printed.mediabox.height) == pytest.approx(page.height * 72 / 25.4, abs=1)
        drawn = ElementTree.fromstring(svg(page, "A & B"))
        texts = [each.text for each in drawn.iter("{http://www.w3.org/2000/svg}text")]
        assert texts == [item.words for item in page.items if isinstance(item, Text)]
        if name != "pocket":
            printed_text = printed.extract_text()
            assert all(text in printed_text for text in texts)


def test_the_answers_are_right_and_belong_to_the_hands():
    questions, answers = exercises("a4", 7, 16)
    hands = re.findall(r"(\S\S \S\S \S\S \S\S) starter (\S\S)", words_of([questions]))
    printed_points = re.findall(r"\b\d+\. (\d+)", words_of([answers]))
    assert len(hands) == len(printed_points) == 16
    for (hand, starter), points in zip(hands, printed_points, strict=True):
        assert count(parse_cards(hand), parse_card(starter)).points == int(points)


def test_a_seed_gives_the_same_sheet():
    assert pdf(exercises("a4", 7, 16), "x") == pdf(exercises("a4", 7, 16), "x")
    assert words_of(exercises("a4", 7, 16)) != words_of(exercises("a4", 8, 16))


def test_the_command_writes_a_pdf_and_a_svg_for_each_page(tmp_path):
    result = CliRunner().invoke(cli, ["cheatsheet", "--sheet", "exercises", "--seed", "3", "--into", str(tmp_path)])
    assert result.exit_code == 0
    names = {path.name for path in tmp_path.iterdir()}
    assert names == {"exercises-a4-3.pdf", "exercises-a4-3-1.svg", "exercises-a4-3-2.svg"}


def test_the_pocket_book_has_no_large_print(tmp_path):
    result = CliRunner().invoke(cli, ["cheatsheet", "--paper", "pocket", "--large", "--into", str(tmp_path)])
    assert result.exit_code == 2
    assert "the pocket book has the rules in small print only" in result.stderr


@pytest.mark.parametrize("words", [("--seed", "3"), ("--hands", "5"), ("--sheet", "score", "--seed", "3")])
def test_hands_and_seed_are_for_exercises(tmp_path, words):
    result = CliRunner().invoke(cli, ["cheatsheet", *words, "--into", str(tmp_path)])
    assert (result.exit_code, list(tmp_path.iterdir())) == (2, [])
    assert "--seed and --hands go with --sheet exercises." in result.stderr
