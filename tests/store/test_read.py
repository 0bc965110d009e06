"""What the history shows: pages of games, tables, players, rivals, and all of it as JSON."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from store.house import Clock, Table

from cribboard.computer.levels import LEVELS, player_name
from cribboard.errors import ArgumentError
from cribboard.store import Store
from cribboard.store.read import RANKED
from cribboard.store.report import Report
from cribboard.store.statistics import window


def names(store: Store) -> dict[str, int]:
    return {name: player for player, name in store.players()}


def test_a_game_is_told_in_words_as_it_was_played(store: Store, table: Table) -> None:
    table.new()
    table.do("peg", 0, 5)
    table.do("deal", -1)
    table.undo()
    table.do("hand", 1, "5H5C5SJD", "5D", 0, 29)
    table.do("penalty", 0, 2, 0)
    table.do("set", 0, 121, 5)
    replay = store.game(1)
    assert replay is not None
    assert [event.text for event in replay.events] == [
        "New game to 121: Ann, Bob. Ann deals.",
        "Ann pegs 5, now at 5.",
        "The deal passes to Bob.",
        "Undid: The deal passes to Bob. Ann deals.",
        "Bob counts 29, now at 29.",
        "Bob pegs 2 for an error by Ann. Bob 31.",
        "Ann is set to 121, back peg at 5. Ann wins with 121. Bob has 31, double-skunked.",
    ]
    entry = json.loads(json.dumps(replay.entry()))
    assert entry["events"][1] == {
        "kind": "peg",
        "rev": 2,
        "at": "2026-03-02T20:00:00Z",
        "side": 1,
        "points": 5,
        "text": "Ann pegs 5, now at 5.",
        "fronts": [5, 0],
        "backs": [0, 0],
        "dealer": 1,
        "winner": None,
    }
    assert entry["events"][2]["gone"] is True
    assert (entry["winner"], entry["sides"][1]["lost"], entry["seats"][1]["name"]) == (1, 3, "Bob")
    assert store.game(99) is None


def test_points_for_an_error_are_told_rightly_whoever_erred_and_how(store: Store, table: Table) -> None:
    table.new()
    table.do("peg", 0, 25)  # of a hand of 29
    table.do("muggins", 1, 4, 0)  # Ann missed them
    table.do("hand", 1, "2H4C6S8D", "9D", 0, 4)
    table.do("muggins", 1, 3, 0)  # Ann called them, and Bob had not missed them: they are Bob's
    table.undo()
    table.do("penalty", 0, 2, 0)  # what Ann claimed too much goes to Bob like this
    replay = store.game(1)
    assert replay is not None
    texts = [event.text for event in replay.events if "error" in event.text]
    assert texts == [
        "Bob pegs 4 by muggins for an error by Ann, now at 4.",
        "Bob pegs 3 by muggins for an error by Ann, now at 11.",
        "Undid: Bob pegs 3 by muggins for an error by Ann. Bob 8.",
        "Bob pegs 2 for an error by Ann. Bob 10.",
    ]


def test_what_is_not_known_is_told_without_scores(store: Store, table: Table) -> None:
    table.store = None
    table.new()
    table.do("peg", 0, 5)
    rows = [table.do("peg", 1, 3), table.do("deal", -1), table.undo(), table.redo()]
    table.away()
    store.keep(Report(table.uid, table.epoch, rows, table.standing, table.names))
    replay = store.game(1)
    assert replay is not None
    assert [event.text for event in replay.events] == [
        "2 events are missing.",
        "Bob pegs 3.",
        "The deal passes to Bob.",
        "Undid: The deal passes to Bob.",
        "Redid: The deal passes to Bob. Bob deals.",
    ]
    table.undo()
    rows = [table.undo()]
    store.keep(Report(table.uid, table.epoch, rows, table.standing, table.names))
    table.news = []
    assert (store.game(1) or replay).events[-1].text == "Undid: Bob pegs 3. Bob 0."


def test_an_undo_of_something_unheard_says_so(store: Store, table: Table) -> None:
    table.store = None
    table.new()
    table.do("peg", 0, 5)
    rows = [table.undo(), table.redo()]
    table.away()
    store.keep(Report(table.uid, table.epoch, rows, table.standing, table.names))
    replay = store.game(1)
    assert replay is not None
    texts = [event.text for event in replay.events]
    assert texts == [
        "2 events are missing.",
        "The newest event was taken back.",
        "What was last taken back was brought back.",
    ]


def test_games_come_by_pages_the_newest_first(store: Store, table: Table, clock: Clock) -> None:
    for _ in range(5):
        table.win(0)
        clock.go(minutes=10)
    first = store.games(limit=2)
    assert [game.id for game in first] == [5, 4]
    assert [game.id for game in store.games(limit=9, before=4)] == [3, 2, 1]
    table.names = {0: "Cleo", 1: "Bob"}
    table.win(0)
    assert [game.id for game in store.games(player=names(store)["Cleo"])] == [6]


def test_the_leaderboard_has_acc_points(store: Store, table: Table) -> None:
    table.win(0, other=95)
    table.win(0, other=80)
    table.win(1, other=0)
    table.names = {0: "Ann"}
    table.win(1)
    lines = store.leaderboard()
    assert [(line.place, line.name, line.games, line.won, line.points) for line in lines] == [
        (1, "Ann", 4, 2, 5),
        (2, "Bob", 3, 1, 3),
    ]
    assert [(line.spread, line.skunks, line.skunked) for line in lines] == [
        (26 + 41 - 121 - 121, 1, 2),
        (121 - 26 - 41, 1, 1),
    ]
    assert lines[0].entry()["player"] == names(store)["Ann"]


def test_who_is_equal_shares_a_place(store: Store, table: Table) -> None:
    table.win(0, other=100)
    table.win(1)
    table.undo()
    table.do("set", 0, 100, 0)
    table.do("set", 1, 121, 0)
    assert [(line.place, line.name) for line in store.leaderboard()] == [(1, "Ann"), (1, "Bob")]


def test_a_leaderboard_is_of_its_night_its_week_or_its_season(store: Store, table: Table, clock: Clock) -> None:
    clock.at = datetime(2026, 3, 31, 23, 0, tzinfo=UTC)  # a Tuesday
    table.win(0)
    clock.at = datetime(2026, 4, 1, 5, 59, tzinfo=UTC)
    table.win(0)
    clock.at = datetime(2026, 4, 1, 6, 0, tzinfo=UTC)
    table.win(0)
    clock.at = datetime(2026, 4, 6, 20, 0, tzinfo=UTC)  # the next Monday
    table.win(0)
    played = {period: store.leaderboard(period)[0].games for period in ("night", "week", "season", "ever")}
    assert played == {"night": 1, "week": 1, "season": 2, "ever": 4}
    assert store.leaderboard("night", datetime(2026, 4, 1, 3, 0, tzinfo=UTC))[0].games == 2
    assert store.leaderboard("week", datetime(2026, 4, 1, 3, 0, tzinfo=UTC))[0].games == 3
    with pytest.raises(ArgumentError, match="there is no period 'year'; choose one of night, week, season, ever"):
        store.leaderboard("year")


def test_a_night_has_its_best_hand_and_its_streaks(store: Store, table: Table, clock: Clock) -> None:
    assert store.tonight().entry() == {"players": [], "best_hand": None, "streaks": []}

    def win(side: int, *counted: tuple[int, str, str, int]) -> None:
        table.new()
        for one in counted:
            hand(table, *one)
        out(table, side)

    win(1, (1, "5H5C5SJD", "5D", 29))
    clock.at = datetime(2026, 3, 3, 6, 0, tzinfo=UTC)  # as the night begins
    win(0, (0, "2H3C4SKD", "5D", 8), (1, "4H5C6SKD", "5D", 16))
    win(0)
    night = store.tonight().entry()
    best = night["best_hand"]
    assert (best["by"], best["side"], best["points"], best["cards"], best["starter"]) == (
        "Bob",
        2,
        16,
        "4H5C6SKD",
        "5D",
    )
    assert night["streaks"] == [{"name": "Ann", "won": 2}]
    assert [line["name"] for line in night["players"]] == ["Ann", "Bob"]
    table.win(1)  # by a score that was set
    assert store.tonight().entry()["streaks"] == [{"name": "Ann", "won": 2}]
    win(1)
    assert store.tonight().streaks == []


def out(table: Table, side: int) -> None:
    """A side pegs out."""
    while table.match.winner < 0:
        table.do("peg", side, 40)


@pytest.mark.parametrize(
    ("events", "among"),
    [
        ([], "people"),
        ([("set", 1, 20, 0)], "people"),  # a handicap
        ([("set", 1, 70, 0)], "corrected"),  # more than anybody gives
        ([("peg", 1, 5), ("set", 1, 8, 5)], "corrected"),
        ([("peg", 1, 5), ("deal", 1), ("set", 1, 8, 5)], "corrected"),
        ([("set", 0, 121, 100)], "corrected"),
        ([("peg", 1, 5), ("penalty", 1, 2, 0), ("deal", 1)], "people"),
    ],
)
def test_games_with_a_corrected_score_are_told_and_ranked_apart(
    store: Store, table: Table, events: list[tuple[Any, ...]], among: str
) -> None:
    table.new()
    for op, *args in events:
        table.do(op, *args)
    out(table, 0)
    (game,) = store.games(1)
    assert game.among == among
    assert game.entry().get("among", "people") == among
    ranked = {kind: [(line.name, line.won) for line in store.leaderboard(among=kind)] for kind in RANKED}
    assert ranked == {kind: [("Ann", 1), ("Bob", 0)] if kind == among else [] for kind in RANKED}
    assert [(line.name, line.won) for line in store.leaderboard()] == [("Ann", 1), ("Bob", 0)]
    replay, ann = store.game(game.id), store.player(names(store)["Ann"])
    assert replay is not None and replay.game.among == among
    assert ann is not None and ann.among == {kind: (1, 1) if kind == among else (0, 0) for kind in RANKED}


def test_a_corrected_score_that_was_taken_back_is_none(store: Store, table: Table) -> None:
    table.new()
    table.do("peg", 1, 5)
    table.do("set", 1, 8, 5)
    table.undo()
    out(table, 0)
    assert store.games(1)[0].among == "people"


@pytest.mark.parametrize("level", LEVELS)
def test_games_against_the_computer_are_ranked_apart_without_the_computer(
    store: Store, table: Table, level: str
) -> None:
    table.names = {0: "Ann", 1: player_name(level)}
    table.new()
    hand(table, 1, "5H5C5SJD", "5D", 29)
    hand(table, 0, "2H3C4SKD", "5D", 8)
    out(table, 1)
    table.new()
    out(table, 0)
    assert [game.among for game in store.games(2)] == ["computer", "computer"]
    assert [(line.name, line.won, line.games) for line in store.leaderboard(among="computer")] == [("Ann", 1, 2)]
    assert store.leaderboard(among="people") == []
    night = store.tonight()
    assert (night.lines, night.streaks) == ([], [])
    assert night.best_hand is not None
    assert (night.best_by, night.best_hand.points) == ("Ann", 8)


def test_the_computer_that_staff_have_renamed_is_still_the_computer(store: Store, table: Table) -> None:
    table.names = {0: "Ann", 1: player_name("club")}
    table.new()
    out(table, 1)
    store.rename(names(store)[player_name("club")], "Robby")
    with pytest.raises(ArgumentError, match="is the computer's"):
        store.rename(names(store)["Ann"], player_name("club"))
    assert (store.games(1)[0].among, store.leaderboard(among="people")) == ("computer", [])


def test_a_ranking_that_is_none_is_refused(store: Store) -> None:
    with pytest.raises(ArgumentError, match="no games are ranked as 'cats'; choose one of people, computer, corrected"):
        store.leaderboard(among="cats")


def test_the_clock_of_the_house_may_be_the_computers() -> None:
    begin, end = window("night", datetime(2026, 7, 1, 12, 0, tzinfo=UTC))
    assert begin is not None
    assert end is not None
    assert begin.astimezone().hour == end.astimezone().hour == 6
    assert end - begin == timedelta(days=1)
    assert [at and at.month for at in window("season", datetime(2026, 12, 31, 12, 0, tzinfo=UTC), UTC)] == [10, 1]


def hand(table: Table, side: int, cards: str, starter: str, points: int, crib: int = 0) -> None:
    table.store, store = None, table.store
    table.do("hand", side, cards, starter, crib, points)
    table.store = store
    table.tell(cards=cards, starter=starter)


def test_a_player_has_averages_and_bests_of_what_is_known(store: Store, table: Table) -> None:
    table.new()
    table.do("peg", 0, 3)
    hand(table, 0, "5H5C5SJD", "5D", 29)
    hand(table, 0, "2H4C6S8D", "9D", 4, crib=1)
    table.do("deal", -1)
    table.do("go", 0)
    table.do("peg", 0, 9)
    table.do("peg", 0, 20)
    table.undo()
    hand(table, 0, "2H3C4S5D", "KD", 8)
    table.do("set", 0, 121, 0)
    table.win(1, other=0)
    table.win(0)
    table.win(0)
    ann = store.player(names(store)["Ann"])
    assert ann is not None
    assert (ann.hand, ann.crib, ann.pegging, ann.best_deal, ann.best_pegging) == (18.5, 4.0, 13.0, 10, 13)
    assert ann.best_hand is not None
    assert (ann.best_hand.points, ann.best_hand.cards, ann.best_hand.game) == (29, "5H5C5SJD", 1)
    assert (ann.games, ann.won, ann.skunks, ann.skunked, ann.streak, ann.longest) == (4, 3, 3, 1, 2, 2)
    bob = store.player(names(store)["Bob"])
    assert bob is not None
    assert (bob.hand, bob.pegging, bob.best_hand, bob.streak, bob.longest) == (None, None, None, -2, 1)
    assert json.loads(json.dumps(ann.entry()))["best_hand"]["starter"] == "5D"
    assert json.loads(json.dumps(bob.entry()))["best_hand"] is None
    assert store.player(99) is None


def test_what_was_brought_back_counts_again(store: Store, table: Table) -> None:
    table.new()
    hand(table, 0, "5H5C5SJD", "5D", 29)
    table.undo()
    table.redo()
    replay = store.game(1)
    assert replay is not None
    assert [event.gone for event in replay.events] == [False] * 4
    table.do("set", 0, 121, 0)
    ann = store.player(names(store)["Ann"])
    assert ann is not None
    assert ann.hand == 29.0


def test_what_buttons_pegged_is_not_taken_for_the_play(store: Store, table: Table) -> None:
    table.new()
    table.do("peg", 0, 3)
    hand(table, 0, "5H5C5SJD", "5D", 29)
    table.press(0, 12)
    table.do("set", 0, 121, 0)
    ann = store.player(names(store)["Ann"])
    assert ann is not None
    assert (ann.hand, ann.pegging) == (29.0, None)


def test_a_hand_that_was_pegged_as_points_is_not_taken_for_the_play(store: Store, table: Table) -> None:
    pegging = []
    for enters in (
        lambda: hand(table, 0, "5H5C5SJD", "5D", 29),
        lambda: table.do("peg", 0, 29),  # no card was entered
    ):
        table.new()
        table.do("peg", 0, 3)
        enters()
        hand(table, 0, "2H4C6S8D", "9D", 4, crib=1)
        table.do("deal", -1)
        hand(table, 0, "2H3C4S5D", "KD", 8)
        table.do("set", 0, 121, 0)
        ann = store.player(names(store)["Ann"])
        assert ann is not None
        pegging.append((ann.hand, ann.pegging))
    assert pegging == [(18.5, 3.0), (15.0, 3.0)], "the second game is not known"


def test_partners_share_a_game_but_nobody_knows_who_counted(store: Store, table: Table) -> None:
    table.names = {0: "Ann", 1: "Bob", 2: "Cleo", 3: "Dev"}
    table.new(mask=15, sides=2)
    hand(table, 0, "5H5C5SJD", "5D", 29)
    table.do("set", 0, 121, 0)
    assert {line.name: line.points for line in store.leaderboard()} == {"Ann": 3, "Cleo": 3, "Bob": 0, "Dev": 0}
    cleo = store.player(names(store)["Cleo"])
    assert cleo is not None
    assert (cleo.games, cleo.won, cleo.hand) == (1, 1, None)
    assert store.games()[0].sides[0].name == "Ann and Cleo"


def test_two_players_against_each_other(store: Store, table: Table) -> None:
    table.win(0, other=100)
    table.win(0)
    table.win(1, other=0)
    table.names = {0: "Ann", 1: "Cleo", 2: "Bob"}
    table.new(mask=7, sides=3)
    table.do("set", 1, 121, 0)
    who = names(store)
    met = store.head_to_head(who["Ann"], who["Bob"])
    assert met is not None
    assert (met.played, met.won, met.skunks, met.spread) == (4, (2, 1), (1, 1), 21)
    assert [game.id for game in met.games] == [4, 3, 2, 1]
    assert met.games[-1].line == ((0, 0), (0, 100), (121, 100))
    assert json.loads(json.dumps(met.entry()))["names"] == ["Ann", "Bob"]
    assert store.head_to_head(who["Ann"], 99) is None
    other = store.head_to_head(who["Bob"], who["Cleo"])
    assert other is not None
    assert other.won == (0, 1)


def test_a_win_that_cannot_be_is_in_no_table(store: Store, table: Table) -> None:
    from dataclasses import replace

    table.new()
    table.store = None
    table.do("peg", 0, 5)
    store.keep(Report(table.uid, table.epoch, table.away(), replace(table.standing, winner=0), table.names))
    assert store.games()[0].state == "won"
    assert store.leaderboard() == []


def test_a_board_that_nobody_has_touched_has_no_game_to_show(store: Store, table: Table) -> None:
    table.names = {}
    store.keep(Report(table.uid, table.epoch, [], table.standing, {}))
    assert store.games() == []
    other = Table(store, uid="aa")
    other.new()
    assert [game.board for game in store.games()] == ["aa"]
    table.do("peg", 0, 2)
    assert {game.board: game.sides[0].front for game in store.games()} == {"aa": 0, table.uid: 2}


def test_a_board_at_which_somebody_sits_has_a_game_to_show(store: Store, table: Table) -> None:
    store.keep(Report(table.uid, table.epoch, [], table.standing, {1: "Bob"}))
    assert [seat.name for game in store.games() for seat in game.seats] == [None, "Bob"]


@pytest.mark.parametrize("names", [{}, {0: "Ann"}])
def test_a_game_that_was_begun_is_shown_before_its_first_point(
    store: Store, table: Table, names: dict[int, str]
) -> None:
    table.names = names
    table.new()
    assert [game.state for game in store.games()] == ["open"]


def test_a_players_hands_are_told_apart_by_who_dealt(store: Store, table: Table) -> None:
    table.new(dealer=0)
    table.do("hand", 0, "5H5C5SJD", "5D", 0, 29)  # as dealer
    table.do("hand", 0, "4H4C6S6D", "5D", 1, 24)  # the crib
    table.do("hand", 1, "2H4C6S8D", "9D", 0, 4)
    table.do("deal", -1)
    table.do("hand", 0, "2H4C6S8D", "9D", 0, 4)  # as pone
    table.do("deal", -1)
    table.undo()
    table.do("hand", 0, "2H4C6S8D", "9D", 0, 4)  # as pone: the deal was taken back
    table.do("set", 0, 121, 5)
    ann = store.player(names(store)["Ann"])
    assert ann is not None
    assert ann.entry()["deals"] == {
        "dealer": {"mean": 29.0, "count": 1},
        "pone": {"mean": 4.0, "count": 2},
        "crib": {"mean": 24.0, "count": 1},
    }


def test_a_hand_of_which_nobody_knows_who_dealt_is_neither_the_dealers_nor_the_pones(
    store: Store, table: Table
) -> None:
    table.new(dealer=0)
    table.do("hand", 0, "5H5C5SJD", "5D", 0, 29)
    table.store = None
    table.do("deal", -1)
    table.away()
    table.do("hand", 0, "2H4C6S8D", "9D", 0, 4)
    table.do("deal", -1)
    table.store = store
    table.tell()
    table.do("set", 0, 121, 5)
    ann = store.player(names(store)["Ann"])
    assert ann is not None
    assert ann.hand == 16.5
    assert {name: one.count for name, one in ann.deals.items()} == {"dealer": 1, "pone": 0, "crib": 0}


def test_a_game_has_the_way_of_its_score_where_it_is_asked_for(store: Store, table: Table) -> None:
    table.new()
    table.do("peg", 0, 5)
    table.do("peg", 1, 7)
    table.undo()
    table.do("deal", -1)
    table.do("peg", 1, 3)
    (game,) = store.games(lines=True)
    assert game.line == ((0, 0), (5, 0), (5, 3))  # what was taken back is not in it, nor what moved no peg
    assert game.entry()["line"] == [[0, 0], [5, 0], [5, 3]]
    assert "line" not in store.games()[0].entry()
