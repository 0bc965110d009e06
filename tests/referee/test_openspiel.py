"""The play and the counts of random deals against OpenSpiel's cribbage, which is another people's program.

It pays a four-card flush in the crib as well (here taken off again), and counts the hands in the wrong order when
somebody is about to win, so only the first deal of a game is compared. Four always play as two teams there.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest
from referee.tables import Table

from cribboard_core.cards import card_name, cards_text
from cribboard_core.show import count

pyspiel = pytest.importorskip(
    "pyspiel", reason="OpenSpiel is not installed: pip install -e '.[oracle]' (Linux and macOS)"
)

DEALS = 60


def card_of(action: int) -> int:
    """Theirs are numbered suit by suit."""
    return action % 13 * 4 + action // 13


def scores(state: Any) -> list[int]:
    """Of each side; partners have the same."""
    points = [int(word) for word in field(state, "Scores").split()]
    return points[:2] if len(points) == 4 else points


def field(state: Any, line: str) -> str:
    return next(text for text in str(state).splitlines() if text.startswith(line)).partition(":")[2].strip()


def one_deal(players: int, chance: random.Random) -> Iterator[tuple[Any, int, str]]:
    """(state before it, seat, card or `Pass`) of each act in the play of a first deal; at last the state after it."""
    state = pyspiel.load_game(f"cribbage(players={players})").new_initial_state()
    while field(state, "Round") == "0":
        seat = state.current_player()
        action = (
            chance.choice(state.chance_outcomes())[0]
            if state.is_chance_node()
            else chance.choice(state.legal_actions())
        )
        what = state.action_to_string(seat, action)
        if seat >= 0 and field(state, "Phase") == "Play":
            yield state, seat, what.split()[-1]
        state.apply_action(action)
    yield state, -1, ""


@pytest.mark.parametrize("players", [2, 3, 4])
def test_random_plays_peg_what_openspiel_pegs(players: int) -> None:
    chance = random.Random(players)
    compared = 0
    for _ in range(DEALS):
        table = Table(players=players, teams=2 if players == 4 else 0, target=241)
        table.act("deal", None)
        for state, seat, what in one_deal(players, chance):
            if seat < 0:
                break
            if table.referee.phase == "starter":
                crib = field(state, "Crib")
                table.act("starter", field(state, "Starter"))
            if what != "Pass":
                game = table.referee.table.round.deal.game  # type: ignore[union-attr]
                while table.referee.phase == "play" and (game.turn != seat or (game.count and _total(state) == 0)):  # type: ignore[union-attr]
                    table.lay("go")
                assert scores(state) == table.scores
                compared += 1
                table.lay(what)
        for _ in range(players):
            table.act("show")
        table.act("crib", crib)
        deal = table.referee.table.round.deal  # type: ignore[union-attr]
        show = count(deal.crib, deal.starter, crib=True)  # type: ignore[union-attr]
        table.act("set", 0, table.scores[0] + count(deal.crib, deal.starter).flush - show.flush, 0)  # type: ignore[union-attr]
        assert scores(state) == table.scores, (cards_text(deal.crib), card_name(deal.starter))  # type: ignore[union-attr]
    assert compared > DEALS * players * 4 - 1


def _total(state: Any) -> int:
    return int(field(state, "Running total"))
