"""The pages to read: leaderboard, players, a game again, and the staff's room."""

from __future__ import annotations

import json
import re
import time
from pathlib import Path
from typing import Any

import pytest
from browser.chromium import PHONE
from browser.house import House, Player, wait_for
from playwright.sync_api import Page, expect

LAPTOP = {"width": 1280, "height": 800}


@pytest.fixture(autouse=True)
def _night(player: Player) -> None:
    """Ann skunks Bob, Bob beats Ann, and a game between them runs."""
    for winner, low in ((1, 80), (2, 100)):
        player.begin("Ann", "Bob")
        player.do("hand", side=1, cards=["5H", "5C", "5S", "JD"], starter="5D")
        player.do("set", side=3 - winner, front=low, back=low - 5)
        player.do("set", side=winner, front=119, back=100)
        player.do("peg", side=winner, points=2)
    player.begin("Ann", "Bob")
    player.do("peg", side=2, points=3)


def game(house: House, number: int) -> int:
    """The id of the first, second or third of these games."""
    return sorted(one["id"] for one in house.get("/api/games")["games"] if one["seats"][0]["name"])[number]


@pytest.fixture
def staff(visit: Any, house: House) -> Page:
    page = visit("/staff", LAPTOP, accept_downloads=True)
    page.get_by_label("PIN").fill(house.pin)
    page.get_by_role("button", name="Enter").click()
    page.locator("#players table").wait_for()
    return page


def test_the_start_page_has_the_tables(visit: Any) -> None:
    page = visit("/", PHONE)
    expect(page.locator(".place")).to_contain_text("Bob leads by 3. Game to 121.")
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
    page.get_by_role("button", name="One event on").click()
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
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.locator("#event")).to_contain_text("Ann wins", timeout=15_000)
    walked = page.evaluate("walked")
    assert walked[walked.index("1") : walked.index("29") + 1] == [str(hole) for hole in range(1, 30)]
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()


def test_staff_need_the_pin(visit: Any, house: House) -> None:
    page = visit("/staff", LAPTOP)
    page.get_by_label("PIN").fill("000001" if house.pin != "000001" else "000002")
    page.get_by_role("button", name="Enter").click()
    expect(page.locator("#wrong")).to_contain_text("not the PIN")
    expect(page.locator("#room")).not_to_be_visible()


def test_staff_rename_a_player_and_a_table(staff: Page, house: House) -> None:
    staff.get_by_role("button", name="Rename Ann").click()
    staff.get_by_role("textbox", name="Name").fill("Anna")
    staff.get_by_role("button", name="Rename", exact=True).last.click()
    expect(staff.locator("#said")).to_have_text("Ann is Anna now.")
    expect(staff.locator("#players")).to_contain_text("Anna")
    assert house.get("/api/boards/1")["sides"][0]["name"] == "Anna"
    staff.get_by_role("button", name="Rename Table 1").click()
    staff.get_by_role("textbox", name="Name").fill("The snug")
    staff.get_by_role("button", name="Rename", exact=True).last.click()
    expect(staff.locator("#tables")).to_contain_text("The snug")
    wait_for(lambda: house.get("/api/boards/1")["board"]["name"] == "The snug")


def test_staff_write_down_that_two_names_are_one_players(staff: Page, house: House, player: Player) -> None:
    player.begin("Annie", "Bob")
    player.do("peg", side=1, points=3)
    staff.reload()
    staff.get_by_role("button", name="Annie is the same as").click()
    staff.get_by_label("The same player as").select_option("Bob")
    staff.get_by_role("button", name="Write down").click()
    expect(staff.get_by_role("alert")).to_contain_text("so they are two players")
    staff.get_by_role("button", name="Annie is the same as").click()
    staff.get_by_label("The same player as").select_option("Ann")
    staff.get_by_role("button", name="Write down").click()
    expect(staff.locator("#said")).to_have_text("Annie and Ann are one player now.")
    expect(staff.locator("#players")).not_to_contain_text("Annie")
    assert sorted(player["name"] for player in house.get("/api/players")["players"]) == ["Ann", "Bob"]


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
    expect(staff.get_by_role("alert")).to_be_in_viewport()


def test_staff_erase_only_after_a_question(staff: Page, house: House, player: Player) -> None:
    staff.get_by_role("button", name="Erase Bob").click()
    staff.get_by_role("button", name="Cancel").click()
    expect(staff.locator("#players")).to_contain_text("Bob")
    staff.get_by_role("button", name="Erase Bob").click()
    expect(staff.locator("#dialog")).to_contain_text("cannot be undone")
    staff.get_by_role("button", name="Erase", exact=True).last.click()
    expect(staff.locator("#players")).not_to_contain_text("Bob")
    assert [one["name"] for one in house.get("/api/players")["players"]] == ["Ann"]
    assert [side["name"] for side in house.get("/api/boards/1")["sides"]] == ["Ann", None]
    player.do("peg", side=2, points=4)
    assert "Bob" not in json.dumps(house.get(f"/api/games/{game(house, 2)}"))


def test_staff_abandon_and_withdraw_games(staff: Page, visit: Any, house: House) -> None:
    staff.get_by_role("button", name=f"Abandon game {game(house, 2)}").click()
    staff.get_by_role("button", name="Abandon", exact=True).last.click()
    expect(staff.locator("#games tbody tr").first).to_contain_text("Abandoned")
    staff.get_by_role("button", name=f"Withdraw game {game(house, 0)}").click()
    staff.get_by_role("button", name="Withdraw", exact=True).last.click()
    expect(staff.locator("#games tbody tr").nth(2)).to_contain_text("Withdrawn")
    page = visit(f"/game/{game(house, 0)}", LAPTOP)
    expect(page.locator("#corrections")).to_contain_text("withdraw")
    staff.get_by_role("button", name=f"Count game {game(house, 0)} again").click()
    expect(staff.locator("#said")).to_have_text("It counts again.")
    expect(staff.locator("#games tbody tr").nth(2)).not_to_contain_text("Withdrawn")


def test_staff_come_to_the_oldest_game(staff: Page, house: House, player: Player) -> None:
    oldest = game(house, 0)
    for _ in range(30):
        player.begin("Ann", "Bob")
        player.do("peg", side=1, points=1)
        time.sleep(0.2)  # no more at once than one device may do
    staff.reload()
    names = staff.get_by_role("button", name=f"Names in game {oldest}", exact=True)
    older = staff.get_by_role("button", name="Older games")
    older.wait_for()
    expect(names).to_have_count(0)
    older.click()
    expect(names).to_be_visible()
    expect(older).to_have_count(0)


def test_staff_export_and_import(staff: Page, house: House, tmp_path: Path) -> None:
    with staff.expect_download() as got:
        staff.get_by_role("link", name="Everything as JSON").click()
    exported = tmp_path / "all.json"
    got.value.save_as(exported)
    uid = house.get("/api/boards/1")["board"]["uid"]
    staff.locator("#file").set_input_files(exported)
    expect(staff.locator("#said")).to_have_text("Nothing was added: all of the file is in the record already.")
    told = json.loads(exported.read_text(encoding="utf-8").replace(uid, "0123456789abcdef"))
    exported.write_text(json.dumps(told), encoding="utf-8")
    staff.locator("#file").set_input_files(exported)
    expect(staff.locator("#said")).to_have_text(re.compile(r"^Added: \d+ games, \d+ events, \d+ corrections\.$"))
    damaged = tmp_path / "damaged.json"
    damaged.write_text("{", encoding="utf-8")
    staff.locator("#file").set_input_files(damaged)
    expect(staff.locator("#wrong")).to_be_visible()


def test_staff_read_out_a_code_and_send_phones_away(staff: Page, phone: Any, house: House) -> None:
    page = phone(1)
    staff.get_by_role("button", name="Code to join Table 1").click()
    expect(staff.locator("#dialog .code")).to_have_text(house.get("/api/boards/1/invite")["code"])
    staff.get_by_role("button", name="Done").click()
    staff.get_by_role("button", name="Send all phones away").click()
    staff.get_by_role("button", name="Send away", exact=True).click()
    expect(staff.locator("#said")).to_contain_text("Send away")
    page.locator("[data-points='4']").click()
    page.locator("#panel-points .ok").click()
    expect(page.get_by_role("heading", name="Join Table 1")).to_be_visible()


def test_the_history_of_nothing_says_so(chromium: Any, tmp_path: Path) -> None:
    with House(tmp_path / "empty") as house:
        page = chromium.new_page(viewport=LAPTOP)
        page.goto(f"{house.address}/history")
        expect(page.locator("#board")).to_contain_text("Nobody with a name")
        page.goto(f"{house.address}/game/99")
        expect(page.locator("#wrong")).to_be_visible()
        page.close()
