"""The deal passes on every phone and on the screen, and one score is not pegged by two phones without a question."""

from __future__ import annotations

from typing import Any

import pytest
from browser.chromium import PHONE, SCREEN, UPRIGHT, findings
from browser.house import Player, wait_for
from browser.test_table import OUTSIDE, OVERLAPS
from playwright.sync_api import Page, expect

TALL = {"width": 360, "height": 740}
TABS = ("points", "hand", "play", "ask", "more")
ANN, BOB = ["5H", "5C", "5S", "JD"], ["2H", "3H", "8H", "KC"]
CRIB = ["TS", "JH", "QC", "KD"]


@pytest.fixture(autouse=True)
def _game(player: Player) -> None:
    player.begin("Ann", "Bob")  # Bob deals


def counted(player: Player) -> None:
    """The deal up to its crib."""
    player.do("hand", side=1, cards=ANN, starter="5D")
    player.do("hand", side=2, cards=BOB)
    player.do("hand", side=2, cards=CRIB, crib=True)


def dealer(player: Player) -> str:
    return str(player.state["dealer"]["name"])


def tap(page: Page, *cards: str) -> None:
    for card in cards:
        page.locator(f"[role=tabpanel]:not([hidden]) [data-card='{card}']").click()


def peg(page: Page, points: int) -> None:
    page.locator(f"[data-points='{points}']").click()
    page.locator("#panel-points .ok").click()


def big(page: Page) -> Any:
    return page.locator("#undo").get_by_role("button", name="Next deal Ann deals")


def test_after_the_crib_the_next_deal_is_on_every_tab_and_on_the_screen(
    phone: Any, visit: Any, player: Player, keep: Any
) -> None:
    page, screen = phone(1, TALL), visit("/table/1", SCREEN)
    expect(big(page)).to_have_count(0)
    counted(player)
    expect(screen.locator(".middle")).to_contain_text("Next deal: Ann deals.")
    big(page).wait_for()
    assert not findings(page)
    assert not findings(screen)
    keep(screen, "table-next-deal")
    for tab in TABS:
        page.locator(f"#tab-{tab}").click()
        box = big(page).bounding_box()
        assert box and box["height"] >= 44 and box["width"] > 100
        keep(page, f"phone-next-deal-{tab}")
    expect(page.locator("#said")).to_contain_text("Next deal: Ann deals.")
    big(page).dblclick()
    wait_for(lambda: dealer(player) == "Ann")
    expect(big(page)).to_have_count(0)
    assert dealer(player) == "Ann", "a nervous finger passes it once"
    expect(screen.locator(".middle")).not_to_contain_text("Next deal")


def test_the_next_deals_first_card_may_be_any_and_passes_the_deal(phone: Any, player: Player) -> None:
    counted(player)
    page = phone(2)
    page.locator("#tab-play").click()
    expect(page.locator(".made")).to_contain_text("Bob to play")
    tap(page, "5H")
    expect(page.locator(".running strong")).to_have_text("5")
    wait_for(lambda: dealer(player) == "Ann")
    expect(big(page)).to_have_count(0)


@pytest.mark.parametrize("typed", [False, True])
def test_the_next_deals_hand_may_have_any_cards_and_its_starter_passes_the_deal(
    phone: Any, player: Player, typed: bool
) -> None:
    counted(player)
    page = phone(1)
    page.locator("#tab-hand").click()
    expect(page.get_by_role("button", name="Starter: empty")).to_be_visible()
    if typed:
        page.get_by_label("Or type the cards").fill("5h 5c 5s jd 9d")
    else:
        tap(page, *ANN, "9D")
    page.get_by_role("button", name="Peg 15 for Ann").click()
    wait_for(lambda: player.state["sides"][0]["front"] == 44)
    assert (dealer(player), player.state["table"]["starter"]) == ("Ann", "9D")


def test_a_late_hand_does_not_pass_the_deal(phone: Any, player: Player) -> None:
    player.do("hand", side=1, cards=ANN, starter="5D")
    player.do("hand", side=2, cards=CRIB, crib=True)
    page = phone(2)
    page.locator("#tab-hand").click()
    expect(page.get_by_role("button", name="Starter: five of diamonds")).to_be_visible()
    page.get_by_label("Or type the cards").fill("2h 3h 8h kc 5d")
    page.locator("#panel-hand .ok").click()
    wait_for(lambda: player.state["table"]["counted"] == [1, 2])
    assert dealer(player) == "Bob"


def test_who_deals_is_a_button_on_every_tab_that_passes_the_deal(phone: Any, player: Player, keep: Any) -> None:
    page = phone(1, TALL)
    for tab in TABS:
        page.locator(f"#tab-{tab}").click()
        expect(page.get_by_role("button", name="Bob deals")).to_be_visible()
    keep(page, "phone-dealer")
    page.clock.install()
    page.get_by_role("button", name="Bob deals").click()
    passed = page.get_by_role("button", name="Ann deals")
    expect(passed).to_have_class("deal early")  # before the first card it has just been passed
    page.clock.fast_forward(1000)
    passed.click()
    expect(page.locator("#dialog")).to_contain_text("It has just been passed: Ann deals.")
    page.get_by_role("button", name="Leave it").click()
    expect(page.locator(".chip").first).to_contain_text("Deals")
    player.do("peg", side=1, points=7)
    player.do("undo", rev=player.state["rev"])
    expect(page.locator(".redo")).to_be_visible()
    keep(page, "phone-dealer-redo")


def test_when_only_points_were_pegged_it_is_asked_who_deals(phone: Any, visit: Any, player: Player, keep: Any) -> None:
    page, screen = phone(1, TALL), visit("/table/1", SCREEN)
    for points in (20, 20, 11):
        player.do("peg", side=1, points=points)
    expect(screen.locator(".panel").nth(1)).to_contain_text("Deals")
    player.do("peg", side=2, points=1)
    expect(screen.locator(".middle")).to_contain_text("Who deals?")
    for wrong in ("Deals", "Crib"):
        expect(screen.locator("#scores")).not_to_contain_text(wrong)
        expect(page.locator("#chips")).not_to_contain_text(wrong)
    keep(screen, "table-who-deals")
    for tab in TABS:
        page.locator(f"#tab-{tab}").click()
        expect(page.locator("#undo").get_by_role("button", name="Who deals?")).to_be_visible()
    page.locator("#tab-points").click()
    keep(page, "phone-who-deals")
    assert not findings(page)
    page.get_by_role("button", name="Who deals?").click()
    keep(page, "phone-who-deals-asked")
    assert not findings(page)
    page.locator("#dialog").get_by_role("button", name="Ann").click()
    wait_for(lambda: dealer(player) == "Ann")
    expect(screen.locator(".panel").first).to_contain_text("Deals")
    expect(page.get_by_role("button", name="Ann deals")).to_be_visible()


@pytest.mark.parametrize(("players", "teams"), [(2, 0), (3, 0), (4, 2), (6, 0)])
def test_the_screen_has_room_for_what_is_asked(visit: Any, player: Player, players: int, teams: int, keep: Any) -> None:
    names = ["Wwwwwwwwwwwwwwwwwwww", "A name of some width", "Cid", "Dee", "Ed", "Fran"]
    player.do("new", names=names[:players], target=121, teams=teams, dealer=2)
    crib = [*CRIB, "AS"] if players == 6 else CRIB
    player.do("hand", side=2, cards=crib, starter="5D", crib=True)
    page = visit("/table/1", SCREEN)
    for size in (SCREEN, UPRIGHT):
        page.set_viewport_size(size)
        page.reload()
        page.locator("#join svg").wait_for()
        expect(page.locator(".middle .deal")).to_be_visible()
        keep(page, f"table-next-deal-{players}-{teams}-{size['width']}")
        assert not page.evaluate(OUTSIDE), size
        assert not page.evaluate(OVERLAPS), size


@pytest.mark.parametrize(("choice", "front"), [("Leave it", 6), ("Peg 6 more", 12)])
def test_two_phones_that_peg_one_score_are_asked(
    phone: Any, player: Player, choice: str, front: int, keep: Any
) -> None:
    bob, ann = phone(2, TALL), phone(1, TALL)
    ann.locator("[data-points='6']").click()
    peg(bob, 4)
    expect(bob.locator(".front").nth(1)).to_have_text("4")
    bob.locator("[data-key='chip-1']").click()
    peg(bob, 6)
    expect(ann.locator(".front").first).to_contain_text("6")
    ann.locator("#panel-points .ok").click()
    dialog = ann.locator("#dialog[open]")
    expect(dialog).to_contain_text("Bob's phone pegged 6 for Ann")
    expect(dialog).to_contain_text("Peg 6 more?")
    expect(dialog.locator("button.main")).to_have_text("Leave it")
    expect(dialog.locator("button.main")).to_be_focused()
    keep(ann, "phone-doubled")
    assert not findings(ann)
    dialog.get_by_role("button", name=choice).click()
    wait_for(lambda: player.state["sides"][0]["front"] == front)
    expect(ann.locator("#dialog")).to_be_hidden()


def test_two_tabs_of_one_browser_are_asked_and_one_that_is_loaded_again_is_not(phone: Any, player: Player) -> None:
    one = phone(1)
    other = one.context.new_page()
    other.goto(one.url)
    other.locator("#foot").wait_for()
    peg(one, 2)
    expect(one.locator(".front").first).to_have_text("2")
    one.reload()
    one.locator("#foot").wait_for()
    peg(one, 2)
    wait_for(lambda: player.state["sides"][0]["front"] == 4)
    peg(one, 2)
    wait_for(lambda: player.state["sides"][0]["front"] == 6)
    peg(other, 2)
    expect(other.locator("#dialog[open]")).to_contain_text("Another page of this phone pegged 2 for Ann")
    other.get_by_role("button", name="Leave it").click()
    assert player.state["sides"][0]["front"] == 6


def test_a_copy_of_a_tab_is_another_page(phone: Any, player: Player) -> None:
    one = phone(1)
    with one.context.expect_page() as opened:
        one.evaluate("window.open(location.href)")  # takes the session's storage along
    copy = opened.value
    copy.locator("#foot").wait_for()
    peg(one, 3)
    wait_for(lambda: player.state["sides"][0]["front"] == 3)
    peg(copy, 3)
    expect(copy.locator("#dialog[open]")).to_contain_text("Another page of this phone")


def test_a_lost_answer_to_a_score_that_counted_asks_nothing(phone: Any, player: Player) -> None:
    page = phone(1)
    lost: list[str] = []

    def lose(route: Any) -> None:
        order = route.request.post_data_json
        if order["do"] != "peg" or lost:
            route.continue_()
            return
        lost.append(order["key"])
        route.fetch()  # the kiosk has done it, and the answer is lost
        player.do("peg", side=1, points=8, again=True)
        route.abort()

    page.route("**/orders", lose)
    peg(page, 8)
    wait_for(lambda: page.evaluate("!document.body.hasAttribute('data-busy')"))
    expect(page.locator("#dialog")).to_be_hidden()
    assert player.state["sides"][0]["front"] == 16


def test_the_same_cards_for_both_sides_are_refused_in_words(phone: Any, player: Player, keep: Any) -> None:
    player.do("hand", side=1, cards=ANN, starter="5D")
    page = phone(2, PHONE)
    page.locator("#tab-hand").click()
    page.get_by_label("Or type the cards").fill("5h 5c 5s jd")
    page.locator("#panel-hand .ok").click()
    expect(page.locator("#alert")).to_contain_text("is in Ann's hand, which was counted in this deal")
    keep(page, "phone-same-cards")
    assert player.state["sides"][1]["front"] == 0
