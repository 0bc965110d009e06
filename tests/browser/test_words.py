"""What people read when a page, a board or a network is not there; and a phone that stays awake."""

from __future__ import annotations

import signal
from pathlib import Path
from typing import Any

import pytest
from browser.chromium import LAPTOP, PHONE, SCREEN, findings
from browser.house import House, Player, wait_for
from playwright.sync_api import expect

NO_LOCK = "delete Navigator.prototype.wakeLock"  # as over plain HTTP
PLAYING = "() => { const film = document.querySelector('video'); return film && !film.paused && film.readyState > 2; }"


@pytest.mark.parametrize("size", [LAPTOP, {"width": 320, "height": 568}], ids=["laptop", "phone"])
def test_a_wrong_address_is_a_page_that_leads_on(visit: Any, size: dict[str, int], keep: Any) -> None:
    page = visit("/nope", size)
    expect(page.get_by_role("heading", name="There is nothing at this address.")).to_be_visible()
    keep(page, f"words-nope-{size['width']}")
    assert not findings(page)
    page.get_by_role("link", name="See all tables").click()
    expect(page.get_by_role("heading", name="Tables", exact=True)).to_be_visible()


def test_a_code_is_printed_for_each_table(visit: Any, house: House, keep: Any) -> None:
    page = visit("/print", PHONE)
    poster = page.locator(".poster")
    expect(poster).to_have_count(1)
    expect(poster.get_by_role("img", name="QR code for Table 1")).to_be_visible()
    expect(poster.locator(".address")).to_have_text(f"{house.address.removeprefix('http://')}/score/1")
    assert not findings(page)
    page.emulate_media(media="print")
    expect(page.locator(".top")).not_to_be_visible()
    keep(page, "words-print")


def test_without_a_network_the_screen_says_so_where_the_code_would_be(
    visit: Any, player: Player, house: House, keep: Any
) -> None:
    page = visit("/", SCREEN)
    alone = {**house.get("/api/boards/1/invite"), "unreachable": True}
    page.route("**/api/boards/1/invite", lambda route: route.fulfill(json=alone))
    page.goto(f"{house.address}/table/1")
    expect(page.locator("#join")).to_contain_text("No network")
    assert page.locator("#join svg").count() == 0
    keep(page, "words-no-network")
    assert not findings(page)


def test_a_port_without_a_board_is_said_and_the_pages_come_when_it_is_there(chromium: Any, tmp_path: Path) -> None:
    port = tmp_path / "port"
    with House(tmp_path / "house", (), ("--port", str(port))) as house:
        page = chromium.new_page(viewport=SCREEN)
        page.goto(f"{house.address}/")
        expect(page.locator("#link")).to_contain_text(str(port))
        assert not findings(page)
        page.goto(f"{house.address}/table/1")
        expect(page.locator("h2").first).to_contain_text("plug a board in", ignore_case=True)
        board = house.board_process()
        try:
            assert board.stdout is not None
            port.symlink_to(next(word for word in board.stdout.readline().split() if word.startswith("/dev/")))
            expect(page.get_by_role("region", name="Nobody is playing")).to_be_visible()
        finally:
            house.stop_board(board, signal.SIGKILL)
            board.wait()
            board.stdout.close()
        page.close()


def test_a_phone_stays_awake_where_browsers_have_no_lock(
    phone: Any, house: House, chromium: Any, player: Player
) -> None:
    page = phone(1)
    page.add_init_script(NO_LOCK)
    page.reload()
    page.locator("[data-points='3']").click()
    wait_for(lambda: page.evaluate(PLAYING))
    film = page.locator("video")
    box = film.bounding_box()
    assert box
    assert (box["width"], box["height"]) == (PHONE["width"], PHONE["height"])  # a browser asks for a large one
    assert not findings(page)
    page.locator("#tab-more").click()
    page.get_by_label("Keep this screen on").uncheck()
    wait_for(lambda: not page.evaluate(PLAYING))
    page.reload()
    page.locator("#tab-more").click()
    expect(page.get_by_label("Keep this screen on")).not_to_be_checked()
    assert page.locator("video").count() == 0


def test_a_phone_stays_awake_by_the_lock_where_there_is_one(phone: Any, player: Player) -> None:
    page = phone(1)
    page.add_init_script(
        """window.locks = []; navigator.wakeLock.request = async kind => {
             const lock = {kind, released: false, release: async () => { lock.released = true; }};
             locks.push(lock); return lock; }"""
    )
    page.reload()
    wait_for(lambda: page.evaluate("locks.length === 1 && locks[0].kind === 'screen' && !locks[0].released"))
    page.locator("#tab-more").click()
    page.get_by_label("Keep this screen on").uncheck()
    wait_for(lambda: page.evaluate("locks.length === 1 && locks[0].released"))
    assert page.locator("video").count() == 0
