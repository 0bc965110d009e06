"""The results of an earlier program go into the history once, and nothing is lost in the middle."""

from __future__ import annotations

import json
from contextlib import closing, nullcontext
from pathlib import Path

import pytest
from store.house import Clock, Table

from cribboard.files import home, unused
from cribboard.store import Store, open_store, restore_backup
from cribboard.store import earlier as module

GAME = "e6614c311b4f2a2f:7:{}"


def line(*pairs: tuple[str, int], **more: object) -> dict[str, object]:
    return {"sides": [{"name": name, "score": score} for name, score in pairs], **more}


ANN = line(("Ann", 121), ("Bob", 88), target=121, skunk=91, double=61, game=GAME.format(1), when="2026-01-31T20:15:00Z")
CLEO = line(("Ann and Cleo", 60), ("Bob and Dev", 121), game=GAME.format(9), when="2026-01-31T21:15:00+00:00")


@pytest.fixture
def file() -> Path:
    home().mkdir(parents=True, exist_ok=True)
    return home() / "results.jsonl"


def write(file: Path, *entries: object) -> None:
    file.write_text("".join(f"{json.dumps(entry)}\n" for entry in entries), encoding="utf-8")


@pytest.fixture
def clock() -> Clock:
    return Clock()


def opened(clock: Clock) -> Store:
    return open_store(clock=clock)


def results(store: Store) -> list[tuple[tuple[str, ...], tuple[int, ...]]]:
    return [(result.names, result.scores) for result in store.results()]


BOTH = [(("Ann", "Bob"), (121, 88)), (("Ann and Cleo", "Bob and Dev"), (60, 121))]


def test_earlier_results_are_taken_over_and_the_file_is_kept_under_another_name(file: Path, clock: Clock) -> None:
    write(file, ANN, CLEO)
    before = file.read_bytes()
    with closing(opened(clock)) as store:
        aside = file.with_name("results.jsonl.taken-over")
        assert store.notices == (f"the games of {file} are in the history now, and that file is {aside}",)
        assert results(store) == BOTH
        assert {row.name: row.won for row in store.leaderboard()} == {"Ann": 1, "Bob": 1, "Dev": 1, "Cleo": 0}
        first = store.games()[-1]
        assert (first.state, first.whole, first.ended and first.ended.hour) == ("won", False, 20)
    assert aside.read_bytes() == before
    assert not file.exists()
    with closing(opened(clock)) as store:
        assert store.notices == ()
        assert results(store) == BOTH


def test_the_last_line_about_a_game_counts_and_a_torn_one_is_passed_over(file: Path, clock: Clock) -> None:
    void = {"game": GAME.format(9), "void": True}
    write(file, CLEO, ANN, {**ANN, "sides": line(("Ann", 121), ("Bob", 90))["sides"]}, void)
    with file.open("ab") as torn:
        torn.write(b'{"sides":[{"na')
    with closing(opened(clock)) as store:
        assert results(store) == [(("Ann", "Bob"), (121, 90))]


def test_games_without_a_number_count_each_time(file: Path, clock: Clock) -> None:
    plain = line(("Ann", 121), ("Bob", 3))
    write(file, plain, plain, {**plain, "game": "by hand"})
    with closing(opened(clock)) as store:
        assert len(results(store)) == 3


def test_cut_off_before_the_file_was_renamed_nothing_is_taken_twice(
    file: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(file, ANN, CLEO, line(("Ann", 121), ("Bob", 3)))
    with monkeypatch.context() as patched:
        patched.setattr(module, "unused", lambda path: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            opened(clock)
    clock.go(days=1)
    with closing(opened(clock)) as store:
        assert len(results(store)) == 3
        assert len(store.games()) == 3
    assert not file.exists()


def test_cut_off_while_it_is_written_nothing_is_there_and_the_file_stays(
    file: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(file, ANN, CLEO)
    with monkeypatch.context() as patched:
        patched.setattr("cribboard.store.games.Games.add_up", lambda *_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            opened(clock)
    assert file.exists()
    with closing(opened(clock)) as store:
        assert results(store) == BOTH


def test_two_programs_that_take_them_over_at_once_say_it_once(
    file: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(file, ANN, CLEO)

    def quicker(path: Path) -> Path:
        monkeypatch.setattr(module, "unused", unused)
        opened(clock).close()
        return unused(path)

    monkeypatch.setattr(module, "unused", quicker)
    monkeypatch.setattr("cribboard.store.opening.alone", lambda path: nullcontext())  # as with a server
    with closing(opened(clock)) as store:
        assert store.notices == ()
        assert results(store) == BOTH
    assert not file.exists()


def test_what_is_no_result_is_named_and_stays_in_the_file(file: Path, clock: Clock) -> None:
    write(
        file,
        ANN,
        {"sides": 3},
        line(("A" * 30, 121), ("Bob", 3)),
        line(("Ann", 121), ("Bob", 3), skunk=200, target=121),
    )
    with closing(opened(clock)) as store:
        (said,) = store.notices
        assert results(store) == BOTH[:1]
    assert "it has what is no result: line 2, " in said
    assert "line 3, the name" in said
    assert "line 4, skunk line 200" in said


def test_a_file_that_cannot_be_read_or_renamed_is_named_and_the_history_opens(
    file: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    file.mkdir()
    with closing(opened(clock)) as store:
        assert "the earlier results are not in the history yet" in store.notices[0]
    file.rmdir()
    write(file, ANN)
    with monkeypatch.context() as patched:
        patched.setattr(Path, "rename", lambda *_: (_ for _ in ()).throw(OSError(30, "Read-only file system")))
        with closing(opened(clock)) as store:
            assert "cannot be renamed (Read-only file system): remove it" in store.notices[0]
            assert len(results(store)) == 1


def test_a_second_file_gets_a_name_of_its_own(file: Path, clock: Clock) -> None:
    for entry in (ANN, CLEO):
        write(file, entry)
        opened(clock).close()
    assert sorted(path.name for path in file.parent.glob("results.jsonl*")) == [
        "results.jsonl.taken-over",
        "results.jsonl.taken-over-2",
    ]
    with closing(opened(clock)) as store:
        assert results(store) == BOTH


def test_only_this_hosts_own_history_takes_them(file: Path, clock: Clock, folder: Path) -> None:
    write(file, ANN)
    with closing(open_store(f"sqlite:///{folder}/other.db", clock=clock)) as store:
        assert store.games() == []
    assert file.exists()


@pytest.mark.parametrize("begun", [True, False])
def test_a_game_that_is_here_without_its_end_is_won_and_the_rest_may_still_come(
    file: Path, clock: Clock, begun: bool
) -> None:
    table = Table()
    number = table.new() if begun else 0
    table.do("set", 1, 88, 0)
    with closing(opened(clock)) as store:
        table.store = store
        table.tell()
        assert [game.state for game in store.games()] == ["open"]
    table.store = None
    write(file, {**ANN, "game": GAME.format(number)})
    with closing(opened(clock)) as store:
        assert results(store) == BOTH[:1]
        assert not store.games()[0].whole
        table.do("set", 0, 60, 50)
        table.do("set", 0, 121, 100)
        table.store = store
        table.tell()
        assert results(store) == BOTH[:1]
        (game,) = store.games()
        replay = store.game(game.id)
    assert game.whole
    assert replay is not None
    assert [event.fronts for event in replay.events] == [(0, 0)] * begun + [(0, 88), (60, 88), (121, 88)]


def test_a_game_that_the_history_has_whole_stays_so(file: Path, clock: Clock) -> None:
    with closing(opened(clock)) as store:
        table = Table(store)
        table.do("set", 1, 88, 0)
        table.do("set", 0, 121, 100)
        before = store.export_json()
    write(file, {**ANN, "game": GAME.format(0)})
    with closing(opened(clock)) as store:
        assert store.export_json() == before
        assert results(store) == BOTH[:1]


def test_a_restored_backup_takes_them_over(file: Path, clock: Clock, folder: Path) -> None:
    with closing(opened(clock)) as store:
        store.backup(folder / "backup.db")
    write(file, ANN)
    restore_backup(folder / "backup.db", clock=clock)
    with closing(opened(clock)) as store:
        assert results(store) == BOTH[:1]


def test_a_game_that_the_board_still_keeps_gets_its_events_and_counts_once(file: Path, clock: Clock) -> None:
    table = Table()
    number = table.new()
    table.do("set", 1, 88, 0)
    table.do("set", 0, 121, 100)
    write(file, {**ANN, "game": GAME.format(number)})
    with closing(opened(clock)) as store:
        clock.go(days=1)
        table.store = store
        table.tell()
        assert results(store) == BOTH[:1]
        (game,) = store.games()
        replay = store.game(game.id)
    assert game.whole
    assert replay is not None
    assert [event.fronts for event in replay.events] == [(0, 0), (0, 88), (121, 88)]


def test_a_house_that_imports_them_has_them_too(file: Path, clock: Clock, folder: Path) -> None:
    write(file, ANN, CLEO)
    with (
        closing(opened(clock)) as store,
        closing(open_store(f"sqlite:///{folder}/other.db", clock=clock)) as other,
    ):
        other.import_json(store.export_json())
        assert results(other) == BOTH
        assert other.export_json() == store.export_json()


@pytest.mark.parametrize("called", [("Orange", "Blue"), ("Red", "Orange")])
def test_who_had_no_name_stays_a_guest(file: Path, clock: Clock, called: tuple[str, str]) -> None:
    write(file, line((called[0], 121), (called[1], 3)))
    with closing(opened(clock)) as store:
        assert results(store) == [(("Orange", "Blue"), (121, 3))]
        assert store.players() == []
