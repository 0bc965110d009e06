"""A game against the computer through the kiosk's API: one phone plays it, everybody sees it, and it is reviewed."""

from __future__ import annotations

import pytest
from web.rig import OTHER, wait_until

from cribboard.computer.levels import CLUB
from cribboard.service import computer
from cribboard_core.cards import parse_card, parse_cards
from cribboard_core.show import count

ADDRESS = "/api/boards/1/computer"
BY_HAND = {"counting": "manual", "muggins": True}


@pytest.fixture(autouse=True)
def _in_the_kiosk(house, monkeypatch: pytest.MonkeyPatch):
    """In its folder, without pauses; what is on at the table is stopped at the end."""
    monkeypatch.setenv("CRIBBOARD_HOME", str(house.store.file.parent))
    monkeypatch.setattr(computer, "PAUSE_S", 0.0)
    monkeypatch.setattr(computer, "CALL_S", 0.0)
    yield
    house.services[1].play({"stop": True}, "").result(20)


def see(phone):
    answer = phone.get(ADDRESS)
    assert answer.status_code == 200, answer.text
    return answer.json()


def begin(phone, level=CLUB, **more):
    begun = phone.post(ADDRESS, {"begin": level, "target": 61, **more})
    assert begun.status_code == 200, begun.text
    return begun.json()


def to_do(phone):
    wait_until(lambda: see(phone)["do"] not in ("wait", "call"))
    return see(phone)


def move(phone):
    now = to_do(phone)
    what = {"throw": now["hand"][:2]}
    if now["do"] == "play":
        what = {"play": now["fits"][0], **({"claim": 0} if now["claims"] else {})}
    elif now["do"] == "count":
        crib = "crib" in now["text"]
        what = {"count": count(parse_cards(" ".join(now["counts"])), parse_card(now["starter"]), crib).points}
    answer = phone.post(ADDRESS, {**what, "seen": now["acts"]})
    if answer.status_code == 409 and answer.json()["error"]["code"] == "seen":
        return move(phone)  # the computer has thrown since this phone looked
    assert answer.status_code == 200, (now, answer.text)
    return now["do"]


def test_a_whole_game_by_hand_through_the_api(rig, house):
    phone = rig.player()
    assert begin(phone, **BY_HAND)["on"]
    while to_do(phone)["do"] != "won":
        move(phone)
    state = phone.get("/api/boards/1").json()
    assert state["winner"] and state["computer"]["level"] == CLUB
    assert [side["name"] for side in state["sides"]][1] == "Computer (club)"
    for names, why in ((["", "Bea"], "keeps its name"), (["Computer (expert)", None], "is the computer's")):
        refused = phone.order(1, do="names", names=names)
        assert refused.status_code in (400, 409) and why in refused.json()["error"]["message"]
    assert phone.order(1, do="names", names=["Ada", None]).status_code == 200
    uid = house.services[1].view.uid
    wait_until(lambda: house.store.live(uid).winner is not None)
    game = house.store.live(uid).id
    assert phone.get("/api/boards/1/game").json()["id"] == game, "its page is where the review is"
    assert phone.get(f"/api/games/{game}/review").json()["state"] == "asked"
    again = rig.screen().order(1, do="new")
    assert again.status_code == 200 and again.json()["text"].startswith("New game to 61")
    assert to_do(phone)["mine"]


def test_another_phone_sees_no_cards_and_cannot_play_but_may_stop_it(rig):
    phone, other = rig.player(), rig.player(client=OTHER)
    begin(phone)
    mine, theirs = to_do(phone), see(other)
    assert len(mine["hand"]) == 6 and not theirs["mine"] and not theirs["hand"]
    assert other.post(ADDRESS, {"begin": CLUB}).status_code == 409
    assert other.post(ADDRESS, {"throw": mine["hand"][:2], "seen": mine["acts"]}).status_code == 409
    pegged = other.order(1, do="peg", side=1, points=2)
    assert pegged.status_code == 409 and "against the computer is on" in pegged.json()["error"]["message"]
    assert other.post(ADDRESS, {"stop": True}).json()["on"] is False
    assert other.order(1, do="peg", side=1, points=2).status_code == 200


def test_a_new_game_that_ends_somebody_elses_is_asked_about_first(rig):
    phone, other = rig.player(), rig.player(client=OTHER)
    begin(phone)
    to_do(phone)
    refused = other.order(1, do="new", names=["Ann", "Bob"])
    assert refused.status_code == 409
    error = refused.json()["error"]
    assert (error["code"], error["hint"]) == ("against", "a new game ends that one")
    assert error["message"].endswith(" is playing the computer")
    assert see(phone)["on"]
    assert phone.get("/api/boards/1").json()["computer"]["phone"] == phone.get("/api/me").json()["by"]
    assert other.order(1, do="new", names=["Ann", "Bob"], again=True).status_code == 200
    wait_until(lambda: not see(phone)["on"])
    begin(phone)
    to_do(phone)
    assert phone.order(1, do="new", names=["Ann", "Bob"]).status_code == 200


def test_a_phone_that_leaves_leaves_the_game_which_waits(rig):
    phone = rig.player()
    begin(phone)
    to_do(phone)
    assert phone.ask("DELETE", "/api/pair").status_code == 200
    assert phone.get(ADDRESS).status_code == 403
    assert see(rig.player(client=OTHER))["on"]


def test_who_has_not_joined_neither_sees_nor_begins_a_game(rig):
    guest = rig.browser()
    assert guest.get(ADDRESS).status_code == 403
    assert guest.post(ADDRESS, {"begin": CLUB}).status_code == 403


def test_while_a_tournament_is_on_nobody_practises_against_the_computer(rig):
    phone = rig.player()
    rules = {"counting": "manual", "tournament": True}
    assert phone.order(1, do="new", target=61, names=["Ann", "Bob"], rules=rules).status_code == 200
    refused = phone.post(ADDRESS, {"begin": CLUB})
    assert refused.status_code == 409 and refused.json()["error"]["code"] == "tournament"
    assert phone.order(1, do="new", target=61, names=["Ann", "Bob"], rules={}).status_code == 200
