"""The types that the pages' scripts are checked against are those of Python."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from web.typedefs import FILE, Types, generated

from cribboard.store.read import Correction, Game, GameEvent, Replay, Seat, Side
from cribboard.store.statistics import Average, Best, LeaderboardRow, Night, OnNights, Player, Rivals

Result = Game | GameEvent | Correction | LeaderboardRow | Player | Rivals
AT = datetime(2026, 11, 24, tzinfo=UTC)
SEATS, SIDES = (Seat(0, 0, 1, "Ann"),), (Side(0, "Ann", 121, 119, 0),)
GAME = Game(1, "uid", "won", 121, 91, 61, AT, AT, AT, 0, True, SEATS, SIDES, ((0, 2),), "computer")
EVENT = GameEvent("hand", 3, AT, 0, 4, "4.", (4, 0), (0, 0), 1, -1, True, 1, "5H5C", "JD", "phone 1")
FOUND = Correction(AT, "staff", "event lost", 1, {"kind": "peg", "a": 2}, {})
BEST = Best(24, "4C5C6C6D", "5D", 1)
LINE = LeaderboardRow(1, 1, "Ann", 1, 1, 2, 30, 0, 0)
PLAYER = Player(
    1,
    "Ann",
    AT,
    1,
    1,
    2,
    3,
    0,
    0,
    8.0,
    4.7,
    30.0,
    {"pone": Average(8.0, 2)},
    BEST,
    9,
    9,
    1,
    1,
    {"people": (1, 1)},
    OnNights(1, 9, 5),
    [GAME],
)
RIVALS = Rivals((1, 2), ("Ann", "Bob"), 1, (1, 0), (0, 0), 30, [GAME])


def test_the_file_is_as_python_has_it() -> None:
    assert FILE.read_text("utf-8") == generated(), "run `python web/typedefs.py` in tests, and look at what differs"


@pytest.mark.parametrize("result", [GAME, EVENT, FOUND, LINE, PLAYER, RIVALS], ids=lambda one: type(one).__name__)
def test_a_result_of_the_history_has_the_members_of_its_type(
    result: Game | GameEvent | Correction | LeaderboardRow | Player | Rivals,
) -> None:
    members = {member.split(":")[0].rstrip("?") for member in Types().members(type(result))}
    assert {*result.entry()} == members


def test_what_is_written_by_hand_is_what_the_history_gives() -> None:
    assert {*Replay(GAME, [EVENT], [FOUND]).entry()} == {*GAME.entry(), "events", "corrections"}
    night = Night([LINE], BEST, "Ann", 0, [("Ann", 3)]).entry()
    assert {*night} == {"players", "best_hand", "streaks"}
    assert {*night["best_hand"]} == {"points", "cards", "starter", "game", "by", "side"}
    assert night["streaks"] == [{"name": "Ann", "won": 3}]


def test_a_type_that_pages_cannot_have_is_refused() -> None:
    with pytest.raises(TypeError, match="no type for pages of"):
        Types().of(set[int])
