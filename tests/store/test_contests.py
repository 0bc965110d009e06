"""Nights and seasons in the history: their acts, who is in them, their sums; corrections and copies reach them."""

from __future__ import annotations

import json
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from threading import Barrier, Event, Thread

import pytest
from sqlalchemy import Connection, text
from sqlalchemy.event import listen, remove
from store.house import Clock, Table

from cribboard.errors import ArgumentError
from cribboard.league.acts import BOARD, PHONE, Act
from cribboard.league.rules import preset
from cribboard.store import Store, open_store
from cribboard.store.contests import SEASON, Contest, Night
from cribboard.store.database import Database, located
from cribboard.store.errors import StoreError
from cribboard.store.report import Report
from cribboard.store.statistics import OnNights

CLUB = Contest(name="Tuesday", rules=json.dumps(dict(preset("club").rules)), preset="club", rounds=3, boards=(1,))


def begun(store: Store, *names: str) -> int:
    return store.begin_contest(CLUB, names or ("Ann", "Bob", "Cid"))


def say(store: Store, night: int, **act: object) -> Night:
    return store.act(night, lambda _, __: [Act(number=0, **act)])  # type: ignore[arg-type]


def paired(store: Store, night: int, home: int = 1, away: int = 2) -> int:
    """The number of a match of two."""
    contest = say(store, night, kind="match", round=1, table=1, home=home, away=away)
    return contest.acts[-1].number


def test_a_night_is_its_acts_numbered_in_the_order_in_which_they_are_written(store: Store) -> None:
    night = begun(store)
    contest = store.contest(night)
    assert [act.kind for act in contest.acts] == ["open", "enter", "enter", "enter"]
    assert [act.number for act in contest.acts] == [1, 2, 3, 4]
    assert list(contest.names.values()) == ["Ann", "Bob", "Cid"]
    assert (store.running_contest(), store.newest_contest(), contest.rules.game.skunk) == (night, night, 300)


def test_what_a_device_sends_twice_is_written_once(store: Store) -> None:
    night = begun(store)
    for _ in range(2):
        contest = say(store, night, kind="note", who="phone 1", key="k1", text="hello")
    assert [act.text for act in contest.acts].count("hello") == 1
    assert [act.text for act in say(store, night, kind="note", who="phone 2", key="k1").acts].count("hello") == 1


def test_two_devices_in_the_same_moment_are_both_written(store: Store) -> None:
    night, gate = begun(store), Barrier(2)
    match = paired(store, night)

    def report(who: str, side: int) -> None:
        gate.wait()
        say(store, night, kind="report", source=PHONE, who=who, match=match, side=side, score=121, other_score=90)

    threads = [Thread(target=report, args=each) for each in (("phone 1", 0), ("phone 2", 1))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert store.contest(night).state.matches[match].legs[1].state == "agreed"


def test_an_act_is_decided_upon_while_nobody_else_can_write(store: Store) -> None:
    night = begun(store)

    def refuse(contest: Night, state: object) -> list[Act]:
        raise ArgumentError("no")

    with pytest.raises(ArgumentError):
        store.act(night, refuse)
    assert len(store.contest(night).acts) == 4


@pytest.mark.parametrize("name", ["Ann", "ann ", "x" * 70, "", "<b>\u202e", "7"])
def test_a_name_that_cannot_be_is_refused_and_nothing_is_begun(store: Store, name: str) -> None:
    with pytest.raises(ArgumentError):
        begun(store, "Ann", name)
    assert store.running_contest() is None and store.players() == []


def test_who_comes_late_is_entered(store: Store) -> None:
    night = begun(store)
    contest = store.enter(night, "Dee", Act(number=0, kind="enter", round=2))
    assert contest.names[4] == "Dee" and contest.state.entrants[4].since == 2
    with pytest.raises(ArgumentError, match="on the list already"):
        store.enter(night, "DEE", Act(number=0, kind="enter"))


def test_over_midnight_and_with_a_clock_set_back_a_night_goes_by_number(tmp_path: Path) -> None:
    """Acts have the times that the clock said; what counts is their order."""
    times = [datetime(2026, 1, 1, 23, 50, tzinfo=UTC)]
    with closing(open_store(f"sqlite:///{tmp_path}/kiosk.db", clock=lambda: times[-1])) as store:
        night = begun(store)
        match = paired(store, night)
        times.append(datetime(2026, 1, 2, 0, 10, tzinfo=UTC))
        say(store, night, kind="settle", match=match, score=121, other_score=90)
        times.append(datetime(2026, 1, 1, 21, 0, tzinfo=UTC))
        say(store, night, kind="settle", match=match, score=100, other_score=121)
        contest = say(store, night, kind="close")
        assert contest.times[contest.acts[-2].number] < contest.times[contest.acts[-3].number]
        assert contest.state.matches[match].legs[1].scores == (100, 121)
        assert store.running_contest() is None
        assert [(row.who, row.points) for row in contest.standings if row.points] == [(2, 200)]


def test_a_full_disk_writes_nothing_and_what_comes_again_counts_once(tmp_path: Path) -> None:
    with closing(open_store(f"sqlite:///{tmp_path}/kiosk.db")) as store:
        night = begun(store)
        match = paired(store, night)
        full = Event()

        def limit(connection: Connection) -> None:
            pages = connection.exec_driver_sql("PRAGMA page_count").scalar() if full.is_set() else 1_000_000
            connection.exec_driver_sql(f"PRAGMA max_page_count = {pages}")

        listen(store._database.engine, "begin", limit)
        full.set()
        before = store.contest(night)
        many = [Act(number=0, kind="note", text="x" * 190, who="phone 1", key=f"k{at}") for at in range(200)]
        with pytest.raises(StoreError, match="room"):
            store.act(night, lambda _, __: [Act(number=0, kind="settle", match=match, score=121, other_score=9), *many])
        assert store.contest(night).acts == before.acts
        assert not store.contest(night).state.matches[match].legs
        full.clear()

        def fails(connection: Connection) -> None:
            raise StoreError("no room for the end of it")

        listen(store._database.engine, "commit", fails)
        with pytest.raises(StoreError):
            say(store, night, kind="settle", match=match, score=121, other_score=9)
        remove(store._database.engine, "commit", fails)
        assert store.contest(night).acts == before.acts
        for _ in range(2):
            assert len(store.act(night, lambda _, __: many).acts) == len(before.acts) + len(many)


def test_a_closed_night_has_sums_until_it_is_reopened(store: Store) -> None:
    season = store.begin_contest(Contest(kind=SEASON, name="Winter", rules='{"best": 2}'))
    night = begun(store)
    store.set_season(night, season)
    match = paired(store, night)
    say(store, night, kind="settle", match=match, score=121, other_score=60)
    assert store.season(season).rows == []
    assert store.on_nights() == {}
    assert say(store, night, kind="close").contest.closed is not None
    played = store.on_nights()
    assert [played[player] for player, name in store.players() if name in ("Ann", "Bob")] == [
        OnNights(1, 1, 1),
        OnNights(1, 1, 0),
    ]
    standings = store.season(season)
    assert next((standings.names[row.who], row.points, row.place) for row in standings.rows) == ("Ann", 300, 1)
    assert store.running_contest() is None
    say(store, night, kind="settle", match=match, score=60, other_score=121)  # a correction of a closed night
    standings = store.season(season)
    assert next(standings.names[row.who] for row in standings.rows) == "Bob"
    assert say(store, night, kind="reopen", text="a slip").contest.closed is None
    assert store.season(season).rows == []
    assert store.on_nights() == {}
    with pytest.raises(ArgumentError, match="no season"):
        store.set_season(night, night)
    with pytest.raises(ArgumentError, match="is a season, no night"):
        store.contest(season)
    with pytest.raises(ArgumentError, match="is a night"):
        store.season(night)


def test_a_season_has_the_places_of_its_nights(store: Store) -> None:
    rules = '{"award": [5, 4, 3, 2, 1], "order": ["points", "nights_won"]}'
    season = store.begin_contest(Contest(kind=SEASON, name="Winter", rules=rules))
    night = begun(store, "Ann", "Bob", "Cid", "Dee", "Eve", "Late")
    store.set_season(night, season)
    # by points Ann and Cid are equal, by what they won by they are not; Eve and Dee are; Late is not placed
    for home, away, score in ((1, 2, 91), (3, 4, 111), (5, 2, 111)):
        say(store, night, kind="settle", match=paired(store, night, home, away), score=121, other_score=score)
    say(store, night, kind="adjust", entrant=4, points=-100, text="was late")

    def rows() -> list[tuple[str, int, int, int, int]]:
        table = store.season(season)
        return [(table.names[row.who], row.place, row.points, row.nights_won, row.nights) for row in table.rows]

    say(store, night, kind="close")
    assert rows() == [
        ("Ann", 1, 500, 1, 1),
        ("Cid", 2, 350, 0, 1),
        ("Eve", 2, 350, 0, 1),
        ("Bob", 4, 200, 0, 1),
        ("Dee", 5, 100, 0, 1),
        ("Late", 6, 0, 0, 1),
    ]
    people = {name: number for number, name in store.players()}
    for name in ("Ann", "Cid"):
        store.erase(people[name])
    assert rows() == [("Eve", 1, 350, 0, 1), ("Bob", 2, 200, 0, 1), ("Dee", 3, 100, 0, 1), ("Late", 4, 0, 0, 1)]


def test_a_night_without_a_game_is_dismissed(store: Store) -> None:
    night = begun(store)
    match = paired(store, night)
    say(store, night, kind="settle", match=match, score=121, other_score=60)
    with pytest.raises(ArgumentError, match="games were played"):
        store.dismiss_contest(night)
    other = begun(store)
    store.dismiss_contest(other)
    assert store.newest_contest() == night
    with pytest.raises(ArgumentError, match="no night and no season"):
        store.contest(other)


def test_a_game_of_the_history_is_read_there(store: Store, table: Table) -> None:
    night = begun(store)
    match, after = paired(store, night), store.last_game()
    table.names = {0: "Bob", 1: "Ann"}
    table.win(0, 90)
    players = store.contest(night).players
    ((game, side),) = store.board_games(table.uid, after, 121, [[players[1]], [players[2]]])
    assert side == 1
    contest = say(store, night, kind="report", source=BOARD, match=match, game=game, side=side)
    leg = contest.state.matches[match].legs[1]
    assert leg.state == "agreed" and leg.scores is not None and leg.scores[1] == 121
    store.withdraw(game)
    assert store.contest(night).state.matches[match].legs[1].state == "open"
    assert store.board_games(table.uid, game, 121, [[players[1]], [players[2]]]) == []


def test_a_season_follows_a_game_that_changes_after_its_night(store: Store, table: Table) -> None:
    season = store.begin_contest(Contest(kind=SEASON, name="Winter", rules="{}"))
    night = begun(store, "Ann", "Bob")
    store.set_season(night, season)
    match = paired(store, night)
    table.names = {0: "Ann", 1: "Bob"}
    table.new()
    pegged = [table.press(1, 25) for _ in range(4)]
    table.do("set", 0, 121, 100)
    players = store.contest(night).players
    ((game, side),) = store.board_games(table.uid, 0, 121, [[players[1]], [players[2]]])
    say(store, night, kind="report", source=BOARD, match=match, game=game, side=side)
    closed = say(store, night, kind="close").contest.closed

    def points() -> int:
        assert store.contest(night).contest.closed == closed
        return store.season(season).rows[0].points

    assert points() == 200
    for withdrawn in (True, False):
        store.withdraw(game, withdrawn=withdrawn)
        assert points() == (0 if withdrawn else 200)
    table.undo()
    assert points() == 0
    table.redo()
    assert points() == 200
    table.new()
    store.correct(game, pegged[0].rev, 25, 5)
    assert points() == 300  # a skunk


@pytest.mark.parametrize("later", [False, True])
@pytest.mark.parametrize("imported", [False, True])
def test_a_night_keeps_the_game_that_it_was_told_of_when_that_turns_out_to_be_two(
    store: Store, table: Table, clock: Clock, folder: Path, later: bool, imported: bool
) -> None:
    """The night has the first of them, or the later one, whose beginning was not heard."""
    night = begun(store, "Ann", "Bob")
    match = paired(store, night)

    def report() -> None:
        say(store, night, kind="report", source=BOARD, match=match, game=store.games()[0].id, side=0)

    table.win(0, 90)
    if not later:
        report()
    clock.go(minutes=1)
    table.begin(3)
    table.store = None
    table.new()
    (begin,) = table.away()
    clock.go(minutes=1)
    table.store = store
    table.do("set", 1, 121, 0)
    assert len(store.games()) == 1
    if later:
        clock.go(minutes=1)
        report()
        say(store, night, kind="close")
    assert store.contest(night).state.matches[match].legs[1].scores == (0, 121)  # as if it were one
    nights = json.loads(joined := store.export_json())["contests"]
    with closing(open_store(f"sqlite:///{folder}/there.db", clock=clock)) as there:
        if imported:
            there.import_json(joined)
        here = there if imported else store
        clock.go(minutes=1)
        here.keep(Report(table.uid, 3, [begin], table.standing, table.names))
        newer, older = here.games()
        contest = here.contest(next(iter(here.contests())).id)
        assert contest.acts[-2 if later else -1].game == (newer if later else older).id
        assert contest.state.matches[match].legs[1].scores == ((0, 121) if later else (121, 90))
        with closing(open_store(f"sqlite:///{folder}/third.db", clock=clock)) as third:
            third.import_json(json.dumps(json.loads(here.export_json()) | {"contests": nights}))
            again = third.contest(next(iter(third.contests())).id)
            assert again.state.matches[match].legs[1].scores == contest.state.matches[match].legs[1].scores


def test_renaming_merging_and_erasing_reach_nights(store: Store) -> None:
    night = begun(store, "Ann", "Bob", "Cid")
    say(store, night, kind="note", text="Bob has paid", who="phone 3")
    ids = {name: number for number, name in store.players()}
    store.rename(ids["Ann"], "Anna")
    day = datetime(2026, 3, 2, 20, 0, tzinfo=UTC).astimezone()
    with pytest.raises(ArgumentError, match=f"both in the night of {day.day} March 2026"):
        store.merge(ids["Ann"], ids["Bob"])
    other = begun(store, "Robert", "Dee")
    again = {name: number for number, name in store.players()}
    store.merge(ids["Cid"], again["Robert"])
    store.erase(ids["Bob"])
    contest = store.contest(night)
    assert list(contest.names.values()) == ["Anna", "a guest", "Cid"]
    assert store.contest(other).names[1] == "Cid"
    assert "Bob" not in store.export_json()


def test_an_export_brings_nights_to_another_house_once(store: Store, table: Table, tmp_path_factory) -> None:  # type: ignore[no-untyped-def]
    season = store.begin_contest(Contest(kind=SEASON, name="Winter", rules="{}"))
    night = begun(store)
    store.set_season(night, season)
    match = paired(store, night)
    table.win(0, 90)
    players = store.contest(night).players
    ((game, side),) = store.board_games(table.uid, 0, 121, [[players[1]], [players[2]]])
    say(store, night, kind="report", source=BOARD, match=match, game=game, side=side)
    say(store, night, kind="close")
    text_of = store.export_json()
    there = open_store(f"sqlite:///{tmp_path_factory.mktemp('there')}/kiosk.db")
    for _ in range(2):
        there.import_json(text_of)
    ((here,),) = [list(there.contests())]
    contest = there.contest(here.id)
    assert contest.state.standings(contest.rules) == store.contest(night).state.standings(CLUB.read)
    assert list(contest.names.values()) == ["Ann", "Bob", "Cid"]
    ((winter,),) = [there.contests(SEASON)]
    assert next(there.season(winter.id).names[row.who] for row in there.season(winter.id).rows) in ("Ann", "Bob")
    assert there.export_json().partition('"contests"')[2] == text_of.partition('"contests"')[2]
    there.close()


def test_an_imported_night_goes_on_and_is_not_the_newest(store: Store, clock: Clock, folder: Path) -> None:
    """Exported while it is on, and again when it is closed: what has happened since comes; not to one that differs."""
    season = store.begin_contest(Contest(kind=SEASON, name="Winter", rules="{}"))
    night = begun(store)
    match = paired(store, night)
    early = store.export_json()
    clock.go(hours=1)
    there = open_store(f"sqlite:///{folder}/there.db", clock=clock, zone=UTC)
    own = begun(there, "Zed", "Yan")
    assert there.import_json(early).nights == 1
    assert there.running_contest() == there.newest_contest() == own
    assert next(each.id for each in there.contests()) == own
    store.enter(night, "Dee", Act(number=0, kind="enter"))
    say(store, night, kind="settle", match=match, score=121, other_score=60)
    store.set_season(night, season)
    say(store, night, kind="close")
    text_of = store.export_json()
    assert [there.import_json(text_of).nights for _ in range(2)] == [1, 0]
    (brought,) = (each for each in there.contests() if each.id != own)
    assert list(there.contest(brought.id).names.values()) == ["Ann", "Bob", "Cid", "Dee"]
    (winter,) = there.contests(SEASON)
    assert next(there.season(winter.id).names[row.who] for row in there.season(winter.id).rows) == "Ann"
    clock.go(hours=1)
    for house, text_here in ((store, "here"), (there, "there")):
        say(house, night if house is store else brought.id, kind="reopen", text=text_here)
        clock.go(hours=1)
    assert there.import_json(store.export_json()).nights == 0
    assert there.contest(brought.id).acts[-1].text == "there"
    there.close()


@pytest.mark.parametrize(
    ("change", "to"),
    [
        ("kind", "golf"), ("kind", "season"), ("uid", "x"), ("uid", ""), ("name", "x" * 71), ("rounds", -1),
        ("rules", {"golf": 1}), ("people", [[1, "Ann"], [1, "Bob"]]), ("people", [[1, "x" * 30]]),
        ("acts", [[2, {}]]), ("boards", ["x"]),
        ("acts", [[1, {"kind": "open", "source": "staff", "at": 1}]] * 2),
        ("acts", [[1, {"kind": "golf", "source": "staff", "at": 1}]]), ("began", None), ("season", 7),
        ("acts", [[1, {"kind": "open", "source": "staff", "at": 1, "points": float("inf")}]]),
        ("acts", [[1, {"kind": "open", "source": "staff", "at": 1, "game": 7}]]),
    ],
)  # fmt: skip
def test_a_file_that_no_kiosk_has_written_is_refused(folder, change, to) -> None:  # type: ignore[no-untyped-def]
    store = open_store(f"sqlite:///{folder}/kiosk.db")
    begun(store)
    export = json.loads(store.export_json())
    export["contests"][0] |= {"uid": "ab" * 16, change: to}
    with pytest.raises(ArgumentError, match="not an exported history"):
        store.import_json(json.dumps(export))
    assert len(store.contests()) == 1
    store.close()


def test_a_history_of_before_contests_is_migrated(url: str) -> None:
    from alembic import command

    from cribboard.store.migrate import config

    database = Database(located(url))
    with database.writing() as connection:
        command.upgrade(config(connection), "0007")
        connection.execute(text("INSERT INTO players (name, since) VALUES ('Ann', 0)"))
    database.close()
    store = open_store(url)
    assert [name for _, name in store.players()] == ["Ann"]
    assert store.contest(begun(store, "Bob")).names == {1: "Bob"}
    store.close()
