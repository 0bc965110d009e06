"""Staff's switches for the boards: light, sound, time to commit, and the quiet hours."""

from __future__ import annotations

import pytest
from web.rig import Rig

from cribboard.board.client import Board
from cribboard.board.messages import UPDATE
from cribboard.errors import WrongBoard

CHOICE = "/api/boards/1/choice"
OTHER = "/api/boards/2/choice"


def test_staff_change_a_board_and_what_is_not_named_stays(rig: Rig) -> None:
    staff = rig.staff()
    before = staff.get(CHOICE).json()
    assert before == {"brightness": 30, "sound": "off", "commit_s": 0, "kept": True}
    assert staff.post(CHOICE, {"brightness": 60}).json() == {**before, "brightness": 60}
    assert staff.post(CHOICE, {"commit_s": 4}).json() == {**before, "brightness": 60, "commit_s": 4}
    assert staff.get(OTHER).json() == before
    assert before.pop("kept")
    assert staff.post(CHOICE, before).json() == {**before, "kept": True}


@pytest.mark.parametrize(
    "wrong",
    [
        {},
        {"light": 3},
        *({"brightness": given} for given in (20, "10", [10], 10.0, True, None)),
        *({"sound": given} for given in (1, "loud", None)),
        *({"commit_s": given} for given in (11, -1, "3", 3.5)),
        {"commit_s": 3, "x": 1},
    ],
)
def test_what_a_board_cannot_be_changes_nothing(rig: Rig, wrong: dict[str, object]) -> None:
    staff = rig.staff()
    before = staff.get(CHOICE).json()
    answer = staff.post(CHOICE, wrong)
    assert answer.status_code == 400, answer.text
    assert answer.json()["error"]["message"]
    assert staff.get(CHOICE).json() == before


def test_a_board_without_a_piezo_says_so_and_changes_nothing_else(rig: Rig) -> None:
    staff = rig.staff()
    answer = staff.post(CHOICE, {"brightness": 10, "sound": "on", "commit_s": 7})
    assert answer.status_code == 409
    assert answer.json()["error"]["message"] == "this board has no piezo, so it makes no sound"
    assert staff.get(CHOICE).json() == {"brightness": 30, "sound": "off", "commit_s": 0, "kept": True}


def test_an_older_firmware_is_named_with_what_to_do(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(self: Board, *wanted: object) -> None:
        raise WrongBoard("this board's firmware doesn't know changes while it runs", UPDATE)

    staff = rig.staff()
    monkeypatch.setattr(Board, "choose", refuse)
    answer = staff.get(CHOICE)
    assert (answer.status_code, answer.json()["error"]["hint"]) == (409, UPDATE)


def test_only_staff_have_the_switches(rig: Rig) -> None:
    for other in (rig.browser(), rig.player(), rig.screen()):
        for path, body in ((CHOICE, {"brightness": 10}), ("/api/quiet", {"begins": "22:00", "ends": "09:00"})):
            assert other.get(path).status_code == 403
            assert other.post(path, body).status_code == 403
    assert rig.staff().get("/api/quiet").json() == {"begins": None, "ends": None}
    assert rig.staff().get("/api/boards/7/choice").status_code == 404


def test_staff_choose_the_quiet_hours(rig: Rig) -> None:
    staff = rig.staff()
    assert staff.post("/api/quiet", {"begins": "22:00", "ends": "09:00"}).json() == {"begins": "22:00", "ends": "09:00"}
    for wrong in (
        {},
        {"begins": "22:00"},
        {"begins": None},
        {"begins": "22:00", "ends": "22:00"},
        {"begins": 1, "ends": 2},
    ):
        assert staff.post("/api/quiet", wrong).status_code == 400, wrong
    assert staff.get("/api/quiet").json() == {"begins": "22:00", "ends": "09:00"}
    assert staff.post("/api/quiet", {"begins": None, "ends": None}).json() == {"begins": None, "ends": None}


def test_a_board_that_cannot_keep_a_change_yet_says_so(rig: Rig) -> None:
    staff = rig.staff()
    kept = [staff.post(OTHER, {"brightness": (10, 60)[number % 2]}).json()["kept"] for number in range(16)]
    assert kept == [True] * 15 + [False]
    assert staff.get(OTHER).json() == {"brightness": 60, "sound": "off", "commit_s": 0, "kept": False}
