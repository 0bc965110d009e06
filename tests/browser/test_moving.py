"""Staff move a game to the board that is plugged in in the place of its own."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from browser.chromium import SCREEN, findings
from browser.house import House, Player, wait_for
from playwright.sync_api import Page, expect

from cribboard.connect import hold_board
from cribboard.sim.board import VirtualBoard


@pytest.fixture
def port(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Puts one board at the kiosk's port, in place of the one before."""
    monkeypatch.setenv("CRIBBOARD_HOME", str(tmp_path / "house"))
    link = tmp_path / "port"
    with ExitStack() as stack:
        boards = {name: stack.enter_context(VirtualBoard(name=name)) for name in ("usb-one", "usb-two")}

        def plug(name: str) -> str:
            for board in boards.values():
                board.stop()
            link.unlink(missing_ok=True)
            link.symlink_to(boards[name].start().port)
            return str(link)

        yield plug


@pytest.fixture
def house(tmp_path: Path, port: Any) -> Iterator[House]:
    with House(tmp_path / "house", (), ("--port", port("usb-one"))) as one:
        wait_for(lambda: one.get("/api/boards")["boards"])
        one.ready()
        player = Player(one)
        player.begin("Ann", "Bob")
        for side, points in ((1, 12), (2, 8), (1, 7)):
            player.do("peg", side=side, points=points)
        player.do("starter", card="5D")
        yield one


def test_staff_see_what_is_on_the_other_board_and_move_the_game_there(
    staff: Page, visit: Any, house: House, port: Any, keep: Any
) -> None:
    screen = visit("/table/1", SCREEN)
    expect(screen.locator("body")).to_contain_text("19")
    link = port("usb-two")
    with hold_board(link) as board:
        board.new(121, 3, 2, names={0: "Cid", 1: "Dee"})
        board.peg(1, 7)
    wait_for(lambda: (house.get("/api/boards/1")["board"]["away"] or {}).get("text", "").startswith("another board"))
    staff.reload()
    asked = staff.get_by_role("button", name="Move the game of Table 1 to this board")
    asked.click()
    dialog = staff.locator("#dialog")
    expect(dialog).to_contain_text("Another game stands on it and would be replaced: Cid 0, Dee 7.")
    assert findings(staff) == []
    keep(staff, "staff-move-a-game")
    dialog.get_by_role("button", name="Cancel").click()
    assert house.get("/api/boards/1")["board"]["away"]
    asked.click()
    dialog.get_by_role("button", name="Move the game").click()
    expect(staff.locator("#said")).to_have_text("The game of Table 1 goes on on this board.")
    wait_for(lambda: not house.get("/api/boards/1")["board"]["away"])
    state = house.get("/api/boards/1")
    assert [(side["name"], side["front"]) for side in state["sides"]] == [("Ann", 19), ("Bob", 8)]
    assert state["table"]["starter"] == "5D"
    Player(house).do("peg", side=1, points=4)
    expect(screen.locator("body")).to_contain_text("Ann pegs 4, now at 23")
    staff.reload()
    expect(staff.locator("#room")).to_be_visible()
    expect(asked).to_have_count(0)
