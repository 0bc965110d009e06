"""Orders as hostile hands send them."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rigs import hostile

from cribboard.service.orders import KEYLESS, OrderError, read_order

KEY = "k" * 16


def order(**fields: Any) -> dict[str, Any]:
    return {"key": KEY, **fields}


@pytest.mark.parametrize(
    ("body", "values"),
    [
        (order(do="peg", side=1, points=29), {"side": 0, "points": 29}),
        (
            order(do="hand", side=2, cards=["5H", "5C", "S5", "JD"], starter="5D"),
            {"side": 1, "cards": [18, 16, 19, 41], "starter": 17},
        ),
        (order(do="hand", side=2, cards=["5H", "5C", "5S", "JD"], crib=True), None),
        (order(do="nibs", side=6), {"side": 5}),
        (order(do="penalty", side=1, points=2, back=True), {"side": 0, "points": 2, "back": True}),
        (order(do="muggins", side=1, points=2, **{"from": 2}), {"side": 0, "points": 2, "from": 1}),
        (order(do="false", side=1, score=118), {"side": 0, "score": 118}),
        (order(do="false", side=1, score=0), {"side": 0, "score": 0}),
        (order(do="false", side=1, score=240), {"side": 0, "score": 240}),
        (order(do="set", side=1, front=3), {"side": 0, "front": 3}),
        (order(do="set", side=1, front=241, back=0), {"side": 0, "front": 241, "back": 0}),
        (order(do="deal"), {}),
        (order(do="undo", rev=7, seen=9), {"rev": 7}),
        (
            order(do="new", target=61, names=["Ann", None, " ", "Bob"]),
            {"target": 61, "names": ["Ann", None, "", "Bob"]},
        ),
        (order(do="play", side=1, card="KS"), {"side": 0, "card": 51}),
        ({"do": "starter", "card": None}, {"card": -1}),
        ({"do": "pend", "side": 1, "points": 0}, {"side": 0, "points": 0}),
        (order(do="unplay", card="7C"), {"card": 24}),
    ],
)
def test_an_order_that_can_be_is_read(body: dict[str, Any], values: dict[str, Any] | None) -> None:
    read = read_order(body)
    assert read.do == body["do"]
    assert read.key == body.get("key", "")
    assert read.seen == body.get("seen")
    if values is not None:
        assert read.values == values


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ([], "an order is an object"),
        ({}, "there is no order None"),
        (order(do="explode"), "there is no order 'explode'"),
        (order(do=["peg"]), "there is no order"),
        (order(do="peg", side=1), "lacks points"),
        (order(do="peg", side=0, points=1), "^side: 0 is not a number from 1 to 6$"),
        (order(do="peg", side=True, points=1), "^side: True is not a number from 1 to 6$"),
        (order(do="peg", side=1, points=47), "^points: 47 is not a number from 1 to 46$"),
        (order(do="peg", side=1, points=2.0), "^points: 2.0 is not a number from 1 to 46$"),
        (order(do="false", side=1, score=241), "^score: 241 is not a number from 0 to 240$"),
        (order(do="set", side=1, front=242), "^front: 242 is not a number from 0 to 241$"),
        (order(do="set", side=1, front=9, back=242), "^back: 242 is not a number from 0 to 241$"),
        (order(do="peg", side=1, points=2, back=True), "has no 'back'"),
        (order(do="peg", side=1, points=2, seen=-1), "^seen: -1 is not a number from 0 to 4294967295$"),
        (order(do="peg", side=1, points=2, again=1), "^again: 1 is neither true nor false$"),
        (order(do="peg", side=1, points=2, page="short"), "unknown page 'short'"),
        (order(do="peg", side=1, points=2, page=None), "unknown page None"),
        (order(do="peg", side=1, points=2, own=7), "^own: 7 is not a number from 1 to 6$"),
        ({"do": "peg", "side": 1, "points": 2}, "the key None is not valid"),
        ({"do": "peg", "side": 1, "points": 2, "key": "short"}, "the key 'short' is not valid"),
        ({"do": "peg", "side": 1, "points": 2, "key": "k" * 15 + "+"}, "is not valid"),
        ({"do": "peg", "side": 1, "points": 2, "key": 5}, "the key 5 is not valid"),
        (order(do="hand", side=1, cards="5H5C5SJD"), "^cards: '5H5C5SJD' is not a list of up to 52 cards like "),
        (order(do="hand", side=1, cards=["5H", 5]), "^cards, card 2: 5 is not text$"),
        (order(do="hand", side=1, cards=["5H"]), "only the five of hearts"),
        (order(do="hand", side=1, cards=["5H", "5C", "5S", "1X"]), "is not a card"),
        (order(do="play", side=1, card=17), "is not text"),
        (order(do="new", target=120), "^target: 120 is not one of 61, 91, 121, 241$"),
        (order(do="new", names="Ann"), "^names: 'Ann' is not a list of up to 6 names$"),
        (order(do="new", names=["Ann", "ann"]), "cannot both be called"),
        (order(do="new", names=["x" * 21]), "has 21 characters"),
        (order(do="new", names=["Ann"] * 7), "^names: .* is not a list of up to 6 names$"),
        (order(do="new", start=5), "^start: 5 is not a list of up to 6 points, one for each side$"),
        (order(do="new", start=[241]), "^start, side 1: 241 is not a number from 0 to 240$"),
    ],
)
def test_what_is_no_order_is_refused_in_words(body: object, said: str) -> None:
    with pytest.raises(OrderError, match=said) as caught:
        read_order(body)
    assert caught.value.status == 400
    assert caught.value.entry()["error"]["code"] == "order"


@pytest.mark.parametrize(("do", "has"), [("clear", "nothing more"), ("deal", "place")])
def test_the_error_for_a_field_too_many_says_which_fields_an_order_has(do: str, has: str) -> None:
    with pytest.raises(OrderError) as caught:
        read_order(order(do=do, more=1))
    assert caught.value.hint == f"it has {has}"


def test_what_is_changed_in_an_order_is_taken_or_refused_where_it_stands() -> None:
    hand = order(do="hand", side=2, cards=["5H", "5C", "5S", "JD"], starter="5D", crib=False, claim=28, seen=7, own=1)
    names, rules = ["Ann", None, "Bob"], {"muggins": True}
    new = order(do="new", target=61, names=names, teams=0, dealer=1, start=[0, 9], rules=rules)
    for path, data in (*hostile.changes(hand), *hostile.changes(new)):
        try:
            read_order(data)
        except OrderError as error:
            where = "there is no order" if path == ("do",) else str(path[0])
            assert where in error.message or str(1 << 40) in data, (path, error)
            assert len(json.dumps(error.entry())) < 1000


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=6) | st.dictionaries(st.text(max_size=8), inner, max_size=6),
    max_leaves=12,
)
WORDS = st.sampled_from([*KEYLESS, "peg", "hand", "set", "new", "play", "undo", "muggins"])
NAMES = st.sampled_from(
    ["do", "key", "seen", "side", "points", "cards", "card", "names", "start", "rev", "from", "back", "page", "own"]
)


@given(JSON | st.dictionaries(NAMES, JSON), WORDS)
def test_whatever_is_sent_is_an_order_or_an_error_in_words(body: object, do: str) -> None:
    if isinstance(body, dict):
        body = {"key": KEY, **body, "do": do}
    try:
        read = read_order(body)
    except OrderError as error:
        assert len(json.dumps(error.entry())) < 1000
    else:
        assert read.do == do
