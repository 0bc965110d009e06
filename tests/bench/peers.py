"""Other cribbage counters that can be installed, and cards in the form in which each takes them."""

from __future__ import annotations

from importlib.metadata import version
from typing import Any

import pytest
from bench.plain import RANKS

SCORER = "cribbage-scorer"
PYCRIBBAGE = "pycribbage"
HOW = "run `pip install -e '.[bench]'`"


def named(who: str) -> str:
    """A package with its version, or else just who it is; skips the test where the package is not installed."""
    if who not in (SCORER, PYCRIBBAGE):
        return who
    pytest.importorskip(who.replace("-", "_"), reason=f"{who} is not installed: {HOW}")
    return f"{who} {version(who)}"


def scorer_cards(cards: list[int]) -> list[tuple[int, str]]:
    return [((card >> 2) + 1, "CDHS"[card & 3]) for card in cards]


def scorer_read(text: str) -> list[tuple[int, str]]:
    """What somebody has to write who has the cards as text."""
    return [(RANKS.index(text[at]) + 1, text[at + 1]) for at in range(0, len(text), 2)]


def scorer_show(cards: list[tuple[int, str]]) -> int:
    from cribbage_scorer.cribbage_scorer import show_calc_score

    points: int = show_calc_score(cards[4], cards[:4])[0]
    return points


def scorer_shows(deals: list[list[tuple[int, str]]]) -> None:
    """Many hands, with nothing of ours around each."""
    from cribbage_scorer.cribbage_scorer import show_calc_score

    for cards in deals:
        show_calc_score(cards[4], cards[:4])


def scorer_play(cards: list[tuple[int, str]]) -> int:
    from cribbage_scorer.cribbage_scorer import play_score_ongoing

    points: int = play_score_ongoing(cards)[1]
    return points


def pycribbage_cards(cards: list[int]) -> Any:
    from pycribbage.deck_tools import Card, Hand

    hand = Hand()
    hand.cards = [Card(card & 3, (card >> 2) + 1) for card in cards]
    return hand


def pycribbage_show(hand: Any) -> int:
    from pycribbage.scorer import ScoreTheShow

    points: int = ScoreTheShow(hand).score
    return points


def pycribbage_play(hand: Any) -> int:
    from pycribbage.scorer import ScoreThePlay

    points: int = ScoreThePlay(hand).score
    return points
