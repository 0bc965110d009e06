"""The television with one to four tables of two, three, four and six players: no text lies over another."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from browser.chromium import SCREEN, UPRIGHT
from browser.house import House, Player
from playwright.sync_api import Page, expect

SIZES = {"720p": {"width": 1280, "height": 720}, "1080p": SCREEN, "portrait": UPRIGHT}
NAMES = ["Ann", "Bartholomew", "Christopher", "Dee", "Ed", "Fran"]
RULES = {"counting": "manual", "muggins": True, "overcount": True, "tournament": True}
TABLES = 4
# As it looks when only the first tables are there; a letter takes the middle 64 % of its line.
OVER = """async (tables) => {
  const slots = [...document.querySelectorAll(".slot:not(#free)")];
  slots.forEach((slot, at) => { slot.hidden = at >= tables; });
  document.getElementById("main").dataset.slots = String(tables);
  for (let frame = 0; frame < 9; frame += 1) await new Promise(requestAnimationFrame); // words find their size
  const texts = [], problems = new Set();
  const meet = (one, other) => one.left < other.right - 1 && other.left < one.right - 1
    && one.top < other.bottom - 1 && other.top < one.bottom - 1;
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walk.nextNode(); node; node = walk.nextNode()) {
    const [words, one] = [node.textContent.trim(), node.parentElement];
    const seen = one.checkVisibility({ opacityProperty: true, visibilityProperty: true });
    if (!words || !seen || one.closest(".hide, dialog, script, #tools, svg")) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const { width, height, left, right, top, bottom } of range.getClientRects()) {
      if (width > 1) texts.push({ words, one, left, right, top: top + 0.18 * height, bottom: bottom - 0.18 * height });
    }
  }
  const cut = (one) => {
    for (let at = one; at.parentElement; at = at.parentElement) {
      if (getComputedStyle(at).textOverflow === "ellipsis" && at.clientWidth) return at.getBoundingClientRect();
    }
    return { left: 0, right: innerWidth };
  };
  for (const text of texts) {
    const { left, right } = cut(text.one);
    Object.assign(text, { left: Math.max(left, text.left), right: Math.min(right, text.right) });
  }
  for (const [at, text] of texts.entries()) {
    if (text.left < -1 || text.right > innerWidth + 1 || text.top < 0 || text.bottom > innerHeight) {
      problems.add(`${text.words} is off the screen`);
    }
    for (const other of texts.slice(at + 1)) {
      if (text.one !== other.one && meet(text, other)) problems.add(`${text.words} over ${other.words}`);
    }
    for (const drawn of text.one.closest(".slot")?.querySelectorAll(".join svg, .lying") ?? []) {
      const clear = drawn.contains(text.one) || !drawn.checkVisibility() || !meet(text, drawn.getBoundingClientRect());
      if (!clear) problems.add(`${text.words} over ${drawn.getAttribute("class") ?? "the code"}`);
    }
  }
  return [...problems];
}"""


@pytest.fixture(scope="module")
def open_house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    boards = tuple(f"screens{number}" for number in range(1, TABLES + 1))
    with House(tmp_path_factory.mktemp("screens") / "house", boards, ("--pub", "The Anchor", "--odds")) as house:
        yield house


def begun(player: Player, players: int) -> None:
    """Nobody has pegged, and the games before count."""
    player.do("new", names=NAMES[:players], target=121, teams=0, dealer=2, rules=RULES)
    player.do("set", side=1, front=119, back=100)
    player.do("peg", side=1, points=2)
    player.do("new", names=NAMES[:players], target=121, teams=0, dealer=2, rules=RULES)
    player.do("starter", card="5D")


def late(player: Player, players: int) -> None:
    """The dealer may be double-skunked, points wait, and a hand is counted."""
    player.do("new", names=NAMES[:players], target=121, teams=0, dealer=2, rules={})
    for side in range(1, players + 1):
        player.do("set", side=side, front=25 if side == 2 else 88 + side, back=10)
    hand = ["7H", "8C", "8S", "9D", "2C"] if players == 6 else ["7H", "8C", "8S", "9D"]
    player.do("hand", side=1, cards=hand, starter="5D")
    player.do("pend", side=2, points=9)


def asked(player: Player, players: int) -> None:
    """The next deal is asked for."""
    late(player, players)
    crib = ["TS", "JH", "QC", "KD", "AS"] if players == 6 else ["TS", "JH", "QC", "KD"]
    player.do("hand", side=2, cards=crib, crib=True)


@pytest.mark.parametrize("players", [2, 6, *(pytest.param(number, marks=pytest.mark.long) for number in (3, 4))])
def test_no_text_lies_over_another(visit: Any, player: Player, open_house: House, players: int, keep: Any) -> None:
    tables = [Player(open_house, number) for number in range(1, TABLES + 1)]
    wrong = []
    for stage in (begun, late, asked):
        for each in tables:
            stage(each, players)
        page: Page = visit("/screen", SCREEN)
        expect(page.locator(".stage:visible .join svg")).to_have_count(TABLES)
        for name, size in SIZES.items():
            page.set_viewport_size(size)
            for seen in range(1, TABLES + 1):
                where = f"{stage.__name__}, {name}, {seen} tables"
                wrong += [f"{where}: {one}" for one in page.evaluate(OVER, seen)]
            keep(page, f"screens-{stage.__name__}-{players}-{name}")
        page.close()
    assert not wrong, "\n".join(wrong)


def test_a_table_that_comes_back_has_its_words_at_their_size_at_once(
    visit: Any, player: Player, open_house: House
) -> None:
    for number in range(1, TABLES + 1):
        asked(Player(open_house, number), 4)
    page: Page = visit("/screen", SCREEN)
    expect(page.locator(".stage:visible .join svg")).to_have_count(TABLES)
    before, after = page.evaluate("""async () => {
      const slot = [...document.querySelectorAll(".slot:has(.words)")].at(-1);
      const words = slot.querySelector(".words");
      const frames = async () => { for (let at = 0; at < 9; at += 1) await new Promise(requestAnimationFrame); };
      await frames();
      const before = words.dataset.size;
      slot.hidden = true;
      await frames();
      const back = (done) => new MutationObserver(() => slot.hidden || done(words.dataset.size));
      return [before, await new Promise((done) => back(done).observe(slot, { attributeFilter: ["hidden"] }))];
    }""")
    assert before != "0", "the words must be too long for their largest size"
    assert after == before
    expect(page.locator("#announcer")).to_have_text("")
    page.context.set_offline(True)
    expect(page.locator(".trouble:visible strong")).to_have_text(["No connection to the kiosk"] * TABLES)
    expect(page.locator("#announcer")).to_contain_text("The kiosk does not answer.")
    expect(page.get_by_role("alert")).to_have_count(0)  # else it is heard once for each table
