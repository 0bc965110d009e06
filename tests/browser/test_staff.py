"""The staff's room: what is saved there changes the history, so each test has a house of its own."""

from __future__ import annotations

import json
import re
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from browser.chromium import LAPTOP, SCREEN, findings
from browser.house import House, Player, game, night, wait_for
from playwright.sync_api import Page, expect


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    with House(tmp_path / "house") as one:
        night(one)
        yield one


def test_staff_rename_a_player_and_a_table(staff: Page, house: House) -> None:
    closed = staff.locator("#here summary")
    expect(closed).to_have_text("1 phone with the page closed")
    expect(staff.get_by_role("button", name="Remove Phone 1")).to_be_hidden()
    closed.click()
    expect(staff.get_by_role("button", name="Remove Phone 1")).to_be_visible()
    staff.get_by_role("button", name="Rename Ann").click()
    staff.get_by_role("textbox", name="Name").fill("Anna")
    staff.get_by_role("button", name="Rename", exact=True).last.click()
    expect(staff.locator("#said")).to_have_text("Ann is now Anna.")
    expect(staff.locator("#players")).to_contain_text("Anna")
    assert house.get("/api/boards/1")["sides"][0]["name"] == "Anna"
    staff.get_by_role("button", name="Rename Table 1").click()
    staff.route("**/api/boards/1", lambda route: route.abort())
    staff.get_by_role("textbox", name="Name").fill("The snug")
    staff.keyboard.press("Enter")
    expect(staff.locator("#dialog .notice")).to_contain_text("The kiosk does not answer.")
    expect(staff.get_by_role("textbox", name="Name")).to_have_value("The snug")
    staff.unroute("**/api/boards/1")
    staff.get_by_role("button", name="Rename", exact=True).last.click()
    expect(staff.locator("#here")).to_contain_text("The snug")
    wait_for(lambda: house.get("/api/boards/1")["board"]["name"] == "The snug")
    expect(staff.get_by_role("button", name="Remove Phone 1")).to_be_visible()  # drawn again, it stays unfolded


def test_staff_write_down_that_two_names_are_one_players(staff: Page, house: House, player: Player) -> None:
    player.begin("Annie", "Bob")
    player.do("peg", side=1, points=3)
    staff.reload()
    staff.get_by_role("button", name="Annie is the same as").click()
    staff.get_by_label("The same player as").select_option("Bob")
    staff.get_by_role("button", name="Save").click()
    expect(staff.get_by_role("alert")).to_contain_text("so they are two players")
    staff.get_by_role("button", name="Annie is the same as").click()
    staff.get_by_label("The same player as").select_option("Ann")
    staff.get_by_role("button", name="Save").click()
    expect(staff.locator("#said")).to_have_text("Annie and Ann are now one player.")
    expect(staff.locator("#players")).not_to_contain_text("Annie")
    assert sorted(player["name"] for player in house.get("/api/players")["players"]) == ["Ann", "Bob"]


def test_staff_erase_only_after_a_question(staff: Page, house: House, player: Player) -> None:
    staff.get_by_role("button", name="Erase Bob").click()
    staff.get_by_role("button", name="Cancel").click()
    expect(staff.locator("#players")).to_contain_text("Bob")
    staff.get_by_role("button", name="Erase Bob").click()
    expect(staff.locator("#dialog")).to_contain_text("cannot be undone")
    staff.get_by_role("button", name="Erase", exact=True).last.click()
    expect(staff.locator("#players")).not_to_contain_text("Bob")
    expect(staff.get_by_role("heading", name="Players")).to_be_focused()
    assert [one["name"] for one in house.get("/api/players")["players"]] == ["Ann"]
    assert [side["name"] for side in house.get("/api/boards/1")["sides"]] == ["Ann", None]
    player.do("peg", side=2, points=4)
    assert "Bob" not in json.dumps(house.get(f"/api/games/{game(house, 2)}"))


def test_staff_abandon_and_withdraw_games(staff: Page, visit: Any, house: House, player: Player) -> None:
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
    staff.clock.install()
    staff.reload()
    games = staff.locator("#games tbody tr")
    games.first.wait_for()
    listed = games.count()
    player.begin("Cid", "Dee")  # as the page stays open in a busy hour
    said = "Games have begun or ended."
    wait_for(lambda: staff.clock.run_for(10_000) or said in staff.locator("#news").inner_text())
    expect(games).to_have_count(listed)
    staff.locator("#show").click()
    expect(games.first).to_contain_text("Cid 0")
    expect(staff.locator("#show")).to_be_disabled()


@pytest.mark.long
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
    expect(staff.locator("#said")).to_have_text("Nothing was added: everything in the file is already in the record.")
    history = json.loads(exported.read_text(encoding="utf-8").replace(uid, "0123456789abcdef"))
    exported.write_text(json.dumps(history), encoding="utf-8")
    staff.locator("#file").set_input_files(exported)
    expect(staff.locator("#said")).to_have_text(re.compile(r"^Added: \d+ games, \d+ events, \d+ corrections\.$"))
    damaged = tmp_path / "damaged.json"
    damaged.write_text("{", encoding="utf-8")
    staff.locator("#file").set_input_files(damaged)
    expect(staff.locator("#wrong")).to_be_visible()


def test_staff_see_the_backup_and_a_history_that_cannot_be_written(staff: Page, house: House, player: Player) -> None:
    expect(staff.locator("#backup")).to_contain_text("Newest backup: less than an hour old")
    staff.clock.set_system_time("2099-01-01")  # a laptop's own clock may be wrong
    staff.reload()
    expect(staff.locator("#backup")).to_contain_text("Newest backup: less than an hour old")
    expect(staff.locator("#cares")).to_contain_text("The backups are on the same disk as the history")
    with closing(sqlite3.connect(house.folder / "kiosk.db", isolation_level=None)) as holder:
        holder.execute("BEGIN IMMEDIATE")
        player.do("peg", side=1, points=2)
        wait_for(lambda: [*house.folder.glob("unwritten/*/*.jsonl")])
        staff.reload()
        expect(staff.locator("#cares")).to_contain_text("A second file keeps what happens")
    wait_for(lambda: not [*house.folder.glob("unwritten/*/*.jsonl")])
    staff.reload()
    expect(staff.locator("#backup")).to_contain_text("Newest backup")
    expect(staff.locator("#cares")).not_to_contain_text("has not been written")


def test_a_game_says_which_event_the_board_has_lost(visit: Any, house: House) -> None:
    lost = game(house, 0)
    with closing(sqlite3.connect(house.folder / "kiosk.db")) as file, file:
        row = (lost, json.dumps({"kind": "peg", "a": 7}), "{}")
        columns = "(at, who, what, game, before, after) VALUES (0, 'the board', 'event lost', ?, ?, ?)"
        file.execute(f"INSERT INTO corrections {columns}", row)
    page = visit(f"/game/{lost}", LAPTOP)
    expect(page.locator("#corrections")).to_contain_text("The board lost an event (peg of 7); it does not count.")


def test_staff_switch_the_chance_to_win_on_the_screens(
    staff: Page, visit: Any, house: House, player: Player, keep: Any
) -> None:
    player.begin("Ann", "Bob")
    screen = visit("/table/1", SCREEN)
    expect(screen.locator(".panel")).to_have_count(2)
    expect(screen.locator(".odds")).to_be_hidden()
    box = staff.get_by_role("checkbox", name="Show the chance to win on the screens")
    expect(box).not_to_be_checked()
    expect(box).to_have_accessible_description(re.compile("For games of two"))
    assert staff.locator("label[for=odds]").bounding_box()["height"] >= 44
    box.focus()
    staff.keyboard.press("Space")
    expect(staff.locator("#said")).to_have_text("The screens show the chance to win.")
    expect(box).to_be_checked()
    expect(box).to_be_focused()
    keep(staff, "staff-odds")
    assert not findings(staff)
    expect(screen.locator(".odds .bar")).to_be_visible()
    said = "The chance to win, by the scores and the deal: Ann 44 %, Bob 56 %."
    expect(screen.locator(".odds .hide")).to_have_text(said)
    house.stop()
    house.start()
    house.ready()
    assert house.get("/api/pub")["odds"]
    staff.reload()
    box.click()
    expect(staff.locator("#said")).to_have_text("The screens no longer show the chance to win.")
    expect(box).not_to_be_checked()
    expect(screen.locator(".odds")).to_be_hidden()


def test_staff_change_a_boards_light_and_what_is_refused_is_said(staff: Page, house: House, keep: Any) -> None:
    change = staff.get_by_role("button", name="Light and sound of Table 1")
    change.click()
    expect(staff.get_by_label("Brightness")).to_have_value("30")
    staff.get_by_label("Brightness").select_option("60 %")
    staff.get_by_label("Points from its buttons count").select_option("after 3 s, or with OK")
    keep(staff, "staff-light")
    assert not findings(staff)
    staff.get_by_role("button", name="Save").click()
    expect(staff.locator("#said")).to_have_text("Table 1 is changed.")
    change.click()
    expect(staff.get_by_label("Brightness")).to_have_value("60")
    expect(staff.get_by_label("Points from its buttons count")).to_have_value("3")
    staff.get_by_label("Brightness").select_option("10 %")
    staff.get_by_role("combobox", name="Sound").select_option("on")
    staff.get_by_role("button", name="Save").click()
    expect(staff.locator("#dialog .notice")).to_contain_text("has no piezo")
    expect(staff.get_by_label("Brightness")).to_have_value("10")
    staff.get_by_role("combobox", name="Sound").select_option("off")
    staff.get_by_role("button", name="Save").click()
    expect(staff.locator("#said")).to_have_text("Table 1 is changed.")
    assert house.get("/api/boards/1")["board"]["away"] is None
    change.click()
    expect(staff.get_by_label("Brightness")).to_have_value("10")


def test_staff_choose_quiet_hours_and_they_outlast_the_kiosk(staff: Page, house: House, keep: Any) -> None:
    hours = staff.locator("#screens")
    expect(hours).to_contain_text("No quiet hours")
    staff.get_by_role("button", name="Quiet hours …").click()
    expect(staff.get_by_label("From")).to_have_value("22:00")
    staff.get_by_label("From").fill("23:30")
    staff.get_by_label("To", exact=True).fill("10:00")
    staff.get_by_role("button", name="Save").click()
    expect(staff.locator("#said")).to_have_text("The boards are quiet from 23:30 to 10:00.")
    expect(hours).to_contain_text("Quiet hours: no board beeps from 23:30 to 10:00.")
    keep(staff, "staff-quiet")
    assert not findings(staff)
    house.stop()
    house.start()
    house.ready()
    staff.reload()
    expect(hours).to_contain_text("from 23:30 to 10:00")
    staff.get_by_role("button", name="End quiet hours").click()
    expect(hours).to_contain_text("No quiet hours")


def test_staff_put_names_right_change_the_pin_and_leave(staff: Page, house: House) -> None:
    number, dialog = game(house, 0), staff.locator("#dialog")
    staff.get_by_role("button", name=f"Names in game {number}", exact=True).click()
    dialog.get_by_label("Player 1").fill("Bob")
    staff.keyboard.press("Enter")
    expect(dialog.locator(".notice")).to_contain_text("'Bob' already sits in game")
    dialog.get_by_label("Player 2").fill("Ann")  # swapped
    staff.keyboard.press("Enter")
    expect(staff.locator("#said")).to_have_text("The names are saved.")
    (seats,) = (one["seats"] for one in house.get("/api/games")["games"] if one["id"] == number)
    assert [seat["name"] for seat in seats] == ["Bob", "Ann"]
    new = staff.get_by_role("button", name=re.compile("^Choose tonight\u2019s new names"))
    chosen = staff.locator("#players [role=status]")
    new.click()
    expect(chosen).to_have_text("2 players chosen.")
    staff.get_by_role("button", name="Choose none").click()
    expect(chosen).to_have_text("None chosen.")
    expect(staff.locator("#players input:checked")).to_have_count(0)
    with staff.expect_file_chooser():
        staff.get_by_role("button", name="Import JSON").click()
    for pin, new_pin, says in (("000000", "271828", "not the PIN"), (house.pin, "12", "cannot be a PIN")):
        change_pin(staff, pin, new_pin)
        expect(dialog.locator(".notice")).to_contain_text(says)
        dialog.get_by_role("button", name="Cancel").click()
    change_pin(staff, house.pin, "271828")
    expect(staff.locator("#said")).to_have_text("The PIN is changed.")
    expect(staff.locator("#room")).to_be_visible()
    staff.get_by_role("button", name="Leave", exact=True).click()
    expect(staff.locator("#pin")).to_be_focused()
    expect(staff.locator("#said")).to_have_text("You have left.")
    staff.locator("#pin").fill("271828")
    staff.keyboard.press("Enter")
    expect(staff.locator("#players table")).to_be_visible()
    expect(staff.locator("#said")).to_be_empty()

    games = house.get("/api/games")["games"]
    whole = [{**games[0], "id": 1000 - at} for at in range(30)]  # a page of thirty, then those there are
    older = re.compile(r"/api/games\?.*before")
    staff.route("**/api/games?*", lambda route: route.fulfill(json={"games": whole}))
    staff.route(older, lambda route: route.fulfill(json={"games": games}))
    staff.reload()
    staff.get_by_role("button", name="Older games").click()
    expect(staff.locator("#games tbody tr")).to_have_count(30 + len(games))
    expect(staff.locator("#games tbody tr").nth(30).locator("a")).to_be_focused()


def change_pin(staff: Page, pin: str, new: str) -> None:
    staff.get_by_role("button", name="Change the PIN").click()
    staff.get_by_label("Current PIN").fill(pin)
    staff.get_by_label("New PIN").fill(new)
    staff.keyboard.press("Enter")
