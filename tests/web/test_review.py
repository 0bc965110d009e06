"""What each choice of a game cost, on the kiosk's page of it, in the command's words."""

from __future__ import annotations

import subprocess
import sys

import pytest
from web.rig import wait_until

from cribboard.playing.judge import in_words
from cribboard.playing.review import find, review

SECOND = 2
PATIENCE_S = 150  # it is polite to everything else on the computer
GAME = ("Ann", "Bob", "--computer", "Ann:learner", "--computer", "Bob", "--seed", "3", "--target", "61", "--new")


@pytest.fixture(scope="module")
def played(house) -> int:
    """A game that `cribboard play` has dealt and played at the second table; its number in the history."""
    uid = house.services[SECOND].view.uid
    command = [sys.executable, "-m", "cribboard", "--board", uid, "play", *GAME]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    wait_until(lambda: (game := house.store.live(uid)) and game.winner is not None)
    return house.store.live(uid).id


@pytest.fixture(autouse=True)
def _at_home(house, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the folder of the kiosk, where the logs are too."""
    monkeypatch.setenv("CRIBBOARD_HOME", str(house.store.file.parent))


def worked_out(rig, browser, game):
    begun = browser.post(f"/api/games/{game}/review").json()
    assert begun["state"] == "working", begun
    rig.kiosk.reviews._thread.join(PATIENCE_S)
    return browser.get(f"/api/games/{game}/review").json()


def test_a_game_whose_cards_are_known_is_reviewed_when_somebody_asks(rig, house, played):
    guest = rig.browser()
    before = guest.get(f"/api/games/{played}/review").json()
    assert (before["state"], before["review"]) == ("asked", None)
    answer = worked_out(rig, guest, played)
    assert answer["state"] == "ready", answer
    reviewed, (_, epoch, number) = answer["review"], house.store.numbers(played)[-1]
    path, _ = find(house.services[SECOND].view.uid, epoch, number)
    lines = in_words(review(path), 3)
    assert [*reviewed["summary"], "What cost most:"] == lines[:4]
    assert reviewed["averages"] == lines[-2:]
    assert len(reviewed["worst"]) == 3 < len(reviewed["choices"])
    worst = reviewed["worst"][0]
    assert lines[4].strip().startswith(f"Deal {worst['deal']}, {worst['name']} ({worst['role']}, ")
    assert f": {worst['cost']}. Better {' '.join(worst['better'])}: {worst['reason']}." in lines[4]
    assert guest.post(f"/api/games/{played}/review").json() == answer


def test_who_is_called_otherwise_now_is_called_so_in_the_review(rig, house, played):
    boss = rig.staff()
    bob = next(player for player in boss.get("/api/players").json()["players"] if player["name"] == "Bob")
    assert boss.ask("DELETE", f"/api/players/{bob['id']}").status_code == 200
    text = str(worked_out(rig, boss, played))
    assert "Bob" not in text and "Ann against Blue" in text


def test_without_known_cards_it_is_said_plainly(rig, house):
    player = rig.player()
    assert player.order(1, do="new", target=61, names=["Cleo", "Dan"]).status_code == 200
    assert player.order(1, do="peg", side=1, points=2).status_code == 200
    wait_until(lambda: (game := house.store.live(house.services[1].view.uid)) and game.sides[0].name == "Cleo")
    game = house.store.live(house.services[1].view.uid).id
    running = player.post(f"/api/games/{game}/review").json()
    assert (running["state"], running["text"]) == ("none", "What each choice cost is shown when the game is won.")
    assert player.order(1, do="set", side=1, front=61, back=0).status_code == 200
    wait_until(lambda: house.store.live(house.services[1].view.uid).winner is not None)
    assert player.get(f"/api/games/{game}/review").json()["text"].startswith("The cards of this game are not known")


def test_a_game_that_is_not_there_has_no_review(rig):
    assert rig.browser().get("/api/games/999999/review").status_code == 404


def test_another_site_cannot_have_the_kiosk_work(rig, played):
    refused = rig.browser().post(f"/api/games/{played}/review", headers={"Origin": "http://elsewhere"})
    assert refused.status_code == 403
