"""The pages to read: leaderboard, players, a game again, and what the staff see; none of these tests changes them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from browser.chromium import LAPTOP, PHONE, findings
from browser.house import House, Player, game, night, wait_for
from playwright.sync_api import Page, expect


@pytest.fixture(scope="module")
def night_house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with House(tmp_path_factory.mktemp("night") / "house") as one:
        night(one)
        yield one


@pytest.fixture
def house(night_house: House) -> House:
    return night_house


def test_the_start_page_has_the_tables(visit: Any) -> None:
    page = visit("/", PHONE)
    expect(page.locator(".place")).to_contain_text("Bob leads by 3. Game to 121.")
    expect(page.get_by_role("link", name="Play the computer at Table 1")).to_have_attribute("href", "/computer/1")
    page.get_by_role("link", name="Keep score at Table 1").click()
    expect(page.get_by_role("heading", name="Join Table 1")).to_be_visible()


def test_the_leaderboard_has_acc_points_of_each_time(visit: Any) -> None:
    page = visit("/history", LAPTOP)
    rows = page.locator("#board tbody tr")
    expect(rows).to_have_count(2)
    for period in ("Tonight", "Week", "Season", "Ever"):
        page.get_by_role("button", name=period).click()
        expect(page.get_by_role("button", name=period)).to_have_attribute("aria-pressed", "true")
        expect(rows.first).to_contain_text("Ann")
        assert rows.first.locator("td").nth(2).inner_text() == "3"
        assert rows.nth(1).locator("td").nth(2).inner_text() == "2"


def test_games_with_a_corrected_score_and_against_the_computer_are_ranked_apart(
    visit: Any, open_house: House, keep: Any
) -> None:
    player = Player(open_house)
    player.do("new", names=["Cid", "Dee"], target=61, rules={})
    player.do("peg", side=1, points=30)
    player.do("set", side=1, front=61, back=30)
    player.post("/api/boards/1/computer", {"begin": "club", "target": 61})
    wait_for(lambda: not player.state["winner"])
    player.post("/api/boards/1/computer", {"stop": True})  # the game stays on the board
    player.do("names", names=["Eve", None])
    for pegged in (30, 31):
        player.do("peg", side=1, points=pegged)
    wait_for(lambda: [one["state"] for one in open_house.get("/api/games?limit=2")["games"]] == ["won", "won"])
    page = visit(f"{open_house.address}/history", PHONE)
    expect(page.locator("#board")).to_contain_text("Nobody is ranked in this period")
    expect(page.locator("#games tbody tr").nth(0).locator(".state").first).to_have_text("computer")
    expect(page.locator("#games tbody tr").nth(1).locator(".state").first).to_have_text("corrected score")
    for among, first, many in (("Corrected", "Cid", 2), ("Computer", "Eve", 1)):
        page.get_by_role("button", name=among).click()
        expect(page.get_by_role("button", name=among)).to_have_attribute("aria-pressed", "true")
        expect(page.locator("#board tbody tr").first).to_contain_text(first)
        expect(page.locator("#board tbody tr")).to_have_count(many)
    assert not findings(page)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    keep(page, "history-among")
    page.locator("#board").get_by_role("link", name="Eve").click()
    expect(page.locator("#figures")).to_contain_text("Won against the computer")


def test_a_player_has_figures_and_rivals(visit: Any) -> None:
    page = visit("/history", LAPTOP)
    page.locator("#players").get_by_role("link", name="Ann").click()
    figures = page.locator("#figures")
    expect(figures.locator("div", has_text="Best hand").first).to_contain_text("29")
    expect(figures.locator("div", has_text="Best hand").first.locator(".card")).to_have_count(5)
    expect(figures.locator("div", has_text="Skunks given")).to_contain_text("1")
    page.get_by_label("Against").select_option(label="Bob")
    expect(page.locator("#against")).to_contain_text("Skunks by Ann")
    expect(page.locator("#against tbody tr")).not_to_have_count(0)


def test_a_game_is_replayed_hole_by_hole(visit: Any, house: House) -> None:
    page = visit(f"/game/{game(house, 0)}", LAPTOP, motion="no-preference")
    expect(page.locator("#event")).to_contain_text("Ann wins")
    expect(page.locator("#board title")).to_contain_text("front peg in 121")
    page.get_by_label("Event", exact=True).focus()
    page.keyboard.press("Home")
    expect(page.locator("#event")).to_contain_text("New game to 121")
    expect(page.locator("#board title")).to_contain_text("front peg in the start")
    page.get_by_role("button", name="Next event").click()
    expect(page.locator("#event")).to_contain_text("29")
    expect(page.locator("#scores strong").first).to_have_text("29")
    page.keyboard.press("Home")
    page.evaluate(
        """() => {
             const title = document.querySelector('#board title');
             window.walked = [];
             new MutationObserver(() => walked.push(/front peg in (\\w+)/.exec(title.textContent)[1]))
               .observe(title, {childList: true});
           }"""
    )
    page.get_by_label("Event", exact=True).focus()
    page.keyboard.press("Home")
    page.get_by_role("button", name="Replay", exact=True).click()
    expect(page.locator("#event")).to_contain_text("Ann wins")
    walked = page.evaluate("walked")
    assert walked[walked.index("1") : walked.index("29") + 1] == [str(hole) for hole in range(1, 30)]
    expect(page.get_by_role("button", name="Replay", exact=True)).to_be_visible()


def test_a_game_is_a_line_with_words_for_it(visit: Any, house: House) -> None:
    page = visit("/history", LAPTOP)
    lines = page.locator("#games").get_by_role("img", name="The lead changed")
    expect(lines).to_have_count(2)  # of three games; in the third nobody was overtaken
    expect(page.locator("#games tbody tr").last).to_contain_text(
        "The lead changed 2 times; the widest was 51, for Bob."
    )
    assert lines.last.locator(".way").count() == 2
    ends = lines.last.locator(".way").evaluate_all(
        "nodes => nodes.map(node => Number(node.getAttribute('d').split(',').at(-1)))"
    )
    assert ends[0] == 0  # Ann reached the game hole, Bob did not
    assert ends[1] > 50


def test_a_player_is_compared_with_what_is_usual(visit: Any, keep: Any) -> None:
    page = visit("/player/1", LAPTOP)
    rows = page.locator("#averages dl > div")
    expect(rows).to_have_count(1)  # only what has been counted
    for words in ("Hand when not dealing", "29.0 in 2 deals", "usual 8.1"):
        expect(rows.first).to_contain_text(words)
    widths = rows.first.locator("svg").evaluate_all("all => all.map(one => one.getBoundingClientRect().width)")
    assert widths[1] / widths[0] == pytest.approx(8.1 / 29, rel=0.01)
    assert widths[0] > 0.5 * page.locator("#averages").bounding_box()["width"], "it takes the room that there is"
    page.get_by_label("Against").select_option(label="Bob")
    duel = page.locator(".duel")
    expect(duel).to_contain_text("Skunks by Ann 1, by Bob 0; Ann ahead by 20 points in all.")
    expect(duel.get_by_role("img")).to_have_attribute("aria-label", re.compile("Ann by 41, Bob by 21$"))
    keep(page, "player")
    assert not findings(page)


@pytest.mark.parametrize("size", [PHONE, {"width": 320, "height": 568}, {"width": 740, "height": 360}], ids=str)
def test_a_replay_is_read_on_a_phone(visit: Any, house: House, size: dict[str, int], keep: Any) -> None:
    page = visit(f"/game/{game(house, 0)}", size)
    expect(page.locator("#event")).to_contain_text("Ann wins")
    page.locator("#at").evaluate("node => { node.value = 1; node.dispatchEvent(new Event('input')); }")
    expect(page.locator("#event")).to_contain_text("29")
    expect(page.locator("#cards .card")).to_have_count(5)
    expect(page.get_by_role("img", name="jack of diamonds")).to_be_visible()
    keep(page, f"replay-{size['width']}")
    peg = page.locator("#board .rings [data-colour='orange']:not(.back)").bounding_box()
    frame = page.locator("#lying").bounding_box()
    assert peg
    assert frame
    assert peg["width"] >= 8
    assert frame["x"] <= peg["x"]
    assert peg["x"] + peg["width"] <= frame["x"] + frame["width"]
    assert page.evaluate("document.scrollingElement.scrollWidth") <= size["width"]
    now = page.locator("#line .now")
    assert 0 < float(now.get_attribute("x1") or 0) < 600
    for part in (page.locator("#event"), page.locator("#cards"), page.get_by_role("button", name="Replay", exact=True)):
        expect(part).to_be_in_viewport(ratio=0.95)
    at = page.locator(".transport").bounding_box()
    cards = page.locator("#cards").bounding_box()
    assert at
    assert cards
    assert cards["y"] + cards["height"] <= at["y"] + 1, "the cards are not under the buttons"
    assert not findings(page)


def test_staff_need_the_pin(visit: Any, house: House) -> None:
    page = visit("/staff", LAPTOP)
    page.get_by_label("PIN").fill("000001" if house.pin != "000001" else "000002")
    page.get_by_role("button", name="Enter").click()
    expect(page.locator("#wrong")).to_contain_text("not the PIN")
    expect(page.locator("#room")).not_to_be_visible()
    page.get_by_label("PIN").fill(house.pin)
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="At the tables")).to_be_focused()


def test_staff_find_all_on_a_phone(staff: Page, keep: Any) -> None:
    staff.set_viewport_size(PHONE)
    keep(staff, "staff-phone")
    wide = staff.evaluate(
        "[...document.querySelectorAll('.actions button')].map(one => one.getBoundingClientRect().right)"
    )
    assert max(wide) <= PHONE["width"]
    for link in staff.locator("#games .wide a").all():
        assert link.evaluate("node => node.getBoundingClientRect().height") < 90
    staff.locator("#players").get_by_role("button", name="Rename Ann").click()
    staff.get_by_role("textbox", name="Name").fill("Bob")
    staff.get_by_role("button", name="Rename", exact=True).last.click()
    refused = staff.get_by_role("dialog", name="Rename Ann").get_by_text("There is another player called 'Bob'.")
    expect(refused).to_be_in_viewport()  # the form comes back with it


def test_staff_read_out_a_code_and_send_phones_away(staff: Page, phone: Any, house: House) -> None:
    watching, deaf = phone(1), phone(1)
    for page in (watching, deaf):
        expect(page.locator("[data-points='4']")).to_be_visible()  # else it is sent away while it loads
    deaf.route("**/phones", lambda route: route.abort())  # it finds out when it pegs
    staff.get_by_role("button", name="Code to join Table 1").click()
    expect(staff.locator("#dialog .code")).to_have_text(house.get("/api/boards/1/invite")["code"])
    staff.get_by_role("button", name="Done").click()
    staff.get_by_role("button", name="Send all phones away").click()
    staff.get_by_role("button", name="Send away", exact=True).click()
    expect(staff.locator("#said")).to_contain_text("Send away")
    expect(watching.get_by_role("heading", name="Join Table 1")).to_be_visible()
    deaf.locator("[data-points='4']").click()
    expect(deaf.get_by_role("heading", name="Join Table 1")).to_be_visible()


def test_a_page_whose_first_answers_are_lost_says_so_and_asks_again(visit: Any, house: House) -> None:
    page = visit("about:blank", LAPTOP)
    asked: set[str] = set()

    def answer(route: Any) -> None:
        known = route.request.url in asked
        asked.add(route.request.url)
        route.continue_() if known or route.request.method == "POST" else route.abort()

    page.route("**/api/**", answer)
    page.clock.install()
    shown = {
        "/history": "#board tr, #games tr, #players tr",
        "/player/1": "#figures dd, #rival option >> nth=1",
        f"/game/{game(house, 0)}": "#board .rings, #events li",
        "/print": ".poster",
        "/season/9": "h1 >> text=There is no night and no season 9.",
        "/score/1": "#code",
        "/computer/1": "#begin",
        "/staff": "#pin",
    }
    for path, parts in shown.items():
        asked.clear()
        page.goto(house.address + path)
        lost = page.get_by_role("alert").filter(has_text="The kiosk does not answer")
        lost.wait_for()
        for part in parts.split(", "):
            wait_for(lambda part=part: page.clock.run_for(1000) or page.locator(part).count())
        expect(lost).to_have_count(0)
    asked.clear()
    page.get_by_label("PIN").fill(house.pin)
    page.keyboard.press("Enter")
    lost.wait_for()
    for part in ("#games tr", "#players tr", "#odds"):
        wait_for(lambda part=part: page.clock.run_for(1000) or page.locator(part).count())


def test_the_history_of_nothing_says_so(chromium: Any, tmp_path: Path) -> None:
    with House(tmp_path / "empty") as house:
        page = chromium.new_page(viewport=LAPTOP)
        page.goto(f"{house.address}/history")
        expect(page.locator("#board")).to_contain_text("Nobody is ranked")
        page.goto(f"{house.address}/game/99")
        expect(page.get_by_role("alert")).to_contain_text("There is no game 99")
        expect(page.get_by_role("heading", level=1)).to_have_count(1)
        page.get_by_role("link", name="All games and players").click()
        expect(page.locator("#board")).to_be_visible()
        page.close()
