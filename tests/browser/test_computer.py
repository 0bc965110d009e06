"""A game against the computer on a phone: chosen, thrown, played and counted by taps and keys, named on the screen."""

from __future__ import annotations

import re
from typing import Any

import pytest
from browser.chromium import LAPTOP, findings
from browser.house import House, Player
from playwright.sync_api import Page, expect

SIZES = [{"width": 375, "height": 720}, LAPTOP]


def opened(phone: Any, house: House, size: dict[str, int]) -> Page:
    """The page, by the way that a phone has to it."""
    page: Page = phone(0, size)
    page.get_by_role("tab", name="More").click()
    page.get_by_role("link", name="Play the computer").click()
    page.get_by_role("heading", name="Play the computer").wait_for()
    page.locator("#begin, #game").filter(visible=True).wait_for()
    if page.get_by_role("button", name="Stop this game").is_visible():
        stop(page)
    return page


def stop(page: Page) -> None:
    page.get_by_role("button", name="Stop this game").click()
    page.locator("#dialog").get_by_role("button", name="Stop this game").click()


@pytest.mark.parametrize(
    "size", [pytest.param(SIZES[0], id="phone"), pytest.param(SIZES[1], id="laptop", marks=pytest.mark.long)]
)
def test_a_deal_is_thrown_played_and_counted(visit: Any, phone: Any, house: House, size: Any, keep: Any) -> None:
    page = opened(phone, house, size)
    page.get_by_label("Level").select_option("learner")
    page.get_by_label("Count by hand").check()
    assert not findings(page)
    page.get_by_role("button", name="Start").click()
    hand, todo = page.locator("#hand button"), page.locator("#todo")
    expect(todo).to_contain_text("Choose two cards")
    expect(hand).to_have_count(6)
    held = page.locator("[aria-labelledby=todo] :focus")  # what is to be done next has the keyboard
    expect(held).to_have_count(1)
    throw = page.get_by_role("button", name="Throw to the crib")
    expect(throw).to_be_disabled()
    hand.nth(0).click()
    if "Orange deals" in page.locator("#lines").inner_text():  # else the computer, which deals, throws after the phone
        expect(page.locator("#lines")).to_contain_text("The computer discards")
    expect(hand.nth(0)).to_have_attribute("aria-pressed", "true")
    hand.nth(1).focus()
    page.keyboard.press("Enter")
    assert not findings(page)
    keep(page, f"computer-throw-{size['width']}")
    throw.click()
    screen = visit("/table/1", LAPTOP)
    for _ in range(4):
        expect(todo).to_have_text("Play a card.")
        expect(held).to_have_count(1)
        left = hand.count()
        page.locator("#hand button:enabled").first.click()
        page.get_by_label("What does the", exact=False).fill("0")
        if left == 3:
            assert not findings(page)
            expect(screen.get_by_role("heading", name="Computer (learner)")).to_be_visible()
            keep(page, f"computer-play-{size['width']}")
            keep(screen, "computer-screen")
        page.keyboard.press("Enter")
        expect(hand).to_have_count(left - 1)
    expect(todo).to_contain_text("Count your")
    expect(page.locator("#hand .card")).to_have_count(4)
    page.get_by_label("Points").fill("2")
    keep(page, f"computer-count-{size['width']}")
    page.get_by_role("button", name="Count").click()
    expect(todo).not_to_have_text("Count your hand.")
    expect(held).to_have_count(1)
    expect(page.locator("#wrong")).to_be_hidden()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.get_by_role("button", name="Stop this game").click()
    expect(page.locator("#dialog")).to_contain_text("Your hand does not come back.")
    page.get_by_role("button", name="Cancel").click()
    expect(todo).to_be_visible()
    stop(page)
    expect(page.get_by_label("Level")).to_be_focused()


def test_a_call_of_muggins_says_first_what_a_wrong_one_costs(phone: Any, house: House, keep: Any) -> None:
    page = opened(phone, house, SIZES[0])
    page.get_by_label("Muggins").check()
    page.get_by_role("button", name="Start").click()
    expect(page.locator("#hand button")).to_have_count(6)
    for card in range(2):
        page.locator("#hand button").nth(card).click()
    page.get_by_role("button", name="Throw to the crib").click()
    call = page.get_by_role("button", name="Muggins …")
    expect(page.locator("#todo")).to_have_text(re.compile("Play a card|anything"))
    if not call.is_visible():  # the computer, which deals, plays second
        page.locator("#hand button:enabled").first.click()
        page.keyboard.press("Enter")
    expect(call).to_be_visible()
    before = page.locator("#scores").text_content() or ""  # the cards are dealt by chance: somebody may have scored
    call.click()
    page.get_by_label("Points that the computer missed").fill("2")
    page.keyboard.press("Enter")
    expect(page.get_by_label("If the computer missed fewer than 2, it pegs all 2.")).to_have_value("2")
    expect(page.locator("#scores")).to_have_text(before)
    keep(page, "computer-muggins-cost")
    assert not findings(page)
    page.get_by_role("button", name="Call 2").click()
    expect(page.locator("#lines")).to_contain_text("two")
    expect(page.locator("#lines")).to_contain_text(re.compile("has not missed, and gives them away|takes two that"))
    stop(page)


def test_another_phone_is_told_who_plays(visit: Any, phone: Any, house: House) -> None:
    page = opened(phone, house, SIZES[0])
    page.get_by_role("button", name="Start").click()
    expect(page.locator("#todo")).to_contain_text("Choose two cards")
    other = phone(0, SIZES[0])
    other.goto(f"{house.address}/computer/1")
    expect(other.locator("#todo")).to_have_text("Another phone plays against the computer.")
    expect(other.locator("#hand button")).to_have_count(0)
    expect(other.get_by_role("button", name="Take back")).to_be_hidden()
    other.get_by_role("button", name="Stop this game").click()
    expect(other.locator("#dialog")).to_contain_text("Somebody is playing it on another phone.")
    assert not findings(other)
    other.get_by_role("button", name="Cancel").click()
    expect(page.locator("#todo")).to_contain_text("Choose two cards")
    stop(other)
    expect(page.get_by_role("button", name="Start")).to_be_visible()


def test_nobodys_phone_is_the_computer_and_a_new_game_elsewhere_is_asked_about(
    phone: Any, house: House, keep: Any
) -> None:
    one, other, third = phone(2, SIZES[0]), phone(2, SIZES[0]), phone(1, SIZES[0])
    mine = one.locator(".chip[data-mine]")
    expect(mine).to_contain_text("Blue")
    one.goto(f"{house.address}/computer/1")
    one.get_by_role("button", name="Start").click()
    expect(one.locator("#todo")).to_contain_text("Choose two cards")
    one.goto(f"{house.address}/score/1")
    expect(mine).to_contain_text("Orange")
    expect(mine).to_contain_text("You")
    keep(one, "computer-score")
    expect(third.locator(".chip[data-mine]")).to_contain_text("Orange")
    expect(other.locator(".chip").nth(1)).to_contain_text("Computer (learner)")
    expect(other.locator(".chip[data-mine]")).to_have_count(0)
    other.get_by_role("tab", name="More").click()
    other.get_by_role("button", name="New game …").click()
    other.get_by_role("button", name="Start", exact=True).click()
    expect(other.locator("#dialog")).to_contain_text("Orange is playing the computer. A new game ends that one.")
    assert not findings(other)
    keep(other, "computer-new-game")
    other.get_by_role("button", name="Leave it").click()
    assert house.get("/api/boards/1")["computer"]
    other.get_by_role("button", name="Names …").click()
    expect(other.locator("#field-name1")).to_have_count(0)
    other.locator("#field-name0").fill("Ada")
    other.get_by_role("button", name="Save", exact=True).click()
    expect(other.locator(".chip").first).to_contain_text("Ada")
    expect(other.locator(".chip").nth(1)).to_contain_text("Computer (learner)")
    other.get_by_role("button", name="New game …").click()
    expect(other.locator("#field-name1")).to_have_value("")
    other.get_by_role("button", name="Start", exact=True).click()
    other.get_by_role("button", name="Start it anyway").click()
    expect(one.locator(".chip[data-mine]")).to_contain_text("Blue")
    assert house.get("/api/boards/1")["computer"] is None


def test_a_game_that_is_on_is_not_ended_without_a_question(phone: Any, player: Player, house: House) -> None:
    page = opened(phone, house, SIZES[0])
    start = page.get_by_role("button", name="Start")
    place = start.bounding_box()
    player.begin("Ann", "Bob")
    player.do("peg", side=1, points=7)
    expect(page.locator("#ends")).to_contain_text(
        "Starting ends the game at this table, Ann 7 \u2013 Bob 0. To get it back: Keep score, then Undo."
    )
    assert start.bounding_box() == place
    page.get_by_role("button", name="Start").click()
    expect(page.locator("#dialog")).to_contain_text("A game is on at Table 1: Ann 7")
    assert not findings(page)
    page.get_by_role("button", name="Cancel").click()
    assert player.state["computer"] is None
    page.get_by_role("button", name="Start").click()
    page.locator("#dialog").get_by_role("button", name="Start").click()
    expect(page.locator("#todo")).to_contain_text("Choose two cards")
    stop(page)
    expect(page.locator("#begin")).to_be_visible()
    player.do("undo", rev=player.state["undo"]["rev"])
    assert [side["front"] for side in player.state["sides"]] == [7, 0], "as the page says"


def test_a_throw_is_taken_back_and_a_won_game_leads_to_its_choices_and_to_another_one(
    phone: Any, player: Player, house: House
) -> None:
    page = opened(phone, house, SIZES[0])
    page.get_by_role("button", name="Start").click()
    todo, wrong = page.locator("#todo"), page.locator("#wrong")
    expect(todo).to_contain_text("Choose two cards")
    for card in range(2):
        page.locator("#hand button").nth(card).click()
    page.get_by_role("button", name="Throw to the crib").click()
    expect(page.locator("#lines")).to_contain_text("discards two cards")
    page.get_by_role("button", name="Take back").click()
    expect(page.locator("#lines")).to_contain_text("Taken back: ")
    expect(todo).to_contain_text("Choose two cards")
    player.do("set", side=1, front=121)
    another = page.get_by_role("button", name="Another game")
    expect(page.get_by_role("link", name="What each choice cost")).to_have_attribute("href", re.compile(r"/game/\d+$"))
    page.context.set_offline(True)
    another.click()
    expect(wrong).to_contain_text("The kiosk does not answer.")
    page.context.set_offline(False)
    expect(wrong).to_be_hidden()
    another.click()
    expect(todo).to_contain_text("Choose two cards")
    assert [side["front"] for side in player.state["sides"]] == [0, 0]
    stop(page)
