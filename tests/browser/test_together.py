"""Two phones and the bar's screen at one table: nothing is lost or doubled, and what breaks heals by itself."""

from __future__ import annotations

import re
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from browser.chromium import PHONE, SCREEN
from browser.house import House, Player, invitation, wait_for
from playwright.sync_api import expect


def front(page: Any, side: int) -> Any:
    return page.locator(".front").nth(side - 1)


def peg(page: Any, points: int) -> None:
    page.locator(f"[data-points='{points}']").click()
    page.locator("#panel-points .ok").click()


def answered(page: Any) -> None:
    """Until nothing of this page is on its way."""
    expect(page.locator("#panel-points .ok")).to_be_disabled()
    wait_for(lambda: page.evaluate("!document.body.hasAttribute('data-busy')"))


def test_two_phones_and_the_screen_play_a_stretch(phone: Any, visit: Any, player: Player) -> None:
    player.begin("Ann", "Bob")
    ann, bob, screen = phone(1), phone(2), visit("/table/1", SCREEN)
    for points in (2, 3, 1, 4, 2, 5):
        peg(ann, points)
        peg(bob, points + 1)
        answered(ann)
        answered(bob)
    assert [side["front"] for side in player.state["sides"]] == [17, 23]
    for page in (ann, bob, screen):
        expect(front(page, 1)).to_have_text("17")
        expect(front(page, 2)).to_have_text("23")


def test_a_code_scanned_onto_the_page_that_is_open_joins_it(visit: Any, house: House, player: Player) -> None:
    player.begin("Ann", "Bob")
    page = visit("/score/1", PHONE)
    page.get_by_label("Six digits").wait_for()
    page.evaluate("to => { location.href = to; }", invitation(house))
    page.get_by_text("Which side is yours?").wait_for()
    assert "#" not in page.url


def test_who_was_overtaken_is_asked_in_words(phone: Any, player: Player) -> None:
    player.begin("Ann", "Bob")
    one = phone(1)
    one.locator("[data-points='4']").click()
    wait_for(lambda: player.state["sides"][0]["waiting"] == 4)
    one.route("**/orders", lambda route: (player.do("peg", side=1, points=2), route.continue_()), times=1)
    one.locator("#panel-points .ok").click()
    expect(one.locator("#dialog[open]")).to_contain_text("“4 for Ann” has not counted. Meanwhile: Ann pegs 2")
    one.get_by_role("button", name="Peg it anyway").click()
    expect(front(one, 1)).to_have_text("6")
    wait_for(lambda: player.state["sides"][0]["waiting"] == 0)


def test_what_was_left_after_all_waits_no_longer(phone: Any, player: Player) -> None:
    player.begin("Ann", "Bob")
    one = phone(1)
    one.locator("[data-points='4']").click()
    wait_for(lambda: player.state["sides"][0]["waiting"] == 4)
    one.route("**/orders", lambda route: (player.do("set", side=1, front=9), route.continue_()), times=1)
    one.locator("#panel-points .ok").click()
    one.get_by_role("button", name="Leave it").click()
    wait_for(lambda: player.state["sides"][0]["waiting"] == 0)
    assert player.state["sides"][0]["front"] == 9


def test_two_who_undo_one_mistake_undo_it_once(phone: Any, player: Player) -> None:
    player.begin("Ann", "Bob")
    player.do("peg", side=1, points=5)
    player.do("peg", side=1, points=9)
    one, other = phone(1), phone(2)
    for page in (one, other):
        expect(page.locator(".undo").first).to_contain_text("Ann pegs 9")
    held: list[Any] = []
    other.route(
        "**/orders", lambda route: held.append(route), times=1
    )  # its order is late, so that it was given without seeing the first
    with other.expect_request("**/orders"):
        other.evaluate("document.querySelector('button.undo').click()")
    one.evaluate("document.querySelector('button.undo').click()")
    expect(front(other, 1)).to_have_text("5")
    with other.expect_response("**/orders"):
        held[0].continue_()
    for page in (one, other):
        expect(front(page, 1)).to_have_text("5")


def test_an_order_given_without_wifi_is_kept_and_counts_once(phone: Any, player: Player) -> None:
    player.begin("Ann", "Bob")
    page = phone(1)
    page.context.set_offline(True)
    expect(page.locator("#link")).to_have_text("No connection")
    peg(page, 6)
    expect(page.locator("#waits")).to_contain_text("“6 for Ann” will be sent again")
    peg(page, 3)
    expect(page.locator("#alert")).to_contain_text("still on its way")
    assert player.state["sides"][0]["front"] == 0
    page.context.set_offline(False)
    expect(front(page, 1)).to_have_text("6")
    expect(page.locator("#alert")).to_be_hidden()
    expect(page.locator("#link")).to_have_text("Connected")
    expect(page.locator("#waits")).not_to_be_visible()


def test_a_lost_answer_is_asked_for_again_with_the_same_key(phone: Any, player: Player) -> None:
    player.begin("Ann", "Bob")
    page = phone(1)
    keys: list[str] = []

    def lose(route: Any) -> None:
        order = route.request.post_data_json
        if order["do"] != "peg":
            route.continue_()
            return
        keys.append(order["key"])
        if len(keys) < 3:
            route.fetch()  # the kiosk has done it, and the answer is lost
            route.abort()
        else:
            route.continue_()

    page.route("**/orders", lose)
    peg(page, 8)
    expect(page.locator("#waits")).to_contain_text("“8 for Ann”")
    expect(page.locator("#waits")).not_to_be_visible()
    assert len(set(keys)) == 1
    assert re.fullmatch(r"[A-Za-z0-9_-]{16,40}", keys[0])
    assert player.state["sides"][0]["front"] == 8


def test_an_order_survives_the_phones_reload(phone: Any, player: Player) -> None:
    player.begin("Ann", "Bob")
    page = phone(1)
    page.route("**/orders", lambda route: route.abort())
    peg(page, 7)
    expect(page.locator("#waits")).to_be_visible()
    page.unroute("**/orders")
    page.reload()
    expect(front(page, 1)).to_have_text("7")
    assert player.state["sides"][0]["front"] == 7


def test_an_old_order_is_sent_only_when_somebody_says_so(phone: Any, player: Player) -> None:
    player.begin("Ann", "Bob")
    page = phone(1)
    page.route("**/orders", lambda route: route.abort())
    peg(page, 7)
    expect(page.locator("#waits")).to_be_visible()
    page.evaluate(
        """() => { const kept = JSON.parse(localStorage['cribboard.order.1']); kept.at -= 3600000;
                   localStorage['cribboard.order.1'] = JSON.stringify(kept); }"""
    )
    page.unroute("**/orders")
    page.reload()
    expect(page.locator("#dialog")).to_contain_text("“7 for Ann” was entered on this phone but has not counted")
    expect(page.locator("#dialog .main")).to_have_text("Forget it")
    page.get_by_role("button", name="Forget it").click()
    page.reload()
    expect(front(page, 1)).to_have_text("0")
    assert player.state["sides"][0]["front"] == 0


def test_an_old_order_that_has_counted_is_not_asked_about(phone: Any, player: Player) -> None:
    player.begin("Ann", "Bob")
    page = phone(1)

    def lose(route: Any) -> None:
        if route.request.post_data_json["do"] == "peg":
            route.fetch()  # the kiosk has done it, and the answer is lost
            route.abort()
        else:
            route.continue_()

    page.route("**/orders", lose)
    peg(page, 7)
    expect(page.locator("#waits")).to_be_visible()
    page.evaluate(
        """() => { const kept = JSON.parse(localStorage['cribboard.order.1']); kept.at -= 3600000;
                   localStorage['cribboard.order.1'] = JSON.stringify(kept); }"""
    )
    page.reload()
    expect(page.locator("#said")).to_have_text("Ann pegs 7, now at 7.")
    wait_for(lambda: page.evaluate("!localStorage['cribboard.order.1']"))
    expect(page.locator("#dialog")).not_to_be_visible()
    assert player.state["sides"][0]["front"] == 7


def test_of_an_old_order_that_the_kiosk_cannot_look_up_nobody_says_that_it_has_not_counted(
    phone: Any, player: Player
) -> None:
    player.begin("Ann", "Bob")
    page = phone(1)
    page.route("**/orders", lambda route: (route.fetch(), route.abort()))  # it counts, and the answer is lost
    peg(page, 7)
    expect(page.locator("#waits")).to_be_visible()
    page.evaluate(
        """() => { const kept = JSON.parse(localStorage['cribboard.order.1']); kept.at -= 3600000;
                   localStorage['cribboard.order.1'] = JSON.stringify(kept); }"""
    )
    page.route("**/orders/*", lambda route: route.fulfill(status=403, json={"error": {"code": "failed"}}))
    page.reload()
    expect(page.locator("#said")).to_have_text("Nobody can say whether “7 for Ann” has counted. Look at the score.")
    expect(page.locator("#dialog")).not_to_be_visible()
    assert player.state["sides"][0]["front"] == 7


@contextmanager
def stopped(house: House) -> Iterator[None]:
    """Without its kiosk meanwhile, which other tests need again."""
    house.stop()
    try:
        yield
    finally:
        house.start()


def test_a_restart_of_the_kiosk_is_shown_and_heals(
    phone: Any, visit: Any, player: Player, house: House, keep: Any
) -> None:
    player.begin("Ann", "Bob")
    page, screen = phone(1), visit("/table/1", SCREEN)
    expect(screen.locator(".front").first).to_have_text("0")
    with stopped(house):
        expect(page.locator("#link")).to_have_text("No connection")
        expect(screen.locator("#trouble")).to_contain_text("No connection to the kiosk")
        keep(screen, "table-lost")
        peg(page, 9)
        expect(page.locator("#waits")).to_contain_text("will be sent again")
        keep(page, "phone-lost")
    expect(front(page, 1)).to_have_text("9")
    expect(screen.locator(".front").first).to_have_text("9")
    expect(screen.locator("#trouble")).not_to_be_visible()
    expect(page.locator("#waits")).not_to_be_visible()


@pytest.fixture
def beside(tmp_path: Path) -> Iterator[tuple[House, subprocess.Popen[str]]]:
    """A house whose board is a process of its own, to pull its plug."""
    one = House(tmp_path / "house")
    board = one.board_process()
    assert board.stdout is not None
    board.stdout.readline()
    with one:
        yield one, board
    one.stop_board(board, signal.SIGKILL)
    board.wait()
    board.stdout.close()


def test_a_board_that_does_not_answer_is_shown_and_comes_back(
    beside: tuple[House, subprocess.Popen[str]], chromium: Any, keep: Any
) -> None:
    house, board = beside
    Player(house).begin("Ann", "Bob")
    page = chromium.new_page(viewport=SCREEN)
    page.goto(f"{house.address}/table/1")
    expect(page.locator(".front").first).to_have_text("0")
    house.stop_board(board, signal.SIGSTOP)
    expect(page.locator("#trouble")).to_be_visible()
    for said in page.locator("#trouble > *").all_inner_texts():
        assert said[:1].isupper() and said.endswith(".")
    keep(page, "table-away")
    house.stop_board(board, signal.SIGCONT)
    expect(page.locator("#trouble")).not_to_be_visible()
    page.close()


def test_each_table_knows_its_own_board(chromium: Any, tmp_path: Path) -> None:
    with House(tmp_path / "house", ("first", "second")) as house:
        one, two = Player(house, 1), Player(house, 2)
        one.begin("Ann", "Bob")
        two.begin("Cid", "Dee")
        two.do("peg", side=1, points=4)
        page = chromium.new_page(viewport=SCREEN)
        page.goto(f"{house.address}/")
        expect(page.locator(".place")).to_have_count(2)
        expect(page.locator(".place").nth(1)).to_contain_text("Cid")
        page.get_by_role("link", name="Show on a screen: Table 2").click()
        expect(page.locator("#scores")).to_contain_text("Cid")
        expect(page.locator("#scores")).not_to_contain_text("Ann")
        page.goto(f"{house.address}/score/1")
        page.get_by_label("Six digits").fill(house.get("/api/boards/2/invite")["code"])
        page.get_by_role("button", name="Join").click()
        expect(page.get_by_role("alert").first).not_to_be_empty()
        page.close()


def test_the_token_is_not_left_in_the_address(phone: Any, player: Player) -> None:
    player.begin("Ann", "Bob")
    page = phone(1)
    assert "#" not in page.url
