"""A page's stream that hangs, a part of it that does not come, screens that stay on, browsers that are too old."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest
from browser.chromium import PHONE, SCREEN, findings
from browser.house import House, Player, invitation, wait_for
from playwright.sync_api import Page, expect

HEALED_S = 15
STREAMS = """window.streams = 0;
window.EventSource = class extends EventSource { constructor(address) { super(address); window.streams += 1; } };"""
LOCKS = """window.locks = 0; navigator.wakeLock.request = async (kind) => {
  window.locks += kind === "screen"; return { released: false, release: async () => {} }; };"""
OLD = "delete HTMLScriptElement.prototype.noModule"
NOT_OLD_ENOUGH = "CSS.supports = (words) => !words.includes(':has')"  # reads modules, and shows the page in pieces


class Hanging:
    """A way to the kiosk on which connections that are open can hang: nothing comes through, and nothing breaks."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.server = socket.create_server(("127.0.0.1", 0))
        self.port = self.server.getsockname()[1]
        self.hung = 0  # connections up to this one
        self.made = 0
        self.used: set[int] = set()  # what a page has asked something through, and neither end has closed
        self.sockets = [self.server]
        threading.Thread(target=self._accept, daemon=True).start()

    def hang(self) -> None:
        wait_for(lambda: len(self.used) == 1)  # only the stream, as when nothing has happened for some seconds
        self.hung = self.made

    def close(self) -> None:
        for one in self.sockets:
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            one.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                page, _ = self.server.accept()
                kiosk = socket.create_connection(("127.0.0.1", self.house.port))
                self.sockets += [page, kiosk]
                self.made += 1
                for start, end in ((page, kiosk), (kiosk, page)):
                    threading.Thread(target=self._carry, args=(start, end, self.made), daemon=True).start()

    def _carry(self, start: socket.socket, end: socket.socket, number: int) -> None:
        with suppress(OSError):
            while data := start.recv(65536):
                self.used.add(number)
                if number > self.hung:
                    end.sendall(data)
        self.used.discard(number)  # the kiosk ends one that is quiet for five seconds
        with suppress(OSError):
            if number > self.hung:
                end.shutdown(socket.SHUT_WR)


@pytest.fixture
def way(house: House) -> Iterator[Hanging]:
    one = Hanging(house)
    yield one
    one.close()


def joined(visit: Any, house: House, way: Hanging) -> Page:
    """A phone that has come this way, on which the page's time stands still."""
    page: Page = visit("about:blank", PHONE)
    page.add_init_script(STREAMS)
    page.clock.install()
    page.goto(invitation(house).replace(f":{house.port}/", f":{way.port}/"))
    page.locator("#pick .list > button").first.click()
    expect(page.locator("#link")).to_have_text("Connected")
    page.clock.pause_at(page.evaluate("Date.now() / 1000 + 1"))
    return page


def test_a_page_whose_connections_hang_heals_within_15_s(
    visit: Any, player: Player, house: House, way: Hanging
) -> None:
    page = joined(visit, house, way)
    way.hang()
    player.do("peg", side=2, points=7)
    for _ in range(HEALED_S):
        streams = page.evaluate("streams")
        page.clock.run_for(1000)
        if page.evaluate("streams") > streams:
            break
    else:
        pytest.fail("it does not ask again")
    expect(page.locator(".front").nth(1)).to_have_text("7")
    expect(page.locator("#link")).to_have_text("Connected")


def test_a_stream_that_slept_is_opened_again_and_what_happened_meanwhile_is_said(
    visit: Any, player: Player, house: House, way: Hanging
) -> None:
    page = joined(visit, house, way)
    player.do("peg", side=1, points=2)
    expect(page.locator("#said")).to_contain_text("Orange pegs 2")
    way.hang()
    player.do("peg", side=2, points=7)
    page.clock.pause_at(page.evaluate("Date.now() / 1000 + 6"))  # asleep: no script has run
    streams = page.evaluate("streams")
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    assert page.evaluate("streams") == streams + 1
    expect(page.locator("#said")).to_contain_text("Blue pegs 7")


def test_screens_and_the_computers_page_stay_on_too(visit: Any, phone: Any, house: House, player: Player) -> None:
    page = phone(1)
    page.add_init_script(LOCKS)
    for path in ("/table/1", "/screen", "/computer/1"):
        page.goto(house.address + path)
        wait_for(lambda: page.evaluate("window.locks") == 1)


@pytest.mark.parametrize("lacks", [OLD, NOT_OLD_ENOUGH], ids=["no modules", "no :has"])
@pytest.mark.parametrize("path", ["/table/1", "/screen", "/score/1", "/"])
def test_a_browser_that_is_too_old_says_so(visit: Any, player: Player, path: str, lacks: str, keep: Any) -> None:
    page = visit("about:blank", SCREEN)
    page.add_init_script(lacks)
    page.goto(player.house.address + path)
    said = page.get_by_role("alert").filter(has_text="This browser is too old for this page. Update it")
    expect(said).to_contain_text("A television can show the page from a small computer")
    assert said.bounding_box() == {"x": 0, "y": 0, "width": SCREEN["width"], "height": SCREEN["height"]}
    keep(page, "too-old")
    assert not findings(page)


@pytest.mark.parametrize(("path", "part"), [("/score/1", "dom.js"), ("/screen", "old.js"), ("/", "base.css")])
def test_a_page_of_which_a_part_does_not_come_is_loaded_again_as_soon_as_the_kiosk_is_there(
    visit: Any, player: Player, path: str, part: str
) -> None:
    page, address = visit("about:blank", SCREEN), player.house.address + path
    asked: list[str] = []

    def answer(route: Any) -> None:
        asked.append(route.request.method)
        route.continue_() if asked.count("HEAD") == 2 else route.abort()

    page.route(f"**/static/{part}", answer)
    page.route(address, lambda route: answer(route) if route.request.method == "HEAD" else route.continue_())
    page.clock.install()
    page.goto(address)
    said = page.get_by_role("alert").filter(has_text="A part of this page has not come")
    said.wait_for()
    wait_for(lambda: page.clock.run_for(1000) or asked[-3:] == ["HEAD", "HEAD", "GET"])
    said.wait_for(state="detached")


def test_a_page_whose_script_fails_is_not_loaded_again(chromium: Any, player: Player) -> None:
    page = chromium.new_page()
    page.clock.install()
    failing: list[str] = []
    page.on("pageerror", lambda error: failing.append(str(error)))
    page.route(
        "**/static/score.js", lambda route: route.fulfill(body="throw new Error()", content_type="text/javascript")
    )
    page.goto(f"{player.house.address}/score/1")
    page.clock.run_for(60_000)
    page.evaluate("0")
    assert len(failing) == 1
    page.context.close()
