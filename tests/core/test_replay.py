"""Recorded plays: counted as the vectors and the people at the table say, and refused when they are none."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from core.plays import slow_points
from hypothesis import given
from hypothesis import strategies as st

from cribboard_core.cards import card_name, pips
from cribboard_core.pile import PlayError
from cribboard_core.play import Play, replay
from cribboard_core.sizes import deal_sizes
from cribboard_core.variants import VariantError

VECTORS = Path(__file__).parent / "vectors"
PLAYS = json.loads((VECTORS / "plays.json").read_text("utf-8"))


@pytest.mark.parametrize("case", PLAYS, ids=lambda case: case["why"])
def test_recorded_plays_count_as_the_vectors_say(case: dict[str, Any]) -> None:
    if "error" in case:
        with pytest.raises(ValueError) as refused:
            replay(case["in"])
        assert str(refused.value) == case["error"]
    else:
        assert replay(case["in"]) == case["out"]


def play_out(hands: list[list[int]], dealer: int, choose: Any) -> list[list[int]]:
    """The play as people do it: each in turn plays or says go; when all have said go, the last to play pegs one."""
    held = [list(hand) for hand in hands]
    rows: list[list[int]] = []
    pile: list[int] = []
    seat, said_go = (dealer + 1) % len(hands), 0
    while any(held):
        fits = [card for card in held[seat] if sum(map(pips, pile)) + pips(card) <= 31]
        if fits:
            card = choose(fits)
            held[seat].remove(card)
            pile.append(card)
            rows.append([seat, card, sum(map(pips, pile)), slow_points(pile), 0, 0])
            said_go = 0
        else:
            said_go += 1
        if rows and (rows[-1][2] == 31 or said_go == len(hands)) and pile:
            rows[-1][4] = int(rows[-1][2] < 31)
            rows[-1][5] = int(any(held))
            pile, said_go, seat = [], 0, rows[-1][0]
        seat = (seat + 1) % len(hands)
    if rows[-1][2] < 31:
        rows[-1][4] = 1
    return rows


@given(st.permutations(range(52)), st.integers(2, 6), st.data())
def test_any_play_goes_as_the_people_at_the_table_say(pack: list[int], players: int, data: st.DataObject) -> None:
    size = deal_sizes(players).hand
    hands = [pack[seat * size : seat * size + size] for seat in range(players)]
    dealer = data.draw(st.integers(0, players - 1))
    rows = play_out(hands, dealer, lambda fits: data.draw(st.sampled_from(fits)))
    record = {
        "players": players,
        "dealer": dealer,
        "hands": [[card_name(card) for card in hand] for hand in hands],
        "plays": [[row[0], card_name(row[1])] for row in rows],
    }
    counted = replay(record)
    assert counted["plays"] == [[row[0], card_name(row[1]), *row[2:]] for row in rows]
    pegged = [sum(row[3] + row[4] for row in rows if row[0] == seat) for seat in range(players)]
    assert counted["pegged"] == pegged
    assert sum(pegged) >= 1


def test_plays_may_stop_before_the_cards_are_out() -> None:
    hands = ["KC KD KH KS", ["QC", "QD", "QH", "QS"]]
    record = {"players": 2, "dealer": 0, "hands": hands, "plays": [(1, "QC")]}
    assert replay(record) == {"plays": [[1, "QC", 10, 0, 0, 0]], "pegged": [0, 0]}
    assert replay({**record, "plays": []}) == {"plays": [], "pegged": [0, 0]}


GOOD = {"players": 2, "dealer": 0, "hands": ["KC KD KH KS", "QC QD QH QS"], "plays": [[1, "QC"]]}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"hands": 5}, "hands is a list of hands"),
        ({"plays": "1 5C"}, "plays a list of moves"),
        ({"players": 3}, "there are 2 hands for 3 players; each player has one"),
        ({"dealer": "0"}, "a dealer is a number from 0, not '0'"),
        ({"dealer": 2}, "there is no dealer 2; the seats are 0 to 1"),
        ({"hands": [5, 6]}, r"a hand is a list of cards like \['5C', '5D'\], not 5"),
        ({"hands": [[5], [6]]}, "5 is not text"),
        ({"plays": [[1]]}, "play 1 is not a seat and a card"),
        ({"plays": [7]}, "play 1 is not a seat and a card"),
        ({"plays": [[1, "QC"], ["0", "KC"]]}, "play 2: a seat is a number from 0, not '0'"),
        ({"plays": [[1, "1X"]]}, "play 1: '1X' is not a card"),
        ({"plays": [[1, None]]}, "play 1: None is not text"),
    ],
)
def test_a_malformed_record_is_refused(change: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        replay({**GOOD, **change})


def test_a_record_lacks_nothing() -> None:
    with pytest.raises(PlayError, match="a play is an object with players, dealer, hands and plays"):
        replay([])  # type: ignore[arg-type]
    for key in GOOD:
        with pytest.raises(PlayError, match=f"the play lacks '{key}'"):
            replay({name: value for name, value in GOOD.items() if name != key})


def test_one_player_has_no_play() -> None:
    with pytest.raises(VariantError, match="cribbage is for 2 to 6 players, not 1"):
        Play(0, [[0, 1, 2, 3]])
