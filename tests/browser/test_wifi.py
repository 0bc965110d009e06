"""The board's own page over its network, which is cut: a phone and the board, nothing else."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from browser.chromium import PHONE, findings
from playwright.sync_api import expect
from rigs.wifi import Wifi, wifi

from cribboard.board.client import Board
from cribboard.board.transport import SerialTransport
from cribboard.sim.scores import read_match

Open = Callable[..., Any]


@pytest.fixture
def network(tmp_path: Path) -> Iterator[Wifi]:
    with wifi(tmp_path / "board") as one:
        yield one


def fronts(network: Wifi) -> list[int]:
    match = read_match(bytes.fromhex(network.board.flash()["hex"]))
    assert match is not None
    return [match.front(side) for side in match.sides]


def peg(page: Any, points: int) -> None:
    page.get_by_role("button", name=str(points), exact=True).click()
    page.get_by_role("button", name=f"Peg {points} for").click()


def heard(page: Any, words: str) -> None:
    page.locator("#said").get_by_text(words).wait_for()


def count(page: Any, *cards: str) -> None:
    page.get_by_role("tab", name="Hand").click()
    for card in cards:
        page.get_by_role("button", name=card).click()


def other(page: Any, what: str, who: str, points: int, button: str = "Peg") -> None:
    page.locator("#what").select_option(label=what)
    page.locator("#for").select_option(label=who)
    page.locator("#number").fill(str(points))
    page.get_by_role("button", name=button, exact=True).click()


def test_a_phone_joins_scores_and_loses_nothing_when_the_network_is_cut(
    visit: Open, network: Wifi, keep: Any, tmp_path: Path
) -> None:
    page = visit(network.address, PHONE)
    page.get_by_text("Hold DEAL on the board").wait_for()
    assert findings(page) == []
    network.open_setup()
    page.get_by_role("button", name="Peg").or_(page.get_by_text("Choose the points")).wait_for()
    network.close_setup()
    peg(page, 7)
    heard(page, "7 for Orange. Orange 7, Blue 0.")
    count(page, "five of hearts", "five of clubs", "five of spades", "jack of diamonds", "five of diamonds")
    heard(page, "The hand counts 29: fifteens 16, pairs 12, nobs 1.")
    assert findings(page) == []
    keep(page, "wifi-hand")
    page.get_by_role("button", name="Peg 29 for Orange").click()
    heard(page, "29 for Orange. Orange 36, Blue 0.")
    page.get_by_role("button", name="Undo 29 for Orange").click()
    heard(page, "Taken back. Orange 7, Blue 0.")
    page.get_by_role("button", name="Undo 7 for Orange").wait_for()
    page.get_by_role("button", name="Redo 29 for Orange").press("Enter")
    heard(page, "Brought back. Orange 36, Blue 0.")
    expect(page.locator("#redo")).to_be_hidden()
    expect(page.locator("#undo")).to_be_focused()
    page.keyboard.press("Enter")
    heard(page, "Taken back. Orange 7, Blue 0.")
    count(
        page, "two of hearts", "four of clubs", "six of hearts", "eight of clubs", "ten of diamonds", "eight of clubs"
    )
    expect(page.locator("#cards")).to_have_text("2♥ 4♣ 6♥ 10♦")  # one was tapped again
    count(page, "king of diamonds")
    heard(page, "The hand counts 0.")
    page.get_by_role("button", name="Nothing to peg: take the cards away").click()
    expect(page.locator("#cards")).to_be_empty()
    page.get_by_role("tab", name="Game").click()
    page.evaluate("window.spoken = []; speechSynthesis.speak = (one) => spoken.push(one.text); 0")
    page.get_by_label("Read the scores aloud").check()
    page.get_by_text("Muggins, penalty").click()
    other(page, "Penalty: the others peg the points", "Orange", 2)
    heard(page, "Penalty of 2 on Orange. Orange 7, Blue 2.")
    assert page.evaluate("scrollY") == 0, "what came of it is out of sight"
    other(page, "Muggins: points that another missed", "Blue", 3)
    heard(page, "Muggins, 3 for Blue. Orange 7, Blue 5.")
    other(page, "Penalty: that side goes back", "Blue", 1, "Move back")
    heard(page, "Penalty, Blue goes back 1. Orange 7, Blue 4.")
    other(page, "Correct a score", "Blue", 0, "Correct")
    heard(page, "Blue stands at 0. Orange 7, Blue 0.")
    assert len(page.evaluate("spoken")) == 5 and page.evaluate("spoken")[1].startswith("Penalty of 2 on Orange. ")
    page.get_by_text("Names", exact=True).click()
    page.get_by_label("Name of orange").fill("Grandma Josephine")
    page.get_by_role("button", name="Grandma Josephine").wait_for()
    assert findings(page) == []
    page.get_by_label("Name of orange").fill("")
    page.get_by_role("button", name="Pass the deal").click()
    page.get_by_text("The crib is Blue\u2019s.").wait_for()
    assert findings(page) == []
    keep(page, "wifi-game")
    page.get_by_role("tab", name="Points").click()
    network.board.tap("GP10")  # blue's +5, at the board itself
    page.locator("#sides").get_by_text("+5").wait_for()
    network.board.tap("GP11")
    heard(page, "5 for Blue. Orange 7, Blue 5.")
    with Board(partial(SerialTransport, network.board.port), tmp_path / "notes") as usb:  # a program beside the phone
        usb.peg(0, 4)
        heard(page, "4 for Orange. Orange 11, Blue 5.")
        peg(page, 1)
        heard(page, "1 for Orange. Orange 12, Blue 5.")
        usb.undo()
        heard(page, "Taken back. Orange 11, Blue 5.")
        usb.undo()
        heard(page, "Taken back. Orange 7, Blue 5.")
    network.proxy.passes = False  # it stands still with a command on its way
    peg(page, 2)
    page.get_by_text("Waiting for the board").wait_for()
    network.proxy.passes = True
    heard(page, "2 for Orange. Orange 9, Blue 5.")
    network.proxy.passes = False
    peg(page, 3)
    network.proxy.cut(up=False)
    page.get_by_role("alert").get_by_text("What was on its way is kept").wait_for()
    keep(page, "wifi-cut")
    network.proxy.passes = network.proxy.up = True
    page.get_by_text("The last score has counted.").wait_for()
    network.board.reset()
    page.get_by_text("Not connected").wait_for()
    page.get_by_text("Connected", exact=True).wait_for()
    peg(page, 1)
    heard(page, "1 for Orange. Orange 13, Blue 5.")
    page.reload()
    heard(page, "Orange 13, Blue 5.")
    assert fronts(network) == [13, 5]
    second = visit(network.address, PHONE)
    network.open_setup()
    second.get_by_text("Connected", exact=True).wait_for()
    peg(page, 1)  # which closes the set-up
    heard(page, "1 for Orange. Orange 14, Blue 5.")
    heard(second, "1 for Orange. Orange 14, Blue 5.")
    page.get_by_role("tab", name="Game").click()
    page.get_by_text("Muggins, penalty").click()
    other(page, "Correct a score", "Orange", 120, "Correct")
    heard(page, "Orange stands at 120.")
    page.get_by_role("tab", name="Points").click()
    peg(page, 2)
    heard(page, "2 for Orange. Orange wins.")
    heard(second, "2 for Orange. Orange wins.")
    count(page, "two of hearts")
    page.get_by_role("tab", name="Points").click()
    page.get_by_role("button", name="Start a new game …").click()
    page.locator("#target").select_option("61")
    page.get_by_role("button", name="Start a new game", exact=True).press("Enter")
    heard(page, "A new game. Orange 0, Blue 0.")
    expect(page.get_by_role("tab", name="Points")).to_be_focused()
    expect(page.locator("#cards")).to_be_empty()  # it was of the game before
    page.get_by_role("button", name="Choose the points").wait_for()
    third = visit(network.address, PHONE)
    third.get_by_text("Hold DEAL on the board").wait_for()
    network.open_setup()
    third.get_by_role("heading", name="Two phones keep score here already").wait_for()
    third.get_by_role("button", name="Take a place").press("Enter")
    third.get_by_text("Connected", exact=True).wait_for()
    expect(third.get_by_role("tab", name="Points")).to_be_focused()
    assert third.locator("#target").input_value() == "61", "the next game is not like this one"
    page.get_by_text("Connected", exact=True).wait_for()
    second.get_by_role("heading", name="Not here any more").wait_for()
