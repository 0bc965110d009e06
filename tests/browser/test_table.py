"""The bar's screen: what it shows of a game, in every shape of screen."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from browser.chromium import SCREEN, UPRIGHT
from browser.house import House, Player
from playwright.sync_api import Page, expect

LEAST_PX = 34  # of 1080: letters of 9 mm on a screen of 24 inches
MATTERS_PX = 48  # capitals of 10 mm there, of 17 mm on 43 inches; at five metres a good eye needs 7

OUTSIDE = """[...document.querySelectorAll('.panel *, .middle *, #below *, #join *')].filter(node => {
  const box = node.getBoundingClientRect();
  return box.width && !node.closest('.hide')
    && (box.left < -1 || box.top < -1 || box.right > innerWidth + 1 || box.bottom > innerHeight + 1);
}).map(node => node.className + node.textContent)"""
# The drawn board takes its new size in the frame after the words beside it changed.
OVERLAPS = """(async () => {
  for (let frame = 0; frame < 2; frame += 1) await new Promise(later => requestAnimationFrame(later));
  const around = id => {
    const seen = [...document.querySelectorAll(`#${id} *`)]
      .filter(one => !one.closest('.hide') && one.checkVisibility({visibilityProperty: true}))
      .map(one => one.getBoundingClientRect()).filter(box => box.width);
    return { id, left: Math.min(...seen.map(box => box.left)), top: Math.min(...seen.map(box => box.top)),
      right: Math.max(...seen.map(box => box.right)), bottom: Math.max(...seen.map(box => box.bottom)) };
  };
  const boxes = ['scores', 'lying', 'below', 'join'].map(around);
  return boxes.flatMap((one, at) => boxes.slice(at + 1)
    .filter(other => one.left < other.right - 2 && other.left < one.right - 2
      && one.top < other.bottom - 2 && other.top < one.bottom - 2)
    .map(other => `${one.id} over ${other.id}`));
})()"""

CUT = """[...document.querySelectorAll('.panel')].flatMap(panel =>
  [...panel.querySelectorAll('h2 span, .tag')].filter(node =>
    node.scrollWidth > node.clientWidth + 1 && getComputedStyle(node).display !== 'inline'
    || node.getBoundingClientRect().right > panel.getBoundingClientRect().right + 2).map(node => node.textContent)
).concat([...document.querySelectorAll('#below .words')].filter(node =>
  node.scrollHeight > node.clientHeight + 1 || node.scrollWidth > node.clientWidth + 1).map(node => node.className))"""
NAMES = ("Mirabel", "Bob", "Christopher", "Dee", "Ed", "Fran")


@pytest.fixture
def screen(visit: Any, player: Player) -> Page:
    player.begin("Ann", "Bob")
    page = visit("/table/1", SCREEN)
    page.locator(".panel").first.wait_for()
    return page


def panel(page: Page, name: str) -> Any:
    return page.locator(".panel", has=page.get_by_role("heading", name=name))


def test_scores_lead_and_dealer(screen: Page, player: Player) -> None:
    dealer = player.state["dealer"]["name"]
    player.do("peg", side=1, points=12)
    player.do("peg", side=2, points=7)
    expect(panel(screen, "Ann").locator(".front")).to_have_text("12")
    expect(panel(screen, "Bob").locator(".front")).to_have_text("7")
    expect(screen.locator(".standing")).to_have_text("Ann leads by 5")
    other = "Bob" if dealer == "Ann" else "Ann"
    expect(panel(screen, dealer)).to_contain_text("Deals")
    expect(panel(screen, other)).not_to_contain_text("Deals")
    player.do("deal")
    expect(panel(screen, other)).to_contain_text("Deals")
    expect(panel(screen, dealer)).not_to_contain_text("Deals")


def test_points_that_wait_are_shown(screen: Page, player: Player) -> None:
    player.do("pend", side=1, points=9)
    expect(panel(screen, "Ann").locator(".waiting")).to_have_text(re.compile(r"\+9 from phone \d+"))


def test_the_last_count_with_its_cards_and_words(screen: Page, player: Player) -> None:
    player.do("hand", side=2, cards=["5H", "5C", "5S", "JD"], starter="5D")
    below = screen.locator("#below")
    expect(below).to_contain_text("29")
    expect(below.locator(".card")).to_have_count(5)
    expect(below.locator(".words")).to_contain_text("for twenty-nine")
    words = below.locator(".words").evaluate(
        "node => [node.scrollHeight, node.clientHeight, node.scrollWidth, node.clientWidth]"
    )
    assert words[0] <= words[1] + 1, "the words do not fit"
    assert words[2] <= words[3] + 1, "the words do not fit"


def test_the_play_takes_its_place(screen: Page, player: Player) -> None:
    player.do("play", side=1, card="7H")
    player.do("play", side=2, card="8S")
    expect(screen.locator("#below .figure-large")).to_have_text("15")
    expect(screen.locator("#below")).to_contain_text("fifteen for two")


@pytest.mark.parametrize("size", [(1920, 1080), (1080, 1920), (1024, 768), (768, 1024)], ids=str)
@pytest.mark.parametrize(("cards", "count"), [(3, 4), (9, 19)])
def test_the_play_names_its_count_and_the_starter_lies_on_one_line_with_the_cards(
    visit: Any, player: Player, size: tuple[int, int], cards: int, count: int, keep: Any
) -> None:
    player.do("new", names=["Ann", "Bob", "Cy"], target=121, dealer=3)
    player.do("starter", card="5D")
    for at, card in enumerate(["2S", "AH", "AD", "AS", "2H", "3D", "AC", "4S", "4H"][:cards]):
        player.do("play", side=at % 3 + 1, card=card)
    page = visit("/table/1", {"width": size[0], "height": size[1]})
    expect(page.locator("#below .running")).to_have_text(f"Count{count}")
    keep(page, f"play-{cards}-{size[0]}")
    boxes = [card.bounding_box() for card in page.locator("#below .card").all()]
    assert len(boxes) == cards + 1
    for edge in ("y", "height"):
        assert max(box[edge] for box in boxes) - min(box[edge] for box in boxes) <= 2, edge
    labels = [label.bounding_box()["y"] for label in page.locator("#below .muted").all()]
    assert len(labels) == 2 and abs(labels[0] - labels[1]) <= 3, "Count and Starter"
    assert not page.evaluate(OUTSIDE) and not page.evaluate(OVERLAPS) and not page.evaluate(CUT)


def test_the_starter_is_there_before_anything_is_counted(screen: Page, player: Player) -> None:
    player.do("starter", card="JD")
    expect(screen.locator("#below .cut").get_by_role("img", name="jack of diamonds")).to_be_visible()
    player.do("play", side=1, card="7H")
    expect(screen.locator("#below .cut").get_by_role("img", name="jack of diamonds")).to_be_visible()


def test_below_is_what_was_counted_last_and_after_it_what_else_happened(screen: Page, player: Player) -> None:
    below = screen.locator("#below")
    lead = 3 - player.state["dealer"]["side"]
    for at, card in enumerate(["KH", "QS", "AC", "TD"]):
        player.do("play", side=lead if at % 2 == 0 else 3 - lead, card=card)
    expect(below).to_contain_text("thirty-one for two")
    player.do("hand", side=1, cards=["5H", "5C", "5S", "JD"], starter="5D", again=True)
    expect(below).to_contain_text("for twenty-nine")
    player.do("penalty", side=1, points=3)
    expect(below).to_contain_text("Bob pegs 3 for an error by Ann")
    player.do("hand", side=2, cards=["2H", "3H", "4H", "6D"], again=True)
    player.do("deal")
    expect(below.locator(".whose")).to_contain_text("Bob")
    player.do("starter", card="9C")
    expect(below.locator(".cut").get_by_role("img", name="nine of clubs")).to_be_visible()
    expect(below.locator(".whose")).to_have_count(0)


@pytest.mark.parametrize("size", [SCREEN, UPRIGHT], ids=str)
def test_an_answer_is_read_on_the_screen_and_goes(visit: Any, player: Player, size: dict[str, int], keep: Any) -> None:
    player.begin("Ann", "Bob")
    player.do("peg", side=1, points=5)
    page = visit("/table/1", size)
    page.locator(".panel").first.wait_for()
    page.clock.install()
    for ask in (
        lambda: page.keyboard.press("s"),
        lambda: page.get_by_role("button", name="What is the score?", exact=True).click(),
    ):
        page.mouse.move(30, 30)
        if page.locator("#asks").is_hidden():
            page.get_by_role("button", name="Info").click()
        ask()
        said = page.locator("#said")
        expect(said).to_contain_text("Ann leads by 5")
        box = said.bounding_box()
        assert box and box["height"] > 40 and box["x"] >= 0 and box["y"] + box["height"] <= size["height"]
        keep(page, f"table-asked-{size['width']}")
        page.clock.run_for(12_100)
        box = said.bounding_box()
        assert box and box["height"] < 2


def test_a_side_in_danger_is_warned(screen: Page, player: Player) -> None:
    player.do("set", side=1, front=100, back=90)
    player.do("set", side=2, front=57, back=50)
    expect(panel(screen, "Bob").locator(".warned")).to_have_text("4 to save the double skunk")
    player.do("set", side=2, front=70, back=60)
    expect(panel(screen, "Bob").locator(".warned")).to_have_text("21 to save the skunk")


def test_a_win_is_a_moment_and_then_the_game_stands(screen: Page, player: Player, keep: Any) -> None:
    won = player.state["sides"][0]["won"] + 1
    player.do("set", side=1, front=120, back=110)
    player.do("peg", side=1, points=1)
    win = screen.locator("#win")
    expect(win).to_be_visible()
    expect(win).to_contain_text("Ann wins")
    expect(win).to_contain_text("Double skunk")
    keep(screen, "table-win")
    win.click()
    expect(win).not_to_be_visible()
    expect(screen.locator("#below")).to_contain_text("Ann wins with 121")
    expect(screen.locator(".match")).to_contain_text(f"Games {won} \u2013")
    screen.reload()
    expect(screen.locator("#below")).to_contain_text("Ann wins")
    expect(win).not_to_be_visible()


def test_motion_is_only_for_those_who_like_it(visit: Any, player: Player) -> None:
    player.begin("Ann", "Bob")
    pages = {motion: visit("/table/1", SCREEN, motion=motion) for motion in ("reduce", "no-preference")}
    for page in pages.values():
        page.locator(".panel").first.wait_for()
    player.do("set", side=1, front=120, back=110)
    player.do("peg", side=1, points=1)
    for motion, page in pages.items():
        expect(page.locator("#win")).to_be_visible()
        moving = page.evaluate("document.getAnimations().length")
        assert (moving > 0) == (motion == "no-preference")


def test_the_board_is_drawn_from_the_true_frame(screen: Page, player: Player) -> None:
    player.do("peg", side=1, points=10)
    lights = screen.locator("#board .lights circle")
    expect(lights.nth(9)).to_have_attribute("visibility", "visible")
    expect(lights.nth(8)).to_have_attribute("visibility", "hidden")
    tracks = screen.evaluate("fetch('/api/boards/1/drawing').then(answer => answer.json())")["tracks"]
    assert lights.count() == sum(map(len, tracks))
    across = [float(lights.nth(at).get_attribute("cx") or 0) for at in (0, 9, 39)]
    first, tenth, last = (tracks[0][at][0] for at in (0, 9, 39))
    assert (across[1] - across[0]) / (across[2] - across[0]) == pytest.approx(
        (tenth - first) / (last - first), abs=0.01
    )
    assert (lights.nth(9).get_attribute("fill") or "").startswith("rgb(255,")  # orange: all of its red, no blue
    expect(screen.locator("#board title")).to_contain_text("front peg in 10")
    game_holes = screen.locator("#board .lights [data-mark='game']")  # outlines: no peg is there
    expect(game_holes).to_have_count(len(tracks))
    expect(game_holes.first).to_have_css("fill", "none")
    expect(screen.locator("#board .lights [data-grey]:visible")).to_have_count(0)


def test_the_code_to_join_is_on_the_houses_own_screen(screen: Page, house: House) -> None:
    expect(screen.get_by_role("img", name="QR code that joins this table")).to_be_visible()
    code = house.get("/api/boards/1/invite")["code"]
    expect(screen.locator("#join .code")).to_have_text(code)


@pytest.mark.parametrize("size", [SCREEN, UPRIGHT], ids=["wide", "upright"])
def test_it_is_readable_at_five_metres(visit: Any, player: Player, size: dict[str, int]) -> None:
    player.begin("Ann", "Bob")
    player.do("hand", side=2, cards=["5H", "5C", "5S", "JD"], starter="5D")
    page = visit("/table/1", size)
    page.locator("#below .words").wait_for()
    sizes = page.evaluate(
        """[...document.querySelectorAll('#main *')].filter(node => node.checkVisibility()
             && [...node.childNodes].some(child => child.nodeType === 3 && child.textContent.trim())
             && !node.closest('.hide, svg'))
           .map(node => [parseFloat(getComputedStyle(node).fontSize), node.textContent])"""
    )
    small = [one for one in sizes if one[0] < LEAST_PX * 0.85]
    assert not small
    player.do("hand", side=1, cards=["4H", "6C", "6S", "6D"], starter="5D")
    expect(page.locator("#below .whose")).to_contain_text("Ann")
    for what in (".words", ".standing", ".tag", ".panel h2"):
        assert page.locator(what).first.evaluate("node => parseFloat(getComputedStyle(node).fontSize)") >= MATTERS_PX
    assert page.locator(".front").first.evaluate("node => parseFloat(getComputedStyle(node).fontSize)") >= 200


@pytest.mark.parametrize(
    ("players", "teams"),
    [(2, 0), (4, 2), (6, 3), *(pytest.param(sides, 0, marks=pytest.mark.long) for sides in (3, 4, 5, 6))],
)
def test_nothing_is_cut_off(visit: Any, player: Player, players: int, teams: int, keep: Any) -> None:
    player.do("new", names=NAMES[:players], target=121, teams=teams, dealer=2)
    for side in player.state["sides"]:
        front = {1: 94, 2: 15}.get(side["side"], 50 + 7 * side["side"])
        player.do("set", side=side["side"], front=front, back=5)  # all but the first may be skunked, the second doubly
    player.do("hand", side=1, cards=["4H", "5C", "5S", "6D"] + (["6C"] if players == 6 else []), starter="5D")
    page = visit("/table/1", SCREEN)
    for size in (SCREEN, UPRIGHT, {"width": 1024, "height": 768}):
        page.set_viewport_size(size)
        page.reload()
        page.locator("#join svg").wait_for()
        page.wait_for_timeout(200)
        keep(page, f"table-{players}-{teams}-{size['width']}x{size['height']}")
        assert not page.evaluate(OUTSIDE), size
        assert not page.evaluate(OVERLAPS), size
        assert not page.evaluate(CUT), size


def test_it_dims_when_nobody_has_played_for_a_while(visit: Any, player: Player, house: House, keep: Any) -> None:
    player.begin("Ann", "Bob")
    page = visit("/table/1", SCREEN)
    page.locator(".panel").first.wait_for()
    assert page.locator("body[data-dim]").count() == 0
    dim = {**player.state, "idle": {"since": "2026-01-01T20:15:00Z", "dim": True}}
    news = f"event: state\ndata: {json.dumps(dim)}\n\n"
    page.route("**/live?frames=1*", lambda route: route.fulfill(content_type="text/event-stream", body=news))
    page.reload()
    page.locator("body[data-dim]").wait_for()
    expect(page.locator("#idle")).to_be_visible()
    expect(page.locator("#table")).to_be_hidden()
    keep(page, "table-dim")
