"""What becomes of reports of a game, in whichever order devices send them."""

from __future__ import annotations

from itertools import pairwise, permutations

import pytest
from league.examples import cases

from cribboard.errors import ArgumentError
from cribboard.league.acts import BOARD, PHONE, Act, BoardGame
from cribboard.league.entry import by_margin, by_scores, in_words
from cribboard.league.rules import preset
from cribboard.league.state import fold, lines

ANN, BOB = 1, 2
BEGIN = (
    Act(number=1, kind="open"),
    Act(number=2, kind="enter", entrant=ANN),
    Act(number=3, kind="enter", entrant=BOB),
    Act(number=4, kind="claim", source=PHONE, who="a", entrant=ANN),
    Act(number=5, kind="claim", source=PHONE, who="b", entrant=BOB),
    Act(number=6, kind="match", round=1, table=1, home=ANN, away=BOB),
)
MATCH = 6
PHONES = {"phone of Ann": "a", "phone of Bob": "b"}


def said(number, **more):
    return Act(number=number, match=MATCH, **more)


def report(number, who, scores=None, key="", kind="report"):
    one, other = scores or (None, None)
    side = "ab".index(who)
    return said(number, kind=kind, source=PHONE, who=who, side=side, score=one, other_score=other, key=key)


def act(number, given):
    """A report of an example as an act, and what it changes of the board's games."""
    if given["by"] == "board":
        return said(number, kind="report", source=BOARD, game=given.get("game", given.get("undone")), side=0)
    entry = by_scores(given["scores"], 121) if "scores" in given else by_margin(given["winner"], given["margin"], 121)
    if given["by"] == "staff":
        one, other = entry.scores
        return said(number, kind="settle", score=one, other_score=other, text=given.get("note", ""))
    return report(number, PHONES[given["by"]], entry.scores, given.get("key", ""))


def leg(acts, games=None):
    return fold([*BEGIN, *acts], games or {}).matches[MATCH].legs[1]


CASES = [case for case in cases("entry") if "refused" not in case["expect"]]


@pytest.mark.parametrize("case", CASES, ids=range(len(CASES)))
def test_what_becomes_of_reports_is_as_in_the_example(case):
    given, expected = case["reports"], case["expect"]
    games = {each["game"]: BoardGame(tuple(each["scores"])) for each in given if "game" in each}
    games |= {each["undone"]: BoardGame(None) for each in given if "undone" in each}
    whose = [each["by"] for each in given]
    for order in permutations(range(len(given))):
        if any(whose[one] == whose[other] and one > other for one, other in pairwise(order)):
            continue  # a side's own later report replaces its earlier one
        acts = [act(10 + at, given[which]) for at, which in enumerate(order)]
        game = leg(acts, games)
        assert (game.state, game.counts) == (expected["state"], expected.get("counts", True))
        assert game.scores == (tuple(expected["scores"]) if "scores" in expected else None)
        assert game.waits_for == ((1,) if expected.get("waits_for") else ())
        assert game.earlier(0) == [tuple(each) for each in expected.get("earlier", [])]
        if "acts" in expected:
            assert len(game.reports[0]) == expected["acts"]


@pytest.mark.parametrize("case", [case for case in cases("entry") if case["expect"].get("refused") == 400])
def test_bad_scores_get_a_sentence(case):
    with pytest.raises(ArgumentError) as refused:
        by_scores(case["reports"][0]["scores"], 121)
    assert case["expect"].get("hint", "") in str(refused.value)


@pytest.mark.parametrize(
    "scores",
    [[121, 121], [120, 88], [121, -1], [121, "88"], [121], "x", [float("nan"), 1], [150, 1], [True, 121], None],
)
def test_what_is_no_result_is_refused(scores):
    with pytest.raises(ArgumentError, match=r"; "):
        by_scores(scores, 121)


@pytest.mark.parametrize(("winner", "margin"), [(2, 5), (0, 0), (1, 122), (True, 5), (0, "5")])
def test_what_is_no_margin_is_refused(winner, margin):
    with pytest.raises(ArgumentError):
        by_margin(winner, margin, 121)


def test_a_result_is_said_as_people_say_it():
    names = ("Ann", "Bob")
    assert in_words(names, (121, 88), (91, 61)) == "Ann by 33, a skunk"
    assert in_words(names, (60, 121), (91, 61)) == "Bob by 61, a double skunk"
    assert in_words(names, (60, 121), (91, 0)) == "Bob by 61, a skunk"
    assert in_words(names, (121, 120), (91, 61)) == "Ann by 1"


def test_agreeing_is_to_what_was_shown():
    """Ann changes what she said while Bob agrees to what he saw."""
    mine = [report(10, "a", (121, 98)), report(11, "a", (121, 97)), report(12, "b", (121, 98), kind="agree")]
    assert leg(mine).state == "disputed"
    assert leg([*mine, report(13, "b", (121, 97), kind="agree")]).state == "agreed"


def test_not_right_is_a_quarrel_until_the_director_settles_it():
    acts = [report(10, "a", (121, 98)), report(11, "b")]
    assert leg(acts).state == "disputed"
    assert leg([*acts, said(12, kind="settle", score=121, other_score=96)]).scores == (121, 96)


def test_what_a_phone_said_waits_again_when_its_name_goes_to_another():
    joker = report(10, "a", (121, 60))
    given = Act(number=12, kind="claim", entrant=ANN, text="c")
    waiting = leg([joker, given])
    assert (waiting.state, waiting.waits_for) == ("waits", (0, 1))
    quarrel = leg([joker, report(11, "b", (90, 121)), given])
    assert (quarrel.state, quarrel.scores, quarrel.waits_for) == ("waits", (90, 121), (0,))
    agreed = leg([joker, report(11, "b", (121, 60), kind="agree"), given])
    assert agreed.state == "agreed"


def test_one_phone_has_one_name_and_a_name_one_phone():
    more = [
        Act(number=10, kind="claim", source=PHONE, who="c", entrant=ANN),
        Act(number=11, kind="claim", source=PHONE, who="a", entrant=BOB),
    ]
    state = fold([*BEGIN, *more], {})
    assert [state.entrants[who].phone for who in (ANN, BOB)] == ["a", "b"]
    state = fold([*BEGIN, *more, Act(number=12, kind="claim", entrant=BOB, text="a")], {})
    assert [state.entrants[who].phone for who in (ANN, BOB)] == ["", "a"]


def test_a_game_of_the_board_is_read_by_the_sides_of_the_match():
    game = leg([said(10, kind="report", source=BOARD, game=7, side=1)], {7: BoardGame((121, 88))})
    assert game.scores == (88, 121)


def test_a_walk_over_and_a_match_that_is_struck():
    rules = preset("club").read
    walk = said(10, kind="settle", side=1, text="Ann did not come")
    state = fold([*BEGIN, walk], {})
    rows = {row.who: (row.points, row.won, row.lost) for row in state.standings(rules)}
    assert rows == {BOB: (200, 1, 0), ANN: (0, 0, 1)}
    state = fold([*BEGIN, walk, said(11, kind="correct", text="it was another night")], {})
    assert {row.points for row in state.standings(rules)} == {0}
    assert state.matches[MATCH].void == "it was another night"


def test_every_match_has_its_lines():
    acts = [*BEGIN, report(10, "a", (121, 98)), report(11, "b"), said(12, kind="settle", score=121, other_score=96)]
    history = [(line.act.number, line.before, line.after) for line in lines(acts, {}, MATCH)]
    assert history[-3:] == [
        (10, ("open", None), ("waits", (121, 98))),
        (11, ("waits", (121, 98)), ("disputed", None)),
        (12, ("disputed", None), ("settled", (121, 96))),
    ]
