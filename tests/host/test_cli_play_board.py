"""`cribboard play` and what happens on the board meanwhile."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from host.at_play import TWO, answers, lines
from host.typed import Typed

from cribboard.cli import desk as desk_module
from cribboard_core.events import NEW, PEG, UNDO


@pytest.fixture
def typed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Typed:
    monkeypatch.setenv("CRIBBOARD_HOME", str(tmp_path))
    return Typed(tmp_path, monkeypatch)


def test_buttons_that_are_pressed_meanwhile_are_said(typed: Typed, monkeypatch: pytest.MonkeyPatch) -> None:
    presses = [(PEG, 1, 3, 0, 0), (UNDO, 0, 0, 3, 0)]

    def hear(self: Any, seconds: float = 0.0, real: Any = desk_module.Session.hear) -> None:
        if presses and self.referee.phase == "play":
            typed.firmware.keeper.do(presses.pop(0))
        real(self, seconds)

    monkeypatch.setattr(desk_module.Session, "hear", hear)
    told = answers(lines(typed, "Ann", "JS", "5C", "6C", words=TWO))
    assert "On the board: Bob pegs 3: 3." in told
    assert "On the board: undo. Ann 2, Bob 0." in told
    assert typed.firmware.scores == [2, 0]


def test_a_game_that_is_won_by_buttons_is_said_to_be_won(typed: Typed) -> None:
    lines(typed, "Ann", "JS", words=(*TWO, "--target", "61"))
    typed.firmware.keeper.do((PEG, 1, 40, 0, 0))
    typed.firmware.keeper.do((PEG, 1, 40, 0, 0))
    told = answers(lines(typed, "new"))
    assert "On the board: Bob pegs 40: 40." in told
    assert "On the board: Bob pegs 40: 61." in told
    assert "Bob wins with 61. Ann has 2, skunked. Games won: Ann 0, Bob 1." in told
    assert "New game to 61: Ann deals first." in told


def test_what_was_pressed_is_taken_back_before_the_newest_card(typed: Typed) -> None:
    lines(typed, "Ann", "JS", "5C", words=TWO)
    typed.firmware.keeper.do((PEG, 1, 3, 0, 0))
    told = answers(lines(typed, "undo", "undo"))
    assert "Taken back: what happened on the board. Bob 0." in told
    assert "Taken back: Bob plays 5C: five." in told


def test_a_game_that_nothing_happened_in_begins_on_whatever_the_board_has(typed: Typed) -> None:
    lines(typed, words=TWO)
    typed.firmware.wipe()
    typed.firmware.keeper.do((PEG, 1, 3, 0, 0))
    assert "New game to 121: Ann deals first." in lines(typed, "Ann")
    assert typed.firmware.scores == [0, 0]


def test_a_new_game_on_the_board_ends_it_and_says_so(typed: Typed) -> None:
    lines(typed, "Ann", "JS", words=TWO)
    typed("new")
    gone_on = typed("play", given="")
    assert gone_on.stderr.endswith("The board has another game now, so the one that was left is put aside.\n")
    assert gone_on.stdout.splitlines()[0] == "A game to 121 between Ann and Bob."
    assert len(list(typed.table.folder.rglob("play.jsonl.before"))) == 1
    lines(typed, "Ann", "JS", words=("--new", *TWO))
    done: list[int] = []

    def hear(self: Any, seconds: float = 0.0, real: Any = desk_module.Session.hear) -> None:
        if self.referee.phase == "play" and not done:
            done.append(typed.firmware.keeper.do((NEW, 0, 91, 3 | 2 << 6 | 2 << 9, 61)))
        real(self, seconds)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(desk_module.Session, "hear", hear)
        told = lines(typed, "5C", "6C")
    assert told[-1] == "The board has another game now, so this one is put aside."


def test_a_board_with_another_score_offers_two_ways_out(typed: Typed) -> None:
    for word, scores in (("board", [5, 7]), ("mine", [2, 0])):
        lines(typed, "Ann", "JS", words=(*TWO, "--new"))
        typed.firmware.wipe()
        typed.firmware.keeper.do((NEW, 0, 91, 3 | 2 << 6 | 2 << 9, 61))
        typed.firmware.keeper.do((PEG, 0, 5, 0, 0))
        typed.firmware.keeper.do((PEG, 1, 7, 0, 0))
        told = lines(typed, "5C", "s", word, "5C")
        asked = "the board has Ann 5, Bob 7, this game has Ann 2, Bob 0; type board to go on with the board's score, or"
        assert sum(asked in line for line in told) > 1
        assert f"Ann {scores[0]}, Bob {scores[1]}; the game is to 121." in told
        assert typed.firmware.scores == scores
