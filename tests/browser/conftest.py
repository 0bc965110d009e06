"""A house and a browser for these tests. In CI they may not skip."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from browser.chromium import LAPTOP, PHONE, lacking, launch, no_browser
from browser.house import PATIENCE_S, House, Player, invitation

BUILD = Path(os.environ.get("CRIBBOARD_PICTURES", Path(__file__).parent / "build"))
Open = Callable[..., Any]
NETWORK = ("Failed to load resource", "WebSocket connection to")  # what a browser says of what is not there


def or_skip(why: str) -> None:
    """Skip the test when there is a reason."""
    if why:
        if os.environ.get("CI"):
            pytest.fail(why)
        pytest.skip(why)


def browser_scope(fixture_name: str, config: pytest.Config) -> Any:
    """For a run of these tests alone: where a browser is, its event loop runs, and others could have none of theirs."""
    return "session" if [Path(arg).name for arg in config.args] == ["browser"] else "module"


@pytest.fixture(scope=browser_scope)
def chromium() -> Iterator[Any]:
    or_skip(lacking())
    from playwright.sync_api import expect, sync_playwright

    expect.set_options(timeout=1000 * PATIENCE_S)

    with sync_playwright() as playwright:
        browser = launch(playwright)
        yield browser
        browser.close()


@pytest.fixture
def a_browser() -> None:
    """For a program that opens the browser itself."""
    or_skip(no_browser())


@pytest.fixture(scope="module")
def open_house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """One for a module: a kiosk takes two seconds to start, and a twelfth of a core while it waits."""
    with House(tmp_path_factory.mktemp("open") / "house") as one:
        yield one


@pytest.fixture
def house(open_house: House) -> House:
    """With a new game, between guests; tests that want a history of their own have a house of their own."""
    Player(open_house).begin("", "", again=True)  # a game against the computer may be on
    return open_house


@pytest.fixture
def player(house: House) -> Player:
    return Player(house)


@pytest.fixture
def visit(chromium: Any, request: pytest.FixtureRequest) -> Iterator[Open]:
    """Opens a page as a device of its own; at the end every page must have been without an error of its own.

    A path is one of the house's, which is there from then on.
    """
    contexts: list[Any] = []
    wrong: list[str] = []

    def opened(path: str, size: dict[str, int], **more: Any) -> Any:
        context = chromium.new_context(viewport=size, reduced_motion=more.pop("motion", "reduce"), **more)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(1000 * PATIENCE_S)
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on(
            "console",
            lambda said: (
                wrong.append(said.text)
                if said.type == "error" and not any(words in said.text for words in NETWORK)
                else None
            ),
        )
        page.goto(request.getfixturevalue("house").address + path if path.startswith("/") else path)
        return page

    yield opened
    for context in contexts:
        context.close()
    assert not wrong, wrong


@pytest.fixture
def phone(visit: Open, house: House) -> Open:
    """A phone that has come by the QR code; with a side, or 0 for the whole table."""

    def joined(side: int = 0, size: dict[str, int] | None = None, **more: Any) -> Any:
        page = visit(invitation(house), size or PHONE, has_touch=True, **more)
        page.locator("#pick .list > button").nth(side - 1 if side else -1).click()
        page.locator("#foot").wait_for()
        return page

    return joined


@pytest.fixture
def staff(visit: Open, house: House) -> Any:
    """The staff's room, entered with the PIN."""
    page = visit("/staff", LAPTOP, accept_downloads=True)
    page.get_by_label("PIN").fill(house.pin)
    page.get_by_role("button", name="Enter").click()
    page.locator("#players table").wait_for()
    return page


@pytest.fixture
def keep() -> Callable[[Any, str], None]:
    """Keeps a picture of a page in the build folder."""

    def kept(page: Any, name: str) -> None:
        BUILD.mkdir(parents=True, exist_ok=True)
        page.screenshot(path=BUILD / f"{name}.png")

    return kept
