"""Whole deals against a referee of another hand; `python -m referee.oracle --deals 100000` deals more of them."""

from __future__ import annotations

import pytest
from referee import oracle
from referee.oracle import laid, run, shown

from cribboard_core.cards import parse_card, parse_cards


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_random_deals_peg_what_the_slow_referee_pegs(players: int) -> None:
    wrong, won = run(150, 7, players)
    assert wrong == 0
    assert won > 10


@pytest.mark.parametrize(
    ("hand", "starter", "crib", "points"),
    [
        ("5H 5C 5S JD", "5D", False, 29),
        ("4H 5H 6H 6S", "5C", False, 24),
        ("4H 6H 8H TH", "2C", True, 0),
        ("4H 5C 6H 4C 5H", "6S", False, 46),
        ("2C 3D 4H 8S 9C", "TD", False, 12),
    ],
)
def test_the_slow_referee_counts_known_hands(hand: str, starter: str, crib: bool, points: int) -> None:
    assert shown(parse_cards(hand), parse_card(starter), crib) == points


def test_the_slow_referee_counts_known_plays() -> None:
    assert [laid(parse_cards(text)) for text in ("5H 4C 6S 6D", "2C 3D 5H 4S 3C", "8C 6D 4H 5S 7C")] == [2, 3, 5]


@pytest.mark.parametrize(("wrong", "status"), [(0, 0), (1, 1)])
def test_the_exit_status_says_whether_all_agree(wrong: int, status: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(oracle, "run", lambda deals, seed, players: (wrong * (players == 3), 5))
    monkeypatch.setattr("sys.argv", ["oracle"])
    assert oracle.main() == status
