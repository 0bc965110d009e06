"""What must not be covered, cut off or out of reach: upright and low screens, 200 %, long names, forced colours."""

from __future__ import annotations

import re
from typing import Any

import pytest
from browser.chromium import SCREEN, UPRIGHT, findings, read_larger
from browser.house import Player, wait_for
from playwright.sync_api import expect

LAPTOP = {"width": 1280, "height": 720}
LOW, LOWER = {"width": 740, "height": 360}, {"width": 568, "height": 320}
DOUBLED, DOUBLED_LOW = {"width": 180, "height": 370}, {"width": 370, "height": 180}  # phones at 200 %
LONGEST = "Wolfeschlegelsteinha"  # 20 letters
NEWS_BELOW = """document.querySelector("#said").getBoundingClientRect().bottom
  - document.querySelector("main").getBoundingClientRect().top"""
BEYOND = """() => [...document.querySelectorAll(".panel:not([hidden]) *, [role=tab]")]
  .filter(one => one.checkVisibility() && (one.getBoundingClientRect().right > innerWidth + 1
    || one.matches("[role=tab]") && one.scrollWidth > one.clientWidth))
  .map(one => one.outerHTML.slice(0, 80))"""
CUT = """wanted => [...document.querySelectorAll(wanted)]
  .filter(one => one.checkVisibility({visibilityProperty: true}) && !one.closest(".hide"))
  .filter(one => one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).overflow !== "visible"
    || one.scrollHeight > one.clientHeight + 2 && getComputedStyle(one).overflow !== "visible"
    || one.getBoundingClientRect().right > innerWidth + 1)
  .map(one => `${one.textContent} at ${one.className}`)"""
OVER = """([above, below]) => {
  const boxes = wanted => [...document.querySelectorAll(wanted)]
    .filter(one => one.checkVisibility({opacityProperty: true, visibilityProperty: true}))
    .map(one => [one.textContent, one.getBoundingClientRect()]).filter(([, box]) => box.width);
  return boxes(above).flatMap(([what, one]) => boxes(below)
    .filter(([, other]) => one.left < other.right - 1 && other.left < one.right - 1
      && one.top < other.bottom - 1 && other.top < one.bottom - 1)
    .map(([covered]) => `${what} over ${covered}`));
}"""


@pytest.mark.parametrize("size", [UPRIGHT, {"width": 720, "height": 1280}], ids=["1080", "720"])
def test_the_plays_words_are_not_under_the_code(visit: Any, player: Player, size: dict[str, int], keep: Any) -> None:
    player.begin(LONGEST, "Bob")
    player.do("starter", card="5D")
    for card in ("4H", "5C", "6S"):
        player.do("play", side=player.state["table"]["next"], card=card)
    page = visit("/table/1", size)
    page.locator("#join svg").wait_for()
    words = page.locator("#below .words")
    expect(words).to_contain_text("run")
    keep(page, f"layout-play-{size['width']}")
    assert page.evaluate(OVER, ["#join", "#below *"]) == []
    assert page.evaluate(OVER, ["#lying", "#below *"]) == []


@pytest.mark.parametrize("size", [SCREEN, LAPTOP, UPRIGHT], ids=["wide", "laptop", "upright"])
def test_the_tools_cover_neither_a_name_nor_a_score(
    visit: Any, player: Player, size: dict[str, int], keep: Any
) -> None:
    player.begin(LONGEST, "Bartholomew")
    page = visit("/table/1", size)
    page.locator(".panel").first.wait_for()
    page.mouse.move(50, 50)
    page.locator("#more").click()
    page.locator("#asks button").first.wait_for()
    wait_for(lambda: page.evaluate("getComputedStyle(document.getElementById('tools')).opacity") == "1")
    keep(page, f"layout-tools-{size['width']}")
    assert page.evaluate(OVER, [".tools button, .tools a", ".panel h2 span, .front, .standing"]) == []


@pytest.mark.parametrize("size", [SCREEN, LAPTOP, UPRIGHT], ids=["wide", "laptop", "upright"])
def test_the_longest_name_wins_in_full(visit: Any, player: Player, size: dict[str, int], keep: Any) -> None:
    player.begin("W" * 20, "Bob")
    player.do("set", side=1, front=119, back=100)
    page = visit("/table/1", size)
    page.locator(".panel").first.wait_for()
    player.do("peg", side=1, points=2)
    who = page.locator("#win .who span")
    expect(who).to_have_text(f"{'W' * 20} wins")
    keep(page, f"layout-win-{size['width']}")
    assert who.evaluate(
        "node => node.scrollWidth <= node.clientWidth + 1 && getComputedStyle(node).overflow == 'visible'"
    )
    box = who.bounding_box()
    assert box
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= size["width"]


def test_after_a_win_nobody_deals_and_nothing_waits(visit: Any, phone: Any, player: Player) -> None:
    player.begin("Ann", "Bob")
    player.do("set", side=1, front=119, back=100)
    page, screen = phone(2), visit("/table/1", SCREEN)
    expect(screen.locator(".panel").nth(1)).to_contain_text("Deals")
    page.locator("[data-points='7']").click()
    expect(screen.locator(".waiting")).to_have_text(re.compile(r"\+7 from phone \d+"))
    player.do("peg", side=1, points=2)
    expect(screen.locator("#win")).to_be_visible()
    for where in (screen.locator(".panel"), page.locator(".chip")):
        for seen in where.all():
            expect(seen).not_to_contain_text("Deals")
            expect(seen).not_to_contain_text("+")
    expect(page.locator("[data-points='7']")).to_have_attribute("aria-pressed", "false")


@pytest.mark.parametrize("size", [LOW, LOWER, DOUBLED, DOUBLED_LOW], ids=["740x360", "568x320", "180x370", "370x180"])
def test_every_number_card_and_button_is_in_reach(phone: Any, player: Player, size: dict[str, int], keep: Any) -> None:
    player.begin(LONGEST, "Bob")
    player.do("starter", card="5D")
    page = phone(1, size)
    keep(page, f"layout-phone-{size['width']}x{size['height']}")
    if size == LOW:
        expect(page.locator(".pad button").last).to_be_in_viewport(ratio=1)
        assert page.evaluate(OVER, [".commit, #foot", ".pad button"]) == [], "all of the pad is seen at once"
    for points in (1, 29):  # a tap fails where something else lies over it
        page.locator(f"[data-points='{points}']").click()
        page.locator("#panel-points .ok").click()
        expect(page.locator(".chip .front").first).to_contain_text(str(points if points == 1 else 30))
    page.locator("#tab-hand").click()
    for card in ("AS", "KD"):
        page.locator(f"#panel-hand [data-card='{card}']").click()
    page.locator("#tab-play").click()
    page.locator("#panel-play [data-card='QD']").click()
    expect(page.locator("#panel-play .running strong")).to_have_text("10")
    for height in (640, 661, 699, 700, 760, 819, 820) if size == LOW else ():  # where the keys' height changes
        page.set_viewport_size({"width": 360, "height": height})
        assert page.evaluate(OVER, ["#foot", "#panel-play .key"]) == [], height
    page.set_viewport_size({"width": 360, "height": 640})
    page.evaluate("document.documentElement.style.fontSize = '150%'")  # as a reader has chosen
    assert page.evaluate(NEWS_BELOW) <= 0
    page.evaluate("document.documentElement.style.fontSize = ''")
    for text in (24, 32) if size == LOW else ():
        read_larger(page, text)
        for tab in ("hand", "play", "points"):
            page.locator(f"#tab-{tab}").click()
            keep(page, f"layout-phone-{tab}-{text}")
            assert page.evaluate(BEYOND) == [], (tab, text)
    if size == LOW:
        read_larger(page, 16)
    page.set_viewport_size(size)
    page.locator("#tab-more").click()
    page.locator("#panel-more").get_by_role("button", name="Set a score").click()
    page.get_by_role("button", name="Cancel").click()
    assert page.evaluate("document.scrollingElement.scrollWidth") <= size["width"]
    assert not findings(page)


@pytest.mark.parametrize("size", [20, 24, 32])
def test_a_readers_own_larger_text_is_not_cut_off(phone: Any, player: Player, size: int, keep: Any) -> None:
    player.begin("Ann", "Bob")
    player.do("play", side=2, card="7H", again=True)
    player.do("play", side=1, card="8H", again=True)
    page = phone(1, {"width": 390, "height": 844} if size == 20 else None)
    read_larger(page, size)
    page.locator("#tab-play").click()
    expect(page.locator(".undo .undo")).to_contain_text("Ann pegs 2")
    keep(page, f"layout-text-{size}")
    assert page.evaluate(CUT, ".head h1, .undo .undo, .undo .undo *, .deal *, .go small, .tabs button") == []
    for tab in ("hand", "points", "more"):
        page.locator(f"#tab-{tab}").click()
        assert page.evaluate(CUT, f"#panel-{tab} :is(button, .slot)") == []


@pytest.mark.parametrize("scheme", ["dark", "light"])
def test_a_choice_is_seen_in_the_readers_own_colours(phone: Any, player: Player, scheme: str, keep: Any) -> None:
    page = phone(1, forced_colors="active", color_scheme=scheme)

    def ground(which: str) -> str:
        return str(page.locator(which).first.evaluate("node => getComputedStyle(node).backgroundColor"))

    page.locator("[data-points='7']").click()
    expect(page.locator("[data-points='7']")).to_have_attribute("aria-pressed", "true")
    keep(page, f"layout-forced-{scheme}")
    assert ground("[data-points='7']") != ground("[data-points='8']")
    assert ground(".chip[aria-pressed='true']") != ground(".chip[aria-pressed='false']")
    assert ground("#tab-points") != ground("#tab-hand")
    page.locator("#tab-hand").click()
    page.locator("#panel-hand [data-card='5H']").click()
    border = "node => getComputedStyle(node).borderTopStyle"
    taken, free = (page.locator(f"#panel-hand [data-card='{card}']").evaluate(border) for card in ("5H", "6H"))
    assert taken != free
    # the browser forces colours when it paints: axe sees those of before
    assert not [one for one in findings(page) if not one.startswith("color-contrast")]
