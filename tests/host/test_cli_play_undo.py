"""`cribboard play` takes back what was typed, and what followed from it."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from host.at_play import TWO, lines
from host.typed import Typed

from cribboard.cli import desk as desk_module
from cribboard.cli.desk import Desk
from cribboard.cli.teller import Teller
from cribboard.playing.session import Session
from cribboard.referee.options import read_options
from cribboard.referee.setup import Setup


@pytest.fixture
def typed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Typed:
    monkeypatch.setenv("CRIBBOARD_HOME", str(tmp_path))
    return Typed(tmp_path, monkeypatch)


def test_undo_brings_the_game_before_back_and_a_new_one_has_the_same_cards(typed: Typed) -> None:
    words = (*TWO, "--computer", "Bob")
    told = lines(typed, "set Ann 121", "new", "undo", "s", "new", "undo", "undo", "l", words=words)
    assert told.count("Taken back: New game to 121: Bob deals first. Ann 121.") == 2
    assert told.count("Ann wins with 121. Bob has 0, double-skunked. Games won: Ann 1, Bob 0.") == 3
    asked = [line for line in told if line.startswith("Ann lays two")]
    assert len(set(asked)) == 2  # one of each game
    assert asked[0] == asked[-1]


class Slowly:
    """Lines that are typed at once, but the clock goes on by so many seconds before a `wait`."""

    seen = True

    def __init__(self, *keyed: str) -> None:
        self.keyed = list(keyed)
        self.now = 0.0

    def get(self, seconds: float) -> str | None:
        line = self.keyed.pop(0) if self.keyed else None
        if line is not None and line.startswith("wait "):
            self.now += float(line[5:])
            raise desk_module.queue.Empty
        return line


def test_when_the_time_is_up_the_hand_is_counted(typed: Typed, capsys: pytest.CaptureFixture[str]) -> None:
    cards = ("5C", "TD", "5D", "6C", "4H", "go", "go", "7H", "8S", "9H")
    keyed = Slowly("Ann", "JS", *cards, "wait 29", "6", "wait 29", "wait 2", "2C 3C AC KC", "wait 29", "7")
    setup = Setup(("Ann", "Bob"), (0, 1), 0, 121, read_options(["counting=manual", "time_limit=30"]))
    with typed.table.board() as board:
        session = Session.begin(board, setup, typed.table.folder)
        Desk(session, Teller(), keyed, random.Random(1), lambda: keyed.now).run()  # type: ignore[arg-type]
        session.close()
    told = capsys.readouterr().out
    assert "Bob's hand 5C 5D 4H 8S with JS: fifteen two, fifteen four, and a pair for six. Bob 7." in told
    assert "Time is up for Ann: the hand counts five, and three stay. Ann 6." in told
    assert "The other two go to Bob. Bob 9." in told
    assert "and a run of three for seven. Ann 13." in told
