"""Who is here, on the phone and in the staff's room: names, the lock, newcomers, removal, and many names at once."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.error import HTTPError

import pytest
from browser.chromium import LAPTOP, PHONE, findings
from browser.house import House, Player, invitation, wait_for
from playwright.sync_api import Page, expect

AWAY = {"X-Forwarded-For": "192.168.7.20"}  # not the kiosk's own computer


@pytest.fixture
def house(open_house: House) -> Iterator[House]:
    """Without the phones and the lock of the tests before."""
    Player(open_house).begin("Ann", "Bob")
    yield open_house
    boss = Staff(open_house)
    boss.post("/api/boards/1/lock", {"locked": False})
    boss.post("/api/leave", {})


class Staff(Player):
    """Staff without a browser."""

    def __init__(self, house: House) -> None:
        super().__init__(house)
        self.post("/api/staff", {"pin": house.pin})


def clean(page: Page) -> None:
    problems = findings(page)
    assert not problems, "\n".join(problems[:4])


def sit(visit: Any, house: House, name: str, side: int = 1, **more: Any) -> Page:
    """A phone that has come by the code, given its name and picked a side."""
    page: Page = visit(invitation(house), PHONE, has_touch=True, **more)
    page.get_by_label("Your name").fill(name)
    page.locator("#pick .list > button").nth(side - 1 if side else -1).click()
    page.locator("#foot").wait_for()
    page.locator("#tab-more").click()
    return page


def show(staff: Page, words: str) -> None:
    """Have the staff's page draw what it says at its foot."""
    expect(staff.locator("#news")).to_contain_text(re.compile(words))
    staff.get_by_role("button", name="Show", exact=True).click()
    expect(staff.locator("#news")).to_be_empty()


def test_phones_name_themselves_and_see_each_other(visit: Any, house: House, keep: Any) -> None:
    ann = sit(visit, house, "Ann's phone")
    expect(ann.get_by_role("list", name="Phones at Table 1")).to_contain_text("Ann's phone (this phone)")
    bob = visit(invitation(house), PHONE)
    bob.get_by_label("Your name").fill("ANN'S PHONE")
    bob.locator(".pickside").nth(1).click()
    expect(bob.locator("#alert")).to_contain_text("Another phone at this table is called")
    expect(bob.get_by_label("Your name")).to_be_focused()
    clean(bob)
    keep(bob, "here-pick")
    bob.get_by_label("Your name").fill("<b>Bob</b>")
    bob.locator(".pickside").nth(1).click()
    bob.locator("#foot").wait_for()
    item = ann.locator(".here li").last
    expect(item).to_contain_text("<b>Bob</b>")
    expect(item.locator(".named")).to_have_text("Bob")
    expect(item).to_contain_text("Since")
    ann.locator("#here-title").scroll_into_view_if_needed()
    clean(ann)
    keep(ann, "here-phone")
    ann.get_by_role("button", name="Your name …").click()
    clean(ann)
    ann.get_by_label("Name", exact=True).fill("Staff")
    ann.get_by_role("button", name="Save").click()
    expect(ann.locator("#dialog")).to_contain_text("could be taken for")
    ann.get_by_label("Name", exact=True).fill("Annie")
    ann.get_by_role("button", name="Save").click()
    expect(bob.locator("#panel-more .here")).to_contain_text("Annie")


def test_a_locked_table_asks_who_sits_there_by_keyboard_alone(visit: Any, house: House, keep: Any) -> None:
    ann = sit(visit, house, "Ann")
    ann.get_by_role("button", name="Lock the table …").focus()
    ann.keyboard.press("Enter")
    clean(ann)
    ann.get_by_role("button", name="Lock", exact=True).press("Enter")
    expect(ann.locator("#panel-more")).to_contain_text("Locked by Ann")
    expect(ann.get_by_role("button", name="Open the table")).to_be_focused()
    cid = visit(invitation(house), PHONE)
    expect(cid.get_by_role("heading", name="Table 1 is locked")).to_be_visible()
    cid.get_by_label("Your name").fill("Cid")
    cid.keyboard.press("Enter")
    expect(cid.locator("#join").get_by_role("status")).to_contain_text("Cid is waiting")
    cid.get_by_role("button", name="Stop waiting").press("Enter")
    expect(cid.get_by_role("heading", name="Join Table 1")).to_be_focused()
    cid.get_by_label("Six digits").fill(house.get("/api/boards/1/invite")["code"])
    cid.keyboard.press("Enter")
    expect(cid.get_by_role("heading", name="Table 1 is locked")).to_be_focused()
    clean(cid)
    keep(cid, "here-waits")
    ann.locator("#tab-points").click()
    expect(ann.locator("#knocks")).to_contain_text("Let in Cid …")
    clean(ann)
    ann.locator("#knocks button").press("Enter")
    expect(ann.locator("#dialog")).to_contain_text("Cid wants to join")
    clean(ann)
    keep(ann, "here-knock")
    ann.get_by_role("button", name="Let in", exact=True).press("Enter")
    cid.get_by_text("Which side is yours?").wait_for()
    expect(ann.locator("#knocks")).not_to_be_visible()
    expect(ann.locator("#tab-points")).to_be_focused()
    cid.locator(".pickside").nth(1).click()
    cid.locator("#tab-more").click()
    expect(cid.locator(".here")).to_contain_text("Cid (this phone)")
    expect(cid.get_by_role("button", name="Open the table")).to_have_count(0)
    dee = visit(invitation(house), PHONE)
    dee.get_by_label("Your name").wait_for()
    expect(cid.locator(".here")).to_contain_text("waiting")
    expect(cid.locator("#knocks")).not_to_be_visible()
    ann.locator("#knocks button").press("Enter")
    ann.get_by_role("button", name="Turn away").press("Enter")
    expect(dee.get_by_role("alert").first).to_contain_text("You were not let in")
    clean(dee)


def test_a_player_leaves_the_table(visit: Any, house: House) -> None:
    ann = sit(visit, house, "Ann")
    ann.get_by_role("button", name="Leave the table …").click()
    ann.get_by_role("button", name="Leave", exact=True).click()
    ann.wait_for_url(f"{house.address}/")
    ann.goto(f"{house.address}/score/1")
    ann.get_by_label("Six digits").wait_for()


def test_leave_on_a_phone_of_staffs_ends_their_rights(visit: Any, house: House, staff: Page) -> None:
    staff.goto(f"{house.address}/score/1")
    staff.locator(".pickside").first.click()
    staff.locator("#tab-more").click()
    staff.get_by_role("button", name=re.compile("Leave, and give up staff")).click()
    staff.get_by_role("button", name="Leave", exact=True).click()
    staff.wait_for_url(f"{house.address}/")
    staff.goto(f"{house.address}/staff")
    staff.get_by_label("PIN").wait_for()


def test_staff_see_who_is_here_and_remove_a_phone(visit: Any, house: House, staff: Page, keep: Any) -> None:
    joker, ann = sit(visit, house, "Joker", 0), sit(visit, house, "Ann", 1)
    show(staff, "Joker is at Table 1.*Ann is at Table 1")
    row = staff.get_by_role("row", name="Joker")
    expect(row).to_contain_text("Whole table")
    expect(row).to_contain_text(re.compile(r"Joker \(phone \d+\)"))
    expect(staff.get_by_role("group", name="Phones at Table 1")).to_contain_text("Ann")
    clean(staff)
    keep(staff, "here-staff")
    staff.get_by_role("button", name="Remove Joker").press("Enter")
    expect(staff.locator("#dialog")).to_contain_text("lock the table")
    clean(staff)
    staff.get_by_role("button", name="Remove", exact=True).last.press("Enter")
    expect(staff.locator("#said")).to_have_text("Joker was removed from Table 1.")
    expect(row).to_have_count(0)
    expect(joker.get_by_role("alert").first).to_contain_text("removed for this evening")
    clean(joker)
    keep(joker, "here-removed")
    joker.goto(invitation(house))
    expect(joker.get_by_role("alert").first).to_contain_text("removed for this evening")
    expect(ann.locator(".here")).not_to_contain_text("Joker")


def test_staff_lock_a_table_and_let_a_newcomer_in(visit: Any, house: House, staff: Page, keep: Any) -> None:
    staff.get_by_role("button", name="Lock Table 1").press("Enter")
    expect(staff.locator("#here")).to_contain_text("Locked by staff")
    expect(staff.get_by_role("button", name="Open Table 1")).to_be_focused()
    cid = visit(invitation(house), PHONE)
    cid.get_by_label("Your name").fill("Cid")
    cid.get_by_role("button", name="Ask to be let in").click()
    show(staff, "^Cid is waiting at Table 1.$")
    clean(staff)
    keep(staff, "here-staff-knock")
    staff.get_by_role("button", name="Let in Cid").click()
    cid.get_by_text("Which side is yours?").wait_for()
    staff.get_by_role("button", name="Open Table 1").click()
    expect(staff.locator("#here")).to_contain_text("Open: anybody who scans")


def test_what_staff_press_stays_under_the_finger_while_somebody_joins(house: House, staff: Page) -> None:
    rows = staff.locator("#here tbody tr")
    staff.locator("#here summary").click()  # their pages are closed
    expect(rows.last).to_be_visible()
    phones = rows.count()
    box = rows.last.get_by_role("button").bounding_box()
    assert box
    staff.mouse.move(box["x"] + 20, box["y"] + 20)
    staff.mouse.down()
    Player(house)
    for _ in range(2):
        with staff.expect_response("**/api/phones"):
            pass
    staff.mouse.up()
    expect(staff.locator("#dialog")).to_contain_text("It cannot join any table")
    staff.get_by_role("button", name="Cancel").click()
    expect(rows).to_have_count(phones)
    show(staff, "Phone [0-9]+ is at Table 1")
    expect(rows).to_have_count(phones + 1)


def test_a_page_of_the_staffs_that_hears_nothing_is_not_up_to_date(staff: Page) -> None:
    staff.route("**/api/phones", lambda route: route.abort())
    words = "The kiosk does not answer. What is shown here may be old."
    expect(staff.locator("#news")).to_have_text(words)
    staff.unroute("**/api/phones")
    expect(staff.locator("#news")).to_be_empty()


def test_who_has_begun_enough_games_is_told_so(visit: Any, house: House) -> None:
    page = sit(visit, house, "Joker", extra_http_headers=AWAY)
    for _ in range(6):
        page.get_by_role("button", name="New game …").click()
        page.get_by_role("button", name="Start", exact=True).click()
        expect(page.locator("#dialog[open]")).to_have_count(0)
        wait_for(lambda: page.evaluate("!document.body.hasAttribute('data-busy')"))
    page.get_by_role("button", name="New game …").click()
    page.get_by_role("button", name="Start", exact=True).click()
    expect(page.locator("#dialog")).to_contain_text("started 6 games in half an hour")
    expect(page.locator("#dialog")).to_contain_text("ask the staff")


def test_staff_rename_and_erase_many_names_at_once(tmp_path: Path, chromium: Any, keep: Any) -> None:
    with House(tmp_path / "house") as house:
        player = Player(house)
        for at in range(12):
            player.begin(f"Joker {at}", f"Prank {at}")
            player.do("peg", side=1, points=1)
        page = chromium.new_page(viewport=LAPTOP)
        page.goto(f"{house.address}/staff")
        page.get_by_label("PIN").fill(house.pin)
        page.get_by_role("button", name="Enter").click()
        page.locator("#players table").wait_for()
        expect(page.get_by_role("button", name="Erase the chosen …")).to_be_disabled()
        page.get_by_label("Choose Joker 0", exact=True).check()
        page.get_by_label("Choose Joker 1", exact=True).press("Space")
        expect(page.locator("#players")).to_contain_text("2 players chosen.")
        page.get_by_role("button", name="Rename the chosen …").click()
        clean(page)
        page.get_by_label("Joker 0", exact=True).fill("Ann")
        page.get_by_label("Joker 1", exact=True).fill("Bob")
        page.get_by_role("button", name="Rename", exact=True).last.click()
        expect(page.locator("#said")).to_have_text("Renamed: 2.")
        page.get_by_role("button", name=re.compile("new names .24.")).click()
        page.get_by_label("Choose Ann", exact=True).uncheck()
        page.get_by_label("Choose Bob", exact=True).uncheck()
        page.locator("#players-title").scroll_into_view_if_needed()
        clean(page)
        keep(page, "here-players")
        page.get_by_role("button", name="Erase the chosen …").click()
        clean(page)
        keep(page, "here-erase")
        page.get_by_role("button", name="Erase", exact=True).last.click()
        expect(page.locator("#said")).to_have_text("Erased: 22 players.")
        assert [one["name"] for one in house.get("/api/players")["players"]] == ["Ann", "Bob"]
        expect(page.locator("#players-title")).to_be_focused()
        page.close()


def test_an_undo_that_needs_a_yes_is_asked_on_the_others_phones_and_in_the_staffs_room(
    visit: Any, house: House, staff: Page, keep: Any
) -> None:
    ann, joker = sit(visit, house, "Ann", 1), Player(house)
    joker.post("/api/me", {"name": "Joker", "side": 2})
    scorer = Player(house)

    def undo() -> None:
        scorer.do("peg", side=1, points=6, again=True)
        with suppress(HTTPError):
            joker.do("undo", rev=joker.state["undo"]["rev"], own=2)

    for _ in range(4):
        undo()
    asked = ann.locator("#asked")
    expect(asked).to_contain_text(re.compile(r"Joker \(phone \d+\) wants an undo"))
    ann.locator("#tab-points").click()
    clean(ann)
    keep(ann, "here-undo-asked")
    asked.get_by_role("button").click()
    expect(ann.locator("#dialog")).to_contain_text("wants to take back “Ann pegs 6”")
    expect(ann.locator("#dialog")).to_contain_text("They have just taken back three scores")
    expect(ann.locator("#dialog")).not_to_contain_text("This phone")  # it would be the one of whoever reads
    clean(ann)
    keep(ann, "here-undo-question")
    ann.get_by_role("button", name="No, keep it").click()
    expect(asked).to_be_hidden()
    assert scorer.state["sides"][0]["front"] == 6
    undo()
    expect(asked).to_be_visible()
    show(staff, "wants to take back “Ann pegs 6”")
    clean(staff)
    keep(staff, "here-staff-asked")
    yes = staff.get_by_role("button", name="Yes, undo it")
    yes.focus()
    phones = staff.locator("#here tbody tr").count()
    Player(house)  # the list is drawn again, the question is not
    expect(staff.locator("#news")).to_contain_text("is at Table 1")
    staff.locator("#show").dispatch_event("click")
    expect(staff.locator("#here tbody tr")).to_have_count(phones + 1)
    expect(yes).to_be_focused()
    yes.press("Enter")
    expect(staff.locator("#said")).to_have_text("Undone: Ann pegs 6.")
    expect(asked).to_be_hidden()
    assert scorer.state["sides"][0]["front"] == 6


def test_a_score_is_corrected_by_both_sides_together_or_by_staff(
    visit: Any, house: House, staff: Page, keep: Any
) -> None:
    scorer = Player(house)
    scorer.do("peg", side=1, points=10)
    scorer.do("peg", side=2, points=8)
    ann = sit(visit, house, "Ann", 1)
    correct = ann.get_by_role("button", name="Correct a score …")
    box = correct.bounding_box()
    assert box is not None
    assert box["height"] >= 44
    ann.route("**/lines", lambda route: route.abort())
    correct.press("Enter")
    expect(ann.locator("#dialog")).to_contain_text("The kiosk does not answer")
    ann.get_by_role("button", name="Close").click()
    ann.unroute("**/lines")
    correct.press("Enter")
    ann.get_by_label("Which score").select_option(label="Ann pegs 10, now at 10")
    ann.get_by_label("Right points").fill("11")
    ann.get_by_label("Right points").press("Enter")
    expect(ann.locator("#alert")).to_contain_text("No phone is here that could say Yes. Ask the staff, or")
    bob = sit(visit, house, "Bob", 2)
    bob.locator("#asked").get_by_role("button").click()
    bob.get_by_role("button", name="No, keep it").click()
    expect(ann.locator("#said")).to_contain_text("No: the score stays")
    expect(ann.locator("#alert")).to_be_hidden()  # it is said once
    correct.press("Enter")
    ann.get_by_label("Right points").fill("13")
    ann.get_by_label("Right points").press("Enter")
    expect(ann.locator("#alert")).to_contain_text("The others are asked now")
    ended = json.dumps({**scorer.state, "asked": None})
    ann.route(
        "**/live?*",
        lambda route: route.fulfill(content_type="text/event-stream", body=f"event: state\ndata: {ended}\n\n"),
    )
    ann.evaluate("dispatchEvent(new Event('online'))")  # with a new stream
    expect(ann.locator("#alert")).to_contain_text("Nobody has said Yes: the score stays.")
    ann.unroute("**/live?*")
    correct.press("Enter")
    ann.get_by_label("Which score").select_option(label="Ann pegs 10, now at 10")
    ann.get_by_label("Right points").fill("12")
    clean(ann)
    keep(ann, "here-correct")
    ann.get_by_label("Right points").press("Enter")
    expect(ann.locator("#alert")).to_contain_text("The others are asked now")
    expect(ann.locator("#dialog")).not_to_be_visible()
    asked = bob.locator("#asked")
    expect(asked).to_contain_text(re.compile(r"Ann \(phone \d+\) corrects …"))
    expect(asked).to_have_attribute("role", "status")
    bob.locator("#tab-points").click()
    clean(bob)
    keep(bob, "here-correct-asked")
    asked.get_by_role("button").press("Enter")
    expect(bob.locator("#dialog")).to_contain_text("wants to correct “Ann pegs 10” to 12")
    clean(bob)
    keep(bob, "here-correct-question")
    bob.get_by_role("button", name="Yes, correct it").press("Enter")
    expect(ann.locator("#said")).to_contain_text("Ann pegs 12, corrected from 10 by Ann and Bob, now at 12.")
    expect(ann.locator("#undo")).to_contain_text("Ann pegs 12, corrected from 10 by Ann and Bob")
    expect(asked).to_be_hidden()
    at_staff = staff.get_by_role("button", name="Correct a score at Table 1")
    at_staff.click()
    staff.get_by_label("Which score").select_option(label="Bob pegs 8, now at 8")
    staff.get_by_label("Right points").fill("9")
    clean(staff)
    keep(staff, "here-staff-correct")
    staff.get_by_role("button", name="Correct", exact=True).click()
    expect(staff.locator("#said")).to_have_text("Bob pegs 9, corrected from 8 by staff, now at 9.")
    scorer.do("new")
    wait_for(lambda: house.get("/api/games?limit=2")["games"][0]["state"] == "open")
    over = house.get("/api/games?limit=2")["games"][1]["id"]
    staff.goto(f"{house.address}/game/{over}")
    expect(staff.locator("#events")).to_contain_text("Ann pegs 12, corrected from 10 by Ann and Bob.")
    staff.get_by_role("button", name="Correct a score …").click()
    staff.get_by_label("Which score").select_option(label="Bob pegs 9, corrected from 8 by staff.")
    staff.get_by_label("Right points").fill("7")
    staff.get_by_role("button", name="Correct", exact=True).click()
    expect(staff.locator("#corrections")).to_contain_text("A score of 9 is 7")
    expect(staff.locator("#scores")).to_contain_text("Bob7")
    clean(staff)
    keep(staff, "here-game-corrected")
