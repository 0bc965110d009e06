"""A game against the computer in the page: whole, by keys alone and by touch alone, pegged by the firmware."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from browser.chromium import LAPTOP, PHONE, findings
from browser.conftest import or_skip
from browser.site import RUNTIME, Site, site
from playwright.sync_api import expect

Open = Callable[..., Any]
MOST_ACTS = 400
MOST_CARD = 55.5  # pixels: what six cards have beside each other on the narrowest phone
CARDS = "all => all.map(one => [one.getAttribute('aria-pressed'), one.getAttribute('aria-disabled')])"


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    or_skip("" if RUNTIME.is_dir() else "MicroPython is not installed: run `npm ci --prefix tests/vm`")
    with site(tmp_path_factory.mktemp("site")) as one:
        yield one


@pytest.fixture
def front(visit: Open, pages: Site) -> Open:
    def opened(size: dict[str, int], **more: Any) -> Any:
        page = visit(pages.address, size, **more)
        page.locator("body[data-lit]").wait_for()
        page.locator("#says li").first.wait_for()
        return page

    return opened


def whole_game(page: Any, pick: Callable[[Any, int], None], go_on: Callable[[Any], None]) -> list[str]:
    """Play to the end with the first cards that are legal; gives what was said at each step."""
    heard: list[str] = []
    for _ in range(MOST_ACTS):
        page.locator("#game[aria-busy=false]").wait_for()
        heard.append(page.locator("#live").inner_text())
        main = page.locator("#game button.main")
        words = main.inner_text() if main.count() else ""
        if words == "New game":
            return heard
        cards = page.locator("#game .hand button").evaluate_all(CARDS)
        chosen = sum(pressed == "true" for pressed, _ in cards)
        free = [pressed != "true" and off != "true" for pressed, off in cards]
        if words and (words != "Throw to the crib" or chosen == 2):
            go_on(page)
        elif True in free:
            pick(page, free.index(True))
        else:
            page.wait_for_timeout(20)  # a tap is heard a moment after it was made
    raise AssertionError("the game never ended")


def ends(page: Any) -> None:
    """The board that the firmware runs has won the game that the cards have won."""
    said = page.locator("#game .log li").last.inner_text()
    winner = "orange" if said.startswith("You win, 61") else "blue"
    assert said.startswith(("You win, 61 to", "The computer wins, 61 to"))
    page.locator("#says").get_by_text(f"{winner} has won").wait_for()


def test_a_whole_game_by_keys_alone(front: Open, keep: Any) -> None:
    page = front(LAPTOP)
    page.keyboard.press("Tab")
    for _ in range(20):
        if page.evaluate("document.activeElement.id") == "play":
            break
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.locator("#game .hand button").first.wait_for()
    page.locator("#game[aria-busy=false]").wait_for()  # the keyboard goes to the cards when they are dealt
    page.locator("#game summary").focus()
    page.keyboard.press("Enter")
    tick(page, "at once")
    assert page.locator("[data-key=length]").is_checked(), "a first game is short"
    keep(page, "site-game")
    assert findings(page) == []
    page.locator("#game[aria-busy=false]").wait_for()
    held = cards(page)
    leave(page)
    page.keyboard.press("Enter")  # the door has the keyboard again
    page.locator("#game").get_by_text("The game goes on where you left it.").wait_for()
    assert cards(page) == held
    page.locator("#game summary").click()
    assert page.locator("[data-key=level]").input_value() == "club", "and against a middling player"
    page.locator("[data-key=level]").select_option("learner")
    page.locator("#game[aria-busy=false]").wait_for()
    page.get_by_role("button", name="New game").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")  # it asks, and the keyboard is at the answer
    page.locator("#game .log").get_by_text("the lowest card").wait_for()
    heard = whole_game(
        page, lambda page, at: page.keyboard.press(str(at + 1)), lambda page: page.keyboard.press("Enter")
    )
    ends(page)
    assert any("Your hand " in words for words in heard)
    keep(page, "site-game-over")
    assert findings(page) == []


def cards(page: Any) -> list[str]:
    page.locator("#game[aria-busy=false] .hand button").first.wait_for()
    return [
        str(name) for name in page.locator("#game .hand button").evaluate_all("all => all.map(one => one.dataset.card)")
    ]


def points(page: Any) -> int:
    """What the person has pegged."""
    return int(re.search(r"You\s*(\d+)", page.locator("#score").inner_text())[1])  # type: ignore[index]


def boxes(elements: Any) -> list[dict[str, float]]:
    return [one.bounding_box() for one in elements.all()]


def tick(page: Any, words: str) -> None:
    box = page.get_by_label(words)
    box.focus()
    page.keyboard.press("Space")
    assert box.is_checked()


def leave(page: Any) -> None:
    page.get_by_role("button", name="Leave").focus()
    page.keyboard.press("Enter")
    page.locator("#game").wait_for(state="hidden")


def tap(button: Any) -> None:
    """Tap it, unless the computer's card has just moved it away; then look again."""
    from playwright.sync_api import TimeoutError as Late

    with contextlib.suppress(Late):
        button.tap(timeout=2000)


@pytest.mark.long
def test_a_whole_game_by_touch_alone(front: Open, keep: Any) -> None:
    page = front(PHONE, has_touch=True, is_mobile=True)
    page.locator("#play").tap()
    page.locator("#game summary").tap()
    page.get_by_label("at once").tap()
    page.locator("#game summary").tap()
    page.locator("#game[aria-busy=false] .hand button").first.wait_for()
    page.evaluate("scrollTo(0, 0)")
    keep(page, "site-game-phone")
    board, hand = page.locator("#board").bounding_box(), page.locator("#game .hand").bounding_box()
    assert board["y"] >= 0 and board["height"] < 0.4 * PHONE["height"], "the board is small, and in sight"
    assert hand["y"] > board["y"] + board["height"], "and hides no card"
    narrowest = min(box["width"] for box in boxes(page.locator("#game .hand .card")))
    assert narrowest >= MOST_CARD, "as large as six of them can be"
    page.get_by_role("heading", name="This board").scroll_into_view_if_needed()
    assert page.locator("#board").bounding_box()["y"] >= 0, "it stays there"
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    whole_game(
        page,
        lambda page, at: tap(page.locator("#game .hand button").nth(at)),
        lambda page: tap(page.locator("#game button.main")),
    )
    ends(page)
    page.get_by_role("button", name="Review my choices").tap()
    verdict = page.locator(
        "#game .review h3", has_text=re.compile(r"^\d+ of your \d+ choices were as good as any; the others")
    )
    verdict.wait_for(timeout=60_000)
    assert len(page.locator("#game .review li").all()) == 3, "who always takes the first card chooses badly"
    keep(page, "site-game-review")
    assert findings(page) == []


def test_a_dealt_hand_is_there_when_the_tab_was_closed_and_buttons_change_no_more_than_the_score(front: Open) -> None:
    page = front(LAPTOP)
    page.locator("#play").click()
    held = cards(page)
    page.keyboard.press("1")
    page.keyboard.press("2")
    page.keyboard.press("Enter")
    page.locator("#game").get_by_text("The starter is the").wait_for()
    kept = cards(page)
    assert kept == held[2:]
    page.reload()
    page.locator("body[data-lit]").wait_for()
    page.locator("#says li").first.wait_for()
    page.get_by_role("button", name="Orange +5").click(delay=60)
    page.get_by_role("button", name="Orange OK").click(delay=60)
    page.locator("#says li", has_text="Orange").filter(has_text="bright peg is in hole").wait_for()
    page.locator("#game").get_by_text("The game goes on where you left it.").wait_for()
    assert set(cards(page)) == set(kept)
    page.locator("#game .hand button:not([aria-disabled])").first.click()
    page.locator("#game .log").get_by_text("You play the").wait_for()
    page.get_by_role("button", name="Blue +1").click(delay=60)
    page.get_by_role("button", name="Blue OK").click(delay=60)
    page.locator("#game[aria-busy=false] .hand button:not([aria-disabled])").first.click()
    page.locator("#game[aria-busy=false]").wait_for()
    assert page.locator("#game .notice").count() == 0


VOICE = """
window.heard = [];
class Utterance { constructor(words) { this.words = words; } }
Object.defineProperty(window, "SpeechSynthesisUtterance", { value: Utterance });
const speechSynthesis = { speak: ({ words }) => window.heard.push(words), cancel() { window.heard = []; } };
Object.defineProperty(window, "speechSynthesis", { value: speechSynthesis });
"""


def test_a_game_is_spoken_when_that_is_switched_on(visit: Open, pages: Site) -> None:
    page = visit("about:blank", LAPTOP)
    page.context.add_init_script(VOICE)
    page.goto(pages.address)
    page.locator("#play").click()
    held = cards(page)
    assert page.evaluate("heard") == []
    page.locator("#game summary").click()
    page.get_by_label("Speak what happens").check()
    assert page.evaluate("heard") == [page.locator("#game .log li").last.inner_text()]
    for card in held[:2]:
        page.locator(f"#game [data-card='{card}']").click()
    page.locator("[data-key=throw]").click()
    page.locator("#game[aria-busy=false] .log").get_by_text("The starter is the").wait_for()
    assert any("The starter is the" in words for words in page.evaluate("heard"))
    page.get_by_label("Speak what happens").uncheck()
    assert page.evaluate("heard") == []
    page.locator("#game").get_by_label("Sound").check()
    assert page.locator("#sound").is_checked(), "the board's, which is further down"


@pytest.mark.long
def test_a_card_that_passes_31_is_not_played(front: Open) -> None:
    page = front(LAPTOP)
    page.evaluate("localStorage.setItem('cribboard.pace', '\"quick\"')")
    page.locator("#play").click()
    for _ in range(MOST_ACTS):
        page.locator("#game[aria-busy=false]").wait_for()
        off = page.locator("#game .hand button[aria-disabled=true]")
        if off.count():
            break
        main = page.locator("#game button.main")
        if main.count() and main.inner_text() == "Throw to the crib":
            page.keyboard.press("1")
            page.keyboard.press("2")
        if main.count():
            main.click()
        else:
            page.locator("#game .hand button").last.click()
    before = page.locator("#game .hand button").count()
    off.first.click(force=True)
    page.locator("#live").get_by_text("would pass 31").wait_for()
    assert page.locator("#game .hand button").count() == before


def by_hand(page: Any) -> None:
    """Begin a short game against a learner, in which points are claimed and muggins is played."""
    page.evaluate("localStorage.setItem('cribboard.pace', '\"quick\"')")
    page.evaluate("localStorage.setItem('cribboard.length', '\"short\"')")
    page.locator("#play").click()
    cards(page)
    page.locator("#game summary").click()
    page.locator("[data-key=level]").select_option("learner")
    page.get_by_label("Muggins").click()
    page.locator("#game").get_by_text("it also needs counting by hand").wait_for()
    assert not page.get_by_label("Muggins").is_checked(), "a rule that cannot be is not chosen"
    both = (
        "for (const rule of ['counting=manual', 'muggins=on']) document.querySelector(`[data-key='${rule}']`).click()"
    )
    page.evaluate(both)  # before the referee has answered for the first
    for rule in ("Muggins", "Counting by hand"):
        expect(page.get_by_label(rule)).to_be_checked()
    assert page.locator("#game .settings .notice").count() == 0
    page.locator("#game[aria-busy=false]").wait_for()
    page.get_by_role("button", name="New game").click()
    page.get_by_role("button", name="Start a new game").click()
    page.locator("#game[aria-busy=false] .hand button").first.wait_for()


def test_a_game_counted_by_hand_with_muggins_and_reasons_by_keys(front: Open, keep: Any) -> None:
    page = front(LAPTOP)
    by_hand(page)
    heard: list[str] = []
    called = 0
    for _ in range(MOST_ACTS):
        page.locator("#game[aria-busy=false]").wait_for()
        heard.append(page.locator("#live").inner_text())
        main = page.locator("#game button.main")
        words = main.inner_text() if main.count() else ""
        if words == "New game":
            if any("Muggins: the computer takes" in words for words in heard):
                break
            main.click()  # a learner overlooks three misses in seven: in one of seventy games all of them
        elif not called and page.get_by_label("Points that the computer missed").count():
            called += 1
            keep(page, "site-game-muggins")
            assert findings(page) == []
            page.get_by_label("Points that the computer missed").fill("2")
            page.keyboard.press("Enter")
        elif words == "Throw to the crib":
            page.keyboard.press("1")
            page.keyboard.press("2")
            page.keyboard.press("Enter")
        elif words == "Play it":
            free = [off != "true" for _, off in page.locator("#game .hand button").evaluate_all(CARDS)]
            page.keyboard.press(str(free.index(True) + 1))
            page.keyboard.type("0")
            page.keyboard.press("Enter")
        elif words == "Claim":
            if called == 1:
                called += 1
                keep(page, "site-game-claim")
                assert findings(page) == []
            page.get_by_label("Points", exact=True).fill("1")
            page.keyboard.press("Enter")
        else:
            page.keyboard.press("Enter")
    assert any("The computer: “" in words for words in heard), "the learner says why"
    assert any(words.startswith("How much is your") or " How much is your" in words for words in heard)
    assert any("Muggins: the computer takes" in words for words in heard)
    assert called
    ends(page)
    page.get_by_role("button", name="Review my choices").press("Enter")
    verdict = page.locator("#game .review").get_by_role("heading")
    expect(verdict).to_be_focused()
    page.locator("#game[aria-busy=false]").wait_for()
    expect(verdict).to_have_text(re.compile(r"^\d+ of your \d+ choices were as good as any"))
    expect(verdict).to_be_focused()
    expect(page.locator("#live")).to_have_text(verdict.inner_text())
    assert page.locator("#game .review li").first.inner_text().startswith("Deal ")
    assert findings(page) == []
    keep(page, "site-game-review")
    page.keyboard.press("Backspace")
    page.locator("#game[aria-busy=false] .log").get_by_text("Taken back").wait_for()
    assert page.locator("#game .notice").count() == 0


def test_a_misplayed_card_is_taken_back_with_what_followed_and_stays_so(front: Open) -> None:
    page = front(PHONE, has_touch=True, is_mobile=True)
    page.locator("#play").tap()
    held = cards(page)
    assert page.get_by_role("button", name="Take back").count() == 0, "the cut and the deal are the program's"
    page.locator("#game .hand button").nth(0).tap()
    page.locator("#game .hand button").nth(1).tap()
    page.get_by_role("button", name="Throw to the crib").tap()
    page.locator("#game").get_by_text("The starter is the").wait_for()
    starter = page.locator("#game .felt .card[data-suit]").first.get_attribute("aria-label")
    page.locator("#game[aria-busy=false] .hand button:not([aria-disabled])").first.tap()
    page.locator("#game .log").get_by_text("You play the").wait_for()
    page.locator("#game[aria-busy=false]").wait_for()
    assert len(cards(page)) == 3
    page.get_by_role("button", name="Take back").tap()
    page.locator("#game .log").get_by_text("Taken back: You play").wait_for()
    assert cards(page) == held[2:]
    page.reload()
    page.locator("#score").get_by_text("The computer").wait_for()
    assert cards(page) == held[2:]
    page.get_by_role("button", name="Take back").tap()
    assert page.locator("#game .hand button").nth(5).wait_for() is None
    assert cards(page) == held
    page.locator("#game .hand button").nth(0).tap()
    page.locator("#game .hand button").nth(1).tap()
    page.get_by_role("button", name="Throw to the crib").tap()
    shown = page.locator("#game .felt .card[data-suit]").first
    shown.wait_for()
    assert shown.get_attribute("aria-label") == starter, "the same card comes again"
    assert page.locator("#game .notice").count() == 0


# Taps as early as a person could make them: in the moment in which the cards are there, before the computer has thrown.
TAP_AT_ONCE = """
new MutationObserver((_, seen) => {
  const cards = document.querySelectorAll("#game .hand button");
  if (cards.length !== 6) return;
  seen.disconnect();
  window.busy = document.querySelector("#game").ariaBusy;
  cards[0].click();
  document.querySelectorAll("#game .hand button")[1].click();
  document.querySelector("#game [data-key=throw]").click();
  window.words = document.querySelector("#game [data-key=throw]").innerText;
}).observe(document.querySelector("#game"), { childList: true, subtree: true })
"""


def test_no_tap_is_lost_while_the_computer_chooses_on_a_slow_phone(front: Open) -> None:
    page = front(PHONE, has_touch=True, is_mobile=True)
    page.evaluate("localStorage.setItem('cribboard.level', '\"expert\"')")
    page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": 6})
    page.evaluate(TAP_AT_ONCE)
    page.locator("#play").tap()
    slowly = page.locator("#game .log").get_by_text("The starter is the")
    slowly.wait_for()  # six times slower, and beside other tests
    assert page.evaluate("window.busy") == "true", "it was tapped while the computer had its turn"
    assert page.evaluate("window.words") == "Thrown: the computer is still choosing"
    assert len(cards(page)) == 4
    assert page.locator("#game .notice").count() == 0


# A board that takes a while to answer: what it was sent, and how many cards were there when the pages began to be kept.
SLOW_BOARD = """
window.sent = [];
const post = Worker.prototype.postMessage;
Worker.prototype.postMessage = function (order) {
  if (order.do !== "arrive") return post.call(this, order);
  window.sent.push(String(order.bytes));
  setTimeout(() => post.call(this, order), 60);
};
const register = navigator.serviceWorker?.register.bind(navigator.serviceWorker);
if (register) navigator.serviceWorker.register = (...how) => {
  window.there = document.querySelectorAll("#game .hand button").length;
  return register(...how);
};
"""


def test_referee_and_computer_load_beside_the_board_and_the_pages_are_kept_after_the_cards(
    visit: Open, pages: Site
) -> None:
    page = visit("about:blank", PHONE, motion="no-preference")
    page.add_init_script(SLOW_BOARD)
    page.clock.install(time=0)
    page.clock.pause_at(1)
    lights = page.locator("#board circle[visibility=visible]")
    held: list[Any] = []
    page.route("**/static/board-worker.js", lambda route: held.append(route))  # the board waits for its program
    with page.expect_request("**/static/board-worker.js"):
        page.goto(pages.address)
    page.locator("#keys button").first.wait_for()  # the page knows its boards
    page.clock.run_for(300)
    assert lights.count() > 10, "the greeting"
    with page.expect_response("**/referee.pack"):
        page.locator("#play").click()
    page.clock.run_for(50)
    assert lights.count() == 0, "it does not take the processor from what was asked for"
    page.clock.resume()
    assert page.locator("body[data-lit]").count() == 0
    assert page.evaluate("navigator.serviceWorker.getRegistrations().then((all) => all.length)") == 0
    held[0].continue_()
    assert len(cards(page)) == 6
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    assert page.evaluate("window.there") == 6, "keeping the pages does not take the processor from the cards"
    sent = page.evaluate("window.sent")
    assert len(set(sent)) == len(sent) > 2, "a board in the page loses nothing, and is asked once"


def test_a_hint_names_cards_that_one_has(front: Open) -> None:
    page = front(LAPTOP)
    page.locator("#play").click()
    held = cards(page)
    page.get_by_role("button", name="Hint").click()
    advice = page.locator("#game .log li", has_text="An expert throws").inner_text()
    named = [card for card in held if page.locator(f"#game [data-card='{card}'] .hide").inner_text() in advice]
    assert len(named) == 2
    for card in named:
        page.locator(f"#game [data-card='{card}']").click()
    page.locator("[data-key=throw]").click()
    page.locator("#game .log").get_by_text("The starter is the").wait_for()
    page.locator("#game[aria-busy=false] .hand button:not([aria-disabled])").first.wait_for()
    page.get_by_role("button", name="Hint").click()
    page.locator("#game .log li", has_text="An expert plays the").wait_for()


def test_the_computers_cards_show_their_backs_and_the_throw_says_whose_crib_it_is_for(front: Open) -> None:
    page = front(LAPTOP)
    page.locator("#play").click()
    cards(page)
    backs = page.locator("#game .card.back").first
    assert "gradient" in backs.evaluate("card => getComputedStyle(card).backgroundImage")
    mine = page.locator("#game .log li", has_text="you deal.").count()
    whose = "your" if mine else "the computer.s"
    page.get_by_role("heading", name=re.compile(f"Choose two for {whose} crib")).wait_for()


def test_a_new_game_asks_and_is_taken_back_whole(front: Open) -> None:
    page = front(LAPTOP)
    page.locator("#play").click()
    cards(page)
    for key in ("1", "2", "Enter"):
        page.keyboard.press(key)
    page.locator("#game .log").get_by_text("The starter is the").wait_for()
    page.locator("#game[aria-busy=false] .hand button:not([aria-disabled])").first.wait_for()
    you = points(page)  # a starter that is a jack has pegged two
    page.get_by_role("button", name="Orange +5").click(delay=60)
    page.get_by_role("button", name="Orange OK").click(delay=60)
    page.locator("#score span", has_text=re.compile(rf"You\s*{you + 5}$")).wait_for()
    page.locator("#game[aria-busy=false] .hand button:not([aria-disabled])").first.click()
    page.locator("#game .log").get_by_text("You play the").wait_for()
    held, score = cards(page), page.locator("#score").inner_text()
    page.get_by_role("button", name="New game").click()
    page.get_by_role("button", name="Go on with this one").click()
    assert cards(page) == held
    page.get_by_role("button", name="New game").click()
    page.get_by_role("button", name="Start a new game").click()
    page.locator("#game .log").get_by_text("the lowest card").wait_for()
    assert len(cards(page)) == 6
    page.get_by_role("button", name="Take back the new game").click()
    page.locator("#game .log").get_by_text("The game goes on where you left it.").wait_for()
    assert cards(page) == held
    page.locator("#score", has_text=re.compile(r"\s*".join(map(re.escape, score.split())))).wait_for()
    assert page.get_by_role("button", name="Take back the new game").count() == 0
    page.locator("#game[aria-busy=false] .hand button:not([aria-disabled])").first.click()
    page.locator("#game[aria-busy=false]").wait_for()
    assert page.locator("#game .notice").count() == 0


def test_a_phone_on_its_side_has_the_board_beside_the_cards(front: Open, keep: Any) -> None:
    page = front({"width": 740, "height": 360}, has_touch=True, is_mobile=True)
    page.locator("#play").tap()
    cards(page)
    keep(page, "site-game-landscape")
    board, hand = page.locator(".table").bounding_box(), page.locator("#game .hand").bounding_box()
    throw = page.locator("[data-key=throw]").bounding_box()
    assert board["x"] + board["width"] <= hand["x"], "nothing lies over the cards"
    assert throw["y"] + throw["height"] <= 360, "and the next thing to do is in sight"


FLYING = "() => document.getAnimations().filter((one) => one.effect.target.matches('.card')).length"


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_cards_fly_to_the_table_and_the_crib_lies_with_its_dealer(front: Open, motion: str, keep: Any) -> None:
    page = front(PHONE, has_touch=True, is_mobile=True, motion=motion)
    page.locator("#play").tap()
    cards(page)
    page.wait_for_function("document.querySelector('#game').ariaBusy === 'false'")
    for at in range(2):
        page.locator("#game .hand button").nth(at).tap()
    page.locator("[data-key=throw]").tap()
    page.locator("#game").get_by_text("The starter is the").wait_for()
    pile = page.locator("#game .pile")
    assert pile.get_attribute("aria-label") == "4 cards face down"
    dealt = page.locator("#says li", has_text="has the crib").inner_text()
    side = ".yours" if "orange has" in dealt else ".theirs"
    assert page.locator(f"#game {side} .pile").count() == 1
    keep(page, f"site-crib-{motion}")
    page.locator("#game[aria-busy=false] .hand button:not([aria-disabled])").first.wait_for()
    held = page.locator("#game .hand button").count()
    page.evaluate(f"""() => {{
        window.flying = 0;
        const seen = new MutationObserver(() => {{ window.flying += ({FLYING})(); }});
        seen.observe(document.querySelector("#game"), {{ childList: true, subtree: true }});
    }}""")
    page.locator("#game .hand button:not([aria-disabled])").first.tap()
    page.locator("#game .log").get_by_text("You play the").wait_for()
    assert (page.evaluate("window.flying") > 0) == (motion == "no-preference")
    assert page.locator("#game .hand button").count() == held - 1
    taps = page.evaluate(  # in one go, as the computer's card draws the hand again
        "Array.from(document.querySelectorAll('#game .hand button'), (one) => {"
        " const { x, y, width, height } = one.getBoundingClientRect();"
        " return document.elementFromPoint(x + width / 2, y + height / 2).closest('button') === one; })"
    )
    assert all(taps), "what flies is in no finger's way"


def test_what_is_pressed_on_the_board_is_taken_back_first_and_letters_press_nothing_there(front: Open) -> None:
    page = front(LAPTOP)
    page.locator("#play").click()
    cards(page)
    for key in ("1", "2", "Enter"):
        page.keyboard.press(key)
    page.locator("#game .log").get_by_text("The starter is the").wait_for()
    page.locator("#game[aria-busy=false] .hand button:not([aria-disabled])").first.wait_for()
    for letter in "sdjl":
        page.keyboard.press(letter, delay=60)
    before, held, you = page.locator("#score").inner_text(), cards(page), points(page)
    page.get_by_role("button", name="Orange +5").click(delay=60)
    page.get_by_role("button", name="Orange OK").click(delay=60)
    page.locator("#score span", has_text=re.compile(rf"You\s*{you + 5}$")).wait_for()
    page.locator("#game[aria-busy=false]").wait_for()
    page.get_by_role("button", name="Take back").click()
    page.locator("#game .log").get_by_text("Taken back: what happened on the board.").wait_for()
    page.locator("#score span", has_text=re.compile(rf"You\s*{you}$")).wait_for()
    assert page.locator("#score").inner_text() == before, "the letters have pressed nothing"
    assert cards(page) == held
    assert page.locator("#game .notice").count() == 0
