"""What a bar puts on its wall: a board of wood, its own sign, the night, the end of a game, all tables at once."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from browser.chromium import PHONE, SCREEN, UPRIGHT, findings
from browser.house import House, Player, night
from playwright.sync_api import Page, expect

SCREEN_MM = 398.5  # the height of a screen of 32 inches
DIGIT = 0.716  # of the size of our fonts
NEEDED_MM = 11.6  # ten minutes of arc at 4 m
LOGO = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><circle cx="4" cy="4" r="4" fill="#c8963e"/></svg>'
NUMBERS = """() => [...document.querySelectorAll(".board text:not(.crib)")]
  .map(node => [node.textContent, parseFloat(getComputedStyle(node).fontSize)])"""  # at once: it may be drawn again
TOUCHING = """nodes => {
  const boxes = nodes.map(node => node.getBoundingClientRect());
  return boxes.flatMap((one, at) => boxes.slice(at + 1).filter(other =>
    one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom)).length;
}"""


def pub(folder: Path) -> House:
    (folder / "logo.svg").write_text(LOGO, encoding="utf-8")
    return House(
        folder / "house", ("one", "two"), ("--pub", "The Anchor", "--logo", str(folder / "logo.svg"), "--odds")
    )


@pytest.fixture(scope="module")
def open_house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with pub(tmp_path_factory.mktemp("pub")) as house:
        yield house


def win(player: Player, side: int = 1) -> None:
    """A game with a line: Bob is ahead, then Ann wins it."""
    player.begin("Ann", "Bob")
    player.do("peg", side=2, points=20)
    player.do("hand", side=1, cards=["5H", "5C", "5S", "JD"], starter="5D")
    player.do("set", side=side, front=119, back=100)
    player.do("peg", side=side, points=2)


def test_a_free_table_shows_how_to_begin_and_then_the_night(visit: Any, tmp_path: Path, keep: Any) -> None:
    with pub(tmp_path) as fresh:
        Player(fresh).begin("Ann", "Bob")
        page = visit(fresh.address + "/screen", SCREEN)
        expect(page.locator(".place")).to_have_count(1)
        expect(page.locator(".idle")).to_contain_text("Scan the code")
        night(fresh)
        page = visit(fresh.address + "/screen", SCREEN)
        expect(page.locator(".place")).to_have_count(1)
        expect(page.locator(".place .code")).to_have_text(fresh.get("/api/boards/2/invite")["code"])
        expect(page.locator(".leaders li").first).to_contain_text("1Ann1 of 2 won")
        expect(page.locator(".feat").first).to_contain_text("29")
        assert not findings(page)
        keep(page, "screen-one-free")


def test_hole_numbers_are_read_from_4_m(visit: Any, player: Player, open_house: House) -> None:
    player.begin("Ann", "Bob")
    Player(open_house, 2).begin("Cid", "Dee")
    for path, size, boards in (("/table/1", SCREEN, 1), ("/table/1", UPRIGHT, 1), ("/screen", SCREEN, 2)):
        page = visit(path, size)
        expect(page.locator(".board text:not(.crib)")).to_have_count(24 * boards)
        for words, pixels in page.evaluate(NUMBERS):
            assert pixels * DIGIT * SCREEN_MM / 1080 >= NEEDED_MM, words
        assert not page.locator(".board text").evaluate_all(TOUCHING)


def test_a_trail_leads_to_each_front_peg(visit: Any, player: Player) -> None:
    player.begin("Ann", "Bob")
    player.do("peg", side=1, points=12)
    player.do("set", side=2, front=85, back=60)
    page = visit("/table/1", SCREEN)
    for colour in ("orange", "blue"):
        trail = page.locator(f".trails .trail[data-colour='{colour}']").get_attribute("d")
        ring = page.locator(f".rings .front[data-colour='{colour}']").get_attribute("transform")
        end = trail.replace("A", "L").split("L")[-1].split(" ")[-1].split(",")
        assert ring.startswith(f"translate({end[0]} {end[1]})")
    assert "A" in page.locator(".trails .trail[data-colour='blue']").get_attribute("d")  # round the ends of the streets
    expect(page.locator(".board title")).to_contain_text("front peg in 85")


def test_the_houses_sign_and_the_clock_are_on_the_screen(visit: Any, player: Player) -> None:
    page = visit("/table/1", SCREEN)
    expect(page.locator(".pub")).to_have_text("The Anchor")
    assert page.locator(".pub img").evaluate("image => image.decode().then(() => image.naturalWidth)")
    assert page.locator(".clock").inner_text() == page.evaluate(
        "new Date().toLocaleTimeString(undefined, {hour: 'numeric', minute: '2-digit'})"
    )


def test_a_light_screen_is_chosen_there_and_remembered(visit: Any, player: Player, keep: Any) -> None:
    player.begin("Ann", "Bob")
    page = visit("/table/1", SCREEN)
    page.locator(".panel").first.wait_for()
    dark = page.evaluate("getComputedStyle(document.body).backgroundColor")
    page.mouse.move(50, 50)
    page.get_by_role("button", name="Light").click()
    page.reload()
    page.locator("#join svg").wait_for()
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") != dark
    keep(page, "table-light")
    assert not findings(page)
    win(player)
    page.locator("#win").wait_for()
    assert not findings(page)


def test_the_end_of_a_game_is_told_and_one_tap_begins_the_next(visit: Any, player: Player, keep: Any) -> None:
    page = visit("/table/1", SCREEN)
    win(player)
    page.locator("#win").click()
    line = page.get_by_role("img", name="The lead changed once; the widest was 101, for Ann.")
    expect(line).to_be_visible()
    expect(page.locator(".ending .holes :visible")).to_have_text(["30", "60", "90"])  # its scale
    above, below = (page.locator(part).bounding_box() for part in (".rematch", ".stage > .join"))
    assert above["y"] + above["height"] <= below["y"] + 1
    expect(page.locator(".ending")).to_contain_text("Best hand29Ann")
    expect(page.locator(".ending")).to_contain_text("Biggest swing121Annfrom 20 behind to 101 ahead")
    keep(page, "table-ending")
    assert not findings(page)
    page.get_by_role("button", name="Rematch").click()
    expect(page.locator(".ending")).to_be_hidden()
    state = player.state
    assert [side["name"] for side in state["sides"]] == ["Ann", "Bob"]
    assert [side["front"] for side in state["sides"]] == [0, 0]


def test_a_house_that_wants_it_shows_the_chance_to_win(visit: Any, player: Player, keep: Any) -> None:
    page = visit("/table/1", SCREEN)
    player.begin("Ann", "Bob")
    expect(page.locator(".odds p").first).to_have_text("44 %to win56 %")
    said = "The chance to win, by the scores and the deal: Ann 44 %, Bob 56 %."
    expect(page.locator(".odds .hide")).to_have_text(said)
    player.do("set", side=1, front=100, back=90)
    player.do("deal", place=1)
    expect(page.locator(".odds .hide")).to_contain_text("Ann 99 %, Bob 1 %")
    player.do("set", side=2, front=95, back=90)
    keep(page, "table-odds")
    assert not findings(page)
    player.do("deal", place=2)
    player.do("set", side=1, front=119, back=100)
    player.do("peg", side=1, points=2)
    page.locator("#win").click()
    expect(page.locator(".ending")).to_contain_text("Lowest chance to win44 %Ann")
    expect(page.locator(".ending .chance")).to_be_visible()
    keep(page, "table-odds-ending")
    assert not findings(page)


def test_every_phone_begins_the_next_game_too(phone: Any, player: Player, keep: Any) -> None:
    win(player)
    loser, winner = phone(2), phone(1, PHONE)
    expect(loser.locator("#over")).to_be_visible()
    keep(winner, "phone-rematch")
    assert not findings(winner)
    winner.clock.install()
    winner.clock.fast_forward(1000)  # a button that has just come does nothing yet
    winner.get_by_role("button", name="Rematch").click()
    for page in (winner, loser):
        expect(page.locator("#over")).to_be_hidden()
    assert player.state["winner"] is None


def test_two_tables_are_side_by_side_and_a_win_takes_over(
    visit: Any, player: Player, open_house: House, keep: Any
) -> None:
    other = Player(open_house, 2)
    player.begin("Ann", "Bob")
    other.begin("Cid", "Wwwwwwwwwwwwwwwwwwww")
    page: Page = visit("/screen", SCREEN)
    stages = page.locator(".stage:visible")
    expect(stages).to_have_count(2)
    left, right = (stages.nth(at).bounding_box() for at in (0, 1))
    assert left
    assert right
    assert left["x"] + left["width"] <= right["x"]
    assert min(left["height"], right["height"]) > 0.9 * SCREEN["height"]
    for at in (0, 1):
        code = open_house.get(f"/api/boards/{at + 1}/invite")["code"]
        expect(stages.nth(at).locator(".code")).to_have_text(code)
    keep(page, "screen-two")
    assert not findings(page)
    page.clock.install()
    other.do("set", side=1, front=119, back=100)
    other.do("peg", side=1, points=2)
    expect(page.locator("#win")).to_contain_text("Table 2")
    expect(page.locator("#win")).to_contain_text("Cid wins")
    page.clock.run_for(5_000)
    expect(page.locator("#win")).to_be_visible()
    page.clock.run_for(5_100)
    expect(page.locator("#win")).to_be_hidden()


def test_three_players_use_the_full_width(visit: Any, player: Player) -> None:
    player.begin("Mirabel", "Bob", "Christopher")
    player.do("set", side=2, front=94, back=90)
    page = visit("/table/1", SCREEN)
    boxes = [page.locator(".panel").nth(at).bounding_box() for at in range(3)]
    assert boxes[0]["x"] < 0.03 * SCREEN["width"]
    assert boxes[2]["x"] + boxes[2]["width"] > 0.97 * SCREEN["width"]
    assert len({round(box["y"]) for box in boxes}) == 1
    assert len({round(box["width"]) for box in boxes}) == 1


@pytest.mark.parametrize("size", [{"width": 1280, "height": 720}, SCREEN, UPRIGHT], ids=["720p", "1080p", "upright"])
def test_a_screen_says_that_the_history_is_not_written(
    visit: Any, silent_house: House, keep: Any, size: dict[str, int]
) -> None:
    player = Player(silent_house)
    player.begin("Ann", "Bob")
    player.do("peg", side=1, points=5)
    for path in ("/table/1", "/screen"):
        page = visit(silent_house.address + path, size)
        notice = page.locator(".house-notice")
        expect(notice).to_have_text(
            "The history is not being written; play goes on, and what happens is added to it later. Tell the staff."
        )
        expect(page.locator(".panel .front").first).to_contain_text("5")
        parts = ".house .clock, .house-notice, .panel .who, .panel .front, .middle, .below .words, .join"
        assert page.eval_on_selector_all(parts, TOUCHING) == 0
        assert not findings(page)
        keep(page, f"screen-unwritten-{path.strip('/').replace('/', '-')}-{size['width']}")


@pytest.fixture(scope="module")
def silent_house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """Its database is away from the start."""
    away = ("--database", "postgresql://landlord@127.0.0.1:9/cribboard")
    with House(tmp_path_factory.mktemp("silent") / "house", options=away) as house:
        yield house
