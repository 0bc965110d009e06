"""An evening of people over the API: begun, called, played on a board and on wood, quarrelled about, closed."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from random import Random
from typing import Any

import pytest
from web.rig import Browser, Rig, new_key, wait_until

from cribboard.league.acts import Act
from cribboard.league.rules import preset
from cribboard.results import ResultFile
from cribboard.service import night_orders, night_plan, night_wish, nights
from cribboard.store import StoreError
from cribboard.store.contests import Contest
from cribboard.web import night_reader
from cribboard.web.limits import Limits
from cribboard.web.tables import TableServices

SIX = ["Ann", "Bob", "Cid", "Dee", "Eve", "Fay"]


class Evening:
    """A night with its director, and a phone for each player."""

    def __init__(self, rig: Rig, names: list[str], **wish: Any) -> None:
        self.rig, self.staff = rig, rig.staff()
        body = {"names": names, "preset": "club", "boards": [1], "wooden": 2, "rounds": 5, **wish}
        answer = self.staff.post("/api/night", body)
        assert answer.status_code == 200, answer.text
        self.number = answer.json()["night"]
        self.phones: dict[str, Browser] = {}

    def entry(self, browser: Browser | None = None) -> Any:
        return (browser or self.staff).get(f"/api/nights/{self.number}").json()

    def do(self, browser: Browser, what: str, **more: Any) -> Any:
        order = {"do": what, "key": new_key(), **more}
        return browser.post(f"/api/nights/{self.number}/orders", order)

    def entrant(self, name: str) -> int:
        return next(each["entrant"] for each in self.entry()["entrants"] if each["name"] == name)

    def phone(self, name: str) -> Browser:
        """The phone that has this name; it joins the night when it is first asked for."""
        if name not in self.phones:
            browser = self.rig.browser(f"192.168.8.{len(self.phones) + 1}")
            token = self.rig.kiosk.invites.newest(0).token
            assert browser.post("/api/pair", {"token": token}).json() == {"role": "player", "board": 0}
            answer = self.do(browser, "claim", entrant=self.entrant(name))
            assert answer.status_code == 200, answer.text
            self.phones[name] = browser
        return self.phones[name]

    def called(self, board: bool = False) -> Any:
        """A match that is called, at a board or at a wooden table."""
        boards = {each["table"] for each in self.entry()["tables"] if each["board"]}
        matches = [each for each in self.entry()["matches"] if each["called"] and not each["over"] and not each["bye"]]
        return next(each for each in matches if (each["table"] in boards) == board)

    def match(self, number: int) -> Any:
        return next(each for each in self.entry()["matches"] if each["match"] == number)

    def refused(self, answer: Any, status: int, says: str) -> None:
        assert answer.status_code == status, answer.text
        assert says in " ".join(answer.json()["error"][each] for each in ("message", "hint"))


@pytest.fixture(autouse=True)
def nothing_on(house: TableServices) -> Iterator[None]:
    """The tables of a module stay; its nights do not."""
    yield
    assert house.store is not None
    while (on := house.store.running_contest()) is not None:
        house.store.act(on, lambda night, state: [Act(number=0, kind="close")])


@pytest.fixture
def evening(rig: Rig) -> Evening:
    return Evening(rig, SIX)


def test_what_comes_of_it_is_said_before_the_draw(rig: Rig) -> None:
    staff = rig.staff()
    text = staff.post("/api/night/preview", {"names": SIX, "boards": [1], "wooden": 2, "rounds": 5}).json()["text"]
    assert text.startswith("6 players, 3 tables, 5 rounds: everybody meets, about 1 h 40, until ")
    assert staff.post("/api/night/preview", {"names": SIX, "boards": [1], "wooden": 2}).json()["text"] == text
    text = staff.post("/api/night/preview", {"names": SIX[:5], "boards": [1], "wooden": 1, "rounds": 5}).json()["text"]
    assert text.startswith("5 players, 2 tables, 5 rounds: everybody meets, 1 sits out by turns, about 1 h 40")


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"names": ["Ann"]}, "one more name"), ({"names": []}, "tick who is here"), ({"names": ["Ann", "ANN"]}, "ANN"),
        ({"names": ["Ann", "x" * 70]}, "70 characters"), ({"names": ["Ann", "a\u202eb"]}, "invisible"),
        ({"names": SIX, "preset": "golf"}, "golf"), ({"names": SIX, "preset": "legs"}, "for teams"),
        ({"names": SIX, "rounds": 61}, "61"), ({"names": SIX, "rounds": "5"}, "whole number"),
        ({"names": SIX, "wooden": -1}, "wooden tables"), ({"names": SIX, "boards": [9]}, "with a board"),
        ({"names": SIX, "draw": "lots"}, "lots"), ({"names": SIX, "boards": [], "wooden": 0}, "0 tables"),
        ({"names": SIX, "golf": 1}, "golf"), ({"names": "Ann"}, "no list"),
        ({"names": SIX, "name": "x" * 41}, "40 letters"), ({"names": SIX, "name": "a\u200bb"}, "'ab' has an invisible"),
        ({"names": SIX, "best_of": 2}, "odd"), ({"names": SIX, "name": 7}, "no name for a night"),
        ({"names": SIX, "preset": "own", "own": {"win": "=1"}}, "=1"), ({"names": SIX, "preset": "own", "own": 3}, "3"),
        ({"names": SIX[:3], "preset": "partners-drawn"}, "partners"),
    ],
)  # fmt: skip
def test_a_night_that_cannot_be_is_refused_in_a_sentence(rig: Rig, fields: dict[str, Any], says: str) -> None:
    staff = rig.staff()
    for path in ("/api/night/preview", "/api/night"):
        answer = staff.post(path, {"preset": "club", **fields})
        assert answer.status_code == 400, answer.text
        assert says in " ".join(answer.json()["error"].values())
    begin = staff.get("/api/night/begin").json()
    assert begin["on"] is None and begin["staff"]


def test_times_are_those_of_the_house(evening: Evening, monkeypatch: pytest.MonkeyPatch) -> None:
    began, match = datetime.fromisoformat(evening.entry()["began"]), evening.called()["match"]
    try:
        monkeypatch.setenv("TZ", "<+0930>-9:30")
        time.tzset()
        there = {f"{began.astimezone() + timedelta(minutes=later):%H:%M}" for later in (0, 1)}
        (line,) = evening.staff.get(f"/api/nights/{evening.number}/matches/{match}").json()["lines"]
        assert line["at"] in there
        refused = evening.staff.post("/api/night", {"names": SIX, "preset": "club"}).json()["error"]["message"]
        assert refused.removeprefix("another night is on, since ") in there
    finally:
        monkeypatch.undo()
        time.tzset()


def test_only_staff_begin_a_night_where_there_is_a_pin_and_only_one_at_a_time(rig: Rig, evening: Evening) -> None:
    assert rig.player().post("/api/night", {"names": SIX}).status_code == 403
    answer = evening.staff.post("/api/night", {"names": SIX, "preset": "club"})
    evening.refused(answer, 400, "another night is on")


def test_a_phone_follows_its_player_to_a_board_past_its_lock(rig: Rig) -> None:
    rig.staff().post("/api/boards/1/lock", {"locked": True})
    evening = Evening(rig, ["Ann", "Bob", "Cid"], wooden=0)
    sits = next(each for each in evening.entry()["matches"] if each["bye"] and each["round"] == 1)["names"][0]
    phone = evening.phone(sits)
    me = phone.get("/api/me").json()
    assert (me["board"], me["phone"]["name"]) == (0, sits)
    evening.do(evening.staff, "settle", match=evening.called(board=True)["match"], scores=[121, 90])
    assert sits in evening.called(board=True)["names"]
    me = phone.get("/api/me").json()
    assert (me["board"], me["phone"]["name"]) == (1, sits)
    (mine,) = rig.staff().get("/api/boards/1/phones").json()["phones"]
    assert mine["side"] == 1 + evening.called(board=True)["names"].index(sits)
    rig.staff().post("/api/boards/1/lock", {"locked": False})


def test_a_phone_that_claims_its_name_after_the_call_is_at_its_board_too(evening: Evening) -> None:
    match = evening.called(board=True)
    phone = evening.phone(match["names"][0])
    assert phone.get("/api/me").json()["board"] == 1
    assert phone.post(f"/api/nights/{evening.number}/start/{match['match']}").json() == {"done": True}
    assert phone.order(1, do="peg", side=1, points=2).status_code == 200
    token = evening.rig.kiosk.invites.newest(0).token
    assert phone.post("/api/pair", {"token": token}).json()["board"] == 0  # it has scanned the night's code again
    assert phone.post(f"/api/nights/{evening.number}/start/{match['match']}").json() == {"done": True}
    assert phone.get("/api/me").json()["board"] == 1  # and finds the way back
    answer = phone.order(1, do="names", names=[match["names"][0], "Bobby"])
    evening.refused(answer, 409, "the director can correct a name")
    evening.staff.order(1, do="new", names=["Zoe", "Yan"], again=True)  # the board is free for others
    assert phone.order(1, do="names", names=["Zed", "Yan"]).status_code == 200


def test_the_other_phone_agrees_or_quarrels_and_the_director_settles(evening: Evening) -> None:
    match = evening.called()
    assert match["minutes"] == 0
    one, other = match["names"]
    answer = evening.do(evening.phone(one), "report", match=match["match"], scores=[121, 88])
    (leg,) = next(each for each in answer.json()["matches"] if each["match"] == match["match"])["legs"]
    assert (leg["state"], leg["said"], leg["waits_for"]) == ("waits", f"{one} by 33, a skunk", [1])
    assert leg["points"] == ["3", "0"]
    rows = answer.json()["standings"]
    assert [row["points"] for row in rows if row["place"]] == ["3", "0"]
    assert all((row["place"], row["games"]) == (0, 0) for row in rows[2:])  # nobody has a place before a game
    evening.do(evening.phone(other), "wrong", match=match["match"])
    (leg,) = evening.match(match["match"])["legs"]
    assert (leg["state"], leg["points"]) == ("disputed", [])
    assert all(row["points"] == "0" for row in evening.entry()["standings"])
    beyond = evening.do(evening.phone(other), "report", match=match["match"], scores=[88, 121], leg=2)
    evening.refused(beyond, 400, "at most 1")
    evening.do(evening.phone(other), "report", match=match["match"], scores=[88, 121], leg=1)
    evening.do(evening.phone(one), "agree", match=match["match"], scores=[88, 121], leg=1)  # "the other is right"
    (leg,) = evening.match(match["match"])["legs"]
    assert (leg["state"], leg["points"]) == ("agreed", ["0", "3"])
    evening.refused(evening.do(evening.phone(one), "settle", match=match["match"], scores=[121, 80]), 403, "director")
    for winner, margin in ((1, 0), (0, 122), (0, "33"), (2, 33)):
        wrong = evening.do(evening.staff, "settle", match=match["match"], winner=winner, margin=margin)
        evening.refused(wrong, 400, "say who won" if winner == 2 else "a whole number from 1 to 121")
    evening.do(evening.staff, "settle", match=match["match"], winner=1, margin=33)
    assert evening.match(match["match"])["legs"][0]["scores"] == [88, 121]
    evening.do(evening.staff, "settle", match=match["match"], scores=[121, 96], text="cards looked at")
    (leg,) = evening.match(match["match"])["legs"]
    assert (leg["state"], leg["scores"]) == ("settled", [121, 96])
    said = evening.do(evening.phone(one), "report", match=match["match"], scores=[121, 0])
    evening.refused(said, 409, "settled")
    other_match = next(each for each in evening.entry()["matches"] if each["called"] and not each["legs"])
    first = {"do": "settle", "key": new_key(), "match": other_match["match"], "scores": [121, 90], "undecided": True}
    for _ in range(2):  # sent again, since the answer was lost
        assert evening.staff.post(f"/api/nights/{evening.number}/orders", first).status_code == 200
    late = {"match": match["match"], "undecided": True}  # from a page that has not heard of it yet
    for what, fields in (("settle", {"scores": [121, 7]}), ("walkover", {"side": 0})):
        evening.refused(evening.do(evening.staff, what, **fields, **late), 409, "has just been decided")
    lines = evening.staff.get(f"/api/nights/{evening.number}/matches/{match['match']}").json()["lines"]
    assert [line["after"] for line in lines[-6:]] == [
        f"{one} by 33, a skunk (waits)",
        "disputed",
        "disputed",
        f"{other} by 33, a skunk (agreed)",
        f"{other} by 33, a skunk (settled)",
        f"{one} by 25 (settled)",
    ]


def test_what_is_agreed_calls_the_next_match_of_those_who_are_free(evening: Evening) -> None:
    for match in [each for each in evening.entry()["matches"] if each["called"]]:
        one, other = match["names"]
        evening.do(evening.phone(one), "report", match=match["match"], scores=[121, 100])
        evening.do(evening.phone(other), "agree", match=match["match"], scores=[121, 100])
    entry = evening.entry()
    assert entry["round"] == 2
    assert len([each for each in entry["matches"] if each["called"] and not each["over"]]) == 3


@pytest.mark.parametrize(
    "scores", [[121, 121], [120, 88], [121, -1], [121, "x"], [121], None, [121, 1e9], "=1+1", [True, 121], ["<b>", 1]]
)
def test_bad_scores_get_a_sentence_and_count_for_nothing(evening: Evening, scores: Any) -> None:
    match = evening.called()
    answer = evening.do(evening.phone(match["names"][0]), "report", match=match["match"], scores=scores)
    assert answer.status_code == 400 and answer.json()["error"]["hint"]
    assert evening.match(match["match"])["legs"] == []


def test_a_stranger_reports_nothing_and_a_name_has_one_phone(rig: Rig, evening: Evening) -> None:
    match = evening.called()
    one, other = match["names"]
    third = next(name for name in SIX if name not in (one, other))
    evening.refused(
        evening.do(evening.phone(third), "report", match=match["match"], scores=[121, 0]), 403, "one of the two"
    )
    evening.phone(one)
    evening.refused(evening.do(evening.phone(third), "claim", entrant=evening.entrant(one)), 409, third)
    joker = rig.player(client="192.168.8.99")
    evening.refused(evening.do(joker, "claim", entrant=evening.entrant(one)), 409, "is taken")
    assert evening.do(evening.phone(one), "release").json()["mine"] is None  # they had tapped the wrong name
    assert evening.do(evening.phone(one), "release").status_code == 200
    assert evening.do(joker, "claim", entrant=evening.entrant(one)).json()["mine"] == evening.entrant(one)
    joker = rig.player(client="192.168.8.97")
    evening.refused(evening.do(rig.browser(), "report", match=match["match"], scores=[121, 0]), 403, "scan")
    evening.refused(evening.do(joker, "report", match=987, scores=[121, 0]), 400, "987")


def test_the_director_gives_a_name_to_another_phone_and_what_the_first_said_waits_again(
    rig: Rig, evening: Evening
) -> None:
    match = evening.called()
    one, _ = match["names"]
    evening.do(evening.phone(one), "report", match=match["match"], scores=[121, 60])
    right = rig.player(client="192.168.8.98")
    number = right.get("/api/me").json()["phone"]["number"]
    evening.do(evening.staff, "give", entrant=evening.entrant(one), phone=number)
    (leg,) = evening.match(match["match"])["legs"]
    assert (leg["state"], leg["waits_for"]) == ("waits", [0, 1])
    assert evening.entry(right)["mine"] == evening.entrant(one)
    evening.refused(evening.do(evening.staff, "give", entrant=99), 400, "the number 99")
    assert evening.do(evening.staff, "give", entrant=evening.entrant(one)).status_code == 200  # to none
    assert evening.entry(right)["mine"] is None


def test_a_phone_that_joined_only_the_night_is_removed_and_its_name_is_free(rig: Rig, evening: Evening) -> None:
    match = next(each for each in evening.entry()["matches"] if each["called"] and each["table"] > 100)
    joker = evening.phone(match["names"][0])
    number = joker.get("/api/me").json()["phone"]["number"]
    evening.do(joker, "report", match=match["match"], scores=[121, 60])
    evening.refused(joker.ask("DELETE", f"/api/night/phones/{number}"), 403, "PIN")
    left = evening.staff.ask("DELETE", f"/api/night/phones/{number}")
    assert left.status_code == 200 and number not in [each["phone"] for each in left.json()["phones"]]
    evening.refused(evening.do(joker, "report", match=match["match"], scores=[121, 0]), 403, "scan")
    token = rig.kiosk.invites.newest(0).token
    assert joker.post("/api/pair", {"token": token}).status_code == 403
    del evening.phones[match["names"][0]]
    evening.phone(match["names"][0])
    (leg,) = evening.match(match["match"])["legs"]
    assert (leg["state"], leg["waits_for"]) == ("waits", [0, 1])
    evening.refused(evening.staff.ask("DELETE", f"/api/night/phones/{number}"), 404, str(number))


def test_a_match_is_best_of_three_with_the_houses_own_points(rig: Rig) -> None:
    own = {"win": 0, "match": 2.5, "bye": 1}
    wish = {"preset": "own", "own": own, "best_of": 3, "wooden": 3, "boards": []}
    text = rig.staff().post("/api/night/preview", {"names": SIX, "rounds": 5, **wish}).json()["text"]
    assert "about 4 h 10" in text
    evening = Evening(rig, SIX, **wish)
    assert evening.entry()["worth"] == "Win 0, loss 0, match won 2.5, round sat out 1"
    assert evening.entry()["by_wins"]
    assert evening.entry()["by_spread"]
    assert evening.entry()["rules"]["what"].startswith(f"{evening.entry()['worth']}; ties: ")
    match = evening.called()
    one, other = match["names"]
    for scores in ([121, 100], [100, 121], [121, 100]):
        assert not evening.match(match["match"])["over"]
        evening.do(evening.phone(one), "report", match=match["match"], scores=scores)
        evening.do(evening.phone(other), "agree", match=match["match"], scores=scores)
    assert (evening.match(match["match"])["over"], evening.match(match["match"])["wins"]) == (True, [2, 1])
    second = evening.called()
    evening.do(evening.staff, "walkover", match=second["match"], side=1)
    assert (evening.match(second["match"])["over"], evening.match(second["match"])["wins"]) == (True, [0, 2])
    points = {row["name"]: row["points"] for row in evening.entry()["standings"]}
    assert (points[one], points[other], points[second["names"][1]]) == ("2.5", "0", "2.5")


def test_the_same_order_twice_counts_once(evening: Evening) -> None:
    match = evening.called()
    phone, key = evening.phone(match["names"][0]), new_key()
    order = {"do": "report", "key": key, "match": match["match"], "scores": [121, 90]}
    for _ in range(2):
        answer = phone.post(f"/api/nights/{evening.number}/orders", order)
        assert answer.status_code == 200
    lines = evening.staff.get(f"/api/nights/{evening.number}/matches/{match['match']}").json()["lines"]
    assert [line["kind"] for line in lines].count("reported") == 1


def test_a_board_has_both_names_by_start_and_its_game_is_the_result(evening: Evening) -> None:
    match = evening.called(board=True)
    one, other = match["names"]
    path = f"/api/nights/{evening.number}/start/{match['match']}"
    assert evening.staff.post(path).json() == {"done": True}
    shown = evening.staff.get("/api/boards/1").json()
    assert ([side["name"] for side in shown["sides"]], shown["target"]) == ([one, other], 121)
    assert (shown["skunk"], shown["double"]) == (91, 0)  # by this night's rules a double skunk is worth no more
    evening.staff.order(1, do="set", side=1, front=119, back=0)
    assert evening.match(match["match"])["running"] == [119, 0]
    evening.staff.order(1, do="peg", side=1, points=2)
    wait_until(lambda: evening.match(match["match"])["over"])
    (leg,) = evening.match(match["match"])["legs"]
    assert (leg["state"], leg["board"], leg["scores"]) == ("agreed", True, [121, 0])
    rev = evening.staff.get("/api/boards/1").json()["rev"]
    evening.staff.order(1, do="undo", rev=rev)
    wait_until(lambda: not evening.match(match["match"])["over"])


def test_the_first_deal_of_a_match_goes_from_one_to_the_other_by_games(rig: Rig) -> None:
    evening = Evening(rig, SIX[:2], wooden=0, rounds=1, best_of=3)
    evening.staff.order(1, do="new", names=[], again=True)
    match = evening.called(board=True)
    dealers = []
    for won in (1, 2):
        assert evening.staff.post(f"/api/nights/{evening.number}/start/{match['match']}").json() == {"done": True}
        dealers.append(evening.staff.get("/api/boards/1").json()["dealer"]["name"])
        evening.staff.order(1, do="set", side=won, front=121, back=119)
        wait_until(lambda won=won: len(evening.match(match["match"])["legs"]) == won)
    assert dealers == [match["names"][match["first"]], match["names"][1 - match["first"]]]


def test_a_win_calls_the_next_match_of_its_board_at_once(rig: Rig, house: TableServices) -> None:
    evening = Evening(rig, SIX[:2], wooden=0, rounds=2)
    evening.staff.order(1, do="new", names=[], again=True)  # whatever is on there
    match = evening.called(board=True)
    assert evening.staff.post(f"/api/nights/{evening.number}/start/{match['match']}").json() == {"done": True}
    evening.staff.order(1, do="set", side=1, front=119, back=0)
    evening.staff.order(1, do="peg", side=1, points=2)
    wait_until(lambda: newest_game(evening)["state"] == "won")
    assert house.store is not None
    night = nights.tick(house.store, evening.number, {1: rig.kiosk.tables.services[1].view.uid})
    assert [each.called for each in night.state.live()] == [True, True]


def test_a_friendly_game_is_not_ended_by_a_call(evening: Evening) -> None:
    evening.staff.order(1, do="new", names=["Xen", "Yul"])
    evening.staff.order(1, do="peg", side=1, points=2)
    match = evening.called(board=True)
    answer = evening.staff.post(f"/api/nights/{evening.number}/start/{match['match']}")
    evening.refused(answer, 409, "a game is on at Table 1")
    assert [side["name"] for side in evening.staff.get("/api/boards/1").json()["sides"]] == ["Xen", "Yul"]


def test_who_comes_late_and_who_leaves(evening: Evening) -> None:
    drawn = evening.entry()["matches"]
    one = next(each["names"][0] for each in drawn if each["called"] and "Ann" not in each["names"])  # is to meet Ann
    phone, before = evening.phone(one), {each["round"]: {*each["names"]} for each in drawn if one in each["names"]}
    answer = evening.do(evening.staff, "enter", name="Gus")
    assert answer.status_code == 200
    entry = evening.entry()
    games = [each for each in entry["matches"] if "Gus" in each["names"] and not each["bye"]]
    assert len(games) >= 3 and entry["round"] == 1
    assert len({frozenset(each["names"]) for each in entry["matches"] if not each["bye"]}) == len(
        [each for each in entry["matches"] if not each["bye"]]
    )
    evening.do(evening.staff, "leave", entrant=evening.entrant("Ann"))
    left = [each for each in evening.entry()["matches"] if "Ann" in each["names"] and not each["called"]]
    assert left == []
    entry = phone.get("/api/night").json()
    theirs = [each for each in entry["matches"] if each["mine"] is not None and each["round"] in before]
    assert [each["changed"] for each in theirs] == [before[each["round"]] != {*each["names"]} for each in theirs]
    assert any(each["changed"] for each in theirs) and not any(each["changed"] for each in evening.entry()["matches"])
    evening.do(evening.staff, "return", entrant=evening.entrant("Ann"))
    assert [each for each in evening.entry()["matches"] if "Ann" in each["names"] and not each["called"]]
    evening.refused(evening.do(evening.staff, "enter", name="g\u200dus"), 400, "on the list already")
    evening.refused(evening.do(evening.staff, "enter", name="x" * 70), 400, "70")


def test_without_its_database_the_kiosk_says_so_and_what_comes_again_counts_once(
    evening: Evening, house: TableServices, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The phone's page takes 503 for no answer: it keeps the report, and sends it again under its key."""
    match = evening.called()
    phone = evening.phone(match["names"][0])
    order = {"do": "report", "key": new_key(), "match": match["match"], "scores": [121, 90]}

    def away(*_: Any) -> None:
        raise StoreError("the database does not answer")

    with monkeypatch.context() as patched:
        patched.setattr(house.store, "act", away)
        answer = phone.post(f"/api/nights/{evening.number}/orders", order)
        evening.refused(answer, 503, "the history cannot be used at the moment")
    assert evening.match(match["match"])["legs"] == []
    for _ in range(2):
        assert phone.post(f"/api/nights/{evening.number}/orders", order).status_code == 200
    lines = evening.staff.get(f"/api/nights/{evening.number}/matches/{match['match']}").json()["lines"]
    assert [line["kind"] for line in lines].count("reported") == 1


def test_until_when_five_rounds_go_is_said(evening: Evening) -> None:
    began = datetime.now()
    until = evening.entry()["until"]
    assert until in {f"{at + timedelta(minutes=100):%H:%M}" for at in (began, datetime.now())}


def test_a_night_is_tonights_by_the_kiosks_clock(evening: Evening, monkeypatch: pytest.MonkeyPatch) -> None:
    assert evening.entry()["tonight"] is True

    class Tomorrow(datetime):
        @classmethod
        def now(cls, tz: Any = None) -> Any:
            return datetime.now(tz) + timedelta(hours=19)

    monkeypatch.setattr(night_reader, "datetime", Tomorrow)
    assert evening.entry()["tonight"] is False


def test_until_when_it_goes_is_said_over_midnight_too() -> None:
    wish = night_wish.read_wish({"names": SIX, "wooden": 3, "rounds": 5}, [])
    assert night_wish.preview(wish, datetime(2026, 1, 1, 23, 30)).endswith("about 1 h 40, until 01:10.")


def test_whoever_sits_out_plays_the_opponent_of_somebody_who_leaves(house: TableServices) -> None:
    """Of a round that has begun: one alone and one who sits out make a game, if they have not met."""
    store = house.store
    assert store is not None
    rules = json.dumps(dict(preset("club").rules))
    number = store.begin_contest(Contest(rules=rules, preset="club", rounds=2, wooden=3), [*SIX, "Gus"])

    def drawn(first: int, table: int, home: int, away: int | None = None) -> int:
        act = Act(number=0, kind="match", round=first, table=table, home=home, away=away, first=0)
        return store.act(number, lambda *_: [act]).acts[-1].number

    one, two, three = (drawn(1, 100 + table, 2 * table - 1, 2 * table) for table in (1, 2, 3))
    drawn(1, 0, 7)
    waits, begun, _ = drawn(2, 101, 1, 3), drawn(2, 102, 2, 5), drawn(2, 103, 4, 7)
    drawn(2, 0, 6)
    for match in (one, two, three, begun):
        store.act(number, lambda *_, match=match: [Act(number=0, kind="call", match=match)])
    for match in (one, three):
        store.act(number, lambda *_, match=match: [Act(number=0, kind="settle", match=match, score=121, other_score=9)])
    order = {"do": "leave", "entrant": 1, "key": new_key()}
    state = night_orders.do(store, number, night_plan.Actor("staff", True), order).state
    assert state.matches[waits].void == "Ann has left"
    second = [each for each in state.live() if each.round == 2]
    assert [(each.sides, each.table) for each in second if 3 in each.players] == [(((3,), (6,)), 101)]
    assert not [each for each in second if each.is_bye]


def test_all_leave_and_the_night_can_still_be_closed(evening: Evening) -> None:
    for name in SIX:
        assert evening.do(evening.staff, "leave", entrant=evening.entrant(name)).status_code == 200
    assert evening.do(evening.staff, "close").json()["closed"]


def test_a_walk_over_a_strike_a_swap_and_a_move(evening: Evening) -> None:
    match = evening.called()
    evening.do(evening.staff, "walkover", match=match["match"], side=1, text="did not come")
    assert evening.match(match["match"])["legs"][0]["said"] == f"{match['names'][1]} without a game"
    evening.do(evening.staff, "strike", match=match["match"], text="another night")
    assert match["match"] not in [each["match"] for each in evening.entry()["matches"]]
    later = [each for each in evening.entry()["matches"] if each["round"] == 5 and not each["bye"]]
    evening.do(evening.staff, "swap", match=later[0]["match"], other=later[1]["match"])
    assert evening.match(later[0]["match"])["names"] == [later[0]["names"][0], later[1]["names"][1]]
    began = evening.called()
    evening.refused(evening.do(evening.staff, "swap", match=began["match"], other=later[0]["match"]), 400, "has begun")
    evening.refused(evening.do(evening.staff, "move", match=began["match"], table=77), 400, "77")
    there = next(each for each in evening.entry()["matches"] if each["called"] and each["table"] != began["table"])
    evening.refused(evening.do(evening.staff, "move", match=began["match"], table=there["table"]), 400, "play there")


def test_a_closed_night_is_reopened_with_a_word_why(evening: Evening) -> None:
    match = evening.called()
    evening.do(evening.staff, "settle", match=match["match"], scores=[121, 90])
    evening.refused(evening.staff.ask("DELETE", f"/api/nights/{evening.number}"), 400, "games were played")
    assert evening.do(evening.staff, "close").json()["closed"]
    for what in ("settle", "strike", "enter", "more"):
        evening.refused(
            evening.do(evening.staff, what, match=match["match"], scores=[121, 0], name="Zed"), 409, "closed"
        )
    evening.refused(take(evening, "Ann 121 Bob 7", new_key(), True), 400, "closed")
    evening.refused(evening.do(evening.staff, "reopen"), 400, "a word why")
    assert not evening.do(evening.staff, "reopen", text="a slip").json()["closed"]
    other = evening.called()
    evening.do(evening.staff, "walkover", match=other["match"], side=1, text="did not come")
    low = evening.entry()["standings"][-1]
    for points in (-100_001, 100_001):
        adjusted = evening.do(evening.staff, "adjust", entrant=low["entrants"][0], points=points, text="late")
        evening.refused(adjusted, 400, "0.01 to 1000 points")
    evening.do(evening.staff, "adjust", entrant=low["entrants"][0], points=-150, text="late")
    file = evening.staff.get(f"/api/nights/{evening.number}/standings.csv")
    day = datetime.fromisoformat(evening.entry()["began"]).astimezone().date()
    assert file.headers["content-disposition"] == f'attachment; filename="standings-{day}.csv"'
    assert file.content.startswith(b"\xef\xbb\xbf")  # by which a spreadsheet knows the letters
    standings = file.content.decode("utf-8-sig").splitlines()
    assert standings[0].startswith("place,name,points") and standings[1].startswith("1,")
    assert next(line.split(",")[2] for line in standings if low["name"] in line) == "-1.5"  # a number
    results = evening.staff.get(f"/api/nights/{evening.number}/results.csv").text.splitlines()
    page = ResultFile("results.csv")
    for number, line in enumerate(results, 1):
        page.read(number, line)
    ((_, read),) = page.lines
    assert (read.names, read.scores, page.bad) == (tuple(match["names"]), (121, 90), [])
    without, beside = results[-2:]  # which no program takes for a game
    assert f"{' against '.join(other['names'])}: {other['names'][1]} without a game, 0 \u2013 2 points" in without
    assert beside == f"# beside games: {low['name']} \u22121.5: late"
    assert len(evening.staff.get(f"/api/nights/{evening.number}/plan.csv").text.splitlines()) == 16


def test_a_night_without_a_game_is_dismissed(evening: Evening) -> None:
    assert evening.staff.ask("DELETE", f"/api/nights/{evening.number}").json() == {"done": True}
    assert evening.staff.get(f"/api/nights/{evening.number}").status_code == 404


def test_an_erased_player_of_a_running_night_is_a_guest(evening: Evening) -> None:
    staff = evening.staff
    ann = next(each["id"] for each in staff.get("/api/players").json()["players"] if each["name"] == "Ann")
    assert staff.ask("DELETE", f"/api/players/{ann}").status_code == 200
    entry = evening.entry()
    assert "Ann" not in [each["name"] for each in entry["entrants"]]
    guest = next(each for each in entry["entrants"] if each["name"] == "a guest")["entrant"]
    match = next(each for each in entry["matches"] if each["called"] and [guest] in each["sides"])
    evening.do(staff, "settle", match=match["match"], scores=[121, 90])  # the match of the guest counts
    assert "a guest" in [row["name"] for row in evening.entry()["standings"] if row["games"]]
    assert "a guest" in [name for each in evening.entry()["matches"] for name in each["names"] if each["round"] == 2]
    evening.do(staff, "close")
    assert "Ann" not in staff.get(f"/api/nights/{evening.number}/results.csv").text


def test_a_season_adds_up_closed_nights(evening: Evening) -> None:
    staff = evening.staff
    number = staff.post("/api/seasons", {"name": "Winter 🏳\ufe0f\u200d🌈", "rules": {"best": 2}}).json()["number"]
    assert staff.get(f"/api/seasons/{number}").json()["name"] == "Winter 🏳\ufe0f🌈"
    staff.post(f"/api/nights/{evening.number}/season", {"season": number})
    match = evening.called()
    evening.do(staff, "settle", match=match["match"], scores=[121, 90])
    assert staff.get(f"/api/seasons/{number}").json()["rows"] == []
    on_boards = {one["name"]: one["games"] for one in staff.get("/api/players").json()["players"]}  # in other tests
    evening.do(staff, "close")
    season = staff.get(f"/api/seasons/{number}").json()
    assert season["what"] == "The points of the best 2 nights."
    assert season["rows"][0] == {"place": 1, "name": match["names"][0], "points": "3", "nights": 1, "nights_won": 1}
    assert staff.get(f"/api/seasons/{number}/season.csv").text.splitlines()[1] == f"1,{match['names'][0]},3,1,1"
    evening.refused(staff.post("/api/seasons", {"name": "X", "rules": {"worst": 1}}), 400, "unknown key")
    winner = next(one for one in staff.get("/api/players").json()["players"] if one["name"] == match["names"][0])
    assert (winner["games"], winner["on_nights"]["won"] >= 1) == (on_boards[winner["name"]], True)
    assert staff.get(f"/api/players/{winner['id']}").json()["on_nights"] == winner["on_nights"]
    places = staff.post("/api/seasons", {"name": "X", "rules": {"award": [5, 2.5]}}).json()["number"]
    what = "Points for places: 5, 2.5; equals share them. Of all nights."
    assert staff.get(f"/api/seasons/{places}").json()["what"] == what
    changed = {"name": "Summer", "rules": {}}
    assert staff.post(f"/api/seasons/{places}", changed).json() == {"number": places}
    entry = staff.get(f"/api/seasons/{places}").json()
    assert (entry["name"], entry["what"], entry["may"]) == ("Summer", "The points of all nights.", True)
    guest = evening.rig.browser("192.168.7.41")
    assert guest.post(f"/api/seasons/{places}", changed).status_code in (401, 403)
    assert not guest.get(f"/api/seasons/{places}").json()["may"]
    assert guest.ask("DELETE", f"/api/seasons/{places}").status_code in (401, 403)
    evening.refused(staff.ask("DELETE", f"/api/seasons/{number}"), 400, "nights count for this season")
    spare = staff.post("/api/seasons", {"name": "Spare", "rules": {}}).json()["number"]
    assert staff.ask("DELETE", f"/api/seasons/{spare}").json() == {"done": True}
    assert spare not in [one["season"] for one in staff.get("/api/nights").json()["seasons"]]
    evening.refused(staff.ask("DELETE", f"/api/seasons/{evening.number}"), 400, "no season")
    evening.refused(staff.post(f"/api/seasons/{evening.number}", changed), 400, "no season")
    evening.refused(staff.get(f"/api/nights/{places}"), 404, "no night")
    evening.refused(staff.post(f"/api/seasons/{places}", {"name": "X", "rules": {"worst": 1}}), 400, "unknown key")
    for wrong, why in (("\u200d", "has a name"), ("x" * 41, "41 characters"), ("a\u202eb", "'ab' has an invisible")):
        evening.refused(staff.post("/api/seasons", {"name": wrong, "rules": {}}), 400, why)


def test_partners_and_swiss_are_drawn(rig: Rig) -> None:
    evening = Evening(rig, SIX[:5], preset="partners-drawn", rounds=3)
    assert any(" and " in name for each in evening.entry()["matches"] for name in each["names"])
    evening.staff.ask("DELETE", f"/api/nights/{evening.number}")
    evening = Evening(rig, SIX, draw="swiss", rounds=3, name="For the 👩\u200d👧")
    assert evening.entry()["name"] == "For the 👩👧"
    assert {each["round"] for each in evening.entry()["matches"]} == {1}
    for each in [each for each in evening.entry()["matches"] if each["called"]]:
        evening.do(evening.staff, "settle", match=each["match"], scores=[121, 90])
    assert {each["round"] for each in evening.entry()["matches"]} == {1, 2}


def test_pairs_are_drawn_once_and_a_latecomer_waits_for_a_partner(rig: Rig) -> None:
    names = [f"Player {letter}" for letter in "ABCDEFGH"]
    wish = {"names": names, "draw": "pairs", "boards": [], "wooden": 2}
    text = rig.staff().post("/api/night/preview", wish).json()["text"]
    assert text.startswith("8 players in 4 drawn pairs, 2 tables, 3 rounds: everybody meets, about 1 h")
    refused = rig.staff().post("/api/night/preview", {**wish, "names": names[:7]}).json()["error"]
    assert "without a partner" in refused["message"]
    evening = Evening(rig, names, draw="pairs", boards=[], wooden=2, rounds=3)

    def pairs() -> set[str]:
        return {name for each in evening.entry()["matches"] if not each["bye"] for name in each["names"]}

    drawn = pairs()
    assert len(drawn) == 4 and len({frozenset(each["names"]) for each in evening.entry()["matches"]}) == 6
    match = evening.called()
    evening.do(evening.staff, "settle", match=match["match"], scores=[121, 90])
    winners = match["names"][0].split(" and ")
    first, second, *_ = evening.entry()["standings"]
    assert {*first["name"].split(" and ")} == {*winners} and (first["place"], first["points"]) == (1, "3")
    assert second["place"] == 2 and len(evening.entry()["standings"]) == 4
    evening.do(evening.staff, "adjust", entrant=first["entrants"][0], points=-100, text="late")
    assert [row["points"] for row in evening.entry()["standings"]][:2] == ["3", "2"]
    season = evening.staff.post("/api/seasons", {"name": "W", "rules": {"award": [5, 4, 3]}}).json()["number"]
    evening.staff.post(f"/api/nights/{evening.number}/season", {"season": season})
    evening.do(evening.staff, "close")
    by_name = {row["name"]: row["points"] for row in evening.staff.get(f"/api/seasons/{season}").json()["rows"]}
    one, other, losers = (row["name"] for row in evening.entry()["standings"][:3])
    assert (by_name[one], by_name[other]) == ("5", "4")
    assert {by_name[each] for each in losers.split(" and ")} == {"3"}  # a pair takes one place
    evening.do(evening.staff, "reopen", text="to play on")
    evening.do(evening.staff, "more")
    extra = [each for each in evening.entry()["matches"] if each["round"] == 4 and not each["bye"]]
    assert len(extra) == 2 and {name for each in extra for name in each["names"]} == drawn
    evening.do(evening.staff, "enter", name="Yul")
    assert pairs() == drawn
    evening.do(evening.staff, "enter", name="Zed")
    assert {*pairs()} - drawn in ({"Yul and Zed"}, {"Zed and Yul"})


def test_one_more_round_is_for_those_who_sat_out(rig: Rig) -> None:
    evening = Evening(rig, SIX[:5], rounds=3)
    evening.do(evening.staff, "more")
    extra = [each for each in evening.entry()["matches"] if each["round"] == 4 and not each["bye"]]
    assert extra and evening.entry()["rounds"] == 4


def test_one_more_round_of_drawn_partners_is_of_four_who_sat_out(rig: Rig) -> None:
    names = [f"Player {letter}" for letter in "ABCDEFGH"]
    evening = Evening(rig, names, preset="partners-drawn", boards=[], wooden=1, rounds=1)
    sat = {name for each in evening.entry()["matches"] if each["bye"] for name in each["names"]}
    evening.do(evening.staff, "more")
    (extra,) = [each for each in evening.entry()["matches"] if each["round"] == 2 and not each["bye"]]
    assert {name for side in extra["names"] for name in side.split(" and ")} == sat
    evening.do(evening.staff, "close")
    evening = Evening(rig, names[:6], preset="partners-drawn", boards=[], wooden=1, rounds=1)
    evening.refused(evening.do(evening.staff, "more"), 400, "too few have sat out")


def test_a_game_to_another_target_is_no_result_of_a_match(evening: Evening) -> None:
    """Two who are called play to 61 first: it is theirs, and the match is still to be played."""
    match = evening.called(board=True)
    evening.staff.order(1, do="new", names=match["names"], target=61)
    evening.staff.order(1, do="peg", side=1, points=2)
    assert evening.match(match["match"])["running"] is None
    path = f"/api/nights/{evening.number}/start/{match['match']}"
    evening.refused(evening.staff.post(path), 409, "a game is on at Table 1")
    evening.staff.order(1, do="set", side=1, front=59, back=2)
    evening.staff.order(1, do="peg", side=1, points=2)
    wait_until(lambda: newest_game(evening)["state"] == "won")
    assert evening.match(match["match"])["legs"] == []
    refused = evening.do(evening.staff, "attach", game=newest_game(evening)["id"])
    evening.refused(refused, 400, "was to 61, and this night plays to 121")


def test_a_house_without_a_pin_is_directed_by_the_phone_that_begins(rig: Rig) -> None:
    from dataclasses import replace

    keys = rig.kiosk.keys
    keys._change(lambda kept: replace(kept, pin="", salt=""))
    phone, other = rig.player(), rig.player(client="192.168.7.40")
    begin = rig.browser("192.168.7.41").get("/api/night/begin").json()
    assert not begin["may"] and not begin["staff"]
    answer = phone.post("/api/night", {"names": SIX, "preset": "club", "wooden": 2})
    assert answer.status_code == 200 and answer.json()["director"]
    number = answer.json()["night"]
    assert not other.get(f"/api/nights/{number}").json()["director"]
    order = {"do": "close", "key": new_key()}
    assert other.post(f"/api/nights/{number}/orders", order).status_code == 403
    theirs = other.get("/api/me").json()["phone"]["number"]
    assert other.get("/api/night/phones").status_code == 403
    assert theirs in [each["phone"] for each in phone.get("/api/night/phones").json()["phones"]]
    assert other.post(f"/api/nights/{number}/director", {"phone": theirs}).status_code == 403
    gone = rig.player(client="192.168.7.42").get("/api/me").json()["phone"]["number"]
    assert phone.ask("DELETE", f"/api/night/phones/{gone}").status_code == 200
    for nobody in (9999, gone):  # else nobody would direct the night
        assert phone.post(f"/api/nights/{number}/director", {"phone": nobody}).status_code == 400
    own = phone.get("/api/me").json()["phone"]["number"]
    assert "pass the night on" in phone.ask("DELETE", f"/api/night/phones/{own}").json()["error"]["hint"]
    assert not phone.post(f"/api/nights/{number}/director", {"phone": theirs}).json()["director"]
    assert other.post(f"/api/nights/{number}/orders", {**order, "key": new_key()}).json()["closed"]


def take(evening: Evening, text: str, key: str, taken: bool) -> Any:
    return evening.staff.post(f"/api/nights/{evening.number}/sheet", {"text": text, "take": taken, "key": key})


def test_a_list_of_results_is_looked_at_first_and_the_same_one_twice_adds_nothing(evening: Evening) -> None:
    """One result is of a match that is drawn; the second time the two have met is beside the plan."""
    text = "winner,loser,winner_score,loser_score\nAnn,Bob,121,88\nBob,Ann,124,60\n"
    sheet = take(evening, text, new_key(), False).json()
    assert [(line["line"], line["text"], line["known"]) for line in sheet["lines"]] == [
        (2, "Ann 121 \u2013 88 Bob, by 33, a skunk", False),
        (3, "Bob 121 \u2013 60 Ann, by 61, a skunk", False),
    ]
    assert "124" in sheet["notes"][0] and not sheet["bad"]
    assert all(row["games"] == 0 for row in evening.entry()["standings"])
    for _ in range(2):
        answer = take(evening, text, new_key(), True)
        assert answer.status_code == 200, answer.text
        assert [line["known"] for line in answer.json()["lines"]] == [True, True]
        rows = {row["name"]: (row["games"], row["points"]) for row in evening.entry()["standings"]}
        assert (rows["Ann"], rows["Bob"]) == ((2, "3"), (2, "3"))


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("Ann 121 Zed 88\n", "line 1: 'Zed' is not on the list"), ("Ann 115 Bob 88\n", "121"), ("=1+1\n", "no scores"),
        ("Ann 121 Bob 121\n", "121"), ("Ann 121 Bob 88 Cid 7\n", "two sides"), ("<b> 121 Bob -1\n", "line 1"),
        ('{"bye": "Ann"}\n', "cribboard sheet"), ("Ann 121 Bob NaN\n", "line 1"),
        ("# target: 61\nAnn 61 Bob 30\n", "a game to 61; this night plays to 121"),
    ],
)  # fmt: skip
def test_a_list_with_anything_wrong_adds_nothing(evening: Evening, text: str, says: str) -> None:
    answer = take(evening, f"Ann 121 Bob 88\n{text}".replace("line 1", "line 2"), new_key(), True)
    assert answer.status_code == 400
    assert says.replace("line 1", "line 2") in answer.json()["error"]["hint"]
    assert all(row["games"] == 0 for row in evening.entry()["standings"])


def test_a_list_has_the_games_of_a_match_and_settles_disputes(rig: Rig) -> None:
    """Of best of three: two games of a match that is drawn, one of which is disputed; the third is one too many."""
    evening = Evening(rig, ["Ann", "Bob"], best_of=3, rounds=1)
    (match,) = evening.entry()["matches"]
    for scores in ([121, 90], [90, 121]):
        evening.do(evening.phone(match["names"][int(scores[1] > 90)]), "report", match=match["match"], scores=scores)
    assert evening.entry()["matches"][0]["legs"][0]["state"] == "disputed"
    ann, bob = match["names"]
    sheet = take(evening, f"{ann} 121 {bob} 90\n{bob} 121 {ann} 100\n{bob} 60 {ann} 121\n", new_key(), True).json()
    assert not sheet["bad"] and [line["known"] for line in sheet["lines"]] == [True, True, True]
    (match,) = evening.entry()["matches"]
    assert [leg["scores"] for leg in match["legs"]] == [[121, 90], [100, 121], [121, 60]]
    assert match["over"] and match["wins"] == [2, 1]
    evening.do(
        evening.staff, "enter", name="\u05e2\u05d3\u05d9"
    )  # is read from the right, and must not turn scores round
    (line,) = take(evening, "\u05e2\u05d3\u05d9 121 Bob 90", new_key(), False).json()["lines"]
    assert line["text"] == "\u2068\u05e2\u05d3\u05d9\u2069 121 \u2013 90 Bob, by 31, a skunk"
    assert take(evening, "Date,Ann,Bob\n", new_key(), False).json()["bad"] == [
        "the list has no result; write one a line, like: Ann 121 Bob 88"
    ]


def test_a_list_is_the_directors_and_has_its_size(rig: Rig, evening: Evening) -> None:
    body = {"text": "Ann 121 Bob 88", "take": True, "key": new_key()}
    assert rig.player().post(f"/api/nights/{evening.number}/sheet", body).status_code == 403
    assert take(evening, "Ann 121 Bob 88\n" * 6000, new_key(), True).status_code == 413
    assert take(evening, 7, new_key(), True).status_code == 400  # type: ignore[arg-type]


def test_a_game_that_was_played_beside_the_plan_is_attached(evening: Evening) -> None:
    evening.staff.order(1, do="new", names=["Ann", "Bob"], target=121)
    evening.staff.order(1, do="set", side=1, front=119, back=0)
    evening.staff.order(1, do="peg", side=1, points=2)
    wait_until(lambda: newest_game(evening)["state"] == "won")
    game = newest_game(evening)["id"]
    match = next(each for each in evening.entry()["matches"] if set(each["names"]) == {"Ann", "Bob"})
    assert evening.do(evening.staff, "attach", game=game).status_code == 200
    (leg,) = evening.match(match["match"])["legs"]
    assert (leg["board"], leg["said"]) == (True, "Ann by 121, a skunk")
    evening.refused(evening.do(evening.staff, "attach", game=game), 400, "already")
    evening.refused(evening.do(evening.staff, "attach", game=98765), 400, "no game 98765")
    evening.refused(evening.do(evening.staff, "attach", game=f"{game}"), 400, "no number of a game")


def test_a_board_that_died_is_attached_to_the_result_that_was_typed(evening: Evening) -> None:
    match = evening.called(board=True)
    assert evening.staff.post(f"/api/nights/{evening.number}/start/{match['match']}").status_code == 200
    evening.do(evening.staff, "settle", match=match["match"], scores=[121, 70], text="the board died")
    evening.staff.order(1, do="set", side=1, front=119, back=0)
    evening.staff.order(1, do="peg", side=1, points=2)
    wait_until(lambda: newest_game(evening)["state"] == "won")
    before = {row["name"]: row["games"] for row in evening.entry()["standings"]}
    assert evening.do(evening.staff, "attach", game=newest_game(evening)["id"]).status_code == 200
    (leg,) = evening.match(match["match"])["legs"]
    assert (leg["state"], leg["scores"], leg["board"]) == ("settled", [121, 70], True)
    assert {row["name"]: row["games"] for row in evening.entry()["standings"]} == before


def test_a_win_on_a_board_leaves_a_result_that_was_typed_before_and_waits(evening: Evening) -> None:
    """As a phone at the board says it."""
    match = evening.called(board=True)
    assert evening.staff.post(f"/api/nights/{evening.number}/start/{match['match']}").status_code == 200
    evening.do(evening.phone(match["names"][0]), "report", match=match["match"], scores=[121, 100])
    evening.staff.order(1, do="set", side=2, front=119, back=0)
    evening.staff.order(1, do="peg", side=2, points=2)
    wait_until(lambda: newest_game(evening)["state"] == "won")
    (leg,) = evening.match(match["match"])["legs"]
    assert (leg["state"], leg["scores"], leg["board"]) == ("waits", [121, 100], False)


def newest_game(evening: Evening) -> Any:
    return evening.staff.get("/api/games?limit=1").json()["games"][0]


def test_a_season_is_one_file_without_scripts_and_can_shorten_names(rig: Rig) -> None:
    evening = Evening(rig, ["Ann Barker", "<b>Bo"], rounds=1)
    number = evening.staff.post("/api/seasons", {"name": "A & B", "rules": {}}).json()["number"]
    evening.staff.post(f"/api/nights/{evening.number}/season", {"season": number})
    evening.do(evening.staff, "close")
    page = evening.staff.get(f"/api/seasons/{number}/season.html?short=1").text
    assert "Ann B." in page and "Barker" not in page and "A &amp; B" in page
    assert "<script" not in page and "<b>" not in page and "&lt;b&gt;Bo" in page
    assert "Ann Barker" in evening.staff.get(f"/api/seasons/{number}/season.html").text


def pairs_after(begun: int, entry: Any) -> set[tuple[int, frozenset[str]]]:
    """Who plays whom in the rounds of which nothing has begun."""
    matches = [each for each in entry["matches"] if each["round"] > begun and not each["bye"]]
    return {(each["round"], frozenset(each["names"])) for each in matches}


def test_a_whole_evening_of_fourteen_with_a_latecomer_a_leaver_and_two_quarrels(
    rigs: Callable[[Limits], Rig], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nine rounds at a board and six wooden tables; it ends by itself, nobody meets twice, and byes are shared out.

    Zed plays in every round of which nothing had begun when they came, though somebody leaves.
    """
    monkeypatch.setattr(night_plan, "CHANCE", lambda: Random(5))
    rig = rigs(Limits(writes=1e6, write_burst=1e6, reads=1e6, read_burst=1e6))  # it is played as fast as it goes
    names = [f"Player {letter}" for letter in "ABCDEFGHIJKLMN"]
    evening = Evening(rig, names, wooden=6, rounds=9)
    quarrels, late, gone = 2, False, False
    for number in range(200):
        entry = evening.entry()
        playing = [each for each in entry["matches"] if each["called"] and not each["over"] and not each["bye"]]
        if not playing:
            break
        match = playing[number * 7 % len(playing)]
        if entry["round"] == 3 and not late:
            late = evening.do(evening.staff, "enter", name="Zed").status_code == 200
            begun = max(each["round"] for each in entry["matches"] if each["called"])
            before, now = (pairs_after(begun, each) for each in (entry, evening.entry()))
            assert len(before) == 7 * (9 - begun) and len(before - now) == 9 - begun  # a card or two a round change
        if entry["round"] == 5 and not gone and "Player C" not in match["names"]:
            gone = evening.do(evening.staff, "leave", entrant=evening.entrant("Player C")).status_code == 200
            for each in playing:
                if "Player C" in each["names"]:
                    side = 1 - each["names"].index("Player C")
                    evening.do(evening.staff, "walkover", match=each["match"], side=side)
            continue
        scores = [121, 60 + number % 60] if number % 2 else [60 + number % 60, 121]
        if quarrels and entry["round"] > 1:
            quarrels -= 1
            one, other = (evening.phone(name) for name in match["names"])
            evening.do(one, "report", match=match["match"], scores=scores)
            evening.do(other, "report", match=match["match"], scores=scores[::-1])
            assert evening.match(match["match"])["legs"][0]["state"] == "disputed"
        evening.do(evening.staff, "settle", match=match["match"], scores=scores)
    entry = evening.entry()
    played = [each for each in entry["matches"] if not each["bye"]]
    assert late and gone and not quarrels
    assert all(each["over"] for each in played), [each for each in played if not each["over"]]
    met = [frozenset(each["names"]) for each in played]
    assert len(set(met)) == len(met)
    games = {row["name"]: row["games"] for row in entry["standings"]}
    stay = [games[name] for name in names if name != "Player C"]
    assert max(stay) - min(stay) <= 2 and games["Zed"] == 9 - begun
    assert sum(row["spread"] for row in entry["standings"]) == 0
    assert (entry["round"], entry["until"]) == (9, "")


def test_somebody_always_plays_at_one_table(evening: Evening) -> None:
    tables = {each["name"]: each["table"] for each in evening.entry()["tables"]}
    assert list(tables) == ["Table 1", "Table 3", "Table 4"]  # one room: Table 2 has a board that is not the night's
    table = tables["Table 3"]
    assert evening.do(evening.staff, "pin", entrant=evening.entrant("Ann"), table=table).status_code == 200
    entry = evening.entry()
    mine = [each for each in entry["matches"] if "Ann" in each["names"] and not each["called"] and not each["bye"]]
    assert mine and {each["table"] for each in mine} == {table}
    assert next(each for each in entry["entrants"] if each["name"] == "Ann")["table"] == "Table 3"
    evening.refused(evening.do(evening.staff, "pin", entrant=evening.entrant("Ann"), table=77), 400, "77")
    evening.do(evening.staff, "pin", entrant=evening.entrant("Bob"), table=tables["Table 4"])
    later = [each for each in evening.entry()["matches"] if not each["called"] and not each["bye"]]
    assert {each["table"] for each in later if "Ann" in each["names"] and "Bob" not in each["names"]} == {table}
    evening.do(evening.staff, "pin", entrant=evening.entrant("Ann"), table=0)
    assert next(each for each in evening.entry()["entrants"] if each["name"] == "Ann")["table"] == ""
