"""Orders on a night: each is carried out once however often it is sent, and what is planned stays fair."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, suppress
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from secrets import token_urlsafe
from typing import Any

import pytest
from store.house import Table

from cribboard.errors import ArgumentError
from cribboard.league.acts import Act
from cribboard.league.state import Match, State
from cribboard.service import night_orders, night_plan, nights
from cribboard.service.night_plan import Actor
from cribboard.service.night_sheet import read_sheet, take_sheet
from cribboard.service.night_wish import read_wish
from cribboard.service.orders import OrderError
from cribboard.store import Store, open_store
from cribboard.store.contests import Night

STAFF = Actor("staff", True)
NAMES = ("Ann", "Bob", "Cid", "Dee", "Eve", "Fay", "Gus", "Hal")


class Evening:
    """A night in a history, whose matches are called as soon as they can be."""

    def __init__(self, store: Store, players: int, **wish: Any) -> None:
        self.store = store
        body = {"names": list(NAMES[:players]), "preset": "club", "boards": [], "wooden": 2, **wish}
        self.number = nights.begin(store, read_wish(body, []), STAFF, datetime.now(UTC)).contest.id

    @property
    def night(self) -> Night:
        return self.store.contest(self.number)

    @property
    def state(self) -> State:
        return self.night.state

    def do(self, what: str, by: Actor = STAFF, key: str = "", **fields: Any) -> None:
        night_orders.do(self.store, self.number, by, {"do": what, "key": key or token_urlsafe(18), **fields})
        for _ in range(2):  # a round that is drawn is called the next time
            nights.tick(self.store, self.number, {})

    def matches(self, number: int = 0) -> list[Match]:
        """The matches that are no byes, of a round or of all."""
        return [each for each in self.state.live() if not each.is_bye and number in (0, each.round)]

    def finish(self, many: int = 1) -> None:
        for _ in range(many):
            match = next(each for each in self.matches() if each.called and not each.over(self.night.rules))
            self.do("settle", match=match.number, scores=[121, 90])


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with closing(open_store(f"sqlite:///{tmp_path}/kiosk.db")) as opened:
        yield opened


def won_on_board(store: Store, *names: str, players: int = 2, teams: int = 0) -> int:
    """The number of a game of these that a board has counted."""
    Table(store, dict(enumerate(names))).play([(players, teams)], slips=0)
    return store.last_game()


@pytest.mark.parametrize("what", ["swap", "more", "enter", "again", "attach", "walkover", "leave", "strike", "adjust"])
def test_an_order_that_is_sent_again_is_done_once(store: Store, what: str) -> None:
    """Its answer was lost: the page sends it with the same key, also after somebody has closed the night."""
    evening = Evening(store, 6, rounds=3, best_of=3)
    one, other = evening.matches(3)[:2]
    stranger = next(each for each in NAMES if NAMES.index(each) + 1 not in evening.matches(1)[0].players)
    game = won_on_board(store, NAMES[evening.matches(1)[0].players[0] - 1], stranger)
    fields = {"match": one.number, "other": other.number, "name": "Zed", "side": 1, "entrant": 1}
    order = {**fields, "game": game, "points": 100, "text": "so it is", "key": token_urlsafe(18)}
    evening.do(what, **order)
    before = evening.state
    evening.do(what, **order)
    evening.do("close")
    evening.do(what, **order)
    evening.do("reopen", text="a slip")
    assert (evening.state.matches, evening.state.entrants) == (before.matches, before.entrants)
    assert evening.state.adjusted == before.adjusted


def test_a_newcomer_is_on_the_list_and_in_the_plan_or_in_neither(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    evening = Evening(store, 5, rounds=3)
    with monkeypatch.context() as patch:
        patch.setattr(night_plan, "plan", lambda *_, **__: 1 // 0)  # as if the kiosk were killed there
        with pytest.raises(ZeroDivisionError):
            evening.do("enter", name="Zed")
    assert "Zed" not in evening.night.names.values()
    evening.do("enter", name="Zed")
    assert any(6 in match.players for match in evening.matches(3))
    evening.do("close")
    with pytest.raises(OrderError, match="closed"):
        evening.do("enter", name="Yul")
    assert "Yul" not in evening.night.names.values()


@pytest.mark.parametrize("what", ["enter", "leave", "again"])
def test_a_round_for_those_who_sat_out_stays_when_the_rest_is_planned_again(store: Store, what: str) -> None:
    evening = Evening(store, 5, rounds=2)
    evening.do("more")
    assert evening.matches(3)
    gone = next(who for who in evening.state.here if not any(who in each.players for each in evening.matches(3)))
    evening.do(what, name="Zed", entrant=gone)
    games = {who: sum(who in each.players for each in evening.matches(1) + evening.matches(2)) for who in range(1, 7)}
    fewest = {who for who in evening.state.here if games[who] < max(games.values())}
    assert len(fewest) < 2 or {who for each in evening.matches(3) for who in each.players} <= fewest
    assert bool(evening.matches(3)) == (len(fewest) > 1)


def test_a_pair_of_latecomers_is_the_same_in_each_round(store: Store) -> None:
    evening = Evening(store, 4, draw="pairs", rounds=2)
    evening.do("more")
    for name in ("Gus", "Hal", "Ivy", "Jo", "Kit", "Lou"):
        evening.do("enter", name=name)
    sides = {side for match in evening.matches() for side in match.sides}
    assert len(sides) == 5


def test_whoever_was_left_alone_does_not_sit_out_again(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Their opponent left before the game, so that they have played less than the others."""
    for seed in range(8):
        monkeypatch.setattr(night_plan, "CHANCE", lambda seed=seed: Random(seed))
        evening = Evening(store, 6, rounds=3, wooden=3)
        struck = [Act(number=0, kind="correct", match=each.number, text="struck") for each in evening.matches()]
        drawn = [between(*each) for each in [(1, 1, 2), (1, 3, 4), (1, 5, 6), (2, 1, 3), (2, 4, 6), (2, 2, 5)]]
        made = add(evening, struck + drawn).acts[-6:]
        add(evening, [Act(number=0, kind="call", match=act.number) for act in made[:5]])
        night_orders.do(store, evening.number, STAFF, {"do": "leave", "key": token_urlsafe(18), "entrant": 5})
        assert any(2 in each.players for each in evening.matches(3))
        evening.do("close")


def add(evening: Evening, acts: list[Act]) -> Night:
    return evening.store.act(evening.number, lambda *_: acts)


def between(number: int, home: int, away: int) -> Act:
    return Act(number=0, kind="match", round=number, table=101, home=home, away=away, first=0)


@pytest.mark.parametrize("what", ["enter", "return"])
def test_games_are_planned_for_those_who_come_when_all_had_gone(store: Store, what: str) -> None:
    evening = Evening(store, 2, rounds=1)
    evening.do("strike", match=evening.matches()[0].number)
    evening.do("leave", entrant=1)
    assert not evening.matches()
    evening.do(what, entrant=1, name="Zed")
    assert [each.called for each in evening.matches(1)] == [True]


@pytest.mark.parametrize("what", ["enter", "leave"])
def test_a_swiss_round_is_drawn_when_the_one_before_is_over(store: Store, what: str) -> None:
    evening = Evening(store, 6, rounds=3, draw="swiss", wooden=3)
    evening.finish()
    gone = next(each for each in evening.matches(1) if each.legs).players[1]
    evening.do(what, name="Zed", entrant=gone)
    assert not evening.matches(2)
    evening.finish(2)
    assert len(evening.matches(2)) == {"enter": 3, "leave": 2}[what]


def test_a_round_for_those_who_sat_out_takes_no_swiss_rounds_place(store: Store) -> None:
    evening = Evening(store, 5, rounds=3, draw="swiss", wooden=3)
    evening.finish(2)
    evening.do("more")
    evening.finish(5)
    assert [len(evening.matches(number)) for number in range(1, 5)] == [2, 2, 2, 1]


def test_a_swiss_round_leaves_a_round_for_those_who_sat_out_that_has_begun(store: Store) -> None:
    """Those who play in it are free late, and nobody is drawn for it again."""
    evening = Evening(store, 7, rounds=3, draw="swiss", wooden=4)
    evening.finish(3)
    evening.do("more")
    (extra,) = evening.matches(4)
    while not evening.matches(3):
        match = next(each for each in evening.matches() if each.called and not each.over(evening.night.rules))
        if match.number == extra.number:
            match = next(each for each in evening.matches(2) if each.called and not each.over(evening.night.rules))
        evening.do("settle", match=match.number, scores=[121, 90])
    assert [each.number for each in evening.matches(4)] == [extra.number]


def test_a_swiss_round_whose_matches_were_struck_is_drawn_again_whole(store: Store) -> None:
    evening = Evening(store, 5, rounds=2, draw="swiss", wooden=1)
    evening.finish()
    evening.do("strike", match=evening.matches(2)[0].number)
    second = [who for each in evening.state.live() if each.round == 2 for who in each.players]
    assert sorted(second) == [1, 2, 3, 4, 5]


def test_whoever_has_another_partner_since_theirs_left_keeps_that_one(store: Store) -> None:
    evening = Evening(store, 8, rounds=3, draw="pairs", wooden=4)
    one, other = evening.matches(3)[0].sides
    for gone in (one[1], other[1]):
        evening.do("leave", entrant=gone)
    evening.do("return", entrant=one[1])
    pairs = [*night_plan.sides_here(evening.night, evening.state).values()]
    assert sorted(who for pair in pairs for who in pair) == sorted({*evening.state.here} - {one[1]})
    assert {one[0], other[0]} in map(set, pairs)


@pytest.mark.parametrize("seed", range(4))
def test_after_any_orders_everybody_plays_one_match_of_a_round(
    store: Store, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    """At one table at a time, and nobody who has left."""
    chance = Random(seed)
    monkeypatch.setattr(night_plan, "CHANCE", lambda: Random(chance.random()))
    draw = ["all", "swiss", "pairs", "partners"][seed % 4]
    wish = {"preset": "partners-drawn"} if draw == "partners" else {"draw": draw}
    best_of = chance.choice([1, 3])
    evening = Evening(store, chance.choice([6, 8]), rounds=3, wooden=chance.randint(1, 3), best_of=best_of, **wish)
    for _ in range(30):
        what = chance.choice(["settle"] * 6 + ["leave", "return", "enter", "again", "more", "swap", "strike", "pin"])
        one, other = (chance.choice(evening.matches() or [Match(0, 0, 0, ())]).number for _ in range(2))
        entrant, tables = chance.choice([*evening.state.entrants]), evening.night.contest.tables
        with suppress(ArgumentError, OrderError):
            name = f"New {evening.state.acts}"
            table = chance.choice([0, *tables])
            evening.do(what, match=one, other=other, scores=[121, 90], entrant=entrant, table=table, name=name)
        live = evening.state.live()
        seats = [(each.round, who) for each in live for who in each.players]
        assert len({*seats}) == len(seats)
        playing = [each for each in live if each.called and not each.over(evening.night.rules)]
        busy = [who for each in playing for who in each.players]
        assert len({*busy}) == len(busy)
        assert len({each.table for each in playing} & {*tables}) == len(playing)
        assert not {who for each in live if not night_plan.begun(each) for who in each.players} - {*evening.state.here}


@pytest.mark.parametrize(
    ("played", "side", "legs"),
    [
        ([], 0, {1: 0, 2: 0}), ([0], 0, {2: 0}), ([0], 1, {2: 1, 3: 1}), ([0, 1], 1, {3: 1}),
        ([0, 0], 1, {2: 1, 3: 1}), ([0, 1, 0], 1, {3: 1}), ([0, 0], 0, {2: 0}),
    ],
)  # fmt: skip
def test_a_walk_over_gives_a_match_of_several_games_to_one_side(
    store: Store, played: list[int], side: int, legs: dict[int, int]
) -> None:
    evening = Evening(store, 2, rounds=1, best_of=3)
    (match,) = evening.matches()
    for winner in played:
        evening.do("settle", match=match.number, scores=[[121, 90], [90, 121]][winner])
    over = evening.matches()[0].over(evening.night.rules)
    evening.do("walkover", match=match.number, side=side, undecided=not over)
    (match,) = evening.matches()
    assert {leg: each.won for leg, each in match.legs.items() if each.won is not None} == legs
    assert max(match.legs) <= 3 and match.wins()[side] == 2 > match.wins()[1 - side]
    with pytest.raises(OrderError, match="just been decided"):
        evening.do("walkover", match=match.number, side=1 - side, undecided=True)


def test_a_match_that_was_begun_beside_the_plan_goes_on_at_a_table(store: Store) -> None:
    """Of best of three, one game was played; nobody is called to a table that is not there."""
    evening = Evening(store, 4, rounds=1, best_of=3)
    one, other = (each.players[0] for each in evening.matches())
    take_sheet(store, evening.number, f"{NAMES[one - 1]} 121 {NAMES[other - 1]} 90\n", STAFF, token_urlsafe(18))
    evening.finish(4)
    beside = next(each for each in evening.matches() if {*each.players} == {one, other})
    assert beside.called and beside.table in evening.night.contest.tables and beside.next_leg() == 2


def test_a_list_has_no_game_of_a_round_that_the_night_has_not(store: Store) -> None:
    """Rounds up to one in which somebody has played are not planned again, for a latecomer or anybody."""
    evening = Evening(store, 4, rounds=3)
    sheet = read_sheet(evening.night, "# round: 4\nAnn 121 Bob 90\n", STAFF, token_urlsafe(18))
    assert sheet.bad == ("the list, line 2: a game of round 4; this night has 3 rounds",)
    assert not read_sheet(evening.night, "# round: 3\nAnn 121 Bob 90\n", STAFF, token_urlsafe(18)).bad
    for text in ("Ann 121 Bob 90\n", "Cid 121 Dee 90\n"):  # another list has another result
        take_sheet(store, evening.number, text, STAFF, token_urlsafe(18))
    assert sum(leg.scores is not None for each in evening.matches() for leg in each.legs.values()) == 2


def test_a_swiss_night_begins_by_lot_and_the_next_round_is_drawn_for_its_director(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn = set()
    for seed in range(4):
        monkeypatch.setattr(night_plan, "CHANCE", lambda seed=seed: Random(seed))
        evening = Evening(store, 6, rounds=2, draw="swiss", wooden=3)
        evening.do("close") if seed < 3 else None
        drawn.add(frozenset(frozenset(each.players) for each in evening.matches()))
    assert len(drawn) > 1
    evening.finish(3)
    assert len(evening.matches(2)) == 3
    assert {act.source for act in evening.night.acts if act.kind in ("plan", "match")} == {"staff"}


@pytest.mark.parametrize("what", ["report", "agree", "wrong"])
def test_a_phone_hears_that_its_match_counts_for_nothing(store: Store, what: str) -> None:
    evening = Evening(store, 2, rounds=1)
    (match,) = evening.matches()
    phones = [Actor("phone 1", False), Actor("phone 2", False)]
    for who, phone in zip(match.players, phones, strict=True):
        evening.do("claim", phone, entrant=who)
    evening.do("report", phones[0], match=match.number, scores=[121, 90])
    evening.do("strike", match=match.number)
    assert evening.state.matches[match.number].void == "struck"
    evening.do("strike", match=match.number, text="another night")
    with pytest.raises(OrderError, match="this match does not count: another night"):
        evening.do(what, phones[1], match=match.number, scores=[121, 90])


def test_a_boards_game_beside_the_plan_is_of_people_of_the_night(store: Store) -> None:
    evening = Evening(store, 5, rounds=1)
    game = won_on_board(store, "Ann", "Bob", "Cid", players=4, teams=2)  # and somebody without a name
    with pytest.raises(ArgumentError, match=f"game {game} was not played by people of this night"):
        evening.do("attach", game=game)
    Table(store, {0: "Ann", 1: "Bob", 2: "Cid", 3: "Dee"}, uid="e6614c311b4f2a30").play([(4, 2)], slips=0)
    evening.do("attach", game=store.last_game())
    beside = next(each for each in evening.matches() if not each.table)
    assert ({*map(frozenset, beside.sides)}, beside.over(evening.night.rules)) == (
        {frozenset({1, 3}), frozenset({2, 4})},
        True,
    )
