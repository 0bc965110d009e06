"""What a board has lost goes from the history too, and its game says so."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from store.house import UID, Clock, Table

from cribboard.store import Store
from cribboard.store.report import Report
from cribboard_core.journal import Journal
from cribboard_core.match import Match
from cribboard_core.records import place
from cribboard_fw.keeper import Keeper


def lose(table: Table) -> None:
    """The board starts again, and its newest record reads wrong."""
    log = table.keeper.journal.log
    flash = log.nvm
    at = place(log.kept[-1])
    flash.memory[at : at + 4] = bytes(4)  # type: ignore[attr-defined]
    match, journal = Match(), Journal(flash)
    assert journal.mount(match, table.epoch + 1)
    table.match = match
    table.keeper = Keeper(table.match, journal, table._happened)
    table.id = 100  # of another session's command


def lose_two(table: Table) -> None:
    """The board has only the new game and the first press of what the history was told."""
    table.begin(table.epoch)
    table.id, table.store = 0, None
    table.new()
    table.press(0, 5)
    table.away()


def events_of(store: Store, game: int) -> list[tuple[int, str, int | None]]:
    replay = store.game(game)
    assert replay is not None
    return [(event.rev, event.kind, event.points) for event in replay.events]


def test_an_event_that_the_board_has_lost_goes_and_is_a_correction(store: Store, table: Table) -> None:
    table.new()
    table.press(0, 5)
    lost = table.press(1, 7)
    lose(table)
    rows = table.journal()
    store.keep(Report(UID, table.epoch, rows, table.standing, table.names, lost=True))
    (game,) = store.games()
    assert [side.front for side in game.sides] == [5, 0]
    assert events_of(store, game.id) == [(1, "new", None), (2, "peg", 5)]
    (correction,) = store.corrections()
    assert (correction.who, correction.what, correction.game) == ("the board", "event lost", game.id)
    assert (correction.before["kind"], correction.before["a"], correction.after) == ("peg", lost.a, {})
    table.press(1, 3)
    assert events_of(store, game.id)[-1] == (3, "peg", 3)
    assert [side.front for side in store.games()[0].sides] == [5, 3]


@pytest.mark.parametrize("command", [True, False])
def test_another_event_under_its_number_takes_its_place(store: Store, table: Table, command: bool) -> None:
    table.new()
    table.press(0, 5)
    table.press(1, 7)
    lose(table)
    if command:
        table.do("peg", 1, 7)
    else:
        table.press(1, 6)
    table.press(0, 1)
    (game,) = store.games()
    assert events_of(store, game.id) == [(1, "new", None), (2, "peg", 5), (3, "peg", 6 + command), (4, "peg", 1)]
    assert [side.front for side in game.sides] == [6, 6 + command]
    (correction,) = store.corrections()
    assert (correction.what, correction.game) == ("event lost", game.id)
    assert (correction.before["a"], correction.after["a"]) == (7, 6 + command)
    assert store.game(game.id).corrections == [correction]  # type: ignore[union-attr]


def test_an_older_report_of_what_a_board_has_lost_takes_nothing_away(store: Store, table: Table, clock: Clock) -> None:
    table.store = None
    table.new()
    (begin,) = table.away()
    at = clock()
    lost, stood = table.press(1, 7), table.standing
    table.away()
    lose(table)
    clock.go(minutes=1)
    instead = table.press(0, 5)
    store.keep(Report(UID, 7, [begin, instead], table.standing, table.names))
    store.keep(Report(UID, 7, [lost], stood, {0: "Cid", 1: "Dee"}, heard=at))
    (game,) = store.games()
    assert events_of(store, game.id) == [(1, "new", None), (2, "peg", 5)]
    assert [side.front for side in game.sides] == [5, 0]
    assert [seat.name for seat in game.seats] == ["Ann", "Bob"]
    (correction,) = store.corrections()
    assert (correction.game, correction.before["a"], correction.after["a"]) == (game.id, 7, 5)
    clock.go(minutes=1)
    store.keep(Report(UID, 7, [lost], stood, table.names))  # the board has it again
    assert events_of(store, game.id) == [(1, "new", None), (2, "peg", 7)]
    (correction,) = store.corrections()
    assert (correction.before["a"], correction.after["a"]) == (5, 7)


def test_the_same_event_again_is_no_loss(store: Store, table: Table) -> None:
    table.new()
    table.press(0, 5)
    lose(table)
    table.press(0, 5)
    store.keep(Report(UID, table.epoch, table.journal(), table.standing, table.names, lost=True))
    assert store.corrections() == []


def test_what_is_undone_to_a_state_that_was_not_heard_is_not_missing(store: Store, table: Table) -> None:
    table.store = None
    table.restore(replace(table.standing, won=(1, 0)))
    table.press(0, 7)
    store.keep(Report(UID, table.epoch, table.away(), table.standing, table.names))
    table.undo()
    table.press(1, 5)
    for rows in (table.away(), table.journal()):
        store.keep(Report(UID, table.epoch, rows, table.standing, table.names, lost=len(rows) > 2))
        assert [game.whole for game in store.games()] == [True]


def test_what_was_given_back_stands_in_the_place_of_what_was_lost(store: Store, table: Table) -> None:
    table.new()
    table.press(0, 5)
    table.press(1, 7)
    known = table.standing
    lose(table)
    table.restore(known)
    (game,) = store.games()
    assert [side.front for side in game.sides] == [5, 7]
    assert events_of(store, game.id)[-1][:2] == (3, "restore")
    assert len(store.corrections()) == 1
    table.do("set", 0, 121, 100)
    (game,) = store.games()
    assert (game.state, game.winner) == ("won", 0)


def test_what_was_lost_and_replaced_does_not_come_back(store: Store, table: Table) -> None:
    table.new()
    table.press(0, 5)
    lost = table.do("peg", 1, 7)
    known = table.standing
    lose(table)
    table.session = lost.session
    restored = table.restore(known)
    assert (restored.rev, restored.session) == (lost.rev, lost.session) and restored.id > lost.id
    kept = [events_of(store, game.id) for game in store.games()]
    rows = [lost if row.rev == lost.rev else row for row in table.journal()]
    store.keep(Report(UID, table.epoch, rows, table.standing, table.names))
    assert [events_of(store, game.id) for game in store.games()] == kept


def test_what_another_game_began_in_the_place_of_was_lost_though_nobody_told(store: Store, table: Table) -> None:
    table.new()
    table.press(0, 5)
    table.press(1, 7)
    table.press(1, 2)
    known = table.standing
    lose(table)
    table.store = None
    table.restore(known)
    table.press(0, 1)
    store.keep(Report(UID, table.epoch, table.journal()[-1:], table.standing, table.names))
    kept = [row for game in store.games() for row in events_of(store, game.id) if row[1] != "gap"]
    assert sorted(kept) == [(1, "new", None), (2, "peg", 5), (3, "peg", 7), (5, "peg", 1)]
    assert [correction.before["a"] for correction in store.corrections()] == [2]


@pytest.mark.parametrize("late", [True, False])
def test_a_game_that_began_in_the_place_of_what_was_lost_unheard_has_none_of_its_pegs(
    store: Store, table: Table, late: bool
) -> None:
    table.new()
    table.press(0, 5)
    table.store = None
    table.press(1, 7)
    store.keep(Report(UID, table.epoch, [], table.standing, table.names))
    lose(table)
    table.new()
    table.press(0, 1)
    new, press = table.journal()[-2:]
    store.keep(Report(UID, table.epoch, [press] if late else [new, press], table.standing, table.names))
    if late:
        store.keep(Report(UID, table.epoch, [new], table.standing, table.names))
    newer, older = sorted(store.games(), key=lambda game: -game.id)
    events = [store.game(game.id).events for game in (older, newer)]  # type: ignore[union-attr]
    assert [[event.fronts for event in each] for each in events] == [[(0, 0), (5, 0)], [(0, 0), (1, 0)]]
    assert [side.front for side in older.sides] == [5, 0]
    assert newer.whole and older.whole


@pytest.mark.parametrize("target", [121, 61])
def test_a_game_of_which_no_event_was_heard_is_that_which_has_its_number_if_it_can_be(
    store: Store, table: Table, target: int
) -> None:
    table.store = None
    table.new()
    store.keep(Report(UID, table.epoch, [], table.standing, table.names))
    store.seat(store.games()[0].id, {0: "Cid"})
    if target != 121:
        table.begin(table.epoch)
        table.new(target=target)
    table.press(0, 5)
    table.press(1, 7)
    lose(table)
    store.keep(Report(UID, table.epoch, table.journal(), table.standing, table.names, lost=True))
    (game,) = store.games()
    assert (game.target, [side.front for side in game.sides]) == (target, [5, 0])
    assert [seat.name for seat in game.seats] == ["Cid" if target == 121 else "Ann", "Bob"]


def test_a_game_of_which_no_event_was_heard_is_lost_when_an_event_of_another_has_its_number(
    store: Store, table: Table
) -> None:
    table.store = None
    table.press(0, 5)
    table.press(1, 2)
    table.away()
    table.restore(replace(table.standing, fronts=(30, 20)))
    table.away()
    store.keep(Report(UID, table.epoch, [], table.standing, table.names))
    lose(table)
    table.press(1, 7)
    store.keep(Report(UID, table.epoch, table.away(), table.standing, table.names))
    (game,) = json.loads(store.export_json())["games"]
    assert [row[1] for row in game["events"]] == [3]


def test_a_number_that_was_known_to_be_lost_is_not_lost_again_when_another_event_has_it(
    store: Store, table: Table, clock: Clock
) -> None:
    table.store = None
    table.new()
    table.press(0, 5)
    first = Report(UID, table.epoch, table.away(), table.standing, table.names, heard=clock())
    clock.go(minutes=1)
    lose(table)
    lost = Report(UID, table.epoch, table.journal(), table.standing, table.names, lost=True, heard=clock())
    clock.go(minutes=1)
    table.press(0, 6)
    (second,) = table.away()
    table.press(1, 7)
    third = Report(UID, table.epoch, table.away(), table.standing, table.names, heard=clock())
    clock.go(minutes=1)
    late = replace(third, events=[second], heard=clock())
    for report in (first, lost, third, late, first):
        store.keep(report)
    (game,) = store.games()
    assert events_of(store, game.id) == [(1, "new", None), (2, "peg", 6), (3, "peg", 7)]


def test_a_state_that_was_heard_before_a_loss_says_nothing_of_when_another_came(
    store: Store, table: Table, clock: Clock
) -> None:
    table.store = None
    table.new()
    table.press(0, 5)
    standing = table.standing
    first = Report(UID, table.epoch, (), standing, table.names, heard=clock())
    clock.go(minutes=1)
    lose(table)
    lost = Report(UID, table.epoch, table.journal(), table.standing, table.names, lost=True, heard=clock())
    clock.go(minutes=1)
    table.new()
    new = Report(UID, table.epoch, (), table.standing, table.names, heard=clock())
    for report in (first, lost, new, first):
        store.keep(report)
    assert store.games()[0].began == clock()


def test_a_game_that_was_lost_with_its_beginning_is_not_the_next_one(store: Store, table: Table) -> None:
    table.win(0)
    table.new(target=61)
    lose(table)
    table.new()
    table.press(0, 5)
    assert [(game.target, game.state) for game in store.games()] == [(121, "open"), (121, "won")]
    assert [side.front for side in store.games()[0].sides] == [5, 0]


def test_a_win_that_was_lost_is_none(store: Store, table: Table) -> None:
    table.win(0)
    assert [game.state for game in store.games()] == ["won"]
    lose(table)
    store.keep(Report(UID, table.epoch, table.journal(), table.standing, table.names, lost=True))
    (game,) = store.games()
    assert (game.state, game.winner, [side.front for side in game.sides]) == ("open", None, [0, 0])
    assert store.leaderboard() == []


def test_an_export_of_a_history_with_losses_can_be_brought_in(store: Store, table: Table) -> None:
    table.new()
    table.press(0, 5)
    early = store.export_json()
    lose(table)
    store.keep(Report(UID, table.epoch, table.journal(), table.standing, table.names, lost=True))
    assert store.import_json(early).events == 0
    table.press(0, 6)
    text = store.export_json()
    assert store.import_json(text).games == 0
    assert store.export_json() == text


def test_what_came_after_an_event_that_was_lost_is_lost_too(store: Store, table: Table) -> None:
    table.new()
    table.press(0, 5)
    table.press(1, 7)
    table.press(0, 2)
    lose_two(table)
    table.store = store
    table.press(1, 6)
    (game,) = store.games()
    assert events_of(store, game.id) == [(1, "new", None), (2, "peg", 5), (3, "peg", 6)]
    assert [side.front for side in game.sides] == [5, 6]
    assert [(row.before["a"], row.after.get("a")) for row in reversed(store.corrections())] == [(7, 6), (2, None)]


@pytest.mark.parametrize("lost", [True, False])
def test_a_press_that_comes_again_after_a_lost_one_keeps_no_pegs_of_before(
    store: Store, table: Table, lost: bool
) -> None:
    table.new()
    table.press(0, 5)
    table.press(1, 7)
    table.press(0, 2)
    lose_two(table)
    table.press(1, 6)
    table.press(0, 2)
    table.press(1, 1)
    store.keep(Report(UID, table.epoch, table.journal(), table.standing, table.names, lost=lost))
    (game,) = store.games()
    events = store.game(game.id).events  # type: ignore[union-attr]
    assert [event.fronts for event in events] == [(0, 0), (5, 0), (5, 6), (7, 6), (7, 7)]
    assert [row.before["a"] for row in store.corrections()] == [7]


def test_a_gap_whose_pegs_were_of_a_lost_event_keeps_none_of_them(store: Store, table: Table) -> None:
    table.press(1, 1)  # begins a new board's first game
    table.press(0, 5)
    table.store = None
    table.press(1, 7)
    store.keep(Report(UID, table.epoch, [], table.standing, table.names))
    lose(table)
    table.press(1, 6)
    table.press(0, 2)
    table.press(1, 1)
    rows, fronts = table.journal(), []
    for heard in (rows[-2:], rows):
        store.keep(Report(UID, table.epoch, heard, table.standing, table.names, lost=True))
        (game,) = store.games()
        fronts.append([event.fronts for event in store.game(game.id).events])  # type: ignore[union-attr]
    assert fronts[0] == [(0, 1), (5, 1), None, None, (7, 8)]
    assert fronts[1] == [(0, 1), (5, 1), (5, 7), (7, 7), (7, 8)]
    assert game.whole


def test_who_played_a_lost_game_does_not_play_the_one_with_its_number(store: Store, table: Table) -> None:
    table.new()
    table.press(0, 5)
    table.names = {0: "Cid", 1: "Dee"}
    lost = table.new()
    lose(table)
    table.store = None
    assert table.new() == lost
    table.press(0, 3)
    table.new()
    store.keep(Report(UID, table.epoch, table.away(), table.standing, {0: "Eve", 1: "Fay"}))
    games = sorted(store.games(), key=lambda game: game.id)
    assert [[seat.name for seat in game.seats] for game in games] == [["Ann", "Bob"], ["Ann", "Bob"], ["Eve", "Fay"]]


def test_what_was_won_before_a_lost_game_was_not_won_before_the_one_with_its_number(store: Store, table: Table) -> None:
    table.new()
    table.press(0, 5)
    known = table.standing
    lost = table.restore(replace(known, won=(1, 0))).rev
    lose(table)
    table.store = None
    assert table.restore(known).rev == lost
    table.press(0, 3)
    table.new()
    store.keep(Report(UID, table.epoch, table.away(), table.standing, table.names))
    assert [[number for _, _, number in store.numbers(game.id)] for game in store.games()] == [[5], [1, lost]]


def test_what_staff_corrected_in_a_lost_game_is_not_corrected_in_the_one_with_its_number(
    store: Store, table: Table, clock: Clock
) -> None:
    table.new()
    table.press(0, 5)
    lost = table.new()
    clock.go(minutes=1)
    store.seat(2, {0: "Cid"})
    store.withdraw(2)
    clock.go(minutes=1)
    lose(table)
    assert table.new() == lost
    table.press(0, 3)
    games = store.games()
    assert [([seat.name for seat in game.seats], game.state) for game in games] == [
        (["Ann", "Bob"], "open"),
        (["Ann", "Bob"], "abandoned"),
    ]
    assert [correction.game for correction in store.corrections()] == [None, None, None]


def test_nobody_is_known_to_have_dealt_first_in_a_game_whose_beginning_is_lost(store: Store, table: Table) -> None:
    empty = table.standing
    table.new(dealer=1)
    table.begin(8)
    table.tell()  # it goes on in another journal, in which nothing happens
    store.keep(Report(UID, 7, (), empty, table.names, lost=True))
    assert [game["dealer"] for game in json.loads(store.export_json())["games"]] == [None, None]


def test_a_journal_that_is_there_again_may_have_lost_an_event(store: Store, table: Table) -> None:
    table.new()
    table.press(0, 5)
    lost = table.press(1, 7)
    lose(table)
    epoch, match, keeper = table.epoch, table.match, table.keeper
    table.begin(epoch + 1)
    table.new()
    table.epoch, table.match, table.keeper = epoch, match, keeper
    assert table.press(1, 6).rev == lost.rev
    (correction,) = store.corrections()
    assert (correction.before["a"], correction.after["a"]) == (7, 6)
