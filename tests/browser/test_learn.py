"""The trainer on a phone: by touch, by keys and by ear."""

from __future__ import annotations

import random
from typing import Any

import pytest
from browser.chromium import LAPTOP, PHONE, findings
from playwright.sync_api import Page, expect

from cribboard.learning import question

VOICE = "() => { speechSynthesis.speak = (spoken) => { window.heard = [...(window.heard ?? []), spoken.text]; }; }"


def next_asked(page: Page, act: Any) -> Any:
    with page.expect_response("**/api/learn/question") as answer:
        act()
    asked = answer.value.json()
    expect(page.locator("#text")).to_have_text(asked["text"])
    return asked


def test_a_hand_is_counted_by_keys_alone_and_the_next_lesson_follows(visit: Any, keep: Any) -> None:
    page = visit("/learn", LAPTOP)
    expect(page.locator("#lesson li").first).to_be_visible()
    expect(page.locator("#cards .card")).to_have_count(5)
    expect(page.locator("#typed")).to_be_focused()
    page.keyboard.type("1")  # two cards that are fifteen count two
    page.keyboard.press("Enter")
    expect(page.locator(".missed")).to_contain_text("than you said")
    expect(page.locator("#tally")).to_have_text("0 of 1 right, 0 in a row.")
    asked = next_asked(page, lambda: page.keyboard.press("Enter"))
    for right in (1, 2):  # the first may have been luck
        assert asked["skill"] == "fifteens"
        page.keyboard.type(str(question("fifteens", random.Random(asked["seed"])).show.points))
        page.keyboard.press("Enter")
        expect(page.locator(".right")).to_have_text("Right.")
        expect(page.locator("#announcer")).to_contain_text("fifteen two")
        if right == 1:
            keep(page, "learn-right")
            assert not findings(page)
            asked = next_asked(page, lambda: page.keyboard.press("Enter"))
    page.reload()
    expect(page.locator("#title")).to_have_text("Fifteens of three cards and more")  # what is known was remembered


@pytest.mark.parametrize("scheme", ["dark", "light"])
def test_a_discard_is_tapped_and_read_aloud(visit: Any, keep: Any, scheme: str) -> None:
    page = visit("/learn", PHONE, color_scheme=scheme, has_touch=True)
    page.evaluate(VOICE)
    page.locator("#cards .card").first.wait_for()
    page.get_by_label("Read aloud").check()
    asked = next_asked(page, lambda: page.get_by_label("Practise").select_option("discard"))
    assert asked["text"] in page.evaluate("heard").pop()
    for at in (0, 1, 2):
        page.locator("#cards button").nth(at).click()
    expect(page.locator("#cards [aria-pressed='true']")).to_have_count(2)
    keep(page, f"learn-discard-{scheme}")
    assert not findings(page)
    page.get_by_role("button", name="Throw").click()
    expect(page.locator("#lines li").first).to_be_visible()
    keep(page, f"learn-thrown-{scheme}")
    assert not findings(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


def test_a_first_question_that_did_not_come_is_asked_for_again(visit: Any) -> None:
    page = visit("/learn", LAPTOP)
    page.route("**/api/learn/question", lambda route: route.abort())
    page.reload()
    expect(page.locator("#wrong")).to_contain_text("The kiosk does not answer")
    expect(page.locator("#answer")).to_be_hidden()
    page.unroute("**/api/learn/question")
    page.get_by_role("button", name="Next").press("Enter")
    expect(page.locator("#typed")).to_be_focused()
    expect(page.locator("#wrong")).to_be_hidden()
