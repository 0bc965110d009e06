"""The history is carried elsewhere: whole, once, or not at all."""

from __future__ import annotations

import csv
import io
import json
import random
import sqlite3
import threading
from contextlib import closing, suppress
from copy import deepcopy
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from rigs import hostile
from store.house import UID, Clock, Table, joined
from store.test_any_order import act

from cribboard.errors import ArgumentError
from cribboard.league.acts import Act
from cribboard.matches import cell
from cribboard.store import Store, StoreError, open_store
from cribboard.store.contests import Contest
from cribboard.store.export_reader import read
from cribboard.store.importer import ImportResult
from cribboard.store.report import Report


@pytest.fixture
def other(folder: Path, clock: Clock):
    opened = open_store(f"sqlite:///{folder}/other.db", clock=clock)
    yield opened
    opened.close()


def test_a_game_that_went_on_in_another_journal_is_one_as_soon_as_its_beginning_is_imported(
    store: Store, other: Store
) -> None:
    table = Table(store)
    table.new()
    table.press(0, 5)
    standing = table.standing
    table.begin(8)
    table.store = other
    table.restore(standing)
    assert len(other.games()) == 1
    other.import_json(store.export_json())
    (game,) = other.games()
    assert [kind.kind for kind in other.game(game.id).events] == ["new", "peg", "restore"]  # type: ignore[union-attr]


def test_a_late_report_may_show_that_another_game_went_on_in_a_journal_that_was_imported(
    store: Store, other: Store, clock: Clock
) -> None:
    table = Table(store)
    table.new()
    table.press(0, 5)
    table.store = None
    table.new()
    clock.go(minutes=5)
    waiting = Report(UID, table.epoch, table.away(), table.standing, table.names, heard=clock())
    clock.go(minutes=5)
    standing, table.store = table.standing, other
    table.begin(8)
    table.restore(standing)
    store.import_json(other.export_json())
    store.keep(waiting)
    kinds = [[event.kind for event in store.game(game.id).events] for game in store.games()]  # type: ignore[union-attr]
    assert sorted(kinds) == [["new", "peg"], ["new", "restore"]]


def evening(table: Table) -> None:
    """Games with all that can be in them."""
    table.play([(2, 0), (4, 2)], slips=0.2)
    table.names = {0: "Ann", 1: "Cleo"}
    table.win(0, other=40)
    store, table.store = table.store, None
    table.new()
    table.do("peg", 0, 3)
    table.away()
    table.store = store
    table.do("hand", 1, "5H5C5SJD", "5D", 0, 29)
    assert store is not None
    table.tell(cards="5H5C5SJD", starter="5D", by="phone 2", text="Cleo counts 29")
    store.rename(1, "Anna")
    store.seat(2, {3: "Dévrim <b>"})
    store.withdraw(3)


def test_an_export_brings_all_of_it_elsewhere(store: Store, table: Table, other: Store) -> None:
    evening(table)
    text = store.export_json()
    assert other.import_json(text) == ImportResult(games=4, events=table.match.rev - 2, corrections=3)
    assert other.export_json() == text
    assert [game.entry() | {"id": 0, "seats": 0} for game in other.games()] == [
        game.entry() | {"id": 0, "seats": 0} for game in store.games()
    ]
    assert [(line.name, line.points) for line in other.leaderboard()] == [
        (line.name, line.points) for line in store.leaderboard()
    ]


def test_events_of_no_game_are_counted_as_brought_in(store: Store, table: Table, other: Store) -> None:
    table.store = None
    table.new()
    for _ in range(5):
        table.do("peg", 0, 1)
    rows = table.away()[3:]
    table.new()
    rows += table.away()
    store.keep(Report(table.uid, table.epoch, rows, table.standing, table.names))
    assert other.import_json(store.export_json()) == ImportResult(games=1, events=4, corrections=0)


def test_the_pegs_after_an_event_of_no_game_are_brought_in(store: Store, table: Table, other: Store) -> None:
    table.new(mask=7, sides=3)
    table.do("peg", 0, 5)
    data = json.loads(store.export_json())
    alone = data["games"][0]["events"][-1]
    data |= {"games": [], "loose": [{"board": table.uid, "events": [alone]}]}
    assert other.import_json(json.dumps(data)) == ImportResult(games=0, events=1, corrections=0)
    assert json.loads(other.export_json())["loose"] == data["loose"]


def test_brought_in_again_nothing_changes(store: Store, table: Table, other: Store) -> None:
    evening(table)
    text = store.export_json()
    assert store.import_json(text) == ImportResult(0, 0, 0)
    assert store.export_json() == text
    other.import_json(text)
    assert other.import_json(text) == ImportResult(0, 0, 0)


def test_exports_that_overlap_give_the_same_events_in_either_order(
    store: Store, table: Table, other: Store, folder: Path, clock: Clock
) -> None:
    table.play([(2, 0), (3, 0)])
    early = store.export_json()
    table.tell()
    table.play([(2, 0)], seed=3)
    late = store.export_json()
    with closing(open_store(f"sqlite:///{folder}/third.db", clock=clock)) as third:
        for text in (early, late, early):
            other.import_json(text)
        for text in (late, early, late):
            third.import_json(text)
        assert other.export_json() == third.export_json() == late


def test_a_game_whose_begin_the_board_has_lost_is_not_brought_in_again(store: Store, table: Table) -> None:
    table.win(0)
    table.new()
    rows = [row for row in table.journal() if row.rev < table.match.rev]
    table.begin(table.epoch)
    table.id, table.store = 0, None
    table.new()
    table.do("set", 0, 121, 100)
    store.keep(Report(table.uid, table.epoch, rows, table.standing, table.names, lost=True))
    assert [correction.what for correction in store.corrections()] == ["event lost"]
    text, count = store.export_json(), len(store.games())
    assert store.import_json(text) == ImportResult(0, 0, 0)
    assert (store.export_json(), len(store.games())) == (text, count)


def test_an_import_fills_gaps_and_leaves_all_else_alone(store: Store, other: Store) -> None:
    table = Table()
    table.new()
    table.do("peg", 0, 5)
    first = table.away()
    other.keep(Report(table.uid, table.epoch, first, table.standing, {0: "Eve", 1: "Bob"}))
    table.do("peg", 1, 2)
    lost, stood = table.away(), table.standing
    table.do("peg", 0, 1)
    store.keep(Report(table.uid, table.epoch, first + table.away(), table.standing, {0: "Ann", 1: "Bob"}))
    other.keep(Report(table.uid, table.epoch, lost, stood, {0: "Eve", 1: "Bob"}))
    assert not store.games()[0].whole
    assert store.import_json(other.export_json()).games == 0
    (game,) = store.games()
    assert game.whole
    assert [seat.name for seat in game.seats] == ["Ann", "Bob"]
    replay = store.game(game.id)
    assert replay is not None
    assert [event.fronts for event in replay.events] == [(0, 0), (5, 0), (5, 2), (6, 2)]


def test_a_beginning_that_is_imported_may_change_who_plays_a_game_of_which_nobody_was_named(
    store: Store, other: Store, clock: Clock
) -> None:
    def seated() -> list[list[str | None]]:
        return [[seat.name for seat in game.seats] for game in store.games()]

    table = Table(other)
    table.new()
    clock.go(minutes=20)
    table.store = store
    table.press(1, 2)
    clock.go(minutes=-10)  # the clock is set, so that this game seems to begin later than the next one
    table.names = {0: "Cid", 1: "Dee"}
    table.begin(8)
    table.new()
    table.press(0, 1)
    clock.go(minutes=20)
    table.store = None
    table.win(0)
    table.store, table.names = store, {0: "Eve", 1: "Fay"}
    table.new()
    assert seated() == [["Eve", "Fay"], ["Ann", "Bob"], ["Ann", "Bob"], ["Cid", "Dee"]]
    store.import_json(other.export_json())
    assert seated() == [["Eve", "Fay"], ["Cid", "Dee"], ["Ann", "Bob"], ["Cid", "Dee"]]


def test_a_game_of_which_nobody_was_named_is_of_those_who_play_the_imported_game_before_it(
    store: Store, other: Store, clock: Clock
) -> None:
    table = Table(store)
    table.win(0)
    clock.go(minutes=20)
    table.store, table.names = other, {0: "Cid", 1: "Dee"}
    table.win(0)
    clock.go(minutes=20)
    table.store = None
    table.win(0)
    table.store, table.names = store, {0: "Eve", 1: "Fay"}
    table.new()
    assert [seat.name for seat in store.games()[1].seats] == ["Ann", "Bob"]
    store.import_json(other.export_json())
    seated = [[seat.name for seat in game.seats] for game in store.games()]
    assert seated == [["Eve", "Fay"], ["Cid", "Dee"], ["Cid", "Dee"], ["Ann", "Bob"]]


def test_an_import_says_who_played_a_game_of_which_nobody_was_named_here(store: Store, other: Store) -> None:
    table = Table(other, names={0: "Cid", 1: "Dee"})
    table.win(0)
    news = table.journal()
    table.store, table.names = store, {0: "Ann", 1: "Bob"}
    table.news = news
    table.new()
    assert [seat.name for seat in store.games()[1].seats] == [None, None]
    store.import_json(other.export_json())
    assert [[seat.name for seat in game.seats] for game in store.games()] == [["Ann", "Bob"], ["Cid", "Dee"]]


def test_a_game_whose_points_are_imported_is_listed(store: Store, other: Store) -> None:
    table = Table(store)
    table.new()
    table.store = other
    table.press(0, 5)
    table.store = store
    table.new()
    assert len(store.games()) == 1
    store.import_json(other.export_json())
    assert [game.state for game in store.games()] == ["open", "abandoned"]


def test_an_import_says_what_was_not_heard_here_and_changes_nothing_that_was(store: Store, other: Store) -> None:
    table = Table()
    table.new()
    table.do("peg", 0, 5)
    first, begun = table.away(), table.standing
    table.do("peg", 1, 2)
    rest = table.away()
    for each, by in ((store, "phone 1"), (other, "phone 2")):
        known = [*first[:-1], replace(first[-1], by=by)]
        each.keep(Report(table.uid, table.epoch, known, begun, table.names))
    store.keep(Report(table.uid, table.epoch, [], table.standing, table.names))
    other.keep(Report(table.uid, table.epoch, rest, table.standing, table.names))
    assert store.import_json(other.export_json()) == ImportResult(games=0, events=1, corrections=0)
    replay = store.game(1)
    assert replay is not None
    assert [(event.kind, event.fronts, event.by) for event in replay.events] == [
        ("new", (0, 0), ""),
        ("peg", (5, 0), "phone 1"),
        ("peg", (5, 2), ""),
    ]
    assert replay.game.whole


def test_a_kiosk_begun_anew_goes_on_with_what_was_brought_in(store: Store, table: Table, other: Store) -> None:
    table.new()
    table.do("peg", 0, 5)
    other.import_json(store.export_json())
    table.store = other
    table.do("peg", 1, 2)
    (game,) = other.games()
    assert [side.front for side in game.sides] == [5, 2]
    table.new()
    assert [game.state for game in other.games()] == ["open", "abandoned"]


def nested(levels: int) -> Any:
    return {"x": nested(levels - 1)} if levels else {}


# what no correction says: not to be shown, not flat, no number, too large
UNSAID: list[tuple[Any, Any]] = [
    ({"x": "\ud800"}, {}),
    ({}, {"\u202e": 1}),
    ({"x": "a\nb"}, {}),
    ({"x": {"y": 1}}, {}),
    ({}, {"x": [[1]]}),
    (nested(400), {}),
    ({"x": 1e300}, {}),
    ({"x": 1 << 53}, {}),
    ({"x": "y" * 501}, {}),
]


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """A small history with something of all that there can be."""
    store = open_store(f"sqlite:///{tmp_path_factory.mktemp('kiosk')}/kiosk.db")
    table = Table(store)
    table.new()
    table.do("peg", 0, 5)
    table.names = {0: "Eve"}
    table.new()
    store.withdraw(1)
    (row,) = (lost := Table(uid="bb")).away() or [lost.press(0, 3)]
    store.keep(Report("bb", 9, [], replace(lost.standing, rev=row.rev + 1), {}))
    night = store.begin_contest(Contest(rules="{}"), ["Ann", "Eve"])
    store.act(night, lambda _, __: [Act(number=0, kind="note", text="late", points=-3)])
    data = json.loads(store.export_json())
    store.close()
    return data


def change(data: Any, path: str, value: Any) -> None:
    *steps, last = [int(step) if step.lstrip("-").isdigit() else step for step in path.split(".")]
    for step in steps:
        data = data[step]
    data[last] = value


@pytest.mark.parametrize(
    ("path", "value", "words"),
    [
        ("format", "results", "it claims to be 'results', version 2"),
        ("version", 3, "version 3"),
        ("columns", [], "other columns"),
        ("games", {}, "{} is not a list"),
        ("games.0.target", 120, "a game is to 61, 91, 121 or 241, not 120"),
        ("games.0.mask", 0, "seat mask 0"),
        ("games.0.dealer", 5, "place 5 has no seat"),
        ("games.0.board", "HOUSE", "'HOUSE' is not a board's number"),
        ("games.0.began", -1, "-1 is not a number from 0"),
        ("games.0.ended", "now", "'now' is not a number"),
        ("games.0.aside", "lost", "'lost' is no state of a game"),
        ("games.0.withdrawn", 1, "1 is neither true nor false"),
        ("games.0.seats.0.0", 4, "nobody can sit at place 4"),
        ("games.0.seats.0.1", "", "a name is empty"),
        ("games.0.seats.1.1", "ANN", "the seats of a game are not those of its players"),
        ("games.0.seats", [], "the seats of a game are not those of its players"),
        ("games.0.spans.0.0", 1 << 32, "4294967296 is not a number from 0"),
        ("games.0.events.0.0", True, "True is not a number"),
        ("games.0.events.0.1", 0, "an event has no number"),
        ("games.0.events.0.2", 14, "14 is not a number from 0 to 13"),
        ("games.0.events.0.3", 6, "6 is not a number from 0 to 5"),
        ("games.0.events.0.4", 256, "256 is not a number from 0 to 255"),
        ("games.0.events.0.5", 1 << 16, "65536 is not a number from 0 to 65535"),
        ("games.0.events.0.6", 256, "256 is not a number from 0 to 255"),
        ("games.0.events.0.7", 1 << 16, "65536 is not a number from 0 to 65535"),
        ("games.0.events.0.8", 256, "256 is not a number from 0 to 255"),
        ("games.0.events.0.10", "x" * 13, "is not text of at most 12 visible characters"),
        ("games.0.events.0.13", "a\x1bb", "not text of at most 500 visible characters"),
        ("games.0.events.0.14", None, "None is not a number"),
        ("games.0.events.0.15", "zz", "makes no sense"),
        ("games.0.events.0.15", "00000009", "makes no sense"),
        ("games.0.events.0", [1], "damaged or of another kind"),
        ("games.0.events", [[0] * 18] * 20001, "a game has 20001 events"),
        ("players.0.name", 7, "7 is not text of at most 400 visible characters"),
        ("players.0.keys.0", "x" * 401, "is not text of at most 400 visible characters"),
        ("corrections", [[0, "a", "b", 9, {}, {}]], "9 is not a number from 0"),
        ("corrections", [[0, "a", "b", 0, [], {}]], "a correction is too long"),
        ("corrections", [[0, "a", "b", 0, {"name": "x" * (1 << 20)}, {}]], "a correction is too long"),
        *(("corrections", [[0, "a", "b", 0, *said]], "a correction is too long") for said in UNSAID),
        ("players.0.keys.0", "\ufdfa" * 23, "is no name"),
        ("players.0.keys.0", " ", "is no name"),
        ("players.0.since", None, "None is not a number"),
    ],
)
def test_a_file_that_is_not_an_export_is_refused(exported: Any, path: str, value: Any, words: str) -> None:
    data = deepcopy(exported)
    change(data, path, value)
    with pytest.raises(ArgumentError, match="not an exported history") as error:
        read(json.dumps(data))
    assert words in error.value.message
    assert len(str(error.value)) < 400


def test_a_file_that_is_refused_changes_nothing(exported: Any, other: Store) -> None:
    data = deepcopy(exported)
    change(data, "games.1.events.0.5", 1 << 16)
    before = other.export_json()
    with pytest.raises(ArgumentError, match="history: game 2, event 1: 65536 is not a number from 0 to 65535;"):
        other.import_json(json.dumps(data))
    assert other.export_json() == before


PARTS = {"games": "game", "loose": "loose", "players": "player", "corrections": "correction", "contests": "contest"}


def test_whatever_is_changed_in_a_file_is_taken_or_refused_where_it_stands(exported: Any) -> None:
    for path, data in hostile.changes(exported):
        try:
            read(json.dumps(data))
        except ArgumentError as error:
            assert len(str(error)) < 400, path
            if len(path) > 2:
                assert f"history: {PARTS[path[0]]} {path[1] + 1}" in error.message, path


def test_a_game_of_nobody_is_refused_also_when_nobody_deals(store: Store, table: Table, other: Store) -> None:
    table.new()
    data = json.loads(store.export_json())
    data["games"][0] |= {"mask": 0, "dealer": None}
    with pytest.raises(ArgumentError, match="not an exported history"):
        other.import_json(json.dumps(data))


@pytest.mark.parametrize("unsaid", [*UNSAID, (nested(900), {}), ({"x": float("inf")}, {})])
def test_a_history_with_a_correction_that_nobody_can_read_is_exported_and_corrected_all_the_same(
    folder: Path, other: Store, unsaid: tuple[Any, Any]
) -> None:
    where = f"sqlite:///{folder}/kiosk.db"
    store = open_store(where)
    table = Table(store)
    table.new()
    store.seat(1, {0: "Eve"})
    before, after = map(json.dumps, unsaid)
    with closing(sqlite3.connect(folder / "kiosk.db")) as connection, connection:
        connection.execute(
            "INSERT INTO corrections VALUES (NULL, 5, 'staff', 'name', 1, ?, ?, NULL, NULL, NULL)", (before, after)
        )
    text = store.export_json()
    text.encode()
    for correction in store.corrections():
        json.dumps(correction.entry()).encode()
    (newest, _) = store.corrections()
    assert (newest.who, newest.what) == ("staff", "name")
    assert other.import_json(text).corrections == 2
    assert store.import_json(text) == ImportResult(0, 0, 0)
    assert store.export_json() == text
    store.erase(*[number for number, _ in store.players()])
    assert "Eve" not in store.export_json()
    store.close()


@pytest.mark.parametrize("seed", [*range(3), *(pytest.param(seed, marks=pytest.mark.long) for seed in range(3, 8))])
def test_an_export_of_an_import_is_the_same_text(seed: int, folder: Path, clock: Clock, other: Store) -> None:
    chance = random.Random(seed)
    store = open_store(f"sqlite:///{folder}/kiosk.db", clock=clock)
    tables = [Table(store, uid=uid) for uid in ("aa", "bb")]
    for _ in range(40):
        clock.go(minutes=chance.randrange(300))
        table = chance.choice(tables)
        table.names = dict(enumerate(chance.sample(["Ann", "Bob", "Cid", "Dee", "", ""], 2)))
        act(table, chance)
        happen(store, table, chance)
    text = store.export_json()
    store.close()
    clock.go(days=400)
    other.import_json(text)
    assert other.export_json() == text
    assert not other.newcomers()


def happen(store: Store, table: Table, chance: random.Random) -> None:
    """Perhaps what staff may do, or a board that has lost its newest events."""
    games, players = store.games(), [number for number, _ in store.players()]
    way = chance.randrange(12)
    with suppress(ArgumentError):
        if way == 0 and players:
            store.rename(chance.choice(players), chance.choice(["Ann", "Eve", "Fay", "Bob"]))
        elif way == 1 and len(players) > 1:
            store.merge(*chance.sample(players, 2))
        elif way == 2 and games:
            store.seat(chance.choice(games).id, {chance.randrange(2): chance.choice(["Gus", "Ann", None])})
        elif way == 3 and games:
            store.withdraw(chance.choice(games).id, withdrawn=chance.random() < 0.7)
        elif way == 4 and games:
            store.abandon(chance.choice(games).id)
        elif way == 5 and players:
            store.erase(chance.choice(players))
        elif way == 6:
            before = replace(table.standing, rev=max(1, table.match.rev - 2))
            store.keep(Report(table.uid, table.epoch, [], before, table.names, lost=True))


def test_a_regular_is_no_newcomer_on_another_computer(store: Store, table: Table, other: Store, clock: Clock) -> None:
    table.new()
    text = store.export_json()
    clock.go(days=30)
    table.store = other
    table.names = {0: "Ann", 1: "Zoe"}
    table.new()
    assert len(other.newcomers()) == 2
    other.import_json(text)
    assert [name for number, name in other.players() if number in other.newcomers()] == ["Zoe"]
    since = json.loads(other.export_json())["players"][0]["since"]
    other.import_json(text)
    assert json.loads(other.export_json())["players"][0]["since"] == since


def test_boards_are_written_between_the_games_of_a_large_import(
    folder: Path, clock: Clock, other: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = open_store(f"sqlite:///{folder}/kiosk.db", clock=clock)
    table = Table(store)
    for _ in range(50):
        clock.go(minutes=20)
        table.win(0)
    store.withdraw(7)
    text = store.export_json()
    kiosk = open_store(f"sqlite:///{folder}/other.db", clock=clock)
    playing = Table(kiosk, uid="bb")
    playing.new()
    waits: list[float] = []

    def meanwhile(seconds: float) -> None:
        waits.append(seconds)
        playing.do("peg", 0, len(waits))

    monkeypatch.setattr("cribboard.store.store.sleep", meanwhile)
    brought = other.import_json(text)
    assert (brought.games, brought.corrections) == (50, 1)
    assert len(waits) == 3
    assert [game.sides[0].front for game in kiosk.games() if game.board == "bb"] == [6]
    assert other.import_json(text) == ImportResult(0, 0, 0)
    (withdrawn,) = [game for game in other.games(100) if game.state == "withdrawn"]
    (corrected,) = kiosk.corrections()
    assert corrected.game == withdrawn.id
    kiosk.close()
    store.close()


NO_JSON = ["", "[]", "null", "{}", "[" * 100_000, '{"format":NaN}', "\ud800", '{"format":1e999}']


@pytest.mark.parametrize("text", NO_JSON)
def test_what_is_not_even_json_is_refused(other: Store, text: str) -> None:
    with pytest.raises(ArgumentError, match="not an exported history"):
        other.import_json(text)


def test_a_file_that_is_too_large_is_refused_before_it_is_read(other: Store) -> None:
    with pytest.raises(ArgumentError, match="too large for a history; an import may have 64 MB"):
        other.import_json(" " * (64 << 20) + "{}")
    with pytest.raises(ArgumentError, match="too large"):
        other.import_json("[" + "{}," * 13_000_000 + "{}]")


def test_a_file_that_fails_half_way_changes_nothing(
    store: Store, table: Table, other: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    evening(table)
    text, before = store.export_json(), other.export_json()

    def fails(*_: object) -> bool:
        raise TypeError("planted")

    monkeypatch.setattr("cribboard.store.importer.Import._trace", fails)
    with pytest.raises(StoreError):
        other.import_json(text)
    assert other.export_json() == before


def test_the_table_for_a_spreadsheet_has_a_line_for_each_seat(store: Store, table: Table) -> None:
    table.names = {0: "=1+1", 1: 'Bob, the "2nd"'}
    table.win(0, other=70)
    table.new()
    rows = list(csv.DictReader(io.StringIO(store.export_csv())))
    assert [(row["game"], row["place"], row["name"], row["state"]) for row in rows] == [
        ("2", "1", "'=1+1", "open"),
        ("2", "2", 'Bob, the "2nd"', "open"),
        ("1", "1", "'=1+1", "won"),
        ("1", "2", 'Bob, the "2nd"', "won"),
    ]
    assert (rows[2]["score"], rows[2]["points"], rows[3]["skunk"], rows[3]["points"]) == ("121", "3", "skunked", "0")


@pytest.mark.parametrize("first", [*"=+-@\t\r\n", "\uff1d", "\uff0b", "\uff0d", "\uff20"])
def test_no_spreadsheet_takes_a_text_for_a_formula(first: str) -> None:
    assert cell(f"{first}1+1") == f"'{first}1+1"
    assert cell(f"Ann {first}") == f"Ann {first}"
    assert cell("") == ""


def test_a_copy_can_be_made_while_games_are_played(folder: Path, clock: Clock) -> None:
    store = open_store(f"sqlite:///{folder}/kiosk.db", clock=clock)
    table = Table(store)
    table.play([(2, 0)])
    wrong: list[BaseException] = []

    def play() -> None:
        try:
            table.play([(2, 0)], seed=2)
        except BaseException as error:
            wrong.append(error)

    player = threading.Thread(target=play)
    player.start()
    store.backup(folder / "copy.db")
    player.join()
    assert not wrong
    copy = open_store(f"sqlite:///{folder}/copy.db", clock=clock)
    (*_, first) = copy.games()
    assert first.whole
    assert first.state == "won"
    assert [path.name for path in folder.glob("*.part")] == []
    copy.close()
    store.close()


def test_a_copy_that_cannot_be_made_is_told(folder: Path) -> None:
    store = open_store(f"sqlite:///{folder}/kiosk.db")
    with pytest.raises(StoreError, match="could not be made"):
        store.backup(folder / "nowhere" / "copy.db")
    store.close()


def test_a_server_is_copied_with_its_own_program(postgres) -> None:
    store = open_store(postgres.database())
    with pytest.raises(StoreError, match="use pg_dump, which works while the kiosk runs"):
        store.backup(Path("copy.db"))
    store.close()


@pytest.mark.parametrize("imported", [False, True])
def test_what_staff_corrected_finds_its_game_after_an_import(
    store: Store, table: Table, clock: Clock, other: Store, imported: bool
) -> None:
    begin = joined(table, clock)
    clock.go(minutes=1)
    store.withdraw(store.games()[0].id)
    other.import_json(store.export_json())
    clock.go(minutes=1)
    (store if imported else other).keep(Report(table.uid, 8, [begin], table.standing, table.names))
    if imported:
        other.import_json(store.export_json())
    newer, older = other.games()
    assert [newer.state, older.state] == ["withdrawn", "open" if imported else "abandoned"]
