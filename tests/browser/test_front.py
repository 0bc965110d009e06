"""The first of the static pages: the real firmware in the browser, its buttons, its lights in words, and no network."""

from __future__ import annotations

import http.server
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from browser.chromium import LAPTOP, PHONE, findings, read_larger, small
from browser.conftest import or_skip
from browser.site import RUNTIME, Site, site
from playwright.sync_api import expect

from cribboard.site.folder import HOST_HEADERS, WORKER, Handler, service_worker, site_files, unbundled_files
from cribboard.site.micropython import runtime
from cribboard.site.packs import packed
from cribboard.site.single import single

Open = Callable[..., Any]


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    or_skip("" if RUNTIME.is_dir() else "MicroPython is not installed: run `npm ci --prefix tests/vm`")
    with site(tmp_path_factory.mktemp("site")) as one:
        yield one


@pytest.fixture
def front(visit: Open, pages: Site) -> Open:
    """Opens the page, and waits until the board is lit."""

    def opened(size: dict[str, int] = LAPTOP, **more: Any) -> Any:
        page = visit(pages.address, size, **more)
        lit(page)
        return page

    return opened


def lit(page: Any) -> None:
    page.locator("body[data-lit]").wait_for()
    page.locator("#says li").first.wait_for()


def press(page: Any, name: str, ms: int = 60) -> None:
    page.get_by_role("button", name=name, exact=True).click(delay=ms)


def says(page: Any, words: str) -> None:
    page.locator("#says").get_by_text(typeset(words)).wait_for()


def typeset(words: str) -> str:
    return words.replace("'", "\u2019")


def test_presses_are_seen_said_and_kept_when_the_tab_is_closed(front: Open, pages: Site, keep: Any) -> None:
    page = front()
    press(page, "Orange +5")
    press(page, "Orange +1")
    says(page, "6 lights blink in front of it: points that wait for OK.")
    keep(page, "site-front")
    press(page, "Orange OK")
    says(page, "Orange's bright peg is in hole 6, its dim peg in the start.")
    page.locator("#live").get_by_text(typeset("Orange's bright peg is in hole 6")).wait_for()
    page.locator("#board .lights circle[fill^=rgb]:not([visibility=hidden])").first.wait_for()
    page.reload()
    lit(page)
    says(page, "Orange's bright peg is in hole 6, its dim peg in the start.")


def test_a_letter_is_a_finger_for_as_long_as_it_is_held(front: Open) -> None:
    page = front()
    page.keyboard.press("k", delay=60)
    page.keyboard.press("l", delay=60)
    says(page, "Blue's bright peg is in hole 5")
    page.keyboard.press("u", delay=60)
    says(page, "Blue's pegs are in the start")
    page.keyboard.down("u")
    says(page, "Blue's bright peg is in hole 5")
    page.keyboard.up("u")
    page.keyboard.down("k")
    page.keyboard.down("Control")
    page.keyboard.up("k")
    page.keyboard.up("Control")
    page.locator("#keys .down").wait_for(state="detached")
    page.get_by_label("Letters press the buttons").uncheck()
    page.keyboard.press("j", delay=60)
    page.wait_for_timeout(200)
    assert "6 lights" not in page.locator("#says").inner_text()


def test_the_lesson_goes_through_all_buttons(front: Open, keep: Any) -> None:
    page = front()
    page.get_by_role("button", name="Try the buttons").click()
    current = page.locator("#lesson [aria-current=step]")
    for words, presses in (
        ("+5 once", [("Orange +5", 60), ("Orange +1", 60), ("Orange +1", 60)]),
        ("Press orange's OK", [("Orange OK", 60)]),
        ("Press UNDO", [("UNDO", 60)]),
        ("Hold UNDO", [("UNDO", 2200)]),
        ("Press DEAL.", [("DEAL", 60)]),
        ("Hold DEAL", [("DEAL", 3300)]),
        ("to start a new game", [("DEAL", 60)]),
    ):
        current.get_by_text(typeset(words)).wait_for()
        for name, ms in presses:
            page.wait_for_timeout(80)
            press(page, name, ms)
    page.get_by_text("That is all: you know every button.").first.wait_for()
    keep(page, "site-lesson")
    assert findings(page) == [] == small(page)
    page.get_by_role("button", name="Close").press("Enter")
    expect(page.get_by_role("button", name="Try the buttons")).to_be_focused()


def test_the_rules_are_learnt_with_cards_that_one_taps(front: Open, keep: Any) -> None:
    page = front(PHONE, has_touch=True, is_mobile=True)

    def answered(card: str, words: str) -> None:
        page.locator(f"#teach [data-card='{card}']").tap()
        page.locator("#teach .verdict").get_by_text(words).wait_for()

    def follows(title: str) -> None:
        page.get_by_role("button", name="Next").tap()
        page.get_by_role("heading", name=title).wait_for()
        assert findings(page) == [] == small(page)

    page.get_by_role("button", name="Learn the rules").tap()
    follows("The crib")
    page.locator("#teach [data-card='5H']").tap()
    answered(
        "5C", "you keep 0 points. The five of hearts, jack of diamonds, queen of spades, five of clubs would be 10"
    )
    for card in ("5H", "5C", "2C"):
        page.locator(f"#teach [data-card='{card}']").tap()
    answered("8H", "you keep 10 points: no other four are worth more")
    keep(page, "site-teach")
    follows("The starter")
    follows("Fifteen")
    answered("4H", "The four of hearts makes nothing here")
    answered("7D", "Yes: fifteen for two")
    follows("Pairs and runs")
    answered("7S", "Yes: a run of three for three")
    follows("Go")
    follows("The count")
    page.locator("#teach [data-key=points-14]").wait_for()  # once the cards are counted
    expect(page.get_by_role("heading", name="The count")).to_be_focused()
    page.get_by_role("button", name="Back", exact=True).tap()
    expect(page.get_by_role("heading", name="Go", exact=True)).to_be_focused()
    follows("The count")
    page.locator("#teach [data-key=points-14]").tap()
    page.locator("#teach .verdict").get_by_text("It is 12: look how it adds up").wait_for()
    page.locator("#teach [data-key=points-12]").tap()
    page.locator("#teach .verdict").get_by_text("Right.").wait_for()
    follows("The end")
    page.locator("#teach [data-key=next]").tap()
    page.locator("#game .hand button").first.wait_for()
    assert page.locator("#teach").is_hidden()


MOST_LIT = """
window.most = 0;
const look = () => {
  window.most = Math.max(window.most, document.querySelectorAll("#board circle[visibility=visible]").length);
  requestAnimationFrame(look);
};
requestAnimationFrame(look);
"""


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_the_board_greets_with_light_where_that_is_welcome(visit: Open, pages: Site, motion: str) -> None:
    page = visit("about:blank", LAPTOP, motion=motion)
    page.context.add_init_script(MOST_LIT)
    page.goto(pages.address)
    lit(page)
    page.wait_for_timeout(1800)  # so long it may take
    still = page.locator("#board circle[visibility=visible]").count()
    assert (page.evaluate("most") > still + 20) is (motion == "no-preference")
    press(page, "Orange +5")
    says(page, "5 lights blink")


@pytest.mark.parametrize("size", [(360, 740), (1280, 720)], ids=["phone", "laptop"])
def test_what_a_lesson_or_a_game_needs_is_in_sight_together(front: Open, size: tuple[int, int], keep: Any) -> None:
    width, height = size
    page = front({"width": width, "height": height}, has_touch=width < 500, is_mobile=width < 500)

    def in_sight(*names: str) -> bool:
        boxes = [page.locator(name).first.bounding_box() for name in names]
        return all(box["y"] >= 0 and box["y"] + box["height"] <= height for box in boxes)

    page.get_by_role("button", name="Try the buttons").click()
    assert in_sight("#lesson [aria-current=step]", "#board", "#keys [data-key=key-GP8]", "#keys [aria-keyshortcuts=E]")
    keep(page, f"site-lesson-{width}")
    page.get_by_role("button", name="Leave").click()
    page.get_by_role("button", name="Play a game").click()
    page.locator("#game[aria-busy=false] .hand button").first.wait_for()
    assert in_sight("#board", "#score", "#game .hand", "[data-key=throw]")
    tops = page.locator("#game .hand button").evaluate_all("all => all.map((one) => one.getBoundingClientRect().top)")
    assert len(set(tops)) == 1, "all six cards lie in one row"
    beside = page.evaluate("""() => {
        const [log, tabletop] = [".log", ".tabletop"].map((name) => document.querySelector("#game " + name));
        return log.getBoundingClientRect().x >= tabletop.getBoundingClientRect().right;
    }""")
    assert beside == (width >= 1000), "a laptop's right half is used"
    page.evaluate("scrollTo(0, 200)")
    edge = page.evaluate("document.elementFromPoint(3, 20)?.closest('#game') === null")
    assert edge, "no card shows beside the board that stays"
    for text in (24, 32):
        read_larger(page, text)
        page.wait_for_timeout(300)  # it comes to a page by and by, and nothing says when
        keep(page, f"site-game-{width}-{text}")
        assert page.evaluate("document.documentElement.scrollWidth") <= width, text


def test_a_door_that_is_pressed_too_early_or_twice_opens_once(visit: Open, pages: Site) -> None:
    page = visit("about:blank", LAPTOP)
    held: list[Any] = []
    page.context.route("**/board.pack", lambda route: held.append(route) if not held else route.continue_())
    with page.expect_request("**/board.pack"):
        page.goto(pages.address)
    page.get_by_role("button", name="Play a game").dblclick()
    assert page.locator("#game").is_hidden() and page.locator("#says li").count() == 0
    held[0].continue_()
    page.locator("#game[aria-busy=false] .hand button").first.wait_for()
    assert page.locator("#game .log").get_by_text("Deal 1").count() == 1


OVER = """() => {
  const boxes = [...document.querySelectorAll("#board text")].map((one) => [one.textContent, one.getBBox()]);
  return boxes.filter(([, one], at) => boxes.slice(0, at).some(([, { x, y, width, height }]) =>
    one.x < x + width && x < one.x + one.width && one.y < y + .7 * height && y < one.y + .7 * one.height))
    .map(([words]) => words);
}"""
CUT = """() => {
  const board = document.querySelector("#board").getBoundingClientRect();
  return [...document.querySelectorAll("#board text")].map((one) => [one.textContent, one.getBoundingClientRect()])
    .filter(([, box]) => box.left < board.left || box.right > board.right || (box.top + box.bottom) / 2 < board.top + 5
      || (box.top + box.bottom) / 2 > board.bottom - 5).map(([words]) => words);
}"""


@pytest.mark.parametrize("board", ["oval", "travel", "twenty-nine"])
def test_the_other_boards_are_lit_and_drawn(front: Open, board: str, keep: Any) -> None:
    page = front(PHONE, has_touch=True)
    page.locator("#boards").select_option(board)
    lit(page)
    says(page, "Blue's pegs are in the start")
    page.get_by_role("button", name="Blue +5").tap()
    says(page, "5 lights blink")
    keep(page, f"site-{board}")
    assert page.evaluate(CUT) == [], "numbers that lie on the edge"
    assert page.evaluate(OVER) == [], "numbers that lie over others"
    assert findings(page) == [] == small(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


def test_a_second_tab_leaves_the_board_to_the_first(front: Open, pages: Site) -> None:
    page = front()
    other = page.context.new_page()
    other.goto(pages.address)
    taken = other.get_by_role("alert").get_by_text("Another tab of this browser is playing")
    taken.wait_for()
    for button in ("Pull the plug and put it back", "Forget its game", "Forget it for good", "Try the buttons"):
        press(other, button)
    press(page, "Blue +5")
    press(page, "Blue OK")
    says(page, "Blue's bright peg is in hole 5")
    taken.wait_for()
    page.close()
    press(other, "Try the buttons")
    lit(other)
    taken.wait_for(state="hidden")
    says(other, "Blue's bright peg is in hole 5")
    assert held(other) == ["cribboard board board"]
    names = ["large", "travel", "board", "oval"]
    other.evaluate(CHOOSE, names)
    lit(other)
    says(other, "Blue's pegs are in the start")
    assert held(other) == ["cribboard board oval"]
    more = other.context.new_page()
    more.goto(pages.address)
    more.get_by_role("alert").get_by_text("Another tab of this browser is playing on \u201cLong oval\u201d").wait_for()
    more.locator("#boards").select_option("travel")
    lit(more)
    other.reload()
    lit(other)
    assert held(other) == ["cribboard board oval", "cribboard board travel"], "each tab has its own board again"


CHOOSE = """(names) => names.forEach((name) => {
  const boards = document.querySelector("#boards");
  boards.value = name;
  boards.dispatchEvent(new Event("change"));
})"""


def held(page: Any) -> list[str]:
    """The boards that this browser's tabs have."""
    names: list[str] = page.evaluate("async () => (await navigator.locks.query()).held.map((one) => one.name)")
    return sorted(names)


def test_a_pulled_plug_loses_what_waits_and_nothing_else(front: Open) -> None:
    page = front()
    press(page, "Blue +5")
    press(page, "Blue OK")
    says(page, "Blue's bright peg is in hole 5")
    press(page, "Blue +1")
    says(page, "1 light blinks")
    page.get_by_role("button", name="Pull the plug").click()
    page.locator("#says").get_by_text("1 light blinks").wait_for(state="detached")
    says(page, "Blue's bright peg is in hole 5")


def test_the_board_forgets_its_game_at_the_second_press_only(front: Open) -> None:
    page = front()
    press(page, "Blue +5")
    press(page, "Blue OK")
    says(page, "Blue's bright peg is in hole 5")
    press(page, "Forget its game")
    page.locator("#live").get_by_text("Press again to forget it.").wait_for()
    page.locator("#plug").focus()
    page.get_by_role("button", name="Forget its game", exact=True).wait_for()
    says(page, "Blue's bright peg is in hole 5")
    press(page, "Forget its game")
    press(page, "Forget it for good")
    page.locator("#says").get_by_text("is in hole 5").wait_for(state="detached")
    expect(page.get_by_role("button", name="Forget its game", exact=True)).to_be_focused()


KEPT = """() => navigator.serviceWorker.controller !== null
  || new Promise((resolve) => navigator.serviceWorker.addEventListener("controllerchange", () => resolve(true)))"""


def follow(page: Any, link: str) -> None:
    """Open what a link names, and wait until its scripts have run."""
    with page.expect_navigation():
        page.get_by_role("link", name=link).click()


def test_without_a_network_it_works_once_it_was_open(visit: Open, tmp_path: Path) -> None:
    or_skip("" if RUNTIME.is_dir() else "MicroPython is not installed: run `npm ci --prefix tests/vm`")
    with site(tmp_path) as pages:
        page = visit(pages.address, LAPTOP)
        lit(page)
        page.evaluate(KEPT)
    assert page.evaluate("fetch('not-kept').then(() => 'a network', () => 'none')") == "none"
    page.reload()
    lit(page)
    press(page, "Orange +5")
    says(page, "5 lights blink")
    follow(page, "Count a hand")
    for card in ("5H", "5C", "5S", "JD", "5D"):
        page.locator(f"#deck [data-card='{card}']").click()
    page.get_by_text("29: fifteen two").wait_for()
    follow(page, "Home")
    follow(page, "Keep score")
    page.get_by_role("button", name="On this page, without a board").click()
    page.get_by_role("button", name="Start").click()
    page.locator("#said").get_by_text("A new game").wait_for()
    follow(page, "Home")
    follow(page, "Guide")
    page.get_by_label("Search").fill("exactly once")
    page.locator("#results a").first.wait_for()


WAITS = """() => navigator.serviceWorker.getRegistration().then(async (kept) => {
  await kept.update();
  for (let ms = 0; ms < 5000 && !kept.waiting; ms += 20) await new Promise((later) => setTimeout(later, 20));
})"""
VERSION = """() => fetch("board.pack").then((answer) => answer.text())
  .then((text) => text.includes("of the second version"))"""


def test_an_update_under_an_open_page_does_not_mix_two_versions(visit: Open, tmp_path: Path) -> None:
    or_skip("" if RUNTIME.is_dir() else "MicroPython is not installed: run `npm ci --prefix tests/vm`")
    from playwright.sync_api import Error

    with site(tmp_path) as pages:
        page = visit(pages.address, LAPTOP)
        lit(page)
        page.evaluate(KEPT)
        page.locator("#play").wait_for()
        second = site_files(runtime(RUNTIME))
        second["board.pack"] = packed({"lib/rules.txt": b"of the second version"})  # the first one's page cannot use it
        kept = {name: data for name, data in second.items() if name not in (WORKER, HOST_HEADERS)}
        second[WORKER] = service_worker(kept)
        for name, data in second.items():
            (tmp_path / name).write_bytes(data)
        page.evaluate(WAITS)
        assert not page.evaluate(VERSION), "the open page goes on with what it was made with"
        page.locator("#play").click()
        page.locator("#game[aria-busy=false] .hand button").first.wait_for()
        other = page.context.new_page()
        other.goto(pages.address + "count.html")
        other.wait_for_load_state("networkidle")
        assert not other.evaluate(VERSION) and not page.evaluate(VERSION), "and so does one that is opened beside it"
        page.close()
        other.goto(pages.address + "count.html")
        other.locator("#deck").wait_for()
        for _ in range(100):
            with suppress(Error):  # the page reloads by itself when it gets it
                if other.evaluate(VERSION):
                    return
            other.wait_for_timeout(50)
        raise AssertionError("the only page does not get the second version")


POLICED = """try { new Function("return 1")(); postMessage("free"); } catch { postMessage("policed"); }"""
PROBE = """() => new Promise((resolve) => {
  const worker = new Worker("static/probe.js", { type: "module" });
  worker.onmessage = ({ data }) => resolve(data);
})"""


def test_pages_and_workers_have_their_policy_also_on_a_host_that_sends_no_headers(
    visit: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    or_skip("" if RUNTIME.is_dir() else "MicroPython is not installed: run `npm ci --prefix tests/vm`")
    monkeypatch.setattr(Handler, "end_headers", http.server.SimpleHTTPRequestHandler.end_headers)
    with site(tmp_path) as pages:
        (tmp_path / "static" / "probe.js").write_text(POLICED, encoding="utf-8")
        page = visit(pages.address, LAPTOP)
        lit(page)
        page.evaluate("navigator.serviceWorker.ready.then(() => true)")
        with page.expect_response(pages.address) as answered:
            page.reload()
        assert "frame-ancestors 'none'" in answered.value.headers["content-security-policy"]
        assert page.evaluate(PROBE) == "policed"
        lit(page)


def test_a_host_that_leaves_html_out_of_addresses_is_one_too(
    visit: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def get(self: Handler) -> None:
        if self.path.endswith(".html"):
            self.send_response(308)
            self.send_header("Location", self.path.removesuffix(".html"))
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        self.path += ".html" if Path(str(tmp_path) + self.path + ".html").is_file() else ""
        http.server.SimpleHTTPRequestHandler.do_GET(self)

    or_skip("" if RUNTIME.is_dir() else "MicroPython is not installed: run `npm ci --prefix tests/vm`")
    monkeypatch.setattr(Handler, "do_GET", get, raising=False)
    with site(tmp_path) as pages:
        page = visit(pages.address, LAPTOP)
        lit(page)
        page.evaluate("navigator.serviceWorker.ready.then(() => true)")
        page.reload()
        lit(page)
    page.get_by_role("link", name="Count a hand").click()
    page.get_by_text("Tap four cards, then the starter").wait_for()


def test_one_file_is_opened_without_a_server(visit: Open, tmp_path: Path) -> None:
    or_skip("" if RUNTIME.is_dir() else "MicroPython is not installed: run `npm ci --prefix tests/vm`")
    file = tmp_path / "board.html"
    file.write_bytes(single(unbundled_files(runtime(RUNTIME))))
    page = visit(file.as_uri(), LAPTOP)
    lit(page)
    press(page, "Blue +5")
    press(page, "Blue OK")
    says(page, "Blue's bright peg is in hole 5")
    page.reload()
    lit(page)
    says(page, "Blue's bright peg is in hole 5")
    page.get_by_role("button", name="Play a game").click()
    page.locator("#game[aria-busy=false] .hand button").first.wait_for()
    assert findings(page) == [] == small(page)
    page.reload()
    page.get_by_role("button", name="Leave").click()  # the game that was on is there again
    page.get_by_role("link", name="Count a hand").click()
    for card in ("5H", "5C", "5S", "JD", "5D"):
        page.locator(f"#deck [data-card='{card}']").click()
    page.get_by_role("status").get_by_text("29: fifteen two").wait_for()
    assert findings(page) == [] == small(page)
    page.get_by_role("link", name="Home").click()
    lit(page)
    page.get_by_role("link", name="Keep score").click()
    page.locator("#tab-points[aria-selected=true]").wait_for(state="attached")  # its script has run
    page.get_by_role("button", name="On this page, without a board").click()
    page.get_by_role("button", name="Start").click()
    page.locator("#said").get_by_text("A new game to 121.").wait_for()
    assert page.title().startswith("Keep score")
    assert findings(page) == [] == small(page)


DENIED = """
const no = () => { throw new DOMException("storage is denied", "SecurityError"); };
Object.defineProperty(window, "localStorage", { get: no });
Object.defineProperty(navigator, "locks", { value: { request: async () => no() } });
Object.defineProperty(navigator, "serviceWorker", { value: { register: async () => no() } });
"""


def test_a_browser_that_keeps_nothing_says_so_and_plays(visit: Open, pages: Site) -> None:
    denied = "const indexedDB = { open() { throw new Error('storage is denied'); } };\n"
    page = visit("about:blank", LAPTOP)
    page.context.add_init_script(DENIED)

    def answer(route: Any, request: Any) -> None:
        script = pages.folder / "static" / request.url.rpartition("/")[2]
        route.fulfill(body=denied + script.read_text("utf-8"), content_type="text/javascript")

    page.context.route("**/static/*.js", answer)
    page.goto(pages.address)
    page.get_by_role("alert").get_by_text("This browser keeps nothing for this page (storage is denied)").wait_for()
    lit(page)
    press(page, "Blue +1")
    says(page, "1 light blinks")
    page.goto(f"{pages.address}score.html")
    page.get_by_role("button", name="On this page, without a board").dblclick()
    page.locator("dialog[open]").wait_for()
    page.get_by_role("alert").get_by_text("the score goes with the tab").wait_for()


@pytest.mark.parametrize(
    ("name", "script"), [("index", "front"), ("score", "scorer"), ("count", "count"), ("install", "install")]
)
def test_a_browser_that_cannot_read_the_scripts_is_told_to_be_updated(
    chromium: Any, pages: Site, name: str, script: str
) -> None:
    page = chromium.new_page(viewport=PHONE)
    page.route(f"**/{script}.js", lambda route: route.fulfill(body="export ?", content_type="text/javascript"))
    page.goto(f"{pages.address}{name}.html")
    page.get_by_role("alert").get_by_text("This browser is too old for this page. Update it").wait_for()
    page.unroute_all()
    for part in ("base.css", f"{script}.js"):  # axe looks at a page that has its styles
        page.route(f"**/{part}", lambda route: route.abort())
        page.reload()
        page.get_by_role("alert").get_by_text("A part of this page has not come. Load the page again.").wait_for()
        page.unroute_all()
    assert findings(page) == []
    page.context.close()


def test_rules_that_cannot_be_loaded_are_said_and_asked_for_again(visit: Open, pages: Site) -> None:
    page = visit("about:blank", LAPTOP)
    page.context.route("**/rules-worker.js", lambda route: route.abort())
    page.goto(f"{pages.address}count.html")
    for card in ("5H", "5C", "5S", "JD"):
        page.locator(f"#deck [data-card='{card}']").click()
    page.locator("#deck [data-card='5D']").click()
    page.get_by_text("The rules could not be loaded; look at the connection").wait_for()
    page.context.unroute("**/rules-worker.js")
    page.get_by_label("It is the crib").check()
    page.get_by_text("29: fifteen two").wait_for()
