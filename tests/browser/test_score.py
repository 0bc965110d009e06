"""A phone keeps score: points, hands, the play, and what is needed seldom."""

from __future__ import annotations

import re
from typing import Any

import pytest
from browser.chromium import PHONE
from browser.house import House, Player, wait_for
from playwright.sync_api import Page, expect

SETTLED_MS = 750  # until a tap on a button that has just come counts


@pytest.fixture(autouse=True)
def _game(player: Player) -> None:
    player.begin("Ann", "Bob")


def front(page: Page, side: int) -> Any:
    return page.locator(".chip").nth(side - 1).locator(".front")


def answered(page: Page) -> None:
    """Until nothing of this page is on its way."""
    wait_for(lambda: page.evaluate("!document.body.hasAttribute('data-busy')"))


def tap(page: Page, *cards: str) -> None:
    for card in cards:
        page.locator(f"[role=tabpanel]:not([hidden]) [data-card='{card}']").click()


def test_a_number_is_shown_on_the_strip_before_it_is_pegged(phone: Any, player: Player) -> None:
    page = phone(1)
    page.locator("[data-points='29']").click()
    wait_for(lambda: player.state["sides"][0]["waiting"] == 29)
    expect(page.locator("#preview")).to_have_text("Ann 0 → 29")
    page.get_by_role("button", name="Peg 29").click()
    expect(front(page, 1)).to_have_text("29")
    assert player.state["sides"][0]["waiting"] == 0
    expect(page.locator("#undo")).to_contain_text("Ann pegs 29")


def test_a_number_goes_from_the_strip_with_the_phone_that_entered_it(phone: Any, player: Player) -> None:
    page = phone(1)
    player.do("pend", side=2, points=5)
    page.locator("[data-points='9']").click()
    wait_for(lambda: player.state["sides"][0]["waiting"] == 9)
    assert player.state["sides"][0]["waiting_by"].startswith("phone ")
    page.close()
    wait_for(lambda: player.state["sides"][0]["waiting"] == 0)
    assert player.state["sides"][1]["waiting"] == 5, "it went by itself, as this one would have before"


def test_a_number_goes_from_the_strip_by_itself_and_the_phone_keeps_it(phone: Any, player: Player) -> None:
    page = phone(1)
    page.locator("[data-points='9']").click()
    wait_for(lambda: player.state["sides"][0]["waiting"] == 9)
    wait_for(lambda: player.state["sides"][0]["waiting"] == 0)
    page.locator("[data-points='9']").click()
    wait_for(lambda: player.state["sides"][0]["waiting"] == 9)
    page.get_by_role("button", name="Peg 9").click()
    expect(front(page, 1)).to_have_text("9")


def test_a_phone_is_told_that_another_ones_points_wait_and_keeps_its_number(phone: Any, player: Player) -> None:
    player.do("pend", side=1, points=5)
    page = phone(1)
    page.locator("[data-points='9']").click()
    expect(page.locator("#alert")).to_contain_text("5 already wait for Ann")
    assert player.state["sides"][0]["waiting"] == 5
    expect(page.get_by_role("button", name="Peg 9")).to_be_enabled()


def test_every_number_to_29_takes_two_taps(phone: Any, player: Player) -> None:
    page = phone(2)
    for points in (1, 15, 19, 28):
        page.locator(f"[data-points='{points}']").click()
        page.locator("#panel-points .ok").click()
        wait_for(lambda: player.state["last"]["text"].startswith(f"Bob pegs {points}, "))  # noqa: B023
    assert page.locator("[data-points]").count() == 29


def test_a_nervous_finger_pegs_once(phone: Any, player: Player) -> None:
    page = phone(1)
    page.locator("[data-points='7']").click()
    wait_for(lambda: player.state["sides"][0]["waiting"] == 7)
    page.evaluate("for (let tap = 0; tap < 5; tap += 1) document.querySelector('#panel-points .ok').click()")
    expect(front(page, 1)).to_have_text("7")
    page.locator("#tab-play").click()
    page.clock.install()
    for side, card, count in ((1, "KH", 10), (2, "QS", 20), (1, "5D", 25)):
        player.do("play", side=side, card=card)
        expect(page.locator(".running strong")).to_have_text(str(count))
    page.get_by_role("button", name="Bob says go").wait_for()
    page.evaluate("for (let tap = 0; tap < 5; tap += 1) document.querySelector('#panel-play .go').click()")
    expect(page.get_by_role("button", name="Ann can\u2019t play either 1 for Ann")).to_be_enabled()
    page.clock.fast_forward(1000)
    page.evaluate("for (let tap = 0; tap < 5; tap += 1) document.querySelector('#panel-play .go').click()")
    expect(page.locator(".running strong")).to_have_text("0")
    expect(front(page, 1)).to_have_text("8")
    assert player.state["sides"][0]["front"] == 8


def test_the_count_that_wins_waits_on_the_strip_though_it_goes_beyond(phone: Any, player: Player) -> None:
    player.do("set", side=1, front=118, back=100)
    page = phone(1)
    page.locator("[data-points='12']").click()
    wait_for(lambda: player.state["sides"][0]["waiting"] == 3)
    expect(page.locator("#preview")).to_contain_text("118 → 121")
    expect(page.locator("#alert")).to_be_hidden()
    page.get_by_role("button", name="Peg 12").click()
    wait_for(lambda: player.state["winner"] == 1)


def test_a_refusal_goes_when_the_score_has_moved_on(phone: Any, player: Player) -> None:
    player.do("peg", side=1, points=3)
    page = phone(1)
    page.clock.install()
    page.route(
        "**/orders", lambda route: route.continue_(post_data=re.sub(r'"rev":\d+', '"rev":0', route.request.post_data))
    )
    page.get_by_role("button", name="Undo").click()
    alert = page.locator("#alert")
    expect(alert).to_contain_text("Only the newest score can be undone")
    player.do("peg", side=2, points=1)
    expect(front(page, 2)).to_have_text("1")
    expect(alert).to_be_visible()
    page.clock.run_for(5_100)
    player.do("peg", side=2, points=1)
    expect(alert).to_be_hidden()


@pytest.mark.parametrize(("pegged", "counts"), [((2, 3), 5), ((2, 2), 2)])
def test_what_is_pegged_before_the_answer_came_counts_or_is_told(
    phone: Any, player: Player, pegged: tuple[int, int], counts: int
) -> None:
    page = phone(1)
    page.evaluate(
        """(pegged) => {
             for (const points of pegged) {
               document.querySelector(`[data-points='${points}']`).click();
               document.querySelector("#panel-points .ok").click();
             }
           }""",
        list(pegged),
    )
    expect(front(page, 1)).to_have_text(str(counts))
    wait_for(lambda: page.evaluate("!document.body.hasAttribute('data-busy')"))
    alert = page.locator("#alert")
    expect(alert).to_be_hidden() if counts == sum(pegged) else expect(alert).to_contain_text("has counted once")
    assert player.state["sides"][0]["front"] == counts


@pytest.mark.parametrize(
    ("begun", "typed"),
    [
        ("[data-points='1']", "7"),
        ("#tab-points", "12"),
        ("#panel-points .clear", "07"),
        ("#panel-points .ok", "123Backspace"),
        ("[data-key='chip-1']", "12"),
    ],
)
def test_a_typed_number_is_pegged_once_however_often_enter_is_pressed(
    phone: Any, player: Player, begun: str, typed: str
) -> None:
    page = phone(1)
    page.locator(begun).focus()
    for key in re.findall("[0-9]|[A-Z][a-z]+", typed):
        page.keyboard.press(key)
    points = 12 if typed.startswith("12") else 7
    if typed == "123Backspace":  # 123 is too many, so it is typed anew
        page.keyboard.type("12")
    expect(page.get_by_role("button", name=f"Peg {points}")).to_be_focused()
    for key in ("Enter", "Enter", "Enter"):
        page.keyboard.press(key)
    expect(front(page, 1)).to_have_text(str(points))
    answered(page)
    assert (player.state["sides"][0]["front"], player.state["sides"][0]["waiting"]) == (points, 0)
    page.keyboard.type("3")
    page.keyboard.press("Enter")
    expect(front(page, 1)).to_have_text(str(points + 3))


@pytest.mark.parametrize("key", ["Enter", "Space"])
def test_a_number_that_arrows_have_come_to_is_chosen_then_pegged_once(phone: Any, player: Player, key: str) -> None:
    page = phone(1)
    page.locator("[data-points='1']").focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press(key)
    wait_for(lambda: player.state["sides"][0]["waiting"] == 6)
    assert player.state["sides"][0]["front"] == 0
    page.keyboard.press(key)
    page.keyboard.press(key)
    page.keyboard.press(key)
    expect(front(page, 1)).to_have_text("6")
    answered(page)
    assert (player.state["sides"][0]["front"], player.state["sides"][0]["waiting"]) == (6, 0)


def test_a_key_that_is_held_down_pegs_nothing_by_itself(phone: Any, player: Player) -> None:
    page = phone(1)
    page.locator("[data-points='6']").focus()
    for _ in range(5):
        page.keyboard.down("Enter")  # from the second on, as a key that repeats
    page.keyboard.up("Enter")
    wait_for(lambda: player.state["sides"][0]["waiting"] == 6)
    for _ in range(3):
        page.keyboard.down("1")
    expect(page.get_by_role("button", name="Peg 1", exact=True)).to_be_visible()
    assert player.state["sides"][0]["front"] == 0


def test_a_number_that_no_hand_counts_is_refused_and_nothing_else_is_chosen(phone: Any) -> None:
    page = phone(1)
    page.locator("#tab-points").focus()
    page.keyboard.type("31")
    expect(page.locator("#said")).to_have_text("31 is too many: 29 is the most. No points chosen.")
    expect(page.locator("#panel-points .ok")).to_be_disabled()
    page.keyboard.type("30")
    expect(page.locator("#said")).to_contain_text("30 is too many")
    expect(page.locator("#panel-points .ok")).to_be_disabled()


def test_a_phone_returns_to_its_own_side_which_is_marked(phone: Any, player: Player, keep: Any) -> None:
    page = phone(1)
    mine, other = page.locator("[data-key='chip-1']"), page.locator("[data-key='chip-2']")
    expect(mine).to_contain_text("You")
    expect(other).not_to_contain_text("You")
    other.click()
    page.locator("[data-points='5']").click()
    keep(page, "phone-for-another")
    page.locator("#panel-points .ok").click()
    expect(mine).to_have_attribute("aria-pressed", "true")
    expect(front(page, 2)).to_have_text("5")
    page.locator("#tab-play").click()
    other.click()
    tap(page, "7H")
    page.get_by_role("button", name="anyway").click()
    expect(page.locator(".running strong")).to_have_text("7")
    expect(mine).to_have_attribute("aria-pressed", "true")
    page.locator("#tab-hand").click()
    other.click()
    tap(page, "5H", "5C", "5S", "JD", "5D")
    page.get_by_role("button", name="Peg 29 for Bob").click()
    page.get_by_role("button", name="anyway").click()  # the seven that was laid is not in it
    expect(front(page, 2)).to_have_text("34")
    expect(mine).to_have_attribute("aria-pressed", "true")
    assert player.state["sides"][0]["front"] == 0


def test_whose_points_wait_stands_there_in_words(phone: Any, visit: Any, player: Player, keep: Any) -> None:
    page, screen = phone(1), visit("/table/1", {"width": 1920, "height": 1080})
    player.do("pend", side=2, points=4)
    by = player.state["sides"][1]["waiting_by"]
    expect(page.locator("[data-key='chip-2']")).to_contain_text(f"from {by}")
    expect(screen.locator(".panel").nth(1)).to_contain_text(f"+4 from {by}")
    keep(screen, "table-waiting")
    page.keyboard.press("s")
    expect(page.locator("#said")).to_contain_text(f"4 wait for Bob, from {by}.")
    page.locator("[data-points='9']").click()
    expect(page.locator("[data-key='chip-1'] small")).to_have_text("+9")
    expect(page.locator("[data-key='chip-1']")).not_to_contain_text("from")


def test_what_is_pending_goes_when_it_is_cleared_or_left(phone: Any, player: Player) -> None:
    page = phone(1)
    page.locator("[data-points='7']").click()
    wait_for(lambda: player.state["sides"][0]["waiting"] == 7)
    page.get_by_role("button", name="Clear", exact=True).click()
    wait_for(lambda: player.state["sides"][0]["waiting"] == 0)
    page.locator("[data-points='8']").click()
    wait_for(lambda: player.state["sides"][0]["waiting"] == 8)
    page.locator("#tab-hand").click()
    wait_for(lambda: player.state["sides"][0]["waiting"] == 0)


def test_a_hand_by_its_cards_is_explained_and_pegged(phone: Any, player: Player) -> None:
    page = phone(2)
    page.locator("#tab-hand").click()
    tap(page, "5H", "5C", "5S", "JD", "5D")
    expect(page.locator(".parts li")).to_have_count(10)
    expect(page.locator(".parts li").last).to_contain_text("twenty-nine")
    expect(page.locator(".sum strong")).to_have_text("29")
    expect(page.locator("#announcer")).to_contain_text("Fifteen two, fifteen four")
    expect(page.locator("#said")).not_to_contain_text("ifteen")  # the parts say it
    page.get_by_role("button", name="Peg 29 for Bob").click()
    expect(front(page, 2)).to_have_text("29")
    state = player.state
    assert sorted(state["count"]["cards"]) == ["5C", "5H", "5S", "JD"]
    assert state["table"]["starter"] == "5D"


@pytest.mark.parametrize(
    ("claimed", "choice", "fronts"),
    [
        (8, "", [0, 8]),
        (6, "Peg 6", [0, 6]),
        (6, "Peg 8 anyway", [0, 8]),
        (12, "Peg 8", [0, 8]),
        (5, "Look again", [0, 0]),
    ],
)
def test_players_may_count_for_themselves(
    phone: Any, player: Player, claimed: int, choice: str, fronts: list[int], keep: Any
) -> None:
    page = phone(2)
    page.locator("#tab-more").click()
    page.get_by_label("Let me count my hand first").check()
    page.locator("#tab-hand").click()
    tap(page, "7H", "8C", "8S", "KD", "5D")  # three fifteens and a pair
    expect(page.locator("#claimed")).to_be_focused()
    expect(page.locator("#panel-hand .ok")).to_be_disabled()
    assert "fifteen" not in page.locator("#panel-hand").inner_text()
    page.keyboard.type(str(claimed))
    keep(page, "phone-claim")
    page.get_by_role("button", name=f"Claim {claimed} for Bob").click()
    if choice:
        expect(page.locator("dialog")).to_contain_text(f"Bob claimed {claimed}")
        keep(page, f"phone-claimed-{claimed}")
        page.locator("dialog").get_by_role("button", name=choice, exact=True).click()
    wait_for(lambda: [side["front"] for side in player.state["sides"]] == fronts)


def test_the_starter_is_entered_once_for_all(phone: Any, player: Player) -> None:
    one, other = phone(1), phone(2)
    one.locator("#tab-hand").click()
    other.locator("#tab-hand").click()
    one.get_by_role("button", name="Starter: empty").click()
    tap(one, "9C")
    expect(other.get_by_role("button", name="Starter: nine of clubs")).to_be_visible()
    tap(other, "4H", "5H", "6H", "7H")
    expect(other.get_by_role("button", name="Peg 12 for Bob")).to_be_visible()


def test_impossible_cards_are_greyed_and_say_why(phone: Any, player: Player) -> None:
    player.do("starter", card="9C")
    player.do("play", side=1, card="KD")
    page = phone(2)
    page.locator("#tab-hand").click()
    tap(page, "4H")
    deck = page.locator("#panel-hand .deck")
    for card, why in (("9C", "the starter"), ("4H", "already in the hand"), ("KD", "already seen")):
        key = deck.locator(f"[data-card='{card}']")
        expect(key).to_have_attribute("aria-disabled", "true")
        expect(key).to_contain_text(why)
        key.click(force=True)
    expect(page.get_by_role("button", name="Card 2: empty")).to_be_visible()


def test_what_a_side_has_played_can_be_in_its_hand(phone: Any, player: Player) -> None:
    player.do("play", side=1, card="KD")
    page = phone(1)
    page.locator("#tab-hand").click()
    tap(page, "KD")
    expect(page.get_by_role("button", name="Card 1: king of diamonds")).to_be_visible()


def test_the_crib_is_counted_as_one(phone: Any, player: Player) -> None:
    dealer = player.state["dealer"]["side"]
    page = phone(dealer)
    page.locator("#tab-hand").click()
    page.get_by_role("button", name="crib", exact=True).click()
    tap(page, "2H", "4H", "6H", "8H", "KC")
    expect(page.locator(".sum strong")).to_have_text("0")
    expect(page.locator(".result")).not_to_contain_text("flush")
    page.locator("#panel-hand .ok").click()
    wait_for(lambda: player.state["count"] is not None)
    assert player.state["count"]["crib"]


def test_a_count_that_nobody_answered_is_asked_for_again(phone: Any) -> None:
    page = phone(1)
    page.locator("#tab-hand").click()
    page.route("**/api/count", lambda route: route.abort())
    tap(page, "5H", "5C", "5S", "JD", "5D")
    expect(page.locator("#panel-hand .result")).to_contain_text("does not answer")
    page.unroute("**/api/count")
    expect(page.get_by_role("button", name="Peg 29 for Ann")).to_be_visible()


def test_a_phone_that_was_sent_away_joins_again(phone: Any, house: House) -> None:
    page = phone(1)
    page.context.clear_cookies()
    page.locator("[data-points='5']").click()  # the board is told of points that wait
    expect(page.get_by_role("heading", name="Join Table 1")).to_be_visible()
    expect(page.locator("#link")).to_be_hidden()  # nothing is being connected
    page.get_by_label("Six digits").fill(house.get("/api/boards/1/invite")["code"])
    page.get_by_role("button", name="Join").click()
    expect(page.locator("#link")).to_have_text("Connected")
    expect(page.locator("#link")).to_be_visible()


@pytest.mark.parametrize("path", ["/table/9", "/score/9"])
def test_a_table_that_is_none_is_said(visit: Any, path: str) -> None:
    page = visit(path, PHONE)
    expect(page.locator("#main")).to_contain_text("There is no table 9")
    expect(page.locator("#main").get_by_role("link", name="See all tables")).to_be_visible()


def test_a_hand_may_be_typed(phone: Any) -> None:
    page = phone(1)
    page.locator("#tab-hand").click()
    page.get_by_label("Or type the cards").fill("5h 10s jd")
    expect(page.locator("#typed-wrong")).to_have_text("")
    page.get_by_label("Or type the cards").fill("5x")
    expect(page.locator("#typed-wrong")).to_contain_text("like 5H or 10S")
    page.get_by_label("Or type the cards").fill("5h 10s jd 5c 5s")
    expect(page.get_by_role("button", name="Peg 20 for Ann")).to_be_visible()


def test_the_play_finds_fifteens_pairs_runs_and_thirty_one(phone: Any, player: Player) -> None:
    page = phone(0)
    page.locator("#tab-play").click()
    lead = 3 - player.state["dealer"]["side"]
    page.locator(f"[data-key='chip-{lead}']").click()
    tap(page, "7H")
    wait_for(lambda: player.state["table"]["running"] == 7)
    expect(page.locator(f"[data-key='chip-{3 - lead}']")).to_have_attribute("aria-pressed", "true")
    tap(page, "8S")
    expect(page.locator(".running strong")).to_have_text("15")
    expect(front(page, 3 - lead)).to_have_text("2")
    expect(page.locator(".made")).to_contain_text("fifteen for two")
    tap(page, "9D")
    expect(front(page, lead)).to_have_text("3")
    expect(page.locator("#panel-play [data-card='KC']")).to_have_attribute("aria-disabled", "true")
    tap(page, "7C")
    expect(page.locator(".running strong")).to_have_text("31")
    expect(front(page, 3 - lead)).to_have_text("7")  # and the run that 7, 8, 9, 7 make
    expect(page.locator("#panel-play .go")).to_be_disabled()
    expect(page.locator("#panel-play .go")).to_have_text("Goa new count begins")
    tap(page, "KC")
    expect(page.locator(".running strong")).to_have_text("10")


def test_cards_that_are_tapped_faster_than_the_board_answers_are_the_sides_in_turn(phone: Any, player: Player) -> None:
    page = phone(0)
    page.locator("#tab-play").click()
    lead = 3 - player.state["dealer"]["side"]
    player.do("peg", side=lead, points=1)  # older than the cards
    expect(front(page, lead)).to_have_text("1")
    page.locator(f"[data-key='chip-{lead}']").click()
    page.evaluate(
        "for (const card of ['7H', '8S', '9D']) document.querySelector(`#panel-play [data-card='${card}']`).click()"
    )
    expect(page.locator(".running strong")).to_have_text("24")
    assert [laid["side"] for laid in player.state["table"]["pile"]] == [lead, 3 - lead, lead]
    page.get_by_role("button", name="Undo nine of diamonds").click()
    expect(page.locator(".running strong")).to_have_text("15")
    expect(page.locator(f"[data-key='chip-{lead}']")).to_have_attribute("aria-pressed", "true")
    page.get_by_role("button", name="Undo eight of spades").click()
    page.get_by_role("button", name=re.compile("Redo eight of spades: .* pegs 2")).wait_for()
    expect(page.get_by_role("button", name=re.compile("Undo .*seven of hearts"))).to_be_visible()
    player.do("peg", side=lead, points=1)  # newer than the card
    expect(page.locator("#undo .undo")).to_contain_text("pegs 1")
    page.reload()
    expect(page.locator("#undo .undo")).to_contain_text("pegs 1")  # which is newer for whoever comes later, too
    expect(page.locator("#panel-play")).to_be_visible()  # the tab that was open
    player.do("undo", rev=player.state["rev"])
    expect(page.get_by_role("button", name=re.compile("Undo .*seven of hearts"))).to_be_visible()


def test_a_card_is_whose_side_was_chosen_when_it_was_tapped(phone: Any, player: Player) -> None:
    page = phone(1)
    page.locator("#tab-play").click()
    page.evaluate(
        """for (const what of ["#panel-play [data-card='7H']", "[data-key='chip-2']", "#panel-play [data-card='2S']",
                               "[data-key='chip-1']"]) document.querySelector(what).click()"""
    )
    expect(page.locator(".running strong")).to_have_text("9")
    assert [laid["side"] for laid in player.state["table"]["pile"]] == [1, 2]
    due = page.locator(".due")
    player.do("deal", place=1)
    expect(due).to_have_text(" Bob to play")
    page.locator("[data-key='chip-1']").click()
    expect(due).to_have_text(" Ann to play")
    for place in (2, 1):
        player.do("deal", place=place)
        expect(due).to_have_text(f" {'Ann' if place == 2 else 'Bob'} to play")  # what was chosen was for the other deal


def test_a_card_out_of_turn_is_asked_about(phone: Any, player: Player, keep: Any) -> None:
    page = phone(2)
    page.locator("#tab-play").click()
    expect(page.locator(".made")).to_contain_text("Ann to play")
    page.locator("[data-key='chip-2']").click()  # whose card it would not be by itself
    tap(page, "7H")
    expect(page.locator("dialog")).to_contain_text("It is Ann's turn")
    keep(page, "phone-turn")
    page.get_by_role("button", name="Leave it").click()
    expect(page.locator(".running strong")).to_have_text("0")
    expect(page.locator(".made")).to_contain_text("Bob to play")
    tap(page, "7H")
    page.get_by_role("button", name="anyway").click()
    expect(page.locator(".running strong")).to_have_text("7")
    assert [laid["side"] for laid in player.state["table"]["pile"]] == [2]


def test_cards_behind_one_that_is_refused_are_not_played(phone: Any, player: Player) -> None:
    page = phone(0)
    page.locator("#tab-play").click()
    player.do("play", side=1, card="7H")
    expect(page.locator(".running strong")).to_have_text("7")
    page.route("**/orders", lambda route: route.continue_(post_data=route.request.post_data.replace("8S", "7H")))
    page.evaluate(
        "for (const card of ['8S', '9D']) document.querySelector(`#panel-play [data-card='${card}']`).click()"
    )
    expect(page.locator("#alert")).to_contain_text("has already turned up")
    page.wait_for_timeout(300)
    assert player.state["table"]["running"] == 7


def test_a_number_is_for_the_side_that_was_chosen(phone: Any, player: Player) -> None:
    page = phone(0)
    page.locator("[data-key='chip-1']").click()
    page.locator("[data-points='5']").click()
    expect(page.locator("#preview")).to_have_text("Ann 0 → 5")
    page.locator("[data-key='chip-2']").click()
    expect(page.locator("#preview")).to_have_text("Bob 0")
    wait_for(lambda: [side["waiting"] for side in player.state["sides"]] == [0, 0])
    page.locator("[data-points='3']").click()
    page.get_by_role("button", name="Peg 3").click()
    expect(front(page, 2)).to_have_text("3")
    expect(front(page, 1)).to_have_text("0")


def test_a_card_is_taken_back_by_its_name(phone: Any, player: Player) -> None:
    page = phone(0)
    page.locator("#tab-play").click()
    tap(page, "7H")
    expect(page.locator(".running strong")).to_have_text("7")
    page.locator("#tab-more").click()
    page.get_by_role("button", name="Clear the cards").click()
    expect(page.locator("#dialog")).to_contain_text("Undo does not bring the cards back.")
    page.get_by_role("button", name="Cancel").click()
    page.locator("#tab-play").click()
    expect(page.locator(".running strong")).to_have_text("7")
    page.get_by_role("button", name="Undo").dblclick()
    expect(page.locator(".running strong")).to_have_text("0")
    expect(page.locator("#alert")).to_be_hidden()


def test_a_go_is_the_last_players(phone: Any, player: Player) -> None:
    page = phone(0)
    page.locator("#tab-play").click()
    page.locator("[data-key='chip-1']").click()
    tap(page, "KH")
    expect(page.locator(".running strong")).to_have_text("10")
    expect(page.get_by_role("button", name="says go not yet: every card fits")).to_be_disabled()
    page.get_by_role("button", name="Pass the deal").click()  # hardly meant here
    page.get_by_role("button", name="Leave it").click()
    assert player.state["table"]["running"] == 10
    for card, count in (("QS", 20), ("9D", 29)):
        tap(page, card)
        expect(page.locator(".running strong")).to_have_text(str(count))
    page.clock.install()
    page.get_by_role("button", name="Bob says go then Ann plays").click()
    page.locator("#tab-points").click()
    expect(page.locator(".chip[aria-pressed='true']")).to_contain_text("Ann")  # who is due now
    page.locator("[data-points='2']").click()
    page.get_by_role("button", name="Peg 2").click()
    expect(front(page, 1)).to_have_text("2")
    page.get_by_role("button", name="Undo Ann pegs 2").click()  # which is newer than the go
    expect(front(page, 1)).to_have_text("0")
    page.get_by_role("button", name="Undo Bob says go").wait_for()
    page.locator("#tab-play").click()
    either = page.get_by_role("button", name="Ann can\u2019t play either 1 for Ann")
    expect(either).to_be_visible()
    page.clock.fast_forward(1000)
    either.click()
    expect(front(page, 1)).to_have_text("1")
    expect(page.locator(".running strong")).to_have_text("0")
    expect(page.locator("#panel-play .go")).to_have_text("Goa new count begins")


def test_a_phone_of_one_side_turns_back_to_it_once_the_next_one_has_played_after_a_go(
    phone: Any, player: Player
) -> None:
    player.begin("Ann", "Bob", "Cid", dealer=3)
    page = phone(1)
    page.locator("#tab-play").click()
    for side, card in ((1, "TH"), (2, "9S"), (3, "8D")):
        player.do("play", side=side, card=card)
    chosen = page.locator(".chip[aria-pressed='true']")
    page.clock.install()
    page.get_by_role("button", name="Ann says go").click()
    expect(chosen).to_contain_text("Bob")
    page.clock.fast_forward(1000)
    page.get_by_role("button", name="Bob says go").click()
    expect(chosen).to_contain_text("Cid")
    page.get_by_role("button", name="Undo Bob says go").click()
    expect(page.locator(".due")).to_have_text(" Bob to play")
    player.do("play", side=2, card="AS")
    expect(page.locator(".running strong")).to_have_text("28")
    expect(page.locator(".due")).to_have_text(" Cid to play")
    page.locator("#tab-points").click()
    expect(chosen).to_contain_text("Ann")
    page.locator("#tab-play").click()
    page.clock.fast_forward(1000)
    page.get_by_role("button", name="Cid says go").click()
    expect(chosen).to_contain_text("Bob")  # Ann has said go at this count
    expect(page.get_by_role("button", name="Bob can\u2019t play either 1 for Bob")).to_be_enabled()


def test_undo_names_what_it_takes_and_redo_brings_it_back(phone: Any, player: Player) -> None:
    player.do("peg", side=1, points=5)
    page = phone(1)
    page.get_by_role("button", name="Undo Ann pegs 5").click()
    expect(front(page, 1)).to_have_text("0")
    page.get_by_role("button", name="Redo Ann pegs 5").click()
    expect(front(page, 1)).to_have_text("5")
    player.begin("Maximiliane-Alexandr", "Bob")
    player.do("peg", side=1, points=5)
    undo = page.get_by_role("button", name="Undo Maximiliane-Alexandr pegs 5")
    box, words = undo.bounding_box(), undo.get_by_text("pegs 5", exact=True).bounding_box()
    assert box and words and words["x"] + words["width"] <= box["x"] + box["width"]


def test_muggins_penalty_false_claim_and_set_score(phone: Any, player: Player) -> None:
    player.begin("Ann", "Bob", rules={"counting": "manual", "muggins": True})
    page = phone(1)
    page.locator("#tab-more").click()
    page.get_by_role("button", name="Muggins").click()
    page.get_by_role("spinbutton", name="Points").fill("4")
    page.get_by_role("button", name="Peg", exact=True).click()
    expect(front(page, 1)).to_have_text("4")
    page.get_by_role("button", name="Penalty").click()
    page.get_by_role("spinbutton", name="Points").fill("2")
    page.get_by_role("button", name="Peg", exact=True).click()
    expect(front(page, 2)).to_have_text("2")
    page.get_by_role("button", name="Set a score").click()
    player.do("peg", side=1, points=3)
    expect(front(page, 1)).to_have_text("7")
    page.get_by_label("Front peg").fill("118")
    page.get_by_label("Back peg").fill("110")
    page.get_by_role("button", name="Set", exact=True).click()
    expect(page.locator("#dialog")).to_contain_text("Meanwhile: Ann pegs 3")  # since the form was opened
    page.get_by_role("button", name="Set it anyway").click()
    expect(front(page, 1)).to_have_text("118")
    page.get_by_role("button", name="False claim").click()
    page.get_by_label("True score").fill("110")
    page.get_by_role("button", name="Correct", exact=True).click()
    expect(front(page, 2)).to_have_text("10")
    player.do("starter", card="JD")
    page.get_by_role("button", name="Nibs: 2 for the dealer").click()
    wait_for(lambda: player.state["last"]["kind"] == "nibs")
    page.get_by_role("button", name="Clear the cards").click()
    page.locator("#dialog").get_by_role("button", name="Clear the cards").click()
    wait_for(lambda: player.state["table"]["starter"] is None)
    assert sorted(side["front"] for side in player.state["sides"]) == [12, 110]
    page.get_by_role("button", name="Pass the deal").click()
    wait_for(lambda: player.state["last"]["kind"] == "deal")
    player.begin("Ann", "Bob")
    page.get_by_role("button", name="Correct a score").click()
    expect(page.locator("#dialog")).to_contain_text("No score can be corrected.")
    page.get_by_role("button", name="Close").click()
    expect(page.get_by_role("button", name="Correct a score")).to_be_focused()


def test_a_new_game_with_names(phone: Any, player: Player) -> None:
    page = phone(1)
    page.locator("#tab-more").click()
    page.get_by_role("button", name="New game …").click()
    page.get_by_label("Players").select_option("4")
    page.get_by_label("Sides").select_option("2")
    dealer = page.get_by_label("First deal")
    dealer.select_option("4")
    page.get_by_label("Players").select_option("2")
    expect(dealer).to_have_value("0")  # there is no fourth
    page.get_by_label("Players").select_option("4")
    for number, name in enumerate(("Ann", "Bob", "Cid", "Dee")):
        page.locator(f"#field-name{number}").fill(name)
    page.get_by_label("Game to").select_option("61")
    page.get_by_role("button", name="Start", exact=True).click()
    wait_for(lambda: player.state["target"] == 61)
    assert [side["places"] for side in player.state["sides"]] == [[1, 3], [2, 4]]
    expect(page.locator(".chip").first).to_contain_text("Ann")
    page.get_by_role("button", name="Names …").click()
    expect(page.get_by_label("Yellow")).to_have_value("Dee")
    player.do("names", names=[None, "Bo", None, None])  # by somebody else meanwhile
    page.get_by_label("Green").fill("Cy")
    page.get_by_role("button", name="Save", exact=True).click()
    wait_for(lambda: [side["name"] for side in player.state["sides"]] == ["Ann and Cy", "Bo and Dee"])
    page.get_by_role("button", name="New game …").click()
    player.do("names", names=["Anna", None, None, None])
    page.locator("#field-name1").fill("Bea")
    page.get_by_role("button", name="Start", exact=True).click()
    wait_for(lambda: [side["name"] for side in player.state["sides"]] == ["Anna and Cy", "Bea and Dee"])


def test_four_and_six_are_partners_unless_they_choose_otherwise(phone: Any, player: Player) -> None:
    page = phone(1)
    page.locator("#tab-more").click()
    page.get_by_role("button", name="New game …").click()
    sides, players = page.get_by_label("Sides"), page.get_by_label("Players")
    for many, teams in (("4", "2"), ("6", "3"), ("5", "0"), ("4", "2")):
        players.select_option(many)
        expect(sides).to_have_value(teams)
    sides.select_option("0")
    page.get_by_label("With a handicap").check()
    expect(sides).to_have_value("0")
    expect(page.get_by_label("Yellow starts at")).to_be_visible()
    page.get_by_role("button", name="Start", exact=True).click()
    wait_for(lambda: len(player.state["sides"]) == 4)


def test_a_new_game_with_a_handicap(phone: Any, player: Player) -> None:
    page = phone(1)
    page.locator("#tab-more").click()
    page.get_by_role("button", name="New game …").click()
    expect(page.get_by_label("Blue starts at")).to_be_hidden()
    page.get_by_label("With a handicap").check()
    expect(page.get_by_label("Green starts at")).to_be_hidden()
    page.get_by_label("Blue starts at").fill("15")
    page.get_by_role("button", name="Start", exact=True).click()
    wait_for(lambda: [side["front"] for side in player.state["sides"]] == [0, 15])


def test_a_refused_form_comes_back_as_it_was_filled_in(phone: Any, player: Player, keep: Any) -> None:
    page = phone(1)
    page.locator("#tab-more").click()
    page.get_by_role("button", name="New game …").click()
    page.locator("#field-name0").fill("Ann")
    page.get_by_label("Game to").select_option("61")
    page.get_by_label("With a handicap").check()
    page.get_by_label("Blue starts at").fill("70")
    page.get_by_role("button", name="Start", exact=True).click()
    dialog = page.locator("#dialog")
    expect(dialog.locator(".notice")).to_contain_text("70")
    expect(dialog.locator(".notice")).to_be_focused()
    expect(dialog.locator(".notice")).to_be_in_viewport()
    keep(page, "phone-refused-form")
    expect(page.locator("#field-name0")).to_have_value("Ann")
    expect(page.get_by_label("Game to")).to_have_value("61")
    expect(page.get_by_label("Blue starts at")).to_have_value("70")
    page.get_by_label("Blue starts at").fill("7")
    page.get_by_role("button", name="Start", exact=True).click()
    wait_for(lambda: [side["front"] for side in player.state["sides"]] == [0, 7])
    expect(dialog).to_be_hidden()
    expect(page.locator("#alert")).to_be_hidden()


def test_a_won_game_leads_to_the_next(phone: Any, player: Player, keep: Any) -> None:
    player.begin("Ann", "Bob")
    player.do("set", side=1, front=119, back=110)
    page = phone(2)
    player.do("peg", side=1, points=2)
    expect(page.locator("#panel-points .preview")).to_have_text("Ann wins")
    keep(page, "phone-won")
    page.get_by_role("button", name="New game …").click()
    page.get_by_role("button", name="Start", exact=True).click()
    expect(front(page, 1)).to_have_text("0")
    expect(page.locator("#panel-points .ok")).to_have_text("Choose points")


def test_every_phone_offers_a_rematch_which_begins_once(phone: Any, player: Player, keep: Any) -> None:
    player.begin("Ann", "Bob")
    player.do("set", side=1, front=119, back=110)
    winner, loser, scorer = phone(1), phone(2), phone(0)
    player.do("peg", side=1, points=2)
    buttons = [page.get_by_role("button", name="Rematch") for page in (loser, winner, scorer)]
    for button in buttons:
        expect(button).to_be_visible()
    keep(loser, "phone-lost")
    for page in (winner, loser):  # a button that has just come does nothing yet
        page.clock.install()
        page.clock.fast_forward(1000)
    game = player.state["game"]
    for page in (winner, loser):  # a finger that was on its way to something else is no longer
        page.evaluate("const now = Date.now.bind(Date); Date.now = () => now() + 1000")
    held: list[Any] = []
    loser.route("**/orders", lambda route: held.append(route), times=1)  # it was tapped before the other one's came
    with loser.expect_request("**/orders"):
        loser.evaluate("document.querySelector('[data-key=rematch]').click()")
    winner.evaluate("document.querySelector('[data-key=rematch]').click()")
    expect(front(loser, 1)).to_have_text("0")
    begun = player.state["game"]
    assert begun > game
    with loser.expect_response("**/orders"):
        held[0].continue_()
    for button in buttons:
        expect(button).to_be_hidden()
    expect(loser.locator("#dialog")).to_be_hidden()
    expect(loser.locator("#alert")).to_be_hidden()
    assert player.state["game"] == begun


def test_nibs_are_offered_once_to_all_phones(phone: Any, player: Player) -> None:
    player.begin("Ann", "Bob")
    player.do("starter", card="JD")
    page = phone(1)
    page.locator("#tab-hand").click()
    nibs = page.locator("#call").get_by_role("button", name="Nibs: 2 for")
    expect(nibs).to_be_visible()
    page.wait_for_timeout(SETTLED_MS)
    nibs.click()
    expect(nibs).to_be_hidden()
    dealer = player.state["dealer"]["side"]
    assert [side["front"] for side in player.state["sides"] if side["side"] == dealer] == [2]
    player.do("deal")
    player.do("starter", card="JH")
    expect(nibs).to_be_visible()


def test_a_name_of_markup_is_only_text(phone: Any, visit: Any, player: Player) -> None:
    player.do("names", names=["<img src onerror=a>", "<b>Bob</b>"])
    page = phone(1)
    page.on("dialog", lambda dialog: pytest.fail(dialog.message))
    expect(page.locator(".chip").nth(1)).to_contain_text("<b>Bob</b>")
    screen = visit("/table/1", {"width": 1920, "height": 1080})
    expect(screen.locator("#scores")).to_contain_text("<b>Bob</b>")
    assert screen.locator("#scores b, #scores img").count() == 0


def test_a_hand_counted_already_is_asked_about(phone: Any, player: Player) -> None:
    player.do("starter", card="8D")
    player.do("hand", side=1, cards=["2H", "3H", "9S", "KC"], starter="8D")
    page = phone(1)
    page.locator("#tab-hand").click()
    tap(page, "4H", "5H", "6S", "7C")
    page.locator("#panel-hand .ok").click()
    expect(page.locator("#dialog")).to_contain_text("Look again")
    expect(page.locator("#dialog")).to_contain_text("“Hand of 9 for Ann” has not counted")
    expect(page.locator("#dialog .main")).to_have_text("Leave it")
    expect(page.locator("#dialog .main")).to_be_focused()
    page.get_by_role("button", name="Leave it").click()
    expect(page.locator("#dialog")).not_to_be_visible()
    expect(page.locator("#alert")).to_be_hidden()
    before = player.state["sides"][0]["front"]
    page.locator("#panel-hand .ok").click()
    page.get_by_role("button", name="Peg it anyway").click()
    wait_for(lambda: player.state["sides"][0]["front"] > before)
