"""Nothing that a finger aims at moves because of what others do: every target, in every picture of a whole deal."""

from __future__ import annotations

import re
from contextlib import suppress
from typing import Any
from urllib.error import HTTPError

import pytest
from browser.chromium import PHONE
from browser.house import House, Player, wait_for
from browser.test_here import Staff
from playwright.sync_api import Page, expect

TABLET, ASIDE, LOW = {"width": 820, "height": 1180}, {"width": 1180, "height": 820}, {"width": 740, "height": 360}
SIZES = {"phone": PHONE, "low": LOW, "tablet": TABLET, "tablet-aside": ASIDE}
LONG = dict.fromkeys(("low", "tablet", "tablet-aside"), pytest.mark.long)
TABS = ("points", "hand", "play", "ask", "more")
RULES = {"counting": "manual", "muggins": True, "time_limit": 45}
PLAY = [(1, "7H"), (2, "8S"), (1, "KD"), (2, "6D"), (1, "5C"), (2, "QS"), (1, "2H"), (2, "AS")]
# Looks at each picture that the page draws. A target is known by its place in the page, not by its words, which change.
WATCH = """() => {
  const seen = new Map(), wrong = new Set();
  const wanted = "a, button, input, select, textarea, summary, label.check";
  const name = (one) => {
    const { card, key, points } = one.dataset;
    const own = one.id || (card ?? key ?? points);
    const inside = one.parentElement.closest("[id]")?.id ?? "";
    if (own) return `${inside}: ${own}`;
    const steps = [];
    for (let at = one; !at.id && at !== document.body; at = at.parentElement) {
      steps.unshift([...at.parentElement.children].indexOf(at));
    }
    return `${inside}: ${one.localName} ${steps.join(".")}`;
  };
  const box = (one) => {
    const { left, top, right, bottom } = one.getBoundingClientRect();
    return [left, top, right, bottom];
  };
  const reached = (one) => { // what of it is not scrolled away
    const [left, top, right, bottom] = box(one);
    const [, above, , below] = box(one.closest("main") ?? document.documentElement);
    return [left, Math.max(top, above), right, Math.min(bottom, below)];
  };
  const meet = ([left, top, right, bottom], other) =>
    left < other[2] - 1 && other[0] < right - 1 && top < other[3] - 1 && other[1] < bottom - 1;
  const says = (place) => place.map((edge) => edge.toFixed(1)).join(" ");
  const look = () => {
    for (const one of document.querySelectorAll(wanted)) {
      const place = box(one);
      const drawn = one.checkVisibility({ visibilityProperty: true });
      const gone = !drawn || one.closest("dialog, .hide") || place[0] === place[2];
      if (gone) continue;
      const what = name(one);
      const before = seen.get(what);
      if (before) {
        const moved = before.box.some((edge, at) => Math.abs(edge - place[at]) > 0.5);
        if (moved) wrong.add(`${what} moves from ${says(before.box)} to ${says(place)}`);
        continue;
      }
      const now = { one, box: place, reached: reached(one) };
      for (const [other, was] of seen) {
        const within = was.one.contains(one) || one.contains(was.one);
        if (!within && meet(now.reached, was.reached)) wrong.add(`${what} comes where ${other} was`);
      }
      seen.set(what, now);
    }
  };
  window.watched = () => [[...wrong], seen.size];
  const again = () => { look(); requestAnimationFrame(again); };
  again();
}"""


def deal(player: Player, house: House) -> None:
    """All that others do in a deal, and what comes between."""
    staff = Staff(house)
    player.do("starter", card="JC")
    player.do("nibs", side=2)
    player.do("pend", side=1, points=9)
    player.do("pend", side=1, points=0)
    staff.post("/api/boards/1/lock", {"locked": True})
    Player(house)  # a newcomer, who has to wait until somebody lets them in
    for side, card in PLAY:
        player.do("play", side=side, card=card, again=True, claim=0)
        if card == "6D":
            player.do("go", side=2)
    player.do("undo", rev=player.state["undo"]["rev"])
    player.do("redo", rev=player.state["redo"]["rev"])
    player.do("hand", side=1, cards=["7H", "KD", "5C", "2H"], claim=0)
    player.do("hand", side=2, cards=["8S", "6D", "QS", "AS"], claim=0)
    player.do("hand", side=2, cards=["3H", "3C", "4S", "9D"], crib=True, claim=2)
    player.do("muggins", side=1, **{"from": 2}, points=2)
    staff.post("/api/boards/1/lock", {"locked": False})
    player.do("deal")
    for points in (20, 20, 11):
        player.do("peg", side=1, points=points)
    player.do("peg", side=2, points=1)  # the points of two deals, and nobody has said that the deal passed
    player.do("deal", place=1)
    player.do("set", side=1, front=119, back=100)
    player.do("peg", side=2, points=3)


@pytest.mark.parametrize(
    "size", [pytest.param(size, id=name, marks=LONG.get(name, ())) for name, size in SIZES.items()]
)
def test_no_target_moves_over_a_whole_deal(phone: Any, player: Player, house: House, size: dict[str, int]) -> None:
    player.begin("Wolfeschlegelsteinha", "Bob", rules=RULES)
    pages: list[Page] = [phone(side % 3, size) for side in range(5)]  # Ann's, Bob's, and some of the whole table
    for page, tab in zip(pages, TABS, strict=True):
        page.locator(f"#tab-{tab}").click()
    pages[1].locator("#panel-hand [data-card='TD']").click()  # somebody begins a hand
    for page in pages:
        page.evaluate(WATCH)
    deal(player, house)
    last = str(player.state["sides"][1]["front"])
    for page, tab in zip(pages, TABS, strict=True):
        expect(page.locator(".chip .front").nth(1)).to_have_text(last)
        moved, targets = page.evaluate("watched()")
        assert targets > 15
        assert moved == [], (tab, "\n".join(moved))


def test_a_tap_that_was_on_its_way_to_muggins_begins_no_rematch(phone: Any, player: Player) -> None:
    player.begin("Ann", "Bob")
    page = phone(1)
    page.clock.install()
    page.clock.pause_at(page.evaluate("Date.now() / 1000 + 1"))
    player.do("set", side=1, front=119, back=100)
    player.do("peg", side=1, points=2)
    page.get_by_role("button", name="Rematch").click()
    page.clock.run_for(1000)
    assert not page.evaluate("document.body.hasAttribute('data-busy')")
    page.get_by_role("button", name="Rematch").click()
    wait_for(lambda: player.state["winner"] is None)


def test_no_target_of_the_staffs_moves_until_they_ask_for_what_is_new(visit: Any, player: Player, house: House) -> None:
    pages: list[Page] = []
    for width in (390, 768, 1280):
        page = visit("/staff", {"width": width, "height": 5000})  # all of it is seen
        page.get_by_label("PIN").fill(house.pin)
        page.get_by_role("button", name="Enter").click()
        page.locator("#players table, #players .empty").wait_for()
        page.locator("#here summary").wait_for()
        page.evaluate(WATCH)
        pages.append(page)
    joker = Player(house)
    joker.post("/api/me", {"name": "Wolfeschlegelsteinha", "side": 2})
    boss = Staff(house)
    boss.post("/api/boards/1/lock", {"locked": True})
    Player(house)  # has to wait
    for _ in range(4):
        player.do("peg", side=1, points=6, again=True)
        with suppress(HTTPError):
            joker.do("undo", rev=joker.state["undo"]["rev"], own=2)
    waits = re.compile(r"waiting at Table 1.*Wolfeschlegelsteinha is at Table 1.*Table 1 is locked")
    for page in pages:
        news = page.locator("#news")
        expect(news).to_contain_text(waits)
        expect(news).to_contain_text("wants to take back")
        moved, targets = page.evaluate("watched()")
        assert targets > 15
        assert moved == [], "\n".join(moved)
        page.get_by_role("button", name="Show", exact=True).click()
        expect(page.locator("#here")).to_contain_text("Wolfeschlegelsteinha")
        expect(page.get_by_role("button", name="Yes, undo it")).to_be_visible()
        expect(news).to_be_empty()
    boss.post("/api/boards/1/lock", {"locked": False})
    boss.post("/api/leave", {})
