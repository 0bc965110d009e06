"""The static page that keeps score: by Web Serial on a board, whose port a stand-in reaches, and by itself."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from browser.chromium import LAPTOP, PHONE, findings, small
from browser.conftest import or_skip
from browser.site import RUNTIME, SERIAL, USB, plugged, serial_site
from playwright.sync_api import expect

from cribboard.sim.board import VirtualBoard
from cribboard.sim.scores import read_match

Open = Callable[..., Any]
SETTLED_MS = 750  # until a tap on a button that has just come counts


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    or_skip("" if RUNTIME.is_dir() else "MicroPython is not installed: run `npm ci --prefix tests/vm`")
    with serial_site(tmp_path_factory.mktemp("site")) as at:
        yield at


@pytest.fixture
def board(tmp_path: Path) -> Iterator[VirtualBoard]:
    with VirtualBoard(tmp_path / "board") as one:
        yield one


@pytest.fixture
def scorer(visit: Open, address: str) -> Open:
    """Opens the page in a browser that has serial ports."""

    def opened(size: dict[str, int] = LAPTOP, **more: Any) -> Any:
        page = visit("about:blank", size, service_workers="block", **more)  # they would pass the port's bytes on
        page.context.add_init_script(SERIAL)
        page.goto(f"{address}score.html")
        return page

    return opened


def pair(page: Any) -> None:
    page.get_by_role("button", name="On a board at this device").click()


def start(page: Any, *names: str) -> None:
    for colour, name in zip(("Orange", "Blue"), names, strict=False):
        page.get_by_label(f"{colour}\u2019s name").fill(name)
    page.get_by_role("button", name="Start").click()


def peg(page: Any, points: int) -> None:
    page.get_by_role("button", name=str(points), exact=True).click()
    page.get_by_role("button", name=f"Peg {points}", exact=True).click()


def heard(page: Any, words: str) -> None:
    page.locator("#said").get_by_text(words).wait_for()


def fronts(board: VirtualBoard) -> list[int]:
    match = read_match(bytes.fromhex(board.flash()["hex"]))
    assert match is not None
    return [match.front(side) for side in match.sides]


def tap(page: Any, panel: str, *cards: str) -> None:
    for card in cards:
        page.locator(f"#panel-{panel} .deck [data-card='{card}']").click()


def test_a_real_port_is_scored_on_with_points_a_hand_the_play_and_undo(
    scorer: Open, board: VirtualBoard, keep: Any
) -> None:
    with plugged(board):
        page = scorer()
        pair(page)
        start(page, "Ann", "Bob")
        heard(page, "A new game to 121.")
        peg(page, 9)
        heard(page, "9 for Ann.")
        page.get_by_role("tab", name="Hand").click()
        tap(page, "hand", "5H", "5C", "5S", "JD", "5D")
        page.get_by_role("button", name="Peg 29 for Ann").click()
        heard(page, "29 for Ann: fifteen two")
        assert findings(page) == []
        again = page.get_by_role("button", name="Peg 29 for Ann")
        page.get_by_label("Or type the cards").fill("5H5C5SJD")  # the same cards
        for answer, front in (("Leave it", 38), ("Peg it anyway", 67)):
            again.click()
            page.locator("#dialog").get_by_text("were already counted in this deal").wait_for()
            page.get_by_role("button", name=answer).click()
            page.locator("#chips .front").get_by_text(str(front), exact=True).wait_for()
        for front in (38, 9):
            page.get_by_role("button", name="Undo").click()
            page.locator("#chips .front").get_by_text(str(front), exact=True).wait_for()
        page.get_by_label("Or type the cards").fill("5H5C5SJD")  # nobody is asked: it was taken back
        again.click()
        page.locator("#chips .front").get_by_text("38", exact=True).wait_for()
        page.get_by_role("tab", name="Play").click()
        page.locator(".due").get_by_text("Bob to play").wait_for()  # Ann deals
        tap(page, "play", "7H")
        heard(page, "The count is 7.")
        tap(page, "play", "8H")
        heard(page, "2 for Ann: fifteen for two.")
        keep(page, "site-play")
        assert findings(page) == []
        assert fronts(board) == [40, 0]
        page.get_by_role("button", name="Undo").click()
        heard(page, "Undo: 2 for Ann.")
        assert fronts(board) == [38, 0]
        count = page.locator(".running strong")
        count.get_by_text("7", exact=True).wait_for()  # the card is taken back with its points
        page.get_by_role("button", name="Redo").click()
        count.get_by_text("15", exact=True).wait_for()
        page.get_by_role("button", name="Undo 2 for Ann").click()
        count.get_by_text("7", exact=True).wait_for()
        board.tap("GP10")  # blue's +5, at the board itself
        page.locator("#chips").get_by_text("+5").wait_for()
        board.tap("GP11")
        page.locator("#chips .front").get_by_text("5", exact=True).wait_for()


def test_three_keep_score_on_the_page_itself_with_nibs_goes_and_pegs_that_are_set(scorer: Open) -> None:
    page = scorer()
    own = page.get_by_role("button", name="On this page, without a board")
    fronts = page.locator("#chips .front")
    own.press("Enter")
    players, dealer = page.get_by_label("Who plays"), page.get_by_label("First to deal")
    players.select_option(label="6 players, three pairs")
    dealer.select_option("Purple")
    players.select_option(label="3 players")
    expect(dealer).to_have_value("0")  # there is no purple
    dealer.select_option("Green")
    page.get_by_label("Green\u2019s name").fill("Cid")
    start(page, "Ann", "Bob")
    heard(page, "A new game to 121.")
    page.get_by_role("tab", name="Play").click()
    page.get_by_role("button", name="Starter").click()
    tap(page, "play", "JD")
    page.wait_for_timeout(SETTLED_MS)
    page.get_by_role("button", name="Nibs: 2 for Cid").click()
    expect(fronts).to_have_text(["0", "0", "2"])
    tap(page, "play", "KS", "KH", "TC")
    expect(fronts).to_have_text(["0", "2", "2"])
    for words in ("Ann says go", "Bob says go", "Cid can\u2019t play either"):
        page.get_by_role("button", name=words).first.wait_for()
        page.wait_for_timeout(SETTLED_MS)
        page.locator("#panel-play .go").click()
    expect(fronts).to_have_text(["0", "2", "3"])
    page.get_by_role("button", name="Undo 1 for Cid").click()
    expect(page.locator(".running strong")).to_have_text("30")
    page.get_by_role("button", name="Redo 1 for Cid").click()
    expect(fronts).to_have_text(["0", "2", "3"])
    page.get_by_role("tab", name="More").click()
    page.get_by_role("button", name="Set the pegs").click()
    page.locator("#dialog").get_by_role("button", name="Bob").click()
    page.get_by_label("Front peg").fill("118")
    page.get_by_label("Back peg").fill("110")
    page.get_by_role("button", name="Set", exact=True).click()
    heard(page, "Bob set to 118.")
    page.get_by_role("tab", name="Points").click()
    page.locator("#chips button").nth(1).click()
    peg(page, 4)
    expect(page.locator("#next")).to_have_text("Bob wins with 121, and it is a double skunk.")
    assert findings(page) == []
    page.get_by_role("tab", name="More").click()
    page.get_by_role("button", name="Leave the board").click()
    own.press("Enter")
    expect(fronts).to_have_text(["0", "121", "3"])
    expect(page.get_by_role("tab", selected=True)).to_be_focused()


def test_a_cable_that_is_pulled_is_said_and_what_comes_back_goes_on(
    scorer: Open, board: VirtualBoard, keep: Any
) -> None:
    with plugged(board):
        page = scorer()
        pair(page)
        start(page, "Ann", "Bob")
        heard(page, "A new game")
        peg(page, 4)
        heard(page, "4 for Ann.")
    page.get_by_role("alert").get_by_text("The board is unplugged.").wait_for()
    expect(page.get_by_role("button", name="On a board at this device")).to_be_focused()
    keep(page, "site-unplugged")
    with plugged(board):
        page.evaluate("navigator.serial.plugIn()")
        heard(page, "Ann 4, Bob 0.")
        peg(page, 3)
        heard(page, "3 for Ann.")
        assert fronts(board) == [7, 0]


def test_a_score_that_was_on_its_way_when_the_cable_was_pulled_counts_once(scorer: Open, board: VirtualBoard) -> None:
    with plugged(board):
        page = scorer()
        pair(page)
        start(page, "Ann", "Bob")
        page.locator("#undo").get_by_text("the new game").wait_for()  # the page has asked for all it wants to know
        page.wait_for_timeout(300)
        page.evaluate("window.deaf = true")
        page.get_by_role("button", name="6", exact=True).click()
        page.get_by_role("button", name="Peg 6", exact=True).click()
        page.locator("#link").get_by_text("Waiting for the board").wait_for()
        page.wait_for_timeout(500)
        assert fronts(board) == [6, 0]
    page.get_by_role("alert").get_by_text("The board is unplugged.").wait_for()
    with plugged(board):
        page.evaluate("window.deaf = false")
        page.evaluate("navigator.serial.plugIn()")
        heard(page, "The last score has counted.")
        page.locator("#chips .front").get_by_text("6", exact=True).wait_for()
        assert fronts(board) == [6, 0]


def test_a_port_that_is_no_board_and_a_second_tab_are_told_apart(scorer: Open, board: VirtualBoard) -> None:
    page = scorer()
    pair(page)
    page.get_by_role("alert").get_by_text("The port cannot be opened").wait_for()
    page.evaluate("window.nobodyChooses = true")
    pair(page)
    page.get_by_role("alert").get_by_text("No port chosen. If the list was empty: is it a data cable?").wait_for()
    page.evaluate("window.nobodyChooses = false")
    with plugged(board):
        pair(page)
        page.locator("#dialog[open]").wait_for()
        page.get_by_role("button", name="Cancel").click()
        other = page.context.new_page()
        other.goto(page.url)
        pair(other)
        other.get_by_role("alert").get_by_text("Another tab of this browser has a board.").wait_for()


def test_a_board_is_scored_on_in_a_browser_that_keeps_nothing_and_it_says_what_that_means(
    scorer: Open, board: VirtualBoard
) -> None:
    page = scorer()
    page.context.add_init_script("indexedDB.open = () => { throw new DOMException('storage is denied'); };")
    page.reload()
    with plugged(board):
        pair(page)
        page.locator("dialog[open]").wait_for()
        page.get_by_role("alert").get_by_text("This browser keeps nothing for this page (storage is denied)").wait_for()
        start(page, "Ann", "Bob")
        heard(page, "A new game")
        peg(page, 4)
        heard(page, "4 for Ann.")
        assert fronts(board) == [4, 0]


ANDROID = (
    "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/148.0.0.0 Mobile Safari/537.36"
)


def on_phone(visit: Open, address: str, version: str) -> Any:
    """The page in Chrome on an Android phone of a version."""
    phone = {"has_touch": True, "is_mobile": True, "user_agent": ANDROID}
    page = visit("about:blank", PHONE, service_workers="block", **phone)
    page.context.add_init_script(SERIAL + USB + f"window.android = '{version}.0.0';")
    page.goto(f"{address}score.html")
    return page


def test_of_the_two_ports_of_a_board_at_a_phone_the_one_that_answers_is_remembered(
    visit: Open, address: str, board: VirtualBoard, keep: Any
) -> None:
    with plugged(board):
        page = on_phone(visit, address, "17")
        assert page.get_by_role("button", name="Older Android phone").is_hidden()
        page.evaluate("window.chosen = 'console'")
        pair(page)
        page.get_by_role("alert").get_by_text("It may be the board\u2019s other port").wait_for()
        keep(page, "site-other-port")
        assert findings(page) == []
        page.evaluate("window.chosen = 'data'")
        pair(page)
        start(page, "Ann", "Bob")
        heard(page, "A new game")
        peg(page, 4)
        heard(page, "4 for Ann.")
        page.reload()  # no tap
        heard(page, "Ann 4, Bob 0.")
        assert page.evaluate("window.opened") == ["data"]
    page.get_by_role("alert").get_by_text("The board is unplugged.").wait_for()
    with plugged(board):
        page.evaluate("navigator.serial.plugIn()")
        heard(page, "Ann 4, Bob 0.")
        peg(page, 3)
        heard(page, "3 for Ann.")
        assert fronts(board) == [7, 0]


def test_an_older_android_phone_scores_on_a_board_over_usb(
    visit: Open, address: str, board: VirtualBoard, keep: Any
) -> None:
    with plugged(board):
        page = on_phone(visit, address, "16")
        older = page.get_by_role("button", name="Older Android phone")
        older.wait_for()
        assert page.get_by_role("button", name="On a board at this device").is_hidden()
        page.evaluate("window.taken = 'Unable to claim interface.'")
        older.tap()
        page.get_by_role("alert").get_by_text("the board\u2019s port (Unable to claim interface)").wait_for()
        page.evaluate("window.taken = ''")
        keep(page, "site-older-phone")
        assert findings(page) == []
        older.tap()
        start(page, "Ann", "Bob")
        heard(page, "A new game")
        peg(page, 4)
        heard(page, "4 for Ann.")
    page.get_by_role("alert").get_by_text("The board is unplugged.").wait_for()
    with plugged(board):
        page.evaluate("navigator.usb.plugIn()")
        heard(page, "Ann 4, Bob 0.")
        peg(page, 3)
        heard(page, "3 for Ann.")
        assert fronts(board) == [7, 0]


def test_without_web_serial_it_says_which_browser_has_it_and_keeps_score_by_itself(
    visit: Open, address: str, keep: Any
) -> None:
    page = visit("about:blank", PHONE, has_touch=True, is_mobile=True)
    page.context.add_init_script("delete Navigator.prototype.serial")
    page.goto(f"{address}score.html")
    page.get_by_text("This browser gives pages no serial ports. Chrome, Edge").wait_for()
    assert findings(page) == []
    page.get_by_role("button", name="On this page, without a board").tap()
    start(page, "Ann", "Bob")
    heard(page, "A new game")
    page.get_by_role("button", name="5", exact=True).tap()
    page.get_by_role("button", name="Peg 5", exact=True).tap()
    heard(page, "5 for Ann.")
    keep(page, "site-scoreboard")
    page.get_by_role("tab", name="Play").tap()
    page.reload()  # as a phone does that wants its memory back
    heard(page, "Ann 5, Bob 0.")
    page.locator("#panel-play").wait_for()  # the tab that was open
    for tab in ("Points", "Hand", "Play", "Info", "More"):
        page.get_by_role("tab", name=tab).tap()
        assert findings(page) == []
        assert small(page) == []
        if tab in ("Hand", "Play"):
            last = page.locator(f"#panel-{tab.lower()} [data-card=KD]").bounding_box()
            assert last["y"] + last["height"] <= page.locator("#desk").bounding_box()["y"], "the whole deck is seen"
    page.get_by_role("button", name="Leave the board").tap()
    page.get_by_role("heading", name="Where is the score kept?").wait_for()
    page.reload()
    page.get_by_role("button", name="On this page, without a board").wait_for()


def test_a_hand_is_counted_by_five_taps(visit: Open, address: str, keep: Any) -> None:
    page = visit(f"{address}count.html", PHONE, has_touch=True, is_mobile=True)
    for card in ("5H", "5C", "5S", "JD", "5D"):
        page.locator(f"#deck [data-card='{card}']").tap()
    page.get_by_role("status").get_by_text("29: fifteen two, fifteen four").wait_for()
    keep(page, "site-count")
    assert findings(page) == [] == small(page)
    page.get_by_role("button", name="Next hand").tap()
    for card in ("2C", "4C", "6C", "8C", "TD"):
        page.locator(f"#deck [data-card='{card}']").tap()
    page.get_by_role("status").get_by_text("4: a flush of four for four.").wait_for()
    page.get_by_label("It is the crib").check()
    page.get_by_role("status").get_by_text("0: nothing.").wait_for()
    assert findings(page) == []
