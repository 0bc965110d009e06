"""A tablet lies between the players: what is asked, counted and played is read at arm's length, both ways round."""

from __future__ import annotations

import re
from typing import Any

import pytest
from browser.chromium import PHONE, findings
from browser.house import House, Player, wait_for
from playwright.sync_api import Page, expect

SIZES = {"upright": {"width": 768, "height": 1024}, "aside": {"width": 1024, "height": 768}}
TABS = ("points", "hand", "play", "ask", "more")
SMALL = """() => [...document.querySelectorAll("main button, main a, footer button")]
  .filter((one) => one.checkVisibility({ visibilityProperty: true }))
  .map((one) => [one.textContent, one.getBoundingClientRect()])
  .filter(([, { width, height }]) => width && (width < 43.9 || height < 43.9))
  .map(([words, { width, height }]) => `${words}: ${width.toFixed()} x ${height.toFixed()}`)"""
# A nervous finger taps a card twice, and is by then on a button of what came over it.
TWICE = """async (card) => {
  const dialog = document.querySelector("#dialog");
  document.querySelector(card).click();
  for (let frame = 0; frame < 100 && !dialog.open; frame += 1) await new Promise(requestAnimationFrame);
  for (const button of dialog.querySelectorAll("button")) button.click();
}"""
every_way = pytest.mark.parametrize("size", SIZES.values(), ids=SIZES)


@every_way
def test_every_target_is_as_large_as_a_finger_and_nothing_is_cut_off(
    phone: Any, player: Player, size: dict[str, int], keep: Any
) -> None:
    player.begin("Ann", "Bob")
    player.do("starter", card="5D")
    page = phone(1, size)
    for tab in TABS:
        page.locator(f"#tab-{tab}").click()
        keep(page, f"tablet-{tab}-{size['width']}")
        assert page.evaluate(SMALL) == [], tab
        assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]
        assert not findings(page)


@every_way
def test_an_answer_stands_beside_its_question_until_it_is_no_longer_so(
    phone: Any, player: Player, size: dict[str, int]
) -> None:
    player.begin("Ann", "Bob")
    player.do("hand", side=1, cards=["5H", "5C", "5S", "JD"], starter="5D")
    page = phone(1, size)
    page.locator("#tab-ask").click()
    said = page.locator("#said").text_content()
    ask, other = page.locator("[data-key='ask-C']"), page.locator("[data-key='ask-T']")
    ask.click()
    expect(ask.locator(".reply")).to_contain_text("twenty-nine")
    expect(page.locator("#announcer")).to_contain_text("twenty-nine")
    expect(page.locator("#said")).to_have_text(said or "")
    other.click()
    expect(other.locator(".reply")).to_contain_text("Bob deals")
    expect(ask.locator(".reply")).to_be_empty()
    places = "() => [...document.querySelectorAll('.ask')].map((one) => one.getBoundingClientRect().top)"
    before = page.evaluate(places)
    player.do("peg", side=2, points=3)
    expect(other.locator(".reply")).to_be_empty()
    assert page.evaluate(places) == before, "what others do moves no question"


def test_what_saves_the_skunk_is_said_in_full_where_there_is_room(phone: Any, player: Player) -> None:
    player.begin("Ann", "Bob")
    player.do("set", side=1, front=71, back=64)
    player.do("set", side=2, front=107, back=83)
    for size, short in ((SIZES["upright"], False), (PHONE, True)):
        signs = phone(1, size).locator(".chip .signs").first
        expect(signs.get_by_text("20 to save the skunk")).to_be_visible(visible=not short)
        expect(signs.get_by_text("skunk \u221220")).to_be_visible(visible=short)


def test_a_phone_answers_in_its_line(phone: Any, player: Player) -> None:
    player.begin("Ann", "Bob")
    page = phone(1, PHONE)
    page.locator("#tab-ask").click()
    page.locator("[data-key='ask-T']").click()
    expect(page.locator("#said")).to_contain_text("Bob deals")
    expect(page.locator(".reply:visible")).to_have_count(0)


@every_way
def test_a_hand_says_what_to_tap_and_what_it_comes_to(phone: Any, player: Player, size: dict[str, int]) -> None:
    player.begin("Ann", "Bob")
    page = phone(2, size)
    page.locator("#tab-hand").click()
    prompt = page.locator(".prompt")
    expect(prompt).to_have_text("Your hand: tap four cards")
    page.locator("[data-key='crib']").click()
    expect(prompt).to_have_text("Your crib: tap four cards")
    for card, words in (
        ("5H", "Your crib: tap three more cards"),
        ("5C", "Your crib: tap two more cards"),
        ("5S", "Your crib: tap the last card"),
        ("JD", "Tap the starter"),
        ("5D", "Your crib"),
    ):
        page.locator(f"#panel-hand [data-card='{card}']").click()
        expect(prompt).to_have_text(words)
    expect(page.locator(".sum strong")).to_have_text("29")
    page.locator(".chip").first.click()
    expect(prompt).to_have_text("Ann\u2019s hand: tap four cards")
    expect(page.locator("[data-key='of-hand']")).to_have_text("Ann\u2019s hand")
    expect(page.locator("[data-key='crib']")).to_have_text("Your crib")


def test_a_hand_that_is_counted_makes_way_for_the_crib(phone: Any, player: Player) -> None:
    player.begin("Ann", "Bob")  # Bob deals
    player.do("hand", side=1, cards=["4H", "5C", "5S", "6D"], starter="JD")
    player.do("hand", side=2, cards=["2H", "3C", "4S", "KD"], starter="JD")
    page = phone(2, SIZES["aside"])
    page.locator("#tab-hand").click()
    prompt = page.locator(".prompt")
    expect(prompt).to_have_text("Your crib: tap four cards")
    expect(page.locator("#panel-hand .slot.next")).to_have_count(1)
    page.locator("[data-key='of-hand']").click()
    expect(prompt).to_have_text("Your hand is counted")
    player.do("hand", side=2, cards=["7H", "8C", "9S", "QD"], starter="JD", crib=True)
    expect(prompt).to_have_text("Your hand: tap four cards")
    page.locator("#undo .undo").click()
    expect(prompt).to_have_text("Your crib: tap four cards")
    page.locator(".chip").first.click()
    expect(prompt).to_have_text("Ann\u2019s hand is counted")


def test_what_is_tapped_already_stays_when_the_crib_falls_due(phone: Any, player: Player) -> None:
    player.begin("Ann", "Bob")
    player.do("hand", side=1, cards=["4H", "5C", "5S", "6D"], starter="JD")
    page = phone(2, PHONE)
    page.locator("#tab-hand").click()
    page.locator("#panel-hand [data-card='2H']").click()
    player.do("hand", side=2, cards=["2H", "3C", "4S", "KD"], starter="JD")
    expect(page.locator("#undo .undo")).to_contain_text("Bob")
    crib = page.locator("[data-key='crib']")
    expect(crib).to_have_attribute("aria-pressed", "false")
    expect(page.get_by_role("button", name="Card 1: two of hearts")).to_be_visible()
    page.get_by_role("button", name="Card 1: two of hearts").click()
    page.locator("#tab-points").click()
    page.locator("#tab-hand").click()
    crib.click()
    expect(crib).to_have_attribute("aria-pressed", "true")
    expect(page.locator("[data-key='of-hand']")).to_be_hidden()


def test_the_play_says_whose_card_to_tap(phone: Any, player: Player) -> None:
    player.begin("Ann", "Bob")
    page = phone(2, SIZES["aside"])
    page.locator("#tab-play").click()
    tip, lit = page.locator(".pile .tip"), page.locator(".chip[aria-pressed='true']")
    go, starter = page.locator("#panel-play .go"), page.locator("#panel-play .starter")
    expect(go).to_have_text("Gono card is laid yet")
    expect(go).to_be_disabled()
    expect(tip).to_have_text("Tap Ann\u2019s card")  # who leads, and this is Bob's tablet
    expect(lit).to_contain_text("Ann")
    expect(lit.locator(".now")).to_have_text("To play4 cards left")
    tops = [go.bounding_box(), starter.bounding_box()]
    starter.tap()
    expect(tip).to_have_text("Tap the card that is turned up")
    page.locator("#panel-play [data-card='5D']").tap()
    wait_for(lambda: player.state["table"]["starter"] == "5D")
    page.locator("#panel-play [data-card='7H']").tap()  # a tap is the next card, on everybody's tablet
    expect(tip).to_have_text("Tap Bob\u2019s card")
    expect(lit).to_contain_text("You")
    expect(lit.locator(".now")).to_have_text("To play4 cards left")
    expect(starter).to_be_disabled()
    player.do("play", side=2, card="9S")
    expect(tip).to_have_text("Tap Ann\u2019s card")
    assert [laid["side"] for laid in player.state["table"]["pile"]] == [1, 2]
    assert [go.bounding_box(), starter.bounding_box()] == tops, "nothing that a finger aims at moves"
    page.locator(".chip").last.click()  # once it was otherwise
    expect(tip).to_have_text("Tap Bob\u2019s card")
    undo = page.locator("#undo .undo")
    expect(undo).to_have_accessible_name("Undo Bob\u2019s nine of spades")
    player.do("play", side=1, card="8D")  # a run
    expect(tip).to_have_text("Tap Bob\u2019s card: 7 or lower fits")
    expect(undo).to_have_accessible_name("Undo eight of diamonds: Ann pegs 3")
    expect(page.locator(".gain").first).to_have_text("+3 run of three")
    for card, colour in (("7H", "orange"), ("9S", "blue")):
        expect(page.locator(f"#panel-play [data-card='{card}']")).to_have_attribute("data-colour", colour)
    expect(page.locator(".fits")).to_have_text("7 or lower fits")
    player.do("play", side=2, card="2C")  # nothing
    expect(page.locator(".running strong")).to_have_text("26")
    expect(page.locator(".gain").first).to_be_empty()
    offered = """() => {
      document.body.toggleAttribute("data-next", true);  // as after a match of a league night
      return document.querySelector("#tabs").checkVisibility();
    }"""
    assert not page.evaluate(offered), "all that is left is the next match"


@pytest.mark.parametrize("size", [PHONE, SIZES["aside"]], ids=["phone", "aside"])
def test_where_each_side_has_a_device_a_card_before_its_turn_is_asked_about(
    phone: Any, player: Player, keep: Any, size: dict[str, int]
) -> None:
    player.begin("Ann", "Bob")
    page, anns = phone(2, size), phone(1)
    page.clock.install()
    dialog, count = page.locator("#dialog"), page.locator(".running strong")
    last = page.locator("#panel-more .here li").last

    def has_heard(words: str) -> None:
        page.locator("#tab-more").click()
        expect(last).to_have_text(re.compile(words))
        page.locator("#tab-play").click()

    def tap(card: str) -> None:
        page.evaluate(TWICE, f"#panel-play [data-card='{card}']")
        expect(dialog).to_have_text("Whose card is it?Ann is to play.Ann\u2019sMineClose")
        expect(dialog).to_be_visible()

    has_heard(r"Ann.*Since [^,]*$")
    tap("7H")
    keep(page, f"play-whose-{size['width']}")
    assert not findings(page)
    for answer in dialog.get_by_role("button").all():
        box = answer.bounding_box()
        assert box
        assert box["height"] >= 44
    page.clock.fast_forward(1000)
    dialog.get_by_role("button", name="Mine").tap()
    expect(dialog).to_contain_text("It is Ann's turn")
    page.get_by_role("button", name="Leave it").tap()
    expect(count).to_have_text("0")
    anns.goto("about:blank")  # she has put her phone away
    tap("7H")
    page.clock.fast_forward(1000)
    dialog.get_by_role("button", name="Ann\u2019s").tap()
    expect(count).to_have_text("7")
    page.locator("#panel-play [data-card='9S']").tap()  # Bob's, as it is his turn
    expect(count).to_have_text("16")
    page.locator(".chip").first.tap()  # Ann's, as whoever taps her score says
    page.locator("#panel-play [data-card='8D']").tap()
    expect(count).to_have_text("24")
    page.locator("#panel-play [data-card='AD']").tap()
    expect(count).to_have_text("25")
    assert [laid["side"] for laid in player.state["table"]["pile"]] == [1, 2, 1, 2]
    player.begin("Ann", "Bob")
    has_heard("page closed")
    page.locator("#panel-play [data-card='7H']").tap()  # one device, as Ann has gone
    expect(count).to_have_text("7")
    anns.go_back()
    has_heard(r"Since [^,]*$")
    page.locator("#panel-play [data-card='9S']").tap()
    expect(count).to_have_text("16")
    tap("8D")
    page.keyboard.press("Escape")
    expect(count).to_have_text("16")
    assert [laid["side"] for laid in player.state["table"]["pile"]] == [1, 2]


@every_way
def test_whoever_says_go_taps_so_and_the_next_one_plays_on(phone: Any, player: Player, size: dict[str, int]) -> None:
    player.begin("Ann", "Bob")
    page, anns = phone(2, size), phone(1, size)
    for one in (page, anns):
        one.locator("#tab-play").click()
    for side, card in ((1, "7H"), (2, "9S")):
        player.do("play", side=side, card=card)
    page.clock.install()
    due, says = page.locator(".due"), page.locator("#panel-play .go")
    either = page.get_by_role("button", name="Bob can\u2019t play either 1 for Bob", exact=True)
    expect(page.locator(".running strong")).to_have_text("16")
    expect(says).to_have_text("Ann says gonot yet: every card fits")
    expect(says).to_be_disabled()
    assert page.locator("#undo .deal").evaluate("node => node.classList.contains('early')")
    player.do("play", side=1, card="8D")
    player.do("play", side=2, card="4S")
    expect(page.locator(".running strong")).to_have_text("28")
    expect(due).to_have_text(" Ann to play")
    chosen = page.locator(".chip[aria-pressed='true']")

    def after_anns_go() -> None:
        expect(due).to_have_text(" Bob to play")
        expect(anns.locator(".due")).to_have_text(" Bob to play")  # a go is said at the table, not to one tablet
        expect(page.locator("#announcer")).to_contain_text("Ann says go. Bob to play.")
        expect(page.locator("#said")).to_have_text("Ann says go. Bob to play.")
        expect(chosen).to_contain_text("Bob")
        expect(page.locator(".running strong")).to_have_text("28")
        expect(either).to_be_enabled()

    page.clock.fast_forward(1000)  # it was Bob's a moment ago
    page.get_by_role("button", name="Ann says go then Bob plays", exact=True).evaluate(
        "go => { go.click(); go.click(); }"  # a second tap of a nervous finger gives nobody a point
    )
    after_anns_go()
    assert "main" in str(says.get_attribute("class"))
    page.get_by_role("button", name="Undo Ann says go", exact=True).evaluate(
        "undo => { undo.click(); document.querySelector('#undo .undo').click(); }"  # the second takes back no card
    )
    expect(due).to_have_text(" Ann to play")
    expect(chosen).to_contain_text("Ann")
    page.get_by_role("button", name="Undo Bob\u2019s four of spades", exact=True).wait_for()
    expect(page.locator(".running strong")).to_have_text("28")
    page.clock.fast_forward(1000)
    says.press("Enter")
    after_anns_go()
    expect(says).to_be_focused()
    page.locator(".chip").first.click()  # a tap on the score of whoever said go takes it back as well
    for one in (due, anns.locator(".due")):
        expect(one).to_have_text(" Ann to play")
    assert player.state["table"]["goes"] == 0
    page.clock.fast_forward(1000)
    says.tap()
    after_anns_go()  # else the page asks whose card it is
    page.locator("#panel-play [data-card='2D']").tap()
    expect(page.locator(".running strong")).to_have_text("30")
    assert [laid["side"] for laid in player.state["table"]["pile"]] == [1, 2, 1, 2, 2]
    expect(due).to_have_text(" Bob to play")  # Ann said go at 28
    expect(says).to_have_text("Bob can\u2019t play1 for Bob")
    page.clock.fast_forward(1000)
    says.tap()
    expect(page.locator("#said")).to_contain_text("Bob pegs 1 for a go")
    expect(due).to_have_text(" Ann to play")


def test_a_key_is_all_that_an_answer_needs(visit: Any) -> None:
    page = visit("/learn", SIZES["aside"], has_touch=True, is_mobile=True)
    page.get_by_role("button", name="12", exact=True).tap()
    expect(page.locator("#typed")).to_be_hidden()
    page.get_by_role("button", name="Answer 12").tap()
    expect(page.locator("#lines li").first).to_be_visible()


def test_another_tab_does_not_say_what_the_last_one_said(phone: Any, player: Player) -> None:
    player.begin("Ann", "Bob")
    player.do("peg", side=2, points=3)
    page = phone(1)
    page.locator("[data-points='7']").click()
    page.get_by_role("button", name="Clear", exact=True).click()
    expect(page.locator("#said")).to_have_text("No points chosen")
    page.locator("#tab-hand").click()
    expect(page.locator("#said")).to_have_text("Bob pegs 3, now at 3.")


def columns(page: Page) -> int:
    drawn = page.locator("#panel-play .deck").evaluate("node => getComputedStyle(node).gridTemplateColumns")
    return len(str(drawn).split(" "))


@every_way
def test_the_arrow_keys_go_through_the_deck_as_it_is_drawn(phone: Any, player: Player, size: dict[str, int]) -> None:
    player.begin("Ann", "Bob")
    page = phone(0, size)
    page.locator("#tab-play").click()
    assert columns(page) == 13, "a suit in a row"
    page.locator("#panel-play [data-card='AS']").focus()
    page.keyboard.press("ArrowDown")
    expect(page.locator("#panel-play [data-card='AH']")).to_be_focused()


def test_the_play_says_whose_turn_it_is_and_shows_its_cards_large(phone: Any, player: Player, house: House) -> None:
    player.begin("Ann", "Bob")
    page = phone(1, SIZES["upright"])
    page.locator("#tab-play").click()
    expect(page.locator(".pile .first")).to_be_visible()
    player.do("play", side=1, card="7H")
    due = page.locator(".due")
    expect(due).to_have_text(" Bob to play")
    expect(page.locator(".pile .first")).to_have_count(0)
    assert due.evaluate("node => parseFloat(getComputedStyle(node).fontSize)") > 30
    card = page.locator(".laid .card").bounding_box()
    assert card
    assert card["height"] > 80
