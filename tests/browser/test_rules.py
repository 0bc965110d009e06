"""House rules on the phone and on the screen: chosen with a new game, shown, and honoured."""

from __future__ import annotations

import re
from typing import Any

import pytest
from browser.chromium import PHONE, SCREEN, UPRIGHT, findings
from browser.house import Player, wait_for
from browser.test_table import OUTSIDE, OVERLAPS
from playwright.sync_api import Page, expect

TALL = {"width": 360, "height": 740}
SMALL = {"width": 1280, "height": 720}
MANUAL = {"counting": "manual"}
HAND, STARTER = ["4C", "5D", "6H", "6S"], "9H"  # sixteen
PLAY = [(1, "7H"), (2, "8S"), (1, "KD"), (2, "6D"), (1, "5C"), (2, "QS"), (1, "2H"), (2, "AS")]


def front(page: Page, side: int) -> Any:
    return page.locator(".chip").nth(side - 1).locator(".front")


def fits(page: Page) -> bool:
    """Whether nothing is cut off at the side."""
    return bool(page.evaluate("document.documentElement.scrollWidth <= innerWidth"))


def tap(page: Page, name: str) -> None:
    """A button that has come, and has stood there for a moment: no finger was on its way to something else."""
    button = page.get_by_role("button", name=name)
    expect(button).to_be_visible()
    page.evaluate("const now = Date.now.bind(Date); Date.now = () => now() + 1000")
    button.click()


def enter(page: Page, claim: int) -> None:
    """A hand of sixteen on the tab Hand, and what its player says."""
    page.locator("#tab-hand").click()
    for card in [*HAND, STARTER]:
        page.locator(f"#panel-hand [data-card='{card}']").click()
    page.get_by_label("How much is it?").fill(str(claim))
    page.get_by_role("button", name=f"Claim {claim} for Ann").click()


def test_rules_are_chosen_with_a_new_game_by_keys_and_shown_on_phone_and_screen(
    phone: Any, visit: Any, player: Player, keep: Any
) -> None:
    player.begin("Ann", "Bob")
    page, screen = phone(1, TALL), visit("/table/1", SMALL)
    page.locator("#tab-more").click()
    expect(page.locator("#panel-more")).to_contain_text("The kiosk counts the hands.")
    expect(page.get_by_role("button", name="Muggins …")).to_be_hidden()
    page.get_by_role("button", name="New game …").press("Enter")
    expect(page.get_by_label("Counting")).to_be_hidden()
    page.get_by_label("With house rules").press("Space")
    expect(page.get_by_label("Muggins: opponents may call")).to_be_hidden()
    page.get_by_label("Counting").select_option("manual")
    page.get_by_label("Muggins: opponents may call").press("Space")
    page.get_by_label("Time to count a hand").select_option("30")
    assert not findings(page)
    assert fits(page)
    page.get_by_label("Counting").scroll_into_view_if_needed()
    keep(page, "phone-rules-new-game")
    page.get_by_role("button", name="Start").press("Enter")
    wait_for(lambda: player.state["rules"]["words"] == ["players count", "muggins", "30 seconds to count"])
    expect(page.locator("#panel-more")).to_contain_text("House rules: players count, muggins, 30 seconds to count.")
    expect(screen.locator(".middle .rules")).to_have_text("Players count, muggins, 30 seconds to count.")
    assert not findings(page)
    assert not findings(screen)
    keep(page, "phone-rules-more")
    keep(screen, "table-rules")
    page.get_by_role("button", name="New game …").click()
    expect(page.get_by_label("With house rules")).to_be_checked()
    expect(page.get_by_label("Muggins: opponents may call")).to_be_checked()


def test_partners_choose_no_time_limit_and_a_playroom_no_muggins(phone: Any, player: Player) -> None:
    player.do("new", names=["Ann", "Bob", "Cleo", "Dan"], teams=2, rules={"playroom": True})
    page = phone(0, TALL)
    page.locator("#tab-more").click()
    page.get_by_role("button", name="New game …").click()
    expect(page.get_by_label("Counting")).to_have_value("playroom")
    for hidden in ("Time to count a hand", "Muggins: opponents", "Overcount"):
        expect(page.get_by_label(hidden)).to_be_hidden()
    expect(page.get_by_label("Tournament")).to_be_visible()
    page.get_by_label("With house rules").uncheck()
    page.get_by_role("button", name="Start").click()
    wait_for(lambda: player.state["rules"]["words"] == [])


def test_players_say_what_a_hand_is_worth_before_anything_shows_it(phone: Any, player: Player, keep: Any) -> None:
    player.begin("Ann", "Bob", rules=MANUAL)
    page = phone(1, TALL)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.locator("#tab-hand").click()
    for card in [*HAND, STARTER]:
        page.locator(f"#panel-hand [data-card='{card}']").click()
    expect(page.locator("#panel-hand")).not_to_contain_text("fifteen")
    expect(page.locator("#panel-hand .ok")).to_have_attribute("aria-disabled", "true")
    expect(page.get_by_label("How much is it?")).to_be_focused()  # not a card, which Enter would remove
    assert not findings(page)
    keep(page, "phone-rules-claim")
    page.get_by_label("How much is it?").fill("12")
    expect(page.get_by_role("button", name="Claim 12 for Ann")).to_be_enabled()
    page.keyboard.press("Enter")
    expect(page.locator("#dialog")).to_contain_text("Ann claims twelve; the hand counts sixteen")
    assert not findings(page)
    keep(page, "phone-rules-wrong")
    page.get_by_role("button", name="Go on").click()
    assert player.state["sides"][0]["front"] == 12
    assert not [url for url in asked if url.endswith("/api/count")]


def test_players_say_what_a_card_makes(phone: Any, player: Player, keep: Any) -> None:
    player.begin("Ann", "Bob", rules=MANUAL)
    player.do("play", side=1, card="7H")
    page = phone(2, TALL)
    page.locator("#tab-play").click()
    page.get_by_label("My card makes").select_option("2")
    assert not findings(page)
    assert fits(page)
    keep(page, "phone-rules-play")
    page.locator("#panel-play [data-card='8S']").click()
    expect(front(page, 2)).to_have_text("2")
    expect(page.get_by_label("My card makes")).to_have_value("0")


def test_at_a_tournament_a_card_that_was_tapped_without_a_number_is_taken_back(phone: Any, player: Player) -> None:
    player.begin("Ann", "Bob", rules={**MANUAL, "tournament": True})
    player.do("play", side=1, card="7H")
    page = phone(2, TALL)
    page.locator("#tab-play").click()
    page.locator("#panel-play [data-card='8S']").click()  # fifteen, and a slip
    page.get_by_role("button", name="Undo Bob\u2019s eight of spades").click()
    wait_for(lambda: player.state["table"]["running"] == 7)


def test_what_a_refused_card_was_said_to_make_is_said_again_with_the_next(phone: Any, player: Player) -> None:
    player.begin("Ann", "Bob", rules=MANUAL)
    player.do("play", side=1, card="7H")
    page = phone(1, TALL)
    page.locator("#tab-play").click()
    page.get_by_label("My card makes").select_option("2")
    page.locator("[data-key='chip-1']").click()
    page.locator("#panel-play [data-card='8S']").click()
    page.get_by_role("button", name="Leave it").click()  # it is Bob's turn
    expect(page.get_by_label("My card makes")).to_have_value("2")
    assert player.state["table"]["running"] == 7
    held: list[Any] = []
    page.route("**/orders", lambda route: held.append(route), times=1)
    page.get_by_label("My card makes").select_option("0")
    page.locator("[data-key='chip-2']").click()
    with page.expect_request("**/orders"):
        page.locator("#panel-play [data-card='8S']").click()
    for card in ("9D", "2C"):
        page.locator(f"#panel-play [data-card='{card}']").click()
    page.get_by_label("My card makes").select_option("3")
    page.locator("#panel-play [data-card='4C']").click()  # one more than may wait
    expect(page.locator("#alert")).to_contain_text("on its way")
    expect(page.get_by_label("My card makes")).to_have_value("3")
    held[0].continue_()
    expect(page.locator(".running strong")).to_have_text("26")
    expect(page.get_by_label("My card makes")).to_have_value("3")


def test_muggins_is_on_every_tab_of_an_opponents_phone_while_it_can_be_called(
    phone: Any, visit: Any, player: Player, keep: Any
) -> None:
    player.begin("Ann", "Bob", rules={**MANUAL, "muggins": True})
    ann, bob, screen = phone(1, TALL), phone(2, TALL), visit("/table/1", SMALL)
    enter(ann, 12)
    expect(front(ann, 1)).to_have_text("12")
    expect(screen.locator("#below")).to_contain_text("Ann: 12.")
    expect(screen.locator("#below")).not_to_contain_text("fifteen")
    expect(ann.get_by_role("button", name="Muggins on")).to_have_count(0)
    call = bob.get_by_role("button", name="Muggins on Ann …")
    expect(call).to_be_visible()
    assert not findings(bob)
    assert not findings(screen)
    keep(bob, "phone-rules-muggins")
    keep(screen, "table-rules-open")
    call.press("Enter")
    assert not findings(bob)
    expect(bob.locator("#dialog input, #dialog select")).to_have_count(1)  # one number, for it is clear who calls whom
    bob.get_by_role("spinbutton", name="Points").fill("4")
    bob.get_by_role("spinbutton", name="Points").press("Enter")
    expect(bob.locator("#dialog")).to_contain_text("If Ann missed fewer than 4, Ann pegs all 4.")
    assert not findings(bob)
    keep(bob, "phone-rules-muggins-cost")
    bob.get_by_role("button", name="Leave it").click()
    assert player.state["sides"][1]["front"] == 0
    call.click()
    bob.get_by_role("spinbutton", name="Points").fill("4")
    bob.get_by_role("spinbutton", name="Points").press("Enter")
    bob.get_by_role("button", name="Call 4").click()
    expect(front(bob, 2)).to_have_text("4")
    expect(call).to_have_count(0)
    expect(screen.locator("#below")).to_contain_text("Bob pegs 4 by muggins for an error by Ann")


def test_a_wrong_call_says_on_the_screen_who_pegs_and_who_called(phone: Any, visit: Any, player: Player) -> None:
    player.begin("Ann", "Bob", rules={**MANUAL, "muggins": True})
    bob, screen = phone(2, TALL), visit("/table/1", SMALL)
    player.do("hand", side=1, cards=HAND, starter=STARTER, claim=16)
    tap(bob, "Muggins on Ann …")
    bob.get_by_role("spinbutton", name="Points").fill("1")
    bob.get_by_role("spinbutton", name="Points").press("Enter")
    expect(bob.locator("#dialog")).to_contain_text("If Ann missed nothing, Ann pegs 1.")
    bob.get_by_role("button", name="Call 1").click()
    expect(front(bob, 1)).to_have_text("17")
    expect(screen.locator("#below")).to_contain_text("Ann pegs 1 by muggins for an error by Bob, now at 17.")


def test_a_phone_for_all_is_asked_who_calls_of_three_and_where_only_points_are_told_whom(
    phone: Any, player: Player
) -> None:
    player.begin("Ann", "Bob", "Cleo", rules={**MANUAL, "muggins": True})
    page = phone(0, TALL)
    player.do("hand", side=3, cards=HAND, starter=STARTER, claim=12)
    tap(page, "Muggins on Cleo …")
    page.get_by_label("Who calls").select_option("2")
    expect(page.get_by_label("Who missed them")).to_have_count(0)
    page.get_by_role("spinbutton", name="Points").fill("3")
    page.get_by_role("spinbutton", name="Points").press("Enter")
    page.get_by_role("button", name="Call 3").click()
    expect(front(page, 2)).to_have_text("3")
    page.locator("#tab-more").click()
    page.get_by_role("button", name="Muggins …").click()
    page.get_by_label("Who missed them").select_option("1")
    page.get_by_role("button", name="Cancel").click()


def below(screen: Page) -> tuple[str, str]:
    """The large figure and what stands over it."""
    whose = screen.locator("#below .whose")
    figure = whose.locator(".figure-large").evaluate("node => node.firstChild.textContent")
    return str(figure), whose.locator(".muted").inner_text()


@pytest.mark.parametrize(
    ("rules", "claim", "shown"),
    [
        ({"overcount": True}, 18, ("16", "Hand, claimed 18, 2 to Bob")),
        ({"overcount": True, "muggins": True}, 18, ("16", "Hand, claimed 18, 2 to Bob")),
        ({}, 12, ("12", "Hand, worth 16")),
        ({}, 16, ("16", "Hand")),
    ],
    ids=str,
)
def test_the_screen_shows_the_points_that_were_pegged_and_what_went_to_the_other_side(
    visit: Any, player: Player, keep: Any, rules: dict[str, Any], claim: int, shown: tuple[str, str]
) -> None:
    player.begin("Ann", "Bob", rules={**MANUAL, **rules})
    screen = visit("/table/1", SMALL)
    player.do("hand", side=1, cards=HAND, starter=STARTER, claim=claim)
    expect(screen.locator("#below .figure-large")).to_be_visible()
    assert below(screen) == shown
    assert screen.evaluate(OVERLAPS) == []
    assert screen.evaluate(OUTSIDE) == []
    keep(screen, f"table-rules-claimed-{claim}-{len(rules)}")


@pytest.mark.parametrize("size", [SMALL, SCREEN, UPRIGHT], ids=str)
@pytest.mark.parametrize("others", [1, 2, 5])
def test_the_words_for_what_went_to_others_have_room(
    visit: Any, player: Player, keep: Any, size: dict[str, int], others: int
) -> None:
    names = ["Bartholomäus Q. Wang", *("Wilhelmina Mommsen" + letter for letter in "ABCDE"[:others])]
    player.do("new", names=names, rules={"playroom": True})
    screen = visit("/table/1", size)
    player.do("hand", side=1, cards=HAND, starter=STARTER, claim=12)
    expect(screen.locator("#below .whose")).to_contain_text("worth 16, 4 to")
    keep(screen, f"table-rules-long-{size['width']}-{others}")
    assert screen.evaluate(OVERLAPS) == []
    assert screen.evaluate(OUTSIDE) == []


@pytest.mark.parametrize("size", [SMALL, UPRIGHT], ids=str)
def test_a_player_sees_and_hears_how_long_there_is_to_count(
    phone: Any, visit: Any, player: Player, keep: Any, size: dict[str, int]
) -> None:
    player.begin("Ann", "Bob", rules={**MANUAL, "muggins": True, "time_limit": 45, "tournament": True})
    page, screen = phone(1, TALL), visit("/table/1", size)
    player.do("starter", card="4C")
    for side, card in PLAY:
        player.do("play", side=side, card=card, again=True)
        if card == "6D":
            player.do("go", side=2)
    clock, said = page.locator(".countdown"), page.locator("#said")

    def left() -> int:
        return int(player.state["claims"]["left_s"])

    def number(words: Any) -> int:
        return int(re.findall(r"\d+", words.inner_text())[0])

    def is_right(words: Any) -> bool:
        """Whether it is the time that is left: a page counts whole seconds from those that it has heard."""
        before, shown = left(), number(words)
        return left() - 1 <= shown <= before + 2

    expect(clock).to_have_text(re.compile(r"Ann: 4\d seconds to count"))
    assert "seconds" not in said.inner_text(), "two lines would say how long there is, and one of them what was"
    for one in (clock, screen.locator(".middle .countdown")):
        expect(one).to_have_text(re.compile(r"Ann: \d+ seconds to count"))
        wait_for(lambda one=one: is_right(one))
    first = number(clock)
    wait_for(lambda: number(clock) < first - 1 and is_right(clock))  # it runs by itself
    assert not findings(page)
    assert not findings(screen)
    assert screen.evaluate(OVERLAPS) == []
    assert screen.evaluate(OUTSIDE) == []
    keep(page, "phone-rules-time")
    keep(screen, f"table-rules-time-{size['width']}")
    page.locator("#tab-ask").click()
    page.get_by_role("button", name="What was said last?").click()
    expect(said).to_have_text(re.compile(r"Ann: 4\d seconds to count"))
    before = left()
    page.get_by_role("button", name="Whose turn is it?").click()
    expect(said).to_have_text(re.compile(r"Ann: \d+ seconds to count\."))
    assert left() - 1 <= number(said) <= before + 2
    late = phone(2, TALL)
    expect(late.locator(".countdown")).to_be_visible()
    wait_for(lambda: is_right(late.locator(".countdown")))


@pytest.mark.parametrize(
    ("rules", "claim", "said"),
    [
        ({"playroom": True}, 12, "fifteen two"),
        ({**MANUAL, "overcount": True}, 18, "fifteen two"),
        (MANUAL, 0, "fifteen two"),
        ({**MANUAL, "muggins": True}, 0, "Ann: 0."),
    ],
    ids=str,
)
def test_the_screen_shows_the_count_of_a_claim_that_gave_points_to_others_or_was_nothing(
    visit: Any, player: Player, rules: dict[str, Any], claim: int, said: str
) -> None:
    player.begin("Ann", "Bob", rules=rules)
    screen = visit("/table/1", SMALL)
    player.do("peg", side=2, points=1)
    player.do("hand", side=1, cards=HAND, starter=STARTER, claim=claim)
    expect(screen.locator("#below")).to_contain_text(said)
    expect(screen.locator("#below .figure-large")).to_be_visible()
    player.do("peg", side=2, points=3)
    expect(screen.locator("#below")).to_contain_text("Bob pegs 3")


def test_a_screen_of_six_has_room_for_the_rules(visit: Any, player: Player, keep: Any) -> None:
    rules = {**MANUAL, "muggins": True, "overcount": True, "tournament": True, "nineteen": True}
    player.do("new", names=["Ann", "Bob", "Cleo", "Dan", "Eve", "Fay"], rules=rules)
    for name, size in (("wide", SCREEN), ("small", SMALL), ("upright", UPRIGHT)):
        screen = visit("/table/1", size)
        words = screen.locator(".middle .rules")
        assert words.bounding_box()["x"] + words.bounding_box()["width"] <= size["width"]
        expect(words).to_contain_text("nineteen for nothing")
        keep(screen, f"table-rules-six-{name}")
        assert screen.evaluate(OVERLAPS) == []
        assert screen.evaluate(OUTSIDE) == []
        assert not findings(screen)


def test_at_a_tournament_no_phone_counts_practises_or_sees_odds(phone: Any, player: Player) -> None:
    player.begin("Ann", "Bob", rules={**MANUAL, "tournament": True})
    page = phone(1, PHONE)
    asked = """([path, body]) => fetch(path, {
        method: body ? "POST" : "GET", body: body && JSON.stringify(body), headers: {"Content-Type": "application/json"}
      }).then(async (response) => [response.status, await response.json()])"""
    hand = {"cards": HAND, "starter": STARTER}
    status, reply = page.evaluate(asked, ["/api/count", hand])
    assert (status, reply["error"]["message"]) == (409, "the players count at this table")
    status, reply = page.evaluate(asked, ["/api/learn/question", {"set": "all", "answers": []}])
    assert (status, reply["error"]["message"]) == (409, "a tournament is on")
    practice = page.context.new_page()
    practice.goto(page.url.partition("/score")[0] + "/learn")
    expect(practice.locator("#wrong")).to_contain_text("A tournament is on")
    expect(practice.locator("main button, summary").filter(visible=True)).to_have_count(0)
    practice.close()
    player.do("peg", side=1, points=2)
    wait_for(lambda: page.evaluate(asked, ["/api/boards/1/game", None])[1].get("events"))
    assert "chances" not in str(page.evaluate(asked, ["/api/boards/1/game", None]))
    assert player.state["chances"] is None
