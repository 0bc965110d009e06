"""What boards say is kept: each event once, in its game, with what is missing as a gap until it is heard."""

from __future__ import annotations

import threading
from dataclasses import replace

import pytest
from sqlalchemy import update
from store.house import UID, Clock, Table

from cribboard.board.messages import Event, Standing
from cribboard.store import Store, open_store
from cribboard.store.database import Database, located
from cribboard.store.read import GameEvent
from cribboard.store.report import Report
from cribboard.store.schema import boards
from cribboard_core.events import UNDO


def events_of(store: Store, game: int) -> list[GameEvent]:
    replay = store.game(game)
    assert replay is not None
    return list(replay.events)


def kinds(store: Store, game: int) -> list[str]:
    return [event.kind if event.kind != "gap" else f"gap {event.missing}" for event in events_of(store, game)]


def test_every_event_of_a_game_is_there_with_the_pegs_after_it(store: Store, table: Table) -> None:
    table.store = None
    table.play([(2, 0)], slips=0.3)
    rows, after = table.away(), {}
    again = Table(store)
    for row in rows:
        again.keeper.do(row.as_folded, row.session, row.id)
        again.tell()
        after[row.rev] = again.standing
    (game,) = store.games()
    events = events_of(store, game.id)
    assert [event.rev for event in events] == [row.rev for row in rows]
    assert [(event.fronts, event.backs) for event in events] == [
        (after[r.rev].fronts, after[r.rev].backs) for r in rows
    ]
    assert game.whole
    assert game.state == "won"
    assert [side.front for side in game.sides] == list(table.standing.fronts)


def test_told_again_nothing_changes(store: Store, table: Table) -> None:
    table.play([(2, 0)])
    before = store.export_json()
    rows = table.journal()
    store.keep(Report(UID, table.epoch, rows, table.standing, table.names))
    store.keep(Report(UID, table.epoch, [], table.standing, table.names))
    assert store.export_json() == before


def test_a_gap_is_marked_and_filled_when_it_is_heard(store: Store, table: Table) -> None:
    table.new()
    table.do("peg", 0, 5)
    away = table.store
    table.store = None
    table.do("peg", 1, 3)
    table.do("peg", 0, 2)
    lost = table.away()
    table.store = away
    table.do("peg", 1, 4)
    (game,) = store.games()
    events = events_of(store, game.id)
    assert kinds(store, game.id) == ["new", "peg", "gap 2", "peg"]
    assert [event.fronts for event in events] == [(0, 0), (5, 0), None, (7, 7)]
    assert not game.whole
    assert store.heard(UID, table.epoch) == lost[0].rev - 1
    store.keep(Report(UID, table.epoch, lost, table.standing, table.names))
    assert [event.fronts for event in events_of(store, game.id)] == [(0, 0), (5, 0), (5, 3), (7, 3), (7, 7)]
    assert store.heard(UID, table.epoch) == table.match.rev


def test_a_gap_up_to_now_is_marked_and_the_score_is_the_boards(store: Store, table: Table) -> None:
    table.new()
    table.do("peg", 0, 5)
    table.store = None
    table.do("peg", 1, 3)
    table.do("peg", 0, 2)
    lost = table.away()
    store.keep(Report(UID, table.epoch, [], table.standing, table.names))
    (game,) = store.games()
    assert kinds(store, game.id) == ["new", "peg", "gap 2"]
    assert [side.front for side in game.sides] == [7, 3]
    table.store = store
    table.do("peg", 1, 1)
    assert [event.fronts for event in events_of(store, game.id)] == [(0, 0), (5, 0), None, (7, 4)]
    store.keep(Report(UID, table.epoch, lost, table.standing, table.names))
    assert [event.fronts for event in events_of(store, game.id)] == [(0, 0), (5, 0), (5, 3), (7, 3), (7, 4)]


def test_an_undo_across_a_gap_is_not_guessed(store: Store, table: Table) -> None:
    table.new()
    table.do("peg", 0, 5)
    table.store = None
    table.do("peg", 1, 3)
    table.away()
    table.store = store
    table.undo()
    table.undo()
    (game,) = store.games()
    events = events_of(store, game.id)
    assert kinds(store, game.id) == ["new", "peg", "gap 1", "undo", "undo"]
    assert [event.fronts for event in events] == [(0, 0), (5, 0), None, (5, 0), (0, 0)]
    assert events[1].gone


def test_a_host_that_comes_late_keeps_what_the_journal_holds(store: Store) -> None:
    table = Table()
    table.play([(2, 0), (2, 0), (3, 0)])
    table.names = {0: "Ann", 1: "Bob", 2: "Cleo"}
    store.keep(Report(UID, table.epoch, table.journal(), table.standing, table.names))
    games = store.games()
    assert [game.state for game in games][:1] == ["won"]
    assert games[0].whole
    assert [seat.name for seat in games[0].seats] == ["Ann", "Bob", "Cleo"]
    kept = sum(len(events_of(store, game.id)) for game in games)
    loose = '"loose":[]' not in store.export_json()
    assert kept == len(table.journal()) or loose


def test_a_host_that_comes_into_a_running_game_knows_the_score(store: Store, table: Table) -> None:
    table.store = None
    table.new()
    table.do("peg", 0, 5)
    table.do("peg", 1, 3)
    rows = table.away()[2:]
    table.store = store
    store.keep(Report(UID, table.epoch, rows, table.standing, table.names))
    (game,) = store.games()
    assert kinds(store, game.id) == ["gap 2", "peg"]
    assert [event.fronts for event in events_of(store, game.id)] == [None, (5, 3)]
    assert not game.whole


def test_a_new_game_taken_back_leads_to_the_game_before(store: Store, table: Table) -> None:
    table.new()
    table.do("peg", 0, 5)
    table.new()
    assert [game.state for game in store.games()] == ["open", "abandoned"]
    table.undo()
    (game,) = store.games()
    assert game.state == "open"
    assert kinds(store, game.id) == ["new", "peg", "undo"]
    table.redo()
    table.do("peg", 1, 2)
    newer, older = store.games()
    assert (newer.state, older.state) == ("open", "abandoned")
    assert kinds(store, newer.id) == ["new", "redo", "peg"]
    assert [event.fronts for event in events_of(store, newer.id)] == [(0, 0), (0, 0), (0, 2)]
    assert newer.whole and older.whole


def test_games_passed_over_while_the_host_was_away_are_sorted_by_themselves(store: Store, table: Table) -> None:
    table.store = None
    table.new()
    table.do("peg", 0, 5)
    table.new()
    table.new()
    table.undo()  # to the first game
    table.do("peg", 1, 4)
    table.win(0)
    table.new()
    table.do("peg", 1, 1)
    store.keep(Report(UID, table.epoch, table.away(), table.standing, table.names))
    newest, won, first = store.games()
    assert [game.state for game in (newest, won, first)] == ["open", "won", "abandoned"]
    assert kinds(store, first.id) == ["new", "peg", "undo", "peg"]
    assert [event.fronts for event in events_of(store, first.id)] == [(0, 0), (5, 0), (5, 0), (5, 4)]
    assert [side.front for side in won.sides] == [121, 0]


def test_a_game_around_others_is_whole_once_all_that_happened_in_those_is_heard(store: Store, table: Table) -> None:
    table.store = None
    table.new()
    table.do("peg", 0, 5)
    table.new()
    table.do("deal", -1)
    table.new()
    table.undo()  # to the first game
    table.new()
    rows = table.away()
    deal = rows.pop(3)
    store.keep(Report(UID, table.epoch, rows, table.standing, table.names))
    assert [game.whole for game in store.games()] == [True, False]
    store.keep(Report(UID, table.epoch, [deal], table.standing, table.names))
    assert [game.whole for game in store.games()] == [True, True]


def test_a_win_taken_back_reopens_the_game(store: Store, table: Table) -> None:
    table.win(0, other=50)
    (game,) = store.games()
    assert (game.state, game.winner) == ("won", 0)
    assert [line.points for line in store.leaderboard()] == [3, 0]
    table.undo()
    (game,) = store.games()
    assert (game.state, game.winner, game.ended) == ("open", None, None)
    assert store.leaderboard() == []
    table.redo()
    assert [line.points for line in store.leaderboard()] == [3, 0]


@pytest.mark.parametrize(("epoch", "minutes"), [(6, 0), (8, -1)])
def test_a_board_that_lost_its_journal_and_was_given_the_score_back_goes_on_with_its_game(
    store: Store, table: Table, clock: Clock, epoch: int, minutes: int
) -> None:
    table.new()
    table.do("peg", 0, 5)
    standing = table.standing
    clock.go(minutes=minutes)
    table.begin(epoch)
    table.restore(standing)
    table.do("peg", 1, 3)
    (game,) = store.games()
    assert kinds(store, game.id) == ["new", "peg", "restore", "peg"]
    assert [event.fronts for event in events_of(store, game.id)] == [(0, 0), (5, 0), (5, 0), (5, 3)]
    assert [seat.name for seat in game.seats] == ["Ann", "Bob"]
    assert game.whole
    assert store.numbers(game.id) == sorted([(UID, 7, 1), (UID, epoch, 1)])
    assert store.numbers(99) == []


def test_what_follows_a_restore_is_in_the_restored_game_though_another_has_begun_meanwhile(
    store: Store, table: Table
) -> None:
    table.new()
    table.do("peg", 0, 5)
    standing = table.standing
    table.begin(epoch=8)
    table.store = None
    table.restore(standing)
    table.do("peg", 1, 3)
    table.new()
    table.store = store
    table.tell()
    newer, older = sorted(store.games(), key=lambda game: -game.id)
    assert kinds(store, older.id) == ["new", "peg", "restore", "peg"]
    assert kinds(store, newer.id) == ["new"]
    assert '"loose":[]' in store.export_json()


@pytest.mark.parametrize("late", [False, True])
def test_a_journal_in_which_nothing_has_happened_yet_does_not_go_on_with_a_later_game(
    store: Store, table: Table, clock: Clock, late: bool
) -> None:
    empty = Report(UID, table.epoch, (), table.standing, table.names, heard=clock())
    clock.go(minutes=1)
    table.begin(8)
    table.store = None
    table.new(dealer=1)
    new = Report(UID, table.epoch, table.away(), table.standing, table.names, heard=clock())
    for report in (new, empty) if late else (empty, new):
        store.keep(report)
    assert [store.numbers(game.id) for game in store.games()] == [[(UID, 8, 1)]]


def test_an_undo_to_a_score_that_a_board_was_given_and_that_it_never_said_hides_nothing(
    store: Store, table: Table
) -> None:
    table.store = None
    table.restore(replace(table.standing, fronts=(10, 0)))
    table.press(0, 5)
    table.store = store
    table.tell()
    table.undo()
    table.new()
    assert [game.whole for game in store.games()] == [True, True]


def test_a_restored_game_of_which_nobody_knows_is_another(store: Store, table: Table) -> None:
    table.store = None
    table.new()
    table.do("peg", 0, 5)
    table.new()
    table.store = store
    table.tell()
    table.undo()  # only now the board says how many games were won before the first
    table.begin(epoch=8)
    table.restore(replace(table.standing, won=(3, 0), fronts=(9, 9)))
    assert [game.state for game in store.games()] == ["open", "abandoned"]


def test_a_late_report_may_show_that_another_game_is_on(store: Store, table: Table, clock: Clock) -> None:
    table.new()
    table.do("peg", 0, 5)
    standing, table.store = table.standing, None
    clock.go(minutes=1)
    at = clock()
    table.new(target=61)
    late, stood = table.away(), table.standing
    clock.go(minutes=1)
    table.begin(epoch=8)
    table.store = store
    table.restore(standing)
    for numbers in ([(UID, 7, 1), (UID, 8, 1)], [(UID, 8, 1)]):
        on = store.live(UID)
        assert on is not None and store.numbers(on.id) == numbers
        store.keep(Report(UID, 7, late, stood, table.names, heard=at))


def test_a_restore_in_the_same_journal_keeps_the_game(store: Store, table: Table) -> None:
    table.new()
    table.do("peg", 0, 5)
    table.restore(replace(table.standing, fronts=(30, 20), backs=(10, 10)))
    table.undo()
    table.redo()
    table.do("peg", 0, 1)
    (game,) = store.games()
    assert kinds(store, game.id) == ["new", "peg", "restore", "undo", "redo", "peg"]
    assert [event.fronts for event in events_of(store, game.id)][-4:] == [(30, 20), (5, 0), (30, 20), (31, 20)]


def test_what_a_restore_came_after_can_be_taken_back_although_all_of_it_comes_late(store: Store, table: Table) -> None:
    table.store = None
    table.new()
    table.do("peg", 0, 5)
    table.do("peg", 1, 3)
    table.restore(replace(table.standing, fronts=(30, 20), backs=(10, 10)))
    for _ in range(2):
        table.undo()
    table.redo()
    rows = table.away()
    for row in (*rows[1:], rows[0]):
        store.keep(Report(UID, table.epoch, [row], table.standing, table.names))
    (game,) = store.games()
    fronts = [(0, 0), (5, 0), (5, 3), None, (5, 3), (5, 0), (5, 3)]
    assert [event.fronts for event in events_of(store, game.id)] == fronts
    assert game.whole


def test_an_undo_that_names_itself_stops_nothing(store: Store, table: Table) -> None:
    table.store = None
    table.new()
    table.do("peg", 0, 5)
    table.undo()
    rows = [replace(row, b=row.rev) if row.kind == UNDO else row for row in table.away()]
    store.keep(Report(UID, table.epoch, rows, table.standing, table.names))
    (game,) = store.games()
    assert kinds(store, game.id) == ["new", "peg", "undo"]
    assert not game.whole


def test_names_are_those_of_the_game_that_is_on(store: Store, table: Table) -> None:
    table.new()
    table.do("peg", 0, 5)
    table.names = {0: "Ann", 1: "Cleo"}
    table.new()
    table.do("peg", 0, 5)
    newer, older = store.games()
    assert [seat.name for seat in newer.seats] == ["Ann", "Cleo"]
    assert [seat.name for seat in older.seats] == ["Ann", "Bob"]
    table.names = {1: "ANN\u200b", 0: "12"}
    table.do("peg", 1, 1)
    assert [seat.name for seat in store.games()[0].seats] == [None, None]  # what cannot be a name is nobody's


def test_a_name_that_is_said_between_two_events_is_there_at_once(store: Store, table: Table) -> None:
    table.new()
    table.names = {0: "Ann", 1: "Cleo"}
    table.tell()
    assert [seat.name for seat in store.games()[0].seats] == ["Ann", "Cleo"]


def test_what_the_host_knows_of_an_event_is_kept(store: Store, table: Table, clock: Clock) -> None:
    table.new()
    table.store = None
    table.do("hand", 0, "5H5C5SJD", "5D", 0, 29)
    table.store = store
    known = {"cards": "5H5C5SJD", "starter": "5D", "text": "Ann counts twenty\x07nine"}
    table.tell(**known, by="phone 2", at=clock())
    hand = events_of(store, 1)[-1]
    assert (hand.cards, hand.starter, hand.by, hand.at) == ("5H5C5SJD", "5D", "phone 2", clock())
    clock.go(minutes=1)
    row = table.journal()[-1]
    again = replace(row, **known, by="phone 3")
    store.keep(Report(UID, table.epoch, [again], table.standing, table.names))
    assert events_of(store, 1)[-1].by == "phone 3"
    before = store.export_json()
    store.keep(Report(UID, table.epoch, [row], table.standing, table.names))  # of which nothing is known any more
    assert store.export_json() == before
    assert store.player(1) is not None


def test_a_note_that_says_nothing_changes_nothing(store: Store, table: Table, clock: Clock) -> None:
    table.new()
    table.do("peg", 0, 5)
    before = store.export_json()
    (row,) = table.journal()[-1:]
    rows = [replace(each, at=clock()) for each in (row, table.journal()[0])]
    store.keep(Report(UID, table.epoch, rows, table.standing, table.names))
    assert store.export_json() == before


def test_several_boards_are_kept_apart(store: Store) -> None:
    tables = [Table(store, uid=f"{number:x}", names={0: f"P{number}", 1: "Bob"}) for number in range(3)]
    for table in tables:
        table.new()
    for points in (1, 2, 3):
        for table in tables:
            table.do("peg", 0, points)
    assert [game.sides[0].front for game in store.games()] == [6, 6, 6]
    live = store.live("1")
    assert live is not None
    assert live.sides[0].name == "P1"
    assert store.live("77") is None


def test_two_threads_write_and_read_at_once(store: Store) -> None:
    wrong: list[BaseException] = []

    def play(uid: str) -> None:
        try:
            table = Table(store, uid=uid, names={0: f"P{uid}", 1: "Bob"})
            table.play([(2, 0)])
            store.games()
            store.leaderboard()
        except BaseException as error:
            wrong.append(error)

    threads = [threading.Thread(target=play, args=(uid,)) for uid in ("a", "b", "c")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
    assert [game.whole for game in store.games()] == [True] * 3


def test_two_programs_with_one_board_write_each_event_once(url: str, store: Store, clock: Clock) -> None:
    other = open_store(url, clock=clock)
    table = Table(store)
    table.new()
    for number in range(20):
        table.do("peg", number % 2, 1)
        rows = table.journal()
        other.keep(Report(UID, table.epoch, rows[-3:], table.standing, table.names))
    assert kinds(store, 1) == ["new"] + ["peg"] * 20
    assert other.export_json() == store.export_json()
    other.close()


def test_a_standing_that_is_late_changes_nothing_that_is_newer(store: Store, table: Table) -> None:
    table.new()
    old = table.standing
    table.do("peg", 0, 5)
    before = store.export_json()
    store.keep(Report(UID, table.epoch, [], old, {}))
    assert store.export_json() == before
    assert [side.front for side in store.games()[0].sides] == [5, 0]


def test_the_first_event_of_a_new_board_belongs_to_a_game(store: Store, table: Table) -> None:
    table.press(0, 5)
    table.press(1, 2)
    (game,) = store.games()
    assert [event.fronts for event in events_of(store, game.id)] == [(5, 0), (5, 2)]
    assert game.whole


def test_events_of_a_game_nobody_saw_begin_or_end_are_kept_all_the_same(store: Store, table: Table) -> None:
    table.store = None
    table.new()
    for _ in range(5):
        table.do("peg", 0, 1)
    rows = table.away()[3:]
    table.new()
    rows += table.away()
    store.keep(Report(UID, table.epoch, rows, table.standing, table.names))
    assert len(store.games()) == 1
    assert store.export_json().count('"loose":[{') == 1


def test_events_of_a_game_that_nobody_saw_begin_are_its_own_when_its_begin_is_heard(store: Store, table: Table) -> None:
    table.store = None
    table.new()
    for _ in range(3):
        table.do("peg", 0, 1)
    first = table.away()
    table.new()
    rows = first[2:] + table.away()
    store.keep(Report(UID, table.epoch, rows, table.standing, table.names))
    assert '"loose":[{' in store.export_json()
    store.keep(Report(UID, table.epoch, first[:2], table.standing, table.names))
    assert '"loose":[]' in store.export_json()
    older, _ = store.games()
    assert older.whole
    assert [event.fronts for event in events_of(store, older.id)] == [(0, 0), (1, 0), (2, 0), (3, 0)]


def test_a_game_whose_begin_makes_no_sense_is_as_the_board_says_it_stands(store: Store, table: Table) -> None:
    table.store = None
    table.new(target=61)
    rows = [replace(row, b=0xFFFF) for row in table.away()]
    store.keep(Report(UID, table.epoch, rows, table.standing, table.names))
    table.store = store
    table.do("peg", 1, 3)
    (game,) = store.games()
    assert (game.target, [seat.name for seat in game.seats]) == (61, ["Ann", "Bob"])
    assert [event.fronts for event in events_of(store, game.id)] == [(0, 0), (0, 3)]


@pytest.mark.parametrize("damaged", [{"number": 1 << 40}, {"number": -1}, {"epoch": 1 << 40}, {"rev": 0}])
def test_where_a_board_stood_that_the_disk_has_changed_does_no_harm(
    store: Store, table: Table, url: str, damaged: dict[str, int]
) -> None:
    table.new()
    table.do("peg", 0, 5)
    database = Database(located(url))
    for _ in range(3):
        with database.writing() as connection:
            connection.execute(update(boards).values(**damaged))
        table.do("peg", 1, 3)
    database.close()
    (game,) = store.games()
    assert [event.fronts for event in events_of(store, game.id)] == [(0, 0), (5, 0), (5, 3), (5, 6), (5, 9)]
    assert (game.whole, game.state, store.live(UID)) == (True, "open", game)


def test_a_row_that_makes_no_sense_does_no_harm(store: Store, table: Table) -> None:
    table.new()
    standing: Standing = replace(table.standing, rev=table.match.rev + 1, fronts=(3, 0))
    store.keep(Report(UID, table.epoch, [Event(standing.rev, 9, 0, 0, 999, 0)], standing, table.names))
    assert [event.fronts for event in events_of(store, 1)][-1] == (3, 0)
