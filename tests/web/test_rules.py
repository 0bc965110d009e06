"""What phones at a table may ask the kiosk by the house rules of its game."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from web.rig import Browser, Rig, wait_until

from cribboard.service.latest_view import DIM_S
from cribboard.store.jumps import uptime

HAND = {"cards": ["5H", "5C", "5S", "JD"], "starter": "5D"}


@pytest.fixture
def player(rig: Rig) -> Iterator[Browser]:
    player = rig.player()
    yield player
    begin(player, {})


def begin(player: Browser, rules: dict[str, Any], board: int = 1) -> None:
    answer = player.order(board, do="new", names=["Ann", "Bob"], target=61, rules=rules)
    assert answer.status_code == 200, answer.text


def win(player: Browser) -> None:
    """The game of table 1 is over, and with it its rules."""
    player.order(1, do="set", side=1, front=61, back=50)


def refused(answer: Any) -> tuple[int, str]:
    return answer.status_code, answer.json()["error"]["message"]


def test_where_players_count_their_phones_get_no_count(rig: Rig, player: Browser) -> None:
    assert player.post("/api/count", HAND).json()["points"] == 29
    begin(player, {"counting": "manual"})
    assert refused(player.post("/api/count", HAND)) == (409, "the players count at this table")
    assert rig.player(2, "192.168.7.30").post("/api/count", HAND).json()["points"] == 29
    assert rig.browser().post("/api/count", HAND).json()["points"] == 29
    win(player)
    assert player.post("/api/count", HAND).json()["points"] == 29


def test_nineteen_is_the_count_of_nothing_for_phones_of_a_table_that_plays_it(rig: Rig, player: Browser) -> None:
    nothing = {"cards": ["2C", "4D", "6H", "8S"], "starter": "KC"}
    begin(player, {"nineteen": True})
    counts = [one.post("/api/count", nothing).json()["text"] for one in (player, rig.browser())]
    assert counts == ["nineteen", "nothing"]


def test_while_a_tournament_is_on_only_phones_of_another_game_count(rig: Rig, player: Browser) -> None:
    begin(player, {"playroom": True, "tournament": True})
    other = rig.player(2, "192.168.7.30")
    begin(other, {}, 2)
    guest, staff = rig.browser("192.168.7.31"), rig.staff()
    counted = {one: who.post("/api/count", HAND).status_code for one, who in enumerate((player, guest, other, staff))}
    assert [*counted.values(), rig.screen().post("/api/count", HAND).status_code] == [409, 409, 200, 200, 200]
    assert refused(guest.post("/api/count", HAND)) == (409, "a tournament is on")
    asked = {"set": "all", "answers": []}
    practised = [who.post("/api/learn/question", asked).status_code for who in (player, guest, other, staff)]
    assert practised == [409, 409, 409, 200]
    other.order(2, do="set", side=1, front=61, back=50)
    assert refused(other.post("/api/count", HAND)) == (409, "a tournament is on")
    win(player)
    assert {who.post("/api/count", HAND).status_code for who in (player, guest, other)} == {200}


def test_a_tournament_that_was_left_keeps_nobody_from_practising(rig: Rig, player: Browser) -> None:
    begin(player, {"playroom": True, "tournament": True})
    shown, guest = rig.kiosk.tables.services[1]._shown, rig.browser("192.168.7.31")
    clock, shown._clock = shown._clock, lambda: uptime() + DIM_S
    try:
        wait_until(lambda: guest.get("/api/boards/1").json()["idle"]["dim"])
        answers = [who.post("/api/learn/question", {"set": "all", "answers": []}) for who in (guest, player)]
        assert [answer.status_code for answer in answers] == [200, 200]
        assert player.post("/api/count", HAND).status_code == 200
        begun = player.post("/api/boards/1/computer", {"begin": "club"})
        assert begun.status_code == 200, begun.text
        player.post("/api/boards/1/computer", {"stop": True})
    finally:
        shown._clock = clock


def test_the_history_of_a_game_with_muggins_tells_of_hands_as_of_other_points_until_it_is_over(
    rig: Rig, player: Browser
) -> None:
    begin(player, {"counting": "manual", "muggins": True})
    for claim in (29, 12):
        player.order(1, do="hand", side=1, claim=claim, **HAND)
        player.order(1, do="undo", rev=player.get("/api/boards/1").json()["rev"])
    replay = "/api/boards/1/game"
    wait_until(lambda: len([one for one in player.get(replay).json().get("events", ()) if one["kind"] == "undo"]) == 2)
    game = player.get(replay).json()
    path = f"/api/games/{game['id']}"
    for page in (game, rig.browser().get(path).json(), rig.screen().get(path).json()):
        hands = [event for event in page["events"] if event["kind"] == "peg"]
        assert [(one["text"], "cards" in one) for one in hands] == [
            ("Ann pegs 29, now at 29.", False),
            ("Ann pegs 12, now at 12.", False),
        ]
        assert "counts" not in str(page)
    win(player)
    wait_until(lambda: "Ann counts 29, now at 29." in str(player.get(path).json()))
    assert "5H5C5SJD" in str(player.get(path).json())


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
        assert ("chances" in str(rig.screen().get(replay).json())) == (not hidden)
        assert ("chances" in str(rig.browser().get(replay).json())) == (not hidden)
        for path, body in (("question", asked), ("answer", answered)):
            answer = player.post(f"/api/learn/{path}", body)
            assert answer.status_code == (409 if hidden else 200)
            assert rig.screen().post(f"/api/learn/{path}", body).status_code == 200
    assert refused(player.post("/api/learn/question", asked))[1] == "a tournament is on"


def test_rules_that_make_no_sense_are_refused_in_words(player: Browser) -> None:
    answer = player.order(1, do="new", names=["Ann", "Bob"], rules={"renege": True})
    assert refused(answer) == (400, "phones cannot play by the rule renege")
