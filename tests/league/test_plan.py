"""Plans of evenings, Swiss rounds and drawn partners."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from league.examples import cases
from league.plans import SIZES, faults, judged

from cribboard.errors import ArgumentError
from cribboard.league.partners import partners
from cribboard.league.plan import Past, makeup, plan
from cribboard.league.swiss import swiss

SAMPLE = Random(36).sample(SIZES, 40)


def pairs(rounds):
    return [each.pair for pairings in rounds for each in pairings]


def met(rounds):
    return Counter(frozenset(pair) for pair in pairs(rounds))


def begun(evening, after, boards=()):
    """What has been played of an evening after so many rounds, and what was drawn for the rest."""
    rounds = [[each.pair for each in pairings] for pairings in evening]
    return Past(tuple(map(tuple, rounds[:after])), played_on(evening[:after], boards)), rounds[after:]


def played_on(rounds, boards):
    return Counter(who for pairings in rounds for each in pairings if each.table in boards for who in each.pair)


def lines_changed(drawn, late, stay):
    """How many lines of the printed cards of those who stay name another opponent, nobody, or another first deal."""

    def lines(rounds):
        sides = [(at, pair, who) for at, drawn in enumerate(rounds) for pair in drawn for who in (0, 1)]
        return {(at, pair[who], pair[1 - who], who) for at, pair, who in sides}

    differ = lines(drawn) ^ lines([[each.pair for each in pairings] for pairings in late])
    return len({(at, who) for at, who, *_ in differ if who in stay})


@pytest.mark.parametrize("size", SAMPLE, ids=str)
def test_an_evening_of_any_size_is_fair(size):
    assert faults(*size) == []


@pytest.mark.parametrize("case", cases("plan"), ids=lambda case: f"{case['players']}-{case['tables']}-{case['rounds']}")
def test_a_plan_is_as_good_as_in_the_example(case):
    people = range(1, case["players"] + 1)
    schedule = plan(people, range(1, case["tables"] + 1), case["rounds"], Random(1))
    games = Counter(who for pair in pairs(schedule) for who in pair)
    assert (len(pairs(schedule)), max(met(schedule).values())) == (case["games"], case["most_meetings"])
    assert [min(games.values()), max(games.values())] == case["games_each"]
    assert judged(schedule, people, case["tables"], ()) == []


@pytest.mark.parametrize("case", cases("replan"), ids=lambda case: f"{case['players']}-{case['after']}")
def test_who_comes_late_or_leaves_is_planned_in(case):
    people, tables, chance = list(range(1, case["players"] + 1)), range(1, 11), Random(7)
    evening = plan(people, tables, 9, chance, boards=(1, 2, 3))
    here = [*people, 99] if "comes" in case else people[:-1]
    done, (past, rest) = evening[: case["after"]], begun(evening, case["after"])
    for drawn in ((), rest):
        whole = done + plan(here, tables, len(rest), chance, boards=(1, 2, 3), past=past, drawn=drawn)
        games = Counter(who for pair in pairs(whole) for who in pair)
        byes = {9 - games[who] for who in people if who in here}
        assert max(met(whole).values()) <= case["most_meetings"]
        assert max(byes) - min(byes) <= 1
        assert games[99] == case.get("late_games", 0)


@pytest.mark.parametrize(
    ("players", "rounds", "comes_2", "leaves_3", "leaves_5"),
    [(6, 5, 6, 4, 0), (8, 7, 10, 8, 8), (13, 9, 7, 24, 16), (14, 9, 14, 14, 10), (20, 9, 16, 16, 10)],
)
def test_printed_cards_keep_their_lines_when_somebody_comes_or_leaves(players, rounds, comes_2, leaves_3, leaves_5):
    """A line names an opponent, and who deals first; if all were planned again, nine in ten would change."""
    people, tables, boards = range(1, players + 1), range(1, 11), (1,)
    for seed in range(5):
        evening = plan(people, tables, rounds, Random(seed), boards=boards)
        for after, here, most in ((2, [*people, 99], comes_2), (3, people[1:], leaves_3), (5, people[1:], leaves_5)):
            past, drawn = begun(evening, after, boards)
            if drawn:
                late = plan(here, tables, len(drawn), Random(seed), boards=boards, past=past, drawn=drawn)
                stay = [who for who in here if who != 99]
                assert lines_changed(drawn, late, stay) <= most
                assert max(met(evening[:after] + late).values()) == 1
                games = Counter(who for pair in pairs(evening[:after] + late) for who in pair)
                assert max(games[who] for who in stay) - min(games[who] for who in stay) <= 1
                on = past.on_boards + played_on(late, boards)
                assert max(on[who] for who in stay) - min(on[who] for who in stay) <= 2


def test_at_few_tables_a_plan_is_mended_as_fairly_as_it_would_be_made_again():
    """Also where some must meet again: then what is left is planned again, if that is fairer."""
    for players, count, rounds in SAMPLE[:16]:
        people, tables = range(1, players + 1), range(1, count + 1)
        evening = plan(people, tables, rounds, Random(1))
        past, drawn = begun(evening, rounds // 2)
        for here in ([*people, 99], people[1:]):
            judgements = set()
            for before in ((), drawn):
                late = plan(here, tables, len(drawn), Random(1), past=past, drawn=before)
                assert all(len(pairings) == min(count, len(here) // 2) for pairings in late)
                whole = pairs(evening[: rounds // 2] + late)
                games = Counter(who for pair in whole for who in pair)
                stay = [games[who] for who in here if who != 99]
                most = max(Counter(frozenset(pair) for pair in whole).values())
                judgements.add((most, max(stay) - min(stay)))
            assert len(judgements) == 1, (players, count, rounds)


def test_a_pinned_player_is_always_at_their_table():
    schedule = plan(range(1, 9), range(1, 5), 7, Random(1), boards=(1, 2), pins={3: 4})
    assert all(each.table == 4 for pairings in schedule for each in pairings if 3 in each.pair)
    assert judged(schedule, range(1, 9), 4, ()) == []


def test_one_more_round_is_for_those_who_have_played_less():
    """13 players and 9 games each do not divide: 12 have sat out once, and one has not."""
    games = dict.fromkeys(range(1, 13), 8) | {13: 9}
    pairings = makeup(games, Random(1))
    assert len(pairings) == 6 and 13 not in {who for pair in pairings for who in pair}


@pytest.mark.parametrize(
    ("players", "tables", "rounds", "says"),
    [
        (1, 1, 1, "one more name"),
        (0, 1, 1, "tick"),
        (2, 0, 1, "0 tables"),
        (2, 1, 0, "rounds"),
        (201, 9, 9, "201 players"),
    ],
)
def test_what_cannot_be_planned_is_said(players, tables, rounds, says):
    with pytest.raises(ArgumentError, match=says):
        plan(range(players), range(1, tables + 1), rounds, Random(1))


def test_two_and_three_and_two_hundred_can_play():
    assert len(pairs(plan([1, 2], [1], 3, Random(1)))) == 3
    assert {frozenset(pair) for pair in pairs(plan([1, 2, 3], [1], 3, Random(1)))} == {
        frozenset(pair) for pair in ((1, 2), (1, 3), (2, 3))
    }
    many = plan(range(200), range(1, 31), 9, Random(1), boards=(1, 2, 3))
    assert len(pairs(many)) == 270 and max(met(many).values()) == 1


@pytest.mark.parametrize("players", [2, 3, 5, 8, 16, 199, 200])
def test_swiss_pairs_equals_and_nobody_twice(players):
    """In as many rounds as half of the players are nobody meets anybody again, and byes go round."""
    chance, points = Random(1), Counter()
    known, byes = set(), Counter()
    for _ in range(min(7, (players + 1) // 2)):
        order = sorted(range(players), key=lambda who: -points[who])
        pairings, bye = swiss(order, known, byes)
        assert len({who for pair in pairings for who in pair}) == players - (bye is not None)
        assert known.isdisjoint(map(frozenset, pairings))
        known |= set(map(frozenset, pairings))
        points.update(chance.choice(pair) for pair in pairings)
        if bye is not None:
            byes[bye] += 1
            points[bye] += 1
    assert max(byes.values(), default=0) <= 1


@pytest.mark.parametrize("case", cases("partners"), ids=lambda case: f"{case['players']}-{case['rounds']}")
def test_partners_are_drawn_as_well_as_in_the_example(case):
    people = range(1, case["players"] + 1)
    schedule = partners(people, 9, case["rounds"], Random(3))
    with_, against, games = Counter(), Counter(), Counter()
    for one, other in (four for pairings in schedule for four in pairings):
        with_.update((frozenset(one), frozenset(other)))
        against.update(frozenset((each, them)) for each in one for them in other)
        games.update(one + other)
    sits = [case["rounds"] - games[who] for who in people]
    assert max(with_.values()) <= case["most_partners"]
    assert max(against.values()) <= case["most_against"]
    assert [min(sits), max(sits)] == case["sits"]


def test_three_players_have_no_partners():
    with pytest.raises(ArgumentError, match="four or more"):
        partners([1, 2, 3], 1, 1, Random(1))
