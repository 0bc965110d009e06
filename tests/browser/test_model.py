"""The page that shows the board in three dimensions, opened from a folder as its maker would."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest
from browser.chromium import LAPTOP, PHONE, findings
from playwright.sync_api import expect

from cribboard.hardware.case import Case
from cribboard.hardware.model import page as made
from cribboard.hardware.model import solids
from cribboard.hardware.shape import Layout
from hardware.boards import ready


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> str:
    case = Case(Layout(ready()))
    path = tmp_path_factory.mktemp("model") / "board-3d.html"
    path.write_text(made("Three streets", case, solids(case)), "utf-8")
    return path.as_uri()


def seen(page: Any, act: Callable[[], object]) -> bytes:
    """The picture after something was done, once it has been drawn again."""
    view = page.locator("#view")
    before = view.get_attribute("data-drawn") or ""
    act()
    expect(view).not_to_have_attribute("data-drawn", before)
    picture: bytes = view.screenshot()
    return picture


@pytest.mark.parametrize("size", [PHONE, LAPTOP], ids=["phone", "laptop"])
def test_the_board_turns_comes_closer_and_comes_apart(
    chromium: Any, address: str, size: dict[str, int], keep: Callable[[Any, str], None]
) -> None:
    page = chromium.new_page(viewport=size)
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("console", lambda said: wrong.append(said.text) if said.type == "error" else None)
    try:
        page.goto(address)
        view = page.locator("#view")
        expect(view).to_have_attribute("data-drawn", "1")
        pictures = [view.screenshot()]
        view.focus()
        for key in ("ArrowLeft", "ArrowUp", "+", "-"):
            pictures.append(seen(page, lambda key=key: page.keyboard.press(key)))  # type: ignore[misc]
        pictures.append(seen(page, lambda: page.get_by_role("button", name="Turn right").click()))
        pictures.append(seen(page, lambda: page.get_by_label("Taken apart").fill("100")))
        assert all(one != other for one, other in pairwise(pictures))
        assert min(map(len, pictures)) > 4000, "a picture of one colour is smaller"
        expect(page.get_by_role("alert")).to_be_hidden()
        expect(page.get_by_role("listitem").first).to_contain_text("334 mm wide, 224 mm deep")
        assert not findings(page)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert not wrong, wrong
        keep(page, f"model-{size['width']}")
    finally:
        page.close()


def test_without_3d_the_page_says_what_opens_the_file(chromium: Any, address: str) -> None:
    page = chromium.new_page(viewport=PHONE)
    try:
        page.add_init_script("HTMLCanvasElement.prototype.getContext = () => null")
        page.goto(address)
        expect(page.get_by_role("alert")).to_contain_text("board.glb")
        expect(page.get_by_role("listitem")).to_have_count(25)
    finally:
        page.close()
