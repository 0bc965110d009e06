"""Who listens instead of looking: what is announced and in which order, and where the keyboard is afterwards."""

from __future__ import annotations

from typing import Any

import pytest
from browser.chromium import SCREEN
from browser.house import Player, wait_for
from playwright.sync_api import Page, expect

# What a screen reader is given, in order: the polite line, and what alerts and statuses come to say.
HEARD = """() => {
  window.heard = [];
  for (const region of document.querySelectorAll('[aria-live], [role=alert], [role=status]')) {
    new MutationObserver(() => region.textContent.trim() && window.heard.push(region.textContent.trim()))
      .observe(region, { childList: true, characterData: true, subtree: true });
  }
}"""


@pytest.fixture(autouse=True)
def _game(player: Player) -> None:
    player.begin("Ann", "Bob")


def listen(page: Page) -> Page:
    """Note what is announced from now on, while the page's clock stands; time comes by `later`."""
    expect(page.locator("#announcer")).to_have_text("")  # how it stood when the page came has been said
    page.clock.install()
    page.evaluate(HEARD)
    return page


def heard(page: Page) -> list[str]:
    said: list[str] = page.evaluate("window.heard")
    return said


def later(page: Page) -> None:
    """All that was waiting is said."""
    page.clock.run_for(60_000)


def shows(page: Page, line: str) -> None:
    """The newest line has come to the page, whether it was announced or not."""
    expect(page.locator("#said")).to_contain_text(line)


def announce(page: Page, choice: str) -> None:
    page.locator("#tab-more").click()
    page.get_by_label("What is read aloud").select_option(choice)


@pytest.mark.parametrize("side", [1, 2], ids=["winner", "loser"])
def test_a_win_is_announced_on_the_phone(phone: Any, player: Player, side: int) -> None:
    player.do("set", side=1, front=119, back=100)
    page = listen(phone(side))
    player.do("peg", side=1, points=2)
    shows(page, "Ann wins with 121. Bob has 0, double-skunked.")
    later(page)
    assert heard(page)[-2] == "Ann pegs 2, now at 121."
    assert heard(page)[-1].startswith("Ann wins with 121.")


def test_a_win_is_announced_on_the_screen(visit: Any, player: Player) -> None:
    player.do("set", side=1, front=119, back=100)
    page = visit("/table/1", SCREEN)
    page.locator(".panel").first.wait_for()
    listen(page)
    player.do("peg", side=1, points=2)
    shows(page, "Ann wins")
    later(page)
    assert heard(page)[-1].startswith("Ann wins with 121.")


def test_cards_without_points_the_starter_and_counts_are_said_in_words(phone: Any, player: Player) -> None:
    page = listen(phone(1))
    player.do("starter", card="5D")
    shows(page, "The starter is the five of diamonds.")
    later(page)
    player.do("play", side=1, card="7C")
    shows(page, "Ann plays the seven of clubs: seven.")
    later(page)
    player.do("play", side=2, card="TH")
    shows(page, "Bob plays the ten of hearts: seventeen.")
    later(page)
    player.do("hand", side=2, cards=["5H", "5C", "5S", "JD"], again=True)
    shows(page, "jack of diamonds with the five of diamonds: fifteen two")
    later(page)
    assert heard(page)[:3] == [
        "The starter is the five of diamonds.",
        "Ann plays the seven of clubs: seven.",
        "Bob plays the ten of hearts: seventeen.",
    ]
    assert heard(page)[3].endswith("and nobs for twenty-nine. Bob counts 29, now at 29.")


def test_the_number_that_was_chosen_is_announced(phone: Any) -> None:
    page = listen(phone(1))
    page.locator("[data-points='9']").click()
    page.locator("#tab-points").focus()
    page.keyboard.type("12")
    page.keyboard.press("Backspace")
    page.keyboard.press("Escape")
    page.keyboard.type("31")
    assert heard(page) == [
        "9 for Ann",
        "1 for Ann",
        "12 for Ann",
        "1 for Ann",
        "No points chosen",
        "3 for Ann",
        "31 is too many: 29 is the most. No points chosen.",
    ]


def test_the_newest_line_replaces_what_was_not_spoken_but_no_win_and_no_points_of_ones_own(
    phone: Any, player: Player
) -> None:
    player.do("set", side=1, front=110, back=100)
    page = listen(phone(1))
    player.do("starter", card="5D")
    shows(page, "five of diamonds")
    for card in ("7C", "2H"):
        player.do("play", side=2, card=card, again=True)
    player.do("peg", side=1, points=3)
    player.do("peg", side=2, points=4)
    player.do("peg", side=2, points=5)
    player.do("peg", side=1, points=8)
    shows(page, "Ann wins")
    player.do("undo", rev=player.state["rev"])
    shows(page, "Undid")
    later(page)
    assert [line.split(".")[0] for line in heard(page)] == [
        "The starter is the five of diamonds",
        "Ann pegs 3, now at 113",
        "Ann pegs 8, now at 121",
        "Ann wins with 121",
        "Undid: Ann pegs 8",
    ]


def test_a_listener_chooses_all_points_only_or_on_request(phone: Any, player: Player) -> None:
    page = phone(1)
    announce(page, "points")
    page.reload()  # which the phone remembers
    page.locator("#foot").wait_for()
    listen(page)
    player.do("starter", card="5D")
    shows(page, "five of diamonds")
    player.do("peg", side=2, points=4)
    shows(page, "Bob pegs 4")
    later(page)
    assert heard(page) == ["Bob pegs 4, now at 4."]
    announce(page, "asked")
    player.do("peg", side=2, points=3)
    shows(page, "Bob pegs 3")
    player.do("peg", side=1, points=2)
    shows(page, "Ann pegs 2")
    later(page)
    assert heard(page)[1:] == ["Ann pegs 2, now at 2."]
    page.locator("#tab-points").click()
    page.keyboard.press("s")
    later(page)
    assert heard(page)[-1] == "Ann 2, Bob 7. Bob leads by 5."


def test_a_key_repeats_the_last_line(phone: Any, player: Player) -> None:
    page = phone(1)
    announce(page, "asked")
    page.locator("#tab-points").click()
    listen(page)
    player.do("play", side=2, card="7C", again=True)
    shows(page, "Bob plays the seven of clubs: seven.")
    page.keyboard.press("r")
    page.keyboard.press("r")
    assert heard(page) == ["Bob plays the seven of clubs: seven."] * 2


def test_an_answer_interrupts_what_may_be_dropped_and_no_points_of_ones_own(phone: Any, player: Player) -> None:
    page = listen(phone(1))
    player.do("peg", side=2, points=4)
    shows(page, "Bob pegs 4")
    page.keyboard.press("s")
    assert heard(page) == ["Bob pegs 4, now at 4.", "Ann 0, Bob 4. Bob leads by 4."]
    later(page)
    player.do("peg", side=1, points=4)
    shows(page, "Ann pegs 4")
    page.keyboard.press("s")
    assert heard(page)[-1] == "Ann pegs 4, now at 4."
    later(page)
    assert heard(page)[-1] == "Ann 4, Bob 4. Level."


def test_the_keyboard_is_never_lost(phone: Any, player: Player) -> None:
    page = phone(1)

    def held() -> str:
        return str(page.evaluate("document.activeElement.id || document.activeElement.className"))

    page.locator("[data-points='4']").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    wait_for(lambda: player.state["sides"][0]["front"] == 4)
    assert held() == "main ok"
    page.locator("[data-key='undo']").press("Enter")
    page.locator("[data-key='redo']").press("Enter")  # and with nothing to redo it goes
    expect(page.locator("#tab-points")).to_be_focused()
    page.locator("#tab-play").click()
    page.locator("#panel-play [data-card='7H']").press("Enter")
    expect(page.locator(".running strong")).to_have_text("7")
    page.locator("[data-key='undo']").press("Enter")
    expect(page.locator(".running strong")).to_have_text("0")
    expect(page.locator("[data-key='undo']")).to_be_focused()
    page.locator("#tab-hand").click()
    page.locator("#panel-hand [data-card='AS']").focus()
    page.keyboard.type("5H5C5SJD5D")
    expect(page.get_by_role("button", name="Peg 29 for Ann")).to_be_focused()
    page.keyboard.press("Enter")
    wait_for(lambda: player.state["sides"][0]["front"] == 33)
    expect(page.locator("#panel-hand .deck [tabindex='0']")).to_be_focused()
    change = page.get_by_role("button", name="Change side")
    assert change.bounding_box()["height"] >= 44
    change.press("Enter")
    expect(page.locator("#pick button").first).to_be_focused()


def test_a_winning_hand_is_explained_pegged_and_announced_and_the_keyboard_stays(phone: Any, player: Player) -> None:
    player.do("set", side=1, front=115, back=100)
    player.do("starter", card="5D")
    page = listen(phone(1))
    page.locator("#tab-hand").click()
    page.locator("#panel-hand [data-card='AS']").focus()
    page.keyboard.type("5H5C5D5SJD")
    expect(page.get_by_role("button", name="Peg 29 for Ann")).to_be_focused()
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    shows(page, "Ann wins")
    expect(page.locator("#panel-hand .deck [tabindex='0']")).to_be_focused()
    later(page)
    *typed, explained, pegged, won = heard(page)
    assert typed == [
        "Five of hearts, then three more cards.",
        "Five of clubs, then two more cards.",
        "Five of diamonds: the starter.",
        "Five of spades, then the last card.",
    ]
    assert explained.startswith("Fifteen two, fifteen four,")
    assert (pegged, won.split(".")[0]) == ("Ann counts 29, now at 121.", "Ann wins with 121")
