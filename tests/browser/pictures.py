"""The landlord's pictures, made from a real kiosk: cd tests && python -m browser.pictures FOLDER"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from browser.chromium import PHONE, SCREEN, UPRIGHT, launch, no_browser
from browser.house import House, Player, invitation

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

SHARP = 2  # pixels of a picture for one of the page
DESK = {"width": 1100, "height": 760}
EVENING = (("Ann", "Bob", 121, 88), ("Ann", "Bob", 97, 121), ("Cid", "Bob", 121, 59), ("Ann", "Dee", 121, 110))


def main() -> None:
    """Make all pictures in a folder."""
    if len(sys.argv) != 2:
        sys.exit("say in which folder: python -m browser.pictures FOLDER")
    why = no_browser()
    if why:
        sys.exit(why)
    from playwright.sync_api import sync_playwright

    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as home, House(Path(home)) as house, sync_playwright() as playwright:
        browser = launch(playwright)
        for name, page in pictures(house, browser):
            page.screenshot(path=folder / f"{name}.png")
            print(folder / f"{name}.png")
        browser.close()


def pictures(house: House, browser: Browser) -> Any:
    """Each picture's name, with the page as it is to be taken."""
    player = Player(house)
    evening(player)
    player.begin("Ann", "Bob")
    player.do("set", side=1, front=71, back=64)
    player.do("set", side=2, front=83, back=75)
    player.do("hand", side=2, cards=["4H", "5C", "6S", "6D"], starter="5D")
    player.do("hand", side=1, cards=["7H", "8C", "8S", "9D"], starter="5D")
    screen = opened(browser, f"{house.address}/table/1", SCREEN, 1)
    screen.locator("#join svg").wait_for()
    settle(screen)
    yield "screen", screen
    upright = opened(browser, f"{house.address}/table/1", UPRIGHT, 1)
    upright.locator("#join svg").wait_for()
    settle(upright)
    yield "screen-upright", upright
    phone = opened(browser, invitation(house), PHONE)
    phone.get_by_text("Which side is yours?").wait_for()
    yield "phone-join", phone
    phone.locator(".pickside").first.click()
    phone.locator("[data-points='7']").click()
    settle(phone)
    yield "phone-points", phone
    phone.locator("[data-points='7']").click()
    phone.get_by_role("button", name="Clear", exact=True).click()
    player.do("deal")
    player.do("starter", card="5D")
    phone.locator("#tab-hand").click()
    phone.get_by_role("button", name="Starter: five of diamonds").wait_for()
    for card in ("5H", "5C"):
        phone.locator(f"#panel-hand [data-card='{card}']").click()
    yield "phone-hand", phone
    for card in ("5S", "JD"):
        phone.locator(f"#panel-hand [data-card='{card}']").click()
    phone.locator(".parts li").first.wait_for()
    settle(phone)
    yield "phone-count", phone
    for card in ("7H", "8S", "9D"):
        player.do("play", side=player.state["table"]["next"], card=card)
    phone.locator("#tab-play").click()
    settle(phone)
    yield "phone-play", phone
    yield "screen-play", screen
    player.do("set", side=1, front=119, back=110)
    player.do("peg", side=1, points=2)
    screen.locator("#win").wait_for()
    settle(screen)
    yield "screen-win", screen
    yield from to_read(house, browser)


def to_read(house: House, browser: Browser) -> Any:
    """The pages of the house."""
    for name, path, wait in (
        ("tables", "/", ".place"),
        ("history", "/history", "#players table"),
        ("player", "/player/1", "#figures div"),
        ("game", "/game/5", "#events li"),
    ):
        page = opened(browser, house.address + path, DESK)
        page.locator(wait).first.wait_for()
        settle(page)
        yield name, page
    page = opened(browser, f"{house.address}/staff", DESK)
    page.get_by_label("PIN").fill(house.pin)
    page.get_by_role("button", name="Enter").click()
    page.locator("#players table").wait_for()
    settle(page)
    yield "staff", page


def evening(player: Player) -> None:
    """Some games that were played before."""
    for one, other, mine, theirs in EVENING:
        player.begin(one, other)
        player.do("hand", side=1, cards=["4H", "5C", "5S", "6D"], starter="JD")
        player.do("hand", side=2, cards=["2H", "3C", "4S", "KD"], starter="JD")
        for side, score in ((1, mine), (2, theirs)):
            player.do("set", side=side, front=min(score, 119), back=min(score, 119) - 9)
        player.do("peg", side=1 if mine > theirs else 2, points=2)


def opened(browser: Browser, address: str, size: dict[str, int], sharp: int = SHARP) -> Page:
    """A page of its own device."""
    page = browser.new_context(viewport=size, device_scale_factor=sharp, reduced_motion="reduce").new_page()
    page.goto(address)
    return page


def settle(page: Page) -> None:
    """Until the lights have come."""
    page.wait_for_timeout(500)


if __name__ == "__main__":
    os.environ.setdefault("CRIBBOARD_PORT", "sim")
    main()
