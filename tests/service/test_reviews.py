"""What each choice of a game cost is worked out one game at a time, with limits, by a process that can be stopped."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from web.rig import wait_until

from cribboard.playing.review import Game
from cribboard.service import reviews
from cribboard.service.orders import OrderError
from cribboard.service.reviews import WHILE_S, Command, Reviews

ENDLESS = (sys.executable, "-c", 'print(\'{"done": 1, "of": 9}\', flush=True)\nwhile True: import time; time.sleep(9)')
NOWHERE = ("cribboard-is-not-here",)
REVIEW: dict[str, Any] = {"summary": ["Ann against Bob."], "worst": [], "choices": [], "averages": []}
DONE = (sys.executable, "-c", f'print(\'{{"done": 9, "of": 9}}\\n{json.dumps(REVIEW)}\')')


def game(number: int) -> Game:
    return Game(Path("none"), 1, number, ("Ann", "Bob"))


@contextmanager
def working(begin: Command, **more: Any) -> Iterator[Reviews]:
    reviewer = Reviews(begin, **more)
    try:
        yield reviewer
    finally:
        reviewer.close()


def until(reviewer: Reviews, state: str, number: int = 1) -> None:
    wait_until(lambda: reviewer.look(game(number))["state"] == state)


def test_a_review_that_was_worked_out_is_there_for_all_and_is_begun_no_second_time() -> None:
    begun: list[Game] = []

    def begin(one: Game) -> tuple[str, ...]:
        begun.append(one)
        return DONE

    with working(begin) as reviewer:
        assert reviewer.look(game(1))["state"] == "asked"
        assert reviewer.begin(game(1))["state"] == "working"
        until(reviewer, "ready")
        ready = {"state": "ready", "text": "", "done": 0, "of": 0, "review": REVIEW}
        assert reviewer.look(game(1)) == reviewer.begin(game(1)) == ready
    assert begun == [game(1)]


def test_only_so_many_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reviews, "KEPT", 2)
    with working(lambda one: DONE) as reviewer:
        for number in range(3):
            reviewer.begin(game(number))
            until(reviewer, "ready", number)
        assert [reviewer.look(game(number))["state"] for number in range(3)] == ["asked", "ready", "ready"]


def test_only_one_is_worked_out_at_a_time_and_it_says_how_far_it_is() -> None:
    reviewer = Reviews(lambda one: ENDLESS)
    reviewer.begin(game(1))
    wait_until(lambda: reviewer.look(game(1))["done"] == 1)
    assert reviewer.begin(game(1))["state"] == "working"
    with pytest.raises(OrderError, match="another game is being worked out") as busy:
        reviewer.begin(game(2))
    assert busy.value.status == 503
    process = reviewer._process
    assert process is not None
    reviewer.close()
    assert process.poll() is not None
    assert reviewer.look(game(1))["state"] == "asked"
    with pytest.raises(OrderError):
        reviewer.begin(game(2))


def test_what_takes_too_long_is_stopped_and_may_be_asked_for_again() -> None:
    with working(lambda one: ENDLESS, longest_s=0.2) as reviewer:
        reviewer.begin(game(1))
        until(reviewer, "asked")
        assert "try again" in reviewer.look(game(1))["text"]
        assert reviewer.begin(game(1))["state"] == "working"


def test_sixty_may_be_begun_in_an_hour() -> None:
    now = [0.0]
    with working(lambda one: NOWHERE, clock=lambda: now[0]) as reviewer:
        for number in range(60):
            reviewer.begin(game(number))
            until(reviewer, "asked", number)
            now[0] += 1
        now[0] = WHILE_S - 0.1
        with pytest.raises(OrderError, match="60 games were worked out in the last hour") as tired:
            reviewer.begin(game(60))
        assert tired.value.status == 429
        now[0] = WHILE_S
        reviewer.begin(game(60))
        until(reviewer, "asked", 60)
        with pytest.raises(OrderError, match="in the last hour"):
            reviewer.begin(game(61))


def test_a_log_with_another_game_is_said_to_lack_it() -> None:
    with working(reviews.command) as reviewer:
        reviewer.begin(game(1))
        until(reviewer, "none")
        assert reviewer.look(game(1))["text"] == "The kiosk's note of this game's cards cannot be read."
