"""The page of a game that the program has dealt: what each choice cost, asked for with a press."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest
from browser.chromium import LAPTOP, PHONE, findings
from browser.house import House, Player, wait_for
from playwright.sync_api import expect

GAME = ("Ann", "Bob", "--computer", "Ann:learner", "--computer", "Bob:club", "--seed", "5", "--target", "61", "--new")
PATIENCE_MS = 150_000  # it is polite to everything else on the computer


def newest(house: House) -> int:
    """The number of the newest game, which is won."""
    wait_for(lambda: house.get("/api/games?limit=1")["games"][0]["state"] == "won")
    number: int = house.get("/api/games?limit=1")["games"][0]["id"]
    return number


@pytest.fixture
def played(house: House) -> int:
    """A game that `cribboard play` has played at the kiosk's board; its number in the history."""
    uid = house.get("/api/boards")["boards"][0]["board"]["uid"]
    command = [sys.executable, "-m", "cribboard", "--board", uid, "play", *GAME]
    subprocess.run(command, stdin=subprocess.DEVNULL, check=True, capture_output=True, env=house._environment())
    return newest(house)


@pytest.mark.long
def test_a_game_is_reviewed_in_a_table_of_text(visit: Any, house: House, played: int, keep: Any) -> None:
    page = visit(f"/game/{played}", PHONE)
    part = page.locator("#review")
    part.get_by_role("button", name="Work it out").press("Enter")
    expect(part.locator("#review-said")).to_be_focused()
    worst = part.get_by_role("region", name="What cost most").get_by_role("table")
    expect(worst.get_by_role("row")).to_have_count(4, timeout=PATIENCE_MS)
    expect(worst.get_by_role("columnheader")).to_have_count(7)
    expect(part).to_contain_text("% of a win; luck")
    expect(worst.get_by_role("row").nth(1)).to_contain_text("%")
    part.locator("summary").press("Enter")
    expect(part.get_by_role("region", name="All choices")).to_be_visible()
    for size in (PHONE, LAPTOP):
        page.set_viewport_size(size)
        assert not findings(page)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        part.scroll_into_view_if_needed()
        keep(page, f"review-{size['width']}")


def test_without_known_cards_the_page_says_so(visit: Any, house: House, player: Player) -> None:
    player.do("new", names=["Ann", "Bob"], target=61, rules={})
    player.do("set", side=1, front=61, back=0)
    page = visit(f"/game/{newest(house)}", PHONE)
    expect(page.locator("#review-said")).to_contain_text("The cards of this game are not known")
    expect(page.locator("#review").get_by_role("button")).to_have_count(0)
