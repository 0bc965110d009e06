"""For everybody: axe finds nothing on any page in any state, keys do everything, colours are never the only sign."""

from __future__ import annotations

import itertools
import re
from pathlib import Path
from typing import Any

import pytest
from browser.chromium import LAPTOP, PHONE, SCREEN, UPRIGHT, findings
from browser.house import House, Player, wait_for
from playwright.sync_api import Page, expect

import cribboard

DEFICIENCIES = ("protanopia", "deuteranopia", "tritanopia")
COLOURS_ONLY = {"runOnly": {"type": "rule", "values": ["color-contrast"]}}
COLOURS = ("orange", "blue", "green", "yellow", "red", "purple")


def played(player: Player) -> None:
    """A short game that is won, and another that runs."""
    player.begin("Ann", "Bob")
    player.do("hand", side=1, cards=["5H", "5C", "5S", "JD"], starter="5D")
    player.do("set", side=1, front=118, back=110)
    player.do("peg", side=1, points=3)
    player.begin("Ann", "Bob")
    player.do("peg", side=2, points=4)
    player.do("hand", side=1, cards=["5H", "5C", "5S", "JD"], starter="5D")


def clean(page: Page, schemes: tuple[str, ...] = ()) -> None:
    """By all rules as the page is; in each of these colour schemes by the rule that asks for its colours."""
    problems = findings(page)
    for scheme in schemes:
        page.emulate_media(color_scheme=scheme)
        problems += findings(page, COLOURS_ONLY)
    assert not problems, "\n".join(problems[:4])


def clean_in_both(page: Page) -> None:
    clean(page, ("dark", "light"))


@pytest.mark.parametrize("size", [SCREEN, UPRIGHT], ids=["wide", "upright"])
def test_axe_finds_nothing_on_the_table(visit: Any, player: Player, size: dict[str, int]) -> None:
    page = visit("/table/1", size)
    page.locator(".middle").wait_for()
    clean(page)
    played(player)
    page.locator("#below .card").first.wait_for()
    clean(page)
    page.mouse.move(50, 50)
    page.get_by_role("button", name="Info").click()
    page.get_by_role("button", name="What is the score?", exact=True).wait_for()
    page.wait_for_timeout(400)
    clean(page)
    player.do("set", side=1, front=119, back=110)
    player.do("set", side=2, front=70, back=60)
    player.do("play", side=1, card="7H")
    page.locator(".warned").wait_for()
    clean(page)
    page.evaluate("document.body.dataset.dim = ''")
    clean(page)
    page.evaluate("delete document.body.dataset.dim")
    player.do("peg", side=1, points=2)
    page.locator("#win").wait_for()
    clean(page)
    page.keyboard.press("Escape")
    expect(page.locator("#win")).not_to_be_visible()
    clean(page)


def test_axe_finds_nothing_on_the_phone(visit: Any, player: Player, phone: Any, keep: Any) -> None:
    page = visit("/score/1", PHONE, color_scheme="light")
    page.get_by_label("Six digits").wait_for()
    clean_in_both(page)
    page.get_by_label("Six digits").fill("nonsense")
    page.get_by_role("button", name="Join").click()
    expect(page.get_by_role("alert").first).not_to_be_empty()
    clean_in_both(page)
    played(player)
    page = phone(1, color_scheme="light")
    for tab in ("points", "hand", "play", "ask", "more"):
        page.locator(f"#tab-{tab}").click()
        keep(page, f"phone-{tab}")
        clean_in_both(page)
    for name in ("Penalty", "False claim", "Set a score", "New game …", "Names"):
        page.locator("#panel-more").get_by_role("button", name=name).click()
        clean_in_both(page)
        page.get_by_role("button", name="Cancel").click()
    page.locator("#tab-points").click()
    page.locator("[data-points='7']").click()
    clean_in_both(page)
    page.locator("#tab-hand").click()
    for card in ("2H", "3H", "4H", "8S"):  # the starter is known since the first count
        page.locator(f"#panel-hand [data-card='{card}']").click(force=True)
    page.get_by_role("button", name="Starter").first.wait_for()
    clean_in_both(page)
    page.context.set_offline(True)
    page.locator("#link[data-bad]").wait_for()
    clean_in_both(page)


def test_axe_finds_nothing_on_the_pages_to_read(visit: Any, player: Player, house: House) -> None:
    for path in ("/", "/history", "/learn", "/staff", "/player/1", "/game/99"):
        page = visit(path, LAPTOP, color_scheme="light")
        page.wait_for_timeout(500)
        clean_in_both(page)
    played(player)
    for path in ("/", "/history", "/player/1", "/game/1"):
        for size in (LAPTOP, PHONE):
            page = visit(path, size, color_scheme="light")
            page.wait_for_timeout(500)
            clean_in_both(page)
    page = visit("/staff", LAPTOP, color_scheme="light")
    page.get_by_label("PIN").fill(house.pin)
    page.get_by_role("button", name="Enter").click()
    page.locator("#players table").wait_for()
    clean_in_both(page)
    page.get_by_role("button", name="Erase Ann").click()
    clean_in_both(page)


@pytest.mark.parametrize("path", ["/", "/history", "/player/1", "/game/1", "/staff", "/table/1"])
def test_no_page_scrolls_sideways_on_a_small_phone(visit: Any, player: Player, house: House, path: str) -> None:
    played(player)
    player.do("names", names=["A name of some width", "Wwwwwwwwwwwwwwwwwwww"])
    page = visit(path, PHONE)
    if path == "/staff":
        page.get_by_label("PIN").fill(house.pin)
        page.get_by_role("button", name="Enter").click()
        page.locator("#players table").wait_for()
    page.wait_for_timeout(500)
    if path == "/player/1":  # any player's; a name may be one long word
        page.locator("h1").evaluate("heading => { heading.textContent = 'Bartholomew-Featherstone' }")
    for width in (360, 320) if path == "/table/1" else (360, 320, 180):  # the last is 360 at 200 %
        page.set_viewport_size({"width": width, "height": 568})
        assert page.evaluate("document.scrollingElement.scrollWidth") <= width
        names = page.locator("td.wide").evaluate_all("cells => cells.map(cell => cell.getBoundingClientRect().width)")
        assert all(one >= 60 for one in names), "a name is not written one letter below the other"


EVERYTHING = """() => [...document.querySelectorAll("button, select, input, summary")]
  .filter((one) => one.checkVisibility() && !one.disabled)
  .forEach((one) => {
    one.click();
    for (const kind of ["input", "change"]) one.dispatchEvent(new Event(kind, { bubbles: true }));
  })"""


@pytest.mark.parametrize(
    "path", ["/", "/history", "/player/1", "/game/1", "/staff", "/table/1", "/learn", "/night", "/screen", "/season/1"]
)
def test_what_is_pressed_before_the_kiosk_has_answered_does_no_harm(visit: Any, player: Player, path: str) -> None:
    played(player)
    page = visit(path, PHONE)
    page.context.route("**/api/**", lambda _: None)  # under way, however long
    page.reload()
    page.evaluate(EVERYTHING)
    page.evaluate("() => new Promise((done) => setTimeout(done, 100))")  # an error would be said by now


@pytest.mark.parametrize("height", [560, 640, 740])
def test_the_scorer_fits_one_hand_on_360_pixels(phone: Any, player: Player, height: int, keep: Any) -> None:
    player.begin("A name of some width", "Wwwwwwwwwwwwwwwwwwww")
    page = phone(1, {"width": 360, "height": height})
    for tab in ("points", "hand", "play", "ask", "more"):
        page.locator(f"#tab-{tab}").click()
        keep(page, f"phone-{tab}-{height}")
        assert page.evaluate("document.scrollingElement.scrollWidth") <= 360
        small = page.locator(f"#panel-{tab} button:visible").evaluate_all(
            """nodes => nodes.map(node => [node.getBoundingClientRect(), node.textContent])
                 .filter(([box]) => box.width < 32 || box.height < 30).map(([, text]) => text)"""
        )
        assert not small
        if tab == "points":
            foot, peg = (page.locator(one).bounding_box() for one in ("#foot", "#panel-points .ok"))
            assert foot and peg and peg["y"] + peg["height"] <= foot["y"] + 1, "OK is in reach without scrolling"
        if height >= 640 and tab in ("points", "hand", "play"):
            hidden = page.locator(f"#panel-{tab} .deck button, #panel-{tab} .pad button").evaluate_all(
                """nodes => nodes.filter(node => node.getBoundingClientRect().bottom
                     > document.getElementById('foot').getBoundingClientRect().top + 1).length"""
            )
            assert not hidden, "every card and every number is in reach without scrolling"


@pytest.mark.parametrize(("players", "teams"), [(2, 0), (3, 0), (4, 0), (4, 2), (5, 0), (6, 0), (6, 3)])
def test_who_deals_and_who_may_be_skunked_is_read_on_360_pixels(
    phone: Any, player: Player, players: int, teams: int, keep: Any
) -> None:
    names = ["Bartholomew", "Ann", "Christopher", "Dee", "Ed", "Fran"][:players]
    player.do("new", names=names, target=121, teams=teams, dealer=2)
    for side in player.state["sides"]:
        front = {1: 118, 2: 15}.get(side["side"], 88)
        player.do("set", side=side["side"], front=front, back=5)
    page = phone(1)
    keep(page, f"phone-chips-{players}-{teams}")
    assert page.evaluate("document.scrollingElement.scrollWidth") <= 360
    cut = page.locator(".chip .signs").evaluate_all(
        """nodes => nodes.filter(node =>
             node.scrollWidth > node.clientWidth + 1 || node.scrollHeight > node.clientHeight + 1
             || node.getBoundingClientRect().right > node.parentNode.getBoundingClientRect().right
           ).map(node => node.textContent)"""
    )
    assert not cut
    assert page.locator(".chip .signs").nth(1).inner_text().startswith("Ann deals" if teams else "Deals")
    assert "double skunk" in page.locator(".chip .signs").nth(1).inner_text()


def test_a_browsers_own_size_of_text_counts() -> None:
    """It does where the root's is relative to it."""
    sheets = "".join(path.read_text("utf-8") for path in (Path(cribboard.__file__).parent / "web/static").glob("*.css"))
    roots = re.findall(r":root[^{]*\{[^}]*?font(?:-size)?: ([^;/]+)", sheets)
    assert roots and all(size.endswith("%") for size in roots)


def test_the_keyboard_alone_joins_and_scores(visit: Any, player: Player, house: House) -> None:
    player.begin("Ann", "Bob")
    code = house.get("/api/boards/1/invite")["code"]
    page = visit("/score/1", PHONE)
    page.get_by_label("Six digits").focus()
    page.keyboard.type(code)
    page.keyboard.press("Enter")
    page.get_by_text("Which side is yours?").wait_for()
    expect(page.locator("#title")).to_be_focused()
    tab_to(page, ".pickside")
    page.keyboard.press("Enter")
    page.locator("#foot").wait_for()
    tab_to(page, "[data-points='1']")
    page.keyboard.type("12")
    expect(page.locator("#preview")).to_have_text("Ann 0 → 12")
    expect(page.locator("#panel-points .ok")).to_be_focused()
    page.keyboard.press("Enter")
    wait_for(lambda: player.state["sides"][0]["front"] == 12)
    tab_to(page, "#tab-points")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#tab-hand")).to_be_focused()
    tab_to(page, "#panel-hand .deck button")
    page.keyboard.type("5H5C5SJD")
    page.keyboard.type("5D")
    expect(page.locator("#panel-hand .ok")).to_be_focused()
    page.keyboard.press("Enter")
    wait_for(lambda: player.state["sides"][0]["front"] == 41)
    tab_to(page, "[data-key='undo']")
    page.keyboard.press("Enter")
    wait_for(lambda: player.state["sides"][0]["front"] == 12)


def tab_to(page: Page, selector: str) -> None:
    """Press the tab key until something has the keyboard."""
    for _ in range(80):
        if page.evaluate("selector => document.activeElement?.matches(selector)", selector):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"the tab key does not come to {selector}")


def test_arrows_go_through_numbers_and_cards(phone: Any, player: Player) -> None:
    player.begin("Ann", "Bob")
    page = phone(1)
    page.locator("[data-points='1']").focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowRight")
    expect(page.locator("[data-points='7']")).to_be_focused()
    page.locator("#tab-play").click()
    page.locator("#panel-play [data-card='AS']").focus()
    page.keyboard.press("ArrowDown")
    expect(page.locator("#panel-play [data-card='8S']")).to_be_focused()


LETTERS = {
    "c": "The count is 7",
    "b": "crib is",
    "f": "starter is the nine of clubs",
    "v": "On the table: Ann seven of hearts",
    "s": "Ann 5, Bob 0. Ann leads by 5",
    "t": "Bob is next",
}


def test_the_playrooms_letters_ask_and_can_be_switched_off(phone: Any, visit: Any, player: Player) -> None:
    player.begin("Ann", "Bob")
    player.do("peg", side=1, points=5)
    player.do("starter", card="9C")
    player.do("play", side=1, card="7H")
    page, screen = phone(1), visit("/table/1", SCREEN)
    screen.locator(".panel").first.wait_for()
    for one in (page, screen):
        for letter, answer in LETTERS.items():
            one.keyboard.press(letter)
            expect(one.locator("#said")).to_contain_text(answer)
    page.locator("#tab-more").click()
    page.get_by_label("Letter keys").uncheck()
    page.locator("#tab-ask").click()
    for letter, answer in LETTERS.items():
        silent(page, letter)
        page.locator(f"[data-key='ask-{letter.upper()}']").click()
        expect(page.locator("#said")).to_contain_text(answer)
    page.reload()
    page.locator("#foot").wait_for()
    for letter in LETTERS:
        silent(page, letter)


def silent(page: Page, letter: str) -> None:
    """A letter asks nothing."""
    page.evaluate("document.getElementById('said').textContent = ''")
    page.keyboard.press(letter)
    expect(page.locator("#said")).to_have_text("")


def test_letters_are_not_taken_from_fields(phone: Any, player: Player) -> None:
    player.begin("Ann", "Bob")
    page = phone(1)
    page.locator("#tab-hand").click()
    page.evaluate("document.getElementById('said').textContent = ''")
    page.get_by_label("Or type the cards").press_sequentially("5c ts")
    expect(page.get_by_label("Or type the cards")).to_have_value("5c ts")
    expect(page.locator("#said")).to_have_text("")


def test_every_score_is_in_the_live_line_and_spoken_only_when_asked(visit: Any, player: Player) -> None:
    player.begin("Ann", "Bob")
    page = visit("/table/1", SCREEN)
    page.evaluate(
        "() => { speechSynthesis.speak = one => { (window.spoken ??= []).push(one.text); setTimeout(one.onend); }; }"
    )
    page.locator(".panel").first.wait_for()
    assert page.locator("#announcer").get_attribute("aria-live") == "polite"
    player.do("peg", side=1, points=5)
    expect(page.locator("#said")).to_have_text("Ann pegs 5, now at 5.")
    assert page.evaluate("window.spoken") is None
    page.mouse.move(9, 9)
    page.get_by_role("button", name="Speak scores").click()
    player.do("peg", side=2, points=3)
    expect(page.locator("#said")).to_have_text("Bob pegs 3, now at 3.")
    wait_for(lambda: page.evaluate("window.spoken")[-1] == "Bob pegs 3, now at 3.")
    page.get_by_role("button", name="Speak scores").click()
    player.do("peg", side=2, points=2)
    expect(page.locator("#said")).to_have_text("Bob pegs 2, now at 5.")
    assert page.evaluate("window.spoken")[-1] == "Bob pegs 3, now at 3."


def seen_colours(page: Page, deficiency: str) -> dict[str, tuple[int, int, int]]:
    """The sides' colours as somebody with this deficiency sees them, measured on a picture of the page."""
    import io

    from PIL import Image

    session = page.context.new_cdp_session(page)
    session.send("Emulation.setEmulatedVisionDeficiency", {"type": deficiency})
    picture = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    session.send("Emulation.setEmulatedVisionDeficiency", {"type": "none"})
    colours = {}
    for colour in COLOURS:
        box = page.locator(f".panel[data-colour='{colour}'] .figure").bounding_box()
        assert box
        colours[colour] = picture.getpixel((int(box["x"] + box["width"] / 2), int(box["y"] + box["height"] * 0.6)))
    return colours


def lab(rgb: tuple[int, int, int]) -> tuple[float, float, float]:
    """CIE L*a*b* of sRGB, white D65."""
    red, green, blue = ((c / 255 / 12.92 if c <= 10 else ((c / 255 + 0.055) / 1.055) ** 2.4) for c in rgb)
    xyz = (
        (0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.9505,
        0.2126 * red + 0.7152 * green + 0.0722 * blue,
        (0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.089,
    )
    x, y, z = (one ** (1 / 3) if one > 0.008856 else 7.787 * one + 16 / 116 for one in xyz)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


@pytest.mark.parametrize("deficiency", ["none", *DEFICIENCIES])
def test_the_colours_of_the_sides_stay_apart(visit: Any, player: Player, deficiency: str, keep: Any) -> None:
    player.begin("A", "B", "C", "D", "E", "F")
    page = visit("/table/1", SCREEN)
    page.locator(".panel").nth(5).wait_for()
    seen = seen_colours(page, deficiency)
    apart = {
        (one, other): sum((a - b) ** 2 for a, b in zip(lab(seen[one]), lab(seen[other]), strict=True)) ** 0.5
        for one, other in itertools.combinations(COLOURS, 2)
    }
    assert min(apart.values()) >= 12, {pair: round(value, 1) for pair, value in apart.items() if value < 12}


def test_each_side_has_a_figure_of_its_own(visit: Any, player: Player) -> None:
    player.begin("A", "B", "C", "D", "E", "F")
    page = visit("/table/1", SCREEN)
    page.locator(".panel").nth(5).wait_for()
    figures = page.locator(".panel .figure path").evaluate_all("nodes => nodes.map(node => node.getAttribute('d'))")
    assert len(set(figures)) == 6
