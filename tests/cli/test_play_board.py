"""`cribboard play` and what happens on the board meanwhile."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from cli.at_play import TWO, answers, lines
from rigs.typed import Typed

from cribboard.cli import play_printer, play_session
from cribboard_core.events import DEAL, NEW, PEG, UNDO


@pytest.fixture
def typed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Typed:
    monkeypatch.setenv("CRIBBOARD_HOME", str(tmp_path))
    return Typed(tmp_path, monkeypatch)


def test_buttons_that_are_pressed_meanwhile_are_said(typed: Typed, monkeypatch: pytest.MonkeyPatch) -> None:
    presses = [(PEG, 1, 3, 0, 0), (UNDO, 0, 0, 3, 0)]

    def hear(self: Any, seconds: float = 0.0, real: Any = play_session.Session.hear) -> None:
        if presses and self.referee.phase == "play":
            typed.firmware.keeper.do(presses.pop(0))
        real(self, seconds)

    monkeypatch.setattr(play_session.Session, "hear", hear)
    replies = answers(lines(typed, "Ann", "JS", "5C", "6C", words=TWO))
    assert "On the board: Bob pegs 3, now at 3." in replies
    assert "On the board: undo. Ann 2, Bob 0." in replies
    assert typed.firmware.scores == [2, 0]


def test_a_game_that_is_won_by_buttons_is_said_to_be_won(typed: Typed) -> None:
    lines(typed, "Ann", "JS", words=(*TWO, "--target", "61"))
    typed.firmware.keeper.do((PEG, 1, 40, 0, 0))
    typed.firmware.keeper.do((PEG, 1, 40, 0, 0))
    replies = answers(lines(typed, "new"))
    assert "On the board: Bob pegs 40, now at 40." in replies
    assert "On the board: Bob pegs 40, now at 61." in replies
    assert "Bob wins with 61. Ann has 2, skunked. Games won: Ann 0, Bob 1." in replies
    assert "New game to 61: Ann deals first." in replies


def test_what_was_pressed_is_taken_back_before_the_newest_card(typed: Typed) -> None:
    lines(typed, "Ann", "JS", "5C", words=TWO)
    typed.firmware.keeper.do((PEG, 1, 3, 0, 0))
    replies = answers(lines(typed, "undo", "undo"))
    assert "Taken back: what happened on the board. Bob 0." in replies
    assert "Taken back: Bob plays 5C: five." in replies


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
    assert gone_on.stderr.endswith("The board has another game now, so the old one is set aside.\n")
    assert gone_on.stdout.splitlines()[0] == "A game to 121 between Ann and Bob."
    assert len(list(typed.table.folder.rglob("play.jsonl.before"))) == 1
    lines(typed, "Ann", "JS", words=("--new", *TWO))
    done: list[int] = []

    def hear(self: Any, seconds: float = 0.0, real: Any = play_session.Session.hear) -> None:
        if self.referee.phase == "play" and not done:
            done.append(typed.firmware.keeper.do((NEW, 0, 91, 3 | 2 << 6 | 2 << 9, 61)))
        real(self, seconds)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(play_session.Session, "hear", hear)
        output = lines(typed, "5C", "6C")
    assert output[-1] == "The board has another game now, so this one is set aside."


def test_a_board_with_another_score_offers_two_ways_out(typed: Typed) -> None:
    for word, scores in (("board", [5, 7]), ("mine", [2, 0])):
        lines(typed, "Ann", "JS", words=(*TWO, "--new"))
        typed.firmware.wipe()
        typed.firmware.keeper.do((NEW, 0, 91, 3 | 2 << 6 | 2 << 9, 61))
        typed.firmware.keeper.do((PEG, 0, 5, 0, 0))
        typed.firmware.keeper.do((PEG, 1, 7, 0, 0))
        output = lines(typed, "5C", "s", word, "5C")
        asked = "the board has Ann 5, Bob 7, this game has Ann 2, Bob 0; type board to keep the board's score, or"
        assert sum(asked in line for line in output) > 1
        assert f"Ann {scores[0]}, Bob {scores[1]}; the game is to 121." in output
        assert typed.firmware.scores == scores


NEW_GAME = (NEW, 0, 91, 3 | 2 << 6 | 2 << 9, 61)


def taken_back(typed: Typed) -> None:
    """Undo on the board itself."""
    last = typed.firmware.match.last()
    assert last is not None
    typed.firmware.keeper.do((UNDO, 0, 0, last[1] & 0xFFFF, 0))


def test_a_game_comes_back_when_a_new_one_was_pressed_by_accident(typed: Typed) -> None:
    lines(typed, "Ann", "JS", "5C", words=TWO)
    typed.firmware.keeper.do(NEW_GAME)
    assert "A game to 121 between Ann and Bob." in lines(typed)
    taken_back(typed)
    replies = answers(lines(typed, "TD"))
    assert replies[:3] == [
        "The game goes on.",
        "Last line: Bob plays 5C: five.",
        "The board has gone back to the previous game, and so does the referee.",
    ]
    assert (replies[-2], typed.firmware.scores) == ("Ann plays TD: fifteen for two. Ann 4.", [4, 0])


def test_a_game_comes_back_although_the_accident_was_played(typed: Typed) -> None:
    lines(typed, "Ann", "JS", "5C", words=TWO)
    typed.firmware.keeper.do(NEW_GAME)
    lines(typed, "Bob", "2S")
    taken_back(typed)
    assert "Ann plays TD: fifteen for two. Ann 4." in lines(typed, "TD")
    typed.firmware.keeper.do(NEW_GAME)  # and once more
    lines(typed)
    taken_back(typed)
    assert "Bob plays 5D: twenty." in lines(typed, "5D")


def test_a_game_comes_back_while_the_next_one_waits_for_its_cut(typed: Typed) -> None:
    lines(typed, "Ann", "JS", "5C", words=TWO)
    typed.firmware.keeper.do(NEW_GAME)
    waits = iter([True])

    def hear(self: Any, seconds: float = 0.0, real: Any = play_session.Session.hear) -> None:
        if self.referee.phase == "cut" and next(waits, False):
            taken_back(typed)
        real(self, seconds)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(play_session.Session, "hear", hear)
        output = lines(typed, "c", "", "TD", "s")
    assert "The board has gone back to the previous game, and so does the referee." in output
    assert "Ann 2, Bob 0; the game is to 121." in output


def test_a_game_that_was_set_up_stays_although_the_one_before_is_still_on_the_board(typed: Typed) -> None:
    lines(typed, "Ann", "set Ann 121", words=TWO)
    lines(typed, words=("Cleo", "Dev"))
    assert lines(typed)[0] == "A game to 121 between Cleo and Dev."


def test_a_deal_passed_on_by_a_button_is_said_once_with_what_to_do(typed: Typed) -> None:
    lines(typed, "Ann", "JS", "5C", words=TWO)
    typed.firmware.keeper.do((DEAL, 1, 0, 0, 0))
    output = lines(typed, "TD", "b")
    said = "The board shows Bob's crib, but it is Ann's. Press DEAL until it is right, or leave it until the next deal."
    assert [line.startswith(said) for line in output].count(True) == 1
    assert output[output.index("On the board: The deal passes to Bob.") + 1].startswith(said)
    assert "The crib is Ann's, although the board shows Bob's." in output
    typed.firmware.keeper.do((DEAL, 0, 0, 0, 0))
    assert "The crib is Ann's." in lines(typed, "b")


def test_deal_on_the_board_is_enter_when_the_next_deal_waits(typed: Typed) -> None:
    cards = ("5C", "TD 2", "5D", "6C", "4H 3", "go", "go", "7H", "8S 2", "9H 3")
    rules = ("-o", "counting=manual", "-o", "muggins=on")
    output = lines(typed, "Ann", "JS", *cards, "6", "5", "2C 3C AC KC", "7", words=(*TWO, *rules))
    assert output[-3] == "Press Enter for the next deal:"
    typed.firmware.keeper.do((DEAL, 1, 0, 0, 0))
    output = lines(typed)
    assert "Deal 2: Bob deals." in output
    assert not any(line.startswith("The board shows") for line in output)
    assert typed.firmware.match.dealer == 1


def test_presses_are_told_with_the_scores_that_each_of_them_left(typed: Typed) -> None:
    lines(typed, "Ann", "JS", words=TWO)
    for side, points in ((1, 3), (1, 4), (0, 5)):
        typed.firmware.keeper.do((PEG, side, points, 0, 0))
    taken_back(typed)
    output = lines(typed)
    assert output[2:6] == [
        "On the board: Bob pegs 3, now at 3.",
        "On the board: Bob pegs 4, now at 7.",
        "On the board: Ann pegs 5, now at 7.",
        "On the board: undo. Ann 2, Bob 7.",
    ]
    assert output[6] == "Ann 2, Bob 7; the game is to 121."


class Cable:
    """Lines that are typed at once; `unplug` and `plug` do that to the board before the next one."""

    seen = False

    def __init__(self, typed: Typed, *keyed: str) -> None:
        self.typed = typed
        self.keyed = list(keyed)

    def close(self) -> None:
        """There is no terminal."""

    def get(self, seconds: float) -> str | None:
        line = self.keyed.pop(0) if self.keyed else None
        if line == "unplug":
            self.typed.table.unplug()
        elif line == "plug":
            self.typed.table.plugged = True
        else:
            return line
        raise play_session.queue.Empty


def over_a_cable(typed: Typed, monkeypatch: pytest.MonkeyPatch, *keyed: str, words: tuple[str, ...] = ()) -> list[str]:
    monkeypatch.setattr(play_printer, "Lines", lambda stream: Cable(typed, *keyed))
    return lines(typed, words=words)


GONE = "The board on wire is gone; waiting for it to come back."
BACK = ["The board is back on wire.", "The board has caught up.", "Ann 4, Bob 0; the game is to 121."]


def test_a_board_that_goes_away_is_waited_for_and_gets_what_was_played_meanwhile(
    typed: Typed, monkeypatch: pytest.MonkeyPatch
) -> None:
    keyed = ("Ann", "JS", "5C", "unplug", "TD", "TC", "C", "undo", "plug", "TC", "quit")
    output = over_a_cable(typed, monkeypatch, *keyed, words=(*TWO, "--plain"))
    start = output.index(GONE)
    assert [line for line in output[start:] if not line.startswith(">")] == [
        GONE,
        "Ann to play. Count 5.",
        "Ann plays TD: fifteen for two. Ann 4.",
        "The board is away. Not on the board yet: Ann pegs 2. The game goes on when it is back.",
        "The board is away: plug it in, or type quit.",
        "The board is away, and what happened last waits for it; plug it in, or type quit.",
        "The board is away: plug it in, or type quit.",
        "The count is fifteen.",
        "The board is away: plug it in, or type quit.",
        "The board is away, and what happened last waits for it; plug it in, or type quit.",
        "The board is away: plug it in, or type quit.",
        *BACK,
        "Bob to play. Count 15.",
        "Bob plays TC: twenty-five, a pair for two. Bob 2.",
        "Ann to play. Count 25.",
        "The game is kept; `cribboard play` resumes it.",
    ]
    assert typed.firmware.scores == [4, 2]


def test_a_game_that_is_won_while_the_board_is_away_is_said_to_be_won_once_it_has_heard(
    typed: Typed, monkeypatch: pytest.MonkeyPatch
) -> None:
    keyed = ("Ann", "set Ann 60", "unplug", "set Ann 61", "S", "plug", "quit")
    output = over_a_cable(typed, monkeypatch, *keyed, words=(*TWO, "--target", "61"))
    won = [at for at, line in enumerate(output) if line.startswith("Ann wins with 61.")]
    assert len(won) == 1
    assert won[0] > output.index("The board has caught up.")


def test_a_card_that_pegs_nothing_needs_no_board(typed: Typed, monkeypatch: pytest.MonkeyPatch) -> None:
    output = over_a_cable(typed, monkeypatch, "Ann", "JS", "unplug", "5C", "9D", "plug", "2C", words=TWO)
    assert "Ann plays 9D: fourteen." in output
    assert not any("yet to hear" in line or "caught up" in line for line in output)


def test_what_waits_when_the_players_leave_is_pegged_when_they_come_back(
    typed: Typed, monkeypatch: pytest.MonkeyPatch
) -> None:
    output = over_a_cable(typed, monkeypatch, "Ann", "JS", "5C", "unplug", "TD", "quit", words=TWO)
    assert any("Not on the board yet: Ann pegs 2." in line for line in output)
    assert typed.firmware.scores == [2, 0]
    typed.table.plugged = True
    typed.table.notes.clear()
    output = over_a_cable(typed, monkeypatch, "S")
    assert "Ann 4, Bob 0; the game is to 121." in output
    assert typed.firmware.scores == [4, 0]
    assert typed.table.notes == []  # nothing that nobody has typed
