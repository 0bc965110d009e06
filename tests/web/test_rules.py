"""What phones at a table may ask the kiosk by the house rules of its game."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from web.rig import Browser, Rig, wait_until

HAND = {"cards": ["5H", "5C", "5S", "JD"], "starter": "5D"}


@pytest.fixture
def player(rig: Rig) -> Iterator[Browser]:
    player = rig.player()
    yield player
    begin(player, {})


def begin(player: Browser, rules: dict[str, Any]) -> None:
    answer = player.order(1, do="new", names=["Ann", "Bob"], target=61, rules=rules)
    assert answer.status_code == 200, answer.text


def refused(answer: Any) -> tuple[int, str]:
    return answer.status_code, answer.json()["error"]["message"]


def test_where_players_count_their_phones_get_no_count(rig: Rig, player: Browser) -> None:
    assert player.post("/api/count", HAND).json()["points"] == 29
    begin(player, {"counting": "manual"})
    assert refused(player.post("/api/count", HAND)) == (409, "the players count at this table")
    assert rig.player(2, "192.168.7.30").post("/api/count", HAND).json()["points"] == 29
    assert rig.browser().post("/api/count", HAND).json()["points"] == 29
    player.order(1, do="set", side=1, front=61, back=50)
    assert player.post("/api/count", HAND).json()["points"] == 29


def test_at_a_tournament_phones_get_no_practice_and_no_odds(rig: Rig, player: Browser) -> None:
    asked = {"set": "all", "answers": []}
    answered = {"skill": "fifteens", "seed": 1, "typed": "2", "seconds": 1}
    replay = "/api/boards/1/game"
    for rules, hidden in (({"playroom": True}, False), ({"playroom": True, "tournament": True}, True)):
        begin(player, rules)
        player.order(1, do="peg", side=1, points=2)
        player.order(1, do="deal")
        wait_until(lambda: any(one["kind"] == "deal" for one in player.get(replay).json().get("events", ())))
        game = player.get(replay).json()
        same = player.get(f"/api/games/{game['id']}").json()
        assert ("chances" in str(game), "chances" in str(same)) == (not hidden, not hidden)
        assert "chances" in str(rig.screen().get(replay).json())
        for path, told in (("question", asked), ("answer", answered)):
            answer = player.post(f"/api/learn/{path}", told)
            assert answer.status_code == (409 if hidden else 200)
            assert rig.screen().post(f"/api/learn/{path}", told).status_code == 200
    assert refused(player.post("/api/learn/question", asked))[1] == "a tournament is on at this phone's table"


def test_rules_that_make_no_sense_are_refused_in_words(player: Browser) -> None:
    answer = player.order(1, do="new", names=["Ann", "Bob"], rules={"renege": True})
    assert refused(answer) == (400, "a table with phones cannot watch the rule renege")
