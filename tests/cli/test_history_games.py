"""`cribboard history list` and `show`: the games that were won, and one of them event by event."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from rigs.typed import Typed


@pytest.fixture
def typed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Typed:
    monkeypatch.setenv("CRIBBOARD_HOME", str(tmp_path))
    monkeypatch.setenv("TZ", "UTC")
    run = Typed(tmp_path, monkeypatch)
    for bob in (95, 70):
        run("new", "Ann", "Bob")
        run("set-score", "Bob", str(bob))
        run("set-score", "Ann", "119")
        run("peg", "Bob", "1")
        run("undo")
        run("peg", "Ann", "2")
    return run


def rows(text: str) -> list[list[str]]:
    """The lines of a table, without the times."""
    return [re.split(r"  +", re.sub(r"\d{4}-\d\d-\d\d \d\d:\d\d", "WHEN", line.strip())) for line in text.splitlines()]


def test_the_newest_game_comes_first_with_its_number(typed: Typed) -> None:
    assert rows(typed.says("history", "list")) == [
        ["Game", "When", "Score"],
        ["2", "WHEN", "Ann 121, Bob 70", "Ann won by a skunk"],
        ["1", "WHEN", "Ann 121, Bob 95", "Ann won"],
    ]


def test_a_page_says_how_to_see_older_games(typed: Typed) -> None:
    output = typed.says("history", "list", "-n", "1")
    assert output.splitlines()[-1] == "Older games: cribboard history list --before 2"
    assert rows(typed.says("history", "list", "--before", "2"))[1:] == [["1", "WHEN", "Ann 121, Bob 95", "Ann won"]]
    assert typed.says("history", "list", "--before", "1") == "No game is older than game 1.\n"


def test_a_game_is_shown_event_by_event_with_what_was_taken_back_in_brackets(typed: Typed) -> None:
    shown = rows(typed.says("history", "show", "1"))
    assert shown[0] == ["Game 1, WHEN, to 121: Ann 121, Bob 95; Ann won."]
    texts = [" ".join(line[1:]) for line in shown[1:]]
    assert len(texts) == 6
    assert texts[1].startswith("Bob ") and texts[1].endswith("[0 95]")
    assert re.fullmatch(r"\(Bob pegs 1.*\[119 96\]\)", texts[3])
    assert texts[-1].endswith("[121 95]")


def test_with_json_a_game_is_an_object_with_its_events(typed: Typed) -> None:
    listed = [json.loads(line) for line in typed.says("history", "list", "--json").splitlines()]
    assert [(game["id"], game["state"], game["winner"]) for game in listed] == [(2, "won", 1), (1, "won", 1)]
    game = typed.entry("history", "show", "1")
    assert {name: game[name] for name in ("id", "target", "winner")} == {"id": 1, "target": 121, "winner": 1}
    assert [event["kind"] for event in game["events"]] == ["new", "set", "set", "peg", "undo", "peg"]
    assert game["events"][3]["gone"] is True and game["events"][-1]["fronts"] == [121, 95]


def test_a_game_that_does_not_exist_is_refused(typed: Typed) -> None:
    error = typed.error("history", "show", "77", exit_code=2)
    assert error == "Error: there is no game 77\n  `cribboard history list` lists the games with their numbers\n"


def test_an_empty_history_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CRIBBOARD_HOME", str(tmp_path))
    assert (
        Typed(tmp_path, monkeypatch).says("history", "list")
        == "There are no games in the history yet: commands record a game when it is won, a kiosk as it is played.\n"
    )
