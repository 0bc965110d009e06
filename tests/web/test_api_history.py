"""What pages are told of the history, and what staff put right in it; games are played through the kiosk."""

from __future__ import annotations

import csv
import io
import json

import pytest
from web.rig import wait_until

from cribboard.board.ledger import Ledger
from cribboard.files import home
from cribboard.store import StoreError


@pytest.fixture
def won(rig, house):
    """A game that Ann has won, and staff's browser."""
    player, boss = rig.player(), rig.staff()
    assert player.order(1, do="new", target=61, names=["Ann", "Bob"]).status_code == 200
    for side, points in ((2, 20), (1, 30), (1, 31)):
        assert player.order(1, do="peg", side=side, points=points, again=True).status_code == 200
    wait_until(lambda: player.get("/api/games?limit=1").json()["games"][0]["state"] == "won")
    return boss


def newest(browser):
    return browser.get("/api/games?limit=1").json()["games"][0]


def at_the_table(browser):
    return [side["name"] for side in browser.get("/api/boards/1").json()["sides"]]


def named(browser, name):
    return next(player for player in browser.get("/api/players").json()["players"] if player["name"] == name)


def test_whoever_is_in_the_house_reads_the_history(rig, won):
    guest = rig.browser()
    game = newest(guest)
    assert [seat["name"] for seat in game["seats"]] == ["Ann", "Bob"]
    ann, bob = named(guest, "Ann"), named(guest, "Bob")
    assert ann["won"] == ann["games"] >= 1
    assert bob["won"] == 0
    assert guest.get(f"/api/players/{ann['id']}").json()["name"] == "Ann"
    assert guest.get(f"/api/players/{ann['id']}/against/{bob['id']}").json()["won"][1] == 0
    for period in ("night", "week", "season", "ever"):
        assert guest.get(f"/api/leaderboard?period={period}").json()["players"][0]["name"] == "Ann"
        apart = guest.get(f"/api/leaderboard?period={period}&among=computer").json()
        assert (apart["among"], apart["players"]) == ("computer", [])
    replay = guest.get(f"/api/games/{game['id']}").json()
    assert [event["kind"] for event in replay["events"]][-1] == "peg"


def test_games_are_told_in_pages(rig, won):
    guest = rig.browser()
    first = newest(guest)["id"]
    assert all(game["id"] < first for game in guest.get(f"/api/games?before={first}&limit=200").json()["games"])


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/api/players/99999", 404),
        ("/api/games/99999", 404),
        ("/api/players/1/against/99999", 404),
        (f"/api/games/{10**30}", 404),
        ("/api/leaderboard?period=decade", 400),
        ("/api/leaderboard?among=cats", 400),
        ("/api/games?limit=0", 400),
        ("/api/games?limit=201", 400),
        ("/api/games?before=-1", 400),
        ("/api/games?limit=x", 400),
        ("/api/games?limit=1e2", 400),
    ],
)
def test_what_is_not_there_is_said(rig, path, status):
    answer = rig.browser().get(path)
    assert answer.status_code == status
    assert answer.json()["error"]["message"]


def test_staff_put_a_name_right(won):
    ann = named(won, "Ann")
    assert won.post(f"/api/players/{ann['id']}", {"name": "Bob"}).status_code == 400
    assert won.post(f"/api/players/{ann['id']}", {"name": "Anna"}).json() == {"done": True}
    assert named(won, "Anna")["id"] == ann["id"]
    assert at_the_table(won) == ["Anna", "Bob"]
    assert won.post(f"/api/players/{ann['id']}", {"name": "Ann"}).status_code == 200
    assert won.get("/api/corrections").json()["corrections"][0]["what"] == "rename"


def test_staff_correct_a_game(won):
    game = newest(won)["id"]
    path = f"/api/games/{game}"
    assert won.post(path, {"withdraw": True}).status_code == 200
    assert newest(won)["state"] == "withdrawn"
    assert won.post(path, {"withdraw": False}).status_code == 200
    assert won.post(path, {"seats": {"2": "Cleo"}}).status_code == 200
    assert newest(won)["seats"][1]["name"] == "Cleo"
    assert won.post(path, {"seats": {"2": ""}}).status_code == 200
    assert newest(won)["seats"][1]["name"] is None
    assert won.post(path, {"abandon": True}).status_code == 400  # it is won
    cleo = named(won, "Cleo")
    assert won.post(f"/api/players/{cleo['id']}", {"is": named(won, "Bob")["id"]}).status_code == 200
    assert won.ask("DELETE", f"/api/players/{named(won, 'Bob')['id']}").status_code == 200
    assert "Bob" not in won.get("/api/players").text
    assert at_the_table(won) == ["Ann", None]


def test_staff_rename_and_erase_many_invented_names_at_once(rig, won):
    for number in range(3):
        won.order(1, do="new", names=[f"Joker {number}", f"Prank {number}"])
        won.order(1, do="peg", side=1, points=2, again=True)
    assert all(player["new"] for player in won.get("/api/players").json()["players"])
    phone = rig.player(1)
    phone.post("/api/me", {"name": "PRANK 2"})
    jokers = [named(won, f"Joker {number}")["id"] for number in range(3)]
    pranks = [named(won, f"Prank {number}")["id"] for number in range(3)]
    pairs = [[who, f"Guest {number}"] for number, who in enumerate(jokers)]
    for wrong in ([[jokers[0], "Guest"], [jokers[1], "12"]], [[jokers[0], "Guest"], [99999, "Nobody"]]):
        assert won.post("/api/players", {"rename": wrong}).status_code == 400
    assert named(won, "Joker 0")["id"] == jokers[0]
    assert won.post("/api/players", {"rename": pairs}).json() == {"done": True}
    assert at_the_table(won) == ["Guest 2", "Prank 2"]
    assert won.post("/api/players", {"erase": [pranks[0], 99999]}).status_code == 400
    assert at_the_table(won) == ["Guest 2", "Prank 2"]
    before = won.get("/api/export.json").text.count('"erase"')
    assert won.post("/api/players", {"erase": pranks}).json() == {"done": True}
    assert at_the_table(won) == ["Guest 2", None]
    assert phone.get("/api/me").json()["phone"]["name"] == ""
    left = [player["name"] for player in won.get("/api/players").json()["players"]]
    assert left == ["Ann", "Bob", "Guest 0", "Guest 1", "Guest 2"]
    exported = won.get("/api/export.json").text
    assert "Prank" not in exported
    assert exported.count('"erase"') == before + 3
    assert won.post("/api/players", {"erase": jokers}).status_code == 200


NO_CORRECTION_OF_PLAYERS = [
    {},
    {"erase": []},
    {"erase": [1, 1]},
    {"erase": [True]},
    {"erase": ["1"]},
    {"erase": [0]},
    {"erase": [*range(1, 202)]},
    {"erase": [1], "rename": [[1, "A"]]},
    {"rename": {}},
    {"rename": [[1]]},
    {"rename": [1]},
    {"rename": [[1, 2]]},
    {"rename": [[1, "A"], [1, "B"]]},
]


def test_what_is_no_correction_of_players_changes_nothing(rig, won):
    before, player = won.get("/api/players").json(), rig.player()
    for body in NO_CORRECTION_OF_PLAYERS:
        assert won.post("/api/players", body).status_code == 400, body
        assert won.get("/api/players").json() == before, body
        assert player.post("/api/players", body).status_code == 403, body


def test_who_is_erased_is_erased_at_tables_whose_boards_are_away_too(won):
    boards = home() / "boards"
    away = Ledger(boards, "f7")
    away.name(0, {0: "ann", 1: "Dan"})
    away.save()
    away.close()
    player = won.post(f"/api/players/{named(won, 'Ann')['id']}", {"name": "Anna"})
    assert player.status_code == 200
    held = Ledger(boards, "f7")
    assert held.games[0] == {0: "Anna", 1: "Dan"}
    anna = f"/api/players/{named(won, 'Anna')['id']}"
    refused = won.ask("DELETE", anna)
    assert refused.status_code == 503
    assert "still has the old name" in refused.json()["error"]["message"]
    wait_until(lambda: at_the_table(won) == [None, "Bob"])
    held.close()
    assert won.ask("DELETE", anna).status_code == 200
    assert Ledger(boards, "f7").games[0] == {1: "Dan"}


def test_who_is_erased_under_another_of_his_names_is_nowhere_any_more(rig, won):
    player = won.post(f"/api/players/{named(won, 'Ann')['id']}", {"name": "Anna"})
    assert player.status_code == 200
    assert won.order(1, do="new", names=["ANN", "Dan"]).status_code == 200
    key = "k" * 20
    assert "ANN" in won.order(1, do="peg", side=1, points=3, key=key).json()["text"]
    assert won.ask("DELETE", f"/api/players/{named(won, 'Anna')['id']}").status_code == 200
    assert at_the_table(won) == [None, "Dan"]
    assert "ANN" not in won.order(1, do="peg", side=1, points=3, key=key).json()["text"]
    assert won.order(1, do="peg", side=1, points=3, again=True).status_code == 200
    assert [player["name"] for player in won.get("/api/players").json()["players"]] == ["Bob", "Dan"]
    exported = won.get("/api/export.json").text
    assert "ANN" not in exported
    assert "Anna" not in exported


def test_who_is_erased_is_erased_from_what_a_phone_of_that_name_did(rig, won):
    phone = rig.player()
    assert phone.order(1, do="new", names=["Bob", "Dan"]).status_code == 200
    assert phone.post("/api/me", {"name": "Ann"}).status_code == 200
    assert phone.order(1, do="peg", side=2, points=4, again=True).json()["kept"]
    assert "Ann (phone" in won.get("/api/export.json").text
    assert won.ask("DELETE", f"/api/players/{named(won, 'Ann')['id']}").status_code == 200
    assert "Ann" not in won.get("/api/export.json").text
    assert won.order(1, do="peg", side=2, points=3, again=True).json()["kept"]
    assert phone.order(1, do="peg", side=2, points=1, again=True).json()["kept"]
    assert "Ann" not in won.get("/api/export.json").text


NO_CORRECTION = [
    {},
    {"abandon": False},
    {"abandon": 1},
    {"abandon": True, "withdraw": True},
    {"withdraw": "yes"},
    *(
        {"seats": seats}
        for seats in ([1, "A"], {}, {"0": "A"}, {"7": "A"}, {"01": "A"}, {"1": 5}, {"1": "A", "x": "B"})
    ),
]


def test_what_is_no_correction_changes_nothing(won):
    before = newest(won)
    for body in NO_CORRECTION:
        assert won.post(f"/api/games/{before['id']}", body).status_code == 400, body
        assert newest(won) == before, body


def test_all_of_it_is_carried_elsewhere_and_back(rigs, won, tmp_path):
    table = won.get("/api/export.csv")
    assert table.headers["content-disposition"] == 'attachment; filename="cribboard.csv"'
    assert table.content.startswith(b"\xef\xbb\xbf") and len([*csv.reader(io.StringIO(table.text))]) > 2
    export = won.get("/api/export.json")
    assert export.headers["content-type"] == "application/json"
    again = won.ask("POST", "/api/import", content=export.content, headers={"Content-Type": "application/json"})
    assert again.json() == {"games": 0, "events": 0, "corrections": 0, "nights": 0}
    assert json.loads(export.text)


def test_a_file_that_is_no_export_is_refused(won):
    for content in (b"{}", b"\xff", b"[" * 9000, b'{"format": "cribboard"}', b"null"):
        answer = won.ask("POST", "/api/import", content=content, headers={"Content-Type": "application/json"})
        assert answer.status_code == 400, content[:30]
        assert answer.json()["error"]["message"]


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("SQLITE_FULL", "the kiosk's disk is full, so nothing was changed"),
        ("SQLITE_IOERR", "the history cannot be used at the moment"),
    ],
)
def test_a_database_that_fails_is_not_described_to_pages(rig, monkeypatch, caplog, code, said):
    def broken(*arguments, **named):
        raise StoreError("there is no room on the disk for the history in /home/pub/kiosk.db", "make room", code)

    monkeypatch.setattr(type(rig.kiosk.tables.store), "games", broken)
    answer = rig.browser().get("/api/games")
    assert answer.status_code == 503
    assert answer.json()["error"]["message"] == said
    assert "kiosk.db" not in answer.text
    assert "kiosk.db" in caplog.text


def test_a_kiosk_without_a_history_says_so(rig, monkeypatch):
    monkeypatch.setattr(rig.kiosk.tables, "store", None)
    assert rig.browser().get("/api/games").status_code == 503


def test_staff_correct_a_score_of_a_game_that_is_over(rig, won):
    game = newest(won)["id"]
    line = won.get(f"/api/games/{game}").json()["events"][-1]
    path, body = f"/api/games/{game}", {"score": [line["rev"], line["points"], line["points"] - 1]}
    assert "is on at its table" in won.post(path, body).json()["error"]["message"]
    for wrong in ([1, 2], [1, 2, True], [1, 2, -3], [1, "2", 3]):
        assert won.post(path, {"score": wrong}).json()["error"]["code"] == "correction"
    won.order(1, do="new", names=["Ann", "Bob"])
    won.order(1, do="peg", side=1, points=1)
    wait_until(lambda: newest(won)["id"] != game)
    bob = won.get(path).json()["events"][1]
    assert won.post(path, {"score": [bob["rev"], 20, 22]}).json() == {"done": True}
    after = won.get(path).json()
    assert after["sides"][1]["front"] == 22
    assert after["events"][1]["text"] == "Bob pegs 22, corrected from 20 by staff."
    assert won.get("/api/corrections").json()["corrections"][0]["what"] == "score"
    assert rig.player(1).post(path, {"score": [bob["rev"], 22, 20]}).status_code == 403
