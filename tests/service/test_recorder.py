"""Games won at home go into the history: each once, whatever happens to the board and to the disk."""

from __future__ import annotations

import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from rigs.typed import Typed

from cribboard.files import home
from cribboard.service import recorder
from cribboard.store import open_store
from cribboard_core.events import NEW, PEG, SET

AGAIN = (NEW, 1, 0, 3 | 2 << 6 | 2 << 9, 0)  # as the set-up at the buttons begins a game


@pytest.fixture
def typed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Typed:
    return Typed(tmp_path, monkeypatch)


def kept() -> list[tuple[tuple[str, ...], tuple[int, ...]]]:
    with closing(open_store()) as store:
        return [(result.names, result.scores) for result in store.results()]


def refuse(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing may open the history from here on."""
    monkeypatch.setattr(recorder, "history", None)


def test_a_win_is_recorded_once_with_every_event(typed: Typed) -> None:
    typed("new", "Ann", "Bob")
    typed("set-score", "Bob", "88")
    assert kept() == []
    typed("set-score", "Ann", "121")
    typed("state")
    typed("new")
    assert kept() == [(("Ann", "Bob"), (121, 88))]
    with closing(open_store()) as store:
        (game,) = store.games()
        replay = store.game(game.id)
    assert game.whole
    assert replay is not None
    assert [event.kind for event in replay.events] == ["new", "set", "set"]


def test_a_win_undone_is_no_result_and_one_redone_is_again(typed: Typed) -> None:
    typed("new", "Ann", "Bob")
    typed("set-score", "Ann", "121")
    typed("undo")
    assert kept() == []
    typed("redo")
    assert kept() == [(("Ann", "Bob"), (121, 0))]


def test_a_win_that_buttons_took_back_is_no_result_after_the_next_command(typed: Typed) -> None:
    typed("new", "Ann", "Bob")
    typed("set-score", "Ann", "121")
    typed.firmware.keeper.do(typed.firmware.match.undo_event())
    typed("state")
    assert kept() == []


def test_a_win_that_buttons_have_given_another_score_is_recorded_with_that(typed: Typed) -> None:
    typed("new", "Ann", "Bob")
    typed("set-score", "Ann", "121")
    for event in (typed.firmware.match.undo_event(), (SET, 1, 90, 0, 0), (SET, 0, 121, 0, 0)):
        typed.firmware.keeper.do(event)
    typed("state")
    assert kept() == [(("Ann", "Bob"), (121, 90))]


def test_a_win_that_buttons_followed_by_a_new_game_is_recorded_too(typed: Typed) -> None:
    typed("new", "Ann", "Bob")
    for _ in range(3):
        typed.firmware.keeper.do((PEG, 0, 46, 0, 0))
    typed.firmware.keeper.do(AGAIN)
    typed("state")
    assert kept() == [(("Orange", "Blue"), (121, 0))]  # only the game that is on has its names on this computer


def test_a_win_that_buttons_took_back_before_a_new_game_is_no_result(typed: Typed) -> None:
    typed("new", "Ann", "Bob")
    typed("set-score", "Ann", "121")
    typed.firmware.keeper.do(typed.firmware.match.undo_event())
    typed.firmware.keeper.do(AGAIN)
    typed("state")
    assert kept() == []


def test_a_false_claim_of_game_is_no_win(typed: Typed) -> None:
    typed("new", "Ann", "Bob")
    typed("set-score", "Ann", "121")
    typed("false-claim", "Ann", "110")
    assert kept() == []


def test_each_game_of_an_evening_counts(typed: Typed) -> None:
    for winner in ("Ann", "Bob", "Ann"):
        typed("new", "Ann", "Bob")
        typed("set-score", winner, "121")
    assert [names[scores.index(121)] for names, scores in kept()] == ["Ann", "Bob", "Ann"]


def test_who_has_no_name_is_called_by_a_colour(typed: Typed) -> None:
    typed.firmware.keeper.do((SET, 1, 121, 0, 0))
    typed("state")
    assert kept() == [(("Orange", "Blue"), (0, 121))]


def test_partners_are_called_as_on_the_board(typed: Typed) -> None:
    typed.play(4)
    typed("new", "Ann", "Bob", "Cleo", "Dev", "--teams", "2")
    typed("set-score", "Ann", "121")
    assert kept() == [(("Ann and Cleo", "Bob and Dev"), (121, 0))]


def test_a_game_that_buttons_have_won_is_recorded_at_the_next_command(typed: Typed) -> None:
    typed("new", "Ann", "Bob")
    for _ in range(3):
        typed.firmware.keeper.do((PEG, 0, 46, 0, 0))
    typed("state")
    assert kept() == [(("Ann", "Bob"), (121, 0))]


def test_a_won_game_that_was_given_back_to_a_board_counts_once(typed: Typed) -> None:
    typed("new", "Ann", "Bob")
    typed("set-score", "Ann", "121")
    typed.firmware.wipe()
    typed("state")
    assert typed.firmware.match.winner == 0
    assert len(kept()) == 1


def test_a_win_is_told_although_it_cannot_be_recorded_and_is_recorded_later(typed: Typed) -> None:
    typed("new", "Ann", "Bob")
    (home() / "kiosk.db").mkdir(parents=True)
    for words in (("set-score", "Ann", "121"), ("state",)):
        result = typed(*words)
        assert "Ann wins with 121" in result.stdout
        assert "the game counts on the board, but is not in the history" in result.stderr
    (home() / "kiosk.db").rmdir()
    typed("state")
    assert kept() == [(("Ann", "Bob"), (121, 0))]


def test_the_history_is_opened_only_when_there_is_something_for_it(
    typed: Typed, monkeypatch: pytest.MonkeyPatch
) -> None:
    typed("new", "Ann", "Bob")
    typed("set-score", "Ann", "121")
    refuse(monkeypatch)
    typed("state")
    typed("new")
    typed("peg", "Ann", "5")
    typed("undo")


def test_a_command_that_wins_no_game_does_not_import_the_library_of_the_history() -> None:
    code = (
        "import sys, cribboard.cli.main, cribboard.cli.peg, cribboard.cli.play, cribboard.connect; print(*sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not {"sqlalchemy", "alembic", "cribboard.store"} & set(done.stdout.split())


def test_a_database_named_by_the_environment_has_the_games(
    typed: Typed, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("CRIBBOARD_DATABASE", f"sqlite:///{tmp_path}/pub.db")
    typed("new", "Ann", "Bob")
    typed("set-score", "Ann", "121")
    assert "Ann" in typed.says("sheet")
    assert (tmp_path / "pub.db").exists()
    assert not (home() / "kiosk.db").exists()


def test_sheet_adds_up_the_history(typed: Typed) -> None:
    typed("new", "Ann", "Bob")
    typed("set-score", "Bob", "121")
    typed("undo")
    typed("new", "Ann", "Bob")
    typed("set-score", "Ann", "121")
    assert typed.says("sheet").splitlines()[1].split() == ["1", "Ann", "1", "3", "1", "1", "+121"]


def test_a_game_that_is_discounted_is_no_result_but_the_next_one_is(typed: Typed) -> None:
    for counts in (False, True):
        typed("new", "Ann", "Bob")
        if not counts:
            with typed.table.board() as board:
                recorder.discount(board, print)
        typed("set-score", "Ann", "121")
    assert len(kept()) == 1


def test_a_game_that_staff_withdrew_is_no_result(typed: Typed) -> None:
    typed("new", "Ann", "Bob")
    typed("set-score", "Ann", "121")
    with closing(open_store()) as store:
        store.withdraw(store.games()[0].id)
        assert store.results() == []
