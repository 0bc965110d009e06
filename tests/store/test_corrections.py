"""What staff put right is done, and leaves a trace; who is erased is nowhere any more."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from sqlalchemy import update
from store.house import Clock, Table, joined
from store.test_lost_events import lose

from cribboard.board.messages import Corrected
from cribboard.errors import ArgumentError
from cribboard.store import Store, open_store
from cribboard.store.database import Database, located
from cribboard.store.games import number_of
from cribboard.store.report import Report
from cribboard.store.schema import corrections
from cribboard_core.events import HAND


def who(store: Store, name: str) -> int:
    return {known: player for player, known in store.players()}[name]


def test_a_renamed_player_keeps_his_games_and_his_old_name_still_means_him(store: Store, table: Table) -> None:
    table.win(0)
    ann = who(store, "Ann")
    store.rename(ann, "Anna", by="Kim")
    table.win(0)
    assert (store.leaderboard()[0].name, store.leaderboard()[0].won) == ("Anna", 2)
    (trace,) = store.corrections()
    assert (trace.who, trace.what, trace.before, trace.after) == ("Kim", "rename", {"name": "Ann"}, {"name": "Anna"})
    assert trace.entry()["at"] == "2026-03-02T20:00:00Z"
    store.rename(ann, "ANNA")
    assert who(store, "ANNA") == ann


def test_a_name_that_somebody_has_is_refused(store: Store, table: Table) -> None:
    table.win(0)
    with pytest.raises(ArgumentError, match="another player called 'Bob'; merge the two"):
        store.rename(who(store, "Ann"), "bob")
    with pytest.raises(ArgumentError, match="a name is empty"):
        store.rename(who(store, "Ann"), " ")
    with pytest.raises(ArgumentError, match="no player 77"):
        store.rename(77, "Eve")
    assert store.corrections() == []


def test_an_old_name_can_become_somebody_elses(store: Store, table: Table) -> None:
    table.win(0)
    ann, bob = who(store, "Ann"), who(store, "Bob")
    store.rename(ann, "Anna")
    store.rename(bob, "Ann")
    table.names = {0: "Ann", 1: "Anna"}
    table.win(0)
    assert [seat.player for seat in store.games()[0].seats] == [bob, ann]


def test_two_names_of_one_player_become_one(store: Store, table: Table) -> None:
    table.win(0)
    table.names = {0: "Annie", 1: "Bob"}
    table.win(0)
    ann, annie = who(store, "Ann"), who(store, "Annie")
    store.merge(ann, annie)
    table.win(0)
    assert [(line.name, line.won) for line in store.leaderboard()] == [("Ann", 3), ("Bob", 0)]
    assert store.corrections()[0].before == {"names": ["Ann", "Annie"], "games": [2]}
    with pytest.raises(ArgumentError, match="both sat in game 1, so they are two players"):
        store.merge(ann, who(store, "Bob"))
    with pytest.raises(ArgumentError, match="the same player"):
        store.merge(ann, ann)


def test_two_names_that_mean_one_player_sit_once(store: Store, table: Table) -> None:
    table.win(0)
    store.rename(who(store, "Ann"), "Anna")
    table.names = {0: "Ann", 1: "Anna"}
    table.new()
    table.do("peg", 0, 1)
    newest, *_ = store.games()
    assert [seat.name for seat in newest.seats] == ["Anna", None]
    store.seat(newest.id, {1: "Bob"})
    table.names = {0: "Bob", 1: "Cid"}
    table.do("peg", 0, 1)
    newest, *_ = store.games()
    assert [seat.name for seat in newest.seats] == [None, "Bob"]


def test_an_abandoned_game_is_outside_until_it_is_played_on(store: Store, table: Table) -> None:
    table.new()
    table.do("peg", 0, 5)
    store.abandon(1)
    assert store.games()[0].state == "abandoned"
    store.keep(Report(table.uid, table.epoch, [], table.standing, table.names))
    assert store.games()[0].state == "abandoned"
    table.do("peg", 0, 1)
    for lost in (False, True):
        store.keep(Report(table.uid, table.epoch, table.journal(), table.standing, table.names, lost=lost))
        assert store.games()[0].state == "open"
    table.do("set", 0, 121, 0)
    with pytest.raises(ArgumentError, match="game 1 is won; withdraw it"):
        store.abandon(1)
    with pytest.raises(ArgumentError, match="no game 5"):
        store.abandon(5)
    replay = store.game(1)
    assert replay is not None
    assert [trace.what for trace in replay.corrections] == ["abandon"]
    assert replay.entry()["corrections"][0]["after"] == {"aside": "staff"}


@pytest.mark.parametrize("unfit", [False, True])
def test_what_staff_corrected_stays_with_the_game_that_was_on_then(
    store: Store, table: Table, clock: Clock, unfit: bool
) -> None:
    begin = joined(table, clock)
    (game,) = store.games()
    clock.go(minutes=1)
    store.seat(game.id, {1: "Cid"})
    store.seat(game.id, {0: None})
    store.withdraw(game.id)
    store.abandon(game.id)
    if unfit:
        with store._database.writing() as connection:
            connection.execute(update(corrections).values(after='{"place": 0}'))  # as an import may be
    store.keep(Report(table.uid, 8, [begin], table.standing, table.names))
    newer, older = store.games()
    assert [[seat.name for seat in one.seats] for one in (older, newer)] == [
        ["Ann", "Bob"],
        ["Ann", "Bob"] if unfit else [None, "Cid"],
    ]
    assert [one.state for one in (older, newer)] == ["abandoned", "abandoned" if unfit else "withdrawn"]
    asides = [game["aside"] for game in json.loads(store.export_json())["games"]]
    assert sorted(asides) == ["next", "staff"]
    assert {trace.game for trace in store.corrections()} == {newer.id}
    if not unfit:
        table.tell()
        assert [seat.name for seat in store.games()[0].seats] == [None, "Cid"]
        store.withdraw(newer.id, withdrawn=False)
        assert [one.state for one in store.games()] == ["abandoned", "abandoned"]


def test_of_the_numbers_that_were_heard_only_after_a_correction_the_first_one_counts(
    store: Store, table: Table, clock: Clock
) -> None:
    before = clock.at - timedelta(hours=1)
    joined(table, clock)
    with store._database.reading() as connection:
        found = [number_of(connection, store.games()[0].id, at)["epoch"] for at in (before, clock.at)]
    assert found == [7, 8]


def test_what_staff_corrected_goes_along_to_another_board(store: Store, table: Table, clock: Clock) -> None:
    table.new()
    table.do("peg", 0, 5)
    store.withdraw(1)
    store.move(table.uid, "bb", 9, 1)
    clock.go(minutes=1)
    table.new()
    table.do("peg", 0, 2)
    lose(table)
    table.press(0, 1)
    assert [game.state for game in store.games()] == ["open", "withdrawn"]
    assert {trace.game for trace in store.corrections() if trace.what == "withdraw"} == {1}


def test_a_game_that_is_abandoned_leaves_that_of_another_board_on(store: Store, table: Table, clock: Clock) -> None:
    other = Table(store, uid="bb")
    for each in (table, other):
        each.new()
        each.do("peg", 0, 5)
    clock.go(minutes=1)
    store.abandon(1)
    store.keep(Report(other.uid, other.epoch, other.journal(), other.standing, other.names, lost=True))
    assert [game.state for game in store.games()] == ["open", "abandoned"]


def test_what_staff_abandoned_stays_so_when_the_next_game_begins(store: Store, table: Table) -> None:
    table.new()
    table.do("peg", 0, 5)
    store.abandon(1)
    table.new()
    assert '"aside":"staff"' in store.export_json()


def test_a_withdrawn_game_does_not_count_until_it_does_again(store: Store, table: Table) -> None:
    table.win(0)
    store.withdraw(1)
    assert store.leaderboard() == []
    assert store.games()[0].state == "withdrawn"
    store.withdraw(1, withdrawn=False)
    assert store.leaderboard()[0].won == 1


def test_a_seat_that_was_put_right_stays_so(store: Store, table: Table) -> None:
    table.win(0)
    store.seat(1, {0: "Cleo"})
    store.seat(1, {1: None})
    table.undo()
    table.redo()
    assert [seat.name for seat in store.games()[0].seats] == ["Cleo", None]
    assert [trace.after for trace in store.corrections()] == [
        {"place": 2, "name": None},
        {"place": 1, "name": "Cleo"},
    ]
    with pytest.raises(ArgumentError, match="nobody sat at place 5 of game 1"):
        store.seat(1, {4: "Cleo"})
    with pytest.raises(ArgumentError, match="'Cleo' already sits in game 1"):
        store.seat(1, {1: "cleo"})
    store.seat(1, {0: "Dev", 1: "Cleo"})  # whose seat is another's at once
    assert [seat.name for seat in store.games()[0].seats] == ["Dev", "Cleo"]
    with pytest.raises(ArgumentError, match="'Dev' already sits in game 1"):
        store.seat(1, {1: "dev"})
    assert [seat.name for seat in store.games()[0].seats] == ["Dev", "Cleo"]


def test_somebody_may_sit_elsewhere_in_another_game(store: Store, table: Table) -> None:
    table.win(0)
    table.names = {0: "Cleo", 1: "Dev"}
    table.win(0)
    store.seat(1, {0: "Dev"})
    assert [[seat.name for seat in game.seats] for game in store.games()] == [["Cleo", "Dev"], ["Dev", "Bob"]]


def test_an_erased_player_is_a_guest_and_his_name_is_nowhere(store: Store, table: Table, clock: Clock) -> None:
    table.names = {0: "Wilhelmina", 1: "Bob"}
    table.new()
    table.store = None
    table.do("peg", 0, 5)
    table.store = store
    table.tell(by="WILHELMINA's phone", text="wilhelmina pegs 5, now at 5.")
    table.do("set", 0, 121, 0)
    player = who(store, "Wilhelmina")
    store.rename(player, "Wilma", by="Wilma")
    store.seat(1, {1: "Cleo"})
    store.seat(1, {0: "Bob"})
    store.seat(1, {0: "Wilhelmina"})
    store.erase(player)
    said = (store.export_json() + store.export_csv()).casefold()
    assert "wilhelmina" not in said
    assert "wilma" not in said
    assert [seat.name for seat in store.games()[0].seats] == [None, "Cleo"]
    assert [line.name for line in store.leaderboard()] == ["Cleo"]
    assert [trace.what for trace in store.corrections()] == ["erase", "seat", "seat", "seat", "rename"]
    assert store.corrections()[-1].entry()["before"] == {"name": "a guest"}
    replay = store.game(1)
    assert replay is not None
    assert replay.events[1].by == "a guest's phone"
    table.undo()  # the host still says who plays, but staff have said otherwise
    assert [seat.name for seat in store.games()[0].seats] == [None, "Cleo"]


def peg_with_note(store: Store, table: Table, **note: str) -> None:
    """Somebody scores, and this is said of it."""
    table.store = None
    table.do("peg", 0, 1)
    table.store = store
    table.tell(**note)


def notes(store: Store) -> list[tuple[str, str]]:
    exported = json.loads(store.export_json())
    rows = [event for each in (*exported["games"], *exported["loose"]) for event in each["events"]]
    by, text = (exported["columns"].index(name) for name in ("who", "text"))
    return [(row[by], row[text]) for row in rows if row[by] or row[text]]


@pytest.mark.parametrize(
    ("note", "left"),
    [
        ({"text": "Groß pegs 1, now at 1."}, ("", "a guest pegs 1, now at 1.")),
        ({"by": "GROSS"}, ("a guest", "")),
        ({"by": "Groß Ida", "text": "groß ida pegs"}, ("a guest", "a guest pegs")),
        (
            {"text": "Großmann and Groß-Bob go, engrossed or engross."},
            ("", "Großmann and a guest-Bob go, engrossed or engross."),
        ),
        ({"text": "Groß Ida B, Groß Ida, GROß IDA B"}, ("", "Groß Ida B, a guest, GROß IDA B")),
        ({"by": "Groß " * 12, "text": "Groß " * 100}, (("a guest " * 12)[:60], ("a guest " * 100)[:500])),
    ],
)
def test_of_an_erased_player_the_notes_say_a_guest(
    store: Store, table: Table, note: dict[str, str], left: tuple[str, str]
) -> None:
    for name in ("Groß Ida B", "Groß Ida", "Groß"):  # the first stays
        table.names = {0: name, 1: "Bob"}
        table.new()
        table.do("peg", 0, 1)
    peg_with_note(store, table, **note)
    store.merge(who(store, "Groß"), who(store, "Groß Ida"))
    store.erase(who(store, "Groß"))
    assert notes(store) == [left]
    assert [game.seats[0].name for game in store.games()] == [None, None, "Groß Ida B"]


def test_an_erased_player_is_in_no_note_of_a_game_that_is_anothers(store: Store, table: Table) -> None:
    table.names = {0: "Wilhelmina", 1: "Bob"}
    table.store = None
    table.do("peg", 0, 1)  # of a game that nobody has seen begin
    table.new()
    table.store = store
    table.news[0] = replace(table.news[0], text="Wilhelmina pegs 1, now at 1.")
    table.tell()
    peg_with_note(store, table, by="Wilhelmina", text="Wilhelmina pegs 1, now at 2.")
    table.names = {0: "Wilma", 1: "Bob"}
    peg_with_note(store, table, text="Wilma pegs 1, now at 3.")
    store.erase(who(store, "Wilhelmina"))
    assert sorted(notes(store)) == [
        ("", "Wilma pegs 1, now at 3."),
        ("", "a guest pegs 1, now at 1."),
        ("a guest", "a guest pegs 1, now at 2."),
    ]


def test_several_are_renamed_or_erased_at_once_or_none_is(store: Store, table: Table) -> None:
    table.new()
    peg_with_note(store, table, text="Ann and Bob play.")
    ann, bob = who(store, "Ann"), who(store, "Bob")
    with pytest.raises(ArgumentError, match="is a number"):
        store.rename_all({ann: "Anna", bob: "12"})
    with pytest.raises(ArgumentError, match="no player 77"):
        store.erase(ann, 77)
    with pytest.raises(ArgumentError, match="no player 77"):
        store.called(ann, 77)
    assert [name for _, name in store.players()] == ["Ann", "Bob"]
    store.rename_all({ann: "Anna", bob: "Ben"})
    assert sorted(store.called(ann, bob)) == ["Anna", "Ben", "ann", "anna", "ben", "bob"]
    store.erase(ann, bob)
    assert store.players() == []
    assert notes(store) == [("", "a guest and a guest play.")]
    assert [trace.what for trace in store.corrections()] == ["erase", "erase", "rename", "rename"]


def test_who_is_new_tonight_is_known(store: Store, table: Table, clock: Clock) -> None:
    table.new()
    table.do("peg", 0, 1)
    clock.go(days=2)
    table.names = {0: "Ann", 1: "Cid"}
    table.new()
    table.do("peg", 0, 1)
    assert store.newcomers() == {who(store, "Cid")}
    assert store.newcomers("ever") == {who(store, "Ann"), who(store, "Bob"), who(store, "Cid")}


def test_a_seat_of_somebody_erased_is_not_taken_again(store: Store, table: Table) -> None:
    table.new()
    store.erase(who(store, "Ann"))
    table.do("peg", 0, 1)  # the host still says who plays
    assert [seat.name for seat in store.games()[0].seats] == [None, "Bob"]
    table.names = {0: "a guest", 1: "Bob"}  # as a night that is on calls them
    table.new()
    assert "a guest" not in dict(store.players()).values()


def test_nothing_of_an_erased_name_is_left_in_the_file(folder, clock: Clock) -> None:
    def connect(*arguments: Any, **named: Any) -> sqlite3.Connection:
        connection = sqlite3.connect(*arguments, **named)
        connection.execute("PRAGMA secure_delete = OFF")  # as SQLite has it where nobody has said otherwise
        return connection

    dbapi = SimpleNamespace(**{**vars(sqlite3), "connect": connect})
    store = open_store(f"sqlite:///{folder}/kiosk.db", clock=clock, dbapi=dbapi)
    table = Table(store, {0: "Wilhelmina", 1: "Bob"})
    table.play([(2, 0)])
    table.new()
    peg_with_note(store, table, text="Wilhelmina pegs 1, now at 1.")
    assert any(b"Wilhelmina" in path.read_bytes() for path in folder.iterdir())
    store.erase(who(store, "Wilhelmina"))
    assert not [path for path in folder.iterdir() if b"wilhelmina" in path.read_bytes().lower()]
    store.close()


def test_the_database_of_a_url_is_called_without_its_password() -> None:
    assert Database(located("postgresql://ann:secret@pub/house")).name == "postgresql+psycopg://ann:***@pub/house"


def hand(table: Table, side: int, points: int) -> int:
    table.keeper.do((HAND, side, points, 0, 0))
    rev = table.news[-1].rev
    table.tell()
    return rev


def set_for(table: Table, line: Corrected, *pegs: int) -> None:
    """The board is told a corrected score, and the history hears of both."""
    store, table.store = table.store, None
    table.do("set", 0, *pegs)
    table.store = store
    table.tell(by="phone 1", line=line)


def test_a_line_corrected_at_the_table_counts_with_its_points(store: Store, table: Table) -> None:
    table.new()
    rev = hand(table, 0, 10)
    hand(table, 1, 8)
    set_for(table, Corrected(rev, 10, 12, "Ann and Bob"), 12, 0)
    game = store.games()[0].id
    replay = store.game(game)
    assert replay is not None
    said = {event.rev: event for event in replay.events}
    assert (said[rev].points, said[rev].text) == (12, "Ann counts 12, corrected from 10 by Ann and Bob.")
    assert said[rev + 2].text == "Ann counts 12, corrected from 10 by Ann and Bob, now at 12."
    assert [(one.who, one.what) for one in replay.corrections] == [("Ann and Bob", "score")]
    table.do("set", 1, 60, 20)
    for _ in range(4):
        hand(table, 0, 29)
    ann, bob = (store.player(who(store, name)) for name in ("Ann", "Bob"))
    assert ann is not None
    assert bob is not None
    assert ann.hand == (12 + 4 * 29) / 5
    assert ann.among["corrected"] == (1, 1)  # Bob's score was set
    assert bob.hand == 8


def test_a_corrected_line_ranks_a_game_with_others_until_its_correction_is_taken_back(
    store: Store, table: Table
) -> None:
    table.new()
    rev = hand(table, 0, 10)
    for _ in range(3):
        hand(table, 0, 29)
    set_for(table, Corrected(rev, 10, 12, "staff"), 99, 70)
    hand(table, 0, 29)
    ann = who(store, "Ann")
    player = store.player(ann)
    assert player is not None
    assert (player.among["people"], player.hand) == ((1, 1), (12 + 4 * 29) / 5)
    table.undo()
    table.undo()
    hand(table, 0, 24)
    player = store.player(ann)
    assert player is not None
    assert (player.among["people"], player.hand) == ((1, 1), (10 + 3 * 29 + 24) / 5)
    replay = store.game(1)
    assert replay is not None
    texts = [event.text for event in replay.events]
    assert "Ann counts 10, now at 10." in texts
    assert "Undid: Ann counts 12, corrected from 10 by staff, now at 97." in texts


def test_a_correction_that_is_reported_twice_is_there_once(store: Store, table: Table) -> None:
    table.new()
    rev = hand(table, 0, 10)
    line = Corrected(rev, 10, 12, "staff")
    set_for(table, line, 12, 0)
    table.news = table.journal()
    table.tell(line=line)
    assert len(store.corrections()) == 1
    replay = store.game(1)
    assert replay is not None
    assert replay.events[-1].by == "phone 1"  # which a kiosk that starts again does not know


def test_staff_correct_a_line_of_a_game_that_is_over(store: Store, table: Table) -> None:
    table.new()
    rev = hand(table, 1, 28)
    for _ in range(2):
        hand(table, 1, 29)
    last = hand(table, 1, 4)
    for _ in range(4):
        win = hand(table, 0, 29)
    won = hand(table, 0, 10)
    with pytest.raises(ArgumentError, match="game 1 is on at its table"):
        store.correct(1, rev, 28, 24)
    table.new()
    table.do("peg", 0, 1)
    assert [side.lost for side in store.games()[1].sides] == [0, 2]
    store.correct(1, last, 4, 6, by="Kim")
    over = store.games()[1]
    assert [(side.front, side.lost) for side in over.sides] == [(121, 0), (92, 1)]
    replay = store.game(1)
    assert replay is not None
    assert "Bob counts 6, corrected from 4 by Kim." in [event.text for event in replay.events]
    for wrong, match in (((last, 4, 8), "any more"), ((last, 6, 6), "any more"), ((last, 6, 47), "0 to 46")):
        with pytest.raises(ArgumentError, match=match):
            store.correct(1, *wrong)
    with pytest.raises(ArgumentError, match="would have had another end"):
        store.correct(1, win, 29, 20)
    store.correct(1, won, 10, 5)
    store.correct(1, last, 6, 4)
    assert [(side.front, side.lost) for side in store.games()[1].sides] == [(121, 0), (90, 2)]


def test_an_import_brings_corrected_lines_with_their_sums(store: Store, table: Table, tmp_path: Path) -> None:
    table.new()
    rev = hand(table, 0, 10)
    early = hand(table, 0, 2)
    set_for(table, Corrected(rev, 10, 12, "Ann and Bob"), 14, 12)
    for _ in range(4):
        hand(table, 0, 29)
    table.new()
    table.do("peg", 0, 1)
    store.correct(1, early, 2, 4)
    with closing(open_store(f"sqlite:///{tmp_path}/other.db", clock=Clock())) as other:
        other.import_json(store.export_json())
        for one in (store, other):
            player = one.player(who(one, "Ann"))
            assert player is not None
            assert (player.hand, player.among["people"]) == (round((12 + 4 + 4 * 29) / 6, 2), (1, 1))
        assert other.import_json(store.export_json()).corrections == 0
        assert other.export_json() == store.export_json()
