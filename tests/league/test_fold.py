"""A night as the fold of its acts: in any order of devices, and whoever comes, leaves or quarrels."""

from __future__ import annotations

from random import Random

from hypothesis import given
from hypothesis import strategies as some

from cribboard.league.acts import BOARD, KINDS, PHONE, Act, BoardGame
from cribboard.league.plan import plan
from cribboard.league.rules import preset
from cribboard.league.state import fold

RULES = preset("club").read
SIX = range(1, 7)


def night(rounds=5, players=SIX, tables=(1, 2, 3)):
    """The acts until everybody has been drawn."""
    acts = [Act(number=1, kind="open")]
    acts += [Act(number=10 + who, kind="enter", entrant=who) for who in players]
    acts += [Act(number=30 + who, kind="claim", source=PHONE, who=f"p{who}", entrant=who) for who in players]
    acts.append(Act(number=60, kind="plan", round=1))
    number = 100
    for at, pairings in enumerate(plan(list(players), tables, rounds, Random(1)), 1):
        for each in pairings:
            acts.append(
                Act(number=number, kind="match", round=at, table=each.table, home=each.pair[0], away=each.pair[1])
            )
            number += 1
        idle = set(players) - {who for each in pairings for who in each.pair}
        for who in idle:
            acts.append(Act(number=number, kind="match", round=at, home=who))
            number += 1
    return acts


def report(number, match, side, scores, who):
    return Act(
        number=number,
        kind="report",
        source=PHONE,
        who=who,
        match=match,
        side=side,
        score=scores[0],
        other_score=scores[1],
    )


RESULTS = some.tuples(some.integers(0, 14), some.integers(0, 1), some.sampled_from([(121, 88), (90, 121), (121, 60)]))


@given(some.lists(RESULTS, max_size=24), some.randoms(use_true_random=False))
def test_what_counts_does_not_depend_on_the_order_of_devices(drawn, chance):
    """Each device's own reports stay in their order; between devices any order does."""
    begin = night()
    matches = list(fold(begin, {}).matches.values())
    queues: dict[str, list[tuple[int, int, tuple[int, int]]]] = {}
    for which, side, scores in drawn:
        match = matches[which % len(matches)]
        queues.setdefault(f"p{match.sides[side][0]}", []).append((match.number, side, scores))

    def reported():
        left = {who: list(queue) for who, queue in queues.items()}
        acts = []
        while left:
            who = chance.choice(sorted(left))
            acts.append(report(1000 + len(acts), *left[who].pop(0), who))
            if not left[who]:
                del left[who]
        return acts

    def seen(acts):
        state = fold([*begin, *acts], {})
        legs = {
            at: [(leg.state, leg.scores, leg.waits_for) for leg in each.legs.values()]
            for at, each in state.matches.items()
        }
        return legs, state.standings(RULES)

    assert seen(reported()) == seen(reported())


def test_games_begin_as_soon_as_both_are_free():
    """Nobody waits for a round to end."""
    acts = night(tables=(1, 2, 3))
    state = fold(acts, {})
    due = state.due(RULES, (1, 2, 3))
    assert len(due) == 3 and {state.matches[match].round for match, _ in due} == {1}
    acts += [Act(number=500 + at, kind="call", match=match, table=table) for at, (match, table) in enumerate(due)]
    state = fold(acts, {})
    assert state.due(RULES, (1, 2, 3)) == [] and state.busy(RULES) == set(SIX)
    over = [
        Act(number=600 + at, kind="settle", match=match, score=121, other_score=80) for at, (match, _) in enumerate(due)
    ]
    early = fold([*acts, *over[:2]], {})
    free = {who for match, _ in due[:2] for who in early.matches[match].players}
    for match, _ in early.due(RULES, (1, 2, 3)):
        assert early.matches[match].round == 2 and set(early.matches[match].players) <= free
    done = fold([*acts, *over], {})
    assert done.round(RULES) == 2 and len(done.due(RULES, (1, 2, 3))) == 3


def test_a_game_is_at_another_table_if_its_own_is_taken():
    acts = night()
    first = fold(acts, {}).due(RULES, (1, 2, 3))[0]
    state = fold(acts, {})
    assert dict(state.due(RULES, (7,)))[first[0]] == first[1]
    acts.append(Act(number=500, kind="match", round=1, table=first[1], home=80, away=81))
    acts.append(Act(number=501, kind="call", match=500, table=first[1]))
    assert dict(fold(acts, {}).due(RULES, (1, 2, 3, 9)))[first[0]] == 9


def test_a_plan_withdraws_only_what_has_not_begun():
    acts = night()
    first = fold(acts, {}).due(RULES, (1,))[0][0]
    acts.append(Act(number=500, kind="call", match=first, table=1))
    acts.append(Act(number=501, kind="plan", round=1))
    state = fold(acts, {})
    assert [each.number for each in state.live()] == [first]


def test_who_has_left_is_called_no_more_and_comes_back():
    acts = [*night(), Act(number=500, kind="leave", entrant=1)]
    state = fold(acts, {})
    assert 1 not in state.here
    assert all(1 not in state.matches[match].players for match, _ in state.due(RULES, (1, 2, 3)))
    assert 1 in fold([*acts, Act(number=501, kind="return", entrant=1)], {}).here


def test_byes_count_once_their_round_has_begun():
    acts = night(players=range(1, 6), tables=(1, 2))
    rules = preset("total-pegs").read
    assert all(row.byes == 0 for row in fold(acts, {}).standings(rules))
    due = fold(acts, {}).due(rules, (1, 2))
    acts += [Act(number=500 + at, kind="call", match=match, table=table) for at, (match, table) in enumerate(due)]
    assert sorted(row.points for row in fold(acts, {}).standings(rules)) == [0, 0, 0, 0, 11500]


def test_a_win_that_is_taken_back_counts_no_more_though_the_next_game_is_called():
    acts = night()
    match = fold(acts, {}).due(RULES, (1,))[0][0]
    acts.append(Act(number=500, kind="report", source=BOARD, match=match, game=7, side=0))
    assert fold(acts, {7: BoardGame((121, 88))}).matches[match].over(RULES)
    state = fold(acts, {7: BoardGame(None)})
    assert not state.matches[match].over(RULES)
    assert {row.points for row in state.standings(RULES)} == {0}


def test_points_beside_games_and_a_night_that_is_closed_and_reopened():
    acts = [*night(), Act(number=500, kind="adjust", entrant=2, points=-150), Act(number=501, kind="close")]
    state = fold(acts, {})
    assert state.closed and state.due(RULES, (1, 2, 3)) == []
    assert {row.who: row.points for row in state.standings(RULES)}[2] == -150
    assert not fold([*acts, Act(number=502, kind="reopen", text="a slip")], {}).closed


def test_an_act_that_is_sent_again_counts_once():
    acts = [*night(), Act(number=500, kind="adjust", entrant=2, points=100, who="p", key="k")]
    again = Act(number=501, kind="adjust", entrant=2, points=100, who="p", key="k")
    assert fold([*acts, again], {}).adjusted == {2: 100}


def test_acts_about_nothing_change_nothing():
    kinds = [kind for kind in KINDS if kind not in ("enter", "match")]
    state = fold([Act(number=at, kind=kind, match=99, entrant=99) for at, kind in enumerate(kinds, 1)], {})
    assert (state.entrants, state.matches, state.adjusted, state.standings(RULES)) == ({}, {}, {}, [])
